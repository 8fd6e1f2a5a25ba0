/* L1 data cache: misses, merges, victims, sectors, stores, local memory.  One set of few ways. */
#include "check.h"
#include "rig/lsu_rig.h"
#include "rig/spy_policy.h"

#define A 0x10000u
#define B 0x20000u
#define C 0x30000u

/* l1.size=256, l1.ways=2: one set of two lines. */
#define OPEN(r, ...)                                                                               \
    struct lsu_rig r;                                                                              \
    lsu_rig_open(&r,                                                                               \
                 &(struct lsu_rig_options){                                                        \
                     .set = (const char *const[]){"l1.ways=2", "l1.size=256", __VA_ARGS__, NULL},  \
                     .latency = 50})

static struct lsu_rig_step *load(struct lsu_rig *r, hd_cycle at, uint64_t base)
{
    return lsu_rig_add(r, at, INSN_LOAD, STREAM_GLOBAL, base);
}

static struct lsu_rig_step *store(struct lsu_rig *r, hd_cycle at, uint64_t base)
{
    return lsu_rig_add(r, at, INSN_STORE, STREAM_GLOBAL, base);
}

static const struct load_stats *global(const struct lsu_rig *r)
{
    return &r->sm.lsu->loads[LOADS_GLOBAL];
}

static void two_misses_to_one_line_send_one_request(void)
{
    OPEN(r, "l1.mshrs=4");
    load(&r, 0, A);
    load(&r, 0, A)->warp = 1;
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.memory.nseen, 1);
    CHECK_EQ(global(&r)->misses, 1);
    CHECK_EQ(global(&r)->merges, 1);
    CHECK_EQ(lsu_rig_usable(&r, 0), lsu_rig_usable(&r, 1));
    lsu_rig_close(&r);
}

static void a_full_mshr_table_stalls_the_head(void)
{
    OPEN(r, "l1.mshrs=1");
    load(&r, 0, A);
    load(&r, 0, B);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.lsu->stats.stall_mshr, 53 - 2); /* looked at from 2 on, sent when A is taken */
    CHECK_EQ(lsu_rig_usable(&r, 1), 53 + 53);
    CHECK_EQ(r.sm.lsu->cache[CACHE_L1].stats.mshr_cycles, 104); /* 1..53, 53..105 */
    lsu_rig_close(&r);
}

static void a_full_merge_list_stalls_the_head(void)
{
    OPEN(r, "l1.merges=1");
    load(&r, 0, A);
    load(&r, 0, A);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.lsu->stats.stall_merge, 51);
    CHECK_EQ(global(&r)->hits, 1);
    CHECK_EQ(lsu_rig_usable(&r, 1), 52 + 35);
    lsu_rig_close(&r);
}

static void reserved_ways_stall_the_head_and_settling_splits_the_time(void)
{
    OPEN(r, "l1.mshrs=8");
    load(&r, 0, A);
    load(&r, 0, B);
    load(&r, 0, C);
    lsu_rig_run(&r, 30);
    lsu_settle(r.sm.lsu, 30);
    CHECK_EQ(r.sm.lsu->stats.stall_way, 27);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.lsu->stats.stall_way, 50);
    CHECK_EQ(r.sm.lsu->cache[CACHE_L1].stats.evictions, 1);
    lsu_rig_close(&r);
}

static void allocation_on_fill_needs_no_way_at_the_miss(void)
{
    OPEN(r, "l1.allocate=fill");
    load(&r, 0, A);
    load(&r, 0, B);
    load(&r, 0, C);
    load(&r, 200, C);
    load(&r, 300, A);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.lsu->stats.stall_way, 0);
    CHECK_EQ(global(&r)->hits, 1);
    CHECK_EQ(global(&r)->misses, 4);
    CHECK_EQ(r.sm.lsu->cache[CACHE_L1].stats.evictions, 2);
    lsu_rig_close(&r);
}

