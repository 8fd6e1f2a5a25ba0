/* video.c - the video instructions, scalar and on two or four parts of a register.
 *
 * Without selectors and masks on operands (%r1.b0), negated operands and vmad: no compiler emits
 * them any more.  Nor is there much that still emits the rest, so that one function does them all,
 * one lane at a time. */
#include "simt/lanes/forms.h"

enum video_op { VABSDIFF, VADD, VAVRG, VMAX, VMIN, VSET, VSHL, VSHR, VSUB };
enum second_op { SECOND_NONE, SECOND_MAX, SECOND_MIN }; /* MOD_ADD is the third */

struct shape {
    enum video_op op;
    enum second_op second;
    int parts; /* 1, 2, 4 */
    bool d_signed, a_signed, b_signed;
};

/* Part k of a register, `bits` wide. */
static inline int64_t part_of(uint32_t x, int k, int bits, bool is_signed)
{
    uint64_t field = (uint64_t)x >> (k * bits) & (((uint64_t)1 << bits) - 1);
    int64_t above = (int64_t)1 << bits;
    return is_signed && field >> (bits - 1) ? (int64_t)field - above : (int64_t)field;
}

static inline int64_t clamp(int64_t x, int bits, bool is_signed)
{
    int64_t low = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
    int64_t high = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1;
    return x < low ? low : x > high ? high : x;
}

static int64_t compared(int64_t x, int64_t y, uint32_t mod)
{
    switch (mod >> MOD_COMPARE & 31) {
    case COMPARE_eq:
        return x == y;
    case COMPARE_ne:
        return x != y;
    case COMPARE_lt:
        return x < y;
    case COMPARE_le:
        return x <= y;
    case COMPARE_gt:
        return x > y;
    default:
        return x >= y;
    }
}

static int64_t apply(enum video_op op, int64_t x, int64_t y, uint32_t mod)
{
    int64_t by = mod & MOD_WRAP ? y & 31 : y > 32 ? 32 : y;
    switch (op) {
    case VABSDIFF:
        return x > y ? x - y : y - x;
    case VADD:
        return x + y;
    case VAVRG: /* the upper one of two, from 0 on */
        return (x + y + (x + y >= 0)) >> 1;
    case VMAX:
        return x > y ? x : y;
    case VMIN:
        return x < y ? x : y;
    case VSET:
        return compared(x, y, mod);
    case VSHL:
        return (int64_t)((uint64_t)x << by);
    case VSHR:
        return x >> by;
    case VSUB:
        return x - y;
    }
    return 0;
}

/* The result of one instruction on numbers of 32 bits, combined with c. */
static uint32_t finished(const struct shape *s, int64_t x, uint32_t c, uint32_t mod)
{
    uint32_t result = (uint32_t)x;
    if (mod & MOD_ADD)
        return result + c;
    if (s->second == SECOND_NONE)
        return result;
    bool is_less = s->d_signed ? (int32_t)result < (int32_t)c : result < c;
    return is_less == (s->second == SECOND_MIN) ? result : c;
}

static uint32_t video(const struct shape *s, uint32_t a, uint32_t b, uint32_t c, uint32_t mod)
{
    const int bits = 32 / s->parts;
    uint32_t packed = 0, sum = c;
    for (int k = 0; k < s->parts; k++) {
        int64_t x = part_of(a, k, bits, s->a_signed), y = part_of(b, k, bits, s->b_signed);
        int64_t result = apply(s->op, x, y, mod);
        if (mod & MOD_SAT)
            result = clamp(result, bits, s->d_signed);
        if (s->parts == 1)
            return finished(s, result, c, mod);
        packed |= ((uint32_t)result & ((1u << bits) - 1)) << (k * bits);
        sum += (uint32_t)result;
    }
    return mod & MOD_ADD ? sum : packed;
}

static void run(struct warp *w, const struct insn *i, struct shape s)
{
    const lane_u32 *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]);
    const lane_u32 *c = i->src[2] == NO_OPERAND ? a : UNIT(w, i->src[2]);
    EACH(w, u32, i->dst, video(&s, a[l], b[l], c[l], i->mod));
}

/* --- handlers: op_parts_types ------------------------------------------------------------------ */

enum { s32 = true, u32 = false }; /* is it signed? */

