/* gen_stmt.c - random statements: assignments, branches, loops that end, switches, arrays, own
 * memory, atomics on own memory, approximate operations, early returns. */
#include <stddef.h>

#include "gen_priv.h"
#include "job.h"

static void line(struct gen *g, const char *text)
{
    gen_line(g);
    fprintf(g->out, "%s\n", text);
}

static void nested(struct gen *g, int statements)
{
    g->indent++;
    gen_block(g, statements);
    g->indent--;
}

static void put_expr(struct gen *g, const char *before, enum type t, int depth, const char *after)
{
    fputs(before, g->out);
    gen_expr(g, t, depth);
    fputs(after, g->out);
}

static void declaration(struct gen *g)
{
    enum type t = gen_type(g);
    gen_line(g);
    fprintf(g->out, "%s v%d = ", gen_name(t), g->serial);
    put_expr(g, "", t, gen_depth(g), ";\n");
    gen_declare(g, t);
}

static void assignment(struct gen *g)
{
    for (int tries = 0; tries < 5 && g->nvars > 0; tries++) {
        const struct var *v = &g->vars[gen_below(g, (uint32_t)g->nvars)];
        if (v->is_fixed)
            continue;
        gen_line(g);
        fputs(v->name, g->out);
        if (v->mask) {
            fputs("[", g->out);
            gen_index(g, v->mask);
            fputs("]", g->out);
        }
        put_expr(g, " = ", v->type, gen_depth(g), ";\n");
        return;
    }
    declaration(g);
}

static void array(struct gen *g)
{
    enum type t = gen_type(g);
    uint32_t n = 2u << gen_below(g, 4);
    int id = g->serial;
    gen_line(g);
    fprintf(g->out, "%s v%d[%u];\n", gen_name(t), id, n);
    gen_line(g);
    fprintf(g->out, "for (u32 k = 0; k < %u; k++)\n", n);
    gen_line(g);
    fprintf(g->out, "    v%d[k] = (%s)(k * %u + 1);\n", id, gen_name(t), 1 + gen_below(g, 50));
    struct var *v = gen_declare(g, t);
    if (v)
        v->mask = n - 1;
}

static void branch(struct gen *g)
{
    gen_line(g);
    fputs("if (", g->out);
    gen_condition(g, gen_depth(g));
    fputs(") {\n", g->out);
    nested(g, 3);
    if (gen_chance(g, 50)) {
        line(g, "} else {");
        nested(g, 3);
    }
    line(g, "}");
}

/* Trip counts come from the data, but are small; the counter is never assigned to. */
static void loop(struct gen *g)
{
    uint32_t most = g->has_thread && g->loops == 0 ? 15 : 3;
    int count = g->serial++;
    gen_line(g);
    fprintf(g->out, "u32 n%d = ", count);
    gen_index(g, most);
    fputs(";\n", g->out);
    gen_line(g);
    int scope = g->nvars;
    switch (gen_below(g, 3)) {
    case 0:
        fprintf(g->out, "for (u32 v%d = 0; v%d < n%d; v%d++) {\n", g->serial, g->serial, count,
                g->serial);
        break;
    case 1:
        fprintf(g->out, "for (u32 v%d = n%d; v%d != 0; v%d >>= 1) {\n", g->serial, count, g->serial,
                g->serial);
        break;
    default:
        fprintf(g->out, "for (u32 v%d = 0; n%d-- != 0; v%d += 3) {\n", g->serial, count, g->serial);
        break;
    }
    struct var *v = gen_declare(g, U32);
    if (v)
        v->is_fixed = true;
    g->loops++;
    nested(g, 3);
    if (gen_chance(g, 40)) {
        g->indent++;
        gen_line(g);
        fputs("if (", g->out);
        gen_condition(g, 1);
        fprintf(g->out, ")\n%*s%s;\n", 4 * g->indent + 4, "",
                gen_chance(g, 50) ? "break" : "continue");
        g->indent--;
        nested(g, 1);
    }
    g->loops--;
    g->nvars = scope;
    line(g, "}");
}

static void choice(struct gen *g)
{
    uint32_t cases = 3 + gen_below(g, 8);
    gen_line(g);
    fputs("switch (", g->out);
    gen_index(g, cases <= 4 ? 3 : 15);
    fputs(") {\n", g->out);
    for (uint32_t k = 0; k < cases; k++) {
        gen_line(g);
        fprintf(g->out, "case %u: {\n", k);
        nested(g, 1);
        line(g, gen_chance(g, 80) ? "} break;" : "} /* falls through */");
    }
    line(g, "default:");
    line(g, "    break;");
    line(g, "}");
}

static void store(struct gen *g)
{
    enum type t = gen_type(g);
    uint32_t bytes = gen_bytes(t);
    gen_line(g);
    fprintf(g->out, "OUT(%s, %u) = op_keep(", gen_name(t), gen_below(g, OUT_BYTES / bytes) * bytes);
    put_expr(g, "", t, gen_depth(g), ");\n");
}

static const struct vector {
    const char *name;
    enum type element;
    uint32_t n;
} vectors[] = {
    {"f32x4", F32, 4}, {"i32x2", I32, 2}, {"u64x2", U64, 2}, {"u8x4", U8, 4}, {"i16x4", I16, 4}};

