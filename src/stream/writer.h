/* writer.h - the stream of one warp, while it executes.
 *
 * Two byte buffers: control (blocks and masks) and payload (see stream.h), so that the executor
 * can write a block's payload as it goes.  The buffers grow; nothing is lost or flushed until the
 * CTA ends and stream_store takes them (store.h).
 *
 * What is written for nearly every block or access is inline here: a few instructions each. */
#ifndef HEDDLE_STREAM_WRITER_H
#define HEDDLE_STREAM_WRITER_H

#include "base/bytes.h"
#include "base/err.h"
#include "stream/codec.h"
#include "stream/stream.h"

struct stream_writer {
    struct bytes control, payload;
    uint32_t last_block, last_mask;
    uint32_t mask_before; /* the mask before last_mask */
    uint32_t last_lanes;  /* lanes in last_mask */
    uint32_t next_slot;   /* codec.h */
    uint64_t slots[CODEC_SLOTS], last_base[STREAM_SPACES];
    int64_t last_stride[STREAM_SPACES]; /* of those that are no small power of two */
    uint64_t insns;                     /* dynamic warp instructions */
    uint64_t thread_insns;              /* the same times active lanes */
};

void stream_writer_init(struct stream_writer *w);
void stream_writer_reset(struct stream_writer *w); /* for the next CTA; keeps the buffers */
void stream_writer_free(struct stream_writer *w);

/* The warp enters `block` of `count` instructions with `mask` (not 0). */
static inline void stream_writer_block(struct stream_writer *w, uint32_t block, uint32_t count,
                                       uint32_t mask);

/* Payloads, in the order of stream.h.  `active` is the mask of the current block. */
static inline void stream_writer_guard(struct stream_writer *w, uint32_t active, uint32_t mask);
void stream_writer_bar(struct stream_writer *w, uint32_t id, uint32_t threads);
void stream_writer_sets(struct stream_writer *w, uint32_t nsets); /* INSN_MULTI: before the sets */
void stream_writer_set(struct stream_writer *w, enum stream_space space, uint32_t active,
                       uint32_t mask); /* INSN_MULTI: before each set's addresses */
/* Addresses.  The first two take the caller's word; the third finds the pattern of the lanes in
 * `mask` (not 0) itself and does not look at the others. */
static inline void stream_writer_uniform(struct stream_writer *w, enum stream_space space,
                                         uint64_t base);
static inline void stream_writer_stride(struct stream_writer *w, enum stream_space space,
                                        uint64_t base, int64_t stride);
void stream_writer_lanes(struct stream_writer *w, enum stream_space space, uint32_t mask,
                         const uint64_t addr[WARP_LANES]);

/* ---- behind the above ---- */

enum { STREAM_WRITER_ROOM = 32 }; /* more than a guard or an address set without lanes takes */

void stream_writer_block_slow(struct stream_writer *w, uint32_t block, uint32_t count,
                              uint32_t mask);
void stream_writer_guard_slow(struct stream_writer *w, uint32_t active, uint32_t mask);
void stream_writer_stride_slow(struct stream_writer *w, enum stream_space space, uint64_t base,
                               int64_t stride);

static inline void stream_writer_block(struct stream_writer *w, uint32_t block, uint32_t count,
                                       uint32_t mask)
{
    uint32_t step = block - w->last_block;
    uint32_t folded = (step << 1) ^ (uint32_t)((int32_t)step >> 31);
    if (__builtin_expect(folded >= CODEC_FAR || mask != w->last_mask, 0)) {
        stream_writer_block_slow(w, block, count, mask);
        return;
    }
    *bytes_room(&w->control, 1) = (uint8_t)(folded << 2 | CODEC_MASK_SAME);
    w->control.used++;
    w->last_block = block;
    w->next_slot = codec_first_slot(block);
    w->insns += count;
    w->thread_insns += (uint64_t)count * w->last_lanes;
}

static inline void stream_writer_guard(struct stream_writer *w, uint32_t active, uint32_t mask)
{
    if (__builtin_expect(mask != 0 && mask != w->last_mask, 0)) {
        stream_writer_guard_slow(w, active, mask);
        return;
    }
    *bytes_room(&w->payload, 1) = mask ? CODEC_GUARD_ALL : CODEC_GUARD_NONE;
    w->payload.used++;
    w->next_slot += mask == 0; /* the accesses after it keep their slots */
}

/* The first byte of an address set and its base. */
static inline uint8_t *stream_writer_base(struct stream_writer *w, uint8_t *p,
                                          enum stream_space space, uint64_t base, unsigned low)
{
    uint64_t *slot = codec_slot(w->slots, &w->next_slot);
    uint64_t folded = bytes_zigzag(base - (*slot ? *slot : w->last_base[space]));
    unsigned code = codec_base_code(folded);
    *p = (uint8_t)(low | code << 5);
    bytes_store64(p + 1, folded);
    *slot = w->last_base[space] = base;
    return p + 1 + codec_base_bytes(code);
}

static inline void stream_writer_uniform(struct stream_writer *w, enum stream_space space,
                                         uint64_t base)
{
    uint8_t *p = bytes_room(&w->payload, STREAM_WRITER_ROOM);
    p = stream_writer_base(w, p, space, base, PATTERN_UNIFORM);
    w->payload.used = (size_t)(p - w->payload.at);
}

static inline void stream_writer_stride(struct stream_writer *w, enum stream_space space,
                                        uint64_t base, int64_t stride)
{
    if (__builtin_expect(
            stride <= 0 || stride >= 1 << CODEC_STRIDE_POWERS || (stride & (stride - 1)) != 0, 0)) {
        stream_writer_stride_slow(w, space, base, stride);
        return;
    }
    unsigned form = (unsigned)__builtin_ctzll((uint64_t)stride);
    uint8_t *p = bytes_room(&w->payload, STREAM_WRITER_ROOM);
    p = stream_writer_base(w, p, space, base, PATTERN_STRIDE | form << 2);
    w->payload.used = (size_t)(p - w->payload.at);
}

#endif
