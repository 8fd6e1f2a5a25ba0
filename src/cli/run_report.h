/* run_report.h - what a timed run says to people: one screen of where the cycles went. */
#ifndef HEDDLE_CLI_RUN_REPORT_H
#define HEDDLE_CLI_RUN_REPORT_H

#include "machine/results.h"

struct run_report {
    const char *machine, *title;    /* "icc60", "bfs@small" */
    const char *remark;             /* after the title; may be NULL */
    const struct results_view *sum; /* of the whole run */
    bool is_assembled;              /* the machine issues what an assembler makes of PTX */
    const struct machine_kernel *const *kernels;
    uint32_t nkernels;
    uint32_t most_kernels; /* rows of their table; the rest is counted */
};

void run_report_print(const struct run_report *r, struct arena *a, FILE *out);

#endif
