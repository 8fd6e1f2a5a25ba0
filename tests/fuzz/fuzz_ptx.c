/* fuzz_ptx.c - bytes as a PTX module.
 *
 * Besides not crashing, what parses must parse again to a tree of the same size, and every string
 * and array in the tree must be readable; what does not must leave one line of text that begins
 * with the name of the file, and status 2. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/parse.h"

static void check(bool ok)
{
    if (!ok)
        abort();
}

static size_t text_size(const char *s)
{
    return s ? strlen(s) : 0;
}

static size_t vars_size(const struct ast_var *v, uint32_t n)
{
    size_t sum = n;
    for (uint32_t i = 0; i < n; i++) {
        check(v[i].name && v[i].type != TYPE_NONE && v[i].range <= 1 << 20);
        check(v[i].ninit <= v[i].count * v[i].vec);
        sum += text_size(v[i].name) + v[i].count + v[i].ninit;
        for (uint32_t k = 0; k < v[i].ninit; k++)
            sum += v[i].init[k].bits + text_size(v[i].init[k].symbol);
    }
    return sum;
}

/* Operands nest three deep at most: [name, {item}]. */
static size_t operands_size(const struct ast_operand *o, uint32_t n, int depth)
{
    check(depth <= 3 || n == 0);
    size_t sum = n;
    for (uint32_t i = 0; i < n; i++)
        sum += text_size(o[i].name) + o[i].bits + operands_size(o[i].items, o[i].nitems, depth + 1);
    return sum;
}

static size_t table_size(const struct ast_table *t)
{
    size_t sum = vars_size(t->params, t->nparams) + vars_size(t->results, t->nresults);
    for (uint32_t i = 0; i < t->nnames; i++)
        sum += text_size(t->names[i]);
    return sum;
}

static size_t statement_size(const struct ast_statement *s)
{
    switch (s->kind) {
    case STATEMENT_INSN:
        return text_size(s->insn.guard) + text_size(s->insn.opcode) +
               operands_size(s->insn.operands, s->insn.noperands, 1);
    case STATEMENT_LABEL:
        return text_size(s->label);
    case STATEMENT_VAR:
        return vars_size(&s->var, 1);
    case STATEMENT_TABLE:
        return text_size(s->table.name) + table_size(&s->table.table);
    default:
        return 1;
    }
}

static size_t function_size(const struct ast_func *f)
{
    size_t sum = text_size(f->name) + vars_size(f->params, f->nparams);
    sum += vars_size(f->results, f->nresults);
    int depth = 0;
    for (uint32_t i = 0; i < f->nbody; i++) {
        sum += statement_size(&f->body[i]);
        depth += (f->body[i].kind == STATEMENT_OPEN) - (f->body[i].kind == STATEMENT_CLOSE);
        check(depth >= 0);
    }
    check(depth == 0);
    return sum;
}

static size_t module_size(const struct ast_module *m)
{
    size_t sum = vars_size(m->vars, m->nvars) + text_size(m->target);
    for (uint32_t i = 0; i < m->nfuncs; i++)
        sum += function_size(&m->funcs[i]);
    for (uint32_t i = 0; i < m->nfiles; i++)
        sum += text_size(m->files[i].path);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct err e = {0}, again = {0};
    const struct ast_module *m = parse_ptx(a, "fuzz.ptx", (const char *)data, size, &e);
    const struct ast_module *n = parse_ptx(a, "fuzz.ptx", (const char *)data, size, &again);
    check(!m == !n && strcmp(e.text, again.text) == 0);
    if (m) {
        check(e.status == STATUS_DONE && module_size(m) == module_size(n));
    } else {
        check(e.status == STATUS_BAD_INPUT && strncmp(e.text, "fuzz.ptx:", 9) == 0);
        check(!strchr(e.text, '\n'));
    }
    arena_free(a);
    return 0;
}
