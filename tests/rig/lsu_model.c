/* lsu_model.c - see lsu_model.h. */
#include "rig/lsu_model.h"

#include "check.h"
#include "rig/lsu_model_lines.h"

static uint32_t cache_of(const struct lsu_model *m, uint32_t s)
{
    return m->step[s].insn.space == STREAM_TEX ? MODEL_TEX : MODEL_L1;
}

/* Where the loads of a step are counted. */
static uint32_t loads_of(const struct lsu_model *m, uint32_t s)
{
    const uint32_t space = m->step[s].insn.space;
    return space == STREAM_TEX ? 2 : space == STREAM_LOCAL;
}

/* The line of a cache that an access is in; its lines may be shorter than the 128 bytes that
 * accesses tell words of. */
static uint64_t own_line(const struct lsu_model *m, uint32_t cache, const struct coalesced *a)
{
    const uint32_t bytes = m->m.shape[cache].line;
    uint32_t word = 0;
    while (!(a->words >> word & 1))
        word++;
    return (a->line + 4 * word) / bytes * bytes;
}

static void add_word(struct lsu_model *m, uint32_t s, uint64_t address)
{
    const uint32_t cache = cache_of(m, s), bytes = m->m.shape[cache].line;
    uint32_t i = 0;
    while (i < m->naccesses[s] && own_line(m, cache, &m->access[s][i]) != address / bytes * bytes)
        i++;
    if (i == m->naccesses[s])
        m->access[s][m->naccesses[s]++] = (struct coalesced){address / 128 * 128, 0};
    m->access[s][i].words |= 1u << address % 128 / 4;
}

static void coalesce(struct lsu_model *m, uint32_t s)
{
    const struct lsu_rig_step *p = &m->step[s];
    const struct stream_access *a = &p->op.access[0];
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t b = 0; (a->mask >> l & 1) && b < p->insn.size; b++) {
            uint64_t at = a->base + (uint64_t)a->stride * l + b;
            if (p->insn.space == STREAM_LOCAL) /* 16 words per thread */
                at = RIG_LOCAL_BASE + ((p->warp * 16 + at / 4) * 32 + l) * 4 + at % 4;
            add_word(m, s, at);
        }
}

static bool is_kind(const struct lsu_model *m, uint32_t s, uint32_t flags, uint32_t space)
{
    const struct stream_insn *i = &m->step[s].insn;
    return i->space == space && (i->flags & (INSN_LOAD | INSN_STORE | INSN_ATOMIC)) == flags;
}

static bool has_result(const struct lsu_model *m, uint32_t s)
{
    return m->step[s].insn.flags & INSN_LOAD;
}

static void arrive(struct lsu_model *m, uint32_t s, hd_cycle usable)
{
    m->usable[s] = usable > m->usable[s] ? usable : m->usable[s];
    if (--m->left[s] == 0) {
        m->done[s] = m->usable[s];
        m->loads--;
    }
}

static struct lsu_model_entry *find_entry(struct lsu_model *m, uint32_t cache, uint64_t at)
{
    struct lsu_model_cache *c = &m->cache[cache];
    for (uint32_t i = 0; i < c->nentries; i++)
        if (c->entry[i].at == at)
            return &c->entry[i];
    return NULL;
}

static enum lsu_stall room(const struct lsu_model *m, uint32_t n)
{
    return m->live + n > m->m.requests ? STALL_REQUEST
           : m->nout + n > m->m.depth  ? STALL_PORT
                                       : STALL_NONE;
}

static void send(struct lsu_model *m, struct lsu_model_message x)
{
    x.time = m->now;
    x.n = m->nsent;
    m->live++;
    m->out[m->nout++] = x;
    m->sent[m->nsent++] = x;
}

static void replace(struct lsu_model *m, uint32_t cache, struct lsu_model_line *v, uint64_t at,
                    bool is_shared)
{
    lsu_lines_count_replaced(m, cache, v, is_shared);
    if (v->is_there)
        lsu_lines_declare_dead(m, cache, at, v);
    m->n.evictions[cache] += v->is_there;
    if (v->is_there && v->dirty) {
        m->n.write_backs++;
        send(m, (struct lsu_model_message){.line = v->at,
                                           .words = v->dirty,
                                           .sectors = request_sectors_of(v->dirty),
                                           .kind = REQUEST_WRITE});
    }
    *v = (struct lsu_model_line){.is_there = true,
                                 .is_reserved = true,
                                 .is_shared = is_shared,
                                 .at = at,
                                 .used = ++m->clock};
}

static void read_own(struct lsu_model *m, uint32_t s, const struct coalesced *a)
{
    send(m,
         (struct lsu_model_message){.line = a->line,
                                    .words = a->words,
                                    .sectors = m->m.is_sectored ? request_sectors_of(a->words) : 15,
                                    .kind = REQUEST_READ,
                                    .step = s});
}

