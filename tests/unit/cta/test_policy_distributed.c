/* Distributed scheduling: pools of neighbouring CTAs, one per cluster. */
#include "check.h"
#include "rig/cta_rig.h"

static void the_first_pools_are_larger_when_the_split_is_uneven(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "distributed",
                 &(struct cta_rig_shape){.clusters = 4, .sms = 2, .contexts = 2, .ctas = 11});
    CHECK_EQ(cta_rig_settle(&r), 11);
    for (uint32_t i = 0; i < 11; i++)
        CHECK_EQ(r.cta[i].sm / 2, i / 3); /* 3, 3, 3, 2 */
    cta_rig_close(&r);
}

static void no_cluster_takes_from_the_pool_of_another(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "distributed",
                 &(struct cta_rig_shape){.clusters = 2, .sms = 1, .contexts = 1, .ctas = 6});
    cta_rig_settle(&r);
    for (uint32_t i = 0; i < 3; i++) { /* cluster 0 works off its pool, cluster 1 stays at CTA 3 */
        cta_rig_end(&r, i);
        CHECK_EQ(cta_rig_settle(&r), i < 2 ? 1 : 0);
    }
    CHECK_EQ(r.room[0], 1);
    CHECK_EQ(r.cta[4].sm, CTA_RIG_NOWHERE);
    cta_rig_end(&r, 3);
    CHECK_EQ(cta_rig_settle(&r), 1);
    CHECK_EQ(r.cta[4].sm, 1);
    cta_rig_close(&r);
}

static void clusters_without_an_sm_of_the_kernel_have_no_pool(void)
{
    struct cta_rig r; /* SMs 3 to 6: one of cluster 1, two of cluster 2, one of cluster 3 */
    cta_rig_open(&r, "distributed",
                 &(struct cta_rig_shape){
                     .clusters = 6, .sms = 2, .first = 3, .count = 4, .contexts = 4, .ctas = 8});
    const uint32_t sm[] = {3, 3, 3, 4, 5, 4, 6, 6};
    CHECK_EQ(cta_rig_settle(&r), 8);
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(r.cta[i].sm, sm[i]);
    cta_rig_close(&r);
}

static void fewer_ctas_than_clusters_go_to_the_first_ones(void)
{
    struct cta_rig r;
    cta_rig_open(&r, "distributed",
                 &(struct cta_rig_shape){.clusters = 5, .sms = 3, .contexts = 2, .ctas = 3});
    CHECK_EQ(cta_rig_settle(&r), 3);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQ(r.cta[i].sm, 3 * i);
    cta_rig_close(&r);
}

CHECK_MAIN("policy_distributed", TEST(the_first_pools_are_larger_when_the_split_is_uneven),
           TEST(no_cluster_takes_from_the_pool_of_another),
           TEST(clusters_without_an_sm_of_the_kernel_have_no_pool),
           TEST(fewer_ctas_than_clusters_go_to_the_first_ones))
