/* The load/store unit: times, order, completions. */
#include "check.h"
#include "rig/lsu_rig.h"

#define OPEN(r, a, b)                                                                              \
    struct lsu_rig r;                                                                              \
    lsu_rig_open(                                                                                  \
        &r, &(struct lsu_rig_options){.set = (const char *const[]){a, b, NULL}, .latency = 50})

static void a_hit_is_usable_after_the_latency_exactly(void)
{
    OPEN(r, "l1.latency=35", "l1.allocate=miss");
    lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, 0x1000);
    lsu_rig_add(&r, 100, INSN_LOAD, STREAM_GLOBAL, 0x1000);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.issued[1], 100);
    CHECK_EQ(lsu_rig_usable(&r, 1), 135);
    CHECK_EQ(r.sm.lsu->loads[LOADS_GLOBAL].hits, 1);
    lsu_rig_close(&r);
}

/* Issued at 0, looked at in 1, popped by the memory in 2, answered in 52, taken in 53. */
static void a_miss_takes_the_way_there_and_back(void)
{
    OPEN(r, "l1.fill_latency=3", NULL);
    lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, 0x1000);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(lsu_rig_usable(&r, 0), 56);
    CHECK_EQ(r.sm.lsu->loads[LOADS_GLOBAL].latency.sum, 56);
    lsu_rig_close(&r);
}

static void one_line_is_looked_at_per_cycle(void)
{
    OPEN(r, "l1.latency=10", NULL);
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, 0x1000), 4, 128, UINT32_MAX);
    lsu_rig_lanes(lsu_rig_add(&r, 200, INSN_LOAD, STREAM_GLOBAL, 0x1000), 4, 128, UINT32_MAX);
    lsu_rig_add(&r, 200, INSN_LOAD, STREAM_GLOBAL, 0x1000);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(lsu_rig_usable(&r, 1), 200 + 10 + 31);
    CHECK_EQ(lsu_rig_usable(&r, 2), 200 + 10 + 32);
    CHECK_EQ(r.sm.lsu->loads[LOADS_GLOBAL].accesses, 65);
    lsu_rig_close(&r);
}

static void a_shared_access_takes_its_degree(void)
{
    OPEN(r, "shared.latency=26", NULL);
    lsu_rig_lanes(lsu_rig_add(&r, 10, INSN_LOAD, STREAM_SHARED, 0), 4, 32, UINT32_MAX);
    lsu_rig_add(&r, 10, INSN_LOAD, STREAM_SHARED, 0);
    lsu_rig_add(&r, 10, INSN_STORE, STREAM_SHARED, 0);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(lsu_rig_usable(&r, 0), 10 + 26 + 7);
    CHECK_EQ(lsu_rig_usable(&r, 1), 18 + 26);
    CHECK_EQ(r.sm.lsu->shared.loads, 2);
    CHECK_EQ(r.sm.lsu->shared.stores, 1);
    CHECK_EQ(r.sm.lsu->shared.cycles, 10);
    CHECK_EQ(r.sm.lsu->shared.conflict_cycles, 7);
    lsu_rig_close(&r);
}

static void constants_take_a_cycle_per_distinct_word(void)
{
    OPEN(r, "constant.latency=8", NULL);
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_LOAD, STREAM_CONST, 0x100), 4, 0, UINT32_MAX);
    lsu_rig_lanes(lsu_rig_add(&r, 100, INSN_LOAD, STREAM_CONST, 0x100), 4, 0, UINT32_MAX);
    lsu_rig_lanes(lsu_rig_add(&r, 200, INSN_LOAD, STREAM_CONST, 0x100), 4, 4, 0xff);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(lsu_rig_usable(&r, 1), 108);
    CHECK_EQ(lsu_rig_usable(&r, 2), 200 + 8 + 7);
    CHECK_EQ(r.sm.lsu->loads[LOADS_CONST].hits, 9);
    CHECK_EQ(r.memory.seen[0].sectors, 3); /* a line of 64 bytes */
    CHECK_EQ(r.memory.seen[0].bytes, 64);
    lsu_rig_close(&r);
}

