/* kind_point.c - see kind_point.h. */
#include "study/kind_point.h"

#include <math.h>
#include <string.h>

#include "study/kind_tree.h"
#include "traffic/pattern.h"

double kind_point_rate(const struct config *cfg)
{
    const struct traffic_spec *t = config_get(cfg, &traffic_section);
    return t->rate;
}

struct row {
    const char *name, *unit;
    double value;
};

/* Round trips are of closed loops alone. */
static void rows_of(const struct point *p, struct row out[KIND_POINT_VALUES])
{
    bool has_trips = p->round_trip > 0;
    const struct row rows[KIND_POINT_VALUES] = {
        {"offered", "flit/cycle", p->offered},
        {"accepted", "flit/cycle", p->accepted},
        {"latency", "cycle", p->mean},
        {"latency.p50", "cycle", p->p50},
        {"latency.p99", "cycle", p->p99},
        {"latency.ci95", "cycle", p->ci95},
        {"latency.max", "cycle", p->max},
        {"latency.queueing", "cycle", p->queueing},
        {"latency.network", "cycle", p->network},
        {"latency.zero_load", "cycle", p->zero_load},
        {"latency.mesh", "cycle", p->network - p->token_wait - p->ring},
        {"latency.token", "cycle", p->token_wait},
        {"latency.ring", "cycle", p->ring},
        {"ring_used", "", p->ring_used},
        {"energy_per_bit", "pJ/bit", p->energy_per_bit},
        {"hops", "hop", p->hops},
        {"round_trip", "cycle", has_trips ? p->round_trip : (double)NAN},
        {"round_trip.p99", "cycle", has_trips ? p->round_trip_p99 : (double)NAN},
        {"least_share", "", p->least},
        {"most_share", "", p->most},
        {"busiest_channel", "", p->busiest},
        {"power", "W", p->power},
        {"saturated", "", p->saturated},
        {"settled", "", p->settled},
        {"converged", "", p->converged},
        {"cycles", "cycle", (double)p->cycles},
        {"packets", "packet", (double)p->packets},
        {"flit_hops", "hop", (double)p->flit_hops},
    };
    memcpy(out, rows, sizeof rows);
}

void kind_point_add(struct kind_values *v, const struct point *p, const char *prefix,
                    struct arena *a)
{
    struct row rows[KIND_POINT_VALUES];
    rows_of(p, rows);
    for (int i = 0; i < KIND_POINT_VALUES; i++)
        kind_values_add(v, arena_printf(a, "%s%s", prefix, rows[i].name), rows[i].value);
}

const char *kind_point_unit(const char *name)
{
    struct row rows[KIND_POINT_VALUES];
    rows_of(&(struct point){0}, rows);
    if (strcmp(name, "knee") == 0 || strncmp(name, "saturation", 10) == 0)
        name = "offered";
    else if (strncmp(name, "knee.", 5) == 0 || strncmp(name, "peak.", 5) == 0)
        name += 5;
    for (int i = 0; i < KIND_POINT_VALUES; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].unit;
    return NULL;
}
