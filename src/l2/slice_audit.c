/* slice_audit.c - what must always hold in an L2 slice, and who waits for whom in it.
 *
 * Invariants: requests in = replies out + held; accesses = hits + misses + merges; every line that
 * is reserved has its MSHR and the other way round, but for lines that are kept nowhere; every
 * fetch and write that was sent is back or under way; dirty words are valid; with versions, no line
 * is older than the newest write that the slice has performed on it. */
#include <stdio.h>

#include "l2/slice_priv.h"
#include "sim/waitgraph.h"

static bool same(const struct slice *s, const char *what, uint64_t a, uint64_t b, struct err *e)
{
    if (a == b)
        return true;
    return err_set(e, STATUS_FAILED, "%s: %s: %llu is not %llu", s->c.path, what,
                   (unsigned long long)a, (unsigned long long)b);
}

static uint64_t waiting_in(const struct slice *s, uint32_t entry)
{
    uint32_t n;
    uint64_t waiting = 0;
    const uint64_t *waiter = mshr_waiters(&s->mshr, entry, &n);
    for (uint32_t k = s->fetch[entry].answered; k < n; k++)
        waiting += (uint32_t)waiter[k] != SLICE_NOBODY;
    return waiting;
}

static uint64_t waiting_in_mshrs(const struct slice *s)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->mshr.entries; i++)
        if (s->mshr.at[i].line != UINT64_MAX)
            n += waiting_in(s, i);
    return n;
}

/* What an MSHR has besides a fetch under way or an answer: more of these at once. */
static uint64_t further_fetches(const struct slice *s)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->mshr.entries && !s->is_direct; i++)
        if (s->mshr.at[i].line != UINT64_MAX)
            n += (uint64_t)__builtin_popcount(s->fetch[i].under_way) + s->fetch[i].is_draining - 1;
    return n;
}

static bool audit_counts(const struct slice *s, struct err *e)
{
    const struct l2_stats *t = &s->stats;
    uint64_t reads = t->read_hits + t->read_misses + t->read_merges;
    uint64_t writes = t->write_hits + t->write_misses + t->write_merges;
    uint64_t atomics = t->atomic_hits + t->atomic_misses + t->atomic_merges;
    uint64_t global = t->global_hits + t->global_misses + t->global_merges;
    uint64_t local = t->local_hits + t->local_misses + t->local_merges;
    uint64_t constant = t->const_hits + t->const_misses + t->const_merges;
    uint64_t texture = t->tex_hits + t->tex_misses + t->tex_merges;
    uint64_t replies = ring_held(&s->hits) + ring_held(&s->fills);
    uint64_t waiting = waiting_in_mshrs(s) + s->unconfirmed + s->npassing;
    uint64_t held = ring_held(&s->input) + waiting + replies;
    uint64_t writes_sent = t->writebacks + t->throughs - t->writebacks_done - t->throughs_done;
    return same(s, "requests in, replies out and held", t->requests, t->replies + held, e) &&
           same(s, "accesses and requests that are past the pipeline", t->accesses,
                t->requests - ring_held(&s->input), e) &&
           same(s, "accesses by outcome", t->accesses, reads + writes + atomics, e) &&
           same(s, "reads by space", reads, global + local + constant + texture, e) &&
           same(s, "places of replies", s->places, replies, e) &&
           same(s, "MSHRs, passing reads, and fetches under way or being answered",
                s->mshr.live + s->npassing + further_fetches(s),
                t->fetches - t->fills + ring_held(&s->drains) - s->nacks, e) &&
           same(s, "writes under way, confirmed, or to come of atomics and unkept lines",
                writes_sent + s->nacks + s->natomics + s->nheld, s->nwritebacks - s->nfree, e);
}

