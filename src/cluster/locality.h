/* locality.h - intra-cluster locality: how many of the lines that a cluster asks for were asked for
 * a short while ago.
 *
 * Told of every request that a cluster takes from its SMs, of which global reads count, and stores
 * if asked for.  For a window of W cycles a request
 * is redundant if its line was requested by an SM of the cluster at most W cycles before.  Of those,
 *   other_sm: another SM did (same_sm: only the same one);
 *   data:     another CTA did, and wanted one of the same 4-byte words (line: none did).
 * An observer: it has no influence on time. */
#ifndef HEDDLE_CLUSTER_LOCALITY_H
#define HEDDLE_CLUSTER_LOCALITY_H

#include "mem/request.h"
#include "sim/component.h"
#include "sim/config.h"
#include "sim/stats.h"

enum { LOCALITY_WINDOWS = 4 };

#define LOCALITY_ROWS(F, id)                                                                       \
    F(id, LIST, windows, "", 1, 65536, "cycle",                                                    \
      "up to 4 windows for intra-cluster locality, ascending; none: off")                          \
    F(id, BOOL, stores, "false", 0, 0, "", "stores to global memory are requests, too")
CFG_STRUCT(locality, LOCALITY_ROWS)
extern const struct cfg_section locality_section;

struct locality;

bool locality_check(const struct config *cfg, struct err *e);
/* NULL when there are no windows. */
struct locality *locality_new(struct arena *a, const struct locality_spec *spec);
/* A request is taken at `now`; at most one in a cycle. */
void locality_add(struct locality *l, const struct request *r, hd_cycle now);
void locality_add_stats(const struct locality *l, const char *instance, struct stats *tree);

#endif
