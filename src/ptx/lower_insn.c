/* lower_insn.c - one instruction: what has a rule of its own (control flow, barriers, moves between
 * vectors and registers, parameters), and the rest by asking the executor for the opcode. */
#include <stdio.h>
#include <string.h>

#include "ptx/lower.h"

struct split {
    struct opcode o;
    char where[256];
    char copy[256];
};

static bool split_opcode(struct lower *lo, const char *text, struct split *s)
{
    snprintf(s->where, sizeof s->where, "%s:%u", lo->module->name, lo->line);
    s->o = (struct opcode){.text = text, .where = s->where};
    if (strlen(text) >= sizeof s->copy)
        return low_fail(lo, "unknown instruction \"%.40s...\"", text);
    memcpy(s->copy, text, strlen(text) + 1);
    for (char *part = s->copy; part;) {
        if (s->o.nparts == (int)(sizeof s->o.part / sizeof s->o.part[0]))
            return low_fail(lo, "unknown instruction \"%s\"", text);
        s->o.part[s->o.nparts++] = part;
        part = strchr(part, '.');
        if (part)
            *part++ = 0;
    }
    return true;
}

static bool has_part(const struct opcode *o, const char *part)
{
    for (int i = 1; i < o->nparts; i++)
        if (strcmp(o->part[i], part) == 0)
            return true;
    return false;
}

/* Looks the opcode up and binds the operands. */
static bool by_executor(struct lower *lo, const struct ast_insn *in, const char *opcode)
{
    struct split s;
    if (!split_opcode(lo, opcode, &s))
        return false;
    struct op_desc d = {.vec = 1, .elem = 'w'};
    return lo->ops->find(&s.o, &d, lo->e) && low_bind(lo, in, &d);
}

/* --- moves ------------------------------------------------------------------------------------ */

static bool pack(struct lower *lo, const struct ast_insn *in, const char *type)
{
    const struct ast_operand *v = &in->operands[1];
    struct ast_operand flat[5];
    if (v->nitems != 2 && v->nitems != 4)
        return low_fail(lo, "expected a vector of 2 or 4 registers");
    flat[0] = in->operands[0];
    memcpy(flat + 1, v->items, v->nitems * sizeof flat[0]);
    struct ast_insn made = *in;
    made.operands = flat;
    made.noperands = 1 + v->nitems;
    char opcode[16];
    snprintf(opcode, sizeof opcode, "pack%u.b%s", v->nitems, type);
    return by_executor(lo, &made, opcode);
}

static bool unpack(struct lower *lo, const struct ast_insn *in, const char *type)
{
    const struct ast_operand *v = &in->operands[0];
    if (v->nitems != 2 && v->nitems != 4)
        return low_fail(lo, "expected a vector of 2 or 4 registers");
    char opcode[16];
    snprintf(opcode, sizeof opcode, "unpack%u.b%s", v->nitems, type);
    if (v->nitems == 4)
        return by_executor(lo, in, opcode);
    struct ast_operand flat[3] = {v->items[0], v->items[1], in->operands[1]};
    struct ast_insn made = *in;
    made.operands = flat;
    made.noperands = 3;
    return by_executor(lo, &made, opcode);
}

static bool clock_register(const char *name)
{
    return strncmp(name, "%clock", 6) == 0 || strncmp(name, "%globaltimer", 12) == 0;
}

static bool lower_mov(struct lower *lo, const struct ast_insn *in, const struct opcode *o)
{
    if (in->noperands != 2)
        return low_fail(lo, "\"%s\" has two operands", in->opcode);
    const char *type = o->part[o->nparts - 1];
    const char *bits = type[0] ? type + 1 : "";
    if (in->operands[1].kind == OPERAND_VECTOR)
        return pack(lo, in, bits);
    if (in->operands[0].kind == OPERAND_VECTOR)
        return unpack(lo, in, bits);
    if (in->operands[1].kind == OPERAND_NAME && clock_register(in->operands[1].name)) {
        struct ast_insn made = *in;
        made.noperands = 1;
        return by_executor(lo, &made, strcmp(bits, "64") == 0 ? "clock.u64" : "clock.u32");
    }
    return by_executor(lo, in, in->opcode);
}

