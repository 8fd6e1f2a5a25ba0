/* study_page_verdicts.c - what the study says: counts, the rules, a table that folds by figure.
 *
 * Each verdict has a word and a symbol besides its colour.  Claims of the study's own hold or fail;
 * only what a paper says can be reproduced, and only by the full study (verdict_word). */
#include <math.h>
#include <string.h>

#include "report/study_page_label.h"
#include "report/study_page_priv.h"

enum outcome { GOOD, NEAR, BAD, HOLDS, FAILS, NONE, OUTCOMES };

static const struct {
    const char *key, *look, *mark, *rule;
    enum verdict verdict;
} outcomes[OUTCOMES] = {
    [GOOD] = {"good", "good", "\u2713",
              "The measured value is within the figure\u2019s tolerance of the paper\u2019s; a "
              "statement or bound of the paper is true of it",
              VERDICT_REPRODUCED},
    [NEAR] = {"near", "near", "\u2197",
              "It is not, but lies on the same side of \u201cno effect\u201d", VERDICT_DIRECTION},
    [BAD] = {"bad", "bad", "\u2717",
             "It lies on the other side, or shows an effect where the paper saw none; the "
             "statement is not true of it",
             VERDICT_NOT},
    [HOLDS] = {"holds", "good", "\u2713", "A claim of this study is true of the measured values",
               VERDICT_HOLDS},
    [FAILS] = {"fails", "bad", "\u2717", "It is not true of them", VERDICT_FAILS},
    [NONE] = {"none", "none", "\u2013",
              "It could not be computed: runs are missing, or a number is not defined",
              VERDICT_NO_DATA},
};

static const char *word_of(const struct study_result *r, enum outcome o)
{
    return verdict_word(r->study, outcomes[o].verdict);
}

static enum outcome outcome_of(const struct verdict_row *row)
{
    static const enum outcome of[VERDICTS] = {
        [VERDICT_REPRODUCED] = GOOD, [VERDICT_DIRECTION] = NEAR, [VERDICT_NOT] = BAD,
        [VERDICT_NO_DATA] = NONE,    [VERDICT_HOLDS] = HOLDS,    [VERDICT_FAILS] = FAILS};
    return of[row->verdict];
}

/* Of one figure, or of all where it is NULL. */
static void count(const struct study_result *r, const struct study_figure *f, uint32_t n[OUTCOMES])
{
    memset(n, 0, OUTCOMES * sizeof n[0]);
    for (uint32_t i = 0; i < r->nrows; i++)
        if (!f || r->rows[i].figure == f)
            n[outcome_of(&r->rows[i])]++;
}

static const char *title_of(const struct study_result *r, const uint32_t n[OUTCOMES])
{
    bool is_own = n[GOOD] + n[NEAR] + n[BAD] == 0 && n[HOLDS] + n[FAILS] > 0;
    return is_own               ? "Claims and measurement"
           : r->study->against  ? "Measured and simulated"
           : r->study->is_quick ? "Paper and quick run"
                                : "Paper and measurement";
}

/* --- counts and rules ------------------------------------------------------------------------ */

void study_page_counts(FILE *out, const struct study_result *r)
{
    uint32_t n[OUTCOMES];
    count(r, NULL, n);
    if (r->nrows == 0)
        return;
    fprintf(out, "<section id=\"summary\">\n<h2>%s%s</h2>\n<ul class=\"counts%s\">\n",
            title_of(r, n), r->study->is_quick ? " <small>provisional</small>" : "",
            r->study->is_quick ? " provisional" : "");
    for (int o = 0; o < OUTCOMES; o++)
        if (n[o])
            fprintf(out,
                    "<li class=\"count %s\"><b>%u</b> <span><span aria-hidden=\"true\">%s</span> "
                    "%s</span></li>\n",
                    outcomes[o].look, n[o], outcomes[o].mark, word_of(r, (enum outcome)o));
    fputs("</ul>\n<p><a href=\"#verdicts\">What these words mean, and all rows</a></p>\n"
          "</section>\n",
          out);
}

static void write_rules(FILE *out, const struct study_result *r, const uint32_t n[OUTCOMES])
{
    bool of_paper = n[GOOD] + n[NEAR] + n[BAD] > 0, own = n[HOLDS] + n[FAILS] > 0;
    const bool shown[OUTCOMES] = {of_paper, of_paper, of_paper, own, own, n[NONE] > 0};
    fputs("<dl class=\"rules\">\n", out);
    for (int o = 0; o < OUTCOMES; o++)
        if (shown[o])
            fprintf(out,
                    "<div><dt><span class=\"badge %s\"><span aria-hidden=\"true\">%s</span> "
                    "%s</span></dt><dd>%s.</dd></div>\n",
                    outcomes[o].look, outcomes[o].mark, word_of(r, (enum outcome)o),
                    outcomes[o].rule);
    fputs("</dl>\n", out);
    if (of_paper)
        fputs(
            "<p>A tolerance is a part of the paper\u2019s effect, which is how far its value lies "
            "from \u201cno effect\u201d, and sometimes an amount besides; each figure states its "
            "own.</p>\n",
            out);
}

