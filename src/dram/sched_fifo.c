/* sched_fifo.c - transfers go to their banks in order of arrival; each bank works on one at a time.
 *
 * As GPGPU-Sim's FIFO: the head of the queue goes to its bank if that has no transfer in work, and
 * so on; a head whose bank has one holds up all that came after it.  Banks that are at work overlap:
 * a row is opened in one while another transfers data.  In terms of ranks, the oldest of each bank
 * competes if it is older than everyone who waits behind another one of its own bank.
 *
 * Not modelled: that one transfer per cycle goes to its bank (none needs more than one command in a
 * cycle).  Among banks the oldest legal command goes first, where GPGPU-Sim takes banks in turn. */
#include "dram/scheduler.h"

static uint64_t rank_of(const struct queue_entry *e)
{
    return e ? e->rank : UINT64_MAX;
}

/* Rank of the second oldest of a bank, UINT64_MAX if it has none: the least but one among the
 * heads of its lists and their followers. */
static uint64_t second_of(const struct queue *q, uint32_t bank)
{
    const struct queue_bank *b = &q->bank[bank];
    const struct queue_list lists[] = {b->hits[CLASS_READ], b->hits[CLASS_WRITE], b->others};
    const uint64_t first = rank_of(queue_oldest(q, bank));
    uint64_t second = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        const struct queue_entry *e = queue_head(q, lists[i]);
        if (e && e->rank == first)
            e = e->next == QUEUE_NONE ? NULL : &q->at[e->next];
        second = rank_of(e) < second ? rank_of(e) : second;
    }
    return second;
}

/* The head of the queue, when its bank has a transfer in work: nobody younger is let past. */
static uint64_t first_that_waits(const struct queue *q)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t w = 0; 64 * w < q->nbanks; w++) {
        for (uint64_t bits = q->held[w]; bits; bits &= bits - 1) {
            const uint32_t bank = 64 * w + (uint32_t)__builtin_ctzll(bits);
            const uint64_t rank = q->bank[bank].count > 1 ? second_of(q, bank) : UINT64_MAX;
            first = rank < first ? rank : first;
        }
    }
    return first;
}

/* Rank of the transfer that the bank works on; 0: none. */
static uint64_t in_work(const struct queue *q, uint32_t bank)
{
    for (uint32_t c = 0; c < QUEUE_CLASSES; c++) {
        const uint32_t i = c << q->bank_shift | bank;
        if (q->offered[i / 64] >> (i % 64) & 1)
            return q->rank[i];
    }
    return 0;
}

static void dispatch(struct queue *q)
{
    const uint64_t waits = first_that_waits(q);
    for (uint32_t w = 0; 64 * w < q->nbanks; w++) {
        for (uint64_t bits = q->held[w]; bits; bits &= bits - 1) {
            const uint32_t bank = 64 * w + (uint32_t)__builtin_ctzll(bits);
            const struct queue_entry *e = queue_oldest(q, bank);
            if (e->rank < waits && !in_work(q, bank))
                queue_offer_only(q, bank, e);
        }
    }
}

/* Who is in work stays so, whatever comes or becomes of the row: what arrives is younger.  Only
 * its end, and an arrival at an idle bank, can let others go on. */
static void elect(struct queue *q, uint32_t bank)
{
    const struct queue_entry *oldest = queue_oldest(q, bank);
    const bool goes_on = oldest && oldest->rank == in_work(q, bank);
    queue_offer_only(q, bank, goes_on ? oldest : NULL);
    if (!goes_on)
        dispatch(q);
}

const struct scheduler scheduler_fifo = {
    .name = "fifo",
    .help = "to banks in order of arrival, one transfer per bank; the head holds up all others",
    .elect = elect,
};
