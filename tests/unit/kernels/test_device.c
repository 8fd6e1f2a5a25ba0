/* What kernels do beyond arithmetic does what CUDA says, as each compiler makes it. */
#include "check.h"

#include "base/rng.h"
#include "rig/cuda_rig.h"

/* A test of tests/kernels/device.cu by each compiler. */
static void with_each_compiler(void (*test)(struct cuda_rig *r))
{
    const char *compilers[3];
    uint32_t n = cuda_rig_compilers("device", compilers);
    for (uint32_t c = 0; c < n; c++) {
        struct cuda_rig r = cuda_rig_new(compilers[c], "device");
        test(&r);
        cuda_rig_free(&r);
    }
}

/* --- atomics --------------------------------------------------------------------------------- */

struct cells { /* as in device.cu */
    int32_t sum, least, most, all, any, odd, taken, less, counter;
    uint32_t usum, uleast, umost, uall, uany, uodd, utaken, wrapped, unwrapped, uless;
    float fsum, ftaken;
    uint64_t lsum, lleast, lmost, lall, lany, lodd, ltaken, lcounter;
    int64_t sleast, smost;
    double dsum;
};

static struct cells fresh_cells(void)
{
    return (struct cells){.least = 1000,
                          .all = -1,
                          .uleast = UINT32_MAX,
                          .uall = UINT32_MAX,
                          .lleast = UINT64_MAX,
                          .lall = UINT64_MAX,
                          .unwrapped = 3};
}

#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b) ((a) > (b) ? (a) : (b))

/* The same visit, one thread after another. */
static void visit(struct cells *c, int32_t v)
{
    uint32_t u = (uint32_t)v * 2654435761u;
    uint64_t l = (uint64_t)u << 20 | u;
    int64_t s = (int64_t)(int32_t)u * 5;
    c->sum += v;
    c->least = LEAST(c->least, v);
    c->most = MOST(c->most, v);
    c->all &= ~(1 << (v & 15));
    c->any = (int32_t)((uint32_t)c->any | 1u << (v & 31));
    c->odd ^= v;
    c->less -= v;
    c->counter += 2;
    c->usum += u;
    c->uleast = LEAST(c->uleast, u);
    c->umost = MOST(c->umost, u);
    c->uall &= ~(1u << (u >> 28));
    c->uany |= 1u << (u >> 27);
    c->uodd ^= u;
    c->uless -= u;
    c->wrapped = c->wrapped >= 10 ? 0 : c->wrapped + 1;
    c->unwrapped = c->unwrapped == 0 || c->unwrapped > 10 ? 10 : c->unwrapped - 1;
    c->fsum += (float)(v & 7);
    c->lsum += l;
    c->lleast = LEAST(c->lleast, l);
    c->lmost = MOST(c->lmost, l);
    c->lall &= ~(UINT64_C(1) << (u >> 26));
    c->lany |= UINT64_C(1) << (u >> 26);
    c->lodd ^= l;
    c->lcounter += 3;
    c->sleast = LEAST(c->sleast, s);
    c->smost = MOST(c->smost, s);
    c->dsum += 0.5 * (double)v;
}

/* Which thread's value stays in an exchange is open; that it is somebody's is not. */
static void settle_exchanges(struct cells *got, const int32_t *values, uint32_t n)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t u = (uint32_t)values[i] * 2654435761u;
        found |= (uint32_t)(got->taken == values[i]) | (uint32_t)(got->utaken == u) << 1 |
                 (uint32_t)(got->ltaken == ((uint64_t)u << 20 | u)) << 2 |
                 (uint32_t)((double)got->ftaken == (double)values[i]) << 3;
    }
    CHECK_EQ(found, 15);
    got->taken = 0;
    got->utaken = 0;
    got->ltaken = 0;
    got->ftaken = 0;
}

