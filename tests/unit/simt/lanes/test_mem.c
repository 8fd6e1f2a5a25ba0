/* Loads and stores: every space, size and pattern; faults; what the stream says. */
#include "base/rng.h"
#include "check.h"
#include "rig/mem_rig.h"

#define FULL UINT32_MAX
static const uint32_t masks[] = {FULL,       1,          0x80000000, 0x0000ffff, 0xffff0000,
                                 0x55555555, 0xaaaaaaaa, 0x00010100, 0x7ffffffe, 0x12345678};
enum { MASKS = sizeof masks / sizeof masks[0] };

static bool is_in(uint32_t mask, int lane)
{
    return mask >> lane & 1;
}

/* --- loads ---------------------------------------------------------------------------------- */

/* One 32-bit load for each mask with addresses base + stride * lane. */
static void load_with_stride(struct mem_rig *r, int64_t stride)
{
    uint64_t base = mem_rig_alloc(r, 4096);
    uint32_t *host = mem_rig_host(r, base);
    for (uint32_t k = 0; k < 1024; k++)
        host[k] = 0x01000193 * (k + 1);
    uint64_t start = base + 2048;
    for (int m = 0; m < MASKS; m++) {
        mem_rig_spread(r, 1, start - 64, stride);
        mem_rig_fill32(r, 0, 0xdeadbeef);
        mem_rig_run(r, "ld.global.u32",
                    (struct mem_rig_operands){.dst = 0, .src = {1, NONE, NONE, NONE}, .imm = 64},
                    masks[m]);
        CHECK_STR(r->fault, "");
        for (int l = 0; l < WARP_LANES; l++) {
            uint64_t at = (start + (uint64_t)l * (uint64_t)stride - base) / 4;
            CHECK_EQ(mem_rig_get32(r, 0, l), is_in(masks[m], l) ? host[at] : 0xdeadbeef);
        }
        CHECK_EQ(r->op.nsets, 1);
        CHECK_EQ(r->op.access[0].space, STREAM_GLOBAL);
        mem_rig_check_stream(r, 0, 1, 64);
    }
    CHECK_EQ(r->changes, 0);
}

static void loads_follow_every_stride_under_every_mask(void)
{
    static const int64_t strides[] = {0, 4, 8, -4, 60, -64, 12};
    for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++)
        EACH_SET(r, load_with_stride(r, strides[s]);)
}

static void a_gather_takes_each_lane_from_its_own_place(void)
{
    EACH_SET(r, {
        uint64_t base = mem_rig_alloc(r, 4096);
        uint64_t *host = mem_rig_host(r, base);
        for (uint32_t k = 0; k < 512; k++)
            host[k] = 0x9e3779b97f4a7c15u * (k + 1);
        for (int m = 0; m < MASKS; m++) {
            for (int l = 0; l < WARP_LANES; l++) /* idle lanes point anywhere */
                mem_rig_set64(r, 1, l,
                              is_in(masks[m], l) ? base + 8 * (uint64_t)(l * 37 % 512) : 0x123457);
            mem_rig_fill64(r, 0, 7);
            mem_rig_run(r, "ld.global.b64", (struct mem_rig_operands){.dst = 0, .src = {1}},
                        masks[m]);
            CHECK_STR(r->fault, "");
            for (int l = 0; l < WARP_LANES; l++)
                CHECK_EQ(mem_rig_get64(r, 0, l), is_in(masks[m], l) ? host[l * 37 % 512] : 7);
            mem_rig_check_stream(r, 0, 1, 0);
        }
    })
}

