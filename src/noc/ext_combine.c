/* ext_combine.c - packets that go the same way wait for each other and travel as one.
 *
 * Every router has a table of packets that it took out of their VCs.  A packet is taken when the
 * table has an entry and the buffer room for all its flits; otherwise it passes.  It joins a packet of
 * the same destination and message class (and, `by: row`, the same DRAM row, reads only) or waits
 * for one to come, until `window` cycles after its head came to the router.  A packet made of k others has
 * their bodies and ceil(k / heads_per_flit) flits for their heads: an 8-byte header fits four
 * times into a flit of 32 bytes.  Split at the destination, which must then have slots for all at
 * once, or in the router before it.
 *
 * Not modelled: the time and the ports of the table. */
#include <string.h>

#include "noc/extension.h"

#define COMBINE_ROWS(F, id)                                                                        \
    F(id, INT, window, "8", 0, 1e6, "cycle", "that a packet waits for others in a router")         \
    F(id, INT, entries, "8", 1, 4096, "packet", "that wait in one router")                         \
    F(id, INT, buffer, "32", 1, 65536, "flit", "of those, in one router")                          \
    F(id, INT, most, "4", 2, 256, "packet", "that travel as one")                                  \
    F(id, INT, heads_per_flit, "4", 1, 64, "packet", "whose heads share a flit")                   \
    F(id, CHOICE, by, "destination", 0, 0, "destination|row",                                      \
      "what packets must have in common; row: reads of one row of one bank")                       \
    F(id, CHOICE, split, "destination", 0, 0, "destination|router",                                \
      "where: all at once at their node, or in the last router, if it has room")                   \
    F(id, CHOICE, networks, "all", 0, 0, "all|request|reply", "that have such routers")
CFG_STRUCT(combine, COMBINE_ROWS)
CFG_SECTION(combine, COMBINE_ROWS, "router extension combine: packets with one way travel as one")

struct entry {
    uint32_t packet; /* PACKET_NONE: free */
    uint32_t bodies; /* flits behind the heads of its packets */
    uint64_t row;
    hd_cycle until;
};

struct table {
    struct entry *entry;
    uint32_t used, flits; /* of entries and buffer, those that come or leave included */
    hd_cycle next;        /* no entry is due before */
};

#define COMBINE_STATS(S, id)                                                                       \
    S(id, COUNTER, alone, "packet", "taken, and released with no other in them")                   \
    S(id, COUNTER, full, "packet", "passed for want of room in the table")
STATS_STRUCT(combine, COMBINE_STATS)
STATS_ROWS(combine, COMBINE_STATS)

struct combine {
    struct noc *net;
    const struct packet_pool *pool;
    const struct graph *graph;
    const struct combine_spec *spec;
    bool by_row, splits_early;
    uint32_t nrouters;
    struct table *table; /* by router */
    struct combine_stats stats;
};

static void *begin(const struct config *cfg, const struct extension_site *site, struct arena *a)
{
    const struct combine_spec *s = config_get(cfg, &combine_section);
    bool is_reply = strcmp(site->path, "noc.reply") == 0;
    if ((strcmp(s->networks, "request") == 0 && is_reply) ||
        (strcmp(s->networks, "reply") == 0 && !is_reply))
        return NULL;
    struct combine *c = ARENA_NEW(a, struct combine);
    *c = (struct combine){.net = site->net,
                          .pool = site->pool,
                          .graph = site->graph,
                          .spec = s,
                          .by_row = strcmp(s->by, "row") == 0,
                          .splits_early = strcmp(s->split, "router") == 0,
                          .nrouters = site->graph->nrouters,
                          .table = ARENA_ARRAY(a, struct table, site->graph->nrouters)};
    for (uint32_t r = 0; r < c->nrouters; r++) {
        c->table[r].next = HD_NEVER;
        c->table[r].entry = ARENA_ARRAY(a, struct entry, s->entries);
        for (int64_t i = 0; i < s->entries; i++)
            c->table[r].entry[i].packet = PACKET_NONE;
    }
    return c;
}

static uint64_t packets(const struct config *cfg, const struct graph *g, uint64_t plain)
{
    const struct combine_spec *s = config_get(cfg, &combine_section);
    return (uint64_t)s->most * (plain + g->nrouters * (uint64_t)(s->entries + s->buffer));
}

/* Flits of a packet that stands for `count` others with so many flits behind their heads. */
static uint32_t size_of(const struct combine *c, uint32_t count, uint32_t bodies)
{
    uint32_t per = (uint32_t)c->spec->heads_per_flit;
    return bodies + (count + per - 1) / per;
}

static uint32_t bodies_of(const struct combine *c, uint32_t packet)
{
    uint32_t count = extension_count(c->net, packet), flits = extension_flits(c->net, packet);
    return count == 1 ? flits - 1 : flits - size_of(c, count, 0);
}

static bool is_last_router(const struct combine *c, const struct extension_at *at)
{
    uint32_t out = c->graph->eject[c->pool->at[at->packet].dst];
    return c->graph->out[out].router == at->router;
}

/* Takes what needs so many entries and flits, if there is room. */
static struct extension_verdict take(struct combine *c, struct table *t, uint32_t entries,
                                     uint32_t flits)
{
    if (t->used + entries > c->spec->entries || t->flits + flits > c->spec->buffer) {
        c->stats.full++;
        return (struct extension_verdict){.fate = EXTENSION_PASS};
    }
    t->used += entries;
    t->flits += flits;
    return (struct extension_verdict){.fate = EXTENSION_TAKE};
}

