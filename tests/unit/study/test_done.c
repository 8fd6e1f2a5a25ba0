/* Which runs are done: by key, in the database or in any shard. */
#include "study/done.h"

#include <unistd.h>

#include "check.h"
#include "study/store.h"

enum { JOBS = 6 };

struct world {
    struct arena *a;
    char dir[64];
    const char *folder, *db;
    struct study_job jobs[JOBS];
    struct study_plan plan;
    struct err e;
};

static void open_world(struct world *w)
{
    *w = (struct world){.a = arena_new(), .dir = "/tmp/heddle-done-XXXXXX"};
    CHECK(mkdtemp(w->dir));
    w->folder = arena_printf(w->a, "%s/shards", w->dir);
    w->db = arena_printf(w->a, "%s/results.db", w->dir);
    for (uint32_t i = 0; i < JOBS; i++)
        w->jobs[i].key = 0xf000000000000000u - i * 1000; /* negative in SQLite, and descending */
    w->plan = (struct study_plan){.njobs = JOBS, .jobs = w->jobs};
}

static void close_world(struct world *w)
{
    CHECK(shard_clear(w->a, w->folder, &w->e) && shard_remove(w->db, &w->e));
    CHECK_EQ(rmdir(w->dir), 0);
    arena_free(w->a);
}

static void put(struct world *w, const char *path, uint32_t job, const char *why)
{
    struct store_run r = {.key = w->jobs[job].key, .machine = "", .workload = "", .variant = ""};
    struct store *s = store_open(path, &w->e);
    CHECK(s && (why ? store_put_failure(s, r.key, why, &w->e) : store_put(s, &r, &w->e)));
    store_close(s);
}

static void a_run_is_where_it_was_put(void)
{
    struct world w;
    struct shard_list shards;
    struct done d;
    open_world(&w);
    CHECK(store_share(w.db, &w.e));
    const char *one = shard_make(w.a, w.folder, "a", &w.e);
    const char *two = shard_make(w.a, w.folder, "b", &w.e);
    put(&w, w.db, 0, NULL);
    put(&w, one, 1, NULL);
    put(&w, two, 1, "killed"); /* done elsewhere, whatever became of it here */
    put(&w, one, 2, "deadlock");
    put(&w, two, 3, NULL);
    put(&w, w.db, 4, "killed"); /* and done later */
    put(&w, two, 4, NULL);
    CHECK(shard_find(w.a, w.folder, NULL, &shards, &w.e));
    CHECK(done_find(w.a, &w.plan, w.db, &shards, &d, &w.e));
    static const enum done_state expected[JOBS] = {RUN_IN_STORE, RUN_IN_SHARD, RUN_FAILED,
                                                   RUN_IN_SHARD, RUN_IN_SHARD, RUN_MISSING};
    for (uint32_t i = 0; i < JOBS; i++)
        CHECK_EQ(d.of[i], expected[i]);
    CHECK_STR(d.why[2], "deadlock");
    CHECK_EQ(d.n[RUN_IN_SHARD], 3);
    CHECK_EQ(d.n[RUN_MISSING], 1);
    close_world(&w);
}

static void without_a_database_nothing_is_done_and_none_is_made(void)
{
    struct world w;
    struct shard_list none = {0};
    struct done d;
    open_world(&w);
    CHECK(done_find(w.a, &w.plan, w.db, &none, &d, &w.e));
    CHECK_EQ(d.n[RUN_MISSING], JOBS);
    CHECK(access(w.db, F_OK) != 0);
    close_world(&w);
}

static void a_shard_that_cannot_be_read_brings_nothing(void)
{
    struct world w;
    struct shard_list shards;
    struct done d;
    open_world(&w);
    const char *one = shard_make(w.a, w.folder, "a", &w.e);
    put(&w, shard_make(w.a, w.folder, "b", &w.e), 3, NULL);
    FILE *f = fopen(one, "w");
    CHECK(f && fputs("no database, but something that is long enough to be one", f) >= 0);
    CHECK_EQ(fclose(f), 0);
    CHECK(shard_find(w.a, w.folder, NULL, &shards, &w.e));
    CHECK_EQ(shards.n, 2);
    CHECK(done_find(w.a, &w.plan, NULL, &shards, &d, &w.e));
    CHECK_EQ(d.n[RUN_IN_SHARD], 1);
    close_world(&w);
}

CHECK_MAIN("done", TEST(a_run_is_where_it_was_put),
           TEST(without_a_database_nothing_is_done_and_none_is_made),
           TEST(a_shard_that_cannot_be_read_brings_nothing))
