/* explore_print.c - an exploration on the terminal. */
#include <math.h>
#include <string.h>

#include "explore/explore_out.h"
#include "study/grid.h"

enum { PAGE = 100, LABEL_CAP = 44, MOST_PAIRS = 20, GROWTH_ROWS = 8 };

static void cell_value(struct grid *g, double v)
{
    if (isnan(v))
        grid_cell(g, "-");
    else
        grid_cell(g, fabs(v) >= 1000 ? "%.0f" : fabs(v) >= 10 ? "%.2f" : "%.4f", v);
}

static double percent(double ratio)
{
    double v = 100 * (ratio - 1);
    return fabs(v) < 0.05 ? 0 : v; /* no "-0.0" */
}

static void cell_percent(struct grid *g, double ratio)
{
    if (isnan(ratio))
        grid_cell(g, "-");
    else
        grid_cell(g, "%+.1f %%", percent(ratio));
}

/* ---- the front ------------------------------------------------------------------------------ */

static void print_front(const struct explore_result *r, struct arena *a, FILE *out)
{
    const struct exploration *x = r->x;
    struct grid_column *columns = ARENA_ARRAY(a, struct grid_column, x->nvalues + 1);
    columns[0] = (struct grid_column){"configuration", LABEL_CAP, true};
    for (uint32_t i = 0; i < x->nvalues; i++)
        columns[i + 1] = (struct grid_column){x->values[i].name, 0, false};
    struct grid *g = grid_new(a, columns, (int)x->nvalues + 1);
    for (uint32_t i = 0; i < r->nfront; i++) {
        const struct explore_point *p = &r->points[r->front[i]];
        grid_cell(g, "%s", p->label);
        for (uint32_t k = 0; k < x->nvalues; k++)
            cell_value(g, p->value[k]);
    }
    fprintf(out, "\nThe front: %u of %u configurations that no other beats in everything\n\n",
            r->nfront, r->npoints);
    if (r->nfront)
        grid_print(g, 2, PAGE, out);
}

/* ---- growth --------------------------------------------------------------------------------- */

static void print_growth(const struct explore_result *r, struct arena *a, FILE *out)
{
    static const struct grid_column columns[] = {
        {"runs", 0, false}, {"on the front", 0, false}, {"of its volume", 0, false}};
    const struct explore_growth *all = r->growth;
    struct grid *g = grid_new(a, columns, 3);
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 1; i <= GROWTH_ROWS; i++) {
        uint32_t at = r->npoints * i / GROWTH_ROWS;
        if (at == 0 || at - 1 == last)
            continue;
        last = at - 1;
        grid_cell(g, "%u", all[last].runs);
        grid_cell(g, "%u", all[last].front);
        if (isnan(all[last].volume))
            grid_cell(g, "-");
        else
            grid_cell(g, "%.1f %%", 100 * all[last].volume);
    }
    fprintf(out, "\nHow it grew\n\n");
    grid_print(g, 2, PAGE, out);
}

/* ---- classes -------------------------------------------------------------------------------- */

static void print_classes(const struct explore_result *r, struct arena *a, FILE *out)
{
    const struct explore_classes *c = &r->x->classes;
    const struct study_figure *f = &r->x->study->figures[c->figure];
    struct grid_column *columns = ARENA_ARRAY(a, struct grid_column, c->n + 2);
    columns[0] = (struct grid_column){"workload", 0, true};
    columns[1] = (struct grid_column){"class", 0, true};
    for (uint32_t i = 0; i < c->n; i++)
        columns[i + 2] = (struct grid_column){arena_printf(a, "ideal %s", c->names[i]), 0, false};
    struct grid *g = grid_new(a, columns, (int)c->n + 2);
    for (uint32_t i = 0; i < f->nworkloads; i++) {
        uint32_t row = f->workloads[i];
        grid_cell(g, "%s", r->x->study->workloads[row].name);
        grid_cell(g, "%s", c->names[r->class_of[row]]);
        for (uint32_t k = 0; k < c->n; k++)
            cell_percent(g, r->gains[row * c->n + k]);
    }
    fprintf(out,
            "\nClasses of workloads: the ideal part that gains most, if more than %.0f %%, on the "
            "baseline\n\n",
            100 * (c->above - 1));
    grid_print(g, 2, PAGE, out);
}

/* ---- effects -------------------------------------------------------------------------------- */

static void cell_interval(struct grid *g, const struct explore_interval *x)
{
    if (!x->n)
        grid_cell(g, "-");
    else if (isnan(x->low))
        grid_cell(g, "%+.1f", percent(x->mean));
    else
        grid_cell(g, "%+.1f%s", percent(x->mean), explore_interval_tells(x) ? " *" : "");
}

