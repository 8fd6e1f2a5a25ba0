/* The queues between a slice and its memory, and what `gated` does to those between a slice and its
 * network. */
#include "check.h"
#include "rig/l2_rig.h"

#define ALL UINT32_MAX
/* A memory that takes nothing before this cycle, then one transfer in as many. */
enum { LATE = 600 };
static const struct l2_rig_options late = {.memory_every = LATE};

/* ---- memory_queue ---- */

/* How many accesses of these are made before memory takes anything.  The first transfer that has
 * come at cycle 0 would be taken at once: requests start at 1. */
static uint64_t accesses_before(const char *settings, uint32_t memory, uint32_t misses,
                                enum request_kind kind)
{
    char text[512];
    snprintf(text, sizeof text,
             "l2.size=64K l2.ways=4 l2.latency=3 %s l2.memory_queue=%u "
             "l2.miss_queue=%u",
             settings, memory, misses);
    struct l2_rig *r = l2_rig_new(text, &late);
    for (uint32_t i = 0; i < 24; i++)
        l2_rig_send(r, kind, 128 * i, 1, 1);
    CHECK(l2_rig_run(r, LATE - 10));
    CHECK_EQ(r->nseen, 0);
    uint64_t n = l2_rig_stats(r)->accesses;
    r->opt.memory_every = 1;
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->oracle.unfounded, 0);
    l2_rig_free(r);
    return n;
}

static void one_queue_takes_as_many_fetches_as_it_has_places(void)
{
    for (uint32_t q = 1; q <= 6; q++)
        CHECK_EQ(accesses_before("", 0, q, REQUEST_READ), q);
}

/* The last place of the first queue is kept for a write-back, whether there is one or not. */
static void of_two_queues_a_miss_needs_two_places_in_the_first(void)
{
    for (uint32_t m = 1; m <= 4; m++)
        for (uint32_t q = 2; q <= 6; q++)
            CHECK_EQ(accesses_before("", m, q, REQUEST_READ), m + q - 1);
}

/* Each write makes two transfers: the first goes on to the port, and after k writes 2k - 1 are in
 * the first queue. */
static void of_two_queues_a_write_through_needs_three_places_in_the_first(void)
{
    for (uint32_t q = 3; q <= 9; q++) {
        uint32_t k = 0;
        while (k == 0 || q - (2 * k - 1) >= 3)
            k++;
        CHECK_EQ(accesses_before("l2.write_through=true", 1, q, REQUEST_WRITE), k);
        CHECK_EQ(accesses_before("l2.write_through=true l2.write_fetch=false", 1, q, REQUEST_WRITE),
                 1 + q);
    }
}

/* One line: all writes but the first write the one before it back. */
static void of_two_queues_a_write_without_a_fetch_needs_one_place_in_the_first(void)
{
    for (uint32_t m = 1; m <= 3; m++)
        for (uint32_t q = 2; q <= 4; q++)
            CHECK_EQ(
                accesses_before("l2.write_fetch=false l2.size=128 l2.ways=1", m, q, REQUEST_WRITE),
                1 + m + q);
}

static void a_second_queue_that_is_empty_costs_no_time(void)
{
    static const char *const kinds[] = {"l2.size=1K l2.ways=2 l2.latency=10",
                                        "l2.size=1K l2.ways=2 l2.latency=10 l2.memory_queue=3"};
    hd_cycle answered[2];
    for (int i = 0; i < 2; i++) {
        struct l2_rig *r = l2_rig_new(kinds[i], &(struct l2_rig_options){0});
        uint32_t id = l2_rig_send(r, REQUEST_READ, 0, 1, 0);
        CHECK(l2_rig_finish(r));
        CHECK_EQ(r->seen[0].seen, 1 + 10 + 1);
        answered[i] = r->sent[id].answered;
        l2_rig_free(r);
    }
    CHECK_EQ(answered[0], answered[1]);
}

