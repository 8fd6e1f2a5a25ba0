/* What is conserved: a run adds up, and a count that is off by one anywhere is found. */
#include "check.h"
#include "machine/machine_priv.h"
#include "rig/sm_rig.h"

struct world {
    struct arena *a;
    struct machine *m;
    struct stream_store *k;
};

/* Two kernels, loads and stores, to a small L2 so that lines are written back. */
static void open_world(struct world *w, const char *const *set)
{
    struct err e = {0};
    *w = (struct world){.a = arena_new(), .k = machine_rig_kernel("k", 1 << 20)};
    w->m = machine_new(machine_rig_config(w->a, set), &(struct machine_options){.check = true}, &e);
    CHECK_STR(e.text, "");
    CHECK(machine_run(w->m, w->k, &e) && machine_run(w->m, w->k, &e));
    CHECK(machine_finish(w->m, &e));
}

static void close_world(struct world *w)
{
    machine_free(w->m);
    stream_store_free(w->k);
    arena_free(w->a);
}

/* The same machine with a tree of copies, in which `name` is one more than it was. */
static bool holds(const struct world *w, const char *name, struct err *e)
{
    struct arena *a = arena_new();
    struct machine copy = *w->m;
    const struct stats_snapshot *s = stats_snapshot(w->m->stats, a);
    char *names = NULL, *rest = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&names, &n);
    bool is_there = !name;
    stats_names(w->m->stats, f);
    fclose(f);
    copy.stats = stats_new(a);
    for (char *line = strtok_r(names, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        bool is_it = name && strcmp(line, name) == 0;
        double v = stats_snapshot_value(s, line);
        char *path = arena_strdup(a, line), *dot = strrchr(path, '.');
        struct stat_row *row = ARENA_NEW(a, struct stat_row);
        uint64_t *value = ARENA_NEW(a, uint64_t);
        *dot = '\0';
        *row = (struct stat_row){dot + 1, STAT_COUNTER, 0, "", ""};
        *value = (isnan(v) || v < 0 ? 0 : (uint64_t)v) + is_it;
        is_there |= is_it;
        stats_add(copy.stats, path, row, 1, value);
    }
    CHECK(is_there);
    bool ok = conserve_check(&copy, e);
    free(names);
    arena_free(a);
    return ok;
}

static void a_run_is_conserved(void)
{
    static const char *const tiny[] = {"l2.size=2K", "l2.ways=2", "l1.size=1K", NULL};
    static const char *const sectored[] = {"l1.sectored=true", "l2.sectored=true", "dram.burst=4",
                                           NULL};
    static const char *const one[] = {"noc.topology=mesh",
                                      "mesh.width=2",
                                      "mesh.height=2",
                                      "mesh.mem=[1, 2]",
                                      "noc.networks=one",
                                      "router.vcs=4",
                                      NULL};
    static const char *const *const sets[] = {NULL, tiny, sectored, one};
    for (int i = 0; i < 4; i++) {
        struct world w;
        struct err e = {0};
        open_world(&w, sets[i]);
        CHECK(holds(&w, NULL, &e));
        CHECK_STR(e.text, "");
        close_world(&w);
    }
}

