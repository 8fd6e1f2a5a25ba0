/* wire.c - the whole machine, front to back: dispatcher, SMs, clusters, networks, L2, memory.
 *
 * One node of the networks per cluster (in the order of the topology's cores) and one per L2 slice
 * (in the order of its memory nodes); slices 0 .. n-1 of channel c are slices c*n .. c*n+n-1. */
#include "machine/machine_priv.h"

#include <string.h>

#include "cta/registers_of.h"
#include "sim/sim_spec.h"

enum { AUDIT_PERIOD = 1024, PHASE_DISPATCH = 0, PHASE_MACHINE = 1 };
enum { NETWORK_LANES = 2 }; /* then a lane of each cluster, then of each memory channel */
/* Between the requests of one SM and the next: the first few of each are in use all the time, and must not meet in a few
 * sets of the host's caches, as they would at a power of two. */
enum { REQUESTS_APART = 33 };

/* --- checks ----------------------------------------------------------------------------------- */

static const char *policy_name(int i)
{
    return cta_policy_all[i]->name;
}

static bool find_policy(const struct machine *m, const struct cta_policy **p, struct err *e)
{
    const struct cfg_registry policies = {"CTA scheduler", "policies", cta_policy_count,
                                          policy_name};
    *p = cta_policy_find(m->gpu->cta_scheduler);
    return *p || config_no_such(m->cfg, e, &gpu_section, "cta_scheduler", m->gpu->cta_scheduler,
                                &policies);
}

/* A cluster or slice takes its own packets from its own port. */
static bool shares_port(const struct graph *g, const uint32_t *nodes, uint32_t n)
{
    for (uint32_t i = 0; i < n && !g->ideal_latency; i++)
        if (g->out[g->eject[nodes[i]]].dst_node != nodes[i])
            return true;
    return false;
}

static bool check_ends(struct machine *m, struct err *e)
{
    const struct topology_nodes *n = &m->graphs.nodes;
    if (n->ncores != m->nclusters)
        return config_blame(m->cfg, e, &gpu_section, "clusters",
                            "%u clusters on a network (%s) with %u nodes for cores", m->nclusters,
                            m->graphs.topology->name, n->ncores);
    if (n->nmems != m->nslices)
        return config_blame(m->cfg, e, &mc_section, "channels",
                            "%u L2 slices (channels x slices_per_channel) on a network (%s) with "
                            "%u memory nodes",
                            m->nslices, m->graphs.topology->name, n->nmems);
    if (shares_port(m->graphs.graph[m->graphs.n - 1], n->cores, n->ncores) ||
        shares_port(m->graphs.graph[0], n->mems, n->nmems))
        return config_blame(m->cfg, e, &noc_section, "topology",
                            "nodes of %s share a port here: let the SMs share it instead "
                            "(gpu.sms_per_cluster, or gpu.sms for clusters of unequal size)",
                            m->graphs.topology->name);
    return true;
}

