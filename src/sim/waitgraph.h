/* waitgraph.h - who waits for whom, and whether that can ever end.
 *
 * A vertex is something that holds a resource (a buffer, a slot, a queue).  It is either free to
 * move, or it waits for *any one* of the vertices it has edges to.  A set of vertices of which
 * none can ever move is a deadlock, and the text names one cycle of it.  A saturated network has
 * long chains of waiting but every chain ends at a vertex that can move: no deadlock. */
#ifndef HEDDLE_SIM_WAITGRAPH_H
#define HEDDLE_SIM_WAITGRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct component;
struct waitgraph;

struct waitgraph *waitgraph_new(struct arena *a);

/* A vertex is named by its component and a number that the component gives it.  `label` is
 * printed ("router 3 in 1 vc 0"); it is copied. */
void waitgraph_vertex(struct waitgraph *g, const struct component *c, uint64_t local, bool can_move,
                      const char *label);
/* An edge to a vertex that is never declared counts as "can move". */
void waitgraph_edge(struct waitgraph *g, const struct component *from_c, uint64_t from,
                    const struct component *to_c, uint64_t to);

/* NULL when everything can move in the end; otherwise "a -> b -> a", owned by the graph. */
const char *waitgraph_deadlock(struct waitgraph *g);

#endif
