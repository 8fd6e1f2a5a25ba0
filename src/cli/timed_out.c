/* timed_out.c - the documents of a timed run. */
#include "cli/timed_out.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/analyse.h"
#include "cli/cli.h"
#include "cli/run_report.h"
#include "cli/several_out.h"
#include "machine/energy.h"
#include "report/run_json.h"
#include "sm/sm.h"

static void write_several(const void *several, struct json *j)
{
    several_json(several, j);
}

bool timed_out_json(const struct timed_result *r, const char *path, struct err *e)
{
    struct outfile f;
    struct json j;
    if (!outfile_open_json(&f, &j, path, e))
        return false;
    struct run_document d = {.machine = r->machine,
                             .scale = r->scale,
                             .machine_name = r->machine_name,
                             .workload = r->workload,
                             .wall_s = r->wall_s,
                             .is_partial = r->is_partial,
                             .is_checked = r->is_checked,
                             .has_details = r->has_details,
                             .also = r->several ? write_several : NULL,
                             .also_of = r->several};
    run_json(&d, &j);
    return outfile_commit_json(&f, &j, e);
}

bool timed_out_csv(const struct timed_result *r, const char *path, struct err *e)
{
    struct outfile f;
    if (!outfile_open_csv(&f, path, e))
        return false;
    struct arena *a = arena_new();
    struct results_view v = run_view(r->machine, r->scale, a);
    fprintf(f.f, "name,value\n");
    for (size_t i = 0; i < results_nrows; i++) {
        double x = results_rows[i].value(&v);
        if (isnan(x))
            fprintf(f.f, "%s,\n", results_rows[i].name);
        else
            fprintf(f.f, "%s,%.17g\n", results_rows[i].name, x);
    }
    if (r->several)
        several_csv(r->several, f.f);
    stats_snapshot_csv(v.values, f.f);
    arena_free(a);
    return outfile_commit(&f, e);
}

void timed_out_print(const struct timed_result *r, struct arena *a, FILE *out)
{
    const struct machine *m = r->machine;
    struct results_view v = run_view(m, r->scale, a);
    const struct sm_spec *sm = config_get(machine_config_of(m), &sm_section);
    uint32_t n = machine_nkernels(m);
    const struct machine_kernel **kernels = ARENA_ARRAY(a, const struct machine_kernel *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        kernels[i] = machine_kernel(m, i);
    struct run_report report = {.machine = r->machine_name,
                                .title = r->workload,
                                .remark =
                                    r->is_partial ? ": PARTIAL, its budget was used up" : NULL,
                                .sum = &v,
                                .kernels = kernels,
                                .nkernels = n,
                                .is_assembled = strcmp(sm->instructions, "assembled") == 0,
                                .most_kernels = 12};
    run_report_print(&report, a, out);
    if (r->several)
        several_print(r->several, &v, a, out);
    analyse_print(&report, a, out);
    double insns = stats_snapshot_value(v.values, "sm.issued");
    fprintf(out, "\n%s%.3f s: %.0f thousand cycles/s, %.0f thousand warp instructions/s\n",
            r->is_checked ? "outputs checked: all right; " : "", r->wall_s,
            (double)machine_cycles(m) / r->wall_s / 1e3, insns / r->wall_s / 1e3);
}

/* W of each part, stacked; a track for each model. */
static void power_counters(struct timeline *t, const struct results_view *v, uint64_t from)
{
    const struct energy_models *all = v->scale->energy;
    static const char *const tracks[ENERGY_MODELS] = {
#define MODEL(name, doc) "power (W), " #name,
#include "machine/energy_models.def"
#undef MODEL
    };
    for (int m = 0; m < all->n; m++) {
        struct timeline_value values[ENERGY_PARTS];
        struct energy x;
        energy_of(&all->model[m], v, &x);
        for (int i = 0; i < ENERGY_PARTS; i++)
            values[i] =
                (struct timeline_value){energy_part_names[i], x.part[i] / results_seconds(v)};
        timeline_add_counter(t, from, tracks[m], values, ENERGY_PARTS);
    }
}

void timed_out_counters(struct timeline *t, const struct results_scale *s,
                        const struct stats_snapshot *d, uint64_t from, uint64_t to)
{
    struct results_view v = {.scale = s, .values = d, .cycles = to - from};
    static const struct {
        const char *track, *values[6];
    } tracks[] = {{"IPC", {"ipc"}},
                  {"DRAM GB/s", {"dram_gbs"}},
                  {"L1 hits %", {"l1_hit_rate"}},
                  {"L2 hits %", {"l2_hit_rate"}},
                  {"reads in flight", {"reads_in_flight"}},
                  {"network flits/cycle", {"request_flits", "reply_flits"}},
                  {"memory latency (cycles)",
                   {"latency_sm", "latency_request", "latency_l2", "latency_dram", "latency_reply",
                    "latency_return"}}};
    for (size_t i = 0; i < sizeof tracks / sizeof tracks[0]; i++) {
        struct timeline_value values[6];
        int n = 0;
        for (; n < 6 && tracks[i].values[n]; n++)
            values[n] = (struct timeline_value){tracks[i].values[n],
                                                results_derived(&v, tracks[i].values[n])};
        timeline_add_counter(t, from, tracks[i].track, values, n);
    }
    power_counters(t, &v, from);
}
