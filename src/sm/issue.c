/* issue.c - the cycle of an SM: results come in, warps are picked, their instructions issued, new
 * ones fetched.  All of it in one file, so that it is compiled as one function for each kind of
 * host. */
#include "sm/sm_priv.h"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HOT_CLONES __attribute__((target_clones("default", "arch=x86-64-v3"), flatten))
#else
#define HOT_CLONES
#endif

/* --- the head of a warp ----------------------------------------------------------------------- */

static inline void look_at_head(struct sm *s, struct warp *w)
{
    const struct sm_insn *in = &w->program->insn[w->head];
    enum warp_state to = (enum warp_state)in->pipe;
    if (scoreboard_meets(&w->pending, &in->uses)) {
        bool is_mem = w->inflight_mem && scoreboard_meets(&s->pending_mem[w->slot], &in->uses);
        to = is_mem ? WARP_WAITS_MEM : WARP_WAITS_ALU;
    }
    sm_move(s, w, to);
}

/* The next instruction that hardware would see; false at the end of the stream. */
static inline bool find_head(struct sm *s, struct warp *w, struct stream_reader *r)
{
    const struct sm_program *p = w->program;
    struct stream_op ignored;
    for (;;) {
        if (r->next == r->end) {
            w->fetched = 0; /* buffers do not reach beyond a block */
            if (!stream_reader_enter(r)) {
                s->is_broken |= r->is_broken;
                return false;
            }
        }
        w->head = r->next;
        if (!p->insn[w->head].is_nothing)
            return true;
        stream_reader_next(r, &ignored);
    }
}

static inline void advance_in(struct sm *s, struct warp *w, struct stream_reader *r)
{
    if (!find_head(s, w, r))
        sm_end_warp(s, w);
    else if (w->fetched == 0)
        sm_move(s, w, WARP_EMPTY);
    else
        look_at_head(s, w);
}

static inline void advance(struct sm *s, struct warp *w)
{
    advance_in(s, w, &s->reader[w->slot]);
}

void sm_advance(struct sm *s, struct warp *w)
{
    advance(s, w);
}

/* --- issue ------------------------------------------------------------------------------------ */

/* The counters from one on, as an array: issued_* and threads_* follow the order of enum stream_unit,
 * stall_* that of enum stall. */
static inline uint64_t *counters(struct sm *s, size_t first)
{
    return (uint64_t *)(void *)((char *)&s->stats + first);
}

static inline void count(struct sm *s, const struct sm_insn *in, uint32_t mask)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(mask), unit = in->unit - UNIT_INT;
    counters(s, offsetof(struct sm_stats, issued_int))[unit]++;
    counters(s, offsetof(struct sm_stats, threads_int))[unit] += lanes;
    s->operands += __builtin_convertvector(in->operands * lanes, sm_operands);
}

static void count_program(struct sm_by_program *p, hd_cycle now, uint32_t mask)
{
    p->stats.issued++;
    p->stats.thread_insns += (uint32_t)__builtin_popcount(mask);
    p->last_issue = now;
}

/* Of 0 .. n-1 in turn, the one after i: without a branch, which a predictor cannot foresee. */
static inline uint32_t next_of(uint32_t i, uint32_t n)
{
    return (i + 1) & -(uint32_t)(i + 1 != n);
}

/* The pipeline of this kind that is free first takes it.  They are a ring in the order in which they are
 * free: this one is the last then, unless others have taken something that lasts longer. */
static inline void take_pipeline(struct sm *s, hd_cycle now, const struct sm_insn *in)
{
    hd_cycle *at = s->free_at[in->pipe];
    const uint32_t n = s->npipelines[in->pipe], taken = s->first_free[in->pipe];
    const uint32_t first = next_of(taken, n);
    at[taken] = now + in->interval;
    for (uint32_t k = taken; k != first;) {
        uint32_t before = k - 1 + (k == 0 ? n : 0);
        if (at[before] <= at[k])
            break;
        hd_cycle later = at[before];
        at[before] = at[k];
        at[k] = later;
        k = before;
    }
    s->first_free[in->pipe] = (uint8_t)first;
    s->free_first[in->pipe] = at[first];
}

static inline void mark_pending(struct warp *w, uint32_t insn)
{
    w->pending |= w->program->defs[insn];
    w->inflight++;
}

static void wait_at_fence(struct sm *s, struct warp *w)
{
    sm_move(s, w, WARP_AT_FENCE);
    lsu_await(s->lsu, w->slot);
}

