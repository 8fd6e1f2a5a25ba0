/* Arrays, caches and tables: figures of the reference, dimensions, refusals. */
#include "check.h"
#include "power/array.h"

static const uint32_t nodes[] = {22, 32, 40, 45};
enum { NODES = (int)(sizeof nodes / sizeof nodes[0]) };

static const struct power_array_spec cache = {.node = 32,
                                              .kind = ARRAY_CACHE,
                                              .bytes = 32768,
                                              .block = 128,
                                              .ways = 4,
                                              .tag_bits = 34,
                                              .port_bits = 256};
static const struct power_array_spec ram = {
    .node = 32, .kind = ARRAY_RAM, .bytes = 32768, .block = 128, .port_bits = 1024};
static const struct power_array_spec table = {
    .node = 32, .kind = ARRAY_CAM, .bytes = 48 * 8, .block = 8, .tag_bits = 41, .port_bits = 64};

static struct power_array cost(struct power_array_spec s)
{
    struct power_array a = {0};
    struct err e = {0};
    bool is_done = power_array(&s, &a, &e);
    CHECK_STR(e.text, "");
    CHECK(is_done);
    CHECK(a.read > 0 && a.write > 0 && a.leak > 0 && a.area > 0 && a.access > 0);
    CHECK(isfinite(a.read + a.write + a.search + a.match + a.leak + a.area + a.access));
    return a;
}

