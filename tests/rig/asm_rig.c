#include "rig/asm_rig.h"

#include <string.h>

#include "check.h"
#include "ptx/parse.h"
#include "simt/simt.h"

static uint64_t no_address(void *context, const char *name)
{
    (void)context;
    (void)name;
    return 0;
}

struct asm_rig asm_rig_new(const char *body)
{
    struct asm_rig r = {.a = arena_new()};
    struct err e = {0};
    struct code_symbols symbols = {.address = no_address};
    const char *text = arena_printf(r.a, "%s%s\nret;\n}\n", ASM_HEAD, body);
    const struct ast_module *m = parse_ptx(r.a, "test.ptx", text, strlen(text), &e);
    if (m)
        r.code = code_lower(r.a, m, "k", simt_ops(true), &symbols, &e);
    CHECK_STR(e.text, "");
    CHECK(r.code && r.code->assembled.insns);
    return r;
}

void asm_rig_free(struct asm_rig *r)
{
    arena_free(r->a);
}

static char letter(const struct stream_insn *i)
{
    if (i->flags & INSN_EXIT)
        return 'x';
    if (i->flags & INSN_MEM)
        return i->flags & INSN_ATOMIC ? 'a' : i->flags & INSN_LOAD ? 'g' : 't';
    if (i->opclass == OPCLASS_SHUFFLE)
        return 'u';
    switch (i->unit) {
    case UNIT_INT:
        return i->opclass == OPCLASS_MOVE                               ? 'r'
               : i->opclass == OPCLASS_FMA || i->opclass == OPCLASS_MUL ? 'm'
                                                                        : 'i';
    case UNIT_FP32:
        return i->opclass == OPCLASS_COMPARE ? 'c' : 'f';
    case UNIT_FP64:
        return 'd';
    case UNIT_SFU:
        return i->opclass == OPCLASS_CVT ? 'v' : 's';
    case UNIT_CONTROL:
        return i->flags & INSN_BAR ? 'B' : 'j';
    default:
        return '?';
    }
}

const char *asm_rig_slots(const struct asm_rig *r)
{
    const struct stream_assembled *v = &r->code->assembled;
    char *out = arena_alloc(r->a, v->ninsns + r->code->nblocks + 1);
    size_t n = 0;
    for (uint32_t b = 0; b < r->code->nblocks; b++) {
        const struct stream_block *block = &v->blocks[b];
        if (n && block->count)
            out[n++] = ' ';
        for (uint32_t i = block->first; i < block->first + block->count; i++)
            out[n++] = letter(&v->insns[i]);
    }
    out[n] = 0;
    return out;
}

/* The letters of each block in alphabetical order. */
static char *sorted(struct arena *a, const char *slots)
{
    char *s = arena_strdup(a, slots);
    for (char *i = s; *i; i++)
        for (char *j = i; j > s && *j != ' ' && j[-1] != ' ' && j[-1] > *j; j--) {
            char swap = *j;
            *j = j[-1];
            j[-1] = swap;
        }
    return s;
}

void asm_check_slots(const char *body, const char *want, const char *file, int line)
{
    struct asm_rig r = asm_rig_new(body);
    const char *got = sorted(r.a, asm_rig_slots(&r));
    check_str_(got, sorted(r.a, arena_printf(r.a, "%s%s", ASM_HEAD_SLOTS, want)), body, file, line);
    asm_rig_free(&r);
}
