/* cvt.c - conversion between all types.
 *
 * Numbers of 8 and 16 bits sit in the low bits of a 32-bit lane, with anything above; results of
 * those sizes are extended to the whole lane.  What compilers emit all the time has a loop of its
 * own (fn); the rest is done one lane at a time in integers (general). */
#include "simt/lanes/cvt.h"
#include "simt/lanes/forms.h"

/* Of each type: the lanes it is in, and the number in a lane. */
typedef lane_u32 lane_f16, lane_bf16;
#define NUMBER_u8(x) ((uint8_t)(x))
#define NUMBER_s8(x) ((int8_t)(x))
#define NUMBER_u16(x) ((uint16_t)(x))
#define NUMBER_s16(x) ((int16_t)(x))
#define NUMBER_u32(x) ((uint32_t)(x))
#define NUMBER_s32(x) ((int32_t)(x))
#define NUMBER_u64(x) ((uint64_t)(x))
#define NUMBER_s64(x) ((int64_t)(x))
#define NUMBER_f16(x) ((double)convert_f16(x))
#define NUMBER_bf16(x) ((double)convert_bf16(x))
#define NUMBER_f32(x) ((double)fp_flush(x, fp_ftz_limit(i->mod)))
#define NUMBER_f64(x) (x)

/* --- integer to integer ---------------------------------------------------------------------- */

