/* study_select.c - a part of a study: `quick:` of its file, and --only.
 *
 * Variants and workloads keep their places; it is the figures that lose rows, columns, values of
 * the paper and claims, so that nothing is run that no figure asks for. */
#include <string.h>

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
    if (kind == WORKLOADS ? !study_rows_listed(s->r, t, &list, &n)
                          : !study_indices(s->r, t, &s->names[kind], &list, &n))
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

/* Files are as they are, and so is what has another size than the study. */
static void resize_row(const struct study_reader *r, struct study_workload *w, const char *from,
                       const char *size)
{
    struct study_program *all = ARENA_ARRAY(r->arena, struct study_program, w->nprograms + 1);
    for (uint32_t i = 0; i < w->nprograms; i++) {
        all[i] = w->programs[i];
        if (all[i].size && strcmp(all[i].size, from) == 0)
            all[i].size = size;
    }
    w->programs = all;
    study_row_size(w);
}

bool study_resize(const struct study_reader *r, const struct tree *t, bool is_wanted)
{
    const struct tree *own = tree_get(r->top, "size");
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
        if (is_wanted)
            resize_row(r, &all[i], own ? own->text : "study", sizes.names[size]);
    }
    s->workloads = all;
    return true;
}

/* Programs restart for so many cycles. */
static bool shorten(const struct study_reader *r, const struct tree *t, bool is_quick)
{
    struct study *s = r->study;
    uint64_t window;
    if (!t)
        return true;
    if (!study_window_read(r, t, &window))
        return false;
    struct study_workload *all = ARENA_ARRAY(r->arena, struct study_workload, s->nworkloads);
    for (uint32_t i = 0; i < s->nworkloads; i++) {
        all[i] = s->workloads[i];
        if (is_quick && all[i].window)
            all[i].window = window;
    }
    s->workloads = all;
    return true;
}

/* Of the rows that a name stands for, so many. */
static bool sample(struct selection *s, const struct tree *t, bool is_quick)
{
    const struct study_reader *r = s->r;
    struct tree name = {.kind = TREE_SCALAR, .line = t->line, .file = t->file, .key = "sample"};
    struct study_row_set set = study_row_set(r);
    int64_t wanted;
    name.text = t->key;
    if (!study_rows_of(r, &name, &set))
        return false;
    if (!study_expect(r, t, TREE_SCALAR) || !str_to_int(t->text, &wanted) || wanted < 1)
        return tree_refuse(t, r->e, "expected a number of rows, from 1");
    if (!is_quick || wanted >= set.n)
        return true;
    uint32_t *taken = ARENA_ARRAY(r->arena, uint32_t, wanted);
    study_sample(r->study, set.rows, set.n, (uint32_t)wanted, taken);
    bool is_all = !s->keep[WORKLOADS];
    for (uint32_t i = 0; is_all && i < r->study->nworkloads; i++)
        keep(s, &s->keep[WORKLOADS], WORKLOADS, i);
    for (uint32_t i = 0; i < set.n; i++)
        if (study_place(taken, (uint32_t)wanted, set.rows[i]) < 0)
            s->keep[WORKLOADS][set.rows[i]] = false;
    return true;
}

static bool take_samples(struct selection *s, const struct tree *map, bool is_quick)
{
    if (map && !study_expect(s->r, map, TREE_MAP))
        return false;
    for (const struct tree *c = map ? map->first : NULL; c; c = c->next)
        if (!sample(s, c, is_quick))
            return false;
    return true;
}

#define QUICK_KEYS "size|window|workloads|figures|variants|where|sample"

/* Checked also when it is not asked for. */
static bool take_quick(struct selection *s, bool is_quick)
{
    const struct study_reader *r = s->r;
    const struct tree *t = tree_get(r->top, "quick");
    if (!t)
        return true;
    return study_expect(r, t, TREE_MAP) &&
           tree_knows(t,
                      arena_printf(r->arena, QUICK_KEYS "|%s", r->quick_keys ? r->quick_keys : ""),
                      r->e) &&
           study_resize(r, tree_get(t, "size"), is_quick) &&
           shorten(r, tree_get(t, "window"), is_quick) && keep_variants(s, t, is_quick) &&
           keep_list(s, WORKLOADS, tree_get(t, "workloads"), is_quick) &&
           take_samples(s, tree_get(t, "sample"), is_quick) &&
           keep_list(s, FIGURES, tree_get(t, "figures"), is_quick);
}

/* ---- only ---------------------------------------------------------------------------------- */

static bool refuse_word(const struct selection *s, const char *word)
{
    struct str_hint hint = str_hint(word);
    struct study_names rows = study_row_names(s->r);
    for (int k = 0; k < WORKLOADS; k++)
        for (uint32_t i = 0; i < s->names[k].n; i++)
            str_hint_offer(&hint, s->names[k].names[i]);
    for (uint32_t i = 0; i < rows.n; i++)
        str_hint_offer(&hint, rows.names[i]);
    return err_set(s->r->e, STATUS_BAD_INPUT,
                   "--only %.60s: no figure, variant or workload of %s has this name%s", word,
                   s->r->study->path, str_hint_text(&hint, ""));
}

