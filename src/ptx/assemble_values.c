/* assemble_values.c - values of a kernel while it is assembled: who defines and who uses them, which
 * are the same as others, of which only half is wanted, and what nobody needs. */
#include "ptx/assemble.h"

enum { MAX_PASSES = 32 }; /* over a kernel; two or three do, but for what nobody writes */

/* --- instructions ------------------------------------------------------------------------------ */

static const struct {
    const char *parts, *slots;
} sequences[] = {
#define SEQUENCE(parts, slots) {parts, slots},
#include "ptx/assemble.def"
#undef SEQUENCE
};

/* A field that begins and ends at bytes is one permutation of bytes. */
static bool is_byte_field(const struct lower *lo, const struct low_insn *i)
{
    if (!opname_is(i->op, "bfe") || !(i->src[1] & i->src[2] & REF_CONST) || i->src[2] == REF_NONE)
        return false;
    const struct code_const *from = &lo->consts[i->src[1] & REF_INDEX].c;
    const struct code_const *length = &lo->consts[i->src[2] & REF_INDEX].c;
    return from->kind == CONST_BITS && length->kind == CONST_BITS && from->bits % 8 == 0 &&
           (length->bits == 8 || length->bits == 16);
}

/* A move of a special register that is in no constant bank. */
static bool reads_special(const struct lower *lo, const struct low_insn *i)
{
    if (!opname_is(i->op, "mov") || i->src[0] == REF_NONE || !(i->src[0] & REF_CONST))
        return false;
    uint8_t kind = lo->consts[i->src[0] & REF_INDEX].c.kind;
    bool is_size = (kind >= CONST_NTID_X && kind <= CONST_NTID_Z) ||
                   (kind >= CONST_NCTAID_X && kind <= CONST_NCTAID_Z);
    return kind > CONST_BITS && kind < CONST_DYNAMIC_SMEM && !is_size;
}

static const char *slots_of(const struct lower *lo, const struct low_insn *i)
{
    static const char as_ptx[] = {SLOT_AS_PTX, 0};
    if (i->unit == UNIT_NONE && !(i->flags & (INSN_MEM | INSN_BAR)) && i->guard == REF_NONE)
        return "";
    if (i->unit == UNIT_NONE || i->end != NOT_AN_END || i->flags & INSN_MEM || !i->op)
        return as_ptx;
    if (reads_special(lo, i))
        return "s";
    if (is_byte_field(lo, i))
        return "i";
    for (size_t k = 0; k < sizeof sequences / sizeof sequences[0]; k++)
        if (opname_matches(i->op, sequences[k].parts))
            return sequences[k].slots;
    return opname_is(i->op, "mov") ? "r" : as_ptx;
}

static bool begin_one(struct assembler *a, uint32_t at)
{
    const struct low_insn *i = &a->lo->insns[at];
    struct asm_insn *out = &a->insns[at];
    *out = (struct asm_insn){.low = i, .op = i->op, .guard = i->guard, .nsrc = 4};
    if (i->ndst_extra + 2u > ASM_DEFS || i->nextra - i->ndst_extra + 4u > ASM_SRCS / 2)
        return false;
    if (i->dst != REF_NONE)
        out->def[out->ndef++] = i->dst;
    if (i->dst2 != REF_NONE)
        out->def[out->ndef++] = i->dst2;
    for (uint32_t k = 0; k < i->ndst_extra; k++)
        if (i->extra[k] != REF_NONE)
            out->def[out->ndef++] = i->extra[k];
    for (int k = 0; k < 4; k++)
        out->src[k] = i->src[k];
    for (uint32_t k = i->ndst_extra; k < i->nextra; k++)
        out->src[out->nsrc++] = i->extra[k];
    out->offset = (int64_t)i->imm;
    out->slots = slots_of(a->lo, i);
    return true;
}

