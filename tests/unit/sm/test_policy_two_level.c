/* Two levels: round robin over a small active set. */
#include "check.h"

#include "sim/config.h"
#include "sm/policy.h"

struct setup {
    struct arena *arena;
    struct sched s;
};

static const struct warp_policy *policy(void)
{
    return warp_policy_find("two_level");
}

static struct sched new_sched(struct arena *a, const struct config *cfg)
{
    return (struct sched){.own = 0xff, .last = -1, .current = -1, .state = policy()->begin(a, cfg)};
}

static void set_up(struct setup *x, int limit)
{
    const struct cfg_section *all[8];
    struct err e = {0};
    x->arena = arena_new();
    struct config *cfg = config_new(x->arena, all, warp_policy_sections(all, 8));
    CHECK(config_set(cfg, arena_printf(x->arena, "two_level.active_warps=%d", limit), &e));
    x->s = new_sched(x->arena, cfg);
}

static int32_t pick_of(struct setup *x, struct sched_view v)
{
    int32_t at = policy()->pick(&x->s, &v);
    if (at >= 0)
        x->s.last = x->s.current = at;
    return at;
}

static int32_t pick(struct setup *x, uint64_t candidates, uint64_t waiting)
{
    return pick_of(x, (struct sched_view){candidates, candidates, waiting});
}

/* The active set: those that are picked when nobody new is ready.  Leaves everything as it was. */
static uint64_t active(const struct setup *x)
{
    uint64_t set = 0;
    for (int32_t i = 0; i < WARP_POSITIONS; i++) {
        struct sched s = x->s;
        struct sched_view v = {.candidates = 1ull << i};
        set |= (uint64_t)(policy()->pick(&s, &v) == i) << i;
    }
    return set;
}

static void the_oldest_are_active_first_and_take_turns(void)
{
    struct setup x;
    set_up(&x, 3);
    for (int i = 0; i < 9; i++)
        CHECK_EQ(pick(&x, 0xff, 0), i % 3);
    CHECK_EQ(active(&x), 0x7);
    arena_free(x.arena);
}

static void who_waits_for_memory_gives_its_place_to_the_oldest_ready_one(void)
{
    struct setup x;
    set_up(&x, 2);
    CHECK_EQ(pick(&x, 0xff, 0), 0);
    CHECK_EQ(pick(&x, 0xfe, 0x01), 1);
    CHECK_EQ(active(&x), 0x6); /* 2 for 0 */
    CHECK_EQ(pick(&x, 0xfe, 0x01), 2);
    CHECK_EQ(pick(&x, 0xff, 0), 1); /* 0 is back, but its place is taken */
    CHECK_EQ(pick(&x, 0xfb, 0x04), 0);
    CHECK_EQ(active(&x), 0x3);
    arena_free(x.arena);
}

/* A short wait keeps its place: nobody else issues meanwhile. */
static void who_waits_for_a_result_stays_active(void)
{
    struct setup x;
    set_up(&x, 2);
    CHECK_EQ(pick(&x, 0xff, 0), 0);
    CHECK_EQ(pick(&x, 0xfe, 0), 1);
    CHECK_EQ(pick(&x, 0xfc, 0), -1);
    CHECK_EQ(active(&x), 0x3);
    CHECK_EQ(pick(&x, 0xfd, 0), 0);
    arena_free(x.arena);
}

/* A busy pipeline is no reason to leave, nor not to come. */
static void the_ready_come_in_even_if_their_pipeline_is_busy(void)
{
    struct setup x;
    set_up(&x, 2);
    CHECK_EQ(pick_of(&x, (struct sched_view){.candidates = 0x8, .ready = 0xe}), -1);
    CHECK_EQ(active(&x), 0x6);
    CHECK_EQ(pick_of(&x, (struct sched_view){.candidates = 0xc, .ready = 0xe}), 2);
    arena_free(x.arena);
}

static void the_same_view_twice_leaves_the_same_set(void)
{
    struct setup x;
    set_up(&x, 2);
    pick(&x, 0xff, 0);
    struct sched_view v = {.candidates = 0xf0, .ready = 0xf0, .waiting = 0x01};
    int32_t first = policy()->pick(&x.s, &v);
    uint64_t before = active(&x);
    CHECK_EQ(policy()->pick(&x.s, &v), first);
    CHECK_EQ(active(&x), before);
    arena_free(x.arena);
}

static void one_active_warp_runs_until_it_waits(void)
{
    struct setup x;
    set_up(&x, 1);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(pick(&x, 0xff, 0), 0);
    CHECK_EQ(pick(&x, 0xfe, 0x1), 1);
    CHECK_EQ(pick(&x, 0xff, 0), 1);
    arena_free(x.arena);
}

static void the_active_set_moves_with_the_positions(void)
{
    struct setup x;
    set_up(&x, 3);
    pick_of(&x, (struct sched_view){.candidates = 0x54, .ready = 0x54}); /* 2, 4, 6 */
    CHECK_EQ(active(&x), 0x54);
    policy()->moved(x.s.state, 0xff & ~0x13ull); /* 0, 1 and 4 are gone */
    CHECK_EQ(active(&x), 0x9);                   /* 2 is 0, 6 is 3 */
    arena_free(x.arena);
}

static void each_scheduler_has_an_active_set_of_its_own(void)
{
    struct setup x, y;
    set_up(&x, 1);
    set_up(&y, 2);
    CHECK_EQ(pick(&x, 0x8, 0), 3);
    CHECK_EQ(pick(&y, 0xff, 0), 0);
    CHECK(active(&x) == 0x8 && active(&y) == 0x3);
    arena_free(x.arena);
    arena_free(y.arena);
}

CHECK_MAIN("policy_two_level", TEST(the_oldest_are_active_first_and_take_turns),
           TEST(who_waits_for_memory_gives_its_place_to_the_oldest_ready_one),
           TEST(who_waits_for_a_result_stays_active),
           TEST(the_ready_come_in_even_if_their_pipeline_is_busy),
           TEST(the_same_view_twice_leaves_the_same_set), TEST(one_active_warp_runs_until_it_waits),
           TEST(the_active_set_moves_with_the_positions),
           TEST(each_scheduler_has_an_active_set_of_its_own))
