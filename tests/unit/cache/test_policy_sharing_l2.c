/* Lines are letters; who asks is SM 0 to 4. */
#include "check.h"
#include "rig/policy_rig.h"

static void open(struct policy_rig *r, uint32_t ways, const char *a, const char *b)
{
    const char *const set[] = {a, b, NULL};
    policy_rig_open(r, &(struct policy_rig_options){
                           .policy = "sharing_l2", .set = set, .sets = 1, .ways = ways});
}

static void close(struct policy_rig *r)
{
    struct err e = {0};
    CHECK(follow_audit(&r->tags, "l2", &e));
    policy_rig_close(r);
}

static uint32_t read(struct policy_rig *r, uint16_t sm, char line)
{
    return policy_rig_ask(r, (uint64_t)line, (struct cache_ask){.sm = sm});
}

static bool is_shared(const struct policy_rig *r, char line)
{
    return follow_news(&r->tags, tags_find(&r->tags, (uint64_t)line * 128)) == REQUEST_SHARED;
}

static uint64_t counted(struct policy_rig *r, const char *name)
{
    return policy_rig_counted(r, arena_printf(r->arena, "l2.sharing.%s", name));
}

/* ---- the tracker ---- */

static void who_has_a_line_fetched_owns_it_and_another_makes_it_shared(void)
{
    struct policy_rig r;
    open(&r, 2, NULL, NULL);
    read(&r, 3, 'a');
    CHECK(!is_shared(&r, 'a'));
    read(&r, 3, 'a');
    CHECK(!is_shared(&r, 'a'));
    read(&r, 1, 'a');
    CHECK(is_shared(&r, 'a')); /* for the owner, too */
    read(&r, 3, 'a');
    CHECK(is_shared(&r, 'a'));
    CHECK_EQ(counted(&r, "lines"), 1);
    CHECK_EQ(counted(&r, "lines_shared"), 1);
    CHECK_EQ(counted(&r, "private_hits"), 1);
    CHECK_EQ(counted(&r, "shared_hits"), 2);
    close(&r);
}

static void a_line_on_its_way_is_tracked_as_well(void)
{
    struct policy_rig r;
    open(&r, 2, NULL, NULL);
    read(&r, 0, 'a');
    policy_rig_hold(&r, 'a', true);
    read(&r, 0, 'a');
    read(&r, 2, 'a');
    CHECK(is_shared(&r, 'a'));
    CHECK_EQ(counted(&r, "private_merges"), 1);
    CHECK_EQ(counted(&r, "shared_merges"), 1);
    close(&r);
}

static void sms_of_a_line_are_counted_once_each(void)
{
    struct policy_rig r;
    open(&r, 1, NULL, NULL);
    for (uint16_t i = 0; i < 20; i++)
        read(&r, i % 4, 'a');
    CHECK_EQ(counted(&r, "line_sms"), 4);
    CHECK_EQ(counted(&r, "used_by_2"), 1);
    CHECK_EQ(counted(&r, "used_by_4"), 1);
    CHECK_EQ(counted(&r, "used_by_5"), 0);
    read(&r, 0, 'b'); /* another line begins anew */
    CHECK_EQ(counted(&r, "line_sms"), 5);
    CHECK(!is_shared(&r, 'b'));
    close(&r);
}

static void only_accesses_of_the_kinds_and_spaces_count(void)
{
    struct policy_rig r;
    open(&r, 1, "sharing_l2.kinds=read|atomic", "sharing_l2.spaces=global|texture");
    struct cache_ask who = {.sm = 0, .kind = REQUEST_WRITE, .space = STREAM_GLOBAL};
    policy_rig_ask(&r, 'a', who); /* a write may well own a line */
    who.sm = 1;
    policy_rig_ask(&r, 'a', who);
    CHECK(!is_shared(&r, 'a'));
    who.kind = REQUEST_READ;
    who.space = STREAM_CONST;
    policy_rig_ask(&r, 'a', who);
    who.space = STREAM_LOCAL;
    policy_rig_ask(&r, 'a', who);
    CHECK(!is_shared(&r, 'a'));
    who.space = STREAM_TEX;
    who.sm = 0;
    policy_rig_ask(&r, 'a', who);
    CHECK(!is_shared(&r, 'a'));
    who.sm = 1;
    policy_rig_ask(&r, 'a', who);
    CHECK(is_shared(&r, 'a'));
    close(&r);
}

