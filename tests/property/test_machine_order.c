/* Whole machines: the result is a function of configuration and streams.  The order in which
 * components tick, skipping, the number of threads, audits, details and samples change nothing;
 * another parameter does.
 *
 * HEDDLE_CHECK_FULL=1 in the environment takes every workload. */
#include "check.h"

#include "../../workloads/workload.h"
#include "machine/machine.h"
#include "rig/workload_rig.h"

struct shape {
    const char *machine, *settings; /* separated by blanks */
    const char *workload;           /* of the quick form */
};

/* Clocks, topologies, numbers of SMs per port, with and without an L1; one network or two. */
static const struct shape shapes[] = {
    {"icc60", "", "HS"},
    {"icc60", "gpu.clock=1GHz noc.clock=1.9GHz l2.clock=0.7GHz sm.scheduler=two_level", "HS"},
    {"icc60", "gpu.clusters=5 xbar.inputs=5 mc.channels=7 xbar.outputs=7 mc.scheduler=fifo", "HS"},
    {"cdxbar80", "", "HS"},
    {"sharing15", "sm.scheduler=lrr", "LUD"},
    {"sharing15", "noc.networks=one router.vcs=2", "2DCONV"},
    {"intra56", "", "2DCONV"},
    {"volta", "", "HS"},
    {"icc60", "l2.enabled=false", "LUD"},
    {"icc60", "l2.write_through=true l2.port_bytes=32 l2.latency_clock=sm l2.clock=0.7GHz", "LUD"},
    {"icc60", "l2.gated=true l2.memory_queue=8 l2.fill_queue=8 l2.write_fetch=false", "LUD"},
};
enum { NSHAPES = sizeof shapes / sizeof shapes[0] };

static const struct {
    const char *name;
    struct machine_options opt;
} ways[] = {
    {"in reversed order", {.reversed = true}},
    {"without skipping, reversed", {.no_skip = true, .reversed = true}},
    {"in two threads", {.threads = 2}},
    {"in three threads, reversed", {.threads = 3, .reversed = true}},
    {"audited, with details and samples", {.check = true, .details = true, .series_period = 100}},
};
enum { NWAYS = sizeof ways / sizeof ways[0] };

static void must(bool ok, const struct err *e)
{
    if (!ok)
        print_error("%s\n", e->text);
    CHECK(ok);
}

static struct config *config_of(struct arena *a, const struct shape *s)
{
    struct err e = {0};
    struct config *c = machine_config(a);
    must(config_load(c, arena_printf(a, "%s/machines/%s.yaml", HEDDLE_SOURCE_DIR, s->machine), &e),
         &e);
    char *text = arena_strdup(a, s->settings), *rest = NULL;
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        must(config_set(c, w, &e), &e);
    return c;
}

static uint64_t run(const struct config *c, const char *workload, const struct machine_options *opt)
{
    struct err e = {0};
    struct machine *m = machine_new(c, opt, &e);
    must(m != NULL, &e);
    struct stream_source *s = workload_rig_source(workload, false);
    must(machine_run_source(m, s, &e), &e);
    stream_source_free(s);
    must(machine_finish(m, &e), &e);
    uint64_t digest = machine_digest(m);
    machine_free(m);
    return digest;
}

static void compare(const struct shape *s, const char *workload)
{
    struct arena *a = arena_new();
    const struct config *c = config_of(a, s);
    uint64_t plain = run(c, workload, &(struct machine_options){0});
    for (int i = 0; i < NWAYS; i++) {
        bool is_same = run(c, workload, &ways[i].opt) == plain;
        if (!is_same)
            print_error("%s on %s (%s) %s\n", workload, s->machine, s->settings, ways[i].name);
        CHECK(is_same);
    }
    arena_free(a);
}

static void every_way_of_running_a_machine_gives_the_same_digest(void)
{
    uint32_t n = 0;
    const struct workload *const *all = workload_all(&n);
    bool is_full = getenv("HEDDLE_CHECK_FULL") != NULL;
    for (int i = 0; i < NSHAPES; i++)
        for (uint32_t w = 0; w < (is_full ? n : 1); w++)
            compare(&shapes[i], is_full ? all[w]->name : shapes[i].workload);
}

static void another_parameter_gives_another_digest(void)
{
    static const char *const settings[] = {"l2.latency=121", "mc.queue=2", "sm.scheduler=lrr",
                                           "noc.width=32"};
    struct arena *a = arena_new();
    const struct shape base = {"icc60", "", NULL};
    uint64_t plain = run(config_of(a, &base), "HS", &(struct machine_options){0});
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const struct shape other = {"icc60", settings[i], NULL};
        CHECK(run(config_of(a, &other), "HS", &(struct machine_options){0}) != plain);
    }
    arena_free(a);
}

/* Two machines in one process, one begun and left while the other runs. */
static void machines_do_not_know_of_one_another(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const struct shape s = {"sharing15", "", NULL}, other = {"icc60", "", NULL};
    const struct config *c = config_of(a, &s), *c2 = config_of(a, &other);
    struct machine_options none = {0};
    uint64_t alone = run(c, "LUD", &none);
    struct machine *idle = machine_new(c2, &none, &e);
    CHECK_EQ(run(c, "LUD", &none), alone);
    machine_free(idle);
    arena_free(a);
}

CHECK_MAIN("machine_order", TEST(every_way_of_running_a_machine_gives_the_same_digest),
           TEST(another_parameter_gives_another_digest), TEST(machines_do_not_know_of_one_another))
