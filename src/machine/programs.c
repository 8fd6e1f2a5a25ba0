/* programs.c - programs on a machine: their SMs, their kernels one after another, and when they are
 * over.
 *
 * A program's next kernel begins in the cycle in which its last one has ended; the others run on.
 * Between two kernels the L1s and what clusters keep forget what is the program's.  Where programs
 * restart, the first kernel follows the last one in the same way. */
#include <string.h>

#include "machine/machine_priv.h"

struct runner {
    struct machine *m;
    const struct machine_programs *p;
    uint64_t start;                              /* SM cycle */
    struct machine_kernel *kernel[MAX_PROGRAMS]; /* of each program; NULL: none */
    struct arena *arena[MAX_PROGRAMS];           /* of that kernel */
    uint32_t nover;                              /* programs that have run once */
};

/* --- who gets which SMs ----------------------------------------------------------------------- */

static const char *partition_name(int i)
{
    return partition_all[i]->name;
}

static bool find_partition(struct machine *m, struct err *e)
{
    m->partition = partition_find(m->gpu->partition);
    if (m->partition)
        return true;
    struct cfg_registry all = {"partition", "policies", partition_count, partition_name};
    return config_no_such(m->cfg, e, &gpu_section, "partition", m->gpu->partition, &all);
}

static struct partition_view view_of(const struct machine *m)
{
    return (struct partition_view){
        .clusters = &m->clusters, .sms = &m->kernel_sms, .nprograms = m->opt.nprograms};
}

/* The SMs of one program, as the partition has it. */
static struct sm_set set_of(struct machine *m, const uint8_t *owner, uint32_t program)
{
    uint32_t n = 0, *sm = ARENA_ARRAY(m->arena, uint32_t, m->kernel_sms.n);
    for (uint32_t i = 0; i < m->kernel_sms.n; i++)
        if (owner[m->kernel_sms.sm[i]] == program)
            sm[n++] = m->kernel_sms.sm[i];
    HD_ASSERT(n > 0, "partition %s leaves program %u without SMs", m->partition->name, program);
    return sm_set_of(m->arena, &m->clusters, sm, n);
}

bool programs_deal(struct machine *m, struct err *e)
{
    uint32_t n = m->opt.nprograms;
    if (!find_partition(m, e))
        return false;
    if (n <= 1) {
        m->program_sms[0] = m->kernel_sms;
        return true;
    }
    if (m->kernel_sms.n < n)
        return config_blame(m->cfg, e, &gpu_section, "partition", "%u SMs for %u programs",
                            m->kernel_sms.n, n);
    if (m->nsms > 1u << (PROGRAM_SHIFT - LOCAL_SHIFT))
        return config_blame(m->cfg, e, &gpu_section, "sms_per_cluster",
                            "%u SMs, at most %u where several programs run at once", m->nsms,
                            1u << (PROGRAM_SHIFT - LOCAL_SHIFT));
    struct partition_view v = view_of(m);
    struct cta_program idle[MAX_PROGRAMS] = {0};
    v.programs = idle;
    uint8_t *owner = ARENA_ARRAY(m->arena, uint8_t, m->nsms);
    if (m->partition->begin)
        m->partition_state = m->partition->begin(m->arena, &v, m->cfg);
    m->partition->deal(m->partition_state, &v, owner);
    for (uint32_t p = 0; p < n; p++)
        m->program_sms[p] = set_of(m, owner, p);
    return true;
}

static void check_sets(const struct machine *m, const struct sm_set *sms, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        HD_ASSERT(sms[i].n > 0, "a program without SMs");
        for (uint32_t k = 0; k < i; k++)
            for (uint32_t w = 0; w < (m->nsms + 63) / 64; w++)
                HD_ASSERT(!(sms[i].bits[w] & sms[k].bits[w]),
                          "two programs at once share SMs from %u on", 64 * w);
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
    return n;
}

static void keep_version(void *mc, uint64_t line, uint32_t version)
{
    mc_flush(mc, line, version);
}

/* Nothing is under way that anybody waits for. */
static void flush_slices(const struct machine *m)
{
    uint32_t per_channel = m->nslices / m->nchannels;
    for (uint32_t i = 0; i < m->nslices; i++)
        slice_flush(m->slice[i], keep_version, m->mc[i / per_channel]);
}

