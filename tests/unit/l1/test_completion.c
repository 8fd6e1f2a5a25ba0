/* The wheel of completions. */
#include "l1/completion.h"

#include "base/rng.h"
#include "check.h"
#include "rig/capture.h"

static bool has_room(const struct completions *q)
{
    return q->free != COMPLETION_NONE;
}

static void nothing_is_due_at_first(void)
{
    struct arena *a = arena_new();
    struct completions q;
    completions_init(&q, a, 4);
    CHECK_EQ(completions_next(&q, 77), HD_NEVER);
    CHECK_EQ(completions_take(&q, 77), COMPLETION_NONE);
    CHECK(has_room(&q));
    arena_free(a);
}

static void a_full_wheel_has_no_room_until_one_is_released(void)
{
    struct arena *a = arena_new();
    struct completions q;
    completions_init(&q, a, 2);
    completions_add(&q, 0, 5, 1, 10, true);
    completions_add(&q, 0, 5, 2, 11, false);
    CHECK(!has_room(&q));
    uint16_t i = completions_take(&q, 5);
    CHECK_EQ(q.at[i].warp + q.at[q.at[i].next].warp, 3);
    i = completions_release(&q, i);
    CHECK(has_room(&q));
    CHECK_EQ(completions_release(&q, i), COMPLETION_NONE);
    CHECK_EQ(q.live, 0);
    arena_free(a);
}

/* The next event by looking at every cycle. */
static hd_cycle scan(const uint32_t *count, hd_cycle now)
{
    for (hd_cycle t = now + 1; t < now + COMPLETION_SLOTS; t++)
        if (count[t & (COMPLETION_SLOTS - 1)])
            return t;
    return HD_NEVER;
}

static void random_events_come_at_their_cycle_and_next_finds_them(void)
{
    struct arena *a = arena_new();
    struct completions q;
    uint32_t count[COMPLETION_SLOTS] = {0};
    completions_init(&q, a, 64);
    for (hd_cycle now = 0; now < 40000; now++) {
        uint32_t n = 0, *here = &count[now & (COMPLETION_SLOTS - 1)];
        for (uint16_t i = completions_take(&q, now); i != COMPLETION_NONE; n++)
            i = completions_release(&q, i);
        CHECK_EQ(n, *here);
        *here = 0;
        uint64_t draw = rng_at(3, now);
        if (has_room(&q) && draw % 40 == 0) {
            hd_cycle at = now + 1 + rng_below(rng_at(4, now), COMPLETION_SLOTS - 1);
            completions_add(&q, now, at, 0, 0, true);
            count[at & (COMPLETION_SLOTS - 1)]++;
        }
        CHECK_EQ(completions_next(&q, now), scan(count, now));
    }
    arena_free(a);
}

static void add_at(hd_cycle now, hd_cycle at)
{
    struct arena *a = arena_new();
    struct completions q;
    completions_init(&q, a, 4);
    completions_add(&q, now, at, 0, 0, true);
    arena_free(a);
}

static void add_now(void)
{
    add_at(100, 100);
}

static void add_a_turn_ahead(void)
{
    add_at(100, 100 + COMPLETION_SLOTS);
}

static void what_the_wheel_does_not_reach_is_our_own_fault(void)
{
    add_at(100, 101);
    add_at(100, 99 + COMPLETION_SLOTS);
    CHECK_EQ(death_of(add_now).signal, 6);
    struct death d = death_of(add_a_turn_ahead);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "a completion 1024 cycles ahead") != NULL);
}

CHECK_MAIN("completion", TEST(nothing_is_due_at_first),
           TEST(a_full_wheel_has_no_room_until_one_is_released),
           TEST(random_events_come_at_their_cycle_and_next_finds_them),
           TEST(what_the_wheel_does_not_reach_is_our_own_fault))
