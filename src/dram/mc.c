/* mc.c - a memory controller: from the ports of its slices to a DRAM channel and back.
 *
 *   slice ports -> one per cycle, round robin -> FIFO of fixed latency -> queue of the channel
 *   end of the last beat -> port back to the slice, in order, as the slice has room
 *
 * The latency stands for the way through the chip and the controller's pipeline.  When the queue
 * (or the bank's share of it) is full the FIFO stands still, then the ports.  An answer for which
 * the slice has no room waits here; what waits does not hold up DRAM.  Not modelled: a limit of
 * such answers, merging of transfers, answering reads from queued writes.
 *
 * With mc.staging there is a stage (stage.h) between FIFO and queue; such a controller has a tick of
 * its own, so that others never look at it. */
#include "dram/mc.h"

#include "dram/channel.h"
#include "dram/scheduler.h"
#include "dram/stage.h"
#include "mem/request.h"
#include "mem/versions.h"
#include "sim/clock.h"
#include "sim/waitgraph.h"

#include <stdio.h>
#include <string.h>

CFG_SECTION_WHEN(mc, MC_ROWS, "memory controllers", {"queue", "mc.bank_queue=0"},
                 {"drain_above|drain_after", "mc.staging!=0"},
                 {"scheduler|queue|bank_queue|staging|drain_above|drain_after|latency|"
                  "latency_clock|reply_latency",
                  "l2.perfect=false"})
STATS_ROWS(dram, DRAM_STATS)
STATS_ROWS(dram_program, DRAM_PROGRAM_STATS)

struct side { /* a slice */
    struct port to, from;
    struct transfer *table;
    uint32_t *back;                       /* ring of answers for which the port has no room */
    uint32_t back_mask, back_at, back_to; /* free-running */
};

struct delayed {
    hd_cycle accepted;
    uint64_t item; /* slice << 32 | index in its table */
};

struct mc {
    struct component c;
    struct channel ch;
    struct delayed *fifo;
    uint32_t fifo_mask, fifo_depth, head, tail; /* free-running */
    uint32_t latency;
    uint32_t nslices, turn; /* turn: the slice that is asked first */
    bool is_decoded;        /* `front` is the head of the FIFO */
    struct queue_entry front;
    struct side *side;
    const struct addrmap *map;
    uint32_t reply_latency;
    uint64_t taken, answered;
    struct versions *versions; /* NULL: nothing is checked */
    struct versions *flushed;  /* the same; of lines that came without a transfer */
    struct stage *stage;       /* NULL: none */
};

static struct mc *mc_of(struct component *c)
{
    return (struct mc *)c;
}

/* ---- from the last beat to the slice ---- */

static void check_version(struct mc *m, struct transfer *t)
{
    uint32_t held = versions_get(m->versions, t->line);
    if (!t->is_write) {
        uint32_t flushed = versions_get(m->flushed, t->line);
        t->version = flushed > held ? flushed : held;
        return;
    }
    HD_ASSERT(t->version >= held, "%s: line %llx is overwritten by older data", m->c.path,
              (unsigned long long)t->line);
    versions_set(m->versions, t->line, t->version);
}

/* Answers stay in order. */
static void give_back(struct mc *m, struct side *s, hd_cycle now, uint32_t index)
{
    if (s->back_at == s->back_to && port_try_push(&s->from, now, index)) {
        m->answered++;
        return;
    }
    s->back[s->back_to++ & s->back_mask] = index;
}

static inline void give_waiting(struct mc *m, hd_cycle now)
{
    for (struct side *s = m->side; s < m->side + m->nslices; s++)
        for (; s->back_at != s->back_to &&
               port_try_push(&s->from, now, s->back[s->back_at & s->back_mask]);
             s->back_at++)
            m->answered++;
}

static inline void deliver(struct mc *m, hd_cycle now)
{
    const struct channel_done *d;
    while ((d = channel_first_done(&m->ch)) && d->at <= now) {
        struct side *s = &m->side[d->item >> 32];
        uint32_t index = (uint32_t)d->item;
        if (m->versions)
            check_version(m, &s->table[index]);
        if (!d->is_write)
            stat_mean_add(&m->ch.stats.read_latency, d->at - d->accepted);
        give_back(m, s, now, index);
        channel_drop_done(&m->ch);
    }
}

