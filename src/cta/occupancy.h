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

struct occupancy {
    uint32_t ctas;
    const char *limit;        /* "threads", "warps", "CTAs", "registers", "shared memory" */
    uint64_t registers;       /* that a CTA takes */
    uint32_t regs_per_thread; /* before rounding */
    const char *regs_from;    /* "ptxas", "liveness", "given", "set" */
};

/* False with *e set when not even one fits. */
bool occupancy_of(const struct occupancy_limits *sm, const struct stream_kernel *k,
                  struct occupancy *o, struct err *e);

#endif
