/* test_link.c - repeated wires: DSENT's sizing, dimensions, refusals. */
#include "check.h"
#include "power/link.h"
#include "power/tech.h"

static struct power_link build(struct power_link_spec s)
{
    struct power_link l;
    struct err e = {0};
    if (!power_link(&s, &l, &e))
        print_error("%s\n", e.text);
    CHECK_EQ(e.status, STATUS_DONE);
    return l;
}

static const struct power_link_spec plain = {
    .node = 22, .bits = 256, .length = 0.0033, .delay = 1e-9};

/* Rows of DSENT's that need one, several and many segments, small and large repeaters. */
static const struct {
    struct power_link_spec spec;
    double energy, leak, area, wire;
    uint32_t segments;
    double size;
} rows[] = {
    {{22, 256, 0.0005, 1e-9, 0, 1, 1}, 3.0532e-12, 6.17324e-5, 8.65075e-11, 4.096e-8, 2, 1},
    {{22, 256, 0.008, 1e-9, 0, 1, 1}, 4.85741e-11, 7.40785e-4, 6.05553e-10, 6.5536e-7, 4, 6},
    {{22, 256, 0.0123, 5e-10, 0, 1, 1}, 8.67033e-11, 1.18526e-2, 8.82377e-9, 1.00762e-6, 24, 16},
    {{22, 256, 0.0123, 7.14286e-10, 0, 2, 1}, 9.303e-11, 3.95086e-3, 2.94126e-9, 1.51142e-6, 8, 16},
    {{32, 256, 0.0033, 7.14286e-10, 0, 1, 1},
     2.71609e-11,
     1.74567e-4,
     2.9737e-10,
     2.70336e-7,
     2,
     2},
    {{45, 256, 0.016, 7.14286e-10, 0, 1, 1},
     2.21125e-10,
     2.30761e-2,
     3.98295e-8,
     1.31072e-6,
     26,
     16},
};

static void sizing_is_dsents(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct power_link l = build(rows[i].spec);
        CHECK(l.is_met);
        CHECK(l.delay <= rows[i].spec.delay);
        CHECK_EQ(l.segments, rows[i].segments);
        CHECK_NEAR(l.size, rows[i].size, 1e-12);
        CHECK_NEAR(l.energy, rows[i].energy, 1e-4);
        CHECK_NEAR(l.leak, rows[i].leak, 1e-4);
        CHECK_NEAR(l.area, rows[i].area, 1e-4);
        CHECK_NEAR(l.wire_area, rows[i].wire, 1e-4);
    }
}

static void everything_is_proportional_to_the_width(void)
{
    struct power_link_spec wide = plain;
    wide.bits *= 4;
    wide.registers = 2;
    struct power_link_spec narrow = wide;
    narrow.bits = 1;
    struct power_link one = build(narrow), all = build(wide);
    CHECK_NEAR(all.energy, 1024 * one.energy, 1e-9);
    CHECK_NEAR(all.clock_cycle, 1024 * one.clock_cycle, 1e-9);
    CHECK_NEAR(all.leak, 1024 * one.leak, 1e-9);
    CHECK_NEAR(all.area, 1024 * one.area, 1e-9);
    CHECK_NEAR(all.wire_area, 1024 * one.wire_area, 1e-9);
    CHECK_NEAR(all.delay, one.delay, 1e-12);
}

/* Repeaters are a few per cent of the wire's capacitance. */
static void energy_is_nearly_proportional_to_length(void)
{
    const uint32_t nodes[] = {22, 32, 45};
    for (int n = 0; n < 3; n++) {
        struct power_link_spec s = {.node = nodes[n], .bits = 64, .delay = 4e-9};
        s.length = 0.002;
        double per_metre = build(s).energy / s.length;
        for (s.length = 0.003; s.length < 0.02; s.length += 0.001)
            CHECK_NEAR(build(s).energy / s.length, per_metre, 0.05);
    }
}

/* 23 to 25 fJ per bit and millimetre at 22 nm. */
static void energy_per_bit_and_millimetre_is_what_22_nm_takes(void)
{
    double e = build(plain).energy / 256 / 3.3;
    CHECK(e > 22.5e-15);
    CHECK(e < 25e-15);
}

static void wire_area_is_length_times_bits_times_pitch(void)
{
    struct err e = {0};
    const struct tech *t = tech_find(45, &e);
    struct power_link_spec s = {45, 100, 0.007, 1e-9, 3, 2, 3};
    CHECK_NEAR(build(s).wire_area, 100 * 0.007 * wire_global(t, 2, 3).pitch, 1e-12);
    CHECK_NEAR(wire_global(t, 2, 3).pitch, 5 * 160e-9, 1e-12);
}

static void a_faster_link_leaks_no_less(void)
{
    const double lengths[] = {0.001, 0.0033, 0.0123};
    for (int i = 0; i < 3; i++) {
        struct power_link_spec s = {.node = 22, .bits = 128, .length = lengths[i]};
        double last = 0;
        for (s.delay = 5e-9; s.delay > 6e-10; s.delay /= 2) {
            struct power_link l = build(s);
            CHECK(l.is_met);
            CHECK(l.leak >= last);
            last = l.leak;
        }
    }
}

