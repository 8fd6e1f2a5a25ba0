#include "check.h"

#include "base/rng.h"
#include "search/front.h"

static struct search_value value(double a, double b, double violation)
{
    return (struct search_value){.objectives = {a, b}, .violation = violation};
}

static bool beats(struct search_value a, struct search_value b)
{
    CHECK(!front_dominates(&a, &b, 2) || !front_dominates(&b, &a, 2));
    return front_dominates(&a, &b, 2);
}

static void less_in_one_objective_and_more_in_none_dominates(void)
{
    CHECK(beats(value(1, 2, 0), value(1, 3, 0)));
    CHECK(!beats(value(1, 3, 0), value(1, 2, 0)));
    CHECK(!beats(value(1, 3, 0), value(2, 2, 0)) && !beats(value(2, 2, 0), value(1, 3, 0)));
    CHECK(!beats(value(1, 2, 0), value(1, 2, 0)));
    CHECK(beats(value(1, 2, 0), value(1, INFINITY, 0)));
}

static void what_breaks_no_constraint_comes_first_then_what_breaks_less(void)
{
    CHECK(beats(value(9, 9, 0), value(1, 1, 0.5)));
    CHECK(beats(value(9, 9, 0.4), value(1, 1, 0.5)));
    CHECK(!beats(value(1, 1, 0.5), value(9, 9, 0.5)));
    CHECK(beats(value(9, 9, 0), value(1, NAN, 0.5)));
    CHECK(
        beats(value(NAN, NAN, 0.4), value(1, 1, 0.5))); /* not measured, for it is known to break */
}

static void what_could_not_be_measured_is_the_worst(void)
{
    CHECK(beats(value(9, 9, 0), value(NAN, 1, 0)));
    CHECK(beats(value(9, 9, 1e9), value(1, NAN, 0)));
    CHECK(beats(value(9, 9, 1e9), value(1, 1, NAN)));
    CHECK(!beats(value(1, NAN, 0), value(NAN, NAN, 0)) &&
          !beats(value(1, NAN, 0), value(2, NAN, 0)));
}

/* ---- many ---- */

enum { MOST = 60 };

struct many {
    uint32_t n, nobjectives;
    struct search_value value[MOST];
    const struct search_value *v[MOST];
};

/* Few different numbers, so that there are equal ones; some break constraints, some lack something. */
static void draw(struct many *x, uint64_t seed, bool is_all_whole)
{
    const uint64_t key = rng_key(seed, 1);
    uint64_t at = 0;
    x->n = 1 + rng_below(rng_at(key, at++), MOST);
    x->nobjectives = 1 + rng_below(rng_at(key, at++), 4);
    for (uint32_t i = 0; i < x->n; i++) {
        x->value[i] = (struct search_value){0};
        for (uint32_t k = 0; k < x->nobjectives; k++)
            x->value[i].objectives[k] = rng_below(rng_at(key, at++), 7);
        const uint32_t kind = is_all_whole ? 0 : rng_below(rng_at(key, at++), 8);
        if (kind == 6)
            x->value[i].violation = 1 + rng_below(rng_at(key, at++), 3);
        if (kind == 7)
            x->value[i].objectives[x->nobjectives - 1] = NAN;
        x->v[i] = &x->value[i];
    }
}

/* By the definition: take away all that nothing left dominates, and again. */
static uint32_t slow_ranks(const struct many *x, uint32_t *rank)
{
    uint32_t left = x->n, ranks = 0;
    for (uint32_t i = 0; i < x->n; i++)
        rank[i] = UINT32_MAX;
    for (; left > 0; ranks++)
        for (uint32_t i = 0; i < x->n; i++) {
            bool is_dominated = rank[i] != UINT32_MAX;
            for (uint32_t j = 0; j < x->n; j++)
                is_dominated |=
                    rank[j] >= ranks && front_dominates(x->v[j], x->v[i], x->nobjectives);
            if (!is_dominated) {
                rank[i] = ranks;
                left--;
            }
        }
    return ranks;
}

