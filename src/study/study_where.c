/* study_where.c - choosing among the variants of `cross:` by their axes.
 *
 *     where: {gpu.cta_scheduler: rr}          columns of a figure: those with this value
 *     where: {l1.size: [32K, 64K]}            ... with one of these
 *     baseline: {l1.size: 16K}                of each column: the variant that has this value there
 *                                             and is the same otherwise */
#include <string.h>

#include "study/study_priv.h"

static const char *value_at(const struct study_variant *v, const char *axis)
{
    for (uint32_t i = 0; i < v->ncoordinates; i++)
        if (strcmp(v->coordinates[i].axis, axis) == 0)
            return v->coordinates[i].value;
    return NULL;
}

/* ---- names ---------------------------------------------------------------------------------- */

static void add_name(struct study_names *names, const char **room, const char *name)
{
    for (uint32_t i = 0; i < names->n; i++)
        if (strcmp(room[i], name) == 0)
            return;
    room[names->n++] = name;
}

/* All axes, or all values of one. */
static struct study_names names_of(const struct study_reader *r, const char *axis)
{
    const struct study *s = r->study;
    uint32_t room = 1;
    for (uint32_t i = 0; i < s->nvariants; i++)
        room += s->variants[i].ncoordinates;
    const char **names = ARENA_ARRAY(r->arena, const char *, room);
    struct study_names all = {axis ? arena_printf(r->arena, "value of %s", axis) : "axis of cross",
                              names, 0};
    for (uint32_t i = 0; i < s->nvariants; i++)
        for (uint32_t k = 0; k < s->variants[i].ncoordinates; k++) {
            const struct study_coordinate *c = &s->variants[i].coordinates[k];
            if (!axis || strcmp(c->axis, axis) == 0)
                add_name(&all, names, axis ? c->value : c->axis);
        }
    return all;
}

/* Axes and values that the map names must exist; `one`: lists are refused. */
static bool check(const struct study_reader *r, const struct tree *map, bool one)
{
    struct study_names axes = names_of(r, NULL);
    uint32_t index;
    if (!study_expect(r, map, TREE_MAP))
        return false;
    if (!axes.n)
        return tree_refuse(map, r->e, "there is no cross: whose axes could be chosen from");
    for (const struct tree *c = map->first; c; c = c->next) {
        struct tree key = {.kind = TREE_SCALAR, .line = c->line, .file = c->file, .key = map->key};
        key.text = c->key;
        if (!study_index(r, &key, &axes, &index))
            return false;
        struct study_names values = names_of(r, c->key);
        if ((one || c->kind == TREE_MAP) && !study_expect(r, c, TREE_SCALAR))
            return false;
        const struct tree *v = c->kind == TREE_LIST ? c->first : c;
        for (; v; v = c->kind == TREE_LIST ? v->next : NULL)
            if (!study_index(r, v, &values, &index))
                return false;
    }
    return true;
}

/* ---- columns -------------------------------------------------------------------------------- */

static bool has_one_of(const char *value, const struct tree *t)
{
    if (!value || t->kind == TREE_SCALAR)
        return value && strcmp(value, t->text) == 0;
    for (const struct tree *c = t->first; c; c = c->next)
        if (strcmp(value, c->text) == 0)
            return true;
    return false;
}

static bool matches(const struct study_variant *v, const struct tree *where)
{
    for (const struct tree *c = where->first; c; c = c->next)
        if (!has_one_of(value_at(v, c->key), c))
            return false;
    return true;
}

bool study_where_columns(const struct study_reader *r, const struct tree *t,
                         const uint32_t **columns, uint32_t *ncolumns)
{
    const struct study *s = r->study;
    const struct tree *listed = tree_get(t, "variants"), *where = tree_get(t, "where");
    struct study_names names = study_variant_names(r);
    if (!study_indices(r, listed, &names, columns, ncolumns))
        return false;
    if (!where)
        return true;
    if (!check(r, where, false))
        return false;
    uint32_t *all = ARENA_ARRAY(r->arena, uint32_t, s->nvariants), n = 0;
    for (; listed && n < *ncolumns; n++)
        all[n] = (*columns)[n];
    for (uint32_t i = 0; i < s->nvariants; i++)
        if (matches(&s->variants[i], where) && study_place(all, n, i) < 0)
            all[n++] = i;
    *columns = all;
    *ncolumns = n;
    return n > 0 || tree_refuse(where, r->e, "no variant has all of these");
}

/* ---- baselines ------------------------------------------------------------------------------ */

/* Whether w has the values of `map` and is as v otherwise. */
static bool is_base_of(const struct study_variant *w, const struct study_variant *v,
                       const struct tree *map)
{
    if (w->ncoordinates != v->ncoordinates || !matches(w, map))
        return false;
    for (uint32_t i = 0; i < v->ncoordinates; i++) {
        const struct study_coordinate *c = &v->coordinates[i];
        const char *value = value_at(w, c->axis);
        if (!value || (!tree_get(map, c->axis) && strcmp(value, c->value) != 0))
            return false;
    }
    return true;
}

static int32_t base_of(const struct study *s, const struct study_variant *v, const struct tree *map)
{
    for (uint32_t i = 0; v->ncoordinates && i < s->nvariants; i++)
        if (is_base_of(&s->variants[i], v, map))
            return (int32_t)i;
    return -1;
}

bool study_where_baseline(const struct study_reader *r, const struct tree *map,
                          struct study_figure *f)
{
    const struct study *s = r->study;
    int32_t *bases = ARENA_ARRAY(r->arena, int32_t, s->nvariants);
    if (!check(r, map, true))
        return false;
    for (uint32_t i = 0; i < s->nvariants; i++)
        bases[i] =
            s->variants[i].over >= 0 ? s->variants[i].over : base_of(s, &s->variants[i], map);
    for (uint32_t i = 0; i < f->nvariants; i++)
        if (bases[f->variants[i]] < 0)
            return tree_refuse(map, r->e, "no variant of cross differs from %s in this alone",
                               s->variants[f->variants[i]].name);
    f->bases = bases;
    f->baseline = bases[f->variants[0]];
    return true;
}
