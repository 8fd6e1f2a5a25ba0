/* ast.h - a PTX module as it was written: names are not resolved, opcodes are not split.
 *
 * Everything lives in the arena given to the parser; strings are NUL-terminated copies.  Lines
 * are lines of the PTX text, from 1. */
#ifndef HEDDLE_PTX_AST_H
#define HEDDLE_PTX_AST_H

#include <stdbool.h>
#include <stdint.h>

enum ast_space {
    SPACE_REG, /* first, so that a zeroed variable is a register */
    SPACE_GLOBAL,
    SPACE_CONST,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_PARAM,
    SPACE_TEXREF, /* .global .texref / .tex: refused when used */
    SPACE_GENERIC,
};

enum ast_type {
    TYPE_NONE,
    TYPE_PRED,
    TYPE_B8,
    TYPE_B16,
    TYPE_B32,
    TYPE_B64,
    TYPE_B128,
    TYPE_U8,
    TYPE_U16,
    TYPE_U32,
    TYPE_U64,
    TYPE_S8,
    TYPE_S16,
    TYPE_S32,
    TYPE_S64,
    TYPE_F16,
    TYPE_F16X2,
    TYPE_F32,
    TYPE_F64,
    TYPE_BF16,
    TYPE_BF16X2,
};

/* One element of an initialiser. */
struct ast_init {
    enum { INIT_INT, INIT_F32, INIT_F64, INIT_SYMBOL } kind;
    uint64_t bits;       /* value, or the offset added to the symbol's address */
    const char *symbol;  /* INIT_SYMBOL */
    bool is_generic;     /* generic(symbol) */
    uint32_t mask_shift; /* mask() operator, e.g. 0xFF00(sym): bits of the byte taken; 0 if none */
};

struct ast_var {
    enum ast_space space;
    enum ast_type type;
    uint8_t vec;    /* .v2/.v4: 2 or 4; else 1 */
    uint32_t align; /* in bytes; 0 = natural */
    const char *name;
    uint32_t range; /* .reg .b32 %r<5>: 5, declares %r0..%r4; 0: name itself */
    bool is_array, is_unsized, is_extern, is_visible;
    uint64_t count; /* elements in all dimensions (1 for a scalar, 0 when unsized) */
    const struct ast_init *init;
    uint32_t ninit; /* flattened, row-major; elements not given are zero */
    uint32_t line;
};

enum ast_operand_kind {
    OPERAND_NAME,   /* register, special register (%tid.x), label, variable, function; + offset */
    OPERAND_INT,    /* bits */
    OPERAND_F32,    /* bits: 0f3F800000 */
    OPERAND_F64,    /* bits: 0d..., or a decimal literal */
    OPERAND_ADDR,   /* [name+offset] or [offset]; for tex: [name, {coords}] with items */
    OPERAND_VECTOR, /* {a, b, c, d}: items */
    OPERAND_PAIR,   /* p|q: items[0], items[1] */
    OPERAND_LIST,   /* (a, b): items, of a call */
    OPERAND_SINK,   /* _ */
};

struct ast_operand {
    enum ast_operand_kind kind;
    bool is_negated;  /* !p, and -name */
    const char *name; /* NAME, ADDR (NULL: absolute address); vector component kept: "%v.x" */
    uint64_t bits;    /* literal, or the offset of NAME/ADDR (two's complement) */
    const struct ast_operand *items;
    uint32_t nitems;
};

struct ast_insn {
    const char *guard; /* register name or NULL */
    bool guard_negated;
    const char *opcode; /* as written, with all suffixes: "ld.global.v4.f32" */
    const struct ast_operand *operands;
    uint32_t noperands;
};

/* .branchtargets, .calltargets, .callprototype: a label with a list. */
struct ast_table {
    const char *const *names; /* labels or functions */
    uint32_t nnames;
    bool is_prototype;
    const struct ast_var *params, *results; /* of a prototype */
    uint32_t nparams, nresults;
};

enum ast_statement_kind {
    STATEMENT_INSN,
    STATEMENT_LABEL,
    STATEMENT_VAR,
    STATEMENT_OPEN,  /* { */
    STATEMENT_CLOSE, /* } */
    STATEMENT_TABLE, /* name: .branchtargets ... */
    STATEMENT_LOC,   /* .loc file line column */
};

struct ast_statement {
    enum ast_statement_kind kind;
    uint32_t line;
    union {
        struct ast_insn insn;
        const char *label;
        struct ast_var var;
        struct {
            const char *name;
            struct ast_table table;
        } table;
        struct {
            uint32_t file, line, column;
        } loc;
    };
};

struct ast_func {
    const char *name;
    bool is_entry, is_visible, is_extern, has_body;
    const struct ast_var *params, *results;
    uint32_t nparams, nresults;
    uint32_t reqntid[3], maxntid[3], minnctapersm, maxnreg; /* 0 when not given */
    const struct ast_statement *body;
    uint32_t nbody;
    uint32_t line;
};

struct ast_file {
    uint32_t index;
    const char *path;
};

struct ast_module {
    const char *name; /* what errors call it: a path */
    uint32_t version_major, version_minor, address_size;
    const char *target;
    const struct ast_var *vars;
    uint32_t nvars;
    const struct ast_func *funcs;
    uint32_t nfuncs;
    const struct ast_file *files;
    uint32_t nfiles;
};

uint32_t ast_type_bytes(enum ast_type t);
/* A literal of one width where the other is wanted; both as bits. */
uint64_t ast_f64_as_f32(uint64_t bits);
uint64_t ast_f32_as_f64(uint64_t bits);

#endif
