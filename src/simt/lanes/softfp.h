/* softfp.h - floating-point arithmetic in integers: every format up to 64 bits, every rounding.
 *
 * For what the host does not do in a vector loop: directed rounding.  A number is
 * sig * 2^exp with a significand of 128 bits, which holds the product of two f64 exactly; bits
 * that an operation drops are or-ed into the lowest one ("jammed"), far below where rounding
 * happens, so that each result is rounded once, from a value on the right side of every tie. */
#ifndef HEDDLE_SIMT_LANES_SOFTFP_H
#define HEDDLE_SIMT_LANES_SOFTFP_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 softfp_wide;

enum softfp_round { SOFTFP_NEAREST, SOFTFP_TO_ZERO, SOFTFP_DOWN, SOFTFP_UP };
enum softfp_op { SOFTFP_ADD, SOFTFP_SUB, SOFTFP_MUL, SOFTFP_FMA, SOFTFP_DIV, SOFTFP_SQRT };
enum softfp_kind { SOFTFP_ZERO, SOFTFP_FINITE, SOFTFP_INF, SOFTFP_NAN };

struct softfp_format {
    int precision; /* of the significand, hidden bit included */
    int exp_bits;
    uint64_t nan;       /* of an invalid operation */
    bool keeps_payload; /* a NaN operand is returned, quiet; else `nan` */
};

static const struct softfp_format softfp_f32 = {24, 8, 0x7fffffff, false};
static const struct softfp_format softfp_f64 = {53, 11, 0xfff8000000000000, true};

struct softfp {
    enum softfp_kind kind;
    bool sign;
    int exp;
    softfp_wide sig;
};

static inline uint64_t softfp_infinity(const struct softfp_format *f)
{
    return ((UINT64_C(1) << f->exp_bits) - 1) << (f->precision - 1);
}

static inline uint64_t softfp_sign_bit(const struct softfp_format *f)
{
    return UINT64_C(1) << (f->precision - 1 + f->exp_bits);
}

/* The exponent of the last place of subnormal numbers. */
static inline int softfp_least_quantum(const struct softfp_format *f)
{
    int bias = (1 << (f->exp_bits - 1)) - 1;
    return 1 - bias - (f->precision - 1);
}

static inline int softfp_top(softfp_wide sig)
{
    uint64_t high = (uint64_t)(sig >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)sig);
}

/* Moves the highest bit of a nonzero significand up to `top`. */
static inline struct softfp softfp_normal(struct softfp x, int top)
{
    int shift = top - softfp_top(x.sig);
    x.sig <<= shift;
    x.exp -= shift;
    return x;
}

static inline softfp_wide softfp_jam(softfp_wide sig, int shift)
{
    if (shift <= 0)
        return sig;
    if (shift > 127)
        return sig != 0;
    return sig >> shift | ((sig & (((softfp_wide)1 << shift) - 1)) != 0);
}

static inline struct softfp softfp_unpack(const struct softfp_format *f, uint64_t bits)
{
    const uint64_t hidden = UINT64_C(1) << (f->precision - 1);
    uint64_t magnitude = bits & (softfp_sign_bit(f) - 1);
    uint64_t field = magnitude >> (f->precision - 1), fraction = magnitude & (hidden - 1);
    struct softfp x = {.sign = (bits & softfp_sign_bit(f)) != 0};
    if (magnitude >= softfp_infinity(f)) {
        x.kind = fraction ? SOFTFP_NAN : SOFTFP_INF;
        return x;
    }
    x.kind = magnitude ? SOFTFP_FINITE : SOFTFP_ZERO;
    x.sig = field ? fraction | hidden : fraction;
    x.exp = softfp_least_quantum(f) + (field ? (int)field - 1 : 0);
    return x;
}

static inline bool softfp_rounds_up(enum softfp_round round, bool sign, bool is_odd,
                                    softfp_wide rest, softfp_wide half)
{
    switch (round) {
    case SOFTFP_NEAREST:
        return rest > half || (rest == half && is_odd);
    case SOFTFP_DOWN:
        return sign && rest != 0;
    case SOFTFP_UP:
        return !sign && rest != 0;
    case SOFTFP_TO_ZERO:
        break;
    }
    return false;
}

