/* partition_interleaved.c - SMs go to the programs in turn, so that the programs share clusters and
 * their ports. */
#include "cta/partition.h"

static void deal(void *state, const struct partition_view *v, uint8_t *owner)
{
    (void)state;
    for (uint32_t i = 0; i < v->sms->n; i++)
        owner[v->sms->sm[i]] = (uint8_t)(i % v->nprograms);
}

const struct partition partition_interleaved = {
    .name = "interleaved", .help = "SMs go to the programs in turn, no guests", .deal = deal};
