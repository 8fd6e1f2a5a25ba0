/* gen_draw.c - random choices: numbers, types and literals with a taste for the edges. */
#include <inttypes.h>
#include <string.h>

#include "base/rng.h"
#include "gen_priv.h"

uint32_t gen_below(struct gen *g, uint32_t n)
{
    return rng_below(rng_at(g->key, g->draws++), n);
}

bool gen_chance(struct gen *g, uint32_t percent)
{
    return gen_below(g, 100) < percent;
}

int gen_depth(struct gen *g)
{
    return gen_chance(g, 35) ? 2 : 1;
}

static uint64_t gen_bits(struct gen *g)
{
    return rng_at(g->key, g->draws++);
}

enum type gen_int_type(struct gen *g)
{
    static const uint8_t choice[] = {I8, U8, I16, U16, I32, I32, I32, U32, U32, U32, I64, U64};
    return choice[gen_below(g, sizeof choice)];
}

enum type gen_type(struct gen *g)
{
    uint32_t draw = gen_below(g, 10);
    return draw < 2 ? F32 : draw < 4 ? F64 : gen_int_type(g);
}

const char *gen_name(enum type t)
{
    static const char *const names[TYPES] = {"i8",  "u8",  "i16", "u16", "i32",
                                             "u32", "i64", "u64", "f32", "f64"};
    return names[t];
}

bool gen_is_float(enum type t)
{
    return t == F32 || t == F64;
}

uint32_t gen_bytes(enum type t)
{
    static const uint8_t bytes[TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return bytes[t];
}

void gen_line(struct gen *g)
{
    fprintf(g->out, "%*s", 4 * g->indent, "");
}

static void int_constant(struct gen *g, enum type t)
{
    uint32_t bits = 8 * gen_bytes(t);
    uint64_t v = gen_bits(g);
    switch (gen_below(g, 6)) {
    case 0:
        v = gen_below(g, 4) - UINT64_C(1);
        break;
    case 1:
        v = UINT64_C(1) << (v % bits);
        break;
    case 2:
        v = (UINT64_C(1) << (v % bits)) - 1;
        break;
    case 3:
        v = (UINT64_C(1) << (bits - 1)) - gen_below(g, 2);
        break;
    case 4:
        v %= 1000;
        break;
    default:
        break;
    }
    v &= UINT64_MAX >> (64 - bits);
    fprintf(g->out, "(%s)0x%" PRIx64 "%s", gen_name(t), v, bits == 64 ? "ull" : "u");
}

static void float_constant(struct gen *g, enum type t)
{
    static const double edge[] = {0,        -0.0,    1,      -1,     0.5,       0x1p-149,
                                  0x1p-126, 0x1p127, 0x1p31, 0x1p63, -0x1p31,   0x1p24,
                                  0.1,      1.0 / 3, -2.5,   1e-20,  16777217.0};
    if (gen_chance(g, 2)) {
        fprintf(g->out, "(%s)__builtin_%s", gen_name(t),
                gen_chance(g, 50) ? "inff()" : "nanf(\"\")");
        return;
    }
    double v = edge[gen_below(g, sizeof edge / sizeof edge[0])];
    if (gen_chance(g, 50))
        v = ((double)gen_below(g, 200000) - 100000) / (double)(1 + gen_below(g, 5000));
    if (t == F32)
        v = (double)(float)v;
    fprintf(g->out, "(%a%s)", v, t == F32 ? "f" : "");
}

void gen_constant(struct gen *g, enum type t)
{
    if (gen_is_float(t))
        float_constant(g, t);
    else
        int_constant(g, t);
}

struct var *gen_declare(struct gen *g, enum type t)
{
    if (g->nvars == MAX_VARS)
        return NULL;
    struct var *v = &g->vars[g->nvars++];
    memset(v, 0, sizeof *v);
    v->type = t;
    snprintf(v->name, sizeof v->name, "v%d", g->serial++);
    return v;
}
