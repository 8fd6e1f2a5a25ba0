#include "check.h"

#include "base/rng.h"
#include "mem/request.h"
#include "mem/versions.h"

static void lines_that_nobody_wrote_have_version_0(void)
{
    struct versions *v = versions_new();
    CHECK_EQ(versions_get(v, 0), 0);
    CHECK_EQ(versions_get(v, 0x1000), 0);
    versions_set(v, 0x1000, 3);
    CHECK_EQ(versions_get(v, 0), 0);
    CHECK_EQ(versions_get(v, 0x1080), 0);
    versions_free(v);
}

static void a_bump_gives_the_new_version(void)
{
    struct versions *v = versions_new();
    CHECK_EQ(versions_bump(v, 0), 1);
    CHECK_EQ(versions_bump(v, 0), 2);
    CHECK_EQ(versions_bump(v, 128), 1);
    CHECK_EQ(versions_get(v, 0), 2);
    versions_free(v);
}

static void raising_never_lowers_and_setting_does(void)
{
    struct versions *v = versions_new();
    versions_raise(v, 256, 7);
    CHECK_EQ(versions_get(v, 256), 7);
    versions_raise(v, 256, 5);
    CHECK_EQ(versions_get(v, 256), 7);
    versions_set(v, 256, 5);
    CHECK_EQ(versions_get(v, 256), 5);
    versions_set(v, 256, 0); /* a known line of version 0 is one like any other */
    CHECK_EQ(versions_get(v, 256), 0);
    CHECK_EQ(versions_bump(v, 256), 1);
    versions_free(v);
}

static void nothing_is_lost_while_the_table_grows(void)
{
    enum { LINES = 20000 };
    struct versions *v = versions_new();
    for (uint64_t i = 0; i < LINES; i++) /* dense and scattered lines */
        versions_set(v, (i % 2 ? i : rng_at(5, i) >> 8) * LINE_BYTES, (uint32_t)i + 1);
    for (uint64_t i = 0; i < LINES; i++)
        CHECK_EQ(versions_get(v, (i % 2 ? i : rng_at(5, i) >> 8) * LINE_BYTES), i + 1);
    CHECK_EQ(versions_get(v, 2 * LINE_BYTES), 0); /* even ones were not set */
    versions_free(v);
}

static void the_highest_line_is_found_and_nothing_is_freed_for_nobody(void)
{
    struct versions *v = versions_new();
    CHECK_EQ(versions_bump(v, UINT64_MAX - LINE_BYTES + 1), 1);
    CHECK_EQ(versions_get(v, UINT64_MAX - LINE_BYTES + 1), 1);
    versions_free(v);
    versions_free(NULL);
}

CHECK_MAIN("versions", TEST(lines_that_nobody_wrote_have_version_0),
           TEST(a_bump_gives_the_new_version), TEST(raising_never_lowers_and_setting_does),
           TEST(nothing_is_lost_while_the_table_grows),
           TEST(the_highest_line_is_found_and_nothing_is_freed_for_nobody))
