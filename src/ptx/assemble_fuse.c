/* assemble_fuse.c - instructions of PTX that are one in hardware: offsets in addresses, multiply-adds,
 * shifts and additions, additions and logic of three operands, comparisons with predicate logic, signs
 * of floats.
 *
 * The consumer takes the place of the producer, and its operands; a producer that all its consumers have
 * taken is left without use.  So a scaled index that several addresses are made of is scaled in each of
 * them, as it costs nothing there. */
#include "ptx/assemble.h"

enum {
    OFFSET_BITS = 24,
    MOST_INPUTS = 3,
    MOST_FOLDS = 64,   /* additions in a row: nobody writes as many */
    FARTHEST = 1 << 10 /* instructions between a producer and its consumer that are looked at */
};

static bool is_any(const struct asm_insn *i, const char *const *list, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (opname_matches(i->op, list[k]))
            return true;
    return false;
}
#define IS_ANY(i, ...)                                                                             \
    is_any(i, (const char *const[]){__VA_ARGS__},                                                  \
           sizeof(const char *const[]){__VA_ARGS__} / sizeof(const char *))

static bool is_add32(const struct asm_insn *i)
{
    return IS_ANY(i, "add s32", "add u32", "sub s32", "sub u32") && !opname_has(i->op, "sat");
}

static bool is_add64(const struct asm_insn *i)
{
    return IS_ANY(i, "add s64", "add u64");
}

static bool is_logic(const struct asm_insn *i)
{
    return IS_ANY(i, "and b32", "or b32", "xor b32", "not b32", "and b64", "or b64", "xor b64",
                  "not b64");
}

/* --- whether an instruction can be performed later ---------------------------------------------- */

static bool writes(const struct asm_insn *i, low_ref r)
{
    for (uint32_t d = 0; d < i->ndef; d++)
        if ((i->def[d] & REF_INDEX) == (r & REF_INDEX))
            return true;
    return false;
}

/* Whether r is at `to` what it is at `from`, which comes before. */
static bool stays(const struct assembler *a, low_ref r, const struct asm_insn *from,
                  const struct asm_insn *to)
{
    if (!asm_is_register(r) || asm_is_fixed(a, r))
        return true;
    if (from->block != to->block || to < from || to - from > FARTHEST)
        return false;
    for (const struct asm_insn *i = from; i < to; i++)
        if (writes(i, r))
            return false;
    return true;
}

static bool can_move(const struct assembler *a, const struct asm_insn *from,
                     const struct asm_insn *to)
{
    for (uint32_t s = 0; s < from->nsrc; s++)
        if (!stays(a, from->src[s], from, to))
            return false;
    return true;
}

/* --- offsets ----------------------------------------------------------------------------------- */

static bool is_access(const struct asm_insn *i)
{
    return i->low->flags & INSN_MEM && i->low->opclass != OPCLASS_TEX;
}

/* The literal of an addition, and the other operand. */
static bool splits(const struct assembler *a, const struct asm_insn *i, int64_t *literal,
                   low_ref *rest)
{
    if (!asm_is_pure(i) || !IS_ANY(i, "add s64", "add u64", "add s32", "add u32") ||
        opname_has(i->op, "sat") || i->nsrc != 4)
        return false;
    for (int s = 0; s < 2; s++) {
        low_ref c = i->src[s], other = i->src[1 - s];
        if (!asm_is_const(c) || asm_const(a, c)->kind != CONST_BITS || !asm_is_register(other))
            continue;
        uint64_t bits = asm_const(a, c)->bits;
        *literal = opname_has(i->op, "s32") || opname_has(i->op, "u32") ? (int32_t)(uint32_t)bits
                                                                        : (int64_t)bits;
        *rest = other;
        return true;
    }
    return false;
}

/* Values that are used only as addresses, and in additions to such: what is added to them can be added
 * where memory is accessed. */
