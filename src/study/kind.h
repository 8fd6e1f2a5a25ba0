/* kind.h - kinds of runs: what is done with a configuration, and which numbers come of it.
 *
 * A row of a study is of a kind: a program that is timed (kernel), several at once (programs), a
 * network under synthetic traffic (noc, saturation), or nothing but what a machine or a network
 * costs.  A kind is one file and one line in kinds.def. */
#ifndef HEDDLE_STUDY_KIND_H
#define HEDDLE_STUDY_KIND_H

#include "sim/config.h"

struct several_memory; /* machine/several.h */

struct kind_program {
    const char *title;
    const char *stream; /* the recorded file */
    uint64_t hash;      /* of what its kernels follow from */
    uint32_t nargs;     /* of a workload that takes some: what it was asked for */
    const char *const *args;
    const double *arg_values;
};

struct kind_run {
    const struct config *config;
    uint32_t nprograms;                  /* of kinds that have some */
    const struct kind_program *programs; /* [nprograms]; NULL where nothing is run yet */
    uint64_t window; /* programs restart until so many cycles are over; 0: each runs once */
    bool same_sms;   /* programs are also run alone on the SMs that they had */
    const struct several_memory *memory; /* of programs alone; may be NULL */
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
    const char *what;              /* has the names that expressions use: "the machine" */
    uint32_t most_programs;        /* that it times at once, each recorded before; 0: it has none */
    bool is_of_network;            /* it takes a file of a network, not of a machine */
    double seconds;                /* that a run may take, of kinds without programs */
    const struct study_kind *cost; /* gives names cost.NAME to runs of this kind; may be NULL */
    struct config *(*config)(struct arena *a); /* at its defaults */
    /* Builds what a run will, so that mistakes come to light before the first one; what it returns
     * is in the run's arena and is handed to the next three.  NULL with *e set. */
    void *(*try_out)(const struct kind_run *r, struct err *e);
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
