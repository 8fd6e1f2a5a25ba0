/* dispatch.c - hands CTAs to SMs; wakes when a kernel begins or a CTA ends.
 *
 * Each program has at most one kernel at a time, with a CTA scheduler's state of its own.  In every
 * cycle the programs are asked in the order of their numbers, each for as many CTAs as it can start
 * on SMs of its own; then SMs that their owners have no use for take guests (partition.h).
 *
 * What an SM has left is kept by resource, so that CTAs of several kernels can be on it. */
#include "cta/dispatch.h"

#include <string.h>

#include "sim/waitgraph.h"

enum { CURSORS = 16 }; /* pools of distant CTAs each keep their own frame */

struct kernel {
    struct dispatch_kernel k;
    struct arena *arena; /* NULL: the program has none */
    struct occupancy_needs needs;
    struct cta_view view;
    uint8_t *room;
    void *state;
    struct stream_cursor *cursor[CURSORS];
    uint32_t next_cursor;
    uint32_t started, ended;
    uint32_t owing; /* SMs that have stores of ended CTAs under way */
    hd_cycle end;
};

struct place { /* a context of an SM */
    struct cta_start start;
    hd_cycle begin;
};

struct sm_side {
    struct port start, done;
    uint64_t free; /* contexts */
    struct occupancy_needs left;
    uint8_t owner; /* the program it belongs to */
    uint8_t owes;  /* programs that have stores of ended CTAs under way here: a bit each */
};

struct dispatch {
    struct component c;
    struct dispatch_options opt;
    uint32_t nsms, contexts;
    struct sm_side *sm;
    struct place *place; /* [nsms * contexts] */
    uint32_t *served;
    struct dispatch_programs programs;
    struct kernel kernel[MAX_PROGRAMS];
    struct cta_program program[MAX_PROGRAMS];
    uint8_t *held[MAX_PROGRAMS]; /* [SM] */
    uint32_t guest_turn;         /* program that is asked first for a guest */
    struct err err;
};

/* --- room ------------------------------------------------------------------------------------- */

static uint32_t room_on(const struct kernel *k, const struct sm_side *s)
{
    uint32_t fit = occupancy_fit(&s->left, &k->needs);
    return fit < k->view.contexts ? fit : k->view.contexts;
}

/* A CTA has come to the SM, or left it: how many more each kernel could have there. */
static void update_room(struct dispatch *d, uint32_t sm)
{
    for (uint32_t p = 0; p < d->programs.n; p++)
        if (d->kernel[p].arena)
            d->kernel[p].room[sm] = (uint8_t)room_on(&d->kernel[p], &d->sm[sm]);
}

static void take(struct occupancy_needs *left, const struct occupancy_needs *cta)
{
    left->threads -= cta->threads;
    left->warps -= cta->warps;
    left->ctas -= cta->ctas;
    left->registers -= cta->registers;
    left->shared -= cta->shared;
}

static void give_back(struct occupancy_needs *left, const struct occupancy_needs *cta)
{
    left->threads += cta->threads;
    left->warps += cta->warps;
    left->ctas += cta->ctas;
    left->registers += cta->registers;
    left->shared += cta->shared;
}

/* --- the cycle -------------------------------------------------------------------------------- */

static bool is_over(const struct kernel *k)
{
    return k->ended == k->view.nctas && k->owing == 0;
}

/* Whether a kernel is done by this. */
static bool settle(struct dispatch *d, hd_cycle now, uint32_t sm, uint32_t program)
{
    struct kernel *k = &d->kernel[program];
    d->sm[sm].owes &= (uint8_t) ~(1u << program);
    k->owing--;
    k->end = now;
    return is_over(k);
}

static void owe(struct dispatch *d, uint32_t sm, uint32_t program)
{
    d->kernel[program].owing += !(d->sm[sm].owes >> program & 1);
    d->sm[sm].owes |= (uint8_t)(1u << program);
}

