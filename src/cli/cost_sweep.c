/* cost_sweep.c - heddle cost --sweep: Tables 1 and 2, Figs 2, 3 and 11 of the CD-Xbar paper, its
 * claims, and how far these hang on what it leaves open. */
#include "cli/cost_sweep.h"

#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "cli/cost_options.h"
#include "cli/table.h"
#include "noc/net.h"

enum { BAR = 20 };

/* ---- what is asked for ---- */

static bool parse_list(const char *text, struct arena *a, struct cost_sweep_results *r,
                       struct err *e)
{
    static const char key[] = "sms=";
    bool ok = strncmp(text, key, sizeof key - 1) == 0;
    char *rest = ok ? arena_strdup(a, text + sizeof key - 1) : NULL;
    r->n = 0;
    while (ok && rest) {
        int64_t v;
        const char *word = cost_next_word(&rest, ',');
        ok = r->n < COST_SWEEP_POINTS && str_to_int(word, &v) && v >= 1 && v <= SWEEP_MAX_SMS;
        if (ok)
            r->sms[r->n++] = (uint32_t)v;
    }
    return ok || err_set(e, STATUS_BAD_INPUT,
                         "--sweep %s: expected up to %d numbers of SMs from 1 to %d, as in "
                         "sms=20,80,120,180",
                         text, COST_SWEEP_POINTS, SWEEP_MAX_SMS);
}

static bool compute(const struct cost_options *o, struct arena *a, struct cost_sweep_results *r,
                    struct err *e)
{
    for (int i = 0; i < r->n; i++) {
        struct sweep_spec s = {.sms = r->sms[i], .slices = 16, .nsets = o->nsets, .set = o->set};
        for (int k = 0; k < SWEEP_KINDS; k++)
            if (!sweep_network((enum sweep_kind)k, &s, a, &r->network[i][k], e))
                return false;
    }
    struct cost_evaluation *v = ARENA_ARRAY(a, struct cost_evaluation, cost_nevaluations);
    for (int i = 0; i < cost_nevaluations; i++)
        if (!cost_evaluate(i, o->set, o->nsets, a, &v[i], e))
            return false;
    r->nevaluations = cost_nevaluations;
    r->evaluation = v;
    return true;
}

/* ---- Tables 1 and 2 ---- */

/* Table 2, which is of 80 SMs: routers, VC buffers, links. */
static const char *const paper_counts[SWEEP_KINDS] = {
    [SWEEP_MESH] = "200, 4000, 912", [SWEEP_SMESH] = "200, 3000, 732",
    [SWEEP_CLOS] = "56, 2080, 512",  [SWEEP_FLY] = "40, 1600, 392",
    [SWEEP_XBAR] = "2, 384, 192",    [SWEEP_CDXBAR] = "-",
};

static void print_counts(const struct cost_sweep_results *r, struct arena *a)
{
    static const char *const heads[] = {"SMs",        "<network", "<size",  "routers",
                                        "VC buffers", "links",    "<paper", "<crossbars"};
    struct table *t = table_new(a, heads, 8);
    for (int i = 0; i < r->n; i++) {
        for (int k = 0; k < SWEEP_KINDS; k++) {
            const struct sweep_network *n = &r->network[i][k];
            const struct count_xbar *x = n->count.xbar;
            table_cell(t, "%u", r->sms[i]);
            table_cell(t, "%s", sweep_names[k]);
            table_cell(t, "%s", n->size);
            table_cell(t, "%" PRIu64, n->count.routers);
            table_cell(t, "%" PRIu64, n->count.buffers);
            table_cell(t, "%" PRIu64, n->count.links);
            table_cell(t, "%s", r->sms[i] == 80 ? paper_counts[k] : "-");
            table_cell(t, "%" PRIu64 " of %ux%u%s", x->n, x->in, x->out,
                       n->count.nxbars > 1 ? ", ..." : "");
        }
    }
    puts("Tables 1 and 2: sizes and parts; request and reply networks together");
    table_print(t, stdout);
}

/* ---- Figs 2 and 3 ---- */

