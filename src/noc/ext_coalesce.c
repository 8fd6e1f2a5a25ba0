/* ext_coalesce.c - the packet-coalescing router (Chen et al., NPC 2014, section 2.1).
 *
 *   Detector      how long a read request waits here (detector.c)
 *   Coalescer     puts it into the Merged Table, to others for the same row of the same bank of the
 *                 same memory controller: one entry, one big packet, their concatenation
 *   Scheduler     lets entries go whose time is over
 *   Grant Holder  a big packet keeps the switch as long as it has a flit and a credit
 *
 * Where the paper's words would break a network: an entry goes at the earliest deadline of its
 * members, and what it may still wait for further on is the least of theirs.  A packet is taken out of
 * its VC only if there is room for all of it, else it goes on there: no input ever waits for
 * the table.  A store or atomic to a line that is asked for in an entry makes the entry go at once.
 * Requests for one line of which one writes leave in the order in which they came, if there is
 * room: who would go on in its VC past another on its way out goes out behind it instead.
 * A big packet is taken apart at its end, request by request, in order (terminal.c).
 *
 * Waits count from the arrival of a packet's head; what it has waited in its VC is part of it.
 *
 * Only requests are looked at: message class 0, and not the reply network.  Not modelled: ports and access
 * time of the table.  docs/model/coalesce.md has the argument why nothing can lock up. */
#include <string.h>

#include "base/rng.h"
#include "noc/coalesce.h"
#include "noc/net.h"

CFG_SECTION_WHEN(coalesce, COALESCE_ROWS, "router extension coalesce: reads of a DRAM row as one",
                 {"warps", "coalesce.strategy=warps"}, {"per_flit", "coalesce.size=header"})

struct entry {
    uint32_t packet; /* the big packet, known by its last member; PACKET_NONE: free */
    uint32_t dst;    /* the key: memory controller, */
    uint64_t row;    /* row and bank */
    hd_cycle until;
    uint32_t first, last; /* packets that came here and are in it, by trip.mate */
};

struct table {
    struct entry *entry;
    uint32_t held, promised; /* entries in use, and kept for packets that are being taken */
    uint32_t flits;          /* of the buffer, those that come or leave included */
    hd_cycle next;           /* no entry is due before */
    uint32_t leaving;        /* packets released that are still here, by trip.leaver */
};

struct trip { /* of a packet */
    struct slack slack;
    hd_cycle front, came; /* at this router: when it was in front of its VC, and came */
    uint32_t hold;        /* cycles for it here */
    uint32_t count;       /* requests in it when it came here */
    uint32_t bodies;      /* flits behind the heads of those */
    uint32_t mate;        /* next member of its entry */
    uint32_t first, last; /* requests in it, by `next`, in their order */
    uint32_t next;
    uint32_t leaver; /* next of those that leave */
    bool has_place;  /* an entry is kept for it */
    bool follows;    /* it waits for nobody, but goes out behind others */
};

#define COALESCE_STATS(S, id)                                                                      \
    S(id, COUNTER, reads, "request", "reads delivered")                                            \
    S(id, COUNTER, reads_same_sm, "request", "... in packets of two or more, all of one SM")       \
    S(id, COUNTER, reads_other_sms, "request", "... in packets of two or more, of several SMs")    \
    S(id, HIST, big_packet, "request", "in a packet of two or more that was delivered")            \
    S(id, COUNTER, lookups, "packet", "reads, big or not, that the Detector looked at")            \
    S(id, COUNTER, stored_flits, "flit", "put into tables")                                        \
    S(id, COUNTER, joined, "packet", "that found an entry of their row")                           \
    S(id, COUNTER, waited, "cycle", "of requests in tables, summed over requests")                 \
    S(id, COUNTER, went_due, "packet", "released: the earliest deadline in it had come")           \
    S(id, COUNTER, went_full, "packet", "released: it had coalesce.most requests")                 \
    S(id, COUNTER, went_flushed, "packet", "released: a line in it was written")                   \
    S(id, COUNTER, went_evicted, "packet", "released: its entry was needed")                       \
    S(id, COUNTER, no_entry, "packet", "went on in their VC: all entries were in use")             \
    S(id, COUNTER, no_room, "packet", "went on in their VC: the buffer was full")                  \
    S(id, MEAN, warps, "warp", "that could issue at the SM of a read that sets out")
