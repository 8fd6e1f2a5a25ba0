/* The parameters of machines: those of every registered part are there, those of the lab are not. */
#include "cache/policy.h"
#include "check.h"
#include "dram/scheduler.h"
#include "machine/machine_priv.h"
#include "noc/extension.h"
#include "noc/topology.h"
#include "sm/policy.h"

/* A section that is not there is asserted. */
static void expect(const struct config *c, const struct cfg_section *s, uint32_t *n)
{
    if (!s)
        return;
    CHECK(config_get(c, s) != NULL);
    ++*n;
}

static void parameters_of_every_registered_part_are_there(void)
{
    struct arena *a = arena_new();
    const struct config *c = machine_config(a);
    uint32_t n = 0;
    for (int i = 0; i < topology_count; i++)
        expect(c, topology_all[i]->section, &n);
    for (int i = 0; i < router_extension_count; i++)
        expect(c, router_extension_all[i]->section, &n);
    for (int i = 0; i < cta_policy_count; i++)
        expect(c, cta_policy_all[i]->section, &n);
    for (int i = 0; i < partition_count; i++)
        expect(c, partition_all[i]->section, &n);
    for (int i = 0; i < warp_policy_count; i++)
        expect(c, warp_policy_all[i]->section, &n);
    for (int i = 0; i < scheduler_count; i++)
        expect(c, scheduler_all[i]->section, &n);
    for (int i = 0; i < cache_policy_count; i++)
        expect(c, cache_policy_all[i]->section, &n);
    CHECK(n >= 15);
    arena_free(a);
}

static void synthetic_traffic_is_refused_with_what_to_do(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    CHECK(!config_set(machine_config(a), "traffic.rate=0.1", &e));
    CHECK(strstr(e.text, "--set traffic.rate=0.1: a machine runs kernels: take this section out"));
    arena_free(a);
}

CHECK_MAIN("sections", TEST(parameters_of_every_registered_part_are_there),
           TEST(synthetic_traffic_is_refused_with_what_to_do))
