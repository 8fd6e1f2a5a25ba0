/* traffic_rig.c - see traffic_rig.h. */
#include "rig/traffic_rig.h"

#include <string.h>

enum { PORT_DEPTH = 2, CLASSES = 2, POOL = 100000, TAP_DEPTH = 2 };

static void add_networks(struct traffic_rig *r)
{
    for (int i = 0; i < r->g.n; i++) {
        struct noc_options opt = {.path = r->g.name[i],
                                  .graph = r->g.graph[i],
                                  .router = config_get(r->cfg, &router_section),
                                  .pool = &r->pool,
                                  .classes = CLASSES,
                                  .port_depth = PORT_DEPTH,
                                  .seed = 1};
        r->net[i] = noc_new(r->arena, &opt);
        engine_add(r->engine, noc_component(r->net[i]), 1);
    }
}

bool traffic_rig_open(struct traffic_rig *r, const char *settings)
{
    *r = (struct traffic_rig){.arena = arena_new()};
    r->cfg = lab_config(r->arena);
    char *rest = arena_strdup(r->arena, settings);
    for (char *s = strtok_r(rest, " ", &rest); s; s = strtok_r(NULL, " ", &rest))
        if (!config_set(r->cfg, s, &r->err))
            return false;
    if (!fabric_of(r->cfg, r->arena, &r->g, &r->err))
        return false;
    packet_pool_init(&r->pool, r->arena, POOL);
    r->engine = engine_new(r->arena, (struct engine_options){.watchdog = 5000});
    add_networks(r);
    return true;
}

void traffic_rig_close(struct traffic_rig *r)
{
    arena_free(r->arena);
}

struct source *traffic_rig_source(struct traffic_rig *r, double rate)
{
    const struct graph *g = r->g.graph[0];
    uint32_t *from = ARENA_ARRAY(r->arena, uint32_t, g->nnodes);
    uint32_t *to = ARENA_ARRAY(r->arena, uint32_t, g->nnodes);
    struct source_options opt = {.net = r->net[0],
                                 .pool = &r->pool,
                                 .pattern = pattern_find(r->cfg, &r->err),
                                 .fit = {.spec = config_get(r->cfg, &traffic_section),
                                         .nsources = graph_sources(g, from),
                                         .nsinks = graph_sinks(g, to)},
                                 .sources = from,
                                 .sinks = to,
                                 .arrivals = &r->arrivals,
                                 .seed = 5};
    if (!opt.pattern || !arrival_model_init(&r->arrivals, r->cfg, rate, 0, r->arena, &r->err))
        return NULL;
    if (opt.pattern->fit && !opt.pattern->fit(&opt.fit, r->cfg, r->arena, &r->err))
        return NULL;
    struct source *s = source_new(r->arena, &opt);
    engine_add(r->engine, source_component(s), 1);
    return s;
}

struct reqrep *traffic_rig_reqrep(struct traffic_rig *r, double rate)
{
    const struct reqrep_spec *s = config_get(r->cfg, &reqrep_section);
    struct reqrep_options opt = {.request = r->net[0],
                                 .reply = r->net[r->g.n - 1],
                                 .reply_class = r->g.n == 1,
                                 .pool = &r->pool,
                                 .spec = s,
                                 .nodes = &r->g.nodes,
                                 .arrivals = &r->arrivals,
                                 .seed = 5};
    if (!arrival_model_init(&r->arrivals, r->cfg, rate, (double)(s->short_flits + s->long_flits),
                            r->arena, &r->err))
        return NULL;
    struct reqrep *t = reqrep_new(r->arena, &opt);
    engine_add(r->engine, reqrep_component(t), 1);
    return t;
}

/* ---- the tap ---- */

static hd_cycle tap_tick(struct component *c, hd_cycle now)
{
    struct traffic_tap *t = (struct traffic_tap *)c;
    const struct graph *g = t->rig->g.graph[0];
    for (uint32_t node = 0; now % t->every == 0 && node < g->nnodes; node++) {
        if (g->eject[node] == GRAPH_NONE)
            continue;
        struct port *p = noc_eject_port(t->rig->net[0], node, 0);
        if (p->reader_slot != node || !port_has(p, now))
            continue;
        uint32_t id = (uint32_t)port_pop(p, now);
        HD_ASSERT(t->n < sizeof t->got / sizeof t->got[0], "the tap is full");
        t->got[t->n++] = t->rig->pool.at[id];
        packet_free(&t->rig->pool, id);
    }
    return now + 1;
}

static const struct component_ops tap_ops = {.kind = "tap", .tick = tap_tick};

void traffic_rig_tap(struct traffic_rig *r, hd_cycle every)
{
    const struct graph *g = r->g.graph[0];
    r->tap = ARENA_NEW(r->arena, struct traffic_tap);
    r->tap->c = (struct component){.ops = &tap_ops, .path = "tap"};
    r->tap->rig = r;
    r->tap->every = every;
    for (uint32_t node = 0; node < g->nnodes; node++)
        if (g->eject[node] != GRAPH_NONE)
            noc_attach_reader(r->net[0], r->arena, node, TAP_DEPTH, &r->tap->c, node);
    engine_add(r->engine, &r->tap->c, 1);
}

/* ---- running ---- */

bool traffic_rig_run(struct traffic_rig *r, hd_cycle until)
{
    enum engine_stop stop = engine_run(r->engine, until, &r->err);
    return (stop == ENGINE_REACHED || stop == ENGINE_IDLE) && engine_audit(r->engine, &r->err);
}

bool traffic_rig_drain(struct traffic_rig *r, uint64_t limit)
{
    hd_cycle end = engine_now(r->engine) + limit;
    while (r->pool.live > 0 && engine_now(r->engine) < end)
        if (!traffic_rig_run(r, engine_now(r->engine) + 100))
            return false;
    return r->pool.live == 0;
}
