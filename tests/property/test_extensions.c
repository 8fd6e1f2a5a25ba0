/* Router extensions on every topology: what they add is what they say, nothing is lost or doubled,
 * and results depend on nothing but the configuration. */
#include "check.h"

#include "base/rng.h"
#include "noc/aside.h"
#include "rig/coalesce_rig.h"
#include "rig/lab_rig.h"
#include "rig/net_rig.h"

/* ---- a delay of k cycles adds k cycles per router ---- */

static bool open_net(struct net_rig *r, const char *settings, enum direction dir, bool no_skip)
{
    net_rig_begin(r, settings);
    r->engine_options.no_skip = no_skip;
    r->engine_options.audit = 5;
    if (net_rig_build(r, dir)) {
        net_rig_read_all(r, 4);
        return true;
    }
    net_rig_close(r);
    return false;
}

static void check_delay(struct net_rig *r, uint32_t src, uint32_t dst, uint16_t flits, uint32_t k)
{
    uint64_t plain = noc_zero_load(r->graph, net_rig_router(r), src, dst, flits);
    r->nlog = 0;
    uint64_t latency = net_rig_latency(r, src, dst, flits);
    CHECK_STR(r->err.text, "");
    CHECK_EQ(r->nlog, 1);
    uint32_t hops = r->log[0].hops;
    if (r->graph->hops)
        CHECK_EQ(hops, r->graph->hops(r->graph->ctx, src, dst));
    if (latency != plain + (uint64_t)k * hops)
        print_error("node %u to %u, %u flits, %u cycles more at %u routers\n", src, dst, flits, k,
                    hops);
    CHECK_EQ(latency, plain + (uint64_t)k * hops);
}

static void check_delays(struct net_rig *r, uint32_t k)
{
    const struct graph *g = r->graph;
    uint32_t *src = ARENA_ARRAY(r->arena, uint32_t, g->nnodes);
    uint32_t *dst = ARENA_ARRAY(r->arena, uint32_t, g->nnodes);
    uint32_t nsrc = graph_sources(g, src), ndst = graph_sinks(g, dst);
    for (uint32_t i = 0; i < 6; i++)
        check_delay(r, src[i * 7 % nsrc], dst[ndst - 1 - i * 11 % ndst],
                    (uint16_t)(1 + 4 * (i % 3)), k);
}

static int delays_of(const char *topology, const char *more)
{
    static const uint32_t ks[] = {0, 1, 5, 40};
    int built = 0;
    for (int dir = DIR_ANY; dir <= DIR_REPLY; dir++) {
        for (int i = 0; i < 8; i++) {
            char settings[512];
            struct net_rig r;
            snprintf(settings, sizeof settings,
                     "noc.topology=%s fly.mem=0,9 clos.mem=3,8 router.depth=16 "
                     "router.extension=delay delay.cycles=%u delay.as=%s %s",
                     topology, ks[i / 2], i % 3 ? "line" : "stage", more);
            if (!open_net(&r, settings, (enum direction)dir, i % 2))
                continue;
            if (!r.graph->tokens) { /* those have routers without pipelines */
                check_delays(&r, ks[i / 2]);
                built++;
            }
            net_rig_close(&r);
        }
    }
    return built;
}

static void a_delay_adds_its_cycles_per_router_on_every_topology(void)
{
    for (int i = 0; i < topology_count; i++) {
        const char *name = topology_all[i]->name;
        bool is_of_56 = strcmp(name, "cfnoc") == 0 || strcmp(name, "hrcnet") == 0;
        const char *mesh = is_of_56 ? "mesh.width=8 mesh.height=8 mesh.mem=0,1,2,3,4,5,6,7 "
                                      "mesh.routing=yx"
                                    : "mesh.mem=1,30 noc.width=16"; /* a ring's slots: a cycle */
        CHECK(delays_of(name, mesh) >= 8);
    }
}

static void a_delay_adds_its_cycles_to_every_pipeline(void)
{
    static const char *const pipes[] = {
        "router.routing_delay=0", "router.routing_delay=0 router.speculative=true",
        "router.vc_delay=2 router.sw_delay=3 router.st_delay=2", "router.internal_speedup=2",
        "router.arbiter=matrix router.vcs=2 mesh.routing=o1turn"};
    for (size_t i = 0; i < sizeof pipes / sizeof pipes[0]; i++)
        CHECK(delays_of("mesh", pipes[i]) >= 8);
}