STATS_STRUCT(coalesce, COALESCE_STATS)
STATS_ROWS(coalesce, COALESCE_STATS)

struct coalesce {
    struct noc *net;
    const struct packet_pool *pool;
    const struct graph *graph;
    const struct coalesce_spec *spec;
    const struct detector *detector;
    bool evicts, goes_full, has_header;
    uint32_t nrouters;
    struct table *table; /* by router */
    struct trip *trip;   /* by packet */
    struct coalesce_stats stats;
};

bool coalesce_is_on(const struct config *cfg, const char *path)
{
    const struct router_spec *r = config_get(cfg, &router_section);
    return strcmp(r->extension, "coalesce") == 0 && strcmp(path, "noc.reply") != 0;
}

uint32_t coalesce_sides(const struct config *cfg, uint32_t nin)
{
    const struct coalesce_spec *s = config_get(cfg, &coalesce_section);
    return s->ports ? (uint32_t)s->ports : nin;
}

static void *begin(const struct config *cfg, const struct extension_site *site, struct arena *a)
{
    const struct coalesce_spec *s = config_get(cfg, &coalesce_section);
    if (!coalesce_is_on(cfg, site->path))
        return NULL;
    struct coalesce *c = ARENA_NEW(a, struct coalesce);
    *c = (struct coalesce){.net = site->net,
                           .pool = site->pool,
                           .graph = site->graph,
                           .spec = s,
                           .detector = detector_find(s->strategy),
                           .evicts = strcmp(s->table_full, "evict") == 0,
                           .goes_full = strcmp(s->packet_full, "release") == 0,
                           .has_header = strcmp(s->size, "header") == 0,
                           .nrouters = site->graph->nrouters,
                           .table = ARENA_ARRAY(a, struct table, site->graph->nrouters),
                           .trip = ARENA_ARRAY(a, struct trip, site->pool->capacity)};
    for (uint32_t r = 0; r < c->nrouters; r++) {
        c->table[r].next = HD_NEVER;
        c->table[r].leaving = PACKET_NONE;
        c->table[r].entry = ARENA_ARRAY(a, struct entry, s->entries);
        for (int64_t i = 0; i < s->entries; i++)
            c->table[r].entry[i].packet = PACKET_NONE;
    }
    return c;
}

static uint32_t sides(const struct config *cfg)
{
    const struct coalesce_spec *s = config_get(cfg, &coalesce_section);
    return (uint32_t)s->ports;
}

static uint64_t packets(const struct config *cfg, const struct graph *g, uint64_t plain)
{
    const struct coalesce_spec *s = config_get(cfg, &coalesce_section);
    const struct router_spec *r = config_get(cfg, &router_section);
    uint64_t ports = s->ports ? (uint64_t)s->ports * g->nrouters : g->nins;
    return (uint64_t)s->most * (plain + ports * (uint64_t)(r->vcs * r->depth) +
                                g->nrouters * (uint64_t)(s->entries + s->buffer));
}

/* ---- Scheduler ---- */

/* Cycles of its slack that a packet has spent here when it goes on at `now`. */
static uint32_t spent_by(const struct trip *t, hd_cycle now)
{
    hd_cycle waited = now > t->came ? now - t->came : 0;
    return waited < t->hold ? (uint32_t)waited : t->hold;
}

/* What an entry may still wait for: the least of its members, of equals the first's. */
static struct slack onward(struct coalesce *c, const struct entry *x, hd_cycle now)
{
    struct slack least = {0};
    for (uint32_t m = x->first; m != PACKET_NONE; m = c->trip[m].mate) {
        struct slack s = c->trip[m].slack;
        slack_pass(&s, spent_by(&c->trip[m], now));
        if (m == x->first || slack_left(&s) < slack_left(&least))
            least = s;
        c->stats.waited += c->trip[m].count * (now > c->trip[m].front ? now - c->trip[m].front : 0);
    }
    return least;
}

/* All of a row leave through one side port, so that a write stays behind the reads before it. */
static uint32_t side_of(uint64_t row)
{
    return (uint32_t)(rng_mix(row) >> 32);
}

static void release(struct coalesce *c, struct table *t, uint32_t packet, uint64_t row)
{
    c->trip[packet].leaver = t->leaving;
    t->leaving = packet;
    extension_release(c->net, packet, side_of(row));
}

