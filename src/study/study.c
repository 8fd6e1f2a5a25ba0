/* study.c - a study file: variants, workloads and metrics; figures are in study_figures.c.
 *
 * Everything that the file alone can tell is checked here, names against each other and against
 * the registry of workloads; what needs a machine (keys of `set`, names of statistics) is checked
 * when the runs are planned (job.c), before the first of them starts. */
#include "study/study.h"

#include <string.h>

#include "base/str.h"
#include "study/study_priv.h"

/* ---- maps ---------------------------------------------------------------------------------- */

bool study_check_name(const struct study_reader *r, const struct tree *t, const char *name)
{
    if (!*name || strspn(name, STUDY_NAME_LETTERS) != strlen(name))
        return tree_refuse(t, r->e, "a name has letters, digits and _ - + . only");
    return (strcmp(name, "mean") != 0 && !study_is_error(name)) ||
           tree_refuse(t, r->e, "this name is taken");
}

/* The map under a key of the file, its children's names checked. */
static bool take_map(const struct study_reader *r, const char *key, bool is_needed,
                     const struct tree **map)
{
    *map = tree_get(r->top, key);
    if (!*map)
        return !is_needed || tree_refuse(r->top, r->e, "expected the key \"%s\"", key);
    if (!study_expect(r, *map, TREE_MAP))
        return false;
    if (is_needed && (*map)->n == 0)
        return tree_refuse(*map, r->e, "expected at least one");
    if ((*map)->n > STUDY_MOST)
        return tree_refuse(*map, r->e, "more than %d", STUDY_MOST);
    for (const struct tree *c = (*map)->first; c; c = c->next)
        if (!study_check_name(r, c, c->key))
            return false;
    return true;
}

/* ---- variants ------------------------------------------------------------------------------ */

struct variants {
    const struct study_reader *r;
    const struct tree *map;
    struct study_variant *all;
    uint8_t *state; /* 0: to do, 1: being resolved, 2: done */
    struct study_names names;
};

const char *study_assignment(const struct study_reader *r, const struct tree *t)
{
    if (t->kind == TREE_SCALAR)
        return arena_printf(r->arena, "%s=%s", t->key, t->text);
    const char *text = arena_printf(r->arena, "%s=", t->key);
    for (const struct tree *c = t->first; c; c = c->next) {
        if (t->kind == TREE_MAP || c->kind != TREE_SCALAR) {
            tree_refuse(t, r->e, "expected SECTION.KEY: VALUE");
            return NULL;
        }
        text = arena_printf(r->arena, "%s%s%s", text, c == t->first ? "" : ",", c->text);
    }
    return text;
}

bool study_sets_read(const struct study_reader *r, const struct tree *set,
                     const struct study_variant *from, struct study_variant *v)
{
    if (set && !study_expect(r, set, TREE_MAP))
        return false;
    uint32_t before = from ? from->nsets : 0, n = before + (set ? set->n : 0);
    const char **texts = ARENA_ARRAY(r->arena, const char *, n + 1);
    int *lines = ARENA_ARRAY(r->arena, int, n + 1);
    for (uint32_t i = 0; i < before; i++) {
        texts[i] = from->sets[i];
        lines[i] = from->set_lines[i];
    }
    v->nsets = before;
    v->sets = texts;
    v->set_lines = lines;
    for (const struct tree *c = set ? set->first : NULL; c; c = c->next) {
        lines[v->nsets] = c->line;
        texts[v->nsets] = study_assignment(r, c);
        if (!texts[v->nsets++])
            return false;
    }
    return true;
}

bool study_row_sets(const struct study_reader *r, const struct tree *set, struct study_workload *w)
{
    struct study_variant sets;
    if (!study_sets_read(r, set, NULL, &sets))
        return false;
    w->nsets = sets.nsets;
    w->sets = sets.sets;
    w->set_lines = sets.set_lines;
    return true;
}

const char *study_machine_name(const struct study_reader *r, const char *name)
{
    size_t n = strlen(name);
    const char *slash = strrchr(r->study->path, '/');
    bool is_path = strchr(name, '/') || (n > 5 && strcmp(name + n - 5, ".yaml") == 0);
    if (!is_path || name[0] == '/' || !slash)
        return name;
    return arena_printf(r->arena, "%.*s/%s", (int)(slash - r->study->path), r->study->path, name);
}

