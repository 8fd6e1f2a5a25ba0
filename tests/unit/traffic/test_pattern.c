#include "check.h"

#include "traffic/pattern.h"

static const struct pattern *find(const char *setting, struct err *e, struct arena *a)
{
    static const struct cfg_section *const sections[] = {&traffic_section};
    struct config *c = config_new(a, sections, 1);
    *e = (struct err){0};
    CHECK(!setting || config_set(c, setting, e));
    return pattern_find(c, e);
}

static void every_pattern_is_found_by_its_name(void)
{
    struct arena *a = arena_new();
    struct err e;
    for (int i = 0; i < pattern_count; i++)
        CHECK(find(arena_printf(a, "traffic.pattern=%s", pattern_all[i]->name), &e, a) ==
              pattern_all[i]);
    arena_free(a);
}

static void the_patterns_that_are_promised_exist(void)
{
    static const char *const names[] = {"uniform",     "transpose",   "bit_complement",
                                        "bit_reverse", "neighbour",   "hotspot",
                                        "many_to_few", "few_to_many", "request_reply"};
    struct arena *a = arena_new();
    struct err e;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK(find(arena_printf(a, "traffic.pattern=%s", names[i]), &e, a) != NULL);
    arena_free(a);
}

static void patterns_are_complete_and_have_different_names(void)
{
    for (int i = 0; i < pattern_count; i++) {
        CHECK(pattern_all[i]->sink != NULL);
        CHECK(strlen(pattern_all[i]->help) > 10);
        for (int k = 0; k < i; k++)
            CHECK(strcmp(pattern_all[i]->name, pattern_all[k]->name) != 0);
    }
}

static void uniform_is_the_default(void)
{
    struct arena *a = arena_new();
    struct err e;
    CHECK_STR(find(NULL, &e, a)->name, "uniform");
    arena_free(a);
}

static void an_unknown_name_is_refused_with_the_nearest_one(void)
{
    struct arena *a = arena_new();
    struct err e;
    CHECK_STR(find("traffic.pattern=bit-reverse", &e, a)->name, "bit_reverse");
    CHECK_STR(find("traffic.pattern=neighbor", &e, a)->name, "neighbour");
    CHECK(find("traffic.pattern=transpsoe", &e, a) == NULL);
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, "--set traffic.pattern=transpsoe: no pattern \"transpsoe\"; did you mean "
                      "transpose?");
    CHECK(find("traffic.pattern=qqqqqqqqq", &e, a) == NULL);
    CHECK_STR(e.text, "--set traffic.pattern=qqqqqqqqq: no pattern \"qqqqqqqqq\" (heddle list "
                      "traffic shows them)");
    arena_free(a);
}

CHECK_MAIN("pattern", TEST(every_pattern_is_found_by_its_name),
           TEST(the_patterns_that_are_promised_exist),
           TEST(patterns_are_complete_and_have_different_names), TEST(uniform_is_the_default),
           TEST(an_unknown_name_is_refused_with_the_nearest_one))