/* Whether a kernel is done by this. */
static bool end_cta(struct dispatch *d, hd_cycle now, uint32_t sm, uint32_t context)
{
    struct sm_side *s = &d->sm[sm];
    const struct place *p = &d->place[sm * d->contexts + context];
    uint32_t program = p->start.owner, cta = p->start.streams.cta;
    struct kernel *k = &d->kernel[program];
    s->free |= 1ull << context;
    give_back(&s->left, &k->needs);
    update_room(d, sm);
    d->held[program][sm]--;
    d->program[program].running--;
    k->ended++;
    k->end = now;
    if (d->opt.policy->ended && s->owner == program)
        d->opt.policy->ended(k->state, &k->view, sm, cta);
    if (d->opt.cta_done)
        d->opt.cta_done(d->opt.context, sm, context, stream_store_kernel(k->k.store)->name, cta,
                        p->begin, now);
    if (d->opt.sharing)
        sharing_cta_done(d->opt.sharing, program, cta, now - p->begin);
    return is_over(k);
}

static bool take_message(struct dispatch *d, hd_cycle now, uint32_t sm, uint32_t message)
{
    uint32_t number = message & CTA_NUMBER;
    if (message & CTA_SETTLED)
        return settle(d, now, sm, number);
    if (message & CTA_OWES)
        owe(d, sm, d->place[sm * d->contexts + number].start.owner);
    return end_cta(d, now, sm, number);
}

/* A cursor that has the CTA at hand, or a new one, or the one that was opened or moved longest
 * ago. */
static struct stream_cursor *cursor_for(struct dispatch *d, struct kernel *k, uint32_t cta)
{
    for (uint32_t i = 0; i < CURSORS && k->cursor[i]; i++)
        if (stream_cursor_holds(k->cursor[i], cta))
            return k->cursor[i];
    struct stream_cursor **c = &k->cursor[k->next_cursor++ % CURSORS];
    if (!*c)
        *c = stream_cursor_new(k->k.store, &d->err);
    return *c;
}

static bool start(struct dispatch *d, hd_cycle now, struct kernel *k, struct cta_pick pick)
{
    struct sm_side *s = &d->sm[pick.sm];
    uint32_t program = k->view.program, context = (uint32_t)__builtin_ctzll(s->free);
    struct place *p = &d->place[pick.sm * d->contexts + context];
    struct stream_cursor *c = cursor_for(d, k, pick.cta);
    if (!c || !resident_load(&p->start.streams, c, pick.cta, &d->err))
        return false;
    p->start.program = k->k.program;
    p->start.context = context;
    p->start.kernel = k->k.number;
    p->start.owner = (uint16_t)program;
    p->begin = now;
    s->free &= s->free - 1;
    take(&s->left, &k->needs);
    update_room(d, pick.sm);
    k->started++;
    d->held[program][pick.sm]++;
    d->program[program].running++;
    d->program[program].waiting--;
    d->served[d->opt.clusters->of[pick.sm]]++;
    port_push(&s->start, now, (uintptr_t)&p->start);
    return true;
}

static uint64_t live(const struct component *c)
{
    const struct dispatch *d = (const struct dispatch *)c;
    uint64_t n = 0;
    for (uint32_t p = 0; p < d->programs.n && !d->err.status; p++)
        n += d->kernel[p].view.nctas - d->kernel[p].ended + d->kernel[p].owing;
    return n;
}

static bool take_ended(struct dispatch *d, hd_cycle now)
{
    bool is_done = false;
    for (uint32_t sm = 0; sm < d->nsms; sm++)
        while (port_has(&d->sm[sm].done, now))
            is_done |= take_message(d, now, sm, (uint32_t)port_pop(&d->sm[sm].done, now));
    return is_done;
}

/* All that a program can start on its own SMs; false: its stream is damaged. */
static bool start_own(struct dispatch *d, hd_cycle now, struct kernel *k, bool *is_busy)
{
    struct cta_pick pick;
    while (k->started < k->view.nctas && d->opt.policy->next(k->state, &k->view, &pick)) {
        HD_ASSERT(
            cta_can_take(&k->view, pick.sm) && d->sm[pick.sm].free && pick.cta < k->view.nctas,
            "CTA scheduler %s: CTA %u cannot go to SM %u", d->opt.policy->name, pick.cta, pick.sm);
        if (!start(d, now, k, pick))
            return false;
        *is_busy = true; /* the rate may have held somebody back */
    }
    return true;
}

/* --- guests ----------------------------------------------------------------------------------- */

static bool is_ready(const struct kernel *k, hd_cycle now)
{
    return k->arena && now >= k->k.begin && k->started < k->view.nctas;
}

