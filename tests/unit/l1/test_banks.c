/* Bank conflicts: degrees by strides, and a slow obvious reference on random accesses. */
#include "l1/banks.h"

#include "base/rng.h"
#include "check.h"

static uint64_t lane_address(const struct stream_access *a, uint32_t lane)
{
    if (a->pattern == PATTERN_LANES)
        return a->addr[lane];
    return a->pattern == PATTERN_STRIDE ? a->base + (uint64_t)(a->stride * (int64_t)lane) : a->base;
}

/* Most words of one bank that lanes [from, to) want: distinct ones, or each lane's. */
static uint32_t pass_degree(const struct stream_access *a, uint32_t size, uint32_t banks,
                            uint32_t from, bool is_atomic)
{
    uint32_t lanes = banks * 4 / (size < 4 ? 4 : size), degree = 0;
    for (uint32_t bank = 0; bank < banks; bank++) {
        uint64_t seen[32 * 4];
        uint32_t n = 0;
        for (uint32_t l = from; l < from + lanes; l++)
            for (uint32_t b = 0; (a->mask >> l & 1) && b < (size < 4 ? 1 : size); b += 4) {
                uint64_t word = (lane_address(a, l) + b) / 4;
                bool is_new = word % banks == bank;
                for (uint32_t i = 0; is_new && !is_atomic && i < n; i++)
                    is_new = seen[i] != word;
                if (is_new)
                    seen[n++] = word;
            }
        degree = n > degree ? n : degree;
    }
    return degree;
}

static struct banks_use reference(const struct stream_access *a, uint32_t size, uint32_t banks,
                                  bool is_atomic)
{
    struct banks_use use = {0, 0};
    uint32_t lanes = banks * 4 / (size < 4 ? 4 : size);
    for (uint32_t from = 0; from < 32; from += lanes) {
        uint32_t degree = pass_degree(a, size, banks, from, is_atomic);
        use.cycles += degree;
        use.passes += degree > 0;
    }
    return use;
}

static struct stream_access stride(int64_t by, uint32_t mask)
{
    return (struct stream_access){
        .pattern = PATTERN_STRIDE, .base = 64, .stride = by, .mask = mask};
}

static void the_degree_of_a_stride_is_its_largest_power_of_two(void)
{
    for (int words = 1; words <= 64; words++) {
        struct stream_access a = stride(4 * words, UINT32_MAX);
        int degree = words & -words;
        CHECK_EQ(banks_serve(&a, 4, 32, false).cycles, degree > 32 ? 32 : degree);
        CHECK_EQ(banks_serve(&a, 4, 32, false).passes, 1);
    }
}

static void every_degree_from_1_to_32_occurs(void)
{
    for (uint32_t d = 1; d <= 32; d++) { /* d lanes in bank 0, the others at one word of bank 1 */
        struct stream_access a = {.pattern = PATTERN_LANES, .mask = UINT32_MAX};
        for (uint32_t l = 0; l < 32; l++)
            a.addr[l] = l < d ? l * 128 : 4;
        CHECK_EQ(banks_serve(&a, 4, 32, false).cycles, d);
    }
}

static void lanes_at_one_word_share_a_broadcast(void)
{
    struct stream_access a = {.pattern = PATTERN_UNIFORM, .base = 20, .mask = UINT32_MAX};
    CHECK_EQ(banks_serve(&a, 4, 32, false).cycles, 1);
    CHECK_EQ(banks_serve(&a, 1, 32, false).cycles, 1);
}

static void atomics_at_one_word_take_turns(void)
{
    struct stream_access a = {.pattern = PATTERN_UNIFORM, .base = 20, .mask = 0xff00ff};
    CHECK_EQ(banks_serve(&a, 4, 32, true).cycles, 16);
    CHECK_EQ(banks_serve(&a, 4, 16, true).cycles, 16);
}

static void wide_items_are_served_in_halves_and_quarters(void)
{
    struct stream_access a = stride(8, UINT32_MAX), b = stride(16, UINT32_MAX);
    CHECK_EQ(banks_serve(&a, 8, 32, false).cycles, 2);
    CHECK_EQ(banks_serve(&b, 16, 32, false).cycles, 4);
    CHECK_EQ(banks_serve(&a, 8, 16, false).cycles, 4);
    a.mask = 0xffff;
    CHECK_EQ(banks_serve(&a, 8, 32, false).cycles, 1);
}

static void sixteen_banks_serve_half_warps(void)
{
    struct stream_access a = stride(4, UINT32_MAX), b = stride(8, UINT32_MAX);
    CHECK_EQ(banks_serve(&a, 4, 16, false).cycles, 2);
    CHECK_EQ(banks_serve(&b, 4, 16, false).cycles, 4);
}

static void random_accesses_agree_with_the_reference(void)
{
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t key = rng_key(5, i);
        uint32_t size = 1u << i % 5, window = 64u << rng_below(rng_at(key, 0), 9);
        struct stream_access a = {.pattern = rng_below(rng_at(key, 1), 3)};
        a.mask = rng_at(key, 2) & 1 ? UINT32_MAX : (uint32_t)rng_at(key, 3) | 1;
        a.base = rng_below(rng_at(key, 4), 4096) / size * size + 65536;
        a.stride = (int64_t)size * ((int64_t)rng_below(rng_at(key, 5), 140) - 70);
        for (uint32_t l = 0; l < 32; l++)
            a.addr[l] = rng_below(rng_at(key, 6 + l), window) / size * size;
        uint32_t banks = i & 32 ? 16 : 32;
        struct banks_use got = banks_serve(&a, size, banks, i & 64);
        struct banks_use want = reference(&a, size, banks, i & 64);
        CHECK_EQ(got.cycles, want.cycles);
        CHECK_EQ(got.passes, want.passes);
    }
}

CHECK_MAIN("banks", TEST(the_degree_of_a_stride_is_its_largest_power_of_two),
           TEST(every_degree_from_1_to_32_occurs), TEST(lanes_at_one_word_share_a_broadcast),
           TEST(atomics_at_one_word_take_turns), TEST(wide_items_are_served_in_halves_and_quarters),
           TEST(sixteen_banks_serve_half_warps), TEST(random_accesses_agree_with_the_reference))
