/* lsu.c - an SM's load/store unit: the queue, the head's turn, and what is still to come.
 *
 * Instructions are served in order, one access per cycle; one that cannot go on holds up those
 * behind it, as in Fermi (a replayed instruction would only take issue slots besides).  Answers
 * are taken before the head has its turn, so that what they free can be used in the same cycle.
 *
 * Not modelled: replays through the issue stage, address generation for less than a warp at a
 * time, and separate pipelines for shared, constant, texture and global accesses. */
#include <string.h>

#include "l1/banks.h"
#include "l1/carve.h"
#include "l1/lsu_priv.h"

/* ---- loads and warps ---- */

static uint16_t new_load(struct lsu *l, hd_cycle now, uint32_t warp, uint32_t insn)
{
    uint16_t i = l->free_load;
    struct lsu_load *p = &l->load[i];
    l->free_load = p->left;
    l->live_loads++;
    *p = (struct lsu_load){.issued = now, .insn = insn, .warp = (uint8_t)warp};
    return i;
}

static struct stat_mean *latency_of(struct lsu *l, uint32_t loads)
{
    return loads == LOADS_SHARED ? &l->shared.latency : &l->loads[loads].latency;
}

void lsu_complete(struct lsu *l, hd_cycle now, uint32_t load)
{
    struct lsu_load *p = &l->load[load];
    completions_add(l->completions, now, p->usable, p->warp, p->insn, true);
    stat_mean_add(latency_of(l, p->loads), p->usable - p->issued);
    p->left = l->free_load;
    l->free_load = (uint16_t)load;
    l->live_loads--;
    lsu_finished(l, now, p->warp);
}

/* ---- issue ---- */

bool lsu_can_issue(const struct lsu *l)
{
    return l->count < l->depth && l->free_load != LSU_NONE;
}

static struct lsu_set plan_load(const struct lsu *l, uint32_t space, bool bypasses)
{
    switch (space) {
    case STREAM_LOCAL:
        return (struct lsu_set){ACTION_LOAD, STREAM_LOCAL, CACHE_L1, LOADS_LOCAL, 0};
    case STREAM_CONST:
    case STREAM_PARAM:
        return (struct lsu_set){ACTION_LOAD, (uint8_t)space, CACHE_CONST, LOADS_CONST, 0};
    case STREAM_TEX:
        return (struct lsu_set){ACTION_LOAD, STREAM_TEX, CACHE_TEX, LOADS_TEX, 0};
    default:
        return (struct lsu_set){bypasses || !l->enabled ? ACTION_PASS : ACTION_LOAD, STREAM_GLOBAL,
                                CACHE_L1, LOADS_GLOBAL, 0};
    }
}

/* Whatever writes goes to global memory unless to shared or local: no other can be written. */
static struct lsu_set plan_for(const struct lsu *l, uint32_t flags, uint32_t space)
{
    if (space == STREAM_SHARED)
        return (struct lsu_set){ACTION_SHARED, STREAM_SHARED, 0, LOADS_SHARED, 0};
    if (!(flags & (INSN_STORE | INSN_ATOMIC)))
        return plan_load(l, space, flags & INSN_BYPASS_L1);
    if (space == STREAM_LOCAL)
        return (struct lsu_set){ACTION_LOCAL_STORE, STREAM_LOCAL, CACHE_L1, LOADS_LOCAL, 0};
    uint8_t action = !(flags & INSN_ATOMIC) ? ACTION_STORE
                     : flags & INSN_LOAD    ? ACTION_ATOMIC
                                            : ACTION_REDUCE;
    return (struct lsu_set){action, STREAM_GLOBAL, CACHE_L1, LOADS_GLOBAL, 0};
}

static inline const struct lsu_set *plan_of(const struct lsu *l, const struct stream_insn *insn,
                                            uint32_t space)
{
    return &l->plan[space][insn->flags >> PLAN_SHIFT & (PLANS - 1)];
}