static void atomics_of(struct cuda_rig *r, const char *kernel, uint32_t ctas)
{
    enum { CTA = 96 };
    int32_t values[CTA * 4];
    uint32_t n = ctas * CTA;
    struct cells got = fresh_cells(), want = fresh_cells();
    for (uint32_t i = 0; i < n; i++) {
        values[i] = (int32_t)(rng_at(rng_key(3, 0), i) % 2000) - 500;
        visit(&want, values[i]);
    }
    hd_ptr c = cuda_rig_buffer(r, &got, sizeof got);
    cuda_rig_buffer(r, values, n * sizeof values[0]);
    cuda_rig_launch(r, kernel, (struct hd_dim){ctas, 1, 1}, (struct hd_dim){CTA, 1, 1}, 0);
    cuda_rig_download(r, &got, c, sizeof got);
    settle_exchanges(&got, values, n);
    CHECK(memcmp(&got, &want, sizeof got) == 0);
}

static void check_global_atomics(struct cuda_rig *r)
{
    atomics_of(r, "global_atomics", 4);
}

static void check_shared_atomics(struct cuda_rig *r)
{
    atomics_of(r, "shared_atomics", 1);
}

static void check_tickets(struct cuda_rig *r)
{
    enum { THREADS = 256 };
    uint32_t holder[THREADS], next = 0, seen[THREADS + 1] = {0};
    hd_ptr counter = cuda_rig_buffer(r, NULL, sizeof next);
    hd_ptr holders = cuda_rig_buffer(r, NULL, sizeof holder);
    cuda_rig_launch(r, "tickets", (struct hd_dim){2, 1, 1}, (struct hd_dim){THREADS / 2, 1, 1}, 0);
    cuda_rig_download(r, &next, counter, sizeof next);
    cuda_rig_download(r, holder, holders, sizeof holder);
    CHECK_EQ(next, THREADS);
    for (int i = 0; i < THREADS; i++) {
        CHECK(holder[i] >= 1 && holder[i] <= THREADS);
        CHECK_EQ(seen[holder[i]]++, 0);
    }
}

static void atomics_in_global_memory_lose_nothing(void)
{
    with_each_compiler(check_global_atomics);
}

static void atomics_in_shared_memory_lose_nothing(void)
{
    with_each_compiler(check_shared_atomics);
}

static void an_atomic_returns_the_value_before(void)
{
    with_each_compiler(check_tickets);
}

/* --- textures -------------------------------------------------------------------------------- */

static hd_texture make_texture(struct cuda_rig *r, struct hd_texture_desc t, const void *data,
                               uint64_t bytes)
{
    struct hd_error e = {0};
    hd_texture handle = 0;
    CHECK(hd_malloc(r->device, &t.address, bytes, &e));
    CHECK(hd_upload(r->device, t.address, data, bytes, &e));
    CHECK(hd_texture_new(r->device, &t, &handle, &e));
    hd_arg_i64(&r->args, (int64_t)handle);
    return handle;
}

/* Texels are bytes that count up; a fetch brings them unchanged. */
static void fetch_linear(struct cuda_rig *r, const char *kernel, uint32_t channels, uint32_t bits,
                         enum hd_channel_kind kind)
{
    enum { TEXELS = 64 };
    uint32_t size = channels * bits / 8;
    uint8_t data[TEXELS * 16], got[TEXELS * 16];
    for (uint32_t i = 0; i < TEXELS * size; i++)
        data[i] = (uint8_t)(i % 127 + (i & 3) * 32); /* no float of them is a NaN */
    struct hd_texture_desc t = {.width = TEXELS,
                                .channels = channels,
                                .bits = bits,
                                .kind = kind,
                                .is_linear_memory = true};
    make_texture(r, t, data, TEXELS * size);
    hd_ptr out = cuda_rig_buffer(r, NULL, TEXELS * size);
    cuda_rig_launch(r, kernel, (struct hd_dim){1, 1, 1}, (struct hd_dim){TEXELS, 1, 1}, 0);
    cuda_rig_download(r, got, out, TEXELS * size);
    for (uint32_t i = 0; i < TEXELS; i++)
        CHECK(memcmp(got + i * size, data + i * 7 % TEXELS * size, size) == 0);
}

