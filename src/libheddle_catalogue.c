/* libheddle_catalogue.c - the public catalogues (heddle/catalogue.h), made from the tables themselves. */
#include "libheddle_catalogue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cache/policy.h"
#include "cta/partition.h"
#include "cta/policy.h"
#include "data.h"
#include "dram/scheduler.h"
#include "libheddle_gpu.h"
#include "machine/cost_values.h"
#include "machine/results.h"
#include "noc/extension.h"
#include "sm/policy.h"
#include "traffic/pattern.h"

/* --- files ------------------------------------------------------------------------------------ */

size_t hd_data_folder(const char *kind, char *path, size_t room)
{
    struct arena *a = arena_new();
    int n = snprintf(path, room, "%s", data_folder(a, kind));
    arena_free(a);
    return n > 0 ? (size_t)n : 0;
}

struct file_list {
    int (*files)(struct arena *a, const char *const **names, const char *const **paths);
    struct config *(*config)(struct arena *a);
};

static void each_file(const struct file_list *l,
                      void (*each)(void *context, const struct hd_machine_entry *m), void *context)
{
    struct arena *a = arena_new();
    const char *const *names, *const *paths;
    int n = l->files(a, &names, &paths);
    for (int i = 0; i < n; i++) {
        struct err e = {0};
        struct arena *own = arena_new();
        struct config *c = l->config(own);
        bool ok = config_load(c, paths[i], &e);
        struct hd_machine_entry m = {names[i], paths[i], ok ? config_doc(c) : "",
                                     ok ? NULL : e.text};
        each(context, &m);
        arena_free(own);
    }
    arena_free(a);
}

void hd_each_machine(void (*each)(void *context, const struct hd_machine_entry *m), void *context)
{
    each_file(&(struct file_list){data_machines, machine_config}, each, context);
}

void hd_each_network(void (*each)(void *context, const struct hd_machine_entry *n), void *context)
{
    each_file(&(struct file_list){data_networks, lab_config}, each, context);
}

/* --- workloads -------------------------------------------------------------------------------- */

void hd_each_workload(void (*each)(void *context, const struct hd_workload_entry *w), void *context)
{
    uint32_t n;
    const struct workload *const *all = workload_all(&n);
    const char *sizes[SIZES];
    for (int i = 0; i < SIZES; i++)
        sizes[i] = workload_size_name((enum workload_size)i);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t nargs = workload_nargs(all[i]);
        const char *names[WORKLOAD_MOST_ARGS], *units[WORKLOAD_MOST_ARGS],
            *docs[WORKLOAD_MOST_ARGS];
        for (uint32_t k = 0; k < nargs; k++) {
            names[k] = all[i]->args[k].name;
            units[k] = all[i]->args[k].unit;
            docs[k] = all[i]->args[k].doc;
        }
        struct hd_workload_entry w = {.name = all[i]->name,
                                      .suite = all[i]->suite,
                                      .doc = all[i]->stands_for,
                                      .papers = all[i]->papers,
                                      .kernels = all[i]->kernels,
                                      .nsizes = SIZES,
                                      .sizes = sizes,
                                      .inputs = all[i]->inputs,
                                      .nargs = nargs,
                                      .arg_names = names,
                                      .arg_units = units,
                                      .arg_docs = docs};
        each(context, &w);
    }
}

/* --- parameters ------------------------------------------------------------------------------- */

#define NAMES_OF(registry)                                                                         \
    static const char *registry##_name(int i)                                                      \
    {                                                                                              \
        return i < registry##_count ? registry##_all[i]->name : NULL;                              \
    }
NAMES_OF(cta_policy)
NAMES_OF(partition)
NAMES_OF(warp_policy)
NAMES_OF(scheduler)
NAMES_OF(cache_policy)
NAMES_OF(router_extension)
NAMES_OF(topology)
NAMES_OF(pattern)

