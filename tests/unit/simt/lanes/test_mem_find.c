/* Which memory opcodes are known, and what is said of them. */
#include "check.h"
#include "rig/mem_rig.h"

/* clang-format off */
static const char *const public_forms[] = {
    "atom.add.acq_rel.cta.u64", "atom.add.acquire.cta.u32", "atom.add.relaxed.cta.u32",
    "atom.add.relaxed.cta.u64", "atom.add.release.gpu.u32", "atom.add.u32", "atom.global.add.f32",
    "atom.global.add.f64", "atom.global.add.u32", "atom.global.add.u64", "atom.global.and.b32",
    "atom.global.cas.b32", "atom.global.cas.b64", "atom.global.dec.u32", "atom.global.exch.b32",
    "atom.global.inc.u32", "atom.global.max.s32", "atom.global.max.u32", "atom.global.min.s32",
    "atom.global.min.u32", "atom.global.or.b32", "atom.global.sys.add.f64",
    "atom.global.sys.add.u32", "atom.global.sys.and.b32", "atom.global.sys.cas.b32",
    "atom.global.sys.dec.u32", "atom.global.sys.exch.b32", "atom.global.sys.inc.u32",
    "atom.global.sys.max.s32", "atom.global.sys.min.s32", "atom.global.sys.or.b32",
    "atom.global.sys.xor.b32", "atom.global.xor.b32", "atom.global.xor.b64",
    "atom.or.acq_rel.cta.b32", "atom.shared.add.f32", "atom.shared.add.f64", "atom.shared.add.u32",
    "atom.shared.exch.b32", "atom.shared.or.b32", "cvta.global.u64", "cvta.local.u64",
    "cvta.shared.u64", "cvta.to.global.u64", "cvta.to.local.u64", "fence.sc.cta",
    "ld.acquire.cta.b64", "ld.acquire.cta.u32", "ld.acquire.gpu.u32", "ld.acquire.sys.global.u8",
    "ld.ca.u32", "ld.cg.u32", "ld.const.f32", "ld.const.f64", "ld.const.u16", "ld.const.u32",
    "ld.const.u64", "ld.const.u8", "ld.const.v2.u32", "ld.const.v4.f32", "ld.f32", "ld.global.f32",
    "ld.global.f64", "ld.global.nc.f32", "ld.global.nc.f64", "ld.global.nc.u16", "ld.global.nc.u32",
    "ld.global.nc.u64", "ld.global.nc.u8", "ld.global.nc.v2.f32", "ld.global.nc.v2.f64",
    "ld.global.nc.v2.u32", "ld.global.nc.v4.f32", "ld.global.nc.v4.u32", "ld.global.s32",
    "ld.global.s8", "ld.global.u16", "ld.global.u32", "ld.global.u64", "ld.global.u8",
    "ld.global.v2.f32", "ld.global.v2.f64", "ld.global.v2.u32", "ld.global.v4.f32",
    "ld.global.v4.u16", "ld.global.v4.u32", "ld.global.v4.u8", "ld.local.f32", "ld.local.f64",
    "ld.local.s8", "ld.local.u32", "ld.local.u64", "ld.local.u8", "ld.local.v4.f32",
    "ld.local.v4.u8", "ld.param.b32", "ld.param.b64", "ld.param.f32", "ld.param.f64",
    "ld.param.s16", "ld.param.s32", "ld.param.s8", "ld.param.u16", "ld.param.u32", "ld.param.u64",
    "ld.param.u8", "ld.param.v2.f32", "ld.param.v2.u32", "ld.param.v2.u8", "ld.param.v4.u8",
    "ld.relaxed.cta.b32", "ld.relaxed.gpu.u32", "ld.relaxed.gpu.v2.u32", "ld.relaxed.gpu.v2.u64",
    "ld.relaxed.sys.b64", "ld.shared.f32", "ld.shared.f64", "ld.shared.s16", "ld.shared.s32",
    "ld.shared.s8", "ld.shared.u16", "ld.shared.u32", "ld.shared.u64", "ld.shared.u8",
    "ld.shared.v2.f32", "ld.shared.v2.f64", "ld.shared.v2.u16", "ld.shared.v2.u32",
    "ld.shared.v2.u64", "ld.shared.v4.f32", "ld.shared.v4.u32", "ld.shared.v4.u8", "ld.u32",
    "ld.u64", "ld.v2.f32", "ld.volatile.global.f32", "ld.volatile.global.u32",
    "ld.volatile.global.u8", "ld.volatile.global.v4.u32", "ld.volatile.shared.f32",
    "ld.volatile.shared.u32", "ld.volatile.u32", "membar.cta", "membar.gl", "membar.sys",
    "red.and.release.cta.b32", "st.cg.u32", "st.f32", "st.f64", "st.global.f32", "st.global.f64",
    "st.global.u16", "st.global.u32", "st.global.u64", "st.global.u8", "st.global.v2.f32",
    "st.global.v2.f64", "st.global.v2.u32", "st.global.v2.u64", "st.global.v2.u8",
    "st.global.v4.f32", "st.global.v4.u32", "st.global.v4.u8", "st.local.f32", "st.local.f64",
    "st.local.u32", "st.local.u64", "st.local.u8", "st.local.v2.f32", "st.local.v2.u32",
    "st.local.v2.u64", "st.local.v2.u8", "st.local.v4.f32", "st.local.v4.u16", "st.local.v4.u32",
    "st.local.v4.u8", "st.param.b32", "st.param.b64", "st.param.f32", "st.param.f64",
    "st.relaxed.cta.b32", "st.relaxed.gpu.v2.u32", "st.relaxed.gpu.v2.u64", "st.release.gpu.u32",
    "st.release.sys.global.u8", "st.shared.f32", "st.shared.f64", "st.shared.u16", "st.shared.u32",
    "st.shared.u64", "st.shared.u8", "st.shared.v2.f32", "st.shared.v2.u16", "st.shared.v2.u32",
    "st.shared.v4.u32", "st.shared.v4.u8", "st.u32", "st.u64", "st.volatile.global.f32",
    "st.volatile.global.u32", "st.volatile.global.u8", "st.volatile.shared.f32",
    "st.volatile.shared.u32", "st.volatile.u32", "tex.1d.v4.f32.f32", "tex.1d.v4.f32.s32",
    "tex.1d.v4.s32.s32", "tex.1d.v4.u32.s32", "tex.2d.v4.f32.f32", "tex.2d.v4.s32.f32",
    "tex.2d.v4.u32.f32", "tex.3d.v4.f32.f32", "tex.a2d.v4.f32.f32", "tex.cube.v4.f32.f32",
    "tex.level.2d.v4.f32.f32",
};
/* clang-format on */

