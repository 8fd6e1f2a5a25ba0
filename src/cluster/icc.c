/* icc.c - merge table and coalesced cache of a cluster: lookups, merging, filling, forgetting.
 *
 * After "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU NoC Pressure"
 * (IEEE TC 2019), sections 6.1 to 6.3: both are fully associative; CC, LRU by default, is looked up
 * first.  Three things that the paper leaves open: an answer finds an entry only if its request
 * made it (else one that passed a full table would take the answer of a later one), writes close
 * entries and take lines out of CC, and where L1s fetch sectors an entry answers only those who
 * want no others.
 *
 * Not modelled: ports and banks of the arrays; one request per cycle is the cluster's. */
#include "cluster/icc.h"

#include <stddef.h>

#include "base/err.h"
#include "stream/stream.h"

CFG_SECTION_WHEN(icc, ICC_ROWS, "intra-cluster coalescing", {"*", "icc.enabled=true"},
                 {"replacement|hit_queue", "icc.cc_lines!=0"})
STATS_ROWS(icc, ICC_STATS)
STATS_ROWS(icc_refused, ICC_REFUSED_STATS)

bool icc_check(const struct config *cfg, struct err *e)
{
    const struct icc_spec *s = config_get(cfg, &icc_section);
    if (s->enabled && s->cc_lines > 0 && s->entries == 0)
        return config_blame(cfg, e, &icc_section, "cc_lines",
                            "a coalesced cache is filled from a merge table (icc.entries is 0)");
    return cache_policy_check(cfg, &icc_section, s->replacement, e);
}

struct icc *icc_new(struct arena *a, const struct icc_options *opt)
{
    const struct icc_spec *spec = opt->spec;
    struct icc *c = ARENA_NEW(a, struct icc);
    c->has_table = spec->entries > 0;
    c->has_cc = c->has_table && spec->cc_lines > 0;
    if (c->has_table) {
        mshr_init(&c->table, a, (uint32_t)spec->entries, opt->nsms);
        c->is_closed = ARENA_ARRAY(a, bool, spec->entries);
    }
    if (c->has_cc) {
        tags_init(&c->cc, a, 1, (uint32_t)spec->cc_lines, LINE_BYTES, false);
        follow_init(&c->cc, a, spec->replacement,
                    &(struct follow_site){follow_instance(opt->path, 0), opt->first_sm + opt->nsms,
                                          opt->cfg});
    }
    return c;
}

/* ---- requests ---- */

static enum icc_verdict kind_of(const struct request *r)
{
    switch (r->kind) {
    case REQUEST_READ:
        break;
    case REQUEST_WRITE:
        return ICC_WRITE;
    default:
        return ICC_ATOMIC;
    }
    if (r->space != STREAM_GLOBAL)
        return ICC_SPACE;
    return r->flags & REQUEST_BYPASS_L1 ? ICC_BYPASS : ICC_TRACK;
}

static bool waits_already(const struct icc *c, uint32_t entry, uint16_t sm)
{
    uint32_t n;
    const uint64_t *w = mshr_waiters(&c->table, entry, &n);
    for (uint32_t i = 0; i < n; i++)
        if (w[i] >> 32 == sm)
            return true;
    return false;
}

static struct cache_ask ask_of(const struct request *r, hd_cycle now)
{
    return cache_ask_of(r, r->line, 0, now);
}

static bool passes(const struct icc *c, const struct request *r, hd_cycle now)
{
    if (!tags_has_policy(&c->cc) || tags_find(&c->cc, r->line) != TAGS_NONE)
        return false;
    struct cache_ask ask = ask_of(r, now);
    return follow_passes(&c->cc, &ask);
}

static struct icc_look look_in_table(const struct icc *c, const struct request *r, hd_cycle now)
{
    uint32_t i = c->has_table ? mshr_find(&c->table, r->line) : MSHR_NONE;
    if (i == MSHR_NONE) {
        bool has_room = c->has_table && !mshr_is_full(&c->table);
        bool is_refused = passes(c, r, now);
        return (struct icc_look){is_refused ? ICC_REFUSED : has_room ? ICC_TRACK : ICC_FULL, i};
    }
    if (c->is_closed[i])
        return (struct icc_look){ICC_STALE, i};
    if (r->sectors & ~c->table.at[i].sectors || waits_already(c, i, r->sm))
        return (struct icc_look){ICC_PARTIAL, i};
    return (struct icc_look){ICC_MERGE, i};
}

