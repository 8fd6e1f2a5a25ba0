/* lower_stream.c - an instruction as the timing core sees it. */
#include <string.h>

#include "ptx/lower.h"

/* The scoreboard's view; constants and constant predicates are no registers. */
static uint16_t scoreboard(const struct lower *lo, const uint16_t *unit_of, low_ref r,
                           enum low_half half)
{
    uint32_t v = r & REF_INDEX;
    if (r == REF_NONE || r & REF_CONST || v < VREG_FIRST)
        return REG_NONE;
    switch ((enum reg_class)lo->vreg_class[v]) {
    case CLASS_PRED:
        return (uint16_t)(unit_of[v] | REG_PRED);
    case CLASS_WIDE:
        if (half == HALF_NONE)
            return (uint16_t)(unit_of[v] | REG_WIDE);
        return (uint16_t)(unit_of[v] + (half == HALF_HIGH));
    default:
        return unit_of[v];
    }
}

static void note(uint16_t *list, uint32_t room, uint16_t reg)
{
    for (uint32_t i = 0; reg != REG_NONE && i < room; i++) {
        if (list[i] == reg)
            return;
        if (list[i] == REG_NONE) {
            list[i] = reg;
            return;
        }
    }
}

static uint8_t others_of(const struct lower *lo, const uint16_t *unit_of, const struct low_insn *n)
{
    unsigned others = (n->flags & INSN_LOAD) != 0;
    for (int k = 0; k < 4; k++)
        others +=
            n->src[k] != REF_NONE && scoreboard(lo, unit_of, n->src[k], HALF_NONE) == REG_NONE;
    return (uint8_t)others;
}

void low_stream_insn(const struct lower *lo, const uint16_t *unit_of, const struct low_insn *n,
                     struct stream_insn *s)
{
    enum low_half half = (enum low_half)n->half;
    memset(s, 0, sizeof *s);
    memset(s->dst, 0xff, sizeof s->dst);
    memset(s->src, 0xff, sizeof s->src);
    note(s->dst, 4, scoreboard(lo, unit_of, n->dst, half));
    note(s->dst, 4, scoreboard(lo, unit_of, n->dst2, half));
    for (uint32_t k = 0; k < n->ndst_extra; k++)
        note(s->dst, 4, scoreboard(lo, unit_of, n->extra[k], half));
    note(s->src, 6, scoreboard(lo, unit_of, n->guard, half));
    for (int k = 0; k < 4; k++)
        note(s->src, 6, scoreboard(lo, unit_of, n->src[k], half));
    for (uint32_t k = n->ndst_extra; k < n->nextra; k++)
        note(s->src, 6, scoreboard(lo, unit_of, n->extra[k], half));
    if (n->carries)
        note(s->src, 6, scoreboard(lo, unit_of, n->dst, HALF_LOW));
    s->flags = n->flags;
    /* The end of a block has its effect in the next block's mask, a barrier in its payload. */
    if (n->guard != REF_NONE && (n->end == NOT_AN_END || n->end == END_BARRIER))
        s->flags |= INSN_GUARDED;
    s->unit = n->unit;
    s->space = n->space;
    s->size = n->size;
    s->opclass = n->opclass;
    s->others = others_of(lo, unit_of, n);
    s->turn = n->turn;
    s->line = n->line;
}