/* Sectors that a miss asks for: those that it lacks, or all of its line. */
static uint32_t sectors_of(const struct lsu_model *m, uint32_t cache, uint64_t own,
                           uint32_t lacking)
{
    uint32_t sectors = 0;
    if (cache == MODEL_L1 && m->m.is_sectored)
        return request_sectors_of(lacking);
    for (uint64_t at = own; at < own + m->m.shape[cache].line; at += 32)
        sectors |= 1u << at % 128 / 32;
    return sectors;
}

static void ask(struct lsu_model *m, uint32_t s, const struct coalesced *a, uint32_t sectors)
{
    const uint32_t cache = cache_of(m, s);
    send(m, (struct lsu_model_message){.line = a->line,
                                       .words = a->words & request_words_of((uint8_t)sectors),
                                       .sectors = sectors,
                                       .kind = REQUEST_READ,
                                       .step = s,
                                       .is_fill = true,
                                       .cache = cache,
                                       .own = own_line(m, cache, a)});
}

static bool is_refused(const struct lsu_model *m, uint32_t s)
{
    const struct stream_insn *i = &m->step[s].insn;
    bool is_load = i->flags & INSN_LOAD;
    return m->m.mode != MODEL_KEEPS && m->m.refuses[cache_of(m, s)] &&
           (m->m.spaces >> i->space & 1) && (is_load ? m->m.refuses_loads : m->m.refuses_stores);
}

static enum lsu_stall pass_by(struct lsu_model *m, uint32_t s, const struct coalesced *a,
                              uint32_t kind)
{
    if (room(m, 1))
        return room(m, 1);
    send(m, (struct lsu_model_message){.line = a->line,
                                       .words = a->words,
                                       .sectors = request_sectors_of(a->words),
                                       .kind = kind,
                                       .step = s});
    return STALL_NONE;
}

static enum lsu_stall model_merge(struct lsu_model *m, uint32_t s, struct lsu_model_entry *e,
                                  struct lsu_model_line *l, const struct coalesced *a)
{
    uint32_t lacking = a->words & ~(l ? l->valid : 0);
    uint32_t space = loads_of(m, s), cache = cache_of(m, s);
    uint32_t more = sectors_of(m, cache, e->at, lacking) & ~e->sectors;
    if (e->is_stale) {
        if (room(m, 1))
            return room(m, 1);
        read_own(m, s, a);
        m->n.passes[space]++;
        return STALL_NONE;
    }
    if (e->nwaiters == m->m.shape[cache].merges)
        return STALL_MERGE;
    if (more && room(m, 1))
        return room(m, 1);
    if (more)
        ask(m, s, a, more);
    (more ? m->n.misses : m->n.merges)[space]++;
    e->sectors |= more;
    e->waiter[e->nwaiters++] = (struct lsu_model_waiter){s, lacking};
    if (l)
        lsu_lines_use(m, cache, l);
    return STALL_NONE;
}

static enum lsu_stall model_load(struct lsu_model *m, uint32_t s, const struct coalesced *a)
{
    const uint32_t cache = cache_of(m, s), space = loads_of(m, s);
    const uint64_t own = own_line(m, cache, a);
    struct lsu_model_cache *c = &m->cache[cache];
    struct lsu_model_line *l = lsu_lines_find(m, cache, own), *v = NULL;
    struct lsu_model_entry *e = find_entry(m, cache, own);
    uint32_t lacking = a->words & ~(l ? l->valid : 0);
    if (!lacking) {
        lsu_lines_use(m, cache, l);
        m->n.hits[space]++;
        arrive(m, s, m->now - 1 + (cache == MODEL_TEX ? 100 : 35));
        return STALL_NONE;
    }
    if (e)
        return model_merge(m, s, e, l, a);
    if (!l && is_refused(m, s) && m->m.mode == MODEL_NO_MSHR) {
        enum lsu_stall stops = pass_by(m, s, a, REQUEST_READ);
        m->n.passes[space] += !stops;
        return stops;
    }
    if (c->nentries == m->m.shape[cache].mshrs)
        return STALL_MSHR;
    bool takes_line = (cache == MODEL_TEX || !m->m.on_fill) && !is_refused(m, s);
    if (!l && takes_line && !(v = lsu_lines_victim(m, cache, own, false)))
        return STALL_WAY;
    enum lsu_stall why = room(m, v && v->is_there && v->dirty ? 2 : 1);
    if (why)
        return why;
    if (v)
        replace(m, cache, v, own, false);
    if (l) {
        l->is_reserved = true;
        lsu_lines_use(m, cache, l);
    }
    uint32_t sectors = sectors_of(m, cache, own, lacking);
    c->entry[c->nentries++] = (struct lsu_model_entry){own, sectors, 1, false, {{s, lacking}}};
    m->n.misses[space]++;
    ask(m, s, a, sectors);
    return STALL_NONE;
}

