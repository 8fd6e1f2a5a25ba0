/* compare.c - comparison and selection: setp, set, selp, slct, testp.
 *
 * For each comparison and type there is a function that gives the lanes for which it holds; setp
 * has handlers for each, set chooses among them by the enum compare in its modifiers. */
#include "simt/lanes/convert.h"
#include "simt/lanes/forms.h"

/* --- lanes for which a comparison holds ------------------------------------------------------ */

/* The value of a lane; of floats with .ftz as `mod` says. */
#define AS_b16(x) ((uint32_t)(uint16_t)(x))
#define AS_u16(x) AS_b16(x)
#define AS_s16(x) ((int32_t)(int16_t)(x))
#define AS_b32(x) (x)
#define AS_u32(x) (x)
#define AS_s32(x) (x)
#define AS_b64(x) (x)
#define AS_u64(x) (x)
#define AS_s64(x) (x)
#define AS_f32(x) fp_flush(x, limit)
#define AS_f64(x) (x)
#define AS_f16(x) convert_f16(flush_16(x, mod &MOD_FTZ ? 0x400 : 0))
#define AS_bf16(x) convert_bf16(x)
#define AS_upper_f16(x) AS_f16((x) >> 16)
#define AS_upper_bf16(x) AS_bf16((x) >> 16)

typedef lane_u32 lane_f16, lane_bf16, lane_upper_f16, lane_upper_bf16;

static inline uint32_t flush_16(uint32_t h, uint32_t least)
{
    return (h & 0x7fff) < least ? h & 0x8000 : h;
}

#define IS_eq(x, y) ((x) == (y))
#define IS_ne(x, y) ((x) != (y))
#define IS_lt(x, y) ((x) < (y))
#define IS_le(x, y) ((x) <= (y))
#define IS_gt(x, y) ((x) > (y))
#define IS_ge(x, y) ((x) >= (y))
#define IS_lo(x, y) IS_lt(x, y)
#define IS_ls(x, y) IS_le(x, y)
#define IS_hi(x, y) IS_gt(x, y)
#define IS_hs(x, y) IS_ge(x, y)
#define IS_one(x, y) ((int)((x) < (y)) | (int)((x) > (y))) /* ne of floats: ordered and not equal */
#define IS_equ(x, y) (!IS_one(x, y))
#define IS_neu(x, y) ((x) != (y))
#define IS_ltu(x, y) (!((x) >= (y)))
#define IS_leu(x, y) (!((x) > (y)))
#define IS_gtu(x, y) (!((x) <= (y)))
#define IS_geu(x, y) (!((x) < (y)))
#define IS_num(x, y) ((int)((x) == (x)) & (int)((y) == (y)))
#define IS_nan(x, y) ((int)((x) != (x)) | (int)((y) != (y)))

