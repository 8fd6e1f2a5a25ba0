/* coalesce.c - which lines, and which words of them, a warp wants.
 *
 * As in Fermi and later (CUDA C Programming Guide, "Device Memory Accesses"): one access per
 * distinct 128-byte line, whatever the order of the lanes.  Most accesses are base + lane * stride
 * with the stride of the element; those take a few shifts.  Any other stride is monotone, so that
 * lanes of one line follow one another; single addresses go through a small hash table.
 *
 * Not modelled: accesses that cross a line (PTX demands natural alignment). */
#include "l1/coalesce.h"

enum { TABLE_BITS = 8, TABLE = 1 << TABLE_BITS }; /* at most half full */

/* Which accesses are there already. */
struct table {
    uint64_t used[TABLE / 64];
    uint8_t index[TABLE];
};

static inline uint32_t words_at(uint64_t address, uint32_t size)
{
    uint32_t run = size > 4 ? (1u << size / 4) - 1 : 1;
    return run << (address >> 2 & (LINE_WORDS - 1));
}

static inline uint64_t line_of(uint64_t address)
{
    return address & ~(uint64_t)(LINE_BYTES - 1);
}

/* Where `key` is in out[0..n), or n. */
static inline uint32_t table_find(struct table *t, const uint64_t *keys, uint32_t n, uint64_t key)
{
    uint32_t h = (uint32_t)(key * 0x9e3779b97f4a7c15u >> (64 - TABLE_BITS));
    for (;; h = (h + 1) & (TABLE - 1)) {
        uint64_t bit = 1ull << (h & 63);
        if (!(t->used[h >> 6] & bit)) {
            t->used[h >> 6] |= bit;
            t->index[h] = (uint8_t)n;
            return n;
        }
        if (keys[t->index[h]] == key)
            return t->index[h];
    }
}

static inline uint64_t address_of(const struct stream_access *a, uint32_t lane)
{
    return a->pattern == PATTERN_LANES    ? a->addr[lane]
           : a->pattern == PATTERN_STRIDE ? a->base + (uint64_t)a->stride * lane
                                          : a->base;
}

/* Each bit `times` times (1, 2, 4); 32 / times bits in. */
static inline uint32_t repeat_bits(uint32_t x, uint32_t times)
{
    if (times == 1)
        return x;
    if (times == 2) {
        x = (x | x << 8) & 0x00ff00ff;
        x = (x | x << 4) & 0x0f0f0f0f;
        x = (x | x << 2) & 0x33333333;
        x = (x | x << 1) & 0x55555555;
        return x * 3;
    }
    x = (x | x << 12) & 0x000f000f;
    x = (x | x << 6) & 0x03030303;
    x = (x | x << 3) & 0x11111111;
    return x * 15;
}

/* Lane l is item (o + l) % L of line (o + l) / L, with L items in a line and o before lane 0. */
static uint32_t unit_stride(const struct stream_access *a, uint32_t size, struct coalesced *out)
{
    const uint32_t shift = (uint32_t)__builtin_ctz(size), per_line = LINE_BYTES >> shift;
    const uint32_t before = (uint32_t)(a->base & (LINE_BYTES - 1)) >> shift;
    uint64_t line = line_of(a->base), items = (uint64_t)a->mask << before;
    uint32_t n = 0;
    for (; items; items >>= per_line, line += LINE_BYTES) {
        uint32_t here = (uint32_t)(items & ((1ull << per_line) - 1));
        if (here)
            out[n++] = (struct coalesced){line, repeat_bits(here, size / 4)};
    }
    return n;
}

/* Addresses go one way: a line once left does not come again. */
static uint32_t any_stride(const struct stream_access *a, uint32_t size, struct coalesced *out)
{
    uint64_t at = a->base + (uint64_t)a->stride * (uint32_t)__builtin_ctz(a->mask);
    struct coalesced now = {line_of(at), 0};
    uint32_t n = 0;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        at = a->base + (uint64_t)a->stride * (uint32_t)__builtin_ctz(rest);
        if (line_of(at) != now.line) {
            out[n++] = now;
            now = (struct coalesced){line_of(at), 0};
        }
        now.words |= words_at(at, size);
    }
    out[n++] = now;
    return n;
}

