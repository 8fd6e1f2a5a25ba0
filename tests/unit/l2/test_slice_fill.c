/* Further sectors of a line on its way, l2.sector_fetches: when they are fetched, and who is answered
 * when.  What a fetch brings to those who wait for it is in test_slice_access.c. */
#include "check.h"
#include "rig/l2_rig.h"

static const struct l2_rig_options checked = {.check = true, .audit = 3};
/* One set, three ways. */
#define FURTHER "l2.size=384 l2.ways=3 l2.latency=2 l2.sectored=true l2.sector_fetches=true "
#define KEEPS "l2.write_fetch=false "
#define SECTOR(n) (0xffu << 8 * (n))

static const struct tags_line *line_of(const struct l2_rig *r, uint64_t address)
{
    return &r->slice->tags.line[tags_find(&r->slice->tags, address)];
}

static void further_sectors_of_a_line_on_its_way_are_fetched_at_once(void)
{
    struct l2_rig *r = l2_rig_new(FURTHER "l2.merges=5", &checked);
    l2_rig_send(r, REQUEST_READ, 0, 0x00000001, 0);
    l2_rig_send(r, REQUEST_READ, 0, 0x00000002, 0); /* of the same sector */
    l2_rig_send(r, REQUEST_READ, 0, 0x00010000, 0);
    l2_rig_send(r, REQUEST_READ, 0, 0x01000100, 0); /* two more */
    l2_rig_send(r, REQUEST_READ, 0, 0x00000004, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 3);
    CHECK_EQ(r->seen[0].t.sectors, 1);
    CHECK_EQ(r->seen[1].t.sectors, 4);
    CHECK_EQ(r->seen[2].t.sectors, 10);
    CHECK_EQ(r->seen[1].seen, r->seen[0].seen + 2);
    CHECK_EQ(r->seen[2].seen, r->seen[0].seen + 3);
    for (uint32_t i = 0; i < 5; i++)
        CHECK_EQ(r->answers[i], i);
    CHECK_EQ(l2_rig_stats(r)->read_merges, 4);
    CHECK_EQ(l2_rig_stats(r)->refetches, 2);
    CHECK_EQ(l2_rig_stats(r)->fetches, 3);
    CHECK_EQ(line_of(r, 0)->valid, UINT32_MAX);
    l2_rig_free(r);
}

static void four_sectors_can_be_on_their_way_one_by_one(void)
{
    struct l2_rig *r = l2_rig_new(FURTHER "l2.mshrs=1", &checked);
    for (uint32_t i = 0; i < 4; i++)
        l2_rig_send(r, REQUEST_READ, 0, SECTOR(3 - i), 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 4);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_EQ(r->seen[i].t.sectors, 8u >> i);
        CHECK(r->seen[i].seen < r->seen[0].returned);
        CHECK_EQ(r->sent[i].answered, r->sent[0].answered + i); /* not one trip after the other */
    }
    CHECK_EQ(l2_rig_stats(r)->refetches, 3);
    l2_rig_free(r);
}

static void without_it_the_second_sector_takes_a_second_trip(void)
{
    static const char *const settings[] = {FURTHER, FURTHER "l2.sector_fetches=false"};
    hd_cycle last[2];
    for (int i = 0; i < 2; i++) {
        struct l2_rig *r = l2_rig_new(settings[i], &checked);
        l2_rig_send(r, REQUEST_READ, 0, SECTOR(0), 0);
        uint32_t b = l2_rig_send(r, REQUEST_READ, 0, SECTOR(1), 0);
        CHECK(l2_rig_finish(r));
        CHECK_EQ(r->nseen, 2);
        last[i] = r->sent[b].answered;
        l2_rig_free(r);
    }
    CHECK(last[1] >= last[0] + 20); /* the memory's latency */
}

static void sectors_that_a_waiting_write_does_not_fill_are_fetched_at_once(void)
{
    struct l2_rig *r = l2_rig_new(FURTHER KEEPS, &checked);
    l2_rig_send(r, REQUEST_READ, 0, SECTOR(0), 0);
    l2_rig_send(r, REQUEST_WRITE, 0, 1 << 8, 0); /* needs nothing */
    uint32_t read = l2_rig_send(r, REQUEST_READ, 0, SECTOR(1), 0);
    uint32_t atomic = l2_rig_send(r, REQUEST_ATOMIC, 0, 1 << 24, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 3);
    CHECK_EQ(r->seen[1].t.sectors, 2);
    CHECK_EQ(r->seen[2].t.sectors, 8);
    CHECK_EQ(r->pool.at[read].version, 1);
    CHECK_EQ(r->pool.at[atomic].version, 2);
    CHECK_EQ(line_of(r, 0)->dirty, 1 << 8 | 1 << 24);
    CHECK_EQ(r->stale + r->oracle.unfounded, 0);
    l2_rig_free(r);
}

