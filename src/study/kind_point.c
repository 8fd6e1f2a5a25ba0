/* kind_point.c - see kind_point.h. */
#include "study/kind_point.h"

#include <math.h>

#include "study/kind_tree.h"
#include "traffic/pattern.h"

double kind_point_rate(const struct config *cfg)
{
    const struct traffic_spec *t = config_get(cfg, &traffic_section);
    return t->rate;
}

/* Round trips are of closed loops alone. */
void kind_point_add(struct kind_values *v, const struct point *p, const char *prefix,
                    struct arena *a)
{
    bool has_trips = p->round_trip > 0;
    const struct {
        const char *name;
        double value;
    } rows[KIND_POINT_VALUES] = {
        {"offered", p->offered},
        {"accepted", p->accepted},
        {"latency", p->mean},
        {"latency.p50", p->p50},
        {"latency.p99", p->p99},
        {"latency.ci95", p->ci95},
        {"latency.max", p->max},
        {"latency.queueing", p->queueing},
        {"latency.network", p->network},
        {"latency.zero_load", p->zero_load},
        {"hops", p->hops},
        {"round_trip", has_trips ? p->round_trip : (double)NAN},
        {"round_trip.p99", has_trips ? p->round_trip_p99 : (double)NAN},
        {"least_share", p->least},
        {"most_share", p->most},
        {"busiest_channel", p->busiest},
        {"power", p->power},
        {"saturated", p->saturated},
        {"settled", p->settled},
        {"converged", p->converged},
        {"cycles", (double)p->cycles},
        {"packets", (double)p->packets},
        {"flit_hops", (double)p->flit_hops},
    };
    for (int i = 0; i < KIND_POINT_VALUES; i++)
        kind_values_add(v, arena_printf(a, "%s%s", prefix, rows[i].name), rows[i].value);
}
