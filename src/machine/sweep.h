/* sweep.h - the networks that the CD-Xbar paper compares, for any number of SMs, and their cost.
 *
 * Sizes are those of Table 1; other numbers of SMs follow its rules (docs/model/cost.md). */
#ifndef HEDDLE_MACHINE_SWEEP_H
#define HEDDLE_MACHINE_SWEEP_H

#include "fabric/netcost.h"
#include "noc/count.h"

enum sweep_kind {
    SWEEP_MESH,
    SWEEP_SMESH,
    SWEEP_CLOS,
    SWEEP_FLY,
    SWEEP_XBAR,
    SWEEP_CDXBAR,
    SWEEP_KINDS
};
extern const char *const sweep_names[SWEEP_KINDS]; /* names of topologies: "mesh", ... */

enum { SWEEP_MAX_SMS = 4000 };

struct sweep_spec {
    uint32_t sms;       /* 1 .. SWEEP_MAX_SMS */
    uint32_t slices;    /* 16 (sections 2 and 5.4), or 8 (section 5.1) */
    bool is_smesh_even; /* all S-Mesh routers 4x4, as Table 2 counts them; false: as trimmed */
    int nsets;
    const char *const *set; /* assignments over what the paper says: "power.node=32" */
};

struct sweep_network {
    const char *size; /* as Table 1 has it: "10x10", "(8, 10, 10)" */
    const struct config *cfg;
    struct fabric graphs; /* request and reply */
    struct netcost net[2];
    struct count count;          /* Table 2 */
    double area[NETCOST_PARTS];  /* m2 of active silicon, both networks */
    double power[NETCOST_PARTS]; /* W at power.load */
    double wire_area, max_clock;
    bool links_met;
};

bool sweep_network(enum sweep_kind kind, const struct sweep_spec *s, struct arena *a,
                   struct sweep_network *n, struct err *e);

/* W by part when all cores together send `flits[0]` flits per cycle to all slices, and these
 * `flits[1]` to the cores, every pair as many as any other. */
void sweep_power(const struct sweep_network *n, const double flits[2], struct arena *a,
                 double power[NETCOST_PARTS]);

double sweep_sum(const double part[NETCOST_PARTS]);

#endif
