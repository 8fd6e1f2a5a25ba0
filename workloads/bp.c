/* bp.c - BP: Rodinia backprop, one training step.
 *
 * As in the original, the device computes the products of inputs and input weights and, at the
 * end, adjusts these weights; the hidden layer's sums and squashing, the output layer (one unit)
 * and the errors are the host's.  Inputs, weights and target come from the seed. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum { HIDDEN = 16, ROW = HIDDEN + 1, TILE = 16 };
enum { INPUT_STREAM, WEIGHT_STREAM, CHANGE_STREAM, OUTPUT_STREAM };
#define ETA 0.3
#define MOMENTUM 0.3
#define TARGET 0.1f

struct layer {
    size_t n, nweights, nsums; /* inputs without the bias; (n + 1) * ROW; n / TILE * HIDDEN */
    float *input;              /* [0] is the bias */
    float *weights, *changes;  /* to the hidden layer; the changes of the step before */
    float delta[ROW];          /* errors of the hidden units, [0] unused */
};

static struct layer make_layer(struct work *w)
{
    static const size_t sizes[SIZES] = {1024, 16384, 65536, 65536, 1024, 65536};
    struct layer l = {.n = sizes[w->size]};
    l.nweights = (l.n + 1) * ROW;
    l.nsums = l.n / TILE * HIDDEN;
    l.input = work_alloc(w, (l.n + 1) * sizeof(float));
    l.weights = work_alloc(w, l.nweights * sizeof(float));
    l.changes = work_alloc(w, l.nweights * sizeof(float));
    l.input[0] = 1.0f;
    for (size_t i = 1; i <= l.n; i++)
        l.input[i] = work_random_f32(w, INPUT_STREAM, i, 0.0f, 1.0f);
    for (size_t i = 0; i < l.nweights; i++) {
        l.weights[i] = work_random_f32(w, WEIGHT_STREAM, i, -0.01f, 0.01f);
        l.changes[i] = work_random_f32(w, CHANGE_STREAM, i, -0.001f, 0.001f);
    }
    return l;
}

static float squash(float x)
{
    return 1.0f / (1.0f + hm_expf(-x));
}

/* From the tiles' sums to the hidden units' errors. */
static void errors(const struct work *w, struct layer *l, const float *sums)
{
    float hidden[ROW] = {1.0f}, weight[ROW], output = 0;
    for (size_t j = 1; j < ROW; j++) {
        float sum = 0;
        for (size_t k = 0; k < l->nsums; k += HIDDEN)
            sum += sums[k + j - 1];
        hidden[j] = squash(sum + l->weights[j]);
    }
    for (size_t j = 0; j < ROW; j++) {
        weight[j] = work_random_f32(w, OUTPUT_STREAM, j, -1.0f, 1.0f);
        output += hidden[j] * weight[j];
    }
    output = squash(output);
    float output_delta = output * (1.0f - output) * (TARGET - output);
    for (size_t j = 1; j < ROW; j++)
        l->delta[j] = hidden[j] * (1.0f - hidden[j]) * (output_delta * weight[j]);
}

/* What bpnn_layerforward makes of the weights (in place) and of the sums. */
static void reference_forward(const struct layer *l, float *weights, float *sums)
{
    for (size_t i = 1; i <= l->n; i++)
        for (size_t j = 1; j < ROW; j++)
            weights[i * ROW + j] *= l->input[i];
    for (size_t tile = 0; tile < l->n / TILE; tile++) {
        float *first = weights + (tile * TILE + 1) * ROW; /* rows 1..16 of the tile */
        for (size_t apart = 2; apart <= TILE; apart *= 2)
            for (size_t y = 0; y < TILE; y += apart)
                for (size_t j = 1; j < ROW; j++)
                    first[y * ROW + j] += first[(y + apart / 2) * ROW + j];
        for (size_t j = 1; j < ROW; j++)
            sums[tile * HIDDEN + j - 1] = first[j];
    }
}

