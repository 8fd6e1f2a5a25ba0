/* sm_rig.c - see sm_rig.h. */
#include "rig/sm_rig.h"

#include "check.h"

/* ---- kernels ---- */

struct kernel_rig *kernel_rig_new(const char *name, uint32_t ctas, uint32_t threads)
{
    struct arena *a = arena_new();
    struct kernel_rig *k = ARENA_NEW(a, struct kernel_rig);
    k->arena = a;
    k->k = (struct stream_kernel){.name = name,
                                  .grid = {ctas, 1, 1},
                                  .block = {threads, 1, 1},
                                  .registers = {8},
                                  .insns = k->insn,
                                  .blocks = k->block};
    return k;
}

void kernel_rig_free(struct kernel_rig *k)
{
    arena_free(k->arena);
}

void kernel_rig_block(struct kernel_rig *k)
{
    CHECK(k->k.nblocks < KERNEL_RIG_BLOCKS);
    k->block[k->k.nblocks++] = (struct stream_block){k->k.ninsns, 0};
}

void kernel_rig_add(struct kernel_rig *k, struct kernel_rig_insn in)
{
    CHECK(k->k.ninsns < KERNEL_RIG_INSNS && k->k.nblocks);
    k->told[k->k.ninsns] = in;
    k->insn[k->k.ninsns++] = in.s;
    k->block[k->k.nblocks - 1].count++;
}

void kernel_rig_path(struct kernel_rig *k, uint32_t warp, uint32_t block)
{
    CHECK(k->steps[warp] < KERNEL_RIG_STEPS);
    k->path[warp][k->steps[warp]++] = (struct kernel_rig_step){block, UINT32_MAX};
}

static void write_insn(const struct kernel_rig_insn *in, uint32_t mask, uint32_t cta, uint32_t warp,
                       struct stream_writer *to)
{
    uint32_t flags = in->s.flags;
    if (flags & INSN_GUARDED) {
        uint32_t lanes = !in->ctas || in->ctas >> cta & 1 ? in->guard & mask : 0;
        stream_writer_guard(to, mask, lanes);
        if (!lanes)
            return;
    }
    if (flags & INSN_MEM)
        stream_writer_stride(to, in->s.space, in->base + cta * in->per_cta + warp * in->per_warp,
                             in->stride);
    if (flags & INSN_BAR)
        stream_writer_bar(to, in->id, in->amount);
}

static void write_block(const struct kernel_rig *k, struct kernel_rig_step s, uint32_t cta,
                        uint32_t warp, struct stream_writer *to)
{
    const struct stream_block *b = &k->block[s.block];
    stream_writer_block(to, s.block, b->count, s.mask);
    for (uint32_t i = b->first; i < b->first + b->count; i++)
        write_insn(&k->told[i], s.mask, cta, warp, to);
}

static void write_warp(const struct kernel_rig *k, uint32_t cta, uint32_t warp,
                       struct stream_writer *to)
{
    uint32_t n = k->steps[warp] ? k->steps[warp] : k->k.nblocks;
    for (uint32_t i = 0; i < n && !k->is_empty[warp]; i++) {
        struct kernel_rig_step all = {i, UINT32_MAX};
        write_block(k, k->steps[warp] ? k->path[warp][i] : all, cta, warp, to);
    }
}

/* Each CTA in turn to a store or to a file: the other is NULL. */
static void write_grid(struct kernel_rig *k, struct stream_store *s, struct stream_file_writer *f)
{
    struct err e = {0};
    uint32_t nwarps = stream_kernel_warps(&k->k);
    struct stream_writer w[STREAM_MAX_WARPS];
    for (uint32_t i = 0; i < nwarps; i++)
        stream_writer_init(&w[i]);
    for (uint32_t cta = 0; cta < stream_kernel_ctas(&k->k); cta++) {
        for (uint32_t i = 0; i < nwarps; i++) {
            stream_writer_reset(&w[i]);
            write_warp(k, cta, i, &w[i]);
        }
        CHECK(s ? stream_store_add(s, cta, w, nwarps, &e) : stream_file_add(f, cta, w, nwarps, &e));
    }
    for (uint32_t i = 0; i < nwarps; i++)
        stream_writer_free(&w[i]);
}

struct stream_store *kernel_rig_store(struct kernel_rig *k)
{
    struct err e = {0};
    struct stream_store *s = stream_store_new(&k->k, 1u << 24, &e);
    CHECK_STR(e.text, "");
    write_grid(k, s, NULL);
    CHECK(stream_store_finish(s, &e));
    return s;
}

void kernel_rig_record(struct kernel_rig *k, struct stream_file_writer *f)
{
    struct err e = {0};
    CHECK(stream_file_begin(f, &k->k, &e));
    write_grid(k, NULL, f);
    CHECK(stream_file_end(f, false, &e));
}

