/* stream.c - STREAM: bandwidth of memory over occupancy, six streaming kernels.
 *
 * Three launches, each over elements that no other one touches.  The first streams through `warm` bytes
 * of each array with CTAs of 1024 threads, so that the L2 holds what such a kernel leaves in it, dirty
 * lines above all.  The second is over `array` bytes of each array, the third over twice as many: the
 * third less the second is what `array` bytes take amidst many more, without a launch's start and end. */
#include "workload.h"

enum { INIT, READ, SCALE, TRIAD, STENCIL3, STENCIL5, KERNELS };
enum { KERNEL, BLOCK, SHARED, ARRAY, WARM };
enum { HALO = 16, MOST_THREADS = 1024, ARRAYS = 4, PARTS = 3 };

static const struct workload_arg args[] = {
    {"kernel",
     {TRIAD, TRIAD, TRIAD, TRIAD, TRIAD},
     0,
     KERNELS - 1,
     1,
     "init|read|scale|triad|stencil3|stencil5",
     "",
     "what is done with each element"},
    {"block", {128, 128, 128, 128, 128}, 1, MOST_THREADS, 1, NULL, "thread", "of a CTA"},
    {"shared",
     {0, 0, 0, 0, 0},
     0,
     227 << 10,
     1,
     NULL,
     "B",
     "of shared memory that a CTA has and does not use, to limit how many an SM holds"},
    {"array",
     {64 << 10, 1 << 20, 8 << 20, 64 << 20, 32 << 10},
     8,
     1ll << 30,
     8,
     NULL,
     "B",
     "of each array in the time that counts"},
    {"warm",
     {64 << 10, 1 << 20, 8 << 20, 8 << 20, 0},
     0,
     1ll << 30,
     8,
     NULL,
     "B",
     "of each array before"},
    {0}};

struct streams {
    uint64_t elements; /* of an array */
    double *host[ARRAYS];
    hd_ptr device[ARRAYS]; /* of the element 0; a, b, c, d */
};

struct kernel {
    const char *name;
    uint32_t arrays; /* that it is given */
    double (*element)(const struct streams *s, uint64_t i);
};

static double get(const struct streams *s, int array, uint64_t i)
{
    return s->host[array][HALO + i];
}

static double init_element(const struct streams *s, uint64_t i)
{
    (void)s;
    (void)i;
    return 0.23;
}

static double read_element(const struct streams *s, uint64_t i)
{
    (void)s;
    (void)i;
    return 0.0; /* never written */
}

static double scale_element(const struct streams *s, uint64_t i)
{
    return 1.2 * get(s, 1, i);
}

static double triad_element(const struct streams *s, uint64_t i)
{
    return __builtin_fma(get(s, 2, i), get(s, 3, i), get(s, 1, i));
}

static double stencil3_element(const struct streams *s, uint64_t i)
{
    double right = __builtin_fma(0.5, get(s, 1, i + 1), -get(s, 1, i));
    return __builtin_fma(0.5, get(s, 1, i - 1), right);
}

static double stencil5_element(const struct streams *s, uint64_t i)
{
    double right = __builtin_fma(0.25, get(s, 1, i + 2), stencil3_element(s, i));
    return __builtin_fma(0.25, get(s, 1, i - 2), right);
}

static const struct kernel kernels[KERNELS] = {
    [INIT] = {"stream_init", 1, init_element},
    [READ] = {"stream_read", 2, read_element},
    [SCALE] = {"stream_scale", 2, scale_element},
    [TRIAD] = {"stream_triad", 4, triad_element},
    [STENCIL3] = {"stream_stencil3", 2, stencil3_element},
    [STENCIL5] = {"stream_stencil5", 2, stencil5_element},
};

static bool make_arrays(struct work *w, struct streams *s, uint32_t n, struct hd_error *e)
{
    uint64_t all = s->elements + 2 * HALO;
    for (uint32_t k = 0; k < n; k++) {
        s->host[k] = work_alloc(w, all * sizeof(double));
        for (uint64_t i = 0; k > 0 && i < all; i++)
            s->host[k][i] = ((double)(int64_t)(work_random(w, k, i) >> 44) + 0.5) / 1024;
        s->device[k] = work_upload(w, s->host[k], all * sizeof(double), e);
        if (!s->device[k])
            return false;
        s->device[k] += HALO * sizeof(double);
    }
    return true;
}

static bool launch(struct work *w, const struct streams *s, const struct kernel *k, uint64_t first,
                   uint64_t n, uint32_t block, uint32_t shared, struct hd_error *e)
{
    struct hd_args a = {0};
    for (uint32_t i = 0; i < k->arrays; i++)
        hd_arg_ptr(&a, s->device[i]);
    hd_arg_i64(&a, (int64_t)first);
    hd_arg_u32(&a, (uint32_t)n);
    uint32_t ctas = (uint32_t)((n + block - 1) / block);
    return n == 0 || work_launch(w, k->name, (struct hd_dim){ctas, 1, 1},
                                 (struct hd_dim){block, 1, 1}, shared, &a, e);
}

static bool check(struct work *w, const struct streams *s, const struct kernel *k,
                  struct hd_error *e)
{
    size_t bytes = s->elements * sizeof(double);
    double *got = work_alloc(w, bytes), *want = work_alloc(w, bytes);
    for (uint64_t i = 0; i < s->elements; i++)
        want[i] = k->element(s, i);
    return work_download(w, got, s->device[0], bytes, e) &&
           work_same_f64("a", got, want, s->elements, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    const struct kernel *k = &kernels[w->args[KERNEL]];
    uint32_t block = (uint32_t)w->args[BLOCK], shared = (uint32_t)w->args[SHARED];
    uint64_t warm = (uint64_t)w->args[WARM] / sizeof(double);
    uint64_t n = (uint64_t)w->args[ARRAY] / sizeof(double);
    struct streams s = {.elements = warm + PARTS * n};
    return make_arrays(w, &s, k->arrays, e) && launch(w, &s, k, 0, warm, MOST_THREADS, 0, e) &&
           launch(w, &s, k, warm, n, block, shared, e) &&
           launch(w, &s, k, warm + n, 2 * n, block, shared, e) &&
           (!w->verify || check(w, &s, k, e));
}

const struct workload workload_stream = {
    .name = "STREAM",
    .suite = "Micro",
    .stands_for = "stream: init, read, scale, triad, 1D stencils over doubles, one per thread",
    .papers = "",
    .kernels = "stream",
    .inputs = {"triad, 64 KiB of each array", "triad, 1 MiB of each array",
               "triad, 8 MiB of each array", "triad, 64 MiB of each array",
               "triad, 32 KiB of each array"},
    .args = args,
    .run = run,
};
