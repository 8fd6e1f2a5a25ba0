/* Sharing-aware CTA scheduling: the examples of the sharing paper's section IV, and what it leaves
 * open. */
#include "check.h"
#include "cta/policy_groups.h"
#include "rig/cta_rig.h"

/* docs/model/dispatch.md */
static void a_grid_of_4_by_5_goes_to_two_sms_as_the_table_says(void)
{
#define SHAPE                                                                                      \
    {                                                                                              \
        .clusters = 2, .sms = 1, .contexts = 3, .grid = { 4, 5, 1 }                                \
    }
    static const struct cta_rig_example x[] = {
        {"rr", SHAPE, {{"", "0:0,2,4 1:1,3,5"}, {"0", "0:6"}, {"2", "0:7"}}},
        {"q8", SHAPE, {{"", "0:0,1,2 1:8,9,10"}, {"0", "0:3"}, {"1", "0:4"}}},
        {"qx", SHAPE, {{"", "0:0,1,2 1:4,5,6"}, {"0", "0:3"}, {"1", "0:8"}}},
        {"qx_adpt",
         SHAPE,
         {{"", "0:0,1,2 1:4,5,6"},
          {"0", "0:3"},
          {"1", "0:8"},
          {"2 3 8", "0:9,10,11"},
          {"4 5 6", "1:7,12,13"},
          {"9", "0:16"},
          {"7 12 13", "1:14,15,17"},
          {"10", "0:18"},
          {"14", "1:19"}}},
        {"bcs", SHAPE, {{"", "0:0,1,2 1:3,4,5"}, {"0", ""}, {"1", "0:6,7"}}},
    };
#undef SHAPE
    CTA_RIG_FOLLOW(x);
}

static void an_sm_keeps_its_group_until_it_is_used_up(void)
{
    static const struct cta_rig_example x[] = {
        /* {0 1 2} {3 4 5} {6 7}: SM 1 is the first to need another group, which is a short one. */
        {"q8",
         {.clusters = 2, .sms = 1, .contexts = 2, .ctas = 8, .set = "q8.ctas=3"},
         {{"", "0:0,1 1:3,4"},
          {"3", "1:5"},
          {"4", "1:6"},
          {"0", "0:2"},
          {"1", ""}, /* 7 waits for its own SM */
          {"2", ""},
          {"5", "1:7"}}},
        /* One context: a group runs one CTA after the other. */
        {"q8",
         {.clusters = 2, .sms = 1, .contexts = 1, .ctas = 8, .set = "q8.ctas=3"},
         {{"", "0:0 1:3"},
          {"3", "1:4"},
          {"4", "1:5"},
          {"5", "1:6"},
          {"0", "0:1"},
          {"1", "0:2"},
          {"2", ""},
          {"6", "1:7"}}},
    };
    CTA_RIG_FOLLOW(x);
}

/* Groups go to the SMs in turn, and where an SM holds more than one, in turn again. */
static void groups_that_are_smaller_than_an_sm_go_round(void)
{
    static const struct cta_rig_example x[] = {
        {"qx",
         {.clusters = 2, .sms = 1, .contexts = 5, .grid = {2, 5, 1}},
         {{"", "0:0,1,4,5,8 1:2,3,6,7"}, {"2", ""}, {"0", "0:9"}}},
        {"q8",
         {.clusters = 3, .sms = 1, .contexts = 4, .ctas = 14, .set = "q8.ctas=2"},
         {{"", "0:0,1,6,7 1:2,3,8,9 2:4,5,10,11"}, {"4", "2:12"}, {"0", ""}, {"5", "2:13"}}},
    };
    CTA_RIG_FOLLOW(x);
}

static void fewer_groups_than_sms_leave_sms_empty(void)
{
    static const struct cta_rig_example x[] = {
        {"qx",
         {.clusters = 4, .sms = 1, .contexts = 3, .grid = {4, 2, 1}},
         {{"", "0:0,1,2 1:4,5,6"}, {"1", "0:3"}, {"4", "1:7"}, {"0 2 3", ""}}},
        {"q8", /* fewer CTAs than SMs, too */
         {.clusters = 4, .sms = 1, .contexts = 8, .ctas = 3},
         {{"", "0:0,1,2"}}},
        {"q8", {.clusters = 4, .sms = 1, .contexts = 1, .ctas = 1}, {{"", "0:0"}, {"0", ""}}},
    };
    CTA_RIG_FOLLOW(x);
}

