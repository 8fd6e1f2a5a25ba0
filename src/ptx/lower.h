/* lower.h - a kernel between ast.h and code.h: virtual registers, labels resolved to positions.
 * Private to src/ptx. */
#ifndef HEDDLE_PTX_LOWER_H
#define HEDDLE_PTX_LOWER_H

#include "ptx/code.h"

/* An operand: a virtual register (predicates too), or a constant. */
typedef uint32_t low_ref;
enum {
    REF_NONE = 0xffffffffu,
    REF_NOT = 1u << 31,   /* negated predicate */
    REF_CONST = 1u << 30, /* index into consts; PRED_FALSE/TRUE when class is predicate */
    REF_INDEX = REF_CONST - 1,
};

enum reg_class { CLASS_WORD, CLASS_WIDE, CLASS_PRED };

/* Predicate constants are registers 0 and 1 of every kernel. */
enum { VREG_FALSE = 0, VREG_TRUE = 1, VREG_FIRST = 2 };

/* What an instruction of the assembled view sees of its 64-bit registers. */
enum low_half { HALF_NONE, HALF_LOW, HALF_HIGH };

struct low_insn {
    op_fn *fn;
    const char *op; /* opcode as PTX writes it */
    uint64_t imm;
    uint32_t mod;
    low_ref guard, dst, dst2, src[4];
    low_ref *extra; /* destinations first */
    uint16_t nextra, ndst_extra;
    uint8_t unit, opclass, space, size, end; /* end: enum block_end, or NOT_AN_END */
    uint8_t half;                            /* enum low_half */
    bool carries; /* HALF_HIGH: also reads the lower half of its own result */
    uint8_t turn; /* of its payload, in an assembled view: stream.h */
    uint16_t flags;
    uint32_t line, loc_file, loc_line;
    uint32_t target; /* position of the target instruction; function number of a call; first of
                         the tables */
    uint32_t ntargets;
    const char *target_name; /* label not yet resolved */
    uint32_t target_scope;
};
enum { NOT_AN_END = 255 };
#define SYM_DYNAMIC UINT64_MAX /* address of extern shared memory: behind the static one */

/* A variable a name can stand for. */
enum sym_kind { SYM_REG, SYM_RANGE, SYM_VECTOR, SYM_SPACE, SYM_TABLE };
struct low_sym {
    const char *name;
    struct low_sym *shadowed; /* same hash chain */
    enum sym_kind kind;
    uint32_t scope;
    enum reg_class reg_class; /* REG, RANGE, VECTOR */
    uint32_t first, count;    /* vregs */
    enum ast_space space;     /* SPACE */
    uint64_t address;         /* SPACE: offset in its space, or device address */
    uint64_t bytes;
    bool is_kernel_param;
    const struct ast_table *table;
};

struct low_func {
    const struct ast_func *ast;
    uint32_t first, end;             /* instructions */
    uint32_t first_block, end_block; /* after cfg_build */
    uint32_t first_vreg, end_vreg;
    uint32_t *callees;
    uint32_t ncallees, callee_room;
    uint32_t *param_at, *result_at; /* in the frame area, by parameter number */
    bool is_address_taken, calls_indirectly;
    uint32_t base[3], size[3]; /* frame of predicates, words and wide registers */
    uint32_t need;             /* live 32-bit registers, callees included */
    uint32_t depth;
    uint8_t mark; /* of the depth-first search for recursion */
};

struct low_const {
    struct code_const c;
    uint32_t next; /* in its hash chain */
};

/* Labels belong to the scope they stand in: inlined assembly repeats their names. */
struct low_label {
    const char *name;
    uint32_t scope, at;
};

/* An entry of a branch table, until its label is resolved. */
struct low_branch {
    const char *name;
    uint32_t scope, at;
};

enum { SYM_BUCKETS = 1024, CONST_BUCKETS = 256 };

struct lower {
    struct arena *arena;
    const struct ast_module *module;
    const struct op_set *ops;
    const struct code_symbols *symbols;
    struct err *e;

    struct low_insn *insns;
    uint32_t ninsns, insn_room;
    uint8_t *vreg_class;
    uint32_t nvregs, vreg_room;
    struct low_const *consts;
    uint32_t nconsts, const_room;
    uint32_t const_bucket[CONST_BUCKETS];
    struct low_func *funcs; /* funcs[0] is the kernel */
    uint32_t nfuncs, func_room;
    struct low_branch *tables; /* entries of .branchtargets */
    uint32_t ntables, table_room;

