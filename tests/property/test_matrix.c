/* Every topology under every traffic pattern: nothing is lost, nothing locks up, and the result
 * depends on nothing but the configuration.
 *
 * HEDDLE_CHECK_FULL=1 in the environment runs longer and draws more random routers. */
#include "check.h"

#include <signal.h>
#include <unistd.h>

#include "base/rng.h"
#include "rig/lab_rig.h"

/* ---- topology x traffic x VCs x packet size ---- */

struct shape {
    const char *settings;
    uint32_t sources, sinks;           /* of patterns that join all nodes with all */
    uint32_t orders;                   /* VC classes of the routing function */
    enum { ALIKE, ONE, TWO } networks; /* ALIKE: one, without cores and memory nodes */
};

/* clang-format off */
static const struct shape shapes[] = {
    {"noc.topology=mesh mesh.width=4 mesh.height=4 mesh.mem=5,6,9,10", 16, 16, 1, ONE},
    {"noc.topology=mesh mesh.width=4 mesh.height=4 mesh.mem=0,3,12,15 mesh.routing=yx",
     16, 16, 1, ONE},
    {"noc.topology=mesh mesh.width=4 mesh.height=4 mesh.mem=1,7,8,14 mesh.routing=o1turn",
     16, 16, 2, ONE},
    {"noc.topology=mesh mesh.width=5 mesh.height=3 mesh.mem=7,9 mesh.link_latency=2",
     15, 15, 1, ONE},
    {"noc.topology=mesh noc.networks=two mesh.width=4 mesh.height=4 mesh.mem=4-7 mesh.routing=o1turn",
     12, 4, 2, TWO},
    {"noc.topology=mesh mesh.width=2 mesh.height=2 mesh.concentration=4 mesh.mem=3,6,9,12",
     16, 16, 1, ONE},
    {"noc.topology=mesh noc.networks=two mesh.width=3 mesh.height=2 mesh.concentration=3 "
     "mesh.mem=0,17 mesh.routing=yx", 16, 2, 1, TWO},
    {"noc.topology=smesh noc.networks=two mesh.width=4 mesh.height=4 mesh.mem=0-7", 8, 8, 1, TWO},
    {"noc.topology=smesh noc.networks=two mesh.width=3 mesh.height=6 mesh.mem=0,2,4,6,8,10,12,14,16 "
     "mesh.routing=yx", 9, 9, 1, TWO},
    {"noc.topology=torus torus.width=4 torus.height=4 torus.mem=5,6,9,10", 16, 16, 2, ONE},
    {"noc.topology=torus torus.width=5 torus.height=3 torus.mem=7,9 torus.classes=balanced",
     15, 15, 2, ONE},
    {"noc.topology=torus noc.networks=two torus.width=2 torus.height=3 torus.concentration=2 "
     "torus.mem=0,5,11 torus.link_latency=1", 9, 3, 2, TWO},
    {"noc.topology=xbar xbar.inputs=16 xbar.outputs=16", 16, 16, 1, ALIKE},
    {"noc.topology=xbar xbar.inputs=9 xbar.outputs=9 xbar.terminal_latency=3", 9, 9, 1, ALIKE},
    {"noc.topology=xbar noc.networks=two xbar.inputs=20 xbar.outputs=5", 20, 5, 1, TWO},
    {"noc.topology=xbar noc.networks=two xbar.inputs=3 xbar.outputs=70", 3, 70, 1, TWO},
    {"noc.topology=cxbar noc.networks=two cxbar.cores=13 cxbar.ports=5 cxbar.mems=4", 13, 4, 1, TWO},
    {"noc.topology=cxbar noc.networks=two cxbar.cores=16 cxbar.ports=4 cxbar.mems=16 "
     "cxbar.mem_ports=3", 16, 16, 1, TWO},
    {"noc.topology=fly fly.k=4 fly.n=2 fly.mem=1,6,11,12", 16, 16, 1, ONE},
    {"noc.topology=fly noc.networks=two fly.k=2 fly.n=4 fly.mem=0-7", 8, 8, 1, TWO},
    {"noc.topology=clos clos.m=3 clos.n=4 clos.r=4 clos.mem=2,7,9", 16, 16, 1, ONE},
    {"noc.topology=clos clos.m=5 clos.n=3 clos.r=3 clos.routing=adaptive clos.mem=0,4", 9, 9, 1, ONE},
    {"noc.topology=clos noc.networks=two clos.m=2 clos.n=4 clos.r=4 clos.routing=adaptive "
     "clos.mem=0,5,10,15", 12, 4, 1, TWO},
    {"noc.topology=cdxbar noc.networks=two cdxbar.cores=13 cdxbar.mems=4 cdxbar.locals=3 "
     "cdxbar.ports=2", 13, 4, 1, TWO},
    {"noc.topology=cdxbar noc.networks=two cdxbar.cores=16 cdxbar.mems=16 cdxbar.locals=4 "
     "cdxbar.ports=3", 16, 16, 1, TWO},
    {"noc.topology=cdxbar noc.networks=two cdxbar.cores=12 cdxbar.mems=5 cdxbar.locals=3 "
     "cdxbar.ports=2 cdxbar.routing=source", 12, 5, 1, TWO},
    {"noc.topology=cdxbar noc.networks=two cdxbar.cores=12 cdxbar.mems=5 cdxbar.locals=2 "
     "cdxbar.ports=4 cdxbar.routing=adaptive", 12, 5, 1, TWO},
    {"noc.topology=mwsr mwsr.inputs=9 mwsr.outputs=9", 9, 9, 1, ALIKE},
    {"noc.topology=mwsr noc.networks=two mwsr.inputs=12 mwsr.outputs=4 mwsr.medium=wire mwsr.token=0 "
     "mwsr.grant=flit", 12, 4, 1, TWO},
    {"noc.topology=intra mesh.width=4 mesh.height=4 mesh.mem=1,7,8,14", 16, 16, 2, ONE},
    {"noc.topology=intra mesh.width=5 mesh.height=3 mesh.mem=0,8,12,14 intra.port=shared "
     "intra.forwarding=store_and_forward intra.read_places=2 intra.send_places=1 "
     "intra.wavelengths=20", 15, 15, 2, ONE},
    {"noc.topology=intra mesh.width=4 mesh.height=4 mesh.mem=0,5,10,15 intra.adaptive=local "
     "intra.read_places=1 intra.slot_flits=1 intra.wavelengths=3", 16, 16, 2, ONE},
    {"noc.topology=intra noc.networks=two mesh.width=5 mesh.height=3 mesh.mem=0,7,14 "
     "intra.arbiter=fair intra.adaptive=both mesh.routing=yx", 12, 3, 1, TWO},
    {"noc.topology=intra noc.networks=two mesh.width=4 mesh.height=4 mesh.mem=3,4,9,14 "
     "intra.adaptive=queue intra.port=shared intra.threshold=0 intra.round_trip=3", 12, 4, 1, TWO},
    {"noc.topology=cfnoc noc.networks=two mesh.width=8 mesh.height=8 mesh.mem=0-7 mesh.routing=yx",
     56, 8, 1, TWO},
    {"noc.topology=hrcnet noc.networks=two mesh.width=8 mesh.height=8 mesh.mem=0-7 hrcnet.buffer=24",
     56, 8, 1, TWO},
    {"noc.topology=ideal ideal.nodes=4 ideal.cores=12 ideal.mems=4", 4, 4, 1, ALIKE},
    {"noc.topology=ideal ideal.nodes=16 ideal.cores=12 ideal.mems=4 ideal.latency=7",
     16, 16, 1, ONE},
    {"noc.topology=ideal noc.networks=two ideal.nodes=4 ideal.cores=6 ideal.mems=6", 6, 6, 1, TWO},
};
/* clang-format on */

