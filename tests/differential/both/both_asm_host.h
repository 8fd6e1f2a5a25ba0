/* both_asm_host.h - what the instructions of both_asm_device.h compute, in C, after the text of
 * the PTX manual and as plainly as possible. */
#ifndef HEDDLE_TESTS_DIFFERENTIAL_BOTH_ASM_HOST_H
#define HEDDLE_TESTS_DIFFERENTIAL_BOTH_ASM_HOST_H

extern "C" int fesetround(int);

/* --- integers -------------------------------------------------------------------------------- */

FN u32 op_prmt(u32 a, u32 b, u32 select)
{
    u64 bytes = (u64)b << 32 | a;
    u32 result = 0;
    for (u32 k = 0; k < 4; k++) {
        u32 choice = select >> (4 * k) & 15;
        u32 byte = (u32)(bytes >> (8 * (choice & 7))) & 255;
        if (choice & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * k);
    }
    return result;
}

FN u32 both_lop3(u32 a, u32 b, u32 c, u32 table)
{
    u32 result = 0;
    for (u32 k = 0; k < 32; k++) {
        u32 row = (a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1);
        result |= (table >> row & 1) << k;
    }
    return result;
}
FN u32 op_lop3_1b(u32 a, u32 b, u32 c)
{
    return both_lop3(a, b, c, 0x1b);
}
FN u32 op_lop3_96(u32 a, u32 b, u32 c)
{
    return both_lop3(a, b, c, 0x96);
}
FN u32 op_lop3_e8(u32 a, u32 b, u32 c)
{
    return both_lop3(a, b, c, 0xe8);
}

/* bfe: position and length are bytes; beyond the top there is only sign. */
#define BFE(T, BITS)                                                                               \
    FN T op_bfe_##T(T a, u32 position, u32 length)                                                 \
    {                                                                                              \
        u32 at = position & 255, n = length & 255;                                                 \
        bool is_signed = (T)-1 < 0;                                                                \
        u32 top = at + n - 1 < BITS - 1 ? at + n - 1 : BITS - 1;                                   \
        bool sign = is_signed && n != 0 && (a >> top & 1);                                         \
        u64 result = 0;                                                                            \
        for (u32 k = 0; k < BITS; k++)                                                             \
            result |= (u64)(k < n && at + k < BITS ? (a >> (at + k) & 1) : sign) << k;             \
        return (T)result;                                                                          \
    }
BFE(u32, 32)
BFE(i32, 32)
BFE(u64, 64)
BFE(i64, 64)

#define BFI(T, BITS)                                                                               \
    FN T op_bfi_##T(T a, T b, u32 at)                                                              \
    {                                                                                              \
        u32 position = at & 255, length = at >> 8 & 255;                                           \
        for (u32 k = 0; k < length && position + k < BITS; k++) {                                  \
            b &= ~((T)1 << (position + k));                                                        \
            b |= (a >> k & 1) << (position + k);                                                   \
        }                                                                                          \
        return b;                                                                                  \
    }
BFI(u32, 32)
BFI(u64, 64)

