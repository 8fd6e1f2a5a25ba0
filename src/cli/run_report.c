/* run_report.c - the report of a timed run for people: headline, schedulers, memory latency,
 * caches, networks, DRAM, energy and a table of kernels.  Every number comes from a row of
 * results_rows; what was not counted is "-". */
#include "cli/run_report.h"

#include <math.h>
#include <string.h>

#include "cli/registers_out.h"
#include "cli/table.h"
#include "machine/energy.h"

#define BAR_N 40

static const char *number(struct arena *a, double v, int digits)
{
    return isfinite(v) ? arena_printf(a, "%.*f", digits, v) : "-";
}

static const char *derived(struct arena *a, const struct results_view *v, const char *name,
                           int digits)
{
    return number(a, results_derived(v, name), digits);
}

/* Where the machine issues something else than PTX. */
static void print_assembled(const struct run_report *r, struct arena *a, FILE *out)
{
    double issued = results_get(r->sum, "sm.issued"), ptx = 0;
    for (uint32_t i = 0; i < r->nkernels; i++)
        ptx += (double)r->kernels[i]->ptx_insns;
    if (r->is_assembled && issued != ptx)
        fprintf(out, "%s warp instructions issued, assembled from %s of PTX\n",
                table_count(a, issued), table_count(a, ptx));
}

static void print_headline(const struct run_report *r, struct arena *a, FILE *out)
{
    const struct results_view *v = r->sum;
    fprintf(out, "%s on %s%s\n\n", r->title, r->machine, r->remark ? r->remark : "");
    fprintf(out, "%llu cycles, %s us at %g GHz\n", (unsigned long long)v->cycles,
            derived(a, v, "time_us", 1), v->scale->sm_clock / 1e9);
    fprintf(out, "IPC %s thread instructions per cycle (%s warp instructions of %s lanes)\n",
            derived(a, v, "ipc", 2), derived(a, v, "warp_ipc", 3),
            derived(a, v, "lanes_per_insn", 1));
    print_assembled(r, a, out);
    fprintf(out,
            "SMs have work %s %% of the time; then %s warps (%s %% of what fits), %s ready to "
            "issue\n",
            derived(a, v, "active_sms", 1), derived(a, v, "resident_warps", 1),
            derived(a, v, "occupancy", 1), derived(a, v, "ready_warps", 2));
}

/* ---- bars ------------------------------------------------------------------------------------ */

struct bar {
    const char *label, *name; /* of a derived statistic */
};

static void print_bar(double part, FILE *out)
{
    int n = isfinite(part) ? (int)lround(part * BAR_N) : 0;
    fputs(n > 0 ? "  " : "", out);
    for (int i = 0; i < n && i < BAR_N; i++)
        fputc('#', out);
    fputc('\n', out);
}

/* Lines of label, value and a bar for its part of `whole`; those of nothing are left out. */
static void print_bars(const struct results_view *v, const struct bar *bars, size_t n, double whole,
                       FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        double value = results_derived(v, bars[i].name);
        if (!(value >= 0.05))
            continue;
        fprintf(out, "  %-22s %7.1f", bars[i].label, value);
        print_bar(value / whole, out);
    }
}

static void print_schedulers(const struct results_view *v, FILE *out)
{
    static const struct bar bars[] = {
        {"issue", "issue_share"},
        {"wait for memory", "stall_mem_share"},
        {"load/store unit full", "stall_lsu_share"},
        {"wait for arithmetic", "stall_alu_share"},
        {"pipelines busy", "stall_pipe_share"},
        {"wait for fetch", "stall_fetch_share"},
        {"barriers", "stall_barrier_share"},
        {"fences", "stall_fence_share"},
        {"last stores of a CTA", "stall_drain_share"},
        {"no warps", "stall_idle_share"},
    };
    if (!isfinite(results_derived(v, "issue_share")))
        return;
    fputs("\nwarp schedulers of SMs with work, % of their cycles\n", out);
    print_bars(v, bars, sizeof bars / sizeof bars[0], 100, out);
}