/* A stream of misses that evict dirty lines sends two transfers each: one of them per cycle. */
static void two_queues_pass_a_transfer_a_cycle_in_the_order_of_accesses(void)
{
    enum { LINES = 8 };
    struct l2_rig *r = l2_rig_new("l2.size=1K l2.ways=1 l2.latency=2 l2.memory_queue=4 "
                                  "l2.miss_queue=6 l2.write_fetch=false l2.mshrs=16",
                                  &(struct l2_rig_options){.check = true, .audit = 3});
    for (uint32_t i = 0; i < LINES; i++)
        l2_rig_send(r, REQUEST_WRITE, 128 * i, 1, 0);
    for (uint32_t i = 0; i < LINES; i++)
        l2_rig_send(r, REQUEST_READ, 1024 + 128 * i, 1, 100);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 2 * LINES);
    for (uint32_t i = 0; i < 2 * LINES; i++) {
        CHECK_EQ(r->seen[i].seen, r->seen[0].seen + i);
        CHECK_EQ(r->seen[i].t.is_write, i % 2); /* the fetch first */
        CHECK_EQ(r->seen[i].t.line, (i % 2 ? 0 : 1024) + 128 * (i / 2));
    }
    CHECK_EQ(r->stale, 0);
    l2_rig_free(r);
}

static void with_two_queues_a_fetch_is_behind_the_write_back_of_its_line(void)
{
    struct l2_rig *r = l2_rig_new("l2.size=128 l2.ways=1 l2.latency=2 l2.mshrs=4 l2.miss_queue=4 "
                                  "l2.memory_queue=1",
                                  &(struct l2_rig_options){.check = true, .memory_every = 30});
    l2_rig_send(r, REQUEST_WRITE, 0, 1, 0);
    l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    uint32_t again = l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 4);
    CHECK(r->seen[2].t.is_write && r->seen[2].t.line == 0);
    CHECK(!r->seen[3].t.is_write && r->seen[3].t.line == 0);
    CHECK_EQ(r->pool.at[again].version, 1);
    l2_rig_free(r);
}

/* ---- gated ---- */

enum { L = 20, HITS = 100 };

/* Two misses, the second of which waits for the only MSHR, then hits.  The longest time between the
 * answers of two hits, and how many are more than a cycle apart. */
static uint64_t longest_gap(const char *gated, uint32_t input_queue, uint32_t *gaps)
{
    char text[256];
    snprintf(text, sizeof text,
             "l2.size=1K l2.ways=2 l2.latency=%u l2.mshrs=1 l2.input_queue=%u "
             "l2.gated=%s",
             L, input_queue, gated);
    struct l2_rig *r = l2_rig_new(text, &(struct l2_rig_options){.memory_latency = 200});
    l2_rig_send(r, REQUEST_READ, 0, ALL, 0);
    l2_rig_send(r, REQUEST_READ, 128, ALL, 1000);
    l2_rig_send(r, REQUEST_READ, 256, ALL, 1000);
    uint32_t hit = l2_rig_send(r, REQUEST_READ, 0, 1, 1000);
    for (uint32_t i = 1; i < HITS; i++)
        l2_rig_send(r, REQUEST_READ, 0, 1, 1000);
    CHECK(l2_rig_finish(r));
    uint64_t longest = 0;
    *gaps = 0;
    for (uint32_t i = 1; i < HITS; i++) {
        uint64_t gap = r->sent[hit + i].answered - r->sent[hit + i - 1].answered;
        longest = gap > longest ? gap : longest;
        *gaps += gap > 1;
    }
    l2_rig_free(r);
    return longest;
}

/* When fewer than input_queue are left at the tags the network is read again; what is read gets to
 * the tags a pipeline later, when those that were left are gone. */
static void a_gated_slice_has_a_bubble_after_a_stall(void)
{
    static const uint32_t input[] = {1, 2, 4, 8, 16, 20};
    for (int i = 0; i < 6; i++) {
        uint32_t gaps;
        CHECK_EQ(longest_gap("true", input[i], &gaps), L - input[i] + 1);
        CHECK_EQ(gaps, input[i] < L);
    }
}

static void a_slice_that_is_not_gated_has_no_bubbles(void)
{
    for (uint32_t input = 1; input <= 8; input++) {
        uint32_t gaps;
        CHECK_EQ(longest_gap("false", input, &gaps), 1);
        CHECK_EQ(gaps, 0);
    }
}

