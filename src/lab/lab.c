/* lab.c - wiring: topology -> graphs -> networks -> endpoints -> engine. */
#include "lab/lab.h"

#include <string.h>

#include "base/str.h"
#include "sim/engine.h"
#include "sim/sim_spec.h"
#include "traffic/reqrep.h"
#include "traffic/source.h"

CFG_SECTION_WHEN(measure, MEASURE_ROWS, "how a point is measured",
                 {"max_batches", "measure.cycles=0"})

enum { MAX_SECTIONS = 48, AUDIT_PERIOD = 256, SLICE_CYCLES = 4096 };

struct lab {
    struct arena *arena;
    const struct config *cfg;
    const struct sim_spec *sim;
    const struct measure_spec *measure;
    struct fabric g;
    struct noc *net[2];
    struct packet_pool pool;
    struct engine *engine;
    struct source *source; /* one of these two */
    struct reqrep *reqrep;
    uint32_t nsources;
    const uint32_t *sources;
    uint64_t budget;
    const int *stop; /* see lab_options */
};

int lab_sections(const struct cfg_section **all)
{
    static const struct cfg_section *const own[] = {&traffic_section, &reqrep_section,
                                                    &measure_section};
    _Static_assert(sizeof own / sizeof own[0] == LAB_SECTIONS, "lab.h says how many");
    memcpy(all, own, sizeof own);
    return LAB_SECTIONS;
}

struct config *lab_config(struct arena *a)
{
    static const struct cfg_foreign foreign[] = {
        {"gpu", "this is a machine, and heddle noc takes networks (heddle list networks)"}};
    const struct cfg_section **all = ARENA_ARRAY(a, const struct cfg_section *, MAX_SECTIONS);
    int n = fabric_sections(all, MAX_SECTIONS - LAB_SECTIONS - 1);
    all[n++] = &sim_section;
    n += lab_sections(all + n);
    struct config *c = config_new(a, all, n);
    config_foreign(c, foreign, 1);
    return c;
}

/* ---- building ---- */

static bool choose_classes(const struct lab *l, const struct pattern *p, uint32_t *classes,
                           struct err *e)
{
    const struct noc_spec *s = config_get(l->cfg, &noc_section);
    uint32_t need = p->ends == ENDS_REQUEST_REPLY && l->g.n == 1 ? 2 : 1;
    *classes = s->classes ? (uint32_t)s->classes : need;
    if (*classes < need)
        return config_blame(l->cfg, e, &noc_section, "classes",
                            "requests and replies on one network need 2 message classes, or they "
                            "wait for each other for ever");
    return true;
}

static bool all_connected(const uint32_t *port, uint32_t nnodes, const uint32_t *nodes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (nodes[i] >= nnodes || port[nodes[i]] == GRAPH_NONE)
            return false;
    return true;
}

/* A pattern between cores and memory nodes on one network needs both of them in it. */
static bool joins_ends(const struct lab *l, const struct pattern *p, struct err *e)
{
    const struct graph *g = l->g.graph[0];
    const struct topology_nodes *n = &l->g.nodes;
    if (p->ends == ENDS_ALL || l->g.n == 2 ||
        (all_connected(g->inject, g->nnodes, n->cores, n->ncores) &&
         all_connected(g->inject, g->nnodes, n->mems, n->nmems)))
        return true;
    return config_blame(l->cfg, e, &noc_section, "networks",
                        "%s traffic on this topology needs two networks", p->name);
}

static bool needs_ends(const struct lab *l, const struct pattern *p, struct err *e)
{
    if (p->ends == ENDS_CORES && l->g.n == 2)
        return config_blame(l->cfg, e, &noc_section, "networks",
                            "cores reach other cores only on one network for everything");
    if (p->ends == ENDS_ALL || (l->g.nodes.ncores && l->g.nodes.nmems))
        return true;
    return config_blame(l->cfg, e, &traffic_section, "pattern",
                        "%s needs cores and memory nodes, and this network has %u and %u", p->name,
                        l->g.nodes.ncores, l->g.nodes.nmems);
}

