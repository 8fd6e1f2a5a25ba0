/* What an observer of the load/store unit is told, and what it makes of it. */
#include "check.h"

#include "analysis/sharing_priv.h"
#include "base/rng.h"
#include "rig/lsu_rig.h"

#define A 0x10000u
#define B 0x20000u
#define C 0x30000u

struct rig {
    struct lsu_rig l;
    struct sharing_sm *w;
};

/* One set of two lines, unless `set` says otherwise. */
static void open_rig(struct rig *r, const char *const *set, uint32_t lines, uint32_t steps)
{
    const struct sharing_spec spec = {.enabled = true, .stores = true};
    lsu_rig_open(&r->l, &(struct lsu_rig_options){.set = set, .latency = 50, .steps = steps});
    r->w = sharing_sm_new(r->l.arena, &spec, 0, lines);
    r->l.sm.lsu->watch = lsu_watch_new(r->l.arena, r->w, false);
}

#define OPEN(r, ...)                                                                               \
    struct rig r;                                                                                  \
    open_rig(&(r), (const char *const[]){"l1.ways=2", "l1.size=256", __VA_ARGS__, NULL}, 2, 64)

static void close_rig(struct rig *r)
{
    sharing_sm_free(r->w);
    lsu_rig_close(&r->l);
}

static struct lsu_rig_step *add(struct rig *r, hd_cycle at, uint32_t flags, uint64_t base)
{
    return lsu_rig_add(&r->l, at, flags, STREAM_GLOBAL, base);
}

static const struct footprint_block *block(const struct rig *r, uint64_t line)
{
    uint32_t i = lines_find(&r->w->of[0].blocks, line);
    CHECK(i != LINES_NONE);
    return lines_at(&r->w->of[0].blocks, i);
}

static void check_classes(const struct rig *r, uint64_t compulsory, uint64_t capacity,
                          uint64_t conflict, uint64_t invalidated)
{
    CHECK_EQ(r->w->stats.compulsory, compulsory);
    CHECK_EQ(r->w->stats.capacity, capacity);
    CHECK_EQ(r->w->stats.conflict, conflict);
    CHECK_EQ(r->w->stats.invalidated, invalidated);
}

static void loads_miss_merge_and_hit(void)
{
    OPEN(r, "l1.mshrs=4");
    add(&r, 0, INSN_LOAD, A);
    add(&r, 0, INSN_LOAD, A);
    add(&r, 100, INSN_LOAD, A);
    add(&r, 5000, INSN_LOAD, A);
    lsu_rig_run(&r.l, HD_NEVER);
    CHECK_EQ(block(&r, A)->load[LOAD_MISS], 1);
    CHECK_EQ(block(&r, A)->load[LOAD_MERGE], 1);
    CHECK_EQ(block(&r, A)->load[LOAD_HIT], 2);
    CHECK_EQ(block(&r, A)->filled, 53);  /* when its answer is taken */
    CHECK_EQ(block(&r, A)->reuse[1], 1); /* 101 - 53 */
    CHECK_EQ(block(&r, A)->reuse[3], 1);
    check_classes(&r, 1, 0, 0, 0);
    close_rig(&r);
}

static void a_stalled_load_is_told_of_once(void)
{
    OPEN(r, "l1.mshrs=1");
    add(&r, 0, INSN_LOAD, A);
    add(&r, 0, INSN_LOAD, B); /* waits for the MSHR */
    lsu_rig_run(&r.l, HD_NEVER);
    CHECK_EQ(block(&r, B)->load[LOAD_MISS], 1);
    CHECK_EQ(r.w->stats.full_misses, 2);
    close_rig(&r);
}

static void a_load_that_passes_by_is_none_through_the_l1(void)
{
    OPEN(r, "l1.write_hit=evict");
    add(&r, 0, INSN_LOAD, A);
    add(&r, 0, INSN_LOAD, A);
    add(&r, 10, INSN_STORE, A);
    add(&r, 20, INSN_LOAD, A); /* what is on its way is too old for it */
    lsu_rig_run(&r.l, HD_NEVER);
    CHECK_EQ(r.l.sm.lsu->loads[LOADS_GLOBAL].passes, 1);
    CHECK_EQ(block(&r, A)->load[LOAD_MISS], 1);
    CHECK_EQ(block(&r, A)->load[LOAD_MERGE], 1);
    CHECK_EQ(block(&r, A)->load[LOAD_HIT], 0);
    CHECK_EQ(r.w->stats.full_misses, 2); /* but the shadow misses it, too */
    CHECK_EQ(block(&r, A)->filled, 53);  /* and what comes for it fills nothing */
    close_rig(&r);
}