static void count_instruction(struct lsu *l, const struct lsu_set *s)
{
    if (s->action <= ACTION_PASS) {
        l->loads[s->loads].instructions++;
        return;
    }
    switch (s->action) {
    case ACTION_STORE:
        l->stats.stores++;
        break;
    case ACTION_LOCAL_STORE:
        l->stats.local_stores++;
        break;
    case ACTION_ATOMIC:
        l->stats.atomics++;
        break;
    default:
        l->stats.reductions++;
    }
}

static uint32_t serve_shared(struct lsu *l, const struct stream_insn *insn,
                             const struct stream_access *a)
{
    bool is_atomic = insn->flags & INSN_ATOMIC;
    struct banks_use use = banks_serve(a, insn->size, l->banks, is_atomic);
    l->shared.atomics += is_atomic;
    l->shared.stores += !is_atomic && insn->flags & INSN_STORE;
    l->shared.loads += !is_atomic && !(insn->flags & INSN_STORE);
    l->shared.cycles += use.cycles;
    l->shared.conflict_cycles += use.cycles - use.passes;
    return use.cycles;
}

static uint32_t find_accesses(const struct lsu *l, const struct lsu_insn *q,
                              const struct lsu_set *s, const struct stream_access *a,
                              struct coalesced *out)
{
    if (s->space == STREAM_LOCAL)
        return coalesce_local(a, q->size, l->home[q->warp].local, out);
    if (s->cache == CACHE_TEX && l->cache[CACHE_TEX].line_bytes < LINE_BYTES)
        return coalesce_segments(a, q->size, l->cache[CACHE_TEX].line_bytes, out);
    if (s->cache != CACHE_CONST)
        return coalesce_lines(a, q->size, out);
    uint32_t n = coalesce_items(a, q->size, out);
    for (uint32_t i = 0; s->space == STREAM_PARAM && i < n; i++)
        out[i].line += l->param_base;
    return n;
}

/* To where the program's memory lies; local memory is laid out there. */
static void move_accesses(const struct lsu_set *s, uint64_t base, struct coalesced *out)
{
    for (uint32_t i = 0; s->space != STREAM_LOCAL && i < s->accesses; i++) {
        HD_ASSERT(program_of(out[i].line) == 0, "address 0x%llx is beyond a program's memory",
                  (unsigned long long)out[i].line);
        out[i].line += base;
    }
}

/* The first is looked up in the next cycle, after all other SMs have had theirs. */
static inline void prefetch_tags(const struct tags *t, const struct coalesced *first)
{
    tags_prefetch(t, tags_set(t, first->line));
}

/* Fills in the address sets; returns how many accesses they have, a shared one counting once. */
static uint32_t find_sets(struct lsu *l, struct lsu_insn *q, const struct stream_insn *insn,
                          const struct stream_op *op, struct coalesced *out)
{
    uint32_t n = 0, waits = 0;
    for (uint32_t i = 0; i < op->nsets; i++) {
        struct lsu_set *s = &q->sets[i];
        *s = *plan_of(l, insn, op->access[i].space);
        if (s->action == ACTION_SHARED) {
            s->accesses = serve_shared(l, insn, &op->access[i]);
            waits++;
            continue;
        }
        s->accesses = find_accesses(l, q, s, &op->access[i], out + n);
        if (l->home[q->warp].base)
            move_accesses(s, l->home[q->warp].base, out + n);
        prefetch_tags(&l->cache[s->cache].tags, out + n);
        count_instruction(l, s);
        n += s->accesses;
        waits += s->accesses;
    }
    if (op->nsets == 0) {
        q->sets[0] = *plan_of(l, insn, insn->space);
        q->sets[0].action = ACTION_NOTHING;
        waits = q->sets[0].accesses = 1;
    }
    return waits;
}

