/* grid.h - tables of text that fit a page: long texts are wrapped, too many columns are continued
 * below; the same as Markdown. */
#ifndef HEDDLE_STUDY_GRID_H
#define HEDDLE_STUDY_GRID_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"

struct grid_column {
    const char *head;
    int cap;      /* wrap what is wider; 0: as wide as it needs to be */
    bool is_left; /* words; else numbers, on the right */
};

struct grid;

struct grid *grid_new(struct arena *a, const struct grid_column *columns, int n);
/* The next cell; a full row is followed by the next.  The text is copied. */
void grid_cell(struct grid *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* At most `width` wide, if columns allow; the first column stands before each group of columns. */
void grid_print(const struct grid *g, int indent, int width, FILE *out);
void grid_markdown(const struct grid *g, FILE *out);

/* Text wrapped at blanks. */
void grid_wrap(const char *text, int indent, int width, FILE *out);

#endif
