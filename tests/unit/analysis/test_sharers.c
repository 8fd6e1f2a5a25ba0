#include "check.h"

#include "analysis/sharers.h"
#include "rig/capture.h"

static void a_block_counts_in_every_row_that_it_reaches(void)
{
    struct sharers_stats s = {0};
    for (uint32_t n = 1; n <= 70; n++)
        sharers_add(&s, n, n == 1 ? 3 : 1); /* three blocks, of which one gets 70 SMs */
    CHECK_EQ(s.sharers, 72);
    CHECK_EQ(s.sharers_1, 3);
    CHECK_EQ(s.sharers_2, 1);
    CHECK_EQ(s.sharers_16, 1);
    CHECK_EQ(s.sharers_32, 1);
    CHECK_EQ(s.sharers_64, 1);
    s = (struct sharers_stats){0};
    for (uint32_t n = 1; n <= 31; n++)
        sharers_add(&s, n, 1);
    CHECK_EQ(s.sharers, 31);
    CHECK_EQ(s.sharers_16, 1);
    CHECK_EQ(s.sharers_32, 0);
}

static void rows_end_with_the_number_of_sms(void)
{
    static const struct {
        uint32_t sms;
        const char *last, *first_absent;
    } x[] = {{1, "s.sharers_1\n", "s.sharers_2\n"},
             {15, "s.sharers_15\n", "s.sharers_16\n"},
             {31, "s.sharers_16\n", "s.sharers_32\n"},
             {63, "s.sharers_32\n", "s.sharers_64\n"}};
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
        struct arena *a = arena_new();
        struct stats *tree = stats_new(a);
        struct sharers_stats s = {0};
        struct text t;
        sharers_add_stats(&s, "s", NULL, x[i].sms, tree);
        text_open(&t);
        stats_names(tree, t.out);
        text_close(&t);
        CHECK(strstr(t.s, "s.sharers\n") != NULL);
        CHECK(strstr(t.s, x[i].last) != NULL);
        CHECK(strstr(t.s, x[i].first_absent) == NULL);
        text_free(&t);
        arena_free(a);
    }
}

CHECK_MAIN("sharers", TEST(a_block_counts_in_every_row_that_it_reaches),
           TEST(rows_end_with_the_number_of_sms))
