/* explore_values.c - what an exploration measures: objectives, constraints, classes of workloads. */
#include <math.h>
#include <string.h>

#include "explore/explore_priv.h"

#define VALUE_KEYS "doc|unit|expr|over|goal|at_least|at_most|workloads"

/* ---- variants ------------------------------------------------------------------------------- */

static bool add_variant(struct explore_reader *x, const char *name, const char *doc,
                        struct study_variant *v)
{
    struct study *s = x->r.study;
    v->name = name;
    v->doc = doc;
    struct study_variant *all = ARENA_ARRAY(x->r.arena, struct study_variant, s->nvariants + 1);
    for (uint32_t i = 0; i < s->nvariants; i++)
        all[i] = s->variants[i];
    all[s->nvariants++] = *v;
    s->variants = all;
    return true;
}

/* The baseline with what makes a part of it ideal. */
static bool add_ideal(struct explore_reader *x, const struct tree *t)
{
    struct study_variant base = x->r.study->variants[0], v = base;
    return study_check_name(&x->r, t, t->key) && study_expect(&x->r, t, TREE_MAP) &&
           study_sets_read(&x->r, t, &base, &v) &&
           add_variant(x, arena_printf(x->r.arena, "ideal_%s", t->key), "", &v);
}

static bool read_classes(struct explore_reader *x, const struct tree *map)
{
    struct explore_classes *c = &x->out->classes;
    const struct tree *ideal = tree_get(map, "ideal");
    const char *otherwise = "other";
    c->above = 1.1;
    if (!study_expect(&x->r, map, TREE_MAP) ||
        !tree_knows(map, "ideal|above|otherwise|gain", x->r.e) ||
        !study_number(&x->r, map, "above", &c->above) ||
        !study_text(&x->r, map, "otherwise", &otherwise))
        return false;
    if (!ideal)
        return tree_refuse(map, x->r.e, "expected the key \"ideal\"");
    if (!study_expect(&x->r, ideal, TREE_MAP))
        return false;
    if (ideal->n == 0)
        return tree_refuse(ideal, x->r.e, "expected at least one");
    c->names = ARENA_ARRAY(x->r.arena, const char *, ideal->n + 1);
    for (const struct tree *t = ideal->first; t; t = t->next) {
        if (!add_ideal(x, t))
            return false;
        c->names[c->n++] = t->key;
    }
    c->names[c->n] = otherwise;
    return true;
}

bool explore_read_variants(struct explore_reader *x)
{
    const struct tree *classes = explore_part(x, "classes");
    uint32_t *start = ARENA_ARRAY(x->r.arena, uint32_t, x->out->axes.n);
    struct study_variant v;
    explore_canonical(x->out, x->out->start, start);
    return study_axes_variant(&x->out->axes, start, &v) && add_variant(x, "baseline", v.doc, &v) &&
           (!classes || read_classes(x, classes));
}

/* ---- values --------------------------------------------------------------------------------- */

static struct study_figure *add_figure(struct explore_reader *x, const char *name, int line)
{
    struct study *s = x->r.study;
    struct study_figure *all = ARENA_ARRAY(x->r.arena, struct study_figure, s->nfigures + 1);
    uint32_t *variants = ARENA_ARRAY(x->r.arena, uint32_t, 1);
    for (uint32_t i = 0; i < s->nfigures; i++)
        all[i] = s->figures[i];
    s->figures = all;
    struct study_figure *f = &all[s->nfigures++];
    *f = (struct study_figure){.name = name,
                               .title = name,
                               .doc = "",
                               .unit = "",
                               .model = "",
                               .variants = variants,
                               .nvariants = 1,
                               .mean = MEAN_NONE,
                               .chart = CHART_NONE,
                               .line = line};
    return f;
}

static bool read_expr(struct explore_reader *x, const struct tree *t, struct study_figure *f)
{
    f->expr = study_expr(&x->r, t);
    f->expr_line = t->line;
    return f->expr && (!expr_refs(f->expr) || tree_refuse(t, x->r.e, "value() is for claims"));
}

