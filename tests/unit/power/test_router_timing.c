#include "power/router_priv.h"

#include "check.h"

static double clock_of(struct power_router_spec s)
{
    struct err e = {0};
    struct power_router r;
    CHECK(power_router(&s, &r, &e));
    CHECK(isfinite(r.max_clock) && r.max_clock > 0);
    return r.max_clock;
}

static struct power_router_spec spec_of(uint32_t in, uint32_t out)
{
    return (struct power_router_spec){
        .node = 22, .in = in, .out = out, .bits = 256, .vcs = 4, .depth = 4};
}

/* GHz that DSENT met and failed at 22 nm with 256 bits, 4 VCs of 4 flits. */
static void clocks_are_within_a_tenth_of_what_the_reference_closed(void)
{
    static const struct {
        uint32_t in, out;
        double met, failed;
    } known[] = {{5, 5, 3.9875, 4.04375}, {10, 3, 3.26875, 3.35},    {3, 10, 3.8375, 3.91875},
                 {8, 8, 3.1875, 3.26875}, {10, 10, 2.78125, 2.8625}, {12, 12, 2.525, 2.65},
                 {14, 14, 2.15, 2.275},   {20, 16, 1.4, 2.2},        {24, 16, 1.4, 1.8}};
    for (int i = 0; i < 9; i++) {
        double clock = clock_of(spec_of(known[i].in, known[i].out)) * 1e-9;
        CHECK(clock >= 0.9 * known[i].met);
        CHECK(clock <= 1.1 * known[i].failed);
    }
}

/* The crossbar of 80 SMs and 16 slices runs at about 600 MHz, as the CD-Xbar paper says. */
static void eighty_inputs_and_sixteen_outputs_reach_550_but_not_600_MHz(void)
{
    double clock = clock_of(spec_of(80, 16));
    CHECK(clock > 0.55e9 && clock < 0.60e9);
}

static void inputs_cost_more_time_than_outputs(void)
{
    CHECK(clock_of(spec_of(10, 3)) < clock_of(spec_of(3, 10)));
    CHECK(clock_of(spec_of(80, 16)) < 0.7 * clock_of(spec_of(16, 80)));
}

static void more_ports_or_bits_are_slower(void)
{
    double last = INFINITY;
    for (uint32_t n = 2; n < 100; n += 7) {
        double clock = clock_of(spec_of(n, n));
        CHECK(clock < last);
        last = clock;
    }
    last = INFINITY;
    for (uint32_t bits = 32; bits <= 2048; bits *= 2) {
        struct power_router_spec s = spec_of(10, 10);
        s.bits = bits;
        double clock = clock_of(s);
        CHECK(clock < last);
        last = clock;
    }
}

static void deeper_buffers_are_slower_where_they_limit(void)
{
    struct power_router_spec s = spec_of(3, 3);
    double shallow = clock_of(s);
    s.depth = 256;
    CHECK(clock_of(s) < shallow);
}

static void older_nodes_are_slower(void)
{
    struct power_router_spec s = spec_of(10, 10);
    double at_22 = clock_of(s);
    s.node = 32;
    double at_32 = clock_of(s);
    s.node = 45;
    CHECK(at_22 > at_32);
    CHECK(at_32 > clock_of(s));
}

/* 64 VCs of two inputs: the allocator of VCs has three arbiters in a row. */
static void a_vc_allocator_limits_a_router_of_many_vcs(void)
{
    struct power_router_spec s = {.node = 22, .in = 2, .out = 2, .bits = 16, .vcs = 64, .depth = 1};
    double without = clock_of(s);
    s.vc_allocator = true;
    CHECK(clock_of(s) < without);
    s.vcs = 1;
    double one = clock_of(s);
    s.vc_allocator = false;
    CHECK(clock_of(s) == one);
}

static void select_drivers_grow_with_the_clock_until_the_largest(void)
{
    struct err e = {0};
    const struct tech *t = tech_find(22, &e);
    struct power_router_spec s = spec_of(24, 16);
    double last = 0;
    for (s.clock = 0; s.clock < 3e9; s.clock += 0.1e9) {
        double size = router_select_size(t, &s);
        CHECK(size >= last);
        last = size;
    }
    CHECK_NEAR(last, 16, 1e-12);
    s.clock = 0.1e9;
    CHECK_NEAR(router_select_size(t, &s), 1, 1e-12);
    s.in = 1;
    s.clock = 1e12;
    CHECK_NEAR(router_select_size(t, &s), 1, 1e-12); /* nothing to select */
}

CHECK_MAIN("router timing", TEST(clocks_are_within_a_tenth_of_what_the_reference_closed),
           TEST(eighty_inputs_and_sixteen_outputs_reach_550_but_not_600_MHz),
           TEST(inputs_cost_more_time_than_outputs), TEST(more_ports_or_bits_are_slower),
           TEST(deeper_buffers_are_slower_where_they_limit), TEST(older_nodes_are_slower),
           TEST(a_vc_allocator_limits_a_router_of_many_vcs),
           TEST(select_drivers_grow_with_the_clock_until_the_largest))
