#include "check.h"
#include "rig/policy_rig.h"

static void every_policy_is_found_by_its_name_and_says_what_it_is(void)
{
    CHECK(cache_policy_count >= 7);
    CHECK(strcmp(cache_policy_all[0]->name, "lru") == 0);
    for (int i = 0; i < cache_policy_count; i++) {
        const struct cache_policy *p = cache_policy_all[i];
        CHECK(cache_policy_find(p->name) == p);
        CHECK(p->help[0] != '\0');
        CHECK(!p->check || p->section);
    }
    CHECK(cache_policy_find("nothing") == NULL);
}

static void sections_are_those_of_the_policies(void)
{
    const struct cfg_section *all[16];
    int n = cache_policy_sections(all, 16), expected = 0;
    for (int i = 0; i < cache_policy_count; i++)
        expected += cache_policy_all[i]->section != NULL;
    CHECK_EQ(n, expected);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            CHECK(strcmp(all[i]->name, all[k]->name) != 0);
}

#define TOY_ROWS(F, id) F(id, STR, replacement, "lru", 0, 0, "", "policy")
CFG_STRUCT(toy, TOY_ROWS)
extern const struct cfg_section toy_section;
CFG_SECTION(toy, TOY_ROWS, "a cache")

static void an_unknown_policy_is_blamed_with_its_line_and_the_nearest(void)
{
    struct arena *a = arena_new();
    const struct cfg_section *all[16] = {&toy_section};
    struct config *cfg = config_new(a, all, 1 + cache_policy_sections(all + 1, 15));
    struct err e = {0};
    const char text[] = "# a machine\ntoy:\n  replacement: srip\n";
    CHECK(config_load_text(cfg, "m.yaml", text, strlen(text), &e));
    const struct toy_spec *s = config_get(cfg, &toy_section);
    CHECK(!cache_policy_check(cfg, &toy_section, s->replacement, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, "m.yaml:3: toy.replacement: no cache policy \"srip\"; did you mean srrip?");
    arena_free(a);
}

CHECK_MAIN("policy", TEST(every_policy_is_found_by_its_name_and_says_what_it_is),
           TEST(sections_are_those_of_the_policies),
           TEST(an_unknown_policy_is_blamed_with_its_line_and_the_nearest))