struct icc_look icc_look(const struct icc *c, const struct request *r, hd_cycle now)
{
    enum icc_verdict kind = kind_of(r);
    if (kind != ICC_TRACK)
        return (struct icc_look){kind, MSHR_NONE};
    uint32_t i = c->has_cc ? tags_find(&c->cc, r->line) : TAGS_NONE;
    if (i != TAGS_NONE && !(request_words_of(r->sectors) & ~c->cc.line[i].valid))
        return (struct icc_look){ICC_HIT, i};
    return look_in_table(c, r, now);
}

static void count(struct icc *c, enum icc_verdict v)
{
    static const size_t place[ICC_VERDICTS] = {
        [ICC_HIT] = offsetof(struct icc, stats.cc_hits),
        [ICC_MERGE] = offsetof(struct icc, stats.merges),
        [ICC_TRACK] = offsetof(struct icc, stats.allocations),
        [ICC_FULL] = offsetof(struct icc, stats.pass_full),
        [ICC_STALE] = offsetof(struct icc, stats.pass_stale),
        [ICC_PARTIAL] = offsetof(struct icc, stats.pass_partial),
        [ICC_REFUSED] = offsetof(struct icc, refused.pass_policy),
        [ICC_BYPASS] = offsetof(struct icc, stats.pass_bypass),
        [ICC_SPACE] = offsetof(struct icc, stats.pass_space),
        [ICC_WRITE] = offsetof(struct icc, stats.pass_write),
        [ICC_ATOMIC] = offsetof(struct icc, stats.pass_atomic)};
    ++*(uint64_t *)(void *)((char *)c + place[v]);
    c->stats.lookups += v < ICC_BYPASS;
}

static void touch(struct icc *c, const struct request *r, uint32_t i, hd_cycle now)
{
    if (!tags_has_policy(&c->cc)) {
        tags_touch(&c->cc, i);
        return;
    }
    struct cache_ask ask = ask_of(r, now);
    follow_used(&c->cc, &ask, i);
}

static void track(struct icc *c, struct request *r, uint32_t id)
{
    uint32_t i = mshr_alloc(&c->table, r->line, r->sectors);
    c->is_closed[i] = false;
    mshr_add(&c->table, i, icc_waiter(r, id));
    r->flags |= REQUEST_TRACKED;
}

void icc_take(struct icc *c, const struct icc_look *look, struct request *r, uint32_t id,
              hd_cycle now)
{
    count(c, look->verdict);
    switch (look->verdict) {
    case ICC_HIT:
        touch(c, r, look->at, now);
        r->version = c->cc.line[look->at].version;
        r->flags |= REQUEST_SHARED;
        break;
    case ICC_MERGE:
        mshr_add(&c->table, look->at, icc_waiter(r, id));
        c->waiting++;
        break;
    case ICC_TRACK:
        track(c, r, id);
        break;
    case ICC_WRITE:
    case ICC_ATOMIC:
        icc_written(c, r->line);
        break;
    default:
        break;
    }
}

/* ---- answers ---- */

uint32_t icc_entry(const struct icc *c, uint64_t line)
{
    uint32_t i = c->has_table ? mshr_find(&c->table, line) : MSHR_NONE;
    HD_ASSERT(i != MSHR_NONE, "a tracked answer of line 0x%llx has no entry",
              (unsigned long long)line);
    return i;
}

/* A line for what has come, or TAGS_NONE: the policy keeps nothing. */
static uint32_t give_line(struct icc *c, const struct request *r, hd_cycle now)
{
    struct cache_ask ask = ask_of(r, now);
    bool has_policy = tags_has_policy(&c->cc);
    if (has_policy && !follow_keeps(&c->cc, &ask)) {
        follow_refused(&c->cc, &ask);
        return TAGS_NONE;
    }
    uint32_t i = has_policy ? follow_victim(&c->cc, &ask) : tags_victim(&c->cc, r->line);
    c->stats.cc_evictions += c->cc.line[i].state == TAG_VALID;
    if (has_policy)
        follow_take(&c->cc, &ask, i);
    else
        tags_take(&c->cc, i, r->line);
    c->cc.line[i].state = TAG_VALID;
    c->cc.line[i].version = r->version;
    c->stats.cc_fills++;
    return i;
}

/* Sectors may come to a line one after another, by entries one after another: those that came
 * first are the oldest, and the line is no newer. */
static uint32_t fill(struct icc *c, uint8_t sectors, const struct request *r, hd_cycle now)
{
    uint32_t i = tags_find(&c->cc, r->line);
    if (i != TAGS_NONE)
        touch(c, r, i, now);
    else
        i = give_line(c, r, now);
    if (i != TAGS_NONE)
        c->cc.line[i].valid |= request_words_of(sectors);
    else
        c->refused.cc_unkept++;
    return i;
}

