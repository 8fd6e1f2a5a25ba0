/* backprop.cu - training a neural network of one hidden layer (Rodinia backprop).
 *
 * The original: weights are rows of hidden + 1 floats, row and column 0 belonging to the bias, so
 * that rows do not begin at line boundaries.  bpnn_layerforward multiplies a 16x16 tile of weights
 * by 16 inputs in shared memory and adds up the columns by a tree; it leaves the products in the
 * weight array, as the original does (the host uploads the weights again).  bpnn_adjust_weights
 * changes weights and their last changes in place, in double precision because of its literals.
 *
 * Ours: the tree's powers of two come from shifts, not from __powf. */
#define HD_BUILTIN_BARRIER /* right as it is, and results of studies are of this PTX */
#include "heddle_cuda.h"

#define WIDTH 16  /* hidden units */
#define HEIGHT 16 /* inputs of a CTA */
#define LOG2_HEIGHT 4
#define ETA 0.3
#define MOMENTUM 0.3

extern "C" __global__ void bpnn_layerforward(const float *input, float *input_hidden,
                                             float *hidden_partial_sum, int hid)
{
    int by = (int)blockIdx.y, tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_in = HEIGHT * by + ty + 1;
    __shared__ float input_node[HEIGHT];
    __shared__ float weight_matrix[HEIGHT][WIDTH];

    if (tx == 0)
        input_node[ty] = input[index_in];
    __syncthreads();
    weight_matrix[ty][tx] = input_hidden[index];
    __syncthreads();
    weight_matrix[ty][tx] = weight_matrix[ty][tx] * input_node[ty];
    __syncthreads();

    for (int i = 1; i <= LOG2_HEIGHT; i++) {
        int apart = 1 << i;
        if (ty % apart == 0)
            weight_matrix[ty][tx] = weight_matrix[ty][tx] + weight_matrix[ty + apart / 2][tx];
        __syncthreads();
    }
    input_hidden[index] = weight_matrix[ty][tx];
    __syncthreads();
    if (tx == 0)
        hidden_partial_sum[by * hid + ty] = weight_matrix[tx][ty];
}

extern "C" __global__ void bpnn_adjust_weights(const float *delta, int hid, const float *ly,
                                               float *w, float *oldw)
{
    int by = (int)blockIdx.y, tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_y = HEIGHT * by + ty + 1;
    int index_x = tx + 1;

    double change =
        fma(ETA * (double)delta[index_x], (double)ly[index_y], MOMENTUM * (double)oldw[index]);
    w[index] = (float)((double)w[index] + change);
    oldw[index] = (float)change;
    __syncthreads();

    if (ty == 0 && by == 0) { /* the bias */
        change = fma(ETA, (double)delta[index_x], MOMENTUM * (double)oldw[index_x]);
        w[index_x] = (float)((double)w[index_x] + change);
        oldw[index_x] = (float)change;
    }
}
