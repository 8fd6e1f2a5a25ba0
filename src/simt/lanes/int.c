/* int.c - integer arithmetic, from add to dp4a, with bit counting and bit fields.
 *
 * Signed arithmetic is done in unsigned lanes: it wraps, as on hardware.  Division by zero is not
 * specified by PTX; hardware's division routine gives all ones for quotient and remainder. */
#include "simt/lanes/bits.h"
#include "simt/lanes/forms.h"

__extension__ typedef __int128 wide_s;
__extension__ typedef unsigned __int128 wide_u;

#define S16(x) ((int32_t)(int16_t)(x))
#define U16(x) ((uint32_t)(uint16_t)(x))

/* --- add, sub, mul, mad: low halves wrap, so that signs do not matter ------------------------ */

BINARY(add_32, u32, u32, u32, a[l] + b[l])
BINARY(add_64, u64, u64, u64, a[l] + b[l])
BINARY(sub_32, u32, u32, u32, a[l] - b[l])
BINARY(sub_64, u64, u64, u64, a[l] - b[l])
BINARY(mul_lo_32, u32, u32, u32, a[l] * b[l])
BINARY(mul_lo_64, u64, u64, u64, a[l] * b[l])
TERNARY(mad_lo_32, u32, u32, u32, u32, a[l] * b[l] + c[l])
TERNARY(mad_lo_64, u64, u64, u64, u64, a[l] * b[l] + c[l])
BINARY(add_x2, u32, u32, u32,
       ((a[l] + b[l]) & 0xffff) | ((a[l] & 0xffff0000) + (b[l] & 0xffff0000)))

#define HI_s16(x, y) ((uint32_t)(S16(x) * S16(y) >> 16))
#define HI_u16(x, y) (U16(x) * U16(y) >> 16)
#define HI_s32(x, y) ((uint32_t)((int64_t)(x) * (int64_t)(y) >> 32))
#define HI_u32(x, y) ((uint32_t)((uint64_t)(x) * (y) >> 32))
#define HI_s64(x, y) ((uint64_t)((wide_s)(x) * (y) >> 64))
#define HI_u64(x, y) ((uint64_t)((wide_u)(x) * (y) >> 64))

