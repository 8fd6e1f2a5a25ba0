/* both.h - what generated functions are written in: one text, compiled for the host and to PTX.
 *
 * Every operation here is defined for all operands, on both sides, and gives the same bits, save
 * for what a NaN looks like; op_keep makes NaNs equal before their bits can be seen. */
#ifndef HEDDLE_TESTS_DIFFERENTIAL_BOTH_H
#define HEDDLE_TESTS_DIFFERENTIAL_BOTH_H

#include "job.h"

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef float f32;
typedef double f64;

struct __attribute__((aligned(16))) f32x4 {
    f32 x, y, z, w;
};
struct __attribute__((aligned(8))) i32x2 {
    i32 x, y;
};
struct __attribute__((aligned(16))) u64x2 {
    u64 x, y;
};
struct __attribute__((aligned(4))) u8x4 {
    u8 x, y, z, w;
};
struct __attribute__((aligned(8))) i16x4 {
    i16 x, y, z, w;
};

struct thread {
    u32 id;       /* in the grid */
    u32 tid, cta; /* in the CTA; the CTA's */
    u32 x, y, z;  /* in the CTA */
    u32 threads;  /* of the CTA */
    const char *in;
    char *out;
    char *approx;
};

/* What a thread carries from segment to segment; threads exchange parts of it in between. */
struct state {
    i32 e0;
    u32 e1;
    f32 e2;
    i64 e3;
    f64 e4;
    u16 e5;
};

#ifdef __CUDA__
#include "both_device.h"
#else
#include "both_host.h"
#endif

#define NOINLINE __attribute__((noinline))
#define INLINE __attribute__((always_inline)) inline

/* Own input and output; a column of everyone's input; one value for all; a gather. */
#define IN(T, at) (*(const T *)(t->in + (at)))
#define OUT(T, at) (*(T *)(t->out + (at)))
#define COLUMN(T, at) (((const T *)j->in)[t->id + (at)])
#define COMMON(T, at) (((const T *)j->in)[at])

/* --- floats and their bits ------------------------------------------------------------------- */

FN f32 op_f32_from_bits(u32 bits)
{
    f32 x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}
FN f64 op_f64_from_bits(u64 bits)
{
    f64 x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}
FN f32 op_keep(f32 x)
{
    return x == x ? x : op_f32_from_bits(0x7fc00000u);
}
FN f64 op_keep(f64 x)
{
    return x == x ? x : op_f64_from_bits(0x7ff8000000000000ull);
}
#define KEEP_INT(T)                                                                                \
    FN T op_keep(T x)                                                                              \
    {                                                                                              \
        return x;                                                                                  \
    }
KEEP_INT(i8)
KEEP_INT(u8)
KEEP_INT(i16)
KEEP_INT(u16)
KEEP_INT(i32)
KEEP_INT(u32)
KEEP_INT(i64)
KEEP_INT(u64)

FN u32 op_bits_f32(f32 x)
{
    u32 bits;
    x = op_keep(x);
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}
FN u64 op_bits_f64(f64 x)
{
    u64 bits;
    x = op_keep(x);
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}
FN f32 op_copysign_f32(f32 a, f32 b)
{
    return __builtin_copysignf(a, op_keep(b));
}
FN f64 op_copysign_f64(f64 a, f64 b)
{
    return __builtin_copysign(a, op_keep(b));
}
FN void both_store(const state *s, const thread *t)
{
    OUT(i32, OUT_BYTES - 8) = s->e0;
    OUT(u32, OUT_BYTES - 16) = s->e1;
    OUT(f32, OUT_BYTES - 24) = op_keep(s->e2);
    OUT(i64, OUT_BYTES - 32) = s->e3;
    OUT(f64, OUT_BYTES - 40) = op_keep(s->e4);
    OUT(u16, OUT_BYTES - 48) = s->e5;
}

/* Back to a size in which sums and products still tell something. */
FN f32 op_tame_f32(f32 x)
{
    return __builtin_fabsf(x) < 1e6f ? x : 1.5f;
}
FN f64 op_tame_f64(f64 x)
{
    return __builtin_fabs(x) < 1e9 ? x : -2.25;
}

