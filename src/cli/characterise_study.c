/* characterise_study.c - a characterisation as a study file: a row for each point, a figure for each
 * curve, the chip's values where a paper's would be.  It can be changed and run again as any other. */
#include <math.h>
#include <string.h>

#include "cli/characterise.h"
#include "cli/cli.h"

static void write_rows(const struct characterise *c, FILE *out)
{
    fputs("workloads:\n", out);
    for (uint32_t i = 0; i < c->ncurves; i++) {
        const struct characterise_curve *k = &c->curves[i];
        for (uint32_t p = 0; p < k->n; p++)
            fprintf(out, "  - {name: %s, kind: last, workload: %s, args: {%s}}\n", k->points[p].row,
                    k->workload, k->points[p].args);
    }
}

static bool has_chip(const struct characterise_curve *k)
{
    for (uint32_t p = 0; p < k->n; p++)
        if (isfinite(k->points[p].chip))
            return true;
    return false;
}

static void write_figure(const struct characterise *c, const struct characterise_curve *k,
                         FILE *out)
{
    fprintf(out, "  %s:\n    title: \"%s\"\n    expr: %s\n    unit: %s\n", k->name, k->title,
            k->expr, k->unit);
    fprintf(out, "    chart: %s\n    mean: none\n    workloads: [", k->is_line ? "lines" : "bars");
    for (uint32_t p = 0; p < k->n; p++)
        fprintf(out, "%s%s", p ? ", " : "", k->points[p].row);
    fputs("]\n", out);
    if (!has_chip(k))
        return;
    fprintf(out, "    tolerance: {reproduced: %g}\n    paper:\n", k->tolerance);
    for (uint32_t p = 0; p < k->n; p++)
        if (isfinite(k->points[p].chip))
            fprintf(out, "      - {variant: machine, workload: %s, value: %.6g, source: %s}\n",
                    k->points[p].row, k->points[p].chip, c->chip.name);
}

static void write_variant(const struct characterise *c, FILE *out)
{
    fprintf(out, "variants:\n  machine: {machine: \"%s\", doc: \"%s\", set: {", c->path,
            c->machine);
    for (uint32_t i = 0; i < c->nsets; i++) {
        int key = (int)strcspn(c->sets[i], "=");
        fprintf(out, "%s%.*s: \"%s\"", i ? ", " : "", key, c->sets[i], c->sets[i] + key + 1);
    }
    fputs("}}\n", out);
}

bool characterise_write_study(const struct characterise *c, const char *path, struct err *e)
{
    struct outfile f;
    if (!outfile_open(&f, path, e))
        return false;
    fprintf(f.f, "# Written by heddle characterise.\ntitle: \"%s%s%s\"\n", c->machine,
            c->chip.name ? " beside " : ": latency and bandwidth",
            c->chip.name ? c->chip.name : "");
    fprintf(f.f, "doc: \"what microbenchmarks say of the machine%s\"\n",
            c->chip.name ? "; where a paper's values would be, those of the chip" : "");
    fputs(c->chip.name ? "against: chip\nsize: small\n" : "size: small\n", f.f);
    write_rows(c, f.f);
    write_variant(c, f.f);
    fputs("figures:\n", f.f);
    for (uint32_t i = 0; i < c->ncurves; i++)
        write_figure(c, &c->curves[i], f.f);
    return outfile_commit(&f, e);
}
