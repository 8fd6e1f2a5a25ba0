/* study_cross.c - `cross:` of a study file: variants for every combination of some values.
 *
 *     cross: {l1.size: [16K, 32K, 64K], gpu.cta_scheduler: [rr, distributed]}
 *
 * makes 16K_rr, 16K_distributed, 32K_rr, ...  The first axis (study_axes.h) changes slowest.  `base`
 * names the variant that all of them start from. */
#include <string.h>

#include "study/study_axes.h"

static bool check_variant(const struct study_axes *x, const struct study_variant *v)
{
    const struct study *s = x->reader->study;
    if (!study_check_name(x->reader, x->map, v->name))
        return false;
    for (uint32_t i = 0; i < s->nvariants; i++)
        if (strcmp(s->variants[i].name, v->name) == 0)
            return tree_refuse(x->map, x->reader->e,
                               "there is a variant %s already: name the values ({name: "
                               "{SECTION.KEY: VALUE}, ...})",
                               v->name);
    return true;
}

/* Combination `index`, in which the last axis changes fastest. */
static bool make_variant(const struct study_axes *x, uint32_t index, struct study_variant *v)
{
    uint32_t *chosen = ARENA_ARRAY(x->reader->arena, uint32_t, x->n);
    for (uint32_t i = x->n; i-- > 0; index /= x->all[i].n)
        chosen[i] = index % x->all[i].n;
    return study_axes_variant(x, chosen, v) && check_variant(x, v);
}

static bool make_variants(const struct study_axes *x)
{
    struct study *s = x->reader->study;
    uint64_t n = 1;
    for (uint32_t i = 0; i < x->n; i++) {
        n *= x->all[i].n;
        if (s->nvariants + n > STUDY_MOST)
            return tree_refuse(x->map, x->reader->e, "more than %d variants", STUDY_MOST);
    }
    struct study_variant *all =
        ARENA_ARRAY(x->reader->arena, struct study_variant, s->nvariants + n);
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
    struct study_axes x = {.reader = r, .map = map};
    uint32_t base;
    if (!study_expect(r, map, TREE_MAP))
        return false;
    x.all = ARENA_ARRAY(r->arena, struct study_axis, map->n + 1);
    for (const struct tree *c = map->first; c; c = c->next) {
        if (strcmp(c->key, "base") == 0) {
            if (!study_index(r, c, &variants, &base))
                return false;
            x.base = &r->study->variants[base];
        } else if (!study_axes_add(&x, c)) {
            return false;
        }
    }
    if (!x.n)
        return tree_refuse(map, r->e, "expected at least one of SECTION.KEY: [VALUE, ...]");
    study_axes_name(&x);
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
