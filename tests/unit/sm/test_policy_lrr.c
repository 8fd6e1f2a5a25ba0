/* Loose round robin. */
#include "check.h"

#include "sm/policy.h"

static int32_t pick(struct sched *s, uint64_t candidates)
{
    struct sched_view v = {.candidates = candidates, .ready = candidates};
    return s->last = s->current = warp_policy_find("lrr")->pick(s, &v);
}

static struct sched new_sched(void)
{
    return (struct sched){.own = UINT64_MAX, .last = -1, .current = -1};
}

static void everybody_has_a_turn(void)
{
    struct sched s = new_sched();
    for (int round = 0; round < 3; round++)
        for (int32_t i = 0; i < WARP_POSITIONS; i++)
            CHECK_EQ(pick(&s, UINT64_MAX), i);
}

static void who_cannot_issue_loses_the_turn(void)
{
    struct sched s = new_sched();
    CHECK_EQ(pick(&s, 0x7), 0);
    CHECK_EQ(pick(&s, 0x5), 2); /* 1 cannot */
    CHECK_EQ(pick(&s, 0x7), 0); /* and has not been waited for */
    CHECK_EQ(pick(&s, 0x7), 1);
}

static void one_alone_goes_on(void)
{
    struct sched s = new_sched();
    for (int i = 0; i < 4; i++)
        CHECK_EQ(pick(&s, 1u << 9), 9);
}

CHECK_MAIN("policy_lrr", TEST(everybody_has_a_turn), TEST(who_cannot_issue_loses_the_turn),
           TEST(one_alone_goes_on))
