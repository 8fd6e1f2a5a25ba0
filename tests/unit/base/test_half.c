/* 16-bit floating-point formats. */
#include "base/half.h"
#include "check.h"

static void every_f16_survives_the_way_to_f32_and_back(void)
{
    for (uint32_t h = 0; h < 0x10000; h++) {
        bool is_nan = (h & 0x7c00) == 0x7c00 && (h & 0x3ff);
        CHECK_EQ(half_from_float(half_to_float((uint16_t)h)), is_nan ? 0x7fff : h);
    }
}

static void f16_values_are_what_the_format_says(void)
{
    CHECK(half_to_float(0x3c00) == 1.0f);
    CHECK(half_to_float(0xc000) == -2.0f);
    CHECK(half_to_float(0x7bff) == 65504.0f);
    CHECK(half_to_float(0x0001) == 0x1p-24f);
    CHECK(half_to_float(0x03ff) == 1023 * 0x1p-24f);
    CHECK(half_to_float(0x0400) == 0x1p-14f);
    CHECK_EQ(half_bits32(half_to_float(0x8000)), 0x80000000);
    CHECK_EQ(half_bits32(half_to_float(0xfc00)), 0xff800000);
}

static void rounding_is_to_nearest_even(void)
{
    CHECK_EQ(half_from_float(1.0f + 0x1p-11f), 0x3c00); /* a tie */
    CHECK_EQ(half_from_float(1.0f + 0x1p-11f + 0x1p-20f), 0x3c01);
    CHECK_EQ(half_from_float(1.0f + 3 * 0x1p-11f), 0x3c02); /* a tie */
    CHECK_EQ(half_from_float(65519.99f), 0x7bff);
    CHECK_EQ(half_from_float(65520.0f), 0x7c00);
    CHECK_EQ(half_from_float(0x1p-25f), 0); /* a tie with zero */
    CHECK_EQ(half_from_float(0x1.000002p-25f), 1);
    CHECK_EQ(half_from_float(-0x1.8p-24f), 0x8002);
    CHECK_EQ(half_from_float(0x1.ffep-15f), 0x0400); /* up into the normal numbers */
    CHECK_EQ(half_from_float(1e30f), 0x7c00);
}

static void bf16_is_the_upper_half_of_f32_rounded(void)
{
    for (uint32_t b = 0; b < 0x10000; b++) {
        bool is_nan = (b & 0x7f80) == 0x7f80 && (b & 0x7f);
        CHECK_EQ(half_brain_from_float(half_brain_to_float((uint16_t)b)), is_nan ? 0x7fff : b);
    }
    CHECK_EQ(half_brain_from_float(half_from_bits32(0x3f808000)), 0x3f80); /* ties */
    CHECK_EQ(half_brain_from_float(half_from_bits32(0x3f818000)), 0x3f82);
    CHECK_EQ(half_brain_from_float(half_from_bits32(0x7f7fffff)), 0x7f80);
}

CHECK_MAIN("half", TEST(every_f16_survives_the_way_to_f32_and_back),
           TEST(f16_values_are_what_the_format_says), TEST(rounding_is_to_nearest_even),
           TEST(bf16_is_the_upper_half_of_f32_rounded))