static struct extension_verdict arrive(void *state, const struct extension_at *at)
{
    struct combine *c = state;
    struct table *t = &c->table[at->router];
    uint32_t flits = extension_flits(c->net, at->packet);
    if (c->splits_early && is_last_router(c, at)) {
        uint32_t count = extension_count(c->net, at->packet);
        return count > 1 ? take(c, t, count, bodies_of(c, at->packet) + count)
                         : (struct extension_verdict){.fate = EXTENSION_PASS};
    }
    if (at->came + (hd_cycle)c->spec->window <= at->now ||
        extension_count(c->net, at->packet) >= c->spec->most ||
        (c->by_row && !extension_meaning(c->net, at->packet).is_read))
        return (struct extension_verdict){.fate = EXTENSION_PASS};
    return take(c, t, 1, flits);
}

static bool goes_with(const struct combine *c, const struct entry *x, const struct entry *y)
{
    const struct packet *p = &c->pool->at[x->packet], *q = &c->pool->at[y->packet];
    return p->dst == q->dst && p->msgclass == q->msgclass && x->row == y->row;
}

static bool join(const struct combine *c, struct table *t, struct entry *into,
                 const struct entry *from)
{
    uint32_t count = extension_count(c->net, into->packet) + extension_count(c->net, from->packet);
    uint32_t both = extension_flits(c->net, into->packet) + extension_flits(c->net, from->packet);
    uint32_t flits = size_of(c, count, into->bodies + from->bodies);
    if (count > c->spec->most || !extension_merge(c->net, into->packet, from->packet, flits))
        return false;
    into->bodies += from->bodies;
    into->until = from->until < into->until ? from->until : into->until;
    t->used--;
    t->flits -= both - flits;
    return true;
}

static void let_go(struct combine *c, struct entry *x)
{
    c->stats.alone += extension_count(c->net, x->packet) == 1;
    extension_release(c->net, x->packet, 0);
    x->packet = PACKET_NONE;
}

static void left(void *state, uint32_t router, uint32_t packet)
{
    struct combine *c = state;
    struct table *t = &c->table[router];
    t->used--;
    t->flits -= extension_flits(c->net, packet);
}

/* Entries whose time is over go; the others say when theirs will be. */
static void look_through(struct combine *c, struct table *t, hd_cycle now)
{
    t->next = HD_NEVER;
    for (int64_t i = 0; i < c->spec->entries; i++) {
        struct entry *x = &t->entry[i];
        if (x->packet == PACKET_NONE)
            continue;
        if (x->until <= now || extension_count(c->net, x->packet) >= c->spec->most)
            let_go(c, x);
        else if (x->until < t->next)
            t->next = x->until;
    }
    if (t->next != HD_NEVER)
        extension_wake(c->net, t->next);
}

static struct entry entry_of(const struct combine *c, const struct extension_at *at)
{
    return (struct entry){.packet = at->packet,
                          .bodies = bodies_of(c, at->packet),
                          .row = c->by_row ? extension_meaning(c->net, at->packet).row : 0,
                          .until = at->came + (hd_cycle)c->spec->window};
}

/* Every packet in this one goes on for itself. */
static void let_all_go(struct combine *c, uint32_t packet)
{
    for (uint32_t p; (p = extension_split(c->net, packet)) != PACKET_NONE;)
        let_all_go(c, p);
    extension_release(c->net, packet, 0);
}

static void taken(void *state, const struct extension_at *at)
{
    struct combine *c = state;
    if (c->splits_early && is_last_router(c, at)) {
        let_all_go(c, at->packet);
        return;
    }
    struct table *t = &c->table[at->router];
    struct entry new = entry_of(c, at), *free = NULL;
    bool joined = false;
    for (int64_t i = c->spec->entries - 1; i >= 0; i--) {
        struct entry *x = &t->entry[i];
        if (x->packet == PACKET_NONE)
            free = x;
        else if (!joined && goes_with(c, x, &new))
            joined = join(c, t, x, &new);
    }
    HD_ASSERT(joined || free, "router %u: no entry is free, though one was reserved", at->router);
    if (!joined)
        *free = new;
    look_through(c, t, at->now);
}

static void tick(void *state, hd_cycle now)
{
    struct combine *c = state;
    for (uint32_t r = 0; r < c->nrouters; r++) {
        if (c->table[r].next <= now)
            look_through(c, &c->table[r], now);
        else if (c->table[r].next != HD_NEVER)
            extension_wake(c->net, c->table[r].next);
    }
}

static void each(const void *state, void (*show)(void *ctx, uint32_t packet), void *ctx)
{
    const struct combine *c = state;
    for (uint32_t r = 0; r < c->nrouters; r++)
        for (int64_t i = 0; i < c->spec->entries; i++)
            if (c->table[r].entry[i].packet != PACKET_NONE)
                show(ctx, c->table[r].entry[i].packet);
}

static void add_stats(const void *state, const char *path, struct stats *tree)
{
    const struct combine *c = state;
    stats_add(tree, path, combine_stat_rows, sizeof combine_stat_rows / sizeof combine_stat_rows[0],
              &c->stats);
}

const struct router_extension router_extension_combine = {
    .name = "combine",
    .help = "packets of one destination wait for each other and travel as one",
    .section = &combine_section,
    .takes = true,
    .packets = packets,
    .begin = begin,
    .arrive = arrive,
    .taken = taken,
    .left = left,
    .tick = tick,
    .add_stats = add_stats,
    .each = each,
};
