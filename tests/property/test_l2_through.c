/* l2.write_through: what a write miss sends to memory, when it is acknowledged, and what the line
 * holds meanwhile. */
#include "check.h"
#include "rig/l2_rig.h"

static const struct l2_rig_options checked = {.check = true, .audit = 7};
/* One set, three ways; a request pushed at t reaches the tags at t + 3. */
#define ONE_SET "l2.size=384 l2.ways=3 l2.latency=2 l2.fill_latency=5 l2.write_through=true"
#define NO_FETCH " l2.write_fetch=false"
#define SECTORS " l2.sectored=true"
#define ALL UINT32_MAX
enum { TAGS = 3, TO_MEMORY_AND_BACK = 1 + 20 + 1 };

static const struct tags_line *line_of(const struct l2_rig *r, uint64_t address)
{
    uint32_t i = tags_find(&r->slice->tags, address);
    return i == TAGS_NONE ? NULL : &r->slice->tags.line[i];
}

static void check_clean(struct l2_rig *r, uint64_t throughs, uint64_t sectors)
{
    const struct l2_stats *s = l2_rig_stats(r);
    CHECK_EQ(s->throughs, throughs);
    CHECK_EQ(s->through_sectors, sectors);
    CHECK_EQ(s->throughs_done, throughs);
    CHECK_EQ(r->oracle.unfounded, 0);
    CHECK_EQ(r->stale, 0);
    l2_rig_free(r);
}

static void a_write_miss_goes_to_memory_before_the_fetch_of_its_line(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET, &checked);
    uint32_t w = l2_rig_send(r, REQUEST_WRITE, 128, 0x00ff0001, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 2);
    CHECK(r->seen[0].t.is_write && !r->seen[1].t.is_write);
    CHECK_EQ(r->seen[0].t.line, 128);
    CHECK_EQ(r->seen[0].t.sectors, 5);
    CHECK_EQ(r->seen[0].t.version, 1);
    CHECK_EQ(r->seen[1].t.line, 128);
    CHECK_EQ(r->seen[1].t.sectors, 15);
    CHECK_EQ(r->seen[0].seen, TAGS + 1);
    CHECK_EQ(r->seen[1].seen, TAGS + 2);
    CHECK_EQ(r->sent[w].answered, TAGS + TO_MEMORY_AND_BACK + 5 + 1);
    CHECK_EQ(r->pool.at[w].version, 1);
    CHECK_EQ(line_of(r, 128)->valid, ALL);
    CHECK_EQ(line_of(r, 128)->dirty, 0);
    CHECK_EQ(l2_rig_stats(r)->write_misses, 1);
    CHECK_EQ(l2_rig_stats(r)->writebacks, 0);
    check_clean(r, 1, 2);
}

static void without_fetch_a_write_miss_takes_no_line(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET NO_FETCH, &checked);
    uint32_t w = l2_rig_send(r, REQUEST_WRITE, 128, 1, 0);
    l2_rig_send(r, REQUEST_WRITE, 128, 2, 0);
    uint32_t read = l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 3);
    CHECK(r->seen[0].t.is_write && r->seen[1].t.is_write && !r->seen[2].t.is_write);
    CHECK_EQ(r->sent[w].answered, TAGS + TO_MEMORY_AND_BACK + 5 + 1);
    CHECK_EQ(r->pool.at[read].version, 2);
    CHECK_EQ(l2_rig_stats(r)->write_misses, 2);
    CHECK_EQ(l2_rig_stats(r)->read_misses, 1);
    CHECK_EQ(l2_rig_stats(r)->evictions, 0);
    CHECK_EQ(line_of(r, 128)->dirty, 0);
    check_clean(r, 2, 2);
}

static void a_write_to_a_line_that_is_there_makes_it_dirty_and_stays(void)
{
    static const char *const kinds[] = {ONE_SET, ONE_SET NO_FETCH};
    for (int i = 0; i < 2; i++) {
        struct l2_rig *r = l2_rig_new(kinds[i], &checked);
        l2_rig_send(r, REQUEST_READ, 0, ALL, 0);
        l2_rig_send(r, REQUEST_WRITE, 0, 6, 100);
        CHECK(l2_rig_finish(r));
        CHECK_EQ(r->nseen, 1);
        CHECK_EQ(line_of(r, 0)->dirty, 6);
        CHECK_EQ(l2_rig_stats(r)->write_hits, 1);
        check_clean(r, 0, 0);
    }
}

static void words_sent_through_are_valid_before_their_line_has_come(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET NO_FETCH SECTORS, &checked);
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    l2_rig_send(r, REQUEST_WRITE, 0, 0xff00, 0);
    uint32_t read = l2_rig_send(r, REQUEST_READ, 0, 0x100, 0); /* finds its sector */
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 2);
    CHECK(!r->seen[0].t.is_write && r->seen[1].t.is_write);
    CHECK_EQ(l2_rig_stats(r)->refetches, 0);
    CHECK_EQ(l2_rig_stats(r)->write_merges, 1);
    CHECK_EQ(r->pool.at[read].version, 1);
    CHECK_EQ(line_of(r, 0)->valid, 0xffff);
    CHECK_EQ(line_of(r, 0)->dirty, 0);
    check_clean(r, 1, 1);
}

