/* curves.h - a picture of curves, made for latency over load. */
#ifndef HEDDLE_REPORT_CURVES_H
#define HEDDLE_REPORT_CURVES_H

#include <stdbool.h>

#include "base/err.h"

struct curve {
    const char *name;
    int n;
    const double *x, *y; /* in ascending x; points that are not finite are left out */
};

/* Both axes start at 0.  Latency grows without bound near saturation: y ends at six times the
 * lowest value (or what it takes to show three times the start of the highest curve), and curves
 * leave through the top. */
bool curves_write(const char *path, const struct curve *c, int n, const char *title,
                  const char *xlabel, const char *ylabel, struct err *e);

#endif
