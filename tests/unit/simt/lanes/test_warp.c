/* Votes, matches, reductions, shuffles: compared with the definitions of the PTX ISA. */
#include "check.h"
#include "rig/mem_rig.h"

#define FULL UINT32_MAX
enum { P = PRED_FIRST, Q = PRED_FIRST + 1 };

/* --- vote ----------------------------------------------------------------------------------- */

static void votes_look_at_members_that_execute(void)
{
    static const struct {
        uint32_t exec, members, votes;
    } cases[] = {
        {FULL, FULL, 0},
        {FULL, FULL, FULL},
        {FULL, FULL, 0x80000001},
        {0xff, 0xff, 0xff},
        {0xff, 0xff, 0x7f},
        {0xff, FULL, 0xff},
        {0xff, FULL, 0xffffff00},
        {0xf0f0, 0x0ff0, 0x00f0},
        {FULL, 0xffff, 0xffff0000},
        {FULL, 0xffff, 0xffff},
        {0x80000000, FULL, 0x80000000},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        EACH_SET(r, {
            uint32_t exec = cases[c].exec;
            uint32_t who = exec & cases[c].members;
            uint32_t yes = cases[c].votes & who;
            mem_rig_fill32(r, 1, cases[c].members);
            mem_rig_fill32(r, 0, 77);
            r->pred[P] = cases[c].votes;
            struct mem_rig_operands o = {.dst = 0, .src = {P, 1, NONE, NONE}};
            mem_rig_run(r, "vote.sync.ballot.b32", o, exec);
            for (int l = 0; l < 32; l++)
                CHECK_EQ(mem_rig_get32(r, 0, l), exec >> l & 1 ? yes : 77);
            o.dst = Q;
            r->pred[Q] = 0x5a5a5a5a;
            uint32_t rest = 0x5a5a5a5a & ~exec;
            mem_rig_run(r, "vote.sync.all.pred", o, exec);
            CHECK_EQ(r->pred[Q], rest | (yes == who ? exec : 0));
            mem_rig_run(r, "vote.sync.any.pred", o, exec);
            CHECK_EQ(r->pred[Q], rest | (yes ? exec : 0));
            mem_rig_run(r, "vote.sync.uni.pred", o, exec);
            CHECK_EQ(r->pred[Q], rest | (yes == who || !yes ? exec : 0));
        })
}

static void a_vote_can_be_negated_and_needs_no_membermask(void)
{
    EACH_SET(r, {
        r->pred[P] = 0x0f;
        struct mem_rig_operands o = {.dst = 0, .src = {P | PRED_NOT, NONE, NONE, NONE}};
        mem_rig_run(r, "vote.ballot.b32", o, 0xff);
        CHECK_EQ(mem_rig_get32(r, 0, 0), 0xf0);
        o.dst = Q;
        mem_rig_run(r, "vote.all.pred", o, 0xf0);
        CHECK_EQ(r->pred[Q], 0xf0);
        mem_rig_run(r, "vote.any.pred", o, 0x0f);
        CHECK_EQ(r->pred[Q], 0xf0);
        mem_rig_run(r, "vote.uni.pred", o, 0xff);
        CHECK_EQ(r->pred[Q], 0);
    })
}

static void groups_with_masks_of_their_own_vote_apart(void)
{
    EACH_SET(r, {
        for (int l = 0; l < 32; l++)
            mem_rig_set32(r, 1, l, 0xffu << (l / 8 * 8));
        r->pred[P] = 0xff00ff01;
        struct mem_rig_operands o = {.dst = 0, .src = {P, 1, NONE, NONE}};
        r->check = true;
        mem_rig_run(r, "vote.ballot.sync.b32", o, FULL);
        CHECK_STR(r->fault, "");
        CHECK_EQ(mem_rig_get32(r, 0, 3), 0x01);
        CHECK_EQ(mem_rig_get32(r, 0, 12), 0xff00);
        CHECK_EQ(mem_rig_get32(r, 0, 20), 0);
        o.dst = Q;
        mem_rig_run(r, "vote.sync.all.pred", o, FULL);
        CHECK_EQ(r->pred[Q], 0xff00ff00);
    })
}

/* --- match, redux --------------------------------------------------------------------------- */

static void match_finds_the_lanes_with_the_same_value(void)
{
    EACH_SET(r, {
        uint32_t exec = 0xfffff0ff;
        mem_rig_fill32(r, 2, FULL);
        for (int l = 0; l < 32; l++) {
            mem_rig_set32(r, 1, l, (uint32_t)(l % 5));
            mem_rig_set64(r, 3, l, (uint64_t)(l % 3) << 40);
        }
        struct mem_rig_operands o = {.dst = 0, .dst2 = P, .src = {1, 2, NONE, NONE}};
        mem_rig_run(r, "match.any.sync.b32", o, exec);
        for (int l = 0; l < 32; l++) {
            uint32_t same = 0;
            for (int k = 0; k < 32; k++)
                same |= (uint32_t)(k % 5 == l % 5) << k;
            if (exec >> l & 1)
                CHECK_EQ(mem_rig_get32(r, 0, l), same & exec);
        }
        o.src[0] = 3;
        mem_rig_run(r, "match.any.sync.b64", o, exec);
        CHECK_EQ(mem_rig_get32(r, 0, 0), 0x49249249 & exec);
        r->pred[P] = FULL;
        mem_rig_run(r, "match.all.sync.b64", o, exec);
        CHECK_EQ(mem_rig_get32(r, 0, 0), 0);
        CHECK_EQ(r->pred[P], ~exec);
        mem_rig_fill64(r, 3, 1);
        mem_rig_run(r, "match.all.sync.b64", o, exec);
        CHECK_EQ(mem_rig_get32(r, 0, 31), exec);
        CHECK_EQ(r->pred[P], FULL);
        o.src[0] = 1;
        o.dst2 = NONE;
        mem_rig_run(r, "match.all.sync.b32", o, exec);
        CHECK_EQ(mem_rig_get32(r, 0, 31), 0);
    })
}

static void reductions_give_every_member_the_result(void)
{
    static const struct {
        const char *opcode;
        uint32_t expected; /* of 5, -3, 12 in lanes 1, 4, 30 */
    } cases[] = {
        {"redux.sync.add.u32", 14},         {"redux.sync.add.s32", 14},
        {"redux.sync.min.u32", 5},          {"redux.sync.min.s32", 0xfffffffd},
        {"redux.sync.max.u32", 0xfffffffd}, {"redux.sync.max.s32", 12},
        {"redux.sync.and.b32", 4},          {"redux.sync.or.b32", 0xfffffffd},
        {"redux.sync.xor.b32", 0xfffffff4},
    };
    uint32_t exec = 1u << 1 | 1u << 4 | 1u << 30;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        EACH_SET(r, {
            mem_rig_fill32(r, 1, 0x12345678);
            mem_rig_set32(r, 1, 1, 5);
            mem_rig_set32(r, 1, 4, 0xfffffffd);
            mem_rig_set32(r, 1, 30, 12);
            mem_rig_fill32(r, 2, exec);
            mem_rig_fill32(r, 0, 1);
            mem_rig_run(r, cases[c].opcode,
                        (struct mem_rig_operands){.dst = 0, .src = {1, 2, NONE, NONE}}, exec);
            for (int l = 0; l < 32; l++)
                CHECK_EQ(mem_rig_get32(r, 0, l), exec >> l & 1 ? cases[c].expected : 1);
        })
}

static void reductions_of_disjoint_groups_are_apart(void)
{
    EACH_SET(r, {
        for (int l = 0; l < 32; l++) {
            mem_rig_set32(r, 1, l, 1u + (uint32_t)(l & 1));
            mem_rig_set32(r, 2, l, l & 1 ? 0xaaaaaaaa : 0x55555555);
        }
        mem_rig_run(r, "redux.sync.add.s32",
                    (struct mem_rig_operands){.dst = 1, .src = {1, 2, NONE, NONE}}, FULL);
        for (int l = 0; l < 32; l++)
            CHECK_EQ(mem_rig_get32(r, 1, l), l & 1 ? 32 : 16);
    })
}

/* --- shfl ----------------------------------------------------------------------------------- */

/* The PTX ISA's own description. */
static bool shfl_source(const char *mode, uint32_t lane, uint32_t b, uint32_t c, uint32_t *from)
{
    uint32_t bval = b & 31, cval = c & 31, mask = c >> 8 & 31;
    uint32_t max_lane = (lane & mask) | (cval & ~mask), min_lane = lane & mask;
    int32_t j = 0;
    bool p = false;
    if (strcmp(mode, "up") == 0)
        j = (int32_t)lane - (int32_t)bval, p = j >= (int32_t)max_lane;
    else if (strcmp(mode, "down") == 0)
        j = (int32_t)(lane + bval), p = j <= (int32_t)max_lane;
    else if (strcmp(mode, "bfly") == 0)
        j = (int32_t)(lane ^ bval), p = j <= (int32_t)max_lane;
    else
        j = (int32_t)(min_lane | (bval & ~mask)), p = j <= (int32_t)max_lane;
    *from = p ? (uint32_t)j : lane;
    return p;
}

static void check_shfl(struct mem_rig *r, const char *mode, uint32_t b, uint32_t c, uint32_t exec)
{
    char opcode[32];
    uint32_t in_range = 0;
    snprintf(opcode, sizeof opcode, "shfl.sync.%s.b32", mode);
    for (uint32_t l = 0; l < 32; l++)
        mem_rig_set32(r, 1, (int)l, 500 + l);
    mem_rig_fill32(r, 2, b);
    mem_rig_fill32(r, 3, c);
    mem_rig_fill32(r, 4, exec);
    mem_rig_fill32(r, 0, 9);
    r->pred[P] = 0;
    mem_rig_run(r, opcode, (struct mem_rig_operands){.dst = 0, .dst2 = P, .src = {1, 2, 3, 4}},
                exec);
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t from;
        bool p = shfl_source(mode, l, b, c, &from);
        in_range |= (uint32_t)p << l;
        CHECK_EQ(mem_rig_get32(r, 0, (int)l), exec >> l & 1 ? 500 + from : 9);
    }
    CHECK_EQ(r->pred[P], in_range & exec);
}

