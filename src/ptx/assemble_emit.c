/* assemble_emit.c - the assembled program: an instruction for each slot, registers with places of their
 * own, and the scoreboard's view of it all. */
#include "ptx/assemble.h"

struct emission {
    struct assembler *a;
    struct lower out;
    uint32_t *number;             /* by old virtual register: the new one; 0: none yet */
    const struct asm_insn **from; /* by instruction: what it came from, if its payload is its own */
    uint32_t from_room;
};

struct slot_kind {
    char letter;
    uint8_t unit, opclass;
};

static const struct slot_kind kinds[] = {
    {'i', UNIT_INT, OPCLASS_SIMPLE},        {'L', UNIT_INT, OPCLASS_SIMPLE},
    {'H', UNIT_INT, OPCLASS_SIMPLE},        {'m', UNIT_INT, OPCLASS_FMA},
    {'r', UNIT_INT, OPCLASS_MOVE},          {'f', UNIT_FP32, OPCLASS_FMA},
    {'c', UNIT_FP32, OPCLASS_COMPARE},      {'d', UNIT_FP64, OPCLASS_FMA},
    {'s', UNIT_SFU, OPCLASS_SPECIAL},       {'v', UNIT_SFU, OPCLASS_CVT},
    {'j', UNIT_CONTROL, OPCLASS_BRANCH},    {'b', UNIT_CONTROL, OPCLASS_BRANCH},
    {SLOT_MERGED, UNIT_NONE, OPCLASS_LOAD},
};

static const struct slot_kind *kind_of(char letter)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (kinds[k].letter == letter)
            return &kinds[k];
    HD_ASSERT(false, "no slot is of kind %c", letter);
    return NULL;
}

static low_ref renumbered(struct emission *e, low_ref r)
{
    if (!asm_is_register(r))
        return r;
    uint32_t *n = &e->number[r & REF_INDEX];
    if (*n == 0)
        *n = low_vreg(&e->out, asm_class(e->a, r));
    /* which half of a register is meant is told by the slot, not by the operand */
    return asm_class(e->a, r) == CLASS_PRED ? *n | (r & REF_NOT) : *n;
}

/* --- instructions ------------------------------------------------------------------------------ */

static void put_sources(struct emission *e, struct low_insn *n, const struct asm_insn *i,
                        bool with_result)
{
    low_ref list[ASM_SRCS + 1];
    uint32_t count = 0;
    if (with_result && i->ndef > 0)
        list[count++] = renumbered(e, i->def[0]);
    for (uint32_t s = 0; s < i->nsrc; s++)
        if (i->src[s] != REF_NONE)
            list[count++] = renumbered(e, i->src[s]);
    uint32_t most = count < 4 ? count : 4, behind = n->ndst_extra;
    for (uint32_t k = 0; k < most; k++)
        n->src[k] = list[k];
    for (uint32_t k = most; k < count; k++)
        n->extra[behind++] = list[k];
    n->nextra = (uint16_t)behind;
}

static struct low_insn *append(struct emission *e, const struct asm_insn *i)
{
    struct low_insn *n = low_append(&e->out);
    n->op = i->op;
    n->line = i->low->line;
    n->extra = ARENA_ARRAY(e->out.arena, low_ref, ASM_DEFS + ASM_SRCS + 1);
    return n;
}

static void put_results(struct emission *e, struct low_insn *n, const struct asm_insn *i)
{
    if (i->ndef > 0)
        n->dst = renumbered(e, i->def[0]);
    if (i->ndef > 1)
        n->dst2 = renumbered(e, i->def[1]);
    for (uint32_t d = 2; d < i->ndef; d++)
        n->extra[n->ndst_extra++] = renumbered(e, i->def[d]);
}

static bool has_carry(const struct asm_insn *i)
{
    return opname_is(i->op, "add") || opname_is(i->op, "sub") || opname_is(i->op, "neg");
}

static const struct asm_insn **from_at(struct emission *e, uint32_t k)
{
    if (k >= e->from_room) {
        uint32_t room = 2 * k + 64;
        const struct asm_insn **more = ARENA_ARRAY(e->out.arena, const struct asm_insn *, room);
        if (e->from_room)
            memcpy(more, e->from, e->from_room * sizeof *more);
        e->from = more;
        e->from_room = room;
    }
    return &e->from[k];
}

