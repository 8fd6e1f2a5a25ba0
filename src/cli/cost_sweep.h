/* cost_sweep.h - what heddle cost --sweep finds, and the documents of it. */
#ifndef HEDDLE_CLI_COST_SWEEP_H
#define HEDDLE_CLI_COST_SWEEP_H

#include "cli/cost_claims.h"

enum { COST_SWEEP_POINTS = 10 };

struct cost_sweep_results {
    int n;
    uint32_t sms[COST_SWEEP_POINTS];
    struct sweep_network network[COST_SWEEP_POINTS][SWEEP_KINDS];
    int nevaluations;
    const struct cost_evaluation *evaluation; /* the first: as the paper says */
};

bool cost_sweep_json(const struct cost_sweep_results *r, const char *path, struct err *e);
bool cost_sweep_csv(const struct cost_sweep_results *r, const char *path, struct err *e);

#endif