#define HOLDS(cmp, T, is)                                                                          \
    static inline uint32_t holds_##cmp##_##T(const struct warp *w, const struct insn *i,           \
                                             uint32_t mod)                                         \
    {                                                                                              \
        const lane_##T *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        const int32_t limit = fp_ftz_limit(mod);                                                   \
        uint32_t lanes = 0;                                                                        \
        (void)limit;                                                                               \
        MASK_OF(w, lanes, is(AS_##T(a[l]), AS_##T(b[l])));                                         \
        return lanes;                                                                              \
    }

/* X(comparison, type, how) for the comparisons of a kind of type. */
#define BITS_COMPARE(X, T) X(eq, T, IS_eq) X(ne, T, IS_ne)
#define SIGNED_COMPARE(X, T)                                                                       \
    BITS_COMPARE(X, T)                                                                             \
    X(lt, T, IS_lt) X(le, T, IS_le) X(gt, T, IS_gt) X(ge, T, IS_ge)
#define UNSIGNED_COMPARE(X, T)                                                                     \
    SIGNED_COMPARE(X, T)                                                                           \
    X(lo, T, IS_lo) X(ls, T, IS_ls) X(hi, T, IS_hi) X(hs, T, IS_hs)
#define FLOAT_COMPARE(X, T)                                                                        \
    X(eq, T, IS_eq)                                                                                \
    X(ne, T, IS_one)                                                                               \
    X(lt, T, IS_lt)                                                                                \
    X(le, T, IS_le)                                                                                \
    X(gt, T, IS_gt)                                                                                \
    X(ge, T, IS_ge)                                                                                \
    X(equ, T, IS_equ)                                                                              \
    X(neu, T, IS_neu)                                                                              \
    X(ltu, T, IS_ltu)                                                                              \
    X(leu, T, IS_leu) X(gtu, T, IS_gtu) X(geu, T, IS_geu) X(num, T, IS_num) X(nan, T, IS_nan)

/* --- setp: p gets the comparison, q its complement, both combined with a third predicate ------ */

static inline uint32_t combined(const struct warp *w, const struct insn *i, uint32_t lanes)
{
    const uint32_t mod = i->mod;
    uint32_t given = mod & (MOD_AND | MOD_OR | MOD_XOR) ? pred_read(w, i->src[2]) : 0;
    return mod & MOD_AND ? lanes & given : mod & MOD_XOR ? lanes ^ given : lanes | given;
}

static inline void write_pair(struct warp *w, const struct insn *i, uint32_t lanes, uint32_t other)
{
    uint32_t p = combined(w, i, lanes), q = combined(w, i, other);
    pred_write(w, i->dst, p);
    pred_write(w, i->dst2, q);
}

#define SETP(cmp, T, is)                                                                           \
    HOLDS(cmp, T, is)                                                                              \
    static void setp_##cmp##_##T(struct warp *w, const struct insn *i)                             \
    {                                                                                              \
        uint32_t lanes = holds_##cmp##_##T(w, i, 0);                                               \
        pred_write(w, i->dst, lanes);                                                              \
        pred_write(w, i->dst2, ~lanes);                                                            \
    }                                                                                              \
    static void setp_general_##cmp##_##T(struct warp *w, const struct insn *i)                     \
    {                                                                                              \
        uint32_t lanes = holds_##cmp##_##T(w, i, i->mod);                                          \
        write_pair(w, i, lanes, ~lanes);                                                           \
    }

/* holds_any_T: the comparison that a set instruction names */
#define CASE(cmp, T, is)                                                                           \
    case COMPARE_##cmp:                                                                            \
        return holds_##cmp##_##T(w, i, i->mod);
#define HOLDS_ANY(KIND, T)                                                                         \
    static uint32_t holds_any_##T(const struct warp *w, const struct insn *i)                      \
    {                                                                                              \
        switch (i->mod >> MOD_COMPARE & 31) {                                                      \
            KIND##_COMPARE(CASE, T) default : HD_ASSERT(false, "comparison of " #T);               \
        }                                                                                          \
    }

#define COMPARE_TYPE(KIND, T) KIND##_COMPARE(SETP, T) HOLDS_ANY(KIND, T)
COMPARE_TYPE(BITS, b16)
COMPARE_TYPE(BITS, b32)
COMPARE_TYPE(BITS, b64)
COMPARE_TYPE(SIGNED, s16)
COMPARE_TYPE(SIGNED, s32)
COMPARE_TYPE(SIGNED, s64)
COMPARE_TYPE(UNSIGNED, u16)
COMPARE_TYPE(UNSIGNED, u32)
COMPARE_TYPE(UNSIGNED, u64)
COMPARE_TYPE(FLOAT, f32)
COMPARE_TYPE(FLOAT, f64)
COMPARE_TYPE(FLOAT, f16)
COMPARE_TYPE(FLOAT, bf16)

/* Pairs: p is the comparison of the lower halves, q that of the upper. */
#define SETP_PAIR(cmp, T, is)                                                                      \
    HOLDS(cmp, upper_##T, is)                                                                      \
    static void setp_##cmp##_##T##x2(struct warp *w, const struct insn *i)                         \
    {                                                                                              \
        write_pair(w, i, holds_##cmp##_##T(w, i, i->mod), holds_##cmp##_upper_##T(w, i, i->mod));  \
    }
#define COMPARE_PAIR(T)                                                                            \
    FLOAT_COMPARE(SETP_PAIR, T)                                                                    \
    HOLDS_ANY(FLOAT, upper_##T)
COMPARE_PAIR(f16)
COMPARE_PAIR(bf16)

/* --- set: the comparison as a number of the destination's type -------------------------------- */

#define SET(D, T, true_value)                                                                      \
    static void set_##D##_##T(struct warp *w, const struct insn *i)                                \
    {                                                                                              \
        const uint32_t lanes = combined(w, i, holds_any_##T(w, i));                                \
        MAP(w, u32, i->dst, lanes >> l & 1 ? true_value : 0);                                      \
    }
#define SET_PAIR(T, true_value)                                                                    \
    static void set_##T##x2_##T##x2(struct warp *w, const struct insn *i)                          \
    {                                                                                              \
        const uint32_t lower = combined(w, i, holds_any_##T(w, i));                                \
        const uint32_t upper = combined(w, i, holds_any_upper_##T(w, i));                          \
        MAP(w, u32, i->dst,                                                                        \
            (lower >> l & 1 ? true_value : 0) | (upper >> l & 1 ? true_value << 16 : 0));          \
    }
#define EVERY_SOURCE(X, D, value)                                                                  \
    X(D, b16, value)                                                                               \
    X(D, b32, value)                                                                               \
    X(D, b64, value)                                                                               \
    X(D, bf16, value)                                                                              \
    X(D, f16, value)                                                                               \
    X(D, f32, value)                                                                               \
    X(D, f64, value)                                                                               \
    X(D, s16, value)                                                                               \
    X(D, s32, value) X(D, s64, value) X(D, u16, value) X(D, u32, value) X(D, u64, value)
EVERY_SOURCE(SET, u32, UINT32_MAX) /* s32 and the 16-bit integers, too: all ones */
EVERY_SOURCE(SET, f32, 0x3f800000u)
EVERY_SOURCE(SET, f16, 0x3c00u)
EVERY_SOURCE(SET, bf16, 0x3f80u)
SET_PAIR(f16, 0x3c00u)
SET_PAIR(bf16, 0x3f80u)

/* --- selp, slct, testp ------------------------------------------------------------------------ */

#define SELECT(T)                                                                                  \
    static void selp_##T(struct warp *w, const struct insn *i)                                     \
    {                                                                                              \
        const lane_##T *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        const uint32_t lanes = pred_read(w, i->src[2]);                                            \
        MAP(w, T, i->dst, lanes >> l & 1 ? a[l] : b[l]);                                           \
    }                                                                                              \
    TERNARY(slct_##T##_s32, T, T, T, s32, c[l] >= 0 ? a[l] : b[l])                                 \
    TERNARY(slct_##T##_f32, T, T, T, f32, c[l] >= 0 ? a[l] : b[l])                                 \
    TERNARY(slct_ftz_##T##_f32, T, T, T, f32, fp_flush(c[l], 0x00800000) >= 0 ? a[l] : b[l])
SELECT(u32)
SELECT(u64)

/* By the magnitude as an integer: below `least` subnormal or 0, from `inf` on not finite. */
#define TESTP(T, U, magnitude, least, inf)                                                         \
    TESTP_OP(finite, T, U, magnitude, size < inf)                                                  \
    TESTP_OP(infinite, T, U, magnitude, size == inf)                                               \
    TESTP_OP(number, T, U, magnitude, size <= inf)                                                 \
    TESTP_OP(notanumber, T, U, magnitude, size > inf)                                              \
    TESTP_OP(normal, T, U, magnitude, (size >= least) & (size < inf))                              \
    TESTP_OP(subnormal, T, U, magnitude, (size < least) & (size != 0))
#define TESTP_OP(op, T, U, magnitude, expression)                                                  \
    static inline bool is_##op##_##T(lane_##U bits)                                                \
    {                                                                                              \
        const lane_##U size = bits & magnitude;                                                    \
        return expression;                                                                         \
    }                                                                                              \
    static void testp_##op##_##T(struct warp *w, const struct insn *i)                             \
    {                                                                                              \
        const lane_##U *a = UNIT(w, i->src[0]);                                                    \
        uint32_t lanes = 0;                                                                        \
        MASK_OF(w, lanes, is_##op##_##T(a[l]));                                                    \
        pred_write(w, i->dst, lanes);                                                              \
    }
TESTP(f32, u32, 0x7fffffff, 0x00800000, 0x7f800000)
TESTP(f64, u64, 0x7fffffffffffffff, 0x0010000000000000, 0x7ff0000000000000)

/* --- rows, sorted by key --------------------------------------------------------------------- */

#define BOOL (MOD_AND | MOD_OR | MOD_XOR)
#define ROW(key, operands, fn, unit)                                                               \
    {                                                                                              \
        key, operands, fn, NULL, 0, 0, unit, OPCLASS_SIMPLE, false                                 \
    }
#define WITH(key, operands, fn, general, mods, unit)                                               \
    {                                                                                              \
        key, operands, fn, general, mods, 0, unit, OPCLASS_SIMPLE, false                           \
    }

#define SETP_ROWS(cmp, T, s, ftz, unit)                                                            \
    WITH("setp." #cmp "." #T, "P" s s, setp_##cmp##_##T, setp_general_##cmp##_##T, ftz, unit),     \
        WITH("setp." #cmp "." #T, "P" s s "p", NULL, setp_general_##cmp##_##T, ftz | BOOL, unit)
#define PAIR_ROWS(cmp, T, ftz)                                                                     \
    WITH("setp." #cmp "." #T, "Pww", setp_##cmp##_##T, setp_##cmp##_##T, ftz, UNIT_FP16),          \
        WITH("setp." #cmp "." #T, "Pwwp", NULL, setp_##cmp##_##T, ftz | BOOL, UNIT_FP16)
#define SETP_BITS(cmp)                                                                             \
    SETP_ROWS(cmp, b16, "h", 0, UNIT_INT), SETP_ROWS(cmp, b32, "w", 0, UNIT_INT),                  \
        SETP_ROWS(cmp, b64, "d", 0, UNIT_INT)
#define SETP_FLOAT(cmp)                                                                            \
    SETP_ROWS(cmp, bf16, "h", 0, UNIT_FP16), PAIR_ROWS(cmp, bf16x2, 0),                            \
        SETP_ROWS(cmp, f16, "h", MOD_FTZ, UNIT_FP16), PAIR_ROWS(cmp, f16x2, MOD_FTZ),              \
        SETP_ROWS(cmp, f32, "w", MOD_FTZ, UNIT_FP32), SETP_ROWS(cmp, f64, "d", 0, UNIT_FP64)
#define SETP_SIGNED(cmp)                                                                           \
    SETP_ROWS(cmp, s16, "h", 0, UNIT_INT), SETP_ROWS(cmp, s32, "w", 0, UNIT_INT),                  \
        SETP_ROWS(cmp, s64, "d", 0, UNIT_INT)
#define SETP_UNSIGNED(cmp)                                                                         \
    SETP_ROWS(cmp, u16, "h", 0, UNIT_INT), SETP_ROWS(cmp, u32, "w", 0, UNIT_INT),                  \
        SETP_ROWS(cmp, u64, "d", 0, UNIT_INT)

#define SET_ROWS(name, fn, D, s, ftz, unit)                                                        \
    WITH(name, D s s, fn, fn, ftz, unit), WITH(name, D s s "p", NULL, fn, ftz | BOOL, unit)
#define SET_FROM_F16(type, D)                                                                      \
    SET_ROWS("set." #type ".bf16", set_u32_bf16, D, "h", 0, UNIT_FP16),                            \
        SET_ROWS("set." #type ".f16", set_u32_f16, D, "h", MOD_FTZ, UNIT_FP16)
/* A number of `type` is made by set_<as>_<source>. */
#define SET_FROM_ALL(type, as, D)                                                                  \
    SET_ROWS("set." #type ".b16", set_##as##_b16, D, "h", 0, UNIT_INT),                            \
        SET_ROWS("set." #type ".b32", set_##as##_b32, D, "w", 0, UNIT_INT),                        \
        SET_ROWS("set." #type ".b64", set_##as##_b64, D, "d", 0, UNIT_INT),                        \
        SET_ROWS("set." #type ".bf16", set_##as##_bf16, D, "h", 0, UNIT_FP16),                     \
        SET_ROWS("set." #type ".f16", set_##as##_f16, D, "h", MOD_FTZ, UNIT_FP16),                 \
        SET_ROWS("set." #type ".f32", set_##as##_f32, D, "w", MOD_FTZ, UNIT_FP32),                 \
        SET_ROWS("set." #type ".f64", set_##as##_f64, D, "d", 0, UNIT_FP64),                       \
        SET_ROWS("set." #type ".s16", set_##as##_s16, D, "h", 0, UNIT_INT),                        \
        SET_ROWS("set." #type ".s32", set_##as##_s32, D, "w", 0, UNIT_INT),                        \
        SET_ROWS("set." #type ".s64", set_##as##_s64, D, "d", 0, UNIT_INT),                        \
        SET_ROWS("set." #type ".u16", set_##as##_u16, D, "h", 0, UNIT_INT),                        \
        SET_ROWS("set." #type ".u32", set_##as##_u32, D, "w", 0, UNIT_INT),                        \
        SET_ROWS("set." #type ".u64", set_##as##_u64, D, "d", 0, UNIT_INT)

#define SELP_ROWS                                                                                  \
    ROW("selp.b16", "Hhhp", selp_u32, UNIT_INT), ROW("selp.b32", "Wwwp", selp_u32, UNIT_INT),      \
        ROW("selp.b64", "Dddp", selp_u64, UNIT_INT), ROW("selp.f32", "Wwwp", selp_u32, UNIT_INT),  \
        ROW("selp.f64", "Dddp", selp_u64, UNIT_INT), ROW("selp.s16", "Hhhp", selp_u32, UNIT_INT),  \
        ROW("selp.s32", "Wwwp", selp_u32, UNIT_INT), ROW("selp.s64", "Dddp", selp_u64, UNIT_INT),  \
        ROW("selp.u16", "Hhhp", selp_u32, UNIT_INT), ROW("selp.u32", "Wwwp", selp_u32, UNIT_INT),  \
        ROW("selp.u64", "Dddp", selp_u64, UNIT_INT)
#define SLCT_ROWS(T, D, s, as)                                                                     \
    WITH("slct." #T ".f32", D s s "w", slct_##as##_f32, slct_ftz_##as##_f32, MOD_FTZ, UNIT_FP32),  \
        ROW("slct." #T ".s32", D s s "w", slct_##as##_s32, UNIT_INT)
#define TESTP_ROWS(op)                                                                             \
    ROW("testp." #op ".f32", "Pw", testp_##op##_f32, UNIT_FP32),                                   \
        ROW("testp." #op ".f64", "Pd", testp_##op##_f64, UNIT_FP64)

static const struct op_row rows[] = {
    SELP_ROWS,
    SET_FROM_ALL(bf16, bf16, "H"),
    SET_ROWS("set.bf16x2.bf16x2", set_bf16x2_bf16x2, "W", "w", 0, UNIT_FP16),
    SET_FROM_ALL(f16, f16, "H"),
    SET_ROWS("set.f16x2.f16x2", set_f16x2_f16x2, "W", "w", MOD_FTZ, UNIT_FP16),
    SET_FROM_ALL(f32, f32, "W"),
    SET_FROM_F16(s16, "H"),
    SET_FROM_ALL(s32, u32, "W"),
    SET_FROM_F16(u16, "H"),
    SET_FROM_ALL(u32, u32, "W"),
    SETP_BITS(eq),
    SETP_FLOAT(eq),
    SETP_SIGNED(eq),
    SETP_UNSIGNED(eq),
    SETP_FLOAT(equ),
    SETP_FLOAT(ge),
    SETP_SIGNED(ge),
    SETP_UNSIGNED(ge),
    SETP_FLOAT(geu),
    SETP_FLOAT(gt),
    SETP_SIGNED(gt),
    SETP_UNSIGNED(gt),
    SETP_FLOAT(gtu),
    SETP_UNSIGNED(hi),
    SETP_UNSIGNED(hs),
    SETP_FLOAT(le),
    SETP_SIGNED(le),
    SETP_UNSIGNED(le),
    SETP_FLOAT(leu),
    SETP_UNSIGNED(lo),
    SETP_UNSIGNED(ls),
    SETP_FLOAT(lt),
    SETP_SIGNED(lt),
    SETP_UNSIGNED(lt),
    SETP_FLOAT(ltu),
    SETP_FLOAT(nan),
    SETP_BITS(ne),
    SETP_FLOAT(ne),
    SETP_SIGNED(ne),
    SETP_UNSIGNED(ne),
    SETP_FLOAT(neu),
    SETP_FLOAT(num),
    SLCT_ROWS(b16, "H", "h", u32),
    SLCT_ROWS(b32, "W", "w", u32),
    SLCT_ROWS(b64, "D", "d", u64),
    SLCT_ROWS(f32, "W", "w", u32),
    SLCT_ROWS(f64, "D", "d", u64),
    SLCT_ROWS(s16, "H", "h", u32),
    SLCT_ROWS(s32, "W", "w", u32),
    SLCT_ROWS(s64, "D", "d", u64),
    SLCT_ROWS(u16, "H", "h", u32),
    SLCT_ROWS(u32, "W", "w", u32),
    SLCT_ROWS(u64, "D", "d", u64),
    TESTP_ROWS(finite),
    TESTP_ROWS(infinite),
    TESTP_ROWS(normal),
    TESTP_ROWS(notanumber),
    TESTP_ROWS(number),
    TESTP_ROWS(subnormal),
};
ROWS_OF(compare);
