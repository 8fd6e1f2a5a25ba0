/* lower_operands.c - binds the operands of an instruction to the letters the executor gave for its
 * opcode (code.h): checks kinds and widths, turns literals and addresses into constants. */
#include <string.h>

#include "dev/devmem.h"
#include "ptx/lower.h"

struct low_insn *low_append(struct lower *lo)
{
    struct low_insn *n = LOW_PUSH(lo, lo->insns, lo->ninsns, lo->insn_room);
    *n = (struct low_insn){.op = lo->op,
                           .guard = REF_NONE,
                           .dst = REF_NONE,
                           .dst2 = REF_NONE,
                           .src = {REF_NONE, REF_NONE, REF_NONE, REF_NONE},
                           .end = NOT_AN_END,
                           .line = lo->line,
                           .loc_file = lo->loc_file,
                           .loc_line = lo->loc_line};
    return n;
}

static enum reg_class class_of_letter(char letter)
{
    switch (letter) {
    case 'D':
    case 'd':
        return CLASS_WIDE;
    case 'P':
    case 'p':
        return CLASS_PRED;
    default:
        return CLASS_WORD;
    }
}

static const char *class_name(enum reg_class c)
{
    return c == CLASS_WIDE   ? "a 64-bit register"
           : c == CLASS_PRED ? "a predicate"
                             : "a register of at most 32 bits";
}

bool low_guard(struct lower *lo, const struct ast_insn *in, low_ref *guard)
{
    *guard = REF_NONE;
    if (!in->guard)
        return true;
    low_ref r = low_register(lo, in->guard);
    if (r == REF_NONE || low_class(lo, r) != CLASS_PRED)
        return low_fail(lo, "guard %s is no predicate", in->guard);
    *guard = in->guard_negated ? r | REF_NOT : r;
    return true;
}

/* Literals take the type of the operation only in one case: a float literal of the other width. */
static uint64_t literal_bits(const struct ast_operand *o, char letter)
{
    if (o->kind == OPERAND_F64 && letter == 'w')
        return ast_f64_as_f32(o->bits);
    if (o->kind == OPERAND_F32 && letter == 'd')
        return ast_f32_as_f64(o->bits);
    return o->bits;
}

static bool named_source(struct lower *lo, const struct ast_operand *o, enum reg_class want,
                         low_ref *out)
{
    low_ref r = low_register(lo, o->name);
    if (r == REF_NONE)
        r = low_special(lo, o->name);
    if (r != REF_NONE) {
        if (o->bits)
            return low_fail(lo, "%s: a register has no offset", o->name);
        *out = r;
        return true;
    }
    if (o->name[0] == '%' && !low_find(lo, o->name))
        return low_fail(lo, "register %s is not declared", o->name);
    uint64_t handle = low_find(lo, o->name) ? 0 : code_function_handle(lo->module, o->name);
    if (handle) {
        *out = low_const_bits(lo, CLASS_WIDE, handle);
        return true;
    }
    struct low_sym *s;
    return low_variable(lo, o->name, &s) && low_const_address(lo, s, want, o->bits, false, out);
}

bool low_source(struct lower *lo, const struct ast_operand *o, char letter, bool is_relaxed,
                low_ref *out)
{
    enum reg_class want = class_of_letter(letter);
    if (o->kind == OPERAND_INT || o->kind == OPERAND_F32 || o->kind == OPERAND_F64) {
        if (want == CLASS_PRED && o->kind == OPERAND_INT)
            *out = low_const_bits(lo, CLASS_PRED, o->bits != 0) ^ (o->is_negated ? 1u : 0u);
        else
            *out = low_const_bits(lo, want, literal_bits(o, letter));
        return true;
    }
    if (o->kind != OPERAND_NAME)
        return low_fail(lo, "expected %s or a literal as a source", class_name(want));
    if (!named_source(lo, o, want, out))
        return false;
    enum reg_class have = low_class(lo, *out);
    if (have == CLASS_WIDE && want == CLASS_WORD && (is_relaxed || *out & REF_CONST)) {
        uint32_t narrow = low_vreg(lo, CLASS_WORD);
        if (!low_emit(lo, "narrow.b32", REF_NONE, narrow, *out, REF_NONE))
            return false;
        *out = narrow;
    } else if (have == CLASS_WORD && want == CLASS_WIDE && (*out & REF_CONST)) {
        uint32_t wide = low_vreg(lo, CLASS_WIDE); /* mov.u64 of a 32-bit special register */
        if (!low_emit(lo, "widen.u64", REF_NONE, wide, *out, REF_NONE))
            return false;
        *out = wide;
    } else if (have != want) {
        return low_fail(lo, "%s: expected %s", o->name, class_name(want));
    }
    if (o->is_negated) {
        if (want != CLASS_PRED)
            return low_fail(lo, "%s: only a predicate can be negated", o->name);
        *out ^= REF_NOT;
    }
    return true;
}