/* Barriers, fences, exits: no pipeline, and the warp may have to wait. */
static void issue_control(struct sm *s, struct warp *w, const struct sm_insn *in,
                          const struct stream_op *op)
{
    if (in->flags & INSN_BAR)
        sm_arrive(s, w, op, !(in->flags & INSN_ARRIVE));
    else if (in->flags & INSN_FENCE && lsu_outstanding(s->lsu, w->slot))
        wait_at_fence(s, w);
    else
        advance(s, w);
}

static inline void issue_memory(struct sm *s, hd_cycle now, struct warp *w,
                                const struct stream_op *op)
{
    const uint32_t insn = op->insn;
    const struct sm_program *p = w->program;
    if (p->insn[insn].flags & INSN_LOAD) {
        mark_pending(w, insn);
        s->pending_mem[w->slot] |= p->defs[insn];
        w->inflight_mem++;
    }
    lsu_issue(s->lsu, now, w->slot, &p->kernel->insns[insn], op);
    s->lsu_next = s->lsu_next < now + 1 ? s->lsu_next : now + 1;
    s->lsu_takes = lsu_can_issue(s->lsu);
}

/* Issues the head of a warp, which is then in its next state; returns its pipeline.  The warp is told by its slot: the
 * host can look for its stream while the warp itself is on its way. */
static inline enum pipe issue_head(struct sm *s, hd_cycle now, uint32_t slot)
{
    struct warp *w = &s->warp[slot];
    struct stream_reader *r = &s->reader[slot];
    const uint32_t insn = w->head;
    const struct sm_insn *in = &w->program->insn[insn];
    struct stream_op op;
    if (!stream_reader_take(r, &op, in->flags)) {
        s->is_broken = true;
        sm_end_warp(s, w);
        return PIPE_NONE;
    }
    w->fetched--;
    count(s, in, op.mask);
    if (s->by_program)
        count_program(&s->by_program[w->owner], now, op.mask);
    if (op.mask == 0) {
        s->stats.issued_off++;
    } else {
        if (in->pipe == PIPE_NONE) {
            issue_control(s, w, in, &op);
            return PIPE_NONE;
        }
        take_pipeline(s, now, in);
        if (in->pipe == PIPE_MEM) {
            issue_memory(s, now, w, &op);
        } else if (in->writes) {
            mark_pending(w, insn);
            completions_add(&s->completions, now, now + in->latency, slot, insn, false);
        }
    }
    advance_in(s, w, r);
    return (enum pipe)in->pipe;
}

/* Masks or cycles of the four kinds of pipelines that compute, side by side. */
typedef int64_t by_pipe __attribute__((vector_size(32), aligned(8), may_alias));
_Static_assert(PIPE_SP == 0 && PIPE_INT == 1 && PIPE_DP == 2 && PIPE_SFU == 3, "not side by side");

/* Warps whose head a pipeline takes now.  Without a branch: which pipelines are free is what a branch predictor cannot
 * know. */
static inline uint64_t issuable(const struct sm *s, hd_cycle now)
{
    const int64_t at = (int64_t)now;
    const by_pipe waiting = *(const by_pipe *)s->in, free = *(const by_pipe *)s->free_first;
    const by_pipe taken = waiting & (free <= (by_pipe){at, at, at, at});
    const bool takes_mem = s->lsu_takes & (s->free_first[PIPE_MEM] <= now);
    const uint64_t m = (uint64_t)(taken[0] | taken[1] | taken[2] | taken[3]) | s->in[PIPE_NONE] |
                       (s->in[PIPE_MEM] & -(uint64_t)takes_mem);
    return s->completions.live < s->most_results ? m : 0;
}

static inline struct sched_view view_of(const struct sm *s, const struct sched *sc, uint64_t able)
{
    if (!s->policy->sees_all)
        return (struct sched_view){.candidates = able & sc->own};
    uint64_t waiting = s->in[WARP_WAITS_MEM] | s->in[WARP_AT_BARRIER] | s->in[WARP_AT_FENCE] |
                       s->in[WARP_DRAINS] | s->in[WARP_OVER];
    return (struct sched_view){able & sc->own, sm_ready(s) & sc->own, waiting & sc->own};
}

/* Which warps of the other schedulers are still able to, now that this one has issued for pipeline p: only what barriers and the
 * end of a warp do can make others ready. */
static inline uint64_t still_able(const struct sm *s, hd_cycle now, uint64_t able, enum pipe p,
                                  const struct warp *w)
{
    if (p == PIPE_NONE || w->state >= WARP_AT_FENCE || s->completions.live >= s->most_results)
        return issuable(s, now);
    const bool is_taken = s->free_first[p] > now || (p == PIPE_MEM && !s->lsu_takes);
    return able & ~(s->in[p] & -(uint64_t)is_taken);
}

