/* netcost.c - a network's bill of materials, priced by the models of src/power.
 *
 * Every kind of router and link is priced once, by its medium; a network is the sum over its kinds.
 * A bus of wires costs what one link of its length does.  Routers that coalesce packets have the
 * switch, and the clock, of routers with as many inputs more as there are side ports; their tables
 * and the buffers of those ports are machine/cost.c's.  Not modelled: credit wires, arbiters of buses,
 * network interfaces, the tables of table-driven routing. */
#include "fabric/netcost.h"

#include <math.h>
#include <stdlib.h>

#include "noc/coalesce.h"
#include "noc/net.h"
#include "power/photonic.h"

CFG_SECTION_WHEN(power, POWER_ROWS, "process node and assumptions of area, power and energy",
                 {"link_cycles|vc_allocator", "noc.topology!=ideal"},
                 {"vc_allocator", "router.vcs!=1"})

const char *const netcost_part_names[NETCOST_PARTS] = {
    [NETCOST_BUFFER] = "buffer", [NETCOST_CROSSBAR] = "crossbar", [NETCOST_ALLOCATOR] = "allocator",
    [NETCOST_CLOCK] = "clock",   [NETCOST_LINK] = "link",
};

static const enum netcost_part part_of[ROUTER_PARTS] = {
    [ROUTER_BUFFER] = NETCOST_BUFFER,
    [ROUTER_CROSSBAR] = NETCOST_CROSSBAR,
    [ROUTER_SWITCH_ALLOCATOR] = NETCOST_ALLOCATOR,
    [ROUTER_VC_ALLOCATOR] = NETCOST_ALLOCATOR,
    [ROUTER_CLOCK] = NETCOST_CLOCK,
};

static uint32_t node_of(const struct config *cfg)
{
    const struct power_spec *p = config_get(cfg, &power_section);
    return (uint32_t)strtoul(p->node, NULL, 10);
}

/* Without buffers there is nothing to arbitrate either: who sends when was settled by tokens. */
static void drop_buffers(struct power_router *c)
{
    static const enum router_part gone[] = {ROUTER_BUFFER, ROUTER_SWITCH_ALLOCATOR,
                                            ROUTER_VC_ALLOCATOR};
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
        c->area[gone[i]] = c->leak[gone[i]] = 0;
    c->buffer_write = c->buffer_read = c->switch_1 = c->switch_2 = c->vc_alloc = 0;
}

/* Buffers at the end of ways are no input buffers: they count with what controls the network. */
static void move_buffers(struct power_router *c)
{
    c->area[ROUTER_SWITCH_ALLOCATOR] += c->area[ROUTER_BUFFER];
    c->leak[ROUTER_SWITCH_ALLOCATOR] += c->leak[ROUTER_BUFFER];
    c->switch_1 += c->buffer_write + c->buffer_read;
    c->area[ROUTER_BUFFER] = c->leak[ROUTER_BUFFER] = c->buffer_write = c->buffer_read = 0;
}

/* All but the input buffers is that of a router with `sides` inputs more. */
static bool widen_switch(struct power_router_spec s, uint32_t sides, struct power_router *c,
                         struct err *e)
{
    struct power_router plain = *c;
    s.in += sides;
    if (!power_router(&s, c, e))
        return false;
    c->area[ROUTER_BUFFER] = plain.area[ROUTER_BUFFER];
    c->leak[ROUTER_BUFFER] = plain.leak[ROUTER_BUFFER];
    return true;
}

static bool price_router(const struct config *cfg, const struct graph *g, const char *path,
                         struct netcost_router *r, struct err *e)
{
    const struct power_spec *p = config_get(cfg, &power_section);
    const struct noc_spec *noc = config_get(cfg, &noc_section);
    const struct router_spec *router = config_get(cfg, &router_section);
    struct power_router_spec s = {.node = node_of(cfg),
                                  .in = r->kind->in,
                                  .out = r->kind->out,
                                  .bits = fabric_flit_bytes(cfg, g) * 8,
                                  .vcs = (uint32_t)router->vcs,
                                  .depth = (uint32_t)router->depth,
                                  .clock = noc->clock,
                                  .vc_allocator = p->vc_allocator};
    if (r->kind->store != STORE_BUFFERS) {
        s.vcs = 1;
        s.depth = r->kind->store == STORE_AT_END ? g->tokens->slots : 1;
        s.vc_allocator = false;
    }
    if (!power_router(&s, &r->cost, e))
        return false;
    if (r->kind->store == STORE_BUFFERS && coalesce_is_on(cfg, path))
        return widen_switch(s, coalesce_sides(cfg, s.in), &r->cost, e);
    if (r->kind->store == STORE_NOTHING)
        drop_buffers(&r->cost);
    if (r->kind->store == STORE_AT_END)
        move_buffers(&r->cost);
    return true;
}

/* An optical channel: devices of section photonic.  What it takes whether anything is sent or not is
 * with its leakage. */