static enum lsu_stall model_local_store(struct lsu_model *m, uint32_t s, const struct coalesced *a)
{
    struct lsu_model_line *l = lsu_lines_find(m, MODEL_L1, a->line);
    if (l) {
        m->n.local_hits++;
        lsu_lines_use(m, MODEL_L1, l);
    } else if (is_refused(m, s) && !find_entry(m, MODEL_L1, a->line)) {
        enum lsu_stall stops = pass_by(m, s, a, REQUEST_WRITE);
        m->n.local_passes += !stops;
        return stops;
    } else {
        l = lsu_lines_victim(m, MODEL_L1, a->line, false);
        if (!l)
            return STALL_WAY;
        if (l->is_there && l->dirty && room(m, 1))
            return room(m, 1);
        replace(m, MODEL_L1, l, a->line, false);
        l->is_reserved = find_entry(m, MODEL_L1, a->line) != NULL;
        m->n.local_misses++;
    }
    l->valid |= a->words;
    l->dirty |= a->words;
    return STALL_NONE;
}

/* A line for the words of a global store that has found none; NULL: it goes without. */
static struct lsu_model_line *line_for_store(struct lsu_model *m, uint32_t s, uint64_t at)
{
    const struct lsu_model_entry *e = find_entry(m, MODEL_L1, at);
    if (!m->m.allocates || (e ? e->is_stale : is_refused(m, s)))
        return NULL;
    struct lsu_model_line *v = lsu_lines_victim(m, MODEL_L1, at, false);
    if (!v || (v->is_there && v->dirty && room(m, 2)))
        return NULL;
    replace(m, MODEL_L1, v, at, false);
    v->is_reserved = e != NULL;
    m->n.store_lines++;
    return v;
}

/* Everything else goes to memory with a request of its own. */
static enum lsu_stall model_past(struct lsu_model *m, uint32_t s, const struct coalesced *a)
{
    bool is_store = is_kind(m, s, INSN_STORE, STREAM_GLOBAL);
    bool is_load = is_kind(m, s, INSN_LOAD, STREAM_GLOBAL);
    if (room(m, 1))
        return room(m, 1);
    struct lsu_model_line *l = m->m.enabled ? lsu_lines_find(m, MODEL_L1, a->line) : NULL;
    struct lsu_model_entry *e = m->m.enabled ? find_entry(m, MODEL_L1, a->line) : NULL;
    m->n.store_hits += is_store && l && (l->valid & a->words);
    struct lsu_model_line *taken =
        is_store && m->m.enabled && !l ? line_for_store(m, s, a->line) : NULL;
    if (taken) {
        taken->valid = a->words;
    } else if (is_store && m->m.updates && l) {
        l->valid |= a->words;
        lsu_lines_use(m, MODEL_L1, l);
    } else {
        if (l)
            l->is_there = false;
        if (e)
            e->is_stale = true;
    }
    if (is_load) {
        m->n.passes[0]++;
        read_own(m, s, a);
        return STALL_NONE;
    }
    uint32_t kind = is_store ? REQUEST_WRITE : has_result(m, s) ? REQUEST_ATOMIC : REQUEST_REDUCE;
    send(m, (struct lsu_model_message){.line = a->line,
                                       .words = a->words,
                                       .sectors = request_sectors_of(a->words),
                                       .kind = kind,
                                       .step = s});
    return STALL_NONE;
}

/* A line for what has come, or NULL. */
static struct lsu_model_line *line_for_fill(struct lsu_model *m, const struct lsu_model_message *x,
                                            bool is_shared)
{
    struct lsu_model_line *v = lsu_lines_victim(m, x->cache, x->own, is_shared);
    if (!lsu_lines_may_take(m, v, is_shared)) {
        m->shared.refused++;
        lsu_lines_declare_dead(m, x->cache, x->own, NULL);
        return NULL;
    }
    if (!v || (v->is_there && v->dirty && m->nout == m->m.depth))
        return NULL;
    replace(m, x->cache, v, x->own, is_shared);
    return v;
}

/* Nobody shares local memory, whatever is said. */
static bool says_shared(const struct lsu_model *m, const struct lsu_model_message *x)
{
    return lsu_rig_says_shared(m->m.shared, x->n) && m->step[x->step].insn.space != STREAM_LOCAL;
}