static void the_destination_may_be_the_address_register(void)
{
    EACH_SET(r, {
        uint64_t base = mem_rig_alloc(r, 256);
        uint64_t *host = mem_rig_host(r, base);
        for (uint32_t k = 0; k < 32; k++)
            host[k] = base + 8 * ((k * 7 + 3) % 32);
        mem_rig_spread(r, 1, base, 8);
        for (int step = 0; step < 2; step++) /* contiguous, then a gather */
            mem_rig_run(r, "ld.global.u64", (struct mem_rig_operands){.dst = 1, .src = {1}}, FULL);
        for (uint32_t l = 0; l < 32; l++)
            CHECK_EQ(mem_rig_get64(r, 1, (int)l), host[(l * 7 + 3) % 32]);
    })
}

static void small_loads_extend_by_their_sign(void)
{
    static const struct {
        const char *opcode;
        uint32_t bytes, expected;
    } cases[] = {
        {"ld.global.u8", 1, 0x000000fe},  {"ld.global.s8", 1, 0xfffffffe},
        {"ld.global.b8", 1, 0x000000fe},  {"ld.global.u16", 2, 0x0000fdfe},
        {"ld.global.s16", 2, 0xfffffdfe}, {"ld.global.b16", 2, 0x0000fdfe},
        {"ld.global.f16", 2, 0x0000fdfe}, {"ld.global.f32", 4, 0xfbfcfdfe},
        {"ld.global.s32", 4, 0xfbfcfdfe},
    };
    static const uint8_t bytes[4] = {0xfe, 0xfd, 0xfc, 0xfb};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        EACH_SET(r, {
            uint64_t base = mem_rig_alloc(r, 1024);
            uint8_t *host = mem_rig_host(r, base);
            for (uint32_t k = 0; k < 1024; k++)
                host[k] = bytes[k % cases[c].bytes];
            for (int64_t factor = 0; factor <= 2; factor++) { /* uniform, contiguous, apart */
                mem_rig_spread(r, 1, base, factor * cases[c].bytes);
                mem_rig_fill32(r, 0, 0);
                mem_rig_run(r, cases[c].opcode, (struct mem_rig_operands){.dst = 0, .src = {1}},
                            0xfffffff0);
                for (int l = 4; l < WARP_LANES; l++)
                    CHECK_EQ(mem_rig_get32(r, 0, l), cases[c].expected);
                CHECK_EQ(mem_rig_get32(r, 0, 3), 0);
            }
        })
}

static void vectors_fill_their_registers_and_skip_sinks(void)
{
    EACH_SET(r, {
        uint64_t base = mem_rig_alloc(r, 4096);
        uint32_t *host = mem_rig_host(r, base);
        for (uint32_t k = 0; k < 1024; k++)
            host[k] = k;
        for (int64_t stride = 0; stride <= 48; stride += 16) {
            mem_rig_spread(r, 1, base, stride);
            mem_rig_fill32(r, 3, 99);
            struct mem_rig_operands o = {.src = {1}, .nlist = 4, .list = {2, NONE, 4, 5}};
            mem_rig_run(r, "ld.global.v4.f32", o, FULL);
            for (uint32_t l = 0; l < 32; l++) {
                uint32_t first = l * (uint32_t)stride / 4;
                CHECK_EQ(mem_rig_get32(r, 2, (int)l), first);
                CHECK_EQ(mem_rig_get32(r, 3, (int)l), 99);
                CHECK_EQ(mem_rig_get32(r, 4, (int)l), first + 2);
                CHECK_EQ(mem_rig_get32(r, 5, (int)l), first + 3);
            }
        }
        mem_rig_spread(r, 1, base, 32);
        mem_rig_run(r, "ld.global.nc.v4.u64",
                    (struct mem_rig_operands){.src = {1}, .nlist = 4, .list = {2, 3, 4, 5}}, FULL);
        CHECK_EQ(mem_rig_get64(r, 5, 31), (uint64_t)(31 * 8 + 7) << 32 | (31 * 8 + 6));
        mem_rig_spread(r, 1, base, 2);
        mem_rig_run(r, "ld.global.v2.u8",
                    (struct mem_rig_operands){.src = {1}, .nlist = 2, .list = {2, 3}}, FULL);
        CHECK_EQ(mem_rig_get32(r, 2, 2), 1);
        CHECK_EQ(mem_rig_get32(r, 3, 2), 0);
        mem_rig_fill64(r, 1, base);
        mem_rig_run(
            r, "ld.global.v8.f32",
            (struct mem_rig_operands){.src = {1}, .nlist = 8, .list = {2, 3, 4, 5, 6, 7, 8, 9}},
            FULL);
        CHECK_EQ(mem_rig_get32(r, 9, 17), 7);
        CHECK_EQ(r->desc.size, 32);
    })
}

