/* aes.c - AES of the ISPASS-2009 suite: encryption of a picture; see kernels/aes.cu.
 *
 * The original encrypts a bitmap of 256x256 pixels (257 KB with its head) with a key from a file;
 * ours encrypts random bytes.  Key and first block are the example of FIPS 197, appendix C.1, whose
 * cipher is known; the reference follows the standard step by step and has no tables but the
 * substitution, which is computed. */
#include "workload.h"

#include <string.h>

enum { BLOCK = 16, THREADS = 256, CTA_BYTES = 4 * THREADS, ROUNDS = 10, TEXT_STREAM = 0 };

struct cipher {
    uint8_t substitute[256];
    uint8_t keys[ROUNDS + 1][BLOCK];
};

/* ---- the standard ----------------------------------------------------------------------------- */

static uint8_t twice(uint8_t x)
{
    return (uint8_t)(x << 1 ^ (x & 0x80 ? 0x1b : 0));
}

static uint8_t product(uint8_t a, uint8_t b)
{
    uint8_t sum = 0;
    for (; b; b = (uint8_t)(b >> 1), a = twice(a))
        sum = (uint8_t)(sum ^ (b & 1 ? a : 0));
    return sum;
}

/* The inverse in the field, then an affine map of bits. */
static uint8_t substitution(uint8_t x)
{
    uint8_t inverse = 1, result = 0x63;
    for (int i = 0; i < 254; i++) /* x to the power of 254 */
        inverse = product(inverse, x);
    for (int i = 0; i < 5; i++)
        result = (uint8_t)(result ^ (inverse << i | inverse >> (8 - i)));
    return result;
}

static void expand(struct cipher *c, const uint8_t key[BLOCK])
{
    uint8_t *k = c->keys[0], constant = 1;
    memcpy(k, key, BLOCK);
    for (int i = BLOCK; i < BLOCK * (ROUNDS + 1); i += 4) {
        uint8_t word[4];
        memcpy(word, k + i - 4, 4);
        if (i % BLOCK == 0) {
            for (int b = 0; b < 4; b++)
                word[b] = c->substitute[k[i - 4 + (b + 1) % 4]];
            word[0] ^= constant;
            constant = twice(constant);
        }
        for (int b = 0; b < 4; b++)
            k[i + b] = k[i - BLOCK + b] ^ word[b];
    }
}

static void mix_column(uint8_t *s)
{
    uint8_t a[4];
    memcpy(a, s, 4);
    for (int i = 0; i < 4; i++)
        s[i] = (uint8_t)(twice(a[i]) ^ twice(a[(i + 1) % 4]) ^ a[(i + 1) % 4] ^ a[(i + 2) % 4] ^
                         a[(i + 3) % 4]);
}

static void encrypt(const struct cipher *c, uint8_t out[BLOCK], const uint8_t in[BLOCK])
{
    uint8_t s[BLOCK];
    for (int i = 0; i < BLOCK; i++)
        out[i] = in[i] ^ c->keys[0][i];
    for (int round = 1; round <= ROUNDS; round++) {
        for (int i = 0; i < BLOCK; i++) /* rows are shifted: byte i is row i % 4 of column i / 4 */
            s[i] = c->substitute[out[(i + 4 * (i % 4)) % BLOCK]];
        for (int column = 0; column < 4 && round < ROUNDS; column++)
            mix_column(s + 4 * column);
        for (int i = 0; i < BLOCK; i++)
            out[i] = s[i] ^ c->keys[round][i];
    }
}

/* ---- the kernel's inputs ---------------------------------------------------------------------- */

static void make_cipher(struct cipher *c)
{
    uint8_t key[BLOCK];
    for (int i = 0; i < 256; i++)
        c->substitute[i] = substitution((uint8_t)i);
    for (int i = 0; i < BLOCK; i++)
        key[i] = (uint8_t)i;
    expand(c, key);
}

/* Substitution and mixing of a byte in each of the four rows, as words of bytes from the lowest. */
static void make_tables(const struct cipher *c, uint32_t tables[4][256])
{
    for (int row = 0; row < 4; row++) {
        for (int x = 0; x < 256; x++) {
            uint8_t column[4] = {0};
            column[row] = c->substitute[x];
            mix_column(column);
            tables[row][x] = (uint32_t)column[0] | (uint32_t)column[1] << 8 |
                             (uint32_t)column[2] << 16 | (uint32_t)column[3] << 24;
        }
    }
}

static bool check(struct work *w, const struct cipher *c, const uint8_t *in, const uint8_t *got,
                  size_t n, struct hd_error *e)
{
    static const uint8_t known[BLOCK] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                         0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
    uint8_t *want = work_alloc(w, n);
    for (size_t i = 0; i < n; i += BLOCK)
        encrypt(c, want + i, in + i);
    return work_same_u8("cipher of FIPS 197", got, known, BLOCK, e) &&
           work_same_u8("cipher", got, want, n, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const uint32_t ctas[SIZES] = {[SIZE_TINY] = 16,
                                         [SIZE_SMALL] = 257,
                                         [SIZE_STUDY] = 2056,
                                         [SIZE_PAPER] = 257,
                                         [SIZE_FEW] = 48};
    size_t n = (size_t)ctas[w->size] * CTA_BYTES;
    uint8_t *text = work_alloc(w, n), *got = work_alloc(w, n);
    uint32_t tables[4][256];
    struct cipher c;
    make_cipher(&c);
    make_tables(&c, tables);
    for (size_t i = 0; i < n; i++)
        text[i] = i < BLOCK ? (uint8_t)(0x11 * i) : (uint8_t)work_random(w, TEXT_STREAM, i);
    hd_ptr in = work_upload(w, text, n, e), out = work_device(w, n, e);
    hd_ptr keys = work_upload(w, c.keys, sizeof c.keys, e);
    if (!in || !out || !keys || !work_symbol(w, "tables", tables, sizeof tables, e))
        return false;
    hd_texture key = work_texture_linear(w, keys, sizeof c.keys / 4, 1, 32, HD_UNSIGNED, e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, out);
    hd_arg_ptr(&a, in);
    hd_arg_i64(&a, (int64_t)key);
    return key &&
           work_launch(w, "aes_encrypt128", (struct hd_dim){ctas[w->size], 1, 1},
                       (struct hd_dim){THREADS, 1, 1}, 0, &a, e) &&
           work_download(w, got, out, n, e) && (!w->verify || check(w, &c, text, got, n, e));
}

const struct workload workload_aes = {
    .name = "AES",
    .suite = "ISPASS-2009",
    .papers = "coalesce",
    .stands_for = "AES: encryption, tables from constant to shared memory, key by texture",
    .kernels = "aes",
    .inputs =
        {
            [SIZE_TINY] = "16 KiB",
            [SIZE_SMALL] = "257 KiB",
            [SIZE_STUDY] = "2056 KiB",
            [SIZE_PAPER] = "257 KiB",
            [SIZE_FEW] = "48 KiB: 48 CTAs",
        },
    .run = run,
};
