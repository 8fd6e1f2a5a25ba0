/* The FIFO scheduler against a slow model of one sentence: in order of arrival the head of the queue
 * goes to its bank if that bank has no transfer in work, and so on.  The model asks the judge of
 * commands, every cycle, what is legal; every command and every completion must be the same. */
#include "check.h"

#include "base/rng.h"
#include "rig/dram_rig.h"

enum { BANKS = 16, MOST_QUEUED = 64 };

struct bank {
    bool is_open, is_at_work;
    uint32_t row;
    uint32_t work; /* number of the request */
};

struct model {
    const struct dram_spec *s;
    const struct dram_trace *t;
    struct dram_log *log;
    struct bank bank[BANKS];
    uint32_t waits[MOST_QUEUED]; /* requests that no bank works on, oldest first */
    uint32_t nwaits, nwork, capacity;
    uint32_t next; /* request that is not accepted yet */
    bool is_staged;
    uint8_t *bursts; /* left, by request */
    hd_cycle *done, due;
};

static hd_cycle burst_of(const struct dram_spec *s)
{
    return (hd_cycle)((s->burst + s->beats_per_cycle - 1) / s->beats_per_cycle);
}

static void dispatch(struct model *m)
{
    while (m->nwaits && !m->bank[m->t->at[m->waits[0]].bank].is_at_work) {
        struct bank *b = &m->bank[m->t->at[m->waits[0]].bank];
        b->is_at_work = true;
        b->work = m->waits[0];
        m->nwork++;
        memmove(m->waits, m->waits + 1, --m->nwaits * sizeof m->waits[0]);
    }
}

static struct channel_event command_of(const struct model *m, hd_cycle now, uint32_t bank)
{
    const struct bank *b = &m->bank[bank];
    const struct dram_request *r = &m->t->at[b->work];
    struct channel_event ev = {now, COMMAND_ACTIVATE, bank, r->row};
    if (b->is_open)
        ev.command = b->row != r->row ? COMMAND_PRECHARGE
                     : r->is_write    ? COMMAND_WRITE
                                      : COMMAND_READ;
    return ev;
}

static bool is_column(const struct channel_event *ev)
{
    return ev->command == COMMAND_READ || ev->command == COMMAND_WRITE;
}

static bool is_legal(struct model *m, const struct channel_event *ev)
{
    CHECK(m->log->n < m->log->capacity);
    m->log->at[m->log->n++] = *ev;
    bool is_late_enough = dram_rig_is_late_enough(m->log, m->s);
    m->log->n--;
    return is_late_enough;
}

/* The bank whose transfer is the oldest with a legal command (of this kind, if there are two slots
 * for them), or -1. */
static int choose(struct model *m, hd_cycle now, bool columns)
{
    int best = -1;
    for (uint32_t b = 0; b < BANKS; b++) {
        const struct channel_event ev = command_of(m, now, b);
        if (!m->bank[b].is_at_work || (m->s->dual_command && is_column(&ev) != columns))
            continue;
        if ((best < 0 || m->bank[b].work < m->bank[best].work) && is_legal(m, &ev))
            best = (int)b;
    }
    return best;
}

static void issue(struct model *m, hd_cycle now, int bank)
{
    if (bank < 0)
        return;
    struct bank *b = &m->bank[bank];
    const struct channel_event ev = command_of(m, now, (uint32_t)bank);
    m->log->at[m->log->n++] = ev;
    b->is_open = ev.command != COMMAND_PRECHARGE;
    b->row = ev.row;
    if (is_column(&ev) && --m->bursts[b->work] == 0) {
        int64_t latency = ev.command == COMMAND_WRITE ? m->s->twl : m->s->tcl;
        m->done[b->work] = now + (hd_cycle)latency + burst_of(m->s);
        b->is_at_work = false;
        m->nwork--;
    }
}

static void refresh(struct model *m, hd_cycle now)
{
    struct channel_event ev = {now, COMMAND_REFRESH, 0, 0};
    for (int b = 0; b < BANKS; b++)
        if (m->bank[b].is_open)
            ev.command = COMMAND_PRECHARGE_ALL;
    if (!is_legal(m, &ev))
        return;
    m->log->at[m->log->n++] = ev;
    for (int b = 0; b < BANKS; b++)
        m->bank[b].is_open = false;
    if (ev.command == COMMAND_REFRESH)
        m->due += (hd_cycle)m->s->trefi;
}

