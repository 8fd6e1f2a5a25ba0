/* stream.h - the warp stream: what front ends write and the timing core reads (DESIGN.md,
 * principle 1).
 *
 * A kernel is a static program (blocks of instructions) and, for each warp of each CTA, the
 * sequence of blocks it entered with the active mask of each.  A block is entered only at its
 * start and executed to its end, so that plain instructions cost nothing in the stream; those
 * whose effect depends on more than the block's mask carry a payload:
 *
 *   INSN_GUARDED           the lanes that really execute it (a subset of the block's mask)
 *   INSN_MEM               the lane addresses (base, base + stride, or one by one)
 *   INSN_MEM | INSN_MULTI  several address sets, each with its space and mask (generic pointers
 *                          into several spaces, texture fetches of several texels)
 *   INSN_BAR               barrier number and thread count (0 = the whole CTA)
 *
 * in this order, for each dynamic instance of the instruction.  An instruction whose guard is off
 * for all lanes has no payload after the guard. */
#ifndef HEDDLE_STREAM_STREAM_H
#define HEDDLE_STREAM_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WARP_LANES = 32, STREAM_MAX_SETS = 8, STREAM_MAX_WARPS = 32 /* of a CTA */ };

enum stream_unit {            /* which pipeline executes it */
                   UNIT_NONE, /* no operation in hardware: labels, pragmas, callee parameter moves */
                   UNIT_INT,
                   UNIT_FP32,
                   UNIT_FP64,
                   UNIT_FP16,
                   UNIT_SFU,
                   UNIT_CONTROL, /* branches, call, ret, exit, barriers, fences */
                   UNIT_MEM,     /* loads, stores, atomics, texture */
                   UNIT_COUNT,
};

enum stream_space {
    STREAM_GLOBAL,
    STREAM_SHARED,
    STREAM_LOCAL, /* addresses are byte offsets in the thread's own local memory */
    STREAM_CONST,
    STREAM_TEX,
    STREAM_PARAM,
    STREAM_SPACES,
};

enum { /* stream_insn.flags */
       INSN_GUARDED = 1,
       INSN_MEM = 2,
       INSN_MULTI = 4,
       INSN_BAR = 8,
       INSN_LOAD = 16,
       INSN_STORE = 32,
       INSN_ATOMIC = 64,     /* with INSN_LOAD when it returns a value ("atom", not "red") */
       INSN_BYPASS_L1 = 128, /* .cg .cv .volatile and the like */
       INSN_FENCE = 256,
       INSN_EXIT = 512,
       INSN_ARRIVE = 1024, /* with INSN_BAR: the warp counts there and goes on */
};

/* Scoreboard registers: 32-bit units 0..; REG_WIDE marks a 64-bit pair (unit, unit + 1); REG_PRED
 * marks a predicate.  REG_NONE fills unused places. */
enum { REG_WIDE = 0x8000, REG_PRED = 0x4000, REG_NONE = 0xffff };

struct stream_insn {
    uint16_t dst[4];
    uint16_t src[6];
    uint16_t flags;
    uint8_t unit;    /* enum stream_unit */
    uint8_t space;   /* enum stream_space, of memory instructions without INSN_MULTI */
    uint8_t size;    /* bytes per lane: 1, 2, 4, 8, 16 */
    uint8_t opclass; /* finer than unit, for latencies: enum stream_opclass */
    uint8_t others;  /* operands that are no registers: constants, the address of a load */
    uint8_t turn;    /* 0: its payload is the next one; else 1 + which of its window it is: below */
    uint32_t line;   /* PTX line, for profiles */
};

enum stream_opclass {
    OPCLASS_SIMPLE, /* add, logic, mov, compare */
    OPCLASS_MUL,
    OPCLASS_FMA,
    OPCLASS_DIV, /* integer division: a subroutine in hardware */
    OPCLASS_CVT,
    OPCLASS_SPECIAL, /* rcp, sqrt, sin, ... */
    OPCLASS_FDIV,    /* div.rn, sqrt.rn */
    OPCLASS_SHUFFLE, /* shfl, vote, match */
    OPCLASS_BRANCH,
    OPCLASS_BARRIER,
    OPCLASS_LOAD,
    OPCLASS_STORE,
    OPCLASS_ATOMIC,
    OPCLASS_TEX,
    OPCLASS_COMPARE, /* of floats, with minimum and select: in the assembled view only, as is */
    OPCLASS_MOVE,    /* ... this */
    OPCLASS_COUNT,
};