static void check_linear(struct cuda_rig *r)
{
    fetch_linear(r, "linear_float", 1, 32, HD_FLOAT);
    fetch_linear(r, "linear_float2", 2, 32, HD_FLOAT);
    fetch_linear(r, "linear_float4", 4, 32, HD_FLOAT);
    fetch_linear(r, "linear_int", 1, 32, HD_SIGNED);
    fetch_linear(r, "linear_int2", 2, 32, HD_SIGNED);
    fetch_linear(r, "linear_int4", 4, 32, HD_SIGNED);
    fetch_linear(r, "linear_uint", 1, 32, HD_UNSIGNED);
    fetch_linear(r, "linear_uint2", 2, 32, HD_UNSIGNED);
    fetch_linear(r, "linear_uint4", 4, 32, HD_UNSIGNED);
    fetch_linear(r, "linear_short2", 2, 16, HD_SIGNED);
    fetch_linear(r, "linear_ushort", 1, 16, HD_UNSIGNED);
    fetch_linear(r, "linear_char4", 4, 8, HD_SIGNED);
    fetch_linear(r, "linear_uchar", 1, 8, HD_UNSIGNED);
    fetch_linear(r, "linear_uchar4", 4, 8, HD_UNSIGNED);
}

static void texels_of_every_type_arrive_unchanged(void)
{
    with_each_compiler(check_linear);
}

/* A texture of width x height x depth texels whose texel i is what comes to out[i]. */
static void fetch_all(struct cuda_rig *r, const char *kernel, struct hd_texture_desc t,
                      struct hd_dim shape)
{
    uint8_t data[4096] = {0}, got[4096];
    uint32_t bytes = shape.x * shape.y * shape.z * t.channels * t.bits / 8;
    for (uint32_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(i % 127);
    for (int i = 0; i < 3; i++)
        t.addressing[i] = HD_CLAMP;
    make_texture(r, t, data, bytes);
    hd_ptr out = cuda_rig_buffer(r, NULL, bytes);
    cuda_rig_launch(r, kernel, (struct hd_dim){1, 1, 1}, shape, 0);
    cuda_rig_download(r, got, out, bytes);
    CHECK(memcmp(got, data, bytes) == 0);
}

static void check_shapes_of_textures(struct cuda_rig *r)
{
    fetch_all(r, "line",
              (struct hd_texture_desc){.width = 50, .channels = 1, .bits = 32, .kind = HD_FLOAT},
              (struct hd_dim){50, 1, 1});
    fetch_all(r, "plane",
              (struct hd_texture_desc){
                  .width = 12, .height = 9, .channels = 4, .bits = 32, .kind = HD_FLOAT},
              (struct hd_dim){12, 9, 1});
    fetch_all(r, "pixels",
              (struct hd_texture_desc){
                  .width = 16, .height = 10, .channels = 4, .bits = 8, .kind = HD_UNSIGNED},
              (struct hd_dim){16, 10, 1});
    fetch_all(r, "volume",
              (struct hd_texture_desc){
                  .width = 6, .height = 5, .depth = 4, .channels = 1, .bits = 32, .kind = HD_FLOAT},
              (struct hd_dim){6, 5, 4});
}

static void textures_of_one_two_and_three_dimensions_are_fetched_at_their_texels(void)
{
    with_each_compiler(check_shapes_of_textures);
}

/* --- the rest -------------------------------------------------------------------------------- */

static void set_table(struct cuda_rig *r)
{
    struct hd_error e = {0};
    int32_t table[16];
    hd_ptr at = 0;
    uint64_t bytes = 0;
    for (int i = 0; i < 16; i++)
        table[i] = 100 * i;
    CHECK(hd_module_symbol(r->module, "table", &at, &bytes, &e));
    CHECK_EQ(bytes, sizeof table);
    CHECK(hd_upload(r->device, at, table, bytes, &e));
}

static void check_barriers(struct cuda_rig *r)
{
    enum { THREADS = 100 };
    int32_t got[THREADS][4], written = 0;
    hd_ptr at = 0;
    uint64_t bytes = 0;
    struct hd_error e = {0};
    set_table(r);
    for (int32_t extra = 5; extra <= 1000; extra += 995) {
        hd_ptr out = cuda_rig_buffer(r, NULL, sizeof got);
        hd_arg_i32(&r->args, extra);
        cuda_rig_launch(r, "barriers", (struct hd_dim){1, 1, 1}, (struct hd_dim){THREADS, 1, 1},
                        THREADS * sizeof(int32_t));
        cuda_rig_download(r, got, out, sizeof got);
        for (int i = 0; i < THREADS; i++) {
            CHECK_EQ(got[i][0], (THREADS - 1 - i) % 16 * 100 + extra);
            CHECK_EQ(got[i][1], (THREADS + 2) / 3);
            CHECK_EQ(got[i][2], 1);
            CHECK_EQ(got[i][3], extra < THREADS);
        }
        CHECK(hd_module_symbol(r->module, "written", &at, &bytes, &e));
        cuda_rig_download(r, &written, at, sizeof written);
        CHECK_EQ(written, extra);
    }
}

static void barriers_reduce_and_dynamic_shared_memory_and_constants_are_there(void)
{
    with_each_compiler(check_barriers);
}

static void check_read_only(struct cuda_rig *r)
{
    enum { THREADS = 32 };
    float f[THREADS][4];
    uint32_t u[THREADS][2];
    double d[THREADS][2], got[THREADS];
    uint8_t c[THREADS][4];
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < 4; k++) {
            f[i][k] = (float)(i + k);
            u[i][k / 2] = (uint32_t)(i * 1000 + k);
            d[i][k / 2] = 0.5 * i + k;
            c[i][k] = (uint8_t)(i * 4 + k);
        }
    cuda_rig_buffer(r, f, sizeof f);
    cuda_rig_buffer(r, u, sizeof u);
    cuda_rig_buffer(r, d, sizeof d);
    cuda_rig_buffer(r, c, sizeof c);
    hd_ptr out = cuda_rig_buffer(r, NULL, sizeof got);
    cuda_rig_launch(r, "read_only", (struct hd_dim){1, 1, 1}, (struct hd_dim){THREADS, 1, 1}, 0);
    cuda_rig_download(r, got, out, sizeof got);
    for (int i = 0; i < THREADS; i++) {
        double want = (double)(f[i][0] + f[i][1] + f[i][2] + f[i][3]) +
                      (double)(u[i][0] ^ u[i][1]) + d[i][0] * d[i][1] +
                      (double)(c[i][0] + c[i][1] + c[i][2] + c[i][3]) + (double)f[i][0] + d[i][1];
        CHECK(got[i] == want);
    }
}

