/* assemble_schedule.c - the order in which an assembler might issue the instructions of a block.
 *
 * A list scheduler for latency, one instruction per cycle, with an eye on registers, as the one by which
 * registers are counted (pressure_order.c): of what is ready, the instruction with the longest way
 * to the end goes first; but one that needs a new register and leads to no load waits until the longest way
 * demands it, and so do loads when the kernel's registers are in use.  So loads gather at the top,
 * and what uses them follows in the shadow of their latency.
 *
 * Runs of instructions between control instructions are ordered, each by itself.  Payloads are read through
 * windows of a bounded length (stream.h), beyond which nothing moves. */
#include "ptx/assemble_schedule.h"

enum { MOST_OF_RUN = 1024 }; /* longer ones are cut */

struct scheduling {
    const struct assembler *a;
    struct asm_emitted *e;
    uint32_t *reads_left; /* by register, of the run */
    uint8_t *is_live;
    uint64_t *after; /* registers that live behind the run */
    uint64_t *now_live;
    uint32_t words;
};

/* A run on its way. */
struct issue {
    struct scheduling *s;
    struct asm_graph g;
    uint32_t live; /* registers in use */
    uint32_t length, late, now;
    uint32_t *ready, nready;
    uint32_t *order;
    /* payloads, by their number in the run */
    uint32_t *number;               /* by instruction: + 1; 0: it has none */
    uint32_t *sets;                 /* of all before */
    uint32_t first, longest, taken; /* of the window that is open */
    uint32_t *member;
    uint8_t *turn; /* by instruction */
    struct low_insn *insns;
    const struct asm_insn **from; /* both in their new order */
};

static bool has_payload(const struct low_insn *i)
{
    return i->flags & (INSN_MEM | INSN_BAR) ||
           (i->guard != REF_NONE && (i->end == NOT_AN_END || i->end == END_BARRIER));
}

/* --- registers --------------------------------------------------------------------------------- */

static bool lives_on(const struct issue *t, uint32_t v)
{
    return t->s->reads_left[v] || t->s->after[v / 64] >> v % 64 & 1;
}

/* How many registers more are in use after instruction k. */
static int32_t growth(const struct issue *t, uint32_t k)
{
    uint32_t list[ASM_REFS], n = asm_uses(&t->g.insns[k], list);
    int32_t more = 0;
    for (uint32_t u = 0; u < n; u++) {
        uint32_t v = list[u];
        if (t->s->reads_left[v] == 1 && t->s->is_live[v] && !(t->s->after[v / 64] >> v % 64 & 1))
            more -= t->s->e->weight[v];
    }
    n = asm_definitions(&t->g.insns[k], list);
    for (uint32_t d = 0; d < n; d++)
        if (!t->s->is_live[list[d]])
            more += t->s->e->weight[list[d]];
    return more;
}

static void take_registers(struct issue *t, uint32_t k)
{
    struct scheduling *s = t->s;
    uint32_t list[ASM_REFS], n = asm_uses(&t->g.insns[k], list);
    for (uint32_t u = 0; u < n; u++) {
        s->reads_left[list[u]]--;
        if (s->is_live[list[u]] && !lives_on(t, list[u])) {
            s->is_live[list[u]] = 0;
            t->live -= s->e->weight[list[u]];
        }
    }
    n = asm_definitions(&t->g.insns[k], list);
    for (uint32_t d = 0; d < n; d++)
        if (!s->is_live[list[d]] && lives_on(t, list[d])) {
            s->is_live[list[d]] = 1;
            t->live += s->e->weight[list[d]];
        }
}

/* --- payloads ---------------------------------------------------------------------------------- */

static void number_payloads(struct issue *t)
{
    uint32_t n = 0;
    t->sets[0] = 0;
    for (uint32_t k = 0; k < t->g.n; k++) {
        const struct low_insn *i = &t->g.insns[k];
        t->number[k] = t->turn[k] = 0;
        if (!has_payload(i))
            continue;
        t->sets[n + 1] = t->sets[n] + (i->flags & INSN_MULTI ? STREAM_MAX_SETS
                                       : i->flags & INSN_MEM ? 1
                                                             : 0);
        t->number[k] = ++n;
    }
}

static bool is_in_reach(const struct issue *t, uint32_t k)
{
    uint32_t number = t->number[k];
    return number == 0 || (number - 1 < t->first + STREAM_WINDOW &&
                           t->sets[number] - t->sets[t->first] <= STREAM_WINDOW_SETS);
}

