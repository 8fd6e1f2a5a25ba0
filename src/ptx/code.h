/* code.h - a kernel ready to execute: dense registers, blocks, one function per instruction.
 *
 * A warp's register file is an array of units of 32 lanes x 4 bytes; a 64-bit register is two
 * neighbouring units read as 32 lanes x 8 bytes.  Registers of 8 and 16 bits take a unit as well:
 * whoever reads one takes the low bits, whoever writes one may leave anything above them.  Behind
 * the registers follow units for literals and special registers, so that every operand is a unit.
 * Predicates are 32-bit lane masks in an array of their own; 0 and 1 are the constants.
 *
 * Control leaves a block only at its end.  The functions a kernel calls are part of its code, each
 * with registers of its own: there is no recursion. */
#ifndef HEDDLE_PTX_CODE_H
#define HEDDLE_PTX_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "ptx/ast.h"
#include "stream/stream.h"

struct warp;
struct insn;
typedef void op_fn(struct warp *w, const struct insn *i);

enum { UNIT_BYTES = 128 };
enum {
    NO_OPERAND = 0xffff, /* sink, absent operand, absent guard */
    PRED_NOT = 0x8000,   /* on a predicate operand or guard: negated */
    PRED_FALSE = 0,
    PRED_TRUE = 1,
    PRED_FIRST = 2,
};

struct insn {
    op_fn *fn;          /* NULL for what the block's end does (branch, call, barrier, ...) */
    uint64_t imm;       /* address offset; immediate of 'i' operands */
    uint16_t dst, dst2; /* unit or predicate; NO_OPERAND */
    uint16_t src[4];    /* in PTX order */
    uint16_t guard;     /* predicate | PRED_NOT, or NO_OPERAND */
    uint16_t nextra;    /* further operands: code->extra[extra .. extra + nextra - 1] */
    uint32_t extra;
    uint32_t mod;         /* as op_desc.mod */
    uint32_t line;        /* of the PTX text */
    uint32_t id;          /* position in code->insns */
    const uint16_t *list; /* = &code->extra[extra], for handlers */
};

/* --- what the executor says of an opcode ------------------------------------------------------
 *
 * operands: one letter for each operand as PTX writes them:
 *   H W D  destination register of 16, 32, 64 bits     h w d  source (register or literal)
 *   P      predicate destination, or pair p|q          p      predicate source, ! allowed
 *   S      32-bit destination, or pair d|p with a predicate
 *   V v    destination/source: a register, or a vector {..} of `vec` registers of class `elem`
 *   A      address [register or symbol + offset]       i      literal, goes to imm
 *   T      texture operand [handle, {coordinates}]
 *   ?      what follows may be absent
 * Sources and then imm are filled in order; destinations go to dst, dst2.  With vec > 1 the
 * registers of the vector go to the extra operands (NO_OPERAND for _), as do T's coordinates
 * (behind the vector's), while T's handle is the next src.  With more than 4 sources, the fifth
 * and later go to the extra operands (last). Of A, the register is the next src (NO_OPERAND: imm alone);
 * OP_ADDR32 in flags of the insn's mod tells a 32-bit address register. */
enum { OP_ADDR32 = 1u << 31 }; /* set in insn.mod by the lowering */

struct op_desc {
    op_fn *fn;
    uint32_t mod; /* for the handler: rounding, comparison, size, ... (bits 0-30) */
    const char *operands;
    uint8_t unit, opclass;    /* enum stream_unit, stream_opclass */
    uint8_t vec;              /* V/v: 1, 2, 4, 8 */
    char elem;                /* V/v: 'h' 'w' 'd' */
    bool is_signed;           /* V: a wider register takes the sign */
    bool is_relaxed;          /* registers may be wider than the letters say (ld, st, cvt) */
    uint16_t flags;           /* INSN_LOAD, INSN_MEM, ... of stream.h */
    uint8_t space;            /* enum stream_space of a memory operation */
    enum ast_space ptx_space; /* of A: which symbols it may name */
    uint8_t size;             /* bytes per lane in all (vector included) */
};

struct opcode {
    const char *text;     /* "add.rn.ftz.f32" */
    const char *part[16]; /* "add" "rn" "ftz" "f32" */
    int nparts;
    const char *where; /* "file.ptx:12", for errors */
};

/* The handlers compiled for one kind of host. */
struct op_set {
    const char *name;
    /* False with *e set ("where: what is wrong with the opcode", STATUS_BAD_INPUT). */
    bool (*find)(const struct opcode *o, struct op_desc *d, struct err *e);
};

/* --- code ------------------------------------------------------------------------------------- */

