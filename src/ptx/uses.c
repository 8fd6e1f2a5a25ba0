#include "ptx/uses.h"

#include <string.h>

const struct uses_row uses_rows[USES_ROWS] = {
    {"texture", "fetches from textures", USES_TEXTURE},
    {"constant", "variables in constant memory", USES_CONSTANT},
    {"local", "local memory: arrays and spilled registers", USES_LOCAL},
    {"atomics", "atomics in global or shared memory", USES_ATOMICS},
    {"fp64", "double precision", USES_FP64},
};

/* Whether one of the parts of an opcode ("ld.local.u32") after the first is this. */
static bool has_part(const char *opcode, const char *part)
{
    size_t length = strlen(part);
    for (const char *p = strchr(opcode, '.'); p; p = strchr(p + 1, '.'))
        if (strncmp(p + 1, part, length) == 0 && (p[1 + length] == '.' || p[1 + length] == '\0'))
            return true;
    return false;
}

static bool begins(const char *opcode, const char *first)
{
    size_t length = strlen(first);
    return strncmp(opcode, first, length) == 0 && opcode[length] == '.';
}

static uint32_t uses_of_insn(const char *opcode)
{
    static const struct {
        const char *first, *part; /* NULL: any */
        uint32_t bit;
    } rules[] = {
        {"tex", NULL, USES_TEXTURE}, {"tld4", NULL, USES_TEXTURE}, {"ld", "const", USES_CONSTANT},
        {"ld", "local", USES_LOCAL}, {"st", "local", USES_LOCAL},  {"atom", NULL, USES_ATOMICS},
        {"red", NULL, USES_ATOMICS}, {NULL, "f64", USES_FP64},
    };
    uint32_t bits = 0;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if ((!rules[i].first || begins(opcode, rules[i].first)) &&
            (!rules[i].part || has_part(opcode, rules[i].part)))
            bits |= rules[i].bit;
    return bits;
}

/* Compilers keep tables of their own in constant memory, which nobody else can see. */
static bool has_constants(const struct ast_module *m)
{
    for (uint32_t i = 0; i < m->nvars; i++)
        if (m->vars[i].space == SPACE_CONST && m->vars[i].is_visible)
            return true;
    return false;
}

uint32_t uses_of(const struct ast_module *m)
{
    uint32_t bits = 0;
    for (uint32_t f = 0; f < m->nfuncs; f++)
        for (uint32_t i = 0; i < m->funcs[f].nbody; i++)
            if (m->funcs[f].body[i].kind == STATEMENT_INSN)
                bits |= uses_of_insn(m->funcs[f].body[i].insn.opcode);
    return has_constants(m) ? bits : bits & ~(uint32_t)USES_CONSTANT;
}
