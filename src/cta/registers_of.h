/* registers_of.h - the parameter sm.registers_of: "KERNEL=N, KERNEL=N, ...". */
#ifndef HEDDLE_CTA_REGISTERS_OF_H
#define HEDDLE_CTA_REGISTERS_OF_H

#include <stdint.h>

#include "base/err.h"

/* One line in *e about the first entry that makes no sense. */
bool registers_of_check(const char *list, struct err *e);
/* Whether the (checked) list has the kernel, by its name in the PTX or its plain C++ name; then
 * *registers is set.  The last entry counts. */
bool registers_of(const char *list, const char *kernel, uint32_t *registers);
/* The i-th name, and its length; NULL after the last. */
const char *registers_of_name(const char *list, uint32_t i, int *length);

#endif
