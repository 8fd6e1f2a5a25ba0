#include "check.h"

#include <signal.h>

#include "base/json.h"
#include "rig/capture.h"

/* What `write` produces, compared with `expect`. */
static void check_json(void (*write)(struct json *), const char *expect)
{
    struct text t;
    struct json j;
    text_open(&t);
    json_begin(&j, t.out);
    write(&j);
    json_end(&j);
    CHECK_STR(text_close(&t), expect);
    text_free(&t);
}

static void write_tree(struct json *j)
{
    json_open_object(j, false);
    json_key(j, "a");
    json_int(j, -1);
    json_key(j, "b");
    json_open_array(j, false);
    json_uint(j, UINT64_MAX);
    json_open_object(j, true);
    json_key(j, "c");
    json_bool(j, true);
    json_key(j, "d");
    json_open_array(j, false); /* inside a compact level everything is */
    json_bool(j, false);
    json_int(j, INT64_MIN);
    json_close_array(j);
    json_close_object(j);
    json_close_array(j);
    json_key(j, "e");
    json_string(j, "x");
    json_close_object(j);
}

static void levels_are_indented_and_compact_ones_stay_on_a_line(void)
{
    check_json(write_tree, "{\n"
                           "  \"a\": -1,\n"
                           "  \"b\": [\n"
                           "    18446744073709551615,\n"
                           "    {\"c\": true, \"d\": [false, -9223372036854775808]}\n"
                           "  ],\n"
                           "  \"e\": \"x\"\n"
                           "}\n");
}

static void write_empties(struct json *j)
{
    json_open_array(j, false);
    json_open_object(j, false);
    json_close_object(j);
    json_open_array(j, true);
    json_close_array(j);
    json_close_array(j);
}

static void empty_levels_have_no_lines(void)
{
    check_json(write_empties, "[\n  {},\n  []\n]\n");
}

static void write_numbers(struct json *j)
{
    json_open_array(j, true);
    json_real(j, 0.1);
    json_real(j, 0.1 + 0.2);
    json_real(j, 3);
    json_real(j, -1e300);
    json_real(j, (double)NAN);
    json_real(j, (double)INFINITY);
    json_real(j, -(double)INFINITY);
    json_close_array(j);
}

static void numbers_read_back_exactly_and_what_json_lacks_is_null(void)
{
    check_json(write_numbers, "[0.1, 0.30000000000000004, 3, -1e+300, null, null, null]\n");
}

static void write_escapes(struct json *j)
{
    json_open_object(j, true);
    json_key(j, "a\"b");
    json_string(j, "\\ \n\t\r\b\f\x01\x1f\x7f / '");
    json_close_object(j);
}

static void special_characters_are_escaped_in_keys_and_strings(void)
{
    check_json(write_escapes, "{\"a\\\"b\": \"\\\\ \\n\\t\\r\\b\\f\\u0001\\u001f\\u007f / '\"}\n");
}

#define BAD "\xef\xbf\xbd" /* U+FFFD */

static void write_utf8(struct json *j)
{
    json_open_array(j, true);
    json_string(j, "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf"); /* valid */
    json_string(j, "\xff"
                   "a\x80"
                   "b\xc3");                /* no lead, stray tail, cut at the end */
    json_string(j, "\xe2\x82");             /* cut three-byte form */
    json_string(j, "\xc0\xaf");             /* overlong */
    json_string(j, "\xed\xa0\x80");         /* surrogate */
    json_string(j, "\xf4\x90\x80\x80");     /* beyond U+10FFFF */
    json_string(j, "\xf8\x88\x80\x80\x80"); /* five bytes */
    json_close_array(j);
}

static void invalid_utf8_is_replaced_and_valid_kept(void)
{
    check_json(write_utf8, "[\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf\", "
                           "\"" BAD "a" BAD "b" BAD "\", \"" BAD BAD "\", \"" BAD BAD "\", "
                           "\"" BAD BAD BAD "\", \"" BAD BAD BAD BAD "\", "
                           "\"" BAD BAD BAD BAD BAD "\"]\n");
}

static void write_scalar(struct json *j)
{
    json_string(j, "alone");
}

static void a_document_may_be_one_scalar(void)
{
    check_json(write_scalar, "\"alone\"\n");
}

static void write_deepest(struct json *j)
{
    for (int i = 0; i < 31; i++)
        json_open_array(j, true);
    for (int i = 0; i < 31; i++)
        json_close_array(j);
}

static void nesting_goes_to_31_levels(void)
{
    check_json(write_deepest, "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n");
}

/* Each of these is a mistake of the caller's. */
static struct json *fresh(void)
{
    static struct json j;
    json_begin(&j, stdout);
    return &j;
}

static void close_nothing(void)
{
    json_close_object(fresh());
}

static void close_the_other_kind(void)
{
    struct json *j = fresh();
    json_open_array(j, true);
    json_close_object(j);
}

static void value_without_key(void)
{
    struct json *j = fresh();
    json_open_object(j, true);
    json_int(j, 1);
}

static void key_in_array(void)
{
    struct json *j = fresh();
    json_open_array(j, true);
    json_key(j, "k");
}

static void key_without_value(void)
{
    struct json *j = fresh();
    json_open_object(j, true);
    json_key(j, "k");
    json_close_object(j);
}

static void two_values(void)
{
    struct json *j = fresh();
    json_int(j, 1);
    json_int(j, 2);
}

static void end_while_open(void)
{
    struct json *j = fresh();
    json_open_array(j, true);
    json_end(j);
}

static void end_while_empty(void)
{
    json_end(fresh());
}

static void nest_too_deeply(void)
{
    struct json *j = fresh();
    for (int i = 0; i < 32; i++)
        json_open_array(j, true);
}

static void misuse_is_asserted(void)
{
    void (*const ways[])(void) = {close_nothing,  close_the_other_kind, value_without_key,
                                  key_in_array,   key_without_value,    two_values,
                                  end_while_open, end_while_empty,      nest_too_deeply};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        CHECK_EQ(death_of(ways[i]).signal, SIGABRT);
}

CHECK_MAIN("json", TEST(levels_are_indented_and_compact_ones_stay_on_a_line),
           TEST(empty_levels_have_no_lines),
           TEST(numbers_read_back_exactly_and_what_json_lacks_is_null),
           TEST(special_characters_are_escaped_in_keys_and_strings),
           TEST(invalid_utf8_is_replaced_and_valid_kept), TEST(a_document_may_be_one_scalar),
           TEST(nesting_goes_to_31_levels), TEST(misuse_is_asserted))
