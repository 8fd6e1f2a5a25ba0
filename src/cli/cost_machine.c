/* cost_machine.c - heddle cost -m and -n: storage, networks by part and kind, arrays. */
#include <inttypes.h>
#include <math.h>

#include "cli/cli.h"
#include "cli/cost_options.h"
#include "cli/table.h"
#include "libheddle_gpu.h"
#include "machine/machine.h"
#include "report/cost_json.h"

enum { BAR = 24 };

/* ---- for people ---- */

static void print_storage(const struct cost *c, struct arena *a)
{
    static const char *const heads[] = {"<storage", "units", "bytes each", "bytes", "", "<made of"};
    struct table *t = table_new(a, heads, 6);
    for (int i = 0; i < c->nrows; i++) {
        const struct cost_row *r = &c->row[i];
        if (r->units == 0)
            continue;
        table_cell(t, "%s", r->name);
        table_cell(t, "%" PRIu64, r->units);
        table_cell(t, "%" PRIu64, r->bytes);
        table_cell(t, "%" PRIu64, r->units * r->bytes);
        table_cell(t, "%s", table_bytes(a, (double)(r->units * r->bytes)));
        table_cell(t, "%s", r->made_of);
    }
    table_cell(t, "total");
    table_cell(t, "%s", "");
    table_cell(t, "%s", "");
    table_cell(t, "%" PRIu64, c->total);
    table_cell(t, "%s", table_bytes(a, (double)c->total));
    table_cell(t, "all of the above");
    table_print(t, stdout);
}

static void print_arrays(const struct cost *c, struct arena *a)
{
    static const char *const heads[] = {"<memory", "units", "mm2 each", "mm2",  "leak W", "access",
                                        "read pJ", "write", "search",   "miss", "ns"};
    struct table *t = table_new(a, heads, 11);
    double area = 0, leak = 0;
    for (int i = 0; i < c->nrows; i++) {
        const struct cost_row *r = &c->row[i];
        if (!r->is_array)
            continue;
        bool has_tags = r->spec.kind != ARRAY_RAM;
        area += r->array.area * (double)r->units;
        leak += r->array.leak * (double)r->units;
        table_cell(t, "%s", r->name);
        table_cell(t, "%" PRIu64, r->units);
        table_cell(t, "%.3g", r->array.area * COST_MM2);
        table_cell(t, "%.3g", r->array.area * COST_MM2 * (double)r->units);
        table_cell(t, "%.3g", r->array.leak * (double)r->units);
        table_cell(t, "%" PRIu32 " bit", r->spec.port_bits);
        table_cell(t, "%.3g", r->array.read * COST_PJ);
        table_cell(t, "%.3g", r->array.write * COST_PJ);
        table_cell(t, has_tags ? "%.3g" : "-", r->array.search * COST_PJ);
        table_cell(t, has_tags ? "%.3g" : "-", r->array.match * COST_PJ);
        table_cell(t, "%.2f", r->array.access * COST_NS);
    }
    if (area <= 0)
        return;
    table_cell(t, "total");
    table_cell(t, "%s", "");
    table_cell(t, "%s", "");
    table_cell(t, "%.3g", area * COST_MM2);
    table_cell(t, "%.3g", leak);
    for (int i = 5; i < 11; i++)
        table_cell(t, "%s", i == 10 ? "-" : "");
    putchar('\n');
    table_print(t, stdout);
}

static void print_parts(const struct cost_network *n, struct arena *a)
{
    static const char *const heads[] = {"<part", "mm2", "leak W", "dynamic W", "W", "<share of W"};
    const struct netcost *c = &n->cost;
    struct table *t = table_new(a, heads, 6);
    double all = netcost_sum(n->power);
    for (int i = 0; i <= NETCOST_PARTS; i++) {
        bool is_total = i == NETCOST_PARTS;
        double area = is_total ? netcost_sum(c->area) : c->area[i];
        double leak = is_total ? netcost_sum(c->leak) : c->leak[i];
        double power = is_total ? all : n->power[i];
        table_cell(t, "%s", is_total ? "total" : netcost_part_names[i]);
        table_cell(t, "%.4f", area * COST_MM2);
        table_cell(t, "%.4f", leak);
        table_cell(t, "%.4f", power - leak);
        table_cell(t, "%.4f", power);
        table_cell(t, "%3.0f %% |%s", all > 0 ? 100 * power / all : 0,
                   cost_bar(a, is_total ? 0 : power, all, BAR));
    }
    table_print(t, stdout);
}

static void print_router(struct table *t, const struct netcost_router *r, double clock)
{
    const struct power_router *p = &r->cost;
    table_cell(t, "%s", r->kind->name);
    table_cell(t, "%" PRIu64, r->kind->n);
    table_cell(t, "%.5f", power_router_area(p) * COST_MM2);
    table_cell(t, "%.3f", power_router_leak(p) * COST_MW);
    table_cell(t, "%.2f", power_router_flit(p) * COST_PJ);
    table_cell(t, "%.2f", p->clock_cycle * COST_PJ);
    table_cell(t, "%.2f GHz%s", p->max_clock * COST_GHZ, p->max_clock < clock ? ": too slow" : "");
}

