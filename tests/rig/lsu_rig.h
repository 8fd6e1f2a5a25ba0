/* lsu_rig.h - a load/store unit between a list of instructions and a memory that answers each
 * request after a time of its own.
 *
 *     steps -> SM (one issue per cycle) -> load/store unit -> port -> memory
 *                        completions  <-                   <- port <-
 *
 * The memory takes one request per cycle, or in every n-th only, and gives one answer per cycle,
 * the first one due; a request popped in cycle c is due at c + latency + (a hash of its line) %
 * spread. */
#ifndef HEDDLE_TESTS_RIG_LSU_RIG_H
#define HEDDLE_TESTS_RIG_LSU_RIG_H

#include "l1/lsu_priv.h"
#include "sim/engine.h"

enum { RIG_WARPS = 8, RIG_REQUESTS = 256 };
#define RIG_LOCAL_BASE ((uint64_t)1 << 40)
#define RIG_PARAM_BASE ((uint64_t)1 << 41)

struct lsu_rig_step {
    hd_cycle at; /* not issued before */
    uint32_t warp;
    struct stream_insn insn;
    struct stream_op op; /* op.insn: the number of the step */
};

struct lsu_rig_event { /* a completion, as the SM sees it */
    hd_cycle at;
    uint32_t warp, insn;
};

struct lsu_rig_sm {
    struct component c;
    struct lsu *lsu;
    struct completions completions;
    struct lsu_rig_step *step;
    hd_cycle *issued; /* per step */
    uint32_t nsteps, next;
    struct lsu_rig_event *event;
    uint32_t nevents, max_events;
};

struct lsu_rig_held {
    hd_cycle due;
    uint32_t id;
};

struct lsu_rig_memory {
    struct component c;
    struct port *from, *to;
    struct request_pool *pool;
    uint64_t latency, spread, every;
    uint32_t shared;
    struct lsu_rig_held held[RIG_REQUESTS];
    uint32_t nheld;
    struct request *seen; /* all requests, in order */
    uint32_t nseen, max_seen;
};

struct lsu_rig_options {
    const char *const *set;          /* NULL-ended: "l1.mshrs=1" */
    uint64_t latency, spread, every; /* every: cycles between requests taken; 0: 1 */
    uint32_t shared;                 /* of 256 answers say that several SMs use their line */
    uint32_t back;                   /* latency of the port from the memory; 0: 1 */
    uint32_t depth;                  /* of the port to the memory; 0: 8 */
    uint32_t requests;               /* 0: RIG_REQUESTS */
    uint32_t steps;                  /* most; 0: 64 */
    uint64_t period;                 /* of SM and memory, in ticks; 0: 1 */
    struct engine_options engine;
};

struct lsu_rig {
    struct arena *arena;
    struct engine *engine;
    struct config *cfg;
    struct request_pool pool;
    struct lsu_rig_sm sm;
    struct lsu_rig_memory memory;
    struct port out, in;
};

void lsu_rig_open(struct lsu_rig *r, const struct lsu_rig_options *opt);
void lsu_rig_close(struct lsu_rig *r);
/* Adds an instruction: flags as INSN_LOAD, one address set base + lane * stride. */
struct lsu_rig_step *lsu_rig_add(struct lsu_rig *r, hd_cycle at, uint32_t flags, uint32_t space,
                                 uint64_t base);
void lsu_rig_lanes(struct lsu_rig_step *s, uint32_t size, int64_t stride, uint32_t mask);
/* Until cycle `until`, or until all is done (asserted when `until` is HD_NEVER). */
void lsu_rig_run(struct lsu_rig *r, hd_cycle until);
/* When the step's destinations became usable; HD_NEVER: not yet.  Fails when it was more than
 * once. */
hd_cycle lsu_rig_usable(const struct lsu_rig *r, uint32_t step);
/* How long the memory takes for a line. */
uint64_t lsu_rig_delay(uint64_t latency, uint64_t spread, uint64_t line);
/* Whether the answer to the n-th request says that its line is shared. */
bool lsu_rig_says_shared(uint32_t shared, uint32_t n);

#endif
