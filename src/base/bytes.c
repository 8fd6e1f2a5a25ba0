/* bytes.c - growing byte buffers, little-endian numbers in them, and a checksum. */
#include "base/bytes.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/rng.h"

#define FIRST_SIZE ((size_t)256)

static _Noreturn void out_of_memory(size_t bytes)
{
    fprintf(stderr, "heddle: out of memory (%zu more bytes wanted)\n", bytes);
    _Exit(STATUS_BUDGET); /* not exit(): buffered, half-written results must not be flushed */
}

void bytes_grow(struct bytes *b, size_t more)
{
    if (more > SIZE_MAX / 4 || b->used > SIZE_MAX / 4)
        out_of_memory(more);
    size_t need = b->used + more, size = b->size < FIRST_SIZE ? FIRST_SIZE : b->size * 2;
    if (size < need)
        size = need;
    uint8_t *at = realloc(b->at, size);
    if (!at)
        out_of_memory(size);
    b->at = at;
    b->size = size;
}

void bytes_free(struct bytes *b)
{
    free(b->at);
    *b = (struct bytes){0};
}

void bytes_put(struct bytes *b, const void *p, size_t n)
{
    if (n)
        memcpy(bytes_room(b, n), p, n);
    b->used += n;
}

void bytes_put_u8(struct bytes *b, uint8_t v)
{
    *bytes_room(b, 1) = v;
    b->used++;
}

void bytes_put_u32(struct bytes *b, uint32_t v)
{
    bytes_store64(bytes_room(b, 8), v);
    b->used += 4;
}

void bytes_put_u64(struct bytes *b, uint64_t v)
{
    bytes_store64(bytes_room(b, 8), v);
    b->used += 8;
}

void bytes_put_varint(struct bytes *b, uint64_t v)
{
    uint8_t *p = bytes_room(b, 10);
    for (; v >= 0x80; v >>= 7)
        *p++ = (uint8_t)(v | 0x80);
    *p++ = (uint8_t)v;
    b->used = (size_t)(p - b->at);
}

const uint8_t *bytes_take(struct bytes_in *in, size_t n)
{
    if (bytes_left(in) < n) {
        in->is_short = true;
        in->at = in->end;
        return NULL;
    }
    const uint8_t *p = in->at;
    in->at += n;
    return p;
}

uint8_t bytes_take_u8(struct bytes_in *in)
{
    const uint8_t *p = bytes_take(in, 1);
    return p ? *p : 0;
}

uint32_t bytes_take_u32(struct bytes_in *in)
{
    const uint8_t *p = bytes_take(in, 4);
    uint32_t v = 0;
    for (int i = 0; p && i < 4; i++)
        v |= (uint32_t)p[i] << (8 * i);
    return v;
}

uint64_t bytes_take_u64(struct bytes_in *in)
{
    const uint8_t *p = bytes_take(in, 8);
    return p ? bytes_load64(p) : 0;
}

uint64_t bytes_take_varint(struct bytes_in *in)
{
    uint64_t v = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        uint64_t byte = bytes_take_u8(in);
        if (shift == 63 && byte > 1)
            break;
        v |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return in->is_short ? 0 : v;
    }
    in->is_short = true;
    in->at = in->end;
    return 0;
}

uint64_t bytes_take_at_most(struct bytes_in *in, uint64_t most)
{
    uint64_t v = bytes_take_varint(in);
    if (v <= most)
        return v;
    in->is_short = true;
    return 0;
}

uint64_t bytes_hash(uint64_t seed, const void *p, size_t n)
{
    const uint8_t *at = p;
    uint64_t h = rng_key(seed, n);
    for (; n >= 8; at += 8, n -= 8)
        h = rng_mix(h ^ bytes_load64(at)) + 0x9e3779b97f4a7c15u;
    uint8_t last[8] = {0};
    if (n)
        memcpy(last, at, n);
    return rng_mix(h ^ bytes_load64(last));
}

uint64_t bytes_hash_text(uint64_t seed, const char *text)
{
    return bytes_hash(seed, text, strlen(text) + 1);
}

uint64_t bytes_hash_u64(uint64_t seed, uint64_t v)
{
    uint8_t b[8];
    bytes_store64(b, v);
    return bytes_hash(seed, b, sizeof b);
}
