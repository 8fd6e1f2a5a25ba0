/* How many bytes a stream takes, which patterns are found, and what a reader makes of nonsense. */
#include "check.h"

#include "rig/capture.h"
#include "stream/reader.h"
#include "stream/writer.h"

/* Blocks: 0 and 1 plain, 2 a load, 3 a guarded store, 4 a barrier, 5 a load of several sets, 6
 * empty, 99 plain. */
static const struct stream_insn insns[] = {
    {.flags = 0},
    {.flags = 0},
    {.flags = INSN_MEM | INSN_LOAD, .space = STREAM_GLOBAL, .size = 4},
    {.flags = INSN_MEM | INSN_STORE | INSN_GUARDED, .space = STREAM_SHARED, .size = 4},
    {.flags = INSN_BAR | INSN_GUARDED},
    {.flags = INSN_MEM | INSN_MULTI | INSN_LOAD, .size = 4},
};
static const struct stream_block blocks[100] = {{0, 2}, {0, 1}, {2, 1}, {3, 1},
                                                {4, 1}, {5, 1}, {0, 0}, [99] = {1, 1}};
static const struct stream_kernel kernel = {.name = "k",
                                            .grid = {1, 1, 1},
                                            .block = {32, 1, 1},
                                            .insns = insns,
                                            .ninsns = 6,
                                            .blocks = blocks,
                                            .nblocks = 100};
static struct stream_reader reader_of(const struct stream_writer *w)
{
    struct stream_reader r;
    struct stream_warp bytes = {w->control.at, w->payload.at, w->control.used, w->payload.used};
    stream_reader_init(&r, &kernel, &bytes);
    return r;
}

static void a_block_near_the_last_one_takes_one_byte(void)
{
    struct stream_writer w;
    stream_writer_init(&w);
    for (uint32_t i = 0; i < 1000; i++)
        stream_writer_block(&w, i % 2, 2 - i % 2, UINT32_MAX);
    CHECK_EQ(w.control.used, 1000);
    CHECK_EQ(w.payload.used, 0);
    CHECK_EQ(w.insns, 1500);
    CHECK_EQ(w.thread_insns, 1500 * 32);
    stream_writer_block(&w, 99, 1, 3);
    CHECK_EQ(w.control.used, 1000 + 1 + 1 + 4);
    CHECK_EQ(w.thread_insns, 1500 * 32 + 2);
    stream_writer_free(&w);
}

static void the_masks_of_an_if_with_an_else_are_given_once(void)
{
    static const uint32_t masks[] = {0xffff, 0x00ff, 0xff00, 0xffff, 0x000f, 0xffff, 0xffff};
    struct stream_writer w;
    stream_writer_init(&w);
    for (int i = 0; i < 7; i++)
        stream_writer_block(&w, 1, 1, masks[i]);
    CHECK_EQ(w.control.used, 7 + 3 * 4); /* ffff, 00ff and 000f */
    struct stream_reader r = reader_of(&w);
    struct stream_op op;
    for (int i = 0; i < 7; i++) {
        CHECK(stream_reader_next(&r, &op));
        CHECK_EQ(op.active, masks[i]);
        CHECK_EQ(op.mask, masks[i]);
    }
    CHECK(!stream_reader_next(&r, &op) && !r.is_broken);
    stream_writer_free(&w);
}

static void a_reset_writer_writes_as_a_new_one(void)
{
    struct stream_writer w;
    uint8_t first[64];
    stream_writer_init(&w);
    for (int round = 0; round < 2; round++) {
        stream_writer_block(&w, 99, 1, 5);
        stream_writer_block(&w, 2, 1, 4);
        stream_writer_stride(&w, STREAM_GLOBAL, 12345, 100);
        if (round == 0)
            memcpy(first, w.control.at, w.control.used);
        CHECK(memcmp(first, w.control.at, w.control.used) == 0);
        CHECK_EQ(w.insns, 2);
        CHECK_EQ(w.payload.used, 1 + 2 + 2); /* nothing remembered of base or stride */
        stream_writer_reset(&w);
        CHECK(w.control.used == 0 && w.payload.used == 0 && w.insns == 0);
    }
    stream_writer_free(&w);
}

/* The access that a warp with these lanes makes of addr. */
static struct stream_access access_of(uint32_t mask, const uint64_t addr[WARP_LANES], size_t *bytes)
{
    struct stream_writer w;
    struct stream_op op;
    stream_writer_init(&w);
    stream_writer_block(&w, 2, 1, mask);
    stream_writer_lanes(&w, STREAM_GLOBAL, mask, addr);
    *bytes = w.payload.used;
    struct stream_reader r = reader_of(&w);
    CHECK(stream_reader_next(&r, &op));
    CHECK_EQ(op.nsets, 1);
    CHECK_EQ(op.access[0].space, STREAM_GLOBAL);
    CHECK_EQ(op.access[0].mask, mask);
    CHECK(!stream_reader_next(&r, &op) && !r.is_broken);
    stream_writer_free(&w);
    return op.access[0];
}

