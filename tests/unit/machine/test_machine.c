/* Kernels on a small machine: one after another, within budgets, in any number of threads. */
#include "check.h"
#include "machine/machine.h"
#include "rig/sm_rig.h"
#include "sim/stats_snapshot.h"

struct world {
    struct arena *a;
    struct machine *m;
    struct stream_store *k;
    uint64_t on_sm[4]; /* CTAs that ended there */
    uint32_t calls;
    struct machine_progress last;
};

static void note_cta(void *context, uint32_t sm, uint32_t slot, const char *kernel, uint32_t cta,
                     uint64_t begin, uint64_t end)
{
    struct world *w = context;
    CHECK(sm < 4 && cta < 20 && begin < end && slot < 8);
    CHECK_STR(kernel, "k");
    w->on_sm[sm]++;
}

static void note_progress(void *context, const struct machine_progress *p)
{
    struct world *w = context;
    w->calls++;
    w->last = *p;
}

static void open_world(struct world *w, const char *const *set, struct machine_options opt)
{
    struct err e = {0};
    *w = (struct world){.a = arena_new(), .k = machine_rig_kernel("k", 1 << 20)};
    opt.context = w;
    opt.cta_done = note_cta;
    opt.progress = note_progress;
    w->m = machine_new(machine_rig_config(w->a, set), &opt, &e);
    CHECK_STR(e.text, "");
}

static void close_world(struct world *w)
{
    machine_free(w->m);
    stream_store_free(w->k);
    arena_free(w->a);
}

static void run(struct world *w)
{
    struct err e = {0};
    CHECK(machine_run(w->m, w->k, &e));
    CHECK_STR(e.text, "");
}

static double value(const struct world *w, const char *name)
{
    return stats_snapshot_value(stats_snapshot(machine_stats(w->m), w->a), name);
}

static double of_kernel(const struct world *w, uint32_t i, const char *name)
{
    const struct machine_kernel *k = machine_kernel(w->m, i);
    return stats_snapshot_value(k->after, name) - stats_snapshot_value(k->before, name);
}

static void a_kernel_runs_to_its_end(void)
{
    struct world w;
    struct err e = {0};
    open_world(&w, NULL, (struct machine_options){.check = true});
    run(&w);
    const struct machine_kernel *k = machine_kernel(w.m, 0);
    CHECK_EQ(machine_nkernels(w.m), 1);
    CHECK_STR(k->name, "k");
    CHECK(k->ctas == 20 && k->ctas_done == 20 && k->grid[0] == 20 && k->block[0] == 128);
    CHECK_EQ(k->ctas_per_sm, 8);
    CHECK_STR(k->limit, "CTAs");
    CHECK_NEAR(k->waves, 20.0 / 32, 1e-12);
    CHECK(k->begin == 0 && k->end == machine_cycles(w.m));
    CHECK_NEAR(value(&w, "sm.ctas"), 20, 0);
    CHECK_NEAR(value(&w, "sm.issued"), 20 * 4 * 6, 0);
    CHECK(w.on_sm[0] == 5 && w.on_sm[1] == 5 && w.on_sm[2] == 5 && w.on_sm[3] == 5);
    CHECK(w.calls > 0 && w.last.ctas_done == 20 && w.last.ctas == 20);
    CHECK_EQ(w.last.warp_insns, 480);
    CHECK_EQ(w.last.thread_insns, 480 * 32);
    CHECK(machine_finish(w.m, &e));
    close_world(&w);
}

static void between_kernels_the_l1_forgets_and_the_l2_remembers(void)
{
    struct world w;
    open_world(&w, NULL, (struct machine_options){0});
    run(&w);
    run(&w);
    CHECK_EQ(machine_nkernels(w.m), 2);
    CHECK(machine_kernel(w.m, 1)->begin >= machine_kernel(w.m, 0)->end);
    CHECK(of_kernel(&w, 0, "l1.global.misses") > 80);
    CHECK_NEAR(of_kernel(&w, 1, "l1.global.misses") + of_kernel(&w, 1, "l1.global.merges"),
               of_kernel(&w, 0, "l1.global.misses") + of_kernel(&w, 0, "l1.global.merges"), 0.1);
    CHECK_NEAR(of_kernel(&w, 1, "l1.global.misses"), of_kernel(&w, 0, "l1.global.misses"), 0);
    CHECK(of_kernel(&w, 0, "l2.read_misses") > 80);
    CHECK_NEAR(of_kernel(&w, 1, "l2.read_misses"), 0, 0);
    CHECK_NEAR(of_kernel(&w, 1, "dram.reads"), 0, 0);
    CHECK(machine_kernel(w.m, 1)->end - machine_kernel(w.m, 1)->begin <
          machine_kernel(w.m, 0)->end - machine_kernel(w.m, 0)->begin);
    close_world(&w);
}

