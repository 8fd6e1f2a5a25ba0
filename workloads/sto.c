/* sto.c - STO of the ISPASS-2009 suite: hashes of a sliding window; see kernels/storegpu.cu.
 *
 * The original hashes bytes that count up; ours random ones.  The reference is SHA-1 as FIPS 180
 * has it, on bytes, with the message "abc" as a known answer. */
#include "workload.h"

#include <string.h>

enum { THREADS = 128, PIECE = 52, OFFSET = 4, DATA_STREAM = 0 };

static uint32_t rotate(uint32_t v, int n)
{
    return v << n | v >> (32 - n);
}

static uint32_t word_of(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* The first word of the hash of a message below 56 bytes: one block. */
static uint32_t sha1_first(const uint8_t *message, size_t length)
{
    uint8_t block[64] = {0};
    uint32_t w[80], h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    memcpy(block, message, length);
    block[length] = 0x80;
    block[62] = (uint8_t)(8 * length >> 8);
    block[63] = (uint8_t)(8 * length);
    for (int t = 0; t < 80; t++)
        w[t] = t < 16 ? word_of(block + 4 * t)
                      : rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    for (int t = 0; t < 80; t++) {
        static const uint32_t k[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        uint32_t f = t / 20 == 0   ? (h[1] & h[2]) | (~h[1] & h[3])
                     : t / 20 == 2 ? (h[1] & h[2]) | (h[1] & h[3]) | (h[2] & h[3])
                                   : h[1] ^ h[2] ^ h[3];
        uint32_t next = rotate(h[0], 5) + f + h[4] + k[t / 20] + w[t];
        memmove(h + 1, h, 4 * sizeof *h);
        h[2] = rotate(h[2], 30);
        h[0] = next;
    }
    return h[0] + 0x67452301;
}

static bool check(struct work *w, const uint8_t *data, const uint8_t *got, uint32_t n,
                  struct hd_error *e)
{
    const uint32_t known = 0xa9993e36, abc = sha1_first((const uint8_t *)"abc", 3);
    uint8_t *want = work_alloc(w, (size_t)n * 4);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t hash = sha1_first(data + (size_t)i * OFFSET, PIECE);
        for (uint32_t b = 0; b < 4; b++)
            want[4 * (size_t)i + b] = (uint8_t)(hash >> (24 - 8 * b));
    }
    return work_same_u32("SHA-1 of abc", &abc, &known, 1, e) &&
           work_same_u8("byte of hashes", got, want, (size_t)n * 4, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const uint32_t ctas[SIZES] = {[SIZE_TINY] = 24,
                                         [SIZE_SMALL] = 384,
                                         [SIZE_STUDY] = 3072,
                                         [SIZE_PAPER] = 384,
                                         [SIZE_FEW] = 48};
    uint32_t n = ctas[w->size] * THREADS;
    size_t bytes = (size_t)n * OFFSET + PIECE;
    uint8_t *data = work_alloc(w, bytes), *got = work_alloc(w, (size_t)n * 4);
    for (size_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)work_random(w, DATA_STREAM, i);
    hd_ptr in = work_upload(w, data, bytes, e), out = work_device(w, (uint64_t)n * 4, e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, in);
    hd_arg_ptr(&a, out);
    hd_arg_u32(&a, n);
    return in && out &&
           work_launch(w, "sha1_overlap", (struct hd_dim){ctas[w->size], 1, 1},
                       (struct hd_dim){THREADS, 1, 1}, 0, &a, e) &&
           work_download(w, got, out, (uint64_t)n * 4, e) &&
           (!w->verify || check(w, data, got, n, e));
}

const struct workload workload_sto = {
    .name = "STO",
    .suite = "ISPASS-2009",
    .papers = "intra",
    .stands_for = "STO: SHA-1 of windows of 52 bytes, 4 apart, blocks in shared memory",
    .kernels = "storegpu",
    .inputs =
        {
            [SIZE_TINY] = "3,072 windows",
            [SIZE_SMALL] = "49,152 windows",
            [SIZE_STUDY] = "393,216 windows",
            [SIZE_PAPER] = "49,152 windows",
            [SIZE_FEW] = "6,144 windows: 48 CTAs",
        },
    .run = run,
};
