/* partition_room.c - whoever has CTAs gets the room: SMs are dealt out in turn, and an SM whose owner
 * has no CTA waiting takes guests of any program that has.  What a program leaves idle, in a tail of
 * a kernel or between two, others use; it gets it back as their CTAs end. */
#include "cta/partition.h"

static void deal(void *state, const struct partition_view *v, uint8_t *owner)
{
    (void)state;
    for (uint32_t i = 0; i < v->sms->n; i++)
        owner[v->sms->sm[i]] = (uint8_t)(i % v->nprograms);
}

const struct partition partition_room = {
    .name = "room",
    .help = "SMs go in turn; one whose owner has no CTA waiting takes guests",
    .deal = deal,
    .admits = partition_admits_all};
