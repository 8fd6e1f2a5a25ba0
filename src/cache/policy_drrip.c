/* policy_drrip.c - dynamic re-reference interval prediction (Jaleel et al., "High Performance Cache
 * Replacement Using Re-Reference Interval Prediction (RRIP)", ISCA 2010, "Dynamic RRIP"): the
 * better of SRRIP and BRRIP, found by set dueling (Qureshi et al., "Adaptive Insertion Policies for
 * High Performance Caching", ISCA 2007, "Set Dueling").
 *
 * SRRIP gives a new line the value 2^M - 2.  BRRIP gives it 2^M - 1, so that it leaves at once unless
 * it is hit, and 2^M - 2 in one of `epsilon` fills, here every epsilon-th.  `leaders` sets always do
 * the one, as many the other; a fill of a leader counts as its policy's miss in PSEL, up for SRRIP,
 * down for BRRIP, between 0 and 2^p - 1; the other sets do as BRRIP when its highest bit is one.  It
 * begins one below that.
 *
 * Of `sets` sets in `leaders` groups of neighbours, the first of each group leads for SRRIP and the
 * last for BRRIP; a group has two sets at least, so small caches have fewer leaders, and a cache of
 * one set has none: it stays with SRRIP.  A cache that is given another number of sets (tags_resize)
 * appoints its leaders anew; PSEL stays, as the kernels after may be like the one before. */
#include "cache/rrip.h"

#define DRRIP_ROWS(F, id)                                                                          \
    F(id, INT, bits, "2", 1, 7, "bit", "of a prediction (M)")                                      \
    F(id, INT, psel_bits, "10", 1, 30, "bit", "of the counter that chooses")                       \
    F(id, INT, leaders, "32", 1, 1e6, "set", "that always follow SRRIP, and as many BRRIP")        \
    F(id, INT, epsilon, "32", 1, 1e6, "fill", "of BRRIP of which one is given a chance")
CFG_STRUCT(drrip, DRRIP_ROWS)
CFG_SECTION(drrip, DRRIP_ROWS, "cache policy drrip")

struct drrip {
    struct rrip r;
    const struct tags *tags;
    uint32_t leaders;
    uint32_t sets;          /* that `group` and `groups` are for */
    uint32_t group, groups; /* sets of a group; 0 groups: no leaders */
    uint32_t psel, most;
    uint32_t epsilon, brrip_fills; /* brrip_fills: since the last that had a chance */
};

static void appoint(struct drrip *d, uint32_t sets)
{
    d->sets = sets;
    d->groups = d->leaders < sets / 2 ? d->leaders : sets / 2;
    d->group = d->groups ? sets / d->groups : 1;
}

static void *init(struct arena *a, const struct cache_shape *shape, const struct config *cfg)
{
    const struct drrip_spec *s = config_get(cfg, &drrip_section);
    struct drrip *d = ARENA_NEW(a, struct drrip);
    rrip_init(&d->r, a, shape, (uint32_t)s->bits);
    d->tags = shape->tags;
    d->leaders = (uint32_t)s->leaders;
    appoint(d, shape->sets);
    d->most = (1u << s->psel_bits) - 1;
    d->psel = d->most / 2;
    d->epsilon = (uint32_t)s->epsilon;
    return d;
}

static uint32_t victim(const void *state, const struct cache_ask *ask, const struct cache_set *set)
{
    (void)ask;
    return rrip_victim(&((const struct drrip *)state)->r, set);
}

static void used(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct drrip *d = state;
    (void)ask;
    d->r.rrpv[line] = 0;
}

/* Whether the fill of this set is BRRIP's, counting the miss of a leader. */
static bool is_brrip(struct drrip *d, uint32_t set)
{
    if (set / d->group < d->groups && set % d->group == 0) {
        d->psel += d->psel < d->most;
        return false;
    }
    if (set / d->group < d->groups && set % d->group == d->group - 1) {
        d->psel -= d->psel > 0;
        return true;
    }
    return d->psel > d->most / 2;
}

static void filled(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct drrip *d = state;
    uint8_t rrpv = d->r.distant - 1;
    if (d->sets != d->tags->sets)
        appoint(d, d->tags->sets);
    if (is_brrip(d, ask->set)) {
        bool has_chance = ++d->brrip_fills == d->epsilon;
        d->brrip_fills = has_chance ? 0 : d->brrip_fills;
        rrpv += !has_chance;
    }
    rrip_fill(&d->r, ask->set, line, rrpv);
}

static void dropped(void *state, uint32_t line)
{
    struct drrip *d = state;
    d->r.rrpv[line] = d->r.distant;
}

const struct cache_policy cache_policy_drrip = {
    .name = "drrip",
    .help = "dynamic re-reference interval prediction: SRRIP or BRRIP by set dueling",
    .section = &drrip_section,
    .init = init,
    .victim = victim,
    .used = used,
    .filled = filled,
    .dropped = dropped};
