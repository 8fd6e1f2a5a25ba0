#include "check.h"

#include "rig/lane_rig.h"
#include "simt/lanes/ops.h"

/* The lane-wise instruction forms of 265 public CUDA programs, compiled by nvcc 13. */
static const char *const forms[] = {
    "abs.f32",
    "abs.f64",
    "abs.ftz.f32",
    "abs.s32",
    "add.cc.u32",
    "add.f16x2",
    "add.f32",
    "add.f64",
    "add.ftz.f32",
    "add.rm.f64",
    "add.rn.f32",
    "add.rn.f64",
    "add.rp.f64",
    "add.rz.f32",
    "add.s16",
    "add.s32",
    "add.s64",
    "add.u32",
    "add.u64",
    "addc.cc.u32",
    "addc.u32",
    "and.b16",
    "and.b32",
    "and.b64",
    "and.pred",
    "bfi.b32",
    "bfi.b64",
    "bfind.shiftamt.u32",
    "bfind.u32",
    "bmsk.clamp.b32",
    "brev.b32",
    "clz.b32",
    "clz.b64",
    "copysign.f32",
    "cos.approx.f32",
    "cos.approx.ftz.f32",
    "cvt.f32.f16",
    "cvt.f64.f32",
    "cvt.ftz.f64.f32",
    "cvt.rm.f32.s32",
    "cvt.rm.f32.s64",
    "cvt.rm.f32.u32",
    "cvt.rm.f32.u64",
    "cvt.rm.f64.s64",
    "cvt.rm.f64.u64",
    "cvt.rmi.f32.f32",
    "cvt.rmi.s32.f32",
    "cvt.rmi.s32.f64",
    "cvt.rmi.s64.f32",
    "cvt.rmi.s64.f64",
    "cvt.rmi.u32.f32",
    "cvt.rmi.u32.f64",
    "cvt.rmi.u64.f32",
    "cvt.rmi.u64.f64",
    "cvt.rn.f16.f32",
    "cvt.rn.f32.f64",
    "cvt.rn.f32.s16",
    "cvt.rn.f32.s32",
    "cvt.rn.f32.s64",
    "cvt.rn.f32.u16",
    "cvt.rn.f32.u32",
    "cvt.rn.f32.u64",
    "cvt.rn.f64.s32",
    "cvt.rn.f64.s64",
    "cvt.rn.f64.u32",
    "cvt.rn.f64.u64",
    "cvt.rn.ftz.f32.f64",
    "cvt.rni.f32.f32",
    "cvt.rni.f64.f64",
    "cvt.rni.s32.f32",
    "cvt.rni.s32.f64",
    "cvt.rni.s64.f32",
    "cvt.rni.s64.f64",
    "cvt.rni.u32.f32",
    "cvt.rni.u32.f64",
    "cvt.rni.u64.f32",
    "cvt.rni.u64.f64",
    "cvt.rp.f32.s32",
    "cvt.rp.f32.s64",
    "cvt.rp.f32.u32",
    "cvt.rp.f32.u64",
    "cvt.rp.f64.s64",
    "cvt.rp.f64.u64",
    "cvt.rpi.f32.f32",
    "cvt.rpi.f64.f64",
    "cvt.rpi.s32.f32",
    "cvt.rpi.s32.f64",
    "cvt.rpi.s64.f32",
    "cvt.rpi.s64.f64",
    "cvt.rpi.u32.f32",
    "cvt.rpi.u32.f64",
    "cvt.rpi.u64.f32",
    "cvt.rpi.u64.f64",
    "cvt.rz.f32.s32",
    "cvt.rz.f32.s64",
    "cvt.rz.f32.u32",
    "cvt.rz.f32.u64",
    "cvt.rz.f64.s64",
    "cvt.rz.f64.u64",
    "cvt.rzi.f32.f32",
    "cvt.rzi.f64.f64",
    "cvt.rzi.s32.f32",
    "cvt.rzi.s32.f64",
    "cvt.rzi.s64.f32",
    "cvt.rzi.s64.f64",
    "cvt.rzi.u32.f32",
    "cvt.rzi.u32.f64",
    "cvt.rzi.u64.f32",
    "cvt.rzi.u64.f64",
    "cvt.s32.s16",
    "cvt.s32.s8",
    "cvt.s64.s32",
    "cvt.s64.s8",
    "cvt.sat.f32.f32",
    "cvt.u16.u32",
    "cvt.u16.u64",
    "cvt.u32.u16",
    "cvt.u32.u64",
    "cvt.u64.u16",
    "cvt.u64.u32",
    "div.approx.f32",
    "div.approx.ftz.f32",
    "div.rm.f64",
    "div.rn.f32",
    "div.rn.f64",
    "div.rp.f64",
    "div.s32",
    "div.s64",
    "div.u16",
    "div.u32",
    "div.u64",
    "dp4a.s32.s32",
    "dp4a.u32.u32",
    "ex2.approx.f32",
    "ex2.approx.ftz.f32",
    "fma.rm.f32",
    "fma.rn.f16x2",
    "fma.rn.f32",
    "fma.rn.f64",
    "fma.rn.ftz.f32",
    "fma.rz.f32",
    "lg2.approx.f32",
    "lg2.approx.ftz.f32",
    "lop3.b32",
    "mad.lo.cc.u32",
    "mad.lo.s32",
    "mad.wide.u32",
    "madc.hi.cc.u32",
    "madc.hi.u32",
    "madc.lo.cc.u32",
    "max.f32",
    "max.f64",
    "max.ftz.f32",
    "max.s32",
    "max.u16",
    "max.u32",
    "max.u64",
    "min.f32",
    "min.f64",
    "min.ftz.f32",
    "min.s32",
    "min.s64",
    "min.u16",
    "min.u32",
    "min.u64",
    "mov.b32",
    "mov.b64",
    "mov.f32",
    "mov.f64",
    "mov.pred",
    "mov.s32",
    "mov.u16",
    "mov.u32",
    "mov.u64",
    "mul.f16x2",
    "mul.f32",
    "mul.f64",
    "mul.ftz.f32",
    "mul.hi.s32",
    "mul.hi.u32",
    "mul.lo.s16",
    "mul.lo.s32",
    "mul.lo.s64",
    "mul.lo.u32",
    "mul.rm.f64",
    "mul.rn.f32",
    "mul.rn.f64",
    "mul.rp.f64",
    "mul.wide.s16",
    "mul.wide.s32",
    "mul.wide.u16",
    "mul.wide.u32",
    "neg.f32",
    "neg.f64",
    "neg.ftz.f32",
    "neg.s32",
    "neg.s64",
    "not.b32",
    "not.b64",
    "not.pred",
    "or.b16",
    "or.b32",
    "or.b64",
    "or.pred",
    "popc.b32",
    "popc.b64",
    "prmt.b32",
    "rcp.approx.ftz.f32",
    "rcp.approx.ftz.f64",
    "rcp.rn.f32",
    "rcp.rn.f64",
    "rem.s32",
    "rem.u32",
    "rsqrt.approx.f32",
    "rsqrt.approx.f64",
    "selp.b16",
    "selp.b32",
    "selp.b64",
    "selp.f32",
    "selp.f64",
    "selp.s32",
    "selp.u16",
    "selp.u32",
    "selp.u64",
    "setp.eq.b16",
    "setp.eq.b32",
    "setp.eq.b64",
    "setp.eq.f32",
    "setp.eq.f64",
    "setp.eq.ftz.f32",
    "setp.eq.s16",
    "setp.eq.s32",
    "setp.eq.s64",
    "setp.ge.f32",
    "setp.ge.f64",
    "setp.ge.ftz.f32",
    "setp.ge.s32",
    "setp.ge.s64",
    "setp.ge.u32",
    "setp.ge.u64",
    "setp.geu.f32",
    "setp.geu.f64",
    "setp.geu.ftz.f32",
    "setp.gt.f32",
    "setp.gt.f64",
    "setp.gt.ftz.f32",
    "setp.gt.s16",
    "setp.gt.s32",
    "setp.gt.s64",
    "setp.gt.u16",
    "setp.gt.u32",
    "setp.gt.u64",
    "setp.gtu.f32",
    "setp.gtu.f64",
    "setp.gtu.ftz.f32",
    "setp.le.f32",
    "setp.le.f64",
    "setp.le.ftz.f32",
    "setp.le.s32",
    "setp.le.s64",
    "setp.le.u16",
    "setp.le.u32",
    "setp.le.u64",
    "setp.leu.f32",
    "setp.leu.f64",
    "setp.leu.ftz.f32",
    "setp.lt.f32",
    "setp.lt.f64",
    "setp.lt.ftz.f32",
    "setp.lt.s16",
    "setp.lt.s32",
    "setp.lt.s64",
    "setp.lt.u16",
    "setp.lt.u32",
    "setp.lt.u64",
    "setp.ltu.f32",
    "setp.ltu.f64",
    "setp.nan.f64",
    "setp.ne.s16",
    "setp.ne.s32",
    "setp.ne.s64",
    "setp.ne.u32",
    "setp.neu.f32",
    "setp.neu.f64",
    "setp.num.f64",
    "shf.l.wrap.b32",
    "shf.r.clamp.b32",
    "shl.b16",
    "shl.b32",
    "shl.b64",
    "shr.b32",
    "shr.b64",
    "shr.s16",
    "shr.s32",
    "shr.s64",
    "shr.u16",
    "shr.u32",
    "shr.u64",
    "sin.approx.f32",
    "sin.approx.ftz.f32",
    "sqrt.approx.ftz.f32",
    "sqrt.rn.f32",
    "sqrt.rn.f64",
    "sub.cc.u32",
    "sub.f16",
    "sub.f16x2",
    "sub.f32",
    "sub.f64",
    "sub.ftz.f32",
    "sub.s16",
    "sub.s32",
    "sub.s64",
    "sub.u32",
    "subc.cc.u32",
    "subc.u32",
    "vabsdiff2.u32.u32.u32.add",
    "vabsdiff4.u32.u32.u32",
    "vabsdiff4.u32.u32.u32.add",
    "xor.b16",
    "xor.b32",
    "xor.b64",
    "xor.pred",
};