bool asm_begin(struct assembler *a)
{
    struct lower *lo = a->lo;
    if (lo->ninsns > ASM_MAX_INSNS)
        return false;
    a->n = lo->ninsns;
    a->insns = ARENA_ARRAY(a->arena, struct asm_insn, a->n + 1);
    a->nvalues = lo->nvregs;
    a->value = ARENA_ARRAY(a->arena, struct asm_value, a->nvalues + 1);
    for (uint32_t v = 0; v < a->nvalues; v++)
        a->value[v] = (struct asm_value){.same_as = REF_NONE, .is_high_wanted = true};
    for (uint32_t k = 0; k < a->n; k++)
        if (!begin_one(a, k))
            return false;
    for (uint32_t b = 0; b < lo->nblocks; b++)
        for (uint32_t k = lo->blocks[b].first; k < lo->blocks[b].first + lo->blocks[b].count; k++)
            a->insns[k].block = b;
    asm_count(a);
    return true;
}

bool asm_is_pure(const struct asm_insn *i)
{
    const struct low_insn *low = i->low;
    return i->guard == REF_NONE && low->end == NOT_AN_END && i->op && low->unit != UNIT_NONE &&
           low->unit != UNIT_CONTROL && low->opclass != OPCLASS_SHUFFLE && i->ndef > 0 &&
           !(low->flags & (INSN_MEM | INSN_BAR | INSN_FENCE | INSN_EXIT)) &&
           !opname_is(i->op, "clock") && !opname_is(i->op, "activemask") &&
           !(opname_is(i->op, "mov") && low->src[0] == REF_NONE);
}

/* --- counting ---------------------------------------------------------------------------------- */

static void count_use(struct assembler *a, low_ref r)
{
    if (asm_is_register(r))
        a->value[r & REF_INDEX].nuses++;
}

void asm_count(struct assembler *a)
{
    for (uint32_t v = 0; v < a->nvalues; v++) {
        a->value[v].ndefs = a->value[v].nuses = 0;
        a->value[v].is_guarded = false;
    }
    for (uint32_t k = 0; k < a->n; k++) {
        const struct asm_insn *i = &a->insns[k];
        for (uint32_t d = 0; d < i->ndef; d++) { /* also of those that are gone */
            struct asm_value *v = &a->value[i->def[d] & REF_INDEX];
            v->ndefs++;
            v->def = k;
            v->is_guarded |= i->guard != REF_NONE;
        }
        if (!*i->slots)
            continue;
        count_use(a, i->guard);
        for (uint32_t s = 0; s < i->nsrc; s++)
            count_use(a, i->src[s]);
    }
}

bool asm_is_fixed(const struct assembler *a, low_ref r)
{
    if (!asm_is_register(r))
        return r != REF_NONE;
    const struct asm_value *v = &a->value[r & REF_INDEX];
    return v->ndefs == 1 && !v->is_guarded;
}

struct asm_insn *asm_definition(const struct assembler *a, low_ref r)
{
    if (!asm_is_register(r) || r & REF_NOT || !asm_is_fixed(a, r))
        return NULL;
    return &a->insns[a->value[r & REF_INDEX].def];
}

/* --- what stands for what ---------------------------------------------------------------------- */

low_ref asm_resolve(const struct assembler *a, low_ref r)
{
    while (asm_is_register(r) && a->value[r & REF_INDEX].same_as != REF_NONE) {
        low_ref other = a->value[r & REF_INDEX].same_as;
        r = asm_is_const(other) ? other : other ^ (r & REF_NOT);
    }
    return r;
}

static void rewrite(struct assembler *a)
{
    for (uint32_t k = 0; k < a->n; k++) {
        struct asm_insn *i = &a->insns[k];
        low_ref guard = asm_resolve(a, i->guard);
        if (asm_is_register(guard))
            i->guard = guard;
        for (uint32_t s = 0; s < i->nsrc; s++)
            i->src[s] = asm_resolve(a, i->src[s]);
    }
}

/* A value that is made of itself, as in a loop that nothing leads to, stands for nothing. */
bool asm_replace(struct assembler *a, struct asm_insn *i, low_ref v, low_ref r)
{
    r = asm_resolve(a, r);
    if (asm_is_register(r) && (r & REF_INDEX) == (v & REF_INDEX))
        return false;
    a->value[v & REF_INDEX].same_as = r;
    i->slots = "";
    return true;
}

static bool is_plain_const(const struct assembler *a, low_ref r)
{
    if (!asm_is_const(r))
        return false;
    uint8_t kind = asm_const(a, r)->kind;
    return kind == CONST_BITS || kind >= CONST_DYNAMIC_SMEM ||
           (kind >= CONST_NTID_X && kind <= CONST_NTID_Z) ||
           (kind >= CONST_NCTAID_X && kind <= CONST_NCTAID_Z);
}

