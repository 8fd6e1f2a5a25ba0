#include "check.h"
#include "rig/l2_rig.h"
#include "rig/spy_policy.h"

static const struct l2_rig_options plain = {0};
static const struct l2_rig_options checked = {.check = true, .audit = 7};
/* One set, three ways. */
#define ONE_SET "l2.size=384 l2.ways=3 l2.latency=2"
#define KEEPS " l2.write_fetch=false"
#define SECTORS " l2.sectored=true"
#define ALL UINT32_MAX

static const struct tags_line *line_of(const struct l2_rig *r, uint64_t address)
{
    uint32_t i = tags_find(&r->slice->tags, address);
    return i == TAGS_NONE ? NULL : &r->slice->tags.line[i];
}

static void a_write_hit_makes_its_words_dirty(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET, &checked);
    l2_rig_send(r, REQUEST_READ, 0, ALL, 0);
    l2_rig_send(r, REQUEST_WRITE, 0, 0x0f0, 100);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(line_of(r, 0)->dirty, 0x0f0);
    CHECK_EQ(line_of(r, 0)->valid, ALL);
    CHECK_EQ(l2_rig_stats(r)->write_hits, 1);
    CHECK_EQ(r->nseen, 1);
    l2_rig_free(r);
}

static void a_write_miss_with_fetch_is_acknowledged_at_the_fill(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET, &checked);
    uint32_t w = l2_rig_send(r, REQUEST_WRITE, 128, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 1);
    CHECK_EQ(r->seen[0].t.sectors, 15);
    CHECK(r->sent[w].answered > r->seen[0].returned);
    CHECK_EQ(line_of(r, 128)->dirty, 1);
    CHECK_EQ(line_of(r, 128)->valid, ALL);
    CHECK_EQ(l2_rig_stats(r)->write_misses, 1);
    l2_rig_free(r);
}

static void a_write_miss_without_fetch_is_acknowledged_like_a_hit(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET KEEPS, &checked);
    uint32_t w = l2_rig_send(r, REQUEST_WRITE, 128, 6, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 0);
    CHECK_EQ(r->sent[w].answered, 1 + 2 + 1 + 1);
    CHECK_EQ(line_of(r, 128)->dirty, 6);
    CHECK_EQ(line_of(r, 128)->valid, 6);
    CHECK_EQ(line_of(r, 128)->state, TAG_VALID);
    CHECK_EQ(l2_rig_stats(r)->write_misses, 1);
    l2_rig_free(r);
}

static void kept_words_are_read_without_memory_and_the_rest_is_fetched_around_them(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET KEEPS, &checked);
    l2_rig_send(r, REQUEST_WRITE, 0, 0xff, 0);
    l2_rig_send(r, REQUEST_READ, 0, 0x18, 50);
    uint32_t more = l2_rig_send(r, REQUEST_READ, 0, 0x180, 100);
    CHECK(l2_rig_run(r, 90));
    CHECK_EQ(l2_rig_stats(r)->read_hits, 1);
    CHECK_EQ(r->nseen, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->read_misses, 1);
    CHECK_EQ(l2_rig_stats(r)->evictions, 0);
    CHECK_EQ(r->nseen, 1);
    CHECK_EQ(line_of(r, 0)->valid, ALL);
    CHECK_EQ(line_of(r, 0)->dirty, 0xff);
    CHECK_EQ(r->pool.at[more].version, 1);
    l2_rig_free(r);
}

static void only_writes_that_take_no_line_are_past_sectors(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET KEEPS " l2.write_through=true", &checked);
    l2_rig_send(r, REQUEST_WRITE, 128, 0x101, 0); /* absent: two sectors past the cache */
    l2_rig_send(r, REQUEST_READ, 0, ALL, 50);
    l2_rig_send(r, REQUEST_WRITE, 0, 1, 52);  /* on its way */
    l2_rig_send(r, REQUEST_WRITE, 0, 2, 200); /* there */
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->write_misses, 1);
    CHECK_EQ(l2_rig_stats(r)->write_merges, 1);
    CHECK_EQ(l2_rig_stats(r)->write_hits, 1);
    CHECK_EQ(l2_rig_stats(r)->sectors_written, 4);
    CHECK_EQ(r->slice->past.past_sectors, 2);
    l2_rig_free(r);
}

