/* Branches: to what follows, around little, and where lanes can part. */
#include "check.h"
#include "rig/asm_rig.h"

#define DATA "ld.global.f32 %f1, [%at]; setp.gt.f32 %p1, %f1, 0f40000000; "
#define UNIFORM "setp.gt.u32 %p1, %n, 7; "
#define FMA "fma.rn.f32 %f1, %f1, %f1, %f1; "
#define FMA4 FMA FMA FMA FMA
#define END "L: bar.sync 0; st.global.f32 [%at+4], %f1;"

static void a_branch_to_what_follows_is_not_there(void)
{
    CHECK_SLOTS("bra.uni L; L: st.global.u32 [%at], %i;", " tx");
}

static void a_branch_over_a_jump_is_one(void)
{
    CHECK_SLOTS(UNIFORM "@%p1 bra M; bra.uni L; M: atom.global.add.u32 %a1, "
                        "[%at], %i; L: bar.sync 0;",
                "rij a B x");
}

static void a_few_instructions_are_predicated(void)
{
    CHECK_SLOTS(DATA "@%p1 bra L; " FMA4 FMA4 END, "gc ffffffff B tx");
    CHECK_SLOTS(DATA "@%p1 bra L; " FMA4 FMA4 FMA END, "gcjjj fffffffff jB tx");
    CHECK_SLOTS(DATA "@%p1 bra M; " FMA "bra.uni L; M: " FMA FMA END, "gc f ff B tx");
}

static void a_load_is_predicated_only_with_another(void)
{
    CHECK_SLOTS(DATA "@%p1 bra L; ld.global.f32 %f1, [%at+8]; " END, "gcjjj g jB tx");
    CHECK_SLOTS(DATA "@%p1 bra M; ld.global.f32 %f1, [%at+8]; bra.uni L; "
                     "M: ld.global.f32 %f1, [%at+12];" END,
                "gc g g B tx");
    CHECK_SLOTS(DATA "@%p1 bra M; ld.global.f32 %f1, [%at+8]; "
                     "M: setp.lt.u32 %p2, %i, 9; @%p2 bra L; "
                     "ld.global.f32 %f2, [%at+12]; st.global.f32 [%at], %f2;" END,
                "gc g i gt B tx");
}

static void lanes_that_cannot_part_do_not_wait(void)
{
    CHECK_SLOTS("ld.global.f32 %f1, [%at]; " UNIFORM "@%p1 bra L; " FMA4 FMA4 FMA END,
                "grij fffffffff B tx");
}

static void at_the_end_nobody_waits(void)
{
    CHECK_SLOTS(DATA "@%p1 bra L; atom.global.add.u32 %a1, [%at], 1; L:", "gcj ra x");
}

static void a_barrier_of_a_loop_is_named_before_it(void)
{
    CHECK_SLOTS("ld.global.u32 %a1, [%at]; L: atom.global.add.u32 %a2, [%at], "
                "%i; add.s32 %a1, %a1, -1;\n"
                "setp.ne.s32 %p1, %a1, 0; @%p1 bra L; bar.sync 0;",
                "gjj aiij jB x");
}

static void two_branches_with_little_between_are_one(void)
{
    CHECK_SLOTS(DATA "@%p1 bra L; setp.lt.u32 %p2, %i, 9; @%p2 bra L; "
                     "atom.global.add.u32 %a1, [%at], %i; " END,
                "gc ijjj a jB tx");
    CHECK_SLOTS(DATA "@%p1 bra L; " FMA4 "setp.lt.f32 %p2, %f1, 0f00000000; @%p2 bra L; "
                     "atom.global.add.u32 %a1, [%at], %i; " END,
                "gcjjj ffffcj a jB tx");
}

CHECK_MAIN("assemble_branch", TEST(a_branch_to_what_follows_is_not_there),
           TEST(a_branch_over_a_jump_is_one), TEST(a_few_instructions_are_predicated),
           TEST(a_load_is_predicated_only_with_another), TEST(lanes_that_cannot_part_do_not_wait),
           TEST(at_the_end_nobody_waits), TEST(a_barrier_of_a_loop_is_named_before_it),
           TEST(two_branches_with_little_between_are_one))