static bool may_visit(struct dispatch *d, hd_cycle now, uint32_t guest, uint32_t sm)
{
    const struct dispatch_programs *p = &d->programs;
    const struct kernel *k = &d->kernel[guest];
    return guest != d->sm[sm].owner && is_ready(k, now) && k->room[sm] > 0 &&
           p->partition->admits(p->partition_state, &d->programs.partition_view, guest, sm);
}

/* A guest for an SM that its owner has no use for, programs in turn; false: a stream is damaged. */
static bool start_guest(struct dispatch *d, hd_cycle now, uint32_t sm, bool *is_busy)
{
    uint32_t n = d->programs.n, cta;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t guest = (d->guest_turn + i) % n;
        struct kernel *k = &d->kernel[guest];
        if (!may_visit(d, now, guest, sm) || !d->opt.policy->lend(k->state, &k->view, sm, &cta))
            continue;
        d->guest_turn = (guest + 1) % n;
        *is_busy = true;
        return start(d, now, k, (struct cta_pick){sm, cta});
    }
    return true;
}

static bool start_guests(struct dispatch *d, hd_cycle now, bool *is_busy)
{
    const struct dispatch_programs *p = &d->programs;
    if (!p->partition || !p->partition->admits || !d->opt.policy->lend)
        return true;
    for (uint32_t i = 0; i < p->partition_view.sms->n; i++) {
        uint32_t sm = p->partition_view.sms->sm[i];
        if (d->program[d->sm[sm].owner].waiting == 0 && d->sm[sm].free &&
            d->served[d->opt.clusters->of[sm]] < d->opt.rate && !start_guest(d, now, sm, is_busy))
            return false;
    }
    return true;
}

static hd_cycle tick(struct component *c, hd_cycle now)
{
    struct dispatch *d = (struct dispatch *)c;
    hd_cycle next = HD_NEVER;
    bool is_busy = false;
    if (take_ended(d, now) && d->opt.kernel_done)
        d->opt.kernel_done(d->opt.kernel_done_context);
    if (d->err.status)
        return HD_NEVER;
    memset(d->served, 0, d->opt.clusters->nclusters * sizeof *d->served);
    for (uint32_t p = 0; p < d->programs.n; p++) {
        struct kernel *k = &d->kernel[p];
        if (k->arena && now < k->k.begin)
            next = k->k.begin < next ? k->k.begin : next;
        else if (k->arena && !start_own(d, now, k, &is_busy))
            return HD_NEVER;
    }
    if (!start_guests(d, now, &is_busy))
        return HD_NEVER;
    return is_busy ? now + 1 : next;
}

static void waits(const struct component *c, struct waitgraph *g)
{
    waitgraph_vertex(g, c, 0, true, "CTAs");
}

static const struct component_ops ops = {
    .kind = "dispatch", .tick = tick, .live = live, .waits = waits};

/* --- the interface ---------------------------------------------------------------------------- */

struct dispatch *dispatch_new(struct arena *a, const struct dispatch_options *opt)
{
    struct dispatch *d = ARENA_NEW(a, struct dispatch);
    d->c.ops = &ops;
    d->c.path = opt->path;
    d->opt = *opt;
    d->nsms = opt->clusters->nsms;
    d->contexts = (uint32_t)(opt->limits.ctas < 64 ? opt->limits.ctas : 64);
    d->sm = ARENA_ARRAY(a, struct sm_side, d->nsms);
    d->place = ARENA_ARRAY(a, struct place, (uint64_t)d->nsms * d->contexts);
    d->served = ARENA_ARRAY(a, uint32_t, opt->clusters->nclusters);
    for (uint32_t i = 0; i < d->nsms; i++)
        d->sm[i].left = occupancy_whole(&opt->limits);
    for (uint32_t p = 0; p < MAX_PROGRAMS; p++)
        d->held[p] = ARENA_ARRAY(a, uint8_t, d->nsms);
    return d;
}

void dispatch_free(struct dispatch *d)
{
    for (uint32_t p = 0; p < MAX_PROGRAMS; p++)
        dispatch_end(d, p);
    for (uint32_t i = 0; i < d->nsms * d->contexts; i++)
        resident_free(&d->place[i].start.streams);
}

