/* explore_growth.c - how the front of an exploration grew with the runs spent. */
#include <math.h>

#include "explore/explore_run.h"
#include "search/front.h"
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

/* The front with one point more, whose values no other one of it is as good as.  Returns its length. */
static uint32_t join(const struct explore_result *r, uint32_t *front, uint32_t n, uint32_t point)
{
    const struct search_value *v = &search_at(r->search, point)->value;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!front_dominates(v, &search_at(r->search, front[i])->value, r->x->nobjectives))
            front[kept++] = front[i];
    front[kept++] = point;
    return kept;
}

static bool joins(const struct explore_result *r, const uint32_t *front, uint32_t n, uint32_t point)
{
    const struct search_point *p = search_at(r->search, point);
    if (p->fidelity + 1 != r->x->nsizes || !front_is_whole(&p->value, r->x->nobjectives))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (front_dominates(&search_at(r->search, front[i])->value, &p->value, r->x->nobjectives))
            return false;
    return true;
}

const struct explore_growth *explore_growth(struct arena *a, const struct explore_result *r)
{
    struct explore_growth *all = ARENA_ARRAY(a, struct explore_growth, r->npoints + 1);
    uint32_t *front = ARENA_ARRAY(a, uint32_t, r->npoints + 1), n = 0;
    double reference[SEARCH_MOST_OBJECTIVES], volume = 0;
    struct arena *own = arena_new();
    find_reference(r, reference);
    double last = volume_of(r, own, r->front, r->nfront, reference);
    for (uint32_t i = 0; i < r->npoints; i++) {
        if (joins(r, front, n, i)) {
            n = join(r, front, n, i);
            volume = volume_of(r, own, front, n, reference);
        }
        all[i] = (struct explore_growth){r->points[i].runs, n, last > 0 ? volume / last : NAN};
    }
    arena_free(own);
    return all;
}
