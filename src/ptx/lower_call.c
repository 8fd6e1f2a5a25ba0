/* lower_call.c - calls.
 *
 * A function's parameters and results have a place in the frame area of each thread, so there can
 * be no recursion; functions whose address is taken share one such place, because an indirect
 * call does not know which of them it reaches.  The caller's .param variables are copied there
 * before the call and back after it. */
#include <stdio.h>
#include <string.h>

#include "ptx/lower.h"

/* Copies `bytes` of the frame area, for the lanes of the guard. */
static bool copy_frame(struct lower *lo, low_ref guard, uint64_t to, uint64_t from, uint64_t bytes)
{
    if (bytes == 0)
        return true;
    struct opcode o = {.text = "copyframe", .part = {"copyframe"}, .nparts = 1, .where = ""};
    struct op_desc d = {0};
    if (!lo->ops->find(&o, &d, lo->e))
        return false;
    struct low_insn *n = low_append(lo);
    n->fn = d.fn;
    n->unit = d.unit;
    n->guard = guard;
    n->imm = to << 32 | from;
    n->mod = (uint32_t)bytes;
    return true;
}

enum { MAX_FRAME = 1 << 19 }; /* per thread, as much as local memory */

/* Places for the parameters (or results) of a function, one after another. */
static uint32_t *place_list(struct lower *lo, const struct ast_var *v, uint32_t n, uint32_t *area)
{
    uint32_t *at = ARENA_ARRAY(lo->arena, uint32_t, n ? n : 1);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t align = v[i].space == SPACE_REG ? 8 : low_var_align(&v[i]);
        uint64_t bytes = v[i].space == SPACE_REG ? 8 : low_var_bytes(&v[i]);
        uint64_t start = (*area + align - 1) / align * align;
        if (bytes > MAX_FRAME || start + bytes > MAX_FRAME) {
            low_fail(lo, "parameter %s is too large", v[i].name);
            return NULL;
        }
        at[i] = (uint32_t)start;
        *area = (uint32_t)(start + bytes);
    }
    return at;
}

enum { INDIRECT_BYTES = 4096 };

/* The place shared by all functions that are called by address. */
static bool place_indirect(struct lower *lo, const struct ast_var *params, uint32_t nparams,
                           const struct ast_var *results, uint32_t nresults, uint32_t **param_at,
                           uint32_t **result_at)
{
    if (!lo->has_indirect) {
        lo->has_indirect = true;
        lo->indirect_args = (lo->frame_bytes + 15) / 16 * 16;
        lo->indirect_results = lo->indirect_args + INDIRECT_BYTES;
        lo->frame_bytes = lo->indirect_results + INDIRECT_BYTES;
    }
    uint32_t args = lo->indirect_args, res = lo->indirect_results;
    *param_at = place_list(lo, params, nparams, &args);
    *result_at = place_list(lo, results, nresults, &res);
    if (!*param_at || !*result_at)
        return false;
    if (args > lo->indirect_results || res > lo->indirect_results + INDIRECT_BYTES)
        return low_fail(lo, "an indirect call with more than %d bytes of parameters",
                        INDIRECT_BYTES);
    return true;
}

/* Where function `f` expects its parameters. */
static bool place_function(struct lower *lo, struct low_func *f)
{
    if (f->param_at)
        return true;
    if (f->is_address_taken)
        return place_indirect(lo, f->ast->params, f->ast->nparams, f->ast->results,
                              f->ast->nresults, &f->param_at, &f->result_at);
    f->param_at = place_list(lo, f->ast->params, f->ast->nparams, &lo->frame_bytes);
    f->result_at = place_list(lo, f->ast->results, f->ast->nresults, &lo->frame_bytes);
    return f->param_at && f->result_at;
}

/* Functions whose address is taken anywhere in the module: operands of other instructions than
 * calls, and initialisers. */
