/* heddle_cuda.h - CUDA C for clang without a CUDA toolkit.
 *
 *     clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70
 *           -Xclang -target-feature -Xclang +ptx63 -O3 -ffp-contract=off -S kernel.cu -o kernel.ptx
 *
 * What kernels commonly use of CUDA, in terms of clang's builtins: qualifiers, indices, barriers,
 * atomics, warp votes and shuffles, cached loads, printf, vector types, and the mathematics of
 * heddle_math.h under its usual names.  There is no libdevice: a function that is not here does
 * not exist. */
#ifndef HEDDLE_CUDA_H
#define HEDDLE_CUDA_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define HD_DEVICE static __device__ __forceinline__

#include "heddle_math.h"

/* --- types --------------------------------------------------------------------------------- */

typedef decltype(sizeof 0) size_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;

struct uint3 {
    unsigned x, y, z;
};
struct __attribute__((aligned(8))) int2 {
    int x, y;
};
struct __attribute__((aligned(16))) int4 {
    int x, y, z, w;
};
struct __attribute__((aligned(8))) uint2 {
    unsigned x, y;
};
struct __attribute__((aligned(16))) uint4 {
    unsigned x, y, z, w;
};
struct __attribute__((aligned(8))) float2 {
    float x, y;
};
struct float3 {
    float x, y, z;
};
struct __attribute__((aligned(16))) float4 {
    float x, y, z, w;
};

/* --- indices ------------------------------------------------------------------------------- */

HD_DEVICE uint3 hd_thread_idx()
{
    return {(unsigned)__nvvm_read_ptx_sreg_tid_x(), (unsigned)__nvvm_read_ptx_sreg_tid_y(),
            (unsigned)__nvvm_read_ptx_sreg_tid_z()};
}
HD_DEVICE uint3 hd_block_idx()
{
    return {(unsigned)__nvvm_read_ptx_sreg_ctaid_x(), (unsigned)__nvvm_read_ptx_sreg_ctaid_y(),
            (unsigned)__nvvm_read_ptx_sreg_ctaid_z()};
}
HD_DEVICE uint3 hd_block_dim()
{
    return {(unsigned)__nvvm_read_ptx_sreg_ntid_x(), (unsigned)__nvvm_read_ptx_sreg_ntid_y(),
            (unsigned)__nvvm_read_ptx_sreg_ntid_z()};
}
HD_DEVICE uint3 hd_grid_dim()
{
    return {(unsigned)__nvvm_read_ptx_sreg_nctaid_x(), (unsigned)__nvvm_read_ptx_sreg_nctaid_y(),
            (unsigned)__nvvm_read_ptx_sreg_nctaid_z()};
}
#define threadIdx (hd_thread_idx())
#define blockIdx (hd_block_idx())
#define blockDim (hd_block_dim())
#define gridDim (hd_grid_dim())
#define warpSize 32

/* --- output: clang makes calls of vprintf of it ------------------------------------------------ */

extern "C" __device__ int printf(const char *format, ...);

/* --- barriers and fences: __syncthreads() is a builtin of clang ------------------------------ */

HD_DEVICE void __syncwarp(unsigned mask = 0xffffffffu)
{
    __nvvm_bar_warp_sync(mask);
}
HD_DEVICE void __threadfence_block()
{
    __nvvm_membar_cta();
}
HD_DEVICE void __threadfence()
{
    __nvvm_membar_gl();
}
HD_DEVICE void __threadfence_system()
{
    __nvvm_membar_sys();
}

/* --- warp votes and shuffles ---------------------------------------------------------------- */

#define HD_FULL_MASK 0xffffffffu

HD_DEVICE int __all_sync(unsigned mask, int predicate)
{
    return __nvvm_vote_all_sync(mask, predicate);
}
HD_DEVICE int __any_sync(unsigned mask, int predicate)
{
    return __nvvm_vote_any_sync(mask, predicate);
}
HD_DEVICE unsigned __ballot_sync(unsigned mask, int predicate)
{
    return __nvvm_vote_ballot_sync(mask, predicate);
}
HD_DEVICE unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}

/* The last operand: lanes below `width` form a segment; bits 0-4 bound the source lane. */
#define HD_SHUFFLE(name, builtin, index, bound)                                                    \
    HD_DEVICE int name(unsigned mask, int v, index, int width = 32)                                \
    {                                                                                              \
        return __nvvm_shfl_sync_##builtin##_i32(mask, v, (int)at, ((32 - width) << 8) | bound);    \
    }                                                                                              \
    HD_DEVICE unsigned name(unsigned mask, unsigned v, index, int width = 32)                      \
    {                                                                                              \
        return (unsigned)name(mask, (int)v, at, width);                                            \
    }                                                                                              \
    HD_DEVICE float name(unsigned mask, float v, index, int width = 32)                            \
    {                                                                                              \
        return __nvvm_shfl_sync_##builtin##_f32(mask, v, (int)at, ((32 - width) << 8) | bound);    \
    }
HD_SHUFFLE(__shfl_sync, idx, int at, 0x1f)
HD_SHUFFLE(__shfl_up_sync, up, unsigned at, 0)
HD_SHUFFLE(__shfl_down_sync, down, unsigned at, 0x1f)
HD_SHUFFLE(__shfl_xor_sync, bfly, int at, 0x1f)
#undef HD_SHUFFLE

