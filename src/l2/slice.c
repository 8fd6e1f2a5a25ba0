/* slice.c - the L2 slice as a component: its queues, its ports, its parameters.
 *
 * The timing is GPGPU-Sim's: a fixed delay before the tags that stands for the whole way through
 * the slice, then a cache that takes one request per cycle in order and stands still while the
 * first of them cannot proceed.  Latencies are delays, not occupancy: places for replies come on
 * top of the latency, so that a stream of hits leaves at one per cycle.
 *
 * Not modelled: ECC, compression, sectors promoted to lines, prefetching, a coherence protocol
 * (there is one place per line). */
#include "l2/slice.h"

#include <string.h>

#include "l2/slice_priv.h"
#include "sim/clock.h"

CFG_SECTION_WHEN(
    l2, L2_ROWS, "L2 cache slices",
    {"size|ways|hashed|replacement|passing|banks|bank_cycles|atomic_cycles|merges|dirty_lines|"
     "write_through|port_bytes|sectored|sector_fetches",
     "l2.enabled=true"},
    {"hashed|passing|bank_cycles|atomic_cycles|fill_latency|mshrs|merges|miss_queue|"
     "memory_queue|fill_queue|gated|reply_queue|writebacks|dirty_lines|write_through|port_bytes|"
     "sectored|sector_fetches",
     "l2.perfect=false"},
    {"sector_fetches", "l2.sectored=true"})
STATS_ROWS(l2, L2_STATS)
STATS_ROWS(l2_program, L2_PROGRAM_STATS)
STATS_ROWS(l2_past, L2_PAST_STATS)
STATS_ROWS(l2_refused, L2_REFUSED_STATS)

/* ---- replies ---- */

/* The reply that is next: the one that was ready first; NULL when there is none.  At the same
 * time those of a fill come first, as they have waited longer. */
static struct ring *next_reply(struct slice *s)
{
    bool has_hit = ring_held(&s->hits) > 0, has_fill = ring_held(&s->fills) > 0;
    if (has_hit && has_fill)
        return ring_head(&s->fills)->ready <= ring_head(&s->hits)->ready ? &s->fills : &s->hits;
    return has_hit ? &s->hits : has_fill ? &s->fills : NULL;
}

static void turn_round(struct slice *s, uint32_t id, hd_cycle now)
{
    struct request *r = &s->pool->at[id];
    struct packet *p = &s->pool->packets.at[id];
    const uint64_t mine = s->c.period, theirs = s->out->reader->period;
    uint32_t from = p->src;
    p->src = p->dst;
    p->dst = from;
    p->born = mine == theirs ? now : now * mine / theirs;
    p->serial = s->serial++;
    p->flits = request_flits(r, true, s->flit_bytes);
    p->kind = r->kind;
    p->msgclass = s->reply_class;
    p->hops = 0;
    request_mark(r, PART_L2, now * mine);
}

bool slice_send_reply(struct slice *s, hd_cycle now)
{
    struct ring *from = next_reply(s);
    if (!from || ring_head(from)->ready > now || !port_can_push(s->out, now))
        return false;
    struct item reply = *ring_head(from);
    from->head++;
    s->places--;
    level_down(&s->reply_level, now);
    s->retry = true;
    s->stats.replies++;
    stat_mean_add(&s->stats.time, (uint32_t)now - reply.aux);
    turn_round(s, reply.id, now);
    port_push(s->out, now, reply.id);
    return true;
}

/* ---- the other ports ---- */

static void send_transfer(struct slice *s, hd_cycle now)
{
    if (ring_held(&s->sends) > 0 && port_try_push(s->to, now, ring_head(&s->sends)->id))
        s->sends.head++;
}

/* As many requests as the queue before the tags holds have passed the pipeline. */
static bool is_gate_shut(const struct slice *s, hd_cycle now)
{
    return s->gated && ring_held(&s->input) >= s->input_queue &&
           s->input.at[(s->input.head + s->input_queue - 1) & s->input.mask].ready <= now;
}

