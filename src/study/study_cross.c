/* study_cross.c - `cross:` of a study file: variants for every combination of some values.
 *
 *     cross: {l1.size: [16K, 32K, 64K], gpu.cta_scheduler: [rr, distributed]}
 *
 * makes 16K_rr, 16K_distributed, 32K_rr, ...  An axis is a parameter with a list of values, or
 * `machine` with a list of machines, or any name with named sets of parameters
 * ({small: {l1.size: 16K, l1.ways: 4}, big: {...}}).  The first axis changes slowest.  `base` names
 * the variant that all of them start from.
 *
 * A variant's name is made of its values.  A value that says little alone (a bare number, a truth)
 * or that another axis has, too, stands behind the last part of its parameter's name: mshrs16. */
#include <string.h>

#include "base/str.h"
#include "study/study_priv.h"

struct value {
    const char *name, *doc; /* "16K", "l1.size 16K" */
    const char *machine;    /* NULL: as it is */
    uint32_t nsets;
    const char **sets;
    int *lines;
};

struct axis {
    const char *key;    /* "l1.size" */
    const char *prefix; /* of its values in names; "": they speak for themselves */
    uint32_t n;
    struct value *values;
};

struct cross {
    struct study_reader *r;
    const struct tree *map;
    const struct study_variant *base; /* or NULL */
    struct axis *axes;
    uint32_t naxes;
};

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

static void add_set(struct value *v, const char *set, int line)
{
    v->sets[v->nsets] = set;
    v->lines[v->nsets++] = line;
}

static void make_room(const struct study_reader *r, struct value *v, uint32_t sets)
{
    v->sets = ARENA_ARRAY(r->arena, const char *, sets);
    v->lines = ARENA_ARRAY(r->arena, int, sets);
}

/* One of [16K, 32K], or of [[3, 12], [5, 10]]. */
static bool take_listed(const struct study_reader *r, const struct axis *axis, const struct tree *t,
                        struct value *v)
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
static bool take_named(const struct study_reader *r, const struct axis *axis, const struct tree *t,
                       struct value *v)
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