/* --- parameters ------------------------------------------------------------------------------- */

/* Constant memory holds a kernel's parameters; hardware reads them as operands.  So a load at a
 * known place is a move of a constant. */
static bool kernel_parameter(struct lower *lo, const struct ast_insn *in, const struct op_desc *d,
                             const struct low_sym *s, const char *type)
{
    low_ref guard;
    if (!low_guard(lo, in, &guard))
        return false;
    const struct ast_operand *dst = &in->operands[0];
    bool is_vector = dst->kind == OPERAND_VECTOR;
    uint32_t n = is_vector ? dst->nitems : 1, bytes = d->size / d->vec;
    if (n != d->vec)
        return low_fail(lo, "expected a vector of %u registers", d->vec);
    uint64_t offset = in->operands[1].bits;
    if (offset > s->bytes || d->size > s->bytes - offset)
        return low_fail(lo, "parameter %s has %llu bytes", s->name, (unsigned long long)s->bytes);
    for (uint32_t i = 0; i < n; i++) {
        const struct ast_operand *one = is_vector ? &dst->items[i] : dst;
        if (one->kind == OPERAND_SINK)
            continue;
        low_ref r = one->kind == OPERAND_NAME ? low_register(lo, one->name) : REF_NONE;
        if (r == REF_NONE || low_class(lo, r) == CLASS_PRED)
            return low_fail(lo, "expected a register as the destination");
        if (bytes == 8 && low_class(lo, r) != CLASS_WIDE)
            return low_fail(lo, "%s: expected a 64-bit register", one->name);
        low_ref value = low_const_param(lo, s->address + offset + i * bytes, bytes, type[0] == 's');
        const char *move = "mov.b64";
        if (low_class(lo, r) == CLASS_WORD)
            move = "mov.b32";
        else if (bytes < 8)
            move = type[0] == 's' ? "widen.s64" : "widen.u64";
        if (!low_emit(lo, move, guard, r, value, REF_NONE))
            return false;
    }
    return true;
}

/* Parameters of called functions live in the thread's frame, which hardware keeps in registers. */
static bool lower_param(struct lower *lo, const struct ast_insn *in, const struct opcode *o)
{
    bool is_load = strcmp(o->part[0], "ld") == 0;
    if (in->noperands != 2 || in->operands[is_load].kind != OPERAND_ADDR)
        return low_fail(lo, "\"%s\": expected a register and an address", in->opcode);
    const char *type = o->part[o->nparts - 1], *name = in->operands[is_load].name;
    char opcode[32];
    const char *vec = has_part(o, "v2") ? ".v2" : has_part(o, "v4") ? ".v4" : "";
    snprintf(opcode, sizeof opcode, "%s%s.%.4s", is_load ? "ldframe" : "stframe", vec, type);
    bool is_register = name && low_register(lo, name) != REF_NONE;
    if (!is_register) {
        struct low_sym *s = NULL;
        if (!name || !low_variable(lo, name, &s) || s->space != SPACE_PARAM)
            return low_fail(lo, "\"%s\": expected a parameter", in->opcode);
        if (s->is_kernel_param) {
            struct split made;
            struct op_desc d = {.vec = 1};
            if (!is_load)
                return low_fail(lo, "a kernel cannot write its parameters");
            return split_opcode(lo, opcode, &made) && lo->ops->find(&made.o, &d, lo->e) &&
                   kernel_parameter(lo, in, &d, s, type);
        }
        if (in->operands[is_load].bits > s->bytes)
            return low_fail(lo, "parameter %s has %llu bytes", name, (unsigned long long)s->bytes);
    } else if (lo->func == lo->funcs) {
        return by_executor(lo, in, in->opcode); /* the kernel's parameters by a computed address */
    }
    return by_executor(lo, in, opcode);
}

