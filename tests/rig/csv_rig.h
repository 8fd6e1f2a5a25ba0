/* csv_rig.h - tables of numbers from tests/data. */
#ifndef HEDDLE_TESTS_RIG_CSV_RIG_H
#define HEDDLE_TESTS_RIG_CSV_RIG_H

#include <stdbool.h>

#include "base/arena.h"

#define CSV_RIG_COLUMNS 16

struct csv_row {
    const char *name; /* the first column, if `named`; else "" */
    double v[CSV_RIG_COLUMNS];
};

struct csv {
    int rows, columns; /* columns of numbers */
    struct csv_row *row;
};

/* Reads tests/data/<path>, of which the first line is a heading.  rows is 0 when there is no
 * such file; anything but numbers where numbers belong fails the test. */
struct csv csv_rig_read(struct arena *a, const char *path, bool named);

#endif
