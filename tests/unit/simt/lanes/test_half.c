/* The 16-bit formats against softfp.h, whose f32 and f64 are held against the host elsewhere, and
 * against constants. */
#include "check.h"

#include "rig/fp_rig.h"
#include "rig/lane_rig.h"
#include "simt/lanes/softfp.h"

#define ALL UINT32_MAX
#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static const struct type {
    const char *name;
    struct softfp_format soft;
    struct fp_rig_format rig;
    uint32_t infinity, one, least_normal;
} types[] = {
    {"f16", {11, 5, 0x7fff, false}, {10, 5}, 0x7c00, 0x3c00, 0x0400},
    {"bf16", {8, 8, 0x7fff, false}, {7, 8}, 0x7f80, 0x3f80, 0x0080},
};

struct mods {
    bool ftz, sat, relu;
};

static uint32_t flushed(const struct type *t, uint64_t h, bool ftz)
{
    return (uint32_t)(ftz && (h & 0x7fff) < t->least_normal ? h & 0x8000 : h);
}

static uint32_t expected(const struct type *t, enum softfp_op op, struct mods m, uint64_t a,
                         uint64_t b, uint64_t c)
{
    uint64_t operand[3] = {flushed(t, a & 0xffff, m.ftz), flushed(t, b & 0xffff, m.ftz),
                           flushed(t, c & 0xffff, m.ftz)};
    uint32_t r = flushed(t, softfp_apply(&t->soft, op, SOFTFP_NEAREST, operand), m.ftz);
    if (m.relu)
        return r & 0x8000 ? 0 : r;
    if (!m.sat)
        return r;
    return r > t->infinity ? 0 : r > t->one ? t->one : r; /* negative numbers and NaN are above */
}

/* Pairs: both halves; else garbage above, which must not be read. */
static void compare(const struct type *t, const char *name, enum softfp_op op, struct mods m,
                    bool is_pair, int rounds)
{
    char text[64];
    snprintf(text, sizeof text, "%s.rn%s%s%s.%s%s", name, m.ftz ? ".ftz" : "", m.sat ? ".sat" : "",
             m.relu ? ".relu" : "", t->name, is_pair ? "x2" : "");
    for (int round = 0; round < rounds; round++) {
        uint64_t src[3][WARP_LANES], high[3][WARP_LANES];
        struct lane_rig r = {0};
        uint32_t exec = round % 3 ? ALL : (uint32_t)rng_at(9, (uint64_t)round) | 1;
        fp_rig_fill(src, 3, &t->rig, (uint64_t)round);
        fp_rig_fill(high, 3, &t->rig, (uint64_t)round + 5000);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < WARP_LANES; l++)
                src[k][l] |= high[k][l] << 16;
        lane_rig_run(&r, text, src, exec);
        for (int l = 0; l < WARP_LANES; l++) {
            uint32_t want = expected(t, op, m, src[0][l], src[1][l], src[2][l]);
            if (is_pair)
                want |= expected(t, op, m, high[0][l], high[1][l], high[2][l]) << 16;
            if (!(exec >> l & 1))
                continue;
            if (r.dst[0][l] != want)
                print_error("%s of %08llx %08llx %08llx: ", text, (unsigned long long)src[0][l],
                            (unsigned long long)src[1][l], (unsigned long long)src[2][l]);
            CHECK_EQ(r.dst[0][l], want);
        }
    }
}

static void arithmetic_rounds_once_to_nearest(void)
{
    static const struct {
        const char *name;
        enum softfp_op op;
    } ops[] = {{"add", SOFTFP_ADD}, {"sub", SOFTFP_SUB}, {"mul", SOFTFP_MUL}, {"fma", SOFTFP_FMA}};
    for (int t = 0; t < COUNT(types); t++)
        for (int k = 0; k < COUNT(ops); k++)
            for (int pair = 0; pair < 2; pair++) {
                compare(&types[t], ops[k].name, ops[k].op, (struct mods){0}, pair, 600);
                if (ops[k].op == SOFTFP_FMA)
                    compare(&types[t], ops[k].name, ops[k].op, (struct mods){.relu = true}, pair,
                            200);
            }
}

