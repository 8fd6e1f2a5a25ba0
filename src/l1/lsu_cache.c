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
    uint64_t *w = c->mshr.waiter + (uint64_t)entry * c->mshr.merges;
    uint32_t n = c->mshr.count[entry], kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t words = (uint32_t)(w[i] >> 16) & ~come, load = (uint32_t)w[i] & 0xffff;
        if (words)
            w[kept++] = waiter_of(words, load);
        else
            lsu_arrived(l, now, load, now + l->fill_latency);
    }
    c->mshr.count[entry] = kept;
}

/* ---- victims ---- */

static inline bool is_dirty(const struct lsu_cache *c, uint32_t i)
{
    return i != TAGS_NONE && c->tags.line[i].dirty != 0;
}

/* Line i is given to `address`; there is room for its write-back. */
static void replace(struct lsu *l, struct lsu_cache *c, hd_cycle now, uint32_t i, uint64_t address)
{
    const struct tags_line *old = &c->tags.line[i];
    c->stats.evictions += old->state == TAG_VALID;
    if (old->dirty)
        lsu_request_write_back(l, now, tags_address(&c->tags, i), old->dirty, c->writer[i]);
    tags_take(&c->tags, i, address);
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

/* Its line has been written since it was asked for: what comes may be too old for this load. */
static enum lsu_stall pass_stale(struct lsu *l, const struct lsu_look *k)
{
    enum lsu_stall s = lsu_request_room(l, k->now, 1);
    if (s != STALL_NONE)
        return s;
    lsu_request_send(l, k, REQUEST_READ);
    l->loads[k->set->loads].passes++;
    return STALL_NONE;
}

static enum lsu_stall merge(struct lsu *l, const struct lsu_look *k, const struct miss *m,
                            uint32_t entry)
{
    struct mshr *table = &m->c->mshr;
    if (m->c->is_stale[entry])
        return pass_stale(l, k);
    if (!mshr_can_merge(table, entry))
        return STALL_MERGE;
    uint8_t more = m->need & (uint8_t)~table->sectors[entry];
    if (more) {
        enum lsu_stall s = lsu_request_room(l, k->now, 1);
        if (s != STALL_NONE)
            return s;
        lsu_request_line(l, k, more, entry);
        table->sectors[entry] |= more;
        l->loads[k->set->loads].misses++;
    } else {
        l->loads[k->set->loads].merges++;
    }
    mshr_add(table, entry, waiter_of(m->lacking, k->insn->load));
    if (m->line != TAGS_NONE)
        tags_touch(&m->c->tags, m->line);
    return STALL_NONE;
}

static enum lsu_stall miss(struct lsu *l, const struct lsu_look *k, const struct miss *m)
{
    struct lsu_cache *c = m->c;
    uint32_t entry = mshr_find(&c->mshr, m->at), victim = TAGS_NONE;
    if (entry != MSHR_NONE)
        return merge(l, k, m, entry);
    if (mshr_is_full(&c->mshr))
        return STALL_MSHR;
    if (m->line == TAGS_NONE && !c->fill_allocates) {
        victim = tags_victim(&c->tags, m->at);
        if (victim == TAGS_NONE)
            return STALL_WAY;
    }
    enum lsu_stall s = lsu_request_room(l, k->now, is_dirty(c, victim) ? 2 : 1);
    if (s != STALL_NONE)
        return s;
    if (victim != TAGS_NONE) {
        replace(l, c, k->now, victim, m->at);
    } else if (m->line != TAGS_NONE) {
        c->tags.line[m->line].state = TAG_RESERVED;
        tags_touch(&c->tags, m->line);
    }
    lsu_cache_settle(c, k->now);
    entry = mshr_alloc(&c->mshr, m->at, m->need);
    c->is_stale[entry] = false;
    mshr_add(&c->mshr, entry, waiter_of(m->lacking, k->insn->load));
    lsu_request_line(l, k, m->need, entry);
    l->loads[k->set->loads].misses++;
    return STALL_NONE;
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
        tags_touch(&c->tags, i);
        stats->hits++;
        lsu_arrived(l, k->now, k->insn->load, k->now - 1 + c->latency);
    }
    stats->accesses++;
    stats->words += lsu_count_words(words);
    return STALL_NONE;
}

/* ---- stores ---- */

