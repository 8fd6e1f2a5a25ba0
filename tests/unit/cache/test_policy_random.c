#include "base/rng.h"
#include "check.h"
#include "rig/policy_rig.h"

struct draws {
    uint64_t key, n;
    uint32_t ways;
};

static uint32_t draw(void *state, uint32_t set, const bool *may_leave)
{
    const struct draws *d = state;
    uint32_t among[POLICY_MODEL_WAYS], n = 0;
    (void)set;
    for (uint32_t w = 0; w < d->ways; w++)
        if (may_leave[w])
            among[n++] = w;
    return among[rng_below(rng_at(d->key, d->n), n)];
}

static void count(void *state, uint32_t set, uint32_t way)
{
    ((struct draws *)state)->n++;
    (void)set;
    (void)way;
}

static void a_draw_is_a_function_of_seed_cache_and_its_number(void)
{
    static const uint32_t ways[] = {1, 2, 3, 5, 8, 24};
    const char *const set[] = {"random.seed=77", NULL};
    for (uint32_t i = 0; i < 6; i++) {
        struct draws state = {.ways = ways[i]};
        state.key = rng_key(77, POLICY_RIG_INSTANCE);
        const struct policy_model m = {&state, draw, NULL, count, NULL};
        policy_rig_compare(
            &(struct policy_rig_options){
                .policy = "random", .set = set, .sets = 1 + i % 3, .ways = ways[i]},
            &m, i);
    }
}

static void fill_many(const char *seed, uint32_t *taken)
{
    const char *const set[] = {seed, NULL};
    struct policy_rig r;
    policy_rig_open(
        &r, &(struct policy_rig_options){.policy = "random", .set = set, .sets = 1, .ways = 5});
    for (uint64_t line = 0; line < 5005; line++) {
        uint32_t way = policy_rig_use(&r, line);
        taken[way] += line >= 5;
    }
    policy_rig_close(&r);
}

static void all_ways_have_the_same_chance_and_another_seed_takes_others(void)
{
    uint32_t one[5] = {0}, two[5] = {0};
    fill_many("random.seed=1", one);
    fill_many("random.seed=2", two);
    CHECK(memcmp(one, two, sizeof one) != 0);
    for (int w = 0; w < 5; w++) /* 1000 with a deviation of 28 */
        CHECK(one[w] > 880 && one[w] < 1120 && two[w] > 880 && two[w] < 1120);
}

CHECK_MAIN("policy_random", TEST(a_draw_is_a_function_of_seed_cache_and_its_number),
           TEST(all_ways_have_the_same_chance_and_another_seed_takes_others))
