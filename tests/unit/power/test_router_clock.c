#include "power/router_priv.h"

#include "check.h"

static const struct tech *tech_at(uint32_t nm)
{
    struct err e = {0};
    const struct tech *t = tech_find(nm, &e);
    CHECK(t != NULL);
    return t;
}

/* Five levels: each has twice as many wires of half the length, so 5/2 of the side. */
static void wires_take_two_and_a_half_times_the_side(void)
{
    struct router_clock c = router_clock_of(tech_at(22), 1e-8, 1e-12);
    CHECK_NEAR(c.wire_area, 2.5 * 1e-4 * 4 * 160e-9, 1e-9);
}

static void the_pins_are_charged_once_per_cycle(void)
{
    const struct tech *t = tech_at(22);
    struct router_clock a = router_clock_of(t, 1e-8, 1.00e-12);
    struct router_clock b = router_clock_of(t, 1e-8, 1.01e-12);
    CHECK_NEAR(b.energy - a.energy, 0.01e-12 * t->vdd * t->vdd, 1e-6);
    CHECK(a.energy > 1e-12 * t->vdd * t->vdd);
}

static void a_larger_router_or_more_pins_take_more(void)
{
    const struct tech *t = tech_at(45);
    struct router_clock small = router_clock_of(t, 1e-8, 1e-12);
    struct router_clock wide = router_clock_of(t, 1e-6, 1e-12);
    struct router_clock full = router_clock_of(t, 1e-8, 1e-11);
    CHECK(wide.energy > small.energy && wide.area > small.area && wide.leak > small.leak);
    CHECK(full.energy > small.energy && full.area > small.area && full.leak > small.leak);
    CHECK(full.wire_area == small.wire_area);
}

/* An inverter of the leaves cannot drive this in time; the chain still ends. */
static void a_load_beyond_all_inverters_is_no_fault(void)
{
    struct router_clock c = router_clock_of(tech_at(22), 1e-8, 1);
    CHECK(isfinite(c.energy) && c.energy > 0);
    c = router_clock_of(tech_at(22), 0, 0);
    CHECK(isfinite(c.energy) && c.energy > 0);
}

CHECK_MAIN("router clock", TEST(wires_take_two_and_a_half_times_the_side),
           TEST(the_pins_are_charged_once_per_cycle), TEST(a_larger_router_or_more_pins_take_more),
           TEST(a_load_beyond_all_inverters_is_no_fault))
