/* study_page_tables.c - the values behind the charts as tables. */
#include "report/study_page_priv.h"
#include "report/svg.h"

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

void study_page_cell(FILE *out, const char *open, const char *text, const char *close)
{
    fputs(open, out);
    study_page_escape(out, text);
    fputs(close, out);
}

/* --- rows: those that are drawn, then means beside the figure's own -------------------------- */

static uint32_t rows_of(const struct study_page_chart *c)
{
    return c->rows + c->figure->nbesides;
}

/* The place of row i of the table among those of the figure. */
static uint32_t row_at(const struct study_page_chart *c, uint32_t i)
{
    return i < c->rows ? i : c->judged->rows - c->figure->nbesides + (i - c->rows);
}

static const char *row_name(const struct study_page_chart *c, uint32_t i)
{
    return i < c->rows ? c->row[i] : c->beside[i - c->rows];
}

static bool is_mean(const struct study_page_chart *c, uint32_t i)
{
    return (int32_t)i == c->mean || i >= c->rows;
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
            fprintf(out, "<small>%s %s</small>", study_against(c->result->study),
                    study_page_chart_text(text, c->figure, p->value));
    }
}

static void number_cell(FILE *out, const struct study_page_chart *c, uint32_t row, double v)
{
    char text[STUDY_PAGE_TEXT_N];
    fprintf(out, "<td class=\"number%s\">%s", is_mean(c, row) ? " mean" : "",
            study_page_chart_text(text, c->figure, v));
}

static void value_cell(FILE *out, const struct study_page_chart *c, uint32_t row, uint32_t column)
{
    uint32_t at = row_at(c, row);
    number_cell(out, c, row, study_page_chart_value(c, at, column));
    paper_lines(out, c, (const uint32_t[2]){at, column}, -1);
    fputs("</td>", out);
}

/* Workloads and variants, either along the page, from `first` on. */
struct layout {
    bool lies; /* workloads are along the page */
    uint32_t first, n;
};

static void open_table(FILE *out, const struct study_page_chart *c, const char *kind)
{
    fprintf(out, "<table class=\"values%s\">", kind);
    study_page_cell(out, "<caption class=\"unseen\">", c->figure->title, "");
    if (*c->unit)
        study_page_cell(out, " (", c->unit, ")");
    fputs("</caption>\n", out);
}

static void plain_row(FILE *out, const struct study_page_chart *c, const struct layout *l,
                      uint32_t down)
{
    fputs(!l->lies && is_mean(c, down) ? "<tr class=\"mean\">" : "<tr>", out);
    study_page_cell(out, "<th scope=\"row\">", l->lies ? c->column[down] : row_name(c, down),
                    "</th>");
    for (uint32_t i = l->first; i < l->first + l->n; i++)
        value_cell(out, c, l->lies ? i : down, l->lies ? down : i);
    fputs("</tr>\n", out);
}

static void plain_table(FILE *out, const struct study_page_chart *c, const struct layout *l)
{
    open_table(out, c, l->lies ? " lying" : "");
    fprintf(out, "<thead><tr><th scope=\"col\">%s</th>", l->lies ? "Variant" : "Workload");
    for (uint32_t i = l->first; i < l->first + l->n; i++) {
        fprintf(out, "<th scope=\"col\" class=\"number%s\">",
                l->lies && is_mean(c, i) ? " mean" : "");
        study_page_cell(out, "", l->lies ? row_name(c, i) : c->column[i], "</th>");
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t i = 0; i < (l->lies ? c->columns : rows_of(c)); i++)
        plain_row(out, c, l, i);
    fputs("</tbody></table>\n", out);
}

/* Neither thin nor too wide for paper: one or two variants stand below each other, as do many more
 * than there are workloads; what is still too wide is continued in another table. */
static void plain_tables(FILE *out, const struct study_page_chart *c)
{
    enum { SEVERAL = 8, WIDEST = 13 };
    uint32_t rows = rows_of(c);
    bool lies = c->columns <= 2 ? rows > c->columns : c->columns > SEVERAL && rows < c->columns;
    uint32_t all = lies ? rows : c->columns;
    for (uint32_t first = 0; first < all; first += WIDEST) {
        uint32_t left = all - first;
        plain_table(out, c, &(struct layout){lies, first, left < WIDEST ? left : WIDEST});
    }
}

static void stack_table(FILE *out, const struct study_page_chart *c)
{
    open_table(out, c, " stacked");
    fputs("<thead><tr><th scope=\"col\">Workload</th><th scope=\"col\">Variant</th>", out);
    for (uint32_t p = 0; p < c->parts; p++)
        study_page_cell(out, "<th scope=\"col\" class=\"number\">", c->part[p], "</th>");
    fputs("<th scope=\"col\" class=\"number\">Sum</th></tr></thead>\n<tbody>\n", out);
    for (uint32_t i = 0; i < rows_of(c) * c->columns; i++) {
        uint32_t row = i / c->columns, column = i % c->columns, at = row_at(c, row);
        fputs(is_mean(c, row) ? "<tr class=\"mean\">" : "<tr>", out);
        if (column == 0) {
            fprintf(out, "<th scope=\"rowgroup\" rowspan=\"%u\">", c->columns);
            study_page_cell(out, "", row_name(c, row), "</th>");
        }
        study_page_cell(out, "<th scope=\"row\">", c->column[column], "</th>");
        for (uint32_t p = 0; p < c->parts; p++) {
            number_cell(out, c, row, study_page_chart_part(c, at, column, p));
            paper_lines(out, c, (const uint32_t[2]){at, column}, (int32_t)p);
            fputs("</td>", out);
        }
        number_cell(out, c, row, study_page_chart_value(c, at, column));
        paper_lines(out, c, (const uint32_t[2]){at, column}, -1);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

void study_page_values(FILE *out, const struct study_page_chart *c)
{
    study_page_cell(out,
                    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Values of ",
                    c->figure->name, "\">");
    if (c->figure->nparts)
        stack_table(out, c);
    else
        plain_tables(out, c);
    fputs("</div>\n", out);
}
