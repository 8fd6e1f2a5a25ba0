/* study_page_sweep.c - see study_page_sweep.h. */
#include "report/study_page_sweep.h"

#include <ctype.h>
#include <string.h>

#include "report/study_page_label.h"

struct columns {
    const struct study *study;
    const struct study_figure *figure;
};

static const struct study_coordinate *at(const struct columns *c, uint32_t column, uint32_t axis)
{
    return &c->study->variants[c->figure->variants[column]].coordinates[axis];
}

static uint32_t axes_of(const struct columns *c, uint32_t column)
{
    return c->study->variants[c->figure->variants[column]].ncoordinates;
}

static bool have_same_axes(const struct columns *c)
{
    for (uint32_t i = 1; i < c->figure->nvariants; i++) {
        if (axes_of(c, i) != axes_of(c, 0))
            return false;
        for (uint32_t k = 0; k < axes_of(c, 0); k++)
            if (strcmp(at(c, i, k)->axis, at(c, 0, k)->axis) != 0)
                return false;
    }
    return c->figure->nvariants > 0;
}

static bool varies(const struct columns *c, uint32_t axis)
{
    for (uint32_t i = 1; i < c->figure->nvariants; i++)
        if (strcmp(at(c, i, axis)->value, at(c, 0, axis)->value) != 0)
            return true;
    return false;
}

static bool is_of_numbers(const struct columns *c, uint32_t axis)
{
    for (uint32_t i = 0; i < c->figure->nvariants; i++)
        if (!isdigit((unsigned char)*at(c, i, axis)->value))
            return false;
    return true;
}

/* The axis along x; as many as there are where fewer than two vary. */
static uint32_t choose(const struct columns *c)
{
    uint32_t n = axes_of(c, 0), varying = 0, first = n, numbers = n;
    for (uint32_t i = n; i-- > 0;) {
        if (!varies(c, i))
            continue;
        varying++;
        first = i;
        numbers = is_of_numbers(c, i) ? i : numbers;
    }
    return varying < 2 ? n : numbers < n ? numbers : first;
}

static const char *series_label(struct arena *a, const struct columns *c, uint32_t column,
                                uint32_t along)
{
    const char *text = "";
    for (uint32_t i = 0; i < axes_of(c, column); i++)
        if (i != along && varies(c, i))
            text = arena_printf(a, "%s%s%s", text, *text ? ", " : "",
                                label_coordinate(a, at(c, column, i)));
    return label_cut(a, text, LABEL_MOST);
}

/* The number of `label` among those that were there before, or a new one. */
static uint32_t number(const char **labels, uint32_t *n, const char *label)
{
    for (uint32_t i = 0; i < *n; i++)
        if (strcmp(labels[i], label) == 0)
            return i;
    labels[*n] = label;
    return (*n)++;
}

/* Cut labels, or two sweeps from different bases, may put two columns in one place. */
static bool is_taken(const struct study_page_sweep *w, uint32_t column)
{
    for (uint32_t i = 0; i < column; i++)
        if (w->slot_of[i] == w->slot_of[column] && w->series_of[i] == w->series_of[column])
            return true;
    return false;
}

const struct study_page_sweep *study_page_sweep_of(struct arena *a, const struct study *s,
                                                   const struct study_figure *f)
{
    const struct columns c = {s, f};
    uint32_t along = have_same_axes(&c) ? choose(&c) : 0;
    if (!have_same_axes(&c) || along == axes_of(&c, 0))
        return NULL;
    struct study_page_sweep *w = ARENA_NEW(a, struct study_page_sweep);
    w->axis = at(&c, 0, along)->axis;
    w->slot = ARENA_ARRAY(a, const char *, f->nvariants);
    w->series = ARENA_ARRAY(a, const char *, f->nvariants);
    w->slot_of = ARENA_ARRAY(a, uint32_t, f->nvariants);
    w->series_of = ARENA_ARRAY(a, uint32_t, f->nvariants);
    for (uint32_t i = 0; i < f->nvariants; i++) {
        const char *value = label_coordinate(a, at(&c, i, along));
        w->slot_of[i] = number(w->slot, &w->nslots, label_cut(a, value, LABEL_SLOT));
        w->series_of[i] = number(w->series, &w->nseries, series_label(a, &c, i, along));
        if (is_taken(w, i))
            return NULL;
    }
    return w;
}