static bool read_goal(const struct explore_reader *x, const struct tree *t, struct explore_value *v)
{
    static const char *const goals[] = {"least", "most"};
    int goal = 0, over = (int)v->over;
    if (!v->is_objective && tree_get(t, "goal"))
        return tree_refuse(tree_get(t, "goal"), x->r.e, "a constraint has at_least or at_most");
    if (!study_choice(&x->r, t, "goal", &(struct study_names){"goal", goals, 2}, &goal) ||
        !study_choice(&x->r, t, "over", &(struct study_names){"mean", explore_over_name, OVERS},
                      &over) ||
        !study_number(&x->r, t, "at_least", &v->at_least) ||
        !study_number(&x->r, t, "at_most", &v->at_most))
        return false;
    v->wants_most = goal == 1;
    v->over = (enum explore_over)over;
    return v->is_objective || !isnan(v->at_least) || !isnan(v->at_most) ||
           tree_refuse(t, x->r.e, "expected at_least or at_most");
}

static bool read_value(struct explore_reader *x, const struct tree *t, bool is_objective,
                       struct explore_value *v)
{
    const struct study_reader *r = &x->r;
    const struct tree *expr = t->kind == TREE_MAP ? tree_get(t, "expr") : t;
    *v = (struct explore_value){.name = t->key,
                                .doc = "",
                                .unit = "",
                                .is_objective = is_objective,
                                .at_least = NAN,
                                .at_most = NAN};
    if ((t->kind == TREE_MAP && !tree_knows(t, VALUE_KEYS, r->e)) ||
        !study_check_name(r, t, t->key))
        return false;
    if (!expr)
        return tree_refuse(t, r->e, "expected an expression (expr:)");
    struct study_figure *f = add_figure(x, t->key, t->line);
    if (!read_expr(x, expr, f) ||
        !study_rows_listed(r, tree_get(t, "workloads"), &f->workloads, &f->nworkloads))
        return false;
    const char *unit = study_unit(r->study, f->expr);
    v->over = expr_is_ratio(f->expr) ? OVER_GEOMETRIC : OVER_ARITHMETIC;
    v->unit = unit ? unit : "";
    return study_text(r, t, "doc", &v->doc) && study_text(r, t, "unit", &v->unit) &&
           read_goal(x, t, v);
}

static bool read_map(struct explore_reader *x, const char *key, bool is_objective,
                     struct explore_value *all)
{
    const struct tree *map = tree_get(x->r.top, key);
    if (map && !study_expect(&x->r, map, TREE_MAP))
        return false;
    for (const struct tree *c = map ? map->first : NULL; c; c = c->next) {
        for (uint32_t i = 0; i < x->out->nvalues; i++)
            if (strcmp(all[i].name, c->key) == 0)
                return tree_refuse(c, x->r.e, "%s is there twice", c->key);
        if (!read_value(x, c, is_objective, &all[x->out->nvalues]))
            return false;
        x->out->nvalues++;
        x->out->nobjectives += is_objective;
    }
    return true;
}

/* What the ideal parts gain, for every row that some value is over. */
static bool read_gain(struct explore_reader *x)
{
    struct explore_classes *c = &x->out->classes;
    const struct tree *map = explore_part(x, "classes"), *gain = tree_get(map, "gain");
    struct tree usual = {.kind = TREE_SCALAR, .text = "base.cycles / cycles", .key = "gain"};
    if (!c->n)
        return true;
    usual.line = map->line;
    usual.file = map->file;
    uint32_t *variants = ARENA_ARRAY(x->r.arena, uint32_t, c->n);
    struct study_figure *f = add_figure(x, "class", map->line);
    for (uint32_t i = 0; i < c->n; i++)
        variants[i] = i + 1;
    f->variants = variants;
    f->nvariants = c->n;
    c->figure = x->r.study->nfigures - 1;
    return read_expr(x, gain ? gain : &usual, f) &&
           study_rows_listed(&x->r, NULL, &f->workloads, &f->nworkloads);
}

bool explore_read_values(struct explore_reader *x)
{
    const struct tree *o = tree_get(x->r.top, "objectives");
    const struct tree *c = tree_get(x->r.top, "constraints");
    struct explore_value *all =
        ARENA_ARRAY(x->r.arena, struct explore_value, (o ? o->n : 0) + (c ? c->n : 0) + 1);
    x->out->values = all;
    if (!o)
        return tree_refuse(x->r.top, x->r.e, "expected the key \"objectives\"");
    if (o->n == 0 || o->n > SEARCH_MOST_OBJECTIVES)
        return tree_refuse(o, x->r.e, "expected 1 to %d objectives", SEARCH_MOST_OBJECTIVES);
    return read_map(x, "objectives", true, all) && read_map(x, "constraints", false, all) &&
           read_gain(x);
}
