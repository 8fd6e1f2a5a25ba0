/* parse_decl.c - declarations of variables, registers and parameters, with their initialisers.
 *
 * Nested braces are flattened; where an inner brace ends early, the elements it left out follow
 * as zeros, so that the next one begins where its row does. */
#include "ptx/parse_priv.h"

enum {
    MAX_ALIGN = 1 << 20,
    MAX_REGISTERS = 1 << 20, /* of one range */
    MAX_PADDING = 1 << 20,   /* zeros written out because a brace ended early */
};
#define MAX_ELEMENTS ((uint64_t)1 << 40)

void parse_decl_begin(struct parser *p, uint32_t links, const struct token *space)
{
    p->var = (struct ast_var){
        .space = (enum ast_space)space->code,
        .vec = 1,
        .is_extern = (links & LINK_EXTERN) != 0,
        .is_visible = (links & LINK_VISIBLE) != 0,
    };
    p->is_pointee = false;
}

void parse_decl_align(struct parser *p, const struct token *t)
{
    uint64_t align = parse_const_integer(p, t);
    if (align == 0 || align > MAX_ALIGN || (align & (align - 1)) != 0)
        parse_fail(p, t->line, "found '.align %.*s', expected a power of two up to %d",
                   t->length < 40 ? (int)t->length : 40, t->text, MAX_ALIGN);
    if (!p->is_pointee)
        p->var.align = (uint32_t)align;
}

void parse_decl_type(struct parser *p, const struct token *t)
{
    if (p->var.type != TYPE_NONE)
        parse_fail(p, t->line, "found '%.*s', expected a name: the type is already given",
                   (int)t->length, t->text);
    p->var.type = (enum ast_type)t->code;
}

/* .texref, .samplerref, .surfref: a handle of 64 bits. */
void parse_decl_opaque(struct parser *p)
{
    p->var.type = TYPE_B64;
    if (p->var.space == SPACE_GLOBAL)
        p->var.space = SPACE_TEXREF;
}

static struct ast_var *current(struct parser *p)
{
    return (struct ast_var *)p->vars.at + p->vars.n - 1;
}

void parse_decl_name(struct parser *p, const struct token *name)
{
    struct ast_var *v = parse_push(p, &p->vars);
    *v = p->var;
    v->name = name->text;
    v->line = name->line;
    v->count = 1;
    if (v->type == TYPE_NONE)
        parse_fail(p, name->line, "found '%.40s', expected a type before it", v->name);
    p->array = (struct parse_array){0};
    p->inits.n = 0;
}

void parse_decl_range(struct parser *p, const struct token *count)
{
    struct ast_var *v = current(p);
    uint64_t n = parse_const_integer(p, count);
    if (n == 0 || n > MAX_REGISTERS)
        parse_fail(p, count->line, "'%.40s<%.*s>': expected 1 to %d registers", v->name,
                   count->length < 40 ? (int)count->length : 40, count->text, MAX_REGISTERS);
    if (v->space != SPACE_REG)
        parse_fail(p, count->line, "'%.40s<>': only registers are declared by ranges", v->name);
    v->range = (uint32_t)n;
}

void parse_decl_dim(struct parser *p, uint32_t line, const struct constant *size)
{
    struct ast_var *v = current(p);
    struct parse_array *array = &p->array;
    if (array->ndims == PARSE_MAX_DIMS) {
        parse_fail(p, line, "'%.40s' has more than %d dimensions", v->name, PARSE_MAX_DIMS);
        return;
    }
    uint64_t dim = size ? size->init.bits : 0;
    if (size && (size->init.kind != INIT_INT || dim > MAX_ELEMENTS))
        parse_fail(p, line, "the size of '%.40s' is not an integer from 0 to 2^40", v->name);
    else if (!size && array->ndims > 0)
        parse_fail(p, line, "only the first dimension of '%.40s' can be left open", v->name);
    else if (dim && v->count > MAX_ELEMENTS / dim)
        parse_fail(p, line, "'%.40s' has more than 2^40 elements", v->name);
    v->is_array = true;
    if (size)
        v->count *= dim;
    else
        v->is_unsized = true;
    array->dim[array->ndims++] = dim;
}

