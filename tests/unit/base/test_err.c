#include "check.h"

#include <signal.h>

#include "base/err.h"
#include "rig/capture.h"

static void setting_an_error_returns_false_and_keeps_text_and_status(void)
{
    struct err e = {0};
    CHECK(!err_set(&e, STATUS_BAD_INPUT, "%s:%d: no", "a.yaml", 7));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, "a.yaml:7: no");
}

static void the_first_error_wins(void)
{
    struct err e = {0};
    err_set(&e, STATUS_DEADLOCK, "first");
    CHECK(!err_set(&e, STATUS_BAD_INPUT, "second"));
    CHECK_EQ(e.status, STATUS_DEADLOCK);
    CHECK_STR(e.text, "first");
}

static void an_error_is_one_line_without_control_characters(void)
{
    struct err e = {0};
    err_set(&e, STATUS_FAILED, "a\nb\r\tc\033[1m\177 d\xc3\xa9");
    CHECK_STR(e.text, "a b  c [1m  d\xc3\xa9");
}

static void a_long_text_is_cut_and_terminated(void)
{
    static char longer[3 * sizeof((struct err *)0)->text];
    memset(longer, 'x', sizeof longer - 1);
    struct err e = {0};
    err_set(&e, STATUS_FAILED, "%s", longer);
    CHECK_EQ(strlen(e.text), sizeof e.text - 1);
}

static void assert_two_is_three(void)
{
    int two = 2;
    HD_ASSERT(two == 3, "two is %d", two);
}

static void a_failed_assertion_names_place_expression_and_message_and_aborts(void)
{
    struct death d = death_of(assert_two_is_three);
    CHECK_EQ(d.signal, SIGABRT);
    CHECK(strstr(d.text, "test_err.c:"));
    CHECK(strstr(d.text, ": assertion failed: two == 3: two is 2\n"));
}

static int count_calls(int *calls)
{
    return ++*calls;
}

static void assert_a_true_thing(void)
{
    int calls = 0;
    HD_ASSERT(count_calls(&calls) == 1, "%s", "unused");
    HD_ASSERT(calls == 1, "evaluated %d times", calls);
}

static void a_true_assertion_is_silent_and_evaluated_once(void)
{
    struct death d = death_of(assert_a_true_thing);
    CHECK_EQ(d.status, 0);
    CHECK_STR(d.text, "");
}

static void set_nowhere(void)
{
    err_set(NULL, STATUS_FAILED, "lost");
}

static void set_success(void)
{
    struct err e = {0};
    err_set(&e, STATUS_DONE, "fine");
}

static void an_error_needs_a_place_and_a_status(void)
{
    CHECK_EQ(death_of(set_nowhere).signal, SIGABRT);
    CHECK_EQ(death_of(set_success).signal, SIGABRT);
}

CHECK_MAIN("err", TEST(setting_an_error_returns_false_and_keeps_text_and_status),
           TEST(the_first_error_wins), TEST(an_error_is_one_line_without_control_characters),
           TEST(a_long_text_is_cut_and_terminated),
           TEST(a_failed_assertion_names_place_expression_and_message_and_aborts),
           TEST(a_true_assertion_is_silent_and_evaluated_once),
           TEST(an_error_needs_a_place_and_a_status))
