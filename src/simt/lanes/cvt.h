/* cvt.h - the steps of a conversion: numbers rounded to integral ones, clamped to integers, or
 * packed into a format with any rounding.  Arrays are the lanes of a warp; each loop does one
 * thing, since a floating-point operation behind a condition keeps a loop scalar. */
#ifndef HEDDLE_SIMT_LANES_CVT_H
#define HEDDLE_SIMT_LANES_CVT_H

#include <math.h>

#include "simt/lanes/convert.h"

#define CVT_INTEGRAL (MOD_RNI | MOD_RZI | MOD_RMI | MOD_RPI)

static const struct softfp_format cvt_f16 = {11, 5, 0x7fff, false};
static const struct softfp_format cvt_bf16 = {8, 8, 0x7fff, false};

#define CVT_ROUND_LANES(T, x, mod, suffix)                                                         \
    do {                                                                                           \
        if ((mod)&MOD_RNI)                                                                         \
            FOR_LANES(l) x[l] = rint##suffix(x[l]);                                                \
        else if ((mod)&MOD_RMI)                                                                    \
            FOR_LANES(l) x[l] = floor##suffix(x[l]);                                               \
        else if ((mod)&MOD_RPI)                                                                    \
            FOR_LANES(l) x[l] = ceil##suffix(x[l]);                                                \
        else if ((mod)&MOD_RZI)                                                                    \
            FOR_LANES(l) x[l] = trunc##suffix(x[l]);                                               \
    } while (0)

/* To an integral value as `mod` says, if it says so. */
static inline void cvt_round_f32(float *x, uint32_t mod)
{
    CVT_ROUND_LANES(float, x, mod, f);
}

static inline void cvt_round_f64(double *x, uint32_t mod)
{
    CVT_ROUND_LANES(double, x, mod, );
}

/* Integral values to integers, clamped; NaN gives `nan`. */
#define CVT_TO_S32(F, x, r, nan)                                                                   \
    do {                                                                                           \
        F safe_[WARP_LANES];                                                                       \
        FOR_LANES(l) safe_[l] = x[l] < (F)0x1p31 ? x[l] : 0;                                       \
        FOR_LANES(l) safe_[l] = x[l] > (F)-0x1p31 ? safe_[l] : 0;                                  \
        FOR_LANES(l) r[l] = (int32_t)safe_[l];                                                     \
        FOR_LANES(l) r[l] = x[l] >= (F)0x1p31 ? INT32_MAX : r[l];                                  \
        FOR_LANES(l) r[l] = x[l] <= (F)-0x1p31 ? INT32_MIN : r[l];                                 \
        FOR_LANES(l) r[l] = x[l] == x[l] ? r[l] : (nan);                                           \
    } while (0)

/* From 2^31 on, what is above it is converted. */
#define CVT_TO_U32(F, x, r, nan)                                                                   \
    do {                                                                                           \
        F above_[WARP_LANES], safe_[WARP_LANES];                                                   \
        FOR_LANES(l) safe_[l] = x[l] < (F)0x1p32 ? x[l] : 0;                                       \
        FOR_LANES(l) safe_[l] = x[l] > 0 ? safe_[l] : 0;                                           \
        FOR_LANES(l) above_[l] = safe_[l] - (F)0x1p31;                                             \
        FOR_LANES(l) safe_[l] = above_[l] >= 0 ? above_[l] : safe_[l];                             \
        FOR_LANES(l) r[l] = (uint32_t)(int32_t)safe_[l];                                           \
        FOR_LANES(l) r[l] |= above_[l] >= 0 ? 0x80000000 : 0;                                      \
        FOR_LANES(l) r[l] = x[l] >= (F)0x1p32 ? UINT32_MAX : r[l];                                 \
        FOR_LANES(l) r[l] = x[l] == x[l] ? r[l] : (nan);                                           \
    } while (0)

static inline void cvt_clamp_s32_f32(int32_t *r, const float *x)
{
    CVT_TO_S32(float, x, r, 0);
}

static inline void cvt_clamp_u32_f32(uint32_t *r, const float *x)
{
    CVT_TO_U32(float, x, r, 0);
}

/* PTX: NaN gives the highest bit alone when the source is f64 or the result has 64 bits. */
static inline void cvt_clamp_s32_f64(int32_t *r, const double *x)
{
    CVT_TO_S32(double, x, r, INT32_MIN);
}

static inline void cvt_clamp_u32_f64(uint32_t *r, const double *x)
{
    CVT_TO_U32(double, x, r, 0x80000000);
}

static inline int64_t cvt_s64(double x)
{
    if (x >= 0x1p63)
        return INT64_MAX;
    return x > -0x1p63 ? (int64_t)x : INT64_MIN;
}

static inline uint64_t cvt_u64(double x)
{
    if (x >= 0x1p64)
        return UINT64_MAX;
    if (x != x)
        return (uint64_t)1 << 63;
    return x > 0 ? (uint64_t)x : 0;
}

static inline double cvt_integral(double x, uint32_t mod)
{
    return mod & MOD_RNI   ? rint(x)
           : mod & MOD_RMI ? floor(x)
           : mod & MOD_RPI ? ceil(x)
           : mod & MOD_RZI ? trunc(x)
                           : x;
}

/* The bits of x in a format, with every modifier. */
static inline uint64_t cvt_pack_float(const struct softfp_format *to, double x, uint32_t mod)
{
    if (x != x) {
        uint64_t bits = fp_bits64(x);
        return mod & MOD_SAT ? 0 : softfp_nan(to, &bits, 1);
    }
    x = cvt_integral(x, mod);
    if (mod & MOD_SAT)
        x = x > 1 ? 1 : x > 0 ? x : 0;
    if (mod & MOD_RELU)
        x = x > 0 ? x : 0;
    uint64_t bits = softfp_pack(to, fp_round(mod), softfp_unpack(&softfp_f64, fp_bits64(x)));
    if (mod & MOD_FTZ && to == &softfp_f32)
        bits = fp_bits32(fp_flush(fp_from32((uint32_t)bits), fp_ftz_limit(mod)));
    return bits;
}

static inline uint64_t cvt_pack_int(const struct softfp_format *to, bool is_negative, uint64_t size,
                                    uint32_t mod)
{
    struct softfp x = {size ? SOFTFP_FINITE : SOFTFP_ZERO, is_negative, 0, size};
    if (mod & MOD_SAT)
        x = (struct softfp){size && !is_negative ? SOFTFP_FINITE : SOFTFP_ZERO, false, 0, 1};
    return softfp_pack(to, fp_round(mod), x);
}

/* tf32 is f32 with 10 bits of fraction; ties go away from zero. */
static inline uint32_t cvt_to_tf32(uint32_t bits)
{
    uint32_t rounded = (bits + 0x1000) & 0xffffe000;
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : rounded;
}

#endif
