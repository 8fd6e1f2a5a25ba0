/* cluster.c - the network interface that the SMs of a cluster share.
 *
 * As in GPGPU-Sim's SIMT clusters: the SMs take turns at one injection port, a request each cycle,
 * and answers leave one response FIFO in order, one each cycle, so that an answer whose SM has no
 * room holds up those behind it.  Requests of different SMs are not merged.  A request or answer
 * passes whole in one cycle: serialisation into flits is the network's. */
#include "cluster/cluster.h"

#include <stdio.h>

#include "sim/waitgraph.h"

CFG_SECTION(cluster, CLUSTER_ROWS, "what the SMs of a cluster share")

#define CLUSTER_STATS(S, id)                                                                       \
    S(id, COUNTER, reads, "request", "reads sent")                                                 \
    S(id, COUNTER, writes, "request", "writes sent")                                               \
    S(id, COUNTER, atomics, "request", "atomics sent whose old value comes back")                  \
    S(id, COUNTER, reductions, "request", "atomics sent without a result")                         \
    S(id, COUNTER, read_answers, "answer", "reads answered")                                       \
    S(id, COUNTER, write_answers, "answer", "writes acknowledged")                                 \
    S(id, COUNTER, atomic_answers, "answer", "atomics answered")                                   \
    S(id, COUNTER, reduction_answers, "answer", "reductions acknowledged")                         \
    S(id, COUNTER, request_bytes, "byte", "sent, headers included")                                \
    S(id, COUNTER, answer_bytes, "byte", "received, headers included")                             \
    S(id, COUNTER, request_flits, "flit", "sent")                                                  \
    S(id, COUNTER, answer_flits, "flit", "received")                                               \
    S(id, COUNTER, conflicts, "cycle", "in which a request left while other SMs had one, too")     \
    S(id, COUNTER, request_blocked, "cycle", "in which a request waited for the network's port")   \
    S(id, COUNTER, answer_blocked, "cycle", "in which an answer waited for room at its SM")        \
    S(id, SERIES, sent, "flit", "flits sent per period")
STATS_STRUCT(cluster, CLUSTER_STATS)
STATS_ROWS(cluster, CLUSTER_STATS)

struct sm_ports {
    struct port out, in; /* as the SM sees them */
};

/* The first read that was answered with data older than this cluster knew of. */
struct stale {
    uint64_t count, line;
    hd_cycle when;
    uint32_t sm, version, floor;
};

struct cluster {
    struct component c;
    struct port *inject, *eject;
    struct sm_ports *sm;
    uint64_t *pending, *wants; /* SMs: whose port may hold something; who has something now */
    uint32_t words, turn;      /* turn: the SM that is first to be asked */
    uint32_t serial;
    hd_cycle request_since, answer_since; /* when what is blocked now began to be, or HD_NEVER */
    struct versions *acknowledged;        /* NULL: no checks */
    struct cluster_options opt;
    struct stale stale;
    struct cluster_stats stats;
};

static void enter(hd_cycle *since, hd_cycle now)
{
    if (*since == HD_NEVER)
        *since = now;
}

static void leave(hd_cycle *since, hd_cycle now, uint64_t *sum)
{
    if (*since != HD_NEVER)
        *sum += now - *since;
    *since = HD_NEVER;
}

/* ---- answers ---- */

static uint64_t *answers_of(struct cluster_stats *s, uint8_t kind)
{
    switch (kind) {
    case REQUEST_READ:
        return &s->read_answers;
    case REQUEST_WRITE:
        return &s->write_answers;
    case REQUEST_ATOMIC:
        return &s->atomic_answers;
    default:
        return &s->reduction_answers;
    }
}

static void check_version(struct cluster *c, const struct request *r, uint32_t floor, hd_cycle now)
{
    if (r->kind != REQUEST_READ)
        versions_raise(c->acknowledged, r->line, r->version);
    else if (r->version < floor && c->stale.count++ == 0)
        c->stale = (struct stale){1, r->line, now, r->sm, r->version, floor};
}

static void take_answer(struct cluster *c, hd_cycle now, struct port *to)
{
    uint32_t id = (uint32_t)port_pop(c->eject, now);
    struct request *r = &c->opt.pool->at[id];
    const struct packet *p = &c->opt.pool->packets.at[id];
    request_mark(r, PART_REPLY, now * c->c.period);
    if (c->acknowledged)
        check_version(c, r, (uint32_t)p->tag[0], now);
    ++*answers_of(&c->stats, r->kind);
    c->stats.answer_bytes += request_message_bytes(r, true);
    c->stats.answer_flits += p->flits;
    port_push(to, now, id);
}

static struct port *port_of_answer(struct cluster *c)
{
    const struct request *r = &c->opt.pool->at[port_peek(c->eject)];
    uint32_t i = r->sm - c->opt.first_sm;
    HD_ASSERT(i < c->opt.nsms, "%s: got an answer for SM %u", c->c.path, r->sm);
    return &c->sm[i].in;
}

