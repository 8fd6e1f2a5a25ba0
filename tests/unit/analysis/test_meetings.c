#include "check.h"

#include "analysis/meetings.h"
#include "base/rng.h"
#include "sim/config.h"
#include "sim/stats_snapshot.h"

enum { MOST = 3000, SMS = 130, PERIOD = 3 };

struct rig {
    struct arena *a;
    struct addrmap map;
    struct meetings *m;
};

static struct rig open_rig(const char *windows)
{
    struct rig r = {.a = arena_new()};
    const struct cfg_section *all[] = {&map_section, &meetings_section};
    struct config *cfg = config_new(r.a, all, 2);
    struct err e = {.text = ""};
    CHECK(config_set(cfg, arena_printf(r.a, "meetings.windows=%s", windows), &e));
    CHECK(config_set(cfg, "map.order=RRRRBBCCCCCCSSSS", &e));
    CHECK(meetings_check(cfg, &e));
    struct addrmap *map = ARENA_NEW(r.a, struct addrmap);
    CHECK(addrmap_init(map, cfg, 1, 1, 4, 16, &e));
    struct meetings_options opt = {.spec = config_get(cfg, &meetings_section),
                                   .map = map,
                                   .path = "l2[0]",
                                   .sms = SMS,
                                   .network_period = PERIOD};
    r.map = *map;
    r.m = meetings_new(r.a, &opt);
    return r;
}

static uint64_t get(struct rig *r, const char *name)
{
    struct stats *t = stats_new(r->a);
    meetings_add_stats(r->m, t);
    return (uint64_t)stats_snapshot_value(stats_snapshot(t, r->a),
                                          arena_printf(r->a, "meetings.%s", name));
}

static void close_rig(struct rig *r)
{
    meetings_free(r->m);
    arena_free(r->a);
}

static void add(struct rig *r, enum request_kind kind, uint64_t line, uint16_t sm, uint64_t cycle)
{
    struct request q = {.line = line * LINE_BYTES, .sm = sm, .kind = (uint8_t)kind};
    meetings_add(r->m, &q, cycle * PERIOD);
}

/* Rows of 1 KB: lines 0 to 7 are one, 8 to 15 are of the next bank. */
static void a_hold_lasts_for_the_window_from_its_first_read(void)
{
    struct rig r = open_rig("10");
    add(&r, REQUEST_READ, 0, 1, 100);
    add(&r, REQUEST_READ, 7, 2, 105);
    add(&r, REQUEST_READ, 8, 2, 106); /* another bank */
    add(&r, REQUEST_READ, 1, 1, 110);
    add(&r, REQUEST_READ, 1, 3, 111); /* too late: the next hold */
    CHECK_EQ(get(&r, "reads"), 5);
    CHECK_EQ(get(&r, "holds_1"), 3);
    CHECK_EQ(get(&r, "met_1"), 3);
    CHECK_EQ(get(&r, "same_sm_1"), 1);
    CHECK_EQ(get(&r, "other_sm_1"), 1);
    close_rig(&r);
}

static void rows_of_a_bank_are_held_apart(void)
{
    struct rig r = open_rig("10");
    for (uint64_t i = 0; i < 4; i++) /* four banks between two rows of one */
        add(&r, REQUEST_READ, i % 2 * 32, 0, i);
    CHECK_EQ(get(&r, "holds_1"), 2);
    CHECK_EQ(get(&r, "met_1"), 4);
    close_rig(&r);
}

static void a_store_to_a_line_that_is_held_ends_the_hold(void)
{
    static const struct {
        enum request_kind kind;
        uint64_t line;
        uint64_t holds;
    } c[] = {{REQUEST_WRITE, 0, 2},
             {REQUEST_ATOMIC, 1, 2},
             {REQUEST_REDUCE, 1, 2},
             {REQUEST_WRITE, 2, 1},
             {REQUEST_WRITE, 8, 1}};
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
        struct rig r = open_rig("10");
        add(&r, REQUEST_READ, 0, 1, 0);
        add(&r, REQUEST_READ, 1, 2, 1);
        add(&r, c[i].kind, c[i].line, 3, 2);
        add(&r, REQUEST_READ, 2, 1, 3);
        CHECK_EQ(get(&r, "holds_1"), c[i].holds);
        CHECK_EQ(get(&r, "flushed_1"), c[i].holds - 1);
        CHECK_EQ(get(&r, "met_1"), c[i].holds == 2 ? 2 : 3);
        CHECK_EQ(get(&r, "writes"), 1);
        close_rig(&r);
    }
}

