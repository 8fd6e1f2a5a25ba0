/* cost_json.c - see cost_json.h. */
#include "report/cost_json.h"

#include <math.h>
#include <stdlib.h>

void cost_json_number(struct json *j, const char *key, double v)
{
    json_key(j, key);
    json_real(j, v);
}

void cost_json_parts(struct json *j, const char *key, const double part[NETCOST_PARTS],
                     double scale)
{
    double sum = 0;
    json_key(j, key);
    json_open_object(j, true);
    for (int i = 0; i < NETCOST_PARTS; i++) {
        cost_json_number(j, netcost_part_names[i], part[i] * scale);
        sum += part[i] * scale;
    }
    cost_json_number(j, "total", sum);
    json_close_object(j);
}

/* Area or power of everything: parts of all networks, then arrays; the total is their sum. */
static void write_members(struct json *j, const char *key, const struct cost *c, bool is_area)
{
    double sum = 0;
    json_key(j, key);
    json_open_object(j, false);
    for (int k = 0; k < NETCOST_PARTS; k++) {
        char name[64];
        double v = 0;
        for (int i = 0; i < c->nnetworks; i++)
            v += is_area ? c->network[i].cost.area[k] * COST_MM2 : c->network[i].power[k];
        snprintf(name, sizeof name, "network.%s", netcost_part_names[k]);
        cost_json_number(j, name, v);
        sum += v;
    }
    for (int i = 0; i < c->nrows; i++) {
        const struct cost_row *r = &c->row[i];
        double each = is_area ? r->array.area * COST_MM2 : r->array.leak;
        if (!r->is_array)
            continue;
        cost_json_number(j, r->name, each * (double)r->units);
        sum += each * (double)r->units;
    }
    cost_json_number(j, "total", sum);
    json_close_object(j);
}

static void write_storage(struct json *j, const struct cost *c)
{
    json_key(j, "storage_bytes");
    json_open_object(j, false);
    for (int i = 0; i < c->nrows; i++) {
        json_key(j, c->row[i].name);
        json_uint(j, c->row[i].units * c->row[i].bytes);
    }
    json_key(j, "total");
    json_uint(j, c->total);
    json_close_object(j);
    json_key(j, "units");
    json_open_object(j, false);
    for (int i = 0; i < c->nrows; i++) {
        json_key(j, c->row[i].name);
        json_open_object(j, true);
        json_key(j, "units");
        json_uint(j, c->row[i].units);
        json_key(j, "bytes_each");
        json_uint(j, c->row[i].bytes);
        json_close_object(j);
    }
    json_close_object(j);
}

static void write_arrays(struct json *j, const struct cost *c)
{
    json_key(j, "arrays");
    json_open_object(j, false);
    for (int i = 0; i < c->nrows; i++) {
        const struct cost_row *r = &c->row[i];
        if (!r->is_array)
            continue;
        json_key(j, r->name);
        json_open_object(j, true);
        cost_json_number(j, "area_mm2_each", r->array.area * COST_MM2);
        cost_json_number(j, "leakage_w_each", r->array.leak);
        json_key(j, "port_bits");
        json_uint(j, r->spec.port_bits);
        cost_json_number(j, "read_pj", r->array.read * COST_PJ);
        cost_json_number(j, "write_pj", r->array.write * COST_PJ);
        cost_json_number(j, "search_pj", r->array.search * COST_PJ);
        cost_json_number(j, "miss_pj", r->array.match * COST_PJ);
        cost_json_number(j, "access_ns", r->array.access * COST_NS);
        json_close_object(j);
    }
    json_close_object(j);
}

static void write_kind(struct json *j, const char *name, uint64_t n, double area, double leak)
{
    json_open_object(j, true);
    json_key(j, "name");
    json_string(j, name);
    json_key(j, "count");
    json_uint(j, n);
    cost_json_number(j, "area_mm2_each", area * COST_MM2);
    cost_json_number(j, "leakage_w_each", leak);
}

static void write_kinds(struct json *j, const struct netcost *c)
{
    json_key(j, "kinds");
    json_open_array(j, false);
    for (uint32_t i = 0; i < c->kinds->nrouters; i++) {
        const struct netcost_router *r = &c->router[i];
        write_kind(j, r->kind->name, r->kind->n, power_router_area(&r->cost),
                   power_router_leak(&r->cost));
        cost_json_number(j, "flit_pj", power_router_flit(&r->cost) * COST_PJ);
        cost_json_number(j, "cycle_pj", r->cost.clock_cycle * COST_PJ);
        cost_json_number(j, "max_clock_hz", r->cost.max_clock);
        json_close_object(j);
    }
    for (uint32_t i = 0; i < c->kinds->nlinks; i++) {
        const struct netcost_link *l = &c->link[i];
        write_kind(j, l->kind->name, l->kind->n, l->cost.area, l->cost.leak);
        cost_json_number(j, "flit_pj", l->cost.energy * COST_PJ);
        cost_json_number(j, "cycle_pj", l->cost.clock_cycle * COST_PJ);
        cost_json_number(j, "delay_ns", l->cost.delay * COST_NS);
        json_key(j, "is_met");
        json_bool(j, l->cost.is_met);
        json_close_object(j);
    }
    json_close_array(j);
}

static void write_networks(struct json *j, const struct cost *c)
{
    json_key(j, "networks");
    json_open_array(j, false);
    for (int i = 0; i < c->nnetworks; i++) {
        const struct cost_network *n = &c->network[i];
        json_open_object(j, false);
        json_key(j, "name");
        json_string(j, n->name);
        cost_json_parts(j, "area_mm2", n->cost.area, COST_MM2);
        cost_json_parts(j, "leakage_w", n->cost.leak, 1);
        cost_json_parts(j, "power_w", n->power, 1);
        cost_json_number(j, "wire_area_mm2", n->cost.wire_area * COST_MM2);
        if (n->cost.photonic_area > 0)
            cost_json_number(j, "photonic_area_mm2", n->cost.photonic_area * COST_MM2);
        cost_json_number(j, "max_clock_hz", n->cost.max_clock);
        json_key(j, "links_met");
        json_bool(j, n->cost.links_met);
        json_key(j, "bisection");
        bisection_json(&n->bisection, j);
        write_kinds(j, &n->cost);
        json_close_object(j);
    }
    json_close_array(j);
}

static void write_limits(struct json *j, const struct cost_document *p)
{
    double wires = 0, clock = INFINITY;
    for (int i = 0; i < p->cost.nnetworks; i++) {
        wires += p->cost.network[i].cost.wire_area;
        clock = fmin(clock, p->cost.network[i].cost.max_clock);
    }
    json_key(j, "node_nm");
    json_int(j, strtol(p->power->node, NULL, 10));
    cost_json_number(j, "load", p->power->load);
    cost_json_number(j, "clock_hz", p->noc->clock);
    cost_json_number(j, "max_clock_hz", clock);
    cost_json_number(j, "wire_area_mm2", wires * COST_MM2);
}

void cost_json(const struct cost_document *d, struct json *j)
{
    json_key(j, d->what);
    json_string(j, d->name);
    write_limits(j, d);
    write_members(j, "area_mm2", &d->cost, true);
    write_members(j, "power_w", &d->cost, false);
    write_storage(j, &d->cost);
    write_networks(j, &d->cost);
    write_arrays(j, &d->cost);
}
