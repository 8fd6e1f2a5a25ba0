/* Texture coordinates to texels and weights, by hand. */
#include "base/half.h"
#include "check.h"
#include "dev/sample.h"

#define BASE ((uint64_t)0x1000000000)

/* A row of n floats: texel k at BASE + 4k. */
static struct texture row(uint32_t n, enum texture_address mode, enum texture_filter filter,
                          bool is_normalized)
{
    return (struct texture){.address = BASE,
                            .width = n,
                            .pitch_bytes = 4 * n,
                            .channels = 1,
                            .bits = 32,
                            .format = TEX_FLOAT,
                            .addressing = {(uint8_t)mode, (uint8_t)mode, (uint8_t)mode},
                            .filter = (uint8_t)filter,
                            .is_normalized_coords = is_normalized};
}

enum { OUT = -1 };

/* Index of the only texel; OUT when there is none. */
static int point_at(const struct texture *t, float x)
{
    struct sample_texels s;
    sample_footprint(t, &(struct sample_point){.f = {x}}, false, &s);
    CHECK_EQ(s.n, 1);
    return s.address[0] ? (int)((s.address[0] - BASE) / 4) : OUT;
}

static void point_sampling_takes_the_texel_that_holds_the_coordinate(void)
{
    static const struct {
        enum texture_address mode;
        bool is_normalized;
        float x;
        int texel;
    } cases[] = {
        {TEX_CLAMP, false, 0.0f, 0},       {TEX_CLAMP, false, 2.99f, 2},
        {TEX_CLAMP, false, -5.0f, 0},      {TEX_CLAMP, false, 100.0f, 3},
        {TEX_BORDER, false, 3.5f, 3},      {TEX_BORDER, false, 4.0f, OUT},
        {TEX_BORDER, false, -0.1f, OUT},   {TEX_WRAP, false, 5.0f, 3}, /* clamps: not normalised */
        {TEX_MIRROR, false, 5.0f, 3},      {TEX_CLAMP, true, 0.25f, 1},
        {TEX_CLAMP, true, 1.5f, 3},        {TEX_WRAP, true, 1.25f, 1},
        {TEX_WRAP, true, -0.25f, 3},       {TEX_WRAP, true, 1000000.5f, 2},
        {TEX_WRAP, true, -1e-9f, 0}, /* the fraction rounds to 1, which is 0 again */
        {TEX_MIRROR, true, 1.25f, 2},      {TEX_MIRROR, true, 1.99f, 0},
        {TEX_MIRROR, true, 2.25f, 1},      {TEX_MIRROR, true, -0.1f, 0},
        {TEX_MIRROR, true, -0.3f, 1},      {TEX_BORDER, true, 1.0f, OUT},
        {TEX_CLAMP, false, -1e30f, 0},     {TEX_CLAMP, false, 1e30f, 3},
        {TEX_CLAMP, false, (float)NAN, 0}, {TEX_WRAP, true, (float)INFINITY, -2},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct texture t = row(4, cases[c].mode, TEX_POINT, cases[c].is_normalized);
        int texel = point_at(&t, cases[c].x);
        if (cases[c].texel == -2) /* some texel of the texture */
            CHECK(texel >= 0 && texel < 4);
        else
            CHECK_EQ(texel, cases[c].texel);
    }
}

static void check_linear(const struct texture *t, float x, int a, int b, float alpha)
{
    struct sample_texels s;
    sample_footprint(t, &(struct sample_point){.f = {x}}, false, &s);
    CHECK_EQ(s.n, 2);
    CHECK_EQ(s.address[0] ? (int)((s.address[0] - BASE) / 4) : OUT, a);
    CHECK_EQ(s.address[1] ? (int)((s.address[1] - BASE) / 4) : OUT, b);
    CHECK(s.weight[1] == alpha);
    CHECK(s.weight[0] == 1.0f - alpha);
}