static void print_latency(const struct results_view *v, struct arena *a, FILE *out)
{
    static const struct bar bars[] = {
        {"SM and cluster", "latency_sm"},
        {"request network", "latency_request"},
        {"L2", "latency_l2"},
        {"DRAM", "latency_dram"},
        {"reply network", "latency_reply"},
        {"return to the L1", "latency_return"},
    };
    double whole = results_derived(v, "latency");
    if (!isfinite(whole))
        return;
    fprintf(out, "\na read that leaves the L1 takes %s cycles (%s under way at a time), spent in\n",
            number(a, whole, 1), derived(a, v, "reads_in_flight", 1));
    print_bars(v, bars, sizeof bars / sizeof bars[0], whole, out);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void print_caches(const struct results_view *v, struct arena *a, FILE *out)
{
    static const char *const heads[] = {"<cache", "hits %", "misses merged %"};
    static const char *const rows[][3] = {{"L1", "l1_hit_rate", "l1_merge_rate"},
                                          {"L2", "l2_hit_rate", "l2_merge_rate"},
                                          {"constant", "const_hit_rate", NULL},
                                          {"texture", "tex_hit_rate", NULL}};
    struct table *t = table_new(a, heads, 3);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (i >= 2 && !isfinite(results_derived(v, rows[i][1])))
            continue;
        table_cell(t, "%s", rows[i][0]);
        table_cell(t, "%s", derived(a, v, rows[i][1], 1));
        table_cell(t, "%s", rows[i][2] ? derived(a, v, rows[i][2], 1) : "-");
    }
    fputc('\n', out);
    table_print(t, out);
    fprintf(out,
            "a warp's global load touches %s lines, using %s %% of their words, and takes %s "
            "cycles;\na global store touches %s\n",
            derived(a, v, "lines_per_load", 2), derived(a, v, "line_use", 1),
            derived(a, v, "load_latency", 1), derived(a, v, "lines_per_store", 2));
}

static void print_networks(const struct results_view *v, struct arena *a, FILE *out)
{
    static const char *const heads[] = {"<network", "flits/cycle", "packets/cycle", "latency",
                                        "of peak %"};
    static const char *const rows[][5] = {
        {"request", "request_flits", "request_packets", "request_latency", "request_use"},
        {"reply", "reply_flits", "reply_packets", "reply_latency", "reply_use"},
        {"in all", "noc_flits", "noc_packets", NULL, "noc_use"}};
    bool has_ways = isfinite(results_derived(v, "request_flits"));
    struct table *t = table_new(a, heads, 5);
    for (size_t i = has_ways ? 0 : 2; i < 3; i++) {
        table_cell(t, "%s", rows[i][0]);
        for (int k = 1; k < 5; k++)
            table_cell(t, "%s", rows[i][k] ? derived(a, v, rows[i][k], k == 3 ? 1 : 2) : "-");
    }
    fputc('\n', out);
    table_print(t, out);
    fprintf(out, "(in network cycles, %g GHz; at the peak every node injects a flit in each)\n",
            v->scale->noc_clock / 1e9);
}

static void print_dram(const struct results_view *v, struct arena *a, FILE *out)
{
    fprintf(out, "\nDRAM %s GB/s, %s %% of the peak of %s", derived(a, v, "dram_gbs", 1),
            derived(a, v, "dram_use", 1), number(a, v->scale->dram_peak / 1e9, 1));
    if (v->scale->stated_dram_peak > 0)
        fprintf(out, " (stated: %g)", v->scale->stated_dram_peak / 1e9);
    fprintf(out, "; %s %% of transfers find their row open\n",
            derived(a, v, "dram_row_hit_rate", 1));
    fprintf(out, "bytes per thread instruction: %s through the networks, %s to and from DRAM\n",
            derived(a, v, "noc_bytes_per_insn", 2), derived(a, v, "dram_bytes_per_insn", 2));
}

static double share_of(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : NAN;
}

