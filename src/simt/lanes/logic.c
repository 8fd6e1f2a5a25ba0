/* logic.c - logic, shifts and byte permutation: bits that stand for themselves.
 *
 * A shift by the width or more gives 0, or the sign: the amount is a whole 32-bit number. */
#include "simt/lanes/bits.h"
#include "simt/lanes/forms.h"

#define BITWISE(op, expression)                                                                    \
    BINARY(op##_32, u32, u32, u32, expression)                                                     \
    BINARY(op##_64, u64, u64, u64, expression)
BITWISE(and, a[l] & b[l])
BITWISE(or, a[l] | b[l])
BITWISE(xor, a[l] ^ b[l])

UNARY(not_32, u32, u32, ~a[l])
UNARY(not_64, u64, u64, ~a[l])
UNARY(cnot_16, u32, u32, (a[l] & 0xffff) == 0)
UNARY(cnot_32, u32, u32, a[l] == 0)
UNARY(cnot_64, u64, u64, a[l] == 0)

static void and_pred(struct warp *w, const struct insn *i)
{
    pred_write(w, i->dst, pred_read(w, i->src[0]) & pred_read(w, i->src[1]));
}

static void or_pred(struct warp *w, const struct insn *i)
{
    pred_write(w, i->dst, pred_read(w, i->src[0]) | pred_read(w, i->src[1]));
}

static void xor_pred(struct warp *w, const struct insn *i)
{
    pred_write(w, i->dst, pred_read(w, i->src[0]) ^ pred_read(w, i->src[1]));
}

static void not_pred(struct warp *w, const struct insn *i)
{
    pred_write(w, i->dst, ~pred_read(w, i->src[0]));
}

/* --- lop3: bit (a, b, c) of the table, for each bit of the operands --------------------------- */

/* Where `bit` of the table is set: all ones. */
#define TABLE(bit) (0u - (uint32_t)(i->imm >> (bit)&1))
#define CHOOSE(by, if_set, if_clear) (((by) & (if_set)) | (~(by) & (if_clear)))

static void lop3_lanes(const struct warp *w, const struct insn *i, uint32_t *result)
{
    const lane_u32 *a = UNIT(w, i->src[0]), *b = UNIT(w, i->src[1]), *c = UNIT(w, i->src[2]);
    const uint32_t t0 = TABLE(0), t1 = TABLE(1), t2 = TABLE(2), t3 = TABLE(3);
    const uint32_t t4 = TABLE(4), t5 = TABLE(5), t6 = TABLE(6), t7 = TABLE(7);
    FOR_LANES(l)
    {
        uint32_t x = a[l], y = b[l], z = c[l];
        uint32_t if_x = CHOOSE(y, CHOOSE(z, t7, t6), CHOOSE(z, t5, t4));
        uint32_t if_not_x = CHOOSE(y, CHOOSE(z, t3, t2), CHOOSE(z, t1, t0));
        result[l] = CHOOSE(x, if_x, if_not_x);
    }
}

static void lop3_b32(struct warp *w, const struct insn *i)
{
    uint32_t result[WARP_LANES];
    lop3_lanes(w, i, result);
    MAP(w, u32, i->dst, result[l]);
}

/* lop3.and / .or: d|p, the predicate being (d != 0) combined with the last operand. */
static void lop3_bool(struct warp *w, const struct insn *i)
{
    uint32_t result[WARP_LANES], is_set = 0, given = pred_read(w, i->src[3]);
    lop3_lanes(w, i, result);
    if (i->dst != NO_OPERAND)
        MAP(w, u32, i->dst, result[l]);
    MASK_OF(w, is_set, result[l]);
    pred_write(w, i->dst2, i->mod & MOD_AND ? is_set & given : is_set | given);
}

/* --- shifts ---------------------------------------------------------------------------------- */

#define BY_16(n) ((n) > 15 ? 32 : (n))
BINARY(shl_16, u32, u32, u32, bits_left_32(a[l], BY_16(b[l])))
BINARY(shl_32, u32, u32, u32, bits_left_32(a[l], b[l]))
BINARY(shl_64, u64, u64, u32, bits_left_64(a[l], b[l]))
BINARY(shr_u16, u32, u32, u32, bits_right_u32(a[l] & 0xffff, b[l]))
BINARY(shr_u32, u32, u32, u32, bits_right_u32(a[l], b[l]))
BINARY(shr_u64, u64, u64, u32, bits_right_u64(a[l], b[l]))
BINARY(shr_s16, u32, u32, u32, bits_right_s32((uint32_t)(int16_t)a[l], b[l]))
BINARY(shr_s32, u32, u32, u32, bits_right_s32(a[l], b[l]))
BINARY(shr_s64, u64, u64, u32, bits_right_s64(a[l], b[l]))

/* shf: the upper half of b:a shifted left, or the lower half of b:a shifted right. */
#define FUNNEL_LEFT(low, high, by) (bits_left_32(high, by) | bits_right_u32(low, 32 - (by)))
#define FUNNEL_RIGHT(low, high, by) (bits_left_32(high, 32 - (by)) | bits_right_u32(low, by))
#define CLAMP_32(by) ((by) > 32 ? 32 : (by))
TERNARY(shf_l_clamp, u32, u32, u32, u32, FUNNEL_LEFT(a[l], b[l], CLAMP_32(c[l])))
TERNARY(shf_l_wrap, u32, u32, u32, u32, FUNNEL_LEFT(a[l], b[l], (c[l] & 31)))
TERNARY(shf_r_clamp, u32, u32, u32, u32, FUNNEL_RIGHT(a[l], b[l], CLAMP_32(c[l])))
TERNARY(shf_r_wrap, u32, u32, u32, u32, FUNNEL_RIGHT(a[l], b[l], (c[l] & 31)))

/* --- prmt: four bytes out of eight ------------------------------------------------------------ */

/* The byte of b:a that a selector's low 3 bits name; bit 3: its sign in all bits. */
static inline uint32_t byte_of(uint32_t a, uint32_t b, uint32_t selector)
{
    uint32_t word = selector & 4 ? b : a;
    uint32_t byte = word >> ((selector & 3) * 8) & 255;
    uint32_t sign = byte & 128 ? 255 : 0;
    return selector & 8 ? sign : byte;
}

static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t selectors)
{
    return byte_of(a, b, selectors) | byte_of(a, b, selectors >> 4) << 8 |
           byte_of(a, b, selectors >> 8) << 16 | byte_of(a, b, selectors >> 12) << 24;
}

/* The modes have four lists of selectors, one of which c's low bits choose. */
static inline uint32_t list_of(uint32_t c, uint32_t l0, uint32_t l1, uint32_t l2, uint32_t l3)
{
    uint32_t even = c & 2 ? l2 : l0, odd = c & 2 ? l3 : l1;
    return c & 1 ? odd : even;
}

#define PRMT_MODE(mode, l0, l1, l2, l3)                                                            \
    TERNARY(prmt_##mode, u32, u32, u32, u32, permute(a[l], b[l], list_of(c[l], l0, l1, l2, l3)))
TERNARY(prmt, u32, u32, u32, u32, permute(a[l], b[l], c[l]))
PRMT_MODE(f4e, 0x3210, 0x4321, 0x5432, 0x6543)
PRMT_MODE(b4e, 0x5670, 0x6701, 0x7012, 0x0123)
PRMT_MODE(rc8, 0x0000, 0x1111, 0x2222, 0x3333)
PRMT_MODE(ecl, 0x3210, 0x3211, 0x3222, 0x3333)
PRMT_MODE(ecr, 0x0000, 0x1110, 0x2210, 0x3210)
PRMT_MODE(rc16, 0x1010, 0x3232, 0x1010, 0x3232)

/* --- rows, sorted by key --------------------------------------------------------------------- */

#define ROW(key, operands, fn)                                                                     \
    {                                                                                              \
        key, operands, fn, NULL, 0, 0, UNIT_INT, OPCLASS_SIMPLE, false                             \
    }
#define WITH(key, operands, mods, general)                                                         \
    {                                                                                              \
        key, operands, NULL, general, mods, 0, UNIT_INT, OPCLASS_SIMPLE, false                     \
    }

static const struct op_row rows[] = {
    ROW("and.b16", "Hhh", and_32),
    ROW("and.b32", "Www", and_32),
    ROW("and.b64", "Ddd", and_64),
    ROW("and.pred", "Ppp", and_pred),
    ROW("cnot.b16", "Hh", cnot_16),
    ROW("cnot.b32", "Ww", cnot_32),
    ROW("cnot.b64", "Dd", cnot_64),
    ROW("lop3.b32", "Wwwwi", lop3_b32),
    WITH("lop3.b32", "Swwwip", MOD_AND | MOD_OR, lop3_bool),
    ROW("not.b16", "Hh", not_32),
    ROW("not.b32", "Ww", not_32),
    ROW("not.b64", "Dd", not_64),
    ROW("not.pred", "Pp", not_pred),
    ROW("or.b16", "Hhh", or_32),
    ROW("or.b32", "Www", or_32),
    ROW("or.b64", "Ddd", or_64),
    ROW("or.pred", "Ppp", or_pred),
    ROW("prmt.b32", "Wwww", prmt),
    ROW("prmt.b32.b4e", "Wwww", prmt_b4e),
    ROW("prmt.b32.ecl", "Wwww", prmt_ecl),
    ROW("prmt.b32.ecr", "Wwww", prmt_ecr),
    ROW("prmt.b32.f4e", "Wwww", prmt_f4e),
    ROW("prmt.b32.rc16", "Wwww", prmt_rc16),
    ROW("prmt.b32.rc8", "Wwww", prmt_rc8),
    WITH("shf.l.b32", "Wwww", MOD_CLAMP, shf_l_clamp),
    WITH("shf.l.b32", "Wwww", MOD_WRAP, shf_l_wrap),
    WITH("shf.r.b32", "Wwww", MOD_CLAMP, shf_r_clamp),
    WITH("shf.r.b32", "Wwww", MOD_WRAP, shf_r_wrap),
    ROW("shl.b16", "Hhw", shl_16),
    ROW("shl.b32", "Www", shl_32),
    ROW("shl.b64", "Ddw", shl_64),
    ROW("shr.b16", "Hhw", shr_u16),
    ROW("shr.b32", "Www", shr_u32),
    ROW("shr.b64", "Ddw", shr_u64),
    ROW("shr.s16", "Hhw", shr_s16),
    ROW("shr.s32", "Www", shr_s32),
    ROW("shr.s64", "Ddw", shr_s64),
    ROW("shr.u16", "Hhw", shr_u16),
    ROW("shr.u32", "Www", shr_u32),
    ROW("shr.u64", "Ddw", shr_u64),
    ROW("xor.b16", "Hhh", xor_32),
    ROW("xor.b32", "Www", xor_32),
    ROW("xor.b64", "Ddd", xor_64),
    ROW("xor.pred", "Ppp", xor_pred),
};
ROWS_OF(logic);
