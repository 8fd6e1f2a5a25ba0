/* What an observer of an L2 slice is told, and what it makes of it. */
#include "check.h"

#include "analysis/sharing_priv.h"
#include "base/rng.h"
#include "rig/l2_rig.h"
#include "stream/stream.h"

struct rig {
    struct l2_rig *l;
    struct sharing_slice *w;
};

static void open_rig(struct rig *r, const char *settings)
{
    r->l = l2_rig_new(settings, &(struct l2_rig_options){.check = true});
    const struct l2_spec *l2 = config_get(r->l->cfg, &l2_section);
    struct slice *s = r->l->slice;
    r->w = sharing_slice_new(r->l->arena, 0, L2_RIG_CORES, (uint32_t)(l2->size / LINE_BYTES));
    s->opt.sharing = r->w;
    s->look_up = slice_look_up_watched;
}

static void close_rig(struct rig *r)
{
    sharing_slice_free(r->w);
    l2_rig_free(r->l);
}

static void check_classes(const struct rig *r, uint64_t compulsory, uint64_t capacity,
                          uint64_t conflict)
{
    const struct l2_stats *s = l2_rig_stats(r->l);
    CHECK_EQ(r->w->stats.compulsory, compulsory);
    CHECK_EQ(r->w->stats.capacity, capacity);
    CHECK_EQ(r->w->stats.conflict, conflict);
    CHECK_EQ(r->w->stats.invalidated, 0);
    CHECK_EQ(s->read_misses + s->write_misses + s->atomic_misses, compulsory + capacity + conflict);
}

static void send(struct rig *r, enum request_kind kind, uint64_t line, uint32_t words, hd_cycle at)
{
    l2_rig_send(r->l, kind, line * LINE_BYTES, words, at);
}

static void a_set_that_is_too_small_makes_conflicts(void)
{
    struct rig r;
    open_rig(&r, "l2.size=512 l2.ways=1");
    for (hd_cycle i = 0; i < 10; i++)
        send(&r, REQUEST_READ, i % 2 * 4, UINT32_MAX, 1000 * i);
    CHECK(l2_rig_finish(r.l));
    check_classes(&r, 2, 0, 8);
    close_rig(&r);
}

static void a_cache_that_is_too_small_does_not(void)
{
    struct rig r;
    open_rig(&r, "l2.size=512 l2.ways=4");
    for (hd_cycle i = 0; i < 20; i++)
        send(&r, REQUEST_READ, i % 5, UINT32_MAX, 1000 * i);
    CHECK(l2_rig_finish(r.l));
    check_classes(&r, 5, 15, 0);
    CHECK_EQ(r.w->stats.full_misses, 20);
    close_rig(&r);
}

static void a_line_on_its_way_is_there_for_the_shadow(void)
{
    struct rig r;
    open_rig(&r, "l2.size=512 l2.ways=4");
    for (hd_cycle i = 0; i < 3; i++)
        send(&r, REQUEST_READ, 0, UINT32_MAX, i); /* a miss and two that wait */
    CHECK(l2_rig_finish(r.l));
    check_classes(&r, 1, 0, 0);
    CHECK_EQ(r.w->stats.full_misses, 1);
    CHECK_EQ(r.w->sharers.sharers_1, 1);
    CHECK_EQ(r.w->sharers.sharers_3, 1); /* of three SMs */
    close_rig(&r);
}

static void a_stalled_request_is_told_of_once(void)
{
    struct rig r;
    open_rig(&r, "l2.size=1K l2.ways=4 l2.mshrs=1");
    for (hd_cycle i = 0; i < 4; i++)
        send(&r, REQUEST_READ, i, UINT32_MAX, i);
    CHECK(l2_rig_finish(r.l));
    CHECK(l2_rig_stats(r.l)->stall_mshr > 0);
    check_classes(&r, 4, 0, 0);
    CHECK_EQ(r.w->stats.full_misses, 4);
    close_rig(&r);
}

/* Writes of a word, then a read of the line: whether the read misses depends on what a write brings. */
static void writes_bring_what_the_slice_says(void)
{
    static const struct {
        const char *settings;
        uint64_t compulsory;
    } x[] = {{"l2.write_fetch=true", 1},
             {"l2.write_fetch=true l2.write_through=true", 1},
             {"l2.write_fetch=true l2.sectored=true", 2}, /* the other sectors */
             {"l2.write_fetch=false", 2}};
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
        struct rig r;
        open_rig(&r, x[i].settings);
        send(&r, REQUEST_WRITE, 0, 1, 0);
        send(&r, REQUEST_WRITE, 0, 1, 1000);
        send(&r, REQUEST_READ, 0, UINT32_MAX, 2000);
        send(&r, REQUEST_READ, 0, UINT32_MAX, 3000);
        CHECK(l2_rig_finish(r.l));
        check_classes(&r, x[i].compulsory, 0, 0);
        close_rig(&r);
    }
}

/* A write that takes no line misses every time, where a cache that keeps all would not. */
static void writes_that_pass_by_miss_as_conflicts(void)
{
    struct rig r;
    open_rig(&r, "l2.write_fetch=false l2.write_through=true");
    for (hd_cycle i = 0; i < 4; i++)
        send(&r, REQUEST_WRITE, 0, 1, 1000 * i);
    CHECK(l2_rig_finish(r.l));
    check_classes(&r, 1, 0, 3);
    CHECK_EQ(r.w->sharers.sharers_1, 0); /* it was in no line */
    close_rig(&r);
}

