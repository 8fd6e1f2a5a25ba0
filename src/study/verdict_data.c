/* verdict_data.c - a study for other programs: CSV and JSON.
 *
 * Numbers are written so that they read back exactly; what has no data is empty in CSV and null in
 * JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "machine/sources.h"
#include "study/pool.h"
#include "study/verdict_priv.h"

/* ---- CSV ----------------------------------------------------------------------------------- */

static void csv_text(const char *s, FILE *out)
{
    if (!s[strcspn(s, ",\"\r\n")]) {
        fputs(s, out);
        return;
    }
    fputc('"', out);
    for (; *s; s++) {
        if (*s == '"')
            fputc('"', out);
        fputc(*s, out);
    }
    fputc('"', out);
}

static void csv_number(double v, FILE *out)
{
    char buf[STR_REAL_N];
    fputs(isnan(v) ? "" : str_from_real(buf, v), out);
}

static void csv_value(const struct study_result *r, const struct verdict_figure *v, uint32_t row,
                      uint32_t column, FILE *out)
{
    const struct study_figure *f = v->figure;
    const struct study *s = r->study;
    for (uint32_t part = 0; part < (f->nparts ? f->nparts : 1); part++) {
        fprintf(out, "value,%s,%s,%s,%s,", f->name, s->variants[f->variants[column]].name,
                verdict_row_name(s, f, row), f->nparts ? f->parts[part]->name : "");
        csv_number(verdict_value(v, row, column, (int32_t)part), out);
        fputs(",,,,\n", out);
    }
}

static void csv_verdict(const struct study *s, const struct verdict_row *row, FILE *out)
{
    const struct study_paper *p = row->paper;
    fprintf(out, "%s,%s,", p ? "paper" : "claim", row->figure->name);
    if (p)
        fprintf(out, "%s,%s,%s,", s->variants[p->variant].name, verdict_paper_name(s, p),
                p->part < 0 ? "" : row->figure->parts[p->part]->name);
    else
        fputs(",,,", out);
    csv_number(row->measured, out);
    fputc(',', out);
    csv_number(row->paper_value, out);
    fprintf(out, ",%s,", verdict_name[row->verdict]);
    csv_text(p ? p->source : row->claim->source, out);
    fputc(',', out);
    csv_text(p ? p->note : row->claim->text, out);
    fputc('\n', out);
}

