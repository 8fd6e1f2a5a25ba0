#include "check.h"

#include "rig/dram_rig.h"

static struct dram_outcome play(struct arena *a, struct dram_request *r, uint32_t n)
{
    const struct dram_spec s = dram_rig_spec(a, "gddr5");
    const struct dram_trace t = {n, r};
    const struct dram_run run = {.spec = &s, .scheduler = "serial", .queue = 32};
    return dram_rig_play(a, &t, &run);
}

static void transfers_end_in_order_of_arrival(void)
{
    struct arena *a = arena_new();
    const struct dram_spec s = dram_rig_spec(a, "gddr5");
    const struct dram_trace t = dram_rig_random(a, 9, 1000, &s);
    const struct dram_run run = {.spec = &s, .scheduler = "serial", .queue = 32};
    const struct dram_outcome o = dram_rig_play(a, &t, &run);
    for (uint32_t i = 1; i < t.n; i++)
        CHECK(o.done[i - 1] < o.done[i]);
    arena_free(a);
}

static void no_row_is_opened_ahead(void)
{
    struct arena *a = arena_new();
    struct dram_request r[] = {{0, 0, 1, 1, 1, 0}, {0, 1, 1, 2, 1, 0}};
    const struct dram_outcome o = play(a, r, 2);
    CHECK_EQ(o.done[0], 27);
    CHECK_EQ(o.done[1], 13 + 1 + 12 + 14);
    arena_free(a);
}

static void a_hit_behind_a_miss_waits(void)
{
    struct arena *a = arena_new();
    struct dram_request r[] = {{0, 0, 1, 1, 1, 0}, {0, 0, 2, 2, 1, 0}, {0, 0, 1, 3, 1, 0}};
    const struct dram_outcome o = play(a, r, 3);
    CHECK(o.done[1] < o.done[2]);
    CHECK_EQ(o.stats.row_conflicts, 2);
    arena_free(a);
}

CHECK_MAIN("sched_serial", TEST(transfers_end_in_order_of_arrival), TEST(no_row_is_opened_ahead),
           TEST(a_hit_behind_a_miss_waits))