static bool is_copy(const struct asm_insn *i)
{
    if (i->src[0] == REF_NONE || i->src[1] != REF_NONE || i->nsrc > 4)
        return false;
    return opname_is(i->op, "mov") || opname_is(i->op, "cvta") ||
           opname_matches(i->op, "cvt u32 u64") || opname_matches(i->op, "cvt s32 s64") ||
           opname_matches(i->op, "cvt u32 s64") || opname_matches(i->op, "cvt s32 u64") ||
           opname_is(i->op, "narrow");
}

/* cvt.u64.u32 has the parts of cvt.u32.u64. */
static bool narrows_or_keeps(const struct assembler *a, const struct asm_insn *i)
{
    return asm_is_const(i->src[0]) || asm_class(a, i->def[0]) == asm_class(a, i->src[0]) ||
           (asm_class(a, i->def[0]) == CLASS_WORD && asm_class(a, i->src[0]) == CLASS_WIDE &&
            !(i->src[0] & REF_HIGH));
}

static bool forward_one(struct assembler *a, struct asm_insn *i)
{
    if (!*i->slots || !asm_is_pure(i))
        return false;
    low_ref from = asm_resolve(a, i->src[0]);
    if (i->ndef == 2 && opname_is(i->op, "mov") && asm_is_register(from) &&
        asm_class(a, from) == CLASS_WIDE && asm_is_fixed(a, from) && asm_is_fixed(a, i->def[0]) &&
        asm_is_fixed(a, i->def[1])) { /* a pair is taken apart */
        return asm_replace(a, i, i->def[0], from) && asm_replace(a, i, i->def[1], from | REF_HIGH);
    }
    if (i->ndef != 1 || !asm_is_fixed(a, i->def[0]))
        return false;
    if (opname_matches(i->op, "not pred") && asm_is_register(from) && asm_is_fixed(a, from))
        return asm_replace(a, i, i->def[0], from ^ REF_NOT);
    bool is_param = opname_is(i->op, "widen") && asm_is_const(from);
    if (!is_copy(i) && !is_param)
        return false;
    if (asm_is_const(from) ? !is_plain_const(a, from)
                           : !asm_is_register(from) || !asm_is_fixed(a, from))
        return false;
    i->src[0] = from;
    if (!is_param && !narrows_or_keeps(a, i))
        return false;
    return asm_replace(a, i, i->def[0], from);
}

void asm_forward(struct assembler *a)
{
    bool changed = true;
    for (int pass = 0; changed && pass < MAX_PASSES; pass++) {
        changed = false;
        for (uint32_t k = 0; k < a->n; k++)
            changed |= forward_one(a, &a->insns[k]);
    }
    rewrite(a);
    asm_count(a);
}

/* --- widening ---------------------------------------------------------------------------------- */

/* Whether an instruction takes a 32-bit operand with its sign where it has 64 bits. */
static bool extends_itself(const struct asm_insn *i)
{
    return opname_matches(i->op, "add s64") || opname_matches(i->op, "add u64") ||
           opname_matches(i->op, "sub s64") || opname_matches(i->op, "shl b64") ||
           opname_matches(i->op, "mul lo s64") || opname_matches(i->op, "mad lo s64");
}

static void note_users(const struct assembler *a, uint8_t *others)
{
    for (uint32_t k = 0; k < a->n; k++) {
        const struct asm_insn *i = &a->insns[k];
        for (uint32_t s = 0; *i->slots && s < i->nsrc; s++)
            if (asm_is_register(i->src[s]) && !extends_itself(i))
                others[i->src[s] & REF_INDEX] = 1;
    }
}

/* The upper half of an unsigned word is no register at all; that of a signed one is computed, but
 * where the word is only an index. */