FN u32 op_sad_u32(u32 a, u32 b, u32 c)
{
    return c + (a < b ? b - a : a - b);
}
FN i32 op_sad_i32(i32 a, i32 b, i32 c)
{
    return (i32)((u32)c + (a < b ? (u32)b - (u32)a : (u32)a - (u32)b));
}
FN i64 both_low24(i32 a)
{
    return (i32)((u32)a << 8) >> 8;
}
FN i32 op_mad24_i32(i32 a, i32 b, i32 c)
{
    return (i32)((u32)(both_low24(a) * both_low24(b)) + (u32)c);
}
FN u32 op_mad24hi_u32(u32 a, u32 b, u32 c)
{
    return (u32)((u64)(a & 0xffffff) * (b & 0xffffff) >> 16) + c;
}
FN u32 op_madhi_u32(u32 a, u32 b, u32 c)
{
    return (u32)((u64)a * b >> 32) + c;
}
FN i32 op_madhi_i32(i32 a, i32 b, i32 c)
{
    return (i32)((u32)((i64)a * b >> 32) + (u32)c);
}
FN i64 op_madwide_i32(i32 a, i32 b, i64 c)
{
    return (i64)((u64)((i64)a * b) + (u64)c);
}
FN u32 op_madwide_u16(u16 a, u16 b, u32 c)
{
    return (u32)a * b + c;
}
FN u32 both_shf_l(u32 a, u32 b, u32 n)
{
    return (u32)(((u64)b << 32 | a) << n >> 32);
}
FN u32 both_shf_r(u32 a, u32 b, u32 n)
{
    return (u32)(((u64)b << 32 | a) >> n);
}
FN u32 op_shf_l_wrap(u32 a, u32 b, u32 c)
{
    return both_shf_l(a, b, c & 31);
}
FN u32 op_shf_l_clamp(u32 a, u32 b, u32 c)
{
    return both_shf_l(a, b, c < 32 ? c : 32);
}
FN u32 op_shf_r_wrap(u32 a, u32 b, u32 c)
{
    return both_shf_r(a, b, c & 31);
}
FN u32 op_shf_r_clamp(u32 a, u32 b, u32 c)
{
    return both_shf_r(a, b, c < 32 ? c : 32);
}
FN i32 op_dp4a_i32(i32 a, i32 b, i32 c)
{
    i32 sum = 0;
    for (u32 k = 0; k < 4; k++)
        sum += (i8)(a >> (8 * k)) * (i8)(b >> (8 * k));
    return (i32)((u32)c + (u32)sum);
}
FN u32 op_dp4a_u32(u32 a, u32 b, u32 c)
{
    for (u32 k = 0; k < 4; k++)
        c += (a >> (8 * k) & 255) * (b >> (8 * k) & 255);
    return c;
}
FN i32 op_slct_i32(i32 a, i32 b, i32 c)
{
    return c >= 0 ? a : b;
}
FN u32 op_slct_f32(u32 a, u32 b, f32 c)
{
    return c >= 0.0f ? a : b;
}
FN i32 both_clamp(i64 x, i64 lo, i64 hi)
{
    return (i32)(x < lo ? lo : x > hi ? hi : x);
}
FN i32 op_adds32(i32 a, i32 b)
{
    return both_clamp((i64)a + b, -2147483648ll, 2147483647);
}
FN i32 op_subs32(i32 a, i32 b)
{
    return both_clamp((i64)a - b, -2147483648ll, 2147483647);
}
FN u32 op_shl_any32(u32 a, u32 n)
{
    return n < 32 ? a << n : 0;
}
FN u64 op_shl_any64(u64 a, u32 n)
{
    return n < 64 ? a << n : 0;
}
FN u32 op_shr_any_u32(u32 a, u32 n)
{
    return n < 32 ? a >> n : 0;
}
FN i32 op_shr_any_i32(i32 a, u32 n)
{
    return a >> (n < 31 ? n : 31);
}
FN u64 op_shr_any_u64(u64 a, u32 n)
{
    return n < 64 ? a >> n : 0;
}
FN i64 op_shr_any_i64(i64 a, u32 n)
{
    return a >> (n < 63 ? n : 63);
}
FN i16 op_shr_any_i16(i16 a, u32 n)
{
    return (i16)(a >> (n < 15 ? n : 15));
}
FN i16 op_mulhi_i16(i16 a, i16 b)
{
    return (i16)(a * b >> 16);
}
FN u32 op_bfind_u32(u32 x)
{
    return x == 0 ? 0xffffffffu : 31u - (u32)__builtin_clz(x);
}
FN u32 op_bfind_i32(i32 x)
{
    return op_bfind_u32((u32)(x < 0 ? ~x : x));
}
FN u32 op_bfind_shift_u64(u64 x)
{
    return x == 0 ? 0xffffffffu : (u32)__builtin_clzll(x);
}
FN u32 op_bfind_i64(i64 x)
{
    u64 bits = (u64)(x < 0 ? ~x : x);
    return bits == 0 ? 0xffffffffu : 63u - (u32)__builtin_clzll(bits);
}
FN u32 op_set_lt_u32_f32(f32 a, f32 b)
{
    return a < b ? 0xffffffffu : 0;
}
FN f32 op_set_geu_f32_f64(f64 a, f64 b)
{
    return !(a < b) ? 1.0f : 0.0f;
}
FN f32 op_set_ne_f32_i32(i32 a, i32 b)
{
    return a != b ? 1.0f : 0.0f;
}
FN u32 op_addc(u32 a, u32 b, u32 c)
{
    return (u32)((((u64)a << 32 | b) + ((u64)b << 32 | c)) >> 32);
}
FN u32 op_subc(u32 a, u32 b, u32 c)
{
    return (u32)((((u64)a << 32 | b) - ((u64)b << 32 | c)) >> 32);
}

#define CVT_SAT(To, From, lo, hi)                                                                  \
    FN To op_sat_##To##_##From(From x)                                                             \
    {                                                                                              \
        i128 wide = x;                                                                             \
        return (To)(wide < lo ? (i128)lo : wide > hi ? (i128)hi : wide);                           \
    }
