/* source.c - see source.h.  A packet born at cycle g is pushed at g - 1, so that the network
 * sees it at g: a port takes one cycle. */
#include "traffic/source.h"

#include "sim/calendar.h"

struct source {
    struct component c;
    struct source_options opt;
    struct calendar due;
    struct arrival *arrival;
    struct port **port; /* by source */
    uint32_t *ids;
    hd_cycle stop, now, measure_from, measure_to;
    uint64_t measured;
};

/* Makes the next packet of source i, if its port takes it. */
static bool make_packet(struct source *s, uint32_t i)
{
    struct arrival *a = &s->arrival[i];
    struct packet_pool *pool = s->opt.pool;
    uint32_t id = packet_alloc(pool);
    if (!port_try_push(s->port[i], s->now, id)) {
        packet_free(pool, id);
        return false;
    }
    uint64_t key = rng_at(a->key, ~(uint64_t)a->serial);
    uint32_t sink = s->opt.pattern->sink(&s->opt.fit, i, key);
    pool->at[id] = (struct packet){.born = a->next,
                                   .src = s->opt.sources[i],
                                   .dst = s->opt.sinks[sink],
                                   .serial = a->serial++,
                                   .flits = arrival_size(s->opt.arrivals, key)};
    s->measured += a->next - s->measure_from < s->measure_to - s->measure_from;
    arrival_advance(a, s->opt.arrivals);
    return true;
}

static void serve(struct source *s, uint32_t i)
{
    const struct arrival *a = &s->arrival[i];
    const hd_cycle end = s->now + 2 < s->stop ? s->now + 2 : s->stop;
    while (a->next < end)
        if (!make_packet(s, i))
            return; /* woken when the port has room */
    if (a->next < s->stop)
        calendar_wake(&s->due, s->now, i, a->next - 1);
}

static hd_cycle tick(struct component *c, hd_cycle now)
{
    struct source *s = (struct source *)c;
    s->now = now;
    uint32_t n = calendar_take(&s->due, now, s->ids);
    for (uint32_t k = 0; k < n; k++)
        serve(s, s->ids[k]);
    return calendar_next(&s->due, now);
}

/* A port that was full has room again. */
static void woken(struct component *c, uint32_t slot, hd_cycle at)
{
    struct source *s = (struct source *)c;
    calendar_wake(&s->due, at - 1, slot, at);
}

static const struct component_ops ops = {.kind = "source", .tick = tick, .woken = woken};

struct source *source_new(struct arena *a, const struct source_options *opt)
{
    struct source *s = ARENA_NEW(a, struct source);
    uint32_t n = opt->fit.nsources;
    s->c.ops = &ops;
    s->c.path = "traffic";
    s->opt = *opt;
    s->stop = s->measure_to = HD_NEVER;
    s->arrival = ARENA_ARRAY(a, struct arrival, n);
    s->port = ARENA_ARRAY(a, struct port *, n);
    s->ids = ARENA_ARRAY(a, uint32_t, n);
    calendar_init(&s->due, a, n);
    for (uint32_t i = 0; i < n; i++) {
        arrival_start(&s->arrival[i], opt->arrivals, rng_key(opt->seed, opt->sources[i]));
        noc_set_writer(opt->net, opt->sources[i], &s->c, i);
        s->port[i] = noc_inject_port(opt->net, opt->sources[i], 0);
        if (s->arrival[i].next != HD_NEVER)
            calendar_wake(&s->due, 0, i, s->arrival[i].next - 1);
    }
    return s;
}

struct component *source_component(struct source *s)
{
    return &s->c;
}

void source_stop(struct source *s, hd_cycle at)
{
    s->stop = at;
}

void source_measure(struct source *s, hd_cycle from, hd_cycle to)
{
    if (from != s->measure_from)
        s->measured = 0;
    s->measure_from = from;
    s->measure_to = to;
}

uint64_t source_measured(const struct source *s)
{
    return s->measured;
}

bool source_is_done(const struct source *s)
{
    for (uint32_t i = 0; i < s->opt.fit.nsources; i++)
        if (s->arrival[i].next < s->measure_to)
            return false;
    return true;
}
