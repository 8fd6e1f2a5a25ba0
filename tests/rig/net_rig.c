/* net_rig.c - a driver that pushes and pops by plan. */
#include "rig/net_rig.h"

#include "check.h"
#include "rig/lab_rig.h"

struct net_rig_driver {
    struct component c;
    struct net_rig *rig;
    struct net_rig_send *plan; /* what is not sent yet, in the order of the calls */
    uint32_t nplan;
    uint32_t *serial; /* by node */
    bool *reads, *held;
};

static bool push(struct net_rig_driver *d, const struct net_rig_send *s, hd_cycle now)
{
    struct net_rig *r = d->rig;
    struct port *port = noc_inject_port(r->noc, s->src, s->cls);
    if (!port_can_push(port, now))
        return false;
    uint32_t id = packet_alloc(&r->pool);
    r->pool.at[id] = (struct packet){.born = s->at,
                                     .src = s->src,
                                     .dst = s->dst,
                                     .serial = d->serial[s->src]++,
                                     .flits = s->flits,
                                     .msgclass = s->cls,
                                     .tag = {s->tag}};
    port_push(port, now, id);
    return true;
}

static void pop_all(struct net_rig_driver *d, uint32_t node, uint32_t cls, hd_cycle now)
{
    struct net_rig *r = d->rig;
    struct port *port = noc_eject_port(r->noc, node, cls);
    while (!d->held[node] && port_has(port, now)) {
        uint32_t id = (uint32_t)port_pop(port, now);
        const struct packet *p = &r->pool.at[id];
        HD_ASSERT(r->nlog < NET_RIG_PACKETS, "the log is full");
        r->log[r->nlog++] = (struct net_rig_arrival){.born = p->born,
                                                     .entered = p->entered,
                                                     .at = now - 1, /* a port takes a cycle */
                                                     .src = p->src,
                                                     .dst = p->dst,
                                                     .serial = p->serial,
                                                     .hops = p->hops,
                                                     .flits = p->flits,
                                                     .node = node};
        packet_free(&r->pool, id);
    }
}

static hd_cycle tick(struct component *c, hd_cycle now)
{
    struct net_rig_driver *d = (struct net_rig_driver *)c;
    hd_cycle next = HD_NEVER;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->nplan; i++) {
        struct net_rig_send s = d->plan[i];
        if (s.at <= now + 1 && push(d, &s, now))
            continue;
        if (s.at > now + 1 && s.at - 1 < next)
            next = s.at - 1;
        d->plan[kept++] = s;
    }
    d->nplan = kept;
    for (uint32_t node = 0; node < d->rig->graph->nnodes; node++)
        for (uint32_t cls = 0; d->reads[node] && cls < d->rig->classes; cls++)
            pop_all(d, node, cls, now);
    return next;
}

static uint64_t live(const struct component *c)
{
    return ((const struct net_rig_driver *)c)->nplan;
}

static const struct component_ops ops = {.kind = "bench", .tick = tick, .live = live};

void net_rig_begin(struct net_rig *r, const char *settings)
{
    *r = (struct net_rig){.arena = arena_new(), .classes = 1};
    r->cfg = lab_rig_config(r->arena, settings, &r->err);
    CHECK_STR(r->err.text, "");
}

bool net_rig_build(struct net_rig *r, enum direction dir)
{
    const struct noc_spec *s = config_get(r->cfg, &noc_section);
    const struct topology *t = topology_find(s->topology);
    struct topology_nodes nodes;
    if (!t || !t->nodes(r->cfg, r->arena, &nodes, &r->err))
        return false;
    struct graph *g = t->build(r->cfg, dir, &nodes, r->arena, &r->err);
    if (g)
        graph_fit_ring(g, fabric_flit_bytes(r->cfg, g));
    if (!g || !noc_check(r->cfg, g, r->classes, &r->err))
        return false;
    net_rig_wire(r, g);
    return true;
}

