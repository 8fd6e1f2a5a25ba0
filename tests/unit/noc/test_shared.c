/* Channels with several writers: how fast, how fair, and never two flits at once. */
#include "check.h"

#include "noc/shared.h"
#include "rig/net_rig.h"

struct crowd {
    uint32_t writers, token;
    uint16_t flits;
    const char *more;
};

enum { EACH = 24 };

/* Everybody sends EACH packets to one reader at once; cycles from the first flit, which takes as long
 * as in an empty network, to the last. */
static uint64_t run_crowd(struct net_rig *r, struct crowd c)
{
    char settings[512];
    snprintf(settings, sizeof settings,
             "noc.topology=mwsr mwsr.inputs=%u mwsr.outputs=%u mwsr.token=%u noc.port_depth=64 "
             "router.vcs=4 router.depth=16 %s",
             c.writers, c.writers, c.token, c.more);
    net_rig_begin(r, settings);
    r->engine_options.audit = 3;
    CHECK(net_rig_build(r, DIR_ANY));
    net_rig_read_all(r, 64);
    for (uint32_t k = 0; k < EACH; k++)
        for (uint32_t w = 0; w < c.writers; w++)
            net_rig_send(r, 5, w, 0, c.flits);
    CHECK_EQ(net_rig_run(r, 1000000), ENGINE_IDLE);
    CHECK_STR(r->err.text, "");
    CHECK_EQ(r->nlog, EACH * c.writers);
    CHECK_EQ(r->pool.live, 0);
    return r->log[r->nlog - 1].at - 5 - noc_zero_load(r->graph, net_rig_router(r), 0, 0, 1) + 1;
}