/* ---- instructions ---- */

struct kernel_rig_insn kernel_rig_op(uint8_t unit, uint8_t opclass, uint16_t dst, uint16_t src)
{
    const uint16_t none = REG_NONE;
    return (struct kernel_rig_insn){.s = {.dst = {dst, none, none, none},
                                          .src = {src, none, none, none, none, none},
                                          .unit = unit,
                                          .opclass = opclass,
                                          .size = 4},
                                    .stride = 4};
}

struct kernel_rig_insn kernel_rig_int(uint16_t dst, uint16_t src)
{
    return kernel_rig_op(UNIT_INT, OPCLASS_SIMPLE, dst, src);
}

struct kernel_rig_insn kernel_rig_load(uint16_t dst, uint64_t base)
{
    struct kernel_rig_insn in = kernel_rig_op(UNIT_MEM, OPCLASS_LOAD, dst, REG_NONE);
    in.s.flags = INSN_MEM | INSN_LOAD;
    in.base = base;
    return in;
}

struct kernel_rig_insn kernel_rig_store_to(uint16_t src, uint64_t base)
{
    struct kernel_rig_insn in = kernel_rig_op(UNIT_MEM, OPCLASS_STORE, REG_NONE, src);
    in.s.flags = INSN_MEM | INSN_STORE;
    in.base = base;
    return in;
}

struct kernel_rig_insn kernel_rig_bar(uint32_t id, uint32_t threads, bool waits)
{
    struct kernel_rig_insn in = kernel_rig_op(UNIT_CONTROL, OPCLASS_BARRIER, REG_NONE, REG_NONE);
    in.s.flags = waits ? INSN_BAR : INSN_BAR | INSN_ARRIVE;
    in.id = id;
    in.amount = threads;
    return in;
}

struct kernel_rig_insn kernel_rig_fence(void)
{
    struct kernel_rig_insn in = kernel_rig_op(UNIT_CONTROL, OPCLASS_SIMPLE, REG_NONE, REG_NONE);
    in.s.flags = INSN_FENCE;
    return in;
}

struct kernel_rig_insn kernel_rig_exit(void)
{
    struct kernel_rig_insn in = kernel_rig_op(UNIT_CONTROL, OPCLASS_BRANCH, REG_NONE, REG_NONE);
    in.s.flags = INSN_EXIT;
    return in;
}

struct kernel_rig_insn kernel_rig_guarded(struct kernel_rig_insn in, uint16_t pred, uint32_t lanes)
{
    in.s.flags |= INSN_GUARDED;
    in.s.src[5] = (uint16_t)(REG_PRED | pred);
    in.guard = lanes;
    return in;
}

struct kernel_rig_insn kernel_rig_only(uint64_t ctas, struct kernel_rig_insn in)
{
    in = kernel_rig_guarded(in, 0, UINT32_MAX);
    in.ctas = ctas;
    return in;
}

/* ---- a small machine ---- */

struct config *machine_rig_config(struct arena *a, const char *const *set)
{
    static const char *const small[] = {"gpu.clusters=2",
                                        "gpu.sms_per_cluster=2",
                                        "gpu.clock=1GHz",
                                        "noc.clock=1GHz",
                                        "l2.clock=1GHz",
                                        "dram.clock=1GHz",
                                        "noc.networks=two",
                                        "noc.topology=xbar",
                                        "xbar.inputs=2",
                                        "xbar.outputs=2",
                                        "mc.channels=2",
                                        "l2.size=128K",
                                        NULL};
    struct config *cfg = machine_config(a);
    struct err e = {0};
    for (const char *const *s = small; *s; s++)
        CHECK(config_set(cfg, *s, &e));
    for (; set && *set; set++)
        CHECK(config_set(cfg, *set, &e));
    return cfg;
}

struct stream_store *machine_rig_kernel(const char *name, uint64_t base)
{
    struct kernel_rig *k = kernel_rig_new(name, 20, 128);
    struct kernel_rig_insn own = kernel_rig_load(1, base),
                           to = kernel_rig_store_to(3, base + 65536);
    own.per_cta = to.per_cta = 512;
    own.per_warp = to.per_warp = 128;
    kernel_rig_block(k);
    kernel_rig_add(k, own);
    kernel_rig_add(k, kernel_rig_load(2, base + 32768));
    kernel_rig_add(k, kernel_rig_int(3, 1));
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_bar(0, 0, true));
    kernel_rig_add(k, kernel_rig_op(UNIT_FP32, OPCLASS_FMA, 3, 2));
    kernel_rig_add(k, to);
    struct stream_store *s = kernel_rig_store(k);
    kernel_rig_free(k);
    return s;
}

