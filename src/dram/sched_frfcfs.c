/* sched_frfcfs.c - first ready, first come first served (Rixner et al., ISCA 2000).
 *
 * The oldest command that is legal goes first, whatever transfer it is for.  A row stays open
 * as long as a queued transfer hits it; then it is closed for the oldest transfer of the bank.
 * Transfers of one line keep their order when one of them is a write.  Not modelled: a limit of
 * hits per row, batching of writes, priorities of reads. */
#include "dram/scheduler.h"

/* Whether the transfer that `e` must follow has gone: hits of one kind leave in order. */
static const struct queue_entry *if_free(const struct queue_entry *e,
                                         const struct queue_entry *other)
{
    return e && other && other->rank <= e->after ? NULL : e;
}

static void elect(struct queue *q, uint32_t bank)
{
    const struct queue_bank *b = &q->bank[bank];
    const struct queue_entry *read = queue_head(q, b->hits[CLASS_READ]);
    const struct queue_entry *write = queue_head(q, b->hits[CLASS_WRITE]);
    queue_offer(q, bank, CLASS_READ, if_free(read, write));
    queue_offer(q, bank, CLASS_WRITE, if_free(write, read));
    const struct queue_entry *other = read || write ? NULL : queue_head(q, b->others);
    queue_offer(q, bank, CLASS_OPEN, b->is_open ? NULL : other);
    queue_offer(q, bank, CLASS_CLOSE, b->is_open ? other : NULL);
}

const struct scheduler scheduler_frfcfs = {
    .name = "frfcfs",
    .help = "oldest legal command first; rows stay open while transfers hit them",
    .elect = elect,
};