static uint8_t *find_addresses(struct assembler *a)
{
    uint8_t *is_only = ARENA_ARRAY(a->arena, uint8_t, a->nvalues + 1);
    for (uint32_t v = 0; v < a->nvalues; v++)
        is_only[v] = a->value[v].ndefs == 1 && !a->value[v].is_guarded;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = a->n; k-- > 0;) { /* from uses to definitions */
            const struct asm_insn *i = &a->insns[k];
            bool adds = asm_is_pure(i) && i->nsrc == 4 && IS_ANY(i, "add s64", "add u64") &&
                        is_only[i->def[0] & REF_INDEX];
            for (uint32_t s = 0; *i->slots && s < i->nsrc; s++) {
                low_ref r = i->src[s];
                bool is_fine = adds || (s == 0 && is_access(i));
                if (!asm_is_register(r) || is_fine || !is_only[r & REF_INDEX])
                    continue;
                is_only[r & REF_INDEX] = 0;
                changed = true;
            }
        }
    }
    return is_only;
}

/* Literals in sums that make an address go on to where it is used: addresses that differ by a literal
 * are then the same. */
static void pass_literals_on(struct assembler *a)
{
    const int64_t far = (int64_t)1 << (OFFSET_BITS - 1);
    const uint8_t *is_only = find_addresses(a);
    int64_t *added = ARENA_ARRAY(a->arena, int64_t, a->nvalues + 1);
    for (uint32_t k = 0; k < a->norder; k++) {
        const struct block *b = &a->lo->blocks[a->order[k]];
        for (struct asm_insn *i = &a->insns[b->first]; i < &a->insns[b->first + b->count]; i++) {
            if (!*i->slots)
                continue;
            bool is_address = is_access(i) && asm_is_register(i->src[0]);
            if (is_address)
                i->offset += added[i->src[0] & REF_INDEX];
            if (is_address || !asm_is_pure(i) || i->nsrc != 4 || !IS_ANY(i, "add s64", "add u64") ||
                !is_only[i->def[0] & REF_INDEX])
                continue;
            int64_t sum = 0, literal = 0;
            low_ref rest;
            for (int s = 0; s < 2; s++)
                sum += asm_is_register(i->src[s]) ? added[i->src[s] & REF_INDEX] : 0;
            if (splits(a, i, &literal, &rest) && sum + literal < far && sum + literal >= -far &&
                asm_is_fixed(a, rest) && asm_replace(a, i, i->def[0], rest))
                sum += literal;
            added[i->def[0] & REF_INDEX] = sum;
        }
    }
    asm_forward(a);
}

void asm_fold_addresses(struct assembler *a)
{
    pass_literals_on(a);
    const int64_t far = (int64_t)1 << (OFFSET_BITS - 1);
    for (uint32_t k = 0; k < a->n; k++) {
        struct asm_insn *i = &a->insns[k];
        if (!*i->slots || !is_access(i))
            continue;
        int64_t literal = 0;
        low_ref rest = REF_NONE;
        const struct asm_insn *d;
        for (int n = 0; n < MOST_FOLDS && (d = asm_definition(a, i->src[0])) &&
                        splits(a, d, &literal, &rest) && stays(a, rest, d, i) &&
                        i->offset + literal < far && i->offset + literal >= -far;
             n++) {
            i->src[0] = rest;
            i->offset += literal;
        }
    }
    asm_count(a);
    asm_remove_dead(a);
}

/* --- taking producers in ----------------------------------------------------------------------- */

/* Inputs of an instruction: registers and constants but zero. */
static uint32_t inputs(const struct assembler *a, const struct asm_insn *i, uint32_t *constants)
{
    uint32_t n = 0;
    for (uint32_t s = 0; s < i->nsrc; s++) {
        if (i->src[s] == REF_NONE || asm_is_zero(a, i->src[s]))
            continue;
        *constants += asm_is_const(i->src[s]);
        n++;
    }
    return n;
}

static bool has_room(const struct asm_insn *i, const struct asm_insn *producer)
{
    uint32_t n = i->nsrc;
    for (uint32_t s = 0; s < producer->nsrc; s++)
        n += producer->src[s] != REF_NONE;
    return n <= ASM_SRCS;
}

