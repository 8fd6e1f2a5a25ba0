/* study_figures.c - the figures of a study file: what each plots, what the paper says of it.
 *
 * Claims may speak of figures that come later, so they are read when all figures are known. */
#include <math.h>
#include <string.h>

#include "study/study_priv.h"

#define FIGURE_KEYS                                                                                \
    "title|doc|full|unit|metric|expr|parts|baseline|variants|where|workloads|mean|beside|rows|"    \
    "table|chart|format|model|paper|tolerance|claims"

/* ---- what is plotted ----------------------------------------------------------------------- */

static bool uses_base(const struct study *s, const struct expr *x)
{
    for (const struct expr_name *n = expr_names(x); n; n = n->next) {
        const struct study_metric *m = study_metric(s, n->text);
        if (strncmp(n->text, "base.", 5) == 0 || (m && m->expr != x && uses_base(s, m->expr)))
            return true;
    }
    return false;
}

/* A metric by its name, or an expression. */
static bool take_quantity(const struct study_reader *r, const struct tree *t,
                          struct study_figure *f)
{
    const struct tree *metric = tree_get(t, "metric"), *expr = tree_get(t, "expr");
    struct study_names names = study_metric_names(r);
    uint32_t index;
    if (!metric) {
        f->expr = study_expr(r, expr);
        f->expr_line = expr->line;
        return f->expr && (!expr_refs(f->expr) || tree_refuse(expr, r->e, "value() is for claims"));
    }
    if (!study_index(r, metric, &names, &index))
        return false;
    const struct study_metric *m = &r->study->metrics[index];
    f->expr = m->expr;
    f->expr_line = m->line;
    f->unit = m->unit;
    f->doc = m->doc;
    return true;
}

static bool take_parts(const struct study_reader *r, const struct tree *t, struct study_figure *f)
{
    struct study_names names = study_metric_names(r);
    const uint32_t *list;
    if (t->n == 0)
        return tree_refuse(t, r->e, "expected names of metrics");
    if (!study_indices(r, t, &names, &list, &f->nparts))
        return false;
    const struct study_metric **parts =
        ARENA_ARRAY(r->arena, const struct study_metric *, f->nparts);
    for (uint32_t i = 0; i < f->nparts; i++)
        parts[i] = &r->study->metrics[list[i]];
    f->parts = parts;
    f->unit = parts[0]->unit;
    return true;
}

static bool take_plotted(const struct study_reader *r, const struct tree *t, struct study_figure *f)
{
    const struct tree *parts = tree_get(t, "parts");
    int given = (parts != NULL) + (tree_get(t, "metric") != NULL) + (tree_get(t, "expr") != NULL);
    if (given != 1)
        return tree_refuse(t, r->e, "expected one of metric, expr and parts");
    return parts ? take_parts(r, parts, f) : take_quantity(r, t, f);
}

static bool take_baseline(const struct study_reader *r, const struct tree *t,
                          struct study_figure *f)
{
    const struct tree *b = tree_get(t, "baseline");
    struct study_names names = study_variant_names(r);
    uint32_t index;
    bool needs = f->expr && uses_base(r->study, f->expr);
    for (uint32_t i = 0; i < f->nparts; i++)
        needs |= uses_base(r->study, f->parts[i]->expr);
    f->baseline = -1;
    if (!b)
        return !needs ||
               tree_refuse(t, r->e, "expected a baseline: what is plotted uses base.NAME");
    if (b->kind == TREE_MAP)
        return study_where_baseline(r, b, f);
    if (!study_index(r, b, &names, &index))
        return false;
    f->baseline = (int32_t)index;
    return true;
}

/* ---- how ----------------------------------------------------------------------------------- */

/* The file's, else what the statistics say. */
static bool take_unit(const struct study_reader *r, const struct tree *t, struct study_figure *f)
{
    const char *known = study_unit(r->study, f->expr ? f->expr : f->parts[0]->expr);
    if (!*f->unit && known)
        f->unit = known;
    return study_text(r, t, "unit", &f->unit);
}

