/* Token slots against closed forms: how long, how fast, how fair, and what is never lost. */
#include "check.h"

#include "noc/ring.h"
#include "rig/ring_rig.h"

static const struct ring_rig usual = {.nodes = 8,
                                      .round_trip = 8,
                                      .slot_flits = 5,
                                      .flits_per_cycle = 5,
                                      .read_places = 8,
                                      .send_places = 4};

static void open_ring(struct net_rig *r, struct ring_rig s)
{
    const struct graph *g = ring_rig_graph(r, s, "router.vcs=4 router.depth=16 noc.port_depth=512");
    r->engine_options.audit = 3;
    net_rig_wire(r, g);
    net_rig_read_all(r, 512);
}

static void a_lone_packet_takes_the_closed_form_between_every_pair(void)
{
    static struct net_rig r;
    for (uint32_t nodes = 2; nodes <= 16; nodes *= 2) {
        for (int stores = 0; stores < 2; stores++) {
            struct ring_rig s = usual;
            s.nodes = nodes;
            s.round_trip = 16;
            s.read_places = 16; /* a token in every slot: nobody ever waits */
            s.stores = stores;
            for (uint16_t flits = 1; flits <= 5; flits = (uint16_t)(flits + 2)) {
                open_ring(&r, s);
                for (uint32_t src = 0; src < nodes; src++)
                    for (uint32_t dst = 0; dst < nodes; dst++) {
                        if (src == dst)
                            continue;
                        uint64_t expected = ring_rig_latency(&s, src, dst, flits);
                        CHECK_EQ(net_rig_latency(&r, src, dst, flits), expected);
                        CHECK_EQ(noc_zero_load(r.graph, net_rig_router(&r), src, dst, flits),
                                 expected);
                    }
                CHECK_EQ(r.noc->ring->stats.token_wait.sum, 0);
                net_rig_close(&r);
            }
        }
    }
}

/* With one token for eight slots a packet waits for it, up to a round trip. */
static void a_token_that_is_elsewhere_is_waited_for(void)
{
    static struct net_rig r;
    struct ring_rig s = usual;
    uint64_t waits[8] = {0};
    s.read_places = 1;
    open_ring(&r, s);
    for (uint32_t k = 0; k < 8; k++)
        net_rig_send(&r, 100 + 81 * k, 1, 3, 1); /* each cycle of the round once */
    CHECK_EQ(net_rig_run(&r, 5000), ENGINE_IDLE);
    for (uint32_t k = 0; k < 8; k++) {
        uint64_t wait = r.log[k].at - r.log[k].born - ring_rig_latency(&s, 1, 3, 1);
        CHECK(wait < 8);
        waits[wait]++;
    }
    /* The token comes back into the slot that passes when its packet has left: later each time. */
    CHECK_EQ(waits[0] + waits[1] + waits[2] + waits[3] + waits[4] + waits[5] + waits[6] + waits[7],
             8);
    CHECK(waits[0] < 8);
    net_rig_close(&r);
}

enum { MANY = 400 };

/* Cycles from the first arrival to the last of MANY packets of each writer to node 0. */
static uint64_t crowd(struct net_rig *r, struct ring_rig s, uint32_t writers, uint16_t flits)
{
    open_ring(r, s);
    for (uint32_t k = 0; k < MANY; k++)
        for (uint32_t w = 1; w <= writers; w++)
            net_rig_send(r, 5, w, 0, flits);
    CHECK_EQ(net_rig_run(r, 1000000), ENGINE_IDLE);
    CHECK_STR(r->err.text, "");
    CHECK_EQ(r->nlog, MANY * writers);
    CHECK_EQ(r->pool.live, 0);
    return r->log[r->nlog - 1].at - r->log[0].at;
}

/* A place is taken from when its token leaves the reader: once round, a cycle for the slot to be read,
 * a flit per cycle to the router.  So many places, so many packets in that time; and never more than the
 * router's port takes. */
static uint64_t expected_crowd(const struct ring_rig *s, uint64_t packets, uint32_t flits)
{
    uint64_t round = s->round_trip + 1 + flits;
    uint64_t by_places = packets * round / s->read_places, by_port = packets * flits;
    return by_places > by_port ? by_places : by_port;
}

