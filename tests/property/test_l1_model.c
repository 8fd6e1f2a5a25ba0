/* The load/store unit against a slow obvious model of it: the same cycles, hits, misses, merges,
 * evictions, write-backs, stalls and requests on random streams over many configurations, LRU or
 * sharing-aware; and the same with every cycle ticked. */
#include "base/rng.h"
#include "check.h"
#include "rig/lsu_model.h"
#include "sim/stats_snapshot.h"

enum { STEPS = LSU_MODEL_STEPS };

/* ---- configurations and streams ---- */

static uint32_t pick(uint64_t key, uint32_t what, uint32_t lo, uint32_t hi)
{
    return lo + rng_below(rng_at(key, what), hi - lo + 1);
}

static struct lsu_model_machine random_machine(uint64_t key)
{
    static const uint32_t sets[] = {1, 1, 2, 3, 8};
    const struct lsu_model_shape l1 = {.sets = sets[pick(key, 0, 0, 4)],
                                       .ways = pick(key, 1, 1, 4),
                                       .line = 128,
                                       .mshrs = pick(key, 2, 1, 9),
                                       .merges = pick(key, 3, 1, 4),
                                       .is_masked = pick(key, 22, 0, 1)};
    const struct lsu_model_shape texture = {.sets = sets[pick(key, 17, 0, 4)],
                                            .ways = pick(key, 18, 1, 4),
                                            .line = 32u << pick(key, 19, 0, 2),
                                            .mshrs = pick(key, 20, 1, 9),
                                            .merges = pick(key, 21, 1, 4)};
    return (struct lsu_model_machine){.shape = {l1, texture},
                                      .queue = pick(key, 4, 1, 4),
                                      .pending = pick(key, 5, 1, 12),
                                      .depth = pick(key, 6, 2, 9),
                                      .requests = pick(key, 7, 2, 40),
                                      .on_fill = pick(key, 8, 0, 1),
                                      .updates = pick(key, 9, 0, 1),
                                      .allocates = pick(key, 9, 0, 1) && pick(key, 23, 0, 1),
                                      .is_sectored = pick(key, 10, 0, 1),
                                      .enabled = pick(key, 11, 0, 9) > 0,
                                      .latency = pick(key, 12, 1, 80),
                                      .spread = pick(key, 13, 0, 60),
                                      .every = pick(key, 14, 0, 2) ? 1 : pick(key, 15, 2, 9),
                                      .back = pick(key, 16, 1, 5)};
}

static void refuse_some(struct lsu_model_machine *m, uint64_t key, enum lsu_model_mode mode)
{
    const uint32_t who = pick(key, 40, 1, 3), what = pick(key, 41, 1, 3);
    m->mode = mode;
    m->refuses[MODEL_L1] = who & 1;
    m->refuses[MODEL_TEX] = who & 2;
    m->refuses_loads = what & 1;
    m->refuses_stores = what & 2;
    m->spaces = pick(key, 42, 0, 1) ? UINT32_MAX : 1u << STREAM_LOCAL | 1u << STREAM_TEX;
}

static void share_some(struct lsu_model_machine *m, uint64_t key)
{
    static const uint32_t shared[] = {0, 64, 128, 128, 192, 256};
    m->sharing = (struct lsu_model_sharing){
        .is_on = true,
        .allocates = pick(key, 50, 0, 2),
        .replaces = pick(key, 51, 0, 3),
        .dead = (enum lsu_model_dead)pick(key, 52, MODEL_DEAD_OFF, MODEL_DEAD_PRIVATE)};
    m->shared = shared[pick(key, 53, 0, 5)];
    m->on_fill = pick(key, 54, 0, 3); /* else the victim has left when the answer comes */
}

