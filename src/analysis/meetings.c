/* meetings.c - see meetings.h.
 *
 * A record for each row that was ever read, and one for each line: when it was last read.  A line is in
 * a hold if it was read since the hold began.
 *
 * Not modelled: a limit of holds or of their sizes, which a table has; a hold costs no time here, so
 * that who comes when is as without any. */
#include "analysis/meetings.h"

#include <stddef.h>

#include "analysis/lines.h"
#include "base/err.h"
#include "sim/config.h"

CFG_SECTION(meetings, MEETINGS_ROWS, "analysis of reads of one row of DRAM that meet")

#define MEETING_WINDOW(S, id, k)                                                                   \
    S(id, COUNTER, holds_##k, "hold", "of reads of one row that came within window " #k)           \
    S(id, COUNTER, met_##k, "request", "reads in holds of two or more")                            \
    S(id, COUNTER, same_sm_##k, "request", "reads that joined a hold with one of their own SM")    \
    S(id, COUNTER, other_sm_##k, "request", "reads that joined a hold of other SMs only")          \
    S(id, COUNTER, flushed_##k, "hold", "ended by a store or an atomic to one of their lines")
#define MEETINGS_STATS(S, id)                                                                      \
    S(id, COUNTER, reads, "request", "that came to the memory partitions")                         \
    S(id, COUNTER, writes, "request", "stores and atomics that came there")                        \
    MEETING_WINDOW(S, id, 1)                                                                       \
    MEETING_WINDOW(S, id, 2) MEETING_WINDOW(S, id, 3) MEETING_WINDOW(S, id, 4)
STATS_STRUCT(meetings, MEETINGS_STATS)
STATS_ROWS(meetings, MEETINGS_STATS)

enum { HOLDS, MET, SAME_SM, OTHER_SM, FLUSHED, ROWS_OF_WINDOW, ROWS_BEFORE = 2 };
_Static_assert(sizeof meetings_stat_rows / sizeof meetings_stat_rows[0] ==
                   ROWS_BEFORE + MEETING_WINDOWS * ROWS_OF_WINDOW,
               "rows by window");

struct hold {
    uint64_t begun; /* tick */
    uint64_t n;     /* reads; 0: there is none */
    uint64_t sms[]; /* bits */
};

struct meetings {
    const char *path;
    const struct addrmap *map;
    uint32_t nwindows, words; /* words: of bits of SMs */
    uint64_t window[MEETING_WINDOWS];
    uint64_t last;     /* tick of the last request, plus 1 */
    struct lines rows; /* holds of each window */
    struct lines read; /* by line: the tick of its last read */
    struct meetings_stats stats;
};

bool meetings_check(const struct config *cfg, struct err *e)
{
    const struct meetings_spec *s = config_get(cfg, &meetings_section);
    if (s->windows.n > MEETING_WINDOWS)
        return config_blame(cfg, e, &meetings_section, "windows", "%d windows, at most %d",
                            s->windows.n, MEETING_WINDOWS);
    for (int i = 1; i < s->windows.n; i++)
        if (s->windows.v[i] <= s->windows.v[i - 1])
            return config_blame(cfg, e, &meetings_section, "windows",
                                "%lld after %lld, expected ascending windows",
                                (long long)s->windows.v[i], (long long)s->windows.v[i - 1]);
    return true;
}

static size_t hold_bytes(const struct meetings *m)
{
    return sizeof(struct hold) + m->words * sizeof(uint64_t);
}

struct meetings *meetings_new(struct arena *a, const struct meetings_options *opt)
{
    if (opt->spec->windows.n == 0)
        return NULL;
    struct meetings *m = ARENA_NEW(a, struct meetings);
    m->path = opt->path;
    m->map = opt->map;
    m->words = (opt->sms + 63) / 64;
    for (int i = 0; i < opt->spec->windows.n; i++)
        m->window[m->nwindows++] = (uint64_t)opt->spec->windows.v[i] * opt->network_period;
    m->rows.bytes = m->nwindows * hold_bytes(m);
    m->read.bytes = sizeof(uint64_t);
    return m;
}

void meetings_free(struct meetings *m)
{
    if (!m)
        return;
    if (m->rows.arena)
        arena_free(m->rows.arena);
    if (m->read.arena)
        arena_free(m->read.arena);
    m->rows.arena = m->read.arena = NULL;
}

static struct hold *hold_of(const struct meetings *m, uint32_t row, uint32_t window)
{
    return (struct hold *)((char *)lines_at(&m->rows, row) + window * hold_bytes(m));
}

static uint64_t *counters(struct meetings *m, uint32_t window)
{
    const size_t first = offsetof(struct meetings_stats, holds_1);
    return (uint64_t *)((char *)&m->stats + first) + window * ROWS_OF_WINDOW;
}

static void begin(struct meetings *m, struct hold *h, uint64_t tick)
{
    h->begun = tick;
    h->n = 0;
    for (uint32_t i = 0; i < m->words; i++)
        h->sms[i] = 0;
}

static void join(struct meetings *m, uint32_t window, struct hold *h, const struct request *r,
                 uint64_t tick)
{
    uint64_t *c = counters(m, window), *sms = &h->sms[r->sm / 64], bit = 1ull << (r->sm % 64);
    if (h->n == 0 || tick - h->begun > m->window[window]) {
        begin(m, h, tick);
        c[HOLDS]++;
    } else {
        c[MET] += h->n == 1 ? 2 : 1;
        c[*sms & bit ? SAME_SM : OTHER_SM]++;
    }
    h->n++;
    *sms |= bit;
}

static void flush(struct meetings *m, uint32_t row, uint64_t last_read, uint64_t tick)
{
    for (uint32_t k = 0; k < m->nwindows; k++) {
        struct hold *h = hold_of(m, row, k);
        if (h->n == 0 || tick - h->begun > m->window[k] || last_read < h->begun)
            continue;
        counters(m, k)[FLUSHED]++;
        h->n = 0;
    }
}

void meetings_add(struct meetings *m, const struct request *r, uint64_t tick)
{
    const struct dram_place place = addrmap_place(m->map, r->line);
    const uint64_t key = (uint64_t)place.row << 32 | place.bank;
    HD_ASSERT(tick >= m->last, "%s: two requests in a cycle", m->path);
    m->last = tick + 1;
    if (r->kind != REQUEST_READ) {
        const uint32_t row = lines_find(&m->rows, key), line = lines_find(&m->read, r->line);
        m->stats.writes++;
        if (row != LINES_NONE && line != LINES_NONE)
            flush(m, row, *(uint64_t *)lines_at(&m->read, line), tick);
        return;
    }
    const uint32_t row = lines_add(&m->rows, key);
    m->stats.reads++;
    for (uint32_t k = 0; k < m->nwindows; k++)
        join(m, k, hold_of(m, row, k), r, tick);
    *(uint64_t *)lines_at(&m->read, lines_add(&m->read, r->line)) = tick;
}

void meetings_add_stats(const struct meetings *m, struct stats *tree)
{
    stats_join(tree, "meetings", m->path, meetings_stat_rows,
               ROWS_BEFORE + m->nwindows * ROWS_OF_WINDOW, &m->stats);
}
