/* parse_const.c - numbers, and constant expressions as in initialisers and array sizes.
 *
 * PTX computes them in 64 bits, signed unless an operand is unsigned, and in double precision;
 * an address may only be moved by an integer. */
#include <stdlib.h>

#include "ptx/parse_priv.h"

static int shown(const struct token *t)
{
    return t->length < 40 ? (int)t->length : 40;
}

/* --- literals --------------------------------------------------------------------------------- */

static uint64_t digit_value(char c)
{
    return (uint64_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

/* False when the digits do not fit in 64 bits, or an octal number has a digit above 7. */
static bool read_digits(const char *s, const char *end, uint64_t base, uint64_t *value)
{
    *value = 0;
    for (; s < end; s++) {
        uint64_t digit = digit_value(*s);
        if (digit >= base || __builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, digit, value))
            return false;
    }
    return true;
}

uint64_t parse_const_integer(struct parser *p, const struct token *t)
{
    const char *s = t->text, *end = s + t->length;
    uint64_t base = 10, value;
    if (end[-1] == 'U')
        end--;
    if (end - s > 1 && s[0] == '0') {
        char kind = (char)(s[1] | 0x20);
        base = kind == 'x' ? 16 : kind == 'b' ? 2 : 8;
        s += base == 8 ? 1 : 2;
    }
    if (!read_digits(s, end, base, &value))
        parse_fail(p, t->line, "'%.*s' is not a number of 64 bits", shown(t), t->text);
    return value;
}

uint32_t parse_const_u32(struct parser *p, const struct token *t, const char *what)
{
    uint64_t value = parse_const_integer(p, t);
    if (value > UINT32_MAX)
        parse_fail(p, t->line, "%s '%.*s' does not fit in 32 bits", what, shown(t), t->text);
    return (uint32_t)value;
}

static struct constant of_int(uint64_t bits, bool is_unsigned)
{
    return (struct constant){{.kind = INIT_INT, .bits = bits}, is_unsigned};
}

static struct constant of_double(double x)
{
    struct constant c = {{.kind = INIT_F64}, false};
    memcpy(&c.init.bits, &x, sizeof x);
    return c;
}

struct constant parse_const_int(struct parser *p, const struct token *t)
{
    uint64_t value = parse_const_integer(p, t);
    return of_int(value, t->text[t->length - 1] == 'U' || value > INT64_MAX);
}

struct constant parse_const_float(struct parser *p, const struct token *t)
{
    if (t->code == LITERAL_DECIMAL) { /* the text copied ends in a NUL, so strtod stops */
        double x = strtod(t->text, NULL);
        if (x > 1.7976931348623157e308)
            parse_fail(p, t->line, "'%.*s' is not a number of 64 bits", shown(t), t->text);
        return of_double(x);
    }
    struct constant c = {{.kind = t->code == LITERAL_F32 ? INIT_F32 : INIT_F64}, false};
    bool fits = read_digits(t->text + 2, t->text + t->length, 16, &c.init.bits);
    HD_ASSERT(fits, "the lexer counts the digits");
    return c;
}

struct constant parse_const_symbol(const struct token *t)
{
    return (struct constant){{.kind = INIT_SYMBOL, .symbol = t->text}, false};
}

/* --- operators -------------------------------------------------------------------------------- */

static struct constant wrong(struct parser *p, uint32_t line, const char *what)
{
    parse_fail(p, line, "%s", what);
    return of_int(0, false);
}

static double as_double(struct constant x)
{
    if (x.init.kind == INIT_INT)
        return x.is_unsigned ? (double)x.init.bits : (double)(int64_t)x.init.bits;
    if (x.init.kind == INIT_F32) {
        uint32_t bits = (uint32_t)x.init.bits;
        float f;
        memcpy(&f, &bits, sizeof f);
        return (double)f;
    }
    double d;
    memcpy(&d, &x.init.bits, sizeof d);
    return d;
}

static struct constant move_symbol(struct parser *p, uint32_t line, enum const_op op,
                                   struct constant x, struct constant y)
{
    if (op == CONST_ADD && x.init.kind == INIT_INT && y.init.kind == INIT_SYMBOL)
        return move_symbol(p, line, op, y, x);
    if ((op != CONST_ADD && op != CONST_SUB) || y.init.kind != INIT_INT || x.init.mask_shift)
        return wrong(p, line, "an address can only be moved by an integer");
    x.init.bits = op == CONST_ADD ? x.init.bits + y.init.bits : x.init.bits - y.init.bits;
    return x;
}

static struct constant compute_double(struct parser *p, uint32_t line, enum const_op op, double x,
                                      double y)
{
    switch (op) {
    case CONST_ADD:
        return of_double(x + y);
    case CONST_SUB:
        return of_double(x - y);
    case CONST_MUL:
        return of_double(x * y);
    case CONST_DIV:
        return y != 0 ? of_double(x / y) : wrong(p, line, "division by zero");
    case CONST_LT:
        return of_int(x < y, false);
    case CONST_LE:
        return of_int(x <= y, false);
    case CONST_GT:
        return of_int(x > y, false);
    case CONST_GE:
        return of_int(x >= y, false);
    case CONST_EQ:
        return of_int(x == y, false);
    case CONST_NE:
        return of_int(x != y, false);
    default:
        return wrong(p, line, "the operator does not take floating-point numbers");
    }
}

static uint64_t divide(uint64_t x, uint64_t y, bool is_unsigned, bool wants_remainder)
{
    if (is_unsigned)
        return wants_remainder ? x % y : x / y;
    if (y == UINT64_MAX) /* the smallest number divided by -1 wraps */
        return wants_remainder ? 0 : 0 - x;
    int64_t sx = (int64_t)x, sy = (int64_t)y;
    return (uint64_t)(wants_remainder ? sx % sy : sx / sy);
}

static uint64_t shift_right(uint64_t x, uint64_t by, bool is_unsigned)
{
    uint64_t fill = !is_unsigned && (int64_t)x < 0 ? UINT64_MAX : 0;
    if (by >= 64)
        return fill;
    return by == 0 ? x : x >> by | fill << (64 - by);
}

static bool compare(enum const_op op, uint64_t x, uint64_t y, bool is_unsigned)
{
    uint64_t flip = is_unsigned ? 0 : (uint64_t)1 << 63; /* makes signed order unsigned */
    x ^= flip;
    y ^= flip;
    switch (op) {
    case CONST_LT:
        return x < y;
    case CONST_LE:
        return x <= y;
    case CONST_GT:
        return x > y;
    case CONST_GE:
        return x >= y;
    case CONST_EQ:
        return x == y;
    default:
        return x != y;
    }
}

static struct constant compute_int(struct parser *p, uint32_t line, enum const_op op,
                                   struct constant a, struct constant b)
{
    uint64_t x = a.init.bits, y = b.init.bits;
    bool u = a.is_unsigned || b.is_unsigned;
    switch (op) {
    case CONST_ADD:
        return of_int(x + y, u);
    case CONST_SUB:
        return of_int(x - y, u);
    case CONST_MUL:
        return of_int(x * y, u);
    case CONST_DIV:
    case CONST_REM:
        return y ? of_int(divide(x, y, u, op == CONST_REM), u) : wrong(p, line, "division by zero");
    case CONST_SHL:
        return of_int(y < 64 ? x << y : 0, a.is_unsigned);
    case CONST_SHR:
        return of_int(shift_right(x, y, a.is_unsigned), a.is_unsigned);
    case CONST_AND:
        return of_int(x & y, u);
    case CONST_OR:
        return of_int(x | y, u);
    case CONST_XOR:
        return of_int(x ^ y, u);
    case CONST_LOGICAL_AND:
        return of_int(x && y, false);
    case CONST_LOGICAL_OR:
        return of_int(x || y, false);
    default:
        return of_int(compare(op, x, y, u), false);
    }
}

struct constant parse_const_binary(struct parser *p, uint32_t line, enum const_op op,
                                   struct constant x, struct constant y)
{
    if (x.init.kind == INIT_SYMBOL || y.init.kind == INIT_SYMBOL)
        return move_symbol(p, line, op, x, y);
    if (x.init.kind == INIT_INT && y.init.kind == INIT_INT)
        return compute_int(p, line, op, x, y);
    return compute_double(p, line, op, as_double(x), as_double(y));
}

struct constant parse_const_unary(struct parser *p, uint32_t line, enum const_op op,
                                  struct constant x)
{
    if (op == CONST_NEG && x.init.kind == INIT_F32)
        x.init.bits ^= (uint64_t)1 << 31;
    else if (op == CONST_NEG && x.init.kind == INIT_F64)
        x.init.bits ^= (uint64_t)1 << 63;
    else if (x.init.kind != INIT_INT)
        return wrong(p, line, "the operator takes an integer");
    else if (op == CONST_LOGICAL_NOT)
        return of_int(!x.init.bits, false);
    else
        x.init.bits = op == CONST_NEG ? 0 - x.init.bits : ~x.init.bits;
    return x;
}

struct constant parse_const_choice(struct parser *p, uint32_t line, struct constant condition,
                                   struct constant x, struct constant y)
{
    if (condition.init.kind != INIT_INT)
        return wrong(p, line, "the condition of ?: is not an integer");
    return condition.init.bits ? x : y;
}

struct constant parse_const_cast(struct parser *p, const struct token *type, struct constant x)
{
    if (x.init.kind != INIT_INT || (type->code != TYPE_S64 && type->code != TYPE_U64))
        return wrong(p, type->line, "a cast takes an integer to .s64 or .u64");
    x.is_unsigned = type->code == TYPE_U64;
    return x;
}

struct constant parse_const_generic(struct parser *p, const struct token *t, struct constant x)
{
    if (strcmp(t->text, "generic") != 0)
        parse_fail(p, t->line, "found '%.40s(', expected 'generic('", t->text);
    else if (x.init.kind != INIT_SYMBOL)
        parse_fail(p, t->line, "generic() takes the name of a variable");
    x.init.is_generic = true;
    return x;
}

struct constant parse_const_mask(struct parser *p, const struct token *t, struct constant x)
{
    uint64_t mask = parse_const_integer(p, t);
    uint32_t shift = 0;
    while (shift < 56 && mask >> shift != 0xff)
        shift += 8;
    if (mask != (uint64_t)0xff << shift)
        return wrong(p, t->line, "a mask selects one byte: 0xFF, 0xFF00, ...");
    if (x.init.kind != INIT_SYMBOL)
        return wrong(p, t->line, "a mask takes the address of a variable");
    x.init.mask_shift = shift;
    return x;
}