static void a_write_to_a_line_on_its_way_waits_for_it(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET KEEPS, &checked);
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    uint32_t w = l2_rig_send(r, REQUEST_WRITE, 0, 2, 0);
    uint32_t after = l2_rig_send(r, REQUEST_READ, 0, 2, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->write_merges, 1);
    CHECK(r->sent[w].answered > r->seen[0].returned);
    CHECK_EQ(r->pool.at[0].version, 0);
    CHECK_EQ(r->pool.at[w].version, 1);
    CHECK_EQ(r->pool.at[after].version, 1);
    CHECK_EQ(line_of(r, 0)->dirty, 2);
    l2_rig_free(r);
}

static void atomics_need_the_line_and_make_it_dirty(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET KEEPS, &checked);
    l2_rig_send(r, REQUEST_ATOMIC, 0, 1, 0);
    l2_rig_send(r, REQUEST_REDUCE, 0, 2, 0);
    l2_rig_send(r, REQUEST_ATOMIC, 0, 4, 100);
    CHECK(l2_rig_finish(r));
    const struct l2_stats *s = l2_rig_stats(r);
    CHECK(s->atomic_misses == 1 && s->atomic_merges == 1 && s->atomic_hits == 1);
    CHECK_EQ(s->reductions, 1);
    CHECK_EQ(s->bytes_read, 12);
    CHECK_EQ(s->bytes_written, 12);
    CHECK_EQ(line_of(r, 0)->dirty, 7);
    CHECK_EQ(r->pool.at[2].version, 3);
    CHECK_EQ(r->nseen, 1);
    l2_rig_free(r);
}

static void the_least_recently_used_line_is_written_back_with_its_dirty_sectors(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET, &checked);
    l2_rig_send(r, REQUEST_WRITE, 0, 0x00ff0001, 0); /* sectors 0 and 2 */
    l2_rig_send(r, REQUEST_READ, 128, 1, 100);
    l2_rig_send(r, REQUEST_READ, 256, 1, 200);
    l2_rig_send(r, REQUEST_READ, 128, 1, 300);
    l2_rig_send(r, REQUEST_READ, 384, 1, 400); /* takes the line of 0 */
    l2_rig_send(r, REQUEST_READ, 512, 1, 500); /* takes the line of 256 */
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 6);
    CHECK(!r->seen[3].t.is_write); /* the fetch goes first */
    CHECK_EQ(r->seen[3].t.line, 384);
    CHECK(r->seen[4].t.is_write);
    CHECK_EQ(r->seen[4].seen, r->seen[3].seen + 1);
    CHECK_EQ(r->seen[4].t.line, 0);
    CHECK_EQ(r->seen[4].t.sectors, 5);
    CHECK_EQ(r->seen[4].t.version, 1);
    CHECK(line_of(r, 0) == NULL && line_of(r, 256) == NULL && line_of(r, 128) != NULL);
    CHECK_EQ(l2_rig_stats(r)->evictions, 2);
    CHECK_EQ(l2_rig_stats(r)->writebacks, 1);
    CHECK_EQ(l2_rig_stats(r)->writeback_sectors, 2);
    CHECK_EQ(l2_rig_stats(r)->writebacks_done, 1);
    l2_rig_free(r);
}

static void a_line_that_was_written_back_is_fetched_after_its_write_back(void)
{
    struct l2_rig *r = l2_rig_new("l2.size=128 l2.ways=1 l2.latency=2 l2.mshrs=4 l2.miss_queue=2",
                                  &(struct l2_rig_options){.check = true, .memory_every = 30});
    l2_rig_send(r, REQUEST_WRITE, 0, 1, 0);
    l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    uint32_t again = l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 4);
    CHECK(r->seen[2].t.is_write && r->seen[2].t.line == 0);
    CHECK(!r->seen[3].t.is_write && r->seen[3].t.line == 0);
    CHECK_EQ(r->pool.at[again].version, 1);
    CHECK_EQ(r->stale, 0);
    l2_rig_free(r);
}

static void a_sectored_slice_fetches_only_what_is_asked_for(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET SECTORS, &checked);
    l2_rig_send(r, REQUEST_READ, 0, 0x00000101, 0);
    l2_rig_send(r, REQUEST_READ, 0, 0x00000202, 100);
    l2_rig_send(r, REQUEST_READ, 0, 0x01000001, 200);
    l2_rig_send(r, REQUEST_WRITE, 0, 0x00010000, 300); /* fetches its sector, too */
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 3);
    CHECK_EQ(r->seen[0].t.sectors, 3);
    CHECK_EQ(r->seen[1].t.sectors, 8);
    CHECK_EQ(r->seen[2].t.sectors, 4);
    CHECK_EQ(l2_rig_stats(r)->read_hits, 1);
    CHECK_EQ(l2_rig_stats(r)->read_misses, 2);
    CHECK_EQ(l2_rig_stats(r)->write_misses, 1);
    CHECK_EQ(l2_rig_stats(r)->fetched_sectors, 4);
    CHECK_EQ(l2_rig_stats(r)->evictions, 0);
    l2_rig_free(r);
}