/* Which registry a parameter takes its names from. */
static const struct {
    const char *keys;
    const char *(*name)(int i);
} registries[] = {
    {"gpu.cta_scheduler", cta_policy_name},
    {"gpu.partition", partition_name},
    {"sm.scheduler", warp_policy_name},
    {"mc.scheduler", scheduler_name},
    {"l1.replacement|constant.replacement|texture.replacement|icc.replacement|l2.replacement",
     cache_policy_name},
    {"router.extension", router_extension_name},
    {"noc.topology", topology_name},
    {"traffic.pattern", pattern_name},
};
enum { NREGISTRIES = sizeof registries / sizeof registries[0] };

static const char *word(struct arena *a, const char *words, int i)
{
    for (; *words; words += strspn(words, "|")) {
        size_t n = strcspn(words, "|");
        if (i-- == 0)
            return arena_printf(a, "%.*s", (int)n, words);
        words += n;
    }
    return NULL;
}

const char *libheddle_value(struct arena *a, const char *key, const struct cfg_field *f, int i)
{
    if (f->type == CFG_CHOICE || f->type == CFG_BOOL)
        return word(a, f->type == CFG_BOOL ? "true|false" : f->unit, i);
    for (int r = 0; f->type == CFG_STR && r < NREGISTRIES; r++)
        if (str_is_word(key, registries[r].keys))
            return registries[r].name(i);
    return NULL;
}

static void each_field(const struct cfg_section *s, const struct cfg_field *f, bool is_of_machines,
                       void (*each)(void *context, const struct hd_parameter *p), void *context)
{
    enum { MOST_VALUES = 64 };
    static const char *const types[] = {
        [CFG_INT] = "int",    [CFG_REAL] = "real",     [CFG_BOOL] = "bool",
        [CFG_STR] = "string", [CFG_CHOICE] = "choice", [CFG_LIST] = "list"};
    struct arena *a = arena_new();
    const char *values[MOST_VALUES], *value;
    bool has_range = f->type == CFG_INT || f->type == CFG_REAL || f->type == CFG_LIST;
    struct hd_parameter p = {.key = arena_printf(a, "%s.%s", s->name, f->name),
                             .type = types[f->type],
                             .default_value = f->def,
                             .least = has_range ? f->lo : (double)NAN,
                             .most = has_range ? f->hi : (double)NAN,
                             .unit = f->type == CFG_CHOICE ? "" : f->unit,
                             .doc = f->doc,
                             .section_doc = s->doc,
                             .values = values,
                             .is_of_machines = is_of_machines};
    while ((value = libheddle_value(a, p.key, f, (int)p.nvalues))) {
        HD_ASSERT(p.nvalues < MOST_VALUES, "%s takes more than %d names", p.key, MOST_VALUES);
        values[p.nvalues++] = value;
    }
    each(context, &p);
    arena_free(a);
}

void hd_each_parameter(void (*each)(void *context, const struct hd_parameter *p), void *context)
{
    enum { MOST = 64 };
    const struct cfg_section *all[MOST];
    int nmachine = machine_sections(all, MOST - LAB_SECTIONS);
    int n = nmachine + lab_sections(all + nmachine);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < all[i]->nfields; k++)
            each_field(all[i], &all[i]->fields[k], i < nmachine, each, context);
}

/* --- statistics ------------------------------------------------------------------------------- */

static const char *const everything[] = {"noc.topology=xbar",
                                         "noc.networks=two",
                                         "gpu.clusters=1",
                                         "xbar.inputs=1",
                                         "gpu.sms_per_cluster=1",
                                         "mc.channels=1",
                                         "xbar.outputs=1",
                                         "l1.replacement=sharing_l1",
                                         "l2.replacement=sharing_l2",
                                         "router.extension=coalesce",
                                         "sharing.enabled=true",
                                         "meetings.windows=5, 25, 100, 500",
                                         "sm.watch_available=true",
                                         "l1.count_sectors=true"};