/* --- control ---------------------------------------------------------------------------------- */

static struct low_insn *append_end(struct lower *lo, enum block_end end, low_ref guard)
{
    struct low_insn *n = low_append(lo);
    n->end = (uint8_t)end;
    n->guard = guard;
    n->unit = UNIT_CONTROL;
    n->opclass = OPCLASS_BRANCH;
    if (end == END_EXIT)
        n->flags = INSN_EXIT;
    return n;
}

static bool lower_branch(struct lower *lo, const struct ast_insn *in)
{
    low_ref guard;
    if (!low_guard(lo, in, &guard))
        return false;
    if (in->noperands != 1 || in->operands[0].kind != OPERAND_NAME || in->operands[0].bits)
        return low_fail(lo, "bra: expected a label");
    struct low_insn *n = append_end(lo, END_BRANCH, guard);
    n->target_name = in->operands[0].name;
    n->target_scope = lo->scope;
    return true;
}

static bool lower_table_branch(struct lower *lo, const struct ast_insn *in, const struct opcode *o)
{
    low_ref guard, index;
    if (o->nparts < 2 || strcmp(o->part[1], "idx") != 0)
        return low_fail(lo, "unknown instruction \"%s\"", in->opcode);
    if (in->noperands != 2 || in->operands[1].kind != OPERAND_NAME)
        return low_fail(lo, "brx.idx: expected an index and a list of targets");
    if (!low_guard(lo, in, &guard) || !low_source(lo, &in->operands[0], 'w', false, &index))
        return false;
    const struct low_sym *s = low_find(lo, in->operands[1].name);
    if (!s || s->kind != SYM_TABLE || s->table->is_prototype || s->table->nnames == 0)
        return low_fail(lo, "%s is no list of branch targets", in->operands[1].name);
    if (s->table->nnames > UINT16_MAX)
        return low_fail(lo, "%s: too many branch targets", in->operands[1].name);
    struct low_insn *n = append_end(lo, END_TABLE, guard);
    n->src[0] = index;
    n->target = lo->ntables;
    n->ntargets = s->table->nnames;
    for (uint32_t i = 0; i < s->table->nnames; i++)
        *LOW_PUSH(lo, lo->tables, lo->ntables, lo->table_room) =
            (struct low_branch){.name = s->table->names[i], .scope = s->scope};
    return true;
}

static bool lower_end(struct lower *lo, const struct ast_insn *in, enum block_end end)
{
    low_ref guard;
    if (in->noperands)
        return low_fail(lo, "\"%s\" has no operands", in->opcode);
    if (!low_guard(lo, in, &guard))
        return false;
    append_end(lo, end, guard);
    return true;
}

static bool barrier_kind(struct lower *lo, const struct ast_insn *in, const struct opcode *o,
                         enum barrier_kind *kind)
{
    static const struct {
        const char *name;
        enum barrier_kind kind;
    } known[] = {{"sync", BARRIER_SYNC},
                 {"arrive", BARRIER_ARRIVE},
                 {"red.popc.u32", BARRIER_POPC},
                 {"red.and.pred", BARRIER_AND},
                 {"red.or.pred", BARRIER_OR}};
    char rest[64] = "";
    size_t n = 0;
    for (int i = 1; i < o->nparts; i++) {
        if (strcmp(o->part[i], "cta") == 0 || strcmp(o->part[i], "aligned") == 0)
            continue;
        n += (size_t)snprintf(rest + n, sizeof rest - n, "%s%s", n ? "." : "", o->part[i]);
        if (n >= sizeof rest)
            break;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(rest, known[i].name) == 0) {
            *kind = known[i].kind;
            return true;
        }
    return low_fail(lo, "unknown instruction \"%s\"", in->opcode);
}

