#include "check.h"

#include "dram/scheduler.h"
#include "rig/dram_rig.h"

#define RD COMMAND_READ
#define WR COMMAND_WRITE
#define ACT COMMAND_ACTIVATE
#define PRE COMMAND_PRECHARGE
#define ALL COMMAND_PRECHARGE_ALL
#define REF COMMAND_REFRESH

struct bench {
    struct arena *a;
    struct dram_spec s;
    struct dram_log *log;
    struct dram_outcome out;
};

static struct bench bench_open(void)
{
    struct bench x = {.a = arena_new()};
    x.s = dram_rig_spec(x.a, "gddr5");
    x.s.tfaw = 0;
    return x;
}

static void bench_play(struct bench *x, struct dram_request *r, uint32_t n, const char *scheduler)
{
    const struct dram_trace t = {n, r};
    x->log = dram_rig_log(x->a, 8 * n + 1000);
    const struct dram_run run = {.spec = &x->s, .scheduler = scheduler, .queue = 64, .log = x->log};
    x->out = dram_rig_play(x->a, &t, &run);
    const char *wrong = dram_rig_judge(x->a, x->log, &x->s);
    CHECK_STR(wrong ? wrong : "legal", "legal");
}

/* The n-th such command, from 0. */
static hd_cycle when(const struct bench *x, enum channel_command c, uint32_t n)
{
    for (uint32_t i = 0; i < x->log->n; i++)
        if (x->log->at[i].command == c && n-- == 0)
            return x->log->at[i].at;
    CHECK(false);
    return 0;
}

/* ---- each constraint by itself ---- */

struct constraint {
    const char *name;
    struct dram_request r[5]; /* at, bank, row, line, bursts, writes */
    uint32_t n;
    enum channel_command first, second;
    uint32_t first_n, second_n; /* which of its kind */
    /* What binds: all other parameters are as small as they can be. */
    size_t offset;
    int64_t value, offset_of_gap; /* the gap is value + offset_of_gap */
    int64_t groups;
};

#define OF(field) offsetof(struct dram_spec, field)

