/* Lines are letters: capitals come shared, the others private. */
#include "check.h"

#include <ctype.h>

#include "rig/policy_rig.h"

static void open(struct policy_rig *r, uint32_t ways, const char *a, const char *b)
{
    const char *const set[] = {a, b, NULL};
    policy_rig_open(r, &(struct policy_rig_options){
                           .policy = "sharing_l1", .set = set, .sets = 1, .ways = ways});
}

static void close(struct policy_rig *r)
{
    struct err e = {0};
    CHECK(follow_audit(&r->tags, "l1", &e));
    policy_rig_close(r);
}

static uint32_t ask(struct policy_rig *r, char line)
{
    return policy_rig_ask(r, (uint64_t)line,
                          (struct cache_ask){.is_shared = isupper((unsigned char)line)});
}

static void ask_all(struct policy_rig *r, const char *lines)
{
    for (; *lines; lines++)
        ask(r, *lines);
}

static uint64_t counted(struct policy_rig *r, const char *name)
{
    return policy_rig_counted(r, arena_printf(r->arena, "l1.sharing.%s", name));
}

/* ---- allocation ---- */

static void shared_data_takes_a_line_from_nobody(void)
{
    struct policy_rig r;
    open(&r, 2, NULL, NULL);
    CHECK_EQ(ask(&r, 'A'), 0);
    CHECK_EQ(ask(&r, 'b'), 1);
    CHECK_EQ(counted(&r, "shared_fills"), 1);
    CHECK_EQ(counted(&r, "private_fills"), 1);
    close(&r);
}

static void shared_data_takes_a_line_from_shared_data(void)
{
    struct policy_rig r;
    open(&r, 2, NULL, NULL);
    ask_all(&r, "AbC");
    CHECK_STR(policy_rig_text(&r, 0), "Cb");
    close(&r);
}

static void shared_data_takes_no_line_from_private_data(void)
{
    struct policy_rig r;
    open(&r, 2, "sharing_l1.dead=off", NULL);
    ask_all(&r, "ab");
    for (int i = 0; i < 5; i++)
        CHECK_EQ(ask(&r, 'C'), POLICY_RIG_REFUSED);
    CHECK_STR(policy_rig_text(&r, 0), "ab");
    CHECK_EQ(counted(&r, "refused"), 5);
    CHECK_EQ(counted(&r, "shared_answers"), 5);
    CHECK_EQ(counted(&r, "shared_waiters"), 5);
    CHECK_EQ(counted(&r, "marked"), 0);
    close(&r);
}

static void private_data_takes_a_line_from_anybody(void)
{
    struct policy_rig r;
    open(&r, 2, NULL, NULL);
    ask_all(&r, "Abc");
    CHECK_STR(policy_rig_text(&r, 0), "cb");
    ask(&r, 'd');
    CHECK_STR(policy_rig_text(&r, 0), "cd"); /* no shared line: the least recently used */
    CHECK_EQ(counted(&r, "private_evictions"), 1);
    CHECK_EQ(counted(&r, "shared_evictions"), 1);
    close(&r);
}

static void local_data_is_private_whatever_the_answer_says(void)
{
    struct policy_rig r;
    open(&r, 1, NULL, NULL);
    struct cache_ask local = {.space = STREAM_LOCAL, .is_shared = true};
    policy_rig_ask(&r, 'a', local);
    CHECK_EQ(counted(&r, "private_fills"), 1);
    CHECK_EQ(policy_rig_ask(&r, 'b', local), 0);
    CHECK_EQ(ask(&r, 'C'), POLICY_RIG_REFUSED);
    close(&r);
}

static void without_allocation_shared_data_takes_what_gives_way(void)
{
    struct policy_rig r;
    open(&r, 2, "sharing_l1.allocation=false", NULL);
    ask_all(&r, "abC");
    CHECK_STR(policy_rig_text(&r, 0), "Cb");
    CHECK_EQ(counted(&r, "refused"), 0);
    close(&r);
}

