/* lsu_cache.c - L1 data, constant and texture caches of an SM: lookups, misses, fills.
 *
 * Allocate on miss (the line is reserved and its data always has a place) or on fill; MSHRs with a
 * bounded number of waiting accesses; lines fetched whole or by 32-byte sectors (GPGPU-Sim's
 * "normal" and "sectored" caches).  Global data is written through and never dirty; local data is
 * written back, and a store takes a line without fetching it: words know by themselves whether
 * they are there.  A line with an MSHR is RESERVED, so that nothing is evicted half-fetched.
 *
 * Not modelled: data banks and their conflicts, and a fetch overtaking the write-back of the same
 * line (a write-back buffer would answer it). */
#include <string.h>

#include "l1/lsu_priv.h"

/* ---- MSHRs ---- */

void lsu_cache_settle(struct lsu_cache *c, hd_cycle now)
{
    if (now > c->settled)
        c->stats.mshr_cycles += (now - c->settled) * c->mshr.live;
    c->settled = now;
}

static inline uint64_t waiter_of(uint32_t words, uint32_t load)
{
    return (uint64_t)words << 16 | load;
}

/* Those whose words have all come go on; the others stay, in order. */
static void wake_waiters(struct lsu *l, struct lsu_cache *c, hd_cycle now, uint32_t entry,
                         uint32_t come)
{
    uint64_t *w = mshr_list(&c->mshr, entry);
    uint32_t n = c->mshr.at[entry].count, kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t words = (uint32_t)(w[i] >> 16) & ~come, load = (uint32_t)w[i] & 0xffff;
        if (words)
            w[kept++] = waiter_of(words, load);
        else
            lsu_arrived(l, now, load, now + l->fill_latency);
    }
    mshr_keep(&c->mshr, entry, kept);
}

/* ---- lines ---- */

/* An access as a cache policy sees it. */
static struct cache_ask ask_for(const struct lsu *l, const struct lsu_cache *c,
                                const struct lsu_look *k, uint64_t at)
{
    bool is_load = k->set->action == ACTION_LOAD;
    struct request r = {.line = at,
                        .sm = (uint16_t)l->sm,
                        .cta = k->insn->owner.cta,
                        .kernel = k->insn->owner.kernel,
                        .space = k->set->space,
                        .kind = is_load ? REQUEST_READ : REQUEST_WRITE};
    return cache_ask_of(&r, at, tags_set(&c->tags, at), k->now);
}

static LSU_APART void tell_used(const struct lsu *l, struct lsu_cache *c, const struct lsu_look *k,
                                uint32_t i)
{
    struct cache_ask ask = ask_for(l, c, k, tags_address(&c->tags, i));
    follow_used(&c->tags, &ask, i);
}

static inline void touch(const struct lsu *l, struct lsu_cache *c, const struct lsu_look *k,
                         uint32_t i)
{
    if (tags_has_policy(&c->tags))
        tell_used(l, c, k, i);
    else
        tags_touch(&c->tags, i);
}

/* Where a line is wanted, and by whom. */
struct place {
    struct lsu_cache *c;
    uint64_t at;
    const struct cache_ask *ask; /* NULL: no policy wants to know */
};

static inline uint32_t choose(const struct place *p)
{
    return p->ask ? follow_victim(&p->c->tags, p->ask) : tags_victim(&p->c->tags, p->at);
}

static inline bool is_kept(const struct place *p)
{
    return !p->ask || follow_keeps(&p->c->tags, p->ask);
}

static inline bool is_dirty(const struct lsu_cache *c, uint32_t i)
{
    return i != TAGS_NONE && c->tags.line[i].dirty != 0;
}

/* Line i is given away; there is room for its write-back. */
static void replace(struct lsu *l, hd_cycle now, const struct place *p, uint32_t i)
{
    struct lsu_cache *c = p->c;
    const struct tags_line *old = &c->tags.line[i];
    c->stats.evictions += old->state == TAG_VALID;
    if (old->dirty)
        lsu_request_write_back(l, now, tags_address(&c->tags, i), old->dirty, c->writer[i]);
    if (p->ask)
        follow_take(&c->tags, p->ask, i);
    else
        tags_take(&c->tags, i, p->at);
}

