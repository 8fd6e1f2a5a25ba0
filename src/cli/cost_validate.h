/* cost_validate.h - heddle cost --validate: the models' errors against reference tools. */
#ifndef HEDDLE_CLI_COST_VALIDATE_H
#define HEDDLE_CLI_COST_VALIDATE_H

#include "base/arena.h"
#include "base/err.h"

/* `folder` NULL: the project's own reference.  Prints tables for people, unless `json` or `csv`
 * (both may be NULL) is "-".  False with *e set: STATUS_FAILED when a limit is exceeded, after
 * everything is written; STATUS_BAD_INPUT when a file is malformed or cannot be written. */
bool cost_validate(const char *folder, const char *json, const char *csv, struct arena *a,
                   struct err *e);

#endif