/* Clusters take turns, in each its SMs, as in round robin. */
static void groups_go_to_clusters_in_turn(void)
{
    static const struct cta_rig_example x[] = {
        {"q8",
         {.clusters = 2, .all = 5, .contexts = 1, .ctas = 24, .set = "q8.ctas=4"},
         {{"", "0:0 1:8 2:16 3:4 4:12"}, {"16", "2:17"}, {"4", "3:5"}}},
        {"q8", /* of an SM's set some only */
         {.clusters = 3, .sms = 2, .only = 0x34, .contexts = 2, .ctas = 24, .set = "q8.ctas=4"},
         {{"", "2:0,1 4:4,5 5:8,9"}}},
    };
    CTA_RIG_FOLLOW(x);
}

/* "All SMs will be assigned 1 CTA group except one SM that will get 2." */
static void of_17_groups_on_16_sms_one_sm_has_two(void)
{
    const uint32_t contexts[] = {1, 4, 8, 12}, rates[] = {0, 1, 3};
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++) {
            struct cta_rig r;
            uint32_t of_sm[16] = {0}, two = 0;
            cta_rig_open(&r, "q8",
                         &(struct cta_rig_shape){.clusters = 16,
                                                 .sms = 1,
                                                 .contexts = contexts[c],
                                                 .ctas = 136,
                                                 .rate = rates[k]});
            while (r.nended < 136) {
                cta_rig_settle(&r);
                for (uint32_t i = 0; i < 136; i++)
                    if (r.cta[i].sm != CTA_RIG_NOWHERE && !r.cta[i].has_ended)
                        cta_rig_end(&r, i);
            }
            for (uint32_t i = 0; i < 136; i++) {
                CHECK_EQ(r.cta[i].sm, i < 128 ? i / 8 : r.cta[128].sm);
                of_sm[r.cta[i].sm]++;
            }
            for (uint32_t sm = 0; sm < 16; sm++)
                two += of_sm[sm] == 16;
            CHECK_EQ(two, 1);
            cta_rig_close(&r);
        }
}

/* --- the adaptive forms ----------------------------------------------------------------------- */

static void groups_that_have_begun_stay_when_it_adapts(void)
{
    static const struct cta_rig_example x[] = {
        {"q8_adpt",
         {.clusters = 2, .sms = 1, .contexts = 2, .ctas = 10, .set = "q8_adpt.ctas=2"},
         {{"", "0:0,1 1:2,3"},
          {"2", "1:4"}, /* three groups were left */
          {"0", "0:6"}, /* two */
          {"1", "0:7"},
          {"4", "1:5"},
          {"3", "1:8"}, /* one: its CTAs go where there is room */
          {"6", "0:9"}}},
        /* SM 1 has not come to the end of its group when the others are dealt out one by one. */
        {"q8_adpt",
         {.clusters = 2, .sms = 1, .contexts = 1, .ctas = 9, .set = "q8_adpt.ctas=3"},
         {{"", "0:0 1:3"},
          {"0", "0:1"},
          {"1", "0:2"},
          {"2", "0:6"},
          {"6", "0:7"},
          {"3", "1:4"},
          {"7", "0:8"},
          {"4", "1:5"},
          {"5", ""}}},
    };
    CTA_RIG_FOLLOW(x);
}

static void fewer_groups_than_sms_are_round_robin_from_the_start(void)
{
    static const struct cta_rig_example x[] = {
        {"q8_adpt", /* as many as SMs: the last one is short, and counts */
         {.clusters = 3, .sms = 1, .contexts = 2, .ctas = 9, .set = "q8_adpt.ctas=4"},
         {{"", "0:0,1 1:4,5 2:8"}, {"8", ""}, {"4", "1:6"}}},
        {"q8_adpt",
         {.clusters = 3, .sms = 1, .contexts = 2, .ctas = 8, .set = "q8_adpt.ctas=4"},
         {{"", "0:0,3 1:1,4 2:2,5"}, {"1", "1:6"}, {"5", "2:7"}}},
        {"qx_adpt", /* a row */
         {.clusters = 3, .sms = 1, .contexts = 1, .ctas = 5},
         {{"", "0:0 1:1 2:2"}, {"1", "1:3"}, {"0", "0:4"}}},
    };
    CTA_RIG_FOLLOW(x);
}

