/* svg.h - writing one SVG picture that needs nothing but itself.
 *
 * Coordinates and sizes are integers in tenths of a pixel, so that files are small and do not
 * depend on the locale.  The picture appears under its name only when it is complete: until then
 * it is written beside it. */
#ifndef HEDDLE_REPORT_SVG_H
#define HEDDLE_REPORT_SVG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"

#define SVG_PX 10 /* units in a pixel */

struct svg {
    FILE *out;
    const char *path, *temp; /* temp is NULL when written in place (a device or pipe) */
    struct arena *arena;     /* for the picture's own data; freed by svg_close */
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

struct svg_font {
    int size; /* in pixels */
    enum svg_anchor anchor;
    uint32_t colour; /* 0xrrggbb */
    bool bold;
};

/* False, with *e set: nothing was opened and svg_close must not be called. */
bool svg_open(struct svg *s, const char *path, struct err *e);
/* Size of the picture, white background; the first thing to be written. */
void svg_size(struct svg *s, int width, int height);
/* Ends and renames, or removes what was written and sets *e. */
bool svg_close(struct svg *s, struct err *e);

void svg_text(struct svg *s, int x, int y, struct svg_font font, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
void svg_escape(struct svg *s, const char *text);
void svg_line(struct svg *s, const int from[2], const int to[2], uint32_t colour, int width);
void svg_rect(struct svg *s, const int at[2], const int size[2], uint32_t fill);

/* A white one with a black rim: how pictures mark what a paper says. */
void svg_diamond(struct svg *s, int x, int y);

/* The shortest text for v rounded to `digits` decimals. */
#define SVG_REAL_N 32
const char *svg_real(char buf[SVG_REAL_N], double v, int digits);

#endif
