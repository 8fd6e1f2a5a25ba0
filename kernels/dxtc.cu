/* dxtc.cu - an image compressed to DXT1, the four-by-four blocks of graphics cards (CUDA SDK dxtc).
 *
 * The original: a CTA of 64 threads compresses one block of 16 colours.  Sixteen of its threads
 * load the colours, find the line that fits them best (covariance, then the power method) and sort
 * them along it; then each thread tries 16 of the 992 ways to cut the sorted colours into four
 * runs, and two or three of the 160 ways to cut them into three: a least-squares fit of the two end
 * colours, which are rounded to 5-6-5 bits, and its error.  The best of all threads, found by a
 * reduction, is written: 8 bytes a CTA.  Nearly all is arithmetic on shared memory, constants and
 * registers.
 *
 * Ours: the same; the fit is written in components, and the sums over 16 colours are added by one
 * thread in order where the original adds by a tree. */
#include "heddle_cuda.h"

#define COLOURS 16
#define THREADS 64
#define CUTS4 992
#define CUTS3 160
#define FAR 3.402823466e+38f

struct colour {
    float r, g, b;
};

/* Nine (or four) times the weight of the first end colour, by code; and the sums of squares and
 * products of both weights, a byte each. */
__constant__ float weights4[4] = {9.0f, 0.0f, 6.0f, 3.0f};
__constant__ float weights3[4] = {4.0f, 0.0f, 2.0f, 2.0f};
__constant__ int products4[4] = {0x090000, 0x000900, 0x040102, 0x010402};
__constant__ int products3[4] = {0x040000, 0x000400, 0x010101, 0x010101};

HD_DEVICE colour times(colour a, float s)
{
    return {a.r * s, a.g * s, a.b * s};
}

HD_DEVICE colour plus(colour a, colour b)
{
    return {a.r + b.r, a.g + b.g, a.b + b.b};
}

HD_DEVICE colour minus(colour a, colour b)
{
    return {a.r - b.r, a.g - b.g, a.b - b.b};
}

HD_DEVICE float dot(colour a, colour b)
{
    return a.r * b.r + a.g * b.g + a.b * b.b;
}

/* The direction in which colours differ most: eight steps of the power method. */
HD_DEVICE colour best_line(const colour *colours, colour mean)
{
    float rr = 0, rg = 0, rb = 0, gg = 0, gb = 0, bb = 0;
    for (int i = 0; i < COLOURS; i++) {
        colour d = minus(colours[i], mean);
        rr += d.r * d.r;
        rg += d.r * d.g;
        rb += d.r * d.b;
        gg += d.g * d.g;
        gb += d.g * d.b;
        bb += d.b * d.b;
    }
    colour v = {1.0f, 1.0f, 1.0f};
    for (int i = 0; i < 8; i++) {
        float r = v.r * rr + v.g * rg + v.b * rb;
        float g = v.r * rg + v.g * gg + v.b * gb;
        float b = v.r * rb + v.g * gb + v.b * bb;
        float largest = fmaxf(fmaxf(r, g), b);
        float scale = largest != 0.0f ? 1.0f / largest : 0.0f;
        v = {r * scale, g * scale, b * scale};
    }
    return v;
}

/* To 5, 6 and 5 bits, packed in *bits, and back. */
HD_DEVICE colour round_565(colour c, unsigned *bits)
{
    float r = rintf(fminf(fmaxf(c.r, 0.0f), 1.0f) * 31.0f);
    float g = rintf(fminf(fmaxf(c.g, 0.0f), 1.0f) * 63.0f);
    float b = rintf(fminf(fmaxf(c.b, 0.0f), 1.0f) * 31.0f);
    *bits = (unsigned)r << 11 | (unsigned)g << 5 | (unsigned)b;
    return {r * 0.03227752766457f, g * 0.01583151765563f, b * 0.03227752766457f};
}

/* The least error with the colours cut as `cut` says (two bits each), and its end colours. */
HD_DEVICE float fit(const colour *colours, colour sum, unsigned cut, const float *weights,
                    const int *products, float unit, unsigned *start, unsigned *end)
{
    colour ax = {0.0f, 0.0f, 0.0f};
    int packed = 0;
    for (int i = 0; i < COLOURS; i++) {
        unsigned code = cut >> (2 * i) & 3;
        ax = plus(ax, times(colours[i], weights[code]));
        packed += products[code];
    }
    float aa = (float)(packed >> 16), bb = (float)(packed >> 8 & 0xff), ab = (float)(packed & 0xff);
    colour bx = minus(times(sum, unit), ax);
    float factor = 1.0f / (aa * bb - ab * ab);
    colour a = round_565(times(minus(times(ax, bb), times(bx, ab)), factor), start);
    colour b = round_565(times(minus(times(bx, aa), times(ax, ab)), factor), end);
    float square = dot(a, a) * aa + dot(b, b) * bb;
    float cross = dot(a, b) * ab - dot(a, ax) - dot(b, bx);
    return (square + 2.0f * cross) / unit;
}

