/* several.c - the programs of a run alone on the machine, and what that says about the run.
 *
 * A reference run is found again by what it is a function of: the model, the configuration, the
 * program, the SMs that it has and how far it goes.  The kernels have been executed for the run
 * itself; they are kept and timed again. */
#include "machine/several.h"

#include <math.h>

#include "base/bytes.h"
#include "machine/sources.h"

void several_init(struct several *s, const struct several_run *r, const struct machine *m)
{
    const struct gpu_spec *gpu = config_get(machine_config_of(m), &gpu_section);
    *s = (struct several){.n = r->n, .window = r->window, .partition = gpu->partition};
    for (uint32_t i = 0; i < s->n; i++) {
        struct several_program *p = &s->program[i];
        p->title = r->title[i];
        p->ran = *machine_program(m, i);
        p->cycles = s->window ? p->ran.last_issue : p->ran.end;
    }
}

/* --- alone ------------------------------------------------------------------------------------ */

struct alone {
    const struct several_run *run;
    const struct config *cfg;
    const struct several_program *program;
    struct stream_source *source;
    uint64_t hash, window;
};

/* The cycles that the program needs on these SMs (NULL: all that kernels may use). */
static bool run_alone(const struct alone *x, const struct sm_set *sms, uint64_t *cycles,
                      struct err *e)
{
    struct machine_options mo = {.nprograms = 1,
                                 .no_skip = x->run->no_skip,
                                 .check = x->run->check,
                                 .threads = x->run->threads,
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

static uint64_t key_of(const struct alone *x, const struct sm_set *sms)
{
    uint64_t of[] = {sources_model(&sources_built, x->cfg, "kernel"),
                     sources_config(&sources_built, x->cfg, "kernel"), x->hash,
                     x->window ? x->program->ran.warp_insns : 0, sms ? sms->n : 0};
    uint64_t h = bytes_hash(1, of, sizeof of);
    for (uint32_t i = 0; sms && i < sms->n; i++)
        h = bytes_hash(h, &sms->sm[i], sizeof sms->sm[i]);
    return h;
}

static bool find_or_run(struct several_program *p, const struct alone *x, struct err *e)
{
    const struct several_memory *memory = &x->run->memory;
    for (int r = 0; r < REFERENCES; r++) {
        const struct sm_set *sms = r == ALONE_ON_SAME ? p->ran.sms : NULL;
        uint64_t key = key_of(x, sms);
        p->is_cached[r] = memory->get && memory->get(memory->context, key, &p->alone[r]);
        if (p->is_cached[r])
            continue;
        if (!run_alone(x, sms, &p->alone[r], e))
            return false;
        if (memory->get)
            memory->put(memory->context, key, p->title, p->alone[r]);
    }
    return true;
}

bool several_run_alone(struct several *s, const struct several_run *r, const struct config *cfg,
                       struct err *e)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->n; i++) {
        struct several_program *p = &s->program[i];
        struct alone x = {r, cfg, p, r->source[i], r->hash[i], s->window};
        if (p->cycles) /* it got to do something */
            ok = find_or_run(p, &x, e);
    }
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
