/* Work dealt out: nobody has much more than others, and always the same way. */
#include "study/deal.h"

#include "check.h"

enum { N = 1000, TASKS = 7 };

static void no_task_has_more_than_the_average_and_one_piece(void)
{
    struct arena *a = arena_new();
    double weights[N], load[TASKS] = {0}, sum = 0, longest = 0;
    uint32_t task_of[N];
    for (uint32_t i = 0; i < N; i++) {
        weights[i] = 1 + (double)(i * 7919 % 101);
        sum += weights[i];
        longest = weights[i] > longest ? weights[i] : longest;
    }
    deal(a, weights, N, TASKS, N, task_of);
    for (uint32_t i = 0; i < N; i++) {
        CHECK(task_of[i] < TASKS);
        load[task_of[i]] += weights[i];
    }
    for (uint32_t i = 0; i < TASKS; i++)
        CHECK(load[i] <= sum / TASKS + longest);
    arena_free(a);
}

static void long_pieces_are_apart_and_short_ones_fill_up(void)
{
    struct arena *a = arena_new();
    const double weights[] = {1, 9, 1, 9, 1, 1, 1, 1};
    const uint32_t expected[] = {0, 0, 1, 1, 0, 1, 0, 1};
    uint32_t task_of[8];
    deal(a, weights, 8, 2, 8, task_of);
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(task_of[i], expected[i]);
    arena_free(a);
}

static void no_task_has_more_pieces_than_it_may(void)
{
    struct arena *a = arena_new();
    double weights[10] = {100, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    uint32_t task_of[10], pieces[4] = {0};
    deal(a, weights, 10, 4, 3, task_of);
    for (uint32_t i = 0; i < 10; i++)
        pieces[task_of[i]]++;
    for (uint32_t i = 0; i < 4; i++)
        CHECK(pieces[i] <= 3);
    CHECK_EQ(pieces[task_of[0]], 1); /* what is left goes to those with less to do */
    arena_free(a);
}

static void nothing_can_be_dealt(void)
{
    struct arena *a = arena_new();
    deal(a, NULL, 0, 3, 0, NULL);
    arena_free(a);
}

CHECK_MAIN("deal", TEST(no_task_has_more_than_the_average_and_one_piece),
           TEST(long_pieces_are_apart_and_short_ones_fill_up),
           TEST(no_task_has_more_pieces_than_it_may), TEST(nothing_can_be_dealt))
