/* Contents of files as hashes: every file that a launch file reads counts, and nothing else does. */
#include "study/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

struct folder {
    struct arena *a;
    char path[64];
};

static const char *put(struct folder *f, const char *name, const char *text)
{
    const char *path = arena_printf(f->a, "%s/%s", f->path, name);
    FILE *out = fopen(path, "w");
    CHECK(out != NULL);
    fputs(text, out);
    fclose(out);
    return path;
}

static void open_folder(struct folder *f)
{
    *f = (struct folder){arena_new(), "/tmp/heddle-files-XXXXXX"};
    CHECK(mkdtemp(f->path));
    put(f, "x.txt", "1 2 3");
    put(f, "want.txt", "4 5 6");
    put(f, "dump.txt", "7");
    put(f, "l.yaml",
        "buffers:\n  x: {type: f32, file: x.txt}\nlaunches: [{kernel: k}]\n"
        "expects: [{buffer: x, file: want.txt}]\ndumps: [{buffer: x, file: dump.txt}]\n");
}

static void close_folder(struct folder *f)
{
    static const char *const names[] = {"x.txt", "want.txt", "dump.txt", "l.yaml"};
    for (int i = 0; i < 4; i++)
        unlink(arena_printf(f->a, "%s/%s", f->path, names[i]));
    CHECK_EQ(rmdir(f->path), 0);
    arena_free(f->a);
}

static uint64_t hash_of(struct folder *f)
{
    struct err e = {0};
    uint64_t h = 1;
    CHECK(files_hash_launch(arena_printf(f->a, "%s/l.yaml", f->path), &h, &e));
    return h;
}

static void what_a_launch_file_reads_counts_and_what_it_writes_does_not(void)
{
    struct folder f;
    open_folder(&f);
    uint64_t h = hash_of(&f);
    put(&f, "dump.txt", "8");
    CHECK_EQ(hash_of(&f), h);
    put(&f, "x.txt", "1 2 4");
    uint64_t other = hash_of(&f);
    CHECK(other != h);
    put(&f, "want.txt", "4 5 7");
    CHECK(hash_of(&f) != other);
    put(&f, "x.txt", "1 2 3");
    put(&f, "want.txt", "4 5 6");
    CHECK_EQ(hash_of(&f), h);
    close_folder(&f);
}

static void where_one_file_ends_and_the_next_begins_counts(void)
{
    struct folder f;
    open_folder(&f);
    struct err e = {0};
    uint64_t one = 1, two = 1;
    CHECK(files_hash(put(&f, "x.txt", "ab"), &one, &e));
    CHECK(files_hash(put(&f, "want.txt", "c"), &one, &e));
    CHECK(files_hash(put(&f, "x.txt", "a"), &two, &e));
    CHECK(files_hash(put(&f, "want.txt", "bc"), &two, &e));
    CHECK(one != two);
    close_folder(&f);
}

static void a_file_that_is_missing_is_blamed_on_the_line_that_names_it(void)
{
    struct folder f;
    open_folder(&f);
    struct err e = {0};
    uint64_t h = 1;
    unlink(arena_printf(f.a, "%s/want.txt", f.path));
    CHECK(!files_hash_launch(arena_printf(f.a, "%s/l.yaml", f.path), &h, &e));
    CHECK_STR(e.text,
              arena_printf(f.a,
                           "%s/l.yaml:4: file: %s/want.txt: cannot read: No such file or directory",
                           f.path, f.path));
    e = (struct err){0};
    CHECK(!files_hash(f.path, &h, &e)); /* a folder */
    CHECK(strstr(e.text, "cannot read") != NULL);
    close_folder(&f);
}

static void names_are_seen_from_the_file_that_has_them(void)
{
    struct arena *a = arena_new();
    CHECK_STR(files_beside(a, "s/x.yaml", "k.ptx"), "s/k.ptx");
    CHECK_STR(files_beside(a, "x.yaml", "k.ptx"), "k.ptx");
    CHECK_STR(files_beside(a, "s/x.yaml", "/k.ptx"), "/k.ptx");
    arena_free(a);
}

CHECK_MAIN("files", TEST(what_a_launch_file_reads_counts_and_what_it_writes_does_not),
           TEST(where_one_file_ends_and_the_next_begins_counts),
           TEST(a_file_that_is_missing_is_blamed_on_the_line_that_names_it),
           TEST(names_are_seen_from_the_file_that_has_them))
