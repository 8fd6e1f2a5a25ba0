#include "check.h"
#include "rig/policy_rig.h"
#include "rig/rrip_model.h"

/* ---- the model ---- */

enum role { FOLLOWS, LEADS_SRRIP, LEADS_BRRIP };

struct duel {
    struct rrip_model r;
    enum role role[POLICY_MODEL_SETS];
    uint32_t psel, top, epsilon, brrip;
};

static void appoint(struct duel *d, uint32_t sets, uint32_t leaders)
{
    while (leaders > 0 && 2 * leaders > sets)
        leaders--;
    for (uint32_t i = 0; i < leaders; i++) {
        uint32_t size = sets / leaders;
        d->role[i * size] = LEADS_SRRIP;
        d->role[i * size + size - 1] = LEADS_BRRIP;
    }
}

static uint32_t victim(void *state, uint32_t set, const bool *may_leave)
{
    return rrip_model_victim(&((struct duel *)state)->r, set, may_leave);
}

static void used(void *state, uint32_t set, uint32_t way)
{
    ((struct duel *)state)->r.rrpv[set][way] = 0;
}

static void filled(void *state, uint32_t set, uint32_t way)
{
    struct duel *d = state;
    bool is_brrip =
        d->role[set] == LEADS_BRRIP || (d->role[set] == FOLLOWS && 2 * d->psel > d->top);
    if (d->role[set] == LEADS_SRRIP && d->psel < d->top)
        d->psel++;
    if (d->role[set] == LEADS_BRRIP && d->psel > 0)
        d->psel--;
    d->r.rrpv[set][way] = d->r.most - 1;
    if (is_brrip && ++d->brrip % d->epsilon != 0)
        d->r.rrpv[set][way] = d->r.most;
}

static void compare(uint32_t i, uint32_t sets, uint32_t ways, uint32_t leaders, uint32_t made)
{
    static struct duel state;
    char psel[32], lead[32], epsilon[32];
    uint32_t psel_bits = 1 + i % 6, one_of = 1 + i % 7;
    snprintf(psel, sizeof psel, "drrip.psel_bits=%u", psel_bits);
    snprintf(lead, sizeof lead, "drrip.leaders=%u", leaders);
    snprintf(epsilon, sizeof epsilon, "drrip.epsilon=%u", one_of);
    const char *const set[] = {psel, lead, epsilon, i % 2 ? "drrip.bits=3" : "drrip.bits=2", NULL};
    state = (struct duel){.r = {.ways = ways, .most = i % 2 ? 7 : 3},
                          .top = (1u << psel_bits) - 1,
                          .epsilon = one_of};
    state.psel = state.top / 2;
    appoint(&state, sets, leaders);
    const struct policy_model m = {&state, victim, used, filled, NULL};
    policy_rig_compare(
        &(struct policy_rig_options){
            .policy = "drrip", .set = set, .sets = sets, .ways = ways, .made_sets = made},
        &m, i);
}

static void random_uses_agree_with_a_duel_of_two_models(void)
{
    static const uint32_t sets[] = {1, 2, 5, 16, 64}, ways[] = {1, 2, 3, 4, 7};
    for (uint32_t i = 0; i < 50; i++)
        compare(i, sets[i % 5], ways[i / 5 % 5], 1 + i % 9, 0);
}

static void a_cache_that_was_made_larger_has_the_leaders_of_its_size(void)
{
    static const uint32_t sets[] = {1, 2, 5, 16, 63}, ways[] = {1, 2, 3, 4, 7};
    for (uint32_t i = 0; i < 50; i++)
        compare(i, sets[i % 5], ways[i / 5 % 5], 1 + i % 9, 64);
}

/* ---- what it is for ---- */

/* Hits of going round `lines` lines, `rounds` times. */
static uint32_t hits_of(const char *policy, uint32_t lines, uint32_t rounds)
{
    const char *const set[] = {"drrip.leaders=4", NULL};
    struct policy_rig r;
    uint32_t hits = 0;
    policy_rig_open(
        &r, &(struct policy_rig_options){.policy = policy, .set = set, .sets = 64, .ways = 4});
    for (uint64_t n = 0; n < (uint64_t)lines * rounds; n++) {
        hits += tags_find(&r.tags, n % lines * 128) != TAGS_NONE;
        policy_rig_use(&r, n % lines);
    }
    policy_rig_close(&r);
    return hits;
}

/* A cyclic pattern larger than the cache thrashes under LRU and SRRIP; DRRIP keeps a
 * part of it.  256 lines fit. */
static void a_cycle_that_does_not_fit_is_kept_in_part(void)
{
    CHECK_EQ(hits_of("lru", 384, 40), 0);
    CHECK(hits_of("srrip", 384, 40) < 384 * 40 / 20);
    CHECK(hits_of("drrip", 384, 40) > 384 * 40 / 4);
    CHECK_EQ(hits_of("drrip", 256, 10), 256 * 9); /* and one that fits stays */
}

CHECK_MAIN("policy_drrip", TEST(random_uses_agree_with_a_duel_of_two_models),
           TEST(a_cache_that_was_made_larger_has_the_leaders_of_its_size),
           TEST(a_cycle_that_does_not_fit_is_kept_in_part))