static void parameters_are_constants_at_a_place_of_their_own(void)
{
    OPEN(r, "constant.line=32", NULL);
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_LOAD, STREAM_PARAM, 0x28), 8, 0, UINT32_MAX);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.memory.seen[0].line, RIG_PARAM_BASE);
    CHECK_EQ(r.memory.seen[0].words, 3u << 10);
    CHECK_EQ(r.memory.seen[0].sectors, 2);
    lsu_rig_close(&r);
}

static void texture_fetches_have_their_own_cache(void)
{
    OPEN(r, "texture.latency=100", NULL);
    lsu_rig_add(&r, 0, INSN_LOAD, STREAM_TEX, 0x1000);
    lsu_rig_add(&r, 100, INSN_LOAD, STREAM_GLOBAL, 0x1000);
    lsu_rig_add(&r, 200, INSN_LOAD, STREAM_TEX, 0x1000);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.memory.nseen, 2);
    CHECK_EQ(lsu_rig_usable(&r, 2), 300);
    lsu_rig_close(&r);
}

/* 32 neighbouring words are one access of a line of 128 bytes, two of 64, four of 32, and each
 * asks for the sectors of its line. */
static void texture_lines_can_be_shorter(void)
{
    static const char *const lines[] = {"texture.line=128", "texture.line=64", "texture.line=32"};
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t n = 1u << k;
        OPEN(r, lines[k], NULL);
        lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_LOAD, STREAM_TEX, 0x1000), 4, 4, UINT32_MAX);
        lsu_rig_lanes(lsu_rig_add(&r, 300, INSN_LOAD, STREAM_TEX, 0x1000), 4, 4, UINT32_MAX);
        lsu_rig_lanes(lsu_rig_add(&r, 600, INSN_LOAD, STREAM_TEX, 0x20a0), 4, 0, 1);
        lsu_rig_run(&r, HD_NEVER);
        CHECK_EQ(r.memory.nseen, n + 1);
        for (uint32_t i = 0; i < n; i++) {
            CHECK_EQ(r.memory.seen[i].line, 0x1000);
            CHECK_EQ(r.memory.seen[i].sectors, ((1u << 4 / n) - 1) << i * 4 / n);
        }
        CHECK_EQ(lsu_rig_usable(&r, 1), 300 + 100 + n - 1);
        CHECK_EQ(r.memory.seen[n].line, 0x2080);
        CHECK_EQ(r.memory.seen[n].sectors, k == 0 ? 15 : k == 1 ? 3 : 2);
        lsu_rig_close(&r);
    }
}

static void an_instruction_with_several_sets_completes_with_the_last(void)
{
    OPEN(r, "shared.latency=26", NULL);
    struct lsu_rig_step *s = lsu_rig_add(&r, 0, INSN_LOAD | INSN_MULTI, STREAM_SHARED, 0);
    lsu_rig_lanes(s, 4, 4, 0xff);
    s->op.nsets = 2;
    s->op.access[1] = s->op.access[0];
    s->op.access[1].space = STREAM_GLOBAL;
    s->op.access[1].mask = 0xff00;
    s->op.access[1].base = 0x2000;
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(lsu_rig_usable(&r, 0), 1 + 54); /* the second set is looked at in 2 */
    CHECK_EQ(r.memory.seen[0].words, 0xff00);
    CHECK_EQ(r.sm.lsu->shared.loads, 1);
    CHECK_EQ(r.sm.lsu->loads[LOADS_GLOBAL].instructions, 1);
    lsu_rig_close(&r);
}

static void a_fetch_without_texels_completes_like_a_hit(void)
{
    OPEN(r, "texture.latency=100", NULL);
    lsu_rig_add(&r, 5, INSN_LOAD | INSN_MULTI, STREAM_TEX, 0)->op.nsets = 0;
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(lsu_rig_usable(&r, 0), 105);
    CHECK_EQ(r.memory.nseen, 0);
    lsu_rig_close(&r);
}