static void refused(struct power_array_spec s, const char *says)
{
    struct power_array a;
    struct err e = {0};
    CHECK(!power_array(&s, &a, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK(strstr(e.text, says) != NULL);
    CHECK(strchr(e.text, '\n') == NULL);
}

/* By the published sizes of cells: CACTI has no nodes below 22 nm. */
static void nothing_grows_from_22_over_12_to_7_nm(void)
{
    static const uint32_t chain[] = {22, 12, 7};
    const struct power_array_spec kinds[] = {cache, ram, table};
    for (int k = 0; k < 3; k++)
        for (int i = 1; i < 3; i++) {
            struct power_array_spec old = kinds[k], new = kinds[k];
            old.node = chain[i - 1];
            new.node = chain[i];
            struct power_array a = cost(old), b = cost(new);
            CHECK(b.read < a.read && b.write < a.write && b.area < a.area);
            CHECK(b.leak < a.leak || kinds[k].kind == ARRAY_CAM); /* that of a table is drivers */
        }
}

/* J, J, W, m2 of CACTI 7, itrs-hp. */
static void a_sequential_cache_costs_what_cacti_says(void)
{
    struct power_array_spec s = cache;
    s.node = 22;
    s.bytes = 131072;
    s.ways = 8;
    s.tag_bits = 33;
    s.port_bits = 1024;
    struct power_array a = cost(s);
    CHECK_NEAR(a.read, 36.1e-12, 0.10);
    CHECK_NEAR(a.write, 91.3e-12, 0.10);
    CHECK_NEAR(a.leak, 36.7e-3, 0.10);
    CHECK_NEAR(a.area, 0.1344e-6, 0.15);
    CHECK_NEAR(a.access, 0.547e-9, 0.15);
}

static void a_parallel_cache_costs_what_cacti_says(void)
{
    struct power_array_spec s = cache;
    s.node = 45;
    s.bytes = 524288;
    s.ways = 8;
    s.tag_bits = 31;
    s.is_parallel = true;
    struct power_array a = cost(s);
    CHECK_NEAR(a.read, 141.8e-12, 0.10);
    CHECK_NEAR(a.write, 147.2e-12, 0.10);
    CHECK_NEAR(a.leak, 534e-3, 0.10);
    CHECK_NEAR(a.area, 2.019e-6, 0.15);
}

/* All ways over a wide port: low and wide, and not worth cutting across. */
static void a_low_and_wide_cache_is_laid_out_as_cacti_does(void)
{
    struct power_array_spec s = cache;
    s.node = 45;
    s.bytes = 16384;
    s.ways = 8;
    s.tag_bits = 36;
    s.port_bits = 512;
    s.is_parallel = true;
    struct power_array a = cost(s);
    CHECK_NEAR(a.area, 0.2635e-6, 0.10);
    CHECK_NEAR(a.read, 175.8e-12, 0.05);
    CHECK_NEAR(a.access, 1.218e-9, 0.05);
    s.bytes = 32768;
    s.ways = 4;
    s.tag_bits = 34;
    s.port_bits = 1024;
    a = cost(s);
    CHECK_NEAR(a.area, 0.4919e-6, 0.10);
    CHECK_NEAR(a.read, 308.9e-12, 0.05);
    CHECK_NEAR(a.access, 1.270e-9, 0.05);
}

static void a_table_that_is_searched_costs_what_cacti_says(void)
{
    struct power_array_spec s = table;
    s.node = 22;
    struct power_array a = cost(s);
    CHECK_NEAR(a.read, 0.720e-12, 0.10);
    CHECK_NEAR(a.search, 1.52e-12, 0.10);
    CHECK_NEAR(a.leak, 0.584e-3, 0.10);
    CHECK_NEAR(a.area, 2473e-12, 0.15);
    s.is_tags_only = true;
    s.bytes = 48 * 6;
    s.block = 6;
    s.tag_bits = 48;
    a = cost(s);
    CHECK_NEAR(a.search, 1.176e-12, 0.10);
    CHECK_NEAR(a.leak, 0.294e-3, 0.10);
}

/* CACTI 7 of tables of nothing but tags: what it calls their access is a read by address. */
static void a_read_by_address_takes_as_long_as_cacti_says_and_less_than_a_search(void)
{
    static const struct {
        uint32_t nm, entries, tag_bits;
        double ns;
    } reads[] = {{22, 48, 48, 0.05457}, {40, 48, 48, 0.11396},  {45, 16, 32, 0.10102},
                 {32, 64, 48, 0.12997}, {22, 128, 96, 0.09705}, {45, 256, 24, 0.23772}};
    for (int i = 0; i < (int)(sizeof reads / sizeof reads[0]); i++) {
        struct power_array_spec s = table;
        s.node = reads[i].nm;
        s.is_tags_only = true;
        s.block = reads[i].tag_bits / 8;
        s.bytes = reads[i].entries * s.block;
        s.tag_bits = reads[i].tag_bits;
        struct power_array a = cost(s);
        CHECK_NEAR(a.addressed, reads[i].ns * 1e-9, 0.08);
        CHECK(a.addressed < a.access);
    }
}

static void costs_grow_with_bytes(void)
{
    const struct power_array_spec kinds[] = {cache, ram, table};
    for (int k = 0; k < 3; k++) {
        struct power_array last = {0};
        for (uint64_t bytes = 1024; bytes <= 4u << 20; bytes *= 2) {
            struct power_array_spec s = kinds[k];
            s.bytes = s.kind == ARRAY_CAM ? bytes / 16 : bytes;
            struct power_array a = cost(s);
            CHECK(a.read > 0.98 * last.read); /* multiplexers may move to other places */
            CHECK(a.leak > last.leak);
            CHECK(a.area > last.area && a.access > last.access);
            last = a;
        }
    }
}

static void sizes_in_between_make_no_jumps(void)
{
    struct power_array last = {0};
    for (uint64_t bytes = 16384; bytes <= 65536; bytes += 2048) {
        struct power_array_spec s = cache;
        s.bytes = bytes;
        struct power_array a = cost(s);
        if (last.read > 0) {
            CHECK_NEAR(a.read, last.read, 0.25);
            CHECK_NEAR(a.area, last.area, 0.25);
            CHECK(a.leak > last.leak);
        }
        last = a;
    }
}

static void energy_grows_with_the_port(void)
{
    double last = 0;
    for (uint32_t bits = 8; bits <= 1024; bits *= 2) {
        struct power_array_spec s = ram;
        s.port_bits = bits;
        struct power_array a = cost(s);
        CHECK(a.read > last);
        last = a.read;
    }
}

static void everything_grows_with_the_node(void)
{
    const struct power_array_spec kinds[] = {cache, ram, table};
    for (int k = 0; k < 3; k++) {
        struct power_array last = {0};
        for (int i = 0; i < NODES; i++) {
            struct power_array_spec s = kinds[k];
            s.node = nodes[i];
            struct power_array a = cost(s);
            CHECK(a.read > last.read && a.write > last.write);
            CHECK(a.leak > last.leak && a.area > last.area);
            last = a;
        }
    }
}

static void leakage_of_large_arrays_is_that_of_their_bits(void)
{
    struct power_array_spec s = cache;
    s.bytes = 256 << 10;
    double leak = cost(s).leak;
    s.bytes *= 4;
    CHECK_NEAR(cost(s).leak, 4 * leak, 0.08);
}

static void looking_up_tags_costs_less_than_reading(void)
{
    for (uint32_t ways = 1; ways <= 16; ways++) {
        struct power_array_spec s = cache;
        s.ways = ways;
        struct power_array a = cost(s);
        CHECK(a.search > 0 && a.search < a.read);
        CHECK_NEAR(a.match, a.search, 0);
    }
    struct power_array a = cost(table);
    CHECK(a.match > 0 && a.match < a.search);
    CHECK(cost(ram).search <= 0);
}

static void reading_all_ways_costs_more_than_the_one_that_hit(void)
{
    struct power_array_spec s = cache;
    double one = cost(s).read;
    s.is_parallel = true;
    CHECK(cost(s).read > 1.2 * one);
}

static void a_bank_costs_less_to_read_than_the_whole(void)
{
    struct power_array_spec s = ram;
    s.bytes = 128 << 10;
    s.port_bits = 32;
    s.block = 4;
    struct power_array whole = cost(s);
    s.banks = 32;
    struct power_array banked = cost(s);
    CHECK(banked.read < whole.read);
    CHECK(banked.leak > 0.8 * whole.leak);
    s.banks = 1;
    CHECK_NEAR(cost(s).read, whole.read, 0);
}

static void odd_sizes_are_served(void)
{
    struct power_array_spec s = ram;
    s.block = 4;
    s.port_bits = 32;
    s.bytes = 276;
    cost(s);
    s.bytes = 4;
    cost(s);
    s.block = 1;
    s.port_bits = 1;
    s.bytes = 1;
    cost(s);
    s = cache;
    s.bytes = 96 * 4 * 128;
    s.port_bits = 1000;
    cost(s);
    s.ways = 3;
    s.tag_bits = 1;
    cost(s);
    s.bytes = 128;
    s.ways = 1;
    cost(s);
    s = table;
    s.bytes = 276;
    s.block = 6;
    cost(s);
    s.bytes = 6;
    cost(s);
}

/* Whatever the layout: with 32 and 39 bits of tag, the slices of icc60 have different ones. */
static void flags_beside_the_tags_cost_something_and_change_nothing_else(void)
{
    for (uint64_t kb = 16; kb <= 1024; kb *= 2) {
        struct power_array_spec s = cache;
        s.node = 22;
        s.bytes = kb << 10;
        s.ways = 8;
        s.tag_bits = 32;
        struct power_array none = cost(s), before = none;
        for (s.flag_bits = 1; s.flag_bits <= 32; s.flag_bits *= 2) {
            struct power_array a = cost(s);
            CHECK(a.area > before.area && a.leak > before.leak);
            CHECK(a.read > before.read && a.write > before.write && a.match > before.match);
            CHECK_NEAR(a.match, none.match * (32 + s.flag_bits) / 32, 1e-12);
            CHECK_NEAR(a.read - a.match, none.read - none.match, 1e-9);
            CHECK_NEAR(a.access, none.access, 0);
            before = a;
        }
    }
}

static void what_makes_no_sense_is_refused(void)
{
    struct power_array_spec s = cache;
    s.bytes = 0;
    refused(s, "array.bytes");
    s = cache;
    s.block = 0;
    refused(s, "array.block");
    s = cache;
    s.port_bits = 0;
    refused(s, "array.port_bits");
    s = cache;
    s.tag_bits = 0;
    refused(s, "array.tag_bits");
    s = cache;
    s.ways = 0;
    refused(s, "array.ways");
    s.ways = 257;
    refused(s, "array.ways: 257 ways");
    s = cache;
    s.port_bits = 8 * 128 + 1;
    refused(s, "more than a line");
    s = ram;
    s.banks = 1000;
    refused(s, "array.bytes");
    s = ram;
    s.node = 28;
    refused(s, "28 nm is unknown");
}

CHECK_MAIN("array", TEST(nothing_grows_from_22_over_12_to_7_nm),
           TEST(a_sequential_cache_costs_what_cacti_says),
           TEST(a_parallel_cache_costs_what_cacti_says),
           TEST(a_low_and_wide_cache_is_laid_out_as_cacti_does),
           TEST(a_table_that_is_searched_costs_what_cacti_says),
           TEST(a_read_by_address_takes_as_long_as_cacti_says_and_less_than_a_search),
           TEST(costs_grow_with_bytes), TEST(sizes_in_between_make_no_jumps),
           TEST(energy_grows_with_the_port), TEST(everything_grows_with_the_node),
           TEST(leakage_of_large_arrays_is_that_of_their_bits),
           TEST(looking_up_tags_costs_less_than_reading),
           TEST(reading_all_ways_costs_more_than_the_one_that_hit),
           TEST(a_bank_costs_less_to_read_than_the_whole), TEST(odd_sizes_are_served),
           TEST(flags_beside_the_tags_cost_something_and_change_nothing_else),
           TEST(what_makes_no_sense_is_refused))