/* Two packets of one flit, one behind the other in one VC. */
static uint64_t second_after(const char *as)
{
    char settings[256];
    struct net_rig r;
    snprintf(settings, sizeof settings,
             "noc.topology=xbar router.vcs=1 router.extension=delay delay.cycles=10 delay.as=%s",
             as);
    CHECK(open_net(&r, settings, DIR_ANY, false));
    net_rig_send(&r, 10, 0, 5, 1);
    net_rig_send(&r, 11, 0, 5, 1);
    CHECK_EQ(net_rig_run(&r, 1000), ENGINE_IDLE);
    CHECK_EQ(r.nlog, 2);
    uint64_t gap = r.log[1].at - r.log[0].at;
    net_rig_close(&r);
    return gap;
}

static void a_line_delays_packets_side_by_side_and_a_stage_one_by_one(void)
{
    CHECK(second_after("line") <= 3); /* route, VC and switch of the next packet */
    CHECK(second_after("stage") >= 10);
}

/* Requests are class 0; of them, those are reads that write nothing. */
static uint64_t latency_of(const char *packets, uint8_t cls, bool writes)
{
    static struct net_rig r;
    char settings[256];
    snprintf(settings, sizeof settings,
             "noc.topology=xbar router.extension=delay delay.packets=%s delay.cycles=10", packets);
    net_rig_begin(&r, settings);
    r.classes = 2;
    CHECK(net_rig_build(&r, DIR_ANY));
    net_rig_read_all(&r, 4);
    r.noc->aside->sense = (struct packet_sense){coalesce_rig_meaning, &r};
    net_rig_send_as(&r, (struct net_rig_send){
                            .at = 10, .src = 0, .dst = 5, .flits = 1, .cls = cls, .tag = writes});
    CHECK_EQ(net_rig_run(&r, 1000), ENGINE_IDLE);
    CHECK_EQ(r.nlog, 1);
    uint64_t at = r.log[0].at;
    net_rig_close(&r);
    return at;
}

static void a_delay_may_be_for_requests_or_reads_alone(void)
{
    static const char *const packets[] = {"all", "requests", "reads"};
    for (int i = 0; i < 3; i++) {
        uint64_t read = latency_of(packets[i], 0, false), write = latency_of(packets[i], 0, true);
        uint64_t reply = latency_of(packets[i], 1, false);
        CHECK_EQ(read - reply, i == 0 ? 0 : 10);
        CHECK_EQ(read - write, i == 2 ? 10 : 0);
    }
}

/* ---- every packet is delivered once, to its node, whatever it travelled in ---- */

static const char *const combines[] = {
    "router.extension=combine",
    "router.extension=combine combine.window=40 combine.most=16 combine.entries=16 "
    "combine.heads_per_flit=1",
    "router.extension=combine combine.window=9 combine.entries=2 combine.buffer=5",
    "router.extension=combine combine.window=20 combine.split=router combine.buffer=99",
};

static void check_log(const struct net_rig *r, uint32_t packets)
{
    static uint8_t seen[64][NET_RIG_PACKETS];
    memset(seen, 0, sizeof seen);
    CHECK_EQ(r->nlog, packets);
    for (uint32_t i = 0; i < packets; i++) {
        const struct net_rig_arrival *a = &r->log[i];
        CHECK_EQ(a->node, a->dst);
        CHECK_EQ(a->flits, 1 + a->serial % 4);
        CHECK_EQ(a->hops, r->graph->hops(r->graph->ctx, a->src, a->dst));
        CHECK(!seen[a->src][a->serial]++);
    }
    CHECK_EQ(r->pool.live, 0);
}

static void send_random(struct net_rig *r, uint32_t packets)
{
    uint32_t serial[64] = {0};
    for (uint32_t k = 0; k < packets; k++) {
        uint32_t src = (uint32_t)rng_at(5, k) % 16, dst = (uint32_t)rng_at(6, k) % 4 * 5;
        net_rig_send(r, 1 + k / 3, src, dst, (uint16_t)(1 + serial[src]++ % 4));
    }
}

static void packets_that_travelled_together_arrive_each_for_itself(void)
{
    for (size_t i = 0; i < sizeof combines / sizeof combines[0]; i++) {
        static struct net_rig r;
        char settings[512];
        snprintf(settings, sizeof settings,
                 "mesh.width=4 mesh.height=4 router.vcs=2 router.depth=3 noc.port_depth=512 %s",
                 combines[i]);
        CHECK(open_net(&r, settings, DIR_ANY, false));
        send_random(&r, 2000);
        CHECK_EQ(net_rig_run(&r, 100000), ENGINE_IDLE);
        CHECK_STR(r.err.text, "");
        check_log(&r, 2000);
        const struct noc_stats *s = noc_stats(r.noc);
        CHECK(noc_merged_flits(r.noc) >= 0);
        CHECK_EQ(s->flits_in, s->flits_out + (uint64_t)noc_merged_flits(r.noc));
        CHECK(noc_merged_flits(r.noc) > 0 || i == 1 ||
              i == 3); /* a flit for each head saves none */
        CHECK(i != 1 || noc_merged_flits(r.noc) == 0);
        CHECK((r.noc->aside->stats.split_flits > 0) == (i == 3));
        net_rig_close(&r);
    }
}