static const char *const ring[] = {"noc.topology=intra",    "noc.networks=two", "gpu.clusters=2",
                                   "gpu.sms_per_cluster=1", "mesh.width=2",     "mesh.height=2",
                                   "mesh.mem=0, 3",         "mc.channels=2",    "router.vcs=2"};

static bool set_all(struct config *c, const char *const *settings, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        if (!config_set(c, settings[i], e))
            return false;
    return true;
}

struct config *libheddle_small_config(struct arena *a, bool has_ring)
{
    struct err e = {0};
    struct config *c = machine_config(a);
    bool ok = has_ring ? set_all(c, ring, sizeof ring / sizeof ring[0], &e)
                       : set_all(c, everything, sizeof everything / sizeof everything[0], &e);
    HD_ASSERT(ok, "%s", e.text);
    return c;
}

struct machine *libheddle_small_machine(struct arena *a, bool has_ring)
{
    struct err e = {0};
    struct machine *m =
        machine_new(libheddle_small_config(a, has_ring), &(struct machine_options){0}, &e);
    HD_ASSERT(m, "%s", e.text);
    return m;
}

struct lab *libheddle_small_lab(struct arena *a)
{
    static const char *const settings[] = {"mesh.mem=27", "traffic.pattern=request_reply"};
    struct err e = {0};
    struct config *c = lab_config(a);
    bool ok = set_all(c, settings, sizeof settings / sizeof settings[0], &e);
    struct lab *l = ok ? lab_new(c, 0.1, (struct lab_options){0}, &e) : NULL;
    HD_ASSERT(l, "%s", e.text);
    return l;
}

struct walk {
    void (*each)(void *context, const struct hd_statistic *s);
    void *context;
    const char *from;
    const char *only, *never; /* parts of names; NULL: no matter */
};

static void counted(void *context, const char *name, const struct stat_row *row)
{
    const struct walk *w = context;
    struct hd_statistic s = {name, row->unit, row->help, stats_kind_name(row->kind), w->from};
    if ((!w->only || strstr(name, w->only)) && (!w->never || !strstr(name, w->never)))
        w->each(w->context, &s);
}

static void each_of_machine(struct walk w, bool has_ring)
{
    struct arena *a = arena_new();
    struct machine *m = libheddle_small_machine(a, has_ring);
    w.only = has_ring ? ".ring." : NULL; /* the rest is as without one */
    stats_each(machine_stats(m), counted, &w);
    machine_free(m);
    arena_free(a);
}

/* Those of traffic; the networks' own are those of a machine. */
static void each_of_traffic(struct walk w)
{
    struct arena *a = arena_new();
    struct stats *t = stats_new(a);
    struct lab *l = libheddle_small_lab(a);
    lab_add_stats(l, t);
    w.from = "noc";
    w.never = "noc.";
    stats_each(t, counted, &w);
    lab_free(l);
    arena_free(a);
}

static void each_price(const struct walk *w)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct cost_values v;
    HD_ASSERT(cost_values_of(libheddle_small_config(a, false), a, &v, &e), "%s", e.text);
    for (uint32_t i = 0; i < v.n; i++) {
        struct hd_statistic s = {v.all[i].name, v.all[i].unit, "", "cost", "cost"};
        w->each(w->context, &s);
    }
    arena_free(a);
}

void hd_each_statistic(void (*each)(void *context, const struct hd_statistic *s), void *context)
{
    struct walk w = {.each = each, .context = context, .from = "run"};
    for (size_t i = 0; i < results_nrows; i++) {
        const struct results_row *r = &results_rows[i];
        struct hd_statistic s = {r->name, r->unit, r->help, "derived", "run"};
        each(context, &s);
    }
    each_of_machine(w, false);
    each_of_machine(w, true);
    each_of_traffic(w);
    each_price(&w);
}
