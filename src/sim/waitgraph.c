/* waitgraph.c - deadlock detection by elimination.
 *
 * Start from the vertices that can move and go backwards along the edges: whoever waits for a
 * mover will move in the end.  What is left over can never move.  Every left-over vertex waits
 * only for left-over vertices, so following any edge from one of them must close a cycle. */
#include "sim/waitgraph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sim/component.h"

#define NONE UINT32_MAX
#define MAX_NAMED 24u /* of a cycle; longer ones are cut in the message */

struct vertex {
    uint64_t key;
    const char *label;
    uint32_t edges; /* first outgoing edge, or NONE */
    bool moves;
    bool declared;
};

struct edge {
    uint32_t from, to;
    uint32_t next_out;
};

struct waitgraph {
    struct arena *arena;
    struct vertex *v;
    struct edge *e;
    uint32_t nv, ne, cap_v, cap_e;
    uint32_t *slots; /* open hash from key to vertex */
    uint32_t nslots;
};

struct waitgraph *waitgraph_new(struct arena *a)
{
    struct waitgraph *g = ARENA_NEW(a, struct waitgraph);
    g->arena = a;
    return g;
}

static uint32_t slot_of(const struct waitgraph *g, uint64_t key)
{
    uint32_t i = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32) & (g->nslots - 1);
    while (g->slots[i] != NONE && g->v[g->slots[i]].key != key)
        i = (i + 1) & (g->nslots - 1);
    return i;
}

static void grow_vertices(struct waitgraph *g)
{
    uint32_t cap = g->cap_v ? g->cap_v * 2 : 256;
    struct vertex *v = ARENA_ARRAY(g->arena, struct vertex, cap);
    if (g->nv)
        memcpy(v, g->v, sizeof *v * g->nv);
    g->v = v;
    g->cap_v = cap;
    g->nslots = cap * 2;
    g->slots = ARENA_ARRAY(g->arena, uint32_t, g->nslots);
    memset(g->slots, 0xff, sizeof *g->slots * g->nslots);
    for (uint32_t i = 0; i < g->nv; i++)
        g->slots[slot_of(g, v[i].key)] = i;
}

static uint32_t find(struct waitgraph *g, const struct component *c, uint64_t local)
{
    uint64_t key = (uint64_t)(c->id + 1) << 48 | local;
    HD_ASSERT(local < 1ull << 48, "%s: vertex number too large", c->path);
    if (g->nv == g->cap_v)
        grow_vertices(g);
    uint32_t s = slot_of(g, key);
    if (g->slots[s] == NONE) {
        g->v[g->nv] = (struct vertex){.key = key, .edges = NONE};
        g->slots[s] = g->nv++;
    }
    return g->slots[s];
}

void waitgraph_vertex(struct waitgraph *g, const struct component *c, uint64_t local, bool can_move,
                      const char *label)
{
    uint32_t at = find(g, c, local); /* may move g->v */
    struct vertex *v = &g->v[at];
    v->declared = true;
    v->moves = can_move;
    v->label = arena_printf(g->arena, "%s %s", c->path, label);
}

void waitgraph_edge(struct waitgraph *g, const struct component *from_c, uint64_t from,
                    const struct component *to_c, uint64_t to)
{
    uint32_t a = find(g, from_c, from), b = find(g, to_c, to);
    if (g->ne == g->cap_e) {
        uint32_t cap = g->cap_e ? g->cap_e * 2 : 512;
        struct edge *e = ARENA_ARRAY(g->arena, struct edge, cap);
        if (g->ne)
            memcpy(e, g->e, sizeof *e * g->ne);
        g->e = e;
        g->cap_e = cap;
    }
    g->e[g->ne] = (struct edge){a, b, g->v[a].edges};
    g->v[a].edges = g->ne++;
}

/* Backward reachability from the movers, over the reversed edges. */
static void eliminate(struct waitgraph *g)
{
    uint32_t *first_in = ARENA_ARRAY(g->arena, uint32_t, g->nv);
    uint32_t *next_in = ARENA_ARRAY(g->arena, uint32_t, g->ne + 1);
    uint32_t *todo = ARENA_ARRAY(g->arena, uint32_t, g->nv);
    uint32_t n = 0;
    memset(first_in, 0xff, sizeof *first_in * g->nv);
    for (uint32_t i = 0; i < g->ne; i++) {
        next_in[i] = first_in[g->e[i].to];
        first_in[g->e[i].to] = i;
    }
    for (uint32_t i = 0; i < g->nv; i++) {
        if (!g->v[i].declared)
            g->v[i].moves = true;
        if (g->v[i].moves)
            todo[n++] = i;
    }
    while (n > 0) {
        uint32_t v = todo[--n];
        for (uint32_t i = first_in[v]; i != NONE; i = next_in[i]) {
            uint32_t u = g->e[i].from;
            if (!g->v[u].moves) {
                g->v[u].moves = true;
                todo[n++] = u;
            }
        }
    }
}

static const char *describe_cycle(struct waitgraph *g, uint32_t start)
{
    uint32_t *seen_at = ARENA_ARRAY(g->arena, uint32_t, g->nv);
    uint32_t *path = ARENA_ARRAY(g->arena, uint32_t, g->nv + 1);
    uint32_t n = 0, v = start;
    while (seen_at[v] == 0) {
        path[n++] = v;
        seen_at[v] = n;
        if (g->v[v].edges == NONE)
            return arena_printf(g->arena, "%s waits for something that nobody will do",
                                g->v[v].label);
        v = g->e[g->v[v].edges].to;
    }
    uint32_t first = seen_at[v], left = n - first;
    char *text = arena_printf(g->arena, "%s", g->v[v].label);
    for (uint32_t i = first; i < n && i < first + MAX_NAMED; i++, left--)
        text = arena_printf(g->arena, "%s -> %s", text, g->v[path[i]].label);
    if (left)
        text = arena_printf(g->arena, "%s -> (%u more)", text, left);
    return arena_printf(g->arena, "%s -> %s", text, g->v[v].label);
}

const char *waitgraph_deadlock(struct waitgraph *g)
{
    if (g->nv == 0)
        return NULL;
    eliminate(g);
    for (uint32_t i = 0; i < g->nv; i++)
        if (!g->v[i].moves)
            return describe_cycle(g, i);
    return NULL;
}
