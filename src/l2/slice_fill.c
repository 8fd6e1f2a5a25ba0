/* slice_fill.c - what comes from memory: lines for those who wait in MSHRs, confirmed writes.
 *
 * A fill is taken whether or not there are places for replies; its waiters are answered one by one
 * as places come, in the order in which fills and confirmations came. */
#include "l2/slice_priv.h"

/* A write-back frees its slot; a request whose write it was gets its reply first. */
static void confirm(struct slice *s, uint32_t slot)
{
    bool is_awaited = s->writer[slot - s->mshr.entries] != SLICE_NOBODY;
    if (is_awaited || s->is_direct)
        s->stats.throughs_done++;
    else
        s->stats.writebacks_done++;
    if (!is_awaited) {
        slice_free_slot(s, slot);
        return;
    }
    s->nacks++;
    ring_add(&s->drains, 0, slot, 0);
}

/* The MSHR that a fetch is for; it is no longer under way. */
static uint32_t take_fetch(struct slice *s, uint32_t transfer)
{
    uint32_t entry = transfer, nth = 0;
    if (transfer >= s->mshr.entries) {
        uint32_t further = transfer - slice_first_further(s);
        entry = further / FURTHER_FETCHES;
        nth = 1 + further % FURTHER_FETCHES;
    }
    s->fetch[entry].under_way &= (uint8_t) ~(1u << nth);
    return entry;
}

static void fill_line(struct slice *s, uint32_t entry, const struct transfer *t)
{
    struct tags_line *l = slice_line(s, entry);
    l->valid |= request_words_of(t->sectors);
    if (t->version > l->version) /* words that were kept here are newer than memory */
        l->version = t->version;
}

/* Apart from the question whether there is anything, which is asked in every cycle. */
static __attribute__((noinline)) void take(struct slice *s, hd_cycle now)
{
    uint32_t at = (uint32_t)port_pop(s->from, now);
    if (!slice_is_fetch(s, at)) {
        if (at >= slice_first_passing(s))
            slice_passed(s, at, now);
        else
            confirm(s, at);
        return;
    }
    const uint32_t entry = take_fetch(s, at);
    struct fetch *f = &s->fetch[entry];
    if (!s->is_direct)
        fill_line(s, entry, &s->transfers[at]);
    slice_hold(s, &s->fill_free, now, 8 * slice_count_sectors(s->transfers[at].sectors));
    f->filled_at = now * s->c.period;
    s->stats.fills++;
    if (!f->is_draining)
        ring_add(&s->drains, 0, entry, 0);
    f->is_draining = true;
}

void slice_fill(struct slice *s, hd_cycle now)
{
    if (port_has(s->from, now) && !slice_waits_to_fill(s, now))
        take(s, now);
}

static bool is_nobody(uint64_t waiter)
{
    return (uint32_t)waiter == SLICE_NOBODY;
}

/* Sectors that somebody who still waits in the entry does not find. */
static uint8_t still_missing(const struct slice *s, uint32_t entry, uint32_t valid)
{
    uint32_t n, words = 0;
    const uint64_t *waiter = mshr_waiters(&s->mshr, entry, &n);
    for (uint32_t k = s->fetch[entry].answered; k < n; k++)
        if (!is_nobody(waiter[k]))
            words |= slice_needs(s, &s->pool->at[(uint32_t)waiter[k]]) & ~valid;
    return request_sectors_of(words);
}

static void release(struct slice *s, uint32_t entry, hd_cycle now)
{
    if (s->fetch[entry].way != TAGS_NONE)
        s->tags.line[s->fetch[entry].way].state = TAG_VALID;
    else
        slice_let_go(s, entry);
    mshr_release(&s->mshr, entry);
    level_down(&s->mshr_level, now);
    s->drains.head++;
    s->retry = true;
}

static void answer_waiter(struct slice *s, uint32_t entry, uint64_t waiter, hd_cycle now)
{
    struct request *r = &s->pool->at[(uint32_t)waiter];
    struct item reply = {now + s->fill_latency, (uint32_t)waiter, (uint32_t)(waiter >> 32)};
    slice_perform(s, slice_line(s, entry), r);
    if (s->sector_fetches) /* words that it wrote may be those that the head would have fetched */
        s->retry = true;
    if (s->fetch[entry].way != TAGS_NONE) {
        if (s->dirty_lines)
            slice_clean(s, slice_line(s, entry), now);
        r->flags |= follow_news(&s->tags, s->fetch[entry].way);
    }
    /* Who came after the fill has not waited for memory. */
    request_mark(r, PART_DRAM,
                 s->fetch[entry].filled_at > r->stamp ? s->fetch[entry].filled_at : r->stamp);
    slice_add_reply(s, &s->fills, now, &reply);
}

/* Nobody can be answered until more has come. */
static void await_more(struct slice *s, struct fetch *f)
{
    s->drains.head++;
    f->is_draining = false;
}

static void drain_line(struct slice *s, uint32_t entry, hd_cycle now)
{
    struct fetch *f = &s->fetch[entry];
    uint32_t n;
    const uint64_t *waiters = mshr_waiters(&s->mshr, entry, &n);
    const uint64_t waiter = f->answered < n ? waiters[f->answered] : SLICE_NOBODY;
    const struct tags_line *l = slice_line(s, entry);
    if (!is_nobody(waiter)) {
        if (slice_needs(s, &s->pool->at[(uint32_t)waiter]) & ~l->valid) {
            await_more(s, f);
            if (f->under_way)
                return;
            s->stats.refetches++;
            slice_send_fetch(s, entry, still_missing(s, entry, l->valid));
            return;
        }
        answer_waiter(s, entry, waiter, now);
    }
    f->answered += f->answered < n;
    if (f->answered < n)
        return;
    if (f->under_way)
        await_more(s, f);
    else
        release(s, entry, now);
}

static void drain_ack(struct slice *s, uint32_t slot, hd_cycle now)
{
    uint64_t waiter = s->writer[slot - s->mshr.entries];
    struct item reply = {now + s->fill_latency, (uint32_t)waiter, (uint32_t)(waiter >> 32)};
    request_mark(&s->pool->at[reply.id], PART_DRAM, now * s->c.period);
    slice_add_reply(s, &s->fills, now, &reply);
    s->drains.head++;
    s->nacks--;
    s->unconfirmed--;
    slice_free_slot(s, slot);
}

void slice_drain(struct slice *s, hd_cycle now)
{
    if (ring_held(&s->drains) == 0 || s->places == s->most_places)
        return;
    uint32_t at = ring_head(&s->drains)->id;
    if (at >= slice_first_passing(s))
        slice_answer_passed(s, at, now);
    else if (at >= s->mshr.entries)
        drain_ack(s, at, now);
    else if (s->is_direct)
        slice_direct_answer(s, at, now);
    else
        drain_line(s, at, now);
}
