/* sections.c - the parameters of a machine: its own, those of its components, and those of every part
 * that is registered, whether it is chosen or not. */
#include <string.h>

#include "cache/policy.h"
#include "dram/scheduler.h"
#include "fabric/netcost.h"
#include "machine/machine_priv.h"
#include "power/dram_energy.h"
#include "sim/sim_spec.h"
#include "sm/policy.h"

CFG_SECTION_WHEN(gpu, GPU_ROWS, "the machine: clusters, SMs, clock, CTA scheduler",
                 {"sms_per_cluster", "gpu.sms=0"}, {"flush", "l2.enabled=true"},
                 {"flush", "l2.perfect=false"})

enum { MAX_SECTIONS = 64 };

int machine_sections(const struct cfg_section **all, int room)
{
    static const struct cfg_section *const own[] = {
        &gpu_section,      &sm_section,      &pipe_section,    &shared_section, &l1_section,
        &constant_section, &texture_section, &cluster_section, &icc_section,    &locality_section,
        &l2_section,       &mc_section,      &dram_section,    &map_section,    &dram_power_section,
        &sim_section,      &sharing_section, &meetings_section};
    enum { OWN = sizeof own / sizeof own[0] };
    HD_ASSERT(OWN < room, "more than %d sections", room);
    memcpy(all, own, sizeof own);
    int n = OWN;
    n += cta_policy_sections(all + n, room - n);
    n += partition_sections(all + n, room - n);
    n += warp_policy_sections(all + n, room - n);
    n += scheduler_sections(all + n, room - n);
    n += cache_policy_sections(all + n, room - n);
    return n + fabric_sections(all + n, room - n);
}

#define NO_TRAFFIC                                                                                 \
    "a machine runs kernels: take this section out (synthetic traffic is for networks, heddle "    \
    "noc)"

struct config *machine_config(struct arena *a)
{
    static const struct cfg_foreign foreign[] = {
        {"traffic", NO_TRAFFIC}, {"reqrep", NO_TRAFFIC}, {"measure", NO_TRAFFIC}};
    const struct cfg_section **all = ARENA_ARRAY(a, const struct cfg_section *, MAX_SECTIONS);
    struct config *c = config_new(a, all, machine_sections(all, MAX_SECTIONS));
    config_foreign(c, foreign, 3);
    return c;
}