static void one_writer_gets_what_places_and_port_allow(void)
{
    static struct net_rig r;
    for (uint32_t places = 1; places <= 16; places++)
        for (uint16_t flits = 1; flits <= 5; flits = (uint16_t)(flits + 4)) {
            struct ring_rig s = usual;
            s.read_places = places;
            s.stores = flits > 1; /* else a place is also taken while its packet comes */
            uint64_t expected = expected_crowd(&s, MANY, flits), took = crowd(&r, s, 1, flits);
            CHECK(took <= expected + s.round_trip && took + 2 * s.round_trip + flits >= expected);
            net_rig_close(&r);
        }
}

static void many_writers_get_as_much_together(void)
{
    static struct net_rig r;
    for (uint32_t writers = 2; writers <= 7; writers++)
        for (int fair = 0; fair < 2; fair++) {
            struct ring_rig s = usual;
            s.is_fair = fair;
            s.stores = true;
            s.read_places = 4 + writers;
            uint64_t expected = expected_crowd(&s, MANY * writers, 5);
            uint64_t took = crowd(&r, s, writers, 5);
            CHECK(took <= expected + 2 * s.round_trip && took + 2 * s.round_trip >= expected);
            net_rig_close(&r);
        }
}

static uint32_t served(const struct net_rig *r, uint32_t src, uint32_t of_first)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < of_first; i++)
        n += r->log[i].src == src;
    return n;
}

/* Light passes node 1 first on its way from reader 0. */
static void the_first_behind_the_reader_starves_all_others(void)
{
    static struct net_rig r;
    struct ring_rig s = usual;
    s.stores = true;
    crowd(&r, s, 7, 5);
    CHECK(served(&r, 1, MANY) > MANY * 95 / 100);
    CHECK(served(&r, 7, MANY) <= 1); /* a token of the beginning */
    net_rig_close(&r);
}

static void the_fair_variant_serves_all_alike(void)
{
    static struct net_rig r;
    for (int stores = 0; stores < 2; stores++) {
        struct ring_rig s = usual;
        s.is_fair = true;
        s.stores = stores;
        crowd(&r, s, 7, 5);
        for (uint32_t w = 1; w <= 7; w++)
            CHECK_NEAR(served(&r, w, 7 * 200), 200, 0.05);
        net_rig_close(&r);
    }
}

/* Requests that nobody takes at their end hold no reply back. */
static void message_classes_have_tokens_and_places_of_their_own(void)
{
    static struct net_rig r;
    const struct graph *g = ring_rig_graph(&r, usual, "router.vcs=4 noc.port_depth=64");
    r.classes = 2;
    r.engine_options.audit = 1;
    net_rig_wire(&r, g);
    net_rig_read(&r, 3, 1);
    net_rig_read(&r, 5, 64);
    net_rig_hold(&r, 3, true);
    for (uint32_t k = 0; k < 40; k++)
        net_rig_send_as(&r, (struct net_rig_send){.at = 5, .src = 1, .dst = 3, .flits = 5});
    net_rig_run(&r, 600);
    for (uint32_t k = 0; k < 20; k++)
        net_rig_send_as(&r,
                        (struct net_rig_send){.at = 700, .src = 1, .dst = 5, .flits = 5, .cls = 1});
    r.err = (struct err){0};
    net_rig_run(&r, 1200);
    CHECK_EQ(r.nlog, 20);
    r.err = (struct err){0};
    net_rig_hold(&r, 3, false);
    CHECK_EQ(net_rig_run(&r, 5000), ENGINE_IDLE);
    CHECK_EQ(r.nlog, 60);
    net_rig_close(&r);
}

