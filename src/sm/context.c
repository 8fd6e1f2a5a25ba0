/* context.c - CTAs on an SM: their warps' places, barriers, and their end.
 *
 * A CTA's places are free again when all its warps have ended and nothing of theirs is
 * outstanding, stores included, as in GPGPU-Sim.  Without sm.drain stores are not waited for: on a V100
 * a CTA that only stores makes room for the next one long before an answer could be back. */
#include <string.h>

#include "sm/sm_priv.h"

/* A CTA counts from the cycle it starts in through the cycle it ends in. */
void sm_account_residency(struct sm *s, hd_cycle to)
{
    uint64_t n = to - s->resident_since;
    s->resident_since = to;
    if (s->nresident == 0)
        return;
    s->stats.sched_cycles += n * s->nsched;
    s->stats.active_cycles += n;
    s->stats.warp_cycles += n * s->nresident;
    s->stats.cta_cycles += n * s->ncontexts_used;
}

static void place_warp(struct sm *s, const struct cta_start *start, uint32_t number)
{
    HD_ASSERT(s->free_slots && s->npositions < MAX_WARPS, "%s: no place for a warp", s->c.path);
    uint32_t slot = (uint32_t)__builtin_ctzll(s->free_slots);
    struct warp *w = &s->warp[slot];
    struct context *x = &s->context[start->context];
    const struct stream_kernel *k = x->program->kernel;
    s->free_slots &= s->free_slots - 1;
    *w = (struct warp){.slot = (uint8_t)slot,
                       .position = (uint8_t)s->npositions,
                       .bit = 1ull << s->npositions,
                       .scheduler = (uint8_t)(slot % s->nsched),
                       .context = (uint8_t)start->context,
                       .owner = (uint8_t)x->owner,
                       .program = x->program,
                       .state = WARP_EMPTY};
    s->pending_mem[slot] = (scoreboard){0};
    s->slot_at[s->npositions++] = (uint8_t)slot;
    s->sched[w->scheduler].own |= w->bit;
    s->in[WARP_EMPTY] |= w->bit;
    s->nresident++;
    x->warps |= 1ull << slot;
    stream_reader_init_view(&s->reader[slot], k, &start->streams.warp[number],
                            x->program->has_windows ? &s->window[slot] : NULL);
    struct lsu_warp lw = {start->streams.cta, start->kernel, k->local_bytes, x->owner};
    lsu_set_warp(s->lsu, slot, &lw);
}

static void start_cta(struct sm *s, const struct cta_start *start)
{
    struct context *x = &s->context[start->context];
    HD_ASSERT(start->context < MAX_CONTEXTS && !x->program, "%s: context %u is taken", s->c.path,
              start->context);
    memset(x, 0, sizeof *x);
    x->program = start->program;
    x->owner = start->owner;
    x->left = x->undone = start->streams.nwarps;
    s->ncontexts_used++;
    for (uint32_t i = 0; i < start->streams.nwarps; i++)
        place_warp(s, start, i);
    for (uint64_t m = x->warps; m; m &= m - 1)
        sm_advance(s, &s->warp[__builtin_ctzll(m)]);
}

void sm_start_ctas(struct sm *s, hd_cycle now)
{
    sm_account_residency(s, now);
    while (port_has(s->start, now))
        start_cta(s, (const struct cta_start *)(uintptr_t)port_pop(s->start, now));
    s->start_next = port_ready(s->start);
}

/* --- the end ---------------------------------------------------------------------------------- */

/* The new place of a position, or of the last one kept before it; -1: none. */
static int32_t moved(int32_t position, uint64_t keep)
{
    if (position < 0)
        return -1;
    uint64_t up_to = keep & (UINT64_MAX >> (63 - position));
    return __builtin_popcountll(up_to) - 1;
}