static void shuffles_respect_segments_and_clamps(void)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    static const uint32_t clamps[] = {0x1f,   0,      0x101f, 0x181f, 0x1c03,
                                      0x1800, 0x1007, 0x1e01, 0x1f00};
    for (int m = 0; m < 4; m++)
        for (size_t c = 0; c < sizeof clamps / sizeof clamps[0]; c++)
            EACH_SET(r, {
                for (uint32_t b = 0; b < 34; b++)
                    check_shfl(r, modes[m], b, clamps[c], b % 3 ? FULL : 0x7fff8001);
            })
}

static void the_familiar_shuffles_move_what_cuda_says(void)
{
    EACH_SET(r, {
        for (uint32_t l = 0; l < 32; l++)
            mem_rig_set32(r, 1, (int)l, l);
        mem_rig_fill32(r, 2, 1);
        mem_rig_fill32(r, 3, 0x1f);
        struct mem_rig_operands o = {.dst = 0, .dst2 = NONE, .src = {1, 2, 3, NONE}};
        mem_rig_run(r, "shfl.down.b32", o, FULL); /* __shfl_down(x, 1) */
        CHECK_EQ(mem_rig_get32(r, 0, 0), 1);
        CHECK_EQ(mem_rig_get32(r, 0, 31), 31);
        mem_rig_fill32(r, 3, 0);
        mem_rig_run(r, "shfl.up.b32", o, FULL);
        CHECK_EQ(mem_rig_get32(r, 0, 0), 0);
        CHECK_EQ(mem_rig_get32(r, 0, 31), 30);
        mem_rig_fill32(r, 3, 0x1f);
        o.dst = 1; /* in place */
        mem_rig_run(r, "shfl.bfly.b32", o, FULL);
        CHECK_EQ(mem_rig_get32(r, 1, 6), 7);
        CHECK_EQ(mem_rig_get32(r, 1, 7), 6);
        mem_rig_run(r, "shfl.idx.b32", o, FULL);
        CHECK_EQ(mem_rig_get32(r, 1, 19), 0); /* lane 1 holds 0 by now */
    })
}

