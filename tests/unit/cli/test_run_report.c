#include "check.h"

#include "cli/run_report.h"
#include "rig/capture.h"
#include "rig/results_rig.h"

static const char *report_of(struct results_rig *r, uint32_t nkernels, struct text *x)
{
    struct stats_snapshot *none = stats_snapshot_clone(r->v.values, r->a);
    stats_snapshot_subtract(none, none);
    struct machine_kernel *k = ARENA_NEW(r->a, struct machine_kernel);
    *k = (struct machine_kernel){.name = "bfs_kernel",
                                 .grid = {64, 2, 1},
                                 .block = {256, 1, 1},
                                 .ctas_per_sm = 6,
                                 .limit = "threads",
                                 .waves = 1.25,
                                 .begin = 0,
                                 .end = 500,
                                 .before = none,
                                 .after = stats_snapshot_clone(r->v.values, r->a)};
    const struct machine_kernel *kernels[] = {k, k, k};
    struct run_report report = {.machine = "icc60",
                                .title = "bfs@small",
                                .sum = &r->v,
                                .kernels = kernels,
                                .nkernels = nkernels,
                                .most_kernels = 2};
    text_open(x);
    run_report_print(&report, r->a, x->out);
    return text_close(x);
}

static void one_screen_says_where_the_cycles_went(void)
{
    struct results_rig r = results_rig_new(false);
    struct text x;
    CHECK_STR(
        report_of(&r, 1, &x),
        "bfs@small on icc60\n"
        "\n"
        "1000 cycles, 1.0 us at 1 GHz\n"
        "IPC 32.00 thread instructions per cycle (2.000 warp instructions of 16.0 lanes)\n"
        "SMs have work 75.0 % of the time; then 16.0 warps (50.0 % of what fits), 2.00 ready to "
        "issue\n"
        "\n"
        "warp schedulers of SMs with work, % of their cycles\n"
        "  issue                     40.0  ################\n"
        "  wait for memory           30.0  ############\n"
        "  load/store unit full      10.0  ####\n"
        "  wait for arithmetic        8.0  ###\n"
        "  pipelines busy             5.0  ##\n"
        "  wait for fetch             3.0  #\n"
        "  barriers                   2.0  #\n"
        "  fences                     1.0\n"
        "  last stores of a CTA       0.5\n"
        "  no warps                   0.5\n"
        "\n"
        "a read that leaves the L1 takes 130.0 cycles (1.3 under way at a time), spent in\n"
        "  SM and cluster            10.0  ###\n"
        "  request network           20.0  ######\n"
        "  L2                        30.0  #########\n"
        "  DRAM                      40.0  ############\n"
        "  reply network             25.0  ########\n"
        "  return to the L1           5.0  ##\n"
        "\n"
        "cache     hits %  misses merged %\n"
        "L1          50.0             35.0\n"
        "L2          50.0             25.0\n"
        "constant    99.0                -\n"
        "a warp's global load touches 2.00 lines, using 25.0 % of their words, and takes 150.0 "
        "cycles;\n"
        "a global store touches 2.50\n"
        "\n"
        "network  flits/cycle  packets/cycle  latency  of peak %\n"
        "request         0.50           0.25     10.0      50.00\n"
        "reply           0.80           0.20     20.0      80.00\n"
        "in all          1.30           0.45        -      60.00\n"
        "(in network cycles, 2 GHz; at the peak every node injects a flit in each)\n"
        "\n"
        "DRAM 16.0 GB/s, 25.0 % of the peak of 64.0 (stated: 60); 75.0 % of transfers find their "
        "row open\n"
        "bytes per thread instruction: 2.00 through the networks, 0.50 to and from DRAM\n"
        "\n"
        "kernel      grid  block  CTAs/SM  limit    waves  cycles   IPC  L1 hit  L2 hit  DRAM "
        "GB/s\n"
        "bfs_kernel  64x2    256        6  threads   1.25     500  64.0    50.0    50.0       "
        "32.0\n"
        "(limit: what keeps an SM from holding more CTAs; hits in %)\n");
    text_free(&x);
    arena_free(r.a);
}

static int lines_of(const char *s)
{
    int n = 0;
    for (; *s; s++)
        n += *s == '\n';
    return n;
}

static void one_network_is_one_line(void)
{
    struct results_rig r = results_rig_new(true);
    struct text x;
    const char *s = report_of(&r, 1, &x);
    CHECK(!strstr(s, "\nrequest "));
    CHECK(strstr(s, "\nin all "));
    CHECK(lines_of(s) < 45);
    text_free(&x);
    arena_free(r.a);
}

static void many_kernels_are_counted_not_listed(void)
{
    struct results_rig r = results_rig_new(false);
    struct text x;
    const char *s = report_of(&r, 3, &x);
    CHECK(strstr(s, "and 1 launch more, all of them in --json\n"));
    text_free(&x);
    arena_free(r.a);
}

static void a_run_that_counted_nothing_has_dashes(void)
{
    struct results_rig r = {.a = arena_new()};
    struct text x;
    r.t = stats_new(r.a);
    r.v = (struct results_view){.scale = &results_rig_scale, .values = stats_snapshot(r.t, r.a)};
    const char *s = report_of(&r, 0, &x);
    CHECK(strstr(s, "0 cycles, 0.0 us at 1 GHz\nIPC - thread"));
    CHECK(strstr(s, "\nDRAM - GB/s, - % of the peak of 64.0"));
    CHECK(!strstr(s, "nan"));
    text_free(&x);
    arena_free(r.a);
}

CHECK_MAIN("run_report", TEST(one_screen_says_where_the_cycles_went), TEST(one_network_is_one_line),
           TEST(many_kernels_are_counted_not_listed), TEST(a_run_that_counted_nothing_has_dashes))
