#include "check.h"

#include "base/rng.h"
#include "search/hypervolume.h"

enum { MOST = 40 };

struct many {
    uint32_t n, m, side;
    struct search_value value[MOST];
    const struct search_value *v[MOST];
};

/* Whole numbers: the volume is a number of cells. */
static void draw(struct many *x, uint64_t seed, uint32_t m, uint32_t side)
{
    const uint64_t key = rng_key(seed, m);
    uint64_t at = 0;
    x->m = m;
    x->side = side;
    x->n = rng_below(rng_at(key, at++), MOST + 1);
    for (uint32_t i = 0; i < x->n; i++) {
        x->value[i] = (struct search_value){0};
        for (uint32_t k = 0; k < m; k++) /* some on the reference, some beyond */
            x->value[i].objectives[k] = rng_below(rng_at(key, at++), side + 2);
        if (rng_below(rng_at(key, at++), 10) == 0)
            x->value[i].violation = 1;
        if (rng_below(rng_at(key, at++), 10) == 0)
            x->value[i].objectives[rng_below(rng_at(key, at++), m)] = NAN;
        x->v[i] = &x->value[i];
    }
}

static bool is_covered(const struct many *x, const uint32_t *cell)
{
    for (uint32_t i = 0; i < x->n; i++) {
        bool is_in = !(x->v[i]->violation > 0);
        for (uint32_t k = 0; k < x->m; k++)
            is_in &= x->v[i]->objectives[k] <= cell[k] && !isnan(x->v[i]->objectives[k]);
        bool is_below = is_in;
        for (uint32_t k = 0; k < x->m; k++)
            is_below &= x->v[i]->objectives[k] < x->side;
        if (is_below)
            return true;
    }
    return false;
}

static double count_cells(const struct many *x)
{
    uint32_t cell[SEARCH_MOST_OBJECTIVES] = {0}, k;
    double sum = 0;
    do {
        sum += is_covered(x, cell);
        for (k = 0; k < x->m && ++cell[k] == x->side; k++)
            cell[k] = 0;
    } while (k < x->m);
    return sum;
}

static void the_volume_is_the_number_of_cells(void)
{
    static const uint32_t side[] = {0, 50, 12, 7, 5, 4, 3};
    for (uint32_t m = 1; m <= SEARCH_MOST_OBJECTIVES; m++)
        for (uint64_t seed = 0; seed < 60; seed++) {
            double reference[SEARCH_MOST_OBJECTIVES];
            struct many x;
            draw(&x, seed, m, side[m]);
            for (uint32_t k = 0; k < m; k++)
                reference[k] = side[m];
            CHECK_NEAR(hypervolume(x.v, x.n, m, reference), count_cells(&x), 1e-12);
        }
}

static void a_simplex_has_its_volume_in_closed_form(void)
{
    /* All points of m whole numbers whose sum is s: those at or above it, up to s + 1 in each. */
    enum { SUM = 4, POINTS = 15 };
    struct search_value values[POINTS];
    const struct search_value *v[POINTS];
    static const double reference[] = {SUM + 1, SUM + 1, SUM + 1};
    uint32_t n = 0;
    for (int i = 0; i <= SUM; i++)
        for (int j = 0; i + j <= SUM; j++, n++) {
            values[n] = (struct search_value){.objectives = {i, j, SUM - i - j}};
            v[n] = &values[n];
        }
    CHECK_EQ(n, POINTS);
    /* 5^3 cells, but for those whose sum is below 4: C(3 + 3, 3) */
    CHECK_NEAR(hypervolume(v, n, 3, reference), 125 - 20, 1e-12);
}

static void no_values_cover_nothing(void)
{
    CHECK(hypervolume(NULL, 0, 3, (const double[]){1, 1, 1}) == 0);
}

CHECK_MAIN("hypervolume", TEST(the_volume_is_the_number_of_cells),
           TEST(a_simplex_has_its_volume_in_closed_form), TEST(no_values_cover_nothing))
