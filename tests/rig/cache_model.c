#include "rig/cache_model.h"

#include <stdlib.h>
#include <string.h>

#include "stream/stream.h"

static uint32_t number(uint64_t address)
{
    return (uint32_t)(address / LINE_BYTES) % CACHE_MODEL_LINES;
}

static uint32_t place(const struct cache_model *m, uint64_t address)
{
    uint32_t i = 0;
    while (i < m->nlines && m->line[i]->address != address)
        i++;
    return i;
}

const struct cache_model_line *cache_model_find(const struct cache_model *m, uint64_t address)
{
    uint32_t i = place(m, address);
    return i < m->nlines ? m->line[i] : NULL;
}

static void to_front(struct cache_model *m, uint32_t i)
{
    struct cache_model_line *l = m->line[i];
    memmove(m->line + 1, m->line, i * sizeof m->line[0]);
    m->line[0] = l;
}

/* ---- words and sectors, one by one ---- */

static bool has_sector(uint8_t sectors, uint32_t word)
{
    return sectors >> word * 4 / SECTOR_BYTES & 1;
}

static uint32_t all_words_of(uint8_t sectors)
{
    uint32_t words = 0;
    for (uint32_t w = 0; w < LINE_WORDS; w++)
        words |= has_sector(sectors, w) ? 1u << w : 0;
    return words;
}

static uint8_t sectors_with(uint32_t words)
{
    uint32_t sectors = 0;
    for (uint32_t w = 0; w < LINE_WORDS; w++)
        sectors |= words >> w & 1 ? 1u << w * 4 / SECTOR_BYTES : 0;
    return (uint8_t)sectors;
}

static uint32_t sectors_in(uint8_t sectors)
{
    uint32_t n = 0;
    for (int i = 0; i < LINE_SECTORS; i++)
        n += sectors >> i & 1;
    return n;
}

/* ---- lines ---- */

/* Who waits for a fetch waits for all before it: a write-back goes last. */
static void fetch(struct cache_model *m, uint64_t line, uint8_t sectors)
{
    uint32_t at = m->nsent++;
    for (; at > 0 && m->sent[at - 1].line != line; at--)
        m->sent[at] = m->sent[at - 1];
    m->sent[at] = (struct transfer){.line = line, .sectors = sectors};
    m->fetches++;
    m->fetched_sectors += sectors_in(sectors);
}

static void remove_line(struct cache_model *m, uint32_t i)
{
    struct cache_model_line *l = m->line[i];
    m->evictions += !l->is_unkept;
    m->unkept += l->is_unkept;
    if (l->dirty) {
        m->writebacks++;
        m->sent[m->nsent++] = (struct transfer){
            .line = l->address, .sectors = sectors_with(l->dirty), .is_write = true};
        m->writeback_sectors += sectors_in(sectors_with(l->dirty));
        m->in_memory[number(l->address)] = l->version;
    }
    free(l);
    m->nlines--;
    memmove(m->line + i, m->line + i + 1, (m->nlines - i) * sizeof m->line[0]);
}

/* Shared, and not for so long without use that it counts as private. */
static bool is_protected(const struct cache_model *m, const struct cache_model_line *l)
{
    uint64_t age = m->sharing.age;
    return l->is_shared && (age == 0 || m->now < l->used_at + age);
}

/* The line that would give way to `address`: false when none has to. */
static bool find_victim(const struct cache_model *m, uint64_t address, uint32_t *victim)
{
    uint64_t set = address / LINE_BYTES % m->sets;
    uint32_t in_set = 0, last = UINT32_MAX, last_private = UINT32_MAX;
    for (uint32_t i = 0; i < m->nlines; i++) {
        if (m->line[i]->address / LINE_BYTES % m->sets != set || m->line[i]->is_unkept)
            continue;
        in_set++;
        if (m->line[i]->is_coming)
            continue;
        last = i; /* the last one is the least recently used */
        if (!is_protected(m, m->line[i]))
            last_private = i;
    }
    *victim = m->sharing.replaces && last_private != UINT32_MAX ? last_private : last;
    return in_set == m->ways;
}

static void make_room(struct cache_model *m, uint64_t address)
{
    uint32_t victim;
    if (!find_victim(m, address, &victim))
        return;
    if (victim == UINT32_MAX) {
        m->fault = "a miss went on although all lines of its set are on their way";
        return;
    }
    for (uint32_t i = victim + 1; i < m->nlines; i++) /* one that was not used for longer */
        if (m->line[i]->address / LINE_BYTES % m->sets == address / LINE_BYTES % m->sets &&
            !m->line[i]->is_coming && !m->line[i]->is_unkept) {
            m->shared.spared++;
            break;
        }
    m->shared.evictions[m->line[victim]->is_shared]++;
    remove_line(m, victim);
}