static void print_areas(const struct cost_sweep_results *r, struct arena *a)
{
    static const char *const heads[] = {"SMs",   "<network", "buffer", "crossbar", "allocator",
                                        "clock", "link",     "total",  "of xbar",  "<|"};
    struct table *t = table_new(a, heads, 10);
    for (int i = 0; i < r->n; i++) {
        double xbar = sweep_sum(r->network[i][SWEEP_XBAR].area), most = 0;
        for (int k = 0; k < SWEEP_KINDS; k++) {
            double sum = sweep_sum(r->network[i][k].area);
            most = sum > most ? sum : most;
        }
        for (int k = 0; k < SWEEP_KINDS; k++) {
            const double *area = r->network[i][k].area, sum = sweep_sum(area);
            table_cell(t, "%u", r->sms[i]);
            table_cell(t, "%s", sweep_names[k]);
            for (int p = 0; p < NETCOST_PARTS; p++)
                table_cell(t, "%.3f", area[p] * COST_MM2);
            table_cell(t, "%.3f", sum * COST_MM2);
            table_cell(t, "x%.2f", sum / xbar);
            table_cell(t, "|%s", cost_bar(a, sum, most, BAR));
        }
    }
    puts("\nFig. 2: active silicon area, mm2");
    table_print(t, stdout);
}

static double area_of(const struct sweep_network *n)
{
    return sweep_sum(n->area) * COST_MM2;
}

static double power_of(const struct sweep_network *n)
{
    return sweep_sum(n->power);
}

static double clock_of(const struct sweep_network *n)
{
    return n->max_clock * COST_GHZ;
}

static void print_by_sms(const struct cost_sweep_results *r, const char *title,
                         double (*value)(const struct sweep_network *n), struct arena *a)
{
    const char *heads[COST_SWEEP_POINTS + 1] = {"<network"};
    for (int i = 0; i < r->n; i++)
        heads[i + 1] = arena_printf(a, "%u SMs", r->sms[i]);
    struct table *t = table_new(a, heads, r->n + 1);
    for (int k = 0; k < SWEEP_KINDS; k++) {
        table_cell(t, "%s", sweep_names[k]);
        for (int i = 0; i < r->n; i++)
            table_cell(t, "%.3f", value(&r->network[i][k]));
    }
    printf("\n%s\n", title);
    table_print(t, stdout);
}

static void print_fig3(const struct cost_sweep_results *r, struct arena *a)
{
    const struct power_spec *p = config_get(r->network[0][0].cfg, &power_section);
    print_by_sms(r, "Fig. 3a: active silicon area, mm2", area_of, a);
    print_by_sms(r, arena_printf(a, "Fig. 3b: power, W, at %g flits per cycle and port", p->load),
                 power_of, a);
    print_by_sms(r, "Fig. 3c: highest clock of the slowest router, GHz", clock_of, a);
}

static void print_late_links(const struct cost_sweep_results *r)
{
    for (int i = 0; i < r->n; i++)
        for (int k = 0; k < SWEEP_KINDS; k++)
            if (!r->network[i][k].links_met)
                printf("%s at %u SMs: links miss their time\n", sweep_names[k], r->sms[i]);
}

/* ---- Fig. 11 and claims ---- */

static void print_fig11(const struct cost_evaluation *v, struct arena *a)
{
    static const char *const heads[] = {"<network", "buffer",  "crossbar", "link",    "other",
                                        "W",        "of mesh", "area mm2", "of mesh", "wires mm2"};
    struct table *t = table_new(a, heads, 10);
    for (int i = 0; i < FIG11_NETWORKS; i++) {
        const double *w = v->fig11_power[i], sum = sweep_sum(w);
        table_cell(t, "%s %s", sweep_names[cost_fig11_kinds[i]], v->fig11[i].size);
        table_cell(t, "%.3f", w[NETCOST_BUFFER]);
        table_cell(t, "%.3f", w[NETCOST_CROSSBAR]);
        table_cell(t, "%.3f", w[NETCOST_LINK]);
        table_cell(t, "%.3f", w[NETCOST_ALLOCATOR] + w[NETCOST_CLOCK]);
        table_cell(t, "%.3f", sum);
        table_cell(t, "%+.1f %%", 100 * (sum / sweep_sum(v->fig11_power[0]) - 1));
        table_cell(t, "%.3f", area_of(&v->fig11[i]));
        table_cell(t, "%+.1f %%", 100 * (area_of(&v->fig11[i]) / area_of(&v->fig11[0]) - 1));
        table_cell(t, "%.3f", v->fig11[i].wire_area * COST_MM2);
    }
    printf(
        "\nFig. 11: %d SMs, %d slices: power W under the traffic of Fig. 4, area, global wires\n",
        FIG11_SMS, FIG11_SLICES);
    table_print(t, stdout);
}

