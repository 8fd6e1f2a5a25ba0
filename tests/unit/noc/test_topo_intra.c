/* The intra-clustered mesh: its routes by hand, its latency in closed form, and that it never locks up. */
#include "check.h"

#include "noc/clusters.h"
#include "noc/count.h"
#include "noc/kinds.h"
#include "rig/lab_rig.h"
#include "rig/net_rig.h"
#include "rig/topo_rig.h"

#define FIG3A "mesh.placement=dispersion intra.pins=0,17,28,36"

/* The way of a packet: routers, and 1000 where it takes the ring. */
static uint32_t walk(struct topo_rig *r, const struct graph *g, uint32_t src, uint32_t dst,
                     uint32_t *way)
{
    struct packet p = {.src = src, .dst = dst};
    uint32_t n = 0, in = g->inject[src];
    g->launch(&r->view, g->ctx, &p);
    while (n < 40) {
        uint32_t router = g->in[in].router;
        way[n++] = router;
        struct route to = g->route(&r->view, g->ctx, router, in - g->router[router].first_in, &p);
        const struct graph_out *o = &g->out[g->router[router].first_out + to.out];
        if (o->dst_node != GRAPH_NONE)
            return o->dst_node == dst ? n : 0;
        if (o->station != GRAPH_NONE) {
            way[n++] = 1000;
            in = g->ring->station[p.via - 1].in;
            g->leave(g->ctx, &p);
        } else {
            in = g->router[o->dst_router].first_in + o->dst_in;
        }
    }
    return 0;
}

static void expect(uint32_t src, uint32_t dst, const uint32_t *routers, uint32_t n)
{
    static struct topo_rig r;
    uint32_t way[64];
    CHECK(topo_rig_open(&r, "intra", FIG3A));
    const struct graph *g = topo_rig_build(&r, DIR_ANY);
    CHECK_EQ(walk(&r, g, src, dst, way), n);
    for (uint32_t i = 0; i < n; i++)
        CHECK_EQ(way[i], routers[i]);
    topo_rig_close(&r);
}

/* Fig. 4 and section II.C.3. */
static void the_walk_throughs_of_the_paper(void)
{
    expect(0, 9, (const uint32_t[]){0, 1, 9}, 3);
    expect(0, 20, (const uint32_t[]){0, 1, 2, 3, 4, 12, 20}, 7);
    expect(0, 15, (const uint32_t[]){0, 1, 9, 17, 1000, 15}, 6);
    expect(28, 29, (const uint32_t[]){28, 29}, 2);
}

static void the_other_ways(void)
{
    expect(15, 0, (const uint32_t[]){15, 1000, 17, 16, 8, 0}, 6); /* MC to core, XY from its host */
    expect(17, 9, (const uint32_t[]){17, 9}, 2);                  /* within a cluster */
    expect(29, 36, (const uint32_t[]){29, 1000, 36}, 3);          /* MC to MC, two hops apart */
    expect(29, 28, (const uint32_t[]){29, 28}, 2);                /* less than the threshold */
    expect(28, 61, (const uint32_t[]){28, 36, 1000, 61}, 4);
    expect(3, 3, (const uint32_t[]){3}, 1);
}

static void every_pair_arrives_in_as_many_routers_as_its_way_has(void)
{
    static struct topo_rig r;
    static const char *const settings[] = {
        FIG3A,
        "mesh.placement=diamond intra.port=shared",
        "mesh.width=6 mesh.height=6 mesh.placement=row0_7 intra.threshold=5",
        "mesh.width=9 mesh.height=5 mesh.mem=0,44 mesh.routing=yx intra.spacing=even",
        "mesh.width=10 mesh.height=10 mesh.placement=diagonal intra.port=shared mesh.routing=yx",
        "mesh.width=16 mesh.height=16 mesh.placement=row0_7 mesh.mems=16"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        CHECK(topo_rig_open(&r, "intra", settings[i]));
        for (enum direction dir = DIR_ANY; dir <= DIR_REPLY; dir++) {
            const struct graph *g = topo_rig_build(&r, dir);
            CHECK(topo_rig_is_wired(g));
            CHECK_EQ(topo_rig_lost(&r, g, 1), 0);
        }
        topo_rig_close(&r);
    }
}

static const uint32_t mems[] = {3, 15, 17, 29, 36, 47, 49, 61};