/* --- the rest ------------------------------------------------------------------------------- */

static void activemask_and_elect_see_the_executing_lanes(void)
{
    EACH_SET(r, {
        uint32_t exec = 0xf0f00;
        mem_rig_run(r, "activemask.b32", (struct mem_rig_operands){.dst = 0}, exec);
        CHECK_EQ(mem_rig_get32(r, 0, 8), exec);
        CHECK_EQ(mem_rig_get32(r, 0, 0), 0);
        mem_rig_fill32(r, 1, FULL);
        r->pred[P] = 0;
        mem_rig_run(r, "elect.sync",
                    (struct mem_rig_operands){.dst = 0, .dst2 = P, .src = {1, NONE, NONE, NONE}},
                    exec);
        CHECK_EQ(mem_rig_get32(r, 0, 19), 8);
        CHECK_EQ(r->pred[P], 1u << 8);
    })
}

static void membermasks_are_checked_under_check(void)
{
    EACH_SET(r, {
        mem_rig_fill32(r, 1, FULL);
        struct mem_rig_operands o = {.src = {1, NONE, NONE, NONE}};
        mem_rig_run(r, "bar.warp.sync", o, 0xff);
        CHECK_STR(r->fault, "");
        r->check = true;
        mem_rig_run(r, "bar.warp.sync", o, 0xff);
        CHECK(strstr(r->fault, "names lanes that do not take part") != NULL);
        r->live = 0xff; /* lanes that have exited need not come */
        mem_rig_run(r, "bar.warp.sync", o, 0xff);
        CHECK_STR(r->fault, "");
        mem_rig_fill32(r, 1, 0xfe);
        mem_rig_run(r, "barrier.warp.sync", o, 0xff);
        CHECK(strstr(r->fault, "thread (0,0,0): membermask 0x000000fe: lacks the lane itself"));
    })
}