/* --- binding ---------------------------------------------------------------------------------- */

enum { MAX_EXTRA = 40, MAX_WIDENED = 8 };

struct binding {
    struct lower *lo;
    const struct op_desc *d;
    struct low_insn insn;
    uint32_t nsrc;
    low_ref extra[MAX_EXTRA];
    struct {
        low_ref narrow, wide;
    } widened[MAX_WIDENED]; /* destinations wider than the operation writes */
    uint32_t nwidened;
};

static bool add_extra(struct binding *b, low_ref r, bool is_dst)
{
    if (b->insn.nextra == MAX_EXTRA)
        return low_fail(b->lo, "too many operands");
    b->extra[b->insn.nextra++] = r;
    if (is_dst)
        b->insn.ndst_extra++;
    return true;
}

static bool add_source(struct binding *b, low_ref r)
{
    if (b->nsrc < 4) {
        b->insn.src[b->nsrc++] = r;
        return true;
    }
    return add_extra(b, r, false);
}

/* A destination register of class `want`; wider ones get a temporary and a widening afterwards. */
static bool destination(struct binding *b, const struct ast_operand *o, enum reg_class want,
                        low_ref *out)
{
    struct lower *lo = b->lo;
    if (o->kind == OPERAND_SINK) {
        *out = low_vreg(lo, want);
        return true;
    }
    if (o->kind != OPERAND_NAME || o->bits)
        return low_fail(lo, "expected %s as the destination", class_name(want));
    low_ref r = low_register(lo, o->name);
    if (r == REF_NONE)
        return low_fail(lo, "destination %s is no declared register", o->name);
    enum reg_class have = low_class(lo, r);
    if (have == CLASS_WIDE && want == CLASS_WORD && b->d->is_relaxed) {
        if (b->nwidened == MAX_WIDENED)
            return low_fail(lo, "too many operands");
        *out = low_vreg(lo, CLASS_WORD);
        b->widened[b->nwidened].narrow = *out;
        b->widened[b->nwidened++].wide = r;
        return true;
    }
    if (have != want)
        return low_fail(lo, "%s: expected %s", o->name, class_name(want));
    *out = r;
    return true;
}

static bool add_destination(struct binding *b, low_ref r)
{
    if (b->insn.dst == REF_NONE)
        b->insn.dst = r;
    else
        b->insn.dst2 = r;
    return true;
}

/* P and S: a pair "d|p", or the first alone. */
static bool bind_pair(struct binding *b, const struct ast_operand *o, enum reg_class first)
{
    low_ref r = REF_NONE;
    if (o->kind != OPERAND_PAIR)
        return destination(b, o, first, &r) && add_destination(b, r);
    if (o->nitems != 2)
        return low_fail(b->lo, "expected a pair");
    if (!destination(b, &o->items[0], first, &b->insn.dst))
        return false;
    if (o->items[1].kind == OPERAND_SINK)
        return true;
    return destination(b, &o->items[1], CLASS_PRED, &b->insn.dst2);
}

