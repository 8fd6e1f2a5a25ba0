/* reader.h - one warp's stream, instruction by instruction, as the timing core consumes it. */
#ifndef HEDDLE_STREAM_READER_H
#define HEDDLE_STREAM_READER_H

#include "base/err.h"
#include "stream/codec.h"
#include "stream/stream.h"

/* A warp's encoded bytes; they stay where the store keeps them. */
struct stream_warp {
    const uint8_t *control, *payload;
    size_t control_bytes, payload_bytes;
};

/* Payloads of a window, decoded but for the addresses of single lanes. */
struct stream_parked {
    uint32_t mask;
    uint8_t first, nsets;
};

struct stream_parked_set {
    const uint8_t *lanes; /* where they are, of PATTERN_LANES */
    uint64_t base;
    int64_t stride;
    uint32_t mask;
    uint8_t pattern, space, form, is_rows;
};

struct stream_window {
    uint32_t left; /* instructions of the window not yet read */
    struct stream_parked payload[STREAM_WINDOW];
    struct stream_parked_set set[STREAM_WINDOW_SETS];
};

/* In whole lines of the host's cache; all that plain instructions need is in the first. */
struct stream_reader {
    _Alignas(64) const struct stream_kernel *kernel;
    struct stream_window *window; /* the reader's own; NULL: the kernel has none */
    const uint8_t *control, *control_end, *payload, *payload_end;
    uint32_t next, end; /* instructions of the current block not yet read */
    uint32_t mask, mask_before;
    uint32_t block;
    uint32_t next_slot; /* codec.h */
    bool is_broken;     /* the bytes make no sense: the file is corrupt */
    uint64_t last_base[STREAM_SPACES], slots[CODEC_SLOTS];
    int64_t last_stride[STREAM_SPACES];
};

/* One dynamic warp instruction. */
struct stream_op {
    uint32_t insn;                /* index into kernel->insns */
    uint32_t active;              /* the block's mask */
    uint32_t mask;                /* lanes that execute it: `active` unless guarded */
    uint32_t bar_id, bar_threads; /* of INSN_BAR with a mask; else undefined */
    uint32_t nsets;               /* address sets: 0 or 1, more with INSN_MULTI */
    struct stream_access access[STREAM_MAX_SETS]; /* of the sets */
};

void stream_reader_init(struct stream_reader *r, const struct stream_kernel *k,
                        const struct stream_warp *w);
/* With room for windows, which an assembled view may have (stream_kernel_has_windows). */
void stream_reader_init_view(struct stream_reader *r, const struct stream_kernel *k,
                             const struct stream_warp *w, struct stream_window *window);
bool stream_kernel_has_windows(const struct stream_kernel *k);
/* False at the end of the warp, or when is_broken. */
static inline bool stream_reader_next(struct stream_reader *r, struct stream_op *op);
/* The instruction r->next, which the block has (r->next != r->end) and whose flags are known. */
static inline bool stream_reader_take(struct stream_reader *r, struct stream_op *op,
                                      uint32_t flags);
/* The next block and its mask, without its instructions: for who wants to count, not replay.  Do
 * not mix with stream_reader_next.  False at the end, or when is_broken. */
bool stream_reader_skip(struct stream_reader *r, uint32_t *block, uint32_t *mask);
/* addr[l] of every lane of a->mask, whatever the pattern. */
void stream_access_expand(const struct stream_access *a, uint64_t addr[WARP_LANES]);

/* ---- behind stream_reader_next ---- */

bool stream_reader_enter(struct stream_reader *r);
bool stream_reader_payload(struct stream_reader *r, struct stream_op *op);

static inline bool stream_reader_take(struct stream_reader *r, struct stream_op *op, uint32_t flags)
{
    op->insn = r->next++;
    op->active = op->mask = r->mask;
    op->nsets = 0;
    if (flags & (INSN_GUARDED | INSN_MEM | INSN_BAR))
        return stream_reader_payload(r, op);
    return true;
}

static inline bool stream_reader_next(struct stream_reader *r, struct stream_op *op)
{
    if (r->next == r->end && !stream_reader_enter(r))
        return false;
    return stream_reader_take(r, op, r->kernel->insns[r->next].flags);
}

#endif
