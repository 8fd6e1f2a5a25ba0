/* policy_two_level.c - two levels (Gebhart et al., ISCA 2011; Narasiman et al., MICRO 2011): a small
 * active set is served round robin; a warp that waits for memory or at a barrier leaves it, and
 * the oldest ready one of the others takes its place. */
#include "sim/config.h"
#include "sm/policy.h"

#define TWO_LEVEL_ROWS(F, id)                                                                      \
    F(id, INT, active_warps, "8", 1, WARP_POSITIONS, "warp", "of each scheduler that may issue")
CFG_STRUCT(two_level, TWO_LEVEL_ROWS)
CFG_SECTION(two_level, TWO_LEVEL_ROWS, "warp scheduler two_level")

struct two_level {
    uint64_t active;
    uint32_t limit;
};

static void *begin(struct arena *a, const struct config *cfg)
{
    const struct two_level_spec *s = config_get(cfg, &two_level_section);
    struct two_level *t = ARENA_NEW(a, struct two_level);
    t->limit = (uint32_t)s->active_warps;
    return t;
}

static int32_t pick(struct sched *s, const struct sched_view *v)
{
    struct two_level *t = s->state;
    t->active &= s->own & ~v->waiting;
    for (uint64_t rest = v->ready & ~t->active;
         rest && (uint32_t)__builtin_popcountll(t->active) < t->limit; rest &= rest - 1)
        t->active |= rest & -rest;
    uint64_t from = v->candidates & t->active;
    return from ? policy_next(from, s->last + 1) : -1;
}

static void moved(void *state, uint64_t keep)
{
    struct two_level *t = state;
    t->active = policy_squeeze(t->active, keep);
}

const struct warp_policy warp_policy_two_level = {.name = "two_level",
                                                  .help = "round robin over a small active set",
                                                  .section = &two_level_section,
                                                  .always = true,
                                                  .sees_all = true,
                                                  .begin = begin,
                                                  .pick = pick,
                                                  .moved = moved};
