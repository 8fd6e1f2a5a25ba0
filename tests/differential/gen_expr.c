/* gen_expr.c - random expressions.
 *
 * Arithmetic is done in an unsigned type wide enough that C's promotions cannot overflow and is
 * converted back; shift counts are masked; everything that needs more care is an operation of
 * both/, called by name.  So no expression is undefined, whatever its operands. */
#include <string.h>

#include "gen_priv.h"
#include "job.h"

static const char *wide_name(enum type t)
{
    return gen_bytes(t) == 8 ? "u64" : "u32";
}

static void put(struct gen *g, const char *text)
{
    fputs(text, g->out);
}

void gen_index(struct gen *g, uint32_t mask)
{
    if (gen_chance(g, 20)) {
        fprintf(g->out, "%uu", gen_below(g, mask + 1));
        return;
    }
    put(g, "((u32)");
    gen_expr(g, gen_int_type(g), 1);
    fprintf(g->out, " & %uu)", mask);
}

void gen_var(struct gen *g, const struct var *v, enum type t)
{
    bool to_int = gen_is_float(v->type) && !gen_is_float(t);
    if (to_int)
        fprintf(g->out, "op_%s_of_%s(", gen_name(t), gen_name(v->type));
    else if (v->type != t)
        fprintf(g->out, "(%s)", gen_name(t));
    put(g, v->name);
    if (v->mask) {
        put(g, "[");
        gen_index(g, v->mask);
        put(g, "]");
    }
    if (to_int)
        put(g, ")");
}

static void variable(struct gen *g, enum type t)
{
    for (int tries = 0; tries < 6; tries++) { /* prefer the same type */
        const struct var *v = &g->vars[gen_below(g, (uint32_t)g->nvars)];
        if (v->type == t || tries == 5) {
            gen_var(g, v, t);
            return;
        }
    }
}

static void table_entry(struct gen *g, enum type t)
{
    struct var v = {.type = g->constants, .mask = 15};
    snprintf(v.name, sizeof v.name, "case%u_table", g->index);
    gen_var(g, &v, t);
}

static void job_field(struct gen *g, enum type t)
{
    static const char *const field[TYPES] = {"b", "ub", "h", "uh", "i", "u", "l", "l", "f", "d"};
    struct var v = {.type = t == U64 ? I64 : t};
    snprintf(v.name, sizeof v.name, "j->%s", field[t]);
    gen_var(g, &v, t);
}

static void memory(struct gen *g, enum type t)
{
    const char *name = gen_name(t);
    uint32_t bytes = gen_bytes(t);
    switch (gen_below(g, 6)) {
    case 0:
        fprintf(g->out, "COLUMN(%s, %u)", name, gen_below(g, 4) * 32);
        break;
    case 1:
        fprintf(g->out, "COMMON(%s, ", name);
        gen_index(g, 63);
        put(g, ")");
        break;
    case 2:
        fprintf(g->out, "OUT(%s, %u)", name, gen_below(g, IN_BYTES / bytes) * bytes);
        break;
    case 3:
        job_field(g, t);
        break;
    default:
        fprintf(g->out, "IN(%s, %u)", name, gen_below(g, IN_BYTES / bytes) * bytes);
        break;
    }
}

static void leaf(struct gen *g, enum type t)
{
    uint32_t draw = gen_below(g, 100);
    if (draw < 60 && g->nvars > 0)
        variable(g, t);
    else if (draw < 75 && g->has_thread)
        memory(g, t);
    else if (draw < 82 && g->has_table)
        table_entry(g, t);
    else
        gen_constant(g, t);
}

