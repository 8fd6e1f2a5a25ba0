/* dram_rig.c - driving a channel: a staging slot takes one request per cycle in order. */
#include "rig/dram_rig.h"

#include <zstd.h>

#include "base/bytes.h"
#include "base/rng.h"
#include "check.h"
#include "dram/scheduler.h"

struct config *dram_rig_config(struct arena *a)
{
    const struct cfg_section **all = ARENA_ARRAY(a, const struct cfg_section *, 32);
    int n = 0;
    all[n++] = &mc_section;
    all[n++] = &dram_section;
    all[n++] = &map_section;
    return config_new(a, all, n + scheduler_sections(all + n, 32 - n));
}

struct dram_spec dram_rig_spec(struct arena *a, const char *name)
{
    struct dram_spec s = *(const struct dram_spec *)config_get(dram_rig_config(a), &dram_section);
    s.bus_bits = 64;
    s.tfaw = 24;
    if (strcmp(name, "gddr3") == 0) {
        s.tcl = 9;
        s.trp = 13;
        s.tras = 21;
        s.trc = 34;
        s.trrd = 8;
        s.twr = 13;
        s.tfaw = 32;
    }
    if (strcmp(name, "gddr5_faw") == 0)
        s.tfaw = 32;
    if (strcmp(name, "gddr5_bg") == 0) {
        s.groups = 4;
        s.tccdl = 3;
        s.trrdl = 6;
    }
    return s;
}

/* ---- traces ---- */

static size_t read_file(struct arena *a, const char *path, uint8_t **out)
{
    FILE *f = fopen(path, "rb");
    CHECK(f != NULL);
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    *out = ARENA_ARRAY(a, uint8_t, n);
    CHECK_EQ(fread(*out, 1, (size_t)n, f), n);
    fclose(f);
    return (size_t)n;
}

struct dram_trace dram_rig_trace(struct arena *a, const char *name)
{
    enum { MOST = 1 << 20 };
    uint8_t *packed, *raw = ARENA_ARRAY(a, uint8_t, MOST);
    size_t n = read_file(a, arena_printf(a, "%s/tests/data/dram/%s.zst", HEDDLE_SOURCE_DIR, name),
                         &packed);
    size_t size = ZSTD_decompress(raw, MOST, packed, n);
    CHECK(!ZSTD_isError(size));
    struct bytes_in in = {raw, raw + size, false};
    struct dram_trace t = {.n = (uint32_t)bytes_take_varint(&in)};
    t.at = ARENA_ARRAY(a, struct dram_request, t.n);
    const uint8_t *kinds = bytes_take(&in, (t.n + 7) / 8);
    hd_cycle now = 0;
    uint64_t address = 0;
    for (uint32_t i = 0; i < t.n; i++)
        t.at[i].at = now += bytes_take_varint(&in);
    for (uint32_t i = 0; i < t.n; i++) {
        address += bytes_unzigzag(bytes_take_varint(&in));
        t.at[i].line = address;
        t.at[i].bank = address >> 5 & 15;
        t.at[i].row = (uint32_t)(address >> 9);
        t.at[i].bursts = 1;
        t.at[i].is_write = kinds[i / 8] >> (i % 8) & 1;
    }
    CHECK(!in.is_short && bytes_left(&in) == 0);
    return t;
}

struct dram_trace dram_rig_random(struct arena *a, uint64_t seed, uint32_t n,
                                  const struct dram_spec *s)
{
    struct dram_trace t = {n, ARENA_ARRAY(a, struct dram_request, n)};
    hd_cycle now = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t key = rng_key(seed, i);
        bool pauses = rng_below(rng_at(key, 0), 50) == 0;
        now += pauses ? rng_below(rng_at(key, 1), 3000) : rng_below(rng_at(key, 1), 6);
        struct dram_request *r = &t.at[i];
        r->at = now;
        r->bank = rng_below(rng_at(key, 2), (uint32_t)s->banks);
        r->row = rng_below(rng_at(key, 3), 3);
        r->line = (uint64_t)r->bank << 32 | r->row << 8 | rng_below(rng_at(key, 4), 3);
        r->bursts = (uint8_t)(1 + rng_below(rng_at(key, 5), 3));
        r->is_write = rng_below(rng_at(key, 6), 3) == 0;
    }
    return t;
}

/* ---- playing ---- */

static void keep(void *ctx, const struct channel_event *ev)
{
    struct dram_log *log = ctx;
    CHECK(log->n < log->capacity);
    log->at[log->n++] = *ev;
    if (log->next.fn)
        log->next.fn(log->next.ctx, ev);
}

struct dram_log *dram_rig_log(struct arena *a, uint32_t capacity)
{
    struct dram_log *log = ARENA_NEW(a, struct dram_log);
    *log = (struct dram_log){.capacity = capacity,
                             .at = ARENA_ARRAY(a, struct channel_event, capacity)};
    return log;
}

