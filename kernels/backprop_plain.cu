/* backprop_plain.cu - backprop.cu as Rodinia has it written, for comparison with a chip's counters.
 *
 * Pointers may point to the same floats, so that after a store everything is loaded again: the
 * second line of bpnn_adjust_weights computes the change anew from its inputs.  Tree steps of
 * bpnn_layerforward are powers by __powf, of constants: nvcc unrolls the loop and computes them, but leaves their
 * conversion to integers to its assembler, so that rows are divided by what is in a register.
 * Arithmetic and results are those of backprop.cu. */
#include "heddle_cuda.h"

#define WIDTH 16  /* hidden units */
#define HEIGHT 16 /* inputs of a CTA */
#define ETA 0.3
#define MOMENTUM 0.3

extern "C" __global__ void bpnn_layerforward(float *input, float *input_hidden,
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

#pragma unroll
    for (int power = 2; power <= HEIGHT; power *= 2) {
        int apart;
        asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(apart) : "f"((float)power));
        if (ty % apart == 0)
            weight_matrix[ty][tx] = weight_matrix[ty][tx] + weight_matrix[ty + apart / 2][tx];
        __syncthreads();
    }
    input_hidden[index] = weight_matrix[ty][tx];
    __syncthreads();
    if (tx == 0)
        hidden_partial_sum[by * hid + ty] = weight_matrix[tx][ty];
}

HD_DEVICE double change_of(const float *delta, const float *ly, const float *oldw)
{
    return fma(ETA * (double)*delta, (double)*ly, MOMENTUM * (double)*oldw);
}

HD_DEVICE double bias_change_of(const float *delta, const float *oldw)
{
    return fma(ETA, (double)*delta, MOMENTUM * (double)*oldw);
}

extern "C" __global__ void bpnn_adjust_weights(float *delta, int hid, float *ly, float *w,
                                               float *oldw)
{
    int by = (int)blockIdx.y, tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_y = HEIGHT * by + ty + 1;
    int index_x = tx + 1;

    w[index] = (float)((double)w[index] + change_of(&delta[index_x], &ly[index_y], &oldw[index]));
    oldw[index] = (float)change_of(&delta[index_x], &ly[index_y], &oldw[index]);
    __syncthreads();

    if (ty == 0 && by == 0) {
        w[index_x] = (float)((double)w[index_x] + bias_change_of(&delta[index_x], &oldw[index_x]));
        oldw[index_x] = (float)bias_change_of(&delta[index_x], &oldw[index_x]);
    }
}
