/* Turns of clusters and of their SMs, among those that can take a CTA. */
#include "check.h"
#include "cta/policy_clusters.h"
#include "rig/cta_rig.h"

static bool is_open(const void *state, const struct cta_view *v, uint32_t sm)
{
    const bool *open = state;
    CHECK(sm_set_has(v->sms, sm));
    return open[sm];
}

/* Clusters {0 1 2}, {3 4}, {5 6}; SM 5 is not the kernel's. */
static void turns_go_round_and_pass_over_who_cannot(void)
{
    static const struct {
        bool open[7];
        uint32_t next;
    } steps[] = {
        {{1, 1, 1, 1, 1, 1, 1}, 0}, {{1, 1, 1, 1, 1, 1, 1}, 3},
        {{1, 1, 1, 1, 1, 1, 1}, 6}, {{1, 1, 1, 1, 1, 1, 1}, 1},
        {{1, 1, 1, 0, 0, 1, 1}, 6}, /* the second cluster has lost its turn */
        {{1, 1, 0, 1, 1, 1, 1}, 0}, /* and SM 2 */
        {{1, 1, 1, 1, 1, 1, 1}, 4}, {{0, 0, 0, 0, 0, 1, 0}, UINT32_MAX},
        {{1, 1, 1, 1, 1, 1, 1}, 6}, /* nobody's turn is over when none was found */
        {{1, 1, 1, 1, 1, 1, 1}, 1},
    };
    struct arena *a = arena_new();
    struct sm_clusters clusters = sm_clusters_deal(a, 7, 3);
    struct sm_set sms = sm_set_of(a, &clusters, (const uint32_t[]){0, 1, 2, 3, 4, 6}, 6);
    struct cta_view v = {.clusters = &clusters, .sms = &sms};
    struct policy_clusters *c = policy_clusters_new(a, &v);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        CHECK_EQ(policy_clusters_next(c, &v, is_open, steps[i].open), steps[i].next);
    arena_free(a);
}

CHECK_MAIN("policy_clusters", TEST(turns_go_round_and_pass_over_who_cannot))
