/* kind_programs.c - several programs at once on a machine, and each of them alone: what they did,
 * and how they got on (machine/several.h). */
#include <math.h>
#include <string.h>

#include "machine/several.h"
#include "study/kind_timed.h"
#include "study/kind_tree.h"

/* ---- names ------------------------------------------------------------------------------------ */

enum { OF_ALL = 4, OF_EACH = 9 };

/* What is known beyond the machine's statistics: of all programs, then of each. */
static void add_programs(struct kind_values *v, const struct several *s, const double *thread_insns,
                         struct arena *a)
{
    kind_values_add(v, "stp", several_stp(s, ALONE_ON_ALL));
    kind_values_add(v, "antt", several_antt(s, ALONE_ON_ALL));
    kind_values_add(v, "stp.same_sms", several_stp(s, ALONE_ON_SAME));
    kind_values_add(v, "antt.same_sms", several_antt(s, ALONE_ON_SAME));
    for (uint32_t i = 0; i < s->n; i++) {
        const struct several_program *p = &s->program[i];
        const struct {
            const char *name;
            double value;
        } rows[OF_EACH] = {
            {"ipc", p->cycles ? thread_insns[i] / (double)p->cycles : NAN},
            {"cycles", (double)p->cycles},
            {"alone", p->alone[ALONE_ON_ALL] ? (double)p->alone[ALONE_ON_ALL] : NAN},
            {"alone.same_sms", p->alone[ALONE_ON_SAME] ? (double)p->alone[ALONE_ON_SAME] : NAN},
            {"progress", several_progress(p, ALONE_ON_ALL)},
            {"progress.same_sms", several_progress(p, ALONE_ON_SAME)},
            {"sms", p->ran.sms ? p->ran.sms->n : 0},
            {"kernels", (double)p->ran.kernels},
            {"runs", (double)p->ran.runs},
        };
        for (int k = 0; k < OF_EACH; k++)
            kind_values_add(v, arena_printf(a, "program%u.%s", i, rows[k].name), rows[k].value);
    }
}

static size_t room_for(uint32_t nprograms)
{
    return OF_ALL + (size_t)nprograms * OF_EACH;
}

/* ---- trying ----------------------------------------------------------------------------------- */

struct trial {
    struct kind_timed timed;
    struct kind_values own; /* names alone */
};

static void *try_out(const struct kind_run *r, struct err *e)
{
    struct trial *t = ARENA_NEW(r->arena, struct trial);
    double nothing[MAX_PROGRAMS] = {0};
    t->own = kind_values_new(r->arena, room_for(r->nprograms));
    add_programs(&t->own, &(struct several){.n = r->nprograms}, nothing, r->arena);
    return kind_timed_try(r, &t->timed, e) ? t : NULL;
}

static bool knows(const void *trial, const char *name)
{
    const struct trial *t = trial;
    for (uint32_t i = 0; i < t->own.n; i++)
        if (strcmp(t->own.names[i], name) == 0)
            return true;
    return kind_timed_knows(&t->timed, name);
}

static uint32_t names(const void *trial, const char **all, uint32_t most, struct arena *a)
{
    const struct trial *t = trial;
    uint32_t n = kind_timed_names(&t->timed, all, most, a);
    for (uint32_t i = 0; i < t->own.n && n < most; i++)
        all[n++] = t->own.names[i];
    return n;
}

static void forget(void *trial)
{
    machine_free(((struct trial *)trial)->timed.machine);
}

/* ---- running ---------------------------------------------------------------------------------- */

static bool open_sources(const struct kind_run *r, struct several_run *x, struct err *e)
{
    for (uint32_t i = 0; i < r->nprograms; i++) {
        x->title[i] = r->programs[i].title;
        x->hash[i] = r->programs[i].hash;
        x->source[i] = stream_source_of_file(r->programs[i].stream, e);
        if (!x->source[i])
            return false;
    }
    return true;
}

static bool run_at_once(struct machine *m, const struct several_run *x, struct err *e)
{
    struct machine_programs p = {.n = x->n, .window = x->window};
    memcpy(p.source, x->source, sizeof p.source);
    return machine_run_programs(m, &p, e) && (x->window || machine_finish(m, e));
}

static struct kind_values values_of(const struct machine *m, const struct several *s,
                                    struct arena *a)
{
    struct kind_values v = kind_timed_values(m, room_for(s->n), a);
    const struct stats_snapshot *counted = stats_snapshot(machine_stats(m), a);
    double thread_insns[MAX_PROGRAMS];
    for (uint32_t i = 0; i < s->n; i++)
        thread_insns[i] =
            stats_snapshot_value(counted, arena_printf(a, "program%u.sm.thread_insns", i));
    add_programs(&v, s, thread_insns, a);
    return v;
}

static bool run(const struct kind_run *r, struct kind_values *v, struct err *e)
{
    struct several_run x = {.n = r->nprograms, .window = r->window, .no_same = !r->same_sms};
    struct several s;
    struct machine *m = kind_timed_machine(r, e);
    if (r->memory)
        x.memory = *r->memory;
    bool ok = m && open_sources(r, &x, e) && run_at_once(m, &x, e);
    if (ok) {
        several_init(&s, &x, m);
        ok = several_run_alone(&s, &x, r->config, e);
    }
    if (ok)
        *v = values_of(m, &s, r->arena);
    for (uint32_t i = 0; i < x.n; i++)
        stream_source_free(x.source[i]);
    machine_free(m);
    return ok;
}

const struct study_kind kind_programs = {.name = "programs",
                                         .help = "several programs at once on the machine, and "
                                                 "each alone: STP, ANTT",
                                         .what = "the machine",
                                         .most_programs = MAX_PROGRAMS,
                                         .cost = &kind_cost,
                                         .config = machine_config,
                                         .try_out = try_out,
                                         .knows = knows,
                                         .names = names,
                                         .end = forget,
                                         .run = run};