/* --- stores --------------------------------------------------------------------------------- */

static void stores_write_active_lanes_only(void)
{
    static const struct {
        const char *opcode;
        uint32_t bytes;
    } cases[] = {
        {"st.global.u8", 1}, {"st.global.b16", 2}, {"st.global.f32", 4}, {"st.global.f64", 8}};
    for (size_t c = 0; c < 4; c++)
        for (int m = 0; m < MASKS; m++)
            EACH_SET(r, {
                uint32_t n = cases[c].bytes;
                uint64_t base = mem_rig_alloc(r, 1024);
                uint8_t *host = mem_rig_host(r, base);
                memset(host, 0xee, 1024);
                mem_rig_spread(r, 1, base + 16, n);
                if (n == 8)
                    mem_rig_spread(r, 2, 0x0101010101010101, 0x0101010101010101);
                else
                    for (uint32_t l = 0; l < 32; l++)
                        mem_rig_set32(r, 2, (int)l, 0x01010101 * (l + 1));
                mem_rig_run(r, cases[c].opcode, (struct mem_rig_operands){.src = {1, 2}}, masks[m]);
                CHECK_STR(r->fault, "");
                CHECK_EQ(r->changes, 1);
                for (uint32_t k = 0; k < 1024; k++) {
                    uint32_t lane = (k - 16) / n;
                    bool is_written = k >= 16 && lane < 32 && is_in(masks[m], (int)lane);
                    CHECK_EQ(host[k], is_written ? lane + 1 : 0xee);
                }
                mem_rig_check_stream(r, 0, 1, 0);
            })
}

static void of_lanes_that_store_to_one_place_the_highest_wins(void)
{
    EACH_SET(r, {
        uint64_t base = mem_rig_alloc(r, 64);
        uint32_t *host = mem_rig_host(r, base);
        for (uint32_t l = 0; l < 32; l++)
            mem_rig_set32(r, 2, (int)l, l);
        mem_rig_fill64(r, 1, base);
        mem_rig_run(r, "st.global.u32", (struct mem_rig_operands){.src = {1, 2}}, FULL);
        CHECK_EQ(host[0], 31);
        mem_rig_run(r, "st.global.u32", (struct mem_rig_operands){.src = {1, 2}}, 0x00ff00ff);
        CHECK_EQ(host[0], 23);
        for (int l = 0; l < 32; l++)
            mem_rig_set64(r, 1, l, base + 4 * (uint64_t)(l % 3));
        mem_rig_run(r, "st.global.u32", (struct mem_rig_operands){.src = {1, 2}}, FULL);
        CHECK_EQ(host[0], 30);
        CHECK_EQ(host[1], 31);
        CHECK_EQ(host[2], 29);
    })
}

static void vector_stores_write_all_elements(void)
{
    EACH_SET(r, {
        uint64_t base = mem_rig_alloc(r, 1024);
        uint16_t *host = mem_rig_host(r, base);
        for (int k = 0; k < 4; k++)
            for (int l = 0; l < 32; l++)
                mem_rig_set32(r, 2 + k, l, 0xabc00000u + (uint32_t)(l * 4 + k));
        mem_rig_spread(r, 1, base, 8);
        mem_rig_run(r, "st.global.v4.u16",
                    (struct mem_rig_operands){.src = {1}, .nlist = 4, .list = {2, 3, 4, 5}},
                    FULL ^ 2);
        for (int k = 0; k < 128; k++)
            CHECK_EQ(host[k], k / 4 == 1 ? 0 : k);
    })
}

