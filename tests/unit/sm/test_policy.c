/* Warp schedulers by name, and the turn of round robin. */
#include "check.h"

#include "base/rng.h"
#include "sm/policy.h"

static void all_policies_are_found_by_name_and_no_others(void)
{
    static const char *const names[] = {"gto", "lrr", "two_level"};
    for (int i = 0; i < 3; i++) {
        const struct warp_policy *p = warp_policy_find(names[i]);
        CHECK(p != NULL);
        CHECK_STR(p->name, names[i]);
        CHECK(p->help[0] != '\0');
    }
    CHECK(warp_policy_find("oldest") == NULL);
    CHECK(warp_policy_find("") == NULL);
    CHECK(warp_policy_count >= 3);
}

static void names_of_policies_are_distinct(void)
{
    for (int i = 0; i < warp_policy_count; i++)
        CHECK(warp_policy_find(warp_policy_all[i]->name) == warp_policy_all[i]);
}

static void the_next_position_goes_round(void)
{
    CHECK_EQ(policy_next(0x15, 0), 0);
    CHECK_EQ(policy_next(0x15, 1), 2);
    CHECK_EQ(policy_next(0x15, 2), 2);
    CHECK_EQ(policy_next(0x15, 3), 4);
    CHECK_EQ(policy_next(0x15, 5), 0);
    CHECK_EQ(policy_next(0x14, 5), 2);
}

static void the_next_position_reaches_both_ends_of_the_mask(void)
{
    CHECK_EQ(policy_next(1ull << 63, 0), 63);
    CHECK_EQ(policy_next(1ull << 63, 63), 63);
    CHECK_EQ(policy_next(1ull << 63 | 1, 64), 0);
    CHECK_EQ(policy_next(UINT64_MAX, 63), 63);
}

static void what_stays_is_closed_up(void)
{
    CHECK_EQ(policy_squeeze(0xb5, 0xff), 0xb5);
    CHECK_EQ(policy_squeeze(0xb5, 0xf0), 0xb);
    CHECK_EQ(policy_squeeze(0xb5, 0x91), 0x7);
    CHECK_EQ(policy_squeeze(1ull << 63, 1ull << 63 | 1), 2);
    CHECK_EQ(policy_squeeze(UINT64_MAX, 0), 0);
    CHECK_EQ(policy_squeeze(UINT64_MAX, UINT64_MAX), UINT64_MAX);
}

static void what_stays_keeps_its_order_whatever_leaves(void)
{
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t mask = rng_at(1, i), keep = rng_at(2, i) | rng_at(3, i), slow = 0;
        keep = i % 3 ? keep : keep & rng_at(4, i) & rng_at(5, i);
        for (uint32_t from = 0, to = 0; from < WARP_POSITIONS; from++)
            if (keep >> from & 1)
                slow |= (mask >> from & 1) << to++;
        CHECK_EQ(policy_squeeze(mask, keep), slow);
    }
}

CHECK_MAIN("policy", TEST(all_policies_are_found_by_name_and_no_others),
           TEST(names_of_policies_are_distinct), TEST(the_next_position_goes_round),
           TEST(the_next_position_reaches_both_ends_of_the_mask), TEST(what_stays_is_closed_up),
           TEST(what_stays_keeps_its_order_whatever_leaves))
