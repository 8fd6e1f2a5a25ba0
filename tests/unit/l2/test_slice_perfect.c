/* Memory that answers everything in a fixed time. */
#include "check.h"
#include "rig/l2_rig.h"

#define PERFECT "l2.perfect=true l2.latency=10 l2.hit_latency=3 l2.size=1K l2.ways=2"

/* A request pushed at t is popped at t + 1; a reply pushed at t is seen at t + 1. */
static void every_request_takes_the_same_time(void)
{
    static const enum request_kind kinds[] = {REQUEST_READ, REQUEST_WRITE, REQUEST_ATOMIC,
                                              REQUEST_REDUCE};
    for (int way = 0; way < 2; way++) {
        struct l2_rig *r = l2_rig_new(
            PERFECT, &(struct l2_rig_options){.no_skip = way, .check = true, .audit = 16});
        for (uint32_t i = 0; i < 200; i++)
            l2_rig_send(r, kinds[i % 4], (uint64_t)(i * 7919 % 64) * 128, 1 + i, i);
        CHECK(l2_rig_finish(r));
        for (uint32_t i = 0; i < 200; i++)
            CHECK_EQ(r->sent[i].answered, r->sent[i].asked + 1 + 10 + 3 + 1);
        CHECK_EQ(r->nseen, 0); /* by memory */
        CHECK_EQ(r->stale, 0);
        CHECK_EQ(l2_rig_stats(r)->accesses, 200);
        CHECK_EQ(l2_rig_stats(r)->read_hits + l2_rig_stats(r)->write_hits +
                     l2_rig_stats(r)->atomic_hits,
                 200);
        l2_rig_free(r);
    }
}

/* The network's clock is four times as fast: four requests are there at each cycle of the slice. */
static void any_number_of_requests_is_taken_in_a_cycle(void)
{
    struct l2_rig *r = l2_rig_new(
        PERFECT,
        &(struct l2_rig_options){.slice_period = 4, .network_period = 1, .port_depth = 64});
    for (uint32_t i = 0; i < 100; i++)
        l2_rig_send(r, REQUEST_READ, (uint64_t)i * 128, 1, 0);
    CHECK(l2_rig_finish(r));
    for (uint32_t i = 0; i < 100; i++) {
        hd_cycle popped = (r->sent[i].asked / 4 + 1) * 4; /* the slice's next edge */
        CHECK_EQ(r->sent[i].answered, popped + 4 * (10 + 3) + 1 + i % 4);
    }
    l2_rig_free(r);
}

CHECK_MAIN("slice_perfect", TEST(every_request_takes_the_same_time),
           TEST(any_number_of_requests_is_taken_in_a_cycle))