static bool plan_sms(struct machine *m, struct err *e)
{
    const struct gpu_spec *g = m->gpu;
    int64_t nsms = gpu_sms(g), n = gpu_kernel_sms(g);
    if (nsms > 65535)
        return config_blame(m->cfg, e, &gpu_section, "sms_per_cluster", "%lld SMs, at most 65535",
                            (long long)nsms);
    if (nsms < g->clusters)
        return config_blame(m->cfg, e, &gpu_section, "sms",
                            "%lld SMs in %lld clusters: some would have none", (long long)nsms,
                            (long long)g->clusters);
    if (g->sm_first >= nsms)
        return config_blame(m->cfg, e, &gpu_section, "sm_first", "SM %lld of %lld",
                            (long long)g->sm_first, (long long)nsms);
    if (g->sm_first + n > nsms)
        return config_blame(m->cfg, e, &gpu_section, "sm_count", "SMs up to %lld of %lld",
                            (long long)g->sm_first + (long long)n, (long long)nsms);
    m->nsms = (uint32_t)nsms;
    m->nclusters = (uint32_t)g->clusters;
    m->clusters = sm_clusters_deal(m->arena, m->nsms, m->nclusters);
    uint32_t *sm = ARENA_ARRAY(m->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        sm[i] = (uint32_t)g->sm_first + i;
    m->kernel_sms = sm_set_of(m->arena, &m->clusters, sm, (uint32_t)n);
    return true;
}

/* Clusters that share the first router of the request network. */
static void group_clusters(struct machine *m)
{
    const struct graph *g = m->graphs.graph[0];
    uint32_t *router = ARENA_ARRAY(m->arena, uint32_t, m->nclusters);
    for (uint32_t i = 0; i < m->nclusters; i++)
        router[i] = g->ideal_latency ? i : g->in[g->inject[m->graphs.nodes.cores[i]]].router;
    sm_clusters_group(m->arena, &m->clusters, router);
}

static bool plan(struct machine *m, struct err *e)
{
    const struct noc_spec *noc = config_get(m->cfg, &noc_section);
    const struct l2_spec *l2 = config_get(m->cfg, &l2_section);
    const struct mc_spec *mc = config_get(m->cfg, &mc_section);
    const struct dram_spec *dram = config_get(m->cfg, &dram_section);
    const double hz[DOMAINS] = {m->gpu->clock, noc->clock, l2->clock, dram->clock};
    if (!plan_sms(m, e))
        return false;
    m->nchannels = (uint32_t)mc->channels;
    m->nslices = (uint32_t)(mc->channels * l2->slices_per_channel);
    struct err why = {0};
    const struct sm_spec *sm = config_get(m->cfg, &sm_section);
    if (!registers_of_check(sm->registers_of, &why))
        return config_blame(m->cfg, e, &sm_section, "registers_of", "%s", why.text);
    if (!clock_plan(&m->clocks, hz, DOMAINS, &why))
        return config_blame(m->cfg, e, &gpu_section, "clock", "%s", why.text);
    bool ok = meetings_check(m->cfg, e) && sm_check(m->cfg, e) && cluster_check(m->cfg, e) &&
              slice_check(m->cfg, m->clocks.period[DOMAIN_SM], m->clocks.period[DOMAIN_L2], e) &&
              mc_check(m->cfg, m->clocks.period[DOMAIN_SM], m->clocks.period[DOMAIN_DRAM], e) &&
              addrmap_init(&m->map, m->cfg, m->nslices, (uint32_t)l2->slices_per_channel,
                           (uint32_t)dram->banks, dram_burst_bytes(dram), e) &&
              fabric_of(m->cfg, m->arena, &m->graphs, e) && check_ends(m, e);
    if (ok)
        group_clusters(m);
    return ok;
}

/* --- parts ------------------------------------------------------------------------------------ */

static void add(struct machine *m, struct component *c, enum domain d, uint32_t phase,
                uint32_t lane)
{
    engine_add(m->engine, c, m->clocks.period[d]);
    engine_place(m->engine, c, phase, lane);
}

/* For router extensions: what a packet wants of the memory. */
static struct packet_meaning meaning_of(const void *ctx, uint32_t packet)
{
    const struct machine *m = ctx;
    const struct request *r = &m->pool.at[packet];
    struct dram_place place = addrmap_place(&m->map, r->line);
    return (struct packet_meaning){.line = r->line,
                                   .row = (uint64_t)place.row << 32 | place.bank,
                                   .is_read = r->kind == REQUEST_READ,
                                   .sm = r->sm,
                                   .warps = m->pool.packets.at[packet].warps};
}

static bool build_networks(struct machine *m, struct err *e)
{
    const struct noc_spec *s = config_get(m->cfg, &noc_section);
    const struct sim_spec *sim = config_get(m->cfg, &sim_section);
    uint32_t classes = s->classes ? (uint32_t)s->classes : m->graphs.n == 1 ? 2 : 1;
    if (m->graphs.n == 1 && classes < 2)
        return config_blame(m->cfg, e, &noc_section, "classes",
                            "requests and replies on one network need 2 message classes");
    for (int i = 0; i < m->graphs.n; i++) {
        if (!noc_check(m->cfg, m->graphs.graph[i], classes, e))
            return false;
        struct noc_options opt = {.path = m->graphs.name[i],
                                  .graph = m->graphs.graph[i],
                                  .router = config_get(m->cfg, &router_section),
                                  .pool = &m->pool.packets,
                                  .classes = classes,
                                  .port_depth = (uint32_t)s->port_depth,
                                  .seed = (uint64_t)sim->seed + (uint64_t)i,
                                  .no_skip = m->opt.no_skip,
                                  .cfg = m->cfg,
                                  .sense = {meaning_of, m}};
        m->net[i] = noc_new(m->arena, &opt);
        add(m, noc_component(m->net[i]), DOMAIN_NOC, PHASE_MACHINE, (uint32_t)i);
    }
    if (m->graphs.n == 1)
        m->net[1] = m->net[0];
    return true;
}

static void build_sms(struct machine *m)
{
    const struct l1_spec *l1 = config_get(m->cfg, &l1_section);
    const struct router_spec *router = config_get(m->cfg, &router_section);
    const struct router_extension *x = router_extension_find(router->extension);
    uint32_t share = (uint32_t)l1->requests, stride = share + REQUESTS_APART;
    for (uint32_t i = 0; i < m->nsms; i++) {
        struct sm_options opt = {.path = arena_printf(m->arena, "sm[%u]", i),
                                 .cfg = m->cfg,
                                 .index = i,
                                 .pool = request_pool_part(&m->pool, i * stride, share),
                                 .local_base = LOCAL_BASE + ((uint64_t)i << LOCAL_SHIFT),
                                 .param_base = PARAM_BASE,
                                 .sharing = sharing_sm(m->sharing, i),
                                 .tells_warps = x && x->counts_warps};
        m->sm[i] = sm_new(m->arena, &opt);
        struct component *c = sm_component(m->sm[i]);
        struct port *start, *done;
        add(m, c, DOMAIN_SM, PHASE_MACHINE, NETWORK_LANES + m->clusters.of[i]);
        dispatch_connect(m->dispatch, m->arena, i, c, SM_SLOT_DISPATCH, &start, &done);
        sm_connect_dispatch(m->sm[i], start, done);
    }
}

static void build_cluster(struct machine *m, uint32_t i)
{
    const struct cluster_spec *spec = config_get(m->cfg, &cluster_section);
    uint32_t first = m->clusters.first[i], nsms = m->clusters.first[i + 1] - first;
    uint32_t node = m->graphs.nodes.cores[i];
    struct cluster_options opt = {.path = arena_printf(m->arena, "cluster[%u]", i),
                                  .spec = spec,
                                  .icc = config_get(m->cfg, &icc_section),
                                  .cfg = m->cfg,
                                  .locality = config_get(m->cfg, &locality_section),
                                  .index = i,
                                  .nsms = nsms,
                                  .first_sm = first,
                                  .pool = &m->pool,
                                  .map = &m->map,
                                  .node = node,
                                  .inject_vertex = noc_inject_vertex(m->net[0], node),
                                  .mem_nodes = m->graphs.nodes.mems,
                                  .flit_bytes = fabric_flit_bytes(m->cfg, m->graphs.graph[0]),
                                  .check = m->opt.check};
    m->cluster[i] = cluster_new(m->arena, &opt);
    struct component *c = cluster_component(m->cluster[i]);
    add(m, c, DOMAIN_SM, PHASE_MACHINE, NETWORK_LANES + i);
    uint32_t reply_class = m->graphs.n == 1;
    noc_set_writer(m->net[0], node, c, CLUSTER_SLOT_INJECT);
    noc_attach_reader(m->net[1], m->arena, node, (uint32_t)spec->response_fifo, c,
                      CLUSTER_SLOT_EJECT);
    cluster_connect_network(m->cluster[i], noc_inject_port(m->net[0], node, 0),
                            noc_eject_port(m->net[1], node, reply_class));
    for (uint32_t k = 0; k < nsms; k++) {
        struct sm *sm = m->sm[first + k];
        struct port *out, *in;
        cluster_connect_sm(m->cluster[i], m->arena, k, sm_component(sm), SM_SLOT_CLUSTER, &out,
                           &in);
        sm_connect_cluster(sm, out, in);
    }
}

static void build_slice(struct machine *m, uint32_t i)
{
    const struct l2_spec *spec = config_get(m->cfg, &l2_section);
    uint32_t node = m->graphs.nodes.mems[i], per = (uint32_t)spec->slices_per_channel;
    uint32_t reply_class = m->graphs.n == 1;
    struct slice_options opt = {.path = arena_printf(m->arena, "l2[%u]", i),
                                .spec = spec,
                                .cfg = m->cfg,
                                .pool = &m->pool,
                                .period = m->clocks.period[DOMAIN_L2],
                                .sm_period = m->clocks.period[DOMAIN_SM],
                                .sms = m->nsms,
                                .flit_bytes =
                                    fabric_flit_bytes(m->cfg, m->graphs.graph[m->graphs.n - 1]),
                                .map = &m->map,
                                .reply_class = (uint8_t)reply_class,
                                .reply_vertex = noc_inject_vertex(m->net[1], node),
                                .check = m->opt.check,
                                .sharing = sharing_slice(m->sharing, i),
                                .meetings = m->meetings[i],
                                .in_slot = 0,
                                .reply_slot = 1,
                                .memory_slot = 2};
    struct slice *s = m->slice[i] = slice_new(m->arena, &opt);
    struct component *c = slice_component(s);
    struct port *to, *from;
    add(m, c, DOMAIN_L2, PHASE_MACHINE, NETWORK_LANES + m->nclusters + i / per);
    noc_attach_reader(m->net[0], m->arena, node, (uint32_t)spec->input_queue, c, opt.in_slot);
    noc_set_writer(m->net[1], node, c, opt.reply_slot);
    slice_connect_network(s, noc_eject_port(m->net[0], node, 0),
                          noc_inject_port(m->net[1], node, reply_class));
    mc_connect(m->mc[i / per], m->arena, i % per,
               &(struct mc_slice){.c = c,
                                  .slot = opt.memory_slot,
                                  .table = slice_transfers(s),
                                  .ntransfers = slice_ntransfers(s),
                                  .to_depth = slice_memory_depth(spec),
                                  .from_depth = (uint32_t)spec->fill_queue},
               &to, &from);
    slice_connect_memory(s, to, from);
}

static void build_memory(struct machine *m)
{
    const struct l2_spec *l2 = config_get(m->cfg, &l2_section);
    for (uint32_t i = 0; i < m->nchannels; i++) {
        struct mc_options opt = {.path = arena_printf(m->arena, "mc[%u]", i),
                                 .cfg = m->cfg,
                                 .map = &m->map,
                                 .channel = i,
                                 .nslices = (uint32_t)l2->slices_per_channel,
                                 .sm_period = m->clocks.period[DOMAIN_SM],
                                 .period = m->clocks.period[DOMAIN_DRAM],
                                 .check = m->opt.check};
        m->mc[i] = mc_new(m->arena, &opt);
        add(m, mc_component(m->mc[i]), DOMAIN_DRAM, PHASE_MACHINE,
            NETWORK_LANES + m->nclusters + i);
        engine_keep_inside(m->engine, mc_component(m->mc[i])); /* it knows its slices alone */
    }
    for (uint32_t i = 0; i < m->nslices; i++)
        build_slice(m, i);
}

static void build_observers(struct machine *m)
{
    const struct l1_spec *l1 = config_get(m->cfg, &l1_section);
    const struct l2_spec *l2 = config_get(m->cfg, &l2_section);
    const struct sharing_shape shape = {.sms = m->nsms,
                                        .slices = l2->enabled && !l2->perfect ? m->nslices : 0,
                                        .l1_lines = (uint32_t)(l1->size / LINE_BYTES),
                                        .l2_lines = (uint32_t)(l2->size / LINE_BYTES)};
    m->sharing = sharing_new(m->arena, config_get(m->cfg, &sharing_section), &shape);
    m->meetings = ARENA_ARRAY(m->arena, struct meetings *, m->nslices);
    for (uint32_t i = 0; i < m->nslices; i++)
        m->meetings[i] = meetings_new(
            m->arena, &(struct meetings_options){.spec = config_get(m->cfg, &meetings_section),
                                                 .map = &m->map,
                                                 .path = arena_printf(m->arena, "l2[%u]", i),
                                                 .sms = m->nsms,
                                                 .network_period = m->clocks.period[DOMAIN_NOC]});
}

static void kernel_done(void *context)
{
    engine_request_stop(context);
}

static void build_dispatch(struct machine *m, const struct cta_policy *policy)
{
    const struct sm_spec *sm = config_get(m->cfg, &sm_section);
    struct dispatch_options opt = {
        .path = "dispatch",
        .cfg = m->cfg,
        .policy = policy,
        .clusters = &m->clusters,
        .rate = (uint32_t)m->gpu->cta_rate,
        .start_latency = (uint32_t)m->gpu->cta_latency,
        .limits = {.threads = (uint64_t)sm->threads,
                   .warps = (uint64_t)(sm->warps ? sm->warps : sm->threads / WARP_LANES),
                   .ctas = (uint64_t)sm->ctas,
                   .registers = (uint64_t)sm->registers,
                   .register_unit = (uint64_t)sm->register_unit,
                   .no_assembler = strcmp(sm->register_count, "liveness") == 0,
                   .registers_of = sm->registers_of,
                   .shared = (uint64_t)sm->shared},
        .cta_done = m->opt.cta_done,
        .context = m->opt.context,
        .kernel_done = kernel_done,
        .kernel_done_context = m->engine,
        .sharing = m->sharing};
    if (policy->section) /* it will be read when a kernel begins, so it has an effect */
        (void)config_get(m->cfg, policy->section);
    m->dispatch = dispatch_new(m->arena, &opt);
    add(m, dispatch_component(m->dispatch), DOMAIN_SM, PHASE_DISPATCH, 0);
}

static void count_programs(struct machine *m)
{
    for (uint32_t i = 0; i < m->nsms; i++)
        sm_count_programs(m->sm[i], m->arena);
    for (uint32_t i = 0; i < m->nclusters; i++)
        cluster_count_programs(m->cluster[i], m->arena);
    for (uint32_t i = 0; i < m->nslices; i++)
        slice_count_programs(m->slice[i], m->arena);
    for (uint32_t i = 0; i < m->nchannels; i++)
        mc_count_programs(m->mc[i], m->arena);
}

static void add_program_stats(struct machine *m, uint32_t p)
{
    const char *sm = arena_printf(m->arena, "program%u.sm", p);
    const char *l1 = arena_printf(m->arena, "program%u.l1", p);
    const char *noc = arena_printf(m->arena, "program%u.noc", p);
    const char *l2 = arena_printf(m->arena, "program%u.l2", p);
    const char *dram = arena_printf(m->arena, "program%u.dram", p);
    for (uint32_t i = 0; i < m->nsms; i++)
        sm_add_program_stats(m->sm[i], m->stats, p, sm, l1);
    for (uint32_t i = 0; i < m->nclusters; i++)
        cluster_add_program_stats(m->cluster[i], m->stats, p, noc);
    for (uint32_t i = 0; i < m->nslices; i++)
        slice_add_program_stats(m->slice[i], m->stats, p, l2);
    for (uint32_t i = 0; i < m->nchannels; i++)
        mc_add_program_stats(m->mc[i], m->stats, p, dram);
}

static void add_stats(struct machine *m)
{
    m->stats = stats_new(m->arena);
    stats_set_details(m->stats, m->opt.details);
    for (uint32_t i = 0; i < m->nsms; i++)
        sm_add_stats(m->sm[i], m->stats);
    for (uint32_t i = 0; i < m->nclusters; i++)
        cluster_add_stats(m->cluster[i], m->stats);
    for (int i = 0; i < m->graphs.n; i++)
        noc_add_stats(m->net[i], m->stats);
    for (uint32_t i = 0; i < m->nslices; i++)
        slice_add_stats(m->slice[i], m->stats);
    for (uint32_t i = 0; i < m->nchannels; i++)
        mc_add_stats(m->mc[i], m->stats);
    for (uint32_t p = 0; m->opt.nprograms > 1 && p < m->opt.nprograms; p++)
        add_program_stats(m, p);
    stats_set_observed(m->stats);
    for (uint32_t i = 0; i < m->nsms; i++)
        sm_add_observed(m->sm[i], m->stats);
    if (m->sharing)
        sharing_add_stats(m->sharing, m->stats);
    for (uint32_t i = 0; i < m->nslices && m->meetings[i]; i++)
        meetings_add_stats(m->meetings[i], m->stats);
}

static bool make_pool(struct machine *m, struct err *e)
{
    const struct l1_spec *l1 = config_get(m->cfg, &l1_section);
    uint64_t n = (uint64_t)m->nsms * ((uint64_t)l1->requests + REQUESTS_APART);
    if (n >= 1u << 24)
        return config_blame(m->cfg, e, &l1_section, "requests", "%llu requests, at most 2^24",
                            (unsigned long long)n);
    request_pool_init(&m->pool, m->arena, (uint32_t)n);
    return true;
}

bool wire_machine(struct machine *m, struct err *e)
{
    const struct sim_spec *sim = config_get(m->cfg, &sim_section);
    const struct cta_policy *policy;
    struct engine_options eo = {.no_skip = m->opt.no_skip,
                                .reversed = m->opt.reversed,
                                .threads = m->opt.threads,
                                .only_idle = m->opt.only_idle,
                                .idle_stays = true};
    if (!find_policy(m, &policy, e) || !plan(m, e) || !programs_deal(m, e) || !make_pool(m, e))
        return false;
    eo.watchdog = (uint64_t)sim->watchdog * m->clocks.period[DOMAIN_SM];
    eo.audit = m->opt.check ? AUDIT_PERIOD * m->clocks.period[DOMAIN_SM] : 0;
    m->engine = engine_new(m->arena, eo);
    m->sm = ARENA_ARRAY(m->arena, struct sm *, m->nsms);
    m->cluster = ARENA_ARRAY(m->arena, struct cluster *, m->nclusters);
    m->slice = ARENA_ARRAY(m->arena, struct slice *, m->nslices);
    m->mc = ARENA_ARRAY(m->arena, struct mc *, m->nchannels);
    build_observers(m);
    build_dispatch(m, policy);
    build_sms(m);
    if (!build_networks(m, e))
        return false;
    for (uint32_t i = 0; i < m->nclusters; i++)
        build_cluster(m, i);
    build_memory(m);
    if (m->opt.nprograms > 0)
        count_programs(m);
    add_stats(m);
    return true;
}
