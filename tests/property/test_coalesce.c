/* The packet-coalescing router on every topology: nothing is lost, doubled or stuck, requests stay in
 * order, and results depend on nothing but the configuration. */
#include "check.h"

#include "base/rng.h"
#include "noc/topology.h"
#include "rig/coalesce_rig.h"
#include "rig/lab_rig.h"

static const char *const routers[] = {
    "coalesce.strategy=fixed",
    "coalesce.strategy=slack coalesce.size=header",
    "coalesce.strategy=slack coalesce.delay=30 coalesce.most=64 coalesce.buffer=400",
    "coalesce.strategy=last coalesce.entries=1 coalesce.table_full=evict coalesce.ports=1",
    "coalesce.strategy=slack coalesce.entries=2 coalesce.buffer=7 coalesce.packet_full=wait",
    "coalesce.strategy=fixed coalesce.delay=3 coalesce.most=1 coalesce.hold_grant=false",
};
enum { ROUTERS = sizeof routers / sizeof routers[0] };

/* ---- the same run in other ways ---- */

static void check_ways(const char *network, const char *router, double rate)
{
    struct arena *a = arena_new();
    struct lab_rig_job j[4];
    struct err e = {0};
    char settings[768];
    snprintf(settings, sizeof settings, "router.extension=coalesce %s %s", network, router);
    const struct config *cfg = lab_rig_config(a, settings, &e);
    CHECK_STR(e.text, "");
    for (int i = 0; i < 4; i++) {
        j[i] = (struct lab_rig_job){.cfg = cfg, .rate = rate, .cycles = 400};
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

static void on_every_topology_results_do_not_depend_on_skipping_or_order(void)
{
    for (int t = 0; t < topology_count; t++) {
        const char *name = topology_all[t]->name;
        bool is_of_56 = strcmp(name, "cfnoc") == 0 || strcmp(name, "hrcnet") == 0;
        char network[384];
        if (strcmp(name, "intra") == 0)
            continue; /* a ring refuses extensions that take packets out of their VCs */
        snprintf(network, sizeof network,
                 "noc.topology=%s noc.networks=two traffic.pattern=request_reply router.vcs=2 "
                 "router.depth=3 fly.mem=0,9 clos.mem=3,8 torus.mem=1,30 %s",
                 name,
                 is_of_56 ? "mesh.width=8 mesh.height=8 mesh.mem=0,1,2,3,4,5,6,7 mesh.routing=yx"
                          : "mesh.mem=1,30");
        check_ways(network, routers[t % ROUTERS], 0.05);
        check_ways(network, routers[(t + 1) % ROUTERS], 0.6);
    }
}

static void on_every_pipeline_as_well(void)
{
    static const char *const pipes[] = {
        "router.routing_delay=0 router.speculative=true",
        "router.vc_delay=2 router.sw_delay=3 router.st_delay=2",
        "router.vcs=2 router.internal_speedup=1.5",
        "router.vcs=4 router.arbiter=matrix mesh.routing=o1turn router.input_speedup=2",
        "router.vcs=2 router.sw_delay=2 router.alloc_holds=true"};
    for (size_t p = 0; p < sizeof pipes / sizeof pipes[0]; p++)
        for (int x = 0; x < ROUTERS; x++) {
            char network[256];
            snprintf(network, sizeof network,
                     "mesh.width=4 mesh.height=4 traffic.pattern=hotspot traffic.hotspots=5 %s",
                     pipes[p]);
            check_ways(network, routers[x], 0.2);
        }
}

/* ---- nothing is ever stuck ---- */

/* As much as the network takes, and more, with the fewest VCs that its routes need; then it must run
 * empty. */
static void check_saturated(const char *network)
{
    for (int x = 0; x < ROUTERS; x++) {
        struct arena *a = arena_new();
        struct err e = {0};
        char settings[768];
        snprintf(settings, sizeof settings, "router.extension=coalesce %s %s", network, routers[x]);
        struct lab_rig_job j = {.cfg = lab_rig_config(a, settings, &e),
                                .rate = 1,
                                .cycles = 1500,
                                .opt = {.check = true}};
        CHECK_STR(e.text, "");
        lab_rig_run(&j);
        if (!j.ok)
            print_error("%s: %s\n", settings, j.err.text);
        CHECK(j.ok);
        CHECK(j.totals.packets_out > 500);
        arena_free(a);
    }
}

static void a_saturated_mesh_with_one_vc_is_never_stuck(void)
{
    check_saturated("mesh.width=5 mesh.height=5 router.vcs=1 router.depth=2 traffic.sizes=1,5 "
                    "traffic.shares=1,1");
    check_saturated("mesh.width=6 mesh.height=6 mesh.mem=3,7,10,12 router.vcs=1 router.depth=4 "
                    "noc.networks=two traffic.pattern=request_reply");
    check_saturated("mesh.width=4 mesh.height=4 mesh.mem=5,10 router.vcs=2 router.depth=1 "
                    "traffic.pattern=request_reply");
}

static void a_saturated_torus_with_one_vc_per_class_is_never_stuck(void)
{
    check_saturated("noc.topology=torus torus.width=5 torus.height=5 router.vcs=2 router.depth=2 "
                    "traffic.sizes=5");
    check_saturated("noc.topology=torus torus.width=8 torus.height=1 router.vcs=2 router.depth=1 "
                    "traffic.pattern=tornado");
    check_saturated("noc.topology=torus torus.width=4 torus.height=4 torus.mem=5,10 router.vcs=4 "
                    "router.depth=2 traffic.pattern=request_reply");
}

static void a_saturated_cdxbar_with_one_vc_is_never_stuck(void)
{
    check_saturated("noc.topology=cdxbar noc.networks=two traffic.pattern=request_reply "
                    "router.vcs=1 router.depth=2");
}

static void a_saturated_butterfly_with_one_vc_is_never_stuck(void)
{
    check_saturated("noc.topology=fly noc.networks=two fly.mem=0,9 traffic.pattern=request_reply "
                    "router.vcs=1 router.depth=2");
}

/* ---- reads and writes of rows ---- */

enum { NODES = 16, PACKETS = 3000 };

/* Every packet once, at its node, with the hops of its way; flits add up. */
static void check_log(const struct net_rig *r, bool saves)
{
    static uint8_t seen[NODES][PACKETS];
    const struct noc_stats *s = noc_stats(r->noc);
    memset(seen, 0, sizeof seen);
    CHECK_EQ(r->nlog, PACKETS);
    for (uint32_t i = 0; i < PACKETS; i++) {
        const struct net_rig_arrival *a = &r->log[i];
        CHECK_EQ(a->node, a->dst);
        CHECK_EQ(a->hops, r->graph->hops(r->graph->ctx, a->src, a->dst));
        CHECK(!seen[a->src][a->serial]++);
    }
    CHECK_EQ(r->pool.live, 0);
    CHECK_EQ(s->flits_in, s->flits_out + (uint64_t)noc_merged_flits(r->noc));
    CHECK(saves || noc_merged_flits(r->noc) == 0);
}

static void every_request_is_delivered_once_whatever_it_travelled_in(void)
{
    static struct net_rig r;
    uint64_t flushed = 0;
    for (int x = 0; x < ROUTERS; x++) {
        char settings[512];
        snprintf(settings, sizeof settings,
                 "mesh.width=4 mesh.height=4 router.vcs=1 router.depth=3 %s", routers[x]);
        coalesce_rig_open(&r, settings, 2);
        for (uint32_t k = 0; k < PACKETS; k++) {
            uint64_t draw = rng_at(9, k);
            struct coalesce_ask ask = {.row = draw >> 8 & 3,
                                       .line = draw >> 10 & 15,
                                       .writes = (draw >> 16 & 15) == 0,
                                       .warps = draw >> 20 & 15};
            coalesce_rig_send(&r, 1 + k / 2, draw & 15, (draw >> 4 & 3) * 5, ask);
        }
        CHECK_EQ(net_rig_run(&r, 200000), ENGINE_IDLE);
        CHECK_STR(r.err.text, "");
        check_log(&r, x == 1);
        uint64_t together =
            coalesce_rig_stat(&r, "reads_same_sm") + coalesce_rig_stat(&r, "reads_other_sms");
        CHECK(x == 5 ? together == 0 : together > 20);
        CHECK(together <= coalesce_rig_stat(&r, "reads"));
        flushed += coalesce_rig_stat(&r, "went_flushed");
        net_rig_close(&r);
    }
    CHECK(flushed > 20);
}

/* With one VC and routes that do not change, reads and writes of a line by one node stay in the
 * order in which they were sent, as they do without tables. */
static void reads_before_a_write_of_their_line_stay_before_it(void)
{
    static struct net_rig r;
    uint32_t writes = 0;
    coalesce_rig_open(&r, "mesh.width=4 mesh.height=1 router.vcs=1 coalesce.delay=20", 4);
    for (uint32_t k = 0; k < 1500; k++) {
        uint64_t draw = rng_at(11, k);
        struct coalesce_ask ask = {
            .row = draw >> 8 & 1, .line = draw >> 8 & 3, .writes = (draw >> 16 & 7) == 0};
        coalesce_rig_send(&r, 1 + 3 * k, 0, 3, ask);
    }
    CHECK_EQ(net_rig_run(&r, 200000), ENGINE_IDLE);
    CHECK_EQ(r.nlog, 1500);
    for (uint32_t i = 0; i < r.nlog;
         i++) { /* a later write of its line must not have come before */
        uint64_t mine = rng_at(11, r.log[i].serial);
        for (uint32_t j = i > 100 ? i - 100 : 0; j < i; j++) {
            uint64_t other = rng_at(11, r.log[j].serial);
            bool is_write = (other >> 16 & 7) == 0;
            if (is_write && (other >> 8 & 3) == (mine >> 8 & 3))
                CHECK(r.log[j].serial < r.log[i].serial);
            writes += is_write;
        }
    }
    CHECK(writes > 1000 && coalesce_rig_stat(&r, "went_flushed") > 50);
    net_rig_close(&r);
}

CHECK_MAIN("coalesce", TEST(on_every_topology_results_do_not_depend_on_skipping_or_order),
           TEST(on_every_pipeline_as_well), TEST(a_saturated_mesh_with_one_vc_is_never_stuck),
           TEST(a_saturated_torus_with_one_vc_per_class_is_never_stuck),
           TEST(a_saturated_cdxbar_with_one_vc_is_never_stuck),
           TEST(a_saturated_butterfly_with_one_vc_is_never_stuck),
           TEST(every_request_is_delivered_once_whatever_it_travelled_in),
           TEST(reads_before_a_write_of_their_line_stay_before_it))
