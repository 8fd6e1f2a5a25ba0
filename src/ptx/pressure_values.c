/* pressure_values.c - what the values of a function cost: which of them take no register, or one
 * where PTX has two, and which instructions are part of others. */
#include <string.h>

#include "ptx/pressure.h"

#define FREE PRESSURE_FREE

enum { MAX_PASSES = 32 }; /* over a function; two or three do, but for what nobody writes */

enum {
    REGISTERS_DIVIDE = 8,  /* of a subroutine: single precision, */
    REGISTERS_DOUBLE = 10, /* ... double, */
    REGISTERS_INTEGER = 6, /* ... 32-bit integers, */
    REGISTERS_LONG = 18,   /* ... and 64-bit ones */
};

/* --- opcodes ----------------------------------------------------------------------------------- */

static bool is_op(const struct low_insn *i, const char *name)
{
    size_t n = strlen(name);
    return i->op && strncmp(i->op, name, n) == 0 && (i->op[n] == '.' || i->op[n] == '\0');
}

static bool has(const struct low_insn *i, const char *part)
{
    const char *at = i->op ? strstr(i->op, part) : NULL;
    return at && (at[strlen(part)] == '.' || at[strlen(part)] == '\0');
}

static bool is_one_of(const struct low_insn *i, const char *const *names, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (is_op(i, names[k]))
            return true;
    return false;
}
#define IS_ONE_OF(i, ...)                                                                          \
    is_one_of(i, (const char *const[]){__VA_ARGS__},                                               \
              sizeof(const char *const[]){__VA_ARGS__} / sizeof(const char *))

static bool is_memory(const struct low_insn *i)
{
    return i->flags & INSN_MEM;
}

static bool is_load(const struct low_insn *i)
{
    return is_memory(i) && i->flags & INSN_LOAD && !(i->flags & INSN_ATOMIC) &&
           i->space != STREAM_PARAM;
}

