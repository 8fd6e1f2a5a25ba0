/* Sources that want more than there is get equal shares, and what there is gets used. */
#include "check.h"

#include "lab/point.h"
#include "rig/lab_rig.h"

/* Shares are sums of random draws: their spread falls with the square root of the time. */
static struct point saturate(const char *settings, uint32_t cycles)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct point p = {0};
    const struct config *cfg =
        lab_rig_config(a,
                       arena_printf(a, "%s noc.networks=two measure.warmup=3000 measure.cycles=%u",
                                    settings, cycles),
                       &e);
    CHECK_STR(e.text, "");
    point_run(cfg, 1.0, (struct lab_options){0}, &p, NULL, &e);
    CHECK_STR(e.text, "");
    arena_free(a);
    return p;
}

static void check_fair(const char *settings, uint32_t cycles)
{
    struct point p = saturate(settings, cycles);
    print_message("%-85s %.4f  %.3f .. %.3f of the mean\n", settings, p.accepted, p.least, p.most);
    CHECK(p.saturated);
    CHECK(p.least >= 0.95);
    CHECK(p.most <= 1.05);
}

#define XBAR "noc.topology=xbar xbar.inputs=80 xbar.outputs=16 "
#define CDXBAR "noc.topology=cdxbar cdxbar.cores=80 cdxbar.mems=16 "
#define REQUESTS "traffic.pattern=many_to_few "
#define REPLIES "traffic.pattern=few_to_many "

static void a_crossbar_shares_its_outputs_evenly(void)
{
    check_fair(XBAR REQUESTS, 80000);
    check_fair(XBAR REQUESTS "traffic.sizes=5", 300000);
    check_fair(XBAR REQUESTS "router.vcs=1", 80000);
    check_fair(XBAR REPLIES "traffic.sizes=5 router.vcs=1", 20000);
    check_fair(XBAR "traffic.pattern=hotspot traffic.hotspots=3", 40000);
}

static void cdxbar_with_round_robin_ports_shares_them_evenly(void)
{
    check_fair(CDXBAR REQUESTS, 60000);
    check_fair(CDXBAR REQUESTS "traffic.sizes=5", 120000);
    check_fair(CDXBAR REQUESTS "router.vcs=1", 80000);
}

/* ---- how much the round-robin ports bring ---- */

static double carried(const char *settings, const char *routing)
{
    char all[512];
    snprintf(all, sizeof all, "%s cdxbar.routing=%s", settings, routing);
    return saturate(all, 40000).accepted;
}

static void compare_ports(const char *settings, double noise)
{
    double rr = carried(settings, "rr"), source = carried(settings, "source");
    double adaptive = carried(settings, "adaptive");
    print_message("%-85s rr %.4f, %+.1f %% over source, %+.1f %% over adaptive\n", settings, rr,
                  100 * (rr / source - 1), 100 * (rr / adaptive - 1));
    CHECK(rr >= source * (1 - noise));
    CHECK(rr >= adaptive * (1 - noise));
}

static void round_robin_ports_carry_at_least_what_other_choices_carry(void)
{
    /* Requests: 24 converged ports lead to 16 memory nodes, which are the bottleneck whatever
     * the choice.  Replies: the way out of the global crossbar is. */
    compare_ports(CDXBAR REQUESTS, 0.005);
    compare_ports(CDXBAR REQUESTS "traffic.sizes=5", 0.005);
    compare_ports(CDXBAR REPLIES, 0);
    compare_ports(CDXBAR REPLIES "traffic.sizes=5", 0);
    compare_ports(CDXBAR REPLIES "router.vcs=1 traffic.sizes=5", 0);
}

CHECK_MAIN("fairness", TEST(a_crossbar_shares_its_outputs_evenly),
           TEST(cdxbar_with_round_robin_ports_shares_them_evenly),
           TEST(round_robin_ports_carry_at_least_what_other_choices_carry))
