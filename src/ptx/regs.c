/* regs.c - from virtual registers to dense ones: liveness, then linear scan per function.
 *
 * A value lives from its definition to its last use along the function's order of blocks.  A
 * destination never shares a unit with a source of the same instruction, since handlers write
 * lanes of one width while they still read lanes of another.  For the same reason registers of 32
 * and of 64 bits never share units at all: what is dead in the lanes of one side of a branch may
 * live in the others, and lane 16 of a word lies where lane 8 of a wide register does.  Callees get
 * the units behind those of their deepest caller.
 *
 * How many registers hardware would need per thread has nothing to do with the places here, which
 * only cost the simulator memory: pressure.c.  The most live at once serves where that gives up. */
#include <stdlib.h>
#include <string.h>

#include "ptx/lower.h"

enum { MAX_REFS = 64, MAX_UNITS = 0x3fff };

struct interval {
    uint32_t vreg, start, end; /* in half-instructions; start > end: never used */
};

struct liveness {
    struct lower *lo;
    struct low_func *f;
    struct interval *range; /* by vreg - first_vreg */
    uint32_t *global_of;    /* number among the registers that live across blocks; UINT32_MAX */
    uint32_t *vreg_of;      /* the inverse */
    uint32_t nglobal, words;
    uint64_t *in, *out, *kill; /* by block, `words` each */
    uint8_t *is_live;          /* scratch of the backward scan */
};

static void add_ref(uint32_t *list, uint32_t *n, low_ref r)
{
    if (r != REF_NONE && !(r & REF_CONST) && (r & REF_INDEX) >= VREG_FIRST)
        list[(*n)++] = r & REF_INDEX;
}

static uint32_t definitions(const struct low_insn *i, uint32_t *list)
{
    uint32_t n = 0;
    add_ref(list, &n, i->dst);
    add_ref(list, &n, i->dst2);
    for (uint32_t k = 0; k < i->ndst_extra; k++)
        add_ref(list, &n, i->extra[k]);
    return n;
}

static uint32_t uses(const struct low_insn *i, uint32_t *list)
{
    uint32_t n = 0;
    add_ref(list, &n, i->guard);
    for (int k = 0; k < 4; k++)
        add_ref(list, &n, i->src[k]);
    for (uint32_t k = i->ndst_extra; k < i->nextra; k++)
        add_ref(list, &n, i->extra[k]);
    if (i->guard != REF_NONE) /* where the guard is false the old value stays */
        n += definitions(i, list + n);
    return n;
}

static uint32_t weight(const struct lower *lo, uint32_t vreg)
{
    return lo->vreg_class[vreg] == CLASS_WIDE ? 2 : lo->vreg_class[vreg] == CLASS_WORD ? 1 : 0;
}

/* --- which registers live across blocks ------------------------------------------------------- */

static void find_globals(struct liveness *L)
{
    struct lower *lo = L->lo;
    uint32_t n = L->f->end_vreg - L->f->first_vreg, list[MAX_REFS];
    uint32_t *defined_in = ARENA_ARRAY(lo->arena, uint32_t, n + 1); /* block + 1 */
    L->global_of = ARENA_ARRAY(lo->arena, uint32_t, n + 1);
    L->vreg_of = ARENA_ARRAY(lo->arena, uint32_t, n + 1);
    memset(L->global_of, 0xff, (n + 1) * sizeof *L->global_of);
    for (uint32_t b = L->f->first_block; b < L->f->end_block; b++) {
        const struct block *block = &lo->blocks[b];
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            uint32_t nu = uses(&lo->insns[i], list);
            for (uint32_t k = 0; k < nu; k++) {
                uint32_t v = list[k] - L->f->first_vreg;
                if (defined_in[v] != b + 1 && L->global_of[v] == UINT32_MAX) {
                    L->vreg_of[L->nglobal] = list[k];
                    L->global_of[v] = L->nglobal++;
                }
            }
            uint32_t nd = definitions(&lo->insns[i], list);
            for (uint32_t k = 0; k < nd; k++)
                defined_in[list[k] - L->f->first_vreg] = b + 1;
        }
    }
    L->words = (L->nglobal + 63) / 64;
}

static void set_bit(uint64_t *set, uint32_t bit)
{
    set[bit / 64] |= 1ull << bit % 64;
}

