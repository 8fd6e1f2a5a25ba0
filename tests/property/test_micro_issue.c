/* The order in which warps issue is the textbook's: worked examples, and random programs against a
 * scheduler written down as the papers describe it.
 *
 * Each warp is a CTA of its own; when a CTA ends tells when its warp issued last and had its last
 * result.  One scheduler, instructions always fetched, pipelines that take one per cycle. */
#include "check.h"

#include "base/rng.h"
#include "rig/machine_rig.h"

enum { MAX_WARPS = 8, MAX_INSNS = 16, REGS = 6 };
enum { INT_LATENCY = 4, MUL_LATENCY = 9, SHARED_LATENCY = 26 };

static void open_with(struct machine_rig *r, const char *settings)
{
    char all[256];
    snprintf(all, sizeof all,
             "gpu.cta_rate=8 sm.ctas=8 pipe.int_mul_latency=9 pipe.int_mul_interval=1 %s",
             settings);
    machine_rig_open(r, machine_rig_small, all);
}

static struct stream_insn add(uint16_t dst, uint16_t src)
{
    return machine_rig_op(UNIT_INT, OPCLASS_SIMPLE, dst, src);
}

/* Cycle of the last issue or result of a warp, the first issue of all being in cycle 0: that is two
 * cycles after the begin, and the end is told one cycle later. */
static int64_t end_of(const struct machine_rig *r, uint32_t cta)
{
    return (int64_t)r->cta_end[cta] - 3;
}

/* ---- worked examples ---- */

static void greedy_then_oldest_runs_one_warp_after_the_other(void)
{
    struct machine_rig r;
    struct stream_insn ten[10];
    for (int i = 0; i < 10; i++)
        ten[i] = add(REG_NONE, REG_NONE);
    struct machine_rig_kernel k = {.insn = ten, .ninsns = 10, .loops = 1, .ctas = 3};
    open_with(&r, "sm.scheduler=gto");
    machine_rig_run(&r, &k);
    for (uint32_t w = 0; w < 3; w++)
        CHECK_EQ(end_of(&r, w), 10 * (w + 1) - 1);
    machine_rig_close(&r);
}

static void loose_round_robin_keeps_warps_abreast(void)
{
    struct machine_rig r;
    struct stream_insn ten[10];
    for (int i = 0; i < 10; i++)
        ten[i] = add(REG_NONE, REG_NONE);
    struct machine_rig_kernel k = {.insn = ten, .ninsns = 10, .loops = 1, .ctas = 3};
    open_with(&r, "sm.scheduler=lrr");
    machine_rig_run(&r, &k);
    for (uint32_t w = 0; w < 3; w++)
        CHECK_EQ(end_of(&r, w), 3 * 9 + w);
    machine_rig_close(&r);
}

/* a; b; c needs b; d; e; results after 4 cycles.
 *   greedy:       0a 0b 1a 1b 2a 2b 0c 0d 0e 1c 1d 1e 2c 2d 2e
 *   round robin:  0a 1a 2a 0b 1b 2b .  0c 1c 2c 0d 1d 2d 0e 1e 2e */
static void a_stall_sends_greedy_to_the_oldest_and_round_robin_on(void)
{
    static const struct {
        const char *settings;
        int64_t end[3];
    } of[] = {{"sm.scheduler=gto", {8, 11, 14}}, {"sm.scheduler=lrr", {13, 14, 15}}};
    struct stream_insn in[5] = {add(REG_NONE, REG_NONE), add(1, REG_NONE), add(REG_NONE, 1),
                                add(REG_NONE, REG_NONE), add(REG_NONE, REG_NONE)};
    struct machine_rig_kernel k = {.insn = in, .ninsns = 5, .loops = 1, .ctas = 3};
    for (int i = 0; i < 2; i++) {
        struct machine_rig r;
        open_with(&r, of[i].settings);
        machine_rig_run(&r, &k);
        for (uint32_t w = 0; w < 3; w++)
            CHECK_EQ(end_of(&r, w), of[i].end[w]);
        machine_rig_close(&r);
    }
}

