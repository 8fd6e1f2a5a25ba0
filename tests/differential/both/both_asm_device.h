/* both_asm_device.h - operations that no C operator or builtin gives, as single PTX instructions.
 * both_asm_host.h says in C what each of them computes. */
#ifndef HEDDLE_TESTS_DIFFERENTIAL_BOTH_ASM_DEVICE_H
#define HEDDLE_TESTS_DIFFERENTIAL_BOTH_ASM_DEVICE_H

#define ASM1(name, opcode, R, r, A, a)                                                             \
    FN R name(A x)                                                                                 \
    {                                                                                              \
        R result;                                                                                  \
        asm(opcode " %0, %1;" : "=" r(result) : a(x));                                             \
        return result;                                                                             \
    }
#define ASM2(name, opcode, R, r, A, a, B, b)                                                       \
    FN R name(A x, B y)                                                                            \
    {                                                                                              \
        R result;                                                                                  \
        asm(opcode " %0, %1, %2;" : "=" r(result) : a(x), b(y));                                   \
        return result;                                                                             \
    }
#define ASM3(name, opcode, R, r, A, a, B, b, C, c, end)                                            \
    FN R name(A x, B y, C z)                                                                       \
    {                                                                                              \
        R result;                                                                                  \
        asm(opcode " %0, %1, %2, %3" end ";" : "=" r(result) : a(x), b(y), c(z));                  \
        return result;                                                                             \
    }

/* --- integers -------------------------------------------------------------------------------- */

#define U32x3(name, opcode, end) ASM3(name, opcode, u32, "r", u32, "r", u32, "r", u32, "r", end)
#define I32x3(name, opcode) ASM3(name, opcode, i32, "r", i32, "r", i32, "r", i32, "r", "")
U32x3(op_prmt, "prmt.b32", "") U32x3(op_lop3_1b, "lop3.b32", ", 0x1b")
    U32x3(op_lop3_96, "lop3.b32", ", 0x96") U32x3(op_lop3_e8, "lop3.b32",
                                                  ", 0xe8") U32x3(op_bfe_u32, "bfe.u32", "")
        ASM3(op_bfe_i32, "bfe.s32", i32, "r", i32, "r", u32, "r", u32, "r",
             "") ASM3(op_bfe_u64, "bfe.u64", u64, "l", u64, "l", u32, "r", u32, "r",
                      "") ASM3(op_bfe_i64, "bfe.s64", i64, "l", i64, "l", u32, "r", u32, "r",
                               "") U32x3(op_sad_u32, "sad.u32", "") I32x3(op_sad_i32, "sad.s32")
            I32x3(op_mad24_i32, "mad24.lo.s32") U32x3(op_mad24hi_u32, "mad24.hi.u32", "")
                U32x3(op_madhi_u32, "mad.hi.u32", "") I32x3(op_madhi_i32, "mad.hi.s32")
                    ASM3(op_madwide_i32, "mad.wide.s32", i64, "l", i32, "r", i32, "r", i64, "l", "")
                        ASM3(op_madwide_u16, "mad.wide.u16", u32, "r", u16, "h", u16, "h", u32, "r",
                             "") U32x3(op_shf_l_wrap, "shf.l.wrap.b32",
                                       "") U32x3(op_shf_l_clamp, "shf.l.clamp.b32",
                                                 "") U32x3(op_shf_r_wrap, "shf.r.wrap.b32", "")
                            U32x3(op_shf_r_clamp, "shf.r.clamp.b32",
                                  "") I32x3(op_dp4a_i32, "dp4a.s32.s32")
                                U32x3(op_dp4a_u32, "dp4a.u32.u32", "") I32x3(op_slct_i32,
                                                                             "slct.s32.s32")
                                    ASM3(op_slct_f32, "slct.u32.f32", u32, "r", u32, "r", u32, "r",
                                         f32, "f", "")
                                        ASM2(op_adds32, "add.sat.s32", i32, "r", i32, "r", i32, "r")
                                            ASM2(op_subs32, "sub.sat.s32", i32, "r", i32, "r", i32,
                                                 "r") ASM2(op_shl_any32,
                                                           "shl.b32", u32, "r", u32, "r", u32, "r")
                                                ASM2(op_shl_any64, "shl.b64", u64, "l", u64, "l",
                                                     u32, "r") ASM2(op_shr_any_u32, "shr.u32", u32,
                                                                    "r", u32, "r", u32, "r")
                                                    ASM2(op_shr_any_i32, "shr.s32", i32, "r", i32,
                                                         "r", u32,
                                                         "r") ASM2(op_shr_any_u64, "shr.u64", u64,
                                                                   "l", u64, "l", u32,
                                                                   "r") ASM2(op_shr_any_i64,
                                                                             "shr.s64", i64, "l",
                                                                             i64, "l", u32, "r")
                                                        ASM2(op_shr_any_i16,
                                                             "shr.s16", i16, "h", i16, "h", u32,
                                                             "r") ASM2(op_mulhi_i16, "mul.hi.s16",
                                                                       i16, "h", i16, "h", i16, "h")
                                                            ASM1(op_bfind_u32, "bfind.u32", u32,
                                                                 "r", u32, "r") ASM1(op_bfind_i32,
                                                                                     "bfind.s32",
                                                                                     u32, "r", i32,
                                                                                     "r")
                                                                ASM1(op_bfind_shift_u64,
                                                                     "bfind.shiftamt.u64", u32, "r",
                                                                     u64, "l") ASM1(op_bfind_i64,
                                                                                    "bfind.s64",
                                                                                    u32, "r", i64,
                                                                                    "l")
                                                                    ASM2(op_set_lt_u32_f32,
                                                                         "set.lt.u32.f32", u32, "r",
                                                                         f32, "f", f32, "f")
                                                                        ASM2(op_set_geu_f32_f64,
                                                                             "set.geu.f32.f64", f32,
                                                                             "f", f64, "d", f64,
                                                                             "d")
                                                                            ASM2(op_set_ne_f32_i32,
                                                                                 "set.ne.f32.s32",
                                                                                 f32, "f", i32, "r",
                                                                                 i32, "r")

                                                                                FN u32
    op_bfi_u32(u32 a, u32 b, u32 at)
{
    u32 result;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(at), "r"(at >> 8));
    return result;
}
FN u64 op_bfi_u64(u64 a, u64 b, u32 at)
{
    u64 result;
    asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(result) : "l"(a), "l"(b), "r"(at), "r"(at >> 8));
    return result;
}
/* The sum and the difference of (a, b) and (b, c), high halves. */
FN u32 op_addc(u32 a, u32 b, u32 c)
{
    u32 low, high;
    asm("add.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %4, %5;"
        : "=&r"(low), "=r"(high)
        : "r"(b), "r"(c), "r"(a), "r"(b));
    return high;
}
FN u32 op_subc(u32 a, u32 b, u32 c)
{
    u32 low, high;
    asm("sub.cc.u32 %0, %2, %3;\n\tsubc.u32 %1, %4, %5;"
        : "=&r"(low), "=r"(high)
        : "r"(b), "r"(c), "r"(a), "r"(b));
    return high;
}

