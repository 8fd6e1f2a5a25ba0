/* study_rows.c - the rows of a study file, under `workloads:`: what is done with every variant.
 *
 *     - HS                                              # of the registry
 *     - {name: BP, size: small, set: {l1.size: 32K}}
 *     - {name: mine, ptx: my.ptx, launch: my.yaml}      # as heddle run takes them
 *     - {name: old, trace: old.hds}                     # of heddle record
 *     - {name: HS_mine, programs: [HS@tiny, {ptx: my.ptx, launch: my.yaml}], window: 20000}
 *     - {name: chip, kind: cost}
 *     - {name: load, kind: noc, cross: {traffic.rate: [0.1, 0.2]}}   # rows load_0.1, load_0.2
 *
 * Files are as seen from the study's folder; their contents are hashed as they are read. */
#include <string.h>

#include "base/str.h"
#include "stream/store.h"
#include "study/files.h"
#include "study/inputs.h"
#include "study/kind.h"
#include "study/study_priv.h"

#define ROW_KEYS "cross|kind|launch|name|programs|ptx|set|size|trace|window"

/* ---- sizes and kinds ------------------------------------------------------------------------ */

static bool take_size(const struct study_reader *r, const struct tree *t, const char **size)
{
    struct study_names all = {.what = "size"};
    if (!t)
        return true;
    if (!study_expect(r, t, TREE_SCALAR))
        return false;
    *size = inputs_size(t->text);
    all.names = inputs_sizes(r->arena, &all.n);
    return *size || study_refuse_name(r, t, &all);
}

static bool take_kind(const struct study_reader *r, const struct tree *t,
                      const struct study_kind **kind)
{
    const char **names = ARENA_ARRAY(r->arena, const char *, kind_count);
    struct study_names all = {"kind", names, (uint32_t)kind_count};
    if (!t)
        return true;
    for (int i = 0; i < kind_count; i++)
        names[i] = kind_all[i]->name;
    if (!study_expect(r, t, TREE_SCALAR))
        return false;
    *kind = kind_find(t->text);
    return *kind || study_refuse_name(r, t, &all);
}

/* ---- programs ------------------------------------------------------------------------------- */

static const char *beside(const struct study_reader *r, const struct tree *t)
{
    return files_beside(r->arena, r->study->path, t->text);
}

static bool take_workload(const struct study_reader *r, const struct tree *name,
                          struct study_program *p)
{
    struct study_names all = {.what = "workload"};
    p->workload = inputs_workload(name->text);
    all.names = inputs_workloads(r->arena, &all.n);
    return p->workload || study_refuse_name(r, name, &all);
}

static bool take_kernel(const struct study_reader *r, const struct tree *t, struct study_program *p)
{
    const struct tree *ptx = tree_get(t, "ptx"), *launch = tree_get(t, "launch");
    struct err why = {0};
    if (!ptx || !launch)
        return tree_refuse(t, r->e,
                           "ptx and launch need each other: {ptx: my.ptx, launch: my.yaml}");
    if (!study_expect(r, ptx, TREE_SCALAR) || !study_expect(r, launch, TREE_SCALAR))
        return false;
    p->ptx = beside(r, ptx);
    p->launch = beside(r, launch);
    if (!files_hash(p->ptx, &p->contents, &why))
        return tree_refuse(ptx, r->e, "%s", why.text);
    return files_hash_launch(p->launch, &p->contents, &why) ||
           tree_refuse(launch, r->e, "%s", why.text);
}

static bool take_trace(const struct study_reader *r, const struct tree *t, struct study_program *p)
{
    struct err why = {0};
    if (!study_expect(r, t, TREE_SCALAR))
        return false;
    p->trace = beside(r, t);
    struct stream_file *f = stream_file_open(p->trace, &why);
    if (f)
        stream_file_free(f);
    return (f && files_hash(p->trace, &p->contents, &why)) || tree_refuse(t, r->e, "%s", why.text);
}