static void f16_flushes_and_saturates(void)
{
    static const struct mods forms[] = {{.ftz = true}, {.sat = true}, {.ftz = true, .sat = true}};
    for (int m = 0; m < COUNT(forms); m++)
        for (int pair = 0; pair < 2; pair++) {
            compare(&types[0], "add", SOFTFP_ADD, forms[m], pair, 200);
            compare(&types[0], "sub", SOFTFP_SUB, forms[m], pair, 200);
            compare(&types[0], "mul", SOFTFP_MUL, forms[m], pair, 200);
            compare(&types[0], "fma", SOFTFP_FMA, forms[m], pair, 200);
        }
    compare(&types[0], "fma", SOFTFP_FMA, (struct mods){.ftz = true, .relu = true}, false, 200);
}

static void f16_halfway_cases_overflow_and_underflow(void)
{
    CHECK_EQ(lane_rig_2("add.f16", 0x3c00, 0x1000), 0x3c00); /* 1 + 2^-11: tie to even */
    CHECK_EQ(lane_rig_2("add.f16", 0x3c01, 0x1000), 0x3c02);
    CHECK_EQ(lane_rig_2("add.f16", 0x7bff, 0x4bff), 0x7bff); /* 65504 + 15.99 */
    CHECK_EQ(lane_rig_2("add.f16", 0x7bff, 0x4c00), 0x7c00); /* + 16: a tie, up to infinity */
    CHECK_EQ(lane_rig_2("mul.f16", 0x0001, 0x3800), 0);      /* 2^-24 / 2: tie to even */
    CHECK_EQ(lane_rig_2("mul.f16", 0x0001, 0x3801), 1);
    CHECK_EQ(lane_rig_2("mul.f16", 0x8003, 0x3800), 0x8002);
    CHECK_EQ(lane_rig_2("sub.f16", 0x0401, 0x0400), 1);
    CHECK_EQ(lane_rig_2("sub.ftz.f16", 0x0401, 0x0400), 0);
    CHECK_EQ(lane_rig_2("sub.f16", 0x7c00, 0x7c00), 0x7fff);
    CHECK_EQ(lane_rig_2("add.f16", 0xfe01, 0), 0x7fff);
    CHECK_EQ(lane_rig_2("sub.f16", 0x3c00, 0x3c00), 0);
    CHECK_EQ(lane_rig_2("mul.f16", 0x8000, 0x3c00), 0x8000);
    CHECK_EQ(lane_rig_2("add.f16x2", 0x3c004000, 0x40003c00), 0x42004200);
}

static void a_tiny_addend_decides_a_tie_of_the_product(void)
{
    /* bf16: (1 + 2^-4)(1 + 2^-4) = 1 + 2^-3 + 2^-8, half way between two numbers */
    CHECK_EQ(lane_rig_3("fma.rn.bf16", 0x3f88, 0x3f88, 0), 0x3f90);
    CHECK_EQ(lane_rig_3("fma.rn.bf16", 0x3f88, 0x3f88, 0x0001), 0x3f91);
    CHECK_EQ(lane_rig_3("fma.rn.bf16", 0x3f88, 0x3f88, 0x8001), 0x3f90);
    CHECK_EQ(lane_rig_3("fma.rn.relu.bf16", 0xbf88, 0x3f88, 0), 0);
    CHECK_EQ(lane_rig_3("fma.rn.relu.f16", 0x7e00, 0x3c00, 0), 0x7fff);
    CHECK_EQ(lane_rig_3("fma.rn.f16", 0x3c01, 0x3c01, 0xbc02), 0x0010); /* 2^-20 */
}