static void the_least_recently_used_line_goes(void)
{
    OPEN(r, "l1.mshrs=8");
    load(&r, 0, A);
    load(&r, 100, B);
    load(&r, 200, A);
    load(&r, 300, C);
    load(&r, 400, A);
    load(&r, 500, B);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(global(&r)->hits, 2);
    CHECK_EQ(global(&r)->misses, 4);
    lsu_rig_close(&r);
}

static void sectors_are_fetched_as_they_are_asked_for(void)
{
    OPEN(r, "l1.sectored=true");
    lsu_rig_lanes(load(&r, 0, A), 4, 4, 0x000000ff);
    lsu_rig_lanes(load(&r, 0, A), 4, 4, 0x0000ffff); /* one of two is on its way */
    lsu_rig_lanes(load(&r, 0, A), 4, 4, 0x0000ff00);
    lsu_rig_lanes(load(&r, 100, A), 4, 4, 0x0000ffff);
    lsu_rig_lanes(load(&r, 200, A), 4, 4, 0x80000001);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.memory.nseen, 3);
    CHECK_EQ(r.memory.seen[0].sectors, 1);
    CHECK_EQ(r.memory.seen[0].bytes, 32);
    CHECK_EQ(r.memory.seen[1].sectors, 2);
    CHECK_EQ(r.memory.seen[2].sectors, 8);
    CHECK_EQ(lsu_rig_usable(&r, 0), 54);
    CHECK_EQ(lsu_rig_usable(&r, 1), 55);
    CHECK_EQ(lsu_rig_usable(&r, 2), 55);
    CHECK_EQ(global(&r)->misses, 3);
    CHECK_EQ(global(&r)->merges, 1);
    CHECK_EQ(global(&r)->hits, 1);
    CHECK_EQ(global(&r)->sectors, 3);
    lsu_rig_close(&r);
}

static void a_store_evicts_the_line_it_hits(void)
{
    OPEN(r, "l1.write_hit=evict");
    load(&r, 0, A);
    store(&r, 100, A);
    store(&r, 110, B);
    load(&r, 200, A);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.lsu->stats.store_hits, 1);
    CHECK_EQ(r.sm.lsu->stats.store_accesses, 2);
    CHECK_EQ(global(&r)->misses, 2);
    lsu_rig_close(&r);
}

static void a_store_updates_the_line_it_hits(void)
{
    OPEN(r, "l1.write_hit=update");
    load(&r, 0, A);
    store(&r, 100, A);
    load(&r, 200, A);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.lsu->stats.store_hits, 1);
    CHECK_EQ(global(&r)->hits, 1);
    CHECK_EQ(r.memory.seen[1].kind, REQUEST_WRITE);
    lsu_rig_close(&r);
}

#define ALLOCATES "l1.write_hit=update", "l1.write_miss=allocate"

static void a_store_that_misses_can_take_a_line_for_its_words(void)
{
    OPEN(r, ALLOCATES);
    lsu_rig_lanes(store(&r, 0, A), 4, 4, 1); /* a word */
    lsu_rig_lanes(load(&r, 100, A), 4, 4, 1);
    load(&r, 200, A); /* the rest is fetched */
    load(&r, 300, A);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.lsu->write_miss.store_lines, 1);
    CHECK_EQ(r.sm.lsu->stats.store_hits, 0);
    CHECK_EQ(global(&r)->hits, 2);
    CHECK_EQ(global(&r)->misses, 1);
    CHECK_EQ(r.memory.nseen, 2); /* written through, and fetched once */
    CHECK_EQ(r.sm.lsu->stats.write_backs, 0);
    lsu_rig_close(&r);
}

/* A line that is on its way keeps the words that are newer, and is kept. */
static void a_store_takes_a_line_for_what_is_on_its_way(void)
{
    OPEN(r, ALLOCATES, "l1.allocate=fill");
    load(&r, 0, A);
    store(&r, 10, A);
    load(&r, 20, A); /* the words of the store */
    load(&r, 200, A);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.lsu->write_miss.store_lines, 1);
    CHECK_EQ(global(&r)->hits, 2);
    CHECK_EQ(r.sm.lsu->cache[CACHE_L1].stats.unkept, 0);
    lsu_rig_close(&r);
}

