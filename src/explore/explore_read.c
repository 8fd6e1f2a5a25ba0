/* explore_read.c - the file of an exploration.
 *
 * What it has in common with a study is read by the study's readers.  The baseline and the ideal
 * machines of `classes:` are variants, objectives and constraints figures, so that mistakes come to
 * light where those of studies do. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "explore/explore.h"
#include "explore/explore_priv.h"
#include "study/inputs.h"

#define OWN_KEYS "space|when|baseline|objectives|constraints|classes|machines|method|sizes|budget"
#define MACHINE_KEYS "doc|machine|set|space|when|baseline|classes"

const char *const explore_over_name[OVERS] = {"geometric", "arithmetic", "least", "most"};

/* ---- machines ------------------------------------------------------------------------------- */

/* What the machine's part of the file has, or else the file. */
const struct tree *explore_part(const struct explore_reader *x, const char *key)
{
    const struct tree *own = tree_get(x->block, key);
    return own ? own : tree_get(x->r.top, key);
}

/* All points start from the machine with its settings. */
static bool read_machine(struct explore_reader *x)
{
    const struct study_reader *r = &x->r;
    struct study_variant *v = ARENA_NEW(r->arena, struct study_variant);
    const struct tree *set = tree_get(x->block, "set");
    const char *machine = NULL;
    if (x->block && !tree_knows(x->block, MACHINE_KEYS, r->e))
        return false;
    if (!study_text(r, r->top, "machine", &machine) ||
        (x->block && !study_text(r, x->block, "machine", &machine)))
        return false;
    if (!machine)
        return tree_refuse(x->block ? x->block : r->top, r->e, "expected the key \"machine\"");
    if (set && !study_expect(r, set, TREE_MAP))
        return false;
    v->machine = study_machine_name(r, machine);
    return study_sets_read(r, set, NULL, v) && (x->out->axes.base = v);
}

/* ---- the space ------------------------------------------------------------------------------ */

/* Axes of the file, those that the machine has too as the machine says; then the machine's own. */
static bool read_space(struct explore_reader *x)
{
    const struct study_reader *r = &x->r;
    const struct tree *common = tree_get(r->top, "space"), *own = tree_get(x->block, "space");
    struct study_axes *axes = &x->out->axes;
    if (!study_expect(r, common, TREE_MAP) || (own && !study_expect(r, own, TREE_MAP)))
        return false;
    axes->reader = r;
    axes->map = common;
    axes->all = ARENA_ARRAY(r->arena, struct study_axis, common->n + (own ? own->n : 0) + 1);
    for (const struct tree *c = common->first; c; c = c->next)
        if (!study_axes_add(axes, tree_get(own, c->key) ? tree_get(own, c->key) : c))
            return false;
    for (const struct tree *c = own ? own->first : NULL; c; c = c->next)
        if (!tree_get(common, c->key) && !study_axes_add(axes, c))
            return false;
    if (axes->n == 0 || axes->n > SEARCH_MOST_AXES)
        return tree_refuse(common, r->e, "expected 1 to %d axes", SEARCH_MOST_AXES);
    study_axes_name(axes);
    return true;
}

static bool find_axis(const struct explore_reader *x, const struct tree *t, uint32_t *axis)
{
    const struct study_axes *axes = &x->out->axes;
    const char **names = ARENA_ARRAY(x->r.arena, const char *, axes->n);
    struct tree key = {.kind = TREE_SCALAR, .line = t->line, .file = t->file, .key = "space"};
    key.text = t->key;
    for (uint32_t i = 0; i < axes->n; i++)
        names[i] = axes->all[i].key;
    return study_index(&x->r, &key, &(struct study_names){"axis", names, axes->n}, axis);
}

static bool find_value(const struct explore_reader *x, const struct tree *t,
                       const struct study_axis *axis, uint32_t *value)
{
    const char **names = ARENA_ARRAY(x->r.arena, const char *, axis->n);
    for (uint32_t i = 0; i < axis->n; i++)
        names[i] = axis->values[i].name;
    const char *what = arena_printf(x->r.arena, "value of %s", axis->key);
    return study_index(&x->r, t, &(struct study_names){what, names, axis->n}, value);
}

