/* Searches find fronts that are known: in closed form, or because all points can be measured. */
#include "check.h"

#include "base/rng.h"
#include "rig/search_rig.h"

/* ---- ZDT ------------------------------------------------------------------------------------ */

/* Zitzler, Deb, Thiele, "Comparison of multiobjective evolutionary algorithms: empirical results",
 * Evolutionary Computation 8(2), 2000: the problems T1, T2 and T3 with 30 variables, here of 101
 * levels.  The front is where all but the first variable are 0. */
enum { ZDT_AXES = 30, ZDT_LEVELS = 101 };

static double zdt_h(int which, double f1, double g)
{
    const double x = f1 / g;
    if (which == 1)
        return 1 - sqrt(x);
    if (which == 2)
        return 1 - x * x;
    return 1 - sqrt(x) - x * sin(10 * acos(-1.0) * f1);
}

static void zdt(const struct search_rig *r, uint32_t fidelity, const uint16_t *levels,
                struct search_value *v)
{
    double others = 0;
    (void)fidelity;
    for (int i = 1; i < ZDT_AXES; i++)
        others += levels[i] / (ZDT_LEVELS - 1.0);
    const double g = 1 + 9 * others / (ZDT_AXES - 1);
    v->objectives[0] = levels[0] / (ZDT_LEVELS - 1.0);
    v->objectives[1] = g * zdt_h(*(const int *)r->context, v->objectives[0], g);
}

static const double zdt_reference[] = {1.1, 1.1};

/* Of the levels there are: steps that go as low as any point to their left. */
static double zdt_true_hypervolume(int which)
{
    double volume = 0, lowest = zdt_reference[1];
    for (int i = 0; i < ZDT_LEVELS; i++) {
        const double x = i / (ZDT_LEVELS - 1.0), y = zdt_h(which, x, 1);
        if (y < lowest) {
            volume += (lowest - y) * (zdt_reference[0] - x);
            lowest = y;
        }
    }
    return volume;
}

/* The share of the true front's hypervolume that a method has after so many points. */
static double zdt_share(int which, uint64_t seed, const char *method, uint32_t points)
{
    struct search_rig r;
    search_rig_open(&r, "30*101");
    r.problem.nobjectives = 2;
    r.problem.seed = seed;
    r.value = zdt;
    r.context = &which;
    r.budget = points;
    search_rig_set(&r, "nsga2.population=100");
    search_rig_set(&r, "nsga2.generations=1000000");
    search_rig_set(&r, "sampling.points=1000000");
    CHECK(search_rig_run(&r, method));
    CHECK_EQ(search_count(r.search), points);
    const double volume = search_rig_hypervolume(&r, points, zdt_reference);
    search_rig_close(&r);
    return volume / zdt_true_hypervolume(which);
}

static void nsga2_finds_the_fronts_of_ZDT_that_random_search_does_not_come_near(void)
{
    for (int which = 1; which <= 3; which++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            CHECK(zdt_share(which, seed, "nsga2", 10000) > 0.98);
            CHECK(zdt_share(which, seed, "random", 10000) < 0.5);
        }
}

/* ---- knapsack ------------------------------------------------------------------------------- */

/* Two profits of 16 items, of which half of the weight may be taken: as in Zitzler, Thiele, IEEE Trans.
 * Evolutionary Computation 3(4), 1999, but small enough to look at all. */
enum { ITEMS = 16, KNAPSACK_POINTS = 1 << ITEMS };

struct knapsack {
    double profit[2][ITEMS], weight[ITEMS], capacity;
};

static struct knapsack knapsack_of(uint64_t seed)
{
    struct knapsack k = {0};
    const uint64_t key = rng_key(seed, 99);
    for (uint32_t i = 0; i < ITEMS; i++) {
        k.profit[0][i] = 10 + rng_below(rng_at(key, 3 * i), 91);
        k.profit[1][i] = 10 + rng_below(rng_at(key, 3 * i + 1), 91);
        k.weight[i] = 10 + rng_below(rng_at(key, 3 * i + 2), 91);
        k.capacity += k.weight[i] / 2;
    }
    return k;
}

static double knapsack_excess(const struct knapsack *k, const uint16_t *levels)
{
    double weight = 0;
    for (int i = 0; i < ITEMS; i++)
        weight += levels[i] * k->weight[i];
    return weight > k->capacity ? weight - k->capacity : 0;
}