LSU_APART void lsu_issue(struct lsu *l, hd_cycle now, uint32_t warp, const struct stream_insn *insn,
                         const struct stream_op *op)
{
    HD_ASSERT(lsu_can_issue(l), "%s: the load/store unit is full", l->owner->path);
    uint32_t tail = l->head + l->count;
    tail = tail >= l->depth ? tail - l->depth : tail;
    struct lsu_insn *q = &l->queue[tail];
    q->warp = (uint8_t)warp;
    q->owner = l->home[warp].owner;
    q->size = insn->size;
    q->set = 0;
    q->nsets = op->nsets ? (uint8_t)op->nsets : 1;
    q->next = 0;
    uint32_t waits = find_sets(l, q, insn, op, l->access + (uint64_t)tail * LSU_ACCESSES);
    q->left = q->sets[0].accesses;
    q->load = LSU_NONE;
    if (insn->flags & INSN_LOAD) {
        q->load = new_load(l, now, warp, op->insn);
        l->load[q->load].left = (uint16_t)waits;
        l->load[q->load].loads = q->sets[0].loads;
    } else {
        l->posted[q->owner.program]++;
    }
    l->home[warp].outstanding++;
    if (l->count++ == 0 && l->next_at < now + 1)
        l->next_at = now + 1;
}

/* ---- the head's turn ---- */

static enum lsu_stall look_store(struct lsu *l, const struct lsu_look *k)
{
    enum lsu_stall s = lsu_request_room(l, k->now, 1);
    if (s != STALL_NONE)
        return s;
    l->stats.store_hits += lsu_cache_write(l, k);
    l->stats.store_accesses++;
    l->stats.store_words += lsu_count_words(k->access->words);
    lsu_request_send(l, k, REQUEST_WRITE, request_sectors_of(k->access->words));
    return STALL_NONE;
}

/* Loads by the L1 and atomics: what the L1 has of the line is forgotten, so that no later load sees
 * older data than this one. */
static enum lsu_stall look_past(struct lsu *l, const struct lsu_look *k)
{
    enum lsu_stall s = lsu_request_room(l, k->now, 1);
    if (s != STALL_NONE)
        return s;
    lsu_cache_forget(l, k->access->line);
    switch (k->set->action) {
    case ACTION_ATOMIC:
        l->stats.atomic_accesses++;
        lsu_request_send(l, k, REQUEST_ATOMIC, request_sectors_of(k->access->words));
        break;
    case ACTION_REDUCE:
        l->stats.reduction_accesses++;
        lsu_request_send(l, k, REQUEST_REDUCE, request_sectors_of(k->access->words));
        break;
    default:
        l->loads[LOADS_GLOBAL].accesses++;
        l->loads[LOADS_GLOBAL].passes++;
        l->loads[LOADS_GLOBAL].words += lsu_count_words(k->access->words);
        lsu_request_send(l, k, REQUEST_READ, lsu_request_sectors(l, k));
    }
    return STALL_NONE;
}

static uint32_t hit_latency(const struct lsu *l, const struct lsu_set *s)
{
    return s->loads == LOADS_SHARED ? l->shared_latency : l->cache[s->cache].latency;
}

static enum lsu_stall look(struct lsu *l, const struct lsu_look *k)
{
    switch (k->set->action) {
    case ACTION_LOAD:
        return lsu_cache_load(l, k);
    case ACTION_STORE:
        return look_store(l, k);
    case ACTION_LOCAL_STORE: {
        enum lsu_stall s = lsu_cache_store_local(l, k);
        if (s != STALL_NONE)
            return s;
        break;
    }
    case ACTION_SHARED:
    case ACTION_NOTHING:
        break;
    default:
        return look_past(l, k);
    }
    if (k->insn->load != LSU_NONE) {
        uint32_t cycles = k->set->action == ACTION_SHARED ? k->set->accesses : 1;
        lsu_arrived(l, k->now, k->insn->load, k->now - 2 + hit_latency(l, k->set) + cycles);
    }
    return STALL_NONE;
}