enum block_end {
    END_FALL,   /* goes on with `next` */
    END_BRANCH, /* guard: lanes that go to `target`; the others to `next` */
    END_TABLE,  /* brx.idx: src[0] indexes tables[target ..] */
    END_CALL,   /* calls block `target`, or what src[0] holds; comes back at `next` */
    END_RETURN, /* guard: lanes that return */
    END_EXIT,
    END_TRAP,
    END_BARRIER, /* waits, then `next` */
};

enum { NO_BLOCK = UINT32_MAX };

/* insn.mod of END_BARRIER; src[0] is the barrier, src[1] the thread count, src[2] the predicate */
enum barrier_kind { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_POPC, BARRIER_AND, BARRIER_OR };

struct block {
    uint32_t first, count;
    uint32_t target, next;
    uint32_t reconverge;   /* immediate post-dominator; NO_BLOCK: the function's end */
    uint8_t end;           /* enum block_end */
    uint8_t has_loop_edge; /* target or next lies at or before this block: a spin may close here */
    uint16_t ntargets;
};

enum const_kind {
    CONST_BITS, /* broadcast of `bits` */
    CONST_TID_X,
    CONST_TID_Y,
    CONST_TID_Z,
    CONST_NTID_X,
    CONST_NTID_Y,
    CONST_NTID_Z,
    CONST_CTAID_X,
    CONST_CTAID_Y,
    CONST_CTAID_Z,
    CONST_NCTAID_X,
    CONST_NCTAID_Y,
    CONST_NCTAID_Z,
    CONST_LANEID,
    CONST_WARPID,
    CONST_NWARPID,
    CONST_SMID,
    CONST_NSMID,
    CONST_GRIDID,
    CONST_MASK_EQ,
    CONST_MASK_LE,
    CONST_MASK_LT,
    CONST_MASK_GE,
    CONST_MASK_GT,
    CONST_DYNAMIC_SMEM,
    CONST_TOTAL_SMEM,
    CONST_WORKSPACE_HIGH, /* of the address of the memory in which a cooperative grid meets */
    CONST_WORKSPACE_LOW,
    CONST_DYNAMIC_BASE, /* where dynamic shared memory begins, + `bits`; gone after code_lower */
    CONST_PARAM, /* `bytes` bytes at offset `bits` of the kernel's parameters, sign-extended if signed */
    CONST_KINDS,
};

struct code_const {
    uint16_t unit;
    uint8_t kind;
    uint8_t bytes; /* CONST_PARAM: 1, 2, 4, 8 */
    bool is_wide, is_signed;
    uint64_t bits;
};

enum { CODE_MAX_PARAM_BYTES = 32764 }; /* of a kernel: CUDA's limit since 12.1 */

struct code {
    const char *name, *module; /* kernel, PTX file */
    const struct insn *insns;
    uint32_t ninsns;
    const struct block *blocks; /* blocks[0] is the kernel's entry */
    uint32_t nblocks;
    const uint32_t *tables; /* blocks, for END_TABLE */
    const uint16_t *extra;
    const struct code_const *consts;
    uint32_t nconsts;
    uint32_t reg_units, units; /* registers; registers and constants */
    uint32_t npreds;
    uint32_t regs_per_thread;           /* that hardware would need, by liveness; not rounded */
    uint32_t local_bytes, shared_bytes; /* static */
    uint32_t frame_bytes; /* parameters of called functions, behind the local memory */
    uint32_t param_bytes;
    uint32_t reqntid[3], maxntid[3];
    const uint32_t *call_blocks;  /* entry blocks by function number, for indirect calls */
    const uint64_t *call_handles; /* the "address" of each */
    uint32_t ncalls;
    uint32_t depth;                         /* nested calls at most */
    const struct stream_insn *stream_insns; /* parallel to insns */
    const struct stream_block *stream_blocks;
    struct stream_assembled assembled; /* of the same blocks; empty: there is none */
    /* .loc of each instruction: source file and line; 0 when unknown */
    const uint32_t *loc_file, *loc_line;
    const struct ast_module *ast;
};

/* Addresses of the module's variables in global and constant space, filled by the loader. */
struct code_symbols {
    uint64_t (*address)(void *context, const char *name); /* 0: unknown */
    void *context;
};

/* What a pointer to a function of this module holds; 0 when there is no such body. */
uint64_t code_function_handle(const struct ast_module *m, const char *name);

/* Lowers kernel `name` of a module.  NULL with *e set. */
struct code *code_lower(struct arena *a, const struct ast_module *m, const char *name,
                        const struct op_set *ops, const struct code_symbols *symbols,
                        struct err *e);

#endif
