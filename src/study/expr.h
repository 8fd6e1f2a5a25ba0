/* expr.h - arithmetic over names, as study files write it.
 *
 *     ipc / base.ipc - 1        max(l1.hits, 1)        value(fig7, icc, mean) > 1 && ...
 *
 * From weakest to strongest: ||, &&, one comparison, + -, * /, - and ! before an operand.  A truth
 * is 1 or 0.  What is not a number (a run that is missing, a division by zero) makes everything it
 * enters not a number, comparisons too: nothing is concluded from what was not measured. */
#ifndef HEDDLE_STUDY_EXPR_H
#define HEDDLE_STUDY_EXPR_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

struct expr;

struct expr_name { /* in the order of the text, each time it is used */
    const char *text;
    int column; /* from 1 */
    const struct expr_name *next;
};

struct expr_ref { /* value(FIGURE, VARIANT, WORKLOAD) or value(FIGURE, VARIANT, WORKLOAD, PART) */
    const char *figure, *variant, *workload, *part; /* part may be NULL */
    int column;
    const struct expr_ref *next;
};

/* NULL with *e set: "column 7: expected ...", without file and line. */
const struct expr *expr_parse(struct arena *a, const char *text, struct err *e);

const struct expr_name *expr_names(const struct expr *x);
const struct expr_ref *expr_refs(const struct expr *x);
/* Whether it is a quotient by something that begins with "base.". */
bool expr_is_ratio(const struct expr *x);

/* Units of names; NULL: not known. */
struct expr_units {
    const char *(*of)(const void *context, const char *name);
    const void *context;
};
/* The unit of what comes out: that of the one name there is, or of all that are added or compared
 * by min and max.  NULL: not known. */
const char *expr_unit(const struct expr *x, const struct expr_units *u);

/* What names stand for; NaN: no value. */
struct expr_world {
    double (*name)(void *context, const char *name);
    double (*value)(void *context, const struct expr_ref *r);
    void *context;
};
double expr_eval(const struct expr *x, const struct expr_world *w);

#endif