static void a_store_does_not_wait_for_a_line(void)
{
    OPEN(r, ALLOCATES);
    load(&r, 0, A);
    load(&r, 0, B); /* both ways are reserved */
    store(&r, 10, C);
    load(&r, 200, C);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.lsu->write_miss.store_lines, 0);
    CHECK_EQ(r.sm.lsu->stats.stall_way, 0);
    CHECK_EQ(global(&r)->misses, 3);
    lsu_rig_close(&r);
}

/* The line was read before the store: a load after the store reads for itself, and the line is not
 * kept. */
static void what_a_store_made_old_on_its_way_is_not_kept(void)
{
    OPEN(r, "l1.write_hit=evict");
    load(&r, 0, A);
    store(&r, 10, A);
    load(&r, 20, A);
    load(&r, 200, A);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(global(&r)->misses, 2);
    CHECK_EQ(global(&r)->passes, 1);
    CHECK_EQ(r.sm.lsu->cache[CACHE_L1].stats.unkept, 1);
    CHECK_EQ(lsu_rig_usable(&r, 2), 20 + 54);
    CHECK_EQ(r.memory.seen[2].flags, REQUEST_BYPASS_L1);
    lsu_rig_close(&r);
}

static void an_update_of_a_line_on_its_way_can_be_read_at_once(void)
{
    OPEN(r, "l1.write_hit=update");
    load(&r, 0, A);
    lsu_rig_lanes(store(&r, 10, A), 4, 4, 0xff);
    lsu_rig_lanes(load(&r, 20, A), 4, 4, 0x0f);
    load(&r, 200, A);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(global(&r)->hits, 2);
    CHECK_EQ(lsu_rig_usable(&r, 2), 55);
    lsu_rig_close(&r);
}

static void bypassing_loads_and_atomics_drop_the_line(void)
{
    OPEN(r, "l1.mshrs=8");
    load(&r, 0, A);
    lsu_rig_add(&r, 100, INSN_LOAD | INSN_BYPASS_L1, STREAM_GLOBAL, A);
    load(&r, 200, A);
    lsu_rig_add(&r, 300, INSN_ATOMIC | INSN_LOAD, STREAM_GLOBAL, A);
    load(&r, 400, A);
    lsu_rig_add(&r, 500, INSN_ATOMIC, STREAM_GLOBAL, A);
    load(&r, 600, A);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(global(&r)->misses, 4);
    CHECK_EQ(global(&r)->passes, 1);
    CHECK_EQ(r.memory.nseen, 7);
    lsu_rig_close(&r);
}

static void a_disabled_l1_still_holds_local_memory(void)
{
    OPEN(r, "l1.enabled=false");
    load(&r, 0, A);
    load(&r, 100, A);
    lsu_rig_add(&r, 200, INSN_STORE, STREAM_LOCAL, 8);
    lsu_rig_add(&r, 210, INSN_LOAD | INSN_BYPASS_L1, STREAM_LOCAL, 8);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(global(&r)->passes, 2);
    CHECK_EQ(r.memory.nseen, 2);
    CHECK_EQ(r.memory.seen[0].flags, REQUEST_BYPASS_L1);
    CHECK_EQ(r.sm.lsu->loads[LOADS_LOCAL].hits, 1);
    lsu_rig_close(&r);
}

static void local_stores_fetch_nothing_and_dirty_victims_are_written_back(void)
{
    OPEN(r, "l1.mshrs=8");
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_STORE, STREAM_LOCAL, 4), 4, 0, 0xff);
    lsu_rig_add(&r, 10, INSN_STORE, STREAM_LOCAL, 8)->warp = 1;
    lsu_rig_add(&r, 20, INSN_STORE, STREAM_LOCAL, 12)->warp = 2;
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.memory.nseen, 1);
    CHECK_EQ(r.memory.seen[0].line, RIG_LOCAL_BASE + 128);
    CHECK_EQ(r.memory.seen[0].words, 0xff);
    CHECK_EQ(r.memory.seen[0].bytes, 32);
    CHECK_EQ(r.memory.seen[0].kind, REQUEST_WRITE);
    CHECK_EQ(r.memory.seen[0].space, STREAM_LOCAL);
    CHECK_EQ(r.memory.seen[0].cta, 10);
    CHECK_EQ(r.sm.lsu->stats.local_store_misses, 3);
    CHECK_EQ(r.sm.lsu->stats.write_backs, 1);
    lsu_rig_close(&r);
}