/* Base: tCL 1, tWL 1, burst 2 cycles. */
static const struct constraint constraints[] = {
    {"trcd", {{0, 0, 1, 1, 1, 0}}, 1, ACT, RD, 0, 0, OF(trcd), 17, 0, 1},
    {"trcd of a write", {{0, 0, 1, 1, 1, 1}}, 1, ACT, WR, 0, 0, OF(trcd), 17, 0, 1},
    {"tras", {{0, 0, 1, 1, 1, 0}, {0, 0, 2, 2, 1, 0}}, 2, ACT, PRE, 0, 0, OF(tras), 31, 0, 1},
    {"trp", {{0, 0, 1, 1, 1, 0}, {0, 0, 2, 2, 1, 0}}, 2, PRE, ACT, 0, 1, OF(trp), 19, 0, 1},
    {"trc", {{0, 0, 1, 1, 1, 0}, {0, 0, 2, 2, 1, 0}}, 2, ACT, ACT, 0, 1, OF(trc), 57, 0, 1},
    {"trrd", {{0, 0, 1, 1, 1, 0}, {0, 1, 1, 2, 1, 0}}, 2, ACT, ACT, 0, 1, OF(trrd), 13, 0, 1},
    {"trrd over groups",
     {{0, 0, 1, 1, 1, 0}, {0, 1, 1, 2, 1, 0}},
     2,
     ACT,
     ACT,
     0,
     1,
     OF(trrd),
     13,
     0,
     4},
    {"trrdl", {{0, 0, 1, 1, 1, 0}, {0, 4, 1, 2, 1, 0}}, 2, ACT, ACT, 0, 1, OF(trrdl), 21, 0, 4},
    {"tfaw",
     {{0, 0, 1, 1, 1, 0},
      {0, 1, 1, 2, 1, 0},
      {0, 2, 1, 3, 1, 0},
      {0, 3, 1, 4, 1, 0},
      {0, 5, 1, 5, 1, 0}},
     5,
     ACT,
     ACT,
     0,
     4,
     OF(tfaw),
     99,
     0,
     1},
    {"tccd", {{0, 0, 1, 1, 1, 0}, {0, 0, 1, 2, 1, 0}}, 2, RD, RD, 0, 1, OF(tccd), 7, 0, 1},
    {"tccd of writes",
     {{0, 0, 1, 1, 1, 1}, {0, 0, 1, 2, 1, 1}},
     2,
     WR,
     WR,
     0,
     1,
     OF(tccd),
     7,
     0,
     1},
    {"tccd within a transfer", {{0, 0, 1, 1, 2, 0}}, 1, RD, RD, 0, 1, OF(tccd), 7, 0, 1},
    {"tccdl", {{0, 0, 1, 1, 1, 0}, {0, 0, 1, 2, 1, 0}}, 2, RD, RD, 0, 1, OF(tccdl), 9, 0, 4},
    {"tccdl of two banks",
     {{0, 0, 1, 1, 1, 0}, {0, 4, 1, 2, 1, 0}},
     2,
     RD,
     RD,
     0,
     1,
     OF(tccdl),
     9,
     0,
     4},
    {"burst on the bus",
     {{0, 0, 1, 1, 1, 0}, {0, 0, 1, 2, 1, 0}},
     2,
     RD,
     RD,
     0,
     1,
     OF(burst),
     24,
     -18,
     1},
    {"twr", {{0, 0, 1, 1, 1, 1}, {0, 0, 2, 2, 1, 0}}, 2, WR, PRE, 0, 0, OF(twr), 23, 3, 1},
    {"twl to precharge",
     {{0, 0, 1, 1, 1, 1}, {0, 0, 2, 2, 1, 0}},
     2,
     WR,
     PRE,
     0,
     0,
     OF(twl),
     23,
     3,
     1},
    {"twtr", {{0, 0, 1, 1, 1, 1}, {0, 0, 1, 2, 1, 0}}, 2, WR, RD, 0, 0, OF(twtr), 15, 3, 1},
    {"twtr to another bank",
     {{0, 0, 1, 1, 1, 1}, {0, 1, 1, 2, 1, 0}},
     2,
     WR,
     RD,
     0,
     0,
     OF(twtr),
     15,
     3,
     1},
    {"twl to read", {{0, 0, 1, 1, 1, 1}, {0, 0, 1, 2, 1, 0}}, 2, WR, RD, 0, 0, OF(twl), 15, 3, 1},
    {"trtp", {{0, 0, 1, 1, 1, 0}, {0, 0, 2, 2, 1, 0}}, 2, RD, PRE, 0, 0, OF(trtp), 16, 0, 1},
    {"trtrs", {{0, 0, 1, 1, 1, 0}, {0, 0, 1, 2, 1, 1}}, 2, RD, WR, 0, 0, OF(trtrs), 11, 2, 1},
    {"tcl to write", {{0, 0, 1, 1, 1, 0}, {0, 1, 1, 2, 1, 1}}, 2, RD, WR, 0, 0, OF(tcl), 21, 1, 1},
};

static struct dram_spec smallest(void)
{
    struct arena *a = arena_new();
    struct dram_spec s = dram_rig_spec(a, "gddr5");
    arena_free(a);
    s.tcl = s.twl = s.trcd = s.trp = s.tras = s.trc = s.trrd = s.tccd = s.twr = s.twtr = 1;
    s.trtp = 1;
    s.trrdl = s.tccdl = s.tfaw = s.trtrs = 0;
    s.group_bits = "low"; /* that of the arena is gone */
    return s;
}

static void each_command_waits_exactly_as_long_as_its_constraint_says(void)
{
    for (size_t i = 0; i < sizeof constraints / sizeof constraints[0]; i++) {
        struct constraint c = constraints[i];
        for (int64_t more = 0; more < 3; more++) {
            struct bench x = {.a = arena_new(), .s = smallest()};
            int64_t value = c.value + more * (c.offset == OF(burst) ? 4 : 1);
            int64_t gap = c.offset == OF(burst) ? value / 4 : value + c.offset_of_gap;
            memcpy((char *)&x.s + c.offset, &value, sizeof value);
            x.s.groups = c.groups;
            print_message("%s = %lld\n", c.name, (long long)value);
            bench_play(&x, c.r, c.n, "frfcfs");
            CHECK_EQ(when(&x, c.second, c.second_n) - when(&x, c.first, c.first_n), gap);
            arena_free(x.a);
        }
    }
}

