/* Coalescing: by hand, and against a slow obvious reference on random accesses. */
#include "l1/coalesce.h"

#include "base/rng.h"
#include "check.h"

static uint64_t lane_address(const struct stream_access *a, uint32_t lane)
{
    if (a->pattern == PATTERN_LANES)
        return a->addr[lane];
    return a->pattern == PATTERN_STRIDE ? a->base + (uint64_t)(a->stride * (int64_t)lane) : a->base;
}

/* `address` wants `words` of its line, as an access of its own if `is_apart`. */
static uint32_t add(struct coalesced *out, uint32_t n, struct coalesced c, bool is_apart)
{
    for (uint32_t i = 0; i < n; i++)
        if (out[i].line == c.line && (!is_apart || out[i].words == c.words)) {
            out[i].words |= c.words;
            return n;
        }
    out[n] = c;
    return n + 1;
}

static uint32_t reference(const struct stream_access *a, uint32_t size, struct coalesced *out,
                          bool is_apart)
{
    uint32_t n = 0;
    for (uint32_t l = 0; l < 32; l++) {
        if (!(a->mask >> l & 1))
            continue;
        uint64_t at = lane_address(a, l);
        uint32_t words = 0;
        for (uint64_t b = at; b < at + size; b++)
            words |= 1u << (b % 128 / 4);
        n = add(out, n, (struct coalesced){at / 128 * 128, words}, is_apart);
    }
    return n;
}

/* Lines shorter than those that words are told of: an access per distinct one. */
static uint32_t segments_reference(const struct stream_access *a, uint32_t size, uint32_t bytes,
                                   struct coalesced *out)
{
    uint64_t segment[32];
    uint32_t n = 0;
    for (uint32_t l = 0; l < 32; l++) {
        uint64_t at = lane_address(a, l);
        uint32_t i = 0;
        if (!(a->mask >> l & 1))
            continue;
        while (i < n && segment[i] != at / bytes)
            i++;
        if (i == n) {
            segment[n] = at / bytes;
            out[n++] = (struct coalesced){at / 128 * 128, 0};
        }
        for (uint64_t b = at; b < at + size; b++)
            out[i].words |= 1u << (b % 128 / 4);
    }
    return n;
}

static uint32_t local_reference(const struct stream_access *a, uint32_t size, uint64_t base,
                                struct coalesced *out)
{
    uint32_t n = 0;
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t b = 0; (a->mask >> l & 1) && b < size; b++) {
            uint64_t offset = lane_address(a, l) + b;
            uint64_t at = base + (offset / 4 * 32 + l) * 4 + offset % 4;
            n = add(out, n, (struct coalesced){at / 128 * 128, 1u << (at % 128 / 4)}, false);
        }
    return n;
}

static void check_same(const struct coalesced *a, uint32_t na, const struct coalesced *b,
                       uint32_t nb)
{
    CHECK_EQ(na, nb);
    for (uint32_t i = 0; i < na; i++) {
        CHECK_EQ(a[i].line, b[i].line);
        CHECK_EQ(a[i].words, b[i].words);
    }
}

static struct stream_access random_access(uint64_t key, uint32_t size)
{
    struct stream_access a = {.pattern = rng_below(rng_at(key, 0), 3)};
    uint32_t window = 256u << rng_below(rng_at(key, 1), 8);
    a.mask = rng_at(key, 2) & 1 ? UINT32_MAX : (uint32_t)rng_at(key, 3);
    a.mask = rng_at(key, 4) & 3 ? a.mask : a.mask & (uint32_t)rng_at(key, 5);
    a.mask = a.mask ? a.mask : 1u << rng_below(rng_at(key, 6), 32);
    a.base = 1 << 20 | rng_below(rng_at(key, 7), window) / size * size;
    a.stride = (int64_t)size * ((int64_t)rng_below(rng_at(key, 8), 35) - 17);
    a.stride = rng_at(key, 9) & 1 ? (int64_t)size : a.stride;
    for (uint32_t l = 0; l < 32; l++)
        a.addr[l] = 1 << 20 | rng_below(rng_at(key, 10 + l), window) / size * size;
    return a;
}

