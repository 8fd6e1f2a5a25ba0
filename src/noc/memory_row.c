/* memory_row.c - see memory_row.h. */
#include "noc/memory_row.h"

bool memory_row_nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                      struct err *e)
{
    const struct mesh_spec *s = config_get(cfg, &mesh_section);
    if (s->width != ROW_COLUMNS || s->height != ROW_SMS + 1 || s->concentration != 1)
        return config_blame(cfg, e, &mesh_section, "width",
                            "cfNoC and HRCnet are for 56 SMs and 8 memory nodes on 8 x 8 routers, "
                            "not %lld x %lld of %lld nodes",
                            (long long)s->width, (long long)s->height, (long long)s->concentration);
    if (!mesh_nodes(cfg, a, n, e))
        return false;
    if (n->nmems != ROW_COLUMNS || n->mems[ROW_COLUMNS - 1] != ROW_COLUMNS - 1 ||
        n->ncores != ROW_COLUMNS * ROW_SMS)
        return config_blame(cfg, e, &mesh_section, "mem",
                            "cfNoC and HRCnet are for 56 SMs and 8 memory nodes, which are the "
                            "first row (mem: 0-7, cores: 0)");
    return true;
}

uint32_t memory_row_switch(struct graph *g, uint32_t nin, uint32_t nout, uint32_t x, uint32_t y)
{
    uint32_t id = graph_add_router(g, nin, nout, ((float)x + 0.5f) / ROW_COLUMNS,
                                   ((float)y + 0.5f) / (ROW_SMS + 1));
    g->router[id].store = STORE_NOTHING;
    return id;
}

uint32_t memory_row_end(struct graph *g, uint32_t nin, uint32_t node, float mm)
{
    uint32_t id = memory_row_switch(g, nin, 1, node % ROW_COLUMNS, node / ROW_COLUMNS);
    g->router[id].store = STORE_AT_END;
    graph_eject(g, id, 0, node, 1, mm);
    return id;
}
