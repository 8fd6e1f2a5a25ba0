/* Two levels: round robin over a small active set. */
#include "check.h"

#include "sm/policy.h"

static int32_t pick_of(struct sched *s, struct sched_view v)
{
    int32_t at = warp_policy_find("two_level")->pick(s, &v);
    if (at >= 0)
        s->last = s->current = at;
    return at;
}

static int32_t pick(struct sched *s, uint64_t candidates, uint64_t waiting)
{
    return pick_of(s, (struct sched_view){candidates, candidates, waiting});
}

static struct sched new_sched(uint32_t limit)
{
    return (struct sched){.own = 0xff, .last = -1, .current = -1, .limit = limit};
}

static void the_oldest_are_active_first_and_take_turns(void)
{
    struct sched s = new_sched(3);
    for (int i = 0; i < 9; i++)
        CHECK_EQ(pick(&s, 0xff, 0), i % 3);
    CHECK_EQ(s.active, 0x7);
}

static void who_waits_for_memory_gives_its_place_to_the_oldest_ready_one(void)
{
    struct sched s = new_sched(2);
    CHECK_EQ(pick(&s, 0xff, 0), 0);
    CHECK_EQ(pick(&s, 0xfe, 0x01), 1);
    CHECK_EQ(s.active, 0x6); /* 2 for 0 */
    CHECK_EQ(pick(&s, 0xfe, 0x01), 2);
    CHECK_EQ(pick(&s, 0xff, 0), 1); /* 0 is back, but its place is taken */
    CHECK_EQ(pick(&s, 0xfb, 0x04), 0);
    CHECK_EQ(s.active, 0x3);
}

/* A short wait keeps its place: nobody else issues meanwhile. */
static void who_waits_for_a_result_stays_active(void)
{
    struct sched s = new_sched(2);
    CHECK_EQ(pick(&s, 0xff, 0), 0);
    CHECK_EQ(pick(&s, 0xfe, 0), 1);
    CHECK_EQ(pick(&s, 0xfc, 0), -1);
    CHECK_EQ(s.active, 0x3);
    CHECK_EQ(pick(&s, 0xfd, 0), 0);
}

/* A busy pipeline is no reason to leave, nor not to come. */
static void the_ready_come_in_even_if_their_pipeline_is_busy(void)
{
    struct sched s = new_sched(2);
    CHECK_EQ(pick_of(&s, (struct sched_view){.candidates = 0x8, .ready = 0xe}), -1);
    CHECK_EQ(s.active, 0x6);
    CHECK_EQ(pick_of(&s, (struct sched_view){.candidates = 0xc, .ready = 0xe}), 2);
}

static void the_same_view_twice_leaves_the_same_set(void)
{
    struct sched s = new_sched(2);
    pick(&s, 0xff, 0);
    struct sched_view v = {.candidates = 0xf0, .ready = 0xf0, .waiting = 0x01};
    const struct warp_policy *p = warp_policy_find("two_level");
    int32_t first = p->pick(&s, &v);
    uint64_t active = s.active;
    CHECK_EQ(p->pick(&s, &v), first);
    CHECK_EQ(s.active, active);
}

static void one_active_warp_runs_until_it_waits(void)
{
    struct sched s = new_sched(1);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(pick(&s, 0xff, 0), 0);
    CHECK_EQ(pick(&s, 0xfe, 0x1), 1);
    CHECK_EQ(pick(&s, 0xff, 0), 1);
}

CHECK_MAIN("policy_two_level", TEST(the_oldest_are_active_first_and_take_turns),
           TEST(who_waits_for_memory_gives_its_place_to_the_oldest_ready_one),
           TEST(who_waits_for_a_result_stays_active),
           TEST(the_ready_come_in_even_if_their_pipeline_is_busy),
           TEST(the_same_view_twice_leaves_the_same_set), TEST(one_active_warp_runs_until_it_waits))
