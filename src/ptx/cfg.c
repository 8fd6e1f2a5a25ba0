/* cfg.c - basic blocks and where diverged lanes meet again.
 *
 * Lanes that part at a branch meet at its immediate post-dominator, the first block that every
 * way to the function's end passes.  Found as dominators of the reversed graph (Cooper, Harvey,
 * Kennedy, "A Simple, Fast Dominance Algorithm").  Lanes that leave at a guarded exit, or go where
 * there is only a trap or an endless loop, need not meet the others: such ways do not count. */
#include <string.h>

#include "ptx/lower.h"

struct graph {
    struct lower *lo;
    const struct low_func *f;
    uint32_t n;      /* blocks of the function; n is the virtual end */
    uint32_t *pred;  /* predecessors in the reversed graph = successors, up to first_pred[] */
    uint32_t *first; /* first successor edge of each block, n + 1 entries */
    uint32_t *from;  /* edges reversed: sources, by target */
    uint32_t *first_from;
    uint32_t *order; /* reversed post-order number from the end; UINT32_MAX: not reached */
    uint32_t *by_order;
    uint32_t norder;
    uint32_t *ipdom;
};

/* Marks where blocks begin. */
static void mark_leaders(struct lower *lo, uint8_t *leader)
{
    for (uint32_t f = 0; f < lo->nfuncs; f++)
        if (lo->funcs[f].first < lo->funcs[f].end)
            leader[lo->funcs[f].first] = 1;
    for (uint32_t i = 0; i < lo->ninsns; i++) {
        const struct low_insn *n = &lo->insns[i];
        if (n->end == NOT_AN_END)
            continue;
        leader[i + 1] = 1;
        if (n->end == END_BARRIER)
            leader[i] = 1; /* so that lanes can stand before it (warp.c) */
        if (n->end == END_BRANCH)
            leader[n->target] = 1;
        for (uint32_t t = 0; n->end == END_TABLE && t < n->ntargets; t++)
            leader[lo->tables[n->target + t].at] = 1;
    }
}

static void make_blocks(struct lower *lo, uint32_t *block_of)
{
    uint8_t *leader = ARENA_ARRAY(lo->arena, uint8_t, lo->ninsns + 1);
    mark_leaders(lo, leader);
    uint32_t n = 0;
    for (uint32_t i = 0; i < lo->ninsns; i++)
        n += leader[i];
    lo->blocks = ARENA_ARRAY(lo->arena, struct block, n);
    lo->nblocks = n;
    n = 0;
    for (uint32_t i = 0; i < lo->ninsns; i++) {
        if (leader[i])
            lo->blocks[n++].first = i;
        block_of[i] = n - 1;
        lo->blocks[n - 1].count++;
    }
}

static void link_block(struct lower *lo, uint32_t index, const uint32_t *block_of)
{
    struct block *b = &lo->blocks[index];
    const struct low_insn *last = &lo->insns[b->first + b->count - 1];
    b->end = last->end == NOT_AN_END ? END_FALL : last->end;
    b->target = NO_BLOCK;
    b->next = index + 1 < lo->nblocks ? index + 1 : NO_BLOCK;
    b->reconverge = NO_BLOCK;
    if (b->end == END_BRANCH) {
        b->target = block_of[last->target];
        if (last->guard == REF_NONE)
            b->next = NO_BLOCK;
    } else if (b->end == END_TABLE) {
        b->target = last->target;
        b->ntargets = (uint16_t)last->ntargets;
        if (last->guard == REF_NONE)
            b->next = NO_BLOCK;
    } else if (b->end == END_CALL) {
        b->target = last->target; /* a function until all have blocks */
    } else if ((b->end == END_EXIT || b->end == END_RETURN || b->end == END_TRAP) &&
               last->guard == REF_NONE) {
        b->next = NO_BLOCK;
    }
}

/* Calls f for each successor inside the function; UINT32_MAX stands for its end. */
static uint32_t successors(const struct lower *lo, const struct block *b, uint32_t *out)
{
    uint32_t n = 0;
    if (b->next != NO_BLOCK)
        out[n++] = b->next;
    if (b->end == END_BRANCH)
        out[n++] = b->target;
    for (uint32_t t = 0; b->end == END_TABLE && t < b->ntargets; t++)
        out[n++] = lo->tables[b->target + t].at;
    if ((b->end == END_EXIT || b->end == END_RETURN) && b->next == NO_BLOCK)
        out[n++] = NO_BLOCK;
    return n;
}

/* Edges of the function's blocks, numbered from 0, in both directions. */
static void build_edges(struct graph *g)
{
    struct lower *lo = g->lo;
    uint32_t base = g->f->first_block, edges = 0, most = 3;
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t here = 3u + lo->blocks[base + i].ntargets;
        edges += here;
        if (here > most)
            most = here;
    }
    uint32_t *out = ARENA_ARRAY(lo->arena, uint32_t, most);
    g->first = ARENA_ARRAY(lo->arena, uint32_t, g->n + 2);
    g->pred = ARENA_ARRAY(lo->arena, uint32_t, edges + 1);
    g->first_from = ARENA_ARRAY(lo->arena, uint32_t, g->n + 3);
    uint32_t at = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        g->first[i] = at;
        uint32_t n = successors(lo, &lo->blocks[base + i], out);
        for (uint32_t j = 0; j < n; j++) {
            uint32_t to = out[j] == NO_BLOCK ? g->n : out[j] - base;
            g->pred[at++] = to;
            g->first_from[to + 2]++;
        }
    }
    g->first[g->n] = at;
    for (uint32_t i = 2; i < g->n + 3; i++)
        g->first_from[i] += g->first_from[i - 1];
    g->from = ARENA_ARRAY(lo->arena, uint32_t, at + 1);
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
            g->from[g->first_from[g->pred[e] + 1]++] = i;
}

