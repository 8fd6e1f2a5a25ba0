/* gen.c - a whole function: record type, constants, callees, segments, and the kernel with what
 * threads exchange between the segments. */
#include "gen.h"

#include <string.h>

#include "base/rng.h"
#include "gen_priv.h"
#include "job.h"

/* What threads exchange needs whole warps; the rest may have any shape. */
static bool has_exchange(uint64_t seed, uint32_t index)
{
    return rng_below(rng_key(seed, index), 100) < 45;
}

struct gen_shape gen_shape(uint64_t seed, uint32_t index)
{
    static const struct gen_shape whole[] = {{2, {32, 1, 1}}, {2, {64, 1, 1}}, {1, {8, 8, 2}},
                                             {2, {16, 4, 1}}, {1, {96, 1, 1}}, {1, {4, 8, 4}}};
    static const struct gen_shape any[] = {{3, {32, 1, 1}}, {2, {33, 1, 1}}, {1, {5, 7, 3}},
                                           {4, {1, 1, 1}},  {2, {48, 1, 1}}, {1, {17, 2, 1}}};
    uint32_t k = rng_below(rng_at(rng_key(seed, index), 1), 6);
    return has_exchange(seed, index) ? whole[k] : any[k];
}

void gen_head(FILE *out)
{
    fputs("#include \"both.h\"\n", out);
}

/* --- types, constants, callees --------------------------------------------------------------- */

static void record_type(struct gen *g)
{
    g->nfields = 2 + (int)gen_below(g, MAX_FIELDS - 1);
    fprintf(g->out, "struct case%u_record {\n", g->index);
    for (int k = 0; k < g->nfields; k++) {
        g->record[k] = gen_type(g);
        fprintf(g->out, "    %s m%d;\n", gen_name(g->record[k]), k);
    }
    fputs("};\n", g->out);
}

static void constant_table(struct gen *g)
{
    g->constants = gen_type(g);
    fprintf(g->out, "CONSTANT(%s, case%u_table) = {", gen_name(g->constants), g->index);
    for (int k = 0; k < 16; k++) {
        fputs(k ? ", " : "", g->out);
        gen_constant(g, g->constants);
    }
    fputs("};\n", g->out);
}

static void named_var(struct gen *g, enum type t, const char *format, int n)
{
    struct var *v = gen_declare(g, t);
    if (v)
        snprintf(v->name, sizeof v->name, format, n);
}

static void callee_head(struct gen *g, struct callee *c)
{
    const char *separator = "";
    if (c->gives_record)
        fprintf(g->out, "FN NOINLINE case%u_record %s(", g->index, c->name);
    else
        fprintf(g->out, "FN %s %s %s(", gen_chance(g, 70) ? "NOINLINE" : "", gen_name(c->result),
                c->name);
    if (c->takes_record) {
        fprintf(g->out, "case%u_record r", g->index);
        for (int k = 0; k < g->nfields; k++)
            named_var(g, g->record[k], "r.m%d", k);
        separator = ", ";
    }
    if (c->takes_pointer) {
        fprintf(g->out, "%si32 *p", separator);
        named_var(g, I32, "(*p)", 0);
        separator = ", ";
    }
    for (int k = 0; k < c->nparams; k++) {
        c->params[k] = gen_type(g);
        fprintf(g->out, "%s%s a%d", separator, gen_name(c->params[k]), k);
        named_var(g, c->params[k], "a%d", k);
        separator = ", ";
    }
    fputs(")\n{\n", g->out);
}

static void callee(struct gen *g)
{
    struct callee c = {.result = gen_type(g), .nparams = 1 + (int)gen_below(g, MAX_PARAMS)};
    c.gives_record = gen_chance(g, 30);
    c.takes_record = gen_chance(g, 30);
    c.takes_pointer = gen_chance(g, 20);
    snprintf(c.name, sizeof c.name, "case%u_g%d", g->index, g->ncallees);
    g->nvars = 0;
    g->has_thread = false;
    g->indent = 1;
    g->budget = 2 * g->size;
    g->has_result = !c.gives_record;
    g->result = c.result;
    callee_head(g, &c);
    fputs("    i32 cell = 3;\n    (void)cell;\n", g->out);
    if (c.gives_record) {
        fprintf(g->out, "    case%u_record q = {", g->index);
        for (int k = 0; k < g->nfields; k++) {
            fputs(k ? ", " : "", g->out);
            gen_expr(g, g->record[k], 1);
        }
        fputs("};\n    return q;\n}\n", g->out);
    } else {
        named_var(g, I32, "cell", 0);
        gen_block(g, 4);
        fprintf(g->out, "    return (%s)(", gen_name(c.result));
        gen_expr(g, c.result, 2);
        fprintf(g->out, " + (%s)cell);\n}\n", gen_is_float(c.result) ? "f32" : "u64");
    }
    g->callees[g->ncallees++] = c;
}

