/* bisection.h - channels across the narrowest cut of a network, from its graph alone.
 *
 * Direct networks, whose routers stand among their nodes (graph.is_plane), are cut into two halves
 * of equally many routers, by columns or by rows, whichever is narrower; what counts is channels
 * between routers, each way.  All others lead from sources to sinks: there it is the narrowest cut
 * between all sources and all sinks, their own channels included, and it has one way. */
#ifndef HEDDLE_NOC_BISECTION_H
#define HEDDLE_NOC_BISECTION_H

#include <stdio.h>

#include "base/json.h"
#include "noc/graph.h"

struct bisection {
    bool is_plane;
    uint32_t there, back; /* channels; back is 0 unless is_plane */
    uint64_t width;       /* bytes of one */
};

/* Channels have `width` bytes where the graph does not say otherwise.  There are none in a network
 * without routers (ideal). */
struct bisection bisection_of(const struct graph *g, uint64_t width, struct arena *a);

/* Bytes per cycle: both ways together, and the better one of them. */
uint64_t bisection_bytes(const struct bisection *b);
uint64_t bisection_one_way(const struct bisection *b);

/* "256 bytes per cycle, 8 + 8 channels of 16 across the middle". */
const char *bisection_text(const struct bisection *b, struct arena *a);
void bisection_json(const struct bisection *b, struct json *j); /* one object */

#endif