static void take_request(struct slice *s, hd_cycle now)
{
    if (ring_held(&s->input) == s->most_input || !port_has(s->in, now) || is_gate_shut(s, now))
        return;
    uint32_t id = (uint32_t)port_pop(s->in, now);
    struct request *r = &s->pool->at[id];
    HD_ASSERT(r->words != 0 && !(r->words & ~request_words_of(r->sectors)),
              "%s: a request for words %#x of sectors %#x of line %#llx", s->c.path, r->words,
              r->sectors, (unsigned long long)r->line);
    uint32_t set = tags_set(&s->tags, r->line);
    request_mark(r, PART_REQUEST, now * s->c.period);
    ring_add(&s->input, now + s->latency, id, set);
    if (ring_held(&s->input) <= SLICE_AHEAD)
        slice_prefetch(s, &(struct item){.id = id, .aux = set});
    level_up(&s->input_level, now, ring_held(&s->input));
    s->stats.requests++;
}

/* ---- the component ---- */

static hd_cycle earlier(hd_cycle a, hd_cycle b)
{
    return a < b ? a : b;
}

/* When the head of `input` can go on without anything happening elsewhere. */
static hd_cycle next_access(const struct slice *s, hd_cycle now)
{
    const struct item *head = ring_head(&s->input);
    if (ring_held(&s->input) == 0)
        return HD_NEVER;
    if (head->ready > now)
        return head->ready;
    if (s->stall == STALL_NONE)
        return now + 1;
    if (s->stall == STALL_BANK)
        return s->bank_free[slice_bank(s, head->aux)];
    if (s->stall == STALL_DATA)
        return s->data_free;
    bool moves = ring_held(&s->sends) == 0 || s->miss_room; /* else: what is sent wakes */
    bool sent = s->stall == STALL_MISS_QUEUE && moves && !port_is_awaited(s->to);
    return sent ? now + 1 : HD_NEVER;
}

static hd_cycle later(hd_cycle a, hd_cycle b)
{
    return a > b ? a : b;
}

static hd_cycle next_arrival(const struct port *p, hd_cycle now)
{
    return later(port_ready(p), now + 1);
}

static hd_cycle next_event(struct slice *s, hd_cycle now)
{
    hd_cycle next = next_access(s, now);
    struct ring *replies = next_reply(s);
    if (replies && ring_head(replies)->ready > now)
        next = earlier(next, ring_head(replies)->ready);
    else if (replies && !port_is_awaited(s->out))
        next = now + 1;
    if (ring_held(&s->drains) > 0 && s->places < s->most_places)
        next = now + 1;
    if (ring_held(&s->sends) > 0 && !port_is_awaited(s->to))
        next = now + 1;
    if (ring_held(&s->input) < s->most_input && !is_gate_shut(s, now))
        next = earlier(next, next_arrival(s->in, now));
    hd_cycle come = next_arrival(s->from, now);
    return earlier(next, slice_waits_to_fill(s, now + 1) ? later(come, s->fill_free) : come);
}

static hd_cycle tick(struct component *c, hd_cycle now)
{
    struct slice *s = (struct slice *)c;
    slice_send_reply(s, now);
    slice_fill(s, now);
    slice_drain(s, now);
    slice_access(s, now);
    send_transfer(s, now);
    take_request(s, now);
    return next_event(s, now);
}

static uint64_t live(const struct component *c)
{
    const struct slice *s = (const struct slice *)c;
    return s->stats.requests - s->stats.replies + s->nwritebacks - s->nfree;
}

static void settle_level(struct stat_mean *m, const struct level *l, uint64_t level, hd_cycle now)
{
    *m = (struct stat_mean){.n = now, .sum = l->sum + level * now, .max = l->max};
}

