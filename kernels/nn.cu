/* nn.cu - recognition of handwritten digits by a network of four layers.
 *
 * Stands for NN of the ISPASS-2009 suite: two convolutions with windows of 5x5 and steps of 2, and
 * two fully connected layers, each followed by a scaled tanh.  The second index of a CTA is the
 * image, the first is the feature map, or the neuron in the connected layers, whose CTAs have a
 * single thread: neighbouring CTAs read the same neurons.  Sizes: 29x29 pixels, 6 maps of 13x13,
 * 50 maps of 5x5, 100 neurons, 10 digits.  The original's double-precision constants are single
 * here, as they became on the GPUs it was written for. */
#include "heddle_cuda.h"

#define IMAGE 29
#define MAP1 13
#define MAPS1 6
#define MAP2 5
#define MAPS2 50
#define WINDOW 25
#define HIDDEN 100
#define DIGITS 10

/* Where the elements of a 5x5 window lie relative to its corner. */
__constant__ int image_window[WINDOW] = {0,  1,  2,  3,  4,  29, 30, 31,  32,  33,  58,  59, 60,
                                         61, 62, 87, 88, 89, 90, 91, 116, 117, 118, 119, 120};
__constant__ int map_window[WINDOW] = {0,  1,  2,  3,  4,  13, 14, 15, 16, 17, 26, 27, 28,
                                       29, 30, 39, 40, 41, 42, 43, 52, 53, 54, 55, 56};

HD_DEVICE float activation(float sum)
{
    return 1.7159f * tanhf(0.66666667f * sum);
}

extern "C" __global__ void executeFirstLayer(const float *image, const float *weights, float *maps)
{
    const int map = (int)blockIdx.x;
    const int x = (int)threadIdx.x;
    const int y = (int)threadIdx.y;
    const int corner = IMAGE * IMAGE * (int)blockIdx.y + 2 * y * IMAGE + 2 * x;
    const int weight = map * (WINDOW + 1);

    float sum = weights[weight];
    for (int i = 0; i < WINDOW; i++)
        sum = fmaf(image[corner + image_window[i]], weights[weight + 1 + i], sum);
    maps[MAP1 * MAP1 * (MAPS1 * (int)blockIdx.y + map) + MAP1 * y + x] = activation(sum);
}

/* Every map of this layer sees all maps of the first; their weights are interleaved. */
extern "C" __global__ void executeSecondLayer(const float *maps1, const float *weights,
                                              float *maps2)
{
    const int map = (int)blockIdx.x;
    const int x = (int)threadIdx.x;
    const int y = (int)threadIdx.y;
    const int corner = MAP1 * MAP1 * MAPS1 * (int)blockIdx.y + 2 * y * MAP1 + 2 * x;
    const int weight = map * (WINDOW + 1) * MAPS1;

    float sum = weights[weight];
    for (int i = 0; i < WINDOW; i++) {
        for (int from = 0; from < MAPS1; from++)
            sum = fmaf(maps1[corner + MAP1 * MAP1 * from + map_window[i]],
                       weights[weight + 1 + MAPS1 * i + from], sum);
    }
    maps2[MAP2 * MAP2 * (MAPS2 * (int)blockIdx.y + map) + MAP2 * y + x] = activation(sum);
}

HD_DEVICE float connected(const float *inputs, int n, const float *weights)
{
    float sum = weights[0];
    for (int i = 0; i < n; i++)
        sum = fmaf(inputs[i], weights[1 + i], sum);
    return activation(sum);
}

extern "C" __global__ void executeThirdLayer(const float *maps2, const float *weights,
                                             float *hidden)
{
    const int inputs = MAP2 * MAP2 * MAPS2;
    const int neuron = (int)blockIdx.x;
    const int image = (int)blockIdx.y;
    hidden[HIDDEN * image + neuron] =
        connected(maps2 + inputs * image, inputs, weights + (inputs + 1) * neuron);
}

extern "C" __global__ void executeFourthLayer(const float *hidden, const float *weights,
                                              float *digits)
{
    const int neuron = (int)blockIdx.x;
    const int image = (int)blockIdx.y;
    digits[DIGITS * image + neuron] =
        connected(hidden + HIDDEN * image, HIDDEN, weights + (HIDDEN + 1) * neuron);
}
