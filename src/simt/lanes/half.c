/* half.c - the 16-bit formats f16 and bf16, alone and in pairs.
 *
 * A number becomes a double, where sums and products of two are exact or so close that rounding
 * twice is rounding once (53 >= 2 * 11 + 2 bits), and is rounded in integers.  fma sums a product
 * of twice the width, so its sum is made odd when it is not exact: that keeps it on its side of
 * every tie.  The modifiers are data, not other loops: these are not the instructions that
 * programs spend their time in. */
#include "simt/lanes/approx.h"

struct half_format {
    int fraction;      /* bits */
    uint32_t infinity; /* above it: NaN */
    uint32_t one;
    int bias_difference; /* double's less this format's */
    double least_normal;
    double anchor; /* its last place is that of subnormal numbers */
};

static const struct half_format f16 = {10, 0x7c00, 0x3c00, 1023 - 15, 0x1p-14, 0x1p28};
static const struct half_format bf16 = {7, 0x7f80, 0x3f80, 1023 - 127, 0x1p-126, 0x1p-81};

struct half_mods {
    uint32_t least; /* magnitudes below are flushed to zero */
    bool sat, relu, nan_wins;
    uint32_t xor_sign, drop_sign; /* masks of the sign bit, or 0 */
};

static inline struct half_mods half_mods_of(const struct half_format *f, uint32_t mod)
{
    return (struct half_mods){
        .least = mod & MOD_FTZ ? 1u << f->fraction : 0,
        .sat = (mod & MOD_SAT) != 0,
        .relu = (mod & MOD_RELU) != 0,
        .nan_wins = (mod & MOD_NAN) != 0,
        .xor_sign = mod & MOD_XORSIGN ? 0x8000 : 0,
        .drop_sign = mod & (MOD_XORSIGN | MOD_ABS) ? 0x8000 : 0,
    };
}

static inline uint32_t half_flush(uint32_t h, const struct half_mods *m)
{
    return (h & 0x7fff) < m->least ? h & 0x8000 : h;
}

/* h has nothing above its 16 bits. */
static inline double half_widen(const struct half_format *f, uint32_t h)
{
    uint64_t size = h & 0x7fff, sign = (uint64_t)(h & 0x8000) << 48;
    uint64_t normal = (size << (52 - f->fraction)) + ((uint64_t)f->bias_difference << 52);
    uint64_t subnormal = fp_bits64(fp_from64(fp_bits64(f->anchor) + size) - f->anchor);
    uint64_t special = size << (52 - f->fraction) | 0x7ff0000000000000;
    uint64_t finite = size < (1u << f->fraction) ? subnormal : normal;
    return fp_from64(sign | (size < f->infinity ? finite : special));
}

static inline uint32_t half_narrow(const struct half_format *f, double x)
{
    const int dropped = 52 - f->fraction;
    uint64_t bits = fp_bits64(x), size = bits & ~FP_SIGN64;
    uint64_t half_less_one = (UINT64_C(1) << (dropped - 1)) - 1;
    uint64_t even = (size + half_less_one + (size >> dropped & 1)) >> dropped;
    uint32_t normal = (uint32_t)even - ((uint32_t)f->bias_difference << f->fraction);
    uint64_t anchored = fp_bits64(approx_size(x) + f->anchor);
    uint32_t subnormal = (uint32_t)(anchored - fp_bits64(f->anchor));
    uint32_t finite = approx_size(x) < f->least_normal ? subnormal : normal;
    uint32_t number = finite > f->infinity ? f->infinity : finite;
    uint32_t sign = (uint32_t)(bits >> 48) & 0x8000;
    return x == x ? number | sign : 0x7fff;
}

static inline uint32_t half_finished(const struct half_format *f, double x,
                                     const struct half_mods *m)
{
    uint32_t h = half_flush(half_narrow(f, x), m);
    uint32_t positive = h & 0x8000 ? 0 : h;
    uint32_t below_one = positive > f->one ? f->one : positive;
    uint32_t saturated = positive > f->infinity ? 0 : below_one; /* NaN becomes +0 */
    uint32_t clamped = m->sat ? saturated : h;
    return m->relu ? positive : clamped;
}

static inline double half_number(const struct half_format *f, uint32_t h, const struct half_mods *m)
{
    return half_widen(f, half_flush(h, m));
}

/* p + c rounded to odd: exact, or with its last bit set and between the same neighbours. */
static inline double half_odd_sum(double p, double c)
{
    double sum = p + c, from_c = sum - p;
    double error = (p - (sum - from_c)) + (c - from_c);
    uint64_t bits = fp_bits64(sum), even = ~bits & 1;
    bool is_outward = (error > 0) == (sum > 0);
    uint64_t odd = is_outward ? bits + even : bits - even;
    return ((error > 0) | (error < 0)) ? fp_from64(odd) : sum; /* no error of infinity and NaN */
}