void study_csv(const struct study_result *r, FILE *out)
{
    fputs("kind,figure,variant,workload,part,value,paper,verdict,source,text\n", out);
    for (uint32_t i = 0; i < r->study->nfigures; i++) {
        const struct verdict_figure *v = &r->figures[i];
        for (uint32_t row = 0; row < v->rows; row++)
            for (uint32_t column = 0; column < v->figure->nvariants; column++)
                csv_value(r, v, row, column, out);
    }
    for (uint32_t i = 0; i < r->nrows; i++)
        csv_verdict(r->study, &r->rows[i], out);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void member_text(struct json *j, const char *key, const char *text)
{
    json_key(j, key);
    json_string(j, text ? text : "");
}

static void member_real(struct json *j, const char *key, double v)
{
    json_key(j, key);
    json_real(j, v);
}

static void json_counts(const struct study_result *r, struct json *j)
{
    json_key(j, "counts");
    json_open_object(j, true);
    for (int i = 0; i < VERDICTS; i++) {
        json_key(j, verdict_name[i]);
        json_uint(j, r->count[i]);
    }
    json_close_object(j);
}

static void json_verdict(const struct study *s, const struct verdict_row *row, struct json *j)
{
    const struct study_paper *p = row->paper;
    json_open_object(j, true);
    member_text(j, "figure", row->figure->name);
    if (p) {
        member_text(j, "variant", s->variants[p->variant].name);
        member_text(j, "workload", verdict_paper_name(s, p));
        if (p->part >= 0)
            member_text(j, "part", row->figure->parts[p->part]->name);
        member_real(j, "paper", row->paper_value);
        member_real(j, "measured", row->measured);
    } else {
        member_text(j, "claim", row->claim->text);
        json_key(j, "holds");
        if (isnan(row->measured))
            json_real(j, NAN);
        else
            json_bool(j, row->measured != 0);
    }
    member_text(j, "verdict", verdict_name[row->verdict]);
    member_text(j, "source", p ? p->source : row->claim->source);
    if (p && *p->note)
        member_text(j, "note", p->note);
    json_close_object(j);
}

static void json_cell(const struct verdict_figure *v, uint32_t row, uint32_t column, struct json *j)
{
    uint32_t n = v->figure->nparts;
    if (!n) {
        json_real(j, verdict_value(v, row, column, -1));
        return;
    }
    json_open_array(j, true);
    for (uint32_t part = 0; part < n; part++)
        json_real(j, verdict_value(v, row, column, (int32_t)part));
    json_close_array(j);
}

/* What `cross:` made each column of: {"l1.size": "16K"}; of variants written by hand nothing. */
static void json_settings(const struct study *s, const struct study_figure *f, struct json *j)
{
    bool any = false;
    for (uint32_t i = 0; i < f->nvariants; i++)
        any |= s->variants[f->variants[i]].ncoordinates > 0;
    if (!any)
        return;
    json_key(j, "settings");
    json_open_array(j, true);
    for (uint32_t i = 0; i < f->nvariants; i++) {
        const struct study_variant *v = &s->variants[f->variants[i]];
        json_open_object(j, true);
        for (uint32_t k = 0; k < v->ncoordinates; k++)
            member_text(j, v->coordinates[k].axis, v->coordinates[k].value);
        json_close_object(j);
    }
    json_close_array(j);
}

static const char *const means[] = {"none", "geometric", "arithmetic"};

static void json_counted(const struct study_figure *f, const uint32_t *counted, struct json *j)
{
    json_key(j, "counted");
    json_open_array(j, true);
    for (uint32_t i = 0; i < f->nvariants; i++)
        json_uint(j, counted[i]);
    json_close_array(j);
}

/* What the means beside the figure's own are over; their values are among the rows. */
static void json_besides(const struct verdict_figure *v, struct json *j)
{
    const struct study_figure *f = v->figure;
    if (!f->nbesides)
        return;
    json_key(j, "beside");
    json_open_array(j, false);
    for (uint32_t i = 0; i < f->nbesides; i++) {
        json_open_object(j, true);
        member_text(j, "name", f->besides[i].name);
        member_text(j, "doc", f->besides[i].doc);
        member_text(j, "mean", means[f->besides[i].mean]);
        json_key(j, "of");
        json_uint(j, v->besides[i].n);
        json_counted(f, v->besides[i].counted, j);
        json_close_object(j);
    }
    json_close_array(j);
}

static void json_names(const struct study *s, const struct verdict_figure *v, struct json *j)
{
    const struct study_figure *f = v->figure;
    json_key(j, "variants");
    json_open_array(j, true);
    for (uint32_t i = 0; i < f->nvariants; i++)
        json_string(j, s->variants[f->variants[i]].name);
    json_close_array(j);
    json_settings(s, f, j);
    if (f->baseline >= 0) {
        json_key(j, "over");
        json_open_array(j, true);
        for (uint32_t i = 0; i < f->nvariants; i++)
            json_string(j, s->variants[study_baseline(s, f, f->variants[i])].name);
        json_close_array(j);
    }
    if (f->nparts) {
        json_key(j, "parts");
        json_open_array(j, true);
        for (uint32_t i = 0; i < f->nparts; i++)
            json_string(j, f->parts[i]->name);
        json_close_array(j);
    }
    json_counted(f, v->counted, j);
    json_besides(v, j);
}

/* Of a figure that is compared as a whole: a column each. */
static void json_errors(const struct study *s, const struct verdict_figure *v, struct json *j)
{
    const struct study_figure *f = v->figure;
    struct arena *a = arena_new();
    json_key(j, "errors");
    json_open_array(j, false);
    for (uint32_t i = 0; i < f->nvariants; i++) {
        const struct verdict_errors e = verdict_errors_of(a, v, i);
        json_open_object(j, true);
        member_text(j, "variant", s->variants[f->variants[i]].name);
        member_real(j, "mean", e.mean);
        member_real(j, "median", e.median);
        member_real(j, "worst", e.worst);
        member_real(j, "correlation", e.correlation);
        json_key(j, "rows");
        json_uint(j, e.counted);
        json_close_object(j);
    }
    json_close_array(j);
    arena_free(a);
}

static void json_figure(const struct study *s, const struct verdict_figure *v, struct json *j)
{
    static const char *const formats[] = {"number", "percent", "percent_change"};
    const struct study_figure *f = v->figure;
    json_open_object(j, false);
    member_text(j, "name", f->name);
    member_text(j, "title", f->title);
    member_text(j, "doc", f->doc);
    if (study_is_small_form(f))
        member_text(j, "full", f->full);
    member_text(j, "unit", f->unit);
    member_text(j, "format", formats[f->format]);
    member_text(j, "mean", means[f->mean]);
    if (f->baseline >= 0)
        member_text(j, "baseline", study_baseline_text(s, f));
    json_names(s, v, j);
    if (f->chart == CHART_SCATTER)
        json_errors(s, v, j);
    json_key(j, "rows");
    json_open_array(j, false);
    for (uint32_t row = 0; row < v->rows; row++) {
        json_open_object(j, true);
        member_text(j, "workload", verdict_row_name(s, f, row));
        json_key(j, "values");
        json_open_array(j, true);
        for (uint32_t i = 0; i < f->nvariants; i++)
            json_cell(v, row, i, j);
        json_close_array(j);
        json_close_object(j);
    }
    json_close_array(j);
    json_close_object(j);
}

static void json_failures(const struct study_result *r, struct json *j)
{
    json_key(j, "failures");
    json_open_array(j, false);
    for (uint32_t i = 0; i < r->nfailures; i++) {
        json_open_object(j, true);
        member_text(j, "run", r->failures[i].label);
        member_text(j, "why", r->failures[i].why);
        json_close_object(j);
    }
    json_close_array(j);
}

void study_json(const struct study_result *r, FILE *out)
{
    struct json j;
    json_begin(&j, out);
    json_open_object(&j, false);
    json_key(&j, "schema");
    json_int(&j, 1);
    member_text(&j, "study", r->study->name);
    member_text(&j, "title", r->study->title);
    char model[17];
    snprintf(model, sizeof model, "%016" PRIx64, sources_all(&sources_built));
    member_text(&j, "version", r->version);
    member_text(&j, "model", model);
    if (r->command)
        member_text(&j, "command", r->command);
    json_key(&j, "quick");
    json_bool(&j, r->study->is_quick);
    json_counts(r, &j);
    json_key(&j, "verdicts");
    json_open_array(&j, false);
    for (uint32_t i = 0; i < r->nrows; i++)
        json_verdict(r->study, &r->rows[i], &j);
    json_close_array(&j);
    json_key(&j, "figures");
    json_open_array(&j, false);
    for (uint32_t i = 0; i < r->study->nfigures; i++)
        json_figure(r->study, &r->figures[i], &j);
    json_close_array(&j);
    json_failures(r, &j);
    json_close_object(&j);
    json_end(&j);
}
