/* Distributed-block scheduling: pairs of neighbours to SMs with two free contexts. */
#include "check.h"
#include "rig/cta_rig.h"

static void a_pair_that_the_rate_splits_stays_together(void)
{
    struct cta_rig r;
    cta_rig_open(
        &r, "distributed_block",
        &(struct cta_rig_shape){.clusters = 1, .sms = 2, .contexts = 4, .ctas = 8, .rate = 1});
    for (uint32_t i = 0; i < 8; i++) {
        CHECK_EQ(cta_rig_cycle(&r), 1);
        CHECK_EQ(r.cta[i].sm, i / 2 % 2);
    }
    cta_rig_close(&r);
}

static void a_pair_waits_for_two_contexts_of_one_sm(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "distributed_block",
                 &(struct cta_rig_shape){.clusters = 1, .sms = 2, .contexts = 2, .ctas = 8});
    CHECK_EQ(cta_rig_settle(&r), 4);
    cta_rig_end(&r, 0);
    cta_rig_end(&r, 2); /* one context each */
    CHECK_EQ(cta_rig_settle(&r), 0);
    cta_rig_end(&r, 3);
    CHECK_EQ(cta_rig_settle(&r), 2);
    CHECK(r.cta[4].sm == 1 && r.cta[5].sm == 1);
    cta_rig_close(&r);
}

static void the_last_cta_of_an_odd_pool_waits_for_two_contexts_as_well(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "distributed_block",
                 &(struct cta_rig_shape){.clusters = 1, .sms = 1, .contexts = 2, .ctas = 3});
    CHECK_EQ(cta_rig_settle(&r), 2);
    cta_rig_end(&r, 1);
    CHECK_EQ(cta_rig_settle(&r), 0);
    cta_rig_end(&r, 0);
    CHECK_EQ(cta_rig_settle(&r), 1);
    CHECK_EQ(r.cta[2].sm, 0);
    cta_rig_close(&r);
}

static void an_odd_context_stays_empty_until_another_is_free(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "distributed_block",
                 &(struct cta_rig_shape){.clusters = 1, .sms = 1, .contexts = 3, .ctas = 6});
    CHECK_EQ(cta_rig_settle(&r), 2);
    cta_rig_end(&r, 0);
    CHECK_EQ(cta_rig_settle(&r), 2);
    cta_rig_close(&r);
}

static void blocks_are_as_large_as_their_parameter_says(void)
{
    struct cta_rig r;
    struct cta_rig_shape s = {.clusters = 1, .sms = 2, .contexts = 4, .ctas = 9};
    s.set = "distributed_block.ctas=3";
    cta_rig_open(&r, "distributed_block", &s);
    CHECK_EQ(cta_rig_settle(&r), 6);
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ(r.cta[i].sm, i / 3);
    cta_rig_close(&r);
}

static void a_block_is_no_larger_than_what_an_sm_holds(void)
{
    struct cta_rig r;
    struct cta_rig_shape s = {.clusters = 1, .sms = 2, .contexts = 3, .ctas = 6};
    s.set = "distributed_block.ctas=5";
    cta_rig_open(&r, "distributed_block", &s);
    CHECK_EQ(cta_rig_settle(&r), 6);
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ(r.cta[i].sm, i / 3);
    cta_rig_close(&r);
}

static void where_an_sm_holds_one_cta_they_go_one_by_one(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "distributed_block",
                 &(struct cta_rig_shape){.clusters = 2, .sms = 2, .contexts = 1, .ctas = 10});
    CHECK_EQ(cta_rig_settle(&r), 4);
    CHECK(r.cta[0].sm == 0 && r.cta[1].sm == 1 && r.cta[5].sm == 2 && r.cta[6].sm == 3);
    cta_rig_end(&r, 1);
    CHECK_EQ(cta_rig_settle(&r), 1);
    CHECK_EQ(r.cta[2].sm, 1);
    cta_rig_close(&r);
}

CHECK_MAIN("policy_distributed_block", TEST(a_pair_that_the_rate_splits_stays_together),
           TEST(a_pair_waits_for_two_contexts_of_one_sm),
           TEST(the_last_cta_of_an_odd_pool_waits_for_two_contexts_as_well),
           TEST(an_odd_context_stays_empty_until_another_is_free),
           TEST(blocks_are_as_large_as_their_parameter_says),
           TEST(a_block_is_no_larger_than_what_an_sm_holds),
           TEST(where_an_sm_holds_one_cta_they_go_one_by_one))
