/* pressure.c - how many 32-bit registers an assembler would give a thread of this function.
 *
 * The most values that are live at once is where such an estimate begins; PTX is not yet what
 * hardware executes, and an assembler does six things about it:
 *
 *   - Literals, parameters, addresses of variables and sizes of the grid are operands, not values:
 *     they come from the instruction or from constant memory.
 *   - Some instructions become part of those that use them: copies, negations of floats, offsets
 *     of addresses, and the widening or scaling of a 32-bit index for an address.  Their result
 *     takes no register; what they are made from lives on instead.
 *   - Addresses of shared, constant and local memory have 32 bits: of a 64-bit value whose upper
 *     half nobody asks for, only the lower one exists.
 *   - Instructions are moved to hide latency (pressure_order.c): loads ahead of what uses them.
 *   - The operands of a load, and of what else takes a time of its own, cannot be written before it
 *     is done: there are too few scoreboards to watch reads and writes apart.  A destination may
 *     take the place of any other operand that dies there.
 *   - Exact division, square root and reciprocal are subroutines with registers of their own.
 *
 * One register is the stack pointer's; predicates have their own file. */
#include "ptx/pressure.h"

#include <string.h>

enum {
    MAX_REGION = 4096,    /* longer ones, and */
    MAX_FUNCTION = 65536, /* ... longer functions, or ones with more registers x regions */
    MAX_SETS = 1 << 25,   /* ... are not worth the time: plain liveness has to do */
};

/* --- regions ----------------------------------------------------------------------------------- */

/* Blocks that begin a region: all but those that only follow a barrier. */
static void find_starts(const struct pressure *p, uint8_t *is_start)
{
    const struct block *blocks = p->lo->blocks;
    uint32_t first = p->f->first_block;
    for (uint32_t b = first; b < p->f->end_block; b++) {
        const struct block *x = &blocks[b];
        is_start[b - first] |= b == first || blocks[b - 1].end != END_BARRIER;
        if (x->end == END_BRANCH && x->target != NO_BLOCK)
            is_start[x->target - first] = 1;
        for (uint32_t t = 0; x->end == END_TABLE && t < x->ntargets; t++)
            is_start[p->lo->tables[x->target + t].at - first] = 1;
        if (x->next != NO_BLOCK && x->next != b + 1)
            is_start[x->next - first] = 1;
    }
}

static bool make_regions(struct pressure *p)
{
    uint32_t nblocks = p->f->end_block - p->f->first_block, n = 0;
    uint8_t *is_start = ARENA_ARRAY(p->arena, uint8_t, nblocks + 1);
    p->insns = ARENA_ARRAY(p->arena, struct pressure_insn, p->f->end - p->f->first + 1);
    p->regions = ARENA_ARRAY(p->arena, struct pressure_region, nblocks + 1);
    p->region_of = ARENA_ARRAY(p->arena, uint32_t, nblocks + 1);
    p->last_block = ARENA_ARRAY(p->arena, uint32_t, nblocks + 1);
    find_starts(p, is_start);
    for (uint32_t b = 0; b < nblocks; b++) {
        const struct block *block = &p->lo->blocks[p->f->first_block + b];
        if (is_start[b])
            p->regions[p->nregions++].insns = p->insns + n;
        struct pressure_region *r = &p->regions[p->nregions - 1];
        p->region_of[b] = p->nregions - 1;
        p->last_block[p->nregions - 1] = p->f->first_block + b;
        for (uint32_t i = block->first; i < block->first + block->count; i++)
            if (pressure_make(p, &p->lo->insns[i], &p->insns[n])) {
                n++;
                r->n++;
            }
        if (r->n > MAX_REGION)
            return false;
    }
    return true;
}

/* --- what lives from region to region ---------------------------------------------------------- */

static bool join(struct pressure *p, uint64_t *out, uint32_t block)
{
    uint64_t fresh = 0;
    if (block == NO_BLOCK)
        return false;
    const uint64_t *in = p->in + (size_t)p->region_of[block - p->f->first_block] * p->words;
    for (uint32_t w = 0; w < p->words; w++) {
        fresh |= in[w] & ~out[w];
        out[w] |= in[w];
    }
    return fresh != 0;
}

static void pass_through(struct pressure *p, uint32_t at)
{
    const struct pressure_region *r = &p->regions[at];
    uint64_t *in = p->in + (size_t)at * p->words;
    memcpy(in, p->out + (size_t)at * p->words, p->words * sizeof *in);
    for (uint32_t k = r->n; k-- > 0;) {
        const struct pressure_insn *i = &r->insns[k];
        for (uint32_t d = 0; d < i->ndef; d++)
            in[i->def[d] / 64] &= ~(1ull << i->def[d] % 64);
        for (uint32_t u = 0; u < i->nuse; u++)
            in[i->use[u] / 64] |= 1ull << i->use[u] % 64;
    }
}

