/* sweep_out.h - a sweep as a table for people, as CSV and as JSON. */
#ifndef HEDDLE_CLI_SWEEP_OUT_H
#define HEDDLE_CLI_SWEEP_OUT_H

#include "cli/sweep.h"

/* The files that the options name, and the table unless one of them is standard output. */
bool sweep_out_write(const struct sweep *s, struct err *e);

#endif
