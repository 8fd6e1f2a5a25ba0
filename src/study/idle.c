/* idle.c - see idle.h.
 *
 * A setting has an effect if it may have one in any kind of run that its variant is in.  One that is
 * in several variants, because they start from each other, is told of the first.  One of a row has an
 * effect if it may have one with any variant, or in another row that the same line made. */
#include "study/idle.h"

#include <string.h>

struct idle {
    struct arena *arena;
    const struct study *study;
    struct config *const *configs;
    uint32_t nsetups;
    const char *text;
};

/* `where`: a variant, or a row. */
static void add(struct idle *x, const char *where, const char *what)
{
    x->text = arena_printf(x->arena, "%s%s%s: %s", x->text, *x->text ? ", " : "", where, what);
}

static const char *key_of(const struct idle *x, const char *set)
{
    return arena_printf(x->arena, "%.*s", (int)strcspn(set, "="), set);
}

/* ---- variants ------------------------------------------------------------------------------ */

/* NULL: some run may be another one for it. */
static const char *why_idle(const struct idle *x, uint32_t variant, const char *key)
{
    const char *why = NULL;
    for (uint32_t i = 0; i < x->nsetups; i++) {
        const struct config *c = x->configs[variant * x->nsetups + i];
        if (c && !(why = config_why_idle(c, x->arena, key)))
            return NULL;
    }
    return why;
}

/* Whether an earlier variant, or an earlier setting of this one, was told of. */
static bool is_known(const struct idle *x, uint32_t variant, uint32_t set)
{
    const struct study_variant *all = x->study->variants;
    const char *text = all[variant].sets[set];
    size_t n = strcspn(text, "=") + 1;
    for (uint32_t v = 0; v <= variant; v++)
        for (uint32_t i = 0; i < (v < variant ? all[v].nsets : set); i++)
            if (strncmp(all[v].sets[i], text, n) == 0)
                return true;
    return false;
}

static void find_settings(struct idle *x, uint32_t variant)
{
    const struct study_variant *v = &x->study->variants[variant];
    for (uint32_t i = 0; i < v->nsets; i++) {
        const char *key = key_of(x, v->sets[i]);
        const char *why = is_known(x, variant, i) ? NULL : why_idle(x, variant, key);
        if (why)
            add(x, v->name, arena_printf(x->arena, "%s (%s)", key, why));
    }
}

/* Whether two variants were tried with the same kinds of runs, and with the same values. */
static bool are_same(const struct idle *x, uint32_t a, uint32_t b)
{
    bool any = false;
    for (uint32_t i = 0; i < x->nsetups; i++) {
        const struct config *c = x->configs[a * x->nsetups + i];
        const struct config *d = x->configs[b * x->nsetups + i];
        if (c && d && config_hash(c, NULL, NULL) != config_hash(d, NULL, NULL))
            return false;
        any |= c && d;
    }
    return any;
}

static void compare_with_base(struct idle *x, uint32_t variant)
{
    const struct study_variant *all = x->study->variants, *v = &all[variant];
    for (uint32_t b = 0; v->base && b < x->study->nvariants; b++)
        if (b != variant && strcmp(all[b].name, v->base) == 0 && are_same(x, variant, b))
            add(x, v->name, arena_printf(x->arena, "the same as its base %s", v->base));
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool are_of_one_line(const struct study_workload *a, const struct study_workload *b)
{
    return a == b || (a->maker && a->maker == b->maker);
}

/* Rows with settings have setups of their own, or that of another row of their line: by index. */
static const char *why_idle_in_rows(const struct idle *x, uint32_t first, const char *key)
{
    const struct study *s = x->study;
    const struct study_workload *w = s->workloads;
    const char *why = NULL;
    for (uint32_t i = first; i < s->nworkloads && are_of_one_line(&w[first], &w[i]); i++)
        for (uint32_t v = 0; v < s->nvariants; v++) {
            const struct config *c = x->configs[v * x->nsetups + i];
            if (c && !(why = config_why_idle(c, x->arena, key)))
                return NULL;
        }
    return why;
}

static void find_row_settings(struct idle *x, uint32_t row)
{
    const struct study_workload *w = &x->study->workloads[row];
    if (row && are_of_one_line(w - 1, w))
        return;
    for (uint32_t i = 0; i < w->nsets; i++) {
        const char *key = key_of(x, w->sets[i]), *why = why_idle_in_rows(x, row, key);
        if (why)
            add(x, w->maker ? w->maker : w->name, arena_printf(x->arena, "%s (%s)", key, why));
    }
}

const char *idle_settings(struct arena *a, const struct study *s, struct config *const *configs,
                          uint32_t nsetups)
{
    struct idle x = {a, s, configs, nsetups, ""};
    for (uint32_t v = 0; v < s->nvariants; v++) {
        find_settings(&x, v);
        compare_with_base(&x, v);
    }
    for (uint32_t w = 0; w < s->nworkloads; w++)
        find_row_settings(&x, w);
    return x.text;
}
