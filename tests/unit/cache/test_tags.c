#include "cache/tags.h"
#include "mem/addrmap.h"

#include "base/rng.h"
#include "check.h"

static struct tags made(struct arena *a, uint32_t sets, uint32_t ways, bool hashed)
{
    struct tags t;
    tags_init(&t, a, sets, ways, 128, hashed);
    return t;
}

static uint32_t take(struct tags *t, uint64_t address)
{
    uint32_t i = tags_victim(t, address);
    tags_take(t, i, address);
    t->line[i].state = TAG_VALID;
    return i;
}

static void a_set_is_the_line_number_modulo_the_sets_whatever_their_number(void)
{
    struct arena *a = arena_new();
    const uint32_t sets[] = {1, 2, 3, 5, 7, 12, 64, 96, 511, 513, 1000, 65537, 3000001};
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; k++) {
        struct tags t = made(a, sets[k], 1, false);
        for (uint64_t n = 0; n < 2000; n++) {
            uint64_t draw = rng_at(7, n), address = draw >> (n % 57);
            CHECK_EQ(tags_set(&t, address), (address >> 7) % sets[k]);
        }
        for (uint64_t n = 0; n < 100; n++) { /* round about multiples, where a quotient can slip */
            uint64_t line = sets[k] * (rng_at(9, n) >> 40) + n % 3 - 1;
            line &= (UINT64_C(1) << 57) - 1;
            CHECK_EQ(tags_set(&t, line << 7), line % sets[k]);
        }
        CHECK_EQ(tags_set(&t, UINT64_MAX), (UINT64_MAX >> 7) % sets[k]);
    }
    arena_free(a);
}

static void a_hash_spreads_strides_of_powers_of_two(void)
{
    struct arena *a = arena_new();
    const uint32_t sets[] = {2, 32, 48, 64};
    for (int k = 0; k < 4; k++) {
        struct tags plain = made(a, sets[k], 1, false), hashed = made(a, sets[k], 1, true);
        uint64_t stride = sets[k] == 48 ? 64 : sets[k], seen = 0;
        for (uint64_t i = 0; i < 64; i++) {
            CHECK(tags_set(&hashed, i * stride << 7) < sets[k]);
            seen |= UINT64_C(1) << tags_set(&hashed, i * stride << 7);
            if (sets[k] != 48)
                CHECK_EQ(tags_set(&plain, i * stride << 7), 0);
        }
        CHECK_EQ(__builtin_popcountll(seen), sets[k]);
    }
    arena_free(a);
}

/* ---- which sets a stride reaches ---- */

enum index { LINEAR, HASHED, MASKED };

/* How many sets the first `n` lines at this stride are in. */
static uint32_t reached(struct arena *a, uint32_t sets, enum index index, uint64_t stride,
                        uint64_t n)
{
    struct tags t = made(a, sets, 1, index == HASHED);
    bool *is_reached = ARENA_ARRAY(a, bool, sets);
    uint32_t count = 0;
    if (index == MASKED)
        tags_mask(&t);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t set = tags_set(&t, i * stride << 7);
        CHECK(set < sets);
        count += !is_reached[set];
        is_reached[set] = true;
    }
    return count;
}

static uint64_t gcd(uint64_t x, uint64_t y)
{
    return y ? gcd(y, x % y) : x;
}

static const uint32_t set_counts[] = {1, 3, 48, 96, 64};

static void a_stride_reaches_as_many_sets_as_it_shares_no_factor_with(void)
{
    struct arena *a = arena_new();
    for (int k = 0; k < 5; k++)
        for (uint64_t stride = 1; stride <= 200; stride++)
            CHECK_EQ(reached(a, set_counts[k], LINEAR, stride, 1000),
                     set_counts[k] / gcd(set_counts[k], stride));
    arena_free(a);
}

/* Set s of an anded number has no one bit that (sets - 1) has not; a stride of 2^n x an odd number
 * leaves the n lowest bits 0 and gives the others all values. */