/* Hands on at most one answer; returns when there may be another to hand on. */
static hd_cycle answer(struct cluster *c, hd_cycle now)
{
    if (!port_has(c->eject, now))
        return port_ready(c->eject);
    struct port *to = port_of_answer(c);
    if (!port_can_push(to, now)) {
        enter(&c->answer_since, now);
        return HD_NEVER;
    }
    leave(&c->answer_since, now, &c->stats.answer_blocked);
    take_answer(c, now, to);
    hd_cycle next = port_ready(c->eject);
    return next > now ? next : now + 1;
}

/* ---- requests ---- */

static uint64_t *requests_of(struct cluster_stats *s, uint8_t kind)
{
    switch (kind) {
    case REQUEST_READ:
        return &s->reads;
    case REQUEST_WRITE:
        return &s->writes;
    case REQUEST_ATOMIC:
        return &s->atomics;
    default:
        return &s->reductions;
    }
}

/* Who has a request now; *soonest is when the first of the others will have one. */
static uint32_t find_wanting(struct cluster *c, hd_cycle now, hd_cycle *soonest)
{
    uint32_t n = 0;
    *soonest = HD_NEVER;
    for (uint32_t w = 0; w < c->words; w++) {
        uint64_t wants = 0;
        for (uint64_t m = c->pending[w]; m; m &= m - 1) {
            uint64_t bit = m & -m;
            hd_cycle ready = port_ready(&c->sm[w << 6 | (uint32_t)__builtin_ctzll(m)].out);
            if (ready <= now)
                wants |= bit;
            else if (ready == HD_NEVER)
                c->pending[w] &= ~bit;
            else if (ready < *soonest)
                *soonest = ready;
        }
        c->wants[w] = wants;
        n += (uint32_t)__builtin_popcountll(wants);
    }
    return n;
}

/* The first that wants, from `turn` on; somebody must. */
static uint32_t choose(const struct cluster *c)
{
    uint32_t w = c->turn >> 6;
    uint64_t m = c->wants[w] >> (c->turn & 63) << (c->turn & 63);
    while (!m) {
        w = w + 1 == c->words ? 0 : w + 1;
        m = c->wants[w];
    }
    return w << 6 | (uint32_t)__builtin_ctzll(m);
}

static void send(struct cluster *c, hd_cycle now, uint32_t id)
{
    const struct cluster_options *o = &c->opt;
    const uint64_t from = c->c.period, to = c->inject->reader->period;
    struct request *r = &o->pool->at[id];
    uint16_t flits = request_flits(r, false, o->flit_bytes);
    uint64_t floor = 0;
    if (c->acknowledged && r->kind == REQUEST_READ)
        floor = versions_get(c->acknowledged, r->line);
    struct packet *p = &o->pool->packets.at[id];
    *p = (struct packet){.born = from == to ? now : now * from / to,
                         .src = o->node,
                         .dst = o->mem_nodes[addrmap_slice(o->map, r->line)],
                         .serial = c->serial++,
                         .flits = flits,
                         .kind = r->kind,
                         .msgclass = o->request_class,
                         .tag = {floor, p->tag[1]}};
    request_mark(r, PART_SM, now * from);
    port_push(c->inject, now, id);
    ++*requests_of(&c->stats, r->kind);
    c->stats.request_bytes += request_message_bytes(r, false);
    c->stats.request_flits += flits;
    if (c->stats.sent.period)
        stat_series_add(&c->stats.sent, now, flits);
}

/* Sends at most one request; returns when there may be another to send. */
static hd_cycle request(struct cluster *c, hd_cycle now)
{
    hd_cycle soonest;
    uint32_t n = find_wanting(c, now, &soonest);
    if (n == 0)
        return soonest;
    if (!port_can_push(c->inject, now)) {
        enter(&c->request_since, now);
        return HD_NEVER;
    }
    leave(&c->request_since, now, &c->stats.request_blocked);
    uint32_t i = choose(c);
    struct port *from = &c->sm[i].out;
    send(c, now, (uint32_t)port_pop(from, now));
    c->turn = i + 1 == c->opt.nsms ? 0 : i + 1;
    c->stats.conflicts += n > 1;
    if (n > 1 || port_has(from, now))
        return now + 1;
    return port_ready(from) < soonest ? port_ready(from) : soonest;
}

/* ---- the component ---- */

static hd_cycle tick(struct component *base, hd_cycle now)
{
    struct cluster *c = (struct cluster *)base;
    hd_cycle a = answer(c, now), r = request(c, now);
    return a < r ? a : r;
}

/* A slot below the number of SMs may also mean that the SM has taken an answer: a hint only. */
static void woken(struct component *base, uint32_t slot, hd_cycle at)
{
    struct cluster *c = (struct cluster *)base;
    (void)at;
    if (slot < c->opt.nsms)
        c->pending[slot >> 6] |= 1ull << (slot & 63);
}