/* The result of the callee that may call all others, as an f64. */
static void call_latest(struct gen *g)
{
    const struct callee *c = &g->callees[g->ncallees - 1];
    fputs("(f64)", g->out);
    gen_call(g, c);
    fputs(c->gives_record ? ".m0;\n" : ";\n", g->out);
}

/* --- segments -------------------------------------------------------------------------------- */

enum { STATES = 6 };
static const enum type state_type[STATES] = {I32, U32, F32, I64, F64, U16};

static void state_fields_in_scope(struct gen *g)
{
    g->nvars = 0;
    for (int k = 0; k < STATES; k++)
        named_var(g, state_type[k], "s->e%d", k);
    named_var(g, U32, "t->tid", 0);
    g->vars[g->nvars - 1].is_fixed = true;
    named_var(g, U32, "t->x", 0);
    g->vars[g->nvars - 1].is_fixed = true;
    named_var(g, I32, "cell", 0);
}

static void segment(struct gen *g, int number)
{
    fprintf(g->out, "FN %s void case%u_s%d(state *s, const thread *t, const job *j)\n{\n",
            gen_chance(g, 25) ? "NOINLINE" : "", g->index, number);
    fputs("    i32 cell = (i32)t->tid;\n    (void)cell, (void)j;\n", g->out);
    g->has_thread = true;
    g->has_result = false;
    g->indent = 1;
    if (number == 0) {
        g->nvars = 0;
        for (int k = 0; k < STATES; k++) {
            fprintf(g->out, "    s->e%d = ", k);
            gen_expr(g, state_type[k], 1);
            fputs(";\n", g->out);
            named_var(g, state_type[k], "s->e%d", k);
        }
    }
    state_fields_in_scope(g);
    g->budget = g->size * (number == 0 ? 4 : 2);
    gen_block(g, g->budget);
    if (g->ncallees > 0) {
        fputs("    s->e4 = ", g->out);
        call_latest(g);
    }
    fputs("    s->e0 ^= cell;\n}\n", g->out);
}

/* --- exchange -------------------------------------------------------------------------------- */

static void shuffle(struct gen *g)
{
    static const char *const modes[] = {"idx", "up", "down", "bfly"};
    uint32_t field = gen_below(g, 3); /* i32, u32, f32 */
    if (gen_chance(g, 20)) {
        uint32_t bit = gen_below(g, 5);
        fprintf(g->out, "    SHUFFLE_APART(%u, e%u, %u);\n", bit, field,
                gen_below(g, 32) & ~(1u << bit));
        return;
    }
    fprintf(g->out, "    SHUFFLE(%s, e%u, ", modes[gen_below(g, 4)], field);
    if (gen_chance(g, 50))
        fprintf(g->out, "%u", gen_below(g, 32));
    else
        fprintf(g->out, "s->e%u", gen_below(g, 2));
    fprintf(g->out, ", %u);\n", gen_chance(g, 60) ? 32 : 2u << gen_below(g, 4));
}

static void vote(struct gen *g)
{
    static const char *const modes[] = {"all", "any", "ballot", "ballot", "count", "and", "or"};
    if (gen_chance(g, 20)) {
        fprintf(g->out, "    MATCH(e1, s->e0 & %u);\n", 1 + gen_below(g, 3));
        return;
    }
    fprintf(g->out, "    VOTE(%s, e1, ", modes[gen_below(g, 7)]);
    gen_condition(g, gen_depth(g));
    fputs(");\n", g->out);
}