static void other_sectors_of_a_line_on_its_way_are_fetched_together_when_it_has_come(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET SECTORS " l2.merges=5", &checked);
    l2_rig_send(r, REQUEST_READ, 0, 0x00000001, 0);
    l2_rig_send(r, REQUEST_READ, 0, 0x00000002, 0);
    l2_rig_send(r, REQUEST_READ, 0, 0x00010000, 0);
    l2_rig_send(r, REQUEST_READ, 0, 0x00000004, 0);
    l2_rig_send(r, REQUEST_READ, 0, 0x01000000, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 2);
    CHECK_EQ(r->seen[0].t.sectors, 1);
    CHECK_EQ(r->seen[1].t.sectors, 12);
    CHECK(r->sent[1].answered < r->seen[1].seen + 20);
    CHECK(r->sent[2].answered > r->seen[1].returned);
    for (uint32_t i = 0; i < 5; i++)
        CHECK_EQ(r->answers[i], i);
    CHECK_EQ(l2_rig_stats(r)->read_merges, 4);
    CHECK_EQ(l2_rig_stats(r)->refetches, 1);
    CHECK_EQ(line_of(r, 0)->valid, 0xffff00ff);
    l2_rig_free(r);
}

/* ---- what a read is answered with: all of its sectors, whatever words it was for ---- */

/* A cache without sectors that wants one word asks for the whole line. */
static uint32_t read_line(struct l2_rig *r, uint64_t line, uint32_t word, hd_cycle at)
{
    const struct l2_rig_ask ask = {.line = line, .words = 1u << word, .sectors = 15};
    return l2_rig_ask(r, &ask, at);
}

static void a_kept_word_does_not_answer_a_read_of_its_line(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET KEEPS, &checked);
    l2_rig_send(r, REQUEST_WRITE, 0, 1, 0);
    uint32_t line = read_line(r, 0, 0, 100); /* for the very word that was written */
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->read_hits, 0);
    CHECK_EQ(l2_rig_stats(r)->read_misses, 1);
    CHECK_EQ(r->nseen, 1);
    CHECK_EQ(r->seen[0].t.sectors, 15);
    CHECK(r->sent[line].answered > r->seen[0].returned);
    CHECK_EQ(r->oracle.unfounded, 0);
    CHECK_EQ(line_of(r, 0)->dirty, 1);
    CHECK_EQ(line_of(r, 0)->valid, ALL);
    CHECK_EQ(l2_rig_stats(r)->bytes_read, 128);
    l2_rig_free(r);
}

static void a_kept_word_does_not_answer_a_read_of_its_sector(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET KEEPS SECTORS, &checked);
    l2_rig_send(r, REQUEST_WRITE, 0, 1 << 8, 0);
    l2_rig_send(r, REQUEST_READ, 0, 1 << 8, 100);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 1);
    CHECK_EQ(r->seen[0].t.sectors, 2);
    CHECK_EQ(line_of(r, 0)->valid, 0xff00);
    CHECK_EQ(line_of(r, 0)->dirty, 1 << 8);
    CHECK_EQ(r->oracle.unfounded, 0);
    l2_rig_free(r);
}

static void a_kept_word_is_all_that_an_atomic_on_it_needs(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET KEEPS, &checked);
    l2_rig_send(r, REQUEST_WRITE, 0, 6, 0);
    l2_rig_send(r, REQUEST_ATOMIC, 0, 2, 100);
    l2_rig_send(r, REQUEST_REDUCE, 0, 4, 200);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 0);
    CHECK_EQ(l2_rig_stats(r)->atomic_hits, 2);
    l2_rig_free(r);
}

static void a_line_read_for_one_word_is_fetched_whole_by_a_sectored_slice(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET SECTORS, &checked);
    read_line(r, 0, 17, 0);
    l2_rig_send(r, REQUEST_READ, 0, ALL, 100);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 1);
    CHECK_EQ(r->seen[0].t.sectors, 15);
    CHECK_EQ(l2_rig_stats(r)->read_hits, 1);
    CHECK_EQ(l2_rig_stats(r)->fetched_sectors, 4);
    CHECK_EQ(r->oracle.unfounded, 0);
    l2_rig_free(r);
}

