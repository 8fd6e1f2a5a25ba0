/* fit.c - the sizes of a machine's network where nobody gave them: a file, or --set noc.topology=, may
 * choose another topology than its base, and say no more. */
#include "l2/slice.h"
#include "machine/machine_priv.h"

void machine_fit(struct config *cfg)
{
    const struct gpu_spec *gpu = config_get(cfg, &gpu_section);
    const struct noc_spec *noc = config_get(cfg, &noc_section);
    const struct l2_spec *l2 = config_get(cfg, &l2_section);
    const struct mc_spec *mc = config_get(cfg, &mc_section);
    const struct topology *t = topology_find(noc->topology);
    struct arena *a = arena_new();
    if (t && t->fit)
        config_fit(
            cfg, t->section,
            t->fit(a, (uint32_t)gpu->clusters, (uint32_t)(mc->channels * l2->slices_per_channel)));
    arena_free(a);
}
