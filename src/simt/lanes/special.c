/* special.c - the approximations of f32 that hardware has in its special function unit.
 *
 * Computed in double precision and rounded once; the values at zeros, infinities and NaN are those
 * of the tables in the PTX manual. */
#include "simt/lanes/approx.h"

static inline float rsqrt(float x)
{
    return (float)(1 / sqrt((double)x));
}

static inline float sine(float x)
{
    return (float)approx_sine((double)x, 0);
}

static inline float cosine(float x)
{
    return (float)approx_sine((double)x, 1);
}

static inline float lg2(float x)
{
    return (float)approx_log2((double)x);
}

static inline float ex2(float x)
{
    return (float)approx_exp2((double)x);
}

static inline float hyperbolic_tangent(float x)
{
    return (float)approx_tanh((double)x);
}

#define FUNCTION(name)                                                                             \
    UNARY(special_##name, f32, f32, fp_canonical(name(a[l])))                                      \
    static void special_##name##_ftz(struct warp *w, const struct insn *i)                         \
    {                                                                                              \
        const lane_f32 *a = UNIT(w, i->src[0]);                                                    \
        const int32_t limit = fp_ftz_limit(MOD_FTZ);                                               \
        MAP(w, f32, i->dst, fp_finished(name(fp_flush(a[l], limit)), limit, false));               \
    }

FUNCTION(cosine)
FUNCTION(ex2)
FUNCTION(lg2)
FUNCTION(rsqrt)
FUNCTION(sine)
UNARY(special_tanh, f32, f32, fp_canonical(hyperbolic_tangent(a[l])))

#define ROW(key, name)                                                                             \
    {                                                                                              \
        key, "Ww", special_##name, special_##name##_ftz, MOD_APPROX | MOD_FTZ, MOD_APPROX,         \
            UNIT_SFU, OPCLASS_SPECIAL, false                                                       \
    }

static const struct op_row rows[] = {
    /* sorted by key */
    ROW("cos.f32", cosine),
    ROW("ex2.f32", ex2),
    ROW("lg2.f32", lg2),
    ROW("rsqrt.f32", rsqrt),
    ROW("sin.f32", sine),
    {"tanh.f32", "Ww", special_tanh, NULL, MOD_APPROX, MOD_APPROX, UNIT_SFU, OPCLASS_SPECIAL,
     false},
};

ROWS_OF(special);