static void departed(void *state, uint32_t router, uint32_t packet)
{
    struct coalesce *c = state;
    uint32_t *at = &c->table[router].leaving;
    while (*at != packet) {
        HD_ASSERT(*at != PACKET_NONE, "a packet leaves router %u that was not released", router);
        at = &c->trip[*at].leaver;
    }
    *at = c->trip[packet].leaver;
}

static void let_go(struct coalesce *c, struct table *t, struct entry *x, hd_cycle now,
                   uint64_t *why)
{
    c->trip[x->packet].slack = onward(c, x, now);
    ++*why;
    release(c, t, x->packet, x->row);
    x->packet = PACKET_NONE;
    t->held--;
}

/* Nobody can join it any more; who never could waits all the same. */
static bool is_full(const struct coalesce *c, uint32_t packet)
{
    return c->spec->most > 1 && extension_count(c->net, packet) >= c->spec->most;
}

/* Entries whose time is over go; the others say when theirs will be. */
static void look_through(struct coalesce *c, struct table *t, hd_cycle now)
{
    t->next = HD_NEVER;
    for (int64_t i = 0; i < c->spec->entries; i++) {
        struct entry *x = &t->entry[i];
        if (x->packet == PACKET_NONE)
            continue;
        if (x->until <= now)
            let_go(c, t, x, now, &c->stats.went_due);
        else if (c->goes_full && is_full(c, x->packet))
            let_go(c, t, x, now, &c->stats.went_full);
        else if (x->until < t->next)
            t->next = x->until;
    }
    if (t->next != HD_NEVER)
        extension_wake(c->net, t->next);
}

static void tick(void *state, hd_cycle now)
{
    struct coalesce *c = state;
    for (uint32_t r = 0; r < c->nrouters; r++) {
        if (c->table[r].next <= now)
            look_through(c, &c->table[r], now);
        else if (c->table[r].next != HD_NEVER)
            extension_wake(c->net, c->table[r].next);
    }
}

static void left(void *state, uint32_t router, uint32_t packet)
{
    struct coalesce *c = state;
    c->table[router].flits -= extension_flits(c->net, packet);
}

/* ---- what comes ---- */

/* Whether one of the requests in a packet is for that line. */
static bool asks_for(const struct coalesce *c, uint32_t packet, uint64_t line)
{
    uint32_t r = c->trip[packet].first;
    while (r != PACKET_NONE && extension_meaning(c->net, r).line != line)
        r = c->trip[r].next;
    return r != PACKET_NONE;
}

/* Whether packets must stay in order: one writes a line that the other wants. */
static bool are_tied(const struct coalesce *c, uint32_t p, uint32_t q)
{
    struct packet_meaning a = extension_meaning(c->net, p), b = extension_meaning(c->net, q);
    if (c->pool->at[p].dst != c->pool->at[q].dst || a.row != b.row || (a.is_read && b.is_read))
        return false;
    return a.is_read ? asks_for(c, p, b.line) : asks_for(c, q, a.line);
}

/* Whether a packet must not pass one that leaves. */
static bool must_follow(const struct coalesce *c, const struct table *t, uint32_t packet)
{
    uint32_t q = t->leaving;
    while (q != PACKET_NONE && !are_tied(c, packet, q))
        q = c->trip[q].leaver;
    return q != PACKET_NONE;
}

/* Somebody writes a line: those who asked for it before go on before. */
static void flush(struct coalesce *c, const struct extension_at *at,
                  const struct packet_meaning *written)
{
    struct table *t = &c->table[at->router];
    uint32_t dst = c->pool->at[at->packet].dst;
    for (int64_t i = 0; i < c->spec->entries && t->held; i++) {
        struct entry *x = &t->entry[i];
        if (x->packet != PACKET_NONE && x->dst == dst && x->row == written->row &&
            asks_for(c, x->packet, written->line))
            let_go(c, t, x, at->now, &c->stats.went_flushed);
    }
}

/* A request at the first router of its way. */
static void set_out(struct coalesce *c, const struct extension_at *at,
                    const struct packet_meaning *m)
{
    const struct graph *g = c->graph;
    const struct packet *p = &c->pool->at[at->packet];
    uint32_t hops =
        g->hops ? g->hops(g->ctx, p->src, p->dst) : graph_way(g, at->router, at->in, *p);
    c->trip[at->packet] =
        (struct trip){.slack = slack_new(c->detector->budget(c->spec, hops, m->warps), hops),
                      .bodies = p->flits - 1u,
                      .first = at->packet,
                      .last = at->packet,
                      .next = PACKET_NONE};
    if (m->is_read)
        stat_mean_add(&c->stats.warps, m->warps);
}

