#include "check.h"

#include "sim/config_priv.h"

static const struct cfg_field an_int = {"n", CFG_INT, 0, "1", 1, 4096, "", ""};
static const struct cfg_field a_wide_int = {"n", CFG_INT, 0, "1", -1e19, 1e19, "", ""};
static const struct cfg_field a_real = {"r", CFG_REAL, 0, "0", -0.5, 1e6, "mm", ""};
static const struct cfg_field a_bool = {"b", CFG_BOOL, 0, "no", 0, 0, "", ""};
static const struct cfg_field a_str = {"s", CFG_STR, 0, "", 0, 0, "", ""};
static const struct cfg_field a_choice = {"c", CFG_CHOICE, 0, "xy", 0, 0, "xy|yx|o1turn", ""};
static const struct cfg_field a_list = {"l", CFG_LIST, 0, "", -10, 1e9, "", ""};

union member {
    int64_t i;
    double r;
    bool b;
    const char *s;
    struct cfg_list l;
};

/* Parses a scalar; what was wrong with it, or "" when nothing was. */
static const char *parse(struct arena *a, const struct cfg_field *f, const char *text,
                         union member *m)
{
    char *why = arena_alloc(a, CFG_WHY_N);
    const struct cfg_text t = {CFG_SCALAR, &text, 1};
    bool ok = config_value_parse(a, f, &t, m, why);
    CHECK(ok == (*why == '\0'));
    return why;
}

static void check_refused(const struct cfg_field *f, const char *text, const char *why)
{
    struct arena *a = arena_new();
    union member m;
    CHECK_STR(parse(a, f, text, &m), why);
    arena_free(a);
}

static void integers_are_checked_for_type_and_range(void)
{
    struct arena *a = arena_new();
    union member m;
    CHECK_STR(parse(a, &an_int, "4096", &m), "");
    CHECK_EQ(m.i, 4096);
    CHECK_STR(parse(a, &an_int, "4K", &m), "");
    CHECK_EQ(m.i, 4096);
    CHECK_STR(parse(a, &a_wide_int, "-9223372036854775808", &m), "");
    CHECK_EQ(m.i, INT64_MIN);
    arena_free(a);
    check_refused(&an_int, "4.0", "expected an integer, got \"4.0\"");
    check_refused(&an_int, "1e3", "expected an integer, got \"1e3\"");
    check_refused(&an_int, "abc", "expected an integer, got \"abc\"");
    check_refused(&an_int, "0", "0 is outside 1..4096");
    check_refused(&an_int, "4097", "4097 is outside 1..4096");
    check_refused(&an_int, "5K", "5K is outside 1..4096");
    check_refused(&an_int, "99999999999999999999", "99999999999999999999 is outside 1..4096");
    check_refused(&an_int, "-1e30", "-1e30 is outside 1..4096");
}

static void numbers_are_converted_and_checked(void)
{
    struct arena *a = arena_new();
    union member m;
    CHECK_STR(parse(a, &a_real, "250um", &m), "");
    CHECK_NEAR(m.r, 0.25, 1e-15);
    CHECK_STR(parse(a, &a_real, "-0.0", &m), "");
    CHECK(!signbit(m.r));
    arena_free(a);
    check_refused(&a_real, "fast", "expected a number, got \"fast\"");
    check_refused(&a_real, "1GHz", "expected a number, got \"1GHz\"");
    check_refused(&a_real, "nan", "expected a number, got \"nan\"");
    check_refused(&a_real, "-0.6", "-0.6 is outside -0.5..1000000");
}

static void words_are_checked(void)
{
    struct arena *a = arena_new();
    union member m;
    CHECK_STR(parse(a, &a_bool, "on", &m), "");
    CHECK(m.b);
    CHECK_STR(parse(a, &a_str, "caf\xc3\xa9", &m), "");
    CHECK_STR(m.s, "caf\xc3\xa9");
    CHECK_STR(parse(a, &a_choice, "o1turn", &m), "");
    CHECK_STR(m.s, "o1turn");
    arena_free(a);
    check_refused(&a_bool, "maybe", "expected true or false, got \"maybe\"");
    check_refused(&a_str, "a\tb", "expected one line without control characters");
    check_refused(&a_choice, "o1trun",
                  "\"o1trun\" is not one of xy, yx, o1turn; did you mean o1turn?");
    check_refused(&a_choice, "dor-xyz", "\"dor-xyz\" is not one of xy, yx, o1turn");
    check_refused(&a_choice, "", "\"\" is not one of xy, yx, o1turn");
    check_refused(&a_choice, "xy|yx", "\"xy|yx\" is not one of xy, yx, o1turn");
}

static void check_list(const char *text, const char *expect)
{
    struct arena *a = arena_new();
    union member m;
    CHECK_STR(parse(a, &a_list, text, &m), "");
    CHECK_STR(config_value_text(a, &a_list, &m), expect);
    arena_free(a);
}

static void a_list_in_a_scalar_has_commas_and_ranges(void)
{
    check_list("", "");
    check_list("  ", "");
    check_list("7", "7");
    check_list("1,2,3", "1,2,3");
    check_list("[1, 2, 5-6]", "1,2,5,6");
    check_list("[]", "");
    check_list(" 1 , 2,3 ", "1,2,3");
    check_list("0-3,8", "0,1,2,3,8");
    check_list("5-5", "5");
    check_list("-3", "-3");
    check_list("-3--1,-1-1", "-3,-2,-1,-1,0,1");
    check_list("0x10,1K", "16,1024");
}

