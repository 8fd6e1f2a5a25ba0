/* Packets under the hands of an extension, and the audit of them: an extension of the test's own
 * does by hand what it is told. */
#include "check.h"

#include "noc/aside.h"
#include "rig/capture.h"
#include "rig/net_rig.h"

/* Takes every packet that comes to one router and does nothing with it. */
struct hand {
    struct noc *net;
    uint32_t router;
    uint32_t held[64], nheld;
    uint32_t hidden; /* one that it forgets */
    hd_cycle ticked;
    bool is_lazy; /* never asks to be called again */
    uint32_t arrived[64], narrived;
};

static struct extension_verdict hand_arrive(void *state, const struct extension_at *at)
{
    const struct hand *h = state;
    return (struct extension_verdict){.fate = at->router == h->router ? EXTENSION_TAKE
                                                                      : EXTENSION_PASS};
}

static void hand_taken(void *state, const struct extension_at *at)
{
    struct hand *h = state;
    h->held[h->nheld++] = at->packet;
    if (!h->is_lazy)
        extension_wake(h->net, at->now + 1000000);
}

static void hand_tick(void *state, hd_cycle now)
{
    ((struct hand *)state)->ticked = now;
}

static void hand_each(const void *state, void (*show)(void *ctx, uint32_t packet), void *ctx)
{
    const struct hand *h = state;
    for (uint32_t i = 0; i < h->nheld; i++)
        if (h->held[i] != h->hidden)
            show(ctx, h->held[i]);
}

static const struct router_extension by_hand = {.name = "hand",
                                                .takes = true,
                                                .arrive = hand_arrive,
                                                .taken = hand_taken,
                                                .tick = hand_tick,
                                                .each = hand_each};

/* A row of four routers; the hand is at the second.  Packets are sent from node 0. */
static void open_row(struct net_rig *r, struct hand *h, uint32_t port_depth)
{
    net_rig_begin(
        r, "mesh.width=4 mesh.height=1 router.vcs=2 router.depth=4 router.extension=combine");
    r->engine_options.audit = 1;
    CHECK(net_rig_build(r, DIR_ANY));
    net_rig_read_all(r, port_depth);
    *h = (struct hand){.net = r->noc, .router = 1, .hidden = PACKET_NONE};
    r->noc->aside->ext = &by_hand;
    r->noc->aside->state = h;
}

static void send(struct net_rig *r, uint32_t packets, uint16_t flits)
{
    for (uint32_t i = 0; i < packets; i++)
        net_rig_send(r, net_rig_now(r) + 2 + i, 0, 3, flits);
    net_rig_run(r, net_rig_now(r) + 100);
    CHECK_STR(r->err.text, "");
}

static void finish(struct net_rig *r, uint32_t packets)
{
    component_wake(noc_component(r->noc), net_rig_now(r));
    net_rig_run(r, net_rig_now(r) + 200);
    CHECK_STR(r->err.text, "");
    CHECK_EQ(r->nlog, packets);
    CHECK_EQ(r->pool.live, 0);
    CHECK_EQ(r->noc->aside->flits, 0);
    for (uint32_t i = 0; i < packets; i++)
        CHECK_EQ(r->log[i].hops, 4);
}

static void a_packet_that_is_taken_gives_its_credits_back(void)
{
    struct net_rig r;
    struct hand h;
    open_row(&r, &h, 4);
    send(&r, 6, 9); /* more flits than the buffers of the row hold */
    CHECK_EQ(h.nheld, 6);
    CHECK_EQ(r.noc->aside->flits, 54);
    for (uint32_t i = 0; i < r.noc->nivcs; i++)
        CHECK_EQ(r.noc->ivc[i].count, 0);
    uint32_t out = r.noc->router[0].first_out << r.noc->vc_shift;
    CHECK_EQ(r.noc->ovc[out].credits, 4);
    for (uint32_t i = 0; i < 6; i++)
        extension_release(r.noc, h.held[i], 0);
    h.nheld = 0;
    finish(&r, 6);
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ(r.log[i].flits, 9);
    net_rig_close(&r);
}

