/* lower.c - a kernel and the functions it calls, from ast.h to code.h. */
#include <string.h>

#include "ptx/lower.h"

uint64_t code_function_handle(const struct ast_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->nfuncs; i++)
        if (m->funcs[i].has_body && !m->funcs[i].is_entry && strcmp(m->funcs[i].name, name) == 0)
            return 0x4ead0000u + 16u * i; /* an address no memory has */
    return 0;
}

/* --- one function ----------------------------------------------------------------------------- */

static bool declare_kernel_params(struct lower *lo, uint32_t *param_bytes)
{
    uint64_t at = 0;
    const struct ast_func *f = lo->func->ast;
    for (uint32_t i = 0; i < f->nparams; i++) {
        const struct ast_var *v = &f->params[i];
        uint64_t align = low_var_align(v);
        struct low_sym *s;
        at = (at + align - 1) / align * align;
        if (!low_declare_space(lo, v, SPACE_PARAM, at, &s))
            return false;
        s->is_kernel_param = true;
        at += low_var_bytes(v);
        if (at > CODE_MAX_PARAM_BYTES)
            return low_fail(lo, "kernel %s has more than %d bytes of parameters", f->name,
                            CODE_MAX_PARAM_BYTES);
    }
    *param_bytes = (uint32_t)at;
    return true;
}

static bool declare_table(struct lower *lo, const struct ast_statement *s)
{
    struct ast_var v = {.name = s->table.name, .space = SPACE_LOCAL, .type = TYPE_B8, .vec = 1};
    struct low_sym *sym;
    if (!low_declare_space(lo, &v, SPACE_LOCAL, 0, &sym))
        return false;
    sym->kind = SYM_TABLE;
    sym->table = &s->table.table;
    return true;
}

static bool lower_statement(struct lower *lo, const struct ast_statement *s)
{
    lo->line = s->line;
    switch (s->kind) {
    case STATEMENT_INSN:
        return low_insn(lo, &s->insn);
    case STATEMENT_VAR:
        return low_declare(lo, &s->var);
    case STATEMENT_OPEN:
        low_open(lo);
        return true;
    case STATEMENT_CLOSE:
        return low_close(lo);
    case STATEMENT_TABLE:
        return true; /* declared before, since branches may precede it */
    case STATEMENT_LABEL:
        *LOW_PUSH(lo, lo->labels, lo->nlabels, lo->label_room) =
            (struct low_label){.name = s->label, .scope = lo->scope, .at = lo->ninsns};
        return true;
    case STATEMENT_LOC:
        lo->loc_file = s->loc.file;
        lo->loc_line = s->loc.line;
        return true;
    }
    return true;
}

static uint32_t name_hash(const char *s, uint32_t scope)
{
    uint32_t h = 2166136261u ^ scope * 0x9e3779b9u;
    for (; *s; s++)
        h = (h ^ (uint8_t)*s) * 16777619u;
    return h;
}

/* Labels of the function by (name, scope): open addressing. */
struct label_index {
    const struct low_label **slot;
    uint32_t mask;
};

static bool index_labels(struct lower *lo, struct label_index *x)
{
    uint32_t size = 16;
    while (size < lo->nlabels * 2)
        size *= 2;
    x->mask = size - 1;
    x->slot = ARENA_ARRAY(lo->arena, const struct low_label *, size);
    for (uint32_t i = 0; i < lo->nlabels; i++) {
        const struct low_label *l = &lo->labels[i];
        uint32_t at = name_hash(l->name, l->scope) & x->mask;
        for (; x->slot[at]; at = (at + 1) & x->mask)
            if (x->slot[at]->scope == l->scope && strcmp(x->slot[at]->name, l->name) == 0)
                return low_fail(lo, "label %s is there twice", l->name);
        x->slot[at] = l;
    }
    return true;
}

static bool find_label(struct lower *lo, const struct label_index *x, const char *name,
                       uint32_t scope, uint32_t *at)
{
    for (;; scope = lo->scope_parent[scope]) {
        for (uint32_t h = name_hash(name, scope) & x->mask; x->slot[h]; h = (h + 1) & x->mask)
            if (x->slot[h]->scope == scope && strcmp(x->slot[h]->name, name) == 0) {
                *at = x->slot[h]->at;
                return true;
            }
        if (scope == 0)
            return low_fail(lo, "label %s is not there", name);
    }
}

