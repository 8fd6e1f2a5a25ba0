#include "check.h"

#include "fabric/netcost.h"
#include "lab/point.h"
#include "rig/lab_rig.h"

#define MESH4 "mesh.width=4 mesh.height=4 "

/* One point with these settings; fails the test when it is refused. */
static struct point run(const char *settings, double rate)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct point p = {0};
    struct config *c = lab_rig_config(a, settings, &e);
    if (c)
        point_run(c, rate, (struct lab_options){0}, &p, NULL, &e);
    CHECK_STR(e.text, "");
    arena_free(a);
    return p;
}

static bool is_same(const struct point *a, const struct point *b)
{
    return a->digest == b->digest && a->cycles == b->cycles && a->packets == b->packets &&
           a->mean == b->mean && a->accepted == b->accepted && a->p99 == b->p99 &&
           a->ci95 == b->ci95 && a->hops == b->hops && a->saturated == b->saturated &&
           a->least == b->least && a->most == b->most && a->flit_hops == b->flit_hops;
}

static void a_point_below_saturation_converges_and_accepts_what_is_offered(void)
{
    struct point p = run(MESH4, 0.2);
    CHECK(p.converged);
    CHECK(!p.saturated);
    CHECK_NEAR(p.accepted, 0.2, 0.02);
    CHECK(p.ci95 <= 0.01 * p.mean * 1.2);
    CHECK(p.p50 <= p.mean * 1.2 && p.p50 <= p.p99 && p.p99 <= p.max);
    CHECK_NEAR(p.network + p.queueing, p.mean, 1e-9);
    CHECK(p.packets > 1000);
    CHECK(p.warmup >= 4000);
    CHECK(p.cycles > p.warmup);
    CHECK(p.busiest > 0.1 && p.busiest <= 1);
}

/* Mean distance in a row of k, both ends uniform: (k^2 - 1) / (3 k) = 1.25 for k = 4; a packet
 * enters one router more than it crosses links. */
static void mean_hops_are_those_of_the_closed_form(void)
{
    CHECK_NEAR(run(MESH4, 0.2).hops, 2 * 1.25 + 1, 0.01);
}

static void an_ideal_network_has_the_latency_it_is_given_at_any_load(void)
{
    for (int i = 1; i <= 9; i += 4) {
        struct point p = run("noc.topology=ideal ideal.nodes=16 ideal.latency=7", i / 10.0);
        CHECK_NEAR(p.mean, 7, 0);
        CHECK_NEAR(p.max, 7, 0);
        CHECK_NEAR(p.accepted, i / 10.0, 0.03);
        CHECK(!p.saturated && p.converged);
    }
}

static void a_narrower_interval_takes_longer(void)
{
    struct point wide = run(MESH4 "measure.ci=0.05", 0.4);
    struct point narrow = run(MESH4 "measure.ci=0.003 measure.max_batches=1000", 0.4);
    CHECK(wide.converged && narrow.converged);
    CHECK(narrow.cycles > wide.cycles);
    CHECK(narrow.ci95 < wide.ci95);
    CHECK(narrow.ci95 <= 0.003 * 1.2 * narrow.mean);
    CHECK(fabs(narrow.mean - wide.mean) < 3 * (wide.ci95 + narrow.ci95));
}

/* The interval of ten times the time is about sqrt(10) times as narrow. */
static void the_interval_shrinks_with_the_root_of_the_time(void)
{
    struct point brief = run(MESH4 "measure.cycles=20000 measure.warmup=2000", 0.4);
    struct point lengthy = run(MESH4 "measure.cycles=200000 measure.warmup=2000", 0.4);
    CHECK(lengthy.ci95 < brief.ci95 / 1.8);
    CHECK(lengthy.ci95 > brief.ci95 / 6);
}

static void fixed_times_are_kept(void)
{
    struct point p = run(MESH4 "measure.cycles=2500 measure.warmup=700", 0.1);
    CHECK_EQ(p.warmup, 701);
    CHECK(p.cycles >= 3200 && p.cycles < 3200 + 500); /* and the last packets' way */
    CHECK_NEAR(p.packets, 0.1 * 16 * 2500, 0.06);
}