/* Keeps what a word names of figures, variants and rows; false: nothing. */
static bool keep_word(struct selection *s, const char *word, bool *named[KINDS])
{
    struct study_row_set rows = study_row_set(s->r);
    bool found = false;
    for (int k = 0; k < WORKLOADS; k++)
        for (uint32_t i = 0; i < s->names[k].n; i++) {
            if (strcmp(word, s->names[k].names[i]) != 0)
                continue;
            keep(s, &named[k], k, i);
            found = true;
        }
    if (!study_rows_called(s->r, word, &rows))
        return false;
    for (uint32_t i = 0; i < rows.n; i++)
        keep(s, &named[WORKLOADS], WORKLOADS, rows.rows[i]);
    return found || rows.n;
}

/* What --only names of a kind counts instead of what `quick:` has of it. */
static bool take_only(struct selection *s, const char *only)
{
    bool *named[KINDS] = {0};
    char *words = arena_strdup(s->r->arena, only), *save = NULL;
    for (char *w = strtok_r(words, ", ", &save); w; w = strtok_r(NULL, ", ", &save))
        if (!keep_word(s, w, named))
            return refuse_word(s, w);
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

static bool keeps_beside(const struct selection *s, const struct study_beside *b);

/* Whether a value that a claim asks for, or `where` of a mean, is still there. */
static bool keeps_ref(const struct selection *s, const struct expr_ref *r, bool in_where)
{
    const struct study_figure *f = study_figure_named(s->r->study, r->figure);
    const struct study_beside *b = study_beside_find(f, r->workload);
    if (!keeps(s, FIGURES, (uint32_t)(f - s->r->study->figures)) ||
        !keeps(s, VARIANTS, index_of(&s->names[VARIANTS], r->variant)))
        return false;
    if (strcmp(r->workload, "mean") == 0 || study_is_error(r->workload) ||
        (in_where && strcmp(r->workload, STUDY_THIS_ROW) == 0))
        return true;
    return b ? keeps_beside(s, b)
             : keeps(s, WORKLOADS, index_of(&s->names[WORKLOADS], r->workload));
}

static bool keeps_beside(const struct selection *s, const struct study_beside *b)
{
    bool any = false;
    for (const struct expr_ref *r = b->where ? expr_refs(b->where) : NULL; r; r = r->next)
        if (!keeps_ref(s, r, true))
            return false;
    for (uint32_t i = 0; i < b->n; i++)
        any |= keeps(s, WORKLOADS, b->rows[i]);
    return any;
}

static bool keeps_claim(const struct selection *s, const struct study_claim *c)
{
    for (const struct expr_ref *r = expr_refs(c->expr); r; r = r->next)
        if (!keeps_ref(s, r, false))
            return false;
    return true;
}

static bool keeps_paper(const struct selection *s, const struct study_figure *f,
                        const struct study_paper *p)
{
    if (!keeps(s, VARIANTS, p->variant))
        return false;
    if (p->beside)
        return keeps_beside(s, study_beside_find(f, p->beside));
    return p->workload < 0 || keeps(s, WORKLOADS, (uint32_t)p->workload);
}

static void filter_besides(const struct selection *s, struct study_figure *f)
{
    struct study_beside *besides = ARENA_ARRAY(s->r->arena, struct study_beside, f->nbesides);
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->nbesides; i++) {
        if (!keeps_beside(s, &f->besides[i]))
            continue;
        besides[n] = f->besides[i];
        besides[n].rows = filter(s, WORKLOADS, besides[n].rows, &besides[n].n);
        n++;
    }
    f->besides = besides;
    f->nbesides = n;
    f->hides_rows &= f->mean != MEAN_NONE || n > 0;
}

/* `f` is a copy of the figure, which others may still ask for. */
static void filter_figure(const struct selection *s, struct study_figure *f)
{
    struct study_paper *papers = ARENA_ARRAY(s->r->arena, struct study_paper, f->npapers);
    struct study_claim *claims = ARENA_ARRAY(s->r->arena, struct study_claim, f->nclaims);
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->npapers; i++)
        if (keeps_paper(s, f, &f->papers[i]))
            papers[n++] = f->papers[i];
    f->papers = papers;
    f->npapers = n;
    n = 0;
    for (uint32_t i = 0; i < f->nclaims; i++)
        if (keeps_claim(s, &f->claims[i]))
            claims[n++] = f->claims[i];
    f->claims = claims;
    f->nclaims = n;
    f->variants = filter(s, VARIANTS, f->variants, &f->nvariants);
    f->workloads = filter(s, WORKLOADS, f->workloads, &f->nworkloads);
    filter_besides(s, f);
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
    for (uint32_t i = 0; i < study->nfigures; i++)
        study->is_quick |= study_is_small_form(&study->figures[i]);
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
