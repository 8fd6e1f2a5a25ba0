#include "check.h"

#include "cluster/icc.h"
#include "rig/capture.h"
#include "sim/config.h"
#include "stream/stream.h"

/* The tables alone; requests have numbers of the test's own. */
enum { SMS = 5, REQUESTS = 64 };

struct tables {
    struct arena *arena;
    struct icc *icc;
    struct request r[REQUESTS];
    uint32_t n;
};

static void open_with(struct tables *t, int64_t entries, int64_t cc_lines, const char *policy,
                      const char *mode)
{
    *t = (struct tables){.arena = arena_new()};
    const struct cfg_section **all = ARENA_ARRAY(t->arena, const struct cfg_section *, 16);
    struct config *cfg = config_new(t->arena, all, cache_policy_sections(all, 16));
    struct icc_spec spec = {
        .enabled = true, .entries = entries, .cc_lines = cc_lines, .replacement = policy};
    struct err e = {0};
    CHECK(config_set(cfg, "pass.spaces=all", &e) && config_set(cfg, mode, &e));
    t->icc = icc_new(t->arena,
                     &(struct icc_options){.spec = &spec, .nsms = SMS, .path = "icc", .cfg = cfg});
}

static void open_tables(struct tables *t, int64_t entries, int64_t cc_lines)
{
    open_with(t, entries, cc_lines, "lru", "pass.mode=keep");
}

static void close_tables(struct tables *t)
{
    struct err e = {0};
    bool fine = icc_audit(t->icc, t->r, "icc", &e);
    if (!fine)
        print_error("%s\n", e.text);
    arena_free(t->arena);
    CHECK(fine);
}

static enum icc_verdict ask(struct tables *t, const struct request *like)
{
    struct request *r = &t->r[t->n];
    *r = *like;
    r->sectors = r->sectors ? r->sectors : 15;
    struct icc_look look = icc_look(t->icc, r, t->n);
    icc_take(t->icc, &look, r, t->n, t->n);
    t->n++;
    return look.verdict;
}

static enum icc_verdict ask_read(struct tables *t, uint16_t sm, uint64_t line)
{
    return ask(t, &(struct request){.sm = sm, .line = line});
}

/* The answer of the entry of a line, as a cluster deals with it; returns the requesters. */
static uint32_t answer(struct tables *t, uint64_t line, uint32_t version)
{
    uint32_t n, entry = icc_entry(t->icc, line);
    const uint64_t *w = mshr_waiters(&t->icc->table, entry, &n);
    CHECK(t->r[icc_waiter_id(w[0])].flags & REQUEST_TRACKED);
    t->r[icc_waiter_id(w[0])].flags &= (uint8_t)~REQUEST_TRACKED;
    t->r[icc_waiter_id(w[0])].version = version;
    icc_answer(t->icc, entry, &t->r[icc_waiter_id(w[0])], t->n);
    return n;
}

/* Two SMs want the line, so that CC gets it. */
static void coalesce(struct tables *t, uint64_t line, uint32_t version)
{
    CHECK_EQ(ask_read(t, 0, line), ICC_TRACK);
    CHECK_EQ(ask_read(t, 1, line), ICC_MERGE);
    CHECK_EQ(answer(t, line, version), 2);
}

/* ---- requests ---- */

