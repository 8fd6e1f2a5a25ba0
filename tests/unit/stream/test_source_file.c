/* The kernels of a recorded file, one after another, again and again. */
#include "check.h"

#include "rig/stream_rig.h"
#include "stream/source.h"

enum { KERNELS = 3, SEED = 7, LENGTH = 10 };

static void check_round(struct stream_source *s)
{
    struct err e = {0};
    for (uint32_t i = 0; i < KERNELS; i++) {
        const struct stream_store *k = stream_source_next(s, &e);
        CHECK(k && stream_rig_store_agrees(k, SEED + i, LENGTH, &e));
    }
    CHECK(!stream_source_next(s, &e) && e.status == STATUS_DONE);
}

static void kernels_come_in_order_and_after_a_restart_again(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char *path = stream_rig_path(a);
    CHECK(stream_rig_record(path, SEED, KERNELS, 4, LENGTH, &e));
    struct stream_source *s = stream_source_of_file(path, &e);
    CHECK(s != NULL);
    check_round(s);
    stream_source_restart(s);
    check_round(s);
    stream_source_free(s);
    stream_rig_remove(path);
    arena_free(a);
}

static void a_file_that_is_not_there_is_refused(void)
{
    struct err e = {0};
    CHECK(!stream_source_of_file("/nonexistent/file", &e) && e.status == STATUS_BAD_INPUT);
}

CHECK_MAIN("source_file", TEST(kernels_come_in_order_and_after_a_restart_again),
           TEST(a_file_that_is_not_there_is_refused))
