/* kmeans.c - KMEANS: Rodinia kmeans; see kernels/kmeans.cu.
 *
 * Points of 34 features, whole numbers from 0 to 255 as the suite's own generator draws them, in
 * five clusters whose first centres are the first five points.  As in the original the device
 * finds each point's cluster and the host adds up the new centres, until no point changes.
 * Points without any structure take hundreds of such rounds, which are all alike: ours stops
 * after a few.  The suite's largest input has 819,200 points. */
#include "../kernels/heddle_math.h"
#include "workload.h"

enum { THREADS = 256, FEATURES = 34, CLUSTERS = 5, VALUES = 256 };

struct clustering {
    uint32_t points, side; /* CTAs along the grid's square */
    float *features;       /* point by point */
    float centres[CLUSTERS][FEATURES];
    int32_t *membership;
    hd_ptr features_d, inverted_d, membership_d;
    hd_texture texture;
};

static struct clustering make_clustering(struct work *w, uint32_t points)
{
    struct clustering c = {.points = points};
    uint32_t blocks = (points + THREADS - 1) / THREADS;
    while (c.side * c.side < blocks)
        c.side++;
    size_t n = (size_t)points * FEATURES;
    c.features = work_alloc(w, n * sizeof *c.features);
    c.membership = work_alloc(w, points * sizeof *c.membership);
    for (size_t i = 0; i < n; i++)
        c.features[i] = (float)work_random_u32(w, 0, i, VALUES);
    for (uint32_t i = 0; i < points; i++)
        c.membership[i] = -1;
    memcpy(c.centres, c.features, sizeof c.centres);
    return c;
}

static bool upload(struct work *w, struct clustering *c, struct hd_error *e)
{
    uint64_t n = (uint64_t)c->points * FEATURES;
    c->features_d = work_upload(w, c->features, n * sizeof(float), e);
    c->inverted_d = work_device(w, n * sizeof(float), e);
    c->membership_d = work_upload(w, c->membership, c->points * sizeof *c->membership, e);
    if (!c->features_d || !c->inverted_d || !c->membership_d)
        return false;
    c->texture = work_texture_linear(w, c->inverted_d, (uint32_t)n, 1, 32, HD_FLOAT, e);
    return c->texture != 0;
}

static bool invert(struct work *w, const struct clustering *c, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, c->features_d);
    hd_arg_ptr(&a, c->inverted_d);
    hd_arg_i32(&a, (int32_t)c->points);
    hd_arg_i32(&a, FEATURES);
    return work_launch(w, "invert_mapping", (struct hd_dim){c->side * c->side, 1, 1},
                       (struct hd_dim){THREADS, 1, 1}, 0, &a, e);
}

static bool check_inverted(struct work *w, const struct clustering *c, struct hd_error *e)
{
    size_t n = (size_t)c->points * FEATURES;
    float *got = work_alloc(w, n * sizeof *got), *want = work_alloc(w, n * sizeof *want);
    for (size_t i = 0; i < n; i++)
        want[i % FEATURES * c->points + i / FEATURES] = c->features[i];
    return work_download(w, got, c->inverted_d, n * sizeof *got, e) &&
           work_same_f32("inverted feature", got, want, n, e);
}

static bool find_clusters(struct work *w, const struct clustering *c, int32_t *membership,
                          struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_i64(&a, (int64_t)c->texture);
    hd_arg_i32(&a, FEATURES);
    hd_arg_i32(&a, (int32_t)c->points);
    hd_arg_i32(&a, CLUSTERS);
    hd_arg_ptr(&a, c->membership_d);
    return work_symbol(w, "c_clusters", c->centres, sizeof c->centres, e) &&
           work_launch(w, "kmeansPoint", (struct hd_dim){c->side, c->side, 1},
                       (struct hd_dim){THREADS, 1, 1}, 0, &a, e) &&
           work_download(w, membership, c->membership_d, c->points * sizeof *membership, e);
}

static int32_t nearest_centre(const struct clustering *c, uint32_t point)
{
    const float *features = c->features + (size_t)point * FEATURES;
    int32_t nearest = -1;
    float least = 3.402823466e+38f;
    for (int32_t i = 0; i < CLUSTERS; i++) {
        float distance = 0;
        for (uint32_t j = 0; j < FEATURES; j++) {
            float difference = features[j] - c->centres[i][j];
            distance = hm_fmaf(difference, difference, distance);
        }
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

static bool check_membership(struct work *w, const struct clustering *c, const int32_t *got,
                             struct hd_error *e)
{
    int32_t *want = work_alloc(w, c->points * sizeof *want);
    for (uint32_t i = 0; i < c->points; i++)
        want[i] = nearest_centre(c, i);
    return work_same_i32("membership", got, want, c->points, e);
}

/* New centres: the means of their points.  Returns how many points have changed their cluster. */
static uint32_t move_centres(struct clustering *c, const int32_t *membership)
{
    uint32_t members[CLUSTERS] = {0}, changed = 0;
    float sums[CLUSTERS][FEATURES] = {0};
    for (uint32_t i = 0; i < c->points; i++) {
        int32_t cluster = membership[i];
        changed += cluster != c->membership[i];
        members[cluster]++;
        for (uint32_t j = 0; j < FEATURES; j++)
            sums[cluster][j] += c->features[(size_t)i * FEATURES + j];
    }
    memcpy(c->membership, membership, c->points * sizeof *membership);
    for (uint32_t i = 0; i < CLUSTERS; i++)
        for (uint32_t j = 0; j < FEATURES && members[i] > 0; j++)
            c->centres[i][j] = sums[i][j] / (float)members[i];
    return changed;
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct {
        uint32_t points, rounds;
    } sizes[SIZES] = {
        [SIZE_TINY] = {700, 2},      [SIZE_SMALL] = {16384, 4}, [SIZE_STUDY] = {102400, 3},
        [SIZE_PAPER] = {819200, 20}, [SIZE_FEW] = {12544, 4},   [SIZE_CHIP] = {819200, 1},
    };
    struct clustering c = make_clustering(w, sizes[w->size].points);
    int32_t *membership = work_alloc(w, c.points * sizeof *membership);
    if (!upload(w, &c, e) || !invert(w, &c, e) || (w->verify && !check_inverted(w, &c, e)))
        return false;
    uint32_t changed = c.points;
    for (uint32_t i = 0; i < sizes[w->size].rounds && changed > 0; i++) {
        if (!find_clusters(w, &c, membership, e) ||
            (w->verify && !check_membership(w, &c, membership, e)))
            return false;
        changed = move_centres(&c, membership);
    }
    return true;
}

const struct workload workload_kmeans = {
    .name = "KMEANS",
    .suite = "Rodinia",
    .stands_for = "kmeans: nearest of five centres, features by texture, centres constant",
    .papers = "cdxbar",
    .kernels = "kmeans",
    .inputs =
        {
            [SIZE_TINY] = "700 points of 34 features, 2 rounds",
            [SIZE_SMALL] = "16,384 points of 34 features, 4 rounds",
            [SIZE_STUDY] = "102,400 points of 34 features, 3 rounds",
            [SIZE_PAPER] = "819,200 points of 34 features, 20 rounds",
            [SIZE_FEW] = "12,544 points of 34 features, 4 rounds",
            [SIZE_CHIP] = "819,200 points of 34 features, 1 round",
        },
    .run = run,
};