static void only_global_reads_that_fill_the_l1_are_looked_up(void)
{
    struct tables t;
    open_tables(&t, 8, 0);
    CHECK_EQ(ask_read(&t, 0, 0), ICC_TRACK);
    CHECK_EQ(ask(&t, &(struct request){.sm = 1, .flags = REQUEST_BYPASS_L1}), ICC_BYPASS);
    CHECK_EQ(ask(&t, &(struct request){.sm = 1, .space = STREAM_TEX}), ICC_SPACE);
    CHECK_EQ(ask(&t, &(struct request){.sm = 1, .space = STREAM_CONST}), ICC_SPACE);
    CHECK_EQ(ask(&t, &(struct request){.sm = 1, .space = STREAM_LOCAL}), ICC_SPACE);
    CHECK_EQ(ask(&t, &(struct request){.sm = 1, .kind = REQUEST_ATOMIC, .line = 128}), ICC_ATOMIC);
    CHECK_EQ(ask(&t, &(struct request){.sm = 1, .kind = REQUEST_REDUCE, .line = 128}), ICC_ATOMIC);
    CHECK_EQ(ask(&t, &(struct request){.sm = 1, .kind = REQUEST_WRITE, .line = 128}), ICC_WRITE);
    const struct icc_stats *s = &t.icc->stats;
    CHECK_EQ(s->lookups, 1);
    CHECK_EQ(s->pass_bypass, 1);
    CHECK_EQ(s->pass_space, 3);
    CHECK_EQ(s->pass_atomic, 2);
    CHECK_EQ(s->pass_write, 1);
    CHECK(t.r[0].flags & REQUEST_TRACKED);
    for (uint32_t i = 1; i < t.n; i++)
        CHECK(!(t.r[i].flags & REQUEST_TRACKED));
    close_tables(&t);
}

static void misses_of_one_line_share_an_entry_until_its_answer(void)
{
    struct tables t;
    open_tables(&t, 8, 0);
    for (uint16_t sm = 0; sm < SMS; sm++)
        CHECK_EQ(ask_read(&t, sm, 0x80), sm == 0 ? ICC_TRACK : ICC_MERGE);
    CHECK_EQ(ask_read(&t, 0, 0x100), ICC_TRACK);
    CHECK_EQ(t.icc->waiting, 4);
    CHECK_EQ(answer(&t, 0x80, 1), 5);
    CHECK_EQ(t.icc->waiting, 0);
    CHECK_EQ(ask_read(&t, 1, 0x80), ICC_TRACK); /* the entry is gone, and there is no CC */
    CHECK_EQ(answer(&t, 0x100, 1), 1);
    const struct icc_stats *s = &t.icc->stats;
    CHECK_EQ(s->merges, 4);
    CHECK_EQ(s->allocations, 3);
    CHECK_EQ(s->broadcasts, 1);
    CHECK_EQ(s->requesters.n, 2);
    CHECK_EQ(s->requesters.sum, 6);
    CHECK_EQ(s->no_fill, 0);
    close_tables(&t);
}

static void a_full_table_lets_pass_and_still_merges(void)
{
    struct tables t;
    open_tables(&t, 2, 0);
    CHECK_EQ(ask_read(&t, 0, 0x000), ICC_TRACK);
    CHECK_EQ(ask_read(&t, 0, 0x080), ICC_TRACK);
    CHECK_EQ(ask_read(&t, 0, 0x100), ICC_FULL);
    CHECK_EQ(ask_read(&t, 1, 0x100), ICC_FULL);
    CHECK_EQ(ask_read(&t, 1, 0x080), ICC_MERGE);
    CHECK_EQ(answer(&t, 0x000, 0), 1);
    CHECK_EQ(ask_read(&t, 2, 0x100), ICC_TRACK);
    close_tables(&t);
}

static void without_a_table_everything_passes(void)
{
    struct tables t;
    open_tables(&t, 0, 0);
    CHECK_EQ(ask_read(&t, 0, 0), ICC_FULL);
    CHECK_EQ(ask_read(&t, 1, 0), ICC_FULL);
    CHECK_EQ(ask(&t, &(struct request){.kind = REQUEST_WRITE}), ICC_WRITE);
    icc_written(t.icc, 0);
    icc_invalidate(t.icc, 0);
    close_tables(&t);
}