static void vector_copy(struct gen *g)
{
    static const char part[] = "xyzw";
    const struct vector *v = &vectors[gen_below(g, 5)];
    uint32_t bytes = gen_bytes(v->element) * v->n;
    int id = g->serial++;
    gen_line(g);
    fprintf(g->out, "%s q%d = %s(%s, %u);\n", v->name, id, gen_chance(g, 70) ? "IN" : "OUT",
            v->name, gen_below(g, IN_BYTES / bytes) * bytes);
    for (uint32_t k = 0; k < v->n; k++) {
        struct var *field = gen_declare(g, v->element);
        if (field)
            snprintf(field->name, sizeof field->name, "q%d.%c", id, part[k]);
    }
    uint32_t changed = gen_below(g, v->n);
    gen_line(g);
    fprintf(g->out, "q%d.%c = ", id, part[changed]);
    put_expr(g, "", v->element, 1, ";\n");
    gen_line(g);
    fprintf(g->out, "OUT(%s, %u) = %s{", v->name, gen_below(g, OUT_BYTES / bytes) * bytes, v->name);
    for (uint32_t k = 0; k < v->n; k++)
        fprintf(g->out, "%sop_keep(q%d.%c)", k ? ", " : "", id, part[k]);
    fputs("};\n", g->out);
}

/* No other thread has this address: also what the atomic returns is certain. */
static void own_atomic(struct gen *g)
{
    static const char *const names[] = {"add", "min", "max", "and", "or", "xor", "exch", "casadd"};
    enum type t = (enum type)(I32 + gen_below(g, 4));
    uint32_t at = gen_below(g, OUT_BYTES / 8) * 8;
    gen_line(g);
    fprintf(g->out, "%s v%d = ", gen_name(t), g->serial);
    if (gen_chance(g, 25)) {
        fprintf(g->out, "both_cas(&OUT(%s, %u), ", gen_name(t), at);
        put_expr(g, "", t, 0, ", ");
        put_expr(g, "", t, 1, ");\n");
    } else {
        fprintf(g->out, "both_%s(&OUT(%s, %u), ", names[gen_below(g, 8)], gen_name(t), at);
        put_expr(g, "", t, 1, ");\n");
    }
    gen_declare(g, t);
}

static void approximation(struct gen *g)
{
    static const char *const names[] = {"rcp", "sqrt", "rsqrt", "sin",     "cos", "lg2",
                                        "ex2", "tanh", "rcp64", "rsqrt64", "div", "full"};
    uint32_t k = gen_below(g, 12);
    gen_line(g);
    fprintf(g->out, "approx_%s(t, %u, ", names[k], gen_below(g, APPROX_SLOTS));
    put_expr(g, "", k == 8 || k == 9 ? F64 : F32, 1, "");
    if (k >= 10)
        put_expr(g, ", ", F32, 1, "");
    fputs(");\n", g->out);
}

static void early_return(struct gen *g)
{
    gen_line(g);
    fputs("if (", g->out);
    gen_condition(g, 1);
    fputs(")\n", g->out);
    gen_line(g);
    if (g->has_result)
        put_expr(g, "    return ", g->result, 1, ";\n");
    else
        fputs("    return;\n", g->out);
}

/* Calls a function that gives a record; the record's fields are variables from here on. */
static void record_call(struct gen *g)
{
    for (int k = 0; k < g->ncallees; k++) {
        const struct callee *c = &g->callees[k];
        if (!c->gives_record)
            continue;
        int id = g->serial++;
        gen_line(g);
        fprintf(g->out, "case%u_record r%d = ", g->index, id);
        gen_call(g, c);
        fputs(";\n", g->out);
        for (int field = 0; field < g->nfields; field++) {
            struct var *v = gen_declare(g, g->record[field]);
            if (v)
                snprintf(v->name, sizeof v->name, "r%d.m%d", id, field);
        }
        return;
    }
    declaration(g);
}

static void memory_statement(struct gen *g)
{
    uint32_t draw = gen_below(g, 10);
    if (draw < 4)
        store(g);
    else if (draw < 7)
        vector_copy(g);
    else if (draw < 9)
        own_atomic(g);
    else
        approximation(g);
}

static void statement(struct gen *g)
{
    uint32_t draw = gen_below(g, 100);
    if (draw < 30)
        declaration(g);
    else if (draw < 50)
        assignment(g);
    else if (draw < 56)
        array(g);
    else if (draw < 66)
        branch(g);
    else if (draw < 73 && g->loops < 2)
        loop(g);
    else if (draw < 76)
        choice(g);
    else if (draw < 92 && g->has_thread)
        memory_statement(g);
    else if (draw < 95)
        early_return(g);
    else
        record_call(g);
}

/* What the block computed goes on living in `cell`: nothing is dead. */
static void keep_last(struct gen *g, int scope)
{
    if (g->nvars == scope)
        return;
    gen_line(g);
    fputs("cell = (i32)((u32)cell * 33u ^ ", g->out);
    gen_var(g, &g->vars[g->nvars - 1 - (int)gen_below(g, (uint32_t)(g->nvars - scope))], U32);
    fputs(");\n", g->out);
}

void gen_block(struct gen *g, int statements)
{
    int scope = g->nvars;
    for (int n = 1 + (int)gen_below(g, (uint32_t)statements); n > 0 && g->budget > 0; n--) {
        g->budget--;
        statement(g);
    }
    keep_last(g, scope);
    g->nvars = scope;
}
