/* lsu_watch.c - what an observer of a load/store unit is told (analysis/sharing.h), and sectors
 * counted as profilers count them.
 *
 * What became of a load is seen in the counters, of which each load moves one.  Of the sectors that
 * loads look up, `l1.global.sectors` are asked for; all others are hits, also those that are on
 * their way already: so chips count them (docs/model/silicon.md). */
#include "l1/lsu_priv.h"

struct lsu_watch *lsu_watch_new(struct arena *a, struct sharing_sm *sharing, bool counts_sectors)
{
    struct lsu_watch *w = ARENA_NEW(a, struct lsu_watch);
    w->sharing = sharing;
    w->counts_sectors = counts_sectors;
    return w;
}

void lsu_watch_forget(struct lsu_watch *w, uint32_t program)
{
    if (w->sharing)
        sharing_sm_forget(w->sharing, program);
}

void lsu_watch_resize(struct lsu_watch *w, uint32_t lines)
{
    if (w->sharing)
        sharing_sm_resize(w->sharing, lines);
}

/* ---- sectors ---- */

static void count_sectors(struct lsu_watch *w, const struct lsu_look *k)
{
    const uint32_t n = (uint32_t)__builtin_popcount(request_sectors_of(k->access->words));
    if (k->set->space != STREAM_GLOBAL)
        return;
    if (k->set->action == ACTION_LOAD || k->set->action == ACTION_PASS)
        w->sectors.read_sectors += n;
    else if (k->set->action == ACTION_STORE)
        w->sectors.store_sectors += n;
}

/* ---- sharing ---- */

static enum sharing_kind kind_of_load(struct lsu *l, uint32_t loads)
{
    struct lsu_watch *w = l->watch;
    const struct load_stats *s = &l->loads[loads];
    enum sharing_kind kind = s->hits != w->hits[loads]       ? SHARING_HIT
                             : s->misses != w->misses[loads] ? SHARING_MISS
                             : s->merges != w->merges[loads] ? SHARING_MERGE
                                                             : SHARING_READ; /* it passed by */
    w->hits[loads] = s->hits;
    w->misses[loads] = s->misses;
    w->merges[loads] = s->merges;
    return kind;
}

/* Global memory is what other CTAs can see, textures lie in it. */
static void touch(const struct lsu *l, const struct lsu_look *k, enum sharing_kind kind)
{
    const bool is_seen = k->set->space == STREAM_GLOBAL || k->set->space == STREAM_TEX;
    const struct sharing_touch t = {k->access->line, k->insn->owner.cta, kind, k->now};
    if (is_seen)
        sharing_sm_touch(l->watch->sharing, &t);
}

static void load(struct lsu *l, const struct lsu_look *k)
{
    const enum sharing_kind kind = kind_of_load(l, k->set->loads);
    if (k->set->cache == CACHE_L1) {
        const uint32_t brought = request_words_of(lsu_request_sectors(l, k));
        sharing_sm_load(l->watch->sharing, k->access->line, k->access->words, brought,
                        kind == SHARING_MISS);
        touch(l, k, kind);
    } else {
        touch(l, k, SHARING_READ);
    }
}

/* What is on its way to a line that was written since is not kept, even by an L1 that updates. */
static bool is_kept(const struct lsu *l, uint64_t line)
{
    const struct lsu_cache *c = &l->cache[CACHE_L1];
    const uint32_t entry = mshr_find(&c->mshr, line);
    return l->updates && (entry == MSHR_NONE || !c->is_stale[entry]);
}

static void store(struct lsu *l, const struct lsu_look *k)
{
    touch(l, k, SHARING_WRITE);
    if (!is_kept(l, k->access->line))
        sharing_sm_drop(l->watch->sharing, k->access->line);
    else if (l->allocates)
        sharing_sm_keep(l->watch->sharing, k->access->line, k->access->words);
    else
        sharing_sm_write(l->watch->sharing, k->access->line, k->access->words);
}

static void share(struct lsu *l, const struct lsu_look *k)
{
    switch (k->set->action) {
    case ACTION_LOAD:
        load(l, k);
        break;
    case ACTION_STORE:
        store(l, k);
        break;
    case ACTION_LOCAL_STORE:
        sharing_sm_keep(l->watch->sharing, k->access->line, k->access->words);
        break;
    case ACTION_PASS:
    case ACTION_ATOMIC:
    case ACTION_REDUCE:
        touch(l, k, k->set->action == ACTION_PASS ? SHARING_READ : SHARING_WRITE);
        sharing_sm_drop(l->watch->sharing, k->access->line);
        break;
    default: /* shared memory, nothing */
        break;
    }
}

void lsu_watch_access(struct lsu *l, const struct lsu_look *k)
{
    if (l->watch->counts_sectors)
        count_sectors(l->watch, k);
    if (l->watch->sharing)
        share(l, k);
}

void lsu_watch_answer(struct lsu *l, hd_cycle now, const struct request *r)
{
    if (l->watch->sharing && r->kind == REQUEST_READ && r->space == STREAM_GLOBAL &&
        !(r->flags & REQUEST_BYPASS_L1))
        sharing_sm_fill(l->watch->sharing, r->line, now);
}
