/* cluster.c - the network interface that the SMs of a cluster share.
 *
 * As in GPGPU-Sim's SIMT clusters: the SMs take turns at one injection port, a request each cycle,
 * and answers leave one response FIFO in order, one each cycle, so that an answer whose SM has no
 * room holds up those behind it.
 *
 * Not modelled: the bus as flits (a request or answer passes whole in one cycle, serialisation is
 * the network's), priorities between kinds of requests. */
#include "cluster/cluster_priv.h"

#include <stdio.h>

#include "sim/waitgraph.h"

CFG_SECTION(cluster, CLUSTER_ROWS, "what the SMs of a cluster share")

STATS_ROWS(cluster, CLUSTER_STATS)
STATS_ROWS(cluster_program, CLUSTER_PROGRAM_STATS)

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

void cluster_count_answer(struct cluster *c, uint32_t id)
{
    const struct request *r = &c->opt.pool->at[id];
    ++*answers_of(&c->stats, r->kind);
    c->stats.answer_bytes += request_message_bytes(r, true);
    c->stats.answer_flits += c->opt.pool->packets.at[id].flits;
    if (c->of)
        c->of[program_of(r->line)].answer_flits += c->opt.pool->packets.at[id].flits;
}

void cluster_hand_on(struct cluster *c, hd_cycle now, uint32_t id)
{
    struct request *r = &c->opt.pool->at[id];
    request_mark(r, PART_REPLY, now * c->c.period);
    if (c->acknowledged)
        check_version(c, r, (uint32_t)c->opt.pool->packets.at[id].tag[0], now);
    port_push(cluster_port_to(c, r), now, id);
}

struct port *cluster_port_to(const struct cluster *c, const struct request *r)
{
    uint32_t i = r->sm - c->opt.first_sm;
    HD_ASSERT(i < c->opt.nsms, "%s: got an answer for SM %u", c->c.path, r->sm);
    return &c->sm[i].in;
}

/* Hands on at most one answer; returns when there may be another to hand on. */
static hd_cycle answer(struct cluster *c, hd_cycle now)
{
    if (!port_has(c->eject, now))
        return port_ready(c->eject);
    uint32_t id = (uint32_t)port_peek(c->eject);
    if (!port_can_push(cluster_port_to(c, &c->opt.pool->at[id]), now)) {
        cluster_enter(&c->answer_since, now);
        return HD_NEVER;
    }
    cluster_leave(&c->answer_since, now, &c->stats.answer_blocked);
    port_pop(c->eject, now);
    cluster_count_answer(c, id);
    cluster_hand_on(c, now, id);
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

uint32_t cluster_find_wanting(struct cluster *c, hd_cycle now, hd_cycle *soonest)
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

uint32_t cluster_choose(const struct cluster *c)
{
    uint32_t w = c->turn >> 6;
    uint64_t m = c->wants[w] >> (c->turn & 63) << (c->turn & 63);
    while (!m) {
        w = w + 1 == c->words ? 0 : w + 1;
        m = c->wants[w];
    }
    return w << 6 | (uint32_t)__builtin_ctzll(m);
}

uint64_t cluster_floor(const struct cluster *c, const struct request *r)
{
    return c->acknowledged && r->kind == REQUEST_READ ? versions_get(c->acknowledged, r->line) : 0;
}

void cluster_send(struct cluster *c, hd_cycle now, uint32_t id)
{
    const struct cluster_options *o = &c->opt;
    const uint64_t from = c->c.period, to = c->inject->reader->period;
    struct request *r = &o->pool->at[id];
    uint16_t flits = request_flits(r, false, o->flit_bytes);
    struct packet *p = &o->pool->packets.at[id];
    *p = (struct packet){.born = from == to ? now : now * from / to,
                         .src = o->node,
                         .dst = o->mem_nodes[addrmap_slice(o->map, r->line)],
                         .serial = c->serial++,
                         .flits = flits,
                         .kind = r->kind,
                         .warps = p->warps,
                         .tag = {cluster_floor(c, r), p->tag[1]}};
    request_mark(r, PART_SM, now * from);
    port_push(c->inject, now, id);
    ++*requests_of(&c->stats, r->kind);
    c->stats.request_bytes += request_message_bytes(r, false);
    c->stats.request_flits += flits;
    if (c->of)
        c->of[program_of(r->line)].request_flits += flits;
}

hd_cycle cluster_served(struct cluster *c, hd_cycle now, uint32_t i, uint32_t n, hd_cycle soonest)
{
    struct port *from = &c->sm[i].out;
    c->turn = i + 1 == c->opt.nsms ? 0 : i + 1;
    c->stats.conflicts += n > 1;
    if (n > 1 || port_has(from, now))
        return now + 1;
    return port_ready(from) < soonest ? port_ready(from) : soonest;
}

/* Sends at most one request; returns when there may be another to send. */
static hd_cycle request(struct cluster *c, hd_cycle now)
{
    hd_cycle soonest;
    uint32_t n = cluster_find_wanting(c, now, &soonest);
    if (n == 0)
        return soonest;
    if (!port_can_push(c->inject, now)) {
        cluster_enter(&c->request_since, now);
        return HD_NEVER;
    }
    cluster_leave(&c->request_since, now, &c->stats.request_blocked);
    uint32_t i = cluster_choose(c), id = (uint32_t)port_pop(&c->sm[i].out, now);
    cluster_observe(c, now, &c->opt.pool->at[id]);
    cluster_send(c, now, id);
    return cluster_served(c, now, i, n, soonest);
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
    if (c->icc)
        follow_settle(&c->icc->cc, now);
}

static uint64_t live(const struct component *base)
{
    const struct cluster *c = (const struct cluster *)base;
    uint64_t held = port_held(c->eject);
    for (uint32_t i = 0; i < c->opt.nsms; i++)
        held += port_held(&c->sm[i].out);
    return held + (c->icc ? cluster_icc_live(c) : 0);
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
        waitgraph_vertex(g, base, i, port_held(c->inject) < port_depth(c->inject), label);
        waitgraph_edge(g, base, i, c->inject->reader, c->opt.inject_vertex);
    }
    if (port_held(c->eject) == 0)
        return;
    const struct request *r = &c->opt.pool->at[port_peek(c->eject)];
    const struct port *in = &c->sm[r->sm - c->opt.first_sm].in;
    snprintf(label, sizeof label, "answer for SM %u", r->sm);
    waitgraph_vertex(g, base, CLUSTER_SLOT_EJECT, port_held(in) < port_depth(in), label);
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
    return !c->icc || icc_audit(c->icc, c->opt.pool->at, base->path, e);
}