static void a_line_read_for_one_word_fetches_the_sectors_that_are_not_there(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET SECTORS, &checked);
    l2_rig_send(r, REQUEST_READ, 0, 1 << 8, 0);
    read_line(r, 0, 8, 100); /* its word is there */
    const struct l2_rig_ask two = {.line = 128, .words = 1, .sectors = 5};
    l2_rig_ask(r, &two, 200);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 3);
    CHECK_EQ(r->seen[0].t.sectors, 2);
    CHECK_EQ(r->seen[1].t.sectors, 13);
    CHECK_EQ(r->seen[2].t.sectors, 5);
    CHECK_EQ(line_of(r, 128)->valid, 0x00ff00ff);
    CHECK_EQ(r->oracle.unfounded, 0);
    l2_rig_free(r);
}

static void a_line_read_while_one_sector_is_on_its_way_waits_for_the_others(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET SECTORS, &checked);
    l2_rig_send(r, REQUEST_READ, 0, 1 << 8, 0);
    uint32_t line = read_line(r, 0, 8, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 2);
    CHECK_EQ(r->seen[1].t.sectors, 13);
    CHECK(r->sent[line].answered > r->seen[1].returned);
    CHECK_EQ(l2_rig_stats(r)->refetches, 1);
    CHECK_EQ(r->oracle.unfounded, 0);
    l2_rig_free(r);
}

static void a_write_fetched_by_a_sectored_slice_brings_its_own_sectors_only(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET SECTORS, &checked);
    l2_rig_send(r, REQUEST_WRITE, 0, 0x00ff0001, 0);
    read_line(r, 0, 0, 100);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 2);
    CHECK_EQ(r->seen[0].t.sectors, 5);
    CHECK_EQ(r->seen[1].t.sectors, 10);
    CHECK_EQ(line_of(r, 0)->dirty, 0x00ff0001);
    CHECK_EQ(r->oracle.unfounded, 0);
    l2_rig_free(r);
}

static void a_line_that_was_evicted_is_no_longer_there(void)
{
    struct l2_rig *r = l2_rig_new("l2.size=128 l2.ways=1 l2.latency=2" KEEPS, &checked);
    read_line(r, 0, 0, 0);
    l2_rig_send(r, REQUEST_WRITE, 128, 1, 100); /* takes its place */
    l2_rig_send(r, REQUEST_WRITE, 0, 1, 200);   /* and back, one word of it */
    read_line(r, 0, 0, 300);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->read_misses, 2);
    CHECK_EQ(r->nfetched, 2);
    CHECK_EQ(r->oracle.unfounded, 0);
    l2_rig_free(r);
}

/* ---- what stalls ---- */

static void each_lack_stalls_and_is_counted_by_its_name(void)
{
    struct l2_rig *r = l2_rig_new("l2.size=384 l2.ways=3 l2.latency=2 l2.merges=2", &checked);
    for (int i = 0; i < 3; i++)
        l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->stall_merge, 20 + 2 + 1 - 2);
    CHECK_EQ(l2_rig_stats(r)->read_hits, 1);
    l2_rig_free(r);

    r = l2_rig_new("l2.size=384 l2.ways=3 l2.latency=2", &checked);
    for (uint32_t i = 0; i < 4; i++)
        l2_rig_send(r, REQUEST_READ, 128 * i, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->stall_ways, 20 + 2 - 3);
    l2_rig_free(r);

    r = l2_rig_new("l2.size=128 l2.ways=1 l2.latency=2 l2.writebacks=1" KEEPS, &checked);
    for (uint32_t i = 0; i < 3; i++)
        l2_rig_send(r, REQUEST_WRITE, 128 * i, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->stall_writeback, 20 + 2 - 1);
    CHECK_EQ(l2_rig_stats(r)->stall_ways, 0);
    l2_rig_free(r);

    r = l2_rig_new("l2.size=384 l2.ways=3 l2.latency=2 l2.miss_queue=1",
                   &(struct l2_rig_options){.memory_every = 8});
    for (uint32_t i = 0; i < 3; i++)
        l2_rig_send(r, REQUEST_READ, 128 * i, 1, 0);
    CHECK(l2_rig_finish(r)); /* fetched at 3; memory looks at 8 and 16 */
    CHECK_EQ(l2_rig_stats(r)->stall_miss_queue, (9 - 4) + (17 - 10));
    l2_rig_free(r);
}

static void a_stalled_request_keeps_hits_behind_it_waiting(void)
{
    struct l2_rig *r = l2_rig_new("l2.size=384 l2.ways=3 l2.latency=2 l2.mshrs=1", &checked);
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    l2_rig_send(r, REQUEST_READ, 128, 1, 100);
    l2_rig_send(r, REQUEST_READ, 256, 1, 100);
    uint32_t hit = l2_rig_send(r, REQUEST_READ, 0, 1, 100);
    CHECK(l2_rig_finish(r));
    CHECK(r->sent[hit].answered > 120);
    CHECK_EQ(l2_rig_stats(r)->read_hits, 1);
    l2_rig_free(r);
}

