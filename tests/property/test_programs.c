/* Several programs at once on the machines of two papers: what each of them did adds up, nobody
 * starves, and the result is the same however the simulation is run, executed or replayed. */
#include "check.h"

#include "machine/machine.h"
#include "rig/workload_rig.h"
#include "sim/stats_snapshot.h"

enum { PROGRAMS = 2 };

struct shape {
    const char *machine, *settings; /* separated by blanks */
    const char *workload[PROGRAMS];
    uint64_t window;
};

static const struct shape shapes[] = {
    {"icc60", "icc.enabled=true icc.cc_lines=24", {"HS", "BFS"}, 0},
    {"icc60", "gpu.partition=interleaved icc.enabled=true icc.cc_lines=24", {"BT", "NN"}, 20000},
    {"icc60", "gpu.partition=room gpu.cta_scheduler=distributed_block", {"HS", "2DCONV"}, 15000},
    {"cdxbar80", "gpu.partition=room gpu.cta_scheduler=greedy", {"BFS", "2DCONV"}, 0},
    {"cdxbar80", "gpu.partition=interleaved gpu.launch_latency=500", {"HS", "BFS"}, 12000},
    {"sharing15", "gpu.partition=room gpu.cta_scheduler=q8_adpt", {"LUD", "HS"}, 0},
    {"icc60", "gpu.partition=room gpu.cta_scheduler=bcs bcs.start=block", {"2DCONV", "BFS"}, 9000},
    {"icc60",
     "gpu.partition=room sm.drain=false gpu.cta_latency=30 icc.enabled=true icc.cc_lines=24",
     {"2DCONV", "BFS"},
     0},
    {"sharing15", "gpu.partition=room sm.drain=false gpu.cta_scheduler=qx", {"NN", "HS"}, 7000},
    {"volta", "gpu.partition=room gpu.sm_count=12", {"HS", "BFS"}, 0},
};
enum { NSHAPES = sizeof shapes / sizeof shapes[0] };

static const struct machine_options ways[] = {
    {.check = true}, {.no_skip = true}, {.threads = 2}, {.reversed = true, .details = true}};
enum { NWAYS = sizeof ways / sizeof ways[0] };

static struct config *config_of(struct arena *a, const struct shape *s)
{
    struct err e = {0};
    struct config *c = machine_config(a);
    config_load(c, arena_printf(a, "%s/machines/%s.yaml", HEDDLE_SOURCE_DIR, s->machine), &e);
    char *text = arena_strdup(a, s->settings), *rest = NULL;
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        config_set(c, w, &e);
    CHECK_STR(e.text, "");
    return c;
}

static struct machine *run(const struct shape *s, const struct config *c,
                           struct machine_options opt, struct stream_source *const *source)
{
    struct err e = {0};
    opt.nprograms = PROGRAMS;
    struct machine *m = machine_new(c, &opt, &e);
    CHECK_STR(e.text, "");
    struct machine_programs p = {.n = PROGRAMS, .window = s->window};
    for (int i = 0; i < PROGRAMS; i++) {
        p.source[i] = source[i];
        stream_source_restart(source[i]);
    }
    CHECK(machine_run_programs(m, &p, &e));
    CHECK(s->window || machine_finish(m, &e));
    CHECK_STR(e.text, "");
    return m;
}

static uint64_t stat(const struct machine *m, const char *name)
{
    struct arena *a = arena_new();
    double v = stats_snapshot_value(stats_snapshot(machine_stats(m), a), name);
    arena_free(a);
    return (uint64_t)v;
}

static void check_result(const struct shape *s, const struct machine *m)
{
    uint64_t issued = 0;
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        const struct machine_program *p = machine_program(m, i);
        CHECK(p->kernels > 0 && p->warp_insns > 0 && p->last_issue <= machine_cycles(m));
        CHECK(s->window || (p->runs == 1 && p->end > 0 && p->end <= machine_cycles(m)));
        issued += p->warp_insns;
    }
    CHECK_EQ(issued, stat(m, "sm.issued"));
    CHECK(!s->window || machine_cycles(m) == s->window);
}