static bool price_light(const struct config *cfg, const struct graph *g, struct netcost_link *l,
                        struct err *e)
{
    const struct noc_spec *noc = config_get(cfg, &noc_section);
    struct power_photonic_spec s = {.node = node_of(cfg),
                                    .bits = fabric_flit_bytes(cfg, g) * 8,
                                    .clock = noc->clock,
                                    .length = l->kind->length_mm * 1e-3,
                                    .writers = l->kind->writers,
                                    .readers = 1,
                                    .params = config_get(cfg, &photonic_section)};
    struct photonic_spec own = *s.params;
    const struct graph_ring *ring = l->kind->ring;
    double flits = 1; /* per cycle at most */
    if (ring) {       /* as wide, and its wavelengths as fast, as the topology says */
        flits = (double)ring->bits / ring->flit_bits;
        own.rate = ring->bits_per_wavelength * noc->clock;
        s.bits = ring->bits;
        s.params = &own;
    }
    struct power_photonic p;
    if (!power_photonic(&s, &p, e))
        return false;
    l->cost = (struct power_link){.energy = p.energy / flits,
                                  .leak = p.leak + p.tuning + p.laser,
                                  .area = p.area,
                                  .delay = l->kind->latency / noc->clock,
                                  .is_met = true};
    l->photonic_area = p.photonic_area;
    return true;
}

static bool price_link(const struct config *cfg, const struct graph *g, struct netcost_link *l,
                       struct err *e)
{
    const struct power_spec *p = config_get(cfg, &power_section);
    const struct noc_spec *noc = config_get(cfg, &noc_section);
    if (l->kind->medium == MEDIUM_OPTICAL)
        return price_light(cfg, g, l, e);
    uint32_t own = l->kind->latency ? l->kind->latency : 1; /* 0: in the cycle of its router */
    uint32_t cycles = p->link_cycles ? (uint32_t)p->link_cycles : own;
    struct power_link_spec s = {.node = node_of(cfg),
                                .bits = fabric_flit_bytes(cfg, g) * 8,
                                .length = l->kind->length_mm * 1e-3,
                                .delay = cycles / noc->clock,
                                .registers = cycles - 1};
    return power_link(&s, &l->cost, e);
}

static void add_router(struct netcost *c, const struct netcost_router *r)
{
    double n = (double)r->kind->n;
    for (int i = 0; i < ROUTER_PARTS; i++) {
        c->area[part_of[i]] += n * r->cost.area[i];
        c->leak[part_of[i]] += n * r->cost.leak[i];
    }
    c->clock_cycle += n * r->cost.clock_cycle;
    c->max_clock = fmin(c->max_clock, r->cost.max_clock);
}

static void add_link(struct netcost *c, const struct netcost_link *l)
{
    double n = (double)l->kind->n;
    c->area[NETCOST_LINK] += n * l->cost.area;
    c->leak[NETCOST_LINK] += n * l->cost.leak;
    c->wire_area += n * l->cost.wire_area;
    c->photonic_area += n * l->photonic_area;
    c->link_clock += n * l->cost.clock_cycle;
    c->links_met &= l->cost.is_met;
}

bool netcost_of(const struct config *cfg, const struct graph *g, const char *path, struct arena *a,
                struct netcost *c, struct err *e)
{
    const struct kinds *k = kinds_of(g, a);
    *c = (struct netcost){.kinds = k,
                          .router = ARENA_ARRAY(a, struct netcost_router, k->nrouters + 1),
                          .link = ARENA_ARRAY(a, struct netcost_link, k->nlinks + 1),
                          .max_clock = INFINITY,
                          .links_met = true};
    for (uint32_t i = 0; i < k->nrouters; i++) {
        c->router[i].kind = &k->router[i];
        if (!price_router(cfg, g, path, &c->router[i], e))
            return false;
        add_router(c, &c->router[i]);
    }
    for (uint32_t i = 0; i < k->nlinks; i++) {
        c->link[i].kind = &k->link[i];
        if (!price_link(cfg, g, &c->link[i], e))
            return false;
        add_link(c, &c->link[i]);
    }
    return true;
}

double netcost_sum(const double part[NETCOST_PARTS])
{
    double sum = 0;
    for (int i = 0; i < NETCOST_PARTS; i++)
        sum += part[i];
    return sum;
}

double netcost_flit(const struct netcost_router *r, double heads)
{
    return power_router_flit(&r->cost) + heads * r->cost.vc_alloc;
}

/* A packet is taken as one flit long: every flit asks for a VC, which is the most there can be. */
static void add_router_power(const struct netcost_router *r, double rate,
                             double power[NETCOST_PARTS])
{
    double flits = (double)r->kind->n * r->kind->in * rate;
    power[NETCOST_BUFFER] += flits * (r->cost.buffer_write + r->cost.buffer_read);
    power[NETCOST_CROSSBAR] += flits * r->cost.crossbar;
    power[NETCOST_ALLOCATOR] += flits * (r->cost.switch_1 + r->cost.switch_2 + r->cost.vc_alloc);
}

void netcost_power(const struct netcost *c, double clock, double load, double power[NETCOST_PARTS])
{
    double rate = clock * load;
    for (int i = 0; i < NETCOST_PARTS; i++)
        power[i] = c->leak[i];
    power[NETCOST_CLOCK] += c->clock_cycle * clock;
    power[NETCOST_LINK] += c->link_clock * clock;
    for (uint32_t i = 0; i < c->kinds->nrouters; i++)
        add_router_power(&c->router[i], rate, power);
    for (uint32_t i = 0; i < c->kinds->nlinks; i++)
        power[NETCOST_LINK] += (double)c->link[i].kind->n * rate * c->link[i].cost.energy;
}