#define FLOAT_OPS(F, suffix)                                                                       \
    FN F op_fabs_##F(F x)                                                                          \
    {                                                                                              \
        return __builtin_fabs##suffix(x);                                                          \
    }                                                                                              \
    FN F op_sqrt_##F(F x)                                                                          \
    {                                                                                              \
        return __builtin_sqrt##suffix(x);                                                          \
    }                                                                                              \
    FN F op_fma_##F(F a, F b, F c)                                                                 \
    {                                                                                              \
        return __builtin_fma##suffix(a, b, c);                                                     \
    }                                                                                              \
    FN F op_floor_##F(F x)                                                                         \
    {                                                                                              \
        return __builtin_floor##suffix(x);                                                         \
    }                                                                                              \
    FN F op_ceil_##F(F x)                                                                          \
    {                                                                                              \
        return __builtin_ceil##suffix(x);                                                          \
    }                                                                                              \
    FN F op_trunc_##F(F x)                                                                         \
    {                                                                                              \
        return __builtin_trunc##suffix(x);                                                         \
    }                                                                                              \
    FN F op_rint_##F(F x)                                                                          \
    {                                                                                              \
        return __builtin_rint##suffix(x);                                                          \
    }                                                                                              \
    FN F op_less_##F(F a, F b)                                                                     \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    FN F op_more_##F(F a, F b)                                                                     \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }
FLOAT_OPS(f32, f)
FLOAT_OPS(f64, )

/* To an integer where the value fits, else something of its bits: C leaves the rest open. */
#define OF_FLOAT(T, F, lo, hi)                                                                     \
    FN T op_##T##_of_##F(F x)                                                                      \
    {                                                                                              \
        return x > lo && x < hi ? (T)x : (T)(op_bits_##F(x) >> 3);                                 \
    }
#define OF_FLOATS(T, lo, hi) OF_FLOAT(T, f32, lo##f, hi##f) OF_FLOAT(T, f64, lo, hi)
OF_FLOATS(i8, -129.0, 128.0)
OF_FLOATS(u8, -1.0, 256.0)
OF_FLOATS(i16, -32769.0, 32768.0)
OF_FLOATS(u16, -1.0, 65536.0)
OF_FLOATS(i32, -2147483648.0, 2147483648.0)
OF_FLOATS(u32, -1.0, 4294967296.0)
OF_FLOATS(i64, -9223372036854775808.0, 9223372036854775808.0)
OF_FLOATS(u64, -1.0, 18446744073709551616.0)

/* --- integers -------------------------------------------------------------------------------- */

/* W is the unsigned type in which T's arithmetic cannot overflow.
 *
 * clang 14 writes two things wrong in PTX, and the text keeps clear of them.  It sees a rotation in
 * x << n | x >> (64 - n) and leaves n unmasked, where shifts by 64 and more give 0: hence a shift
 * by 1 more.  And a 32-bit value that is extended with its sign and shifted left by 31, or
 * multiplied by 2^31 or -2^31, becomes mul.wide.s32 by -2^31 (the same with 16 bits and 15): hence
 * both_hide on what is shifted and on both factors. */

#define INT_OPS(T, U, W, BITS, MIN, MAX)                                                           \
    FN T op_div_##T(T a, T b)                                                                      \
    {                                                                                              \
        return b == 0 ? a : (T)-1 < 0 && b == (T)-1 ? (T)(0 - (W)a) : (T)(a / b);                  \
    }                                                                                              \
    FN T op_mod_##T(T a, T b)                                                                      \
    {                                                                                              \
        return b == 0 || ((T)-1 < 0 && b == (T)-1) ? (T)0 : (T)(a % b);                            \
    }                                                                                              \
    FN T op_min_##T(T a, T b)                                                                      \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    FN T op_max_##T(T a, T b)                                                                      \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    FN T op_abs_##T(T a)                                                                           \
    {                                                                                              \
        return a < 0 ? (T)(0 - (W)a) : a;                                                          \
    }                                                                                              \
    FN T op_rotate_##T(T a, u32 n)                                                                 \
    {                                                                                              \
        W x = both_hide((W)(U)a);                                                                  \
        n &= BITS - 1;                                                                             \
        return (T)(x << n | x >> 1 >> (BITS - 1 - n));                                             \
    }                                                                                              \
    FN T op_adds_##T(T a, T b)                                                                     \
    {                                                                                              \
        T sum;                                                                                     \
        return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? MIN : MAX) : sum;                     \
    }                                                                                              \
    FN T op_subs_##T(T a, T b)                                                                     \
    {                                                                                              \
        T difference;                                                                              \
        return __builtin_sub_overflow(a, b, &difference) ? ((T)-1 < 0 && b < 0 ? MAX : MIN)        \
                                                         : difference;                             \
    }                                                                                              \
    FN T op_field_##T(T a, u32 at)                                                                 \
    {                                                                                              \
        u32 low = at & (BITS - 1), width = (at >> 8 & (BITS - 1)) + 1;                             \
        U x = (U)((U)a >> low);                                                                    \
        return (T)((T)(both_hide((W)x) << (BITS - width)) >> (BITS - width));                      \
    }