static void an_entry_answers_only_those_who_want_no_other_sectors(void)
{
    struct tables t;
    open_tables(&t, 4, 4);
    CHECK_EQ(ask(&t, &(struct request){.sm = 0, .sectors = 3}), ICC_TRACK);
    CHECK_EQ(ask(&t, &(struct request){.sm = 1, .sectors = 2}), ICC_MERGE);
    CHECK_EQ(ask(&t, &(struct request){.sm = 2, .sectors = 6}), ICC_PARTIAL);
    CHECK_EQ(ask(&t, &(struct request){.sm = 1, .sectors = 1}), ICC_PARTIAL); /* waits already */
    CHECK_EQ(ask(&t, &(struct request){.sm = 0, .sectors = 1}), ICC_PARTIAL);
    CHECK_EQ(answer(&t, 0, 7), 2);
    /* CC has sectors 0 and 1 of the line now. */
    CHECK_EQ(ask(&t, &(struct request){.sm = 3, .sectors = 1}), ICC_HIT);
    CHECK_EQ(ask(&t, &(struct request){.sm = 3, .sectors = 4}), ICC_TRACK);
    CHECK_EQ(ask(&t, &(struct request){.sm = 4, .sectors = 4}), ICC_MERGE);
    CHECK_EQ(answer(&t, 0, 9), 2);
    CHECK_EQ(ask(&t, &(struct request){.sm = 0, .sectors = 7}), ICC_HIT);
    CHECK_EQ(t.r[t.n - 1].version, 7); /* as new as its oldest part */
    CHECK_EQ(t.icc->stats.cc_fills, 1);
    close_tables(&t);
}

/* ---- the coalesced cache ---- */

static void only_lines_for_more_than_one_sm_are_kept(void)
{
    struct tables t;
    open_tables(&t, 4, 4);
    CHECK_EQ(ask_read(&t, 0, 0x80), ICC_TRACK);
    CHECK_EQ(answer(&t, 0x80, 1), 1);
    CHECK_EQ(ask_read(&t, 1, 0x80), ICC_TRACK);
    CHECK_EQ(ask_read(&t, 2, 0x80), ICC_MERGE);
    CHECK_EQ(answer(&t, 0x80, 6), 2);
    CHECK_EQ(ask_read(&t, 3, 0x80), ICC_HIT);
    CHECK_EQ(t.r[t.n - 1].version, 6);
    CHECK(!(t.r[t.n - 1].flags & REQUEST_TRACKED));
    CHECK_EQ(t.icc->stats.cc_fills, 1);
    CHECK_EQ(t.icc->stats.cc_hits, 1);
    close_tables(&t);
}

static void the_line_that_was_used_longest_ago_goes_first(void)
{
    struct tables t;
    open_tables(&t, 4, 2);
    coalesce(&t, 0x080, 1);
    coalesce(&t, 0x100, 1);
    CHECK_EQ(ask_read(&t, 2, 0x080), ICC_HIT);
    coalesce(&t, 0x180, 1); /* 0x100 goes */
    CHECK_EQ(ask_read(&t, 2, 0x080), ICC_HIT);
    CHECK_EQ(ask_read(&t, 2, 0x180), ICC_HIT);
    CHECK_EQ(ask_read(&t, 2, 0x100), ICC_TRACK);
    CHECK_EQ(t.icc->stats.cc_evictions, 1);
    close_tables(&t);
}

/* ---- writes ---- */

static void a_write_takes_its_line_out_of_the_coalesced_cache(void)
{
    static const uint8_t writers[] = {REQUEST_WRITE, REQUEST_ATOMIC, REQUEST_REDUCE};
    for (int i = 0; i < 3; i++) {
        struct tables t;
        open_tables(&t, 4, 4);
        coalesce(&t, 0x080, 1);
        coalesce(&t, 0x100, 1);
        ask(&t, &(struct request){.kind = writers[i], .line = 0x080});
        CHECK_EQ(ask_read(&t, 2, 0x080), ICC_TRACK);
        CHECK_EQ(ask_read(&t, 2, 0x100), ICC_HIT);
        CHECK_EQ(t.icc->stats.cc_invalidations, 1);
        close_tables(&t);
    }
}

