#include "check.h"

#include "study/expr.h"

static double number(void *context, const char *name)
{
    (void)context;
    return strcmp(name, "ipc") == 0             ? 6
           : strcmp(name, "base.ipc") == 0      ? 4
           : strcmp(name, "noc.flits.sum") == 0 ? 100
                                                : NAN;
}

static double value(void *context, const struct expr_ref *r)
{
    (void)context;
    return r->part ? 7 : strcmp(r->workload, "B+TREE") == 0 ? 3 : 2;
}

static double eval(const char *text)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const struct expr *x = expr_parse(a, text, &e);
    double v = x ? expr_eval(x, &(struct expr_world){number, value, NULL}) : -999;
    if (!x)
        print_error("%s: %s\n", text, e.text);
    arena_free(a);
    return v;
}

static void operators_bind_as_in_c(void)
{
    CHECK_NEAR(eval("1 + 2 * 3"), 7, 0);
    CHECK_NEAR(eval("(1 + 2) * 3"), 9, 0);
    CHECK_NEAR(eval("8 / 4 / 2"), 1, 0);
    CHECK_NEAR(eval("8 - 4 - 2"), 2, 0);
    CHECK_NEAR(eval("2 * -3"), -6, 0);
    CHECK_NEAR(eval("- -3"), 3, 0);
    CHECK_NEAR(eval("1 + 1 == 2 && 3 < 2 || 4 >= 4"), 1, 0);
    CHECK_NEAR(eval("1 || 0 && 0"), 1, 0);
    CHECK_NEAR(eval("!0"), 1, 0);
    CHECK_NEAR(eval("1 != 2"), 1, 0);
    CHECK_NEAR(eval("1.5e2+.5"), 150.5, 0);
}

static void each_comparison_is_its_own(void)
{
    CHECK_NEAR(eval("(1 < 2) + 2 * (2 < 2) + 4 * (3 < 2)"), 1, 0);
    CHECK_NEAR(eval("(1 <= 2) + 2 * (2 <= 2) + 4 * (3 <= 2)"), 3, 0);
    CHECK_NEAR(eval("(1 > 2) + 2 * (2 > 2) + 4 * (3 > 2)"), 4, 0);
    CHECK_NEAR(eval("(1 >= 2) + 2 * (2 >= 2) + 4 * (3 >= 2)"), 6, 0);
    CHECK_NEAR(eval("(1 == 2) + 2 * (2 == 2) + 4 * (3 == 2)"), 2, 0);
}

static void names_and_functions_have_their_values(void)
{
    CHECK_NEAR(eval("ipc / base.ipc"), 1.5, 0);
    CHECK_NEAR(eval("noc.flits.sum"), 100, 0);
    CHECK_NEAR(eval("min(3, ipc, 4)"), 3, 0);
    CHECK_NEAR(eval("max(3, ipc, 4)"), 6, 0);
    CHECK_NEAR(eval("abs(2 - ipc)"), 4, 0);
    CHECK_NEAR(eval("sqrt (16)"), 4, 0);
}

static void values_take_names_that_are_no_words(void)
{
    CHECK_NEAR(eval("value(fig 7, icc, B+TREE)"), 3, 0);
    CHECK_NEAR(eval("value( f , v , 2DCONV ) + 1"), 3, 0);
    CHECK_NEAR(eval("value(f, v, mean, part)"), 7, 0);
}

static void what_is_not_a_number_goes_through_everything(void)
{
    static const char *const texts[] = {
        "none",       "none + 1",     "1 / none",  "min(none, 1)", "max(1, none)", "abs(none)",
        "sqrt(none)", "none < 1",     "1 == none", "none && 0",    "1 || none",    "!none",
        "-none",      "none != none", "1 / 0",     "sqrt(0 - 1)",  "0 * none"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double v = eval(texts[i]);
        if (!isnan(v))
            print_error("%s is %g\n", texts[i], v);
        CHECK(isnan(v));
    }
}

static bool refuses(const char *text, const char *why)
{
    struct arena *a = arena_new();
    struct err e = {0};
    bool ok = !expr_parse(a, text, &e) && strstr(e.text, why) == e.text;
    if (!ok)
        print_error("%s: %s\n", text, e.text);
    arena_free(a);
    return ok;
}

