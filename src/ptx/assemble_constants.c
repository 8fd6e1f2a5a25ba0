/* assemble_constants.c - constants that must come to registers.  An instruction takes one operand from
 * its own bits or from constant memory, where parameters are; addresses in global memory and the data of
 * stores are registers.  Zero is a register that is always there.
 *
 * A constant is moved once for all uses that its place dominates, and outside of loops. */
#include <stdlib.h>

#include "ptx/assemble.h"

struct home {
    uint32_t block, vreg, next; /* the next home of the same constant, + 1 */
};

struct homes {
    uint32_t *first; /* by constant: home + 1 */
    struct home *home;
    uint32_t n, room;
};

/* The nearest block above that is in no loop, or in as few as can be. */
static uint32_t place_for(const struct assembler *a, uint32_t block)
{
    uint32_t best = block;
    for (uint32_t b = block; a->depth[best] > 0 && a->idom[b] != b; b = a->idom[b])
        if (a->depth[a->idom[b]] < a->depth[best])
            best = a->idom[b];
    return best;
}

static uint32_t find_home(const struct assembler *a, const struct homes *h, uint32_t constant,
                          uint32_t block)
{
    for (uint32_t k = h->first[constant]; k; k = h->home[k - 1].next)
        if (asm_dominates(a, h->home[k - 1].block, block))
            return h->home[k - 1].vreg;
    return UINT32_MAX;
}

static void move(struct assembler *a, struct homes *h, struct asm_insn *i, uint32_t s)
{
    low_ref c = i->src[s];
    uint32_t vreg = find_home(a, h, c & REF_INDEX, i->block);
    if (vreg == UINT32_MAX) {
        uint32_t block = place_for(a, i->block);
        const struct block *b = &a->lo->blocks[block];
        vreg = low_vreg(a->lo, asm_const(a, c)->is_wide ? CLASS_WIDE : CLASS_WORD);
        *LOW_PUSH(a->lo, h->home, h->n, h->room) =
            (struct home){block, vreg, h->first[c & REF_INDEX]};
        h->first[c & REF_INDEX] = h->n;
        *LOW_PUSH(a->lo, a->moves, a->nmoves, a->move_room) = (struct asm_move){
            .before = block == i->block ? (uint32_t)(i - a->insns) : b->first + b->count - 1,
            .constant = c,
            .vreg = vreg};
    }
    i->src[s] = vreg;
}

static bool is_literal(const struct assembler *a, low_ref r)
{
    return asm_is_const(r) && asm_const(a, r)->kind == CONST_BITS;
}

/* All but one of the constants; literals rather than parameters. */
static void keep_one(struct assembler *a, struct homes *h, struct asm_insn *i)
{
    uint32_t n = 0, kept = UINT32_MAX;
    for (uint32_t s = 0; s < i->nsrc; s++) {
        if (!asm_is_const(i->src[s]) || asm_is_zero(a, i->src[s]))
            continue;
        n++;
        if (kept == UINT32_MAX || !is_literal(a, i->src[s]))
            kept = s;
    }
    for (uint32_t s = 0; n > 1 && s < i->nsrc; s++)
        if (asm_is_const(i->src[s]) && !asm_is_zero(a, i->src[s]) && i->src[s] != i->src[kept])
            move(a, h, i, s);
}

static void load_for(struct assembler *a, struct homes *h, struct asm_insn *i)
{
    const struct low_insn *low = i->low;
    if (low->flags & INSN_MEM) {
        bool is_far = low->space == STREAM_GLOBAL || low->flags & INSN_MULTI;
        if (low->opclass == OPCLASS_TEX)
            return;
        if (is_far && asm_is_const(i->src[0]))
            move(a, h, i, 0);
        for (uint32_t s = 1; s < i->nsrc; s++)
            if (asm_is_const(i->src[s]) && !asm_is_zero(a, i->src[s]))
                move(a, h, i, s);
        return;
    }
    bool is_one = !i->slots[1] || strcmp(i->slots, "LH") == 0;
    if (is_one && low->end == NOT_AN_END && low->unit != UNIT_CONTROL && !opname_is(i->op, "mov"))
        keep_one(a, h, i);
}

static int by_place(const void *x, const void *y)
{
    const struct asm_move *m = x, *n = y;
    if (m->before != n->before)
        return m->before < n->before ? -1 : 1;
    return m->vreg < n->vreg ? -1 : m->vreg > n->vreg;
}

void asm_load_constants(struct assembler *a)
{
    struct homes h = {.first = ARENA_ARRAY(a->arena, uint32_t, a->lo->nconsts + 1)};
    for (uint32_t k = 0; k < a->norder; k++) {
        const struct block *b = &a->lo->blocks[a->order[k]];
        for (uint32_t i = b->first; i < b->first + b->count; i++)
            if (*a->insns[i].slots)
                load_for(a, &h, &a->insns[i]);
    }
    if (a->nmoves)
        qsort(a->moves, a->nmoves, sizeof *a->moves, by_place);
}
