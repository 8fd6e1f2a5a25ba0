/* f64.c - double precision: add sub mul fma mad div rcp sqrt rsqrt min max neg abs copysign.
 *
 * As f32.c, but there is no flushing and no saturation, so a general form is a directed rounding.
 * The approximations that PTX has for reciprocals work on the upper half of the number only:
 * compilers refine them. */
#include <math.h>

#include "simt/lanes/fp.h"

/* Lane by lane, with the rounding of i->mod; `implied` is the first operand when PTX does not
 * write it (the 1 of a reciprocal). */
static void exact(struct warp *w, const struct insn *i, enum softfp_op op, int n,
                  const double *implied)
{
    const int first = implied != NULL;
    const lane_f64 *source[3] = {NULL};
    for (int k = 0; k < n; k++)
        source[k] = UNIT(w, i->src[k]);
    lane_u64 *d = UNIT(w, i->dst);
    for (int l = 0; l < WARP_LANES; l++) {
        if (!(w->exec >> l & 1))
            continue;
        uint64_t operand[4] = {implied ? fp_bits64(*implied) : 0};
        for (int k = 0; k < n; k++)
            operand[first + k] = fp_bits64(source[k][l]);
        d[l] = softfp_apply(&softfp_f64, op, fp_round(i->mod), operand);
    }
}

#define DIRECTED(name, op, n, implied)                                                             \
    static void f64_##name##_general(struct warp *w, const struct insn *i)                         \
    {                                                                                              \
        exact(w, i, op, n, implied);                                                               \
    }

/* NaNs of one operand are those of the host; of several, the first. */
#define SETTLED_1(result) fp_settled(result, a[l], a[l], a[l])
#define SETTLED_2(result) fp_settled(result, a[l], b[l], b[l])
#define SETTLED_3(result) fp_settled(result, a[l], b[l], c[l])

BINARY(f64_add, f64, f64, f64, SETTLED_2(a[l] + b[l]))
BINARY(f64_sub, f64, f64, f64, SETTLED_2(a[l] - b[l]))
BINARY(f64_mul, f64, f64, f64, SETTLED_2(a[l] * b[l]))
TERNARY(f64_fma, f64, f64, f64, f64, SETTLED_3(fma(a[l], b[l], c[l])))
BINARY(f64_div, f64, f64, f64, SETTLED_2(a[l] / b[l]))
UNARY(f64_rcp, f64, f64, SETTLED_1(1 / a[l]))
UNARY(f64_sqrt, f64, f64, SETTLED_1(sqrt(a[l])))

static const double one = 1;

DIRECTED(add, SOFTFP_ADD, 2, NULL)
DIRECTED(sub, SOFTFP_SUB, 2, NULL)
DIRECTED(mul, SOFTFP_MUL, 2, NULL)
DIRECTED(fma, SOFTFP_FMA, 3, NULL)
DIRECTED(div, SOFTFP_DIV, 2, NULL)
DIRECTED(rcp, SOFTFP_DIV, 1, &one)
DIRECTED(sqrt, SOFTFP_SQRT, 1, NULL)

/* --- approximations --------------------------------------------------------------------------- */

static inline double flushed(double x)
{
    uint64_t bits = fp_bits64(x);
    return (bits & 0x7ff0000000000000) ? x : fp_from64(bits & FP_SIGN64);
}

/* The upper 32 bits of x, which are all that the hardware reads; a NaN stays one. */
static inline double upper_half(double x)
{
    uint64_t quiet = x == x ? 0 : FP_QUIET64;
    return flushed(fp_from64((fp_bits64(x) | quiet) & 0xffffffff00000000));
}

/* To 20 bits of fraction; a carry beyond the largest number makes infinity. */
static inline double rounded_to_upper_half(double x)
{
    uint64_t bits = fp_bits64(x), rounded = (bits + 0x80000000) & 0xffffffff00000000;
    return flushed(fp_from64(x == x ? rounded : bits & 0xffffffff00000000));
}

static inline double gross_rcp(double x)
{
    return rounded_to_upper_half(fp_settled(1 / upper_half(x), upper_half(x), x, x));
}

static inline double gross_rsqrt(double x)
{
    return rounded_to_upper_half(fp_settled(1 / sqrt(upper_half(x)), upper_half(x), x, x));
}

UNARY(f64_rcp_gross, f64, f64, gross_rcp(a[l]))
UNARY(f64_rsqrt_gross, f64, f64, gross_rsqrt(a[l]))
UNARY(f64_rsqrt, f64, f64, SETTLED_1(1 / sqrt(a[l])))

/* --- no rounding ------------------------------------------------------------------------------ */

/* See f32.c. */
static inline double lesser(double x, double y)
{
    double ordered = x < y ? x : y;
    double best = x == y ? fp_from64(fp_bits64(x) | fp_bits64(y)) : ordered;
    return fp_settled(y == y ? best : x, x, y, y);
}

static inline double greater(double x, double y)
{
    double ordered = x > y ? x : y;
    double best = x == y ? fp_from64(fp_bits64(x) & fp_bits64(y)) : ordered;
    return fp_settled(y == y ? best : x, x, y, y);
}

BINARY(f64_min, f64, f64, f64, lesser(a[l], b[l]))
BINARY(f64_max, f64, f64, f64, greater(a[l], b[l]))
UNARY(f64_neg, u64, u64, a[l] ^ FP_SIGN64)
UNARY(f64_abs, u64, u64, a[l] & ~FP_SIGN64)
BINARY(f64_copysign, u64, u64, u64, (a[l] & FP_SIGN64) | (b[l] & ~FP_SIGN64))

#define ROW(key, operands, name, class)                                                            \
    {                                                                                              \
        key, operands, f64_##name, f64_##name##_general, MOD_ROUND, MOD_RN, UNIT_FP64,             \
            OPCLASS_##class, false                                                                 \
    }
#define ONE_FORM(key, operands, name, mods, unit, class)                                           \
    {                                                                                              \
        key, operands, f64_##name, NULL, mods, mods, UNIT_##unit, OPCLASS_##class, false           \
    }

static const struct op_row rows[] = {
    /* sorted by key */
    ONE_FORM("abs.f64", "Dd", abs, 0, FP64, SIMPLE),
    ROW("add.f64", "Ddd", add, SIMPLE),
    ONE_FORM("copysign.f64", "Ddd", copysign, 0, FP64, SIMPLE),
    ROW("div.f64", "Ddd", div, FDIV),
    ROW("fma.f64", "Dddd", fma, FMA),
    ROW("mad.f64", "Dddd", fma, FMA),
    ONE_FORM("max.f64", "Ddd", max, 0, FP64, SIMPLE),
    ONE_FORM("min.f64", "Ddd", min, 0, FP64, SIMPLE),
    ROW("mul.f64", "Ddd", mul, MUL),
    ONE_FORM("neg.f64", "Dd", neg, 0, FP64, SIMPLE),
    ROW("rcp.f64", "Dd", rcp, FDIV),
    ONE_FORM("rcp.f64", "Dd", rcp_gross, MOD_APPROX | MOD_FTZ, SFU, SPECIAL),
    ONE_FORM("rsqrt.f64", "Dd", rsqrt, MOD_APPROX, FP64, FDIV), /* a subroutine in hardware */
    ONE_FORM("rsqrt.f64", "Dd", rsqrt_gross, MOD_APPROX | MOD_FTZ, SFU, SPECIAL),
    ROW("sqrt.f64", "Dd", sqrt, FDIV),
    ROW("sub.f64", "Ddd", sub, SIMPLE),
};

ROWS_OF(f64);
