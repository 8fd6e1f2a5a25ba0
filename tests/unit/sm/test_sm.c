/* An SM as a component: whatever it runs, its statistics add up and skipping changes nothing. */
#include "base/rng.h"
#include "check.h"
#include "rig/sm_rig.h"

static uint32_t draw(uint64_t key, uint64_t at, uint32_t n)
{
    return rng_below(rng_at(key, at), n);
}

static struct kernel_rig_insn random_insn(uint64_t key)
{
    uint16_t dst = (uint16_t)draw(key, 1, 12), src = (uint16_t)draw(key, 2, 12);
    uint64_t base = 0x1000 + 128 * draw(key, 3, 40);
    struct kernel_rig_insn in;
    switch (draw(key, 0, 9)) {
    case 0:
        in = kernel_rig_load(dst, base);
        in.stride = draw(key, 4, 3) ? 4 : 132;
        in.per_warp = 128 * draw(key, 5, 3);
        break;
    case 1:
        in = kernel_rig_store_to(src, base);
        break;
    case 2:
        in = kernel_rig_op(UNIT_SFU, OPCLASS_SPECIAL, dst, src);
        break;
    case 3:
        in = kernel_rig_op(UNIT_INT, OPCLASS_DIV, dst, src);
        break;
    case 4:
        return kernel_rig_fence();
    case 5:
        return kernel_rig_bar(draw(key, 4, 2), 0, true);
    case 6:
        return kernel_rig_op(UNIT_NONE, 0, dst, src);
    case 7:
        in = kernel_rig_op(UNIT_FP64, OPCLASS_MUL, (uint16_t)(REG_WIDE | dst), src);
        break;
    default:
        in = kernel_rig_int(dst, src);
    }
    return draw(key, 6, 4) ? in : kernel_rig_guarded(in, 3, (uint32_t)rng_at(key, 7) >> 24);
}

/* All warps go the same way, so that every barrier is complete in the end. */
static struct kernel_rig *random_kernel(uint64_t seed)
{
    uint64_t key = rng_key(seed, 5);
    struct kernel_rig *k = kernel_rig_new("random", 1 + draw(key, 0, 7), 1 + draw(key, 1, 200));
    uint32_t blocks = 1 + draw(key, 2, 6), n = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        kernel_rig_block(k);
        for (uint32_t i = draw(key, 10 + b, 9) + (b == 0); i > 0; i--)
            kernel_rig_add(k, random_insn(rng_key(key, n++)));
    }
    return k;
}

static const char *const gto[] = {NULL};
static const char *const lrr[] = {
    "sm.scheduler=lrr", "sm.schedulers=1", "sm.ibuffer=1",       "sm.fetch_warps=2",
    "l1.queue=1",       "l1.mshrs=2",      "sm.fetch_latency=9", NULL};
static const char *const levels[] = {"sm.scheduler=two_level", "two_level.active_warps=2",
                                     "sm.schedulers=4",        "sm.issue_width=2",
                                     "sm.dp_units=1",          NULL};
static const char *const narrow[] = {"sm.simd=8", "sm.sp_units=1", "sm.issue_width=4",
                                     "pipe.int_latency=900", NULL};
static const char *const *const machines[] = {gto, lrr, levels, narrow};

/* The memory takes a request in every 11th cycle, so that the way to it fills up. */
static uint64_t digest(struct kernel_rig *k, const char *const *set, struct engine_options engine)
{
    struct sm_rig r;
    struct err e = {0};
    sm_rig_open(
        &r,
        &(struct sm_rig_options){
            .kernel = k, .set = set, .contexts = 4, .latency = 70, .every = 11, .engine = engine});
    CHECK(sm_rig_finish(&r, &e));
    CHECK(sm_rig_adds_up(&r));
    CHECK_EQ(r.sm->stats.ctas, stream_kernel_ctas(&k->k));
    CHECK_EQ(r.sm->stats.warp_cycles, r.sm->stats.cta_cycles * stream_kernel_warps(&k->k));
    CHECK_EQ(lsu_live(r.sm->lsu), 0);
    uint64_t d = sm_rig_digest(&r);
    sm_rig_close(&r);
    return d;
}

static void skipping_and_the_order_of_ticks_change_nothing(void)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct kernel_rig *k = random_kernel(seed);
        for (int m = 0; m < 4; m++) {
            uint64_t d = digest(k, machines[m], (struct engine_options){0});
            CHECK_EQ(d, digest(k, machines[m], (struct engine_options){.reversed = true}));
        }
        kernel_rig_free(k);
    }
}

/* The statistics at the end of the last CTA, when every cycle was stopped at. */
static uint64_t watched(struct kernel_rig *k, const char *const *set, bool no_skip)
{
    struct sm_rig r;
    sm_rig_open(&r, &(struct sm_rig_options){.kernel = k,
                                             .set = set,
                                             .contexts = 4,
                                             .latency = 70,
                                             .every = 11,
                                             .engine = {.no_skip = no_skip}});
    sm_rig_watch(&r);
    CHECK(sm_rig_adds_up(&r));
    uint64_t d = sm_rig_digest(&r);
    sm_rig_close(&r);
    return d;
}

static void ticking_every_cycle_changes_nothing(void)
{
    for (uint64_t seed = 100; seed < 120; seed++) {
        struct kernel_rig *k = random_kernel(seed);
        for (int m = 0; m < 4; m++) {
            uint64_t d = watched(k, machines[m], false);
            CHECK_EQ(d, watched(k, machines[m], true));
            CHECK_EQ(d, digest(k, machines[m], (struct engine_options){0}));
        }
        kernel_rig_free(k);
    }
}

