/* study_page_tables.c - the page's tables: verdicts, values behind the charts, failed runs,
 * configuration.  Each verdict has a word and a symbol besides its colour. */
#include <math.h>
#include <string.h>

#include "report/study_page_priv.h"
#include "report/svg.h"
#include "study/pool.h"

static const char *const verdict_class[VERDICTS] = {"good", "near", "bad", "none", "good", "bad"};
static const char *const verdict_mark[VERDICTS] = {"\u2713", "\u2197", "\u2717",
                                                   "\u2013", "\u2713", "\u2717"};

void study_page_escape(FILE *out, const char *text)
{
    struct svg s = {.out = out};
    if (text)
        svg_escape(&s, text);
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

void study_page_anchor(FILE *out, const struct study_result *r, const struct study_figure *f)
{
    bool changed = false;
    fputs("figure-", out);
    for (const char *s = f->name; *s; s++) {
        fputc(is_plain(*s) ? *s : '-', out);
        changed |= !is_plain(*s);
    }
    if (changed) /* two names may have become the same */
        fprintf(out, "-%td", f - r->study->figures);
}

static void cell(FILE *out, const char *open, const char *text, const char *close)
{
    fputs(open, out);
    study_page_escape(out, text);
    fputs(close, out);
}

/* --- verdicts -------------------------------------------------------------------------------- */

static void verdict_badge(FILE *out, enum verdict v)
{
    fprintf(out, "<span class=\"badge %s\"><span aria-hidden=\"true\">%s</span> %s</span>",
            verdict_class[v], verdict_mark[v], verdict_name[v]);
}

void study_page_counts(FILE *out, const struct study_result *r)
{
    for (int v = 0; v < (r->own ? VERDICTS : VERDICT_HOLDS); v++)
        fprintf(out,
                "<button type=\"button\" class=\"count %s\" data-verdict=\"%s\" "
                "aria-pressed=\"false\"%s><b>%u</b> <span><span aria-hidden=\"true\">%s</span> "
                "%s</span></button>\n",
                verdict_class[v], verdict_class[v], r->count[v] ? "" : " disabled", r->count[v],
                verdict_mark[v], verdict_name[v]);
}

static void group_row(FILE *out, const struct study_result *r, const struct study_figure *f)
{
    fputs("<tbody>\n<tr class=\"group\"><th colspan=\"5\" scope=\"rowgroup\"><a href=\"#", out);
    study_page_anchor(out, r, f);
    cell(out, "\">", f->name, "</a> ");
    cell(out, "<span>", f->title, "</span></th></tr>\n");
}

static void claim_cells(FILE *out, const struct verdict_row *row)
{
    const char *says = !isfinite(row->measured) ? "\u2013" : row->measured != 0 ? "yes" : "no";
    fprintf(out, "<td class=\"number\">yes</td><td class=\"number\">%s</td><td class=\"gap\"></td>",
            says);
}

static void value_cells(FILE *out, const struct verdict_row *row)
{
    char text[STUDY_PAGE_TEXT_N];
    const struct study_figure *f = row->figure;
    static const char *const bounds[] = {"", "&gt; ", "&lt; "};
    fprintf(out, "<td class=\"number\">%s%s</td>", bounds[row->paper->bound],
            study_page_chart_text(text, f, row->paper_value));
    fprintf(out, "<td class=\"number\">%s</td>", study_page_chart_text(text, f, row->measured));
    fprintf(out, "<td class=\"number gap\">%s</td>",
            study_page_chart_gap(text, f, row->measured, row->paper_value));
}

static void verdict_row(FILE *out, const struct verdict_row *row)
{
    fprintf(out, "<tr data-verdict=\"%s\">", verdict_class[row->verdict]);
    cell(out, "<th scope=\"row\">", row->what, "");
    cell(out, " <small>", row->paper ? row->paper->source : row->claim->source, "</small>");
    if (row->paper && row->paper->note)
        cell(out, "<small class=\"note\">", row->paper->note, "</small>");
    fputs("</th>", out);
    if (row->claim)
        claim_cells(out, row);
    else
        value_cells(out, row);
    fputs("<td>", out);
    verdict_badge(out, row->verdict);
    fputs("</td></tr>\n", out);
}

void study_page_verdicts(FILE *out, const struct study_result *r)
{
    if (r->nrows == 0) {
        fputs("<p>The study gives no values of a paper.</p>\n", out);
        return;
    }
    fputs("<table class=\"verdicts\"><caption>What the paper says and what was measured</caption>\n"
          "<thead><tr><th scope=\"col\">What</th><th scope=\"col\" class=\"number\">Paper</th>"
          "<th scope=\"col\" class=\"number\">Measured</th>"
          "<th scope=\"col\" class=\"number\">Difference</th>"
          "<th scope=\"col\">Verdict</th></tr></thead>\n",
          out);
    for (uint32_t i = 0; i < r->nrows; i++) {
        if (i == 0 || r->rows[i].figure != r->rows[i - 1].figure) {
            fputs(i > 0 ? "</tbody>\n" : "", out);
            group_row(out, r, r->rows[i].figure);
        }
        verdict_row(out, &r->rows[i]);
    }
    fputs("</tbody></table>\n", out);
}

/* --- values ---------------------------------------------------------------------------------- */

/* The paper's values of one cell; part < 0: of the whole. */
static void paper_lines(FILE *out, const struct study_page_chart *c, const uint32_t at[2],
                        int32_t part)
{
    char text[STUDY_PAGE_TEXT_N];
    for (uint32_t i = 0, r, k; i < c->figure->npapers; i++) {
        const struct study_paper *p = &c->figure->papers[i];
        if (study_page_chart_place(c, p, &r, &k) && r == at[0] && k == at[1] && p->part == part)
            fprintf(out, "<small>paper %s</small>",
                    study_page_chart_text(text, c->figure, p->value));
    }
}

static void number_cell(FILE *out, const struct study_page_chart *c, double v)
{
    char text[STUDY_PAGE_TEXT_N];
    fprintf(out, "<td class=\"number\">%s", study_page_chart_text(text, c->figure, v));
}

static void plain_rows(FILE *out, const struct study_page_chart *c)
{
    fputs("<thead><tr><th scope=\"col\">Workload</th>", out);
    for (uint32_t k = 0; k < c->columns; k++)
        cell(out, "<th scope=\"col\" class=\"number\">", c->column[k], "</th>");
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t i = 0; i < c->rows; i++) {
        fputs((int32_t)i == c->mean ? "<tr class=\"mean\">" : "<tr>", out);
        cell(out, "<th scope=\"row\">", c->row[i], "</th>");
        for (uint32_t k = 0; k < c->columns; k++) {
            number_cell(out, c, study_page_chart_value(c, i, k));
            paper_lines(out, c, (const uint32_t[2]){i, k}, -1);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
}

static void stack_rows(FILE *out, const struct study_page_chart *c)
{
    fputs("<thead><tr><th scope=\"col\">Workload</th><th scope=\"col\">Variant</th>", out);
    for (uint32_t p = 0; p < c->parts; p++)
        cell(out, "<th scope=\"col\" class=\"number\">", c->part[p], "</th>");
    fputs("<th scope=\"col\" class=\"number\">Sum</th></tr></thead>\n<tbody>\n", out);
    for (uint32_t i = 0; i < c->rows * c->columns; i++) {
        uint32_t row = i / c->columns, column = i % c->columns;
        fputs((int32_t)row == c->mean ? "<tr class=\"mean\">" : "<tr>", out);
        if (column == 0) {
            fprintf(out, "<th scope=\"rowgroup\" rowspan=\"%u\">", c->columns);
            cell(out, "", c->row[row], "</th>");
        }
        cell(out, "<th scope=\"row\">", c->column[column], "</th>");
        for (uint32_t p = 0; p < c->parts; p++) {
            number_cell(out, c, study_page_chart_part(c, row, column, p));
            paper_lines(out, c, (const uint32_t[2]){row, column}, (int32_t)p);
            fputs("</td>", out);
        }
        number_cell(out, c, study_page_chart_value(c, row, column));
        paper_lines(out, c, (const uint32_t[2]){row, column}, -1);
        fputs("</td></tr>\n", out);
    }
}

void study_page_values(FILE *out, const struct study_page_chart *c)
{
    cell(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Values of ",
         c->figure->name, "\">");
    fputs(c->figure->nparts ? "<table class=\"values stacked\">" : "<table class=\"values\">", out);
    cell(out, "<caption>", c->figure->title, "");
    if (*c->unit)
        cell(out, " (", c->unit, ")");
    fputs("</caption>\n", out);
    if (c->figure->nparts)
        stack_rows(out, c);
    else
        plain_rows(out, c);
    fputs("</tbody></table></div>\n", out);
}

/* --- runs and configuration ------------------------------------------------------------------ */

void study_page_failures(FILE *out, const struct study_result *r)
{
    if (r->nfailures == 0) {
        fputs("<p>None.</p>\n", out);
        return;
    }
    fputs(
        "<table><caption>Runs that gave no result</caption>\n<thead><tr><th scope=\"col\">Run</th>"
        "<th scope=\"col\">Why</th></tr></thead>\n<tbody>\n",
        out);
    for (uint32_t i = 0; i < r->nfailures; i++) {
        cell(out, "<tr><th scope=\"row\"><code>", r->failures[i].label, "</code></th>");
        cell(out, "<td>", r->failures[i].why, "</td></tr>\n");
    }
    fputs("</tbody></table>\n", out);
}

/* Any run of a variant has its configuration. */
static const struct config *config_of(const struct study_result *r, uint32_t variant)
{
    for (uint32_t w = 0; w < r->study->nworkloads; w++) {
        uint32_t job = r->plan->of[variant * r->study->nworkloads + w];
        if (job != UINT32_MAX)
            return r->plan->jobs[job].config;
    }
    return NULL;
}

static bool is_first_of_machine(const struct study_result *r, uint32_t variant)
{
    const struct study_variant *v = r->study->variants;
    if (!config_of(r, variant))
        return false;
    for (uint32_t i = 0; i < variant; i++)
        if (strcmp(v[i].machine, v[variant].machine) == 0 && config_of(r, i))
            return false;
    return true;
}

/* Every parameter; those of the machine's other variants differ by their changes.  The values are
 * numbers and names that the machine has accepted: nothing in them means anything in HTML. */
static void write_parameters(FILE *out, const struct study_result *r, uint32_t variant)
{
    const struct study_variant *v = &r->study->variants[variant];
    struct json j;
    cell(out, "<details><summary>Every parameter of <code>", v->machine, "</code> as ");
    cell(out, "<code>", v->name, "</code></summary>\n<pre tabindex=\"0\"><code>");
    json_begin(&j, out);
    config_echo_json(config_of(r, variant), &j);
    json_end(&j);
    fputs("</code></pre></details>\n", out);
}

void study_page_variants(FILE *out, const struct study_result *r)
{
    fputs("<table><caption>Variants</caption>\n<thead><tr><th scope=\"col\">Variant</th>"
          "<th scope=\"col\">Machine</th><th scope=\"col\">Changes to it</th></tr></thead>\n"
          "<tbody>\n",
          out);
    for (uint32_t i = 0; i < r->study->nvariants; i++) {
        const struct study_variant *v = &r->study->variants[i];
        cell(out, "<tr><th scope=\"row\"><code>", v->name, "</code>");
        cell(out, v->doc ? "<small class=\"note\">" : "", v->doc, v->doc ? "</small>" : "");
        cell(out, "</th><td><code>", v->machine, "</code></td><td>");
        for (uint32_t k = 0; k < v->nsets; k++)
            cell(out, k > 0 ? "<br><code>" : "<code>", v->sets[k], "</code>");
        fputs(v->nsets ? "</td></tr>\n" : "none</td></tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
    for (uint32_t i = 0; r->plan && i < r->study->nvariants; i++)
        if (is_first_of_machine(r, i))
            write_parameters(out, r, i);
}

void study_page_workloads(FILE *out, const struct study_result *r)
{
    for (uint32_t i = 0; i < r->study->nworkloads; i++) {
        const struct study_workload *w = &r->study->workloads[i];
        cell(out, i > 0 ? ", <code>" : "<code>", w->name, *w->size ? "@" : "");
        cell(out, "", w->size, "</code>");
        for (uint32_t k = 0; k < w->nsets; k++)
            cell(out, k > 0 ? ", <code>" : " (<code>", w->sets[k], "</code>");
        fputs(w->nsets ? ")" : "", out);
    }
}
