#include "check.h"

#include "base/rng.h"
#include "rig/capture.h"
#include "sim/calendar.h"

enum { MOST = 200 };

/* The obvious calendar: one due time per id, looked through every time. */
struct model {
    uint32_t n;
    hd_cycle due[MOST];
};

static void model_wake(struct model *m, uint32_t id, hd_cycle at)
{
    m->due[id] = at < m->due[id] ? at : m->due[id];
}

static hd_cycle model_next(const struct model *m)
{
    hd_cycle next = HD_NEVER;
    for (uint32_t i = 0; i < m->n; i++)
        next = m->due[i] < next ? m->due[i] : next;
    return next;
}

static uint32_t model_take(struct model *m, hd_cycle now, uint32_t *ids)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->due[i] <= now) {
            ids[k++] = i;
            m->due[i] = HD_NEVER;
        }
    }
    return k;
}

struct both {
    struct calendar c;
    struct model m;
    hd_cycle now;
    uint64_t key, draws;
};

static uint32_t below(struct both *b, uint32_t n)
{
    return rng_below(rng_at(b->key, b->draws++), n);
}

static void wake_one(struct both *b, uint32_t reach)
{
    uint32_t id = below(b, b->m.n);
    hd_cycle at = b->now + 1 + below(b, reach);
    model_wake(&b->m, id, at);
    if (below(b, 2)) /* as a component does for itself, or as a port does for it */
        calendar_wake(&b->c, b->now, id, at);
    else
        calendar_wake(&b->c, at - 1, id, at);
}

/* Goes on to the next date or not quite so far, and compares who is due. */
static void step(struct both *b)
{
    uint32_t got[MOST], want[MOST];
    hd_cycle next = calendar_next(&b->c, b->now), due = model_next(&b->m);
    CHECK(next > b->now);
    CHECK(next <= due); /* an early look costs time, a late one is an error */
    if (next == HD_NEVER)
        return;
    b->now = below(b, 4) ? next : b->now + 1 + below(b, (uint32_t)(next - b->now));
    uint32_t n = calendar_take(&b->c, b->now, got), m = model_take(&b->m, b->now, want);
    CHECK_EQ(n, m);
    for (uint32_t i = 0; i < n; i++)
        CHECK_EQ(got[i], want[i]); /* ascending, too */
}

static void random_use_agrees_with_the_obvious_calendar(void)
{
    static const uint32_t sizes[] = {1, 2, 63, 64, 65, 127, 128, MOST};
    static const uint32_t reaches[] = {1, 3, 60, 255, 256, 257, 1000, 100000};
    for (uint32_t k = 0; k < 8 * 8; k++) {
        struct arena *a = arena_new();
        struct both b = {.m.n = sizes[k % 8], .key = k, .now = below(&b, 1000)};
        memset(b.m.due, 0xff, sizeof b.m.due);
        calendar_init(&b.c, a, b.m.n);
        for (int i = 0; i < 2000; i++) {
            for (uint32_t w = below(&b, 4); w > 0; w--)
                wake_one(&b, below(&b, 3) ? reaches[k / 8] : 20);
            step(&b);
        }
        for (int i = 0; model_next(&b.m) != HD_NEVER; i++) {
            CHECK(i < 1000000);
            step(&b);
        }
        arena_free(a);
    }
}

static void an_empty_calendar_never_asks_to_be_looked_at(void)
{
    struct arena *a = arena_new();
    struct calendar c;
    uint32_t ids[10];
    calendar_init(&c, a, 10);
    CHECK_EQ(calendar_next(&c, 0), HD_NEVER);
    CHECK_EQ(calendar_next(&c, 12345), HD_NEVER);
    CHECK_EQ(calendar_take(&c, 12345, ids), 0);
    calendar_wake(&c, 5, 3, 6);
    CHECK_EQ(calendar_take(&c, 6, ids), 1);
    CHECK_EQ(calendar_next(&c, 6), HD_NEVER);
    arena_free(a);
}

static void dates_within_the_window_are_named_exactly(void)
{
    for (hd_cycle now = 0; now < 600; now += 37)
        for (hd_cycle d = 1; d < CALENDAR_SLOTS; d++) {
            struct arena *a = arena_new();
            struct calendar c;
            uint32_t ids[3];
            calendar_init(&c, a, 3);
            calendar_wake(&c, now, 2, now + d);
            CHECK_EQ(calendar_next(&c, now), now + d);
            CHECK_EQ(calendar_take(&c, now + d, ids), 1);
            CHECK_EQ(ids[0], 2);
            arena_free(a);
        }
}

static void a_date_far_beyond_the_window_is_met_to_the_cycle(void)
{
    struct arena *a = arena_new();
    struct calendar c;
    uint32_t ids[2], looks = 0;
    hd_cycle now = 3, far = 3 + 1000000;
    calendar_init(&c, a, 2);
    calendar_wake(&c, now, 1, far);
    for (uint32_t n = 0; n == 0; looks++) {
        now = calendar_next(&c, now);
        CHECK(now <= far);
        n = calendar_take(&c, now, ids);
    }
    CHECK_EQ(now, far);
    CHECK(looks <= 1000000 / (CALENDAR_SLOTS - 1) + 2);
    arena_free(a);
}

static void the_earliest_of_several_dates_counts_and_is_taken_once(void)
{
    struct arena *a = arena_new();
    struct calendar c;
    uint32_t ids[1];
    calendar_init(&c, a, 1);
    calendar_wake(&c, 0, 0, 50);
    calendar_wake(&c, 0, 0, 20);
    calendar_wake(&c, 0, 0, 90);
    CHECK_EQ(calendar_next(&c, 0), 20);
    CHECK_EQ(calendar_take(&c, 20, ids), 1);
    CHECK_EQ(calendar_take(&c, 50, ids), 0);
    CHECK_EQ(calendar_next(&c, 50), HD_NEVER);
    arena_free(a);
}

static void wake_in_the_past(void)
{
    struct calendar c;
    calendar_init(&c, arena_new(), 4);
    calendar_wake(&c, 10, 3, 9);
}

static void a_date_that_is_over_is_our_own_fault(void)
{
    struct death d = death_of(wake_in_the_past);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "3 is due at 9, which is over at 10") != NULL);
}

CHECK_MAIN("calendar", TEST(random_use_agrees_with_the_obvious_calendar),
           TEST(an_empty_calendar_never_asks_to_be_looked_at),
           TEST(dates_within_the_window_are_named_exactly),
           TEST(a_date_far_beyond_the_window_is_met_to_the_cycle),
           TEST(the_earliest_of_several_dates_counts_and_is_taken_once),
           TEST(a_date_that_is_over_is_our_own_fault))
