/* module.c - a loaded PTX module: its variables in device memory, its kernels lowered when they
 * are first asked for, so that one kernel that heddle cannot execute does not spoil the others. */
#include <string.h>

#include "base/str.h"
#include "host/host_priv.h"
#include "ptx/parse.h"
#include "simt/simt.h"

/* --- variables -------------------------------------------------------------------------------- */

static const struct host_symbol *find_symbol(const struct host_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->nsymbols; i++)
        if (strcmp(m->symbols[i].var->name, name) == 0)
            return &m->symbols[i];
    return NULL;
}

static uint64_t symbol_address(void *context, const char *name)
{
    const struct host_symbol *s = find_symbol(context, name);
    return s ? s->address : 0;
}

static uint64_t float_as(const struct ast_var *v, const struct ast_init *in)
{
    uint32_t bytes = ast_type_bytes(v->type);
    if (in->kind == INIT_F64 && bytes == 4)
        return ast_f64_as_f32(in->bits);
    if (in->kind == INIT_F32 && bytes == 8)
        return ast_f32_as_f64(in->bits);
    return in->bits;
}

/* A function whose body is elsewhere: its address is 0 here, and calling it is a fault. */
static bool is_declared(const struct ast_module *m, const char *function)
{
    for (uint32_t i = 0; i < m->nfuncs; i++)
        if (!m->funcs[i].is_entry && strcmp(m->funcs[i].name, function) == 0)
            return true;
    return false;
}

static bool init_value(const struct host_module *m, const struct ast_var *v,
                       const struct ast_init *in, uint64_t *bits, struct err *e)
{
    if (in->kind != INIT_SYMBOL) {
        *bits = float_as(v, in);
        return true;
    }
    const struct host_symbol *s = find_symbol(m, in->symbol);
    uint64_t address = s ? s->address : code_function_handle(m->ast, in->symbol);
    if (!address && is_declared(m->ast, in->symbol)) { /* as in a table of virtual functions */
        *bits = 0;
        return true;
    }
    if (!address)
        return err_set(e, STATUS_BAD_INPUT,
                       "%s:%u: %s is initialised with %s, which is not defined", m->ast->name,
                       v->line, v->name, in->symbol);
    *bits = (address + in->bits) >> in->mask_shift;
    return true;
}

static bool init_variable(const struct host_module *m, const struct host_symbol *s, struct err *e)
{
    const struct ast_var *v = s->var;
    uint32_t bytes = ast_type_bytes(v->type);
    if ((uint64_t)v->ninit * bytes > s->bytes)
        return err_set(e, STATUS_BAD_INPUT, "%s:%u: %s has more initial values than elements",
                       m->ast->name, v->line, v->name);
    uint8_t *image = devmem_host(m->host->mem) + s->address;
    for (uint32_t i = 0; i < v->ninit; i++) {
        uint64_t bits;
        if (!init_value(m, v, &v->init[i], &bits, e))
            return false;
        memcpy(image + (size_t)i * bytes, &bits, bytes < 8 ? bytes : 8);
    }
    return true;
}

enum { MAX_CONST = 65536 };

static bool place_variables(struct host_module *m, struct err *e)
{
    m->symbols = ARENA_ARRAY(m->arena, struct host_symbol, m->ast->nvars + 1);
    uint64_t constants = 0;
    for (uint32_t i = 0; i < m->ast->nvars; i++) {
        const struct ast_var *v = &m->ast->vars[i];
        bool is_ours = (v->space == SPACE_GLOBAL || v->space == SPACE_CONST) && !v->is_extern;
        if (!is_ours)
            continue;
        uint64_t bytes = v->count * v->vec * ast_type_bytes(v->type);
        constants += v->space == SPACE_CONST ? bytes : 0;
        if (constants > MAX_CONST)
            return err_set(e, STATUS_BAD_INPUT, "%s:%u: more than %d bytes of constants",
                           m->ast->name, v->line, MAX_CONST);
        uint64_t address = devmem_alloc(m->host->mem, bytes, e);
        if (!address)
            return false;
        m->symbols[m->nsymbols++] = (struct host_symbol){v, address, bytes};
    }
    for (uint32_t i = 0; i < m->nsymbols; i++)
        if (!init_variable(m, &m->symbols[i], e))
            return false;
    return true;
}

