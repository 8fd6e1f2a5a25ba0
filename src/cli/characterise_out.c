/* characterise_out.c - curves of a machine beside a chip's: tables, CSV, JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/characterise.h"
#include "cli/cli.h"
#include "cli/table.h"

enum { MOST_LEVELS = 8 };

struct characterise_values characterise_values_of(const struct characterise *c,
                                                  const struct study_result *r)
{
    struct characterise_values v = {.plan = c};
    v.values = ARENA_ARRAY(c->arena, double *, c->ncurves + 1);
    for (uint32_t i = 0; i < c->ncurves; i++)
        v.values[i] = r->figures[i].value; /* one column, the rows in the order of the points */
    return v;
}

static double error_of(double measured, double chip)
{
    return measured / chip - 1;
}

/* ---- cells ------------------------------------------------------------------------------------ */

static const char *number(struct arena *a, double v)
{
    if (!isfinite(v))
        return "-";
    int digits = v == 0 || fabs(v) >= 1000 ? 0 : fabs(v) >= 100 ? 1 : fabs(v) >= 10 ? 2 : 3;
    return arena_printf(a, "%.*f", digits, v);
}

static const char *change(struct arena *a, double error)
{
    return isfinite(error) ? arena_printf(a, "%+.1f%%", 100 * error) : "-";
}

static bool is_of_bytes(const struct characterise_curve *k)
{
    return strcmp(k->x, "footprint") == 0;
}

static const char *place(struct arena *a, const struct characterise_curve *k, uint32_t point)
{
    if (is_of_bytes(k))
        return table_bytes(a, k->points[point].x);
    const char *tail = strrchr(k->points[point].row, '_');
    return tail ? tail + 1 : k->points[point].row;
}

/* ---- how far off ------------------------------------------------------------------------------ */

struct errors { /* over points that the chip has */
    uint32_t n, worst;
    double median, most; /* of the errors' sizes */
};

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static struct errors errors_of(const struct characterise_curve *k, const double *y, struct arena *a)
{
    struct errors e = {0};
    double *all = ARENA_ARRAY(a, double, k->n + 1);
    for (uint32_t i = 0; i < k->n; i++) {
        double error = fabs(error_of(y[i], k->points[i].chip));
        if (!isfinite(error))
            continue;
        if (e.n == 0 || error > e.most) {
            e.most = error;
            e.worst = i;
        }
        all[e.n++] = error;
    }
    qsort(all, e.n, sizeof *all, by_size);
    if (e.n)
        e.median = e.n % 2 ? all[e.n / 2] : (all[e.n / 2 - 1] + all[e.n / 2]) / 2;
    return e;
}

/* ---- levels ----------------------------------------------------------------------------------- */

static const struct chip_curve *curve_of_chip(const struct characterise *c,
                                              const struct characterise_curve *k)
{
    return strcmp(k->name, "latency") == 0 ? &c->chip.latency : &c->chip.cache;
}

static uint32_t levels_of_curve(const struct characterise_curve *k, const double *y,
                                struct level *levels, struct arena *a)
{
    double *x = ARENA_ARRAY(a, double, k->n + 1);
    for (uint32_t i = 0; i < k->n; i++)
        x[i] = k->points[i].x;
    return levels_of(x, y, k->n, levels, MOST_LEVELS);
}

static void level_cells(struct table *t, const struct level *l, bool is_there, struct arena *a)
{
    table_cell(t, "%s", is_there ? number(a, l->value) : "-");
    table_cell(t, "%s", is_there && isfinite(l->until) ? table_bytes(a, l->until) : "-");
}

/* The machine's beside the chip's, in the order of both. */
static void print_levels(const struct characterise *c, const struct characterise_curve *k,
                         const double *y, FILE *out)
{
    struct arena *a = arena_new();
    const struct chip_curve *chip = curve_of_chip(c, k);
    struct level own[MOST_LEVELS], theirs[MOST_LEVELS];
    uint32_t n = levels_of_curve(k, y, own, a);
    uint32_t m = levels_of(chip->x, chip->y, chip->n, theirs, MOST_LEVELS);
    const char *heads[] = {"level", c->machine, "up to", c->chip.name, "up to"};
    struct table *t = table_new(a, heads, chip->n ? 5 : 3);
    for (uint32_t i = 0; i < n || i < m; i++) {
        table_cell(t, "%u", i + 1);
        level_cells(t, &own[i], i < n, a);
        if (chip->n)
            level_cells(t, &theirs[i], i < m, a);
    }
    fputs("Levels, and the footprint at which half of the way to the next is done\n", out);
    table_print(t, out);
    fputc('\n', out);
    arena_free(a);
}

/* ---- tables ------------------------------------------------------------------------------------ */