enum study_mean study_default_mean(const struct study_figure *f)
{
    return f->expr && expr_is_ratio(f->expr) ? MEAN_GEOMETRIC : MEAN_ARITHMETIC;
}

static bool take_style(const struct study_reader *r, const struct tree *t, struct study_figure *f)
{
    static const char *const means[] = {"none", "geometric", "arithmetic"};
    static const char *const charts[] = {"bars", "lines", "stack", "scatter", "none"};
    static const char *const formats[] = {"number", "percent", "percent_change"};
    bool is_ratio = f->expr && expr_is_ratio(f->expr);
    int mean = study_default_mean(f);
    int chart = f->nparts ? CHART_STACK : CHART_BARS, format = study_unit_format(f->unit);
    if (!study_choice(r, t, "mean", &(struct study_names){"mean", means, 3}, &mean) ||
        !study_choice(r, t, "chart", &(struct study_names){"chart", charts, 5}, &chart) ||
        !study_choice(r, t, "format", &(struct study_names){"format", formats, 3}, &format))
        return false;
    if (chart == CHART_STACK && !f->nparts)
        return tree_refuse(tree_get(t, "chart"), r->e, "a stack needs parts: [METRIC, ...]");
    if (chart == CHART_SCATTER && (f->nparts || !tree_get(t, "paper")))
        return tree_refuse(
            tree_get(t, "chart"), r->e,
            "a scatter of measured values over the paper's needs those, and no parts");
    f->mean = (enum study_mean)mean;
    f->chart = (enum study_chart)chart;
    f->format = (enum study_format)format;
    if (f->format == FORMAT_PERCENT && strcmp(f->unit, "%") == 0)
        f->format = FORMAT_NUMBER; /* it is in % already */
    if (is_ratio && f->format == FORMAT_NUMBER && !*f->unit)
        f->unit = "x"; /* so many times the baseline's */
    f->neutral = is_ratio || f->format == FORMAT_PERCENT_CHANGE ? 1 : 0;
    return true;
}

static bool take_tolerance(const struct study_reader *r, const struct tree *t,
                           struct study_figure *f)
{
    if (!t)
        return true;
    if (!study_expect(r, t, TREE_MAP) || !tree_knows(t, "reproduced|absolute|neutral", r->e) ||
        !study_number(r, t, "reproduced", &f->reproduced) ||
        !study_number(r, t, "absolute", &f->absolute) ||
        !study_number(r, t, "neutral", &f->neutral))
        return false;
    if (f->reproduced < 0 || f->absolute < 0)
        return tree_refuse(t, r->e, "a tolerance is at least 0");
    return true;
}

/* Means beside the figure's own, and whether the terminal shows them alone, or no table at all. */
static bool take_means(const struct study_reader *r, const struct tree *t, struct study_figure *f)
{
    static const char *const words[] = {"all", "none"};
    int rows = 0, table = 0;
    if (!study_besides_read(r, tree_get(t, "beside"), f) ||
        !study_choice(r, t, "rows", &(struct study_names){"choice of rows", words, 2}, &rows) ||
        !study_choice(r, t, "table", &(struct study_names){"choice of tables", words, 2}, &table))
        return false;
    f->hides_rows = rows == 1;
    f->hides_table = table == 1;
    return !f->hides_rows || f->mean != MEAN_NONE || f->nbesides ||
           tree_refuse(tree_get(t, "rows"), r->e, "this figure has no mean that would be left");
}

/* ---- the paper ----------------------------------------------------------------------------- */