static void a_mask_reaches_two_to_the_power_of_its_bits_above_the_stride(void)
{
    struct arena *a = arena_new();
    const uint32_t all[] = {1, 2, 32, 64, 64};
    for (int k = 0; k < 5; k++) {
        CHECK_EQ(reached(a, set_counts[k], MASKED, 1, 1000), all[k]);
        for (uint64_t stride = 1; stride <= 200; stride++) {
            uint32_t kept = (set_counts[k] - 1) >> __builtin_ctzll(stride);
            CHECK_EQ(reached(a, set_counts[k], MASKED, stride, 1000),
                     1u << __builtin_popcount(kept));
        }
    }
    struct tags t = made(a, 96, 1, false);
    tags_mask(&t);
    for (uint64_t line = 0; line < 1000; line++)
        CHECK_EQ(tags_set(&t, line << 7), line & 95);
    arena_free(a);
}

/* Groups of k bits above the lowest are xored into those below, k the bits of a set number.  2^k
 * lines at a stride of 2^n turn the bits of i round in the lowest group, so with 2^k sets all are
 * reached by as many lines; with any other number the groups above take part in the remainder. */
static void a_hash_reaches_all_sets_at_any_stride_of_a_power_of_two(void)
{
    struct arena *a = arena_new();
    const uint32_t bits[] = {1, 2, 6, 7, 6};
    for (int k = 0; k < 5; k++) {
        const uint32_t sets = set_counts[k];
        struct tags t = made(a, sets, 1, true);
        for (uint32_t n = 0; n < 40; n++) {
            const bool is_power = (sets & (sets - 1)) == 0;
            CHECK_EQ(reached(a, sets, HASHED, UINT64_C(1) << n, is_power ? sets : 1000), sets);
        }
        for (uint64_t i = 0; i < 1000; i++) {
            const uint64_t line = rng_at(5, i) >> (7 + i % 50);
            uint64_t folded = 0;
            for (uint64_t rest = line; rest; rest >>= bits[k])
                folded ^= rest;
            CHECK_EQ(tags_set(&t, line << 7), folded % sets);
        }
    }
    arena_free(a);
}

static void hashed_neighbours_still_fill_all_sets_evenly(void)
{
    struct arena *a = arena_new();
    for (uint32_t sets = 1; sets <= 100; sets += 11) {
        struct tags t = made(a, sets, 1, true);
        uint32_t *count = ARENA_ARRAY(a, uint32_t, sets), k = 1;
        while (k < sets)
            k *= 2;
        for (uint64_t i = 0; i < (uint64_t)k * sets; i++)
            count[tags_set(&t, i << 7)]++;
        for (uint32_t s = 0; s < sets; s++)
            CHECK(count[s] + sets >= k && count[s] <= k + sets);
    }
    arena_free(a);
}

static void a_cache_that_gets_every_nth_chunk_uses_all_its_sets(void)
{
    struct arena *a = arena_new();
    const uint32_t sharers[] = {1, 2, 6, 8, 11}, chunk[] = {64, 128, 256, 4096};
    for (int k = 0; k < 5; k++) {
        for (int c = 0; c < 4; c++) {
            struct tags t = made(a, 24, 1, false);
            tags_share(&t, sharers[k], chunk[c]);
            uint64_t step = chunk[c] < 128 ? 128 : chunk[c], mine = 0;
            for (uint64_t n = 0; n < 1000; n++) /* the lines of cache 1, one after the other */
                for (uint64_t at = 0; at < step; at += 128)
                    CHECK_EQ(tags_set(&t, (n * sharers[k] + 1 % sharers[k]) * step + at),
                             mine++ % 24);
        }
    }
    arena_free(a);
}

/* A V100's slices: 64 of 48 sets of 16 lines hold any three pages whose chunks were mixed. */
static void caches_among_which_chunks_are_mixed_hold_pages_without_conflicts(void)
{
    enum { SLICES = 64, SETS = 48, WAYS = 16, PAGE = 2 << 20 };
    struct arena *a = arena_new();
    static const struct cfg_section *const sections[] = {&map_section};
    struct config *cfg = config_new(a, sections, 1);
    struct addrmap map;
    struct err e = {.text = ""};
    CHECK(config_set(cfg, "map.hash=mixed", &e));
    CHECK(addrmap_init(&map, cfg, SLICES, 1, 16, 64, &e));
    struct tags t = made(a, SETS, WAYS, false);
    tags_share(&t, SLICES, 256);
    tags_mix(&t, &map);
    uint32_t lines[SLICES][SETS] = {{0}};
    for (uint64_t at = 6ull * PAGE; at < 9ull * PAGE; at += 128)
        lines[addrmap_slice(&map, at)][tags_set(&t, at)]++;
    for (uint32_t slice = 0; slice < SLICES; slice++)
        for (uint32_t set = 0; set < SETS; set++)
            CHECK_EQ(lines[slice][set], WAYS);
    arena_free(a);
}

