/* Runs of programs alone are found again, and are not missed where they cannot be kept. */
#include "check.h"
#include "rig/stream_rig.h"
#include "study/solo_store.h"

static void what_was_put_is_found_again(void)
{
    struct arena *a = arena_new();
    uint64_t cycles = 0;
    const char *path = stream_rig_path(a);
    struct several_memory m = solo_store_at(path);
    CHECK(!m.get(m.context, 7, &cycles));
    m.put(m.context, 7, "HS@tiny", 1234);
    m = solo_store_at(path);
    CHECK(m.get(m.context, 7, &cycles));
    CHECK_EQ(cycles, 1234);
    CHECK(!m.get(m.context, 8, &cycles));
    stream_rig_remove(path);
    arena_free(a);
}

static void a_place_that_cannot_be_used_keeps_nothing(void)
{
    uint64_t cycles;
    struct several_memory m = solo_store_at("/nonexistent/folder/solo.db");
    m.put(m.context, 7, "HS@tiny", 1234);
    CHECK(!m.get(m.context, 7, &cycles));
    CHECK(solo_store_at(NULL).get == NULL);
}

CHECK_MAIN("solo_store", TEST(what_was_put_is_found_again),
           TEST(a_place_that_cannot_be_used_keeps_nothing))
