/* reqrep.c - see reqrep.h.  One component holds all endpoints; each node is visited only when
 * one of its ports or its own clock has something for it. */
#include "traffic/reqrep.h"

#include <stdio.h>

#include "sim/calendar.h"
#include "sim/waitgraph.h"

CFG_SECTION_WHEN(reqrep, REQREP_ROWS, "closed-loop request-reply traffic",
                 {"*", "traffic.pattern=request_reply|reqrep"})
STATS_ROWS(reqrep, REQREP_STATS)

enum kind { KIND_READ, KIND_WRITE };

struct held { /* a request in service */
    uint32_t packet;
    hd_cycle ready;
};

struct agent { /* one node */
    struct arrival arrival;
    uint32_t outstanding;
    uint32_t reply_serial;
    uint32_t head, count; /* of queue */
    struct held *queue;   /* NULL: answers nobody */
    bool is_core, at_limit;
    bool reads_requests, reads_replies; /* its channel is read on its visits */
};

struct reqrep {
    struct component c;
    struct reqrep_options opt;
    struct calendar due;
    struct agent *agent; /* by node */
    uint32_t *ids;
    hd_cycle now, stop, measure_from, measure_to;
    struct reqrep_stats stats;
};

static void wake(struct reqrep *r, uint32_t node, hd_cycle at)
{
    calendar_wake(&r->due, r->now, node, at);
}

/* ---- cores ---- */

static uint32_t choose_target(const struct reqrep *r, uint32_t node, uint64_t key)
{
    const struct topology_nodes *n = r->opt.nodes;
    if (rng_unit(rng_at(key, 2)) < r->opt.spec->mc_share || n->ncores < 2)
        return n->mems[rng_below(rng_at(key, 0), n->nmems)];
    uint32_t other = n->cores[rng_below(rng_at(key, 0), n->ncores - 1)];
    return other == node ? n->cores[n->ncores - 1] : other;
}

static void issue(struct reqrep *r, uint32_t node, struct port *port)
{
    struct agent *a = &r->agent[node];
    const struct reqrep_spec *s = r->opt.spec;
    uint64_t key = rng_at(a->arrival.key, ~(uint64_t)a->arrival.serial);
    bool read = rng_unit(rng_at(key, 1)) < s->read_share;
    uint32_t id = packet_alloc(r->opt.pool);
    r->opt.pool->at[id] =
        (struct packet){.born = a->arrival.next,
                        .src = node,
                        .dst = choose_target(r, node, key),
                        .serial = 2 * a->arrival.serial++,
                        .flits = (uint16_t)(read ? s->short_flits : s->long_flits),
                        .kind = read ? KIND_READ : KIND_WRITE,
                        .msgclass = (uint8_t)r->opt.request_class,
                        .tag = {a->arrival.next}};
    port_push(port, r->now, id);
    a->outstanding++;
    r->stats.issued++;
    r->stats.reads += read;
    arrival_advance(&a->arrival, r->opt.arrivals);
}

/* A core that cannot issue stops its clock: the time it lost is added to its next birth, so that
 * nothing piles up behind the one that waits. */
static void resume(struct agent *a, hd_cycle birth, hd_cycle now)
{
    if (birth < now + 1)
        arrival_delay(&a->arrival, now + 1 - birth);
}

static void serve_core(struct reqrep *r, uint32_t node)
{
    struct agent *a = &r->agent[node];
    struct port *port = noc_inject_port(r->opt.request, node, r->opt.request_class);
    while (a->arrival.next < r->stop && a->arrival.next <= r->now + 1) {
        hd_cycle birth = a->arrival.next;
        a->at_limit = a->outstanding >= r->opt.spec->outstanding;
        if (a->at_limit || !port_can_push(port, r->now))
            return;
        issue(r, node, port);
        resume(a, birth, r->now);
    }
    if (a->arrival.next < r->stop)
        wake(r, node, a->arrival.next - 1);
}