static bool build_networks(struct lab *l, const struct pattern *p, struct lab_options lo,
                           struct err *e)
{
    const struct noc_spec *s = config_get(l->cfg, &noc_section);
    const struct router_spec *r = config_get(l->cfg, &router_section);
    const struct reqrep_spec *rr = config_get(l->cfg, &reqrep_section);
    uint32_t classes;
    if (!choose_classes(l, p, &classes, e))
        return false;
    uint64_t bound = p->ends == ENDS_REQUEST_REPLY ? reqrep_packet_bound(rr, &l->g.nodes) : 0;
    for (int i = 0; i < l->g.n; i++) {
        if (!noc_check(l->cfg, l->g.graph[i], classes, e))
            return false;
        bound += noc_packet_bound(l->cfg, l->g.graph[i], classes, (uint32_t)s->port_depth);
    }
    if (bound >= 1u << 31)
        return config_blame(l->cfg, e, &router_section, "depth",
                            "the buffers hold more packets than can be numbered");
    packet_pool_init(&l->pool, l->arena, (uint32_t)bound);
    for (int i = 0; i < l->g.n; i++) {
        struct noc_options opt = {.path = l->g.name[i],
                                  .graph = l->g.graph[i],
                                  .router = r,
                                  .pool = &l->pool,
                                  .classes = classes,
                                  .port_depth = (uint32_t)s->port_depth,
                                  .seed = (uint64_t)l->sim->seed + (uint64_t)i,
                                  .no_skip = lo.no_skip,
                                  .slow_router = lo.slow_router,
                                  .series_period = (uint64_t)l->measure->series,
                                  .cfg = l->cfg};
        l->net[i] = noc_new(l->arena, &opt);
        engine_add(l->engine, noc_component(l->net[i]), 1);
    }
    return true;
}

/* Sources and sinks of an open-loop pattern, and the network it runs on. */
struct ends {
    struct noc *net;
    uint32_t nmems; /* that come first among the sinks, for ENDS_CORES */
    uint32_t nsources, nsinks;
    const uint32_t *sources, *sinks;
};

static struct ends find_ends(struct lab *l, const struct pattern *p)
{
    const struct topology_nodes *n = &l->g.nodes;
    int i = p->ends == ENDS_FEW_TO_MANY && l->g.n == 2;
    if (l->g.n == 1 && p->ends == ENDS_MANY_TO_FEW)
        return (struct ends){l->net[0], n->nmems, n->ncores, n->nmems, n->cores, n->mems};
    if (l->g.n == 1 && p->ends == ENDS_FEW_TO_MANY)
        return (struct ends){l->net[0], 0, n->nmems, n->ncores, n->mems, n->cores};
    if (p->ends == ENDS_CORES) {
        uint32_t *sinks = ARENA_ARRAY(l->arena, uint32_t, n->nmems + n->ncores);
        memcpy(sinks, n->mems, sizeof *sinks * n->nmems);
        memcpy(sinks + n->nmems, n->cores, sizeof *sinks * n->ncores);
        return (struct ends){l->net[0], n->nmems, n->ncores, n->nmems + n->ncores, n->cores, sinks};
    }
    const struct graph *g = l->g.graph[i];
    uint32_t *from = ARENA_ARRAY(l->arena, uint32_t, g->nnodes);
    uint32_t *to = ARENA_ARRAY(l->arena, uint32_t, g->nnodes);
    uint32_t nfrom = graph_sources(g, from), nto = graph_sinks(g, to);
    return (struct ends){l->net[i], 0, nfrom, nto, from, to};
}