/* --- atomics: return the value before ------------------------------------------------------- */

HD_DEVICE int atomicAdd(int *p, int v)
{
    return __nvvm_atom_add_gen_i(p, v);
}
HD_DEVICE unsigned atomicAdd(unsigned *p, unsigned v)
{
    return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v);
}
HD_DEVICE unsigned long long atomicAdd(unsigned long long *p, unsigned long long v)
{
    return (unsigned long long)__nvvm_atom_add_gen_ll((long long *)p, (long long)v);
}
HD_DEVICE float atomicAdd(float *p, float v)
{
    return __nvvm_atom_add_gen_f(p, v);
}
HD_DEVICE int atomicSub(int *p, int v)
{
    return __nvvm_atom_add_gen_i(p, -v);
}
HD_DEVICE int atomicMin(int *p, int v)
{
    return __nvvm_atom_min_gen_i(p, v);
}
HD_DEVICE unsigned atomicMin(unsigned *p, unsigned v)
{
    return __nvvm_atom_min_gen_ui(p, v);
}
HD_DEVICE int atomicMax(int *p, int v)
{
    return __nvvm_atom_max_gen_i(p, v);
}
HD_DEVICE unsigned atomicMax(unsigned *p, unsigned v)
{
    return __nvvm_atom_max_gen_ui(p, v);
}
HD_DEVICE int atomicAnd(int *p, int v)
{
    return __nvvm_atom_and_gen_i(p, v);
}
HD_DEVICE int atomicOr(int *p, int v)
{
    return __nvvm_atom_or_gen_i(p, v);
}
HD_DEVICE int atomicXor(int *p, int v)
{
    return __nvvm_atom_xor_gen_i(p, v);
}
HD_DEVICE int atomicExch(int *p, int v)
{
    return __nvvm_atom_xchg_gen_i(p, v);
}
HD_DEVICE unsigned atomicExch(unsigned *p, unsigned v)
{
    return (unsigned)__nvvm_atom_xchg_gen_i((int *)p, (int)v);
}
HD_DEVICE int atomicCAS(int *p, int expected, int v)
{
    return __nvvm_atom_cas_gen_i(p, expected, v);
}
HD_DEVICE unsigned atomicCAS(unsigned *p, unsigned expected, unsigned v)
{
    return (unsigned)__nvvm_atom_cas_gen_i((int *)p, (int)expected, (int)v);
}

/* --- loads through the read-only path -------------------------------------------------------- */

HD_DEVICE int __ldg(const int *p)
{
    return __nvvm_ldg_i(p);
}
HD_DEVICE unsigned __ldg(const unsigned *p)
{
    return __nvvm_ldg_ui(p);
}
HD_DEVICE float __ldg(const float *p)
{
    return __nvvm_ldg_f(p);
}

/* --- integers ------------------------------------------------------------------------------- */

HD_DEVICE int __mul24(int a, int b)
{
    return __nvvm_mul24_i(a, b);
}
HD_DEVICE unsigned __umul24(unsigned a, unsigned b)
{
    return __nvvm_mul24_ui(a, b);
}
HD_DEVICE int __popc(unsigned v)
{
    return __builtin_popcount(v);
}
HD_DEVICE int __clz(int v)
{
    return v == 0 ? 32 : __builtin_clz((unsigned)v);
}
HD_DEVICE int __ffs(int v)
{
    return __builtin_ffs(v);
}
HD_DEVICE unsigned __brev(unsigned v)
{
    return __builtin_bitreverse32(v);
}
HD_DEVICE int __float_as_int(float v)
{
    return (int)hm_bits(v);
}
HD_DEVICE float __int_as_float(int v)
{
    return hm_from_bits((unsigned)v);
}

HD_DEVICE int min(int a, int b)
{
    return a < b ? a : b;
}
HD_DEVICE unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
HD_DEVICE float min(float a, float b)
{
    return __nvvm_fmin_f(a, b);
}
HD_DEVICE int max(int a, int b)
{
    return a > b ? a : b;
}
HD_DEVICE unsigned max(unsigned a, unsigned b)
{
    return a > b ? a : b;
}
HD_DEVICE float max(float a, float b)
{
    return __nvvm_fmax_f(a, b);
}
HD_DEVICE int abs(int v)
{
    return v < 0 ? -v : v;
}

/* --- mathematics under its usual names ------------------------------------------------------- */

HD_DEVICE float fmaf(float a, float b, float c)
{
    return hm_fmaf(a, b, c);
}
HD_DEVICE double fma(double a, double b, double c)
{
    return hm_fma(a, b, c);
}
HD_DEVICE float sqrtf(float x)
{
    return hm_sqrtf(x);
}
HD_DEVICE float fabsf(float x)
{
    return hm_fabsf(x);
}
HD_DEVICE float fminf(float a, float b)
{
    return __nvvm_fmin_f(a, b);
}
HD_DEVICE float fmaxf(float a, float b)
{
    return __nvvm_fmax_f(a, b);
}
HD_DEVICE float rintf(float x)
{
    return hm_rintf(x);
}
HD_DEVICE float expf(float x)
{
    return hm_expf(x);
}
HD_DEVICE float logf(float x)
{
    return hm_logf(x);
}
HD_DEVICE float powf(float x, float y)
{
    return hm_powf(x, y);
}
HD_DEVICE float tanhf(float x)
{
    return hm_tanhf(x);
}

#endif