/* sm.drain=false: the next CTA may have the warp's place before the stores are looked at. */
static void a_store_is_its_own_ctas_although_another_has_its_place(void)
{
    OPEN(r, "l1.mshrs=4");
    add(&r, 0, INSN_STORE, A);
    lsu_rig_lanes(add(&r, 0, INSN_STORE, B), 4, 128, 0xff);
    lsu_rig_run(&r.l, 4); /* of the second, two lines were looked at */
    lsu_set_warp(r.l.sm.lsu, 0, &(struct lsu_warp){99, 4, 0, 0});
    add(&r, 50, INSN_STORE, C);
    lsu_rig_run(&r.l, HD_NEVER);
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(block(&r, B + 128 * i)->last_cta, 10);
    CHECK_EQ(block(&r, C)->last_cta, 99);
    for (uint32_t i = 0; i < r.l.memory.nseen; i++) {
        bool is_next = r.l.memory.seen[i].line == C;
        CHECK_EQ(r.l.memory.seen[i].cta, is_next ? 99 : 10);
        CHECK_EQ(r.l.memory.seen[i].kernel, is_next ? 4 : 3);
    }
    close_rig(&r);
}

/* The rig's shadow was made with two lines. */
static void a_shadow_has_the_size_that_shared_memory_leaves_the_l1(void)
{
    OPEN(r, "l1.size=512", "l1.ways=1", "l1.hashed=false", "l1.carveouts=0,256,384");
    for (uint64_t shared = 0, at = 0; shared <= 384; shared += 384, at += 3000) {
        lsu_invalidate(r.l.sm.lsu, PROGRAM_ANY);
        lsu_carve(r.l.sm.lsu, shared);
        for (uint64_t i = 0; i < 9; i++) /* in one set, whatever their number */
            add(&r, at + 200 * i, INSN_LOAD, A + 512 * (i % 3));
        lsu_rig_run(&r.l, at + 2900);
    }
    check_classes(&r, 3, 6, 6, 3); /* four lines held all three, one does not */
    close_rig(&r);
}

static void whatever_touches_global_memory_is_of_its_cta(void)
{
    static const uint32_t flags[] = {INSN_LOAD, INSN_LOAD | INSN_BYPASS_L1, INSN_STORE,
                                     INSN_LOAD | INSN_ATOMIC, INSN_ATOMIC};
    OPEN(r, "l1.mshrs=4");
    for (uint32_t i = 0; i < 5; i++)
        add(&r, 100 * i, flags[i], A)->warp = i; /* of CTA 10 + i */
    lsu_rig_add(&r.l, 600, INSN_LOAD, STREAM_TEX, B)->warp = 3;
    lsu_rig_add(&r.l, 700, INSN_LOAD, STREAM_LOCAL, 0)->warp = 3;
    lsu_rig_add(&r.l, 800, INSN_STORE, STREAM_LOCAL, 0)->warp = 3;
    lsu_rig_add(&r.l, 900, INSN_LOAD, STREAM_CONST, C)->warp = 3;
    lsu_rig_add(&r.l, 1000, INSN_LOAD, STREAM_SHARED, 0)->warp = 3;
    lsu_rig_run(&r.l, HD_NEVER);
    CHECK_EQ(r.w->of[0].blocks.n, 2); /* A and B */
    CHECK_EQ(r.w->of[0].ctas.n, 6);
    for (uint64_t i = 0; i < 5; i++)
        CHECK(lines_find(&r.w->of[0].ctas, 10 + i) != LINES_NONE);
    CHECK_EQ(block(&r, A)->load[LOAD_MISS], 1); /* the others are no loads through the L1 */
    CHECK_EQ(block(&r, B)->load[LOAD_MISS], 0);
    CHECK(!block(&r, B)->is_filled);
    CHECK_EQ(r.w->stats.compulsory, 2); /* A, and the local line */
    close_rig(&r);
}

static void what_a_store_drops_is_missed_for_that_reason(void)
{
    static const struct {
        const char *write_hit;
        uint32_t flags;
        uint64_t invalidated;
    } x[] = {{"l1.write_hit=evict", INSN_STORE, 1},
             {"l1.write_hit=update", INSN_STORE, 0},
             {"l1.write_hit=update", INSN_ATOMIC, 1},
             {"l1.write_hit=update", INSN_LOAD | INSN_BYPASS_L1, 1}};
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
        OPEN(r, x[i].write_hit);
        add(&r, 0, INSN_LOAD, A);
        add(&r, 200, x[i].flags, A);
        add(&r, 400, INSN_LOAD, A);
        lsu_rig_run(&r.l, HD_NEVER);
        check_classes(&r, 1, 0, 0, x[i].invalidated);
        CHECK_EQ(r.l.sm.lsu->loads[LOADS_GLOBAL].misses, 1 + x[i].invalidated);
        close_rig(&r);
    }
}