static void emit_slot(struct emission *e, const struct asm_insn *i, char letter, bool is_first)
{
    struct low_insn *n = append(e, i);
    const struct slot_kind *kind = letter == SLOT_AS_PTX ? NULL : kind_of(letter);
    n->unit = kind ? kind->unit : i->low->unit;
    n->opclass = kind ? kind->opclass : i->low->opclass;
    if (is_first) { /* the payload is its own */
        n->guard = renumbered(e, i->guard);
        n->flags = i->low->flags;
        n->space = i->low->space;
        n->size = i->size ? i->size : i->low->size;
        n->end = i->low->end;
        n->target = i->low->target;
        *from_at(e, e->out.ninsns - 1) = i;
    }
    if (letter == 'j' || letter == 'b' || letter == SLOT_MERGED)
        return;
    n->half = letter == 'L' ? HALF_LOW : letter == 'H' ? HALF_HIGH : HALF_NONE;
    n->carries = letter == 'H' && has_carry(i);
    put_results(e, n, i);
    put_sources(e, n, i, !is_first && letter != 'H');
}

/* What is left of a 64-bit operation of whose result only the lower half is wanted. */
static const char *wanted_slots(const struct assembler *a, const struct asm_insn *i)
{
    if (i->ndef != 1 || asm_class(a, i->def[0]) != CLASS_WIDE || !asm_is_pure(i) ||
        a->value[i->def[0] & REF_INDEX].is_high_wanted)
        return i->slots;
    if (strcmp(i->slots, "LH") == 0)
        return "L";
    if (strcmp(i->slots, "mmmi") == 0)
        return "m";
    return strcmp(i->slots, "rr") == 0 ? "r" : i->slots;
}

static void emit_insn(struct emission *e, const struct asm_insn *i)
{
    const char *slots = wanted_slots(e->a, i);
    bool is_first = true;
    for (const char *s = slots; *s; s++) {
        if (*s == 'b' && i->is_uniform)
            continue;
        emit_slot(e, i, *s, is_first);
        is_first = false;
    }
}

static void emit_move(struct emission *e, const struct asm_move *m, const struct asm_insn *user)
{
    struct asm_insn move = {.low = user->low,
                            .op = "mov",
                            .slots = asm_const(e->a, m->constant)->is_wide ? "LH" : "r",
                            .guard = REF_NONE,
                            .def = {m->vreg},
                            .ndef = 1};
    for (const char *s = move.slots; *s; s++) {
        emit_slot(e, &move, *s, false);
        struct low_insn *n = &e->out.insns[e->out.ninsns - 1];
        n->opclass = OPCLASS_MOVE;
        n->src[0] = m->constant;
        n->src[1] = REF_NONE;
    }
}

/* Hardware begins by reading where the stack is. */
static void emit_prologue(struct emission *e)
{
    struct low_insn *n = low_append(&e->out);
    n->op = "mov";
    n->unit = UNIT_INT;
    n->opclass = OPCLASS_MOVE;
    n->line = e->a->lo->funcs[0].ast->line;
}

/* Instructions of barriers at which lanes wait for each other. */
static void emit_syncs(struct emission *e, uint32_t n, const struct asm_insn *near)
{
    for (; n > 0; n--)
        emit_slot(e, near, 'b', false);
}

/* --- functions --------------------------------------------------------------------------------- */

static void emit_function(struct emission *e, uint32_t f, uint32_t *next_move)
{
    const struct assembler *a = e->a;
    struct low_func *func = &e->out.funcs[f];
    func->first = e->out.ninsns;
    func->first_vreg = e->out.nvregs;
    func->mark = 0;
    func->need = 0;
    memset(func->base, 0, sizeof func->base);
    memset(func->size, 0, sizeof func->size);
    for (uint32_t b = func->first_block; b < func->end_block; b++) {
        const struct block *block = &a->lo->blocks[b];
        struct block *out = &e->out.blocks[b];
        out->first = e->out.ninsns;
        if (b == 0)
            emit_prologue(e);
        emit_syncs(e, a->syncs_at_start[b], &a->insns[block->first]);
        for (uint32_t k = block->first; k < block->first + block->count; k++) {
            bool is_last = k + 1 == block->first + block->count;
            bool is_end = is_last && a->insns[k].low->end != NOT_AN_END;
            if (is_end)
                emit_syncs(e, a->syncs_at_end[b], &a->insns[k]);
            for (; *next_move < a->nmoves && a->moves[*next_move].before == k; ++*next_move)
                emit_move(e, &a->moves[*next_move], &a->insns[k]);
            emit_insn(e, &a->insns[k]);
            if (is_last && !is_end)
                emit_syncs(e, a->syncs_at_end[b], &a->insns[k]);
        }
        out->count = e->out.ninsns - out->first;
    }
    func->end = e->out.ninsns;
    func->end_vreg = e->out.nvregs;
}