static void every_warp_form_of_public_programs_is_found(void)
{
    static const char *const forms[] = {
        "activemask.b32",
        "bar.warp.sync",
        "match.any.sync.b32",
        "match.any.sync.b64",
        "nanosleep.u32",
        "shfl.sync.bfly.b32",
        "shfl.sync.down.b32",
        "shfl.sync.idx.b32",
        "shfl.sync.up.b32",
        "vote.ballot.sync.b32",
        "vote.sync.all.pred",
        "vote.sync.any.pred",
        "vote.sync.ballot.b32",
        "pmevent",
        "griddepcontrol.wait",
        "redux.sync.add.s32",
        "setmaxnreg.inc.sync.aligned.u32",
    };
    mem_rig_all_are_found(forms, sizeof forms / sizeof forms[0]);
    mem_rig_is_refused("shfl.sync.sideways.b32", "is not known");
    mem_rig_is_refused("redux.sync.min.f32", "is not known");
    struct op_desc d;
    struct err e = {0};
    CHECK(!mem_rig_find(0, "bar.sync", &d, &e)); /* a barrier of the CTA is not ours */
    CHECK(strstr(e.text, "nobody") != NULL);
}

CHECK_MAIN("lanes_warp", TEST(votes_look_at_members_that_execute),
           TEST(a_vote_can_be_negated_and_needs_no_membermask),
           TEST(groups_with_masks_of_their_own_vote_apart),
           TEST(match_finds_the_lanes_with_the_same_value),
           TEST(reductions_give_every_member_the_result),
           TEST(reductions_of_disjoint_groups_are_apart),
           TEST(shuffles_respect_segments_and_clamps),
           TEST(the_familiar_shuffles_move_what_cuda_says),
           TEST(activemask_and_elect_see_the_executing_lanes),
           TEST(membermasks_are_checked_under_check),
           TEST(every_warp_form_of_public_programs_is_found))
