/* kind.h - kinds of runs: what is done with a configuration, and which numbers come of it.
 *
 * A row of a study is of a kind: a workload that is timed (kernel), or nothing but the machine
 * itself (cost).  A kind is one file and one line in kinds.def. */
#ifndef HEDDLE_STUDY_KIND_H
#define HEDDLE_STUDY_KIND_H

#include "sim/config.h"

struct kind_run {
    const struct config *config;
    const char *stream; /* the recorded workload, of kinds that have one */
    struct arena *arena;
};

struct kind_values {
    const char **names;
    double *values; /* NaN: no value */
    uint32_t n;
    uint64_t cycles, digest; /* 0 where nothing is timed */
};

struct study_kind {
    const char *name;
    const char *help;
    const char *what; /* has the names that expressions use: "the machine" */
    bool has_stream;  /* it replays a workload, which has a size and is recorded once */
    /* Builds what a run will, so that mistakes come to light before the first one; what it returns
     * is in `a` and is handed to the next three.  NULL with *e set. */
    void *(*try_out)(const struct config *cfg, struct arena *a, struct err *e);
    bool (*knows)(const void *trial, const char *name);
    uint32_t (*names)(const void *trial, const char **names, uint32_t most, struct arena *a);
    void (*end)(void *trial); /* may be NULL */
    bool (*run)(const struct kind_run *r, struct kind_values *v, struct err *e);
};

extern const struct study_kind *const kind_all[];
extern const int kind_count;

#define KIND(id) extern const struct study_kind kind_##id;
#include "study/kinds.def"
#undef KIND

const struct study_kind *kind_find(const char *name); /* NULL: none of this name */

#endif