static hd_cycle quiet_at(const struct lsu_rig *r, uint32_t warp)
{
    hd_cycle at = HD_NEVER;
    for (uint32_t i = 0; i < r->sm.nevents; i++)
        if (r->sm.event[i].insn == COMPLETION_QUIET && r->sm.event[i].warp == warp)
            at = r->sm.event[i].at;
    return at;
}

static void a_warp_is_quiet_when_all_its_stores_are_acknowledged(void)
{
    OPEN(r, NULL, NULL);
    struct lsu_rig_step *s = lsu_rig_add(&r, 0, INSN_STORE, STREAM_GLOBAL, 0x1000);
    lsu_rig_lanes(s, 4, 128, 7);
    s->warp = 2;
    lsu_rig_run(&r, 2);
    CHECK_EQ(lsu_outstanding(r.sm.lsu, 2), 2); /* the instruction and the first of its lines */
    lsu_rig_run(&r, 10);
    CHECK_EQ(lsu_outstanding(r.sm.lsu, 2), 3);
    CHECK(!lsu_is_idle(r.sm.lsu));
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(lsu_outstanding(r.sm.lsu, 2), 0);
    CHECK_EQ(quiet_at(&r, 2), 53 + 2 + 1); /* the third one's answer is taken in 55 */
    CHECK_EQ(r.sm.nevents, 1);
    lsu_rig_close(&r);
}

static void the_queue_and_the_pending_table_limit_issue(void)
{
    OPEN(r, "l1.queue=3", "l1.pending=4");
    for (uint32_t i = 0; i < 6; i++)
        lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, 0x1000 * (i + 1));
    lsu_rig_run(&r, 40);
    CHECK_EQ(r.sm.next, 4);
    CHECK(!lsu_can_issue(r.sm.lsu));
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.issued[4], 53); /* when the first line is taken */
    lsu_rig_close(&r);
}

static void invalidation_forgets_all_caches(void)
{
    OPEN(r, NULL, NULL);
    lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, 0x1000);
    lsu_rig_add(&r, 0, INSN_LOAD, STREAM_TEX, 0x1000);
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_LOAD, STREAM_CONST, 0x1000), 4, 0, 1);
    lsu_rig_add(&r, 0, INSN_STORE, STREAM_LOCAL, 0);
    lsu_rig_run(&r, 900);
    CHECK(lsu_is_idle(r.sm.lsu));
    lsu_invalidate(r.sm.lsu, 0);
    lsu_rig_add(&r, 1000, INSN_LOAD, STREAM_GLOBAL, 0x1000);
    lsu_rig_add(&r, 1000, INSN_LOAD, STREAM_TEX, 0x1000);
    lsu_rig_lanes(lsu_rig_add(&r, 1000, INSN_LOAD, STREAM_CONST, 0x1000), 4, 0, 1);
    lsu_rig_add(&r, 1000, INSN_LOAD, STREAM_LOCAL, 0);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.memory.nseen, 7); /* and no write-back of the local line */
    CHECK_EQ(r.sm.lsu->stats.write_backs, 0);
    lsu_rig_close(&r);
}

CHECK_MAIN("lsu", TEST(a_hit_is_usable_after_the_latency_exactly),
           TEST(a_miss_takes_the_way_there_and_back), TEST(one_line_is_looked_at_per_cycle),
           TEST(a_shared_access_takes_its_degree), TEST(constants_take_a_cycle_per_distinct_word),
           TEST(parameters_are_constants_at_a_place_of_their_own),
           TEST(texture_fetches_have_their_own_cache), TEST(texture_lines_can_be_shorter),
           TEST(an_instruction_with_several_sets_completes_with_the_last),
           TEST(a_fetch_without_texels_completes_like_a_hit),
           TEST(a_warp_is_quiet_when_all_its_stores_are_acknowledged),
           TEST(the_queue_and_the_pending_table_limit_issue), TEST(invalidation_forgets_all_caches))