/* Post-order of the reversed graph from `root`, appended to by_order. */
static void reverse_walk(struct graph *g, uint32_t root, uint32_t *stack, uint32_t *edge)
{
    uint32_t depth = 0;
    stack[0] = root;
    edge[0] = g->first_from[root];
    g->order[root] = 0;
    for (;;) {
        uint32_t v = stack[depth];
        if (edge[depth] < g->first_from[v + 1]) {
            uint32_t u = g->from[edge[depth]++];
            if (g->order[u] == UINT32_MAX) {
                g->order[u] = 0;
                depth++;
                stack[depth] = u;
                edge[depth] = g->first_from[u];
            }
            continue;
        }
        g->by_order[g->norder++] = v;
        if (depth-- == 0)
            return;
    }
}

static uint32_t intersect(const struct graph *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (g->order[a] < g->order[b])
            a = g->ipdom[a];
        while (g->order[b] < g->order[a])
            b = g->ipdom[b];
    }
    return a;
}

static void post_dominators(struct graph *g)
{
    struct arena *a = g->lo->arena;
    uint32_t n = g->n + 1;
    g->order = ARENA_ARRAY(a, uint32_t, n);
    g->by_order = ARENA_ARRAY(a, uint32_t, n);
    g->ipdom = ARENA_ARRAY(a, uint32_t, n);
    uint32_t *stack = ARENA_ARRAY(a, uint32_t, n), *edge = ARENA_ARRAY(a, uint32_t, n);
    memset(g->order, 0xff, n * sizeof *g->order);
    memset(g->ipdom, 0xff, n * sizeof *g->ipdom);
    /* Traps and loops without a way out hang below the end by an edge of their own: their blocks
     * are numbered first, so that the end comes last in post-order, as the root must. */
    uint8_t *hangs = ARENA_ARRAY(a, uint8_t, n);
    reverse_walk(g, g->n, stack, edge);
    uint32_t reached = g->norder;
    for (uint32_t i = g->n; i-- > 0;)
        if (g->order[i] == UINT32_MAX) {
            hangs[i] = 1;
            reverse_walk(g, i, stack, edge);
        }
    const uint32_t lost =
        g->norder - reached; /* blocks with smaller numbers do not reach the end */
    /* by_order: [from the end][from the loops]; the loops get the smaller numbers. */
    for (uint32_t i = 0; i < g->norder; i++)
        g->order[g->by_order[i]] = i < reached ? i + lost : i - reached;
    for (uint32_t v = 0; v < n; v++)
        if (g->order[v] != UINT32_MAX)
            stack[g->order[v]] = v;
    g->ipdom[g->n] = g->n;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = g->norder; k-- > 0;) {
            uint32_t v = stack[k], best = hangs[v] ? g->n : UINT32_MAX;
            if (v == g->n)
                continue;
            for (uint32_t e = g->first[v]; e < g->first[v + 1]; e++) {
                uint32_t s = g->pred[e];
                if (g->ipdom[s] != UINT32_MAX && (g->order[s] >= lost || k < lost))
                    best = best == UINT32_MAX ? s : intersect(g, best, s);
            }
            if (best != g->ipdom[v]) {
                g->ipdom[v] = best;
                changed = true;
            }
        }
    }
}

static void find_reconvergence(struct lower *lo, const struct low_func *f)
{
    struct graph g = {.lo = lo, .f = f, .n = f->end_block - f->first_block};
    build_edges(&g);
    post_dominators(&g);
    for (uint32_t i = 0; i < g.n; i++) {
        struct block *b = &lo->blocks[f->first_block + i];
        uint32_t d = g.ipdom[i];
        b->reconverge = d == UINT32_MAX || d == g.n ? NO_BLOCK : f->first_block + d;
    }
}

static void mark_loop_edges(struct lower *lo)
{
    for (uint32_t i = 0; i < lo->nblocks; i++) {
        struct block *b = &lo->blocks[i];
        b->has_loop_edge = b->end == END_BRANCH && b->target <= i;
        for (uint32_t t = 0; b->end == END_TABLE && t < b->ntargets; t++)
            if (lo->tables[b->target + t].at <= i)
                b->has_loop_edge = 1;
    }
}

bool cfg_build(struct lower *lo)
{
    uint32_t *block_of = ARENA_ARRAY(lo->arena, uint32_t, lo->ninsns + 1);
    make_blocks(lo, block_of);
    for (uint32_t i = 0; i < lo->nblocks; i++)
        link_block(lo, i, block_of);
    for (uint32_t t = 0; t < lo->ntables; t++)
        lo->tables[t].at = block_of[lo->tables[t].at];
    for (uint32_t i = 0; i < lo->nfuncs; i++) {
        struct low_func *f = &lo->funcs[i];
        f->first_block = block_of[f->first];
        f->end_block = block_of[f->end - 1] + 1;
        find_reconvergence(lo, f);
    }
    mark_loop_edges(lo);
    return true;
}
