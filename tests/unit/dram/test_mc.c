#include "check.h"

#include "base/rng.h"
#include "dram/channel.h"
#include "dram/mc.h"
#include "dram/scheduler.h"
#include "rig/capture.h"
#include "rig/dram_rig.h"
#include "sim/engine.h"

enum { SLICES = 2, TRANSFERS = 256 };

/* A slice that sends its transfers in order, each not before its time, and notes the answers. */
struct toy_slice {
    struct component c;
    struct port *to, *from;
    struct transfer table[TRANSFERS];
    hd_cycle at[TRANSFERS], answered[TRANSFERS]; /* answered: 0 not yet */
    uint32_t n, sent, back;
    uint32_t every; /* takes an answer in cycles that are multiples of this, one; 0: all it can */
};

struct rig {
    struct arena *a;
    struct engine *engine;
    struct mc *mc;
    struct addrmap map;
    struct toy_slice slice[SLICES];
};

static hd_cycle slice_tick(struct component *c, hd_cycle now)
{
    struct toy_slice *s = (struct toy_slice *)c;
    while (port_has(s->from, now) && (s->every == 0 || now % s->every == 0)) {
        uint64_t i = port_pop(s->from, now);
        CHECK_EQ(s->answered[i], 0);
        s->answered[i] = now;
        s->back++;
        if (s->every)
            break;
    }
    while (s->sent < s->n && s->at[s->sent] <= now && port_try_push(s->to, now, s->sent))
        s->sent++;
    hd_cycle next = port_ready(s->from);
    if (s->every && next != HD_NEVER)
        next = now + 1;
    if (s->sent < s->n && s->at[s->sent] > now)
        next = s->at[s->sent] < next ? s->at[s->sent] : next;
    return next;
}

static uint64_t slice_live(const struct component *c)
{
    const struct toy_slice *s = (const struct toy_slice *)c;
    return s->n - s->back;
}

static const struct component_ops slice_ops = {
    .kind = "slice", .tick = slice_tick, .live = slice_live};

static struct rig *rig_open_clocked(const char *const *sets, struct engine_options opt,
                                    uint64_t sm_period, uint64_t mc_period, uint64_t slice_period,
                                    uint32_t depth)
{
    struct arena *a = arena_new();
    struct rig *r = ARENA_NEW(a, struct rig);
    struct config *cfg = dram_rig_config(a);
    struct err e = {.text = ""};
    r->a = a;
    for (; sets && *sets; sets++)
        CHECK(config_set(cfg, *sets, &e));
    CHECK(mc_check(cfg, sm_period, mc_period, &e));
    const struct dram_spec *s = config_get(cfg, &dram_section);
    CHECK(addrmap_init(&r->map, cfg, SLICES, SLICES, 16, dram_burst_bytes(s), &e));
    struct mc_options o = {"mc[0]", cfg, &r->map, 0, SLICES, sm_period, mc_period, true};
    r->mc = mc_new(a, &o);
    r->engine = engine_new(a, opt);
    engine_add(r->engine, mc_component(r->mc), mc_period);
    for (uint32_t i = 0; i < SLICES; i++) {
        struct toy_slice *t = &r->slice[i];
        t->c.ops = &slice_ops;
        t->c.path = "slice";
        engine_add(r->engine, &t->c, slice_period);
        mc_connect(r->mc, a, i,
                   &(struct mc_slice){.c = &t->c,
                                      .table = t->table,
                                      .ntransfers = TRANSFERS,
                                      .to_depth = 4,
                                      .from_depth = depth},
                   &t->to, &t->from);
    }
    return r;
}

static struct rig *rig_open(const char *const *sets, struct engine_options opt)
{
    return rig_open_clocked(sets, opt, 1, 1, 1, 0);
}

static void rig_close(struct rig *r)
{
    mc_free(r->mc);
    arena_free(r->a);
}

/* The line with this number among those of the slice. */
static uint64_t line_of(uint32_t slice, uint64_t number)
{
    return ((number / 2 * SLICES + slice) * 256) + number % 2 * 128;
}

