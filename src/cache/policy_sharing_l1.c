/* policy_sharing_l1.c - the L1's part of sharing-aware cache management ("Power Efficient
 * Sharing-Aware GPU Data Management", IPDPS 2017): what is kept (section V.B.2, Fig. 10), who gives
 * way (V.B.3, Fig. 11) and dead blocks (VI.B, Fig. 12).
 *
 * Whether data is shared is what the answer says that brings it (policy_sharing_l2.c, or the
 * cluster); local data is private.
 *
 *   allocation    shared data takes a line only from nobody, from shared data, or a dead one; else it
 *                 goes to those who wait and is not kept (P1: only private data evicts private data).
 *   replacement   the least recently used shared line gives way, else the least recently used.
 *   dead          a private line that is least recently used and not dead is spared and becomes dead:
 *                 the next time it leaves.  A use clears the mark.
 *
 * The paper's pictures are lost, and its text leaves two readings of a dead line: it yields to
 * anybody (Fig. 12), or to private data only (P1 to the letter).  `dead` chooses.
 *
 * Where a line is given when its load misses (l1.allocate: miss) nobody knows yet: the load counts as
 * private, as in the L2, and its line becomes shared when the answer says so (`turned`). */
#include <stdio.h>
#include <string.h>

#include "cache/policy.h"
#include "cache/sharing.h"

#define SHARING_L1_ROWS(F, id)                                                                     \
    F(id, BOOL, allocation, "true", 0, 0, "", "shared data takes no line from private data")       \
    F(id, BOOL, replacement, "true", 0, 0, "", "shared lines give way first; false: LRU")          \
    F(id, CHOICE, dead, "all", 0, 0, "all|private|off",                                            \
      "a private line that was spared once as the least recently used yields to all data, or to "  \
      "private data only; off: none is marked")                                                    \
    F(id, INT, late, "1000", 1, 1e15, "cycle", "after its data came: a line's use counts as late")
CFG_STRUCT(sharing_l1, SHARING_L1_ROWS)
CFG_SECTION_WHEN(sharing_l1, SHARING_L1_ROWS,
                 "cache policy sharing_l1: what an L1 keeps of shared and private data",
                 {"dead", "sharing_l1.replacement=true"})

#define SHARING_L1_STATS(S, id)                                                                    \
    S(id, COUNTER, private_fills, "line", "given to private data, or before anybody could know")   \
    S(id, COUNTER, shared_fills, "line", "given to shared data")                                   \
    S(id, COUNTER, refused, "answer", "shared, and not kept: only private lines could give way")   \
    S(id, COUNTER, turned, "line", "private, of which a later answer said that it is shared")      \
    S(id, COUNTER, shared_answers, "answer", "that said that their line is shared")                \
    S(id, COUNTER, shared_waiters, "access", "that waited for these: misses and MSHR hits")        \
    S(id, COUNTER, private_uses, "access", "to a private line, there or partly on its way")        \
    S(id, COUNTER, shared_uses, "access", "to a shared one")                                       \
    S(id, COUNTER, late_uses, "access", "of these, sharing_l1.late after its data came")           \
    S(id, COUNTER, private_evictions, "line", "private, that made room for another")               \
    S(id, COUNTER, shared_evictions, "line", "shared")                                             \
    S(id, COUNTER, spared, "fill", "that left the least recently used line, a private one, alone") \
    S(id, COUNTER, marked, "line", "that this declared dead")                                      \
    S(id, COUNTER, revived, "line", "dead, that were used again")                                  \
    S(id, COUNTER, dead_evictions, "line", "dead, that made room for another")
STATS_STRUCT(sharing_l1, SHARING_L1_STATS)
STATS_ROWS(sharing_l1, SHARING_L1_STATS)

struct line {
    hd_cycle came_at;
    bool is_there, is_shared, is_dead;
};

struct sharing_l1 {
    bool allocates, replaces;
    bool marks, yields_to_shared; /* dead lines */
    hd_cycle late;
    const struct tags *tags;
    struct line *line;
    uint64_t p1_breaches; /* private lines, not dead, that left for shared data */
    struct sharing_l1_stats stats;
};

static bool is_shared(const struct cache_ask *ask)
{
    return ask->is_shared && ask->space != STREAM_LOCAL;
}

static bool yields(const struct sharing_l1 *s, const struct line *l, const struct cache_ask *ask)
{
    return l->is_dead && (s->yields_to_shared || !is_shared(ask));
}

/* The line that would give way, of those that may; TAGS_NONE: none. */
static uint32_t choose(const struct sharing_l1 *s, const struct cache_ask *ask)
{
    uint32_t lru = sharing_lru(s->tags, ask->set), shared = TAGS_NONE;
    uint32_t first = ask->set * s->tags->ways;
    if (!s->replaces || lru == TAGS_NONE || yields(s, &s->line[lru], ask))
        return lru;
    for (uint32_t i = first; i < first + s->tags->ways; i++)
        if (s->line[i].is_shared && s->tags->line[i].state == TAG_VALID)
            shared = sharing_older(s->tags, i, shared);
    return shared != TAGS_NONE ? shared : lru;
}

/* The least recently used line, a private one, stays although it was its turn to leave. */
static void spare(struct sharing_l1 *s, uint32_t line)
{
    struct line *l = &s->line[line];
    s->stats.spared++;
    s->stats.marked += s->marks && !l->is_dead;
    l->is_dead |= s->marks;
}

