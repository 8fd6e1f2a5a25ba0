/* policy_gto.c - greedy then oldest (Rogers et al., MICRO 2012): the warp that issued last goes on
 * until it cannot, then the oldest that can.  The default of GPGPU-Sim's Fermi model. */
#include "sm/policy.h"

static int32_t pick(struct sched *s, const struct sched_view *v)
{
    if (s->current >= 0 && v->candidates >> s->current & 1)
        return s->current;
    return __builtin_ctzll(v->candidates);
}

const struct warp_policy warp_policy_gto = {
    .name = "gto", .help = "greedy then oldest", .pick = pick};