/* Source s of i is computed in i itself, in these slots. */
static void absorb(struct assembler *a, struct asm_insn *i, uint32_t s, struct asm_insn *producer,
                   const char *slots)
{
    struct asm_value *v = &a->value[i->src[s] & REF_INDEX];
    i->src[s] = REF_NONE;
    for (uint32_t k = 0; k < producer->nsrc; k++) {
        low_ref r = producer->src[k];
        if (r != REF_NONE)
            i->src[i->nsrc++] = r;
        if (asm_is_register(r))
            a->value[r & REF_INDEX].nuses++;
    }
    i->slots = slots;
    if (--v->nuses > 0)
        return;
    producer->slots = "";
    for (uint32_t k = 0; k < producer->nsrc; k++)
        if (asm_is_register(producer->src[k]))
            a->value[producer->src[k] & REF_INDEX].nuses--;
}

static bool is_literal(const struct assembler *a, low_ref r)
{
    return asm_is_const(r) && asm_const(a, r)->kind == CONST_BITS;
}

static void drop_literals(const struct assembler *a, struct asm_insn *i)
{
    for (uint32_t s = 0; s < i->nsrc; s++)
        if (is_literal(a, i->src[s]))
            i->src[s] = REF_NONE;
}

/* --- multiply-adds ----------------------------------------------------------------------------- */

static bool is_word_or_literal(const struct assembler *a, low_ref r)
{
    return r == REF_NONE || is_literal(a, r) ||
           (asm_is_register(r) && asm_class(a, r) == CLASS_WORD);
}

/* A product of 32-bit operands with 64 bits. */
static bool is_wide_product(const struct assembler *a, const struct asm_insn *i)
{
    if (IS_ANY(i, "mul wide s32", "mul wide u32"))
        return true;
    return IS_ANY(i, "shl b64", "mul lo s64", "mul lo u64") && is_word_or_literal(a, i->src[0]) &&
           is_word_or_literal(a, i->src[1]);
}

static bool is_rounded(const struct asm_insn *i)
{
    return opname_has(i->op, "rn") || opname_has(i->op, "rz") || opname_has(i->op, "rm") ||
           opname_has(i->op, "rp") || opname_has(i->op, "sat");
}

/* The slots of an addition that takes this product in; NULL: it cannot. */
static const char *product_slots(const struct assembler *a, const struct asm_insn *add,
                                 const struct asm_insn *p)
{
    if (is_add64(add)) {
        if (is_wide_product(a, p))
            return a->value[add->def[0] & REF_INDEX].is_high_wanted ? "m" : "i";
        return opname_matches(p->op, "shl b64") && asm_is_const(p->src[1]) ? "LH" : NULL;
    }
    if (is_add32(add)) {
        if (IS_ANY(p, "mul lo s32", "mul lo u32"))
            return "m";
        return opname_matches(p->op, "shl b32") && asm_is_const(p->src[1]) ? "i" : NULL;
    }
    bool is_single = IS_ANY(add, "add f32", "sub f32") && opname_matches(p->op, "mul f32");
    bool is_double = IS_ANY(add, "add f64", "sub f64") && opname_matches(p->op, "mul f64");
    if ((!is_single && !is_double) || is_rounded(add) || is_rounded(p) ||
        opname_has(add->op, "ftz") != opname_has(p->op, "ftz"))
        return NULL;
    return is_single ? "f" : "d";
}

static struct asm_insn *product_of(const struct assembler *a, const struct asm_insn *add,
                                   uint32_t s, const char **slots)
{
    struct asm_insn *p = asm_definition(a, add->src[s]);
    if (!p || p >= add || !*p->slots || !asm_is_pure(p) || p->nsrc != 4 || add->nsrc != 4 ||
        !asm_is_pure(add) || !can_move(a, p, add))
        return NULL;
    *slots = product_slots(a, add, p);
    return *slots ? p : NULL;
}

