/* One packet in an empty network takes what the delays add up to, to the cycle.
 *
 *   source -> link -> router 1 -> link -> ... -> router H -> link -> destination
 *
 * A link takes its latency and one cycle to be noticed; the first one is part of the sum, the
 * others share that cycle with the switch traversal of the router before.  A router takes route
 * computation, VC allocation, switch allocation and switch traversal; with speculation the two
 * allocations take place at the same time.  The last flit is L - 1 cycles behind the first; where
 * switch allocation takes several cycles, as many times that. */
#include "check.h"

#include "rig/net_rig.h"

/* ---- where the routers are: worked out from the numbers of the nodes ---- */

static uint32_t absolute(int v)
{
    return (uint32_t)(v < 0 ? -v : v);
}

static uint32_t mesh_routers(uint32_t width, uint32_t conc, uint32_t src, uint32_t dst)
{
    uint32_t a = src / conc, b = dst / conc;
    return 1 + absolute((int)(a % width) - (int)(b % width)) +
           absolute((int)(a / width) - (int)(b / width));
}

static uint32_t ring_links(uint32_t k, uint32_t a, uint32_t b)
{
    uint32_t apart = absolute((int)a - (int)b);
    return apart < k - apart ? apart : k - apart;
}

static uint32_t torus_routers(uint32_t width, uint32_t height, uint32_t conc, uint32_t src,
                              uint32_t dst)
{
    uint32_t a = src / conc, b = dst / conc;
    return 1 + ring_links(width, a % width, b % width) + ring_links(height, a / width, b / width);
}

struct net {
    const char *settings;
    enum direction dir;
    uint32_t width, conc; /* of a mesh or torus */
    uint32_t routers;     /* of any other network */
    const char *links;    /* "link_latency" belongs to this section; NULL: there are none */
    const char *ends;     /* and "terminal_latency" to this one */
    uint32_t height;      /* of a torus */
};

/* clang-format off */
static const struct net nets[] = {
    {"noc.topology=mesh mesh.width=6 mesh.height=5", DIR_ANY, 6, 1, 0, "mesh", "mesh", 0},
    {"noc.topology=mesh mesh.width=6 mesh.height=5 mesh.routing=yx", DIR_ANY, 6, 1, 0, "mesh", "mesh", 0},
    {"noc.topology=mesh mesh.width=5 mesh.height=5 mesh.routing=o1turn", DIR_ANY, 5, 1, 0, "mesh", "mesh", 0},
    {"noc.topology=mesh mesh.width=3 mesh.height=3 mesh.concentration=4", DIR_ANY, 3, 4, 0, "mesh", "mesh", 0},
    {"noc.topology=mesh mesh.width=4 mesh.height=4 mesh.mem=1,6,8", DIR_REQUEST, 4, 1, 0, "mesh", "mesh", 0},
    {"noc.topology=mesh mesh.width=4 mesh.height=4 mesh.mem=1,6,8", DIR_REPLY, 4, 1, 0, "mesh", "mesh", 0},
    {"noc.topology=smesh mesh.width=5 mesh.height=4 mesh.mem=0,7,19", DIR_REQUEST, 5, 1, 0, "mesh", "mesh", 0},
    {"noc.topology=smesh mesh.width=5 mesh.height=4 mesh.mem=0,7,19", DIR_REPLY, 5, 1, 0, "mesh", "mesh", 0},
    {"noc.topology=torus torus.width=6 torus.height=5", DIR_ANY, 6, 1, 0, "torus", "torus", 5},
    {"noc.topology=torus torus.width=2 torus.height=3 torus.concentration=3 torus.classes=balanced", DIR_ANY, 2, 3, 0, "torus", "torus", 3},
    {"noc.topology=torus torus.width=5 torus.height=4 torus.mem=1,6,8", DIR_REQUEST, 5, 1, 0, "torus", "torus", 4},
    {"noc.topology=torus torus.width=5 torus.height=4 torus.mem=1,6,8", DIR_REPLY, 5, 1, 0, "torus", "torus", 4},
    {"noc.topology=xbar xbar.inputs=30 xbar.outputs=30", DIR_ANY, 0, 0, 1, NULL, "xbar", 0},
    {"noc.topology=xbar xbar.inputs=20 xbar.outputs=7", DIR_REQUEST, 0, 0, 1, NULL, "xbar", 0},
    {"noc.topology=xbar xbar.inputs=20 xbar.outputs=7", DIR_REPLY, 0, 0, 1, NULL, "xbar", 0},
    {"noc.topology=cxbar cxbar.cores=17 cxbar.ports=5 cxbar.mems=4", DIR_REQUEST, 0, 0, 1, NULL, "cxbar", 0},
    {"noc.topology=cxbar cxbar.cores=17 cxbar.ports=5 cxbar.mems=4", DIR_REPLY, 0, 0, 1, NULL, "cxbar", 0},
    {"noc.topology=fly fly.k=3 fly.n=3", DIR_ANY, 0, 0, 3, "fly", "fly", 0},
    {"noc.topology=fly fly.k=8 fly.n=2 fly.mem=0,9,63", DIR_REPLY, 0, 0, 2, "fly", "fly", 0},
    {"noc.topology=clos clos.m=5 clos.n=4 clos.r=6", DIR_ANY, 0, 0, 3, "clos", "clos", 0},
    {"noc.topology=clos clos.m=4 clos.n=4 clos.r=4 clos.routing=adaptive", DIR_ANY, 0, 0, 3, "clos", "clos", 0},
    {"noc.topology=cdxbar cdxbar.cores=22 cdxbar.mems=6 cdxbar.locals=4", DIR_REQUEST, 0, 0, 2, "cdxbar", "cdxbar", 0},
    {"noc.topology=cdxbar cdxbar.cores=22 cdxbar.mems=6 cdxbar.locals=4", DIR_REPLY, 0, 0, 2, "cdxbar", "cdxbar", 0},
    {"noc.topology=cdxbar cdxbar.cores=22 cdxbar.mems=6 cdxbar.routing=source", DIR_REQUEST, 0, 0, 2, "cdxbar", "cdxbar", 0},
    {"noc.topology=cdxbar cdxbar.cores=22 cdxbar.mems=6 cdxbar.routing=adaptive", DIR_REPLY, 0, 0, 2, "cdxbar", "cdxbar", 0},
};
/* clang-format on */