struct component *dispatch_component(struct dispatch *d)
{
    return &d->c;
}

void dispatch_connect(struct dispatch *d, struct arena *a, uint32_t sm, struct component *c,
                      uint32_t slot, struct port **start_port, struct port **done)
{
    struct sm_side *s = &d->sm[sm];
    s->free = d->contexts == 64 ? UINT64_MAX : (1ull << d->contexts) - 1;
    uint32_t latency = d->opt.start_latency ? d->opt.start_latency : 1;
    port_init(&s->start, a, d->contexts + 1, latency, (struct port_end){&d->c, sm},
              (struct port_end){c, slot});
    /* What is said in two cycles: all CTAs end, and all programs settle twice. */
    port_init(&s->done, a, d->contexts + 2 * MAX_PROGRAMS + 1, 1, (struct port_end){c, slot},
              (struct port_end){&d->c, sm});
    *start_port = &s->start;
    *done = &s->done;
}

void dispatch_set_programs(struct dispatch *d, const struct dispatch_programs *programs)
{
    HD_ASSERT(programs->n > 0 && programs->n <= MAX_PROGRAMS, "%u programs at once", programs->n);
    d->programs = *programs;
    d->programs.partition_view.programs = d->program;
    d->guest_turn = 0;
    for (uint32_t p = 0; p < programs->n; p++) {
        const struct sm_set *sms = &programs->sms[p];
        HD_ASSERT(!d->kernel[p].arena, "a kernel of program %u still runs", p);
        d->program[p] = (struct cta_program){.sms = sms, .held = d->held[p]};
        for (uint32_t i = 0; i < sms->n; i++)
            d->sm[sms->sm[i]].owner = (uint8_t)p;
    }
}

static struct cta_view view_of(const struct dispatch *d, uint32_t program, const struct kernel *n,
                               uint32_t contexts)
{
    const struct stream_kernel *k = stream_store_kernel(n->k.store);
    return (struct cta_view){.clusters = d->opt.clusters,
                             .sms = d->program[program].sms,
                             .contexts = contexts,
                             .grid = {k->grid[0], k->grid[1], k->grid[2]},
                             .nctas = (uint32_t)stream_kernel_ctas(k),
                             .room = n->room,
                             .served = d->served,
                             .rate = d->opt.rate,
                             .program = program,
                             .nprograms = d->programs.n,
                             .programs = d->program};
}

bool dispatch_begin(struct dispatch *d, uint32_t program, const struct dispatch_kernel *k,
                    struct occupancy *o, struct err *e)
{
    struct kernel *n = &d->kernel[program];
    HD_ASSERT(program < d->programs.n && !n->arena, "program %u has a kernel already", program);
    if (!occupancy_of(&d->opt.limits, stream_store_kernel(k->store), o, e))
        return false;
    if (o->ctas > d->contexts)
        o->ctas = d->contexts;
    *n = (struct kernel){.k = *k, .arena = arena_new(), .needs = o->needs};
    n->room = ARENA_ARRAY(n->arena, uint8_t, d->nsms);
    n->view = view_of(d, program, n, o->ctas);
    for (uint32_t sm = 0; sm < d->nsms; sm++)
        n->room[sm] = (uint8_t)room_on(n, &d->sm[sm]);
    n->state = d->opt.policy->begin(n->arena, &n->view, d->opt.cfg);
    d->program[program].waiting = n->view.nctas;
    component_wake(&d->c, k->begin);
    return true;
}

bool dispatch_is_done(const struct dispatch *d, uint32_t program, hd_cycle *at)
{
    const struct kernel *k = &d->kernel[program];
    *at = k->end;
    return is_over(k);
}

uint64_t dispatch_ctas_done(const struct dispatch *d, uint32_t program)
{
    return d->kernel[program].ended;
}

void dispatch_end(struct dispatch *d, uint32_t program)
{
    struct kernel *k = &d->kernel[program];
    for (int c = 0; c < CURSORS; c++)
        stream_cursor_free(k->cursor[c]);
    if (k->arena)
        arena_free(k->arena);
    *k = (struct kernel){0};
    d->program[program].waiting = 0;
}

bool dispatch_failed(const struct dispatch *d, struct err *e)
{
    if (d->err.status)
        *e = d->err;
    return d->err.status != 0;
}
