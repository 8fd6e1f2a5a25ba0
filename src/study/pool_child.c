/* pool_child.c - what one child of a pool does: a run, and its result into the store.
 *
 * The store is opened only when there is something to put: a run takes seconds to hours, and
 * nobody should find the database held by somebody who computes.  One thread, no limits: how many
 * runs there are at once is the pool's business. */
#include "study/pool_child.h"

#include <string.h>
#include <unistd.h>

#include "base/wall.h"
#include "study/inputs.h"
#include "study/kind.h"
#include "study/solo_store.h"
#include "study/store.h"

static bool put(const struct pool_child *c, const struct store_run *r, struct err *e)
{
    struct store *s = store_open(c->store, e);
    bool ok = s && store_put(s, r, e);
    store_close(s);
    return ok;
}

static bool keep(const struct pool_child *c, const struct kind_values *x, double wall_s,
                 struct arena *a, struct err *e)
{
    const struct study_variant *v = &c->study->variants[c->job->variant];
    struct store_run r = {.key = c->job->key,
                          .machine = v->machine,
                          .workload = c->job->row,
                          .variant = v->name,
                          .version = inputs_version(),
                          .asked = c->job->asked,
                          .config = config_echo_text(c->job->config, a),
                          .cycles = x->cycles,
                          .digest = x->digest,
                          .wall_s = wall_s,
                          .nstats = x->n,
                          .names = x->names,
                          .values = x->values};
    return put(c, &r, e);
}

/* A recording that turns out to be damaged is removed, so that the next try makes it anew; a
 * user's is not ours to remove. */
static void drop_damaged(const struct pool_child *c, const struct study_workload *w,
                         const struct err *e)
{
    for (uint32_t i = 0; i < w->nprograms; i++)
        if (!w->programs[i].trace && strncmp(e->text, c->streams[i], strlen(c->streams[i])) == 0)
            unlink(c->streams[i]);
}

static struct kind_program replayed_program(const struct pool_child *c,
                                            const struct study_program *p, const char *stream,
                                            struct arena *a)
{
    struct kind_program k = {.title = study_program_title(a, p),
                             .stream = stream,
                             .hash = study_program_hash(p, c->study->seed)};
    if (!p->workload)
        return k;
    k.args = inputs_arg_names(a, p->workload, &k.nargs);
    double *values = ARENA_ARRAY(a, double, k.nargs + 1);
    for (uint32_t i = 0; i < k.nargs; i++)
        values[i] = inputs_arg(p->workload, p->size, p->args, i);
    k.arg_values = values;
    return k;
}

bool pool_child_run(const struct pool_child *c, struct err *e)
{
    double start = wall_s();
    struct arena *a = arena_new();
    const struct study_kind *kind = c->job->kind;
    const struct study_workload *w = &c->study->workloads[c->job->workload];
    struct several_memory memory = solo_store_at(c->store);
    struct kind_program *programs = ARENA_ARRAY(a, struct kind_program, w->nprograms + 1);
    struct kind_run r = {.config = c->job->config,
                         .nprograms = kind->most_programs ? w->nprograms : 0,
                         .programs = programs,
                         .window = w->window,
                         .same_sms = c->study->same_sms,
                         .memory = &memory,
                         .arena = a};
    struct kind_values v;
    for (uint32_t i = 0; i < r.nprograms; i++)
        programs[i] = replayed_program(c, &w->programs[i], c->streams[i], a);
    bool ran = kind->run(&r, &v, e);
    if (!ran && r.nprograms)
        drop_damaged(c, w, e);
    bool ok = ran && keep(c, &v, wall_s() - start, a, e);
    arena_free(a);
    return ok;
}