/* Of a map that has ptx and launch, or trace: files, which have no size. */
static bool take_files(const struct study_reader *r, const struct tree *t, struct study_program *p)
{
    const struct tree *trace = tree_get(t, "trace"), *size = tree_get(t, "size");
    bool has_kernel = tree_get(t, "ptx") || tree_get(t, "launch");
    if (size)
        return tree_refuse(size, r->e, "sizes are of workloads that heddle has; this is a file's");
    if (has_kernel && trace)
        return tree_refuse(trace, r->e, "ptx and trace: there can be only one");
    return trace ? take_trace(r, trace, p) : take_kernel(r, t, p);
}

static bool has_files(const struct tree *t)
{
    return tree_get(t, "ptx") || tree_get(t, "launch") || tree_get(t, "trace");
}

/* "HS@tiny", or "HS" at the study's size. */
static bool take_word(const struct study_reader *r, const struct tree *t, struct study_program *p)
{
    const char *at = strchr(t->text, '@');
    struct tree name = *t, size = *t;
    if (!at)
        return take_workload(r, t, p);
    name.text = arena_printf(r->arena, "%.*s", (int)(at - t->text), t->text);
    size.text = at + 1;
    return take_workload(r, &name, p) && take_size(r, &size, &p->size);
}

/* One of several: a word, or a map as a row has it. */
static bool take_program(const struct study_reader *r, const struct tree *t, const char *size,
                         struct study_program *p)
{
    const struct tree *name = tree_get(t, "name");
    *p = (struct study_program){.line = t->line, .size = size};
    if (t->kind == TREE_SCALAR)
        return take_word(r, t, p);
    if (!study_expect(r, t, TREE_MAP) || !tree_knows(t, "launch|name|ptx|size|trace", r->e))
        return false;
    if (has_files(t))
        return take_files(r, t, p);
    if (!name)
        return tree_refuse(t, r->e, "expected HS@tiny, {ptx: FILE, launch: FILE} or {trace: FILE}");
    return study_expect(r, name, TREE_SCALAR) && take_workload(r, name, p) &&
           take_size(r, tree_get(t, "size"), &p->size);
}

static bool take_programs(const struct study_reader *r, const struct tree *t, const char *size,
                          struct study_workload *w)
{
    if (!study_expect(r, t, TREE_LIST))
        return false;
    if (t->n < 2 || t->n > w->kind->most_programs)
        return tree_refuse(t, r->e, "expected 2 to %u programs", w->kind->most_programs);
    struct study_program *all = ARENA_ARRAY(r->arena, struct study_program, t->n);
    for (const struct tree *c = t->first; c; c = c->next)
        if (!take_program(r, c, size, &all[w->nprograms++]))
            return false;
    w->programs = all;
    return true;
}

void study_row_size(struct study_workload *w)
{
    const char *size = NULL;
    w->size = "";
    for (uint32_t i = 0; i < w->nprograms; i++) {
        const struct study_program *p = &w->programs[i];
        if (p->workload && size && strcmp(size, p->size) != 0)
            return;
        size = p->workload ? p->size : size;
    }
    w->size = size ? size : "";
}

/* ---- one row -------------------------------------------------------------------------------- */

/* The kind that a row's keys say, or its word. */
static bool find_kind(const struct study_reader *r, const struct tree *t, struct study_workload *w)
{
    const struct tree *kind = tree_get(t, "kind"), *programs = tree_get(t, "programs");
    const struct tree *window = tree_get(t, "window");
    w->kind = programs ? &kind_programs : &kind_kernel;
    const struct study_kind *implied = w->kind;
    if (!take_kind(r, kind, &w->kind))
        return false;
    if ((programs || has_files(t)) && w->kind != implied)
        return tree_refuse(kind, r->e, "a row that names programs is of kind %s", implied->name);
    if (w->kind == &kind_programs && !programs)
        return tree_refuse(t, r->e, "expected programs: [HS@tiny, BFS@tiny]");
    return !window || programs || tree_refuse(window, r->e, "a window is for programs: [...]");
}