/* ---- from the slice to the queue ---- */

static inline void take(struct mc *m, hd_cycle now)
{
    if (m->tail - m->head == m->fifo_depth)
        return;
    uint32_t i = m->turn;
    for (uint32_t n = 0; n < m->nslices; n++) {
        uint32_t next = i + 1 == m->nslices ? 0 : i + 1;
        if (port_has(&m->side[i].to, now)) {
            uint64_t item = (uint64_t)i << 32 | port_pop(&m->side[i].to, now);
            m->fifo[m->tail++ & m->fifo_mask] = (struct delayed){now, item};
            m->taken++;
            m->turn = next;
            return;
        }
        i = next;
    }
}

/* Bursts that cover the span of the sectors. */
static uint8_t bursts_of(const struct transfer *t, uint32_t burst_bytes)
{
    HD_ASSERT(t->sectors && t->sectors < 1 << LINE_SECTORS, "a transfer of no sectors");
    uint32_t shift = (uint32_t)__builtin_ctz(burst_bytes);
    uint32_t first = (uint32_t)__builtin_ctz(t->sectors) * SECTOR_BYTES;
    uint32_t last = (32 - (uint32_t)__builtin_clz(t->sectors)) * SECTOR_BYTES - 1;
    return (uint8_t)((last >> shift) - (first >> shift) + 1);
}

static inline void decode_front(struct mc *m)
{
    const struct delayed *d = &m->fifo[m->head & m->fifo_mask];
    const struct transfer *t = &m->side[d->item >> 32].table[(uint32_t)d->item];
    struct dram_place place = addrmap_place(m->map, t->line);
    m->front = (struct queue_entry){.line = t->line,
                                    .item = d->item,
                                    .accepted = d->accepted,
                                    .row = place.row,
                                    .bank = (uint16_t)place.bank,
                                    .bursts = bursts_of(t, m->ch.t.burst_bytes),
                                    .is_write = t->is_write};
    m->is_decoded = true;
}

static hd_cycle front_ready(const struct mc *m)
{
    return m->fifo[m->head & m->fifo_mask].accepted + m->latency;
}

static void admit(struct mc *m, hd_cycle now)
{
    if (m->head == m->tail || front_ready(m) > now)
        return;
    if (!m->is_decoded)
        decode_front(m);
    if (!channel_has_room(&m->ch, m->front.bank))
        return;
    channel_add(&m->ch, now, &m->front);
    m->is_decoded = false;
    m->head++;
}

/* ---- the component ---- */

static hd_cycle sooner(hd_cycle a, hd_cycle b)
{
    return a < b ? a : b;
}

/* A front that finds no room waits for a command, which the channel wakes for. */
static hd_cycle next_input(const struct mc *m)
{
    hd_cycle at = HD_NEVER;
    if (m->head != m->tail && (!m->is_decoded || channel_has_room(&m->ch, m->front.bank)))
        at = front_ready(m);
    if (m->tail - m->head < m->fifo_depth)
        for (uint32_t i = 0; i < m->nslices; i++)
            at = sooner(at, port_ready(&m->side[i].to));
    return at;
}

static hd_cycle tick(struct component *c, hd_cycle now)
{
    struct mc *m = mc_of(c);
    give_waiting(m, now);
    deliver(m, now);
    channel_tick(&m->ch, now);
    take(m, now);
    admit(m, now);
    const struct channel_done *d = channel_first_done(&m->ch);
    hd_cycle next = sooner(channel_next(&m->ch, now), next_input(m));
    next = sooner(next, d ? d->at : HD_NEVER);
    return next > now ? next : now + 1;
}

static void admit_staged(struct mc *m, hd_cycle now)
{
    if (m->head == m->tail || front_ready(m) > now)
        return;
    if (!m->is_decoded)
        decode_front(m);
    if (!stage_has_room(m->stage, m->front.is_write))
        return;
    stage_add(m->stage, now, &m->front);
    m->is_decoded = false;
    m->head++;
}