    /* the function being lowered */
    struct low_func *func;
    struct low_sym *sym[SYM_BUCKETS];
    struct low_sym **scoped; /* in order of declaration, for closing scopes */
    uint32_t nscoped, scoped_room;
    uint32_t scope;         /* number of the innermost one */
    uint32_t *scope_parent; /* by number; scope 0 is the function's */
    uint32_t nscopes, scope_room;
    uint32_t line, loc_file, loc_line;
    const char *op; /* of the instruction being lowered */
    struct low_label *labels;
    uint32_t nlabels, label_room;

    uint32_t shared_bytes, local_bytes, frame_bytes;
    uint32_t reserved_at; /* in shared memory, if the kernel uses CUDA's reserved part */
    bool has_reserved;
    uint32_t indirect_args, indirect_results; /* the common frame area of address-taken functions */
    bool has_indirect;
    struct low_sym **module_vars; /* variables of the module named so far */
    uint32_t nmodule_vars, module_var_room;

    bool no_needs; /* registers that hardware would need are not asked for */

    /* results of cfg_build */
    struct block *blocks;
    uint32_t nblocks;
};

/* Grows an array in the arena so that one more fits. */
void *low_grow(struct lower *lo, void *array, uint32_t n, uint32_t *room, size_t size);
#define LOW_PUSH(lo, array, n, room)                                                               \
    ((array) = low_grow((lo), (array), (n), &(room), sizeof *(array)), &(array)[(n)++])

bool low_fail(struct lower *lo, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* lower_names.c */
uint32_t low_vreg(struct lower *lo, enum reg_class c); /* a fresh one */
low_ref low_const_bits(struct lower *lo, enum reg_class c, uint64_t bits);
low_ref low_const_special(struct lower *lo, enum const_kind kind);
low_ref low_const_param(struct lower *lo, uint64_t offset, uint32_t bytes, bool is_signed);
/* The address of a variable, + offset, as a literal of class `c`; generic: in the generic space. */
bool low_const_address(struct lower *lo, const struct low_sym *s, enum reg_class c, uint64_t offset,
                       bool is_generic, low_ref *out);
enum reg_class low_class(const struct lower *lo, low_ref r);
bool low_declare(struct lower *lo, const struct ast_var *v);
bool low_declare_space(struct lower *lo, const struct ast_var *v, enum ast_space space,
                       uint64_t address, struct low_sym **out);
void low_open(struct lower *lo);
bool low_close(struct lower *lo);
struct low_sym *low_find(struct lower *lo, const char *name); /* NULL: not declared here */
/* A register by name, ranges included; REF_NONE when it is none. */
low_ref low_register(struct lower *lo, const char *name);
/* A special register as a constant; REF_NONE when it is none (or %clock). */
low_ref low_special(struct lower *lo, const char *name);
/* A variable of memory: in scope, or of the module (placed when first named). */
bool low_variable(struct lower *lo, const char *name, struct low_sym **out);
uint64_t low_var_bytes(const struct ast_var *v);
uint64_t low_var_align(const struct ast_var *v);
uint32_t low_function(struct lower *lo, const char *name); /* number; UINT32_MAX: no such body */
const struct ast_func *low_declaration(const struct lower *lo, const char *name);

/* lower_operands.c: binds operands to the letters of d->operands and appends the instruction */
bool low_bind(struct lower *lo, const struct ast_insn *in, const struct op_desc *d);
bool low_source(struct lower *lo, const struct ast_operand *o, char letter, bool is_relaxed,
                low_ref *out);
bool low_guard(struct lower *lo, const struct ast_insn *in, low_ref *guard);
struct low_insn *low_append(struct lower *lo);
/* An instruction by opcode text with ready operands (dst REF_NONE if none). */
bool low_emit(struct lower *lo, const char *opcode, low_ref guard, low_ref dst, low_ref a,
              low_ref b);

/* lower_insn.c */
bool low_insn(struct lower *lo, const struct ast_insn *in);
/* lower_stream.c: what the timing core sees of an instruction whose registers have their places */
void low_stream_insn(const struct lower *lo, const uint16_t *unit_of, const struct low_insn *n,
                     struct stream_insn *s);
/* lower_call.c */
bool low_call(struct lower *lo, const struct ast_insn *in);
void low_call_targets(struct lower *lo); /* functions that indirect calls may reach */
bool low_call_enter(struct lower *lo);   /* declares the parameters of lo->func */
bool low_call_order(struct lower *lo);   /* refuses recursion; sets depth */
/* assemble.c: adds the assembled view to the code, if it can */
void code_assemble(struct lower *lo, struct code *c);
/* cfg.c */
bool cfg_build(struct lower *lo);
/* pressure.c: 32-bit registers that an assembler would need for a function whose callees are done;
 * false: it is too long for that. */
bool pressure_of(struct lower *lo, struct low_func *f, uint32_t *registers);
/* regs.c */
bool regs_allocate(struct lower *lo, uint32_t *reg_units, uint32_t *npreds, uint16_t *unit_of);

#endif
