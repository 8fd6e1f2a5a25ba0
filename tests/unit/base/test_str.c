#include "check.h"

#include <locale.h>

#include "base/str.h"

#define N_OF(a) ((int)(sizeof(a) / sizeof((a)[0])))

static void integers_are_read_with_sign_base_and_suffix(void)
{
    static const struct {
        const char *s;
        int64_t v;
    } good[] = {
        {"0", 0},
        {"48", 48},
        {"-3", -3},
        {"+3", 3},
        {"0x10", 16},
        {"0XfF", 255},
        {"-0x10", -16},
        {"010", 10}, /* not octal */
        {"32K", 32768},
        {"2M", 2 << 20},
        {"1G", 1 << 30},
        {"-1K", -1024},
        {"0x10K", 16384},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
        {"8589934591G", 8589934591 << 30},
        {"-8589934592G", INT64_MIN},
    };
    for (int i = 0; i < N_OF(good); i++) {
        int64_t v = 77;
        CHECK(str_to_int(good[i].s, &v));
        CHECK_EQ(v, good[i].v);
    }
}

static void what_is_not_an_integer_is_refused_and_leaves_the_result_alone(void)
{
    static const char *const bad[] = {
        "",
        " ",
        "abc",
        "-",
        "+",
        "--1",
        "+-1",
        "1.0",
        "1.5",
        "1e3",
        "1 ",
        " 1",
        "4x",
        "0x",
        "0xg",
        "K",
        "1KB",
        "1k",
        "1KK",
        "1T",
        "0b1",
        "1,2",
        "12-13",
        "1\n",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551616",
        "99999999999999999999999999",
        "8589934592G",
        "9223372036854775807K",
    };
    for (int i = 0; i < N_OF(bad); i++) {
        int64_t v = 77;
        if (str_to_int(bad[i], &v))
            CHECK_STR(bad[i], "refused");
        CHECK_EQ(v, 77);
    }
}

static void numbers_are_read_with_units(void)
{
    static const struct {
        const char *s;
        double v;
    } good[] = {
        {"0.25", 0.25},     {"-1e-3", -1e-3},  {".5", 0.5},       {"5.", 5},        {"+2", 2},
        {"0x10", 16},       {"1.4GHz", 1.4e9}, {"700MHz", 700e6}, {"3kHz", 3e3},    {"2Hz", 2},
        {"1.4 GHz", 1.4e9}, {"12.3mm", 12.3},  {"22nm", 22},      {"177GB/s", 177}, {"64B", 64},
        {"50%", 50},        {"1e300", 1e300},
    };
    for (int i = 0; i < N_OF(good); i++) {
        double v = 77;
        CHECK(str_to_real(good[i].s, &v));
        CHECK(v == good[i].v);
    }
}

static void what_is_not_a_number_is_refused(void)
{
    static const char *const bad[] = {
        "",       " ",  "abc",   "nan",  "NaN",  "inf",      "-inf",     "infinity", "1e999",
        "-1e999", "1x", "1.5.2", "1..2", "1 2",  " 1",       "1 ",       "1  mm",    "GHz",
        ".",      "-",  "1ghz",  "1mmm", "0,25", "1.4 GHz ", "1e308GHz", "--1",
    };
    for (int i = 0; i < N_OF(bad); i++) {
        double v = 77;
        if (str_to_real(bad[i], &v) || str_to_real_in(bad[i], "Hz", &v))
            CHECK_STR(bad[i], "refused");
        CHECK(v == 77);
    }
}

static void a_number_is_converted_to_the_unit_wanted(void)
{
    double v;
    CHECK(str_to_real_in("1.4", "GHz", &v) && v == 1.4);
    CHECK(str_to_real_in("1.4GHz", "GHz", &v) && v == 1.4);
    CHECK(str_to_real_in("1.4GHz", "Hz", &v) && v == 1.4e9);
    CHECK(str_to_real_in("700MHz", "GHz", &v));
    CHECK_NEAR(v, 0.7, 1e-15);
    CHECK(str_to_real_in("12um", "mm", &v));
    CHECK_NEAR(v, 0.012, 1e-15);
    CHECK(str_to_real_in("0.2flits/node/cycle", "flits/node/cycle", &v) && v == 0.2);
}

