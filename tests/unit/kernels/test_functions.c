/* Every function that kernels have gives, as each compiler makes it, the bits that its twin gives
 * on the host, at special values and at random ones. */
#include "check.h"

#include "base/rng.h"
#include "fast_math.h"
#include "rig/cuda_rig.h"

enum { N = 8192, CTA = 128 };

/* Bits of any kind, and numbers of ordinary size, in turn; special values first. */
static float any_f32(uint64_t stream, uint32_t i)
{
    static const float special[] = {0.0f,     -0.0f,   1.0f,    -1.0f,     0.5f,       -0.5f,
                                    1.5f,     2.5f,    -2.5f,   INFINITY,  -INFINITY,  NAN,
                                    1e-40f,   -1e-40f, 1e38f,   0x1p-126f, 0x1p127f,   0x1p23f,
                                    88.7f,    -103.9f, 128.0f,  -149.5f,   99999.0f,   100001.0f,
                                    0x1p126f, 1.7e38f, 3.4e38f, 3.14159f,  1.5707964f, 8388609.0f};
    enum { SPECIAL = sizeof special / sizeof special[0] };
    if (i < SPECIAL * SPECIAL)
        return special[stream == 0 ? i % SPECIAL : i / SPECIAL];
    uint64_t bits = rng_at(rng_key(7, stream), i);
    return i % 2 ? hm_from_bits((uint32_t)bits)
                 : ((float)(bits >> 40) * 0x1p-23f - 1.0f) * (i % 4 ? 100.0f : 1.0f);
}

static double any_f64(uint64_t stream, uint32_t i)
{
    static const double special[] = {0.0,      -0.0,      1.0,     -1.0,   0.5,   1.5,       2.5,
                                     INFINITY, -INFINITY, NAN,     1e-310, 1e308, 0x1p-1022, 709.7,
                                     -745.1,   1e6,       1e6 + 1, 0x1p52, 1e22,  3.0,       -3.0};
    enum { SPECIAL = sizeof special / sizeof special[0] };
    if (i < SPECIAL * SPECIAL)
        return special[stream == 0 ? i % SPECIAL : i / SPECIAL];
    uint64_t bits = rng_at(rng_key(8, stream), i);
    return i % 2 ? hm_from_bits64(bits)
                 : ((double)(bits >> 11) * 0x1p-52 - 1.0) * (i % 4 ? 100.0 : 1.0);
}

static uint32_t any_u32(uint64_t stream, uint32_t i)
{
    static const uint32_t special[] = {0, 1, 2, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff};
    enum { SPECIAL = sizeof special / sizeof special[0] };
    uint32_t one = i % SPECIAL, other = i / SPECIAL % SPECIAL, third = i / SPECIAL / SPECIAL;
    if (i < SPECIAL * SPECIAL * SPECIAL)
        return special[stream == 0 ? one : stream == 1 ? other : third];
    return (uint32_t)rng_at(rng_key(9, stream), i) >> (i % 32);
}

/* Runs `kernel` on `inputs` arrays of N elements of `bytes` each, into `out`. */
static void run(struct cuda_rig *r, const char *kernel, const void *const inputs[], int ninputs,
                size_t bytes, void *out)
{
    for (int k = 0; k < ninputs; k++)
        cuda_rig_buffer(r, inputs[k], N * bytes);
    hd_ptr result = cuda_rig_buffer(r, NULL, N * bytes);
    hd_arg_i32(&r->args, N);
    cuda_rig_launch(r, kernel, (struct hd_dim){N / CTA, 1, 1}, (struct hd_dim){CTA, 1, 1}, 0);
    cuda_rig_download(r, out, result, N * bytes);
}

static void same_f32(const char *compiler, const char *name, const float *got, const float *want,
                     const float *x, const float *y)
{
    for (uint32_t i = 0; i < N; i++) {
        bool same = hm_bits(got[i]) == hm_bits(want[i]) || (isnan(got[i]) && isnan(want[i]));
        if (!same)
            print_error("%s, %s(%a, %a): %a, not %a\n", compiler, name, (double)x[i],
                        (double)(y ? y[i] : 0.0f), (double)got[i], (double)want[i]);
        CHECK(same);
    }
}

static void same_f64(const char *compiler, const char *name, const double *got, const double *want,
                     const double *x, const double *y)
{
    for (uint32_t i = 0; i < N; i++) {
        bool same = hm_bits64(got[i]) == hm_bits64(want[i]) || (isnan(got[i]) && isnan(want[i]));
        if (!same)
            print_error("%s, %s(%a, %a): %a, not %a\n", compiler, name, x[i], y ? y[i] : 0.0,
                        got[i], want[i]);
        CHECK(same);
    }
}