INT_OPS(i8, u8, u32, 8, -128, 127)
INT_OPS(u8, u8, u32, 8, 0, 255)
INT_OPS(i16, u16, u32, 16, -32768, 32767)
INT_OPS(u16, u16, u32, 16, 0, 65535)
INT_OPS(i32, u32, u32, 32, (-2147483647 - 1), 2147483647)
INT_OPS(u32, u32, u32, 32, 0, 4294967295u)
INT_OPS(i64, u64, u64, 64, (-9223372036854775807ll - 1), 9223372036854775807ll)
INT_OPS(u64, u64, u64, 64, 0, 18446744073709551615ull)

FN i32 op_popc_u32(u32 x)
{
    return __builtin_popcount(x);
}
FN i32 op_popc_u64(u64 x)
{
    return __builtin_popcountll(x);
}
FN i32 op_clz_u32(u32 x)
{
    return x == 0 ? 32 : __builtin_clz(x);
}
FN i32 op_clz_u64(u64 x)
{
    return x == 0 ? 64 : __builtin_clzll(x);
}
FN i32 op_ctz_u32(u32 x)
{
    return x == 0 ? 32 : __builtin_ctz(x);
}
FN i32 op_ctz_u64(u64 x)
{
    return x == 0 ? 64 : __builtin_ctzll(x);
}
FN i32 op_ffs_u64(u64 x)
{
    return __builtin_ffsll((i64)x);
}
FN u16 op_bswap_u16(u16 x)
{
    return __builtin_bswap16(x);
}
FN u32 op_bswap_u32(u32 x)
{
    return __builtin_bswap32(x);
}
FN u64 op_bswap_u64(u64 x)
{
    return __builtin_bswap64(x);
}
FN u8 op_brev_u8(u8 x)
{
    return __builtin_bitreverse8(x);
}
FN u32 op_brev_u32(u32 x)
{
    return __builtin_bitreverse32(x);
}
FN u64 op_brev_u64(u64 x)
{
    return __builtin_bitreverse64(x);
}
FN u32 op_mulhi_u32(u32 a, u32 b)
{
    return (u32)((u64)a * b >> 32);
}
FN i32 op_mulhi_i32(i32 a, i32 b)
{
    return (i32)((i64)a * (i32)both_hide((u32)b) >> 32);
}
FN u64 op_mulhi_u64(u64 a, u64 b)
{
    return (u64)((u128)a * b >> 64);
}
FN i64 op_mulhi_i64(i64 a, i64 b)
{
    return (i64)((i128)a * b >> 64);
}
FN i64 op_wide_i32(i32 a, i32 b)
{
    return (i64)(i32)both_hide((u32)a) * (i32)both_hide((u32)b);
}
FN u64 op_wide_u32(u32 a, u32 b)
{
    return (u64)a * b;
}
FN i32 op_wide_i16(i16 a, i16 b)
{
    return (i16)both_hide((u32)a) * (i16)both_hide((u32)b);
}
FN u64 op_carry(u64 a, u64 b, u64 c)
{
    u128 sum = ((u128)a << 64 | b) + ((u128)b << 64 | c);
    return (u64)(sum >> 64);
}
FN u64 op_borrow(u64 a, u64 b, u64 c)
{
    u128 rest = ((u128)a << 64 | b) - ((u128)c << 64 | a);
    return (u64)(rest >> 64);
}
FN u64 op_funnel(u64 a, u64 b, u32 n)
{
    return (u64)(((u128)a << 64 | b) >> (n & 63));
}
FN u32 op_funnel32(u32 a, u32 b, u32 n)
{
    return (u32)(((u64)a << 32 | b) >> (n & 31));
}

#endif
