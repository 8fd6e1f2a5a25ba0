/* validate.h - how far the models of this folder are from what reference tools say.
 *
 * The reference is a folder of CSV files (reference/power, or a user's own grid with the same names
 * and columns; reference/README.md).  Errors are relative: |model / reference - 1|. */
#ifndef HEDDLE_POWER_VALIDATE_H
#define HEDDLE_POWER_VALIDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* What the models are held to, over all rows of a quantity. */
#define VALIDATE_LIMIT_MEDIAN 0.10
#define VALIDATE_LIMIT_WORST 0.25

struct validate_row {
    const char *group;    /* "router", "clock", "link", "photonic", "array", "array_wide" */
    const char *quantity; /* "buffer write energy"; "" of a remark */
    uint32_t node;        /* nm; 0: all of them together */
    uint32_t n;           /* rows compared */
    double median, p90, worst;
    const char *worst_at;             /* "22 nm 10x3 256 b 4x4" */
    double limit_median, limit_worst; /* 0: only shown */
    const char *remark;               /* what was left out of the group; NULL in rows of numbers */
};

/* Rows over all nodes, group by group; then remarks; then rows by node.  A file that is not there
 * is a remark.  False with *e set when none is there, or when one is malformed (file:line). */
bool validate_power(const char *folder, struct arena *a, const struct validate_row **rows, int *n,
                    struct err *e);

bool validate_is_ok(const struct validate_row *r); /* within its limits, if it has any */

#endif