static void settle(struct component *c, hd_cycle now)
{
    struct slice *s = (struct slice *)c;
    slice_settle_stall(s, now);
    settle_level(&s->stats.mshr_occupancy, &s->mshr_level, s->mshr.live, now);
    settle_level(&s->stats.input_occupancy, &s->input_level, ring_held(&s->input), now);
    settle_level(&s->stats.reply_occupancy, &s->reply_level, s->places, now);
    follow_settle(&s->tags, now);
}

static const struct component_ops ops = {.kind = "l2",
                                         .tick = tick,
                                         .waits = slice_waits,
                                         .live = live,
                                         .settle = settle,
                                         .audit = slice_audit};

static const struct component_ops perfect_ops = {.kind = "l2",
                                                 .tick = slice_perfect_tick,
                                                 .waits = slice_waits,
                                                 .live = live,
                                                 .settle = settle,
                                                 .audit = slice_audit};

/* ---- building ---- */

enum { MOST_LATENCY = 100000 }; /* each cycle of it is a place in the pipeline */

/* In its own cycles. */
static uint64_t pipeline_of(const struct l2_spec *l2, uint64_t sm_period, uint64_t period)
{
    if (strcmp(l2->latency_clock, "l2") == 0)
        return (uint64_t)l2->latency;
    return clock_convert((uint64_t)l2->latency, sm_period, period);
}

/* In the miss queue all that one access may send has room at once. */
static uint32_t least_miss_queue(const struct l2_spec *l2)
{
    if (!l2->memory_queue)
        return 1;
    return l2->write_through && l2->write_fetch ? 3 : 2;
}

static bool check_cache(const struct config *cfg, const struct l2_spec *l2, struct err *e)
{
    if (l2->size % (l2->ways * LINE_BYTES) != 0)
        return config_blame(cfg, e, &l2_section, "size",
                            "%lld bytes are no multiple of %lld ways of %d bytes",
                            (long long)l2->size, (long long)l2->ways, LINE_BYTES);
    if (l2->miss_queue < least_miss_queue(l2))
        return config_blame(cfg, e, &l2_section, "miss_queue",
                            "%lld is less than the %u places that a miss needs before memory_queue",
                            (long long)l2->miss_queue, least_miss_queue(l2));
    if (l2->write_through && l2->write_fetch && l2->writebacks < 2)
        return config_blame(cfg, e, &l2_section, "writebacks",
                            "%lld is less than the 2 slots that a write sent through needs",
                            (long long)l2->writebacks);
    return true;
}

bool slice_check(const struct config *cfg, uint64_t sm_period, uint64_t period, struct err *e)
{
    const struct l2_spec *l2 = config_get(cfg, &l2_section);
    uint64_t latency = pipeline_of(l2, sm_period, period);
    if (latency > MOST_LATENCY)
        return config_blame(cfg, e, &l2_section, "latency",
                            "%lld cycles of the SMs are %llu of the L2, at most %d",
                            (long long)l2->latency, (unsigned long long)latency, MOST_LATENCY);
    return !l2->enabled ||
           (check_cache(cfg, l2, e) && cache_policy_check(cfg, &l2_section, l2->replacement, e));
}

uint32_t slice_memory_depth(const struct l2_spec *l2)
{
    return (uint32_t)(l2->memory_queue ? l2->memory_queue : l2->miss_queue);
}

static void init_ring(struct ring *r, struct arena *a, uint32_t capacity)
{
    uint32_t slots = 1;
    while (slots < capacity)
        slots *= 2;
    *r = (struct ring){.at = ARENA_ARRAY(a, struct item, slots), .mask = slots - 1};
}

static void init_queues(struct slice *s, struct arena *a, const struct l2_spec *l2)
{
    uint32_t longest;
    s->most_input = s->latency + s->input_queue;
    longest = s->hit_latency > s->fill_latency ? s->hit_latency : s->fill_latency;
    s->most_places = longest + (uint32_t)l2->reply_queue;
    init_ring(&s->input, a, s->most_input);
    if (l2->perfect) /* every request of the machine may be here */
        s->most_places = s->pool->packets.capacity;
    init_ring(&s->hits, a, s->most_places);
    init_ring(&s->fills, a, s->most_places);
    init_ring(&s->sends, a, slice_ntransfers(s));
    init_ring(&s->drains, a, slice_ntransfers(s));
}

