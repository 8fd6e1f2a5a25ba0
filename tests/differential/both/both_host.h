/* both_host.h - generated functions on the host: a step is done by all threads of a CTA, one after
 * another, before the next step begins.  See both.h. */
#ifndef HEDDLE_TESTS_DIFFERENTIAL_BOTH_HOST_H
#define HEDDLE_TESTS_DIFFERENTIAL_BOTH_HOST_H

#define FN static __attribute__((unused))
FN u32 both_hide(u32 x)
{
    return x;
}
FN u64 both_hide(u64 x)
{
    return x;
}

#define CONSTANT(T, name) static const T name[16]
#define KERNEL(name) extern "C" void name(struct job job)
#define SHARED(T, name, n) static T name[n]
#define DYNAMIC(T, name) static __attribute__((aligned(16))) T name[DYNAMIC_BYTES / sizeof(T)]

FN struct thread both_thread(const struct job *j, u32 cta, u32 tid)
{
    struct thread t;
    t.x = tid % j->block[0];
    t.y = tid / j->block[0] % j->block[1];
    t.z = tid / j->block[0] / j->block[1];
    t.tid = tid;
    t.threads = j->block[0] * j->block[1] * j->block[2];
    t.cta = cta;
    t.id = cta * t.threads + tid;
    t.in = (const char *)j->in + t.id * IN_BYTES;
    t.out = (char *)j->out + t.id * OUT_BYTES;
    t.approx = (char *)j->approx + t.id * (APPROX_SLOTS * sizeof(struct approx_range));
    return t;
}

#define STEPS_BEGIN                                                                                \
    static state states[MAX_THREADS];                                                              \
    const struct job *j = &job;                                                                    \
    const u32 nthreads = j->block[0] * j->block[1] * j->block[2];                                  \
    for (u32 cta = 0; cta < j->grid; cta++) {
#define STEPS_END }
#define EACH(...)                                                                                  \
    for (u32 tid = 0; tid < nthreads; tid++) {                                                     \
        state *s = &states[tid];                                                                   \
        const struct thread thread_here = both_thread(j, cta, tid);                                \
        const struct thread *t = &thread_here;                                                     \
        (void)s, (void)t;                                                                          \
        __VA_ARGS__;                                                                               \
    }
#define SYNC (void)0

/* --- between the lanes of a warp ------------------------------------------------------------- */

FN u32 both_source_idx(u32 lane, u32 at, u32 width)
{
    return (lane & ~(width - 1)) | (at & (width - 1));
}
FN u32 both_source_up(u32 lane, u32 at, u32 width)
{
    return (lane & (width - 1)) < at ? lane : lane - at;
}
FN u32 both_source_down(u32 lane, u32 at, u32 width)
{
    return (lane & (width - 1)) + at >= width ? lane : lane + at;
}
/* A lane of a segment above is out of reach, one of a segment below is not. */
FN u32 both_source_bfly(u32 lane, u32 at, u32 width)
{
    return (lane ^ at) > (lane | (width - 1)) ? lane : lane ^ at;
}

#define SHUFFLE(mode, field, at, width)                                                            \
    do {                                                                                           \
        decltype(states[0].field) before[MAX_THREADS];                                             \
        EACH(before[tid] = s->field)                                                               \
        EACH(s->field = before[(tid & ~31u) + both_source_##mode(tid & 31, (u32)(at)&31, width)])  \
    } while (0)
#define SHUFFLE_APART(bit, field, at) SHUFFLE(bfly, field, at, 32)

#define VOTE(mode, field, condition)                                                               \
    do {                                                                                           \
        bool votes[MAX_THREADS];                                                                   \
        EACH(votes[tid] = (condition) ? true : false)                                              \
        EACH(s->field = both_vote_##mode(votes, nthreads, tid))                                    \
    } while (0)

FN u32 both_vote_ballot(const bool *votes, u32 n, u32 tid)
{
    u32 lanes = 0;
    (void)n;
    for (u32 lane = 0; lane < 32; lane++)
        lanes |= (u32)votes[(tid & ~31u) + lane] << lane;
    return lanes;
}
FN u32 both_vote_all(const bool *votes, u32 n, u32 tid)
{
    return both_vote_ballot(votes, n, tid) == 0xffffffffu;
}
FN u32 both_vote_any(const bool *votes, u32 n, u32 tid)
{
    return both_vote_ballot(votes, n, tid) != 0;
}
FN u32 both_vote_count(const bool *votes, u32 n, u32 tid)
{
    u32 count = 0;
    (void)tid;
    for (u32 k = 0; k < n; k++)
        count += votes[k];
    return count;
}
FN u32 both_vote_and(const bool *votes, u32 n, u32 tid)
{
    return both_vote_count(votes, n, tid) == n;
}
FN u32 both_vote_or(const bool *votes, u32 n, u32 tid)
{
    return both_vote_count(votes, n, tid) != 0;
}

#define MATCH(field, value)                                                                        \
    do {                                                                                           \
        u32 values[MAX_THREADS];                                                                   \
        EACH(values[tid] = (u32)(value))                                                           \
        EACH(s->field = both_match(values, tid))                                                   \
    } while (0)

FN u32 both_match(const u32 *values, u32 tid)
{
    u32 lanes = 0;
    for (u32 lane = 0; lane < 32; lane++)
        lanes |= (u32)(values[(tid & ~31u) + lane] == values[tid]) << lane;
    return lanes;
}

/* --- atomics --------------------------------------------------------------------------------- */

#define ATOMIC(name, T, W, result)                                                                 \
    FN T both_##name(T *p, T v)                                                                    \
    {                                                                                              \
        T old = *p;                                                                                \
        *p = (T)(result);                                                                          \
        return old;                                                                                \
    }
#define ATOMICS_INT(T, W)                                                                          \
    ATOMIC(add, T, W, (W)old + (W)v)                                                               \
    ATOMIC(min, T, W, v < old ? v : old)                                                           \
    ATOMIC(max, T, W, v > old ? v : old)                                                           \
    ATOMIC(and, T, W, old &v)                                                                      \
    ATOMIC(or, T, W, old | v)                                                                      \
    ATOMIC(xor, T, W, old ^ v)                                                                     \
    ATOMIC(exch, T, W, v)                                                                          \
    ATOMIC(casadd, T, W, (W)old + (W)v)                                                            \
    FN T both_cas(T *p, T expected, T v)                                                           \
    {                                                                                              \
        T old = *p;                                                                                \
        if (old == expected)                                                                       \
            *p = v;                                                                                \
        return old;                                                                                \
    }
ATOMICS_INT(i32, u32)
ATOMICS_INT(u32, u32)
ATOMICS_INT(i64, u64)
ATOMICS_INT(u64, u64)
ATOMIC(inc, u32, u32, old >= v ? 0 : old + 1)
ATOMIC(dec, u32, u32, old == 0 || old > v ? v : old - 1)

#include "both_asm_host.h"

#endif