static void vectors_are_loaded_through_the_read_only_path(void)
{
    with_each_compiler(check_read_only);
}

static void check_shapes(struct cuda_rig *r)
{
    static const uint32_t want[15] = {12, 4, 16, 16, 4, 4, 8, 8, 16, 16, 4, 4, 4, 5, 1};
    uint32_t got[15];
    hd_ptr out = cuda_rig_buffer(r, NULL, sizeof got);
    cuda_rig_launch(r, "shapes", (struct hd_dim){1, 1, 1}, (struct hd_dim){1, 1, 1}, 0);
    cuda_rig_download(r, got, out, sizeof got);
    for (int i = 0; i < 15; i++)
        CHECK_EQ(got[i], want[i]);
}

static void vectors_have_the_sizes_and_alignments_of_cuda(void)
{
    with_each_compiler(check_shapes);
}

static void check_clocks(struct cuda_rig *r)
{
    uint32_t got[64];
    hd_ptr out = cuda_rig_buffer(r, NULL, sizeof got);
    cuda_rig_launch(r, "clocks", (struct hd_dim){1, 1, 1}, (struct hd_dim){64, 1, 1}, 0);
    cuda_rig_download(r, got, out, sizeof got);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(got[i], 1);
}

static void clocks_go_forward(void)
{
    with_each_compiler(check_clocks);
}

CHECK_MAIN("device", TEST(atomics_in_global_memory_lose_nothing),
           TEST(atomics_in_shared_memory_lose_nothing), TEST(an_atomic_returns_the_value_before),
           TEST(texels_of_every_type_arrive_unchanged),
           TEST(textures_of_one_two_and_three_dimensions_are_fetched_at_their_texels),
           TEST(barriers_reduce_and_dynamic_shared_memory_and_constants_are_there),
           TEST(vectors_are_loaded_through_the_read_only_path),
           TEST(vectors_have_the_sizes_and_alignments_of_cuda), TEST(clocks_go_forward))