static void every_way_of_a_set_is_found_and_no_other_address(void)
{
    struct arena *a = arena_new();
    for (uint32_t ways = 1; ways <= 40; ways++) {
        struct tags t = made(a, 3, ways, false);
        for (uint32_t w = 0; w < ways; w++)
            CHECK_EQ(take(&t, (uint64_t)(w * 3 + 1) << 7), ways + w);
        for (uint32_t w = 0; w < ways; w++) {
            uint64_t address = (uint64_t)(w * 3 + 1) << 7;
            CHECK_EQ(tags_find(&t, address), ways + w);
            CHECK_EQ(tags_find(&t, address + 127), ways + w);
            CHECK_EQ(tags_address(&t, ways + w), address);
            CHECK_EQ(tags_find(&t, address + 128), TAGS_NONE);
        }
        CHECK_EQ(tags_find(&t, (uint64_t)(ways * 3 + 1) << 7), TAGS_NONE);
    }
    arena_free(a);
}

static void address_zero_is_an_address_like_any_other(void)
{
    struct arena *a = arena_new();
    struct tags t = made(a, 4, 2, false);
    CHECK_EQ(tags_find(&t, 0), TAGS_NONE);
    take(&t, 0);
    CHECK_EQ(tags_find(&t, 0), 0);
    arena_free(a);
}

static void the_victim_is_invalid_first_then_the_least_recently_used(void)
{
    struct arena *a = arena_new();
    struct tags t = made(a, 1, 3, false);
    take(&t, 0);
    take(&t, 128);
    CHECK_EQ(tags_victim(&t, 999), 2);
    take(&t, 256);
    tags_touch(&t, 0);
    CHECK_EQ(tags_victim(&t, 999), 1);
    tags_find(&t, 128); /* looking does not count as use */
    CHECK_EQ(tags_victim(&t, 999), 1);
    tags_drop(&t, 2);
    CHECK_EQ(tags_victim(&t, 999), 2);
    CHECK_EQ(tags_find(&t, 256), TAGS_NONE);
    arena_free(a);
}

static void reserved_lines_are_found_but_never_victims(void)
{
    struct arena *a = arena_new();
    struct tags t = made(a, 1, 2, false);
    tags_take(&t, 0, 0);
    CHECK_EQ(t.line[0].state, TAG_RESERVED);
    CHECK_EQ(t.line[0].valid, 0);
    CHECK_EQ(tags_find(&t, 0), 0);
    take(&t, 128);
    CHECK_EQ(tags_victim(&t, 256), 1);
    t.line[1].state = TAG_RESERVED;
    CHECK_EQ(tags_victim(&t, 256), TAGS_NONE);
    t.line[0].state = TAG_VALID;
    CHECK_EQ(tags_victim(&t, 256), 0);
    arena_free(a);
}

static void taking_a_line_forgets_what_it_held(void)
{
    struct arena *a = arena_new();
    struct tags t = made(a, 1, 1, false);
    t.line[take(&t, 0)] = (struct tags_line){1, 1, 7, TAG_VALID};
    tags_take(&t, 0, 128);
    CHECK_EQ(t.line[0].valid | t.line[0].dirty | t.line[0].version, 0);
    CHECK_EQ(tags_find(&t, 0), TAGS_NONE);
    CHECK_EQ(tags_find(&t, 128), 0);
    arena_free(a);
}