static void nobody_merges_into_an_entry_whose_line_was_written(void)
{
    struct tables t;
    open_tables(&t, 4, 4);
    CHECK_EQ(ask_read(&t, 0, 0x80), ICC_TRACK);
    CHECK_EQ(ask_read(&t, 1, 0x80), ICC_MERGE);
    CHECK_EQ(ask(&t, &(struct request){.kind = REQUEST_WRITE, .line = 0x80}), ICC_WRITE);
    CHECK_EQ(ask_read(&t, 2, 0x80), ICC_STALE);
    CHECK_EQ(answer(&t, 0x80, 3), 2); /* those who asked before get it */
    CHECK_EQ(t.icc->stats.no_fill, 1);
    CHECK_EQ(t.icc->stats.cc_fills, 0);
    CHECK_EQ(ask_read(&t, 2, 0x80), ICC_TRACK); /* a new entry, open again */
    CHECK_EQ(ask_read(&t, 3, 0x80), ICC_MERGE);
    close_tables(&t);
}

static void an_acknowledgement_closes_what_was_asked_while_the_write_was_under_way(void)
{
    struct tables t;
    open_tables(&t, 4, 4);
    CHECK_EQ(ask(&t, &(struct request){.kind = REQUEST_WRITE, .line = 0x80}), ICC_WRITE);
    CHECK_EQ(ask_read(&t, 0, 0x80), ICC_TRACK); /* it may overtake the write */
    CHECK_EQ(ask_read(&t, 1, 0x80), ICC_MERGE);
    icc_written(t.icc, 0x80);
    CHECK_EQ(ask_read(&t, 2, 0x80), ICC_STALE);
    CHECK_EQ(answer(&t, 0x80, 3), 2);
    CHECK_EQ(t.icc->stats.cc_fills, 0);
    coalesce(&t, 0x80, 4);
    icc_written(t.icc, 0x80); /* of another write */
    CHECK_EQ(ask_read(&t, 2, 0x80), ICC_TRACK);
    close_tables(&t);
}

static void between_kernels_nothing_old_stays_of_use(void)
{
    struct tables t;
    open_tables(&t, 4, 4);
    coalesce(&t, 0x080, 1);
    coalesce(&t, 0x100, 1);
    CHECK_EQ(ask_read(&t, 0, 0x180), ICC_TRACK);
    CHECK_EQ(ask_read(&t, 1, 0x180), ICC_MERGE);
    icc_invalidate(t.icc, 0);
    CHECK_EQ(t.icc->stats.cc_flushed, 2);
    CHECK_EQ(ask_read(&t, 2, 0x180), ICC_STALE);
    CHECK_EQ(answer(&t, 0x180, 1), 2);
    CHECK_EQ(ask_read(&t, 2, 0x180), ICC_TRACK);
    CHECK_EQ(ask_read(&t, 3, 0x080), ICC_TRACK);
    CHECK_EQ(ask_read(&t, 4, 0x080), ICC_MERGE);
    CHECK_EQ(t.icc->stats.cc_hits, 0);
    close_tables(&t);
}

/* ---- faults ---- */

static void answer_without_an_entry(void)
{
    struct tables t;
    open_tables(&t, 4, 4);
    icc_entry(t.icc, 0x80);
}

static void a_tracked_answer_without_an_entry_is_our_own_fault(void)
{
    struct death d = death_of(answer_without_an_entry);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "a tracked answer of line 0x80 has no entry") != NULL);
}

static void an_audit_finds_waiting_requests_that_do_not_belong_there(void)
{
    struct tables t;
    struct err e = {0};
    open_tables(&t, 4, 4);
    CHECK_EQ(ask_read(&t, 0, 0x80), ICC_TRACK);
    CHECK_EQ(ask_read(&t, 1, 0x80), ICC_MERGE);
    CHECK(icc_audit(t.icc, t.r, "icc", &e));
    t.r[1].line = 0x100;
    CHECK(!icc_audit(t.icc, t.r, "icc", &e));
    CHECK_STR(e.text, "icc: the merge table's entry of line 0x80 is wrong");
    t.r[1].line = 0x80;
    t.icc->waiting = 3;
    e = (struct err){0};
    CHECK(!icc_audit(t.icc, t.r, "icc", &e));
    CHECK_STR(e.text, "icc: 3 merged requests wait, but 1 are in the table");
    t.icc->waiting = 1;
    t.icc->stats.cc_fills++;
    e = (struct err){0};
    CHECK(!icc_audit(t.icc, t.r, "icc", &e));
    CHECK_STR(e.text, "icc: lines of the coalesced cache came or went unseen");
    t.icc->stats.cc_fills--;
    close_tables(&t);
}

