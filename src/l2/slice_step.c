/* slice_step.c - the steps that accesses and fills of an L2 slice are made of: counting, performing
 * a request on its line, replies, transfers to memory.
 *
 * Nothing here decides; whoever calls has looked for room. */
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

static void count_one(struct slice *s, uint16_t offset)
{
    ++*(uint64_t *)(void *)((char *)&s->stats + offset);
}

void slice_count(struct slice *s, const struct request *r, enum outcome o)
{
    const uint32_t sectors = slice_count_sectors(r->sectors);
    s->stats.accesses++;
    if (s->of) {
        s->of[program_of(r->line)].accesses++;
        s->of[program_of(r->line)].hits += o == OUTCOME_HIT;
    }
    count_one(s, kind_counter[r->kind][o]);
    if (r->kind == REQUEST_READ)
        count_one(s, space_counter[r->space][o]);
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

/* ---- requests and their lines ---- */

/* The answer of a read carries all of its sectors, and the cache that asked keeps them all, whatever
 * the warp wanted. */
uint32_t slice_needs(const struct slice *s, const struct request *r)
{
    if (r->kind == REQUEST_READ)
        return request_words_of(r->sectors);
    return r->kind == REQUEST_WRITE && !s->write_fetch ? 0 : r->words;
}

void slice_perform(struct slice *s, struct tags_line *l, struct request *r)
{
    if (r->kind != REQUEST_READ) {
        l->valid |= r->words;
        l->dirty |= r->words;
        if (s->versions)
            l->version = versions_bump(s->versions, r->line);
    }
    r->version = l->version;
}

/* The line of the set that is to be written back, if it has more dirty ones than it may. */
static uint32_t oldest_dirty(const struct slice *s, uint32_t set)
{
    const uint32_t base = set * s->tags.ways;
    uint32_t n = 0, oldest = TAGS_NONE;
    for (uint32_t i = base; i < base + s->tags.ways; i++) {
        if (!s->tags.line[i].dirty)
            continue;
        n++;
        if (s->tags.line[i].state == TAG_VALID &&
            (oldest == TAGS_NONE || s->tags.used[i] < s->tags.used[oldest]))
            oldest = i;
    }
    return n > s->dirty_lines ? oldest : TAGS_NONE;
}

/* When it can at once; else with a later write. */
void slice_clean(struct slice *s, const struct tags_line *l, hd_cycle now)
{
    if (!l->dirty || s->nfree == 0 || !slice_can_send(s, now, 1))
        return;
    uint32_t i = oldest_dirty(s, (uint32_t)(l - s->tags.line) / s->tags.ways);
    if (i == TAGS_NONE)
        return;
    uint32_t slot = slice_take_slot(s);
    slice_write_back(s, slot, tags_address(&s->tags, i), &s->tags.line[i]);
    s->tags.line[i].dirty = 0;
    slice_hold(s, &s->data_free, now, LINE_WORDS);
    slice_send_write_back(s, slot);
}

void slice_add_reply(struct slice *s, struct ring *to, hd_cycle now, const struct item *reply)
{
    __builtin_prefetch(&s->pool->packets.at[reply->id], 1); /* it will be turned round */
    ring_add(to, reply->ready, reply->id, reply->aux);
    level_up(&s->reply_level, now, ++s->places);
}

void slice_wait_in(struct slice *s, const struct access *x, uint32_t entry)
{
    mshr_add(&s->mshr, entry, waiter_of(x->popped, x->id));
    request_mark(x->r, PART_L2, x->now * s->c.period);
}

/* ---- transfers ---- */

bool slice_can_send(struct slice *s, hd_cycle now, uint32_t n)
{
    if (s->miss_room)
        return ring_held(&s->sends) + n <= s->miss_room;
    return ring_held(&s->sends) == 0 && port_can_push(s->to, now);
}

void slice_send_fetch(struct slice *s, uint32_t entry, uint8_t sectors)
{
    const uint32_t nth = (uint32_t)__builtin_ctz(~(uint32_t)s->fetch[entry].under_way);
    const uint32_t further = slice_first_further(s) + entry * FURTHER_FETCHES + nth - 1;
    const uint32_t at = nth == 0 ? entry : further;
    HD_ASSERT(nth <= FURTHER_FETCHES, "%s: a line is fetched too often", s->c.path);
    s->fetch[entry].under_way |= (uint8_t)(1u << nth);
    s->transfers[at] = (struct transfer){.line = s->mshr.at[entry].line, .sectors = sectors};
    s->mshr.at[entry].sectors |= sectors;
    s->stats.fetches++;
    s->stats.fetched_sectors += slice_count_sectors(sectors);
    ring_add(&s->sends, 0, at, 0);
}

void slice_write_back(struct slice *s, uint32_t slot, uint64_t address, const struct tags_line *l)
{
    s->transfers[slot] = (struct transfer){.line = address,
                                           .version = l->version,
                                           .sectors = request_sectors_of(l->dirty),
                                           .is_write = true};
    s->writer[slot - s->mshr.entries] = SLICE_NOBODY;
}

void slice_send_write_back(struct slice *s, uint32_t slot)
{
    s->stats.writebacks++;
    s->stats.writeback_sectors += slice_count_sectors(s->transfers[slot].sectors);
    ring_add(&s->sends, 0, slot, 0);
}

uint32_t slice_take_slot(struct slice *s)
{
    HD_ASSERT(s->nfree > 0, "%s: no write slot is free", s->c.path);
    return s->free_writebacks[--s->nfree];
}

void slice_free_slot(struct slice *s, uint32_t slot)
{
    s->free_writebacks[s->nfree++] = slot;
    s->retry = true;
}

void slice_send_through(struct slice *s, const struct request *r, uint32_t slot, uint64_t waits)
{
    uint8_t sectors = request_sectors_of(r->words);
    s->transfers[slot] = (struct transfer){
        .line = r->line, .version = r->version, .sectors = sectors, .is_write = true};
    s->writer[slot - s->mshr.entries] = waits;
    s->unconfirmed += waits != SLICE_NOBODY;
    s->stats.throughs++;
    s->stats.through_sectors += slice_count_sectors(sectors);
    ring_add(&s->sends, 0, slot, 0);
}
