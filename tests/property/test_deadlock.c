/* A network that locks up is told from one that is merely full, and the way it is locked up is
 * named.
 *
 *        +---------------------------------------------+
 *        v                                             |
 *   router 0 --> router 1 --> ... --> router N-1 ------+     one VC, always clockwise
 *        ^            ^                    ^
 *      node 0       node 1              node N-1
 *
 * Every node sends half-way round.  With one VC the channels wait for each other in a ring, which
 * is the textbook example of a routing function that is not deadlock-free. */
#include "check.h"

#include "rig/lab_rig.h"
#include "rig/net_rig.h"
#include "traffic/source.h"

enum { RING, LOCAL };

struct ring {
    uint32_t n;
    uint32_t laps; /* before a packet leaves at its destination */
};

static struct route route_ring(const struct route_view *v, const void *ctx, uint32_t router,
                               uint32_t in, struct packet *p)
{
    const struct ring *ring = ctx;
    (void)v;
    (void)in;
    bool leaves = router == p->dst && p->hops >= ring->laps * ring->n;
    return (struct route){.out = leaves ? LOCAL : RING, .span = 1};
}

static struct graph *ring_graph(struct arena *a, struct ring shape)
{
    struct graph *g = graph_new(a, shape.n);
    struct ring *ctx = ARENA_NEW(a, struct ring);
    *ctx = shape;
    for (uint32_t i = 0; i < shape.n; i++)
        graph_add_router(g, 2, 2, 0, 0);
    for (uint32_t i = 0; i < shape.n; i++) {
        graph_connect(g, i, RING, (i + 1) % shape.n, RING, 1, 1);
        graph_inject(g, i, i, LOCAL, 1, 1);
        graph_eject(g, i, LOCAL, i, 1, 1);
    }
    g->ctx = ctx;
    g->route = route_ring;
    return g;
}

/* ---- the ring under steady traffic ---- */

struct loop {
    struct arena *arena;
    struct packet_pool pool;
    struct noc *noc;
    struct source *source;
    struct engine *engine;
    struct err err;
};

static uint32_t half_way(const struct pattern_ctx *x, uint32_t source, uint64_t draw)
{
    (void)draw;
    return (source + x->nsinks / 2) % x->nsinks;
}

static const struct pattern half_way_pattern = {.name = "half-way", .sink = half_way};

#define ALL_AT_ONCE 0 /* a packet in every cycle, from the first on */

static void loop_open(struct loop *l, uint32_t n, const char *settings, double rate,
                      struct engine_options eo)
{
    *l = (struct loop){.arena = arena_new()};
    const struct config *cfg = lab_rig_config(l->arena, settings, &l->err);
    CHECK_STR(l->err.text, "");
    const struct router_spec *router = config_get(cfg, &router_section);
    struct graph *g = ring_graph(l->arena, (struct ring){.n = n});
    struct arrival_model *m = ARENA_NEW(l->arena, struct arrival_model);
    uint32_t *nodes = ARENA_ARRAY(l->arena, uint32_t, n);
    graph_sources(g, nodes);
    const struct traffic_spec *traffic = config_get(cfg, &traffic_section);
    if (rate == ALL_AT_ONCE)
        rate = (double)traffic->sizes.v[0];
    CHECK(arrival_model_init(m, cfg, rate, 0, l->arena, &l->err));
    packet_pool_init(&l->pool, l->arena, (uint32_t)noc_packet_bound(cfg, g, 1, 4));
    l->noc = noc_new(l->arena, &(struct noc_options){.path = "ring",
                                                     .graph = g,
                                                     .router = router,
                                                     .pool = &l->pool,
                                                     .classes = 1,
                                                     .port_depth = 4,
                                                     .no_skip = eo.no_skip});
    l->source = source_new(
        l->arena, &(struct source_options){.net = l->noc,
                                           .pool = &l->pool,
                                           .pattern = &half_way_pattern,
                                           .fit = {.spec = traffic, .nsources = n, .nsinks = n},
                                           .sources = nodes,
                                           .sinks = nodes,
                                           .arrivals = m,
                                           .seed = 5});
    l->engine = engine_new(l->arena, eo);
    engine_add(l->engine, noc_component(l->noc), 1);
    engine_add(l->engine, source_component(l->source), 1);
}

static void loop_close(struct loop *l)
{
    arena_free(l->arena);
}

/* The routers that the message names, in its order, without repetitions in a row. */
static uint32_t routers_named(const char *text, uint32_t *router, uint32_t cap)
{
    uint32_t n = 0;
    for (const char *at = strstr(text, "router "); at; at = strstr(at + 1, "router ")) {
        uint32_t r = (uint32_t)strtoul(at + strlen("router "), NULL, 10);
        if (n == 0 || router[n - 1] != r) {
            CHECK(n < cap);
            router[n++] = r;
        }
    }
    return n;
}

