/* Requests that get no line: one set of three ways, memory answers 20 cycles after it took a
 * transfer. */
#include "check.h"
#include "rig/cache_model.h"
#include "rig/l2_rig.h"

#define SLICE "l2.size=384 l2.ways=3 l2.latency=2"
#define ALL UINT32_MAX
enum { EVERYWHERE = 63, READS = 1, WRITES = 2, ATOMICS = 12, ANY = 15 };

static struct l2_rig *open(const char *more, uint32_t mode, uint32_t kinds)
{
    char text[256];
    snprintf(text, sizeof text, SLICE " %s", more);
    return l2_rig_new(
        text, &(struct l2_rig_options){
                  .check = true, .audit = 7, .mode = mode, .kinds = kinds, .spaces = EVERYWHERE});
}

static uint32_t find(const struct l2_rig *r, uint64_t address)
{
    return tags_find(&r->slice->tags, address);
}

/* ---- no MSHR ---- */

static void a_read_that_passes_fetches_its_own_sectors_and_leaves_nothing(void)
{
    struct l2_rig *r = open("", CACHE_MODEL_NO_MSHR, READS);
    uint32_t a = l2_rig_send(r, REQUEST_READ, 128, 0xff00, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 1);
    CHECK_EQ(r->seen[0].t.sectors, 2);
    /* 1 popped, 3 at the tags and pushed, 4 taken by memory, 24 back, 25 taken, replied at 26 */
    CHECK_EQ(r->seen[0].seen, 4);
    CHECK_EQ(r->sent[a].answered, 27);
    CHECK_EQ(find(r, 128), TAGS_NONE);
    CHECK_EQ(l2_rig_stats(r)->read_misses, 1);
    CHECK_EQ(r->slice->refused.read_passes, 1);
    l2_rig_free(r);
}

static void reads_of_one_line_that_pass_do_not_wait_for_each_other(void)
{
    struct l2_rig *r = open("", CACHE_MODEL_NO_MSHR, READS);
    for (int i = 0; i < 3; i++)
        l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 3);
    CHECK_EQ(r->slice->refused.read_passes, 3);
    CHECK_EQ(l2_rig_stats(r)->read_merges, 0);
    CHECK_EQ(l2_rig_stats(r)->mshr_occupancy.max, 0);
    l2_rig_free(r);
}

static void a_line_that_is_there_or_on_its_way_is_used_all_the_same(void)
{
    struct l2_rig *r = open("", CACHE_MODEL_NO_MSHR, READS);
    l2_rig_send(r, REQUEST_WRITE, 128, 1, 0); /* fetches the line */
    l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    l2_rig_send(r, REQUEST_READ, 128, 1, 100);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->read_merges, 1);
    CHECK_EQ(l2_rig_stats(r)->read_hits, 1);
    CHECK_EQ(r->slice->refused.read_passes, 0);
    CHECK_EQ(r->nseen, 1);
    l2_rig_free(r);
}

static void a_write_that_passes_goes_to_memory_and_a_read_behind_it_sees_it(void)
{
    struct l2_rig *r = open("", CACHE_MODEL_NO_MSHR, ANY);
    uint32_t w = l2_rig_send(r, REQUEST_WRITE, 128, 0x101, 0);
    uint32_t a = l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 2);
    CHECK(r->seen[0].t.is_write);
    CHECK_EQ(r->seen[0].t.sectors, 3);
    CHECK_EQ(r->pool.at[w].version, 1);
    CHECK_EQ(r->pool.at[a].version, 1);
    CHECK(r->sent[w].answered > r->seen[0].returned);
    CHECK_EQ(r->slice->refused.write_passes, 1);
    CHECK_EQ(l2_rig_stats(r)->throughs, 1);
    l2_rig_free(r);
}

static void so_many_reads_pass_at_once_and_the_next_waits(void)
{
    struct l2_rig *r = open("l2.passing=1", CACHE_MODEL_NO_MSHR, READS);
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    CHECK(l2_rig_finish(r));
    /* At the tags at 4; the first is answered at 25, before the tags have their turn. */
    CHECK_EQ(r->slice->refused.stall_passing, 25 - 4);
    CHECK_EQ(r->seen[1].seen, 26);
    l2_rig_free(r);
}

/* ---- an MSHR, but no line ---- */

