/* Networks on the structural bill: lines against the bill of materials of netcost.h. */
#include "check.h"

#include "fabric/netcost.h"
#include "machine/energy_build.h"
#include "machine/machine.h"
#include "noc/net.h"

struct world {
    struct arena *a;
    const struct config *cfg;
    struct fabric graphs;
    const struct energy_model *m;
};

static struct world world_of(const char *machine, const char *const *set)
{
    struct world w = {.a = arena_new()};
    struct err e = {0};
    struct config *c = machine_config(w.a);
    CHECK(config_load(c, arena_printf(w.a, "%s/machines/%s.yaml", HEDDLE_SOURCE_DIR, machine), &e));
    for (; *set; set++)
        CHECK(config_set(c, *set, &e));
    CHECK(fabric_of(c, w.a, &w.graphs, &e));
    const struct energy_models *all = energy_models_new(c, &w.graphs, w.a, &e);
    CHECK(all != NULL);
    w.cfg = c;
    w.m = &all->model[ENERGY_MODEL_structural];
    return w;
}

#define WORLD(machine, ...) world_of(machine, (const char *const[]){__VA_ARGS__, NULL})

/* J of a flit, or W, of the lines whose names begin so. */
static double each(const struct world *w, const char *prefix)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < w->m->nitems; i++)
        if (strncmp(w->m->item[i].name, prefix, strlen(prefix)) == 0) {
            sum += w->m->item[i].each;
            n++;
        }
    CHECK(n > 0);
    return sum;
}

static struct netcost priced(const struct world *w, int network)
{
    struct err e = {0};
    struct netcost c;
    CHECK(netcost_of(w->cfg, w->graphs.graph[network], w->graphs.name[network], w->a, &c, &e));
    return c;
}

static void a_flit_pays_for_all_that_a_router_does_with_it(void)
{
    struct world w = WORLD("cdxbar80", "router.vcs=4");
    for (int net = 0; net < 2; net++) {
        struct netcost c = priced(&w, net);
        CHECK_EQ(c.kinds->nrouters, 2);
        for (uint32_t i = 0; i < c.kinds->nrouters; i++) {
            const struct power_router *r = &c.router[i].cost;
            const char *kind =
                arena_printf(w.a, "%s.%s.", w.graphs.name[net], c.router[i].kind->name);
            CHECK(r->vc_alloc > 0);
            CHECK_NEAR(each(&w, arena_printf(w.a, "%sbuffer", kind)),
                       r->buffer_write + r->buffer_read, 1e-12);
            CHECK_NEAR(each(&w, arena_printf(w.a, "%sswitch_allocator", kind)),
                       r->switch_1 + r->switch_2, 1e-12);
            CHECK_NEAR(each(&w, kind), power_router_flit(r) + r->vc_alloc, 1e-12);
        }
        for (uint32_t i = 0; i < c.kinds->nlinks; i++) {
            const char *kind = arena_printf(w.a, "%s.%s", w.graphs.name[net], c.link[i].kind->name);
            CHECK_NEAR(each(&w, kind), c.link[i].cost.energy, 1e-12);
        }
    }
    arena_free(w.a);
}

static void time_pays_for_the_clock_and_for_all_that_leaks(void)
{
    struct world w = WORLD("cdxbar80", "noc.clock=700MHz", "power.link_cycles=3");
    for (int net = 0; net < 2; net++) {
        struct netcost c = priced(&w, net);
        double idle[NETCOST_PARTS], leak = 0, watts = 0;
        const char *path = arena_printf(w.a, "%s.", w.graphs.name[net]);
        netcost_power(&c, 700e6, 0, idle);
        for (int i = 0; i < NETCOST_PARTS; i++) {
            leak += c.leak[i];
            watts += idle[i];
        }
        double clock = each(&w, arena_printf(w.a, "%sclock", path));
        double registers = each(&w, arena_printf(w.a, "%slink_registers", path));
        CHECK_NEAR(clock, c.clock_cycle * 700e6, 1e-12);
        CHECK(c.link_clock > 0);
        CHECK_NEAR(registers, c.link_clock * 700e6, 1e-12);
        CHECK_NEAR(clock + registers + leak, watts, 1e-12);
        double of_bill = 0;
        for (int i = 0; i < w.m->nitems; i++)
            if (w.m->item[i].is_static && strncmp(w.m->item[i].name, path, strlen(path)) == 0)
                of_bill += w.m->item[i].each;
        CHECK_NEAR(of_bill, watts, 1e-12);
    }
    arena_free(w.a);
}

static void an_ideal_network_costs_nothing(void)
{
    struct world w = WORLD("icc60", "noc.topology=ideal", "ideal.cores=12", "ideal.mems=8");
    for (int i = 0; i < w.m->nitems; i++)
        CHECK(w.m->item[i].part != ENERGY_NOC);
    arena_free(w.a);
}

CHECK_MAIN("energy_network", TEST(a_flit_pays_for_all_that_a_router_does_with_it),
           TEST(time_pays_for_the_clock_and_for_all_that_leaks),
           TEST(an_ideal_network_costs_nothing))