static void however_programs_are_run_the_result_is_the_same(void)
{
    for (int i = 0; i < NSHAPES; i++) {
        const struct shape *s = &shapes[i];
        struct arena *a = arena_new();
        const struct config *c = config_of(a, s);
        struct stream_source *source[PROGRAMS];
        for (int k = 0; k < PROGRAMS; k++)
            source[k] = workload_rig_source(s->workload[k], true);
        struct machine *m = run(s, c, (struct machine_options){0}, source);
        uint64_t digest = machine_digest(m);
        check_result(s, m);
        machine_free(m);
        for (int w = 0; w < NWAYS; w++) {
            m = run(s, c, ways[w], source);
            if (machine_digest(m) != digest)
                print_error("%s and %s on %s (%s), way %d\n", s->workload[0], s->workload[1],
                            s->machine, s->settings, w);
            CHECK_EQ(machine_digest(m), digest);
            machine_free(m);
        }
        for (int k = 0; k < PROGRAMS; k++)
            stream_source_free(source[k]);
        arena_free(a);
    }
}

/* The same kernel twice: were addresses shared, the second reader would find the first one's lines
 * in the L2. */
static void programs_share_no_lines(void)
{
    static const struct shape alike = {"icc60", "", {"2DCONV", "2DCONV"}, 0};
    struct arena *a = arena_new();
    const struct config *c = config_of(a, &alike);
    struct stream_source *source[PROGRAMS];
    for (int k = 0; k < PROGRAMS; k++)
        source[k] = workload_rig_source("2DCONV", true);
    struct machine *both = run(&alike, c, (struct machine_options){.check = true}, source);
    struct err e = {0};
    struct machine *alone = machine_new(c, &(struct machine_options){0}, &e);
    stream_source_restart(source[0]);
    CHECK(machine_run_source(alone, source[0], &e) && machine_finish(alone, &e));
    CHECK_EQ(stat(both, "l2.fetched_sectors"), 2 * stat(alone, "l2.fetched_sectors"));
    CHECK_EQ(stat(both, "program0.dram.read_bytes"), stat(both, "program1.dram.read_bytes"));
    machine_free(both);
    machine_free(alone);
    for (int k = 0; k < PROGRAMS; k++)
        stream_source_free(source[k]);
    arena_free(a);
}

/* Halves of a machine whose network and memory are ideal. */
#define IDEAL                                                                                      \
    "l2.perfect=true noc.topology=ideal ideal.cores=12 ideal.mems=8 noc.port_depth=256 "           \
    "l2.input_queue=256 "

static uint64_t cycles_of(const struct shape *s, const struct machine_program *p)
{
    return s->window ? p->last_issue : p->end;
}

/* Program i of the shape alone on the SMs that it had, as far as it came. */
static uint64_t cycles_alone(const struct shape *s, const struct config *c,
                             struct stream_source *source, const struct machine_program *p)
{
    struct err e = {0};
    struct machine_options opt = {.nprograms = 1, .max_insns = s->window ? p->warp_insns : 0};
    struct machine *m = machine_new(c, &opt, &e);
    struct machine_programs one = {
        .source = {source}, .n = 1, .sms = p->sms, .window = s->window ? UINT64_MAX / 2 : 0};
    stream_source_restart(source);
    CHECK_EQ(machine_run_programs(m, &one, &e), !s->window);
    CHECK_EQ(e.status, s->window ? STATUS_BUDGET : STATUS_DONE);
    uint64_t cycles = cycles_of(s, machine_program(m, 0));
    machine_free(m);
    return cycles;
}

static void programs_that_cannot_disturb_each_other_run_as_if_alone(void)
{
    static const struct shape ideal[] = {
        {"icc60", IDEAL, {"HS", "BFS"}, 0},
        {"icc60", IDEAL, {"HS", "BFS"}, 20000},
        {"icc60", IDEAL "gpu.cta_scheduler=distributed gpu.launch_latency=100", {"BT", "NN"}, 9999},
    };
    for (size_t i = 0; i < sizeof ideal / sizeof ideal[0]; i++) {
        const struct shape *s = &ideal[i];
        struct arena *a = arena_new();
        const struct config *c = config_of(a, s);
        struct stream_source *source[PROGRAMS];
        for (int k = 0; k < PROGRAMS; k++)
            source[k] = workload_rig_source(s->workload[k], true);
        struct machine *m = run(s, c, (struct machine_options){.check = true}, source);
        for (uint32_t k = 0; k < PROGRAMS; k++) {
            const struct machine_program *p = machine_program(m, k);
            CHECK_EQ(cycles_alone(s, c, source[k], p), cycles_of(s, p));
        }
        machine_free(m);
        for (int k = 0; k < PROGRAMS; k++)
            stream_source_free(source[k]);
        arena_free(a);
    }
}

CHECK_MAIN("programs", TEST(programs_that_cannot_disturb_each_other_run_as_if_alone),
           TEST(however_programs_are_run_the_result_is_the_same), TEST(programs_share_no_lines))
