/* sched_serial.c - strictly in order: only the oldest transfer of the channel has commands issued.
 *
 * Nothing is prepared ahead: the row of the next transfer is opened after the last column
 * command of this one.  The simplest controller there is, and a lower bound for the others. */
#include "dram/scheduler.h"

/* The bank of the one that competes, or QUEUE_NONE. */
static uint32_t current(const struct queue *q)
{
    for (uint32_t w = 0; w < q->nwords; w++)
        if (q->offered[w])
            return (64 * w + (uint32_t)__builtin_ctzll(q->offered[w])) & (q->nbanks - 1);
    return QUEUE_NONE;
}

static const struct queue_entry *oldest_of_all(const struct queue *q)
{
    const struct queue_entry *oldest = NULL;
    for (uint32_t w = 0; 64 * w < q->nbanks; w++) {
        for (uint64_t bits = q->held[w]; bits; bits &= bits - 1) {
            const struct queue_entry *e = queue_oldest(q, 64 * w + (uint32_t)__builtin_ctzll(bits));
            if (!oldest || e->rank < oldest->rank)
                oldest = e;
        }
    }
    return oldest;
}

/* An arrival at another bank is younger than whoever competes. */
static void elect(struct queue *q, uint32_t bank)
{
    const uint32_t busy = current(q);
    if (busy != QUEUE_NONE && busy != bank)
        return;
    const struct queue_entry *oldest = oldest_of_all(q);
    if (!oldest || oldest->bank != bank)
        queue_offer_only(q, bank, NULL);
    if (oldest)
        queue_offer_only(q, oldest->bank, oldest);
}

const struct scheduler scheduler_serial = {
    .name = "serial",
    .help = "one transfer after the other; nothing is prepared ahead",
    .elect = elect,
};
