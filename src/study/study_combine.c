/* study_combine.c - combinations of programs, of which `programs: [high, low]` makes a row each, and
 * a sample of rows for the quick form.
 *
 * The last list changes fastest.  No program is combined with itself, and no set of programs is
 * there twice, in whatever order: {A, B} of [A, B] x [A, B] once, where it comes first. */
#include <string.h>

#include "study/study_priv.h"

enum { MOST_TRIED = 100000 };

static bool are_same(const struct study_program *a, const struct study_program *b)
{
    if (a->workload && b->workload)
        return strcmp(a->workload, b->workload) == 0 && strcmp(a->size, b->size) == 0 &&
               strcmp(a->args ? a->args : "", b->args ? b->args : "") == 0;
    return !a->workload && !b->workload && a->contents == b->contents && !a->trace == !b->trace;
}

static bool holds(const struct study_program *list, uint32_t n, const struct study_program *p)
{
    for (uint32_t i = 0; i < n; i++)
        if (are_same(&list[i], p))
            return true;
    return false;
}

/* ---- combinations --------------------------------------------------------------------------- */

struct combiner {
    const struct study_reader *r;
    const struct study_members *lists;
    uint32_t nlists;
    struct study_combination *all;
    uint32_t n;
};

/* Programs are all different, so that a set of as many that has each of them is the same set. */
static bool is_known(const struct combiner *x, const struct study_program *programs)
{
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t common = 0;
        while (common < x->nlists && holds(x->all[i].programs, x->nlists, &programs[common]))
            common++;
        if (common == x->nlists)
            return true;
    }
    return false;
}

/* Combination `index` of all that there would be; its programs may be such that it is none. */
static void combine(struct combiner *x, uint32_t index)
{
    struct study_combination c = {.name = ""};
    struct study_program *programs = ARENA_ARRAY(x->r->arena, struct study_program, x->nlists);
    const struct study_member *member;
    uint32_t left = 1;
    for (uint32_t i = 0; i < x->nlists; i++)
        left *= x->lists[i].n;
    for (uint32_t i = 0; i < x->nlists; i++) {
        left /= x->lists[i].n;
        member = &x->lists[i].all[index / left % x->lists[i].n];
        if (holds(programs, i, &member->program))
            return;
        programs[i] = member->program;
        c.name = arena_printf(x->r->arena, "%s%s%s", c.name, i ? "_" : "", member->name);
    }
    c.programs = programs;
    if (!is_known(x, programs))
        x->all[x->n++] = c;
}

bool study_combine(const struct study_reader *r, const struct tree *t,
                   const struct study_members *lists, uint32_t nlists,
                   const struct study_combination **all, uint32_t *n)
{
    struct combiner x = {.r = r, .lists = lists, .nlists = nlists};
    uint64_t tried = 1;
    for (uint32_t i = 0; i < nlists && tried <= MOST_TRIED; i++)
        tried *= lists[i].n;
    if (tried > MOST_TRIED)
        return tree_refuse(t, r->e, "more than %d combinations", MOST_TRIED);
    x.all = ARENA_ARRAY(r->arena, struct study_combination, STUDY_MOST_ROWS + 1);
    for (uint32_t i = 0; i < tried && x.n <= STUDY_MOST_ROWS; i++)
        combine(&x, i);
    *all = x.all;
    *n = x.n;
    if (x.n > STUDY_MOST_ROWS)
        return tree_refuse(t, r->e, "more than %d combinations", STUDY_MOST_ROWS);
    return x.n > 0 || tree_refuse(t, r->e, "there is no combination of different programs");
}

/* ---- samples -------------------------------------------------------------------------------- */

/* How often the programs of a row are in those that were taken, all told. */
static uint32_t times_taken(const struct study *s, const uint32_t *taken, uint32_t n, uint32_t row)
{
    const struct study_workload *w = &s->workloads[row];
    uint32_t times = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct study_workload *other = &s->workloads[taken[i]];
        for (uint32_t k = 0; k < w->nprograms; k++)
            times += holds(other->programs, other->nprograms, &w->programs[k]);
    }
    return times;
}

void study_sample(const struct study *s, const uint32_t *rows, uint32_t n, uint32_t wanted,
                  uint32_t *taken)
{
    for (uint32_t i = 0; i < wanted; i++) {
        uint32_t first = (uint32_t)((uint64_t)i * n / wanted);
        uint32_t end = (uint32_t)((uint64_t)(i + 1) * n / wanted), least = UINT32_MAX;
        for (uint32_t k = first; k < end; k++) {
            uint32_t times = times_taken(s, taken, i, rows[k]);
            if (times >= least)
                continue;
            least = times;
            taken[i] = rows[k];
        }
    }
}