/* ---- the host ---- */

static void take_ended(struct sm_rig_host *h, hd_cycle now)
{
    while (port_has(&h->done, now)) {
        uint32_t message = (uint32_t)port_pop(&h->done, now), context = message & CTA_NUMBER;
        if (message & CTA_SETTLED) {
            h->settled[h->nsettled++] = now;
            continue;
        }
        h->free |= 1ull << context;
        h->owing |= message & CTA_OWES ? 1ull << h->of_context[context] : 0;
        h->ended[h->nended++] = (struct sm_rig_ended){now, h->of_context[context], context};
    }
}

static hd_cycle tick_host(struct component *c, hd_cycle now)
{
    struct sm_rig_host *h = (struct sm_rig_host *)c;
    take_ended(h, now);
    for (uint32_t n = 0; n < h->burst && h->next < h->ncta && h->free; n++) {
        struct cta_start *s = &h->cta[h->next];
        s->context = (uint32_t)__builtin_ctzll(h->free);
        h->free &= h->free - 1;
        h->of_context[s->context] = h->next++;
        port_push(&h->start, now, (uintptr_t)s);
    }
    return h->next < h->ncta && h->free ? now + 1 : HD_NEVER;
}

static uint64_t live_host(const struct component *c)
{
    const struct sm_rig_host *h = (const struct sm_rig_host *)c;
    return h->ncta - h->nended;
}

static const struct component_ops host_ops = {.kind = "host", .tick = tick_host, .live = live_host};

/* ---- the memory: one request and one answer per cycle ---- */

static hd_cycle tick_memory(struct component *c, hd_cycle now)
{
    struct sm_rig_memory *m = (struct sm_rig_memory *)c;
    if (m->head != m->tail && m->held[m->head % SM_RIG_REQUESTS].due <= now)
        port_push(&m->in, now, m->held[m->head++ % SM_RIG_REQUESTS].id);
    if (port_has(&m->out, now) && now % m->every == 0) {
        uint64_t id = port_pop(&m->out, now);
        CHECK(m->tail - m->head < SM_RIG_REQUESTS);
        m->held[m->tail % SM_RIG_REQUESTS].due = now + m->latency;
        m->held[m->tail++ % SM_RIG_REQUESTS].id = id;
    }
    hd_cycle next = port_ready(&m->out);
    if (next != HD_NEVER)
        next = ((next > now ? next : now + 1) + m->every - 1) / m->every * m->every;
    if (m->head != m->tail && m->held[m->head % SM_RIG_REQUESTS].due < next)
        next = m->held[m->head % SM_RIG_REQUESTS].due;
    return next > now ? next : now + 1;
}

static const struct component_ops memory_ops = {.kind = "memory", .tick = tick_memory};

/* ---- all of it ---- */

static void load_ctas(struct sm_rig *r, struct kernel_rig *k)
{
    struct err e = {0};
    struct stream_store *s = kernel_rig_store(k);
    struct stream_cursor *c = stream_cursor_new(s, &e);
    const void *program = sm_program_new(r->arena, r->cfg, &k->k);
    r->host.ncta = (uint32_t)stream_kernel_ctas(&k->k);
    CHECK(r->host.ncta <= SM_RIG_CTAS);
    r->host.cta = ARENA_ARRAY(r->arena, struct cta_start, r->host.ncta);
    for (uint32_t i = 0; i < r->host.ncta; i++) {
        CHECK(resident_load(&r->host.cta[i].streams, c, i, &e));
        r->host.cta[i].program = program;
    }
    stream_cursor_free(c);
    stream_store_free(s);
}

static void build_sm(struct sm_rig *r, const char *const *set)
{
    static const struct cfg_section *const own[] = {&sm_section,       &pipe_section,
                                                    &shared_section,   &l1_section,
                                                    &constant_section, &texture_section};
    const struct cfg_section **all = ARENA_ARRAY(r->arena, const struct cfg_section *, 32);
    memcpy(all, own, sizeof own);
    struct err e = {0};
    r->cfg = config_new(r->arena, all, 6 + warp_policy_sections(all + 6, 32 - 6));
    for (; set && *set; set++)
        CHECK(config_set(r->cfg, *set, &e));
    CHECK(sm_check(r->cfg, &e));
    request_pool_init(&r->pool, r->arena, SM_RIG_REQUESTS);
    r->sm = sm_new(r->arena,
                   &(struct sm_options){.path = "sm[0]",
                                        .cfg = r->cfg,
                                        .pool = request_pool_part(&r->pool, 0, SM_RIG_REQUESTS),
                                        .local_base = 1ull << 44,
                                        .param_base = 1ull << 45});
}

