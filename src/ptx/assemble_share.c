/* assemble_share.c - what is computed twice is computed once: where the first time lies on every way
 * to the second (dominators as in Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm"). */
#include "ptx/assemble.h"

#define NONE UINT32_MAX

/* --- dominators -------------------------------------------------------------------------------- */

struct walk {
    struct assembler *a;
    uint32_t *number; /* in reversed post-order; NONE: not reached */
    uint32_t *stack, *edge;
    uint32_t *post; /* blocks in post-order */
    uint32_t npost;
};

uint32_t asm_successor(const struct lower *lo, uint32_t block, uint32_t k)
{
    const struct block *b = &lo->blocks[block];
    if (b->next != NO_BLOCK && k-- == 0)
        return b->next;
    if (b->end == END_BRANCH && k-- == 0)
        return b->target;
    return b->end == END_TABLE && k < b->ntargets ? lo->tables[b->target + k].at : NO_BLOCK;
}

static void walk_function(struct walk *w, uint32_t root)
{
    const struct lower *lo = w->a->lo;
    uint32_t depth = 0;
    w->stack[0] = root;
    w->edge[0] = 0;
    w->number[root] = 0;
    for (;;) {
        uint32_t next = asm_successor(lo, w->stack[depth], w->edge[depth]);
        if (next == NO_BLOCK) {
            w->post[w->npost++] = w->stack[depth];
            if (depth-- == 0)
                return;
            continue;
        }
        w->edge[depth]++;
        if (w->number[next] != NONE)
            continue;
        w->number[next] = 0;
        w->stack[++depth] = next;
        w->edge[depth] = 0;
    }
}

static uint32_t meet(const struct walk *w, uint32_t x, uint32_t y)
{
    while (x != y) {
        while (w->number[x] > w->number[y])
            x = w->a->idom[x];
        while (w->number[y] > w->number[x])
            y = w->a->idom[y];
    }
    return x;
}

/* Blocks a->order[first ..] of one function, each told of by its predecessors until nothing changes. */
static void settle(struct walk *w, uint32_t first)
{
    struct assembler *a = w->a;
    uint32_t root = a->order[first];
    a->idom[root] = root;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = first; k < a->norder; k++) {
            uint32_t from = a->order[k], to;
            if (a->idom[from] == NONE)
                continue;
            for (uint32_t e = 0; (to = asm_successor(a->lo, from, e)) != NO_BLOCK; e++) {
                uint32_t best = a->idom[to] == NONE ? from : meet(w, a->idom[to], from);
                changed |= to != root && best != a->idom[to];
                a->idom[to] = to == root ? root : best;
            }
        }
    }
}

/* Numbers the tree, so that whether one is above another is two comparisons. */
static void number_tree(struct assembler *a)
{
    uint32_t *size = ARENA_ARRAY(a->arena, uint32_t, a->lo->nblocks + 1);
    uint32_t *next = ARENA_ARRAY(a->arena, uint32_t, a->lo->nblocks + 1);
    uint32_t roots = 0;
    for (uint32_t k = a->norder; k-- > 0;) { /* children come after their parents */
        uint32_t b = a->order[k];
        size[b]++;
        if (a->idom[b] != b)
            size[a->idom[b]] += size[b];
    }
    for (uint32_t k = 0; k < a->norder; k++) {
        uint32_t b = a->order[k], up = a->idom[b];
        uint32_t *at = up == b ? &roots : &next[up];
        a->enter[b] = *at;
        a->leave[b] = *at + size[b];
        *at += size[b];
        next[b] = a->enter[b] + 1;
    }
}

void asm_dominators(struct assembler *a)
{
    uint32_t n = a->lo->nblocks;
    struct walk w = {.a = a,
                     .number = ARENA_ARRAY(a->arena, uint32_t, n + 1),
                     .stack = ARENA_ARRAY(a->arena, uint32_t, n + 1),
                     .edge = ARENA_ARRAY(a->arena, uint32_t, n + 1),
                     .post = ARENA_ARRAY(a->arena, uint32_t, n + 1)};
    a->idom = ARENA_ARRAY(a->arena, uint32_t, n + 1);
    a->enter = ARENA_ARRAY(a->arena, uint32_t, n + 1);
    a->leave = ARENA_ARRAY(a->arena, uint32_t, n + 1);
    a->order = ARENA_ARRAY(a->arena, uint32_t, n + 1);
    for (uint32_t b = 0; b < n; b++)
        w.number[b] = a->idom[b] = NONE;
    for (uint32_t f = 0; f < a->lo->nfuncs; f++) {
        uint32_t first = a->norder;
        w.npost = 0;
        walk_function(&w, a->lo->funcs[f].first_block);
        while (w.npost > 0) {
            a->order[a->norder] = w.post[--w.npost];
            w.number[a->order[a->norder]] = a->norder;
            a->norder++;
        }
        settle(&w, first);
    }
    number_tree(a);
}

