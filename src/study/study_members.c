/* study_members.c - the programs that rows of a study name: one, or a list of them to choose from.
 *
 *     HS, HS@tiny, {name: HS, size: tiny}         # a workload of the registry
 *     {ptx: my.ptx, launch: my.yaml}              # as heddle run takes them
 *     {trace: old.hds}                            # of heddle record
 *     [HS, BT@tiny], high                         # several: a list, a group, a line with rows
 *
 * Files are as seen from the study's folder; their contents are hashed as they are read. */
#include <string.h>

#include "stream/store.h"
#include "study/files.h"
#include "study/inputs.h"
#include "study/kind.h"
#include "study/study_priv.h"

/* ---- one program ---------------------------------------------------------------------------- */

bool study_size_read(const struct study_reader *r, const struct tree *t, const char **size)
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

static const char *beside(const struct study_reader *r, const struct tree *t)
{
    return files_beside(r->arena, r->study->path, t->text);
}

/* Among what it may be are names of rows, of lines and of groups. */
bool study_workload_read(const struct study_reader *r, const struct tree *name,
                         struct study_program *p)
{
    p->workload = inputs_workload(name->text);
    if (p->workload)
        return true;
    struct study_names rows = study_row_names(r), all = {.what = "workload"};
    const char *const *own = inputs_workloads(r->arena, &all.n);
    const char **names = ARENA_ARRAY(r->arena, const char *, all.n + rows.n);
    memcpy(names, own, all.n * sizeof *names);
    memcpy(names + all.n, rows.names, rows.n * sizeof *names);
    all.names = names;
    all.n += rows.n;
    return study_refuse_name(r, name, &all);
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

bool study_files_read(const struct study_reader *r, const struct tree *t, struct study_program *p)
{
    const struct tree *trace = tree_get(t, "trace"), *size = tree_get(t, "size");
    bool has_kernel = tree_get(t, "ptx") || tree_get(t, "launch");
    if (size)
        return tree_refuse(size, r->e, "sizes are of workloads that heddle has; this is a file's");
    if (has_kernel && trace)
        return tree_refuse(trace, r->e, "ptx and trace: there can be only one");
    return trace ? take_trace(r, trace, p) : take_kernel(r, t, p);
}

bool study_has_files(const struct tree *t)
{
    return tree_get(t, "ptx") || tree_get(t, "launch") || tree_get(t, "trace");
}

/* "HS@tiny", or "HS" at the study's size; "CHASE:footprint=48K", "CHASE@tiny:footprint=48K". */
static bool take_word(const struct study_reader *r, const struct tree *t, struct study_program *p)
{
    size_t at = strcspn(t->text, "@:"), colon = at + strcspn(t->text + at, ":");
    struct tree name = *t, size = *t;
    struct err why = {0};
    name.text = arena_printf(r->arena, "%.*s", (int)at, t->text);
    size.text =
        at < colon ? arena_printf(r->arena, "%.*s", (int)(colon - at - 1), t->text + at + 1) : NULL;
    if (!study_workload_read(r, &name, p) ||
        !study_size_read(r, size.text ? &size : NULL, &p->size))
        return false;
    if (t->text[colon])
        p->args = inputs_args(r->arena, p->workload, p->size, t->text + colon + 1, &why);
    return !why.status || tree_refuse(t, r->e, "%s", why.text);
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
    if (study_has_files(t))
        return study_files_read(r, t, p);
    if (!name)
        return tree_refuse(t, r->e, "expected HS@tiny, {ptx: FILE, launch: FILE} or {trace: FILE}");
    return study_expect(r, name, TREE_SCALAR) && study_workload_read(r, name, p) &&
           study_size_read(r, tree_get(t, "size"), &p->size);
}

/* ---- several -------------------------------------------------------------------------------- */

/* A map may say what its files are called in names of rows. */
static const char *name_of(const struct study_reader *r, const struct tree *t,
                           const struct study_program *p)
{
    const struct tree *name = tree_get(t, "name");
    if (p->workload)
        return p->workload;
    return name && name->kind == TREE_SCALAR ? name->text : study_program_title(r->arena, p);
}

static bool add_program(const struct study_reader *r, const struct tree *t, const char *size,
                        struct study_members *m)
{
    struct study_member *x = &m->all[m->n];
    if (!take_program(r, t, size, &x->program))
        return false;
    x->name = name_of(r, t, &x->program);
    m->n++;
    return true;
}

/* The program of a row, at its size. */
static bool add_row(const struct study_reader *r, const struct tree *t, uint32_t row,
                    struct study_members *m)
{
    const struct study_workload *w = &r->study->workloads[row];
    if (w->kind != &kind_kernel)
        return tree_refuse(t, r->e, "row %s is of kind %s: expected rows with one program", w->name,
                           w->kind->name);
    if (w->nsets)
        return tree_refuse(t, r->e, "row %s has a set of its own, which programs cannot have",
                           w->name);
    m->all[m->n++] = (struct study_member){w->name, w->programs[0]};
    return true;
}

/* A word is a workload of the registry before it is a row. */
static bool is_of_rows(const struct study_reader *r, const struct tree *t)
{
    if (t->kind != TREE_SCALAR || inputs_workload(t->text))
        return false;
    return study_stands_for_rows(r, t->text) || study_is_row(r, t->text);
}

static bool add_members(const struct study_reader *r, const struct tree *t, const char *size,
                        struct study_members *m)
{
    struct study_row_set rows = study_row_set(r);
    if (!is_of_rows(r, t))
        return add_program(r, t, size, m);
    if (!study_rows_of(r, t, &rows))
        return false;
    for (uint32_t i = 0; i < rows.n; i++)
        if (!add_row(r, t, rows.rows[i], m))
            return false;
    return true;
}

bool study_members_read(const struct study_reader *r, const struct tree *t, const char *size,
                        struct study_members *m)
{
    bool is_list = t->kind == TREE_LIST;
    uint32_t words = is_list ? t->n : 1;
    *m = (struct study_members){.is_list = is_list ||
                                           (t->kind == TREE_SCALAR && !inputs_workload(t->text) &&
                                            study_stands_for_rows(r, t->text))};
    m->all = ARENA_ARRAY(r->arena, struct study_member, (size_t)words * (r->study->nworkloads + 1));
    if (!is_list)
        return add_members(r, t, size, m);
    for (const struct tree *c = t->first; c; c = c->next)
        if (!add_members(r, c, size, m))
            return false;
    return m->n > 0 || tree_refuse(t, r->e, "expected at least one program");
}