static void init_transfers(struct slice *s, struct arena *a, uint32_t mshrs)
{
    s->fetch = ARENA_ARRAY(a, struct fetch, mshrs);
    s->transfers = ARENA_ARRAY(a, struct transfer, slice_ntransfers(s));
    s->free_writebacks = ARENA_ARRAY(a, uint32_t, s->nwritebacks);
    s->writer = ARENA_ARRAY(a, uint64_t, s->nwritebacks);
    for (uint32_t i = 0; i < s->nwritebacks; i++)
        s->free_writebacks[s->nfree++] = mshrs + i;
}

/* What a policy that refuses to keep lines needs besides. */
static void init_refusals(struct slice *s, struct arena *a, const struct l2_spec *l2)
{
    const struct cache_policy *p = s->tags.policy;
    if (p && p->keeps)
        s->unkept = ARENA_ARRAY(a, struct unkept, l2->mshrs);
    if (!p || !p->passes)
        return;
    s->most_passing = (uint32_t)l2->passing;
    s->passer = ARENA_ARRAY(a, uint64_t, s->most_passing);
    s->free_passing = ARENA_ARRAY(a, uint32_t, s->most_passing);
    for (uint32_t i = 0; i < s->most_passing; i++)
        s->free_passing[i] = slice_first_passing(s) + i;
}

static void read_ports(struct slice *s, const struct l2_spec *l2)
{
    for (uint32_t words = 0; l2->port_bytes && l2->enabled && words < LINE_PORT_ROWS; words++)
        s->port_cycles[words] = (uint8_t)((4 * words + l2->port_bytes - 1) / l2->port_bytes);
}

static void read_spec(struct slice *s, const struct l2_spec *l2)
{
    s->is_direct = !l2->enabled;
    s->look_up = s->is_direct     ? slice_direct
                 : s->opt.sharing ? slice_look_up_watched
                                  : slice_look_up;
    s->look_up_unmet = s->look_up;
    s->look_up = s->opt.meetings ? slice_look_up_met : s->look_up;
    s->write_fetch = l2->write_fetch;
    s->write_through = l2->write_through;
    s->sectored = l2->sectored;
    s->sector_fetches = l2->sectored && l2->sector_fetches && l2->enabled;
    s->gated = l2->gated;
    s->latency = (uint32_t)pipeline_of(l2, s->opt.sm_period, s->opt.period);
    s->hit_latency = (uint32_t)l2->hit_latency;
    s->fill_latency = (uint32_t)l2->fill_latency;
    s->bank_cycles = l2->enabled ? (uint32_t)l2->bank_cycles : 0;
    s->atomic_cycles = l2->enabled ? (uint32_t)l2->atomic_cycles : 0;
    s->banks = (uint32_t)l2->banks;
    s->bank_reciprocal = UINT64_MAX / s->banks + 1;
    s->nwritebacks = (uint32_t)l2->writebacks;
    s->input_queue = (uint32_t)l2->input_queue;
    s->dirty_lines = l2->enabled ? (uint32_t)l2->dirty_lines : 0;
    s->miss_room = l2->memory_queue ? (uint32_t)l2->miss_queue : 0;
    read_ports(s, l2);
}

