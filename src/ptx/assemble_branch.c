/* assemble_branch.c - branches that are not there in hardware, because the block that they lead to
 * follows anyway. */
#include "ptx/assemble.h"

static bool is_empty(const struct assembler *a, uint32_t b)
{
    const struct block *block = &a->lo->blocks[b];
    for (uint32_t k = block->first; k < block->first + block->count; k++)
        if (*a->insns[k].slots)
            return false;
    return true;
}

/* Whether `to` comes next behind block b, but for empty blocks. */
static bool follows(const struct assembler *a, uint32_t b, uint32_t to)
{
    while (++b < to && is_empty(a, b))
        ;
    return b == to;
}

/* The branch that ends a block, if nothing else is in it and it is taken always. */
static struct asm_insn *lone_jump(const struct assembler *a, uint32_t b)
{
    const struct block *block = &a->lo->blocks[b];
    struct asm_insn *last = &a->insns[block->first + block->count - 1];
    if (block->end != END_BRANCH || last->guard != REF_NONE)
        return NULL;
    for (uint32_t k = block->first; k + 1 < block->first + block->count; k++)
        if (*a->insns[k].slots)
            return NULL;
    return last;
}

/* A branch over a jump is the jump, under the opposite condition. */
static void drop_jump_over(struct assembler *a, uint32_t b)
{
    const struct block *block = &a->lo->blocks[b];
    if (block->end != END_BRANCH || block->next != b + 1 || block->target == NO_BLOCK)
        return;
    struct asm_insn *jump = lone_jump(a, b + 1);
    if (jump && follows(a, b + 1, block->target))
        jump->slots = "";
}

void asm_branches(struct assembler *a)
{
    for (uint32_t b = a->lo->nblocks; b-- > 0;) {
        const struct block *block = &a->lo->blocks[b];
        struct asm_insn *last = &a->insns[block->first + block->count - 1];
        if (block->end == END_BRANCH && last->guard == REF_NONE && block->target > b &&
            follows(a, b, block->target))
            last->slots = "";
    }
    for (uint32_t b = 0; b + 1 < a->lo->nblocks; b++)
        drop_jump_over(a, b);
}
