#include "power/cell.h"

#include "check.h"

static const uint32_t nodes[] = {22, 32, 45};
enum { NODES = 3 };

static const struct tech *tech_at(uint32_t nm)
{
    struct err e = {0};
    const struct tech *t = tech_find(nm, &e);
    CHECK(t != NULL);
    return t;
}

static double pitches(const struct tech *t, enum cell_kind kind)
{
    return cell_of(t, kind, 1).area / tech_unit(t);
}

static void a_cell_is_as_wide_as_its_gates_and_one_pitch(void)
{
    for (int i = 0; i < NODES; i++) {
        const struct tech *t = tech_at(nodes[i]);
        CHECK_NEAR(pitches(t, CELL_INV), 2, 1e-9);
        CHECK_NEAR(pitches(t, CELL_NAND2), 3, 1e-9);
        CHECK_NEAR(pitches(t, CELL_AND2), 4, 1e-9);
        CHECK_NEAR(pitches(t, CELL_OR2), 4, 1e-9);
        CHECK_NEAR(pitches(t, CELL_MUX2), 7, 1e-9);
        CHECK_NEAR(pitches(t, CELL_DFF), 15, 1e-9);
    }
}

/* fJ: data in and out at a quarter of rises per bit, and per clock. */
static void a_flip_flop_takes_the_published_energies(void)
{
    static const double data[] = {0.350, 0.754, 1.367}, out[] = {0.38, 0.83, 1.51};
    static const double clock[] = {0.898, 1.730, 3.119};
    for (int i = 0; i < NODES; i++) {
        const struct tech *t = tech_at(nodes[i]);
        struct cell dff = cell_of(t, CELL_DFF, 1);
        double volt2 = t->vdd * t->vdd;
        CHECK_NEAR(0.25 * dff.in_data * volt2, data[i] * 1e-15, 0.002);
        CHECK_NEAR(0.25 * dff.out * volt2, out[i] * 1e-15, 0.01);
        CHECK_NEAR(dff.in_ctl * volt2, clock[i] * 1e-15, 0.002);
    }
}

/* uW. */
static void cells_leak_what_is_published(void)
{
    static const double inv[] = {0.1206, 0.170, 0.217}, mux[] = {0.4823, 0.5435, 0.6494};
    static const double dff[] = {1.2057, 1.4061, 1.6283};
    for (int i = 0; i < NODES; i++) {
        const struct tech *t = tech_at(nodes[i]);
        CHECK_NEAR(cell_of(t, CELL_INV, 1).leak, inv[i] * 1e-6, 0.005);
        CHECK_NEAR(cell_of(t, CELL_MUX2, 1).leak, mux[i] * 1e-6, 0.001);
        CHECK_NEAR(cell_of(t, CELL_DFF, 1).leak, dff[i] * 1e-6, 0.001);
    }
}

/* 0.503 um of transistor at 0.9 fF/um; (700/0.216 + 930/0.287) / 2 ohm; 60 nA at 300 K are 10^0.4
 * times that at 340 K. */
static void the_least_inverter_of_22_nm_is_as_worked_by_hand(void)
{
    struct cell inv = cell_of(tech_at(22), CELL_INV, 1);
    CHECK_NEAR(inv.data, 0.704 / 1.4 * 0.9e-15, 1e-6);
    CHECK_NEAR(inv.res, 3241, 0.001);
    CHECK_NEAR(inv.leak, 0.8 * 60e-9 * 2.5119, 1e-4);
    CHECK_NEAR(inv.delay, 0.693 * inv.res * inv.out, 1e-9);
}

static void a_larger_cell_drives_harder_and_costs_more(void)
{
    for (int i = 0; i < NODES; i++)
        for (int kind = 0; kind < CELL_KINDS; kind++)
            for (int size = 1; size < CELL_SIZES; size++) {
                const struct tech *t = tech_at(nodes[i]);
                struct cell a = cell_of(t, (enum cell_kind)kind, cell_sizes[size - 1]);
                struct cell b = cell_of(t, (enum cell_kind)kind, cell_sizes[size]);
                CHECK(b.res < a.res);
                CHECK(b.area >= a.area);
                CHECK(b.leak >= a.leak);
                CHECK(b.data >= a.data);
                CHECK(b.out > a.out);
            }
}

/* As many fingers as the size, rounded up: 1.4 and 2 are alike. */
static void area_grows_by_fingers(void)
{
    const struct tech *t = tech_at(22);
    CHECK_NEAR(cell_of(t, CELL_INV, 1.4).area, cell_of(t, CELL_INV, 2).area, 1e-9);
    CHECK_NEAR(cell_of(t, CELL_NAND2, 3).area, 7 * tech_unit(t), 1e-9);
}

