#include "check.h"

#include "base/rng.h"
#include "dram/stage.h"
#include "rig/dram_rig.h"

enum { NO_WRITE = 1000 };

static struct dram_outcome play(struct arena *a, struct dram_request *r, uint32_t n,
                                struct stage_options o, uint32_t bank_queue)
{
    const struct dram_spec s = dram_rig_spec(a, "gddr5");
    const struct dram_trace t = {n, r};
    const struct dram_run run = {
        .spec = &s, .scheduler = "frfcfs", .queue = 64, .bank_queue = bank_queue, .stage = o};
    return dram_rig_play(a, &t, &run);
}

/* A read in each cycle, and writes of another row in between. */
static uint32_t mixed(struct dram_request *r, uint32_t writes)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < 60; i++) {
        r[n++] = (struct dram_request){2 * i, i % 16, 1, n, 1, false};
        if (i < writes)
            r[n++] = (struct dram_request){2 * i, i % 16, 1, n, 1, true};
    }
    return n;
}

static void few_writes_wait_while_there_are_reads(void)
{
    struct arena *a = arena_new();
    struct dram_request r[200];
    uint32_t n = mixed(r, 6);
    const struct dram_outcome o = play(a, r, n, (struct stage_options){16, 8, 400}, 0);
    hd_cycle last_read = 0, first_write = HD_NEVER;
    for (uint32_t i = 0; i < n; i++) {
        if (!r[i].is_write && o.done[i] > last_read)
            last_read = o.done[i];
        if (r[i].is_write && o.done[i] < first_write)
            first_write = o.done[i];
    }
    CHECK(first_write > last_read);
    CHECK(first_write > 400); /* nothing but their age lets them go */
    CHECK_EQ(o.stats.turnarounds, 1);
    CHECK_EQ(o.served, n);
    arena_free(a);
}

static void a_write_that_is_old_enough_goes_in_spite_of_reads(void)
{
    struct arena *a = arena_new();
    struct dram_request r[41] = {{0, 0, 1, 0, 1, true}};
    for (uint32_t i = 1; i < 41; i++)
        r[i] = (struct dram_request){20 * i, 0, 1, i, 1, false};
    /* The read of cycle 220 is before it on the bus: turnaround, write latency, burst. */
    const struct dram_outcome o = play(a, r, 41, (struct stage_options){16, 8, 230}, 0);
    CHECK_EQ(o.done[0], 220 + 1 + 12 + 4 + 2);
    CHECK_EQ(o.stats.turnarounds, 2);
    arena_free(a);
}

static void when_they_fill_their_places_all_that_wait_go(void)
{
    struct arena *a = arena_new();
    struct dram_request r[200];
    uint32_t n = mixed(r, 40);
    const struct dram_outcome o = play(a, r, n, (struct stage_options){10, NO_WRITE, HD_NEVER}, 0);
    CHECK_EQ(o.served, n); /* four batches of ten */
    const struct dram_outcome odd =
        play(a, r, mixed(r, 43), (struct stage_options){10, NO_WRITE, HD_NEVER}, 0);
    CHECK_EQ(odd.served, mixed(r, 43) - 3); /* three stay for ever, as in DRAMsim3 */
    arena_free(a);
}

static void more_than_the_threshold_go_when_the_queue_is_empty(void)
{
    for (uint32_t above = 0; above < 9; above++) {
        struct arena *a = arena_new();
        struct dram_request r[9];
        for (uint32_t i = 0; i < 9; i++)
            r[i] = (struct dram_request){i, 0, 1, i, 1, i > 0 && i < 6};
        const struct dram_outcome o = play(a, r, 9, (struct stage_options){16, above, HD_NEVER}, 0);
        CHECK_EQ(o.served, above < 5 ? 9 : 4);
        arena_free(a);
    }
}

/* Eight reads for a bank of two places, then one for another bank. */
static void reads_of_other_banks_pass_those_whose_bank_is_full(void)
{
    struct arena *a = arena_new();
    struct dram_request r[9];
    for (uint32_t i = 0; i < 9; i++)
        r[i] = (struct dram_request){0, i == 8, i, i, 1, false};
    const struct dram_outcome o = play(a, r, 9, (struct stage_options){16, 8, HD_NEVER}, 2);
    const struct dram_outcome in_order = play(a, r, 9, (struct stage_options){0, 0, 0}, 2);
    CHECK(o.done[8] < o.done[2]);
    CHECK(in_order.done[8] > in_order.done[4]);
    arena_free(a);
}

/* A read of a line that a waiting write brings lets the writes go, and comes after them; a write does
 * not pass a read of its line that waits for room. */
static void transfers_of_a_line_keep_their_order(void)
{
    struct arena *a = arena_new();
    struct dram_request after_write[] = {
        {0, 0, 1, 1, 1, true}, {1, 0, 1, 2, 1, false}, {2, 0, 1, 1, 1, false}};
    const struct dram_outcome o =
        play(a, after_write, 3, (struct stage_options){16, NO_WRITE, HD_NEVER}, 0);
    CHECK_EQ(o.served, 3);
    CHECK(o.done[0] < o.done[2]);
    struct dram_request after_read[] = {{0, 0, 1, 1, 1, false}, {0, 0, 2, 2, 1, false},
                                        {0, 0, 3, 3, 1, false}, {1, 0, 3, 3, 1, true},
                                        {2, 0, 3, 4, 1, true},  {3, 0, 3, 3, 1, false}};
    const struct dram_outcome p = play(a, after_read, 6, (struct stage_options){3, NO_WRITE, 5}, 1);
    CHECK_EQ(p.served, 6);
    CHECK(p.done[2] < p.done[3] && p.done[3] < p.done[5]);
    arena_free(a);
}

/* Few lines and small queues: much waits for something of its line. */
static void no_transfer_passes_a_write_of_its_line_nor_a_write_any(void)
{
    enum { N = 300 };
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct arena *a = arena_new();
        struct dram_request r[N];
        for (uint32_t i = 0; i < N; i++) {
            uint64_t draw = rng_at(seed, i);
            uint32_t line = (uint32_t)draw % 5;
            r[i] = (struct dram_request){(draw >> 8) % 4 + (i ? r[i - 1].at : 0),
                                         line % 2,
                                         line,
                                         line,
                                         1,
                                         (draw >> 16) % 3 == 0};
        }
        const struct stage_options o = {4 + (uint32_t)seed % 5, (uint32_t)seed % 4, 20 + 10 * seed};
        const struct dram_outcome out = play(a, r, N, o, seed % 2 ? 2 : 0);
        CHECK_EQ(out.served, N);
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t k = i + 1; k < N; k++)
                if (r[i].line == r[k].line && (r[i].is_write || r[k].is_write))
                    CHECK(out.done[i] < out.done[k]);
        arena_free(a);
    }
}

CHECK_MAIN("stage", TEST(few_writes_wait_while_there_are_reads),
           TEST(a_write_that_is_old_enough_goes_in_spite_of_reads),
           TEST(when_they_fill_their_places_all_that_wait_go),
           TEST(more_than_the_threshold_go_when_the_queue_is_empty),
           TEST(reads_of_other_banks_pass_those_whose_bank_is_full),
           TEST(transfers_of_a_line_keep_their_order),
           TEST(no_transfer_passes_a_write_of_its_line_nor_a_write_any))
