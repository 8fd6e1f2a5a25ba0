/* store_priv.h - the inside of a store, for the files of src/stream that fill or read one. */
#ifndef HEDDLE_STREAM_STORE_PRIV_H
#define HEDDLE_STREAM_STORE_PRIV_H

#include <zstd.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "stream/store.h"

/* A frame is closed when it holds this much: large enough to compress well, small enough that
 * fetching one CTA out of it costs little. */
enum { FRAME_BYTES = 64 << 10, FRAME_ZSTD_LEVEL = 1 };
/* No zstd block of 128 KB takes less than four bytes. */
enum { FRAME_MOST_RATIO = 32 << 10 };

struct frame {
    const uint8_t *memory; /* NULL: in the file */
    uint64_t offset, hash; /* in the file; of the stored bytes */
    uint32_t stored, raw;  /* bytes */
};

struct cta_place {
    uint32_t frame;  /* 1 + its number; 0: not in yet */
    uint32_t offset; /* in the raw frame */
};

struct stream_store {
    struct arena *arena;
    const struct stream_kernel *source; /* the caller's, until finished */
    struct stream_kernel kernel;        /* a copy */
    struct cta_place *place;            /* by CTA */
    uint32_t *order;                    /* CTAs as they came; not in a store read from a file */
    uint32_t nctas, added;
    struct bytes frames; /* of struct frame */
    uint32_t nframes;
    uint64_t *block_runs; /* how often each block was entered */
    uint64_t warps, thread_insns, raw_bytes, stored_bytes;

    uint64_t memory_limit, memory_used;
    int fd; /* -1: none so far */
    bool owns_fd;
    uint64_t file_end; /* where the next frame goes */
    const char *path;  /* for errors */
    bool is_finished;

    struct bytes raw, packed; /* the frame being filled; the last one compressed */
    ZSTD_CCtx *zstd;
};

/* As stream_store_new, with every frame written to `fd` from `offset` on. */
struct stream_store *store_new_in_file(const struct stream_kernel *k, int fd, uint64_t offset,
                                       const char *path, struct err *e);

/* Empty, for the kernel that the caller has put in `a`; takes the arena. */
struct stream_store *store_alloc(struct arena *a, const struct stream_kernel *kernel);
void store_push_frame(struct stream_store *s, struct frame f);

static inline const struct frame *store_frame(const struct stream_store *s, uint32_t i)
{
    return (const struct frame *)(const void *)s->frames.at + i;
}

#endif
