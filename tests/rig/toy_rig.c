/* toy_rig.c - see toy_rig.h. */
#include "rig/toy_rig.h"

#include "base/rng.h"

enum { ITEMS = 40 };

static hd_cycle sleep_on(struct component *c, hd_cycle now)
{
    (void)c;
    (void)now;
    return HD_NEVER;
}

static void note_wake(struct component *c, uint32_t slot, hd_cycle at)
{
    struct toy_sleeper *s = (struct toy_sleeper *)c;
    s->wakes++;
    s->slot = slot;
    s->at = at;
}

static const struct component_ops sleeper_ops = {
    .kind = "sleeper", .tick = sleep_on, .woken = note_wake};

struct toy_sleeper toy_sleeper(const char *path, uint64_t period)
{
    return (struct toy_sleeper){
        .c = {.ops = &sleeper_ops, .path = path, .period = period, .wake_at = HD_NEVER},
        .at = HD_NEVER};
}

static hd_cycle work(const struct toy_stage *s, uint64_t item)
{
    return 1 + rng_below(rng_at(s->number, item), s->number % 2 ? 4 : 2);
}

static void start(struct toy_stage *s, hd_cycle now, uint64_t item)
{
    s->holds = true;
    s->item = item;
    s->done_at = now + work(s, item);
}

static void finish(struct toy_stage *s, hd_cycle now)
{
    if (s->out)
        port_push(s->out, now, s->item);
    s->trace = rng_mix(s->trace + rng_mix(now * s->c.period) + s->item);
    s->let_go++;
    s->holds = false;
}

static hd_cycle tick(struct component *c, hd_cycle now)
{
    struct toy_stage *s = (struct toy_stage *)c;
    s->ticks++;
    if (s->holds && s->done_at <= now && (!s->out || port_can_push(s->out, now)))
        finish(s, now);
    if (!s->holds && s->in && port_has(s->in, now))
        start(s, now, port_pop(s->in, now));
    if (!s->holds && !s->in && s->to_make > 0)
        start(s, now, s->to_make--);
    if (s->holds)
        return s->done_at > now ? s->done_at : HD_NEVER; /* blocked: a pop will wake it */
    return s->in ? port_ready(s->in) : HD_NEVER;
}

static uint64_t live(const struct component *c)
{
    const struct toy_stage *s = (const struct toy_stage *)c;
    return s->holds + (s->in ? port_held(s->in) : s->to_make);
}

static const struct component_ops stage_ops = {.kind = "stage", .tick = tick, .live = live};

void toy_chain_open(struct toy_chain *t, uint32_t n, uint64_t shape, const uint32_t *order,
                    struct engine_options opt)
{
    static const uint64_t periods[] = {1, 2, 3, 7};
    static const char *const paths[TOY_STAGES] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
    *t = (struct toy_chain){.arena = arena_new(), .n = n};
    t->engine = engine_new(t->arena, opt);
    for (uint32_t i = 0; i < n; i++)
        t->stage[i] = (struct toy_stage){.c = {.ops = &stage_ops, .path = paths[i]}, .number = i};
    t->stage[0].to_make = ITEMS;
    for (uint32_t i = 0; i + 1 < n; i++) {
        uint32_t depth = 1 + rng_below(rng_at(shape, 3 * i), 4);
        uint32_t latency = 1 + rng_below(rng_at(shape, 3 * i + 1), 3);
        port_init(&t->port[i], t->arena, depth, latency, (struct port_end){&t->stage[i].c, 0},
                  (struct port_end){&t->stage[i + 1].c, 0});
        t->stage[i].out = t->stage[i + 1].in = &t->port[i];
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = order ? order[k] : k;
        engine_add(t->engine, &t->stage[i].c, periods[rng_below(rng_at(shape, 3 * i + 2), 4)]);
    }
}

void toy_chain_close(struct toy_chain *t)
{
    arena_free(t->arena);
}

uint64_t toy_chain_ticks(const struct toy_chain *t)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->n; i++)
        sum += t->stage[i].ticks;
    return sum;
}