static void take_payload(struct issue *t, uint32_t k)
{
    uint32_t number = t->number[k];
    if (number == 0)
        return;
    t->member[t->taken++] = k;
    t->longest = number > t->longest ? number : t->longest;
    if (t->first + t->taken < t->longest)
        return;
    for (uint32_t m = 0; m < t->taken && t->taken > 1; m++)
        t->turn[t->member[m]] = (uint8_t)(t->number[t->member[m]] - t->first);
    t->first = t->longest;
    t->taken = 0;
}

/* --- issue ------------------------------------------------------------------------------------- */

/* The cycle in which the longest way to the end demands it. */
static uint32_t due(const struct issue *t, uint32_t k)
{
    return t->length - t->g.node[k].height + t->late;
}

static bool is_wanted(const struct issue *t, uint32_t k)
{
    int32_t more = growth(t, k);
    return more <= 0 || due(t, k) <= t->now ||
           (t->g.node[k].feeds_load && (int32_t)t->live + more <= (int32_t)t->s->e->limit);
}

/* The place in `ready` of what is issued now, or UINT32_MAX; *later is when to look again. */
static uint32_t choose(const struct issue *t, uint32_t *later)
{
    uint32_t best = UINT32_MAX;
    *later = UINT32_MAX;
    for (uint32_t x = 0; x < t->nready; x++) {
        uint32_t k = t->ready[x], at = t->g.node[k].ready_at;
        if (!is_in_reach(t, k))
            continue;
        if (at > t->now || !is_wanted(t, k)) {
            uint32_t when = at > t->now ? at : due(t, k);
            *later = when < *later ? when : *later;
            continue;
        }
        uint32_t b = best == UINT32_MAX ? UINT32_MAX : t->ready[best];
        if (best == UINT32_MAX || t->g.node[k].height > t->g.node[b].height ||
            (k < b && t->g.node[k].height == t->g.node[b].height))
            best = x;
    }
    return best;
}

static void take(struct issue *t, uint32_t k)
{
    take_registers(t, k);
    take_payload(t, k);
    for (uint32_t x = t->g.node[k].first_out; x; x = t->g.edge[x - 1].next) {
        const struct asm_edge *e = &t->g.edge[x - 1];
        struct asm_node *to = &t->g.node[e->to];
        if (t->now + e->cycles > to->ready_at)
            to->ready_at = t->now + e->cycles;
        if (--to->waits_for == 0)
            t->ready[t->nready++] = e->to;
    }
}

static void begin(struct issue *t, const uint64_t *before)
{
    struct scheduling *s = t->s;
    uint32_t list[ASM_REFS];
    memset(s->is_live, 0, s->e->out->nvregs);
    for (uint32_t w = 0; w < s->words; w++)
        for (uint64_t bits = before[w]; bits; bits &= bits - 1) {
            uint32_t v = w * 64 + (uint32_t)__builtin_ctzll(bits);
            s->is_live[v] = 1;
            t->live += s->e->weight[v];
        }
    for (uint32_t k = 0; k < t->g.n; k++) {
        uint32_t n = asm_uses(&t->g.insns[k], list);
        for (uint32_t u = 0; u < n; u++)
            s->reads_left[list[u]]++;
        if (t->g.node[k].height > t->length)
            t->length = t->g.node[k].height;
        if (!t->g.node[k].waits_for)
            t->ready[t->nready++] = k;
    }
}

static void issue_all(struct issue *t)
{
    uint32_t n = 0;
    while (t->nready) {
        uint32_t later, x = choose(t, &later);
        if (x == UINT32_MAX) {
            t->now = later > t->now ? later : t->now + 1;
            continue;
        }
        uint32_t k = t->ready[x];
        t->ready[x] = t->ready[--t->nready];
        if (t->now > due(t, k)) /* behind time: what is left is due later, too */
            t->late += t->now - due(t, k);
        t->order[n++] = k;
        take(t, k);
        t->now++;
    }
    HD_ASSERT(n == t->g.n && t->taken == 0,
              "%u of %u instructions are ordered, %u payloads missing", n, t->g.n, t->taken);
}

/* --- runs -------------------------------------------------------------------------------------- */

static void apply(struct issue *t, uint32_t first)
{
    struct asm_emitted *e = t->s->e;
    uint32_t n = t->g.n;
    for (uint32_t k = 0; k < n; k++) {
        t->insns[k] = t->g.insns[t->order[k]];
        t->insns[k].turn = t->turn[t->order[k]];
        t->from[k] = t->g.from[t->order[k]];
    }
    memcpy(e->out->insns + first, t->insns, n * sizeof *t->insns);
    memcpy(e->from + first, t->from, n * sizeof *t->from);
}