/* --- initialisers ----------------------------------------------------------------------------- */

/* Scalars that a brace at this depth encloses: 1 is the outermost. */
static uint64_t row_length(const struct parser *p, uint32_t depth)
{
    uint64_t n = p->var.vec;
    for (uint32_t i = depth - 1; i < p->array.ndims; i++)
        n *= p->array.dim[i];
    return n;
}

void parse_decl_open(struct parser *p, uint32_t line)
{
    struct parse_array *array = &p->array;
    uint32_t limit = array->ndims + (p->var.vec > 1 || array->ndims == 0);
    if (p->var.space != SPACE_TEXREF && array->depth == limit)
        parse_fail(p, line, "the initialiser of '%.40s' has more braces than dimensions",
                   current(p)->name);
    if (array->depth <= PARSE_MAX_DIMS)
        array->opened_at[array->depth] = p->inits.n;
    array->depth++;
}

void parse_decl_value(struct parser *p, struct constant x)
{
    struct ast_init *i = parse_push(p, &p->inits);
    *i = x.init;
}

void parse_decl_close(struct parser *p, uint32_t line)
{
    struct parse_array *array = &p->array;
    uint32_t depth = array->depth--;
    if (depth == 1 || depth > PARSE_MAX_DIMS + 1 || p->has_failed)
        return;
    uint64_t row = row_length(p, depth), given = p->inits.n - array->opened_at[depth - 1];
    if (given > row) {
        parse_fail(p, line, "%llu values for the %llu elements of a row of '%.40s'",
                   (unsigned long long)given, (unsigned long long)row, current(p)->name);
        return;
    }
    array->padded += row - given;
    if (array->padded > MAX_PADDING) {
        parse_fail(p, line, "the initialiser of '%.40s' leaves out more than %d elements",
                   current(p)->name, MAX_PADDING);
        return;
    }
    for (uint64_t i = given; i < row; i++)
        parse_push(p, &p->inits);
}

/* An array without a size is as long as its initialiser. */
static void size_by_initialiser(struct parser *p, struct ast_var *v)
{
    uint64_t row = row_length(p, 2);
    uint64_t rows = row ? (v->ninit + row - 1) / row : 0;
    v->count = rows * (row / v->vec);
    v->is_unsized = false;
}

void parse_decl_end_name(struct parser *p)
{
    struct ast_var *v = current(p);
    v->ninit = p->inits.n;
    if (v->ninit && v->is_unsized)
        size_by_initialiser(p, v);
    const unsigned long long elements = v->count * v->vec;
    if (v->ninit > elements && !p->has_failed)
        parse_fail(p, v->line, "%u values for the %llu elements of '%.40s'", v->ninit, elements,
                   v->name);
    if (v->ninit && v->space != SPACE_GLOBAL && v->space != SPACE_CONST)
        parse_fail(p, v->line, "'%.40s' cannot be initialised: it is not .global or .const",
                   v->name);
    if (v->is_unsized)
        v->count = 0;
    v->init = parse_take(p, &p->inits, v->ninit);
}

/* Hands the last n variables to the body or to the module. */
void parse_decl_end(struct parser *p, uint32_t n)
{
    const struct ast_var *v = (const struct ast_var *)p->vars.at + p->vars.n - n;
    for (uint32_t i = 0; i < n; i++) {
        if (p->is_in_body) {
            struct ast_statement *s = parse_push(p, &p->statements);
            s->kind = STATEMENT_VAR;
            s->line = v[i].line;
            s->var = v[i];
        } else {
            *(struct ast_var *)parse_push(p, &p->module_vars) = v[i];
        }
    }
    p->vars.n -= n;
}
