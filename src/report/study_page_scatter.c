/* study_page_scatter.c - see study_page_scatter.h. */
#include "report/study_page_scatter.h"

#include <math.h>

enum { MOST_TICKS = 13 };

static const double steps[] = {1, 2, 5};
enum { STEPS = sizeof steps / sizeof steps[0] };

/* The number-th of ..., 0.5, 1, 2, 5, 10, 20, ...; 1 is the first from 0. */
static double step_at(int number)
{
    int decade = number >= 0 ? number / STEPS : -((STEPS - 1 - number) / STEPS);
    return steps[number - decade * STEPS] * pow(10, decade);
}

static int first_step(double low) /* the last one that is not above it */
{
    int number = STEPS * (int)floor(log10(low));
    while (step_at(number + 1) <= low * (1 + 1e-9))
        number++;
    return number;
}

/* Every step, or every power of ten where those are many. */
static void find_ticks(struct arena *a, struct study_page_scatter *s, int first, int last)
{
    bool are_many = last - first + 1 > MOST_TICKS;
    s->ticks = ARENA_ARRAY(a, double, last - first + 1);
    for (int i = first; i <= last; i++)
        if (!are_many || i % STEPS == 0)
            s->ticks[s->nticks++] = step_at(i);
}

static void find_axis(struct arena *a, struct study_page_scatter *s)
{
    double range[2] = {INFINITY, 0};
    for (uint32_t i = 0; i < s->n; i++) {
        range[0] = fmin(range[0], fmin(s->points[i].paper, s->points[i].measured));
        range[1] = fmax(range[1], fmax(s->points[i].paper, s->points[i].measured));
    }
    if (s->n == 0)
        range[0] = range[1] = 1;
    int first = first_step(range[0]), last = first_step(range[1]) + 1;
    s->low = step_at(first);
    s->high = step_at(last);
    find_ticks(a, s, first, last);
}

const struct study_page_scatter *study_page_scatter_of(struct arena *a,
                                                       const struct verdict_figure *v)
{
    const struct study_figure *f = v->figure;
    struct study_page_scatter *s = ARENA_NEW(a, struct study_page_scatter);
    struct verdict_pair *pairs = ARENA_ARRAY(a, struct verdict_pair, f->npapers + 1);
    s->points = ARENA_ARRAY(a, struct study_page_point, f->npapers + 1);
    for (uint32_t column = 0; column < f->nvariants; column++) {
        uint32_t n = verdict_pairs(v, column, pairs);
        for (uint32_t i = 0; i < n; i++)
            if (pairs[i].paper > 0 && pairs[i].measured > 0)
                s->points[s->n++] = (struct study_page_point){pairs[i].row, column, pairs[i].paper,
                                                              pairs[i].measured};
    }
    find_axis(a, s);
    return s;
}

double study_page_scatter_at(const struct study_page_scatter *s, double v)
{
    return log(v / s->low) / log(s->high / s->low);
}