/* What .sat clamps to; numbers are compared as 64-bit ones of the source's sign. */
#define LOWEST_u8 0
#define LOWEST_s8 INT8_MIN
#define LOWEST_u16 0
#define LOWEST_s16 INT16_MIN
#define LOWEST_u32 0
#define LOWEST_s32 INT32_MIN
#define LOWEST_u64 0
#define LOWEST_s64 INT64_MIN
#define HIGHEST_u8 UINT8_MAX
#define HIGHEST_s8 INT8_MAX
#define HIGHEST_u16 UINT16_MAX
#define HIGHEST_s16 INT16_MAX
#define HIGHEST_u32 UINT32_MAX
#define HIGHEST_s32 INT32_MAX
#define HIGHEST_u64 UINT64_MAX
#define HIGHEST_s64 INT64_MAX
#define CLAMP_SIGNED(x, D)                                                                         \
    clamp_signed((int64_t)(x), LOWEST_##D, (int64_t)((uint64_t)HIGHEST_##D & INT64_MAX))

static inline int64_t clamp_signed(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

static inline uint64_t clamp_unsigned(uint64_t x, uint64_t high)
{
    return x > high ? high : x;
}

#define FROM_SIGNED(D, S)                                                                          \
    UNARY(cvt_##D##_##S, D, S, (lane_##D)NUMBER_##D(NUMBER_##S(a[l])))                             \
    UNARY(cvt_sat_##D##_##S, D, S, (lane_##D)NUMBER_##D(CLAMP_SIGNED(NUMBER_##S(a[l]), D)))
#define FROM_UNSIGNED(D, S)                                                                        \
    UNARY(cvt_##D##_##S, D, S, (lane_##D)NUMBER_##D(NUMBER_##S(a[l])))                             \
    UNARY(cvt_sat_##D##_##S, D, S,                                                                 \
          (lane_##D)NUMBER_##D(clamp_unsigned(NUMBER_##S(a[l]), HIGHEST_##D)))
#define INT_TO(D)                                                                                  \
    FROM_SIGNED(D, s8)                                                                             \
    FROM_SIGNED(D, s16)                                                                            \
    FROM_SIGNED(D, s32)                                                                            \
    FROM_SIGNED(D, s64)                                                                            \
    FROM_UNSIGNED(D, u8)                                                                           \
    FROM_UNSIGNED(D, u16)                                                                          \
    FROM_UNSIGNED(D, u32)                                                                          \
    FROM_UNSIGNED(D, u64)
INT_TO(u8)
INT_TO(s8)
INT_TO(u16)
INT_TO(s16)
INT_TO(u32)
INT_TO(s32)
INT_TO(u64)
INT_TO(s64)

/* --- float to integer: clamped, NaN is 0 or the highest bit (cvt.h) ---------------------------- */

/* The sources, rounded as the instruction says. */
#define LOAD(S, F, value)                                                                          \
    static void load_##S(const struct warp *w, const struct insn *i, F *x)                         \
    {                                                                                              \
        const lane_##S *a = UNIT(w, i->src[0]);                                                    \
        FOR_LANES(l) x[l] = value;                                                                 \
    }
LOAD(f16, float, convert_f16(a[l]))
LOAD(bf16, float, convert_bf16(a[l]))
LOAD(f32, float, fp_flush(a[l], fp_ftz_limit(i->mod)))
LOAD(f64, double, a[l])

#define INTEGRAL(S, F, kind)                                                                       \
    static void integral_##S(const struct warp *w, const struct insn *i, F *x)                     \
    {                                                                                              \
        load_##S(w, i, x);                                                                         \
        cvt_round_##kind(x, i->mod &CVT_INTEGRAL ? i->mod : MOD_RZI);                              \
    }
INTEGRAL(f16, float, f32)
INTEGRAL(bf16, float, f32)
INTEGRAL(f32, float, f32)
INTEGRAL(f64, double, f64)

/* Through 32 bits, clamped again for the smaller types. */
#define FLOAT_TO_32(D, S, F, kind, via, C, nan_16)                                                 \
    static void cvt_##D##_##S(struct warp *w, const struct insn *i)                                \
    {                                                                                              \
        F x[WARP_LANES];                                                                           \
        C r[WARP_LANES];                                                                           \
        integral_##S(w, i, x);                                                                     \
        cvt_clamp_##via##_##kind(r, x);                                                            \
        if (sizeof(NUMBER_##D(0)) < 4)                                                             \
            FOR_LANES(l) r[l] = (C)CLAMP_SIGNED(r[l], D);                                          \
        if (sizeof(NUMBER_##D(0)) < 4 && sizeof(F) == 8)                                           \
            FOR_LANES(l) r[l] = x[l] == x[l] ? r[l] : (C)nan_16;                                   \
        MAP(w, D, i->dst, (lane_##D)r[l]);                                                         \
    }
#define FLOAT_TO_INTS(S, F, kind)                                                                  \
    FLOAT_TO_32(s8, S, F, kind, s32, int32_t, INT8_MIN)                                            \
    FLOAT_TO_32(s16, S, F, kind, s32, int32_t, INT16_MIN)                                          \
    FLOAT_TO_32(s32, S, F, kind, s32, int32_t, INT32_MIN)                                          \
    FLOAT_TO_32(u8, S, F, kind, u32, uint32_t, 0x80)                                               \
    FLOAT_TO_32(u16, S, F, kind, u32, uint32_t, 0x8000)                                            \
    FLOAT_TO_32(u32, S, F, kind, u32, uint32_t, 0x80000000)                                        \
    static void cvt_s64_##S(struct warp *w, const struct insn *i)                                  \
    {                                                                                              \
        F x[WARP_LANES];                                                                           \
        integral_##S(w, i, x);                                                                     \
        EACH(w, s64, i->dst, cvt_s64(x[l]));                                                       \
    }                                                                                              \
    static void cvt_u64_##S(struct warp *w, const struct insn *i)                                  \
    {                                                                                              \
        F x[WARP_LANES];                                                                           \
        integral_##S(w, i, x);                                                                     \
        EACH(w, u64, i->dst, cvt_u64(x[l]));                                                       \
    }
FLOAT_TO_INTS(f16, float, f32)
FLOAT_TO_INTS(bf16, float, f32)
FLOAT_TO_INTS(f32, float, f32)
FLOAT_TO_INTS(f64, double, f64)

/* --- integer to float ------------------------------------------------------------------------ */

#define FORMAT_f16 cvt_f16
#define FORMAT_bf16 cvt_bf16
#define FORMAT_f32 softfp_f32
#define FORMAT_f64 softfp_f64

static inline uint64_t pack_signed(const struct softfp_format *to, int64_t x, uint32_t mod)
{
    return cvt_pack_int(to, x < 0, x < 0 ? 0 - (uint64_t)x : (uint64_t)x, mod);
}

static inline uint64_t pack_unsigned(const struct softfp_format *to, uint64_t x, uint32_t mod)
{
    return cvt_pack_int(to, false, x, mod);
}

/* By integers: U are the destination's lanes as bits. */
#define GENERAL(D, U, S, pack)                                                                     \
    static void cvt_general_##D##_##S(struct warp *w, const struct insn *i)                        \
    {                                                                                              \
        const lane_##S *a = UNIT(w, i->src[0]);                                                    \
        EACH(w, U, i->dst, (lane_##U)pack(&FORMAT_##D, NUMBER_##S(a[l]), i->mod));                 \
    }
#define GENERAL_FROM(S, pack)                                                                      \
    GENERAL(bf16, u32, S, pack)                                                                    \
    GENERAL(f16, u32, S, pack)                                                                     \
    GENERAL(f32, u32, S, pack)                                                                     \
    GENERAL(f64, u64, S, pack)
GENERAL_FROM(s8, pack_signed)
GENERAL_FROM(s16, pack_signed)
GENERAL_FROM(s32, pack_signed)
GENERAL_FROM(s64, pack_signed)
GENERAL_FROM(u8, pack_unsigned)
GENERAL_FROM(u16, pack_unsigned)
GENERAL_FROM(u32, pack_unsigned)
GENERAL_FROM(u64, pack_unsigned)

/* To nearest; what has no vector instruction is still a host instruction. */
#define NEAREST(S)                                                                                 \
    UNARY(cvt_f32_##S, f32, S, (float)NUMBER_##S(a[l]))                                            \
    UNARY(cvt_f64_##S, f64, S, (double)NUMBER_##S(a[l]))
NEAREST(s8)
NEAREST(s16)
NEAREST(s32)
NEAREST(u8)
NEAREST(u16)

#define NEAREST_EACH(D, F, S)                                                                      \
    static void cvt_##D##_##S(struct warp *w, const struct insn *i)                                \
    {                                                                                              \
        const lane_##S *a = UNIT(w, i->src[0]);                                                    \
        EACH(w, D, i->dst, (F)a[l]);                                                               \
    }
NEAREST_EACH(f32, float, s64)
NEAREST_EACH(f32, float, u64)
NEAREST_EACH(f64, double, s64)
NEAREST_EACH(f64, double, u64)

/* Exact in double: its upper and lower halves are. */
static inline double double_of_u32(uint32_t x)
{
    return (double)(int32_t)(x ^ 0x80000000) + 0x1p31;
}
UNARY(cvt_f64_u32, f64, u32, double_of_u32(a[l]))
UNARY(cvt_f32_u32, f32, u32, (float)double_of_u32(a[l]))

/* --- float to float -------------------------------------------------------------------------- */

GENERAL_FROM(bf16, cvt_pack_float)
GENERAL_FROM(f16, cvt_pack_float)
GENERAL_FROM(f32, cvt_pack_float)
GENERAL_FROM(f64, cvt_pack_float)

UNARY(cvt_f32_f16, f32, f16, convert_f16(a[l]))
UNARY(cvt_f32_bf16, f32, bf16, convert_bf16(a[l]))
UNARY(cvt_f16_f32, u32, f32, convert_to_f16(a[l]))
UNARY(cvt_bf16_f32, u32, f32, convert_to_bf16(a[l]))

static void cvt_f64_f32(struct warp *w, const struct insn *i)
{
    float x[WARP_LANES];
    load_f32(w, i, x);
    MAP(w, f64, i->dst, (double)x[l]);
}

static void cvt_f32_f64(struct warp *w, const struct insn *i)
{
    const lane_f64 *a = UNIT(w, i->src[0]);
    const int32_t limit = fp_ftz_limit(i->mod);
    float x[WARP_LANES];
    FOR_LANES(l)
    x[l] = (float)a[l];
    MAP(w, f32, i->dst, fp_finished(x[l], limit, false));
}

static void cvt_f32_f32(struct warp *w, const struct insn *i)
{
    const int32_t limit = fp_ftz_limit(i->mod);
    float x[WARP_LANES];
    load_f32(w, i, x);
    cvt_round_f32(x, i->mod);
    MAP(w, f32, i->dst, fp_finished(x[l], limit, false));
}

static void cvt_f64_f64(struct warp *w, const struct insn *i)
{
    double x[WARP_LANES];
    load_f64(w, i, x);
    cvt_round_f64(x, i->mod);
    MAP(w, f64, i->dst, fp_settled(x[l], x[l], 0, 0)); /* not all rounding quiets a NaN */
}

/* Two numbers, the first in the upper half. */
#define PAIR_FROM_F32(D)                                                                           \
    BINARY(cvt_##D##x2_f32, u32, f32, f32, convert_to_##D(a[l]) << 16 | convert_to_##D(b[l]))      \
    static void cvt_general_##D##x2_f32(struct warp *w, const struct insn *i)                      \
    {                                                                                              \
        const lane_f32 *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        EACH(w, u32, i->dst,                                                                       \
             (uint32_t)(cvt_pack_float(&FORMAT_##D, NUMBER_f32(a[l]), i->mod) << 16 |              \
                        cvt_pack_float(&FORMAT_##D, NUMBER_f32(b[l]), i->mod)));                   \
    }
PAIR_FROM_F32(bf16)
PAIR_FROM_F32(f16)

UNARY(cvt_tf32_f32, u32, u32, cvt_to_tf32(a[l]))

/* --- cvt.pack: b in the lowest bits, a next to it, what c has above --------------------------- */

#define PACKED(x, bits, low, high)                                                                 \
    ((uint32_t)clamp_signed(x, low, high) & (uint32_t)((1 << (bits)) - 1))
#define PACK(name, bits, low, high)                                                                \
    TERNARY(pack_##name, u32, s32, s32, u32,                                                       \
            PACKED(a[l], bits, low, high) << (bits) | PACKED(b[l], bits, low, high) |              \
                c[l] << (2 * (bits)))
PACK(s2, 2, -2, 1)
PACK(u2, 2, 0, 3)
PACK(s4, 4, -8, 7)
PACK(u4, 4, 0, 15)
PACK(s8, 8, INT8_MIN, INT8_MAX)
PACK(u8, 8, 0, UINT8_MAX)
BINARY(pack_s16, u32, s32, s32,
       PACKED(a[l], 16, INT16_MIN, INT16_MAX) << 16 | PACKED(b[l], 16, INT16_MIN, INT16_MAX))
BINARY(pack_u16, u32, s32, s32,
       PACKED(a[l], 16, 0, UINT16_MAX) << 16 | PACKED(b[l], 16, 0, UINT16_MAX))

/* --- rows, sorted by key --------------------------------------------------------------------- */

#define ROW(key, operands, fn, general, mods, plain, unit)                                         \
    {                                                                                              \
        key, operands, fn, general, mods, plain, unit, OPCLASS_CVT, true                           \
    }

#define INT_ROW(D, S, d, s)                                                                        \
    {                                                                                              \
        "cvt." #D "." #S, d s, cvt_##D##_##S, cvt_sat_##D##_##S, MOD_SAT, 0, UNIT_INT,             \
            OPCLASS_SIMPLE, true                                                                   \
    }
#define TO_INT_MODS (CVT_INTEGRAL | MOD_FTZ | MOD_SAT)
#define TO_INT_ROW(D, S, d, s, unit)                                                               \
    ROW("cvt." #D "." #S, d s, cvt_##D##_##S, NULL, TO_INT_MODS, TO_INT_MODS, unit)
#define ROWS_TO_INT(D, d, unit)                                                                    \
    TO_INT_ROW(D, bf16, d, "h", unit), TO_INT_ROW(D, f16, d, "h", unit),                           \
        TO_INT_ROW(D, f32, d, "w", unit), TO_INT_ROW(D, f64, d, "d", UNIT_FP64),                   \
        INT_ROW(D, s16, d, "h"), INT_ROW(D, s32, d, "w"), INT_ROW(D, s64, d, "d"),                 \
        INT_ROW(D, s8, d, "h"), INT_ROW(D, u16, d, "h"), INT_ROW(D, u32, d, "w"),                  \
        INT_ROW(D, u64, d, "d"), INT_ROW(D, u8, d, "h")

#define FROM_INT_MODS (MOD_ROUND | MOD_FTZ | MOD_SAT)
#define FROM_INT_ROW(D, S, d, s, plain, unit)                                                      \
    ROW("cvt." #D "." #S, d s, cvt_##D##_##S, cvt_general_##D##_##S, FROM_INT_MODS, plain, unit)
#define EXACT (MOD_ROUND | MOD_FTZ)
#define INEXACT (MOD_RN | MOD_FTZ)
#define ROWS_FROM_INT(D, d, from_32, unit)                                                         \
    FROM_INT_ROW(D, s16, d, "h", EXACT, unit), FROM_INT_ROW(D, s32, d, "w", from_32, unit),        \
        FROM_INT_ROW(D, s64, d, "d", INEXACT, unit), FROM_INT_ROW(D, s8, d, "h", EXACT, unit),     \
        FROM_INT_ROW(D, u16, d, "h", EXACT, unit), FROM_INT_ROW(D, u32, d, "w", from_32, unit),    \
        FROM_INT_ROW(D, u64, d, "d", INEXACT, unit), FROM_INT_ROW(D, u8, d, "h", EXACT, unit)
#define HALF_ROW(D, S, s, mods, unit)                                                              \
    ROW("cvt." #D "." #S, "H" s, cvt_general_##D##_##S, NULL, mods, mods, unit)
#define HALF_ROWS_FROM_INT(D)                                                                      \
    HALF_ROW(D, s16, "h", FROM_INT_MODS, UNIT_FP32),                                               \
        HALF_ROW(D, s32, "w", FROM_INT_MODS, UNIT_FP32),                                           \
        HALF_ROW(D, s64, "d", FROM_INT_MODS, UNIT_FP32),                                           \
        HALF_ROW(D, s8, "h", FROM_INT_MODS, UNIT_FP32),                                            \
        HALF_ROW(D, u16, "h", FROM_INT_MODS, UNIT_FP32),                                           \
        HALF_ROW(D, u32, "w", FROM_INT_MODS, UNIT_FP32),                                           \
        HALF_ROW(D, u64, "d", FROM_INT_MODS, UNIT_FP32),                                           \
        HALF_ROW(D, u8, "h", FROM_INT_MODS, UNIT_FP32)

#define SAME_MODS (CVT_INTEGRAL | MOD_FTZ | MOD_SAT)
#define NARROW_MODS (MOD_ROUND | MOD_FTZ | MOD_SAT | MOD_RELU)
#define WIDEN_MODS (MOD_FTZ | MOD_SAT)
#define MUST_SAT(key, operands, fn) ROW(key, operands, NULL, fn, MOD_SAT, 0, UNIT_INT)

static const struct op_row rows[] = {
    HALF_ROW(bf16, bf16, "h", SAME_MODS, UNIT_FP32),
    HALF_ROW(bf16, f16, "h", NARROW_MODS, UNIT_FP32),
    ROW("cvt.bf16.f32", "Hw", cvt_bf16_f32, cvt_general_bf16_f32, NARROW_MODS, MOD_RN, UNIT_FP32),
    HALF_ROW(bf16, f64, "d", NARROW_MODS, UNIT_FP64),
    HALF_ROWS_FROM_INT(bf16),
    ROW("cvt.bf16x2.f32", "Www", cvt_bf16x2_f32, cvt_general_bf16x2_f32, MOD_ROUND | MOD_RELU,
        MOD_RN, UNIT_FP32),
    HALF_ROW(f16, bf16, "h", NARROW_MODS, UNIT_FP32),
    HALF_ROW(f16, f16, "h", SAME_MODS, UNIT_FP32),
    ROW("cvt.f16.f32", "Hw", cvt_f16_f32, cvt_general_f16_f32, NARROW_MODS, MOD_RN | MOD_FTZ,
        UNIT_FP32),
    HALF_ROW(f16, f64, "d", NARROW_MODS, UNIT_FP64),
    HALF_ROWS_FROM_INT(f16),
    ROW("cvt.f16x2.f32", "Www", cvt_f16x2_f32, cvt_general_f16x2_f32, MOD_ROUND | MOD_RELU, MOD_RN,
        UNIT_FP32),
    ROW("cvt.f32.bf16", "Wh", cvt_f32_bf16, cvt_general_f32_bf16, WIDEN_MODS, 0, UNIT_FP32),
    ROW("cvt.f32.f16", "Wh", cvt_f32_f16, cvt_general_f32_f16, WIDEN_MODS, MOD_FTZ, UNIT_FP32),
    ROW("cvt.f32.f32", "Ww", cvt_f32_f32, cvt_general_f32_f32, SAME_MODS, CVT_INTEGRAL | MOD_FTZ,
        UNIT_FP32),
    ROW("cvt.f32.f64", "Wd", cvt_f32_f64, cvt_general_f32_f64, MOD_ROUND | MOD_FTZ | MOD_SAT,
        MOD_RN | MOD_FTZ, UNIT_FP64),
    ROWS_FROM_INT(f32, "W", INEXACT, UNIT_FP32),
    ROW("cvt.f64.bf16", "Dh", cvt_general_f64_bf16, NULL, WIDEN_MODS, WIDEN_MODS, UNIT_FP64),
    ROW("cvt.f64.f16", "Dh", cvt_general_f64_f16, NULL, WIDEN_MODS, WIDEN_MODS, UNIT_FP64),
    ROW("cvt.f64.f32", "Dw", cvt_f64_f32, cvt_general_f64_f32, WIDEN_MODS, MOD_FTZ, UNIT_FP64),
    ROW("cvt.f64.f64", "Dd", cvt_f64_f64, cvt_general_f64_f64, CVT_INTEGRAL | MOD_SAT, CVT_INTEGRAL,
        UNIT_FP64),
    ROWS_FROM_INT(f64, "D", EXACT, UNIT_FP64),
    MUST_SAT("cvt.pack.s16.s32", "Www", pack_s16),
    MUST_SAT("cvt.pack.s2.s32.b32", "Wwww", pack_s2),
    MUST_SAT("cvt.pack.s4.s32.b32", "Wwww", pack_s4),
    MUST_SAT("cvt.pack.s8.s32.b32", "Wwww", pack_s8),
    MUST_SAT("cvt.pack.u16.s32", "Www", pack_u16),
    MUST_SAT("cvt.pack.u2.s32.b32", "Wwww", pack_u2),
    MUST_SAT("cvt.pack.u4.s32.b32", "Wwww", pack_u4),
    MUST_SAT("cvt.pack.u8.s32.b32", "Wwww", pack_u8),
    ROWS_TO_INT(s16, "H", UNIT_FP32),
    ROWS_TO_INT(s32, "W", UNIT_FP32),
    ROWS_TO_INT(s64, "D", UNIT_FP32),
    ROWS_TO_INT(s8, "H", UNIT_FP32),
    ROW("cvt.tf32.f32", "Ww", NULL, cvt_tf32_f32, MOD_RNA, 0, UNIT_FP32),
    ROWS_TO_INT(u16, "H", UNIT_FP32),
    ROWS_TO_INT(u32, "W", UNIT_FP32),
    ROWS_TO_INT(u64, "D", UNIT_FP32),
    ROWS_TO_INT(u8, "H", UNIT_FP32),
};
ROWS_OF(cvt);
