#include "check.h"

#include "noc/ring.h"
#include "rig/ring_rig.h"

static const struct ring_rig shape = {.nodes = 5,
                                      .round_trip = 12,
                                      .slot_flits = 5,
                                      .flits_per_cycle = 1,
                                      .read_places = 2,
                                      .send_places = 3};

/* 12 cycles round, slots of 5: three slots, the last of which is padded. */
static void a_ring_is_a_whole_number_of_slots(void)
{
    static struct net_rig r;
    const struct graph *g = ring_rig_graph(&r, shape, "");
    net_rig_wire(&r, g);
    const struct ring *ring = r.noc->ring;
    CHECK_EQ(ring->g->slot_cycles, 5);
    CHECK_EQ(ring->nframes, 3);
    CHECK_EQ(ring->period, 15);
    net_rig_close(&r);
}

/* Light goes from node 0 to 1, 2, ...: behind reader 3 come 4, 0, 1, 2. */
static void writers_are_passed_in_the_order_of_their_places(void)
{
    static struct net_rig r;
    const struct graph *g = ring_rig_graph(&r, shape, "");
    net_rig_wire(&r, g);
    const struct ring_channel *c = &r.noc->ring->channel[3];
    static const uint32_t order[] = {4, 0, 1, 2};
    static const uint32_t past[] = {5, 7, 10, 0, 2}; /* 12/5 apart, to the nearest cycle */
    for (int i = 0; i < 4; i++)
        CHECK_EQ(c->order[i], order[i]);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(c->past[i], past[i]);
    net_rig_close(&r);
}

static void tokens_are_under_way_from_the_first_cycle_on(void)
{
    static struct net_rig r;
    const struct graph *g = ring_rig_graph(&r, shape, "");
    net_rig_wire(&r, g);
    const struct ring_channel *c = &r.noc->ring->channel[0];
    CHECK_EQ(c->cls[0].free, 0);
    CHECK_EQ(c->frame[0].tokens, 1);
    CHECK_EQ(c->frame[1].tokens, 1);
    CHECK_EQ(c->frame[2].tokens, 0); /* two places, two tokens */
    net_rig_close(&r);
}

/* 100 packets of 5 flits in slots of 5: stored, a slot each; slots pass every 5 cycles. */
static void statistics_count_packets_flits_and_slots(void)
{
    static struct net_rig r;
    struct ring_rig s = shape;
    s.stores = true;
    const struct graph *g = ring_rig_graph(&r, s, "router.depth=16");
    net_rig_wire(&r, g);
    net_rig_read_all(&r, 8);
    for (uint32_t k = 0; k < 100; k++)
        net_rig_send(&r, 10 + 40 * k, k % 5, (k + 1 + k % 3) % 5, 5);
    net_rig_run(&r, 9999);
    ring_settle(r.noc, 10000);
    const struct ring_stats *st = &r.noc->ring->stats;
    CHECK_EQ(st->packets, 100);
    CHECK_EQ(st->flits, 500);
    CHECK_EQ(st->used_slots, 100);
    CHECK_EQ(st->slots, 10000 / 5 * 5);
    CHECK_EQ(st->token_wait.n, 100);
    CHECK(st->token_wait.max < 15);
    ring_forget(r.noc);
    CHECK_EQ(st->token_wait.n, 0);
    CHECK_EQ(st->packets, 100);
    net_rig_close(&r);
}

CHECK_MAIN("ring_build", TEST(a_ring_is_a_whole_number_of_slots),
           TEST(writers_are_passed_in_the_order_of_their_places),
           TEST(tokens_are_under_way_from_the_first_cycle_on),
           TEST(statistics_count_packets_flits_and_slots))