static struct cache_model_line *new_line(struct cache_model *m, uint64_t address, bool is_kept)
{
    if (is_kept)
        make_room(m, address);
    struct cache_model_line *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    l->address = address;
    l->is_unkept = !is_kept;
    m->line[m->nlines++] = l;
    to_front(m, m->nlines - 1);
    return l;
}

/* ---- who uses a line ---- */

static void count_user(struct cache_model *m, struct cache_model_line *l, uint32_t sm)
{
    uint32_t users = 0;
    if (l->by[sm])
        return;
    l->by[sm] = true;
    for (uint32_t i = 0; i < CACHE_MODEL_SMS; i++)
        users += l->by[i];
    m->shared.used_by[users]++;
}

/* Section VI.A: the owner is who had it fetched; another one makes it shared.  Nobody else uses
 * local memory. */
static void use(struct cache_model *m, struct cache_model_line *l, const struct request *r)
{
    const struct cache_model_sharing *s = &m->sharing;
    l->used_at = m->now;
    if (l->is_unkept || !s->is_on)
        return;
    if (r->space != STREAM_LOCAL && (s->kinds >> r->kind & 1) && (s->spaces >> r->space & 1)) {
        if (!l->has_owner)
            l->owner = r->sm;
        l->has_owner = true;
        m->shared.became_shared += !l->is_shared && l->owner != r->sm;
        l->is_shared = l->is_shared || l->owner != r->sm;
        count_user(m, l, r->sm);
    }
    (l->is_coming ? m->shared.waits : m->shared.hits)[l->is_shared]++;
}

static void own(struct cache_model *m, struct cache_model_line *l, const struct request *r)
{
    l->used_at = m->now;
    l->owner = r->sm;
    l->has_owner = true;
    m->shared.lines++;
    count_user(m, l, r->sm);
}

void cache_model_disown(struct cache_model *m)
{
    for (uint32_t i = 0; i < m->nlines; i++)
        m->line[i]->has_owner = m->line[i]->is_shared = false;
}

/* ---- what an access does ---- */

static bool is_write(const struct request *r)
{
    return r->kind == REQUEST_WRITE;
}

/* What must be there before the request can be answered or performed. */
static uint32_t needed(const struct cache_model *m, const struct request *r)
{
    switch ((enum request_kind)r->kind) {
    case REQUEST_READ:
        return all_words_of(r->sectors); /* the answer carries them all */
    case REQUEST_WRITE:
        return m->write_fetch ? r->words : 0;
    default:
        return r->words;
    }
}

static uint32_t perform(struct cache_model *m, struct cache_model_line *l, const struct request *r)
{
    if (r->kind == REQUEST_READ)
        return l->version;
    l->valid |= r->words;
    l->dirty |= r->words;
    return l->version = ++m->newest[number(l->address)];
}

static void wait_for(struct cache_model *m, struct cache_model_line *l, uint32_t request)
{
    if (l->nwaiters == m->merges)
        m->fault = "more wait for a line than can";
    else
        l->waiter[l->nwaiters++] = request;
}

static uint32_t coming(const struct cache_model *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->nlines; i++)
        n += m->line[i]->is_coming;
    return n;
}

static void fetch_for(struct cache_model *m, struct cache_model_line *l, uint8_t sectors)
{
    l->asked |= sectors;
    l->under_way++;
    fetch(m, l->address, sectors);
}

static void miss(struct cache_model *m, struct cache_model_line *l, uint32_t request)
{
    l->is_coming = true;
    l->asked = 0;
    l->nwaiters = l->nanswered = 0;
    if (coming(m) > m->mshrs)
        m->fault = "more lines are on their way than there are MSHRs";
    fetch_for(m, l, m->sectored ? sectors_with(needed(m, &m->requests[request]) & ~l->valid) : 15);
    wait_for(m, l, request);
}

/* Memory has the words, in the order of accesses; so has the line, if there is one. */
static uint32_t send_through(struct cache_model *m, struct cache_model_line *l,
                             const struct request *r)
{
    uint32_t version = ++m->newest[number(r->line)];
    m->in_memory[number(r->line)] = version;
    m->throughs++;
    memmove(m->sent + 1, m->sent, m->nsent++ * sizeof m->sent[0]); /* before its fetch */
    m->sent[0] =
        (struct transfer){.line = r->line, .sectors = sectors_with(r->words), .is_write = true};
    m->through_sectors += sectors_in(sectors_with(r->words));
    if (l) {
        l->valid |= r->words;
        l->version = version;
    }
    return version;
}

/* ---- requests that get no line ---- */

