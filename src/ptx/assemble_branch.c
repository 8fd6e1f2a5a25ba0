/* assemble_branch.c - branches.  Those to what follows anyway are not there in hardware.  Nor are those
 * around a few instructions: these are predicated.  Where lanes can part for longer, a barrier is set up
 * before and they wait at it behind (Volta: BSSY and BSYNC).
 *
 * Lanes cannot part at a branch whose condition follows from constants, parameters and the number of the
 * CTA alone, and need not wait for each other where only the end of the kernel is left. */
#include "ptx/assemble.h"

enum {
    MOST_BETWEEN = 4,    /* instructions between two branches that become one */
    MOST_PREDICATED = 8, /* instructions of one side of a branch that are predicated, */
    MOST_OF_BOTH = 14,   /* ... or of both */
    BARRIER_SETUP = 2,   /* clear the barrier's register, name it */
};

static const struct block *block_at(const struct assembler *a, uint32_t b)
{
    return &a->lo->blocks[b];
}

static struct asm_insn *last_of(const struct assembler *a, uint32_t b)
{
    return &a->insns[block_at(a, b)->first + block_at(a, b)->count - 1];
}

/* --- branches to what follows ------------------------------------------------------------------ */

static bool is_empty(const struct assembler *a, uint32_t b)
{
    const struct block *block = block_at(a, b);
    for (uint32_t k = block->first; k < block->first + block->count; k++)
        if (*a->insns[k].slots)
            return false;
    return true;
}

/* Whether `to` comes next behind block b, but for empty blocks. */
static bool follows(const struct assembler *a, uint32_t b, uint32_t to)
{
    while (++b < to && is_empty(a, b))
        ;
    return b == to;
}

static bool is_jump(const struct assembler *a, uint32_t b)
{
    return block_at(a, b)->end == END_BRANCH && block_at(a, b)->next == NO_BLOCK;
}

static void drop_jumps(struct assembler *a)
{
    for (uint32_t b = a->lo->nblocks; b-- > 0;)
        if (is_jump(a, b) && follows(a, b, block_at(a, b)->target))
            last_of(a, b)->slots = "";
}

/* A branch over a jump is the jump, under the opposite condition. */
static void drop_jump_over(struct assembler *a, uint32_t b)
{
    const struct block *block = block_at(a, b);
    if (block->end != END_BRANCH || block->next != b + 1 || !is_jump(a, b + 1) ||
        !follows(a, b + 1, block->target))
        return;
    const struct block *jump = block_at(a, b + 1);
    for (uint32_t k = jump->first; k + 1 < jump->first + jump->count; k++)
        if (*a->insns[k].slots)
            return;
    last_of(a, b + 1)->slots = "";
}

/* --- predication ------------------------------------------------------------------------------- */

static bool is_slow_load(const struct low_insn *i)
{
    return i->flags & INSN_MEM && i->flags & INSN_LOAD &&
           (i->flags & INSN_MULTI || (i->space != STREAM_SHARED && i->space != STREAM_CONST));
}

/* Instructions of a block that can be predicated, without its branch; UINT32_MAX: it cannot be.  *loads
 * grows by its loads of far memory. */
static uint32_t predicable(const struct assembler *a, uint32_t b, uint32_t *loads)
{
    const struct block *block = block_at(a, b);
    uint32_t n = 0;
    for (uint32_t k = block->first; k < block->first + block->count; k++) {
        const struct asm_insn *i = &a->insns[k];
        const struct low_insn *low = i->low;
        bool is_jump_here = low->end == END_BRANCH && i->guard == REF_NONE;
        if (!*i->slots || is_jump_here)
            continue;
        if (low->end != NOT_AN_END || i->guard != REF_NONE || low->flags & INSN_ATOMIC ||
            strpbrk(i->slots, "jb") || low->opclass == OPCLASS_SHUFFLE ||
            low->opclass == OPCLASS_TEX || low->unit == UNIT_CONTROL)
            return UINT32_MAX;
        *loads += is_slow_load(low);
        n += (uint32_t)strlen(i->slots);
    }
    return n;
}

/* The only block behind b; NO_BLOCK: there is none, or several. */
static uint32_t only_successor(const struct assembler *a, uint32_t b)
{
    return asm_successor(a->lo, b, 1) == NO_BLOCK ? asm_successor(a->lo, b, 0) : NO_BLOCK;
}

