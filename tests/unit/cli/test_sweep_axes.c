#include "check.h"

#include "cli/sweep_axes.h"

struct rig {
    struct arena *arena;
    struct sweep_axes axes;
    struct sweep_given given;
    struct err err;
    bool ok;
};

static void open_rig(struct rig *r, int nmachines, const char *const *machines, int nsets,
                     const char *const *sets)
{
    *r = (struct rig){.arena = arena_new(), .given = {nmachines, nsets, machines, sets}};
    r->ok = sweep_axes_read(&r->axes, &r->given, r->arena, &r->err);
}

static void close_rig(struct rig *r)
{
    arena_free(r->arena);
}

static const char *const icc60[] = {"icc60"};

/* How many runs one --set makes. */
static uint32_t runs_of(const char *set)
{
    struct rig r;
    open_rig(&r, 1, icc60, 1, &set);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.axes.n, r.axes.runs > 1);
    uint32_t runs = r.axes.runs;
    close_rig(&r);
    return runs;
}

static void parameters_of_one_value_are_split_at_commas(void)
{
    CHECK_EQ(runs_of("l1.size=16K"), 1);
    CHECK_EQ(runs_of("l1.size=16K,32K,64K"), 3);
    CHECK_EQ(runs_of("gpu.clock=1.4GHz,700MHz"), 2);
    CHECK_EQ(runs_of("icc.enabled=false,true"), 2);
    CHECK_EQ(runs_of("gpu.cta_scheduler=rr,distributed"), 2);
    CHECK_EQ(runs_of("noc.networks=one,two"), 2);
}

static void commas_that_belong_to_a_value_are_left_alone(void)
{
    CHECK_EQ(runs_of("mesh.mem=1,2,5-9"), 1);
    CHECK_EQ(runs_of("sm.registers_of=a=32,b=40"), 1);
    CHECK_EQ(runs_of("no.such=1,2"), 1); /* which the one run will refuse */
    CHECK_EQ(runs_of("1,2"), 1);
}

static void every_combination_is_a_run_and_the_last_axis_is_fastest(void)
{
    static const char *const machines[] = {"icc60", "volta"};
    static const char *const sets[] = {"l1.size=16K,32K", "l1.ways=4", "l1.mshrs=8,16,32"};
    struct rig r;
    open_rig(&r, 2, machines, 3, sets);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.axes.n, 3);
    CHECK_EQ(r.axes.runs, 12);
    CHECK_STR(sweep_axes_label(&r.axes, 0, r.arena), "machine=icc60, l1.size=16K, l1.mshrs=8");
    CHECK_STR(sweep_axes_label(&r.axes, 1, r.arena), "machine=icc60, l1.size=16K, l1.mshrs=16");
    CHECK_STR(sweep_axes_label(&r.axes, 11, r.arena), "machine=volta, l1.size=32K, l1.mshrs=32");
    CHECK_STR(sweep_axes_machine(&r.axes, &r.given, 5), "icc60");
    CHECK_STR(sweep_axes_machine(&r.axes, &r.given, 6), "volta");
    CHECK_STR(sweep_axes_set(&r.axes, &r.given, 3, 0, r.arena), "l1.size=32K");
    CHECK_STR(sweep_axes_set(&r.axes, &r.given, 3, 1, r.arena), "l1.ways=4");
    CHECK_STR(sweep_axes_set(&r.axes, &r.given, 5, 2, r.arena), "l1.mshrs=32");
    close_rig(&r);
}

static void one_machine_is_no_axis(void)
{
    static const char *const sets[] = {"l1.size=16K,32K"};
    struct rig r;
    open_rig(&r, 1, icc60, 1, sets);
    CHECK_STR(sweep_axes_machine(&r.axes, &r.given, 1), "icc60");
    close_rig(&r);
}

static void refuses(int nmachines, const char *const *machines, int nsets, const char *const *sets,
                    const char *why)
{
    struct rig r;
    open_rig(&r, nmachines, machines, nsets, sets);
    CHECK(!r.ok);
    CHECK_EQ(r.err.status, STATUS_BAD_INPUT);
    CHECK(strstr(r.err.text, why) != NULL);
    close_rig(&r);
}

static void mistakes_are_refused(void)
{
    static const char *const twice[] = {"icc60", "icc60"};
    static const char *const bad[] = {"l1.size=16K,", "l1.size=16K,,32K", "l1.size=16K,32K,16K"};
    static const char *const undone[] = {"l1.size=16K,32K", "l1.size=64K"};
    static const char *const many[] = {"l1.mshrs=1,2,3,4,5,6,7,8,9,10,11",
                                       "l1.ways=1,2,3,4,5,6,7,8,9,10,11",
                                       "icc.entries=1,2,3,4,5,6,7,8,9,10,11"};
    refuses(2, twice, 0, NULL, "-m icc60 is there twice");
    for (int i = 0; i < 3; i++)
        refuses(1, icc60, 1, &bad[i], "each once");
    refuses(1, icc60, 2, undone, "l1.size is given more than once");
    refuses(1, icc60, 3, many, "more than 1000 runs");
}

CHECK_MAIN("sweep_axes", TEST(parameters_of_one_value_are_split_at_commas),
           TEST(commas_that_belong_to_a_value_are_left_alone),
           TEST(every_combination_is_a_run_and_the_last_axis_is_fastest),
           TEST(one_machine_is_no_axis), TEST(mistakes_are_refused))
