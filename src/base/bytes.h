/* bytes.h - growing byte buffers, little-endian numbers in them, and a checksum.
 *
 * Numbers are written in the same order on every machine.  A varint has seven bits per byte, the
 * lowest first; bit 7 says that another byte follows.  Signed numbers are first folded (zigzag:
 * 0, -1, 1, -2, ...) so that small ones of either sign are short. */
#ifndef HEDDLE_BASE_BYTES_H
#define HEDDLE_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
    uint8_t *at;
    size_t used, size;
};

void bytes_grow(struct bytes *b, size_t more);
void bytes_free(struct bytes *b); /* empty again, and may be filled again */

/* Where the next `more` bytes go; the caller then adds to `used` what it wrote. */
static inline uint8_t *bytes_room(struct bytes *b, size_t more)
{
    if (__builtin_expect(b->size - b->used < more, 0))
        bytes_grow(b, more);
    return b->at + b->used;
}

static inline uint64_t bytes_load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

static inline void bytes_store64(uint8_t *p, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(p, &v, sizeof v);
}

static inline uint64_t bytes_zigzag(uint64_t v) /* a two's complement difference */
{
    return (v << 1) ^ (uint64_t)((int64_t)v >> 63);
}

static inline uint64_t bytes_unzigzag(uint64_t v)
{
    return (v >> 1) ^ (0 - (v & 1));
}

void bytes_put(struct bytes *b, const void *p, size_t n);
void bytes_put_u8(struct bytes *b, uint8_t v);
void bytes_put_u32(struct bytes *b, uint32_t v);
void bytes_put_u64(struct bytes *b, uint64_t v);
void bytes_put_varint(struct bytes *b, uint64_t v);

/* Reading what may be damaged: past the end every number is 0 and `is_short` is set. */
struct bytes_in {
    const uint8_t *at, *end;
    bool is_short;
};

static inline size_t bytes_left(const struct bytes_in *in)
{
    return (size_t)(in->end - in->at);
}

const uint8_t *bytes_take(struct bytes_in *in, size_t n); /* NULL when there are fewer */
uint8_t bytes_take_u8(struct bytes_in *in);
uint32_t bytes_take_u32(struct bytes_in *in);
uint64_t bytes_take_u64(struct bytes_in *in);
uint64_t bytes_take_varint(struct bytes_in *in); /* one of more than 64 bits is short, too */
/* A varint that must not exceed `most`; a larger one counts as short. */
uint64_t bytes_take_at_most(struct bytes_in *in, uint64_t most);

/* Any change within one aligned group of eight bytes changes the hash for certain. */
uint64_t bytes_hash(uint64_t seed, const void *p, size_t n);
uint64_t bytes_hash_text(uint64_t seed, const char *text); /* with its end */
uint64_t bytes_hash_u64(uint64_t seed, uint64_t v);        /* the same on every machine */

#endif