static void without_replacement_lru_gives_way_and_what_is_kept_hangs_on_it(void)
{
    struct policy_rig r;
    open(&r, 2, "sharing_l1.replacement=false", NULL);
    ask_all(&r, "aB");
    CHECK_EQ(ask(&r, 'C'), POLICY_RIG_REFUSED); /* a is the victim, B is not looked at */
    ask(&r, 'd');
    CHECK_STR(policy_rig_text(&r, 0), "dB");
    CHECK_EQ(ask(&r, 'C'), 1);
    CHECK_EQ(counted(&r, "spared"), 0);
    CHECK_EQ(counted(&r, "marked"), 0);
    close(&r);
}

/* ---- dead blocks ---- */

/* Fig. 12: B and D are private, A and C shared; D is least recently used, then C. */
static void figure_12(const char *fills, const char *first, const char *second)
{
    struct policy_rig r;
    open(&r, 4, NULL, NULL);
    ask_all(&r, "AbCd");
    ask_all(&r, "dCbA");
    ask(&r, fills[0]);
    CHECK_STR(policy_rig_text(&r, 0), first); /* D is declared dead, C is replaced */
    CHECK_EQ(counted(&r, "marked"), 1);
    CHECK_EQ(counted(&r, "spared"), 1);
    ask(&r, fills[1]);
    CHECK_STR(policy_rig_text(&r, 0), second); /* D is replaced */
    CHECK_EQ(counted(&r, "dead_evictions"), 1);
    close(&r);
}

static void the_sequence_of_figure_12(void)
{
    figure_12("xe", "Abxd", "Abxe");
    figure_12("XE", "AbXd", "AbXE");
    figure_12("xE", "Abxd", "AbxE");
    figure_12("Xe", "AbXd", "AbXe");
}

static void a_use_clears_the_mark(void)
{
    struct policy_rig r;
    open(&r, 4, NULL, NULL);
    ask_all(&r, "dCbA");
    ask(&r, 'x'); /* d is dead, C gone */
    ask_all(&r, "dbAx");
    CHECK_EQ(counted(&r, "revived"), 1);
    ask(&r, 'e'); /* d is least recently used again: spared again, A leaves */
    CHECK_STR(policy_rig_text(&r, 0), "dxbe");
    CHECK_EQ(counted(&r, "dead_evictions"), 0);
    CHECK_EQ(counted(&r, "marked"), 2);
    close(&r);
}

static void refused_data_marks_the_line_that_it_did_not_get(void)
{
    struct policy_rig r;
    open(&r, 2, NULL, NULL);
    ask_all(&r, "ab");
    CHECK_EQ(ask(&r, 'C'), POLICY_RIG_REFUSED);
    CHECK_EQ(counted(&r, "marked"), 1);
    CHECK_EQ(ask(&r, 'C'), 0); /* a has had its chance */
    CHECK_STR(policy_rig_text(&r, 0), "Cb");
    close(&r);
}

static void in_the_other_reading_dead_lines_yield_to_private_data_only(void)
{
    struct policy_rig r;
    open(&r, 3, "sharing_l1.dead=private", NULL);
    ask_all(&r, "aBcX"); /* a is dead, B gone */
    CHECK_STR(policy_rig_text(&r, 0), "aXc");
    ask(&r, 'Y'); /* not over a */
    CHECK_STR(policy_rig_text(&r, 0), "aYc");
    CHECK_EQ(counted(&r, "spared"), 2);
    CHECK_EQ(counted(&r, "marked"), 1);
    ask(&r, 'z'); /* a, although there is a shared line */
    CHECK_STR(policy_rig_text(&r, 0), "zYc");
    ask(&r, 'w'); /* c is spared */
    ask(&r, 'v'); /* and leaves */
    CHECK_STR(policy_rig_text(&r, 0), "zwv");
    CHECK_EQ(ask(&r, 'S'), POLICY_RIG_REFUSED);
    CHECK_EQ(ask(&r, 'S'), POLICY_RIG_REFUSED);
    close(&r);
}

static void without_marks_private_lines_stay_while_there_are_shared_ones(void)
{
    struct policy_rig r;
    open(&r, 2, "sharing_l1.dead=off", NULL);
    ask_all(&r, "aBCDEFGxYz");
    /* x took the last shared line, Y found none, z took a */
    CHECK_STR(policy_rig_text(&r, 0), "zx");
    CHECK_EQ(counted(&r, "marked"), 0);
    CHECK_EQ(counted(&r, "refused"), 1);
    close(&r);
}

