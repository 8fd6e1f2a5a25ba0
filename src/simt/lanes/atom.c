/* atom.c - read-modify-write in memory.
 *
 * The lanes of a warp come one after another in ascending order, which is one of the orders that
 * PTX allows and the one that makes results reproducible.  Floating-point additions round to
 * nearest and keep subnormals in every space; a NaN result is the canonical one, so that it does
 * not depend on the host. */
#include "base/half.h"
#include "simt/lanes/mem.h"

/* In VALUE: `old` is in memory, `b` and `c` are the operands, all of type T. */
#define DEFINE_ATOMIC(name, T, R, VALUE)                                                           \
    static void atom_##name(struct warp *w, const struct insn *i)                                  \
    {                                                                                              \
        struct reach r;                                                                            \
        if (!LANE(mem_reach)(w, i, &r))                                                            \
            return;                                                                                \
        const lane_##R *bs = UNIT(w, i->src[1]);                                                   \
        const lane_##R *cs = i->src[2] == NO_OPERAND ? bs : UNIT(w, i->src[2]);                    \
        lane_##R *dst = i->dst == NO_OPERAND ? NULL : UNIT(w, i->dst);                             \
        bool has_changed = false;                                                                  \
        FOR_BITS(l, w->exec)                                                                       \
        {                                                                                          \
            T old, b = (T)bs[l], c = (T)cs[l], value;                                              \
            memcpy(&old, reach_at(&r, l), sizeof old);                                             \
            (void)b, (void)c; /* not every operation has both */                                   \
            value = (T)(VALUE);                                                                    \
            has_changed |= value != old;                                                           \
            memcpy(reach_at(&r, l), &value, sizeof value);                                         \
            if (dst)                                                                               \
                dst[l] = (lane_##R)old;                                                            \
        }                                                                                          \
        w->grid->changes += has_changed;                                                           \
    }

static inline uint32_t add_f32(uint32_t a, uint32_t b)
{
    uint32_t sum = half_bits32(half_from_bits32(a) + half_from_bits32(b));
    return (sum & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : sum;
}

static inline uint64_t add_f64(uint64_t a, uint64_t b)
{
    double x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return x != x ? 0x7ff8000000000000u : a;
}

/* The f32 sum of two f16 rounds twice, harmlessly: 24 bits are at least 2 x 11 + 2. */
static inline uint16_t add_f16(uint16_t a, uint16_t b)
{
    return half_from_float(half_to_float(a) + half_to_float(b));
}

static inline uint16_t add_bf16(uint16_t a, uint16_t b)
{
    return half_brain_from_float(half_brain_to_float(a) + half_brain_to_float(b));
}

#define ADD_PAIR(add, a, b)                                                                        \
    ((uint32_t)add((uint16_t)((a) >> 16), (uint16_t)((b) >> 16)) << 16 |                           \
     add((uint16_t)(a), (uint16_t)(b)))

#define LESSER(a, b) ((a) < (b) ? (a) : (b))
#define GREATER(a, b) ((a) > (b) ? (a) : (b))

DEFINE_ATOMIC(add_b32, uint32_t, u32, old + b)
DEFINE_ATOMIC(add_b64, uint64_t, u64, old + b)
DEFINE_ATOMIC(add_f32, uint32_t, u32, add_f32(old, b))
DEFINE_ATOMIC(add_f64, uint64_t, u64, add_f64(old, b))
DEFINE_ATOMIC(add_f16, uint16_t, u32, add_f16(old, b))
DEFINE_ATOMIC(add_bf16, uint16_t, u32, add_bf16(old, b))
DEFINE_ATOMIC(add_f16x2, uint32_t, u32, ADD_PAIR(add_f16, old, b))
DEFINE_ATOMIC(add_bf16x2, uint32_t, u32, ADD_PAIR(add_bf16, old, b))
DEFINE_ATOMIC(and_b32, uint32_t, u32, (old & b))
DEFINE_ATOMIC(and_b64, uint64_t, u64, (old & b))
DEFINE_ATOMIC(or_b32, uint32_t, u32, old | b)
DEFINE_ATOMIC(or_b64, uint64_t, u64, old | b)
DEFINE_ATOMIC(xor_b32, uint32_t, u32, old ^ b)
DEFINE_ATOMIC(xor_b64, uint64_t, u64, old ^ b)
DEFINE_ATOMIC(exch_b32, uint32_t, u32, b)
DEFINE_ATOMIC(exch_b64, uint64_t, u64, b)
DEFINE_ATOMIC(cas_b16, uint16_t, u32, old == b ? c : old)
DEFINE_ATOMIC(cas_b32, uint32_t, u32, old == b ? c : old)
DEFINE_ATOMIC(cas_b64, uint64_t, u64, old == b ? c : old)
DEFINE_ATOMIC(inc_u32, uint32_t, u32, old >= b ? 0 : old + 1)
DEFINE_ATOMIC(dec_u32, uint32_t, u32, old == 0 || old > b ? b : old - 1)
DEFINE_ATOMIC(min_u32, uint32_t, u32, LESSER(old, b))
DEFINE_ATOMIC(min_s32, int32_t, s32, LESSER(old, b))
DEFINE_ATOMIC(min_u64, uint64_t, u64, LESSER(old, b))
DEFINE_ATOMIC(min_s64, int64_t, s64, LESSER(old, b))
DEFINE_ATOMIC(max_u32, uint32_t, u32, GREATER(old, b))
DEFINE_ATOMIC(max_s32, int32_t, s32, GREATER(old, b))
DEFINE_ATOMIC(max_u64, uint64_t, u64, GREATER(old, b))
DEFINE_ATOMIC(max_s64, int64_t, s64, GREATER(old, b))

struct atomic_row {
    const char *form;
    op_fn *fn;
    char letter;
    uint8_t size;
};

op_fn *LANE(atom_find)(const char *form, char *letter, uint32_t *size)
{
    static const struct atomic_row rows[] = {
        {"add.u32", atom_add_b32, 'w', 4},     {"add.s32", atom_add_b32, 'w', 4},
        {"add.u64", atom_add_b64, 'd', 8},     {"add.s64", atom_add_b64, 'd', 8},
        {"add.f32", atom_add_f32, 'w', 4},     {"add.f64", atom_add_f64, 'd', 8},
        {"add.f16", atom_add_f16, 'h', 2},     {"add.bf16", atom_add_bf16, 'h', 2},
        {"add.f16x2", atom_add_f16x2, 'w', 4}, {"add.bf16x2", atom_add_bf16x2, 'w', 4},
        {"and.b32", atom_and_b32, 'w', 4},     {"and.b64", atom_and_b64, 'd', 8},
        {"or.b32", atom_or_b32, 'w', 4},       {"or.b64", atom_or_b64, 'd', 8},
        {"xor.b32", atom_xor_b32, 'w', 4},     {"xor.b64", atom_xor_b64, 'd', 8},
        {"exch.b32", atom_exch_b32, 'w', 4},   {"exch.b64", atom_exch_b64, 'd', 8},
        {"cas.b16", atom_cas_b16, 'h', 2},     {"cas.b32", atom_cas_b32, 'w', 4},
        {"cas.b64", atom_cas_b64, 'd', 8},     {"inc.u32", atom_inc_u32, 'w', 4},
        {"dec.u32", atom_dec_u32, 'w', 4},     {"min.u32", atom_min_u32, 'w', 4},
        {"min.s32", atom_min_s32, 'w', 4},     {"min.u64", atom_min_u64, 'd', 8},
        {"min.s64", atom_min_s64, 'd', 8},     {"max.u32", atom_max_u32, 'w', 4},
        {"max.s32", atom_max_s32, 'w', 4},     {"max.u64", atom_max_u64, 'd', 8},
        {"max.s64", atom_max_s64, 'd', 8},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (strcmp(rows[k].form, form) == 0) {
            *letter = rows[k].letter;
            *size = rows[k].size;
            return rows[k].fn;
        }
    return NULL;
}
