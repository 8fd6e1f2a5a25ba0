/* assemble_live.c - which registers of the emitted program live from block to block. */
#include "ptx/assemble_schedule.h"

enum { MOST_LIVE_WORDS = 1 << 22 };

static void add_ref(uint32_t *list, uint32_t *n, low_ref r)
{
    if (asm_is_register(r))
        list[(*n)++] = r & REF_INDEX;
}

uint32_t asm_definitions(const struct low_insn *i, uint32_t list[ASM_REFS])
{
    uint32_t n = 0;
    add_ref(list, &n, i->dst);
    add_ref(list, &n, i->dst2);
    for (uint32_t k = 0; k < i->ndst_extra; k++)
        add_ref(list, &n, i->extra[k]);
    return n;
}

uint32_t asm_uses(const struct low_insn *i, uint32_t list[ASM_REFS])
{
    uint32_t n = 0;
    add_ref(list, &n, i->guard);
    for (int k = 0; k < 4; k++)
        add_ref(list, &n, i->src[k]);
    for (uint32_t k = i->ndst_extra; k < i->nextra; k++)
        add_ref(list, &n, i->extra[k]);
    return n;
}

/* Where a guard is false, or of which only half is written, the old value stays. */
static bool replaces_all(const struct low_insn *i)
{
    return i->guard == REF_NONE && i->half != HALF_LOW;
}

void asm_live_before(const struct low_insn *i, uint64_t *live)
{
    uint32_t list[ASM_REFS], n = asm_definitions(i, list);
    for (uint32_t k = 0; replaces_all(i) && k < n; k++)
        live[list[k] / 64] &= ~(1ull << list[k] % 64);
    n = asm_uses(i, list);
    for (uint32_t k = 0; k < n; k++)
        live[list[k] / 64] |= 1ull << list[k] % 64;
}

static void pass_through(const struct lower *out, struct asm_live *l, uint32_t b)
{
    const struct block *block = &out->blocks[b];
    uint64_t *in = l->in + (size_t)b * l->words;
    memcpy(in, l->out + (size_t)b * l->words, l->words * sizeof *in);
    for (uint32_t k = block->count; k-- > 0;)
        asm_live_before(&out->insns[block->first + k], in);
}

static bool join(struct asm_live *l, uint32_t block, uint32_t successor)
{
    uint64_t fresh = 0, *out = l->out + (size_t)block * l->words;
    const uint64_t *in = l->in + (size_t)successor * l->words;
    for (uint32_t w = 0; w < l->words; w++) {
        fresh |= in[w] & ~out[w];
        out[w] |= in[w];
    }
    return fresh != 0;
}

bool asm_find_live(struct lower *out, struct asm_live *l)
{
    l->words = out->nvregs / 64 + 1;
    if ((uint64_t)out->nblocks * l->words > MOST_LIVE_WORDS)
        return false;
    size_t n = (size_t)out->nblocks * l->words;
    l->in = ARENA_ARRAY(out->arena, uint64_t, n + 1);
    l->out = ARENA_ARRAY(out->arena, uint64_t, n + 1);
    for (uint32_t b = 0; b < out->nblocks; b++)
        pass_through(out, l, b);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = out->nblocks; b-- > 0;) {
            bool fresh = false;
            uint32_t to;
            for (uint32_t k = 0; (to = asm_successor(out, b, k)) != NO_BLOCK; k++)
                fresh |= join(l, b, to);
            if (fresh)
                pass_through(out, l, b);
            changed |= fresh;
        }
    }
    return true;
}
