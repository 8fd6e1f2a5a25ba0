/* A network's bill of materials: what is added up, what parts are asked for. */
#include "check.h"

#include <math.h>

#include "fabric/netcost.h"
#include "machine/machine.h"
#include "power/photonic.h"

/* The request network of cdxbar80: 8 local crossbars of 10x3 and a global one of 24x16; links of 80
 * cores, 24 between crossbars, 16 of slices. */
static struct netcost priced(struct arena *a, const char *const *set)
{
    struct err e = {0};
    struct config *c = machine_config(a);
    struct fabric graphs;
    struct netcost n;
    CHECK(config_load(c, HEDDLE_SOURCE_DIR "/machines/cdxbar80.yaml", &e));
    for (; *set; set++)
        CHECK(config_set(c, *set, &e));
    CHECK(fabric_of(c, a, &graphs, &e) &&
          netcost_of(c, graphs.graph[0], graphs.name[0], a, &n, &e));
    CHECK_EQ(n.kinds->nrouters, 2);
    return n;
}

#define PRICED(a, ...) priced(a, (const char *const[]){__VA_ARGS__, NULL})

static void a_network_is_the_sum_over_all_its_routers_and_links(void)
{
    struct arena *a = arena_new();
    struct netcost c = PRICED(a, "power.link_cycles=2", "cdxbar.core_mm=3.3");
    double leak = 0, area = 0, clock = 0, registers = 0, slowest = INFINITY;
    for (uint32_t i = 0; i < 2; i++) {
        double n = c.router[i].kind->in == 10 ? 8 : 1;
        leak += n * power_router_leak(&c.router[i].cost);
        area += n * power_router_area(&c.router[i].cost);
        clock += n * c.router[i].cost.clock_cycle;
        slowest = fmin(slowest, c.router[i].cost.max_clock);
    }
    for (uint32_t i = 0; i < c.kinds->nlinks; i++) {
        double n = c.link[i].kind->length_mm < 4 ? 80 : 24 + 16;
        leak += n * c.link[i].cost.leak;
        area += n * c.link[i].cost.area;
        registers += n * c.link[i].cost.clock_cycle;
    }
    for (int i = 0; i < NETCOST_PARTS; i++) {
        leak -= c.leak[i];
        area -= c.area[i];
    }
    CHECK(fabs(leak) < 1e-9 * c.leak[NETCOST_BUFFER]);
    CHECK(fabs(area) < 1e-9 * c.area[NETCOST_BUFFER]);
    CHECK_NEAR(c.clock_cycle, clock, 1e-12);
    CHECK_NEAR(c.link_clock, registers, 1e-12);
    CHECK_NEAR(c.max_clock, slowest, 1e-12);
    arena_free(a);
}

/* In two cycles of 1.4 GHz there is one row of registers: as wide as the channel. */
static void links_are_as_wide_as_the_channel_and_as_long_as_their_cycles(void)
{
    struct arena *a = arena_new();
    struct netcost c = PRICED(a, "power.link_cycles=2", "noc.width=32", "noc.clock=1.4GHz");
    struct power_link_spec s = {
        .node = 22, .bits = 256, .length = 12.3e-3, .delay = 2 / 1.4e9, .registers = 1};
    struct power_link l;
    struct err e = {0};
    CHECK(power_link(&s, &l, &e));
    CHECK_NEAR(c.link[0].cost.energy, l.energy, 1e-12);
    CHECK_NEAR(c.link[0].cost.clock_cycle, l.clock_cycle, 1e-12);
    CHECK_NEAR(c.link[0].cost.wire_area, l.wire_area, 1e-12);
    arena_free(a);
}

/* A load is of input ports: a 10x3 crossbar takes ten flits where it has three ways out. */
static void load_is_of_every_input_port_and_link(void)
{
    struct arena *a = arena_new();
    struct netcost c = PRICED(a, "power.vc_allocator=false");
    double idle[NETCOST_PARTS], busy[NETCOST_PARTS], joules = 0;
    netcost_power(&c, 1e9, 0, idle);
    netcost_power(&c, 1e9, 0.5, busy);
    for (uint32_t i = 0; i < 2; i++) {
        const struct netcost_router *r = &c.router[i];
        joules += (r->kind->in == 10 ? 80 : 24) * power_router_flit(&r->cost);
    }
    joules += (80 + 24 + 16) * c.link[0].cost.energy;
    for (int i = 0; i < NETCOST_PARTS; i++)
        joules -= (busy[i] - idle[i]) / (0.5 * 1e9);
    CHECK(fabs(joules) < 1e-9 * c.link[0].cost.energy);
    arena_free(a);
}

