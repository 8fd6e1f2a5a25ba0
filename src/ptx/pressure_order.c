/* pressure_order.c - the order in which an assembler might issue the instructions of a region.
 *
 * A list scheduler for latency, one instruction per cycle, with an eye on registers: of what is
 * ready, the instruction with the longest way to the end goes first; but one that needs a new
 * register and leads to no load waits until the longest way demands it.  So loads gather at the
 * top, and what uses them follows in the shadow of their latency. */
#include <string.h>

#include "ptx/pressure.h"

struct edge {
    uint32_t from, to, next_out; /* next_out: next edge (+1) from the same instruction */
    uint16_t cycles;
    bool is_data;
};

struct node {
    uint32_t first_out; /* edge + 1 */
    uint32_t waits_for; /* edges into it that are not yet done */
    uint32_t height;    /* cycles to the region's end */
    uint32_t ready_at;
    bool feeds_load, is_ready, is_done;
};

struct graph {
    const struct pressure_region *r;
    struct arena *arena;
    struct node *node;
    struct edge *edge;
    uint32_t nedges, edge_room;
    /* by register: who wrote it last (+1), and a list of who has read it since */
    uint32_t *writer, *reader;
    struct reader {
        uint32_t insn, next;
    } * readers;
    uint32_t nreaders;
};

static void add_edge(struct graph *g, uint32_t from, uint32_t to, uint32_t cycles, bool is_data)
{
    if (g->nedges == g->edge_room) {
        uint32_t room = g->edge_room ? 2 * g->edge_room : 256;
        struct edge *more = ARENA_ARRAY(g->arena, struct edge, room);
        if (g->nedges)
            memcpy(more, g->edge, g->nedges * sizeof *more);
        g->edge = more;
        g->edge_room = room;
    }
    g->edge[g->nedges] =
        (struct edge){from, to, g->node[from].first_out, (uint16_t)cycles, is_data};
    g->node[from].first_out = ++g->nedges;
    g->node[to].waits_for++;
}

/* --- who has to wait for whom ------------------------------------------------------------------ */

static void order_registers(struct graph *g, uint32_t k)
{
    const struct pressure_insn *i = &g->r->insns[k];
    for (uint32_t u = 0; u < i->nuse; u++)
        if (g->writer[i->use[u]]) {
            uint32_t from = g->writer[i->use[u]] - 1;
            add_edge(g, from, k, g->r->insns[from].latency, true);
        }
    for (uint32_t d = 0; d < i->ndef; d++) {
        if (g->writer[i->def[d]])
            add_edge(g, g->writer[i->def[d]] - 1, k, 1, false);
        for (uint32_t x = g->reader[i->def[d]]; x; x = g->readers[x - 1].next)
            if (g->readers[x - 1].insn != k)
                add_edge(g, g->readers[x - 1].insn, k, 0, false);
    }
    for (uint32_t u = 0; u < i->nuse; u++) {
        g->readers[g->nreaders] = (struct reader){k, g->reader[i->use[u]]};
        g->reader[i->use[u]] = ++g->nreaders;
    }
    for (uint32_t d = 0; d < i->ndef; d++) {
        g->writer[i->def[d]] = k + 1;
        g->reader[i->def[d]] = 0;
    }
}

static bool is_constant(const struct pressure_insn *i)
{
    return i->space == STREAM_CONST || i->space == STREAM_TEX;
}

struct memory_order {
    uint32_t fence, store;               /* the last ones, + 1 */
    uint32_t store_to[STREAM_SPACES];    /* + 1 */
    uint32_t loads_since[STREAM_SPACES]; /* first instruction to look at */
};

/* Loads stay behind stores to their space and behind barriers; stores stay in order, and behind
 * the loads of their space. */
static void order_memory(struct graph *g, uint32_t k, struct memory_order *m)
{
    const struct pressure_insn *all = g->r->insns, *i = &all[k];
    if (i->is_load && !is_constant(i)) {
        if (m->store_to[i->space])
            add_edge(g, m->store_to[i->space] - 1, k, 1, false);
        if (m->fence)
            add_edge(g, m->fence - 1, k, 1, false);
    }
    if ((i->is_store || i->is_fence) && m->fence)
        add_edge(g, m->fence - 1, k, 1, false);
    if (i->is_store) {
        for (uint32_t p = m->loads_since[i->space]; p < k; p++)
            if (all[p].is_load && all[p].space == i->space)
                add_edge(g, p, k, 1, false);
        if (m->store)
            add_edge(g, m->store - 1, k, 1, false);
        m->loads_since[i->space] = k;
        m->store = m->store_to[i->space] = k + 1;
    } else if (i->is_fence) {
        for (uint32_t p = m->fence; p < k; p++)
            if (i->is_end || all[p].is_store || (all[p].is_load && !is_constant(&all[p])))
                add_edge(g, p, k, 0, false);
        m->fence = k + 1;
    }
}

static void measure_heights(struct graph *g)
{
    for (uint32_t k = g->r->n; k-- > 0;) {
        struct node *n = &g->node[k];
        n->feeds_load = g->r->insns[k].is_load;
        if (!n->first_out)
            n->height = g->r->insns[k].latency;
        for (uint32_t x = n->first_out; x; x = g->edge[x - 1].next_out) {
            HD_ASSERT(g->edge, "a node has edges, the graph none");
            const struct edge *e = &g->edge[x - 1];
            const struct node *to = &g->node[e->to];
            if (to->height + e->cycles > n->height)
                n->height = to->height + e->cycles;
            n->feeds_load |= e->is_data && to->feeds_load;
        }
    }
}

/* --- issue ------------------------------------------------------------------------------------- */

