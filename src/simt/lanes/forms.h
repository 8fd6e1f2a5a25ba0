/* forms.h - the shapes most handlers have: one expression in l over one to four sources. */
#ifndef HEDDLE_SIMT_LANES_FORMS_H
#define HEDDLE_SIMT_LANES_FORMS_H

#include "simt/lanes/ops.h"

/* Sources are a, b, c, e (d is PTX's name of the destination). */
#define UNARY(name, D, A, expression)                                                              \
    static void name(struct warp *w, const struct insn *i)                                         \
    {                                                                                              \
        const lane_##A *a = UNIT(w, i->src[0]);                                                    \
        MAP(w, D, i->dst, expression);                                                             \
    }

#define BINARY(name, D, A, B, expression)                                                          \
    static void name(struct warp *w, const struct insn *i)                                         \
    {                                                                                              \
        const lane_##A *a = UNIT(w, i->src[0]);                                                    \
        const lane_##B *b = UNIT(w, i->src[1]);                                                    \
        MAP(w, D, i->dst, expression);                                                             \
    }

#define TERNARY(name, D, A, B, C, expression)                                                      \
    static void name(struct warp *w, const struct insn *i)                                         \
    {                                                                                              \
        const lane_##A *a = UNIT(w, i->src[0]);                                                    \
        const lane_##B *b = UNIT(w, i->src[1]);                                                    \
        const lane_##C *c = UNIT(w, i->src[2]);                                                    \
        MAP(w, D, i->dst, expression);                                                             \
    }

#define QUATERNARY(name, D, A, B, C, E, expression)                                                \
    static void name(struct warp *w, const struct insn *i)                                         \
    {                                                                                              \
        const lane_##A *a = UNIT(w, i->src[0]);                                                    \
        const lane_##B *b = UNIT(w, i->src[1]);                                                    \
        const lane_##C *c = UNIT(w, i->src[2]);                                                    \
        const lane_##E *e = UNIT(w, i->src[3]);                                                    \
        MAP(w, D, i->dst, expression);                                                             \
    }

/* For what no vector instruction does: only the lanes of w->exec, one after the other. */
#define EACH(w, D, unit, expression)                                                               \
    do {                                                                                           \
        lane_##D *dst_ = UNIT(w, unit);                                                            \
        for (uint32_t rest_ = (w)->exec; rest_; rest_ &= rest_ - 1) {                              \
            int l = __builtin_ctz(rest_);                                                          \
            dst_[l] = (expression);                                                                \
        }                                                                                          \
    } while (0)

/* Lanes of the types that share a unit's 32 bits. */
typedef lane_u32 lane_u16, lane_s16, lane_b16, lane_u8, lane_s8;
typedef lane_u32 lane_b32;
typedef lane_u64 lane_b64;

#define ROWS_OF(file) const struct op_rows LANE(rows_##file) = {rows, sizeof rows / sizeof rows[0]}

#endif
