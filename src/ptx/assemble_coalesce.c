/* assemble_coalesce.c - copies that vanish because both registers can be one: they are never live at
 * once with different values (Chaitin et al., "Register Allocation via Coloring").  Most copies of a
 * compiler's PTX are of this kind: the values that a loop carries around. */
#include <stdlib.h>

#include "ptx/assemble.h"

enum { MOST_CANDIDATES = 4096, MOST_WORDS = 1 << 22 };
#define NONE UINT32_MAX

struct copy {
    uint32_t insn, depth;
};

struct coalescing {
    struct assembler *a;
    uint32_t *number;           /* by virtual register; NONE: in no copy */
    uint32_t *vreg;             /* the inverse */
    uint32_t *leader;           /* by number: the one that stands for it */
    uint32_t n, words;          /* candidates; words of a set */
    uint64_t *in, *out, *meets; /* by block, by block, by number */
    struct copy *copies;
    uint32_t ncopies;
};

static bool is_copy(const struct assembler *a, const struct asm_insn *i)
{
    return *i->slots && opname_is(i->op, "mov") && i->ndef == 1 && i->guard == REF_NONE &&
           asm_is_register(i->src[0]) && !(i->src[0] & REF_NOT) && i->src[1] == REF_NONE &&
           i->nsrc == 4 && asm_class(a, i->def[0]) == asm_class(a, i->src[0]) &&
           !(i->low->flags & INSN_MEM);
}

static uint32_t number_of(const struct coalescing *c, low_ref r)
{
    return asm_is_register(r) ? c->number[r & REF_INDEX] : NONE;
}

static void enlist(struct coalescing *c, low_ref r)
{
    uint32_t v = r & REF_INDEX;
    if (c->number[v] != NONE)
        return;
    c->vreg[c->n] = v;
    c->leader[c->n] = c->n;
    c->number[v] = c->n++;
}

static void find_copies(struct coalescing *c)
{
    struct assembler *a = c->a;
    uint32_t nv = a->lo->nvregs;
    c->number = ARENA_ARRAY(a->arena, uint32_t, nv + 1);
    c->vreg = ARENA_ARRAY(a->arena, uint32_t, nv + 1);
    c->leader = ARENA_ARRAY(a->arena, uint32_t, nv + 1);
    c->copies = ARENA_ARRAY(a->arena, struct copy, a->n + 1);
    for (uint32_t v = 0; v < nv; v++)
        c->number[v] = NONE;
    for (uint32_t k = 0; k < a->n; k++) {
        const struct asm_insn *i = &a->insns[k];
        if (!is_copy(a, i))
            continue;
        enlist(c, i->def[0]);
        enlist(c, i->src[0]);
        c->copies[c->ncopies++] = (struct copy){k, a->depth[i->block]};
    }
}

/* --- liveness ---------------------------------------------------------------------------------- */

static void set(uint64_t *bits, uint32_t k)
{
    bits[k / 64] |= 1ull << k % 64;
}

static bool has(const uint64_t *bits, uint32_t k)
{
    return bits[k / 64] >> k % 64 & 1;
}

static void use(const struct coalescing *c, uint64_t *live, low_ref r)
{
    uint32_t k = number_of(c, r);
    if (k != NONE)
        set(live, k);
}

/* Backwards over one instruction.  A guarded one may leave the old value. */
static void step(const struct coalescing *c, const struct asm_insn *i, uint64_t *live)
{
    for (uint32_t d = 0; i->guard == REF_NONE && d < i->ndef; d++) {
        uint32_t k = number_of(c, i->def[d]);
        if (k != NONE)
            live[k / 64] &= ~(1ull << k % 64);
    }
    use(c, live, i->guard);
    for (uint32_t s = 0; s < i->nsrc; s++)
        use(c, live, i->src[s]);
}

static bool pass_through(struct coalescing *c, uint32_t b, uint64_t *live)
{
    const struct assembler *a = c->a;
    const struct block *block = &a->lo->blocks[b];
    uint64_t *in = c->in + (size_t)b * c->words, *out = c->out + (size_t)b * c->words, fresh = 0;
    uint32_t to;
    for (uint32_t e = 0; (to = asm_successor(a->lo, b, e)) != NO_BLOCK; e++)
        for (uint32_t w = 0; w < c->words; w++)
            out[w] |= c->in[(size_t)to * c->words + w];
    memcpy(live, out, c->words * sizeof *live);
    for (uint32_t k = block->first + block->count; k-- > block->first;)
        if (*a->insns[k].slots)
            step(c, &a->insns[k], live);
    for (uint32_t w = 0; w < c->words; w++) {
        fresh |= live[w] & ~in[w];
        in[w] |= live[w];
    }
    return fresh != 0;
}

