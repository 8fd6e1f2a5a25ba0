#include "check.h"

#include "dram/scheduler.h"
#include "rig/dram_rig.h"

static struct dram_outcome play(struct arena *a, struct dram_request *r, uint32_t n, uint32_t queue)
{
    const struct dram_spec s = dram_rig_spec(a, "gddr5");
    const struct dram_trace t = {n, r};
    const struct dram_run run = {.spec = &s, .scheduler = "banked_fifo", .queue = queue};
    return dram_rig_play(a, &t, &run);
}

static void each_bank_serves_in_order_of_arrival(void)
{
    struct arena *a = arena_new();
    const struct dram_spec s = dram_rig_spec(a, "gddr5");
    const struct dram_trace t = dram_rig_random(a, 9, 2000, &s);
    const struct dram_outcome o = play(a, t.at, t.n, 64);
    hd_cycle last[16] = {0}, latest = 0;
    bool is_reordered = false;
    for (uint32_t i = 0; i < t.n; i++) {
        CHECK(o.done[i] > last[t.at[i].bank]);
        last[t.at[i].bank] = o.done[i];
        is_reordered |= o.done[i] < latest;
        latest = o.done[i] > latest ? o.done[i] : latest;
    }
    CHECK(is_reordered);
    arena_free(a);
}

static void banks_overlap(void)
{
    struct arena *a = arena_new();
    struct dram_request r[] = {{0, 0, 1, 1, 1, 0}, {0, 1, 1, 2, 1, 0}};
    const struct dram_outcome o = play(a, r, 2, 32);
    CHECK_EQ(o.done[0], 27);
    CHECK_EQ(o.done[1], 27 + 6);
    arena_free(a);
}

static void a_hit_behind_a_miss_of_its_bank_waits(void)
{
    struct arena *a = arena_new();
    struct dram_request r[] = {{0, 0, 1, 1, 1, 0}, {0, 0, 2, 2, 1, 0}, {0, 0, 1, 3, 1, 0}};
    const struct dram_outcome o = play(a, r, 3, 64);
    CHECK(o.done[1] < o.done[2]);
    CHECK_EQ(o.stats.row_conflicts, 2);
    arena_free(a);
}

static void a_full_bank_holds_up_what_comes_behind(void)
{
    struct arena *a = arena_new();
    /* A share of 2: the third to bank 0 is in the staging slot, so bank 1 is not reached. */
    struct dram_request r[] = {
        {0, 0, 1, 1, 1, 0}, {0, 0, 2, 2, 1, 0}, {0, 0, 3, 3, 1, 0}, {0, 1, 1, 4, 1, 0}};
    hd_cycle narrow = play(a, r, 4, 32).done[3], wide = play(a, r, 4, 64).done[3];
    CHECK_EQ(scheduler_find("banked_fifo")->share(32, 16), 2);
    CHECK_EQ(wide, 27 + 6);
    CHECK_EQ(narrow, 13 + 1 + 1 + 12 + 14); /* staged at 13, its successor at 14 */
    arena_free(a);
}

CHECK_MAIN("sched_banked_fifo", TEST(each_bank_serves_in_order_of_arrival), TEST(banks_overlap),
           TEST(a_hit_behind_a_miss_of_its_bank_waits),
           TEST(a_full_bank_holds_up_what_comes_behind))