static void tell_came(struct icc *c, const struct request *r, uint32_t i, uint32_t n, hd_cycle now)
{
    struct cache_ask ask = ask_of(r, now);
    ask.waited = n;
    follow_came(&c->cc, &ask, i);
}

void icc_answer(struct icc *c, uint32_t entry, const struct request *r, hd_cycle now)
{
    struct mshr *t = &c->table;
    uint32_t n = t->at[entry].count, i = TAGS_NONE;
    stat_mean_add(&c->stats.requesters, n);
    c->waiting -= n - 1;
    if (n > 1) {
        c->stats.broadcasts++;
        if (c->has_cc && c->is_closed[entry])
            c->stats.no_fill++;
        else if (c->has_cc)
            i = fill(c, (uint8_t)t->at[entry].sectors, r, now);
        if (tags_has_policy(&c->cc))
            tell_came(c, r, i, n, now);
    }
    mshr_release(t, entry);
}

/* ---- forgetting ---- */

void icc_written(struct icc *c, uint64_t line)
{
    uint32_t entry = c->has_table ? mshr_find(&c->table, line) : MSHR_NONE;
    uint32_t i = c->has_cc ? tags_find(&c->cc, line) : TAGS_NONE;
    if (entry != MSHR_NONE)
        c->is_closed[entry] = true;
    if (i == TAGS_NONE)
        return;
    tags_drop(&c->cc, i);
    c->stats.cc_invalidations++;
}

void icc_invalidate(struct icc *c, uint32_t program)
{
    for (uint32_t i = 0; c->has_table && i < c->table.entries; i++)
        c->is_closed[i] |= program_has(program, c->table.at[i].line);
    for (uint32_t i = 0; c->has_cc && i < c->cc.ways; i++)
        if (c->cc.tag[i] && program_has(program, tags_address(&c->cc, i))) {
            c->stats.cc_flushed += c->cc.line[i].state == TAG_VALID;
            tags_drop(&c->cc, i);
        }
}

/* ---- for --check, and statistics ---- */

/* Those who wait want what the entry asked for, and no SM waits twice. */
static bool is_sound(const struct icc *c, uint32_t entry, const struct request *pool)
{
    const struct mshr *t = &c->table;
    uint32_t n;
    const uint64_t *w = mshr_waiters(t, entry, &n);
    bool ok = n > 0 && pool[icc_waiter_id(w[0])].flags & REQUEST_TRACKED;
    for (uint32_t i = 0; i < n && ok; i++) {
        const struct request *r = &pool[icc_waiter_id(w[i])];
        ok = r->line == t->at[entry].line && r->sm == w[i] >> 32 &&
             !(r->sectors & ~t->at[entry].sectors) && (i == 0) == !!(r->flags & REQUEST_TRACKED);
        for (uint32_t k = 0; k < i; k++)
            ok = ok && w[k] >> 32 != w[i] >> 32;
    }
    return ok;
}

bool icc_audit(const struct icc *c, const struct request *pool, const char *path, struct err *e)
{
    const struct icc_stats *s = &c->stats;
    uint64_t waiting = 0, lines = 0;
    for (uint32_t i = 0; c->has_table && i < c->table.entries; i++) {
        if (c->table.at[i].line == UINT64_MAX)
            continue;
        waiting += c->table.at[i].count - 1;
        if (!is_sound(c, i, pool))
            return err_set(e, STATUS_FAILED, "%s: the merge table's entry of line 0x%llx is wrong",
                           path, (unsigned long long)c->table.at[i].line);
    }
    for (uint32_t i = 0; c->has_cc && i < c->cc.ways; i++)
        lines += c->cc.line[i].state == TAG_VALID;
    if (waiting != c->waiting)
        return err_set(e, STATUS_FAILED, "%s: %u merged requests wait, but %llu are in the table",
                       path, c->waiting, (unsigned long long)waiting);
    if (s->cc_fills != s->cc_evictions + s->cc_invalidations + s->cc_flushed + lines)
        return err_set(e, STATUS_FAILED, "%s: lines of the coalesced cache came or went unseen",
                       path);
    return follow_audit(&c->cc, path, e);
}

void icc_add_stats(const struct icc *c, const char *instance, struct stats *tree)
{
    stats_join(tree, "icc", instance, icc_stat_rows, sizeof icc_stat_rows / sizeof icc_stat_rows[0],
               &c->stats);
    if (cache_policy_refuses(c->cc.policy))
        stats_join(tree, "icc", instance, icc_refused_stat_rows,
                   sizeof icc_refused_stat_rows / sizeof icc_refused_stat_rows[0], &c->refused);
    follow_add_stats(&c->cc, "icc", instance, tree);
}