static void the_gap_within_a_group_does_not_hold_over_groups(void)
{
    struct bench x = bench_open();
    x.s.groups = 4;
    x.s.tccdl = 9;
    x.s.trrdl = 30;
    x.s.trrd = 1;
    bench_play(&x, (struct dram_request[]){{0, 0, 1, 1, 1, 0}, {0, 1, 1, 2, 1, 0}}, 2, "frfcfs");
    CHECK_EQ(when(&x, ACT, 1) - when(&x, ACT, 0), 1);
    CHECK_EQ(when(&x, RD, 1) - when(&x, RD, 0), 2);
    arena_free(x.a);
}

/* Sixteen banks in four groups: 1 and 4 are parted, 1 and 2 together, when high bits choose. */
static void neighbouring_banks_can_be_one_group(void)
{
    static const struct {
        const char *bits;
        uint32_t bank;
        uint64_t rows, columns;
    } cases[] = {{"high", 2, 30, 30}, {"high", 4, 1, 2}, {"low", 2, 1, 2}, {"low", 5, 30, 30}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct bench x = bench_open();
        x.s.groups = 4;
        x.s.group_bits = cases[k].bits;
        x.s.tccdl = 9;
        x.s.trrdl = 30;
        x.s.trrd = 1;
        bench_play(&x, (struct dram_request[]){{0, 1, 1, 1, 1, 0}, {0, cases[k].bank, 1, 2, 1, 0}},
                   2, "frfcfs");
        CHECK_EQ(when(&x, ACT, 1) - when(&x, ACT, 0), cases[k].rows);
        CHECK_EQ(when(&x, RD, 1) - when(&x, RD, 0), cases[k].columns);
        arena_free(x.a);
    }
}

/* ---- a transfer from end to end ---- */

static void a_read_ends_with_its_last_beat(void)
{
    struct bench x = bench_open();
    bench_play(&x, (struct dram_request[]){{0, 3, 1, 1, 1, 0}}, 1, "frfcfs");
    CHECK_EQ(when(&x, ACT, 0), 1);
    CHECK_EQ(when(&x, RD, 0), 13);
    CHECK_EQ(x.out.done[0], 13 + 12 + 2);
    arena_free(x.a);
}

static void a_write_ends_with_its_last_beat(void)
{
    struct bench x = bench_open();
    bench_play(&x, (struct dram_request[]){{0, 3, 1, 1, 3, 1}}, 1, "frfcfs");
    CHECK_EQ(when(&x, WR, 2), 17);
    CHECK_EQ(x.out.done[0], 17 + 4 + 2);
    CHECK_EQ(x.out.stats.write_bytes, 3 * 64);
    arena_free(x.a);
}

/* ---- throughput ---- */

static struct dram_request *stream(struct bench *x, uint32_t n, uint32_t banks, uint32_t run)
{
    struct dram_request *r = ARENA_ARRAY(x->a, struct dram_request, n);
    for (uint32_t i = 0; i < n; i++)
        r[i] = (struct dram_request){0, i / run % banks, i / run / banks, i, 1, false};
    return r;
}

static void row_hits_fill_the_data_bus(void)
{
    struct bench x = bench_open();
    bench_play(&x, stream(&x, 4000, 16, 500), 4000, "frfcfs");
    CHECK_EQ(x.out.cycles, 13 + 3999 * 2 + 14);
    CHECK_EQ(x.out.stats.row_hits, 4000 - 8);
    CHECK_EQ(x.out.stats.bus_busy, 8000);
    arena_free(x.a);
}

static void row_misses_of_one_bank_take_trc_each(void)
{
    struct bench x = bench_open();
    bench_play(&x, stream(&x, 500, 1, 1), 500, "frfcfs");
    CHECK_EQ(x.out.cycles, 1 + 499 * 40 + 12 + 14);
    arena_free(x.a);
}