static void unknown_words_are_blamed(void)
{
    struct arena *a = arena_new();
    const struct cfg_section *all[16];
    struct config *cfg = config_new(a, all, cache_policy_sections(all, 16));
    struct err e = {0};
    CHECK(config_set(cfg, "sharing_l2.kinds=read|store", &e));
    CHECK(!cache_policy_check(cfg, NULL, "sharing_l2", &e));
    CHECK(strstr(e.text, "no such word \"store\"") != NULL);
    arena_free(a);
}

/* ---- kernels ---- */

static void flags_are_kept_when_a_kernel_begins(void)
{
    struct policy_rig r;
    open(&r, 2, NULL, NULL);
    read(&r, 0, 'a');
    read(&r, 1, 'a');
    follow_launched(&r.tags, PROGRAM_ANY);
    CHECK(is_shared(&r, 'a'));
    close(&r);
}

static void or_they_are_cleared_and_the_next_user_owns_the_line(void)
{
    struct policy_rig r;
    open(&r, 2, "sharing_l2.at_launch=clear", NULL);
    read(&r, 0, 'a');
    read(&r, 1, 'a');
    read(&r, 0, 'b');
    follow_launched(&r.tags, PROGRAM_ANY);
    CHECK(!is_shared(&r, 'a'));
    CHECK_EQ(counted(&r, "cleared"), 1);
    read(&r, 2, 'a');
    read(&r, 2, 'b'); /* not the owner that was */
    CHECK(!is_shared(&r, 'a') && !is_shared(&r, 'b'));
    read(&r, 0, 'a');
    CHECK(is_shared(&r, 'a'));
    CHECK_EQ(counted(&r, "lines_shared"), 2);
    close(&r);
}

static void a_launch_clears_lines_of_its_own_program_only(void)
{
    struct policy_rig r;
    open(&r, 2, "sharing_l2.at_launch=clear", NULL);
    const uint64_t other = program_base(3) / 128;
    for (uint16_t sm = 0; sm < 2; sm++) {
        read(&r, sm, 'a');
        policy_rig_ask(&r, other, (struct cache_ask){.sm = sm});
    }
    follow_launched(&r.tags, 3);
    CHECK(is_shared(&r, 'a'));
    CHECK_EQ(follow_news(&r.tags, tags_find(&r.tags, other * 128)), 0);
    close(&r);
}

/* ---- replacement ---- */

static void share(struct policy_rig *r, const char *lines)
{
    for (; *lines; lines++) {
        read(r, 0, *lines);
        read(r, 1, *lines);
    }
}

static void private_lines_give_way_first_then_the_least_recently_used(void)
{
    struct policy_rig r;
    open(&r, 3, NULL, NULL);
    share(&r, "A");
    read(&r, 0, 'b');
    share(&r, "C");
    read(&r, 0, 'd'); /* for b, although A was not used for longer */
    CHECK_STR(policy_rig_text(&r, 0), "AdC");
    CHECK_EQ(counted(&r, "spared"), 1);
    share(&r, "d");
    read(&r, 0, 'e'); /* all are shared */
    CHECK_STR(policy_rig_text(&r, 0), "edC");
    CHECK_EQ(counted(&r, "private_evictions"), 1);
    CHECK_EQ(counted(&r, "shared_evictions"), 1);
    close(&r);
}

static void without_replacement_lru_gives_way(void)
{
    struct policy_rig r;
    open(&r, 2, "sharing_l2.replacement=false", NULL);
    share(&r, "A");
    read(&r, 0, 'b');
    read(&r, 0, 'c');
    CHECK_STR(policy_rig_text(&r, 0), "cb");
    CHECK_EQ(counted(&r, "spared"), 0);
    close(&r);
}

/* Shared lines that nobody uses any more leave one way for all others. */
static void a_set_of_shared_lines_can_freeze(void)
{
    struct policy_rig r;
    open(&r, 4, NULL, NULL);
    share(&r, "ABC");
    for (char line = 'd'; line <= 'z'; line++)
        CHECK_EQ(read(&r, 0, line), 3);
    CHECK_STR(policy_rig_text(&r, 0), "ABCz");
    close(&r);
}

