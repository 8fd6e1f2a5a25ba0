/* mem.h - what loads, stores, atomics and textures share.  Private to lanes/. */
#ifndef HEDDLE_SIMT_LANES_MEM_H
#define HEDDLE_SIMT_LANES_MEM_H

#include "simt/lanes/ops.h"

/* FRAME: parameters of called functions, which hardware keeps in registers: not in the stream. */
enum mem_space {
    MEM_GLOBAL,
    MEM_SHARED,
    MEM_LOCAL,
    MEM_CONST,
    MEM_PARAM,
    MEM_FRAME,
    MEM_GENERIC,
    MEM_SPACES,
};
enum mem_kind { MEM_LOAD, MEM_STORE, MEM_ATOMIC };
enum mem_elem { MEM_U8, MEM_S8, MEM_U16, MEM_S16, MEM_B32, MEM_B64, MEM_ELEMS };

/* insn.mod of memory instructions: elements, bytes per lane in all, space, kind. */
enum { MEM_VEC_AT = 0, MEM_SIZE_AT = 4, MEM_SPACE_AT = 11, MEM_KIND_AT = 14 };

static inline uint32_t mem_mod(uint32_t vec, uint32_t size, enum mem_space space,
                               enum mem_kind kind)
{
    return vec << MEM_VEC_AT | size << MEM_SIZE_AT | (uint32_t)space << MEM_SPACE_AT |
           (uint32_t)kind << MEM_KIND_AT;
}
static inline uint32_t mem_vec(const struct insn *i)
{
    return i->mod >> MEM_VEC_AT & 15;
}
static inline uint32_t mem_size(const struct insn *i)
{
    return i->mod >> MEM_SIZE_AT & 127;
}
static inline enum mem_space mem_space(const struct insn *i)
{
    return (enum mem_space)(i->mod >> MEM_SPACE_AT & 7);
}
static inline enum mem_kind mem_kind(const struct insn *i)
{
    return (enum mem_kind)(i->mod >> MEM_KIND_AT & 3);
}

/* Where the lanes of an access go.  Lanes outside w->exec hold anything. */
struct reach {
    uint64_t addr[WARP_LANES] __attribute__((aligned(64)));
    uintptr_t host; /* host + addr[l] is lane l's first byte */
    enum stream_pattern pattern;
    uint64_t base;            /* of lane 0, active or not */
    int64_t stride;           /* 0 when uniform */
    uint64_t lowest, highest; /* addresses of active lanes */
    uint64_t low_bits;        /* all bits set in some address: tells misalignment */
    struct range_cache range; /* addresses that may be touched */
};

#define FOR_BITS(l, mask)                                                                          \
    for (uint32_t m_ = (mask), l; m_ && (l = (uint32_t)__builtin_ctz(m_), 1); m_ &= m_ - 1)

static inline uint8_t *reach_at(const struct reach *r, uint32_t lane)
{
    return (uint8_t *)(r->host + r->addr[lane]);
}

/* Computes and checks the addresses of instruction `i`, writes the stream's payload.  False after
 * a fault: nothing may be done then. */
bool LANE(mem_reach)(struct warp *w, const struct insn *i, struct reach *r);

/* Handlers by what the opcode names; NULL when there is none. */
op_fn *LANE(mem_load)(enum mem_space space, enum mem_elem elem);
op_fn *LANE(mem_store)(enum mem_space space, enum mem_elem elem);
op_fn *LANE(mem_copy_frame)(void); /* imm: to << 32 | from; mod: bytes */
/* `form` is "add.u32"; *letter is the register class ('h' 'w' 'd'), *size its bytes. */
op_fn *LANE(atom_find)(const char *form, char *letter, uint32_t *size);
/* tex, tld4 and txq: the whole opcode. */
bool LANE(tex_find)(const struct opcode *o, struct op_desc *d, struct err *e);

#endif