static void equal_and_evenly_spaced_addresses_are_found(void)
{
    static const int64_t strides[] = {0, 1, 4, 16, 32, 64, 12, -4, 4096, INT64_MIN, 1ll << 40};
    static const uint32_t masks[] = {UINT32_MAX, 0x0000ffff, 0xfffffff0,
                                     0x80000001, 0x55555555, 0x00010000};
    for (int i = 0; i < 11; i++)
        for (int m = 0; m < 6; m++) {
            uint64_t addr[WARP_LANES], back[WARP_LANES];
            size_t bytes;
            for (unsigned l = 0; l < WARP_LANES; l++) /* lanes outside the mask must not matter */
                addr[l] = masks[m] >> l & 1 ? 1000 + l * (uint64_t)strides[i] : 77777 * l;
            struct stream_access a = access_of(masks[m], addr, &bytes);
            CHECK(a.pattern != PATTERN_LANES || (strides[i] == INT64_MIN && m == 3));
            CHECK(strides[i] != 0 || (a.pattern == PATTERN_UNIFORM && bytes == 3));
            CHECK(strides[i] != 4 || m == 5 || (a.pattern == PATTERN_STRIDE && bytes == 3));
            CHECK(m != 5 || a.pattern == PATTERN_UNIFORM); /* one lane */
            stream_access_expand(&a, back);
            for (unsigned l = 0; l < WARP_LANES; l++)
                CHECK(!(masks[m] >> l & 1) || back[l] == addr[l]);
        }
}

static void addresses_one_by_one_take_what_their_differences_need(void)
{
    uint64_t addr[WARP_LANES];
    size_t bytes;
    for (unsigned l = 0; l < WARP_LANES; l++)
        addr[l] = 4 * ((l * l) % 64);
    CHECK_EQ(access_of(UINT32_MAX, addr, &bytes).pattern, PATTERN_LANES);
    CHECK(bytes <= 1 + 8 + 31); /* head, tags, a byte each: they are multiples of four */
    for (unsigned l = 0; l < WARP_LANES; l++)
        addr[l] = l < 11 ? 0 : 4;
    CHECK_EQ(access_of(UINT32_MAX, addr, &bytes).pattern, PATTERN_LANES);
    CHECK_EQ(bytes, 1 + 8 + 1); /* the same address again takes none */
    for (unsigned l = 0; l < WARP_LANES; l++)
        addr[l] = (uint64_t)l * l << 50;
    access_of(UINT32_MAX, addr, &bytes);
    CHECK_EQ(bytes, 1 + 8 + 31 * 8);
    access_of(7, addr, &bytes);
    CHECK_EQ(bytes, 1 + 1 + 2 * 8);
}

/* The bytes that lanes of an 8x4 or 16x2 tile take, after reading them back. */
static size_t tile_bytes(uint32_t mask, unsigned row, uint64_t inner, uint64_t outer)
{
    struct stream_writer w;
    uint64_t addr[WARP_LANES], back[WARP_LANES];
    for (unsigned l = 0; l < WARP_LANES; l++)
        addr[l] = mask >> l & 1 ? 0x1000 + l % row * inner + l / row * outer : 0xdead0000 + l * l;
    stream_writer_init(&w);
    stream_writer_block(&w, 2, 1, mask);
    stream_writer_lanes(&w, STREAM_GLOBAL, mask, addr);
    struct stream_reader r = reader_of(&w);
    struct stream_op op;
    CHECK(stream_reader_next(&r, &op));
    stream_access_expand(&op.access[0], back);
    for (unsigned l = 0; l < WARP_LANES; l++)
        CHECK(!(mask >> l & 1) || back[l] == addr[l]);
    size_t bytes = w.payload.used;
    stream_writer_free(&w);
    return bytes;
}

static void tiles_are_two_strides_whatever_lanes_are_active(void)
{
    CHECK_EQ(tile_bytes(UINT32_MAX, 16, 4, 512), 1 + 2 + 1 + 2);
    CHECK_EQ(tile_bytes(UINT32_MAX, 8, 4, (uint64_t)-64), 1 + 2 + 1 + 1);
    CHECK_EQ(tile_bytes(UINT32_MAX, 2, 0, 4), 1 + 2 + 1 + 1);
    CHECK_EQ(tile_bytes(0xfffefffe, 16, 4, 4096), 1 + 2 + 1 + 2);
    CHECK_EQ(tile_bytes(0x7e7e0000, 8, 8, 100), 1 + 2 + 1 + 2);
    CHECK_EQ(tile_bytes(0x00f0000c, 8, 4, 24), 1 + 2 + 1 + 1);
}