/* An SM may have had guests, so all of them are told.  L2 slices keep their lines, unless they are
 * flushed. */
static void forget_lines(const struct runner *r, uint32_t program)
{
    const struct machine *m = r->m;
    uint32_t whose = r->p->n == 1 ? PROGRAM_ANY : program;
    for (uint32_t i = 0; i < m->nsms; i++)
        sm_invalidate(m->sm[i], whose);
    for (uint32_t i = 0; i < m->nclusters; i++)
        cluster_invalidate(m->cluster[i], whose);
    for (uint32_t i = 0; i < m->nslices; i++)
        slice_launch(m->slice[i], whose);
    if (m->gpu->flush && whose == PROGRAM_ANY)
        flush_slices(m);
}

/* Shared memory for as many CTAs as an SM holds; with several programs at once as much as there is,
 * since an SM may have CTAs of two of them. */
static void carve(const struct runner *r, uint64_t kernel_bytes)
{
    const struct sm_spec *sm = config_get(r->m->cfg, &sm_section);
    uint64_t bytes = r->p->n == 1 ? kernel_bytes : (uint64_t)sm->shared;
    for (uint32_t i = 0; i < r->m->nsms; i++)
        sm_carve(r->m->sm[i], bytes);
}

static bool begin_kernel(struct runner *r, uint32_t program, const struct stream_store *store,
                         struct err *e)
{
    struct machine *m = r->m;
    const struct stream_kernel *k = stream_store_kernel(store);
    struct occupancy o;
    forget_lines(r, program);
    struct machine_kernel *n = r->kernel[program] = add_kernel(m, k);
    struct stream_totals totals = stream_store_totals(store);
    n->ptx_insns = totals.insns - totals.by_unit[UNIT_NONE];
    n->program = program;
    n->before = r->p->n == 1 ? stats_snapshot(m->stats, m->arena) : NULL;
    n->begin = machine_now(m);
    r->arena[program] = arena_new();
    struct dispatch_kernel dk = {.store = store,
                                 .program = sm_program_new(r->arena[program], m->cfg, k),
                                 .begin = n->begin + (uint64_t)m->gpu->launch_latency,
                                 .number = (uint16_t)(m->nkernels - 1)};
    if (!dispatch_begin(m->dispatch, program, &dk, &o, e))
        return false;
    n->regs_per_thread = o.regs_per_thread;
    n->regs_from = o.regs_from;
    n->ctas_per_sm = o.ctas;
    if (r->p->n == 1)
        carve(r, o.ctas * o.needs.shared);
    n->limit = o.limit;
    n->waves = (double)n->ctas / ((double)m->program[program].sms->n * o.ctas);
    m->program[program].kernels++;
    return true;
}

static void end_kernel(struct runner *r, uint32_t program)
{
    struct machine *m = r->m;
    struct machine_kernel *k = r->kernel[program];
    engine_settle(m->engine);
    m->end = machine_now(m);
    if (k->end == 0) /* it was stopped, with CTAs or only with stores under way */
        k->end = m->end;
    if (m->sharing)
        sharing_end_kernel(m->sharing, program, k->grid[0]);
    k->after = k->before ? stats_snapshot(m->stats, m->arena) : NULL;
    dispatch_end(m->dispatch, program);
    arena_free(r->arena[program]);
    r->arena[program] = NULL;
    r->kernel[program] = NULL;
}

/* --- programs --------------------------------------------------------------------------------- */

/* The next kernel of the program, or, if there is none, its end. */
static bool go_on(struct runner *r, uint32_t program, struct err *e)
{
    struct machine_program *p = &r->m->program[program];
    struct stream_source *s = r->p->source[program];
    const struct stream_store *k = stream_source_next(s, e);
    if (k)
        return begin_kernel(r, program, k, e);
    if (e->status != STATUS_DONE)
        return false;
    if (p->runs++ == 0)
        p->end = r->m->end - r->start;
    if (!r->p->window) {
        r->nover++;
        return true;
    }
    stream_source_restart(s);
    k = stream_source_next(s, e);
    if (!k && e->status == STATUS_DONE)
        err_set(e, STATUS_BAD_INPUT, "program %u launches no kernel: it cannot restart", program);
    return k && begin_kernel(r, program, k, e);
}

