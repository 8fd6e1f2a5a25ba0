/* analyse.h - heddle run --analyse: observers of a machine by name, and what they saw, for people. */
#ifndef HEDDLE_CLI_ANALYSE_H
#define HEDDLE_CLI_ANALYSE_H

#include "cli/run_report.h"

#define ANALYSE_HELP                                                                               \
    "  --analyse NAME        watch and print: sharing (data that CTAs and SMs share, misses by\n"  \
    "                        class, CTA times), meetings (reads of one row of DRAM that come\n"    \
    "                        shortly after each other); cycles stay the same\n"

/* The setting that turns an analysis on; NULL with *e set: there is none of this name. */
const char *analyse_setting(const char *name, struct err *e);
/* What every analysis saw that was on. */
void analyse_print(const struct run_report *r, struct arena *a, FILE *out);

#endif
