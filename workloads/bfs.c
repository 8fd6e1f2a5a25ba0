/* bfs.c - BFS of Rodinia: distances from one node of a random graph; see kernels/bfs.cu.
 *
 * The graph is made as Rodinia's generator makes its inputs: every node draws 2 to 4 others, and
 * every edge can be walked both ways, so that a node has 6 neighbours in the mean.  The paper's
 * input is the graph of a million nodes. */
#include "workload.h"

enum { THREADS = 512, DRAWN_MIN = 2, DRAWN_MAX = 4, DRAWS = 1 + DRAWN_MAX };

struct node {
    int32_t first_edge, edges;
};

struct graph {
    uint32_t nodes, edges;
    struct node *node;
    int32_t *edge;
};

struct device_graph {
    hd_ptr nodes, edges, in_frontier, is_reached, is_visited, cost, is_unfinished;
};

static uint32_t drawn_edges(const struct work *w, uint32_t node)
{
    uint64_t r = work_random(w, 0, (uint64_t)node * DRAWS);
    return DRAWN_MIN + (uint32_t)(r % (DRAWN_MAX - DRAWN_MIN + 1));
}

static uint32_t drawn_neighbour(const struct work *w, uint32_t node, uint32_t k, uint32_t nodes)
{
    return (uint32_t)(work_random(w, 0, (uint64_t)node * DRAWS + 1 + k) % nodes);
}

static void add_edge(struct graph *g, uint32_t from, uint32_t to)
{
    struct node *n = &g->node[from];
    g->edge[n->first_edge + n->edges++] = (int32_t)to;
}

/* First the rows' lengths, then, once the rows have their places, their contents. */
static struct graph make_graph(struct work *w, uint32_t nodes)
{
    struct graph g = {.nodes = nodes, .node = work_alloc(w, nodes * sizeof *g.node)};
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t drawn = drawn_edges(w, i);
        g.edges += 2 * drawn;
        g.node[i].edges += (int32_t)drawn;
        for (uint32_t k = 0; k < drawn; k++)
            g.node[drawn_neighbour(w, i, k, nodes)].edges++;
    }
    int32_t first = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        g.node[i].first_edge = first;
        first += g.node[i].edges;
        g.node[i].edges = 0;
    }
    g.edge = work_alloc(w, g.edges * sizeof *g.edge);
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t drawn = drawn_edges(w, i);
        for (uint32_t k = 0; k < drawn; k++) {
            uint32_t to = drawn_neighbour(w, i, k, nodes);
            add_edge(&g, i, to);
            add_edge(&g, to, i);
        }
    }
    return g;
}

static hd_ptr upload_mask(struct work *w, const struct graph *g, uint8_t at_source,
                          struct hd_error *e)
{
    hd_ptr p = work_device(w, g->nodes, e);
    bool ok =
        p && hd_memset(w->device, p, 0, g->nodes, e) && hd_upload(w->device, p, &at_source, 1, e);
    return ok ? p : 0;
}

static void unreached(int32_t *cost, uint32_t nodes)
{
    for (uint32_t i = 0; i < nodes; i++)
        cost[i] = -1;
    cost[0] = 0;
}

static bool upload_graph(struct work *w, const struct graph *g, struct device_graph *d,
                         struct hd_error *e)
{
    int32_t *cost = work_alloc(w, g->nodes * sizeof *cost);
    unreached(cost, g->nodes);
    *d = (struct device_graph){
        .nodes = work_upload(w, g->node, g->nodes * sizeof *g->node, e),
        .edges = work_upload(w, g->edge, g->edges * sizeof *g->edge, e),
        .in_frontier = upload_mask(w, g, 1, e),
        .is_reached = upload_mask(w, g, 0, e),
        .is_visited = upload_mask(w, g, 1, e),
        .cost = work_upload(w, cost, g->nodes * sizeof *cost, e),
        .is_unfinished = work_device(w, 1, e),
    };
    return d->nodes && d->edges && d->in_frontier && d->is_reached && d->is_visited && d->cost &&
           d->is_unfinished;
}

static bool one_level(struct work *w, const struct device_graph *d, uint32_t nodes,
                      struct hd_error *e)
{
    struct hd_dim grid = {(nodes + THREADS - 1) / THREADS, 1, 1}, block = {THREADS, 1, 1};
    struct hd_args expand = {0}, commit = {0};
    hd_arg_ptr(&expand, d->nodes);
    hd_arg_ptr(&expand, d->edges);
    hd_arg_ptr(&expand, d->in_frontier);
    hd_arg_ptr(&expand, d->is_reached);
    hd_arg_ptr(&expand, d->is_visited);
    hd_arg_ptr(&expand, d->cost);
    hd_arg_i32(&expand, (int32_t)nodes);
    hd_arg_ptr(&commit, d->in_frontier);
    hd_arg_ptr(&commit, d->is_reached);
    hd_arg_ptr(&commit, d->is_visited);
    hd_arg_ptr(&commit, d->is_unfinished);
    hd_arg_i32(&commit, (int32_t)nodes);
    return work_launch(w, "bfs_expand", grid, block, 0, &expand, e) &&
           work_launch(w, "bfs_commit", grid, block, 0, &commit, e);
}

/* With a queue: not the way of the kernels. */
static bool check(struct work *w, const struct graph *g, hd_ptr cost, struct hd_error *e)
{
    int32_t *got = work_alloc(w, g->nodes * sizeof *got);
    int32_t *want = work_alloc(w, g->nodes * sizeof *want);
    uint32_t *queue = work_alloc(w, g->nodes * sizeof *queue);
    unreached(want, g->nodes);
    queue[0] = 0;
    for (uint32_t head = 0, tail = 1; head < tail; head++) {
        struct node n = g->node[queue[head]];
        for (int32_t i = n.first_edge; i < n.first_edge + n.edges; i++) {
            uint32_t to = (uint32_t)g->edge[i];
            if (want[to] < 0) {
                want[to] = want[queue[head]] + 1;
                queue[tail++] = to;
            }
        }
    }
    return work_download(w, got, cost, g->nodes * sizeof *got, e) &&
           work_same_i32("cost", got, want, g->nodes, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const uint32_t nodes[SIZES] = {
        [SIZE_TINY] = 4096,     [SIZE_SMALL] = 65536, [SIZE_STUDY] = 524288,
        [SIZE_PAPER] = 1000000, [SIZE_FEW] = 32768,
    };
    struct graph g = make_graph(w, nodes[w->size]);
    struct device_graph d;
    if (!upload_graph(w, &g, &d, e))
        return false;

    uint8_t is_unfinished = 1;
    while (is_unfinished) {
        is_unfinished = 0;
        if (!hd_upload(w->device, d.is_unfinished, &is_unfinished, 1, e) ||
            !one_level(w, &d, g.nodes, e) ||
            !work_download(w, &is_unfinished, d.is_unfinished, 1, e))
            return false;
    }
    return !w->verify || check(w, &g, d.cost, e);
}

const struct workload workload_bfs = {
    .name = "BFS",
    .suite = "Rodinia",
    .stands_for = "bfs: breadth-first search, frontier by masks, two launches per level",
    .papers = "icc coalesce cdxbar intra",
    .kernels = "bfs",
    .inputs =
        {
            [SIZE_TINY] = "4,096 nodes, 25 k edges",
            [SIZE_SMALL] = "65,536 nodes, 390 k edges",
            [SIZE_STUDY] = "524,288 nodes, 3.1 M edges",
            [SIZE_PAPER] = "1,000,000 nodes, 6 M edges",
            [SIZE_FEW] = "32,768 nodes, 200 k edges",
        },
    .run = run,
};
