/* mem_rig.c - a grid of one warp around one instruction. */
#include "rig/mem_rig.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "check.h"

typedef bool find_fn(const struct opcode *o, struct op_desc *d, bool *ok, struct err *e);
find_fn find_mem_base, find_warp_base;
#if defined(__x86_64__)
find_fn find_mem_v3, find_warp_v3;
#endif

struct mem_rig_parts {
    _Alignas(128) uint8_t file[2 * MEM_RIG_REGS * UNIT_BYTES];
    struct arena *arena;
    struct grid grid;
    struct cta cta;
    struct warp warp;
    struct code code;
    struct ast_module ast;
    struct range_cache cache;
    struct insn insn;
    uint16_t list[12];
    uint32_t zero;
    struct stream_writer writer;
    struct stream_insn stream_insn;
};

int mem_rig_sets(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        return 2;
#endif
    return 1;
}

struct mem_rig *mem_rig_new(int set)
{
    struct arena *a = arena_new();
    struct mem_rig *r = ARENA_NEW(a, struct mem_rig);
    struct err e = {0};
    r->parts = arena_alloc(a, sizeof *r->parts + 64);
    r->parts = (struct mem_rig_parts *)(((uintptr_t)r->parts + 127) & ~(uintptr_t)127);
    r->parts->arena = a;
    r->set = set;
    r->active = r->live = UINT32_MAX;
    r->mem = devmem_new((uint64_t)1 << 30, &e);
    r->textures = texture_table_new();
    r->pred[PRED_TRUE] = UINT32_MAX;
    r->fault = "";
    CHECK(r->mem != NULL);
    struct mem_rig_parts *p = r->parts;
    p->ast = (struct ast_module){.name = "rig.ptx"};
    p->code = (struct code){.name = "rig",
                            .module = "rig.ptx",
                            .insns = &p->insn,
                            .ninsns = 1,
                            .local_bytes = MEM_RIG_LOCAL,
                            .frame_bytes = MEM_RIG_FRAME,
                            .loc_file = &p->zero,
                            .loc_line = &p->zero,
                            .ast = &p->ast};
    stream_writer_init(&p->writer);
    return r;
}

void mem_rig_free(struct mem_rig *r)
{
    stream_writer_free(&r->parts->writer);
    devmem_free_all(r->mem);
    texture_table_free(r->textures);
    arena_free(r->parts->arena);
}

/* --- registers and memory ------------------------------------------------------------------- */

static uint8_t *place(const struct mem_rig *r, int reg, int lane, size_t bytes)
{
    CHECK(reg >= 0 && reg < MEM_RIG_REGS && lane >= 0 && lane < WARP_LANES);
    return r->parts->file + 2 * reg * UNIT_BYTES + (size_t)lane * bytes;
}

uint32_t mem_rig_get32(const struct mem_rig *r, int reg, int lane)
{
    uint32_t v;
    memcpy(&v, place(r, reg, lane, sizeof v), sizeof v);
    return v;
}

uint64_t mem_rig_get64(const struct mem_rig *r, int reg, int lane)
{
    uint64_t v;
    memcpy(&v, place(r, reg, lane, sizeof v), sizeof v);
    return v;
}

void mem_rig_set32(struct mem_rig *r, int reg, int lane, uint32_t v)
{
    memcpy(place(r, reg, lane, sizeof v), &v, sizeof v);
}

void mem_rig_set64(struct mem_rig *r, int reg, int lane, uint64_t v)
{
    memcpy(place(r, reg, lane, sizeof v), &v, sizeof v);
}

void mem_rig_fill32(struct mem_rig *r, int reg, uint32_t v)
{
    for (int l = 0; l < WARP_LANES; l++)
        mem_rig_set32(r, reg, l, v);
}

void mem_rig_fill64(struct mem_rig *r, int reg, uint64_t v)
{
    mem_rig_spread(r, reg, v, 0);
}