CVT_SAT(u8, i32, 0, 255)
CVT_SAT(i8, i32, -128, 127)
CVT_SAT(u16, i32, 0, 65535)
CVT_SAT(i16, i32, -32768, 32767)
CVT_SAT(i32, i64, -2147483648ll, 2147483647)
CVT_SAT(u32, i64, 0, 4294967295ll)
CVT_SAT(i32, u32, 0, 2147483647)
CVT_SAT(u32, i32, 0, 4294967295ll)
CVT_SAT(i32, u64, 0, 2147483647)

/* --- floats: the host rounds the other ways as well; volatile keeps the compiler from folding  */

#define WITH_ROUNDING(F, mode, expression)                                                         \
    fesetround(mode);                                                                              \
    volatile F result = expression;                                                                \
    fesetround(0);                                                                                 \
    return result
#define FN2(name, F, mode, expression)                                                             \
    FN F name(F x, F y)                                                                            \
    {                                                                                              \
        volatile F a = x, b = y;                                                                   \
        WITH_ROUNDING(F, mode, expression);                                                        \
    }
#define FN1(name, F, A, mode, expression)                                                          \
    FN F name(A x)                                                                                 \
    {                                                                                              \
        volatile A a = x;                                                                          \
        WITH_ROUNDING(F, mode, expression);                                                        \
    }
