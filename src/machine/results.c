/* results.c - derived statistics and the documents of a run.
 *
 * Each row of derived.def becomes a function; the helpers here are the words its expressions are
 * made of.  Everything is a ratio of integer sums, so a result does not depend on the order in
 * which parts of the machine were looked at.  Not here: layout for people (cli/run_report.c). */
#include "machine/results.h"

#include <math.h>
#include <string.h>

#include "dram/mc.h"
#include "l2/slice.h"
#include "machine/energy.h"
#include "machine/machine_priv.h"
#include "mem/request.h"
#include "sim/clock.h"
#include "sm/sm.h"

struct results_names {
    struct err *e;
    const char *user; /* of the names that are looked up */
    bool is_missing;
};

/* ---- words of derived.def -------------------------------------------------------------------- */

double results_get(const struct results_view *v, const char *name)
{
    if (v->probe && !v->probe->is_missing && !stats_snapshot_has(v->values, name)) {
        v->probe->is_missing = true;
        err_set(v->probe->e, STATUS_FAILED, "%s: no statistic is named %s", v->probe->user, name);
    }
    return stats_snapshot_value(v->values, name);
}

double results_seconds(const struct results_view *v)
{
    return (double)v->cycles / v->scale->sm_clock;
}

static double get(const struct results_view *v, const char *name)
{
    return results_get(v, name);
}

