/* table.h - columns of text, each as wide as it needs to be, and numbers short enough for them. */
#ifndef HEDDLE_CLI_TABLE_H
#define HEDDLE_CLI_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

struct table;

/* Columns hold numbers, on the right; a head that begins with '<' is of one that holds words. */
struct table *table_new(struct arena *a, const char *const *heads, int columns);
/* The next cell; a full row is followed by the next. */
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_print(const struct table *t, FILE *out);

/* "812", "61.4k", "1.97M": three digits tell enough. */
const char *table_count(struct arena *a, double v);
/* "1 launch", "2 launches". */
const char *table_launches(struct arena *a, uint64_t n);
const char *table_bytes(struct arena *a, double v); /* "192 KiB" */

#endif
