/* Runs of programs alone are found again, and are not missed where they cannot be kept. */
#include "check.h"
#include "rig/stream_rig.h"
#include "study/solo_store.h"

static void what_was_put_is_found_again(void)
{
    struct arena *a = arena_new();
    struct several_alone of = {.cycles = 1234}, got;
    const char *path = stream_rig_path(a);
    struct several_memory m = solo_store_at(path);
    CHECK(!m.get(m.context, 7, &got));
    m.put(m.context, 7, "HS@tiny", &of);
    m = solo_store_at(path);
    CHECK(m.get(m.context, 7, &got));
    CHECK_EQ(got.cycles, 1234);
    CHECK_EQ(got.nmarks, 0);
    CHECK(!m.get(m.context, 8, &got));
    stream_rig_remove(path);
    arena_free(a);
}

static void marks_come_back_in_their_order(void)
{
    struct arena *a = arena_new();
    struct several_alone of = {.cycles = 9, .nmarks = SEVERAL_MARKS}, got;
    const char *path = stream_rig_path(a);
    struct several_memory m = solo_store_at(path);
    for (uint32_t i = 0; i < SEVERAL_MARKS; i++)
        of.issued[i] = i * 1000003ULL;
    m.put(m.context, 7, "HS@tiny", &of);
    CHECK(m.get(m.context, 7, &got));
    CHECK_EQ(got.nmarks, SEVERAL_MARKS);
    for (uint32_t i = 0; i < SEVERAL_MARKS; i++)
        CHECK_EQ(got.issued[i], of.issued[i]);
    stream_rig_remove(path);
    arena_free(a);
}

static void a_place_that_cannot_be_used_keeps_nothing(void)
{
    struct several_alone of = {.cycles = 1234};
    struct several_memory m = solo_store_at("/nonexistent/folder/solo.db");
    m.put(m.context, 7, "HS@tiny", &of);
    CHECK(!m.get(m.context, 7, &of));
    CHECK(solo_store_at(NULL).get == NULL);
}

CHECK_MAIN("solo_store", TEST(what_was_put_is_found_again), TEST(marks_come_back_in_their_order),
           TEST(a_place_that_cannot_be_used_keeps_nothing))