/* The registers of a vector operand: written out, or a vector register by its name. */
static bool vector_items(struct binding *b, const struct ast_operand *o,
                         const struct ast_operand **items, uint32_t *n)
{
    *items = o;
    *n = 1;
    if (o->kind == OPERAND_VECTOR) {
        *items = o->items;
        *n = o->nitems;
    } else if (o->kind == OPERAND_NAME && b->d->vec > 1) {
        const struct low_sym *s = low_find(b->lo, o->name);
        if (s && s->kind == SYM_VECTOR) {
            struct ast_operand *made = ARENA_ARRAY(b->lo->arena, struct ast_operand, s->count);
            for (uint32_t i = 0; i < s->count; i++)
                made[i] = (struct ast_operand){
                    .kind = OPERAND_NAME,
                    .name = arena_printf(b->lo->arena, "%s.%c", o->name, "xyzw"[i & 3])};
            *items = made;
            *n = s->count;
        }
    }
    return *n == b->d->vec ||
           low_fail(b->lo, "expected a vector of %u registers, found %u", b->d->vec, *n);
}

static bool bind_vector(struct binding *b, const struct ast_operand *o, bool is_dst)
{
    const struct ast_operand *items;
    uint32_t n;
    if (!vector_items(b, o, &items, &n))
        return false;
    enum reg_class want = class_of_letter(b->d->elem);
    for (uint32_t i = 0; i < n; i++) {
        low_ref r = REF_NONE;
        if (is_dst && n > 1 && items[i].kind == OPERAND_SINK)
            r = REF_NONE;
        else if (is_dst ? !destination(b, &items[i], want, &r)
                        : !low_source(b->lo, &items[i], b->d->elem, b->d->is_relaxed, &r))
            return false;
        bool ok = n > 1    ? add_extra(b, r, is_dst)
                  : is_dst ? add_destination(b, r)
                           : add_source(b, r);
        if (!ok)
            return false;
    }
    return true;
}

static bool address_of_variable(struct binding *b, const struct ast_operand *o)
{
    struct lower *lo = b->lo;
    struct low_sym *s;
    if (!low_variable(lo, o->name, &s))
        return false;
    bool is_generic = b->d->ptx_space == SPACE_GENERIC;
    if (!is_generic && b->d->ptx_space != s->space)
        return low_fail(lo, "%s is a variable of another space than this instruction accesses",
                        o->name);
    if (s->address != SYM_DYNAMIC) {
        low_ref whole = REF_NONE;
        if (!low_const_address(lo, s, CLASS_WIDE, o->bits, is_generic, &whole))
            return false;
        b->insn.imm = lo->consts[whole & REF_INDEX].c.bits;
        return add_source(b, REF_NONE);
    }
    low_ref base = REF_NONE;
    if (!low_const_address(lo, s, CLASS_WIDE, 0, is_generic, &base))
        return false;
    b->insn.imm = o->bits;
    return add_source(b, base);
}

static bool bind_address(struct binding *b, const struct ast_operand *o)
{
    struct lower *lo = b->lo;
    if (o->kind != OPERAND_ADDR || o->nitems)
        return low_fail(lo, "expected an address in [ ]");
    b->insn.imm = o->bits;
    if (!o->name)
        return add_source(b, REF_NONE);
    low_ref r = low_register(lo, o->name);
    if (r == REF_NONE)
        return address_of_variable(b, o);
    if (low_class(lo, r) == CLASS_PRED)
        return low_fail(lo, "%s: a predicate is no address", o->name);
    if (low_class(lo, r) == CLASS_WORD)
        b->insn.mod |= OP_ADDR32;
    return add_source(b, r);
}

static bool bind_texture(struct binding *b, const struct ast_operand *o)
{
    struct lower *lo = b->lo;
    if (o->kind != OPERAND_ADDR || !o->name || o->nitems != 1)
        return low_fail(lo, "expected a texture object and its coordinates, [handle, {...}]");
    low_ref handle = low_register(lo, o->name);
    struct low_sym *s;
    if (handle == REF_NONE) /* says what is wrong with the name */
        return low_variable(lo, o->name, &s) &&
               low_fail(lo, "%s: expected a register with a texture object", o->name);
    if (low_class(lo, handle) != CLASS_WIDE)
        return low_fail(lo, "%s: a texture object has 64 bits", o->name);
    if (!add_source(b, handle))
        return false;
    const struct ast_operand *coords = &o->items[0];
    bool is_vector = coords->kind == OPERAND_VECTOR;
    uint32_t n = is_vector ? coords->nitems : 1;
    for (uint32_t i = 0; i < n; i++) {
        low_ref r = REF_NONE;
        if (!low_source(lo, is_vector ? &coords->items[i] : coords, 'w', false, &r) ||
            !add_extra(b, r, false))
            return false;
    }
    return true;
}