static bool read_baseline(struct explore_reader *x)
{
    const struct tree *map = explore_part(x, "baseline");
    uint32_t *start = ARENA_ARRAY(x->r.arena, uint32_t, x->out->axes.n), axis;
    x->out->start = start;
    if (map && !study_expect(&x->r, map, TREE_MAP))
        return false;
    for (const struct tree *c = map ? map->first : NULL; c; c = c->next)
        if (!find_axis(x, c, &axis) || !find_value(x, c, &x->out->axes.all[axis], &start[axis]))
            return false;
    return true;
}

/* ---- when ----------------------------------------------------------------------------------- */

static bool read_condition(const struct explore_reader *x, const struct tree *t,
                           struct explore_condition *c)
{
    if (!find_axis(x, t, &c->other))
        return false;
    if (c->other == c->axis)
        return tree_refuse(t, x->r.e, "an axis cannot depend on itself");
    const struct study_axis *other = &x->out->axes.all[c->other];
    bool *values = ARENA_ARRAY(x->r.arena, bool, other->n);
    const struct tree *v = t->kind == TREE_LIST ? t->first : t;
    uint32_t index;
    for (; v; v = t->kind == TREE_LIST ? v->next : NULL) {
        if (!find_value(x, v, other, &index))
            return false;
        values[index] = true;
    }
    c->values = values;
    return true;
}

/* Whether the axis `to` decides, by others perhaps, about `from`. */
static bool depends(const struct exploration *x, uint32_t from, uint32_t to, uint32_t steps)
{
    for (uint32_t i = 0; steps && i < x->nconditions; i++)
        if (x->conditions[i].axis == from &&
            (x->conditions[i].other == to || depends(x, x->conditions[i].other, to, steps - 1)))
            return true;
    return false;
}

static bool read_when(struct explore_reader *x)
{
    const struct tree *map = explore_part(x, "when");
    uint32_t room = 0;
    if (map && !study_expect(&x->r, map, TREE_MAP))
        return false;
    for (const struct tree *c = map ? map->first : NULL; c; c = c->next)
        room += c->n;
    struct explore_condition *all = ARENA_ARRAY(x->r.arena, struct explore_condition, room + 1);
    x->out->conditions = all;
    for (const struct tree *c = map ? map->first : NULL; c; c = c->next) {
        uint32_t axis;
        if (!find_axis(x, c, &axis) || !study_expect(&x->r, c, TREE_MAP))
            return false;
        for (const struct tree *o = c->first; o; o = o->next) {
            all[x->out->nconditions].axis = axis;
            if (!read_condition(x, o, &all[x->out->nconditions++]))
                return false;
            if (depends(x->out, axis, axis, x->out->axes.n))
                return tree_refuse(o, x->r.e, "axes that depend on each other");
        }
    }
    return true;
}

/* A value that an axis has not, because it does not matter, satisfies nobody. */
void explore_canonical(const struct exploration *x, const uint32_t *values, uint32_t *canonical)
{
    memcpy(canonical, values, x->axes.n * sizeof *values);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < x->nconditions; i++) {
            const struct explore_condition *c = &x->conditions[i];
            uint32_t other = canonical[c->other];
            if (canonical[c->axis] == UINT32_MAX || (other != UINT32_MAX && c->values[other]))
                continue;
            canonical[c->axis] = UINT32_MAX;
            changed = true;
        }
    }
}

/* ---- methods and budget --------------------------------------------------------------------- */

/* Of the quick form, where that is asked for and has it. */
static const struct tree *searched(const struct explore_reader *x, const char *key)
{
    const struct tree *quick = x->is_quick ? tree_get(tree_get(x->r.top, "quick"), key) : NULL;
    return quick ? quick : tree_get(x->r.top, key);
}