/* Twins of what no workload uses. */
static float hm_fast_powf(float x, float y)
{
    return hm_fast_exp2f(y * hm_fast_log2f(x));
}

static float hm_fast_tanf(float x)
{
    return hm_fast_dividef(hm_fast_sinf(x), hm_fast_cosf(x));
}

/* --- floats ---------------------------------------------------------------------------------- */

static void functions_of_floats_have_the_hosts_bits(void)
{
    static const struct {
        const char *name;
        float (*one)(float);
        float (*two)(float, float);
    } all[] = {
#define UNARY_F32(name, twin) {"f32_" #name, twin, NULL},
#define BINARY_F32(name, twin) {"f32_" #name, NULL, twin},
#include "kernels/functions.def"
#undef UNARY_F32
#undef BINARY_F32
    };
    static float x[N], y[N], want[N], got[N];
    const void *inputs[] = {x, y};
    const char *compilers[3];
    uint32_t n = cuda_rig_compilers("functions", compilers);
    for (uint32_t i = 0; i < N; i++) {
        x[i] = any_f32(0, i);
        y[i] = any_f32(1, i);
    }
    for (uint32_t c = 0; c < n; c++) {
        struct cuda_rig r = cuda_rig_new(compilers[c], "functions");
        for (size_t f = 0; f < sizeof all / sizeof all[0]; f++) {
            for (uint32_t i = 0; i < N; i++)
                want[i] = all[f].one ? all[f].one(x[i]) : all[f].two(x[i], y[i]);
            run(&r, all[f].name, inputs, all[f].one ? 1 : 2, sizeof x[0], got);
            same_f32(compilers[c], all[f].name, got, want, x, all[f].two ? y : NULL);
        }
        cuda_rig_free(&r);
    }
}

static void a_sine_and_a_cosine_come_at_once(void)
{
    static float x[N], sine[N], cosine[N], want[2][N];
    const char *compilers[3];
    uint32_t n = cuda_rig_compilers("functions", compilers);
    for (uint32_t i = 0; i < N; i++) {
        x[i] = any_f32(0, i);
        hm_sincosf(x[i], &want[0][i], &want[1][i]);
        CHECK(hm_bits(want[0][i]) == hm_bits(hm_sinf(x[i])) || isnan(want[0][i]));
        CHECK(hm_bits(want[1][i]) == hm_bits(hm_cosf(x[i])) || isnan(want[1][i]));
    }
    for (uint32_t c = 0; c < n; c++) {
        struct cuda_rig r = cuda_rig_new(compilers[c], "functions");
        cuda_rig_buffer(&r, x, sizeof x);
        hd_ptr s = cuda_rig_buffer(&r, NULL, sizeof x), k = cuda_rig_buffer(&r, NULL, sizeof x);
        hd_arg_i32(&r.args, N);
        cuda_rig_launch(&r, "sines", (struct hd_dim){N / CTA, 1, 1}, (struct hd_dim){CTA, 1, 1}, 0);
        cuda_rig_download(&r, sine, s, sizeof x);
        cuda_rig_download(&r, cosine, k, sizeof x);
        same_f32(compilers[c], "sincosf: sine", sine, want[0], x, NULL);
        same_f32(compilers[c], "sincosf: cosine", cosine, want[1], x, NULL);
        cuda_rig_free(&r);
    }
}

/* --- doubles --------------------------------------------------------------------------------- */

static void functions_of_doubles_have_the_hosts_bits(void)
{
    static const struct {
        const char *name;
        double (*one)(double);
        double (*two)(double, double);
    } all[] = {
#define UNARY_F64(name, twin) {"f64_" #name, twin, NULL},
#define BINARY_F64(name, twin) {"f64_" #name, NULL, twin},
#include "kernels/functions.def"
#undef UNARY_F64
#undef BINARY_F64
    };
    static double x[N], y[N], want[N], got[N];
    const void *inputs[] = {x, y};
    const char *compilers[3];
    uint32_t n = cuda_rig_compilers("functions", compilers);
    for (uint32_t i = 0; i < N; i++) {
        x[i] = any_f64(0, i);
        y[i] = any_f64(1, i);
    }
    for (uint32_t c = 0; c < n; c++) {
        struct cuda_rig r = cuda_rig_new(compilers[c], "functions");
        for (size_t f = 0; f < sizeof all / sizeof all[0]; f++) {
            for (uint32_t i = 0; i < N; i++)
                want[i] = all[f].one ? all[f].one(x[i]) : all[f].two(x[i], y[i]);
            run(&r, all[f].name, inputs, all[f].one ? 1 : 2, sizeof x[0], got);
            same_f64(compilers[c], all[f].name, got, want, x, all[f].two ? y : NULL);
        }
        cuda_rig_free(&r);
    }
}

