/* machine.c - running kernels on a machine: one after another, or several at once. */
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
    arena_free(m->arena);
}

/* --- time ------------------------------------------------------------------------------------- */

static uint64_t now_cycles(const struct machine *m)
{
    uint64_t p = m->clocks.period[DOMAIN_SM];
    return (engine_now(m->engine) + p - 1) / p;
}

static struct machine_progress progress_of(const struct machine *m)
{
    struct machine_progress p = {.cycles = now_cycles(m)};
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
    uint64_t at = now_cycles(m) + SLICE_CYCLES;
    if (m->next_sample < at)
        at = m->next_sample;
    if (m->opt.max_cycles && m->opt.max_cycles < at)
        at = m->opt.max_cycles;
    if (m->opt.max_insns) { /* not before so many can have been issued */
        const struct sm_spec *sm = config_get(m->cfg, &sm_section);
        uint64_t rate = m->nsms * (uint64_t)(sm->schedulers * sm->issue_width);
        uint64_t issued = progress_of(m).warp_insns;
        uint64_t left = m->opt.max_insns > issued ? m->opt.max_insns - issued : 0;
        uint64_t soonest = now_cycles(m) + (left + rate - 1) / rate;
        at = soonest < at ? soonest : at;
    }
    return at;
}

static void sample(struct machine *m)
{
    uint64_t now = now_cycles(m);
    while (m->next_sample <= now) {
        engine_settle(m->engine);
        if (m->opt.sampled)
            m->opt.sampled(m->opt.context, m->next_sample);
        m->next_sample += m->opt.series_period;
    }
}

/* --- kernels ---------------------------------------------------------------------------------- */

static struct machine_kernel *add_kernel(struct machine *m, const struct stream_kernel *k)
{
    if (m->nkernels == m->kernels_room) {
        uint32_t room = m->kernels_room ? 2 * m->kernels_room : 16;
        struct machine_kernel **more = ARENA_ARRAY(m->arena, struct machine_kernel *, room);
        for (uint32_t i = 0; i < m->nkernels; i++)
            more[i] = m->kernel[i];
        m->kernel = more;
        m->kernels_room = room;
    }
    struct machine_kernel *n = m->kernel[m->nkernels++] =
        ARENA_NEW(m->arena, struct machine_kernel);
    n->name = arena_strdup(m->arena, k->name);
    memcpy(n->grid, k->grid, sizeof n->grid);
    memcpy(n->block, k->block, sizeof n->block);
    n->ctas = stream_kernel_ctas(k);
    n->before = stats_snapshot(m->stats, m->arena);
    return n;
}

static bool begin_kernel(struct machine *m, const struct machine_share *s, struct arena *a,
                         struct err *e)
{
    const struct stream_kernel *k = stream_store_kernel(s->kernel);
    struct occupancy o;
    struct machine_kernel *n = add_kernel(m, k);
    n->begin = now_cycles(m);
    struct dispatch_kernel dk = {.store = s->kernel,
                                 .program = sm_program_new(a, m->cfg, k),
                                 .sm_first = s->sm_first,
                                 .sm_count = s->sm_count,
                                 .begin = n->begin + (uint64_t)m->gpu->launch_latency,
                                 .number = (uint16_t)(m->nkernels - 1)};
    if (!dispatch_begin(m->dispatch, &dk, &o, e))
        return false;
    n->regs_per_thread = o.regs_per_thread;
    n->regs_from = o.regs_from;
    n->ctas_per_sm = o.ctas;
    n->limit = o.limit;
    n->waves = (double)n->ctas / ((double)s->sm_count * o.ctas);
    return true;
}

static bool all_done(struct machine *m, uint32_t first, uint32_t n)
{
    bool done = true;
    for (uint32_t i = 0; i < n; i++) {
        struct machine_kernel *k = m->kernel[first + i];
        hd_cycle at;
        if (dispatch_is_done(m->dispatch, i, &at))
            k->end = at + 1;
        else
            done = false;
        k->ctas_done = dispatch_ctas_done(m->dispatch, i);
    }
    return done;
}

