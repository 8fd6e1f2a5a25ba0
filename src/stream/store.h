/* store.h - a kernel's stream, spooled: compressed frames of CTAs in memory, spilling to a
 * temporary file past a limit; or written to a file as it comes (`heddle record`), or read from
 * one.  CTAs may be added in any order; each is found again by its linear id.
 *
 * Memory: the frames (up to the limit), one frame being filled, 32 bytes per frame and 12 per CTA
 * of index.  docs/model/stream.md has the file format. */
#ifndef HEDDLE_STREAM_STORE_H
#define HEDDLE_STREAM_STORE_H

#include "base/err.h"
#include "stream/reader.h"
#include "stream/writer.h"

struct stream_store;

struct stream_totals {
    uint64_t ctas, warps, insns, thread_insns;
    uint64_t raw_bytes, stored_bytes, file_bytes; /* the last: of the stored, those in a file */
    /* Dynamic warp instructions, by what the static instruction says: those whose guard was off
     * for all lanes are counted, and INSN_MULTI by the instruction's own space. */
    uint64_t by_unit[UNIT_COUNT];
    uint64_t by_space_load[STREAM_SPACES], by_space_store[STREAM_SPACES]; /* without atomics */
    uint64_t atomics;
    uint64_t assembled; /* dynamic warp instructions of the assembled view; 0: there is none */
};

/* --- one kernel in memory ------------------------------------------------------------------- */
/* The kernel is copied; only its has_grid_spin, known when it has been executed, is looked at
 * again by stream_store_finish. */
struct stream_store *stream_store_new(const struct stream_kernel *k, uint64_t memory_limit_bytes,
                                      struct err *e);
/* Takes what the writers hold (they can then be reset).  Each CTA exactly once, with all its
 * warps (stream_kernel_warps). */
bool stream_store_add(struct stream_store *s, uint32_t cta, const struct stream_writer *warps,
                      uint32_t nwarps, struct err *e);
bool stream_store_finish(struct stream_store *s, struct err *e); /* all CTAs are in */
const struct stream_kernel *stream_store_kernel(const struct stream_store *s);
struct stream_totals stream_store_totals(const struct stream_store *s);
void stream_store_free(struct stream_store *s);
/* One number for all that a finished store says, however it is encoded: stores with the same
 * digest hold the same operations with the same addresses in the same warps.  0 with *e set. */
uint64_t stream_store_digest(const struct stream_store *s, struct err *e);

/* A cursor keeps one decompressed frame; several may be open on one finished store, one per
 * thread.  The warps stay valid until the next seek of this cursor. */
struct stream_cursor;
struct stream_cursor *stream_cursor_new(const struct stream_store *s, struct err *e);
bool stream_cursor_seek(struct stream_cursor *c, uint32_t cta, const struct stream_warp **warps,
                        uint32_t *nwarps, struct err *e);
/* Whether a seek to this CTA is cheap: it is in the frame that the cursor keeps. */
bool stream_cursor_holds(const struct stream_cursor *c, uint32_t cta);
void stream_cursor_free(struct stream_cursor *c);

/* --- recorded files: many kernels, zstd, versioned header, checksums ------------------------- */
struct stream_file_writer;
struct stream_file_writer *
stream_file_create(const char *path, const char *workload,
                   struct err *e); /* written to a temp, renamed on close */
/* Kernels come one after another; memory holds one frame and the index of one kernel.  After a
 * failure there is only stream_file_abandon. */
bool stream_file_begin(struct stream_file_writer *f, const struct stream_kernel *k, struct err *e);
bool stream_file_add(struct stream_file_writer *f, uint32_t cta, const struct stream_writer *warps,
                     uint32_t nwarps, struct err *e);
bool stream_file_end(struct stream_file_writer *f, bool has_grid_spin, struct err *e);
bool stream_file_close(struct stream_file_writer *f, struct err *e); /* commits; frees */
void stream_file_abandon(struct stream_file_writer *f);              /* nothing is left behind */

struct stream_file;
struct stream_file *stream_file_open(const char *path, struct err *e); /* checks header and index */
uint32_t stream_file_kernels(const struct stream_file *f);
const char *stream_file_workload(const struct stream_file *f);
/* One kernel as a finished store, reading the file when a cursor seeks. */
struct stream_store *stream_file_kernel(struct stream_file *f, uint32_t kernel, struct err *e);
void stream_file_free(struct stream_file *f); /* after the stores */

#endif
