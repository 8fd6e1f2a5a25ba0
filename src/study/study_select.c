/* study_select.c - a part of a study: `quick:` of its file, and --only.
 *
 * Variants and workloads keep their places; it is the figures that lose rows, columns, values of
 * the paper and claims, so that nothing is run that no figure asks for. */
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "study/inputs.h"
#include "study/study_priv.h"

struct selection {
    const struct study_reader *r;
    struct study_names names[3];
    bool *keep[3]; /* NULL: all */
};

enum { FIGURES, VARIANTS, WORKLOADS, KINDS };

static bool keeps(const struct selection *s, int kind, uint32_t index)
{
    return !s->keep[kind] || s->keep[kind][index];
}

static void keep(struct selection *s, bool **set, int kind, uint32_t index)
{
    if (!*set)
        *set = ARENA_ARRAY(s->r->arena, bool, s->names[kind].n);
    (*set)[index] = true;
}

/* ---- quick --------------------------------------------------------------------------------- */

static bool keep_list(struct selection *s, int kind, const struct tree *t, bool is_quick)
{
    const uint32_t *list;
    uint32_t n;
    if (!t)
        return true;
    t = kind == WORKLOADS ? study_row_list(s->r, t) : t;
    if (!study_indices(s->r, t, &s->names[kind], &list, &n))
        return false;
    for (uint32_t i = 0; is_quick && i < n; i++)
        keep(s, &s->keep[kind], kind, list[i]);
    return true;
}

static bool keep_variants(struct selection *s, const struct tree *quick, bool is_quick)
{
    const uint32_t *list;
    uint32_t n;
    if (!tree_get(quick, "variants") && !tree_get(quick, "where"))
        return true;
    if (!study_where_columns(s->r, quick, &list, &n))
        return false;
    for (uint32_t i = 0; is_quick && i < n; i++)
        keep(s, &s->keep[VARIANTS], VARIANTS, list[i]);
    return true;
}

/* Files are as they are. */
static void resize_row(const struct study_reader *r, struct study_workload *w, const char *size)
{
    struct study_program *all = ARENA_ARRAY(r->arena, struct study_program, w->nprograms + 1);
    for (uint32_t i = 0; i < w->nprograms; i++) {
        all[i] = w->programs[i];
        all[i].size = size;
    }
    w->programs = all;
    study_row_size(w);
}

static bool resize(const struct study_reader *r, const struct tree *t, bool is_quick)
{
    struct study *s = r->study;
    struct study_names sizes = {.what = "size"};
    uint32_t size;
    sizes.names = inputs_sizes(r->arena, &sizes.n);
    if (!t)
        return true;
    if (!study_index(r, t, &sizes, &size))
        return false;
    struct study_workload *all = ARENA_ARRAY(r->arena, struct study_workload, s->nworkloads);
    for (uint32_t i = 0; i < s->nworkloads; i++) {
        all[i] = s->workloads[i];
        if (is_quick)
            resize_row(r, &all[i], sizes.names[size]);
    }
    s->workloads = all;
    return true;
}

/* Checked also when it is not asked for. */
static bool take_quick(struct selection *s, bool is_quick)
{
    const struct study_reader *r = s->r;
    const struct tree *t = tree_get(r->top, "quick");
    if (!t)
        return true;
    return study_expect(r, t, TREE_MAP) &&
           tree_knows(t, "size|workloads|figures|variants|where", r->e) &&
           resize(r, tree_get(t, "size"), is_quick) && keep_variants(s, t, is_quick) &&
           keep_list(s, WORKLOADS, tree_get(t, "workloads"), is_quick) &&
           keep_list(s, FIGURES, tree_get(t, "figures"), is_quick);
}

/* ---- only ---------------------------------------------------------------------------------- */

static bool refuse_word(const struct selection *s, const char *word)
{
    struct str_hint hint = str_hint(word);
    for (int k = 0; k < KINDS; k++)
        for (uint32_t i = 0; i < s->names[k].n; i++)
            str_hint_offer(&hint, s->names[k].names[i]);
    return err_set(s->r->e, STATUS_BAD_INPUT,
                   "--only %.60s: no figure, variant or workload of %s has this name%s", word,
                   s->r->study->path, str_hint_text(&hint, ""));
}

/* Rows also go by the name of the line that made them. */
static bool is_named(const struct selection *s, int kind, uint32_t index, const char *word)
{
    const char *name = s->names[kind].names[index];
    if (kind != WORKLOADS)
        return strcmp(word, name) == 0;
    const char *group = s->r->study->workloads[index].group;
    return strcasecmp(word, name) == 0 || (group && strcasecmp(word, group) == 0);
}

/* What --only names of a kind counts instead of what `quick:` has of it. */
static bool take_only(struct selection *s, const char *only)
{
    bool *named[KINDS] = {0};
    char *words = arena_strdup(s->r->arena, only), *save = NULL;
    for (char *w = strtok_r(words, ", ", &save); w; w = strtok_r(NULL, ", ", &save)) {
        bool found = false;
        for (int k = 0; k < KINDS; k++)
            for (uint32_t i = 0; i < s->names[k].n; i++) {
                if (!is_named(s, k, i, w))
                    continue;
                keep(s, &named[k], k, i);
                found = true;
            }
        if (!found)
            return refuse_word(s, w);
    }
    for (int k = 0; k < KINDS; k++)
        s->keep[k] = named[k] ? named[k] : s->keep[k];
    return true;
}