/* One flit per cycle, and `token` more whenever the right passes. */
static void a_crowd_of_writers_fills_the_channel(void)
{
    static const struct crowd crowds[] = {{2, 0, 1, ""},
                                          {7, 0, 4, ""},
                                          {16, 0, 4, "mwsr.grant=flit"},
                                          {16, 0, 9, ""},
                                          {5, 3, 6, ""},
                                          {16, 4, 4, ""},
                                          {8, 2, 5, "mwsr.grant=flit"},
                                          {3, 11, 1, ""},
                                          {1, 5, 4, ""},
                                          {9, 1, 3, "mwsr.medium=wire"}};
    for (size_t i = 0; i < sizeof crowds / sizeof crowds[0]; i++) {
        static struct net_rig r;
        struct crowd c = crowds[i];
        bool by_flit = strstr(c.more, "flit") != NULL;
        uint64_t packets = (uint64_t)EACH * c.writers;
        uint64_t passes = c.writers == 1 ? 0 : (by_flit ? packets * c.flits : packets) - 1;
        uint64_t expected = packets * c.flits + passes * c.token;
        uint64_t took = run_crowd(&r, c);
        /* At the end one writer may be left alone with flits of its own. */
        CHECK(took <= expected && took + 2 * c.token * by_flit >= expected);
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

static void round_robin_is_fair_and_fixed_priority_is_not(void)
{
    static struct net_rig r;
    run_crowd(&r, (struct crowd){8, 2, 4, ""});
    for (uint32_t w = 0; w < 8; w++) {
        uint32_t n = served(&r, w, 96);
        CHECK(n >= 11 && n <= 13);
    }
    net_rig_close(&r);
    run_crowd(&r, (struct crowd){8, 2, 4, "mwsr.arbiter=fixed router.vcs=8"});
    CHECK(served(&r, 0, 48) > 3 * served(&r, 7, 48));
    net_rig_close(&r);
}

/* A bus by hand: three writers at distances 1, 4 and 9 from the reader. */
static struct route to_reader(const struct route_view *v, const void *ctx, uint32_t router,
                              uint32_t in, struct packet *p)
{
    (void)v, (void)ctx, (void)router, (void)in, (void)p;
    return (struct route){.out = 0, .span = 1};
}

static const struct graph *ring_of_three(struct arena *a)
{
    static const uint32_t distance[] = {1, 4, 9};
    struct graph *g = graph_new(a, 4);
    for (uint32_t i = 0; i < 4; i++)
        graph_add_router(g, 1, 1, 0.25f * (float)i, 0.5f);
    uint32_t bus = graph_add_bus(g, 3, 0, MEDIUM_OPTICAL, (struct graph_arbiter){0});
    for (uint32_t i = 0; i < 3; i++) {
        graph_inject(g, i, i, 0, 1, 1);
        graph_write_bus(g, bus, i, 0, distance[i], 5);
    }
    graph_eject(g, 3, 0, 3, 1, 1);
    g->route = to_reader;
    g->by_table = true;
    return g;
}

/* Flits that arrive at the reader in one cycle, the most that are under way for any. */
static uint32_t most_at_once(const struct noc *n)
{
    uint32_t most = 0;
    const struct wheel *w = &n->arrivals;
    for (uint32_t s = 0; s <= w->mask; s++) {
        uint32_t here = 0;
        for (const uint64_t *at = w->item + (uint64_t)s * w->cap; at < w->end[s]; at++)
            here += n->ivc[*at >> 32].router->id == 3;
        most = here > most ? here : most;
    }
    return most;
}

static void flits_from_near_and_far_never_arrive_together(void)
{
    static struct net_rig r;
    net_rig_begin(&r, "router.vcs=4 router.depth=16 noc.port_depth=64");
    r.engine_options.audit = 1;
    net_rig_wire(&r, ring_of_three(r.arena));
    net_rig_read(&r, 3, 8);
    for (uint32_t k = 0; k < 40; k++)
        for (uint32_t w = 0; w < 3; w++)
            net_rig_send(&r, 2 + k * (3 - w), w, 3, (uint16_t)(1 + k % 3));
    uint32_t most = 0;
    for (hd_cycle t = 1; t < 600; t++) {
        net_rig_run(&r, t);
        CHECK_STR(r.err.text, "");
        uint32_t now = most_at_once(r.noc);
        most = now > most ? now : most;
    }
    CHECK_EQ(most, 1);
    CHECK_EQ(r.nlog, 120);
    net_rig_close(&r);
}

/* What one writer takes all others see, and the audit knows whose credits they are. */
static void credits_of_the_reader_are_shared(void)
{
    static struct net_rig r;
    net_rig_begin(&r, "router.vcs=2 router.depth=3 noc.port_depth=64");
    net_rig_wire(&r, ring_of_three(r.arena));
    net_rig_read(&r, 3, 1);
    net_rig_hold(&r, 3, true);
    for (uint32_t w = 0; w < 3; w++)
        for (uint32_t k = 0; k < 9; k++)
            net_rig_send(&r, 2, w, 3, 2);
    CHECK_EQ(net_rig_run(&r, 500), ENGINE_STUCK); /* for the reader sleeps */
    r.err = (struct err){0};
    const struct noc *n = r.noc;
    for (uint32_t w = 0; w < 3; w++) {
        CHECK_EQ(shared_row(n, w), 0);
        CHECK_EQ(n->oport[w].free, n->oport[0].free);
    }
    CHECK_EQ(n->ovc[0].credits + n->ovc[1].credits, 0);
    CHECK(engine_audit(r.engine, &r.err));
    r.noc->ovc[1].credits++;
    CHECK(!engine_audit(r.engine, &r.err));
    r.noc->ovc[1].credits--;
    r.err = (struct err){0};
    net_rig_hold(&r, 3, false);
    CHECK_EQ(net_rig_run(&r, 5000), ENGINE_IDLE);
    CHECK_EQ(r.nlog, 27);
    net_rig_close(&r);
}

CHECK_MAIN("shared", TEST(a_crowd_of_writers_fills_the_channel),
           TEST(round_robin_is_fair_and_fixed_priority_is_not),
           TEST(flits_from_near_and_far_never_arrive_together),
           TEST(credits_of_the_reader_are_shared))