static void cell_of_claim(struct table *t, const struct cost_claim *c, double v)
{
    char text[64];
    snprintf(text, sizeof text, c->format, v * c->scale);
    table_cell(t, "%s", text);
}

static void cell_of_paper(struct table *t, const struct cost_claim *c)
{
    char text[64];
    snprintf(text, sizeof text, c->format, c->paper * c->scale);
    table_cell(t, "%s%s", c->is_bound ? "> " : "", text);
}

static void print_claims(const struct cost_evaluation *v, struct arena *a)
{
    static const char *const heads[] = {"<claim", "<section", "paper", "here", "<verdict"};
    struct table *t = table_new(a, heads, 5);
    for (int i = 0; i < CLAIMS; i++) {
        const struct cost_claim *c = &cost_claims[i];
        table_cell(t, "%s", c->text);
        table_cell(t, "%s", c->section);
        cell_of_paper(t, c);
        cell_of_claim(t, c, v->value[i]);
        table_cell(t, "%s", verdict_name[cost_claim_verdict(c, v->value[i])]);
    }
    puts("\nWhat the CD-Xbar paper says");
    table_print(t, stdout);
}

static void print_sensitivity(const struct cost_sweep_results *r, struct arena *a)
{
    const char *heads[CLAIMS + 1] = {"<assumption"};
    for (int i = 0; i < CLAIMS; i++)
        heads[i + 1] = cost_claims[i].head;
    struct table *t = table_new(a, heads, CLAIMS + 1);
    table_cell(t, "the paper");
    for (int i = 0; i < CLAIMS; i++)
        cell_of_paper(t, &cost_claims[i]);
    for (int k = 0; k < r->nevaluations; k++) {
        table_cell(t, "%s", r->evaluation[k].text);
        for (int i = 0; i < CLAIMS; i++)
            cell_of_claim(t, &cost_claims[i], r->evaluation[k].value[i]);
    }
    puts("\nWhat the claims rest on: one thing changed at a time");
    table_print(t, stdout);
}

static void print_assumptions(const struct sweep_network *n)
{
    const struct noc_spec *noc = config_get(n->cfg, &noc_section);
    const struct router_spec *router = config_get(n->cfg, &router_section);
    const struct power_spec *power = config_get(n->cfg, &power_section);
    printf("%s nm, %.3g GHz, channels of %lld B, %lld VCs of %lld flits, %s VC allocators, ",
           power->node, noc->clock * COST_GHZ, (long long)noc->width, (long long)router->vcs,
           (long long)router->depth, power->vc_allocator ? "with" : "no");
    if (power->link_cycles)
        printf("links in %lld cycles\n\n", (long long)power->link_cycles);
    else
        printf("links in the networks' cycles\n\n");
}

static void print(const struct cost_sweep_results *r, struct arena *a)
{
    print_assumptions(&r->network[0][SWEEP_XBAR]);
    print_counts(r, a);
    print_areas(r, a);
    print_fig3(r, a);
    print_late_links(r);
    print_fig11(&r->evaluation[0], a);
    print_claims(&r->evaluation[0], a);
    print_sensitivity(r, a);
}

bool cost_sweep(const struct cost_options *o, struct arena *a, struct err *e)
{
    struct cost_sweep_results *r = ARENA_NEW(a, struct cost_sweep_results);
    if (!parse_list(o->subject[COST_SWEEP], a, r, e) || !compute(o, a, r, e) ||
        (o->json && !cost_sweep_json(r, o->json, e)) || (o->csv && !cost_sweep_csv(r, o->csv, e)))
        return false;
    if (!cost_is_quiet(o))
        print(r, a);
    return true;
}
