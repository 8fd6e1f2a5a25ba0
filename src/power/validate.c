/* validate.c - reference files against models: reading, comparing, medians and worst cases.
 *
 * Where the reference is an interval (a clock that was met, one that was not) the error is the
 * distance to it, relative to the nearer end.  Where the reference is zero the model has to be
 * zero, too, or negligible: such rows say nothing about accuracy and are not counted.  Whether the
 * reference tools themselves are right about silicon is not judged here. */
#include "power/validate.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "power/validate_group.h"

enum { MAX_NODES = 8, MAX_REASONS = 4 };
static const double negligible = 1e-3; /* of the whole */

static const struct validate_group *const groups[] = {
    &validate_router,   &validate_clock, &validate_link,
    &validate_photonic, &validate_array, &validate_array_wide,
};
enum { GROUPS = (int)(sizeof groups / sizeof groups[0]) };
enum { MAX_ROWS = GROUPS * (VALIDATE_QUANTITIES * (1 + MAX_NODES) + 1 + MAX_REASONS) };

struct sample {
    double error;
    uint32_t node;
    const char *words;
};

struct samples {
    int n;
    struct sample *at;
};

struct reason {
    const char *why;
    int rows;
};

/* What came of one group. */
struct outcome {
    bool is_missing;
    struct samples quantity[VALIDATE_QUANTITIES];
    struct reason reason[MAX_REASONS];
    uint32_t node[MAX_NODES];
    int nnodes;
};

bool validate_count(const struct validate_line *l, const char *column, uint32_t *out)
{
    int c = csv_column(l->table, column, l->e);
    return c >= 0 && csv_count(l->table, l->row, c, out, l->e);
}

bool validate_real(const struct validate_line *l, const char *column, double *out)
{
    int c = csv_column(l->table, column, l->e);
    return c >= 0 && csv_real(l->table, l->row, c, out, l->e);
}

const char *validate_text(const struct validate_line *l, const char *column)
{
    int c = csv_column(l->table, column, l->e);
    return c < 0 ? NULL : csv_text(l->table, l->row, c);
}

bool validate_blame(const struct validate_line *l, const struct err *why)
{
    return err_set(l->e, STATUS_BAD_INPUT, "%.200s:%d: %.700s", l->table->file,
                   l->table->line[l->row], why->text);
}

/* The reference of a quantity, from *low to *high; *is_there is false where the cell is empty. */
static bool read_reference(const struct validate_line *l, const struct validate_quantity *q,
                           double *low, double *high, bool *is_there)
{
    const char *text = validate_text(l, q->column);
    *is_there = text && *text;
    if (!*is_there)
        return text != NULL;
    if (!validate_real(l, q->column, low) ||
        !validate_real(l, q->until ? q->until : q->column, high))
        return false;
    if (*low < 0 || *high < *low)
        return csv_refuse(l->table, l->row, csv_column(l->table, q->column, l->e),
                          "is negative, or above the end of its interval", l->e);
    *low *= q->unit;
    *high *= q->unit;
    return true;
}

static double error_of(double model, double low, double high)
{
    if (isnan(model))
        return INFINITY;
    if (model < low)
        return 1 - model / low;
    if (model <= high)
        return 0;
    return high > 0 ? model / high - 1 : INFINITY;
}

static void add_reason(struct outcome *o, const char *why)
{
    int i = 0;
    while (i < MAX_REASONS - 1 && o->reason[i].why && strcmp(o->reason[i].why, why) != 0)
        i++;
    o->reason[i].why = why;
    o->reason[i].rows++;
}

static void add_node(struct outcome *o, uint32_t node)
{
    for (int i = 0; i < o->nnodes; i++)
        if (o->node[i] == node)
            return;
    if (o->nnodes < MAX_NODES)
        o->node[o->nnodes++] = node;
}

static bool compare(const struct validate_group *g, const struct validate_line *l,
                    const struct validate_point *p, struct outcome *o)
{
    bool is_any = false;
    for (int i = 0; i < g->n; i++) {
        double low, high;
        bool is_there;
        if (!read_reference(l, &g->quantity[i], &low, &high, &is_there))
            return false;
        is_any |= is_there;
        bool is_none = is_there && high <= 0 && p->model[i] <= negligible * p->whole[i];
        if (!is_there || is_none || p->skip[i])
            continue;
        struct samples *s = &o->quantity[i];
        s->at[s->n++] = (struct sample){error_of(p->model[i], low, high), p->node, p->words};
    }
    if (is_any)
        add_node(o, p->node);
    else
        add_reason(o, "without values");
    return true;
}

static bool has_columns(const struct csv *t, const struct validate_group *g)
{
    struct err none = {0};
    for (int i = 0; i < g->n; i++)
        if (csv_column(t, g->quantity[i].column, &none) < 0)
            return false;
    return true;
}

static bool is_csv(const char *name)
{
    size_t n = strlen(name);
    return n > 4 && name[0] != '.' && strcmp(name + n - 4, ".csv") == 0;
}

/* The group's own file; where there is none, the first by name whose columns are the group's: grids
 * of others have names of their own.  NULL: none. */