static bool build_source(struct lab *l, const struct pattern *p, double rate, struct err *e)
{
    struct arrival_model *m = ARENA_NEW(l->arena, struct arrival_model);
    struct ends ends = find_ends(l, p);
    struct source_options opt = {.net = ends.net,
                                 .pool = &l->pool,
                                 .pattern = p,
                                 .fit = {.spec = config_get(l->cfg, &traffic_section),
                                         .nsources = ends.nsources,
                                         .nsinks = ends.nsinks,
                                         .nmems = ends.nmems},
                                 .sources = ends.sources,
                                 .sinks = ends.sinks,
                                 .arrivals = m,
                                 .seed = (uint64_t)l->sim->seed};
    if (!arrival_model_init(m, l->cfg, rate, 0, l->arena, e))
        return false;
    if (p->fit && !p->fit(&opt.fit, l->cfg, l->arena, e))
        return false;
    l->source = source_new(l->arena, &opt);
    l->nsources = ends.nsources;
    l->sources = ends.sources;
    engine_add(l->engine, source_component(l->source), 1);
    return true;
}

static bool build_reqrep(struct lab *l, double rate, struct err *e)
{
    const struct reqrep_spec *s = config_get(l->cfg, &reqrep_section);
    struct arrival_model *m = ARENA_NEW(l->arena, struct arrival_model);
    if (!arrival_model_init(m, l->cfg, rate, (double)(s->short_flits + s->long_flits), l->arena, e))
        return false;
    struct reqrep_options opt = {.request = l->net[0],
                                 .reply = l->g.n == 2 ? l->net[1] : l->net[0],
                                 .request_class = 0,
                                 .reply_class = l->g.n == 2 ? 0 : 1,
                                 .pool = &l->pool,
                                 .spec = s,
                                 .nodes = &l->g.nodes,
                                 .arrivals = m,
                                 .seed = (uint64_t)l->sim->seed};
    if (s->mc_share < 1 && l->g.n == 2)
        return config_blame(l->cfg, e, &reqrep_section, "mc_share",
                            "cores reach other cores only on one network for everything");
    l->reqrep = reqrep_new(l->arena, &opt);
    l->nsources = l->g.nodes.ncores;
    l->sources = l->g.nodes.cores;
    engine_add(l->engine, reqrep_component(l->reqrep), 1);
    return true;
}

static bool build(struct lab *l, double rate, struct lab_options opt, struct err *e)
{
    const struct pattern *p = pattern_find(l->cfg, e);
    if (!p || !fabric_of(l->cfg, l->arena, &l->g, e) || !needs_ends(l, p, e) ||
        !joins_ends(l, p, e))
        return false;
    struct engine_options eo = {.no_skip = opt.no_skip,
                                .reversed = opt.reversed,
                                .watchdog = (uint64_t)l->sim->watchdog,
                                .audit = opt.check ? AUDIT_PERIOD : 0};
    l->engine = engine_new(l->arena, eo);
    if (!build_networks(l, p, opt, e))
        return false;
    return p->ends == ENDS_REQUEST_REPLY ? build_reqrep(l, rate, e) : build_source(l, p, rate, e);
}

struct lab *lab_new(const struct config *cfg, double rate, struct lab_options opt, struct err *e)
{
    struct arena *a = arena_new();
    struct lab *l = ARENA_NEW(a, struct lab);
    l->arena = a;
    l->cfg = cfg;
    l->sim = config_get(cfg, &sim_section);
    l->measure = config_get(cfg, &measure_section);
    l->stop = opt.stop;
    l->budget = l->measure->max_cycles ? (uint64_t)l->measure->max_cycles : HD_NEVER;
    if (build(l, rate, opt, e))
        return l;
    arena_free(a);
    return NULL;
}

void lab_free(struct lab *l)
{
    if (l)
        arena_free(l->arena);
}

/* ---- running ---- */

double lab_max_rate(const struct config *cfg)
{
    const struct traffic_spec *t = config_get(cfg, &traffic_section);
    const struct reqrep_spec *s = config_get(cfg, &reqrep_section);
    bool closed = str_is_word(t->pattern, pattern_request_reply.name) ||
                  str_is_word(t->pattern, pattern_request_reply.alias);
    double rate = arrival_max_rate(cfg, closed ? (double)(s->short_flits + s->long_flits) : 0);
    return rate < 1 ? rate : 1;
}

hd_cycle lab_now(const struct lab *l)
{
    return engine_now(l->engine);
}

