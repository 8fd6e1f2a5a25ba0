/* energy_network.c - networks in the structural bill: flits of each kind of router and link at what
 * the models of src/power say one costs; clocks and leakage by time.
 *
 * A flit that leaves a router was written into a buffer, read, arbitrated for and switched there.
 * Packets are not counted by kind of router: of the flits of a kind, as many begin a packet as in
 * the whole network.  Not modelled: credits, and what network interfaces do. */
#include "machine/energy_network.h"

#include "fabric/netcost.h"

#define SOURCE_ROUTER "power/router (checked against DSENT)"
#define SOURCE_LINK "power/link (checked against DSENT)"
#define SOURCE_LIGHT "power/photonic (checked against DSENT)"

struct packets {
    const char *flits, *packets_in, *flits_in;
};

static double count_packets(const struct results_view *v, const void *context)
{
    const struct packets *p = context;
    double all = results_get(v, p->flits_in), begun = results_get(v, p->packets_in);
    return all > 0 ? results_get(v, p->flits) * begun / all : 0 * all;
}

struct network {
    struct energy_builder *b;
    const char *path; /* "noc.request" */
};

static void add_flits(const struct network *n, const char *kind, enum energy_network use,
                      double each, const char *source)
{
    static const char *const names[ENERGY_NETWORKS] = {[ENERGY_BUFFER] = "buffer",
                                                       [ENERGY_CROSSBAR] = "crossbar",
                                                       [ENERGY_CONTROL] = "switch_allocator"};
    bool is_link = use == ENERGY_LINK;
    struct arena *a = n->b->arena;
    energy_add(n->b, &(struct energy_item){
                         .name = is_link ? arena_printf(a, "%s.%s", n->path, kind)
                                         : arena_printf(a, "%s.%s.%s", n->path, kind, names[use]),
                         .part = ENERGY_NOC,
                         .network = use,
                         .unit = "flit",
                         .counts = arena_printf(a, "%s.%s.flits", n->path, kind),
                         .source = source,
                         .each = each});
}

static void add_packets(const struct network *n, const char *kind, double each)
{
    struct arena *a = n->b->arena;
    struct packets *p = ARENA_NEW(a, struct packets);
    *p = (struct packets){.flits = arena_printf(a, "%s.%s.flits", n->path, kind),
                          .packets_in = arena_printf(a, "%s.packets_in", n->path),
                          .flits_in = arena_printf(a, "%s.flits_in", n->path)};
    energy_add_counted(
        n->b, &(struct energy_item){
                  .name = arena_printf(a, "%s.%s.vc_allocator", n->path, kind),
                  .part = ENERGY_NOC,
                  .network = ENERGY_CONTROL,
                  .unit = "packet",
                  .counts = arena_printf(a, "%s x %s / %s", p->flits, p->packets_in, p->flits_in),
                  .source = SOURCE_ROUTER,
                  .each = each,
                  .count = count_packets,
                  .context = p});
}

static void add_power(const struct network *n, const char *what, enum energy_network use,
                      double watts)
{
    energy_add(
        n->b, &(struct energy_item){.name = arena_printf(n->b->arena, "%s.%s", n->path, what),
                                    .part = ENERGY_NOC,
                                    .network = use,
                                    .unit = "s",
                                    .counts = "seconds",
                                    .source = "power/router and power/link (checked against DSENT)",
                                    .each = watts,
                                    .is_static = true});
}

static void add_router(const struct network *n, const struct netcost_router *r)
{
    const struct power_router *c = &r->cost;
    add_flits(n, r->kind->name, ENERGY_BUFFER, c->buffer_write + c->buffer_read, SOURCE_ROUTER);
    add_flits(n, r->kind->name, ENERGY_CROSSBAR, c->crossbar, SOURCE_ROUTER);
    add_flits(n, r->kind->name, ENERGY_CONTROL, c->switch_1 + c->switch_2, SOURCE_ROUTER);
    if (c->vc_alloc > 0)
        add_packets(n, r->kind->name, c->vc_alloc);
}

/* Lasers and heaters of rings are no leakage of the chip, and are paid for in any case. */
static void add_leakage(const struct network *n, const struct netcost *c)
{
    double light = 0;
    for (uint32_t i = 0; i < c->kinds->nlinks; i++)
        if (c->link[i].kind->medium == MEDIUM_OPTICAL)
            light += (double)c->link[i].kind->n * c->link[i].cost.leak;
    if (!n->b->is_leakage_measured) {
        add_power(n, "buffer_leakage", ENERGY_BUFFER, c->leak[NETCOST_BUFFER]);
        add_power(n, "crossbar_leakage", ENERGY_CROSSBAR, c->leak[NETCOST_CROSSBAR]);
        add_power(n, "link_leakage", ENERGY_LINK, c->leak[NETCOST_LINK] - light);
    }
    if (light > 0)
        add_power(n, "laser_and_tuning", ENERGY_LINK, light);
    if (!n->b->is_leakage_measured)
        add_power(n, "control_leakage", ENERGY_CONTROL,
                  c->leak[NETCOST_ALLOCATOR] + c->leak[NETCOST_CLOCK]);
}

static bool add_network(const struct network *n, const struct graph *g, struct err *e)
{
    const struct noc_spec *noc = config_get(n->b->cfg, &noc_section);
    struct netcost c;
    if (!netcost_of(n->b->cfg, g, n->path, n->b->arena, &c, e))
        return false;
    for (uint32_t i = 0; i < c.kinds->nrouters; i++)
        add_router(n, &c.router[i]);
    for (uint32_t i = 0; i < c.kinds->nlinks; i++)
        add_flits(n, c.link[i].kind->name, ENERGY_LINK, c.link[i].cost.energy,
                  c.link[i].kind->medium == MEDIUM_OPTICAL ? SOURCE_LIGHT : SOURCE_LINK);
    add_power(n, "clock", ENERGY_CONTROL, c.clock_cycle * noc->clock);
    add_power(n, "link_registers", ENERGY_LINK, c.link_clock * noc->clock);
    add_leakage(n, &c);
    return true;
}

bool energy_network_add(struct energy_builder *b, struct err *e)
{
    for (int i = 0; i < b->graphs->n; i++) {
        struct network n = {b, b->graphs->name[i]};
        if (!b->graphs->graph[i]->ideal_latency && !add_network(&n, b->graphs->graph[i], e))
            return false;
    }
    return true;
}
