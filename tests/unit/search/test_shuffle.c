#include "check.h"

#include "search/shuffle.h"

static struct search_axis axes[SEARCH_MOST_AXES];

static struct search_space space_of(const uint32_t *levels, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        axes[i] = (struct search_axis){.levels = levels[i]};
    return (struct search_space){.naxes = n, .axes = axes};
}

static uint32_t number_of(const struct search_space *s, const uint16_t *levels)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->naxes; i++) {
        CHECK(levels[i] < s->axes[i].levels);
        n = n * s->axes[i].levels + levels[i];
    }
    return n;
}

static void every_point_has_one_place(void)
{
    static const uint32_t spaces[][3] = {{1, 1, 1}, {2, 1, 1}, {3, 1, 1},   {5, 1, 1}, {4, 4, 1},
                                         {3, 5, 7}, {2, 2, 2}, {16, 16, 1}, {9, 8, 7}, {1, 17, 30}};
    for (uint32_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        for (uint64_t key = 0; key < 20; key++) {
            const struct search_space s = space_of(spaces[i], 3);
            struct shuffle f;
            bool seen[600] = {0};
            shuffle_init(&f, &s, key);
            CHECK_EQ(f.size, spaces[i][0] * spaces[i][1] * spaces[i][2]);
            for (uint64_t k = 0; k < f.size; k++) {
                uint16_t levels[3];
                shuffle_at(&f, k, levels);
                CHECK(!seen[number_of(&s, levels)]);
                seen[number_of(&s, levels)] = true;
            }
        }
}

static void every_point_is_as_often_at_a_place_as_any_other(void)
{
    enum { POINTS = 12, KEYS = 12000 };
    static const uint32_t levels[] = {3, 4};
    const struct search_space s = space_of(levels, 2);
    uint32_t at[POINTS][POINTS] = {0};
    for (uint64_t key = 0; key < KEYS; key++) {
        struct shuffle f;
        uint16_t point[2];
        shuffle_init(&f, &s, key * 0x9e3779b97f4a7c15u);
        for (uint32_t k = 0; k < POINTS; k++) {
            shuffle_at(&f, k, point);
            at[k][number_of(&s, point)]++;
        }
    }
    for (int k = 0; k < POINTS; k++) /* 1000 are expected, with a deviation of 30 */
        for (int i = 0; i < POINTS; i++)
            CHECK(at[k][i] > 850 && at[k][i] < 1150);
}

static void spaces_without_number_have_different_points_of_all_levels(void)
{
    enum { AXES = 64, PLACES = 300 };
    uint32_t levels[AXES];
    for (int i = 0; i < AXES; i++)
        levels[i] = 4096;
    const struct search_space s = space_of(levels, AXES);
    struct shuffle f;
    static uint16_t point[PLACES][AXES];
    shuffle_init(&f, &s, 5);
    CHECK_EQ(f.size, (uint64_t)1 << 60);
    uint32_t high[AXES] = {0};
    for (uint32_t k = 0; k < PLACES; k++) {
        shuffle_at(&f, k, point[k]);
        for (uint32_t j = 0; j < k; j++)
            CHECK(memcmp(point[j], point[k], sizeof point[k]) != 0);
        for (uint32_t i = 0; i < AXES; i++) {
            CHECK(point[k][i] < 4096);
            high[i] += point[k][i] >= 2048;
        }
    }
    for (uint32_t i = 0; i < AXES; i++) /* 150 are expected, with a deviation of 9 */
        CHECK(high[i] > 110 && high[i] < 190);
}

CHECK_MAIN("shuffle", TEST(every_point_has_one_place),
           TEST(every_point_is_as_often_at_a_place_as_any_other),
           TEST(spaces_without_number_have_different_points_of_all_levels))
