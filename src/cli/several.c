/* several.c - the programs of a run alone on the machine, and what that says about the run.
 *
 * A reference run is found again by what it is a function of: the model, the configuration, the
 * program, the SMs that it has and how far it goes.  The kernels have been executed for the run
 * itself; they are kept and timed again. */
#include "cli/several.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "cli/cli.h"
#include "cli/solo_store.h"
#include "machine/sources.h"

void several_init(struct several *s, const struct timed_options *o, const struct machine *m)
{
    const struct gpu_spec *gpu = config_get(machine_config_of(m), &gpu_section);
    *s = (struct several){.n = o->nprograms, .window = o->window, .partition = gpu->partition};
    for (uint32_t i = 0; i < s->n; i++) {
        struct several_program *p = &s->program[i];
        p->title = o->program[i].title;
        p->ran = *machine_program(m, i);
        p->cycles = s->window ? p->ran.last_issue : p->ran.end;
    }
}

/* --- alone ------------------------------------------------------------------------------------ */

struct alone {
    const struct timed_options *o;
    const struct config *cfg;
    const struct several_program *program;
    struct stream_source *source;
    uint64_t window;
};

/* The cycles that the program needs on these SMs (NULL: all that kernels may use). */
static bool run_alone(const struct alone *x, const struct sm_set *sms, uint64_t *cycles,
                      struct err *e)
{
    struct machine_options mo = {.nprograms = 1,
                                 .no_skip = x->o->no_skip,
                                 .check = x->o->check,
                                 .threads = x->o->threads,
                                 .max_insns = x->window ? x->program->ran.warp_insns : 0};
    struct machine *m = machine_new(x->cfg, &mo, e);
    if (!m)
        return false;
    struct machine_programs p = {
        .source = {x->source}, .n = 1, .sms = sms, .window = x->window ? UINT64_MAX / 2 : 0};
    stream_source_restart(x->source);
    bool ok = machine_run_programs(m, &p, e);
    if (!ok && x->window && e->status == STATUS_BUDGET) { /* it has done what it was to do */
        *e = (struct err){0};
        ok = true;
    }
    const struct machine_program *ran = machine_program(m, 0);
    *cycles = x->window ? ran->last_issue : ran->end;
    machine_free(m);
    return ok;
}

static uint64_t key_of(const struct alone *x, uint64_t program, const struct sm_set *sms)
{
    uint64_t of[] = {sources_model(&sources_built, x->cfg, "kernel"),
                     sources_config(&sources_built, x->cfg), program,
                     x->window ? x->program->ran.warp_insns : 0, sms ? sms->n : 0};
    uint64_t h = bytes_hash(1, of, sizeof of);
    for (uint32_t i = 0; sms && i < sms->n; i++)
        h = bytes_hash(h, &sms->sm[i], sizeof sms->sm[i]);
    return h;
}

static bool find_or_run(struct several_program *p, const struct alone *x, struct solo_store *store,
                        uint64_t program, struct err *e)
{
    for (int r = 0; r < REFERENCES; r++) {
        const struct sm_set *sms = r == ALONE_ON_SAME ? p->ran.sms : NULL;
        uint64_t key = key_of(x, program, sms);
        p->is_cached[r] = solo_store_get(store, key, &p->alone[r]);
        if (p->is_cached[r])
            continue;
        if (!run_alone(x, sms, &p->alone[r], e))
            return false;
        solo_store_put(store, key, p->title, p->alone[r]);
    }
    return true;
}

bool several_run_alone(struct several *s, const struct timed_options *o, const struct config *cfg,
                       struct err *e)
{
    struct solo_store *store = solo_store_open(o->solo);
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->n; i++) {
        struct several_program *p = &s->program[i];
        struct alone x = {o, cfg, p, o->program[i].source, s->window};
        uint64_t program;
        if (p->cycles == 0) /* it did not get to do anything */
            continue;
        ok = program_hash(&o->program[i], &program, e) && find_or_run(p, &x, store, program, e);
    }
    solo_store_close(store);
    return ok;
}

/* --- metrics ---------------------------------------------------------------------------------- */

double several_progress(const struct several_program *p, enum several_reference r)
{
    return p->alone[r] && p->cycles ? (double)p->alone[r] / (double)p->cycles : NAN;
}

double several_stp(const struct several *s, enum several_reference r)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->n; i++)
        sum += several_progress(&s->program[i], r);
    return sum;
}

double several_antt(const struct several *s, enum several_reference r)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->n; i++)
        sum += 1 / several_progress(&s->program[i], r);
    return sum / s->n;
}
