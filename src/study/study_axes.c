/* study_axes.c - axes of a space of configurations, and the variant at a point of it.
 *
 * A variant's name is made of its values.  A value that says little alone (a bare number, a truth)
 * or that another axis has, too, stands behind the last part of its parameter's name: mshrs16. */
#include "study/study_axes.h"

#include <math.h>
#include <string.h>

#include "base/str.h"

enum { MOST_STEPS = 1000 };

/* ---- values --------------------------------------------------------------------------------- */

/* What may stand in a name: of a path the file's, and signs become '+'. */
static const char *name_of(const struct study_reader *r, const char *text)
{
    const char *slash = strrchr(text, '/');
    char *name = arena_strdup(r->arena, slash ? slash + 1 : text);
    size_t n = strlen(name);
    if (n > 5 && strcmp(name + n - 5, ".yaml") == 0)
        name[n - 5] = '\0';
    for (char *c = name; *c; c++)
        if (!strchr(STUDY_NAME_LETTERS, *c))
            *c = '+';
    return name;
}

static void add_set(struct study_value *v, const char *set, int line)
{
    v->sets[v->nsets] = set;
    v->lines[v->nsets++] = line;
}

static void make_room(const struct study_reader *r, struct study_value *v, uint32_t sets)
{
    v->sets = ARENA_ARRAY(r->arena, const char *, sets);
    v->lines = ARENA_ARRAY(r->arena, int, sets);
}

/* One of [16K, 32K], or of [[3, 12], [5, 10]]. */
static bool take_listed(const struct study_reader *r, const struct study_axis *axis,
                        const struct tree *t, struct study_value *v)
{
    struct tree keyed = *t;
    keyed.key = axis->key;
    if (strcmp(axis->key, "machine") == 0) {
        if (!study_expect(r, t, TREE_SCALAR))
            return false;
        v->machine = study_machine_name(r, t->text);
        v->name = name_of(r, t->text);
    } else {
        const char *set = study_assignment(r, &keyed);
        if (!set)
            return false;
        make_room(r, v, 1);
        add_set(v, set, t->line);
        v->name = name_of(r, strchr(set, '=') + 1);
    }
    v->doc = arena_printf(r->arena, "%s %s", axis->key, v->name);
    return true;
}

/* One of {small: {l1.size: 16K, l1.ways: 4}, big: {...}}. */
static bool take_named(const struct study_reader *r, const struct study_axis *axis,
                       const struct tree *t, struct study_value *v)
{
    v->name = name_of(r, t->key);
    v->doc = arena_printf(r->arena, "%s %s", axis->key, v->name);
    if (!study_expect(r, t, TREE_MAP) || !study_text(r, t, "doc", &v->doc) ||
        !study_text(r, t, "machine", &v->machine))
        return false;
    v->machine = v->machine ? study_machine_name(r, v->machine) : NULL;
    make_room(r, v, t->n);
    for (const struct tree *c = t->first; c; c = c->next) {
        if (strcmp(c->key, "doc") == 0 || strcmp(c->key, "machine") == 0)
            continue;
        const char *set = study_assignment(r, c);
        if (!set)
            return false;
        add_set(v, set, c->line);
    }
    return true;
}

/* ---- ranges --------------------------------------------------------------------------------- */

struct range {
    double from, to, step, times; /* one of the last two is 0 */
};

static bool read_range(const struct study_reader *r, const struct tree *t, struct range *x)
{
    *x = (struct range){.from = NAN, .to = NAN};
    if (!tree_knows(t, "from|to|step|times", r->e) || !study_number(r, t, "from", &x->from) ||
        !study_number(r, t, "to", &x->to) || !study_number(r, t, "step", &x->step) ||
        !study_number(r, t, "times", &x->times))
        return false;
    bool is_one = (x->step > 0) != (x->times > 1) && (x->step == 0 || x->times == 0);
    if (isnan(x->from) || isnan(x->to) || x->to < x->from || !is_one ||
        (x->times > 0 && x->from <= 0))
        return tree_refuse(
            t, r->e, "expected {from: A, to: B, step: C}, or times: C above 1 with A above 0");
    return true;
}

