/* asm_rig.h - what is assembled from a few lines of PTX, as letters. */
#ifndef HEDDLE_TESTS_ASM_RIG_H
#define HEDDLE_TESTS_ASM_RIG_H

#include "ptx/code.h"

/* The body of a kernel with these registers and variables, in which %at is the address of a thread's
 * own 16 bytes in global memory, %i its number and %n a parameter. */
#define ASM_HEAD                                                                                   \
    ".version 7.0\n.target sm_70\n.address_size 64\n"                                              \
    ".shared .align 4 .b8 s[256];\n.shared .align 4 .b8 t[256];\n"                                 \
    ".visible .entry k(.param .u64 p, .param .u32 n, .param .u32 m)\n{\n"                          \
    ".reg .pred %p<20>, %q<20>; .reg .b16 %h<20>; .reg .b32 %i, %n, %a<60>;\n"                     \
    ".reg .f32 %f<60>; .reg .f64 %g<20>; .reg .b64 %raw, %buf, %off, %at, %d<60>;\n"               \
    "ld.param.u64 %raw, [p]; cvta.to.global.u64 %buf, %raw; mov.u32 %i, %tid.x;\n"                 \
    "mul.wide.u32 %off, %i, 16; add.s64 %at, %buf, %off; ld.param.u32 %n, [n];\n"
/* ... which becomes, as it is written: stack pointer, number of the thread, 16, multiply-add. */
#define ASM_HEAD_SLOTS "rsrm"

struct asm_rig {
    struct arena *a;
    const struct code *code;
};

/* Lowers ASM_HEAD, the body and a return; asserts that it can be. */
struct asm_rig asm_rig_new(const char *body);
void asm_rig_free(struct asm_rig *r);

/* One letter per instruction of the assembled view, blocks separated by spaces, empty ones left out:
 * those of assemble.def, and g load, t store, a atomic, B barrier, x exit, u shuffle. */
const char *asm_rig_slots(const struct asm_rig *r);
/* Checks that a body becomes what the head does and these slots, in whatever order within a block. */
void asm_check_slots(const char *body, const char *want, const char *file, int line);
#define CHECK_SLOTS(body, want) asm_check_slots((body), (want), __FILE__, __LINE__)

#endif