#define CVT_SAT(to, To, r, from, From, a)                                                          \
    ASM1(op_sat_##To##_##From, "cvt.sat." #to "." #from, To, r, From, a)
CVT_SAT(u16, u16, "h", s32, i32, "r")
CVT_SAT(s16, i16, "h", s32, i32, "r")
CVT_SAT(s32, i32, "r", s64, i64, "l")
CVT_SAT(u32, u32, "r", s64, i64, "l")
CVT_SAT(s32, i32, "r", u32, u32, "r")
CVT_SAT(u32, u32, "r", s32, i32, "r")
CVT_SAT(s32, i32, "r", u64, u64, "l")
#define CVT_SAT8(to, To)                                                                           \
    FN To op_sat_##To##_i32(i32 x)                                                                 \
    {                                                                                              \
        i32 result;                                                                                \
        asm("cvt.sat." #to ".s32 %0, %1;" : "=r"(result) : "r"(x));                                \
        return (To)result;                                                                         \
    }
CVT_SAT8(u8, u8)
CVT_SAT8(s8, i8)

/* --- floats ---------------------------------------------------------------------------------- */

#define F2(name, opcode, F, f) ASM2(name, opcode, F, f, F, f, F, f)
#define F3(name, opcode, F, f) ASM3(name, opcode, F, f, F, f, F, f, F, f, "")
#define ROUNDED(mode, F, f, type)                                                                  \
    F2(op_add_##mode##_##F, "add." #mode "." type, F, f)                                           \
    F2(op_sub_##mode##_##F, "sub." #mode "." type, F, f)                                           \
    F2(op_mul_##mode##_##F, "mul." #mode "." type, F, f)                                           \
    F2(op_div_##mode##_##F, "div." #mode "." type, F, f)                                           \
    F3(op_fma_##mode##_##F, "fma." #mode "." type, F, f)                                           \
    ASM1(op_sqrt_##mode##_##F, "sqrt." #mode "." type, F, f, F, f)                                 \
    ASM1(op_rcp_##mode##_##F, "rcp." #mode "." type, F, f, F, f)                                   \
    ASM1(op_##F##_##mode##_i64, "cvt." #mode "." type ".s64", F, f, i64, "l")                      \
    ASM1(op_##F##_##mode##_u64, "cvt." #mode "." type ".u64", F, f, u64, "l")
#define ROUNDED_TYPES(mode)                                                                        \
    ROUNDED(mode, f32, "f", "f32")                                                                 \
    ROUNDED(mode, f64, "d", "f64")                                                                 \
    ASM1(op_f32_##mode##_f64, "cvt." #mode ".f32.f64", f32, "f", f64, "d")                         \
    ASM1(op_f32_##mode##_i32, "cvt." #mode ".f32.s32", f32, "f", i32, "r")                         \
    ASM1(op_f32_##mode##_u32, "cvt." #mode ".f32.u32", f32, "f", u32, "r")
ROUNDED_TYPES(rz)
ROUNDED_TYPES(rm)
ROUNDED_TYPES(rp)

F2(op_add_ftz, "add.rn.ftz.f32", f32, "f")
F2(op_mul_ftz, "mul.rn.ftz.f32", f32, "f")
F2(op_add_sat, "add.rn.sat.f32", f32, "f")
F3(op_fma_sat, "fma.rn.sat.f32", f32, "f")
F2(op_min_f32, "min.f32", f32, "f")
F2(op_max_f32, "max.f32", f32, "f")
F2(op_min_f64, "min.f64", f64, "d")
F2(op_max_f64, "max.f64", f64, "d")

#define CVT_INT(mode, F, f, type)                                                                  \
    ASM1(op_i32_##mode##_##F, "cvt." #mode ".s32." type, i32, "r", F, f)                           \
    ASM1(op_u32_##mode##_##F, "cvt." #mode ".u32." type, u32, "r", F, f)                           \
    ASM1(op_i64_##mode##_##F, "cvt." #mode ".s64." type, i64, "l", F, f)                           \
    ASM1(op_u64_##mode##_##F, "cvt." #mode ".u64." type, u64, "l", F, f)                           \
    ASM1(op_i16_##mode##_##F, "cvt." #mode ".s16." type, i16, "h", F, f)                           \
    ASM1(op_u16_##mode##_##F, "cvt." #mode ".u16." type, u16, "h", F, f)
#define CVT_INT_TYPES(mode)                                                                        \
    CVT_INT(mode, f32, "f", "f32")                                                                 \
    CVT_INT(mode, f64, "d", "f64")
CVT_INT_TYPES(rni)
CVT_INT_TYPES(rzi)
CVT_INT_TYPES(rmi)
CVT_INT_TYPES(rpi)

/* --- approximate operations ------------------------------------------------------------------ */

#define APPROX1(name, opcode, F, f)                                                                \
    FN void approx_##name(const struct thread *t, u32 slot, F x)                                   \
    {                                                                                              \
        F result;                                                                                  \
        asm(opcode " %0, %1;" : "=" f(result) : f(approx_domain_##name(x)));                       \
        ((struct approx_range *)t->approx)[slot].lo = (f64)result;                                 \
    }
#define APPROX2(name, opcode, F, f)                                                                \
    FN void approx_##name(const struct thread *t, u32 slot, F x, F y)                              \
    {                                                                                              \
        F result;                                                                                  \
        asm(opcode " %0, %1, %2;" : "=" f(result) : f(x), f(approx_domain_##name(y)));             \
        ((struct approx_range *)t->approx)[slot].lo = (f64)result;                                 \
    }

#include "both_approx.h"

APPROX1(rcp, "rcp.approx.f32", f32, "f")
APPROX1(sqrt, "sqrt.approx.f32", f32, "f")
APPROX1(rsqrt, "rsqrt.approx.f32", f32, "f")
APPROX1(sin, "sin.approx.f32", f32, "f")
APPROX1(cos, "cos.approx.f32", f32, "f")
APPROX1(lg2, "lg2.approx.f32", f32, "f")
APPROX1(ex2, "ex2.approx.f32", f32, "f")
APPROX1(tanh, "tanh.approx.f32", f32, "f")
APPROX1(rcp64, "rcp.approx.ftz.f64", f64, "d")
APPROX1(rsqrt64, "rsqrt.approx.f64", f64, "d")
APPROX2(div, "div.approx.f32", f32, "f")
APPROX2(full, "div.full.f32", f32, "f")

#endif
