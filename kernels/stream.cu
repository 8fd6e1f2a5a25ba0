/* stream.cu - streaming kernels over arrays of doubles, one element for each thread: what memory
 * gives, over how many threads there are to ask for it.
 *
 * Shared memory that nobody uses, given with the launch, limits how many CTAs an SM holds.  In a, b,
 * c and d the kernels work on the `n` elements from `first` on; b has two more on either side. */
#include "heddle_cuda.h"

#define ELEMENT (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void stream_init(double *a, unsigned long long first, unsigned n)
{
    unsigned i = ELEMENT;
    if (i < n)
        a[first + i] = 0.23;
}

/* A value that is never there keeps the load from being left out. */
extern "C" __global__ void stream_read(double *a, const double *b, unsigned long long first,
                                       unsigned n)
{
    unsigned i = ELEMENT;
    if (i >= n)
        return;
    double x = b[first + i];
    if (x == 123.0)
        a[first + i] = x;
}

extern "C" __global__ void stream_scale(double *a, const double *b, unsigned long long first,
                                        unsigned n)
{
    unsigned i = ELEMENT;
    if (i < n)
        a[first + i] = 1.2 * b[first + i];
}

extern "C" __global__ void stream_triad(double *a, const double *b, const double *c,
                                        const double *d, unsigned long long first, unsigned n)
{
    unsigned i = ELEMENT;
    if (i < n)
        a[first + i] = fma(c[first + i], d[first + i], b[first + i]);
}

extern "C" __global__ void stream_stencil3(double *a, const double *b, unsigned long long first,
                                           unsigned n)
{
    unsigned i = ELEMENT;
    if (i >= n)
        return;
    const double *p = b + first + i;
    a[first + i] = fma(0.5, p[-1], fma(0.5, p[1], -p[0]));
}

extern "C" __global__ void stream_stencil5(double *a, const double *b, unsigned long long first,
                                           unsigned n)
{
    unsigned i = ELEMENT;
    if (i >= n)
        return;
    const double *p = b + first + i;
    double near = fma(0.5, p[-1], fma(0.5, p[1], -p[0]));
    a[first + i] = fma(0.25, p[-2], fma(0.25, p[2], near));
}
