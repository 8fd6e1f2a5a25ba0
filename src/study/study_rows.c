/* study_rows.c - the rows of a study file, under `workloads:`: what is done with every variant.
 *
 *     - HS                                              # of the registry
 *     - {name: BP, size: small, set: {l1.size: 32K}}
 *     - {name: findK, workload: BT, kernel: findK}    # one of its kernels
 *     - {name: few_BP, workload: BP, size: few}         # under another name
 *     - {name: few, workload: high, size: few}          # of a group: rows few_A, few_B, ...
 *     - {name: mine, ptx: my.ptx, launch: my.yaml}      # as heddle run takes them
 *     - {name: old, trace: old.hds}                     # of heddle record
 *     - {name: HS_mine, programs: [HS@tiny, {ptx: my.ptx, launch: my.yaml}], window: 20000}
 *     - {name: mixed, programs: [high, low]}            # rows mixed_A_B of all combinations
 *     - {name: chip, kind: cost}
 *     - {name: latency, kind: last, workload: CHASE, args: {steps: 999}, cross: {footprint: [1K, 2K]}}
 *     - {name: load, kind: noc, cross: {traffic.rate: [0.1, 0.2]}}   # rows load_0.1, load_0.2 */
#include <string.h>

#include "base/str.h"
#include "study/inputs.h"
#include "study/kind.h"
#include "study/study_priv.h"

#define ROW_KEYS "args|cross|kernel|kind|launch|name|programs|ptx|set|size|trace|window|workload"

/* A line of the list: the row that it is, or what its rows have in common. */
struct line {
    const struct tree *t;
    const char *size; /* of workloads without their own */
    struct study_workload row;
    uint32_t n; /* combinations of programs; 0: the row's are its own */
    const struct study_combination *combinations;
};

/* ---- programs ------------------------------------------------------------------------------- */

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

/* A row for each combination of what is listed, where something is; else the one that there is. */
static bool take_lists(const struct study_reader *r, const struct tree *t, struct line *l,
                       const struct study_members *lists, uint32_t n)
{
    struct study_program *own = ARENA_ARRAY(r->arena, struct study_program, n);
    bool is_list = false;
    l->row.nprograms = n;
    for (uint32_t i = 0; i < n; i++) {
        is_list |= lists[i].is_list;
        own[i] = lists[i].all[0].program;
    }
    l->row.programs = own;
    return !is_list || study_combine(r, t, lists, n, &l->combinations, &l->n);
}

static bool take_programs(const struct study_reader *r, const struct tree *t, struct line *l)
{
    uint32_t n = 0, most = l->row.kind->most_programs;
    if (!study_expect(r, t, TREE_LIST))
        return false;
    if (t->n < 2 || t->n > most)
        return tree_refuse(t, r->e, "expected 2 to %u programs", most);
    struct study_members *lists = ARENA_ARRAY(r->arena, struct study_members, t->n);
    for (const struct tree *c = t->first; c; c = c->next)
        if (!study_members_read(r, c, l->size, &lists[n++]))
            return false;
    return take_lists(r, t, l, lists, n);
}

/* One program, or each of several; a size on the line is that of all. */
static bool take_workloads(const struct study_reader *r, const struct tree *t, struct line *l)
{
    const struct tree *size = tree_get(l->t, "size");
    struct study_members all;
    if (t->kind == TREE_MAP)
        return tree_refuse(t, r->e, "expected the name of a workload or group, or a list of them");
    if (!study_members_read(r, t, l->size, &all))
        return false;
    for (uint32_t i = 0; i < all.n; i++) {
        if (size && !all.all[i].program.workload)
            return tree_refuse(size, r->e, "%s is a file's, which has no size", all.all[i].name);
        if (!study_size_read(r, size, &all.all[i].program.size))
            return false;
    }
    return take_lists(r, t, l, &all, 1);
}

static bool take_one_program(const struct study_reader *r, const struct tree *name, struct line *l)
{
    struct study_program *p = ARENA_NEW(r->arena, struct study_program);
    *p = (struct study_program){.line = l->t->line, .size = l->size};
    l->row.programs = p;
    l->row.nprograms = 1;
    if (study_has_files(l->t))
        return study_files_read(r, l->t, p);
    if (!study_workload_read(r, name, p) || !study_size_read(r, tree_get(l->t, "size"), &p->size))
        return false;
    l->row.name = p->workload; /* as the registry spells it */
    return true;
}

/* ---- what a line does ----------------------------------------------------------------------- */

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

