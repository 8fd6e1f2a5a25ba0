/* slice_access.c - what an access does to tags and MSHRs.
 *
 * Allocate on miss, as GPGPU-Sim's L2 ("on miss", write-back, write-allocate): the line is
 * reserved when the fetch leaves, so that the fill always has a place.  A write without fetch
 * keeps its words; the rest of the line comes when somebody needs it, and dirty words stay.  A
 * write miss that is sent through is GPGPU-Sim 3.2.2's: the words go to memory at once and the line
 * is fetched besides, clean.
 *
 * A sectored line on its way of which other sectors are wanted: the request waits in the line's
 * MSHR, which fetches once more when the first fetch has come, so that one fetch per MSHR is outstanding
 * at any time; with sector_fetches, at once.
 *
 * Not modelled: data, byte enables (a write makes whole words valid), banks busy with fills. */
#include <stddef.h>

#include "l2/slice_priv.h"

/* ---- stalls ---- */

static const uint16_t stall_counter[STALLS] = {
    [STALL_BANK] = offsetof(struct slice, stats.stall_bank),
    [STALL_DATA] = offsetof(struct slice, stats.stall_data),
    [STALL_REPLY] = offsetof(struct slice, stats.stall_reply),
    [STALL_MERGE] = offsetof(struct slice, stats.stall_merge),
    [STALL_MSHR] = offsetof(struct slice, stats.stall_mshr),
    [STALL_WAYS] = offsetof(struct slice, stats.stall_ways),
    [STALL_WRITEBACK] = offsetof(struct slice, stats.stall_writeback),
    [STALL_MISS_QUEUE] = offsetof(struct slice, stats.stall_miss_queue),
    [STALL_PASSING] = offsetof(struct slice, refused.stall_passing),
};

void slice_settle_stall(struct slice *s, hd_cycle now)
{
    if (s->stall != STALL_NONE)
        *(uint64_t *)(void *)((char *)s + stall_counter[s->stall]) += now - s->stall_since;
    s->stall_since = now;
}

static void set_stall(struct slice *s, enum stall why, hd_cycle now)
{
    if (s->stall == why)
        return;
    slice_settle_stall(s, now);
    s->stall = why;
}

/* ---- lines ---- */

static struct cache_ask ask_of(const struct access *x)
{
    return cache_ask_of(x->r, x->r->line, x->set, x->now);
}

static void tell_used(struct slice *s, const struct access *x, uint32_t i)
{
    struct cache_ask ask = ask_of(x);
    follow_used(&s->tags, &ask, i);
}

static inline void touch(struct slice *s, const struct access *x, uint32_t i)
{
    if (tags_has_policy(&s->tags))
        tell_used(s, x, i);
    else
        tags_touch(&s->tags, i);
}

static uint32_t choose(const struct slice *s, const struct access *x)
{
    if (!tags_has_policy(&s->tags))
        return tags_victim_in(&s->tags, x->set);
    struct cache_ask ask = ask_of(x);
    return follow_victim(&s->tags, &ask);
}

static void take(struct slice *s, const struct access *x, uint32_t i)
{
    if (!tags_has_policy(&s->tags)) {
        tags_take(&s->tags, i, x->r->line);
        return;
    }
    struct cache_ask ask = ask_of(x);
    follow_take(&s->tags, &ask, i);
}

/* ---- hits ---- */

static void answer_now(struct slice *s, const struct access *x, uint32_t i)
{
    struct item reply = {x->now + s->hit_latency, x->id, x->popped};
    slice_perform(s, &s->tags.line[i], x->r);
    if (s->dirty_lines)
        slice_clean(s, &s->tags.line[i], x->now);
    x->r->flags |= follow_news(&s->tags, i);
    slice_add_reply(s, &s->hits, x->now, &reply);
}

static enum stall hit(struct slice *s, const struct access *x, uint32_t i)
{
    if (s->places == s->most_places)
        return STALL_REPLY;
    touch(s, x, i);
    answer_now(s, x, i);
    slice_hold(s, &s->data_free, x->now, x->r->bytes / 4);
    slice_count(s, x->r, OUTCOME_HIT);
    return STALL_NONE;
}

/* ---- misses ---- */

#define NO_WRITEBACK UINT32_MAX

/* Line i is about to be given away: the write-back that this takes. */
static uint32_t evict(struct slice *s, uint32_t i, hd_cycle now)
{
    const struct tags_line *l = &s->tags.line[i];
    s->stats.evictions += l->state != TAG_INVALID;
    if (!l->dirty)
        return NO_WRITEBACK;
    uint32_t slot = slice_take_slot(s);
    slice_write_back(s, slot, tags_address(&s->tags, i), l);
    slice_hold(s, &s->data_free, now, LINE_WORDS);
    return slot;
}

