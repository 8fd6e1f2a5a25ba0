#include "check.h"

#include "rig/dram_rig.h"

static struct dram_outcome play(struct arena *a, struct dram_request *r, uint32_t n)
{
    const struct dram_spec s = dram_rig_spec(a, "gddr5");
    const struct dram_trace t = {n, r};
    const struct dram_run run = {.spec = &s, .scheduler = "frfcfs", .queue = 32};
    return dram_rig_play(a, &t, &run);
}

static struct dram_outcome play_capped(struct arena *a, struct dram_request *r, uint32_t n,
                                       const char *cap)
{
    const struct dram_spec s = dram_rig_spec(a, "gddr3");
    const struct dram_trace t = {n, r};
    const struct dram_run run = {.spec = &s, .scheduler = "frfcfs", .set = {cap}, .queue = 64};
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

/* One that wants another row comes second, then thirty hits.  With tRCD 12, tCCD 2 and tRAS 21 five
 * of them are served before the row can be closed. */
static void a_row_that_has_served_its_limit_is_closed_as_soon_as_it_can_be(void)
{
    static const struct {
        const char *cap;
        uint32_t before; /* hits that are served before the other row */
    } c[] = {{"frfcfs.cap=0", 31},  {"frfcfs.cap=1", 5},   {"frfcfs.cap=4", 5},
             {"frfcfs.cap=5", 5},   {"frfcfs.cap=9", 9},   {"frfcfs.cap=20", 20},
             {"frfcfs.cap=31", 31}, {"frfcfs.cap=900", 31}};
    for (size_t k = 0; k < sizeof c / sizeof c[0]; k++) {
        struct arena *a = arena_new();
        struct dram_request r[32];
        uint32_t before = 0;
        for (uint32_t i = 0; i < 32; i++)
            r[i] = (struct dram_request){0, 0, i == 1 ? 2 : 1, i, 1, false};
        const struct dram_outcome o = play_capped(a, r, 32, c[k].cap);
        for (uint32_t i = 0; i < 32; i++)
            before += o.done[i] < o.done[1];
        CHECK_EQ(before, c[k].before);
        CHECK_EQ(o.stats.activates, before == 31 ? 2 : 3);
        arena_free(a);
    }
}

static void the_limit_counts_from_the_opening_of_each_row(void)
{
    struct arena *a = arena_new();
    struct dram_request r[48];
    for (uint32_t i = 0; i < 48; i++) /* rows 1 and 2 in turn */
        r[i] = (struct dram_request){0, 0, 1 + i % 2, i, 1, false};
    CHECK_EQ(play_capped(a, r, 48, "frfcfs.cap=8").stats.activates, 6);
    CHECK_EQ(play_capped(a, r, 48, "frfcfs.cap=12").stats.activates, 4);
    CHECK_EQ(play_capped(a, r, 48, "frfcfs.cap=0").stats.activates, 2);
    arena_free(a);
}

/* Only the oldest of the bank closes a row. */
static void a_younger_one_waits_for_older_hits_in_spite_of_the_limit(void)
{
    struct arena *a = arena_new();
    struct dram_request r[21];
    for (uint32_t i = 0; i < 21; i++)
        r[i] = (struct dram_request){0, 0, i == 20 ? 2 : 1, i, 1, false};
    const struct dram_outcome o = play_capped(a, r, 21, "frfcfs.cap=1");
    CHECK_EQ(o.stats.activates, 2);
    for (uint32_t i = 0; i < 20; i++)
        CHECK(o.done[i] < o.done[20]);
    arena_free(a);
}

CHECK_MAIN("sched_frfcfs", TEST(a_hit_overtakes_a_miss_of_its_bank),
           TEST(a_row_stays_open_while_it_is_hit),
           TEST(a_read_overtakes_a_write_of_another_line_only),
           TEST(a_write_does_not_overtake_a_read_of_its_line),
           TEST(of_commands_that_are_legal_the_oldest_transfers_goes_first),
           TEST(a_row_that_has_served_its_limit_is_closed_as_soon_as_it_can_be),
           TEST(the_limit_counts_from_the_opening_of_each_row),
           TEST(a_younger_one_waits_for_older_hits_in_spite_of_the_limit))