/* The kind that a row's keys say, or its word. */
static bool find_kind(const struct study_reader *r, const struct tree *t, struct study_workload *w)
{
    const struct tree *kind = tree_get(t, "kind"), *programs = tree_get(t, "programs");
    const struct tree *window = tree_get(t, "window");
    bool names_programs = programs || study_has_files(t) || tree_get(t, "workload");
    const struct tree *kernel = tree_get(t, "kernel");
    w->kind = programs ? &kind_programs : kernel ? &kind_launches : &kind_kernel;
    const struct study_kind *implied = w->kind;
    if (!take_kind(r, kind, &w->kind))
        return false;
    bool is_last = w->kind == &kind_last && implied == &kind_kernel, is_fixed = kernel || programs;
    bool is_other = is_fixed ? w->kind != implied
                             : names_programs && w->kind->most_programs != implied->most_programs;
    if (is_other && !is_last)
        return tree_refuse(kind, r->e, "a row that names %s is of kind %s",
                           kernel && !programs ? "a kernel" : "programs", implied->name);
    if (w->kind == &kind_launches && !kernel)
        return tree_refuse(t, r->e, "expected kernel: NAME, the one that it is about");
    if (w->kind == &kind_programs && !programs)
        return tree_refuse(t, r->e, "expected programs: [HS@tiny, BFS@tiny]");
    return !window || programs || tree_refuse(window, r->e, "a window is for programs: [...]");
}

/* Of a workload it is known which it has. */
static bool take_kernel(const struct study_reader *r, const struct tree *t,
                        struct study_workload *w)
{
    if (!t)
        return true;
    if (!study_expect(r, t, TREE_SCALAR))
        return false;
    if (w->kind != &kind_launches)
        return tree_refuse(t, r->e, "a kernel is one of a single program's");
    w->kernel = t->text;
    return true;
}

bool study_window_read(const struct study_reader *r, const struct tree *t, uint64_t *window)
{
    int64_t v = 0;
    if (t && (!study_expect(r, t, TREE_SCALAR) || !str_to_int(t->text, &v) || v < 1))
        return tree_refuse(t, r->e, "expected a number of cycles, from 1");
    *window = (uint64_t)v;
    return true;
}

/* A kind without programs goes by any name. */
static bool take_what(const struct study_reader *r, const struct tree *name, struct line *l)
{
    const struct tree *t = l->t, *own = tree_get(t, "size");
    const struct tree *programs = tree_get(t, "programs"), *workload = tree_get(t, "workload");
    struct study_workload *w = &l->row;
    w->name = name->text;
    if ((programs != NULL) + (workload != NULL) + study_has_files(t) > 1)
        return tree_refuse(programs ? programs : workload, r->e,
                           "programs, workload, ptx, trace: there can be only one");
    if (own && (programs || !w->kind->most_programs))
        return tree_refuse(own, r->e, "a run of kind %s has no size", w->kind->name);
    bool ok = programs                 ? take_programs(r, programs, l)
              : workload               ? take_workloads(r, workload, l)
              : w->kind->most_programs ? take_one_program(r, name, l)
                                       : true;
    return ok && (!programs || study_window_read(r, tree_get(t, "window"), &w->window));
}

static bool take_common(const struct study_reader *r, struct line *l)
{
    const struct tree *t = l->t, *name = t->kind == TREE_MAP ? tree_get(t, "name") : t;
    l->row = (struct study_workload){.line = t->line};
    if (t->kind == TREE_MAP && !tree_knows(t, ROW_KEYS, r->e))
        return false;
    if (!name)
        return tree_refuse(t, r->e, "expected a name: {name: HS, size: small}");
    return study_expect(r, name, TREE_SCALAR) && find_kind(r, t, &l->row) &&
           take_what(r, name, l) && take_kernel(r, tree_get(t, "kernel"), &l->row) &&
           study_check_name(r, name, l->row.name) && study_row_sets(r, tree_get(t, "set"), &l->row);
}

/* ---- rows that one line makes --------------------------------------------------------------- */

/* How many rows there are of each program or set of them: one for each combination of what is listed
 * under `cross`. */
static bool count_crossed(const struct study_reader *r, const struct tree *t, uint32_t *n)
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

/* Row `index` of those that a line makes; the last parameter changes fastest.  Arguments of its
 * workload go behind those that *args has. */