void asm_widen(struct assembler *a)
{
    uint8_t *others = ARENA_ARRAY(a->arena, uint8_t, a->nvalues + 1);
    note_users(a, others);
    for (uint32_t k = 0; k < a->n; k++) {
        struct asm_insn *i = &a->insns[k];
        if (!*i->slots || !asm_is_pure(i) || i->ndef != 1 || i->nsrc > 4 ||
            !asm_is_fixed(a, i->def[0]) || asm_class(a, i->def[0]) != CLASS_WIDE ||
            !asm_is_register(i->src[0]) || !asm_is_fixed(a, i->src[0]) ||
            asm_class(a, i->src[0]) != CLASS_WORD)
            continue;
        bool is_unsigned =
            opname_matches(i->op, "cvt u64 u32") || opname_matches(i->op, "widen u64");
        bool is_signed = opname_matches(i->op, "cvt s64 s32") || opname_matches(i->op, "widen s64");
        const struct asm_value *v = &a->value[i->def[0] & REF_INDEX];
        if (is_unsigned || (is_signed && (!others[i->def[0] & REF_INDEX] || !v->is_high_wanted)))
            asm_replace(a, i, i->def[0], i->src[0]);
    }
    rewrite(a);
    asm_count(a);
}

/* --- what nobody needs ------------------------------------------------------------------------- */

void asm_remove_dead(struct assembler *a)
{
    bool changed = true;
    for (int pass = 0; changed && pass < MAX_PASSES; pass++) {
        changed = false;
        for (uint32_t k = a->n; k-- > 0;) {
            struct asm_insn *i = &a->insns[k];
            bool is_wanted = !*i->slots || !asm_is_pure(i);
            for (uint32_t d = 0; d < i->ndef; d++)
                is_wanted |= a->value[i->def[d] & REF_INDEX].nuses > 0;
            if (is_wanted)
                continue;
            i->slots = "";
            changed = true;
        }
        asm_count(a);
    }
}

/* --- which halves are wanted ------------------------------------------------------------------- */

/* Whether an instruction wants the upper half of its source s. */
static bool wants_high(const struct assembler *a, const struct asm_insn *i, uint32_t s)
{
    const struct low_insn *low = i->low;
    if (asm_class(a, i->src[s]) != CLASS_WIDE || !*i->slots)
        return false;
    if (low->flags & INSN_MEM && s == 0) /* addresses of the other spaces have 32 bits */
        return low->flags & INSN_MULTI || low->space == STREAM_GLOBAL;
    static const char *const low_only[] = {"add s64", "add u64",    "sub s64",    "shl b64",
                                           "and b64", "or b64",     "xor b64",    "selp b64",
                                           "mov b64", "mul lo s64", "mad lo s64", "mov u64"};
    if (i->src[s] & REF_HIGH)
        return true;
    bool is_wide = opname_has(i->op, "s64") || opname_has(i->op, "u64") ||
                   opname_has(i->op, "b64") || opname_has(i->op, "f64");
    if (!is_wide)
        return false; /* half of a register that was taken apart */
    if (i->ndef == 1 && asm_class(a, i->def[0]) == CLASS_WORD && opname_is(i->op, "cvt") &&
        !opname_has(i->op, "f64") && !opname_has(i->op, "f32"))
        return false;
    for (size_t k = 0; k < sizeof low_only / sizeof low_only[0]; k++)
        if (opname_matches(i->op, low_only[k]))
            return i->ndef != 1 || asm_class(a, i->def[0]) != CLASS_WIDE ||
                   a->value[i->def[0] & REF_INDEX].is_high_wanted;
    return asm_class(a, i->src[s]) == CLASS_WIDE;
}

void asm_find_halves(struct assembler *a)
{
    for (uint32_t v = 0; v < a->nvalues; v++)
        a->value[v].is_high_wanted = false;
    bool changed = true;
    for (int pass = 0; changed && pass < MAX_PASSES; pass++) {
        changed = false;
        for (uint32_t k = a->n; k-- > 0;) {
            const struct asm_insn *i = &a->insns[k];
            for (uint32_t s = 0; s < i->nsrc; s++) {
                if (!asm_is_register(i->src[s]))
                    continue;
                struct asm_value *v = &a->value[i->src[s] & REF_INDEX];
                if (!v->is_high_wanted && wants_high(a, i, s))
                    v->is_high_wanted = changed = true;
            }
        }
    }
    if (changed) /* it did not settle: everything may be wanted */
        for (uint32_t v = 0; v < a->nvalues; v++)
            a->value[v].is_high_wanted = true;
}