/* From block b on, past blocks that only jump on. */
static uint32_t past_jumps(const struct assembler *a, uint32_t b, const uint32_t *npreds)
{
    uint32_t loads = 0;
    while (is_jump(a, b) && predicable(a, b, &loads) == 0 && npreds[block_at(a, b)->target] == 1 &&
           block_at(a, b)->target > b)
        b = block_at(a, b)->target;
    return b;
}

static bool is_conditional(const struct assembler *a, uint32_t b)
{
    return block_at(a, b)->end == END_BRANCH && block_at(a, b)->next != NO_BLOCK &&
           *last_of(a, b)->slots;
}

/* A branch around one block, or to one of two that meet again. */
struct fork {
    uint32_t side, other; /* other: NO_BLOCK when there is one side only */
    uint32_t join;        /* NO_BLOCK: the block does not end in such a branch */
    bool is_slow;         /* with a load that would have to be waited for by itself */
};

static struct fork fork_at(const struct assembler *a, uint32_t b, const uint32_t *npreds)
{
    struct fork none = {.other = NO_BLOCK, .join = NO_BLOCK}, f = none;
    if (!is_conditional(a, b) || npreds[block_at(a, b)->next] != 1)
        return none;
    uint32_t loads = 0, more = 0, target = block_at(a, b)->target;
    f.side = past_jumps(a, block_at(a, b)->next, npreds);
    uint32_t n = predicable(a, f.side, &loads), join = only_successor(a, f.side);
    if (join == NO_BLOCK || f.side == target || n > MOST_PREDICATED)
        return none;
    f.join = join;
    if (join != target) {
        uint32_t m = npreds[target] == 1 ? predicable(a, target, &more) : UINT32_MAX;
        if (target <= b || m > MOST_PREDICATED || n + m > MOST_OF_BOTH ||
            only_successor(a, target) != join || join <= target)
            return none;
        f.other = target;
    }
    f.is_slow = (loads > 0) != (more > 0);
    return f;
}

static void drop_jump(struct assembler *a, uint32_t b, uint32_t to)
{
    if (b != NO_BLOCK && is_jump(a, b) && to > b)
        last_of(a, b)->slots = "";
}

/* Short sides of branches are predicated; those with a load only if another one overlaps with it: of the
 * other side, or of a fork before or behind. */
static void predicate(struct assembler *a, const uint32_t *npreds)
{
    uint32_t n = a->lo->nblocks;
    struct fork *forks = ARENA_ARRAY(a->arena, struct fork, n + 1);
    uint8_t *is_near = ARENA_ARRAY(a->arena, uint8_t, n + 1);
    for (uint32_t b = 0; b < n; b++)
        forks[b] = fork_at(a, b, npreds);
    for (uint32_t b = 0; b < n; b++) {
        uint32_t join = forks[b].join;
        if (join != NO_BLOCK && forks[b].is_slow && join > b && forks[join].join != NO_BLOCK &&
            forks[join].is_slow)
            is_near[b] = is_near[join] = 1;
    }
    for (uint32_t b = 0; b < n; b++) {
        const struct fork *f = &forks[b];
        if (f->join == NO_BLOCK || (f->is_slow && !is_near[b]))
            continue;
        drop_jump(a, f->side, f->join);
        drop_jump(a, f->other, f->join);
        last_of(a, b)->slots = "";
    }
}

/* Two branches to the same block with little between them are one, with both conditions. */
static void join_branches(struct assembler *a, uint32_t b, const uint32_t *npreds)
{
    const struct block *block = block_at(a, b);
    if (!is_conditional(a, b) || npreds[block->next] != 1)
        return;
    const struct block *second = block_at(a, block->next);
    if (!is_conditional(a, block->next) || second->target != block->target)
        return;
    uint32_t n = 0;
    for (uint32_t k = second->first; k + 1 < second->first + second->count; k++) {
        if (*a->insns[k].slots && !asm_is_pure(&a->insns[k]))
            return;
        n += (uint32_t)strlen(a->insns[k].slots);
    }
    if (n <= MOST_BETWEEN)
        last_of(a, b)->slots = "";
}

static uint32_t *count_predecessors(struct assembler *a)
{
    uint32_t *n = ARENA_ARRAY(a->arena, uint32_t, a->lo->nblocks + 1), to;
    for (uint32_t b = 0; b < a->lo->nblocks; b++)
        for (uint32_t k = 0; (to = asm_successor(a->lo, b, k)) != NO_BLOCK; k++)
            n[to]++;
    return n;
}