static void linear_filtering_weighs_neighbours_in_256ths(void)
{
    struct texture t = row(4, TEX_CLAMP, TEX_LINEAR, false);
    check_linear(&t, 1.5f, 1, 2, 0.0f);
    check_linear(&t, 1.0f, 0, 1, 0.5f);
    check_linear(&t, 1.6f, 1, 2, 26 / 256.0f); /* 0.1 is 25.6 */
    check_linear(&t, 2.4999f, 1, 2, 1.0f);     /* 1.0 can be represented */
    check_linear(&t, 0.0f, 0, 0, 0.5f);
    check_linear(&t, 9.0f, 3, 3, 0.5f);
    t = row(4, TEX_BORDER, TEX_LINEAR, false);
    check_linear(&t, 0.25f, OUT, 0, 0.75f);
    check_linear(&t, 4.0f, 3, OUT, 0.5f);
    t = row(4, TEX_WRAP, TEX_LINEAR, true);
    check_linear(&t, 0.0f, 3, 0, 0.5f);
    check_linear(&t, 1.0625f, 3, 0, 0.75f);
    t = row(4, TEX_MIRROR, TEX_LINEAR, true);
    check_linear(&t, 0.0f, 0, 0, 0.5f);
    check_linear(&t, 1.0f, 3, 3, 0.5f);
    check_linear(&t, 1.125f, 3, 3 - 1, 0.0f);
}

static void two_and_three_dimensions_multiply(void)
{
    struct texture t = row(8, TEX_CLAMP, TEX_LINEAR, false);
    struct sample_texels s;
    t.height = 4;
    t.pitch_bytes = 64; /* rows are apart */
    struct sample_point p = {.shape = SAMPLE_2D, .f = {2.75f, 1.0f}};
    sample_footprint(&t, &p, false, &s);
    CHECK_EQ(s.n, 4);
    static const uint64_t offset[4] = {8, 12, 64 + 8, 64 + 12};
    static const float weight[4] = {0.375f, 0.125f, 0.375f, 0.125f};
    for (int k = 0; k < 4; k++) {
        CHECK_EQ(s.address[k], BASE + offset[k]);
        CHECK(s.weight[k] == weight[k]);
    }
    t.depth = 3;
    p = (struct sample_point){.shape = SAMPLE_3D, .f = {2.75f, 1.0f, 2.0f}};
    sample_footprint(&t, &p, false, &s);
    CHECK_EQ(s.n, 8);
    for (int k = 0; k < 8; k++) {
        CHECK_EQ(s.address[k], BASE + offset[k % 4] + (k < 4 ? 256 : 512));
        CHECK(s.weight[k] == weight[k % 4] * 0.5f);
    }
}

static void layers_are_slices_and_clamped(void)
{
    struct texture t = row(8, TEX_CLAMP, TEX_POINT, false);
    struct sample_texels s;
    t.height = 4;
    t.layers = 3;
    struct sample_point p = {.shape = SAMPLE_2D, .is_layered = true, .layer = 1, .f = {1, 2}};
    sample_footprint(&t, &p, false, &s);
    CHECK_EQ(s.address[0], BASE + (1 * 4 + 2) * 32 + 4);
    p.layer = 77;
    sample_footprint(&t, &p, false, &s);
    CHECK_EQ(s.address[0], BASE + (2 * 4 + 2) * 32 + 4);
    t.height = 0;
    p = (struct sample_point){.is_layered = true, .layer = 2, .f = {3}};
    sample_footprint(&t, &p, false, &s);
    CHECK_EQ(s.address[0], BASE + 2 * 32 + 12);
}