void mem_rig_spread(struct mem_rig *r, int reg, uint64_t base, int64_t stride)
{
    for (int l = 0; l < WARP_LANES; l++)
        mem_rig_set64(r, reg, l, base + (uint64_t)l * (uint64_t)stride);
}

uint64_t mem_rig_alloc(struct mem_rig *r, uint64_t bytes)
{
    struct err e = {0};
    uint64_t at = devmem_alloc(r->mem, bytes, &e);
    CHECK(at != 0);
    return at;
}

void *mem_rig_host(struct mem_rig *r, uint64_t address)
{
    return devmem_host(r->mem) + address;
}

/* --- running -------------------------------------------------------------------------------- */

static struct opcode split(const char *text, char buffer[128])
{
    struct opcode o = {.text = text, .where = "rig.ptx:1"};
    snprintf(buffer, 128, "%s", text);
    for (char *p = buffer; p; o.nparts++) {
        o.part[o.nparts] = p;
        p = strchr(p, '.');
        if (p)
            *p++ = '\0';
    }
    return o;
}

bool mem_rig_find(int set, const char *opcode, struct op_desc *d, struct err *e)
{
    char buffer[128];
    struct opcode o = split(opcode, buffer);
    bool ok = false;
    find_fn *mem = find_mem_base, *warp = find_warp_base;
#if defined(__x86_64__)
    if (set) {
        mem = find_mem_v3;
        warp = find_warp_v3;
    }
#endif
    CHECK(set >= 0);
    if (!mem(&o, d, &ok, e) && !warp(&o, d, &ok, e))
        return err_set(e, STATUS_BAD_INPUT, "nobody knows %s", opcode);
    return ok;
}

static void build(struct mem_rig *r, uint32_t exec)
{
    struct mem_rig_parts *p = r->parts;
    p->grid = (struct grid){.code = &p->code,
                            .mem = r->mem,
                            .host = devmem_host(r->mem),
                            .textures = r->textures,
                            .params = r->params,
                            .param_bytes = MEM_RIG_PARAMS,
                            .shared_bytes = MEM_RIG_SHARED,
                            .grid = {1, 1, 1},
                            .block = {WARP_LANES, 1, 1},
                            .check = r->check,
                            .changes = r->changes,
                            .cache = &p->cache};
    p->cta.grid = &p->grid;
    p->cta.shared = r->shared;
    p->cta.shared_written = r->check ? r->written : NULL;
    p->warp = (struct warp){.file = p->file,
                            .pred = r->pred,
                            .exec = exec,
                            .active = r->active,
                            .live = r->live,
                            .out = &p->writer,
                            .cta = &p->cta,
                            .grid = &p->grid,
                            .local = r->local,
                            .local_stride = MEM_RIG_LOCAL + MEM_RIG_FRAME};
}

static uint16_t unit_of(uint16_t reg)
{
    return reg == NONE ? NO_OPERAND : (uint16_t)(2 * reg);
}

/* Predicates are written as such, registers as units: the operand letters tell which is which. */
static void bind(struct mem_rig *r, const struct mem_rig_operands *o)
{
    struct mem_rig_parts *p = r->parts;
    const char *letters = r->desc.operands;
    bool has_pred_dst = letters[0] == 'P';
    p->insn = (struct insn){.fn = r->desc.fn,
                            .imm = o->imm,
                            .dst = has_pred_dst ? o->dst : unit_of(o->dst),
                            .dst2 = o->dst2,
                            .guard = NO_OPERAND,
                            .nextra = o->nlist,
                            .mod = r->desc.mod | (o->has_address32 ? OP_ADDR32 : 0),
                            .line = 1,
                            .list = p->list};
    bool has_pred_src = strchr(letters, 'p') != NULL; /* always the first source */
    for (int k = 0; k < 4; k++)
        p->insn.src[k] = k == 0 && has_pred_src ? o->src[k] : unit_of(o->src[k]);
    for (int k = 0; k < o->nlist; k++)
        p->list[k] = unit_of(o->list[k]);
}

