/* Pools of CTAs in blocks of any size; blocks of one and two are in the tests of the schedulers. */
#include "check.h"
#include "cta/policy_pool.h"
#include "rig/cta_rig.h"

/* One cluster of two SMs with four contexts; CTAs go in blocks of three. */
static void a_block_goes_to_an_sm_that_has_room_for_all_of_it(void)
{
    struct arena *a = arena_new();
    uint8_t room[] = {4, 4};
    uint32_t served[] = {0};
    struct sm_clusters clusters = sm_clusters_deal(a, 2, 1);
    struct sm_set sms = cta_rig_range(a, &clusters, 0, 2);
    struct cta_view v = {.clusters = &clusters,
                         .sms = &sms,
                         .contexts = 4,
                         .nctas = 8,
                         .room = room,
                         .served = served,
                         .rate = 1};
    struct cta_pick p;
    void *state = policy_pool_begin(a, &v, 3);
    for (uint32_t i = 0; i < 6; i++) {
        CHECK(policy_pool_next(state, &v, &p));
        CHECK(p.cta == i && p.sm == i / 3);
        room[p.sm]--;
    }
    CHECK(!policy_pool_next(state, &v, &p)); /* one context each */
    room[1] = 2;
    CHECK(!policy_pool_next(state, &v, &p));
    room[1] = 3;
    served[0] = 1;
    CHECK(!policy_pool_next(state, &v, &p));
    served[0] = 0;
    CHECK(policy_pool_next(state, &v, &p) && p.cta == 6 && p.sm == 1);
    room[1]--;
    CHECK(policy_pool_next(state, &v, &p) && p.cta == 7 && p.sm == 1); /* the rest of its block */
    room[1]--;
    CHECK(!policy_pool_next(state, &v, &p));
    arena_free(a);
}

CHECK_MAIN("policy_pool", TEST(a_block_goes_to_an_sm_that_has_room_for_all_of_it))
