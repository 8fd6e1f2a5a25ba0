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

/* ---- the machine ---- */

enum { BATCH = 8, OUTSTANDING = 4, CROSSBARS = 2 };

struct part { /* every component of the machine */
    struct component c;
    uint32_t number, nin, nout;
    struct port *in[64], *out[64];
    uint64_t trace, ticks;
    uint64_t left, outstanding, serial; /* core, dispatcher: items, batches still to give out */
    bool has_asked;
    hd_cycle next_at; /* core: of the next item; echo: when it has done with the one it holds */
    uint64_t item;    /* echo */
    uint32_t turn;
};

struct toy_machine {
    struct arena *arena;
    struct engine *engine;
    struct toy_machine_options opt;
    uint32_t n;
    struct part *part[512];
    uint64_t drawn;
};

static void note(struct part *p, hd_cycle now, uint64_t what)
{
    p->trace = rng_mix(p->trace + rng_mix(now * p->c.period + 1) + what);
}

static hd_cycle earlier(hd_cycle a, hd_cycle b)
{
    return a < b ? a : b;
}

/* When a port that was looked at in this cycle is worth another look. */
static hd_cycle next_look(const struct port *p, hd_cycle now)
{
    hd_cycle ready = port_ready(p);
    return ready > now ? ready : now + 1;
}

/* in: from the gate, from the dispatcher; out: likewise. */
static hd_cycle core_tick(struct component *c, hd_cycle now)
{
    struct part *p = (struct part *)c;
    p->ticks++;
    while (port_has(p->in[0], now)) {
        note(p, now, port_pop(p->in[0], now));
        p->outstanding--;
    }
    if (port_has(p->in[1], now)) {
        p->left = port_pop(p->in[1], now);
        p->has_asked = p->left == 0; /* nothing left: it does not ask again */
        p->next_at = now + rng_below(rng_at(p->number, p->serial), 40);
    }
    if (p->left && p->outstanding < OUTSTANDING && p->next_at <= now &&
        port_can_push(p->out[0], now)) {
        port_push(p->out[0], now, (uint64_t)p->number << 32 | p->serial++);
        p->outstanding++;
        p->left--;
        p->next_at = now + 1 + rng_below(rng_at(p->number, p->serial), p->serial % 5 ? 2 : 60);
    }
    if (!p->left && !p->outstanding && !p->has_asked) {
        port_push(p->out[1], now, p->number);
        p->has_asked = true;
    }
    bool can_issue = p->left && p->outstanding < OUTSTANDING && !port_is_awaited(p->out[0]);
    hd_cycle next = can_issue ? (p->next_at > now ? p->next_at : now + 1) : HD_NEVER;
    return earlier(next, earlier(port_ready(p->in[0]), port_ready(p->in[1])));
}

/* The cores' ports, then that of the network. */
static hd_cycle gate_tick(struct component *c, hd_cycle now)
{
    struct part *p = (struct part *)c;
    uint32_t cores = p->nin - 1;
    hd_cycle next = HD_NEVER;
    p->ticks++;
    if (port_has(p->in[cores], now)) {
        uint64_t item = port_peek(p->in[cores]);
        struct port *to = p->out[(item >> 32) % cores];
        if (port_try_push(to, now, item))
            note(p, now, port_pop(p->in[cores], now));
    }
    for (uint32_t k = 0; k < cores; k++) {
        uint32_t i = (p->turn + k) % cores;
        if (port_has(p->in[i], now) && port_can_push(p->out[cores], now)) {
            uint64_t item = port_pop(p->in[i], now);
            note(p, now, item);
            port_push(p->out[cores], now, item);
            p->turn = i + 1;
            break;
        }
    }
    for (uint32_t i = 0; i < p->nin; i++)
        next = port_held(p->in[i]) ? earlier(next, next_look(p->in[i], now)) : next;
    return next;
}

