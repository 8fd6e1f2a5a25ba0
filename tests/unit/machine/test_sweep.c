/* The networks of the CD-Xbar paper: its Tables 1 and 2, and that costs grow with what they are
 * costs of. */
#include <math.h>

#include "check.h"
#include "machine/sweep.h"

static struct sweep_network network(struct arena *a, enum sweep_kind kind, uint32_t sms,
                                    const char *set)
{
    struct err e = {0};
    struct sweep_network n;
    struct sweep_spec s = {
        .sms = sms, .slices = sms == 56 ? 8 : 16, .nsets = set != NULL, .set = &set};
    if (!sweep_network(kind, &s, a, &n, &e))
        print_error("%s\n", e.text);
    CHECK_EQ(e.status, STATUS_DONE);
    return n;
}

static void check_size(enum sweep_kind kind, const char *const want[4])
{
    static const uint32_t sms[] = {20, 80, 120, 180};
    struct arena *a = arena_new();
    for (int i = 0; i < 4; i++) {
        struct sweep_network n = network(a, kind, sms[i], NULL);
        CHECK_STR(n.size, want[i]);
        CHECK_EQ(n.graphs.nodes.ncores, sms[i]);
        CHECK_EQ(n.graphs.nodes.nmems, 16);
    }
    arena_free(a);
}

static void sizes_are_those_of_table_1(void)
{
    check_size(SWEEP_MESH, (const char *const[]){"6x6", "10x10", "12x12", "14x14"});
    check_size(SWEEP_SMESH, (const char *const[]){"6x6", "10x10", "12x12", "14x14"});
    check_size(SWEEP_FLY, (const char *const[]){"(6, 2)", "(10, 2)", "(12, 2)", "(14, 2)"});
    check_size(SWEEP_CLOS,
               (const char *const[]){"(4, 6, 6)", "(8, 10, 10)", "(8, 12, 12)", "(8, 14, 14)"});
    check_size(SWEEP_XBAR, (const char *const[]){"20x16", "80x16", "120x16", "180x16"});
}

static void parts_at_80_sms_are_those_of_table_2(void)
{
    static const struct {
        enum sweep_kind kind;
        uint64_t routers, buffers, links;
    } want[] = {{SWEEP_XBAR, 2, 384, 192},
                {SWEEP_MESH, 200, 4000, 912},
                {SWEEP_CLOS, 56, 2080, 512},
                {SWEEP_FLY, 40, 1600, 392}};
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct sweep_network n = network(a, want[i].kind, 80, NULL);
        CHECK_EQ(n.count.routers, want[i].routers);
        CHECK_EQ(n.count.buffers, want[i].buffers);
        CHECK_EQ(n.count.links, want[i].links);
    }
    CHECK_EQ(network(a, SWEEP_SMESH, 80, NULL).count.links, 732);
    arena_free(a);
}

/* Section 5.6: 8 local crossbars whatever the number of SMs; section 5.1: 4 of 14x3 for 8 slices. */
static void the_number_of_local_crossbars_follows_the_slices(void)
{
    struct arena *a = arena_new();
    CHECK_STR(network(a, SWEEP_CDXBAR, 80, NULL).size, "8x(10x3)");
    CHECK_STR(network(a, SWEEP_CDXBAR, 120, NULL).size, "8x(15x3)");
    CHECK_STR(network(a, SWEEP_CDXBAR, 56, NULL).size, "4x(14x3)");
    CHECK_STR(network(a, SWEEP_CDXBAR, 20, NULL).size, "6x(4x3)"); /* never more ports than SMs */
    arena_free(a);
}

static void any_number_of_sms_can_be_built(void)
{
    static const uint32_t sms[] = {1, 2, 3, 9, 10, 11, 47, 81, 500};
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof sms / sizeof sms[0]; i++)
        for (int k = 0; k < SWEEP_KINDS; k++) {
            struct sweep_network n = network(a, (enum sweep_kind)k, sms[i], NULL);
            CHECK_EQ(n.graphs.nodes.ncores, sms[i]);
            CHECK_EQ(n.graphs.nodes.nmems, 16);
            CHECK(sweep_sum(n.area) > 0 && isfinite(sweep_sum(n.area)));
        }
    arena_free(a);
}

