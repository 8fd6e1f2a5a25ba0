/* analyse_meetings.c - the table of --analyse meetings: reads of one row of DRAM by window. */
#include "cli/analyse_meetings.h"

#include "analysis/meetings.h"
#include "cli/table.h"

static double get(const struct results_view *v, const char *name, int window)
{
    char full[64];
    snprintf(full, sizeof full, "meetings.%s_%d", name, window);
    return stats_snapshot_value(v->values, full);
}

static void cell(struct table *t, double part, double whole)
{
    if (whole > 0)
        table_cell(t, "%.1f", 100 * part / whole);
    else
        table_cell(t, "-");
}

void analyse_meetings_print(const struct run_report *r, struct arena *a, FILE *out)
{
    static const char *const heads[] = {"<within",
                                        "reads per hold",
                                        "in holds of two or more %",
                                        "joined their SM's %",
                                        "... others' %",
                                        "holds flushed by stores %"};
    const struct results_view *v = r->sum;
    const double reads = stats_snapshot_value(v->values, "meetings.reads");
    struct table *t = table_new(a, heads, sizeof heads / sizeof heads[0]);
    for (int k = 1; k <= MEETING_WINDOWS; k++) {
        char name[32];
        snprintf(name, sizeof name, "meetings.holds_%d", k);
        if (!stats_snapshot_has(v->values, name))
            break;
        const double holds = get(v, "holds", k);
        table_cell(t, "window %d", k);
        table_cell(t, "%.2f", holds > 0 ? reads / holds : 0);
        cell(t, get(v, "met", k), reads);
        cell(t, get(v, "same_sm", k), reads);
        cell(t, get(v, "other_sm", k), reads);
        cell(t, get(v, "flushed", k), holds);
    }
    fprintf(out,
            "\nmeetings: %s reads came to the memory partitions; windows of meetings.windows\n\n",
            table_count(a, reads));
    table_print(t, out);
}
