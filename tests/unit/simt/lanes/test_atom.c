/* Atomics: every operation and type by one lane, then many lanes in order. */
#include "check.h"
#include "rig/mem_rig.h"

#define FULL UINT32_MAX

struct atomic_case {
    const char *form; /* operation.type */
    uint32_t bytes;
    uint64_t old, b, c, expected;
};

#define F32_1 0x3f800000u
#define F32_2 0x40000000u
#define F32_3 0x40400000u
#define F64_1 0x3ff0000000000000u
#define F64_2 0x4000000000000000u

static const struct atomic_case cases[] = {
    {"add.u32", 4, 0xfffffffe, 3, 0, 1},
    {"add.s32", 4, 5, 0xffffffff, 0, 4},
    {"add.u64", 8, 0xffffffffffffffff, 2, 0, 1},
    {"add.f32", 4, F32_1, F32_2, 0, F32_3},
    {"add.f32", 4, 0x7f800000, 0xff800000, 0, 0x7fffffff}, /* inf - inf */
    {"add.f32", 4, 0x7fc12345, F32_1, 0, 0x7fffffff},
    {"add.f32", 4, 1, 1, 0, 2},                       /* subnormals are kept */
    {"add.f32", 4, 0x4b800000, F32_1, 0, 0x4b800000}, /* 2^24 + 1 ties to even */
    {"add.f64", 8, F64_1, F64_1, 0, F64_2},
    {"add.f64", 8, 0x7ff0000000000000, 0xfff0000000000000, 0, 0x7ff8000000000000},
    {"add.noftz.f16", 2, 0x3c00, 0x4000, 0, 0x4200}, /* 1 + 2 */
    {"add.noftz.f16", 2, 0x7bff, 0x5000, 0, 0x7c00}, /* 65504 + 32 */
    {"add.noftz.f16", 2, 0x0001, 0x0001, 0, 0x0002},
    {"add.noftz.f16", 2, 0x6800, 0x3c00, 0, 0x6800}, /* 2048 + 1 ties to even */
    {"add.noftz.f16x2", 4, 0x3c004000, 0x40003c00, 0, 0x42004200},
    {"add.noftz.bf16", 2, 0x3f80, 0x4000, 0, 0x4040},
    {"add.noftz.bf16x2", 4, 0x3f807f80, 0x4000ff80, 0, 0x40407fff},
    {"and.b32", 4, 0xff00ff00, 0x0ff00ff0, 0, 0x0f000f00},
    {"and.b64", 8, 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0, 0x0f000f000f000f00},
    {"or.b32", 4, 0xf0, 0x0f, 0, 0xff},
    {"or.b64", 8, 0xf0, 0x0f00000000000000, 0, 0x0f000000000000f0},
    {"xor.b32", 4, 0xff, 0x0f, 0, 0xf0},
    {"xor.b64", 8, 0xff00000000000000, 0x0f00000000000000, 0, 0xf000000000000000},
    {"exch.b32", 4, 1, 2, 0, 2},
    {"exch.b64", 8, 1, 0x200000000, 0, 0x200000000},
    {"cas.b16", 2, 7, 7, 9, 9},
    {"cas.b16", 2, 7, 0x10007, 0xabcd0009, 9}, /* only the low half counts */
    {"cas.b32", 4, 7, 7, 9, 9},
    {"cas.b32", 4, 7, 8, 9, 7},
    {"cas.b64", 8, 0x700000000, 0x700000000, 9, 9},
    {"cas.b64", 8, 0x700000000, 0, 9, 0x700000000},
    {"inc.u32", 4, 4, 5, 0, 5},
    {"inc.u32", 4, 5, 5, 0, 0},
    {"inc.u32", 4, 9, 5, 0, 0},
    {"dec.u32", 4, 5, 5, 0, 4},
    {"dec.u32", 4, 0, 5, 0, 5},
    {"dec.u32", 4, 9, 5, 0, 5},
    {"min.u32", 4, 1, 0xffffffff, 0, 1},
    {"min.s32", 4, 1, 0xffffffff, 0, 0xffffffff},
    {"min.u64", 8, 1, 0xffffffffffffffff, 0, 1},
    {"min.s64", 8, 1, 0xffffffffffffffff, 0, 0xffffffffffffffff},
    {"max.u32", 4, 1, 0xffffffff, 0, 0xffffffff},
    {"max.s32", 4, 1, 0xffffffff, 0, 1},
    {"max.u64", 8, 1, 0xffffffffffffffff, 0, 0xffffffffffffffff},
    {"max.s64", 8, 1, 0xffffffffffffffff, 0, 1},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void put(struct mem_rig *r, int reg, const struct atomic_case *c, uint64_t v)
{
    if (c->bytes == 8)
        mem_rig_fill64(r, reg, v);
    else
        mem_rig_fill32(r, reg, (uint32_t)v);
}

static uint64_t get(struct mem_rig *r, int reg, const struct atomic_case *c, int lane)
{
    return c->bytes == 8 ? mem_rig_get64(r, reg, lane) : mem_rig_get32(r, reg, lane);
}

/* In one space: `place` is where the host sees it, `address` what the register holds. */
static void check_case(struct mem_rig *r, const struct atomic_case *c, const char *space,
                       uint8_t *place, uint64_t address)
{
    char opcode[64];
    uint64_t now = 0;
    snprintf(opcode, sizeof opcode, "atom%s.%s", space, c->form);
    memcpy(place, &c->old, c->bytes);
    mem_rig_fill64(r, 1, address);
    put(r, 2, c, c->b);
    put(r, 3, c, c->c);
    mem_rig_fill64(r, 0, 0x5555555555555555);
    uint64_t before = r->changes;
    mem_rig_run(r, opcode, (struct mem_rig_operands){.dst = 0, .src = {1, 2, 3, NONE}}, 1u << 6);
    CHECK_STR(r->fault, "");
    memcpy(&now, place, c->bytes);
    CHECK_EQ(now, c->expected);
    CHECK_EQ(get(r, 0, c, 6), c->old);
    CHECK_EQ(get(r, 0, c, 5), c->bytes == 8 ? 0x5555555555555555 : 0x55555555);
    CHECK_EQ(r->changes - before, c->expected != c->old);
}

static void every_operation_and_type_does_what_ptx_says(void)
{
    for (int k = 0; k < CASES; k++)
        EACH_SET(r, {
            uint64_t base = mem_rig_alloc(r, 64);
            check_case(r, &cases[k], ".global", mem_rig_host(r, base + 16), base + 16);
            CHECK_EQ(r->op.access[0].space, STREAM_GLOBAL);
            check_case(r, &cases[k], ".shared", r->shared + 32, 32);
            CHECK_EQ(r->op.access[0].space, STREAM_SHARED);
            check_case(r, &cases[k], "", r->shared + 48, DEVMEM_SHARED + 48);
            CHECK_EQ(r->op.nsets, 1);
            check_case(r, &cases[k], ".acq_rel.gpu", mem_rig_host(r, base + 8), base + 8);
        })
}

static void red_does_the_same_without_a_result(void)
{
    for (int k = 0; k < CASES; k++) {
        const struct atomic_case *c = &cases[k];
        if (strncmp(c->form, "cas", 3) == 0 || strncmp(c->form, "exch", 4) == 0)
            continue;
        EACH_SET(r, {
            char opcode[64];
            uint64_t now = 0;
            uint64_t base = mem_rig_alloc(r, 64);
            snprintf(opcode, sizeof opcode, "red.global.%s", c->form);
            memcpy(mem_rig_host(r, base), &c->old, c->bytes);
            mem_rig_fill64(r, 1, base);
            put(r, 2, c, c->b);
            mem_rig_run(r, opcode,
                        (struct mem_rig_operands){.dst = NONE, .src = {1, 2, NONE, NONE}}, 2);
            memcpy(&now, mem_rig_host(r, base), c->bytes);
            CHECK_EQ(now, c->expected);
            CHECK_EQ(r->desc.flags & (INSN_ATOMIC | INSN_LOAD), INSN_ATOMIC);
        })
    }
}

static void lanes_come_one_after_another_in_ascending_order(void)
{
    EACH_SET(r, {
        uint64_t base = mem_rig_alloc(r, 64);
        uint32_t *host = mem_rig_host(r, base);
        host[0] = 100;
        mem_rig_fill64(r, 1, base);
        for (uint32_t l = 0; l < 32; l++)
            mem_rig_set32(r, 2, (int)l, l);
        struct mem_rig_operands o = {.dst = 0, .src = {1, 2, NONE, NONE}};
        mem_rig_run(r, "atom.global.add.u32", o, 0xfffffffe);
        uint32_t sum = 100;
        for (uint32_t l = 1; l < 32; l++) {
            CHECK_EQ(mem_rig_get32(r, 0, (int)l), sum);
            sum += l;
        }
        CHECK_EQ(host[0], sum);
        CHECK_EQ(r->op.access[0].pattern, PATTERN_UNIFORM);
        mem_rig_run(r, "atom.global.exch.b32", o, FULL);
        CHECK_EQ(mem_rig_get32(r, 0, 0), sum);
        CHECK_EQ(mem_rig_get32(r, 0, 31), 30);
        CHECK_EQ(host[0], 31);
        o.dst = 2; /* the result may take the operand's place */
        mem_rig_run(r, "atom.global.max.u32", o, FULL);
        CHECK_EQ(mem_rig_get32(r, 2, 0), 31);
        CHECK_EQ(r->changes, 2);
    })
}

static void lanes_with_places_of_their_own_do_not_meet(void)
{
    EACH_SET(r, {
        mem_rig_spread(r, 1, 64, 4);
        mem_rig_fill32(r, 2, 1);
        for (uint32_t k = 0; k < 32; k++)
            memcpy(r->shared + 64 + 4 * k, &k, 4);
        mem_rig_run(r, "atom.shared.add.u32",
                    (struct mem_rig_operands){.dst = 0, .src = {1, 2, NONE, NONE}}, 0x0f0f0f0f);
        for (uint32_t l = 0; l < 32; l++) {
            uint32_t v;
            bool is_active = 0x0f0f0f0f >> l & 1;
            memcpy(&v, r->shared + 64 + 4 * l, 4);
            CHECK_EQ(v, l + is_active);
            if (is_active)
                CHECK_EQ(mem_rig_get32(r, 0, (int)l), l);
        }
        CHECK_EQ(r->op.access[0].pattern, PATTERN_STRIDE);
    })
}

static void atomics_fault_like_loads(void)
{
    EACH_SET(r, {
        uint64_t base = mem_rig_alloc(r, 64);
        mem_rig_fill64(r, 1, base + 2);
        struct mem_rig_operands o = {.dst = 0, .src = {1, 2, NONE, NONE}};
        mem_rig_run(r, "atom.global.add.u32", o, FULL);
        CHECK(strstr(r->fault, "misaligned atomic of 4 bytes") != NULL);
        mem_rig_fill64(r, 1, base + 64);
        mem_rig_run(r, "atom.add.f64", o, FULL);
        CHECK(strstr(r->fault, "atomic of 8 bytes") != NULL);
        CHECK_EQ(r->changes, 0);
    })
}

static void impossible_atomics_are_refused(void)
{
    mem_rig_is_refused("atom.global.add.v2.f32", "vectors");
    mem_rig_is_refused("atom.local.add.u32", "global and shared");
    mem_rig_is_refused("atom.global.mul.u32", ".mul is not possible");
    mem_rig_is_refused("atom.global.min.f16x2", "no such atomic");
    mem_rig_is_refused("atom.global.u32", "no such atomic");
    mem_rig_is_refused("red.global.cas.b32", "no such atomic");
    mem_rig_is_refused("red.async.relaxed.cluster.global.inc.u32", "asynchronous");
    mem_rig_is_refused("atom.shared::cluster.add.u32", "clusters");
    mem_rig_is_refused("atom.global.exch.b128", "128-bit");
    static const char *const fine[] = {"atom.global.sys.add.f64", "atom.add.release.gpu.u32",
                                       "atom.shared::cta.relaxed.cta.or.b32"};
    mem_rig_all_are_found(fine, 3);
}

CHECK_MAIN("lanes_atom", TEST(every_operation_and_type_does_what_ptx_says),
           TEST(red_does_the_same_without_a_result),
           TEST(lanes_come_one_after_another_in_ascending_order),
           TEST(lanes_with_places_of_their_own_do_not_meet), TEST(atomics_fault_like_loads),
           TEST(impossible_atomics_are_refused))
