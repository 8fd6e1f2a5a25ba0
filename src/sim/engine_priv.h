/* engine_priv.h - the state of an engine, shared by engine.c and engine_lanes.c only.
 *
 * Members are kept in the order of their phases and lanes.  Each has a place in arrays of what a
 * step looks at: the wake-ups side by side, in blocks of two cache lines.  A group is what one
 * thread ticks in one phase; its places are consecutive whole blocks, so that no two threads tick
 * components whose wake-ups share a line.  Whoever sleeps, and an empty place, has ASLEEP.  Inner
 * components have places of their own behind all groups, again whole blocks for each thread. */
#ifndef HEDDLE_SIM_ENGINE_PRIV_H
#define HEDDLE_SIM_ENGINE_PRIV_H

#include "sim/engine.h"
#include "sim/engine_team.h"

enum { BLOCK = 16, COLUMNS = 4, MAX_DOMAINS = 64 };

/* Positive also as a signed number: those are what vector units compare. */
#define ASLEEP ((uint64_t)INT64_MAX)

struct member {
    struct component *c;
    uint32_t phase, lane;
    uint32_t domain;
    bool is_inner;
};

struct domain { /* a clock */
    uint64_t period;
    uint64_t edge, cycle; /* the cycle in which `now` lies, and the tick at which it began */
    bool is_outer;        /* of components that are not inner ones */
};

struct lane { /* members [first, first + n) */
    uint32_t first, n;
    uint32_t phase, thread;
    const char *kind; /* of its first member */
    uint64_t cost;    /* ns, where it was measured */
};

struct phase {
    uint32_t first_lane, nlanes;
    uint64_t runs;
    uint64_t samples;
    bool is_alone;     /* one thread does it: that was quicker */
    uint64_t next_try; /* the sample in which the other way is tried, */
    uint32_t pause;    /* and how many there are until the try after it */
    uint64_t ns;       /* for one component that is due, times 16; 0: not known */
    uint32_t late;     /* steps of this sample in which a thread was waited for for long */
    uint64_t quickest; /* of the steps of this sample so far, as that; 0: none yet */
};

typedef hd_cycle engine_tick(struct component *c, hd_cycle now);

struct engine {
    struct engine_options opt;
    struct arena *arena;
    uint64_t now;
    uint64_t next_watchdog;
    uint64_t next_audit;

    uint32_t n, cap;
    uint32_t nphases, nthreads, nlanes;
    uint32_t ngroups; /* one for all where there is one thread */
    bool has_inner;   /* some are ticked ahead of time */
    uint64_t ahead;   /* up to this tick */
    uint32_t few;     /* members, where they are so few that a plain look is quickest; or 0 */
    bool unsorted;    /* members are out of order, */
    bool replaced;    /* are to be dealt out to threads afresh, */
    bool unplaced;    /* have no place */
    struct member *member;
    struct component **by_id;
    struct lane *lane;
    uint32_t *thread; /* of the lanes of a phase, while they are dealt out, */
    uint64_t *share;  /* and the cost of each thread's */
    struct phase phase[ENGINE_PHASES];

    int64_t (*scan)(const int64_t *wake, int64_t *least, uint32_t blocks);
    uint32_t (*due_in)(const int64_t *wake, int64_t now);
    uint64_t *wake;        /* by place, in ticks */
    uint64_t *least;       /* of the columns of each block, place % COLUMNS */
    struct component **at; /* by place */
    engine_tick **tick;    /* by place: what a step needs of them */
    uint8_t *domain_at;
    uint32_t *lane_at;
    uint32_t *group;     /* first block of each, phase * nthreads + thread; and the end of all */
    uint32_t *inner;     /* first block of each thread's inner ones; and the end of all blocks */
    uint32_t *due;       /* places, in order */
    uint32_t *group_due; /* where the due ones of each group begin; and the end of all */
    struct domain domain[MAX_DOMAINS];
    uint32_t ndomains;

    struct engine_team *team; /* NULL: one thread */
    uint32_t running;         /* phase */
    bool timed;               /* its lanes are measured */
    bool stop_requested;
};

/* engine.c */
void engine_tick_due(struct engine *e, uint32_t from, uint32_t to);
uint32_t engine_inner_due(const struct engine *e,
                          uint32_t block); /* of a block of inner ones: a bit each */
void engine_tick_inner(struct engine *e, uint32_t at);

/* engine_lanes.c */
void engine_lanes_place(struct engine *e); /* gives every member its place */
void engine_lanes_run(struct engine *e, uint32_t phase);
void engine_lanes_tick_inner(struct engine *e, uint32_t thread); /* its inner ones that are due */
void engine_lanes_work(void *engine, uint32_t thread); /* its share of the running phase */

#endif