/* --- one element: 16 bits in, 16 bits out ----------------------------------------------------- */

typedef const struct half_format format;
typedef const struct half_mods mods;

#define NUMBER(h) half_number(f, h, m)

static inline uint32_t add(format *f, mods *m, uint32_t x, uint32_t y)
{
    return half_finished(f, NUMBER(x) + NUMBER(y), m);
}

static inline uint32_t sub(format *f, mods *m, uint32_t x, uint32_t y)
{
    return half_finished(f, NUMBER(x) - NUMBER(y), m);
}

static inline uint32_t mul(format *f, mods *m, uint32_t x, uint32_t y)
{
    return half_finished(f, NUMBER(x) * NUMBER(y), m);
}

static inline uint32_t multiply_add(format *f, mods *m, uint32_t x, uint32_t y, uint32_t z)
{
    return half_finished(f, half_odd_sum(NUMBER(x) * NUMBER(y), NUMBER(z)), m);
}

static inline uint32_t ex2(format *f, mods *m, uint32_t x)
{
    return half_finished(f, approx_exp2(NUMBER(x)), m);
}

static inline uint32_t hyperbolic_tangent(format *f, mods *m, uint32_t x)
{
    return half_finished(f, approx_tanh(NUMBER(x)), m);
}

static inline uint32_t negative(format *f, mods *m, uint32_t x)
{
    (void)f;
    return half_flush(x, m) ^ 0x8000;
}

static inline uint32_t magnitude(format *f, mods *m, uint32_t x)
{
    (void)f;
    return half_flush(x, m) & 0x7fff;
}

/* Orders all numbers as integers, -0 before +0. */
static inline int32_t rank(uint32_t h)
{
    int32_t size = (int32_t)(h & 0x7fff);
    return h & 0x8000 ? -size - 1 : size;
}

static inline uint32_t pick(format *f, mods *m, uint32_t x, uint32_t y, int32_t direction)
{
    uint32_t from_x = half_flush(x, m), from_y = half_flush(y, m);
    uint32_t sign = (from_x ^ from_y) & m->xor_sign;
    from_x &= ~m->drop_sign;
    from_y &= ~m->drop_sign;
    bool x_nan = (from_x & 0x7fff) > f->infinity, y_nan = (from_y & 0x7fff) > f->infinity;
    uint32_t best = direction * rank(from_x) > direction * rank(from_y) ? from_x : from_y;
    uint32_t number = y_nan ? from_x : best;
    number = x_nan ? from_y : number;
    bool is_nan = (x_nan & y_nan) | (m->nan_wins & (x_nan | y_nan));
    return is_nan ? 0x7fff : number | sign;
}

static inline uint32_t lesser(format *f, mods *m, uint32_t x, uint32_t y)
{
    return pick(f, m, x, y, -1);
}

static inline uint32_t greater(format *f, mods *m, uint32_t x, uint32_t y)
{
    return pick(f, m, x, y, 1);
}

/* --- handlers --------------------------------------------------------------------------------- */

#define LOW(h) ((h)[l] & 0xffff)
#define HIGH(h) ((h)[l] >> 16)
#define MODS(type, always) const struct half_mods m = half_mods_of(&type, i->mod | (always))

#define HANDLERS_1(type, name, always)                                                             \
    static void type##_##name(struct warp *w, const struct insn *i)                                \
    {                                                                                              \
        const lane_u32 *a = UNIT(w, i->src[0]);                                                    \
        MODS(type, always);                                                                        \
        MAP(w, u32, i->dst, name(&type, &m, LOW(a)));                                              \
    }                                                                                              \
    static void type##x2_##name(struct warp *w, const struct insn *i)                              \
    {                                                                                              \
        const lane_u32 *a = UNIT(w, i->src[0]);                                                    \
        MODS(type, always);                                                                        \
        MAP(w, u32, i->dst, name(&type, &m, LOW(a)) | name(&type, &m, HIGH(a)) << 16);             \
    }

#define HANDLERS_2(type, name)                                                                     \
    static void type##_##name(struct warp *w, const struct insn *i)                                \
    {                                                                                              \
        const lane_u32 *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        MODS(type, 0);                                                                             \
        MAP(w, u32, i->dst, name(&type, &m, LOW(a), LOW(b)));                                      \
    }                                                                                              \
    static void type##x2_##name(struct warp *w, const struct insn *i)                              \
    {                                                                                              \
        const lane_u32 *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        MODS(type, 0);                                                                             \
        MAP(w, u32, i->dst,                                                                        \
            name(&type, &m, LOW(a), LOW(b)) | name(&type, &m, HIGH(a), HIGH(b)) << 16);            \
    }

