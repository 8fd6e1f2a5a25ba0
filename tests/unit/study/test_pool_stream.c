/* The folder of recorded workloads: names, and what is left behind. */
#include "study/pool_stream.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include "base/arena.h"
#include "check.h"

static const char *touch(struct arena *a, const char *dir, const char *name, long pid, long age_s)
{
    const char *path = arena_printf(a, "%s/%s%ld", dir, name, pid);
    FILE *f = fopen(path, "w");
    CHECK(f && fclose(f) == 0);
    time_t then = time(NULL) - age_s;
    CHECK_EQ(utime(path, &(struct utimbuf){then, then}), 0);
    return path;
}

static void parts_of_recorders_that_died_long_ago_are_removed(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    char top[] = "/tmp/heddle-streams-XXXXXX";
    CHECK(mkdtemp(top));
    const char *dir = arena_printf(a, "%s/streams", top);
    CHECK(pool_stream_folder(dir, &e)); /* is made */
    pid_t dead = fork();
    if (dead == 0)
        _exit(0);
    CHECK_EQ(waitpid(dead, NULL, 0), dead);
    const char *old = touch(a, dir, "HS.hds.part", dead, 86400);
    const char *kept[] = {touch(a, dir, "BP.hds.part", dead, 10), /* of another computer? */
                          touch(a, dir, "MM.hds.part", getpid(), 86400),
                          touch(a, dir, "of-somebody.txt", dead, 86400)};
    CHECK(pool_stream_folder(dir, &e));
    CHECK(access(old, F_OK) != 0);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        CHECK_EQ(access(kept[i], F_OK), 0);
    pool_stream_discard(arena_printf(a, "%s/BP.hds", dir), dead);
    CHECK(access(kept[0], F_OK) != 0);
    CHECK(unlink(kept[1]) == 0 && unlink(kept[2]) == 0);
    CHECK(rmdir(dir) == 0 && rmdir(top) == 0);
    arena_free(a);
}

static void what_is_no_recording_has_to_be_recorded(void)
{
    struct arena *a = arena_new();
    char top[] = "/tmp/heddle-streams-XXXXXX";
    CHECK(mkdtemp(top));
    const char *path = touch(a, top, "HS.hds", 0, 0);
    CHECK_EQ(pool_stream_insns(path), 0);
    CHECK_EQ(unlink(path), 0);
    CHECK_EQ(pool_stream_insns(path), 0);
    CHECK_EQ(rmdir(top), 0);
    arena_free(a);
}

static void fill(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void a_whole_recording_gets_its_name_and_a_damaged_one_is_replaced(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    char top[] = "/tmp/heddle-streams-XXXXXX", got[16] = "";
    CHECK(mkdtemp(top));
    const char *path = arena_printf(a, "%s/HS.hds", top), *part = pool_stream_part(a, path);
    fill(part, "first");
    CHECK(pool_stream_publish(part, path, &e));
    CHECK(access(part, F_OK) != 0 && access(path, F_OK) == 0);
    fill(part, "second"); /* what is there is no recording, so it goes */
    CHECK(pool_stream_publish(part, path, &e));
    FILE *f = fopen(path, "r");
    CHECK(f && fgets(got, sizeof got, f) && fclose(f) == 0);
    CHECK_STR(got, "second");
    CHECK(!pool_stream_publish(part, path, &e)); /* there is none */
    CHECK(strstr(e.text, "HS.hds: cannot write"));
    CHECK(unlink(path) == 0 && rmdir(top) == 0);
    arena_free(a);
}

static void what_a_recorder_left_is_discarded_whatever_its_computer_is_called(void)
{
    struct arena *a = arena_new();
    char top[] = "/tmp/heddle-streams-XXXXXX";
    CHECK(mkdtemp(top));
    const char *path = arena_printf(a, "%s/HS.hds", top);
    const char *its = arena_printf(a, "%s.part12.node7.part12", path);
    const char *others[] = {arena_printf(a, "%s.part123.node7", path),
                            arena_printf(a, "%s/BP.hds.part12", top), path};
    fill(its, "x");
    for (size_t i = 0; i < 3; i++)
        fill(others[i], "x");
    pool_stream_discard(path, 12);
    CHECK(access(its, F_OK) != 0);
    for (size_t i = 0; i < 3; i++)
        CHECK_EQ(unlink(others[i]), 0);
    CHECK_EQ(rmdir(top), 0);
    arena_free(a);
}

CHECK_MAIN("pool_stream", TEST(parts_of_recorders_that_died_long_ago_are_removed),
           TEST(what_is_no_recording_has_to_be_recorded),
           TEST(a_whole_recording_gets_its_name_and_a_damaged_one_is_replaced),
           TEST(what_a_recorder_left_is_discarded_whatever_its_computer_is_called))