static void *init(struct arena *a, const struct cache_shape *shape, const struct config *cfg)
{
    const struct sharing_l1_spec *spec = config_get(cfg, &sharing_l1_section);
    struct sharing_l1 *s = ARENA_NEW(a, struct sharing_l1);
    s->allocates = spec->allocation;
    s->replaces = spec->replacement;
    s->marks = s->replaces && strcmp(spec->dead, "off") != 0;
    s->yields_to_shared = strcmp(spec->dead, "all") == 0;
    s->late = (hd_cycle)spec->late;
    s->tags = shape->tags;
    s->line = ARENA_ARRAY(a, struct line, (uint64_t)shape->sets * shape->ways);
    return s;
}

static bool keeps(const void *state, const struct cache_ask *ask)
{
    const struct sharing_l1 *s = state;
    if (!s->allocates || !is_shared(ask) || sharing_invalid(s->tags, ask->set) != TAGS_NONE)
        return true;
    uint32_t i = choose(s, ask);
    return i == TAGS_NONE || s->line[i].is_shared || yields(s, &s->line[i], ask);
}

static uint32_t victim(const void *state, const struct cache_ask *ask, const struct cache_set *set)
{
    return choose(state, ask) - set->first;
}

static void used(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct sharing_l1 *s = state;
    struct line *l = &s->line[line];
    s->stats.private_uses += !l->is_shared;
    s->stats.shared_uses += l->is_shared;
    s->stats.late_uses += l->is_shared && ask->now >= l->came_at + s->late;
    s->stats.revived += l->is_dead;
    l->is_dead = false;
}

/* A line leaves that was there. */
static void evict(struct sharing_l1 *s, const struct cache_ask *ask, uint32_t line)
{
    const struct line *l = &s->line[line];
    uint32_t lru = sharing_lru(s->tags, ask->set);
    s->stats.private_evictions += !l->is_shared;
    s->stats.shared_evictions += l->is_shared;
    s->stats.dead_evictions += l->is_dead;
    s->p1_breaches += s->allocates && is_shared(ask) && !l->is_shared && !yields(s, l, ask);
    if (lru != line)
        spare(s, lru);
}

static void filled(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct sharing_l1 *s = state;
    if (s->line[line].is_there)
        evict(s, ask, line);
    s->line[line] =
        (struct line){.came_at = ask->now, .is_there = true, .is_shared = is_shared(ask)};
    s->stats.private_fills += !is_shared(ask);
    s->stats.shared_fills += is_shared(ask);
}

/* The newest answer knows best.  The line was used when it was asked for, so it is not dead. */
static void came(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct sharing_l1 *s = state;
    if (is_shared(ask)) {
        s->stats.shared_answers++;
        s->stats.shared_waiters += ask->waited;
    }
    if (line == TAGS_NONE)
        return;
    struct line *l = &s->line[line];
    l->came_at = ask->now;
    if (l->is_shared == is_shared(ask))
        return;
    s->stats.turned += is_shared(ask);
    l->is_shared = is_shared(ask);
}

static void refused(void *state, const struct cache_ask *ask)
{
    struct sharing_l1 *s = state;
    s->stats.refused++;
    if (s->replaces)
        spare(s, sharing_lru(s->tags, ask->set));
}

static void dropped(void *state, uint32_t line)
{
    ((struct sharing_l1 *)state)->line[line] = (struct line){0};
}

static void add_stats(const void *state, const char *cache, const char *instance,
                      struct stats *tree)
{
    char path[64];
    snprintf(path, sizeof path, "%s.sharing", cache);
    stats_join(tree, path, instance, sharing_l1_stat_rows,
               sizeof sharing_l1_stat_rows / sizeof sharing_l1_stat_rows[0],
               &((const struct sharing_l1 *)state)->stats);
}

static bool audit(const void *state, struct err *e)
{
    const struct sharing_l1 *s = state;
    if (s->p1_breaches)
        return err_set(e, STATUS_FAILED, "%llu private lines left for shared data (P1)",
                       (unsigned long long)s->p1_breaches);
    for (uint32_t i = 0; i < s->tags->sets * s->tags->ways; i++) {
        const struct line *l = &s->line[i];
        if (l->is_there != (s->tags->line[i].state != TAG_INVALID))
            return err_set(e, STATUS_FAILED, "line %u came or went unseen", i);
        if (l->is_dead && (l->is_shared || !s->marks))
            return err_set(e, STATUS_FAILED, "line %u is dead, but not private", i);
        if (s->tags->line[i].dirty && l->is_shared)
            return err_set(e, STATUS_FAILED, "line %u is local, but shared", i);
    }
    return true;
}

/* Fig. 13: the private flag, and the dead block flag. */
static uint32_t line_bits(const struct config *cfg, uint32_t sms)
{
    const struct sharing_l1_spec *s = config_get(cfg, &sharing_l1_section);
    (void)sms;
    bool marks = s->replacement && strcmp(s->dead, "off") != 0;
    return (uint32_t)(s->allocation || s->replacement) + marks;
}

const struct cache_policy cache_policy_sharing_l1 = {
    .name = "sharing_l1",
    .help = "of an L1: shared lines give way first, shared data takes no line from private data",
    .section = &sharing_l1_section,
    .init = init,
    .keeps = keeps,
    .victim = victim,
    .used = used,
    .filled = filled,
    .came = came,
    .refused = refused,
    .dropped = dropped,
    .add_stats = add_stats,
    .audit = audit,
    .line_bits = line_bits};