/* To an echo by a hash, or back to the gate of the item's core. */
static hd_cycle crossbar_tick(struct component *c, hd_cycle now)
{
    struct part *p = (struct part *)c;
    hd_cycle next = HD_NEVER;
    p->ticks++;
    for (uint32_t i = 0; i < p->nin; i++) {
        if (port_has(p->in[i], now)) {
            uint64_t item = port_peek(p->in[i]);
            uint64_t to = p->number == 0 ? rng_mix(item) : (item >> 32) / p->turn;
            if (!port_try_push(p->out[to % p->nout], now, item))
                continue; /* a pop will wake it */
            note(p, now, port_pop(p->in[i], now));
        }
        if (port_held(p->in[i]))
            next = earlier(next, next_look(p->in[i], now));
    }
    return next;
}

static hd_cycle store_tick(struct component *c, hd_cycle now)
{
    struct part *p = (struct part *)c;
    p->ticks++;
    if (p->left && p->next_at <= now && port_try_push(p->out[0], now, p->item)) {
        note(p, now, p->item);
        p->left = 0;
    }
    if (!p->left && port_has(p->in[0], now)) {
        p->item = port_pop(p->in[0], now);
        p->left = 1;
        p->next_at = now + 1 + rng_below(rng_at(p->number, p->item), 9);
    }
    if (p->left)
        return p->next_at > now ? p->next_at : HD_NEVER;
    return port_ready(p->in[0]);
}

/* From the network to its store, and back. */
static hd_cycle echo_tick(struct component *c, hd_cycle now)
{
    struct part *p = (struct part *)c;
    hd_cycle next = HD_NEVER;
    p->ticks++;
    for (uint32_t i = 0; i < 2; i++) {
        if (port_has(p->in[i], now) && port_try_push(p->out[1 - i], now, port_peek(p->in[i])))
            note(p, now, port_pop(p->in[i], now));
        if (port_held(p->in[i]))
            next = earlier(next, next_look(p->in[i], now));
    }
    return next;
}

/* One core is served per cycle, in turn. */
static hd_cycle dispatcher_tick(struct component *c, hd_cycle now)
{
    struct part *p = (struct part *)c;
    hd_cycle next = HD_NEVER;
    p->ticks++;
    for (uint32_t k = 0; k < p->nin; k++) {
        uint32_t i = (p->turn + k) % p->nin;
        if (!port_has(p->in[i], now))
            continue;
        note(p, now, port_pop(p->in[i], now));
        port_push(p->out[i], now, p->left ? BATCH : 0);
        p->left -= p->left > 0;
        p->turn = i + 1;
        break;
    }
    for (uint32_t i = 0; i < p->nin; i++)
        if (port_held(p->in[i]))
            next = earlier(next, next_look(p->in[i], now));
    return next;
}

static uint64_t part_live(const struct component *c)
{
    const struct part *p = (const struct part *)c;
    return p->left + p->outstanding;
}

enum { CORE, GATE, CROSSBAR, ECHO, STORE, DISPATCHER };
static const struct component_ops part_ops[] = {
    [CORE] = {.kind = "core", .tick = core_tick, .live = part_live},
    [GATE] = {.kind = "gate", .tick = gate_tick},
    [CROSSBAR] = {.kind = "crossbar", .tick = crossbar_tick},
    [ECHO] = {.kind = "echo", .tick = echo_tick},
    [STORE] = {.kind = "store", .tick = store_tick, .live = part_live},
    [DISPATCHER] = {.kind = "dispatcher", .tick = dispatcher_tick, .live = part_live}};

static uint32_t draw(struct toy_machine *m, uint32_t n)
{
    return rng_below(rng_at(m->opt.shape, m->drawn++), n);
}

static struct part *new_part(struct toy_machine *m, int kind, uint32_t number)
{
    struct part *p = ARENA_NEW(m->arena, struct part);
    p->c.ops = &part_ops[kind];
    p->c.path = part_ops[kind].kind;
    p->number = number;
    return m->part[m->n++] = p;
}

