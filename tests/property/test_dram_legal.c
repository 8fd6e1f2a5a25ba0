/* No scheduler ever issues an illegal command, sleeping changes nothing, and the judge of both
 * finds what is planted. */
#include "check.h"

#include "dram/scheduler.h"
#include "rig/dram_rig.h"

struct machine {
    const char *name;
    bool dual, refreshes;
    int64_t groups, tfaw, burst_beats_per_cycle;
};

static const struct machine machines[] = {
    {"gddr5", false, false, 1, 24, 4}, {"gddr5", true, false, 1, 32, 4},
    {"gddr3", false, true, 1, 0, 4},   {"gddr5", true, true, 4, 40, 4},
    {"gddr5", false, true, 4, 0, 2},   {"gddr3", true, false, 2, 32, 1},
};
enum { MACHINES = sizeof machines / sizeof machines[0] };

/* Every scheduler as it is, and what parameters make of them. */
static const struct dram_run variants[] = {
    {.scheduler = "frfcfs", .set = {"frfcfs.cap=2"}},
    {.scheduler = "frfcfs", .set = {"frfcfs.cap=4"}, .bank_queue = 3},
    {.scheduler = "banked_fifo", .bank_queue = 5},
    {.scheduler = "fifo", .bank_queue = 2},
    {.scheduler = "frfcfs", .set = {"frfcfs.in_turn=true"}},
    {.scheduler = "frfcfs", .stage = {.room = 6, .above = 2, .after = 90}},
    {.scheduler = "banked_fifo", .stage = {.room = 1, .above = 0, .after = 0}},
    {.scheduler = "frfcfs",
     .set = {"frfcfs.in_turn=true", "frfcfs.cap=3"},
     .bank_queue = 4,
     .stage = {.room = 20, .above = 8, .after = 500}},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static struct dram_run run_of(int way, const struct dram_spec *spec)
{
    struct dram_run r = {.spec = NULL};
    if (way < scheduler_count)
        r.scheduler = scheduler_all[way]->name;
    else
        r = variants[way - scheduler_count];
    r.spec = spec;
    r.queue = 32;
    return r;
}

static struct dram_spec spec_of(struct arena *a, const struct machine *m)
{
    struct dram_spec s = dram_rig_spec(a, m->name);
    s.dual_command = m->dual;
    s.groups = m->groups;
    s.trrdl = m->groups > 1 ? 9 : 0;
    s.tccdl = m->groups > 1 ? 3 : 0;
    s.tfaw = m->tfaw;
    s.beats_per_cycle = m->burst_beats_per_cycle;
    s.trefi = m->refreshes ? 700 : 0;
    s.trfc = m->refreshes ? 90 : 0;
    return s;
}

static void check_trace(const struct machine *m, const char *name, int way)
{
    struct arena *a = arena_new();
    const struct dram_trace trace = dram_rig_trace(a, name);
    const struct dram_spec spec = spec_of(a, m);
    struct dram_log *log = dram_rig_log(a, 20000);
    struct dram_run run = run_of(way, &spec);
    run.log = log;
    run.limit = 1200;
    dram_rig_play(a, &trace, &run);
    const char *wrong = dram_rig_judge(a, log, &spec);
    CHECK_STR(wrong ? wrong : "legal", "legal");
    arena_free(a);
}

static void no_trace_makes_any_scheduler_break_a_rule(void)
{
    static const char *const traces[] = {"bankil_sat",    "camp16_sat",  "gpu16_sat",
                                         "gpu16rw_sat",   "rand4rw_sat", "randrw_sat",
                                         "rowconfrw_sat", "seqrw_sat",   "gpu16rw_half"};
    for (size_t t = 0; t < sizeof traces / sizeof traces[0]; t++)
        for (int m = 0; m < MACHINES; m++)
            for (int s = 0; s < scheduler_count + VARIANTS; s++)
                check_trace(&machines[m], traces[t], s);
}

static void check_same_log(const struct dram_log *x, const struct dram_log *y)
{
    CHECK_EQ(x->n, y->n);
    for (uint32_t i = 0; i < x->n; i++) {
        CHECK_EQ(x->at[i].at, y->at[i].at);
        CHECK_EQ(x->at[i].command, y->at[i].command);
        CHECK_EQ(x->at[i].bank, y->at[i].bank);
        CHECK_EQ(x->at[i].row, y->at[i].row);
    }
}

static void play_random(uint64_t seed, const struct machine *m, int way)
{
    struct arena *a = arena_new();
    const struct dram_spec spec = spec_of(a, m);
    const struct dram_trace trace = dram_rig_random(a, seed, 1500, &spec);
    struct dram_log *log[2];
    struct dram_outcome o[2];
    for (int always = 0; always < 2; always++) {
        log[always] = dram_rig_log(a, 20000);
        struct dram_run run = run_of(way, &spec);
        run.queue = 8u << seed % 4;
        run.ticks_always = always;
        run.log = log[always];
        o[always] = dram_rig_play(a, &trace, &run);
    }
    const char *wrong = dram_rig_judge(a, log[0], &spec);
    CHECK_STR(wrong ? wrong : "legal", "legal");
    CHECK(o[0].visits < o[1].visits);
    check_same_log(log[0], log[1]);
    CHECK(memcmp(o[0].done, o[1].done, trace.n * sizeof o[0].done[0]) == 0);
    CHECK(memcmp(&o[0].stats, &o[1].stats, sizeof o[0].stats) == 0);
    arena_free(a);
}

static void sleeping_changes_nothing_and_random_traffic_breaks_no_rule(void)
{
    for (uint64_t seed = 0; seed < 4; seed++)
        for (int m = 0; m < MACHINES; m++)
            for (int s = 0; s < scheduler_count + VARIANTS; s++)
                play_random(seed + 10, &machines[m], s);
}

/* ---- order ---- */

static void check_order(const struct dram_trace *t, const struct dram_outcome *o)
{
    for (uint32_t i = 0; i < t->n; i++)
        for (uint32_t k = i + 1; k < t->n && k < i + 400; k++)
            if (t->at[i].line == t->at[k].line && (t->at[i].is_write || t->at[k].is_write))
                CHECK(o->done[i] < o->done[k]);
}

static void transfers_of_a_line_keep_their_order_around_writes(void)
{
    for (int s = 0; s < scheduler_count + VARIANTS; s++) {
        struct arena *a = arena_new();
        const struct dram_spec spec = dram_rig_spec(a, "gddr5");
        const struct dram_trace t = dram_rig_random(a, 77, 4000, &spec);
        struct dram_run run = run_of(s, &spec);
        run.queue = 64;
        const struct dram_outcome o = dram_rig_play(a, &t, &run);
        check_order(&t, &o);
        arena_free(a);
    }
}

/* ---- the judge ---- */

#define RD COMMAND_READ
#define WR COMMAND_WRITE
#define ACT COMMAND_ACTIVATE
#define PRE COMMAND_PRECHARGE
#define ALL COMMAND_PRECHARGE_ALL
#define REF COMMAND_REFRESH

struct plant {
    struct channel_event ev[8];
    int n;
    int64_t groups;
    bool dual;
};

/* Legal as they stand; the last command one cycle earlier is not. */
static const struct plant plants[] = {
    {{{0, ACT, 0, 5}, {12, RD, 0, 5}}, 2, 1, false},                   /* tRCD */
    {{{0, ACT, 0, 5}, {12, WR, 0, 5}}, 2, 1, false},                   /* tRCD */
    {{{0, ACT, 0, 5}, {28, PRE, 0, 5}}, 2, 1, false},                  /* tRAS */
    {{{0, ACT, 0, 5}, {30, PRE, 0, 5}, {42, ACT, 0, 6}}, 3, 1, false}, /* tRP */
    {{{0, ACT, 0, 5}, {28, PRE, 0, 5}, {40, ACT, 0, 6}}, 3, 1, false}, /* tRC, tRP */
    {{{0, ACT, 0, 5}, {6, ACT, 1, 5}}, 2, 1, false},                   /* tRRD */
    {{{0, ACT, 0, 5}, {9, ACT, 4, 5}}, 2, 4, false},                   /* tRRDL */
    {{{0, ACT, 0, 5}, {12, RD, 0, 5}, {14, RD, 0, 5}}, 3, 1, false},   /* tCCD */
    {{{0, ACT, 0, 5}, {12, RD, 0, 5}, {15, RD, 0, 5}}, 3, 4, false},   /* tCCDL */
    {{{0, ACT, 0, 5}, {12, WR, 0, 5}, {14, WR, 0, 5}}, 3, 1, false},   /* tCCD */
    {{{0, ACT, 0, 5}, {12, RD, 0, 5}, {24, WR, 0, 5}}, 3, 1, false},   /* turn to writes */
    {{{0, ACT, 0, 5}, {12, WR, 0, 5}, {23, RD, 0, 5}}, 3, 1, false},   /* turn to reads */
    {{{0, ACT, 0, 5}, {30, RD, 0, 5}, {32, PRE, 0, 5}}, 3, 1, false},  /* tRTP */
    {{{0, ACT, 0, 5}, {30, WR, 0, 5}, {48, PRE, 0, 5}}, 3, 1, false},  /* tWR */
    {{{0, ACT, 0, 5}, {30, WR, 0, 5}, {48, ALL, 0, 5}}, 3, 1, false},  /* tWR */
    {{{0, ACT, 3, 5}, {30, ALL, 0, 0}, {42, REF, 0, 0}}, 3, 1, false}, /* tRP */
    {{{0, REF, 0, 0}, {90, ACT, 3, 5}}, 2, 1, false},                  /* tRFC */
    {{{0, ACT, 0, 5}, {6, ACT, 1, 5}, {12, ACT, 2, 5}, {18, ACT, 3, 5}, {33, ACT, 4, 5}},
     5,
     1,
     false},                                                          /* tFAW */
    {{{0, ACT, 0, 5}, {12, RD, 0, 5}, {13, ACT, 1, 5}}, 3, 1, false}, /* one slot */
};

static struct dram_spec spec_of_plant(struct arena *a, const struct plant *p)
{
    struct dram_spec s = dram_rig_spec(a, "gddr5");
    s.groups = p->groups;
    s.trrdl = 9;
    s.tccdl = 3;
    s.tfaw = 33;
    s.trfc = 90;
    s.dual_command = p->dual;
    return s;
}

static void the_judge_finds_each_command_that_comes_one_cycle_early(void)
{
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof plants / sizeof plants[0]; i++) {
        struct plant p = plants[i];
        const struct dram_spec s = spec_of_plant(a, &p);
        const struct dram_log log = {.n = (uint32_t)p.n, .capacity = 8, .at = p.ev};
        const char *wrong = dram_rig_judge(a, &log, &s);
        CHECK_STR(wrong ? wrong : "legal", "legal");
        p.ev[p.n - 1].at--;
        CHECK(dram_rig_judge(a, &log, &s) != NULL);
    }
    arena_free(a);
}

