#include "rig/cache_model.h"

#include <stdlib.h>
#include <string.h>

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

static uint32_t sectors_in(uint8_t sectors)
{
    uint32_t n = 0;
    for (int i = 0; i < LINE_SECTORS; i++)
        n += sectors >> i & 1;
    return n;
}

static void fetch(struct cache_model *m, uint8_t sectors)
{
    m->fetches++;
    m->fetched_sectors += sectors_in(sectors);
}

static void remove_line(struct cache_model *m, uint32_t i)
{
    struct cache_model_line *l = m->line[i];
    m->evictions++;
    if (l->dirty) {
        m->writebacks++;
        m->writeback_sectors += sectors_in(request_sectors_of(l->dirty));
        m->in_memory[number(l->address)] = l->version;
    }
    free(l);
    m->nlines--;
    memmove(m->line + i, m->line + i + 1, (m->nlines - i) * sizeof m->line[0]);
}

static void make_room(struct cache_model *m, uint64_t address)
{
    uint64_t set = address / LINE_BYTES % m->sets;
    uint32_t in_set = 0, victim = UINT32_MAX;
    for (uint32_t i = 0; i < m->nlines; i++) {
        if (m->line[i]->address / LINE_BYTES % m->sets != set)
            continue;
        in_set++;
        if (!m->line[i]->is_coming)
            victim = i; /* the last one is the least recently used */
    }
    if (in_set < m->ways)
        return;
    if (victim == UINT32_MAX)
        m->fault = "a miss went on although all lines of its set are on their way";
    else
        remove_line(m, victim);
}

static struct cache_model_line *new_line(struct cache_model *m, uint64_t address)
{
    make_room(m, address);
    struct cache_model_line *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    l->address = address;
    m->line[m->nlines++] = l;
    to_front(m, m->nlines - 1);
    return l;
}

static bool is_kept(const struct cache_model *m, const struct request *r)
{
    return r->kind == REQUEST_WRITE && !m->write_fetch;
}

static bool lacks(const struct cache_model *m, const struct cache_model_line *l,
                  const struct request *r)
{
    return !is_kept(m, r) && (r->words & ~l->valid) != 0;
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

static void miss(struct cache_model *m, struct cache_model_line *l, uint32_t request)
{
    const struct request *r = &m->requests[request];
    l->is_coming = true;
    l->nwaiters = l->nanswered = 0;
    if (coming(m) > m->mshrs)
        m->fault = "more lines are on their way than there are MSHRs";
    fetch(m, m->sectored ? request_sectors_of(r->words & ~l->valid) : 15);
    wait_for(m, l, request);
}

enum cache_model_outcome cache_model_access(struct cache_model *m, uint32_t request,
                                            uint32_t *version)
{
    const struct request *r = &m->requests[request];
    uint32_t at = place(m, r->line);
    if (at == m->nlines) {
        struct cache_model_line *l = new_line(m, r->line);
        if (is_kept(m, r))
            *version = perform(m, l, r);
        else
            miss(m, l, request);
        return CACHE_MODEL_MISS;
    }
    struct cache_model_line *l = m->line[at];
    to_front(m, at);
    if (l->is_coming) {
        wait_for(m, l, request);
        return CACHE_MODEL_MERGE;
    }
    if (lacks(m, l, r)) {
        miss(m, l, request);
        return CACHE_MODEL_MISS;
    }
    *version = perform(m, l, r);
    return CACHE_MODEL_HIT;
}

void cache_model_fill(struct cache_model *m, uint64_t address, uint8_t sectors)
{
    uint32_t at = place(m, address), memory = m->in_memory[number(address)];
    if (at == m->nlines || !m->line[at]->is_coming) {
        m->fault = "a line came that nobody has asked for";
        return;
    }
    struct cache_model_line *l = m->line[at];
    l->valid |= request_words_of(sectors);
    l->version = l->version > memory ? l->version : memory;
    m->filled[m->nfilled++] = address;
}

static void forget_first_filled(struct cache_model *m)
{
    m->nfilled--;
    memmove(m->filled, m->filled + 1, m->nfilled * sizeof m->filled[0]);
}

bool cache_model_answer(struct cache_model *m, uint32_t *request, uint32_t *version)
{
    struct cache_model_line *l = m->line[place(m, m->filled[0])];
    *request = l->waiter[l->nanswered];
    if (lacks(m, l, &m->requests[*request])) {
        uint32_t missing = 0;
        for (uint32_t i = l->nanswered; i < l->nwaiters; i++)
            if (!is_kept(m, &m->requests[l->waiter[i]]))
                missing |= m->requests[l->waiter[i]].words & ~l->valid;
        fetch(m, request_sectors_of(missing));
        m->refetches++;
        forget_first_filled(m);
        return false;
    }
    *version = perform(m, l, &m->requests[*request]);
    if (++l->nanswered == l->nwaiters) {
        l->is_coming = false;
        forget_first_filled(m);
    }
    return true;
}

void cache_model_free(struct cache_model *m)
{
    for (uint32_t i = 0; i < m->nlines; i++)
        free(m->line[i]);
    m->nlines = 0;
}