static bool resolve_labels(struct lower *lo, uint32_t first_table)
{
    struct label_index x;
    if (!index_labels(lo, &x))
        return false;
    for (uint32_t i = lo->func->first; i < lo->ninsns; i++) {
        struct low_insn *n = &lo->insns[i];
        lo->line = n->line;
        if (n->end == END_BRANCH &&
            !find_label(lo, &x, n->target_name, n->target_scope, &n->target))
            return false;
    }
    for (uint32_t t = first_table; t < lo->ntables; t++)
        if (!find_label(lo, &x, lo->tables[t].name, lo->tables[t].scope, &lo->tables[t].at))
            return false;
    return true;
}

/* Running off the end of a function returns from it. */
static void close_function(struct lower *lo)
{
    struct low_func *f = lo->func;
    bool has_label_at_end = lo->nlabels && lo->labels[lo->nlabels - 1].at == lo->ninsns;
    const struct low_insn *last = lo->ninsns > f->first ? &lo->insns[lo->ninsns - 1] : NULL;
    bool is_closed = last && last->guard == REF_NONE && !has_label_at_end &&
                     (last->end == END_BRANCH || last->end == END_TABLE || last->end == END_EXIT ||
                      last->end == END_RETURN || last->end == END_TRAP);
    if (is_closed)
        return;
    struct low_insn *n = low_append(lo);
    n->end = f == lo->funcs ? END_EXIT : END_RETURN;
    n->unit = UNIT_CONTROL;
    n->opclass = OPCLASS_BRANCH;
    n->flags = n->end == END_EXIT ? INSN_EXIT : 0;
}

/* Tables stand behind the branches that use them: declare those of each scope when it opens. */
static bool declare_tables(struct lower *lo, const struct ast_func *f, uint32_t from)
{
    uint32_t depth = 0;
    for (uint32_t i = from; i < f->nbody; i++) {
        const struct ast_statement *s = &f->body[i];
        lo->line = s->line;
        if (s->kind == STATEMENT_OPEN)
            depth++;
        else if (s->kind == STATEMENT_CLOSE && depth-- == 0)
            break;
        else if (s->kind == STATEMENT_TABLE && depth == 0 && !declare_table(lo, s))
            return false;
    }
    return true;
}

static bool lower_function(struct lower *lo, uint32_t index, uint32_t *param_bytes)
{
    lo->func = &lo->funcs[index];
    const struct ast_func *ast = lo->func->ast;
    memset(lo->sym, 0, sizeof lo->sym);
    lo->nscoped = lo->nscopes = lo->nlabels = lo->scope = 0;
    lo->line = ast->line;
    lo->loc_file = lo->loc_line = 0;
    low_open(lo); /* scope 0 */
    lo->func->first = lo->ninsns;
    lo->func->first_vreg = lo->nvregs;
    uint32_t first_table = lo->ntables;
    if (!(index == 0 ? declare_kernel_params(lo, param_bytes) : low_call_enter(lo)))
        return false;
    if (!declare_tables(lo, ast, 0))
        return false;
    for (uint32_t i = 0; i < ast->nbody; i++) {
        if (!lower_statement(lo, &ast->body[i]))
            return false;
        if (ast->body[i].kind == STATEMENT_OPEN && !declare_tables(lo, ast, i + 1))
            return false;
    }
    close_function(lo);
    lo->func = &lo->funcs[index];
    lo->func->end = lo->ninsns;
    lo->func->end_vreg = lo->nvregs;
    return resolve_labels(lo, first_table);
}

/* --- assembling the code ---------------------------------------------------------------------- */

struct assembly {
    struct lower *lo;
    struct code *code;
    struct insn *insns;
    struct stream_insn *stream;
    uint16_t *extra;
    const uint16_t *unit_of;
};

