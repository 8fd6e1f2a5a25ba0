#include "cache/rrip.h"

#include "check.h"

static struct rrip made(struct arena *a, uint32_t bits)
{
    struct rrip r;
    rrip_init(&r, a, &(struct cache_shape){.sets = 2, .ways = 3}, bits);
    return r;
}

static void a_line_that_is_not_there_is_as_old_as_can_be(void)
{
    struct arena *a = arena_new();
    struct rrip r = made(a, 3);
    for (int i = 0; i < 6; i++)
        CHECK_EQ(r.rrpv[i], 7);
    rrip_fill(&r, 1, 4, 6); /* nobody grows older for it */
    CHECK_EQ(r.rrpv[4], 6);
    CHECK_EQ(r.rrpv[3] + r.rrpv[5], 14);
    arena_free(a);
}

static void the_first_of_the_oldest_leaves_and_the_others_age_by_what_it_lacked(void)
{
    struct arena *a = arena_new();
    struct rrip r = made(a, 2);
    struct tags_line line[3] = {{.state = TAG_VALID}, {.state = TAG_VALID}, {.state = TAG_VALID}};
    struct cache_set set = {.first = 3, .ways = 3, .line = line};
    memcpy(r.rrpv + 3, (uint8_t[]){0, 1, 1}, 3);
    CHECK_EQ(rrip_victim(&r, &set), 1);
    rrip_fill(&r, 1, 4, 2);
    CHECK_EQ(r.rrpv[3], 2);
    CHECK_EQ(r.rrpv[4], 2);
    CHECK_EQ(r.rrpv[5], 3);
    CHECK_EQ(r.rrpv[0], 3); /* the other set */
    line[2].state = TAG_RESERVED;
    CHECK_EQ(rrip_victim(&r, &set), 0);
    rrip_fill(&r, 1, 3, 2); /* what cannot leave is old already and no older */
    CHECK_EQ(r.rrpv[5], 3);
    CHECK_EQ(r.rrpv[4], 3);
    arena_free(a);
}

CHECK_MAIN("rrip", TEST(a_line_that_is_not_there_is_as_old_as_can_be),
           TEST(the_first_of_the_oldest_leaves_and_the_others_age_by_what_it_lacked))