/* Only the kernel's own SMs count. */
static void sms_of_others_do_not_count(void)
{
    static const struct cta_rig_example x[] = {
        {"q8_adpt",
         {.clusters = 8,
          .sms = 1,
          .first = 3,
          .count = 2,
          .contexts = 2,
          .ctas = 4,
          .set = "q8_adpt.ctas=2"},
         {{"", "3:0,1 4:2,3"}}},
    };
    CTA_RIG_FOLLOW(x);
}

/* Every SM has its first group, or groups are counted one by one: then 16 of 17 are left after
 * the first and 15 after the second, and all others are dealt out. */
static void the_seventeenth_group_is_spread(void)
{
    for (int one_by_one = 0; one_by_one < 2; one_by_one++) {
        struct cta_rig r;
        cta_rig_open(
            &r, "q8_adpt",
            &(struct cta_rig_shape){.clusters = 16,
                                    .sms = 1,
                                    .contexts = 8,
                                    .ctas = 136,
                                    .set = one_by_one ? "q8_adpt.first_round=false" : NULL});
        CHECK_EQ(cta_rig_settle(&r), 128);
        for (uint32_t i = 0; i < 128; i++)
            CHECK_EQ(r.cta[i].sm, !one_by_one || i < 16 ? i / 8 : 2 + (i - 16) % 14);
        for (uint32_t i = 0; i < 8; i++) { /* one ends on each of eight SMs */
            uint32_t ends = one_by_one ? 16 + i : 16 + 8 * i;
            cta_rig_end(&r, ends);
            CHECK_EQ(cta_rig_settle(&r), 1);
            CHECK_EQ(r.cta[128 + i].sm, r.cta[ends].sm);
        }
        cta_rig_close(&r);
    }
}

/* --- guests ----------------------------------------------------------------------------------- */

static void the_last_cta_that_has_not_begun_is_lent(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "q8",
                 &(struct cta_rig_shape){
                     .clusters = 2, .sms = 1, .contexts = 1, .ctas = 8, .set = "q8.ctas=3"});
    CHECK_EQ(cta_rig_settle(&r), 2); /* of {0 1 2} and {3 4 5} */
    CHECK_EQ(cta_rig_lend(&r), 7);
    CHECK_EQ(cta_rig_lend(&r), 6);
    cta_rig_end(&r, 3);
    CHECK_EQ(cta_rig_settle(&r), 1);
    CHECK_EQ(cta_rig_lend(&r), 2); /* of the group that has most left */
    CHECK_EQ(cta_rig_lend(&r), 1);
    CHECK_EQ(cta_rig_lend(&r), 5);
    CHECK_EQ(cta_rig_lend(&r), CTA_RIG_NOWHERE);
    cta_rig_end(&r, 0);
    cta_rig_end(&r, 4);
    CHECK_EQ(cta_rig_settle(&r), 0);
    CHECK_EQ(r.nended, 8);
    cta_rig_close(&r);
}

/* Those that were lent are no longer left: of four groups and a CTA four are. */
static void what_is_lent_is_not_left(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "q8_adpt",
                 &(struct cta_rig_shape){.clusters = 2,
                                         .sms = 1,
                                         .contexts = 2,
                                         .ctas = 9,
                                         .set = "q8_adpt.ctas=2 q8_adpt.first_round=false"});
    for (uint32_t i = 8; i > 2; i--)
        CHECK_EQ(cta_rig_lend(&r), i); /* {0 1} and 2 are left */
    CHECK_EQ(cta_rig_settle(&r), 3);
    CHECK(r.cta[0].sm == 0 && r.cta[1].sm == 0 && r.cta[2].sm == 1);
    cta_rig_close(&r);
}

CHECK_MAIN("policy_groups", TEST(a_grid_of_4_by_5_goes_to_two_sms_as_the_table_says),
           TEST(an_sm_keeps_its_group_until_it_is_used_up),
           TEST(groups_that_are_smaller_than_an_sm_go_round),
           TEST(fewer_groups_than_sms_leave_sms_empty), TEST(groups_go_to_clusters_in_turn),
           TEST(of_17_groups_on_16_sms_one_sm_has_two),
           TEST(groups_that_have_begun_stay_when_it_adapts),
           TEST(fewer_groups_than_sms_are_round_robin_from_the_start),
           TEST(sms_of_others_do_not_count), TEST(the_seventeenth_group_is_spread),
           TEST(the_last_cta_that_has_not_begun_is_lent), TEST(what_is_lent_is_not_left))
