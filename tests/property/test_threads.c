/* One simulation in several threads does what it does in one, bit for bit. */
#include "check.h"

#include "rig/toy_rig.h"

struct result {
    enum engine_stop stop;
    uint64_t now, trace, items, ticks;
};

enum { LIMIT = 10000000, SLICE = 777 };

/* Runs to the end, in one go or in slices. */
static struct result run(struct toy_machine_options opt, bool in_slices)
{
    struct toy_machine *m = toy_machine_new(&opt);
    struct engine *e = toy_machine_engine(m);
    struct err err = {0};
    struct result r = {.stop = ENGINE_REACHED};
    for (uint64_t until = 0; until < LIMIT && r.stop == ENGINE_REACHED;) {
        until = in_slices ? until + SLICE : LIMIT;
        r.stop = engine_run(e, until, &err);
    }
    r.now = in_slices ? 0 : engine_now(e);
    r.trace = toy_machine_trace(m);
    r.items = toy_machine_items(m);
    r.ticks = toy_machine_ticks(m);
    toy_machine_free(m);
    return r;
}

static struct toy_machine_options shape_of(uint64_t k)
{
    return (struct toy_machine_options){.gates = 1 + (uint32_t)(k % 7),
                                        .cores = 1 + (uint32_t)(k % 3),
                                        .echoes = 1 + (uint32_t)(k % 5),
                                        .shape = k,
                                        .batches = 6};
}

/* Where nobody is ticked ahead of time, as without skipping, in the other order or among a few, a store that has just
 * got something may be ticked once more for it. */
static void check_same(struct result a, struct result b, bool same_ticks)
{
    CHECK_EQ(a.stop, b.stop);
    CHECK_EQ(a.items, b.items);
    CHECK_EQ(a.trace, b.trace);
    if (same_ticks)
        CHECK_EQ(a.ticks, b.ticks);
}

static void any_number_of_threads_gives_the_same(void)
{
    for (uint64_t k = 0; k < 7; k++) {
        struct toy_machine_options opt = shape_of(k);
        struct result one = run(opt, false);
        CHECK_EQ(one.stop, ENGINE_IDLE);
        CHECK_EQ(one.items, 48);
        opt.engine.always_share = true; /* whatever can be shared is */
        for (uint32_t threads = 2; threads <= 4; threads += 2) {
            opt.engine.threads = threads;
            struct result many = run(opt, false);
            check_same(one, many, k > 0);
            CHECK_EQ(one.now, many.now);
        }
    }
}

static void threads_order_and_skipping_in_every_combination_give_the_same(void)
{
    for (uint64_t k = 20; k < 22; k++) {
        struct toy_machine_options opt = shape_of(k);
        struct result one = run(opt, false);
        for (uint32_t mix = 0; mix < 16; mix++) {
            opt.engine = (struct engine_options){.threads = mix & 1 ? 3 : 1,
                                                 .always_share = true,
                                                 .reversed = mix >> 1 & 1,
                                                 .no_skip = mix >> 2 & 1};
            opt.is_added_backwards = mix >> 3 & 1;
            check_same(one, run(opt, false), !opt.engine.no_skip && !opt.engine.reversed);
        }
    }
}

static void different_machines_give_different_traces(void)
{
    CHECK(run(shape_of(3), false).trace != run(shape_of(4), false).trace);
}

static void running_in_slices_changes_nothing(void)
{
    struct toy_machine_options opt = shape_of(5);
    struct result one = run(opt, false);
    check_same(one, run(opt, true), true);
    opt.engine.threads = 2;
    opt.engine.always_share = true;
    check_same(one, run(opt, true), true);
}

static void threads_can_be_stopped_and_go_on(void)
{
    struct toy_machine_options opt = shape_of(6);
    struct result one = run(opt, false);
    opt.engine.threads = 3;
    opt.engine.always_share = true;
    struct toy_machine *m = toy_machine_new(&opt);
    struct err err = {0};
    CHECK_EQ(engine_run(toy_machine_engine(m), 100, &err), ENGINE_REACHED);
    engine_stop_threads(toy_machine_engine(m));
    engine_stop_threads(toy_machine_engine(m)); /* twice is once */
    CHECK_EQ(engine_run(toy_machine_engine(m), LIMIT, &err), ENGINE_IDLE);
    CHECK_EQ(toy_machine_trace(m), one.trace);
    toy_machine_free(m);
}

/* Long enough that the lanes are dealt out again by what they were measured to take. */
static void moving_lanes_between_threads_changes_nothing(void)
{
    struct toy_machine_options opt = {
        .gates = 9, .cores = 3, .echoes = 1, .shape = 99, .batches = 200};
    struct result one = run(opt, false);
    CHECK_EQ(one.items, 1600);
    opt.engine.threads = 2;
    opt.engine.always_share = true;
    check_same(one, run(opt, false), true);
}

static void more_threads_than_lanes_do_no_harm(void)
{
    struct toy_machine_options opt = {
        .gates = 1, .cores = 1, .echoes = 1, .shape = 7, .batches = 5};
    struct result one = run(opt, false);
    opt.engine.threads = 8;
    opt.engine.always_share = true;
    check_same(one, run(opt, false), false);
}

CHECK_MAIN("threads", TEST(any_number_of_threads_gives_the_same),
           TEST(threads_order_and_skipping_in_every_combination_give_the_same),
           TEST(different_machines_give_different_traces), TEST(running_in_slices_changes_nothing),
           TEST(threads_can_be_stopped_and_go_on),
           TEST(moving_lanes_between_threads_changes_nothing),
           TEST(more_threads_than_lanes_do_no_harm))
