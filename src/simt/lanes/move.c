/* move.c - mov, and the parts of mov that have names of their own after lowering: packing and
 * unpacking of vectors, halves of 64-bit registers, and the clock. */
#include "simt/lanes/forms.h"

UNARY(mov_32, u32, u32, a[l])
UNARY(mov_64, u64, u64, a[l])

static void mov_pred(struct warp *w, const struct insn *i)
{
    pred_write(w, i->dst, pred_read(w, i->src[0]));
}

BINARY(pack2_b32, u32, u32, u32, (a[l] & 0xffff) | b[l] << 16)
BINARY(pack2_b64, u64, u32, u32, a[l] | (uint64_t)b[l] << 32)
QUATERNARY(pack4_b64, u64, u32, u32, u32, u32,
           ((a[l] & 0xffff) | b[l] << 16) | (uint64_t)((c[l] & 0xffff) | e[l] << 16) << 32)

/* One part of a vector; parts that nobody wants have no place. */
static void write_part(struct warp *w, uint16_t unit, const uint32_t *part)
{
    if (unit != NO_OPERAND)
        MAP(w, u32, unit, part[l]);
}

static void unpack2_b32(struct warp *w, const struct insn *i)
{
    const lane_u32 *a = UNIT(w, i->src[0]);
    uint32_t low[WARP_LANES], high[WARP_LANES];
    FOR_LANES(l)
    {
        low[l] = a[l] & 0xffff;
        high[l] = a[l] >> 16;
    }
    write_part(w, i->dst, low);
    write_part(w, i->dst2, high);
}

static void unpack2_b64(struct warp *w, const struct insn *i)
{
    const lane_u64 *a = UNIT(w, i->src[0]);
    uint32_t low[WARP_LANES], high[WARP_LANES];
    FOR_LANES(l)
    {
        low[l] = (uint32_t)a[l];
        high[l] = (uint32_t)(a[l] >> 32);
    }
    write_part(w, i->dst, low);
    write_part(w, i->dst2, high);
}

static void unpack4_b64(struct warp *w, const struct insn *i)
{
    const lane_u64 *a = UNIT(w, i->src[0]);
    uint32_t part[4][WARP_LANES];
    for (int k = 0; k < 4; k++)
        FOR_LANES(l)
    part[k][l] = (uint32_t)(a[l] >> (16 * k)) & 0xffff;
    for (int k = 0; k < 4; k++)
        write_part(w, i->list[k], part[k]);
}

UNARY(narrow_b32, u32, u64, (uint32_t)a[l])
UNARY(widen_u64, u64, u32, a[l])
UNARY(widen_s64, s64, s32, a[l])

/* No instruction may see time: the clock counts the warp's instructions. */
static void clock_u32(struct warp *w, const struct insn *i)
{
    const uint32_t now = (uint32_t)w->executed;
    w->clock_reads++;
    MAP(w, u32, i->dst, now);
}

static void clock_u64(struct warp *w, const struct insn *i)
{
    const uint64_t now = w->executed;
    w->clock_reads++;
    MAP(w, u64, i->dst, now);
}

#define ROW(key, operands, fn)                                                                     \
    {                                                                                              \
        key, operands, fn, NULL, 0, 0, UNIT_INT, OPCLASS_SIMPLE, false                             \
    }

static const struct op_row rows[] = {
    /* sorted by key */
    ROW("clock.u32", "W", clock_u32),       ROW("clock.u64", "D", clock_u64),
    ROW("mov.b16", "Hh", mov_32),           ROW("mov.b32", "Ww", mov_32),
    ROW("mov.b64", "Dd", mov_64),           ROW("mov.f32", "Ww", mov_32),
    ROW("mov.f64", "Dd", mov_64),           ROW("mov.pred", "Pp", mov_pred),
    ROW("mov.s16", "Hh", mov_32),           ROW("mov.s32", "Ww", mov_32),
    ROW("mov.s64", "Dd", mov_64),           ROW("mov.u16", "Hh", mov_32),
    ROW("mov.u32", "Ww", mov_32),           ROW("mov.u64", "Dd", mov_64),
    ROW("narrow.b32", "Wd", narrow_b32),    ROW("pack2.b32", "Whh", pack2_b32),
    ROW("pack2.b64", "Dww", pack2_b64),     ROW("pack4.b64", "Dhhhh", pack4_b64),
    ROW("unpack2.b32", "HHw", unpack2_b32), ROW("unpack2.b64", "WWd", unpack2_b64),
    ROW("unpack4.b64", "Vd", unpack4_b64),  ROW("widen.s64", "Dw", widen_s64),
    ROW("widen.u64", "Dw", widen_u64),
};
ROWS_OF(move);
