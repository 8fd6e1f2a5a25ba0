/* heddle_names.h - mathematics under its usual names (heddle_cuda.h).
 *
 * Macros, so that they mean ours with nvcc as well, which has its own functions of these names:
 * with other last bits. */
#ifndef HEDDLE_NAMES_H
#define HEDDLE_NAMES_H

#define fmaf hm_fmaf
#define sqrtf hm_sqrtf
#define rsqrtf hm_rsqrtf
#define fabsf hm_fabsf
#define copysignf hm_copysignf
#define floorf hm_floorf
#define ceilf hm_ceilf
#define truncf hm_truncf
#define rintf hm_rintf
#define roundf hm_roundf
#define fmodf hm_fmodf
#define fminf hm_fminf
#define fmaxf hm_fmaxf
#define expf hm_expf
#define exp2f hm_exp2f
#define logf hm_logf
#define log2f hm_log2f
#define powf hm_powf
#define tanhf hm_tanhf
#define sinf hm_sinf
#define cosf hm_cosf
#define sincosf hm_sincosf
#define tanf hm_tanf
#define atanf hm_atanf
#define atan2f hm_atan2f
#define acosf hm_acosf
#define asinf hm_asinf

/* --- by the type of the argument ------------------------------------------------------------- */

#define HD_GENERIC(name)                                                                           \
    HD_DEVICE double hd_##name(double x)                                                           \
    {                                                                                              \
        return hm_##name(x);                                                                       \
    }                                                                                              \
    HD_DEVICE float hd_##name(float x)                                                             \
    {                                                                                              \
        return hm_##name##f(x);                                                                    \
    }                                                                                              \
    HD_DEVICE double hd_##name(int x)                                                              \
    {                                                                                              \
        return hm_##name((double)x);                                                               \
    }
HD_GENERIC(sqrt)
HD_GENERIC(rsqrt)
HD_GENERIC(fabs)
HD_GENERIC(floor)
HD_GENERIC(ceil)
HD_GENERIC(trunc)
HD_GENERIC(rint)
HD_GENERIC(exp)
HD_GENERIC(log)
HD_GENERIC(sin)
HD_GENERIC(cos)
#undef HD_GENERIC
HD_DEVICE double hd_pow(double x, double y)
{
    return hm_pow(x, y);
}
HD_DEVICE float hd_pow(float x, float y)
{
    return hm_powf(x, y);
}
HD_DEVICE double hd_fma(double a, double b, double c)
{
    return hm_fma(a, b, c);
}
HD_DEVICE float hd_fma(float a, float b, float c)
{
    return hm_fmaf(a, b, c);
}

#define sqrt hd_sqrt
#define rsqrt hd_rsqrt
#define fabs hd_fabs
#define floor hd_floor
#define ceil hd_ceil
#define trunc hd_trunc
#define rint hd_rint
#define exp hd_exp
#define log hd_log
#define sin hd_sin
#define cos hd_cos
#define pow hd_pow
#define fma hd_fma
#define fmin hm_fmin
#define fmax hm_fmax

/* --- fast forms, and roundings by name --------------------------------------------------------- */

#define __expf hd_fast_expf
#define __logf hd_fast_logf
#define __log2f hd_fast_log2f
#define __powf hd_fast_powf
#define __sinf hd_fast_sinf
#define __cosf hd_fast_cosf
#define __sincosf hd_fast_sincosf
#define __tanf hd_fast_tanf
#define __fdividef hd_fast_dividef
#define __saturatef hd_saturate
#define __fsqrt_rn hm_sqrtf
#define __dsqrt_rn hm_sqrt

#endif
