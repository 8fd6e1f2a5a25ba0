/* heddle_cuda.h - CUDA C for clang without a CUDA toolkit, or for nvcc.
 *
 *     clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70
 *           -Xclang -target-feature -Xclang +ptx63 -O3 -ffp-contract=off -S kernel.cu -o kernel.ptx
 *     nvcc -ptx -arch=sm_75 -fmad=false kernel.cu -o kernel.ptx
 *
 * What kernels commonly use of CUDA, in terms of clang's builtins: qualifiers, indices, barriers,
 * warp votes and shuffles, cached loads, printf and clocks here; vectors, textures, atomics, integer
 * intrinsics and mathematics in the headers beside.  There is no libdevice: a function that is not
 * here does not exist.  nvcc brings all of it but the mathematics, which is heddle_math.h's either
 * way: kernels have the same results by both compilers. */
#ifndef HEDDLE_CUDA_H
#define HEDDLE_CUDA_H

#ifdef __NVCC__
#define HD_DEVICE static __device__ __forceinline__
#include "heddle_math.h"

#include "heddle_fast.h"
#include "heddle_names.h"
#else

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

#include "heddle_atomic.h"
#include "heddle_fast.h"
#include "heddle_integer.h"
#include "heddle_types.h"

#include "heddle_texture.h"

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

/* Barriers that count the threads whose predicate holds, or tell whether all or any do. */
HD_DEVICE int __syncthreads_count(int predicate)
{
    return __nvvm_bar0_popc(predicate);
}
HD_DEVICE int __syncthreads_and(int predicate)
{
    return __nvvm_bar0_and(predicate);
}
HD_DEVICE int __syncthreads_or(int predicate)
{
    return __nvvm_bar0_or(predicate);
}

/* --- clocks: they count the warp's instructions ---------------------------------------------- */

HD_DEVICE int clock()
{
    return __nvvm_read_ptx_sreg_clock();
}
HD_DEVICE long long clock64()
{
    return __nvvm_read_ptx_sreg_clock64();
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

/* --- loads through the read-only path -------------------------------------------------------- */

#define HD_LDG(type, letter)                                                                       \
    HD_DEVICE type __ldg(const type *p)                                                            \
    {                                                                                              \
        return __nvvm_ldg_##letter(p);                                                             \
    }
HD_LDG(unsigned char, uc)
HD_LDG(short, s)
HD_LDG(unsigned short, us)
HD_LDG(int, i)
HD_LDG(unsigned, ui)
HD_LDG(long long, ll)
HD_LDG(unsigned long long, ull)
HD_LDG(float, f)
HD_LDG(double, d)
#undef HD_LDG

#define HD_LDG2(vector, type, letter)                                                              \
    HD_DEVICE vector __ldg(const vector *p)                                                        \
    {                                                                                              \
        typedef type pair __attribute__((ext_vector_type(2)));                                     \
        pair v = __nvvm_ldg_##letter((const pair *)p);                                             \
        return {v.x, v.y};                                                                         \
    }
#define HD_LDG4(vector, type, letter)                                                              \
    HD_DEVICE vector __ldg(const vector *p)                                                        \
    {                                                                                              \
        typedef type four __attribute__((ext_vector_type(4)));                                     \
        four v = __nvvm_ldg_##letter((const four *)p);                                             \
        return {v.x, v.y, v.z, v.w};                                                               \
    }
HD_LDG2(int2, int, i2)
HD_LDG4(int4, int, i4)
HD_LDG2(uint2, unsigned, ui2)
HD_LDG4(uint4, unsigned, ui4)
HD_LDG2(float2, float, f2)
HD_LDG4(float4, float, f4)
HD_LDG2(double2, double, d2)
HD_LDG4(uchar4, unsigned char, uc4)
#undef HD_LDG2
#undef HD_LDG4

#include "heddle_names.h"

#endif /* __NVCC__ */

/* clang up to version 14 believes that its __syncthreads() leaves alone those shared variables that
 * one kernel only names: it keeps what a thread has stored there or loaded from there in a register,
 * whatever others store behind the barrier.  Ours says that memory may have changed. */
#if !defined(__NVCC__) && !defined(HD_BUILTIN_BARRIER)
HD_DEVICE void hd_syncthreads()
{
    __syncthreads();
    asm volatile("" ::: "memory");
}
#define __syncthreads hd_syncthreads
#endif

#endif
