/* csv.h - a table of comma-separated values: a line of column names, then rows of as many cells.
 *
 * A cell may stand in double quotes ("" is a quote in it) but stays on its line.  Blank lines, lines
 * that begin with '#', a byte order mark and carriage returns at the ends of lines mean nothing.  Everything that is
 * refused is named with file and line. */
#ifndef HEDDLE_BASE_CSV_H
#define HEDDLE_BASE_CSV_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

struct csv {
    const char *file;
    int ncolumns, nrows;
    const char **name; /* of columns */
    const char **cell; /* row by row */
    int *line;         /* of each row, from 1 */
};

/* NULL with *e set. */
struct csv *csv_read(struct arena *a, const char *path, struct err *e);

/* The place of a column; -1 with *e set ("did you mean") when there is none. */
int csv_column(const struct csv *t, const char *name, struct err *e);

const char *csv_text(const struct csv *t, int row, int column); /* "" where a cell is empty */
/* A finite number without a unit, whatever the locale. */
bool csv_real(const struct csv *t, int row, int column, double *out, struct err *e);
bool csv_count(const struct csv *t, int row, int column, uint32_t *out, struct err *e);
/* "file:line: column: why", always false. */
bool csv_refuse(const struct csv *t, int row, int column, const char *why, struct err *e);

#endif
