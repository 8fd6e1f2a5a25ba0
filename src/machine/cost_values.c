/* cost_values.c - see cost_values.h. */
#include "machine/cost_values.h"

#include <math.h>
#include <string.h>

#include "fabric/netways.h"
#include "noc/count.h"

enum { MOST = 512 };

#define MM2 1e6

struct list {
    struct arena *arena;
    struct cost_values *values;
};

/* Of one part of a name, which ends at `end`; NULL: it has none. */
static const char *unit_of_part(const char *end, const char *name)
{
    static const struct {
        const char *part, *unit;
    } units[] = {{"area", "mm2"},
                 {"wire_area", "mm2"},
                 {"photonic_area", "mm2"},
                 {"power", "W"},
                 {"leak", "W"},
                 {"idle", "W"},
                 {"flit", "J"},
                 {"bytes", "byte"},
                 {"clock", "Hz"},
                 {"flit_bytes", "byte"},
                 {"max_clock", "Hz"},
                 {"links", "link"},
                 {"routers", "router"},
                 {"vc_buffers", "buffer"},
                 {"bisection", "byte/cycle"},
                 {"bisection_one_way", "byte/cycle"}};
    const char *begin = end;
    while (begin > name && begin[-1] != '.')
        begin--;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strncmp(begin, units[i].part, (size_t)(end - begin)) == 0 &&
            !units[i].part[end - begin])
            return units[i].unit;
    return NULL;
}

/* Parts of a sum ("cost.noc.area.clock") have its unit. */
const char *cost_value_unit(const char *name)
{
    const char *dot = strrchr(name, '.'), *unit = dot ? unit_of_part(dot, name) : NULL;
    unit = unit ? unit : unit_of_part(name + strlen(name), name);
    return unit ? unit : "";
}

static void add(const struct list *l, const char *name, double value)
{
    HD_ASSERT(l->values->n < MOST, "more than %d values", MOST);
    l->values->all[l->values->n++] = (struct cost_value){name, cost_value_unit(name), value};
}

/* A sum under its name, and its parts under theirs. */
static double add_parts(const struct list *l, const char *name, const double part[NETCOST_PARTS],
                        double scale)
{
    for (int i = 0; i < NETCOST_PARTS; i++)
        add(l, arena_printf(l->arena, "%s.%s", name, netcost_part_names[i]), part[i] * scale);
    add(l, name, netcost_sum(part) * scale);
    return netcost_sum(part) * scale;
}

/* ---- networks ---- */

struct networks { /* together */
    double area[NETCOST_PARTS], power[NETCOST_PARTS], leak[NETCOST_PARTS], idle[NETCOST_PARTS];
    double wire_area, photonic_area, max_clock;
    bool links_met;
};

static void sum_network(struct networks *all, const struct cost_network *n, double clock)
{
    double idle[NETCOST_PARTS];
    netcost_power(&n->cost, clock, 0, idle);
    for (int i = 0; i < NETCOST_PARTS; i++) {
        all->area[i] += n->cost.area[i];
        all->power[i] += n->power[i];
        all->leak[i] += n->cost.leak[i];
        all->idle[i] += idle[i];
    }
    all->wire_area += n->cost.wire_area;
    all->photonic_area += n->cost.photonic_area;
    all->max_clock = fmin(all->max_clock, n->cost.max_clock);
    all->links_met &= n->cost.links_met;
}

static void add_counts(const struct list *l, const struct config *cfg, const struct fabric *f)
{
    const struct router_spec *r = config_get(cfg, &router_section);
    struct count n = {0};
    for (int i = 0; i < f->n; i++)
        count_add(&n, f->graph[i], (uint32_t)r->vcs);
    add(l, "cost.noc.routers", (double)n.routers);
    add(l, "cost.noc.vc_buffers", (double)n.buffers);
    add(l, "cost.noc.links", (double)n.links);
}

