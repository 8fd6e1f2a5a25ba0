/* pressure.h - how many registers an assembler would need for a function: shared by pressure.c,
 * which counts, pressure_values.c, which knows what values cost, and pressure_order.c, which knows
 * when they live. */
#ifndef HEDDLE_PTX_PRESSURE_H
#define HEDDLE_PTX_PRESSURE_H

#include "ptx/lower.h"

/* Cycles.  Those of loads are what an assembler plans for, not what memory takes. */
enum {
    CYCLES_ARITHMETIC = 4,
    CYCLES_DOUBLE = 2 * CYCLES_ARITHMETIC,
    CYCLES_SPECIAL = 4 * CYCLES_ARITHMETIC,
    CYCLES_NEAR = 24, /* shared and constant memory */
    CYCLES_FAR = 40,
};

/* Loads are no longer moved ahead of their turn when so many registers are in use. */
enum { PRESSURE_ENOUGH = 40 };

enum { PRESSURE_MAX_REFS = 128 };
#define PRESSURE_FREE UINT32_MAX /* stands for no register at all */

struct pressure_insn {
    const struct low_insn *low;
    uint32_t *use, *def; /* registers, by number within the function */
    uint32_t nuse, ndef;
    uint16_t latency; /* until its result can be used */
    uint16_t hold;    /* until its operands can be written */
    uint32_t extra;   /* registers of the subroutine that does it */
    bool is_load, is_store, is_fence, is_end;
    uint8_t space;
};

/* Instructions without branches in between; barriers are within. */
struct pressure_region {
    struct pressure_insn *insns;
    uint32_t n;
    const uint64_t *in, *out; /* sets of registers */
};

/* A virtual register. */
struct value {
    uint32_t ndefs;
    uint32_t stands_for; /* a register that lives in its place; itself; PRESSURE_FREE */
    bool is_high_wanted; /* of 64 bits: somebody asks for the upper 32 */
    bool is_guarded;     /* a definition may leave the old value */
    bool is_only_address, is_only_added;
};

/* The analysis of one function. */
struct pressure {
    struct lower *lo;
    struct low_func *f;
    struct arena *arena;
    uint32_t nregs, words;
    uint32_t *number;    /* by virtual register, from the function's first */
    uint8_t *vreg_class; /* this and the following by number */
    struct value *value;
    uint8_t *weight;
    struct pressure_insn *insns; /* those that are left */
    struct pressure_region *regions;
    uint32_t nregions;
    uint32_t *region_of;  /* by block of the function */
    uint32_t *last_block; /* by region */
    uint64_t *in, *out;   /* by region, `words` each */
};

/* pressure_values.c: fills `value` and `weight`. */
void pressure_values(struct pressure *p);
/* An instruction with the registers that are left; false: it is part of others, and gone. */
bool pressure_make(struct pressure *p, const struct low_insn *i, struct pressure_insn *out);
/* pressure_order.c: gives each instruction its cycle of issue, as an assembler might choose it;
 * `order` lists the instructions by it. */
void pressure_order(const struct pressure_region *r, const uint8_t *weight, uint32_t nregs,
                    struct arena *a, uint32_t *order, uint32_t *cycle);

static inline bool pressure_has(const uint64_t *set, uint32_t bit)
{
    return set[bit / 64] >> bit % 64 & 1;
}

#endif