/* What bpnn_adjust_weights makes of weights and changes, in place; column 0 stays. */
static void reference_adjust(const struct layer *l, float *weights, float *changes)
{
    for (size_t i = 0; i <= l->n; i++) {
        for (size_t j = 1; j < ROW; j++) {
            size_t at = i * ROW + j;
            double momentum = MOMENTUM * (double)changes[at];
            double change = hm_fma(ETA * (double)l->delta[j], l->input[i], momentum);
            weights[at] = (float)((double)weights[at] + change);
            changes[at] = (float)change;
        }
    }
}

static bool forward(struct work *w, const struct layer *l, hd_ptr input, float *sums,
                    struct hd_error *e)
{
    size_t weight_bytes = l->nweights * sizeof(float), sum_bytes = l->nsums * sizeof(float);
    hd_ptr weights = work_upload(w, l->weights, weight_bytes, e);
    hd_ptr device_sums = work_device(w, sum_bytes, e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, input);
    hd_arg_ptr(&a, weights);
    hd_arg_ptr(&a, device_sums);
    hd_arg_i32(&a, HIDDEN);
    float *products = work_alloc(w, weight_bytes);
    if (!weights || !device_sums ||
        !work_launch(w, "bpnn_layerforward", (struct hd_dim){1, (uint32_t)(l->n / TILE), 1},
                     (struct hd_dim){TILE, TILE, 1}, 0, &a, e) ||
        !work_download(w, sums, device_sums, sum_bytes, e) ||
        !work_download(w, products, weights, weight_bytes, e))
        return false;
    if (!w->verify)
        return true;
    float *want = work_alloc(w, weight_bytes), *want_sums = work_alloc(w, sum_bytes);
    memcpy(want, l->weights, weight_bytes);
    reference_forward(l, want, want_sums);
    return work_same_f32("partial sum", sums, want_sums, l->nsums, e) &&
           work_same_f32("product", products, want, l->nweights, e);
}

static bool adjust(struct work *w, struct layer *l, hd_ptr input, struct hd_error *e)
{
    size_t bytes = l->nweights * sizeof(float);
    hd_ptr delta = work_upload(w, l->delta, sizeof l->delta, e);
    hd_ptr weights = work_upload(w, l->weights, bytes, e);
    hd_ptr changes = work_upload(w, l->changes, bytes, e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, delta);
    hd_arg_i32(&a, HIDDEN);
    hd_arg_ptr(&a, input);
    hd_arg_ptr(&a, weights);
    hd_arg_ptr(&a, changes);
    float *got_weights = work_alloc(w, bytes), *got_changes = work_alloc(w, bytes);
    if (!delta || !weights || !changes ||
        !work_launch(w, "bpnn_adjust_weights", (struct hd_dim){1, (uint32_t)(l->n / TILE), 1},
                     (struct hd_dim){TILE, TILE, 1}, 0, &a, e) ||
        !work_download(w, got_weights, weights, bytes, e) ||
        !work_download(w, got_changes, changes, bytes, e))
        return false;
    if (!w->verify)
        return true;
    reference_adjust(l, l->weights, l->changes);
    return work_same_f32("weight", got_weights, l->weights, l->nweights, e) &&
           work_same_f32("change", got_changes, l->changes, l->nweights, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    struct layer l = make_layer(w);
    float *sums = work_alloc(w, l.nsums * sizeof(float));
    hd_ptr input = work_upload(w, l.input, (l.n + 1) * sizeof(float), e);
    if (!input || !forward(w, &l, input, sums, e))
        return false;
    errors(w, &l, sums);
    return adjust(w, &l, input, e);
}

const struct workload workload_bp = {
    .name = "BP",
    .suite = "Rodinia",
    .stands_for = "backprop: one training step, 16 hidden units, 16 inputs per CTA",
    .papers = "icc sharing",
    .kernels = "backprop",
    .chip_kernels = "backprop_plain",
    .inputs = {"1024 inputs", "16384 inputs", "65536 inputs", "65536 inputs", "1024 inputs",
               "65536 inputs"},
    .run = run,
};
