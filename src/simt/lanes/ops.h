/* ops.h - how handlers are found by opcode.
 *
 * An opcode is split at its dots.  Parts that name a modifier (table in ops.c) become bits of the
 * handler's `mod`; what is left, joined by dots again, is the key: "add.rn.ftz.f32" is the key
 * "add.f32" with MOD_RN | MOD_FTZ; "setp.lt.and.s32" is "setp.lt.s32" with MOD_AND.  Each file of
 * handlers exports rows; ops.c finds the row, refuses modifiers that the row does not allow, and
 * takes `fn` when no modifier outside `plain` is given, `general` otherwise.  Of several rows with
 * one key the first that allows the modifiers is taken (setp has another operand with .and). */
#ifndef HEDDLE_SIMT_LANES_OPS_H
#define HEDDLE_SIMT_LANES_OPS_H

#include "simt/lanes.h"

enum {                  /* bits of insn.mod; at most bit 30 */
       MOD_RN = 1 << 0, /* none of the four: the operation's default, which is RN */
       MOD_RZ = 1 << 1,
       MOD_RM = 1 << 2,
       MOD_RP = 1 << 3,
       MOD_RNI = 1 << 4, /* to an integral value */
       MOD_RZI = 1 << 5,
       MOD_RMI = 1 << 6,
       MOD_RPI = 1 << 7,
       MOD_APPROX = 1 << 8,
       MOD_FULL = 1 << 9,
       MOD_FTZ = 1 << 10,
       MOD_SAT = 1 << 11,
       MOD_CC = 1 << 12,
       MOD_AND = 1 << 13, /* setp, set: combine with a predicate */
       MOD_OR = 1 << 14,
       MOD_XOR = 1 << 15,
       MOD_NAN = 1 << 16,     /* min, max: NaN wins */
       MOD_XORSIGN = 1 << 17, /* .xorsign.abs */
       MOD_ABS = 1 << 18,
       MOD_RELU = 1 << 19,
       MOD_WRAP = 1 << 20, /* shf, bmsk */
       MOD_CLAMP = 1 << 21,
       MOD_SHIFTAMT = 1 << 22,
       MOD_ADD = 1 << 23, /* vabsdiff4...add and the like: accumulate */
       MOD_RNA = 1 << 24,
       MOD_UNI = 1 << 25, /* no effect */
       MOD_COMPARE = 26,  /* set, vset: bits 26-30 hold an enum compare */
};
#define MOD_ROUND (MOD_RN | MOD_RZ | MOD_RM | MOD_RP)

/* The comparisons, of integers and floats; those ending in U are true when an operand is NaN. */
#define COMPARE_LIST(X)                                                                            \
    X(eq)                                                                                          \
    X(ne)                                                                                          \
    X(lt)                                                                                          \
    X(le)                                                                                          \
    X(gt)                                                                                          \
    X(ge)                                                                                          \
    X(lo)                                                                                          \
    X(ls)                                                                                          \
    X(hi)                                                                                          \
    X(hs)                                                                                          \
    X(equ)                                                                                         \
    X(neu)                                                                                         \
    X(ltu)                                                                                         \
    X(leu)                                                                                         \
    X(gtu)                                                                                         \
    X(geu)                                                                                         \
    X(num)                                                                                         \
    X(nan)

enum compare {
#define X(name) COMPARE_##name,
    COMPARE_LIST(X)
#undef X
        COMPARE_KINDS
};

struct op_row {
    const char *key;      /* "add.f32" */
    const char *operands; /* as in code.h */
    op_fn *fn, *general;  /* general may be NULL when `mods` has no bit outside `plain`;
                             fn NULL: one of `mods` must be given */
    uint32_t mods;        /* allowed modifiers */
    uint32_t plain;       /* those among them that change nothing for fn */
    uint8_t unit, opclass;
    bool is_relaxed;
};

struct op_rows {
    const struct op_row *row;
    uint32_t n;
};

/* Each from the file of that name. */
extern const struct op_rows LANE(rows_int), LANE(rows_logic), LANE(rows_compare), LANE(rows_move),
    LANE(rows_cvt), LANE(rows_video), LANE(rows_f32), LANE(rows_f64), LANE(rows_half),
    LANE(rows_special);

/* Loads, stores, atomics, textures, address conversion, fences; shuffles, votes.  True when the
 * opcode is theirs (then *ok says whether it is right; *e is set when not). */
bool LANE(find_mem)(const struct opcode *o, struct op_desc *d, bool *ok, struct err *e);
bool LANE(find_warp)(const struct opcode *o, struct op_desc *d, bool *ok, struct err *e);

extern const struct op_set LANE(op_set); /* ops.c */

#endif
