#include "check.h"

#include "report/curves.h"
#include "rig/picture_rig.h"

static char *draw(const struct curve *c, int n)
{
    struct err e = {0};
    CHECK(curves_write("a.svg", c, n, "t", "load", "latency", &e));
    CHECK_EQ(picture_rig_files(), 1);
    char *text = picture_rig_read("a.svg");
    CHECK(picture_rig_is_well_formed(text));
    return text;
}

static void curves_are_named_and_marked(void)
{
    static const double x[] = {0.1, 0.2, 0.3}, y[] = {10, 12, 20}, z[] = {15, 16, 17};
    static const struct curve c[] = {{"mesh & co", 3, x, y}, {"crossbar", 3, x, z}};
    picture_rig_enter();
    char *text = draw(c, 2);
    CHECK(strstr(text, ">mesh &amp; co<") != NULL);
    CHECK(strstr(text, ">crossbar<") != NULL);
    CHECK(strstr(text, ">load<") != NULL);
    CHECK(strstr(text, ">latency<") != NULL);
    CHECK_EQ(picture_rig_count(text, "<circle"), 3 + 1); /* three points and the legend */
    free(text);
    picture_rig_leave();
}

static void axes_end_at_round_numbers(void)
{
    static const double x[] = {0.02, 0.43}, y[] = {10, 37};
    static const struct curve c[] = {{"a", 2, x, y}};
    picture_rig_enter();
    char *text = draw(c, 1);
    CHECK(strstr(text, ">0.45<") == NULL);
    CHECK(strstr(text, ">0.5<") != NULL);
    CHECK(strstr(text, ">40<") != NULL);
    CHECK(strstr(text, ">45<") == NULL);
    free(text);
    picture_rig_leave();
}

static void saturation_does_not_flatten_the_rest(void)
{
    static const double x[] = {0.1, 0.2, 0.3}, y[] = {10, 30, 100000};
    static const struct curve c[] = {{"a", 3, x, y}};
    picture_rig_enter();
    char *text = draw(c, 1);
    CHECK(strstr(text, ">60<") != NULL);
    CHECK(strstr(text, ">70<") == NULL);
    CHECK_EQ(picture_rig_count(text, "<circle"), 2 + 1); /* the third is off the chart */
    free(text);
    picture_rig_leave();
}

static void a_slow_network_beside_a_fast_one_is_still_seen(void)
{
    static const double x[] = {0.1, 0.2}, fast[] = {2, 3}, slow[] = {50, 5000};
    static const struct curve c[] = {{"fast", 2, x, fast}, {"slow", 2, x, slow}};
    picture_rig_enter();
    char *text = draw(c, 2);
    CHECK(strstr(text, ">140<") != NULL);
    CHECK(strstr(text, ">5000<") == NULL);
    free(text);
    picture_rig_leave();
}

static void points_that_are_no_numbers_are_left_out(void)
{
    static const double x[] = {0.1, 0.2, 0.3, 0.4}, y[] = {10, NAN, 12, INFINITY};
    static const struct curve c[] = {{"a", 4, x, y}};
    picture_rig_enter();
    char *text = draw(c, 1);
    CHECK(strstr(text, "nan") == NULL && strstr(text, "inf") == NULL);
    CHECK_EQ(picture_rig_count(text, "<circle"), 2 + 1);
    free(text);
    picture_rig_leave();
}

static void no_points_make_empty_axes(void)
{
    static const struct curve c[] = {{"a", 0, NULL, NULL}};
    picture_rig_enter();
    free(draw(c, 1));
    free(draw(c, 0));
    picture_rig_leave();
}

static void what_cannot_be_written_is_an_error(void)
{
    struct err e = {0};
    picture_rig_enter();
    CHECK(!curves_write("no/a.svg", NULL, 0, "", "", "", &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    picture_rig_leave();
}

CHECK_MAIN("curves", TEST(curves_are_named_and_marked), TEST(axes_end_at_round_numbers),
           TEST(saturation_does_not_flatten_the_rest),
           TEST(a_slow_network_beside_a_fast_one_is_still_seen),
           TEST(points_that_are_no_numbers_are_left_out), TEST(no_points_make_empty_axes),
           TEST(what_cannot_be_written_is_an_error))
