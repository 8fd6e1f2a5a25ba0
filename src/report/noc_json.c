/* noc_json.c - see noc_json.h. */
#include "report/noc_json.h"

#include <math.h>

static void json_named(struct json *j, const char *key, double v)
{
    json_key(j, key);
    json_real(j, v);
}

static void json_channels(struct json *j, const struct lab *l)
{
    const struct fabric *g = lab_fabric(l);
    json_key(j, "channels");
    json_open_array(j, false);
    for (int i = 0; i < g->n; i++) {
        for (uint32_t o = 0; o < g->graph[i]->nouts; o++) {
            const struct graph_out *go = &g->graph[i]->out[o];
            bool eject = go->dst_node != GRAPH_NONE;
            if (go->dst_router == GRAPH_NONE && !eject)
                continue;
            json_open_object(j, true);
            json_key(j, "network");
            json_string(j, g->name[i]);
            json_key(j, "router");
            json_uint(j, go->router);
            json_key(j, "out");
            json_uint(j, o - g->graph[i]->router[go->router].first_out);
            json_key(j, eject ? "to_node" : "to_router");
            json_uint(j, eject ? go->dst_node : go->dst_router);
            json_named(j, "utilisation", noc_channel_load(lab_network(l, i), o));
            json_close_object(j);
        }
    }
    json_close_array(j);
}

static void json_detail(struct json *j, const struct lab *l)
{
    struct arena *a = arena_new();
    struct stats *t = stats_new(a);
    lab_add_stats(l, t);
    json_key(j, "stats");
    stats_write_json(t, j);
    json_channels(j, l);
    arena_free(a);
}

static void json_point(struct json *j, const struct point *p, const struct lab *detail)
{
    json_open_object(j, false);
    json_named(j, "offered", p->offered);
    json_named(j, "accepted", p->accepted);
    json_key(j, "latency");
    json_open_object(j, true);
    json_named(j, "mean", p->mean);
    json_named(j, "p50", p->p50);
    json_named(j, "p99", p->p99);
    json_named(j, "ci95", p->ci95);
    json_named(j, "max", p->max);
    json_named(j, "queueing", p->queueing);
    json_named(j, "network", p->network);
    if (p->ring > 0) {
        json_named(j, "mesh", p->network - p->token_wait - p->ring);
        json_named(j, "token", p->token_wait);
        json_named(j, "ring", p->ring);
    }
    json_named(j, "zero_load", p->zero_load);
    json_close_object(j);
    json_named(j, "hops", p->hops);
    json_key(j, "saturated");
    json_bool(j, p->saturated);
    json_key(j, "settled");
    json_bool(j, p->settled);
    json_key(j, "converged");
    json_bool(j, p->converged);
    if (p->round_trip > 0) {
        json_named(j, "round_trip", p->round_trip);
        json_named(j, "round_trip_p99", p->round_trip_p99);
    }
    json_named(j, "least_share", p->least);
    json_named(j, "most_share", p->most);
    json_named(j, "busiest_channel", p->busiest);
    json_named(j, "power_w", p->power);
    if (p->ring > 0) {
        json_named(j, "ring_used", p->ring_used);
        json_named(j, "energy_per_bit_pj", p->energy_per_bit);
    }
    json_key(j, "cycles");
    json_uint(j, p->cycles);
    json_key(j, "packets");
    json_uint(j, p->packets);
    json_key(j, "flit_hops");
    json_uint(j, p->flit_hops);
    char digest[20];
    snprintf(digest, sizeof digest, "%016llx", (unsigned long long)p->digest);
    json_key(j, "digest");
    json_string(j, digest);
    json_named(j, "wall_s", p->wall_s);
    if (detail)
        json_detail(j, detail);
    json_close_object(j);
}

/* The knee is null where no load settles. */
static void json_search(struct json *j, const struct noc_results *r)
{
    const struct point *peak = &r->point[NOC_PEAK], *knee = &r->point[NOC_KNEE];
    json_key(j, "saturation");
    json_open_object(j, true);
    json_named(j, "highest_accepted", peak->accepted);
    json_named(j, "highest_accepted_at", peak->offered);
    json_named(j, "knee", knee->settled ? knee->offered : NAN);
    json_close_object(j);
}

void noc_json(const struct noc_results *r, struct json *j)
{
    double wall = 0;
    for (int i = 0; i < r->n; i++)
        wall += r->point[i].wall_s;
    json_key(j, "network");
    json_string(j, r->network);
    json_named(j, "wall_s", wall);
    if (r->saturation)
        json_search(j, r);
    json_key(j, "points");
    json_open_array(j, false);
    for (int i = 0; i < r->n; i++)
        json_point(j, &r->point[i], r->stats ? r->lab[i] : NULL);
    json_close_array(j);
    json_key(j, "config");
    config_echo_json(r->config, j);
}
