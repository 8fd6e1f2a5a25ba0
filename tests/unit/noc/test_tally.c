/* Flits by kind are the flits that channels have counted. */
#include "check.h"

#include "rig/lab_rig.h"
#include "sim/stats_snapshot.h"

static double value(const struct stats_snapshot *s, const char *name)
{
    CHECK(stats_snapshot_has(s, name));
    return stats_snapshot_value(s, name);
}

static void routers_and_links_of_a_drained_network_have_seen_every_flit(void)
{
    struct err e = {0};
    struct arena *a = arena_new();
    struct config *cfg = lab_rig_config(a,
                                        "noc.topology=cdxbar noc.networks=two "
                                        "traffic.pattern=request_reply cdxbar.core_mm=3.3",
                                        &e);
    CHECK(cfg != NULL);
    struct lab *l = lab_new(cfg, 0.05, (struct lab_options){0}, &e);
    CHECK(l && lab_run(l, 2000, &e) && lab_drain(l, 100000, &e));
    struct stats *tree = stats_new(a);
    lab_add_stats(l, tree);
    const struct stats_snapshot *s = stats_snapshot(tree, a);
    double in = value(s, "noc.request.flits_in");
    CHECK(in > 1000);
    CHECK(value(s, "noc.request.router_10x3.flits") == in);
    CHECK(value(s, "noc.request.router_24x16.flits") == in);
    CHECK(value(s, "noc.request.link_3300um.flits") == in);      /* cores */
    CHECK(value(s, "noc.request.link_12300um.flits") == 2 * in); /* to the global, to memory */
    double hops =
        2 * in + value(s, "noc.reply.router_3x10.flits") + value(s, "noc.reply.router_16x24.flits");
    CHECK(hops == (double)lab_totals(l).flit_hops);
    lab_free(l);
    arena_free(a);
}

static void flits_on_a_shared_channel_are_those_of_all_its_writers(void)
{
    struct err e = {0};
    struct arena *a = arena_new();
    struct config *cfg = lab_rig_config(a, "noc.topology=mwsr", &e);
    CHECK(cfg != NULL);
    struct lab *l = lab_new(cfg, 0.1, (struct lab_options){0}, &e);
    CHECK(l && lab_run(l, 1000, &e) && lab_drain(l, 100000, &e));
    struct stats *tree = stats_new(a);
    lab_add_stats(l, tree);
    const struct stats_snapshot *s = stats_snapshot(tree, a);
    double in = value(s, "noc.flits_in");
    CHECK(in > 1000);
    CHECK(value(s, "noc.optical_24600um_2c_16w.flits") == in);
    CHECK(value(s, "noc.link_1000um.flits") == 2 * in);
    const struct noc *n = lab_network(l, 0);
    double sum = 0;
    for (uint32_t w = 0; w < 16; w++)
        sum += noc_out_load(n, w * 16 + 3);
    CHECK(sum > 0);
    CHECK_NEAR(noc_channel_load(n, 3), sum, 1e-12);
    CHECK_NEAR(noc_channel_load(n, 16 * 9 + 3), sum, 1e-12);
    lab_free(l);
    arena_free(a);
}

CHECK_MAIN("tally", TEST(routers_and_links_of_a_drained_network_have_seen_every_flit),
           TEST(flits_on_a_shared_channel_are_those_of_all_its_writers))
