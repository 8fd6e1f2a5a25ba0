/* study_page.c - the page: web/template.html filled with a result.
 *
 * Every chart is first the static picture; where the build has the renderer, the same figure's
 * Vega-Lite specification stands beside it and takes its place when the script runs.  The full
 * configuration of each run is in the result database, not here: the page names machine files and
 * what each variant changes. */
#include "report/study_page.h"
#include <errno.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/heatmap.h"
#include "report/study_page_fill.h"
#include "report/study_page_label.h"
#include "report/study_page_priv.h"
#include "report/vega_spec.h"

struct page {
    const struct study_result *r;
    struct arena *arena;
    const char *renderer; /* or NULL */
};

static const struct study *study_of(const void *context)
{
    return ((const struct page *)context)->r->study;
}

static void write_title(FILE *out, const void *context)
{
    study_page_escape(out, study_of(context)->title);
}

static void write_doc(FILE *out, const void *context)
{
    const struct page *p = context;
    study_page_escape(out, label_sentence(p->arena, p->r->study->doc));
}

static void write_name(FILE *out, const void *context)
{
    study_page_escape(out, study_of(context)->name);
}

/* Its folder is of no use to readers elsewhere. */
static void write_path(FILE *out, const void *context)
{
    const char *path = study_of(context)->path, *slash = strrchr(path, '/');
    study_page_escape(out, slash ? slash + 1 : path);
}

static void write_seed(FILE *out, const void *context)
{
    fprintf(out, "%" PRIu64, study_of(context)->seed);
}

static void write_version(FILE *out, const void *context)
{
    study_page_escape(out, ((const struct page *)context)->r->version);
}

static void write_command(FILE *out, const void *context)
{
    study_page_escape(out, ((const struct page *)context)->r->command);
}

static void write_counts(FILE *out, const void *context)
{
    study_page_counts(out, ((const struct page *)context)->r);
}

static void write_overview(FILE *out, const void *context)
{
    study_page_overview(out, ((const struct page *)context)->r);
}

static void write_facts(FILE *out, const void *context)
{
    const struct page *p = context;
    study_page_facts(out, p->r, p->arena);
}

static void write_notices(FILE *out, const void *context)
{
    const struct page *p = context;
    study_page_notices(out, p->r, p->arena);
}

static void write_promise(FILE *out, const void *context)
{
    const struct study_result *r = ((const struct page *)context)->r;
    if (r->origin.others)
        fputs("Runs of other versions are done anew then", out);
    else
        study_page_cell(out, "With heddle ", r->version, ", this gives the same numbers");
}

static void write_verdicts(FILE *out, const void *context)
{
    const struct page *p = context;
    study_page_verdicts(out, p->r, p->arena);
}

static void write_failures(FILE *out, const void *context)
{
    study_page_failures(out, ((const struct page *)context)->r);
}

static void write_variants(FILE *out, const void *context)
{
    study_page_variants(out, ((const struct page *)context)->r);
}

static void write_workloads(FILE *out, const void *context)
{
    study_page_workloads(out, ((const struct page *)context)->r);
}

static void write_style(FILE *out, const void *context)
{
    (void)context;
    fputs(study_page_fill_asset("page.css"), out);
}

static void write_contents(FILE *out, const void *context)
{
    const struct page *p = context;
    for (uint32_t i = 0; i < p->r->study->nfigures; i++) {
        const struct study_figure *f = p->r->figures[i].figure;
        fputs("<li><a href=\"#", out);
        study_page_anchor(out, p->r, f);
        study_page_cell(out, "\">", f->name, "</a>");
        study_page_cell(out, " ", strcmp(f->title, f->name) != 0 ? f->title : "", "</li>\n");
    }
}

/* --- figures --------------------------------------------------------------------------------- */

/* In a script element only "<" could end it, and JSON has it only inside strings. */
static void copy_spec(FILE *out, const char *json, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (json[i] == '<')
            fputs("\\u003c", out);
        else
            fputc(json[i], out);
}

/* False: the buffer was too small. */
static bool spec_into(const struct study_page_chart *c, char *buffer, size_t size, size_t *length)
{
    FILE *f = fmemopen(buffer, size, "w");
    HD_ASSERT(f, "no stream in memory");
    vega_spec_write(c, f);
    bool ok = fflush(f) == 0 && !ferror(f);
    *length = ok ? (size_t)ftell(f) : 0;
    fclose(f);
    return ok && *length + 1 < size;
}

static void write_spec(FILE *out, struct arena *a, const struct study_page_chart *c)
{
    size_t size = (size_t)1 << 16, length = 0;
    char *buffer = arena_alloc(a, size);
    while (!spec_into(c, buffer, size, &length)) {
        size *= 2;
        buffer = arena_alloc(a, size);
    }
    fputs("<script type=\"application/json\" class=\"spec\">\n", out);
    copy_spec(out, buffer, length);
    fputs("</script>\n", out);
}

static bool is_said(struct arena *a, const struct study_figure *f, uint32_t paper)
{
    const char *source = label_source(a, f, f->papers[paper].source);
    for (uint32_t k = 0; k < paper; k++)
        if (strcmp(label_source(a, f, f->papers[k].source), source) == 0)
            return true;
    return false;
}