static void a_load_of_words_that_are_missing_fetches_and_keeps_the_dirty_ones(void)
{
    OPEN(r, "l1.mshrs=8");
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_STORE, STREAM_LOCAL, 4), 4, 0, 0xff);
    lsu_rig_lanes(lsu_rig_add(&r, 10, INSN_LOAD, STREAM_LOCAL, 4), 4, 0, 0x0f);
    lsu_rig_lanes(lsu_rig_add(&r, 20, INSN_LOAD, STREAM_LOCAL, 4), 4, 0, 0xff00);
    load(&r, 200, A);
    load(&r, 300, B); /* the local line goes */
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.sm.lsu->loads[LOADS_LOCAL].hits, 1);
    CHECK_EQ(r.sm.lsu->loads[LOADS_LOCAL].misses, 1);
    CHECK_EQ(r.memory.nseen, 4);
    CHECK_EQ(r.memory.seen[2].kind, REQUEST_WRITE); /* the victim before its successor */
    CHECK_EQ(r.memory.seen[2].words, 0xff);
    CHECK_EQ(r.memory.seen[3].line, B);
    lsu_rig_close(&r);
}

static void each_warp_has_local_memory_of_its_own(void)
{
    OPEN(r, "l1.mshrs=8");
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_LOAD, STREAM_LOCAL, 4), 8, 0, 1);
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_LOAD, STREAM_LOCAL, 4), 4, 0, 1);
    r.sm.step[1].warp = 3; /* 62 bytes per thread are 16 words */
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.memory.seen[0].line, RIG_LOCAL_BASE + 128);
    CHECK_EQ(r.memory.seen[1].line, RIG_LOCAL_BASE + 256);
    CHECK_EQ(r.memory.seen[2].line, RIG_LOCAL_BASE + (3 * 16 + 1) * 128);
    lsu_rig_close(&r);
}

/* ---- capacity ---- */

enum { ROUNDS = 3 };

/* Three times over n lines that follow one another; how many loads hit after the first round.  A
 * warp wants 32 lines at once, and the next one begins when all have come. */
static uint64_t hits_of_loop(uint32_t n, const char *sets, const char *index)
{
    const uint32_t warps = (n + 31) / 32;
    struct lsu_rig r;
    const char *const set[] = {"l1.ways=4", sets, "l1.hashed=false", index, NULL};
    lsu_rig_open(&r, &(struct lsu_rig_options){.set = set, .latency = 50, .steps = ROUNDS * warps});
    for (uint32_t i = 0; i < ROUNDS * warps; i++) {
        const uint32_t first = i % warps * 32;
        const uint32_t lanes = n - first < 32 ? (1u << (n - first)) - 1 : UINT32_MAX;
        lsu_rig_lanes(load(&r, i * 1000, first * 128), 4, 128, lanes);
    }
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(global(&r)->accesses, ROUNDS * n);
    CHECK_EQ(global(&r)->hits + global(&r)->misses, ROUNDS * n);
    const uint64_t hits = global(&r)->hits;
    lsu_rig_close(&r);
    return hits;
}