static uint16_t place_of(const struct assembly *as, low_ref r)
{
    if (r == REF_NONE)
        return NO_OPERAND;
    if (r & REF_CONST)
        return as->lo->consts[r & REF_INDEX].c.unit;
    uint32_t v = r & REF_INDEX;
    uint16_t p = v < VREG_FIRST ? (uint16_t)v : as->unit_of[v];
    return r & REF_NOT ? (uint16_t)(p | PRED_NOT) : p;
}

static void assemble_insn(struct assembly *as, uint32_t i, uint32_t *nextra)
{
    const struct low_insn *n = &as->lo->insns[i];
    struct insn *out = &as->insns[i];
    *out = (struct insn){.fn = n->fn,
                         .imm = n->imm,
                         .dst = place_of(as, n->dst),
                         .dst2 = place_of(as, n->dst2),
                         .guard = place_of(as, n->guard),
                         .nextra = n->nextra,
                         .extra = *nextra,
                         .mod = n->mod,
                         .line = n->line,
                         .id = i,
                         .list = as->extra + *nextra};
    for (int k = 0; k < 4; k++)
        out->src[k] = place_of(as, n->src[k]);
    for (uint32_t k = 0; k < n->nextra; k++)
        as->extra[(*nextra)++] = place_of(as, n->extra[k]);
}

static bool place_consts(struct lower *lo, struct code *c)
{
    struct code_const *out = ARENA_ARRAY(lo->arena, struct code_const, lo->nconsts + 1);
    uint32_t at = (c->reg_units + 1) & ~1u;
    uint32_t dynamic = (lo->shared_bytes + 15) / 16 * 16;
    for (uint32_t i = 0; i < lo->nconsts; i++) {
        struct code_const *k = &lo->consts[i].c;
        if (k->kind == CONST_DYNAMIC_BASE) {
            k->kind = CONST_BITS;
            k->bits += dynamic;
        }
        if (at > NO_OPERAND - 4)
            return low_fail(lo, "kernel %s has too many different constants", c->name);
        k->unit = (uint16_t)at;
        at += k->is_wide ? 2 : 1;
        out[i] = *k;
    }
    c->consts = out;
    c->nconsts = lo->nconsts;
    c->units = at;
    return true;
}

static void assemble_blocks(struct lower *lo, struct code *c)
{
    struct stream_block *sb = ARENA_ARRAY(lo->arena, struct stream_block, lo->nblocks);
    for (uint32_t i = 0; i < lo->nblocks; i++) {
        struct block *b = &lo->blocks[i];
        sb[i] = (struct stream_block){.first = b->first, .count = b->count};
        if (b->end == END_CALL && b->target != UINT32_MAX)
            b->target = lo->funcs[b->target].first_block;
    }
    uint32_t *tables = ARENA_ARRAY(lo->arena, uint32_t, lo->ntables + 1);
    for (uint32_t t = 0; t < lo->ntables; t++)
        tables[t] = lo->tables[t].at;
    c->blocks = lo->blocks;
    c->nblocks = lo->nblocks;
    c->stream_blocks = sb;
    c->tables = tables;
}

static void assemble_calls(struct lower *lo, struct code *c)
{
    uint32_t *blocks = ARENA_ARRAY(lo->arena, uint32_t, lo->nfuncs);
    uint64_t *handles = ARENA_ARRAY(lo->arena, uint64_t, lo->nfuncs);
    for (uint32_t i = 1; i < lo->nfuncs; i++) {
        if (!lo->funcs[i].is_address_taken)
            continue;
        blocks[c->ncalls] = lo->funcs[i].first_block;
        handles[c->ncalls++] = code_function_handle(lo->module, lo->funcs[i].ast->name);
    }
    c->call_blocks = blocks;
    c->call_handles = handles;
}

