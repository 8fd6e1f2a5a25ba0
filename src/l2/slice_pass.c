/* slice_pass.c - accesses that get no line: the cache policy keeps nothing of them, or lets them pass
 * by.
 *
 * A read or atomic whose line is not kept takes an MSHR, in which others wait for it, too.  What
 * comes stays beside the MSHR until all of them are answered; words that they write go to memory
 * then.  A read that passes by has a transfer of its own for the sectors that it asks for.  A write
 * of which nothing is kept goes to memory, whichever of the two was meant, and is acknowledged when
 * it is there.  Transfers of one line are performed in the order in which they leave, so that all of
 * these see what was before them.
 *
 * Not modelled: the array in which unkept lines wait, its size and ports (a register per MSHR). */
#include "l2/slice_priv.h"

/* ---- lines that are not kept ---- */

static bool writes_line(const struct slice *s, const struct request *r)
{
    return r->kind != REQUEST_READ && !(r->kind == REQUEST_WRITE && s->write_through);
}

/* Its writes have a slot from now on. */
static void hold_slot(struct slice *s, struct unkept *u)
{
    u->slot = slice_take_slot(s);
    s->nheld++;
}

static enum stall join(struct slice *s, const struct access *x, uint32_t entry)
{
    struct unkept *u = &s->unkept[entry];
    bool takes_slot = writes_line(s, x->r) && u->slot == SLICE_NOBODY;
    if (takes_slot && s->nfree == 0 && mshr_can_merge(&s->mshr, entry))
        return STALL_WRITEBACK;
    enum stall why = slice_merge(s, x, entry);
    if (why == STALL_NONE && takes_slot)
        hold_slot(s, u);
    return why;
}

static enum stall fetch_unkept(struct slice *s, const struct access *x)
{
    bool takes_slot = writes_line(s, x->r);
    if (mshr_is_full(&s->mshr))
        return STALL_MSHR;
    if (takes_slot && s->nfree == 0)
        return STALL_WRITEBACK;
    if (!slice_can_send(s, x->now, 1))
        return STALL_MISS_QUEUE;
    uint32_t entry = slice_start_fetch(s, x, TAGS_NONE);
    struct unkept *u = &s->unkept[entry];
    *u = (struct unkept){.slot = SLICE_NOBODY};
    s->nunkept++;
    if (takes_slot)
        hold_slot(s, u);
    slice_wait_in(s, x, entry);
    return STALL_NONE;
}

void slice_let_go(struct slice *s, uint32_t entry)
{
    const struct unkept *u = &s->unkept[entry];
    s->nunkept--;
    s->refused.unkept++;
    if (u->slot == SLICE_NOBODY)
        return;
    s->nheld--;
    slice_write_back(s, u->slot, s->mshr.at[entry].line, &u->line);
    slice_send_write_back(s, u->slot);
}

/* ---- requests that pass by ---- */

static enum stall pass_read(struct slice *s, const struct access *x)
{
    if (s->npassing == s->most_passing)
        return STALL_PASSING;
    if (!slice_can_send(s, x->now, 1))
        return STALL_MISS_QUEUE;
    uint32_t transfer = s->free_passing[s->most_passing - ++s->npassing];
    s->transfers[transfer] = (struct transfer){.line = x->r->line, .sectors = x->r->sectors};
    s->passer[transfer - slice_first_passing(s)] = waiter_of(x->popped, x->id);
    s->stats.fetches++;
    s->stats.fetched_sectors += slice_count_sectors(x->r->sectors);
    s->refused.read_passes++;
    request_mark(x->r, PART_L2, x->now * s->c.period);
    ring_add(&s->sends, 0, transfer, 0);
    slice_count(s, x->r, OUTCOME_MISS);
    return STALL_NONE;
}

static enum stall pass_write(struct slice *s, const struct access *x)
{
    enum stall why = slice_pass_write(s, x);
    s->refused.write_passes += why == STALL_NONE;
    return why;
}

void slice_passed(struct slice *s, uint32_t transfer, hd_cycle now)
{
    uint64_t waiter = s->passer[transfer - slice_first_passing(s)];
    struct request *r = &s->pool->at[(uint32_t)waiter];
    r->version = s->transfers[transfer].version;
    request_mark(r, PART_DRAM, now * s->c.period);
    s->stats.fills++;
    ring_add(&s->drains, 0, transfer, 0);
}

void slice_answer_passed(struct slice *s, uint32_t transfer, hd_cycle now)
{
    uint64_t waiter = s->passer[transfer - slice_first_passing(s)];
    struct item reply = {now + s->fill_latency, (uint32_t)waiter, (uint32_t)(waiter >> 32)};
    slice_add_reply(s, &s->fills, now, &reply);
    s->free_passing[s->most_passing - s->npassing--] = transfer;
    s->drains.head++;
    s->retry = true;
}

/* ---- which of them ---- */

bool slice_refuses(struct slice *s, const struct access *x, enum stall *why)
{
    uint32_t entry = s->nunkept ? mshr_find(&s->mshr, x->r->line) : MSHR_NONE;
    if (entry != MSHR_NONE) {
        *why = join(s, x, entry);
        return true;
    }
    struct cache_ask ask = cache_ask_of(x->r, x->r->line, x->set, x->now);
    bool is_write = x->r->kind == REQUEST_WRITE, passes = follow_passes(&s->tags, &ask);
    if (!passes && follow_keeps(&s->tags, &ask))
        return false;
    *why = is_write ? pass_write(s, x) : passes ? pass_read(s, x) : fetch_unkept(s, x);
    if (*why == STALL_NONE && !passes)
        follow_refused(&s->tags, &ask);
    return true;
}