struct pipe {
    const char *settings;
    uint32_t stay; /* cycles in a router */
    uint32_t gap;  /* between two flits: a VC bids for its next flit when it has sent the last */
};

static const struct pipe pipes[] = {
    {"router.vcs=4", 4, 1},
    {"router.vcs=2 router.routing_delay=0", 3, 1},
    {"router.vcs=4 router.routing_delay=0 router.speculative=true", 2, 1},
    {"router.vcs=2 router.speculative=true router.vc_allocator=separable "
     "router.sw_allocator=separable",
     3, 1},
    {"router.vcs=3 router.routing_delay=0 router.speculative=true router.st_delay=0", 1, 1},
    {"router.vcs=2 router.routing_delay=2 router.vc_delay=2 router.sw_delay=3 router.st_delay=2", 9,
     3},
    {"router.vcs=2 router.alloc_extra=2 router.credit_delay=5", 8, 3},
    {"router.vcs=4 router.speculative=true router.vc_delay=2 router.sw_delay=2", 4, 2},
    {"router.vcs=2 router.iterations=3 router.arbiter=matrix router.input_speedup=2", 4, 1},
    {"router.vcs=2 router.routing_delay=0 router.internal_speedup=2", 2, 1},
    {"router.vcs=2 router.routing_delay=3 router.internal_speedup=2", 3, 1},
    {"router.vcs=2 router.routing_delay=0 router.internal_speedup=3", 1, 1},
};

enum { NNETS = sizeof nets / sizeof nets[0], NPIPES = sizeof pipes / sizeof pipes[0] };

/* ---- measuring ---- */

struct wires {
    uint32_t link, end;
};

static void open_net(struct net_rig *r, const struct net *n, const char *router, struct wires w)
{
    char settings[1024];
    int at = snprintf(settings, sizeof settings, "%s %s router.depth=64 %s.terminal_latency=%u",
                      n->settings, router, n->ends, w.end);
    if (n->links)
        snprintf(settings + at, sizeof settings - (size_t)at, " %s.link_latency=%u", n->links,
                 w.link);
    net_rig_begin(r, settings);
    bool built = net_rig_build(r, n->dir);
    CHECK_STR(r->err.text, "");
    CHECK(built);
}

static uint32_t routers_between(const struct net *n, uint32_t src, uint32_t dst)
{
    if (n->height)
        return torus_routers(n->width, n->height, n->conc, src, dst);
    return n->width ? mesh_routers(n->width, n->conc, src, dst) : n->routers;
}