/* A list of lines in order of use, per set. */
static void replace_like_a_sorted_list(uint32_t clock)
{
    enum { SETS = 3, WAYS = 5 };
    struct arena *a = arena_new();
    struct tags t = made(a, SETS, WAYS, false);
    uint64_t list[SETS][WAYS] = {{0}};
    t.clock = clock;
    for (uint64_t n = 0; n < 1000; n++) {
        uint64_t line = 1 + rng_below(rng_at(3, n), 30), *l = list[line % SETS];
        int at = 0;
        while (at < WAYS - 1 && l[at] != line)
            at++;
        bool hits = l[at] == line;
        uint32_t i = tags_find(&t, line << 7);
        CHECK_EQ(i != TAGS_NONE, hits);
        if (hits) {
            tags_touch(&t, i);
        } else {
            i = tags_victim(&t, line << 7);
            CHECK_EQ(t.tag[i] ? t.tag[i] - 1 : 0, l[WAYS - 1]);
            take(&t, line << 7);
        }
        memmove(l + 1, l, (size_t)at * sizeof *l);
        l[0] = line;
    }
    arena_free(a);
}

static void a_thousand_accesses_hit_and_replace_like_a_sorted_list(void)
{
    replace_like_a_sorted_list(0);
}

static void so_they_do_when_the_clock_begins_anew(void)
{
    for (uint32_t left = 0; left < 40; left++) /* with sets that are empty, half full and full */
        replace_like_a_sorted_list(UINT32_MAX - left);
    replace_like_a_sorted_list(UINT32_MAX - 500);
}

/* ---- other sizes ---- */

static void an_array_of_another_size_chooses_sets_like_one_made_with_it(void)
{
    struct arena *a = arena_new();
    const uint32_t sizes[] = {96, 1, 64, 7, 2, 3, 96, 95, 32};
    for (int index = LINEAR; index <= MASKED; index++) {
        struct tags t = made(a, 96, 2, index == HASHED);
        if (index == MASKED)
            tags_mask(&t);
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            struct tags fresh = made(a, sizes[k], 2, index == HASHED);
            if (index == MASKED)
                tags_mask(&fresh);
            tags_resize(&t, sizes[k]);
            for (uint64_t n = 0; n < 500; n++) {
                uint64_t address = rng_at(k, n) >> (7 + n % 40);
                CHECK_EQ(tags_set(&t, address), tags_set(&fresh, address));
            }
        }
    }
    arena_free(a);
}

static void an_array_that_is_emptied_resized_and_grown_again_is_empty(void)
{
    struct arena *a = arena_new();
    struct tags t = made(a, 8, 2, false);
    const uint32_t sizes[] = {3, 8, 1, 5, 8};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (uint64_t line = 0; line < 100; line++)
            take(&t, line << 7);
        tags_drop_all(&t);
        tags_resize(&t, sizes[k]);
        for (uint64_t line = 0; line < 100; line++)
            CHECK_EQ(tags_find(&t, line << 7), TAGS_NONE);
        for (uint64_t line = 0; line < 2 * sizes[k]; line++) /* they fit, and no more do */
            CHECK(t.line[tags_victim(&t, line << 7)].state == TAG_INVALID), take(&t, line << 7);
        CHECK(t.line[tags_victim(&t, 0)].state == TAG_VALID);
    }
    arena_free(a);
}

CHECK_MAIN("cache/tags", TEST(a_set_is_the_line_number_modulo_the_sets_whatever_their_number),
           TEST(a_hash_spreads_strides_of_powers_of_two),
           TEST(a_stride_reaches_as_many_sets_as_it_shares_no_factor_with),
           TEST(a_mask_reaches_two_to_the_power_of_its_bits_above_the_stride),
           TEST(a_hash_reaches_all_sets_at_any_stride_of_a_power_of_two),
           TEST(hashed_neighbours_still_fill_all_sets_evenly),
           TEST(caches_among_which_chunks_are_mixed_hold_pages_without_conflicts),
           TEST(a_cache_that_gets_every_nth_chunk_uses_all_its_sets),
           TEST(every_way_of_a_set_is_found_and_no_other_address),
           TEST(address_zero_is_an_address_like_any_other),
           TEST(the_victim_is_invalid_first_then_the_least_recently_used),
           TEST(reserved_lines_are_found_but_never_victims),
           TEST(taking_a_line_forgets_what_it_held),
           TEST(a_thousand_accesses_hit_and_replace_like_a_sorted_list),
           TEST(so_they_do_when_the_clock_begins_anew),
           TEST(an_array_of_another_size_chooses_sets_like_one_made_with_it),
           TEST(an_array_that_is_emptied_resized_and_grown_again_is_empty))
