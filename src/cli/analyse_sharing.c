/* analyse_sharing.c - the tables of --analyse sharing: distances of CTAs, sharers, misses by class, loads of
 * shared blocks, CTA times. */
#include "cli/analyse_sharing.h"

#include <math.h>

#include "cli/table.h"

static double get(const struct results_view *v, const char *name)
{
    return stats_snapshot_value(v->values, name);
}

static double get2(const struct results_view *v, const char *path, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s", path, name);
    return get(v, full);
}

static const char *number(struct arena *a, double v, int digits)
{
    return isfinite(v) ? arena_printf(a, "%.*f", digits, v) : "-";
}

static const char *percent(struct arena *a, double part, double whole)
{
    return number(a, whole > 0 ? 100 * part / whole : NAN, 1);
}

static const char *derived(struct arena *a, const struct results_view *v, const char *name,
                           int digits)
{
    return number(a, results_derived(v, name), digits);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void print_blocks(const struct results_view *v, struct arena *a, FILE *out)
{
    fprintf(out,
            "\nsharing: %s blocks of 128 bytes of global memory, counted once for each kernel that "
            "touches them\n%s %% were touched by several CTAs (nearest less than 5 apart: %s %% of "
            "these), %s %% by several SMs (%s on average)\n",
            table_count(a, get(v, "sharing.blocks")), derived(a, v, "cta_shared", 1),
            derived(a, v, "cta_shared_near", 1), derived(a, v, "sm_shared", 1),
            derived(a, v, "sms_per_shared_block", 2));
}

static void print_distances(const struct results_view *v, struct arena *a, FILE *out)
{
    static const char *const heads[] = {"<apart, %", "1", "2",    "3",     "4",     "5",   "6",
                                        "7",         "8", "9-16", "17-32", "33-64", "more"};
    static const char *const bins[] = {"1", "2", "3",  "4",  "5",  "6",
                                       "7", "8", "16", "32", "64", "more"};
    static const char *const rows[][2] = {{"nearest CTAs of a block", "sharing.distance_"},
                                          {"a CTA and the next", "sharing.step_"},
                                          {"any two CTAs", "sharing.pair_"}};
    enum { BINS = sizeof bins / sizeof bins[0] };
    struct table *t = table_new(a, heads, BINS + 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double sum = 0;
        for (int k = 0; k < BINS; k++)
            sum += get2(v, rows[i][1], bins[k]);
        table_cell(t, "%s", rows[i][0]);
        for (int k = 0; k < BINS; k++)
            table_cell(t, "%s", percent(a, get2(v, rows[i][1], bins[k]), sum));
    }
    fputc('\n', out);
    table_print(t, out);
}

/* At most so many SMs are not at least one more. */
static double at_most(const struct results_view *v, const char *path, int sms)
{
    char name[32];
    snprintf(name, sizeof name, "sharers_%d", sms + 1);
    double more = get2(v, path, name);
    return get2(v, path, "sharers_1") - (isnan(more) ? 0 : more);
}

static void sharers_row(struct table *t, const struct results_view *v, const char *label,
                        const char *path, struct arena *a)
{
    static const int sms[] = {1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15, 31, 63};
    table_cell(t, "%s", label);
    for (size_t i = 0; i < sizeof sms / sizeof sms[0]; i++)
        table_cell(t, "%s", percent(a, at_most(v, path, sms[i]), get2(v, path, "sharers_1")));
}

static void print_sharers(const struct results_view *v, struct arena *a, FILE *out)
{
    static const char *const heads[] = {"<at most, %", "1", "2",  "3",  "4",  "5",  "6",
                                        "7",           "9", "11", "13", "15", "31", "63"};
    struct table *t = table_new(a, heads, sizeof heads / sizeof heads[0]);
    sharers_row(t, v, "SMs of a block", "sharing.", a);
    if (stats_snapshot_has(v->values, "sharing.l2.sharers_1"))
        sharers_row(t, v, "SMs of a line in the L2", "sharing.l2.", a);
    fputc('\n', out);
    table_print(t, out);
}

/* ---- caches ---------------------------------------------------------------------------------- */

static void print_misses(const struct results_view *v, struct arena *a, FILE *out)
{
    static const char *const heads[] = {
        "<misses",    "all",           "compulsory %",        "capacity %",
        "conflict %", "invalidated %", "if fully associative"};
    static const char *const rows[][2] = {{"L1", "sharing.l1."}, {"L2", "sharing.l2."}};
    static const char *const classes[] = {"compulsory", "capacity", "conflict", "invalidated"};
    struct table *t = table_new(a, heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double n[4], all = 0;
        for (int k = 0; k < 4; k++) {
            n[k] = get2(v, rows[i][1], classes[k]);
            all += isnan(n[k]) ? 0 : n[k];
        }
        if (isnan(n[0]))
            continue;
        table_cell(t, "%s", rows[i][0]);
        table_cell(t, "%s", table_count(a, all));
        for (int k = 0; k < 4; k++)
            table_cell(t, "%s", percent(a, n[k], all));
        table_cell(t, "%s", table_count(a, get2(v, rows[i][1], "full_misses")));
    }
    fputc('\n', out);
    table_print(t, out);
}

static void print_loads(const struct results_view *v, struct arena *a, FILE *out)
{
    static const char *const heads[] = {"<loads of blocks of several SMs", "all", "hits %",
                                        "in an MSHR %", "misses %"};
    static const char *const reuse[] = {
        "<hits and misses after a fill, %", "below 10", "100", "1000", "10000", "more"};
    static const char *const kinds[] = {"hits", "merges", "misses"};
    static const char *const bins[] = {"0", "10", "100", "1000", "10000"};
    struct table *t = table_new(a, heads, 5), *u = table_new(a, reuse, 6);
    double loads = 0, uses = 0;
    for (int k = 0; k < 3; k++)
        loads += get2(v, "sharing.shared_", kinds[k]);
    for (int k = 0; k < 5; k++)
        uses += get2(v, "sharing.reuse_", bins[k]);
    table_cell(t, "through the L1");
    table_cell(t, "%s", table_count(a, loads));
    for (int k = 0; k < 3; k++)
        table_cell(t, "%s", percent(a, get2(v, "sharing.shared_", kinds[k]), loads));
    table_cell(u, "of these, cycles");
    for (int k = 0; k < 5; k++)
        table_cell(u, "%s", percent(a, get2(v, "sharing.reuse_", bins[k]), uses));
    fputc('\n', out);
    table_print(t, out);
    fputc('\n', out);
    table_print(u, out);
}

/* ---- CTAs ------------------------------------------------------------------------------------ */

static void times_row(struct table *t, const struct results_view *v, const char *name,
                      struct arena *a)
{
    static const char *const columns[] = {"cta_mean", "cta_sigma", "cta_least", "cta_most",
                                          "row_sigma"};
    table_cell(t, "%s", name);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        table_cell(t, "%s", number(a, get2(v, "sharing.", columns[i]), 0));
    table_cell(t, "%s", number(a, get(v, "sharing.cta_misfit") / 1000, 3));
    table_cell(t, "%.0f of %.0f", get(v, "sharing.cta_gaussian"), get(v, "sharing.cta_fitted"));
}

static void print_times(const struct run_report *r, struct arena *a, FILE *out)
{
    static const char *const heads[] = {"<cycles of CTAs", "mean",   "sigma",
                                        "least",           "most",   "sigma of rows",
                                        "from Gaussian",   "fitting"};
    uint32_t n = r->nkernels < r->most_kernels ? r->nkernels : r->most_kernels;
    struct table *t = table_new(a, heads, sizeof heads / sizeof heads[0]);
    for (uint32_t i = 0; i < n; i++) {
        struct results_view v = results_of_kernel(r->sum->scale, r->kernels[i], a);
        if (v.values)
            times_row(t, &v, r->kernels[i]->name, a);
    }
    if (r->nkernels != 1)
        times_row(t, r->sum, "all kernels", a);
    fputc('\n', out);
    table_print(t, out);
    fputs("(rows: of the grid; fitting: kernels that do not refute the Gaussian, of those with "
          "enough "
          "CTAs)\n",
          out);
}

void analyse_sharing_print(const struct run_report *r, struct arena *a, FILE *out)
{
    print_blocks(r->sum, a, out);
    print_distances(r->sum, a, out);
    print_sharers(r->sum, a, out);
    print_misses(r->sum, a, out);
    print_loads(r->sum, a, out);
    print_times(r, a, out);
}
