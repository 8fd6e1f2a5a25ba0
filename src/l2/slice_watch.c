/* slice_watch.c - an access whose outcome an observer is told (analysis/sharing.h), or that it came
 * (analysis/meetings.h).
 *
 * Only a slice with an observer looks up its lines this way; whether it was a miss is seen in the
 * counters. */
#include "l2/slice_priv.h"
#include "stream/stream.h"

static uint64_t misses(const struct slice *s)
{
    return s->stats.read_misses + s->stats.write_misses + s->stats.atomic_misses;
}

/* Words that a miss of the request would bring. */
static uint32_t words_brought(const struct slice *s, const struct request *r, uint32_t wanted)
{
    if (r->kind == REQUEST_WRITE && !s->write_fetch)
        return r->words;
    return s->sectored ? request_words_of(request_sectors_of(wanted | r->words)) : UINT32_MAX;
}

static void tell(struct slice *s, const struct access *x, bool is_miss)
{
    const struct request *r = x->r;
    const bool is_through = r->kind == REQUEST_WRITE && s->write_through;
    const bool is_data = r->space == STREAM_GLOBAL || r->space == STREAM_TEX;
    const uint32_t wanted = is_through ? 0 : slice_needs(s, r);
    sharing_slice_use(
        s->opt.sharing,
        &(struct sharing_use){.line = r->line,
                              .wanted = wanted,
                              .brought = words_brought(s, r, wanted),
                              .sm = r->sm,
                              .way = is_data ? tags_find_in(&s->tags, x->set, r->line) : TAGS_NONE,
                              .is_miss = is_miss});
}

enum stall slice_look_up_watched(struct slice *s, const struct access *x)
{
    const uint64_t before = misses(s);
    const enum stall why = slice_look_up(s, x);
    if (why == STALL_NONE)
        tell(s, x, misses(s) != before);
    return why;
}

/* Requests are looked up in the order in which they came; what matters is when that was. */
enum stall slice_look_up_met(struct slice *s, const struct access *x)
{
    const hd_cycle came = x->now - (uint32_t)((uint32_t)x->now - x->popped);
    const enum stall why = s->look_up_unmet(s, x);
    if (why == STALL_NONE)
        meetings_add(s->opt.meetings, x->r, came * s->c.period);
    return why;
}