#define MUL_HI(T, A)                                                                               \
    BINARY(mul_hi_##T, u32, A, A, HI_##T(a[l], b[l]))                                              \
    TERNARY(mad_hi_##T, u32, A, A, u32, HI_##T(a[l], b[l]) + c[l])
MUL_HI(s16, u32)
MUL_HI(u16, u32)
MUL_HI(s32, s32)
MUL_HI(u32, u32)

#define MUL_HI_64(T)                                                                               \
    static void mul_hi_##T(struct warp *w, const struct insn *i)                                   \
    {                                                                                              \
        const lane_##T *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        EACH(w, u64, i->dst, HI_##T(a[l], b[l]));                                                  \
    }                                                                                              \
    static void mad_hi_##T(struct warp *w, const struct insn *i)                                   \
    {                                                                                              \
        const lane_##T *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        const lane_u64 *c = UNIT(w, i->src[2]);                                                    \
        EACH(w, u64, i->dst, HI_##T(a[l], b[l]) + c[l]);                                           \
    }
MUL_HI_64(s64)
MUL_HI_64(u64)

BINARY(mul_wide_s16, u32, u32, u32, (uint32_t)(S16(a[l]) * S16(b[l])))
BINARY(mul_wide_u16, u32, u32, u32, U16(a[l]) * U16(b[l]))
BINARY(mul_wide_s32, s64, s32, s32, (int64_t)a[l] * b[l])
BINARY(mul_wide_u32, u64, u32, u32, (uint64_t)a[l] * b[l])
TERNARY(mad_wide_s16, u32, u32, u32, u32, (uint32_t)(S16(a[l]) * S16(b[l])) + c[l])
TERNARY(mad_wide_u16, u32, u32, u32, u32, U16(a[l]) * U16(b[l]) + c[l])
TERNARY(mad_wide_s32, u64, s32, s32, u64, (uint64_t)((int64_t)a[l] * b[l]) + c[l])
TERNARY(mad_wide_u32, u64, u32, u32, u64, (uint64_t)a[l] * b[l] + c[l])

/* 24-bit factors; .hi are bits 16-47 of the product. */
#define S24(x) ((int64_t)((int32_t)((x) << 8) >> 8))
#define U24(x) ((uint64_t)((x)&0xffffff))
#define MUL24(T, LOW)                                                                              \
    BINARY(mul24_lo_##T, u32, u32, u32, (uint32_t)(LOW(a[l]) * LOW(b[l])))                         \
    BINARY(mul24_hi_##T, u32, u32, u32, (uint32_t)(LOW(a[l]) * LOW(b[l]) >> 16))                   \
    TERNARY(mad24_lo_##T, u32, u32, u32, u32, (uint32_t)(LOW(a[l]) * LOW(b[l])) + c[l])            \
    TERNARY(mad24_hi_##T, u32, u32, u32, u32, (uint32_t)(LOW(a[l]) * LOW(b[l]) >> 16) + c[l])
MUL24(s32, S24)
MUL24(u32, U24)

static inline int32_t saturate(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}
BINARY(add_sat, s32, s32, s32, saturate((int64_t)a[l] + b[l]))
BINARY(sub_sat, s32, s32, s32, saturate((int64_t)a[l] - b[l]))
TERNARY(mad_hi_sat, s32, s32, s32, s32, saturate(((int64_t)a[l] * b[l] >> 32) + c[l]))
TERNARY(mad24_hi_sat, s32, u32, u32, s32, saturate((S24(a[l]) * S24(b[l]) >> 16) + c[l]))

/* --- add.cc, addc and the like; after a subtraction the carry is the borrow ------------------ */

static inline void write_carry(struct warp *w, const struct insn *i, uint32_t out)
{
    if (i->mod & MOD_CC)
        w->carry = (w->carry & ~w->exec) | (out & w->exec);
}

#define CARRY(T)                                                                                   \
    static void add_carry_##T(struct warp *w, const struct insn *i, const lane_##T *x,             \
                              const lane_##T *y, uint32_t in)                                      \
    {                                                                                              \
        lane_##T sum[WARP_LANES];                                                                  \
        uint32_t out = 0;                                                                          \
        for (int l = 0; l < WARP_LANES; l++) {                                                     \
            lane_##T partial = x[l] + y[l];                                                        \
            sum[l] = partial + (in >> l & 1);                                                      \
            out |= (uint32_t)(partial < x[l] || sum[l] < partial) << l;                            \
        }                                                                                          \
        MAP(w, T, i->dst, sum[l]);                                                                 \
        write_carry(w, i, out);                                                                    \
    }                                                                                              \
    static void sub_carry_##T(struct warp *w, const struct insn *i, uint32_t in)                   \
    {                                                                                              \
        const lane_##T *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        lane_##T difference[WARP_LANES];                                                           \
        uint32_t out = 0;                                                                          \
        for (int l = 0; l < WARP_LANES; l++) {                                                     \
            lane_##T partial = a[l] - b[l];                                                        \
            difference[l] = partial - (in >> l & 1);                                               \
            out |= (uint32_t)(a[l] < b[l] || partial < (in >> l & 1)) << l;                        \
        }                                                                                          \
        MAP(w, T, i->dst, difference[l]);                                                          \
        write_carry(w, i, out);                                                                    \
    }                                                                                              \
    static void add_cc_##T(struct warp *w, const struct insn *i)                                   \
    {                                                                                              \
        add_carry_##T(w, i, UNIT(w, i->src[0]), UNIT(w, i->src[1]), 0);                            \
    }                                                                                              \
    static void addc_##T(struct warp *w, const struct insn *i)                                     \
    {                                                                                              \
        add_carry_##T(w, i, UNIT(w, i->src[0]), UNIT(w, i->src[1]), w->carry);                     \
    }                                                                                              \
    static void sub_cc_##T(struct warp *w, const struct insn *i)                                   \
    {                                                                                              \
        sub_carry_##T(w, i, 0);                                                                    \
    }                                                                                              \
    static void subc_##T(struct warp *w, const struct insn *i)                                     \
    {                                                                                              \
        sub_carry_##T(w, i, w->carry);                                                             \
    }
CARRY(u32)
CARRY(u64)

/* mad.cc and madc: `half` of the product of lanes A, summed as T. */
#define MAD_CARRY(name, T, A, half)                                                                \
    static void name##_carry(struct warp *w, const struct insn *i, uint32_t in)                    \
    {                                                                                              \
        const lane_##A *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        lane_##T product[WARP_LANES];                                                              \
        for (int l = 0; l < WARP_LANES; l++)                                                       \
            product[l] = half(a[l], b[l]);                                                         \
        add_carry_##T(w, i, product, UNIT(w, i->src[2]), in);                                      \
    }                                                                                              \
    static void mad_cc_##name(struct warp *w, const struct insn *i)                                \
    {                                                                                              \
        name##_carry(w, i, 0);                                                                     \
    }                                                                                              \
    static void madc_##name(struct warp *w, const struct insn *i)                                  \
    {                                                                                              \
        name##_carry(w, i, w->carry);                                                              \
    }
#define LO(x, y) ((x) * (y))
MAD_CARRY(lo_32, u32, u32, LO)
MAD_CARRY(lo_64, u64, u64, LO)
MAD_CARRY(hi_s32, u32, s32, HI_s32)
MAD_CARRY(hi_u32, u32, u32, HI_u32)
MAD_CARRY(hi_s64, u64, s64, HI_s64)
MAD_CARRY(hi_u64, u64, u64, HI_u64)

/* --- div, rem -------------------------------------------------------------------------------- */

/* Quotients are computed in double, which has vector instructions: that of 32-bit numbers lies at
 * least 2^-32 of its size below the next integer, so that rounding to 53 bits never reaches it.
 * The steps are loops of their own, since a division behind any condition keeps a loop scalar. */
static void quotients_u32(uint32_t *q, const uint32_t *x, const uint32_t *y)
{
    double over[WARP_LANES], by[WARP_LANES];
    FOR_LANES(l)
    over[l] = (double)(int32_t)(x[l] ^ 0x80000000) + 0x1p31;
    FOR_LANES(l)
    by[l] = (double)(int32_t)(y[l] ^ 0x80000000) + 0x1p31;
    FOR_LANES(l)
    by[l] = by[l] > 0 ? by[l] : 1;
    FOR_LANES(l)
    over[l] /= by[l];
    FOR_LANES(l)
    by[l] = over[l] - 0x1p31; /* what is left of quotients with the highest bit */
    FOR_LANES(l)
    over[l] = by[l] >= 0 ? by[l] : over[l];
    FOR_LANES(l)
    q[l] = (uint32_t)(int32_t)over[l];
    FOR_LANES(l)
    q[l] ^= by[l] >= 0 ? 0x80000000 : 0;
    FOR_LANES(l)
    q[l] |= y[l] ? 0 : UINT32_MAX;
}

static void quotients_s32(uint32_t *q, const uint32_t *x, const uint32_t *y)
{
    double ratio[WARP_LANES];
    uint32_t by[WARP_LANES];
    FOR_LANES(l) /* the lowest number by -1 would not fit, by 1 it gives the right bits */
    by[l] = y[l] + (y[l] == 0) + 2 * (uint32_t)((x[l] == 0x80000000) & (y[l] == UINT32_MAX));
    FOR_LANES(l)
    ratio[l] = (double)(int32_t)x[l] / (double)(int32_t)by[l];
    FOR_LANES(l)
    q[l] = (uint32_t)(int32_t)ratio[l];
    FOR_LANES(l)
    q[l] |= y[l] ? 0 : UINT32_MAX;
}

#define DIVIDE(T, as, N)                                                                           \
    static void divide_##T(struct warp *w, const struct insn *i, uint32_t *q, uint32_t *r)         \
    {                                                                                              \
        const lane_u32 *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        uint32_t x[WARP_LANES], y[WARP_LANES];                                                     \
        FOR_LANES(l) x[l] = (uint32_t)as(a[l]);                                                    \
        FOR_LANES(l) y[l] = (uint32_t)as(b[l]);                                                    \
        quotients_##N(q, x, y);                                                                    \
        FOR_LANES(l) r[l] = y[l] ? x[l] - q[l] * y[l] : UINT32_MAX;                                \
    }                                                                                              \
    static void div_##T(struct warp *w, const struct insn *i)                                      \
    {                                                                                              \
        uint32_t q[WARP_LANES], r[WARP_LANES];                                                     \
        divide_##T(w, i, q, r);                                                                    \
        MAP(w, u32, i->dst, q[l]);                                                                 \
    }                                                                                              \
    static void rem_##T(struct warp *w, const struct insn *i)                                      \
    {                                                                                              \
        uint32_t q[WARP_LANES], r[WARP_LANES];                                                     \
        divide_##T(w, i, q, r);                                                                    \
        MAP(w, u32, i->dst, r[l]);                                                                 \
    }
#define SAME(x) (x)
DIVIDE(s16, S16, s32)
DIVIDE(u16, U16, u32)
DIVIDE(s32, SAME, s32)
DIVIDE(u32, SAME, u32)

#define DIVISOR_u64(x, y) (y)
#define DIVISOR_s64(x, y) ((x) == INT64_MIN && (y) == -1 ? 1 : (y))
#define DIVIDE_64(name, T, operator)                                                               \
    static void name(struct warp *w, const struct insn *i)                                         \
    {                                                                                              \
        const lane_##T *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        EACH(w, T, i->dst, b[l] ? a[l] operator DIVISOR_##T(a[l], b[l]) : (lane_##T)UINT64_MAX);   \
    }
DIVIDE_64(div_s64, s64, /)
DIVIDE_64(div_u64, u64, /)
DIVIDE_64(rem_s64, s64, %)
DIVIDE_64(rem_u64, u64, %)

/* --- abs, neg, min, max, sad ----------------------------------------------------------------- */

UNARY(neg_32, u32, u32, 0 - a[l])
UNARY(neg_64, u64, u64, 0 - a[l])
UNARY(abs_s16, u32, u32, S16(a[l]) < 0 ? 0 - a[l] : a[l])
UNARY(abs_s32, u32, u32, (int32_t)a[l] < 0 ? 0 - a[l] : a[l])
UNARY(abs_s64, u64, u64, (int64_t)a[l] < 0 ? 0 - a[l] : a[l])

#define LESSER(x, y) ((x) < (y) ? (x) : (y))
#define GREATER(x, y) ((x) > (y) ? (x) : (y))
#define RAMP(x) GREATER(x, 0)
/* Both halves of a 32-bit lane by `f`. */
#define HALVES(f, as, x, y)                                                                        \
    (((uint32_t)f(as(x), as(y)) & 0xffff) | (uint32_t)f(as((x) >> 16), as((y) >> 16)) << 16)
#define RAMP_LESSER(x, y) RAMP(LESSER(x, y))
#define RAMP_GREATER(x, y) RAMP(GREATER(x, y))

#define MIN_MAX(op, CHOOSE)                                                                        \
    BINARY(op##_s16, s32, u32, u32, CHOOSE(S16(a[l]), S16(b[l])))                                  \
    BINARY(op##_u16, u32, u32, u32, CHOOSE(U16(a[l]), U16(b[l])))                                  \
    BINARY(op##_s32, s32, s32, s32, CHOOSE(a[l], b[l]))                                            \
    BINARY(op##_u32, u32, u32, u32, CHOOSE(a[l], b[l]))                                            \
    BINARY(op##_s64, s64, s64, s64, CHOOSE(a[l], b[l]))                                            \
    BINARY(op##_u64, u64, u64, u64, CHOOSE(a[l], b[l]))                                            \
    BINARY(op##_s16x2, u32, u32, u32, HALVES(CHOOSE, S16, a[l], b[l]))                             \
    BINARY(op##_u16x2, u32, u32, u32, HALVES(CHOOSE, U16, a[l], b[l]))                             \
    BINARY(op##_relu_s32, s32, s32, s32, RAMP_##CHOOSE(a[l], b[l]))                                \
    BINARY(op##_relu_s16x2, u32, u32, u32, HALVES(RAMP_##CHOOSE, S16, a[l], b[l]))
MIN_MAX(min, LESSER)
MIN_MAX(max, GREATER)

#define SAD(T, D, A, as)                                                                           \
    TERNARY(sad_##T, D, A, A, D,                                                                   \
            c[l] + (as(a[l]) > as(b[l]) ? (lane_##D)a[l] - (lane_##D)b[l]                          \
                                        : (lane_##D)b[l] - (lane_##D)a[l]))
SAD(s16, u32, u32, S16)
SAD(s32, u32, s32, SAME)
SAD(u32, u32, u32, SAME)
SAD(s64, u64, s64, SAME)
SAD(u64, u64, u64, SAME)
SAD(u16, u32, u32, U16)

/* --- bits ------------------------------------------------------------------------------------ */

UNARY(popc_b32, u32, u32, bits_count_32(a[l]))
UNARY(popc_b64, u32, u64, bits_count_64(a[l]))
UNARY(clz_b32, u32, u32, bits_leading_32(a[l]))
UNARY(clz_b64, u32, u64, bits_leading_64(a[l]))
UNARY(brev_b32, u32, u32, bits_reverse_32(a[l]))
UNARY(brev_b64, u64, u64, bits_reverse_64(a[l]))

#define BFIND(T, U, top)                                                                           \
    UNARY(bfind_##T, u32, U, bits_find_##T(a[l]))                                                  \
    UNARY(bfind_shiftamt_##T, u32, U, bits_shift_amount(bits_find_##T(a[l]), top))
BFIND(s32, u32, 31)
BFIND(u32, u32, 31)
BFIND(s64, u64, 63)
BFIND(u64, u64, 63)

static void fns_b32(struct warp *w, const struct insn *i)
{
    const lane_u32 *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);
    const lane_s32 *c = UNIT(w, i->src[2]);
    EACH(w, u32, i->dst, bits_find_nth(a[l], b[l], c[l]));
}

TERNARY(bfe_s32, u32, u32, u32, u32, bits_extract_s32(a[l], b[l], c[l]))
TERNARY(bfe_u32, u32, u32, u32, u32, bits_extract_u32(a[l], b[l], c[l]))
TERNARY(bfe_s64, u64, u64, u32, u32, bits_extract_s64(a[l], b[l], c[l]))
TERNARY(bfe_u64, u64, u64, u32, u32, bits_extract_u64(a[l], b[l], c[l]))
QUATERNARY(bfi_b32, u32, u32, u32, u32, u32, bits_insert_32(a[l], b[l], c[l], e[l]))
QUATERNARY(bfi_b64, u64, u64, u64, u32, u32, bits_insert_64(a[l], b[l], c[l], e[l]))
BINARY(bmsk_clamp, u32, u32, u32, bits_mask_clamp(a[l], b[l]))
BINARY(bmsk_wrap, u32, u32, u32, bits_mask_wrap(a[l], b[l]))
BINARY(szext_clamp_s32, u32, u32, u32, bits_extend_s32(a[l], b[l]))
BINARY(szext_clamp_u32, u32, u32, u32, bits_extend_u32(a[l], b[l]))
BINARY(szext_wrap_s32, u32, u32, u32, bits_extend_s32(a[l], b[l] & 31))
BINARY(szext_wrap_u32, u32, u32, u32, bits_extend_u32(a[l], b[l] & 31))

/* --- dp4a, dp2a ------------------------------------------------------------------------------ */

#define BYTE_s32(x, k) ((int32_t)(int8_t)((x) >> 8 * (k)))
#define BYTE_u32(x, k) ((int32_t)((x) >> 8 * (k)&255))
#define HALF_s32(x, k) ((int32_t)(int16_t)((x) >> 16 * (k)))
#define HALF_u32(x, k) ((int32_t)((x) >> 16 * (k)&0xffff))
#define DP4A(A, B)                                                                                 \
    TERNARY(dp4a_##A##_##B, u32, u32, u32, u32,                                                    \
            c[l] + (uint32_t)(BYTE_##A(a[l], 0) * BYTE_##B(b[l], 0) +                              \
                              BYTE_##A(a[l], 1) * BYTE_##B(b[l], 1) +                              \
                              BYTE_##A(a[l], 2) * BYTE_##B(b[l], 2) +                              \
                              BYTE_##A(a[l], 3) * BYTE_##B(b[l], 3)))
#define DP2A(name, A, B, first)                                                                    \
    TERNARY(name, u32, u32, u32, u32,                                                              \
            c[l] + (uint32_t)(HALF_##A(a[l], 0) * BYTE_##B(b[l], first) +                          \
                              HALF_##A(a[l], 1) * BYTE_##B(b[l], first + 1)))
#define DOT(A, B)                                                                                  \
    DP4A(A, B)                                                                                     \
    DP2A(dp2a_lo_##A##_##B, A, B, 0)                                                               \
    DP2A(dp2a_hi_##A##_##B, A, B, 2)
DOT(s32, s32)
DOT(s32, u32)
DOT(u32, s32)
DOT(u32, u32)

/* --- rows, sorted by key --------------------------------------------------------------------- */

#define ROW(key, operands, fn)                                                                     \
    {                                                                                              \
        key, operands, fn, NULL, 0, 0, UNIT_INT, OPCLASS_SIMPLE, false                             \
    }
#define MUL(key, operands, fn)                                                                     \
    {                                                                                              \
        key, operands, fn, NULL, 0, 0, UNIT_INT, OPCLASS_MUL, false                                \
    }
#define DIV(key, operands, fn)                                                                     \
    {                                                                                              \
        key, operands, fn, NULL, 0, 0, UNIT_INT, OPCLASS_DIV, false                                \
    }
#define WITH(key, operands, fn, mods, general)                                                     \
    {                                                                                              \
        key, operands, fn, general, mods, 0, UNIT_INT, OPCLASS_SIMPLE, false                       \
    }
#define MULW(key, operands, fn, mods, general)                                                     \
    {                                                                                              \
        key, operands, fn, general, mods, 0, UNIT_INT, OPCLASS_MUL, false                          \
    }

static const struct op_row rows[] = {
    ROW("abs.s16", "Hh", abs_s16),
    ROW("abs.s32", "Ww", abs_s32),
    ROW("abs.s64", "Dd", abs_s64),
    ROW("add.s16", "Hhh", add_32),
    ROW("add.s16x2", "Www", add_x2),
    WITH("add.s32", "Www", add_32, MOD_SAT, add_sat),
    WITH("add.s32", "Www", add_32, MOD_CC, add_cc_u32),
    WITH("add.s64", "Ddd", add_64, MOD_CC, add_cc_u64),
    ROW("add.u16", "Hhh", add_32),
    ROW("add.u16x2", "Www", add_x2),
    WITH("add.u32", "Www", add_32, MOD_CC, add_cc_u32),
    WITH("add.u64", "Ddd", add_64, MOD_CC, add_cc_u64),
    WITH("addc.s32", "Www", addc_u32, MOD_CC, addc_u32),
    WITH("addc.s64", "Ddd", addc_u64, MOD_CC, addc_u64),
    WITH("addc.u32", "Www", addc_u32, MOD_CC, addc_u32),
    WITH("addc.u64", "Ddd", addc_u64, MOD_CC, addc_u64),
    ROW("bfe.s32", "Wwww", bfe_s32),
    ROW("bfe.s64", "Ddww", bfe_s64),
    ROW("bfe.u32", "Wwww", bfe_u32),
    ROW("bfe.u64", "Ddww", bfe_u64),
    ROW("bfi.b32", "Wwwww", bfi_b32),
    ROW("bfi.b64", "Dddww", bfi_b64),
    WITH("bfind.s32", "Ww", bfind_s32, MOD_SHIFTAMT, bfind_shiftamt_s32),
    WITH("bfind.s64", "Wd", bfind_s64, MOD_SHIFTAMT, bfind_shiftamt_s64),
    WITH("bfind.u32", "Ww", bfind_u32, MOD_SHIFTAMT, bfind_shiftamt_u32),
    WITH("bfind.u64", "Wd", bfind_u64, MOD_SHIFTAMT, bfind_shiftamt_u64),
    WITH("bmsk.b32", "Www", NULL, MOD_CLAMP, bmsk_clamp),
    WITH("bmsk.b32", "Www", NULL, MOD_WRAP, bmsk_wrap),
    ROW("brev.b32", "Ww", brev_b32),
    ROW("brev.b64", "Dd", brev_b64),
    ROW("clz.b32", "Ww", clz_b32),
    ROW("clz.b64", "Wd", clz_b64),
    DIV("div.s16", "Hhh", div_s16),
    DIV("div.s32", "Www", div_s32),
    DIV("div.s64", "Ddd", div_s64),
    DIV("div.u16", "Hhh", div_u16),
    DIV("div.u32", "Www", div_u32),
    DIV("div.u64", "Ddd", div_u64),
    MUL("dp2a.hi.s32.s32", "Wwww", dp2a_hi_s32_s32),
    MUL("dp2a.hi.s32.u32", "Wwww", dp2a_hi_s32_u32),
    MUL("dp2a.hi.u32.s32", "Wwww", dp2a_hi_u32_s32),
    MUL("dp2a.hi.u32.u32", "Wwww", dp2a_hi_u32_u32),
    MUL("dp2a.lo.s32.s32", "Wwww", dp2a_lo_s32_s32),
    MUL("dp2a.lo.s32.u32", "Wwww", dp2a_lo_s32_u32),
    MUL("dp2a.lo.u32.s32", "Wwww", dp2a_lo_u32_s32),
    MUL("dp2a.lo.u32.u32", "Wwww", dp2a_lo_u32_u32),
    MUL("dp4a.s32.s32", "Wwww", dp4a_s32_s32),
    MUL("dp4a.s32.u32", "Wwww", dp4a_s32_u32),
    MUL("dp4a.u32.s32", "Wwww", dp4a_u32_s32),
    MUL("dp4a.u32.u32", "Wwww", dp4a_u32_u32),
    ROW("fns.b32", "Wwww", fns_b32),
    MUL("mad.hi.s16", "Hhhh", mad_hi_s16),
    MULW("mad.hi.s32", "Wwww", mad_hi_s32, MOD_SAT, mad_hi_sat),
    MULW("mad.hi.s32", "Wwww", mad_hi_s32, MOD_CC, mad_cc_hi_s32),
    MULW("mad.hi.s64", "Dddd", mad_hi_s64, MOD_CC, mad_cc_hi_s64),
    MUL("mad.hi.u16", "Hhhh", mad_hi_u16),
    MULW("mad.hi.u32", "Wwww", mad_hi_u32, MOD_CC, mad_cc_hi_u32),
    MULW("mad.hi.u64", "Dddd", mad_hi_u64, MOD_CC, mad_cc_hi_u64),
    MUL("mad.lo.s16", "Hhhh", mad_lo_32),
    MULW("mad.lo.s32", "Wwww", mad_lo_32, MOD_CC, mad_cc_lo_32),
    MULW("mad.lo.s64", "Dddd", mad_lo_64, MOD_CC, mad_cc_lo_64),
    MUL("mad.lo.u16", "Hhhh", mad_lo_32),
    MULW("mad.lo.u32", "Wwww", mad_lo_32, MOD_CC, mad_cc_lo_32),
    MULW("mad.lo.u64", "Dddd", mad_lo_64, MOD_CC, mad_cc_lo_64),
    MUL("mad.wide.s16", "Whhw", mad_wide_s16),
    MUL("mad.wide.s32", "Dwwd", mad_wide_s32),
    MUL("mad.wide.u16", "Whhw", mad_wide_u16),
    MUL("mad.wide.u32", "Dwwd", mad_wide_u32),
    MULW("mad24.hi.s32", "Wwww", mad24_hi_s32, MOD_SAT, mad24_hi_sat),
    MUL("mad24.hi.u32", "Wwww", mad24_hi_u32),
    MUL("mad24.lo.s32", "Wwww", mad24_lo_s32),
    MUL("mad24.lo.u32", "Wwww", mad24_lo_u32),
    MULW("madc.hi.s32", "Wwww", madc_hi_s32, MOD_CC, madc_hi_s32),
    MULW("madc.hi.s64", "Dddd", madc_hi_s64, MOD_CC, madc_hi_s64),
    MULW("madc.hi.u32", "Wwww", madc_hi_u32, MOD_CC, madc_hi_u32),
    MULW("madc.hi.u64", "Dddd", madc_hi_u64, MOD_CC, madc_hi_u64),
    MULW("madc.lo.s32", "Wwww", madc_lo_32, MOD_CC, madc_lo_32),
    MULW("madc.lo.s64", "Dddd", madc_lo_64, MOD_CC, madc_lo_64),
    MULW("madc.lo.u32", "Wwww", madc_lo_32, MOD_CC, madc_lo_32),
    MULW("madc.lo.u64", "Dddd", madc_lo_64, MOD_CC, madc_lo_64),
    ROW("max.s16", "Hhh", max_s16),
    WITH("max.s16x2", "Www", max_s16x2, MOD_RELU, max_relu_s16x2),
    WITH("max.s32", "Www", max_s32, MOD_RELU, max_relu_s32),
    ROW("max.s64", "Ddd", max_s64),
    ROW("max.u16", "Hhh", max_u16),
    ROW("max.u16x2", "Www", max_u16x2),
    ROW("max.u32", "Www", max_u32),
    ROW("max.u64", "Ddd", max_u64),
    ROW("min.s16", "Hhh", min_s16),
    WITH("min.s16x2", "Www", min_s16x2, MOD_RELU, min_relu_s16x2),
    WITH("min.s32", "Www", min_s32, MOD_RELU, min_relu_s32),
    ROW("min.s64", "Ddd", min_s64),
    ROW("min.u16", "Hhh", min_u16),
    ROW("min.u16x2", "Www", min_u16x2),
    ROW("min.u32", "Www", min_u32),
    ROW("min.u64", "Ddd", min_u64),
    MUL("mul.hi.s16", "Hhh", mul_hi_s16),
    MUL("mul.hi.s32", "Www", mul_hi_s32),
    MUL("mul.hi.s64", "Ddd", mul_hi_s64),
    MUL("mul.hi.u16", "Hhh", mul_hi_u16),
    MUL("mul.hi.u32", "Www", mul_hi_u32),
    MUL("mul.hi.u64", "Ddd", mul_hi_u64),
    MUL("mul.lo.s16", "Hhh", mul_lo_32),
    MUL("mul.lo.s32", "Www", mul_lo_32),
    MUL("mul.lo.s64", "Ddd", mul_lo_64),
    MUL("mul.lo.u16", "Hhh", mul_lo_32),
    MUL("mul.lo.u32", "Www", mul_lo_32),
    MUL("mul.lo.u64", "Ddd", mul_lo_64),
    MUL("mul.wide.s16", "Whh", mul_wide_s16),
    MUL("mul.wide.s32", "Dww", mul_wide_s32),
    MUL("mul.wide.u16", "Whh", mul_wide_u16),
    MUL("mul.wide.u32", "Dww", mul_wide_u32),
    MUL("mul24.hi.s32", "Www", mul24_hi_s32),
    MUL("mul24.hi.u32", "Www", mul24_hi_u32),
    MUL("mul24.lo.s32", "Www", mul24_lo_s32),
    MUL("mul24.lo.u32", "Www", mul24_lo_u32),
    ROW("neg.s16", "Hh", neg_32),
    ROW("neg.s32", "Ww", neg_32),
    ROW("neg.s64", "Dd", neg_64),
    ROW("popc.b32", "Ww", popc_b32),
    ROW("popc.b64", "Wd", popc_b64),
    DIV("rem.s16", "Hhh", rem_s16),
    DIV("rem.s32", "Www", rem_s32),
    DIV("rem.s64", "Ddd", rem_s64),
    DIV("rem.u16", "Hhh", rem_u16),
    DIV("rem.u32", "Www", rem_u32),
    DIV("rem.u64", "Ddd", rem_u64),
    ROW("sad.s16", "Hhhh", sad_s16),
    ROW("sad.s32", "Wwww", sad_s32),
    ROW("sad.s64", "Dddd", sad_s64),
    ROW("sad.u16", "Hhhh", sad_u16),
    ROW("sad.u32", "Wwww", sad_u32),
    ROW("sad.u64", "Dddd", sad_u64),
    ROW("sub.s16", "Hhh", sub_32),
    WITH("sub.s32", "Www", sub_32, MOD_SAT, sub_sat),
    WITH("sub.s32", "Www", sub_32, MOD_CC, sub_cc_u32),
    WITH("sub.s64", "Ddd", sub_64, MOD_CC, sub_cc_u64),
    ROW("sub.u16", "Hhh", sub_32),
    WITH("sub.u32", "Www", sub_32, MOD_CC, sub_cc_u32),
    WITH("sub.u64", "Ddd", sub_64, MOD_CC, sub_cc_u64),
    WITH("subc.s32", "Www", subc_u32, MOD_CC, subc_u32),
    WITH("subc.s64", "Ddd", subc_u64, MOD_CC, subc_u64),
    WITH("subc.u32", "Www", subc_u32, MOD_CC, subc_u32),
    WITH("subc.u64", "Ddd", subc_u64, MOD_CC, subc_u64),
    WITH("szext.s32", "Www", NULL, MOD_CLAMP, szext_clamp_s32),
    WITH("szext.s32", "Www", NULL, MOD_WRAP, szext_wrap_s32),
    WITH("szext.u32", "Www", NULL, MOD_CLAMP, szext_clamp_u32),
    WITH("szext.u32", "Www", NULL, MOD_WRAP, szext_wrap_u32),
};
ROWS_OF(int);