static void minimum_and_maximum_order_zeros_and_drop_nans(void)
{
    CHECK_EQ(lane_rig_2("min.f16", 0, 0x8000), 0x8000);
    CHECK_EQ(lane_rig_2("min.f16", 0x8000, 0), 0x8000);
    CHECK_EQ(lane_rig_2("max.f16", 0x8000, 0), 0);
    CHECK_EQ(lane_rig_2("max.f16", 0, 0x8000), 0);
    CHECK_EQ(lane_rig_2("min.f16", 0x3c00, 0xc000), 0xc000);
    CHECK_EQ(lane_rig_2("min.f16", 0xbc00, 0xc000), 0xc000);
    CHECK_EQ(lane_rig_2("max.f16", 0xbc00, 0xc000), 0xbc00);
    CHECK_EQ(lane_rig_2("max.f16", 0x7e00, 0xc000), 0xc000);
    CHECK_EQ(lane_rig_2("min.f16", 0xc000, 0xfe00), 0xc000);
    CHECK_EQ(lane_rig_2("min.f16", 0xfe00, 0xfe00), 0x7fff);
    CHECK_EQ(lane_rig_2("min.NaN.f16", 0xc000, 0xfe00), 0x7fff);
    CHECK_EQ(lane_rig_2("max.ftz.f16", 0x8001, 0x8002), 0x8000);
    CHECK_EQ(lane_rig_2("max.xorsign.abs.f16", 0xc200, 0x4000), 0xc200);
    CHECK_EQ(lane_rig_2("min.xorsign.abs.f16", 0xc200, 0x4000), 0xc000);
    CHECK_EQ(lane_rig_2("max.NaN.bf16", 0x3f80, 0x7fc0), 0x7fff);
    CHECK_EQ(lane_rig_2("max.bf16", 0x3f80, 0x7fc0), 0x3f80);
    CHECK_EQ(lane_rig_2("max.bf16", 0x7c01, 0x3f80), 0x7c01); /* a NaN of f16 only */
    CHECK_EQ(lane_rig_2("min.bf16x2", 0x3f80c000, 0x4000bf80), 0x3f80c000);
    CHECK_EQ(lane_rig_2("max.f16x2", 0x3c00c000, 0x7e00bc00), 0x3c00bc00);
}

static void signs_are_bits(void)
{
    CHECK_EQ(lane_rig_1("neg.f16", 0xaaaa3c00), 0xbc00);
    CHECK_EQ(lane_rig_1("neg.f16x2", 0xbc003c00), 0x3c00bc00);
    CHECK_EQ(lane_rig_1("neg.ftz.f16", 0x0001), 0x8000);
    CHECK_EQ(lane_rig_1("abs.f16", 0xbc00), 0x3c00);
    CHECK_EQ(lane_rig_1("abs.ftz.f16x2", 0x8001bc00), 0x00003c00);
    CHECK_EQ(lane_rig_1("abs.bf16", 0xff80), 0x7f80);
    CHECK_EQ(lane_rig_1("neg.bf16x2", 0x80000001), 0x00008001);
}

static double value_of(const struct type *t, uint32_t h)
{
    struct softfp x = softfp_unpack(&t->soft, h);
    return ldexp((double)(uint64_t)x.sig, x.exp) * (x.sign ? -1 : 1);
}

/* All finite inputs. */
static void check_function(const struct type *t, const char *opcode, double (*exact)(double),
                           double relative, double absolute)
{
    for (uint32_t base = 0; base < 0x10000; base += WARP_LANES) {
        uint64_t src[1][WARP_LANES];
        struct lane_rig r = {0};
        for (uint32_t l = 0; l < WARP_LANES; l++)
            src[0][l] = base + l;
        lane_rig_run(&r, opcode, src, ALL);
        for (uint32_t l = 0; l < WARP_LANES; l++) {
            uint32_t got = (uint32_t)r.dst[0][l];
            if (((base + l) & 0x7fff) >= t->infinity)
                continue;
            double want = exact(value_of(t, base + l));
            bool is_beyond = (got & 0x7fff) == t->infinity;
            double largest = value_of(t, t->infinity - 1);
            CHECK(is_beyond ? want > largest
                            : fabs(value_of(t, got) - want) <= fmax(relative * want, absolute));
        }
    }
}

static void functions_are_within_their_bounds_for_all_inputs(void)
{
    check_function(&types[0], "ex2.approx.f16", exp2, 0x1p-11, 0x1p-25);
    check_function(&types[1], "ex2.approx.ftz.bf16", exp2, 0x1p-8, 0x1p-126);
    check_function(&types[0], "tanh.approx.f16", tanh, 0, 0x1p-12);
    check_function(&types[1], "tanh.approx.bf16", tanh, 0, 0x1p-9);
}

