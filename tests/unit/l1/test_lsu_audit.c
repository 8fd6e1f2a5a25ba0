/* Audits see what is broken; statistics have names; a full port is waited for. */
#include "check.h"
#include "rig/lsu_rig.h"
#include "sim/waitgraph.h"

#define OPEN(r, ...)                                                                               \
    struct lsu_rig r;                                                                              \
    lsu_rig_open(&r, &(struct lsu_rig_options){__VA_ARGS__})

static void check_broken(const struct lsu_rig *r, const char *what)
{
    struct err e = {0};
    CHECK(!lsu_audit(r->sm.lsu, &e));
    CHECK(strstr(e.text, what) != NULL);
}

static void a_line_that_lost_its_reservation_is_noticed(void)
{
    OPEN(r, .latency = 50);
    lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, 0x1000);
    lsu_rig_run(&r, 20);
    struct lsu_cache *c = &r.sm.lsu->cache[CACHE_L1];
    uint32_t i = tags_find(&c->tags, 0x1000);
    c->tags.line[i].state = TAG_VALID;
    check_broken(&r, "could be evicted");
    c->tags.line[i].state = TAG_RESERVED;
    c->mshr.at[0].sectors = 1;
    check_broken(&r, "not on their way");
    c->mshr.at[0].sectors = 15;
    lsu_rig_run(&r, HD_NEVER);
    c->tags.line[i].state = TAG_RESERVED;
    check_broken(&r, "reserved for nothing");
    c->tags.line[i].state = TAG_VALID;
    c->tags.line[i].valid = 1;
    c->tags.line[i].dirty = 2;
    check_broken(&r, "dirty words");
    lsu_rig_close(&r);
}

static void a_lost_pending_load_is_noticed(void)
{
    OPEN(r, .latency = 50);
    lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, 0x1000);
    lsu_rig_run(&r, 20);
    r.sm.lsu->live_loads--;
    check_broken(&r, "pending loads are lost");
    r.sm.lsu->live_loads++;
    r.sm.lsu->home[0].outstanding = 0;
    check_broken(&r, "what warps have outstanding");
    r.sm.lsu->live_loads = 0;
    r.sm.lsu->max_loads--;
    check_broken(&r, "no warp");
    lsu_rig_close(&r);
}

/* The memory takes nothing between 1 and 999. */
static void the_head_waits_for_the_reader_of_a_full_port(void)
{
    OPEN(r, .latency = 50, .depth = 2, .every = 1000);
    lsu_rig_lanes(lsu_rig_add(&r, 0, INSN_STORE, STREAM_GLOBAL, 0x1000), 4, 128, 7);
    lsu_rig_run(&r, 20);
    struct waitgraph *g = waitgraph_new(r.arena);
    lsu_waits(r.sm.lsu, g, 5);
    CHECK(waitgraph_deadlock(g) == NULL);
    g = waitgraph_new(r.arena);
    lsu_waits(r.sm.lsu, g, 5);
    waitgraph_vertex(g, &r.memory.c, 0, false, "memory");
    waitgraph_edge(g, &r.memory.c, 0, &r.sm.c, 5);
    CHECK(waitgraph_deadlock(g) != NULL);
    lsu_rig_close(&r);
}

static void statistics_are_found_by_name(void)
{
    OPEN(r, .latency = 50);
    lsu_rig_add(&r, 0, INSN_LOAD, STREAM_GLOBAL, 0x1000);
    lsu_rig_run(&r, HD_NEVER);
    struct stats *tree = stats_new(r.arena);
    lsu_add_stats(r.sm.lsu, tree);
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    stats_names(tree, f);
    fclose(f);
    static const char *const names[] = {
        "l1.global.hits", "l1.local.merges", "const.evictions", "tex.fills",
        "l1.stall_mshr",  "l1.read.time_l2", "l1.write.bytes",  "shared.conflict_cycles"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK(strstr(text, names[i]) != NULL);
    free(text);
    lsu_rig_close(&r);
}

CHECK_MAIN("lsu_audit", TEST(a_line_that_lost_its_reservation_is_noticed),
           TEST(a_lost_pending_load_is_noticed), TEST(the_head_waits_for_the_reader_of_a_full_port),
           TEST(statistics_are_found_by_name))
