/* parse_priv.h - what the lexer, the grammar and the builders of the tree share.
 *
 * The grammar keeps counts, not trees: an operand, parameter or initialiser is pushed on the list
 * of its kind as soon as it is read, and what encloses it takes the last n of them. */
#ifndef HEDDLE_PTX_PARSE_PRIV_H
#define HEDDLE_PTX_PARSE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "ptx/ast.h"

/* `code` says which of its kind: a type, a space, LINK_*, LITERAL_*, PERF_*, a vector's length. */
struct token {
    const char *text; /* of a word or _: a NUL-terminated copy; else the place in the text */
    uint32_t length, line;
    int code;
};

enum { LINK_EXTERN = 1, LINK_VISIBLE = 2 };
enum { LITERAL_F32, LITERAL_F64, LITERAL_DECIMAL };
enum { PERF_REQNTID, PERF_MAXNTID, PERF_MINNCTAPERSM, PERF_MAXNREG, PERF_OTHER };

struct constant {
    struct ast_init init;
    bool is_unsigned; /* INIT_INT */
};

struct guard {
    const char *name;
    bool is_negated;
};

struct list {
    void *at;
    size_t size; /* of an element */
    uint32_t n, capacity;
};

enum { PARSE_MAX_DIMS = 8 };

/* The array being declared; a vector is its innermost dimension. */
struct parse_array {
    uint64_t dim[PARSE_MAX_DIMS + 1];
    uint32_t ndims, depth;                  /* depth: of open initialiser braces */
    uint32_t opened_at[PARSE_MAX_DIMS + 1]; /* how many initialisers stood before the brace */
    uint64_t padded;                        /* initialisers that braces left out */
};

struct parser {
    struct arena *a;
    struct err *e;
    const char *name;
    bool has_failed;

    const unsigned char *at, *limit; /* of the lexer */
    uint32_t line;
    char *pool, *pool_end; /* where copies of words go */

    struct ast_module *module;
    struct ast_func func;
    bool is_in_body;
    struct ast_var var; /* what the declaration says of every name in it */
    bool is_pointee;    /* behind .ptr: what follows describes what is pointed to */
    struct parse_array array;
    uint32_t numbers[3]; /* of a performance directive */

    struct list operands, statements, inits, vars, module_vars, funcs, files, names;
};

/* --- parse.c ---------------------------------------------------------------------------------- */

void parse_fail(struct parser *p, uint32_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void parse_grow(struct parser *p, struct list *l);
void *parse_take(struct parser *p, struct list *l, uint32_t n); /* the last n, in the arena */
void parse_version(struct parser *p, const struct token *t);
void parse_target(struct parser *p, const struct token *t);
void parse_address_size(struct parser *p, const struct token *t);
void parse_file(struct parser *p, const struct token *index, const struct token *path);

/* A zeroed element at the end of the list; stays where it is until the next push. */
static inline void *parse_push(struct parser *p, struct list *l)
{
    if (l->n == l->capacity)
        parse_grow(p, l);
    void *slot = (char *)l->at + l->size * l->n++;
    return memset(slot, 0, l->size);
}

/* --- lexer.re --------------------------------------------------------------------------------- */

int lexer_next(struct parser *p, struct token *t); /* 0 at the end and after an error */
void lexer_unexpected(struct parser *p, int kind, const struct token *t, const bool *is_expected,
                      int nkinds);

/* --- grammar.y -------------------------------------------------------------------------------- */

void grammar_run(struct parser *p);

/* --- parse_const.c ---------------------------------------------------------------------------- */

enum const_op {
    CONST_ADD,
    CONST_SUB,
    CONST_MUL,
    CONST_DIV,
    CONST_REM,
    CONST_SHL,
    CONST_SHR,
    CONST_AND,
    CONST_OR,
    CONST_XOR,
    CONST_LOGICAL_AND,
    CONST_LOGICAL_OR,
    CONST_LT,
    CONST_LE,
    CONST_GT,
    CONST_GE,
    CONST_EQ,
    CONST_NE,
    CONST_NEG,
    CONST_NOT,
    CONST_LOGICAL_NOT,
};

uint64_t parse_const_integer(struct parser *p, const struct token *t);
uint32_t parse_const_u32(struct parser *p, const struct token *t, const char *what);
struct constant parse_const_int(struct parser *p, const struct token *t);
struct constant parse_const_float(struct parser *p, const struct token *t);
struct constant parse_const_symbol(const struct token *t);
struct constant parse_const_unary(struct parser *p, uint32_t line, enum const_op op,
                                  struct constant x);
struct constant parse_const_binary(struct parser *p, uint32_t line, enum const_op op,
                                   struct constant x, struct constant y);
struct constant parse_const_choice(struct parser *p, uint32_t line, struct constant condition,
                                   struct constant x, struct constant y);
struct constant parse_const_cast(struct parser *p, const struct token *type, struct constant x);
struct constant parse_const_generic(struct parser *p, const struct token *t, struct constant x);
struct constant parse_const_mask(struct parser *p, const struct token *t, struct constant x);

/* --- parse_decl.c ----------------------------------------------------------------------------- */

void parse_decl_begin(struct parser *p, uint32_t links, const struct token *space);
void parse_decl_align(struct parser *p, const struct token *t);
void parse_decl_type(struct parser *p, const struct token *t);
void parse_decl_opaque(struct parser *p);
void parse_decl_name(struct parser *p, const struct token *name);
void parse_decl_range(struct parser *p, const struct token *count);
void parse_decl_dim(struct parser *p, uint32_t line, const struct constant *size); /* NULL: [] */
void parse_decl_open(struct parser *p, uint32_t line);
void parse_decl_value(struct parser *p, struct constant x);
void parse_decl_close(struct parser *p, uint32_t line);
void parse_decl_end_name(struct parser *p);
void parse_decl_end(struct parser *p, uint32_t n);

/* --- parse_func.c ----------------------------------------------------------------------------- */

void parse_func_begin(struct parser *p, uint32_t links, bool is_entry);
void parse_func_results(struct parser *p, uint32_t n);
void parse_func_name(struct parser *p, const struct token *name);
void parse_func_params(struct parser *p, uint32_t n);
void parse_func_number(struct parser *p, uint32_t index, const struct token *t);
void parse_func_perf(struct parser *p, const struct token *t, uint32_t n);
void parse_func_open_body(struct parser *p);
void parse_func_end(struct parser *p);

/* --- parse_body.c ----------------------------------------------------------------------------- */

void parse_body_name(struct parser *p, const struct token *t, bool is_negated, uint64_t offset);
void parse_body_int(struct parser *p, uint64_t bits);
void parse_body_float(struct parser *p, const struct token *t, bool is_negated);
void parse_body_sink(struct parser *p);
void parse_body_group(struct parser *p, enum ast_operand_kind kind, uint32_t n);
void parse_body_address(struct parser *p, uint32_t line, uint32_t nextra);
void parse_body_insn(struct parser *p, struct guard g, const struct token *opcode, uint32_t n);
void parse_body_label(struct parser *p, const struct token *t);
void parse_body_brace(struct parser *p, enum ast_statement_kind kind, uint32_t line);
void parse_body_target(struct parser *p, const struct token *name);
void parse_body_targets(struct parser *p, const struct token *label, uint32_t n);
void parse_body_prototype(struct parser *p, const struct token *label, uint32_t nresults,
                          uint32_t nparams);
void parse_body_loc(struct parser *p, const struct token *file, const struct token *line,
                    const struct token *column);

#endif