static void a_store_to_a_line_on_its_way_drops_it(void)
{
    OPEN(r, "l1.write_hit=update", "l1.allocate=fill");
    add(&r, 0, INSN_LOAD, A);
    add(&r, 10, INSN_STORE, A);
    add(&r, 400, INSN_LOAD, A); /* what came is too old, and was not kept */
    lsu_rig_run(&r.l, HD_NEVER);
    check_classes(&r, 1, 0, 0, 1);
    close_rig(&r);
}

static void kernels_forget_their_lines(void)
{
    OPEN(r, "l1.mshrs=4");
    add(&r, 0, INSN_LOAD, A);
    lsu_rig_run(&r.l, 200);
    lsu_invalidate(r.l.sm.lsu, PROGRAM_ANY);
    add(&r, 300, INSN_LOAD, A);
    lsu_rig_run(&r.l, HD_NEVER);
    check_classes(&r, 1, 0, 0, 1);
    close_rig(&r);
}

static void sectors_are_missed_one_by_one(void)
{
    OPEN(r, "l1.sectored=true");
    lsu_rig_lanes(add(&r, 0, INSN_LOAD, A), 4, 4, 0x1);
    lsu_rig_lanes(add(&r, 200, INSN_LOAD, A), 4, 4, 0xff);   /* the same sector */
    lsu_rig_lanes(add(&r, 400, INSN_LOAD, A), 4, 4, 0xff00); /* the next */
    lsu_rig_lanes(add(&r, 600, INSN_LOAD, B), 4, 4, 0x1);
    lsu_rig_lanes(add(&r, 800, INSN_LOAD, C), 4, 4, 0x1); /* A leaves */
    lsu_rig_lanes(add(&r, 1000, INSN_LOAD, A), 4, 4, 0x1);
    lsu_rig_lanes(add(&r, 1200, INSN_LOAD, A), 4, 4, 0x100);
    lsu_rig_lanes(add(&r, 1400, INSN_LOAD, A), 4, 4, 0x10000); /* was never there */
    lsu_rig_run(&r.l, HD_NEVER);
    CHECK_EQ(r.l.sm.lsu->loads[LOADS_GLOBAL].misses, 7);
    check_classes(&r, 5, 2, 0, 0);
    close_rig(&r);
}

static void stores_to_local_memory_take_lines_without_missing(void)
{
    OPEN(r, "l1.mshrs=4");
    lsu_rig_add(&r.l, 0, INSN_STORE, STREAM_LOCAL, 0);
    lsu_rig_add(&r.l, 100, INSN_LOAD, STREAM_LOCAL, 0); /* hits */
    add(&r, 200, INSN_LOAD, A);
    add(&r, 400, INSN_LOAD, B); /* the local line leaves */
    lsu_rig_add(&r.l, 600, INSN_LOAD, STREAM_LOCAL, 0);
    lsu_rig_run(&r.l, HD_NEVER);
    check_classes(&r, 2, 1, 0, 0);
    close_rig(&r);
}

#define ALLOCATES "l1.write_hit=update", "l1.write_miss=allocate"

static void stores_to_global_memory_may_do_so_too(void)
{
    OPEN(r, ALLOCATES);
    add(&r, 0, INSN_STORE, A);
    add(&r, 100, INSN_LOAD, A); /* hits */
    add(&r, 200, INSN_LOAD, B);
    add(&r, 400, INSN_STORE, C); /* A leaves */
    add(&r, 600, INSN_LOAD, A);  /* and B */
    add(&r, 800, INSN_LOAD, C);
    lsu_rig_run(&r.l, HD_NEVER);
    CHECK_EQ(r.l.sm.lsu->write_miss.store_lines, 2);
    CHECK_EQ(r.l.sm.lsu->loads[LOADS_GLOBAL].hits, 2);
    check_classes(&r, 1, 1, 0, 0);
    CHECK_EQ(r.w->stats.full_misses, 2);
    close_rig(&r);
}

static void a_store_that_takes_a_line_for_what_is_on_its_way_drops_nothing(void)
{
    OPEN(r, ALLOCATES, "l1.allocate=fill");
    add(&r, 0, INSN_LOAD, A);
    add(&r, 10, INSN_STORE, A);
    add(&r, 400, INSN_LOAD, A);
    lsu_rig_run(&r.l, HD_NEVER);
    CHECK_EQ(r.l.sm.lsu->loads[LOADS_GLOBAL].hits, 1);
    check_classes(&r, 1, 0, 0, 0);
    CHECK_EQ(r.w->stats.full_misses, 1);
    close_rig(&r);
}

/* ---- against a list of all loads ---- */

enum { SETS = 4, WAYS = 2, LOADS_OF_LIST = 600 };

