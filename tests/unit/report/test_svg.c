#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "rig/picture_rig.h"

static void a_picture_appears_only_when_it_is_complete(void)
{
    struct svg s;
    struct err e = {0};
    picture_rig_enter();
    CHECK(svg_open(&s, "a.svg", &e));
    svg_size(&s, 100 * SVG_PX, 50 * SVG_PX);
    CHECK(access("a.svg", F_OK) != 0);
    CHECK(svg_close(&s, &e));
    CHECK_EQ(picture_rig_files(), 1);
    char *text = picture_rig_read("a.svg");
    CHECK(strncmp(text, "<svg xmlns=", 11) == 0);
    CHECK(strstr(text, "width=\"100\" height=\"50\" viewBox=\"0 0 1000 500\"") != NULL);
    CHECK(strstr(text, "</svg>\n") != NULL);
    free(text);
    picture_rig_leave();
}

static void a_folder_that_does_not_exist_is_an_error(void)
{
    struct svg s;
    struct err e = {0};
    picture_rig_enter();
    CHECK(!svg_open(&s, "no/such/a.svg", &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, "no/such/a.svg: cannot write: No such file or directory");
    CHECK_EQ(picture_rig_files(), 0);
    picture_rig_leave();
}

static void a_folder_of_that_name_is_an_error_and_leaves_nothing(void)
{
    struct svg s;
    struct err e = {0};
    picture_rig_enter();
    CHECK_EQ(mkdir("a.svg", 0777), 0);
    CHECK(svg_open(&s, "a.svg", &e));
    CHECK(!svg_close(&s, &e));
    CHECK(strstr(e.text, "a.svg: cannot write") != NULL);
    CHECK_EQ(picture_rig_files(), 1);
    picture_rig_leave();
}

static void a_device_is_written_to_and_not_replaced(void)
{
    struct svg s;
    struct err e = {0};
    struct stat st;
    CHECK(svg_open(&s, "/dev/null", &e));
    CHECK(svg_close(&s, &e));
    CHECK_EQ(stat("/dev/null", &st), 0);
    CHECK(S_ISCHR(st.st_mode));
}

static void a_full_device_is_an_error(void)
{
    struct svg s;
    struct err e = {0};
    if (access("/dev/full", W_OK) != 0)
        return;
    CHECK(svg_open(&s, "/dev/full", &e));
    svg_size(&s, 10, 10);
    CHECK(!svg_close(&s, &e));
    CHECK_STR(e.text, "/dev/full: cannot write: No space left on device");
}

static void text_is_escaped(void)
{
    struct svg s;
    struct err e = {0};
    picture_rig_enter();
    CHECK(svg_open(&s, "a.svg", &e));
    svg_escape(&s, "<a & \"b\">\tc\xc3\x97\xff");
    CHECK(svg_close(&s, &e));
    char *text = picture_rig_read("a.svg");
    CHECK_STR(text, "&lt;a &amp; &quot;b&quot;&gt; c\xc3\x97?</svg>\n");
    free(text);
    picture_rig_leave();
}

static void numbers_are_as_short_as_they_can_be(void)
{
    char buf[SVG_REAL_N];
    CHECK_STR(svg_real(buf, 0.30000000000000004, 3), "0.3");
    CHECK_STR(svg_real(buf, 120, 0), "120");
    CHECK_STR(svg_real(buf, 2.0 / 3, 3), "0.667");
    CHECK_STR(svg_real(buf, -0.0001, 2), "0");
}

CHECK_MAIN("svg", TEST(a_picture_appears_only_when_it_is_complete),
           TEST(a_folder_that_does_not_exist_is_an_error),
           TEST(a_folder_of_that_name_is_an_error_and_leaves_nothing),
           TEST(a_device_is_written_to_and_not_replaced), TEST(a_full_device_is_an_error),
           TEST(text_is_escaped), TEST(numbers_are_as_short_as_they_can_be))