static void a_wrong_list_is_refused_by_its_element(void)
{
    check_refused(&a_list, "1,x", "expected a list of integers, got \"x\"");
    check_refused(&a_list, "1,", "expected a list of integers, got \"\"");
    check_refused(&a_list, ",", "expected a list of integers, got \"\"");
    check_refused(&a_list, "1 2", "expected a list of integers, got \"1 2\"");
    check_refused(&a_list, "1-", "expected a list of integers, got \"\"");
    check_refused(&a_list, "1-2-3", "expected a list of integers, got \"2-3\"");
    check_refused(&a_list, "7-4", "expected a list of integers, got \"7-4\"");
    check_refused(&a_list, "1.5", "expected a list of integers, got \"1.5\"");
    check_refused(&a_list, "3,-11", "-11 is outside -10..1000000000");
    check_refused(&a_list, "0-1000000001", "1000000001 is outside -10..1000000000");
}

static void a_list_has_at_most_65536_elements(void)
{
    struct arena *a = arena_new();
    union member m;
    CHECK_STR(parse(a, &a_list, "0-65535", &m), "");
    CHECK_EQ(m.l.n, 65536);
    CHECK_EQ(m.l.v[65535], 65535);
    CHECK_STR(parse(a, &a_list, "0-32767,0-32767", &m), "");
    CHECK_EQ(m.l.n, 65536);
    arena_free(a);
    check_refused(&a_list, "0-65536", "more than 65536 elements");
    check_refused(&a_list, "0-65535,1", "more than 65536 elements");
    check_refused(&a_list, "0-1000000000", "more than 65536 elements");
}

static void a_range_over_all_integers_does_not_wrap(void)
{
    const struct cfg_field wide = {"l", CFG_LIST, 0, "", -1e19, 1e19, "", ""};
    check_refused(&wide, "-9223372036854775808-9223372036854775807", "more than 65536 elements");
    struct arena *a = arena_new();
    union member m;
    CHECK_STR(parse(a, &wide, "9223372036854775806-9223372036854775807", &m), "");
    CHECK_EQ(m.l.n, 2);
    CHECK_EQ(m.l.v[1], INT64_MAX);
    arena_free(a);
}

static void other_shapes_are_refused_by_name(void)
{
    static const char *const two[] = {"1", "2"};
    const struct cfg_text sequence = {CFG_SEQUENCE, two, 2}, map = {CFG_MAP, NULL, 0},
                          null = {CFG_NULL, NULL, 0};
    struct arena *a = arena_new();
    union member m;
    char why[CFG_WHY_N];
    CHECK(!config_value_parse(a, &an_int, &sequence, &m, why));
    CHECK_STR(why, "expected an integer, got a list");
    CHECK(!config_value_parse(a, &a_str, &map, &m, why));
    CHECK_STR(why, "expected a string, got a map");
    CHECK(!config_value_parse(a, &a_list, &null, &m, why));
    CHECK_STR(why, "expected a list of integers, got null");
    CHECK(!config_value_parse(a, &a_choice, &null, &m, why));
    CHECK_STR(why, "expected one word, got null");
    CHECK(config_value_parse(a, &a_list, &sequence, &m, why));
    CHECK_EQ(m.l.n, 2);
    arena_free(a);
}

static void long_values_are_cut_in_messages_between_characters(void)
{
    char text[200] = "", expect[300];
    for (int i = 0; i < 60; i++)
        strcat(text, "\xc3\xa9");
    snprintf(expect, sizeof expect, "expected an integer, got \"%.60s...\"", text);
    check_refused(&an_int, text, expect);
    text[0] = 'x'; /* an odd start, so that the cut would fall inside a character */
    memmove(text + 1, text + 2, strlen(text + 1));
    snprintf(expect, sizeof expect, "expected an integer, got \"%.59s...\"", text);
    check_refused(&an_int, text, expect);
}

static void numbers_have_one_text(void)
{
    struct arena *a = arena_new();
    union member m = {.r = 0.1};
    CHECK_STR(config_value_text(a, &a_real, &m), "0.1");
    m.i = -7;
    CHECK_STR(config_value_text(a, &an_int, &m), "-7");
    m.b = true;
    CHECK_STR(config_value_text(a, &a_bool, &m), "true");
    arena_free(a);
}

static void bounds_are_written_as_people_do(void)
{
    char buf[32];
    CHECK_STR(config_value_bound(buf, 4096), "4096");
    CHECK_STR(config_value_bound(buf, 0.25), "0.25");
    CHECK_STR(config_value_bound(buf, 1e9), "1000000000");
    CHECK_STR(config_value_bound(buf, 1e18), "1e+18");
    CHECK_STR(config_value_bound(buf, (double)INFINITY), "inf");
}

CHECK_MAIN("config_value", TEST(integers_are_checked_for_type_and_range),
           TEST(numbers_are_converted_and_checked), TEST(words_are_checked),
           TEST(a_list_in_a_scalar_has_commas_and_ranges),
           TEST(a_wrong_list_is_refused_by_its_element), TEST(a_list_has_at_most_65536_elements),
           TEST(a_range_over_all_integers_does_not_wrap), TEST(other_shapes_are_refused_by_name),
           TEST(long_values_are_cut_in_messages_between_characters), TEST(numbers_have_one_text),
           TEST(bounds_are_written_as_people_do))