static void check_pair(struct net_rig *r, const struct net *n, struct pipe p, struct wires w,
                       uint32_t src, uint32_t dst)
{
    static const uint16_t sizes[] = {1, 5, 9};
    uint32_t h = routers_between(n, src, dst);
    for (int i = 0; i < 3; i++) {
        uint16_t flits = sizes[i];
        uint64_t expected =
            1 + w.end + h * p.stay + (h - 1) * w.link + w.end + (flits - 1u) * p.gap;
        uint64_t formula = noc_zero_load(r->graph, net_rig_router(r), src, dst, flits);
        uint64_t latency = net_rig_latency(r, src, dst, flits);
        if (latency != expected || formula != expected)
            print_error("%s, node %u to %u, %u flits, links %u and %u\n", n->settings, src, dst,
                        flits, w.link, w.end);
        CHECK_EQ(latency, expected);
        CHECK_EQ(formula, expected);
    }
}

/* Some pairs of a source and a destination, among them the first and the last. */
static void check_pairs(struct net_rig *r, const struct net *n, struct pipe p, struct wires w)
{
    const struct graph *g = r->graph;
    uint32_t *src = ARENA_ARRAY(r->arena, uint32_t, g->nnodes);
    uint32_t *dst = ARENA_ARRAY(r->arena, uint32_t, g->nnodes);
    uint32_t nsrc = graph_sources(g, src), ndst = graph_sinks(g, dst);
    check_pair(r, n, p, w, src[0], dst[ndst - 1]);
    check_pair(r, n, p, w, src[nsrc - 1], dst[0]);
    for (uint32_t k = 0; k < 6; k++)
        check_pair(r, n, p, w, src[k * 7 % nsrc], dst[k * 11 % ndst]);
}

static void a_lone_packet_takes_the_closed_form_on_every_topology(void)
{
    static const struct wires wires[] = {{1, 1}, {3, 1}, {1, 2}, {7, 5}};
    for (int n = 0; n < NNETS; n++) {
        for (int p = 0; p < NPIPES; p++) {
            for (int w = 0; w < 4; w++) {
                struct net_rig r;
                open_net(&r, &nets[n], pipes[p].settings, wires[w]);
                check_pairs(&r, &nets[n], pipes[p], wires[w]);
                net_rig_close(&r);
            }
        }
    }
}

static void the_router_with_all_options_is_as_fast(void)
{
    for (int n = 0; n < NNETS; n++) {
        struct net_rig r;
        struct wires w = {2, 1};
        struct net_rig slow;
        open_net(&r, &nets[n], "router.vcs=2", w);
        net_rig_begin(&slow, "router.vcs=2 router.depth=64");
        slow.slow_router = true;
        net_rig_wire(&slow, r.graph);
        check_pairs(&slow, &nets[n], pipes[0], w);
        net_rig_close(&slow);
        net_rig_close(&r);
    }
}

/* Over all pairs, mean hops give the mean of what each pair takes. */
static void the_mean_follows_from_mean_hops(void)
{
    for (int i = 0; i < NNETS * NPIPES; i++) {
        const struct net *n = &nets[i / NPIPES];
        struct net_rig r;
        open_net(&r, n, pipes[i % NPIPES].settings, (struct wires){3, 2});
        double sum = 0, hops = 0, pairs = 0;
        for (uint32_t src = 0; src < r.graph->nnodes; src++) {
            for (uint32_t dst = 0; dst < r.graph->nnodes; dst++) {
                if (r.graph->inject[src] == GRAPH_NONE || r.graph->eject[dst] == GRAPH_NONE)
                    continue;
                sum += (double)noc_zero_load(r.graph, net_rig_router(&r), src, dst, 5);
                hops += routers_between(n, src, dst);
                pairs++;
            }
        }
        CHECK_NEAR(noc_zero_load_mean(r.graph, net_rig_router(&r), hops / pairs, 5), sum / pairs,
                   1e-9);
        net_rig_close(&r);
    }
}