static void connect(struct sm_rig *r, uint32_t contexts)
{
    struct component *sm = sm_component(r->sm);
    struct port_end host = {&r->host.c, 0}, memory = {&r->memory.c, 0};
    struct port_end front = {sm, SM_SLOT_DISPATCH}, back = {sm, SM_SLOT_CLUSTER};
    port_init(&r->host.start, r->arena, contexts + 1, 1, host, front);
    port_init(&r->host.done, r->arena, contexts + 3, 1, front, host);
    port_init(&r->memory.out, r->arena, 8, 1, back, memory);
    port_init(&r->memory.in, r->arena, 2 * SM_RIG_REQUESTS, 1, memory, back);
    sm_connect_dispatch(r->sm, &r->host.start, &r->host.done);
    sm_connect_cluster(r->sm, &r->memory.out, &r->memory.in);
}

void sm_rig_open(struct sm_rig *r, const struct sm_rig_options *opt)
{
    *r = (struct sm_rig){.arena = arena_new()};
    uint32_t contexts = opt->contexts ? opt->contexts : 8;
    r->host.c = (struct component){.ops = &host_ops, .path = "host"};
    r->memory.c = (struct component){.ops = &memory_ops, .path = "memory"};
    r->memory.latency = opt->latency ? opt->latency : 100;
    r->memory.every = opt->every ? opt->every : 1;
    r->host.burst = opt->burst ? opt->burst : 1;
    r->host.contexts = contexts;
    r->host.free = contexts == 64 ? UINT64_MAX : (1ull << contexts) - 1;
    build_sm(r, opt->set);
    load_ctas(r, opt->kernel);
    connect(r, contexts);
    r->engine = engine_new(r->arena, opt->engine);
    engine_add(r->engine, &r->host.c, 1);
    engine_add(r->engine, sm_component(r->sm), 1);
    engine_add(r->engine, &r->memory.c, 1);
    component_wake(&r->host.c, 0);
    r->stats = stats_new(r->arena);
    sm_add_stats(r->sm, r->stats);
    r->issue = ARENA_ARRAY(r->arena, struct sm_rig_issue, SM_RIG_EVENTS);
}

void sm_rig_close(struct sm_rig *r)
{
    for (uint32_t i = 0; i < r->host.ncta; i++)
        resident_free(&r->host.cta[i].streams);
    arena_free(r->arena);
}

enum { LONGEST = 1 << 20 };

bool sm_rig_finish(struct sm_rig *r, struct err *e)
{
    enum engine_stop stop = engine_run(r->engine, LONGEST, e);
    engine_settle(r->engine);
    return stop == ENGINE_IDLE || (stop == ENGINE_REACHED && r->host.nended == r->host.ncta);
}

/* Every warp is at its place, and its own scheduler's and nobody else's. */
static void check_places(const struct sm *s)
{
    for (uint32_t i = 0; i < s->npositions; i++) {
        const struct warp *w = &s->warp[s->slot_at[i]];
        CHECK(w->position == i && w->bit == 1ull << i);
        for (uint32_t k = 0; k < s->nsched; k++)
            CHECK_EQ(s->sched[k].own >> i & 1, k == w->scheduler);
    }
}

void sm_rig_watch(struct sm_rig *r)
{
    struct err e = {0};
    for (hd_cycle now = 0; r->host.nended < r->host.ncta; now++) {
        uint64_t before = sm_issued(r->sm);
        enum engine_stop stop = engine_run(r->engine, now + 1, &e);
        CHECK(stop == ENGINE_REACHED || stop == ENGINE_IDLE);
        CHECK(now < LONGEST && engine_audit(r->engine, &e));
        check_places(r->sm);
        const struct sched *sc = &r->sm->sched[0];
        uint32_t n = (uint32_t)(sm_issued(r->sm) - before);
        if (n == 0)
            continue;
        CHECK(r->nissues < SM_RIG_EVENTS);
        r->issue[r->nissues++] =
            (struct sm_rig_issue){now, n, sc->current < 0 ? -1 : r->sm->slot_at[sc->current]};
    }
    engine_settle(r->engine);
}

uint64_t sm_rig_when(const struct sm_rig *r, uint32_t i)
{
    CHECK(i < r->nissues);
    return r->issue[i].at - r->issue[0].at;
}

uint64_t sm_rig_digest(struct sm_rig *r)
{
    engine_settle(r->engine);
    return stats_digest(r->stats);
}

bool sm_rig_adds_up(struct sm_rig *r)
{
    const struct sm_stats *s = &r->sm->stats;
    uint64_t sum = s->issue_cycles;
    engine_settle(r->engine);
    for (int i = 0; i < STALLS; i++)
        sum += (&s->stall_pipe)[i];
    return sum == s->sched_cycles;
}
