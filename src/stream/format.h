/* format.h - the frame of a recorded file.  Private to src/stream; docs/model/stream.md draws it.
 *
 *     header     magic, version, workload                                     sealed
 *     kernel     program (sealed), frames (each with its hash in the index), index (sealed)
 *     ...
 *     directory  for each kernel the bytes of its three parts                 sealed
 *     tail       where the directory is (sealed), magic
 *
 * A sealed part ends in a hash of all before it in the part; its kind is the hash's seed, so that
 * no part passes for another. */
#ifndef HEDDLE_STREAM_FORMAT_H
#define HEDDLE_STREAM_FORMAT_H

#include "base/bytes.h"

enum { FORMAT_VERSION = 5 };

#define FORMAT_MAGIC "HDSTREAM"
#define FORMAT_END_MAGIC "HDSTREND"
enum { FORMAT_MAGIC_BYTES = 8 };

enum format_seal {
    SEAL_HEADER = 1,
    SEAL_PROGRAM,
    SEAL_FRAME,
    SEAL_INDEX,
    SEAL_DIRECTORY,
    SEAL_TAIL,
};

enum {
    FORMAT_SEAL_BYTES = 8,
    FORMAT_HEADER_BYTES = FORMAT_MAGIC_BYTES + 4 + 4, /* then the workload's name and the seal */
    FORMAT_TAIL_BYTES = 8 + 8 + FORMAT_SEAL_BYTES + FORMAT_MAGIC_BYTES,
};

static inline void format_put_seal(struct bytes *part, enum format_seal kind)
{
    bytes_put_u64(part, bytes_hash(kind, part->at, part->used));
}

static inline bool format_is_sealed(const uint8_t *part, size_t n, enum format_seal kind)
{
    return n >= FORMAT_SEAL_BYTES && bytes_load64(part + n - FORMAT_SEAL_BYTES) ==
                                         bytes_hash(kind, part, n - FORMAT_SEAL_BYTES);
}

#endif