static void every_form_of_public_programs_is_found(void)
{
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        struct op_desc d;
        struct err e = {0};
        if (!lane_rig_find(forms[k], &d, &e))
            CHECK_STR(e.text, "");
        CHECK(d.fn != NULL && d.operands != NULL);
        CHECK(d.unit != UNIT_NONE && d.unit < UNIT_COUNT && d.opclass < OPCLASS_COUNT);
    }
}

static const struct op_rows *const sorted[] = {&rows_int_base,     &rows_logic_base,
                                               &rows_compare_base, &rows_move_base,
                                               &rows_cvt_base,     &rows_video_base};
static const struct op_rows *const unsorted[] = {&rows_f32_base, &rows_f64_base, &rows_half_base,
                                                 &rows_special_base};

static void rows_that_are_searched_by_halves_are_sorted(void)
{
    for (int f = 0; f < 6; f++)
        for (uint32_t k = 1; k < sorted[f]->n; k++)
            if (strcmp(sorted[f]->row[k - 1].key, sorted[f]->row[k].key) > 0)
                CHECK_STR(sorted[f]->row[k - 1].key, sorted[f]->row[k].key);
}

/* A row is found by its key and the modifiers it needs, so its first name is in the table. */
static void check_row(const struct op_row *row)
{
    char opcode[128];
    struct op_desc d;
    struct err e = {0};
    const char *needs = row->fn                  ? ""
                        : row->mods & MOD_CLAMP  ? ".clamp"
                        : row->mods & MOD_WRAP   ? ".wrap"
                        : row->mods & MOD_AND    ? ".and"
                        : row->mods & MOD_ADD    ? ".add"
                        : row->mods & MOD_SAT    ? ".sat"
                        : row->mods & MOD_RNA    ? ".rna"
                        : row->mods & MOD_APPROX ? ".approx"
                                                 : ".rn";
    const char *compare =
        strncmp(row->key, "set.", 4) == 0 || strncmp(row->key, "vset", 4) == 0 ? ".eq" : "";
    snprintf(opcode, sizeof opcode, "%s%s%s", row->key, needs, compare);
    if (!lane_rig_find(opcode, &d, &e))
        CHECK_STR(e.text, "");
}

