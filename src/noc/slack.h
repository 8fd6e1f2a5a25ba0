/* slack.h - how long a packet may wait on its way, and how much of that at each router.
 *
 * Hop i of n gets the share i / (1 + ... + n) of a budget (packet coalescing paper, Eq. 1): the
 * nearer to the memory, the longer.  Shares are differences of floors of the cumulative sum, so
 * that they are whole cycles whose sum is the budget.  Where a packet did not wait as long as it
 * might have, the rest is dealt out anew to the hops that are left, i / (i + ... + n) to hop i.
 *
 * Hops are routers, the first and the last among them. */
#ifndef HEDDLE_NOC_SLACK_H
#define HEDDLE_NOC_SLACK_H

#include <stdbool.h>
#include <stdint.h>

struct slack {
    uint32_t budget; /* cycles for the hops from `from` on */
    uint32_t spent;  /* of it */
    uint16_t from;   /* first hop of the plan */
    uint16_t hop;    /* the one it is at, from 1 */
    uint16_t hops;   /* in all; beyond it everything is due at once */
};

struct slack slack_new(uint32_t budget, uint32_t hops);
uint32_t slack_left(const struct slack *s);
/* Cycles for the hop that it is at. */
uint32_t slack_share(const struct slack *s);
/* It goes on to the next hop and has spent so many of its cycles here. */
void slack_pass(struct slack *s, uint32_t spent);

#endif