static inline uint64_t softfp_overflow(const struct softfp_format *f, enum softfp_round round,
                                       bool sign)
{
    bool is_infinite =
        round == SOFTFP_NEAREST || (round == SOFTFP_UP && !sign) || (round == SOFTFP_DOWN && sign);
    return softfp_infinity(f) - !is_infinite;
}

/* The bits of x, which is not a NaN, rounded. */
static inline uint64_t softfp_pack(const struct softfp_format *f, enum softfp_round round,
                                   struct softfp x)
{
    uint64_t sign = x.sign ? softfp_sign_bit(f) : 0;
    if (x.kind == SOFTFP_ZERO)
        return sign;
    if (x.kind == SOFTFP_INF)
        return sign | softfp_infinity(f);
    int least = softfp_least_quantum(f);
    int quantum = x.exp + softfp_top(x.sig) - (f->precision - 1);
    if (quantum < least)
        quantum = least;
    if (quantum - least > (1 << f->exp_bits))
        return sign | softfp_overflow(f, round, x.sign);

    int shift = quantum - x.exp;
    softfp_wide kept, rest = 0, half = 1;
    if (shift > 127) { /* below half of the least number */
        kept = 0;
        rest = 1;
        half = 2;
    } else if (shift > 0) {
        kept = x.sig >> shift;
        rest = x.sig & (((softfp_wide)1 << shift) - 1);
        half = (softfp_wide)1 << (shift - 1);
    } else {
        kept = x.sig << -shift;
    }
    kept += softfp_rounds_up(round, x.sign, (kept & 1) != 0, rest, half);
    /* The hidden bit, or a carry out of the fraction, counts the exponent up. */
    uint64_t bits = ((uint64_t)(quantum - least) << (f->precision - 1)) + (uint64_t)kept;
    return sign | (bits >= softfp_infinity(f) ? softfp_overflow(f, round, x.sign) : bits);
}

static inline struct softfp softfp_special(enum softfp_kind kind, bool sign)
{
    return (struct softfp){.kind = kind, .sign = sign};
}

static inline struct softfp softfp_mul(struct softfp x, struct softfp y)
{
    bool sign = x.sign != y.sign;
    bool has_inf = x.kind == SOFTFP_INF || y.kind == SOFTFP_INF;
    if (x.kind == SOFTFP_ZERO || y.kind == SOFTFP_ZERO)
        return softfp_special(has_inf ? SOFTFP_NAN : SOFTFP_ZERO, sign);
    if (has_inf)
        return softfp_special(SOFTFP_INF, sign);
    return (struct softfp){SOFTFP_FINITE, sign, x.exp + y.exp, x.sig * y.sig};
}

/* Neither is zero, infinite or NaN. */
static inline struct softfp softfp_add_finite(struct softfp x, struct softfp y,
                                              enum softfp_round round)
{
    x = softfp_normal(x, 125);
    y = softfp_normal(y, 125);
    if (x.exp < y.exp || (x.exp == y.exp && x.sig < y.sig)) {
        struct softfp larger = y;
        y = x;
        x = larger;
    }
    softfp_wide addend = softfp_jam(y.sig, x.exp - y.exp);
    if (x.sign == y.sign)
        x.sig += addend;
    else
        x.sig -= addend;
    return x.sig ? x : softfp_special(SOFTFP_ZERO, round == SOFTFP_DOWN);
}

static inline struct softfp softfp_add(struct softfp x, struct softfp y, enum softfp_round round)
{
    if (x.kind == SOFTFP_NAN || (x.kind == SOFTFP_INF && y.kind == SOFTFP_INF && x.sign != y.sign))
        return softfp_special(SOFTFP_NAN, false);
    if (x.kind == SOFTFP_INF || y.kind == SOFTFP_INF)
        return x.kind == SOFTFP_INF ? x : y;
    if (x.kind == SOFTFP_ZERO && y.kind == SOFTFP_ZERO)
        return softfp_special(SOFTFP_ZERO, x.sign == y.sign ? x.sign : round == SOFTFP_DOWN);
    if (x.kind == SOFTFP_ZERO || y.kind == SOFTFP_ZERO)
        return x.kind == SOFTFP_ZERO ? y : x;
    return softfp_add_finite(x, y, round);
}

