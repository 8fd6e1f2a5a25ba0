#include "check.h"
#include "rig/policy_rig.h"
#include "rig/rrip_model.h"

/* The paper's mixed pattern: a and b are used twice, so that the four lines of a scan, which are
 * not, leave before them. */
static void a_scan_does_not_push_out_what_was_used_again(void)
{
    struct policy_rig r;
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "srrip", .sets = 1, .ways = 4});
    policy_rig_use_all(&r, "aabb"); /* values 0 0 - - */
    policy_rig_use_all(&r, "wxyz"); /* one after another in the ways 2 and 3 */
    const char *now = policy_rig_text(&r, 0);
    CHECK(now[0] == 'a' && now[1] == 'b');
    policy_rig_close(&r);
}

/* 4 ways, M = 2.     a    b    c    d
 * abcd filled        2    2    2    2
 * a, c hit           0    2    0    2
 * e: all up by one   1    3    1    3     b, the first with 3, goes: 1 2 1 3
 * f: d has 3         1    2    1    2
 * g: all up by one   2    3    2    3     e goes: 2 2 2 3, then h takes f
 * i: all up by one   3    3    3    3     a goes */
static void four_ways_by_hand(void)
{
    struct policy_rig r;
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "srrip", .sets = 1, .ways = 4});
    policy_rig_use_all(&r, "abcdac");
    CHECK_EQ(policy_rig_use(&r, 'e'), 1);
    CHECK_EQ(policy_rig_use(&r, 'f'), 3);
    CHECK_EQ(policy_rig_use(&r, 'g'), 1);
    CHECK_EQ(policy_rig_use(&r, 'h'), 3);
    CHECK_EQ(policy_rig_use(&r, 'i'), 0);
    policy_rig_close(&r);
}

static void a_line_on_its_way_grows_old_and_stays(void)
{
    struct policy_rig r;
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "srrip", .sets = 1, .ways = 2});
    policy_rig_use_all(&r, "ab");
    policy_rig_hold(&r, 'a', true);
    CHECK_EQ(policy_rig_use(&r, 'c'), 1); /* 3 and 2 now */
    policy_rig_hold(&r, 'a', false);
    CHECK_EQ(policy_rig_use(&r, 'd'), 0);
    policy_rig_close(&r);
}

/* ---- the model ---- */

static uint32_t victim(void *state, uint32_t set, const bool *may_leave)
{
    return rrip_model_victim(state, set, may_leave);
}

static void used(void *state, uint32_t set, uint32_t way)
{
    ((struct rrip_model *)state)->rrpv[set][way] = 0;
}

static void filled(void *state, uint32_t set, uint32_t way)
{
    struct rrip_model *m = state;
    m->rrpv[set][way] = m->most - 1;
}

static void random_uses_agree_with_the_steps_of_the_paper(void)
{
    static const uint32_t ways[] = {1, 2, 3, 4, 7, 16, 24};
    static const char *const bits[] = {"srrip.bits=1", "srrip.bits=2", "srrip.bits=3",
                                       "srrip.bits=7"};
    static const uint32_t most[] = {1, 3, 7, 127};
    static struct rrip_model state;
    for (uint32_t i = 0; i < 28; i++) {
        const char *const set[] = {bits[i % 4], NULL};
        state = (struct rrip_model){.ways = ways[i / 4], .most = most[i % 4]};
        const struct policy_model m = {&state, victim, used, filled, NULL};
        policy_rig_compare(
            &(struct policy_rig_options){
                .policy = "srrip", .set = set, .sets = 1 + i % 5, .ways = ways[i / 4]},
            &m, i);
    }
}

CHECK_MAIN("policy_srrip", TEST(a_scan_does_not_push_out_what_was_used_again),
           TEST(four_ways_by_hand), TEST(a_line_on_its_way_grows_old_and_stays),
           TEST(random_uses_agree_with_the_steps_of_the_paper))
