/* fabric.c - see fabric.h. */
#include "fabric/fabric.h"

#include <string.h>

#include "fabric/netcost.h"
#include "noc/extension.h"
#include "power/photonic.h"

CFG_SECTION(noc, NOC_ROWS, "the network: topology, request and reply, channel width, clock")

int fabric_sections(const struct cfg_section **all, int room)
{
    int n = 0;
    n = config_add_section(all, n, room, &noc_section);
    n = config_add_section(all, n, room, &router_section);
    for (int i = 0; i < topology_count; i++)
        n = config_add_section(all, n, room, topology_all[i]->section);
    for (int i = 0; i < router_extension_count; i++)
        n = config_add_section(all, n, room, router_extension_all[i]->section);
    n = config_add_section(all, n, room, &power_section);
    return config_add_section(all, n, room, &photonic_section);
}

static const char *topology_name(int i)
{
    return topology_all[i]->name;
}

static const struct topology *find_topology(const struct config *cfg, struct err *e)
{
    const struct noc_spec *s = config_get(cfg, &noc_section);
    const struct topology *t = topology_find(s->topology);
    struct cfg_registry all = {"topology", "topologies", topology_count, topology_name};
    if (!t)
        config_no_such(cfg, e, &noc_section, "topology", s->topology, &all);
    return t;
}

bool fabric_of(const struct config *cfg, struct arena *a, struct fabric *g, struct err *e)
{
    const struct noc_spec *s = config_get(cfg, &noc_section);
    bool two = strcmp(s->networks, "two") == 0;
    *g = (struct fabric){.topology = find_topology(cfg, e), .n = two ? 2 : 1};
    if (!g->topology || !g->topology->nodes(cfg, a, &g->nodes, e))
        return false;
    for (int i = 0; i < g->n; i++) {
        enum direction dir = !two ? DIR_ANY : i == 0 ? DIR_REQUEST : DIR_REPLY;
        g->name[i] = !two ? "noc" : i == 0 ? "noc.request" : "noc.reply";
        g->graph[i] = g->topology->build(cfg, dir, &g->nodes, a, e);
        if (!g->graph[i])
            return false;
        graph_fit_ring(g->graph[i], fabric_flit_bytes(cfg, g->graph[i]));
    }
    return true;
}

uint32_t fabric_flit_bytes(const struct config *cfg, const struct graph *g)
{
    const struct noc_spec *s = config_get(cfg, &noc_section);
    return g->flit_bytes ? g->flit_bytes : (uint32_t)s->width;
}
