/* What a crossbar carries when no two packets want the same output and every source always has
 * one more: exact numbers, which say how long each step of a VC takes.
 *
 * The reference values are in tests/data/booksim/micro_vc_service.csv (8 ports).  Here each of
 * them has its fraction, and where there is one VC the whole run must agree, flit by flit, with
 * a recurrence of what one VC can do:
 *
 *   sent      one per cycle, and only when the credit of the flit `depth` before is back
 *   arrived   2 cycles later (one on the link, one to be noticed)
 *   granted   a head: when it has arrived and its predecessor has gone, after route computation
 *             and VC allocation; any flit: one per cycle, with a credit for the sink's buffer
 *   out       3 cycles later: switch traversal, link, noticed */
#include "check.h"

#include "rig/csv_rig.h"
#include "rig/lab_rig.h"

enum { PORTS = 8 };

/* ---- measuring ---- */

struct setup {
    uint32_t vcs, depth, flits, routing_delay, credit_delay;
    bool speculative;
    double speedup;
    uint32_t extra; /* cycles of both allocators */
    bool holds;
};

static struct lab *open_lab(struct arena *a, const struct setup *s, double rate)
{
    struct err e = {0};
    const char *settings = arena_printf(
        a,
        "noc.topology=xbar xbar.inputs=8 xbar.outputs=8 traffic.pattern=bit_complement "
        "router.vcs=%u router.depth=%u traffic.sizes=%u router.routing_delay=%u "
        "router.credit_delay=%u router.speculative=%s router.internal_speedup=%g "
        "router.alloc_extra=%u router.alloc_holds=%s",
        s->vcs, s->depth, s->flits, s->routing_delay, s->credit_delay,
        s->speculative ? "true" : "false", s->speedup, s->extra, s->holds ? "true" : "false");
    const struct config *cfg = lab_rig_config(a, settings, &e);
    struct lab *l = cfg ? lab_new(cfg, rate, (struct lab_options){.check = true}, &e) : NULL;
    CHECK_STR(e.text, "");
    return l;
}

static uint64_t flits_until(struct lab *l, hd_cycle t)
{
    struct err e = {0};
    CHECK(lab_run(l, t, &e));
    return lab_totals(l).flits_out;
}

/* ---- one VC, as a recurrence ---- */

enum { MAX_FLITS = 4096 };

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Flits that one port has delivered before cycle `end`. */
static uint64_t recurrence(const struct setup *s, hd_cycle end)
{
    static uint64_t sent[MAX_FLITS], granted[MAX_FLITS];
    uint64_t before_sink = 5 + s->credit_delay, before_router = 2 + s->credit_delay;
    for (uint32_t f = 0; f < MAX_FLITS; f++) {
        bool head = f % s->flits == 0;
        sent[f] = f ? sent[f - 1] + 1 : 1;
        uint64_t ready = f ? granted[f - 1] + 1 : 0;
        if (f >= s->depth)
            sent[f] = later(sent[f], granted[f - s->depth] + before_router);
        ready = later(ready, sent[f] + 2);
        if (head)
            ready += s->routing_delay + 1;
        if (f >= s->depth)
            ready = later(ready, granted[f - s->depth] + before_sink);
        granted[f] = ready;
        if (granted[f] + 3 >= end)
            return f;
    }
    return 0;
}

static void one_vc_does_what_the_recurrence_says(void)
{
    static const uint32_t depths[] = {1, 2, 3, 4, 5, 7, 8, 16}, sizes[] = {1, 2, 5, 9, 20};
    for (int k = 0; k < 8 * 5 * 9; k++) {
        struct setup s = {.vcs = 1,
                          .depth = depths[k % 8],
                          .flits = sizes[k / 8 % 5],
                          .routing_delay = (uint32_t)k / 40 % 3,
                          .credit_delay = (uint32_t)k / 120 * 2,
                          .speedup = 1};
        struct arena *a = arena_new();
        struct lab *l = open_lab(a, &s, s.flits);
        for (hd_cycle t = 97; t < 800; t += 101) {
            uint64_t expected = PORTS * recurrence(&s, t);
            uint64_t flits = flits_until(l, t);
            if (flits != expected)
                print_error("depth %u, %u flits, routing %u, credits %u, cycle %llu\n", s.depth,
                            s.flits, s.routing_delay, s.credit_delay, (unsigned long long)t);
            CHECK_EQ(flits, expected);
        }
        lab_free(l);
        arena_free(a);
    }
}

/* ---- the fractions ---- */

struct fraction {
    uint64_t flits, cycles;
};

/* Derivations, for one VC unless it says otherwise:
 *   1-flit packets: route, VC, switch: a packet every 3 cycles; 2 with lookahead; 1 when VC and
 *   switch are asked for at once, or when the router makes 2 steps per cycle.  With V VCs: V
 *   times that, up to 1.  A buffer of one flit is free again 2 + 2 + 2 cycles after it was filled
 *   (there, route and VC, back): 4 VCs carry 4/6.
 *   L-flit packets: L grants and 2 cycles for the head (1 with lookahead): 5/7, 5/6, 20/22.
 *   Buffers smaller than the loop: the sink's is 5 cycles (3 there, 2 back), so of 4 flits one
 *   cycle in 5 is lost; 5 flits in 8, 20 in 26, and with 2 flits of buffer 20 in 51. */
