#include "check.h"

#include "analysis/footprint.h"

static const struct footprint_block *block(const struct footprint *f, uint64_t line)
{
    uint32_t i = lines_find(&f->blocks, line);
    CHECK(i != LINES_NONE);
    return lines_at(&f->blocks, i);
}

static void a_cta_is_noted_once_for_each_block(void)
{
    struct footprint f = footprint_new();
    for (int i = 0; i < 3; i++) { /* in turn, so that nobody is the last one twice */
        footprint_touch(&f, 0, 0, LOAD_NONE, 0);
        footprint_touch(&f, 0, 5, LOAD_HIT, 0);
        footprint_touch(&f, 128, 5, LOAD_NONE, 0);
    }
    CHECK_EQ(f.blocks.n, 2);
    CHECK_EQ(f.ctas.n, 3);
    CHECK(lines_find(&f.ctas, 0) != LINES_NONE);
    CHECK(lines_find(&f.ctas, 5) != LINES_NONE);
    CHECK(lines_find(&f.ctas, 1ull << 32 | 5) != LINES_NONE);
    footprint_clear(&f);
    CHECK_EQ(f.blocks.n, 0);
    CHECK_EQ(f.ctas.n, 0);
}

static void loads_are_counted_by_what_became_of_them(void)
{
    struct footprint f = footprint_new();
    footprint_touch(&f, 0, 1, LOAD_MISS, 0);
    footprint_touch(&f, 0, 1, LOAD_MERGE, 1);
    footprint_touch(&f, 0, 2, LOAD_MERGE, 2);
    footprint_touch(&f, 0, 1, LOAD_HIT, 3);
    footprint_touch(&f, 0, 1, LOAD_NONE, 4);
    CHECK_EQ(block(&f, 0)->load[LOAD_MISS], 1);
    CHECK_EQ(block(&f, 0)->load[LOAD_MERGE], 2);
    CHECK_EQ(block(&f, 0)->load[LOAD_HIT], 1);
    footprint_clear(&f);
}

static void uses_are_told_by_the_time_since_the_last_fill(void)
{
    static const hd_cycle after[] = {0, 9, 10, 99, 100, 999, 1000, 9999, 10000, 123456};
    struct footprint f = footprint_new();
    footprint_touch(&f, 0, 1, LOAD_MISS, 5); /* nothing has come yet */
    footprint_fill(&f, 0, 50);
    for (int i = 0; i < 10; i++)
        footprint_touch(&f, 0, 1, i % 2 ? LOAD_HIT : LOAD_MISS, 50 + after[i]);
    footprint_touch(&f, 0, 1, LOAD_MERGE, 51); /* waits for another fill */
    footprint_touch(&f, 0, 1, LOAD_NONE, 51);
    for (int i = 0; i < REUSE_BINS; i++)
        CHECK_EQ(block(&f, 0)->reuse[i], 2);
    footprint_fill(&f, 0, 200000);
    footprint_touch(&f, 0, 1, LOAD_HIT, 200001);
    CHECK_EQ(block(&f, 0)->reuse[0], 3);
    footprint_fill(&f, 128, 1); /* local memory: nobody's block */
    CHECK_EQ(f.blocks.n, 1);
    footprint_clear(&f);
}

CHECK_MAIN("footprint", TEST(a_cta_is_noted_once_for_each_block),
           TEST(loads_are_counted_by_what_became_of_them),
           TEST(uses_are_told_by_the_time_since_the_last_fill))