/* Steps are counted rather than added up, so that 0.1 ten times is 1. */
static double range_at(const struct range *x, uint32_t i)
{
    return x->step > 0 ? x->from + i * x->step : x->from * pow(x->times, i);
}

static bool take_range(const struct study_reader *r, const struct tree *t, struct study_axis *axis)
{
    struct range x;
    uint32_t n = 0;
    if (!read_range(r, t, &x))
        return false;
    double last = x.to + (x.step > 0 ? 1e-9 * x.step : 1e-9 * x.to);
    while (n <= MOST_STEPS && range_at(&x, n) <= last)
        n++;
    if (n > MOST_STEPS)
        return tree_refuse(t, r->e, "more than %d steps", MOST_STEPS);
    axis->is_range = true;
    axis->values = ARENA_ARRAY(r->arena, struct study_value, n);
    for (; axis->n < n; axis->n++) {
        struct tree at = {.kind = TREE_SCALAR, .line = t->line, .file = t->file};
        at.text = arena_printf(r->arena, "%.10g", range_at(&x, axis->n));
        if (!take_listed(r, axis, &at, &axis->values[axis->n]))
            return false;
        if (study_axis_find(axis, axis->values[axis->n].name) >= 0)
            return tree_refuse(t, r->e, "steps too small to tell them apart");
    }
    return true;
}

/* ---- axes ----------------------------------------------------------------------------------- */

int32_t study_axis_find(const struct study_axis *axis, const char *value)
{
    for (uint32_t i = 0; i < axis->n; i++)
        if (strcmp(axis->values[i].name, value) == 0)
            return (int32_t)i;
    return -1;
}

static bool take_values(const struct study_reader *r, const struct tree *t, struct study_axis *axis)
{
    axis->values = ARENA_ARRAY(r->arena, struct study_value, t->n);
    for (const struct tree *c = t->first; c; c = c->next) {
        struct study_value *v = &axis->values[axis->n];
        if (!(t->kind == TREE_MAP ? take_named : take_listed)(r, axis, c, v))
            return false;
        if (study_axis_find(axis, v->name) >= 0)
            return tree_refuse(c, r->e, "%s is there twice", v->name);
        axis->n++;
    }
    return true;
}

bool study_axes_add(struct study_axes *x, const struct tree *t)
{
    const struct study_reader *r = x->reader;
    struct study_axis *axis = &x->all[x->n++];
    *axis = (struct study_axis){.key = t->key, .prefix = ""};
    bool is_parameter = strchr(t->key, '.') != NULL;
    if (t->kind == TREE_SCALAR || t->n == 0)
        return tree_refuse(t, r->e,
                           "expected a list of values ([a, b, ...]) or named sets "
                           "({name: {SECTION.KEY: VALUE}, ...})");
    if (t->kind == TREE_LIST && !is_parameter && strcmp(t->key, "machine") != 0)
        return tree_refuse(t, r->e, "expected SECTION.KEY or machine before a list of values");
    return is_parameter && tree_get(t, "from") ? take_range(r, t, axis) : take_values(r, t, axis);
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool needs_prefix(const struct study_axes *x, const struct study_axis *axis)
{
    bool truth;
    for (uint32_t i = 0; i < axis->n; i++) {
        const char *name = axis->values[i].name;
        if (strspn(name, "0123456789.+-") == strlen(name) || str_to_bool(name, &truth))
            return true;
        for (uint32_t k = 0; k < x->n; k++)
            if (&x->all[k] != axis && study_axis_find(&x->all[k], name) >= 0)
                return true;
    }
    return false;
}

/* "size" of l1.size; "icc" of icc.enabled, where it is the section that says something. */
static const char *short_key(const struct study_axes *x, const char *key)
{
    const char *dot = strrchr(key, '.');
    if (!dot)
        return key;
    if (strcmp(dot, ".enabled") == 0)
        return arena_printf(x->reader->arena, "%.*s", (int)(dot - key), key);
    return dot + 1;
}

void study_axes_name(struct study_axes *x)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (needs_prefix(x, &x->all[i]))
            x->all[i].prefix = short_key(x, x->all[i].key);
    for (uint32_t i = 0; i < x->n; i++)
        for (uint32_t k = 0; k < x->n; k++)
            if (k != i && *x->all[i].prefix &&
                strcmp(x->all[i].prefix, short_key(x, x->all[k].key)) == 0)
                x->all[i].prefix = x->all[i].key;
}