/* Up to issue_width instructions of one warp, of those that are able to; returns whether there were any. */
static inline bool issue(struct sm *s, hd_cycle now, struct sched *sc, uint64_t *able)
{
    if (!(*able & sc->own) && !s->policy->always)
        return false;
    struct sched_view v = view_of(s, sc, *able);
    int32_t at = s->policy->pick(sc, &v);
    if (at < 0)
        return false;
    const uint32_t slot = s->slot_at[at];
    sc->last = sc->current = at;
    enum pipe p = issue_head(s, now, slot);
    *able = still_able(s, now, *able, p, &s->warp[slot]);
    for (uint32_t n = 1; n < s->issue_width && issuable(s, now) & s->warp[slot].bit; n++) {
        issue_head(s, now, slot);
        *able = issuable(s, now);
    }
    return true;
}

/* --- results and fetches ---------------------------------------------------------------------- */

static inline void take_result(struct sm *s, const struct completion *c)
{
    struct warp *w = &s->warp[c->warp];
    if (c->insn != COMPLETION_QUIET) {
        scoreboard keep = ~w->program->defs[c->insn];
        w->pending &= keep;
        w->inflight--;
        if (c->is_memory) { /* no other result is of a register that memory owes */
            s->pending_mem[c->warp] &= keep;
            w->inflight_mem--;
        }
    }
    if (w->state == WARP_WAITS_ALU || w->state == WARP_WAITS_MEM)
        look_at_head(s, w);
    else if (w->state == WARP_DRAINS)
        sm_drain_warp(s, w);
    else if (w->state == WARP_AT_FENCE && lsu_outstanding(s->lsu, c->warp) == 0)
        advance(s, w);
}

static inline void take_results(struct sm *s, hd_cycle now)
{
    for (uint16_t i = completions_take(&s->completions, now); i != COMPLETION_NONE;) {
        take_result(s, &s->completions.at[i]);
        i = completions_release(&s->completions, i);
    }
}

static inline void end_fetches(struct sm *s, hd_cycle now)
{
    uint64_t *slots = &s->fetched[now % FETCH_SLOTS];
    for (; *slots; *slots &= *slots - 1) {
        struct warp *w = &s->warp[__builtin_ctzll(*slots)];
        w->fetched = (uint8_t)s->ibuffer;
        look_at_head(s, w);
    }
}

/* For the next warps in turn whose buffers are empty. */
static inline void begin_fetches(struct sm *s, hd_cycle now)
{
    for (uint32_t n = 0; n < s->fetch_warps && s->in[WARP_EMPTY]; n++) {
        int32_t at = policy_next(s->in[WARP_EMPTY], s->fetch_last + 1);
        uint8_t slot = s->slot_at[at];
        s->fetch_last = at;
        sm_move(s, &s->warp[slot], WARP_FETCHING);
        s->fetched[(now + s->fetch_latency) % FETCH_SLOTS] |= 1ull << slot;
        s->stats.fetches++;
    }
}

/* --- statistics over time --------------------------------------------------------------------- */

/* Why a scheduler issues nothing as things are. */
static inline enum stall reason(const struct sm *s, uint64_t own)
{
    uint64_t ready = sm_ready(s) & own;
    if (ready)
        return ready == (s->in[PIPE_MEM] & own) ? STALL_LSU : STALL_PIPE;
    if (s->in[WARP_WAITS_ALU] & own)
        return STALL_ALU;
    if (s->in[WARP_WAITS_MEM] & own)
        return STALL_MEM;
    if ((s->in[WARP_EMPTY] | s->in[WARP_FETCHING]) & own)
        return STALL_FETCH;
    if (s->in[WARP_AT_FENCE] & own)
        return STALL_FENCE;
    if (s->in[WARP_AT_BARRIER] & own)
        return STALL_BARRIER;
    return s->in[WARP_DRAINS] & own ? STALL_DRAIN : STALL_IDLE;
}

/* Cycles [accounted, to): nothing was issued in them, nothing has changed. */
static inline void account(struct sm *s, hd_cycle to)
{
    uint64_t n = to - s->accounted;
    s->accounted = to;
    if (n == 0 || s->nresident == 0)
        return;
    for (uint32_t i = 0; i < s->nsched; i++)
        counters(s, offsetof(struct sm_stats, stall_pipe))[reason(s, s->sched[i].own)] += n;
    s->stats.ready_warp_cycles += n * (uint64_t)__builtin_popcountll(sm_ready(s));
}

void sm_account(struct sm *s, hd_cycle to)
{
    if (to > s->accounted)
        account(s, to);
    sm_account_residency(s, to);
}