static void knapsack(const struct search_rig *r, uint32_t fidelity, const uint16_t *levels,
                     struct search_value *v)
{
    const struct knapsack *k = r->context;
    (void)fidelity;
    for (int i = 0; i < ITEMS; i++)
        for (int j = 0; j < 2; j++)
            v->objectives[j] -= levels[i] * k->profit[j][i];
    v->violation = knapsack_excess(k, levels);
}

static const double knapsack_reference[] = {0, 0};

/* The hypervolume that a method has after so many points. */
static double knapsack_volume(const struct knapsack *k, const char *method, uint32_t points)
{
    struct search_rig r;
    struct arena *a = arena_new();
    const uint32_t *front;
    search_rig_open(&r, "16*2");
    r.problem.nobjectives = 2;
    r.value = knapsack;
    r.context = k;
    r.budget = points;
    search_rig_set(&r, "nsga2.population=100");
    search_rig_set(&r, "nsga2.generations=1000000");
    search_rig_set(&r, "sampling.points=1000000");
    CHECK(search_rig_run(&r, method));
    CHECK_EQ(search_count(r.search), points);
    const uint32_t n = search_front(r.search, points, a, &front);
    CHECK(n > 0);
    for (uint32_t i = 0; i < n; i++)
        CHECK(!(knapsack_excess(k, search_at(r.search, front[i])->levels) > 0));
    const double volume = search_rig_hypervolume(&r, points, knapsack_reference);
    search_rig_close(&r);
    arena_free(a);
    return volume;
}

static void nsga2_fills_a_knapsack_as_well_as_all_points_do_in_a_tenth_of_them(void)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const struct knapsack k = knapsack_of(seed);
        const double all = knapsack_volume(&k, "grid", KNAPSACK_POINTS);
        const double found = knapsack_volume(&k, "nsga2", KNAPSACK_POINTS / 10);
        CHECK(found <= all && found >= 0.98 * all);
        CHECK(knapsack_volume(&k, "random", KNAPSACK_POINTS / 10) < 0.98 * all);
    }
}

/* ---- halving -------------------------------------------------------------------------------- */

/* Two objectives that pull apart; a cheap fidelity adds noise to each, whose size is *context. */
static void noisy(const struct search_rig *r, uint32_t fidelity, const uint16_t *levels,
                  struct search_value *v)
{
    const double x = levels[0] / 7.0, y = levels[1] / 7.0, z = levels[2] / 7.0;
    const double size =
        *(const double *)r->context * (double)(r->problem.nfidelities - 1 - fidelity);
    const uint64_t key = rng_key(fidelity, levels[0] * 64u + levels[1] * 8u + levels[2]);
    v->objectives[0] = x * x + (y - 0.5) * (y - 0.5) + z;
    v->objectives[1] = (x - 1) * (x - 1) + (y - 0.5) * (y - 0.5) * z + z * 0.5;
    for (uint32_t k = 0; k < 2; k++)
        v->objectives[k] += size * (rng_unit(rng_at(key, k)) - 0.5);
}

static double halved_volume(double noise, const char *method, uint32_t asked[3])
{
    static const uint16_t start[] = {7, 7, 7};
    static const double reference[] = {3, 3};
    struct search_rig r;
    search_rig_open(&r, "8 8 8");
    r.problem.nobjectives = 2;
    r.problem.nfidelities = 3;
    r.problem.start = start;
    r.value = noisy;
    r.context = &noise;
    search_rig_set(&r, "halving.points=400");
    CHECK(search_rig_run(&r, method));
    const double volume = search_rig_hypervolume(&r, search_count(r.search), reference);
    memcpy(asked, r.asked, 3 * sizeof *asked);
    search_rig_close(&r);
    return volume;
}

static void halving_finds_by_cheap_runs_what_is_worth_dear_ones(void)
{
    uint32_t asked[3];
    const double all = halved_volume(0, "grid", asked);
    CHECK(asked[0] == 0 && asked[1] == 0 && asked[2] == 512);
    const double found = halved_volume(0.4, "halving", asked);
    CHECK(asked[0] == 400 && asked[1] == 400 / 3 && asked[2] == 400 / 3 / 3);
    CHECK(found <= all && found >= 0.99 * all);
    CHECK(halved_volume(100, "halving", asked) < 0.95 * all); /* cheap runs that say nothing */
}

