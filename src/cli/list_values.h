/* list_values.h - heddle list values: what a parameter can be set to. */
#ifndef HEDDLE_CLI_LIST_VALUES_H
#define HEDDLE_CLI_LIST_VALUES_H

#include "base/err.h"

/* Of a choice its words, of a switch true and false, of the name of a policy or topology those that
 * are registered, one per line; nothing of numbers. */
bool list_values(const char *parameter, struct err *e);

#endif