/* ---- loads ---- */

/* `at` is the address of the cache's own line: those of constants and textures may be shorter. */
struct miss {
    struct lsu_cache *c;
    uint64_t at;
    uint32_t line;    /* in the tags, or TAGS_NONE */
    uint32_t lacking; /* words */
    uint8_t need;     /* sectors that have them, all those of the line unless sectored */
};

static inline uint64_t own_line(const struct lsu_cache *c, const struct coalesced *a)
{
    if (c->line_bytes == LINE_BYTES)
        return a->line;
    return a->line + (4 * (uint32_t)__builtin_ctz(a->words) & ~(c->line_bytes - 1));
}

static uint8_t needed_sectors(const struct lsu_cache *c, uint64_t at, uint32_t lacking)
{
    if (c->is_sectored)
        return request_sectors_of(lacking);
    uint32_t all = (1u << c->line_bytes / SECTOR_BYTES) - 1;
    return (uint8_t)(all << (at / SECTOR_BYTES & (LINE_SECTORS - 1)));
}

/* With a request of its own, whose answer fills nothing. */
static enum lsu_stall pass_by(struct lsu *l, const struct lsu_look *k, uint8_t sectors)
{
    enum lsu_stall s = lsu_request_room(l, k->now, 1);
    if (s != STALL_NONE)
        return s;
    lsu_request_send(l, k, REQUEST_READ, sectors);
    l->loads[k->set->loads].passes++;
    return STALL_NONE;
}

static enum lsu_stall merge(struct lsu *l, const struct lsu_look *k, const struct miss *m,
                            uint32_t entry)
{
    struct mshr *table = &m->c->mshr;
    if (m->c->is_stale[entry]) /* written since it was asked for: too old for this load */
        return pass_by(l, k, lsu_request_sectors(l, k));
    if (!mshr_can_merge(table, entry))
        return STALL_MERGE;
    uint8_t more = m->need & (uint8_t)~table->at[entry].sectors;
    if (more) {
        enum lsu_stall s = lsu_request_room(l, k->now, 1);
        if (s != STALL_NONE)
            return s;
        lsu_request_line(l, k, more, entry);
        table->at[entry].sectors |= more;
        l->loads[k->set->loads].misses++;
    } else {
        l->loads[k->set->loads].merges++;
    }
    mshr_add(table, entry, waiter_of(m->lacking, k->insn->load));
    if (m->line != TAGS_NONE)
        touch(l, m->c, k, m->line);
    return STALL_NONE;
}

/* The line is neither here, or not all of it, nor on its way. */
static inline enum lsu_stall miss_at(struct lsu *l, const struct lsu_look *k, const struct miss *m,
                                     const struct place *p)
{
    struct lsu_cache *c = m->c;
    const bool wants_line = m->line == TAGS_NONE && !c->fill_allocates;
    uint32_t victim = TAGS_NONE, entry;
    if (mshr_is_full(&c->mshr))
        return STALL_MSHR;
    if (wants_line && is_kept(p)) {
        victim = choose(p);
        if (victim == TAGS_NONE)
            return STALL_WAY;
    }
    enum lsu_stall s = lsu_request_room(l, k->now, is_dirty(c, victim) ? 2 : 1);
    if (s != STALL_NONE)
        return s;
    if (victim != TAGS_NONE) {
        replace(l, k->now, p, victim);
    } else if (m->line != TAGS_NONE) {
        c->tags.line[m->line].state = TAG_RESERVED;
        touch(l, c, k, m->line);
    } else if (wants_line) {
        follow_refused(&c->tags, p->ask);
    }
    lsu_cache_settle(c, k->now);
    entry = mshr_alloc(&c->mshr, m->at, m->need);
    c->is_stale[entry] = false;
    mshr_add(&c->mshr, entry, waiter_of(m->lacking, k->insn->load));
    lsu_request_line(l, k, m->need, entry);
    l->loads[k->set->loads].misses++;
    return STALL_NONE;
}