/* --- integers -------------------------------------------------------------------------------- */

#define PAIR(high, low) ((uint64_t)(high) << 32 | (low))

static uint32_t reversed(uint32_t v)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}

/* Byte i of the result is the byte of b:a that the i-th digit of the selector names. */
static uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector)
{
    uint32_t r = 0;
    for (int i = 0; i < 4; i++)
        r |= (uint32_t)(PAIR(b, a) >> (selector >> 4 * i & 7) * 8 & 255) << 8 * i;
    return r;
}

#define TERNARY_U32(name, value, twin)                                                             \
    static uint32_t twin_##name(uint32_t a, uint32_t b, uint32_t c)                                \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        return (uint32_t)(twin);                                                                   \
    }
#include "kernels/functions.def"
#undef TERNARY_U32

static void integer_intrinsics_have_the_hosts_bits(void)
{
    static const struct {
        const char *name;
        uint32_t (*twin)(uint32_t, uint32_t, uint32_t);
    } all[] = {
#define TERNARY_U32(name, value, twin) {"u32_" #name, twin_##name},
#include "kernels/functions.def"
#undef TERNARY_U32
    };
    static uint32_t a[N], b[N], k[N], got[N];
    const void *inputs[] = {a, b, k};
    const char *compilers[3];
    uint32_t n = cuda_rig_compilers("functions", compilers);
    for (uint32_t i = 0; i < N; i++) {
        a[i] = any_u32(0, i);
        b[i] = any_u32(1, i);
        k[i] = any_u32(2, i);
    }
    for (uint32_t c = 0; c < n; c++) {
        struct cuda_rig r = cuda_rig_new(compilers[c], "functions");
        for (size_t f = 0; f < sizeof all / sizeof all[0]; f++) {
            run(&r, all[f].name, inputs, 3, sizeof a[0], got);
            for (uint32_t i = 0; i < N; i++) {
                uint32_t want = all[f].twin(a[i], b[i], k[i]);
                if (got[i] != want)
                    print_error("%s, %s(%#x, %#x, %#x): %#x, not %#x\n", compilers[c], all[f].name,
                                a[i], b[i], k[i], got[i], want);
                CHECK(got[i] == want);
            }
        }
        cuda_rig_free(&r);
    }
}

#define FROM_F32(name, twin)                                                                       \
    static int32_t twin_##name(float x)                                                            \
    {                                                                                              \
        return twin;                                                                               \
    }
#define TO_F32(name, twin)                                                                         \
    static float twin_##name(int32_t x)                                                            \
    {                                                                                              \
        return twin;                                                                               \
    }
#include "kernels/functions.def"
#undef FROM_F32
#undef TO_F32

static void conversions_round_as_their_names_say(void)
{
    static const struct {
        const char *name;
        int32_t (*from)(float);
        float (*to)(int32_t);
    } all[] = {
#define FROM_F32(name, twin) {"from_" #name, twin_##name, NULL},
#define TO_F32(name, twin) {"to_" #name, NULL, twin_##name},
#include "kernels/functions.def"
#undef FROM_F32
#undef TO_F32
    };
    static float x[N];
    static int32_t whole[N], got[N], want[N];
    const void *floats[] = {x}, *integers[] = {whole};
    const char *compilers[3];
    uint32_t n = cuda_rig_compilers("functions", compilers);
    for (uint32_t i = 0; i < N; i++) {
        x[i] = (float)i * 0.125f + (i % 3 ? 0.0f : 0.01f); /* halves, and what is beside */
        whole[i] = (int32_t)any_u32(0, i);
    }
    for (uint32_t c = 0; c < n; c++) {
        struct cuda_rig r = cuda_rig_new(compilers[c], "functions");
        for (size_t f = 0; f < sizeof all / sizeof all[0]; f++) {
            for (uint32_t i = 0; i < N; i++)
                want[i] = all[f].from ? all[f].from(x[i]) : (int32_t)hm_bits(all[f].to(whole[i]));
            run(&r, all[f].name, all[f].from ? floats : integers, 1, sizeof x[0], got);
            for (uint32_t i = 0; i < N; i++)
                CHECK_EQ(got[i], want[i]);
        }
        cuda_rig_free(&r);
    }
}

CHECK_MAIN("functions", TEST(functions_of_floats_have_the_hosts_bits),
           TEST(a_sine_and_a_cosine_come_at_once), TEST(functions_of_doubles_have_the_hosts_bits),
           TEST(integer_intrinsics_have_the_hosts_bits), TEST(conversions_round_as_their_names_say))
