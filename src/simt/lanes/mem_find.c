/* mem_find.c - finds the handlers of memory instructions.
 *
 * Compilers order the modifiers of memory instructions in several ways, so each part of the opcode
 * is looked up by itself.  Memory order and scope need no handler: one warp instruction completes
 * before the next one starts, which is stronger than any of them.  They matter to timing only in
 * that some loads must not be answered by the L1. */
#include <stdio.h>

#include "simt/lanes/mem.h"

struct type {
    const char *name;
    uint8_t bytes;
    bool is_signed;
};

struct form { /* an opcode apart */
    const struct opcode *o;
    enum mem_space space;
    bool has_space, is_bypass, has_hint;
    uint32_t vec;
    const struct type *type;
    const char *operation; /* of atom and red */
};

static bool is_word(const char *word, const char *const *words, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(word, words[k]) == 0)
            return true;
    return false;
}
#define IS_ONE_OF(word, words) is_word(word, words, sizeof(words) / sizeof(words)[0])

static bool refuse(const struct opcode *o, const char *why, struct err *e)
{
    return err_set(e, STATUS_BAD_INPUT, "%s: \"%s\" is not supported (%s)", o->where, o->text, why);
}

static bool wrong(const struct opcode *o, const char *part, struct err *e)
{
    return err_set(e, STATUS_BAD_INPUT, "%s: \"%s\": .%s is not possible here", o->where, o->text,
                   part);
}

/* --- the parts ------------------------------------------------------------------------------ */

