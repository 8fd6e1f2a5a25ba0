/* explore_files.c - the files of an exploration's folder: all points as CSV, all that was found as
 * JSON, and the page. */
#include "cli/explore_files.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/origin.h"
#include "cli/study_out.h"
#include "heddle/heddle.h"
#include "report/explore_page.h"

/* ---- CSV -------------------------------------------------------------------------------------- */

static void csv_number(FILE *out, double v)
{
    char buf[STR_REAL_N];
    fprintf(out, ",%s", isnan(v) ? "" : str_from_real(buf, v));
}

/* Axes and values of machines of one file may differ: a line per value that a point has. */
static void csv_point(const struct explore_result *r, uint32_t point, struct arena *a, FILE *out)
{
    const struct exploration *x = r->x;
    const struct explore_point *p = &r->points[point];
    bool is_front = study_place(r->front, r->nfront, point) >= 0;
    for (uint32_t i = 0; i < x->nvalues; i++) {
        outfile_csv_text(out, x->machine);
        fprintf(out, ",%u,", point);
        outfile_csv_text(out, p->label);
        fprintf(out, ",%s,%s,%u,%s", x->sizes[p->fidelity], is_front ? "yes" : "no", p->runs,
                x->values[i].name);
        csv_number(out, p->value[i]);
        csv_number(out, p->violation);
        fputc(',', out);
        outfile_csv_text(out, explore_command(a, p));
        fputc('\n', out);
    }
}

static bool write_csv(const char *path, const struct explore_result *all, uint32_t n,
                      struct arena *a, struct err *e)
{
    struct outfile f;
    if (!outfile_open_csv(&f, path, e))
        return false;
    fputs("machine,point,configuration,size,front,runs,value,measured,violation,command\n", f.f);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < all[i].npoints; k++)
            csv_point(&all[i], k, a, f.f);
    return outfile_commit(&f, e);
}

/* ---- JSON and the page ------------------------------------------------------------------------ */

static bool write_json(const char *path, const struct explore_result *all, uint32_t n,
                       struct arena *a, struct err *e)
{
    struct outfile f;
    struct json j;
    if (!outfile_open_json(&f, &j, path, e))
        return false;
    explore_page_data(all, n, a, &j);
    return outfile_commit_json(&f, &j, e);
}

static bool write_page(const char *dir, const struct explore_result *all, uint32_t n,
                       struct arena *a, struct err *e)
{
    const char *path = arena_printf(a, "%s/report.html", dir);
    struct explore_page_origin origin = {.version = hd_version(),
                                         .command = origin_command(a),
                                         .reasons = study_out_reasons(a, dir, all[0].x->study)};
    struct outfile f;
    if (!outfile_open(&f, path, e))
        return false;
    if (explore_page_write(all, n, &origin, a, f.f, e))
        return outfile_commit(&f, e);
    outfile_discard(&f);
    return false;
}

bool explore_files_write(const struct explore_files *o, const struct explore_result *all,
                         uint32_t n, struct arena *a, struct err *e)
{
    return write_csv(arena_printf(a, "%s/points.csv", o->dir), all, n, a, e) &&
           write_json(arena_printf(a, "%s/results.json", o->dir), all, n, a, e) &&
           write_page(o->dir, all, n, a, e) && (!o->csv || write_csv(o->csv, all, n, a, e)) &&
           (!o->json || write_json(o->json, all, n, a, e));
}

void explore_files_print(const struct explore_files *o, const struct explore_result *all,
                         uint32_t n, struct arena *a)
{
    if ((o->csv && strcmp(o->csv, "-") == 0) || (o->json && strcmp(o->json, "-") == 0))
        return;
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            putchar('\n');
        explore_print(&all[i], a, stdout);
    }
    printf("\nreport: %s/report.html; tables: points.csv, results.json\n", o->dir);
}