/* Section V.B.2: local data takes a line from nobody but private data, and what is read goes by. */
static bool is_kept_out(const struct cache_model *m, const struct request *r)
{
    uint32_t victim;
    if (!m->sharing.allocates || r->space != STREAM_LOCAL)
        return false;
    if (r->kind == REQUEST_READ)
        return true;
    return find_victim(m, r->line, &victim) &&
           (victim == UINT32_MAX || is_protected(m, m->line[victim]));
}

static bool is_refused(const struct cache_model *m, const struct request *r)
{
    if (is_kept_out(m, r))
        return true;
    return m->mode != CACHE_MODEL_KEEPS && (m->kinds >> r->kind & 1) && (m->spaces >> r->space & 1);
}

static bool passes_by(const struct cache_model *m, const struct request *r)
{
    return r->kind == REQUEST_READ && (m->mode == CACHE_MODEL_NO_MSHR || m->sharing.allocates);
}

/* Memory performs what it gets of one line in order: what a read finds is known when it leaves. */
static void access_refused(struct cache_model *m, uint32_t request, uint32_t *version)
{
    const struct request *r = &m->requests[request];
    if (is_write(r)) {
        *version = send_through(m, NULL, r);
        m->write_passes++;
    } else if (passes_by(m, r)) {
        *version = m->in_memory[number(r->line)];
        fetch(m, r->line, r->sectors);
        m->read_passes++;
    } else {
        miss(m, new_line(m, r->line, false), request);
    }
}

/* It will be performed in the line when it has come. */
static bool writes_line(const struct cache_model *m, const struct request *r)
{
    return r->kind != REQUEST_READ && !(is_write(r) && m->write_through);
}

static bool is_held(const struct cache_model *m, const struct cache_model_line *l)
{
    for (uint32_t k = 0; l->is_unkept && k < l->nwaiters; k++)
        if (writes_line(m, &m->requests[l->waiter[k]]))
            return true;
    return false;
}

uint32_t cache_model_held(const struct cache_model *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->nlines; i++)
        n += is_held(m, m->line[i]);
    return n;
}

static enum cache_model_outcome access_absent(struct cache_model *m, uint32_t request,
                                              uint32_t *version)
{
    const struct request *r = &m->requests[request];
    bool through = is_write(r) && m->write_through, fetches = !is_write(r) || m->write_fetch;
    if (is_refused(m, r)) {
        access_refused(m, request, version);
        return CACHE_MODEL_MISS;
    }
    struct cache_model_line *l = through && !fetches ? NULL : new_line(m, r->line, true);
    if (l)
        own(m, l, r);
    if (fetches)
        miss(m, l, request);
    if (through)
        *version = send_through(m, l, r);
    else if (!fetches)
        *version = perform(m, l, r);
    return CACHE_MODEL_MISS;
}

/* Sectors of a line on its way that have to be fetched besides, before the first have come. */
static uint8_t further_sectors(const struct cache_model *m, const struct cache_model_line *l,
                               const struct request *r)
{
    uint8_t sectors = 0;
    if (!m->sectored || !m->sector_fetches || (is_write(r) && m->write_through))
        return 0;
    for (int i = 0; i < LINE_SECTORS; i++) {
        bool lacks = needed(m, r) & ~l->valid & all_words_of((uint8_t)(1u << i));
        if (lacks && !(l->asked >> i & 1))
            sectors |= (uint8_t)(1u << i);
    }
    return sectors;
}

static enum cache_model_outcome access_coming(struct cache_model *m, struct cache_model_line *l,
                                              uint32_t request, uint32_t *version)
{
    const struct request *r = &m->requests[request];
    bool through = is_write(r) && m->write_through;
    if (through)
        *version = send_through(m, l, r);
    if (!through || m->write_fetch)
        wait_for(m, l, request);
    uint8_t further = further_sectors(m, l, r);
    if (further) {
        fetch_for(m, l, further);
        m->refetches++;
    }
    return CACHE_MODEL_MERGE;
}

enum cache_model_outcome cache_model_access(struct cache_model *m, uint32_t request,
                                            uint32_t *version)
{
    const struct request *r = &m->requests[request];
    uint32_t at = place(m, r->line);
    m->nsent = 0;
    m->says_shared = false;
    if (at == m->nlines)
        return access_absent(m, request, version);
    struct cache_model_line *l = m->line[at];
    bool hits_anyway = is_write(r) && m->write_through, was_coming = l->is_coming;
    to_front(m, at);
    if (!l->is_coming && needed(m, r) & ~l->valid && !hits_anyway)
        miss(m, l, request);
    use(m, l, r);
    if (was_coming)
        return access_coming(m, l, request, version);
    if (l->is_coming)
        return CACHE_MODEL_MISS;
    *version = perform(m, l, r);
    m->says_shared = l->is_shared;
    return CACHE_MODEL_HIT;
}

