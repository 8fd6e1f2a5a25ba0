/* gen_priv.h - between the files of the generator. */
#ifndef HEDDLE_TESTS_DIFFERENTIAL_GEN_PRIV_H
#define HEDDLE_TESTS_DIFFERENTIAL_GEN_PRIV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum type { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, TYPES };

enum { MAX_VARS = 96, MAX_FIELDS = 6, MAX_CALLEES = 4, MAX_PARAMS = 4 };

struct var {
    char name[24];
    enum type type;
    uint32_t mask; /* of an array: index mask, else 0 */
    bool is_fixed; /* not to be assigned to */
};

struct callee {
    char name[24];
    enum type result;                               /* unless it gives a record */
    bool gives_record, takes_record, takes_pointer; /* the pointer is to an i32 */
    int nparams;
    enum type params[MAX_PARAMS];
};

/* One function (with its segments and callees) in the making. */
struct gen {
    FILE *out;
    uint64_t key, draws;
    uint32_t index;
    int serial; /* of names */
    int indent;
    struct var vars[MAX_VARS];
    int nvars;
    struct callee callees[MAX_CALLEES];
    int ncallees;
    enum type record[MAX_FIELDS]; /* fields of struct case<index>_record */
    int nfields;
    enum type constants; /* of the array case<index>_table in constant memory */
    bool has_table;
    bool has_thread; /* t, j and s are in scope */
    bool has_result; /* of a callee: `return` gives one of this type */
    enum type result;
    int loops;  /* around here */
    int size;   /* 1: a small function; statements grow with it */
    int budget; /* statements left */
};

/* --- gen_draw.c ------------------------------------------------------------------------------ */
uint32_t gen_below(struct gen *g, uint32_t n);
int gen_depth(struct gen *g); /* of an expression */
bool gen_chance(struct gen *g, uint32_t percent);
enum type gen_type(struct gen *g);
enum type gen_int_type(struct gen *g);
const char *gen_name(enum type t);
bool gen_is_float(enum type t);
uint32_t gen_bytes(enum type t);
void gen_line(struct gen *g); /* indentation of a new line */
void gen_constant(struct gen *g, enum type t);
struct var *gen_declare(struct gen *g, enum type t); /* NULL: too many */

/* --- gen_expr.c: each prints an expression of exactly that type ------------------------------ */
void gen_expr(struct gen *g, enum type t, int depth);
void gen_var(struct gen *g, const struct var *v, enum type t); /* read, and converted to t */
void gen_condition(struct gen *g, int depth);
void gen_index(struct gen *g, uint32_t mask); /* a u32 from 0 to mask */
void gen_call(struct gen *g, const struct callee *c);

/* --- gen_ops.c ------------------------------------------------------------------------------- */
struct gen_op {
    const char *name;
    enum type result;
    int nargs;
    enum type args[3];
};
/* A random operation with that result; NULL when there is none. */
const struct gen_op *gen_op(struct gen *g, enum type result);

/* --- gen_stmt.c ------------------------------------------------------------------------------ */
void gen_block(struct gen *g, int statements); /* the inside of { } */

#endif
