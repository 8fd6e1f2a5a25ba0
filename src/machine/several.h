/* several.h - programs that ran at once, against each of them alone: progress, system throughput
 * (STP) and average normalised turnaround time (ANTT).
 *
 * Eyerman and Eeckhout, "System-level performance metrics for multiprogram workloads" (IEEE Micro
 * 2008): the progress of a program is the time that it needs alone over the time that it needed
 * here, STP the sum of progresses, ANTT the mean of their inverses.  The usual reference is the
 * program alone on the whole machine; alone on the SMs that it had here tells what the others
 * disturbed from what the partition took. */
#ifndef HEDDLE_MACHINE_SEVERAL_H
#define HEDDLE_MACHINE_SEVERAL_H

#include "machine/machine.h"

enum several_reference { ALONE_ON_ALL, ALONE_ON_SAME, REFERENCES };

struct several_program {
    const char *title;
    struct machine_program ran;
    uint64_t cycles; /* that it needed: to its end, or to its last instruction in the window */
    uint64_t alone[REFERENCES]; /* that it needs alone for the same; 0: not known */
    bool is_cached[REFERENCES];
};

struct several {
    uint32_t n;
    uint64_t window;
    const char *partition;
    struct several_program program[MAX_PROGRAMS];
};

enum { SEVERAL_MARKS = 2048 };

/* A run of a program alone.  In a window marks, so many cycles apart that they reach to its end,
 * say how many warp instructions had been issued. */
struct several_alone {
    uint64_t cycles; /* to its end, or to its last instruction */
    uint32_t nmarks;
    uint64_t issued[SEVERAL_MARKS];
};

/* Runs alone that somebody keeps, so that they need not be run again. */
struct several_memory {
    bool (*get)(void *context, uint64_t key, struct several_alone *of);
    void (*put)(void *context, uint64_t key, const char *program, const struct several_alone *of);
    void *context;
};

struct several_run { /* what was run at once, and how */
    uint32_t n;
    uint64_t window;
    const char *title[MAX_PROGRAMS];
    struct stream_source *source[MAX_PROGRAMS]; /* that can restart */
    uint64_t hash[MAX_PROGRAMS];                /* of what its kernels follow from */
    struct several_memory memory;               /* no `get`: nothing is kept */
    bool no_same; /* nobody asks for programs alone on the SMs that they had */
    bool no_skip, check;
    uint32_t threads;
};

/* What the programs did on the machine. */
void several_init(struct several *s, const struct several_run *r, const struct machine *m);
/* Runs each program alone, or takes what is kept of such a run. */
bool several_run_alone(struct several *s, const struct several_run *r, const struct config *cfg,
                       struct err *e);

/* When a run of this window had issued so many instructions, linearly between marks; 0: not in it. */
uint64_t several_cycles_for(const struct several_alone *of, uint64_t window, uint64_t insns);

double several_progress(const struct several_program *p, enum several_reference r); /* NaN */
double several_stp(const struct several *s, enum several_reference r);
double several_antt(const struct several *s, enum several_reference r);

#endif