/* A line of slice 0 in this bank (an even one), in the row of this number. */
static uint64_t line_in_bank(const struct rig *r, uint32_t bank, uint32_t number)
{
    for (uint64_t n = 0;; n++) {
        struct dram_place p = addrmap_place(&r->map, line_of(0, n));
        if (p.bank == bank && p.row == number)
            return line_of(0, n);
    }
}

static void ask(struct rig *r, uint32_t slice, hd_cycle at, struct transfer t)
{
    struct toy_slice *s = &r->slice[slice];
    t.slice = (uint16_t)slice;
    s->at[s->n] = at;
    s->table[s->n++] = t;
}

static void run(struct rig *r)
{
    struct err e = {.text = ""};
    enum engine_stop stop = engine_run(r->engine, 1000000, &e);
    CHECK_STR(e.text, "");
    CHECK(stop == ENGINE_IDLE || stop == ENGINE_REACHED);
    for (uint32_t i = 0; i < SLICES; i++)
        CHECK_EQ(r->slice[i].back, r->slice[i].n);
    CHECK(engine_audit(r->engine, &e));
    CHECK_EQ(mc_component(r->mc)->ops->live(mc_component(r->mc)), 0);
}

static char *stats_of(struct rig *r, hd_cycle now)
{
    struct stats *tree = stats_new(r->a);
    struct component *c = mc_component(r->mc);
    char *text = ARENA_ARRAY(r->a, char, 16384);
    c->ops->settle(c, now);
    mc_add_stats(r->mc, tree);
    FILE *f = fmemopen(text, 16384, "w");
    stats_write_text(tree, f);
    fclose(f);
    return text;
}

/* ---- time ---- */

static void an_answer_takes_the_sum_of_the_delays(void)
{
    static const char *const latencies[][3] = {
        {"mc.latency=100", "mc.reply_latency=1", NULL},
        {"mc.latency=0", "mc.reply_latency=7", NULL},
        {"mc.latency=1", "mc.reply_latency=3", NULL},
    };
    static const hd_cycle sums[] = {101, 7, 4};
    for (int k = 0; k < 3; k++) {
        struct rig *r = rig_open(latencies[k], (struct engine_options){0});
        ask(r, 0, 10, (struct transfer){.line = line_of(0, 5), .sectors = 15});
        run(r);
        /* port 1, activate 1 after entering the queue, tRCD, tCL and the burst */
        CHECK_EQ(r->slice[0].answered[0], 10 + 1 + 1 + 12 + 12 + 2 + sums[k]);
        rig_close(r);
    }
}

/* Pushed at tick 30, seen at the controller's 16th edge (32); its last beat ends at its 43rd (86),
 * and the slice's next edge is its 29th (87). */
static void slice_and_controller_have_their_own_clocks(void)
{
    static const char *const sets[] = {"mc.latency=0", NULL};
    struct rig *r = rig_open_clocked(sets, (struct engine_options){0}, 3, 2, 3, 0);
    ask(r, 0, 10, (struct transfer){.line = line_of(0, 5), .sectors = 15});
    run(r);
    CHECK_EQ(r->slice[0].answered[0], 29);
    rig_close(r);
}

/* The slice takes one in 50 cycles, long after DRAM is done; DRAM does not wait for it. */
static void answers_wait_for_a_slow_slice_in_order(void)
{
    enum { N = 40, EVERY = 50 };
    static const char *const sets[] = {"mc.latency=0", NULL};
    uint32_t depths[] = {1, 8, 0};
    char *text[3];
    for (int k = 0; k < 3; k++) {
        struct rig *r = rig_open_clocked(sets, (struct engine_options){0}, 1, 1, 1, depths[k]);
        r->slice[0].every = EVERY;
        for (uint32_t i = 0; i < N; i++)
            ask(r, 0, 0, (struct transfer){.line = line_of(0, i), .sectors = 15});
        run(r);
        for (uint32_t i = 0; i < N; i++)
            CHECK_EQ(r->slice[0].answered[i], (i + 1) * EVERY);
        text[k] = strdup(stats_of(r, N * EVERY));
        CHECK_STR(text[k], text[0]);
        rig_close(r);
    }
    for (int k = 0; k < 3; k++)
        free(text[k]);
}