static const struct component_ops ops = {.kind = "cluster",
                                         .tick = tick,
                                         .woken = woken,
                                         .waits = waits,
                                         .live = live,
                                         .settle = settle,
                                         .audit = audit};

static const struct component_ops ops_icc = {.kind = "cluster",
                                             .tick = cluster_icc_tick,
                                             .woken = woken,
                                             .waits = cluster_icc_waits,
                                             .live = live,
                                             .settle = settle,
                                             .audit = audit};

bool cluster_check(const struct config *cfg, struct err *e)
{
    return icc_check(cfg, e) && locality_check(cfg, e);
}

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
    c->acknowledged = opt->check ? versions_new() : NULL;
    c->locality = opt->locality ? locality_new(a, opt->locality) : NULL;
    if (opt->icc && opt->icc->enabled) {
        cluster_icc_init(c, a);
        c->c.ops = &ops_icc;
    }
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

void cluster_invalidate(struct cluster *c, uint32_t program)
{
    if (c->icc)
        icc_invalidate(c->icc, program);
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
    /* What is still on the way does not take up the queue, so that a long way is no slower.  ICC's
     * lookup is a stage that all go through, so that an SM's requests stay in order. */
    int64_t way = s->request_latency + (c->icc ? c->opt.icc->latency : 0);
    port_init(&p->out, a, (uint32_t)(s->request_queue + way - 1), (uint32_t)way, there, here);
    port_init(&p->in, a, (uint32_t)(s->response_queue + s->reply_latency - 1),
              (uint32_t)s->reply_latency, here, there);
    *out = &p->out;
    *in = &p->in;
}

void cluster_add_stats(const struct cluster *c, struct stats *tree)
{
    stats_join(tree, "cluster", c->c.path, cluster_stat_rows,
               sizeof cluster_stat_rows / sizeof cluster_stat_rows[0], &c->stats);
    if (c->icc)
        icc_add_stats(c->icc, c->c.path, tree);
    if (c->locality)
        locality_add_stats(c->locality, c->c.path, tree);
}

void cluster_count_programs(struct cluster *c, struct arena *a)
{
    c->of = ARENA_ARRAY(a, struct cluster_program_stats, MAX_PROGRAMS);
}

void cluster_add_program_stats(const struct cluster *c, struct stats *tree, uint32_t program,
                               const char *path)
{
    stats_join(tree, path, c->c.path, cluster_program_stat_rows,
               sizeof cluster_program_stat_rows / sizeof cluster_program_stat_rows[0],
               &c->of[program]);
}
