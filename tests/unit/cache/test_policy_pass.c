#include "check.h"
#include "rig/policy_rig.h"

static void open(struct policy_rig *r, const char *kinds, const char *spaces, const char *mode)
{
    const char *const set[] = {kinds, spaces, mode, NULL};
    policy_rig_open(
        r, &(struct policy_rig_options){.policy = "pass", .set = set, .sets = 1, .ways = 4});
}

static void what_is_not_concerned_is_kept(void)
{
    struct policy_rig r;
    open(&r, "pass.kinds=read|write", "pass.spaces=local|texture", "pass.mode=no_mshr");
    for (uint8_t kind = 0; kind < REQUEST_KINDS; kind++)
        for (uint8_t space = 0; space < STREAM_SPACES; space++) {
            struct cache_ask ask = {.kind = kind, .space = space};
            bool concerned =
                kind <= REQUEST_WRITE && (space == STREAM_LOCAL || space == STREAM_TEX);
            CHECK_EQ(follow_passes(&r.tags, &ask), concerned);
            CHECK_EQ(follow_keeps(&r.tags, &ask), !concerned);
        }
    policy_rig_close(&r);
}

static void no_line_takes_an_mshr_and_keep_takes_everything(void)
{
    struct policy_rig r;
    struct cache_ask ask = {.kind = REQUEST_READ, .space = STREAM_GLOBAL};
    open(&r, "pass.kinds=all", "pass.spaces=all", "pass.mode=no_line");
    CHECK(!follow_passes(&r.tags, &ask) && !follow_keeps(&r.tags, &ask));
    policy_rig_close(&r);
    open(&r, "pass.kinds=all", "pass.spaces=all", "pass.mode=keep");
    CHECK(!follow_passes(&r.tags, &ask) && follow_keeps(&r.tags, &ask));
    policy_rig_close(&r);
}

/* They are performed in the cache: no line is kept for them, but they do not pass. */
static void atomics_are_never_asked_to_pass(void)
{
    struct policy_rig r;
    open(&r, "pass.kinds=atomic|reduce", "pass.spaces=all", "pass.mode=no_mshr");
    for (uint8_t kind = REQUEST_ATOMIC; kind <= REQUEST_REDUCE; kind++) {
        struct cache_ask ask = {.kind = kind};
        CHECK(!follow_passes(&r.tags, &ask) && !follow_keeps(&r.tags, &ask));
    }
    policy_rig_close(&r);
}

static void what_is_kept_is_in_the_order_of_lru(void)
{
    struct policy_rig r;
    open(&r, "pass.kinds=write", "pass.spaces=local", "pass.mode=no_line");
    policy_rig_use_all(&r, "abcdabe");
    CHECK_STR(policy_rig_text(&r, 0), "abed");
    policy_rig_close(&r);
}

static void check_refused(const char *setting, const char *expected)
{
    struct arena *a = arena_new();
    const struct cfg_section *all[16];
    struct config *cfg = config_new(a, all, cache_policy_sections(all, 16));
    struct err e = {0};
    CHECK(config_set(cfg, setting, &e));
    CHECK(!cache_policy_check(cfg, NULL, "pass", &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    if (!strstr(e.text, expected))
        print_error("%s\n", e.text);
    CHECK(strstr(e.text, expected) != NULL);
    arena_free(a);
}

static void unknown_words_are_blamed(void)
{
    check_refused("pass.kinds=read|wrte", "no such word \"wrte\"; did you mean write?");
    check_refused("pass.spaces=glob", "no such word \"glob\"");
    check_refused("pass.spaces=local|", "no such word \"\"");
    check_refused("pass.kinds=a_very_long_word_that_is_not_a_kind_of_anything",
                  "\"a_very_long_word");
}

CHECK_MAIN("policy_pass", TEST(what_is_not_concerned_is_kept),
           TEST(no_line_takes_an_mshr_and_keep_takes_everything),
           TEST(atomics_are_never_asked_to_pass), TEST(what_is_kept_is_in_the_order_of_lru),
           TEST(unknown_words_are_blamed))