enum lsu_stall lsu_cache_store_local(struct lsu *l, const struct lsu_look *k)
{
    struct lsu_cache *c = &l->cache[CACHE_L1];
    const uint64_t at = k->access->line;
    uint32_t i = tags_find(&c->tags, at);
    if (i != TAGS_NONE) {
        tags_touch(&c->tags, i);
        l->stats.local_store_hits++;
    } else {
        i = tags_victim(&c->tags, at);
        if (i == TAGS_NONE)
            return STALL_WAY;
        enum lsu_stall s = is_dirty(c, i) ? lsu_request_room(l, k->now, 1) : STALL_NONE;
        if (s != STALL_NONE)
            return s;
        replace(l, c, k->now, i, at);
        if (mshr_find(&c->mshr, at) == MSHR_NONE)
            c->tags.line[i].state = TAG_VALID;
        l->stats.local_store_misses++;
    }
    c->tags.line[i].valid |= k->access->words;
    c->tags.line[i].dirty |= k->access->words;
    c->writer[i] = k->insn->warp;
    return STALL_NONE;
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
bool lsu_cache_write(struct lsu *l, uint64_t line, uint32_t words)
{
    struct lsu_cache *c = &l->cache[CACHE_L1];
    if (!l->enabled)
        return false;
    uint32_t i = tags_find(&c->tags, line);
    bool is_hit = i != TAGS_NONE && (c->tags.line[i].valid & words);
    if (i == TAGS_NONE || !l->updates) {
        forget(c, line, i);
    } else {
        c->tags.line[i].valid |= words;
        tags_touch(&c->tags, i);
    }
    return is_hit;
}

/* ---- fills ---- */

/* A line for data that has come, or TAGS_NONE: it then goes to those who wait and nowhere else. */
static uint32_t line_for_fill(struct lsu *l, struct lsu_cache *c, hd_cycle now, uint64_t at)
{
    uint32_t i = tags_victim(&c->tags, at);
    if (i == TAGS_NONE || (is_dirty(c, i) && port_room(l->out, now) == 0))
        return TAGS_NONE;
    replace(l, c, now, i, at);
    return i;
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
    const uint64_t at = c->mshr.line[entry];
    uint32_t i = tags_find(&c->tags, at);
    c->mshr.sectors[entry] &= ~(uint32_t)r->sectors;
    if (i == TAGS_NONE && c->fill_allocates && !c->is_stale[entry])
        i = line_for_fill(l, c, now, at);
    if (i != TAGS_NONE) {
        c->tags.line[i].valid |= come;
        c->tags.line[i].state = c->mshr.sectors[entry] ? TAG_RESERVED : TAG_VALID;
    }
    c->stats.fills++;
    c->stats.unkept += i == TAGS_NONE;
    wake_waiters(l, c, now, entry, come);
    if (c->mshr.sectors[entry] == 0) {
        HD_ASSERT(c->mshr.count[entry] == 0, "%s: a load waits for words nobody asked for",
                  l->owner->path);
        lsu_cache_settle(c, now);
        mshr_release(&c->mshr, entry);
    }
}

/* ---- building ---- */

struct shape {
    int64_t size, ways, line, latency, mshrs, merges;
    bool hashed;
};

static void build(struct lsu_cache *c, struct arena *a, uint32_t index, const struct shape *s)
{
    c->index = (uint8_t)index;
    c->line_bytes = (uint32_t)s->line;
    c->latency = (uint32_t)s->latency;
    tags_init(&c->tags, a, (uint32_t)(s->size / (s->ways * s->line)), (uint32_t)s->ways,
              (uint32_t)s->line, s->hashed);
    mshr_init(&c->mshr, a, (uint32_t)s->mshrs, (uint32_t)s->merges);
    c->is_stale = ARENA_ARRAY(a, bool, s->mshrs);
    c->writer = ARENA_ARRAY(a, uint8_t, s->size / s->line);
}

void lsu_cache_build(struct lsu *l, struct arena *a, const struct config *cfg)
{
    const struct l1_spec *d = config_get(cfg, &l1_section);
    const struct constant_spec *k = config_get(cfg, &constant_section);
    const struct texture_spec *t = config_get(cfg, &texture_section);
    build(
        &l->cache[CACHE_L1], a, CACHE_L1,
        &(struct shape){d->size, d->ways, LINE_BYTES, d->latency, d->mshrs, d->merges, d->hashed});
    build(&l->cache[CACHE_CONST], a, CACHE_CONST,
          &(struct shape){k->size, k->ways, k->line, k->latency, k->mshrs, k->merges, false});
    build(&l->cache[CACHE_TEX], a, CACHE_TEX,
          &(struct shape){t->size, t->ways, t->line, t->latency, t->mshrs, t->merges, false});
    if (d->masked)
        tags_mask(&l->cache[CACHE_L1].tags);
    l->cache[CACHE_L1].is_sectored = d->sectored;
    l->cache[CACHE_L1].fill_allocates = d->allocate[0] == 'f';
}