static void settle_stall(struct lsu *l, hd_cycle now)
{
    uint64_t *const sums[] = {[STALL_MSHR] = &l->stats.stall_mshr,
                              [STALL_MERGE] = &l->stats.stall_merge,
                              [STALL_WAY] = &l->stats.stall_way,
                              [STALL_REQUEST] = &l->stats.stall_request,
                              [STALL_PORT] = &l->stats.stall_port};
    if (l->stall != STALL_NONE && now > l->stalled)
        *sums[l->stall] += now - l->stalled;
    l->stalled = now;
}

void lsu_settle(struct lsu *l, hd_cycle now)
{
    settle_stall(l, now);
    for (int i = 0; i < CACHES; i++) {
        lsu_cache_settle(&l->cache[i], now);
        follow_settle(&l->cache[i].tags, now);
    }
}

/* One access is done: on to the next one, set or instruction. */
static void advance(struct lsu *l, hd_cycle now, struct lsu_insn *q)
{
    const struct lsu_set *s = &q->sets[q->set];
    bool is_shared = s->action == ACTION_SHARED;
    l->first = HD_NEVER;
    l->next_at = now + (is_shared ? s->accesses : 1);
    if (!is_shared) {
        q->next++;
        if (--q->left)
            return;
    }
    if (++q->set < q->nsets) {
        q->left = q->sets[q->set].accesses;
        return;
    }
    l->head = l->head + 1 == l->depth ? 0 : l->head + 1;
    l->count--;
    if (q->load == LSU_NONE) {
        l->posted[q->owner.program]--;
        lsu_finished(l, now, q->warp);
    }
}

static hd_cycle work(struct lsu *l, hd_cycle now)
{
    if (l->count == 0)
        return HD_NEVER;
    if (now < l->next_at)
        return l->next_at;
    struct lsu_insn *q = &l->queue[l->head];
    if (l->first == HD_NEVER)
        l->first = now;
    const struct lsu_look k = {now, q, &q->sets[q->set],
                               l->access + (uint64_t)l->head * LSU_ACCESSES + q->next};
    enum lsu_stall s = look(l, &k);
    if (s != l->stall) {
        settle_stall(l, now);
        l->stall = (uint8_t)s;
    }
    if (s != STALL_NONE)
        return HD_NEVER;
    if (l->watch)
        lsu_watch_access(l, &k);
    advance(l, now, q);
    return l->count ? l->next_at : HD_NEVER;
}

LSU_APART hd_cycle lsu_tick(struct lsu *l, hd_cycle now)
{
    if (port_has(l->in, now))
        lsu_request_take(l, now);
    hd_cycle next = work(l, now), ready = port_ready(l->in);
    ready = ready > now ? ready : now + 1;
    return ready < next ? ready : next;
}

/* ---- the rest of the contract ---- */

void lsu_set_warp(struct lsu *l, uint32_t warp, const struct lsu_warp *w)
{
    HD_ASSERT(warp < l->max_warps, "%s has no warp %u", l->owner->path, warp);
    uint64_t words = (w->local_bytes + 3u) / 4u;
    uint64_t base = program_base(w->program);
    struct lsu_home *home = &l->home[warp]; /* what is outstanding may be of the warp before */
    home->local = base + l->local_base + warp * words * LINE_BYTES;
    home->base = base;
    home->owner = (struct lsu_owner){w->cta, w->kernel, (uint8_t)w->program};
}

void lsu_await(struct lsu *l, uint32_t warp)
{
    l->awaited |= 1ull << warp;
}

uint32_t lsu_outstanding(const struct lsu *l, uint32_t warp)
{
    return l->home[warp].outstanding;
}

uint32_t lsu_posted(const struct lsu *l, uint32_t program)
{
    return l->posted[program];
}

bool lsu_is_idle(const struct lsu *l)
{
    return l->count == 0 && l->pool.packets.live == 0;
}

static void drop_lines(struct tags *t, uint32_t program)
{
    if (program == PROGRAM_ANY) {
        tags_drop_all(t);
        return;
    }
    for (uint32_t i = 0; i < t->sets * t->ways; i++)
        if (t->tag[i] && program_has(program, tags_address(t, i)))
            tags_drop(t, i);
}

