/* study_beside.c - `beside:` of a figure: means over its rows that stand beside its own.
 *
 *     beside:
 *       - arithmetic                                             # or geometric, of the same rows
 *       - {name: mixed, of: [mixed], mean: arithmetic}           # of some of them
 *       - {name: slow, where: "value(demand, half, row) < 0.95"}   # of those for which this is true
 *
 * `where` may speak of any figure, this one too, and of means that do not depend on it. */
#include <string.h>

#include "study/study_priv.h"

static const char *const means[] = {"none", "geometric", "arithmetic"};

const struct study_beside *study_beside_find(const struct study_figure *f, const char *name)
{
    for (uint32_t i = 0; i < f->nbesides; i++)
        if (strcmp(f->besides[i].name, name) == 0)
            return &f->besides[i];
    return NULL;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Those of the figure, unless it lists some of them. */
static bool take_rows(const struct study_reader *r, const struct tree *of,
                      const struct study_figure *f, struct study_beside *b)
{
    b->rows = f->workloads;
    b->n = f->nworkloads;
    if (!of)
        return true;
    if (!study_rows_listed(r, of, &b->rows, &b->n))
        return false;
    for (uint32_t i = 0; i < b->n; i++)
        if (study_place(f->workloads, f->nworkloads, b->rows[i]) < 0)
            return tree_refuse(of, r->e, "this figure has no workload %s",
                               r->study->workloads[b->rows[i]].name);
    return true;
}

static bool take_map(const struct study_reader *r, const struct tree *t,
                     const struct study_figure *f, struct study_beside *b)
{
    const struct tree *where = tree_get(t, "where");
    int mean = b->mean;
    if (!tree_knows(t, "doc|mean|name|of|where", r->e) || !study_text(r, t, "name", &b->name) ||
        !study_text(r, t, "doc", &b->doc) ||
        !study_choice(r, t, "mean", &(struct study_names){"mean", means, 3}, &mean) ||
        !take_rows(r, tree_get(t, "of"), f, b))
        return false;
    if (!b->name)
        return tree_refuse(t, r->e, "expected the key \"name\"");
    if (mean == MEAN_NONE)
        return tree_refuse(tree_get(t, "mean"), r->e, "expected geometric or arithmetic");
    b->mean = (enum study_mean)mean;
    b->where = where ? study_expr(r, where) : NULL;
    return !where || b->where;
}

/* Rows of the figure and its means are asked for in the same place. */
static bool check_name(const struct study_reader *r, const struct tree *t,
                       const struct study_figure *f, const char *name)
{
    if (!study_check_name(r, t, name))
        return false;
    if (study_is_row(r, name))
        return tree_refuse(t, r->e, "there is a row %s: expected another name", name);
    if (strcmp(name, STUDY_THIS_ROW) == 0)
        return tree_refuse(t, r->e, "this name is taken");
    return !study_beside_find(f, name) || tree_refuse(t, r->e, "mean \"%s\" is there twice", name);
}

static bool take_beside(const struct study_reader *r, const struct tree *t,
                        const struct study_figure *f, struct study_beside *b)
{
    const struct study_names words = {"mean", means + 1, 2};
    uint32_t word;
    *b = (struct study_beside){.doc = "", .mean = f->mean, .line = t->line};
    if (b->mean == MEAN_NONE)
        b->mean = study_default_mean(f);
    if (t->kind == TREE_MAP)
        return take_map(r, t, f, b) && check_name(r, t, f, b->name);
    if (!study_index(r, t, &words, &word))
        return false;
    b->name = t->text;
    b->mean = (enum study_mean)(MEAN_GEOMETRIC + word);
    return take_rows(r, NULL, f, b) && check_name(r, t, f, b->name);
}

bool study_besides_read(const struct study_reader *r, const struct tree *list,
                        struct study_figure *f)
{
    if (!list)
        return true;
    if (!study_expect(r, list, TREE_LIST))
        return false;
    struct study_beside *all = ARENA_ARRAY(r->arena, struct study_beside, list->n);
    f->besides = all;
    for (const struct tree *c = list->first; c; c = c->next, f->nbesides++)
        if (!take_beside(r, c, f, &all[f->nbesides]))
            return false;
    return true;
}

/* ---- when all figures are known ------------------------------------------------------------- */

struct trail { /* of means whose rows decide over each other's */
    const struct study *study;
    const struct study_beside *start;
    const struct study_beside **seen;
    uint32_t nseen;
};

static bool was_seen(const struct trail *x, const struct study_beside *b)
{
    for (uint32_t i = 0; i < x->nseen; i++)
        if (x->seen[i] == b)
            return true;
    return false;
}

/* Whether what decides over the rows of `b` leads to the start. */
static bool comes_back(struct trail *x, const struct study_beside *b)
{
    x->seen[x->nseen++] = b;
    for (const struct expr_ref *ref = b->where ? expr_refs(b->where) : NULL; ref; ref = ref->next) {
        const struct study_beside *next =
            study_beside_find(study_figure_named(x->study, ref->figure), ref->workload);
        if (next && (next == x->start || (!was_seen(x, next) && comes_back(x, next))))
            return true;
    }
    return false;
}

static bool check_where(const struct study_reader *r, const struct tree *t,
                        const struct study_beside *b)
{
    if (expr_names(b->where))
        return tree_refuse(t, r->e,
                           "column %d: expected value(FIGURE, VARIANT, " STUDY_THIS_ROW "), got %s",
                           expr_names(b->where)->column, expr_names(b->where)->text);
    if (!expr_refs(b->where))
        return tree_refuse(t, r->e,
                           "expected at least one value(FIGURE, VARIANT, " STUDY_THIS_ROW ")");
    for (const struct expr_ref *ref = expr_refs(b->where); ref; ref = ref->next)
        if (!study_ref_check(r, t, ref, true))
            return false;
    return true;
}

bool study_besides_check(const struct study_reader *r, const struct tree *list,
                         const struct study_figure *f)
{
    const struct study_beside *b = f->besides;
    for (const struct tree *c = list ? list->first : NULL; c; c = c->next, b++)
        if (b->where && !check_where(r, tree_get(c, "where"), b))
            return false;
    return true;
}

bool study_besides_end(const struct study_reader *r, const struct tree *list,
                       const struct study_figure *f)
{
    const struct study *s = r->study;
    const struct study_beside *b = f->besides;
    uint32_t all = 0;
    for (uint32_t i = 0; i < s->nfigures; i++)
        all += s->figures[i].nbesides;
    for (const struct tree *c = list ? list->first : NULL; c; c = c->next, b++) {
        struct trail x = {s, b, ARENA_ARRAY(r->arena, const struct study_beside *, all), 0};
        if (comes_back(&x, b))
            return tree_refuse(tree_get(c, "where"), r->e,
                               "the rows of mean %s depend on that mean itself", b->name);
    }
    return true;
}