static void read_back(struct mem_rig *r, uint32_t exec)
{
    struct mem_rig_parts *p = r->parts;
    const struct stream_block block = {0, 1};
    const struct stream_kernel kernel = {
        .name = "rig", .insns = &p->stream_insn, .ninsns = 1, .blocks = &block, .nblocks = 1};
    static const uint8_t nothing[1];
    const struct stream_warp bytes = {p->writer.control.at,
                                      p->writer.payload.used ? p->writer.payload.at : nothing,
                                      p->writer.control.used, p->writer.payload.used};
    struct stream_reader reader;
    stream_reader_init(&reader, &kernel, &bytes);
    CHECK(stream_reader_next(&reader, &r->op));
    CHECK_EQ(r->op.mask, exec);
    struct stream_op none;
    CHECK(!stream_reader_next(&reader, &none));
    CHECK(!reader.is_broken);
}

void mem_rig_run(struct mem_rig *r, const char *opcode, struct mem_rig_operands o, uint32_t exec)
{
    struct mem_rig_parts *p = r->parts;
    struct err e = {0};
    if (!mem_rig_find(r->set, opcode, &r->desc, &e)) {
        print_error("%s: %s\n", opcode, e.text);
        CHECK(false);
    }
    build(r, exec);
    bind(r, &o);
    uint32_t guarded = exec != r->active;
    p->stream_insn =
        (struct stream_insn){.flags = (uint16_t)(r->desc.flags | (guarded ? INSN_GUARDED : 0)),
                             .unit = r->desc.unit,
                             .space = r->desc.space,
                             .size = r->desc.size};
    stream_writer_reset(&p->writer);
    stream_writer_block(&p->writer, 0, 1, r->active);
    if (guarded)
        stream_writer_guard(&p->writer, r->active, exec);
    r->desc.fn(&p->warp, &p->insn);
    r->changes = p->grid.changes;
    r->fault = p->grid.has_fault ? p->grid.fault.text : "";
    if (!p->grid.has_fault)
        read_back(r, exec);
}

bool mem_rig_says(const struct mem_rig *r, const char *what)
{
    if (strstr(r->fault, what))
        return true;
    print_error("\"%s\" does not say \"%s\"\n", r->fault, what);
    return false;
}

void mem_rig_check_stream(const struct mem_rig *r, uint32_t set, int reg, uint64_t imm)
{
    uint64_t addr[WARP_LANES] = {0};
    const struct stream_access *a = &r->op.access[set];
    CHECK(set < r->op.nsets);
    stream_access_expand(a, addr);
    for (int l = 0; l < WARP_LANES; l++)
        if (a->mask >> l & 1)
            CHECK_EQ(addr[l], mem_rig_get64(r, reg, l) + imm);
}

/* --- finding -------------------------------------------------------------------------------- */

void mem_rig_all_are_found(const char *const *opcodes, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct op_desc d[2] = {{0}};
        for (int set = 0; set < mem_rig_sets(); set++) {
            struct err e = {0};
            if (!mem_rig_find(set, opcodes[k], &d[set], &e)) {
                print_error("%s: %s\n", opcodes[k], e.text);
                CHECK(false);
            }
            CHECK(d[set].fn != NULL && d[set].operands != NULL);
            CHECK_STR(d[set].operands, d[0].operands);
            CHECK_EQ(d[set].mod, d[0].mod);
            CHECK_EQ(d[set].flags, d[0].flags);
        }
    }
}

void mem_rig_is_refused(const char *opcode, const char *why)
{
    for (int set = 0; set < mem_rig_sets(); set++) {
        struct op_desc d;
        struct err e = {0};
        CHECK(!mem_rig_find(set, opcode, &d, &e));
        CHECK_EQ(e.status, STATUS_BAD_INPUT);
        if (!strstr(e.text, why) || !strstr(e.text, opcode) || !strstr(e.text, "rig.ptx:1")) {
            print_error("\"%s\" does not say \"%s\"\n", e.text, why);
            CHECK(false);
        }
    }
}