static void reads_wait_for_one_fetch_whose_line_is_kept_nowhere(void)
{
    struct l2_rig *r = open("", CACHE_MODEL_NO_LINE, READS);
    uint32_t a = l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    uint32_t b = l2_rig_send(r, REQUEST_READ, 128, 2, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->nseen, 1);
    CHECK_EQ(r->seen[0].t.sectors, 15);
    CHECK_EQ(r->sent[b].answered, r->sent[a].answered + 1);
    CHECK_EQ(find(r, 128), TAGS_NONE);
    CHECK_EQ(l2_rig_stats(r)->read_merges, 1);
    CHECK_EQ(r->slice->refused.unkept, 1);
    l2_rig_free(r);
}

static void what_is_refused_evicts_nothing(void)
{
    struct l2_rig *r = open("l2.write_fetch=false", CACHE_MODEL_NO_LINE, READS);
    for (uint64_t i = 0; i < 3; i++)
        l2_rig_send(r, REQUEST_WRITE, 128 * i, ALL, 0);
    for (uint64_t i = 3; i < 20; i++)
        l2_rig_send(r, REQUEST_READ, 128 * i, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->evictions, 0);
    for (uint64_t i = 0; i < 3; i++)
        CHECK(find(r, 128 * i) != TAGS_NONE);
    l2_rig_free(r);
}

static void words_written_into_an_unkept_line_go_to_memory(void)
{
    struct l2_rig *r = open("", CACHE_MODEL_NO_LINE, READS | ATOMICS);
    uint32_t a = l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    uint32_t b = l2_rig_send(r, REQUEST_ATOMIC, 128, 0x10001, 0);
    uint32_t c = l2_rig_send(r, REQUEST_READ, 128, 1, 0);
    uint32_t d = l2_rig_send(r, REQUEST_READ, 128, 1, 200); /* reads it from memory */
    CHECK(l2_rig_finish(r));
    CHECK_EQ(r->pool.at[a].version, 0);
    CHECK_EQ(r->pool.at[b].version, 1);
    CHECK_EQ(r->pool.at[c].version, 1);
    CHECK_EQ(r->pool.at[d].version, 1);
    CHECK_EQ(r->nseen, 3);
    CHECK(r->seen[1].t.is_write);
    CHECK_EQ(r->seen[1].t.sectors, 5);
    CHECK_EQ(l2_rig_stats(r)->writebacks, 1);
    CHECK_EQ(r->slice->refused.unkept, 2);
    l2_rig_free(r);
}

/* The slot of what it will write is taken with the first who writes. */
static void an_atomic_without_a_line_waits_for_a_write_slot(void)
{
    struct l2_rig *r = open("l2.writebacks=1", CACHE_MODEL_NO_LINE, ATOMICS);
    l2_rig_send(r, REQUEST_ATOMIC, 0, 1, 0);
    l2_rig_send(r, REQUEST_ATOMIC, 0, 1, 0); /* the same slot */
    l2_rig_send(r, REQUEST_ATOMIC, 128, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->atomic_merges, 1);
    CHECK(l2_rig_stats(r)->stall_writeback > 20);
    CHECK_EQ(l2_rig_stats(r)->writebacks, 2);
    l2_rig_free(r);
}

static void atomics_do_not_pass_without_an_mshr(void)
{
    struct l2_rig *r = open("", CACHE_MODEL_NO_MSHR, ANY);
    l2_rig_send(r, REQUEST_ATOMIC, 0, 1, 0);
    l2_rig_send(r, REQUEST_READ, 0, 1, 0);
    CHECK(l2_rig_finish(r));
    CHECK_EQ(l2_rig_stats(r)->read_merges, 1);
    CHECK_EQ(r->slice->refused.unkept, 1);
    CHECK_EQ(l2_rig_stats(r)->mshr_occupancy.max, 1);
    l2_rig_free(r);
}

CHECK_MAIN("slice_pass", TEST(a_read_that_passes_fetches_its_own_sectors_and_leaves_nothing),
           TEST(reads_of_one_line_that_pass_do_not_wait_for_each_other),
           TEST(a_line_that_is_there_or_on_its_way_is_used_all_the_same),
           TEST(a_write_that_passes_goes_to_memory_and_a_read_behind_it_sees_it),
           TEST(so_many_reads_pass_at_once_and_the_next_waits),
           TEST(reads_wait_for_one_fetch_whose_line_is_kept_nowhere),
           TEST(what_is_refused_evicts_nothing),
           TEST(words_written_into_an_unkept_line_go_to_memory),
           TEST(an_atomic_without_a_line_waits_for_a_write_slot),
           TEST(atomics_do_not_pass_without_an_mshr))