static const struct tree *child(const struct tree *t, uint32_t index)
{
    const struct tree *c = t->first;
    while (index--)
        c = c->next;
    return c;
}

/* Its own, not its base's: what starts from a variant is often compared with another one. */
static bool take_over(const struct variants *v, const struct tree *t, struct study_variant *x)
{
    const struct tree *over = tree_get(t, "over");
    uint32_t index;
    x->over = -1;
    if (!over)
        return true;
    if (!study_index(v->r, over, &v->names, &index))
        return false;
    x->over = (int32_t)index;
    return true;
}

static bool resolve(struct variants *v, uint32_t index)
{
    const struct study_reader *r = v->r;
    const struct tree *t = child(v->map, index), *from = tree_get(t, "base");
    struct study_variant *x = &v->all[index], *base = NULL;
    uint32_t b;
    if (v->state[index] == 2)
        return true;
    if (v->state[index] == 1)
        return tree_refuse(t, r->e, "this variant starts from itself (base:)");
    v->state[index] = 1;
    if (!(t->kind == TREE_SCALAR && !*t->text) && !study_expect(r, t, TREE_MAP))
        return false;
    if (!tree_knows(t, "base|doc|machine|over|set", r->e))
        return false;
    if (from) {
        if (!study_index(r, from, &v->names, &b) || !resolve(v, b))
            return false;
        base = &v->all[b];
        x->base = base->name;
    }
    const char *machine = NULL;
    x->doc = "";
    if (!study_text(r, t, "doc", &x->doc) || !study_text(r, t, "machine", &machine) ||
        (!machine && !base && !study_text(r, r->top, "machine", &machine)))
        return false;
    x->machine = machine ? study_machine_name(r, machine) : base ? base->machine : NULL;
    if (!x->machine)
        return tree_refuse(t, r->e, "expected a machine, here or for the whole study");
    if (!take_over(v, t, x) || !study_sets_read(r, tree_get(t, "set"), base, x))
        return false;
    v->state[index] = 2;
    return true;
}

static bool read_variants(struct study_reader *r)
{
    const struct tree *map;
    if (!take_map(r, "variants", !tree_get(r->top, "cross"), &map))
        return false;
    uint32_t n = 0, most = map ? map->n : 0;
    struct variants v = {.r = r,
                         .map = map,
                         .all = ARENA_ARRAY(r->arena, struct study_variant, most),
                         .state = ARENA_ARRAY(r->arena, uint8_t, most)};
    for (const struct tree *c = map ? map->first : NULL; c; c = c->next, n++) {
        v.all[n].name = c->key;
        v.all[n].line = c->line;
    }
    r->study->variants = v.all;
    r->study->nvariants = n;
    v.names = study_variant_names(r);
    for (uint32_t i = 0; i < n; i++)
        if (!resolve(&v, i))
            return false;
    return true;
}

/* ---- metrics ------------------------------------------------------------------------------- */

static const char *without_base(const char *name)
{
    return strncmp(name, "base.", 5) == 0 ? name + 5 : name;
}

/* Whether following the metrics that `m` uses comes back to one that is on the way (`seen`).  Its
 * own name in a metric is the statistic of that name. */
static bool is_endless(const struct study *s, const struct study_metric *m, uint8_t *seen)
{
    uint8_t *mine = &seen[m - s->metrics];
    if (*mine)
        return *mine == 1;
    *mine = 1;
    for (const struct expr_name *n = expr_names(m->expr); n; n = n->next) {
        const struct study_metric *used = study_metric(s, without_base(n->text));
        if (used && used != m && is_endless(s, used, seen))
            return true;
    }
    *mine = 2;
    return false;
}

