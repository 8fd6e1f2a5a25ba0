/* Runs of programs alone are found again, and are not missed where they cannot be kept. */
#include "check.h"
#include "cli/solo_store.h"
#include "rig/stream_rig.h"

static void what_was_put_is_found_again(void)
{
    struct arena *a = arena_new();
    uint64_t cycles = 0;
    const char *path = stream_rig_path(a);
    struct solo_store *s = solo_store_open(path);
    CHECK(!solo_store_get(s, 7, &cycles));
    solo_store_put(s, 7, "HS@tiny", 1234);
    solo_store_close(s);
    s = solo_store_open(path);
    CHECK(solo_store_get(s, 7, &cycles));
    CHECK_EQ(cycles, 1234);
    CHECK(!solo_store_get(s, 8, &cycles));
    solo_store_close(s);
    stream_rig_remove(path);
    arena_free(a);
}

static void a_place_that_cannot_be_used_keeps_nothing(void)
{
    uint64_t cycles;
    struct solo_store *s = solo_store_open("/nonexistent/folder/solo.db");
    solo_store_put(s, 7, "HS@tiny", 1234);
    CHECK(!solo_store_get(s, 7, &cycles));
    solo_store_close(s);
    solo_store_put(NULL, 7, "HS@tiny", 1234);
    CHECK(!solo_store_get(NULL, 7, &cycles));
    solo_store_close(NULL);
}

CHECK_MAIN("solo_store", TEST(what_was_put_is_found_again),
           TEST(a_place_that_cannot_be_used_keeps_nothing))
