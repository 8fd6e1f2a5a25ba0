#include "check.h"

#include "noc/graph.h"
#include "rig/capture.h"
#include "rig/net_rig.h"

static void ports_are_numbered_router_by_router(void)
{
    struct arena *a = arena_new();
    struct graph *g = graph_new(a, 4);
    CHECK_EQ(graph_add_router(g, 2, 3, 0, 0), 0);
    CHECK_EQ(graph_add_router(g, 4, 1, 0, 0), 1);
    CHECK_EQ(g->nins, 6);
    CHECK_EQ(g->nouts, 4);
    CHECK_EQ(g->router[1].first_in, 2);
    CHECK_EQ(g->router[1].first_out, 3);
    CHECK_EQ(g->out[3].router, 1);
    CHECK_EQ(g->in[1].router, 0);
    CHECK_EQ(g->subclasses, 1);
    arena_free(a);
}

static void a_channel_is_known_at_both_ends(void)
{
    struct arena *a = arena_new();
    struct graph *g = graph_new(a, 1);
    graph_add_router(g, 2, 2, 0, 0);
    graph_add_router(g, 2, 2, 0, 0);
    graph_connect(g, 0, 1, 1, 0, 7, 2.5f);
    CHECK_EQ(g->out[1].dst_router, 1);
    CHECK_EQ(g->out[1].dst_in, 0);
    CHECK_EQ(g->out[1].latency, 7);
    CHECK_EQ(g->in[2].src_out, 1);
    CHECK_EQ(g->in[2].latency, 7);
    CHECK_NEAR(g->in[2].length_mm, 2.5, 1e-6);
    CHECK_EQ(g->out[0].dst_router, GRAPH_NONE);
    CHECK_EQ(g->out[0].dst_node, GRAPH_NONE);
    arena_free(a);
}

static void nodes_may_share_a_port_and_the_first_one_names_it(void)
{
    struct arena *a = arena_new();
    struct graph *g = graph_new(a, 5);
    graph_add_router(g, 1, 1, 0, 0);
    graph_inject(g, 1, 0, 0, 3, 1);
    graph_inject(g, 4, 0, 0, 3, 1);
    graph_eject(g, 0, 0, 2, 2, 1);
    graph_eject(g, 0, 0, 4, 2, 1);
    CHECK_EQ(g->in[0].src_node, 1);
    CHECK_EQ(g->out[0].dst_node, 2);
    CHECK_EQ(g->inject[4], g->inject[1]);
    CHECK_EQ(g->eject[4], g->eject[2]);
    CHECK_EQ(g->inject[0], GRAPH_NONE);

    uint32_t nodes[5];
    CHECK_EQ(graph_sources(g, nodes), 2);
    CHECK_EQ(nodes[0], 1);
    CHECK_EQ(nodes[1], 4);
    CHECK_EQ(graph_sinks(g, nodes), 2);
    CHECK_EQ(nodes[0], 2);
    CHECK_EQ(graph_sinks(g, NULL), 2);
    arena_free(a);
}

static void a_graph_grows_and_keeps_what_it_has(void)
{
    struct arena *a = arena_new();
    struct graph *g = graph_new(a, 1);
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK_EQ(graph_add_router(g, 3, 5, 0, 0), i);
        if (i > 0)
            graph_connect(g, i - 1, 4, i, 2, i, 0);
    }
    CHECK_EQ(g->nins, 3000);
    CHECK_EQ(g->nouts, 5000);
    for (uint32_t i = 1; i < 1000; i++) {
        CHECK_EQ(g->in[3 * i + 2].src_out, 5 * (i - 1) + 4);
        CHECK_EQ(g->out[5 * (i - 1) + 4].latency, i);
    }
    arena_free(a);
}

static struct graph *two_routers(void)
{
    struct graph *g = graph_new(arena_new(), 2);
    graph_add_router(g, 1, 1, 0, 0);
    graph_add_router(g, 1, 1, 0, 0);
    graph_connect(g, 0, 0, 1, 0, 1, 1);
    return g;
}

static void connect_an_output_twice(void)
{
    struct graph *g = two_routers();
    graph_add_router(g, 1, 1, 0, 0);
    graph_connect(g, 0, 0, 2, 0, 1, 1);
}

static void connect_an_input_twice(void)
{
    struct graph *g = two_routers();
    graph_add_router(g, 1, 1, 0, 0);
    graph_connect(g, 2, 0, 1, 0, 1, 1);
}

static void use_a_port_that_is_not_there(void)
{
    graph_connect(two_routers(), 1, 1, 0, 0, 1, 1);
}

static void inject_where_a_router_feeds(void)
{
    graph_inject(two_routers(), 0, 1, 0, 1, 1);
}

static void eject_where_a_router_is_fed(void)
{
    graph_eject(two_routers(), 0, 0, 0, 1, 1);
}

static void inject_twice(void)
{
    struct graph *g = two_routers();
    graph_inject(g, 0, 0, 0, 1, 1);
    graph_inject(g, 0, 0, 0, 1, 1);
}

static void wrong_wiring_is_caught(void)
{
    CHECK(strstr(death_of(connect_an_output_twice).text, "connected twice") != NULL);
    CHECK(strstr(death_of(connect_an_input_twice).text, "connected twice") != NULL);
    CHECK(strstr(death_of(use_a_port_that_is_not_there).text, "router 1 has no output 1") != NULL);
    CHECK(strstr(death_of(inject_where_a_router_feeds).text, "is fed by a router") != NULL);
    CHECK(strstr(death_of(eject_where_a_router_is_fed).text, "feeds a router") != NULL);
    CHECK(strstr(death_of(inject_twice).text, "injects twice") != NULL);
}

static void a_way_has_the_routers_that_its_hops_count(void)
{
    static const char *const networks[] = {"mesh.width=5 mesh.height=4", "noc.topology=xbar",
                                           "noc.topology=torus router.vcs=2", "noc.topology=clos",
                                           "noc.topology=fly fly.mem=0,9"};
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        static struct net_rig r;
        net_rig_begin(&r, networks[i]);
        CHECK(net_rig_build(&r, DIR_ANY));
        const struct graph *g = r.graph;
        uint32_t pairs = 0;
        for (uint32_t src = 0; src < g->nnodes; src++)
            for (uint32_t dst = 0; dst < g->nnodes; dst++) {
                uint32_t in = g->inject[src];
                if (in == GRAPH_NONE || g->eject[dst] == GRAPH_NONE)
                    continue;
                struct packet p = {.src = src, .dst = dst};
                uint32_t router = g->in[in].router;
                if (g->launch)
                    g->launch(&(struct route_view){0}, g->ctx, &p);
                CHECK_EQ(graph_way(g, router, in - g->router[router].first_in, p),
                         g->hops(g->ctx, src, dst));
                pairs++;
            }
        CHECK(pairs > 100);
        net_rig_close(&r);
    }
}

CHECK_MAIN("graph", TEST(a_way_has_the_routers_that_its_hops_count),
           TEST(ports_are_numbered_router_by_router), TEST(a_channel_is_known_at_both_ends),
           TEST(nodes_may_share_a_port_and_the_first_one_names_it),
           TEST(a_graph_grows_and_keeps_what_it_has), TEST(wrong_wiring_is_caught))
