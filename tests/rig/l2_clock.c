#include "rig/l2_clock.h"

#include <stdlib.h>
#include <string.h>

struct reply {
    hd_cycle ready;
    uint32_t request;
    bool is_fill, is_sent;
};

enum why { GOES, BANK, DATA, REPLY, MERGE, MSHR, WAYS, WRITEBACK, PASSING, MISS_QUEUE, GATE, WHYS };

struct clock {
    const struct l2_rig *r;
    const struct l2_spec *l2;
    struct cache_model *m;
    hd_cycle now;
    uint32_t latency;
    uint32_t taken, accessed; /* requests */
    hd_cycle *ready;          /* [request]: at the tags */
    struct reply *replies;
    uint32_t nreplies, first_reply;
    uint32_t nsent;          /* replies in the port to the network, or taken from it */
    struct transfer *queued; /* [nqueued]: that were sent; the first npushed are in the port */
    uint32_t nqueued, npushed;
    uint32_t *through_of; /* [transfer]: the write that was sent through by it */
    uint32_t *pass_of;    /* [transfer]: the read that passed by with it */
    uint32_t passing;
    uint32_t *returned; /* [nreturned]: transfers in the order in which they came back */
    uint32_t nreturned, nfilled;
    uint32_t
        *turns; /* [first_turn, nturns): fetches and writes that came, with someone to answer */
    uint32_t first_turn, nturns;
    uint32_t slots; /* writes under way */
    hd_cycle *bank_free, data_free, fill_free;
    uint64_t stalled[WHYS]; /* cycles */
    char *fault;
};

enum { NO_WRITE = UINT32_MAX, FAULT = 256 };

#define FAIL(c, ...) ((c)->fault[0] ? 0 : snprintf((c)->fault, FAULT, __VA_ARGS__))

static uint32_t cycles_for(const struct clock *c, uint32_t bytes)
{
    return c->l2->port_bytes
               ? (bytes + (uint32_t)c->l2->port_bytes - 1) / (uint32_t)c->l2->port_bytes
               : 1;
}

/* ---- replies ---- */

static void add_reply(struct clock *c, uint32_t request, hd_cycle ready, bool is_fill)
{
    c->replies[c->nreplies++] = (struct reply){ready, request, is_fill, false};
}

static bool is_before(const struct reply *a, const struct reply *b)
{
    return a->ready != b->ready ? a->ready < b->ready : a->is_fill && !b->is_fill;
}

static bool has_place(const struct clock *c)
{
    int64_t hit = c->l2->hit_latency, fill = c->l2->fill_latency;
    return c->nreplies - c->nsent < (hit > fill ? hit : fill) + c->l2->reply_queue;
}

/* As for transfers: a place is free in the cycle after the network has taken what was in it. */
static bool can_reply(const struct clock *c)
{
    uint32_t left = c->nsent;
    for (uint32_t i = 0; i < c->nsent; i++)
        left -= c->r->sent[c->r->answers[i]].answered < c->now;
    return left < c->r->opt.port_depth;
}

static void send_reply(struct clock *c)
{
    struct reply *best = NULL;
    for (uint32_t i = c->first_reply; i < c->nreplies; i++) {
        struct reply *p = &c->replies[i];
        if (!p->is_sent && p->ready <= c->now && (!best || is_before(p, best)))
            best = p;
    }
    if (!best || !can_reply(c))
        return;
    best->is_sent = true;
    while (c->first_reply < c->nreplies && c->replies[c->first_reply].is_sent)
        c->first_reply++;
    hd_cycle seen = c->r->sent[best->request].answered;
    if (c->r->answers[c->nsent++] != best->request || seen <= c->now ||
        (c->r->opt.reply_every == 1 && seen != c->now + 1))
        FAIL(c, "request %u was answered at %llu, not at %llu", best->request,
             (unsigned long long)seen, (unsigned long long)c->now + 1);
}

/* ---- transfers ---- */

static void send_all(struct clock *c, uint32_t through, uint32_t pass)
{
    for (uint32_t i = 0; i < c->m->nsent; i++) {
        c->slots += c->m->sent[i].is_write;
        c->through_of[c->nqueued] = i == 0 ? through : NO_WRITE;
        c->pass_of[c->nqueued] = i == 0 ? pass : NO_WRITE;
        c->queued[c->nqueued++] = c->m->sent[i];
    }
}