struct pattern_row {
    const char *name, *settings;
};

static const struct pattern_row patterns[] = {
    {"uniform", ""},
    {"transpose", ""},
    {"bit_complement", ""},
    {"bit_reverse", ""},
    {"neighbour", ""},
    {"tornado", ""},
    {"hotspot", "traffic.hotspots=0,1 traffic.weights=3,1 traffic.hotspot_share=0.3"},
    {"many_to_few", ""},
    {"few_to_many", ""},
    {"mixed", "traffic.mc_share=0.6"},
    {"request_reply", "reqrep.outstanding=6 reqrep.slots=3"},
};

enum {
    NSHAPES = sizeof shapes / sizeof shapes[0],
    NPATTERNS = sizeof patterns / sizeof patterns[0]
};

static bool has_square(uint32_t n)
{
    uint32_t k = 0;
    while (k * k < n)
        k++;
    return k * k == n;
}

static bool joins_ends(const char *pattern)
{
    return strstr(pattern, "_to_") || strcmp(pattern, "mixed") == 0 ||
           strcmp(pattern, "request_reply") == 0;
}

/* What is legal, worked out apart from the code that refuses it. */
static bool is_legal(const struct shape *s, const char *pattern, uint32_t vcs)
{
    bool even = s->sources == s->sinks;
    bool both_ways = strcmp(pattern, "request_reply") == 0 && s->networks != TWO;
    if (vcs < s->orders * (both_ways ? 2 : 1))
        return false;
    if (strcmp(pattern, "transpose") == 0)
        return even && has_square(s->sinks);
    if (strncmp(pattern, "bit_", 4) == 0)
        return even && (s->sinks & (s->sinks - 1)) == 0;
    if (strcmp(pattern, "neighbour") == 0 || strcmp(pattern, "tornado") == 0)
        return even;
    if (strcmp(pattern, "mixed") == 0 && s->networks == TWO)
        return false; /* cores are not joined to cores */
    return s->networks != ALIKE || !joins_ends(pattern);
}

