#include "check.h"

#include "search/search.h"

static void methods_are_found_by_name(void)
{
    for (int i = 0; i < search_method_count; i++)
        CHECK(search_method_find(search_method_all[i]->name) == search_method_all[i]);
    CHECK(search_method_find("nsga3") == NULL);
}

static void every_method_is_complete_and_its_name_its_own(void)
{
    CHECK_EQ(search_method_count, 6);
    for (int i = 0; i < search_method_count; i++) {
        CHECK(search_method_all[i]->help[0] != 0 && search_method_all[i]->run != NULL);
        for (int k = 0; k < i; k++)
            CHECK(strcmp(search_method_all[k]->name, search_method_all[i]->name) != 0);
    }
}

static void sections_are_those_of_the_methods(void)
{
    const struct cfg_section *all[16];
    struct arena *a = arena_new();
    struct err e = {0};
    const int n = search_sections(all, 16);
    CHECK_EQ(n, 6);
    struct config *c = config_new(a, all, n);
    CHECK(config_set(c, "nsga2.population=7", &e) && config_set(c, "sampling.points=9", &e));
    CHECK(!config_set(c, "factorial.resolution=6", &e));
    arena_free(a);
}

CHECK_MAIN("method", TEST(methods_are_found_by_name),
           TEST(every_method_is_complete_and_its_name_its_own),
           TEST(sections_are_those_of_the_methods))
