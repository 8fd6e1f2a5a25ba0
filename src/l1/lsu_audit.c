/* lsu_audit.c - statistics of a load/store unit, what must always hold in it, and for whom it
 * waits. */
#include "l1/lsu_priv.h"
#include "sim/waitgraph.h"

STATS_ROWS(load, LOAD_STATS)
STATS_ROWS(cache, CACHE_STATS)
STATS_ROWS(lsu, LSU_STATS)
STATS_ROWS(lsu_refused, LSU_REFUSED_STATS)
STATS_ROWS(lsu_write_miss, LSU_WRITE_MISS_STATS)
STATS_ROWS(lsu_sector, LSU_SECTOR_STATS)
STATS_ROWS(trip, TRIP_STATS)
STATS_ROWS(shared, SHARED_STATS)
STATS_ROWS(lsu_program, LSU_PROGRAM_STATS)

#define ROWS_OF(id) id##_stat_rows, sizeof id##_stat_rows / sizeof id##_stat_rows[0]

void lsu_add_stats(const struct lsu *l, struct stats *tree)
{
    static const char *const loads[LOADS] = {"l1.global", "l1.local", "const", "tex"};
    static const char *const caches[CACHES] = {"l1", "const", "tex"};
    static const char *const trips[REQUEST_KINDS] = {"l1.read", "l1.write", "l1.atomic",
                                                     "l1.reduce"};
    const char *sm = l->owner->path;
    for (int i = 0; i < CACHES; i++) {
        stats_join(tree, caches[i], sm, ROWS_OF(cache), &l->cache[i].stats);
        follow_add_stats(&l->cache[i].tags, caches[i], sm, tree);
    }
    stats_join(tree, "l1", sm, ROWS_OF(lsu), &l->stats);
    if (cache_policy_refuses(l->cache[CACHE_L1].tags.policy))
        stats_join(tree, "l1", sm, ROWS_OF(lsu_refused), &l->refused);
    if (l->allocates)
        stats_join(tree, "l1", sm, ROWS_OF(lsu_write_miss), &l->write_miss);
    if (l->watch && l->watch->counts_sectors)
        stats_join(tree, "l1", sm, ROWS_OF(lsu_sector), &l->watch->sectors);
    for (int i = 0; i < LOADS; i++)
        stats_join(tree, loads[i], sm, ROWS_OF(load), &l->loads[i]);
    for (int i = 0; i < REQUEST_KINDS; i++)
        stats_join(tree, trips[i], sm, ROWS_OF(trip), &l->trip[i]);
    stats_join(tree, "shared", sm, ROWS_OF(shared), &l->shared);
}

void lsu_count_programs(struct lsu *l, struct arena *a)
{
    l->of = ARENA_ARRAY(a, struct lsu_program_stats, MAX_PROGRAMS);
}

void lsu_add_program_stats(const struct lsu *l, struct stats *tree, uint32_t program,
                           const char *path)
{
    stats_join(tree, path, l->owner->path, ROWS_OF(lsu_program), &l->of[program]);
}

/* Only the port is somebody else's: MSHRs, ways and requests come free by answers, which this
 * component always takes. */
void lsu_waits(const struct lsu *l, struct waitgraph *g, uint64_t local)
{
    bool is_blocked = l->stall == STALL_PORT && port_held(l->out) >= port_depth(l->out) - 1;
    waitgraph_vertex(g, l->owner, local, !is_blocked, "load/store unit");
    if (is_blocked)
        waitgraph_edge(g, l->owner, local, l->out->reader, l->out->reader_slot);
}

/* ---- audit ---- */

static bool broken(const struct lsu *l, struct err *e, const char *what, uint64_t address)
{
    return err_set(e, STATUS_FAILED, "%s: load/store unit: %s (line 0x%llx)", l->owner->path, what,
                   (unsigned long long)address);
}

/* Counts in waits[] who waits for which pending load. */
static bool audit_mshr(const struct lsu *l, const struct lsu_cache *c, uint32_t m,
                       uint32_t *waiting, struct err *e)
{
    uint64_t at = c->mshr.at[m].line;
    uint32_t n, i = tags_find(&c->tags, at);
    const uint64_t *w = mshr_waiters(&c->mshr, m, &n);
    if (c->is_stale[m] && i != TAGS_NONE)
        return broken(l, e, "what is on its way is too old for the line it would fill", at);
    if (i != TAGS_NONE && c->tags.line[i].state != TAG_RESERVED)
        return broken(l, e, "a line on its way could be evicted", at);
    if (c->mshr.at[m].sectors == 0 || n == 0)
        return broken(l, e, "an MSHR waits for nothing, or nobody for it", at);
    for (uint32_t k = 0; k < n; k++) {
        uint8_t sectors = request_sectors_of((uint32_t)(w[k] >> 16));
        if (sectors & ~c->mshr.at[m].sectors)
            return broken(l, e, "a load waits for sectors that are not on their way", at);
    }
    *waiting += n;
    return true;
}

static bool audit_cache(const struct lsu *l, const struct lsu_cache *c, uint32_t *waiting,
                        struct err *e)
{
    uint32_t reserved = 0, on_way = 0;
    for (uint32_t m = 0; m < c->mshr.entries; m++) {
        if (c->mshr.at[m].line == UINT64_MAX)
            continue;
        on_way += tags_find(&c->tags, c->mshr.at[m].line) != TAGS_NONE;
        if (!audit_mshr(l, c, m, waiting, e))
            return false;
    }
    for (uint32_t i = 0; i < c->tags.sets * c->tags.ways; i++) {
        const struct tags_line *t = &c->tags.line[i];
        if (t->dirty & ~t->valid)
            return broken(l, e, "dirty words without data", tags_address(&c->tags, i));
        reserved += t->state == TAG_RESERVED;
    }
    if (reserved != on_way)
        return broken(l, e, "a line is reserved for nothing", 0);
    return follow_audit(&c->tags, l->owner->path, e);
}

bool lsu_audit(const struct lsu *l, struct err *e)
{
    uint64_t outstanding = 0, known = l->live_loads;
    uint32_t waiting = 0, free = 0;
    for (int i = 0; i < CACHES; i++)
        if (!audit_cache(l, &l->cache[i], &waiting, e))
            return false;
    for (uint16_t i = l->free_load; i != LSU_NONE; i = l->load[i].left)
        free++;
    if (free + l->live_loads != l->max_loads)
        return broken(l, e, "pending loads are lost", 0);
    for (uint32_t w = 0; w < l->max_warps; w++)
        outstanding += l->home[w].outstanding;
    for (uint32_t p = 0; p < MAX_PROGRAMS; p++)
        known += l->posted[p];
    if (outstanding != known)
        return broken(l, e, "what warps have outstanding is not what programs have", 0);
    if (outstanding == 0 && (l->count || waiting || l->live_loads))
        return broken(l, e, "somebody waits, but no warp", 0);
    return true;
}
