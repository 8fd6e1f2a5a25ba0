#include "cache/mshr.h"

#include "base/rng.h"
#include "check.h"

static void an_entry_is_found_by_its_line_until_released(void)
{
    struct arena *a = arena_new();
    struct mshr m;
    mshr_init(&m, a, 3, 2);
    CHECK_EQ(mshr_find(&m, 0), MSHR_NONE);
    uint32_t x = mshr_alloc(&m, 0, 1), y = mshr_alloc(&m, 128, 2);
    CHECK_EQ(mshr_find(&m, 0), x);
    CHECK_EQ(mshr_find(&m, 128), y);
    CHECK_EQ(m.at[y].sectors, 2);
    CHECK_EQ(m.live, 2);
    mshr_release(&m, x);
    CHECK_EQ(mshr_find(&m, 0), MSHR_NONE);
    CHECK_EQ(mshr_find(&m, 128), y);
    CHECK_EQ(m.live, 1);
    CHECK_EQ(mshr_alloc(&m, 256, 0), x);
    arena_free(a);
}

static void it_is_full_when_all_entries_are_taken(void)
{
    const uint32_t sizes[] = {1, 2, 63, 64, 65, 200, 4096};
    struct arena *a = arena_new();
    for (int k = 0; k < 7; k++) {
        struct mshr m;
        mshr_init(&m, a, sizes[k], 1);
        for (uint32_t i = 0; i < sizes[k]; i++) {
            CHECK(!mshr_is_full(&m));
            CHECK_EQ(mshr_alloc(&m, (uint64_t)i << 7, 0), i);
        }
        CHECK(mshr_is_full(&m));
        mshr_release(&m, sizes[k] - 1);
        CHECK(!mshr_is_full(&m));
        CHECK_EQ(mshr_alloc(&m, 5, 0), sizes[k] - 1);
    }
    arena_free(a);
}

static void waiters_are_kept_in_order_of_arrival_up_to_the_limit(void)
{
    struct arena *a = arena_new();
    struct mshr m;
    mshr_init(&m, a, 2, 3);
    uint32_t other = mshr_alloc(&m, 0, 0), e = mshr_alloc(&m, 128, 0), n;
    mshr_add(&m, other, 99);
    for (uint64_t w = 0; w < 3; w++) {
        CHECK(mshr_can_merge(&m, e));
        mshr_add(&m, e, 10 + w);
    }
    CHECK(!mshr_can_merge(&m, e));
    const uint64_t *w = mshr_waiters(&m, e, &n);
    CHECK_EQ(n, 3);
    CHECK(w[0] == 10 && w[1] == 11 && w[2] == 12);
    w = mshr_waiters(&m, other, &n);
    CHECK(n == 1 && w[0] == 99);
    mshr_release(&m, e);
    mshr_waiters(&m, mshr_alloc(&m, 128, 0), &n);
    CHECK_EQ(n, 0);
    arena_free(a);
}

static void some_waiters_go_and_others_come_and_the_order_stays(void)
{
    enum { N = 3, MERGES = 3 * MSHR_FEW };
    struct arena *a = arena_new();
    struct mshr m;
    uint64_t model[N][MERGES];
    uint32_t count[N] = {0};
    mshr_init(&m, a, N, MERGES);
    for (uint32_t e = 0; e < N; e++)
        mshr_alloc(&m, (uint64_t)e << 7, 0);
    for (uint64_t step = 0; step < 20000; step++) {
        uint32_t e = rng_below(rng_at(2, step), N), kept = 0, n;
        if (count[e] < MERGES && rng_below(rng_at(3, step), 8)) {
            model[e][count[e]++] = step;
            mshr_add(&m, e, step);
        } else { /* those that a draw chooses go */
            uint64_t *list = mshr_list(&m, e);
            for (uint32_t i = 0; i < count[e]; i++)
                if (rng_at(4, step) >> i & 1)
                    list[kept] = model[e][kept] = model[e][i], kept++;
            mshr_keep(&m, e, count[e] = kept);
        }
        const uint64_t *w = mshr_waiters(&m, e, &n);
        CHECK_EQ(n, count[e]);
        CHECK(memcmp(w, model[e], n * sizeof *w) == 0);
    }
    arena_free(a);
}

static void random_allocs_and_releases_agree_with_a_list(void)
{
    enum { N = 37, LINES = 300 };
    struct arena *a = arena_new();
    struct mshr m;
    uint32_t where[LINES];
    memset(where, 0xff, sizeof where);
    mshr_init(&m, a, N, 1);
    for (uint64_t n = 0; n < 20000; n++) {
        uint32_t k = rng_below(rng_at(1, n), LINES);
        uint64_t line = (uint64_t)k * 4096;
        CHECK_EQ(mshr_find(&m, line), where[k]);
        if (where[k] != MSHR_NONE) {
            mshr_release(&m, where[k]);
            where[k] = MSHR_NONE;
        } else if (!mshr_is_full(&m)) {
            where[k] = mshr_alloc(&m, line, 0);
        }
    }
    arena_free(a);
}

CHECK_MAIN("cache/mshr", TEST(an_entry_is_found_by_its_line_until_released),
           TEST(it_is_full_when_all_entries_are_taken),
           TEST(waiters_are_kept_in_order_of_arrival_up_to_the_limit),
           TEST(some_waiters_go_and_others_come_and_the_order_stays),
           TEST(random_allocs_and_releases_agree_with_a_list))
