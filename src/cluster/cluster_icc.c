/* cluster_icc.c - a cluster with intra-cluster coalescing: one lookup per cycle, one response bus.
 *
 *   SMs in turn --one per cycle--> lookup -+-> network
 *                                          +-> waits in the merge table
 *                                          +-> hit queue -+
 *                 reply network -> response FIFO ---------+-> bus --> SM, or all SMs of an entry
 *
 * After "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU NoC Pressure"
 * (IEEE TC 2019), section 6; icc.c has the tables.  A request that must go to the network and finds
 * it full holds up the lookups behind it.  The bus goes to the response FIFO and to the hit queue in
 * turn; who has got it keeps it until every SM that the answer is for has room.
 *
 * Not modelled: the width of the bus (an answer takes one cycle whatever its size). */
#include <stdio.h>

#include "cluster/cluster_priv.h"
#include "sim/waitgraph.h"

void cluster_icc_init(struct cluster *c, struct arena *a)
{
    const struct icc_spec *s = c->opt.icc;
    struct bus *b = &c->bus;
    c->icc = icc_new(a, &(struct icc_options){.spec = s,
                                              .nsms = c->opt.nsms,
                                              .first_sm = c->opt.first_sm,
                                              .path = c->opt.path,
                                              .cfg = c->opt.cfg});
    b->broadcasts = s->broadcast;
    b->used = HD_NEVER;
    b->most_hits = (uint32_t)s->hit_queue;
    while (b->hits_mask + 1 < b->most_hits)
        b->hits_mask = 2 * b->hits_mask + 1;
    b->hit = ARENA_ARRAY(a, uint32_t, b->hits_mask + 1);
    b->rest = ARENA_ARRAY(a, uint32_t, c->opt.nsms);
}

/* ---- answers ---- */

static struct port *way_to(const struct cluster *c, uint32_t id)
{
    return cluster_port_to(c, &c->opt.pool->at[id]);
}

static bool have_room(struct cluster *c, hd_cycle now, const uint64_t *waiters, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!port_can_push(way_to(c, icc_waiter_id(waiters[i])), now))
            return false;
    return true;
}

/* An answer with an entry: for all who wait in it, at once or one after another. */
static bool give_tracked(struct cluster *c, hd_cycle now, uint32_t id)
{
    struct request *pool = c->opt.pool->at, *r = &pool[id];
    struct bus *b = &c->bus;
    uint32_t n, entry = icc_entry(c->icc, r->line);
    const uint64_t *waiters = mshr_waiters(&c->icc->table, entry, &n);
    HD_ASSERT(icc_waiter_id(waiters[0]) == id, "%s: line 0x%llx has the entry of another request",
              c->c.path, (unsigned long long)r->line);
    if (!have_room(c, now, waiters, b->broadcasts ? n : 1))
        return false;
    port_pop(c->eject, now);
    cluster_count_answer(c, id);
    r->flags &= (uint8_t)~REQUEST_TRACKED;
    if (n > 1) /* the L2 has seen one of them */
        r->flags |= REQUEST_SHARED;
    b->rest_at = b->nrest = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = icc_waiter_id(waiters[i]);
        pool[to].version = r->version;
        pool[to].flags |= r->flags & REQUEST_SHARED;
        if (i == 0 || b->broadcasts)
            cluster_hand_on(c, now, to);
        else
            b->rest[b->nrest++] = to;
    }
    icc_answer(c->icc, entry, r, now);
    return true;
}

static bool give_network(struct cluster *c, hd_cycle now)
{
    uint32_t id = (uint32_t)port_peek(c->eject);
    const struct request *r = &c->opt.pool->at[id];
    if (r->flags & REQUEST_TRACKED)
        return give_tracked(c, now, id);
    if (!port_can_push(cluster_port_to(c, r), now))
        return false;
    port_pop(c->eject, now);
    cluster_count_answer(c, id);
    if (r->kind != REQUEST_READ)
        icc_written(c->icc, r->line);
    cluster_hand_on(c, now, id);
    return true;
}

static bool give_hit(struct cluster *c, hd_cycle now)
{
    struct bus *b = &c->bus;
    uint32_t id = b->hit[b->hits_head & b->hits_mask];
    if (!port_can_push(way_to(c, id), now))
        return false;
    b->hits_head++;
    b->nhits--;
    cluster_hand_on(c, now, id);
    return true;
}