static bool add_method(const struct explore_reader *x, const struct tree *t)
{
    const char **names = ARENA_ARRAY(x->r.arena, const char *, search_method_count);
    uint32_t index;
    for (int i = 0; i < search_method_count; i++)
        names[i] = search_method_all[i]->name;
    struct study_names all = {"method", names, (uint32_t)search_method_count};
    if (!study_index(&x->r, t, &all, &index))
        return false;
    x->out->methods[x->out->nmethods++] = search_method_all[index];
    return true;
}

static bool read_methods(struct explore_reader *x)
{
    const struct tree *t = searched(x, "method");
    if (!t)
        return tree_refuse(x->r.top, x->r.e, "expected the key \"method\" (heddle list methods)");
    x->out->methods = ARENA_ARRAY(x->r.arena, const struct search_method *, t->n + 1);
    if (t->kind != TREE_LIST)
        return add_method(x, t);
    for (const struct tree *c = t->first; c; c = c->next)
        if (!add_method(x, c))
            return false;
    return t->n > 0 || tree_refuse(t, x->r.e, "expected at least one");
}

static bool set_parameters(const struct explore_reader *x, const struct tree *map)
{
    struct err why = {0};
    if (!study_expect(&x->r, map, TREE_MAP))
        return false;
    for (const struct tree *c = map->first; c; c = c->next) {
        const char *set = study_assignment(&x->r, c);
        if (!set)
            return false;
        set = arena_printf(x->r.arena, "%s.%s", map->key, set);
        if (!config_set_option(x->out->config, set, &why))
            return tree_refuse(c, x->r.e, "%s", why.text);
    }
    return true;
}

/* Of all methods, chosen or not, so that one can be exchanged for another. */
static bool read_parameters(struct explore_reader *x)
{
    const struct cfg_section **all = ARENA_ARRAY(x->r.arena, const struct cfg_section *, 64);
    int n = search_sections(all, 64);
    x->out->config = config_new(x->r.arena, all, n);
    for (int i = 0; i < n; i++) {
        const struct tree *common = tree_get(x->r.top, all[i]->name);
        const struct tree *map = searched(x, all[i]->name);
        if ((common && !set_parameters(x, common)) || (map != common && !set_parameters(x, map)))
            return false;
    }
    return true;
}

static bool read_budget(struct explore_reader *x)
{
    const struct tree *t = searched(x, "budget");
    double runs = INFINITY;
    x->out->most_hours = INFINITY;
    x->out->most_runs = UINT64_MAX;
    if (!t)
        return true;
    if (!study_expect(&x->r, t, TREE_MAP) || !tree_knows(t, "runs|hours", x->r.e) ||
        !study_number(&x->r, t, "runs", &runs) ||
        !study_number(&x->r, t, "hours", &x->out->most_hours))
        return false;
    if (!(runs >= 1) || !(x->out->most_hours > 0))
        return tree_refuse(t, x->r.e, "expected runs from 1, hours above 0");
    x->out->most_runs = runs < 1e15 ? (uint64_t)runs : UINT64_MAX;
    return true;
}

/* A quick form of another size has that one alone, unless it has sizes itself. */
static const struct tree *sizes_of(const struct explore_reader *x)
{
    const struct tree *quick = x->is_quick ? tree_get(x->r.top, "quick") : NULL;
    return tree_get(quick, "size") ? NULL : searched(x, "sizes");
}

static bool check_quick_sizes(const struct explore_reader *x)
{
    const struct tree *quick = tree_get(x->r.top, "quick");
    return !tree_get(quick, "size") || !tree_get(quick, "sizes") ||
           tree_refuse(tree_get(quick, "sizes"), x->r.e, "expected either size or sizes");
}