/* "a -> b -> ... -> a" goes once around all n routers, clockwise. */
static void check_names_the_ring(const char *text, uint32_t n)
{
    uint32_t router[64], k = routers_named(text, router, 64);
    CHECK(strstr(text, "deadlock at tick ") == text);
    CHECK(k > 0);
    if (k == n) /* it began inside a router, and ended at another channel of the same */
        router[k++] = router[0];
    CHECK_EQ(k, n + 1);
    CHECK_EQ(router[n], router[0]);
    for (uint32_t i = 0; i < n; i++)
        CHECK_EQ(router[i + 1], (router[i] + 1) % n);
    const char *first = strstr(text, ": ") + 2, *last = text;
    for (const char *at = text; (at = strstr(at, " -> ")) != NULL; at += 4)
        last = at + 4;
    CHECK(strncmp(first, last, strlen(last)) == 0);
}

static void check_locks_up(uint32_t n, const char *settings, struct engine_options eo)
{
    struct loop l;
    loop_open(&l, n, settings, ALL_AT_ONCE, eo);
    enum engine_stop stop = engine_run(l.engine, 200000, &l.err);
    CHECK_EQ(stop, ENGINE_STUCK);
    CHECK_EQ(l.err.status, STATUS_DEADLOCK);
    check_names_the_ring(l.err.text, n);
    CHECK(engine_audit(l.engine, &l.err)); /* nothing was lost on the way */
    loop_close(&l);
}

static void a_ring_of_one_vc_locks_up_and_the_ring_is_named(void)
{
    struct engine_options sleep = {0}, look = {.watchdog = 50},
                          visit = {.no_skip = true, .watchdog = 50};
    for (uint32_t n = 4; n <= 8; n++) {
        check_locks_up(n, "router.vcs=1 router.depth=2 traffic.sizes=5", sleep);
        check_locks_up(n, "router.vcs=1 router.depth=2 traffic.sizes=5", look);
        check_locks_up(n, "router.vcs=1 router.depth=2 traffic.sizes=5", visit);
    }
    check_locks_up(6, "router.vcs=1 router.depth=1", look);
    check_locks_up(6, "router.vcs=1 router.depth=2 traffic.sizes=3", sleep);
    check_locks_up(5,
                   "router.vcs=1 router.depth=1 router.sw_allocator=separable "
                   "router.vc_allocator=separable router.sw_delay=2",
                   look);
}

static hd_cycle always(struct component *c, hd_cycle now)
{
    (void)c;
    return now + 1;
}

/* A machine in which something else goes on must be looked at from time to time. */
static void the_watchdog_finds_it_while_others_work(void)
{
    static const struct component_ops ops = {.kind = "clock", .tick = always};
    struct component clock = {.ops = &ops, .path = "clock"};
    struct loop l;
    loop_open(&l, 6, "router.vcs=1 router.depth=2 traffic.sizes=5", ALL_AT_ONCE,
              (struct engine_options){.watchdog = 1000});
    engine_add(l.engine, &clock, 1);
    CHECK_EQ(engine_run(l.engine, 999, &l.err), ENGINE_REACHED);
    CHECK_EQ(engine_run(l.engine, 5000, &l.err), ENGINE_STUCK);
    CHECK_EQ(engine_now(l.engine), 1000);
    CHECK_EQ(l.err.status, STATUS_DEADLOCK);
    check_names_the_ring(l.err.text, 6);
    print_message("%s\n", l.err.text);
    loop_close(&l);
}

/* More VCs only put it off, and the cycle goes through VCs that do exist. */
static void a_ring_of_two_vcs_locks_up_as_well(void)
{
    struct loop l;
    loop_open(&l, 6, "router.vcs=2 router.depth=2 traffic.sizes=9", ALL_AT_ONCE,
              (struct engine_options){.watchdog = 50});
    CHECK_EQ(engine_run(l.engine, 200000, &l.err), ENGINE_STUCK);
    CHECK_EQ(l.err.status, STATUS_DEADLOCK);
    uint32_t router[64];
    CHECK(routers_named(l.err.text, router, 64) >= 6);
    loop_close(&l);
}

static void a_ring_under_light_load_is_not_reported(void)
{
    struct loop l;
    loop_open(&l, 6, "router.vcs=1 router.depth=8", 0.02, (struct engine_options){.watchdog = 1});
    CHECK_EQ(engine_run(l.engine, 20000, &l.err), ENGINE_REACHED);
    source_stop(l.source, 20000);
    CHECK_EQ(engine_run(l.engine, 30000, &l.err), ENGINE_IDLE);
    CHECK_EQ(l.pool.live, 0);
    CHECK(noc_stats(l.noc)->packets_out > 1000);
    loop_close(&l);
}

static void a_ring_with_room_for_all_its_packets_is_not_reported(void)
{
    struct net_rig r;
    net_rig_begin(&r, "router.vcs=1 router.depth=40 noc.port_depth=8");
    r.engine_options = (struct engine_options){.watchdog = 1, .audit = 1};
    net_rig_wire(&r, ring_graph(r.arena, (struct ring){.n = 6}));
    for (uint32_t k = 0; k < 8; k++)
        for (uint32_t node = 0; node < 6; node++)
            net_rig_send(&r, 1, node, (node + 3) % 6, 5);
    CHECK_EQ(net_rig_run(&r, 100000), ENGINE_IDLE);
    CHECK_EQ(noc_stats(r.noc)->packets_out, 48);
    CHECK_EQ(r.pool.live, 0);
    net_rig_close(&r);
}