/* Beside the rules: the page that explains what came out. */
static void write_reasons(FILE *out, const struct study_result *r)
{
    const char *name = r->study->reasons, *address = r->origin.reasons;
    if (!name || !*name)
        return;
    while (strncmp(name, "../", 3) == 0)
        name += 3;
    fputs("<p class=\"reasons\">Reasons for what agrees and what does not: ", out);
    study_page_cell(out, address ? "<a href=\"" : "", address, address ? "\">" : "");
    study_page_cell(out, "<code>", name, "</code>");
    fputs(address ? "</a>.</p>\n" : ".</p>\n", out);
}

static void write_filters(FILE *out, const struct study_result *r, const uint32_t n[OUTCOMES],
                          bool are_open)
{
    fputs("<div class=\"filters\" role=\"group\" aria-label=\"Show only one verdict\">\n", out);
    for (int o = 0; o < OUTCOMES; o++)
        if (n[o])
            fprintf(out,
                    "<button type=\"button\" class=\"filter %s\" data-verdict=\"%s\" "
                    "aria-pressed=\"false\"><b>%u</b> %s</button>\n",
                    outcomes[o].look, outcomes[o].key, n[o], word_of(r, (enum outcome)o));
    fprintf(out, "<button type=\"button\" class=\"fold\">%s all</button>\n</div>\n",
            are_open ? "close" : "open");
}

/* --- rows ------------------------------------------------------------------------------------ */

static void write_what(FILE *out, const struct study_result *r, const struct verdict_row *row,
                       struct arena *a)
{
    const struct study_paper *p = row->paper;
    const struct study_figure *f = row->figure;
    if (!p || p->variant >= r->study->nvariants) {
        study_page_escape(out, row->what);
        return;
    }
    uint32_t column = 0;
    while (column + 1 < f->nvariants && f->variants[column] != p->variant)
        column++;
    const struct verdict_figure *v = &r->figures[f - r->study->figures];
    study_page_escape(out, label_column(a, r->study, f, column));
    if (p->workload >= 0)
        study_page_cell(out, ", ", label_workload(a, r->study, (uint32_t)p->workload), "");
    else
        study_page_cell(out, ", ", verdict_extent_text(a, v, verdict_paper_row(f, p), column), "");
    if (p->part >= 0)
        study_page_cell(out, ", ", label_metric(a, f->parts[p->part]), "");
}

static void write_numbers(FILE *out, const struct verdict_row *row)
{
    static const char *const bounds[] = {"", "&gt; ", "&lt; "};
    char text[STUDY_PAGE_TEXT_N];
    const struct study_figure *f = row->figure;
    fprintf(out, "<td class=\"number\">%s%s</td>", bounds[row->paper->bound],
            study_page_chart_text(text, f, row->paper_value));
    fprintf(out, "<td class=\"number\">%s</td>", study_page_chart_text(text, f, row->measured));
    fprintf(out, "<td class=\"number gap\">%s</td>",
            study_page_chart_gap(text, f, row->measured, row->paper_value));
}

/* A claim has no numbers: its words take their place. */
static void write_row(FILE *out, const struct study_result *r, const struct verdict_row *row,
                      struct arena *a)
{
    HD_ASSERT(row->paper || row->claim, "a verdict of nothing");
    enum outcome o = outcome_of(row);
    bool spans = row->claim && row->figure->npapers;
    fprintf(out, "<tr data-verdict=\"%s\"><th scope=\"row\"%s>", outcomes[o].key,
            spans ? " colspan=\"3\"" : "");
    write_what(out, r, row, a);
    const char *source = row->paper ? row->paper->source : row->claim->source;
    study_page_cell(out, " <small>", label_source(a, row->figure, source), "</small>");
    if (row->paper && row->paper->note && *row->paper->note)
        study_page_cell(out, "<small class=\"note\">", row->paper->note, "</small>");
    fputs("</th>", out);
    if (row->paper)
        write_numbers(out, row);
    else if (spans)
        fputs("<td class=\"gap\"></td>", out); /* narrow pages leave it out */
    fprintf(out,
            "<td><span class=\"badge %s\"><span aria-hidden=\"true\">%s</span> "
            "%s</span></td></tr>\n",
            outcomes[o].look, outcomes[o].mark, word_of(r, o));
}