static const char *find_file(const struct validate_group *g, const char *folder, struct arena *a)
{
    const char *path = arena_printf(a, "%s/%s", folder, g->file), *found = NULL;
    DIR *d = access(path, F_OK) == 0 ? NULL : opendir(folder);
    if (!d)
        return access(path, F_OK) == 0 ? path : NULL;
    for (struct dirent *f; (f = readdir(d)) != NULL;) {
        struct err none = {0};
        const char *one = arena_printf(a, "%s/%s", folder, f->d_name);
        const struct csv *t = is_csv(f->d_name) ? csv_read(a, one, &none) : NULL;
        if (t && has_columns(t, g) && (!found || strcmp(one, found) < 0))
            found = one;
    }
    closedir(d);
    return found;
}

static bool gather(const struct validate_group *g, const char *folder, struct arena *a,
                   struct outcome *o, struct err *e)
{
    const char *path = find_file(g, folder, a);
    o->is_missing = !path;
    const struct csv *t = path ? csv_read(a, path, e) : NULL;
    if (!t)
        return o->is_missing;
    for (int i = 0; i < g->n; i++) {
        if (csv_column(t, g->quantity[i].column, e) < 0)
            return false;
        o->quantity[i].at = ARENA_ARRAY(a, struct sample, t->nrows + 1);
    }
    if (t->nrows == 0)
        return err_set(e, STATUS_BAD_INPUT, "%.200s:1: no rows below the names", path);
    for (int row = 0; row < t->nrows; row++) {
        struct validate_line l = {t, row, a, e};
        struct validate_point p = {0};
        if (!g->point(&l, &p))
            return false;
        if (p.is_elsewhere)
            continue;
        if (p.left_out)
            add_reason(o, p.left_out);
        else if (!compare(g, &l, &p, o))
            return false;
    }
    return true;
}

static int by_error(const void *x, const void *y)
{
    const struct sample *a = x, *b = y;
    return (a->error > b->error) - (a->error < b->error);
}

/* Of the samples of one node, or of all when it is 0. */
static struct validate_row sum_up(const struct samples *all, uint32_t node, struct arena *a)
{
    struct validate_row r = {.node = node, .worst_at = ""};
    struct sample *s = ARENA_ARRAY(a, struct sample, all->n + 1);
    int n = 0;
    for (int i = 0; i < all->n; i++) {
        if (node != 0 && all->at[i].node != node)
            continue;
        s[n++] = all->at[i];
        if (all->at[i].error > r.worst) { /* the first of equals, whatever the sort does */
            r.worst = all->at[i].error;
            r.worst_at = all->at[i].words;
        }
    }
    r.n = (uint32_t)n;
    if (n == 0)
        return r;
    qsort(s, (size_t)n, sizeof *s, by_error);
    r.median = (s[(n - 1) / 2].error + s[n / 2].error) / 2;
    r.p90 = s[(int)ceil(0.9 * n) - 1].error;
    return r;
}

struct report {
    struct validate_row *row;
    int n;
    struct arena *arena;
};

static void report_quantities(struct report *to, const struct validate_group *g,
                              const struct outcome *o, uint32_t node)
{
    for (int i = 0; i < g->n; i++) {
        struct validate_row r = sum_up(&o->quantity[i], node, to->arena);
        if (r.n == 0)
            continue;
        r.group = g->name;
        r.quantity = g->quantity[i].name;
        if (node == 0 && !g->quantity[i].is_shown_only) {
            r.limit_median = VALIDATE_LIMIT_MEDIAN;
            r.limit_worst = VALIDATE_LIMIT_WORST;
        }
        to->row[to->n++] = r;
    }
}

static void report_remarks(struct report *to, const struct validate_group *g,
                           const struct outcome *o)
{
    struct validate_row r = {.group = g->name, .quantity = "", .worst_at = ""};
    if (o->is_missing) {
        r.remark = arena_printf(to->arena, "%s is not in the folder", g->file);
        to->row[to->n++] = r;
    }
    for (int i = 0; i < MAX_REASONS && o->reason[i].why; i++) {
        r.remark = arena_printf(to->arena, "%d row%s left out: %s", o->reason[i].rows,
                                o->reason[i].rows == 1 ? "" : "s", o->reason[i].why);
        to->row[to->n++] = r;
    }
}

bool validate_power(const char *folder, struct arena *a, const struct validate_row **rows, int *n,
                    struct err *e)
{
    struct outcome *o = ARENA_ARRAY(a, struct outcome, GROUPS);
    bool is_any = false;
    for (int g = 0; g < GROUPS; g++) {
        if (!gather(groups[g], folder, a, &o[g], e))
            return false;
        is_any |= !o[g].is_missing;
    }
    if (!is_any)
        return err_set(e, STATUS_BAD_INPUT, "%.200s: no %s or any other file of a reference here",
                       folder, groups[0]->file);
    struct report to = {ARENA_ARRAY(a, struct validate_row, MAX_ROWS), 0, a};
    for (int g = 0; g < GROUPS; g++)
        report_quantities(&to, groups[g], &o[g], 0);
    for (int g = 0; g < GROUPS; g++)
        report_remarks(&to, groups[g], &o[g]);
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < o[g].nnodes; i++)
            report_quantities(&to, groups[g], &o[g], o[g].node[i]);
    *rows = to.row;
    *n = to.n;
    return true;
}

bool validate_is_ok(const struct validate_row *r)
{
    return r->limit_worst <= 0 || (r->median <= r->limit_median && r->worst <= r->limit_worst);
}
