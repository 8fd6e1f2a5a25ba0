#include "check.h"

#include "base/rng.h"
#include "mem/addrmap.h"

static struct config *config_of(struct arena *a, const char *const *sets)
{
    static const struct cfg_section *const sections[] = {&map_section};
    struct config *c = config_new(a, sections, 1);
    struct err e = {.text = ""};
    for (; sets && *sets; sets++)
        CHECK(config_set(c, *sets, &e));
    return c;
}

static struct addrmap map_of(struct arena *a, const char *const *sets, uint32_t slices,
                             uint32_t per_channel)
{
    struct addrmap m;
    struct err e = {.text = ""};
    CHECK(addrmap_init(&m, config_of(a, sets), slices, per_channel, 16, 64, &e));
    return m;
}

static const char *refusal(struct arena *a, const char *set, uint32_t banks, uint32_t burst)
{
    struct addrmap m;
    struct err *e = ARENA_NEW(a, struct err);
    const char *const sets[] = {set, NULL};
    return addrmap_init(&m, config_of(a, sets), 8, 1, banks, burst, e) ? "" : e->text;
}

static void chunks_go_round_the_slices(void)
{
    struct arena *a = arena_new();
    static const uint32_t counts[] = {1, 2, 6, 8, 24, 30};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        struct addrmap m = map_of(a, NULL, counts[k], 1);
        for (uint64_t chunk = 0; chunk < 200; chunk++) {
            CHECK_EQ(addrmap_slice(&m, chunk * 256), chunk % counts[k]);
            CHECK_EQ(addrmap_slice(&m, chunk * 256 + 255), chunk % counts[k]);
            CHECK_EQ(addrmap_local(&m, chunk * 256 + 17), chunk / counts[k] * 256 + 17);
        }
    }
    arena_free(a);
}

/* Slice (hence channel) and local address together give the address: nothing falls together. */
static void no_two_chunks_share_a_place(void)
{
    static const char *const hashes[] = {"map.hash=none", "map.hash=xor", "map.hash=mixed"};
    static const uint32_t shapes[][2] = {{8, 1}, {16, 2}, {12, 2}, {6, 3}, {30, 1}, {1, 1}};
    for (size_t k = 0; k < 3 * sizeof shapes / sizeof shapes[0]; k++) {
        struct arena *a = arena_new();
        const char *const sets[] = {hashes[k % 3], "map.page=4K",
                                    NULL}; /* 512 rounds are whole pages */
        const uint32_t slices = shapes[k / 3][0], per = shapes[k / 3][1];
        struct addrmap m = map_of(a, sets, slices, per);
        const uint32_t n = slices * 512;
        bool *seen = ARENA_ARRAY(a, bool, n);
        for (uint64_t chunk = 0; chunk < n; chunk++) {
            uint64_t local = addrmap_local(&m, chunk * 256) / 256;
            uint32_t channel = addrmap_slice(&m, chunk * 256) / per;
            CHECK(local < 512 * per);
            uint64_t place = channel * 512 * per + local;
            CHECK(!seen[place]);
            seen[place] = true;
        }
        arena_free(a);
    }
}

/* The same bytes of another chunk of the page, and its slice and place are those of that one unmixed. */
static void mixing_changes_places_within_a_page(void)
{
    static const char *const sets[] = {"map.hash=mixed", NULL};
    struct arena *a = arena_new();
    struct addrmap m = map_of(a, sets, 12, 2), plain = map_of(a, NULL, 12, 2);
    uint32_t stayed = 0;
    for (uint64_t address = 0; address < 8 << 20; address += 256 + 128) {
        uint64_t to = addrmap_mixed(&m, address);
        CHECK_EQ(to >> 21, address >> 21);
        CHECK_EQ(to & 255, address & 255);
        CHECK_EQ(addrmap_slice(&m, address), addrmap_slice(&plain, to));
        CHECK_EQ(addrmap_local(&m, address), addrmap_local(&plain, to));
        stayed += to == address;
    }
    CHECK(stayed < 40);
    arena_free(a);
}

/* Slices get the same of a page, and of a part of it as much as chance would give them: the sum of
 * (n - mean)^2 / mean over 64 slices is 63 on average where each chunk chooses for itself, less where the
 * part is a large one of the page, and 0 where chunks go round. */
static void mixed_chunks_are_even_in_pages_and_at_random_in_parts(void)
{
    enum { SLICES = 64, PAGE = 2 << 20, PART = PAGE / 8, PAGES = 32 };
    static const char *const sets[] = {"map.hash=mixed", NULL};
    struct arena *a = arena_new();
    struct addrmap m = map_of(a, sets, SLICES, 1);
    double sum = 0;
    for (uint64_t page = 0; page < PAGES; page++) {
        uint32_t all[SLICES] = {0}, part[SLICES] = {0};
        for (uint64_t at = 0; at < PAGE; at += 256) {
            uint32_t slice = addrmap_slice(&m, page * PAGE + at);
            all[slice]++;
            part[slice] += at < PART;
        }
        const double mean = PART / 256 / SLICES;
        for (uint32_t s = 0; s < SLICES; s++) {
            CHECK_EQ(all[s], PAGE / 256 / SLICES);
            sum += (part[s] - mean) * (part[s] - mean) / mean;
        }
    }
    CHECK(sum / PAGES > 40 && sum / PAGES < 70); /* 63 * 7 / 8 = 55 */
    arena_free(a);
}