static void errors_say_the_column(void)
{
    CHECK(refuses("", "column 1: expected a number, a name or \"(\", got the end"));
    CHECK(refuses("1 +", "column 4: expected a number"));
    CHECK(refuses("ipc ipc", "column 5: expected an operator, got \"ipc\""));
    CHECK(refuses("(1 + 2", "column 7: expected an operator or \")\""));
    CHECK(refuses("1 < 2 < 3", "column 7: expected an operator, got \"<\""));
    CHECK(refuses("log(2)", "column 1: expected one of the functions"));
    CHECK(refuses("abs(1, 2)", "column 6: expected an operator or \")\""));
    CHECK(refuses("value(a, b)", "column 11: expected value(FIGURE"));
    CHECK(refuses("value(a, , c)", "column 10: expected a name"));
    CHECK(refuses("value(a, b, c, d, e)", "column 17: expected value(FIGURE"));
    CHECK(refuses("value(a, b, c",
                  "column 14: expected value(FIGURE, VARIANT, WORKLOAD), got the end"));
    CHECK(refuses("5%", "column 2: expected an operator, got \"%\""));
    CHECK(refuses("2x", "column 1: expected a number"));
    CHECK(refuses("1..2", "column 1: expected a number"));
}

static void long_and_deep_texts_are_refused(void)
{
    char text[3001];
    memset(text, '(', 3000);
    text[3000] = '\0';
    CHECK(refuses(text, "column 2000: longer"));
    text[1000] = '\0';
    CHECK(refuses(text, "column 65: expected less nesting"));
    memset(text, '-', 1000);
    CHECK(refuses(text, "column 65: expected less nesting"));
}

static void names_are_listed_with_their_columns(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const struct expr *x = expr_parse(a, "ipc / base.ipc + value(f, v, w)", &e);
    const struct expr_name *n = expr_names(x);
    CHECK_STR(n->text, "ipc");
    CHECK_EQ(n->column, 1);
    CHECK_STR(n->next->text, "base.ipc");
    CHECK_EQ(n->next->column, 7);
    CHECK(n->next->next == NULL);
    CHECK_STR(expr_refs(x)->variant, "v");
    CHECK(expr_refs(x)->next == NULL);
    arena_free(a);
}

static void a_ratio_to_the_baseline_is_known(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    CHECK(expr_is_ratio(expr_parse(a, "ipc / base.ipc", &e)));
    CHECK(expr_is_ratio(expr_parse(a, "(a + b) / (base.a + base.b)", &e)));
    CHECK(!expr_is_ratio(expr_parse(a, "ipc / base.ipc - 1", &e)));
    CHECK(!expr_is_ratio(expr_parse(a, "hits / accesses", &e)));
    arena_free(a);
}

static const char *made_up_unit(const void *context, const char *name)
{
    (void)context;
    return strcmp(name, "rate") == 0 ? "%" : strncmp(name, "time", 4) == 0 ? "cycle" : NULL;
}

static const char *unit_of(struct arena *a, const char *text)
{
    struct err e = {0};
    const char *unit = expr_unit(expr_parse(a, text, &e), &(struct expr_units){made_up_unit, NULL});
    return unit ? unit : "unknown";
}

static void a_unit_survives_sums_and_nothing_else(void)
{
    struct arena *a = arena_new();
    CHECK_STR(unit_of(a, "rate"), "%");
    CHECK_STR(unit_of(a, "-(time1 + time2) - max(time1, abs(time3))"), "cycle");
    CHECK_STR(unit_of(a, "rate + time1"), "unknown");
    CHECK_STR(unit_of(a, "time1 + hits"), "unknown");
    CHECK_STR(unit_of(a, "rate / 100"), "unknown");
    CHECK_STR(unit_of(a, "time1 / time2"), "unknown");
    CHECK_STR(unit_of(a, "hits"), "unknown");
    arena_free(a);
}

CHECK_MAIN("expr", TEST(operators_bind_as_in_c), TEST(each_comparison_is_its_own),
           TEST(names_and_functions_have_their_values), TEST(values_take_names_that_are_no_words),
           TEST(what_is_not_a_number_goes_through_everything), TEST(errors_say_the_column),
           TEST(long_and_deep_texts_are_refused), TEST(names_are_listed_with_their_columns),
           TEST(a_ratio_to_the_baseline_is_known), TEST(a_unit_survives_sums_and_nothing_else))