/* Replies are always taken.  A shared channel brings replies for its other cores as well. */
static void take_replies(struct reqrep *r, uint32_t node)
{
    struct port *port = noc_eject_port(r->opt.reply, node, r->opt.reply_class);
    while (port_has(port, r->now)) {
        uint32_t id = (uint32_t)port_pop(port, r->now);
        const struct packet *p = &r->opt.pool->at[id];
        struct agent *core = &r->agent[p->dst];
        HD_ASSERT(core->outstanding > 0, "node %u got a reply it did not ask for", p->dst);
        core->outstanding--;
        r->stats.finished++;
        if (p->tag[0] >= r->measure_from && p->tag[0] < r->measure_to)
            stat_hist_add(&r->stats.round_trip, r->now - 1 - p->tag[0]);
        if (core->at_limit && p->dst != node)
            wake(r, p->dst, r->now + 1);
        packet_free(r->opt.pool, id);
    }
    if (port_ready(port) != HD_NEVER) /* its wake-up gave way to this earlier visit */
        wake(r, node, port_ready(port));
}

/* ---- memory nodes ---- */

static void take_request(struct reqrep *r, uint32_t node)
{
    const struct reqrep_spec *s = r->opt.spec;
    struct port *port = noc_eject_port(r->opt.request, node, r->opt.request_class);
    if (!port_has(port, r->now)) { /* a wake-up may have given way to this earlier visit */
        if (port_ready(port) != HD_NEVER)
            wake(r, node, port_ready(port));
    } else {
        uint32_t to = r->opt.pool->at[port_peek(port)].dst;
        struct agent *dst = &r->agent[to];
        if (dst->count == s->slots)
            return; /* visited again when a reply has left */
        uint32_t id = (uint32_t)port_pop(port, r->now);
        dst->queue[(dst->head + dst->count++) % s->slots] =
            (struct held){id, r->now + (hd_cycle)s->service};
        wake(r, to, r->now + (hd_cycle)s->service);
        if (port_ready(port) != HD_NEVER)
            wake(r, node, port_ready(port) > r->now ? port_ready(port) : r->now + 1);
    }
}

static void answer(struct reqrep *r, uint32_t node, struct port *port)
{
    struct agent *a = &r->agent[node];
    const struct reqrep_spec *s = r->opt.spec;
    struct held h = a->queue[a->head];
    struct packet *p = &r->opt.pool->at[h.packet];
    a->head = (uint32_t)((a->head + 1) % s->slots);
    a->count--;
    p->dst = p->src;
    p->src = node;
    p->serial = 2 * a->reply_serial++ + 1;
    p->flits = (uint16_t)(p->kind == KIND_READ ? s->long_flits : s->short_flits);
    p->msgclass = (uint8_t)r->opt.reply_class;
    p->born = h.ready + 1;
    p->hops = 0;
    port_push(port, r->now, h.packet);
}

static void serve_memory(struct reqrep *r, uint32_t node)
{
    struct agent *a = &r->agent[node];
    struct port *port = noc_inject_port(r->opt.reply, node, r->opt.reply_class);
    if (a->count && a->queue[a->head].ready <= r->now && port_can_push(port, r->now))
        answer(r, node, port);
    if (!a->reads_requests) /* whoever reads the shared channel may have waited for a slot */
        wake(r, noc_eject_port(r->opt.request, node, r->opt.request_class)->reader_slot,
             r->now + 1);
    if (a->count && !port_is_awaited(port)) {
        hd_cycle ready = a->queue[a->head].ready;
        wake(r, node, ready > r->now ? ready : r->now + 1);
    }
}

static void visit(struct reqrep *r, uint32_t node)
{
    struct agent *a = &r->agent[node];
    if (a->reads_replies)
        take_replies(r, node);
    if (a->queue)
        serve_memory(r, node);
    if (a->reads_requests)
        take_request(r, node);
    if (a->is_core)
        serve_core(r, node);
}

static hd_cycle tick(struct component *c, hd_cycle now)
{
    struct reqrep *r = (struct reqrep *)c;
    r->now = now;
    uint32_t n = calendar_take(&r->due, now, r->ids);
    for (uint32_t k = 0; k < n; k++)
        visit(r, r->ids[k]);
    return calendar_next(&r->due, now);
}

static void woken(struct component *c, uint32_t slot, hd_cycle at)
{
    struct reqrep *r = (struct reqrep *)c;
    calendar_wake(&r->due, at - 1, slot, at);
}

static uint64_t live(const struct component *c)
{
    const struct reqrep *r = (const struct reqrep *)c;
    return r->stats.issued - r->stats.finished;
}

