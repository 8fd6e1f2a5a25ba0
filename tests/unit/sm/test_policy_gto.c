/* Greedy then oldest: positions are ages, the oldest is 0. */
#include "check.h"

#include "sm/policy.h"

/* Picks among `candidates` and notes the choice as an SM does. */
static int32_t pick(struct sched *s, uint64_t candidates)
{
    struct sched_view v = {.candidates = candidates, .ready = candidates};
    return s->last = s->current = warp_policy_find("gto")->pick(s, &v);
}

static struct sched new_sched(void)
{
    return (struct sched){.own = UINT64_MAX, .last = -1, .current = -1};
}

static void the_oldest_begins(void)
{
    struct sched s = new_sched();
    CHECK_EQ(pick(&s, 0x2c), 2);
}

static void the_one_that_issued_goes_on_whoever_is_older(void)
{
    struct sched s = new_sched();
    CHECK_EQ(pick(&s, 1u << 5), 5);
    CHECK_EQ(pick(&s, UINT64_MAX), 5);
    CHECK_EQ(pick(&s, 1u << 5 | 1), 5);
}

static void when_it_stalls_the_oldest_follows_not_the_next(void)
{
    struct sched s = new_sched();
    CHECK_EQ(pick(&s, 1u << 5), 5);
    CHECK_EQ(pick(&s, 1u << 6 | 1u << 3), 3);
    CHECK_EQ(pick(&s, 1u << 5 | 1u << 3), 3);
}

/* The SM forgets who issued last when its CTA ends; others move up. */
static void after_the_end_of_the_greedy_one_the_oldest_follows(void)
{
    struct sched s = new_sched();
    CHECK_EQ(pick(&s, 1u << 5), 5);
    s.current = -1;
    CHECK_EQ(pick(&s, 1u << 5 | 1u << 4), 4);
}

static void all_64_positions_can_be_picked(void)
{
    for (int32_t i = 0; i < WARP_POSITIONS; i++) {
        struct sched s = new_sched();
        CHECK_EQ(pick(&s, UINT64_MAX << i), i);
        CHECK_EQ(pick(&s, UINT64_MAX), i);
    }
}

CHECK_MAIN("policy_gto", TEST(the_oldest_begins),
           TEST(the_one_that_issued_goes_on_whoever_is_older),
           TEST(when_it_stalls_the_oldest_follows_not_the_next),
           TEST(after_the_end_of_the_greedy_one_the_oldest_follows),
           TEST(all_64_positions_can_be_picked))