static void a_cache_that_nothing_can_fill_is_refused(void)
{
    struct arena *a = arena_new();
    const struct cfg_section *section = &icc_section;
    struct config *cfg = config_new(a, &section, 1);
    struct err e = {0};
    CHECK(icc_check(cfg, &e));
    CHECK(config_set(cfg, "icc.enabled=true", &e) && icc_check(cfg, &e));
    CHECK(config_set(cfg, "icc.cc_lines=24", &e) && icc_check(cfg, &e));
    CHECK(config_set(cfg, "icc.entries=0", &e));
    CHECK(!icc_check(cfg, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK(strstr(e.text, "icc.cc_lines") != NULL);
    arena_free(a);
}

/* ---- under another policy ---- */

static void the_victim_of_cc_is_the_policys(void)
{
    struct tables t;
    open_with(&t, 8, 2, "fifo", "pass.mode=keep");
    coalesce(&t, 0x80, 1);
    coalesce(&t, 0x100, 1);
    CHECK_EQ(ask_read(&t, 2, 0x80), ICC_HIT);
    coalesce(&t, 0x180, 1); /* 0x80 came first, whoever has used it */
    CHECK_EQ(ask_read(&t, 2, 0x80), ICC_TRACK);
    CHECK_EQ(ask_read(&t, 2, 0x100), ICC_HIT);
    CHECK_EQ(answer(&t, 0x80, 1), 1);
    close_tables(&t);
}

static void what_the_policy_does_not_keep_is_merged_and_not_in_cc(void)
{
    struct tables t;
    open_with(&t, 8, 2, "pass", "pass.mode=no_line");
    coalesce(&t, 0x80, 1);
    CHECK_EQ(ask_read(&t, 2, 0x80), ICC_TRACK);
    CHECK_EQ(answer(&t, 0x80, 1), 1);
    CHECK_EQ(t.icc->stats.cc_fills, 0);
    CHECK_EQ(t.icc->refused.cc_unkept, 1);
    close_tables(&t);
}

static void what_the_policy_lets_pass_has_no_entry(void)
{
    struct tables t;
    open_with(&t, 8, 2, "pass", "pass.mode=no_mshr");
    CHECK_EQ(ask_read(&t, 0, 0x80), ICC_REFUSED);
    CHECK_EQ(ask_read(&t, 1, 0x80), ICC_REFUSED);
    CHECK(!(t.r[0].flags & REQUEST_TRACKED));
    CHECK_EQ(t.icc->refused.pass_policy, 2);
    CHECK_EQ(t.icc->stats.lookups, 2);
    CHECK_EQ(t.icc->table.live, 0);
    close_tables(&t);
}

CHECK_MAIN("icc", TEST(only_global_reads_that_fill_the_l1_are_looked_up),
           TEST(misses_of_one_line_share_an_entry_until_its_answer),
           TEST(a_full_table_lets_pass_and_still_merges), TEST(without_a_table_everything_passes),
           TEST(an_entry_answers_only_those_who_want_no_other_sectors),
           TEST(only_lines_for_more_than_one_sm_are_kept),
           TEST(the_line_that_was_used_longest_ago_goes_first),
           TEST(a_write_takes_its_line_out_of_the_coalesced_cache),
           TEST(nobody_merges_into_an_entry_whose_line_was_written),
           TEST(an_acknowledgement_closes_what_was_asked_while_the_write_was_under_way),
           TEST(between_kernels_nothing_old_stays_of_use),
           TEST(a_tracked_answer_without_an_entry_is_our_own_fault),
           TEST(an_audit_finds_waiting_requests_that_do_not_belong_there),
           TEST(a_cache_that_nothing_can_fill_is_refused), TEST(the_victim_of_cc_is_the_policys),
           TEST(what_the_policy_does_not_keep_is_merged_and_not_in_cc),
           TEST(what_the_policy_lets_pass_has_no_entry))
