/* deal.c - see deal.h.
 *
 * A heap of tasks, the least loaded on top: a hundred thousand runs to a thousand tasks is some
 * milliseconds. */
#include "study/deal.h"

#include <stdlib.h>

#include "base/err.h"

struct piece {
    double weight;
    uint32_t index;
};

struct task {
    double load;
    uint32_t index, pieces;
};

static int heavy_first(const void *x, const void *y)
{
    const struct piece *a = x, *b = y;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static bool is_before(const struct task *a, const struct task *b)
{
    return a->load < b->load || (a->load == b->load && a->index < b->index);
}

/* Moves the top of the heap down to where it belongs. */
static void sift(struct task *heap, uint32_t n)
{
    uint32_t at = 0;
    for (;;) {
        uint32_t least = at;
        for (uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < n; child++)
            if (is_before(&heap[child], &heap[least]))
                least = child;
        if (least == at)
            return;
        struct task t = heap[at];
        heap[at] = heap[least];
        heap[least] = t;
        at = least;
    }
}

void deal(struct arena *a, const double *weights, uint32_t n, uint32_t tasks, uint32_t most,
          uint32_t *task_of)
{
    HD_ASSERT((uint64_t)tasks * most >= n, "%u pieces for %u tasks of %u", n, tasks, most);
    struct piece *pieces = ARENA_ARRAY(a, struct piece, n + 1);
    struct task *heap = ARENA_ARRAY(a, struct task, tasks + 1);
    for (uint32_t i = 0; i < n; i++)
        pieces[i] = (struct piece){weights[i], i};
    for (uint32_t i = 0; i < tasks; i++)
        heap[i].index = i;
    qsort(pieces, n, sizeof *pieces, heavy_first);
    for (uint32_t i = 0; i < n; i++) {
        task_of[pieces[i].index] = heap[0].index;
        heap[0].load += pieces[i].weight;
        if (++heap[0].pieces == most)
            heap[0] = heap[--tasks]; /* it has enough */
        sift(heap, tasks);
    }
}
