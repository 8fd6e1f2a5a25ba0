/* both_approx.h - the operands for which PTX bounds the error of an approximate operation. */
#ifndef HEDDLE_TESTS_DIFFERENTIAL_BOTH_APPROX_H
#define HEDDLE_TESTS_DIFFERENTIAL_BOTH_APPROX_H

#define APPROX_ANY(name, F)                                                                        \
    FN F approx_domain_##name(F x)                                                                 \
    {                                                                                              \
        return x;                                                                                  \
    }
APPROX_ANY(rcp, f32)
APPROX_ANY(sqrt, f32)
APPROX_ANY(rsqrt, f32)
APPROX_ANY(lg2, f32)
APPROX_ANY(ex2, f32)
APPROX_ANY(tanh, f32)
APPROX_ANY(full, f32)

/* sin and cos: within a half turn to either side. */
FN f32 approx_domain_sin(f32 x)
{
    return __builtin_fabsf(x) < 3.14159f ? x : x < 0.0f ? -1.25f : 2.75f;
}
FN f32 approx_domain_cos(f32 x)
{
    return approx_domain_sin(x);
}
/* div: the divisor is neither tiny nor huge. */
FN f32 approx_domain_div(f32 x)
{
    return __builtin_fabsf(x) > 0x1p-126f && __builtin_fabsf(x) < 0x1p126f ? x : 3.0f;
}
/* Those of f64 flush subnormals. */
FN f64 approx_domain_rcp64(f64 x)
{
    return __builtin_fabs(x) > 0x1p-1000 && __builtin_fabs(x) < 0x1p1000 ? x : 7.0;
}
FN f64 approx_domain_rsqrt64(f64 x)
{
    return approx_domain_rcp64(x);
}

#endif
