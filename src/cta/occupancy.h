/* occupancy.h - how many CTAs of a kernel an SM can hold, and what allows no more. */
#ifndef HEDDLE_CTA_OCCUPANCY_H
#define HEDDLE_CTA_OCCUPANCY_H

#include "base/err.h"
#include "stream/stream.h"

struct occupancy_limits { /* of an SM */
    uint64_t threads, warps, ctas, registers, register_unit, shared;
    bool no_assembler;        /* liveness also where the assembler's count is known */
    const char *registers_of; /* "KERNEL=N,..." that goes before all counts; NULL: none */
};

/* What a CTA takes of an SM, or an SM has left. */
struct occupancy_needs {
    uint64_t threads, warps, ctas, registers, shared;
};

struct occupancy {
    uint32_t ctas;
    struct occupancy_needs needs; /* of a CTA; registers no more than an SM has */
    const char *limit;            /* "threads", "warps", "CTAs", "registers", "shared memory" */
    uint64_t registers;           /* that a CTA takes */
    uint32_t regs_per_thread;     /* before rounding */
    const char *regs_from;        /* "ptxas", "liveness", "given", "set" */
};

struct occupancy_needs occupancy_whole(const struct occupancy_limits *sm); /* an empty SM */
/* How many CTAs with these needs fit into what is left. */
uint32_t occupancy_fit(const struct occupancy_needs *left, const struct occupancy_needs *cta);

/* False with *e set when not even one fits. */
bool occupancy_of(const struct occupancy_limits *sm, const struct stream_kernel *k,
                  struct occupancy *o, struct err *e);

#endif