static void the_judge_finds_wrong_rows_and_missing_refreshes(void)
{
    static const struct plant wrong[] = {
        {{{0, ACT, 0, 5}, {100, RD, 0, 6}}, 2, 1, false},
        {{{0, ACT, 0, 5}, {100, RD, 1, 5}}, 2, 1, false},
        {{{0, ACT, 0, 5}, {100, ACT, 0, 6}}, 2, 1, false},
        {{{0, PRE, 0, 5}}, 1, 1, false},
        {{{0, ACT, 0, 5}, {100, REF, 0, 0}}, 2, 1, false},
        {{{0, ACT, 0, 5}, {100, RD, 0, 5}, {100, ACT, 1, 6}}, 3, 1, false},
        {{{0, ACT, 0, 5}, {6, ACT, 1, 6}, {100, PRE, 0, 5}, {100, PRE, 1, 6}}, 4, 1, true},
        {{{0, ACT, 0, 5}, {700, RD, 0, 5}}, 2, 1, false},
        {{{699, REF, 0, 0}}, 1, 1, false},
    };
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct plant p = wrong[i];
        struct dram_spec s = spec_of_plant(a, &p);
        s.trefi = i >= 7 ? 700 : 0;
        const struct dram_log log = {.n = (uint32_t)p.n, .capacity = 8, .at = p.ev};
        CHECK(dram_rig_judge(a, &log, &s) != NULL);
    }
    arena_free(a);
}

CHECK_MAIN("dram legal", TEST(no_trace_makes_any_scheduler_break_a_rule),
           TEST(sleeping_changes_nothing_and_random_traffic_breaks_no_rule),
           TEST(transfers_of_a_line_keep_their_order_around_writes),
           TEST(the_judge_finds_each_command_that_comes_one_cycle_early),
           TEST(the_judge_finds_wrong_rows_and_missing_refreshes))
