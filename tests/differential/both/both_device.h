/* both_device.h - generated functions as a kernel.  See both.h. */
#ifndef HEDDLE_TESTS_DIFFERENTIAL_BOTH_DEVICE_H
#define HEDDLE_TESTS_DIFFERENTIAL_BOTH_DEVICE_H

#include "heddle_cuda.h"

#ifdef OPS_ARE_CALLS
#define FN static __device__ __attribute__((unused, noinline))
#else
#define FN static __device__ __attribute__((unused))
#endif
/* The same value, of which the compiler knows nothing. */
FN u32 both_hide(u32 x)
{
    asm("" : "+r"(x));
    return x;
}
FN u64 both_hide(u64 x)
{
    asm("" : "+l"(x));
    return x;
}

#define CONSTANT(T, name) __constant__ T name[16]
#define KERNEL(name) extern "C" __global__ void name(struct job job)
#define SHARED(T, name, n) __shared__ T name[n]
#define DYNAMIC(T, name) T *name = (T *)both_dynamic

extern __shared__ __attribute__((aligned(16))) char both_dynamic[];

FN struct thread both_thread(const struct job *j)
{
    struct thread t;
    t.x = threadIdx.x;
    t.y = threadIdx.y;
    t.z = threadIdx.z;
    t.tid = t.x + blockDim.x * (t.y + blockDim.y * t.z);
    t.threads = blockDim.x * blockDim.y * blockDim.z;
    t.cta = blockIdx.x;
    t.id = t.cta * t.threads + t.tid;
    t.in = (const char *)j->in + t.id * IN_BYTES;
    t.out = (char *)j->out + t.id * OUT_BYTES;
    t.approx = (char *)j->approx + t.id * (APPROX_SLOTS * sizeof(struct approx_range));
    return t;
}

/* Steps of a kernel.  Within EACH: s is the thread's state, t the thread, j the job. */
#define STEPS_BEGIN                                                                                \
    state state_here;                                                                              \
    const struct thread thread_here = both_thread(&job);                                           \
    state *s = &state_here;                                                                        \
    const struct thread *t = &thread_here;                                                         \
    const struct job *j = &job;                                                                    \
    (void)s, (void)t, (void)j;
#define STEPS_END
#define EACH(...) __VA_ARGS__
#define SYNC __syncthreads()

/* --- between the lanes of a warp ------------------------------------------------------------- */

#define SHUFFLE_idx __shfl_sync
#define SHUFFLE_up __shfl_up_sync
#define SHUFFLE_down __shfl_down_sync
#define SHUFFLE_bfly __shfl_xor_sync
#define SHUFFLE(mode, field, at, width)                                                            \
    s->field = SHUFFLE_##mode(0xffffffffu, s->field, (at)&31, width)
/* The lanes with and those without bit `bit` shuffle apart; `at` leaves that bit alone. */
#define SHUFFLE_APART(bit, field, at)                                                              \
    if (t->tid >> (bit)&1)                                                                         \
        s->field = __shfl_xor_sync(both_lanes_with(bit), s->field, at);                            \
    else                                                                                           \
        s->field = __shfl_xor_sync(~both_lanes_with(bit), s->field, at)

FN u32 both_lanes_with(u32 bit)
{
    u32 one = (1u << (1u << bit)) - 1; /* bit 2: 0xf, then 0xf0, 0xf0f0, 0xf0f0f0f0 */
    u32 lanes = one << (1u << bit);
    for (u32 step = 2u << bit; step < 32; step *= 2)
        lanes |= lanes << step;
    return lanes;
}

FN u32 both_match(u32 v)
{
    u32 lanes;
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(lanes) : "r"(v));
    return lanes;
}

#define VOTE_all(c) (u32) __all_sync(0xffffffffu, c)
#define VOTE_any(c) (u32) __any_sync(0xffffffffu, c)
#define VOTE_ballot(c) __ballot_sync(0xffffffffu, c)
#define VOTE_count(c) (u32) __nvvm_bar0_popc(c)
#define VOTE_and(c) (u32)(__nvvm_bar0_and(c) != 0)
#define VOTE_or(c) (u32)(__nvvm_bar0_or(c) != 0)
#define VOTE(mode, field, condition) s->field = VOTE_##mode((condition) ? 1 : 0)
#define MATCH(field, value) s->field = both_match((u32)(value))

/* --- atomics --------------------------------------------------------------------------------- */

#define ATOMICS_INT(T, sfx, usfx)                                                                  \
    FN T both_add(T *p, T v)                                                                       \
    {                                                                                              \
        return (T)__nvvm_atom_add_gen_##sfx((atomic_##sfx *)p, (atomic_##sfx)v);                   \
    }                                                                                              \
    FN T both_min(T *p, T v)                                                                       \
    {                                                                                              \
        return (T)__nvvm_atom_min_gen_##usfx((atomic_##usfx *)p, (atomic_##usfx)v);                \
    }                                                                                              \
    FN T both_max(T *p, T v)                                                                       \
    {                                                                                              \
        return (T)__nvvm_atom_max_gen_##usfx((atomic_##usfx *)p, (atomic_##usfx)v);                \
    }                                                                                              \
    FN T both_and(T *p, T v)                                                                       \
    {                                                                                              \
        return (T)__nvvm_atom_and_gen_##sfx((atomic_##sfx *)p, (atomic_##sfx)v);                   \
    }                                                                                              \
    FN T both_or(T *p, T v)                                                                        \
    {                                                                                              \
        return (T)__nvvm_atom_or_gen_##sfx((atomic_##sfx *)p, (atomic_##sfx)v);                    \
    }                                                                                              \
    FN T both_xor(T *p, T v)                                                                       \
    {                                                                                              \
        return (T)__nvvm_atom_xor_gen_##sfx((atomic_##sfx *)p, (atomic_##sfx)v);                   \
    }                                                                                              \
    FN T both_exch(T *p, T v)                                                                      \
    {                                                                                              \
        return (T)__nvvm_atom_xchg_gen_##sfx((atomic_##sfx *)p, (atomic_##sfx)v);                  \
    }                                                                                              \
    FN T both_cas(T *p, T old, T v)                                                                \
    {                                                                                              \
        return (T)__nvvm_atom_cas_gen_##sfx((atomic_##sfx *)p, (atomic_##sfx)old,                  \
                                            (atomic_##sfx)v);                                      \
    }                                                                                              \
    FN T both_casadd(T *p, T v)                                                                    \
    {                                                                                              \
        T seen = *(volatile T *)p, old;                                                            \
        do {                                                                                       \
            old = seen;                                                                            \
            seen = both_cas(p, old, (T)((atomic_u##sfx)old + (atomic_u##sfx)v));                   \
        } while (seen != old);                                                                     \
        return old;                                                                                \
    }
typedef int atomic_i;
typedef unsigned atomic_ui;
typedef long long atomic_ll;
typedef unsigned long long atomic_ull;
ATOMICS_INT(i32, i, i)
ATOMICS_INT(u32, i, ui)
ATOMICS_INT(i64, ll, ll)
ATOMICS_INT(u64, ll, ull)

FN u32 both_inc(u32 *p, u32 v)
{
    return __nvvm_atom_inc_gen_ui(p, v);
}
FN u32 both_dec(u32 *p, u32 v)
{
    return __nvvm_atom_dec_gen_ui(p, v);
}

#include "both_asm_device.h"

#endif