static void sixteen_fold_is_sixteen_inverters(void)
{
    const struct tech *t = tech_at(32);
    struct cell one = cell_of(t, CELL_INV, 1), many = cell_of(t, CELL_INV, 16);
    CHECK_NEAR(many.data, 16 * one.data, 1e-9);
    CHECK_NEAR(many.out, 16 * one.out, 1e-9);
    CHECK_NEAR(many.leak, 16 * one.leak, 1e-9);
    CHECK_NEAR(many.res, one.res / 16, 1e-9);
    CHECK_NEAR(many.area, 17 * tech_unit(t), 1e-9);
}

static void the_mean_over_all_inputs_is_the_cells_leakage(void)
{
    static const enum cell_kind kinds[] = {CELL_INV, CELL_NAND2, CELL_AND2, CELL_OR2};
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < 4; k++) {
            const struct tech *t = tech_at(nodes[i]);
            double sum = 0;
            for (int state = 0; state < 4; state++)
                sum += cell_leak(t, kinds[k], state & 1, state >> 1);
            CHECK_NEAR(sum / 4, cell_of(t, kinds[k], 1).leak, 1e-9);
            CHECK_NEAR(cell_leak(t, kinds[k], 0.5, 0.5), sum / 4, 1e-9);
        }
}

/* At 45 nm the p transistors of a NAND are above the floor. */
static void two_transistors_in_series_leak_no_more_than_one(void)
{
    const struct tech *t = tech_at(45);
    CHECK(cell_leak(t, CELL_NAND2, 0, 0) <= cell_leak(t, CELL_NAND2, 0, 1));
    CHECK(cell_leak(t, CELL_OR2, 1, 1) < cell_leak(t, CELL_OR2, 0, 1));
}

static void a_constant_neither_rises_nor_lets_others_pass(void)
{
    const struct cell_net low = {0, 0}, high = {1, 0}, data = cell_net_random;
    CHECK_NEAR(cell_net_and(data, high).rise, 0.25, 1e-12);
    CHECK_NEAR(cell_net_or(data, low).rise, 0.25, 1e-12);
    CHECK(cell_net_and(data, low).rise == 0);
    CHECK(cell_net_or(data, high).rise == 0);
    CHECK_NEAR(cell_net_or(data, high).high, 1, 1e-12);
    CHECK_NEAR(cell_net_not(high).high + 1, 1, 1e-12);
}

/* 00, 01, 10, 11 in both cycles are equally likely: of 16 pairs 3 lead to a rise of the AND. */
static void two_random_nets_meet_in_a_quarter(void)
{
    struct cell_net y = cell_net_and(cell_net_random, cell_net_random);
    CHECK_NEAR(y.high, 0.25, 1e-12);
    CHECK_NEAR(y.rise, 3.0 / 16, 1e-12);
    y = cell_net_or(cell_net_random, cell_net_random);
    CHECK_NEAR(y.high, 0.75, 1e-12);
    CHECK_NEAR(y.rise, 3.0 / 16, 1e-12);
}

static void a_multiplexer_passes_the_net_that_is_chosen(void)
{
    const struct cell_net a = {0, 0}, b = {1, 0}, low = {0, 0}, high = {1, 0};
    CHECK(cell_net_mux(cell_net_random, b, low).rise == 0.25);
    CHECK(cell_net_mux(a, cell_net_random, high).rise == 0.25);
    CHECK_NEAR(cell_net_mux(a, b, cell_net_random).rise, 0.25, 1e-12); /* follows the select */
    CHECK_NEAR(cell_net_mux(cell_net_random, cell_net_random, cell_net_random).rise, 0.25, 1e-12);
}

static void a_flip_flop_clocked_always_follows_its_data(void)
{
    CHECK_NEAR(cell_net_sampled(1).rise, 0.25, 1e-12);
    CHECK(cell_net_sampled(8).rise < cell_net_sampled(4).rise);
    CHECK(8 * cell_net_sampled(8).rise <= 0.5);
}

CHECK_MAIN("cell", TEST(a_cell_is_as_wide_as_its_gates_and_one_pitch),
           TEST(a_flip_flop_takes_the_published_energies), TEST(cells_leak_what_is_published),
           TEST(the_least_inverter_of_22_nm_is_as_worked_by_hand),
           TEST(a_larger_cell_drives_harder_and_costs_more), TEST(area_grows_by_fingers),
           TEST(sixteen_fold_is_sixteen_inverters),
           TEST(the_mean_over_all_inputs_is_the_cells_leakage),
           TEST(two_transistors_in_series_leak_no_more_than_one),
           TEST(a_constant_neither_rises_nor_lets_others_pass),
           TEST(two_random_nets_meet_in_a_quarter),
           TEST(a_multiplexer_passes_the_net_that_is_chosen),
           TEST(a_flip_flop_clocked_always_follows_its_data))