static void packets_in_packets_come_out_again_one_by_one(void)
{
    struct net_rig r;
    struct hand h;
    open_row(&r, &h, 4);
    send(&r, 4, 5);
    struct noc *n = r.noc;
    CHECK(extension_merge(n, h.held[0], h.held[1], 8));
    CHECK(extension_merge(n, h.held[2], h.held[3], 10));
    CHECK(extension_merge(n, h.held[0], h.held[2], 11));
    CHECK_EQ(extension_count(n, h.held[0]), 4);
    CHECK_EQ(extension_flits(n, h.held[0]), 11);
    CHECK_EQ(noc_merged_flits(n), 9);
    CHECK_EQ(n->aside->flits, 11);
    /* The last one in is the first one out, as it was. */
    CHECK_EQ(extension_split(n, h.held[0]), h.held[2]);
    CHECK_EQ(extension_flits(n, h.held[0]), 8);
    CHECK_EQ(extension_flits(n, h.held[2]), 10);
    CHECK_EQ(extension_count(n, h.held[2]), 2);
    CHECK_EQ(extension_split(n, h.held[0]), h.held[1]);
    CHECK_EQ(extension_split(n, h.held[0]), PACKET_NONE);
    CHECK_EQ(extension_flits(n, h.held[0]), 5);
    CHECK_EQ(n->aside->flits, 20);
    CHECK(extension_merge(n, h.held[2], h.held[0], 12));
    extension_release(n, h.held[2], 0);
    extension_release(n, h.held[1], 0);
    h.nheld = 0;
    finish(&r, 4);
    net_rig_close(&r);
}

static void no_more_are_merged_than_the_destination_can_take(void)
{
    struct net_rig r;
    struct hand h;
    open_row(&r, &h, 3);
    send(&r, 4, 1);
    CHECK(extension_merge(r.noc, h.held[0], h.held[1], 1));
    CHECK(extension_merge(r.noc, h.held[0], h.held[2], 1));
    CHECK(!extension_merge(r.noc, h.held[0], h.held[3], 1));
    net_rig_hold(&r, 3, true); /* three packets fill the port: the fourth waits in its VC */
    extension_release(r.noc, h.held[3], 0);
    extension_release(r.noc, h.held[0], 0);
    h.nheld = 0;
    component_wake(noc_component(r.noc), net_rig_now(&r));
    net_rig_run(&r, net_rig_now(&r) + 100);
    CHECK_EQ(r.pool.live, 4);
    net_rig_hold(&r, 3, false);
    finish(&r, 4);
    net_rig_close(&r);
}

/* ---- delivered with the flits ---- */

static void hand_arrived(void *state, uint32_t packet)
{
    struct hand *h = state;
    h->arrived[h->narrived++] = extension_count(h->net, packet);
}

static const struct router_extension by_stream = {.name = "hand",
                                                  .takes = true,
                                                  .streams = true,
                                                  .arrive = hand_arrive,
                                                  .taken = hand_taken,
                                                  .arrived = hand_arrived,
                                                  .tick = hand_tick,
                                                  .each = hand_each};

/* The row of four, with `packets` of one flit aside, in the order in which they were sent. */
static void open_stream(struct net_rig *r, struct hand *h, uint32_t port_depth, uint32_t packets)
{
    open_row(r, h, port_depth);
    r->noc->aside->ext = &by_stream;
    send(r, packets, 1);
    CHECK_EQ(h->nheld, packets);
    h->nheld = 0;
}

/* Each rides before those that came later, which carry it: p0 in p1, p1 in p2, ... */
static uint32_t chain(struct net_rig *r, const struct hand *h, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++)
        CHECK(extension_merge(r->noc, h->held[i + 1], h->held[i], i + 2 - first));
    return h->held[last];
}

static void pieces_come_in_order_one_with_each_flit(void)
{
    struct net_rig r;
    struct hand h;
    open_stream(&r, &h, 1, 9); /* a port of one slot, and buffers of four flits */
    uint32_t front = chain(&r, &h, 0, 3), back = chain(&r, &h, 4, 8);
    CHECK(extension_merge(r.noc, back, front, 9));
    extension_release(r.noc, back, 0);
    finish(&r, 9);
    for (uint32_t i = 0; i < 9; i++) {
        CHECK_EQ(r.log[i].serial, i);
        CHECK(i == 0 || r.log[i].at > r.log[i - 1].at);
    }
    CHECK_EQ(h.narrived, 1);
    CHECK_EQ(h.arrived[0], 9);
    net_rig_close(&r);
}

static void pieces_of_one_flit_come_together(void)
{
    struct net_rig r;
    struct hand h;
    open_stream(&r, &h, 2, 5);
    CHECK(extension_merge(r.noc, h.held[1], h.held[0], 1));
    CHECK(!extension_merge(r.noc, h.held[2], h.held[1], 1)); /* three at once: two fit */
    CHECK(extension_merge(r.noc, h.held[2], h.held[1], 2));
    CHECK(extension_merge(r.noc, h.held[3], h.held[2], 2));
    CHECK(!extension_merge(r.noc, h.held[4], h.held[3], 2));
    CHECK(extension_merge(r.noc, h.held[4], h.held[3], 3));
    extension_release(r.noc, h.held[4], 0);
    finish(&r, 5); /* 5/3, 10/3 and 15/3 of them have come with the first, second and third flit */
    for (uint32_t i = 0; i < 5; i++)
        CHECK_EQ(r.log[i].serial, i);
    net_rig_close(&r);
}