/* One hole in a ring that is full otherwise is enough for all packets to go round and round. */
static void a_ring_with_one_hole_moves_and_is_not_reported(void)
{
    for (uint32_t k = 0; k < 6; k++) {
        struct net_rig r;
        char settings[96];
        uint32_t depth = 1 + k / 2, slow_credits = k % 2 * 9;
        snprintf(settings, sizeof settings, "router.vcs=1 router.depth=%u router.credit_delay=%u",
                 depth, slow_credits);
        net_rig_begin(&r, settings);
        r.engine_options = (struct engine_options){.watchdog = 1, .audit = 1};
        net_rig_wire(&r, ring_graph(r.arena, (struct ring){.n = 4, .laps = 80}));
        for (uint32_t i = 0; i < 4 * depth - 1; i++)
            net_rig_send(&r, 1 + 20 * i, i % 4, (i + 2) % 4, 1);
        enum engine_stop stop = net_rig_run(&r, 1000000);
        CHECK_STR(r.err.text, "");
        CHECK_EQ(stop, ENGINE_IDLE);
        CHECK_EQ(noc_stats(r.noc)->packets_out, 4 * depth - 1);
        net_rig_close(&r);
    }
}

/* ---- networks that are only full ---- */

static void check_only_full(const char *settings, double rate)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const struct config *cfg = lab_rig_config(a, settings, &e);
    CHECK_STR(e.text, "");
    struct lab *l = lab_new(cfg, rate, (struct lab_options){0}, &e);
    CHECK_STR(e.text, "");
    bool ran = lab_run(l, 3000, &e);
    CHECK_STR(e.text, "");
    CHECK(ran);
    CHECK(lab_totals(l).packets_out > 100);
    lab_free(l);
    arena_free(a);
}

static void a_saturated_network_is_never_taken_for_a_deadlock(void)
{
    check_only_full("mesh.width=6 mesh.height=6 router.vcs=1 router.depth=1 traffic.sizes=9 "
                    "sim.watchdog=1",
                    9);
    check_only_full("mesh.width=6 mesh.height=6 router.vcs=2 router.depth=2 traffic.sizes=5 "
                    "sim.watchdog=1",
                    5);
    check_only_full("mesh.width=4 mesh.height=4 mesh.routing=o1turn router.vcs=2 router.depth=1 "
                    "traffic.pattern=transpose traffic.sizes=5 sim.watchdog=1",
                    5);
    check_only_full("mesh.width=4 mesh.height=4 router.vcs=1 traffic.pattern=hotspot "
                    "traffic.hotspots=5 traffic.sizes=9 sim.watchdog=1",
                    9);
    check_only_full("noc.topology=torus torus.width=6 torus.height=6 router.vcs=2 router.depth=1 "
                    "traffic.sizes=9 sim.watchdog=1",
                    9);
    check_only_full("noc.topology=torus torus.width=8 torus.height=3 torus.classes=balanced "
                    "router.vcs=2 router.depth=2 traffic.pattern=tornado traffic.row=8 "
                    "traffic.sizes=5 sim.watchdog=1",
                    5);
    check_only_full("noc.topology=torus torus.width=5 torus.height=4 torus.mem=3,11 router.vcs=4 "
                    "router.depth=1 traffic.pattern=request_reply reqrep.slots=1 "
                    "sim.watchdog=1",
                    6);
    check_only_full("noc.topology=cdxbar noc.networks=two cdxbar.cores=20 cdxbar.mems=4 "
                    "cdxbar.locals=4 cdxbar.ports=2 router.vcs=1 router.depth=1 "
                    "traffic.pattern=many_to_few traffic.sizes=5 sim.watchdog=1",
                    5);
    check_only_full("mesh.width=4 mesh.height=4 mesh.mem=5,6 router.vcs=2 router.depth=1 "
                    "traffic.pattern=request_reply reqrep.slots=1 sim.watchdog=1",
                    6);
    check_only_full("noc.topology=xbar noc.networks=two xbar.inputs=12 xbar.outputs=2 "
                    "router.vcs=1 router.depth=1 traffic.pattern=request_reply reqrep.slots=2 "
                    "sim.watchdog=1",
                    6);
    check_only_full("mesh.width=4 mesh.height=4 router.vcs=2 router.depth=1 router.sw_delay=3 "
                    "router.vc_delay=3 router.speculative=true traffic.sizes=5 sim.watchdog=1",
                    5);
}

CHECK_MAIN("deadlock", TEST(a_ring_of_one_vc_locks_up_and_the_ring_is_named),
           TEST(the_watchdog_finds_it_while_others_work), TEST(a_ring_of_two_vcs_locks_up_as_well),
           TEST(a_ring_under_light_load_is_not_reported),
           TEST(a_ring_with_room_for_all_its_packets_is_not_reported),
           TEST(a_ring_with_one_hole_moves_and_is_not_reported),
           TEST(a_saturated_network_is_never_taken_for_a_deadlock))
