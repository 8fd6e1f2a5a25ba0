/* slice_direct.c - a memory partition without an L2: every request is a transfer of its own.
 *
 * As in GPUs before Fermi, and in GPGPU-Sim 2 and its Quadro FX5800 (ISPASS 2009): reads of one line
 * are not merged, a write is acknowledged when it is in DRAM.  An entry of the MSHRs is a read under
 * way; several may have one line.
 *
 * Atomics are a read and a write at the partition, as in the ROP units of that time: the line is
 * held from the one to the other, so that nothing comes between them.  (GPGPU-Sim moves only the
 * read.)  Not modelled: writes gathered to bursts. */
#include "l2/slice_priv.h"

/* An atomic has read, or will read, the line and has not yet written it. */
static bool is_held(const struct slice *s, uint64_t line)
{
    for (uint32_t left = s->natomics, i = 0; left > 0 && i < s->mshr.entries; i++) {
        if (s->mshr.at[i].line == UINT64_MAX || s->fetch[i].way == SLICE_NOBODY)
            continue;
        if (s->mshr.at[i].line == line)
            return true;
        left--;
    }
    return false;
}

static enum stall write(struct slice *s, const struct access *x)
{
    if (s->nfree == 0)
        return STALL_WRITEBACK;
    if (!slice_can_send(s, x->now, 1))
        return STALL_MISS_QUEUE;
    if (s->versions)
        x->r->version = versions_bump(s->versions, x->r->line);
    request_mark(x->r, PART_L2, x->now * s->c.period);
    slice_send_through(s, x->r, slice_take_slot(s), waiter_of(x->popped, x->id));
    return STALL_NONE;
}

/* The slot of an atomic's write is taken now, so that its answer waits for nothing. */
static enum stall fetch(struct slice *s, const struct access *x)
{
    bool writes = x->r->kind != REQUEST_READ;
    if (mshr_is_full(&s->mshr))
        return STALL_MSHR;
    if (writes && s->nfree == 0)
        return STALL_WRITEBACK;
    if (!slice_can_send(s, x->now, 1))
        return STALL_MISS_QUEUE;
    uint32_t entry = mshr_alloc(&s->mshr, x->r->line, 0);
    s->fetch[entry] = (struct fetch){.way = writes ? slice_take_slot(s) : SLICE_NOBODY};
    s->natomics += writes;
    level_up(&s->mshr_level, x->now, s->mshr.live);
    slice_send_fetch(s, entry, writes ? request_sectors_of(x->r->words) : x->r->sectors);
    slice_wait_in(s, x, entry);
    return STALL_NONE;
}

enum stall slice_direct(struct slice *s, const struct access *x)
{
    if (s->natomics && is_held(s, x->r->line))
        return STALL_MERGE;
    enum stall why = x->r->kind == REQUEST_WRITE ? write(s, x) : fetch(s, x);
    if (why == STALL_NONE)
        slice_count(s, x->r, OUTCOME_MISS);
    return why;
}

void slice_direct_answer(struct slice *s, uint32_t entry, hd_cycle now)
{
    uint32_t n, slot = s->fetch[entry].way;
    uint64_t waiter = mshr_waiters(&s->mshr, entry, &n)[0];
    struct item reply = {now + s->fill_latency, (uint32_t)waiter, (uint32_t)(waiter >> 32)};
    struct request *r = &s->pool->at[reply.id];
    r->version = s->transfers[entry].version;
    if (slot != SLICE_NOBODY) {
        if (s->versions)
            r->version = versions_bump(s->versions, r->line);
        slice_send_through(s, r, slot, SLICE_NOBODY);
        s->natomics--;
    }
    request_mark(r, PART_DRAM, s->fetch[entry].filled_at);
    slice_add_reply(s, &s->fills, now, &reply);
    mshr_release(&s->mshr, entry);
    level_down(&s->mshr_level, now);
    s->drains.head++;
    s->retry = true;
}
