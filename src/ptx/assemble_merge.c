/* assemble_merge.c - loads of neighbouring words that become one.
 *
 * Words of constant memory are loaded in pairs (LDC.64), those of shared memory up to four at once (LDS.128),
 * where the first address is known to be a multiple of the whole: addresses of variables are known, and so
 * is what indices are multiplied by.  Of addresses in global memory nothing is known.  The load of the lowest
 * address stays, with all results; the others keep their payload and are no instructions. */
#include "ptx/assemble.h"

enum {
    MOST_PASSES = 32,
    ALL_ZEROS = 63,    /* low bits of zero */
    MOST_OF_CONST = 8, /* bytes of one load */
    MOST_OF_SHARED = 16,
    MOST_RESULTS = 4,      /* of one load: stream.h */
    MOST_APART = 256,      /* instructions between loads that become one */
    DYNAMIC_ALIGNMENT = 4, /* dynamic shared memory begins at a multiple of 16 */
};

static const char merged[] = {SLOT_MERGED, 0};

bool asm_is_merged(const struct asm_insn *i)
{
    return i && i->slots == merged;
}

/* --- multiples --------------------------------------------------------------------------------- */

static uint8_t least(unsigned x, unsigned y)
{
    return (uint8_t)(x < y ? x : y);
}

static uint8_t zeros_of_bits(uint64_t bits)
{
    return bits ? least((unsigned)__builtin_ctzll(bits), ALL_ZEROS) : ALL_ZEROS;
}

/* Low bits of an operand that are zero. */
static uint8_t zeros_of(const struct assembler *a, const uint8_t *zeros, low_ref r)
{
    if (r == REF_NONE)
        return ALL_ZEROS;
    if (asm_is_register(r))
        return zeros[r & REF_INDEX];
    if (!asm_is_const(r))
        return 0;
    const struct code_const *c = asm_const(a, r);
    if (c->kind == CONST_DYNAMIC_BASE)
        return least(DYNAMIC_ALIGNMENT, zeros_of_bits(c->bits));
    return c->kind == CONST_BITS ? zeros_of_bits(c->bits) : 0;
}

/* ... of the result of an instruction. */
static uint8_t zeros_after(const struct assembler *a, const uint8_t *zeros,
                           const struct low_insn *i)
{
    uint8_t x = zeros_of(a, zeros, i->src[0]), y = zeros_of(a, zeros, i->src[1]);
    if (i->flags & INSN_MEM || i->src[0] == REF_NONE || i->nextra > 0)
        return 0;
    if (i->src[1] == REF_NONE && (opname_is(i->op, "mov") || opname_is(i->op, "cvta") ||
                                  opname_is(i->op, "widen") || opname_is(i->op, "narrow")))
        return x;
    if (opname_is(i->op, "cvt"))
        return i->unit == UNIT_INT ? x : 0; /* others have to do with floats */
    if (opname_is(i->op, "add") || opname_is(i->op, "sub") || opname_is(i->op, "or") ||
        opname_is(i->op, "xor"))
        return least(x, y);
    if (opname_is(i->op, "and"))
        return x > y ? x : y;
    if (opname_is(i->op, "shl") && asm_is_const(i->src[1]))
        return least(x + (unsigned)least(ALL_ZEROS, (unsigned)asm_const(a, i->src[1])->bits),
                     ALL_ZEROS);
    bool is_mad = opname_is(i->op, "mad");
    if ((opname_is(i->op, "mul") || is_mad) && !opname_has(i->op, "hi"))
        return least(least(x + y, ALL_ZEROS), is_mad ? zeros_of(a, zeros, i->src[2]) : ALL_ZEROS);
    return 0;
}

static bool lower_to(uint8_t *zeros, low_ref r, uint8_t n)
{
    if (!asm_is_register(r) || zeros[r & REF_INDEX] <= n)
        return false;
    zeros[r & REF_INDEX] = n;
    return true;
}

/* By virtual register; NULL: it did not settle. */
static uint8_t *find_zeros(const struct assembler *a)
{
    const struct lower *lo = a->lo;
    uint8_t *zeros = ARENA_ARRAY(a->arena, uint8_t, lo->nvregs + 1);
    memset(zeros, ALL_ZEROS, lo->nvregs);
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        bool changed = false;
        for (uint32_t k = 0; k < lo->ninsns; k++) {
            const struct low_insn *i = &lo->insns[k];
            changed |= lower_to(zeros, i->dst, zeros_after(a, zeros, i));
            changed |= lower_to(zeros, i->dst2, 0);
            for (uint32_t d = 0; d < i->ndst_extra; d++)
                changed |= lower_to(zeros, i->extra[d], 0);
        }
        if (!changed)
            return zeros;
    }
    return NULL;
}

/* --- neighbours -------------------------------------------------------------------------------- */