static bool give_rest(struct cluster *c, hd_cycle now)
{
    struct bus *b = &c->bus;
    uint32_t id = b->rest[b->rest_at];
    if (!port_can_push(way_to(c, id), now))
        return false;
    b->rest_at++;
    b->nrest--;
    cluster_hand_on(c, now, id);
    return true;
}

static enum bus_source next_source(const struct cluster *c, hd_cycle now)
{
    const struct bus *b = &c->bus;
    if (b->grant != BUS_NONE)
        return (enum bus_source)b->grant;
    bool network = port_has(c->eject, now);
    if (network && b->nhits)
        return b->last == BUS_NETWORK ? BUS_HITS : BUS_NETWORK;
    return network ? BUS_NETWORK : b->nhits ? BUS_HITS : BUS_NONE;
}

/* At most one answer takes the bus; returns when another may. */
static hd_cycle answer(struct cluster *c, hd_cycle now)
{
    struct bus *b = &c->bus;
    enum bus_source s = b->nrest ? BUS_NETWORK : next_source(c, now);
    if (s == BUS_NONE)
        return port_ready(c->eject);
    bool given = b->nrest        ? give_rest(c, now)
                 : s == BUS_HITS ? give_hit(c, now)
                                 : give_network(c, now);
    if (!given) {
        cluster_enter(&c->answer_since, now);
        b->grant = (uint8_t)s;
        return HD_NEVER;
    }
    cluster_leave(&c->answer_since, now, &c->stats.answer_blocked);
    b->grant = BUS_NONE;
    b->last = (uint8_t)s;
    b->used = now;
    hd_cycle next = port_ready(c->eject);
    return b->nrest || b->nhits || next <= now ? now + 1 : next;
}

/* ---- requests ---- */

static void absorb(struct cluster *c, hd_cycle now, enum icc_verdict verdict, uint32_t id)
{
    struct request *r = &c->opt.pool->at[id];
    struct bus *b = &c->bus;
    request_mark(r, PART_SM, now * c->c.period);
    c->opt.pool->packets.at[id].tag[0] = cluster_floor(c, r);
    if (verdict == ICC_HIT)
        b->hit[(b->hits_head + b->nhits++) & b->hits_mask] = id;
}

/* Looks one request up; returns when there may be another. */
static hd_cycle request(struct cluster *c, hd_cycle now)
{
    hd_cycle soonest;
    uint32_t n = cluster_find_wanting(c, now, &soonest);
    if (n == 0)
        return soonest;
    uint32_t i = cluster_choose(c), id = (uint32_t)port_peek(&c->sm[i].out);
    struct request *r = &c->opt.pool->at[id];
    struct icc_look look = icc_look(c->icc, r, now);
    bool stays = look.verdict == ICC_HIT || look.verdict == ICC_MERGE;
    if (!stays && !port_can_push(c->inject, now)) {
        cluster_enter(&c->request_since, now);
        return soonest; /* whoever comes before it in turn may need no network */
    }
    cluster_leave(&c->request_since, now, &c->stats.request_blocked);
    if (look.verdict == ICC_HIT && c->bus.nhits == c->bus.most_hits)
        return soonest; /* the bus, which comes first in every tick, makes room */
    port_pop(&c->sm[i].out, now);
    cluster_observe(c, now, r);
    icc_take(c->icc, &look, r, id, now);
    if (stays)
        absorb(c, now, look.verdict, id);
    else
        cluster_send(c, now, id);
    return cluster_served(c, now, i, n, soonest);
}

/* A hit that finds the bus idle goes on in the same cycle: its time is that of the lookup.  Else it
 * goes on in the next, unless the bus waits for an SM. */
hd_cycle cluster_icc_tick(struct component *base, hd_cycle now)
{
    struct cluster *c = (struct cluster *)base;
    hd_cycle a = answer(c, now), r = request(c, now);
    if (c->bus.nhits && c->bus.grant == BUS_NONE)
        a = c->bus.used == now ? now + 1 : answer(c, now);
    return a < r ? a : r;
}

/* ---- for the watchdog ---- */