/* A place in the port is free again in the cycle after memory has taken what was in it. */
static uint32_t port_room_now(const struct clock *c)
{
    uint32_t depth = (uint32_t)(c->l2->memory_queue ? c->l2->memory_queue : c->l2->miss_queue);
    uint32_t left = c->npushed;
    for (uint32_t i = 0; i < c->npushed; i++)
        left -= c->r->seen[i].seen < c->now;
    return depth - left;
}

static void push_transfer(struct clock *c)
{
    if (c->npushed == c->nqueued || port_room_now(c) == 0)
        return;
    uint32_t k = c->npushed++;
    const struct transfer *t = &c->queued[k], *s = &c->r->seen[k].t;
    if (k >= c->r->nseen || s->line != t->line || s->sectors != t->sectors ||
        s->is_write != t->is_write)
        FAIL(c, "transfer %u of cycle %llu is another", k, (unsigned long long)c->now);
    else if (c->r->seen[k].seen <= c->now ||
             (c->r->opt.memory_every == 1 && c->r->seen[k].seen != c->now + 1))
        FAIL(c, "transfer %u of cycle %llu was seen at %llu", k, (unsigned long long)c->now,
             (unsigned long long)c->r->seen[k].seen);
}

static bool can_send(const struct clock *c, const struct cache_model_need *n)
{
    uint32_t waiting = c->nqueued - c->npushed;
    if (c->l2->memory_queue == 0)
        return (!n->fetches && !n->further && !n->through && !n->victim_dirty && !n->passes) ||
               (waiting == 0 && port_room_now(c) > 0);
    if (n->refused)
        return waiting + 1 <= (uint32_t)c->l2->miss_queue;
    bool would_fetch = n->fetches || (n->through && c->l2->write_fetch);
    uint32_t places = n->through && would_fetch ? 3
                      : would_fetch             ? 2
                                                : n->through || n->victim_dirty || n->further;
    /* A second fetch for those who wait is sent in any case, so that there may be more than fit. */
    return places == 0 || waiting + places <= (uint32_t)c->l2->miss_queue;
}

/* ---- what comes from memory ---- */

static void take_fill(struct clock *c)
{
    if (c->nfilled == c->nreturned)
        return;
    uint32_t k = c->returned[c->nfilled];
    bool is_fill = !c->r->seen[k].t.is_write && c->pass_of[k] == NO_WRITE;
    if (c->fill_free > c->now && is_fill)
        return;
    if (c->r->seen[k].returned + c->r->opt.return_latency > c->now)
        return;
    c->nfilled++;
    const struct transfer *t = &c->r->seen[k].t;
    if (t->is_write && c->through_of[k] == NO_WRITE)
        c->slots--;
    else if (!is_fill)
        c->turns[c->nturns++] = k;
    if (!is_fill)
        return;
    uint32_t before = c->m->nfilled;
    c->fill_free = c->now + cycles_for(c, 32 * (uint32_t)__builtin_popcount(t->sectors));
    cache_model_fill(c->m, t->line, t->sectors);
    if (c->m->nfilled > before) /* else the line's turn has not come since the fill before */
        c->turns[c->nturns++] = k;
}

static void take_turn(struct clock *c)
{
    uint32_t request, version, left = c->m->nfilled;
    hd_cycle ready = c->now + (hd_cycle)c->l2->fill_latency;
    if (c->first_turn == c->nturns || !has_place(c))
        return;
    uint32_t k = c->turns[c->first_turn];
    if (c->through_of[k] != NO_WRITE) { /* a confirmed write is answered in its turn */
        add_reply(c, c->through_of[k], ready, true);
        c->slots--;
        c->first_turn++;
        return;
    }
    if (c->pass_of[k] != NO_WRITE) {
        add_reply(c, c->pass_of[k], ready, true);
        c->passing--;
        c->first_turn++;
        return;
    }
    switch (cache_model_answer(c->m, &request, &version)) {
    case CACHE_MODEL_ANSWERS:
        add_reply(c, request, ready, true);
        break;
    default:
        break;
    }
    send_all(c, NO_WRITE, NO_WRITE); /* more sectors, or a line that is kept nowhere */
    c->first_turn += c->m->nfilled < left;
}

