/* topo_cfnoc.c - cfNoC for requests: a subnet per column of SMs, a token per subnet; replies by S-Mesh.
 *
 * As far as the CD-Xbar paper (sections 4 and 5) describes it; what is inferred says docs/model/rivals.md.
 * The channels of column c lead down the column to the memory row and along it, both ways, to every
 * memory node, where each subnet has a buffer of its own.  Nobody else sends on them. */
#include "noc/memory_row.h"
#include "noc/topo_smesh.h"

#define CFNOC_ROWS(F, id)                                                                          \
    F(id, INT, width, "8", 1, 4096, "byte", "channels of a subnet, the size of a request flit")    \
    F(id, INT, buffer, "68", 1, 256, "flit", "ejection buffer of a subnet at a memory node")       \
    F(id, INT, token, "1", 1, 64, "cycle", "from the right to send to the first flit")             \
    F(id, REAL, link_mm, "3.3", 0, 1000, "mm", "length of a link between tiles, or to a node")     \
    F(id, REAL, tap_mm, "0.3", 0, 1000, "mm", "from a subnet to its ejection buffer")
CFG_STRUCT(cfnoc, CFNOC_ROWS)
CFG_SECTION(cfnoc, CFNOC_ROWS, "cfNoC: subnets of columns by token, for requests")

/* Outputs of a subnet's switch in the memory row; an SM's switch has one. */
enum { EAST, WEST, TAP, ROW_PORTS };
/* Inputs of an SM's switch. */
enum { FROM_ABOVE, FROM_SM };

/* Routers: of column c first those of its SMs, row 1 to 7, then those of its subnet at memory nodes
 * 0 to 7; the ends of memory nodes come last. */
enum { PER_COLUMN = ROW_SMS + ROW_COLUMNS };

static uint32_t sm_router(uint32_t column, uint32_t row)
{
    return column * PER_COLUMN + row - 1;
}

static uint32_t row_router(uint32_t column, uint32_t mem)
{
    return column * PER_COLUMN + ROW_SMS + mem;
}

static struct route route(const struct route_view *v, const void *ctx, uint32_t router, uint32_t in,
                          struct packet *p)
{
    (void)v;
    (void)ctx;
    (void)in;
    uint32_t place = router % PER_COLUMN, mem = place - ROW_SMS;
    uint16_t out = 0;
    if (router < ROW_COLUMNS * PER_COLUMN && place >= ROW_SMS)
        out = p->dst == mem ? TAP : p->dst > mem ? EAST : WEST;
    return (struct route){.out = out, .span = 1};
}

/* Down the column, along the row, and the end. */
static uint32_t hops(const void *ctx, uint32_t src, uint32_t dst)
{
    uint32_t column = src % ROW_COLUMNS, row = src / ROW_COLUMNS;
    (void)ctx;
    return row + (column > dst ? column - dst : dst - column) + 1 + 1;
}

/* Inputs of a row switch: the column's at its foot, else its neighbour on the side of the foot. */
static void add_subnet(struct graph *g, uint32_t column, float mm)
{
    for (uint32_t row = 1; row <= ROW_SMS; row++) {
        uint32_t id = memory_row_switch(g, 2, 1, column, row);
        graph_inject(g, row * ROW_COLUMNS + column, id, FROM_SM, 1, mm);
    }
    for (uint32_t mem = 0; mem < ROW_COLUMNS; mem++) {
        uint32_t id = memory_row_switch(g, 1, ROW_PORTS, mem, 0);
        bool east = mem >= column && mem + 1 < ROW_COLUMNS, west = mem <= column && mem > 0;
        g->router[id].count_in = 1;
        g->router[id].count_out = 1u + east + west;
    }
    graph_connect(g, sm_router(column, 1), 0, row_router(column, column), 0, 1, mm);
    for (uint32_t row = 2; row <= ROW_SMS; row++)
        graph_connect(g, sm_router(column, row), 0, sm_router(column, row - 1), FROM_ABOVE, 1, mm);
    for (uint32_t mem = column; mem + 1 < ROW_COLUMNS; mem++)
        graph_connect(g, row_router(column, mem), EAST, row_router(column, mem + 1), 0, 1, mm);
    for (uint32_t mem = column; mem > 0; mem--)
        graph_connect(g, row_router(column, mem), WEST, row_router(column, mem - 1), 0, 1, mm);
}

static const struct graph_tokens *tokens_of(const struct cfnoc_spec *s, uint32_t nnodes,
                                            struct arena *a)
{
    uint32_t *of = ARENA_ARRAY(a, uint32_t, nnodes);
    struct graph_tokens *t = ARENA_NEW(a, struct graph_tokens);
    for (uint32_t i = 0; i < nnodes; i++)
        of[i] = i % ROW_COLUMNS;
    *t = (struct graph_tokens){ROW_COLUMNS, of, (uint32_t)s->buffer, (uint32_t)s->token};
    return t;
}

static struct graph *build(const struct config *cfg, enum direction dir,
                           const struct topology_nodes *n, struct arena *a, struct err *e)
{
    const struct cfnoc_spec *s = config_get(cfg, &cfnoc_section);
    if (dir != DIR_REQUEST)
        return smesh_build(cfg, dir, n, a, e);
    struct graph *g = graph_new(a, n->total);
    for (uint32_t column = 0; column < ROW_COLUMNS; column++)
        add_subnet(g, column, (float)s->link_mm);
    for (uint32_t mem = 0; mem < ROW_COLUMNS; mem++) {
        uint32_t end = memory_row_end(g, ROW_COLUMNS, mem, (float)s->link_mm);
        for (uint32_t column = 0; column < ROW_COLUMNS; column++)
            graph_connect(g, row_router(column, mem), TAP, end, column, 1, (float)s->tap_mm);
    }
    g->route = route;
    g->hops = hops;
    g->is_plane = true;
    g->tokens = tokens_of(s, n->total, a);
    g->flit_bytes = (uint32_t)s->width;
    return g;
}

const struct topology topology_cfnoc = {
    .name = "cfnoc",
    .help = "requests by cfNoC, subnets of columns by token; replies by S-Mesh; 56 SMs, 8 slices",
    .section = &cfnoc_section,
    .nodes = memory_row_nodes,
    .build = build,
};