static void without_a_stall_a_gated_slice_is_as_fast_as_another(void)
{
    struct l2_rig *r = l2_rig_new("l2.size=1K l2.ways=2 l2.latency=20 l2.hit_latency=1 "
                                  "l2.input_queue=1 l2.reply_queue=1 l2.gated=true",
                                  &(struct l2_rig_options){0});
    l2_rig_send(r, REQUEST_READ, 0, ALL, 0);
    for (uint32_t i = 0; i < HITS; i++)
        l2_rig_send(r, REQUEST_READ, 0, 1, 1000);
    CHECK(l2_rig_finish(r));
    for (uint32_t i = 0; i < HITS; i++)
        CHECK_EQ(r->sent[1 + i].answered, 1000 + 1 + L + 1 + 1 + i);
    l2_rig_free(r);
}

/* The port is filled by two fetches; memory takes the first at LATE. */
static void hits_of_a_gated_slice_wait_while_the_port_to_memory_is_full(void)
{
    static const char *const queues[] = {"l2.miss_queue=2", "l2.miss_queue=6 l2.memory_queue=2"};
    for (int i = 0; i < 4; i++) {
        bool gated = i & 1;
        char text[256];
        snprintf(text, sizeof text,
                 "l2.size=1K l2.ways=2 l2.latency=3 l2.hit_latency=1 l2.write_fetch=false %s "
                 "l2.gated=%s",
                 queues[i / 2], gated ? "true" : "false");
        struct l2_rig *r = l2_rig_new(text, &late);
        l2_rig_send(r, REQUEST_WRITE, 0, 1, 1);
        l2_rig_send(r, REQUEST_READ, 128, 1, 100);
        l2_rig_send(r, REQUEST_READ, 256, 1, 100);
        uint32_t hit = l2_rig_send(r, REQUEST_WRITE, 0, 1, 200);
        CHECK(l2_rig_run(r, LATE - 10));
        CHECK_EQ(r->sent[hit].answered == HD_NEVER, gated);
        CHECK(l2_rig_finish(r));
        /* The place that is taken at LATE is seen to be free in the next cycle. */
        CHECK_EQ(r->sent[hit].answered, gated ? LATE + 1 + 1 + 1 : 200 + 1 + 3 + 1 + 1);
        l2_rig_free(r);
    }
}

/* Four replies are in the port of the network, two in the slice. */
static void misses_of_a_gated_slice_wait_while_the_queue_of_replies_is_full(void)
{
    for (int gated = 0; gated < 2; gated++) {
        char text[256];
        snprintf(text, sizeof text,
                 "l2.size=1K l2.ways=2 l2.latency=3 l2.hit_latency=1 l2.fill_latency=1 "
                 "l2.reply_queue=1 l2.write_fetch=false l2.gated=%s",
                 gated ? "true" : "false");
        struct l2_rig *r = l2_rig_new(text, &(struct l2_rig_options){.reply_every = LATE});
        for (int i = 0; i < 6; i++)
            l2_rig_send(r, REQUEST_WRITE, 0, 1, 1);
        l2_rig_send(r, REQUEST_READ, 128, 1, 100);
        CHECK(l2_rig_run(r, LATE - 10));
        CHECK_EQ(r->nseen, !gated);
        CHECK(l2_rig_finish(r));
        CHECK_EQ(r->nseen, 1);
        l2_rig_free(r);
    }
}

CHECK_MAIN("l2_queues", TEST(one_queue_takes_as_many_fetches_as_it_has_places),
           TEST(of_two_queues_a_miss_needs_two_places_in_the_first),
           TEST(of_two_queues_a_write_through_needs_three_places_in_the_first),
           TEST(of_two_queues_a_write_without_a_fetch_needs_one_place_in_the_first),
           TEST(a_second_queue_that_is_empty_costs_no_time),
           TEST(two_queues_pass_a_transfer_a_cycle_in_the_order_of_accesses),
           TEST(with_two_queues_a_fetch_is_behind_the_write_back_of_its_line),
           TEST(a_gated_slice_has_a_bubble_after_a_stall),
           TEST(a_slice_that_is_not_gated_has_no_bubbles),
           TEST(without_a_stall_a_gated_slice_is_as_fast_as_another),
           TEST(hits_of_a_gated_slice_wait_while_the_port_to_memory_is_full),
           TEST(misses_of_a_gated_slice_wait_while_the_queue_of_replies_is_full))