static void ranks_are_those_of_the_definition(void)
{
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct many x;
        uint32_t fast[MOST], slow[MOST];
        draw(&x, seed, seed % 4 == 0);
        CHECK_EQ(front_ranks(x.v, x.n, x.nobjectives, fast), slow_ranks(&x, slow));
        for (uint32_t i = 0; i < x.n; i++)
            CHECK_EQ(fast[i], slow[i]);
    }
}

static bool is_in_order(const struct many *x, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k < x->nobjectives; k++)
        if (x->v[a]->objectives[k] != x->v[b]->objectives[k])
            return x->v[a]->objectives[k] < x->v[b]->objectives[k];
    return a < b;
}

static void the_first_rank_comes_in_the_order_of_its_objectives(void)
{
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct many x;
        uint32_t first[MOST], rank[MOST], expected = 0;
        draw(&x, seed, true);
        slow_ranks(&x, rank);
        for (uint32_t i = 0; i < x.n; i++)
            expected += rank[i] == 0;
        const uint32_t n = front_first(x.v, x.n, x.nobjectives, first);
        CHECK_EQ(n, expected);
        for (uint32_t i = 0; i < n; i++)
            CHECK(rank[first[i]] == 0 && (i == 0 || is_in_order(&x, first[i - 1], first[i])));
    }
}

static void crowding_is_what_neighbours_leave_free_and_endless_at_the_ends(void)
{
    const struct search_value values[] = {value(0, 10, 0), value(1, 6, 0), value(4, 5, 0),
                                          value(NAN, 1, 0), value(8, 0, 0)};
    const struct search_value *v[] = {&values[0], &values[1], &values[2], &values[3], &values[4]};
    double d[5];
    front_crowding(v, 5, 2, d);
    CHECK(isinf(d[0]) && isinf(d[4]));
    CHECK_NEAR(d[1], 4 / 8.0 + 5 / 10.0, 1e-12);
    CHECK_NEAR(d[2], 7 / 8.0 + 6 / 10.0, 1e-12);
    CHECK(d[3] == 0);
}

static void crowding_of_equal_or_endless_values_is_a_number(void)
{
    const struct search_value values[] = {value(1, 1, 0), value(1, 1, 0), value(1, 1, 0),
                                          value(INFINITY, -INFINITY, 0)};
    const struct search_value *v[] = {&values[0], &values[1], &values[2], &values[3]};
    double d[4];
    front_crowding(v, 4, 2, d);
    for (int i = 0; i < 4; i++)
        CHECK(!isnan(d[i]));
    front_crowding(v, 3, 2, d);
    CHECK(d[1] == 0);
}

static void the_order_is_by_rank_then_by_crowding_then_by_place(void)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct many x;
        uint32_t order[MOST], rank[MOST], seen[MOST] = {0};
        draw(&x, seed, false);
        slow_ranks(&x, rank);
        front_order(x.v, x.n, x.nobjectives, order);
        for (uint32_t i = 0; i < x.n; i++) {
            CHECK_EQ(seen[order[i]]++, 0);
            CHECK(i == 0 || rank[order[i - 1]] <= rank[order[i]]);
        }
    }
    const struct search_value values[] = {value(5, 5, 0),  value(4, 2, 0), value(1, 6, 0),
                                          value(0, 10, 0), value(8, 0, 0), value(4, 5, 0)};
    const struct search_value *v[] = {&values[0], &values[1], &values[2],
                                      &values[3], &values[4], &values[5]};
    static const uint32_t expected[] = {3, 4, 1, 2, 5, 0}; /* (4,2) has more room than (1,6) */
    uint32_t order[6];
    front_order(v, 6, 2, order);
    for (int i = 0; i < 6; i++)
        CHECK_EQ(order[i], expected[i]);
}

CHECK_MAIN("front", TEST(less_in_one_objective_and_more_in_none_dominates),
           TEST(what_breaks_no_constraint_comes_first_then_what_breaks_less),
           TEST(what_could_not_be_measured_is_the_worst), TEST(ranks_are_those_of_the_definition),
           TEST(the_first_rank_comes_in_the_order_of_its_objectives),
           TEST(crowding_is_what_neighbours_leave_free_and_endless_at_the_ends),
           TEST(crowding_of_equal_or_endless_values_is_a_number),
           TEST(the_order_is_by_rank_then_by_crowding_then_by_place))