/* in = what the block reads before it writes; kill = what it writes. */
static void local_sets(struct liveness *L, uint32_t b)
{
    const struct lower *lo = L->lo;
    const struct block *block = &lo->blocks[b];
    uint64_t *in = L->in + (size_t)(b - L->f->first_block) * L->words;
    uint64_t *kill = L->kill + (size_t)(b - L->f->first_block) * L->words;
    uint32_t list[MAX_REFS];
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        uint32_t nu = uses(&lo->insns[i], list);
        for (uint32_t k = 0; k < nu; k++) {
            uint32_t g = L->global_of[list[k] - L->f->first_vreg];
            if (g != UINT32_MAX && !(kill[g / 64] >> g % 64 & 1))
                set_bit(in, g);
        }
        uint32_t nd = definitions(&lo->insns[i], list);
        for (uint32_t k = 0; k < nd; k++) {
            uint32_t g = L->global_of[list[k] - L->f->first_vreg];
            if (g != UINT32_MAX)
                set_bit(kill, g);
        }
    }
}

static bool merge_successor(struct liveness *L, uint64_t *out, uint32_t successor)
{
    if (successor == NO_BLOCK)
        return false;
    const uint64_t *in = L->in + (size_t)(successor - L->f->first_block) * L->words;
    uint64_t fresh = 0;
    for (uint32_t w = 0; w < L->words; w++) {
        fresh |= in[w] & ~out[w];
        out[w] |= in[w];
    }
    return fresh != 0;
}

static bool update_block(struct liveness *L, uint32_t b)
{
    const struct block *block = &L->lo->blocks[b];
    size_t at = (size_t)(b - L->f->first_block) * L->words;
    bool changed = merge_successor(L, L->out + at, block->next);
    if (block->end == END_BRANCH)
        changed |= merge_successor(L, L->out + at, block->target);
    for (uint32_t t = 0; block->end == END_TABLE && t < block->ntargets; t++)
        changed |= merge_successor(L, L->out + at, L->lo->tables[block->target + t].at);
    for (uint32_t w = 0; changed && w < L->words; w++)
        L->in[at + w] |= L->out[at + w] & ~L->kill[at + w];
    return changed;
}

static bool flow(struct liveness *L)
{
    uint64_t nblocks = L->f->end_block - L->f->first_block;
    if (nblocks * L->words > 1u << 27)
        return low_fail(L->lo, "function %s is too large", L->f->ast->name);
    L->in = ARENA_ARRAY(L->lo->arena, uint64_t, nblocks * L->words + 1);
    L->out = ARENA_ARRAY(L->lo->arena, uint64_t, nblocks * L->words + 1);
    L->kill = ARENA_ARRAY(L->lo->arena, uint64_t, nblocks * L->words + 1);
    for (uint32_t b = L->f->first_block; b < L->f->end_block; b++)
        local_sets(L, b);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = L->f->end_block; b-- > L->f->first_block;)
            changed |= update_block(L, b);
    }
    return true;
}

/* --- intervals and pressure -------------------------------------------------------------------- */

static void extend(struct interval *r, uint32_t from, uint32_t to)
{
    if (from < r->start)
        r->start = from;
    if (to > r->end)
        r->end = to;
}

/* Walks a block backwards with the set of live registers: intervals, and the most live at once. */
static void scan_block(struct liveness *L, uint32_t b)
{
    struct lower *lo = L->lo;
    const struct block *block = &lo->blocks[b];
    uint32_t base = L->f->first_vreg, live = 0, list[MAX_REFS];
    const uint64_t *out = L->out + (size_t)(b - L->f->first_block) * L->words;
    uint32_t begin = block->first * 2, end = (block->first + block->count) * 2;
    for (uint32_t w = 0; w < L->words; w++)
        for (uint64_t bits = out[w]; bits; bits &= bits - 1) {
            uint32_t v = L->vreg_of[w * 64 + (uint32_t)__builtin_ctzll(bits)];
            L->is_live[v - base] = 1;
            live += weight(lo, v);
            extend(&L->range[v - base], begin, end);
        }
    for (uint32_t i = block->first + block->count; i-- > block->first;) {
        const struct low_insn *insn = &lo->insns[i];
        if (insn->end == END_CALL && insn->target != UINT32_MAX &&
            live + lo->funcs[insn->target].need > L->f->need)
            L->f->need = live + lo->funcs[insn->target].need;
        uint32_t n = definitions(insn, list);
        uint32_t dead = 0; /* written and never read: still needs a place for a moment */
        for (uint32_t k = 0; k < n; k++) {
            extend(&L->range[list[k] - base], i * 2, i * 2 + 1);
            if (L->is_live[list[k] - base])
                live -= weight(lo, list[k]);
            else
                dead += weight(lo, list[k]);
            L->is_live[list[k] - base] = 0;
        }
        if (live + dead > L->f->need)
            L->f->need = live + dead;
        n = uses(insn, list);
        for (uint32_t k = 0; k < n; k++) {
            extend(&L->range[list[k] - base], begin, i * 2 + 1);
            if (!L->is_live[list[k] - base])
                live += weight(lo, list[k]);
            L->is_live[list[k] - base] = 1;
        }
        if (live > L->f->need)
            L->f->need = live;
    }
    memset(L->is_live, 0, L->f->end_vreg - base);
}