static void print_link(struct table *t, const struct netcost_link *l)
{
    const struct power_link *p = &l->cost;
    table_cell(t, "%s", l->kind->name);
    table_cell(t, "%" PRIu64, l->kind->n);
    table_cell(t, "%.5f", p->area * COST_MM2);
    table_cell(t, "%.3f", p->leak * COST_MW);
    table_cell(t, "%.2f", p->energy * COST_PJ);
    table_cell(t, "%.2f", p->clock_cycle * COST_PJ);
    table_cell(t, "%.0f ps%s", p->delay * 1e12, p->is_met ? "" : ": too slow");
}

static void print_kinds(const struct netcost *c, double clock, struct arena *a)
{
    static const char *const heads[] = {"<kind",       "count",    "mm2 each", "leak mW",
                                        "pJ per flit", "pJ/cycle", "<limit"};
    struct table *t = table_new(a, heads, 7);
    for (uint32_t i = 0; i < c->kinds->nrouters; i++)
        print_router(t, &c->router[i], clock);
    for (uint32_t i = 0; i < c->kinds->nlinks; i++)
        print_link(t, &c->link[i]);
    putchar('\n');
    table_print(t, stdout);
}

static void print_network(const struct cost_document *p, const struct cost_network *n,
                          struct arena *a)
{
    double clock = p->noc->clock;
    printf("\n%s: %s nm, %.3g GHz, %g flits per cycle at every port\n", n->name, p->power->node,
           clock * COST_GHZ, p->power->load);
    print_parts(n, a);
    printf("global wires %.3f mm2", n->cost.wire_area * COST_MM2);
    if (n->cost.photonic_area > 0)
        printf("; waveguides and rings %.3f mm2", n->cost.photonic_area * COST_MM2);
    if (isfinite(n->cost.max_clock))
        printf("; clock up to %.2f GHz%s", n->cost.max_clock * COST_GHZ,
               n->cost.max_clock < clock ? ", which is too slow" : "");
    printf("%s\n", n->cost.links_met ? "" : "; links miss their time");
    if (bisection_bytes(&n->bisection) > 0)
        printf("bisection %s\n", bisection_text(&n->bisection, a));
    if (n->cost.kinds->nrouters || n->cost.kinds->nlinks)
        print_kinds(&n->cost, clock, a);
}

/* mm2 or W of everything. */
static double sum_of(const struct cost *c, bool is_area)
{
    double sum = 0;
    for (int i = 0; i < c->nnetworks; i++)
        sum += netcost_sum(is_area ? c->network[i].cost.area : c->network[i].power);
    for (int i = 0; i < c->nrows; i++)
        if (c->row[i].is_array)
            sum +=
                (is_area ? c->row[i].array.area : c->row[i].array.leak) * (double)c->row[i].units;
    return is_area ? sum * COST_MM2 : sum;
}

static void print(const struct cost_document *p, struct arena *a)
{
    printf("%s\n\n", p->name);
    print_storage(&p->cost, a);
    for (int i = 0; i < p->cost.nnetworks; i++)
        print_network(p, &p->cost.network[i], a);
    print_arrays(&p->cost, a);
    printf("\nin all %.4g mm2 of silicon, %.4g W (networks under load, memories idle)\n",
           sum_of(&p->cost, true), sum_of(&p->cost, false));
}

/* ---- for programs ---- */

static bool write_json(const char *path, const struct cost_document *p, struct err *e)
{
    struct outfile out;
    struct json j;
    if (!outfile_open_json(&out, &j, path, e))
        return false;
    cost_json(p, &j);
    return outfile_commit_json(&out, &j, e);
}

/* ---- both ---- */

static bool show(const struct cost_options *o, const struct cost_document *p, struct arena *a,
                 struct err *e)
{
    if (!cost_tell_effect(o, e) || (o->json && !write_json(o->json, p, e)))
        return false;
    if (!cost_is_quiet(o))
        print(p, a);
    return true;
}

static bool load(const struct cost_options *o, const char *path, struct config *c,
                 struct cost_document *p, struct err *e)
{
    p->noc = config_get(c, &noc_section);
    p->power = config_get(c, &power_section);
    return path && config_load(c, path, e) && cost_apply_sets(o, c, e);
}

bool cost_machine(const struct cost_options *o, struct arena *a, struct err *e)
{
    struct cost_document p = {.name = o->subject[COST_MACHINE], .what = "machine"};
    struct config *c = machine_config(a);
    if (!load(o, data_machine(a, p.name, e), c, &p, e))
        return false;
    machine_fit(c);
    return cost_of(c, a, &p.cost, e) && show(o, &p, a, e);
}

bool cost_network(const struct cost_options *o, struct arena *a, struct err *e)
{
    struct cost_document p = {.name = o->subject[COST_NETWORK], .what = "network"};
    struct config *c = libheddle_any_config(a);
    return load(o, data_network(a, p.name, e), c, &p, e) && cost_of_network(c, a, &p.cost, e) &&
           show(o, &p, a, e);
}
