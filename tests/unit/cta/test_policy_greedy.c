/* Greedy clustering: one cluster after the other. */
#include "check.h"
#include "rig/cta_rig.h"

static void few_ctas_stay_in_the_first_cluster_at_any_rate(void)
{
    for (uint32_t rate = 0; rate < 3; rate++) {
        struct cta_rig r;
        cta_rig_open(&r, "greedy",
                     &(struct cta_rig_shape){
                         .clusters = 4, .sms = 2, .contexts = 3, .ctas = 5, .rate = rate});
        CHECK_EQ(cta_rig_settle(&r), 5);
        for (uint32_t i = 0; i < 5; i++)
            CHECK_EQ(r.cta[i].sm, i % 2);
        cta_rig_close(&r);
    }
}

static void a_full_cluster_is_followed_by_the_next(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "greedy",
                 &(struct cta_rig_shape){.clusters = 3, .sms = 3, .contexts = 2, .ctas = 15});
    CHECK_EQ(cta_rig_settle(&r), 15);
    for (uint32_t i = 0; i < 15; i++)
        CHECK_EQ(r.cta[i].sm, i / 6 * 3 + i % 3);
    cta_rig_close(&r);
}

static void later_the_cluster_with_the_lowest_number_is_first(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "greedy",
                 &(struct cta_rig_shape){.clusters = 2, .sms = 2, .contexts = 1, .ctas = 6});
    CHECK_EQ(cta_rig_settle(&r), 4);
    cta_rig_end(&r, 3);
    cta_rig_end(&r, 1);
    cta_rig_settle(&r);
    CHECK(r.cta[4].sm == 1 && r.cta[5].sm == 3);
    cta_rig_close(&r);
}

static void a_cluster_of_which_the_kernel_has_some_sms_is_filled_there(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "greedy",
                 &(struct cta_rig_shape){
                     .clusters = 3, .sms = 3, .first = 2, .count = 4, .contexts = 2, .ctas = 9});
    const uint32_t sm[] = {2, 2, 3, 4, 5, 3, 4, 5};
    CHECK_EQ(cta_rig_settle(&r), 8);
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(r.cta[i].sm, sm[i]);
    cta_rig_close(&r);
}

CHECK_MAIN("policy_greedy", TEST(few_ctas_stay_in_the_first_cluster_at_any_rate),
           TEST(a_full_cluster_is_followed_by_the_next),
           TEST(later_the_cluster_with_the_lowest_number_is_first),
           TEST(a_cluster_of_which_the_kernel_has_some_sms_is_filled_there))
