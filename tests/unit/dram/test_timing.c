#include "check.h"

#include "dram/scheduler.h"
#include "dram/timing.h"
#include "rig/dram_rig.h"

static const char *message_of(struct arena *a, const char *const *sets)
{
    struct config *c = dram_rig_config(a);
    struct err *e = ARENA_NEW(a, struct err);
    for (; *sets; sets++)
        CHECK(config_set(c, *sets, e));
    CHECK(!timing_check(c, e) == (e->text[0] != 0));
    return e->text;
}

static void gaps_follow_from_the_parameters(void)
{
    struct arena *a = arena_new();
    const struct dram_spec s = dram_rig_spec(a, "gddr5");
    const struct dram_timing t = timing_of(&s);
    CHECK_EQ(t.burst, 2);
    CHECK_EQ(t.burst_bytes, 64);
    CHECK_EQ(t.read_to_write, 12);
    CHECK_EQ(t.write_to_read, 11);
    CHECK_EQ(t.write_to_pre, 18);
    CHECK_EQ(t.read_to_pre, 2);
    CHECK_EQ(t.read_done, 14);
    CHECK_EQ(t.write_done, 6);
    arena_free(a);
}

static void group_gaps_without_groups_are_the_plain_ones(void)
{
    struct arena *a = arena_new();
    struct dram_spec s = dram_rig_spec(a, "gddr5");
    s.tccdl = 5;
    s.trrdl = 11;
    CHECK_EQ(timing_of(&s).column_group, 2);
    CHECK_EQ(timing_of(&s).act_to_group, 6);
    s.groups = 4;
    CHECK_EQ(timing_of(&s).column_group, 5);
    CHECK_EQ(timing_of(&s).act_to_group, 11);
    s.tccdl = s.trrdl = 0;
    CHECK_EQ(timing_of(&s).column_group, 2);
    CHECK_EQ(timing_of(&s).act_to_group, 6);
    arena_free(a);
}

static void a_turn_to_writes_is_never_shorter_than_a_burst(void)
{
    struct arena *a = arena_new();
    struct dram_spec s = dram_rig_spec(a, "gddr5");
    s.twl = 100;
    CHECK_EQ(timing_of(&s).read_to_write, 2);
    arena_free(a);
}

static void a_burst_that_ends_within_a_cycle_takes_the_whole_of_it(void)
{
    struct arena *a = arena_new();
    struct dram_spec s = dram_rig_spec(a, "gddr5");
    s.beats_per_cycle = 3;
    CHECK_EQ(timing_of(&s).burst, 3);
    s.beats_per_cycle = 16;
    CHECK_EQ(timing_of(&s).burst, 1);
    arena_free(a);
}

static void sizes_that_make_no_sense_are_refused(void)
{
    static const char *const good[] = {NULL};
    static const char *const banks[] = {"dram.banks=12", NULL};
    static const char *const groups[] = {"dram.groups=32", NULL};
    static const char *const burst[] = {"dram.burst=6", NULL};
    static const char *const bits[] = {"dram.bus_bits=12", "dram.burst=8", NULL};
    static const char *const no_rfc[] = {"dram.trefi=5000", NULL};
    static const char *const too_often[] = {"dram.trefi=150", "dram.trfc=100", NULL};
    static const char *const refresh[] = {"dram.trefi=5000", "dram.trfc=200", NULL};
    struct arena *a = arena_new();
    CHECK_STR(message_of(a, good), "");
    CHECK_STR(message_of(a, refresh), "");
    CHECK(strstr(message_of(a, banks), "dram.banks") && strstr(message_of(a, banks), "12"));
    CHECK(strstr(message_of(a, groups), "dram.groups") != NULL);
    CHECK(strstr(message_of(a, burst), "dram.burst") != NULL);
    CHECK(strstr(message_of(a, bits), "dram.burst") != NULL);
    CHECK(strstr(message_of(a, no_rfc), "dram.trfc") != NULL);
    CHECK(strstr(message_of(a, too_often), "dram.trefi") != NULL);
    arena_free(a);
}

/* The shortest interval that is allowed still serves what waits. */
static void refreshes_as_often_as_allowed_leave_time_for_work(void)
{
    struct arena *a = arena_new();
    struct dram_spec s = dram_rig_spec(a, "gddr5");
    struct config *c = dram_rig_config(a);
    struct err e = {.text = ""};
    s.trfc = 100;
    CHECK(config_set(c, "dram.trfc=100", &e));
    for (s.trefi = 101;; s.trefi++) {
        struct err ignored = {.text = ""};
        CHECK(config_set(c, arena_printf(a, "dram.trefi=%lld", (long long)s.trefi), &e));
        if (timing_check(c, &ignored))
            break;
    }
    CHECK(s.trefi < 250);
    const struct dram_trace t = dram_rig_random(a, 3, 400, &s);
    for (int k = 0; k < scheduler_count; k++) {
        const struct dram_run run = {.spec = &s, .scheduler = scheduler_all[k]->name, .queue = 32};
        CHECK(dram_rig_play(a, &t, &run).cycles < 1000000);
    }
    arena_free(a);
}

CHECK_MAIN("timing", TEST(gaps_follow_from_the_parameters),
           TEST(group_gaps_without_groups_are_the_plain_ones),
           TEST(a_turn_to_writes_is_never_shorter_than_a_burst),
           TEST(a_burst_that_ends_within_a_cycle_takes_the_whole_of_it),
           TEST(sizes_that_make_no_sense_are_refused),
           TEST(refreshes_as_often_as_allowed_leave_time_for_work))
