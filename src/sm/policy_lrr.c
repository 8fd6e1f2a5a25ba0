/* policy_lrr.c - loose round robin: the next warp after the one that issued last; those that cannot
 * issue lose their turn. */
#include "sm/policy.h"

static int32_t pick(struct sched *s, const struct sched_view *v)
{
    return policy_next(v->candidates, s->last + 1);
}

const struct warp_policy warp_policy_lrr = {
    .name = "lrr", .help = "loose round robin", .pick = pick};
