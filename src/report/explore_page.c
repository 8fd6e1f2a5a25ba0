/* explore_page.c - the page of an exploration: web/explore.html filled in.
 *
 * The front stands there as a table; chart, growth and effects are drawn by web/explore.js from the
 * same document that results.json is. */
#include "report/explore_page.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "report/study_page_fill.h"
#include "report/study_page_priv.h"

struct page {
    const struct explore_result *all;
    uint32_t n;
    const struct explore_page_origin *origin;
    struct arena *arena;
    FILE *data; /* the document as JSON */
};

static const struct study *study_of(const void *context)
{
    return ((const struct page *)context)->all[0].x->study;
}

void explore_page_data(const struct explore_result *all, uint32_t n, struct arena *a,
                       struct json *j)
{
    const struct study *s = all[0].x->study;
    json_key(j, "title");
    json_string(j, s->title);
    json_key(j, "doc");
    json_string(j, s->doc);
    json_key(j, "quick");
    json_bool(j, s->is_quick);
    json_key(j, "machines");
    json_open_array(j, false);
    for (uint32_t i = 0; i < n; i++) {
        json_open_object(j, false);
        explore_json(&all[i], a, j);
        json_close_object(j);
    }
    json_close_array(j);
}

static void write_title(FILE *out, const void *context)
{
    study_page_escape(out, study_of(context)->title);
}

static void write_doc(FILE *out, const void *context)
{
    study_page_escape(out, study_of(context)->doc);
}

static void write_version(FILE *out, const void *context)
{
    study_page_escape(out, ((const struct page *)context)->origin->version);
}

static void write_command(FILE *out, const void *context)
{
    study_page_escape(out, ((const struct page *)context)->origin->command);
}

static void write_reasons(FILE *out, const void *context)
{
    const char *reasons = ((const struct page *)context)->origin->reasons;
    if (reasons)
        study_page_cell(out, "<p><a href=\"", reasons, "\">What was found, and why</a></p>\n");
}

static void write_style(FILE *out, const void *context)
{
    (void)context;
    fputs(study_page_fill_asset("page.css"), out);
    fputs(study_page_fill_asset("explore.css"), out);
}

static void write_script(FILE *out, const void *context)
{
    static const char *const parts[] = {"explore_draw.js", "explore_chart.js", "explore_select.js",
                                        "explore_more.js", "explore.js"};
    (void)context;
    for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++)
        fputs(study_page_fill_asset(parts[i]), out);
}

/* In a script element only "<" could end it, and JSON has it only inside strings. */
static void write_data(FILE *out, const void *context)
{
    const struct page *p = context;
    rewind(p->data);
    for (int c; (c = fgetc(p->data)) != EOF;)
        if (c == '<')
            fputs("\\u003c", out);
        else
            fputc(c, out);
}

static FILE *make_data(const struct page *p)
{
    FILE *f = tmpfile();
    struct json j;
    if (!f)
        return NULL;
    json_begin(&j, f);
    json_open_object(&j, false);
    explore_page_data(p->all, p->n, p->arena, &j);
    json_close_object(&j);
    json_end(&j);
    return f;
}

/* ---- the front ------------------------------------------------------------------------------ */

static void write_number(FILE *out, double v)
{
    fprintf(out, isnan(v) ? "<td>-</td>" : "<td>%.5g</td>", v);
}

static void write_front(FILE *out, const struct explore_result *r)
{
    const struct exploration *x = r->x;
    fputs("<table class=\"front\"><thead><tr><th scope=\"col\">configuration</th>", out);
    for (uint32_t i = 0; i < x->nvalues; i++)
        study_page_cell(out, "<th scope=\"col\">", x->values[i].name, "</th>");
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t i = 0; i < r->nfront; i++) {
        const struct explore_point *p = &r->points[r->front[i]];
        fprintf(out, "<tr data-point=\"%u\">", r->front[i]);
        study_page_cell(out, "<th scope=\"row\">", p->label, "</th>");
        for (uint32_t k = 0; k < x->nvalues; k++)
            write_number(out, p->value[k]);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

static void write_machines(FILE *out, const void *context)
{
    const struct page *p = context;
    for (uint32_t i = 0; i < p->n; i++) {
        const struct explore_result *r = &p->all[i];
        fprintf(out, "<section class=\"machine\" data-machine=\"%u\">\n", i);
        if (*r->x->machine)
            study_page_cell(out, "<h2>On ", r->x->machine, "</h2>\n");
        fprintf(out, "<p>%u configurations, %u runs; %u on the front.%s</p>\n", r->npoints, r->runs,
                r->nfront, r->is_spent ? " The budget is spent." : "");
        fputs("<div class=\"explore-chart\"></div>\n<h3>The front</h3>\n", out);
        write_front(out, r);
        fputs("<div class=\"explore-more\"></div>\n</section>\n", out);
    }
}

bool explore_page_write(const struct explore_result *all, uint32_t n,
                        const struct explore_page_origin *origin, struct arena *a, FILE *out,
                        struct err *e)
{
    static const struct study_page_slot slots[] = {
        {"title", write_title},       {"doc", write_doc},
        {"version", write_version},   {"style", write_style},
        {"machines", write_machines}, {"data", write_data},
        {"script", write_script},     {"command", write_command},
        {"reasons", write_reasons},   {NULL, NULL},
    };
    struct page p = {all, n, origin, a, NULL};
    errno = 0;
    p.data = make_data(&p);
    if (p.data)
        study_page_fill(out, study_page_fill_asset("explore.html"), slots, &p);
    bool ok = p.data && !ferror(p.data) && fflush(out) == 0 && !ferror(out);
    int why = errno;
    if (p.data)
        fclose(p.data);
    return ok || err_set(e, STATUS_BAD_INPUT, "the page of %s: cannot write: %s",
                         all[0].x->study->name, why ? strerror(why) : "output error");
}
