#include "check.h"

#include "rig/search_rig.h"
#include "search/batch.h"

static struct batch *open_batch(struct search_rig *r, uint32_t room)
{
    search_rig_open(r, "10 10");
    r->search = search_new(r->arena, &r->problem, r->config);
    r->search->scratch = r->arena; /* as if a method ran */
    return batch_new(r->search, 0, room);
}

static void fill(struct batch *b, uint16_t x, uint16_t y)
{
    batch_row(b)[0] = x;
    batch_row(b)[1] = y;
}

static void rows_are_tried_before_they_are_added(void)
{
    struct search_rig r;
    struct batch *b = open_batch(&r, 2);
    fill(b, 3, 4);
    CHECK(!batch_has(b));
    batch_add(b);
    fill(b, 3, 4);
    CHECK(batch_has(b));
    fill(b, 4, 3);
    CHECK(!batch_has(b));
    batch_add(b);
    fill(b, 4, 3); /* there is a row to try even when the batch is full */
    CHECK(batch_has(b));
    CHECK(batch_measure(b, &r.err));
    CHECK(b->at[0] == 0 && b->at[1] == 1 && b->n == 2);
    batch_clear(b);
    CHECK(b->n == 0 && !batch_has(b));
    search_rig_close(&r);
}

static void points_that_are_pushed_are_measured_when_the_batch_is_full_and_at_the_end(void)
{
    struct search_rig r;
    struct batch *b = open_batch(&r, 4);
    for (uint16_t i = 0; i < 10; i++) {
        fill(b, i, 0);
        CHECK(batch_push(b, &r.err));
        CHECK_EQ(search_count(r.search), (i + 1) / 4 * 4);
    }
    CHECK(batch_flush(b, &r.err));
    CHECK_EQ(search_count(r.search), 10);
    CHECK_EQ(r.batches, 3);
    CHECK(batch_flush(b, &r.err)); /* of nothing */
    CHECK_EQ(r.batches, 3);
    search_rig_close(&r);
}

static void a_failure_is_told_when_it_happens(void)
{
    struct search_rig r;
    struct batch *b = open_batch(&r, 2);
    r.fails = true;
    fill(b, 1, 1);
    CHECK(batch_push(b, &r.err));
    fill(b, 1, 2);
    CHECK(!batch_push(b, &r.err));
    search_rig_close(&r);
}

CHECK_MAIN("batch", TEST(rows_are_tried_before_they_are_added),
           TEST(points_that_are_pushed_are_measured_when_the_batch_is_full_and_at_the_end),
           TEST(a_failure_is_told_when_it_happens))