static void print_effects_of(const struct explore_result *r,
                             const struct explore_effect *const *all, uint32_t n, struct arena *a,
                             FILE *out)
{
    const struct explore_classes *c = &r->x->classes;
    uint32_t classes = c->n ? c->n + 1 : 0;
    struct grid_column *columns = ARENA_ARRAY(a, struct grid_column, classes + 3);
    columns[0] = (struct grid_column){"choice", LABEL_CAP, true};
    columns[1] = (struct grid_column){"all, %", 0, false};
    columns[2] = (struct grid_column){"95 %", 0, false};
    for (uint32_t i = 0; i < classes; i++)
        columns[i + 3] = (struct grid_column){c->names[i], 0, false};
    struct grid *g = grid_new(a, columns, (int)classes + 3);
    for (uint32_t i = 0; i < n; i++) {
        grid_cell(g, "%s", explore_effect_name(a, r, all[i]));
        cell_interval(g, &all[i]->all);
        if (isnan(all[i]->all.low))
            grid_cell(g, "-");
        else
            grid_cell(g, "%+.1f .. %+.1f", percent(all[i]->all.low), percent(all[i]->all.high));
        for (uint32_t k = 0; k < classes; k++)
            cell_interval(g, &all[i]->by_class[k]);
    }
    grid_print(g, 2, PAGE, out);
}

static double size_of(const struct explore_effect *x)
{
    return fabs(log(x->all.mean));
}

/* Of one kind; sorted by size where only some are shown. */
static uint32_t choose(const struct explore_effect *all, uint32_t n, bool pairs, struct arena *a,
                       const struct explore_effect ***chosen)
{
    uint32_t count = 0;
    *chosen = ARENA_ARRAY(a, const struct explore_effect *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        if ((all[i].kind == EFFECT_PAIR) != pairs ||
            (pairs && !explore_interval_tells(&all[i].all)))
            continue;
        uint32_t at = count++;
        for (; pairs && at && size_of((*chosen)[at - 1]) < size_of(&all[i]); at--)
            (*chosen)[at] = (*chosen)[at - 1];
        (*chosen)[at] = &all[i];
    }
    return count;
}

static void print_effects(const struct explore_result *r, uint32_t value, struct arena *a,
                          FILE *out)
{
    const struct explore_effect *all, **some;
    uint32_t n = explore_effects(a, r, value, &all), pairs = 0;
    const char *name = r->x->values[value].name;
    for (uint32_t i = 0; i < n; i++)
        pairs += all[i].kind == EFFECT_PAIR;
    uint32_t singles = choose(all, n, false, a, &some);
    if (!singles)
        return;
    fprintf(out, "\nWhat single choices change in %s (*: 0 is outside the 95 %% interval)\n\n",
            name);
    print_effects_of(r, some, singles, a, out);
    uint32_t told = choose(all, n, true, a, &some);
    fprintf(out,
            "\nPairs: %s of both over the product of each alone; %u of %u differ from it by more "
            "than workloads do\n(%.0f would by chance)\n\n",
            name, told, pairs, 0.05 * pairs);
    if (told)
        print_effects_of(r, some, told < MOST_PAIRS ? told : MOST_PAIRS, a, out);
    if (told > MOST_PAIRS)
        fprintf(out, "  and %u more in the JSON document\n", told - MOST_PAIRS);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void print_refused(const struct explore_result *r, FILE *out)
{
    uint32_t refused = 0, broken = 0;
    const struct explore_point *first = NULL;
    for (uint32_t i = 0; i < r->npoints; i++) {
        first = !first && r->points[i].why ? &r->points[i] : first;
        refused += r->points[i].why != NULL;
        broken += r->points[i].violation > 0;
    }
    if (broken)
        fprintf(out, "\n%u configurations break a constraint\n", broken);
    if (first)
        fprintf(out, "\n%u configurations cannot be built or run; the first, %s: %s\n", refused,
                first->label, first->why);
}

void explore_print(const struct explore_result *r, struct arena *a, FILE *out)
{
    const struct exploration *x = r->x;
    fprintf(out, "%s%s%s\n", x->study->title, *x->machine ? ", on " : "", x->machine);
    fprintf(out, "%u configurations, %u runs%s\n", r->npoints, r->runs,
            r->is_spent ? "; the budget is spent" : "");
    print_front(r, a, out);
    print_growth(r, a, out);
    if (x->classes.n)
        print_classes(r, a, out);
    for (uint32_t i = 0; i < x->nobjectives; i++)
        if (explore_has_effects(r, i))
            print_effects(r, i, a, out);
    print_refused(r, out);
}
