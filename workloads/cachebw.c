/* cachebw.c - CACHEBW: bandwidth of a cache over footprint, all SMs reading the same buffer.
 *
 * Three launches.  The first reads the buffer once, as much of it as fits `touch` bytes, so that the L2
 * holds what it can of it.  In the second every CTA reads `warmup` bytes, which fill its L1; when all
 * of its warps have done so it reads `bytes`; in the third it reads twice as many.  So the third less the
 * second is what `bytes` take in caches that are warm.  Both begin where the one before ended. */
#include "workload.h"

enum { LINE_FLOATS = 32, LINES = 8, STREAMS = 2, ROUND_FLOATS = LINES * LINE_FLOATS };
enum { FOOTPRINT, CTAS, BLOCK, BYTES, WARMUP, TOUCH };

static const struct workload_arg args[] = {
    {"footprint",
     {8 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 10},
     2 << 10,
     1ll << 30,
     2 << 10,
     NULL,
     "B",
     "of the buffer that all CTAs read"},
    {"ctas", {4, 80, 80, 80, 40}, 1, 65535, 1, NULL, "CTA", "one for each SM, say"},
    {"block", {1024, 1024, 1024, 1024, 1024}, 32, 1024, 32, NULL, "thread", "of a CTA"},
    {"bytes",
     {64 << 10, 128 << 10, 512 << 10, 2 << 20, 128 << 10},
     1 << 10,
     1ll << 30,
     1 << 10,
     NULL,
     "B",
     "that a CTA reads in the time that counts, rounded up to whole rounds of 2 KiB a warp"},
    {"warmup",
     {64 << 10, 256 << 10, 256 << 10, 256 << 10, 256 << 10},
     0,
     1ll << 30,
     1 << 10,
     NULL,
     "B",
     "that a CTA reads before, if the footprint is not less"},
    {"touch",
     {64 << 10, 8 << 20, 8 << 20, 8 << 20, 8 << 20},
     0,
     1ll << 30,
     1 << 10,
     NULL,
     "B",
     "of the buffer that are brought into the L2 before"},
    {0}};

struct reading {
    uint32_t half;           /* floats */
    uint32_t warps;          /* of a CTA */
    uint32_t warmup, rounds; /* of a launch that counts once */
    uint32_t ctas, block;
    hd_ptr buffer, sums;
};

/* Small whole numbers: their sums are exact in any order. */
static float element(uint32_t i)
{
    return (float)(i * 2654435761u >> 30);
}

static bool make_buffer(struct work *w, struct reading *r, struct hd_error *e)
{
    size_t floats = (size_t)STREAMS * r->half;
    float *buffer = work_alloc(w, floats * sizeof *buffer);
    for (size_t i = 0; i < floats; i++)
        buffer[i] = element((uint32_t)i);
    r->buffer = work_device_pages(w, floats * sizeof *buffer, e);
    r->sums = work_device(w, (uint64_t)r->ctas * r->block * sizeof(float), e);
    return r->buffer && r->sums &&
           hd_upload(w->device, r->buffer, buffer, floats * sizeof *buffer, e);
}

static float sum_of(const struct reading *r, uint32_t thread, uint32_t first, uint32_t rounds)
{
    uint64_t at = first + thread / LINE_FLOATS * ROUND_FLOATS + thread % LINE_FLOATS;
    float sum = 0;
    for (uint32_t i = 0; i < rounds; i++, at += (uint64_t)r->warps * ROUND_FLOATS)
        for (uint32_t k = 0; k < LINES; k++) {
            uint32_t x = (uint32_t)(at % r->half) + k * LINE_FLOATS;
            sum += element(x) * element(x + r->half);
        }
    return sum;
}

/* All CTAs do the same. */
static bool check(struct work *w, const struct reading *r, uint32_t first, uint32_t rounds,
                  struct hd_error *e)
{
    size_t n = (size_t)r->ctas * r->block;
    float *got = work_alloc(w, n * sizeof *got), *want = work_alloc(w, n * sizeof *want);
    for (uint32_t t = 0; t < r->block; t++)
        want[t] = sum_of(r, t, first, rounds);
    for (size_t i = r->block; i < n; i++)
        want[i] = want[i % r->block];
    return work_download(w, got, r->sums, n * sizeof *got, e) &&
           work_same_f32("sum", got, want, n, e);
}

static bool touch(struct work *w, const struct reading *r, struct hd_error *e)
{
    uint64_t bytes = (uint64_t)STREAMS * r->half * sizeof(float), most = (uint64_t)w->args[TOUCH];
    struct hd_args a = {0};
    hd_arg_ptr(&a, r->buffer);
    hd_arg_u32(&a, (uint32_t)((bytes < most ? bytes : most) / sizeof(float)));
    hd_arg_ptr(&a, r->sums);
    return work_launch(w, "touch", (struct hd_dim){r->ctas, 1, 1}, (struct hd_dim){r->block, 1, 1},
                       0, &a, e);
}

static bool read(struct work *w, const struct reading *r, uint32_t from_round, uint32_t rounds,
                 struct hd_error *e)
{
    uint32_t first = (uint32_t)((uint64_t)from_round * r->warps * ROUND_FLOATS % r->half);
    struct hd_args a = {0};
    hd_arg_ptr(&a, r->buffer);
    hd_arg_u32(&a, r->half);
    hd_arg_u32(&a, first);
    hd_arg_u32(&a, r->warmup);
    hd_arg_u32(&a, rounds);
    hd_arg_ptr(&a, r->sums);
    return work_launch(w, "cache_read", (struct hd_dim){r->ctas, 1, 1},
                       (struct hd_dim){r->block, 1, 1}, 0, &a, e) &&
           (!w->verify || check(w, r, first, r->warmup + rounds, e));
}

/* Rounds of a CTA that read at least so many bytes. */
static uint32_t rounds_of(const struct reading *r, int64_t bytes)
{
    int64_t round = (int64_t)STREAMS * r->warps * ROUND_FLOATS * (int64_t)sizeof(float);
    return (uint32_t)((bytes + round - 1) / round);
}

static bool run(struct work *w, struct hd_error *e)
{
    int64_t footprint = w->args[FOOTPRINT], warmup = w->args[WARMUP];
    struct reading r = {.half = (uint32_t)(footprint / STREAMS / (int)sizeof(float)),
                        .ctas = (uint32_t)w->args[CTAS],
                        .block = (uint32_t)w->args[BLOCK]};
    r.warps = r.block / LINE_FLOATS;
    r.warmup = rounds_of(&r, footprint < warmup ? footprint : warmup);
    r.rounds = rounds_of(&r, w->args[BYTES]);
    return make_buffer(w, &r, e) && touch(w, &r, e) && read(w, &r, 0, r.rounds, e) &&
           read(w, &r, r.warmup + r.rounds, 2 * r.rounds, e);
}

const struct workload workload_cachebw = {
    .name = "CACHEBW",
    .suite = "Micro",
    .stands_for = "cache bandwidth: CTAs of 1024 threads read one buffer again and again",
    .papers = "",
    .kernels = "cachebw",
    .inputs = {"8 KiB, 4 CTAs", "64 KiB, 80 CTAs", "1 MiB, 80 CTAs", "16 MiB, 80 CTAs",
               "64 KiB, 40 CTAs"},
    .args = args,
    .run = run,
};