/* `before` lives in front of the run. */
static void order_run(struct issue *t, uint32_t first, uint32_t n, const uint64_t *before)
{
    t->g.insns = t->s->e->out->insns + first;
    t->g.from = t->s->e->from + first;
    t->g.n = n;
    t->live = t->length = t->late = t->now = t->nready = 0;
    t->first = t->longest = t->taken = 0;
    asm_depend(t->s->a, &t->g);
    number_payloads(t);
    begin(t, before);
    issue_all(t);
    apply(t, first);
}

/* Whether an instruction stays where it is, and others on their side of it. */
static bool is_fixed(const struct asm_emitted *e, uint32_t k)
{
    const struct low_insn *i = &e->out->insns[k];
    uint32_t list[ASM_REFS];
    if (i->flags & INSN_MEM)
        return i->flags & (INSN_BAR | INSN_EXIT) || i->end != NOT_AN_END ||
               (i->unit == UNIT_NONE && !asm_is_merged(e->from[k]));
    if (i->unit == UNIT_CONTROL || i->unit == UNIT_NONE || i->end != NOT_AN_END ||
        i->flags & (INSN_BAR | INSN_FENCE | INSN_EXIT) || asm_definitions(i, list) == 0)
        return true;
    const struct asm_insn *from = e->from[k]; /* the clock is read where it is */
    return from && from->guard == REF_NONE && !asm_is_pure(from) && i->opclass != OPCLASS_SHUFFLE;
}

/* From the end to the start, so that it is known what lives behind each run. */
static void order_block(struct issue *t, const struct block *b)
{
    struct scheduling *s = t->s;
    uint32_t end = b->first + b->count;
    while (end > b->first) {
        uint32_t first = end;
        while (first > b->first && end - first < MOST_OF_RUN && !is_fixed(s->e, first - 1))
            first--;
        if (first == end) {
            asm_live_before(&s->e->out->insns[--end], s->now_live);
            continue;
        }
        memcpy(s->after, s->now_live, s->words * sizeof *s->after);
        for (uint32_t k = end; k-- > first;)
            asm_live_before(&s->e->out->insns[k], s->now_live);
        if (end - first > 1)
            order_run(t, first, end - first, s->now_live);
        end = first;
    }
}

static struct issue issue_new(struct scheduling *s, struct arena *a)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < s->e->out->nblocks; b++)
        n = s->e->out->blocks[b].count > n ? s->e->out->blocks[b].count : n;
    n = n < MOST_OF_RUN ? n : MOST_OF_RUN;
    return (struct issue){.s = s,
                          .g = {.arena = a, .last = asm_last_new(a, s->e->out->nvregs + 1)},
                          .ready = ARENA_ARRAY(a, uint32_t, n + 1),
                          .order = ARENA_ARRAY(a, uint32_t, n + 1),
                          .number = ARENA_ARRAY(a, uint32_t, n + 1),
                          .sets = ARENA_ARRAY(a, uint32_t, n + 2),
                          .member = ARENA_ARRAY(a, uint32_t, n + 1),
                          .turn = ARENA_ARRAY(a, uint8_t, n + 1),
                          .insns = ARENA_ARRAY(a, struct low_insn, n + 1),
                          .from = ARENA_ARRAY(a, const struct asm_insn *, n + 1)};
}

void asm_schedule(const struct assembler *a, struct asm_emitted *e)
{
    struct asm_live live;
    struct arena *arena = e->out->arena;
    struct scheduling s = {.a = a, .e = e};
    if (!asm_find_live(e->out, &live))
        return;
    s.words = live.words;
    s.reads_left = ARENA_ARRAY(arena, uint32_t, e->out->nvregs + 1);
    s.is_live = ARENA_ARRAY(arena, uint8_t, e->out->nvregs + 1);
    s.after = ARENA_ARRAY(arena, uint64_t, s.words);
    s.now_live = ARENA_ARRAY(arena, uint64_t, s.words);
    struct issue t = issue_new(&s, arena);
    for (uint32_t b = 0; b < e->out->nblocks; b++) {
        memcpy(s.now_live, live.out + (size_t)b * s.words, s.words * sizeof *s.now_live);
        order_block(&t, &e->out->blocks[b]);
    }
}