static void a_direction_meets_the_face_of_its_largest_coordinate(void)
{
    struct texture t = row(4, TEX_CLAMP, TEX_POINT, true);
    t.height = 4;
    t.layers = 12;
    static const struct {
        float direction[3];
        int face, x, y; /* of four by four texels */
    } cases[] = {
        {{1, 0.1f, 0.6f}, 0, 0, 1},  {{-1, 0.1f, 0.6f}, 1, 3, 1}, {{0.6f, 1, 0.1f}, 2, 3, 2},
        {{0.6f, -1, 0.1f}, 3, 3, 1}, {{0.6f, 0.1f, 1}, 4, 3, 1},  {{0.6f, 0.1f, -1}, 5, 0, 1},
        {{2, 0.2f, 1.2f}, 0, 0, 1}, /* the length does not matter */
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (uint32_t cube = 0; cube < 2; cube++) {
            struct sample_point p = {.shape = SAMPLE_CUBE, .is_layered = cube > 0, .layer = cube};
            struct sample_texels s;
            memcpy(p.f, cases[c].direction, sizeof p.f);
            sample_footprint(&t, &p, false, &s);
            uint64_t slice = 6 * cube + (uint64_t)cases[c].face;
            CHECK_EQ(s.address[0],
                     BASE + (slice * 4 + (uint64_t)cases[c].y) * 16 + 4 * (uint64_t)cases[c].x);
        }
    struct sample_point nowhere = {.shape = SAMPLE_CUBE, .f = {0, 0, 0}};
    struct sample_texels s;
    sample_footprint(&t, &nowhere, false, &s);
    CHECK(s.address[0] >= BASE && s.address[0] < BASE + 12 * 64);
}

static void integer_coordinates_name_texels(void)
{
    struct texture t = row(100, TEX_CLAMP, TEX_POINT, false);
    struct sample_texels s;
    struct sample_point p = {.is_integer = true, .s = {42}};
    sample_footprint(&t, &p, false, &s);
    CHECK_EQ(s.address[0], BASE + 42 * 4);
    p.s[0] = 1000;
    sample_footprint(&t, &p, false, &s);
    CHECK_EQ(s.address[0], BASE + 99 * 4);
    t.is_linear_memory = true;
    sample_footprint(&t, &p, false, &s);
    CHECK_EQ(s.address[0], 0);
    p.s[0] = -1;
    sample_footprint(&t, &p, false, &s);
    CHECK_EQ(s.address[0], 0);
}

static void check_decode(struct texture t, const void *memory, const uint32_t expected[4])
{
    uint32_t channel[4];
    sample_decode(&t, memory, channel);
    for (int c = 0; c < 4; c++)
        CHECK_EQ(channel[c], expected[c]);
}

#define BITS(f) half_bits32(f)

static void texels_arrive_as_the_format_says(void)
{
    static const uint8_t bytes[16] = {0x00, 0xff, 0x80, 0x7f, 0x01, 0x80, 0xff, 0x7f};
    struct texture t = {.channels = 4, .bits = 8, .format = TEX_UNSIGNED};
    check_decode(t, bytes, (uint32_t[]){0, 255, 128, 127});
    t.reads_normalized_float = true;
    check_decode(t, bytes, (uint32_t[]){0, BITS(1.0f), BITS(128 / 255.0f), BITS(127 / 255.0f)});
    t.format = TEX_SIGNED;
    check_decode(t, bytes, (uint32_t[]){0, BITS(-1 / 127.0f), BITS(-1.0f), BITS(1.0f)});
    t.reads_normalized_float = false;
    check_decode(t, bytes, (uint32_t[]){0, 0xffffffff, 0xffffff80, 127});
    t = (struct texture){.channels = 2, .bits = 16, .format = TEX_SIGNED};
    check_decode(t, bytes + 4, (uint32_t[]){0xffff8001, 0x7fff, 0, 1});
    t.reads_normalized_float = true;
    check_decode(t, bytes + 4, (uint32_t[]){BITS(-1.0f), BITS(1.0f), 0, BITS(1.0f)});
    t.format = TEX_UNSIGNED;
    check_decode(t, bytes + 2,
                 (uint32_t[]){BITS(0x7f80 / 65535.0f), BITS(0x8001 / 65535.0f), 0, BITS(1.0f)});
    static const uint16_t half = 0x3e00;
    t = (struct texture){.channels = 1, .bits = 16, .format = TEX_FLOAT};
    check_decode(t, (const uint8_t *)&half, (uint32_t[]){BITS(1.5f), 0, 0, BITS(1.0f)});
    static const float f = -3.25f;
    t.bits = 32;
    check_decode(t, (const uint8_t *)&f, (uint32_t[]){BITS(-3.25f), 0, 0, BITS(1.0f)});
    t.border[0] = 7.5f;
    check_decode(t, NULL, (uint32_t[]){BITS(7.5f), 0, 0, BITS(1.0f)});
    t.format = TEX_UNSIGNED;
    check_decode(t, NULL, (uint32_t[]){7, 0, 0, 1});
    t.is_linear_memory = true;
    check_decode(t, NULL, (uint32_t[]){0, 0, 0, 1});
}

CHECK_MAIN("sample", TEST(point_sampling_takes_the_texel_that_holds_the_coordinate),
           TEST(linear_filtering_weighs_neighbours_in_256ths),
           TEST(two_and_three_dimensions_multiply), TEST(layers_are_slices_and_clamped),
           TEST(a_direction_meets_the_face_of_its_largest_coordinate),
           TEST(integer_coordinates_name_texels), TEST(texels_arrive_as_the_format_says))