/* Four packets for a reader whose only token is away: crowded from 3 on, until 1 is left. */
static void a_station_is_crowded_with_hysteresis(void)
{
    static struct net_rig r;
    struct ring_rig s = usual;
    s.read_places = 1;
    open_ring(&r, s);
    for (uint32_t k = 0; k < 6; k++)
        net_rig_send(&r, 5, 1, 0, 1);
    bool before = false;
    uint32_t last = 0, ups = 0, downs = 0;
    for (hd_cycle t = 1; t < 200; t++) {
        net_rig_run(&r, t);
        bool now = ring_is_crowded(r.noc, 1, 0);
        uint32_t queue = ring_queue(r.noc, 1, 0);
        if (now && !before) {
            CHECK_EQ(queue, 3);
            ups++;
        }
        if (before && !now) {
            CHECK_EQ(queue, 1);
            CHECK_EQ(last, 2);
            downs++;
        }
        before = now;
        last = queue;
    }
    CHECK_EQ(ups, 1);
    CHECK_EQ(downs, 1);
    CHECK_EQ(r.nlog, 6);
    net_rig_close(&r);
}

static void send_at_random(struct net_rig *r, uint32_t nodes, uint32_t packets)
{
    uint64_t x = 12345;
    for (uint32_t k = 0; k < packets; k++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        uint32_t src = (uint32_t)(x >> 33) % nodes;
        uint32_t dst = (src + 1 + (uint32_t)(x >> 40) % (nodes - 1)) % nodes;
        uint16_t flits = (uint16_t)(1 + (x >> 50) % 9);
        net_rig_send(r, 5 + (x >> 20) % 3000, src, dst, flits);
    }
}

/* Slots of several cycles, shorter than packets, few places: whatever comes in goes out, and in the
 * same cycles whether idle time is skipped or not. */
static void nothing_is_lost_and_skipping_changes_nothing(void)
{
    static struct net_rig r[2];
    static const struct ring_rig shapes[] = {{.nodes = 5,
                                              .round_trip = 7,
                                              .slot_flits = 2,
                                              .flits_per_cycle = 1,
                                              .read_places = 1,
                                              .send_places = 1},
                                             {.nodes = 8,
                                              .round_trip = 8,
                                              .slot_flits = 9,
                                              .flits_per_cycle = 2,
                                              .read_places = 3,
                                              .send_places = 2,
                                              .stores = true,
                                              .is_fair = true},
                                             {.nodes = 3,
                                              .round_trip = 1,
                                              .slot_flits = 1,
                                              .flits_per_cycle = 1,
                                              .read_places = 2,
                                              .send_places = 8},
                                             {.nodes = 8,
                                              .round_trip = 8,
                                              .slot_flits = 5,
                                              .flits_per_cycle = 5,
                                              .read_places = 8,
                                              .send_places = 4,
                                              .is_fair = true}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        for (int k = 0; k < 2; k++) {
            const struct graph *g =
                ring_rig_graph(&r[k], shapes[i], "router.vcs=2 router.depth=3 noc.port_depth=8");
            r[k].engine_options.audit = 1;
            r[k].engine_options.no_skip = k == 1;
            net_rig_wire(&r[k], g);
            net_rig_read_all(&r[k], 2);
            send_at_random(&r[k], shapes[i].nodes, 600);
            CHECK_EQ(net_rig_run(&r[k], 100000), ENGINE_IDLE);
            CHECK_STR(r[k].err.text, "");
            CHECK_EQ(r[k].nlog, 600);
            CHECK_EQ(r[k].pool.live, 0);
            CHECK_EQ(r[k].noc->ring->flits, 0);
        }
        CHECK(memcmp(r[0].log, r[1].log, sizeof r[0].log[0] * 600) == 0);
        CHECK_EQ(r[0].noc->ring->stats.packets, 600);
        net_rig_close(&r[0]);
        net_rig_close(&r[1]);
    }
}

CHECK_MAIN("ring", TEST(a_lone_packet_takes_the_closed_form_between_every_pair),
           TEST(a_token_that_is_elsewhere_is_waited_for),
           TEST(one_writer_gets_what_places_and_port_allow),
           TEST(many_writers_get_as_much_together),
           TEST(the_first_behind_the_reader_starves_all_others),
           TEST(the_fair_variant_serves_all_alike),
           TEST(message_classes_have_tokens_and_places_of_their_own),
           TEST(a_station_is_crowded_with_hysteresis),
           TEST(nothing_is_lost_and_skipping_changes_nothing))