/* Routers of one network with pipelines of their own: every one takes its own time. */
static void routers_may_differ_in_their_pipelines(void)
{
    for (int k = 0; k < 3; k++) {
        struct net_rig r;
        net_rig_begin(&r, "mesh.width=5 mesh.height=2 router.depth=32 router.vcs=2");
        r.engine_options.no_skip = k == 1;
        r.engine_options.audit = 1;
        CHECK(net_rig_build(&r, DIR_ANY));
        struct graph *g = (struct graph *)r.graph;
        uint64_t stay = 0;
        uint32_t pace = 1;
        for (uint32_t i = 0; i < 5; i++) {
            struct graph_pipeline p = {.routing_delay = k == 2 ? 1 : i % 3,
                                       .vc_delay = k == 2 ? 1 : 1 + i % 2,
                                       .sw_delay = k == 2 ? 1 : 1 + i / 2,
                                       .st_delay = i};
            if (i == 3) { /* as the section says */
                stay += 4;
                continue;
            }
            graph_set_pipeline(g, i, p);
            stay += p.routing_delay + p.vc_delay + p.sw_delay + p.st_delay;
            pace = p.sw_delay > pace ? p.sw_delay : pace;
        }
        net_rig_wire(&r, g);
        for (uint16_t flits = 1; flits < 8; flits = (uint16_t)(flits + 3)) {
            uint64_t expected = 2 + stay + 4 + 1 + (flits - 1u) * pace;
            CHECK_EQ(noc_zero_load(g, net_rig_router(&r), 0, 4, flits), expected);
            CHECK_EQ(net_rig_latency(&r, 0, 4, flits), expected);
        }
        net_rig_close(&r);
    }
}

/* The reference simulator's numbers: 2 + 5H + (L - 1), 4H with lookahead, 3H with speculation
 * on top, and 5 cycles through a crossbar that makes two steps per cycle. */
static uint64_t latency_of(const char *settings, uint32_t src, uint32_t dst, uint16_t flits)
{
    struct net_rig r;
    net_rig_begin(&r, settings);
    CHECK(net_rig_build(&r, DIR_ANY));
    uint64_t t = net_rig_latency(&r, src, dst, flits);
    net_rig_close(&r);
    return t;
}

static void the_usual_pipelines_take_five_four_and_three_cycles_a_hop(void)
{
    for (uint16_t flits = 1; flits <= 9; flits = (uint16_t)(flits + 4)) {
        for (uint32_t dst = 0; dst < 64; dst += 7) {
            uint32_t h = 1 + dst % 8 + dst / 8;
            CHECK_EQ(latency_of("", 0, dst, flits), 2 + 5 * h + flits - 1u);
            CHECK_EQ(latency_of("router.routing_delay=0", 0, dst, flits), 2 + 4 * h + flits - 1u);
            CHECK_EQ(latency_of("router.routing_delay=0 router.speculative=true", 0, dst, flits),
                     2 + 3 * h + flits - 1u);
        }
    }
    CHECK_EQ(latency_of("noc.topology=xbar xbar.inputs=80 xbar.outputs=80 router.vcs=1 "
                        "router.depth=256 router.routing_delay=0 router.internal_speedup=2",
                        3, 77, 1),
             5);
}

static void the_ideal_network_takes_its_latency_whatever_the_size(void)
{
    for (uint32_t latency = 1; latency < 100; latency += 33) {
        char settings[96];
        snprintf(settings, sizeof settings, "noc.topology=ideal ideal.latency=%u", latency);
        CHECK_EQ(latency_of(settings, 3, 40, 1), latency);
        CHECK_EQ(latency_of(settings, 3, 3, 9), latency);
    }
}

static void a_fractional_speed_up_is_between_its_neighbours(void)
{
    uint64_t one = latency_of("router.internal_speedup=1", 0, 63, 5);
    uint64_t two = latency_of("router.internal_speedup=2", 0, 63, 5);
    uint64_t between = latency_of("router.internal_speedup=1.5", 0, 63, 5);
    CHECK(two < between && between < one);
}

static void small_buffers_stretch_a_long_packet(void)
{
    /* One flit of buffer: a flit of a body may follow when the credit of the one before is back,
     * two links and the switch later. */
    CHECK_EQ(latency_of("noc.topology=xbar router.depth=8", 0, 1, 9), 2 + 5 + 8);
    CHECK(latency_of("noc.topology=xbar router.depth=1", 0, 1, 9) > 2 + 5 + 8);
}

CHECK_MAIN("zero_load", TEST(a_lone_packet_takes_the_closed_form_on_every_topology),
           TEST(the_router_with_all_options_is_as_fast), TEST(the_mean_follows_from_mean_hops),
           TEST(routers_may_differ_in_their_pipelines),
           TEST(the_usual_pipelines_take_five_four_and_three_cycles_a_hop),
           TEST(the_ideal_network_takes_its_latency_whatever_the_size),
           TEST(a_fractional_speed_up_is_between_its_neighbours),
           TEST(small_buffers_stretch_a_long_packet))
