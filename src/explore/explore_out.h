/* explore_out.h - what an exploration found, for people and for programs. */
#ifndef HEDDLE_EXPLORE_EXPLORE_OUT_H
#define HEDDLE_EXPLORE_EXPLORE_OUT_H

#include <stdio.h>

#include "base/json.h"
#include "explore/explore_effects.h"

/* "-m icc60 --set l1.size=32K --set ...": how heddle run has the point. */
const char *explore_command(struct arena *a, const struct explore_point *p);

/* The fronts, classes of workloads, effects and how the front grew, as tables. */
void explore_print(const struct explore_result *r, struct arena *a, FILE *out);
/* Members of the object that is open: all points, the front, growth, classes, effects. */
void explore_json(const struct explore_result *r, struct arena *a, struct json *j);

#endif
