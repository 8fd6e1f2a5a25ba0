/* validate_group.h - one file of the reference and the model it is compared with.
 *
 * A group turns a row of its file into what the model takes, and gives the model's figures in the
 * order of its quantities; reading, comparing and summing up are the same for all (validate.c). */
#ifndef HEDDLE_POWER_VALIDATE_GROUP_H
#define HEDDLE_POWER_VALIDATE_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/csv.h"

enum { VALIDATE_QUANTITIES = 20 };

struct validate_quantity {
    const char *name;
    const char *column; /* of the reference */
    const char *until;  /* column of the upper end, where the reference is an interval; else NULL */
    double unit;        /* SI units in one of the column */
    bool is_shown_only; /* without limits */
};

struct validate_point {
    uint32_t node;
    const char *words;                 /* what was built, for people */
    bool is_elsewhere;                 /* another group compares this row */
    const char *left_out;              /* why the row is not compared; NULL: it is */
    double model[VALIDATE_QUANTITIES]; /* SI */
    bool skip[VALIDATE_QUANTITIES];    /* quantities that this row says nothing about */
    /* What a quantity is a part of: where the reference has none of it, the model may have a
     * thousandth of the whole. */
    double whole[VALIDATE_QUANTITIES];
};

struct validate_line {
    const struct csv *table;
    int row;
    struct arena *arena;
    struct err *e;
};

struct validate_group {
    const char *name, *file;
    const struct validate_quantity *quantity;
    int n;
    bool (*point)(const struct validate_line *l, struct validate_point *p);
};

extern const struct validate_group validate_router, validate_clock, validate_link;
extern const struct validate_group validate_photonic, validate_array, validate_array_wide;

bool validate_count(const struct validate_line *l, const char *column, uint32_t *out);
bool validate_real(const struct validate_line *l, const char *column, double *out);
const char *validate_text(const struct validate_line *l, const char *column); /* NULL: *e is set */
/* The row makes no sense to the model: its error with file and line before it, always false. */
bool validate_blame(const struct validate_line *l, const struct err *why);

#endif