/* A write that is sent through asks for a line, not for its words. */
static void a_write_through_hits_a_line_without_its_sector(void)
{
    struct rig r;
    open_rig(&r, "l2.size=512 l2.ways=1 l2.write_through=true l2.sectored=true");
    send(&r, REQUEST_WRITE, 0, 1, 0);
    send(&r, REQUEST_WRITE, 4, 1, 1000); /* the same set */
    send(&r, REQUEST_WRITE, 0, 1 << 8, 2000);
    CHECK(l2_rig_finish(r.l));
    check_classes(&r, 2, 0, 1);
    close_rig(&r);
}

static void sharers_are_of_data_only(void)
{
    static const uint8_t spaces[] = {STREAM_GLOBAL, STREAM_LOCAL, STREAM_CONST, STREAM_TEX,
                                     STREAM_PARAM};
    struct rig r;
    open_rig(&r, "l2.size=8K l2.ways=8");
    for (uint32_t i = 0; i < 20; i++) {
        struct l2_rig_ask ask = {.kind = REQUEST_READ,
                                 .line = i % 5 * LINE_BYTES,
                                 .words = UINT32_MAX,
                                 .space = spaces[i % 5]};
        uint32_t id = l2_rig_ask(r.l, &ask, 1000 * i);
        r.l->pool.at[id].sm = (uint16_t)(i / 10); /* two SMs, twice each */
    }
    CHECK(l2_rig_finish(r.l));
    CHECK_EQ(r.w->sharers.sharers_1, 2);
    CHECK_EQ(r.w->sharers.sharers_2, 2);
    CHECK_EQ(r.w->sharers.sharers, 4);
    check_classes(&r, 5, 0, 0);
    close_rig(&r);
}

/* ---- against a list of all reads ---- */

enum { SETS = 4, WAYS = 2, READS = 1500, LINES = 48 };

/* Distinct lines of the same set (or of any) since the last read of line n; -1: there was none. */
static int distance(const uint32_t *line, int n, bool any_set)
{
    bool seen[LINES] = {false};
    int distinct = 0;
    for (int i = n - 1; i >= 0; i--) {
        if (line[i] == line[n])
            return distinct;
        if ((any_set || line[i] % SETS == line[n] % SETS) && !seen[line[i]]) {
            seen[line[i]] = true;
            distinct++;
        }
    }
    return -1;
}

static void classes_follow_from_distances_in_the_list(void)
{
    uint32_t line[READS];
    uint64_t compulsory = 0, capacity = 0, conflict = 0, full = 0;
    struct rig r;
    open_rig(&r, "l2.size=1K l2.ways=2 l2.hashed=false");
    for (int i = 0; i < READS; i++) {
        uint64_t draw = rng_at(11, (uint64_t)i);
        line[i] = rng_below(draw, draw & 1 ? LINES / 2 : 6) * (draw & 2 ? 2 : 1);
        send(&r, draw & 4 ? REQUEST_READ : REQUEST_ATOMIC, line[i], UINT32_MAX, 500 * (hd_cycle)i);
        int here = distance(line, i, false), anywhere = distance(line, i, true);
        bool misses = here < 0 || here >= WAYS,
             misses_full = anywhere < 0 || anywhere >= SETS * WAYS;
        compulsory += here < 0;
        capacity += here >= 0 && misses && misses_full;
        conflict += here >= 0 && misses && !misses_full;
        full += misses_full;
    }
    CHECK(l2_rig_finish(r.l));
    CHECK(compulsory > 0 && capacity > 0 && conflict > 0);
    check_classes(&r, compulsory, capacity, conflict);
    CHECK_EQ(r.w->stats.full_misses, full);
    close_rig(&r);
}

/* All that can be asked for, of any slice: every miss has a class, and nothing else is changed. */
static void every_miss_has_one_class(void)
{
    static const char *const settings[] = {
        "l2.size=2K l2.ways=2 l2.mshrs=4", "l2.size=2K l2.ways=2 l2.sectored=true",
        "l2.size=2K l2.ways=4 l2.write_fetch=false", "l2.size=1K l2.ways=2 l2.write_through=true",
        "l2.size=1K l2.ways=2 l2.write_through=true l2.write_fetch=false l2.sectored=true"};
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        uint64_t digest[2];
        for (int is_watched = 0; is_watched < 2; is_watched++) {
            struct rig r;
            open_rig(&r, settings[k]);
            if (!is_watched)
                r.l->slice->look_up = slice_look_up;
            for (uint64_t i = 0; i < 2000; i++) {
                struct l2_rig_ask ask = l2_rig_random(k, i, 40);
                l2_rig_ask(r.l, &ask, 3 * i);
            }
            CHECK(l2_rig_finish(r.l));
            digest[is_watched] = l2_rig_digest(r.l);
            if (is_watched)
                check_classes(&r, r.w->stats.compulsory, r.w->stats.capacity, r.w->stats.conflict);
            close_rig(&r);
        }
        CHECK_EQ(digest[0], digest[1]);
    }
}

CHECK_MAIN("slice_watch", TEST(a_set_that_is_too_small_makes_conflicts),
           TEST(a_cache_that_is_too_small_does_not),
           TEST(a_line_on_its_way_is_there_for_the_shadow), TEST(a_stalled_request_is_told_of_once),
           TEST(writes_bring_what_the_slice_says), TEST(writes_that_pass_by_miss_as_conflicts),
           TEST(a_write_through_hits_a_line_without_its_sector), TEST(sharers_are_of_data_only),
           TEST(classes_follow_from_distances_in_the_list), TEST(every_miss_has_one_class))