static void a_unit_of_another_kind_is_refused(void)
{
    double v = 77;
    CHECK(!str_to_real_in("12mm", "Hz", &v));
    CHECK(!str_to_real_in("12mm", "", &v));
    CHECK(!str_to_real_in("12mm", "flits/node/cycle", &v));
    CHECK(!str_to_real_in("12flits", "mm", &v));
    CHECK(v == 77);
}

static void truth_has_eight_words_in_any_case(void)
{
    static const char *const yes[] = {"true", "yes", "on", "1", "True", "YES"};
    static const char *const no[] = {"false", "no", "off", "0", "FALSE", "Off"};
    static const char *const bad[] = {"", "maybe", "2", "tru", "truee", " true", "y"};
    bool v = false;
    for (int i = 0; i < N_OF(yes); i++)
        CHECK(str_to_bool(yes[i], &v) && v);
    for (int i = 0; i < N_OF(no); i++)
        CHECK(str_to_bool(no[i], &v) && !v);
    for (int i = 0; i < N_OF(bad); i++)
        CHECK(!str_to_bool(bad[i], &v));
}

static void numbers_are_written_in_the_shortest_form_that_reads_back(void)
{
    char buf[STR_REAL_N];
    CHECK_STR(str_from_real(buf, 0.1), "0.1");
    CHECK_STR(str_from_real(buf, 3), "3");
    CHECK_STR(str_from_real(buf, 1.4e9), "1400000000");
    CHECK_STR(str_from_real(buf, 0.1 + 0.2), "0.30000000000000004");
    CHECK_STR(str_from_real(buf, 1e-300), "1e-300");
    static const double odd[] = {1.0 / 3, 2.0 / 3, 1e22 / 7, -5e-324, 1.7976931348623157e308};
    for (int i = 0; i < N_OF(odd); i++)
        CHECK(strtod(str_from_real(buf, odd[i]), NULL) == odd[i]);
}

/* Where one is installed; the C locale passes by itself. */
static void a_foreign_locale_changes_nothing(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    bool found = false;
    for (int i = 0; i < N_OF(names) && !found; i++)
        found = setlocale(LC_ALL, names[i]) != NULL;
    char buf[STR_REAL_N];
    double v = 0;
    bool read = str_to_real("0.25", &v);
    str_from_real(buf, 0.25);
    setlocale(LC_ALL, "C");
    CHECK(read && v == 0.25);
    CHECK_STR(buf, "0.25");
}

static const char *const names[] = {"mesh.width", "mesh.height", "mesh.mem", "noc.vcs", "xbar.in"};

static const char *nearest_of(const char *name, const char *const *all, size_t n)
{
    static struct str_hint h;
    h = str_hint(name);
    for (size_t i = 0; i < n; i++)
        str_hint_offer(&h, all[i]);
    return h.nearest[0] ? h.nearest : NULL;
}

static const char *nearest(const char *s)
{
    struct str_hint h = str_hint(s);
    for (int i = 0; i < N_OF(names); i++)
        str_hint_offer(&h, names[i]);
    const char *same = nearest_of(s, names, N_OF(names));
    CHECK_STR(same ? same : "", h.nearest);
    return same;
}

static void the_nearest_name_is_found(void)
{
    CHECK_STR(nearest("mesh.widht"), "mesh.width"); /* swapped */
    CHECK_STR(nearest("mesh.wdth"), "mesh.width");  /* lost */
    CHECK_STR(nearest("mesh.widdth"), "mesh.width");
    CHECK_STR(nearest("mseh.height"), "mesh.height");
    CHECK_STR(nearest("MESH.WIDTH"), "mesh.width");
    CHECK_STR(nearest("mesh.mem"), "mesh.mem");
    CHECK_STR(nearest("noc.vc"), "noc.vcs");
}

static void what_is_far_from_everything_gets_no_suggestion(void)
{
    CHECK_STR(nearest("dram.tRCD"), NULL);
    CHECK_STR(nearest("z"), NULL);
    CHECK_STR(nearest(""), NULL);
    CHECK_STR(nearest_of("mesh", names, 0), NULL);
}

