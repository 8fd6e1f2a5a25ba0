#include "check.h"

#include "base/rng.h"

static void a_draw_depends_on_key_and_counter_alone(void)
{
    uint64_t key = rng_key(42, 7), forward[100];
    for (uint64_t i = 0; i < 100; i++)
        forward[i] = rng_at(key, i);
    for (uint64_t i = 100; i-- > 0;)
        CHECK(rng_at(rng_key(42, 7), i) == forward[i]);
}

/* The numbers are part of every recorded result: a change of the generator must be noticed. */
static void the_stream_is_the_one_results_were_made_with(void)
{
    CHECK(rng_mix(0) == 0);
    CHECK(rng_at(0, 0) == 0xe220a8397b1dcdafu); /* SplitMix64 from seed 0: published values */
    CHECK(rng_at(0, 1) == 0x6e789e6aa1b965f4u);
    CHECK(rng_at(0, 2) == 0x06c45d188009454fu);
}

static void seeds_and_streams_give_different_keys(void)
{
    enum { N = 64 };
    static uint64_t key[N * N];
    for (uint64_t seed = 0; seed < N; seed++)
        for (uint64_t stream = 0; stream < N; stream++)
            key[seed * N + stream] = rng_key(seed, stream);
    for (int i = 0; i < N * N; i++)
        for (int k = 0; k < i; k++)
            if (key[i] == key[k])
                CHECK_EQ(i, k);
}

static void below_stays_below_and_reaches_everything(void)
{
    CHECK_EQ(rng_below(0, 10), 0);
    CHECK_EQ(rng_below(UINT64_MAX, 10), 9);
    CHECK_EQ(rng_below(UINT64_MAX, 1), 0);
    CHECK_EQ(rng_below(UINT64_MAX, UINT32_MAX), UINT32_MAX - 1);
}

static void below_is_uniform(void)
{
    enum { CELLS = 100, DRAWS = 1000000 };
    uint64_t key = rng_key(1, 2);
    double cell[CELLS] = {0}, chi2 = 0, expect = (double)DRAWS / CELLS;
    for (uint64_t i = 0; i < DRAWS; i++)
        cell[rng_below(rng_at(key, i), CELLS)]++;
    for (int i = 0; i < CELLS; i++)
        chi2 += (cell[i] - expect) * (cell[i] - expect) / expect;
    /* 99 degrees of freedom: mean 99, deviation 14; five deviations either side. */
    CHECK(chi2 > 29 && chi2 < 169);
}

static void unit_is_uniform_in_zero_to_one(void)
{
    CHECK(rng_unit(0) == 0.0);
    CHECK(rng_unit(UINT64_MAX) < 1.0);
    uint64_t key = rng_key(3, 4);
    double sum = 0, square = 0;
    enum { DRAWS = 1000000 };
    for (uint64_t i = 0; i < DRAWS; i++) {
        double u = rng_unit(rng_at(key, i));
        sum += u;
        square += u * u;
    }
    CHECK_NEAR(sum / DRAWS, 0.5, 0.003); /* deviation of the mean: 0.0003 */
    CHECK_NEAR(square / DRAWS, 1.0 / 3, 0.005);
}

static void neighbouring_streams_are_uncorrelated(void)
{
    uint64_t a = rng_key(5, 0), b = rng_key(5, 1);
    double product = 0;
    enum { DRAWS = 1000000 };
    for (uint64_t i = 0; i < DRAWS; i++)
        product += (rng_unit(rng_at(a, i)) - 0.5) * (rng_unit(rng_at(b, i)) - 0.5);
    CHECK(fabs(product / DRAWS * 12) < 0.005); /* deviation of a correlation of 0: 0.001 */
}

CHECK_MAIN("rng", TEST(a_draw_depends_on_key_and_counter_alone),
           TEST(the_stream_is_the_one_results_were_made_with),
           TEST(seeds_and_streams_give_different_keys),
           TEST(below_stays_below_and_reaches_everything), TEST(below_is_uniform),
           TEST(unit_is_uniform_in_zero_to_one), TEST(neighbouring_streams_are_uncorrelated))
