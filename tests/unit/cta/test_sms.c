/* SMs by cluster, and sets of them. */
#include "check.h"
#include "cta/sms.h"

static void sms_are_dealt_out_evenly_and_the_first_clusters_are_larger(void)
{
    struct arena *a = arena_new();
    struct sm_clusters c = sm_clusters_deal(a, 80, 24);
    CHECK(c.nsms == 80 && c.nclusters == 24);
    for (uint32_t i = 0; i < 24; i++) {
        CHECK_EQ(c.first[i + 1] - c.first[i], i < 8 ? 4 : 3);
        for (uint32_t sm = c.first[i]; sm < c.first[i + 1]; sm++)
            CHECK_EQ(c.of[sm], i);
    }
    CHECK_EQ(c.first[24], 80);
    arena_free(a);
}

static void equal_clusters_are_what_division_says(void)
{
    struct arena *a = arena_new();
    struct sm_clusters c = sm_clusters_deal(a, 65535, 257);
    for (uint32_t sm = 0; sm < 65535; sm++)
        CHECK_EQ(c.of[sm], sm / 255);
    arena_free(a);
}

static void a_set_is_in_order_and_knows_its_sms_of_each_cluster(void)
{
    struct arena *a = arena_new();
    struct sm_clusters c = sm_clusters_deal(a, 200, 3); /* 67, 67, 66 */
    const uint32_t sm[] = {199, 64, 3, 64, 134, 63};
    struct sm_set s = sm_set_of(a, &c, sm, 6);
    const uint32_t in_order[] = {3, 63, 64, 134, 199}, first[] = {0, 3, 3, 5};
    CHECK_EQ(s.n, 5);
    CHECK(memcmp(s.sm, in_order, sizeof in_order) == 0);
    CHECK(memcmp(s.first, first, sizeof first) == 0);
    for (uint32_t i = 0, k = 0; i < 200; i++) {
        bool is_in = k < 5 && in_order[k] == i;
        CHECK_EQ(sm_set_has(&s, i), is_in);
        k += is_in;
    }
    arena_free(a);
}

/* Routers by any numbers, clusters of a router not side by side. */
static void a_set_is_spread_over_groups(void)
{
    struct arena *a = arena_new();
    struct sm_clusters c = sm_clusters_deal(a, 7, 7);
    CHECK_EQ(c.ngroups, 7);
    const uint32_t router[] = {90, 4, 90, 4, 7, 90, 7}, group[] = {0, 1, 0, 1, 2, 0, 2};
    sm_clusters_group(a, &c, router);
    CHECK_EQ(c.ngroups, 3);
    for (uint32_t i = 0; i < 7; i++)
        CHECK_EQ(c.group[i], group[i]);
    const uint32_t sm[] = {0, 1, 2, 3, 5, 6}, spread[] = {0, 1, 6, 2, 3, 5};
    struct sm_set s = sm_set_of(a, &c, sm, 6);
    CHECK(memcmp(sm_set_spread(a, &c, &s), spread, sizeof spread) == 0);
    arena_free(a);
}

CHECK_MAIN("sms", TEST(sms_are_dealt_out_evenly_and_the_first_clusters_are_larger),
           TEST(equal_clusters_are_what_division_says),
           TEST(a_set_is_in_order_and_knows_its_sms_of_each_cluster),
           TEST(a_set_is_spread_over_groups))