static void compare(struct gen *g, int depth)
{
    static const char *const relation[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    enum type t = gen_type(g);
    put(g, "(");
    gen_expr(g, t, depth - 1);
    put(g, relation[gen_below(g, 6)]);
    gen_expr(g, t, depth - 1);
    put(g, ")");
}

void gen_condition(struct gen *g, int depth)
{
    switch (depth <= 0 ? 9 : gen_below(g, 10)) {
    case 0:
        put(g, "!");
        gen_condition(g, depth - 1);
        break;
    case 1:
    case 2:
        put(g, "(");
        gen_condition(g, depth - 1);
        put(g, gen_chance(g, 50) ? " && " : " || ");
        gen_condition(g, depth - 1);
        put(g, ")");
        break;
    case 3:
        put(g, "((");
        gen_expr(g, gen_int_type(g), depth - 1);
        fprintf(g->out, " & %u) != 0)", 1 + gen_below(g, 7));
        break;
    default:
        compare(g, depth);
        break;
    }
}

static void ternary(struct gen *g, enum type t, int depth)
{
    put(g, "(");
    gen_condition(g, depth - 1);
    put(g, " ? ");
    gen_expr(g, t, depth - 1);
    put(g, " : ");
    gen_expr(g, t, depth - 1);
    put(g, ")");
}

static void operation(struct gen *g, enum type t, int depth)
{
    const struct gen_op *op = gen_op(g, t);
    fprintf(g->out, "%s(", op->name);
    for (int k = 0; k < op->nargs; k++) {
        put(g, k ? ", " : "");
        gen_expr(g, op->args[k], depth - 1);
    }
    put(g, ")");
}

static void conversion(struct gen *g, enum type t, int depth)
{
    enum type from = gen_type(g);
    if (gen_is_float(from) && !gen_is_float(t))
        fprintf(g->out, "op_%s_of_%s(", gen_name(t), gen_name(from));
    else
        fprintf(g->out, "(%s)(", gen_name(t));
    gen_expr(g, from, depth - 1);
    put(g, ")");
}

/* For both_hide see both.h. */
static void int_arithmetic(struct gen *g, enum type t, int depth)
{
    static const char *const binary[] = {"+", "+", "-", "-", "*", "*", "&", "|", "^"};
    const char *wide = wide_name(t), *sign = binary[gen_below(g, 9)];
    switch (gen_below(g, 8)) {
    case 0:
        fprintf(g->out, "(%s)(both_hide((%s)", gen_name(t), wide);
        gen_expr(g, t, depth - 1);
        put(g, ") << ");
        gen_index(g, 8 * gen_bytes(t) - 1);
        break;
    case 1:
        fprintf(g->out, "(%s)(", gen_name(t));
        gen_expr(g, t, depth - 1);
        put(g, " >> ");
        gen_index(g, 8 * gen_bytes(t) - 1);
        break;
    case 2:
        fprintf(g->out, "(%s)(%s(%s)", gen_name(t), gen_chance(g, 50) ? "0 - " : "~", wide);
        gen_expr(g, t, depth - 1);
        break;
    default:
        fprintf(g->out, "(%s)(%s((%s)", gen_name(t), *sign == '*' ? "both_hide" : "", wide);
        gen_expr(g, t, depth - 1);
        fprintf(g->out, ") %s (%s)", sign, wide);
        gen_expr(g, t, depth - 1);
        break;
    }
    put(g, ")");
}

static void float_arithmetic(struct gen *g, enum type t, int depth)
{
    static const char *const binary[] = {" + ", " - ", " * ", " * ", " / "};
    put(g, gen_chance(g, 10) ? "-(" : "(");
    gen_expr(g, t, depth - 1);
    put(g, binary[gen_below(g, 5)]);
    gen_expr(g, t, depth - 1);
    put(g, ")");
}

void gen_call(struct gen *g, const struct callee *c)
{
    fprintf(g->out, "%s(", c->name);
    const char *separator = "";
    if (c->takes_record) {
        fprintf(g->out, "case%u_record{", g->index);
        for (int k = 0; k < g->nfields; k++) {
            put(g, k ? ", " : "");
            gen_expr(g, g->record[k], 1);
        }
        put(g, "}");
        separator = ", ";
    }
    if (c->takes_pointer) {
        fprintf(g->out, "%s&cell", separator);
        separator = ", ";
    }
    for (int k = 0; k < c->nparams; k++) {
        put(g, separator);
        gen_expr(g, c->params[k], 1);
        separator = ", ";
    }
    put(g, ")");
}

static bool call(struct gen *g, enum type t)
{
    if (g->ncallees == 0)
        return false;
    const struct callee *c = &g->callees[gen_below(g, (uint32_t)g->ncallees)];
    if (c->gives_record)
        return false;
    bool to_int = gen_is_float(c->result) && !gen_is_float(t);
    if (to_int)
        fprintf(g->out, "op_%s_of_%s(", gen_name(t), gen_name(c->result));
    else if (c->result != t)
        fprintf(g->out, "(%s)", gen_name(t));
    gen_call(g, c);
    put(g, to_int ? ")" : "");
    return true;
}

void gen_expr(struct gen *g, enum type t, int depth)
{
    uint32_t draw = gen_below(g, 100);
    if (depth <= 0 || draw < 12)
        leaf(g, t);
    else if (draw < 18)
        ternary(g, t, depth);
    else if (draw < 26)
        conversion(g, t, depth);
    else if (draw < 60)
        operation(g, t, depth);
    else if (draw < 64 && depth == 1 && call(g, t))
        return;
    else if (gen_is_float(t))
        float_arithmetic(g, t, depth);
    else
        int_arithmetic(g, t, depth);
}