static bool audit_line(const struct slice *s, uint32_t i, struct err *e)
{
    const struct tags_line *l = &s->tags.line[i];
    const uint64_t address = tags_address(&s->tags, i);
    const char *fault = NULL;
    if (l->dirty & ~l->valid)
        fault = "has dirty words that are not valid";
    else if (tags_find(&s->tags, address) != i)
        fault = "is in the wrong set or in two places";
    else if (l->state == TAG_RESERVED &&
             (mshr_find(&s->mshr, address) != s->mshr_of[i] || s->fetch[s->mshr_of[i]].way != i))
        fault = "is reserved by no MSHR";
    else if (l->state == TAG_VALID && s->versions &&
             l->version != versions_get(s->versions, address))
        fault = "is not the newest version";
    if (!fault)
        return true;
    return err_set(e, STATUS_FAILED, "%s: line %#llx %s", s->c.path, (unsigned long long)address,
                   fault);
}

/* Words of a line that is kept nowhere have a slot to leave by; of a write-back cache nothing else
 * is sent through than what was refused. */
static bool audit_refused(const struct slice *s, struct err *e)
{
    uint32_t n = 0, slots = 0;
    bool sends_through = s->write_through || s->is_direct;
    for (uint32_t i = 0; s->unkept && i < s->mshr.entries; i++) {
        if (s->mshr.at[i].line == UINT64_MAX || s->fetch[i].way != TAGS_NONE)
            continue;
        const struct unkept *u = &s->unkept[i];
        n++;
        slots += u->slot != SLICE_NOBODY;
        if (u->line.dirty & ~u->line.valid || (u->line.dirty && u->slot == SLICE_NOBODY))
            return err_set(e, STATUS_FAILED, "%s: line %#llx, kept nowhere, would lose words",
                           s->c.path, (unsigned long long)s->mshr.at[i].line);
    }
    return same(s, "MSHRs without a line", n, s->nunkept, e) &&
           same(s, "slots of MSHRs without a line", slots, s->nheld, e) &&
           (sends_through || same(s, "writes sent through and those without a line",
                                  s->stats.throughs, s->refused.write_passes, e));
}

bool slice_audit(const struct component *c, struct err *e)
{
    const struct slice *s = (const struct slice *)c;
    uint64_t reserved = 0;
    if (!audit_counts(s, e) || !audit_refused(s, e))
        return false;
    for (uint32_t i = 0; i < s->tags.sets * s->tags.ways; i++) {
        if (s->tags.tag[i] == 0)
            continue;
        reserved += s->tags.line[i].state == TAG_RESERVED;
        if (!audit_line(s, i, e))
            return false;
    }
    return s->is_direct ||
           (same(s, "reserved lines and MSHRs", reserved, s->mshr.live - s->nunkept, e) &&
            follow_audit(&s->tags, s->c.path, e));
}

/* ---- the wait-for graph: requests, replies and memory, by the slots of the ports ---- */

static void add_input(const struct slice *s, struct waitgraph *g)
{
    const uint32_t in = s->opt.in_slot, reply = s->opt.reply_slot, memory = s->opt.memory_slot;
    bool frees = ring_held(&s->drains) > 0; /* a fill or a confirmed write, being
                                               answered, will free an MSHR or a slot */
    switch (s->stall) {
    case STALL_NONE:
    case STALL_BANK:
    case STALL_DATA:
        break;
    case STALL_REPLY:
        waitgraph_edge(g, &s->c, in, &s->c, reply);
        break;
    case STALL_MISS_QUEUE:
        waitgraph_edge(g, &s->c, in, &s->c, memory);
        break;
    default:
        waitgraph_edge(g, &s->c, in, &s->c, frees ? reply : memory);
        break;
    }
    waitgraph_vertex(g, &s->c, in, s->stall <= STALL_DATA, "requests");
}

void slice_waits(const struct component *c, struct waitgraph *g)
{
    const struct slice *s = (const struct slice *)c;
    const uint32_t reply = s->opt.reply_slot, memory = s->opt.memory_slot;
    add_input(s, g);
    waitgraph_vertex(g, c, reply, port_held(s->out) < port_depth(s->out), "replies");
    waitgraph_edge(g, c, reply, s->out->reader, s->opt.reply_vertex);
    bool can_send = ring_held(&s->sends) > 0 && port_held(s->to) < port_depth(s->to);
    waitgraph_vertex(g, c, memory, can_send || port_held(s->from) > 0, "transfers");
    waitgraph_edge(g, c, memory, s->to->reader, s->to->reader_slot);
}
