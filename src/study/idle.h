/* idle.h - settings of a study that have no effect. */
#ifndef HEDDLE_STUDY_IDLE_H
#define HEDDLE_STUDY_IDLE_H

#include "sim/config.h"
#include "study/study.h"

/* "a: mesh.width (...), b: the same as its base a", or "".  `configs` are [variant * nsetups + i]:
 * those that runs have been tried with, NULL where there is none; i of a row with settings of its own
 * is its index. */
const char *idle_settings(struct arena *a, const struct study *s, struct config *const *configs,
                          uint32_t nsetups);

#endif