/* An entry of that row that has room for so many requests more. */
static struct entry *find(const struct coalesce *c, const struct table *t, uint32_t dst,
                          uint64_t row, uint32_t count)
{
    for (int64_t i = 0; i < c->spec->entries && t->held; i++) {
        struct entry *x = &t->entry[i];
        if (x->packet != PACKET_NONE && x->dst == dst && x->row == row &&
            extension_count(c->net, x->packet) + count <= c->spec->most)
            return x;
    }
    return NULL;
}

static void evict(struct coalesce *c, struct table *t, hd_cycle now)
{
    struct entry *first = NULL;
    for (int64_t i = 0; i < c->spec->entries; i++) {
        struct entry *x = &t->entry[i];
        if (x->packet != PACKET_NONE && (!first || x->until < first->until))
            first = x;
    }
    if (first)
        let_go(c, t, first, now, &c->stats.went_evicted);
}

/* Room for a packet: in the buffer, and an entry unless one of its row is there. */
static bool reserve(struct coalesce *c, struct table *t, const struct extension_at *at, bool joins)
{
    uint32_t flits = extension_flits(c->net, at->packet), entries = (uint32_t)c->spec->entries;
    if (t->flits + flits > c->spec->buffer) {
        c->stats.no_room++;
        return false;
    }
    if (!joins && t->held + t->promised >= entries && c->evicts)
        evict(c, t, at->now);
    if (!joins && t->held + t->promised >= entries) {
        c->stats.no_entry++;
        return false;
    }
    t->flits += flits;
    t->promised += !joins;
    c->trip[at->packet].has_place = !joins;
    c->stats.stored_flits += flits;
    return true;
}

/* It waits for nobody. */
static struct extension_verdict go_on(struct coalesce *c, const struct extension_at *at)
{
    struct table *t = &c->table[at->router];
    struct trip *trip = &c->trip[at->packet];
    slack_pass(&trip->slack, spent_by(trip, at->now));
    trip->follows = must_follow(c, t, at->packet) && reserve(c, t, at, true);
    return (struct extension_verdict){.fate = trip->follows ? EXTENSION_TAKE : EXTENSION_PASS};
}

static struct extension_verdict arrive(void *state, const struct extension_at *at)
{
    struct coalesce *c = state;
    struct table *t = &c->table[at->router];
    const struct packet *p = &c->pool->at[at->packet];
    if (p->msgclass != 0)
        return (struct extension_verdict){.fate = EXTENSION_PASS};
    struct packet_meaning m = extension_meaning(c->net, at->packet);
    if (p->hops == 1)
        set_out(c, at, &m);
    struct trip *trip = &c->trip[at->packet];
    trip->came = at->came;
    trip->front = at->now;
    trip->hold = m.is_read ? c->detector->hold(c->spec, &trip->slack) : 0;
    trip->count = extension_count(c->net, at->packet);
    trip->follows = false;
    c->stats.lookups += m.is_read;
    if (!m.is_read)
        flush(c, at, &m);
    if (at->came + trip->hold <= at->now || is_full(c, at->packet) ||
        !reserve(c, t, at, find(c, t, p->dst, m.row, trip->count) != NULL))
        return go_on(c, at);
    return (struct extension_verdict){.fate = EXTENSION_TAKE};
}

/* ---- Coalescer ---- */

/* Flits of a big packet: those of all, or a header and payloads, `per_flit` in one. */
static uint32_t size_of(const struct coalesce *c, uint32_t count, uint32_t bodies, uint32_t both)
{
    uint32_t per = (uint32_t)c->spec->per_flit;
    uint32_t flits = c->has_header ? bodies + (count + per) / per : both;
    return flits < both ? flits : both;
}

