/* study_words.c - scalars of a study file: texts, numbers, and names of things that must exist.
 *
 * Whatever is refused is blamed on file, line and key, with what was expected and, for a name, the
 * nearest one that there is. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "study/study_priv.h"

/* ---- values -------------------------------------------------------------------------------- */

bool study_expect(const struct study_reader *r, const struct tree *t, enum tree_kind kind)
{
    static const char *const names[] = {[TREE_SCALAR] = "one value",
                                        [TREE_LIST] = "a list ([a, b, ...])",
                                        [TREE_MAP] = "a map (name: value, ...)"};
    return t->kind == kind || tree_refuse(t, r->e, "expected %s", names[kind]);
}

bool study_text(const struct study_reader *r, const struct tree *map, const char *key,
                const char **text)
{
    const struct tree *t = tree_get(map, key);
    if (!t)
        return true;
    if (!study_expect(r, t, TREE_SCALAR))
        return false;
    *text = t->text;
    return true;
}

bool study_number(const struct study_reader *r, const struct tree *map, const char *key, double *v)
{
    const struct tree *t = tree_get(map, key);
    if (!t)
        return true;
    if (!study_expect(r, t, TREE_SCALAR))
        return false;
    /* A unit would hide whether 6% is 6 or 0.06. */
    return (strspn(t->text, "0123456789+-.eE") == strlen(t->text) && str_to_real(t->text, v)) ||
           tree_refuse(t, r->e, "expected a number, got \"%.60s\"", t->text);
}

bool study_refuse_name(const struct study_reader *r, const struct tree *t,
                       const struct study_names *from)
{
    struct str_hint hint = str_hint(t->text);
    char all[256] = " (there are: ";
    size_t used = strlen(all);
    for (uint32_t i = 0; i < from->n; i++) {
        str_hint_offer(&hint, from->names[i]);
        if (used < sizeof all)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "",
                                     from->names[i]);
    }
    snprintf(all + (used < sizeof all - 6 ? used : sizeof all - 6), 6, "%s",
             used < sizeof all - 6 ? ")" : " ...)");
    return tree_refuse(t, r->e, "no %s \"%.60s\"%s", from->what, t->text,
                       str_hint_text(&hint, all));
}

bool study_index(const struct study_reader *r, const struct tree *t, const struct study_names *from,
                 uint32_t *index)
{
    if (!study_expect(r, t, TREE_SCALAR))
        return false;
    for (*index = 0; *index < from->n; ++*index)
        if (strcmp(from->names[*index], t->text) == 0)
            return true;
    return study_refuse_name(r, t, from);
}

bool study_choice(const struct study_reader *r, const struct tree *map, const char *key,
                  const struct study_names *words, int *choice)
{
    const struct tree *t = tree_get(map, key);
    uint32_t index;
    if (!t)
        return true;
    if (!study_index(r, t, words, &index))
        return false;
    *choice = (int)index;
    return true;
}

int32_t study_place(const uint32_t *list, uint32_t n, uint32_t index)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == index)
            return (int32_t)i;
    return -1;
}

bool study_indices(const struct study_reader *r, const struct tree *t,
                   const struct study_names *from, const uint32_t **indices, uint32_t *n)
{
    if (t && !study_expect(r, t, TREE_LIST))
        return false;
    bool is_all = !t || t->n == 0;
    uint32_t *list = ARENA_ARRAY(r->arena, uint32_t, is_all ? from->n : t->n);
    *indices = list;
    *n = 0;
    if (is_all) {
        for (; *n < from->n; ++*n)
            list[*n] = *n;
        return true;
    }
    for (const struct tree *c = t->first; c; c = c->next) {
        uint32_t index;
        if (!study_index(r, c, from, &index))
            return false;
        if (study_place(list, *n, index) >= 0)
            return tree_refuse(c, r->e, "%s \"%s\" is there twice", from->what, c->text);
        list[(*n)++] = index;
    }
    return true;
}

const struct expr *study_expr(const struct study_reader *r, const struct tree *t)
{
    struct err why = {0};
    if (!study_expect(r, t, TREE_SCALAR))
        return NULL;
    const struct expr *x = expr_parse(r->arena, t->text, &why);
    if (!x)
        tree_refuse(t, r->e, "%s", why.text);
    return x;
}

/* ---- names --------------------------------------------------------------------------------- */

#define NAMES(function, word, member)                                                              \
    struct study_names function(const struct study_reader *r)                                      \
    {                                                                                              \
        const struct study *s = r->study;                                                          \
        const char **names = ARENA_ARRAY(r->arena, const char *, s->n##member);                    \
        for (uint32_t i = 0; i < s->n##member; i++)                                                \
            names[i] = s->member[i].name;                                                          \
        return (struct study_names){word, names, s->n##member};                                    \
    }
NAMES(study_variant_names, "variant", variants)
NAMES(study_workload_names, "workload of this study", workloads)
NAMES(study_metric_names, "metric", metrics)
NAMES(study_figure_names, "figure", figures)

const struct study_metric *study_metric(const struct study *s, const char *name)
{
    for (uint32_t i = 0; i < s->nmetrics; i++)
        if (strcmp(s->metrics[i].name, name) == 0)
            return &s->metrics[i];
    return NULL;
}