const char *study_axis_word(struct arena *a, const struct study_axis *axis, uint32_t value)
{
    const char *name = axis->values[value].name;
    bool is_number = strspn(name, "0123456789.") == strlen(name);
    return !*axis->prefix ? name
                          : arena_printf(a, "%s%s%s", axis->prefix, is_number ? "" : "-", name);
}

/* ---- variants ------------------------------------------------------------------------------- */

static void add_sets(struct study_value *to, uint32_t n, const char *const *sets, const int *lines)
{
    for (uint32_t i = 0; i < n; i++)
        add_set(to, sets[i], lines[i]);
}

/* What the variant has of itself, before its values: as its base, or as the study says. */
static bool start_variant(const struct study_axes *x, uint32_t nsets, struct study_variant *v,
                          struct study_value *sum)
{
    const struct study_reader *r = x->reader;
    *sum = (struct study_value){.name = "", .doc = ""};
    *v = (struct study_variant){.over = -1, .line = x->map->line};
    make_room(r, sum, nsets + (x->base ? x->base->nsets : 0) + 1);
    if (x->base) {
        sum->machine = x->base->machine;
        add_sets(sum, x->base->nsets, x->base->sets, x->base->set_lines);
        return true;
    }
    if (!study_text(r, r->top, "machine", &sum->machine))
        return false;
    sum->machine = sum->machine ? study_machine_name(r, sum->machine) : NULL;
    return true;
}

static void add_value(const struct study_axes *x, uint32_t axis, uint32_t value,
                      struct study_value *sum)
{
    struct arena *a = x->reader->arena;
    const struct study_value *v = &x->all[axis].values[value];
    const char *word = study_axis_word(a, &x->all[axis], value);
    sum->name = arena_printf(a, "%s%s%s", sum->name, *sum->name ? "_" : "", word);
    sum->doc = arena_printf(a, "%s%s%s", sum->doc, *sum->doc ? ", " : "", v->doc);
    sum->machine = v->machine ? v->machine : sum->machine;
    add_sets(sum, v->nsets, v->sets, v->lines);
}

bool study_axes_variant(const struct study_axes *x, const uint32_t *values, struct study_variant *v)
{
    struct study_coordinate *at = ARENA_ARRAY(x->reader->arena, struct study_coordinate, x->n);
    struct study_value sum;
    uint32_t nsets = 0;
    for (uint32_t i = 0; i < x->n; i++)
        nsets += values[i] == UINT32_MAX ? 0 : x->all[i].values[values[i]].nsets;
    if (!start_variant(x, nsets, v, &sum))
        return false;
    for (uint32_t i = 0; i < x->n; i++) {
        if (values[i] == UINT32_MAX)
            continue;
        const struct study_axis *axis = &x->all[i];
        at[v->ncoordinates++] = (struct study_coordinate){axis->key, axis->values[values[i]].name};
        add_value(x, i, values[i], &sum);
    }
    v->name = sum.name;
    v->doc = sum.doc;
    v->machine = sum.machine;
    v->nsets = sum.nsets;
    v->sets = sum.sets;
    v->set_lines = sum.lines;
    v->coordinates = at;
    return v->machine ||
           tree_refuse(x->map, x->reader->e, "expected a machine, here or for the whole study");
}