/* Nothing of the line is here, and a policy may let the load pass by. */
static LSU_APART enum lsu_stall miss_or_pass(struct lsu *l, const struct lsu_look *k,
                                             const struct miss *m)
{
    struct cache_ask ask = ask_for(l, m->c, k, m->at);
    if (follow_passes(&m->c->tags, &ask))
        return pass_by(l, k, request_sectors_of(k->access->words));
    return miss_at(l, k, m, &(struct place){m->c, m->at, &ask});
}

static enum lsu_stall miss(struct lsu *l, const struct lsu_look *k, const struct miss *m)
{
    uint32_t entry = mshr_find(&m->c->mshr, m->at);
    if (entry != MSHR_NONE)
        return merge(l, k, m, entry);
    if (tags_has_policy(&m->c->tags) && m->line == TAGS_NONE)
        return miss_or_pass(l, k, m);
    return miss_at(l, k, m, &(struct place){m->c, m->at, NULL});
}

static void count_load(struct lsu_program_stats *p, bool is_hit)
{
    p->loads++;
    p->load_hits += is_hit;
}

enum lsu_stall lsu_cache_load(struct lsu *l, const struct lsu_look *k)
{
    struct lsu_cache *c = &l->cache[k->set->cache];
    const uint64_t at = own_line(c, k->access);
    const uint32_t i = tags_find(&c->tags, at), words = k->access->words;
    const uint32_t lacking = i == TAGS_NONE ? words : words & ~c->tags.line[i].valid;
    struct load_stats *stats = &l->loads[k->set->loads];
    if (lacking) {
        struct miss m = {c, at, i, lacking, needed_sectors(c, at, lacking)};
        enum lsu_stall s = miss(l, k, &m);
        if (s != STALL_NONE)
            return s;
    } else {
        touch(l, c, k, i);
        stats->hits++;
        lsu_arrived(l, k->now, k->insn->load, k->now - 1 + c->latency);
    }
    stats->accesses++;
    stats->words += lsu_count_words(words);
    if (l->of)
        count_load(&l->of[program_of(at)], lacking == 0);
    return STALL_NONE;
}

/* ---- stores ---- */

/* The policy gives a local store no line; `refused`: it was asked for one. */
static enum lsu_stall write_through(struct lsu *l, const struct lsu_look *k,
                                    const struct cache_ask *refused)
{
    enum lsu_stall s = lsu_request_room(l, k->now, 1);
    if (s == STALL_NONE && refused)
        follow_refused(&l->cache[CACHE_L1].tags, refused);
    return s;
}

/* A line for the words in *i; TAGS_NONE: the policy has them written through. */
static enum lsu_stall line_for_store(struct lsu *l, const struct lsu_look *k, uint32_t *i)
{
    struct lsu_cache *c = &l->cache[CACHE_L1];
    struct place p = {c, k->access->line, NULL};
    struct cache_ask ask;
    bool is_coming = mshr_find(&c->mshr, p.at) != MSHR_NONE;
    *i = TAGS_NONE;
    if (tags_has_policy(&c->tags)) {
        p.ask = &ask;
        ask = ask_for(l, c, k, p.at);
        bool passes = !is_coming && follow_passes(&c->tags, &ask);
        if (passes || (!is_coming && !is_kept(&p)))
            return write_through(l, k, passes ? NULL : &ask);
    }
    uint32_t victim = choose(&p);
    if (victim == TAGS_NONE)
        return STALL_WAY;
    enum lsu_stall s = is_dirty(c, victim) ? lsu_request_room(l, k->now, 1) : STALL_NONE;
    if (s != STALL_NONE)
        return s;
    replace(l, k->now, &p, victim);
    if (!is_coming)
        c->tags.line[victim].state = TAG_VALID;
    l->stats.local_store_misses++;
    *i = victim;
    return STALL_NONE;
}

enum lsu_stall lsu_cache_store_local(struct lsu *l, const struct lsu_look *k)
{
    struct lsu_cache *c = &l->cache[CACHE_L1];
    uint32_t i = tags_find(&c->tags, k->access->line);
    if (i != TAGS_NONE) {
        touch(l, c, k, i);
        l->stats.local_store_hits++;
    } else {
        enum lsu_stall s = line_for_store(l, k, &i);
        if (s != STALL_NONE)
            return s;
    }
    if (i == TAGS_NONE) {
        lsu_request_send(l, k, REQUEST_WRITE, request_sectors_of(k->access->words));
        l->refused.local_store_passes++;
        return STALL_NONE;
    }
    c->tags.line[i].valid |= k->access->words;
    c->tags.line[i].dirty |= k->access->words;
    c->writer[i] = k->insn->warp;
    return STALL_NONE;
}

