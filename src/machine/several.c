/* several.c - the programs of a run alone on the machine, and what that says about the run.
 *
 * A reference run is found again by what it is a function of: the model, the configuration, the
 * program, the SMs that it has and how long it goes on.  In a window it is the same for all runs
 * in which the program had company, so it keeps how far it was in the course of it.  The kernels have been executed for the run
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
    struct stream_source *source;
    uint64_t hash;
    const struct sm_set *sms; /* that it has; NULL: all that kernels may use */
    uint64_t window;          /* in which it restarts; 0: it runs to its end */
    uint64_t insns;           /* it stops after so many, whatever the window; 0: it does not */
};

/* Cycles between two marks: so many that they fit, and at least one. */
static uint64_t mark_period(uint64_t window)
{
    return (window + SEVERAL_MARKS - 1) / SEVERAL_MARKS;
}

struct marker {
    struct several_alone *of;
    uint64_t period;
};

static void mark(void *context, const struct machine_progress *p)
{
    struct marker *x = context;
    struct several_alone *of = x->of;
    while (of->nmarks < SEVERAL_MARKS && p->cycles >= (of->nmarks + 1) * x->period)
        of->issued[of->nmarks++] = p->warp_insns;
}

static bool run_alone(const struct alone *x, struct several_alone *of, struct err *e)
{
    struct marker marker = {of, mark_period(x->window)};
    bool is_marked = x->window && !x->insns;
    struct machine_options mo = {.nprograms = 1,
                                 .no_skip = x->run->no_skip,
                                 .check = x->run->check,
                                 .threads = x->run->threads,
                                 .max_insns = x->insns,
                                 .series_period = is_marked ? marker.period : 0,
                                 .progress = is_marked ? mark : NULL,
                                 .context = &marker};
    struct machine *m = machine_new(x->cfg, &mo, e);
    if (!m)
        return false;
    struct machine_programs p = {.source = {x->source},
                                 .n = 1,
                                 .sms = x->sms,
                                 .window = x->insns ? UINT64_MAX / 2 : x->window};
    *of = (struct several_alone){0};
    stream_source_restart(x->source);
    bool ok = machine_run_programs(m, &p, e);
    if (!ok && x->insns && e->status == STATUS_BUDGET) { /* it has done what it was to do */
        *e = (struct err){0};
        ok = true;
    }
    const struct machine_program *ran = machine_program(m, 0);
    of->cycles = x->window ? ran->last_issue : ran->end;
    machine_free(m);
    return ok;
}

static uint64_t key_of(const struct alone *x)
{
    uint64_t of[] = {sources_model(&sources_built, x->cfg, "kernel"),
                     sources_config(&sources_built, x->cfg, "kernel"),
                     x->hash,
                     x->window,
                     x->insns,
                     x->sms ? x->sms->n : 0};
    uint64_t h = bytes_hash(1, of, sizeof of);
    for (uint32_t i = 0; x->sms && i < x->sms->n; i++)
        h = bytes_hash(h, &x->sms->sm[i], sizeof x->sms->sm[i]);
    return h;
}

static bool find_or_run(const struct alone *x, const char *title, struct several_alone *of,
                        bool *is_found, struct err *e)
{
    const struct several_memory *memory = &x->run->memory;
    uint64_t key = key_of(x);
    *is_found = memory->get && memory->get(memory->context, key, of);
    if (*is_found)
        return true;
    if (!run_alone(x, of, e))
        return false;
    if (memory->get)
        memory->put(memory->context, key, title, of);
    return true;
}

uint64_t several_cycles_for(const struct several_alone *of, uint64_t window, uint64_t insns)
{
    uint64_t period = mark_period(window), before = 0;
    for (uint32_t i = 0; i < of->nmarks; before = of->issued[i++])
        if (of->issued[i] >= insns) {
            uint64_t in_period = of->issued[i] - before, left = insns - before;
            return i * period + (left * period + in_period - 1) / in_period;
        }
    return 0;
}

/* The time that the program needs alone.  In a window that is read off a run of the whole window,
 * which serves whoever asks; a program that was faster in company than alone is run on its own. */
static bool refer(struct several_program *p, enum several_reference r, struct alone x,
                  struct err *e)
{
    struct several_alone of;
    x.sms = r == ALONE_ON_SAME ? p->ran.sms : NULL;
    bool ok = find_or_run(&x, p->title, &of, &p->is_cached[r], e);
    if (!ok || !x.window) {
        p->alone[r] = of.cycles;
        return ok;
    }
    p->alone[r] = several_cycles_for(&of, x.window, p->ran.warp_insns);
    if (p->alone[r])
        return true;
    x.insns = p->ran.warp_insns;
    ok = find_or_run(&x, p->title, &of, &p->is_cached[r], e);
    p->alone[r] = of.cycles;
    return ok;
}

bool several_run_alone(struct several *s, const struct several_run *r, const struct config *cfg,
                       struct err *e)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->n; i++) {
        struct several_program *p = &s->program[i];
        struct alone x = {
            .run = r, .cfg = cfg, .source = r->source[i], .hash = r->hash[i], .window = s->window};
        bool has_run = p->cycles > 0; /* it got to do something */
        ok = !has_run ||
             (refer(p, ALONE_ON_ALL, x, e) && (r->no_same || refer(p, ALONE_ON_SAME, x, e)));
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
