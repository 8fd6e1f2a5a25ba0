/* cost_claims.h - what the CD-Xbar paper says about cost, what the models say, and how much of that
 * hangs on what the paper leaves open. */
#ifndef HEDDLE_CLI_COST_CLAIMS_H
#define HEDDLE_CLI_COST_CLAIMS_H

#include "machine/sweep.h"
#include "study/verdict.h"

enum cost_claim_id {
    CLAIM_MESH_AREA,
    CLAIM_XBAR_AREA,
    CLAIM_XBAR_CLOCK,
    CLAIM_CDXBAR_AREA,
    CLAIM_CDXBAR_POWER,
    CLAIM_SMESH_POWER,
    CLAIMS
};

struct cost_claim {
    const char *name, *head; /* "cdxbar_power", and a short one for tables */
    const char *text, *section;
    double paper;
    double neutral;     /* where there would be no effect */
    bool is_bound;      /* the paper says "more than" */
    const char *format; /* of value * scale */
    double scale;
};
extern const struct cost_claim cost_claims[CLAIMS];

enum verdict cost_claim_verdict(const struct cost_claim *c, double measured);

/* The networks of Fig. 11. */
enum { FIG11_SMS = 56, FIG11_SLICES = 8, FIG11_NETWORKS = 3 };
extern const enum sweep_kind cost_fig11_kinds[FIG11_NETWORKS];

struct cost_evaluation {
    const char *text, *set; /* of the assumption, and how to make it */
    double value[CLAIMS];
    struct sweep_network fig11[FIG11_NETWORKS];
    double fig11_power[FIG11_NETWORKS][NETCOST_PARTS]; /* W under the traffic of Fig. 4 */
};

/* Evaluation 0 is as the paper says and `set` does; each of the others changes one thing. */
extern const int cost_nevaluations;
bool cost_evaluate(int i, const char *const *set, int nsets, struct arena *a,
                   struct cost_evaluation *v, struct err *e);

#endif
