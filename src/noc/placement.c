/* placement.c - roles of nodes: cores and memory nodes. */
#include "noc/placement.h"

#include <stdio.h>

static bool mark_mems(const struct config *cfg, const struct cfg_section *sec,
                      const struct placement *p, bool *is_mem, struct err *e)
{
    for (int i = 0; i < p->mem.n; i++) {
        int64_t node = p->mem.v[i];
        if (node < 0 || (uint64_t)node >= p->total)
            return config_blame(cfg, e, sec, "mem", "node %lld does not exist (0..%llu do)",
                                (long long)node, (unsigned long long)p->total - 1);
        if (is_mem[node])
            return config_blame(cfg, e, sec, "mem", "node %lld is listed twice", (long long)node);
        is_mem[node] = true;
    }
    return true;
}

bool placement_list(const struct config *cfg, const struct cfg_section *sec,
                    const struct placement *p, struct arena *a, struct topology_nodes *n,
                    struct err *e)
{
    uint32_t total = (uint32_t)p->total;
    uint32_t *mems = ARENA_ARRAY(a, uint32_t, total + 1);
    uint32_t *cores = ARENA_ARRAY(a, uint32_t, total + 1);
    bool *is_mem = ARENA_ARRAY(a, bool, total + 1);
    *n = (struct topology_nodes){.total = total, .cores = cores, .mems = mems};
    if (!mark_mems(cfg, sec, p, is_mem, e))
        return false;
    if (p->cores > 0 && (uint64_t)p->cores + (uint64_t)p->mem.n > total)
        return config_blame(cfg, e, sec, "cores",
                            "%lld cores and %d memory nodes do not fit on %u nodes",
                            (long long)p->cores, p->mem.n, total);
    uint32_t want = p->cores > 0 ? (uint32_t)p->cores : total;
    for (uint32_t i = 0; i < total; i++) {
        if (is_mem[i])
            mems[n->nmems++] = i;
        else if (n->ncores < want)
            cores[n->ncores++] = i;
    }
    return true;
}

void placement_split(uint32_t ncores, uint32_t nmems, struct arena *a, struct topology_nodes *n)
{
    uint32_t *node = ARENA_ARRAY(a, uint32_t, ncores + nmems + 1);
    for (uint32_t i = 0; i < ncores + nmems; i++)
        node[i] = i;
    *n = (struct topology_nodes){.total = ncores + nmems,
                                 .ncores = ncores,
                                 .nmems = nmems,
                                 .cores = node,
                                 .mems = node + ncores};
}

bool placement_has_ends(const struct config *cfg, const struct cfg_section *sec, const char *field,
                        enum direction dir, const struct topology_nodes *n, struct err *e)
{
    if (dir == DIR_ANY || (n->nmems > 0 && n->ncores > 0))
        return true;
    return config_blame(cfg, e, sec, field,
                        "request and reply networks need at least one memory node and one core");
}

void placement_attach(struct graph *g, enum direction dir, const struct topology_nodes *n,
                      const void *spec,
                      void (*attach)(struct graph *g, const void *spec, uint32_t node, bool inject,
                                     bool eject))
{
    if (dir == DIR_ANY) {
        for (uint32_t i = 0; i < n->total; i++)
            attach(g, spec, i, true, true);
        return;
    }
    for (uint32_t i = 0; i < n->ncores; i++)
        attach(g, spec, n->cores[i], dir == DIR_REQUEST, dir == DIR_REPLY);
    for (uint32_t i = 0; i < n->nmems; i++)
        attach(g, spec, n->mems[i], dir == DIR_REPLY, dir == DIR_REQUEST);
}

uint32_t placement_side(uint32_t nodes)
{
    uint32_t side = 1;
    while ((uint64_t)side * side < nodes)
        side++;
    return side;
}

const char *placement_fit(struct arena *a, uint32_t total, uint32_t ncores, uint32_t nmems)
{
    enum { DIGITS = 11 }; /* of any number, with the comma */
    size_t room = 32 + (size_t)nmems * DIGITS;
    char *text = arena_alloc(a, room);
    size_t n = (size_t)snprintf(text, room, "cores=%u mem=", ncores);
    for (uint32_t i = 0; i < nmems; i++)
        n += (size_t)snprintf(text + n, room - n, "%s%u", i ? "," : "",
                              (uint32_t)((2ull * i + 1) * total / (2ull * nmems)));
    return text;
}
