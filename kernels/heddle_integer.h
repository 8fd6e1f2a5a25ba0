/* heddle_integer.h - integer intrinsics of CUDA C, conversions, bits of numbers, min and max
 * (heddle_cuda.h). */
#ifndef HEDDLE_INTEGER_H
#define HEDDLE_INTEGER_H

HD_DEVICE int __mul24(int a, int b)
{
    return __nvvm_mul24_i(a, b);
}
HD_DEVICE unsigned __umul24(unsigned a, unsigned b)
{
    return __nvvm_mul24_ui(a, b);
}
HD_DEVICE int __mulhi(int a, int b)
{
    return __nvvm_mulhi_i(a, b);
}
HD_DEVICE unsigned __umulhi(unsigned a, unsigned b)
{
    return __nvvm_mulhi_ui(a, b);
}
HD_DEVICE long long __mul64hi(long long a, long long b)
{
    return __nvvm_mulhi_ll(a, b);
}
HD_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return __nvvm_mulhi_ull(a, b);
}
HD_DEVICE unsigned __sad(int a, int b, unsigned sum)
{
    return (unsigned)__nvvm_sad_i(a, b, (int)sum);
}
HD_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned sum)
{
    return __nvvm_sad_ui(a, b, sum);
}
HD_DEVICE int __popc(unsigned v)
{
    return __builtin_popcount(v);
}
HD_DEVICE int __popcll(unsigned long long v)
{
    return __builtin_popcountll(v);
}
HD_DEVICE int __clz(int v)
{
    return v == 0 ? 32 : __builtin_clz((unsigned)v);
}
HD_DEVICE int __clzll(long long v)
{
    return v == 0 ? 64 : __builtin_clzll((unsigned long long)v);
}
HD_DEVICE int __ffs(int v)
{
    return __builtin_ffs(v);
}
HD_DEVICE int __ffsll(long long v)
{
    return __builtin_ffsll(v);
}
HD_DEVICE unsigned __brev(unsigned v)
{
    return __builtin_bitreverse32(v);
}
HD_DEVICE unsigned long long __brevll(unsigned long long v)
{
    return __builtin_bitreverse64(v);
}
HD_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    return (unsigned)__nvvm_prmt((int)a, (int)b, (int)(selector & 0x7777));
}

/* The upper half of high:low shifted left, the lower half of it shifted right; by 0 to 31, or, in
 * _lc and _rc, by 0 to 32. */
HD_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by)
{
    unsigned r;
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(by));
    return r;
}
HD_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by)
{
    unsigned r;
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(by));
    return r;
}
HD_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by)
{
    unsigned r;
    asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(by));
    return r;
}
HD_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by)
{
    unsigned r;
    asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(by));
    return r;
}

/* --- bits and numbers ------------------------------------------------------------------------ */

HD_DEVICE int __float_as_int(float v)
{
    return (int)hm_bits(v);
}
HD_DEVICE unsigned __float_as_uint(float v)
{
    return hm_bits(v);
}
HD_DEVICE float __int_as_float(int v)
{
    return hm_from_bits((unsigned)v);
}
HD_DEVICE float __uint_as_float(unsigned v)
{
    return hm_from_bits(v);
}
HD_DEVICE long long __double_as_longlong(double v)
{
    return (long long)hm_bits64(v);
}
HD_DEVICE double __longlong_as_double(long long v)
{
    return hm_from_bits64((unsigned long long)v);
}
HD_DEVICE int __double2hiint(double v)
{
    return (int)(hm_bits64(v) >> 32);
}
HD_DEVICE int __double2loint(double v)
{
    return (int)hm_bits64(v);
}
HD_DEVICE double __hiloint2double(int high, int low)
{
    return hm_from_bits64((unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

/* --- conversions: to nearest even (rn), toward zero (rz), down (rd), up (ru) -------------------- */

#define HD_CONVERT(name, to, from, builtin)                                                        \
    HD_DEVICE to name(from v)                                                                      \
    {                                                                                              \
        return (to)__nvvm_##builtin(v);                                                            \
    }
HD_CONVERT(__float2int_rn, int, float, f2i_rn)
HD_CONVERT(__float2int_rz, int, float, f2i_rz)
HD_CONVERT(__float2int_rd, int, float, f2i_rm)
HD_CONVERT(__float2int_ru, int, float, f2i_rp)
HD_CONVERT(__float2uint_rn, unsigned, float, f2ui_rn)
HD_CONVERT(__float2uint_rz, unsigned, float, f2ui_rz)
HD_CONVERT(__float2uint_rd, unsigned, float, f2ui_rm)
HD_CONVERT(__float2uint_ru, unsigned, float, f2ui_rp)
HD_CONVERT(__double2int_rn, int, double, d2i_rn)
HD_CONVERT(__double2int_rz, int, double, d2i_rz)
HD_CONVERT(__double2float_rn, float, double, d2f_rn)
HD_CONVERT(__double2float_rz, float, double, d2f_rz)
HD_CONVERT(__int2float_rn, float, int, i2f_rn)
HD_CONVERT(__int2float_rz, float, int, i2f_rz)
HD_CONVERT(__uint2float_rn, float, unsigned, ui2f_rn)
HD_CONVERT(__uint2float_rz, float, unsigned, ui2f_rz)
HD_CONVERT(__int2double_rn, double, int, i2d_rn)
HD_CONVERT(__uint2double_rn, double, unsigned, ui2d_rn)
#undef HD_CONVERT

/* --- min, max, abs --------------------------------------------------------------------------- */

#define HD_MIN_MAX(type)                                                                           \
    HD_DEVICE type min(type a, type b)                                                             \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    HD_DEVICE type max(type a, type b)                                                             \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }
HD_MIN_MAX(int)
HD_MIN_MAX(unsigned)
HD_MIN_MAX(long)
HD_MIN_MAX(unsigned long)
HD_MIN_MAX(long long)
HD_MIN_MAX(unsigned long long)
#undef HD_MIN_MAX
HD_DEVICE float min(float a, float b)
{
    return __nvvm_fmin_f(a, b);
}
HD_DEVICE float max(float a, float b)
{
    return __nvvm_fmax_f(a, b);
}
HD_DEVICE double min(double a, double b)
{
    return __nvvm_fmin_d(a, b);
}
HD_DEVICE double max(double a, double b)
{
    return __nvvm_fmax_d(a, b);
}
HD_DEVICE int abs(int v)
{
    return v < 0 ? -v : v;
}
HD_DEVICE long long llabs(long long v)
{
    return v < 0 ? -v : v;
}

#endif