static void *copied(struct arena *a, const void *from, size_t bytes)
{
    void *to = arena_alloc(a, bytes + 1);
    memcpy(to, from, bytes);
    return to;
}

static void begin(struct emission *e)
{
    struct assembler *a = e->a;
    e->out = *a->lo;
    e->out.arena = a->arena;
    e->out.insns = NULL;
    e->out.ninsns = e->out.insn_room = 0;
    e->out.vreg_class = NULL;
    e->out.nvregs = e->out.vreg_room = 0;
    e->out.no_needs = true;
    e->out.funcs = copied(a->arena, a->lo->funcs, a->lo->nfuncs * sizeof *a->lo->funcs);
    e->out.blocks = copied(a->arena, a->lo->blocks, a->lo->nblocks * sizeof *a->lo->blocks);
    e->number = ARENA_ARRAY(a->arena, uint32_t, a->lo->nvregs + 1);
    for (int v = 0; v < VREG_FIRST; v++)
        low_vreg(&e->out, CLASS_PRED);
}

static void publish(struct emission *e, struct arena *arena, struct code *c,
                    const uint16_t *unit_of)
{
    struct stream_insn *insns = ARENA_ARRAY(arena, struct stream_insn, e->out.ninsns + 1);
    struct stream_block *blocks = ARENA_ARRAY(arena, struct stream_block, e->out.nblocks);
    for (uint32_t i = 0; i < e->out.ninsns; i++)
        low_stream_insn(&e->out, unit_of, &e->out.insns[i], &insns[i]);
    for (uint32_t b = 0; b < e->out.nblocks; b++)
        blocks[b] = (struct stream_block){e->out.blocks[b].first, e->out.blocks[b].count};
    c->assembled =
        (struct stream_assembled){.insns = insns, .ninsns = e->out.ninsns, .blocks = blocks};
}

/* Registers are given to threads in units of eight. */
static void schedule(struct emission *e, const struct code *c)
{
    struct assembler *a = e->a;
    uint8_t *weight = ARENA_ARRAY(a->arena, uint8_t, e->out.nvregs + 1);
    for (uint32_t v = VREG_FIRST; v < a->lo->nvregs; v++) {
        enum reg_class class = (enum reg_class)a->lo->vreg_class[v];
        if (e->number[v])
            weight[e->number[v]] = class == CLASS_PRED                             ? 0
                                   : class == CLASS_WORD                           ? 1
                                   : v >= a->nvalues || a->value[v].is_high_wanted ? 2
                                                                                   : 1;
    }
    from_at(e, e->out.ninsns);
    struct asm_emitted emitted = {&e->out, e->from, weight, (c->regs_per_thread + 7) / 8 * 8};
    asm_schedule(a, &emitted);
}

bool asm_emit(struct assembler *a, struct arena *arena, struct code *c)
{
    struct emission e = {.a = a};
    uint32_t next_move = 0, units, preds;
    begin(&e);
    for (uint32_t f = 0; f < a->lo->nfuncs; f++)
        emit_function(&e, f, &next_move);
    HD_ASSERT(next_move == a->nmoves, "%s: %u constants have no place", c->name,
              a->nmoves - next_move);
    schedule(&e, c);
    asm_balance(&e.out);
    uint16_t *unit_of = ARENA_ARRAY(a->arena, uint16_t, e.out.nvregs + 1);
    struct err ignored = {0};
    e.out.e = &ignored;
    if (!regs_allocate(&e.out, &units, &preds, unit_of))
        return false;
    publish(&e, arena, c, unit_of);
    return true;
}
