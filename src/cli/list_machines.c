/* list_machines.c - what machines there are, and what their parameters come to: found from the
 * configuration as it is loaded, so that the list is never out of date.
 *
 * Peaks are those of the parts: DRAM is the data bus of all channels, NoC the links at the ends of
 * the reply network less what headers and the rounding to whole flits take when every reply brings
 * a line.  What a workload can reach is for a run to find out. */
#include "cli/list_machines.h"

#include <stdio.h>

#include "cli/cli.h"
#include "dram/mc.h"
#include "l1/lsu.h"
#include "l2/slice.h"
#include "machine/machine.h"
#include "mem/request.h"

struct facts {
    int64_t clusters, sms, l1_bytes, channels, slices, l2_bytes;
    bool has_l1;
    double dram, paper_dram, noc; /* GB/s */
};

/* Links on which the reply network is entered and left, whichever are fewer. */
static uint32_t reply_links(const struct graph *g)
{
    uint32_t in = 0, out = 0;
    for (uint32_t i = 0; i < g->nins; i++)
        in += g->in[i].src_node != GRAPH_NONE;
    for (uint32_t i = 0; i < g->nouts; i++)
        out += g->out[i].dst_node != GRAPH_NONE;
    return in < out ? in : out;
}

static double noc_payload(const struct config *cfg, const struct graph *g)
{
    const struct noc_spec *s = config_get(cfg, &noc_section);
    uint32_t width = fabric_flit_bytes(cfg, g);
    uint32_t flits = (REQUEST_HEADER_BYTES + LINE_BYTES + width - 1) / width;
    return reply_links(g) * s->clock * LINE_BYTES / (double)flits;
}

/* Whether it can be built, which checks more than loading does. */
static bool is_whole(const struct config *cfg, struct err *e)
{
    struct machine *m = machine_new(cfg, &(struct machine_options){0}, e);
    if (m)
        machine_free(m);
    return m != NULL;
}

static bool find_facts(const struct config *cfg, struct arena *a, struct facts *f, struct err *e)
{
    const struct gpu_spec *gpu = config_get(cfg, &gpu_section);
    const struct l1_spec *l1 = config_get(cfg, &l1_section);
    const struct l2_spec *l2 = config_get(cfg, &l2_section);
    const struct mc_spec *mc = config_get(cfg, &mc_section);
    const struct dram_spec *dram = config_get(cfg, &dram_section);
    struct fabric g;
    f->clusters = gpu->clusters;
    f->sms = gpu_sms(gpu);
    f->has_l1 = l1->enabled;
    f->l1_bytes = l1->size;
    f->channels = mc->channels;
    f->slices = mc->channels * l2->slices_per_channel;
    f->l2_bytes = l2->enabled ? f->slices * l2->size : 0;
    f->dram = dram_peak(dram, mc->channels) / 1e9;
    f->paper_dram = gpu->paper_dram_gbs;
    if (!is_whole(cfg, e) || !fabric_of(cfg, a, &g, e))
        return false;
    f->noc = noc_payload(cfg, g.graph[g.n - 1]) / 1e9;
    return true;
}

/* As one would write it in a machine file. */
static const char *size_text(struct arena *a, int64_t bytes)
{
    if (bytes % (1 << 20) == 0)
        return arena_printf(a, "%lldM", (long long)(bytes >> 20));
    if (bytes % (1 << 10) == 0)
        return arena_printf(a, "%lldK", (long long)(bytes >> 10));
    return arena_printf(a, "%lld", (long long)bytes);
}

static void print_facts(const struct facts *f, struct arena *a)
{
    printf("%8s%lld SMs", "", (long long)f->sms);
    if (f->clusters != f->sms)
        printf(" at %lld ports", (long long)f->clusters);
    printf(", L1 %s, L2 %s", f->has_l1 ? size_text(a, f->l1_bytes) : "none",
           f->l2_bytes ? size_text(a, f->l2_bytes) : "none");
    printf(", %lld channels, DRAM %.1f", (long long)f->channels, f->dram);
    if (f->paper_dram > 0)
        printf(" (stated: %g)", f->paper_dram);
    printf(", NoC %.1f GB/s\n", f->noc);
}

static void print_machine(const char *name, const char *path)
{
    struct err e = {0};
    struct arena *a = arena_new();
    struct config *c = machine_config(a);
    struct facts f = {0};
    if (config_load(c, path, &e) && find_facts(c, a, &f, &e)) {
        printf("%-16s %s\n", name, config_doc(c));
        print_facts(&f, a);
    } else {
        printf("%-16s (unusable: %s)\n", name, e.text);
    }
    arena_free(a);
}

void list_machines(bool names_only)
{
    struct arena *a = arena_new();
    const char *const *names, *const *paths;
    int n = data_machines(a, &names, &paths);
    for (int i = 0; i < n; i++)
        if (names_only)
            puts(names[i]);
        else
            print_machine(names[i], paths[i]);
    if (!names_only)
        fputs("\n(GB/s at the peak; DRAM: all channels, beside what the source states; NoC: lines "
              "that "
              "replies can\nbring to the SMs, headers not counted)\n",
              stdout);
    arena_free(a);
}