static uint64_t cycles_of_two(const char *latency)
{
    const char *const set[] = {latency, NULL};
    struct world w;
    open_world(&w, set, (struct machine_options){0});
    run(&w);
    run(&w);
    uint64_t n = machine_cycles(w.m);
    close_world(&w);
    return n;
}

static void every_launch_takes_its_latency(void)
{
    uint64_t at_once = cycles_of_two("gpu.launch_latency=0");
    CHECK_EQ(cycles_of_two("gpu.launch_latency=1000"), at_once + 2000);
    CHECK_EQ(cycles_of_two("gpu.launch_latency=100000"), at_once + 200000);
}

static void kernels_keep_to_the_sms_they_are_given(void)
{
    static const char *const some[] = {"gpu.sm_first=1", "gpu.sm_count=2", NULL};
    static const char *const rest[] = {"gpu.sm_first=3", NULL};
    struct world w;
    open_world(&w, some, (struct machine_options){0});
    run(&w);
    CHECK(w.on_sm[0] == 0 && w.on_sm[1] >= 8 && w.on_sm[2] >= 8 && w.on_sm[3] == 0);
    CHECK_EQ(w.on_sm[1] + w.on_sm[2], 20);
    CHECK_NEAR(machine_kernel(w.m, 0)->waves, 20.0 / 16, 1e-12);
    close_world(&w);
    open_world(&w, rest, (struct machine_options){0});
    run(&w);
    CHECK_EQ(w.on_sm[3], 20);
    close_world(&w);
}

static uint64_t digest(struct machine_options opt, const char *const *set)
{
    struct world w;
    open_world(&w, set, opt);
    run(&w);
    run(&w);
    uint64_t d = machine_digest(w.m);
    close_world(&w);
    return d;
}

static void how_it_is_run_changes_nothing(void)
{
    static const char *const clocks[] = {"noc.clock=700MHz", "l2.clock=1.3GHz", "dram.clock=900MHz",
                                         "sm.schedulers=1", NULL};
    static const char *const *const sets[] = {NULL, clocks};
    for (int i = 0; i < 2; i++) {
        uint64_t d = digest((struct machine_options){0}, sets[i]);
        CHECK_EQ(digest((struct machine_options){.no_skip = true}, sets[i]), d);
        CHECK_EQ(digest((struct machine_options){.reversed = true}, sets[i]), d);
        CHECK_EQ(digest((struct machine_options){.check = true}, sets[i]), d);
        CHECK_EQ(digest((struct machine_options){.threads = 2}, sets[i]), d);
        CHECK_EQ(digest((struct machine_options){.details = true}, sets[i]), d);
        CHECK_EQ(digest((struct machine_options){.series_period = 37}, sets[i]), d);
    }
    CHECK(digest((struct machine_options){0}, NULL) != digest((struct machine_options){0}, clocks));
}

static void a_run_stops_at_the_last_cycle_it_may_have(void)
{
    struct world w;
    struct err e = {0};
    open_world(&w, NULL, (struct machine_options){.max_cycles = 123});
    CHECK(!machine_run(w.m, w.k, &e));
    CHECK_EQ(e.status, STATUS_BUDGET);
    CHECK_STR(e.text, "stopped after 123 cycles (--max-cycles)");
    CHECK_EQ(machine_cycles(w.m), 123);
    CHECK_EQ(machine_kernel(w.m, 0)->end, 123);
    CHECK(machine_kernel(w.m, 0)->ctas_done < 20);
    CHECK(value(&w, "sm.issued") > 0 && value(&w, "sm.issued") < 480);
    close_world(&w);
}

static void a_run_stops_soon_after_the_last_instruction_it_may_have(void)
{
    struct world w;
    struct err e = {0};
    open_world(&w, NULL, (struct machine_options){.max_insns = 100});
    CHECK(!machine_run(w.m, w.k, &e));
    CHECK_EQ(e.status, STATUS_BUDGET);
    CHECK(value(&w, "sm.issued") >= 100 && value(&w, "sm.issued") < 108);
    close_world(&w);
}

static void a_cta_that_no_sm_can_hold_is_refused(void)
{
    static const char *const small[] = {"sm.threads=64", "sm.schedulers=1", NULL};
    struct world w;
    struct err e = {0};
    open_world(&w, small, (struct machine_options){0});
    CHECK(!machine_run(w.m, w.k, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, "kernel k: a CTA needs 128 (threads), an SM of this machine has 64");
    close_world(&w);
}

CHECK_MAIN("machine", TEST(a_kernel_runs_to_its_end),
           TEST(between_kernels_the_l1_forgets_and_the_l2_remembers),
           TEST(every_launch_takes_its_latency), TEST(kernels_keep_to_the_sms_they_are_given),
           TEST(how_it_is_run_changes_nothing), TEST(a_run_stops_at_the_last_cycle_it_may_have),
           TEST(a_run_stops_soon_after_the_last_instruction_it_may_have),
           TEST(a_cta_that_no_sm_can_hold_is_refused))
