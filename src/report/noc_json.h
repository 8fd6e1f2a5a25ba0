/* noc_json.h - measured points of a network as a JSON document. */
#ifndef HEDDLE_REPORT_NOC_JSON_H
#define HEDDLE_REPORT_NOC_JSON_H

#include "base/json.h"
#include "lab/point.h"

/* The two points of a search. */
enum { NOC_PEAK, NOC_KNEE, NOC_SEARCH_POINTS };

struct noc_results {
    const char *network;
    const struct config *config;
    bool saturation; /* the points are the two results of a search */
    bool stats, histogram;
    int n;
    struct point *point;
    struct lab **lab; /* of each point, or NULLs where nothing needs them */
};

/* Members of the object that is open. */
void noc_json(const struct noc_results *r, struct json *j);

#endif