static inline struct softfp softfp_div(struct softfp x, struct softfp y)
{
    bool sign = x.sign != y.sign;
    if (x.kind == y.kind && x.kind != SOFTFP_FINITE)
        return softfp_special(SOFTFP_NAN, false); /* 0/0, inf/inf */
    if (x.kind == SOFTFP_INF || y.kind == SOFTFP_ZERO)
        return softfp_special(SOFTFP_INF, sign);
    if (x.kind == SOFTFP_ZERO || y.kind == SOFTFP_INF)
        return softfp_special(SOFTFP_ZERO, sign);
    x = softfp_normal(x, 126); /* a quotient of 63 bits and more */
    softfp_wide quotient = x.sig / y.sig, rest = x.sig % y.sig;
    return (struct softfp){SOFTFP_FINITE, sign, x.exp - y.exp - 1, quotient << 1 | (rest != 0)};
}

static inline struct softfp softfp_sqrt(struct softfp x)
{
    if (x.kind == SOFTFP_ZERO || (x.kind == SOFTFP_INF && !x.sign))
        return x;
    if (x.sign)
        return softfp_special(SOFTFP_NAN, false);
    x = softfp_normal(x, 124);
    if (x.exp & 1) {
        x.sig <<= 1;
        x.exp--;
    }
    softfp_wide root = 0, rest = x.sig;
    for (int bit = 62; bit >= 0; bit--) { /* (root + 2^bit)^2 still fits below x? */
        softfp_wide step = (root << (bit + 1)) + ((softfp_wide)1 << (2 * bit));
        if (rest >= step) {
            rest -= step;
            root += (softfp_wide)1 << bit;
        }
    }
    return (struct softfp){SOFTFP_FINITE, false, x.exp / 2 - 1, root << 1 | (rest != 0)};
}

static inline uint64_t softfp_nan(const struct softfp_format *f, const uint64_t *operand, int n)
{
    for (int k = 0; k < n && f->keeps_payload; k++)
        if ((operand[k] & (softfp_sign_bit(f) - 1)) > softfp_infinity(f))
            return operand[k] | UINT64_C(1) << (f->precision - 2);
    return f->nan;
}

/* Operands and result as bits; operand has as many as the operation takes. */
static inline uint64_t softfp_apply(const struct softfp_format *f, enum softfp_op op,
                                    enum softfp_round round, const uint64_t *operand)
{
    int n = op == SOFTFP_FMA ? 3 : op == SOFTFP_SQRT ? 1 : 2;
    struct softfp x[3] = {{0}}, r = {0};
    bool has_nan = false;
    for (int k = 0; k < n; k++) {
        x[k] = softfp_unpack(f, operand[k]);
        has_nan |= x[k].kind == SOFTFP_NAN;
    }
    if (has_nan)
        return softfp_nan(f, operand, n);
    switch (op) {
    case SOFTFP_SUB:
        x[1].sign = !x[1].sign;
        r = softfp_add(x[0], x[1], round);
        break;
    case SOFTFP_ADD:
        r = softfp_add(x[0], x[1], round);
        break;
    case SOFTFP_MUL:
        r = softfp_mul(x[0], x[1]);
        break;
    case SOFTFP_FMA:
        r = softfp_add(softfp_mul(x[0], x[1]), x[2], round);
        break;
    case SOFTFP_DIV:
        r = softfp_div(x[0], x[1]);
        break;
    case SOFTFP_SQRT:
        r = softfp_sqrt(x[0]);
        break;
    }
    return r.kind == SOFTFP_NAN ? f->nan : softfp_pack(f, round, r);
}

#endif