/* ---- requests ---- */

static bool is_gated(const struct clock *c)
{
    return c->l2->gated && (port_room_now(c) == 0 || !has_place(c));
}

/* What the access has to wait for, in the order in which it is looked at. */
static enum why what_stops(const struct clock *c, const struct cache_model_need *n, hd_cycle bank)
{
    uint32_t writes = (uint32_t)n->through + n->victim_dirty + n->takes_slot;
    uint32_t slots = c->slots + cache_model_held(c->m);
    if (is_gated(c))
        return GATE;
    if (bank > c->now)
        return BANK;
    if (c->data_free > c->now)
        return DATA;
    if (!n->joins && !n->through && !n->passes && !has_place(c))
        return REPLY;
    if (n->outcome == CACHE_MODEL_MERGE && n->joins && n->waiters == (uint32_t)c->l2->merges)
        return MERGE;
    if (n->fetches && n->coming == (uint32_t)c->l2->mshrs)
        return MSHR;
    if (n->no_line)
        return WAYS;
    if (writes > 0 && slots + writes > (uint32_t)c->l2->writebacks)
        return WRITEBACK;
    if (n->passes && c->passing == (uint32_t)c->l2->passing)
        return PASSING;
    return can_send(c, n) ? GOES : MISS_QUEUE;
}

static void check_stalls(struct clock *c)
{
    const struct l2_stats *s = l2_rig_stats(c->r);
    const uint64_t counted[WHYS] = {[BANK] = s->stall_bank,
                                    [DATA] = s->stall_data,
                                    [REPLY] = s->stall_reply,
                                    [MERGE] = s->stall_merge,
                                    [MSHR] = s->stall_mshr,
                                    [WAYS] = s->stall_ways,
                                    [WRITEBACK] = s->stall_writeback,
                                    [MISS_QUEUE] = s->stall_miss_queue,
                                    [PASSING] = c->r->slice->refused.stall_passing};
    uint64_t sum = 0, expected = 0;
    for (int i = BANK; i < WHYS; i++) {
        sum += counted[i];
        expected += c->stalled[i];
    }
    if (sum != expected)
        FAIL(c, "stalled for %llu cycles, not %llu", (unsigned long long)sum,
             (unsigned long long)expected);
    /* A reason stands until it goes away, although the lack of a place may come before it then. */
    for (int i = BANK; i < GATE && !c->l2->gated && c->stalled[REPLY] == 0; i++)
        if (counted[i] != c->stalled[i])
            FAIL(c, "cycles of stall %d: %llu, not %llu", i, (unsigned long long)counted[i],
                 (unsigned long long)c->stalled[i]);
}

static void hold_data_port(struct clock *c, const struct request *q,
                           const struct cache_model_need *n)
{
    bool is_kept = n->takes_line && !n->fetches;
    uint32_t in = n->outcome == CACHE_MODEL_HIT || is_kept ? cycles_for(c, q->bytes) : 0;
    uint32_t out = n->victim_dirty ? cycles_for(c, 128) : 0;
    c->data_free = c->now + (c->l2->port_bytes ? in + out : 1);
}

static void access_tags(struct clock *c)
{
    uint32_t id = c->accessed, version;
    if (id == c->taken || c->ready[id] > c->now)
        return;
    const struct request *q = &c->r->pool.at[id];
    hd_cycle *bank = &c->bank_free[q->line / LINE_BYTES % c->m->sets % (uint32_t)c->l2->banks];
    struct cache_model_need n = cache_model_look(c->m, id);
    enum why why = what_stops(c, &n, *bank);
    c->stalled[why]++;
    if (why != GOES)
        return;
    hd_cycle cycles = (hd_cycle)c->l2->bank_cycles;
    *bank = c->now + cycles + (q->kind >= REQUEST_ATOMIC ? (hd_cycle)c->l2->atomic_cycles : 0);
    hold_data_port(c, q, &n);
    cache_model_access(c->m, id, &version);
    send_all(c, n.through ? id : NO_WRITE, n.passes ? id : NO_WRITE);
    c->passing += n.passes;
    if (!n.joins && !n.through && !n.passes)
        add_reply(c, id, c->now + (hd_cycle)c->l2->hit_latency, false);
    c->accessed++;
}

