/* study_unit.c - the units of what figures plot, and how people read numbers of such units.
 *
 * Derived statistics, prices and what is measured of networks have units, metrics may; what is
 * counted is a number, whatever its unit is called.  The file's word comes first: a figure's `unit`, then the metric's. */
#include <string.h>

#include "machine/cost_values.h"
#include "machine/results.h"
#include "study/kind_point.h"
#include "study/study_priv.h"

struct units {
    const struct study *study;
    const struct expr
        *expr; /* whose names are asked for: its own name in a metric is a statistic */
};

static const char *unit_of_name(const void *context, const char *name)
{
    const struct units *u = context;
    if (strncmp(name, "base.", 5) == 0)
        name += 5;
    const struct study_metric *m = study_metric(u->study, name);
    if (m && m->expr != u->expr)
        return *m->unit ? m->unit : study_unit(u->study, m->expr);
    for (size_t i = 0; i < results_nrows; i++)
        if (strcmp(results_rows[i].name, name) == 0)
            return results_rows[i].unit;
    return strncmp(name, "cost.", 5) == 0 ? cost_value_unit(name) : kind_point_unit(name);
}

const char *study_unit(const struct study *s, const struct expr *x)
{
    struct units u = {s, x};
    return expr_unit(x, &(struct expr_units){unit_of_name, &u});
}

enum study_format study_unit_format(const char *unit)
{
    return strcmp(unit, "fraction") == 0 ? FORMAT_PERCENT : FORMAT_NUMBER;
}