static void random_accesses_agree_with_the_reference(void)
{
    for (uint64_t i = 0; i < 60000; i++) {
        uint32_t size = 1u << i % 5;
        struct stream_access a = random_access(rng_key(1, i), size);
        struct coalesced got[COALESCE_LOCAL], want[COALESCE_LOCAL];
        check_same(got, coalesce_lines(&a, size, got), want, reference(&a, size, want, false));
        check_same(got, coalesce_items(&a, size, got), want, reference(&a, size, want, true));
        for (uint32_t bytes = 32; bytes < LINE_BYTES; bytes *= 2)
            check_same(got, coalesce_segments(&a, size, bytes, got), want,
                       segments_reference(&a, size, bytes, want));
        check_same(got, coalesce_local(&a, size, 1 << 30, got), want,
                   local_reference(&a, size, 1 << 30, want));
    }
}

static struct stream_access stride(uint64_t base, int64_t by, uint32_t mask)
{
    return (struct stream_access){
        .pattern = PATTERN_STRIDE, .base = base, .stride = by, .mask = mask};
}

static void a_warp_of_neighbouring_words_is_one_line(void)
{
    struct coalesced out[32];
    struct stream_access a = stride(0x1000, 4, UINT32_MAX);
    CHECK_EQ(coalesce_lines(&a, 4, out), 1);
    CHECK_EQ(out[0].line, 0x1000);
    CHECK_EQ(out[0].words, UINT32_MAX);
}

static void a_misaligned_warp_is_two_lines(void)
{
    struct coalesced out[32];
    struct stream_access a = stride(0x1008, 4, UINT32_MAX);
    CHECK_EQ(coalesce_lines(&a, 4, out), 2);
    CHECK_EQ(out[0].words, 0xfffffffc);
    CHECK_EQ(out[1].line, 0x1080);
    CHECK_EQ(out[1].words, 3);
}

static void a_stride_of_a_line_is_a_line_per_lane(void)
{
    struct coalesced out[32];
    struct stream_access a = stride(0x1000, -128, 0xf0000001);
    CHECK_EQ(coalesce_lines(&a, 16, out), 5);
    CHECK_EQ(out[0].line, 0x1000);
    CHECK_EQ(out[0].words, 15);
    CHECK_EQ(out[4].line, 0x1000 - 31 * 128);
}

static void lines_come_in_the_order_of_their_lowest_lane(void)
{
    struct coalesced out[32];
    struct stream_access a = {.pattern = PATTERN_LANES, .mask = 0xf};
    a.addr[0] = 0x300;
    a.addr[1] = 0x100;
    a.addr[2] = 0x304;
    a.addr[3] = 0x000;
    CHECK_EQ(coalesce_lines(&a, 4, out), 3);
    CHECK_EQ(out[0].line, 0x300);
    CHECK_EQ(out[0].words, 3);
    CHECK_EQ(out[1].line, 0x100);
    CHECK_EQ(out[2].line, 0);
}

static void one_offset_in_local_memory_is_one_line_per_word(void)
{
    struct coalesced out[COALESCE_LOCAL];
    struct stream_access a = {.pattern = PATTERN_UNIFORM, .mask = 0xff, .base = 8};
    CHECK_EQ(coalesce_local(&a, 8, 0x10000, out), 2);
    CHECK_EQ(out[0].line, 0x10000 + 2 * 128);
    CHECK_EQ(out[0].words, 0xff);
    CHECK_EQ(out[1].line, 0x10000 + 3 * 128);
}

/* Lane 0 and lane 2 want one line of 128 bytes, but two of 32 with lane 1's between them. */
static void segments_come_in_the_order_of_their_lowest_lane(void)
{
    struct coalesced out[32];
    struct stream_access a = {.pattern = PATTERN_LANES, .mask = 0xf};
    a.addr[0] = 0x360;
    a.addr[1] = 0x100;
    a.addr[2] = 0x304;
    a.addr[3] = 0x37c;
    CHECK_EQ(coalesce_segments(&a, 4, 32, out), 3);
    CHECK_EQ(out[0].line, 0x300);
    CHECK_EQ(out[0].words, 0x81000000);
    CHECK_EQ(out[1].line, 0x100);
    CHECK_EQ(out[2].line, 0x300);
    CHECK_EQ(out[2].words, 2);
}

CHECK_MAIN("coalesce", TEST(segments_come_in_the_order_of_their_lowest_lane),
           TEST(random_accesses_agree_with_the_reference),
           TEST(a_warp_of_neighbouring_words_is_one_line), TEST(a_misaligned_warp_is_two_lines),
           TEST(a_stride_of_a_line_is_a_line_per_lane),
           TEST(lines_come_in_the_order_of_their_lowest_lane),
           TEST(one_offset_in_local_memory_is_one_line_per_word))