static bool is_candidate(const struct asm_insn *i)
{
    const struct low_insn *low = i->low;
    return low->unit == UNIT_MEM && *i->slots && !asm_is_merged(i) && i->guard == REF_NONE &&
           low->flags == (INSN_MEM | INSN_LOAD) && !opname_has(i->op, "volatile") &&
           (low->space == STREAM_CONST || low->space == STREAM_SHARED) &&
           (low->size == 4 || low->size == 8) && i->ndef > 0;
}

static bool mentions(const struct asm_insn *i, low_ref r, bool only_writes)
{
    for (uint32_t d = 0; d < i->ndef; d++)
        if (((i->def[d] ^ r) & REF_INDEX) == 0)
            return true;
    if (only_writes)
        return false;
    for (uint32_t s = 0; s < i->nsrc; s++)
        if (asm_is_register(i->src[s]) && ((i->src[s] ^ r) & REF_INDEX) == 0)
            return true;
    return asm_is_register(i->guard) && ((i->guard ^ r) & REF_INDEX) == 0;
}

/* Whether a load in constant or shared memory can be as well on the other side of an instruction. */
static bool can_pass(const struct asm_insn *load, const struct asm_insn *i)
{
    if (!*i->slots)
        return true;
    if (asm_is_register(load->src[0]) && mentions(i, load->src[0], true))
        return false;
    for (uint32_t d = 0; d < load->ndef; d++)
        if (mentions(i, load->def[d], false))
            return false;
    bool may_write = i->low->flags & (INSN_STORE | INSN_ATOMIC | INSN_FENCE | INSN_BAR) &&
                     (i->low->flags & (INSN_MULTI | INSN_ATOMIC | INSN_FENCE | INSN_BAR) ||
                      i->low->space == STREAM_SHARED);
    return load->low->space == STREAM_CONST || !may_write;
}

static bool can_meet(const struct assembler *a, uint32_t x, uint32_t y)
{
    const struct asm_insn *moved = &a->insns[y];
    uint32_t first = x < y ? x : y, last = x < y ? y : x;
    if (last - first > MOST_APART)
        return false;
    for (uint32_t k = first + 1; k < last; k++)
        if (!can_pass(moved, &a->insns[k]))
            return false;
    for (uint32_t d = 0; d < moved->ndef; d++)
        if (mentions(&a->insns[x], moved->def[d], false))
            return false;
    return true;
}

/* The load of the block that begins where the first one ends and can be there as well. */
static uint32_t find_neighbour(const struct assembler *a, const struct block *b, uint32_t first,
                               int64_t offset)
{
    const struct asm_insn *f = &a->insns[first];
    for (uint32_t k = b->first; k < b->first + b->count; k++) {
        const struct asm_insn *i = &a->insns[k];
        if (k != first && is_candidate(i) && i->low->space == f->low->space &&
            i->src[0] == f->src[0] && i->offset == offset && can_meet(a, first, k))
            return k;
    }
    return UINT32_MAX;
}

static uint32_t alignment(const struct assembler *a, const uint8_t *zeros, const struct asm_insn *i)
{
    uint8_t n = least(zeros_of(a, zeros, i->low->src[0]), zeros_of_bits(i->low->imm));
    return 1u << least(n, 4);
}

static void take_in(struct asm_insn *first, struct asm_insn *other)
{
    for (uint32_t d = 0; d < other->ndef; d++)
        first->def[first->ndef++] = other->def[d];
    other->ndef = 0;
    other->nsrc = 0;
    other->slots = merged;
}

/* Makes one of the load `first` and as many as follow it in memory, up to `bytes`. */
static bool merge(struct assembler *a, const struct block *b, uint32_t first, uint32_t bytes)
{
    uint32_t others[MOST_RESULTS], n = 0, size = a->insns[first].low->size;
    uint32_t results = a->insns[first].ndef;
    while (size < bytes && n < MOST_RESULTS) {
        uint32_t k = find_neighbour(a, b, first, a->insns[first].offset + size);
        if (k == UINT32_MAX)
            return false;
        others[n++] = k;
        size += a->insns[k].low->size;
        results += a->insns[k].ndef;
    }
    if (size != bytes || results > MOST_RESULTS)
        return false;
    for (uint32_t k = 0; k < n; k++)
        take_in(&a->insns[first], &a->insns[others[k]]);
    a->insns[first].size = (uint8_t)bytes;
    return true;
}

void asm_merge(struct assembler *a)
{
    const uint8_t *zeros = find_zeros(a);
    for (uint32_t n = 0; zeros && n < a->lo->nblocks; n++) {
        const struct block *b = &a->lo->blocks[n];
        for (uint32_t k = b->first; k < b->first + b->count; k++) {
            struct asm_insn *i = &a->insns[k];
            if (!is_candidate(i) || i->size)
                continue;
            uint32_t most = i->low->space == STREAM_CONST ? MOST_OF_CONST : MOST_OF_SHARED;
            uint32_t align = alignment(a, zeros, i);
            for (uint32_t bytes = most; bytes > i->low->size; bytes /= 2)
                if (align >= bytes && merge(a, b, k, bytes))
                    break;
        }
    }
}