/* Each thread writes its own place and reads any; element sizes may differ. */
static void tile(struct gen *g, int number)
{
    int from = (int)gen_below(g, STATES), to = (int)gen_below(g, STATES);
    const char *tfrom = gen_name(state_type[from]), *tto = gen_name(state_type[to]);
    if (gen_chance(g, 50))
        fprintf(g->out, "    SHARED(u64, tile%d, MAX_THREADS);\n", number);
    else
        fprintf(g->out, "    DYNAMIC(u64, tile%d);\n", number);
    fprintf(g->out, "    EACH(((%s *)tile%d)[t->tid ^ %u] = op_keep(s->e%d));\n", tfrom, number,
            gen_below(g, 32), from);
    fputs("    SYNC;\n", g->out);
    fprintf(g->out,
            "    EACH(s->e%d = ((const %s *)tile%d)[(t->tid + (u32)s->e1 %% 61) %% "
            "(t->threads * (u32)sizeof(%s) / (u32)sizeof(%s))]);\n",
            to, tto, number, tfrom, tto);
    fputs("    SYNC;\n", g->out);
}

/* The sum, least, ... of all threads, in shared memory. */
static void shared_atomic(struct gen *g, int number)
{
    static const char *const names[] = {"add", "min", "max", "and", "or", "xor", "casadd"};
    enum type t = (enum type)(I32 + gen_below(g, 4));
    fprintf(g->out, "    SHARED(%s, cells%d, 4);\n", gen_name(t), number);
    fprintf(g->out, "    EACH(if (t->tid < 4) cells%d[t->tid] = (%s)(t->tid * 77));\n    SYNC;\n",
            number, gen_name(t));
    fputs("    EACH(if (", g->out);
    gen_condition(g, 1);
    if (t == U32 && gen_chance(g, 30)) {
        fprintf(g->out, ") both_%s(&cells%d[s->e0 & 3], %uu", gen_chance(g, 50) ? "inc" : "dec",
                number, gen_below(g, 100));
    } else {
        fprintf(g->out, ") both_%s(&cells%d[s->e0 & 3], ", names[gen_below(g, 7)], number);
        gen_expr(g, t, 1);
    }
    fputs("));\n    SYNC;\n", g->out);
    fprintf(g->out, "    EACH(s->e3 = (i64)cells%d[s->e1 & 3]);\n    SYNC;\n", number);
}

/* The same in global memory, over all CTAs; nobody reads it before the end. */
static void global_atomic(struct gen *g, int number)
{
    static const char *const names[] = {"add", "min", "max", "and", "or", "xor", "casadd"};
    enum type t = (enum type)(I32 + gen_below(g, 4));
    fputs("    EACH(if (", g->out);
    gen_condition(g, 1);
    fprintf(g->out, ") both_%s((%s *)(j->acc + %d) + (s->e0 & 3), ", names[gen_below(g, 7)],
            gen_name(t), number * 64);
    gen_expr(g, t, 1);
    fputs("));\n", g->out);
}

static void exchange(struct gen *g, int number)
{
    state_fields_in_scope(g);
    g->nvars--; /* cell is the segments' */
    switch (gen_below(g, 7)) {
    case 0:
    case 1:
        shuffle(g);
        break;
    case 2:
        vote(g);
        break;
    case 3:
    case 4:
        tile(g, number);
        break;
    case 5:
        shared_atomic(g, number);
        break;
    default:
        global_atomic(g, number);
        break;
    }
}

static void kernel(struct gen *g, int segments)
{
    bool exchanges = segments > 1;
    g->has_thread = true;
    g->ncallees = 0; /* what is called there needs a cell */
    fprintf(g->out, "KERNEL(case%u)\n{\n    STEPS_BEGIN\n", g->index);
    for (int k = 0; k < segments; k++) {
        fprintf(g->out, "    EACH(case%u_s%d(s, t, j));\n", g->index, k);
        if (exchanges) {
            exchange(g, 2 * k);
            if (gen_chance(g, 40))
                exchange(g, 2 * k + 1);
        }
    }
    fputs("    EACH(both_store(s, t));\n", g->out);
    fputs("    STEPS_END\n}\n\n", g->out);
}

uint32_t gen_case(FILE *out, uint64_t seed, uint32_t index)
{
    struct gen g = {.out = out, .key = rng_key(seed, index), .draws = 100, .index = index};
    g.size = gen_chance(&g, 4) ? 4 : 1;
    g.has_table = gen_chance(&g, 40);
    if (g.has_table)
        constant_table(&g);
    int callees = g.size == 1 ? gen_chance(&g, 50) : 3;
    if (callees > 0)
        record_type(&g);
    for (int k = 0; k < callees; k++)
        callee(&g);
    int segments = has_exchange(seed, index) ? 2 : 1;
    for (int k = 0; k < segments; k++)
        segment(&g, k);
    kernel(&g, segments);
    return (uint32_t)(segments + callees);
}
