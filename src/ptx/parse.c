/* parse.c - the entry point: sets up the lists that the tree grows in, runs the grammar, and
 * hands out the module.  Directives of the module as a whole are here, too. */
#include "ptx/parse.h"

#include <stdio.h>

#include "ptx/parse_priv.h"

enum { LIST_START = 64, MAX_BYTES = 1 << 30, MAX_TARGET = 200 };

void parse_fail(struct parser *p, uint32_t line, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    err_set(p->e, STATUS_BAD_INPUT, "%s:%u: %s", p->name, line, text);
    p->has_failed = true;
}

/* --- lists ------------------------------------------------------------------------------------ */

void parse_grow(struct parser *p, struct list *l)
{
    HD_ASSERT(l->capacity <= UINT32_MAX / 2, "more elements than bytes of text");
    uint32_t capacity = l->capacity ? 2 * l->capacity : LIST_START;
    void *at = arena_array(p->a, l->size, capacity);
    if (l->n)
        memcpy(at, l->at, l->size * l->n);
    l->at = at;
    l->capacity = capacity;
}

void *parse_take(struct parser *p, struct list *l, uint32_t n)
{
    if (n == 0)
        return NULL;
    HD_ASSERT(n <= l->n, "%u elements of %u", n, l->n);
    l->n -= n;
    void *copy = arena_array(p->a, l->size, n);
    memcpy(copy, (char *)l->at + l->size * l->n, l->size * n);
    return copy;
}

/* --- directives of the module ----------------------------------------------------------------- */

void parse_version(struct parser *p, const struct token *t)
{
    unsigned major = 0, minor = 0;
    char text[16] = "", rest;
    if (t->code == LITERAL_DECIMAL && t->length < sizeof text)
        memcpy(text, t->text, t->length);
    if (sscanf(text, "%3u.%3u%c", &major, &minor, &rest) != 2 || major == 0) {
        parse_fail(p, t->line, "found '%.*s', expected a version such as 7.0",
                   t->length < 40 ? (int)t->length : 40, t->text);
        return;
    }
    p->module->version_major = major;
    p->module->version_minor = minor;
}

void parse_target(struct parser *p, const struct token *t)
{
    const char *so_far = p->module->target;
    if ((so_far ? strlen(so_far) : 0) + t->length > MAX_TARGET) {
        parse_fail(p, t->line, "'.target' is longer than %d characters", MAX_TARGET);
        return;
    }
    p->module->target = so_far ? arena_printf(p->a, "%s, %s", so_far, t->text) : t->text;
}

void parse_address_size(struct parser *p, const struct token *t)
{
    uint64_t bits = parse_const_integer(p, t);
    if (bits != 64)
        parse_fail(p, t->line, "found '.address_size %.*s', expected 64",
                   t->length < 40 ? (int)t->length : 40, t->text);
    p->module->address_size = (uint32_t)bits;
}

void parse_file(struct parser *p, const struct token *index, const struct token *path)
{
    struct ast_file *f = parse_push(p, &p->files);
    f->index = parse_const_u32(p, index, "file number");
    char *copy = arena_alloc(p->a, path->length - 1); /* without the quotes, with a NUL */
    memcpy(copy, path->text + 1, path->length - 2);
    f->path = copy;
}

/* --- the entry -------------------------------------------------------------------------------- */

static void give_lists(struct parser *p)
{
    p->operands.size = sizeof(struct ast_operand);
    p->statements.size = sizeof(struct ast_statement);
    p->inits.size = sizeof(struct ast_init);
    p->vars.size = p->module_vars.size = sizeof(struct ast_var);
    p->funcs.size = sizeof(struct ast_func);
    p->files.size = sizeof(struct ast_file);
    p->names.size = sizeof(const char *);
}

static void finish_module(struct parser *p)
{
    struct ast_module *m = p->module;
    if (m->version_major == 0)
        parse_fail(p, p->line, "found no '.version', which every PTX module has");
    m->nvars = p->module_vars.n;
    m->vars = parse_take(p, &p->module_vars, m->nvars);
    m->nfuncs = p->funcs.n;
    m->funcs = parse_take(p, &p->funcs, m->nfuncs);
    m->nfiles = p->files.n;
    m->files = parse_take(p, &p->files, m->nfiles);
}

struct ast_module *parse_ptx(struct arena *a, const char *name, const char *text, size_t length,
                             struct err *e)
{
    struct parser p = {.a = a, .e = e, .name = name, .line = 1};
    if (length > MAX_BYTES) {
        parse_fail(&p, 1, "the file is larger than 1 GiB");
        return NULL;
    }
    unsigned char *copy = arena_alloc(a, length + 1); /* the lexer needs a NUL at the end */
    if (length)
        memcpy(copy, text, length);
    p.at = copy;
    p.limit = copy + length;
    p.module = ARENA_NEW(a, struct ast_module);
    p.module->name = arena_strdup(a, name);
    p.module->address_size = 32; /* PTX's default */
    give_lists(&p);
    grammar_run(&p);
    if (!p.has_failed)
        finish_module(&p);
    return p.has_failed ? NULL : p.module;
}