struct issue {
    struct graph *g;
    const uint8_t *weight;
    uint32_t *reads_left; /* by register */
    uint8_t *is_live;
    uint32_t live; /* registers in use */
    uint32_t length, late, now;
    uint32_t *ready, nready;
};

/* How many registers more are in use after instruction k. */
static int32_t growth(const struct issue *s, uint32_t k)
{
    const struct pressure_region *r = s->g->r;
    const struct pressure_insn *i = &r->insns[k];
    int32_t n = 0;
    for (uint32_t u = 0; u < i->nuse; u++) {
        uint32_t v = i->use[u];
        if (s->reads_left[v] == 1 && s->is_live[v] && !pressure_has(r->out, v))
            n -= s->weight[v];
    }
    for (uint32_t d = 0; d < i->ndef; d++)
        if (!s->is_live[i->def[d]])
            n += s->weight[i->def[d]];
    return n;
}

/* The cycle in which the longest way to the end demands it. */
static uint32_t due(const struct issue *s, uint32_t k)
{
    return s->length - s->g->node[k].height + s->late;
}

static bool is_wanted(const struct issue *s, uint32_t k)
{
    int32_t more = growth(s, k);
    return more <= 0 || due(s, k) <= s->now ||
           (s->g->node[k].feeds_load && (int32_t)s->live + more <= PRESSURE_ENOUGH);
}

/* The place in `ready` of what is issued now, or UINT32_MAX; *later is when to look again. */
static uint32_t choose(const struct issue *s, uint32_t *later)
{
    uint32_t best = UINT32_MAX;
    *later = UINT32_MAX;
    for (uint32_t x = 0; x < s->nready; x++) {
        uint32_t k = s->ready[x], at = s->g->node[k].ready_at;
        if (at > s->now || !is_wanted(s, k)) {
            uint32_t when = at > s->now ? at : due(s, k);
            *later = when < *later ? when : *later;
            continue;
        }
        uint32_t b = best == UINT32_MAX ? UINT32_MAX : s->ready[best];
        if (best == UINT32_MAX || s->g->node[k].height > s->g->node[b].height ||
            (k < b && s->g->node[k].height == s->g->node[b].height))
            best = x;
    }
    return best;
}

static void take(struct issue *s, uint32_t k)
{
    const struct pressure_region *r = s->g->r;
    const struct pressure_insn *i = &r->insns[k];
    for (uint32_t u = 0; u < i->nuse; u++) {
        uint32_t v = i->use[u];
        if (--s->reads_left[v] == 0 && s->is_live[v] && !pressure_has(r->out, v)) {
            s->is_live[v] = 0;
            s->live -= s->weight[v];
        }
    }
    for (uint32_t d = 0; d < i->ndef; d++) {
        uint32_t v = i->def[d];
        if (!s->is_live[v] && (s->reads_left[v] || pressure_has(r->out, v))) {
            s->is_live[v] = 1;
            s->live += s->weight[v];
        }
    }
    for (uint32_t x = s->g->node[k].first_out; x; x = s->g->edge[x - 1].next_out) {
        const struct edge *e = &s->g->edge[x - 1];
        struct node *to = &s->g->node[e->to];
        if (s->now + e->cycles > to->ready_at)
            to->ready_at = s->now + e->cycles;
        if (--to->waits_for == 0)
            s->ready[s->nready++] = e->to;
    }
}

static void begin(struct issue *s, uint32_t nregs)
{
    const struct pressure_region *r = s->g->r;
    struct arena *a = s->g->arena;
    s->reads_left = ARENA_ARRAY(a, uint32_t, nregs + 1);
    s->is_live = ARENA_ARRAY(a, uint8_t, nregs + 1);
    s->ready = ARENA_ARRAY(a, uint32_t, r->n + 1);
    for (uint32_t v = 0; v < nregs; v++)
        if (pressure_has(r->in, v)) {
            s->is_live[v] = 1;
            s->live += s->weight[v];
        }
    for (uint32_t k = 0; k < r->n; k++) {
        for (uint32_t u = 0; u < r->insns[k].nuse; u++)
            s->reads_left[r->insns[k].use[u]]++;
        if (s->g->node[k].height > s->length)
            s->length = s->g->node[k].height;
        if (!s->g->node[k].waits_for)
            s->ready[s->nready++] = k;
    }
}

void pressure_order(const struct pressure_region *r, const uint8_t *weight, uint32_t nregs,
                    struct arena *a, uint32_t *order, uint32_t *cycle)
{
    struct graph g = {.r = r, .arena = a};
    struct issue s = {.g = &g, .weight = weight};
    struct memory_order m = {0};
    uint32_t nuses = 0, n = 0;
    for (uint32_t k = 0; k < r->n; k++)
        nuses += r->insns[k].nuse;
    g.node = ARENA_ARRAY(a, struct node, r->n + 1);
    g.writer = ARENA_ARRAY(a, uint32_t, nregs + 1);
    g.reader = ARENA_ARRAY(a, uint32_t, nregs + 1);
    g.readers = ARENA_ARRAY(a, struct reader, nuses + 1);
    for (uint32_t k = 0; k < r->n; k++) {
        order_registers(&g, k);
        order_memory(&g, k, &m);
    }
    measure_heights(&g);
    begin(&s, nregs);
    while (s.nready) {
        uint32_t later, x = choose(&s, &later);
        if (x == UINT32_MAX) {
            s.now = later > s.now ? later : s.now + 1;
            continue;
        }
        uint32_t k = s.ready[x];
        s.ready[x] = s.ready[--s.nready];
        if (s.now > due(&s, k)) /* behind time: what is left is due later, too */
            s.late += s.now - due(&s, k);
        order[n++] = k;
        cycle[k] = s.now;
        take(&s, k);
        s.now++;
    }
}