#define HANDLERS_3(type, name)                                                                     \
    static void type##_##name(struct warp *w, const struct insn *i)                                \
    {                                                                                              \
        const lane_u32 *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]), *c = UNIT(w, i->src[2]);  \
        MODS(type, 0);                                                                             \
        MAP(w, u32, i->dst, name(&type, &m, LOW(a), LOW(b), LOW(c)));                              \
    }                                                                                              \
    static void type##x2_##name(struct warp *w, const struct insn *i)                              \
    {                                                                                              \
        const lane_u32 *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]), *c = UNIT(w, i->src[2]);  \
        MODS(type, 0);                                                                             \
        MAP(w, u32, i->dst,                                                                        \
            name(&type, &m, LOW(a), LOW(b), LOW(c)) | name(&type, &m, HIGH(a), HIGH(b), HIGH(c))   \
                                                          << 16);                                  \
    }

/* ex2 of bf16 exists with .ftz only, that of f16 without. */
#define ALL_HANDLERS(type, ex2_mods)                                                               \
    HANDLERS_2(type, add)                                                                          \
    HANDLERS_2(type, sub)                                                                          \
    HANDLERS_2(type, mul)                                                                          \
    HANDLERS_3(type, multiply_add)                                                                 \
    HANDLERS_1(type, ex2, ex2_mods)                                                                \
    HANDLERS_1(type, hyperbolic_tangent, 0)                                                        \
    HANDLERS_1(type, negative, 0)                                                                  \
    HANDLERS_1(type, magnitude, 0)                                                                 \
    HANDLERS_2(type, lesser)                                                                       \
    HANDLERS_2(type, greater)

ALL_HANDLERS(f16, 0)
ALL_HANDLERS(bf16, MOD_FTZ)

#define ROW(key, operands, fn, mods, unit, class)                                                  \
    {                                                                                              \
        key, operands, fn, NULL, mods, mods, UNIT_##unit, OPCLASS_##class, false                   \
    }
/* One operation on the four types; `only` is for f16 and f16x2 alone. */
#define ROWS(name, of_one, of_two, fn, both, only, unit, class)                                    \
    ROW(name ".bf16", of_one, bf16_##fn, both, unit, class),                                       \
        ROW(name ".bf16x2", of_two, bf16x2_##fn, both, unit, class),                               \
        ROW(name ".f16", of_one, f16_##fn, (both) | (only), unit, class),                          \
        ROW(name ".f16x2", of_two, f16x2_##fn, (both) | (only), unit, class)

#define PICK (MOD_NAN | MOD_XORSIGN | MOD_ABS)

static const struct op_row rows[] = {
    /* sorted by key */
    ROWS("abs", "Hh", "Ww", magnitude, 0, MOD_FTZ, FP16, SIMPLE),
    ROWS("add", "Hhh", "Www", add, MOD_RN, MOD_FTZ | MOD_SAT, FP16, SIMPLE),
    ROW("ex2.bf16", "Hh", bf16_ex2, MOD_APPROX | MOD_FTZ, SFU, SPECIAL),
    ROW("ex2.bf16x2", "Ww", bf16x2_ex2, MOD_APPROX | MOD_FTZ, SFU, SPECIAL),
    ROW("ex2.f16", "Hh", f16_ex2, MOD_APPROX, SFU, SPECIAL),
    ROW("ex2.f16x2", "Ww", f16x2_ex2, MOD_APPROX, SFU, SPECIAL),
    ROWS("fma", "Hhhh", "Wwww", multiply_add, MOD_RN | MOD_RELU, MOD_FTZ | MOD_SAT, FP16, FMA),
    ROWS("max", "Hhh", "Www", greater, PICK, MOD_FTZ, FP16, SIMPLE),
    ROWS("min", "Hhh", "Www", lesser, PICK, MOD_FTZ, FP16, SIMPLE),
    ROWS("mul", "Hhh", "Www", mul, MOD_RN, MOD_FTZ | MOD_SAT, FP16, MUL),
    ROWS("neg", "Hh", "Ww", negative, 0, MOD_FTZ, FP16, SIMPLE),
    ROWS("sub", "Hhh", "Www", sub, MOD_RN, MOD_FTZ | MOD_SAT, FP16, SIMPLE),
    ROWS("tanh", "Hh", "Ww", hyperbolic_tangent, MOD_APPROX, 0, SFU, SPECIAL),
};

ROWS_OF(half);
