/* lower_names.c - what names stand for: registers, special registers, variables, functions.
 *
 * Scopes nest as the braces of the text do; an inner name hides an outer one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dev/devmem.h"
#include "ptx/lower.h"

enum { MAX_VREGS = 1 << 22, MAX_SHARED = 1 << 20, MAX_LOCAL = 1 << 19 };

void *low_grow(struct lower *lo, void *array, uint32_t n, uint32_t *room, size_t size)
{
    if (n < *room)
        return array;
    *room = *room ? *room * 2 : 16;
    void *larger = arena_array(lo->arena, size, *room);
    if (n)
        memcpy(larger, array, n * size);
    return larger;
}

bool low_fail(struct lower *lo, const char *fmt, ...)
{
    char text[800];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return err_set(lo->e, STATUS_BAD_INPUT, "%s:%u: %s", lo->module->name, lo->line, text);
}

/* --- registers and constants ------------------------------------------------------------------ */

uint32_t low_vreg(struct lower *lo, enum reg_class c)
{
    *LOW_PUSH(lo, lo->vreg_class, lo->nvregs, lo->vreg_room) = (uint8_t)c;
    return lo->nvregs - 1;
}

enum reg_class low_class(const struct lower *lo, low_ref r)
{
    if (r & REF_CONST)
        return lo->consts[r & REF_INDEX].c.is_wide ? CLASS_WIDE : CLASS_WORD;
    return (enum reg_class)lo->vreg_class[r & REF_INDEX];
}

static bool same_const(const struct code_const *a, const struct code_const *b)
{
    return a->kind == b->kind && a->bytes == b->bytes && a->is_wide == b->is_wide &&
           a->is_signed == b->is_signed && a->bits == b->bits;
}

static low_ref intern_const(struct lower *lo, struct code_const c)
{
    uint32_t bucket =
        (uint32_t)((c.bits * 0x9e3779b97f4a7c15u >> 40) + c.kind * 31u + c.is_wide) % CONST_BUCKETS;
    for (uint32_t i = lo->const_bucket[bucket]; i; i = lo->consts[i - 1].next)
        if (same_const(&lo->consts[i - 1].c, &c))
            return REF_CONST | (i - 1);
    struct low_const *n = LOW_PUSH(lo, lo->consts, lo->nconsts, lo->const_room);
    *n = (struct low_const){.c = c, .next = lo->const_bucket[bucket]};
    lo->const_bucket[bucket] = lo->nconsts;
    return REF_CONST | (lo->nconsts - 1);
}

low_ref low_const_bits(struct lower *lo, enum reg_class c, uint64_t bits)
{
    if (c == CLASS_PRED)
        return bits & 1 ? VREG_TRUE : VREG_FALSE;
    return intern_const(lo, (struct code_const){.kind = CONST_BITS,
                                                .is_wide = c == CLASS_WIDE,
                                                .bits = c == CLASS_WIDE ? bits : (uint32_t)bits});
}

low_ref low_const_special(struct lower *lo, enum const_kind kind)
{
    return intern_const(
        lo, (struct code_const){.kind = (uint8_t)kind, .is_wide = kind == CONST_GRIDID});
}

low_ref low_const_param(struct lower *lo, uint64_t offset, uint32_t bytes, bool is_signed)
{
    return intern_const(lo, (struct code_const){.kind = CONST_PARAM,
                                                .bytes = (uint8_t)bytes,
                                                .is_wide = bytes == 8,
                                                .is_signed = is_signed && bytes < 4,
                                                .bits = offset});
}

bool low_const_address(struct lower *lo, const struct low_sym *s, enum reg_class c, uint64_t offset,
                       bool is_generic, low_ref *out)
{
    if (c == CLASS_PRED)
        return low_fail(lo, "the address of %s is no predicate", s->name);
    uint64_t window = 0;
    if (is_generic && s->space == SPACE_SHARED)
        window = DEVMEM_SHARED;
    else if (is_generic && s->space == SPACE_LOCAL)
        window = DEVMEM_LOCAL;
    else if (is_generic && s->space == SPACE_PARAM)
        window = DEVMEM_PARAM;
    bool is_dynamic = s->address == SYM_DYNAMIC;
    struct code_const k = {.kind = is_dynamic ? CONST_DYNAMIC_BASE : CONST_BITS,
                           .is_wide = c == CLASS_WIDE,
                           .bits = (is_dynamic ? 0 : s->address) + window + offset};
    if (!k.is_wide && !is_dynamic && k.bits > UINT32_MAX)
        return low_fail(lo, "the address of %s does not fit into 32 bits", s->name);
    *out = intern_const(lo, k);
    return true;
}