/* ---- the same run in other ways ---- */

static void check_ways(const char *network, const char *extension, double rate)
{
    struct arena *a = arena_new();
    struct lab_rig_job j[4];
    struct err e = {0};
    char settings[512];
    snprintf(settings, sizeof settings, "%s %s", network, extension);
    const struct config *cfg = lab_rig_config(a, settings, &e);
    CHECK_STR(e.text, "");
    for (int i = 0; i < 4; i++) {
        j[i] = (struct lab_rig_job){.cfg = cfg, .rate = rate, .cycles = 700};
        j[i].opt = (struct lab_options){
            .check = i < 2, .no_skip = i == 1, .reversed = i == 2, .slow_router = i == 3};
        lab_rig_run(&j[i]);
        if (!j[i].ok || !lab_rig_same(&j[0], &j[i]))
            print_error("%s, way %d at %g: %s\n", settings, i, rate, j[i].err.text);
        CHECK(j[i].ok && lab_rig_same(&j[0], &j[i]));
    }
    CHECK(j[0].totals.packets_out > 50);
    arena_free(a);
}

static void results_do_not_depend_on_skipping_or_order(void)
{
    static const char *const networks[] = {
        "mesh.width=4 mesh.height=4 traffic.sizes=5 router.depth=4",
        "mesh.width=4 mesh.height=4 mesh.routing=o1turn router.vcs=4",
        "mesh.width=4 mesh.height=4 mesh.mem=5,10 traffic.pattern=request_reply router.vcs=2",
        "noc.topology=cdxbar noc.networks=two traffic.pattern=request_reply router.depth=2",
        "noc.topology=xbar traffic.pattern=hotspot traffic.hotspots=3 router.internal_speedup=1.5",
        "noc.topology=clos clos.routing=adaptive router.sw_delay=2 traffic.sizes=3"};
    static const char *const extensions[] = {
        "router.extension=delay delay.cycles=17", "router.extension=hold_grant",
        "router.extension=combine",
        "router.extension=combine combine.window=60 combine.most=9 combine.entries=3 "
        "combine.split=router"};
    for (size_t n = 0; n < sizeof networks / sizeof networks[0]; n++)
        for (size_t x = 0; x < sizeof extensions / sizeof extensions[0]; x++) {
            check_ways(networks[n], extensions[x], 0.03);
            check_ways(networks[n], extensions[x], 0.3);
        }
}

/* ---- grants ---- */

/* Ends of packets of L flits that all go to one output, in order. */
static void run_to_one(struct net_rig *r, const char *extension, uint16_t flits)
{
    char settings[512];
    snprintf(settings, sizeof settings,
             "noc.topology=xbar xbar.inputs=8 xbar.outputs=8 router.vcs=4 router.depth=8 %s",
             extension);
    CHECK(open_net(r, settings, DIR_ANY, false));
    for (uint32_t src = 0; src < 4; src++)
        net_rig_send(r, 10, src, 7, flits);
    CHECK_EQ(net_rig_run(r, 1000), ENGINE_IDLE);
    CHECK_EQ(r->nlog, 4);
}

static void packets_that_keep_their_grant_do_not_mix(void)
{
    static const char *const ways[] = {"hold_grant.until=ready", "hold_grant.until=end",
                                       "hold_grant.until=end router.sw_delay=2"};
    static struct net_rig r;
    run_to_one(&r, "", 6);
    CHECK(r.log[1].at - r.log[0].at == 1 && r.log[3].at - r.log[0].at == 3); /* they do */
    net_rig_close(&r);
    for (size_t i = 0; i < 3; i++) {
        char settings[256];
        snprintf(settings, sizeof settings, "router.extension=hold_grant %s", ways[i]);
        run_to_one(&r, settings, 6);
        for (uint32_t k = 1; k < 4; k++)
            CHECK(r.log[k].at - r.log[k - 1].at >= 6);
        net_rig_close(&r);
    }
    run_to_one(&r, "router.extension=hold_grant hold_grant.min_flits=7", 6);
    CHECK_EQ(r.log[1].at - r.log[0].at, 1);
    net_rig_close(&r);
}

CHECK_MAIN("extensions", TEST(a_delay_adds_its_cycles_per_router_on_every_topology),
           TEST(a_delay_adds_its_cycles_to_every_pipeline),
           TEST(a_line_delays_packets_side_by_side_and_a_stage_one_by_one),
           TEST(a_delay_may_be_for_requests_or_reads_alone),
           TEST(packets_that_travelled_together_arrive_each_for_itself),
           TEST(results_do_not_depend_on_skipping_or_order),
           TEST(packets_that_keep_their_grant_do_not_mix))