/* Side ports are inputs of the switch; what they buffer is no buffer of the network. */
static void routers_that_coalesce_have_the_switch_and_the_clock_of_wider_ones(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct netcost plain = PRICED(a, "power.load=0.1");
    struct netcost c = PRICED(a, "router.extension=coalesce");
    struct netcost one = PRICED(a, "router.extension=coalesce", "coalesce.ports=1");
    const struct power_router_spec s = {.node = 22,
                                        .in = 48,
                                        .out = 16,
                                        .bits = 256,
                                        .vcs = 4,
                                        .depth = 4,
                                        .clock = 1.4e9,
                                        .vc_allocator = true};
    struct power_router wide;
    CHECK(power_router(&s, &wide, &e));
    CHECK_STR(c.router[1].kind->name, "router_24x16");
    CHECK_NEAR(c.router[1].cost.area[ROUTER_CROSSBAR], wide.area[ROUTER_CROSSBAR], 1e-12);
    CHECK_NEAR(c.max_clock, wide.max_clock, 1e-12);
    CHECK(one.max_clock < plain.max_clock && one.max_clock > c.max_clock);
    CHECK_NEAR(c.area[NETCOST_BUFFER], plain.area[NETCOST_BUFFER], 0);
    CHECK_NEAR(c.leak[NETCOST_BUFFER], plain.leak[NETCOST_BUFFER], 0);
    CHECK(c.area[NETCOST_CROSSBAR] > 1.5 * plain.area[NETCOST_CROSSBAR]);
    CHECK(c.area[NETCOST_ALLOCATOR] > plain.area[NETCOST_ALLOCATOR]);
    arena_free(a);
}

static void the_reply_network_of_routers_that_coalesce_is_plain(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct config *c = machine_config(a);
    struct fabric f;
    struct netcost plain, n;
    CHECK(config_load(c, HEDDLE_SOURCE_DIR "/machines/cdxbar80.yaml", &e));
    CHECK(fabric_of(c, a, &f, &e) && netcost_of(c, f.graph[1], f.name[1], a, &plain, &e));
    CHECK(config_set(c, "router.extension=coalesce", &e));
    CHECK(netcost_of(c, f.graph[1], f.name[1], a, &n, &e));
    CHECK_NEAR(netcost_sum(n.area), netcost_sum(plain.area), 0);
    CHECK_NEAR(n.max_clock, plain.max_clock, 0);
    arena_free(a);
}

static struct netcost of_mwsr(struct arena *a, const char *medium)
{
    struct err e = {0};
    struct config *c = machine_config(a);
    struct fabric graphs;
    struct netcost n;
    CHECK(config_set(c, "noc.topology=mwsr", &e) && config_set(c, medium, &e));
    CHECK(fabric_of(c, a, &graphs, &e) &&
          netcost_of(c, graphs.graph[0], graphs.name[0], a, &n, &e));
    return n;
}

static void channels_of_light_cost_what_their_devices_do(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct netcost light = of_mwsr(a, "mwsr.medium=optical");
    struct netcost wire = of_mwsr(a, "mwsr.medium=wire");
    const struct config *c = machine_config(a);
    const struct power_photonic_spec s = {.node = 22,
                                          .bits = 256,
                                          .clock = 1.4e9,
                                          .length = 24.6e-3,
                                          .writers = 16,
                                          .readers = 1,
                                          .params = config_get(c, &photonic_section)};
    struct power_photonic p;
    CHECK(power_photonic(&s, &p, &e));
    CHECK_STR(light.link[0].kind->name, "optical_24600um_2c_16w");
    CHECK_NEAR(light.link[0].cost.energy, p.energy, 1e-9);
    CHECK_NEAR(light.link[0].cost.leak, p.leak + p.tuning + p.laser, 1e-9);
    CHECK_NEAR(light.photonic_area, 16 * p.photonic_area, 1e-9);
    CHECK(light.wire_area < wire.wire_area);
    CHECK(wire.photonic_area == 0);
    CHECK_STR(wire.link[0].kind->name, "bus_24600um_2c_16w");
    CHECK(wire.leak[NETCOST_LINK] < light.leak[NETCOST_LINK]); /* lasers are always on */
    for (int i = 0; i < NETCOST_LINK; i++)
        CHECK_NEAR(light.area[i], wire.area[i], 1e-12);
    arena_free(a);
}