/* --- other spaces --------------------------------------------------------------------------- */

static void shared_memory_takes_32_bit_addresses(void)
{
    EACH_SET(r, {
        for (int m = 0; m < MASKS; m++) {
            memset(r->shared, 0, sizeof r->shared);
            for (int l = 0; l < 32; l++) {
                mem_rig_set32(r, 1, l, 256 + 4 * (uint32_t)l);
                mem_rig_set32(r, 2, l, 1000 + (uint32_t)l);
            }
            struct mem_rig_operands o = {
                .src = {1, 2}, .imm = (uint64_t)-128, .has_address32 = true};
            mem_rig_run(r, "st.shared.u32", o, masks[m]);
            CHECK_STR(r->fault, "");
            CHECK_EQ(r->op.access[0].space, STREAM_SHARED);
            for (uint32_t l = 0; l < 32; l++) {
                uint32_t v;
                memcpy(&v, r->shared + 128 + 4 * l, 4);
                CHECK_EQ(v, is_in(masks[m], (int)l) ? 1000 + l : 0);
            }
            o.dst = 3;
            o.src[1] = NONE;
            mem_rig_fill32(r, 3, 5);
            mem_rig_run(r, "ld.volatile.shared.f32", o, masks[m]);
            for (uint32_t l = 0; l < 32; l++)
                CHECK_EQ(mem_rig_get32(r, 3, (int)l), is_in(masks[m], (int)l) ? 1000 + l : 5);
        }
    })
}

static void an_address_without_register_is_the_offset_alone(void)
{
    EACH_SET(r, {
        uint64_t v = 0x0123456789abcdef;
        memcpy(r->shared + 40, &v, 8);
        mem_rig_run(r, "ld.shared.f64",
                    (struct mem_rig_operands){.dst = 0, .src = {NONE}, .imm = 40}, FULL);
        for (int l = 0; l < 32; l++)
            CHECK_EQ(mem_rig_get64(r, 0, l), v);
        CHECK_EQ(r->op.access[0].pattern, PATTERN_UNIFORM);
        CHECK_EQ(r->op.access[0].base, 40);
    })
}

static void a_load_at_the_very_end_reads_no_byte_behind_it(void)
{
    EACH_SET(r, { /* idle lanes would be past the end: the row must not be read at once */
                  uint64_t base = mem_rig_alloc(r, 64);
                  uint32_t *host = mem_rig_host(r, base);
                  for (uint32_t k = 0; k < 16; k++)
                      host[k] = 100 + k;
                  mem_rig_spread(r, 1, base, 4);
                  mem_rig_fill32(r, 0, 1);
                  mem_rig_run(r, "ld.global.u32", (struct mem_rig_operands){.dst = 0, .src = {1}},
                              0xffff);
                  CHECK_STR(r->fault, "");
                  for (uint32_t l = 0; l < 32; l++)
                      CHECK_EQ(mem_rig_get32(r, 0, (int)l), l < 16 ? 100 + l : 1);
    })
}

static void every_thread_has_its_own_local_memory(void)
{
    EACH_SET(r, {
        mem_rig_fill64(r, 1, 16);
        for (uint32_t l = 0; l < 32; l++)
            mem_rig_set64(r, 2, (int)l, 0x1111111100000000 + l);
        mem_rig_run(r, "st.local.u64", (struct mem_rig_operands){.src = {1, 2}}, FULL);
        CHECK_EQ(r->changes, 0);
        CHECK_EQ(r->op.access[0].space, STREAM_LOCAL);
        CHECK_EQ(r->op.access[0].pattern, PATTERN_UNIFORM);
        CHECK_EQ(r->op.access[0].base, 16);
        mem_rig_fill32(r, 3, 0);
        mem_rig_run(r, "ld.local.u32", (struct mem_rig_operands){.dst = 3, .src = {1}}, 0xf0f0f0f0);
        for (uint32_t l = 0; l < 32; l++)
            CHECK_EQ(mem_rig_get32(r, 3, (int)l), is_in(0xf0f0f0f0, (int)l) ? l : 0);
        mem_rig_fill64(r, 1, MEM_RIG_LOCAL);
        mem_rig_run(r, "ld.local.u32", (struct mem_rig_operands){.dst = 3, .src = {1}}, FULL);
        CHECK(mem_rig_says(r, "load of 4 bytes at 0x80 of local memory, which has 128 bytes"));
    })
}