/* "Within 30 % of the paper's effect plus 2.0 pp; no effect is +0.0%." */
static void write_tolerance(FILE *out, const struct study_figure *f)
{
    char text[STUDY_PAGE_TEXT_N];
    bool has_points = f->format != FORMAT_NUMBER;
    if (f->npapers == 0)
        return;
    fputs("<p class=\"tolerance\">Tolerance: ", out);
    if (f->reproduced > 0)
        fprintf(out, "%g\u202f%% of the paper\u2019s effect", 100 * f->reproduced);
    if (f->absolute > 0)
        fprintf(out, "%s%g%s", f->reproduced > 0 ? " plus " : "",
                has_points ? 100 * f->absolute : f->absolute, has_points ? " pp" : "");
    if (!(f->reproduced > 0) && !(f->absolute > 0))
        fputs("none, it has to be the same", out);
    if (has_points)
        fprintf(out, "; no effect is %s.", study_page_chart_text(text, f, f->neutral));
    else
        fprintf(out, "; no effect is %g.", f->neutral);
    if (f->model && *f->model)
        study_page_cell(out, " Values are of the model <i>", f->model, "</i>.");
    fputs("</p>\n", out);
}

static void write_head(FILE *out, const struct study_result *r, const struct study_figure *f)
{
    uint32_t n[OUTCOMES];
    count(r, f, n);
    fputs("<summary><span class=\"name\">", out);
    study_page_cell(out, "", f->name, "</span> ");
    study_page_cell(out, "<span class=\"title\">", strcmp(f->title, f->name) != 0 ? f->title : "",
                    "</span>");
    fputs("<span class=\"tally\">", out);
    for (int o = 0; o < OUTCOMES; o++)
        if (n[o])
            fprintf(out,
                    " <span class=\"badge %s\"><span aria-hidden=\"true\">%s</span> %u<span "
                    "class=\"unseen\"> %s</span></span>",
                    outcomes[o].look, outcomes[o].mark, n[o], word_of(r, (enum outcome)o));
    fputs("</span></summary>\n", out);
}

static void write_group(FILE *out, const struct study_result *r, uint32_t first, bool is_open,
                        struct arena *a)
{
    const struct study_figure *f = r->rows[first].figure;
    fprintf(out, "<details class=\"group\"%s>\n", is_open ? " open" : "");
    write_head(out, r, f);
    write_tolerance(out, f);
    study_page_cell(
        out, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Verdicts on ",
        f->name, "\">\n");
    fprintf(out, "<table class=\"verdicts%s\">", f->npapers ? "" : " claims");
    study_page_cell(out, "<caption class=\"unseen\">", f->title, "</caption>\n");
    fputs("<thead><tr><th scope=\"col\">What</th>", out);
    if (f->npapers)
        study_page_cell(out, "<th scope=\"col\" class=\"number\">",
                        r->study->against ? r->study->against : "Paper", "</th>");
    if (f->npapers)
        fputs("<th scope=\"col\" class=\"number\">Measured</th>"
              "<th scope=\"col\" class=\"number gap\">Difference</th>",
              out);
    fputs("<th scope=\"col\">Verdict</th></tr></thead>\n<tbody>\n", out);
    for (uint32_t i = first; i < r->nrows && r->rows[i].figure == f; i++)
        write_row(out, r, &r->rows[i], a);
    fputs("</tbody></table></div>\n<p class=\"more\"><a href=\"#", out);
    study_page_anchor(out, r, f);
    study_page_cell(out, "\">Chart and values of ", f->name, "</a></p>\n</details>\n");
}

void study_page_verdicts(FILE *out, const struct study_result *r, struct arena *a)
{
    enum { FEW = 12 }; /* rows that need no folding */
    uint32_t n[OUTCOMES];
    count(r, NULL, n);
    if (r->nrows == 0)
        return;
    fprintf(out, "<section id=\"verdicts\">\n<h2>%s, row by row%s</h2>\n", title_of(r, n),
            r->study->is_quick ? " <small>provisional</small>" : "");
    write_rules(out, r, n);
    write_reasons(out, r);
    write_filters(out, r, n, r->nrows <= FEW);
    for (uint32_t i = 0; i < r->nrows; i++)
        if (i == 0 || r->rows[i].figure != r->rows[i - 1].figure)
            write_group(out, r, i, r->nrows <= FEW, a);
    fputs("</section>\n", out);
}