static void settle(struct component *base, hd_cycle now)
{
    struct cluster *c = (struct cluster *)base;
    if (c->request_since != HD_NEVER) {
        c->stats.request_blocked += now - c->request_since;
        c->request_since = now;
    }
    if (c->answer_since != HD_NEVER) {
        c->stats.answer_blocked += now - c->answer_since;
        c->answer_since = now;
    }
}

static uint64_t live(const struct component *base)
{
    const struct cluster *c = (const struct cluster *)base;
    uint64_t held = port_held(c->eject);
    for (uint32_t i = 0; i < c->opt.nsms; i++)
        held += port_held(&c->sm[i].out);
    return held;
}

/* Vertices have the numbers of the slots. */
static void waits(const struct component *base, struct waitgraph *g)
{
    const struct cluster *c = (const struct cluster *)base;
    char label[48];
    for (uint32_t i = 0; i < c->opt.nsms; i++) {
        if (port_held(&c->sm[i].out) == 0)
            continue;
        snprintf(label, sizeof label, "requests of SM %u", c->opt.first_sm + i);
        waitgraph_vertex(g, base, i, port_held(c->inject) < c->inject->depth, label);
        waitgraph_edge(g, base, i, c->inject->reader, c->opt.inject_vertex);
    }
    if (port_held(c->eject) == 0)
        return;
    const struct request *r = &c->opt.pool->at[port_peek(c->eject)];
    const struct port *in = &c->sm[r->sm - c->opt.first_sm].in;
    snprintf(label, sizeof label, "answer for SM %u", r->sm);
    waitgraph_vertex(g, base, CLUSTER_SLOT_EJECT, port_held(in) < in->depth, label);
    waitgraph_edge(g, base, CLUSTER_SLOT_EJECT, in->reader, in->reader_slot);
}

static bool audit(const struct component *base, struct err *e)
{
    const struct cluster *c = (const struct cluster *)base;
    const struct cluster_stats *s = &c->stats;
    const struct stale *old = &c->stale;
    if (s->read_answers > s->reads || s->write_answers > s->writes ||
        s->atomic_answers > s->atomics || s->reduction_answers > s->reductions)
        return err_set(e, STATUS_FAILED, "%s: more answers than requests", base->path);
    if (old->count)
        return err_set(e, STATUS_FAILED,
                       "%s cycle %llu: SM %u read version %u of line 0x%llx, but %u had been "
                       "acknowledged before it asked (%llu such reads)",
                       base->path, (unsigned long long)old->when, old->sm, old->version,
                       (unsigned long long)old->line, old->floor, (unsigned long long)old->count);
    return true;
}

static const struct component_ops ops = {.kind = "cluster",
                                         .tick = tick,
                                         .woken = woken,
                                         .waits = waits,
                                         .live = live,
                                         .settle = settle,
                                         .audit = audit};

struct cluster *cluster_new(struct arena *a, const struct cluster_options *opt)
{
    struct cluster *c = ARENA_NEW(a, struct cluster);
    c->c.ops = &ops;
    c->c.path = opt->path;
    c->opt = *opt;
    c->sm = ARENA_ARRAY(a, struct sm_ports, opt->nsms);
    c->words = (opt->nsms + 63) / 64;
    c->pending = ARENA_ARRAY(a, uint64_t, c->words);
    c->wants = ARENA_ARRAY(a, uint64_t, c->words);
    c->request_since = c->answer_since = HD_NEVER;
    c->stats.sent.period = opt->series_period;
    c->acknowledged = opt->check ? versions_new() : NULL;
    return c;
}

void cluster_free(struct cluster *c)
{
    versions_free(c->acknowledged);
    c->acknowledged = NULL;
}

struct component *cluster_component(struct cluster *c)
{
    return &c->c;
}

void cluster_connect_network(struct cluster *c, struct port *inject, struct port *eject)
{
    c->inject = inject;
    c->eject = eject;
}

void cluster_connect_sm(struct cluster *c, struct arena *a, uint32_t i, struct component *sm,
                        uint32_t slot, struct port **out, struct port **in)
{
    const struct cluster_spec *s = c->opt.spec;
    struct sm_ports *p = &c->sm[i];
    struct port_end here = {&c->c, i}, there = {sm, slot};
    HD_ASSERT(i < c->opt.nsms, "%s has no SM %u", c->c.path, i);
    /* What is still on the way does not take up the queue, so that a long way is no slower. */
    port_init(&p->out, a, (uint32_t)(s->request_queue + s->request_latency - 1),
              (uint32_t)s->request_latency, there, here);
    port_init(&p->in, a, (uint32_t)(s->response_queue + s->reply_latency - 1),
              (uint32_t)s->reply_latency, here, there);
    *out = &p->out;
    *in = &p->in;
}

void cluster_add_stats(const struct cluster *c, struct stats *tree)
{
    stats_join(tree, "cluster", c->c.path, cluster_stat_rows,
               sizeof cluster_stat_rows / sizeof cluster_stat_rows[0], &c->stats);
}
