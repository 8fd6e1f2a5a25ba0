/* cost_claims.c - claims of the CD-Xbar paper about area, power and clock, under several readings.
 *
 * Sections 2.2, 2.3, 5.3 and 5.4.  The paper prices with DSENT; this prices with the models of
 * src/power.  Power of Fig. 11 is of the traffic that Fig. 4 reports, 2.8 request and 9.7 reply flits
 * per cycle for 16 slices, scaled to 8: section 4 has activity counted in simulations, whose counts
 * it does not print.  What the paper leaves open is a row of `variants`; docs/model/cost.md says why
 * the first row is as it is. */
#include "cli/cost_claims.h"

#include <math.h>
#include <string.h>

#include "cli/cost_options.h"

/* Fig. 4: flits of 32 bytes per cycle and slice, to the slice and from it. */
static const double traffic_per_slice[2] = {2.8 / 16, 9.7 / 16};
enum { TRAFFIC_FLIT = 32 };

const struct cost_claim cost_claims[CLAIMS] = {
    [CLAIM_MESH_AREA] = {"mesh_area", "mesh mm2", "mesh over crossbar, active area, 80 SMs", "2.2",
                         4, 1, true, "x%.2f", 1},
    [CLAIM_XBAR_AREA] = {"xbar_area", "xbar mm2", "crossbar over CD-Xbar, active area, 80 SMs",
                         "5.4", 0.269, 0, false, "%+.1f %%", 100},
    [CLAIM_XBAR_CLOCK] = {"xbar_clock", "xbar clock", "clock of the 80x16 crossbar", "5.4", 600e6,
                          1.4e9, false, "%.0f MHz", 1e-6},
    [CLAIM_CDXBAR_AREA] = {"cdxbar_area", "cdxbar mm2", "CD-Xbar over mesh, active area, 56 SMs",
                           "5.3", -0.525, 0, false, "%+.1f %%", 100},
    [CLAIM_CDXBAR_POWER] = {"cdxbar_power", "cdxbar W", "CD-Xbar over mesh, power, 56 SMs", "5.3",
                            -0.485, 0, false, "%+.1f %%", 100},
    [CLAIM_SMESH_POWER] = {"smesh_power", "smesh W", "S-Mesh over mesh, power, 56 SMs", "5.3",
                           -0.187, 0, false, "%+.1f %%", 100},
};

const enum sweep_kind cost_fig11_kinds[FIG11_NETWORKS] = {SWEEP_MESH, SWEEP_SMESH, SWEEP_CDXBAR};

enum verdict cost_claim_verdict(const struct cost_claim *c, double measured)
{
    struct study_figure rule = {.reproduced = c->is_bound ? 0 : STUDY_TOLERANCE,
                                .neutral = c->neutral};
    if (c->is_bound && measured > c->paper)
        return VERDICT_REPRODUCED;
    return verdict_of(&rule, c->paper, measured);
}

/* ---- readings ---- */

struct variant {
    const char *text;
    const char *set, *mesh_set; /* for all networks; for the meshes of Fig. 11 alone */
    double traffic;             /* of what Fig. 4 reports; 0: power.load at every port instead */
    bool is_smesh_even;
};

static const struct variant variants[] = {
    {"as above", NULL, NULL, 1, false},
    {"links in one cycle", "power.link_cycles=1", NULL, 1, false},
    {"links in two cycles", "power.link_cycles=2", NULL, 1, false},
    {"links in three cycles", "power.link_cycles=3", NULL, 1, false},
    {"SM to local crossbar 3.3 mm", "cdxbar.core_mm=3.3", NULL, 1, false},
    {"all CD-Xbar links 3.3 mm", "cdxbar.core_mm=3.3 cdxbar.link_mm=3.3 cdxbar.mem_mm=3.3", NULL, 1,
     false},
    {"56-SM meshes of 32 B channels", NULL, "noc.width=32", 1, false},
    {"700 MHz: cells, links, run", "noc.clock=700MHz", NULL, 1, false},
    {"2 GHz: cells, links, run", "noc.clock=2GHz", NULL, 1, false},
    {"with VC allocators", "power.vc_allocator=true", NULL, 1, false},
    {"power.load at every port", NULL, NULL, 0, false},
    {"a quarter of the traffic", NULL, NULL, 0.25, false},
    {"slices at the rim of 56-SM meshes", NULL, "mesh.mem=[2,5,16,23,40,47,58,61]", 1, false},
    {"S-Mesh of 4x4 routers throughout", NULL, NULL, 1, true},
};
const int cost_nevaluations = (int)(sizeof variants / sizeof variants[0]);

