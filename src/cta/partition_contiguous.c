/* partition_contiguous.c - neighbouring SMs belong together: the first half (third, ...) of the
 * SMs is the first program's, and so on; the first programs have one more where it does not come out
 * even.  As spatial multitasking does it (Adriaens et al., HPCA 2012, section 3): each program has
 * SMs, and so clusters and their ports, of its own. */
#include "cta/partition.h"

static void deal(void *state, const struct partition_view *v, uint8_t *owner)
{
    (void)state;
    uint32_t each = v->sms->n / v->nprograms, larger = v->sms->n % v->nprograms;
    for (uint32_t p = 0, i = 0; p < v->nprograms; p++)
        for (uint32_t n = each + (p < larger); n > 0; n--)
            owner[v->sms->sm[i++]] = (uint8_t)p;
}

const struct partition partition_contiguous = {
    .name = "contiguous", .help = "equal shares of neighbouring SMs, no guests", .deal = deal};
