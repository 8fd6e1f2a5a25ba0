/* explore_growth.c - how the front of an exploration grew with the runs spent. */
#include <math.h>

#include "explore/explore_run.h"
#include "search/hypervolume.h"

/* Somewhat worse than the worst of the last front in every objective, so that its ends count. */
static void find_reference(const struct explore_result *r, double *reference)
{
    for (uint32_t k = 0; k < r->x->nobjectives; k++) {
        double worst = -INFINITY, best = INFINITY;
        for (uint32_t i = 0; i < r->nfront; i++) {
            double v = search_at(r->search, r->front[i])->value.objectives[k];
            worst = v > worst ? v : worst;
            best = v < best ? v : best;
        }
        double start = search_at(r->search, 0)->value.objectives[k];
        worst = start > worst ? start : worst;
        reference[k] = worst + 0.1 * (worst > best ? worst - best : fabs(worst) + 1e-9);
    }
}

static double volume_of(const struct explore_result *r, struct arena *a, const uint32_t *front,
                        uint32_t n, const double *reference)
{
    const struct search_value **v = ARENA_ARRAY(a, const struct search_value *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        v[i] = &search_at(r->search, front[i])->value;
    return hypervolume(v, n, r->x->nobjectives, reference);
}

const struct explore_growth *explore_growth(struct arena *a, const struct explore_result *r)
{
    struct explore_growth *all = ARENA_ARRAY(a, struct explore_growth, r->npoints + 1);
    double reference[SEARCH_MOST_OBJECTIVES];
    struct arena *own = arena_new();
    find_reference(r, reference);
    double last = volume_of(r, own, r->front, r->nfront, reference);
    for (uint32_t i = 0; i < r->npoints; i++) {
        const uint32_t *front;
        all[i].runs = r->points[i].runs;
        all[i].front = search_front(r->search, i + 1, own, &front);
        all[i].volume = last > 0 ? volume_of(r, own, front, all[i].front, reference) / last : NAN;
    }
    arena_free(own);
    return all;
}
