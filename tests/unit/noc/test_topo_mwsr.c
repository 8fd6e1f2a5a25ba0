#include "check.h"

#include "noc/count.h"
#include "noc/kinds.h"
#include "rig/net_rig.h"
#include "rig/topo_rig.h"

static void every_packet_passes_its_writer_and_the_reader(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "mwsr", "mwsr.inputs=12 mwsr.outputs=5"));
    for (enum direction dir = DIR_REQUEST; dir <= DIR_REPLY; dir++) {
        const struct graph *g = topo_rig_build(&r, dir);
        CHECK(topo_rig_is_wired(g));
        CHECK_EQ(g->nrouters, 17);
        CHECK_EQ(g->nbuses, dir == DIR_REQUEST ? 5 : 12);
        for (uint32_t b = 0; b < g->nbuses; b++)
            CHECK_EQ(g->bus[b].nwriters, dir == DIR_REQUEST ? 12 : 5);
        CHECK_EQ(topo_rig_lost(&r, g, 1), 0);
    }
    topo_rig_close(&r);
}

static void a_shared_channel_counts_once(void)
{
    struct topo_rig r;
    struct count c = {0};
    CHECK(topo_rig_open(&r, "mwsr", "mwsr.inputs=12 mwsr.outputs=5"));
    const struct graph *g = topo_rig_build(&r, DIR_REQUEST);
    count_add(&c, g, 4);
    CHECK_EQ(c.links, 12 + 5 + 5); /* of cores, channels, of memory nodes */
    CHECK_EQ(c.optical, 5);
    CHECK_EQ(c.writers, 60);
    CHECK_EQ(c.buffers, 17 * 4);
    const struct kinds *k = kinds_of(g, g->arena);
    CHECK_EQ(k->nlinks, 2);
    CHECK_STR(k->link[0].name, "optical_24600um_2c_12w");
    CHECK_EQ(k->link[0].n, 5);
    CHECK_STR(k->link[1].name, "link_1000um");
    CHECK_EQ(k->link[1].n, 17);
    topo_rig_close(&r);
    CHECK(topo_rig_open(&r, "mwsr", "mwsr.medium=wire mwsr.channel_latency=1"));
    g = topo_rig_build(&r, DIR_REQUEST);
    CHECK_STR(kinds_of(g, g->arena)->link[0].name, "bus_24600um_16w");
    topo_rig_close(&r);
}

/* Injection; the writer's router; the right to write; the channel; the reader, which finds no
 * route and has no switch; ejection; the flits behind the head. */
static void a_lone_packet_takes_the_closed_form(void)
{
    for (uint32_t token = 0; token < 12; token += 5) {
        for (uint16_t flits = 1; flits < 10; flits = (uint16_t)(flits + 4)) {
            struct net_rig r;
            char settings[256];
            snprintf(settings, sizeof settings,
                     "noc.topology=mwsr mwsr.token=%u mwsr.channel_latency=3 "
                     "mwsr.terminal_latency=2 router.routing_delay=2 router.depth=16",
                     token);
            net_rig_begin(&r, settings);
            r.engine_options.audit = 1;
            r.engine_options.no_skip = flits == 5;
            CHECK(net_rig_build(&r, DIR_ANY));
            uint64_t expected = (1 + 2) + (2 + 1 + 1 + 1) + token + 3 + (1 + 1) + 2 + flits - 1u;
            CHECK_EQ(noc_zero_load(r.graph, net_rig_router(&r), 3, 7, flits), expected);
            CHECK_EQ(net_rig_latency(&r, 3, 7, flits), expected);
            CHECK_EQ(net_rig_latency(&r, 3, 7, flits), expected - token); /* it has the right */
            CHECK_EQ(net_rig_latency(&r, 4, 7, flits), expected);
            CHECK_EQ(net_rig_latency(&r, 3, 8, flits), expected);
            net_rig_close(&r);
        }
    }
}

static void what_does_not_fit_is_refused(void)
{
    struct topo_rig r;
    CHECK(strstr(topo_rig_refusal(&r, "mwsr", "mwsr.inputs=80 mwsr.outputs=16", DIR_ANY),
                 "mwsr.outputs") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "mwsr", "mwsr.inputs=4000 mwsr.outputs=4000", DIR_ANY),
                 "mwsr.inputs") != NULL);
    struct net_rig n;
    net_rig_begin(&n, "noc.topology=mwsr router.internal_speedup=2");
    CHECK(!net_rig_build(&n, DIR_ANY));
    CHECK(strstr(n.err.text, "router.internal_speedup") != NULL);
    net_rig_close(&n);
}

CHECK_MAIN("topo_mwsr", TEST(every_packet_passes_its_writer_and_the_reader),
           TEST(a_shared_channel_counts_once), TEST(a_lone_packet_takes_the_closed_form),
           TEST(what_does_not_fit_is_refused))
