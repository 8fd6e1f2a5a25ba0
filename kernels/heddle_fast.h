/* heddle_fast.h - the fast forms of CUDA C (__expf and so on): single instructions of the special
 * function unit, as nvcc makes them (heddle_cuda.h).
 *
 * heddle rounds them once from double precision, hardware does not: results are within the bounds
 * that PTX gives and not the bits of any GPU.  A driver has the same bits in workloads/fast_math.h. */
#ifndef HEDDLE_FAST_H
#define HEDDLE_FAST_H

#define HD_SPECIAL(name, instruction)                                                              \
    HD_DEVICE float name(float x)                                                                  \
    {                                                                                              \
        float r;                                                                                   \
        asm(instruction ".f32 %0, %1;" : "=f"(r) : "f"(x));                                        \
        return r;                                                                                  \
    }
HD_SPECIAL(hd_ex2, "ex2.approx")
HD_SPECIAL(hd_fast_log2f, "lg2.approx")
HD_SPECIAL(hd_fast_sinf, "sin.approx")
HD_SPECIAL(hd_fast_cosf, "cos.approx")
HD_SPECIAL(hd_fast_sqrtf, "sqrt.approx")
HD_SPECIAL(hd_fast_rcpf, "rcp.approx")
HD_SPECIAL(hd_saturate, "cvt.sat.f32")
#undef HD_SPECIAL

HD_DEVICE float hd_fast_dividef(float x, float y)
{
    float r;
    asm("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
    return r;
}
HD_DEVICE float hd_fast_expf(float x)
{
    return hd_ex2(x * 1.44269502f);
}
HD_DEVICE float hd_fast_logf(float x)
{
    return hd_fast_log2f(x) * 0.693147182f;
}
HD_DEVICE float hd_fast_powf(float x, float y)
{
    return hd_ex2(y * hd_fast_log2f(x));
}
HD_DEVICE float hd_fast_tanf(float x)
{
    return hd_fast_dividef(hd_fast_sinf(x), hd_fast_cosf(x));
}
HD_DEVICE void hd_fast_sincosf(float x, float *sine, float *cosine)
{
    *sine = hd_fast_sinf(x);
    *cosine = hd_fast_cosf(x);
}

#endif