/* As many command cycles as last at least as long as 100 cycles of the SMs. */
static void a_latency_in_cycles_of_the_sms_is_rounded_up(void)
{
    static const char *const sets[] = {"mc.latency=100", "mc.latency_clock=sm", NULL};
    static const struct {
        uint64_t sm_period, mc_period;
        hd_cycle latency;
    } cases[] = {{1, 1, 100}, {2, 1, 200}, {1, 2, 50},   {3, 7, 43},
                 {7, 3, 234}, {3, 9, 34},  {1, 1000, 1}, {32, 13, 247}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct rig *r = rig_open_clocked(sets, (struct engine_options){0}, cases[k].sm_period,
                                         cases[k].mc_period, cases[k].mc_period, 0);
        ask(r, 0, 10, (struct transfer){.line = line_of(0, 5), .sectors = 15});
        run(r);
        CHECK_EQ(r->slice[0].answered[0], 10 + 1 + cases[k].latency + 1 + 12 + 12 + 2 + 1);
        rig_close(r);
    }
}

static void a_write_is_answered_when_it_is_in_dram(void)
{
    static const char *const sets[] = {"mc.latency=0", NULL};
    struct rig *r = rig_open(sets, (struct engine_options){0});
    ask(r, 0, 10, (struct transfer){.line = line_of(0, 5), .sectors = 15, .is_write = true});
    run(r);
    CHECK_EQ(r->slice[0].answered[0], 10 + 1 + 1 + 12 + 4 + 2 + 1);
    rig_close(r);
}

static void the_fixed_latency_costs_no_bandwidth(void)
{
    static const char *const sets[] = {"mc.latency=100", "dram.beats_per_cycle=8", "dram.tccd=1",
                                       NULL};
    struct rig *r = rig_open(sets, (struct engine_options){0});
    for (uint32_t i = 0; i < 100; i++) /* one row: from the first read on, one per cycle */
        for (uint32_t s = 0; s < SLICES; s++)
            ask(r, s, 0, (struct transfer){.line = s * 256 + i % 2 * 128, .sectors = 15});
    run(r);
    hd_cycle last = r->slice[1].answered[99], first = r->slice[0].answered[0];
    /* Ports of depth 4 with a freed slot seen one cycle late keep up; two rows are opened. */
    CHECK(last - first <= 199 + 6);
    rig_close(r);
}

static void slices_take_turns(void)
{
    static const char *const sets[] = {"mc.latency=10", NULL};
    struct rig *r = rig_open(sets, (struct engine_options){0});
    for (uint32_t i = 0; i < 100; i++)
        for (uint32_t s = 0; s < SLICES; s++)
            ask(r, s, 0, (struct transfer){.line = line_of(0, i % 2), .sectors = 15});
    run(r);
    for (uint32_t i = 1; i < 100; i++) {
        CHECK(r->slice[0].answered[i] < r->slice[1].answered[i]);
        CHECK(r->slice[1].answered[i - 1] < r->slice[0].answered[i]);
    }
    rig_close(r);
}

/* ---- data ---- */

