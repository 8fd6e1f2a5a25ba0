/* policy_srrip.c - static re-reference interval prediction (Jaleel et al., "High Performance Cache
 * Replacement Using Re-Reference Interval Prediction (RRIP)", ISCA 2010, "Static RRIP", SRRIP-HP): a
 * new line is expected to be wanted again after a long time, 2^M - 2, so that data that is used once
 * leaves before data that has been used again. */
#include "cache/rrip.h"

#define SRRIP_ROWS(F, id) F(id, INT, bits, "2", 1, 7, "bit", "of a prediction (M)")
CFG_STRUCT(srrip, SRRIP_ROWS)
CFG_SECTION(srrip, SRRIP_ROWS, "cache policy srrip")

static void *init(struct arena *a, const struct cache_shape *shape, const struct config *cfg)
{
    const struct srrip_spec *s = config_get(cfg, &srrip_section);
    struct rrip *r = ARENA_NEW(a, struct rrip);
    rrip_init(r, a, shape, (uint32_t)s->bits);
    return r;
}

static uint32_t victim(const void *state, const struct cache_ask *ask, const struct cache_set *set)
{
    (void)ask;
    return rrip_victim(state, set);
}

static void used(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct rrip *r = state;
    (void)ask;
    r->rrpv[line] = 0;
}

static void filled(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct rrip *r = state;
    rrip_fill(r, ask->set, line, r->distant - 1);
}

static void dropped(void *state, uint32_t line)
{
    struct rrip *r = state;
    r->rrpv[line] = r->distant;
}

const struct cache_policy cache_policy_srrip = {.name = "srrip",
                                                .help = "static re-reference interval prediction",
                                                .section = &srrip_section,
                                                .init = init,
                                                .victim = victim,
                                                .used = used,
                                                .filled = filled,
                                                .dropped = dropped};