static void row_misses_over_all_banks_take_trrd_each(void)
{
    struct bench x = bench_open();
    x.s.dual_command = true; /* else columns take slots from rows */
    bench_play(&x, stream(&x, 3000, 16, 1), 3000, "frfcfs");
    CHECK_EQ(when(&x, ACT, 2999) - when(&x, ACT, 0), 2999 * 6);
    arena_free(x.a);
}

static void row_misses_over_all_banks_take_a_quarter_of_tfaw_each(void)
{
    struct bench x = bench_open();
    x.s.dual_command = true;
    x.s.tfaw = 40;
    bench_play(&x, stream(&x, 2000, 16, 1), 2000, "frfcfs");
    CHECK_EQ(when(&x, ACT, 1996) - when(&x, ACT, 0), 499 * 40);
    arena_free(x.a);
}

static void rows_and_columns_share_a_slot_unless_they_have_two(void)
{
    for (int dual = 0; dual < 2; dual++) {
        struct bench x = bench_open();
        x.s.dual_command = dual;
        x.s.trrd = 12; /* the second activate falls into the cycle of the first read */
        bench_play(&x, (struct dram_request[]){{0, 0, 1, 1, 1, 0}, {0, 1, 1, 2, 1, 0}}, 2,
                   "frfcfs");
        CHECK_EQ(when(&x, RD, 0), 13);
        CHECK_EQ(when(&x, ACT, 1), dual ? 13 : 14);
        arena_free(x.a);
    }
}

/* ---- refresh ---- */

static void refreshes_come_in_time_and_keep_the_banks(void)
{
    struct bench x = bench_open();
    x.s.trefi = 1000;
    x.s.trfc = 100;
    bench_play(&x, stream(&x, 4000, 16, 32), 4000, "frfcfs");
    for (uint32_t i = 0; i < 8; i++) {
        hd_cycle due = 1000 * (i + 1), ref = when(&x, REF, i), all = when(&x, ALL, i);
        CHECK(all >= due && all <= due + 28);
        CHECK_EQ(ref, all + 12 > due ? all + 12 : due);
    }
    CHECK_EQ(x.out.stats.refreshes, x.out.cycles / 1000);
    CHECK_EQ(x.out.stats.row_hits + x.out.stats.row_misses + x.out.stats.row_conflicts, 4000);
    CHECK(x.out.stats.activates - x.out.stats.precharges <= 16); /* those still open */
    arena_free(x.a);
}

static void an_idle_channel_is_refreshed_without_being_looked_at(void)
{
    struct bench x = bench_open();
    x.s.trefi = 1000;
    x.s.trfc = 100;
    bench_play(
        &x,
        (struct dram_request[]){{0, 0, 1, 1, 1, 0}, {50000, 0, 1, 2, 1, 0}, {60050, 0, 1, 3, 1, 0}},
        3, "frfcfs");
    CHECK_EQ(x.out.stats.refreshes, 60);
    CHECK(x.out.visits < 20);
    CHECK_EQ(when(&x, ALL, 0), 1000);
    CHECK_EQ(when(&x, REF, 0), 1012);
    CHECK_EQ(when(&x, REF, 1), 2000);
    CHECK_EQ(when(&x, REF, 49), 50000);
    CHECK_EQ(when(&x, ACT, 1), 50100);
    CHECK_EQ(when(&x, ALL, 1), 51000);
    CHECK_EQ(when(&x, ACT, 2), 60100);
    CHECK_EQ(x.out.stats.row_misses, 3); /* a refresh closes rows, nobody's conflict */
    arena_free(x.a);
}

/* ---- statistics ---- */

static void times_are_summed_exactly(void)
{
    struct bench x = bench_open();
    /* Added at 0 and at 100; each: ACT 1 later, RD 12 later, last beat 14 later. */
    bench_play(&x, (struct dram_request[]){{0, 2, 1, 1, 1, 0}, {100, 5, 1, 2, 1, 0}}, 2, "frfcfs");
    CHECK_EQ(x.out.cycles, 127);
    CHECK_EQ(x.out.stats.cycles, 127);
    CHECK_EQ(x.out.stats.pending, 2 * 13);
    CHECK_EQ(x.out.stats.queued, 2 * 13);
    CHECK_EQ(x.out.stats.bank_busy, 2 * 27);
    CHECK_EQ(x.out.stats.bank_idle, 16 * 127 - 2 * 27);
    CHECK_EQ(x.out.stats.row_open, 126);
    arena_free(x.a);
}

