/* leukocyte.cu - finds white blood cells in a video frame and tracks them.
 *
 * Stands for Rodinia leukocyte, three kernels:
 *   GICOV   a CTA per column of the frame, a thread per pixel: how evenly the gradient points away
 *           from the pixel along circles of 150 points.  Gradients by two textures of linear
 *           memory (the frame lies column by column), the points' offsets, sines and cosines in
 *           constant memory.
 *   dilate  CTAs of 176 threads, a thread per pixel: the greatest GICOV within a disc.  The matrix
 *           by texture, the disc in constant memory; results lie row by row, so that neighbouring
 *           threads write far apart.
 *   IMGVF   a CTA of 320 threads per cell spreads the edges of the 41x81 pixels around it until
 *           they change no more: the field in shared memory, 320 pixels at a time, all pixels once
 *           per iteration, the edges read again from global memory each time.  Pointers to a
 *           cell's field and edges and their sizes come from arrays.
 * Literals of type double make part of IMGVF double precision; so they do here.
 *
 * Ours differs in this: how many circles there are, and which is the first, is a parameter.  In
 * IMGVF there is one more barrier, between reading a pixel's neighbours and writing the pixels of
 * the step before: without it the original's result depends on the order of its warps.  A pixel's
 * row is computed with half a pixel added, so that no rounding puts it in the row before.
 * Threads of dilate beyond the frame do nothing.  Multiply-adds are fused as nvcc does it. */
#include "heddle_cuda.h"

#define POINTS 150
#define CIRCLES 7
#define MARGIN 22 /* the largest circle's radius and two */
#define MOST_DISC 25
#define THREADS 320
#define MOST_PIXELS (41 * 81)
#define ONE_OVER_PI (1.0 / 3.14159)
#define MU 0.5
#define LAMBDA (8.0 * MU + 1.0)

__constant__ float c_sin_angle[POINTS];
__constant__ float c_cos_angle[POINTS];
__constant__ int c_tX[CIRCLES * POINTS];
__constant__ int c_tY[CIRCLES * POINTS];
__constant__ float c_strel[MOST_DISC * MOST_DISC];

extern "C" __global__ void GICOV_kernel(cudaTextureObject_t grad_x, cudaTextureObject_t grad_y,
                                        int rows, int first_circle, int circles, float *gicov)
{
    const int column = (int)blockIdx.x + MARGIN;
    const int row = (int)threadIdx.x + MARGIN;

    float greatest = 0.0f;
    for (int k = first_circle; k < first_circle + circles; k++) {
        float sum = 0.0f, squares = 0.0f, mean = 0.0f;
        for (int n = 0; n < POINTS; n++) {
            const int y = row + c_tY[k * POINTS + n];
            const int x = column + c_tX[k * POINTS + n];
            const int at = x * rows + y;
            const float outwards = fmaf(tex1Dfetch<float>(grad_x, at), c_cos_angle[n],
                                        tex1Dfetch<float>(grad_y, at) * c_sin_angle[n]);
            sum += outwards;
            const float delta = outwards - mean;
            mean = mean + delta / (float)(n + 1);
            squares = fmaf(delta, outwards - mean, squares);
        }
        mean = sum / (float)POINTS;
        const float variance = squares / (float)(POINTS - 1);
        const float score = mean * mean / variance;
        if (score > greatest)
            greatest = score;
    }
    gicov[column * rows + row] = greatest;
}

extern "C" __global__ void dilate_kernel(cudaTextureObject_t image, int rows, int columns,
                                         int disc_rows, int disc_columns, float *dilated)
{
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = thread % rows;
    const int column = thread / rows;
    if (column >= columns)
        return;

    float greatest = 0.0f;
    for (int i = 0; i < disc_rows; i++) {
        const int y = row - disc_rows / 2 + i;
        if (y >= 0 && y < rows) {
            for (int j = 0; j < disc_columns; j++) {
                const int x = column - disc_columns / 2 + j;
                if (x >= 0 && x < columns && c_strel[i * disc_columns + j] != 0) {
                    const float value = tex1Dfetch<float>(image, x * rows + y);
                    if (value > greatest)
                        greatest = value;
                }
            }
        }
    }
    dilated[row * columns + column] = greatest;
}

