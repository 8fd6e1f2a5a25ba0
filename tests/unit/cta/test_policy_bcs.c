/* Block CTA scheduling: a sequential set for each SM, then pairs for two free contexts. */
#include "check.h"
#include "rig/cta_rig.h"

static void an_sm_begins_with_a_set_and_then_waits_for_two_contexts(void)
{
    static const struct cta_rig_example x[] = {
        {"bcs",
         {.clusters = 2, .sms = 1, .contexts = 3, .ctas = 12},
         {{"", "0:0,1,2 1:3,4,5"},
          {"0", ""},
          {"3", ""},
          {"4", "1:6,7"},
          {"1", "0:8,9"},
          {"2 6 7", "1:10,11"},
          {"5 8 9", ""}}},
        {"bcs", /* what is free on two SMs is no pair */
         {.clusters = 4, .sms = 1, .contexts = 2, .ctas = 10},
         {{"", "0:0,1 1:2,3 2:4,5 3:6,7"}, {"0 2 5 6", ""}, {"4", "2:8,9"}}},
    };
    CTA_RIG_FOLLOW(x);
}

/* The set is no more than an SM's share, so that small kernels are not all on a few SMs. */
static void small_kernels_are_on_all_sms(void)
{
    static const struct cta_rig_example x[] = {
        {"bcs", {.clusters = 3, .sms = 1, .contexts = 4, .ctas = 5}, {{"", "0:0,1 1:2,3 2:4"}}},
        {"bcs", {.clusters = 3, .sms = 1, .contexts = 4, .ctas = 3}, {{"", "0:0 1:1 2:2"}}},
        {"bcs", {.clusters = 3, .sms = 1, .contexts = 4, .ctas = 2}, {{"", "0:0 1:1"}}},
        {"bcs",
         {.clusters = 3, .sms = 1, .contexts = 4, .ctas = 13},
         {{"", "0:0,1,2,3 1:4,5,6,7 2:8,9,10,11"}, {"5", ""}, {"6", "1:12"}}},
    };
    CTA_RIG_FOLLOW(x);
}

static void pairs_from_the_start_are_the_other_reading(void)
{
    static const struct cta_rig_example x[] = {
        {"bcs",
         {.clusters = 2, .sms = 1, .contexts = 4, .ctas = 10, .set = "bcs.start=block"},
         {{"", "0:0,1,4,5 1:2,3,6,7"}, {"3", ""}, {"0", ""}, {"5", "0:8,9"}}},
        {"bcs", /* an odd context stays empty */
         {.clusters = 2, .sms = 1, .contexts = 3, .ctas = 10, .set = "bcs.start=block"},
         {{"", "0:0,1 1:2,3"}, {"2", "1:4,5"}, {"0", "0:6,7"}, {"1 3 4", "1:8,9"}}},
        {"bcs", /* and SMs, where there are few CTAs */
         {.clusters = 3, .sms = 1, .contexts = 4, .ctas = 3, .set = "bcs.start=block"},
         {{"", "0:0,1 1:2"}}},
    };
    CTA_RIG_FOLLOW(x);
}

static void the_last_cta_of_an_odd_number_waits_for_two_contexts_as_well(void)
{
    static const struct cta_rig_example x[] = {
        {"bcs",
         {.clusters = 2, .sms = 1, .contexts = 2, .ctas = 5},
         {{"", "0:0,1 1:2,3"}, {"0", ""}, {"2", ""}, {"3", "1:4"}}},
    };
    CTA_RIG_FOLLOW(x);
}

static void where_an_sm_holds_one_cta_they_go_one_by_one(void)
{
    static const struct cta_rig_example x[] = {
        {"bcs",
         {.clusters = 2, .sms = 1, .contexts = 1, .ctas = 5},
         {{"", "0:0 1:1"}, {"1", "1:2"}, {"2", "1:3"}, {"0", "0:4"}}},
    };
    CTA_RIG_FOLLOW(x);
}

static void blocks_are_as_large_as_their_parameter_says_and_as_an_sm_holds(void)
{
    static const struct cta_rig_example x[] = {
        {"bcs",
         {.clusters = 2, .sms = 1, .contexts = 4, .ctas = 14, .set = "bcs.ctas=3"},
         {{"", "0:0,1,2,3 1:4,5,6,7"}, {"0 1", ""}, {"2", "0:8,9,10"}, {"4 6 7", "1:11,12,13"}}},
        {"bcs",
         {.clusters = 2, .sms = 1, .contexts = 2, .ctas = 6, .set = "bcs.ctas=3"},
         {{"", "0:0,1 1:2,3"}, {"0", ""}, {"1", "0:4,5"}}},
    };
    CTA_RIG_FOLLOW(x);
}

/* Two clusters of two SMs.  One CTA per cluster and cycle: SMs have their first, then their second. */
static void the_rate_delays_pairs_and_does_not_part_them(void)
{
    for (uint32_t rate = 0; rate < 3; rate++) {
        struct cta_rig r;
        cta_rig_open(&r, "bcs",
                     &(struct cta_rig_shape){.clusters = 2,
                                             .sms = 2,
                                             .contexts = 4,
                                             .ctas = 16,
                                             .rate = rate,
                                             .set = "bcs.start=block"});
        const uint32_t sm[] = {0, 2, 1, 3};
        CHECK_EQ(cta_rig_settle(&r), 16);
        CHECK_EQ(r.now, rate ? 8 / rate + 1 : 2);
        for (uint32_t i = 0; i < 16; i++)
            CHECK_EQ(r.cta[i].sm, sm[i / 2 % 4]);
        cta_rig_close(&r);
    }
}

CHECK_MAIN("policy_bcs", TEST(an_sm_begins_with_a_set_and_then_waits_for_two_contexts),
           TEST(small_kernels_are_on_all_sms), TEST(pairs_from_the_start_are_the_other_reading),
           TEST(the_last_cta_of_an_odd_number_waits_for_two_contexts_as_well),
           TEST(where_an_sm_holds_one_cta_they_go_one_by_one),
           TEST(blocks_are_as_large_as_their_parameter_says_and_as_an_sm_holds),
           TEST(the_rate_delays_pairs_and_does_not_part_them))
