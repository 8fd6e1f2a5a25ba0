/* Keys of runs: the same for the same question and model, different for whatever differs. */
#include "study/job_key.h"

#include "check.h"
#include "rig/study_rig.h"
#include "study/kind.h"

#define TEXT                                                                                       \
    "machine: icc60\nsize: tiny\nworkloads:\n"                                                     \
    "  - HS\n"                                                                                     \
    "  - {name: large, workload: HS, size: small}\n"                                               \
    "  - {name: again, workload: HS}\n"                                                            \
    "  - {name: two, programs: [HS, BP]}\n"                                                        \
    "  - {name: cut, programs: [HS, BP], window: 100}\n"                                           \
    "variants: {a: {}}\nfigures: {f: {expr: ipc}}\n"

enum { ROWS = 5 };

struct fixture {
    struct study_rig rig;
    struct job_keys *keys;
    struct config *c[2];
};

static void open_fixture(struct fixture *f)
{
    struct err e = {0};
    study_rig_open(&f->rig, TEXT, NULL);
    CHECK(f->rig.study);
    f->keys = job_keys_new(f->rig.arena, f->rig.study, 4);
    for (int i = 0; i < 2; i++)
        f->c[i] = kind_kernel.config(f->rig.arena);
    CHECK(config_set(f->c[1], "l1.mshrs=7", &e));
}

/* Rows of one program and of two have configurations of their own, of one kind each. */
static uint64_t key(struct fixture *f, int config, uint32_t row)
{
    const struct study_kind *kind = f->rig.study->workloads[row].kind;
    return job_key(f->keys, f->c[config], (size_t)(2 * (kind != &kind_kernel) + config), row, kind);
}

static uint64_t asked(struct fixture *f, int config, uint32_t row)
{
    const struct study_kind *kind = f->rig.study->workloads[row].kind;
    return job_key_asked(f->keys, f->c[config], (size_t)(2 * (kind != &kind_kernel) + config), row,
                         kind);
}

static void whatever_a_result_depends_on_is_in_its_key(void)
{
    struct fixture f;
    open_fixture(&f);
    for (uint32_t i = 0; i < 2 * ROWS; i++)
        for (uint32_t k = 0; k < i; k++) {
            bool is_same = i / ROWS == k / ROWS && k % ROWS == 0 && i % ROWS == 2; /* HS, again */
            CHECK((key(&f, (int)(i / ROWS), i % ROWS) == key(&f, (int)(k / ROWS), k % ROWS)) ==
                  is_same);
            CHECK((asked(&f, (int)(i / ROWS), i % ROWS) == asked(&f, (int)(k / ROWS), k % ROWS)) ==
                  is_same);
        }
    study_rig_close(&f.rig);
}

static void prices_do_not_depend_on_programs(void)
{
    struct fixture f;
    open_fixture(&f);
    uint64_t one = job_key(f.keys, f.c[0], 0, 0, &kind_cost);
    CHECK(one == job_key(f.keys, f.c[0], 0, 1, &kind_cost));
    CHECK(one != key(&f, 0, 0));
    study_rig_close(&f.rig);
}

static void asking_again_gives_the_same(void)
{
    struct fixture f, g;
    open_fixture(&f);
    open_fixture(&g);
    CHECK(key(&f, 1, 3) == key(&f, 1, 3));
    CHECK(key(&f, 1, 3) == key(&g, 1, 3));
    study_rig_close(&f.rig);
    study_rig_close(&g.rig);
}

CHECK_MAIN("job_key", TEST(whatever_a_result_depends_on_is_in_its_key),
           TEST(prices_do_not_depend_on_programs), TEST(asking_again_gives_the_same))