static bool is_special(const struct low_insn *i)
{
    return IS_ONE_OF(i, "div", "rem", "sqrt", "rcp", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh");
}

static uint16_t latency(const struct low_insn *i)
{
    if (is_memory(i) && i->flags & (INSN_LOAD | INSN_ATOMIC))
        return i->space == STREAM_SHARED || i->space == STREAM_CONST ? CYCLES_NEAR : CYCLES_FAR;
    return is_special(i) ? CYCLES_SPECIAL : has(i, ".f64") ? CYCLES_DOUBLE : CYCLES_ARITHMETIC;
}

static uint16_t hold(const struct low_insn *i)
{
    if (is_memory(i))
        return i->flags & INSN_LOAD ? latency(i) : 0;
    return is_special(i) || has(i, ".f64") ? CYCLES_DOUBLE : 0;
}

static uint16_t subroutine(const struct low_insn *i)
{
    bool is_wide = has(i, ".f64") || has(i, ".s64") || has(i, ".u64");
    if (IS_ONE_OF(i, "div", "rem") && (has(i, ".s32") || has(i, ".u32") || has(i, ".s16") ||
                                       has(i, ".u16") || has(i, ".s64") || has(i, ".u64")))
        return is_wide ? REGISTERS_LONG : REGISTERS_INTEGER;
    bool is_exact = has(i, ".rn") || has(i, ".rz") || has(i, ".rm") || has(i, ".rp");
    if (IS_ONE_OF(i, "div", "sqrt", "rcp") && is_exact)
        return is_wide ? REGISTERS_DOUBLE : REGISTERS_DIVIDE;
    return 0;
}

/* --- operands ---------------------------------------------------------------------------------- */

static uint32_t number(const struct pressure *p, low_ref r)
{
    uint32_t v = r & REF_INDEX;
    bool is_own = r != REF_NONE && !(r & REF_CONST) && v >= p->f->first_vreg && v < p->f->end_vreg;
    return is_own ? p->number[v - p->f->first_vreg] : FREE;
}

static uint32_t sources(const struct pressure *p, const struct low_insn *i, uint32_t *list)
{
    uint32_t n = 0;
    for (int k = 0; k < 4; k++)
        if (number(p, i->src[k]) != FREE)
            list[n++] = number(p, i->src[k]);
    for (uint32_t k = i->ndst_extra; k < i->nextra && n < PRESSURE_MAX_REFS; k++)
        if (number(p, i->extra[k]) != FREE)
            list[n++] = number(p, i->extra[k]);
    return n;
}

static uint32_t results(const struct pressure *p, const struct low_insn *i, uint32_t *list)
{
    uint32_t n = 0;
    const low_ref own[] = {i->dst, i->dst2};
    for (int k = 0; k < 2; k++)
        if (number(p, own[k]) != FREE)
            list[n++] = number(p, own[k]);
    for (uint32_t k = 0; k < i->ndst_extra && n < PRESSURE_MAX_REFS; k++)
        if (number(p, i->extra[k]) != FREE)
            list[n++] = number(p, i->extra[k]);
    return n;
}

static bool is_wide(const struct pressure *p, uint32_t v)
{
    return p->vreg_class[v] == CLASS_WIDE;
}

/* --- which halves are wanted ------------------------------------------------------------------- */

/* Whether source v of an instruction is wanted in its upper half. */
static bool wants_high(const struct pressure *p, const struct low_insn *i, uint32_t v)
{
    uint32_t list[PRESSURE_MAX_REFS];
    if (is_memory(i) && number(p, i->src[0]) == v && i->space != STREAM_GLOBAL &&
        !(i->flags & INSN_MULTI))
        return false; /* an address; the data of a store is never its own address */
    if (IS_ONE_OF(i, "cvt") && i->dst != REF_NONE && number(p, i->dst) != FREE &&
        !is_wide(p, number(p, i->dst)) && !has(i, ".f64"))
        return false;
    if (has(i, ".f64") || has(i, ".hi") || has(i, ".wide") ||
        !IS_ONE_OF(i, "add", "sub", "mul", "mad", "shl", "and", "or", "xor", "not", "neg", "selp",
                   "mov", "cvta"))
        return true;
    uint32_t n = results(p, i, list);
    if (is_op(i, "mov") && n > 0 && !is_wide(p, list[0]))
        return true; /* taken apart */
    for (uint32_t k = 0; k < n; k++)
        if (is_wide(p, list[k]) && p->value[list[k]].is_high_wanted)
            return true;
    return n == 0;
}

static void find_halves(struct pressure *p)
{
    uint32_t list[PRESSURE_MAX_REFS];
    bool changed = true;
    for (int pass = 0; changed && pass < MAX_PASSES; pass++) {
        changed = false;
        for (uint32_t k = p->f->end; k-- > p->f->first;) {
            const struct low_insn *i = &p->lo->insns[k];
            uint32_t n = sources(p, i, list);
            for (uint32_t s = 0; s < n; s++) {
                struct value *v = &p->value[list[s]];
                if (is_wide(p, list[s]) && !v->is_high_wanted && wants_high(p, i, list[s]))
                    v->is_high_wanted = changed = true;
            }
        }
    }
    for (uint32_t v = 0; v < p->nregs; v++)
        p->weight[v] = p->vreg_class[v] == CLASS_PRED                ? 0
                       : is_wide(p, v) && p->value[v].is_high_wanted ? 2
                                                                     : 1;
}

/* --- what takes no register of its own --------------------------------------------------------- */

static bool is_single(const struct pressure *p, uint32_t v)
{
    return p->value[v].ndefs == 1 && !p->value[v].is_guarded;
}

static uint32_t stand_in(const struct pressure *p, uint32_t v)
{
    while (v != FREE && p->value[v].stands_for != v)
        v = p->value[v].stands_for;
    return v;
}

/* Whether all operands that are no registers can be read where they are. */
static bool has_plain_constants(const struct pressure *p, const struct low_insn *i)
{
    for (int k = 0; k < 4; k++) {
        if (i->src[k] == REF_NONE || !(i->src[k] & REF_CONST))
            continue;
        enum const_kind c = (enum const_kind)p->lo->consts[i->src[k] & REF_INDEX].c.kind;
        bool is_plain = c == CONST_BITS || c == CONST_PARAM || c >= CONST_DYNAMIC_SMEM ||
                        (c >= CONST_NTID_X && c <= CONST_NTID_Z) ||
                        (c >= CONST_NCTAID_X && c <= CONST_NCTAID_Z);
        if (!is_plain)
            return false;
    }
    return true;
}

/* An index of 32 bits that is widened or scaled in the addition which makes an address of it. */
static bool is_index(const struct low_insn *i, const struct value *d)
{
    return d->is_only_added &&
           (is_op(i, "mul") ? has(i, ".wide") : is_op(i, "shl") && has(i, ".b64"));
}

/* What the result of an instruction stands for, if it takes no register: *v. */
static bool folds(const struct pressure *p, const struct low_insn *i, uint32_t d, uint32_t *v)
{
    uint32_t list[PRESSURE_MAX_REFS], n = sources(p, i, list), m = 0;
    *v = FREE;
    for (uint32_t k = 0; k < n; k++)
        if (stand_in(p, list[k]) != FREE)
            list[m++] = list[k];
    if (m == 0)
        return IS_ONE_OF(i, "mov", "cvta", "ld", "widen") && !is_memory(i) &&
               has_plain_constants(p, i);
    if (m != 1 || !is_single(p, list[0]))
        return false;
    *v = stand_in(p, list[0]);
    const struct value *x = &p->value[d];
    if (n == 1 && IS_ONE_OF(i, "mov", "cvta", "widen") && i->nextra == 0)
        return i->src[1] == REF_NONE && (is_wide(p, d) || !is_wide(p, list[0]));
    if (n == 1 && IS_ONE_OF(i, "neg", "abs"))
        return true;
    if (n == 1 && is_op(i, "add"))
        return is_wide(p, d) && x->is_only_address && has_plain_constants(p, i);
    if (n == 1 && is_op(i, "cvt"))
        return is_wide(p, d) && !is_wide(p, list[0]) && !has(i, ".f64") && !has(i, ".f32");
    return is_index(i, x) && p->weight[*v] <= 1;
}

static void find_folds(struct pressure *p)
{
    uint32_t list[PRESSURE_MAX_REFS];
    bool changed = true;
    for (int pass = 0; changed && pass < MAX_PASSES; pass++) {
        changed = false;
        for (uint32_t k = p->f->first; k < p->f->end; k++) {
            const struct low_insn *i = &p->lo->insns[k];
            uint32_t v;
            if (results(p, i, list) != 1 || p->value[list[0]].stands_for != list[0] ||
                !is_single(p, list[0]) || p->vreg_class[list[0]] == CLASS_PRED ||
                !folds(p, i, list[0], &v) || v == list[0])
                continue;
            p->value[list[0]].stands_for = v;
            changed = true;
        }
    }
}

static void look_at_uses(struct pressure *p)
{
    uint32_t list[PRESSURE_MAX_REFS];
    for (uint32_t v = 0; v < p->nregs; v++)
        p->value[v] =
            (struct value){.stands_for = v, .is_only_address = true, .is_only_added = true};
    for (uint32_t k = p->f->first; k < p->f->end; k++) {
        const struct low_insn *i = &p->lo->insns[k];
        uint32_t n = sources(p, i, list);
        for (uint32_t s = 0; s < n; s++) {
            struct value *v = &p->value[list[s]];
            v->is_only_address &= is_memory(i) && number(p, i->src[0]) == list[s];
            v->is_only_added &= is_op(i, "add") && (has(i, ".s64") || has(i, ".u64"));
        }
        n = results(p, i, list);
        for (uint32_t d = 0; d < n; d++) {
            p->value[list[d]].ndefs++;
            p->value[list[d]].is_guarded |= i->guard != REF_NONE;
        }
    }
}

/* Only registers that occur have numbers: ranges may declare a million. */
static void number_one(struct pressure *p, low_ref r)
{
    uint32_t v = r & REF_INDEX;
    if (r == REF_NONE || r & REF_CONST || v < p->f->first_vreg || v >= p->f->end_vreg ||
        p->number[v - p->f->first_vreg] != FREE)
        return;
    p->vreg_class[p->nregs] = p->lo->vreg_class[v];
    p->number[v - p->f->first_vreg] = p->nregs++;
}

static void number_all(struct pressure *p)
{
    uint32_t n = p->f->end_vreg - p->f->first_vreg;
    p->number = ARENA_ARRAY(p->arena, uint32_t, n + 1);
    p->vreg_class = ARENA_ARRAY(p->arena, uint8_t, n + 1);
    memset(p->number, 0xff, (n + 1) * sizeof *p->number);
    for (uint32_t k = p->f->first; k < p->f->end; k++) {
        const struct low_insn *i = &p->lo->insns[k];
        number_one(p, i->guard);
        number_one(p, i->dst);
        number_one(p, i->dst2);
        for (int s = 0; s < 4; s++)
            number_one(p, i->src[s]);
        for (uint32_t s = 0; s < i->nextra; s++)
            number_one(p, i->extra[s]);
    }
}

void pressure_values(struct pressure *p)
{
    number_all(p);
    p->value = ARENA_ARRAY(p->arena, struct value, p->nregs + 1);
    p->weight = ARENA_ARRAY(p->arena, uint8_t, p->nregs + 1);
    look_at_uses(p);
    find_halves(p);
    find_folds(p);
}

/* --- what is left ------------------------------------------------------------------------------ */

static void add_once(uint32_t *list, uint32_t *n, uint32_t v)
{
    if (v == FREE || *n == PRESSURE_MAX_REFS)
        return;
    for (uint32_t k = 0; k < *n; k++)
        if (list[k] == v)
            return;
    list[(*n)++] = v;
}

static uint32_t *keep(struct pressure *p, const uint32_t *list, uint32_t n)
{
    uint32_t *copy = ARENA_ARRAY(p->arena, uint32_t, n + 1);
    memcpy(copy, list, n * sizeof *copy);
    return copy;
}

bool pressure_make(struct pressure *p, const struct low_insn *i, struct pressure_insn *out)
{
    uint32_t list[PRESSURE_MAX_REFS], use[PRESSURE_MAX_REFS] = {0}, def[PRESSURE_MAX_REFS] = {0};
    uint32_t n = results(p, i, list), ndef = 0, nuse = 0;
    for (uint32_t k = 0; k < n; k++)
        if (p->value[list[k]].stands_for == list[k])
            add_once(def, &ndef, list[k]);
    if (n && !ndef)
        return false;
    for (uint32_t k = 0; i->guard != REF_NONE && k < n; k++) /* the old value may stay */
        add_once(use, &nuse, stand_in(p, list[k]));
    n = sources(p, i, list);
    for (uint32_t k = 0; k < n; k++)
        add_once(use, &nuse, stand_in(p, list[k]));
    if (number(p, i->guard) != FREE)
        add_once(use, &nuse, stand_in(p, number(p, i->guard)));
    bool is_atomic = i->flags & INSN_ATOMIC, is_control = i->end != NOT_AN_END;
    *out = (struct pressure_insn){.low = i,
                                  .use = keep(p, use, nuse),
                                  .def = keep(p, def, ndef),
                                  .nuse = nuse,
                                  .ndef = ndef,
                                  .latency = latency(i),
                                  .hold = hold(i),
                                  .extra = subroutine(i),
                                  .is_load = is_load(i),
                                  .is_store = i->flags & INSN_STORE && !is_atomic && is_memory(i),
                                  .is_fence = is_control || is_atomic || i->flags & INSN_FENCE,
                                  .is_end = is_control && i->end != END_BARRIER,
                                  .space = i->flags & INSN_MULTI ? STREAM_GLOBAL : i->space};
    if (i->end == END_CALL && i->target != UINT32_MAX)
        out->extra = p->lo->funcs[i->target].need;
    return true;
}
