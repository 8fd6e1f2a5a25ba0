/* test_tech.c - the table of technologies, wires and inverters. */
#include "check.h"
#include "power/tech.h"

static const uint32_t nodes[] = {22, 32, 45};

static const struct tech *find(uint32_t nm)
{
    struct err e = {0};
    const struct tech *t = tech_find(nm, &e);
    CHECK(t != NULL);
    CHECK_EQ(t->nm, nm);
    return t;
}

static void an_unknown_node_is_refused_in_one_line(void)
{
    const uint32_t bad[] = {0, 10, 28, 40, UINT32_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct err e = {0};
        CHECK(tech_find(bad[i], &e) == NULL);
        CHECK_EQ(e.status, STATUS_BAD_INPUT);
        CHECK(strstr(e.text, "7, 12, 22, 32 or 45") != NULL);
        CHECK(strchr(e.text, '\n') == NULL);
    }
}

/* From two links of DSENT's that differ in length alone, with the same repeaters. */
static void the_global_wire_has_the_capacitance_that_dsents_links_charge(void)
{
    const double energy_short[] = {3.0532e-12, 4.22629e-12, 5.31166e-12};
    const double energy_long[] = {6.03713e-12, 8.29332e-12, 1.03327e-11};
    for (int i = 0; i < 3; i++) {
        const struct tech *t = find(nodes[i]);
        double per_bit = (energy_long[i] - energy_short[i]) / 256;
        CHECK_NEAR(wire_global(t, 1, 1).cap * 0.5e-3, per_bit / (0.25 * t->vdd * t->vdd), 1e-4);
    }
}

/* Of a chain of gates and wires: what switches, how dense it is, at which supply. */
static void nothing_grows_from_22_over_12_to_7_nm(void)
{
    const struct tech *t[] = {find(22), find(12), find(7)};
    for (int i = 1; i < 3; i++) {
        struct inverter old = tech_inverter(t[i - 1], 1), new = tech_inverter(t[i], 1);
        CHECK(t[i]->vdd <= t[i - 1]->vdd);
        CHECK(t[i]->gate_pitch < t[i - 1]->gate_pitch);
        CHECK(tech_unit(t[i]) < tech_unit(t[i - 1]));
        CHECK(new.gate < old.gate &&new.drain < old.drain &&new.area < old.area);
        CHECK(new.leak_0 + new.leak_1 < old.leak_0 + old.leak_1);
        CHECK(wire_intermediate(t[i]).pitch < wire_intermediate(t[i - 1]).pitch);
    }
}

static void a_wider_wire_resists_less_and_takes_more_room(void)
{
    struct wire thin = wire_global(find(22), 1, 1), wide = wire_global(find(22), 2, 1);
    CHECK_NEAR(wide.res, thin.res / 2, 1e-12);
    CHECK_NEAR(wide.pitch, thin.pitch * 1.5, 1e-12);
    CHECK(wide.cap > thin.cap);
}

static void a_wire_farther_from_its_neighbours_couples_less(void)
{
    for (int i = 0; i < 3; i++)
        CHECK(wire_global(find(nodes[i]), 1, 3).cap < wire_global(find(nodes[i]), 1, 1).cap);
}

static void intermediate_wires_are_finer_and_resist_more_than_global_ones(void)
{
    for (int i = 0; i < 3; i++) {
        struct wire fine = wire_intermediate(find(nodes[i]));
        struct wire global = wire_global(find(nodes[i]), 1, 1);
        CHECK(fine.pitch < global.pitch);
        CHECK(fine.res > global.res);
    }
}

static void the_smallest_inverter_has_dsents_area_and_leakage(void)
{
    const double leak[] = {0.1206e-6, 0.170e-6, 0.217e-6};
    for (int i = 0; i < 3; i++) {
        struct inverter inv = tech_inverter(find(nodes[i]), 1);
        CHECK_NEAR(inv.area, 2 * tech_unit(find(nodes[i])), 1e-12);
        CHECK_NEAR((inv.leak_0 + inv.leak_1) / 2, leak[i], 0.005);
    }
}

static void an_inverter_drives_in_proportion_to_its_size(void)
{
    struct inverter one = tech_inverter(find(32), 1), four = tech_inverter(find(32), 4);
    CHECK_NEAR(four.res, one.res / 4, 1e-9);
    CHECK_NEAR(four.gate, one.gate * 4, 1e-9);
    CHECK_NEAR(four.drain, one.drain * 4, 1e-9);
    CHECK_NEAR(four.area, one.area * 5 / 2, 1e-9);
}

static void no_transistor_is_narrower_than_the_least(void)
{
    struct inverter tiny = tech_inverter(find(22), 0.01);
    CHECK_NEAR(tiny.gate, 2 * find(22)->min_width * find(22)->gate_cap, 1e-12);
    CHECK_NEAR(tiny.area, tech_inverter(find(22), 1).area, 1e-12);
}

CHECK_MAIN("tech", TEST(nothing_grows_from_22_over_12_to_7_nm),
           TEST(an_unknown_node_is_refused_in_one_line),
           TEST(the_global_wire_has_the_capacitance_that_dsents_links_charge),
           TEST(a_wider_wire_resists_less_and_takes_more_room),
           TEST(a_wire_farther_from_its_neighbours_couples_less),
           TEST(intermediate_wires_are_finer_and_resist_more_than_global_ones),
           TEST(the_smallest_inverter_has_dsents_area_and_leakage),
           TEST(an_inverter_drives_in_proportion_to_its_size),
           TEST(no_transistor_is_narrower_than_the_least))
