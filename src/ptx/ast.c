/* ast.c - what types and literals of PTX are in bytes. */
#include "ptx/ast.h"

#include <string.h>

uint32_t ast_type_bytes(enum ast_type t)
{
    static const uint8_t bytes[] = {
        [TYPE_NONE] = 1,   [TYPE_PRED] = 1,  [TYPE_B8] = 1,  [TYPE_B16] = 2, [TYPE_B32] = 4,
        [TYPE_B64] = 8,    [TYPE_B128] = 16, [TYPE_U8] = 1,  [TYPE_U16] = 2, [TYPE_U32] = 4,
        [TYPE_U64] = 8,    [TYPE_S8] = 1,    [TYPE_S16] = 2, [TYPE_S32] = 4, [TYPE_S64] = 8,
        [TYPE_F16] = 2,    [TYPE_F16X2] = 4, [TYPE_F32] = 4, [TYPE_F64] = 8, [TYPE_BF16] = 2,
        [TYPE_BF16X2] = 4,
    };
    return bytes[t];
}

uint64_t ast_f64_as_f32(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, 8);
    float f = (float)d;
    uint32_t narrow;
    memcpy(&narrow, &f, 4);
    return narrow;
}

uint64_t ast_f32_as_f64(uint64_t bits)
{
    uint32_t narrow = (uint32_t)bits;
    float f;
    memcpy(&f, &narrow, 4);
    double d = (double)f;
    uint64_t wide;
    memcpy(&wide, &d, 8);
    return wide;
}
