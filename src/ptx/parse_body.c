/* parse_body.c - statements and operands. */
#include "ptx/parse_priv.h"

/* --- operands --------------------------------------------------------------------------------- */

static struct ast_operand *push_operand(struct parser *p, enum ast_operand_kind kind)
{
    struct ast_operand *o = parse_push(p, &p->operands);
    o->kind = kind;
    return o;
}

void parse_body_name(struct parser *p, const struct token *t, bool is_negated, uint64_t offset)
{
    struct ast_operand *o = push_operand(p, OPERAND_NAME);
    o->name = t->text;
    o->is_negated = is_negated;
    o->bits = offset;
}

void parse_body_int(struct parser *p, uint64_t bits)
{
    push_operand(p, OPERAND_INT)->bits = bits;
}

void parse_body_float(struct parser *p, const struct token *t, bool is_negated)
{
    struct constant c = parse_const_float(p, t);
    if (is_negated)
        c = parse_const_unary(p, t->line, CONST_NEG, c);
    push_operand(p, c.init.kind == INIT_F32 ? OPERAND_F32 : OPERAND_F64)->bits = c.init.bits;
}

void parse_body_sink(struct parser *p)
{
    push_operand(p, OPERAND_SINK);
}

/* The last n operands become one. */
void parse_body_group(struct parser *p, enum ast_operand_kind kind, uint32_t n)
{
    struct ast_operand *items = parse_take(p, &p->operands, n);
    struct ast_operand *o = push_operand(p, kind);
    o->items = items;
    o->nitems = n;
}

/* [base, extra...]: the base stands before the last nextra operands. */
void parse_body_address(struct parser *p, uint32_t line, uint32_t nextra)
{
    struct ast_operand *items = parse_take(p, &p->operands, nextra);
    struct ast_operand *base = (struct ast_operand *)p->operands.at + p->operands.n - 1;
    if ((base->kind != OPERAND_NAME && base->kind != OPERAND_INT) || base->is_negated)
        parse_fail(p, line, "an address in [] begins with a name or an integer");
    base->kind = OPERAND_ADDR;
    base->items = items;
    base->nitems = nextra;
}

/* --- statements ------------------------------------------------------------------------------- */

static struct ast_statement *push_statement(struct parser *p, enum ast_statement_kind kind,
                                            uint32_t line)
{
    struct ast_statement *s = parse_push(p, &p->statements);
    s->kind = kind;
    s->line = line;
    return s;
}

void parse_body_insn(struct parser *p, struct guard g, const struct token *opcode, uint32_t n)
{
    struct ast_statement *s = push_statement(p, STATEMENT_INSN, opcode->line);
    s->insn = (struct ast_insn){
        .guard = g.name,
        .guard_negated = g.is_negated,
        .opcode = opcode->text,
        .operands = parse_take(p, &p->operands, n),
        .noperands = n,
    };
}

void parse_body_label(struct parser *p, const struct token *t)
{
    push_statement(p, STATEMENT_LABEL, t->line)->label = t->text;
}

void parse_body_brace(struct parser *p, enum ast_statement_kind kind, uint32_t line)
{
    push_statement(p, kind, line);
}

void parse_body_target(struct parser *p, const struct token *name)
{
    *(const char **)parse_push(p, &p->names) = name->text;
}

void parse_body_targets(struct parser *p, const struct token *label, uint32_t n)
{
    struct ast_statement *s = push_statement(p, STATEMENT_TABLE, label->line);
    s->table.name = label->text;
    s->table.table.nnames = n;
    s->table.table.names = parse_take(p, &p->names, n);
}

void parse_body_prototype(struct parser *p, const struct token *label, uint32_t nresults,
                          uint32_t nparams)
{
    struct ast_statement *s = push_statement(p, STATEMENT_TABLE, label->line);
    s->table.name = label->text;
    struct ast_table *t = &s->table.table;
    t->is_prototype = true;
    t->nparams = nparams;
    t->params = parse_take(p, &p->vars, nparams);
    t->nresults = nresults;
    t->results = parse_take(p, &p->vars, nresults);
}

void parse_body_loc(struct parser *p, const struct token *file, const struct token *line,
                    const struct token *column)
{
    struct ast_statement *s = push_statement(p, STATEMENT_LOC, file->line);
    s->loc.file = parse_const_u32(p, file, "file number");
    s->loc.line = parse_const_u32(p, line, "line");
    s->loc.column = parse_const_u32(p, column, "column");
}