/* ---- news ---- */

static void a_later_answer_tells_that_a_line_is_shared(void)
{
    struct policy_rig r;
    open(&r, 2, NULL, NULL);
    ask_all(&r, "ab");
    struct cache_ask news = {.line = 'b' * 128, .is_shared = true, .waited = 3};
    follow_came(&r.tags, &news, 1);
    CHECK_EQ(counted(&r, "turned"), 1);
    CHECK_EQ(counted(&r, "shared_waiters"), 3);
    ask(&r, 'c');
    CHECK_STR(policy_rig_text(&r, 0), "ac");
    close(&r);
}

static void uses_are_counted_by_class_and_by_time_since_the_data_came(void)
{
    struct policy_rig r;
    open(&r, 2, "sharing_l1.late=10", NULL);
    const struct cache_ask shared = {.is_shared = true, .now = 5};
    policy_rig_ask(&r, 'A', shared);
    ask(&r, 'b');
    for (hd_cycle now = 14; now < 17; now++)
        policy_rig_ask(&r, 'A', (struct cache_ask){.now = now});
    policy_rig_ask(&r, 'b', (struct cache_ask){.now = 100});
    CHECK_EQ(counted(&r, "shared_uses"), 3);
    CHECK_EQ(counted(&r, "private_uses"), 1);
    CHECK_EQ(counted(&r, "late_uses"), 2);
    struct cache_ask more = {.line = 'A' * 128, .is_shared = true, .now = 200};
    follow_came(&r.tags, &more, 0); /* other sectors */
    policy_rig_ask(&r, 'A', (struct cache_ask){.now = 209});
    CHECK_EQ(counted(&r, "late_uses"), 2);
    policy_rig_ask(&r, 'A', (struct cache_ask){.now = 210});
    CHECK_EQ(counted(&r, "late_uses"), 3);
    close(&r);
}

static void a_line_that_was_dropped_has_no_class(void)
{
    struct policy_rig r;
    open(&r, 2, NULL, NULL);
    ask_all(&r, "ab");
    ask(&r, 'C'); /* refused: a is marked */
    policy_rig_drop(&r, 'a');
    CHECK_EQ(ask(&r, 'C'), 0);
    CHECK_EQ(counted(&r, "dead_evictions"), 0);
    CHECK_EQ(counted(&r, "private_evictions"), 0);
    close(&r);
}

/* ---- checks ---- */

/* A policy that is made to break its word is caught. */
static void a_private_line_that_left_for_shared_data_is_noticed(void)
{
    struct policy_rig r;
    struct err e = {0};
    open(&r, 1, NULL, NULL);
    ask(&r, 'a');
    struct cache_ask shared = {.line = 'B' * 128, .is_shared = true};
    follow_take(&r.tags, &shared, 0);
    CHECK(!follow_audit(&r.tags, "sm[3]", &e));
    CHECK_STR(e.text, "sm[3]: sharing_l1: 1 private lines left for shared data (P1)");
    policy_rig_close(&r);
}

CHECK_MAIN("policy_sharing_l1", TEST(shared_data_takes_a_line_from_nobody),
           TEST(shared_data_takes_a_line_from_shared_data),
           TEST(shared_data_takes_no_line_from_private_data),
           TEST(private_data_takes_a_line_from_anybody),
           TEST(local_data_is_private_whatever_the_answer_says),
           TEST(without_allocation_shared_data_takes_what_gives_way),
           TEST(without_replacement_lru_gives_way_and_what_is_kept_hangs_on_it),
           TEST(the_sequence_of_figure_12), TEST(a_use_clears_the_mark),
           TEST(refused_data_marks_the_line_that_it_did_not_get),
           TEST(in_the_other_reading_dead_lines_yield_to_private_data_only),
           TEST(without_marks_private_lines_stay_while_there_are_shared_ones),
           TEST(a_later_answer_tells_that_a_line_is_shared),
           TEST(uses_are_counted_by_class_and_by_time_since_the_data_came),
           TEST(a_line_that_was_dropped_has_no_class),
           TEST(a_private_line_that_left_for_shared_data_is_noticed))
