/* f32.c - single precision: add sub mul fma mad div rcp sqrt min max neg abs copysign.
 *
 * Each operation has a handler for its plain form and one for the others, both lane loops.  Only
 * directed rounding leaves them for softfp.h: it is rare, and no vector instruction does it.
 * The approximate divisions and roots are the exact ones, which keeps any bound PTX gives. */
#include <math.h>

#include "simt/lanes/fp.h"

/* Lane by lane, with the rounding of i->mod; `implied` is the first operand when PTX does not
 * write it (the 1 of a reciprocal). */
static void exact(struct warp *w, const struct insn *i, enum softfp_op op, int n,
                  const float *implied)
{
    const int32_t limit = fp_ftz_limit(i->mod);
    const bool sat = (i->mod & MOD_SAT) != 0;
    lane_f32 *d = UNIT(w, i->dst);
    for (int l = 0; l < WARP_LANES; l++) {
        if (!(w->exec >> l & 1))
            continue;
        uint64_t operand[4] = {implied ? fp_bits32(*implied) : 0};
        for (int k = 0; k < n; k++) {
            const lane_f32 *source = UNIT(w, i->src[k]);
            operand[k + (implied != NULL)] = fp_bits32(fp_flush(source[l], limit));
        }
        uint64_t bits = softfp_apply(&softfp_f32, op, fp_round(i->mod), operand);
        d[l] = fp_finished(fp_from32((uint32_t)bits), limit, sat);
    }
}

/* name(x, ..) is the value rounded to nearest; with other roundings, softfp's `op`. */
#define ROUNDED_1(name, op, implied)                                                               \
    UNARY(f32_##name, f32, f32, fp_canonical(name(a[l])))                                          \
    static void f32_##name##_general(struct warp *w, const struct insn *i)                         \
    {                                                                                              \
        if (fp_is_directed(i->mod)) {                                                              \
            exact(w, i, op, 1, implied);                                                           \
            return;                                                                                \
        }                                                                                          \
        const lane_f32 *a = UNIT(w, i->src[0]);                                                    \
        const int32_t limit = fp_ftz_limit(i->mod);                                                \
        MAP(w, f32, i->dst, fp_finished(name(fp_flush(a[l], limit)), limit, false));               \
    }

#define ROUNDED_2(name, op)                                                                        \
    BINARY(f32_##name, f32, f32, f32, fp_canonical(name(a[l], b[l])))                              \
    static void f32_##name##_general(struct warp *w, const struct insn *i)                         \
    {                                                                                              \
        if (fp_is_directed(i->mod)) {                                                              \
            exact(w, i, op, 2, NULL);                                                              \
            return;                                                                                \
        }                                                                                          \
        const lane_f32 *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        const int32_t limit = fp_ftz_limit(i->mod);                                                \
        const bool sat = (i->mod & MOD_SAT) != 0;                                                  \
        MAP(w, f32, i->dst,                                                                        \
            fp_finished(name(fp_flush(a[l], limit), fp_flush(b[l], limit)), limit, sat));          \
    }

static inline float add(float x, float y)
{
    return x + y;
}

static inline float sub(float x, float y)
{
    return x - y;
}

static inline float mul(float x, float y)
{
    return x * y;
}

static inline float quotient(float x, float y)
{
    return x / y;
}

/* PTX: the reciprocal of |y| > 2^126 is taken as 0. */
static inline float quotient_approx(float x, float y)
{
    const int32_t largest = 0x7e800000; /* 2^126 */
    uint32_t bits = fp_bits32(y), infinite = (bits & FP_SIGN32) | 0x7f800000;
    bool has_reciprocal = (int32_t)(bits & ~FP_SIGN32) <= largest;
    return x / (y != y ? y : fp_from32(has_reciprocal ? bits : infinite));
}

static inline float reciprocal(float x)
{
    return 1 / x;
}

static inline float root(float x)
{
    return sqrtf(x);
}

static const float one = 1;

ROUNDED_2(add, SOFTFP_ADD)
ROUNDED_2(sub, SOFTFP_SUB)
ROUNDED_2(mul, SOFTFP_MUL)
ROUNDED_2(quotient, SOFTFP_DIV)
ROUNDED_2(quotient_approx, SOFTFP_DIV)
ROUNDED_1(reciprocal, SOFTFP_DIV, &one)
ROUNDED_1(root, SOFTFP_SQRT, NULL)

TERNARY(f32_fma, f32, f32, f32, f32, fp_canonical(fmaf(a[l], b[l], c[l])))

static void f32_fma_general(struct warp *w, const struct insn *i)
{
    if (fp_is_directed(i->mod)) {
        exact(w, i, SOFTFP_FMA, 3, NULL);
        return;
    }
    const lane_f32 *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]), *c = UNIT(w, i->src[2]);
    const int32_t limit = fp_ftz_limit(i->mod);
    const bool sat = (i->mod & MOD_SAT) != 0;
    MAP(w, f32, i->dst,
        fp_finished(fmaf(fp_flush(a[l], limit), fp_flush(b[l], limit), fp_flush(c[l], limit)),
                    limit, sat));
}

/* --- no rounding ------------------------------------------------------------------------------ */

/* -0 is less than +0: where x and y are equal, the bits they share are those of the larger one.
 * A comparison with a NaN is false, so y is the one to look at: a number beats a NaN. */
static inline float lesser(float x, float y)
{
    float ordered = x < y ? x : y;
    float best = x == y ? fp_from32(fp_bits32(x) | fp_bits32(y)) : ordered;
    return fp_canonical(y == y ? best : x);
}

static inline float greater(float x, float y)
{
    float ordered = x > y ? x : y;
    float best = x == y ? fp_from32(fp_bits32(x) & fp_bits32(y)) : ordered;
    return fp_canonical(y == y ? best : x);
}