static void more_than_the_network_takes_is_saturated(void)
{
    /* All to one sink: four sources share its one flit per cycle. */
    struct point p = run("noc.topology=xbar xbar.inputs=4 xbar.outputs=4 traffic.pattern=hotspot "
                         "traffic.hotspots=0",
                         0.5);
    CHECK(p.saturated);
    CHECK_NEAR(p.accepted, 0.25, 0.01);
    CHECK_NEAR(p.least, 1, 0.05);
    CHECK_NEAR(p.most, 1, 0.05);
    CHECK_NEAR(p.busiest, 1, 0.02);
}

static struct saturation search(const char *settings, double step)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct saturation s = {0};
    const struct config *c = lab_rig_config(a, settings, &e);
    CHECK_STR(e.text, "");
    CHECK(point_saturation(c, step, (struct lab_options){0}, &s, &e));
    arena_free(a);
    return s;
}

static void the_saturation_search_finds_the_closed_form(void)
{
    /* All to one of four sinks, a flit per cycle: a quarter of a flit for each source. */
    struct saturation s = search("noc.topology=xbar xbar.inputs=4 xbar.outputs=4 "
                                 "traffic.pattern=hotspot traffic.hotspots=0",
                                 0.02);
    CHECK_NEAR(s.peak.accepted, 0.25, 0.01);
    CHECK(s.peak.offered > 0.24);
    CHECK(s.knee.offered > 0.25 - 0.02 && s.knee.offered < 0.25);
    CHECK(s.knee.settled && !s.knee.saturated);
    s = search("noc.topology=xbar noc.networks=two xbar.inputs=8 xbar.outputs=4 "
               "traffic.pattern=few_to_many",
               0.02);
    CHECK(s.peak.accepted > 0.8 && s.peak.accepted <= 1);
    CHECK(s.knee.settled && s.knee.offered <= s.peak.offered);
}

static void the_knee_is_the_highest_load_that_settles(void)
{
    static const char settings[] = MESH4 "measure.ci=0.02";
    struct saturation s = search(settings, 0.02);
    CHECK(s.knee.settled && s.knee.mean <= 3 * s.knee.zero_load);
    CHECK(s.knee.accepted > 0.98 * s.knee.offered);
    CHECK(s.peak.accepted >= s.knee.accepted);
    CHECK(!run(settings, s.knee.offered + 0.03).settled);
    struct saturation early = search(MESH4 "measure.ci=0.02 measure.settle=1.3", 0.02);
    CHECK(early.knee.settled && early.knee.mean <= 1.3 * early.knee.zero_load);
    CHECK(early.knee.offered < s.knee.offered - 0.02);
}

/* Just past the knee the network takes all but a few per cent, and latency grows for ever. */
static void a_load_past_the_knee_that_is_accepted_does_not_settle(void)
{
    struct point p =
        run("mesh.width=8 mesh.height=8 measure.warmup=4000 measure.cycles=40000", 0.425);
    CHECK(!p.saturated);
    CHECK(!p.settled);
    CHECK(p.mean > 3 * p.zero_load);
    p = run("mesh.width=8 mesh.height=8 measure.warmup=4000 measure.cycles=40000", 0.4);
    CHECK(!p.saturated && p.settled);
}

static void a_saturated_point_is_never_settled(void)
{
    struct point p = run("noc.topology=xbar xbar.inputs=4 xbar.outputs=4 traffic.pattern=hotspot "
                         "traffic.hotspots=0 measure.settle=1000000",
                         0.5);
    CHECK(p.saturated && !p.settled);
}

/* However coarse the step is, a load that settles is looked for. */
static void a_knee_below_the_step_is_found(void)
{
    struct saturation s = search("noc.topology=xbar xbar.inputs=16 xbar.outputs=16 "
                                 "traffic.pattern=hotspot traffic.hotspots=0",
                                 0.5);
    CHECK(s.knee.settled);
    CHECK(s.knee.offered > 0 && s.knee.offered < 1.0 / 16);
}

