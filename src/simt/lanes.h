/* lanes.h - loops over the lanes of a warp that the compiler turns into vector instructions.
 *
 * Every file of lanes/ is compiled once for any host and once more for hosts with wide vectors;
 * LANE(x) gives its exported names the suffix of the build.  Results are the same bit for bit.
 *
 * Handlers must not change lanes outside w->exec.  MAP writes the lanes of one destination: with
 * all lanes in a plain loop, otherwise by computing all of them and keeping those in w->exec, so
 * the expression must be harmless for any values in idle lanes.
 *
 * A destination may be the same register as a source but never half of one: the allocator sees to
 * it.  Hence IVDEP. */
#ifndef HEDDLE_SIMT_LANES_H
#define HEDDLE_SIMT_LANES_H

#include <string.h>

#include "simt/exec.h"

#ifndef LANES_SUFFIX
#define LANES_SUFFIX base
#endif
#define LANE_PASTE2(x, s) x##_##s
#define LANE_PASTE(x, s) LANE_PASTE2(x, s)
#define LANE(x) LANE_PASTE(x, LANES_SUFFIX)

/* The register file is read as whatever type was last stored there. */
typedef uint32_t __attribute__((may_alias)) lane_u32;
typedef int32_t __attribute__((may_alias)) lane_s32;
typedef float __attribute__((may_alias)) lane_f32;
typedef uint64_t __attribute__((may_alias)) lane_u64;
typedef int64_t __attribute__((may_alias)) lane_s64;
typedef double __attribute__((may_alias)) lane_f64;

#define UNIT(w, index) __builtin_assume_aligned((w)->file + (size_t)(index)*UNIT_BYTES, UNIT_BYTES)

#ifdef __clang__
#define IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define IVDEP _Pragma("GCC ivdep")
#endif
#define FOR_LANES(l) IVDEP for (int l = 0; l < WARP_LANES; l++)

/* MAP(w, type of the destination's lanes, destination unit, expression in l). */
#define MAP(w, D, unit, expression)                                                                \
    do {                                                                                           \
        lane_##D *dst_ = UNIT(w, unit);                                                            \
        const uint32_t exec_ = (w)->exec;                                                          \
        if (exec_ == UINT32_MAX) {                                                                 \
            FOR_LANES(l) dst_[l] = (expression);                                                   \
        } else {                                                                                   \
            FOR_LANES(l)                                                                           \
            {                                                                                      \
                lane_##D value_ = (expression), old_ = dst_[l];                                    \
                dst_[l] = (exec_ >> l) & 1 ? value_ : old_;                                        \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* The lanes of w->exec for which `expression` in l is true, as a mask. */
#define MASK_OF(w, result, expression)                                                             \
    do {                                                                                           \
        uint32_t bits_[WARP_LANES], mask_ = 0;                                                     \
        FOR_LANES(l) bits_[l] = (uint32_t)((expression) != 0) << l;                                \
        for (int l = 0; l < WARP_LANES; l++)                                                       \
            mask_ |= bits_[l];                                                                     \
        (result) = mask_ & (w)->exec;                                                              \
    } while (0)

/* A predicate operand, negation applied. */
static inline uint32_t pred_read(const struct warp *w, uint16_t p)
{
    uint32_t mask = w->pred[p & 0x7fff];
    return p & PRED_NOT ? ~mask : mask;
}

/* Writes the lanes of w->exec; NO_OPERAND is the sink. */
static inline void pred_write(struct warp *w, uint16_t p, uint32_t mask)
{
    if (p != NO_OPERAND)
        w->pred[p] = (w->pred[p] & ~w->exec) | (mask & w->exec);
}

#endif