static void reads_are_counted_by_space(void)
{
    struct l2_rig *r = l2_rig_new("l2.size=4K l2.ways=4 l2.latency=2", &plain);
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t id = l2_rig_send(r, REQUEST_READ, i / 2 * 128, 1, i * 100);
        r->pool.at[id].space = (uint8_t)(i / 2);
    }
    CHECK(l2_rig_finish(r));
    const struct l2_stats *s = l2_rig_stats(r);
    CHECK(s->global_hits == 2 && s->global_misses == 2); /* the number of shared memory, too */
    CHECK(s->local_hits == 1 && s->local_misses == 1);
    CHECK(s->const_hits == 2 && s->const_misses == 2); /* constants and parameters */
    CHECK(s->tex_hits == 1 && s->tex_misses == 1);
    CHECK(s->read_hits == 6 && s->read_misses == 6);
    l2_rig_free(r);
}

/* Of a line that is there, and of one that has come. */
static void answers_say_what_the_policy_says_of_their_line(void)
{
    for (int says = 0; says < 2; says++) {
        struct l2_rig *r = l2_rig_new(ONE_SET, &checked);
        struct spy_policy spy = {.keeps = true, .says_shared = says};
        spy_policy_attach(&spy, &r->slice->tags);
        l2_rig_send(r, REQUEST_READ, 128, 1, 0);
        l2_rig_send(r, REQUEST_WRITE, 128, 1, 0);
        l2_rig_send(r, REQUEST_ATOMIC, 128, 1, 100);
        CHECK(l2_rig_finish(r));
        for (uint32_t i = 0; i < 3; i++)
            CHECK_EQ(r->pool.at[i].flags, says ? REQUEST_SHARED : 0);
        CHECK_EQ(spy.used, 2);
        CHECK_EQ(spy.filled, 1);
        CHECK_EQ(spy.came, 0);
        l2_rig_free(r);
    }
}

static void a_launch_and_a_settling_are_told_to_the_policy(void)
{
    struct l2_rig *r = l2_rig_new(ONE_SET, &checked);
    struct spy_policy spy = {.keeps = true};
    spy_policy_attach(&spy, &r->slice->tags);
    l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(spy.settled, 1);
    slice_launch(r->slice, 3);
    CHECK_EQ(spy.launched, 1);
    CHECK_EQ(spy.program, 3);
    l2_rig_free(r);
}

CHECK_MAIN("l2/slice_access", TEST(a_write_hit_makes_its_words_dirty),
           TEST(a_write_miss_with_fetch_is_acknowledged_at_the_fill),
           TEST(a_write_miss_without_fetch_is_acknowledged_like_a_hit),
           TEST(kept_words_are_read_without_memory_and_the_rest_is_fetched_around_them),
           TEST(only_writes_that_take_no_line_are_past_sectors),
           TEST(a_write_to_a_line_on_its_way_waits_for_it),
           TEST(atomics_need_the_line_and_make_it_dirty),
           TEST(the_least_recently_used_line_is_written_back_with_its_dirty_sectors),
           TEST(a_line_that_was_written_back_is_fetched_after_its_write_back),
           TEST(a_sectored_slice_fetches_only_what_is_asked_for),
           TEST(other_sectors_of_a_line_on_its_way_are_fetched_together_when_it_has_come),
           TEST(a_kept_word_does_not_answer_a_read_of_its_line),
           TEST(a_kept_word_does_not_answer_a_read_of_its_sector),
           TEST(a_kept_word_is_all_that_an_atomic_on_it_needs),
           TEST(a_line_read_for_one_word_is_fetched_whole_by_a_sectored_slice),
           TEST(a_line_read_for_one_word_fetches_the_sectors_that_are_not_there),
           TEST(a_line_read_while_one_sector_is_on_its_way_waits_for_the_others),
           TEST(a_write_fetched_by_a_sectored_slice_brings_its_own_sectors_only),
           TEST(a_line_that_was_evicted_is_no_longer_there),
           TEST(each_lack_stalls_and_is_counted_by_its_name),
           TEST(a_stalled_request_keeps_hits_behind_it_waiting), TEST(reads_are_counted_by_space),
           TEST(answers_say_what_the_policy_says_of_their_line),
           TEST(a_launch_and_a_settling_are_told_to_the_policy))
