/* What a flit takes on its way: the parts that it passes, counted by hand. */
#include "check.h"

#include "fabric/netways.h"
#include "rig/lab_rig.h"

struct ways {
    struct netcost cost;
    double joules[NETCOST_PARTS];
};

static struct ways ways_of(struct arena *a, const char *settings, int net)
{
    struct err e = {0};
    struct ways w;
    struct fabric f;
    const struct config *c = lab_rig_config(a, settings, &e);
    CHECK(c && fabric_of(c, a, &f, &e) && netcost_of(c, f.graph[net], f.name[net], a, &w.cost, &e));
    netways(&w.cost, f.graph[net], a, w.joules);
    return w;
}

static void check(const struct ways *w, double routers, double links)
{
    const struct power_router *r = &w->cost.router[0].cost;
    CHECK_EQ(w->cost.kinds->nrouters, 1);
    CHECK_EQ(w->cost.kinds->nlinks, 1);
    CHECK_NEAR(w->joules[NETCOST_BUFFER], routers * (r->buffer_write + r->buffer_read), 1e-9);
    CHECK_NEAR(w->joules[NETCOST_CROSSBAR], routers * r->crossbar, 1e-9);
    CHECK_NEAR(w->joules[NETCOST_ALLOCATOR], routers * (r->switch_1 + r->switch_2 + r->vc_alloc),
               1e-9);
    CHECK_NEAR(w->joules[NETCOST_LINK], links * w->cost.link[0].cost.energy, 1e-9);
    CHECK_NEAR(w->joules[NETCOST_CLOCK], 0, 0);
    CHECK(w->joules[NETCOST_LINK] > 0 && w->joules[NETCOST_BUFFER] > 0);
}

static void a_crossbar_is_one_router_and_two_links(void)
{
    struct arena *a = arena_new();
    for (int net = 0; net < 2; net++) {
        struct ways w =
            ways_of(a, "noc.topology=xbar noc.networks=two xbar.inputs=12 xbar.outputs=4", net);
        check(&w, 1, 2);
    }
    arena_free(a);
}

/* In each dimension of k routers, two that are drawn are (k * k - 1) / (3 * k) apart. */
static void a_mesh_is_as_long_as_the_mean_of_all_distances(void)
{
    struct arena *a = arena_new();
    struct ways w = ways_of(a, "mesh.width=4 mesh.height=4", 0);
    check(&w, 2 * 15 / 12. + 1, 2 * 15 / 12. + 2);
    arena_free(a);
}

static void an_ideal_network_takes_nothing(void)
{
    struct arena *a = arena_new();
    struct ways w = ways_of(a, "noc.topology=ideal noc.networks=two ideal.cores=4 ideal.mems=2", 0);
    CHECK_NEAR(netcost_sum(w.joules), 0, 0);
    arena_free(a);
}

CHECK_MAIN("netways", TEST(a_crossbar_is_one_router_and_two_links),
           TEST(a_mesh_is_as_long_as_the_mean_of_all_distances),
           TEST(an_ideal_network_takes_nothing))