bool lab_run(struct lab *l, hd_cycle until, struct err *e)
{
    if (until > l->budget)
        return err_set(e, STATUS_BUDGET, "not finished after measure.max_cycles = %llu cycles",
                       (unsigned long long)l->budget);
    for (hd_cycle now = lab_now(l), end; now < until; now = end) {
        end = l->stop && until - now > SLICE_CYCLES ? now + SLICE_CYCLES : until;
        enum engine_stop stop = engine_run(l->engine, end, e);
        if (stop != ENGINE_REACHED && stop != ENGINE_IDLE)
            return false;
        if (l->stop && __atomic_load_n(l->stop, __ATOMIC_RELAXED))
            return err_set(e, STATUS_STOPPED, "stopped after %llu cycles", (unsigned long long)end);
    }
    return true;
}

static bool is_empty(const struct lab *l)
{
    return l->pool.live == 0;
}

bool lab_drain(struct lab *l, uint64_t limit, struct err *e)
{
    hd_cycle now = lab_now(l);
    if (l->source)
        source_stop(l->source, now);
    else
        reqrep_stop(l->reqrep, now);
    for (hd_cycle end = now + limit; !is_empty(l); now += 64) {
        if (now >= end)
            return err_set(e, STATUS_FAILED, "%u packets are left after %llu cycles of draining",
                           l->pool.live, (unsigned long long)limit);
        if (!lab_run(l, now + 64, e))
            return false;
    }
    return engine_audit(l->engine, e);
}

void lab_measure(struct lab *l, hd_cycle from, hd_cycle to)
{
    for (int i = 0; i < l->g.n; i++)
        noc_measure(l->net[i], from, to);
    if (l->source)
        source_measure(l->source, from, to);
    else
        reqrep_measure(l->reqrep, from, to);
}

bool lab_is_complete(const struct lab *l)
{
    if (!l->source)
        return true; /* a closed loop cannot fall behind */
    return source_is_done(l->source) && lab_totals(l).latency_n == source_measured(l->source);
}

/* ---- results ---- */

struct lab_totals lab_totals(const struct lab *l)
{
    struct lab_totals t = {0};
    for (int i = 0; i < l->g.n; i++) {
        const struct noc_stats *s = noc_stats(l->net[i]);
        t.packets_out += s->packets_out;
        t.flits_in += s->flits_in;
        t.flits_out += s->flits_out;
        t.flit_hops += noc_flit_hops(l->net[i]);
        t.digest += s->digest;
        t.latency_n += s->latency.n;
        t.latency_sum += s->latency.sum;
        t.hops_n += s->hops.n;
        t.hops_sum += s->hops.sum;
        t.queueing_n += s->queueing.n;
        t.queueing_sum += s->queueing.sum;
    }
    return t;
}

uint32_t lab_nsources(const struct lab *l)
{
    return l->nsources;
}

uint32_t lab_source(const struct lab *l, uint32_t i)
{
    return l->sources[i];
}

uint64_t lab_flits_from(const struct lab *l, uint32_t node)
{
    uint64_t sum = 0;
    for (int i = 0; i < l->g.n; i++)
        if (node < l->g.graph[i]->nnodes)
            sum += noc_flits_from(l->net[i], node);
    return sum;
}

void lab_latency(const struct lab *l, struct stat_hist *merged)
{
    *merged = noc_stats(l->net[0])->latency;
    if (l->g.n == 2)
        stat_hist_merge(merged, &noc_stats(l->net[1])->latency);
}

const struct stat_hist *lab_round_trip(const struct lab *l)
{
    return l->reqrep ? &reqrep_stats(l->reqrep)->round_trip : NULL;
}

void lab_add_stats(const struct lab *l, struct stats *tree)
{
    engine_settle(l->engine);
    for (int i = 0; i < l->g.n; i++)
        noc_add_stats(l->net[i], tree);
    if (l->reqrep)
        reqrep_add_stats(l->reqrep, tree);
}

const struct config *lab_config_of(const struct lab *l)
{
    return l->cfg;
}

const struct fabric *lab_fabric(const struct lab *l)
{
    return &l->g;
}

const struct noc *lab_network(const struct lab *l, int i)
{
    return l->net[i];
}
