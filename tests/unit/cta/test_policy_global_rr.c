/* Round robin over all SMs: whose turn it is, whatever room there is and whatever the rate. */
#include "check.h"
#include "rig/cta_rig.h"

static void sms_take_turns_across_clusters(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "global_rr",
                 &(struct cta_rig_shape){.clusters = 3, .sms = 2, .contexts = 3, .ctas = 20});
    CHECK_EQ(cta_rig_settle(&r), 18);
    for (uint32_t i = 0; i < 18; i++)
        CHECK_EQ(r.cta[i].sm, i % 6);
    cta_rig_close(&r);
}

static void who_has_no_room_loses_his_turn(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "global_rr",
                 &(struct cta_rig_shape){.clusters = 2, .sms = 2, .contexts = 1, .ctas = 8});
    cta_rig_settle(&r);
    cta_rig_end(&r, 2);
    CHECK_EQ(cta_rig_settle(&r), 1);
    CHECK_EQ(r.cta[4].sm, 2);
    cta_rig_end(&r, 0);
    cta_rig_end(&r, 1);
    cta_rig_end(&r, 3);
    cta_rig_settle(&r);
    CHECK(r.cta[5].sm == 3 && r.cta[6].sm == 0 && r.cta[7].sm == 1); /* from SM 3 on */
    cta_rig_close(&r);
}

/* Cluster 0 has had its CTA: the next one is still for its second SM, and the one after that need
 * not wait for it. */
static void a_served_cluster_keeps_its_turn(void)
{
    struct cta_rig r;
    cta_rig_open(
        &r, "global_rr",
        &(struct cta_rig_shape){.clusters = 2, .sms = 3, .contexts = 1, .ctas = 6, .rate = 1});
    CHECK_EQ(cta_rig_cycle(&r), 2);
    CHECK(r.cta[0].sm == 0 && r.cta[3].sm == 3);
    CHECK_EQ(cta_rig_cycle(&r), 2);
    CHECK(r.cta[1].sm == 1 && r.cta[4].sm == 4);
    CHECK_EQ(cta_rig_cycle(&r), 2);
    CHECK(r.cta[2].sm == 2 && r.cta[5].sm == 5);
    cta_rig_close(&r);
}

static void only_the_sms_of_the_kernel_take_turns(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "one_level_rr",
                 &(struct cta_rig_shape){
                     .clusters = 3, .sms = 2, .first = 1, .count = 3, .contexts = 2, .ctas = 9});
    CHECK_EQ(cta_rig_settle(&r), 6);
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ(r.cta[i].sm, 1 + i % 3);
    cta_rig_close(&r);
}

CHECK_MAIN("policy_global_rr", TEST(sms_take_turns_across_clusters),
           TEST(who_has_no_room_loses_his_turn), TEST(a_served_cluster_keeps_its_turn),
           TEST(only_the_sms_of_the_kernel_take_turns))
