/* slice_access.c - what an access does to tags and MSHRs, and what a fill does.
 *
 * Allocate on miss, as GPGPU-Sim's L2 ("on miss", write-back, write-allocate): the line is
 * reserved when the fetch leaves, so that the fill always has a place.  A write without fetch
 * keeps its words; the rest of the line comes when somebody needs it, and dirty words stay.
 *
 * A sectored line on its way of which other sectors are wanted: the request waits in the line's
 * MSHR, which fetches once more when the first fetch has come.  One fetch per MSHR is outstanding
 * at any time.
 *
 * Not modelled: data, byte enables (a write makes whole words valid), banks busy with fills. */
#include <stddef.h>

#include "l2/slice_priv.h"
#include "stream/stream.h"

/* ---- counting ---- */

#define OUTCOMES_OF(group)                                                                         \
    {                                                                                              \
        offsetof(struct l2_stats, group##_hits), offsetof(struct l2_stats, group##_misses),        \
            offsetof(struct l2_stats, group##_merges)                                              \
    }

static const uint16_t kind_counter[REQUEST_KINDS][OUTCOMES] = {
    [REQUEST_READ] = OUTCOMES_OF(read),
    [REQUEST_WRITE] = OUTCOMES_OF(write),
    [REQUEST_ATOMIC] = OUTCOMES_OF(atomic),
    [REQUEST_REDUCE] = OUTCOMES_OF(atomic),
};

static const uint16_t space_counter[STREAM_SPACES][OUTCOMES] = {
    [STREAM_GLOBAL] = OUTCOMES_OF(global), [STREAM_SHARED] = OUTCOMES_OF(global),
    [STREAM_LOCAL] = OUTCOMES_OF(local),   [STREAM_CONST] = OUTCOMES_OF(const),
    [STREAM_TEX] = OUTCOMES_OF(tex),       [STREAM_PARAM] = OUTCOMES_OF(const),
};

static const uint16_t stall_counter[STALLS] = {
    [STALL_BANK] = offsetof(struct l2_stats, stall_bank),
    [STALL_REPLY] = offsetof(struct l2_stats, stall_reply),
    [STALL_MERGE] = offsetof(struct l2_stats, stall_merge),
    [STALL_MSHR] = offsetof(struct l2_stats, stall_mshr),
    [STALL_WAYS] = offsetof(struct l2_stats, stall_ways),
    [STALL_WRITEBACK] = offsetof(struct l2_stats, stall_writeback),
    [STALL_MISS_QUEUE] = offsetof(struct l2_stats, stall_miss_queue),
};

static const uint8_t ones[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

static uint64_t *counter(struct slice *s, uint16_t offset)
{
    return (uint64_t *)(void *)((char *)&s->stats + offset);
}

static void count_access(struct slice *s, const struct request *r, enum outcome o)
{
    const uint32_t sectors = ones[r->sectors & 15];
    s->stats.accesses++;
    ++*counter(s, kind_counter[r->kind][o]);
    if (r->kind == REQUEST_READ)
        ++*counter(s, space_counter[r->space][o]);
    if (r->kind != REQUEST_WRITE) {
        s->stats.sectors_read += sectors;
        s->stats.bytes_read += r->bytes;
    }
    if (r->kind != REQUEST_READ) {
        s->stats.sectors_written += sectors;
        s->stats.bytes_written += r->bytes;
        s->stats.reductions += r->kind == REQUEST_REDUCE;
    }
}

void slice_settle_stall(struct slice *s, hd_cycle now)
{
    if (s->stall != STALL_NONE)
        *counter(s, stall_counter[s->stall]) += now - s->stall_since;
    s->stall_since = now;
}

static void set_stall(struct slice *s, enum stall why, hd_cycle now)
{
    if (s->stall == why)
        return;
    slice_settle_stall(s, now);
    s->stall = why;
}

/* ---- what an access does ---- */

struct access {
    struct request *r;
    uint32_t id, set;
    uint32_t popped; /* low bits of the cycle */
    hd_cycle now;
};

/* Words that must be there before the request can be performed.  The answer of a read carries all
 * of its sectors, and the cache that asked keeps them all, whatever the warp wanted. */
static uint32_t needs(const struct slice *s, const struct request *r)
{
    if (r->kind == REQUEST_READ)
        return request_words_of(r->sectors);
    return r->kind == REQUEST_WRITE && !s->write_fetch ? 0 : r->words;
}

static void perform(struct slice *s, struct tags_line *l, struct request *r)
{
    if (r->kind != REQUEST_READ) {
        l->valid |= r->words;
        l->dirty |= r->words;
        if (s->versions)
            l->version = versions_bump(s->versions, r->line);
    }
    r->version = l->version;
}

static void add_reply(struct slice *s, struct ring *to, hd_cycle now, const struct item *reply)
{
    __builtin_prefetch(&s->pool->packets.at[reply->id], 1); /* it will be turned round */
    ring_add(to, reply->ready, reply->id, reply->aux);
    level_up(&s->reply_level, now, ++s->places);
}

static void answer_now(struct slice *s, const struct access *x, uint32_t i)
{
    struct item reply = {x->now + s->hit_latency, x->id, x->popped};
    perform(s, &s->tags.line[i], x->r);
    add_reply(s, &s->hits, x->now, &reply);
}

static enum stall hit(struct slice *s, const struct access *x, uint32_t i)
{
    if (s->places == s->most_places)
        return STALL_REPLY;
    tags_touch(&s->tags, i);
    answer_now(s, x, i);
    count_access(s, x->r, OUTCOME_HIT);
    return STALL_NONE;
}

static void wait_in(struct slice *s, const struct access *x, uint32_t entry)
{
    mshr_add(&s->mshr, entry, (uint64_t)x->popped << 32 | x->id);
    request_mark(x->r, PART_L2, x->now * s->c.period);
}

static enum stall merge(struct slice *s, const struct access *x, uint32_t i)
{
    uint32_t entry = s->tags.line[i].owner;
    if (!mshr_can_merge(&s->mshr, entry))
        return STALL_MERGE;
    tags_touch(&s->tags, i);
    wait_in(s, x, entry);
    count_access(s, x->r, OUTCOME_MERGE);
    return STALL_NONE;
}

static void send_fetch(struct slice *s, uint32_t entry, uint8_t sectors)
{
    s->transfers[entry] = (struct transfer){.line = s->mshr.line[entry], .sectors = sectors};
    s->mshr.sectors[entry] |= sectors;
    s->stats.fetches++;
    s->stats.fetched_sectors += ones[sectors];
    ring_add(&s->sends, 0, entry, 0);
}

#define NO_WRITEBACK UINT32_MAX

/* Line i is about to be given away: the write-back that this takes. */
static uint32_t evict(struct slice *s, uint32_t i)
{
    const struct tags_line *l = &s->tags.line[i];
    s->stats.evictions += l->state != TAG_INVALID;
    if (!l->dirty)
        return NO_WRITEBACK;
    uint32_t slot = s->free_writebacks[--s->nfree];
    s->transfers[slot] = (struct transfer){.line = tags_address(&s->tags, i),
                                           .version = l->version,
                                           .sectors = request_sectors_of(l->dirty),
                                           .is_write = true};
    return slot;
}

static void send_writeback(struct slice *s, uint32_t slot)
{
    if (slot == NO_WRITEBACK)
        return;
    s->stats.writebacks++;
    s->stats.writeback_sectors += ones[s->transfers[slot].sectors];
    ring_add(&s->sends, 0, slot, 0);
}

static bool can_send(struct slice *s, hd_cycle now)
{
    return ring_held(&s->sends) == 0 && port_can_push(s->to, now);
}

/* A line for the access in *i; `fetches`: it will need the miss queue in any case. */
static enum stall find_victim(struct slice *s, const struct access *x, bool fetches, uint32_t *i)
{
    *i = tags_victim_in(&s->tags, x->set);
    if (*i == TAGS_NONE)
        return STALL_WAYS;
    bool is_dirty = s->tags.line[*i].dirty != 0;
    if (is_dirty && s->nfree == 0)
        return STALL_WRITEBACK;
    if ((is_dirty || fetches) && !can_send(s, x->now))
        return STALL_MISS_QUEUE;
    return STALL_NONE;
}

static void start_fetch(struct slice *s, const struct access *x, uint32_t i)
{
    struct tags_line *l = &s->tags.line[i];
    uint8_t sectors = s->sectored ? request_sectors_of(needs(s, x->r) & ~l->valid) : 15;
    uint32_t entry = mshr_alloc(&s->mshr, x->r->line, 0);
    l->state = TAG_RESERVED;
    l->owner = (uint16_t)entry;
    s->fetch[entry] = (struct fetch){.way = i};
    level_up(&s->mshr_level, x->now, s->mshr.live);
    send_fetch(s, entry, sectors);
    wait_in(s, x, entry);
    count_access(s, x->r, OUTCOME_MISS);
}

static enum stall miss(struct slice *s, const struct access *x)
{
    uint32_t i;
    if (mshr_is_full(&s->mshr))
        return STALL_MSHR;
    enum stall why = find_victim(s, x, true, &i);
    if (why != STALL_NONE)
        return why;
    uint32_t slot = evict(s, i);
    tags_take(&s->tags, i, x->r->line);
    /* The fetch goes first, as somebody waits for it.  A write-back of the line it fetches was sent
     * by an earlier access. */
    start_fetch(s, x, i);
    send_writeback(s, slot);
    return STALL_NONE;
}

/* The line is there, but not all the words. */
static enum stall miss_rest(struct slice *s, const struct access *x, uint32_t i)
{
    if (mshr_is_full(&s->mshr))
        return STALL_MSHR;
    if (!can_send(s, x->now))
        return STALL_MISS_QUEUE;
    tags_touch(&s->tags, i);
    start_fetch(s, x, i);
    return STALL_NONE;
}

/* A write that needs nothing of the rest of its line. */
static enum stall keep(struct slice *s, const struct access *x)
{
    uint32_t i;
    if (s->places == s->most_places)
        return STALL_REPLY;
    enum stall why = find_victim(s, x, false, &i);
    if (why != STALL_NONE)
        return why;
    send_writeback(s, evict(s, i));
    tags_take(&s->tags, i, x->r->line);
    s->tags.line[i].state = TAG_VALID;
    answer_now(s, x, i);
    count_access(s, x->r, OUTCOME_MISS);
    return STALL_NONE;
}

static enum stall look_up(struct slice *s, const struct access *x)
{
    uint32_t i = tags_find_in(&s->tags, x->set, x->r->line);
    uint32_t needed = needs(s, x->r);
    if (i == TAGS_NONE)
        return needed ? miss(s, x) : keep(s, x);
    const struct tags_line *l = &s->tags.line[i];
    if (l->state == TAG_RESERVED)
        return merge(s, x, i);
    return needed & ~l->valid ? miss_rest(s, x, i) : hit(s, x, i);
}

static enum stall try_access(struct slice *s, const struct item *head, hd_cycle now)
{
    hd_cycle *bank = &s->bank_free[slice_bank(s, head->aux)];
    if (*bank > now)
        return STALL_BANK;
    struct access x = {&s->pool->at[head->id], head->id, head->aux,
                       (uint32_t)(head->ready - s->latency), now};
    enum stall why = look_up(s, &x);
    if (why == STALL_NONE)
        *bank = now + s->bank_cycles + (x.r->kind >= REQUEST_ATOMIC ? s->atomic_cycles : 0);
    return why;
}

/* Whether what the head of `input` waits for may have come; nothing else can end its stall. */
static bool may_go_on(struct slice *s, const struct item *head, hd_cycle now)
{
    switch (s->stall) {
    case STALL_NONE:
        return true;
    case STALL_BANK:
        return s->bank_free[slice_bank(s, head->aux)] <= now;
    case STALL_MISS_QUEUE:
        return can_send(s, now);
    default:
        return s->retry;
    }
}

void slice_access(struct slice *s, hd_cycle now)
{
    const struct item *head = ring_head(&s->input);
    if (ring_held(&s->input) == 0 || head->ready > now || !may_go_on(s, head, now))
        return;
    s->retry = false;
    enum stall why = try_access(s, head, now);
    set_stall(s, why, now);
    if (why != STALL_NONE)
        return;
    s->input.head++;
    level_down(&s->input_level, now);
    if (ring_held(&s->input) >= SLICE_AHEAD)
        slice_prefetch(s, &s->input.at[(s->input.head + SLICE_AHEAD - 1) & s->input.mask]);
}

/* ---- what comes from memory ---- */

void slice_fill(struct slice *s, hd_cycle now)
{
    if (!port_has(s->from, now))
        return;
    uint32_t at = (uint32_t)port_pop(s->from, now);
    if (at >= s->mshr.entries) {
        s->free_writebacks[s->nfree++] = at;
        s->stats.writebacks_done++;
        s->retry = true;
        return;
    }
    const struct transfer *t = &s->transfers[at];
    struct tags_line *l = &s->tags.line[s->fetch[at].way];
    l->valid |= request_words_of(t->sectors);
    if (t->version > l->version) /* words that were kept here are newer than memory */
        l->version = t->version;
    s->fetch[at].filled_at = now * s->c.period;
    s->stats.fills++;
    ring_add(&s->drains, 0, at, 0);
}

/* Sectors that somebody who still waits in the entry does not find. */
static uint8_t still_missing(const struct slice *s, uint32_t entry, uint32_t valid)
{
    uint32_t n, words = 0;
    const uint64_t *waiter = mshr_waiters(&s->mshr, entry, &n);
    for (uint32_t k = s->fetch[entry].answered; k < n; k++)
        words |= needs(s, &s->pool->at[(uint32_t)waiter[k]]) & ~valid;
    return request_sectors_of(words);
}

static void release(struct slice *s, uint32_t entry, hd_cycle now)
{
    s->tags.line[s->fetch[entry].way].state = TAG_VALID;
    mshr_release(&s->mshr, entry);
    level_down(&s->mshr_level, now);
    s->drains.head++;
    s->retry = true;
}

void slice_drain(struct slice *s, hd_cycle now)
{
    if (ring_held(&s->drains) == 0 || s->places == s->most_places)
        return;
    uint32_t n, entry = ring_head(&s->drains)->id;
    uint64_t waiter = mshr_waiters(&s->mshr, entry, &n)[s->fetch[entry].answered];
    struct request *r = &s->pool->at[(uint32_t)waiter];
    struct tags_line *l = &s->tags.line[s->fetch[entry].way];
    if (needs(s, r) & ~l->valid) {
        s->drains.head++;
        s->stats.refetches++;
        send_fetch(s, entry, still_missing(s, entry, l->valid));
        return;
    }
    struct item reply = {now + s->fill_latency, (uint32_t)waiter, (uint32_t)(waiter >> 32)};
    perform(s, l, r);
    /* Who came after the fill has not waited for memory. */
    request_mark(r, PART_DRAM,
                 s->fetch[entry].filled_at > r->stamp ? s->fetch[entry].filled_at : r->stamp);
    add_reply(s, &s->fills, now, &reply);
    if (++s->fetch[entry].answered == n)
        release(s, entry, now);
}