/* ---- figures ------------------------------------------------------------------------------- */

static const uint32_t *filter(const struct selection *s, int kind, const uint32_t *list,
                              uint32_t *n)
{
    uint32_t *kept = ARENA_ARRAY(s->r->arena, uint32_t, *n), count = 0;
    for (uint32_t i = 0; i < *n; i++)
        if (keeps(s, kind, list[i]))
            kept[count++] = list[i];
    *n = count;
    return kept;
}

static uint32_t index_of(const struct study_names *names, const char *name)
{
    uint32_t i = 0;
    while (i < names->n && strcmp(names->names[i], name) != 0)
        i++;
    HD_ASSERT(i < names->n, "%s %s was checked", names->what, name);
    return i;
}

static bool keeps_claim(const struct selection *s, const struct study_claim *c)
{
    for (const struct expr_ref *r = expr_refs(c->expr); r; r = r->next)
        if (!keeps(s, FIGURES, index_of(&s->names[FIGURES], r->figure)) ||
            !keeps(s, VARIANTS, index_of(&s->names[VARIANTS], r->variant)) ||
            (strcmp(r->workload, "mean") != 0 &&
             !keeps(s, WORKLOADS, index_of(&s->names[WORKLOADS], r->workload))))
            return false;
    return true;
}

static void filter_figure(const struct selection *s, struct study_figure *f)
{
    struct study_paper *papers = ARENA_ARRAY(s->r->arena, struct study_paper, f->npapers);
    struct study_claim *claims = ARENA_ARRAY(s->r->arena, struct study_claim, f->nclaims);
    uint32_t n = 0;
    f->variants = filter(s, VARIANTS, f->variants, &f->nvariants);
    f->workloads = filter(s, WORKLOADS, f->workloads, &f->nworkloads);
    for (uint32_t i = 0; i < f->npapers; i++)
        if (keeps(s, VARIANTS, f->papers[i].variant) &&
            (f->papers[i].workload < 0 || keeps(s, WORKLOADS, (uint32_t)f->papers[i].workload)))
            papers[n++] = f->papers[i];
    f->papers = papers;
    f->npapers = n;
    n = 0;
    for (uint32_t i = 0; i < f->nclaims; i++)
        if (keeps_claim(s, &f->claims[i]))
            claims[n++] = f->claims[i];
    f->claims = claims;
    f->nclaims = n;
}

/* ---- what is left, in words ---------------------------------------------------------------- */

static const char *add_piece(struct arena *a, const char *text, const char *piece)
{
    return arena_printf(a, "%s%s%s", text, *text ? ", " : "", piece);
}

static const char *add_count(const struct selection *s, const char *text, int kind, uint32_t n)
{
    static const char *const words[KINDS] = {"figures", "variants", "workloads"};
    struct arena *a = s->r->arena;
    uint32_t all = s->names[kind].n;
    return n == all ? text
                    : add_piece(a, text, arena_printf(a, "%u of %u %s", n, all, words[kind]));
}

static uint32_t count_kept(const struct selection *s, int kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->names[kind].n; i++)
        n += keeps(s, kind, i);
    return n;
}

static void describe_part(const struct selection *s, const struct study_options *o)
{
    struct study *study = s->r->study;
    const struct tree *quick = tree_get(s->r->top, "quick");
    const struct tree *size = quick ? tree_get(quick, "size") : NULL;
    const char *text = "";
    study->is_quick = o && o->quick && quick;
    if (study->is_quick && size)
        text = arena_printf(s->r->arena, "inputs of size %s", size->text);
    text = add_count(s, text, FIGURES, study->nfigures);
    text = add_count(s, text, VARIANTS, count_kept(s, VARIANTS));
    study->part = add_count(s, text, WORKLOADS, count_kept(s, WORKLOADS));
}

bool study_select(struct study_reader *r, const struct study_options *o)
{
    struct study *study = r->study;
    struct selection s = {.r = r};
    s.names[FIGURES] = study_figure_names(r);
    s.names[VARIANTS] = study_variant_names(r);
    s.names[WORKLOADS] = study_workload_names(r);
    if (!take_quick(&s, o && o->quick) || (o && o->only && !take_only(&s, o->only)))
        return false;
    struct study_figure *kept = ARENA_ARRAY(r->arena, struct study_figure, study->nfigures);
    uint32_t n = 0;
    for (uint32_t i = 0; i < study->nfigures; i++) {
        kept[n] = study->figures[i];
        filter_figure(&s, &kept[n]);
        n += keeps(&s, FIGURES, i) && kept[n].nvariants && kept[n].nworkloads;
    }
    if (n == 0)
        return err_set(r->e, STATUS_BAD_INPUT, "%s: no figure has anything of --only %s%s",
                       study->path, o && o->only ? o->only : "",
                       o && o->quick ? " among what --quick runs" : "");
    study->figures = kept;
    study->nfigures = n;
    describe_part(&s, o);
    return true;
}
