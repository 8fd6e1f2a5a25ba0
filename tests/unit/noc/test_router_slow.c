/* The router with every option: it is the plain one where it should be, and each option does
 * what it is there for. */
#include "check.h"

#include "base/rng.h"
#include "rig/net_rig.h"

static void open_xbar(struct net_rig *r, uint32_t inputs, uint32_t outputs, const char *router)
{
    char settings[512];
    snprintf(settings, sizeof settings,
             "noc.topology=xbar xbar.inputs=%u xbar.outputs=%u noc.port_depth=512 %s", inputs,
             outputs, router);
    net_rig_begin(r, settings);
    r->slow_router = true;
    r->engine_options.audit = 1;
    bool built = net_rig_build(r, DIR_REQUEST);
    CHECK_STR(r->err.text, "");
    CHECK(built);
    net_rig_read_all(r, 512);
}

static void finish(struct net_rig *r, uint32_t packets)
{
    enum engine_stop stop = net_rig_run(r, 100000);
    CHECK_STR(r->err.text, "");
    CHECK_EQ(stop, ENGINE_IDLE);
    CHECK_EQ(r->nlog, packets);
    CHECK_EQ(r->pool.live, 0);
}

/* Random packets over a mesh, the whole log of arrivals. */
static void run_mesh(struct net_rig *r, bool slow, const char *router)
{
    char settings[256];
    snprintf(settings, sizeof settings, "mesh.width=4 mesh.height=4 noc.port_depth=512 %s", router);
    net_rig_begin(r, settings);
    r->slow_router = slow;
    CHECK(net_rig_build(r, DIR_ANY));
    net_rig_read_all(r, 512);
    for (uint32_t k = 0; k < 1500; k++) {
        uint64_t draw = rng_at(11, k);
        net_rig_send(r, 1 + k / 8, (uint32_t)draw % 16, (uint32_t)(draw >> 8) % 16,
                     (uint16_t)(1 + (draw >> 16) % 6));
    }
    finish(r, 1500);
}

static void with_the_usual_options_it_is_the_plain_router_packet_by_packet(void)
{
    static const char *const options[] = {
        "", "router.vcs=1 router.depth=2", "router.vcs=3 router.routing_delay=0",
        "router.vcs=4 router.input_speedup=2", "router.vcs=2 router.internal_speedup=2"};
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        static struct net_rig plain, slow;
        run_mesh(&plain, false, options[k]);
        run_mesh(&slow, true, options[k]);
        CHECK_EQ(memcmp(plain.log, slow.log, sizeof plain.log), 0);
        net_rig_close(&plain);
        net_rig_close(&slow);
    }
}

static void matrix_arbiters_serve_who_was_served_least_recently(void)
{
    struct net_rig r;
    open_xbar(&r, 3, 1, "router.vcs=1 router.arbiter=matrix");
    /* Input 2 alone, then 0 and 2 together, then all: 1 has never been served, then 0, then 2. */
    net_rig_send(&r, 100, 2, 3, 1);
    net_rig_send(&r, 200, 0, 3, 1);
    net_rig_send(&r, 200, 2, 3, 1);
    for (uint32_t src = 0; src < 3; src++)
        net_rig_send(&r, 300, src, 3, 1);
    finish(&r, 6);
    CHECK_EQ(r.log[1].src, 0);
    CHECK_EQ(r.log[2].src, 2);
    CHECK_EQ(r.log[3].src, 1);
    CHECK_EQ(r.log[4].src, 0);
    CHECK_EQ(r.log[5].src, 2);
    net_rig_close(&r);
}

static uint64_t cycles_for_random_packets(const char *router)
{
    struct net_rig r;
    open_xbar(&r, 8, 8, router);
    for (uint32_t k = 0; k < 2000; k++)
        net_rig_send(&r, 1, k % 8, 8 + (uint32_t)(rng_at(3, k) % 8), 1);
    finish(&r, 2000);
    uint64_t t = r.log[1999].at;
    net_rig_close(&r);
    return t;
}

static void more_iterations_waste_fewer_cycles(void)
{
    uint64_t one = cycles_for_random_packets("router.vcs=8");
    uint64_t three = cycles_for_random_packets("router.vcs=8 router.iterations=3");
    uint64_t separable = cycles_for_random_packets("router.vcs=8 router.sw_allocator=separable "
                                                   "router.vc_allocator=separable");
    uint64_t more = cycles_for_random_packets("router.vcs=8 router.sw_allocator=separable "
                                              "router.vc_allocator=separable router.iterations=3");
    CHECK(three < one);
    CHECK(more < separable);
    CHECK(three >= 250); /* eight outputs, a flit each per cycle */
}

static void speculation_saves_the_cycle_of_the_vc(void)
{
    struct net_rig r;
    open_xbar(&r, 2, 1, "router.speculative=true");
    net_rig_send(&r, 10, 0, 2, 1);
    finish(&r, 1);
    CHECK_EQ(r.log[0].at, 10 + 6);
    net_rig_close(&r);
}

/* Two heads bid at once and one VC is free: the loser's grant, if it had one, is wasted and it
 * bids again when the VC is free, one cycle after the tail. */
static void a_speculative_grant_without_a_vc_is_wasted(void)
{
    struct net_rig r;
    open_xbar(&r, 2, 1, "router.vcs=1 router.speculative=true");
    net_rig_send(&r, 1, 0, 2, 5);
    net_rig_send(&r, 1, 1, 2, 5);
    finish(&r, 2);
    CHECK_EQ(r.log[0].at, 4 + 4 + 3); /* granted in 4..8 */
    CHECK_EQ(r.log[1].at, 9 + 4 + 3); /* and in 9..13 */
    net_rig_close(&r);
}

/* A bid takes three cycles; a VC bids for its next flit when the last one has gone. */
static void allocation_of_several_cycles_takes_them_for_each_flit(void)
{
    struct net_rig r;
    open_xbar(&r, 1, 1, "router.vc_delay=2 router.sw_delay=3");
    net_rig_send(&r, 1, 0, 1, 4);
    finish(&r, 1);
    CHECK_EQ(r.log[0].at, 1 + 7 + 1 + 2 + 3 * 3);
    net_rig_close(&r);
}

/* Somebody who waits for a VC gets it although nobody bids for the switch meanwhile. */
static void a_vc_that_is_freed_late_wakes_its_bidders(void)
{
    struct net_rig r;
    open_xbar(&r, 3, 1, "router.vcs=1 router.sw_delay=4 router.vc_delay=3");
    for (uint32_t src = 0; src < 3; src++)
        for (uint32_t k = 0; k < 10; k++)
            net_rig_send(&r, 1 + k, src, 3, (uint16_t)(1 + k % 3));
    finish(&r, 30);
    net_rig_close(&r);
}

CHECK_MAIN("router_slow", TEST(with_the_usual_options_it_is_the_plain_router_packet_by_packet),
           TEST(matrix_arbiters_serve_who_was_served_least_recently),
           TEST(more_iterations_waste_fewer_cycles), TEST(speculation_saves_the_cycle_of_the_vc),
           TEST(a_speculative_grant_without_a_vc_is_wasted),
           TEST(allocation_of_several_cycles_takes_them_for_each_flit),
           TEST(a_vc_that_is_freed_late_wakes_its_bidders))