/* --- where lanes can part ---------------------------------------------------------------------- */

static bool differs(const struct assembler *a, low_ref r, const uint8_t *is_different)
{
    if (asm_is_register(r))
        return is_different[r & REF_INDEX];
    if (!asm_is_const(r))
        return false;
    uint8_t kind = asm_const(a, r)->kind;
    return (kind >= CONST_TID_X && kind <= CONST_TID_Z) || kind == CONST_LANEID ||
           kind == CONST_WARPID || (kind >= CONST_MASK_EQ && kind <= CONST_MASK_GT);
}

static bool makes_different(const struct assembler *a, const struct asm_insn *i,
                            const uint8_t *is_different)
{
    const struct low_insn *low = i->low;
    if (low->flags & INSN_MEM && low->flags & INSN_LOAD &&
        (low->flags & INSN_ATOMIC || low->space != STREAM_CONST))
        return true;
    if (low->opclass == OPCLASS_SHUFFLE || low->unit == UNIT_NONE ||
        differs(a, i->guard, is_different))
        return true;
    for (uint32_t s = 0; s < i->nsrc; s++)
        if (differs(a, i->src[s], is_different))
            return true;
    return false;
}

/* By virtual register: whether its value may differ between the lanes of a warp. */
static uint8_t *find_different(struct assembler *a)
{
    uint8_t *is_different = ARENA_ARRAY(a->arena, uint8_t, a->lo->nvregs + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < a->n; k++) {
            const struct asm_insn *i = &a->insns[k];
            if (i->ndef == 0 || !makes_different(a, i, is_different))
                continue;
            for (uint32_t d = 0; d < i->ndef; d++) {
                changed |= !is_different[i->def[d] & REF_INDEX];
                is_different[i->def[d] & REF_INDEX] = 1;
            }
        }
    }
    return is_different;
}

static bool is_end(const struct assembler *a, uint32_t b)
{
    const struct block *block = block_at(a, b);
    if (block->end != END_EXIT && block->end != END_RETURN)
        return false;
    for (uint32_t k = block->first; k + 1 < block->first + block->count; k++)
        if (*a->insns[k].slots)
            return false;
    return last_of(a, b)->guard == REF_NONE;
}

/* Lanes that part at the end of block b wait for each other at its point of reconvergence; the barrier
 * is named before the loops that end on the way. */
static void set_up_barrier(struct assembler *a, uint32_t b)
{
    uint32_t meet = block_at(a, b)->reconverge;
    if (meet == NO_BLOCK || is_end(a, meet))
        return;
    uint32_t from = b;
    while (a->depth[from] > a->depth[meet] && a->idom[from] != from)
        from = a->idom[from];
    for (uint32_t up = from;; up = a->idom[up]) {
        if (a->barrier_to[up] == meet + 1)
            return; /* the same barrier does */
        if (a->idom[up] == up)
            break;
    }
    a->barrier_to[from] = meet + 1;
    a->syncs_at_end[from] = BARRIER_SETUP;
    a->syncs_at_start[meet] = 1;
}

/* Sequences with a slow way need no barrier where all lanes take the same. */
static void mark_uniform(struct assembler *a, const uint8_t *is_different)
{
    for (uint32_t k = 0; k < a->n; k++)
        a->insns[k].is_uniform =
            *a->insns[k].slots && !makes_different(a, &a->insns[k], is_different);
}

void asm_branches(struct assembler *a)
{
    uint32_t n = a->lo->nblocks;
    a->barrier_to = ARENA_ARRAY(a->arena, uint32_t, n + 1);
    a->syncs_at_start = ARENA_ARRAY(a->arena, uint8_t, n + 1);
    a->syncs_at_end = ARENA_ARRAY(a->arena, uint8_t, n + 1);
    const uint32_t *npreds = count_predecessors(a);
    const uint8_t *is_different = find_different(a);
    mark_uniform(a, is_different);
    predicate(a, npreds);
    drop_jumps(a);
    for (uint32_t b = 0; b + 1 < n; b++)
        drop_jump_over(a, b);
    for (uint32_t b = n; b-- > 0;)
        join_branches(a, b, npreds);
    for (uint32_t k = 0; k < a->norder; k++)
        if (is_conditional(a, a->order[k]) &&
            differs(a, last_of(a, a->order[k])->guard, is_different))
            set_up_barrier(a, a->order[k]);
}
