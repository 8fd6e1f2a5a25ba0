/* The recordings that missing runs replay: each once, and only those. */
#include "study/recordings.h"

#include "check.h"
#include "rig/study_rig.h"

#define TEXT                                                                                       \
    "machine: icc60\nsize: tiny\n"                                                                 \
    "workloads:\n"                                                                                 \
    "  - HS\n"                                                                                     \
    "  - BP\n"                                                                                     \
    "  - {name: pair, programs: [HS, NN], window: 1000}\n"                                         \
    "  - {name: price, kind: cost}\n"                                                              \
    "variants: {a: {}, b: {set: {l1.mshrs: 8}}}\n"                                                 \
    "figures:\n"                                                                                   \
    "  f: {expr: ipc, workloads: [HS, BP, pair]}\n"                                                \
    "  g: {expr: cost.noc.area, workloads: [price]}\n"

struct fixture {
    struct study_rig rig;
    struct study_plan plan;
    struct done done;
    struct recordings r;
    struct err e;
};

static void open_fixture(struct fixture *f)
{
    *f = (struct fixture){0};
    study_rig_open(&f->rig, TEXT, NULL);
    CHECK(f->rig.study);
    CHECK(study_plan(f->rig.arena, f->rig.study, &study_rig_above, &f->plan, &f->e));
    f->done.of = ARENA_ARRAY(f->rig.arena, enum done_state, f->plan.njobs);
}

static void find(struct fixture *f, const struct done *d)
{
    recordings_find(f->rig.arena, f->rig.study, &f->plan, d, "/nowhere/streams", &f->r);
}

static void a_program_that_several_rows_have_is_recorded_once(void)
{
    struct fixture f;
    open_fixture(&f);
    find(&f, NULL);
    CHECK_EQ(f.r.n, 3); /* HS, BP, NN */
    CHECK_EQ(f.r.of[2][0], f.r.of[0][0]);
    CHECK(strncmp(f.r.all[0].path, "/nowhere/streams/HS@tiny-1-", 27) == 0);
    for (uint32_t i = 0; i < f.r.n; i++)
        CHECK(f.r.all[i].is_needed && f.r.all[i].insns == 0);
    study_rig_close(&f.rig);
}

static void what_only_finished_runs_replay_is_not_needed(void)
{
    struct fixture f;
    open_fixture(&f);
    for (uint32_t i = 0; i < f.plan.njobs; i++)
        if (f.plan.jobs[i].workload == 1)
            f.done.of[i] = f.plan.jobs[i].variant ? RUN_IN_SHARD : RUN_IN_STORE;
        else if (f.plan.jobs[i].workload == 2)
            f.done.of[i] = RUN_FAILED;
    find(&f, &f.done);
    CHECK(f.r.all[0].is_needed && !f.r.all[1].is_needed && f.r.all[2].is_needed);
    study_rig_close(&f.rig);
}

CHECK_MAIN("recordings", TEST(a_program_that_several_rows_have_is_recorded_once),
           TEST(what_only_finished_runs_replay_is_not_needed))
