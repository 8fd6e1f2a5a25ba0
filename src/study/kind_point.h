/* kind_point.h - a measured point of a network (lab/point.h) as names and values. */
#ifndef HEDDLE_STUDY_KIND_POINT_H
#define HEDDLE_STUDY_KIND_POINT_H

#include "lab/point.h"
#include "study/kind.h"

enum { KIND_POINT_VALUES = 28 };
/* "latency", "latency.p99", ..., each behind `prefix`. */
void kind_point_add(struct kind_values *v, const struct point *p, const char *prefix,
                    struct arena *a);

/* The unit of a name of kind noc or saturation; NULL: it is none. */
const char *kind_point_unit(const char *name);

/* The load that the configuration offers. */
double kind_point_rate(const struct config *cfg);

#endif