static bool is_named_in(const struct ast_func *f, const char *name)
{
    for (uint32_t i = 0; i < f->nbody; i++) {
        const struct ast_insn *in = &f->body[i].insn;
        if (f->body[i].kind != STATEMENT_INSN || strncmp(in->opcode, "call", 4) == 0)
            continue;
        for (uint32_t j = 0; j < in->noperands; j++)
            if (in->operands[j].name && strcmp(in->operands[j].name, name) == 0)
                return true;
    }
    return false;
}

static bool is_address_taken(const struct ast_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->nvars; i++)
        for (uint32_t j = 0; j < m->vars[i].ninit; j++)
            if (m->vars[i].init[j].symbol && strcmp(m->vars[i].init[j].symbol, name) == 0)
                return true;
    for (uint32_t i = 0; i < m->nfuncs; i++)
        if (is_named_in(&m->funcs[i], name))
            return true;
    return false;
}

static bool has_prototype(const struct ast_module *m)
{
    for (uint32_t i = 0; i < m->nfuncs; i++)
        for (uint32_t j = 0; j < m->funcs[i].nbody; j++)
            if (m->funcs[i].body[j].kind == STATEMENT_TABLE &&
                m->funcs[i].body[j].table.table.is_prototype)
                return true;
    return false;
}

void low_call_targets(struct lower *lo)
{
    if (!has_prototype(lo->module))
        return;
    for (uint32_t i = 0; i < lo->module->nfuncs; i++) {
        const struct ast_func *f = &lo->module->funcs[i];
        if (f->is_entry || !f->has_body || !is_address_taken(lo->module, f->name))
            continue;
        uint32_t number = low_function(lo, f->name);
        lo->funcs[number].is_address_taken = true;
    }
}

