#include "check.h"

#include "noc/ring.h"
#include "rig/ring_rig.h"

static const struct ring_rig shape = {.nodes = 4,
                                      .round_trip = 8,
                                      .slot_flits = 5,
                                      .flits_per_cycle = 5,
                                      .read_places = 3,
                                      .send_places = 2};

/* A ring full of packets whose reader sleeps. */
static void fill(struct net_rig *r)
{
    const struct graph *g = ring_rig_graph(r, shape, "router.vcs=2 noc.port_depth=64");
    r->engine_options.watchdog = 50;
    net_rig_wire(r, g);
    net_rig_read(r, 2, 1);
    net_rig_hold(r, 2, true);
    for (uint32_t k = 0; k < 30; k++)
        net_rig_send(r, 5, 0, 2, 5);
    CHECK_EQ(net_rig_run(r, 2000), ENGINE_REACHED);
    CHECK_EQ(r->nlog, 0);
}

static void a_reader_that_sleeps_is_told_from_a_deadlock_in_the_ring(void)
{
    static struct net_rig r;
    fill(&r);
    CHECK_STR(r.err.text, "");
    net_rig_hold(&r, 2, false);
    CHECK_EQ(net_rig_run(&r, 9000), ENGINE_IDLE);
    CHECK_EQ(r.nlog, 30);
    net_rig_close(&r);
}

static bool is_noticed(struct net_rig *r, const char *what)
{
    struct err e = {0};
    bool ok = engine_audit(r->engine, &e);
    return !ok && strstr(e.text, what) != NULL;
}

static void a_token_or_a_flit_that_is_lost_is_noticed(void)
{
    static struct net_rig r;
    fill(&r);
    struct ring *ring = r.noc->ring;
    struct err e = {0};
    CHECK(engine_audit(r.engine, &e));
    ring->channel[1].frame[0].tokens ^= 1;
    CHECK(is_noticed(&r, "reader 1"));
    ring->channel[1].frame[0].tokens ^= 1;
    ring->channel[3].cls[0].free++;
    CHECK(is_noticed(&r, "reader 3"));
    ring->channel[3].cls[0].free--;
    ring->slot[2 * 3].came--;
    CHECK(is_noticed(&r, "flits in the ring"));
    ring->slot[2 * 3].came++;
    r.noc->ovc[ring->station[0].ej->credit_ovc].credits++;
    CHECK(is_noticed(&r, "credits"));
    r.noc->ovc[ring->station[0].ej->credit_ovc].credits--;
    CHECK(engine_audit(r.engine, &e));
    net_rig_close(&r);
}

CHECK_MAIN("ring_audit", TEST(a_reader_that_sleeps_is_told_from_a_deadlock_in_the_ring),
           TEST(a_token_or_a_flit_that_is_lost_is_noticed))