struct reading {
    const struct variant *variant;
    struct arena *arena;
    int nsets;
    const char *set[COST_MAX_SETS + 8];
};

/* Assignments with blanks between them. */
static void add_sets(struct reading *r, const char *sets)
{
    char *rest = sets ? arena_strdup(r->arena, sets) : NULL;
    while (rest && *rest)
        r->set[r->nsets++] = cost_next_word(&rest, ' ');
}

static bool build(const struct reading *r, enum sweep_kind kind, uint32_t sms,
                  struct sweep_network *n, struct err *e)
{
    struct reading own = *r;
    bool is_fig11 = sms == FIG11_SMS;
    if (is_fig11 && (kind == SWEEP_MESH || kind == SWEEP_SMESH))
        add_sets(&own, r->variant->mesh_set);
    struct sweep_spec s = {.sms = sms,
                           .slices = is_fig11 ? FIG11_SLICES : 16,
                           .is_smesh_even = r->variant->is_smesh_even,
                           .nsets = own.nsets,
                           .set = own.set};
    return sweep_network(kind, &s, r->arena, n, e);
}

static double over(double v, double base)
{
    return v / base - 1;
}

static bool evaluate_80(const struct reading *r, struct cost_evaluation *v, struct err *e)
{
    struct sweep_network mesh, xbar, cdxbar;
    if (!build(r, SWEEP_MESH, 80, &mesh, e) || !build(r, SWEEP_XBAR, 80, &xbar, e) ||
        !build(r, SWEEP_CDXBAR, 80, &cdxbar, e))
        return false;
    v->value[CLAIM_MESH_AREA] = sweep_sum(mesh.area) / sweep_sum(xbar.area);
    v->value[CLAIM_XBAR_AREA] = over(sweep_sum(xbar.area), sweep_sum(cdxbar.area));
    v->value[CLAIM_XBAR_CLOCK] = xbar.max_clock;
    return true;
}

static void price_traffic(const struct reading *r, const struct sweep_network *n, double *power)
{
    const struct noc_spec *noc = config_get(n->cfg, &noc_section);
    double flits[2], wide = TRAFFIC_FLIT / (double)noc->width;
    for (int i = 0; i < 2; i++)
        flits[i] = traffic_per_slice[i] * FIG11_SLICES * wide * r->variant->traffic;
    if (r->variant->traffic > 0)
        sweep_power(n, flits, r->arena, power);
    else
        memcpy(power, n->power, sizeof n->power);
}

static bool evaluate_56(const struct reading *r, struct cost_evaluation *v, struct err *e)
{
    for (int i = 0; i < FIG11_NETWORKS; i++) {
        if (!build(r, cost_fig11_kinds[i], FIG11_SMS, &v->fig11[i], e))
            return false;
        price_traffic(r, &v->fig11[i], v->fig11_power[i]);
    }
    double mesh = sweep_sum(v->fig11_power[0]);
    v->value[CLAIM_SMESH_POWER] = over(sweep_sum(v->fig11_power[1]), mesh);
    v->value[CLAIM_CDXBAR_POWER] = over(sweep_sum(v->fig11_power[2]), mesh);
    v->value[CLAIM_CDXBAR_AREA] = over(sweep_sum(v->fig11[2].area), sweep_sum(v->fig11[0].area));
    return true;
}

bool cost_evaluate(int i, const char *const *set, int nsets, struct arena *a,
                   struct cost_evaluation *v, struct err *e)
{
    const struct variant *variant = &variants[i];
    struct reading r = {.variant = variant, .arena = a, .nsets = nsets};
    HD_ASSERT(nsets <= COST_MAX_SETS, "%d sets", nsets);
    memcpy(r.set, set, (size_t)nsets * sizeof *set);
    add_sets(&r, variant->set);
    *v = (struct cost_evaluation){.text = variant->text};
    v->set = variant->set ? variant->set : variant->mesh_set ? variant->mesh_set : "";
    return evaluate_80(&r, v, e) && evaluate_56(&r, v, e);
}