static const struct type *find_type(const char *name)
{
    static const struct type all[] = {
        {"b8", 1, false},    {"u8", 1, false},     {"s8", 1, true},   {"b16", 2, false},
        {"u16", 2, false},   {"s16", 2, true},     {"f16", 2, false}, {"bf16", 2, false},
        {"b32", 4, false},   {"u32", 4, false},    {"s32", 4, true},  {"f32", 4, false},
        {"b64", 8, false},   {"u64", 8, false},    {"s64", 8, true},  {"f64", 8, false},
        {"f16x2", 4, false}, {"bf16x2", 4, false},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (strcmp(all[k].name, name) == 0)
            return &all[k];
    return NULL;
}

static bool find_space(const char *name, enum mem_space *space)
{
    static const struct {
        const char *name;
        enum mem_space space;
    } all[] = {
        {"global", MEM_GLOBAL},      {"shared", MEM_SHARED},     {"shared::cta", MEM_SHARED},
        {"local", MEM_LOCAL},        {"const", MEM_CONST},       {"param", MEM_PARAM},
        {"param::entry", MEM_PARAM}, {"param::func", MEM_FRAME},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (strcmp(all[k].name, name) == 0) {
            *space = all[k].space;
            return true;
        }
    return false;
}

static uint32_t find_vec(const char *name)
{
    return strcmp(name, "v2") == 0   ? 2
           : strcmp(name, "v4") == 0 ? 4
           : strcmp(name, "v8") == 0 ? 8
                                     : 0;
}

static bool is_hint(const char *part)
{
    static const char *const prefix[] = {"L1::", "L2::", "level::", "level1::", "level2::"};
    for (size_t k = 0; k < sizeof prefix / sizeof prefix[0]; k++)
        if (strncmp(part, prefix[k], strlen(prefix[k])) == 0)
            return true;
    return false;
}

static bool take_part(struct form *f, const char *part, bool is_atomic, struct err *e)
{
    static const char *const without_effect[] = {
        "weak", "cta", "gpu", "sys",     "ca",      "cs",      "lu",     "wb",
        "wt",   "nc",  "sc",  "release", "acq_rel", "unified", "cluster"};
    static const char *const past_l1[] = {"cg", "cv", "volatile", "relaxed", "acquire", "mmio"};
    static const char *const operations[] = {"and", "or",  "xor", "cas", "exch",
                                             "add", "inc", "dec", "min", "max"};
    const struct type *type = find_type(part);
    if (is_atomic && IS_ONE_OF(part, operations) && !f->operation)
        f->operation = part;
    else if (type && !f->type)
        f->type = type;
    else if (!f->has_space && find_space(part, &f->space))
        f->has_space = true;
    else if (find_vec(part) && f->vec == 1)
        f->vec = find_vec(part);
    else if (IS_ONE_OF(part, past_l1))
        f->is_bypass = true;
    else if (strcmp(part, "L2::cache_hint") == 0)
        f->has_hint = true;
    else if (strcmp(part, "shared::cluster") == 0)
        return refuse(f->o, "thread block clusters", e);
    else if (strcmp(part, "b128") == 0)
        return refuse(f->o, "128-bit registers", e);
    else if (!IS_ONE_OF(part, without_effect) && !is_hint(part) &&
             !(is_atomic && strcmp(part, "noftz") == 0))
        return wrong(f->o, part, e);
    return true;
}

static bool take_parts(struct form *f, const struct opcode *o, bool is_atomic, struct err *e)
{
    *f = (struct form){.o = o, .space = MEM_GENERIC, .vec = 1};
    for (int k = 1; k < o->nparts; k++)
        if (!take_part(f, o->part[k], is_atomic, e))
            return false;
    if (!f->type)
        return err_set(e, STATUS_BAD_INPUT, "%s: \"%s\" lacks a type", o->where, o->text);
    return true;
}

/* --- loads, stores, atomics ----------------------------------------------------------------- */

static void describe_space(struct op_desc *d, const struct form *f, uint16_t flags)
{
    static const uint8_t stream[MEM_SPACES] = {
        [MEM_GLOBAL] = STREAM_GLOBAL, [MEM_SHARED] = STREAM_SHARED, [MEM_LOCAL] = STREAM_LOCAL,
        [MEM_CONST] = STREAM_CONST,   [MEM_PARAM] = STREAM_PARAM,   [MEM_GENERIC] = STREAM_GLOBAL};
    static const enum ast_space ptx[MEM_SPACES] = {
        [MEM_GLOBAL] = SPACE_GLOBAL,  [MEM_SHARED] = SPACE_SHARED, [MEM_LOCAL] = SPACE_LOCAL,
        [MEM_CONST] = SPACE_CONST,    [MEM_PARAM] = SPACE_PARAM,   [MEM_FRAME] = SPACE_PARAM,
        [MEM_GENERIC] = SPACE_GENERIC};
    d->ptx_space = ptx[f->space];
    if (f->space == MEM_FRAME)
        return;
    d->space = stream[f->space];
    d->flags = flags | INSN_MEM;
    if (f->space == MEM_GENERIC)
        d->flags |= INSN_MULTI;
    if (f->is_bypass && (f->space == MEM_GENERIC || f->space == MEM_GLOBAL))
        d->flags |= INSN_BYPASS_L1;
}

static enum mem_elem elem_of(const struct type *t)
{
    switch (t->bytes) {
    case 1:
        return t->is_signed ? MEM_S8 : MEM_U8;
    case 2:
        return t->is_signed ? MEM_S16 : MEM_U16;
    case 4:
        return MEM_B32;
    default:
        return MEM_B64;
    }
}

static bool describe_move(const struct form *f, bool is_store, struct op_desc *d, struct err *e)
{
    HD_ASSERT(f->type && f->vec, "%s was taken apart", f->o->text);
    uint32_t size = f->type->bytes * f->vec;
    op_fn *fn = is_store ? LANE(mem_store)(f->space, elem_of(f->type))
                         : LANE(mem_load)(f->space, elem_of(f->type));
    if (!fn)
        return refuse(f->o, "this space cannot be written", e);
    if (size > 32)
        return refuse(f->o, "more than 32 bytes", e);
    const char *operands = is_store ? "Av" : "VA";
    if (f->has_hint)
        operands = is_store ? "Avd" : "VAd";
    *d = (struct op_desc){.fn = fn,
                          .mod = mem_mod(f->vec, size, f->space, is_store ? MEM_STORE : MEM_LOAD),
                          .operands = operands,
                          .unit = f->space == MEM_FRAME ? UNIT_NONE : UNIT_MEM,
                          .opclass = is_store ? OPCLASS_STORE : OPCLASS_LOAD,
                          .vec = (uint8_t)f->vec,
                          .elem = size / f->vec == 8   ? 'd'
                                  : size / f->vec == 4 ? 'w'
                                                       : 'h',
                          .is_signed = f->type->is_signed,
                          .is_relaxed = true,
                          .size = (uint8_t)size};
    describe_space(d, f, is_store ? INSN_STORE : INSN_LOAD);
    return true;
}

static bool find_move(const struct opcode *o, bool is_store, struct op_desc *d, struct err *e)
{
    struct form f;
    if (!take_parts(&f, o, false, e))
        return false;
    if (is_store && f.space == MEM_PARAM) /* only parameters of called functions can be written */
        f.space = MEM_FRAME;
    return describe_move(&f, is_store, d, e);
}

/* ldframe, stframe: parameters of called functions, as the lowering names them. */
static bool find_frame(const struct opcode *o, bool is_store, struct op_desc *d, struct err *e)
{
    struct form f;
    if (!take_parts(&f, o, false, e))
        return false;
    f.space = MEM_FRAME;
    return describe_move(&f, is_store, d, e);
}

/* By register class, with or without a result, two or three operands, and a cache policy. */
static const char *atomic_operands(char letter, bool is_red, bool is_cas, bool has_hint)
{
    static const char *const table[3][2][2][2] = {
        /*      atom: plain            cas                    red */
        {{{"HAh", "HAhd"}, {"HAhh", "HAhhd"}}, {{"Ah", "Ahd"}, {NULL, NULL}}},
        {{{"WAw", "WAwd"}, {"WAww", "WAwwd"}}, {{"Aw", "Awd"}, {NULL, NULL}}},
        {{{"DAd", "DAdd"}, {"DAdd", "DAddd"}}, {{"Ad", "Add"}, {NULL, NULL}}},
    };
    int row = letter == 'h' ? 0 : letter == 'w' ? 1 : 2;
    return table[row][is_red][is_cas][has_hint];
}

static bool find_atomic(const struct opcode *o, bool is_red, struct op_desc *d, struct err *e)
{
    struct form f;
    if (!take_parts(&f, o, true, e))
        return false;
    if (f.vec != 1)
        return refuse(o, "atomics of vectors", e);
    if (f.space != MEM_GLOBAL && f.space != MEM_SHARED && f.space != MEM_GENERIC)
        return refuse(o, "atomics are for global and shared memory", e);
    HD_ASSERT(f.type, "%s was taken apart", o->text);
    char form[24], letter = 0;
    uint32_t size = 0;
    snprintf(form, sizeof form, "%s.%s", f.operation ? f.operation : "", f.type->name);
    op_fn *fn = LANE(atom_find)(form, &letter, &size);
    bool is_cas = f.operation && strcmp(f.operation, "cas") == 0;
    bool is_exchange = f.operation && strcmp(f.operation, "exch") == 0;
    if (!fn || (is_red && (is_cas || is_exchange)))
        return refuse(o, "no such atomic operation", e);
    *d = (struct op_desc){.fn = fn,
                          .mod = mem_mod(1, size, f.space, MEM_ATOMIC),
                          .operands = atomic_operands(letter, is_red, is_cas, f.has_hint),
                          .unit = UNIT_MEM,
                          .opclass = OPCLASS_ATOMIC,
                          .vec = 1,
                          .elem = letter,
                          .size = (uint8_t)size};
    f.is_bypass = false; /* atomics are done behind the L1 in any case */
    describe_space(d, &f, is_red ? INSN_ATOMIC : INSN_ATOMIC | INSN_LOAD);
    return true;
}

/* --- address conversion --------------------------------------------------------------------- */

static uint64_t window_of(enum mem_space space)
{
    return space == MEM_SHARED  ? DEVMEM_SHARED
           : space == MEM_LOCAL ? DEVMEM_LOCAL
           : space == MEM_PARAM ? DEVMEM_PARAM
                                : 0;
}

#define DEFINE_CVTA(name, T, EXPRESSION)                                                           \
    static void cvta_##name(struct warp *w, const struct insn *i)                                  \
    {                                                                                              \
        const lane_##T *a = UNIT(w, i->src[0]);                                                    \
        const uint64_t window = window_of(mem_space(i));                                           \
        (void)window;                                                                              \
        if (i->dst != NO_OPERAND)                                                                  \
            MAP(w, T, i->dst, EXPRESSION);                                                         \
    }
DEFINE_CVTA(from_u64, u64, a[l] + window)
DEFINE_CVTA(to_u64, u64, a[l] - window)
DEFINE_CVTA(u32, u32, a[l])

static bool find_cvta(const struct opcode *o, struct op_desc *d, struct err *e)
{
    bool is_to = o->nparts > 1 && strcmp(o->part[1], "to") == 0;
    enum mem_space space;
    int at = is_to ? 2 : 1;
    if (o->nparts != at + 2)
        return refuse(o, "cvta wants a space and a type", e);
    if (strcmp(o->part[at], "shared::cluster") == 0)
        return refuse(o, "thread block clusters", e);
    if (!find_space(o->part[at], &space))
        return wrong(o, o->part[at], e);
    bool is_wide = strcmp(o->part[at + 1], "u64") == 0;
    if (!is_wide && strcmp(o->part[at + 1], "u32") != 0)
        return wrong(o, o->part[at + 1], e);
    *d = (struct op_desc){.fn = !is_wide ? cvta_u32
                                : is_to  ? cvta_to_u64
                                         : cvta_from_u64,
                          .mod = mem_mod(1, 0, space, MEM_LOAD),
                          .operands = is_wide ? "Dd" : "Ww",
                          .unit = UNIT_INT,
                          .opclass = OPCLASS_SIMPLE,
                          .vec = 1};
    return true;
}

/* Constant variables lie among the global ones. */
static void isspacep(struct warp *w, const struct insn *i)
{
    const lane_u64 *a = UNIT(w, i->src[0]);
    const enum mem_space space = mem_space(i);
    const uint64_t window = window_of(space);
    uint32_t result;
    if (space == MEM_CONST)
        result = 0;
    else if (space == MEM_GLOBAL)
        MASK_OF(w, result, a[l] - DEVMEM_SHARED >= 3 * DEVMEM_WINDOW);
    else
        MASK_OF(w, result, a[l] - window < DEVMEM_WINDOW);
    pred_write(w, i->dst, result);
}

static bool find_isspacep(const struct opcode *o, struct op_desc *d, struct err *e)
{
    enum mem_space space;
    if (o->nparts != 2)
        return refuse(o, "isspacep wants a space", e);
    if (strcmp(o->part[1], "shared::cluster") == 0)
        return refuse(o, "thread block clusters", e);
    if (!find_space(o->part[1], &space))
        return wrong(o, o->part[1], e);
    *d = (struct op_desc){.fn = isspacep,
                          .mod = mem_mod(1, 0, space, MEM_LOAD),
                          .operands = "Pd",
                          .unit = UNIT_INT,
                          .opclass = OPCLASS_SIMPLE,
                          .vec = 1};
    return true;
}

/* --- without effect here -------------------------------------------------------------------- */

static void no_effect(struct warp *w, const struct insn *i)
{
    (void)w, (void)i;
}

static struct op_desc idle(const char *operands, uint16_t flags)
{
    return (struct op_desc){.fn = no_effect,
                            .operands = operands,
                            .unit = UNIT_CONTROL,
                            .opclass = OPCLASS_SIMPLE,
                            .vec = 1,
                            .flags = flags,
                            .ptx_space = SPACE_GENERIC};
}

/* Prefetches and the like; the address is accepted whatever it is. */
static bool find_advice(const struct opcode *o, struct op_desc *d, struct err *e)
{
    if (strcmp(o->part[0], "createpolicy") == 0)
        return refuse(o, "cache policies", e);
    bool has_size = strcmp(o->part[0], "discard") == 0 || strcmp(o->part[0], "applypriority") == 0;
    *d = idle(has_size ? "Ai" : "A", 0);
    for (int k = 1; k < o->nparts; k++) {
        enum mem_space space;
        if (strcmp(o->part[k], "tensormap") == 0)
            return refuse(o, "tensor memory access", e);
        if (find_space(o->part[k], &space))
            d->ptx_space = space == MEM_GLOBAL  ? SPACE_GLOBAL
                           : space == MEM_LOCAL ? SPACE_LOCAL
                           : space == MEM_CONST ? SPACE_CONST
                                                : SPACE_GENERIC;
        else if (o->part[k][0] != 'L' && !is_hint(o->part[k]))
            return wrong(o, o->part[k], e);
    }
    return true;
}

static bool find_fence(const struct opcode *o, struct op_desc *d, struct err *e)
{
    static const char *const known[] = {"cta",           "gl",
                                        "gpu",           "sys",
                                        "cluster",       "sc",
                                        "acq_rel",       "acquire",
                                        "release",       "proxy",
                                        "alias",         "async",
                                        "async::global", "async::shared::cta",
                                        "generic",       "sync_restrict::shared::cta",
                                        "mbarrier_init"};
    for (int k = 1; k < o->nparts; k++)
        if (!IS_ONE_OF(o->part[k], known))
            return wrong(o, o->part[k], e);
    *d = idle("", INSN_FENCE);
    return true;
}

/* --- what there is -------------------------------------------------------------------------- */

/* True when the opcode belongs to hardware that is not here. */
static bool is_foreign(const struct opcode *o, const char **why)
{
    static const struct {
        const char *name, *why;
    } all[] = {
        {"wmma", "tensor cores"},
        {"mma", "tensor cores"},
        {"wgmma", "tensor cores"},
        {"tcgen05", "tensor cores"},
        {"ldmatrix", "tensor cores"},
        {"stmatrix", "tensor cores"},
        {"movmatrix", "tensor cores"},
        {"suld", "surfaces"},
        {"sust", "surfaces"},
        {"sured", "surfaces"},
        {"suq", "surfaces"},
        {"istypep", "opaque types"},
        {"cp", "asynchronous copies"},
        {"mbarrier", "asynchronous barriers"},
        {"mapa", "thread block clusters"},
        {"getctarank", "thread block clusters"},
        {"multimem", "multicast memory"},
        {"tensormap", "tensor memory access"},
        {"clusterlaunchcontrol", "thread block clusters"},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (strcmp(o->part[0], all[k].name) == 0) {
            *why = all[k].why;
            return true;
        }
    *why = NULL;
    if (o->nparts > 1 && strcmp(o->part[0], "barrier") == 0 && strcmp(o->part[1], "cluster") == 0)
        *why = "thread block clusters";
    if (o->nparts > 1 && (strcmp(o->part[1], "async") == 0 || strcmp(o->part[1], "bulk") == 0) &&
        (strcmp(o->part[0], "st") == 0 || strcmp(o->part[0], "red") == 0))
        *why = "asynchronous copies";
    return *why != NULL;
}

bool LANE(find_mem)(const struct opcode *o, struct op_desc *d, bool *ok, struct err *e)
{
    static const char *const advice[] = {"prefetch", "prefetchu", "discard", "applypriority",
                                         "createpolicy"};
    const char *name = o->part[0], *why;
    if (is_foreign(o, &why))
        *ok = refuse(o, why, e);
    else if (strcmp(name, "ld") == 0 || strcmp(name, "ldu") == 0 || strcmp(name, "st") == 0)
        *ok = find_move(o, name[0] == 's', d, e);
    else if (strcmp(name, "ldframe") == 0 || strcmp(name, "stframe") == 0)
        *ok = find_frame(o, name[0] == 's', d, e);
    else if (strcmp(name, "atom") == 0 || strcmp(name, "red") == 0)
        *ok = find_atomic(o, name[0] == 'r', d, e);
    else if (strcmp(name, "tex") == 0 || strcmp(name, "tld4") == 0 || strcmp(name, "txq") == 0)
        *ok = LANE(tex_find)(o, d, e);
    else if (strcmp(name, "cvta") == 0)
        *ok = find_cvta(o, d, e);
    else if (strcmp(name, "isspacep") == 0)
        *ok = find_isspacep(o, d, e);
    else if (strcmp(name, "membar") == 0 || strcmp(name, "fence") == 0)
        *ok = find_fence(o, d, e);
    else if (IS_ONE_OF(name, advice))
        *ok = find_advice(o, d, e);
    else if (strcmp(name, "copyframe") == 0)
        *d = (struct op_desc){.fn = LANE(mem_copy_frame)(), .operands = "", .vec = 1}, *ok = true;
    else
        return false;
    return true;
}
