/* nn.c - NN of the ISPASS-2009 suite: a neural network reads digits; see kernels/nn.cu.
 *
 * The original's trained weights and scanned digits are random numbers here; what is read and
 * written does not depend on them.  28 images, the original's own launch, fit a study; tiny has
 * one image and computes 20 of the 100 hidden neurons, the others stay 0. */
#include "../kernels/heddle_math.h"
#include "workload.h"

enum {
    IMAGE = 29,
    MAP1 = 13,
    MAPS1 = 6,
    MAP2 = 5,
    MAPS2 = 50,
    WINDOW = 5,
    HIDDEN = 100,
    DIGITS = 10,
    LAYERS = 4,
    NEURONS0 = IMAGE * IMAGE,
    NEURONS1 = MAPS1 * MAP1 * MAP1,
    NEURONS2 = MAPS2 * MAP2 * MAP2,
    TAPS = WINDOW * WINDOW + 1, /* with the bias */
    WEIGHTS1 = MAPS1 * TAPS,
    WEIGHTS2 = MAPS2 * MAPS1 * TAPS,
    WEIGHTS3 = HIDDEN * (NEURONS2 + 1),
    WEIGHTS4 = DIGITS * (HIDDEN + 1),
};

struct layer {
    const char *kernel, *name;
    uint32_t neurons, weights; /* of one image; the network's */
    float spread;              /* weights lie within +-spread: sums neither vanish nor saturate */
    uint32_t grid_x;           /* grid.y is the image */
    struct hd_dim block;
};

static const struct layer *layers(void)
{
    static const struct layer all[LAYERS] = {
        {"executeFirstLayer", "maps 1", NEURONS1, WEIGHTS1, 0.4f, MAPS1, {MAP1, MAP1, 1}},
        {"executeSecondLayer", "maps 2", NEURONS2, WEIGHTS2, 0.15f, MAPS2, {MAP2, MAP2, 1}},
        {"executeThirdLayer", "hidden", HIDDEN, WEIGHTS3, 0.05f, HIDDEN, {1, 1, 1}},
        {"executeFourthLayer", "digits", DIGITS, WEIGHTS4, 0.2f, DIGITS, {1, 1, 1}},
    };
    return all;
}

struct network {
    uint32_t images, hidden; /* how many hidden neurons are computed */
    float *pixels, *weights[LAYERS];
    hd_ptr pixels_d, weights_d[LAYERS], neurons_d[LAYERS];
};

static float activation(float sum)
{
    return 1.7159f * hm_tanhf(0.66666667f * sum);
}

/* One neuron of a convolution: `maps` maps of side x side below, all seen through one window. */
static float convolved(const float *below, uint32_t maps, uint32_t side, uint32_t x, uint32_t y,
                       const float *weights)
{
    float sum = *weights++;
    for (uint32_t i = 0; i < WINDOW * WINDOW; i++) {
        uint32_t at = (2 * y + i / WINDOW) * side + 2 * x + i % WINDOW;
        for (uint32_t m = 0; m < maps; m++)
            sum = hm_fmaf(below[m * side * side + at], *weights++, sum);
    }
    return activation(sum);
}

static float connected(const float *below, uint32_t n, const float *weights)
{
    float sum = weights[0];
    for (uint32_t i = 0; i < n; i++)
        sum = hm_fmaf(below[i], weights[1 + i], sum);
    return activation(sum);
}

/* All layers of one image; above[i] are the neurons of layer i. */
static void reference(const struct network *n, const float *pixels, float *const above[LAYERS])
{
    for (uint32_t i = 0; i < NEURONS1; i++)
        above[0][i] = convolved(pixels, 1, IMAGE, i % MAP1, i / MAP1 % MAP1,
                                n->weights[0] + i / (MAP1 * MAP1) * TAPS);
    for (uint32_t i = 0; i < NEURONS2; i++)
        above[1][i] = convolved(above[0], MAPS1, MAP1, i % MAP2, i / MAP2 % MAP2,
                                n->weights[1] + i / (MAP2 * MAP2) * TAPS * MAPS1);
    for (uint32_t i = 0; i < n->hidden; i++)
        above[2][i] = connected(above[1], NEURONS2, n->weights[2] + i * (NEURONS2 + 1));
    for (uint32_t i = 0; i < DIGITS; i++)
        above[3][i] = connected(above[2], HIDDEN, n->weights[3] + i * (HIDDEN + 1));
}

