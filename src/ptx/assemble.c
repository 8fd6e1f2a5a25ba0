/* assemble.c - what an assembler makes of a kernel, to first order.
 *
 * PTX is not what hardware issues.  Streams keep the instructions of PTX, and beside them carry the same
 * program as an assembler would have it: other instructions, in the same blocks, with the same
 * accesses (stream.h).  Which of the two is timed is the machine's choice.
 *
 * In this order: copies, parameters and conversions of addresses vanish; what is computed twice is
 * shared; offsets go into addresses; multiply-adds and the like are fused; what is of no use is dropped;
 * constants that must be in registers are moved there; copies between registers that can be one vanish;
 * and so do branches to what follows and around little; long operations become sequences
 * (assemble.def); neighbouring loads are merged, and instructions moved within their
 * block to hide latency.
 *
 * Not done: loops are neither unrolled nor turned round. */
#include "ptx/assemble.h"

void code_assemble(struct lower *lo, struct code *c)
{
    struct lower mine = *lo;
    mine.arena = arena_new();
    struct assembler a = {.lo = &mine, .arena = mine.arena};
    if (asm_begin(&a)) {
        asm_dominators(&a);
        asm_loops(&a);
        asm_forward(&a);
        asm_fold_addresses(&a);
        asm_share(&a);
        asm_remove_dead(&a);
        asm_find_halves(&a);
        asm_widen(&a);
        asm_fuse(&a);
        asm_find_halves(&a);
        asm_load_constants(&a);
        asm_coalesce(&a);
        asm_branches(&a);
        asm_merge(&a);
        asm_emit(&a, lo->arena, c);
    }
    arena_free(mine.arena);
}