static void a_read_gets_the_version_of_the_last_write_before_it(void)
{
    struct rig *r = rig_open(NULL, (struct engine_options){0});
    const uint64_t line = line_of(0, 3);
    ask(r, 0, 0, (struct transfer){.line = line, .sectors = 1});
    ask(r, 0, 0, (struct transfer){.line = line, .sectors = 1, .is_write = true, .version = 7});
    ask(r, 0, 0, (struct transfer){.line = line, .sectors = 15});
    ask(r, 0, 0, (struct transfer){.line = line, .sectors = 2, .is_write = true, .version = 9});
    ask(r, 0, 500, (struct transfer){.line = line, .sectors = 4});
    ask(r, 0, 500, (struct transfer){.line = line_of(0, 4), .sectors = 4, .version = 3});
    run(r);
    CHECK_EQ(r->slice[0].table[0].version, 0);
    CHECK_EQ(r->slice[0].table[2].version, 7);
    CHECK_EQ(r->slice[0].table[4].version, 9);
    CHECK_EQ(r->slice[0].table[5].version, 0);
    rig_close(r);
}

static void write_older_data(void)
{
    struct rig *r = rig_open(NULL, (struct engine_options){0});
    ask(r, 0, 0, (struct transfer){.line = 0, .sectors = 1, .is_write = true, .version = 7});
    ask(r, 0, 0, (struct transfer){.line = 0, .sectors = 1, .is_write = true, .version = 6});
    run(r);
}

static void bursts_cover_the_span_of_the_sectors(void)
{
    static const struct {
        const char *bus;
        uint8_t sectors;
        uint64_t bytes;
    } rows[] = {
        {"dram.bus_bits=64", 1, 64},   {"dram.bus_bits=64", 3, 64},  {"dram.bus_bits=64", 6, 128},
        {"dram.bus_bits=64", 9, 128},  {"dram.bus_bits=64", 12, 64}, {"dram.bus_bits=32", 1, 32},
        {"dram.bus_bits=32", 11, 128}, {"dram.bus_bits=32", 10, 96}, {"dram.bus_bits=128", 1, 128},
        {"dram.bus_bits=256", 8, 256},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const char *const sets[] = {rows[k].bus, "map.order=RRRRRRRRBBBBCCCCCCSSSSS", NULL};
        struct rig *r = rig_open(sets, (struct engine_options){0});
        ask(r, 1, 0, (struct transfer){.line = line_of(1, 8), .sectors = rows[k].sectors});
        run(r);
        const char *text = stats_of(r, 1000);
        const char *at = strstr(text, "dram.read_bytes");
        CHECK(at != NULL);
        CHECK_EQ(strtoull(at + strcspn(at, " "), NULL, 10), rows[k].bytes);
        rig_close(r);
    }
}

/* ---- skipping, order of ticking ---- */

static void fill_at_random(struct rig *r)
{
    for (uint32_t s = 0; s < SLICES; s++) {
        uint32_t versions[64] = {0};
        hd_cycle at = 0;
        for (uint32_t i = 0; i < TRANSFERS; i++) {
            uint64_t key = rng_key(s, i);
            uint32_t number = rng_below(rng_at(key, 1), 64);
            bool is_write = rng_below(rng_at(key, 2), 3) == 0;
            at += rng_below(rng_at(key, 0), i % 50 ? 4 : 2500);
            ask(r, s, at,
                (struct transfer){.line = line_of(s, number * 37),
                                  .sectors = (uint8_t)(1 + rng_below(rng_at(key, 3), 15)),
                                  .is_write = is_write,
                                  .version = is_write ? ++versions[number] : 0});
        }
    }
}

