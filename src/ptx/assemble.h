/* assemble.h - a kernel on its way from PTX to what an assembler would make of it: shared by the files
 * assemble*.c.  What is done, what not, and how far it is from NVIDIA's: docs/model/assembled.md. */
#ifndef HEDDLE_PTX_ASSEMBLE_H
#define HEDDLE_PTX_ASSEMBLE_H

#include "ptx/lower.h"
#include "ptx/opname.h"

enum { ASM_DEFS = 8, ASM_SRCS = 20, ASM_MAX_INSNS = 65536 };

/* Of a word that is half of a 64-bit register: the upper one.  (Words are never negated.) */
enum { REF_HIGH = REF_NOT };

/* Which instruction of the hardware a slot is: letters of assemble.def, and these. */
enum { SLOT_AS_PTX = 'p', SLOT_MERGED = 'n' };

struct asm_insn {
    const struct low_insn *low;
    const char *op;    /* as PTX writes it; NULL: of no interest */
    const char *slots; /* letters; "": it is part of others, or of no use */
    low_ref guard;
    low_ref def[ASM_DEFS];
    low_ref src[ASM_SRCS]; /* the first four as in low_insn, REF_NONE where there is none */
    uint8_t ndef, nsrc;
    bool is_uniform; /* no operand differs between the lanes of a warp */
    int64_t offset;  /* of an address */
    uint8_t size;    /* of an access that others became part of; 0: as in PTX */
    uint32_t block;
};

/* A virtual register. */
struct asm_value {
    uint32_t ndefs, nuses;
    uint32_t def;        /* the instruction, if it has one definition */
    low_ref same_as;     /* what stands for it; REF_NONE: itself */
    bool is_guarded;     /* a definition may leave the old value */
    bool is_high_wanted; /* of 64 bits: somebody asks for the upper 32 */
};

/* An instruction that was not there, before instruction `before`: a constant comes to a register. */
struct asm_move {
    uint32_t before;
    low_ref constant;
    uint32_t vreg;
};

struct assembler {
    struct lower *lo;
    struct arena *arena;
    struct asm_insn *insns; /* parallel to lo->insns */
    uint32_t n;
    struct asm_value *value; /* by virtual register */
    uint32_t nvalues;
    /* dominators: of each block, within its function */
    uint32_t *idom, *enter, *leave; /* the tree's numbers on the way in and out */
    uint32_t *order;                /* blocks, each after its dominators */
    uint32_t norder;
    uint32_t *depth; /* of each block: loops around it */
    uint32_t
        *barrier_to; /* of each block: 1 + where lanes wait for each other that part behind it */
    uint8_t *syncs_at_start, *syncs_at_end; /* instructions of such barriers, by block */
    struct asm_move *moves;
    uint32_t nmoves, move_room;
};

/* assemble_values.c */
bool asm_begin(struct assembler *a);        /* fills insns; false: too much for the tables */
void asm_count(struct assembler *a);        /* definitions and uses */
bool asm_is_pure(const struct asm_insn *i); /* no effect but its results, and no payload */
void asm_forward(struct assembler *a);      /* copies vanish */
void asm_widen(struct assembler *a);        /* ... and extensions of 32 bits to 64 */
void asm_remove_dead(struct assembler *a);
void asm_find_halves(struct assembler *a);
/* From now on r stands for v, and its only definition i is gone.  False: r is v itself. */
bool asm_replace(struct assembler *a, struct asm_insn *i, low_ref v, low_ref r);
low_ref asm_resolve(const struct assembler *a, low_ref r);
/* The only instruction that writes r, always; NULL: there are several, or r is a constant. */
struct asm_insn *asm_definition(const struct assembler *a, low_ref r);
bool asm_is_fixed(const struct assembler *a, low_ref r); /* a constant, or written only once */
/* assemble_share.c */
void asm_dominators(struct assembler *a);
bool asm_dominates(const struct assembler *a, uint32_t before, uint32_t block);
void asm_share(struct assembler *a);
uint32_t asm_successor(const struct lower *lo, uint32_t block, uint32_t k); /* NO_BLOCK: no more */
/* assemble_loops.c */
void asm_loops(struct assembler *a);
/* assemble_fuse.c */
void asm_fold_addresses(struct assembler *a);
void asm_fuse(struct assembler *a);
/* assemble_constants.c */
void asm_load_constants(struct assembler *a);
/* assemble_coalesce.c: copies between registers that can be one */
void asm_coalesce(struct assembler *a);
/* assemble_branch.c */
void asm_branches(struct assembler *a);
/* assemble_merge.c: loads of neighbouring constants that become one */
void asm_merge(struct assembler *a);
bool asm_is_merged(const struct asm_insn *i); /* it is part of another one */
/* assemble_schedule.c: the emitted program `out`, block by block, in the order of an assembler.  By
 * instruction, `from` is what it came from, NULL for what has no payload of its own; by virtual
 * register, `weight` is how many registers it takes; `limit` is how many there should be. */
struct asm_emitted {
    struct lower *out;
    const struct asm_insn **from;
    const uint8_t *weight;
    uint32_t limit;
};
void asm_schedule(const struct assembler *a, struct asm_emitted *e);
/* assemble_balance.c: the pipelines that instructions of an ordered program take */
void asm_balance(struct lower *lo);
/* assemble_emit.c */
bool asm_emit(struct assembler *a, struct arena *arena, struct code *c);

static inline bool asm_is_register(low_ref r)
{
    return r != REF_NONE && !(r & REF_CONST) && (r & REF_INDEX) >= VREG_FIRST;
}

static inline bool asm_is_const(low_ref r)
{
    return r != REF_NONE && r & REF_CONST;
}

static inline enum reg_class asm_class(const struct assembler *a, low_ref r)
{
    return (enum reg_class)a->lo->vreg_class[r & REF_INDEX];
}

static inline const struct code_const *asm_const(const struct assembler *a, low_ref r)
{
    return &a->lo->consts[r & REF_INDEX].c;
}

static inline bool asm_is_zero(const struct assembler *a, low_ref r)
{
    return asm_is_const(r) && asm_const(a, r)->kind == CONST_BITS && asm_const(a, r)->bits == 0;
}

#endif