static bool bind_one(struct binding *b, const struct ast_operand *o, char letter)
{
    low_ref r = REF_NONE;
    switch (letter) {
    case 'H':
    case 'W':
    case 'D':
        return destination(b, o, class_of_letter(letter), &r) && add_destination(b, r);
    case 'P':
        return bind_pair(b, o, CLASS_PRED);
    case 'S':
        return bind_pair(b, o, CLASS_WORD);
    case 'V':
        return bind_vector(b, o, true);
    case 'v':
        return bind_vector(b, o, false);
    case 'A':
        return bind_address(b, o);
    case 'T':
        return bind_texture(b, o);
    case 'i':
        if (o->kind != OPERAND_INT)
            return low_fail(b->lo, "expected a literal");
        b->insn.imm = o->bits;
        return true;
    default:
        return low_source(b->lo, o, letter, b->d->is_relaxed, &r) && add_source(b, r);
    }
}

static bool bind_all(struct binding *b, const struct ast_insn *in)
{
    uint32_t at = 0;
    bool is_optional = false;
    for (const char *c = b->d->operands; *c; c++) {
        if (*c == '?') {
            is_optional = true;
            continue;
        }
        if (at == in->noperands) {
            if (is_optional)
                break;
            return low_fail(b->lo, "\"%s\" has too few operands", in->opcode);
        }
        if (!bind_one(b, &in->operands[at++], *c))
            return false;
    }
    return at == in->noperands || low_fail(b->lo, "\"%s\" has too many operands", in->opcode);
}

bool low_bind(struct lower *lo, const struct ast_insn *in, const struct op_desc *d)
{
    struct binding b = {.lo = lo, .d = d};
    b.insn = (struct low_insn){.fn = d->fn,
                               .op = lo->op,
                               .mod = d->mod,
                               .dst = REF_NONE,
                               .dst2 = REF_NONE,
                               .src = {REF_NONE, REF_NONE, REF_NONE, REF_NONE},
                               .unit = d->unit,
                               .opclass = d->opclass,
                               .space = d->space,
                               .size = d->size,
                               .flags = d->flags,
                               .end = NOT_AN_END,
                               .line = lo->line,
                               .loc_file = lo->loc_file,
                               .loc_line = lo->loc_line};
    if (!low_guard(lo, in, &b.insn.guard) || !bind_all(&b, in))
        return false;
    if (b.insn.nextra) {
        b.insn.extra = ARENA_ARRAY(lo->arena, low_ref, b.insn.nextra);
        memcpy(b.insn.extra, b.extra, b.insn.nextra * sizeof(low_ref));
    }
    *low_append(lo) = b.insn;
    for (uint32_t i = 0; i < b.nwidened; i++)
        if (!low_emit(lo, d->is_signed ? "widen.s64" : "widen.u64", b.insn.guard, b.widened[i].wide,
                      b.widened[i].narrow, REF_NONE))
            return false;
    return true;
}

bool low_emit(struct lower *lo, const char *opcode, low_ref guard, low_ref dst, low_ref a,
              low_ref b)
{
    struct opcode o = {.text = opcode, .where = lo->module->name, .nparts = 2};
    char copy[32], *dot;
    HD_ASSERT(strlen(opcode) < sizeof copy, "%s", opcode);
    memcpy(copy, opcode, strlen(opcode) + 1);
    dot = strchr(copy, '.');
    *dot = 0;
    o.part[0] = copy;
    o.part[1] = dot + 1;
    struct op_desc d = {0};
    if (!lo->ops->find(&o, &d, lo->e))
        return false;
    struct low_insn *n = low_append(lo);
    n->fn = d.fn;
    n->op = opcode;
    n->mod = d.mod;
    n->unit = d.unit;
    n->opclass = d.opclass;
    n->guard = guard;
    n->dst = dst;
    n->src[0] = a;
    n->src[1] = b;
    return true;
}