static void functions_keep_the_table_of_specials(void)
{
    CHECK_EQ(lane_rig_1("ex2.approx.f16", 0xfc00), 0);
    CHECK_EQ(lane_rig_1("ex2.approx.f16", 0x7c00), 0x7c00);
    CHECK_EQ(lane_rig_1("ex2.approx.f16", 0x8000), 0x3c00);
    CHECK_EQ(lane_rig_1("ex2.approx.f16", 0x0001), 0x3c00);
    CHECK_EQ(lane_rig_1("ex2.approx.f16", 0xfe00), 0x7fff);
    CHECK_EQ(lane_rig_1("ex2.approx.f16", 0xce00), 0x0001); /* 2^-24 */
    CHECK_EQ(lane_rig_1("ex2.approx.ftz.bf16", 0xc2fe), 0); /* 2^-127 */
    CHECK_EQ(lane_rig_1("ex2.approx.ftz.bf16", 0x0001), 0x3f80);
    CHECK_EQ(lane_rig_1("ex2.approx.f16x2", 0x3c00bc00), 0x40003800);
    CHECK_EQ(lane_rig_1("tanh.approx.f16", 0xfc00), 0xbc00);
    CHECK_EQ(lane_rig_1("tanh.approx.f16", 0x7c00), 0x3c00);
    CHECK_EQ(lane_rig_1("tanh.approx.f16", 0x8000), 0x8000);
    CHECK_EQ(lane_rig_1("tanh.approx.f16", 0x0001), 0x0001);
    CHECK_EQ(lane_rig_1("tanh.approx.bf16", 0xffff), 0x7fff);
    CHECK_EQ(lane_rig_1("tanh.approx.bf16x2", 0x7f80ff80), 0x3f80bf80);
}

static void handlers_of_all_hosts_agree(void)
{
    static const char *const forms[] = {
        "add.f16",
        "sub.f16",
        "mul.f16",
        "fma.rn.f16",
        "fma.rn.ftz.sat.f16",
        "min.f16",
        "max.f16",
        "min.ftz.NaN.xorsign.abs.f16",
        "neg.f16",
        "abs.f16",
        "ex2.approx.f16",
        "tanh.approx.f16",
        "add.bf16",
        "sub.bf16",
        "mul.bf16",
        "fma.rn.bf16",
        "fma.rn.relu.bf16",
        "min.bf16",
        "max.bf16",
        "neg.bf16",
        "abs.bf16",
        "ex2.approx.ftz.bf16",
        "tanh.approx.bf16",
        "add.f16x2",
        "sub.sat.f16x2",
        "mul.ftz.f16x2",
        "fma.rn.f16x2",
        "min.f16x2",
        "max.NaN.f16x2",
        "neg.f16x2",
        "abs.f16x2",
        "ex2.approx.f16x2",
        "tanh.approx.f16x2",
        "add.bf16x2",
        "sub.bf16x2",
        "mul.bf16x2",
        "fma.rn.bf16x2",
        "min.bf16x2",
        "max.xorsign.abs.bf16x2",
        "neg.bf16x2",
        "abs.bf16x2",
        "ex2.approx.ftz.bf16x2",
        "tanh.approx.bf16x2",
    };
    for (int k = 0; k < COUNT(forms); k++)
        lane_rig_sweep(forms[k], 200);
}

static void forms_that_do_not_exist_are_refused(void)
{
    static const char *const forms[] = {"add.rz.f16",         "add.ftz.bf16",  "add.relu.f16",
                                        "div.rn.f16",         "min.ftz.bf16",  "fma.rn.sat.bf16",
                                        "ex2.approx.ftz.f16", "sin.approx.f16"};
    for (int k = 0; k < COUNT(forms); k++) {
        struct op_desc d;
        struct err e = {0};
        CHECK(!lane_rig_find(forms[k], &d, &e));
    }
}

CHECK_MAIN("lanes_half", TEST(arithmetic_rounds_once_to_nearest), TEST(f16_flushes_and_saturates),
           TEST(f16_halfway_cases_overflow_and_underflow),
           TEST(a_tiny_addend_decides_a_tie_of_the_product),
           TEST(minimum_and_maximum_order_zeros_and_drop_nans), TEST(signs_are_bits),
           TEST(functions_are_within_their_bounds_for_all_inputs),
           TEST(functions_keep_the_table_of_specials), TEST(handlers_of_all_hosts_agree),
           TEST(forms_that_do_not_exist_are_refused))
