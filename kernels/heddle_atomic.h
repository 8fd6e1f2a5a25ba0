/* heddle_atomic.h - atomics of CUDA C (heddle_cuda.h); they return the value before.  Pointers are
 * generic: global and shared memory alike. */
#ifndef HEDDLE_ATOMIC_H
#define HEDDLE_ATOMIC_H

#define HD_ATOMIC(name, builtin, type, as)                                                         \
    HD_DEVICE type name(type *p, type v)                                                           \
    {                                                                                              \
        return (type)__nvvm_atom_##builtin((as *)p, (as)v);                                        \
    }

HD_ATOMIC(atomicAdd, add_gen_i, int, int)
HD_ATOMIC(atomicAdd, add_gen_i, unsigned, int)
HD_ATOMIC(atomicAdd, add_gen_ll, unsigned long long, long long)
HD_ATOMIC(atomicAdd, add_gen_f, float, float)
HD_ATOMIC(atomicAdd, add_gen_d, double, double)
HD_ATOMIC(atomicMin, min_gen_i, int, int)
HD_ATOMIC(atomicMin, min_gen_ui, unsigned, unsigned)
HD_ATOMIC(atomicMin, min_gen_ll, long long, long long)
HD_ATOMIC(atomicMin, min_gen_ull, unsigned long long, unsigned long long)
HD_ATOMIC(atomicMax, max_gen_i, int, int)
HD_ATOMIC(atomicMax, max_gen_ui, unsigned, unsigned)
HD_ATOMIC(atomicMax, max_gen_ll, long long, long long)
HD_ATOMIC(atomicMax, max_gen_ull, unsigned long long, unsigned long long)
HD_ATOMIC(atomicAnd, and_gen_i, int, int)
HD_ATOMIC(atomicAnd, and_gen_i, unsigned, int)
HD_ATOMIC(atomicAnd, and_gen_ll, unsigned long long, long long)
HD_ATOMIC(atomicOr, or_gen_i, int, int)
HD_ATOMIC(atomicOr, or_gen_i, unsigned, int)
HD_ATOMIC(atomicOr, or_gen_ll, unsigned long long, long long)
HD_ATOMIC(atomicXor, xor_gen_i, int, int)
HD_ATOMIC(atomicXor, xor_gen_i, unsigned, int)
HD_ATOMIC(atomicXor, xor_gen_ll, unsigned long long, long long)
HD_ATOMIC(atomicExch, xchg_gen_i, int, int)
HD_ATOMIC(atomicExch, xchg_gen_i, unsigned, int)
HD_ATOMIC(atomicExch, xchg_gen_ll, unsigned long long, long long)
HD_ATOMIC(atomicInc, inc_gen_ui, unsigned, unsigned)
HD_ATOMIC(atomicDec, dec_gen_ui, unsigned, unsigned)
#undef HD_ATOMIC

HD_DEVICE int atomicSub(int *p, int v)
{
    return atomicAdd(p, -v);
}
HD_DEVICE unsigned atomicSub(unsigned *p, unsigned v)
{
    return atomicAdd(p, 0u - v);
}
HD_DEVICE float atomicExch(float *p, float v)
{
    return hm_from_bits(atomicExch((unsigned *)p, hm_bits(v)));
}
HD_DEVICE int atomicCAS(int *p, int expected, int v)
{
    return __nvvm_atom_cas_gen_i(p, expected, v);
}
HD_DEVICE unsigned atomicCAS(unsigned *p, unsigned expected, unsigned v)
{
    return (unsigned)__nvvm_atom_cas_gen_i((int *)p, (int)expected, (int)v);
}
HD_DEVICE unsigned long long atomicCAS(unsigned long long *p, unsigned long long expected,
                                       unsigned long long v)
{
    return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)p, (long long)expected,
                                                      (long long)v);
}

#endif