static void every_memory_form_of_public_programs_is_found(void)
{
    mem_rig_all_are_found(public_forms, sizeof public_forms / sizeof public_forms[0]);
}

static void modifiers_and_hints_are_understood(void)
{
    static const char *const forms[] = {"ld.global.L1::no_allocate.L2::128B.v4.f32",
                                        "ld.weak.global.cs.b64",
                                        "ld.mmio.relaxed.sys.global.u32",
                                        "ld.global.nc.L1::evict_last.s16",
                                        "ldu.global.v2.f32",
                                        "st.global.wt.b8",
                                        "st.release.cluster.global.f64",
                                        "prefetch.global.L1",
                                        "prefetch.local.L2",
                                        "prefetchu.L1",
                                        "prefetch.global.L2::evict_last",
                                        "membar.cta",
                                        "membar.gl",
                                        "membar.sys",
                                        "fence.sc.gpu",
                                        "fence.acq_rel.sys",
                                        "fence.proxy.async",
                                        "fence.proxy.alias",
                                        "discard.global.L2",
                                        "applypriority.global.L2::evict_normal",
                                        "ld.param::entry.u32",
                                        "ld.param::func.u32",
                                        "st.param.v4.f32",
                                        "st.param::func.b64"};
    mem_rig_all_are_found(forms, sizeof forms / sizeof forms[0]);
    struct op_desc d;
    struct err e = {0};
    CHECK(mem_rig_find(0, "ld.global.cg.u32", &d, &e));
    CHECK_EQ(d.flags, INSN_LOAD | INSN_MEM | INSN_BYPASS_L1);
    CHECK(mem_rig_find(0, "ld.global.ca.u32", &d, &e));
    CHECK_EQ(d.flags, INSN_LOAD | INSN_MEM);
    CHECK(mem_rig_find(0, "ld.volatile.f64", &d, &e));
    CHECK_EQ(d.flags, INSN_LOAD | INSN_MEM | INSN_MULTI | INSN_BYPASS_L1);
    CHECK(mem_rig_find(0, "st.shared.v2.u16", &d, &e));
    CHECK_EQ(d.flags, INSN_STORE | INSN_MEM);
    CHECK_EQ(d.size, 4);
    CHECK_EQ(d.vec, 2);
    CHECK_EQ(d.elem, 'h');
    CHECK(mem_rig_find(0, "fence.sc.cta", &d, &e));
    CHECK_EQ(d.flags, INSN_FENCE);
    CHECK(mem_rig_find(0, "ld.global.L2::cache_hint.u32", &d, &e));
    CHECK_STR(d.operands, "VAd");
}

static void what_is_not_here_is_refused_by_name(void)
{
    mem_rig_is_refused("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", "tensor cores");
    mem_rig_is_refused("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", "tensor cores");
    mem_rig_is_refused("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "tensor cores");
    mem_rig_is_refused("sust.b.2d.b32.trap", "surfaces");
    mem_rig_is_refused("cp.async.ca.shared.global", "asynchronous copies");
    mem_rig_is_refused("st.async.weak.shared::cluster.b32", "asynchronous copies");
    mem_rig_is_refused("mbarrier.init.shared.b64", "asynchronous barriers");
    mem_rig_is_refused("mapa.shared::cluster.u32", "clusters");
    mem_rig_is_refused("barrier.cluster.arrive", "clusters");
    mem_rig_is_refused("ld.shared::cluster.u32", "clusters");
    mem_rig_is_refused("ld.global.b128", "128-bit");
    mem_rig_is_refused("st.const.u32", "cannot be written");
    mem_rig_is_refused("ld.global", "lacks a type");
    mem_rig_is_refused("ld.global.u32.sideways", ".sideways is not possible");
    mem_rig_is_refused("ld.global.shared.u32", ".shared is not possible");
    mem_rig_is_refused("ld.global.v8.f64", "more than 32 bytes");
    mem_rig_is_refused("cvta.shared", "cvta wants");
    mem_rig_is_refused("membar.sideways", ".sideways");
}

CHECK_MAIN("lanes_mem_find", TEST(every_memory_form_of_public_programs_is_found),
           TEST(modifiers_and_hints_are_understood), TEST(what_is_not_here_is_refused_by_name))