/* --- scopes ----------------------------------------------------------------------------------- */

static uint32_t hash(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; s++)
        h = (h ^ (uint8_t)*s) * 16777619u;
    return h % SYM_BUCKETS;
}

void low_open(struct lower *lo)
{
    *LOW_PUSH(lo, lo->scope_parent, lo->nscopes, lo->scope_room) = lo->scope;
    lo->scope = lo->nscopes - 1;
}

bool low_close(struct lower *lo)
{
    if (lo->scope == 0)
        return low_fail(lo, "'}' without '{'");
    while (lo->nscoped && lo->scoped[lo->nscoped - 1]->scope == lo->scope) {
        struct low_sym *s = lo->scoped[--lo->nscoped];
        lo->sym[hash(s->name)] = s->shadowed;
    }
    lo->scope = lo->scope_parent[lo->scope];
    return true;
}

struct low_sym *low_find(struct lower *lo, const char *name)
{
    for (struct low_sym *s = lo->sym[hash(name)]; s; s = s->shadowed)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

static struct low_sym *declare(struct lower *lo, const char *name, enum sym_kind kind)
{
    const struct low_sym *old = low_find(lo, name);
    if (old && old->scope == lo->scope) {
        low_fail(lo, "\"%s\" is declared twice", name);
        return NULL;
    }
    struct low_sym *s = ARENA_NEW(lo->arena, struct low_sym);
    s->name = name;
    s->kind = kind;
    s->scope = lo->scope;
    s->shadowed = lo->sym[hash(name)];
    lo->sym[hash(name)] = s;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant
    *LOW_PUSH(lo, lo->scoped, lo->nscoped, lo->scoped_room) = s;
    return s;
}

/* --- types ------------------------------------------------------------------------------------ */

uint64_t low_var_bytes(const struct ast_var *v)
{
    return v->count * v->vec * ast_type_bytes(v->type);
}

uint64_t low_var_align(const struct ast_var *v)
{
    return v->align ? v->align : (uint64_t)ast_type_bytes(v->type) * v->vec;
}

static bool class_of(struct lower *lo, const struct ast_var *v, enum reg_class *c)
{
    if (v->type == TYPE_B128)
        return low_fail(lo, "128-bit register %s is not supported", v->name);
    *c = v->type == TYPE_PRED ? CLASS_PRED : ast_type_bytes(v->type) == 8 ? CLASS_WIDE : CLASS_WORD;
    return true;
}

/* --- declarations ----------------------------------------------------------------------------- */

static bool declare_register(struct lower *lo, const struct ast_var *v)
{
    enum reg_class c = CLASS_WORD;
    if (!class_of(lo, v, &c))
        return false;
    if (v->is_array)
        return low_fail(lo, "register %s cannot be an array", v->name);
    uint32_t n = v->range ? v->range : v->vec;
    if (n > MAX_VREGS || lo->nvregs + n > MAX_VREGS)
        return low_fail(lo, "more than %d registers", MAX_VREGS);
    struct low_sym *s = declare(lo, v->name,
                                v->range     ? SYM_RANGE
                                : v->vec > 1 ? SYM_VECTOR
                                             : SYM_REG);
    if (!s)
        return false;
    s->reg_class = c;
    s->first = lo->nvregs;
    s->count = n;
    for (uint32_t i = 0; i < n; i++)
        low_vreg(lo, c);
    return true;
}

bool low_declare_space(struct lower *lo, const struct ast_var *v, enum ast_space space,
                       uint64_t address, struct low_sym **out)
{
    struct low_sym *s = declare(lo, v->name, SYM_SPACE);
    if (!s)
        return false;
    s->space = space;
    s->address = address;
    s->bytes = low_var_bytes(v);
    if (out)
        *out = s;
    return true;
}

/* Room for `v` at the end of an area that may grow to `limit` bytes. */
static bool place(struct lower *lo, const struct ast_var *v, uint32_t *area, uint32_t limit,
                  uint32_t *at)
{
    uint64_t align = low_var_align(v), start = (*area + align - 1) / align * align;
    uint64_t bytes = low_var_bytes(v);
    if (bytes > limit || start + bytes > limit)
        return low_fail(lo, "variable %s: more than %u bytes", v->name, limit);
    *at = (uint32_t)start;
    *area = (uint32_t)(start + bytes);
    return true;
}

bool low_declare(struct lower *lo, const struct ast_var *v)
{
    uint32_t at = 0;
    switch (v->space) {
    case SPACE_REG:
        return declare_register(lo, v);
    case SPACE_SHARED:
        return place(lo, v, &lo->shared_bytes, MAX_SHARED, &at) &&
               low_declare_space(lo, v, SPACE_SHARED, at, NULL);
    case SPACE_LOCAL:
        return place(lo, v, &lo->local_bytes, MAX_LOCAL, &at) &&
               low_declare_space(lo, v, SPACE_LOCAL, at, NULL);
    case SPACE_PARAM:
        return place(lo, v, &lo->frame_bytes, MAX_LOCAL, &at) &&
               low_declare_space(lo, v, SPACE_PARAM, at, NULL);
    case SPACE_GLOBAL:
    case SPACE_CONST: {
        uint64_t address = lo->symbols->address(lo->symbols->context, v->name);
        if (!address)
            return low_fail(lo, "variable %s: .global and .const belong outside functions",
                            v->name);
        return low_declare_space(lo, v, v->space, address, NULL);
    }
    default:
        return low_fail(lo, "variable %s: not supported in a function", v->name);
    }
}

/* --- look-up ---------------------------------------------------------------------------------- */

/* "%r12" as the 12th of "%r<20>". */
static low_ref find_in_range(struct lower *lo, const char *name)
{
    size_t n = strlen(name), digits = n;
    while (digits > 1 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
        digits--;
    char base[256];
    if (digits >= sizeof base)
        return REF_NONE;
    /* A range's own name may end in digits: try the longest base first. */
    for (size_t cut = n; cut-- > digits;) {
        if (name[cut] == '0' && cut + 1 < n)
            continue; /* no leading zeros */
        if (cut >= sizeof base || n - cut > 9)
            continue;
        memcpy(base, name, cut);
        base[cut] = 0;
        const struct low_sym *s = low_find(lo, base);
        unsigned long index = strtoul(name + cut, NULL, 10);
        if (s && s->kind == SYM_RANGE && index < s->count)
            return s->first + (uint32_t)index;
    }
    return REF_NONE;
}

static low_ref find_component(struct lower *lo, const char *name)
{
    const char *dot = strrchr(name, '.');
    char base[256];
    if (!dot || dot[1] == 0 || dot[2] != 0 || (size_t)(dot - name) >= sizeof base)
        return REF_NONE;
    memcpy(base, name, (size_t)(dot - name));
    base[dot - name] = 0;
    const struct low_sym *s = low_find(lo, base);
    const char *letters = "xyzwrgba", *at = strchr(letters, dot[1]);
    if (!s || s->kind != SYM_VECTOR || !at || (uint32_t)((at - letters) % 4) >= s->count)
        return REF_NONE;
    return s->first + (uint32_t)((at - letters) % 4);
}

low_ref low_register(struct lower *lo, const char *name)
{
    const struct low_sym *s = low_find(lo, name);
    if (s)
        return s->kind == SYM_REG ? s->first : REF_NONE;
    low_ref r = find_in_range(lo, name);
    return r != REF_NONE ? r : find_component(lo, name);
}

/* Shared memory that CUDA keeps for itself: a part of every kernel that asks where it is. */
static low_ref reserved_shared(struct lower *lo, const char *name)
{
    enum { RESERVED = 1024 };
    if (!lo->has_reserved) {
        lo->has_reserved = true;
        lo->reserved_at = (lo->shared_bytes + 15) / 16 * 16;
        lo->shared_bytes = lo->reserved_at + RESERVED;
    }
    bool is_end = strcmp(name, "end") == 0 || strcmp(name, "cap") == 0;
    return low_const_bits(lo, CLASS_WORD, lo->reserved_at + (is_end ? RESERVED : 0));
}

low_ref low_special(struct lower *lo, const char *name)
{
    static const struct {
        const char *name;
        enum const_kind kind;
    } special[] = {
        {"%tid.x", CONST_TID_X},
        {"%tid.y", CONST_TID_Y},
        {"%tid.z", CONST_TID_Z},
        {"%ntid.x", CONST_NTID_X},
        {"%ntid.y", CONST_NTID_Y},
        {"%ntid.z", CONST_NTID_Z},
        {"%ctaid.x", CONST_CTAID_X},
        {"%ctaid.y", CONST_CTAID_Y},
        {"%ctaid.z", CONST_CTAID_Z},
        {"%nctaid.x", CONST_NCTAID_X},
        {"%nctaid.y", CONST_NCTAID_Y},
        {"%nctaid.z", CONST_NCTAID_Z},
        {"%laneid", CONST_LANEID},
        {"%warpid", CONST_WARPID},
        {"%nwarpid", CONST_NWARPID},
        {"%smid", CONST_SMID},
        {"%nsmid", CONST_NSMID},
        {"%gridid", CONST_GRIDID},
        {"%lanemask_eq", CONST_MASK_EQ},
        {"%lanemask_le", CONST_MASK_LE},
        {"%lanemask_lt", CONST_MASK_LT},
        {"%lanemask_ge", CONST_MASK_GE},
        {"%lanemask_gt", CONST_MASK_GT},
        {"%dynamic_smem_size", CONST_DYNAMIC_SMEM},
        {"%total_smem_size", CONST_TOTAL_SMEM},
        {"%envreg1", CONST_WORKSPACE_HIGH}, /* as CUDA uses them */
        {"%envreg2", CONST_WORKSPACE_LOW},
    };
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (strcmp(name, special[i].name) == 0)
            return low_const_special(lo, special[i].kind);
    if (strcmp(name, "WARP_SZ") == 0)
        return low_const_bits(lo, CLASS_WORD, WARP_LANES);
    static const char reserved[] = "%reserved_smem_offset_";
    if (strncmp(name, reserved, sizeof reserved - 1) == 0)
        return reserved_shared(lo, name + sizeof reserved - 1);
    /* Performance monitors and what else is in the environment read as zero. */
    if (strncmp(name, "%envreg", 7) == 0 || strncmp(name, "%pm", 3) == 0)
        return low_const_bits(lo, CLASS_WORD, 0);
    return REF_NONE;
}

/* A variable of the module gets its place when the kernel first names it, so that a kernel's
 * shared memory is what it and its callees use. */
static bool place_module_var(struct lower *lo, const struct ast_var *v, struct low_sym *s)
{
    uint32_t at = 0;
    s->space = v->space;
    s->bytes = low_var_bytes(v);
    s->name = v->name;
    s->kind = SYM_SPACE;
    switch (v->space) {
    case SPACE_SHARED:
        if (v->is_unsized) /* dynamic shared memory: behind the static one, set by code_lower */
            s->address = SYM_DYNAMIC;
        else if (!place(lo, v, &lo->shared_bytes, MAX_SHARED, &at))
            return false;
        else
            s->address = at;
        return true;
    case SPACE_GLOBAL:
    case SPACE_CONST:
        s->address = lo->symbols->address(lo->symbols->context, v->name);
        return s->address || low_fail(lo, "variable %s is declared but not defined", v->name);
    case SPACE_LOCAL:
        if (!place(lo, v, &lo->local_bytes, MAX_LOCAL, &at))
            return false;
        s->address = at;
        return true;
    default:
        return low_fail(lo,
                        "%s: texture, sampler and surface references are not supported (only "
                        "texture objects are)",
                        v->name);
    }
}

bool low_variable(struct lower *lo, const char *name, struct low_sym **out)
{
    *out = low_find(lo, name);
    if (*out)
        return (*out)->kind == SYM_SPACE || low_fail(lo, "\"%s\" is no variable in memory", name);
    for (uint32_t i = 0; i < lo->nmodule_vars; i++)
        if (strcmp(lo->module_vars[i]->name, name) == 0) {
            *out = lo->module_vars[i];
            return true;
        }
    const struct ast_var *v = NULL;
    for (uint32_t i = 0; i < lo->module->nvars; i++)
        if (strcmp(lo->module->vars[i].name, name) == 0 && (!v || v->is_extern))
            v = &lo->module->vars[i];
    if (!v)
        return low_fail(lo, "\"%s\" is not declared", name);
    struct low_sym *s = ARENA_NEW(lo->arena, struct low_sym);
    if (!place_module_var(lo, v, s))
        return false;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant
    *LOW_PUSH(lo, lo->module_vars, lo->nmodule_vars, lo->module_var_room) = s;
    *out = s;
    return true;
}

const struct ast_func *low_declaration(const struct lower *lo, const char *name)
{
    const struct ast_func *f = NULL;
    for (uint32_t i = 0; i < lo->module->nfuncs; i++)
        if (strcmp(lo->module->funcs[i].name, name) == 0 && (!f || !f->has_body))
            f = &lo->module->funcs[i];
    return f;
}

uint32_t low_function(struct lower *lo, const char *name)
{
    for (uint32_t i = 0; i < lo->nfuncs; i++)
        if (strcmp(lo->funcs[i].ast->name, name) == 0)
            return i;
    const struct ast_func *f = low_declaration(lo, name);
    if (!f || !f->has_body || f->is_entry)
        return UINT32_MAX;
    uint32_t current = lo->func ? (uint32_t)(lo->func - lo->funcs) : 0;
    *LOW_PUSH(lo, lo->funcs, lo->nfuncs, lo->func_room) = (struct low_func){.ast = f};
    lo->func = &lo->funcs[current];
    return lo->nfuncs - 1;
}
