/* Runs of other models: which there are, which of them a report would use. */
#include "study/versions.h"

#include <unistd.h>

#include "check.h"

enum { JOBS = 4 };

static const struct study_variant variants[] = {{.name = "rr", .machine = "icc60"}};
static const struct study_workload workloads[] = {{.name = "HS", .size = "tiny"}};
static const struct study study = {.variants = variants, .workloads = workloads};

struct world {
    struct arena *a;
    char dir[64], path[96];
    struct store *store;
    struct study_job jobs[JOBS];
    struct study_plan plan;
    struct versions v;
    struct err e;
};

/* Jobs 0 .. 3 with keys 10 .. 13 and questions 100 .. 103. */
static void open_world(struct world *w)
{
    *w = (struct world){.a = arena_new(), .dir = "/tmp/heddle-versions-XXXXXX"};
    CHECK(mkdtemp(w->dir));
    snprintf(w->path, sizeof w->path, "%s/results.db", w->dir);
    w->store = store_open(w->path, &w->e);
    CHECK(w->store);
    for (uint32_t i = 0; i < JOBS; i++)
        w->jobs[i] = (struct study_job){.key = 10 + i, .asked = 100 + i, .row = "HS@tiny"};
    w->plan = (struct study_plan){.njobs = JOBS, .jobs = w->jobs};
}

static void close_world(struct world *w)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    store_close(w->store);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        unlink(arena_printf(w->a, "%s%s", w->path, ends[i]));
    CHECK_EQ(rmdir(w->dir), 0);
    arena_free(w->a);
}

static void put(struct world *w, uint64_t key, uint64_t asked, const char *version)
{
    struct store_run r = {.key = key,
                          .asked = asked,
                          .version = version,
                          .machine = "icc60",
                          .variant = "rr",
                          .workload = "HS@tiny"};
    CHECK(store_put(w->store, &r, &w->e));
}

static void find(struct world *w)
{
    CHECK(versions_find(w->a, &study, &w->plan, w->store, &w->v, &w->e));
}

static void runs_of_this_model_are_not_looked_for_elsewhere(void)
{
    struct world w;
    open_world(&w);
    for (uint32_t i = 0; i < JOBS; i++) {
        put(&w, 10 + i, 100 + i, "new");
        put(&w, 20 + i, 100 + i, "old");
    }
    find(&w);
    CHECK_EQ(w.v.missing, 0);
    CHECK_EQ(w.v.found, 0);
    CHECK_STR(versions_text(w.a, &w.v), "");
    close_world(&w);
}

static void the_version_with_most_runs_comes_first(void)
{
    struct world w;
    open_world(&w);
    put(&w, 10, 100, "new");
    put(&w, 21, 101, "a");
    put(&w, 31, 101, "b");
    put(&w, 32, 102, "b");
    put(&w, 33, 102, "b"); /* twice: of another tree without a commit */
    put(&w, 43, 103, "c");
    put(&w, 50, 999, "d"); /* another question */
    find(&w);
    CHECK_EQ(w.v.missing, 3);
    CHECK_EQ(w.v.found, 3);
    CHECK_STR(versions_text(w.a, &w.v), "2 of b, 1 of c");
    versions_use(&w.v, &w.plan);
    CHECK_EQ(w.jobs[0].key, 10);
    CHECK_EQ(w.jobs[1].key, 31);
    CHECK_EQ(w.jobs[2].key, 32);
    CHECK_EQ(w.jobs[3].key, 43);
    close_world(&w);
}

static void what_nobody_has_run_stays_missing(void)
{
    struct world w;
    open_world(&w);
    put(&w, 21, 101, "a");
    find(&w);
    CHECK_EQ(w.v.missing, 4);
    CHECK_EQ(w.v.found, 1);
    versions_use(&w.v, &w.plan);
    CHECK_EQ(w.jobs[0].key, 10);
    CHECK_EQ(w.jobs[1].key, 21);
    close_world(&w);
}

CHECK_MAIN("versions", TEST(runs_of_this_model_are_not_looked_for_elsewhere),
           TEST(the_version_with_most_runs_comes_first), TEST(what_nobody_has_run_stays_missing))