static void zero_load_is_what_a_light_load_takes(void)
{
    static const char *const settings[] = {
        MESH4 "traffic.sizes=1,5",
        "noc.topology=torus torus.width=4 torus.height=3",
        "noc.topology=ideal ideal.nodes=16 ideal.latency=7",
        "noc.topology=cdxbar noc.networks=two traffic.pattern=request_reply cdxbar.link_latency=3",
    };
    for (int i = 0; i < 4; i++) {
        struct point p = run(settings[i], 0.01);
        CHECK_NEAR(p.mean, p.zero_load, 0.02);
        CHECK(p.settled);
    }
}

static void a_network_that_takes_everything_has_its_saturation_at_one(void)
{
    struct saturation s = search("noc.topology=ideal ideal.nodes=16", 0.1);
    CHECK_NEAR(s.knee.offered, 1, 0);
    CHECK_NEAR(s.peak.offered, 1, 0);
    CHECK(!s.knee.saturated && s.knee.settled);
}

static int calls, last_done, last_total;

static void note_progress(int done, int total, double left_s)
{
    calls++;
    last_done = done;
    last_total = total;
    CHECK(left_s >= 0);
}

static void several_threads_give_the_results_of_one(void)
{
    static const double rates[] = {0.05, 0.1, 0.2, 0.3, 0.4, 0.15, 0.25};
    enum { N = sizeof rates / sizeof rates[0] };
    struct arena *a = arena_new();
    struct err e = {0};
    struct point one[N], four[N];
    const struct config *c =
        lab_rig_config(a, MESH4 "measure.cycles=3000 measure.warmup=500 traffic.sizes=1,5", &e);
    calls = 0;
    CHECK(point_sweep(c, rates, N, &(struct sweep_options){.threads = 1, .progress = note_progress},
                      one, &e));
    CHECK_EQ(calls, N);
    CHECK_EQ(last_done, N);
    CHECK_EQ(last_total, N);
    CHECK(point_sweep(c, rates, N, &(struct sweep_options){.threads = 4}, four, &e));
    for (int i = 0; i < N; i++) {
        struct point alone;
        CHECK_NEAR(one[i].offered, rates[i], 0); /* results in the order of the rates */
        CHECK(is_same(&one[i], &four[i]));
        CHECK(point_run(c, rates[i], (struct lab_options){0}, &alone, NULL, &e));
        CHECK(is_same(&one[i], &alone));
    }
    arena_free(a);
}

static void more_threads_than_points_do_no_harm(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct point p;
    const double rate = 0.1;
    const struct config *c = lab_rig_config(a, MESH4 "measure.cycles=1000 measure.warmup=100", &e);
    CHECK(point_sweep(c, &rate, 1, &(struct sweep_options){.threads = 64}, &p, &e));
    CHECK_NEAR(p.offered, 0.1, 0);
    arena_free(a);
}

static void kept_labs_are_those_of_the_points(void)
{
    static const double rates[] = {0.1, 0.2};
    struct arena *a = arena_new();
    struct err e = {0};
    struct point p[2];
    struct lab *labs[2] = {NULL, NULL};
    const struct config *c = lab_rig_config(a, MESH4 "measure.cycles=1000 measure.warmup=100", &e);
    CHECK(point_sweep(c, rates, 2, &(struct sweep_options){.threads = 2, .keep = labs}, p, &e));
    for (int i = 0; i < 2; i++) {
        CHECK(labs[i] != NULL);
        CHECK_EQ(lab_totals(labs[i]).digest, p[i].digest);
        CHECK_EQ(lab_now(labs[i]), p[i].cycles);
        lab_free(labs[i]);
    }
    arena_free(a);
}