/* A register or literal, stored to its place in the frame or loaded from there. */
static bool through_frame(struct lower *lo, low_ref guard, const struct ast_operand *o,
                          const struct ast_var *formal, uint32_t at, bool is_load)
{
    uint64_t bytes = low_var_bytes(formal);
    if (formal->type == TYPE_PRED || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
        return low_fail(lo, "parameter %s cannot be passed in a register", formal->name);
    struct ast_operand address = {.kind = OPERAND_ADDR, .bits = at};
    struct ast_operand both[2] = {is_load ? *o : address, is_load ? address : *o};
    struct ast_insn made = {.opcode = "call", .operands = both, .noperands = 2};
    const char *part = is_load ? "ldframe" : "stframe";
    char type[8];
    snprintf(type, sizeof type, "b%u", 8 * (unsigned)bytes);
    struct opcode oc = {.text = part, .where = "", .part = {part, type}, .nparts = 2};
    struct op_desc d = {.vec = 1, .elem = 'w'};
    if (!lo->ops->find(&oc, &d, lo->e) || !low_bind(lo, &made, &d))
        return false;
    lo->insns[lo->ninsns - 1].guard = guard;
    return true;
}

bool low_call_enter(struct lower *lo)
{
    struct low_func *f = lo->func;
    if (!place_function(lo, f))
        return false;
    for (uint32_t i = 0; i < f->ast->nparams; i++) {
        const struct ast_var *v = &f->ast->params[i];
        if (v->space != SPACE_REG) {
            if (!low_declare_space(lo, v, SPACE_PARAM, f->param_at[i], NULL))
                return false;
            continue;
        }
        struct ast_operand name = {.kind = OPERAND_NAME, .name = v->name};
        if (!low_declare(lo, v) || !through_frame(lo, REF_NONE, &name, v, f->param_at[i], true))
            return false;
    }
    for (uint32_t i = 0; i < f->ast->nresults; i++)
        if (f->ast->results[i].space == SPACE_REG
                ? low_fail(lo, "function %s: a result in a register is not supported", f->ast->name)
                : !low_declare_space(lo, &f->ast->results[i], SPACE_PARAM, f->result_at[i], NULL))
            return false;
    return true;
}

/* One argument or result: a .param variable of the caller, a register or a literal. */
static bool transfer(struct lower *lo, low_ref guard, const struct ast_operand *o,
                     const struct ast_var *formal, uint32_t at, bool is_result)
{
    uint64_t bytes = low_var_bytes(formal);
    const struct low_sym *s = o->kind == OPERAND_NAME ? low_find(lo, o->name) : NULL;
    if (s && s->kind == SYM_SPACE && s->space == SPACE_PARAM && !s->is_kernel_param) {
        if (s->bytes != bytes)
            return low_fail(lo, "%s has %llu bytes, the function's parameter %llu", o->name,
                            (unsigned long long)s->bytes, (unsigned long long)bytes);
        return is_result ? copy_frame(lo, guard, s->address, at, bytes)
                         : copy_frame(lo, guard, at, s->address, bytes);
    }
    if (o->kind == OPERAND_SINK && is_result)
        return true;
    if (is_result && (o->kind != OPERAND_NAME || low_register(lo, o->name) == REF_NONE))
        return low_fail(lo, "the result of a call goes to a parameter variable or a register");
    return through_frame(lo, guard, o, formal, at, is_result);
}

struct callee {
    const struct ast_var *params, *results;
    uint32_t nparams, nresults;
    const uint32_t *param_at, *result_at;
};

static bool transfer_all(struct lower *lo, low_ref guard, const struct ast_operand *list,
                         const struct callee *c, bool is_result)
{
    uint32_t n = is_result ? c->nresults : c->nparams, given = list ? list->nitems : 0;
    if (given != n)
        return low_fail(lo, "the call gives %u %s, the function has %u", given,
                        is_result ? "results" : "parameters", n);
    for (uint32_t i = 0; i < n; i++)
        if (!transfer(lo, guard, &list->items[i], is_result ? &c->results[i] : &c->params[i],
                      is_result ? c->result_at[i] : c->param_at[i], is_result))
            return false;
    return true;
}

/* What the device runtime provides: printf, and the end of a failed assertion. */
static bool call_runtime(struct lower *lo, const char *name, low_ref guard,
                         const struct ast_operand *args, const struct ast_operand *results)
{
    const struct ast_func *f = low_declaration(lo, name);
    bool is_print = strcmp(name, "vprintf") == 0;
    if (!f)
        return low_fail(lo, "call of %s, which is not declared", name);
    if (!is_print && strcmp(name, "__assertfail") != 0)
        return low_fail(lo, "call of %s, which has no body here", name);
    bool is_known = f->nparams >= 1u + is_print && low_var_bytes(&f->params[0]) == 8 &&
                    (!is_print || low_var_bytes(&f->params[1]) == 8) &&
                    (f->nresults == 0 || low_var_bytes(&f->results[0]) == 4);
    if (!is_known)
        return low_fail(lo, "%s is declared with other parameters than it has", name);
    struct low_func made = {.ast = f};
    if (!place_function(lo, &made))
        return false;
    struct callee c = {f->params,   f->results,    f->nparams,
                       f->nresults, made.param_at, made.result_at};
    if (!transfer_all(lo, guard, args, &c, false))
        return false;
    struct opcode o = {.text = name, .part = {name}, .nparts = 1, .where = ""};
    struct op_desc d = {0};
    if (!lo->ops->find(&o, &d, lo->e))
        return false;
    struct low_insn *n = low_append(lo);
    n->fn = d.fn;
    n->unit = d.unit;
    n->guard = guard;
    n->imm = (uint64_t)(f->nparams ? made.param_at[0] : 0) << 32 |
             (f->nparams > 1 ? made.param_at[1] : 0);
    n->mod = f->nresults ? made.result_at[0] : UINT32_MAX;
    return transfer_all(lo, guard, results, &c, true);
}

static void add_callee(struct lower *lo, uint32_t callee)
{
    struct low_func *f = lo->func;
    *LOW_PUSH(lo, f->callees, f->ncallees, f->callee_room) = callee;
}

static bool append_call(struct lower *lo, low_ref guard, uint32_t function, low_ref pointer)
{
    struct low_insn *n = low_append(lo);
    n->end = END_CALL;
    n->guard = guard;
    n->unit = UNIT_CONTROL;
    n->opclass = OPCLASS_BRANCH;
    n->target = function;
    n->src[0] = pointer;
    return true;
}

static bool call_indirect(struct lower *lo, low_ref guard, const struct ast_operand *pointer,
                          const struct ast_operand *args, const struct ast_operand *results,
                          const struct ast_operand *prototype)
{
    low_ref p;
    if (!low_source(lo, pointer, 'd', false, &p))
        return false;
    const struct low_sym *s =
        prototype && prototype->kind == OPERAND_NAME ? low_find(lo, prototype->name) : NULL;
    if (!s || s->kind != SYM_TABLE || !s->table->is_prototype)
        return low_fail(lo, "an indirect call needs a .callprototype");
    const struct ast_table *t = s->table;
    uint32_t *param_at, *result_at;
    if (!place_indirect(lo, t->params, t->nparams, t->results, t->nresults, &param_at, &result_at))
        return false;
    struct callee c = {t->params, t->results, t->nparams, t->nresults, param_at, result_at};
    lo->func->calls_indirectly = true;
    return transfer_all(lo, guard, args, &c, false) && append_call(lo, guard, UINT32_MAX, p) &&
           transfer_all(lo, guard, results, &c, true);
}

/* call (results), target, (arguments), prototype;  everything but the target may be absent. */
bool low_call(struct lower *lo, const struct ast_insn *in)
{
    low_ref guard;
    if (!low_guard(lo, in, &guard))
        return false;
    const struct ast_operand *o = in->operands, *results = NULL, *args = NULL, *prototype = NULL;
    uint32_t n = in->noperands, at = 0;
    if (at < n && o[at].kind == OPERAND_LIST)
        results = &o[at++];
    if (at >= n || o[at].kind != OPERAND_NAME)
        return low_fail(lo, "call: expected a function");
    const struct ast_operand *target = &o[at++];
    if (at < n && o[at].kind == OPERAND_LIST)
        args = &o[at++];
    if (at < n)
        prototype = &o[at++];
    if (at != n)
        return low_fail(lo, "call: too many operands");
    if (low_register(lo, target->name) != REF_NONE)
        return call_indirect(lo, guard, target, args, results, prototype);
    uint32_t f = low_function(lo, target->name);
    if (f == UINT32_MAX)
        return call_runtime(lo, target->name, guard, args, results);
    if (!place_function(lo, &lo->funcs[f]))
        return false;
    const struct ast_func *ast = lo->funcs[f].ast;
    struct callee c = {ast->params,   ast->results,          ast->nparams,
                       ast->nresults, lo->funcs[f].param_at, lo->funcs[f].result_at};
    add_callee(lo, f);
    return transfer_all(lo, guard, args, &c, false) && append_call(lo, guard, f, REF_NONE) &&
           transfer_all(lo, guard, results, &c, true);
}

/* --- order of calls --------------------------------------------------------------------------- */

enum { MARK_NEW, MARK_OPEN, MARK_DONE };

static bool visit(struct lower *lo, uint32_t index)
{
    struct low_func *f = &lo->funcs[index];
    if (f->mark == MARK_DONE)
        return true;
    lo->line = f->ast->line;
    if (f->mark == MARK_OPEN)
        return low_fail(lo,
                        "function %s calls itself, directly or through others: recursion is "
                        "not supported",
                        f->ast->name);
    f->mark = MARK_OPEN;
    f->depth = 1;
    for (uint32_t i = 0; i < f->ncallees; i++) {
        if (!visit(lo, f->callees[i]))
            return false;
        uint32_t depth = lo->funcs[f->callees[i]].depth + 1;
        if (depth > f->depth)
            f->depth = depth;
    }
    f->mark = MARK_DONE;
    return true;
}

bool low_call_order(struct lower *lo)
{
    for (uint32_t i = 0; i < lo->nfuncs; i++) {
        lo->func = &lo->funcs[i];
        for (uint32_t j = 0; lo->funcs[i].calls_indirectly && j < lo->nfuncs; j++)
            if (lo->funcs[j].is_address_taken)
                add_callee(lo, j);
    }
    return visit(lo, 0);
}
