/* Manifests: what is written for a task is what it reads, and nothing else. */
#include "study/manifest.h"

#include <unistd.h>

#include "check.h"

struct world {
    struct arena *a;
    char dir[64], path[96];
    struct err e;
};

static void open_world(struct world *w)
{
    *w = (struct world){.a = arena_new(), .dir = "/tmp/heddle-manifest-XXXXXX"};
    CHECK(mkdtemp(w->dir));
    snprintf(w->path, sizeof w->path, "%s/1.manifest", w->dir);
}

static void close_world(struct world *w)
{
    unlink(w->path);
    CHECK_EQ(rmdir(w->dir), 0); /* nothing is left behind */
    arena_free(w->a);
}

static void write_text(const struct world *w, const char *text)
{
    FILE *f = fopen(w->path, "w");
    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void a_task_reads_what_was_written_for_it(void)
{
    struct world w;
    open_world(&w);
    struct manifest_record records[] = {{0, 3, 1, 0xfedcba9876543210u, "a name, with blanks"},
                                        {1, 4, 0, 1, "BP@tiny"}};
    struct manifest_run runs[] = {{2, 5, 6, 0x8000000000000001u, "few/HS@tiny"},
                                  {3, 0, 0, 7, "full/two\nlines"},
                                  {2, 8, 9, 10, "half/HS@tiny"}};
    struct manifest all = {2, 3, records, runs}, got;
    CHECK(manifest_write(w.path, &all, &w.e));
    CHECK(manifest_read(w.a, w.path, 0, &got, &w.e));
    CHECK_EQ(got.nrecords, 1);
    CHECK_EQ(got.nruns, 0);
    CHECK_EQ(got.records[0].workload, 3);
    CHECK_EQ(got.records[0].program, 1);
    CHECK(got.records[0].hash == records[0].hash);
    CHECK_STR(got.records[0].title, "a name, with blanks");
    CHECK(manifest_read(w.a, w.path, 2, &got, &w.e));
    CHECK_EQ(got.nruns, 2);
    CHECK_EQ(got.runs[0].variant, 5);
    CHECK_EQ(got.runs[0].workload, 6);
    CHECK(got.runs[0].key == runs[0].key);
    CHECK_STR(got.runs[1].label, "half/HS@tiny");
    CHECK(manifest_read(w.a, w.path, 3, &got, &w.e));
    CHECK_STR(got.runs[0].label, "full/two?lines");
    close_world(&w);
}

static void a_task_that_is_not_there_is_refused(void)
{
    struct world w;
    struct manifest_run run = {0, 1, 2, 3, "x"};
    struct manifest all = {.nruns = 1, .runs = &run}, got;
    open_world(&w);
    CHECK(manifest_write(w.path, &all, &w.e));
    CHECK(!manifest_read(w.a, w.path, 1, &got, &w.e));
    CHECK(strstr(w.e.text, "1.manifest: no task 1"));
    close_world(&w);
}

static void what_is_no_manifest_is_refused_with_its_line(void)
{
    static const struct {
        const char *text, *says;
    } cases[] = {{"", ":1: no line of a manifest"},
                 {"something else\n", ":1: no line"},
                 {"heddle manifest 2\nrun 0 1 2 3 x\n", ":1: no line"},
                 {"heddle manifest 1\nrun 0 1 2 3 x\nrun 0 1\n", ":3: no line"},
                 {"heddle manifest 1\nrecord x\n", ":2: no line"},
                 {"heddle manifest 1\n\n", ":2: no line"}};
    struct world w;
    open_world(&w);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct manifest got;
        w.e = (struct err){0};
        write_text(&w, cases[i].text);
        CHECK(!manifest_read(w.a, w.path, 0, &got, &w.e));
        CHECK_EQ(w.e.status, STATUS_BAD_INPUT);
        CHECK(strstr(w.e.text, cases[i].says));
    }
    close_world(&w);
}

static void one_that_cannot_be_read_may_not_be_shared(void)
{
    struct world w;
    struct manifest got;
    open_world(&w);
    CHECK(!manifest_read(w.a, w.path, 0, &got, &w.e));
    CHECK(strstr(w.e.text, "is it in a folder that all computers share?"));
    close_world(&w);
}

static void where_there_is_no_room_nothing_appears(void)
{
    struct err e = {0};
    struct manifest none = {0};
    CHECK(!manifest_write("/dev/full/1.manifest", &none, &e));
    CHECK(strstr(e.text, "cannot write"));
}

CHECK_MAIN("manifest", TEST(a_task_reads_what_was_written_for_it),
           TEST(a_task_that_is_not_there_is_refused),
           TEST(what_is_no_manifest_is_refused_with_its_line),
           TEST(one_that_cannot_be_read_may_not_be_shared),
           TEST(where_there_is_no_room_nothing_appears))
