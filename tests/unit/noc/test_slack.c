/* Shares of a wait: Eq. 1 of the packet coalescing paper, worked by hand and by fractions. */
#include "check.h"

#include "noc/slack.h"

enum { MOST = 10 };

/* The shares of the hops of a way of n routers, each of them waited for in full. */
static void shares_of(uint32_t budget, uint32_t n, uint32_t *share)
{
    struct slack s = slack_new(budget, n);
    for (uint32_t i = 0; i < n; i++) {
        share[i] = slack_share(&s);
        slack_pass(&s, share[i]);
    }
    CHECK_EQ(slack_left(&s), 0);
}

/* FixedDelay = 5 cycles: hop i of n gets 5 n * i / (n (n + 1) / 2) = 10 i / (n + 1) before floors.
 * Cumulative sums are 5 i (i + 1) / (n + 1); their floors, and the differences of those, by hand. */
static void five_cycles_per_hop_are_dealt_out_as_the_paper_says(void)
{
    static const uint32_t by_hand[MOST][MOST] = {
        {5},                             /* 5 */
        {3, 7},                          /* 3.3 10 */
        {2, 5, 8},                       /* 2.5 7.5 15 */
        {2, 4, 6, 8},                    /* 2 6 12 20 */
        {1, 4, 5, 6, 9},                 /* 1.7 5 10 16.7 25 */
        {1, 3, 4, 6, 7, 9},              /* 1.4 4.3 8.6 14.3 21.4 30 */
        {1, 2, 4, 5, 6, 8, 9},           /* 1.25 3.75 7.5 12.5 18.75 26.25 35 */
        {1, 2, 3, 5, 5, 7, 8, 9},        /* 1.1 3.3 6.7 11.1 16.7 23.3 31.1 40 */
        {1, 2, 3, 4, 5, 6, 7, 8, 9},     /* 1 3 6 10 15 21 28 36 45 */
        {0, 2, 3, 4, 4, 6, 6, 7, 8, 10}, /* .9 2.7 5.5 9.1 13.6 19.1 25.5 32.7 40.9 50 */
    };
    for (uint32_t n = 1; n <= MOST; n++) {
        uint32_t share[MOST];
        shares_of(5 * n, n, share);
        for (uint32_t i = 0; i < n; i++)
            CHECK_EQ(share[i], by_hand[n - 1][i]);
    }
}

/* Whatever the budget: the sum is exact, and no hop is a cycle or more away from its fraction. */
static void the_sum_is_exact_and_every_share_within_a_cycle(void)
{
    for (uint32_t n = 1; n <= 40; n++)
        for (uint32_t budget = 0; budget < 300; budget += 7) {
            uint32_t share[40], sum = 0;
            shares_of(budget, n, share);
            for (uint32_t i = 0; i < n; i++) {
                double exact = (double)budget * (i + 1) / (n * (n + 1) / 2.0);
                CHECK(share[i] < exact + 1 && share[i] > exact - 1);
                sum += share[i];
            }
            CHECK_EQ(sum, budget);
        }
}

static void what_was_not_waited_for_is_dealt_out_to_the_rest(void)
{
    struct slack s = slack_new(20, 4); /* 2 4 6 8 */
    CHECK_EQ(slack_share(&s), 2);
    slack_pass(&s, 0); /* 20 over hops 2 to 4: 20 * 2 / 9 = 4.4, 20 * 5 / 9 = 11.1 */
    CHECK_EQ(slack_left(&s), 20);
    CHECK_EQ(slack_share(&s), 4);
    slack_pass(&s, 4);
    CHECK_EQ(slack_share(&s), 7);
    slack_pass(&s, 3); /* 13 left, all of it at the last */
    CHECK_EQ(slack_left(&s), 13);
    CHECK_EQ(slack_share(&s), 13);
    slack_pass(&s, 13);
    CHECK_EQ(slack_left(&s), 0);
}

static void what_was_waited_for_beyond_the_share_is_missing_later(void)
{
    struct slack s = slack_new(20, 4);
    slack_pass(&s, 11); /* 9 over hops 2 to 4 */
    CHECK_EQ(slack_left(&s), 9);
    CHECK_EQ(slack_share(&s), 2);
    slack_pass(&s, 1000);
    CHECK_EQ(slack_left(&s), 0);
    CHECK_EQ(slack_share(&s), 0);
}

/* A detour: the way was longer than it was thought to be. */
static void beyond_the_last_hop_everything_is_due(void)
{
    struct slack s = slack_new(20, 2);
    slack_pass(&s, 0);
    slack_pass(&s, 5);
    CHECK_EQ(slack_share(&s), 15);
    slack_pass(&s, 0);
    CHECK_EQ(slack_share(&s), 15);
    slack_pass(&s, 15);
    CHECK_EQ(slack_share(&s), 0);
}

CHECK_MAIN("slack", TEST(five_cycles_per_hop_are_dealt_out_as_the_paper_says),
           TEST(the_sum_is_exact_and_every_share_within_a_cycle),
           TEST(what_was_not_waited_for_is_dealt_out_to_the_rest),
           TEST(what_was_waited_for_beyond_the_share_is_missing_later),
           TEST(beyond_the_last_hop_everything_is_due))