bool asm_dominates(const struct assembler *a, uint32_t before, uint32_t block)
{
    if (a->idom[before] == NONE || a->idom[block] == NONE)
        return false;
    return a->enter[before] <= a->enter[block] && a->enter[block] < a->leave[before];
}

/* --- sharing ----------------------------------------------------------------------------------- */

enum { BUCKETS = 4096, MOST_COMPARED = 64 };

struct table {
    uint32_t first[BUCKETS]; /* instruction + 1 */
    uint32_t *next;          /* by instruction */
};

static bool commutes(const struct asm_insn *i)
{
    return opname_is(i->op, "add") || opname_is(i->op, "mul") || opname_is(i->op, "and") ||
           opname_is(i->op, "or") || opname_is(i->op, "xor");
}

static uint32_t key_of(const struct asm_insn *i)
{
    uint32_t h = 2166136261u;
    for (const char *c = i->op; *c; c++)
        h = (h ^ (uint8_t)*c) * 16777619u;
    for (uint32_t s = 0; s < i->nsrc; s++)
        h = (h ^ i->src[s]) * 16777619u;
    return (h ^ h >> 16) % BUCKETS;
}

static bool is_same(const struct assembler *a, const struct asm_insn *x, const struct asm_insn *y)
{
    if (strcmp(x->op, y->op) != 0 || x->nsrc != y->nsrc || x->offset != y->offset ||
        x->low->mod != y->low->mod || x->low->fn != y->low->fn ||
        asm_class(a, x->def[0]) != asm_class(a, y->def[0]))
        return false;
    for (uint32_t s = 0; s < x->nsrc; s++)
        if (x->src[s] != y->src[s])
            return false;
    return true;
}

static bool can_share(const struct assembler *a, const struct asm_insn *i)
{
    if (!*i->slots || !asm_is_pure(i) || i->ndef != 1 || !asm_is_fixed(a, i->def[0]))
        return false;
    for (uint32_t s = 0; s < i->nsrc; s++)
        if (asm_is_register(i->src[s]) && !asm_is_fixed(a, i->src[s]))
            return false;
    return true;
}

static void share_one(struct assembler *a, struct table *t, uint32_t at)
{
    struct asm_insn *i = &a->insns[at];
    for (uint32_t s = 0; s < i->nsrc; s++)
        i->src[s] = asm_resolve(a, i->src[s]);
    if (!can_share(a, i))
        return;
    if (commutes(i) && i->src[0] > i->src[1] && i->src[1] != REF_NONE) {
        low_ref swap = i->src[0];
        i->src[0] = i->src[1];
        i->src[1] = swap;
    }
    uint32_t key = key_of(i);
    uint32_t n = 0;
    for (uint32_t k = t->first[key]; k && n < MOST_COMPARED; k = t->next[k - 1], n++) {
        const struct asm_insn *other = &a->insns[k - 1];
        if (!is_same(a, i, other) || !asm_dominates(a, other->block, i->block))
            continue;
        a->value[i->def[0] & REF_INDEX].same_as = other->def[0];
        i->slots = "";
        return;
    }
    t->next[at] = t->first[key];
    t->first[key] = at + 1;
}

void asm_share(struct assembler *a)
{
    struct table *t = ARENA_NEW(a->arena, struct table);
    t->next = ARENA_ARRAY(a->arena, uint32_t, a->n + 1);
    for (uint32_t k = 0; k < a->norder; k++) {
        const struct block *b = &a->lo->blocks[a->order[k]];
        for (uint32_t i = b->first; i < b->first + b->count; i++)
            share_one(a, t, i);
    }
    asm_forward(a); /* tells those that come before in the text, and counts again */
}