/* The read asked for its sector before the write that fills it had its turn. */
static void a_line_stays_reserved_until_the_last_fetch_has_come_although_all_are_answered(void)
{
    struct l2_rig *r = l2_rig_new(FURTHER KEEPS "l2.fill_latency=1",
                                  &(struct l2_rig_options){.check = true, .memory_every = 12});
    l2_rig_send(r, REQUEST_READ, 0, SECTOR(0), 0);
    l2_rig_send(r, REQUEST_WRITE, 0, SECTOR(1), 0);
    uint32_t read = l2_rig_send(r, REQUEST_READ, 0, SECTOR(1), 0);
    while (r->sent[read].answered == HD_NEVER)
        CHECK(l2_rig_run(r, engine_now(r->engine) + 1));
    CHECK_EQ(r->nseen, 2);
    CHECK_EQ(r->seen[1].returned, 0);
    CHECK_EQ(line_of(r, 0)->state, TAG_RESERVED);
    CHECK_EQ(r->slice->mshr.live, 1);
    CHECK(slice_audit(&r->slice->c, &r->err));
    CHECK(l2_rig_finish(r));
    CHECK_EQ(line_of(r, 0)->state, TAG_VALID);
    CHECK_EQ(r->slice->mshr.live, 0);
    CHECK_EQ(line_of(r, 0)->dirty, SECTOR(1));
    l2_rig_free(r);
}

static void a_further_sector_waits_for_room_in_the_miss_queue(void)
{
    struct l2_rig *r = l2_rig_new(FURTHER "l2.miss_queue=1",
                                  &(struct l2_rig_options){.check = true, .memory_every = 50});
    l2_rig_send(r, REQUEST_READ, 0, SECTOR(0), 0);
    l2_rig_send(r, REQUEST_READ, 0, SECTOR(1), 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 2);
    CHECK_EQ(r->seen[1].seen, r->seen[0].seen + 50);
    CHECK(l2_rig_stats(r)->stall_miss_queue > 30);
    l2_rig_free(r);
}

/* What it lacked was written by one that had waited; nothing needs to be sent any more. */
static void a_request_stalled_for_the_miss_queue_goes_on_when_its_sector_is_written(void)
{
    struct l2_rig *r = l2_rig_new(
        FURTHER KEEPS "l2.miss_queue=1 l2.fill_latency=30",
        &(struct l2_rig_options){.check = true, .memory_every = 40, .memory_latency = 60});
    l2_rig_send(r, REQUEST_READ, 0, SECTOR(0), 0);
    l2_rig_send(r, REQUEST_WRITE, 0, SECTOR(1), 0);
    l2_rig_send(r, REQUEST_READ, 0, SECTOR(2), 41);   /* keeps the line on its way */
    l2_rig_send(r, REQUEST_READ, 128, SECTOR(0), 82); /* stays in the queue until cycle 120 */
    l2_rig_send(r, REQUEST_READ, 0, SECTOR(1), 83);
    CHECK(l2_rig_run(r, 112));
    CHECK(r->seen[0].returned > 90 && r->seen[0].returned < 105);
    CHECK_EQ(r->nseen, 2);
    CHECK_EQ(l2_rig_stats(r)->accesses, 5);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 3);
    CHECK_EQ(l2_rig_stats(r)->refetches, 1);
    l2_rig_free(r);
}

static void further_sectors_of_a_line_that_is_kept_nowhere_are_fetched_at_once(void)
{
    struct l2_rig *r = l2_rig_new(
        FURTHER, &(struct l2_rig_options){.check = true, .mode = 1, .kinds = 15, .spaces = 63});
    l2_rig_send(r, REQUEST_READ, 0, SECTOR(0), 0);
    l2_rig_send(r, REQUEST_ATOMIC, 0, 1 << 16, 0);
    l2_rig_send(r, REQUEST_READ, 0, SECTOR(3), 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->slice->refused.unkept, 1);
    CHECK_EQ(r->nseen, 4);
    CHECK_EQ(r->seen[1].t.sectors, 4);
    CHECK_EQ(r->seen[2].t.sectors, 8);
    CHECK(r->seen[3].t.is_write && r->seen[3].t.sectors == 4);
    CHECK(r->seen[3].seen > r->seen[2].returned);
    l2_rig_free(r);
}

CHECK_MAIN("slice_fill", TEST(further_sectors_of_a_line_on_its_way_are_fetched_at_once),
           TEST(four_sectors_can_be_on_their_way_one_by_one),
           TEST(without_it_the_second_sector_takes_a_second_trip),
           TEST(sectors_that_a_waiting_write_does_not_fill_are_fetched_at_once),
           TEST(a_line_stays_reserved_until_the_last_fetch_has_come_although_all_are_answered),
           TEST(a_further_sector_waits_for_room_in_the_miss_queue),
           TEST(a_request_stalled_for_the_miss_queue_goes_on_when_its_sector_is_written),
           TEST(further_sectors_of_a_line_that_is_kept_nowhere_are_fetched_at_once))