/* Closes the gaps that `gone` leaves in the order of age. */
static void forget_positions(struct sm *s, uint64_t gone)
{
    uint64_t all = s->npositions == 64 ? UINT64_MAX : (1ull << s->npositions) - 1;
    uint64_t keep = all & ~gone;
    uint32_t n = 0;
    for (int i = 0; i < WARP_STATES; i++)
        s->in[i] = policy_squeeze(s->in[i], keep);
    for (uint32_t i = 0; i < s->nsched; i++) {
        struct sched *sc = &s->sched[i];
        sc->own = policy_squeeze(sc->own, keep);
        sc->current = sc->current >= 0 && gone >> sc->current & 1 ? -1 : moved(sc->current, keep);
        sc->last = moved(sc->last, keep);
        if (s->policy->moved)
            s->policy->moved(sc->state, keep);
    }
    s->fetch_last = moved(s->fetch_last, keep);
    for (uint64_t m = keep; m; m &= m - 1, n++) {
        uint8_t slot = s->slot_at[__builtin_ctzll(m)];
        s->slot_at[n] = slot;
        s->warp[slot].position = (uint8_t)n;
        s->warp[slot].bit = 1ull << n;
    }
    s->npositions = n;
}

static void end_cta(struct sm *s, uint32_t context)
{
    struct context *x = &s->context[context];
    uint64_t gone = 0;
    for (uint64_t m = x->warps; m; m &= m - 1)
        gone |= s->warp[__builtin_ctzll(m)].bit;
    forget_positions(s, gone);
    s->free_slots |= x->warps;
    s->nresident -= (uint32_t)__builtin_popcountll(x->warps);
    s->ncontexts_used--;
    s->stats.ctas++;
    if (s->by_program)
        s->by_program[x->owner].stats.ctas++;
    s->stats.warps += (uint64_t)__builtin_popcountll(x->warps);
    x->program = NULL;
}

void sm_drain_warp(struct sm *s, struct warp *w)
{
    bool awaits = s->drains && lsu_outstanding(s->lsu, w->slot);
    if (w->inflight || awaits) {
        sm_move(s, w, WARP_DRAINS);
        if (awaits)
            lsu_await(s->lsu, w->slot);
        return;
    }
    sm_move(s, w, WARP_OVER);
    if (--s->context[w->context].undone == 0)
        s->ended |= 1ull << w->context;
}

/* --- barriers --------------------------------------------------------------------------------- */

static void open_if_complete(struct sm *s, struct context *x, struct barrier *b)
{
    uint32_t expected = b->expected ? b->expected : x->left * WARP_LANES;
    if (b->arrived == 0 || b->arrived < expected)
        return;
    uint64_t waiting = b->waiting;
    *b = (struct barrier){0};
    for (; waiting; waiting &= waiting - 1)
        sm_advance(s, &s->warp[__builtin_ctzll(waiting)]);
}

void sm_arrive(struct sm *s, struct warp *w, const struct stream_op *op, bool waits)
{
    struct context *x = &s->context[w->context];
    HD_ASSERT(op->bar_id < MAX_BARRIERS, "%s: barrier %u", s->c.path, op->bar_id);
    struct barrier *b = &x->barrier[op->bar_id];
    s->stats.barriers++;
    if (b->arrived == 0)
        b->expected = op->bar_threads;
    b->arrived += WARP_LANES;
    if (waits) {
        b->waiting |= 1ull << w->slot;
        sm_move(s, w, WARP_AT_BARRIER);
    } else {
        sm_advance(s, w);
    }
    open_if_complete(s, x, b);
}

void sm_end_warp(struct sm *s, struct warp *w)
{
    struct context *x = &s->context[w->context];
    sm_drain_warp(s, w);
    x->left--;
    for (int i = 0; i < MAX_BARRIERS && x->left; i++)
        if (x->barrier[i].arrived && !x->barrier[i].expected)
            open_if_complete(s, x, &x->barrier[i]);
}

void sm_end_ctas(struct sm *s, hd_cycle now)
{
    sm_account_residency(s, now + 1);
    for (; s->ended; s->ended &= s->ended - 1) {
        uint32_t context = (uint32_t)__builtin_ctzll(s->ended);
        uint32_t program = s->context[context].owner;
        bool owes = !s->drains && lsu_posted(s->lsu, program) > 0;
        end_cta(s, context);
        s->owes |= (uint32_t)owes << program;
        port_push(s->done, now, cta_done_message(context, owes));
    }
}

void sm_tell_settled(struct sm *s, hd_cycle now)
{
    for (uint32_t left = s->owes; left; left &= left - 1) {
        uint32_t program = (uint32_t)__builtin_ctz(left);
        if (lsu_posted(s->lsu, program))
            continue;
        s->owes &= ~(1u << program);
        port_push(s->done, now, cta_settled_message(program));
    }
}