static uint32_t read_at(struct policy_rig *r, hd_cycle now, uint16_t sm, char line)
{
    return policy_rig_ask(r, (uint64_t)line, (struct cache_ask){.sm = sm, .now = now});
}

static void lines_that_have_aged_give_way_like_private_ones(void)
{
    struct policy_rig r;
    open(&r, 2, "sharing_l2.age=100", NULL);
    read_at(&r, 1, 0, 'A');
    read_at(&r, 10, 1, 'A');
    CHECK_EQ(read_at(&r, 109, 0, 'b'), 1);
    CHECK_EQ(read_at(&r, 109, 0, 'c'), 1); /* 99 cycles */
    CHECK_EQ(read_at(&r, 110, 0, 'd'), 0);
    CHECK_EQ(counted(&r, "aged_evictions"), 1);
    close(&r);
}

/* Of shared lines only, and only where they leave because of it. */
static void lines_that_would_have_left_anyhow_are_no_aged_ones(void)
{
    for (int replaces = 0; replaces < 2; replaces++) {
        struct policy_rig r;
        open(&r, 1, "sharing_l2.age=100",
             replaces ? "sharing_l2.replacement=true" : "sharing_l2.replacement=false");
        read_at(&r, 1, 0, 'a');
        read_at(&r, 201, 0, 'B'); /* a was private */
        read_at(&r, 210, 1, 'B');
        read_at(&r, 309, 0, 'C'); /* B: 99 cycles */
        read_at(&r, 310, 1, 'C');
        read_at(&r, 410, 0, 'd'); /* C: 100 */
        CHECK_EQ(counted(&r, "shared_evictions"), 2);
        CHECK_EQ(counted(&r, "aged_evictions"), replaces ? 1 : 0);
        close(&r);
    }
}

/* ---- allocation ---- */

static uint32_t local(struct policy_rig *r, enum request_kind kind, char line)
{
    return policy_rig_ask(r, (uint64_t)line,
                          (struct cache_ask){.space = STREAM_LOCAL, .kind = (uint8_t)kind});
}

static void local_reads_pass_by_unless_their_line_is_there(void)
{
    struct policy_rig r;
    open(&r, 2, NULL, NULL);
    CHECK_EQ(local(&r, REQUEST_READ, 'a'), POLICY_RIG_PASSED);
    CHECK_EQ(local(&r, REQUEST_WRITE, 'a'), 0);
    CHECK_EQ(local(&r, REQUEST_READ, 'a'), 0);
    CHECK_EQ(counted(&r, "local_lines"), 1);
    close(&r);
}

static void local_writes_take_lines_from_nobody_and_from_private_data(void)
{
    struct policy_rig r;
    open(&r, 2, NULL, NULL);
    read(&r, 0, 'a');
    CHECK_EQ(local(&r, REQUEST_WRITE, 'b'), 1);
    CHECK_EQ(local(&r, REQUEST_WRITE, 'c'), 0);
    share(&r, "DE"); /* for b and c */
    CHECK_STR(policy_rig_text(&r, 0), "ED");
    CHECK_EQ(local(&r, REQUEST_WRITE, 'f'), POLICY_RIG_REFUSED);
    CHECK_EQ(counted(&r, "local_refused"), 1);
    CHECK_EQ(read(&r, 0, 'g'), 1); /* it may be shared one day */
    close(&r);
}

static void local_writes_take_no_line_while_private_ones_are_on_their_way(void)
{
    struct policy_rig r;
    open(&r, 2, NULL, NULL);
    share(&r, "A");
    read(&r, 0, 'b');
    policy_rig_hold(&r, 'b', true);
    CHECK_EQ(local(&r, REQUEST_WRITE, 'c'), POLICY_RIG_REFUSED);
    policy_rig_hold(&r, 'A', true);
    CHECK_EQ(local(&r, REQUEST_WRITE, 'c'), POLICY_RIG_REFUSED);
    policy_rig_hold(&r, 'b', false);
    CHECK_EQ(local(&r, REQUEST_WRITE, 'c'), 1);
    close(&r);
}

static void without_allocation_local_data_is_data(void)
{
    struct policy_rig r;
    open(&r, 1, "sharing_l2.allocation=false", NULL);
    share(&r, "A");
    CHECK_EQ(local(&r, REQUEST_READ, 'b'), 0);
    share(&r, "A");
    CHECK_EQ(local(&r, REQUEST_WRITE, 'b'), 0);
    close(&r);
}