static bool is_full(void)
{
    const char *v = getenv("HEDDLE_CHECK_FULL");
    return v && *v && strcmp(v, "0") != 0;
}

/* A failed assertion ends the program: say what was running. */
static char running[2048];

static void tell(int signal)
{
    (void)signal;
    if (write(STDERR_FILENO, running, strlen(running)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
        _exit(2);
}

static void announce(const char *what, double rate)
{
    snprintf(running, sizeof running, "%s at %g", what, rate);
    signal(SIGABRT, tell);
}

static void refuse(const struct config *cfg, const char *what)
{
    struct lab_rig_job j = {.cfg = cfg, .rate = 0.1, .cycles = 10};
    announce(what, j.rate);
    lab_rig_run(&j);
    if (j.built || j.err.status != STATUS_BAD_INPUT || strlen(j.err.text) < 20)
        print_error("%s: status %d, \"%s\"\n", what, (int)j.err.status, j.err.text);
    CHECK(!j.built);
    CHECK_EQ(j.err.status, STATUS_BAD_INPUT);
    CHECK(strlen(j.err.text) >= 20 && strchr(j.err.text, '\n') == NULL);
}

static void expect_agreement(const struct config *cfg, double rate, hd_cycle cycles,
                             const char *what)
{
    announce(what, rate);
    const char *wrong = lab_rig_disagreement(cfg, rate, cycles);
    if (wrong)
        print_error("%s at %g: %s\n", what, rate, wrong);
    CHECK(wrong == NULL);
}

/* One row of the matrix: all VCs and packet sizes.  Returns how many were legal. */
static int run_cell(const struct shape *s, const struct pattern_row *p)
{
    static const uint32_t all_vcs[] = {1, 2, 4}, sizes[] = {1, 5, 9};
    const hd_cycle scale = is_full() ? 4 : 1;
    int legal = 0;
    for (int i = 0; i < 9; i++) {
        uint32_t vcs = all_vcs[i / 3], size = sizes[i % 3];
        struct arena *a = arena_new();
        struct err e = {0};
        const char *what = arena_printf(
            a,
            "%s traffic.pattern=%s %s router.vcs=%u traffic.sizes=%u reqrep.long_flits=%u "
            "sim.watchdog=100",
            s->settings, p->name, p->settings, vcs, size, size);
        const struct config *cfg = lab_rig_config(a, what, &e);
        CHECK_STR(e.text, "");
        if (is_legal(s, p->name, vcs)) {
            expect_agreement(cfg, 0.15, 200 * scale, what);
            expect_agreement(cfg, 0.95, 100 * scale, what);
            legal++;
        } else {
            refuse(cfg, what);
        }
        arena_free(a);
    }
    return legal;
}

static void every_legal_combination_drains_and_agrees_and_every_other_is_refused(void)
{
    int legal = 0;
    for (int s = 0; s < NSHAPES; s++)
        for (int p = 0; p < NPATTERNS; p++)
            legal += run_cell(&shapes[s], &patterns[p]);
    print_message("%d combinations run, %d refused\n", legal, NSHAPES * NPATTERNS * 9 - legal);
    CHECK(legal > 1000);
    CHECK(legal < NSHAPES * NPATTERNS * 9);
}

static void networks_that_make_no_sense_are_refused(void)
{
    static const char *const bad[] = {
        "noc.topology=cxbar",
        "noc.topology=cdxbar",
        "noc.topology=smesh mesh.mem=0",
        "noc.topology=xbar xbar.inputs=8 xbar.outputs=4",
        "noc.topology=mesh traffic.pattern=many_to_few",
        "noc.topology=mesh noc.networks=two",
        "noc.topology=mesh mesh.mem=64",
        "noc.topology=mesh mesh.mem=3,3",
        "noc.topology=mesh mesh.mem=0-63 traffic.pattern=request_reply",
        "noc.topology=mesh mesh.mem=1 traffic.pattern=request_reply noc.classes=1",
        "noc.topology=mesh noc.classes=5",
        "noc.topology=mesh mesh.routing=o1turn noc.classes=3",
        "noc.topology=mesh traffic.pattern=hotspot",
        "noc.topology=mesh traffic.pattern=hotspot traffic.hotspots=64",
        "noc.topology=mesh traffic.pattern=hotspot traffic.hotspots=1,2 traffic.weights=1",
        "noc.topology=mesh traffic.sizes=1,5 traffic.shares=1",
        "noc.topology=mesh traffic.pattern=transpose mesh.height=4",
        "noc.topology=mesh traffic.pattern=bit_reverse mesh.height=3",
        "noc.topology=mesh traffic.pattern=unifrom",
        "noc.topology=mosh",
        "noc.topology=mesh router.speculative=true router.vc_delay=2",
        "noc.topology=mesh router.vcs=2 router.input_speedup=3",
        "noc.topology=mesh noc.networks=two mesh.mem=0 traffic.pattern=request_reply "
        "reqrep.mc_share=0.5",
        "noc.topology=mesh mesh.width=32768 mesh.height=32768",
        "noc.topology=cdxbar noc.networks=two cdxbar.locals=7 cdxbar.sizes=10,10",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct arena *a = arena_new();
        struct err e = {0};
        const struct config *cfg = lab_rig_config(a, bad[i], &e);
        if (cfg)
            refuse(cfg, bad[i]);
        CHECK(cfg != NULL || e.status == STATUS_BAD_INPUT);
        arena_free(a);
    }
}

/* ---- random routers ---- */

struct dice {
    uint64_t key, n;
};

static uint32_t roll(struct dice *d, uint32_t n)
{
    return rng_below(rng_at(d->key, d->n++), n);
}

static bool coin(struct dice *d, uint32_t percent)
{
    return roll(d, 100) < percent;
}

static const char *draw_router(struct dice *d, struct arena *a, uint32_t *vcs)
{
    static const char *const speedup[] = {"1", "1", "1.5", "2", "1.25", "3"};
    *vcs = coin(d, 30) ? 1 : 1 + roll(d, 8);
    uint32_t lanes = coin(d, 70) ? 1 : 1 + roll(d, *vcs),
             vc_delay = 1 + (coin(d, 25) ? roll(d, 3) : 0);
    bool spec = coin(d, 30);
    uint32_t sw_delay = spec ? vc_delay : 1 + (coin(d, 25) ? roll(d, 3) : 0);
    return arena_printf(
        a,
        "router.vcs=%u router.depth=%u router.routing_delay=%u router.vc_delay=%u "
        "router.sw_delay=%u router.alloc_extra=%u router.alloc_holds=%s router.st_delay=%u "
        "router.credit_delay=%u "
        "router.vc_allocator=%s router.sw_allocator=%s router.iterations=%u router.arbiter=%s "
        "router.speculative=%s router.input_speedup=%u router.internal_speedup=%s",
        *vcs, 1 + roll(d, 8), roll(d, 3), vc_delay, sw_delay, coin(d, 20) ? 1 + roll(d, 2) : 0,
        coin(d, 40) ? "true" : "false", roll(d, 3), coin(d, 50) ? 0 : roll(d, 6),
        coin(d, 30) ? "separable" : "islip", coin(d, 30) ? "separable" : "islip",
        coin(d, 70) ? 1 : 1 + roll(d, 4), coin(d, 25) ? "matrix" : "rr", spec ? "true" : "false",
        lanes, speedup[roll(d, 6)]);
}

static const char *draw_traffic(struct dice *d, struct arena *a, const char *pattern)
{
    static const char *const sizes[] = {"1", "5", "9", "1,5", "1,9,3", "2"};
    bool bursty = coin(d, 30);
    uint32_t k = roll(d, 6);
    return arena_printf(
        a, "traffic.sizes=%s %s %s traffic.pattern=%s %s", sizes[k],
        k == 3 ? "traffic.shares=7,3" : "",
        bursty ? "traffic.process=bursty traffic.burst_on=30 traffic.burst_off=10" : "", pattern,
        coin(d, 50) ? "reqrep.read_share=0.5 reqrep.service=3" : "reqrep.outstanding=2");
}

/* Settings of one random network, or NULL when the draw is not legal. */
static const char *draw_network(struct dice *d, struct arena *a)
{
    const struct shape *s = &shapes[roll(d, NSHAPES)];
    const struct pattern_row *p = &patterns[roll(d, NPATTERNS)];
    uint32_t vcs, extra = coin(d, 80) ? 0 : 1 + roll(d, 3);
    const char *router = draw_router(d, a, &vcs);
    const char *traffic = draw_traffic(d, a, p->name);
    bool both_ways = strcmp(p->name, "request_reply") == 0 && s->networks != TWO;
    bool by_token = strstr(s->settings, "cfnoc") || strstr(s->settings, "hrcnet");
    uint32_t classes = by_token ? 1 : (both_ways ? 2 : 1) + extra;
    if (!is_legal(s, p->name, vcs) || vcs < s->orders * classes)
        return NULL;
    return arena_printf(a,
                        "%s %s %s %s noc.classes=%u noc.port_depth=%u sim.seed=%u "
                        "sim.watchdog=%u %s %s",
                        s->settings, router, p->settings, traffic, classes, 2 + roll(d, 4),
                        roll(d, 1000), 1 + roll(d, 300),
                        s->networks == ONE && coin(d, 30) ? "reqrep.mc_share=0.6" : "",
                        strstr(s->settings, "mwsr") ? "router.internal_speedup=1" : "");
}

static void random_routers_drain_and_agree(void)
{
    const int want = is_full() ? 6000 : 400;
    int run = 0;
    for (uint64_t seed = 0; run < want; seed++) {
        struct arena *a = arena_new();
        struct dice d = {.key = rng_key(20261, seed)};
        struct err e = {0};
        const char *what = draw_network(&d, a);
        if (what) {
            const struct config *cfg = lab_rig_config(a, what, &e);
            CHECK_STR(e.text, "");
            expect_agreement(cfg, coin(&d, 50) ? 0.1 : 0.7, 150 + roll(&d, 200), what);
            run++;
        }
        arena_free(a);
    }
}

CHECK_MAIN("matrix", TEST(every_legal_combination_drains_and_agrees_and_every_other_is_refused),
           TEST(networks_that_make_no_sense_are_refused), TEST(random_routers_drain_and_agree))