static void parameters_of_functions_lie_behind_local_memory_and_out_of_the_stream(void)
{
    EACH_SET(r, {
        for (uint32_t l = 0; l < 32; l++)
            mem_rig_set32(r, 2, (int)l, l + 7);
        mem_rig_run(r, "stframe.b32", (struct mem_rig_operands){.src = {NONE, 2}, .imm = 8}, FULL);
        CHECK_EQ(r->op.nsets, 0);
        CHECK_EQ(r->desc.unit, UNIT_NONE);
        CHECK_EQ(r->local[5 * (MEM_RIG_LOCAL + MEM_RIG_FRAME) + MEM_RIG_LOCAL + 8], 12);
        mem_rig_run(r, "ldframe.u8", (struct mem_rig_operands){.dst = 3, .src = {NONE}, .imm = 8},
                    FULL);
        CHECK_EQ(mem_rig_get32(r, 3, 31), 38);
        mem_rig_run(r, "ldframe.v2.b32",
                    (struct mem_rig_operands){.src = {NONE}, .imm = 64, .nlist = 2, .list = {3, 4}},
                    FULL);
        CHECK(mem_rig_says(r, "of parameter memory, which has 64 bytes"));
    })
}

static void kernel_parameters_can_be_read_by_address(void)
{
    EACH_SET(r, {
        for (int k = 0; k < MEM_RIG_PARAMS; k++)
            r->params[k] = (uint8_t)k;
        mem_rig_spread(r, 1, 0, 2);
        mem_rig_run(r, "ld.param.u16", (struct mem_rig_operands){.dst = 0, .src = {1}}, FULL);
        CHECK_EQ(mem_rig_get32(r, 0, 31), 0x3f3e);
        CHECK_EQ(r->op.access[0].space, STREAM_PARAM);
        mem_rig_run(r, "ld.param.u16", (struct mem_rig_operands){.dst = 0, .src = {1}, .imm = 2},
                    FULL);
        CHECK(mem_rig_says(r, "thread (31,0,0): load of 2 bytes at 0x40 of parameter memory"));
    })
}

static void constants_are_device_memory_of_another_space(void)
{
    EACH_SET(r, {
        uint64_t base = mem_rig_alloc(r, 64);
        memcpy(mem_rig_host(r, base), "\1\2\3\4\5\6\7\10", 8);
        mem_rig_run(
            r, "ld.const.v2.u32",
            (struct mem_rig_operands){.src = {NONE}, .imm = base, .nlist = 2, .list = {2, 3}},
            FULL);
        CHECK_EQ(mem_rig_get32(r, 2, 9), 0x04030201);
        CHECK_EQ(mem_rig_get32(r, 3, 9), 0x08070605);
        CHECK_EQ(r->op.access[0].space, STREAM_CONST);
    })
}

/* --- both kinds of handlers ----------------------------------------------------------------- */

enum { AREA = 16384 };