static void settling_in_the_middle_changes_nothing(void)
{
    struct kernel_rig *k = random_kernel(7);
    struct sm_rig r;
    struct err e = {0};
    uint64_t d = digest(k, gto, (struct engine_options){0});
    sm_rig_open(&r,
                &(struct sm_rig_options){.kernel = k, .contexts = 4, .latency = 70, .every = 11});
    for (hd_cycle at = 3; at < 400; at += 7) {
        engine_run(r.engine, at, &e);
        CHECK(sm_rig_adds_up(&r));
    }
    CHECK(sm_rig_finish(&r, &e));
    CHECK_EQ(sm_rig_digest(&r), d);
    sm_rig_close(&r);
    kernel_rig_free(k);
}

static void a_warp_without_instructions_ends_at_once(void)
{
    struct sm_rig r;
    struct err e = {0};
    struct kernel_rig *k = kernel_rig_new("k", 3, 64);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_int(1, 2));
    k->is_empty[0] = k->is_empty[1] = true;
    sm_rig_open(&r, &(struct sm_rig_options){.kernel = k, .contexts = 1});
    CHECK(sm_rig_finish(&r, &e));
    CHECK_EQ(r.sm->stats.ctas, 3);
    CHECK_EQ(r.sm->stats.issued, 0);
    CHECK_EQ(r.host.ended[0].at, 2);
    CHECK(sm_rig_adds_up(&r));
    sm_rig_close(&r);
    kernel_rig_free(k);
}

static void a_damaged_stream_is_noticed(void)
{
    struct sm_rig r;
    struct err e = {0};
    struct kernel_rig *k = kernel_rig_new("k", 1, 32);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_load(1, 0x123456789));
    kernel_rig_add(k, kernel_rig_int(2, 1));
    sm_rig_open(&r, &(struct sm_rig_options){.kernel = k});
    r.host.cta[0].streams.warp[0].payload_bytes = 1;
    CHECK(!sm_is_broken(r.sm));
    CHECK(sm_rig_finish(&r, &e));
    CHECK(sm_is_broken(r.sm));
    sm_rig_close(&r);
    kernel_rig_free(k);
}

static void instructions_are_counted_by_kind(void)
{
    struct sm_rig r;
    struct err e = {0};
    struct kernel_rig *k = kernel_rig_new("k", 2, 32);
    const uint8_t units[] = {UNIT_INT, UNIT_FP32, UNIT_FP64, UNIT_FP16, UNIT_SFU, UNIT_CONTROL};
    kernel_rig_block(k);
    for (uint16_t u = 0; u < 6; u++)
        for (uint16_t i = 0; i <= u; i++)
            kernel_rig_add(k, kernel_rig_op(units[u], OPCLASS_SIMPLE, (uint16_t)(8 * u + i), 99));
    kernel_rig_add(k, kernel_rig_guarded(kernel_rig_load(1, 0x1000), 1, 0xf));
    sm_rig_open(&r, &(struct sm_rig_options){.kernel = k});
    CHECK(sm_rig_finish(&r, &e));
    const struct sm_stats *s = &r.sm->stats;
    CHECK(s->issued_int == 2 && s->issued_fp32 == 4 && s->issued_fp64 == 6);
    CHECK(s->issued_fp16 == 8 && s->issued_sfu == 10 && s->issued_control == 12);
    CHECK(s->issued_mem == 2 && s->threads_mem == 8 && s->threads_control == 12 * 32);
    CHECK_EQ(s->issued, 44);
    CHECK_EQ(s->thread_insns, 42 * 32 + 8);
    CHECK_EQ(sm_issued(r.sm), s->issued);
    CHECK_EQ(sm_thread_insns(r.sm), s->thread_insns);
    sm_rig_close(&r);
    kernel_rig_free(k);
}

static void refuses(const char *const *set, const char *text)
{
    static const struct cfg_section *const sections[] = {&sm_section,       &pipe_section,
                                                         &shared_section,   &l1_section,
                                                         &constant_section, &texture_section};
    struct arena *a = arena_new();
    struct err e = {0};
    struct config *cfg = config_new(a, sections, 6);
    for (; *set; set++)
        CHECK(config_set(cfg, *set, &e));
    CHECK(!sm_check(cfg, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, text);
    arena_free(a);
}

static void what_makes_no_sense_is_refused_by_one_line(void)
{
    refuses((const char *const[]){"sm.scheduler=gtp", NULL},
            "--set sm.scheduler=gtp: no warp scheduler \"gtp\"; did you mean gto?");
    refuses((const char *const[]){"sm.warps=64", NULL},
            "--set sm.warps=64: 64 warps have more than 1536 threads");
    refuses((const char *const[]){"sm.threads=32", NULL},
            "sm.schedulers: 2 schedulers for 1 warps");
    refuses((const char *const[]){"l1.size=64K", "l1.carveouts=0,16K", "sm.shared=48K", NULL},
            "--set l1.carveouts=0,16K: the largest, 16384, does not hold the 49152 bytes of "
            "sm.shared");
}

CHECK_MAIN("sm", TEST(skipping_and_the_order_of_ticks_change_nothing),
           TEST(ticking_every_cycle_changes_nothing), TEST(settling_in_the_middle_changes_nothing),
           TEST(a_warp_without_instructions_ends_at_once), TEST(a_damaged_stream_is_noticed),
           TEST(instructions_are_counted_by_kind), TEST(what_makes_no_sense_is_refused_by_one_line))
