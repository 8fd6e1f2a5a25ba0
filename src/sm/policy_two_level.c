/* policy_two_level.c - two levels (Gebhart et al., ISCA 2011; Narasiman et al., MICRO 2011): a small
 * active set is served round robin; a warp that waits for memory or at a barrier leaves it, and
 * the oldest ready one of the others takes its place. */
#include "sm/policy.h"

static int32_t pick(struct sched *s, const struct sched_view *v)
{
    s->active &= s->own & ~v->waiting;
    for (uint64_t rest = v->ready & ~s->active;
         rest && (uint32_t)__builtin_popcountll(s->active) < s->limit; rest &= rest - 1)
        s->active |= rest & -rest;
    uint64_t from = v->candidates & s->active;
    return from ? policy_next(from, s->last + 1) : -1;
}

const struct warp_policy warp_policy_two_level = {
    .name = "two_level",
    .help = "round robin over a small active set (sm.active_warps)",
    .always = true,
    .pick = pick};