static void model_fill(struct lsu_model *m, const struct lsu_model_message *x)
{
    struct lsu_model_cache *c = &m->cache[x->cache];
    struct lsu_model_entry *e = find_entry(m, x->cache, x->own);
    struct lsu_model_line *l = lsu_lines_find(m, x->cache, x->own);
    uint32_t come = request_words_of((uint8_t)x->sectors), kept = 0;
    bool is_shared = says_shared(m, x);
    e->sectors &= ~x->sectors;
    if (!l && m->m.on_fill && x->cache == MODEL_L1 && !e->is_stale && !is_refused(m, x->step))
        l = line_for_fill(m, x, is_shared);
    lsu_lines_hear(m, x->cache, l, is_shared);
    if (l) {
        l->valid |= come;
        l->is_reserved = e->sectors != 0;
    }
    m->n.unkept[x->cache] += !l;
    for (uint32_t i = 0; i < e->nwaiters; i++) {
        e->waiter[i].words &= ~come;
        if (e->waiter[i].words)
            e->waiter[kept++] = e->waiter[i];
        else
            arrive(m, e->waiter[i].step, m->now + 2);
    }
    if (lsu_lines_heed_sharing(m, x->cache) && is_shared) {
        m->shared.answers++;
        m->shared.waiters += e->nwaiters - kept;
    }
    e->nwaiters = kept;
    if (e->sectors == 0)
        *e = c->entry[--c->nentries];
}

static void model_answer(struct lsu_model *m)
{
    if (!m->nin || m->in[0].time + m->m.back > m->now)
        return;
    struct lsu_model_message x = m->in[0];
    memmove(m->in, m->in + 1, --m->nin * sizeof x);
    m->live--;
    if (x.is_fill)
        model_fill(m, &x);
    else if (x.kind == REQUEST_READ || x.kind == REQUEST_ATOMIC)
        arrive(m, x.step, m->now + 2);
}

static enum lsu_stall model_look(struct lsu_model *m, uint32_t s)
{
    const struct stream_insn *i = &m->step[s].insn;
    const struct coalesced *a = &m->access[s][m->at_access];
    if (i->space == STREAM_TEX)
        return model_load(m, s, a);
    if (i->space == STREAM_LOCAL)
        return i->flags & INSN_LOAD ? model_load(m, s, a) : model_local_store(m, s, a);
    bool is_plain = is_kind(m, s, INSN_LOAD, STREAM_GLOBAL) && !(i->flags & INSN_BYPASS_L1);
    return is_plain && m->m.enabled ? model_load(m, s, a) : model_past(m, s, a);
}

static void model_head(struct lsu_model *m)
{
    if (!m->nqueue || m->now < m->next_at)
        return;
    uint32_t s = m->queue[0], cycles = 1;
    bool is_last = true;
    if (m->step[s].insn.space == STREAM_SHARED) {
        cycles = m->naccesses[s];
        if (has_result(m, s))
            arrive(m, s, m->now - 1 + 26 + cycles - 1);
    } else {
        enum lsu_stall why = model_look(m, s);
        m->n.stall[why]++;
        if (why)
            return;
        is_last = ++m->at_access == m->naccesses[s];
    }
    m->next_at = m->now + cycles;
    if (!is_last)
        return;
    m->at_access = 0;
    memmove(m->queue, m->queue + 1, --m->nqueue * sizeof *m->queue);
}

static void model_issue(struct lsu_model *m)
{
    uint32_t s = m->next_step;
    if (s == LSU_MODEL_STEPS || m->step[s].at > m->now || m->nqueue == m->m.queue ||
        m->loads == m->m.pending)
        return;
    if (m->step[s].insn.space == STREAM_SHARED) { /* conflicts have a test of their own */
        m->naccesses[s] = m->step[s].insn.size > 4 ? m->step[s].insn.size / 4 : 1;
        m->left[s] = 1;
    } else {
        coalesce(m, s);
        m->left[s] = m->naccesses[s];
    }
    m->loads += has_result(m, s);
    if (m->nqueue == 0 && m->next_at < m->now + 1)
        m->next_at = m->now + 1;
    m->queue[m->nqueue++] = s;
    m->next_step++;
}

static void model_memory(struct lsu_model *m)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < m->nheld; i++)
        if (m->held[i].time < m->held[best].time)
            best = i;
    if (m->nheld && m->held[best].time <= m->now) {
        m->in[m->nin] = m->held[best];
        m->in[m->nin++].time = m->now;
        m->nheld--;
        memmove(m->held + best, m->held + best + 1, (m->nheld - best) * sizeof *m->held);
    }
    if (m->nout && m->out[0].time < m->now && m->now % m->m.every == 0) {
        struct lsu_model_message x = m->out[0];
        memmove(m->out, m->out + 1, --m->nout * sizeof x);
        x.time = m->now + lsu_rig_delay(m->m.latency, m->m.spread, x.line);
        m->held[m->nheld++] = x;
    }
}

void lsu_model_run(struct lsu_model *m)
{
    for (; m->next_step < LSU_MODEL_STEPS || m->nqueue || m->live; m->now++) {
        CHECK(m->now < 1000000);
        model_answer(m);
        model_head(m);
        model_issue(m);
        model_memory(m);
    }
}
