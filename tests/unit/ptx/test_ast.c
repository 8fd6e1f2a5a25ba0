#include "check.h"
#include "ptx/ast.h"

static void every_type_has_its_size(void)
{
    CHECK_EQ(ast_type_bytes(TYPE_PRED), 1);
    CHECK_EQ(ast_type_bytes(TYPE_S8), 1);
    CHECK_EQ(ast_type_bytes(TYPE_BF16), 2);
    CHECK_EQ(ast_type_bytes(TYPE_F16X2), 4);
    CHECK_EQ(ast_type_bytes(TYPE_F64), 8);
    CHECK_EQ(ast_type_bytes(TYPE_B128), 16);
    for (int t = TYPE_NONE; t <= TYPE_BF16X2; t++)
        CHECK(ast_type_bytes((enum ast_type)t) > 0);
}

static void literals_change_their_width_by_value(void)
{
    CHECK_EQ(ast_f64_as_f32(0x3ff8000000000000), 0x3fc00000);
    CHECK_EQ(ast_f32_as_f64(0x3fc00000), 0x3ff8000000000000);
    CHECK_EQ(ast_f64_as_f32(0x3fb999999999999a), 0x3dcccccd); /* 0.1 */
}

CHECK_MAIN("ast", TEST(every_type_has_its_size), TEST(literals_change_their_width_by_value))