static void print_energy(const struct results_view *v, struct arena *a, FILE *out)
{
    static const char *const heads[] = {"<energy", "mJ",       "W",       "SM %",
                                        "L1 %",    "NoC %",    "L2 %",    "DRAM %",
                                        "other %", "static %", "EDP J s", "insns/nJ"};
    const struct energy_models *all = v->scale->energy;
    if (!all)
        return;
    struct table *t = table_new(a, heads, sizeof heads / sizeof heads[0]);
    for (int m = 0; m < all->n; m++) {
        struct energy x;
        energy_of(&all->model[m], v, &x);
        table_cell(t, "%s", all->model[m].name);
        table_cell(t, "%.4g", x.total * 1e3);
        table_cell(t, "%s", number(a, energy_value(v, m, ENERGY_VALUE_power), 1));
        for (int i = 0; i < ENERGY_PARTS; i++)
            table_cell(t, "%s", number(a, share_of(x.part[i], x.total), 1));
        table_cell(t, "%s", number(a, share_of(x.fixed, x.total), 1));
        table_cell(t, "%.3g", energy_value(v, m, ENERGY_VALUE_edp));
        table_cell(t, "%s", number(a, energy_value(v, m, ENERGY_VALUE_insns_per_joule) / 1e9, 2));
    }
    fputc('\n', out);
    table_print(t, out);
    fputs("(two models, two scales: compare runs within one; docs/model/energy.md)\n", out);
}

static const char *dim(struct arena *a, const uint32_t d[3])
{
    if (d[2] > 1)
        return arena_printf(a, "%ux%ux%u", d[0], d[1], d[2]);
    return d[1] > 1 ? arena_printf(a, "%ux%u", d[0], d[1]) : arena_printf(a, "%u", d[0]);
}

static void kernel_row(struct table *t, const struct results_scale *s,
                       const struct machine_kernel *k, struct arena *a)
{
    struct results_view v = results_of_kernel(s, k, a);
    table_cell(t, "%s", k->name);
    table_cell(t, "%s", dim(a, k->grid));
    table_cell(t, "%s", dim(a, k->block));
    table_cell(t, "%u", k->ctas_per_sm);
    table_cell(t, "%s", k->limit ? k->limit : "-");
    table_cell(t, "%.2f", k->waves);
    table_cell(t, "%llu", (unsigned long long)v.cycles);
    static const char *const columns[] = {"ipc", "l1_hit_rate", "l2_hit_rate", "dram_gbs"};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        table_cell(t, "%s", v.values ? derived(a, &v, columns[i], 1) : "-");
}

static void print_registers(const struct run_report *r, struct arena *a, FILE *out)
{
    struct registers_out *rows = ARENA_ARRAY(a, struct registers_out, r->nkernels + 1);
    for (uint32_t i = 0; i < r->nkernels; i++)
        rows[i] = (struct registers_out){r->kernels[i]->name, r->kernels[i]->regs_per_thread,
                                         r->kernels[i]->regs_from};
    registers_out_print(rows, r->nkernels, out);
}

static void print_kernels(const struct run_report *r, struct arena *a, FILE *out)
{
    static const char *const heads[] = {"<kernel", "grid", "block",  "CTAs/SM", "<limit",   "waves",
                                        "cycles",  "IPC",  "L1 hit", "L2 hit",  "DRAM GB/s"};
    uint32_t n = r->nkernels < r->most_kernels ? r->nkernels : r->most_kernels;
    struct table *t = table_new(a, heads, sizeof heads / sizeof heads[0]);
    for (uint32_t i = 0; i < n; i++)
        kernel_row(t, r->sum->scale, r->kernels[i], a);
    fputc('\n', out);
    table_print(t, out);
    if (n < r->nkernels)
        fprintf(out, "and %s more, all of them in --json\n", table_launches(a, r->nkernels - n));
    print_registers(r, a, out);
    fputs("(limit: what keeps an SM from holding more CTAs; hits in %)\n", out);
}

void run_report_print(const struct run_report *r, struct arena *a, FILE *out)
{
    print_headline(r, a, out);
    print_schedulers(r->sum, out);
    print_latency(r->sum, a, out);
    print_caches(r->sum, a, out);
    print_networks(r->sum, a, out);
    print_dram(r->sum, a, out);
    print_energy(r->sum, a, out);
    print_kernels(r, a, out);
}