/* Registers of one block only: a use extends to the block's start above; the definition is the
 * true start, because nothing reads them before. */
static void trim_locals(struct liveness *L)
{
    struct lower *lo = L->lo;
    uint32_t base = L->f->first_vreg, list[MAX_REFS];
    uint32_t *seen = ARENA_ARRAY(lo->arena, uint32_t, L->f->end_vreg - base + 1);
    for (uint32_t b = L->f->first_block; b < L->f->end_block; b++) {
        const struct block *block = &lo->blocks[b];
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            uint32_t n = definitions(&lo->insns[i], list);
            for (uint32_t k = 0; k < n; k++) {
                uint32_t v = list[k] - base;
                if (L->global_of[v] == UINT32_MAX && !seen[v]) {
                    seen[v] = 1;
                    L->range[v].start = i * 2;
                }
            }
        }
    }
}

/* --- linear scan ------------------------------------------------------------------------------ */

struct pool {
    uint64_t used[(MAX_UNITS + 64) / 64 + 1];
    uint32_t top; /* one past the highest ever used */
};

static bool is_used(const struct pool *p, uint32_t u)
{
    return p->used[u / 64] >> u % 64 & 1;
}

static uint32_t take(struct pool *p, uint32_t n)
{
    for (uint32_t u = 0; u + n <= MAX_UNITS; u++) {
        if (p->used[u / 64] == UINT64_MAX) {
            u |= 63;
            continue;
        }
        if (is_used(p, u) || (n == 2 && (u % 2 || is_used(p, u + 1))))
            continue; /* pairs are even, as in hardware */
        for (uint32_t k = 0; k < n; k++)
            set_bit(p->used, u + k);
        if (u + n > p->top)
            p->top = u + n;
        return u;
    }
    return UINT32_MAX;
}

static void give_back(struct pool *p, uint32_t u, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        p->used[(u + k) / 64] &= ~(1ull << (u + k) % 64);
}

static int by_start(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->vreg < y->vreg ? -1 : x->vreg > y->vreg;
}

struct scan {
    struct liveness *L;
    uint16_t *unit_of;
    struct pool *pool[3]; /* by weight: predicates, words, wide registers */
    uint32_t *expires; /* first interval (+1) that ends at a position, from the function's start */
    uint32_t *next;
    uint32_t base; /* position of the function's start */
};

static void expire(struct scan *s, uint32_t from, uint32_t to, const struct interval *sorted)
{
    for (uint32_t p = from; p < to; p++)
        for (uint32_t k = s->expires[p - s->base]; k; k = s->next[k - 1]) {
            uint32_t v = sorted[k - 1].vreg, w = weight(s->L->lo, v);
            give_back(s->pool[w], s->unit_of[v], w ? w : 1);
        }
}

static bool scan_function(struct liveness *L, uint16_t *unit_of)
{
    struct lower *lo = L->lo;
    uint32_t n = 0, total = L->f->end_vreg - L->f->first_vreg;
    struct interval *sorted = ARENA_ARRAY(lo->arena, struct interval, total + 1);
    for (uint32_t i = 0; i < total; i++)
        if (L->range[i].start <= L->range[i].end)
            sorted[n++] = L->range[i];
    qsort(sorted, n, sizeof *sorted, by_start);
    uint32_t length = (L->f->end - L->f->first) * 2 + 2;
    struct scan s = {.L = L, .unit_of = unit_of, .base = L->f->first * 2};
    for (int w = 0; w < 3; w++)
        s.pool[w] = ARENA_NEW(lo->arena, struct pool);
    s.expires = ARENA_ARRAY(lo->arena, uint32_t, length + 1);
    s.next = ARENA_ARRAY(lo->arena, uint32_t, n + 1);
    uint32_t now = s.base;
    for (uint32_t k = 0; k < n; k++) {
        expire(&s, now, sorted[k].start, sorted);
        now = sorted[k].start;
        uint32_t w = weight(lo, sorted[k].vreg), u = take(s.pool[w], w ? w : 1);
        if (u == UINT32_MAX)
            return low_fail(lo, "function %s needs more than %d registers", L->f->ast->name,
                            MAX_UNITS);
        unit_of[sorted[k].vreg] = (uint16_t)u;
        s.next[k] = s.expires[sorted[k].end - s.base];
        s.expires[sorted[k].end - s.base] = k + 1;
    }
    for (int w = 0; w < 3; w++)
        L->f->size[w] = s.pool[w]->top;
    return true;
}