static bool take_axis(const struct study_reader *r, const struct tree *t, struct axis *axis)
{
    *axis = (struct axis){.key = t->key, .prefix = ""};
    bool is_key = strchr(t->key, '.') || strcmp(t->key, "machine") == 0;
    if (t->kind == TREE_SCALAR || t->n == 0)
        return tree_refuse(t, r->e,
                           "expected a list of values ([a, b, ...]) or named sets "
                           "({name: {SECTION.KEY: VALUE}, ...})");
    if (t->kind == TREE_LIST && !is_key)
        return tree_refuse(t, r->e, "expected SECTION.KEY or machine before a list of values");
    axis->values = ARENA_ARRAY(r->arena, struct value, t->n);
    for (const struct tree *c = t->first; c; c = c->next) {
        struct value *v = &axis->values[axis->n];
        if (!(t->kind == TREE_MAP ? take_named : take_listed)(r, axis, c, v))
            return false;
        for (uint32_t i = 0; i < axis->n; i++)
            if (strcmp(axis->values[i].name, v->name) == 0)
                return tree_refuse(c, r->e, "%s is there twice", v->name);
        axis->n++;
    }
    return true;
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool has_value(const struct axis *axis, const char *name)
{
    for (uint32_t i = 0; i < axis->n; i++)
        if (strcmp(axis->values[i].name, name) == 0)
            return true;
    return false;
}

static bool needs_prefix(const struct cross *x, const struct axis *axis)
{
    bool truth;
    for (uint32_t i = 0; i < axis->n; i++) {
        const char *name = axis->values[i].name;
        if (strspn(name, "0123456789.+-") == strlen(name) || str_to_bool(name, &truth))
            return true;
        for (uint32_t k = 0; k < x->naxes; k++)
            if (&x->axes[k] != axis && has_value(&x->axes[k], name))
                return true;
    }
    return false;
}

/* "size" of l1.size; "icc" of icc.enabled, where it is the section that says something. */
static const char *short_key(const struct cross *x, const char *key)
{
    const char *dot = strrchr(key, '.');
    if (!dot)
        return key;
    if (strcmp(dot, ".enabled") == 0)
        return arena_printf(x->r->arena, "%.*s", (int)(dot - key), key);
    return dot + 1;
}

static void give_prefixes(struct cross *x)
{
    for (uint32_t i = 0; i < x->naxes; i++)
        if (needs_prefix(x, &x->axes[i]))
            x->axes[i].prefix = short_key(x, x->axes[i].key);
    for (uint32_t i = 0; i < x->naxes; i++)
        for (uint32_t k = 0; k < x->naxes; k++)
            if (k != i && *x->axes[i].prefix &&
                strcmp(x->axes[i].prefix, short_key(x, x->axes[k].key)) == 0)
                x->axes[i].prefix = x->axes[i].key;
}

/* "rr", "mshrs16", "size-16K". */
static const char *word_of(const struct cross *x, const struct axis *axis, const struct value *v)
{
    bool is_number = strspn(v->name, "0123456789.") == strlen(v->name);
    return !*axis->prefix
               ? v->name
               : arena_printf(x->r->arena, "%s%s%s", axis->prefix, is_number ? "" : "-", v->name);
}

/* ---- variants ------------------------------------------------------------------------------- */

static bool check_variant(const struct cross *x, const struct study_variant *v)
{
    const struct study *s = x->r->study;
    if (!study_check_name(x->r, x->map, v->name))
        return false;
    for (uint32_t i = 0; i < s->nvariants; i++)
        if (strcmp(s->variants[i].name, v->name) == 0)
            return tree_refuse(x->map, x->r->e,
                               "there is a variant %s already: name the values ({name: "
                               "{SECTION.KEY: VALUE}, ...})",
                               v->name);
    return v->machine ||
           tree_refuse(x->map, x->r->e, "expected a machine, here or for the whole study");
}

static void add_sets(struct value *to, uint32_t n, const char *const *sets, const int *lines)
{
    for (uint32_t i = 0; i < n; i++)
        add_set(to, sets[i], lines[i]);
}

/* What the variant has of itself, before its values: as its base, or as the study says. */
static bool start_variant(const struct cross *x, uint32_t nsets, struct study_variant *v,
                          struct value *sum)
{
    const struct study_reader *r = x->r;
    *sum = (struct value){.name = "", .doc = ""};
    *v = (struct study_variant){.over = -1, .line = x->map->line, .ncoordinates = x->naxes};
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

/* Combination `index`, in which the last axis changes fastest. */
static bool make_variant(const struct cross *x, uint32_t index, struct study_variant *v)
{
    struct arena *a = x->r->arena;
    struct study_coordinate *at = ARENA_ARRAY(a, struct study_coordinate, x->naxes);
    const struct value **chosen = ARENA_ARRAY(a, const struct value *, x->naxes);
    struct value sum;
    uint32_t nsets = 0;
    for (uint32_t i = x->naxes; i-- > 0; index /= x->axes[i].n) {
        chosen[i] = &x->axes[i].values[index % x->axes[i].n];
        nsets += chosen[i]->nsets;
    }
    if (!start_variant(x, nsets, v, &sum))
        return false;
    for (uint32_t i = 0; i < x->naxes; i++) {
        const struct value *c = chosen[i];
        at[i] = (struct study_coordinate){x->axes[i].key, c->name};
        sum.name = arena_printf(a, "%s%s%s", sum.name, i ? "_" : "", word_of(x, &x->axes[i], c));
        sum.doc = arena_printf(a, "%s%s%s", sum.doc, i ? ", " : "", c->doc);
        sum.machine = c->machine ? c->machine : sum.machine;
        add_sets(&sum, c->nsets, c->sets, c->lines);
    }
    v->name = sum.name;
    v->doc = sum.doc;
    v->machine = sum.machine;
    v->nsets = sum.nsets;
    v->sets = sum.sets;
    v->set_lines = sum.lines;
    v->coordinates = at;
    return check_variant(x, v);
}

static bool make_variants(struct cross *x)
{
    struct study *s = x->r->study;
    uint64_t n = 1;
    for (uint32_t i = 0; i < x->naxes; i++) {
        n *= x->axes[i].n;
        if (s->nvariants + n > STUDY_MOST)
            return tree_refuse(x->map, x->r->e, "more than %d variants", STUDY_MOST);
    }
    struct study_variant *all = ARENA_ARRAY(x->r->arena, struct study_variant, s->nvariants + n);
    memcpy(all, s->variants, s->nvariants * sizeof *all);
    s->variants = all;
    for (uint32_t i = 0; i < n; i++) {
        if (!make_variant(x, i, &all[s->nvariants]))
            return false;
        s->nvariants++;
    }
    return true;
}

static bool read_cross(struct study_reader *r, const struct tree *map)
{
    struct study_names variants = study_variant_names(r);
    struct cross x = {.r = r, .map = map};
    uint32_t base;
    if (!study_expect(r, map, TREE_MAP))
        return false;
    x.axes = ARENA_ARRAY(r->arena, struct axis, map->n + 1);
    for (const struct tree *c = map->first; c; c = c->next) {
        if (strcmp(c->key, "base") == 0) {
            if (!study_index(r, c, &variants, &base))
                return false;
            x.base = &r->study->variants[base];
        } else if (!take_axis(r, c, &x.axes[x.naxes++])) {
            return false;
        }
    }
    if (!x.naxes)
        return tree_refuse(map, r->e, "expected at least one of SECTION.KEY: [VALUE, ...]");
    give_prefixes(&x);
    return make_variants(&x);
}

bool study_cross_read(struct study_reader *r)
{
    const struct tree *t = tree_get(r->top, "cross");
    if (!t || t->kind != TREE_LIST)
        return !t || read_cross(r, t);
    for (const struct tree *c = t->first; c; c = c->next)
        if (!read_cross(r, c))
            return false;
    return t->n > 0 || tree_refuse(t, r->e, "expected at least one map");
}
