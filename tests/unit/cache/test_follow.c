#include "check.h"
#include "rig/policy_rig.h"
#include "rig/spy_policy.h"

/* Every policy that chooses. */
static void for_all(void (*f)(struct policy_rig *r))
{
    for (int i = 0; i < cache_policy_count; i++) {
        struct policy_rig r;
        policy_rig_open(&r, &(struct policy_rig_options){
                                .policy = cache_policy_all[i]->name, .sets = 2, .ways = 3});
        f(&r);
        policy_rig_close(&r);
    }
}

static void drop_all(struct policy_rig *r)
{
    for (uint32_t i = 0; i < r->tags.sets * r->tags.ways; i++)
        tags_drop(&r->tags, i);
}

static void use_invalid(struct policy_rig *r)
{
    CHECK_EQ(policy_rig_use(r, 0), 0);
    CHECK_EQ(policy_rig_use(r, 2), 1);
    CHECK_EQ(policy_rig_use(r, 4), 2);
    policy_rig_drop(r, 2);
    CHECK_EQ(policy_rig_use(r, 6), 1);
    drop_all(r);
    CHECK_EQ(policy_rig_use(r, 8), 0);
    CHECK_EQ(policy_rig_use(r, 10), 1);
}

static void an_invalid_line_is_taken_before_any_other_leaves(void)
{
    for_all(use_invalid);
}

static void hold_all(struct policy_rig *r)
{
    for (uint64_t n = 0; n < 3; n++) {
        policy_rig_use(r, 1 + 2 * n);
        policy_rig_hold(r, 1 + 2 * n, true);
    }
    CHECK_EQ(policy_rig_use(r, 7), TAGS_NONE);
    for (uint64_t n = 0; n < 3; n++) { /* the one that may leave does */
        policy_rig_hold(r, 1 + 2 * n, false);
        CHECK_EQ(policy_rig_use(r, 101 + 2 * n), n);
        policy_rig_hold(r, 101 + 2 * n, true);
    }
    CHECK_EQ(policy_rig_use(r, 0), 0); /* other sets have nothing to do with it */
}

static void a_reserved_line_never_leaves(void)
{
    for_all(hold_all);
}

static void ask_before_dropping(struct policy_rig *r)
{
    uint64_t line;
    for (line = 0; line < 40; line += 2)
        policy_rig_use(r, line);
    drop_all(r);
    for (line = 40; line < 80; line += 2)
        CHECK(policy_rig_use(r, line) < 3);
}

static void all_goes_on_after_everything_was_dropped(void)
{
    for_all(ask_before_dropping);
}

static void every_cache_of_a_machine_has_a_number_of_its_own(void)
{
    CHECK(follow_instance("sm[3]", 0) != follow_instance("sm[3]", 1));
    CHECK(follow_instance("sm[3]", 0) != follow_instance("sm[4]", 0));
    CHECK(follow_instance("sm[3]", 2) == follow_instance("sm[3]", 2));
}

static void a_fill_is_told_while_the_tags_are_as_they_were(void)
{
    struct policy_rig r;
    struct spy_policy spy = {.keeps = true};
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "lru", .sets = 1, .ways = 1});
    spy_policy_attach(&spy, &r.tags);
    policy_rig_use(&r, 3);
    CHECK_EQ(spy.filled, 1);
    CHECK(spy.left == UINT64_MAX);
    policy_rig_use(&r, 4);
    CHECK_EQ(spy.filled, 2);
    CHECK_EQ(spy.left, 3 * 128);
    CHECK_EQ(tags_address(&r.tags, 0), 4 * 128);
    policy_rig_close(&r);
}

static void without_a_policy_there_is_nothing_to_tell(void)
{
    struct policy_rig r;
    struct err e = {0};
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "lru", .sets = 1, .ways = 1});
    follow_launched(&r.tags, 0);
    follow_settle(&r.tags, 5);
    CHECK(follow_audit(&r.tags, "l2[0]", &e));
    CHECK_EQ(follow_news(&r.tags, 0), 0);
    policy_rig_close(&r);
}

static void what_a_policy_finds_broken_is_told_with_its_place(void)
{
    struct policy_rig r;
    struct spy_policy spy = {.is_broken = true, .says_shared = true};
    struct err e = {0};
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "lru", .sets = 1, .ways = 1});
    spy_policy_attach(&spy, &r.tags);
    CHECK(!follow_audit(&r.tags, "l2[0]", &e));
    CHECK_STR(e.text, "l2[0]: spy: broken");
    CHECK_EQ(follow_news(&r.tags, 0), REQUEST_SHARED);
    follow_settle(&r.tags, 17);
    CHECK_EQ(spy.ask.now, 17);
    follow_launched(&r.tags, 2);
    CHECK_EQ(spy.program, 2);
    policy_rig_close(&r);
}

CHECK_MAIN("follow", TEST(an_invalid_line_is_taken_before_any_other_leaves),
           TEST(a_reserved_line_never_leaves), TEST(all_goes_on_after_everything_was_dropped),
           TEST(every_cache_of_a_machine_has_a_number_of_its_own),
           TEST(a_fill_is_told_while_the_tags_are_as_they_were),
           TEST(without_a_policy_there_is_nothing_to_tell),
           TEST(what_a_policy_finds_broken_is_told_with_its_place))