static double get2(const struct results_view *v, const char *path, const char *name)
{
    char full[96];
    snprintf(full, sizeof full, "%s.%s", path, name);
    return get(v, full);
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

static double percent(double a, double b)
{
    return 100 * ratio(a, b);
}

static double per_second(const struct results_view *v, double amount)
{
    return ratio(amount * v->scale->sm_clock, (double)v->cycles);
}

static double share(const struct results_view *v, const char *name)
{
    return percent(get(v, name), get(v, "sm.sched_cycles"));
}

static double l1(const struct results_view *v, const char *name)
{
    return get2(v, "l1.global", name) + get2(v, "l1.local", name);
}

/* Warp instructions on one space: loads, and whatever else there is. */
static double memory_insns(const struct results_view *v, const char *path)
{
    double loads = get2(v, path, "instructions");
    if (strcmp(path, "l1.global") == 0)
        return loads + get(v, "l1.stores") + get(v, "l1.atomics") + get(v, "l1.reductions");
    return strcmp(path, "l1.local") == 0 ? loads + get(v, "l1.local_stores") : loads;
}

static double all_memory_insns(const struct results_view *v)
{
    return memory_insns(v, "l1.global") + memory_insns(v, "l1.local") + memory_insns(v, "tex") +
           memory_insns(v, "const");
}

static double load_hits(const struct results_view *v, const char *path)
{
    return percent(get2(v, path, "hits"), get2(v, path, "accesses"));
}

static double latency_part(const struct results_view *v, enum request_part part)
{
    static const char *const names[REQUEST_PARTS] = {
        [PART_SM] = "l1.read.time_sm",       [PART_REQUEST] = "l1.read.time_request",
        [PART_L2] = "l1.read.time_l2",       [PART_DRAM] = "l1.read.time_dram",
        [PART_REPLY] = "l1.read.time_reply", [PART_RETURN] = "l1.read.time_return"};
    return ratio(get(v, names[part]), get(v, "l1.read.answers") * v->scale->ticks_per_cycle);
}

static double latency(const struct results_view *v)
{
    double sum = 0;
    for (int i = 0; i < REQUEST_PARTS; i++)
        sum += latency_part(v, (enum request_part)i);
    return sum;
}

static double network_time(const struct results_view *v)
{
    return latency_part(v, PART_REQUEST) + latency_part(v, PART_REPLY);
}

static double noc_cycles(const struct results_view *v)
{
    return (double)v->cycles * v->scale->noc_clock / v->scale->sm_clock;
}

/* One network carries both ways and cannot tell them apart. */
static bool is_one_network(const struct results_view *v)
{
    return stats_snapshot_has(v->values, "noc.flits_in");
}

static double noc_way(const struct results_view *v, const char *way, const char *name)
{
    char path[32];
    snprintf(path, sizeof path, "noc.%s", way);
    return is_one_network(v) ? NAN : get2(v, path, name);
}

static double noc(const struct results_view *v, const char *name)
{
    if (is_one_network(v))
        return get2(v, "noc", name);
    return get2(v, "noc.request", name) + get2(v, "noc.reply", name);
}

/* Of units and analyses that a machine may not have. */
static double get_if(const struct results_view *v, const char *name)
{
    return stats_snapshot_has(v->values, name) ? get(v, name) : NAN;
}

/* Of the packet-coalescing router. */
static double coalesce(const struct results_view *v, const char *name)
{
    char full[96];
    snprintf(full, sizeof full, "noc%s.extension.%s", is_one_network(v) ? "" : ".request", name);
    return get_if(v, full);
}

static double icl(const struct results_view *v, const char *name)
{
    return percent(get_if(v, name), get_if(v, "locality.requests"));
}

static double sum_if(const struct results_view *v, const char *path, const char *const *names)
{
    char full[96];
    double sum = 0;
    for (; *names; names++) {
        snprintf(full, sizeof full, "%s%s", path, *names);
        sum += get_if(v, full);
    }
    return sum;
}

static double near_blocks(const struct results_view *v)
{
    static const char *const names[] = {"1", "2", "3", "4", NULL};
    return sum_if(v, "sharing.distance_", names);
}

static double shared_loads(const struct results_view *v)
{
    static const char *const names[] = {"hits", "merges", "misses", NULL};
    return sum_if(v, "sharing.shared_", names);
}

static double reuses(const struct results_view *v)
{
    static const char *const names[] = {"0", "10", "100", "1000", "10000", NULL};
    return sum_if(v, "sharing.reuse_", names);
}

static double classes(const struct results_view *v, const char *path)
{
    static const char *const names[] = {".compulsory", ".capacity", ".conflict", NULL};
    return sum_if(v, path, names);
}

static double dram_bytes(const struct results_view *v)
{
    return get(v, "dram.read_bytes") + get(v, "dram.write_bytes");
}

/* ---- the rows -------------------------------------------------------------------------------- */

#define DERIVED(name, unit, help, expression)                                                      \
    static double derive_##name(const struct results_view *v)                                      \
    {                                                                                              \
        return expression;                                                                         \
    }
#include "machine/derived.def"
#undef DERIVED

#define V(model, name, unit, help)                                                                 \
    static double energy_##model##_##name(const struct results_view *v)                            \
    {                                                                                              \
        return energy_value(v, ENERGY_MODEL_##model, ENERGY_VALUE_##name);                         \
    }
#define MODEL(name, doc) ENERGY_VALUE_ROWS(V, name)
#include "machine/energy_models.def"
#undef MODEL
#undef V

const struct results_row results_rows[] = {
#define DERIVED(name, unit, help, expression) {#name, unit, help, derive_##name},
#include "machine/derived.def"
#undef DERIVED
#define V(model, name, unit, help)                                                                 \
    {"energy." #model "." #name, unit, help, energy_##model##_##name},
#define MODEL(name, doc) ENERGY_VALUE_ROWS(V, name)
#include "machine/energy_models.def"
#undef MODEL
#undef V
};
const size_t results_nrows = sizeof results_rows / sizeof results_rows[0];

double results_derived(const struct results_view *v, const char *name)
{
    for (size_t i = 0; i < results_nrows; i++)
        if (strcmp(results_rows[i].name, name) == 0)
            return results_rows[i].value(v);
    HD_ASSERT(false, "no derived statistic is named %s", name);
    return NAN;
}

void results_describe(FILE *out)
{
    for (size_t i = 0; i < results_nrows; i++)
        fprintf(out, "%-34s  %-22s  %s\n", results_rows[i].name, results_rows[i].unit,
                results_rows[i].help);
}

/* ---- what they are made of ------------------------------------------------------------------- */

void results_scale_init(struct results_scale *s, const struct config *cfg)
{
    const struct gpu_spec *gpu = config_get(cfg, &gpu_section);
    const struct sm_spec *sm = config_get(cfg, &sm_section);
    const struct noc_spec *net = config_get(cfg, &noc_section);
    const struct l2_spec *l2 = config_get(cfg, &l2_section);
    const struct mc_spec *mc = config_get(cfg, &mc_section);
    const struct dram_spec *dram = config_get(cfg, &dram_section);
    struct clock_plan plan;
    struct err e = {0};
    double clocks[] = {gpu->clock, net->clock, l2->clock, dram->clock};
    const bool planned = clock_plan(&plan, clocks, 4, &e);
    HD_ASSERT(planned, "%s", e.text);
    *s = (struct results_scale){
        .sms = (double)gpu_kernel_sms(gpu),
        .max_warps = (double)(sm->warps ? sm->warps : sm->threads / 32),
        .clusters = (double)gpu->clusters,
        .slices = (double)(mc->channels * l2->slices_per_channel),
        .sm_clock = gpu->clock,
        .noc_clock = net->clock,
        .dram_peak = dram_peak(dram, mc->channels),
        .stated_dram_peak = gpu->paper_dram_gbs * 1e9,
        .ticks_per_cycle = (double)plan.period[0],
    };
}

bool results_scale_of(struct results_scale *s, const struct machine *m, struct arena *a,
                      struct err *e)
{
    results_scale_init(s, machine_config_of(m));
    s->energy = energy_models_new(machine_config_of(m), machine_fabric(m), a, e);
    /* An audited run shows also that what is derived has all its names. */
    return s->energy && (!m->opt.check || results_check_names(s, m->stats, e));
}

struct results_view results_of_kernel(const struct results_scale *s, const struct machine_kernel *k,
                                      struct arena *a)
{
    if (!k->before)
        return (struct results_view){.scale = s, .cycles = k->end - k->begin};
    struct stats_snapshot *during = stats_snapshot_clone(k->after, a);
    stats_snapshot_subtract(during, k->before);
    return (struct results_view){.scale = s, .values = during, .cycles = k->end - k->begin};
}

bool results_check_names(const struct results_scale *s, const struct stats *t, struct err *e)
{
    struct arena *a = arena_new();
    struct results_names probe = {.e = e};
    struct results_view v = {
        .scale = s, .values = stats_snapshot(t, a), .cycles = 1, .probe = &probe};
    for (size_t i = 0; i < results_nrows; i++) {
        bool is_energy = strncmp(results_rows[i].name, "energy.", 7) == 0;
        probe.user = is_energy ? results_rows[i].name : "derived.def";
        results_rows[i].value(&v);
    }
    arena_free(a);
    return !probe.is_missing;
}

/* ---- documents ------------------------------------------------------------------------------- */

void results_json(const struct results_view *v, struct json *j)
{
    for (size_t i = 0; i < results_nrows; i++) {
        json_key(j, results_rows[i].name);
        json_real(j, results_rows[i].value(v));
    }
    stats_snapshot_json(v->values, j);
}

static void member_uint(struct json *j, const char *key, uint64_t v)
{
    json_key(j, key);
    json_uint(j, v);
}

static void member_dim(struct json *j, const char *key, const uint32_t d[3])
{
    json_key(j, key);
    json_open_array(j, true);
    for (int i = 0; i < 3; i++)
        json_uint(j, d[i]);
    json_close_array(j);
}

void results_kernel_json(const struct results_scale *s, const struct machine_kernel *k,
                         struct arena *a, struct json *j)
{
    struct results_view v = results_of_kernel(s, k, a);
    json_open_object(j, false);
    json_key(j, "kernel");
    json_string(j, k->name);
    member_dim(j, "grid", k->grid);
    member_dim(j, "block", k->block);
    member_uint(j, "ctas", k->ctas);
    member_uint(j, "ctas_done", k->ctas_done);
    member_uint(j, "regs_per_thread", k->regs_per_thread);
    member_uint(j, "ptx_insns", k->ptx_insns);
    json_key(j, "regs_from");
    json_string(j, k->regs_from ? k->regs_from : "");
    member_uint(j, "ctas_per_sm", k->ctas_per_sm);
    json_key(j, "limit");
    json_string(j, k->limit ? k->limit : "");
    json_key(j, "waves");
    json_real(j, k->waves);
    member_uint(j, "program", k->program);
    member_uint(j, "begin", k->begin);
    member_uint(j, "end", k->end);
    if (v.values) {
        json_key(j, "stats");
        json_open_object(j, false);
        results_json(&v, j);
        json_close_object(j);
    }
    json_close_object(j);
}