static void a_repeated_odd_stride_is_given_once(void)
{
    struct stream_writer w;
    struct stream_op op;
    stream_writer_init(&w);
    for (unsigned i = 0; i < 10; i++) {
        stream_writer_block(&w, 2, 1, UINT32_MAX);
        stream_writer_stride(&w, STREAM_GLOBAL, 8 * i, 4100);
    }
    CHECK_EQ(w.payload.used, 1 + 2 + 9 * 2);
    struct stream_reader r = reader_of(&w);
    for (unsigned i = 0; i < 10; i++) {
        CHECK(stream_reader_next(&r, &op));
        CHECK_EQ(op.access[0].pattern, PATTERN_STRIDE);
        CHECK_EQ(op.access[0].base, 8 * i);
        CHECK_EQ(op.access[0].stride, 4100);
    }
    stream_writer_free(&w);
}

static void accesses_of_a_loop_take_what_they_move_by(void)
{
    struct stream_writer w;
    stream_writer_init(&w);
    for (unsigned i = 0; i < 100; i++) { /* two arrays far apart, one read, one written */
        stream_writer_block(&w, 2, 1, UINT32_MAX);
        stream_writer_stride(&w, STREAM_GLOBAL, 0x7000000000 + 60 * i, 4);
        stream_writer_block(&w, 3, 1, UINT32_MAX);
        stream_writer_guard(&w, UINT32_MAX, UINT32_MAX);
        stream_writer_stride(&w, STREAM_SHARED, 0x1000 + 60 * i, 4);
    }
    CHECK_EQ(w.payload.used, (1 + 5 + 1 + 1 + 2) + 99 * (2 + 1 + 2));
    stream_writer_free(&w);
}

static void nothing_follows_a_guard_that_is_off(void)
{
    static const uint32_t guards[] = {0xff, 0, 0x0f};
    struct stream_writer w;
    struct stream_op op;
    stream_writer_init(&w);
    for (int i = 0; i < 3; i++) {
        stream_writer_block(&w, 3, 1, 0xff);
        stream_writer_guard(&w, 0xff, guards[i]);
        if (guards[i])
            stream_writer_uniform(&w, STREAM_SHARED, 64);
        stream_writer_block(&w, 4, 1, 0xff);
        stream_writer_guard(&w, 0xff, guards[i]);
        if (guards[i])
            stream_writer_bar(&w, 3, guards[i] == 0xff ? 0 : 256);
    }
    struct stream_reader r = reader_of(&w);
    for (int i = 0; i < 3; i++) {
        CHECK(stream_reader_next(&r, &op));
        CHECK_EQ(op.mask, guards[i]);
        CHECK_EQ(op.active, 0xff);
        CHECK_EQ(op.nsets, guards[i] != 0);
        CHECK(guards[i] == 0 || (op.access[0].base == 64 && op.access[0].mask == guards[i]));
        CHECK(stream_reader_next(&r, &op));
        CHECK_EQ(op.mask, guards[i]);
        CHECK(guards[i] == 0 || op.bar_id == 3);
        CHECK(guards[i] == 0 || op.bar_threads == (guards[i] == 0xff ? 0 : 256));
    }
    CHECK(!stream_reader_next(&r, &op) && !r.is_broken);
    stream_writer_free(&w);
}

static void address_sets_have_their_own_space_and_lanes(void)
{
    struct stream_writer w;
    struct stream_op op;
    stream_writer_init(&w);
    stream_writer_block(&w, 5, 1, 0xffff);
    stream_writer_sets(&w, 2);
    stream_writer_set(&w, STREAM_SHARED, 0xffff, 0x00ff);
    stream_writer_uniform(&w, STREAM_SHARED, 8);
    stream_writer_set(&w, STREAM_LOCAL, 0xffff, 0xff00);
    stream_writer_stride(&w, STREAM_LOCAL, 100, 4);
    struct stream_reader r = reader_of(&w);
    CHECK(stream_reader_next(&r, &op));
    CHECK_EQ(op.nsets, 2);
    CHECK(op.access[0].space == STREAM_SHARED && op.access[0].mask == 0x00ff);
    CHECK(op.access[0].pattern == PATTERN_UNIFORM && op.access[0].base == 8);
    CHECK(op.access[1].space == STREAM_LOCAL && op.access[1].mask == 0xff00);
    CHECK(op.access[1].pattern == PATTERN_STRIDE && op.access[1].stride == 4);
    CHECK(!stream_reader_next(&r, &op) && !r.is_broken);
    stream_writer_free(&w);
}