/* Each source once, in the order of the study. */
static void write_sources(FILE *out, struct arena *a, const struct study *s,
                          const struct study_figure *f)
{
    bool any = false;
    for (uint32_t i = 0; i < f->npapers; i++) {
        const char *source = label_source(a, f, f->papers[i].source);
        if (!*source || is_said(a, f, i))
            continue;
        if (!any)
            study_page_cell(out, "The ", study_against(s), "\u2019s values are from ");
        study_page_cell(out, any ? "; " : "", source, "");
        any = true;
    }
    fputs(any ? ". " : "", out);
    if (f->model && *f->model)
        study_page_cell(out, "Values here are of the model <i>", f->model, "</i>. ");
}

static bool is_empty(const struct study_page_chart *c)
{
    for (uint32_t i = 0; i < c->rows * c->columns; i++)
        if (!isnan(study_page_chart_value(c, i / c->columns, i % c->columns)))
            return false;
    return true;
}

/* A mean over fewer workloads than it seems must say so. */
static void write_counted(FILE *out, const struct study_page_chart *c)
{
    uint32_t all = c->figure->nworkloads, said = 0;
    if (c->mean < 0 || is_empty(c))
        return;
    for (uint32_t i = 0; i < c->columns; i++) {
        if (c->judged->counted[i] == all)
            continue;
        fputs(said++ ? "; " : "Means are over the workloads that have data: ", out);
        study_page_cell(out, "", c->column[i], "");
        fprintf(out, " %u of %u", c->judged->counted[i], all);
    }
    fputs(said ? ". " : "", out);
}

/* What the means beside the figure's own are, where the study says it. */
static void write_besides(FILE *out, struct arena *a, const struct study_figure *f)
{
    for (uint32_t i = 0; i < f->nbesides; i++)
        if (*f->besides[i].doc) {
            study_page_cell(out, "<i>", f->besides[i].name, "</i>: ");
            study_page_cell(out, "", label_sentence(a, f->besides[i].doc), " ");
        }
}

static void write_baseline(FILE *out, struct arena *a, const struct study_page_chart *c)
{
    const struct study *s = c->result->study;
    const char *text = study_baseline_text(s, c->figure);
    for (uint32_t i = 0; i < s->nvariants; i++)
        if (strcmp(s->variants[i].name, text) == 0) {
            study_page_cell(out, "The baseline is <i>", label_variant(a, &s->variants[i]),
                            "</i>. ");
            return;
        }
    fputs(*text ? "Each variant has a baseline of its own. " : "", out);
}

static void write_reading(FILE *out, const struct study_page_chart *c)
{
    if (c->kind == CHART_STACK && c->nbars > 1) {
        fputs("The bars of each group are, from the left, ", out);
        for (uint32_t i = 0; i < c->nbars; i++)
            study_page_cell(out, i > 0 ? ", <i>" : "<i>",
                            c->x_is_variant ? c->row[i] : c->column[i], "</i>");
        fputs(". ", out);
    } else if (c->kind == CHART_STACK) {
        study_page_cell(out, "All bars are of <i>", c->x_is_variant ? c->row[0] : c->column[0],
                        "</i>. ");
    }
    if (c->sweep && c->rows == 1)
        study_page_cell(out, "All are of <i>", c->row[0], "</i>. ");
    if (c->sweep)
        study_page_cell(out, "Along the axis is <i>", c->sweep->axis, "</i>. ");
    if (c->many_lines)
        fputs(c->mean_series >= 0 ? "There is a grey line for each workload; the strong one is "
                                    "their mean. "
                                  : "There is a grey line for each series. ",
              out);
    if (c->kind != CHART_NONE && c->kind != CHART_SCATTER && study_page_chart_has_marks(c))
        study_page_cell(out, "Diamonds mark values that the ", study_against(c->result->study),
                        " gives. ");
}

static void write_scatter(FILE *out, struct arena *a, const struct study_page_chart *c)
{
    if (!c->scatter)
        return;
    study_page_cell(out, "On the line, what was measured is what the ",
                    study_against(c->result->study), " gives. ");
    for (uint32_t i = 0; i < c->columns; i++) {
        const char *text = verdict_errors_text(a, c->result, c->judged, i);
        if (text)
            study_page_cell(out, "", text, ". ");
    }
}

static void write_full(FILE *out, const struct study_figure *f)
{
    if (study_is_small_form(f))
        study_page_cell(out, "The full study: <code>heddle study ", f->full, "</code>.");
}

/* What the picture alone does not say, in sentences. */
static void write_caption(FILE *out, struct arena *a, const struct study_page_chart *c,
                          const char *element)
{
    fprintf(out, "<%s%s>", element, strcmp(element, "p") == 0 ? " class=\"caption\"" : "");
    if (is_empty(c))
        fputs("No run has data for this figure. ", out);
    study_page_cell(out, "", label_sentence(a, c->figure->doc), " ");
    write_baseline(out, a, c);
    write_reading(out, c);
    write_scatter(out, a, c);
    write_counted(out, c);
    write_besides(out, a, c->figure);
    write_sources(out, a, c->result->study, c->figure);
    write_full(out, c->figure);
    fprintf(out, "</%s>\n", element);
}

