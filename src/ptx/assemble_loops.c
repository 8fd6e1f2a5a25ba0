/* assemble_loops.c - how many loops are around each block: natural loops, of an edge back to a block
 * that lies on every way to where the edge begins. */
#include "ptx/assemble.h"

struct edges {
    uint32_t *first, *from; /* predecessors of block b: from[first[b] .. first[b + 1] - 1] */
};

static struct edges predecessors(struct assembler *a)
{
    const struct lower *lo = a->lo;
    uint32_t to, n = 0;
    struct edges e = {.first = ARENA_ARRAY(a->arena, uint32_t, lo->nblocks + 3)};
    for (uint32_t b = 0; b < lo->nblocks; b++)
        for (uint32_t k = 0; (to = asm_successor(lo, b, k)) != NO_BLOCK; k++, n++)
            e.first[to + 2]++;
    for (uint32_t b = 2; b < lo->nblocks + 3; b++)
        e.first[b] += e.first[b - 1];
    e.from = ARENA_ARRAY(a->arena, uint32_t, n + 1);
    for (uint32_t b = 0; b < lo->nblocks; b++)
        for (uint32_t k = 0; (to = asm_successor(lo, b, k)) != NO_BLOCK; k++)
            e.from[e.first[to + 1]++] = b;
    return e;
}

/* Marks the blocks of the loops with this head, from the blocks that lead back to it. */
static void mark(struct assembler *a, const struct edges *e, uint32_t head, uint32_t *seen,
                 uint32_t *stack)
{
    uint32_t depth = 0;
    for (uint32_t k = e->first[head]; k < e->first[head + 1]; k++)
        if (asm_dominates(a, head, e->from[k]) && seen[e->from[k]] != head + 1) {
            seen[e->from[k]] = head + 1;
            stack[depth++] = e->from[k];
        }
    if (depth == 0)
        return;
    if (seen[head] != head + 1) {
        seen[head] = head + 1;
        a->depth[head]++;
    }
    while (depth > 0) {
        uint32_t b = stack[--depth];
        a->depth[b]++;
        for (uint32_t k = e->first[b]; b != head && k < e->first[b + 1]; k++)
            if (seen[e->from[k]] != head + 1 && asm_dominates(a, head, e->from[k])) {
                seen[e->from[k]] = head + 1;
                stack[depth++] = e->from[k];
            }
    }
}

void asm_loops(struct assembler *a)
{
    uint32_t n = a->lo->nblocks;
    struct edges e = predecessors(a);
    uint32_t *seen = ARENA_ARRAY(a->arena, uint32_t, n + 1),
             *stack = ARENA_ARRAY(a->arena, uint32_t, n + 1);
    a->depth = ARENA_ARRAY(a->arena, uint32_t, n + 1);
    for (uint32_t b = 0; b < n; b++)
        mark(a, &e, b, seen, stack);
}