struct best {
    float error;
    unsigned cut, start, end;
};

/* A cut into fours has its larger end colour first, which is how a decoder knows it. */
HD_DEVICE void try_fours(best *best, const colour *colours, colour sum, const unsigned *cuts,
                         unsigned *threes)
{
    for (unsigned i = threadIdx.x; i < CUTS4; i += THREADS) {
        unsigned cut = cuts[i], start, end;
        if (i < CUTS3)
            threes[i] = cut;
        float error = fit(colours, sum, cut, weights4, products4, 9.0f, &start, &end);
        if (error < best->error)
            *best = {error, cut, start, end};
    }
    if (best->start < best->end)
        *best = {best->error, best->cut ^ 0x55555555u, best->end, best->start};
}

HD_DEVICE void try_threes(best *best, const colour *colours, colour sum, const unsigned *threes)
{
    for (unsigned i = threadIdx.x; i < CUTS3; i += THREADS) {
        unsigned cut = threes[i], start, end;
        float error = fit(colours, sum, cut, weights3, products3, 4.0f, &start, &end);
        if (error < best->error) {
            *best = {error, cut, start, end};
            if (start > end)
                *best = {error, cut ^ (~cut >> 1 & 0x55555555u), end, start};
        }
    }
}

/* Colours into shared memory, in the order along the line; ranks[i] is the place of the i-th. */
HD_DEVICE void load_sorted(const unsigned *image, colour *colours, int *ranks, float *along)
{
    const int t = (int)threadIdx.x;
    colour c = {0, 0, 0}, sum = {0, 0, 0};
    if (t < COLOURS) {
        unsigned bits = image[blockIdx.x * COLOURS + threadIdx.x];
        c = times({(float)(bits & 255), (float)(bits >> 8 & 255), (float)(bits >> 16 & 255)},
                  1.0f / 255.0f);
        colours[t] = c;
    }
    __syncthreads();
    if (t < COLOURS) {
        for (int i = 0; i < COLOURS; i++)
            sum = plus(sum, colours[i]);
        along[t] = dot(c, best_line(colours, times(sum, 1.0f / COLOURS)));
    }
    __syncthreads();
    if (t < COLOURS) {
        int rank = 0;
        for (int i = 0; i < COLOURS; i++)
            rank += along[i] < along[t] || (along[i] == along[t] && i < t);
        ranks[t] = rank;
        colours[rank] = c;
    }
    __syncthreads();
}

/* The thread with the least error; the first of equals. */
HD_DEVICE unsigned winner(float *errors, unsigned *threads)
{
    const unsigned t = threadIdx.x;
    threads[t] = t;
    __syncthreads();
    for (unsigned apart = THREADS / 2; apart > 0; apart >>= 1) {
        if (t < apart && (errors[t + apart] < errors[t] ||
                          (errors[t + apart] == errors[t] && threads[t + apart] < threads[t]))) {
            errors[t] = errors[t + apart];
            threads[t] = threads[t + apart];
        }
        __syncthreads();
    }
    return threads[0];
}

extern "C" __global__ void __launch_bounds__(THREADS)
    compress(const unsigned *cuts, const unsigned *image, uint2 *blocks)
{
    __shared__ colour colours[COLOURS];
    __shared__ int ranks[COLOURS];
    __shared__ float along[COLOURS];
    __shared__ unsigned threes[CUTS3], threads[THREADS];
    __shared__ float errors[THREADS];

    load_sorted(image, colours, ranks, along);
    colour sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < COLOURS; i++)
        sum = plus(sum, colours[i]);
    best best = {FAR, 0, 0, 0};
    try_fours(&best, colours, sum, cuts, threes);
    __syncthreads();
    try_threes(&best, colours, sum, threes);
    errors[threadIdx.x] = best.error;
    if (winner(errors, threads) != threadIdx.x)
        return;
    unsigned codes = 0, cut = best.start == best.end ? 0 : best.cut;
    for (int i = 0; i < COLOURS; i++)
        codes |= (cut >> (2 * ranks[i]) & 3) << (2 * i);
    blocks[blockIdx.x] = {best.end << 16 | best.start, codes};
}