static void area_power_and_wires_grow_with_sms_and_the_clock_does_not(void)
{
    static const uint32_t sms[] = {20, 40, 80, 120, 180, 400};
    struct arena *a = arena_new();
    for (int k = 0; k < SWEEP_KINDS; k++) {
        struct sweep_network last = network(a, (enum sweep_kind)k, sms[0], NULL);
        for (size_t i = 1; i < sizeof sms / sizeof sms[0]; i++) {
            struct sweep_network n = network(a, (enum sweep_kind)k, sms[i], NULL);
            CHECK(sweep_sum(n.area) > sweep_sum(last.area));
            CHECK(sweep_sum(n.power) > sweep_sum(last.power));
            CHECK(n.wire_area > last.wire_area);
            CHECK(n.max_clock <= last.max_clock);
            last = n;
        }
    }
    arena_free(a);
}

static void all_parts_that_a_network_has_take_area_and_power(void)
{
    struct arena *a = arena_new();
    struct sweep_network n = network(a, SWEEP_MESH, 80, NULL);
    CHECK_NEAR(n.wire_area, n.net[0].wire_area + n.net[1].wire_area, 1e-12);
    for (int i = 0; i < NETCOST_PARTS; i++) {
        CHECK_NEAR(n.area[i], n.net[0].area[i] + n.net[1].area[i], 1e-12);
        CHECK(n.area[i] > 0 || i == NETCOST_CLOCK);
        CHECK(n.power[i] > 0);
    }
    arena_free(a);
}

/* --- traffic ---------------------------------------------------------------------------------- */

static double power(struct arena *a, const struct sweep_network *n, double request, double reply)
{
    double part[NETCOST_PARTS];
    sweep_power(n, (const double[2]){request, reply}, a, part);
    return sweep_sum(part);
}

static void power_is_what_is_always_there_and_linear_in_the_traffic(void)
{
    struct arena *a = arena_new();
    for (int k = 0; k < SWEEP_KINDS; k++) {
        struct sweep_network n = network(a, (enum sweep_kind)k, 80, NULL);
        double idle = power(a, &n, 0, 0), one = power(a, &n, 1, 2), two = power(a, &n, 2, 4);
        double none[NETCOST_PARTS];
        netcost_power(&n.net[0], 1.4e9, 0, none);
        CHECK(idle > sweep_sum(none));
        CHECK(one > idle);
        CHECK_NEAR(two - idle, 2 * (one - idle), 1e-9);
        CHECK_NEAR(power(a, &n, 1, 0) + power(a, &n, 0, 2) - idle, one, 1e-9);
    }
    arena_free(a);
}

/* Through a crossbar a flit passes one router and two links. */
static void a_flit_through_a_crossbar_costs_its_router_and_two_links(void)
{
    struct arena *a = arena_new();
    struct sweep_network n = network(a, SWEEP_XBAR, 80, NULL);
    const struct power_router *r = &n.net[0].router[0].cost;
    double want = power_router_flit(r) + r->vc_alloc + 2 * n.net[0].link[0].cost.energy;
    CHECK_NEAR((power(a, &n, 1, 0) - power(a, &n, 0, 0)) / 1.4e9, want, 1e-6);
    arena_free(a);
}

static void assignments_come_after_what_the_paper_says(void)
{
    struct arena *a = arena_new();
    struct sweep_network n = network(a, SWEEP_CDXBAR, 80, NULL);
    struct sweep_network near = network(a, SWEEP_CDXBAR, 80, "cdxbar.core_mm=3.3");
    struct sweep_network wide = network(a, SWEEP_CDXBAR, 80, "noc.width=64");
    CHECK(near.wire_area < n.wire_area);
    CHECK_NEAR(wide.wire_area, 2 * n.wire_area, 1e-9);
    struct err e = {0};
    const char *bad = "power.node=28";
    struct sweep_spec s = {.sms = 80, .slices = 16, .nsets = 1, .set = &bad};
    CHECK(!sweep_network(SWEEP_MESH, &s, a, &n, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    arena_free(a);
}

CHECK_MAIN("sweep", TEST(sizes_are_those_of_table_1), TEST(parts_at_80_sms_are_those_of_table_2),
           TEST(the_number_of_local_crossbars_follows_the_slices),
           TEST(any_number_of_sms_can_be_built),
           TEST(area_power_and_wires_grow_with_sms_and_the_clock_does_not),
           TEST(all_parts_that_a_network_has_take_area_and_power),
           TEST(power_is_what_is_always_there_and_linear_in_the_traffic),
           TEST(a_flit_through_a_crossbar_costs_its_router_and_two_links),
           TEST(assignments_come_after_what_the_paper_says))