#define ROUNDED(name, F, suffix, mode)                                                             \
    FN2(op_add_##name##_##F, F, mode, a + b)                                                       \
    FN2(op_sub_##name##_##F, F, mode, a - b)                                                       \
    FN2(op_mul_##name##_##F, F, mode, a *b)                                                        \
    FN2(op_div_##name##_##F, F, mode, a / b)                                                       \
    FN1(op_sqrt_##name##_##F, F, F, mode, __builtin_sqrt##suffix(a))                               \
    FN1(op_rcp_##name##_##F, F, F, mode, 1 / a)                                                    \
    FN1(op_##F##_##name##_i64, F, i64, mode, (F)a)                                                 \
    FN F op_fma_##name##_##F(F x, F y, F z)                                                        \
    {                                                                                              \
        volatile F a = x, b = y, c = z;                                                            \
        WITH_ROUNDING(F, mode, __builtin_fma##suffix(a, b, c));                                    \
    }                                                                                              \
    /* x86 has no conversion from u64: what is rounded must be rounded once */                     \
    FN F op_##F##_##name##_u64(u64 x)                                                              \
    {                                                                                              \
        volatile i64 a = (i64)(x >> 63 ? x >> 1 | (x & 1) : x);                                    \
        volatile F scale = x >> 63 ? 2 : 1;                                                        \
        WITH_ROUNDING(F, mode, (F)a *scale);                                                       \
    }
#define ROUNDED_TYPES(name, mode)                                                                  \
    ROUNDED(name, f32, f, mode)                                                                    \
    ROUNDED(name, f64, , mode)                                                                     \
    FN1(op_f32_##name##_f64, f32, f64, mode, (f32)a)                                               \
    FN1(op_f32_##name##_i32, f32, i32, mode, (f32)a)                                               \
    FN1(op_f32_##name##_u32, f32, u32, mode, (f32)(i64)a)
ROUNDED_TYPES(rz, 0xc00)
ROUNDED_TYPES(rm, 0x400)
ROUNDED_TYPES(rp, 0x800)

FN f32 both_flush(f32 x)
{
    return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0.0f, x) : x;
}
FN f32 op_add_ftz(f32 a, f32 b)
{
    return both_flush(both_flush(a) + both_flush(b));
}
FN f32 op_mul_ftz(f32 a, f32 b)
{
    return both_flush(both_flush(a) * both_flush(b));
}
FN f32 both_unit(f32 x)
{
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
FN f32 op_add_sat(f32 a, f32 b)
{
    return both_unit(a + b);
}
FN f32 op_fma_sat(f32 a, f32 b, f32 c)
{
    return both_unit(__builtin_fmaf(a, b, c));
}

/* A NaN counts as missing; -0 is below +0. */
#define MIN_MAX(F, suffix)                                                                         \
    FN F op_min_##F(F a, F b)                                                                      \
    {                                                                                              \
        if (a == b)                                                                                \
            return __builtin_copysign##suffix(1, a) < 0 ? a : b;                                   \
        return a < b || b != b ? a : b;                                                            \
    }                                                                                              \
    FN F op_max_##F(F a, F b)                                                                      \
    {                                                                                              \
        if (a == b)                                                                                \
            return __builtin_copysign##suffix(1, a) < 0 ? b : a;                                   \
        return a > b || b != b ? a : b;                                                            \
    }
MIN_MAX(f32, f)
MIN_MAX(f64, )

/* To integers: clamped; NaN is 0 between narrow types, else only the top bit. */
#define CVT_INT(T, mode, F, rounded, lo, below, hi, above)                                         \
    FN T op_##T##_##mode##_##F(F x)                                                                \
    {                                                                                              \
        f64 r = rounded((f64)x);                                                                   \
        if (x != x)                                                                                \
            return sizeof(F) == 8 || sizeof(T) == 8 ? (T)(1ull << (8 * sizeof(T) - 1)) : (T)0;     \
        return r <= lo ? (T)below : r >= hi ? (T)above : (T)r;                                     \
    }
#define CVT_INT_ALL(mode, F, rounded)                                                              \
    CVT_INT(i16, mode, F, rounded, -32768.0, -32768, 32767.0, 32767)                               \
    CVT_INT(u16, mode, F, rounded, 0.0, 0, 65535.0, 65535)                                         \
    CVT_INT(i32, mode, F, rounded, -2147483648.0, -2147483648ll, 2147483647.0, 2147483647)         \
    CVT_INT(u32, mode, F, rounded, 0.0, 0, 4294967295.0, 4294967295u)                              \
    CVT_INT(i64, mode, F, rounded, -9223372036854775808.0, (-9223372036854775807ll - 1),           \
            9223372036854775808.0, 9223372036854775807ll)                                          \
    CVT_INT(u64, mode, F, rounded, 0.0, 0, 18446744073709551616.0, 18446744073709551615ull)
#define CVT_INT_TYPES(mode, rounded) CVT_INT_ALL(mode, f32, rounded) CVT_INT_ALL(mode, f64, rounded)
CVT_INT_TYPES(rni, __builtin_rint)
CVT_INT_TYPES(rzi, __builtin_trunc)
CVT_INT_TYPES(rmi, __builtin_floor)
CVT_INT_TYPES(rpi, __builtin_ceil)

/* --- approximate operations: the true value and how far from it PTX allows ------------------- */

#include "both_approx.h"

struct margin {
    f64 relative, absolute;
};

/* A value beyond `largest` may become infinite. */
FN void both_expect(const struct thread *t, u32 slot, f64 value, struct margin m, f64 largest)
{
    f64 margin = __builtin_fabs(value) * m.relative + m.absolute;
    struct approx_range *r = (struct approx_range *)t->approx + slot;
    bool is_finite = value - value == 0;
    r->lo = is_finite ? value - margin : value;
    r->hi = is_finite ? value + margin : value;
    if (r->lo < -largest)
        r->lo = -__builtin_inf();
    if (r->hi > largest)
        r->hi = __builtin_inf();
}

#define APPROX1(name, F, value, relative, absolute)                                                \
    FN void approx_##name(const struct thread *t, u32 slot, F x)                                   \
    {                                                                                              \
        f64 a = (f64)approx_domain_##name(x);                                                      \
        both_expect(t, slot, value, {relative, absolute},                                          \
                    sizeof(F) == 4 ? 0x1.fffffep127 : 1e308);                                      \
    }
#define APPROX2(name, value, relative, absolute)                                                   \
    FN void approx_##name(const struct thread *t, u32 slot, f32 x, f32 y)                          \
    {                                                                                              \
        f64 a = (f64)x, b = (f64)approx_domain_##name(y);                                          \
        both_expect(t, slot, value, {relative, absolute}, 0x1.fffffep127);                         \
    }
APPROX1(rcp, f32, 1 / a, 0x1p-23, 0x1p-149)
APPROX1(sqrt, f32, __builtin_sqrt(a), 0x1p-23, 0)
APPROX1(rsqrt, f32, 1 / __builtin_sqrt(a), 0x1.12p-23, 0) /* 2^-22.9 */
APPROX1(sin, f32, __builtin_sin(a), 0, 0x1.12p-21)        /* 2^-20.9 */
APPROX1(cos, f32, __builtin_cos(a), 0, 0x1.12p-21)
APPROX1(lg2, f32, __builtin_log2(a), a > 0.5 && a < 2 ? 0 : 0x1p-22, a > 0.5 && a < 2 ? 0x1p-22 : 0)
APPROX1(ex2, f32, __builtin_exp2(a), 0x1p-22, 0x1p-149)
APPROX1(tanh, f32, __builtin_tanh(a), 0x1.02p-11, 0) /* 2^-10.987 */
/* 20 bits of the operand's fraction are used, and 20 of the result's given. */
APPROX1(rcp64, f64, 1 / a, 0x1p-19, 0)
APPROX1(rsqrt64, f64, 1 / __builtin_sqrt(a), 0x1p-19, 0)
APPROX2(div, a / b, 0x1p-22, 0x1p-148) /* 2 units in the last place */
APPROX2(full, a / b, 0x1p-22, 0x1p-148)

#endif