/* Three in four accesses touch the same few lines; addresses go up to a few KB. */
static void random_step(struct lsu_rig *r, uint64_t key, hd_cycle at)
{
    static const uint16_t flags[] = {
        INSN_LOAD,  INSN_LOAD,   INSN_LOAD,  INSN_LOAD | INSN_BYPASS_L1,
        INSN_STORE, INSN_ATOMIC, INSN_STORE, INSN_ATOMIC | INSN_LOAD};
    uint32_t f = flags[pick(key, 0, 0, 7)], where = pick(key, 1, 0, 9);
    uint32_t space = where < 5   ? STREAM_GLOBAL
                     : where < 7 ? STREAM_LOCAL
                     : where < 9 ? STREAM_TEX
                                 : STREAM_SHARED;
    uint32_t size = 1u << pick(key, 2, 0, 4), window = pick(key, 3, 0, 3) ? 512 : 4096;
    if (space == STREAM_LOCAL) {
        f = f & INSN_LOAD ? INSN_LOAD : INSN_STORE;
        window = 64;
    }
    if (space == STREAM_TEX)
        f = INSN_LOAD;
    struct lsu_rig_step *s =
        lsu_rig_add(r, at, f, space, pick(key, 4, 0, window / size - 1) * size);
    uint32_t mask = (uint32_t)rng_at(key, 5) | 1u << pick(key, 6, 0, 31);
    int64_t stride = (int64_t)size * pick(key, 7, 0, 3);
    if (pick(key, 8, 0, 3) == 0)
        mask = 1u << pick(key, 9, 0, 31);
    lsu_rig_lanes(s, size, space == STREAM_LOCAL ? stride / 4 / (int64_t)size * size : stride,
                  mask);
    s->warp = pick(key, 10, 0, RIG_WARPS - 1);
}

/* ---- the comparison ---- */

static void open_rig(struct lsu_rig *r, const struct lsu_model_machine *m,
                     struct engine_options engine)
{
    static const char *const form[] = {"l1.size=%u",       "l1.ways=%u",       "l1.mshrs=%u",
                                       "l1.merges=%u",     "l1.queue=%u",      "l1.pending=%u",
                                       "texture.size=%u",  "texture.ways=%u",  "texture.line=%u",
                                       "texture.mshrs=%u", "texture.merges=%u"};
    enum { FORMS = sizeof form / sizeof form[0] };
    const struct lsu_model_shape *l1 = &m->shape[MODEL_L1], *t = &m->shape[MODEL_TEX];
    const uint32_t value[FORMS] = {
        l1->sets * l1->ways * 128,   l1->ways, l1->mshrs, l1->merges, m->queue, m->pending,
        t->sets * t->ways * t->line, t->ways,  t->line,   t->mshrs,   t->merges};
    char text[FORMS][40];
    enum { OTHERS = 16 };
    static const char *const dead[] = {"sharing_l1.dead=off", "sharing_l1.dead=all",
                                       "sharing_l1.dead=private"};
    static const char *const modes[] = {"pass.mode=keep", "pass.mode=no_line", "pass.mode=no_mshr"};
    const char *set[OTHERS + FORMS + 1] = {
        "l1.hashed=false",
        "l1.fill_latency=2",
        m->on_fill ? "l1.allocate=fill" : "l1.allocate=miss",
        m->updates ? "l1.write_hit=update" : "l1.write_hit=evict",
        m->allocates ? "l1.write_miss=allocate" : "l1.write_miss=none",
        m->is_sectored ? "l1.sectored=true" : "l1.sectored=false",
        m->enabled ? "l1.enabled=true" : "l1.enabled=false",
        l1->is_masked ? "l1.masked=true" : "l1.masked=false",
        m->refuses[MODEL_L1] ? "l1.replacement=pass"
        : m->sharing.is_on   ? "l1.replacement=sharing_l1"
                             : "l1.replacement=lru",
        m->refuses[MODEL_TEX] ? "texture.replacement=pass" : "texture.replacement=lru",
        modes[m->mode],
        m->refuses_loads && m->refuses_stores ? "pass.kinds=all"
        : m->refuses_loads                    ? "pass.kinds=read"
                                              : "pass.kinds=write|atomic",
        m->spaces == UINT32_MAX ? "pass.spaces=all" : "pass.spaces=local|texture",
        m->sharing.allocates ? "sharing_l1.allocation=true" : "sharing_l1.allocation=false",
        m->sharing.replaces ? "sharing_l1.replacement=true" : "sharing_l1.replacement=false",
        dead[m->sharing.dead]};
    for (int i = 0; i < FORMS; i++) {
        snprintf(text[i], sizeof text[i], form[i], value[i]);
        set[OTHERS + i] = text[i];
    }
    lsu_rig_open(r, &(struct lsu_rig_options){.set = set,
                                              .latency = m->latency,
                                              .spread = m->spread,
                                              .every = m->every,
                                              .shared = m->shared,
                                              .back = (uint32_t)m->back,
                                              .depth = m->depth,
                                              .requests = m->requests,
                                              .steps = STEPS,
                                              .engine = engine});
}

