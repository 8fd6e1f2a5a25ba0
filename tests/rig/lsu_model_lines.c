/* lsu_model_lines.c - see lsu_model_lines.h. */
#include "rig/lsu_model_lines.h"

struct lsu_model_line *lsu_lines_find(struct lsu_model *m, uint32_t cache, uint64_t at)
{
    const struct lsu_model_shape *shape = &m->m.shape[cache];
    struct lsu_model_cache *c = &m->cache[cache];
    for (uint32_t i = 0; i < shape->sets * shape->ways; i++)
        if (c->line[i].is_there && c->line[i].at == at)
            return &c->line[i];
    return NULL;
}

static struct lsu_model_line *set_of(struct lsu_model *m, uint32_t cache, uint64_t at)
{
    const struct lsu_model_shape *shape = &m->m.shape[cache];
    const uint64_t line = at / shape->line;
    const uint64_t number = shape->is_masked ? line & (shape->sets - 1) : line % shape->sets;
    return m->cache[cache].line + number * shape->ways;
}

/* The least recently used line that may leave; of shared ones only. */
static struct lsu_model_line *oldest(struct lsu_model *m, uint32_t cache, uint64_t at,
                                     bool only_shared)
{
    struct lsu_model_line *set = set_of(m, cache, at), *best = NULL;
    for (uint32_t w = 0; w < m->m.shape[cache].ways; w++)
        if (set[w].is_there && !set[w].is_reserved && (!only_shared || set[w].is_shared) &&
            (!best || set[w].used < best->used))
            best = &set[w];
    return best;
}

bool lsu_lines_heed_sharing(const struct lsu_model *m, uint32_t cache)
{
    return m->m.sharing.is_on && cache == MODEL_L1;
}

/* A private line that is dead yields to anybody, or to private data only. */
static bool yields(const struct lsu_model *m, const struct lsu_model_line *l, bool to_shared)
{
    return l->is_dead && (m->m.sharing.dead == MODEL_DEAD_ALL || !to_shared);
}

/* Fig. 11: the least recently used line if it is shared or dead, else the least recently used shared
 * one, else the least recently used. */
struct lsu_model_line *lsu_lines_victim(struct lsu_model *m, uint32_t cache, uint64_t at,
                                        bool is_shared)
{
    struct lsu_model_line *set = set_of(m, cache, at), *lru = oldest(m, cache, at, false);
    for (uint32_t w = 0; w < m->m.shape[cache].ways; w++)
        if (!set[w].is_there)
            return &set[w];
    if (!lsu_lines_heed_sharing(m, cache) || !m->m.sharing.replaces || !lru ||
        yields(m, lru, is_shared))
        return lru;
    struct lsu_model_line *shared = oldest(m, cache, at, true);
    return shared ? shared : lru;
}

/* P1: shared data takes no line from private data, but a dead one. */
bool lsu_lines_may_take(const struct lsu_model *m, const struct lsu_model_line *v, bool is_shared)
{
    if (!m->m.sharing.is_on || !m->m.sharing.allocates || !is_shared || !v || !v->is_there)
        return true;
    return v->is_shared || yields(m, v, true);
}

/* Section VI.B: a private line whose turn it was is declared dead. */
void lsu_lines_declare_dead(struct lsu_model *m, uint32_t cache, uint64_t at,
                            const struct lsu_model_line *taken)
{
    struct lsu_model_line *lru = oldest(m, cache, at, false);
    if (!lsu_lines_heed_sharing(m, cache) || !m->m.sharing.replaces || !lru || lru == taken)
        return;
    m->shared.spared++;
    if (m->m.sharing.dead == MODEL_DEAD_OFF)
        return;
    m->shared.marked += !lru->is_dead;
    lru->is_dead = true;
}

void lsu_lines_use(struct lsu_model *m, uint32_t cache, struct lsu_model_line *l)
{
    l->used = ++m->clock;
    if (!lsu_lines_heed_sharing(m, cache))
        return;
    m->shared.uses[l->is_shared]++;
    m->shared.revived += l->is_dead;
    l->is_dead = false;
}

/* What the answer says of the line that it goes into; the newest counts. */
void lsu_lines_hear(struct lsu_model *m, uint32_t cache, struct lsu_model_line *l, bool is_shared)
{
    if (!lsu_lines_heed_sharing(m, cache) || !l || l->is_shared == is_shared)
        return;
    m->shared.turned += is_shared;
    l->is_shared = is_shared;
}

void lsu_lines_count_replaced(struct lsu_model *m, uint32_t cache, const struct lsu_model_line *v,
                              bool is_shared)
{
    if (!lsu_lines_heed_sharing(m, cache))
        return;
    m->shared.fills[is_shared]++;
    m->shared.evictions[v->is_shared] += v->is_there;
    m->shared.dead_evictions += v->is_there && v->is_dead;
}
