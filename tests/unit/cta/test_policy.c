/* The registry of CTA schedulers. */
#include "check.h"
#include "cta/policy.h"

static void policies_are_found_by_name_and_by_alias(void)
{
    const struct cta_policy *rr = cta_policy_find("rr");
    CHECK(rr != NULL);
    CHECK(cta_policy_find("two_level_rr") == rr);
    CHECK(cta_policy_find("two_level") == NULL);
    CHECK(cta_policy_find("") == NULL);
}

static void every_policy_is_complete_and_has_a_name_of_its_own(void)
{
    CHECK(cta_policy_count > 0);
    for (int i = 0; i < cta_policy_count; i++) {
        const struct cta_policy *p = cta_policy_all[i];
        CHECK(p->name && p->help && p->begin && p->next);
        CHECK(cta_policy_find(p->name) == p);
    }
}

static void an_sm_can_take_a_cta_if_it_is_the_kernels_has_room_and_its_cluster_has_a_turn(void)
{
    const uint8_t room[] = {1, 1, 0, 1, 1, 1};
    const uint32_t served[] = {0, 0, 2};
    struct arena *a = arena_new();
    const struct sm_clusters clusters = sm_clusters_deal(a, 6, 3);
    const struct sm_set sms = sm_set_of(a, &clusters, (const uint32_t[]){1, 2, 3, 4}, 4);
    const struct cta_view v = {
        .clusters = &clusters, .sms = &sms, .room = room, .served = served, .rate = 2};
    const bool can[] = {false, true, false, true, false, false};
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ(cta_can_take(&v, i), can[i]);
    arena_free(a);
}

CHECK_MAIN("policy", TEST(policies_are_found_by_name_and_by_alias),
           TEST(every_policy_is_complete_and_has_a_name_of_its_own),
           TEST(an_sm_can_take_a_cta_if_it_is_the_kernels_has_room_and_its_cluster_has_a_turn))