static void cycle(struct model *m, hd_cycle now)
{
    if (!m->is_staged && m->next < m->t->n && m->t->at[m->next].at <= now) {
        m->next++;
        m->is_staged = true;
    }
    dispatch(m);
    if (m->s->trefi && now >= m->due) {
        refresh(m, now);
    } else {
        int column = m->s->dual_command ? choose(m, now, true) : -1, row = choose(m, now, false);
        issue(m, now, column);
        issue(m, now, row);
    }
    if (m->is_staged && m->nwaits + m->nwork < m->capacity) {
        m->waits[m->nwaits++] = m->next - 1;
        m->is_staged = false;
    }
}

static void run_model(struct arena *a, struct model *m)
{
    m->bursts = ARENA_ARRAY(a, uint8_t, m->t->n);
    m->done = ARENA_ARRAY(a, hd_cycle, m->t->n);
    m->due = (hd_cycle)m->s->trefi;
    for (uint32_t i = 0; i < m->t->n; i++)
        m->bursts[i] = m->t->at[i].bursts;
    for (hd_cycle now = 0; m->next < m->t->n || m->is_staged || m->nwaits || m->nwork; now++)
        cycle(m, now);
}

static void check_same(const struct dram_log *got, const struct dram_log *want)
{
    CHECK(got->n >= want->n);
    for (uint32_t i = 0; i < want->n; i++) {
        CHECK_EQ(got->at[i].at, want->at[i].at);
        CHECK_EQ(got->at[i].command, want->at[i].command);
        CHECK_EQ(got->at[i].bank, want->at[i].bank);
        if (is_column(&want->at[i]) || want->at[i].command == COMMAND_ACTIVATE)
            CHECK_EQ(got->at[i].row, want->at[i].row);
    }
    for (uint32_t i = want->n; i < got->n; i++) /* while the last data is on its way */
        CHECK(got->at[i].command == COMMAND_REFRESH || got->at[i].command == COMMAND_PRECHARGE_ALL);
}

static struct dram_spec random_spec(struct arena *a, uint64_t key)
{
    struct dram_spec s = dram_rig_spec(a, rng_below(rng_at(key, 0), 2) ? "gddr5" : "gddr3");
    const bool refreshes = rng_below(rng_at(key, 1), 2);
    s.dual_command = rng_below(rng_at(key, 2), 2);
    s.groups = 1ll << rng_below(rng_at(key, 3), 3);
    s.group_bits = rng_below(rng_at(key, 30), 2) ? "high" : "low";
    s.trrdl = s.groups > 1 ? 9 : 0;
    s.tccdl = s.groups > 1 ? 3 : 0;
    s.tfaw = rng_below(rng_at(key, 4), 2) ? 40 : 0;
    s.beats_per_cycle = 1ll << rng_below(rng_at(key, 5), 3);
    s.trefi = refreshes ? 700 : 0;
    s.trfc = refreshes ? 90 : 0;
    return s;
}

static void check_random(uint64_t seed)
{
    struct arena *a = arena_new();
    const uint64_t key = rng_key(seed, 0);
    const struct dram_spec s = random_spec(a, key);
    const uint32_t queues[] = {1, 2, 8, 16, 32, MOST_QUEUED};
    struct dram_trace t = dram_rig_random(a, seed, 400, &s);
    const uint32_t spread = 1u << rng_below(rng_at(key, 6), 5);
    for (uint32_t i = 0; i < t.n; i++) { /* the fewer banks, the more have to wait for theirs */
        t.at[i].bank %= spread;
        t.at[i].line = (uint64_t)t.at[i].bank << 32 | (t.at[i].line & UINT32_MAX);
    }
    struct dram_log *got = dram_rig_log(a, 20000);
    const struct dram_run run = {
        .spec = &s, .scheduler = "fifo", .queue = queues[seed % 6], .log = got};
    const struct dram_outcome o = dram_rig_play(a, &t, &run);
    struct model m = {.s = &s, .t = &t, .log = dram_rig_log(a, 20000), .capacity = run.queue};
    run_model(a, &m);
    check_same(got, m.log);
    for (uint32_t i = 0; i < t.n; i++)
        CHECK_EQ(o.done[i], m.done[i]);
    arena_free(a);
}

static void every_command_of_random_traffic_is_that_of_the_model(void)
{
    const uint64_t seeds = getenv("HEDDLE_CHECK_FULL") ? 2000 : 120;
    for (uint64_t seed = 0; seed < seeds; seed++)
        check_random(seed);
}

CHECK_MAIN("dram fifo", TEST(every_command_of_random_traffic_is_that_of_the_model))