/* Kernels that are done are ended; their programs go on. */
static bool look(struct runner *r, struct err *e)
{
    struct machine *m = r->m;
    bool is_done[MAX_PROGRAMS] = {0};
    for (uint32_t p = 0; p < r->p->n; p++) {
        struct machine_kernel *k = r->kernel[p];
        hd_cycle at;
        if (!k)
            continue;
        k->ctas_done = dispatch_ctas_done(m->dispatch, p);
        is_done[p] = dispatch_is_done(m->dispatch, p, &at);
        if (is_done[p])
            k->end = at + 1;
    }
    bool ok = true, in_budget = machine_is_in_budget(m, e);
    struct err budget = *e;
    *e = (struct err){0};
    for (uint32_t p = 0; ok && p < r->p->n; p++)
        if (is_done[p]) {
            end_kernel(r, p);
            ok = go_on(r, p, e);
        }
    if (!ok || in_budget || r->nover == r->p->n)
        return ok;
    *e = budget;
    return false;
}

static bool run(struct runner *r, struct err *e)
{
    struct machine *m = r->m;
    uint64_t end = r->p->window ? r->start + r->p->window : HD_NEVER;
    for (uint32_t p = 0; p < r->p->n; p++)
        if (!go_on(r, p, e))
            return false;
    while (r->nover < r->p->n && machine_now(m) < end)
        if (!machine_step(m, end, e) || !look(r, e))
            return false;
    return true;
}

static void set_up(struct runner *r)
{
    struct machine *m = r->m;
    const struct sm_set *sms = r->p->sms ? r->p->sms : m->program_sms;
    bool is_dealt = !r->p->sms && r->p->n > 1;
    check_sets(m, sms, r->p->n);
    for (uint32_t p = 0; p < r->p->n; p++)
        m->program[p] = (struct machine_program){.sms = &sms[p]};
    dispatch_set_programs(m->dispatch,
                          &(struct dispatch_programs){.n = r->p->n,
                                                      .sms = sms,
                                                      .partition = is_dealt ? m->partition : NULL,
                                                      .partition_state = m->partition_state,
                                                      .partition_view = view_of(m)});
}

/* What was issued, over all SMs. */
static void tell_issued(struct runner *r)
{
    struct machine *m = r->m;
    for (uint32_t p = 0; m->opt.nprograms > 0 && p < r->p->n; p++) {
        struct machine_program *of = &m->program[p];
        for (uint32_t i = 0; i < m->nsms; i++) {
            uint64_t last = sm_last_issue_of(m->sm[i], p) + 1;
            of->warp_insns += sm_issued_of(m->sm[i], p);
            if (last > r->start && last - r->start > of->last_issue)
                of->last_issue = last - r->start;
        }
    }
}

bool machine_run_programs(struct machine *m, const struct machine_programs *p, struct err *e)
{
    if (m->is_given_up)
        return machine_refuse_given_up(e);
    HD_ASSERT(p->n == 1 || p->n <= m->opt.nprograms, "%u programs on a machine for %u", p->n,
              m->opt.nprograms);
    struct runner r = {.m = m, .p = p, .start = machine_now(m)};
    engine_settle(m->engine);
    set_up(&r);
    if (p->n > 1)
        carve(&r, 0);
    bool ok = run(&r, e);
    for (uint32_t i = 0; i < p->n; i++)
        if (r.kernel[i]) {
            m->is_given_up = true;
            end_kernel(&r, i);
        }
    m->is_given_up |= !ok;
    m->end = machine_now(m);
    tell_issued(&r);
    return ok;
}

bool machine_run_source(struct machine *m, struct stream_source *s, struct err *e)
{
    return machine_run_programs(m, &(struct machine_programs){.source = {s}, .n = 1}, e);
}

bool machine_run(struct machine *m, const struct stream_store *kernel, struct err *e)
{
    struct stream_source *s = stream_source_of_kernel(kernel);
    bool ok = machine_run_source(m, s, e);
    stream_source_free(s);
    return ok;
}

const struct machine_program *machine_program(const struct machine *m, uint32_t i)
{
    return &m->program[i];
}