/* What a value may be asked for by: rows of the study, then the figure's means beside its own. */
static struct study_names row_and_mean_names(const struct study_reader *r,
                                             const struct study_figure *f)
{
    struct study_names rows = study_workload_names(r);
    const char **names = ARENA_ARRAY(r->arena, const char *, rows.n + f->nbesides);
    memcpy(names, rows.names, rows.n * sizeof *names);
    for (uint32_t i = 0; i < f->nbesides; i++)
        names[rows.n + i] = f->besides[i].name;
    return (struct study_names){rows.what, names, rows.n + f->nbesides};
}

static bool take_paper_workload(const struct study_reader *r, const struct tree *t,
                                const struct study_figure *f, struct study_paper *p)
{
    const struct tree *w = tree_get(t, "workload");
    struct study_names names = row_and_mean_names(r, f);
    uint32_t index;
    p->workload = -1;
    if (!w || (w->kind == TREE_SCALAR && strcmp(w->text, "mean") == 0))
        return f->mean != MEAN_NONE ||
               tree_refuse(w ? w : t, r->e, "this figure has no mean: expected a workload");
    if (!study_index(r, w, &names, &index))
        return false;
    if (index >= r->study->nworkloads) {
        p->beside = names.names[index];
        return true;
    }
    p->workload = (int32_t)index;
    return study_place(f->workloads, f->nworkloads, index) >= 0 ||
           tree_refuse(w, r->e, "this figure has no workload %s", w->text);
}

static bool take_paper_variant(const struct study_reader *r, const struct tree *t,
                               const struct study_figure *f, struct study_paper *p)
{
    const struct tree *v = tree_get(t, "variant");
    struct study_names names = study_variant_names(r);
    p->variant = f->variants[0];
    if (!v)
        return f->nvariants == 1 || tree_refuse(t, r->e, "expected the key \"variant\"");
    if (!study_index(r, v, &names, &p->variant))
        return false;
    return study_place(f->variants, f->nvariants, p->variant) >= 0 ||
           tree_refuse(v, r->e, "this figure has no variant %s", v->text);
}

static bool take_paper_part(const struct study_reader *r, const struct tree *t,
                            const struct study_figure *f, struct study_paper *p)
{
    const char *part = NULL;
    p->part = -1;
    if (!study_text(r, t, "part", &part))
        return false;
    for (uint32_t i = 0; part && i < f->nparts; i++)
        if (strcmp(part, f->parts[i]->name) == 0)
            p->part = (int32_t)i;
    return !part || p->part >= 0 || tree_refuse(t, r->e, "this figure has no part %.60s", part);
}

/* Where the paper has it; of a figure by one of several models also which one judges it here. */
static const char *source_of(const struct study_reader *r, const struct study_figure *f,
                             const char *source)
{
    return *f->model ? arena_printf(r->arena, "%s; judged by %s", source, f->model) : source;
}

static bool take_paper(const struct study_reader *r, const struct tree *t,
                       const struct study_figure *f, struct study_paper *p)
{
    if (!study_expect(r, t, TREE_MAP) ||
        !tree_knows(t, "variant|workload|part|value|bound|source|note", r->e))
        return false;
    static const char *const bounds[] = {"none", "above", "below"};
    int bound = BOUND_NONE;
    *p = (struct study_paper){.value = NAN, .source = "", .note = "", .line = t->line};
    if (!take_paper_variant(r, t, f, p) || !take_paper_workload(r, t, f, p) ||
        !take_paper_part(r, t, f, p) ||
        !study_choice(r, t, "bound", &(struct study_names){"bound", bounds, 3}, &bound) ||
        !study_number(r, t, "value", &p->value) || !study_text(r, t, "source", &p->source) ||
        !study_text(r, t, "note", &p->note))
        return false;
    if (isnan(p->value))
        return tree_refuse(t, r->e, "expected the key \"value\"");
    if (!*p->source)
        return tree_refuse(t, r->e, "expected the key \"source\": where the paper has it");
    p->bound = (enum study_bound)bound;
    p->source = source_of(r, f, p->source);
    return true;
}

