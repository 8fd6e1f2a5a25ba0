/* cost_json.h - what a machine, a network or a part costs, as a JSON document. */
#ifndef HEDDLE_REPORT_COST_JSON_H
#define HEDDLE_REPORT_COST_JSON_H

#include "base/json.h"
#include "machine/cost.h"

/* From SI units to those of the tables. */
#define COST_MM2 1e6
#define COST_UM2 1e12
#define COST_PJ 1e12
#define COST_MW 1e3
#define COST_NS 1e9
#define COST_GHZ 1e-9

struct cost_document {
    const char *name, *what; /* "icc60", "machine" */
    const struct noc_spec *noc;
    const struct power_spec *power;
    struct cost cost;
};

/* Members of the object that is open. */
void cost_json(const struct cost_document *d, struct json *j);

void cost_json_number(struct json *j, const char *key, double v);
/* "key": {"buffer": .., "total": ..}, each times `scale`. */
void cost_json_parts(struct json *j, const char *key, const double part[NETCOST_PARTS],
                     double scale);

#endif