/* Two of four warps may issue: they go in turn until they end, then the other two. */
static void two_levels_keep_all_but_the_active_warps_waiting(void)
{
    struct machine_rig r;
    struct stream_insn ten[10];
    for (int i = 0; i < 10; i++)
        ten[i] = add(REG_NONE, REG_NONE);
    struct machine_rig_kernel k = {.insn = ten, .ninsns = 10, .loops = 1, .ctas = 4};
    open_with(&r, "sm.scheduler=two_level two_level.active_warps=2");
    machine_rig_run(&r, &k);
    CHECK_EQ(end_of(&r, 0), 18);
    CHECK_EQ(end_of(&r, 1), 19);
    CHECK_EQ(end_of(&r, 2), 38);
    CHECK_EQ(end_of(&r, 3), 39);
    machine_rig_close(&r);
}

/* ---- random programs against the textbook ---- */

struct program {
    uint32_t ninsns, nwarps;
    struct stream_insn insn[MAX_INSNS];
    uint32_t loops[MAX_WARPS];
};

static uint32_t loops_of(const void *context, uint32_t cta, uint32_t warp)
{
    (void)warp;
    return ((const struct program *)context)->loops[cta];
}

static uint16_t some_register(uint64_t key, uint64_t i)
{
    uint32_t n = rng_below(rng_at(key, i), REGS + 2);
    return n < REGS ? (uint16_t)(n + 1) : REG_NONE;
}

static struct program random_program(uint64_t seed)
{
    struct program p = {.ninsns = 4 + rng_below(rng_at(seed, 0), MAX_INSNS - 3),
                        .nwarps = 2 + rng_below(rng_at(seed, 1), MAX_WARPS - 1)};
    for (uint32_t w = 0; w < p.nwarps; w++)
        p.loops[w] = 1 + rng_below(rng_at(seed, 2 + w), 4);
    for (uint32_t i = 0; i < p.ninsns; i++) {
        uint64_t key = rng_key(seed, i);
        uint16_t dst = some_register(key, 0), src = some_register(key, 1);
        switch (rng_below(rng_at(key, 2), 4)) {
        case 0:
            p.insn[i] = machine_rig_load(STREAM_SHARED, dst == REG_NONE ? 1 : dst, src);
            break;
        case 1:
            p.insn[i] = machine_rig_op(UNIT_INT, OPCLASS_MUL, dst, src);
            break;
        default:
            p.insn[i] = add(dst, src);
        }
    }
    return p;
}

struct book_warp {
    uint32_t next, left;      /* instruction; all that are left */
    int64_t usable[REGS + 1]; /* by register */
    bool from_memory[REGS + 1];
    int64_t end;
};

enum book_policy { GTO, LRR, TWO_LEVEL };

struct book {
    const struct program *p;
    enum book_policy policy;
    uint32_t active; /* bit per warp; two levels of at most `limit` */
    uint32_t limit;
    int last;
    struct book_warp warp[MAX_WARPS];
};

static bool waits(const struct book_warp *w, uint16_t reg, int64_t now, bool memory_only)
{
    return reg != REG_NONE && w->usable[reg] > now && (!memory_only || w->from_memory[reg]);
}

static bool is_blocked(const struct book *b, int i, int64_t now, bool memory_only)
{
    const struct book_warp *w = &b->warp[i];
    const struct stream_insn *in = &b->p->insn[w->next];
    return waits(w, in->dst[0], now, memory_only) || waits(w, in->src[0], now, memory_only);
}

static bool is_ready(const struct book *b, int i, int64_t now)
{
    return b->warp[i].left > 0 && !is_blocked(b, i, now, false);
}

static int next_after(const struct book *b, int64_t now, uint32_t among)
{
    int n = (int)b->p->nwarps;
    for (int k = 1; k <= n; k++) {
        int i = (b->last + k) % n;
        if (among >> i & 1 && is_ready(b, i, now))
            return i;
    }
    return -1;
}

