#include "rig/l2_oracle.h"

enum { SECTOR_WORDS = SECTOR_BYTES / 4 };

static uint32_t words_of_sectors(uint8_t sectors)
{
    uint32_t words = 0;
    for (uint32_t w = 0; w < LINE_WORDS; w++)
        words |= (uint32_t)(sectors >> w / SECTOR_WORDS & 1) << w;
    return words;
}

static uint8_t sectors_of_words(uint32_t words)
{
    uint32_t sectors = 0;
    for (uint32_t w = 0; w < LINE_WORDS; w++)
        sectors |= (words >> w & 1) << w / SECTOR_WORDS;
    return (uint8_t)sectors;
}

/* What the answer is made of: all that a read carries, what an atomic works on. */
static uint32_t made_of(const struct request *r)
{
    if (r->kind == REQUEST_READ)
        return words_of_sectors(r->sectors);
    return r->kind == REQUEST_WRITE ? 0 : r->words;
}

void l2_oracle_init(struct l2_oracle *o, struct arena *a, const struct slice *s,
                    const struct request *requests, uint32_t capacity)
{
    *o = (struct l2_oracle){.slice = s,
                            .requests = requests,
                            .done = ARENA_ARRAY(a, struct l2_oracle_done, 2 * capacity),
                            .here = versions_new(),
                            .line = ARENA_ARRAY(a, uint64_t, capacity),
                            .open = ARENA_ARRAY(a, uint32_t, capacity),
                            .is_founded = ARENA_ARRAY(a, bool, capacity),
                            .first_unfounded = UINT32_MAX};
}

void l2_oracle_free(struct l2_oracle *o)
{
    versions_free(o->here);
}

static void add_words(struct l2_oracle *o, uint64_t line, uint32_t words)
{
    uint32_t i = 0;
    while (i < o->nlines && o->line[i] != line)
        i++;
    o->line[i] = line;
    o->nlines += i == o->nlines;
    versions_set(o->here, line, versions_get(o->here, line) | words);
}

static void look_for_words(struct l2_oracle *o)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->nopen; i++) {
        const struct request *r = &o->requests[o->open[i]];
        if (made_of(r) & ~versions_get(o->here, r->line))
            o->open[n++] = o->open[i];
        else
            o->is_founded[o->open[i]] = true;
    }
    o->nopen = n;
}

/* In the cache, or kept nowhere but until those who wait for it have it. */
static bool is_here(const struct l2_oracle *o, uint64_t line)
{
    return tags_find(&o->slice->tags, line) != TAGS_NONE ||
           mshr_find(&o->slice->mshr, line) != MSHR_NONE;
}

/* A line that is neither has lost its words. */
static void forget_evicted(struct l2_oracle *o)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->nlines; i++) {
        if (is_here(o, o->line[i]))
            o->line[n++] = o->line[i];
        else
            versions_set(o->here, o->line[i], 0);
    }
    o->nlines = n;
}

void l2_oracle_returned(struct l2_oracle *o, const struct transfer *t)
{
    if (o->is_bypassed)
        o->done[o->ndone++] = (struct l2_oracle_done){t->line, t->sectors, t->is_write};
    else if (!t->is_write)
        add_words(o, t->line, words_of_sectors(t->sectors));
}

/* Waiters of a fill are answered before the cycle's access, which may evict their line. */
void l2_oracle_ticked(struct l2_oracle *o)
{
    if (o->is_bypassed)
        return;
    look_for_words(o);
    if (o->slice->stats.accesses == o->naccessed)
        return;
    const struct request *r = &o->requests[o->naccessed];
    forget_evicted(o);
    if (r->kind == REQUEST_WRITE && is_here(o, r->line))
        add_words(o, r->line, r->words);
    o->open[o->nopen++] = o->naccessed++;
    look_for_words(o);
}

/* The transfer that the answer of this request stands for, taken out of those done. */
static bool take_done(struct l2_oracle *o, const struct request *r)
{
    bool is_write = r->kind == REQUEST_WRITE;
    uint8_t sectors = r->kind == REQUEST_READ ? r->sectors : sectors_of_words(r->words);
    for (uint32_t i = 0; i < o->ndone; i++) {
        const struct l2_oracle_done *d = &o->done[i];
        if (d->line != r->line || d->sectors != sectors || d->is_write != is_write)
            continue;
        o->done[i] = o->done[--o->ndone];
        return true;
    }
    return false;
}

void l2_oracle_answered(struct l2_oracle *o, uint32_t request)
{
    if (o->is_bypassed ? take_done(o, &o->requests[request]) : o->is_founded[request])
        return;
    o->unfounded++;
    o->first_unfounded = request < o->first_unfounded ? request : o->first_unfounded;
}