/* The cycle that ends: `issued` has a bit per scheduler that issued. */
static inline void account_cycle(struct sm *s, hd_cycle now, uint32_t issued)
{
    s->accounted = now + 1;
    s->stats.ready_warp_cycles += (uint64_t)__builtin_popcountll(sm_ready(s));
    s->stats.issue_cycles += (uint32_t)__builtin_popcount(issued);
    for (uint32_t rest = ~issued & ((1u << s->nsched) - 1); rest; rest &= rest - 1) {
        const struct sched *sc = &s->sched[__builtin_ctz(rest)];
        counters(s, offsetof(struct sm_stats, stall_pipe))[reason(s, sc->own)]++;
    }
}

/* --- the cycle -------------------------------------------------------------------------------- */

static inline hd_cycle sooner(hd_cycle a, hd_cycle b)
{
    return a < b ? a : b;
}

/* The first cycle after now at which a pipeline takes one of the ready warps. */
static inline hd_cycle next_issue(const struct sm *s, hd_cycle now)
{
    hd_cycle next = HD_NEVER;
    for (uint32_t p = 0; p < PIPE_NONE; p++)
        if (s->in[p] && (p != PIPE_MEM || s->lsu_takes))
            next = sooner(next, s->free_first[p]);
    return next > now ? next : now + 1;
}

static inline hd_cycle next_cycle(struct sm *s, hd_cycle now)
{
    if (s->in[WARP_EMPTY] | issuable(s, now + 1) || s->lsu_next <= now + 1)
        return now + 1;
    hd_cycle next = sooner(s->lsu_next, s->start_next);
    if (sm_ready(s))
        next = sooner(next, next_issue(s, now));
    for (uint32_t d = 1; s->in[WARP_FETCHING] && d < FETCH_SLOTS && next > now + d; d++)
        if (s->fetched[(now + d) % FETCH_SLOTS])
            next = now + d;
    if (next <= now + 1)
        return now + 1;
    return sooner(next, completions_next(&s->completions, now));
}

/* Who comes first gets the load/store unit when it has room for one instruction. */
static inline uint32_t first_scheduler(const struct sm *s, hd_cycle now)
{
    return s->turns == 1 ? 0 : (uint32_t)(now % s->turns);
}

static inline void tick_lsu(struct sm *s, hd_cycle now)
{
    if (s->lsu_next > now)
        return;
    s->lsu_next = HD_NEVER; /* it may be woken for the next cycle while it is ticked */
    hd_cycle next = lsu_tick(s->lsu, now);
    s->lsu_next = sooner(next, s->lsu_next);
    s->lsu_takes = lsu_can_issue(s->lsu);
    if (s->owes)
        sm_tell_settled(s, now);
}

/* Schedulers, from the one whose turn it is; returns a bit for each that issued. */
static inline uint32_t issue_all(struct sm *s, hd_cycle now, uint64_t able)
{
    uint32_t issued = 0;
    for (uint32_t n = 0, i = first_scheduler(s, now); n < s->nsched; n++) {
        issued |= (uint32_t)issue(s, now, &s->sched[i], &able) << i;
        i = next_of(i, s->nsched);
    }
    return issued;
}

/* Results and fetches that are due, CTAs that have come: warps change. */
static inline bool has_events(const struct sm *s, hd_cycle now)
{
    return completions_has(&s->completions, now) || s->fetched[now % FETCH_SLOTS] ||
           s->start_next <= now;
}

/* In many a cycle only the load/store unit has something to do, and no warp changes: those are accounted for
 * with the next that is not of this kind.  `is_watched` is known to the compiler. */
static inline hd_cycle tick(struct sm *s, hd_cycle now, bool is_watched)
{
    const bool changes = has_events(s, now);
    if (changes) {
        account(s, now);
        take_results(s, now);
        end_fetches(s, now);
    }
    tick_lsu(s, now);
    if (s->start_next <= now)
        sm_start_ctas(s, now);
    const uint64_t able = issuable(s, now);
    if (s->nresident && (changes || able | s->in[WARP_EMPTY] | s->ended || s->policy->always)) {
        const int before = is_watched ? __builtin_popcountll(sm_ready(s)) : 0;
        account(s, now);
        uint32_t issued = issue_all(s, now, able);
        begin_fetches(s, now);
        if (s->ended)
            sm_end_ctas(s, now);
        account_cycle(s, now, issued);
        if (is_watched)
            s->watch->more += (uint64_t)(before - __builtin_popcountll(sm_ready(s)));
    }
    return next_cycle(s, now);
}

HOT_CLONES hd_cycle sm_tick(struct component *c, hd_cycle now)
{
    return tick((struct sm *)c, now, false);
}

HOT_CLONES hd_cycle sm_tick_watched(struct component *c, hd_cycle now)
{
    return tick((struct sm *)c, now, true);
}