static void every_row_can_be_found(void)
{
    for (int f = 0; f < 6; f++)
        for (uint32_t k = 0; k < sorted[f]->n; k++)
            check_row(&sorted[f]->row[k]);
    for (int f = 0; f < 4; f++)
        for (uint32_t k = 0; k < unsorted[f]->n; k++)
            check_row(&unsorted[f]->row[k]);
}

static void modifiers_become_bits_and_choose_the_operands(void)
{
    struct op_desc d;
    struct err e = {0};
    CHECK(lane_rig_find("setp.lt.and.ftz.f32", &d, &e));
    CHECK_EQ(d.mod, MOD_AND | MOD_FTZ);
    CHECK_STR(d.operands, "Pwwp");
    CHECK(lane_rig_find("setp.lt.f32", &d, &e));
    CHECK_STR(d.operands, "Pww");
    CHECK(lane_rig_find("set.gt.u32.s32", &d, &e));
    CHECK_EQ(d.mod, COMPARE_gt << MOD_COMPARE);
    CHECK(lane_rig_find("unpack4.b64", &d, &e));
    CHECK_EQ(d.vec, 4);
    CHECK_EQ(d.elem, 'h');
}

static void check_refused(const char *opcode, const char *why)
{
    struct op_desc d;
    struct err e = {0};
    CHECK(!lane_rig_find(opcode, &d, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, why);
}

static void what_is_wrong_with_an_opcode_is_named(void)
{
    check_refused("frob.u32", "rig.ptx:1: unknown instruction \"frob.u32\"");
    check_refused("vmad.u32.u32.u32", "rig.ptx:1: unknown instruction \"vmad.u32.u32.u32\"");
    check_refused("add.q32", "rig.ptx:1: unknown suffix \".q32\" in instruction \"add.q32\"");
    check_refused("mul.lo.f99", "rig.ptx:1: unknown suffix \".f99\" in instruction \"mul.lo.f99\"");
    check_refused("mul.lo", "rig.ptx:1: a suffix is missing in instruction \"mul.lo\"");
    check_refused("add", "rig.ptx:1: a suffix is missing in instruction \"add\"");
    check_refused("add.sat.u32",
                  "rig.ptx:1: modifier \".sat\" is not allowed in instruction \"add.sat.u32\"");
    check_refused("and.ftz.b32",
                  "rig.ptx:1: modifier \".ftz\" is not allowed in instruction \"and.ftz.b32\"");
    check_refused("add.sat.cc.s32",
                  "rig.ptx:1: modifiers that exclude each other in \"add.sat.cc.s32\"");
    check_refused("cvt.rn.rz.f32.s32",
                  "rig.ptx:1: modifiers that exclude each other in \"cvt.rn.rz.f32.s32\"");
    check_refused("shf.l.b32", "rig.ptx:1: a modifier is missing in instruction \"shf.l.b32\"");
    check_refused("set.lo.u32.f32", "rig.ptx:1: no such comparison: \"set.lo.u32.f32\"");
    check_refused("set.u32.f32", "rig.ptx:1: no such comparison: \"set.u32.f32\"");
    check_refused("vset.u32.u32.nan", "rig.ptx:1: no such comparison: \"vset.u32.u32.nan\"");
    check_refused("setp.lt.b32",
                  "rig.ptx:1: unknown suffix \".b32\" in instruction \"setp.lt.b32\"");
    check_refused("add..s32", "rig.ptx:1: unknown suffix \".\" in instruction \"add..s32\"");
}

CHECK_MAIN("lanes_ops", TEST(every_form_of_public_programs_is_found),
           TEST(rows_that_are_searched_by_halves_are_sorted), TEST(every_row_can_be_found),
           TEST(modifiers_become_bits_and_choose_the_operands),
           TEST(what_is_wrong_with_an_opcode_is_named))