/* One line too many goes round with the four of its set, and of these five none ever hits. */
static void a_loop_hits_from_the_second_round_on_if_its_lines_fit(void)
{
    static const struct {
        const char *sets, *index;
        uint32_t lines;
    } cases[] = {
        {"l1.size=48K", "l1.masked=false", 384}, /* 96 sets */
        {"l1.size=48K", "l1.masked=true", 256},  /* 64 of them */
        {"l1.size=24K", "l1.masked=false", 192}, /* 48 sets */
        {"l1.size=24K", "l1.masked=true", 128},  /* 32 of them */
        {"l1.size=32K", "l1.masked=false", 256}, /* 64 sets, whichever way */
        {"l1.size=32K", "l1.masked=true", 256},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const uint32_t n = cases[k].lines;
        for (uint32_t less = 0; less < 100; less += 33)
            CHECK_EQ(hits_of_loop(n - less, cases[k].sets, cases[k].index),
                     (ROUNDS - 1) * (n - less));
        CHECK_EQ(hits_of_loop(n + 1, cases[k].sets, cases[k].index), (ROUNDS - 1) * (n + 1 - 5));
    }
}

/* ---- under another policy ---- */

static void the_victim_is_the_policys(void)
{
    OPEN(r, "l1.replacement=fifo");
    load(&r, 0, A);
    load(&r, 100, B);
    load(&r, 200, A);
    load(&r, 300, C); /* A came first */
    load(&r, 400, B);
    load(&r, 500, A);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(global(&r)->hits, 2);
    CHECK_EQ(global(&r)->misses, 4);
    lsu_rig_close(&r);
}

static void loads_that_get_no_line_are_merged_and_kept_nowhere(void)
{
    OPEN(r, "l1.replacement=pass", "pass.spaces=global");
    load(&r, 0, A);
    load(&r, 0, A)->warp = 1;
    load(&r, 100, A);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(global(&r)->misses, 2);
    CHECK_EQ(global(&r)->merges, 1);
    CHECK_EQ(r.sm.lsu->cache[CACHE_L1].stats.unkept, 2);
    lsu_rig_close(&r);
}

static void loads_that_pass_by_ask_for_their_own_sectors(void)
{
    OPEN(r, "l1.replacement=pass", "pass.spaces=global", "pass.mode=no_mshr", "l1.mshrs=1");
    lsu_rig_lanes(load(&r, 0, A), 4, 4, 0xff00);
    lsu_rig_lanes(load(&r, 0, A), 4, 4, 0xff00);
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.memory.nseen, 2);
    CHECK_EQ(r.memory.seen[0].sectors, 2);
    CHECK(r.memory.seen[0].flags & REQUEST_BYPASS_L1);
    CHECK_EQ(global(&r)->passes, 2);
    CHECK_EQ(r.sm.lsu->cache[CACHE_L1].stats.mshr_cycles, 0);
    CHECK_EQ(lsu_rig_usable(&r, 1), lsu_rig_usable(&r, 0) + 1);
    lsu_rig_close(&r);
}

static void local_stores_that_get_no_line_are_written_through(void)
{
    OPEN(r, "l1.replacement=pass", "pass.kinds=write", "pass.spaces=local");
    lsu_rig_add(&r, 0, INSN_STORE, STREAM_LOCAL, 0);
    lsu_rig_add(&r, 100, INSN_LOAD, STREAM_LOCAL, 0);
    lsu_rig_add(&r, 200, INSN_STORE, STREAM_LOCAL, 0); /* its line is there */
    lsu_rig_run(&r, HD_NEVER);
    CHECK_EQ(r.memory.nseen, 2);
    CHECK_EQ(r.memory.seen[0].kind, REQUEST_WRITE);
    CHECK_EQ(r.memory.seen[0].space, STREAM_LOCAL);
    CHECK_EQ(r.sm.lsu->refused.local_store_passes, 1);
    CHECK_EQ(r.sm.lsu->stats.local_store_hits, 1);
    CHECK_EQ(r.sm.lsu->stats.write_backs, 0);
    lsu_rig_close(&r);
}

/* ---- what a policy is told ---- */

static void spy_on(struct lsu_rig *r, struct spy_policy *spy)
{
    spy_policy_attach(spy, &r->sm.lsu->cache[CACHE_L1].tags);
}