static bool cross_row(const struct study_reader *r, const struct tree *cross, uint32_t index,
                      uint32_t n, struct study_workload *w, const char **args)
{
    uint32_t more = cross->n, total = w->nsets + more;
    const char **sets = ARENA_ARRAY(r->arena, const char *, total + 1);
    int *lines = ARENA_ARRAY(r->arena, int, total + 1);
    for (uint32_t i = 0; i < w->nsets; i++) {
        sets[i] = w->sets[i];
        lines[i] = w->set_lines[i];
    }
    for (const struct tree *c = cross->first; c; c = c->next) {
        const struct tree *v = c->first;
        n /= c->n;
        for (uint32_t k = index / n % c->n; k > 0; k--)
            v = v->next;
        const char *given = arena_printf(r->arena, "%s=%s", c->key, v->text);
        if (study_is_arg(c->key)) {
            *args = **args ? arena_printf(r->arena, "%s,%s", *args, given) : given;
        } else {
            sets[w->nsets] = given;
            lines[w->nsets++] = v->line;
        }
        w->name = arena_printf(r->arena, "%s_%s", w->name, v->text);
    }
    w->sets = sets;
    w->set_lines = lines;
    return study_check_name(r, cross, w->name);
}

static bool has_inputs(const struct study_reader *r, const struct tree *t,
                       const struct study_workload *w)
{
    for (uint32_t i = 0; i < w->nprograms; i++) {
        const struct study_program *p = &w->programs[i];
        if (p->workload && !inputs_has(p->workload, p->size))
            return tree_refuse(t, r->e, "%s has no input of size \"%s\"", p->workload, p->size);
        if (p->workload && w->kernel && !inputs_has_kernel(p->workload, p->size, w->kernel))
            return tree_refuse(tree_get(t, "kernel"), r->e,
                               "%s has no kernel \"%s\" (heddle list "
                               "workloads --details %s shows them)",
                               p->workload, w->kernel, p->workload);
    }
    return true;
}

/* Row `index` of combinations first, of values of `cross` then. */
static bool make_row(const struct study_reader *r, const struct line *l, uint32_t index,
                     uint32_t crossed, struct study_workload *w)
{
    const struct tree *cross = tree_get(l->t, "cross"), *args = tree_get(l->t, "args");
    const char *given;
    *w = l->row;
    w->maker = cross || l->n ? l->row.name : NULL;
    if (l->n) {
        const struct study_combination *c = &l->combinations[index / crossed];
        w->programs = c->programs;
        w->name = arena_printf(r->arena, "%s_%s", w->name, c->name);
    }
    study_row_size(w);
    return has_inputs(r, l->t, w) && study_check_name(r, l->t, w->name) &&
           study_args_text(r, args, &given) &&
           (!cross || cross_row(r, cross, index % crossed, crossed, w, &given)) &&
           study_args_give(r,
                           args    ? args
                           : cross ? cross
                                   : l->t,
                           given, w);
}

/* The last of n + 1 rows. */
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

/* Later lines may speak of its rows. */
static bool take_line(struct study_reader *r, const struct tree *t, const char *size)
{
    struct study *s = r->study;
    struct line l = {.t = t, .size = size};
    uint32_t crossed;
    if (!take_common(r, &l) || !count_crossed(r, t, &crossed))
        return false;
    uint64_t rows = (uint64_t)crossed * (l.n ? l.n : 1);
    if (s->nworkloads + rows > STUDY_MOST_ROWS)
        return tree_refuse(t, r->e, "more than %d rows", STUDY_MOST_ROWS);
    struct study_workload *all = ARENA_ARRAY(r->arena, struct study_workload, s->nworkloads + rows);
    for (uint32_t i = 0; i < s->nworkloads; i++)
        all[i] = s->workloads[i];
    for (uint32_t i = 0; i < rows; i++, s->nworkloads++)
        if (!make_row(r, &l, i, crossed, &all[s->nworkloads]) ||
            !refuse_twice(r, t, all, s->nworkloads))
            return false;
    s->workloads = all;
    return true;
}

bool study_rows_read(struct study_reader *r)
{
    const struct tree *list = tree_get(r->top, "workloads"), *groups = tree_get(r->top, "groups");
    const char *size = inputs_size("study");
    if (!list)
        return tree_refuse(r->top, r->e, "expected the key \"workloads\"");
    if (!study_expect(r, list, TREE_LIST) || !study_size_read(r, tree_get(r->top, "size"), &size) ||
        (groups && !study_expect(r, groups, TREE_MAP)))
        return false;
    if (list->n == 0)
        return tree_refuse(list, r->e, "expected at least one");
    for (const struct tree *c = list->first; c; c = c->next)
        if (!take_line(r, c, size))
            return false;
    return study_groups_check(r);
}

const char *study_row_text(struct arena *a, const struct study_workload *w)
{
    return *w->size ? arena_printf(a, "%s@%s", w->name, w->size) : w->name;
}