static void look_refused(const struct cache_model *m, const struct request *r,
                         struct cache_model_need *n)
{
    n->refused = true;
    n->through = is_write(r);
    n->passes = passes_by(m, r);
    n->fetches = n->joins = !n->through && !n->passes;
    n->takes_slot = n->fetches && writes_line(m, r);
}

static void look_for_line(const struct cache_model *m, uint64_t address, struct cache_model_need *n)
{
    uint32_t victim;
    n->takes_line = true;
    if (!find_victim(m, address, &victim))
        return;
    n->no_line = victim == UINT32_MAX;
    n->victim_dirty = !n->no_line && m->line[victim]->dirty;
}

struct cache_model_need cache_model_look(const struct cache_model *m, uint32_t request)
{
    const struct request *r = &m->requests[request];
    const struct cache_model_line *l = cache_model_find(m, r->line);
    bool through = is_write(r) && m->write_through;
    struct cache_model_need n = {.outcome = CACHE_MODEL_MISS, .coming = coming(m)};
    if (l && l->is_coming) {
        n.outcome = CACHE_MODEL_MERGE;
        n.through = through;
        n.joins = !through || m->write_fetch;
        n.waiters = l->nwaiters;
        n.takes_slot = l->is_unkept && writes_line(m, r) && !is_held(m, l);
        n.further = further_sectors(m, l, r) != 0;
    } else if (l) {
        n.fetches = n.joins = !through && needed(m, r) & ~l->valid;
        n.outcome = n.fetches ? CACHE_MODEL_MISS : CACHE_MODEL_HIT;
    } else if (is_refused(m, r)) {
        look_refused(m, r, &n);
    } else {
        n.through = through;
        n.fetches = n.joins = !is_write(r) || m->write_fetch;
        if (n.fetches || !through)
            look_for_line(m, r->line, &n);
    }
    return n;
}

/* ---- what comes from memory ---- */

void cache_model_fill(struct cache_model *m, uint64_t address, uint8_t sectors)
{
    uint32_t at = place(m, address), memory = m->in_memory[number(address)];
    if (at == m->nlines || !m->line[at]->is_coming) {
        m->fault = "a line came that nobody has asked for";
        return;
    }
    struct cache_model_line *l = m->line[at];
    l->valid |= all_words_of(sectors);
    l->version = l->version > memory ? l->version : memory;
    l->under_way--;
    if (!l->has_turn)
        m->filled[m->nfilled++] = address;
    l->has_turn = true;
}

static void forget_first_filled(struct cache_model *m)
{
    m->line[place(m, m->filled[0])]->has_turn = false;
    m->nfilled--;
    memmove(m->filled, m->filled + 1, m->nfilled * sizeof m->filled[0]);
}

static void refetch(struct cache_model *m, struct cache_model_line *l)
{
    uint32_t missing = 0;
    for (uint32_t i = l->nanswered; i < l->nwaiters; i++)
        missing |= needed(m, &m->requests[l->waiter[i]]) & ~l->valid;
    fetch_for(m, l, sectors_with(missing));
    m->refetches++;
    forget_first_filled(m);
}

/* All who wait are answered: the line stays on its way while a fetch of it is. */
static void finish_turn(struct cache_model *m, struct cache_model_line *l)
{
    forget_first_filled(m);
    if (l->under_way)
        return;
    l->is_coming = false;
    if (l->is_unkept)
        remove_line(m, place(m, l->address));
}

enum cache_model_turn cache_model_answer(struct cache_model *m, uint32_t *request,
                                         uint32_t *version)
{
    struct cache_model_line *l = m->line[place(m, m->filled[0])];
    m->nsent = 0;
    if (l->nanswered == l->nwaiters) { /* what came last came for nobody */
        finish_turn(m, l);
        return CACHE_MODEL_AWAITS;
    }
    const struct request *r = &m->requests[ *request = l->waiter[l->nanswered]];
    bool was_sent_through = is_write(r) && m->write_through;
    if (needed(m, r) & ~l->valid && l->under_way) {
        forget_first_filled(m);
        return CACHE_MODEL_AWAITS;
    }
    if (needed(m, r) & ~l->valid) {
        refetch(m, l);
        return CACHE_MODEL_REFETCHES;
    }
    if (!was_sent_through)
        *version = perform(m, l, r);
    m->says_shared = l->is_shared;
    if (++l->nanswered == l->nwaiters)
        finish_turn(m, l);
    return was_sent_through ? CACHE_MODEL_PASSES : CACHE_MODEL_ANSWERS;
}

void cache_model_free(struct cache_model *m)
{
    for (uint32_t i = 0; i < m->nlines; i++)
        free(m->line[i]);
    m->nlines = 0;
}