static void one_bad_point_fails_the_sweep_with_its_error(void)
{
    static const double rates[] = {0.1, 3, 0.2};
    struct arena *a = arena_new();
    struct err e = {0};
    struct point p[3];
    const struct config *c = lab_rig_config(a, MESH4 "measure.cycles=500 measure.warmup=100", &e);
    CHECK(!point_sweep(c, rates, 3, &(struct sweep_options){.threads = 2}, p, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, "traffic.rate: 3 flits/node/cycle is more than one packet per cycle");
    arena_free(a);
}

static void the_budget_of_a_point_is_kept(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct point p;
    struct saturation s;
    const struct config *c = lab_rig_config(a, MESH4 "measure.max_cycles=5000", &e);
    CHECK(!point_run(c, 0.1, (struct lab_options){0}, &p, NULL, &e));
    CHECK_EQ(e.status, STATUS_BUDGET);
    e = (struct err){0};
    CHECK(!point_saturation(c, 0.1, (struct lab_options){0}, &s, &e));
    CHECK_EQ(e.status, STATUS_BUDGET);
    arena_free(a);
}

static void a_closed_loop_reports_round_trips(void)
{
    struct point p = run("noc.topology=xbar noc.networks=two xbar.inputs=8 xbar.outputs=4 "
                         "traffic.pattern=request_reply",
                         0.2);
    CHECK(p.round_trip > 20 + 2 * 4); /* service and two ways */
    CHECK(p.round_trip_p99 >= p.round_trip * 0.9);
    CHECK_NEAR(p.accepted, 0.2, 0.03);
    CHECK(run(MESH4, 0.1).round_trip <= 0);
}

/* Every hop is a flit through a 5x5 router and over one link; each flit has one link more, into
 * the network.  Of a flit per packet, every flit asks for a VC. */
static void power_is_leakage_and_clocks_and_what_flits_take(void)
{
    static const char settings[] = MESH4 "measure.warmup=2000 measure.cycles=20000";
    struct arena *a = arena_new();
    struct err e = {0};
    const struct config *c = lab_rig_config(a, settings, &e);
    const struct noc_spec *noc = config_get(c, &noc_section);
    struct fabric g;
    struct netcost cost;
    CHECK(fabric_of(c, a, &g, &e) && netcost_of(c, g.graph[0], g.name[0], a, &cost, &e));
    CHECK(cost.kinds->nrouters == 1 && cost.kinds->nlinks == 1);
    struct point low = run(settings, 0.05), high = run(settings, 0.2);
    double routers = netcost_flit(&cost.router[0], 1), link = cost.link[0].cost.energy;
    double taken[2], idle = cost.clock_cycle * noc->clock;
    for (int i = 0; i < NETCOST_PARTS; i++)
        idle += cost.leak[i];
    for (int i = 0; i < 2; i++) {
        const struct point *p = i ? &high : &low;
        taken[i] = 16 * p->accepted * noc->clock * (p->hops * (routers + link) + link);
        CHECK_NEAR(p->power, idle + taken[i], 0.01);
    }
    CHECK_NEAR(high.power - low.power, taken[1] - taken[0], 0.02);
    CHECK(run("noc.topology=ideal ideal.nodes=16", 0.1).power <= 0);
    arena_free(a);
}

CHECK_MAIN("point", TEST(power_is_leakage_and_clocks_and_what_flits_take),
           TEST(a_point_below_saturation_converges_and_accepts_what_is_offered),
           TEST(mean_hops_are_those_of_the_closed_form),
           TEST(an_ideal_network_has_the_latency_it_is_given_at_any_load),
           TEST(a_narrower_interval_takes_longer),
           TEST(the_interval_shrinks_with_the_root_of_the_time), TEST(fixed_times_are_kept),
           TEST(more_than_the_network_takes_is_saturated),
           TEST(the_saturation_search_finds_the_closed_form),
           TEST(the_knee_is_the_highest_load_that_settles),
           TEST(a_load_past_the_knee_that_is_accepted_does_not_settle),
           TEST(a_saturated_point_is_never_settled), TEST(a_knee_below_the_step_is_found),
           TEST(zero_load_is_what_a_light_load_takes),
           TEST(a_network_that_takes_everything_has_its_saturation_at_one),
           TEST(several_threads_give_the_results_of_one), TEST(more_threads_than_points_do_no_harm),
           TEST(kept_labs_are_those_of_the_points),
           TEST(one_bad_point_fails_the_sweep_with_its_error), TEST(the_budget_of_a_point_is_kept),
           TEST(a_closed_loop_reports_round_trips))