static void assemble_instructions(struct assembly *as)
{
    struct lower *lo = as->lo;
    uint32_t total = 0, nextra = 0;
    for (uint32_t i = 0; i < lo->ninsns; i++)
        total += lo->insns[i].nextra;
    as->insns = ARENA_ARRAY(lo->arena, struct insn, lo->ninsns);
    as->stream = ARENA_ARRAY(lo->arena, struct stream_insn, lo->ninsns);
    as->extra = ARENA_ARRAY(lo->arena, uint16_t, total + 1);
    uint32_t *file = ARENA_ARRAY(lo->arena, uint32_t, lo->ninsns);
    uint32_t *line = ARENA_ARRAY(lo->arena, uint32_t, lo->ninsns);
    for (uint32_t i = 0; i < lo->ninsns; i++) {
        assemble_insn(as, i, &nextra);
        low_stream_insn(lo, as->unit_of, &lo->insns[i], &as->stream[i]);
        file[i] = lo->insns[i].loc_file;
        line[i] = lo->insns[i].loc_line;
    }
    as->code->insns = as->insns;
    as->code->ninsns = lo->ninsns;
    as->code->stream_insns = as->stream;
    as->code->extra = as->extra;
    as->code->loc_file = file;
    as->code->loc_line = line;
}

/* With one for the stack pointer.  Not rounded: in which steps registers are handed out is the
 * machine's business.  What does not fit, or is not wanted, would be spilled. */
static uint32_t hardware_registers(const struct low_func *kernel)
{
    uint32_t n = kernel->need + 1, most = STREAM_MAX_REGISTERS;
    if (kernel->ast->maxnreg && kernel->ast->maxnreg < most)
        most = kernel->ast->maxnreg;
    return n < most ? n : most;
}

static struct code *assemble(struct lower *lo, uint32_t param_bytes, uint16_t *unit_of)
{
    struct code *c = ARENA_NEW(lo->arena, struct code);
    const struct ast_func *f = lo->funcs[0].ast;
    c->name = f->name;
    c->module = lo->module->name;
    c->ast = lo->module;
    c->param_bytes = param_bytes;
    c->local_bytes = (lo->local_bytes + 15) / 16 * 16;
    c->frame_bytes = (lo->frame_bytes + 15) / 16 * 16;
    c->shared_bytes = lo->shared_bytes;
    c->depth = lo->funcs[0].depth;
    memcpy(c->reqntid, f->reqntid, sizeof c->reqntid);
    memcpy(c->maxntid, f->maxntid, sizeof c->maxntid);
    lo->line = f->line;
    if (!regs_allocate(lo, &c->reg_units, &c->npreds, unit_of) || !place_consts(lo, c))
        return NULL;
    c->regs_per_thread = hardware_registers(&lo->funcs[0]);
    struct assembly as = {.lo = lo, .code = c, .unit_of = unit_of};
    assemble_instructions(&as);
    assemble_blocks(lo, c);
    assemble_calls(lo, c);
    code_assemble(lo, c);
    return c;
}

enum { MAX_FUNCTIONS = 4096, MAX_INSNS = 1 << 22 };

struct code *code_lower(struct arena *a, const struct ast_module *m, const char *name,
                        const struct op_set *ops, const struct code_symbols *symbols, struct err *e)
{
    struct lower *lo = ARENA_NEW(a, struct lower);
    lo->arena = a;
    lo->module = m;
    lo->ops = ops;
    lo->symbols = symbols;
    lo->e = e;
    low_vreg(lo, CLASS_PRED); /* VREG_FALSE */
    low_vreg(lo, CLASS_PRED); /* VREG_TRUE */
    const struct ast_func *f = low_declaration(lo, name);
    if (!f || !f->is_entry || !f->has_body) {
        err_set(e, STATUS_BAD_INPUT, "%s: no kernel \"%s\"", m->name, name);
        return NULL;
    }
    *LOW_PUSH(lo, lo->funcs, lo->nfuncs, lo->func_room) = (struct low_func){.ast = f};
    low_call_targets(lo);
    uint32_t param_bytes = 0;
    for (uint32_t i = 0; i < lo->nfuncs; i++) { /* callees join the list as they are named */
        if (!lower_function(lo, i, &param_bytes))
            return NULL;
        if (lo->nfuncs > MAX_FUNCTIONS || lo->ninsns > MAX_INSNS) {
            low_fail(lo, "kernel %s is too large", name);
            return NULL;
        }
    }
    uint16_t *unit_of = ARENA_ARRAY(a, uint16_t, lo->nvregs);
    if (!low_call_order(lo) || !cfg_build(lo))
        return NULL;
    return assemble(lo, param_bytes, unit_of);
}