struct stream_block {
    uint32_t first, count; /* instructions first .. first + count - 1 */
};

/* What an assembler makes of a program: other instructions in the same blocks, with the same payload,
 * so that one stream is read with either.
 *
 * Payloads lie in the order of PTX.  Where an assembler has another one, a few instructions with payload
 * (all from the first that is out of turn to the first behind which none is missing) are a window:
 * `turn` - 1 of each is the number of its payload within the window.  Barriers are in none.
 *
 * An access may be larger than that of PTX when it includes others that follow it; these are then in
 * no unit (UNIT_NONE). */
enum { STREAM_WINDOW = 32, STREAM_WINDOW_SETS = 64 }; /* payloads and address sets of a window */

struct stream_assembled {
    const struct stream_insn *insns; /* NULL: there is no such view */
    uint32_t ninsns;
    const struct stream_block *blocks; /* as many as the program has */
};

enum { STREAM_MAX_REGISTERS = 255 }; /* per thread: what an instruction can name */

/* Who counted a kernel's registers per thread.  A stream carries every count there is, so that
 * the machine which times it can choose. */
enum stream_count {
    COUNT_LIVENESS,  /* our own analysis of the PTX: there always is one */
    COUNT_ASSEMBLER, /* NVIDIA's, from the table of built-in kernels */
    COUNT_GIVEN,     /* by who launches it */
    STREAM_COUNTS,
};

/* The static side of one launch. */
struct stream_kernel {
    const char *name;
    uint32_t grid[3], block[3];
    uint32_t registers[STREAM_COUNTS];  /* per thread, not rounded; 0 where there is no count */
    uint32_t shared_bytes, local_bytes; /* shared: static + dynamic */
    const struct stream_insn *insns;
    uint32_t ninsns;
    const struct stream_block *blocks;
    uint32_t nblocks;
    struct stream_assembled assembled;
    bool has_grid_spin; /* CTAs waited for one another; order of CTAs was round-robin */
};

/* The kernel with the instructions of its assembled view, where it has one. */
static inline struct stream_kernel stream_kernel_assembled(const struct stream_kernel *k)
{
    struct stream_kernel view = *k;
    if (!k->assembled.insns)
        return view;
    view.insns = k->assembled.insns;
    view.ninsns = k->assembled.ninsns;
    view.blocks = k->assembled.blocks;
    return view;
}

/* Instructions of a block of the view that are issued. */
static inline uint32_t stream_assembled_count(const struct stream_assembled *v, uint32_t block)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->blocks[block].count; i++)
        n += v->insns[v->blocks[block].first + i].unit != UNIT_NONE;
    return n;
}

/* ... of all blocks. */
static inline uint32_t stream_assembled_total(const struct stream_assembled *v)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->ninsns; i++)
        n += v->insns[i].unit != UNIT_NONE;
    return n;
}

static inline uint64_t stream_kernel_ctas(const struct stream_kernel *k)
{
    uint64_t rows = (uint64_t)k->grid[0] * k->grid[1];
    return k->grid[2] && rows > UINT64_MAX / k->grid[2] ? UINT64_MAX : rows * k->grid[2];
}

/* The count to go by: what was given; else the assembler's, if there is one and it is not to be
 * left aside; else that of the liveness analysis. */
static inline enum stream_count stream_best_count(const uint32_t registers[STREAM_COUNTS],
                                                  bool no_assembler)
{
    if (registers[COUNT_GIVEN])
        return COUNT_GIVEN;
    return registers[COUNT_ASSEMBLER] && !no_assembler ? COUNT_ASSEMBLER : COUNT_LIVENESS;
}

static inline const char *stream_count_name(enum stream_count c)
{
    return c == COUNT_GIVEN ? "given" : c == COUNT_ASSEMBLER ? "ptxas" : "liveness";
}

/* Of each CTA. */
static inline uint32_t stream_kernel_warps(const struct stream_kernel *k)
{
    return (k->block[0] * k->block[1] * k->block[2] + WARP_LANES - 1) / WARP_LANES;
}

enum stream_pattern {
    PATTERN_UNIFORM, /* every lane: base */
    PATTERN_STRIDE,  /* lane l: base + l * stride (base is that of lane 0, active or not) */
    PATTERN_LANES,   /* lane l: addr[l] */
};

struct stream_access {
    enum stream_pattern pattern;
    uint8_t space;
    uint32_t mask;
    uint64_t base;
    int64_t stride;
    uint64_t addr[WARP_LANES]; /* PATTERN_LANES only; lanes outside mask undefined */
};

#endif