static bool take_metric(const struct study_reader *r, const struct tree *t, struct study_metric *m)
{
    const struct tree *x = t->kind == TREE_MAP ? tree_get(t, "expr") : t;
    *m = (struct study_metric){
        .name = t->key, .label = t->key, .doc = "", .unit = "", .line = t->line};
    if (t->kind == TREE_MAP && !tree_knows(t, "doc|expr|label|unit", r->e))
        return false;
    if (!x)
        return tree_refuse(t, r->e, "expected an expression (expr:)");
    m->expr = study_expr(r, x);
    if (!m->expr || !study_text(r, t, "doc", &m->doc) || !study_text(r, t, "unit", &m->unit) ||
        !study_text(r, t, "label", &m->label))
        return false;
    return !expr_refs(m->expr) || tree_refuse(x, r->e, "value() is for claims");
}

bool study_metrics_read(struct study_reader *r)
{
    const struct tree *map;
    if (!take_map(r, "metrics", false, &map))
        return false;
    uint32_t n = 0, count = map ? map->n : 0;
    struct study_metric *all = ARENA_ARRAY(r->arena, struct study_metric, count);
    uint8_t *seen = ARENA_ARRAY(r->arena, uint8_t, count);
    for (const struct tree *c = map ? map->first : NULL; c; c = c->next, n++)
        if (!take_metric(r, c, &all[n]))
            return false;
    r->study->metrics = all;
    r->study->nmetrics = n;
    for (uint32_t i = 0; i < n; i++)
        if (is_endless(r->study, &all[i], seen))
            return tree_refuse(child(map, i), r->e, "this metric is defined by itself");
    return true;
}

/* ---- the file ------------------------------------------------------------------------------ */

static const char *stem(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name);
    if (n > 5 && strcmp(name + n - 5, ".yaml") == 0)
        n -= 5;
    return arena_printf(a, "%.*s", (int)n, name);
}

#define HEAD_KEYS "title|doc|against|reasons|machine|seed|workloads|groups|size|quick|metrics"

static bool read_head(struct study_reader *r, const char *keys)
{
    struct study *s = r->study;
    const struct tree *seed = tree_get(r->top, "seed");
    int64_t v = 1;
    if (!tree_knows(r->top, arena_printf(r->arena, HEAD_KEYS "|%s", keys), r->e))
        return false;
    if (seed && (!study_expect(r, seed, TREE_SCALAR) || !str_to_int(seed->text, &v) || v < 0))
        return tree_refuse(seed, r->e, "expected a whole number from 0");
    s->seed = (uint64_t)v;
    s->title = s->name;
    s->doc = s->reasons = "";
    return study_text(r, r->top, "title", &s->title) && study_text(r, r->top, "doc", &s->doc) &&
           study_text(r, r->top, "against", &s->against) &&
           study_text(r, r->top, "reasons", &s->reasons);
}

static bool asks_for_same_sms(const struct expr *x)
{
    for (const struct expr_name *n = x ? expr_names(x) : NULL; n; n = n->next)
        if (strstr(n->text, ".same_sms"))
            return true;
    return false;
}

/* Such runs take as long as all others of programs together, and few want to know. */
static void find_same_sms(struct study *s)
{
    for (uint32_t i = 0; i < s->nmetrics; i++)
        s->same_sms |= asks_for_same_sms(s->metrics[i].expr);
    for (uint32_t i = 0; i < s->nfigures; i++)
        s->same_sms |= asks_for_same_sms(s->figures[i].expr);
}

bool study_open(struct study_reader *r, const char *path, const char *keys)
{
    r->study = ARENA_NEW(r->arena, struct study);
    r->study->path = arena_strdup(r->arena, path);
    r->study->name = stem(r->arena, path);
    r->top = tree_read(r->arena, r->study->path, r->e);
    return r->top && read_head(r, keys);
}

bool study_close(struct study_reader *r, const struct study_options *o)
{
    if (!study_select(r, o))
        return false;
    find_same_sms(r->study);
    return true;
}

struct study *study_read(struct arena *a, const char *path, const struct study_options *o,
                         struct err *e)
{
    struct study_reader r = {.arena = a, .e = e};
    const struct tree *figures;
    bool ok = study_open(&r, path, "variants|cross|figures|tolerance") && read_variants(&r) &&
              study_cross_read(&r) && study_rows_read(&r) && study_metrics_read(&r) &&
              take_map(&r, "figures", true, &figures) && study_figures_read(&r) &&
              study_close(&r, o);
    return ok ? r.study : NULL;
}