/* The reader of a request channel whose next request is for a node with all slots full waits for
 * the replies of that node to leave. */
static void waits(const struct component *c, struct waitgraph *g)
{
    const struct reqrep *r = (const struct reqrep *)c;
    for (uint32_t node = 0; node < r->opt.nodes->total; node++) {
        char label[48];
        if (!r->agent[node].reads_requests)
            continue;
        const struct port *in = noc_eject_port(r->opt.request, node, r->opt.request_class);
        uint32_t to = port_held(in) ? r->opt.pool->at[port_peek(in)].dst : node;
        if (r->agent[to].count < r->opt.spec->slots)
            continue;
        const struct port *out = noc_inject_port(r->opt.reply, to, r->opt.reply_class);
        snprintf(label, sizeof label, "memory node %u", to);
        waitgraph_vertex(g, c, node, port_held(out) < port_depth(out), label);
        waitgraph_edge(g, c, node, noc_component(r->opt.reply),
                       noc_inject_vertex(r->opt.reply, to));
    }
}

static const struct component_ops ops = {
    .kind = "reqrep", .tick = tick, .woken = woken, .waits = waits, .live = live};

static void add_responder(struct reqrep *r, struct arena *a, uint32_t node)
{
    const struct reqrep_options *o = &r->opt;
    r->agent[node].queue = ARENA_ARRAY(a, struct held, o->spec->slots);
    noc_attach_reader(o->request, a, node, (uint32_t)o->spec->slots, &r->c, node);
    r->agent[node].reads_requests =
        noc_eject_port(o->request, node, o->request_class)->reader_slot == node;
    noc_set_writer(o->reply, node, &r->c, node);
}

static void add_core(struct reqrep *r, struct arena *a, uint32_t node)
{
    const struct reqrep_options *o = &r->opt;
    struct agent *core = &r->agent[node];
    core->is_core = true;
    noc_attach_reader(o->reply, a, node, 4, &r->c, node);
    core->reads_replies = noc_eject_port(o->reply, node, o->reply_class)->reader_slot == node;
    noc_set_writer(o->request, node, &r->c, node);
    arrival_start(&core->arrival, o->arrivals, rng_key(o->seed, node));
    if (core->arrival.next != HD_NEVER)
        calendar_wake(&r->due, 0, node, core->arrival.next - 1);
}

struct reqrep *reqrep_new(struct arena *a, const struct reqrep_options *opt)
{
    struct reqrep *r = ARENA_NEW(a, struct reqrep);
    r->c.ops = &ops;
    r->c.path = "traffic";
    r->opt = *opt;
    r->stop = r->measure_to = HD_NEVER;
    r->agent = ARENA_ARRAY(a, struct agent, opt->nodes->total);
    r->ids = ARENA_ARRAY(a, uint32_t, opt->nodes->total);
    calendar_init(&r->due, a, opt->nodes->total);
    for (uint32_t i = 0; i < opt->nodes->nmems; i++)
        add_responder(r, a, opt->nodes->mems[i]);
    for (uint32_t i = 0; i < opt->nodes->ncores; i++) {
        if (opt->spec->mc_share < 1)
            add_responder(r, a, opt->nodes->cores[i]);
        add_core(r, a, opt->nodes->cores[i]);
    }
    return r;
}

struct component *reqrep_component(struct reqrep *r)
{
    return &r->c;
}

void reqrep_stop(struct reqrep *r, hd_cycle at)
{
    r->stop = at;
}

void reqrep_measure(struct reqrep *r, hd_cycle from, hd_cycle to)
{
    if (from != r->measure_from)
        r->stats.round_trip = (struct stat_hist){0};
    r->measure_from = from;
    r->measure_to = to;
}

const struct reqrep_stats *reqrep_stats(const struct reqrep *r)
{
    return &r->stats;
}

void reqrep_add_stats(const struct reqrep *r, struct stats *tree)
{
    stats_add(tree, r->c.path, reqrep_stat_rows,
              sizeof reqrep_stat_rows / sizeof reqrep_stat_rows[0], &r->stats);
}

uint64_t reqrep_packet_bound(const struct reqrep_spec *s, const struct topology_nodes *n)
{
    return (uint64_t)n->total * ((uint64_t)s->slots * 2 + 8) +
           (uint64_t)n->ncores * (uint64_t)s->outstanding;
}