/* --- who meets whom ---------------------------------------------------------------------------- */

static void meet(struct coalescing *c, uint32_t x, uint32_t y)
{
    set(c->meets + (size_t)x * c->words, y);
    set(c->meets + (size_t)y * c->words, x);
}

/* A value that is written meets all that live then, but the one it is a copy of. */
static void note_meetings(struct coalescing *c, const struct asm_insn *i, const uint64_t *live)
{
    uint32_t same = is_copy(c->a, i) ? number_of(c, i->src[0]) : NONE;
    for (uint32_t d = 0; d < i->ndef; d++) {
        uint32_t k = number_of(c, i->def[d]);
        if (k == NONE)
            continue;
        for (uint32_t w = 0; w < c->words; w++)
            for (uint64_t bits = live[w]; bits; bits &= bits - 1) {
                uint32_t other = w * 64 + (uint32_t)__builtin_ctzll(bits);
                if (other != k && other != same)
                    meet(c, k, other);
            }
    }
}

static void find_meetings(struct coalescing *c)
{
    const struct assembler *a = c->a;
    uint64_t *live = ARENA_ARRAY(a->arena, uint64_t, c->words + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = a->lo->nblocks; b-- > 0;)
            changed |= pass_through(c, b, live);
    }
    for (uint32_t b = 0; b < a->lo->nblocks; b++) {
        const struct block *block = &a->lo->blocks[b];
        memcpy(live, c->out + (size_t)b * c->words, c->words * sizeof *live);
        for (uint32_t k = block->first + block->count; k-- > block->first;)
            if (*a->insns[k].slots) {
                note_meetings(c, &a->insns[k], live);
                step(c, &a->insns[k], live);
            }
    }
}

/* --- joining ----------------------------------------------------------------------------------- */

static uint32_t leader(const struct coalescing *c, uint32_t k)
{
    while (c->leader[k] != k)
        k = c->leader[k];
    return k;
}

static void join(struct coalescing *c, uint32_t x, uint32_t y)
{
    c->leader[y] = x;
    for (uint32_t k = 0; k < c->n; k++)
        if (has(c->meets + (size_t)y * c->words, k))
            meet(c, x, k);
}

static low_ref renamed(const struct coalescing *c, low_ref r)
{
    uint32_t k = number_of(c, r);
    return k == NONE ? r : c->vreg[leader(c, k)] | (r & REF_NOT);
}

static void rename_all(const struct coalescing *c)
{
    for (uint32_t k = 0; k < c->a->n; k++) {
        struct asm_insn *i = &c->a->insns[k];
        i->guard = renamed(c, i->guard);
        for (uint32_t d = 0; d < i->ndef; d++)
            i->def[d] = renamed(c, i->def[d]);
        for (uint32_t s = 0; s < i->nsrc; s++)
            i->src[s] = renamed(c, i->src[s]);
    }
}

/* Copies in loops first, then in the order of the text. */
static int by_weight(const void *x, const void *y)
{
    const struct copy *m = x, *n = y;
    if (m->depth != n->depth)
        return m->depth > n->depth ? -1 : 1;
    return m->insn < n->insn ? -1 : m->insn > n->insn;
}

void asm_coalesce(struct assembler *a)
{
    struct coalescing c = {.a = a};
    find_copies(&c);
    c.words = (c.n + 63) / 64;
    if (c.ncopies == 0 || c.n > MOST_CANDIDATES || (uint64_t)c.words * a->lo->nblocks > MOST_WORDS)
        return;
    c.in = ARENA_ARRAY(a->arena, uint64_t, (size_t)a->lo->nblocks * c.words + 1);
    c.out = ARENA_ARRAY(a->arena, uint64_t, (size_t)a->lo->nblocks * c.words + 1);
    c.meets = ARENA_ARRAY(a->arena, uint64_t, (size_t)c.n * c.words + 1);
    find_meetings(&c);
    qsort(c.copies, c.ncopies, sizeof *c.copies, by_weight);
    for (uint32_t k = 0; k < c.ncopies; k++) {
        struct asm_insn *i = &a->insns[c.copies[k].insn];
        uint32_t to = leader(&c, number_of(&c, i->def[0])),
                 from = leader(&c, number_of(&c, i->src[0]));
        if (to != from && has(c.meets + (size_t)to * c.words, from))
            continue;
        if (to != from)
            join(&c, to, from);
        i->slots = "";
    }
    rename_all(&c);
}
