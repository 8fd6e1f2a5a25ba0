#include "check.h"
#include "rig/policy_rig.h"

static void the_line_that_was_not_used_for_longest_gives_way(void)
{
    struct policy_rig r;
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "lru", .sets = 1, .ways = 4});
    policy_rig_use_all(&r, "abcdab"); /* c is the oldest, then d, a, b */
    policy_rig_use_all(&r, "e");
    CHECK_STR(policy_rig_text(&r, 0), "abed");
    policy_rig_use_all(&r, "cdf"); /* c for d, d for a, f for b */
    CHECK_STR(policy_rig_text(&r, 0), "dfec");
    policy_rig_close(&r);
}

static void it_is_the_order_of_the_tags_and_costs_no_call(void)
{
    struct policy_rig r;
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "lru", .sets = 2, .ways = 3});
    CHECK(r.tags.policy == NULL);
    policy_rig_close(&r);
}

/* The ways of a set, most recently used first. */
struct recent {
    uint32_t way[POLICY_MODEL_SETS][POLICY_MODEL_WAYS], n[POLICY_MODEL_SETS];
};

static void remove_way(struct recent *m, uint32_t set, uint32_t way)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n[set]; i++)
        if (m->way[set][i] != way)
            m->way[set][n++] = m->way[set][i];
    m->n[set] = n;
}

static void to_front(void *state, uint32_t set, uint32_t way)
{
    struct recent *m = state;
    remove_way(m, set, way);
    memmove(m->way[set] + 1, m->way[set], m->n[set]++ * sizeof m->way[set][0]);
    m->way[set][0] = way;
}

static void drop(void *state, uint32_t set, uint32_t way)
{
    remove_way(state, set, way);
}

static uint32_t last(void *state, uint32_t set, const bool *may_leave)
{
    const struct recent *m = state;
    uint32_t i = m->n[set] - 1;
    while (!may_leave[m->way[set][i]])
        i--;
    return m->way[set][i];
}

static void random_uses_agree_with_a_list(void)
{
    static const uint32_t ways[] = {1, 2, 3, 4, 7, 24}, sets[] = {1, 3, 8};
    for (uint32_t i = 0; i < 18; i++) {
        struct recent state = {.n = {0}};
        const struct policy_model m = {&state, last, to_front, to_front, drop};
        policy_rig_compare(
            &(struct policy_rig_options){.policy = "lru", .sets = sets[i % 3], .ways = ways[i / 3]},
            &m, i);
    }
}

CHECK_MAIN("policy_lru", TEST(the_line_that_was_not_used_for_longest_gives_way),
           TEST(it_is_the_order_of_the_tags_and_costs_no_call), TEST(random_uses_agree_with_a_list))