static void a_count_that_is_off_by_one_is_found(void)
{
    static const char *const names[] = {"sm.ctas",
                                        "sm.sched_cycles",
                                        "sm.issue_cycles",
                                        "sm.stall_mem",
                                        "sm.issued",
                                        "sm.issued_mem",
                                        "sm.thread_insns",
                                        "sm.threads_int",
                                        "l1.global.accesses",
                                        "l1.global.hits",
                                        "l1.global.misses",
                                        "l1.global.merges",
                                        "l1.global.passes",
                                        "l1.local.accesses",
                                        "l1.local.hits",
                                        "const.misses",
                                        "tex.merges",
                                        "l1.fills",
                                        "l1.store_accesses",
                                        "l1.write_backs",
                                        "l1.atomic_accesses",
                                        "l1.reduction_accesses",
                                        "l1.read.sent",
                                        "l1.read.answers",
                                        "l1.write.sent",
                                        "l1.write.answers",
                                        "l1.atomic.sent",
                                        "l1.atomic.answers",
                                        "l1.reduce.sent",
                                        "l1.reduce.answers",
                                        "cluster.reads",
                                        "cluster.writes",
                                        "cluster.atomics",
                                        "cluster.reductions",
                                        "cluster.read_answers",
                                        "cluster.write_answers",
                                        "cluster.atomic_answers",
                                        "cluster.reduction_answers",
                                        "cluster.request_flits",
                                        "cluster.answer_flits",
                                        "noc.request.packets_in",
                                        "noc.request.packets_out",
                                        "noc.request.flits_in",
                                        "noc.request.flits_out",
                                        "noc.reply.packets_in",
                                        "noc.reply.packets_out",
                                        "noc.reply.flits_in",
                                        "noc.reply.flits_out",
                                        "l2.requests",
                                        "l2.replies",
                                        "l2.accesses",
                                        "l2.read_hits",
                                        "l2.read_misses",
                                        "l2.read_merges",
                                        "l2.write_hits",
                                        "l2.write_misses",
                                        "l2.write_merges",
                                        "l2.atomic_hits",
                                        "l2.reductions",
                                        "l2.global_hits",
                                        "l2.tex_misses",
                                        "l2.const_merges",
                                        "l2.fetches",
                                        "l2.fills",
                                        "l2.writebacks",
                                        "l2.writebacks_done",
                                        "dram.reads",
                                        "dram.writes",
                                        "dram.read_bytes",
                                        "dram.read_bursts",
                                        "dram.write_bytes",
                                        "dram.write_bursts",
                                        "dram.row_hits",
                                        "dram.row_misses",
                                        "dram.row_conflicts"};
    struct world w;
    open_world(&w, NULL);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct err e = {0};
        if (holds(&w, names[i], &e))
            print_error("%s can be anything\n", names[i]);
        CHECK_EQ(e.status, STATUS_FAILED);
        CHECK(strncmp(e.text, "not conserved: ", 15) == 0);
    }
    close_world(&w);
}

static void counts_that_nothing_follows_from_can_be_anything(void)
{
    struct world w;
    struct err e = {0};
    open_world(&w, NULL);
    CHECK(holds(&w, "cluster.conflicts", &e) && holds(&w, "l2.evictions", &e));
    close_world(&w);
}

static void what_is_wrong_is_named_with_both_numbers(void)
{
    struct world w;
    struct err e = {0};
    open_world(&w, NULL);
    CHECK(!holds(&w, "noc.reply.packets_in", &e));
    CHECK_STR(e.text, "not conserved: packets into and out of noc.reply: 329 against 328");
    close_world(&w);
}

static void more_bytes_than_bursts_can_have_moved_are_found(void)
{
    struct world w;
    struct err e = {0};
    static const char *const tiny[] = {"l2.size=2K", "l2.ways=2", NULL};
    open_world(&w, tiny);
    CHECK(!holds(&w, "l2.fetched_sectors", &e)); /* one more than the bus carried */
    CHECK(strstr(e.text, "fetches of the L2 and bytes read from DRAM") != NULL);
    close_world(&w);
}

static void a_run_that_is_not_over_is_not_conserved(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct stream_store *k = machine_rig_kernel("k", 1 << 20);
    struct machine *m =
        machine_new(machine_rig_config(a, NULL), &(struct machine_options){.max_cycles = 150}, &e);
    CHECK(!machine_run(m, k, &e));
    e = (struct err){0};
    CHECK(!conserve_check(m, &e));
    CHECK(strstr(e.text, "still holds") != NULL);
    machine_free(m);
    stream_store_free(k);
    arena_free(a);
}

CHECK_MAIN("conserve", TEST(a_run_is_conserved), TEST(a_count_that_is_off_by_one_is_found),
           TEST(counts_that_nothing_follows_from_can_be_anything),
           TEST(what_is_wrong_is_named_with_both_numbers),
           TEST(more_bytes_than_bursts_can_have_moved_are_found),
           TEST(a_run_that_is_not_over_is_not_conserved))