static void print_points(const struct characterise *c, const struct characterise_curve *k,
                         const double *y, FILE *out)
{
    struct arena *a = arena_new();
    struct errors e = errors_of(k, y, a);
    const char *heads[] = {k->x, c->machine, c->chip.name, "error"};
    struct table *t = table_new(a, heads, e.n ? 4 : 2);
    for (uint32_t i = 0; i < k->n; i++) {
        table_cell(t, "%s", place(a, k, i));
        table_cell(t, "%s", number(a, y[i]));
        if (!e.n)
            continue;
        table_cell(t, "%s", number(a, k->points[i].chip));
        table_cell(t, "%s", change(a, error_of(y[i], k->points[i].chip)));
    }
    table_print(t, out);
    if (e.n)
        fprintf(out, "off by %.1f%% in the median, by %.1f%% at most (%s)\n", 100 * e.median,
                100 * e.most, place(a, k, e.worst));
    arena_free(a);
}

void characterise_print(const struct characterise_values *v, FILE *out)
{
    const struct characterise *c = v->plan;
    fprintf(out, "%s%s%s%s\n", c->machine, c->chip.name ? " beside " : "",
            c->chip.name ? c->chip.name : "", c->quick ? " (quick)" : "");
    for (uint32_t i = 0; i < c->ncurves; i++) {
        const struct characterise_curve *k = &c->curves[i];
        fprintf(out, "\n%s [%s]\n\n", k->title, k->unit);
        if (is_of_bytes(k))
            print_levels(c, k, v->values[i], out);
        print_points(c, k, v->values[i], out);
    }
}

/* ---- for programs ------------------------------------------------------------------------------ */

static void csv_number(FILE *out, double v)
{
    if (isfinite(v))
        fprintf(out, ",%.9g", v);
    else
        fputc(',', out);
}

bool characterise_write_csv(const struct characterise_values *v, const char *path, struct err *e)
{
    struct outfile f;
    const struct characterise *c = v->plan;
    if (!outfile_open_csv(&f, path, e))
        return false;
    fputs("curve,point,x,unit,measured,chip,error\n", f.f);
    for (uint32_t i = 0; i < c->ncurves; i++)
        for (uint32_t p = 0; p < c->curves[i].n; p++) {
            const struct characterise_point *x = &c->curves[i].points[p];
            fprintf(f.f, "%s,%s,%.9g,%s", c->curves[i].name, x->row, x->x, c->curves[i].unit);
            csv_number(f.f, v->values[i][p]);
            csv_number(f.f, x->chip);
            csv_number(f.f, error_of(v->values[i][p], x->chip));
            fputc('\n', f.f);
        }
    return outfile_commit(&f, e);
}

static void member_text(struct json *j, const char *key, const char *text)
{
    json_key(j, key);
    json_string(j, text);
}

static void member_real(struct json *j, const char *key, double v)
{
    json_key(j, key);
    json_real(j, v);
}

static void json_levels(const struct characterise_curve *k, const double *y, struct json *j)
{
    struct arena *a = arena_new();
    struct level levels[MOST_LEVELS];
    uint32_t n = levels_of_curve(k, y, levels, a);
    json_key(j, "levels");
    json_open_array(j, false);
    for (uint32_t i = 0; i < n; i++) {
        json_open_object(j, true);
        member_real(j, "value", levels[i].value);
        member_real(j, "from", levels[i].from);
        member_real(j, "to", levels[i].to);
        member_real(j, "until", levels[i].until);
        json_close_object(j);
    }
    json_close_array(j);
    arena_free(a);
}

static void json_points(const struct characterise_curve *k, const double *y, struct json *j)
{
    json_key(j, "points");
    json_open_array(j, false);
    for (uint32_t p = 0; p < k->n; p++) {
        json_open_object(j, true);
        member_text(j, "name", k->points[p].row);
        member_real(j, "x", k->points[p].x);
        member_real(j, "measured", y[p]);
        member_real(j, "chip", k->points[p].chip);
        json_close_object(j);
    }
    json_close_array(j);
}

static void json_errors(const struct characterise_curve *k, const double *y, struct json *j)
{
    struct arena *a = arena_new();
    struct errors e = errors_of(k, y, a);
    member_real(j, "median_error", e.n ? e.median : (double)NAN);
    member_real(j, "worst_error", e.n ? e.most : (double)NAN);
    arena_free(a);
}

bool characterise_write_json(const struct characterise_values *v, const char *path, struct err *e)
{
    struct outfile f;
    struct json j;
    const struct characterise *c = v->plan;
    if (!outfile_open_json(&f, &j, path, e))
        return false;
    member_text(&j, "machine", c->machine);
    member_text(&j, "chip", c->chip.name ? c->chip.name : "");
    json_key(&j, "quick");
    json_bool(&j, c->quick);
    json_key(&j, "curves");
    json_open_array(&j, false);
    for (uint32_t i = 0; i < c->ncurves; i++) {
        const struct characterise_curve *k = &c->curves[i];
        json_open_object(&j, false);
        member_text(&j, "name", k->name);
        member_text(&j, "title", k->title);
        member_text(&j, "unit", k->unit);
        json_errors(k, v->values[i], &j);
        if (is_of_bytes(k))
            json_levels(k, v->values[i], &j);
        json_points(k, v->values[i], &j);
        json_close_object(&j);
    }
    json_close_array(&j);
    return outfile_commit_json(&f, &j, e);
}