#define HANDLER(name, op, second, parts, D, A, B)                                                  \
    static void name(struct warp *w, const struct insn *i)                                         \
    {                                                                                              \
        run(w, i, (struct shape){op, second, parts, D, A, B});                                     \
    }
#define SCALAR(op, D, A, B)                                                                        \
    HANDLER(op##_1_##D##_##A##_##B, op, SECOND_NONE, 1, D, A, B)                                   \
    HANDLER(op##_max_##D##_##A##_##B, op, SECOND_MAX, 1, D, A, B)                                  \
    HANDLER(op##_min_##D##_##A##_##B, op, SECOND_MIN, 1, D, A, B)
#define PARTS(op, D, A, B)                                                                         \
    HANDLER(op##_2_##D##_##A##_##B, op, SECOND_NONE, 2, D, A, B)                                   \
    HANDLER(op##_4_##D##_##A##_##B, op, SECOND_NONE, 4, D, A, B)
#define TYPES(X, op)                                                                               \
    X(op, s32, s32, s32)                                                                           \
    X(op, s32, s32, u32)                                                                           \
    X(op, s32, u32, s32)                                                                           \
    X(op, s32, u32, u32)                                                                           \
    X(op, u32, s32, s32)                                                                           \
    X(op, u32, s32, u32)                                                                           \
    X(op, u32, u32, s32)                                                                           \
    X(op, u32, u32, u32)
#define SHIFT_TYPES(X, op)                                                                         \
    X(op, s32, s32, u32) X(op, s32, u32, u32) X(op, u32, s32, u32) X(op, u32, u32, u32)
#define SET_TYPES(X, op)                                                                           \
    X(op, u32, s32, s32) X(op, u32, s32, u32) X(op, u32, u32, s32) X(op, u32, u32, u32)

TYPES(SCALAR, VABSDIFF)
TYPES(SCALAR, VADD)
TYPES(SCALAR, VMAX)
TYPES(SCALAR, VMIN)
TYPES(SCALAR, VSUB)
SHIFT_TYPES(SCALAR, VSHL)
SHIFT_TYPES(SCALAR, VSHR)
SET_TYPES(SCALAR, VSET)
TYPES(PARTS, VABSDIFF)
TYPES(PARTS, VADD)
TYPES(PARTS, VAVRG)
TYPES(PARTS, VMAX)
TYPES(PARTS, VMIN)
TYPES(PARTS, VSUB)
SET_TYPES(PARTS, VSET)

/* --- rows, sorted by key --------------------------------------------------------------------- */

#define ROW(key, operands, fn, general, mods, plain)                                               \
    {                                                                                              \
        key, operands, fn, general, mods, plain, UNIT_INT, OPCLASS_MUL, false                      \
    }
#define SCALAR_ROWS_(key, op, types)                                                               \
    ROW(key, "Www", op##_1_##types, NULL, MOD_SAT, MOD_SAT),                                       \
        ROW(key, "Wwww", NULL, op##_1_##types, MOD_SAT | MOD_ADD, 0),                              \
        ROW(key ".max", "Wwww", op##_max_##types, NULL, MOD_SAT, MOD_SAT),                         \
        ROW(key ".min", "Wwww", op##_min_##types, NULL, MOD_SAT, MOD_SAT),
#define PARTS_ROWS_(key, op, types)                                                                \
    ROW(key, "Wwww", op##_##types, NULL, MOD_SAT, MOD_SAT),                                        \
        ROW(key, "Wwww", NULL, op##_##types, MOD_ADD, 0),
/* .clamp or .wrap must be given */
#define SHIFT_MODS (MOD_SAT | MOD_CLAMP | MOD_WRAP)
#define SHIFT_ROWS_(key, op, types)                                                                \
    ROW(key, "Www", NULL, op##_1_##types, SHIFT_MODS, 0),                                          \
        ROW(key, "Wwww", NULL, op##_1_##types, SHIFT_MODS | MOD_ADD, 0),                           \
        ROW(key ".max", "Wwww", NULL, op##_max_##types, SHIFT_MODS, 0),                            \
        ROW(key ".min", "Wwww", NULL, op##_min_##types, SHIFT_MODS, 0),
#define KEY(name, D, A, B) name "." #D "." #A "." #B

#define ABSDIFF_1(op, D, A, B) SCALAR_ROWS_(KEY("vabsdiff", D, A, B), VABSDIFF, D##_##A##_##B)
#define ABSDIFF_2(op, D, A, B) PARTS_ROWS_(KEY("vabsdiff2", D, A, B), VABSDIFF_2, D##_##A##_##B)
#define ABSDIFF_4(op, D, A, B) PARTS_ROWS_(KEY("vabsdiff4", D, A, B), VABSDIFF_4, D##_##A##_##B)
#define ADD_1(op, D, A, B) SCALAR_ROWS_(KEY("vadd", D, A, B), VADD, D##_##A##_##B)
#define ADD_2(op, D, A, B) PARTS_ROWS_(KEY("vadd2", D, A, B), VADD_2, D##_##A##_##B)
#define ADD_4(op, D, A, B) PARTS_ROWS_(KEY("vadd4", D, A, B), VADD_4, D##_##A##_##B)
#define AVRG_2(op, D, A, B) PARTS_ROWS_(KEY("vavrg2", D, A, B), VAVRG_2, D##_##A##_##B)
#define AVRG_4(op, D, A, B) PARTS_ROWS_(KEY("vavrg4", D, A, B), VAVRG_4, D##_##A##_##B)
#define MAX_1(op, D, A, B) SCALAR_ROWS_(KEY("vmax", D, A, B), VMAX, D##_##A##_##B)
#define MAX_2(op, D, A, B) PARTS_ROWS_(KEY("vmax2", D, A, B), VMAX_2, D##_##A##_##B)
#define MAX_4(op, D, A, B) PARTS_ROWS_(KEY("vmax4", D, A, B), VMAX_4, D##_##A##_##B)
#define MIN_1(op, D, A, B) SCALAR_ROWS_(KEY("vmin", D, A, B), VMIN, D##_##A##_##B)
#define MIN_2(op, D, A, B) PARTS_ROWS_(KEY("vmin2", D, A, B), VMIN_2, D##_##A##_##B)
#define MIN_4(op, D, A, B) PARTS_ROWS_(KEY("vmin4", D, A, B), VMIN_4, D##_##A##_##B)
#define SHL_1(op, D, A, B) SHIFT_ROWS_(KEY("vshl", D, A, B), VSHL, D##_##A##_##B)
#define SHR_1(op, D, A, B) SHIFT_ROWS_(KEY("vshr", D, A, B), VSHR, D##_##A##_##B)
#define SUB_1(op, D, A, B) SCALAR_ROWS_(KEY("vsub", D, A, B), VSUB, D##_##A##_##B)
#define SUB_2(op, D, A, B) PARTS_ROWS_(KEY("vsub2", D, A, B), VSUB_2, D##_##A##_##B)
#define SUB_4(op, D, A, B) PARTS_ROWS_(KEY("vsub4", D, A, B), VSUB_4, D##_##A##_##B)
/* vset names no type of the result */
#define SET_1(op, D, A, B) SCALAR_ROWS_("vset." #A "." #B, VSET, D##_##A##_##B)
#define SET_2(op, D, A, B) PARTS_ROWS_("vset2." #A "." #B, VSET_2, D##_##A##_##B)
#define SET_4(op, D, A, B) PARTS_ROWS_("vset4." #A "." #B, VSET_4, D##_##A##_##B)

/* clang-format off */
static const struct op_row rows[] = {
    TYPES(ABSDIFF_1, ) TYPES(ABSDIFF_2, ) TYPES(ABSDIFF_4, )
    TYPES(ADD_1, ) TYPES(ADD_2, ) TYPES(ADD_4, )
    TYPES(AVRG_2, ) TYPES(AVRG_4, )
    TYPES(MAX_1, ) TYPES(MAX_2, ) TYPES(MAX_4, )
    TYPES(MIN_1, ) TYPES(MIN_2, ) TYPES(MIN_4, )
    SET_TYPES(SET_1, ) SET_TYPES(SET_2, ) SET_TYPES(SET_4, )
    SHIFT_TYPES(SHL_1, ) SHIFT_TYPES(SHR_1, )
    TYPES(SUB_1, ) TYPES(SUB_2, ) TYPES(SUB_4, )
};
/* clang-format on */
ROWS_OF(video);