/* ---- time ---- */

static void lines_are_counted_over_time(void)
{
    struct policy_rig r;
    open(&r, 2, "sharing_l2.stale=100", "sharing_l2.late=20");
    read_at(&r, 10, 0, 'a');
    read_at(&r, 29, 1, 'a'); /* shared for 19 cycles less than there */
    read_at(&r, 30, 1, 'a');
    read_at(&r, 50, 0, 'b');
    follow_settle(&r.tags, 110);
    CHECK_EQ(counted(&r, "private_lines.sum"), 19 + 60);
    CHECK_EQ(counted(&r, "shared_lines.sum"), 81);
    CHECK_EQ(counted(&r, "private_lines.n"), 110);
    CHECK_EQ(counted(&r, "stale_lines.sum"), 0);
    CHECK_EQ(counted(&r, "late_uses"), 1);
    follow_settle(&r.tags, 150);
    CHECK_EQ(counted(&r, "stale_lines.sum"), 20); /* from 130 on */
    follow_settle(&r.tags, 160);
    CHECK_EQ(counted(&r, "stale_lines.sum"), 30);
    read_at(&r, 170, 0, 'a');
    follow_settle(&r.tags, 200);
    CHECK_EQ(counted(&r, "stale_lines.sum"), 40);
    CHECK_EQ(counted(&r, "shared_lines.sum"), 171);
    close(&r);
}

static void a_line_is_stale_until_it_leaves_or_its_flag_is_cleared(void)
{
    struct policy_rig r;
    open(&r, 1, "sharing_l2.stale=100", "sharing_l2.at_launch=clear");
    read_at(&r, 10, 0, 'a');
    read_at(&r, 20, 1, 'a');
    read_at(&r, 150, 0, 'b'); /* a was stale from 120 on */
    follow_settle(&r.tags, 1000);
    CHECK_EQ(counted(&r, "stale_lines.sum"), 30);
    read_at(&r, 1010, 1, 'b');
    follow_settle(&r.tags, 1160);
    follow_launched(&r.tags, PROGRAM_ANY); /* b was from 1110 on */
    CHECK_EQ(counted(&r, "cleared"), 1);
    follow_settle(&r.tags, 2000);
    CHECK_EQ(counted(&r, "stale_lines.sum"), 30 + 50);
    close(&r);
}

/* ---- checks ---- */

static void a_shared_line_that_left_for_local_data_is_noticed(void)
{
    struct policy_rig r;
    struct err e = {0};
    open(&r, 1, NULL, NULL);
    share(&r, "A");
    struct cache_ask ask = {.line = 'b' * 128, .space = STREAM_LOCAL, .kind = REQUEST_WRITE};
    follow_take(&r.tags, &ask, 0);
    CHECK(!follow_audit(&r.tags, "l2[1]", &e));
    CHECK_STR(e.text, "l2[1]: sharing_l2: 1 shared lines left for local data (P2)");
    policy_rig_close(&r);
}

CHECK_MAIN("policy_sharing_l2", TEST(who_has_a_line_fetched_owns_it_and_another_makes_it_shared),
           TEST(a_line_on_its_way_is_tracked_as_well), TEST(sms_of_a_line_are_counted_once_each),
           TEST(only_accesses_of_the_kinds_and_spaces_count), TEST(unknown_words_are_blamed),
           TEST(flags_are_kept_when_a_kernel_begins),
           TEST(or_they_are_cleared_and_the_next_user_owns_the_line),
           TEST(a_launch_clears_lines_of_its_own_program_only),
           TEST(private_lines_give_way_first_then_the_least_recently_used),
           TEST(without_replacement_lru_gives_way), TEST(a_set_of_shared_lines_can_freeze),
           TEST(lines_that_have_aged_give_way_like_private_ones),
           TEST(lines_that_would_have_left_anyhow_are_no_aged_ones),
           TEST(local_reads_pass_by_unless_their_line_is_there),
           TEST(local_writes_take_lines_from_nobody_and_from_private_data),
           TEST(local_writes_take_no_line_while_private_ones_are_on_their_way),
           TEST(without_allocation_local_data_is_data), TEST(lines_are_counted_over_time),
           TEST(a_line_is_stale_until_it_leaves_or_its_flag_is_cleared),
           TEST(a_shared_line_that_left_for_local_data_is_noticed))
