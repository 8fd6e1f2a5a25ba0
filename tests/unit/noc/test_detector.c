/* How long reads wait, and where. */
#include "check.h"

#include "noc/coalesce.h"

static const struct coalesce_spec spec = {.delay = 5, .warps = 8};

/* Waits of a read in each of four routers. */
static void check_waits(const char *name, uint32_t warps, const uint32_t waits[4])
{
    const struct detector *d = detector_find(name);
    CHECK(d != NULL);
    struct slack s = slack_new(d->budget(&spec, 4, warps), 4);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(d->hold(&spec, &s), waits[i]);
        slack_pass(&s, waits[i]);
    }
}

static void strategies_deal_the_wait_out_each_in_its_way(void)
{
    check_waits("fixed", 0, (uint32_t[]){5, 5, 5, 5});
    check_waits("slack", 0, (uint32_t[]){2, 4, 6, 8});
    check_waits("last", 0, (uint32_t[]){0, 0, 0, 20});
    check_waits("warps", 8, (uint32_t[]){2, 4, 6, 8});
    check_waits("warps", 4, (uint32_t[]){1, 2, 3, 4});
    check_waits("warps", 64, (uint32_t[]){2, 4, 6, 8});
    check_waits("warps", 0, (uint32_t[]){0, 0, 0, 0});
}

/* A read that could not wait where it might have: fixed waits forget it, slack is kept. */
static void slack_that_was_not_used_is_kept_for_later(void)
{
    static const char *const names[] = {"fixed", "slack", "last"};
    static const uint32_t then[] = {5, 4, 0};
    for (int i = 0; i < 3; i++) {
        const struct detector *d = detector_find(names[i]);
        struct slack s = slack_new(d->budget(&spec, 4, 0), 4);
        slack_pass(&s, 0);
        CHECK_EQ(slack_left(&s), 20);
        CHECK_EQ(d->hold(&spec, &s), then[i]);
    }
}

static void other_names_are_not_found(void)
{
    CHECK(detector_find("dynamic") == NULL);
}

CHECK_MAIN("detector", TEST(strategies_deal_the_wait_out_each_in_its_way),
           TEST(slack_that_was_not_used_is_kept_for_later), TEST(other_names_are_not_found))