/* ---- budgets -------------------------------------------------------------------------------- */

static void uneven(const struct search_rig *r, uint32_t fidelity, const uint16_t *levels,
                   struct search_value *v)
{
    uint64_t key = rng_key(7, fidelity);
    for (uint32_t i = 0; i < r->problem.space.naxes; i++) {
        key = rng_key(key, levels[i]);
        v->objectives[0] += levels[i];
        v->objectives[1] += (levels[i] - 2.0) * (levels[i] - 2.0) + rng_unit(key);
    }
    v->violation = rng_unit(rng_at(key, 1)) < 0.2 ? rng_unit(rng_at(key, 2)) : 0;
    if (rng_unit(rng_at(key, 3)) < 0.1)
        v->objectives[1] = NAN;
}

static void open_uneven(struct search_rig *r)
{
    static const uint16_t start[] = {1, 0, 2, 1};
    search_rig_open(r, "4 3 5 2");
    r->axes[3].is_ordered = false;
    r->problem.nobjectives = 2;
    r->problem.nfidelities = 3;
    r->problem.start = start;
    r->value = uneven;
    search_rig_set(r, "sampling.points=50");
    search_rig_set(r, "halving.points=40");
    search_rig_set(r, "nsga2.population=8");
    search_rig_set(r, "nsga2.generations=9");
}

/* All methods of a search one after the other, from `first` on. */
static void run_all(struct search_rig *r, int first)
{
    for (int i = 0; i < search_method_count; i++)
        CHECK(search_rig_run(r, search_method_all[(first + i) % search_method_count]->name));
}

static void check_prefix(const struct search_rig *part, const struct search_rig *whole, uint32_t n)
{
    CHECK_EQ(search_count(part->search), n);
    for (uint32_t i = 0; i < n; i++) {
        const struct search_point *p = search_at(part->search, i), *q = search_at(whole->search, i);
        CHECK(p->fidelity == q->fidelity && !memcmp(p->levels, q->levels, 4 * sizeof *p->levels));
    }
}

static void a_search_that_was_stopped_anywhere_goes_on_from_memory_as_if_it_was_not(void)
{
    for (int first = 0; first < search_method_count; first++) {
        struct search_rig whole;
        open_uneven(&whole);
        run_all(&whole, first);
        const uint32_t n = search_count(whole.search);
        CHECK(n > 120 && !search_is_over(whole.search));
        for (uint32_t k = 0; k < n; k++) {
            struct search_rig part, rest;
            open_uneven(&part);
            open_uneven(&rest);
            part.budget = k;
            run_all(&part, first);
            CHECK(search_is_over(part.search));
            check_prefix(&part, &whole, k);
            rest.memory = part.search;
            rest.budget = n - k;
            run_all(&rest, first);
            CHECK(!search_is_over(rest.search) && search_rig_is_same(&rest, &whole));
            search_rig_close(&part);
            search_rig_close(&rest);
        }
        search_rig_close(&whole);
    }
}

static void other_seeds_look_at_other_points(void)
{
    static const char *const drawn[] = {"random", "halving", "nsga2"};
    for (int i = 0; i < 3; i++) {
        struct search_rig r[3];
        for (int k = 0; k < 3; k++) {
            open_uneven(&r[k]);
            r[k].problem.seed = k == 2 ? 5 : 4;
            CHECK(search_rig_run(&r[k], drawn[i]));
        }
        CHECK(search_rig_is_same(&r[0], &r[1]) && !search_rig_is_same(&r[0], &r[2]));
        for (int k = 0; k < 3; k++)
            search_rig_close(&r[k]);
    }
}

CHECK_MAIN("search", TEST(nsga2_finds_the_fronts_of_ZDT_that_random_search_does_not_come_near),
           TEST(nsga2_fills_a_knapsack_as_well_as_all_points_do_in_a_tenth_of_them),
           TEST(halving_finds_by_cheap_runs_what_is_worth_dear_ones),
           TEST(a_search_that_was_stopped_anywhere_goes_on_from_memory_as_if_it_was_not),
           TEST(other_seeds_look_at_other_points))
