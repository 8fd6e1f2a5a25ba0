/* mem_rig.h - one instruction on one warp with all kinds of memory, without a kernel.
 *
 *     EACH_SET(r, {
 *         mem_rig_spread(r, 1, address, 4);           register 1: address + 4 * lane
 *         mem_rig_run(r, "ld.global.u32", (struct mem_rig_operands){.dst = 0, .src = {1}}, mask);
 *         CHECK_EQ(mem_rig_get32(r, 0, lane), ...);
 *     })
 *
 * Each run also reads its stream payload back into r->op. */
#ifndef HEDDLE_TESTS_MEM_RIG_H
#define HEDDLE_TESTS_MEM_RIG_H

#include "simt/exec.h"
#include "stream/reader.h"

enum {
    MEM_RIG_REGS = 16,
    MEM_RIG_PREDS = 8,
    MEM_RIG_SHARED = 4096,
    MEM_RIG_LOCAL = 128,
    MEM_RIG_FRAME = 64,
    MEM_RIG_PARAMS = 64,
    NONE = NO_OPERAND,
};

struct mem_rig {
    int set;
    bool check;      /* uninitialised shared memory, membermasks */
    uint32_t active; /* mask of the block; lanes outside exec are then guarded off */
    uint32_t live;
    struct devmem *mem;
    struct texture_table *textures;
    uint8_t shared[MEM_RIG_SHARED], written[MEM_RIG_SHARED];
    uint8_t local[WARP_LANES * (MEM_RIG_LOCAL + MEM_RIG_FRAME)];
    uint8_t params[MEM_RIG_PARAMS];
    uint32_t pred[MEM_RIG_PREDS];
    struct op_desc desc;
    struct stream_op op;
    const char *fault; /* "" when there was none */
    uint64_t changes;
    struct mem_rig_parts *parts;
};

/* Registers by number; NONE is an absent one.  Numbers of `list` the same. */
struct mem_rig_operands {
    uint16_t dst, dst2, src[4];
    uint64_t imm;
    bool has_address32;
    uint16_t nlist, list[12];
};

/* The statements, for each kind of handlers with a new rig `r`. */
#define EACH_SET(r, ...)                                                                           \
    for (int set_ = 0; set_ < mem_rig_sets(); set_++) {                                            \
        struct mem_rig *r = mem_rig_new(set_);                                                     \
        __VA_ARGS__                                                                                \
        mem_rig_free(r);                                                                           \
    }

int mem_rig_sets(void); /* how many kinds of handlers this host can run */
struct mem_rig *mem_rig_new(int set);
void mem_rig_free(struct mem_rig *r);

bool mem_rig_find(int set, const char *opcode, struct op_desc *d, struct err *e);
/* Predicates: put PRED_FIRST + n into dst or src. Faults are cleared first. */
void mem_rig_run(struct mem_rig *r, const char *opcode, struct mem_rig_operands o, uint32_t exec);

bool mem_rig_says(const struct mem_rig *r, const char *what); /* the fault does */
/* The addresses of one set of r->op are those in register `reg` plus imm. */
void mem_rig_check_stream(const struct mem_rig *r, uint32_t set, int reg, uint64_t imm);

uint32_t mem_rig_get32(const struct mem_rig *r, int reg, int lane);
uint64_t mem_rig_get64(const struct mem_rig *r, int reg, int lane);
void mem_rig_set32(struct mem_rig *r, int reg, int lane, uint32_t v);
void mem_rig_set64(struct mem_rig *r, int reg, int lane, uint64_t v);
void mem_rig_fill32(struct mem_rig *r, int reg, uint32_t v); /* all lanes */
void mem_rig_fill64(struct mem_rig *r, int reg, uint64_t v);
void mem_rig_spread(struct mem_rig *r, int reg, uint64_t base, int64_t stride); /* 64-bit */

/* An allocation of device memory, and its bytes as the host sees them. */
uint64_t mem_rig_alloc(struct mem_rig *r, uint64_t bytes);
void *mem_rig_host(struct mem_rig *r, uint64_t address);

/* Handlers by text: every one of `n` is found by all sets, which agree. */
void mem_rig_all_are_found(const char *const *opcodes, size_t n);
void mem_rig_is_refused(const char *opcode, const char *why);

#endif