static bool lower_barrier(struct lower *lo, const struct ast_insn *in, const struct opcode *o)
{
    enum barrier_kind kind = BARRIER_SYNC;
    low_ref guard, dst = REF_NONE, id, threads = REF_NONE, p = REF_NONE;
    if (!barrier_kind(lo, in, o, &kind) || !low_guard(lo, in, &guard))
        return false;
    bool is_red = kind >= BARRIER_POPC;
    uint32_t n = in->noperands, at = is_red;
    if (n < 1u + 2u * is_red || n > 2u + 2u * is_red || (kind == BARRIER_ARRIVE && n != 2))
        return low_fail(lo, "\"%s\" has too few or too many operands", in->opcode);
    if (is_red) {
        enum reg_class want = kind == BARRIER_POPC ? CLASS_WORD : CLASS_PRED;
        dst = in->operands[0].kind == OPERAND_NAME ? low_register(lo, in->operands[0].name)
                                                   : REF_NONE;
        if (dst == REF_NONE || low_class(lo, dst) != want)
            return low_fail(lo, "\"%s\": wrong destination", in->opcode);
        if (!low_source(lo, &in->operands[n - 1], 'p', false, &p))
            return false;
        n--;
    }
    if (!low_source(lo, &in->operands[at], 'w', false, &id))
        return false;
    if (at + 1 < n && !low_source(lo, &in->operands[at + 1], 'w', false, &threads))
        return false;
    struct low_insn *i = append_end(lo, END_BARRIER, guard);
    i->opclass = OPCLASS_BARRIER;
    i->flags = kind == BARRIER_ARRIVE ? INSN_BAR | INSN_ARRIVE : INSN_BAR;
    i->mod = kind;
    i->dst = dst;
    i->src[0] = id;
    i->src[1] = threads;
    i->src[2] = p;
    return true;
}

/* The names under which the lowering itself asks for handlers are no instructions of PTX. */
static bool is_internal(const char *base)
{
    static const char *const names[] = {"ldframe", "stframe", "copyframe", "pack2",  "pack4",
                                        "unpack2", "unpack4", "widen",     "narrow", "clock"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(base, names[i]) == 0)
            return true;
    return false;
}

/* --- dispatch --------------------------------------------------------------------------------- */

bool low_insn(struct lower *lo, const struct ast_insn *in)
{
    struct split s;
    lo->op = in->opcode;
    if (!split_opcode(lo, in->opcode, &s))
        return false;
    const struct opcode *o = &s.o;
    const char *base = s.copy; /* up to the first dot */
    if (strcmp(base, "mov") == 0)
        return lower_mov(lo, in, o);
    if ((strcmp(base, "ld") == 0 || strcmp(base, "st") == 0) &&
        (has_part(o, "param") || has_part(o, "param::entry") || has_part(o, "param::func")))
        return lower_param(lo, in, o);
    if (strcmp(base, "bra") == 0)
        return lower_branch(lo, in);
    if (strcmp(base, "brx") == 0)
        return lower_table_branch(lo, in, o);
    if (strcmp(base, "ret") == 0)
        return lower_end(lo, in, lo->func == lo->funcs ? END_EXIT : END_RETURN);
    if (strcmp(base, "exit") == 0)
        return lower_end(lo, in, END_EXIT);
    if (strcmp(base, "trap") == 0)
        return lower_end(lo, in, END_TRAP);
    if (strcmp(base, "brkpt") == 0)
        return true;
    if (strcmp(base, "call") == 0)
        return low_call(lo, in);
    if ((strcmp(base, "bar") == 0 || strcmp(base, "barrier") == 0) && !has_part(o, "warp") &&
        !has_part(o, "cluster"))
        return lower_barrier(lo, in, o);
    if (is_internal(base))
        return low_fail(lo, "unknown instruction \"%s\"", in->opcode);
    return by_executor(lo, in, in->opcode);
}
