/* What is missing, as tasks: recordings first, then runs in chunks that take equally long. */
#include "study/submission.h"

#include <unistd.h>

#include "check.h"
#include "rig/study_rig.h"
#include "study/store.h"

#define TEXT STUDY_RIG_HEAD "figures: {f: {expr: ipc}}\n" /* nine runs of three programs */

struct fixture {
    struct study_rig rig;
    struct study_plan plan;
    struct done done;
    struct recordings r;
    double guesses[9];
    struct submission x;
    struct err e;
};

static void open_fixture(struct fixture *f)
{
    *f = (struct fixture){0};
    study_rig_open(&f->rig, TEXT, NULL);
    CHECK(f->rig.study);
    CHECK(study_plan(f->rig.arena, f->rig.study, &study_rig_above, &f->plan, &f->e));
    CHECK_EQ(f->plan.njobs, 9);
    f->done.of = ARENA_ARRAY(f->rig.arena, enum done_state, 9);
    for (int i = 0; i < 9; i++)
        f->guesses[i] = 1;
}

static void make(struct fixture *f, uint64_t per_task, uint64_t max_tasks)
{
    struct arena *a = f->rig.arena;
    struct submission_options o = {per_task, max_tasks};
    recordings_find(a, f->rig.study, &f->plan, &f->done, "/nowhere", &f->r);
    submission_make(a, f->rig.study, &f->plan, &f->done, &f->r, f->guesses, &o, &f->x);
}

static uint32_t most_runs(const struct fixture *f)
{
    uint32_t n[16] = {0}, most = 0;
    for (uint32_t i = 0; i < f->x.manifest.nruns; i++) {
        uint32_t task = f->x.manifest.runs[i].task - f->x.nrecord;
        CHECK(task < f->x.nrun);
        most = ++n[task] > most ? n[task] : most;
    }
    return most;
}

static void recordings_are_tasks_before_those_of_runs(void)
{
    struct fixture f;
    open_fixture(&f);
    make(&f, 2, 1000);
    CHECK_EQ(f.x.nrecord, 3);
    CHECK_EQ(f.x.nrun, 5);
    CHECK_EQ(most_runs(&f), 2);
    CHECK_STR(f.x.manifest.records[1].title, "BT@tiny");
    CHECK_EQ(f.x.manifest.records[2].task, 2);
    study_rig_close(&f.rig);
}

static void there_are_never_more_tasks_than_allowed_or_than_runs(void)
{
    struct fixture f;
    open_fixture(&f);
    make(&f, 1, 4);
    CHECK_EQ(f.x.nrun, 4);
    CHECK_EQ(most_runs(&f), 3);
    make(&f, 1, 1000);
    CHECK_EQ(f.x.nrun, 9);
    make(&f, 1000, 1000);
    CHECK_EQ(f.x.nrun, 1);
    study_rig_close(&f.rig);
}

static void without_a_number_a_task_takes_about_a_minute(void)
{
    struct fixture f;
    open_fixture(&f);
    make(&f, 0, 1000);
    CHECK_EQ(f.x.nrun, 1);
    for (int i = 0; i < 9; i++)
        f.guesses[i] = 25; /* 225 s */
    make(&f, 0, 1000);
    CHECK_EQ(f.x.nrun, 4);
    CHECK_NEAR(f.x.seconds, 225, 0);
    study_rig_close(&f.rig);
}

static void only_what_is_missing_is_submitted(void)
{
    struct fixture f;
    open_fixture(&f);
    for (int i = 0; i < 9; i++)
        f.done.of[i] = i == 4   ? RUN_MISSING
                       : i == 5 ? RUN_FAILED
                       : i % 2  ? RUN_IN_SHARD
                                : RUN_IN_STORE;
    make(&f, 1, 1000);
    CHECK_EQ(f.x.manifest.nruns, 2);
    CHECK(f.x.manifest.runs[0].key == f.plan.jobs[4].key);
    CHECK(f.x.manifest.runs[1].key == f.plan.jobs[5].key);
    CHECK_EQ(f.x.nrecord, 2);
    f.done.of[4] = f.done.of[5] = RUN_IN_STORE;
    make(&f, 1, 1000);
    CHECK_EQ(f.x.nrecord + f.x.nrun, 0);
    study_rig_close(&f.rig);
}

static void a_row_that_has_been_run_takes_as_long_as_it_took(void)
{
    struct fixture f;
    struct store_run run = {
        .key = 1, .machine = "", .workload = "BT@tiny", .variant = "", .wall_s = 7};
    char path[] = "/tmp/heddle-submission-XXXXXX";
    open_fixture(&f);
    CHECK(close(mkstemp(path)) == 0 && unlink(path) == 0);
    CHECK(store_share(path, &f.e));
    struct store *s = store_open(path, &f.e);
    CHECK(s && store_put(s, &run, &f.e));
    store_close(s);
    recordings_find(f.rig.arena, f.rig.study, &f.plan, NULL, "/nowhere", &f.r);
    const double *g = submission_guesses(f.rig.arena, f.rig.study, &f.plan, &f.r, path);
    CHECK_NEAR(g[1], 7, 0);
    CHECK_NEAR(g[4], 7, 0);
    CHECK_NEAR(g[0], f.plan.jobs[0].cost, 0);
    CHECK_EQ(unlink(path), 0);
    study_rig_close(&f.rig);
}

CHECK_MAIN("submission", TEST(recordings_are_tasks_before_those_of_runs),
           TEST(there_are_never_more_tasks_than_allowed_or_than_runs),
           TEST(without_a_number_a_task_takes_about_a_minute),
           TEST(only_what_is_missing_is_submitted),
           TEST(a_row_that_has_been_run_takes_as_long_as_it_took))