/* A step from 0 to 1, smoothed. */
HD_DEVICE float heaviside(float x)
{
    return (float)fma((double)atanf(x), ONE_OVER_PI, 0.5);
}

/* A pixel's next value; `field` has m rows of n. */
HD_DEVICE float next_value(const float *field, int i, int j, int m, int n, float edge, float vx,
                           float vy, float one_over_e)
{
    const int up = i == 0 ? 0 : i - 1;
    const int down = i == m - 1 ? m - 1 : i + 1;
    const int left = j == 0 ? 0 : j - 1;
    const int right = j == n - 1 ? n - 1 : j + 1;

    const float old = field[i * n + j];
    const float u = field[up * n + j] - old;
    const float d = field[down * n + j] - old;
    const float l = field[i * n + left] - old;
    const float r = field[i * n + right] - old;
    const float ur = field[up * n + right] - old;
    const float dr = field[down * n + right] - old;
    const float ul = field[up * n + left] - old;
    const float dl = field[down * n + left] - old;

    float flow = heaviside(u * -vy * one_over_e) * u;
    flow = fmaf(heaviside(d * vy * one_over_e), d, flow);
    flow = fmaf(heaviside(l * -vx * one_over_e), l, flow);
    flow = fmaf(heaviside(r * vx * one_over_e), r, flow);
    flow = fmaf(heaviside(ur * (vx - vy) * one_over_e), ur, flow);
    flow = fmaf(heaviside(dr * (vx + vy) * one_over_e), dr, flow);
    flow = fmaf(heaviside(ul * (-vx - vy) * one_over_e), ul, flow);
    flow = fmaf(heaviside(dl * (-vx + vy) * one_over_e), dl, flow);

    const float spread = (float)fma(MU / LAMBDA, (double)flow, (double)old);
    return (float)fma(-(1.0 / LAMBDA * (double)edge), (double)(spread - edge), (double)spread);
}

/* The sum of all threads' values, in sums[0]. */
HD_DEVICE void add_up(float *sums, int thread)
{
    if (thread >= 256)
        sums[thread - 256] += sums[thread];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (thread < half)
            sums[thread] += sums[thread + half];
        __syncthreads();
    }
}

extern "C" __global__ void IMGVF_kernel(float *const *fields, const float *const *edges,
                                        const int *m_array, const int *n_array, float vx, float vy,
                                        float e, int most_iterations, float cutoff)
{
    __shared__ float field[MOST_PIXELS];
    __shared__ float buffer[THREADS];
    __shared__ int has_converged;

    const int cell = (int)blockIdx.x;
    const int thread = (int)threadIdx.x;
    float *field_out = fields[cell];
    const float *edge = edges[cell];
    const int m = m_array[cell];
    const int n = n_array[cell];
    const int pieces = (m * n + THREADS - 1) / THREADS;

    for (int at = thread; at < m * n; at += THREADS)
        field[at] = field_out[at];
    if (thread == 0)
        has_converged = 0;
    __syncthreads();

    const float one_nth = 1.0f / (float)n;
    const float one_over_e = (float)(1.0 / (double)e);
    for (int iteration = 0; !has_converged && iteration < most_iterations; iteration++) {
        float change = 0.0f;
        int before = 0; /* this thread's pixel in the piece before */
        for (int piece = 0; piece < pieces; piece++) {
            const int at = piece * THREADS + thread;
            const int i = (int)(((float)at + 0.5f) * one_nth);
            const int j = at - i * n;
            float value = 0.0f, old = 0.0f;
            if (i < m) {
                old = field[at];
                value = next_value(field, i, j, m, n, edge[at], vx, vy, one_over_e);
            }
            __syncthreads();
            if (piece > 0)
                field[before] = buffer[thread];
            if (piece < pieces - 1)
                buffer[thread] = value;
            else if (i < m)
                field[at] = value;
            before = at;
            change += fabsf(value - old);
            __syncthreads();
        }
        buffer[thread] = change;
        __syncthreads();
        add_up(buffer, thread);
        if (thread == 0 && buffer[0] / (float)(m * n) < cutoff)
            has_converged = 1;
        __syncthreads();
    }

    for (int at = thread; at < m * n; at += THREADS)
        field_out[at] = field[at];
}