/* How many uses of each value are additions that could take it in. */
static void count_takers(const struct assembler *a, uint32_t *takers)
{
    const char *slots;
    for (uint32_t k = 0; k < a->n; k++) {
        const struct asm_insn *i = &a->insns[k];
        if (!*i->slots)
            continue;
        if (product_of(a, i, 0, &slots))
            takers[i->src[0] & REF_INDEX]++;
        else if (product_of(a, i, 1, &slots))
            takers[i->src[1] & REF_INDEX]++;
    }
}

static void fuse_products(struct assembler *a)
{
    uint32_t *takers = ARENA_ARRAY(a->arena, uint32_t, a->nvalues + 1);
    count_takers(a, takers);
    for (uint32_t k = 0; k < a->n; k++) {
        struct asm_insn *i = &a->insns[k];
        if (!*i->slots)
            continue;
        for (uint32_t s = 0; s < 2; s++) {
            const char *slots;
            struct asm_insn *p = product_of(a, i, s, &slots);
            if (!p || takers[i->src[s] & REF_INDEX] < a->value[i->src[s] & REF_INDEX].nuses ||
                !has_room(i, p))
                continue;
            takers[i->src[s] & REF_INDEX]--;
            absorb(a, i, s, p, slots);
            break;
        }
        if (is_wide_product(a, i) && strcmp(i->slots, "LH") == 0)
            i->slots = "m";
        if (is_wide_product(a, i) && strcmp(i->slots, "mmmi") == 0)
            i->slots = "m";
    }
}

/* --- three operands ---------------------------------------------------------------------------- */

/* Whether i with its source s computed in it has few enough operands. */
static bool fits_three(const struct assembler *a, const struct asm_insn *i,
                       const struct asm_insn *p)
{
    uint32_t constants = 0;
    uint32_t n = inputs(a, i, &constants) - 1 + inputs(a, p, &constants);
    return n <= MOST_INPUTS && constants <= 1;
}

static bool is_of_width(const struct asm_insn *i, const struct asm_insn *p)
{
    return opname_has(i->op, "b64") == opname_has(p->op, "b64") && (is_add64(i) == is_add64(p));
}

static void fuse_threes(struct assembler *a)
{
    for (uint32_t k = 0; k < a->n; k++) {
        struct asm_insn *i = &a->insns[k];
        bool adds = is_add32(i) || is_add64(i), decides = is_logic(i);
        if (!*i->slots || i->nsrc != 4 || !asm_is_pure(i) || (!adds && !decides))
            continue;
        for (uint32_t s = 0; s < 2; s++) {
            struct asm_insn *p = asm_definition(a, i->src[s]);
            if (!p || p >= i || !*p->slots || p->nsrc != 4 || !asm_is_pure(p) ||
                a->value[i->src[s] & REF_INDEX].nuses != 1 || !is_of_width(i, p) ||
                !(adds ? is_add32(p) || is_add64(p) : is_logic(p)) || !fits_three(a, i, p) ||
                !can_move(a, p, i))
                continue;
            absorb(a, i, s, p, i->slots);
            break;
        }
    }
}

/* A left and a right shift of two words by 32 bits together are one shift of the pair. */
static void fuse_funnels(struct assembler *a)
{
    for (uint32_t k = 0; k < a->n; k++) {
        struct asm_insn *i = &a->insns[k];
        if (!*i->slots || i->nsrc != 4 || !asm_is_pure(i) || !IS_ANY(i, "or b32", "add s32"))
            continue;
        struct asm_insn *p[2] = {asm_definition(a, i->src[0]), asm_definition(a, i->src[1])};
        uint64_t bits = 0;
        bool fits = p[0] && p[1] && p[0] != p[1];
        for (int s = 0; fits && s < 2; s++) {
            fits = p[s] < i && *p[s]->slots && p[s]->nsrc == 4 && asm_is_pure(p[s]) &&
                   a->value[i->src[s] & REF_INDEX].nuses == 1 && is_literal(a, p[s]->src[1]) &&
                   can_move(a, p[s], i);
            bits += fits ? asm_const(a, p[s]->src[1])->bits : 0;
        }
        if (!fits || bits != 32 ||
            !((IS_ANY(p[0], "shl b32") && IS_ANY(p[1], "shr u32")) ||
              (IS_ANY(p[1], "shl b32") && IS_ANY(p[0], "shr u32"))))
            continue;
        absorb(a, i, 0, p[0], "i");
        absorb(a, i, 1, p[1], "i");
        drop_literals(a, i); /* one of them tells the other */
    }
}

