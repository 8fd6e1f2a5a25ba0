/* functions.cu - a kernel for each function of functions.def: a thread for each argument. */
#include "../../kernels/heddle_cuda.h"

#define PAIR(high, low) ((unsigned long long)(high) << 32 | (low))

/* A kernel whose parameters are arrays, and in which i is an index into them. */
#define KERNEL(name, parameters, statement)                                                        \
    extern "C" __global__ void name(parameters, int n)                                             \
    {                                                                                              \
        int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);                                      \
        if (i < n)                                                                                 \
            statement;                                                                             \
    }
#define ARRAYS(...) __VA_ARGS__

#define UNARY_F32(name, twin)                                                                      \
    KERNEL(f32_##name, ARRAYS(const float *x, float *y), y[i] = name(x[i]))
#define BINARY_F32(name, twin)                                                                     \
    KERNEL(f32_##name, ARRAYS(const float *a, const float *b, float *y), y[i] = name(a[i], b[i]))
#define UNARY_F64(name, twin)                                                                      \
    KERNEL(f64_##name, ARRAYS(const double *x, double *y), y[i] = name(x[i]))
#define BINARY_F64(name, twin)                                                                     \
    KERNEL(f64_##name, ARRAYS(const double *a, const double *b, double *y),                        \
           y[i] = name(a[i], b[i]))
#define TERNARY_U32(name, value, twin)                                                             \
    HD_DEVICE unsigned of_##name(unsigned a, unsigned b, unsigned c)                               \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        return (unsigned)(value);                                                                  \
    }                                                                                              \
    KERNEL(u32_##name, ARRAYS(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *y), \
           y[i] = of_##name(a[i], b[i], c[i]))
#define FROM_F32(name, twin)                                                                       \
    KERNEL(from_##name, ARRAYS(const float *x, int *y), y[i] = (int)name(x[i]))
#define TO_F32(name, twin) KERNEL(to_##name, ARRAYS(const int *x, float *y), y[i] = name(x[i]))
#include "functions.def"

extern "C" __global__ void sines(const float *x, float *sine, float *cosine, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        sincosf(x[i], &sine[i], &cosine[i]);
}
