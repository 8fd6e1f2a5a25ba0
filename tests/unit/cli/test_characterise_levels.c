#include "check.h"

#include <math.h>

#include "cli/characterise.h"

static void flat_parts_are_levels_and_the_way_between_is_none(void)
{
    const double x[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    const double y[] = {28, 28, 28.4, 28, 110, 212, 212, 211, 425};
    struct level l[8];
    CHECK_EQ(levels_of(x, y, 8, l, 8), 2);
    CHECK(l[0].value == 28 && l[0].from == 1 && l[0].to == 8);
    CHECK(l[1].value == 212 && l[1].from == 32 && l[1].to == 128);
    /* The middle, 120, is passed between 110 at 16 and 212 at 32. */
    CHECK(fabs(l[0].until - 16 * pow(2, 10.0 / 102)) < 1e-9);
    CHECK(isnan(l[1].until));
    CHECK_EQ(levels_of(x, y, 9, l, 8), 2); /* one point is no level */
}

static void a_dent_does_not_part_a_level(void)
{
    const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {100, 100, 80, 101, 100, 100};
    struct level l[8];
    CHECK_EQ(levels_of(x, y, 6, l, 8), 1);
    CHECK(l[0].from == 1 && l[0].to == 6 && l[0].value == 100);
}

static void what_failed_is_no_part_of_a_level(void)
{
    const double x[] = {1, 2, 3, 4}, y[] = {NAN, 7, 7, NAN};
    struct level l[2];
    CHECK_EQ(levels_of(x, y, 4, l, 2), 1);
    CHECK(l[0].from == 2 && l[0].to == 3);
    CHECK_EQ(levels_of(x, y, 1, l, 2), 0);
    CHECK_EQ(levels_of(x, y, 0, l, 2), 0);
}

static void no_more_levels_than_there_is_room_for(void)
{
    const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 1, 2, 2, 3, 3};
    struct level l[2];
    CHECK_EQ(levels_of(x, y, 6, l, 2), 2);
    CHECK(l[1].value == 2);
}

CHECK_MAIN("characterise_levels", TEST(flat_parts_are_levels_and_the_way_between_is_none),
           TEST(a_dent_does_not_part_a_level), TEST(what_failed_is_no_part_of_a_level),
           TEST(no_more_levels_than_there_is_room_for))