struct player {
    const struct dram_trace *t;
    struct channel ch;
    uint32_t n, next; /* next: to be accepted */
    bool is_staged;
    struct queue_entry staged;
    struct stage *stage; /* NULL: none */
    struct dram_outcome out;
    uint64_t sum[2], count[2];
};

static bool has_place(const struct player *p, bool is_write)
{
    return p->stage ? stage_has_room(p->stage, is_write) : !p->is_staged;
}

static void accept(struct player *p, hd_cycle now)
{
    const struct dram_request *r = &p->t->at[p->next];
    if (p->next == p->n || r->at > now || !has_place(p, r->is_write))
        return;
    p->staged = (struct queue_entry){.line = r->line,
                                     .item = p->next++,
                                     .accepted = now,
                                     .row = r->row,
                                     .bank = (uint16_t)r->bank,
                                     .bursts = r->bursts,
                                     .is_write = r->is_write};
    p->is_staged = !p->stage;
    if (p->stage)
        stage_add(p->stage, now, &p->staged);
}

static void stage(struct player *p, hd_cycle now)
{
    if (p->stage)
        stage_step(p->stage, &p->ch, now);
    if (!p->is_staged || !channel_has_room(&p->ch, p->staged.bank))
        return;
    channel_add(&p->ch, now, &p->staged);
    p->is_staged = false;
}

static void collect(struct player *p)
{
    const struct channel_done *d;
    while ((d = channel_first_done(&p->ch))) {
        CHECK(d->at > p->out.cycles);
        CHECK_EQ(p->out.done[d->item], 0);
        CHECK_EQ(d->is_write, p->t->at[d->item].is_write);
        p->out.cycles = p->out.done[d->item] = d->at;
        p->sum[d->is_write] += d->at - d->accepted;
        p->count[d->is_write]++;
        channel_drop_done(&p->ch);
    }
}

static hd_cycle next_cycle(struct player *p, hd_cycle now)
{
    hd_cycle next = channel_next(&p->ch, now), step = HD_NEVER;
    if (p->stage)
        step = stage_next(p->stage, &p->ch, now);
    next = step < next ? step : next;
    if (p->next < p->n && has_place(p, p->t->at[p->next].is_write) && p->t->at[p->next].at < next)
        next = p->t->at[p->next].at;
    return next > now ? next : now + 1;
}

/* Few writes may stay in a stage for ever. */
static bool is_busy(struct player *p, hd_cycle now)
{
    return p->next < p->n || p->is_staged || p->ch.q.count ||
           (p->stage && stage_next(p->stage, &p->ch, now) != HD_NEVER);
}

static struct config *run_config(struct arena *a, const struct dram_run *run)
{
    struct config *cfg = dram_rig_config(a);
    struct err e = {.text = ""};
    for (int i = 0; i < DRAM_RUN_SETS && run->set[i]; i++)
        CHECK(config_set(cfg, run->set[i], &e));
    return cfg;
}

struct dram_outcome dram_rig_play(struct arena *a, const struct dram_trace *t,
                                  const struct dram_run *run)
{
    struct player *p = ARENA_NEW(a, struct player);
    struct channel_options o = {timing_of(run->spec), scheduler_find(run->scheduler),
                                run_config(a, run), run->queue, run->bank_queue};
    channel_init(&p->ch, a, &o);
    p->ch.q.is_checked = true;
    p->t = t;
    p->n = run->limit && run->limit < t->n ? run->limit : t->n;
    p->out.done = ARENA_ARRAY(a, hd_cycle, p->n);
    if (run->log) {
        run->log->next = p->ch.watcher;
        p->ch.watcher = (struct channel_watcher){keep, run->log};
    }
    if (run->stage.room) {
        p->stage = ARENA_NEW(a, struct stage);
        stage_init(p->stage, a, &run->stage);
    }
    for (hd_cycle now = 0; is_busy(p, now);) {
        accept(p, now);
        channel_tick(&p->ch, now);
        stage(p, now);
        collect(p);
        p->out.visits++;
        hd_cycle next = next_cycle(p, now);
        CHECK(next != HD_NEVER || !is_busy(p, now));
        now = run->ticks_always ? now + 1 : next;
    }
    struct err e = {.text = ""};
    CHECK(channel_audit(&p->ch, &e));
    channel_settle(&p->ch, p->out.cycles);
    p->out.served = (uint32_t)(p->count[0] + p->count[1]);
    CHECK_EQ(p->out.served + (p->stage ? stage_held(p->stage) : 0), p->n);
    p->out.read_latency = p->count[0] ? (double)p->sum[0] / (double)p->count[0] : -1;
    p->out.write_latency = p->count[1] ? (double)p->sum[1] / (double)p->count[1] : -1;
    p->out.stats = p->ch.stats;
    return p->out;
}