/* --- predicates -------------------------------------------------------------------------------- */

/* A comparison takes another predicate in. */
static void fuse_predicates(struct assembler *a)
{
    for (uint32_t k = 0; k < a->n; k++) {
        struct asm_insn *i = &a->insns[k];
        if (!*i->slots || i->nsrc != 4 || !asm_is_pure(i) ||
            !IS_ANY(i, "and pred", "or pred", "xor pred"))
            continue;
        for (uint32_t s = 2; s-- > 0;) {
            struct asm_insn *p = asm_definition(a, i->src[s] & ~(low_ref)REF_NOT);
            if (!p || p >= i || !*p->slots || p->ndef != 1 || !asm_is_pure(p) || p->nsrc != 4 ||
                !opname_is(p->op, "setp") || p->src[2] != REF_NONE ||
                a->value[i->src[s] & REF_INDEX].nuses != 1 || !can_move(a, p, i))
                continue;
            const char *slots = p->slots[0] == SLOT_AS_PTX ? "i" : p->slots;
            absorb(a, i, s, p, slots);
            break;
        }
    }
}

/* Logic gives a predicate as well: whether its result is zero. */
static void fuse_tests(struct assembler *a)
{
    for (uint32_t k = 0; k < a->n; k++) {
        struct asm_insn *i = &a->insns[k];
        if (!*i->slots || !asm_is_pure(i) || i->ndef != 1 || i->nsrc != 4 ||
            !IS_ANY(i, "setp eq s32", "setp ne s32", "setp eq b32", "setp ne b32") ||
            !asm_is_zero(a, i->src[1]))
            continue;
        struct asm_insn *p = asm_definition(a, i->src[0]);
        if (p && p < i && *p->slots && asm_is_pure(p) && is_logic(p) && has_room(i, p) &&
            a->value[i->src[0] & REF_INDEX].nuses == 1 && can_move(a, p, i))
            absorb(a, i, 0, p, "i");
    }
}

/* --- signs ------------------------------------------------------------------------------------- */

static bool takes_signs(const struct asm_insn *i)
{
    return (opname_has(i->op, "f32") || opname_has(i->op, "f64")) &&
           IS_ANY(i, "add", "sub", "mul", "fma", "mad", "setp", "min", "max", "neg", "abs", "cvt");
}

/* Negation and absolute value of a float are part of what uses it. */
static void fuse_signs(struct assembler *a)
{
    uint8_t *others = ARENA_ARRAY(a->arena, uint8_t, a->nvalues + 1);
    for (uint32_t k = 0; k < a->n; k++)
        for (uint32_t s = 0; *a->insns[k].slots && s < a->insns[k].nsrc; s++)
            if (asm_is_register(a->insns[k].src[s]) && !takes_signs(&a->insns[k]))
                others[a->insns[k].src[s] & REF_INDEX] = 1;
    for (uint32_t k = 0; k < a->n; k++) {
        struct asm_insn *i = &a->insns[k];
        if (!*i->slots || !asm_is_pure(i) || i->ndef != 1 || !asm_is_fixed(a, i->def[0]) ||
            !IS_ANY(i, "neg f32", "abs f32", "neg f64", "abs f64") ||
            others[i->def[0] & REF_INDEX] || !asm_is_register(i->src[0]) ||
            !asm_is_fixed(a, i->src[0]))
            continue;
        asm_replace(a, i, i->def[0], i->src[0]);
    }
    asm_forward(a);
}

void asm_fuse(struct assembler *a)
{
    fuse_signs(a);
    fuse_funnels(a);
    fuse_products(a);
    fuse_threes(a);
    fuse_tests(a);
    fuse_predicates(a);
    asm_count(a);
    asm_remove_dead(a);
}