static bool run_slices(struct machine *m, uint32_t first, uint32_t n, struct err *e)
{
    for (;;) {
        uint64_t until = next_stop(m) * m->clocks.period[DOMAIN_SM];
        enum engine_stop stop = engine_run(m->engine, until, e);
        if (stop == ENGINE_STUCK || stop == ENGINE_BROKEN)
            return false;
        bool done = all_done(m, first, n);
        sample(m);
        if (is_broken(m, e))
            return false;
        struct machine_progress p = progress_of(m);
        if (m->opt.progress)
            m->opt.progress(m->opt.context, &p);
        if (done)
            return true;
        if (out_of_budget(m, &p, e))
            return false;
    }
}

static void end_kernels(struct machine *m, uint32_t first)
{
    engine_settle(m->engine);
    m->end = now_cycles(m);
    for (uint32_t i = first; i < m->nkernels; i++) {
        struct machine_kernel *k = m->kernel[i];
        if (k->ctas_done < k->ctas)
            k->end = m->end;
        k->after = stats_snapshot(m->stats, m->arena);
    }
    dispatch_reset(m->dispatch);
}

static bool refuse_given_up(struct err *e)
{
    return err_set(e, STATUS_FAILED,
                   "a kernel on this machine did not come to its end: nothing can "
                   "follow it");
}

static void check_shares(const struct machine *m, const struct machine_share *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        HD_ASSERT(s[i].sm_count > 0 && s[i].sm_first < m->nsms &&
                      s[i].sm_count <= m->nsms - s[i].sm_first,
                  "%u SMs from %u, of %u", s[i].sm_count, s[i].sm_first, m->nsms);
        for (uint32_t k = 0; k < i; k++)
            HD_ASSERT(s[i].sm_first >= s[k].sm_first + s[k].sm_count ||
                          s[k].sm_first >= s[i].sm_first + s[i].sm_count,
                      "two kernels at once share SM %u", s[i].sm_first);
    }
}

bool machine_run_all(struct machine *m, const struct machine_share *shares, uint32_t n,
                     struct err *e)
{
    if (m->is_given_up)
        return refuse_given_up(e);
    check_shares(m, shares, n);
    struct arena *a = arena_new();
    uint32_t first = m->nkernels;
    bool ok = true;
    engine_settle(m->engine);
    for (uint32_t i = 0; i < m->nsms; i++)
        sm_invalidate(m->sm[i]);
    for (uint32_t i = 0; i < m->nclusters; i++)
        cluster_invalidate(m->cluster[i]);
    for (uint32_t i = 0; ok && i < n; i++)
        ok = begin_kernel(m, &shares[i], a, e);
    ok = ok && run_slices(m, first, n, e);
    m->is_given_up = !ok;
    end_kernels(m, first);
    arena_free(a);
    return ok;
}

bool machine_run(struct machine *m, const struct stream_store *kernel, struct err *e)
{
    struct machine_share all = {kernel, (uint32_t)m->gpu->sm_first,
                                m->gpu->sm_count ? (uint32_t)m->gpu->sm_count
                                                 : m->nsms - (uint32_t)m->gpu->sm_first};
    return machine_run_all(m, &all, 1, e);
}

bool machine_replay(struct machine *m, struct stream_file *f, struct err *e)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < stream_file_kernels(f); i++) {
        struct stream_store *s = stream_file_kernel(f, i, e);
        ok = s && machine_run(m, s, e);
        if (s)
            stream_store_free(s);
    }
    return ok;
}

bool machine_finish(struct machine *m, struct err *e)
{
    if (m->is_given_up)
        return refuse_given_up(e);
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

const struct lab_graphs *machine_graphs(const struct machine *m)
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