/* Registers 0 and 2 to 5 are data, 1 the address. */
static void random_access(struct mem_rig *r, uint64_t base, uint64_t key)
{
    static const char *const opcodes[] = {
        "ld.global.u8",        "ld.global.s16",       "ld.global.f32", "ld.global.u64",
        "st.global.u8",        "st.global.u16",       "st.global.b32", "st.global.f64",
        "ld.global.v4.f32",    "st.global.v2.u64",    "ld.u32",        "st.u64",
        "atom.global.add.u32", "atom.global.min.s64", "atom.add.f32",  "red.global.xor.b32",
    };
    static const int64_t strides[] = {0, 8, 16, 24, -8, -16, 64, 128};
    const char *opcode = opcodes[rng_below(rng_at(key, 0), 16)];
    uint64_t at = base + AREA / 2 + 16 * (uint64_t)rng_below(rng_at(key, 1), 16);
    uint32_t kind = rng_below(rng_at(key, 2), 12);
    for (uint32_t l = 0; l < 32; l++) {
        uint64_t anywhere = base + 16 * (uint64_t)rng_below(rng_at(key, 100 + l), AREA / 16 - 1);
        uint64_t on_line = at + l * (uint64_t)strides[kind % 8];
        mem_rig_set64(r, 1, (int)l, kind < 8 ? on_line : anywhere);
        for (int k = 2; k < 6; k++)
            mem_rig_set64(r, k, (int)l, rng_at(key, 200 + 32 * (uint64_t)k + l));
    }
    uint32_t mask = (uint32_t)rng_at(key, 3) | 1u << (key & 31);
    struct mem_rig_operands o = {
        .dst = 0, .src = {1, 2, 3, NONE}, .nlist = 4, .list = {2, 3, 4, 5}};
    mem_rig_run(r, opcode, o, key % 3 ? mask : FULL);
}

static void both_kinds_of_handlers_agree_on_random_accesses(void)
{
    if (mem_rig_sets() < 2)
        return;
    struct mem_rig *r[2];
    uint64_t base = 0;
    for (int set = 0; set < 2; set++) {
        r[set] = mem_rig_new(set);
        base = mem_rig_alloc(r[set], AREA);
    }
    for (uint64_t round = 0; round < 2000; round++) {
        for (int set = 0; set < 2; set++)
            random_access(r[set], base, rng_key(round, 1));
        CHECK_STR(r[0]->fault, r[1]->fault);
        CHECK_EQ(r[0]->changes, r[1]->changes);
        CHECK(memcmp(mem_rig_host(r[0], base), mem_rig_host(r[1], base), AREA) == 0);
        for (int reg = 0; reg < 6; reg++)
            for (int l = 0; l < 32; l++)
                CHECK_EQ(mem_rig_get64(r[0], reg, l), mem_rig_get64(r[1], reg, l));
        if (*r[0]->fault) /* a vector's alignment: nothing else can be wrong */
            CHECK(mem_rig_says(r[0], "misaligned"));
        else
            for (int set = 0; set < 2; set++)
                mem_rig_check_stream(r[set], 0, 1, 0);
    }
    for (int set = 0; set < 2; set++)
        mem_rig_free(r[set]);
}

CHECK_MAIN("lanes_mem", TEST(loads_follow_every_stride_under_every_mask),
           TEST(a_gather_takes_each_lane_from_its_own_place),
           TEST(the_destination_may_be_the_address_register),
           TEST(small_loads_extend_by_their_sign),
           TEST(vectors_fill_their_registers_and_skip_sinks), TEST(stores_write_active_lanes_only),
           TEST(of_lanes_that_store_to_one_place_the_highest_wins),
           TEST(vector_stores_write_all_elements), TEST(shared_memory_takes_32_bit_addresses),
           TEST(an_address_without_register_is_the_offset_alone),
           TEST(a_load_at_the_very_end_reads_no_byte_behind_it),
           TEST(every_thread_has_its_own_local_memory),
           TEST(parameters_of_functions_lie_behind_local_memory_and_out_of_the_stream),
           TEST(kernel_parameters_can_be_read_by_address),
           TEST(constants_are_device_memory_of_another_space),
           TEST(both_kinds_of_handlers_agree_on_random_accesses))
