/* study_groups.c - rows by name: their own, that of the line that made them, or that of a group.
 *
 *     groups: {high: [KMEANS, PVC], low: [TPACF], all: [high, low]}
 *
 * A group names rows, lines that make several, and groups before it.  Rows may be made of groups
 * (programs: [high, low]), so that a group is looked up as far as rows are read; that all of them
 * name something is checked when the last row is there. */
#include <string.h>
#include <strings.h>

#include "study/inputs.h"
#include "study/study_priv.h"

/* ---- what a name stands for ----------------------------------------------------------------- */

static const struct tree *groups_of(const struct study_reader *r)
{
    return tree_get(r->top, "groups");
}

static int32_t row_of(const struct study *s, const char *name)
{
    for (uint32_t i = 0; i < s->nworkloads; i++)
        if (strcmp(s->workloads[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

static bool is_line(const struct study *s, const char *name)
{
    for (uint32_t i = 0; i < s->nworkloads; i++)
        if (s->workloads[i].maker && strcmp(s->workloads[i].maker, name) == 0)
            return true;
    return false;
}

bool study_is_row(const struct study_reader *r, const char *name)
{
    return row_of(r->study, name) >= 0;
}

bool study_stands_for_rows(const struct study_reader *r, const char *name)
{
    return row_of(r->study, name) < 0 &&
           (is_line(r->study, name) || tree_get(groups_of(r), name) != NULL);
}

/* Everything that rows go by; groups before `end` (NULL: all of them). */
static struct study_names names_before(const struct study_reader *r, const char *what,
                                       const struct tree *end)
{
    const struct study *s = r->study;
    const struct tree *groups = groups_of(r);
    const char **names =
        ARENA_ARRAY(r->arena, const char *, 2 * s->nworkloads + (groups ? groups->n : 0) + 1);
    struct study_names all = {what, names, 0};
    for (uint32_t i = 0; i < s->nworkloads; i++) {
        const char *maker = s->workloads[i].maker;
        if (maker && (i == 0 || s->workloads[i - 1].maker != maker))
            names[all.n++] = maker;
        names[all.n++] = s->workloads[i].name;
    }
    for (const struct tree *g = groups ? groups->first : NULL; g && g != end; g = g->next)
        names[all.n++] = g->key;
    return all;
}

struct study_names study_row_names(const struct study_reader *r)
{
    return names_before(r, "workload of this study", NULL);
}

/* ---- sets of rows --------------------------------------------------------------------------- */

static void add_once(struct study_row_set *set, uint32_t row)
{
    if (study_place(set->rows, set->n, row) < 0)
        set->rows[set->n++] = row;
}

static void add_line(const struct study *s, const char *name, struct study_row_set *set)
{
    for (uint32_t i = 0; i < s->nworkloads; i++)
        if (s->workloads[i].maker && strcmp(s->workloads[i].maker, name) == 0)
            add_once(set, i);
}

static const struct tree *group_before(const struct study_reader *r, const char *name,
                                       const struct tree *end)
{
    const struct tree *groups = groups_of(r);
    for (const struct tree *g = groups ? groups->first : NULL; g && g != end; g = g->next)
        if (strcmp(g->key, name) == 0)
            return g;
    return NULL;
}

/* A row that a line makes which has not been read yet. */
static bool is_later(const struct study_reader *r, const char *name)
{
    const struct tree *rows = tree_get(r->top, "workloads");
    for (const struct tree *c = rows ? rows->first : NULL; c; c = c->next) {
        const struct tree *own = c->kind == TREE_MAP ? tree_get(c, "name") : c;
        if (own && own->kind == TREE_SCALAR && strcmp(own->text, name) == 0)
            return true;
    }
    return false;
}

static bool refuse(const struct study_reader *r, const struct tree *t, const struct tree *end)
{
    struct study_names all =
        names_before(r, end ? "row or earlier group" : "workload of this study", end);
    return is_later(r, t->text)
               ? tree_refuse(t, r->e, "row \"%s\" comes after a line that needs this group",
                             t->text)
               : study_refuse_name(r, t, &all);
}

/* What a member of group `end` names, or, where that is NULL, a list elsewhere. */
static bool add_named(const struct study_reader *r, const struct tree *t, const struct tree *end,
                      struct study_row_set *set)
{
    if (!study_expect(r, t, TREE_SCALAR))
        return false;
    const struct study *s = r->study;
    const struct tree *group = group_before(r, t->text, end);
    int32_t row = row_of(s, t->text);
    if (row >= 0)
        add_once(set, (uint32_t)row);
    else if (is_line(s, t->text))
        add_line(s, t->text, set);
    else if (!group)
        return refuse(r, t, end);
    else if (!study_expect(r, group, TREE_LIST))
        return false;
    for (const struct tree *c = row < 0 && group ? group->first : NULL; c; c = c->next)
        if (!add_named(r, c, group, set))
            return false;
    return true;
}

struct study_row_set study_row_set(const struct study_reader *r)
{
    return (struct study_row_set){ARENA_ARRAY(r->arena, uint32_t, r->study->nworkloads + 1), 0};
}

bool study_rows_of(const struct study_reader *r, const struct tree *t, struct study_row_set *set)
{
    return add_named(r, t, NULL, set);
}

bool study_rows_listed(const struct study_reader *r, const struct tree *t, const uint32_t **rows,
                       uint32_t *n)
{
    struct study_names all = study_workload_names(r);
    struct study_row_set set = study_row_set(r);
    if (!t || t->kind != TREE_LIST || t->n == 0)
        return study_indices(r, t, &all, rows, n);
    for (const struct tree *c = t->first; c; c = c->next) {
        int32_t row = c->kind == TREE_SCALAR ? row_of(r->study, c->text) : -1;
        if (row >= 0 && study_place(set.rows, set.n, (uint32_t)row) >= 0)
            return tree_refuse(c, r->e, "%s \"%s\" is there twice", all.what, c->text);
        if (!study_rows_of(r, c, &set))
            return false;
    }
    *rows = set.rows;
    *n = set.n;
    return true;
}

bool study_rows_called(const struct study_reader *r, const char *word, struct study_row_set *set)
{
    const struct study *s = r->study;
    const struct tree *groups = groups_of(r);
    for (uint32_t i = 0; i < s->nworkloads; i++) {
        const struct study_workload *w = &s->workloads[i];
        if (strcasecmp(word, w->name) == 0 || (w->maker && strcasecmp(word, w->maker) == 0))
            add_once(set, i);
    }
    for (const struct tree *g = groups ? groups->first : NULL; g; g = g->next)
        if (strcasecmp(word, g->key) == 0) {
            struct tree name = {.kind = TREE_SCALAR, .line = g->line, .file = g->file, .key = ""};
            name.text = g->key;
            if (!study_rows_of(r, &name, set))
                return false;
        }
    return true;
}

/* ---- the key -------------------------------------------------------------------------------- */

static bool is_variant(const struct study *s, const char *name)
{
    for (uint32_t i = 0; i < s->nvariants; i++)
        if (strcmp(s->variants[i].name, name) == 0)
            return true;
    return false;
}

/* In --only, in lists of rows and of programs it must be clear what a name is. */
static bool check_group(const struct study_reader *r, const struct tree *g)
{
    const struct study *s = r->study;
    const char *name = g->key;
    const char *other = row_of(s, name) >= 0 || is_line(s, name)      ? "row"
                        : is_variant(s, name)                         ? "variant"
                        : tree_get(tree_get(r->top, "figures"), name) ? "figure"
                        : inputs_workload(name)                       ? "workload"
                                                                      : NULL;
    struct study_row_set set = study_row_set(r);
    if (!study_check_name(r, g, name))
        return false;
    if (other)
        return tree_refuse(g, r->e, "there is a %s of this name", other);
    if (!study_expect(r, g, TREE_LIST))
        return false;
    if (g->n == 0)
        return tree_refuse(g, r->e, "expected at least one row");
    for (const struct tree *c = g->first; c; c = c->next)
        if (!add_named(r, c, g, &set))
            return false;
    return true;
}

bool study_groups_check(const struct study_reader *r)
{
    const struct tree *groups = groups_of(r);
    for (const struct tree *g = groups ? groups->first : NULL; g; g = g->next)
        if (!check_group(r, g))
            return false;
    return true;
}