static void a_bank_is_busy_once_while_accesses_overlap(void)
{
    struct bench x = bench_open();
    /* The second comes when the first has had its command, but not yet all of its data. */
    bench_play(&x, (struct dram_request[]){{0, 2, 1, 1, 1, 0}, {20, 2, 1, 2, 1, 0}}, 2, "frfcfs");
    CHECK_EQ(x.out.cycles, 35);
    CHECK_EQ(x.out.stats.bank_busy, 35);
    arena_free(x.a);
}

static void settling_in_the_middle_changes_no_sum(void)
{
    struct arena *a = arena_new();
    struct dram_spec s = dram_rig_spec(a, "gddr5");
    s.trefi = 900;
    s.trfc = 90;
    struct dram_trace t = dram_rig_random(a, 5, 300, &s);
    struct channel *ch[2] = {ARENA_NEW(a, struct channel), ARENA_NEW(a, struct channel)};
    struct channel_options o = {timing_of(&s), scheduler_find("frfcfs"), dram_rig_config(a), 64, 0};
    uint64_t before = 0;
    for (int often = 0; often < 2; often++) {
        struct channel *c = ch[often];
        uint32_t next = 0;
        channel_init(c, a, &o);
        for (hd_cycle now = 0; now < 40000; now++) {
            if (often && now % 7 == 0) {
                channel_settle(c, now);
                CHECK_EQ(c->stats.bank_busy + c->stats.bank_idle, 16 * now);
                CHECK(c->stats.bank_busy >= before); /* what was is not taken back */
                before = c->stats.bank_busy;
            }
            channel_tick(c, now);
            if (next < t.n && t.at[next].at <= now && channel_has_room(c, t.at[next].bank)) {
                struct dram_request *r = &t.at[next++];
                struct queue_entry e = {.line = r->line,
                                        .row = r->row,
                                        .bank = (uint16_t)r->bank,
                                        .bursts = r->bursts,
                                        .is_write = r->is_write};
                channel_add(c, now, &e);
            }
            channel_next(c, now);
            c->done_head = c->done_tail;
        }
        CHECK_EQ(next, t.n);
        channel_settle(c, 40000);
    }
    CHECK(memcmp(&ch[0]->stats, &ch[1]->stats, sizeof ch[0]->stats) == 0);
    arena_free(a);
}

static void an_audit_finds_a_bank_that_was_not_counted(void)
{
    struct arena *a = arena_new();
    struct dram_spec s = dram_rig_spec(a, "gddr5");
    struct channel_options o = {timing_of(&s), scheduler_find("frfcfs"), dram_rig_config(a), 64, 0};
    struct channel *c = ARENA_NEW(a, struct channel);
    struct err e = {.text = ""};
    channel_init(c, a, &o);
    CHECK(channel_audit(c, &e));
    c->nopen = 1;
    CHECK(!channel_audit(c, &e));
    CHECK(strstr(e.text, "0 banks are open, not 1") != NULL);
    arena_free(a);
}

CHECK_MAIN("channel", TEST(each_command_waits_exactly_as_long_as_its_constraint_says),
           TEST(the_gap_within_a_group_does_not_hold_over_groups),
           TEST(neighbouring_banks_can_be_one_group), TEST(a_read_ends_with_its_last_beat),
           TEST(a_write_ends_with_its_last_beat), TEST(row_hits_fill_the_data_bus),
           TEST(row_misses_of_one_bank_take_trc_each),
           TEST(row_misses_over_all_banks_take_trrd_each),
           TEST(row_misses_over_all_banks_take_a_quarter_of_tfaw_each),
           TEST(rows_and_columns_share_a_slot_unless_they_have_two),
           TEST(refreshes_come_in_time_and_keep_the_banks),
           TEST(an_idle_channel_is_refreshed_without_being_looked_at),
           TEST(times_are_summed_exactly), TEST(a_bank_is_busy_once_while_accesses_overlap),
           TEST(settling_in_the_middle_changes_no_sum),
           TEST(an_audit_finds_a_bank_that_was_not_counted))
