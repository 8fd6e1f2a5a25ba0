#include "check.h"
#include "rig/policy_rig.h"

/* Four ways: abcd fill 0 to 3.  After d all bits say left, left: a
 * goes, then of the other half, which was used before the left one: c, then b, then d. */
static void four_ways_by_hand(void)
{
    struct policy_rig r;
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "plru", .sets = 1, .ways = 4});
    policy_rig_use_all(&r, "abcd");
    CHECK_EQ(policy_rig_use(&r, 'e'), 0); /* root: left; left node: a */
    CHECK_EQ(policy_rig_use(&r, 'f'),
             2); /* root: right, as e was left; right node: c, d came later */
    CHECK_EQ(policy_rig_use(&r, 'g'), 1);
    CHECK_EQ(policy_rig_use(&r, 'h'), 3);
    CHECK_EQ(policy_rig_use(&r, 'f'), 2); /* a hit: right half, so left is next, where e is older */
    CHECK_EQ(policy_rig_use(&r, 'i'), 0);
    CHECK_STR(policy_rig_text(&r, 0), "igfh");
    policy_rig_close(&r);
}

/* Where it is not LRU: a is the youngest but one, yet the bits above b, c, d forget that. */
static void it_is_not_lru(void)
{
    struct policy_rig r;
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "plru", .sets = 1, .ways = 4});
    policy_rig_use_all(&r, "abcdac"); /* LRU would take b; root says left, left node says b */
    CHECK_EQ(policy_rig_use(&r, 'e'), 1);
    policy_rig_use_all(&r, "d"); /* oldest is a; root: left, left node: a */
    CHECK_EQ(policy_rig_use(&r, 'a'), 0);
    policy_rig_use_all(&r, "c"); /* ages: e, d, a, c; root: left, left node: e */
    policy_rig_use_all(&r, "e"); /* now d is the oldest, root: right, right node: d */
    policy_rig_use_all(&r, "c"); /* root: left, left node: a, but d is older */
    CHECK_EQ(policy_rig_use(&r, 'z'), 0);
    policy_rig_close(&r);
}

/* Three ways: the right half of the tree has one. */
static void three_ways_by_hand(void)
{
    struct policy_rig r;
    policy_rig_open(&r, &(struct policy_rig_options){.policy = "plru", .sets = 1, .ways = 3});
    policy_rig_use_all(&r, "abc");
    CHECK_EQ(policy_rig_use(&r, 'd'), 0);
    CHECK_EQ(policy_rig_use(&r, 'e'), 2); /* root: right; there is no way 3 */
    CHECK_EQ(policy_rig_use(&r, 'f'), 1);
    CHECK_EQ(policy_rig_use(&r, 'g'), 2);
    policy_rig_hold(&r, 'd', true);
    CHECK_EQ(policy_rig_use(&r, 'h'), 1); /* root: left, left node: d, which is on its way */
    policy_rig_hold(&r, 'h', true);
    CHECK_EQ(policy_rig_use(&r, 'i'), 2); /* so is the other of that half */
    policy_rig_hold(&r, 'i', true);
    CHECK_EQ(policy_rig_use(&r, 'j'), TAGS_NONE);
    policy_rig_close(&r);
}

/* ---- a model: halves of halves, each with the half that was used last ---- */

struct halves {
    uint32_t ways, all;
    uint8_t last[POLICY_MODEL_SETS][64][65]; /* by first way and size: 1 left, 2 right, 0 neither */
};

static bool has_any(const struct halves *h, uint32_t first, uint32_t size, const bool *may_leave)
{
    for (uint32_t w = first; w < first + size && w < h->ways; w++)
        if (may_leave[w])
            return true;
    return false;
}

static uint32_t find(const struct halves *h, uint32_t set, uint32_t first, uint32_t size,
                     const bool *may_leave)
{
    if (size == 1)
        return first;
    uint32_t half = size / 2;
    bool left = h->last[set][first][size] != 1;
    if (!has_any(h, left ? first : first + half, half, may_leave))
        left = !left;
    return find(h, set, left ? first : first + half, half, may_leave);
}

static uint32_t victim(void *state, uint32_t set, const bool *may_leave)
{
    const struct halves *h = state;
    return find(h, set, 0, h->all, may_leave);
}

static void use(void *state, uint32_t set, uint32_t way)
{
    struct halves *h = state;
    uint32_t first = 0;
    for (uint32_t size = h->all; size > 1; size /= 2) {
        bool is_left = way < first + size / 2;
        h->last[set][first][size] = is_left ? 1 : 2;
        first += is_left ? 0 : size / 2;
    }
}

static void random_uses_agree_with_halves_of_halves(void)
{
    static const uint32_t ways[] = {1, 2, 3, 4, 5, 7, 8, 12, 24, 31}, sets[] = {1, 3, 8};
    static struct halves state;
    for (uint32_t i = 0; i < 30; i++) {
        state = (struct halves){.ways = ways[i / 3], .all = 1};
        while (state.all < state.ways)
            state.all *= 2;
        const struct policy_model m = {&state, victim, use, use, NULL};
        policy_rig_compare(&(struct policy_rig_options){.policy = "plru",
                                                        .sets = sets[i % 3],
                                                        .ways = ways[i / 3]},
                           &m, i);
    }
}

CHECK_MAIN("policy_plru", TEST(four_ways_by_hand), TEST(it_is_not_lru), TEST(three_ways_by_hand),
           TEST(random_uses_agree_with_halves_of_halves))