/* Where one network carries both, a request's ways are a reply's. */
static void add_ways(const struct list *l, const struct cost *c, const struct fabric *f)
{
    static const char *const names[] = {"cost.request.flit", "cost.reply.flit"};
    for (int i = 0; i < 2; i++) {
        int net = i < f->n ? i : 0;
        double joules[NETCOST_PARTS];
        netways(&c->network[net].cost, f->graph[net], l->arena, joules);
        add_parts(l, names[i], joules, 1);
    }
}

/* Where one network carries both, both names are of it. */
static void add_bisections(const struct list *l, const struct cost *c)
{
    static const char *const names[] = {"cost.request", "cost.reply"};
    for (int i = 0; i < 2; i++) {
        const struct bisection *b = &c->network[i < c->nnetworks ? i : 0].bisection;
        add(l, arena_printf(l->arena, "%s.bisection", names[i]), (double)bisection_bytes(b));
        add(l, arena_printf(l->arena, "%s.bisection_one_way", names[i]),
            (double)bisection_one_way(b));
    }
}

static void add_networks(const struct list *l, const struct config *cfg, const struct cost *c,
                         double *area, double *power)
{
    const struct noc_spec *noc = config_get(cfg, &noc_section);
    struct networks all = {.max_clock = INFINITY, .links_met = true};
    for (int i = 0; i < c->nnetworks; i++)
        sum_network(&all, &c->network[i], noc->clock);
    *area += add_parts(l, "cost.noc.area", all.area, MM2);
    *power += add_parts(l, "cost.noc.power", all.power, 1);
    add_parts(l, "cost.noc.leak", all.leak, 1);
    add_parts(l, "cost.noc.idle", all.idle, 1);
    add(l, "cost.noc.wire_area", all.wire_area * MM2);
    add(l, "cost.noc.photonic_area", all.photonic_area * MM2);
    add(l, "cost.noc.max_clock", isfinite(all.max_clock) ? all.max_clock : (double)NAN);
    add(l, "cost.noc.links_met", all.links_met);
    add(l, "cost.noc.clock", noc->clock);
    add(l, "cost.noc.flit_bytes", (double)noc->width);
    add_bisections(l, c);
}

/* ---- memories ---- */

static void add_memory(const struct list *l, const struct cost_row *r, double *area, double *power)
{
    double units = (double)r->units, mm2 = r->is_array ? r->array.area * units * MM2 : 0;
    double leak = r->is_array ? r->array.leak * units : 0;
    add(l, arena_printf(l->arena, "cost.%s.units", r->name), units);
    add(l, arena_printf(l->arena, "cost.%s.bytes", r->name), (double)r->bytes * units);
    *area += mm2;
    *power += leak;
    if (!r->is_array)
        return;
    add(l, arena_printf(l->arena, "cost.%s.area", r->name), mm2);
    add(l, arena_printf(l->arena, "cost.%s.leak", r->name), leak);
}

static bool list_all(const struct list *l, const struct config *cfg, const struct cost *c,
                     struct err *e)
{
    struct fabric f;
    double area = 0, power = 0;
    *l->values = (struct cost_values){.all = ARENA_ARRAY(l->arena, struct cost_value, MOST)};
    if (!fabric_of(cfg, l->arena, &f, e))
        return false;
    add_networks(l, cfg, c, &area, &power);
    add_counts(l, cfg, &f);
    add_ways(l, c, &f);
    for (int i = 0; i < c->nrows; i++)
        add_memory(l, &c->row[i], &area, &power);
    add(l, "cost.area", area);
    add(l, "cost.power", power);
    add(l, "cost.bytes", (double)c->total);
    return true;
}

bool cost_values_of(const struct config *cfg, struct arena *a, struct cost_values *v, struct err *e)
{
    struct cost c;
    return cost_of(cfg, a, &c, e) && list_all(&(struct list){a, v}, cfg, &c, e);
}

bool cost_values_of_network(const struct config *cfg, struct arena *a, struct cost_values *v,
                            struct err *e)
{
    struct cost c;
    return cost_of_network(cfg, a, &c, e) && list_all(&(struct list){a, v}, cfg, &c, e);
}
