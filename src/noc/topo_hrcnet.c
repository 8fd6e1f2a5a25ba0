/* topo_hrcnet.c - HRCnet for replies: a wide ring of memory nodes, a chain of SMs behind each; requests by
 * S-Mesh.
 *
 * As far as the CD-Xbar paper (sections 4 and 5) and the abstract of HRCnet (ICCD 2016) describe it;
 * what is inferred says docs/model/rivals.md.  All channels have one direction.  A token goes round
 * the memory nodes, and who has it books the way of a packet. */
#include "noc/memory_row.h"
#include "noc/topo_smesh.h"

#define HRCNET_ROWS(F, id)                                                                         \
    F(id, INT, width, "128", 1, 4096, "byte", "channels of ring and chains, a reply flit")         \
    F(id, INT, buffer, "8", 1, 256, "flit", "ejection buffer of an SM")                            \
    F(id, INT, token, "1", 1, 64, "cycle", "from the right to send to the first flit")             \
    F(id, REAL, ring_mm, "6.6", 0, 1000, "mm", "length of a link of the ring, which is folded")    \
    F(id, REAL, link_mm, "3.3", 0, 1000, "mm", "length of a link of a chain, or to a node")        \
    F(id, REAL, tap_mm, "0.3", 0, 1000, "mm", "from a chain to an ejection buffer")
CFG_STRUCT(hrcnet, HRCNET_ROWS)
CFG_SECTION(hrcnet, HRCNET_ROWS, "HRCnet: a wide ring with chains by token, for replies")

/* Outputs: of a stop of the ring, and of a link of a chain. */
enum { RING, CHAIN };
enum { ONWARD, TAP };
/* Inputs of a stop. */
enum { FROM_RING, FROM_MEMORY };

/* Routers: 8 stops, then the 7 links of each chain, then the ends of SMs in the order of nodes. */
static uint32_t chain_router(uint32_t column, uint32_t row)
{
    return ROW_COLUMNS + column * ROW_SMS + row - 1;
}

static struct route route(const struct route_view *v, const void *ctx, uint32_t router, uint32_t in,
                          struct packet *p)
{
    (void)v;
    (void)ctx;
    (void)in;
    uint32_t column = p->dst % ROW_COLUMNS, row = p->dst / ROW_COLUMNS;
    uint16_t out = 0; /* of an end */
    if (router < ROW_COLUMNS)
        out = router == column ? CHAIN : RING;
    else if (router < ROW_COLUMNS + ROW_COLUMNS * ROW_SMS)
        out = router == chain_router(column, row) ? TAP : ONWARD;
    return (struct route){.out = out, .span = 1};
}

/* Round the ring, down the chain, and the end. */
static uint32_t hops(const void *ctx, uint32_t src, uint32_t dst)
{
    uint32_t round = (dst % ROW_COLUMNS + ROW_COLUMNS - src) % ROW_COLUMNS;
    (void)ctx;
    return round + 1 + dst / ROW_COLUMNS + 1;
}

static void add_ring(struct graph *g, const struct hrcnet_spec *s)
{
    for (uint32_t i = 0; i < ROW_COLUMNS; i++) {
        memory_row_switch(g, 2, 2, i, 0);
        graph_inject(g, i, i, FROM_MEMORY, 1, (float)s->link_mm);
    }
    for (uint32_t i = 0; i < ROW_COLUMNS; i++)
        graph_connect(g, i, RING, (i + 1) % ROW_COLUMNS, FROM_RING, 1, (float)s->ring_mm);
}

static void add_chains(struct graph *g, const struct hrcnet_spec *s)
{
    for (uint32_t column = 0; column < ROW_COLUMNS; column++)
        for (uint32_t row = 1; row <= ROW_SMS; row++) {
            uint32_t id = memory_row_switch(g, 1, 2, column, row);
            uint32_t before = row == 1 ? column : id - 1;
            graph_connect(g, before, row == 1 ? CHAIN : ONWARD, id, 0, 1, (float)s->link_mm);
        }
    for (uint32_t node = ROW_COLUMNS; node < ROW_COLUMNS * (ROW_SMS + 1); node++) {
        uint32_t end = memory_row_end(g, 1, node, (float)s->link_mm);
        graph_connect(g, chain_router(node % ROW_COLUMNS, node / ROW_COLUMNS), TAP, end, 0, 1,
                      (float)s->tap_mm);
    }
}

static struct graph *build(const struct config *cfg, enum direction dir,
                           const struct topology_nodes *n, struct arena *a, struct err *e)
{
    const struct hrcnet_spec *s = config_get(cfg, &hrcnet_section);
    if (dir != DIR_REPLY)
        return smesh_build(cfg, dir, n, a, e);
    struct graph *g = graph_new(a, n->total);
    struct graph_tokens *t = ARENA_NEW(a, struct graph_tokens);
    add_ring(g, s);
    add_chains(g, s);
    *t = (struct graph_tokens){1, ARENA_ARRAY(a, uint32_t, n->total), (uint32_t)s->buffer,
                               (uint32_t)s->token};
    g->route = route;
    g->hops = hops;
    g->is_plane = true;
    g->tokens = t;
    g->flit_bytes = (uint32_t)s->width;
    return g;
}

const struct topology topology_hrcnet = {
    .name = "hrcnet",
    .help = "requests by S-Mesh; replies by HRCnet, a ring with chains by token; 56 SMs, 8 slices",
    .section = &hrcnet_section,
    .nodes = memory_row_nodes,
    .build = build,
};
