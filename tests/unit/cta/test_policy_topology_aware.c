/* Topology-aware scheduling: the CD-Xbar paper's Fig. 7a, and what it leaves open. */
#include "check.h"
#include "rig/cta_rig.h"

/* Four local crossbars of four SMs, each a cluster: CTA i goes to crossbar i % 4, to its first SM
 * until all have one, then to the second. */
static void crossbars_come_before_sms(void)
{
    struct cta_rig r;
    cta_rig_open(
        &r, "topology_aware",
        &(struct cta_rig_shape){.clusters = 16, .sms = 1, .group = 4, .contexts = 2, .ctas = 40});
    CHECK_EQ(cta_rig_settle(&r), 32);
    for (uint32_t i = 0; i < 32; i++)
        CHECK_EQ(r.cta[i].sm, i % 4 * 4 + i / 4 % 4);
    cta_rig_end(&r, 5);
    CHECK_EQ(cta_rig_settle(&r), 1);
    CHECK_EQ(r.cta[32].sm, r.cta[5].sm); /* the only room there is */
    cta_rig_close(&r);
}

/* A kernel that leaves SMs empty loads all crossbars alike; round robin would load two of four. */
static void a_small_kernel_is_spread(void)
{
    const char *const policies[] = {"topology_aware", "global_rr"};
    for (int p = 0; p < 2; p++) {
        struct cta_rig r;
        uint32_t of_crossbar[4] = {0};
        cta_rig_open(&r, policies[p],
                     &(struct cta_rig_shape){
                         .clusters = 16, .sms = 1, .group = 4, .contexts = 2, .ctas = 8});
        CHECK_EQ(cta_rig_settle(&r), 8);
        for (uint32_t i = 0; i < 8; i++)
            of_crossbar[r.cta[i].sm / 4]++;
        for (uint32_t x = 0; x < 4; x++)
            CHECK_EQ(of_crossbar[x], p == 0 ? 2 : x < 2 ? 4 : 0);
        cta_rig_close(&r);
    }
}

/* SMs of a cluster share its port, and so its crossbar; where each cluster has a router of its own,
 * clusters take turns. */
static void groups_are_of_clusters(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "topology_aware",
                 &(struct cta_rig_shape){.clusters = 2, .sms = 3, .contexts = 1, .ctas = 6});
    CHECK_EQ(cta_rig_settle(&r), 6);
    const uint32_t sm[] = {0, 3, 1, 4, 2, 5};
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ(r.cta[i].sm, sm[i]);
    cta_rig_close(&r);
}

static void only_the_sms_of_the_kernel_take_turns(void)
{
    struct cta_rig r;
    cta_rig_open(
        &r, "topology_aware",
        &(struct cta_rig_shape){
            .clusters = 8, .sms = 1, .group = 4, .first = 2, .count = 5, .contexts = 1, .ctas = 9});
    CHECK_EQ(cta_rig_settle(&r), 5);
    const uint32_t sm[] = {2, 4, 3, 5, 6}; /* of the second crossbar one more is the kernel's */
    for (uint32_t i = 0; i < 5; i++)
        CHECK_EQ(r.cta[i].sm, sm[i]);
    cta_rig_close(&r);
}

CHECK_MAIN("policy_topology_aware", TEST(crossbars_come_before_sms), TEST(a_small_kernel_is_spread),
           TEST(groups_are_of_clusters), TEST(only_the_sms_of_the_kernel_take_turns))