static void skipping_and_the_order_of_ticking_change_nothing(void)
{
    static const char *const schedulers[] = {"mc.scheduler=serial", "mc.scheduler=fifo",
                                             "mc.scheduler=banked_fifo", "mc.scheduler=frfcfs"};
    static const struct engine_options ways[] = {{0}, {.no_skip = true}, {.reversed = true}};
    for (int k = 0; k < 16; k++) {
        const char *const sets[] = {schedulers[k % 4],
                                    k < 8 ? "mc.staging=0" : "mc.staging=7",
                                    k < 12 ? "mc.drain_above=2" : "mc.bank_queue=3",
                                    k < 12 ? "mc.drain_after=60" : "frfcfs.in_turn=yes",
                                    "dram.trefi=1100",
                                    "dram.trfc=90",
                                    "dram.bus_bits=64",
                                    k % 8 < 4 ? "dram.dual_command=no" : "dram.dual_command=yes",
                                    "mc.queue=20",
                                    NULL};
        struct rig *r[3];
        for (int w = 0; w < 3; w++) {
            r[w] = rig_open(sets, ways[w]);
            fill_at_random(r[w]);
            struct err e = {.text = ""};
            engine_run(r[w]->engine, 30000, &e);
            for (int s = 0; s < SLICES; s++)
                CHECK_EQ(r[w]->slice[s].back, TRANSFERS);
        }
        for (int w = 1; w < 3; w++) {
            for (int s = 0; s < SLICES; s++)
                CHECK(memcmp(r[0]->slice[s].answered, r[w]->slice[s].answered,
                             sizeof r[0]->slice[s].answered) == 0);
            CHECK_STR(stats_of(r[w], 30000), stats_of(r[0], 30000));
        }
        for (int w = 0; w < 3; w++)
            rig_close(r[w]);
    }
}

static void an_idle_controller_sleeps_in_spite_of_refreshes(void)
{
    static const char *const sets[] = {"dram.trefi=1100", "dram.trfc=90", NULL};
    struct rig *r = rig_open(sets, (struct engine_options){0});
    struct err e = {.text = ""};
    ask(r, 0, 0, (struct transfer){.line = 0, .sectors = 1});
    CHECK_EQ(engine_run(r->engine, 1000000000, &e), ENGINE_IDLE);
    const char *at = strstr(stats_of(r, 11001), "dram.refreshes");
    CHECK_EQ(strtoull(at + strcspn(at, " "), NULL, 10), 10);
    rig_close(r);
}

/* ---- configuration ---- */

static void an_unknown_scheduler_is_refused_with_the_nearest(void)
{
    struct arena *a = arena_new();
    struct config *c = dram_rig_config(a);
    struct err e = {.text = ""};
    CHECK(config_set(c, "mc.scheduler=frfcf", &e));
    CHECK(!mc_check(c, 1, 1, &e));
    CHECK(strstr(e.text, "mc.scheduler") && strstr(e.text, "did you mean frfcfs?"));
    arena_free(a);
}

static void a_latency_of_far_too_many_command_cycles_is_refused(void)
{
    struct arena *a = arena_new();
    struct config *c = dram_rig_config(a);
    struct err e = {.text = ""};
    CHECK(mc_check(c, 1001, 1, &e));
    CHECK(config_set(c, "mc.latency_clock=sm", &e));
    CHECK(!mc_check(c, 1001, 1, &e));
    CHECK(strstr(e.text, "mc.latency") && strstr(e.text, "100100"));
    CHECK(config_set(c, "mc.latency=99", &e));
    CHECK(mc_check(c, 1001, 1, &e));
    arena_free(a);
}

static void bad_timing_is_refused(void)
{
    struct arena *a = arena_new();
    struct config *c = dram_rig_config(a);
    struct err e = {.text = ""};
    CHECK(mc_check(c, 1, 1, &e));
    CHECK(config_set(c, "dram.banks=7", &e));
    CHECK(!mc_check(c, 1, 1, &e));
    arena_free(a);
}

static void older_data_over_newer_is_caught(void)
{
    struct death d = death_of(write_older_data);
    CHECK(strstr(d.text, "older data") != NULL);
}

/* ---- the queue before the queue ---- */

/* The example of the coalesce paper, section 3.3.2: two packets for bank 2, four for bank 0, whose
 * queue holds two, and then one for bank 4, which is idle. */
static hd_cycle last_of_example(const char *const *sets, struct rig **out)
{
    struct rig *r = rig_open(sets, (struct engine_options){0});
    static const uint32_t banks[] = {2, 2, 0, 0, 0, 0, 4};
    for (uint32_t i = 0; i < 7; i++)
        ask(r, 0, i, (struct transfer){.line = line_in_bank(r, banks[i], i), .sectors = 3});
    run(r);
    *out = r;
    return r->slice[0].answered[6];
}