struct host_module *host_module_load(struct host *h, const char *name, const char *text,
                                     size_t length, struct err *e)
{
    struct arena *a = arena_new();
    struct host_module *m = ARENA_NEW(a, struct host_module);
    m->arena = a;
    m->host = h;
    m->ast = parse_ptx(a, arena_strdup(a, name), text, length, e);
    if (m->ast)
        m->registers = arena_alloc(a, (m->ast->nfuncs + 1) * sizeof *m->registers);
    if (!m->ast || !place_variables(m, e)) {
        host_module_free(m);
        return NULL;
    }
    m->next = h->modules;
    h->modules = m;
    return m;
}

void host_module_free(struct host_module *m)
{
    struct err ignored = {0};
    for (uint32_t i = 0; i < m->nsymbols; i++)
        devmem_release(m->host->mem, m->symbols[i].address, &ignored);
    arena_free(m->arena);
}

bool host_module_symbol(const struct host_module *m, const char *name, uint64_t *address,
                        uint64_t *bytes, struct err *e)
{
    const struct host_symbol *s = find_symbol(m, name);
    if (!s)
        return err_set(e, STATUS_BAD_INPUT, "%s: no variable \"%s\"", m->ast->name, name);
    *address = s->address;
    if (bytes)
        *bytes = s->bytes;
    return true;
}

/* --- kernels ---------------------------------------------------------------------------------- */

static const struct ast_func *find_kernel(const struct host_module *m, const char *name,
                                          struct err *e)
{
    const struct ast_func *found = NULL;
    struct str_hint hint = str_hint(name);
    for (uint32_t i = 0; i < m->ast->nfuncs; i++) {
        const struct ast_func *f = &m->ast->funcs[i];
        if (!f->is_entry || !f->has_body)
            continue;
        if (strcmp(f->name, name) == 0)
            return f;
        str_hint_offer(&hint, f->name);
        if (!str_names_kernel(name, (int)strlen(name), f->name))
            continue;
        if (found) {
            err_set(e, STATUS_BAD_INPUT, "%s: kernel \"%s\" is ambiguous: %s or %s", m->ast->name,
                    name, found->name, f->name);
            return NULL;
        }
        found = f;
    }
    if (!found)
        err_set(e, STATUS_BAD_INPUT, "%s: no kernel \"%s\"%s", m->ast->name, name,
                str_hint_text(&hint, ""));
    return found;
}

const struct host_function *host_module_function(struct host_module *m, const char *name,
                                                 struct err *e)
{
    const struct ast_func *f = find_kernel(m, name, e);
    if (!f)
        return NULL;
    for (struct host_function *h = m->functions; h; h = h->next)
        if (strcmp(h->code->name, f->name) == 0)
            return h;
    struct code_symbols symbols = {.address = symbol_address, .context = m};
    const struct code *c =
        code_lower(m->arena, m->ast, f->name, simt_ops(m->host->options.portable), &symbols, e);
    if (!c)
        return NULL;
    struct host_function *h = ARENA_NEW(m->arena, struct host_function);
    *h = (struct host_function){
        .next = m->functions, .module = m, .code = c, .number = (uint32_t)(f - m->ast->funcs)};
    m->functions = h;
    return h;
}

const struct code *host_function_code(const struct host_function *f)
{
    return f->code;
}

bool host_module_set_registers(struct host_module *m, const char *kernel, enum stream_count count,
                               uint32_t registers, struct err *e)
{
    HD_ASSERT(count != COUNT_LIVENESS, "kernel %s: liveness counts by itself", kernel);
    const struct ast_func *f = find_kernel(m, kernel, e);
    if (f)
        m->registers[f - m->ast->funcs][count] = registers;
    return f != NULL;
}

void host_function_registers(const struct host_function *f, uint32_t registers[STREAM_COUNTS])
{
    memcpy(registers, f->module->registers[f->number], sizeof f->module->registers[0]);
    registers[COUNT_LIVENESS] = f->code->regs_per_thread;
    if (!registers[COUNT_GIVEN])
        registers[COUNT_GIVEN] = f->module->host->options.regs_per_thread;
}
