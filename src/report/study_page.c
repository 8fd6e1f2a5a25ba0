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
    study_page_escape(out, study_of(context)->doc);
}

static void write_name(FILE *out, const void *context)
{
    study_page_escape(out, study_of(context)->name);
}

static void write_path(FILE *out, const void *context)
{
    study_page_escape(out, study_of(context)->path);
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

static void write_verdicts(FILE *out, const void *context)
{
    study_page_verdicts(out, ((const struct page *)context)->r);
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
        fputs("\">", out);
        study_page_escape(out, f->name);
        fputs("</a> ", out);
        study_page_escape(out, f->title);
        fputs("</li>\n", out);
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

static void write_list(FILE *out, const char *const *names, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        fputs(i > 0 ? ", <i>" : "<i>", out);
        study_page_escape(out, names[i]);
        fputs("</i>", out);
    }
}

/* Each source once, in the order of the study. */
static void write_sources(FILE *out, const struct study_figure *f)
{
    bool any = false;
    for (uint32_t i = 0; i < f->npapers; i++) {
        const char *source = f->papers[i].source;
        bool seen = !source;
        for (uint32_t k = 0; k < i && !seen; k++)
            seen = f->papers[k].source && strcmp(f->papers[k].source, source) == 0;
        if (seen)
            continue;
        fputs(any ? ", " : "Source: ", out);
        study_page_escape(out, source);
        any = true;
    }
    fputs(any ? ". " : "", out);
}

/* A mean over fewer workloads than it seems must say so. */
static void write_counted(FILE *out, const struct study_page_chart *c)
{
    uint32_t all = c->figure->nworkloads, said = 0;
    for (uint32_t i = 0; c->mean >= 0 && i < c->columns; i++) {
        if (c->judged->counted[i] == all)
            continue;
        fputs(said++ ? ", " : "Means are over the workloads that have data: ", out);
        study_page_escape(out, c->column[i]);
        fprintf(out, " %u of %u", c->judged->counted[i], all);
    }
    fputs(said ? ". " : "", out);
}

static bool is_empty(const struct study_page_chart *c)
{
    for (uint32_t i = 0; i < c->rows * c->columns; i++)
        if (!isnan(study_page_chart_value(c, i / c->columns, i % c->columns)))
            return false;
    return true;
}

/* What the picture alone does not say. */
static void write_caption(FILE *out, const struct study_page_chart *c)
{
    const struct study_figure *f = c->figure;
    fputs(is_empty(c) ? "<figcaption>No run has data for this figure. " : "<figcaption>", out);
    if (f->doc && *f->doc) {
        study_page_escape(out, f->doc);
        fputs(" ", out);
    }
    if (f->baseline >= 0) {
        fputs("Baseline: <i>", out);
        study_page_escape(out, study_baseline_text(c->result->study, f));
        fputs("</i>. ", out);
    }
    if (c->kind == CHART_STACK && c->columns > 1) {
        fputs("Bars of each group, from left: ", out);
        write_list(out, c->column, c->columns);
        fputs(". ", out);
    }
    if (c->many_lines)
        fputs("One grey line per workload; the strong line is the mean. ", out);
    if (c->kind != CHART_NONE && study_page_chart_has_marks(c))
        fputs("Diamonds: values the paper gives. ", out);
    write_counted(out, c);
    write_sources(out, f);
    fputs("</figcaption>\n", out);
}

static void write_chart(FILE *out, const struct page *p, uint32_t figure,
                        const struct study_page_chart *c)
{
    fprintf(out, "<figure>\n<div class=\"chart\" style=\"aspect-ratio:%d/%d\">\n", c->width,
            c->height);
    fputs("<div class=\"static\" role=\"img\" aria-label=\"Chart: ", out);
    study_page_escape(out, c->figure->title);
    fputs(". The table below has its values.\">", out);
    study_page_svg(p->r, figure, out);
    fputs("</div>\n", out);
    if (p->renderer)
        write_spec(out, p->arena, c);
    fputs("</div>\n", out);
    write_caption(out, c);
    fputs("</figure>\n", out);
}

static void write_figures(FILE *out, const void *context)
{
    const struct page *p = context;
    for (uint32_t i = 0; i < p->r->study->nfigures; i++) {
        struct study_page_chart c;
        study_page_chart_of(p->arena, p->r, i, &c);
        bool charted = c.kind != CHART_NONE && c.rows > 0 && c.columns > 0;
        fputs("<section class=\"figure\" id=\"", out);
        study_page_anchor(out, p->r, c.figure);
        fputs("\">\n<h2><span>", out);
        study_page_escape(out, c.figure->name);
        fputs("</span> ", out);
        study_page_escape(out, c.figure->title);
        fputs("</h2>\n", out);
        if (charted)
            write_chart(out, p, i, &c);
        else
            write_caption(out, &c);
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

/* Where the flits of the busiest run went. */
static void write_network(FILE *out, const void *context)
{
    const struct verdict_heat *h = &((const struct page *)context)->r->heat;
    if (!h->job)
        return;
    fputs("<section id=\"network\">\n<h2>Network</h2>\n<figure><div class=\"heat\" role=\"img\" "
          "aria-label=\"Heat map of the links\">",
          out);
    heatmap_draw(out, (const struct graph *const *)h->graphs.graph, h->graphs.n,
                 (const double *const *)h->out, (const double *const *)h->in, h->job->label);
    fputs("</div><figcaption>Flits per cycle on each link, over the run of this study that loads "
          "a link most: <code>",
          out);
    study_page_escape(out, h->job->label);
    fputs("</code>.</figcaption></figure></section>\n", out);
}

bool study_page_write(const struct study_result *r, FILE *out, struct err *e)
{
    static const struct study_page_slot slots[] = {
        {"title", write_title},       {"doc", write_doc},           {"name", write_name},
        {"path", write_path},         {"seed", write_seed},         {"version", write_version},
        {"command", write_command},   {"counts", write_counts},     {"verdicts", write_verdicts},
        {"failures", write_failures}, {"variants", write_variants}, {"workloads", write_workloads},
        {"style", write_style},       {"contents", write_contents}, {"figures", write_figures},
        {"network", write_network},   {"scripts", write_scripts},   {NULL, NULL}};
    struct page p = {.r = r, .arena = arena_new(), .renderer = study_page_fill_renderer()};
    errno = 0;
    study_page_fill(out, study_page_fill_asset("template.html"), slots, &p);
    bool ok = fflush(out) == 0 && !ferror(out);
    int why = errno;
    arena_free(p.arena);
    return ok || err_set(e, STATUS_BAD_INPUT, "the page of study %s: cannot write: %s",
                         r->study->name, why ? strerror(why) : "output error");
}