static void send_writeback(struct slice *s, uint32_t slot)
{
    if (slot != NO_WRITEBACK)
        slice_send_write_back(s, slot);
}

/* What a miss sends beside a victim's write-back. */
struct wants {
    bool fetch, through;
};

/* A line for the access in *i, and room for all that is sent. */
static enum stall find_victim(struct slice *s, const struct access *x, struct wants w, uint32_t *i)
{
    *i = choose(s, x);
    if (*i == TAGS_NONE)
        return STALL_WAYS;
    bool is_dirty = s->tags.line[*i].dirty != 0;
    if (s->nfree < (uint32_t)is_dirty + w.through)
        return STALL_WRITEBACK;
    if ((is_dirty || w.fetch) && !slice_can_send(s, x->now, 1u + w.fetch + w.through))
        return STALL_MISS_QUEUE;
    return STALL_NONE;
}

uint32_t slice_start_fetch(struct slice *s, const struct access *x, uint32_t i)
{
    uint32_t entry = mshr_alloc(&s->mshr, x->r->line, 0), valid = 0;
    s->fetch[entry] = (struct fetch){.way = i};
    if (i != TAGS_NONE) {
        s->tags.line[i].state = TAG_RESERVED;
        s->mshr_of[i] = (uint16_t)entry;
        valid = s->tags.line[i].valid;
    }
    uint8_t sectors = s->sectored ? request_sectors_of(slice_needs(s, x->r) & ~valid) : 15;
    level_up(&s->mshr_level, x->now, s->mshr.live);
    slice_send_fetch(s, entry, sectors);
    slice_count(s, x->r, OUTCOME_MISS);
    return entry;
}

static enum stall miss(struct slice *s, const struct access *x)
{
    uint32_t i;
    if (mshr_is_full(&s->mshr))
        return STALL_MSHR;
    enum stall why = find_victim(s, x, (struct wants){.fetch = true}, &i);
    if (why != STALL_NONE)
        return why;
    uint32_t slot = evict(s, i, x->now);
    take(s, x, i);
    /* The fetch goes first, as somebody waits for it.  A write-back of the line it fetches was sent
     * by an earlier access. */
    slice_wait_in(s, x, slice_start_fetch(s, x, i));
    send_writeback(s, slot);
    return STALL_NONE;
}

/* The line is there, but not all the words. */
static enum stall miss_rest(struct slice *s, const struct access *x, uint32_t i)
{
    if (mshr_is_full(&s->mshr))
        return STALL_MSHR;
    if (!slice_can_send(s, x->now, 2))
        return STALL_MISS_QUEUE;
    slice_wait_in(s, x, slice_start_fetch(s, x, i));
    touch(s, x, i);
    return STALL_NONE;
}

/* A write that needs nothing of the rest of its line. */
static enum stall keep(struct slice *s, const struct access *x)
{
    uint32_t i;
    if (s->places == s->most_places)
        return STALL_REPLY;
    enum stall why = find_victim(s, x, (struct wants){.fetch = false}, &i);
    if (why != STALL_NONE)
        return why;
    slice_hold(s, &s->data_free, x->now, 0);
    send_writeback(s, evict(s, i, x->now));
    slice_hold(s, &s->data_free, s->data_free, x->r->bytes / 4);
    take(s, x, i);
    s->tags.line[i].state = TAG_VALID;
    answer_now(s, x, i);
    slice_count(s, x->r, OUTCOME_MISS);
    return STALL_NONE;
}

/* ---- write misses that are sent through ---- */

/* To memory; `l`, if there is one, has the words at once, newer than what is on its way to it. */
static void send_through(struct slice *s, const struct access *x, struct tags_line *l)
{
    if (s->versions)
        x->r->version = versions_bump(s->versions, x->r->line);
    if (l) {
        l->valid |= x->r->words;
        l->version = x->r->version;
    }
    request_mark(x->r, PART_L2, x->now * s->c.period);
    slice_send_through(s, x->r, slice_take_slot(s), waiter_of(x->popped, x->id));
}

/* The write goes first, so that the fetch brings it. */
static enum stall miss_through(struct slice *s, const struct access *x)
{
    uint32_t i;
    if (mshr_is_full(&s->mshr))
        return STALL_MSHR;
    enum stall why = find_victim(s, x, (struct wants){.fetch = true, .through = true}, &i);
    if (why != STALL_NONE)
        return why;
    uint32_t slot = evict(s, i, x->now);
    take(s, x, i);
    send_through(s, x, NULL);
    mshr_add(&s->mshr, slice_start_fetch(s, x, i), SLICE_NOBODY);
    send_writeback(s, slot);
    s->tags.line[i].valid = x->r->words;
    s->tags.line[i].version = x->r->version;
    return STALL_NONE;
}