/* A front that finds no room waits for a step. */
static hd_cycle next_staged(const struct mc *m, hd_cycle now)
{
    hd_cycle at = stage_next(m->stage, &m->ch, now);
    if (m->head != m->tail && (!m->is_decoded || stage_has_room(m->stage, m->front.is_write)))
        at = sooner(at, front_ready(m));
    if (m->tail - m->head < m->fifo_depth)
        for (uint32_t i = 0; i < m->nslices; i++)
            at = sooner(at, port_ready(&m->side[i].to));
    return at;
}

static hd_cycle tick_staged(struct component *c, hd_cycle now)
{
    struct mc *m = mc_of(c);
    give_waiting(m, now);
    deliver(m, now);
    take(m, now);
    admit_staged(m, now);
    channel_tick(&m->ch, now);
    stage_step(m->stage, &m->ch, now);
    const struct channel_done *d = channel_first_done(&m->ch);
    hd_cycle next = sooner(channel_next(&m->ch, now), next_staged(m, now));
    next = sooner(next, d ? d->at : HD_NEVER);
    return next > now ? next : now + 1;
}

static uint64_t live(const struct component *c)
{
    const struct mc *m = (const struct mc *)c;
    uint64_t held = m->tail - m->head + channel_held(&m->ch);
    held += m->stage ? stage_held(m->stage) : 0;
    for (uint32_t i = 0; i < m->nslices; i++)
        held += m->side[i].back_to - m->side[i].back_at;
    return held;
}

/* Time alone moves everything that is in here. */
static void waits(const struct component *c, struct waitgraph *g)
{
    const struct mc *m = (const struct mc *)c;
    for (uint32_t i = 0; i < m->nslices; i++) {
        char label[48];
        snprintf(label, sizeof label, "transfers of slice %u", i);
        waitgraph_vertex(g, c, i, true, label);
    }
}

static void settle(struct component *c, hd_cycle now)
{
    channel_settle(&mc_of(c)->ch, now);
}

static bool audit(const struct component *c, struct err *e)
{
    const struct mc *m = (const struct mc *)c;
    if (m->taken != m->answered + live(c))
        return err_set(e, STATUS_FAILED, "%s: %llu transfers taken, %llu answered, %llu held",
                       c->path, (unsigned long long)m->taken, (unsigned long long)m->answered,
                       (unsigned long long)live(c));
    struct err why = {.text = ""};
    if (!channel_audit(&m->ch, &why))
        return err_set(e, STATUS_FAILED, "%s: %s", c->path, why.text);
    return true;
}

static const struct component_ops ops = {
    .kind = "mc", .tick = tick, .waits = waits, .live = live, .settle = settle, .audit = audit};

static const struct component_ops staged_ops = {.kind = "mc",
                                                .tick = tick_staged,
                                                .waits = waits,
                                                .live = live,
                                                .settle = settle,
                                                .audit = audit};

/* ---- building ---- */

enum {
    MOST_LATENCY = 100000, /* each cycle of it is a place in the FIFO */
    MOST_QUEUED = 32768,   /* transfers of a line are counted in 16 bits */
};

/* `latency` in command cycles, rounded up. */
static uint64_t latency_of(const struct mc_spec *s, uint64_t sm_period, uint64_t period)
{
    if (strcmp(s->latency_clock, "dram") == 0)
        return (uint64_t)s->latency;
    return clock_convert((uint64_t)s->latency, sm_period, period);
}

static const char *scheduler_name(int i)
{
    return scheduler_all[i]->name;
}

bool mc_check(const struct config *cfg, uint64_t sm_period, uint64_t period, struct err *e)
{
    const struct mc_spec *s = config_get(cfg, &mc_section);
    const struct cfg_registry schedulers = {"scheduler of memory controllers", "policies",
                                            scheduler_count, scheduler_name};
    if (!scheduler_find(s->scheduler))
        return config_no_such(cfg, e, &mc_section, "scheduler", s->scheduler, &schedulers);
    const uint64_t latency = latency_of(s, sm_period, period);
    if (latency > MOST_LATENCY)
        return config_blame(cfg, e, &mc_section, "latency",
                            "%lld cycles of the SMs are %llu of the command clock, at most %d",
                            (long long)s->latency, (unsigned long long)latency, MOST_LATENCY);
    const struct dram_spec *dram = config_get(cfg, &dram_section);
    if (s->bank_queue * dram->banks > MOST_QUEUED)
        return config_blame(cfg, e, &mc_section, "bank_queue",
                            "%lld for each of %lld banks, at most %d in all",
                            (long long)s->bank_queue, (long long)dram->banks, MOST_QUEUED);
    return timing_check(cfg, e);
}