static bool take_window(const struct study_reader *r, const struct tree *t, uint64_t *window)
{
    int64_t v = 0;
    if (t && (!study_expect(r, t, TREE_SCALAR) || !str_to_int(t->text, &v) || v < 1))
        return tree_refuse(t, r->e, "expected a number of cycles, from 1");
    *window = (uint64_t)v;
    return true;
}

static bool take_one_program(const struct study_reader *r, const struct tree *t,
                             const struct tree *name, const char *size, struct study_workload *w)
{
    struct study_program *p = ARENA_NEW(r->arena, struct study_program);
    *p = (struct study_program){.line = t->line, .size = size};
    w->programs = p;
    w->nprograms = 1;
    if (has_files(t))
        return take_files(r, t, p);
    if (!take_workload(r, name, p) || !take_size(r, tree_get(t, "size"), &p->size))
        return false;
    w->name = p->workload; /* as the registry spells it */
    return true;
}

/* What it does; a kind without programs goes by any name. */
static bool take_what(const struct study_reader *r, const struct tree *t, const struct tree *name,
                      const char *size, struct study_workload *w)
{
    const struct tree *own = tree_get(t, "size"), *programs = tree_get(t, "programs");
    w->name = name->text;
    if (programs && has_files(t))
        return tree_refuse(programs, r->e, "programs, ptx, trace: there can be only one");
    if (own && (programs || !w->kind->most_programs))
        return tree_refuse(own, r->e, "a run of kind %s has no size", w->kind->name);
    bool ok = programs                 ? take_programs(r, programs, size, w)
              : w->kind->most_programs ? take_one_program(r, t, name, size, w)
                                       : true;
    if (!ok)
        return false;
    study_row_size(w);
    return !programs || take_window(r, tree_get(t, "window"), &w->window);
}

static bool take_row(const struct study_reader *r, const struct tree *t, const char *size,
                     struct study_workload *w)
{
    bool is_map = t->kind == TREE_MAP;
    const struct tree *name = is_map ? tree_get(t, "name") : t;
    *w = (struct study_workload){.line = t->line};
    if (is_map && !tree_knows(t, ROW_KEYS, r->e))
        return false;
    if (!name)
        return tree_refuse(t, r->e, "expected a name: {name: HS, size: small}");
    return study_expect(r, name, TREE_SCALAR) && find_kind(r, t, w) &&
           take_what(r, t, name, size, w) && study_check_name(r, name, w->name) &&
           study_row_sets(r, tree_get(t, "set"), w);
}

/* ---- rows that one line makes --------------------------------------------------------------- */

/* How many rows a line is: one for each combination of what is listed under its `cross`. */
static bool count_rows(const struct study_reader *r, const struct tree *t, uint32_t *n)
{
    const struct tree *cross = tree_get(t, "cross");
    *n = 1;
    if (cross && !study_expect(r, cross, TREE_MAP))
        return false;
    if (cross && cross->n == 0)
        return tree_refuse(cross, r->e, "expected at least one of SECTION.KEY: [VALUE, ...]");
    for (const struct tree *c = cross ? cross->first : NULL; c; c = c->next) {
        if (!study_expect(r, c, TREE_LIST))
            return false;
        for (const struct tree *v = c->first; v; v = v->next)
            if (!study_expect(r, v, TREE_SCALAR))
                return false;
        if (c->n == 0 || (uint64_t)*n * c->n > STUDY_MOST_ROWS)
            return tree_refuse(c, r->e, "expected 1 to %d values in all", STUDY_MOST_ROWS);
        *n *= c->n;
    }
    return true;
}

/* Row `index` of those that a line makes; the last parameter changes fastest. */
static bool cross_row(const struct study_reader *r, const struct tree *cross, uint32_t index,
                      uint32_t n, struct study_workload *w)
{
    uint32_t more = cross->n, total = w->nsets + more;
    const char **sets = ARENA_ARRAY(r->arena, const char *, total + 1);
    int *lines = ARENA_ARRAY(r->arena, int, total + 1);
    for (uint32_t i = 0; i < w->nsets; i++) {
        sets[i] = w->sets[i];
        lines[i] = w->set_lines[i];
    }
    w->group = w->name;
    for (const struct tree *c = cross->first; c; c = c->next) {
        const struct tree *v = c->first;
        n /= c->n;
        for (uint32_t k = index / n % c->n; k > 0; k--)
            v = v->next;
        sets[w->nsets] = arena_printf(r->arena, "%s=%s", c->key, v->text);
        lines[w->nsets++] = v->line;
        w->name = arena_printf(r->arena, "%s_%s", w->name, v->text);
    }
    w->sets = sets;
    w->set_lines = lines;
    return study_check_name(r, cross, w->name);
}