static bool take_papers(const struct study_reader *r, const struct tree *list,
                        struct study_figure *f)
{
    if (!list)
        return true;
    if (!study_expect(r, list, TREE_LIST))
        return false;
    struct study_paper *all = ARENA_ARRAY(r->arena, struct study_paper, list->n);
    for (const struct tree *c = list->first; c; c = c->next)
        if (!take_paper(r, c, f, &all[f->npapers++]))
            return false;
    f->papers = all;
    return true;
}

/* ---- claims -------------------------------------------------------------------------------- */

const struct study_figure *study_figure_named(const struct study *s, const char *name)
{
    uint32_t i = 0;
    while (i < s->nfigures && strcmp(s->figures[i].name, name) != 0)
        i++;
    HD_ASSERT(i < s->nfigures, "figure %s was checked", name);
    return &s->figures[i];
}

/* The place of `word`, a part of value(...) in `t`, among names. */
static bool find_word(const struct study_reader *r, const struct tree *t, const char *word,
                      const struct study_names *names, uint32_t *index)
{
    struct tree blamed = *t;
    blamed.text = word;
    return study_index(r, &blamed, names, index);
}

/* Whether a figure has the row or the mean that is asked for. */
static bool check_ref_row(const struct study_reader *r, const struct tree *t,
                          const struct expr_ref *ref, const struct study_figure *f)
{
    struct study_names rows = row_and_mean_names(r, f);
    if (study_is_error(ref->workload))
        return f->npapers > 0 ||
               tree_refuse(t, r->e, "column %d: figure %s has no values to be compared with",
                           ref->column, f->name);
    bool is_mean = strcmp(ref->workload, "mean") == 0;
    uint32_t index = 0;
    if (!is_mean && !find_word(r, t, ref->workload, &rows, &index))
        return false;
    bool has = is_mean ? f->mean != MEAN_NONE
                       : index >= r->study->nworkloads ||
                             study_place(f->workloads, f->nworkloads, index) >= 0;
    return has || tree_refuse(t, r->e, "column %d: figure %s has no %s%s", ref->column, f->name,
                              is_mean ? "" : "workload ", ref->workload);
}

bool study_ref_check(const struct study_reader *r, const struct tree *t, const struct expr_ref *ref,
                     bool in_where)
{
    struct study_names figures = study_figure_names(r), variants = study_variant_names(r);
    uint32_t figure, variant;
    if (!find_word(r, t, ref->figure, &figures, &figure) ||
        !find_word(r, t, ref->variant, &variants, &variant))
        return false;
    const struct study_figure *f = &r->study->figures[figure];
    bool has_part = !ref->part;
    for (uint32_t i = 0; i < f->nparts; i++)
        has_part |= ref->part && strcmp(ref->part, f->parts[i]->name) == 0;
    if (study_place(f->variants, f->nvariants, variant) < 0)
        return tree_refuse(t, r->e, "column %d: figure %s has no variant %s", ref->column, f->name,
                           ref->variant);
    if (!(in_where && strcmp(ref->workload, STUDY_THIS_ROW) == 0) && !check_ref_row(r, t, ref, f))
        return false;
    return has_part || tree_refuse(t, r->e, "column %d: figure %s has no part %s", ref->column,
                                   f->name, ref->part);
}

static bool take_claim(const struct study_reader *r, const struct tree *t,
                       const struct study_figure *f, struct study_claim *c)
{
    const struct tree *x = tree_get(t, "expr");
    *c = (struct study_claim){.text = "", .source = "", .line = t->line};
    if (!study_expect(r, t, TREE_MAP) || !tree_knows(t, "text|expr|source", r->e) ||
        !study_text(r, t, "text", &c->text) || !study_text(r, t, "source", &c->source))
        return false;
    if (!x || !*c->text)
        return tree_refuse(t, r->e, "expected the keys \"text\" and \"expr\"");
    if (!study_claim_is_own(c))
        c->source = source_of(r, f, c->source);
    c->expr = study_expr(r, x);
    if (!c->expr)
        return false;
    if (expr_names(c->expr))
        return tree_refuse(x, r->e,
                           "column %d: a claim speaks of figures, not of one run: "
                           "expected value(FIGURE, VARIANT, WORKLOAD), got %s",
                           expr_names(c->expr)->column, expr_names(c->expr)->text);
    if (!expr_refs(c->expr))
        return tree_refuse(x, r->e, "expected at least one value(FIGURE, VARIANT, WORKLOAD)");
    for (const struct expr_ref *ref = expr_refs(c->expr); ref; ref = ref->next)
        if (!study_ref_check(r, x, ref, false))
            return false;
    return true;
}

