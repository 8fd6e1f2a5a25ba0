/* gen_ops.c - the operations of both/ that are called by name: result and operand types. */
#include <stddef.h>

#include "gen_priv.h"

/* clang-format off */
#define OP1(name, R, A) {#name, R, 1, {A, A, A}},
#define OP2(name, R, A, B) {#name, R, 2, {A, B, B}},
#define OP3(name, R, A, B, C) {#name, R, 3, {A, B, C}},

#define INT_OPS(T, t)                                                                              \
    OP2(op_div_##t, T, T, T) OP2(op_mod_##t, T, T, T) OP2(op_min_##t, T, T, T)                     \
    OP2(op_max_##t, T, T, T) OP1(op_abs_##t, T, T) OP2(op_rotate_##t, T, T, U32)                   \
    OP2(op_adds_##t, T, T, T) OP2(op_subs_##t, T, T, T) OP2(op_field_##t, T, T, U32)               \
    OP1(op_##t##_of_f32, T, F32) OP1(op_##t##_of_f64, T, F64)

#define CVT_INT(T, t)                                                                              \
    OP1(op_##t##_rni_f32, T, F32) OP1(op_##t##_rni_f64, T, F64)                                    \
    OP1(op_##t##_rzi_f32, T, F32) OP1(op_##t##_rzi_f64, T, F64)                                    \
    OP1(op_##t##_rmi_f32, T, F32) OP1(op_##t##_rmi_f64, T, F64)                                    \
    OP1(op_##t##_rpi_f32, T, F32) OP1(op_##t##_rpi_f64, T, F64)

#define FLOAT_OPS(T, t)                                                                            \
    OP1(op_fabs_##t, T, T) OP1(op_sqrt_##t, T, T) OP3(op_fma_##t, T, T, T, T)                      \
    OP3(op_fma_##t, T, T, T, T) OP1(op_floor_##t, T, T) OP1(op_ceil_##t, T, T)                     \
    OP1(op_trunc_##t, T, T) OP1(op_rint_##t, T, T) OP2(op_less_##t, T, T, T)                       \
    OP2(op_more_##t, T, T, T) OP2(op_min_##t, T, T, T) OP2(op_max_##t, T, T, T)                    \
    OP2(op_copysign_##t, T, T, T) OP1(op_tame_##t, T, T) OP1(op_tame_##t, T, T)                    \
    OP1(op_tame_##t, T, T)

#define ROUNDED(mode, T, t)                                                                        \
    OP2(op_add_##mode##_##t, T, T, T) OP2(op_sub_##mode##_##t, T, T, T)                            \
    OP2(op_mul_##mode##_##t, T, T, T) OP2(op_div_##mode##_##t, T, T, T)                            \
    OP3(op_fma_##mode##_##t, T, T, T, T) OP1(op_sqrt_##mode##_##t, T, T)                           \
    OP1(op_rcp_##mode##_##t, T, T) OP1(op_##t##_##mode##_i64, T, I64)                              \
    OP1(op_##t##_##mode##_u64, T, U64)
#define ROUNDED_TYPES(mode)                                                                        \
    ROUNDED(mode, F32, f32) ROUNDED(mode, F64, f64) OP1(op_f32_##mode##_f64, F32, F64)             \
    OP1(op_f32_##mode##_i32, F32, I32) OP1(op_f32_##mode##_u32, F32, U32)

static const struct gen_op ops[] = {
    INT_OPS(I8, i8) INT_OPS(U8, u8) INT_OPS(I16, i16) INT_OPS(U16, u16)
    INT_OPS(I32, i32) INT_OPS(U32, u32) INT_OPS(I64, i64) INT_OPS(U64, u64)
    CVT_INT(I16, i16) CVT_INT(U16, u16) CVT_INT(I32, i32) CVT_INT(U32, u32)
    CVT_INT(I64, i64) CVT_INT(U64, u64)
    FLOAT_OPS(F32, f32) FLOAT_OPS(F64, f64)
    ROUNDED_TYPES(rz) ROUNDED_TYPES(rm) ROUNDED_TYPES(rp)

    OP1(op_popc_u32, I32, U32) OP1(op_popc_u64, I32, U64)
    OP1(op_clz_u32, I32, U32) OP1(op_clz_u64, I32, U64)
    OP1(op_ctz_u32, I32, U32) OP1(op_ctz_u64, I32, U64) OP1(op_ffs_u64, I32, U64)
    OP1(op_bswap_u16, U16, U16) OP1(op_bswap_u32, U32, U32) OP1(op_bswap_u64, U64, U64)
    OP1(op_brev_u8, U8, U8) OP1(op_brev_u32, U32, U32) OP1(op_brev_u64, U64, U64)
    OP2(op_mulhi_u32, U32, U32, U32) OP2(op_mulhi_i32, I32, I32, I32)
    OP2(op_mulhi_u64, U64, U64, U64) OP2(op_mulhi_i64, I64, I64, I64)
    OP2(op_mulhi_i16, I16, I16, I16)
    OP2(op_wide_i32, I64, I32, I32) OP2(op_wide_u32, U64, U32, U32) OP2(op_wide_i16, I32, I16, I16)
    OP3(op_carry, U64, U64, U64, U64) OP3(op_borrow, U64, U64, U64, U64)
    OP3(op_funnel, U64, U64, U64, U32) OP3(op_funnel32, U32, U32, U32, U32)
    OP1(op_f32_from_bits, F32, U32) OP1(op_f64_from_bits, F64, U64)
    OP1(op_bits_f32, U32, F32) OP1(op_bits_f64, U64, F64)

    OP3(op_prmt, U32, U32, U32, U32) OP3(op_lop3_1b, U32, U32, U32, U32)
    OP3(op_lop3_96, U32, U32, U32, U32) OP3(op_lop3_e8, U32, U32, U32, U32)
    OP3(op_bfe_u32, U32, U32, U32, U32) OP3(op_bfe_i32, I32, I32, U32, U32)
    OP3(op_bfe_u64, U64, U64, U32, U32) OP3(op_bfe_i64, I64, I64, U32, U32)
    OP3(op_bfi_u32, U32, U32, U32, U32) OP3(op_bfi_u64, U64, U64, U64, U32)
    OP3(op_sad_u32, U32, U32, U32, U32) OP3(op_sad_i32, I32, I32, I32, I32)
    OP3(op_mad24_i32, I32, I32, I32, I32) OP3(op_mad24hi_u32, U32, U32, U32, U32)
    OP3(op_madhi_u32, U32, U32, U32, U32) OP3(op_madhi_i32, I32, I32, I32, I32)
    OP3(op_madwide_i32, I64, I32, I32, I64) OP3(op_madwide_u16, U32, U16, U16, U32)
    OP3(op_shf_l_wrap, U32, U32, U32, U32) OP3(op_shf_l_clamp, U32, U32, U32, U32)
    OP3(op_shf_r_wrap, U32, U32, U32, U32) OP3(op_shf_r_clamp, U32, U32, U32, U32)
    OP3(op_dp4a_i32, I32, I32, I32, I32) OP3(op_dp4a_u32, U32, U32, U32, U32)
    OP3(op_slct_i32, I32, I32, I32, I32) OP3(op_slct_f32, U32, U32, U32, F32)
    OP2(op_adds32, I32, I32, I32) OP2(op_subs32, I32, I32, I32)
    OP2(op_shl_any32, U32, U32, U32) OP2(op_shl_any64, U64, U64, U32)
    OP2(op_shr_any_u32, U32, U32, U32) OP2(op_shr_any_i32, I32, I32, U32)
    OP2(op_shr_any_u64, U64, U64, U32) OP2(op_shr_any_i64, I64, I64, U32)
    OP2(op_shr_any_i16, I16, I16, U32)
    OP1(op_bfind_u32, U32, U32) OP1(op_bfind_i32, U32, I32)
    OP1(op_bfind_shift_u64, U32, U64) OP1(op_bfind_i64, U32, I64)
    OP2(op_set_lt_u32_f32, U32, F32, F32) OP2(op_set_geu_f32_f64, F32, F64, F64)
    OP2(op_set_ne_f32_i32, F32, I32, I32)
    OP3(op_addc, U32, U32, U32, U32) OP3(op_subc, U32, U32, U32, U32)
    OP1(op_sat_u8_i32, U8, I32) OP1(op_sat_i8_i32, I8, I32)
    OP1(op_sat_u16_i32, U16, I32) OP1(op_sat_i16_i32, I16, I32)
    OP1(op_sat_i32_i64, I32, I64) OP1(op_sat_u32_i64, U32, I64) OP1(op_sat_i32_u32, I32, U32)
    OP1(op_sat_u32_i32, U32, I32) OP1(op_sat_i32_u64, I32, U64)
    OP2(op_add_ftz, F32, F32, F32) OP2(op_mul_ftz, F32, F32, F32)
    OP2(op_add_sat, F32, F32, F32) OP3(op_fma_sat, F32, F32, F32, F32)
};
/* clang-format on */

const struct gen_op *gen_op(struct gen *g, enum type result)
{
    enum { NOPS = sizeof ops / sizeof ops[0] };
    uint32_t matching = 0;
    for (size_t k = 0; k < NOPS; k++)
        matching += ops[k].result == result;
    uint32_t chosen = gen_below(g, matching);
    for (size_t k = 0; k < NOPS; k++) {
        if (ops[k].result == result && chosen-- == 0)
            return &ops[k];
    }
    return NULL;
}