static void take_request(struct clock *c)
{
    uint32_t id = c->taken, waiting = 0;
    for (uint32_t i = c->accessed; i < c->taken; i++)
        waiting += c->ready[i] <= c->now;
    if (id == c->r->nsent || c->r->sent[id].asked + 1 > c->now)
        return;
    if (id - c->accessed == c->latency + (uint32_t)c->l2->input_queue ||
        (c->l2->gated && waiting >= (uint32_t)c->l2->input_queue))
        return;
    c->ready[id] = c->now + c->latency;
    c->taken++;
}

/* ---- the whole ---- */

static void sort_returned(struct clock *c)
{
    for (uint32_t k = 0; k < c->r->nseen; k++) {
        uint32_t at = c->nreturned++;
        for (; at > 0 && c->r->seen[c->returned[at - 1]].returned > c->r->seen[k].returned; at--)
            c->returned[at] = c->returned[at - 1];
        c->returned[at] = k;
    }
}

static void init(struct clock *c, const struct l2_rig *r)
{
    const struct l2_spec *l2 = config_get(r->cfg, &l2_section);
    struct arena *a = r->arena;
    uint64_t period = r->opt.slice_period, latency = (uint64_t)l2->latency;
    *c = (struct clock){.r = r, .l2 = l2, .latency = (uint32_t)latency};
    if (strcmp(l2->latency_clock, "sm") == 0) /* in cycles of the SMs */
        c->latency = (uint32_t)((latency * r->opt.sm_period + period - 1) / period);
    c->m = ARENA_NEW(a, struct cache_model);
    *c->m = (struct cache_model){.ways = (uint32_t)l2->ways,
                                 .sets = (uint32_t)(l2->size / l2->ways / LINE_BYTES),
                                 .mshrs = (uint32_t)l2->mshrs,
                                 .merges = (uint32_t)l2->merges,
                                 .write_fetch = l2->write_fetch,
                                 .write_through = l2->write_through,
                                 .sectored = l2->sectored,
                                 .sector_fetches = l2->sector_fetches,
                                 .mode = r->opt.mode,
                                 .kinds = r->opt.kinds,
                                 .spaces = r->opt.spaces,
                                 .requests = r->pool.at};
    c->ready = ARENA_ARRAY(a, hd_cycle, r->nsent);
    c->replies = ARENA_ARRAY(a, struct reply, r->nsent);
    c->queued = ARENA_ARRAY(a, struct transfer, 4 * r->nsent);
    c->through_of = ARENA_ARRAY(a, uint32_t, 4 * r->nsent);
    c->pass_of = ARENA_ARRAY(a, uint32_t, 4 * r->nsent);
    c->returned = ARENA_ARRAY(a, uint32_t, r->nseen);
    c->turns = ARENA_ARRAY(a, uint32_t, r->nseen);
    c->bank_free = ARENA_ARRAY(a, hd_cycle, (size_t)l2->banks);
    c->fault = ARENA_ARRAY(a, char, FAULT);
    sort_returned(c);
}

const char *l2_clock_judge(const struct l2_rig *r)
{
    struct clock c;
    hd_cycle end = 0;
    for (uint32_t i = 0; i < r->nsent; i++)
        end = r->sent[i].answered > end ? r->sent[i].answered : end;
    init(&c, r);
    for (; c.now <= end && !c.fault[0]; c.now++) {
        send_reply(&c);
        take_fill(&c);
        take_turn(&c);
        access_tags(&c);
        push_transfer(&c);
        take_request(&c);
        if (c.m->fault)
            FAIL(&c, "%s", c.m->fault);
    }
    if (c.first_reply != r->nsent)
        FAIL(&c, "request %u is not answered", c.replies[c.first_reply].request);
    check_stalls(&c);
    cache_model_free(c.m);
    return c.fault[0] ? c.fault : NULL;
}
