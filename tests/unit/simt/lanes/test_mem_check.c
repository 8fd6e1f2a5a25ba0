/* Generic addresses and conversions; accesses that must fault, and what is said of them. */
#include "check.h"
#include "rig/mem_rig.h"

#define FULL UINT32_MAX

/* --- generic addresses ---------------------------------------------------------------------- */

static void generic_pointers_reach_every_space_in_one_instruction(void)
{
    EACH_SET(r, {
        uint64_t base = mem_rig_alloc(r, 256);
        uint32_t *host = mem_rig_host(r, base);
        uint64_t window[4];
        window[0] = base;
        window[1] = DEVMEM_SHARED;
        window[2] = DEVMEM_LOCAL;
        window[3] = DEVMEM_PARAM;
        for (uint32_t l = 0; l < 32; l++) {
            uint32_t v[4];
            for (uint32_t k = 0; k < 4; k++)
                v[k] = 1000 * (k + 1) + l;
            host[l] = v[0];
            memcpy(r->shared + 4 * l, &v[1], 4);
            memcpy(r->local + l * (MEM_RIG_LOCAL + MEM_RIG_FRAME) + 4 * l, &v[2], 4);
            if (l < 16)
                memcpy(r->params + 4 * l, &v[3], 4);
            uint32_t space = l % 4 == 3 && l >= 16 ? 0 : l % 4;
            mem_rig_set64(r, 1, (int)l, window[space] + 4 * l);
        }
        r->active = 0xfffffff7;
        mem_rig_run(r, "ld.u32", (struct mem_rig_operands){.dst = 0, .src = {1}}, 0xfffffff7);
        CHECK_STR(r->fault, "");
        for (uint32_t l = 0; l < 32; l++) {
            uint32_t space = l % 4 == 3 && l >= 16 ? 0 : l % 4;
            if (l != 3)
                CHECK_EQ(mem_rig_get32(r, 0, (int)l), 1000 * (space + 1) + l);
        }
        CHECK_EQ(r->op.nsets, 4);
        uint32_t together = 0;
        for (uint32_t k = 0; k < 4; k++) {
            static const uint8_t spaces[4] = {STREAM_GLOBAL, STREAM_SHARED, STREAM_LOCAL,
                                              STREAM_PARAM};
            CHECK_EQ(r->op.access[k].space, spaces[k]);
            CHECK_EQ(together & r->op.access[k].mask, 0);
            together |= r->op.access[k].mask;
            mem_rig_check_stream(r, k, 1, k ? 0 - window[k] : 0);
        }
        CHECK_EQ(together, 0xfffffff7);
    })
}

static void generic_pointers_into_one_space_are_one_set(void)
{
    EACH_SET(r, {
        uint64_t base = mem_rig_alloc(r, 256);
        for (int round = 0; round < 2; round++) { /* the second finds the range it knows */
            mem_rig_spread(r, 1, base, 4);
            mem_rig_spread(r, 2, 5, 1);
            mem_rig_run(r, "st.u32", (struct mem_rig_operands){.src = {1, 2}}, FULL);
            CHECK_STR(r->fault, "");
            CHECK_EQ(r->op.nsets, 1);
            CHECK_EQ(r->op.access[0].space, STREAM_GLOBAL);
            CHECK_EQ(r->op.access[0].pattern, PATTERN_STRIDE);
            CHECK_EQ(r->op.access[0].stride, 4);
            CHECK_EQ(r->changes, round + 1);
        }
        mem_rig_spread(r, 1, DEVMEM_SHARED + 512, 8);
        mem_rig_spread(r, 2, 77, 1);
        mem_rig_run(r, "st.u64", (struct mem_rig_operands){.src = {1, 2}}, FULL);
        CHECK_EQ(r->op.nsets, 1);
        CHECK_EQ(r->op.access[0].space, STREAM_SHARED);
        CHECK_EQ(r->op.access[0].base, 512);
        CHECK_EQ(r->shared[512 + 8 * 31], 77 + 31);
        mem_rig_fill64(r, 1, DEVMEM_PARAM);
        mem_rig_run(r, "st.u64", (struct mem_rig_operands){.src = {1, 2}}, FULL);
        CHECK(mem_rig_says(r, "store to kernel parameters"));
    })
}

