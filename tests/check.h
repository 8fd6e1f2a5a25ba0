/* check.h - a thin layer over cmocka.
 *
 *     #include "check.h"
 *
 *     static void three_pushes_fill_a_port_of_depth_three(void)
 *     {
 *         ...
 *         CHECK_EQ(port_count(p), 3);
 *     }
 *
 *     CHECK_MAIN("port", TEST(three_pushes_fill_a_port_of_depth_three),
 *                TEST(...))
 *
 * A failed check ends its test case, not the program.  Arguments are evaluated once.  Checks
 * belong to the thread that runs the test: cmocka leaves a failed case by longjmp. */
#ifndef HEDDLE_TESTS_CHECK_H
#define HEDDLE_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#undef fail /* names that the code under test may want */
#undef skip

#define CHECK(cond) check_true_((cond) ? true : false, #cond, __FILE__, __LINE__)

/* Integers of any width; for doubles there is CHECK_NEAR. */
#define CHECK_EQ(a, b)                                                                             \
    do {                                                                                           \
        _Static_assert(CHECK_IS_INT_(a) && CHECK_IS_INT_(b), "CHECK_EQ is for integers");          \
        check_eq_((long long)(a), (long long)(b), #a, #b, __FILE__, __LINE__);                     \
    } while (0)

#define CHECK_STR(a, b) check_str_((a), (b), #a, __FILE__, __LINE__)

/* |a - b| <= rel * |b|: b is the value expected.  NaN is near nothing. */
#define CHECK_NEAR(a, b, rel)                                                                      \
    check_near_((double)(a), (double)(b), (double)(rel), #a, #b, __FILE__, __LINE__)

/* clang-format off */
#define TEST(fn)                                                                                   \
    {.name = #fn, .test_func = check_run_, .initial_state = &(struct check_case_){fn}}
/* clang-format on */

#define CHECK_MAIN(name, ...)                                                                      \
    static const struct CMUnitTest check_tests_[] = {__VA_ARGS__};                                 \
    int main(void)                                                                                 \
    {                                                                                              \
        int total = (int)(sizeof check_tests_ / sizeof check_tests_[0]);                           \
        return check_tally_(name, total,                                                           \
                            cmocka_run_group_tests_name(name, check_tests_, NULL, NULL));          \
    }

/* ---- behind the macros ---- */

#define CHECK_IS_INT_(x) _Generic((x), float : 0, double : 0, long double : 0, default : 1)

struct check_case_ { /* a function pointer does not fit in cmocka's void *, its address does */
    void (*fn)(void);
};

static inline void check_run_(void **state)
{
    (*(const struct check_case_ *const *)state)->fn();
}

static inline void check_true_(bool ok, const char *expr, const char *file, int line)
{
    if (!ok) {
        print_error("not true: %s\n", expr);
        _fail(file, line);
    }
}

static inline void check_eq_(long long a, long long b, const char *a_text, const char *b_text,
                             const char *file, int line)
{
    if (a != b) {
        print_error("%s is %lld, not %lld (%s)\n", a_text, a, b, b_text);
        _fail(file, line);
    }
}

static inline void check_str_(const char *a, const char *b, const char *a_text, const char *file,
                              int line)
{
    if (a == NULL || b == NULL ? a != b : strcmp(a, b) != 0) {
        print_error("%s is \"%s\",\n    not \"%s\"\n", a_text, a ? a : "(null)", b ? b : "(null)");
        _fail(file, line);
    }
}

static inline void check_near_(double a, double b, double rel, const char *a_text,
                               const char *b_text, const char *file, int line)
{
    if (!(fabs(a - b) <= rel * fabs(b))) {
        print_error("%s is %.9g, not within %g of %.9g (%s)\n", a_text, a, rel, b, b_text);
        _fail(file, line);
    }
}

/* Tells scripts/test.sh how many cases there were.  `result` is cmocka's: the number of failed
 * cases, or negative when it could not run them. */
static inline int check_tally_(const char *name, int total, int result)
{
    int failed = result < 0 ? total : result;
    const char *path = getenv("HEDDLE_TEST_TALLY");
    const char *test = getenv("HEDDLE_TEST_NAME");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (f) {
        fprintf(f, "%s %d %d\n", test ? test : name, total - failed, failed);
        fclose(f);
    }
    return failed != 0;
}

#endif