static int pick(struct book *b, int64_t now)
{
    int n = (int)b->p->nwarps;
    if (b->policy == GTO) {
        if (b->last >= 0 && is_ready(b, b->last, now))
            return b->last;
        for (int i = 0; i < n; i++)
            if (is_ready(b, i, now))
                return i;
        return -1;
    }
    if (b->policy == LRR)
        return next_after(b, now, UINT32_MAX);
    for (int i = 0; i < n; i++)
        if (b->warp[i].left == 0 || is_blocked(b, i, now, true))
            b->active &= ~(1u << i);
    for (int i = 0; i < n; i++)
        if (is_ready(b, i, now) && (uint32_t)__builtin_popcount(b->active) < b->limit)
            b->active |= 1u << i;
    return next_after(b, now, b->active);
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void issue(struct book *b, int i, int64_t now)
{
    struct book_warp *w = &b->warp[i];
    const struct stream_insn *in = &b->p->insn[w->next];
    bool is_load = in->flags & INSN_LOAD;
    w->end = later(w->end, now);
    if (in->dst[0] != REG_NONE) {
        w->usable[in->dst[0]] = now + (is_load                      ? SHARED_LATENCY
                                       : in->opclass == OPCLASS_MUL ? MUL_LATENCY
                                                                    : INT_LATENCY);
        w->from_memory[in->dst[0]] = is_load;
        w->end = later(w->end, w->usable[in->dst[0]]);
    }
    w->next = w->next + 1 == b->p->ninsns ? 0 : w->next + 1;
    w->left--;
    b->last = i;
}

static void run_book(struct book *b)
{
    uint32_t left = 0;
    b->last = -1;
    for (uint32_t w = 0; w < b->p->nwarps; w++)
        left += b->warp[w].left = b->p->loops[w] * b->p->ninsns;
    for (int64_t now = 0; left; now++) {
        int i = pick(b, now);
        if (i < 0)
            continue;
        issue(b, i, now);
        left--;
    }
}

static void check_random(enum book_policy policy, const char *settings, uint32_t limit)
{
    struct machine_rig r;
    open_with(&r, settings);
    for (uint64_t seed = 1; seed <= 150; seed++) {
        struct program p = random_program(rng_key(7, seed));
        struct book b = {.p = &p, .policy = policy, .limit = limit};
        struct machine_rig_kernel k = {.insn = p.insn,
                                       .ninsns = p.ninsns,
                                       .ctas = p.nwarps,
                                       .loops_of = loops_of,
                                       .context = &p};
        run_book(&b);
        machine_rig_run(&r, &k);
        for (uint32_t w = 0; w < p.nwarps; w++) {
            if (end_of(&r, w) != b.warp[w].end)
                print_error("%s: program %d, warp %u of %u\n", settings, (int)seed, w, p.nwarps);
            CHECK_EQ(end_of(&r, w), b.warp[w].end);
        }
    }
    machine_rig_close(&r);
}

static void greedy_then_oldest_agrees_with_the_textbook(void)
{
    check_random(GTO, "sm.scheduler=gto", 0);
}

static void loose_round_robin_agrees_with_the_textbook(void)
{
    check_random(LRR, "sm.scheduler=lrr", 0);
}

static void two_levels_agree_with_the_textbook(void)
{
    check_random(TWO_LEVEL, "sm.scheduler=two_level two_level.active_warps=1", 1);
    check_random(TWO_LEVEL, "sm.scheduler=two_level two_level.active_warps=2", 2);
    check_random(TWO_LEVEL, "sm.scheduler=two_level two_level.active_warps=4", 4);
}

CHECK_MAIN("micro_issue", TEST(greedy_then_oldest_runs_one_warp_after_the_other),
           TEST(loose_round_robin_keeps_warps_abreast),
           TEST(a_stall_sends_greedy_to_the_oldest_and_round_robin_on),
           TEST(two_levels_keep_all_but_the_active_warps_waiting),
           TEST(greedy_then_oldest_agrees_with_the_textbook),
           TEST(loose_round_robin_agrees_with_the_textbook),
           TEST(two_levels_agree_with_the_textbook))
