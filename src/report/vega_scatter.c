/* vega_scatter.c - see vega_scatter.h.  Names are data, as in vega_spec.c. */
#include "report/vega_scatter.h"

#include "base/json.h"
#include "report/study_page_chart.h"

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

void vega_scatter_points(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    char text[STUDY_PAGE_TEXT_N];
    struct json j;
    json_begin(&j, out);
    json_open_array(&j, false);
    for (uint32_t i = 0; i < c->scatter->n; i++) {
        const struct study_page_point *p = &c->scatter->points[i];
        json_open_object(&j, true);
        member_text(&j, "w", c->row[p->row]);
        member_text(&j, "v", c->column[p->column]);
        member_real(&j, "x", p->paper);
        member_real(&j, "y", p->measured);
        member_text(&j, "m", study_page_chart_text(text, c->figure, p->measured));
        member_text(&j, "p", study_page_chart_text(text, c->figure, p->paper));
        json_close_object(&j);
    }
    json_close_array(&j);
    json_end(&j);
}

void vega_scatter_diagonal(FILE *out, const void *context)
{
    const struct study_page_scatter *s = ((const struct study_page_chart *)context)->scatter;
    struct json j;
    json_begin(&j, out);
    json_open_array(&j, true);
    for (int i = 0; i < 2; i++) {
        json_open_object(&j, true);
        member_real(&j, "x", i ? s->high : s->low);
        member_real(&j, "y", i ? s->high : s->low);
        json_close_object(&j);
    }
    json_close_array(&j);
    json_end(&j);
}

static void reals(FILE *out, const double *v, uint32_t n)
{
    struct json j;
    json_begin(&j, out);
    json_open_array(&j, true);
    for (uint32_t i = 0; i < n; i++)
        json_real(&j, v[i]);
    json_close_array(&j);
    json_end(&j);
}

void vega_scatter_domain(FILE *out, const void *context)
{
    const struct study_page_scatter *s = ((const struct study_page_chart *)context)->scatter;
    reals(out, (const double[]){s->low, s->high}, 2);
}

void vega_scatter_ticks(FILE *out, const void *context)
{
    const struct study_page_scatter *s = ((const struct study_page_chart *)context)->scatter;
    reals(out, s->ticks, s->nticks);
}

static void title(FILE *out, const struct study_page_chart *c, const char *what)
{
    char text[STUDY_PAGE_TEXT_N];
    struct json j;
    snprintf(text, sizeof text, "%.16s%s%.24s", what, *c->unit ? ", " : "", c->unit);
    json_begin(&j, out);
    json_string(&j, text);
    json_end(&j);
}

void vega_scatter_paper_title(FILE *out, const void *context)
{
    title(out, context, study_against(((const struct study_page_chart *)context)->result->study));
}

void vega_scatter_measured_title(FILE *out, const void *context)
{
    title(out, context, "measured");
}