static bool check(struct work *w, const struct network *n, struct hd_error *e)
{
    float *want[LAYERS];
    for (int l = 0; l < LAYERS; l++)
        want[l] = work_alloc(w, (size_t)n->images * layers()[l].neurons * sizeof(float));
    for (uint32_t image = 0; image < n->images; image++) {
        float *above[LAYERS];
        for (int l = 0; l < LAYERS; l++)
            above[l] = want[l] + (size_t)image * layers()[l].neurons;
        reference(n, n->pixels + (size_t)image * NEURONS0, above);
    }
    for (int l = 0; l < LAYERS; l++) {
        size_t count = (size_t)n->images * layers()[l].neurons;
        float *got = work_alloc(w, count * sizeof *got);
        if (!work_download(w, got, n->neurons_d[l], count * sizeof *got, e) ||
            !work_same_f32(layers()[l].name, got, want[l], count, e))
            return false;
    }
    return true;
}

static float *random_floats(struct work *w, uint32_t stream, size_t n, float lo, float hi)
{
    float *v = work_alloc(w, n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = work_random_f32(w, stream, i, lo, hi);
    return v;
}

static bool make_network(struct work *w, struct network *n, struct hd_error *e)
{
    size_t pixels = (size_t)n->images * NEURONS0;
    n->pixels = random_floats(w, LAYERS, pixels, -1.0f, 1.0f);
    n->pixels_d = work_upload(w, n->pixels, pixels * sizeof(float), e);
    if (!n->pixels_d)
        return false;
    for (uint32_t l = 0; l < LAYERS; l++) {
        const struct layer *y = &layers()[l];
        uint64_t bytes = (uint64_t)n->images * y->neurons * sizeof(float);
        n->weights[l] = random_floats(w, l, y->weights, -y->spread, y->spread);
        n->weights_d[l] = work_upload(w, n->weights[l], y->weights * sizeof(float), e);
        n->neurons_d[l] = work_device(w, bytes, e);
        if (!n->weights_d[l] || !n->neurons_d[l] ||
            !hd_memset(w->device, n->neurons_d[l], 0, bytes, e))
            return false;
    }
    return true;
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct network sizes[SIZES] = {
        [SIZE_TINY] = {.images = 1, .hidden = 20},
        [SIZE_SMALL] = {.images = 7, .hidden = HIDDEN},
        [SIZE_STUDY] = {.images = 28, .hidden = HIDDEN},
        [SIZE_PAPER] = {.images = 28, .hidden = HIDDEN},
        [SIZE_FEW] = {.images = 1, .hidden = 60},
    };
    struct network n = sizes[w->size];
    if (!make_network(w, &n, e))
        return false;
    for (int l = 0; l < LAYERS; l++) {
        const struct layer *y = &layers()[l];
        struct hd_dim grid = {l == 2 ? n.hidden : y->grid_x, n.images, 1};
        struct hd_args args = {0};
        hd_arg_ptr(&args, l == 0 ? n.pixels_d : n.neurons_d[l - 1]);
        hd_arg_ptr(&args, n.weights_d[l]);
        hd_arg_ptr(&args, n.neurons_d[l]);
        if (!work_launch(w, y->kernel, grid, y->block, 0, &args, e))
            return false;
    }
    return !w->verify || check(w, &n, e);
}

const struct workload workload_nn = {
    .name = "NN",
    .suite = "ISPASS-2009",
    .stands_for = "NN: digits read by a network of four layers, CTAs of 169, 25 and 1 threads",
    .papers = "icc sharing coalesce",
    .kernels = "nn",
    .inputs =
        {
            [SIZE_TINY] = "1 image of 29x29, 20 of the 100 hidden neurons",
            [SIZE_SMALL] = "7 images of 29x29",
            [SIZE_STUDY] = "28 images of 29x29",
            [SIZE_PAPER] = "28 images of 29x29",
            [SIZE_FEW] = "1 image of 29x29, 60 of the 100 hidden neurons",
        },
    .run = run,
};