struct choice { /* the modifiers of min and max */
    int32_t limit;
    uint32_t xor_sign, drop_sign; /* masks of the sign bit, or 0 */
    bool nan_wins;
};

static struct choice choice_of(uint32_t mod)
{
    return (struct choice){
        .limit = fp_ftz_limit(mod),
        .xor_sign = mod & MOD_XORSIGN ? FP_SIGN32 : 0,
        .drop_sign = mod & (MOD_XORSIGN | MOD_ABS) ? FP_SIGN32 : 0,
        .nan_wins = (mod & MOD_NAN) != 0,
    };
}

static inline float chosen(float best, float x, float y, uint32_t sign, bool nan_wins)
{
    float number = fp_from32(fp_bits32(best) | sign), nan = fp_from32(0x7fffffff);
    bool has_nan = (x != x) | (y != y);
    return ((best != best) | (has_nan & nan_wins)) ? nan : number;
}

#define CHOICE(name)                                                                               \
    BINARY(f32_##name, f32, f32, f32, name(a[l], b[l]))                                            \
    static inline float name##_modified(float x, float y, const struct choice *c)                  \
    {                                                                                              \
        uint32_t bits_x = fp_bits32(fp_flush(x, c->limit));                                        \
        uint32_t bits_y = fp_bits32(fp_flush(y, c->limit));                                        \
        float from_x = fp_from32(bits_x & ~c->drop_sign);                                          \
        float from_y = fp_from32(bits_y & ~c->drop_sign);                                          \
        return chosen(name(from_x, from_y), from_x, from_y, (bits_x ^ bits_y) & c->xor_sign,       \
                      c->nan_wins);                                                                \
    }                                                                                              \
    static void f32_##name##_general(struct warp *w, const struct insn *i)                         \
    {                                                                                              \
        const lane_f32 *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);                           \
        const struct choice c = choice_of(i->mod);                                                 \
        MAP(w, f32, i->dst, name##_modified(a[l], b[l], &c));                                      \
    }

CHOICE(lesser)
CHOICE(greater)

static void f32_neg(struct warp *w, const struct insn *i)
{
    const lane_f32 *a = UNIT(w, i->src[0]);
    const int32_t limit = fp_ftz_limit(i->mod);
    MAP(w, f32, i->dst, -fp_flush(a[l], limit));
}

static void f32_abs(struct warp *w, const struct insn *i)
{
    const lane_f32 *a = UNIT(w, i->src[0]);
    const int32_t limit = fp_ftz_limit(i->mod);
    MAP(w, f32, i->dst, fp_from32(fp_bits32(fp_flush(a[l], limit)) & ~FP_SIGN32));
}

/* The sign of a on the magnitude of b. */
BINARY(f32_copysign, u32, u32, u32, (a[l] & FP_SIGN32) | (b[l] & ~FP_SIGN32))

#define ARITHMETIC (MOD_ROUND | MOD_FTZ | MOD_SAT)
#define PICK (MOD_FTZ | MOD_NAN | MOD_XORSIGN | MOD_ABS)
#define ROW(key, operands, name, mods, plain, unit, class)                                         \
    {                                                                                              \
        key, operands, f32_##name, f32_##name##_general, mods, plain, UNIT_##unit,                 \
            OPCLASS_##class, false                                                                 \
    }
#define ONE_FORM(key, operands, name, mods)                                                        \
    {                                                                                              \
        key, operands, f32_##name, NULL, mods, mods, UNIT_FP32, OPCLASS_SIMPLE, false              \
    }

static const struct op_row rows[] = {
    /* sorted by key */
    ONE_FORM("abs.f32", "Ww", abs, MOD_FTZ),
    ROW("add.f32", "Www", add, ARITHMETIC, MOD_RN, FP32, SIMPLE),
    ONE_FORM("copysign.f32", "Www", copysign, 0),
    ROW("div.f32", "Www", quotient, MOD_ROUND | MOD_FTZ, MOD_RN, FP32, FDIV),
    ROW("div.f32", "Www", quotient, MOD_FULL | MOD_FTZ, MOD_FULL, SFU, SPECIAL),
    ROW("div.f32", "Www", quotient_approx, MOD_APPROX | MOD_FTZ, MOD_APPROX, SFU, SPECIAL),
    ROW("fma.f32", "Wwww", fma, ARITHMETIC, MOD_RN, FP32, FMA),
    ROW("mad.f32", "Wwww", fma, ARITHMETIC, MOD_RN, FP32, FMA),
    ROW("max.f32", "Www", greater, PICK, 0, FP32, SIMPLE),
    ROW("min.f32", "Www", lesser, PICK, 0, FP32, SIMPLE),
    ROW("mul.f32", "Www", mul, ARITHMETIC, MOD_RN, FP32, MUL),
    ONE_FORM("neg.f32", "Ww", neg, MOD_FTZ),
    ROW("rcp.f32", "Ww", reciprocal, MOD_ROUND | MOD_FTZ, MOD_RN, FP32, FDIV),
    ROW("rcp.f32", "Ww", reciprocal, MOD_APPROX | MOD_FTZ, MOD_APPROX, SFU, SPECIAL),
    ROW("sqrt.f32", "Ww", root, MOD_ROUND | MOD_FTZ, MOD_RN, FP32, FDIV),
    ROW("sqrt.f32", "Ww", root, MOD_APPROX | MOD_FTZ, MOD_APPROX, SFU, SPECIAL),
    ROW("sub.f32", "Www", sub, ARITHMETIC, MOD_RN, FP32, SIMPLE),
};

ROWS_OF(f32);