/* Distinct lines of the same set (or of any) since the last use of line n; -1: there was none. */
static int distance(const uint32_t *line, int n, bool any_set)
{
    bool seen[64] = {false};
    int distinct = 0;
    for (int i = n - 1; i >= 0; i--) {
        if (line[i] == line[n])
            return distinct;
        if ((any_set || line[i] % SETS == line[n] % SETS) && !seen[line[i]]) {
            seen[line[i]] = true;
            distinct++;
        }
    }
    return -1;
}

/* With stores that take lines, one use in four is one: of a whole line, which no load then misses. */
static void follow_list(bool has_stores)
{
    static const char *const set[] = {"l1.ways=2", "l1.size=1K", "l1.hashed=false", ALLOCATES,
                                      NULL};
    uint32_t line[LOADS_OF_LIST];
    uint64_t compulsory = 0, capacity = 0, conflict = 0, full = 0;
    struct rig r;
    open_rig(&r, set, SETS * WAYS, LOADS_OF_LIST);
    for (int i = 0; i < LOADS_OF_LIST; i++) {
        uint64_t draw = rng_at(4, (uint64_t)i);
        bool is_load = !has_stores || rng_below(rng_at(5, (uint64_t)i), 4) > 0;
        line[i] = rng_below(draw, draw & 1 ? 24 : 6) * (draw & 2 ? 2 : 1);
        add(&r, 200 * (hd_cycle)i, is_load ? INSN_LOAD : INSN_STORE, A + 128 * line[i]);
        int here = distance(line, i, false), anywhere = distance(line, i, true);
        bool misses = here < 0 || here >= WAYS,
             misses_full = anywhere < 0 || anywhere >= SETS * WAYS;
        compulsory += is_load && here < 0;
        capacity += is_load && here >= 0 && misses && misses_full;
        conflict += is_load && here >= 0 && misses && !misses_full;
        full += is_load && misses_full;
    }
    lsu_rig_run(&r.l, HD_NEVER);
    CHECK(compulsory > 0 && capacity > 0 && conflict > 0);
    check_classes(&r, compulsory, capacity, conflict, 0);
    CHECK_EQ(r.w->stats.full_misses, full);
    CHECK_EQ(r.l.sm.lsu->loads[LOADS_GLOBAL].misses, compulsory + capacity + conflict);
    CHECK(has_stores == (r.l.sm.lsu->write_miss.store_lines > 0));
    close_rig(&r);
}

static void classes_follow_from_distances_in_the_list(void)
{
    follow_list(false);
}

static void and_so_they_do_among_stores_that_take_lines(void)
{
    follow_list(true);
}

/* ---- sectors ---- */

static void sectors_are_counted_where_that_is_asked_for(void)
{
    struct lsu_rig r;
    lsu_rig_open(&r,
                 &(struct lsu_rig_options){.set = (const char *const[]){"l1.count_sectors=true",
                                                                        "l1.sectored=true", NULL},
                                           .latency = 50,
                                           .steps = 64});
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, A), 4, 4, UINT32_MAX);
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, A + 16), 4, 4, UINT32_MAX);
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, B), 4, 128, 7);
    lsu_rig_lanes(lsu_rig_add(&r, 500, INSN_STORE, STREAM_GLOBAL, A + 28), 4, 4, 3);
    lsu_rig_lanes(lsu_rig_add(&r, 500, INSN_LOAD, STREAM_SHARED, 0), 4, 4, UINT32_MAX);
    lsu_rig_run(&r, HD_NEVER);
    const struct lsu_watch *w = r.sm.lsu->watch;
    CHECK_EQ(w->sectors.read_sectors, 4 + 5 + 3);
    CHECK_EQ(w->sectors.store_sectors, 2);
    /* Those of the second load that are on their way are not asked for again. */
    CHECK_EQ(r.sm.lsu->loads[0].sectors, 4 + 1 + 3);
    lsu_rig_close(&r);
}

CHECK_MAIN("lsu_watch", TEST(loads_miss_merge_and_hit), TEST(a_stalled_load_is_told_of_once),
           TEST(a_load_that_passes_by_is_none_through_the_l1),
           TEST(a_store_is_its_own_ctas_although_another_has_its_place),
           TEST(a_shadow_has_the_size_that_shared_memory_leaves_the_l1),
           TEST(whatever_touches_global_memory_is_of_its_cta),
           TEST(what_a_store_drops_is_missed_for_that_reason),
           TEST(a_store_to_a_line_on_its_way_drops_it), TEST(kernels_forget_their_lines),
           TEST(sectors_are_missed_one_by_one),
           TEST(stores_to_local_memory_take_lines_without_missing),
           TEST(stores_to_global_memory_may_do_so_too),
           TEST(a_store_that_takes_a_line_for_what_is_on_its_way_drops_nothing),
           TEST(classes_follow_from_distances_in_the_list),
           TEST(and_so_they_do_among_stores_that_take_lines),
           TEST(sectors_are_counted_where_that_is_asked_for))
