/* Routers and links by what they cost. */
#include "check.h"

#include "noc/kinds.h"
#include "rig/topo_rig.h"

static void a_cdxbar_has_two_kinds_of_router_in_each_direction(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "cdxbar", "cdxbar.core_mm=3.3 cdxbar.terminal_latency=2"));
    const struct graph *g = topo_rig_build(&r, DIR_REQUEST);
    const struct kinds *k = kinds_of(g, g->arena);
    CHECK_EQ(k->nrouters, 2);
    for (uint32_t i = 0; i < 2; i++) {
        bool is_local = k->router[i].in == 10;
        CHECK_STR(k->router[i].name, is_local ? "router_10x3" : "router_24x16");
        CHECK_EQ(k->router[i].n, is_local ? 8 : 1);
    }
    CHECK_EQ(k->nlinks, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const struct kind_link *l = &k->link[i];
        bool is_core = l->length_mm < 12, is_mem = !is_core && l->latency == 2;
        CHECK_STR(l->name, is_core  ? "link_3300um_2c"
                           : is_mem ? "link_12300um_2c"
                                    : "link_12300um");
        CHECK_EQ(l->n, is_core ? 80 : is_mem ? 16 : 24);
    }
    topo_rig_close(&r);
}

static void kinds_of_ports_add_up_to_the_counts(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "smesh", "mesh.width=6 mesh.height=6 mesh.mem=0-5"));
    const struct graph *g = topo_rig_build(&r, DIR_REPLY);
    const struct kinds *k = kinds_of(g, g->arena);
    uint64_t routers = 0, links = 0, of_router = 0, of_link = 0;
    for (uint32_t i = 0; i < k->nrouters; i++)
        routers += k->router[i].n;
    for (uint32_t i = 0; i < k->nlinks; i++)
        links += k->link[i].n;
    for (uint32_t i = 0; i < g->nrouters; i++)
        of_router += k->of_router[i] != GRAPH_NONE;
    for (uint32_t i = 0; i < g->nouts; i++)
        of_link += k->of_out[i] != GRAPH_NONE;
    for (uint32_t i = 0; i < g->nins; i++)
        of_link += k->of_in[i] != GRAPH_NONE;
    CHECK_EQ(routers, of_router);
    CHECK_EQ(links, of_link);
    CHECK(k->nrouters > 1);
    topo_rig_close(&r);
}

/* 16.1 is no multiple of a thousandth in binary: 16.1 x 1000 is not 16100. */
static void links_of_any_length_are_of_one_kind(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "xbar", "xbar.link_mm=16.1"));
    const struct graph *g = topo_rig_build(&r, DIR_REQUEST);
    const struct kinds *k = kinds_of(g, g->arena);
    CHECK_EQ(k->nlinks, 1);
    CHECK_STR(k->link[0].name, "link_16100um");
    CHECK_EQ(k->link[0].n, 128);
    topo_rig_close(&r);
}

CHECK_MAIN("kinds", TEST(a_cdxbar_has_two_kinds_of_router_in_each_direction),
           TEST(kinds_of_ports_add_up_to_the_counts), TEST(links_of_any_length_are_of_one_kind))