/* ---- a slow model ---- */

struct event {
    uint64_t cycle, row, line;
    uint32_t sm;
    bool is_read;
};

struct counts {
    uint64_t holds, met, same, other;
};

/* From each first read of a row, all that follow. */
static struct counts slow(const struct event *ev, uint32_t n, uint64_t window)
{
    struct counts c = {0};
    static bool is_held[MOST];
    memset(is_held, 0, sizeof is_held);
    for (uint32_t i = 0; i < n; i++) {
        if (!ev[i].is_read || is_held[i])
            continue;
        uint32_t member[MOST], size = 0;
        bool ends = false;
        for (uint32_t k = i; k < n && !ends && ev[k].cycle - ev[i].cycle <= window; k++) {
            bool has_line = false, has_sm = false;
            if (ev[k].row != ev[i].row)
                continue;
            for (uint32_t j = 0; j < size; j++) {
                has_line |= ev[member[j]].line == ev[k].line;
                has_sm |= ev[member[j]].sm == ev[k].sm;
            }
            if (!ev[k].is_read) {
                ends = has_line;
                continue;
            }
            c.same += size && has_sm;
            c.other += size && !has_sm;
            is_held[k] = true;
            member[size++] = k;
        }
        c.holds++;
        c.met += size > 1 ? size : 0;
    }
    return c;
}

static void random_requests_are_counted_as_by_a_slow_model(void)
{
    static const uint64_t windows[] = {0, 4, 60, 900};
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct rig r = open_rig("0,4,60,900");
        static struct event ev[MOST];
        uint64_t cycle = 0;
        for (uint32_t i = 0; i < MOST; i++) {
            uint64_t key = rng_key(seed, i);
            cycle += 1 + rng_below(rng_at(key, 0), 4) * rng_below(rng_at(key, 1), 3);
            uint64_t line = rng_below(rng_at(key, 2), 40u << seed % 4);
            enum request_kind kind = rng_below(rng_at(key, 3), 4) ? REQUEST_READ : REQUEST_WRITE;
            uint32_t sm = rng_below(rng_at(key, 4), SMS);
            ev[i] = (struct event){cycle, line / 8, line, sm, kind == REQUEST_READ};
            add(&r, kind, line, (uint16_t)sm, cycle);
        }
        for (int k = 0; k < 4; k++) {
            struct counts c = slow(ev, MOST, windows[k]);
            CHECK_EQ(get(&r, arena_printf(r.a, "holds_%d", k + 1)), c.holds);
            CHECK_EQ(get(&r, arena_printf(r.a, "met_%d", k + 1)), c.met);
            CHECK_EQ(get(&r, arena_printf(r.a, "same_sm_%d", k + 1)), c.same);
            CHECK_EQ(get(&r, arena_printf(r.a, "other_sm_%d", k + 1)), c.other);
            CHECK_EQ(c.holds + c.same + c.other, get(&r, "reads"));
        }
        close_rig(&r);
    }
}

static void windows_that_do_not_ascend_or_are_too_many_are_refused(void)
{
    static const char *const bad[][2] = {
        {"meetings.windows=5,5", "5 after 5, expected ascending windows"},
        {"meetings.windows=1,2,3,4,5", "5 windows, at most 4"}};
    for (int i = 0; i < 2; i++) {
        struct arena *a = arena_new();
        const struct cfg_section *all[] = {&meetings_section};
        struct config *cfg = config_new(a, all, 1);
        struct err e = {.text = ""};
        CHECK(config_set(cfg, bad[i][0], &e));
        CHECK(!meetings_check(cfg, &e));
        CHECK(strstr(e.text, bad[i][1]) != NULL);
        arena_free(a);
    }
}

CHECK_MAIN("meetings", TEST(a_hold_lasts_for_the_window_from_its_first_read),
           TEST(rows_of_a_bank_are_held_apart), TEST(a_store_to_a_line_that_is_held_ends_the_hold),
           TEST(random_requests_are_counted_as_by_a_slow_model),
           TEST(windows_that_do_not_ascend_or_are_too_many_are_refused))