/* A line for a global store, whose request has room, or TAGS_NONE: it does not wait for one. */
static LSU_APART uint32_t line_for_write(struct lsu *l, const struct lsu_look *k)
{
    struct lsu_cache *c = &l->cache[CACHE_L1];
    struct place p = {c, k->access->line, NULL};
    struct cache_ask ask;
    uint32_t entry = mshr_find(&c->mshr, p.at);
    if (entry != MSHR_NONE && c->is_stale[entry])
        return TAGS_NONE;
    if (tags_has_policy(&c->tags)) {
        p.ask = &ask;
        ask = ask_for(l, c, k, p.at);
        if (entry == MSHR_NONE && follow_passes(&c->tags, &ask))
            return TAGS_NONE;
        if (entry == MSHR_NONE && !is_kept(&p)) {
            follow_refused(&c->tags, &ask);
            return TAGS_NONE;
        }
    }
    uint32_t i = choose(&p);
    if (i == TAGS_NONE || (is_dirty(c, i) && lsu_request_room(l, k->now, 2) != STALL_NONE))
        return TAGS_NONE;
    replace(l, k->now, &p, i);
    if (entry == MSHR_NONE)
        c->tags.line[i].state = TAG_VALID;
    l->write_miss.store_lines++;
    return i;
}

static void forget(struct lsu_cache *c, uint64_t line, uint32_t i)
{
    if (i != TAGS_NONE)
        tags_drop(&c->tags, i);
    uint32_t entry = c->mshr.live ? mshr_find(&c->mshr, line) : MSHR_NONE;
    if (entry != MSHR_NONE)
        c->is_stale[entry] = true;
}

void lsu_cache_forget(struct lsu *l, uint64_t line)
{
    if (l->enabled)
        forget(&l->cache[CACHE_L1], line, tags_find(&l->cache[CACHE_L1].tags, line));
}

/* An update keeps its words even in a line on its way: they are newer than what comes. */
bool lsu_cache_write(struct lsu *l, const struct lsu_look *k)
{
    struct lsu_cache *c = &l->cache[CACHE_L1];
    const uint64_t line = k->access->line;
    const uint32_t words = k->access->words;
    if (!l->enabled)
        return false;
    uint32_t i = tags_find(&c->tags, line);
    bool is_there = i != TAGS_NONE, is_hit = is_there && (c->tags.line[i].valid & words);
    if (!is_there && l->allocates)
        i = line_for_write(l, k);
    if (i == TAGS_NONE || !l->updates) {
        forget(c, line, i);
        return is_hit;
    }
    c->tags.line[i].valid |= words;
    if (is_there)
        touch(l, c, k, i);
    return is_hit;
}

/* ---- fills ---- */

/* A line for data that has come, or TAGS_NONE: it then goes to those who wait and nowhere else. */
static uint32_t line_for_fill(struct lsu *l, struct lsu_cache *c, hd_cycle now, uint64_t at,
                              const struct request *r)
{
    struct cache_ask ask;
    struct place p = {c, at, NULL};
    if (tags_has_policy(&c->tags)) {
        p.ask = &ask;
        ask = cache_ask_of(r, at, tags_set(&c->tags, at), now);
    }
    if (!is_kept(&p)) {
        follow_refused(&c->tags, p.ask);
        return TAGS_NONE;
    }
    uint32_t i = choose(&p);
    if (i == TAGS_NONE || (is_dirty(c, i) && port_room(l->out, now) == 0))
        return TAGS_NONE;
    replace(l, now, &p, i);
    return i;
}

