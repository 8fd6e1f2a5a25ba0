/* Random traffic through a cluster, with and without coalescing, tables of all sizes, memory that
 * answers in any order: each request is answered once, no read is older than it may be (the rig
 * checks both), and neither sleeping nor the order of ticks changes anything. */
#include "check.h"

#include "rig/icc_rig.h"

static const struct shape {
    const char *icc;
    uint32_t nsms, lines, gap;
    bool is_sectored;
    uint64_t memory_period;
} shapes[] = {
    {NULL, 5, 8, 6, false, 0},
    {"enabled=true entries=0", 5, 8, 6, false, 0},
    {"enabled=true entries=1", 5, 4, 3, false, 0},
    {"enabled=true entries=2 cc_lines=1", 5, 5, 6, false, 3},
    {"enabled=true entries=3 cc_lines=2 hit_queue=1", 8, 6, 12, false, 0},
    {"enabled=true cc_lines=24 latency=0", 5, 12, 3, false, 5},
    {"enabled=true cc_lines=24 latency=7", 5, 40, 2, false, 0},
    {"enabled=true entries=4 cc_lines=3 broadcast=false", 5, 6, 6, false, 0},
    {"enabled=true entries=4 cc_lines=2", 5, 6, 6, true, 0},
    {"enabled=true cc_lines=8 broadcast=false", 8, 5, 10, true, 3},
    {"enabled=true cc_lines=4", 1, 4, 2, true, 0},
    {"enabled=true cc_lines=12", 4, 12, 60, false, 0}, /* long sleeps */
    {"enabled=true cc_lines=3 replacement=fifo", 5, 8, 6, false, 0},
    {"enabled=true cc_lines=5 replacement=plru", 5, 12, 6, true, 0},
    {"enabled=true cc_lines=4 replacement=random", 5, 8, 6, false, 3},
    {"enabled=true cc_lines=3 replacement=drrip", 5, 8, 4, true, 0},
    {"enabled=true cc_lines=4 replacement=pass pass.spaces=all", 5, 6, 6, true, 0},
    {"enabled=true entries=3 cc_lines=4 replacement=pass pass.spaces=all pass.mode=no_mshr", 5, 6,
     6, false, 0},
    {"enabled=true cc_lines=12 broadcast=false", 8, 20, 90, true, 3},
};
enum { NSHAPES = sizeof shapes / sizeof shapes[0], SEEDS = 4 };

static struct icc_rig_options options_of(const struct shape *s, uint64_t seed, bool in_order)
{
    return (struct icc_rig_options){.icc = s->icc,
                                    .nsms = s->nsms,
                                    .requests = 250,
                                    .lines = s->lines,
                                    .gap = s->gap,
                                    .seed = seed,
                                    .memory_period = s->memory_period,
                                    .in_order = in_order,
                                    .is_sectored = s->is_sectored,
                                    .skip = true};
}

static void add(struct icc_rig_result *sum, const struct icc_rig_result *r)
{
    sum->merged += r->merged;
    sum->hit += r->hit;
    sum->stale += r->stale;
    sum->partial += r->partial;
    sum->full += r->full;
    sum->invalidated += r->invalidated;
}

static void every_request_is_answered_once_and_never_with_something_too_old(void)
{
    struct icc_rig_result sum = {0};
    for (int i = 0; i < NSHAPES; i++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct icc_rig_options o = options_of(&shapes[i], seed, seed & 1);
            struct icc_rig_result r = icc_rig_run(&o);
            CHECK_EQ(r.answered, 250 * shapes[i].nsms);
            add(&sum, &r);
        }
    /* All of it has been tried. */
    CHECK(sum.merged > 500);
    CHECK(sum.hit > 500);
    CHECK(sum.stale > 100);
    CHECK(sum.partial > 100);
    CHECK(sum.full > 100);
    CHECK(sum.invalidated > 50);
}

static void neither_sleeping_nor_the_order_of_ticks_changes_anything(void)
{
    for (int i = 0; i < NSHAPES; i++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct icc_rig_options o = options_of(&shapes[i], seed, false);
            uint64_t digest = icc_rig_run(&o).digest;
            o.reversed = true;
            CHECK_EQ(icc_rig_run(&o).digest, digest);
            o.skip = false;
            CHECK_EQ(icc_rig_run(&o).digest, digest);
            o.reversed = false;
            CHECK_EQ(icc_rig_run(&o).digest, digest);
            o.seed += 100;
            CHECK(icc_rig_run(&o).digest != digest);
        }
}

static void what_is_merged_or_hit_is_not_sent(void)
{
    struct shape s = {"enabled=true cc_lines=8", 5, 10, 4, false, 0};
    struct icc_rig_options o = options_of(&s, 9, false);
    struct icc_rig_result with = icc_rig_run(&o);
    o.icc = NULL;
    struct icc_rig_result without = icc_rig_run(&o);
    CHECK(with.merged > 50 && with.hit > 20);
    CHECK_EQ(without.merged + without.hit, 0);
    CHECK_EQ(with.reads, without.reads);
    CHECK_EQ(with.sent + with.merged + with.hit, without.sent);
}

CHECK_MAIN("icc traffic", TEST(every_request_is_answered_once_and_never_with_something_too_old),
           TEST(neither_sleeping_nor_the_order_of_ticks_changes_anything),
           TEST(what_is_merged_or_hit_is_not_sent))
