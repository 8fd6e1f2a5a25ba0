#include "check.h"

#include "base/rng.h"
#include "search/columns.h"

struct given {
    struct search_axis axes[SEARCH_MOST_AXES];
    struct search_space space;
    struct columns c;
};

static bool find(struct given *g, const uint32_t *levels, uint32_t n, uint32_t strength)
{
    for (uint32_t i = 0; i < n; i++)
        g->axes[i] = (struct search_axis){.levels = levels[i]};
    g->space = (struct search_space){.naxes = n, .axes = g->axes};
    return columns_find(&g->c, &g->space, strength, 14);
}

static bool find_equal(struct given *g, uint32_t levels, uint32_t n, uint32_t strength)
{
    uint32_t all[SEARCH_MOST_AXES];
    for (uint32_t i = 0; i < n; i++)
        all[i] = levels;
    return find(g, all, n, strength);
}

static uint32_t level(const struct given *g, uint32_t axis, uint32_t run)
{
    return columns_code(&g->c, axis, run) % g->axes[axis].levels;
}

/* How many runs have these levels of these axes. */
static uint32_t count(const struct given *g, const uint32_t *axis, const uint32_t *levels,
                      uint32_t n)
{
    uint32_t found = 0;
    for (uint32_t r = 0; r < 1u << g->c.m; r++) {
        bool is_it = true;
        for (uint32_t i = 0; i < n; i++)
            is_it &= level(g, axis[i], r) == levels[i];
        found += is_it;
    }
    return found;
}

/* Levels of these axes come together as often as the product of how often each comes says. */
static bool is_proportional(const struct given *g, const uint32_t *axis, uint32_t n)
{
    uint32_t levels[4] = {0}, k;
    do {
        double expected = 1u << g->c.m;
        for (uint32_t i = 0; i < n; i++)
            expected *= (double)count(g, &axis[i], &levels[i], 1) / (double)(1u << g->c.m);
        if (fabs(count(g, axis, levels, n) - expected) > 1e-9)
            return false;
        for (k = 0; k < n && ++levels[k] == g->axes[axis[k]].levels; k++)
            levels[k] = 0;
    } while (k < n);
    return true;
}

/* All sets of n axes. */
static bool all_are_proportional(const struct given *g, uint32_t n)
{
    for (uint64_t set = 0; set < (uint64_t)1 << g->space.naxes; set++) {
        uint32_t axis[4], k = 0;
        if ((uint32_t)__builtin_popcountll(set) != n)
            continue;
        for (uint32_t i = 0; i < g->space.naxes; i++)
            if (set >> i & 1)
                axis[k++] = i;
        if (!is_proportional(g, axis, n))
            return false;
    }
    return true;
}

static void classic_fractions_have_their_sizes(void)
{
    static const struct {
        uint32_t levels, axes, strength, m;
    } known[] = {
        {2, 3, 2, 2}, {2, 7, 2, 3},  {2, 15, 2, 4}, {2, 31, 2, 5}, /* saturated, resolution 3 */
        {2, 4, 3, 3}, {2, 8, 3, 4},  {2, 16, 3, 5}, {2, 32, 3, 6}, /* folded over, resolution 4 */
        {2, 5, 4, 4}, {2, 6, 4, 5},  {2, 8, 4, 6},  {2, 11, 4, 7}, /* resolution 5 */
        {4, 5, 2, 4}, {4, 21, 2, 6}, {8, 9, 2, 6},                 /* spreads */
        {2, 3, 3, 3}, {4, 2, 2, 4},  {1, 5, 2, 0},                 /* all combinations */
    };
    for (uint32_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct given g;
        CHECK(find_equal(&g, known[i].levels, known[i].axes, known[i].strength));
        CHECK_EQ(g.c.m, known[i].m);
    }
}

static void levels_of_axes_come_together_in_proportion(void)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        const uint64_t key = rng_key(seed, 3);
        struct given g;
        const uint32_t strength = 2 + (uint32_t)(seed % 3), n = 2 + rng_below(rng_at(key, 0), 4);
        uint32_t levels[8];
        for (uint32_t i = 0; i < n; i++)
            levels[i] = 1 + rng_below(rng_at(key, i + 1), strength == 4 ? 4 : 6);
        CHECK(find(&g, levels, n, strength));
        for (uint32_t k = 1; k <= strength && k <= n; k++)
            CHECK(all_are_proportional(&g, k));
    }
}

static void the_strength_is_not_more_than_was_asked_for(void)
{
    struct given g;
    CHECK(find_equal(&g, 2, 7, 2));
    CHECK(all_are_proportional(&g, 2) && !all_are_proportional(&g, 3));
    CHECK(find_equal(&g, 2, 8, 3));
    CHECK(all_are_proportional(&g, 3) && !all_are_proportional(&g, 4));
}

static void every_level_occurs(void)
{
    static const uint32_t levels[] = {5, 3, 7, 2, 1, 6};
    struct given g;
    CHECK(find(&g, levels, 6, 2));
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t k = 0; k < levels[i]; k++)
            CHECK(count(&g, &i, &k, 1) > 0);
}

static void what_needs_more_runs_than_may_be_is_not_found(void)
{
    struct given g;
    CHECK(!find_equal(&g, 4096, 2, 2));
    CHECK(!find_equal(&g, 4096, 64, 4));
    CHECK(find_equal(&g, 2, 64, 4));
}

CHECK_MAIN("columns", TEST(classic_fractions_have_their_sizes),
           TEST(levels_of_axes_come_together_in_proportion),
           TEST(the_strength_is_not_more_than_was_asked_for), TEST(every_level_occurs),
           TEST(what_needs_more_runs_than_may_be_is_not_found))
