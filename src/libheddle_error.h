/* libheddle_error.h - from the library's own errors to those of the public interface. */
#ifndef HEDDLE_LIBHEDDLE_ERROR_H
#define HEDDLE_LIBHEDDLE_ERROR_H

#include <string.h>

#include "base/err.h"
#include "heddle/heddle.h"

_Static_assert((int)HD_BUDGET == (int)STATUS_BUDGET, "the two sets of statuses are one");

/* Passes an internal error on; returns whether there was none.  A caller that wants no error text
 * gives NULL. */
static inline bool pass(const struct err *from, struct hd_error *to)
{
    if (to) {
        to->status = (enum hd_status)from->status;
        memcpy(to->text, from->text, sizeof to->text);
    }
    return from->status == STATUS_DONE;
}

#endif