uint64_t cluster_icc_live(const struct cluster *c)
{
    return (uint64_t)c->icc->waiting + c->bus.nhits + c->bus.nrest;
}

static bool is_full(const struct port *p)
{
    return port_held(p) >= port_depth(p);
}

/* The first port that the answer `id`, or one it is for as well, finds full; NULL: none. */
static const struct port *port_in_the_way(const struct cluster *c, uint32_t id)
{
    const struct request *r = &c->opt.pool->at[id];
    uint64_t only = icc_waiter(r, id);
    const uint64_t *waiters = &only;
    uint32_t n = 1;
    if (r->flags & REQUEST_TRACKED)
        waiters = mshr_waiters(&c->icc->table, icc_entry(c->icc, r->line), &n);
    for (uint32_t i = 0; i < (c->bus.broadcasts ? n : 1); i++) {
        // cppcheck-suppress objectIndex ; n is 1 with `only`
        const struct port *p = way_to(c, icc_waiter_id(waiters[i]));
        if (is_full(p))
            return p;
    }
    return NULL;
}

/* An answer waits for its SM, or for the bus that another has. */
static void answer_waits(const struct cluster *c, struct waitgraph *g, uint64_t vertex, uint32_t id)
{
    bool is_hit = vertex == CLUSTER_VERTEX_HITS;
    bool is_behind = c->bus.grant == (is_hit ? BUS_NETWORK : BUS_HITS);
    const struct port *p = is_behind ? NULL : port_in_the_way(c, id);
    char label[48];
    snprintf(label, sizeof label, "%s for SM %u", is_hit ? "hit" : "answer",
             c->opt.pool->at[id].sm);
    waitgraph_vertex(g, &c->c, vertex, !is_behind && !p, label);
    if (is_behind)
        waitgraph_edge(g, &c->c, vertex, &c->c, is_hit ? CLUSTER_SLOT_EJECT : CLUSTER_VERTEX_HITS);
    if (p)
        waitgraph_edge(g, &c->c, vertex, p->reader, p->reader_slot);
}

static void request_waits(const struct cluster *c, struct waitgraph *g, uint32_t i)
{
    const struct bus *b = &c->bus;
    const struct request *r = &c->opt.pool->at[port_peek(&c->sm[i].out)];
    enum icc_verdict v = icc_look(c->icc, r, c->request_since).verdict;
    bool can_move = v == ICC_HIT     ? b->nhits < b->most_hits
                    : v == ICC_MERGE ? true
                                     : !is_full(c->inject);
    char label[48];
    snprintf(label, sizeof label, "requests of SM %u", c->opt.first_sm + i);
    waitgraph_vertex(g, &c->c, i, can_move, label);
    if (v == ICC_HIT)
        waitgraph_edge(g, &c->c, i, &c->c, CLUSTER_VERTEX_HITS);
    else
        waitgraph_edge(g, &c->c, i, c->inject->reader, c->opt.inject_vertex);
}

/* Only the SM whose turn it is waits for what its request needs, the others wait for that SM. */
void cluster_icc_waits(const struct component *base, struct waitgraph *g)
{
    const struct cluster *c = (const struct cluster *)base;
    const struct bus *b = &c->bus;
    uint32_t first = UINT32_MAX;
    char label[48];
    for (uint32_t k = 0; k < c->opt.nsms; k++) {
        uint32_t i = (c->turn + k) % c->opt.nsms;
        if (port_held(&c->sm[i].out) == 0)
            continue;
        if (first == UINT32_MAX) {
            first = i;
            request_waits(c, g, i);
            continue;
        }
        snprintf(label, sizeof label, "requests of SM %u", c->opt.first_sm + i);
        waitgraph_vertex(g, base, i, false, label);
        waitgraph_edge(g, base, i, base, first);
    }
    if (b->nrest)
        answer_waits(c, g, CLUSTER_SLOT_EJECT, b->rest[b->rest_at]);
    else if (port_held(c->eject))
        answer_waits(c, g, CLUSTER_SLOT_EJECT, (uint32_t)port_peek(c->eject));
    if (b->nhits)
        answer_waits(c, g, CLUSTER_VERTEX_HITS, b->hit[b->hits_head & b->hits_mask]);
}
