#include "power/router.h"

#include "check.h"
#include "power/arbiter.h"

static const struct power_router_spec mesh = {
    .node = 22, .in = 5, .out = 5, .bits = 256, .vcs = 4, .depth = 4, .vc_allocator = true};
static const double unit = 0.704e-6 * 0.12e-6; /* m2 of a gate pitch at 22 nm */

static struct power_router cost(struct power_router_spec s)
{
    struct err e = {0};
    struct power_router r;
    CHECK(power_router(&s, &r, &e));
    return r;
}

static void a_wide_crossbar_is_as_large_as_its_wires(void)
{
    struct power_router r = cost(mesh);
    double side = 256 * 5 * 110e-9;
    CHECK_NEAR(r.wire_area, 19.8e-9, 0.002);
    CHECK_NEAR(r.wire_area, side * side, 1e-9);
    CHECK_NEAR(r.area[ROUTER_CROSSBAR], 21.5e-9, 0.002);
    CHECK_NEAR(r.area[ROUTER_CROSSBAR], side * side + 15 * unit * (5 * 3 + 5 * 256), 1e-9);
}

/* 4 bits, 5 outputs: a tree of 4 multiplexers of 7 per bit, 3 select lines of 2 inverters. */
static void a_narrow_crossbar_is_as_large_as_its_cells(void)
{
    struct power_router_spec s = mesh;
    s.bits = 4;
    CHECK_NEAR(cost(s).area[ROUTER_CROSSBAR],
               unit * (5 * (7 * 4 * 4 + 3 * 4) + 15 * (5 * 3 + 5 * 4)), 1e-9);
}

/* 4 flits of 8 bits.  Rows 32 flip-flops, registers 16, address 2 x 2; 24 multiplexers; 2 lines x 8
 * bits x 2 inverters; decoder of 2 inverters and 4 NANDs with inverters; 5 clock gates likewise. */
static void a_small_buffer_is_as_counted_by_hand(void)
{
    struct power_router_spec s = mesh;
    s.bits = 8;
    s.vcs = 1;
    double port = 15 * (32 + 16 + 4) + 7 * 24 + 2 * 32 + (2 * 2 + 4 * 5) + 5 * 5;
    CHECK_NEAR(cost(s).area[ROUTER_BUFFER], 5 * port * unit, 1e-9);
}

/* uW at 22 nm, where every transistor leaks the least: 0.1206 per inverter and per tristate
 * inverter; a flip-flop has 10, a multiplexer 4. */
static void a_crossbar_leaks_what_its_cells_leak(void)
{
    double muxes = 5.0 * 256 * 4, drivers = 5 * 3 * 2, flops = 5 * 3 + 5 * 256;
    CHECK_NEAR(cost(mesh).leak[ROUTER_CROSSBAR], 0.12057e-6 * (4 * muxes + drivers + 10 * flops),
               1e-4);
}

/* DSENT: the same router but for the VC allocator. */
static void energies_of_a_mesh_router_are_those_of_the_reference(void)
{
    struct power_router r = cost(mesh);
    CHECK_NEAR(r.buffer_write, 2.50011e-12, 0.01);
    CHECK_NEAR(r.buffer_read, 2.06063e-12, 0.01);
    CHECK_NEAR(r.crossbar, 1.07292e-12, 0.01);
    CHECK_NEAR(r.switch_1, 2.0623e-14, 0.01);
    CHECK_NEAR(r.switch_2, 3.37796e-14, 0.01);
    CHECK_NEAR(r.clock_cycle, 5.59339e-13, 0.02);
}

static void a_flit_is_written_read_switched_and_arbitrated(void)
{
    struct power_router r = cost(mesh);
    CHECK_NEAR(power_router_flit(&r),
               r.buffer_write + r.buffer_read + r.crossbar + r.switch_1 + r.switch_2, 1e-12);
    double area = 0, leak = 0;
    for (int i = 0; i < ROUTER_PARTS; i++) {
        CHECK(r.area[i] > 0 && r.leak[i] > 0);
        area += r.area[i];
        leak += r.leak[i];
    }
    CHECK_NEAR(power_router_area(&r), area, 1e-12);
    CHECK_NEAR(power_router_leak(&r), leak, 1e-12);
}

/* ---- trends ---- */

static uint32_t *field(struct power_router_spec *s, int i)
{
    uint32_t *const fields[] = {&s->in, &s->out, &s->bits, &s->vcs, &s->depth};
    return fields[i];
}
enum { FIELDS = 5 };

static void area_leakage_and_energy_grow_with_ports_width_vcs_and_depth(void)
{
    static const uint32_t nodes[] = {22, 32, 45};
    for (int node = 0; node < 3; node++)
        for (int i = 0; i < FIELDS; i++) {
            struct power_router_spec s = mesh;
            s.node = nodes[node];
            *field(&s, i) = 1;
            struct power_router last = cost(s);
            for (uint32_t n = 2; n < 40; n++) {
                *field(&s, i) = n;
                struct power_router r = cost(s);
                CHECK(power_router_area(&r) > power_router_area(&last));
                CHECK(power_router_leak(&r) > power_router_leak(&last));
                CHECK(power_router_flit(&r) > power_router_flit(&last));
                CHECK(r.vc_alloc >= last.vc_alloc);
                last = r;
            }
        }
}