static void a_nearest_name_is_never_a_whole_replacement(void)
{
    static const char *const one[] = {"on"}, *const letter[] = {"y"};
    CHECK_STR(nearest_of("x", letter, 1), NULL);
    CHECK_STR(nearest_of("xy", one, 1), NULL);
    CHECK_STR(nearest_of("no", one, 1), "on");
}

static void long_names_are_compared_up_to_a_limit(void)
{
    static char huge[100001], edge[65], other[65];
    memset(huge, 'a', sizeof huge - 1);
    memset(edge, 'a', sizeof edge - 1);
    memset(other, 'a', sizeof other - 1);
    other[63] = 'b';
    const char *const with_edge[] = {huge, edge};
    CHECK_STR(nearest_of(huge, with_edge, 2), NULL);
    CHECK_STR(nearest_of(other, with_edge, 2), edge);
}

static void a_hint_looks_at_every_name_however_many_there_are(void)
{
    struct str_hint h = str_hint("topology");
    for (int i = 0; i < 1000; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%d", i < 999 ? "other" : "topolgy", i % 999);
        str_hint_offer(&h, name); /* which it need not keep */
    }
    CHECK_STR(str_hint_text(&h, " (none)"), "; did you mean topolgy0?");
}

static void a_hint_without_a_near_name_says_what_else_to_do(void)
{
    struct str_hint h = str_hint("topology");
    CHECK_STR(str_hint_text(&h, " (heddle list)"), " (heddle list)");
    str_hint_offer(&h, "scheduler");
    CHECK_STR(str_hint_text(&h, " (heddle list)"), " (heddle list)");
}

static void a_hint_holds_the_longest_name_that_is_compared(void)
{
    char wanted[STR_HINT_NAME + 1], name[STR_HINT_NAME + 2], text[STR_HINT_NAME + 32];
    memset(wanted, 'a', sizeof wanted);
    memset(name, 'a', sizeof name);
    wanted[STR_HINT_NAME] = name[STR_HINT_NAME + 1] = '\0';
    wanted[0] = 'b';
    struct str_hint h = str_hint(wanted);
    str_hint_offer(&h, name);
    CHECK_STR(str_hint_text(&h, ""), "");
    str_hint_offer(&h, name + 1);
    snprintf(text, sizeof text, "; did you mean %s?", name + 1);
    CHECK_STR(str_hint_text(&h, ""), text);
}

static void a_word_is_found_among_others_with_either_dash(void)
{
    CHECK(str_is_word("bit-complement", "bit_complement"));
    CHECK(str_is_word("neighbor", "neighbour|neighbor"));
    CHECK(str_is_word("s_mesh", "s-mesh"));
    CHECK(!str_is_word("bit", "bit_complement"));
    CHECK(!str_is_word("bit_complement_", "bit_complement"));
    CHECK(!str_is_word("", "a|b"));
    CHECK(!str_is_word("x", NULL));
}

CHECK_MAIN("str", TEST(a_word_is_found_among_others_with_either_dash),
           TEST(integers_are_read_with_sign_base_and_suffix),
           TEST(what_is_not_an_integer_is_refused_and_leaves_the_result_alone),
           TEST(numbers_are_read_with_units), TEST(what_is_not_a_number_is_refused),
           TEST(a_number_is_converted_to_the_unit_wanted), TEST(a_unit_of_another_kind_is_refused),
           TEST(truth_has_eight_words_in_any_case),
           TEST(numbers_are_written_in_the_shortest_form_that_reads_back),
           TEST(a_foreign_locale_changes_nothing), TEST(the_nearest_name_is_found),
           TEST(what_is_far_from_everything_gets_no_suggestion),
           TEST(a_nearest_name_is_never_a_whole_replacement),
           TEST(long_names_are_compared_up_to_a_limit),
           TEST(a_hint_looks_at_every_name_however_many_there_are),
           TEST(a_hint_without_a_near_name_says_what_else_to_do),
           TEST(a_hint_holds_the_longest_name_that_is_compared))