static bool take_claims(const struct study_reader *r, const struct tree *list,
                        struct study_figure *f)
{
    if (!list)
        return true;
    if (!study_expect(r, list, TREE_LIST))
        return false;
    struct study_claim *all = ARENA_ARRAY(r->arena, struct study_claim, list->n);
    for (const struct tree *c = list->first; c; c = c->next)
        if (!take_claim(r, c, f, &all[f->nclaims++]))
            return false;
    f->claims = all;
    return true;
}

/* ---- figures ------------------------------------------------------------------------------- */

/* A name, since `heddle study NAME` is what readers are told to run. */
static bool take_full(const struct study_reader *r, const struct tree *t, struct study_figure *f)
{
    const struct tree *full = tree_get(t, "full");
    return study_text(r, t, "full", &f->full) && (!full || study_check_name(r, full, f->full));
}

static bool take_figure(const struct study_reader *r, const struct tree *t, struct study_figure *f)
{
    *f = (struct study_figure){.name = t->key,
                               .title = t->key,
                               .doc = "",
                               .unit = "",
                               .model = "",
                               .full = "",
                               .reproduced = STUDY_TOLERANCE,
                               .line = t->line};
    return study_expect(r, t, TREE_MAP) && tree_knows(t, FIGURE_KEYS, r->e) &&
           take_plotted(r, t, f) && study_where_columns(r, t, &f->variants, &f->nvariants) &&
           take_baseline(r, t, f) && take_unit(r, t, f) && take_style(r, t, f) &&
           study_text(r, t, "title", &f->title) && study_text(r, t, "doc", &f->doc) &&
           study_text(r, t, "model", &f->model) && take_full(r, t, f) &&
           study_rows_listed(r, tree_get(t, "workloads"), &f->workloads, &f->nworkloads) &&
           take_means(r, t, f) && take_tolerance(r, tree_get(r->top, "tolerance"), f) &&
           take_tolerance(r, tree_get(t, "tolerance"), f) &&
           take_papers(r, tree_get(t, "paper"), f);
}

bool study_figures_read(struct study_reader *r)
{
    const struct tree *map = tree_get(r->top, "figures"), *c;
    struct study_figure *all = ARENA_ARRAY(r->arena, struct study_figure, map->n);
    uint32_t n = 0;
    for (c = map->first; c; c = c->next)
        if (!take_figure(r, c, &all[n++]))
            return false;
    r->study->figures = all;
    r->study->nfigures = n;
    n = 0;
    for (c = map->first; c; c = c->next, n++)
        if (!study_besides_check(r, tree_get(c, "beside"), &all[n]) ||
            !take_claims(r, tree_get(c, "claims"), &all[n]))
            return false;
    n = 0;
    for (c = map->first; c; c = c->next)
        if (!study_besides_end(r, tree_get(c, "beside"), &all[n++]))
            return false;
    return true;
}

const char *study_baseline_text(const struct study *s, const struct study_figure *f)
{
    int32_t common = f->baseline;
    if (common < 0)
        return "";
    for (uint32_t i = 0; i < f->nvariants; i++) {
        int32_t base = study_baseline(s, f, f->variants[i]);
        if (i > 0 && base != common)
            return "each its own";
        common = base;
    }
    return s->variants[common].name;
}