/* The packet comes to those in the entry, behind them; false: its end could not take so many. */
static bool join(struct coalesce *c, struct table *t, struct entry *x, uint32_t packet)
{
    uint32_t before = x->packet;
    struct trip *mine = &c->trip[packet];
    const struct trip *theirs = &c->trip[before];
    uint32_t both = extension_flits(c->net, before) + extension_flits(c->net, packet);
    uint32_t count = extension_count(c->net, before) + mine->count;
    uint32_t flits = size_of(c, count, mine->bodies + theirs->bodies, both);
    if (!extension_merge(c->net, packet, before, flits))
        return false;
    t->flits -= both - flits;
    mine->bodies += theirs->bodies;
    c->trip[theirs->last].next = mine->first;
    mine->first = theirs->first;
    c->trip[x->last].mate = packet;
    x->last = x->packet = packet;
    hd_cycle until = mine->came + mine->hold;
    x->until = until < x->until ? until : x->until;
    c->stats.joined++;
    return true;
}

static void put_in(const struct coalesce *c, struct table *t, const struct entry *new)
{
    for (int64_t i = 0; i < c->spec->entries; i++) {
        if (t->entry[i].packet != PACKET_NONE)
            continue;
        t->entry[i] = *new;
        t->held++;
        return;
    }
    HD_ASSERT(false, "no entry is free for packet %u, though one was kept", new->packet);
}

static void taken(void *state, const struct extension_at *at)
{
    struct coalesce *c = state;
    struct table *t = &c->table[at->router];
    struct trip *trip = &c->trip[at->packet];
    if (trip->follows) {
        release(c, t, at->packet, extension_meaning(c->net, at->packet).row);
        return;
    }
    const struct entry new = {.packet = at->packet,
                              .dst = c->pool->at[at->packet].dst,
                              .row = extension_meaning(c->net, at->packet).row,
                              .until = trip->came + trip->hold,
                              .first = at->packet,
                              .last = at->packet};
    struct entry *x = find(c, t, new.dst, new.row, trip->count);
    trip->mate = PACKET_NONE;
    t->promised -= trip->has_place;
    if (x && join(c, t, x, at->packet)) {
        look_through(c, t, at->now);
    } else if (trip->has_place || t->held + t->promised < c->spec->entries) {
        put_in(c, t, &new);
        look_through(c, t, at->now);
    } else { /* the entry that it was to join has gone meanwhile */
        c->stats.no_entry++;
        trip->slack = onward(c, &new, at->now);
        release(c, t, at->packet, new.row);
    }
}

/* ---- Grant Holder ---- */

static enum extension_grant grant(void *state, uint32_t packet)
{
    const struct coalesce *c = state;
    return c->spec->hold_grant && extension_count(c->net, packet) > 1 ? GRANT_READY : GRANT_FREE;
}

/* ---- at the end ---- */

static void arrived(void *state, uint32_t packet)
{
    struct coalesce *c = state;
    uint32_t count = extension_count(c->net, packet), first = c->trip[packet].first;
    struct packet_meaning m = extension_meaning(c->net, packet);
    if (c->pool->at[packet].msgclass != 0 || !m.is_read)
        return;
    c->stats.reads += count;
    if (count == 1)
        return;
    bool is_one_sm = true;
    for (uint32_t r = first; r != PACKET_NONE; r = c->trip[r].next)
        is_one_sm &= extension_meaning(c->net, r).sm == m.sm;
    *(is_one_sm ? &c->stats.reads_same_sm : &c->stats.reads_other_sms) += count;
    stat_hist_add(&c->stats.big_packet, count);
}

static void add_stats(const void *state, const char *path, struct stats *tree)
{
    const struct coalesce *c = state;
    stats_add(tree, path, coalesce_stat_rows,
              sizeof coalesce_stat_rows / sizeof coalesce_stat_rows[0], &c->stats);
}

static void each(const void *state, void (*show)(void *ctx, uint32_t packet), void *ctx)
{
    const struct coalesce *c = state;
    for (uint32_t r = 0; r < c->nrouters; r++)
        for (int64_t i = 0; i < c->spec->entries; i++)
            if (c->table[r].entry[i].packet != PACKET_NONE)
                show(ctx, c->table[r].entry[i].packet);
}

const struct router_extension router_extension_coalesce = {
    .name = "coalesce",
    .help = "reads of one DRAM row wait for each other and travel as one big packet",
    .section = &coalesce_section,
    .takes = true,
    .streams = true,
    .counts_warps = true,
    .sides = sides,
    .packets = packets,
    .begin = begin,
    .arrive = arrive,
    .taken = taken,
    .left = left,
    .departed = departed,
    .arrived = arrived,
    .tick = tick,
    .grant = grant,
    .add_stats = add_stats,
    .each = each,
};