static void add_stage(struct mc *m, struct arena *a, const struct mc_spec *s)
{
    struct stage_options o = {(uint32_t)s->staging, (uint32_t)s->drain_above,
                              (hd_cycle)s->drain_after};
    m->stage = ARENA_NEW(a, struct stage);
    stage_init(m->stage, a, &o);
    m->c.ops = &staged_ops;
}

struct mc *mc_new(struct arena *a, const struct mc_options *opt)
{
    const struct mc_spec *s = config_get(opt->cfg, &mc_section);
    struct mc *m = ARENA_NEW(a, struct mc);
    uint32_t slots = 2;
    m->c.ops = &ops;
    m->c.path = opt->path;
    m->latency = (uint32_t)latency_of(s, opt->sm_period, opt->period);
    m->reply_latency = (uint32_t)s->reply_latency;
    m->fifo_depth = m->latency + 1; /* full rate: one enters in the cycle in which one leaves */
    while (slots < m->fifo_depth)
        slots *= 2;
    m->fifo = ARENA_ARRAY(a, struct delayed, slots);
    m->fifo_mask = slots - 1;
    m->map = opt->map;
    m->nslices = opt->nslices;
    m->side = ARENA_ARRAY(a, struct side, opt->nslices);
    m->versions = opt->check ? versions_new() : NULL;
    m->flushed = opt->check ? versions_new() : NULL;
    struct channel_options o = {timing_of(config_get(opt->cfg, &dram_section)),
                                scheduler_find(s->scheduler), opt->cfg, (uint32_t)s->queue,
                                (uint32_t)s->bank_queue};
    channel_init(&m->ch, a, &o);
    m->ch.q.is_checked = opt->check;
    if (s->staging)
        add_stage(m, a, s);
    return m;
}

void mc_free(struct mc *m)
{
    if (m->versions) {
        versions_free(m->versions);
        versions_free(m->flushed);
    }
    m->versions = m->flushed = NULL;
}

void mc_flush(struct mc *m, uint64_t line, uint32_t version)
{
    if (m->flushed)
        versions_set(m->flushed, line, version);
}

struct component *mc_component(struct mc *m)
{
    return &m->c;
}

void mc_connect(struct mc *m, struct arena *a, uint32_t i, const struct mc_slice *slice,
                struct port **to, struct port **from)
{
    HD_ASSERT(i < m->nslices, "slice %u of %u", i, m->nslices);
    struct side *s = &m->side[i];
    struct port_end here = {&m->c, i}, there = {slice->c, slice->slot};
    uint32_t slots = 1, depth = slice->ntransfers;
    if (slice->from_depth)
        depth = slice->from_depth + m->reply_latency - 1;
    while (slots < slice->ntransfers)
        slots *= 2;
    s->table = slice->table;
    s->back = ARENA_ARRAY(a, uint32_t, slots);
    s->back_mask = slots - 1;
    port_init(&s->to, a, slice->to_depth, 1, there, here);
    port_init(&s->from, a, depth, m->reply_latency, here, there);
    *to = &s->to;
    *from = &s->from;
}

void mc_add_stats(const struct mc *m, struct stats *tree)
{
    stats_join(tree, "dram", m->c.path, dram_stat_rows,
               sizeof dram_stat_rows / sizeof dram_stat_rows[0], &m->ch.stats);
}

void mc_count_programs(struct mc *m, struct arena *a)
{
    m->ch.of = ARENA_ARRAY(a, struct dram_program_stats, MAX_PROGRAMS);
}

void mc_add_program_stats(const struct mc *m, struct stats *tree, uint32_t program,
                          const char *path)
{
    stats_join(tree, path, m->c.path, dram_program_stat_rows,
               sizeof dram_program_stat_rows / sizeof dram_program_stat_rows[0],
               &m->ch.of[program]);
}
