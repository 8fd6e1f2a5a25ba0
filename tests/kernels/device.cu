/* device.cu - what kernels do beyond arithmetic: atomics, textures, barriers, loads of vectors,
 * dynamic shared memory, constants.  test_device.c says what must come out. */
#include "../../kernels/heddle_cuda.h"

/* --- atomics --------------------------------------------------------------------------------- */

struct cells { /* what all threads work on; the test has the same */
    int sum, least, most, all, any, odd, taken, less, counter;
    unsigned usum, uleast, umost, uall, uany, uodd, utaken, wrapped, unwrapped, uless;
    float fsum, ftaken;
    unsigned long long lsum, lleast, lmost, lall, lany, lodd, ltaken, lcounter;
    long long sleast, smost;
    double dsum;
};

HD_DEVICE void visit(cells *c, int v)
{
    unsigned u = (unsigned)v * 2654435761u;
    unsigned long long l = (unsigned long long)u << 20 | u;
    atomicAdd(&c->sum, v);
    atomicMin(&c->least, v);
    atomicMax(&c->most, v);
    atomicAnd(&c->all, ~(1 << (v & 15)));
    atomicOr(&c->any, 1 << (v & 31));
    atomicXor(&c->odd, v);
    atomicExch(&c->taken, v);
    atomicSub(&c->less, v);
    int seen = c->counter;
    while (atomicCAS(&c->counter, seen, seen + 2) != seen)
        seen = *(volatile int *)&c->counter;
    atomicAdd(&c->usum, u);
    atomicMin(&c->uleast, u);
    atomicMax(&c->umost, u);
    atomicAnd(&c->uall, ~(1u << (u >> 28)));
    atomicOr(&c->uany, 1u << (u >> 27));
    atomicXor(&c->uodd, u);
    atomicExch(&c->utaken, u);
    atomicSub(&c->uless, u);
    atomicInc(&c->wrapped, 10u);
    atomicDec(&c->unwrapped, 10u);
    atomicAdd(&c->fsum, (float)(v & 7));
    atomicExch(&c->ftaken, (float)v);
    atomicAdd(&c->lsum, l);
    atomicMin(&c->lleast, l);
    atomicMax(&c->lmost, l);
    atomicAnd(&c->lall, ~(1ull << (u >> 26)));
    atomicOr(&c->lany, 1ull << (u >> 26));
    atomicXor(&c->lodd, l);
    atomicExch(&c->ltaken, l);
    unsigned long long known = c->lcounter;
    while (atomicCAS(&c->lcounter, known, known + 3) != known)
        known = *(volatile unsigned long long *)&c->lcounter;
    atomicMin(&c->sleast, (long long)(int)u * 5);
    atomicMax(&c->smost, (long long)(int)u * 5);
    atomicAdd(&c->dsum, 0.5 * (double)v);
}

extern "C" __global__ void global_atomics(cells *c, const int *values)
{
    visit(c, values[blockIdx.x * blockDim.x + threadIdx.x]);
}

/* One CTA, whose cells are in shared memory meanwhile. */
extern "C" __global__ void shared_atomics(cells *c, const int *values)
{
    __shared__ cells mine;
    if (threadIdx.x == 0)
        mine = *c;
    __syncthreads();
    visit(&mine, values[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        *c = mine;
}

/* What atomics return: every thread has a ticket of its own. */
extern "C" __global__ void tickets(unsigned *next, unsigned *holder)
{
    unsigned ticket = atomicAdd(next, 1u);
    atomicAdd(&holder[ticket], blockIdx.x * blockDim.x + threadIdx.x + 1);
}

/* --- textures -------------------------------------------------------------------------------- */

#define LINEAR(name, texel)                                                                        \
    extern "C" __global__ void linear_##name(cudaTextureObject_t t, texel *out)                    \
    {                                                                                              \
        out[threadIdx.x] = tex1Dfetch<texel>(t, (int)(threadIdx.x * 7 % blockDim.x));              \
    }
LINEAR(float, float)
LINEAR(float2, float2)
LINEAR(float4, float4)
LINEAR(int, int)
LINEAR(int2, int2)
LINEAR(int4, int4)
LINEAR(uint, unsigned)
LINEAR(uint2, uint2)
LINEAR(uint4, uint4)
LINEAR(short2, short2)
LINEAR(ushort, unsigned short)
LINEAR(char4, char4)
LINEAR(uchar, unsigned char)
LINEAR(uchar4, uchar4)

extern "C" __global__ void line(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex1D<float>(t, (float)threadIdx.x + 0.5f);
}
extern "C" __global__ void plane(cudaTextureObject_t t, float4 *out)
{
    out[threadIdx.y * blockDim.x + threadIdx.x] =
        tex2D<float4>(t, (float)threadIdx.x + 0.5f, (float)threadIdx.y + 0.5f);
}
extern "C" __global__ void pixels(cudaTextureObject_t t, uchar4 *out)
{
    out[threadIdx.y * blockDim.x + threadIdx.x] =
        tex2D<uchar4>(t, (float)threadIdx.x + 0.5f, (float)threadIdx.y + 0.5f);
}
extern "C" __global__ void volume(cudaTextureObject_t t, float *out)
{
    out[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] =
        tex3D<float>(t, (float)threadIdx.x + 0.5f, (float)threadIdx.y + 0.5f,
                     (float)threadIdx.z + 0.5f);
}

/* --- the rest -------------------------------------------------------------------------------- */

__constant__ int table[16];
__device__ int written;

/* Thread i gets (table, reduction over the predicates i % 3 == 0) and the last of a dynamic array. */
extern "C" __global__ void barriers(int4 *out, int extra)
{
    extern __shared__ int shared[];
    const int i = (int)threadIdx.x, n = (int)blockDim.x;
    shared[i] = table[i % 16] + extra;
    int count = __syncthreads_count(i % 3 == 0);
    int all = __syncthreads_and(i < n);
    int any = __syncthreads_or(i == extra);
    out[i] = make_int4(shared[n - 1 - i], count, all != 0, any != 0);
    if (i == 0)
        written = shared[0];
}

extern "C" __global__ void read_only(const float4 *f, const uint2 *u, const double2 *d,
                                     const uchar4 *c, double *out)
{
    const unsigned i = threadIdx.x;
    float4 v = __ldg(&f[i]);
    uint2 w = __ldg(&u[i]);
    double2 x = __ldg(&d[i]);
    uchar4 y = __ldg(&c[i]);
    out[i] = (double)(v.x + v.y + v.z + v.w) + (double)(w.x ^ w.y) + x.x * x.y +
             (double)(y.x + y.y + y.z + y.w) + (double)__ldg(&f[i].x) + __ldg(&d[i].y);
}

/* Sizes of the vectors, their alignment, and what dim3 defaults to. */
extern "C" __global__ void shapes(unsigned *out)
{
    dim3 d(4, 5);
    const unsigned sizes[] = {sizeof(float3),  alignof(float3),  sizeof(float4),  alignof(float4),
                              sizeof(uchar4),  alignof(uchar4),  sizeof(short4),  alignof(short4),
                              sizeof(double2), alignof(double2), sizeof(ushort2), alignof(ushort2),
                              d.x,             d.y,              d.z};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        out[i] = sizes[i];
}

extern "C" __global__ void clocks(unsigned *out)
{
    long long first = clock64();
    unsigned before = (unsigned)clock();
    __syncthreads();
    out[threadIdx.x] = (unsigned)clock() - before > 0 && clock64() > first;
}