void net_rig_wire(struct net_rig *r, const struct graph *g)
{
    const struct noc_spec *s = config_get(r->cfg, &noc_section);
    struct net_rig_driver *d = ARENA_NEW(r->arena, struct net_rig_driver);
    uint64_t bound = noc_packet_bound(r->cfg, g, r->classes, (uint32_t)s->port_depth);
    packet_pool_init(&r->pool, r->arena, (uint32_t)bound + NET_RIG_PACKETS);
    r->graph = g;
    r->engine = engine_new(r->arena, r->engine_options);
    r->noc = noc_new(r->arena, &(struct noc_options){.path = "net",
                                                     .graph = g,
                                                     .router = net_rig_router(r),
                                                     .pool = &r->pool,
                                                     .classes = r->classes,
                                                     .port_depth = (uint32_t)s->port_depth,
                                                     .no_skip = r->engine_options.no_skip,
                                                     .slow_router = r->slow_router,
                                                     .cfg = r->cfg,
                                                     .seed = 1});
    *d =
        (struct net_rig_driver){.c = {.ops = &ops, .path = "bench"},
                                .rig = r,
                                .plan = ARENA_ARRAY(r->arena, struct net_rig_send, NET_RIG_PACKETS),
                                .serial = ARENA_ARRAY(r->arena, uint32_t, g->nnodes),
                                .reads = ARENA_ARRAY(r->arena, bool, g->nnodes),
                                .held = ARENA_ARRAY(r->arena, bool, g->nnodes)};
    r->driver = d;
    for (uint32_t node = 0; node < g->nnodes; node++)
        if (g->inject[node] != GRAPH_NONE)
            noc_set_writer(r->noc, node, &d->c, node);
    engine_add(r->engine, noc_component(r->noc), 1);
    engine_add(r->engine, &d->c, 1);
}

void net_rig_close(struct net_rig *r)
{
    arena_free(r->arena);
}

void net_rig_read(struct net_rig *r, uint32_t node, uint32_t depth)
{
    noc_attach_reader(r->noc, r->arena, node, depth, &r->driver->c, node);
    r->driver->reads[node] = true;
}

void net_rig_read_all(struct net_rig *r, uint32_t depth)
{
    for (uint32_t node = 0; node < r->graph->nnodes; node++)
        if (r->graph->eject[node] != GRAPH_NONE)
            net_rig_read(r, node, depth);
}

void net_rig_hold(struct net_rig *r, uint32_t node, bool held)
{
    r->driver->held[node] = held;
    component_wake(&r->driver->c, engine_now(r->engine));
}

void net_rig_send_as(struct net_rig *r, struct net_rig_send s)
{
    HD_ASSERT(r->driver->nplan < NET_RIG_PACKETS && s.at > engine_now(r->engine),
              "a packet for cycle %llu cannot be planned", (unsigned long long)s.at);
    r->driver->plan[r->driver->nplan++] = s;
    component_wake(&r->driver->c, s.at - 1);
}

void net_rig_send(struct net_rig *r, hd_cycle at, uint32_t src, uint32_t dst, uint16_t flits)
{
    net_rig_send_as(r, (struct net_rig_send){.at = at, .src = src, .dst = dst, .flits = flits});
}

enum engine_stop net_rig_run(struct net_rig *r, hd_cycle until)
{
    return engine_run(r->engine, until, &r->err);
}

hd_cycle net_rig_now(const struct net_rig *r)
{
    return engine_now(r->engine);
}

uint64_t net_rig_latency(struct net_rig *r, uint32_t src, uint32_t dst, uint16_t flits)
{
    const struct stat_hist *h = &noc_stats(r->noc)->latency;
    uint64_t n = h->n, sum = h->sum;
    net_rig_send(r, engine_now(r->engine) + 2, src, dst, flits);
    enum engine_stop stop = net_rig_run(r, engine_now(r->engine) + 100000);
    return stop == ENGINE_IDLE && h->n == n + 1 ? h->sum - sum : 0;
}

const struct router_spec *net_rig_router(const struct net_rig *r)
{
    return config_get(r->cfg, &router_section);
}
