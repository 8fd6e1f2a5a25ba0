/* assemble_balance.c - additions and shifts on the multiply-add pipeline.  Integers are added, compared and shifted
 * by one pipeline, multiplied by another, together with floats; but a sum of two operands and a shift by a
 * literal are multiply-adds as well, and an assembler gives them to whichever has had less to do. */
#include "ptx/assemble.h"

static bool is_product(const struct low_insn *i)
{
    return (i->unit == UNIT_INT && (i->opclass == OPCLASS_MUL || i->opclass == OPCLASS_FMA)) ||
           (i->unit == UNIT_FP32 && i->opclass != OPCLASS_COMPARE);
}

static bool is_simple(const struct low_insn *i)
{
    return (i->unit == UNIT_INT && i->opclass == OPCLASS_SIMPLE) ||
           (i->unit == UNIT_FP32 && i->opclass == OPCLASS_COMPARE);
}

/* Whether both pipelines have an instruction for it. */
static bool is_either(const struct low_insn *i)
{
    if (!is_simple(i) || i->unit != UNIT_INT || i->half != HALF_NONE || i->src[2] != REF_NONE ||
        i->dst2 != REF_NONE || i->guard != REF_NONE)
        return false;
    if (opname_matches(i->op, "shl b32"))
        return i->src[1] != REF_NONE && i->src[1] & REF_CONST;
    return opname_matches(i->op, "add s32") || opname_matches(i->op, "add u32") ||
           opname_matches(i->op, "sub s32") || opname_matches(i->op, "sub u32");
}

void asm_balance(struct lower *lo)
{
    for (uint32_t b = 0; b < lo->nblocks; b++) {
        const struct block *block = &lo->blocks[b];
        uint32_t simple = 0, products = 0;
        for (uint32_t k = block->first; k < block->first + block->count; k++) {
            struct low_insn *i = &lo->insns[k];
            if (is_either(i) && simple > products)
                i->opclass = OPCLASS_FMA;
            simple += is_simple(i);
            products += is_product(i);
        }
    }
}
