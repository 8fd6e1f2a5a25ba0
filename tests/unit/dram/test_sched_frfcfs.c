#include "check.h"

#include "rig/dram_rig.h"

static struct dram_outcome play(struct arena *a, struct dram_request *r, uint32_t n)
{
    const struct dram_spec s = dram_rig_spec(a, "gddr5");
    const struct dram_trace t = {n, r};
    const struct dram_run run = {.spec = &s, .scheduler = "frfcfs", .queue = 32};
    return dram_rig_play(a, &t, &run);
}

static void a_hit_overtakes_a_miss_of_its_bank(void)
{
    struct arena *a = arena_new();
    struct dram_request r[] = {{0, 0, 1, 1, 1, 0}, {0, 0, 2, 2, 1, 0}, {0, 0, 1, 3, 1, 0}};
    const struct dram_outcome o = play(a, r, 3);
    CHECK(o.done[2] < o.done[1]);
    CHECK_EQ(o.stats.row_hits, 1);
    CHECK_EQ(o.stats.row_misses, 1);
    CHECK_EQ(o.stats.row_conflicts, 1);
    arena_free(a);
}

static void a_row_stays_open_while_it_is_hit(void)
{
    struct arena *a = arena_new();
    struct dram_request r[40];
    for (uint32_t i = 0; i < 40; i++)
        r[i] = (struct dram_request){0, 0, i == 1 ? 2 : 1, i, 1, false};
    const struct dram_outcome o = play(a, r, 40);
    for (uint32_t i = 2; i < 40; i++)
        CHECK(o.done[i] < o.done[1]);
    CHECK_EQ(o.stats.activates, 2);
    arena_free(a);
}

/* While writes cannot go yet, reads that came later do, but not those of the same line. */
static void a_read_overtakes_a_write_of_another_line_only(void)
{
    struct arena *a = arena_new();
    struct dram_request r[] = {
        {0, 0, 1, 1, 1, 0}, {0, 0, 1, 2, 1, 1}, {0, 0, 1, 3, 1, 0}, {0, 0, 1, 2, 1, 0}};
    const struct dram_outcome o = play(a, r, 4);
    CHECK(o.done[2] < o.done[1]);
    CHECK(o.done[1] < o.done[3]);
    arena_free(a);
}

static void a_write_does_not_overtake_a_read_of_its_line(void)
{
    struct arena *a = arena_new();
    struct dram_request r[] = {
        {0, 0, 1, 1, 1, 1}, {0, 0, 1, 2, 1, 0}, {0, 0, 1, 3, 1, 1}, {0, 0, 1, 2, 1, 1}};
    const struct dram_outcome o = play(a, r, 4);
    CHECK(o.done[2] < o.done[1]);
    CHECK(o.done[1] < o.done[3]);
    arena_free(a);
}

static void of_commands_that_are_legal_the_oldest_transfers_goes_first(void)
{
    struct arena *a = arena_new();
    /* Both rows are open and idle when a pair arrives in the same order of banks each time. */
    struct dram_request r[] = {
        {0, 0, 1, 1, 1, 0}, {0, 1, 1, 2, 1, 0}, {200, 1, 1, 3, 2, 0}, {200, 0, 1, 4, 1, 0}};
    const struct dram_outcome o = play(a, r, 4);
    CHECK_EQ(o.done[2], 201 + 2 + 14);
    CHECK_EQ(o.done[3], 201 + 4 + 14);
    arena_free(a);
}

CHECK_MAIN("sched_frfcfs", TEST(a_hit_overtakes_a_miss_of_its_bank),
           TEST(a_row_stays_open_while_it_is_hit),
           TEST(a_read_overtakes_a_write_of_another_line_only),
           TEST(a_write_does_not_overtake_a_read_of_its_line),
           TEST(of_commands_that_are_legal_the_oldest_transfers_goes_first))