/* Where a memory node is on the ring: by angle around the middle, as far as the nodes are apart. */
static void find_places(double *place)
{
    uint32_t order[8];
    double angle[8], way = 0;
    for (uint32_t i = 0; i < 8; i++) {
        angle[i] = atan2(mems[i] / 8 - 3.5, mems[i] % 8 - 3.5);
        angle[i] += angle[i] < 0 ? 6.283185307179586 : 0;
        uint32_t at = i;
        for (; at > 0 && angle[order[at - 1]] > angle[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (uint32_t k = 0; k < 8; k++) {
        place[order[k]] = way;
        way += clusters_distance(8, mems[order[k]], mems[order[(k + 1) % 8]]);
    }
    for (uint32_t i = 0; i < 8; i++)
        place[i] /= way;
}

static uint32_t number(uint32_t mem)
{
    for (uint32_t i = 0; i < 8; i++)
        if (mems[i] == mem)
            return i;
    return 8;
}

/* Two cycles to the first router, four and a link for each; on the ring a cycle for the slot, the light,
 * and two to the router behind it. */
static uint64_t closed_form(const uint32_t *host, const double *place, uint32_t src, uint32_t dst,
                            uint32_t flits)
{
    uint32_t far = clusters_distance(8, src, dst);
    bool mem = number(src) < 8, to_mem = number(dst) < 8;
    bool by_ring = host[src] != host[dst] && (mem || to_mem) && (far >= 2 || (mem && to_mem));
    if (!by_ring)
        return 2 + 5ull * (far + 1) + flits - 1;
    uint32_t routers =
        2 + clusters_distance(8, src, host[src]) + clusters_distance(8, host[dst], dst);
    double way = place[number(host[src])] - place[number(host[dst])];
    long past = lround((way < 0 ? way + 1 : way) * 8); /* from the reader to the writer */
    return 2 + 5ull * routers + 1 + (8 - (uint64_t)(past > 7 ? 7 : past)) + 2 + flits - 1;
}

static void a_lone_packet_takes_the_closed_form_between_every_pair(void)
{
    static struct net_rig r;
    double place[8];
    uint32_t pinned[64];
    memset(pinned, 0xff, sizeof pinned);
    pinned[0] = 17;
    pinned[28] = 36;
    net_rig_begin(&r, "noc.topology=intra noc.width=16 intra.read_places=8 router.depth=8 " FIG3A);
    CHECK(net_rig_build(&r, DIR_ANY));
    const struct topology_nodes nodes = {.total = 64, .nmems = 8, .mems = mems};
    const struct clusters_ask ask = {.width = 8, .seed = 1, .pinned = pinned};
    const uint32_t *host = clusters_of(&nodes, &ask, r.arena);
    find_places(place);
    for (uint32_t src = 0; src < 64; src++)
        for (uint32_t dst = 0; dst < 64; dst++) {
            uint64_t expected = closed_form(host, place, src, dst, 5);
            CHECK_EQ(noc_zero_load(r.graph, net_rig_router(&r), src, dst, 5), expected);
            CHECK_EQ(net_rig_latency(&r, src, dst, 5), expected);
        }
    net_rig_close(&r);
}

static void the_ring_is_counted_and_priced_as_light(void)
{
    static struct topo_rig r;
    struct count c = {0};
    CHECK(topo_rig_open(&r, "intra", FIG3A));
    const struct graph *g = topo_rig_build(&r, DIR_REQUEST);
    count_add(&c, g, 4);
    CHECK_EQ(c.optical, 8);
    CHECK_EQ(c.writers, 56);
    CHECK_EQ(c.links, 224 + 64 + 8);
    CHECK_EQ(c.routers, 64);
    const struct kinds *k = kinds_of(g, g->arena);
    CHECK(k->of_ring != GRAPH_NONE);
    CHECK_EQ(k->link[k->of_ring].n, 8);
    CHECK_EQ(k->link[k->of_ring].writers, 7);
    CHECK(strstr(k->link[k->of_ring].name, "optical_") != NULL);
    topo_rig_close(&r);
}

static void what_does_not_fit_is_refused(void)
{
    static struct topo_rig r;
    static const char *const rows[][2] = {
        {"mesh.mem=3", "mesh.mem"},
        {"mesh.mem=3,9 mesh.concentration=2", "mesh.concentration"},
        {"mesh.mem=3,9 mesh.routing=o1turn", "mesh.routing"},
        {"mesh.mem=3,9 intra.pins=1,2", "intra.pins"},
        {"mesh.mem=3,9 intra.pins=3,9", "intra.pins"},
        {"mesh.mem=3,9 intra.pins=1,9,2", "intra.pins"},
        {"mesh.mem=3,9 intra.queue_low=3", "intra.queue_low"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(strstr(topo_rig_refusal(&r, "intra", rows[i][0], DIR_ANY), rows[i][1]) != NULL);
    struct net_rig n;
    net_rig_begin(&n, "noc.topology=intra mesh.mem=3,9 router.extension=combine");
    CHECK(!net_rig_build(&n, DIR_ANY));
    CHECK(strstr(n.err.text, "router.extension") != NULL);
    net_rig_close(&n);
}

static uint32_t queue_of_four(const void *net, uint32_t station, uint32_t msgclass)
{
    (void)net, (void)msgclass;
    return station == 2 ? 4 : 0; /* of node 17 */
}

static bool crowd_at_17(const void *net, uint32_t station, uint32_t msgclass)
{
    (void)net, (void)msgclass;
    return station == 2;
}

/* The host of node 9 is 17, its neighbour to the north; node 15 is east and north of it. */
static bool takes_ring(const char *adaptive, uint32_t north, uint32_t east)
{
    static struct topo_rig r;
    char settings[256];
    snprintf(settings, sizeof settings, FIG3A " intra.adaptive=%s", adaptive);
    CHECK(topo_rig_open(&r, "intra", settings));
    const struct graph *g = topo_rig_build(&r, DIR_REQUEST);
    r.view.queue = queue_of_four;
    r.view.is_crowded = crowd_at_17;
    r.room[2] = north;
    r.room[0] = east;
    struct packet p = {.src = 9, .dst = 15};
    struct route to = topo_rig_first_route(&r, g, &p);
    bool ring = p.via != 0;
    CHECK_EQ(to.out, ring ? 2 : 0);
    topo_rig_close(&r);
    return ring;
}

static void adaptive_routes_follow_room_queue_or_both(void)
{
    CHECK(takes_ring("none", 0, 32));
    CHECK(takes_ring("local", 32, 32)); /* the ring has the benefit of the doubt */
    CHECK(!takes_ring("local", 31, 32));
    CHECK(!takes_ring("queue", 32, 0)); /* four wait, whatever is here */
    CHECK(!takes_ring("both", 32, 32)); /* crowded, and the mesh is no worse */
    CHECK(takes_ring("both", 32, 31));
}

static bool drains(const char *settings, double rate, struct err *e)
{
    struct arena *a = arena_new();
    const struct config *cfg = lab_rig_config(a, settings, e);
    struct lab *l = lab_new(cfg, rate, (struct lab_options){.check = true}, e);
    bool ok = l && lab_run(l, 3000, e) && lab_drain(l, 400000, e);
    lab_free(l);
    arena_free(a);
    return ok;
}

static void a_saturated_network_with_its_classes_never_locks_up(void)
{
    static const char *const settings[] = {
        "noc.topology=intra mesh.placement=dispersion router.vcs=2 router.depth=1 traffic.sizes=5 "
        "intra.read_places=1 intra.send_places=1 sim.watchdog=100",
        "noc.topology=intra mesh.placement=diamond router.vcs=2 router.depth=2 traffic.sizes=9 "
        "intra.read_places=2 intra.send_places=1 intra.port=shared sim.watchdog=100",
        "noc.topology=intra mesh.placement=row0_7 router.vcs=4 router.depth=2 "
        "traffic.pattern=request_reply intra.read_places=1 intra.adaptive=both sim.watchdog=100",
        "noc.topology=intra mesh.placement=dispersion router.vcs=2 router.depth=2 noc.networks=two "
        "traffic.pattern=request_reply intra.read_places=1 intra.forwarding=store_and_forward "
        "sim.watchdog=100",
        "noc.topology=intra mesh.placement=dispersion router.vcs=2 router.depth=2 "
        "traffic.pattern=request_reply intra.vc_classes=1 intra.read_places=1 sim.watchdog=100"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct err e = {0};
        bool ok = drains(settings[i], 0.9, &e);
        CHECK_STR(e.text, "");
        CHECK(ok);
    }
}

/* From core to memory node and from memory node to core in one class: mesh, ring, mesh, ring. */
static void without_them_it_does_and_the_watchdog_names_the_ring(void)
{
    struct err e = {0};
    CHECK(!drains("noc.topology=intra mesh.placement=dispersion router.vcs=1 router.depth=1 "
                  "traffic.sizes=5 intra.read_places=1 intra.send_places=1 intra.vc_classes=1 "
                  "sim.watchdog=100",
                  0.9, &e));
    CHECK_EQ(e.status, STATUS_DEADLOCK);
    CHECK(strstr(e.text, "station") != NULL);
}

CHECK_MAIN("topo_intra", TEST(the_walk_throughs_of_the_paper), TEST(the_other_ways),
           TEST(every_pair_arrives_in_as_many_routers_as_its_way_has),
           TEST(a_lone_packet_takes_the_closed_form_between_every_pair),
           TEST(the_ring_is_counted_and_priced_as_light), TEST(what_does_not_fit_is_refused),
           TEST(adaptive_routes_follow_room_queue_or_both),
           TEST(a_saturated_network_with_its_classes_never_locks_up),
           TEST(without_them_it_does_and_the_watchdog_names_the_ring))