/* A stride that is a multiple of the round would meet one slice only. */
static void hashes_spread_strides_over_the_slices(void)
{
    static const char *const hashes[] = {"map.hash=xor", "map.hash=mixed"};
    static const uint32_t counts[] = {8, 12, 64, 8, 12, 64};
    struct arena *a = arena_new();
    for (size_t k = 0; k < 6; k++) {
        const char *const sets[] = {hashes[k / 3], NULL};
        struct addrmap plain = map_of(a, NULL, counts[k], 1);
        struct addrmap hashed = map_of(a, sets, counts[k], 1);
        uint32_t hits[64] = {0}, used = 0;
        for (uint64_t i = 0; i < 1000; i++) {
            uint64_t address = i * counts[k] * 256;
            CHECK_EQ(addrmap_slice(&plain, address), 0);
            hits[addrmap_slice(&hashed, address)]++;
        }
        for (uint32_t s = 0; s < counts[k]; s++)
            used += hits[s] > 0;
        CHECK_EQ(used, counts[k]);
    }
    arena_free(a);
}

static uint32_t bits_of(uint64_t local, const char *order, char letter)
{
    uint32_t v = 0;
    size_t n = strlen(order);
    for (size_t i = 0; i < n; i++)
        if (order[i] == letter)
            v = v << 1 | (uint32_t)(local >> (n - 1 - i) & 1);
    return v;
}

static void bits_go_where_the_letters_say(void)
{
    static const char *const orders[] = {"RRRRRRRRRRRRBBBCCCCBCCSSSSSS", "RRRRRRRRBBBBCCCCCSSSSSS",
                                         "BRBRBRBRRCRCRCCSSSSSS"};
    for (size_t k = 0; k < 3; k++) {
        struct arena *a = arena_new();
        const char *const sets[] = {arena_printf(a, "map.order=%s", orders[k]), NULL};
        struct addrmap m = map_of(a, sets, 5, 1);
        for (uint64_t i = 0; i < 2000; i++) {
            uint64_t address = rng_mix(i) >> 38;
            uint64_t local = addrmap_local(&m, address);
            struct dram_place p = addrmap_place(&m, address);
            uint32_t above = (uint32_t)(local >> strlen(orders[k]) << m.row_bits);
            CHECK_EQ(p.bank, bits_of(local, orders[k], 'B'));
            CHECK_EQ(p.column, bits_of(local, orders[k], 'C'));
            CHECK_EQ(p.row, bits_of(local, orders[k], 'R') | above);
        }
        arena_free(a);
    }
}

static void rows_go_on_beyond_the_letters(void)
{
    struct arena *a = arena_new();
    struct addrmap m = map_of(a, NULL, 1, 1);
    CHECK_EQ(addrmap_place(&m, 0xfffffff).row, 4095);
    CHECK_EQ(addrmap_place(&m, 0x10000000).row, 4096);
    CHECK_EQ(addrmap_place(&m, 0x30000000).row, 3 * 4096);
    CHECK_EQ(addrmap_place(&m, 0x30000000).bank, 0);
    arena_free(a);
}

static void the_defaults_fit_bursts_of_a_whole_line(void)
{
    struct arena *a = arena_new();
    CHECK_STR(refusal(a, "map.hash=none", 16, 128), "");
    arena_free(a);
}

static void what_makes_no_sense_is_refused_by_name(void)
{
    struct arena *a = arena_new();
    CHECK(strstr(refusal(a, "map.interleave=300", 16, 64), "map.interleave") != NULL);
    CHECK(strstr(refusal(a, "map.interleave=64", 16, 64), "map.interleave") != NULL);
    CHECK(strstr(refusal(a, "map.page=5000", 16, 64), "map.page") != NULL);
    CHECK(strstr(refusal(a, "map.hash=none", 8, 64), "map.order") != NULL);
    CHECK(strstr(refusal(a, "map.hash=none", 16, 32), "map.order") != NULL);
    CHECK(strstr(refusal(a, "map.order=", 16, 64), "map.order") != NULL);
    CHECK(strstr(refusal(a, "map.order=RRBBBBCCXSSSSSS", 16, 64), "'X'") != NULL);
    CHECK(strstr(refusal(a, "map.order=RRSBBBBCCSSSSSS", 16, 64), "S must be") != NULL);
    CHECK(strstr(refusal(a, "map.order=RRCCBBBBSSSSSS", 16, 64), "bit 6") != NULL);
    CHECK(strstr(refusal(a, "map.order=RRRRBBBBCCSSSSSS", 16, 2048), "bit 8") != NULL);
    arena_free(a);
}

CHECK_MAIN("addrmap", TEST(chunks_go_round_the_slices), TEST(no_two_chunks_share_a_place),
           TEST(mixing_changes_places_within_a_page),
           TEST(mixed_chunks_are_even_in_pages_and_at_random_in_parts),
           TEST(hashes_spread_strides_over_the_slices), TEST(bits_go_where_the_letters_say),
           TEST(rows_go_on_beyond_the_letters), TEST(the_defaults_fit_bursts_of_a_whole_line),
           TEST(what_makes_no_sense_is_refused_by_name))