static void flow(struct pressure *p)
{
    p->words = p->nregs / 64 + 1;
    p->in = ARENA_ARRAY(p->arena, uint64_t, (size_t)p->nregions * p->words + 1);
    p->out = ARENA_ARRAY(p->arena, uint64_t, (size_t)p->nregions * p->words + 1);
    for (uint32_t r = 0; r < p->nregions; r++)
        pass_through(p, r);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = p->nregions; r-- > 0;) {
            const struct block *last = &p->lo->blocks[p->last_block[r]];
            uint64_t *out = p->out + (size_t)r * p->words;
            bool fresh = join(p, out, last->next);
            if (last->end == END_BRANCH)
                fresh |= join(p, out, last->target);
            for (uint32_t t = 0; last->end == END_TABLE && t < last->ntargets; t++)
                fresh |= join(p, out, p->lo->tables[last->target + t].at);
            if (fresh)
                pass_through(p, r);
            changed |= fresh;
        }
    }
    for (uint32_t r = 0; r < p->nregions; r++) {
        p->regions[r].in = p->in + (size_t)r * p->words;
        p->regions[r].out = p->out + (size_t)r * p->words;
    }
}

/* --- counting ---------------------------------------------------------------------------------- */

/* Registers that begin and cease to be taken, by cycle + 1; a value takes its register from the
 * cycle after its definition to that of its last use. */
struct ledger {
    int32_t *change;
    uint32_t *from, *to; /* by register, cycle + 1; `to` 0: not live */
    uint32_t end;        /* the last cycle + 1 */
};

static void close_life(struct ledger *l, uint32_t v, uint32_t to, uint8_t weight)
{
    to = to < l->end ? to : l->end;
    if (l->to[v] && to > l->from[v]) {
        l->change[l->from[v] + 1] += weight;
        l->change[to + 1] -= weight;
    }
    l->to[v] = 0;
}

static void live_through(const struct pressure *p, const struct pressure_insn *i, uint32_t now,
                         struct ledger *l)
{
    for (uint32_t u = 0; u < i->nuse; u++)
        if (l->to[i->use[u]] && l->to[i->use[u]] < now + i->hold)
            l->to[i->use[u]] = now + i->hold;
    for (uint32_t d = 0; d < i->ndef; d++) {
        uint32_t v = i->def[d];
        if (i->low->guard != REF_NONE && l->to[v])
            continue;
        close_life(l, v, l->to[v], p->weight[v]);
        l->from[v] = now;
        l->to[v] = now + 1;
    }
}

static uint32_t count_region(const struct pressure *p, const struct pressure_region *r)
{
    struct arena *a = arena_new();
    uint32_t *order = ARENA_ARRAY(a, uint32_t, r->n + 1),
             *cycle = ARENA_ARRAY(a, uint32_t, r->n + 1);
    struct ledger l = {.from = ARENA_ARRAY(a, uint32_t, p->nregs + 1),
                       .to = ARENA_ARRAY(a, uint32_t, p->nregs + 1)};
    pressure_order(r, p->weight, p->nregs, a, order, cycle);
    l.end = cycle[order[r->n - 1]] + 2;
    l.change = ARENA_ARRAY(a, int32_t, l.end + 3);
    int32_t *extra = ARENA_ARRAY(a, int32_t, l.end + 3);
    for (uint32_t v = 0; v < p->nregs; v++)
        l.to[v] = pressure_has(r->in, v);
    for (uint32_t k = 0; k < r->n; k++) {
        const struct pressure_insn *i = &r->insns[order[k]];
        live_through(p, i, cycle[order[k]] + 1, &l);
        extra[cycle[order[k]] + 2] = (int32_t)i->extra;
    }
    for (uint32_t v = 0; v < p->nregs; v++)
        close_life(&l, v, pressure_has(r->out, v) ? l.end : l.to[v], p->weight[v]);
    int32_t now = 0, most = 0;
    for (uint32_t t = 0; t < l.end + 2; t++) {
        now += l.change[t];
        most = now + extra[t] > most ? now + extra[t] : most;
    }
    arena_free(a);
    return (uint32_t)most;
}

bool pressure_of(struct lower *lo, struct low_func *f, uint32_t *registers)
{
    if (f->end - f->first > MAX_FUNCTION)
        return false;
    struct pressure p = {.lo = lo, .f = f, .arena = arena_new()};
    pressure_values(&p);
    bool ok = make_regions(&p) && (uint64_t)p.nregions * p.nregs <= MAX_SETS;
    if (ok)
        flow(&p);
    *registers = 0;
    for (uint32_t r = 0; ok && r < p.nregions; r++) {
        uint32_t n = p.regions[r].n ? count_region(&p, &p.regions[r]) : 0;
        *registers = n > *registers ? n : *registers;
    }
    arena_free(p.arena);
    return ok;
}