enum stall slice_pass_write(struct slice *s, const struct access *x)
{
    if (s->nfree == 0)
        return STALL_WRITEBACK;
    if (!slice_can_send(s, x->now, 1))
        return STALL_MISS_QUEUE;
    send_through(s, x, NULL);
    slice_count(s, x->r, OUTCOME_MISS);
    s->past.past_sectors += slice_count_sectors(x->r->sectors);
    return STALL_NONE;
}

static enum stall write_through(struct slice *s, const struct access *x, uint32_t i)
{
    if (i == TAGS_NONE)
        return s->write_fetch ? miss_through(s, x) : slice_pass_write(s, x);
    return s->tags.line[i].state == TAG_RESERVED ? slice_merge(s, x, s->mshr_of[i]) : hit(s, x, i);
}

/* ---- lines on their way ---- */

static enum stall merge_through(struct slice *s, const struct access *x, uint32_t entry)
{
    if (s->write_fetch && !mshr_can_merge(&s->mshr, entry))
        return STALL_MERGE;
    if (s->nfree == 0)
        return STALL_WRITEBACK;
    if (!slice_can_send(s, x->now, s->write_fetch ? 3 : 1))
        return STALL_MISS_QUEUE;
    if (s->write_fetch)
        mshr_add(&s->mshr, entry, SLICE_NOBODY);
    send_through(s, x, slice_line(s, entry));
    return STALL_NONE;
}

/* Sectors that the access needs and that neither are there nor on their way. */
static uint8_t not_asked_for(const struct slice *s, const struct access *x, uint32_t entry)
{
    uint32_t lacking = slice_needs(s, x->r) & ~slice_line(s, entry)->valid;
    return request_sectors_of(lacking) & (uint8_t)~s->mshr.at[entry].sectors;
}

static enum stall merge(struct slice *s, const struct access *x, uint32_t entry)
{
    if (!mshr_can_merge(&s->mshr, entry))
        return STALL_MERGE;
    uint8_t further = s->sector_fetches ? not_asked_for(s, x, entry) : 0;
    if (further && !slice_can_send(s, x->now, 1))
        return STALL_MISS_QUEUE;
    slice_wait_in(s, x, entry);
    if (further) {
        s->stats.refetches++;
        slice_send_fetch(s, entry, further);
    }
    return STALL_NONE;
}

enum stall slice_merge(struct slice *s, const struct access *x, uint32_t entry)
{
    bool is_through = x->r->kind == REQUEST_WRITE && s->write_through;
    enum stall why = is_through ? merge_through(s, x, entry) : merge(s, x, entry);
    if (why != STALL_NONE)
        return why;
    if (s->fetch[entry].way != TAGS_NONE)
        touch(s, x, s->fetch[entry].way);
    slice_count(s, x->r, OUTCOME_MERGE);
    return STALL_NONE;
}

/* ---- the head of the input ---- */

enum stall slice_look_up(struct slice *s, const struct access *x)
{
    uint32_t i = tags_find_in(&s->tags, x->set, x->r->line);
    enum stall why;
    if (i == TAGS_NONE && tags_has_policy(&s->tags) && slice_refuses(s, x, &why))
        return why;
    if (x->r->kind == REQUEST_WRITE && s->write_through)
        return write_through(s, x, i);
    uint32_t needed = slice_needs(s, x->r);
    if (i == TAGS_NONE)
        return needed ? miss(s, x) : keep(s, x);
    const struct tags_line *l = &s->tags.line[i];
    if (l->state == TAG_RESERVED)
        return slice_merge(s, x, s->mshr_of[i]);
    return needed & ~l->valid ? miss_rest(s, x, i) : hit(s, x, i);
}

static enum stall find_gate(struct slice *s, hd_cycle now)
{
    return s->places == s->most_places  ? STALL_REPLY
           : !port_can_push(s->to, now) ? STALL_MISS_QUEUE
                                        : STALL_NONE;
}

static enum stall try_access(struct slice *s, const struct item *head, hd_cycle now)
{
    hd_cycle *bank = &s->bank_free[slice_bank(s, head->aux)];
    if (*bank > now)
        return STALL_BANK;
    if (s->data_free > now)
        return STALL_DATA;
    enum stall why = s->gated ? find_gate(s, now) : STALL_NONE;
    if (why != STALL_NONE)
        return why;
    struct access x = {&s->pool->at[head->id], head->id, head->aux,
                       (uint32_t)(head->ready - s->latency), now};
    why = s->look_up(s, &x);
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
    case STALL_DATA:
        return s->data_free <= now;
    case STALL_MISS_QUEUE:
        /* Its line may have come, or another victim may be clean; a gate opens with the port. */
        return s->retry || slice_can_send(s, now, 1) || (s->gated && port_can_push(s->to, now));
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
