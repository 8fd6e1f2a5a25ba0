/* sched_banked_fifo.c - one FIFO per bank: banks overlap, within a bank order is kept.
 *
 * Each bank's FIFO has an equal share of the queue, at least one transfer, or mc.bank_queue (the
 * enlarged queues of "Designing Coalescing Network-on-Chip", NPC 2014, section 3.3.2); a full one
 * holds up whatever comes behind.  Among banks whose next command is legal the oldest transfer goes
 * first.  Opening a row for a bank's oldest goes on while other banks transfer data. */
#include "dram/scheduler.h"

static void elect(struct queue *q, uint32_t bank)
{
    queue_offer_only(q, bank, queue_oldest(q, bank));
}

static uint32_t share(uint32_t queue, uint32_t banks)
{
    return queue > banks ? queue / banks : 1;
}

const struct scheduler scheduler_banked_fifo = {
    .name = "banked_fifo",
    .help = "a FIFO per bank; among banks, the oldest transfer whose command is legal",
    .elect = elect,
    .share = share,
};