/* A node that takes nothing stops a long packet in its middle; what has come is counted. */
static void a_packet_can_stand_still_with_part_of_it_delivered(void)
{
    struct net_rig r;
    struct hand h;
    open_stream(&r, &h, 2, 8);
    net_rig_hold(&r, 3, true);
    extension_release(r.noc, chain(&r, &h, 0, 7), 0);
    component_wake(noc_component(r.noc), net_rig_now(&r));
    net_rig_run(&r, net_rig_now(&r) + 100); /* audited in every cycle */
    CHECK_STR(r.err.text, "");
    CHECK_EQ(noc_stats(r.noc)->packets_out, 2);
    CHECK_EQ(noc_stats(r.noc)->flits_out, 2);
    net_rig_hold(&r, 3, false);
    finish(&r, 8);
    net_rig_close(&r);
}

static void the_tick_comes_in_the_cycle_asked_for(void)
{
    struct net_rig r;
    struct hand h;
    open_row(&r, &h, 4);
    send(&r, 1, 1);
    hd_cycle at = net_rig_now(&r) + 57;
    extension_wake(r.noc, at + 30);
    extension_wake(r.noc, at);
    component_wake(noc_component(r.noc), net_rig_now(&r));
    net_rig_run(&r, at + 1000);
    CHECK_EQ(h.ticked, at);
    net_rig_close(&r);
}

/* ---- what is wrong is found ---- */

static const char *complaint(struct net_rig *r)
{
    r->err = (struct err){0};
    CHECK(!engine_audit(r->engine, &r->err));
    return r->err.text;
}

static void a_packet_that_an_extension_has_lost_is_found(void)
{
    struct net_rig r;
    struct hand h;
    open_row(&r, &h, 4);
    send(&r, 3, 2);
    CHECK(engine_audit(r.engine, &r.err));
    h.hidden = h.held[1];
    CHECK(strstr(complaint(&r), "extension hand has lost packet 1 of node 0") != NULL);
    h.hidden = PACKET_NONE;
    h.held[2] = h.held[1];
    CHECK(strstr(complaint(&r), "shows as its own packet 1 of node 0") != NULL);
    net_rig_close(&r);
}

static void a_packet_too_few_or_too_many_is_found(void)
{
    struct net_rig r;
    struct hand h;
    open_row(&r, &h, 4);
    send(&r, 3, 2);
    CHECK(extension_merge(r.noc, h.held[0], h.held[1], 3));
    h.held[1] = h.held[2];
    h.nheld = 2;
    CHECK(engine_audit(r.engine, &r.err));
    r.noc->aside->packet[h.held[0]].count = 1; /* a rider falls off */
    CHECK(strstr(complaint(&r), "3 packets inside, 2 found") != NULL);
    r.noc->aside->packet[h.held[0]].count = 2;
    r.noc->aside->flits--;
    CHECK(strstr(complaint(&r), "flits in") != NULL);
    r.noc->aside->flits++;
    r.noc->aside->packet[h.held[0]].flits = 4;
    CHECK(strstr(complaint(&r), "5 flits aside, 6 found") != NULL);
    net_rig_close(&r);
}

static void an_extension_that_keeps_a_packet_for_ever_is_a_deadlock(void)
{
    struct net_rig r;
    struct hand h;
    open_row(&r, &h, 4);
    h.is_lazy = true;
    net_rig_send(&r, 5, 0, 3, 2);
    CHECK_EQ(net_rig_run(&r, 100000), ENGINE_STUCK);
    CHECK(strstr(r.err.text, "packets aside in routers") != NULL);
    net_rig_close(&r);
}

static void release_what_is_not_there(void)
{
    struct net_rig r;
    struct hand h;
    open_row(&r, &h, 4);
    extension_release(r.noc, 0, 0);
}

static void what_is_not_aside_cannot_be_released(void)
{
    struct death d = death_of(release_what_is_not_there);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "released that is not aside") != NULL);
}

CHECK_MAIN("aside", TEST(a_packet_that_is_taken_gives_its_credits_back),
           TEST(packets_in_packets_come_out_again_one_by_one),
           TEST(no_more_are_merged_than_the_destination_can_take),
           TEST(pieces_come_in_order_one_with_each_flit), TEST(pieces_of_one_flit_come_together),
           TEST(a_packet_can_stand_still_with_part_of_it_delivered),
           TEST(the_tick_comes_in_the_cycle_asked_for),
           TEST(a_packet_that_an_extension_has_lost_is_found),
           TEST(a_packet_too_few_or_too_many_is_found),
           TEST(an_extension_that_keeps_a_packet_for_ever_is_a_deadlock),
           TEST(what_is_not_aside_cannot_be_released))