static void join(struct toy_machine *m, struct part *from, struct part *to)
{
    struct port *port = ARENA_NEW(m->arena, struct port);
    port_init(port, m->arena, 1 + draw(m, 4), 1 + draw(m, 3), (struct port_end){&from->c, 0},
              (struct port_end){&to->c, 0});
    from->out[from->nout++] = to->in[to->nin++] = port;
}

static void add_all(struct toy_machine *m)
{
    static const uint64_t choices[] = {1, 2, 3, 5};
    uint64_t period[] = {[CORE] = choices[draw(m, 4)],
                         [CROSSBAR] = choices[draw(m, 4)],
                         [ECHO] = choices[draw(m, 4)],
                         [STORE] = choices[draw(m, 4)],
                         [DISPATCHER] = 0};
    period[GATE] = period[DISPATCHER] = period[CORE];
    for (uint32_t k = 0; k < m->n; k++) {
        struct part *p = m->part[m->opt.is_added_backwards ? m->n - 1 - k : k];
        int kind = (int)(p->c.ops - part_ops);
        uint32_t lane = p->number;
        if (kind == GATE)
            lane = CROSSBARS + p->number;
        if (kind == CORE)
            lane = CROSSBARS + p->number / m->opt.cores;
        if (kind == ECHO || kind == STORE)
            lane = CROSSBARS + m->opt.gates + p->number;
        engine_add(m->engine, &p->c, period[kind]);
        engine_place(m->engine, &p->c, kind != DISPATCHER, lane);
        if (kind == STORE)
            engine_keep_inside(m->engine, &p->c);
    }
}

struct toy_machine *toy_machine_new(const struct toy_machine_options *opt)
{
    struct arena *a = arena_new();
    struct toy_machine *m = ARENA_NEW(a, struct toy_machine);
    m->arena = a;
    m->opt = *opt;
    m->engine = engine_new(a, opt->engine);
    struct part *request = new_part(m, CROSSBAR, 0), *reply = new_part(m, CROSSBAR, 1);
    struct part *dispatcher = new_part(m, DISPATCHER, 0);
    dispatcher->left = opt->batches;
    reply->turn = opt->cores; /* of each gate */
    for (uint32_t i = 0; i < opt->echoes; i++) {
        struct part *echo = new_part(m, ECHO, i);
        struct part *store = new_part(m, STORE, i);
        join(m, request, echo);
        join(m, echo, reply);
        join(m, store, echo);
        join(m, echo, store);
    }
    for (uint32_t g = 0; g < opt->gates; g++) {
        struct part *gate = new_part(m, GATE, g);
        for (uint32_t k = 0; k < opt->cores; k++) {
            struct part *core = new_part(m, CORE, g * opt->cores + k);
            join(m, core, gate);
            join(m, gate, core);
            join(m, core, dispatcher);
            join(m, dispatcher, core);
        }
        join(m, gate, request);
        join(m, reply, gate);
    }
    add_all(m);
    return m;
}

void toy_machine_free(struct toy_machine *m)
{
    engine_stop_threads(m->engine);
    arena_free(m->arena);
}

struct engine *toy_machine_engine(struct toy_machine *m)
{
    return m->engine;
}

uint64_t toy_machine_trace(const struct toy_machine *m)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < m->n; i++)
        sum = rng_mix(sum + m->part[i]->trace);
    return sum;
}

uint64_t toy_machine_items(const struct toy_machine *m)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < m->n; i++)
        if (m->part[i]->c.ops == &part_ops[CORE])
            sum += m->part[i]->serial - m->part[i]->outstanding;
    return sum;
}

uint64_t toy_machine_ticks(const struct toy_machine *m)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < m->n; i++)
        sum += m->part[i]->ticks;
    return sum;
}