static void a_delay_out_of_reach_yields_the_fastest_link(void)
{
    struct power_link_spec s = {.node = 22, .bits = 256, .length = 0.016, .delay = 1e-12};
    struct power_link fastest = build(s);
    CHECK(!fastest.is_met);
    CHECK(fastest.delay > s.delay);
    s.delay = fastest.delay * 1.0001;
    struct power_link just = build(s);
    CHECK(just.is_met);
    CHECK_NEAR(just.delay, fastest.delay, 1e-3);
    s.delay = fastest.delay * 0.9999;
    CHECK(!build(s).is_met);
}

/* Twice the time for the same wire, cut in the middle: each half is a link of its own. */
static void a_register_cuts_the_wire_into_links_of_half_the_length(void)
{
    struct power_link_spec whole = {.node = 32, .bits = 64, .length = 0.0123, .delay = 1.4e-9};
    whole.registers = 1;
    struct power_link_spec half = {.node = 32, .bits = 64, .length = 0.0123 / 2, .delay = 0.7e-9};
    struct power_link w = build(whole), h = build(half);
    const double flop_leak = 1.4061e-6, flop_area = 15 * 1.21e-6 * 0.16e-6;
    CHECK_EQ(w.segments, 2 * h.segments);
    CHECK_NEAR(w.delay, 2 * h.delay, 1e-9);
    CHECK_NEAR(w.leak - 2 * h.leak, 64 * flop_leak, 0.001);
    CHECK_NEAR(w.area, 2 * h.area + 64 * flop_area, 1e-9);
    CHECK_NEAR(w.energy - 2 * h.energy, 64 * (0.754e-15 + 0.83e-15), 0.01);
    CHECK_NEAR(w.clock_cycle, 64 * 1.730e-15, 0.002);
    CHECK_NEAR(h.clock_cycle, 0, 0);
}

static void more_cycles_on_a_long_wire_save_leakage(void)
{
    struct power_link_spec one = {.node = 22, .bits = 256, .length = 0.0123, .delay = 0.5e-9};
    struct power_link_spec four = one;
    four.registers = 3;
    four.delay = 2e-9;
    CHECK(build(four).leak < build(one).leak / 3);
    CHECK(build(four).energy < build(one).energy);
}

static void a_link_of_no_length_is_two_inverters_per_bit(void)
{
    struct power_link_spec s = plain;
    s.length = 0;
    struct power_link l = build(s);
    CHECK(l.is_met);
    CHECK_EQ(l.segments, 2);
    CHECK_NEAR(l.wire_area, 0, 0);
    CHECK_NEAR(l.size, 1, 0);
    s.length = 1e-9; /* and no step away from it */
    CHECK_NEAR(l.energy, build(s).energy, 1e-3);
}

static void multiples_of_0_mean_the_least_wire(void)
{
    struct power_link_spec s = plain;
    s.width_mult = s.space_mult = 1;
    CHECK_NEAR(build(s).energy, build(plain).energy, 0);
}

static void refuse(struct power_link_spec s, const char *word)
{
    struct power_link l;
    struct err e = {0};
    CHECK(!power_link(&s, &l, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    if (strstr(e.text, word) == NULL)
        print_error("\"%s\" lacks \"%s\"\n", e.text, word);
    CHECK(strstr(e.text, word) != NULL);
    CHECK(strchr(e.text, '\n') == NULL);
}

static void numbers_without_sense_are_refused_in_one_line(void)
{
    const double lengths[] = {-1e-3, NAN, INFINITY, -INFINITY, 1000};
    const double delays[] = {0, -1e-9, NAN, INFINITY};
    const double mults[] = {-1, 0.5, NAN, INFINITY, 1e6};
    struct power_link_spec s;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        s = plain, s.length = lengths[i], refuse(s, "length");
    for (size_t i = 0; i < sizeof delays / sizeof delays[0]; i++)
        s = plain, s.delay = delays[i], refuse(s, "delay");
    for (size_t i = 0; i < sizeof mults / sizeof mults[0]; i++) {
        s = plain, s.width_mult = mults[i], refuse(s, "width");
        s = plain, s.space_mult = mults[i], refuse(s, "spacing");
    }
    s = plain, s.bits = 0, refuse(s, "0 bits");
    s = plain, s.bits = UINT32_MAX, refuse(s, "bits");
    s = plain, s.registers = UINT32_MAX, refuse(s, "registers");
    s = plain, s.node = 28, refuse(s, "28 nm");
}

CHECK_MAIN("link", TEST(sizing_is_dsents), TEST(everything_is_proportional_to_the_width),
           TEST(energy_is_nearly_proportional_to_length),
           TEST(energy_per_bit_and_millimetre_is_what_22_nm_takes),
           TEST(wire_area_is_length_times_bits_times_pitch), TEST(a_faster_link_leaks_no_less),
           TEST(a_delay_out_of_reach_yields_the_fastest_link),
           TEST(a_register_cuts_the_wire_into_links_of_half_the_length),
           TEST(more_cycles_on_a_long_wire_save_leakage),
           TEST(a_link_of_no_length_is_two_inverters_per_bit),
           TEST(multiples_of_0_mean_the_least_wire),
           TEST(numbers_without_sense_are_refused_in_one_line))