void lsu_invalidate(struct lsu *l, uint32_t program)
{
    for (int i = 0; i < CACHES; i++) {
        struct lsu_cache *c = &l->cache[i];
        drop_lines(&c->tags, program);
        for (uint32_t m = 0; c->mshr.live && m < c->mshr.entries; m++)
            c->is_stale[m] |= program_has(program, c->mshr.at[m].line);
    }
    if (l->watch)
        lsu_watch_forget(l->watch, program);
}

void lsu_carve(struct lsu *l, uint64_t shared_bytes)
{
    struct tags *t = &l->cache[CACHE_L1].tags;
    if (l->carveouts.n == 0)
        return;
    uint64_t bytes = l->whole_bytes - carve_shared(&l->carveouts, shared_bytes);
    HD_ASSERT(l->cache[CACHE_L1].mshr.live == 0, "%s: lines are on their way", l->owner->path);
    tags_drop_all(t);
    tags_resize(t, (uint32_t)(bytes / ((uint64_t)t->ways * LINE_BYTES)));
    if (l->watch)
        lsu_watch_resize(l->watch, t->sets * t->ways);
}

uint64_t lsu_live(const struct lsu *l)
{
    return l->pool.packets.live + l->count;
}

void lsu_connect(struct lsu *l, struct port *out, struct port *in)
{
    HD_ASSERT(port_depth(out) >= 2, "%s: a miss and its victim need two places", l->owner->path);
    l->out = out;
    l->in = in;
}

struct lsu *lsu_new(struct arena *a, const struct lsu_options *opt)
{
    const struct l1_spec *d = config_get(opt->cfg, &l1_section);
    const struct shared_spec *sh = config_get(opt->cfg, &shared_section);
    struct lsu *l = ARENA_NEW(a, struct lsu);
    HD_ASSERT(opt->local_base % LINE_BYTES == 0 && opt->param_base % LINE_BYTES == 0,
              "%s: memory is laid out in lines", opt->owner->path);
    HD_ASSERT(opt->max_warps <= 64, "%s: %u warps", opt->owner->path, opt->max_warps);
    l->owner = opt->owner;
    l->completions = opt->completions;
    l->pool = opt->pool;
    l->share = opt->pool.packets.capacity - opt->pool.packets.high;
    l->sm = opt->sm;
    l->max_warps = opt->max_warps;
    l->local_base = opt->local_base;
    l->param_base = opt->param_base;
    l->first = HD_NEVER;
    l->depth = (uint32_t)d->queue;
    l->max_loads = (uint32_t)d->pending;
    l->enabled = d->enabled;
    l->updates = strcmp(d->write_hit, "update") == 0;
    l->allocates = d->enabled && strcmp(d->write_miss, "allocate") == 0;
    l->fill_latency = (uint32_t)d->fill_latency;
    l->shared_latency = (uint32_t)sh->latency;
    l->banks = (uint32_t)sh->banks;
    l->carveouts = d->carveouts;
    l->whole_bytes = (uint64_t)d->size;
    l->queue = ARENA_ARRAY(a, struct lsu_insn, l->depth);
    l->access = ARENA_ARRAY(a, struct coalesced, (uint64_t)l->depth * LSU_ACCESSES);
    l->load = ARENA_ARRAY(a, struct lsu_load, l->max_loads);
    for (uint32_t i = 0; i < l->max_loads; i++)
        l->load[i].left = i + 1 < l->max_loads ? (uint16_t)(i + 1) : LSU_NONE;
    l->home = ARENA_ARRAY(a, struct lsu_home, l->max_warps);
    for (uint32_t i = 0; i < STREAM_SPACES * PLANS; i++)
        l->plan[i / PLANS][i % PLANS] = plan_for(l, i % PLANS << PLAN_SHIFT, i / PLANS);
    lsu_cache_build(l, a, opt->cfg);
    l->ready_warps = opt->ready_warps;
    l->watch =
        opt->sharing || d->count_sectors ? lsu_watch_new(a, opt->sharing, d->count_sectors) : NULL;
    return l;
}