static void a_policy_is_told_of_every_answer_and_what_it_says(void)
{
    for (uint32_t shared = 0; shared <= 256; shared += 256) {
        struct spy_policy spy = {.keeps = true};
        OPEN(r, "l1.mshrs=4");
        r.memory.shared = shared;
        spy_on(&r, &spy);
        load(&r, 0, A);
        load(&r, 0, A)->warp = 1;
        store(&r, 0, B); /* its acknowledgement tells nothing */
        lsu_rig_run(&r, HD_NEVER);
        CHECK_EQ(spy.filled, 1);
        CHECK_EQ(spy.came, 1);
        CHECK_EQ(spy.refused, 0);
        CHECK_EQ(spy.ask.waited, 2);
        CHECK_EQ(spy.ask.is_shared, shared != 0);
        CHECK_EQ(spy.ask.line, A);
        CHECK_EQ(spy.ask.sm, 7);
        CHECK_EQ(spy.ask.now, lsu_rig_usable(&r, 0) - 1); /* l1.fill_latency */
        CHECK_EQ(tags_address(spy.tags, spy.line), A);
        lsu_rig_close(&r);
    }
}

static void what_a_policy_refuses_it_is_told_once(void)
{
    for (int on_fill = 0; on_fill < 2; on_fill++) {
        struct spy_policy spy = {.keeps = false};
        OPEN(r, on_fill ? "l1.allocate=fill" : "l1.allocate=miss", "l1.requests=8");
        spy_on(&r, &spy);
        for (uint64_t i = 0; i < 12; i++) /* most of them have to wait for a request */
            load(&r, 0, A + 128 * i);
        lsu_rig_add(&r, 1000, INSN_STORE, STREAM_LOCAL, 0);
        lsu_rig_run(&r, 900);
        CHECK_EQ(spy.refused, 12);
        CHECK_EQ(spy.came, 12);
        CHECK_EQ(spy.line, TAGS_NONE);
        CHECK_EQ(spy.filled, 0);
        lsu_rig_run(&r, HD_NEVER);
        CHECK_EQ(spy.refused, 13);
        CHECK_EQ(spy.ask.kind, REQUEST_WRITE);
        CHECK_EQ(spy.ask.space, STREAM_LOCAL);
        lsu_rig_close(&r);
    }
}

CHECK_MAIN("lsu_cache", TEST(a_loop_hits_from_the_second_round_on_if_its_lines_fit),
           TEST(two_misses_to_one_line_send_one_request), TEST(a_full_mshr_table_stalls_the_head),
           TEST(a_full_merge_list_stalls_the_head),
           TEST(reserved_ways_stall_the_head_and_settling_splits_the_time),
           TEST(allocation_on_fill_needs_no_way_at_the_miss),
           TEST(the_least_recently_used_line_goes), TEST(sectors_are_fetched_as_they_are_asked_for),
           TEST(a_store_evicts_the_line_it_hits), TEST(a_store_updates_the_line_it_hits),
           TEST(a_store_that_misses_can_take_a_line_for_its_words),
           TEST(a_store_takes_a_line_for_what_is_on_its_way),
           TEST(a_store_does_not_wait_for_a_line),
           TEST(what_a_store_made_old_on_its_way_is_not_kept),
           TEST(an_update_of_a_line_on_its_way_can_be_read_at_once),
           TEST(bypassing_loads_and_atomics_drop_the_line),
           TEST(a_disabled_l1_still_holds_local_memory),
           TEST(local_stores_fetch_nothing_and_dirty_victims_are_written_back),
           TEST(a_load_of_words_that_are_missing_fetches_and_keeps_the_dirty_ones),
           TEST(each_warp_has_local_memory_of_its_own), TEST(the_victim_is_the_policys),
           TEST(loads_that_get_no_line_are_merged_and_kept_nowhere),
           TEST(loads_that_pass_by_ask_for_their_own_sectors),
           TEST(local_stores_that_get_no_line_are_written_through),
           TEST(a_policy_is_told_of_every_answer_and_what_it_says),
           TEST(what_a_policy_refuses_it_is_told_once))