static void addresses_are_converted_between_spaces(void)
{
    static const struct {
        const char *opcode;
        uint64_t from, to;
    } cases[] = {
        {"cvta.global.u64", 0x1000000100, 0x1000000100},
        {"cvta.to.global.u64", 0x1000000100, 0x1000000100},
        {"cvta.const.u64", 0x1000000100, 0x1000000100},
        {"cvta.shared.u64", 0x40, DEVMEM_SHARED + 0x40},
        {"cvta.shared::cta.u64", 0x40, DEVMEM_SHARED + 0x40},
        {"cvta.to.shared.u64", DEVMEM_SHARED + 0x40, 0x40},
        {"cvta.local.u64", 8, DEVMEM_LOCAL + 8},
        {"cvta.to.local.u64", DEVMEM_LOCAL + 8, 8},
        {"cvta.param.u64", 4, DEVMEM_PARAM + 4},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        EACH_SET(r, {
            mem_rig_fill64(r, 1, cases[c].from);
            mem_rig_fill64(r, 0, 3);
            mem_rig_run(r, cases[c].opcode, (struct mem_rig_operands){.dst = 0, .src = {1}}, 0xff);
            CHECK_EQ(mem_rig_get64(r, 0, 7), cases[c].to);
            CHECK_EQ(mem_rig_get64(r, 0, 8), 3);
        })
}

static void isspacep_tells_the_window(void)
{
    static const char *const space[] = {"isspacep.global", "isspacep.shared", "isspacep.local",
                                        "isspacep.param"};
    EACH_SET(r, {
        for (int l = 0; l < 32; l++)
            mem_rig_set64(r, 1, l,
                          (l % 4 == 0   ? DEVMEM_BASE
                           : l % 4 == 1 ? DEVMEM_SHARED
                           : l % 4 == 2 ? DEVMEM_LOCAL
                                        : DEVMEM_PARAM) +
                              (uint64_t)l);
        for (int k = 0; k < 4; k++) {
            r->pred[PRED_FIRST] = 0xf0000000;
            mem_rig_run(r, space[k], (struct mem_rig_operands){.dst = PRED_FIRST, .src = {1}},
                        0x0fffffff);
            CHECK_EQ(r->pred[PRED_FIRST], 0xf0000000 | (0x01111111u << k));
        }
    })
}

/* --- faults --------------------------------------------------------------------------------- */

/* Twice: with a range that is not known yet, and with one that is. */
static void check_fault(const char *opcode, uint64_t offset, int64_t stride, uint32_t exec,
                        const char *what)
{
    EACH_SET(r, {
        uint64_t base = mem_rig_alloc(r, 128);
        CHECK_EQ(base % 256, 0);
        for (int is_known = 0; is_known < 2; is_known++) {
            if (is_known) {
                mem_rig_fill64(r, 1, base);
                mem_rig_run(r, "ld.global.u64", (struct mem_rig_operands){.dst = 0, .src = {1}}, 1);
                CHECK_STR(r->fault, "");
            }
            mem_rig_spread(r, 1, base + offset, stride);
            mem_rig_fill64(r, 0, 42);
            mem_rig_run(r, opcode, (struct mem_rig_operands){.dst = 0, .src = {1, 0, NONE, NONE}},
                        exec);
            CHECK(mem_rig_says(r, what));
            CHECK(mem_rig_says(r, "rig.ptx:1: kernel rig, CTA (0,0,0), thread ("));
            CHECK_EQ(mem_rig_get64(r, 0, 0), 42);
            CHECK_EQ(r->changes, 0);
            static const uint8_t zero[128];
            CHECK(memcmp(mem_rig_host(r, base), zero, 128) == 0);
        }
    })
}

static void accesses_outside_allocations_are_faults_that_change_nothing(void)
{
    check_fault("ld.global.u32", 4, 4, FULL, "thread (31,0,0): load of 4 bytes at 0x");
    check_fault("ld.global.u32", 4, 4, FULL, ": just past the end of the allocation at 0x");
    check_fault("st.global.u64", 128, 0, 8, "thread (3,0,0): store of 8 bytes at 0x");
    check_fault("ld.global.u32", 1 << 20, 4, FULL, "outside any allocation");
    check_fault("ld.global.u32", (uint64_t)-DEVMEM_BASE, 4, FULL, "outside any allocation");
    check_fault("st.global.u32", (uint64_t)1 << 63, 4, FULL, "outside any allocation");
    check_fault("ld.global.u32", 0, (int64_t)1 << 40, FULL, "thread (1,0,0): load of 4 bytes");
    check_fault("ld.global.u32", 0, (int64_t)1 << 59, FULL, "thread (1,0,0): load of 4 bytes");
    check_fault("ld.global.u32", 64, -4, FULL, "thread (17,0,0): load of 4 bytes");
    check_fault("ld.global.u32", 0, -4, 0x80000001, "thread (31,0,0): load of 4 bytes");
    check_fault("ld.u32", 1 << 20, 4, FULL, "outside any allocation");
    check_fault("ld.global.u64", 126, 1, 4, "past the end");
}

static void misaligned_accesses_are_faults(void)
{
    check_fault("ld.global.u32", 2, 4, FULL, "thread (0,0,0): misaligned load of 4 bytes at 0x");
    check_fault("st.global.u64", 4, 0, 0x10, "thread (4,0,0): misaligned store of 8 bytes");
    check_fault("ld.global.u16", 0, 3, FULL, "thread (1,0,0): misaligned load of 2 bytes");
    check_fault("st.u32", 1, 4, FULL, "misaligned store of 4 bytes");
    EACH_SET(r,
             { /* a vector is aligned as a whole */
               uint64_t base = mem_rig_alloc(r, 1024);
               mem_rig_spread(r, 1, base + 8, 16);
               mem_rig_run(r, "ld.global.v4.f32",
                           (struct mem_rig_operands){.src = {1}, .nlist = 4, .list = {2, 3, 4, 5}},
                           FULL);
               CHECK(mem_rig_says(r, "misaligned load of 16 bytes"));
             })
}

static void lanes_apart_by_half_an_element_each_are_aligned(void)
{
    EACH_SET(r, { /* two active lanes whose line has a stride of 2 bytes */
                  uint64_t base = mem_rig_alloc(r, 64);
                  *(uint32_t *)mem_rig_host(r, base) = 11;
                  *(uint32_t *)mem_rig_host(r, base + 4) = 22;
                  mem_rig_spread(r, 1, base, 2);
                  mem_rig_run(r, "ld.global.u32", (struct mem_rig_operands){.dst = 0, .src = {1}},
                              5);
                  CHECK_STR(r->fault, "");
                  CHECK_EQ(mem_rig_get32(r, 0, 0), 11);
                  CHECK_EQ(mem_rig_get32(r, 0, 2), 22);
    })
}

static void freed_memory_is_named_as_such(void)
{
    EACH_SET(r, {
        struct err e = {0};
        uint64_t base = mem_rig_alloc(r, 128);
        CHECK(devmem_release(r->mem, base, &e));
        mem_rig_spread(r, 1, base, 4);
        mem_rig_run(r, "ld.global.u32", (struct mem_rig_operands){.dst = 0, .src = {1}}, FULL);
        CHECK(mem_rig_says(r, "in freed memory"));
    })
}

static void lanes_may_reach_into_several_allocations(void)
{
    EACH_SET(r, {
        uint64_t a = mem_rig_alloc(r, 64);
        uint64_t b = mem_rig_alloc(r, 64);
        *(uint32_t *)mem_rig_host(r, a) = 1;
        *(uint32_t *)mem_rig_host(r, b) = 2;
        for (int round = 0; round < 2; round++) {
            for (int l = 0; l < 32; l++)
                mem_rig_set64(r, 1, l, l % 3 ? a : b);
            mem_rig_run(r, "ld.global.u32", (struct mem_rig_operands){.dst = 0, .src = {1}}, FULL);
            CHECK_STR(r->fault, "");
            for (int l = 0; l < 32; l++)
                CHECK_EQ(mem_rig_get32(r, 0, l), l % 3 ? 1 : 2);
        }
    })
}

static void shared_memory_ends_where_it_ends(void)
{
    EACH_SET(r, {
        mem_rig_fill32(r, 1, MEM_RIG_SHARED - 4);
        struct mem_rig_operands o = {.dst = 0, .src = {1}, .has_address32 = true};
        mem_rig_run(r, "ld.shared.u32", o, FULL);
        CHECK_STR(r->fault, "");
        o.imm = 4;
        mem_rig_run(r, "ld.shared.u32", o, FULL);
        CHECK(mem_rig_says(r, "load of 4 bytes at 0x1000 of shared memory, which has 4096 bytes"));
        o.imm = (uint64_t)-MEM_RIG_SHARED;
        mem_rig_run(r, "ld.shared.u32", o, FULL);
        CHECK(mem_rig_says(r, "at 0xfffffffc of shared memory"));
    })
}

static void reading_unwritten_shared_memory_is_a_fault_under_check(void){
    EACH_SET(r,
             {
                 r->check = true;
                 mem_rig_spread(r, 1, 0, 4);
                 mem_rig_spread(r, 2, 9, 1);
                 struct mem_rig_operands st = {.src = {1, 2}};
                 struct mem_rig_operands ld = {.dst = 3, .src = {1}};
                 mem_rig_run(r, "ld.shared.u32", ld, FULL);
                 CHECK(mem_rig_says(r, "reads uninitialised shared memory"));
                 mem_rig_run(r, "st.shared.u8", st, FULL);
                 mem_rig_run(r, "ld.shared.u8", ld, FULL);
                 CHECK_STR(r->fault, "");
                 mem_rig_run(r, "ld.shared.u16", ld, FULL);
                 CHECK(mem_rig_says(r, "load of 2 bytes at 0x0 reads uninitialised shared memory"));
                 mem_rig_run(r, "st.shared.u32", st, 0xffff);
                 mem_rig_run(r, "ld.shared.u32", ld, 0xffff);
                 CHECK_STR(r->fault, "");
                 mem_rig_run(r, "ld.shared.u32", ld, FULL);
                 CHECK(mem_rig_says(r, "thread (16,0,0): load of 4 bytes at 0x40"));
                 mem_rig_run(r, "red.shared.add.u32", st, FULL);
                 CHECK(mem_rig_says(r,
                                    "atomic of 4 bytes at 0x40 reads uninitialised shared memory"));
             })}

CHECK_MAIN("lanes_mem_check", TEST(generic_pointers_reach_every_space_in_one_instruction),
           TEST(generic_pointers_into_one_space_are_one_set),
           TEST(addresses_are_converted_between_spaces), TEST(isspacep_tells_the_window),
           TEST(accesses_outside_allocations_are_faults_that_change_nothing),
           TEST(misaligned_accesses_are_faults),
           TEST(lanes_apart_by_half_an_element_each_are_aligned),
           TEST(freed_memory_is_named_as_such), TEST(lanes_may_reach_into_several_allocations),
           TEST(shared_memory_ends_where_it_ends),
           TEST(reading_unwritten_shared_memory_is_a_fault_under_check))
