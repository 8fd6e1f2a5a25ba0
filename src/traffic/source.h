/* source.h - open-loop traffic: every source offers its load whatever the network does.
 *
 * The source queue is unbounded but holds nothing: a packet's birth is drawn, and the packet is
 * made when the injection port has room for it, with that birth. */
#ifndef HEDDLE_TRAFFIC_SOURCE_H
#define HEDDLE_TRAFFIC_SOURCE_H

#include "noc/net.h"
#include "traffic/arrival.h"

struct source;

struct source_options {
    struct noc *net;
    struct packet_pool *pool;
    const struct pattern *pattern;
    struct pattern_ctx fit;
    const uint32_t *sources, *sinks; /* nodes */
    const struct arrival_model *arrivals;
    uint64_t seed;
};

struct source *source_new(struct arena *a, const struct source_options *opt);
struct component *source_component(struct source *s);
/* No packet is born at or after this cycle. */
void source_stop(struct source *s, hd_cycle at);
/* Packets made with a birth in [from, to), and whether all of those have been made. */
void source_measure(struct source *s, hd_cycle from, hd_cycle to);
uint64_t source_measured(const struct source *s);
bool source_is_done(const struct source *s);

#endif