static bool refuse_twice(const struct study_reader *r, const struct tree *t,
                         const struct study_workload *all, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        HD_ASSERT(all[i].name && all[n].name, "a row without a name");
        if (strcmp(all[i].name, all[n].name) == 0)
            return tree_refuse(t, r->e, "workload \"%s\" is there twice", all[n].name);
    }
    return true;
}

static bool take_line(const struct study_reader *r, const struct tree *t, const char *size,
                      struct study_workload *all, uint32_t *n)
{
    const struct tree *cross = tree_get(t, "cross");
    struct study_workload row;
    uint32_t rows;
    if (!take_row(r, t, size, &row) || !count_rows(r, t, &rows))
        return false;
    for (uint32_t i = 0; i < rows; i++, ++*n) {
        all[*n] = row;
        if ((cross && !cross_row(r, cross, i, rows, &all[*n])) || !refuse_twice(r, t, all, *n))
            return false;
    }
    return true;
}

bool study_rows_read(struct study_reader *r)
{
    const struct tree *list = tree_get(r->top, "workloads");
    const char *size = inputs_size("study");
    uint32_t most = 0, n = 0, rows;
    if (!list)
        return tree_refuse(r->top, r->e, "expected the key \"workloads\"");
    if (!study_expect(r, list, TREE_LIST) || !take_size(r, tree_get(r->top, "size"), &size))
        return false;
    if (list->n == 0)
        return tree_refuse(list, r->e, "expected at least one");
    for (const struct tree *c = list->first; c; c = c->next, most += rows)
        if (!count_rows(r, c, &rows))
            return false;
    struct study_workload *all = ARENA_ARRAY(r->arena, struct study_workload, most);
    for (const struct tree *c = list->first; c; c = c->next)
        if (!take_line(r, c, size, all, &n))
            return false;
    r->study->workloads = all;
    r->study->nworkloads = n;
    return true;
}

/* ---- rows by name --------------------------------------------------------------------------- */

const char *study_row_text(struct arena *a, const struct study_workload *w)
{
    return *w->size ? arena_printf(a, "%s@%s", w->name, w->size) : w->name;
}

static struct tree *copy_as(struct arena *a, const struct tree *t, const char *text)
{
    struct tree *c = ARENA_NEW(a, struct tree);
    *c = *t;
    c->text = text;
    c->next = NULL;
    return c;
}

static bool is_row(const struct study *s, const char *name)
{
    for (uint32_t i = 0; i < s->nworkloads; i++)
        if (strcmp(s->workloads[i].name, name) == 0)
            return true;
    return false;
}

const struct tree *study_row_list(const struct study_reader *r, const struct tree *t)
{
    const struct study *s = r->study;
    if (!t || t->kind != TREE_LIST)
        return t;
    struct tree *list = ARENA_NEW(r->arena, struct tree), **end = &list->first;
    *list = *t;
    list->n = 0;
    for (const struct tree *c = t->first; c; c = c->next) {
        uint32_t before = list->n;
        for (uint32_t i = 0; c->kind == TREE_SCALAR && !is_row(s, c->text) && i < s->nworkloads;
             i++)
            if (s->workloads[i].group && strcmp(s->workloads[i].group, c->text) == 0) {
                *end = copy_as(r->arena, c, s->workloads[i].name);
                end = &(*end)->next;
                list->n++;
            }
        if (list->n > before)
            continue;
        *end = copy_as(r->arena, c, c->text);
        end = &(*end)->next;
        list->n++;
    }
    *end = NULL;
    return list;
}
