#include "rig/search_rig.h"

#include <stdlib.h>
#include <string.h>

#include "search/hypervolume.h"
#include "search/search_priv.h"

enum { MOST_SECTIONS = 16 };

/* False: that would cost more than there is. */
static bool measure_one(struct search_rig *r, uint32_t fidelity, const uint16_t *levels,
                        struct search_value *v)
{
    const uint32_t known = r->memory ? search_find(r->memory, fidelity, levels) : SEARCH_NONE;
    if (known != SEARCH_NONE) {
        *v = search_at(r->memory, known)->value;
        return true;
    }
    if (r->budget == 0)
        return false;
    *v = (struct search_value){0};
    r->value(r, fidelity, levels, v);
    r->asked[fidelity]++;
    r->budget--;
    return true;
}

static bool measure(void *context, uint32_t fidelity, const uint16_t *const *points, uint32_t n,
                    struct search_value *values, uint32_t *done, struct err *e)
{
    struct search_rig *r = context;
    HD_ASSERT(n > 0 && fidelity < r->problem.nfidelities, "nothing is asked for");
    HD_ASSERT(!search_is_over(r->search), "asked after the end");
    if (r->fails)
        return err_set(e, STATUS_FAILED, "the oven is cold");
    r->batches++;
    for (*done = 0; *done < n; ++*done)
        if (!measure_one(r, fidelity, points[*done], &values[*done]))
            break;
    return true;
}

/* The first objective is the sum of all levels. */
static void sum(const struct search_rig *r, uint32_t fidelity, const uint16_t *levels,
                struct search_value *v)
{
    (void)fidelity;
    for (uint32_t i = 0; i < r->problem.space.naxes; i++)
        v->objectives[0] += levels[i];
}

static uint32_t read_axes(struct search_rig *r, const char *levels)
{
    uint32_t n = 0;
    for (char *rest; *levels; levels = rest) {
        uint32_t times = 1;
        uint32_t count = (uint32_t)strtoul(levels, &rest, 10);
        if (*rest == '*') {
            times = count;
            count = (uint32_t)strtoul(rest + 1, &rest, 10);
        }
        for (; times > 0; times--)
            r->axes[n++] = (struct search_axis){.levels = count, .is_ordered = true};
    }
    return n;
}

void search_rig_open(struct search_rig *r, const char *levels)
{
    *r = (struct search_rig){.arena = arena_new(), .value = sum, .budget = UINT64_MAX};
    const struct cfg_section **sections =
        ARENA_ARRAY(r->arena, const struct cfg_section *, MOST_SECTIONS);
    r->config = config_new(r->arena, sections, search_sections(sections, MOST_SECTIONS));
    r->problem = (struct search_problem){
        .space = {.naxes = read_axes(r, levels), .axes = r->axes},
        .nobjectives = 1,
        .nfidelities = 1,
        .seed = 1,
        .measure = measure,
        .context = r,
    };
}

void search_rig_close(struct search_rig *r)
{
    arena_free(r->arena);
}

void search_rig_set(struct search_rig *r, const char *assignment)
{
    struct err e = {0};
    const bool ok = config_set(r->config, assignment, &e);
    HD_ASSERT(ok, "%s", e.text);
}

static void check_points(const struct search *s, uint32_t naxes)
{
    const uint32_t n = search_count(s), step = n / 1000 + 1; /* of many points some */
    for (uint32_t i = 0; i < n; i += step)
        for (uint32_t j = 0; j < i; j++) {
            const struct search_point *a = search_at(s, i), *b = search_at(s, j);
            const bool same = a->fidelity == b->fidelity &&
                              !memcmp(a->levels, b->levels, naxes * sizeof *a->levels);
            HD_ASSERT(!same, "points %u and %u are the same", j, i);
        }
}

bool search_rig_run(struct search_rig *r, const char *method)
{
    if (!r->search)
        r->search = search_new(r->arena, &r->problem, r->config);
    const bool ok = search_run(r->search, search_method_find(method), &r->err);
    check_points(r->search, r->problem.space.naxes);
    return ok;
}

double search_rig_hypervolume(const struct search_rig *r, uint32_t of, const double *reference)
{
    struct arena *a = arena_new();
    const uint32_t *front;
    const uint32_t n = search_front(r->search, of, a, &front);
    const struct search_value **v = ARENA_ARRAY(a, const struct search_value *, n);
    for (uint32_t i = 0; i < n; i++)
        v[i] = &search_at(r->search, front[i])->value;
    const double volume = hypervolume(v, n, r->problem.nobjectives, reference);
    arena_free(a);
    return volume;
}

bool search_rig_is_same(const struct search_rig *a, const struct search_rig *b)
{
    const uint32_t n = search_count(a->search), naxes = a->problem.space.naxes;
    if (n != search_count(b->search))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct search_point *p = search_at(a->search, i), *q = search_at(b->search, i);
        if (p->fidelity != q->fidelity || memcmp(p->levels, q->levels, naxes * sizeof *p->levels) ||
            memcmp(p->value.objectives, q->value.objectives, sizeof p->value.objectives) ||
            memcmp(&p->value.violation, &q->value.violation, sizeof p->value.violation))
            return false;
    }
    return true;
}