static bool is_refused(const char *control, size_t nc, const char *payload, size_t np)
{
    struct stream_warp bytes = {(const uint8_t *)control, (const uint8_t *)payload, nc, np};
    struct stream_reader r;
    struct stream_op op;
    stream_reader_init(&r, &kernel, &bytes);
    while (stream_reader_next(&r, &op))
        CHECK(op.insn < kernel.ninsns && op.active);
    CHECK(!stream_reader_next(&r, &op));
    return r.is_broken;
}

#define REFUSED(control, payload)                                                                  \
    is_refused(control, sizeof control - 1, payload, sizeof payload - 1)

static void bytes_that_make_no_sense_end_the_warp(void)
{
    CHECK(!REFUSED("", ""));
    CHECK(REFUSED("", "\0"));             /* payload of no instruction */
    CHECK(REFUSED("\x04", ""));           /* block -1 */
    CHECK(REFUSED("\xfc", ""));           /* far block, no number */
    CHECK(REFUSED("\xfc\x64", ""));       /* block 100 of 100 */
    CHECK(!REFUSED("\xfc\x63", ""));      /* block 99 */
    CHECK(REFUSED("\x02", ""));           /* the mask before the first XOR the first: empty */
    CHECK(REFUSED("\x03\1\0\0", ""));     /* three bytes of mask */
    CHECK(REFUSED("\x03\0\0\0\0", ""));   /* no lanes */
    CHECK(!REFUSED("\x30", ""));          /* an empty block */
    CHECK(REFUSED("\x30", "\x02"));       /* takes no payload */
    CHECK(REFUSED("\x10", ""));           /* a load without addresses */
    CHECK(REFUSED("\x10", "\x03"));       /* of no pattern */
    CHECK(REFUSED("\x10", "\x20"));       /* base cut off */
    CHECK(REFUSED("\x10", "\x1d"));       /* stride cut off */
    CHECK(REFUSED("\x10", "\x04"));       /* a form that equal addresses have not */
    CHECK(REFUSED("\x10", "\x02\1\2\3")); /* tags cut off */
    CHECK(REFUSED("\x10", "\x02\1\0\0\0\0\0\0\0")); /* steps cut off */
    CHECK(!REFUSED("\x10", "\x02\1\0\0\0\0\0\0\0\2"));
    CHECK(REFUSED("\x18", "\x03"));                 /* a guard of no kind */
    CHECK(REFUSED("\x1b\1\0\0\0", "\x02\2\0\0\0")); /* of lanes that the block has not */
    CHECK(REFUSED("\x28", "\x09"));                 /* nine sets */
    CHECK(REFUSED("\x28", "\x01\x07\0"));           /* of no space */
    CHECK(REFUSED("\x28", "\x01\x08\0\0\0\0\0"));   /* of no lanes */
    CHECK(!REFUSED("\x28", "\x01\x08\1\0\0\0\0"));
}

static void lanes_that_the_block_has_not_are_a_fault(void)
{
    struct stream_writer w;
    stream_writer_init(&w);
    stream_writer_block(&w, 3, 1, 0xff);
    stream_writer_guard(&w, 0xff, 0x100);
}

static void a_block_without_lanes_is_a_fault(void)
{
    struct stream_writer w;
    stream_writer_init(&w);
    stream_writer_block(&w, 3, 1, 0);
}

static void impossible_masks_are_our_own_faults(void)
{
    CHECK(strstr(death_of(lanes_that_the_block_has_not_are_a_fault).text, "not among the block's"));
    CHECK(strstr(death_of(a_block_without_lanes_is_a_fault).text, "without lanes"));
}

CHECK_MAIN("codec", TEST(a_block_near_the_last_one_takes_one_byte),
           TEST(the_masks_of_an_if_with_an_else_are_given_once),
           TEST(a_reset_writer_writes_as_a_new_one),
           TEST(equal_and_evenly_spaced_addresses_are_found),
           TEST(addresses_one_by_one_take_what_their_differences_need),
           TEST(tiles_are_two_strides_whatever_lanes_are_active),
           TEST(a_repeated_odd_stride_is_given_once),
           TEST(accesses_of_a_loop_take_what_they_move_by),
           TEST(nothing_follows_a_guard_that_is_off),
           TEST(address_sets_have_their_own_space_and_lanes),
           TEST(bytes_that_make_no_sense_end_the_warp), TEST(impossible_masks_are_our_own_faults))