static void write_chart(FILE *out, const struct page *p, uint32_t figure,
                        const struct study_page_chart *c)
{
    static const char *const words[] = {"Bar chart", "Line chart", "Chart of stacked bars",
                                        "Scatter", ""};
    fprintf(out, "<figure>\n<div class=\"chart\" style=\"aspect-ratio:%d/%d\">\n", c->width,
            c->height);
    study_page_cell(out, "<div class=\"static\" role=\"img\" aria-label=\"", words[c->kind], ": ");
    study_page_cell(out, "", c->figure->title, ". The table below has its values.\">");
    study_page_svg(p->r, figure, out);
    fputs("</div>\n", out);
    if (p->renderer)
        write_spec(out, p->arena, c);
    fputs("</div>\n", out);
    write_caption(out, p->arena, c, "figcaption");
    fputs("</figure>\n", out);
}

static void write_heading(FILE *out, const struct study_figure *f)
{
    fputs("<h2>", out);
    if (strcmp(f->name, f->title) != 0)
        study_page_cell(out, "<span>", f->name, "</span> ");
    study_page_cell(out, "", f->title, "</h2>\n");
}

static void write_figures(FILE *out, const void *context)
{
    const struct page *p = context;
    for (uint32_t i = 0; i < p->r->study->nfigures; i++) {
        struct study_page_chart c;
        study_page_chart_of(p->arena, p->r, i, &c);
        bool charted = c.kind != CHART_NONE && !is_empty(&c);
        fputs("<section class=\"figure\" id=\"", out);
        study_page_anchor(out, p->r, c.figure);
        fputs("\">\n", out);
        write_heading(out, c.figure);
        if (charted)
            write_chart(out, p, i, &c);
        else
            write_caption(out, p->arena, &c, "p");
        fputs(charted ? "<details><summary>Values</summary>\n" : "", out);
        study_page_values(out, &c);
        fputs(charted ? "</details>\n</section>\n" : "</section>\n", out);
    }
}

static void write_scripts(FILE *out, const void *context)
{
    const char *renderer = ((const struct page *)context)->renderer;
    if (renderer)
        fprintf(out, "<script>\n%s\n</script>\n", renderer);
    fprintf(out, "<script>\n%s</script>\n", study_page_fill_asset("page.js"));
}

/* Where the flits of the busiest network went. */
static void write_network(FILE *out, const void *context)
{
    static const char *const names[] = {"request", "reply"};
    const struct page *p = context;
    const struct verdict_heat *h = &p->r->heat;
    const struct study *s = p->r->study;
    if (!h->job)
        return;
    fputs("<section id=\"network\">\n<h2>The busiest network</h2>\n<figure><div class=\"heat\" "
          "role=\"img\" aria-label=\"Heat map of the links of the busiest network\">",
          out);
    heatmap_draw(out, (const struct graph *const *)h->graphs.graph, h->graphs.n,
                 (const double *const *)h->out, (const double *const *)h->in, h->job->label);
    fputs("</div><figcaption>Of all runs, ", out);
    study_page_cell(out, "that of <i>", label_workload(p->arena, s, h->job->workload), "</i> on ");
    study_page_cell(out, "<i>", label_variant(p->arena, &s->variants[h->job->variant]), "</i> ");
    study_page_cell(
        out, "(<code>", h->job->label,
        "</code>) has the busiest network, that with the most flits per cycle and link");
    if (h->graphs.n > 1)
        fprintf(out, ": its %s network", names[h->busiest]);
    fputs(". The picture shows every link of that run.</figcaption></figure></section>\n", out);
}

bool study_page_write(const struct study_result *r, FILE *out, struct err *e)
{
    static const struct study_page_slot slots[] = {
        {"title", write_title},       {"doc", write_doc},
        {"name", write_name},         {"path", write_path},
        {"seed", write_seed},         {"version", write_version},
        {"command", write_command},   {"counts", write_counts},
        {"verdicts", write_verdicts}, {"failures", write_failures},
        {"variants", write_variants}, {"workloads", write_workloads},
        {"style", write_style},       {"contents", write_contents},
        {"figures", write_figures},   {"network", write_network},
        {"scripts", write_scripts},   {"facts", write_facts},
        {"notices", write_notices},   {"promise", write_promise},
        {"overview", write_overview}, {NULL, NULL}};
    struct page p = {.r = r, .arena = arena_new(), .renderer = study_page_fill_renderer()};
    errno = 0;
    study_page_fill(out, study_page_fill_asset("template.html"), slots, &p);
    bool ok = fflush(out) == 0 && !ferror(out);
    int why = errno;
    arena_free(p.arena);
    return ok || err_set(e, STATUS_BAD_INPUT, "the page of study %s: cannot write: %s",
                         r->study->name, why ? strerror(why) : "output error");
}
