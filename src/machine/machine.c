/* machine.c - a machine over time: budgets, samples, its end, and what it came to. */
#include "machine/machine.h"

#include <string.h>

#include "machine/machine_priv.h"

enum { SLICE_CYCLES = 8192, DRAIN_CYCLES = 1 << 24 };

struct machine *machine_new(const struct config *cfg, const struct machine_options *opt,
                            struct err *e)
{
    struct arena *a = arena_new();
    struct machine *m = ARENA_NEW(a, struct machine);
    m->arena = a;
    m->cfg = cfg;
    m->gpu = config_get(cfg, &gpu_section);
    m->opt = *opt;
    m->next_sample = opt->series_period ? opt->series_period : HD_NEVER;
    if (wire_machine(m, e))
        return m;
    machine_free(m);
    return NULL;
}

void machine_free(struct machine *m)
{
    if (!m)
        return;
    if (m->engine)
        engine_stop_threads(m->engine);
    if (m->dispatch)
        dispatch_free(m->dispatch);
    for (uint32_t i = 0; m->cluster && i < m->nclusters; i++)
        if (m->cluster[i])
            cluster_free(m->cluster[i]);
    for (uint32_t i = 0; m->slice && i < m->nslices; i++)
        if (m->slice[i])
            slice_free(m->slice[i]);
    for (uint32_t i = 0; m->mc && i < m->nchannels; i++)
        if (m->mc[i])
            mc_free(m->mc[i]);
    sharing_free(m->sharing);
    for (uint32_t i = 0; m->meetings && i < m->nslices; i++)
        meetings_free(m->meetings[i]);
    arena_free(m->arena);
}

/* --- time ------------------------------------------------------------------------------------- */

uint64_t machine_now(const struct machine *m)
{
    uint64_t p = m->clocks.period[DOMAIN_SM];
    return (engine_now(m->engine) + p - 1) / p;
}

static struct machine_progress progress_of(const struct machine *m)
{
    struct machine_progress p = {.cycles = machine_now(m)};
    for (uint32_t i = 0; i < m->nsms; i++) {
        p.warp_insns += sm_issued(m->sm[i]);
        p.thread_insns += sm_thread_insns(m->sm[i]);
    }
    for (uint32_t i = 0; i < m->nkernels; i++) {
        p.ctas += m->kernel[i]->ctas;
        p.ctas_done += m->kernel[i]->ctas_done;
    }
    return p;
}

static bool is_broken(const struct machine *m, struct err *e)
{
    if (dispatch_failed(m->dispatch, e))
        return true;
    for (uint32_t i = 0; i < m->nsms; i++)
        if (sm_is_broken(m->sm[i])) {
            err_set(e, STATUS_BAD_INPUT, "the stream of a warp is damaged");
            return true;
        }
    return false;
}

static bool out_of_budget(const struct machine *m, const struct machine_progress *p, struct err *e)
{
    if (m->opt.max_cycles && p->cycles >= m->opt.max_cycles)
        err_set(e, STATUS_BUDGET, "stopped after %llu cycles (--max-cycles)",
                (unsigned long long)p->cycles);
    else if (m->opt.max_insns && p->warp_insns >= m->opt.max_insns)
        err_set(e, STATUS_BUDGET, "stopped after %llu warp instructions (--max-insns)",
                (unsigned long long)p->warp_insns);
    else
        return false;
    return true;
}

/* The next cycle at which something other than the machine itself wants to look. */
static uint64_t next_stop(const struct machine *m)
{
    uint64_t at = machine_now(m) + SLICE_CYCLES;
    if (m->next_sample < at)
        at = m->next_sample;
    if (m->opt.max_cycles && m->opt.max_cycles < at)
        at = m->opt.max_cycles;
    if (m->opt.max_insns) { /* not before so many can have been issued */
        const struct sm_spec *sm = config_get(m->cfg, &sm_section);
        uint64_t rate = m->nsms * (uint64_t)(sm->schedulers * sm->issue_width);
        uint64_t issued = progress_of(m).warp_insns;
        uint64_t left = m->opt.max_insns > issued ? m->opt.max_insns - issued : 0;
        uint64_t soonest = machine_now(m) + (left + rate - 1) / rate;
        at = soonest < at ? soonest : at;
    }
    return at;
}

static void sample(struct machine *m)
{
    uint64_t now = machine_now(m);
    while (m->next_sample <= now) {
        engine_settle(m->engine);
        if (m->opt.sampled)
            m->opt.sampled(m->opt.context, m->next_sample);
        m->next_sample += m->opt.series_period;
    }
}

/* --- running ---------------------------------------------------------------------------------- */

bool machine_step(struct machine *m, uint64_t until, struct err *e)
{
    uint64_t stop = next_stop(m);
    stop = until < stop ? until : stop;
    enum engine_stop why = engine_run(m->engine, stop * m->clocks.period[DOMAIN_SM], e);
    if (why == ENGINE_STUCK || why == ENGINE_BROKEN)
        return false;
    sample(m);
    return !is_broken(m, e);
}

static bool is_stopped(const struct machine *m, struct err *e)
{
    if (!m->opt.stop || !__atomic_load_n(m->opt.stop, __ATOMIC_RELAXED))
        return false;
    err_set(e, STATUS_STOPPED, "stopped after %llu cycles", (unsigned long long)machine_now(m));
    return true;
}

bool machine_is_in_budget(struct machine *m, struct err *e)
{
    struct machine_progress p = progress_of(m);
    if (m->opt.progress)
        m->opt.progress(m->opt.context, &p);
    return !is_stopped(m, e) && !out_of_budget(m, &p, e);
}

bool machine_refuse_given_up(struct err *e)
{
    return err_set(e, STATUS_FAILED,
                   "a kernel on this machine did not come to its end: nothing can "
                   "follow it");
}

bool machine_finish(struct machine *m, struct err *e)
{
    if (m->is_given_up)
        return machine_refuse_given_up(e);
    uint64_t p = m->clocks.period[DOMAIN_SM];
    enum engine_stop stop = engine_run(m->engine, engine_now(m->engine) + DRAIN_CYCLES * p, e);
    if (stop == ENGINE_STUCK || stop == ENGINE_BROKEN)
        return false;
    engine_settle(m->engine);
    if (stop != ENGINE_IDLE)
        return err_set(e, STATUS_FAILED, "requests are still under way %d cycles after the end",
                       DRAIN_CYCLES);
    return engine_audit(m->engine, e) && conserve_check(m, e);
}

/* --- results ---------------------------------------------------------------------------------- */

const struct stats *machine_stats(const struct machine *m)
{
    return m->stats;
}

uint64_t machine_cycles(const struct machine *m)
{
    return m->end;
}

uint64_t machine_digest(const struct machine *m)
{
    return stats_digest(m->stats) + m->end * 0x9e3779b97f4a7c15u;
}

uint32_t machine_nkernels(const struct machine *m)
{
    return m->nkernels;
}

const struct machine_kernel *machine_kernel(const struct machine *m, uint32_t i)
{
    return m->kernel[i];
}

const struct config *machine_config_of(const struct machine *m)
{
    return m->cfg;
}

const struct fabric *machine_fabric(const struct machine *m)
{
    return &m->graphs;
}

double machine_out_load(const struct machine *m, int net, uint32_t port)
{
    return noc_channel_load(m->net[net], port);
}

double machine_in_load(const struct machine *m, int net, uint32_t port)
{
    return noc_in_load(m->net[net], port);
}