static void older_nodes_are_larger_and_take_more(void)
{
    struct power_router_spec s = mesh;
    s.bits = 64; /* cells, not wires: these are as wide at 32 as at 45 nm */
    struct power_router a = cost(s);
    s.node = 32;
    struct power_router b = cost(s);
    s.node = 45;
    struct power_router c = cost(s);
    for (int i = 0; i < ROUTER_PARTS; i++) {
        CHECK(a.area[i] < b.area[i] && b.area[i] < c.area[i]);
        CHECK(a.leak[i] < b.leak[i] && b.leak[i] < c.leak[i]);
    }
    CHECK(a.buffer_write < b.buffer_write && b.buffer_write < c.buffer_write);
    CHECK(a.buffer_read < b.buffer_read && b.buffer_read < c.buffer_read);
    CHECK(a.crossbar < b.crossbar && b.crossbar < c.crossbar);
    CHECK(a.switch_2 < b.switch_2 && b.switch_2 < c.switch_2);
    CHECK(a.clock_cycle < b.clock_cycle && b.clock_cycle < c.clock_cycle);
}

static void every_input_has_the_same_buffer(void)
{
    struct power_router_spec s = mesh;
    struct power_router one = cost(s);
    s.in = 15;
    struct power_router three = cost(s);
    CHECK_NEAR(three.area[ROUTER_BUFFER], 3 * one.area[ROUTER_BUFFER], 1e-12);
    CHECK_NEAR(three.leak[ROUTER_BUFFER], 3 * one.leak[ROUTER_BUFFER], 1e-12);
    CHECK_NEAR(three.buffer_write, one.buffer_write, 1e-12);
    CHECK_NEAR(three.buffer_read, one.buffer_read, 1e-12);
}

/* a + b w in the width, for all that is done to a flit; wires grow with the square. */
static void energy_is_linear_in_the_width(void)
{
    struct power_router_spec s = mesh;
    struct power_router r[3];
    for (uint32_t i = 0; i < 3; i++) {
        s.bits = 100 * (i + 1);
        r[i] = cost(s);
    }
    CHECK_NEAR(r[2].buffer_write - r[1].buffer_write, r[1].buffer_write - r[0].buffer_write, 1e-9);
    CHECK_NEAR(r[2].buffer_read - r[1].buffer_read, r[1].buffer_read - r[0].buffer_read, 1e-9);
    CHECK_NEAR(r[2].crossbar - r[1].crossbar, r[1].crossbar - r[0].crossbar, 1e-9);
    CHECK_NEAR(r[1].wire_area, 4 * r[0].wire_area, 1e-9);
    CHECK_NEAR(r[1].switch_2, r[0].switch_2, 1e-12);
}

static void inputs_and_outputs_are_not_alike(void)
{
    struct power_router_spec s = mesh;
    s.in = 10;
    s.out = 3;
    struct power_router fan_in = cost(s);
    s.in = 3;
    s.out = 10;
    struct power_router fan_out = cost(s);
    CHECK(fan_in.area[ROUTER_BUFFER] > 3 * fan_out.area[ROUTER_BUFFER]);
    CHECK(fan_in.switch_2 > 5 * fan_out.switch_2);
    CHECK(fan_in.buffer_read < fan_out.buffer_read); /* the register drives all outputs */
    CHECK_NEAR(fan_in.wire_area, fan_out.wire_area, 1e-12);
}

/* 1 to 64 inputs that no test of the reference has, without a jump: 25 % per step at most. */
static void there_is_no_jump_between_sizes(void)
{
    struct power_router_spec s = mesh;
    s.in = 8;
    struct power_router last = cost(s);
    for (s.in = 9; s.in <= 64; s.in++) {
        struct power_router r = cost(s);
        CHECK(power_router_area(&r) < 1.25 * power_router_area(&last));
        CHECK(power_router_flit(&r) < 1.25 * power_router_flit(&last));
        last = r;
    }
}

/* ---- VC allocator ---- */

static void a_vc_allocator_is_made_of_arbiters(void)
{
    struct power_router_spec s = mesh;
    s.in = 6;
    struct err e = {0};
    struct cell_set set = cell_set_of(tech_find(22, &e));
    struct arbiter vcs = arbiter_of(&set, 4), in = arbiter_of(&set, 6);
    struct power_router r = cost(s);
    double small = 6 * 4 + 5 * 4 * 6, large = 5 * 4;
    CHECK_NEAR(r.area[ROUTER_VC_ALLOCATOR], small * vcs.area + large * in.area, 1e-12);
    CHECK_NEAR(r.leak[ROUTER_VC_ALLOCATOR], small * vcs.leak + large * in.leak, 1e-12);
    CHECK_NEAR(r.vc_alloc, 2 * vcs.energy + in.energy, 1e-12);
}