static uint32_t gather(const struct stream_access *a, uint32_t size, struct coalesced *out)
{
    struct table t;
    for (int k = 0; k < TABLE / 64; k++)
        t.used[k] = 0;
    const uint32_t run = words_at(0, size);
    uint64_t keys[COALESCE_LINES + 1];
    uint32_t n = 0;
    for (uint32_t rest = a->mask; rest;) {
        uint64_t at = a->addr[__builtin_ctz(rest)], line = line_of(at);
        uint32_t words = 0;
        do { /* neighbours are mostly of one line */
            words |= run << (at >> 2 & (LINE_WORDS - 1));
            rest &= rest - 1;
            at = rest ? a->addr[__builtin_ctz(rest)] : ~line;
        } while (line_of(at) == line);
        uint32_t i = table_find(&t, keys, n, line);
        if (i == n) {
            keys[n] = line;
            out[n++] = (struct coalesced){line, 0};
        }
        out[i].words |= words;
    }
    return n;
}

uint32_t coalesce_lines(const struct stream_access *a, uint32_t size, struct coalesced *out)
{
    if (a->pattern == PATTERN_STRIDE && a->stride == 4 && size == 4 && a->mask == UINT32_MAX &&
        (a->base & (LINE_BYTES - 1)) == 0) { /* the one that matters most */
        out[0] = (struct coalesced){a->base, UINT32_MAX};
        return 1;
    }
    if (a->pattern == PATTERN_LANES)
        return gather(a, size, out);
    if (a->pattern == PATTERN_UNIFORM || a->stride == 0) {
        out[0] = (struct coalesced){line_of(a->base), words_at(a->base, size)};
        return 1;
    }
    bool is_unit = a->stride == (int64_t)size && size >= 4 && (a->base & (size - 1)) == 0;
    return is_unit ? unit_stride(a, size, out) : any_stride(a, size, out);
}

uint32_t coalesce_segments(const struct stream_access *a, uint32_t size, uint32_t bytes,
                           struct coalesced *out)
{
    const uint32_t whole = (1u << bytes / 4) - 1;
    const uint32_t lanes = a->pattern == PATTERN_UNIFORM ? a->mask & -a->mask : a->mask;
    struct table t;
    for (int k = 0; k < TABLE / 64; k++)
        t.used[k] = 0;
    uint64_t keys[COALESCE_LINES + 1];
    uint32_t n = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t at = address_of(a, (uint32_t)__builtin_ctz(rest)),
                 key = at & ~(uint64_t)(bytes - 1);
        uint32_t i = table_find(&t, keys, n, key);
        if (i == n) {
            keys[n] = key;
            out[n++] = (struct coalesced){line_of(at), 0};
        }
        out[i].words |= words_at(at, size) & whole << (key >> 2 & (LINE_WORDS - 1));
    }
    return n;
}

uint32_t coalesce_items(const struct stream_access *a, uint32_t size, struct coalesced *out)
{
    if (a->pattern == PATTERN_UNIFORM) {
        out[0] = (struct coalesced){line_of(a->base), words_at(a->base, size)};
        return 1;
    }
    struct table t;
    for (int k = 0; k < TABLE / 64; k++)
        t.used[k] = 0;
    uint64_t keys[COALESCE_LINES + 1];
    uint32_t n = 0;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        uint64_t at = address_of(a, (uint32_t)__builtin_ctz(rest)) & ~(uint64_t)3;
        if (table_find(&t, keys, n, at) == n) {
            keys[n] = at;
            out[n++] = (struct coalesced){line_of(at), words_at(at, size)};
        }
    }
    return n;
}

static uint32_t local_lanes(const struct stream_access *a, uint32_t nwords, uint64_t base,
                            struct coalesced *out)
{
    struct table t;
    for (int k = 0; k < TABLE / 64; k++)
        t.used[k] = 0;
    uint64_t keys[COALESCE_LOCAL + 1];
    uint32_t n = 0;
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t first = address_of(a, lane) >> 2;
        for (uint64_t word = first; word < first + nwords; word++) {
            uint32_t i = table_find(&t, keys, n, word);
            if (i == n) {
                keys[n] = word;
                out[n++] = (struct coalesced){base + word * LINE_BYTES, 0};
            }
            out[i].words |= 1u << lane;
        }
    }
    return n;
}

uint32_t coalesce_local(const struct stream_access *a, uint32_t size, uint64_t base,
                        struct coalesced *out)
{
    uint32_t nwords = size > 4 ? size / 4 : 1;
    if (a->pattern != PATTERN_UNIFORM)
        return local_lanes(a, nwords, base, out);
    for (uint32_t w = 0; w < nwords; w++)
        out[w] = (struct coalesced){base + ((a->base >> 2) + w) * LINE_BYTES, a->mask};
    return nwords;
}