/* The last size is the study's own, unless there is a list. */
static bool read_sizes(struct explore_reader *x)
{
    const struct tree *t = sizes_of(x), *c = t ? t->first : NULL;
    const struct study_reader *r = &x->r;
    const struct study_workload *own = r->study->workloads;
    uint32_t n = t ? t->n : 1;
    if (!check_quick_sizes(x) || (t && !study_expect(r, t, TREE_LIST)))
        return false;
    if (t && t->n == 0)
        return tree_refuse(t, r->e, "expected at least one size");
    x->out->nsizes = n;
    x->out->sized = ARENA_ARRAY(r->arena, const struct study_workload *, n);
    x->out->sizes = ARENA_ARRAY(r->arena, const char *, n);
    x->out->sized[0] = own;
    x->out->sizes[0] = own[0].size;
    for (uint32_t i = 0; c; c = c->next, i++) {
        r->study->workloads = own;
        if (!study_resize(r, c, true))
            return false;
        x->out->sized[i] = r->study->workloads;
        x->out->sizes[i] = c->text;
    }
    r->study->workloads = x->out->sized[n - 1];
    return true;
}

/* ---- the file ------------------------------------------------------------------------------- */

bool explore_is(const char *path, struct err *e)
{
    struct arena *a = arena_new();
    bool is = tree_get(tree_read(a, path, e), "space") != NULL;
    arena_free(a);
    return is;
}

const char *const *explore_machines(struct arena *a, const char *path, uint32_t *n, struct err *e)
{
    const struct tree *top = tree_read(a, path, e), *map = tree_get(top, "machines");
    const char **names = ARENA_ARRAY(a, const char *, map ? map->n + 1 : 1);
    *n = 1;
    names[0] = "";
    if (!top)
        return NULL;
    if (!map)
        return names;
    *n = 0;
    for (const struct tree *c = map->first; c; c = c->next)
        names[(*n)++] = c->key;
    if (map->kind != TREE_MAP || !*n) {
        tree_refuse(map, e, "expected a map (name: {machine: ...}, ...)");
        return NULL;
    }
    return names;
}

/* The sections of all methods, behind other keys. */
static const char *with_sections(struct arena *a, const char *keys)
{
    for (int i = 0; i < search_method_count; i++)
        if (search_method_all[i]->section)
            keys = arena_printf(a, "%s|%s", keys, search_method_all[i]->section->name);
    return keys;
}

/* Values are figures, the baseline is a variant: no part of them can be left out. */
static bool select_rows(struct explore_reader *x, const struct study_options *o)
{
    const struct study *s = x->r.study;
    uint32_t figures = s->nfigures, columns = 0, left = 0;
    for (uint32_t i = 0; i < s->nfigures; i++)
        columns += s->figures[i].nvariants;
    if (!study_close(&x->r, o))
        return false;
    for (uint32_t i = 0; i < s->nfigures; i++)
        left += s->figures[i].nvariants;
    return (s->nfigures == figures && left == columns) ||
           err_set(x->r.e, STATUS_BAD_INPUT,
                   "%s: --only and quick: choose workloads of an exploration, and leave some to "
                   "each objective and constraint",
                   s->path);
}

const struct exploration *explore_read(struct arena *a, const char *path, const char *machine,
                                       const struct study_options *o, struct err *e)
{
    struct explore_reader *x = ARENA_NEW(a, struct explore_reader);
    x->r = (struct study_reader){.arena = a, .e = e};
    x->r.quick_keys = with_sections(a, "method|sizes|budget");
    x->out = ARENA_NEW(a, struct exploration);
    x->out->machine = arena_strdup(a, machine);
    x->is_quick = o && o->quick;
    if (!study_open(&x->r, path, with_sections(a, OWN_KEYS)))
        return NULL;
    x->block = *machine ? tree_get(tree_get(x->r.top, "machines"), machine) : NULL;
    HD_ASSERT(x->block || !*machine, "machine %s was found before", machine);
    if (!tree_get(x->r.top, "space")) {
        tree_refuse(x->r.top, e, "expected the key \"space\"");
        return NULL;
    }
    bool ok = read_machine(x) && study_rows_read(&x->r) && study_metrics_read(&x->r) &&
              read_space(x) && read_when(x) && read_baseline(x) && explore_read_variants(x) &&
              explore_read_values(x) && select_rows(x, o) && read_methods(x) &&
              read_parameters(x) && read_budget(x) && read_sizes(x);
    x->out->study = x->r.study;
    return ok ? x->out : NULL;
}
