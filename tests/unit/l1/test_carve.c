/* One memory for L1 and shared memory: which division a kernel gets, and which make no sense. */
#include "l1/carve.h"

#include "check.h"

#define LIST(...)                                                                                  \
    {                                                                                              \
        sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[])                \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static void shared_memory_takes_the_smallest_size_that_holds_what_is_asked_for(void)
{
    const struct cfg_list volta = LIST(0, 8192, 16384, 32768, 65536, 98304);
    CHECK_EQ(carve_shared(&volta, 0), 0);
    CHECK_EQ(carve_shared(&volta, 1), 8192);
    CHECK_EQ(carve_shared(&volta, 8192), 8192);
    CHECK_EQ(carve_shared(&volta, 8193), 16384);
    CHECK_EQ(carve_shared(&volta, 65537), 98304);
    CHECK_EQ(carve_shared(&volta, 98304), 98304);
}

static void the_largest_size_is_all_there_is(void)
{
    const struct cfg_list two = LIST(16384, 49152), one = LIST(4096);
    CHECK_EQ(carve_shared(&two, 1u << 20), 49152);
    CHECK_EQ(carve_shared(&two, 0), 16384); /* a division that cannot be without */
    CHECK_EQ(carve_shared(&one, 0), 4096);
    CHECK_EQ(carve_shared(&one, 5000), 4096);
}

static void check_refused(struct cfg_list sizes, const char *what)
{
    struct err e = {0};
    CHECK(!carve_check(&sizes, 65536, 4096, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    if (!strstr(e.text, what))
        print_error("%s\n", e.text);
    CHECK(strstr(e.text, what) != NULL);
}

static void sizes_must_ascend_and_leave_the_l1_whole_sets(void)
{
    struct err e = {0};
    const struct cfg_list none = {0}, good = LIST(0, 4096, 61440);
    CHECK(carve_check(&none, 65536, 4096, &e));
    CHECK(carve_check(&good, 65536, 4096, &e));
    check_refused((struct cfg_list)LIST(0, 8192, 8192), "8192 after 8192");
    check_refused((struct cfg_list)LIST(8192, 4096), "4096 after 8192");
    check_refused((struct cfg_list)LIST(0, 65536), "65536 leave the L1 nothing");
    check_refused((struct cfg_list)LIST(0, 4096, 5000), "5000 leave the L1 60536 bytes");
}

CHECK_MAIN("carve", TEST(shared_memory_takes_the_smallest_size_that_holds_what_is_asked_for),
           TEST(the_largest_size_is_all_there_is),
           TEST(sizes_must_ascend_and_leave_the_l1_whole_sets))
