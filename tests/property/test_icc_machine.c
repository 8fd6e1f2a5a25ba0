/* Whole machines with intra-cluster coalescing: how they are run changes nothing, what is merged
 * is conserved (machine_finish), and the analysis of locality costs no simulated time. */
#include "check.h"

#include "../../workloads/workload.h"
#include "machine/machine.h"
#include "rig/machine_rig.h"
#include "rig/workload_rig.h"

struct result {
    uint64_t digest, cycles;
    double merges, hits, lookups, partial, written;
};

static void must(bool ok, const struct err *e)
{
    if (!ok)
        print_error("%s\n", e->text);
    CHECK(ok);
}

static struct config *config_of(struct arena *a, const char *machine, const char *settings)
{
    struct err e = {0};
    struct config *c = machine_config(a);
    must(config_load(c, arena_printf(a, "%s/machines/%s.yaml", HEDDLE_SOURCE_DIR, machine), &e),
         &e);
    char *text = arena_strdup(a, settings), *rest = NULL;
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        must(config_set(c, w, &e), &e);
    return c;
}

static struct result run(const struct config *c, const char *workload,
                         const struct machine_options *opt)
{
    struct err e = {0};
    struct machine *m = machine_new(c, opt, &e);
    must(m != NULL, &e);
    struct stream_source *source = workload_rig_source(workload, false);
    must(machine_run_source(m, source, &e), &e);
    stream_source_free(source);
    must(machine_finish(m, &e), &e);
    struct arena *a = arena_new();
    const struct stats_snapshot *s = stats_snapshot(machine_stats(m), a);
    struct result r = {.digest = machine_digest(m),
                       .cycles = machine_cycles(m),
                       .merges = stats_snapshot_value(s, "icc.merges"),
                       .hits = stats_snapshot_value(s, "icc.cc_hits"),
                       .lookups = stats_snapshot_value(s, "icc.lookups"),
                       .partial = stats_snapshot_value(s, "icc.pass_partial"),
                       .written = stats_snapshot_value(s, "icc.cc_invalidations")};
    arena_free(a);
    machine_free(m);
    return r;
}

static const struct shape {
    const char *machine, *settings, *workload;
} shapes[] = {
    {"icc60", "icc.enabled=true", "NN"},
    {"icc60", "icc.enabled=true icc.cc_lines=24", "BT"},
    {"icc60", "icc.enabled=true icc.cc_lines=8 gpu.clusters=7 gpu.sms=30 xbar.inputs=7", "NN"},
    {"icc60",
     "icc.enabled=true icc.cc_lines=24 icc.entries=8 gpu.clusters=3 gpu.sms_per_cluster=20 "
     "xbar.inputs=3 noc.clock=1.9GHz",
     "BT"},
    {"icc60",
     "icc.enabled=true icc.cc_lines=4 icc.broadcast=false l1.sectored=true gpu.clusters=4 "
     "xbar.inputs=4 l2.clock=0.7GHz",
     "BT"},
};
enum { NSHAPES = sizeof shapes / sizeof shapes[0] };

static const struct machine_options ways[] = {{.reversed = true},
                                              {.no_skip = true, .reversed = true},
                                              {.threads = 2},
                                              {.check = true, .details = true}};

static void every_way_of_running_a_machine_with_icc_gives_the_same_digest(void)
{
    struct result sum = {0};
    for (int i = 0; i < NSHAPES; i++) {
        struct arena *a = arena_new();
        const struct config *c = config_of(a, shapes[i].machine, shapes[i].settings);
        struct result plain = run(c, shapes[i].workload, &(struct machine_options){0});
        for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
            CHECK_EQ(run(c, shapes[i].workload, &ways[k]).digest, plain.digest);
        CHECK(plain.merges > 0);
        sum.hits += plain.hits;
        sum.partial += plain.partial;
        sum.written += plain.written;
        arena_free(a);
    }
    CHECK(sum.hits > 0 && sum.partial > 0 && sum.written > 0); /* all of it was there */
}

static void looking_for_locality_takes_no_simulated_time(void)
{
    struct arena *a = arena_new();
    const struct machine_options none = {0};
    const struct config *c = config_of(a, "icc60", "");
    const struct config *looks = config_of(a, "icc60", "locality.windows=[500,1000,1500,2000]");
    struct result plain = run(c, "MM", &none), seen = run(looks, "MM", &none);
    CHECK_EQ(seen.cycles, plain.cycles);
    CHECK(isnan(plain.lookups)); /* a machine without ICC has none of its statistics */
    arena_free(a);
}

/* ---- kernels of one load ---- */

static void one_line_for_all(const void *context, const struct machine_rig_at *at,
                             struct stream_access *a)
{
    (void)context;
    (void)at;
    a->pattern = PATTERN_STRIDE;
    a->base = 0x1000;
    a->stride = 4;
}

static void sms_of_a_cluster_share_a_line_but_kernels_do_not(void)
{
    struct machine_rig r;
    const struct stream_insn load = machine_rig_load(STREAM_GLOBAL, 0, REG_NONE);
    const struct machine_rig_kernel k = {
        .insn = &load, .ninsns = 1, .loops = 1, .ctas = 4, .address = one_line_for_all};
    machine_rig_open(&r, machine_rig_small,
                     "gpu.sms_per_cluster=4 icc.enabled=true icc.cc_lines=24 "
                     "locality.windows=[2000]");
    for (int i = 0; i < 2; i++) {
        machine_rig_run(&r, &k);
        CHECK_NEAR(machine_rig_stat(&r, "icc.lookups"), 4, 0);
        CHECK_NEAR(machine_rig_stat(&r, "icc.merges"), 3, 0);
        CHECK_NEAR(machine_rig_stat(&r, "icc.cc_fills"), 1, 0);
        CHECK_NEAR(machine_rig_stat(&r, "icc.cc_hits"), 0, 0);
        CHECK_NEAR(machine_rig_stat(&r, "cluster.reads"), 1, 0);
        CHECK_NEAR(machine_rig_stat(&r, "l2.requests"), 1, 0);
        CHECK_NEAR(machine_rig_stat(&r, "l1.read.answers"), 4, 0);
        /* The line was asked for by the last kernel, too, as another CTA. */
        CHECK_NEAR(machine_rig_stat(&r, "locality.redundant_1"), 3 + i, 0);
        CHECK_NEAR(machine_rig_stat(&r, "locality.data_1"), 3 + i, 0);
    }
    machine_rig_close(&r);
}

CHECK_MAIN("icc machine", TEST(every_way_of_running_a_machine_with_icc_gives_the_same_digest),
           TEST(looking_for_locality_takes_no_simulated_time),
           TEST(sms_of_a_cluster_share_a_line_but_kernels_do_not))
