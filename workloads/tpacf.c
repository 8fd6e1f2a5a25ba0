/* tpacf.c - TPACF of Parboil: two-point angular correlation; see kernels/tpacf.cu.
 *
 * The original reads an observed sky and 100 random ones from files.  Ours makes them from the
 * seed: random points are spread evenly over the sphere, observed ones gather around 32 others, so
 * that all bins are in use.  The suite's inputs have 487, 4,096 and 10,391 points each; `paper` has
 * the first, whose 4 G instructions are more than the papers' simulators execute of a program. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum { BINS = 20, THREADS = 256, CLUSTERS = 32, DRAWS = 64, POINT_STREAM = 0, CLUSTER_STREAM = 1 };

struct sky {
    uint32_t sets, points; /* random sets; points of each */
};

struct points {
    float *x, *y, *z; /* set by set, the observed one first */
};

/* Cosines of 1, 10^(1/5), 10^(2/5), ... 10,000 minutes of arc. */
static const float *bounds(void)
{
    static const float all[BINS + 1] = {
        0.99999994f,  0.999999881f,  0.999999762f, 0.999999344f, 0.999998331f, 0.999995768f,
        0.99998939f,  0.999973297f,  0.999932945f, 0.999831557f, 0.999576926f, 0.998937488f,
        0.997331738f, 0.993302107f,  0.983204126f, 0.957989514f, 0.895596206f, 0.744722009f,
        0.401129454f, -0.261507958f, -0.973044872f};
    return all;
}

/* A direction: the first of a few points of a cube that lies in its ball. */
static void draw(const struct work *w, uint32_t stream, uint64_t index, float v[3])
{
    float square = 0.0f;
    for (uint64_t i = 0; i < DRAWS && !(square > 0.01f && square < 1.0f); i += 3) {
        square = 0.0f;
        for (uint64_t k = 0; k < 3; k++) {
            v[k] = work_random_f32(w, stream, index * DRAWS + i + k, -1.0f, 1.0f);
            square += v[k] * v[k];
        }
    }
}

static void put(const struct points *p, size_t at, const float v[3])
{
    float size = hm_sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    p->x[at] = v[0] / size;
    p->y[at] = v[1] / size;
    p->z[at] = v[2] / size;
}

/* Clusters are of many widths, the narrowest a few minutes of arc. */
static struct points make_points(struct work *w, const struct sky *s)
{
    size_t all = (size_t)s->points * (s->sets + 1);
    struct points p = {.x = work_alloc(w, 3 * all * sizeof(float))};
    p.y = p.x + all;
    p.z = p.y + all;
    for (size_t i = 0; i < all; i++) {
        float v[3], centre[3];
        draw(w, POINT_STREAM, i, v);
        if (i < s->points) {
            draw(w, CLUSTER_STREAM, i % CLUSTERS, centre);
            float width = 0.5f / (float)(1u << i % CLUSTERS % 10);
            for (int k = 0; k < 3; k++)
                v[k] = centre[k] + width * v[k];
        }
        put(&p, i, v);
    }
    return p;
}

/* The bin of a pair, searched from the widest angles on; BINS: too near or too far. */
static uint32_t bin_of(float cosine)
{
    uint32_t above = BINS + 1; /* bounds from here on are not above the cosine */
    while (above > 0 && cosine >= bounds()[above - 1])
        above--;
    return above == 0 || above == BINS + 1 ? BINS : above - 1;
}

static void count(const struct points *p, const struct sky *s, uint32_t histogram, uint64_t *to)
{
    bool is_self = histogram < s->sets + 1;
    size_t n = s->points, b = n * (is_self ? histogram : histogram - s->sets), a = is_self ? b : 0;
    uint64_t counts[BINS + 1] = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t j = is_self ? i + 1 : 0; j < n; j++)
            counts[bin_of(hm_fmaf(p->z[a + i], p->z[b + j],
                                  hm_fmaf(p->y[a + i], p->y[b + j], p->x[a + i] * p->x[b + j])))]++;
    memcpy(to, counts, BINS * sizeof *to);
}

static bool launch(struct work *w, const struct sky *s, const struct points *p, hd_ptr histograms,
                   struct hd_error *e)
{
    uint64_t bytes = (uint64_t)s->points * (s->sets + 1) * sizeof(float);
    hd_ptr x = work_upload(w, p->x, 3 * bytes, e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, histograms);
    hd_arg_ptr(&a, x);
    hd_arg_ptr(&a, x + bytes);
    hd_arg_ptr(&a, x + 2 * bytes);
    hd_arg_u32(&a, s->sets);
    hd_arg_u32(&a, s->points);
    return x && work_symbol(w, "bin_bounds", bounds(), (BINS + 1) * sizeof(float), e) &&
           work_launch(w, "gen_hists", (struct hd_dim){2 * s->sets + 1, 1, 1},
                       (struct hd_dim){THREADS, 1, 1}, 0, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct sky sizes[SIZES] = {
        [SIZE_TINY] = {3, 32},     [SIZE_SMALL] = {20, 140}, [SIZE_STUDY] = {60, 256},
        [SIZE_PAPER] = {100, 487}, [SIZE_FEW] = {12, 256},
    };
    const struct sky *s = &sizes[w->size];
    uint32_t histograms = 2 * s->sets + 1;
    size_t bytes = histograms * (size_t)BINS * sizeof(uint64_t);
    struct points p = make_points(w, s);
    uint64_t *got = work_alloc(w, bytes), *want = work_alloc(w, bytes);
    hd_ptr device = work_device(w, bytes, e);
    if (!device || !launch(w, s, &p, device, e) || !work_download(w, got, device, bytes, e))
        return false;
    if (!w->verify)
        return true;
    for (uint32_t h = 0; h < histograms; h++)
        count(&p, s, h, want + (size_t)h * BINS);
    return work_same_u64("histograms", got, want, (size_t)histograms * BINS, e);
}

const struct workload workload_tpacf = {
    .name = "TPACF",
    .suite = "Parboil",
    .stands_for = "tpacf: angles between points, bisection in constants, shared atomics",
    .papers = "cdxbar",
    .kernels = "tpacf",
    .inputs =
        {
            [SIZE_TINY] = "1 + 3 sets of 32 points",
            [SIZE_SMALL] = "1 + 20 sets of 140 points",
            [SIZE_STUDY] = "1 + 60 sets of 256 points",
            [SIZE_PAPER] = "1 + 100 sets of 487 points",
            [SIZE_FEW] = "1 + 12 sets of 256 points",
        },
    .run = run,
};