static void fill_rig(struct lsu_rig *r, uint64_t key)
{
    uint32_t pause = pick(key, 99, 0, 30);
    hd_cycle at = 0;
    for (uint32_t s = 0; s < STEPS; s++) {
        uint64_t of_step = rng_at(key, 1000 + s);
        at += rng_below(rng_at(of_step, 50), pause + 1);
        random_step(r, of_step, at);
        if (r->sm.step[s].insn.space == STREAM_SHARED) { /* no conflicts, see model_issue */
            bool is_wide = r->sm.step[s].insn.size > 4;
            r->sm.step[s].insn.flags &= (uint16_t)~INSN_ATOMIC;
            lsu_rig_lanes(&r->sm.step[s], r->sm.step[s].insn.size, 0,
                          is_wide ? 0x01010101 : UINT32_MAX);
        }
    }
}

static void check_requests(const struct lsu_rig *r, const struct lsu_model *m)
{
    CHECK_EQ(r->memory.nseen, m->nsent);
    for (uint32_t i = 0; i < m->nsent; i++) {
        CHECK_EQ(r->memory.seen[i].line, m->sent[i].line);
        CHECK_EQ(r->memory.seen[i].words, m->sent[i].words);
        CHECK_EQ(r->memory.seen[i].sectors, m->sent[i].sectors);
        CHECK_EQ(r->memory.seen[i].kind, m->sent[i].kind);
    }
}

static void check_counts(const struct lsu *l, const struct lsu_model_counts *n)
{
    static const int loads[] = {LOADS_GLOBAL, LOADS_LOCAL, LOADS_TEX};
    static const int caches[] = {CACHE_L1, CACHE_TEX};
    for (int i = 0; i < 3; i++) {
        const struct load_stats *got = &l->loads[loads[i]];
        CHECK_EQ(got->hits, n->hits[i]);
        CHECK_EQ(got->misses, n->misses[i]);
        CHECK_EQ(got->merges, n->merges[i]);
        CHECK_EQ(got->passes, n->passes[i]);
        CHECK_EQ(got->accesses, n->hits[i] + n->misses[i] + n->merges[i] + n->passes[i]);
    }
    for (int i = 0; i < MODEL_CACHES; i++) {
        CHECK_EQ(l->cache[caches[i]].stats.evictions, n->evictions[i]);
        CHECK_EQ(l->cache[caches[i]].stats.unkept, n->unkept[i]);
    }
    CHECK_EQ(l->stats.write_backs, n->write_backs);
    CHECK_EQ(l->stats.store_hits, n->store_hits);
    CHECK_EQ(l->write_miss.store_lines, n->store_lines);
    CHECK_EQ(l->stats.local_store_hits, n->local_hits);
    CHECK_EQ(l->stats.local_store_misses, n->local_misses);
    CHECK_EQ(l->refused.local_store_passes, n->local_passes);
    CHECK_EQ(l->stats.stall_mshr, n->stall[STALL_MSHR]);
    CHECK_EQ(l->stats.stall_merge, n->stall[STALL_MERGE]);
    CHECK_EQ(l->stats.stall_way, n->stall[STALL_WAY]);
    CHECK_EQ(l->stats.stall_request, n->stall[STALL_REQUEST]);
    CHECK_EQ(l->stats.stall_port, n->stall[STALL_PORT]);
}

