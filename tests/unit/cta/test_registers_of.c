/* sm.registers_of: which kernels it names, and what it refuses. */
#include "check.h"
#include "cta/registers_of.h"

static uint32_t count(const char *list, const char *kernel)
{
    uint32_t n = 0;
    return registers_of(list, kernel, &n) ? n : 0;
}

static void kernels_go_by_their_own_or_their_plain_name(void)
{
    CHECK_EQ(count("saxpy=12", "saxpy"), 12);
    CHECK_EQ(count("saxpy=12", "_Z5saxpyifPKfPf"), 12);
    CHECK_EQ(count("_Z5saxpyifPKfPf=12", "_Z5saxpyifPKfPf"), 12);
    CHECK_EQ(count("saxpy=12", "saxpy2"), 0);
    CHECK_EQ(count("saxpy2=12", "saxpy"), 0);
    CHECK_EQ(count("saxpy=12", "_Z6saxpy2v"), 0);
    CHECK_EQ(count("", "saxpy"), 0);
}

static void there_may_be_several_and_the_last_counts(void)
{
    int length = 0;
    CHECK_EQ(count("a=1, b=22 , c=3", "b"), 22);
    CHECK_EQ(count("a=1,b=22,c=3", "c"), 3);
    CHECK_EQ(count("a=1,a=2", "a"), 2);
    CHECK(strncmp(registers_of_name("a=1, bc=2", 1, &length), "bc=", 3) == 0);
    CHECK_EQ(length, 2);
    CHECK(registers_of_name("a=1, bc=2", 2, &length) == NULL);
    CHECK(registers_of_name("", 0, &length) == NULL);
}

static void what_makes_no_sense_is_refused(void)
{
    static const char *const bad[] = {"a",    "a=",    "a=x",   "a=1x", "=1",   "a=0",
                                      "a=-1", "a=256", "a=1,b", ",",    "a=1 2"};
    struct err e = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        e = (struct err){0};
        CHECK(!registers_of_check(bad[i], &e));
        CHECK_EQ(e.status, STATUS_BAD_INPUT);
        CHECK(strchr(e.text, '\n') == NULL);
    }
    CHECK(registers_of_check("", &e) && registers_of_check("a=1", &e));
    CHECK(registers_of_check("a=1, b=255", &e));
}

static void a_comma_too_many_is_refused_as_such(void)
{
    static const char *const bad[] = {",", "a=1,", "a=1, ", ",a=1", "a=1,,b=2", "a=1, ,b=2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct err e = {0};
        CHECK(!registers_of_check(bad[i], &e));
        CHECK_STR(e.text, "an empty entry: a comma too many");
    }
    struct err e = {0};
    CHECK(registers_of_check(" ", &e));
}

CHECK_MAIN("registers_of", TEST(kernels_go_by_their_own_or_their_plain_name),
           TEST(there_may_be_several_and_the_last_counts), TEST(what_makes_no_sense_is_refused),
           TEST(a_comma_too_many_is_refused_as_such))