/* Two places: the read has one; a third request finds one only if the write has taken none. */
static void a_write_that_would_fetch_takes_a_place_in_the_mshr_of_its_line(void)
{
    static const char *const kinds[] = {ONE_SET " l2.merges=2", ONE_SET NO_FETCH " l2.merges=2"};
    for (int i = 0; i < 2; i++) {
        struct l2_rig *r = l2_rig_new(kinds[i], &checked);
        l2_rig_send(r, REQUEST_READ, 0, 1, 0);
        uint32_t w = l2_rig_send(r, REQUEST_WRITE, 0, 2, 0);
        l2_rig_send(r, REQUEST_READ, 0, 4, 0);
        CHECK(l2_rig_finish(r));
        CHECK_EQ(l2_rig_stats(r)->stall_merge > 0, i == 0);
        CHECK_EQ(l2_rig_stats(r)->write_merges, 1);
        /* A cycle late: its confirmation comes while the second in the MSHR takes a turn. */
        CHECK_EQ(r->sent[w].answered, TAGS + 1 + TO_MEMORY_AND_BACK + 5 + 1 + 1);
        CHECK_EQ(line_of(r, 0)->dirty, 0);
        check_clean(r, 1, 1);
    }
}

static void the_place_of_a_write_takes_a_turn_and_makes_no_reply(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET, &checked);
    uint32_t first = l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    l2_rig_send(r, REQUEST_WRITE, 0, 2, 300); /* hits: the line is there */
    l2_rig_send(r, REQUEST_READ, 128, 1, 500);
    l2_rig_send(r, REQUEST_WRITE, 128, 2, 500);
    uint32_t third = l2_rig_send(r, REQUEST_READ, 128, 4, 500);
    CHECK(l2_rig_finish(r));
    hd_cycle filled = TAGS + TO_MEMORY_AND_BACK;
    CHECK_EQ(r->sent[first].answered, filled + 5 + 1);
    /* The write's turn is between; its reply is ready before that of the third, by a cycle. */
    CHECK_EQ(r->sent[third].answered, 500 + filled + 2 + 5 + 1);
    CHECK_EQ(l2_rig_stats(r)->replies, 5);
    check_clean(r, 1, 1);
}

static void a_write_waits_for_a_slot(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET NO_FETCH " l2.writebacks=2", &checked);
    for (uint32_t i = 0; i < 3; i++)
        l2_rig_send(r, REQUEST_WRITE, 128 * i, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->stall_writeback, TO_MEMORY_AND_BACK - 2);
    CHECK_EQ(r->sent[2].answered - r->sent[0].answered, TO_MEMORY_AND_BACK);
    check_clean(r, 3, 3);
}

static void a_line_that_is_written_and_evicted_costs_a_write_and_a_read(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET, &checked);
    for (uint32_t i = 0; i < 12; i++)
        l2_rig_send(r, REQUEST_WRITE, 128 * i, 1, 100 * i);
    CHECK(l2_rig_finish(r));
    const struct l2_stats *s = l2_rig_stats(r);
    CHECK_EQ(s->fetches, 12);
    CHECK_EQ(s->evictions, 9);
    CHECK_EQ(s->writebacks, 0);
    check_clean(r, 12, 12);
}

static void a_write_through_that_evicts_a_dirty_line_sends_three_transfers(void)
{
    struct l2_rig *r =
        l2_rig_new("l2.size=128 l2.ways=1 l2.latency=2 l2.write_through=true", &checked);
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    l2_rig_send(r, REQUEST_WRITE, 0, 1, 100);
    l2_rig_send(r, REQUEST_WRITE, 128, 1u << 31, 200);
    uint32_t again = l2_rig_send(r, REQUEST_READ, 0, 1, 300);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 5);
    CHECK(r->seen[1].t.is_write && r->seen[1].t.line == 128 && r->seen[1].t.sectors == 8);
    CHECK(!r->seen[2].t.is_write && r->seen[2].t.line == 128);
    CHECK(r->seen[3].t.is_write && r->seen[3].t.line == 0 && r->seen[3].t.sectors == 1);
    CHECK_EQ(r->pool.at[again].version, 1);
    CHECK_EQ(l2_rig_stats(r)->writebacks, 1);
    check_clean(r, 1, 1);
}

CHECK_MAIN("l2_through", TEST(a_write_miss_goes_to_memory_before_the_fetch_of_its_line),
           TEST(without_fetch_a_write_miss_takes_no_line),
           TEST(a_write_to_a_line_that_is_there_makes_it_dirty_and_stays),
           TEST(words_sent_through_are_valid_before_their_line_has_come),
           TEST(a_write_that_would_fetch_takes_a_place_in_the_mshr_of_its_line),
           TEST(the_place_of_a_write_takes_a_turn_and_makes_no_reply),
           TEST(a_write_waits_for_a_slot),
           TEST(a_line_that_is_written_and_evicted_costs_a_write_and_a_read),
           TEST(a_write_through_that_evicts_a_dirty_line_sends_three_transfers))