static void what_does_not_fit_into_its_banks_queue_blocks_all_behind_it(void)
{
    static const char *const two[] = {"mc.scheduler=banked_fifo", "mc.bank_queue=2", "mc.latency=0",
                                      "mc.reply_latency=1", NULL};
    static const char *const four[] = {"mc.scheduler=banked_fifo", "mc.bank_queue=4",
                                       "mc.latency=0", "mc.reply_latency=1", NULL};
    static const char *const as_two[] = {"mc.scheduler=banked_fifo", "mc.queue=32", "mc.latency=0",
                                         "mc.reply_latency=1", NULL};
    struct rig *narrow, *wide, *shared;
    /* Bank 0 has its first row open at 8 + tRCD; the last of the four enters when the second has
     * its read command, and the one for bank 4 a cycle after it. */
    hd_cycle blocked = last_of_example(two, &narrow), free_ = last_of_example(four, &wide);
    CHECK(free_ < narrow->slice[0].answered[3]); /* bank 4 is done before bank 0's second row */
    CHECK(blocked > narrow->slice[0].answered[3]);
    CHECK_EQ(narrow->slice[0].answered[2], wide->slice[0].answered[2]);
    /* A share of mc.queue is the same as a queue of that size. */
    CHECK_EQ(last_of_example(as_two, &shared), blocked);
    for (uint32_t i = 0; i < 7; i++)
        CHECK_EQ(shared->slice[0].answered[i], narrow->slice[0].answered[i]);
    rig_close(narrow);
    rig_close(wide);
    rig_close(shared);
}

static void every_scheduler_can_have_a_queue_per_bank(void)
{
    struct arena *a = arena_new();
    for (int i = 0; i < scheduler_count; i++) {
        const char *const sets[] = {arena_printf(a, "mc.scheduler=%s", scheduler_all[i]->name),
                                    "mc.bank_queue=1", "mc.latency=3", NULL};
        struct rig *r = rig_open(sets, (struct engine_options){0});
        for (uint32_t k = 0; k < 60; k++)
            ask(r, k % 2, k,
                (struct transfer){
                    .line = line_of(k % 2, 37 * k % 64), .sectors = 3, .is_write = k % 3 == 0});
        run(r);
        rig_close(r);
    }
    arena_free(a);
}

static void too_many_places_for_banks_are_refused(void)
{
    struct arena *a = arena_new();
    struct config *cfg = dram_rig_config(a);
    struct err e = {.text = ""};
    CHECK(config_set(cfg, "mc.bank_queue=4096", &e));
    CHECK(!mc_check(cfg, 1, 1, &e));
    CHECK(strstr(e.text, "4096 for each of 16 banks, at most 32768 in all") != NULL);
    arena_free(a);
}

CHECK_MAIN("mc", TEST(an_answer_takes_the_sum_of_the_delays),
           TEST(slice_and_controller_have_their_own_clocks),
           TEST(answers_wait_for_a_slow_slice_in_order),
           TEST(a_latency_in_cycles_of_the_sms_is_rounded_up),
           TEST(a_write_is_answered_when_it_is_in_dram), TEST(the_fixed_latency_costs_no_bandwidth),
           TEST(slices_take_turns), TEST(a_read_gets_the_version_of_the_last_write_before_it),
           TEST(older_data_over_newer_is_caught), TEST(bursts_cover_the_span_of_the_sectors),
           TEST(skipping_and_the_order_of_ticking_change_nothing),
           TEST(an_idle_controller_sleeps_in_spite_of_refreshes),
           TEST(an_unknown_scheduler_is_refused_with_the_nearest),
           TEST(a_latency_of_far_too_many_command_cycles_is_refused), TEST(bad_timing_is_refused),
           TEST(what_does_not_fit_into_its_banks_queue_blocks_all_behind_it),
           TEST(every_scheduler_can_have_a_queue_per_bank),
           TEST(too_many_places_for_banks_are_refused))