/* `n` loads go on with what has come, in line i or in none. */
static LSU_APART void tell_came(struct lsu_cache *c, hd_cycle now, const struct request *r,
                                uint64_t at, uint32_t i, uint32_t n)
{
    struct cache_ask ask = cache_ask_of(r, at, tags_set(&c->tags, at), now);
    ask.waited = n;
    follow_came(&c->tags, &ask, i);
}

static uint32_t cache_of(uint32_t space)
{
    return space == STREAM_CONST || space == STREAM_PARAM ? CACHE_CONST
           : space == STREAM_TEX                          ? CACHE_TEX
                                                          : CACHE_L1;
}

void lsu_cache_fill(struct lsu *l, hd_cycle now, const struct request *r)
{
    struct lsu_cache *c = &l->cache[cache_of(r->space)];
    const uint32_t entry = r->slot, come = request_words_of(r->sectors);
    const uint64_t at = c->mshr.at[entry].line;
    uint32_t i = tags_find(&c->tags, at);
    c->mshr.at[entry].sectors &= ~(uint32_t)r->sectors;
    if (i == TAGS_NONE && c->fill_allocates && !c->is_stale[entry])
        i = line_for_fill(l, c, now, at, r);
    if (i != TAGS_NONE) {
        c->tags.line[i].valid |= come;
        c->tags.line[i].state = c->mshr.at[entry].sectors ? TAG_RESERVED : TAG_VALID;
    }
    c->stats.fills++;
    c->stats.unkept += i == TAGS_NONE;
    uint32_t waited = c->mshr.at[entry].count;
    wake_waiters(l, c, now, entry, come);
    if (tags_has_policy(&c->tags))
        tell_came(c, now, r, at, i, waited - c->mshr.at[entry].count);
    if (c->mshr.at[entry].sectors == 0) {
        HD_ASSERT(c->mshr.at[entry].count == 0, "%s: a load waits for words nobody asked for",
                  l->owner->path);
        lsu_cache_settle(c, now);
        mshr_release(&c->mshr, entry);
    }
}

/* ---- building ---- */

struct shape {
    int64_t size, ways, line, latency, mshrs, merges;
    bool hashed;
    const char *replacement;
};

static void build(struct lsu *l, struct arena *a, uint32_t index, const struct shape *s,
                  const struct config *cfg)
{
    struct lsu_cache *c = &l->cache[index];
    c->index = (uint8_t)index;
    c->line_bytes = (uint32_t)s->line;
    c->latency = (uint32_t)s->latency;
    tags_init(&c->tags, a, (uint32_t)(s->size / (s->ways * s->line)), (uint32_t)s->ways,
              (uint32_t)s->line, s->hashed);
    follow_init(&c->tags, a, s->replacement,
                &(struct follow_site){follow_instance(l->owner->path, index), l->sm + 1, cfg});
    mshr_init(&c->mshr, a, (uint32_t)s->mshrs, (uint32_t)s->merges);
    c->is_stale = ARENA_ARRAY(a, bool, s->mshrs);
}

void lsu_cache_build(struct lsu *l, struct arena *a, const struct config *cfg)
{
    const struct l1_spec *d = config_get(cfg, &l1_section);
    const struct constant_spec *k = config_get(cfg, &constant_section);
    const struct texture_spec *t = config_get(cfg, &texture_section);
    const struct shape data = {d->size,  d->ways,   LINE_BYTES, d->latency,
                               d->mshrs, d->merges, d->hashed,  d->replacement};
    const struct shape constant = {k->size,  k->ways,   k->line, k->latency,
                                   k->mshrs, k->merges, false,   k->replacement};
    const struct shape texture = {t->size,  t->ways,   t->line, t->latency,
                                  t->mshrs, t->merges, false,   t->replacement};
    build(l, a, CACHE_L1, &data, cfg);
    build(l, a, CACHE_CONST, &constant, cfg);
    build(l, a, CACHE_TEX, &texture, cfg);
    if (d->masked)
        tags_mask(&l->cache[CACHE_L1].tags);
    l->cache[CACHE_L1].writer = ARENA_ARRAY(a, uint8_t, d->size / LINE_BYTES);
    l->cache[CACHE_L1].is_sectored = d->sectored;
    l->cache[CACHE_L1].fill_allocates = strcmp(d->allocate, "fill") == 0;
}
