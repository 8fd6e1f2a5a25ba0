/* meetings.h - how many reads of one row of DRAM come to a memory partition shortly after each other:
 * what "Designing Coalescing Network-on-Chip for Efficient Memory Accesses of GPGPUs" (NPC 2014) could
 * merge if the last router before the memory held every read for a while.
 *
 * For a window of W network cycles, the first read of a row (of its bank, of its channel) begins a
 * hold; reads of the same row that come at most W cycles later join it; then it ends.  A store or
 * an atomic to a line that a hold has ends it as well.  A read that joins is of the
 *   same SM:  the hold has another one of this SM;
 *   other SM: it has none.
 * An observer: it has no influence on time.  Each slice has one of its own. */
#ifndef HEDDLE_ANALYSIS_MEETINGS_H
#define HEDDLE_ANALYSIS_MEETINGS_H

#include "mem/addrmap.h"
#include "mem/request.h"
#include "sim/stats.h"

enum { MEETING_WINDOWS = 4 };

#define MEETINGS_ROWS(F, id)                                                                       \
    F(id, LIST, windows, "", 0, 1e6, "cycle",                                                      \
      "of the network, up to 4, ascending: reads of one row of DRAM that come within; none: off")
CFG_STRUCT(meetings, MEETINGS_ROWS)
extern const struct cfg_section meetings_section;

struct meetings;

struct meetings_options {
    const struct meetings_spec *spec;
    const struct addrmap *map;
    const char *path;        /* of its slice */
    uint32_t sms;            /* of the machine */
    uint64_t network_period; /* ticks */
};

bool meetings_check(const struct config *cfg, struct err *e);
/* NULL when there are no windows. */
struct meetings *meetings_new(struct arena *a, const struct meetings_options *opt);
void meetings_free(struct meetings *m); /* what is not in the arena; NULL is allowed */
/* A request came at `tick`, later than the last one: a slice takes one in a cycle. */
void meetings_add(struct meetings *m, const struct request *r, uint64_t tick);
void meetings_add_stats(const struct meetings *m, struct stats *tree);

#endif