/* By name: how the policy counts is its own affair. */
static void check_shared(const struct lsu_rig *r, const struct lsu_model_shared *m)
{
    static const char *const names[] = {"private_fills",
                                        "shared_fills",
                                        "private_uses",
                                        "shared_uses",
                                        "private_evictions",
                                        "shared_evictions",
                                        "refused",
                                        "turned",
                                        "spared",
                                        "marked",
                                        "revived",
                                        "dead_evictions",
                                        "shared_answers",
                                        "shared_waiters"};
    enum { NAMES = sizeof names / sizeof names[0] };
    _Static_assert(sizeof *m == NAMES * sizeof(uint64_t), "a name for each count, in order");
    struct stats *tree = stats_new(r->arena);
    lsu_add_stats(r->sm.lsu, tree);
    const struct stats_snapshot *s = stats_snapshot(tree, r->arena);
    for (int i = 0; i < NAMES; i++) {
        char name[64];
        snprintf(name, sizeof name, "l1.sharing.%s", names[i]);
        double got = stats_snapshot_value(s, name);
        if (got != (double)((const uint64_t *)m)[i])
            print_error("%s is %g\n", name, got);
        CHECK(got == (double)((const uint64_t *)m)[i]);
    }
}

static void check_conserved(const struct lsu *l)
{
    for (int k = 0; k < REQUEST_KINDS; k++)
        CHECK_EQ(l->trip[k].sent, l->trip[k].answers);
    CHECK_EQ(l->pool.packets.live, 0);
    CHECK_EQ(l->live_loads, 0);
}

/* Returns the model when all is over. */
static const struct lsu_model *run_machine(uint64_t key, const struct lsu_model_machine *machine)
{
    static struct lsu_model m;
    struct lsu_rig r;
    open_rig(&r, machine, (struct engine_options){.audit = 7});
    fill_rig(&r, key);
    lsu_rig_run(&r, HD_NEVER);
    m = (struct lsu_model){.m = *machine, .step = r.sm.step};
    lsu_model_run(&m);
    check_requests(&r, &m);
    check_counts(r.sm.lsu, &m.n);
    check_conserved(r.sm.lsu);
    for (uint32_t s = 0; s < STEPS; s++)
        CHECK_EQ(lsu_rig_usable(&r, s), r.sm.step[s].insn.flags & INSN_LOAD ? m.done[s] : HD_NEVER);
    if (machine->sharing.is_on)
        check_shared(&r, &m.shared);
    lsu_rig_close(&r);
    return &m;
}

static void add_to(void *sum, const void *more, size_t size)
{
    for (size_t i = 0; i < size / sizeof(uint64_t); i++)
        ((uint64_t *)sum)[i] += ((const uint64_t *)more)[i];
}

static void run_both(uint64_t key, enum lsu_model_mode mode, struct lsu_model_counts *sum)
{
    struct lsu_model_machine machine = random_machine(key);
    if (mode != MODEL_KEEPS)
        refuse_some(&machine, key, mode);
    add_to(sum, &run_machine(key, &machine)->n, sizeof *sum);
}

static void random_streams_agree_with_the_slow_model(void)
{
    struct lsu_model_counts sum = {0};
    for (uint64_t k = 0; k < 150; k++)
        run_both(rng_key(11, k), MODEL_KEEPS, &sum);
    CHECK_EQ(sum.passes[1], 0); /* local memory is nobody else's, textures are never written */
    CHECK_EQ(sum.passes[2], 0);
    CHECK_EQ(sum.unkept[MODEL_TEX], 0);
    CHECK_EQ(sum.local_passes, 0);
    sum.passes[1] = sum.passes[2] = sum.unkept[MODEL_TEX] = sum.local_passes = 1;
    for (size_t i = 0; i < sizeof sum / sizeof(uint64_t); i++)
        CHECK(((const uint64_t *)&sum)[i] > 0); /* all else that was compared did happen */
}