/* Of the request or reply network of 56 SMs and 8 slices. */
static struct netcost of_rival(struct arena *a, const char *topology, int direction)
{
    struct config *c = machine_config(a);
    struct err e = {0};
    struct fabric graphs;
    struct netcost n = {0};
    CHECK(config_set(c, arena_printf(a, "noc.topology=%s", topology), &e));
    CHECK(config_set(c, "noc.networks=two", &e) && config_set(c, "mesh.width=8", &e) &&
          config_set(c, "mesh.height=8", &e) && config_set(c, "mesh.mem=0-7", &e) &&
          config_set(c, "noc.width=16", &e));
    CHECK(fabric_of(c, a, &graphs, &e) &&
          netcost_of(c, graphs.graph[direction], graphs.name[direction], a, &n, &e));
    return n;
}

static void networks_by_token_pay_for_no_buffers_but_those_at_the_end(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct netcost requests = of_rival(a, "cfnoc", 0), mesh = of_rival(a, "cfnoc", 1);
    struct power_router_spec end = {
        .node = 22, .in = 8, .out = 1, .bits = 64, .vcs = 1, .depth = 68, .clock = 1.4e9};
    struct power_router r;
    CHECK(power_router(&end, &r, &e));
    CHECK(requests.area[NETCOST_BUFFER] == 0 && requests.leak[NETCOST_BUFFER] == 0);
    CHECK(mesh.area[NETCOST_BUFFER] > 0);
    double other = r.area[ROUTER_BUFFER] + r.area[ROUTER_SWITCH_ALLOCATOR];
    CHECK_NEAR(requests.area[NETCOST_ALLOCATOR], 8 * other, 1e-9 * other);
    for (uint32_t i = 0; i < requests.kinds->nrouters; i++) {
        const struct netcost_router *k = &requests.router[i];
        CHECK(k->cost.buffer_write == 0 && k->cost.buffer_read == 0 && k->cost.vc_alloc == 0);
        CHECK((k->cost.switch_1 > 0) == (k->kind->store == STORE_AT_END));
    }
    arena_free(a);
}

static void links_have_the_width_of_their_network(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct netcost narrow = of_rival(a, "cfnoc", 0), wide = of_rival(a, "hrcnet", 1);
    const struct netcost *const both[] = {&narrow, &wide};
    for (int i = 0; i < 2; i++) {
        struct power_link_spec s = {.node = 22, .bits = i ? 1024 : 64, .delay = 1 / 1.4e9};
        const struct netcost_link *l = &both[i]->link[0];
        struct power_link p;
        s.length = l->kind->length_mm * 1e-3;
        CHECK(power_link(&s, &p, &e));
        CHECK_NEAR(l->cost.energy, p.energy, 1e-9 * p.energy);
    }
    arena_free(a);
}

CHECK_MAIN("netcost", TEST(networks_by_token_pay_for_no_buffers_but_those_at_the_end),
           TEST(links_have_the_width_of_their_network),
           TEST(a_network_is_the_sum_over_all_its_routers_and_links),
           TEST(links_are_as_wide_as_the_channel_and_as_long_as_their_cycles),
           TEST(load_is_of_every_input_port_and_link),
           TEST(routers_that_coalesce_have_the_switch_and_the_clock_of_wider_ones),
           TEST(the_reply_network_of_routers_that_coalesce_is_plain),
           TEST(channels_of_light_cost_what_their_devices_do))
