/* Sizes that make no sense are refused with the key's name. */
#include "l1/lsu.h"

#include "check.h"

static void check_refused(const char *set, const char *what)
{
    static const struct cfg_section *const sections[] = {&shared_section, &l1_section,
                                                         &constant_section, &texture_section};
    struct arena *a = arena_new();
    struct config *cfg = config_new(a, sections, 4);
    struct err e = {0};
    CHECK(lsu_check(cfg, &e));
    CHECK(config_set(cfg, set, &e));
    CHECK(!lsu_check(cfg, &e));
    CHECK(strstr(e.text, what) != NULL);
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    arena_free(a);
}

static void sizes_must_be_whole_sets(void)
{
    check_refused("l1.size=1000", "l1.size");
    check_refused("l1.ways=256", "l1.size");
    check_refused("texture.ways=5", "texture.size");
    check_refused("texture.size=12320", "texture.size");
    check_refused("constant.ways=3", "constant.size");
}

static void odd_banks_and_lines_are_refused(void)
{
    check_refused("shared.banks=24", "shared.banks");
    check_refused("constant.line=96", "constant.line");
    check_refused("texture.line=96", "texture.line");
}

static void a_set_is_not_chosen_by_hash_and_mask(void)
{
    check_refused("l1.masked=true", "l1.masked"); /* hashed unless told otherwise */
}

static void carveouts_are_refused_that_leave_no_whole_sets(void)
{
    check_refused("l1.carveouts=0,8K,8K", "l1.carveouts");
    check_refused("l1.carveouts=0,16K", "l1.carveouts"); /* the L1 of 16K would have nothing */
    check_refused("l1.carveouts=[0, 1000]", "not whole sets of 512");
}

static void a_store_does_not_take_a_line_that_it_would_evict(void)
{
    check_refused("l1.write_miss=allocate", "l1.write_hit is evict");
}

CHECK_MAIN("lsu_spec", TEST(a_set_is_not_chosen_by_hash_and_mask), TEST(sizes_must_be_whole_sets),
           TEST(odd_banks_and_lines_are_refused),
           TEST(carveouts_are_refused_that_leave_no_whole_sets),
           TEST(a_store_does_not_take_a_line_that_it_would_evict))