static void loads_and_stores_that_get_no_line_agree_with_the_slow_model(void)
{
    struct lsu_model_counts sum = {0};
    for (uint64_t k = 0; k < 100; k++)
        run_both(rng_key(13, k), MODEL_NO_LINE, &sum);
    CHECK(sum.unkept[MODEL_L1] > 100 && sum.unkept[MODEL_TEX] > 100 && sum.local_passes > 100);
    CHECK_EQ(sum.passes[2], 0);
}

static void loads_and_stores_that_pass_by_agree_with_the_slow_model(void)
{
    struct lsu_model_counts sum = {0};
    for (uint64_t k = 0; k < 100; k++)
        run_both(rng_key(14, k), MODEL_NO_MSHR, &sum);
    CHECK(sum.passes[0] > 100 && sum.passes[1] > 100 && sum.passes[2] > 100);
    CHECK(sum.local_passes > 100);
}

static void lines_that_are_shared_or_private_agree_with_the_slow_model(void)
{
    struct lsu_model_shared sum = {0};
    for (uint64_t k = 0; k < 300; k++) {
        struct lsu_model_machine machine = random_machine(rng_key(15, k));
        share_some(&machine, rng_key(15, k));
        add_to(&sum, &run_machine(rng_key(15, k), &machine)->shared, sizeof sum);
    }
    for (size_t i = 0; i < sizeof sum / sizeof(uint64_t); i++)
        CHECK(((const uint64_t *)&sum)[i] > 50); /* all that was compared did happen */
}

static void every_cycle_ticked_or_order_reversed_changes_nothing(void)
{
    for (uint64_t k = 0; k < 30; k++) {
        struct lsu_rig r[3];
        struct lsu_model_machine machine = random_machine(rng_key(12, k));
        if (k % 2)
            share_some(&machine, k);
        else if (k % 3)
            refuse_some(&machine, k, k % 3 == 1 ? MODEL_NO_LINE : MODEL_NO_MSHR);
        for (int i = 0; i < 3; i++) {
            open_rig(&r[i], &machine,
                     (struct engine_options){.no_skip = i == 1, .reversed = i == 2});
            fill_rig(&r[i], rng_key(12, k));
            lsu_rig_run(&r[i], HD_NEVER);
        }
        for (int i = 1; i < 3; i++) {
            CHECK_EQ(r[0].sm.nevents, r[i].sm.nevents);
            CHECK(memcmp(&r[0].sm.lsu->stats, &r[i].sm.lsu->stats, sizeof r[0].sm.lsu->stats) == 0);
            CHECK(memcmp(r[0].sm.lsu->loads, r[i].sm.lsu->loads, sizeof r[0].sm.lsu->loads) == 0);
            CHECK(memcmp(r[0].sm.lsu->trip, r[i].sm.lsu->trip, sizeof r[0].sm.lsu->trip) == 0);
            for (int c = 0; c < CACHES; c++)
                CHECK_EQ(r[0].sm.lsu->cache[c].stats.mshr_cycles,
                         r[i].sm.lsu->cache[c].stats.mshr_cycles);
            for (uint32_t s = 0; s < STEPS; s++)
                CHECK_EQ(lsu_rig_usable(&r[0], s), lsu_rig_usable(&r[i], s));
        }
        for (int i = 0; i < 3; i++)
            lsu_rig_close(&r[i]);
    }
}

CHECK_MAIN("l1_model", TEST(random_streams_agree_with_the_slow_model),
           TEST(loads_and_stores_that_get_no_line_agree_with_the_slow_model),
           TEST(loads_and_stores_that_pass_by_agree_with_the_slow_model),
           TEST(lines_that_are_shared_or_private_agree_with_the_slow_model),
           TEST(every_cycle_ticked_or_order_reversed_changes_nothing))
