/* Shards: each has one writer, and can be told from all other files. */
#include "study/shard.h"

#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "study/store.h"

struct world {
    struct arena *a;
    char dir[64];
    const char *folder;
    struct err e;
};

static void open_world(struct world *w)
{
    *w = (struct world){.a = arena_new(), .dir = "/tmp/heddle-shard-XXXXXX"};
    CHECK(mkdtemp(w->dir));
    w->folder = arena_printf(w->a, "%s/shards", w->dir);
}

static void close_world(struct world *w)
{
    CHECK_STR(w->e.text, "");
    CHECK(shard_clear(w->a, w->folder, &w->e));
    CHECK_EQ(rmdir(w->dir), 0);
    arena_free(w->a);
}

static void touch(struct world *w, const char *name)
{
    FILE *f = fopen(arena_printf(w->a, "%s/%s", w->folder, name), "w");
    CHECK(f && fputs("x", f) >= 0 && fclose(f) == 0);
}

static void every_beginning_of_a_task_has_a_shard_of_its_own(void)
{
    struct world w;
    open_world(&w);
    const char *first = shard_make(w.a, w.folder, "2-of-8", &w.e);
    const char *second = shard_make(w.a, w.folder, "2-of-8", &w.e);
    CHECK_STR(first, arena_printf(w.a, "%s/2-of-8.0.db", w.folder));
    CHECK_STR(second, arena_printf(w.a, "%s/2-of-8.1.db", w.folder));
    CHECK(shard_remove(first, &w.e));
    CHECK_STR(shard_make(w.a, w.folder, "2-of-8", &w.e), first);
    close_world(&w);
}

static void a_shard_has_no_write_ahead_log_whoever_opens_it(void)
{
    struct world w;
    open_world(&w);
    const char *path = shard_make(w.a, w.folder, "t", &w.e);
    struct store *s = store_open(path, &w.e);
    CHECK(s && store_put_note(s, "x", "y", &w.e));
    CHECK(access(arena_printf(w.a, "%s-wal", path), F_OK) != 0);
    store_close(s);
    close_world(&w);
}

static void shards_of_a_label_are_found_and_no_other_files(void)
{
    struct world w;
    struct shard_list l;
    open_world(&w);
    CHECK(shard_find(w.a, w.folder, NULL, &l, &w.e)); /* no folder: no shards */
    CHECK_EQ(l.n, 0);
    shard_make(w.a, w.folder, "s1-t1", &w.e);
    shard_make(w.a, w.folder, "s1-t10", &w.e);
    shard_make(w.a, w.folder, "s1-t1", &w.e);
    static const char *const others[] = {"s1-t1.db",    "s1-t1.0.db-journal", "s1-t1.x.db",
                                         "s1-t1.0.dbx", "s1-t1.0.db.damaged", ".0.db"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        touch(&w, others[i]);
    FILE *empty = fopen(arena_printf(w.a, "%s/s1-t1.2.db", w.folder), "w"); /* hardly begun */
    CHECK(empty && fclose(empty) == 0);
    CHECK(shard_find(w.a, w.folder, "s1-t1", &l, &w.e));
    CHECK_EQ(l.n, 2);
    CHECK(strstr(l.paths[0], "/s1-t1.0.db") && strstr(l.paths[1], "/s1-t1.1.db"));
    CHECK(shard_find(w.a, w.folder, NULL, &l, &w.e));
    CHECK_EQ(l.n, 3);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        unlink(arena_printf(w.a, "%s/%s", w.folder, others[i]));
    close_world(&w); /* removes the one that was hardly begun, too */
}

static void clearing_leaves_no_journal_whose_shard_is_gone(void)
{
    struct world w;
    open_world(&w);
    const char *path = shard_make(w.a, w.folder, "t", &w.e);
    touch(&w, "t.0.db-journal");
    CHECK_EQ(unlink(path), 0);
    CHECK(shard_clear(w.a, w.folder, &w.e));
    CHECK(access(w.folder, F_OK) != 0);
    close_world(&w);
}

static void a_folder_that_cannot_be_made_is_refused(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    CHECK(!shard_make(a, "/proc/heddle", "t", &e));
    CHECK(strstr(e.text, "/proc/heddle: cannot make the folder"));
    arena_free(a);
}

static void what_is_closed_says_so(void)
{
    struct world w;
    open_world(&w);
    const char *path = shard_make(w.a, w.folder, "t", &w.e);
    CHECK(shard_close(path, &w.e));
    struct store *s = store_open(path, &w.e);
    CHECK(store_note(s, w.a, SHARD_CLOSED));
    store_close(s);
    close_world(&w);
}

CHECK_MAIN("shard", TEST(every_beginning_of_a_task_has_a_shard_of_its_own),
           TEST(a_shard_has_no_write_ahead_log_whoever_opens_it),
           TEST(shards_of_a_label_are_found_and_no_other_files),
           TEST(clearing_leaves_no_journal_whose_shard_is_gone),
           TEST(a_folder_that_cannot_be_made_is_refused), TEST(what_is_closed_says_so))