struct slice *slice_new(struct arena *a, const struct slice_options *opt)
{
    struct slice *s = ARENA_NEW(a, struct slice);
    const struct l2_spec *l2 = opt->spec;
    uint32_t ways = l2->enabled ? (uint32_t)l2->ways : 1;
    uint32_t lines = l2->enabled ? (uint32_t)(l2->size / LINE_BYTES) : 1;
    s->c.ops = l2->perfect ? &perfect_ops : &ops;
    s->c.path = arena_strdup(a, opt->path);
    s->opt = *opt;
    s->pool = opt->pool;
    s->flit_bytes = opt->flit_bytes;
    s->reply_class = opt->reply_class;
    read_spec(s, l2);
    tags_init(&s->tags, a, lines / ways, ways, LINE_BYTES, l2->hashed);
    s->mshr_of = ARENA_ARRAY(a, uint16_t, lines);
    if (opt->map)
        tags_share(&s->tags, opt->map->slices, 1u << opt->map->chunk_shift);
    if (opt->map && opt->map->slices > 1 && addrmap_mixes(opt->map))
        tags_mix(&s->tags, opt->map);
    mshr_init(&s->mshr, a, (uint32_t)l2->mshrs, (uint32_t)l2->merges);
    if (l2->enabled)
        follow_init(&s->tags, a, l2->replacement,
                    &(struct follow_site){follow_instance(opt->path, 0), opt->sms, opt->cfg});
    init_refusals(s, a, l2);
    s->bank_free = ARENA_ARRAY(a, hd_cycle, s->banks);
    init_queues(s, a, l2);
    init_transfers(s, a, (uint32_t)l2->mshrs);
    s->versions = opt->check ? versions_new() : NULL;
    return s;
}

void slice_free(struct slice *s)
{
    if (s->versions)
        versions_free(s->versions);
    s->versions = NULL;
}

struct component *slice_component(struct slice *s)
{
    return &s->c;
}

void slice_launch(struct slice *s, uint32_t program)
{
    follow_launched(&s->tags, program);
}

void slice_flush(struct slice *s, void (*written)(void *memory, uint64_t line, uint32_t version),
                 void *memory)
{
    for (uint32_t i = 0; i < s->tags.sets * s->tags.ways; i++) {
        const struct tags_line *l = &s->tags.line[i];
        if (l->state != TAG_VALID)
            continue;
        if (l->dirty)
            written(memory, tags_address(&s->tags, i), l->version);
        tags_drop(&s->tags, i);
    }
}

void slice_connect_network(struct slice *s, struct port *in, struct port *out)
{
    s->in = in;
    s->out = out;
}

void slice_connect_memory(struct slice *s, struct port *to, struct port *from)
{
    s->to = to;
    s->from = from;
}

struct transfer *slice_transfers(struct slice *s)
{
    return s->transfers;
}

uint32_t slice_ntransfers(const struct slice *s)
{
    return slice_first_further(s) + (s->sector_fetches ? s->mshr.entries * FURTHER_FETCHES : 0);
}

void slice_add_stats(const struct slice *s, struct stats *tree)
{
    stats_join(tree, "l2", s->c.path, l2_stat_rows, sizeof l2_stat_rows / sizeof l2_stat_rows[0],
               &s->stats);
    if ((s->write_through && !s->write_fetch) || cache_policy_refuses(s->tags.policy))
        stats_join(tree, "l2", s->c.path, l2_past_stat_rows,
                   sizeof l2_past_stat_rows / sizeof l2_past_stat_rows[0], &s->past);
    if (cache_policy_refuses(s->tags.policy))
        stats_join(tree, "l2", s->c.path, l2_refused_stat_rows,
                   sizeof l2_refused_stat_rows / sizeof l2_refused_stat_rows[0], &s->refused);
    follow_add_stats(&s->tags, "l2", s->c.path, tree);
}

void slice_count_programs(struct slice *s, struct arena *a)
{
    s->of = ARENA_ARRAY(a, struct l2_program_stats, MAX_PROGRAMS);
}

void slice_add_program_stats(const struct slice *s, struct stats *tree, uint32_t program,
                             const char *path)
{
    stats_join(tree, path, s->c.path, l2_program_stat_rows,
               sizeof l2_program_stat_rows / sizeof l2_program_stat_rows[0], &s->of[program]);
}