static bool allocate_function(struct lower *lo, struct low_func *f, uint16_t *unit_of)
{
    uint32_t n = f->end_vreg - f->first_vreg;
    struct liveness L = {.lo = lo, .f = f};
    L.range = ARENA_ARRAY(lo->arena, struct interval, n + 1);
    L.is_live = ARENA_ARRAY(lo->arena, uint8_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        L.range[i] = (struct interval){.vreg = f->first_vreg + i, .start = UINT32_MAX};
    find_globals(&L);
    if (!flow(&L))
        return false;
    for (uint32_t b = f->first_block; b < f->end_block; b++)
        scan_block(&L, b);
    trim_locals(&L);
    uint32_t planned;
    if (!lo->no_needs && pressure_of(lo, f, &planned))
        f->need = planned;
    return scan_function(&L, unit_of);
}

/* --- all functions ---------------------------------------------------------------------------- */

struct calls {
    uint32_t *order; /* functions that the kernel reaches, callees first */
    uint32_t n;
};

static bool allocate_callees_first(struct lower *lo, uint32_t index, uint16_t *unit_of,
                                   struct calls *calls)
{
    struct low_func *f = &lo->funcs[index];
    if (f->mark == 3)
        return true;
    f->mark = 3;
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < f->ncallees; i++) {
        if (!allocate_callees_first(lo, f->callees[i], unit_of, calls))
            return false;
        if (f->calls_indirectly && lo->funcs[f->callees[i]].need > deepest)
            deepest = lo->funcs[f->callees[i]].need;
    }
    if (!allocate_function(lo, f, unit_of))
        return false;
    f->need += deepest;
    calls->order[calls->n++] = index;
    return true;
}

/* Frames stack up along the calls, each class of registers by itself; a function called from
 * several depths takes the deepest. */
static void stack_frames(struct lower *lo, const struct calls *calls)
{
    lo->funcs[0].base[0] = PRED_FIRST;
    for (uint32_t k = calls->n; k-- > 0;) { /* all callers of a function come before it */
        const struct low_func *f = &lo->funcs[calls->order[k]];
        for (uint32_t i = 0; i < f->ncallees; i++) {
            uint32_t *base = lo->funcs[f->callees[i]].base;
            for (int w = 0; w < 3; w++)
                if (f->base[w] + f->size[w] > base[w])
                    base[w] = f->base[w] + f->size[w];
        }
    }
}

bool regs_allocate(struct lower *lo, uint32_t *reg_units, uint32_t *npreds, uint16_t *unit_of)
{
    struct calls calls = {.order = ARENA_ARRAY(lo->arena, uint32_t, lo->nfuncs)};
    if (!allocate_callees_first(lo, 0, unit_of, &calls))
        return false;
    uint32_t top[3] = {0};
    stack_frames(lo, &calls);
    for (uint32_t i = 0; i < lo->nfuncs; i++)
        for (int w = 0; w < 3; w++)
            if (lo->funcs[i].base[w] + lo->funcs[i].size[w] > top[w])
                top[w] = lo->funcs[i].base[w] + lo->funcs[i].size[w];
    *npreds = top[0];
    *reg_units = top[1] + top[2];
    if (*reg_units > MAX_UNITS || *npreds > MAX_UNITS)
        return low_fail(lo, "more than %d registers in all functions", MAX_UNITS);
    for (uint32_t i = 0; i < lo->nfuncs; i++)
        for (uint32_t v = lo->funcs[i].first_vreg; v < lo->funcs[i].end_vreg; v++) {
            uint32_t w = weight(lo, v); /* words lie behind the wide registers */
            unit_of[v] = (uint16_t)(unit_of[v] + lo->funcs[i].base[w] + (w == 1 ? top[2] : 0));
        }
    return true;
}