static struct fraction fraction_of(const struct setup *s)
{
    if (s->flits == 1 && s->depth == 1)
        return (struct fraction){s->vcs, 6};
    if (s->flits == 1) {
        uint64_t period = s->speculative || s->speedup > 1 ? 1 : 2 + s->routing_delay;
        return (struct fraction){s->vcs < period ? s->vcs : period, period};
    }
    if (s->vcs > 1)
        return (struct fraction){1, 1};
    if (s->depth >= 5)
        return (struct fraction){s->flits, s->flits + 1 + s->routing_delay};
    return s->flits == 5   ? (struct fraction){5, 8}
           : s->depth == 4 ? (struct fraction){20, 26}
                           : (struct fraction){20, 51};
}

static void the_reference_service_rates_are_met_exactly(void)
{
    struct arena *a = arena_new();
    struct csv c = csv_rig_read(a, "booksim/micro_vc_service.csv", false);
    CHECK_EQ(c.rows, 20);
    CHECK_EQ(c.columns, 8);
    for (int i = 0; i < c.rows; i++) {
        const double *v = c.row[i].v;
        struct setup s = {.vcs = (uint32_t)v[0],
                          .depth = (uint32_t)v[1],
                          .flits = (uint32_t)v[2],
                          .routing_delay = (uint32_t)v[3],
                          .credit_delay = (uint32_t)v[4],
                          .speculative = v[5] > 0,
                          .speedup = v[6]};
        struct fraction f = fraction_of(&s);
        struct lab *l = open_lab(a, &s, s.flits);
        uint64_t window = 40 * f.cycles * s.flits;
        uint64_t before = flits_until(l, 1000), after = flits_until(l, 1000 + window);
        if ((after - before) * f.cycles != PORTS * window * f.flits)
            print_error("row %d of micro_vc_service.csv\n", i + 2);
        CHECK_EQ((after - before) * f.cycles, PORTS * window * f.flits);
        /* Its sources ran dry at times with 2 VCs and 5 flits: see the next test. */
        if (v[7] < 0.99 || v[7] > 0.999)
            CHECK_NEAR((double)f.flits / (double)f.cycles, v[7], 0.001);
        lab_free(l);
    }
    arena_free(a);
}

/* At an offered load of 1 a source that draws its packets has nothing to send at times. */
static void at_an_offered_load_of_one_the_measured_rates_are_met(void)
{
    struct arena *a = arena_new();
    struct csv c = csv_rig_read(a, "booksim/micro_vc_service.csv", false);
    for (int i = 0; i < c.rows; i++) {
        const double *v = c.row[i].v;
        struct setup s = {.vcs = (uint32_t)v[0],
                          .depth = (uint32_t)v[1],
                          .flits = (uint32_t)v[2],
                          .routing_delay = (uint32_t)v[3],
                          .credit_delay = (uint32_t)v[4],
                          .speculative = v[5] > 0,
                          .speedup = v[6]};
        struct lab *l = open_lab(a, &s, 1);
        uint64_t before = flits_until(l, 5000), after = flits_until(l, 25000);
        double rate = (double)(after - before) / 20000 / PORTS;
        if (fabs(rate - v[7]) > 0.01 * v[7])
            print_error("row %d of micro_vc_service.csv: %g, not %g\n", i + 2, rate, v[7]);
        CHECK_NEAR(rate, v[7], 0.01);
        lab_free(l);
    }
    arena_free(a);
}

/* Whatever the VCs: an allocator of k cycles that holds what it works on carries a flit every k. */
static void allocators_that_hold_carry_a_flit_in_their_time(void)
{
    for (uint32_t extra = 0; extra < 4; extra++) {
        struct arena *a = arena_new();
        struct setup s = {
            .vcs = 8, .depth = 16, .flits = 20, .speedup = 1, .extra = extra, .holds = true};
        struct lab *l = open_lab(a, &s, s.flits);
        uint64_t before = flits_until(l, 1200), after = flits_until(l, 2400);
        CHECK_EQ(after - before, PORTS * 1200 / (1 + extra));
        lab_free(l);
        arena_free(a);
    }
}

/* VCs that send every other cycle, but out of step, fill more than half of a channel together. */
static void pipelined_allocators_carry_more(void)
{
    struct arena *a = arena_new();
    struct setup s = {.vcs = 4, .depth = 16, .flits = 5, .speedup = 1, .extra = 1};
    struct lab *l = open_lab(a, &s, 1);
    uint64_t before = flits_until(l, 5000), after = flits_until(l, 25000);
    CHECK((double)(after - before) / 20000 / PORTS > 0.7);
    lab_free(l);
    arena_free(a);
}

/* One VC by itself is as fast either way: it bids for its next flit when it has sent the last. */
static void one_vc_is_held_up_by_nobody(void)
{
    for (uint32_t k = 0; k < 12; k++) {
        uint64_t flits[2];
        for (int holds = 0; holds < 2; holds++) {
            struct arena *a = arena_new();
            struct setup s = {.vcs = 1,
                              .depth = 2 + k,
                              .flits = 1 + k % 5,
                              .speedup = 1,
                              .extra = 1 + k % 3,
                              .holds = holds};
            struct lab *l = open_lab(a, &s, s.flits);
            flits[holds] = flits_until(l, 3000);
            lab_free(l);
            arena_free(a);
        }
        CHECK(flits[0] > 0);
        CHECK_EQ(flits[1], flits[0]);
    }
}

CHECK_MAIN("service_rate", TEST(one_vc_does_what_the_recurrence_says),
           TEST(the_reference_service_rates_are_met_exactly),
           TEST(at_an_offered_load_of_one_the_measured_rates_are_met),
           TEST(allocators_that_hold_carry_a_flit_in_their_time),
           TEST(pipelined_allocators_carry_more), TEST(one_vc_is_held_up_by_nobody))