static void without_vcs_to_choose_from_there_is_no_vc_allocator(void)
{
    struct power_router_spec s = mesh;
    s.vcs = 1;
    struct power_router r = cost(s);
    CHECK(r.area[ROUTER_VC_ALLOCATOR] == 0 && r.vc_alloc == 0 && r.switch_1 == 0);
    s = mesh;
    s.vc_allocator = false;
    r = cost(s);
    CHECK(r.area[ROUTER_VC_ALLOCATOR] == 0 && r.leak[ROUTER_VC_ALLOCATOR] == 0 && r.vc_alloc == 0);
}

static void a_faster_clock_takes_larger_drivers_in_the_crossbar_alone(void)
{
    struct power_router_spec s = mesh;
    s.in = 24;
    s.out = 16;
    struct power_router slow = cost(s);
    s.clock = 1.4e9;
    struct power_router fast = cost(s);
    CHECK(fast.crossbar > slow.crossbar && fast.crossbar < 1.01 * slow.crossbar);
    CHECK(fast.leak[ROUTER_CROSSBAR] > slow.leak[ROUTER_CROSSBAR]);
    CHECK(fast.buffer_write == slow.buffer_write && fast.max_clock == slow.max_clock);
}

/* ---- what is refused ---- */

static void check_refused(struct power_router_spec s, const char *word)
{
    struct err e = {0};
    struct power_router r;
    CHECK(!power_router(&s, &r, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK(strstr(e.text, word) != NULL);
    CHECK(strchr(e.text, '\n') == NULL);
}

static void counts_of_nothing_or_far_too_much_are_refused(void)
{
    static const char *const words[] = {"inputs", "outputs", "bits", "VCs", "depth"};
    static const uint32_t most[] = {4096, 4096, 65536, 131072, 131072};
    for (int i = 0; i < FIELDS; i++) {
        struct power_router_spec s = mesh;
        *field(&s, i) = 0;
        check_refused(s, words[i]);
        *field(&s, i) = most[i] + 1;
        check_refused(s, words[i]);
        *field(&s, i) = UINT32_MAX;
        check_refused(s, words[i]);
    }
    struct power_router_spec s = mesh;
    s.vcs = s.depth = 363;
    check_refused(s, "flits");
    s.vcs = s.depth = 65536; /* 2^32: must not wrap to 0 */
    check_refused(s, "flits");
}

static void an_unknown_node_or_a_senseless_clock_is_refused(void)
{
    struct power_router_spec s = mesh;
    s.node = 28;
    check_refused(s, "28");
    s = mesh;
    static const double clocks[] = {-1, NAN, INFINITY, 1e13};
    for (int i = 0; i < 4; i++) {
        s.clock = clocks[i];
        check_refused(s, "clock");
    }
}

static void the_largest_and_the_smallest_router_have_finite_costs(void)
{
    struct power_router_spec s = {.node = 45,
                                  .in = 4096,
                                  .out = 4096,
                                  .bits = 65536,
                                  .vcs = 256,
                                  .depth = 256,
                                  .clock = 1e12,
                                  .vc_allocator = true};
    struct power_router r = cost(s);
    CHECK(isfinite(power_router_area(&r)) && isfinite(power_router_leak(&r)));
    CHECK(isfinite(power_router_flit(&r)) && isfinite(r.clock_cycle) && isfinite(r.vc_alloc));
    CHECK(isfinite(r.max_clock) && r.max_clock > 0);
    s = (struct power_router_spec){.node = 22, .in = 1, .out = 1, .bits = 1, .vcs = 1, .depth = 1};
    r = cost(s);
    CHECK(power_router_area(&r) > 0 && power_router_leak(&r) > 0 && power_router_flit(&r) > 0);
    CHECK(isfinite(r.max_clock) && r.max_clock > 0);
}

CHECK_MAIN("router cost", TEST(a_wide_crossbar_is_as_large_as_its_wires),
           TEST(a_narrow_crossbar_is_as_large_as_its_cells),
           TEST(a_small_buffer_is_as_counted_by_hand), TEST(a_crossbar_leaks_what_its_cells_leak),
           TEST(energies_of_a_mesh_router_are_those_of_the_reference),
           TEST(a_flit_is_written_read_switched_and_arbitrated),
           TEST(area_leakage_and_energy_grow_with_ports_width_vcs_and_depth),
           TEST(older_nodes_are_larger_and_take_more), TEST(every_input_has_the_same_buffer),
           TEST(energy_is_linear_in_the_width), TEST(inputs_and_outputs_are_not_alike),
           TEST(there_is_no_jump_between_sizes), TEST(a_vc_allocator_is_made_of_arbiters),
           TEST(without_vcs_to_choose_from_there_is_no_vc_allocator),
           TEST(a_faster_clock_takes_larger_drivers_in_the_crossbar_alone),
           TEST(counts_of_nothing_or_far_too_much_are_refused),
           TEST(an_unknown_node_or_a_senseless_clock_is_refused),
           TEST(the_largest_and_the_smallest_router_have_finite_costs))
