/* dispatch.c - hands CTAs to SMs; wakes when a kernel begins or a CTA ends. */
#include "cta/dispatch.h"

#include <string.h>

#include "sim/waitgraph.h"

enum { CURSORS = 16 }; /* pools of distant CTAs each keep their own frame */

struct kernel {
    struct dispatch_kernel k;
    struct arena *arena;
    struct cta_view view;
    uint8_t *room;
    void *state;
    struct stream_cursor *cursor[CURSORS];
    uint32_t next_cursor;
    uint32_t started, ended;
    hd_cycle end;
};

struct place { /* a context of an SM */
    struct cta_start start;
    uint32_t kernel; /* index in dispatch.kernel */
    hd_cycle begin;
};

struct sm_side {
    struct port start, done;
    uint64_t free; /* contexts */
};

struct dispatch {
    struct component c;
    struct dispatch_options opt;
    uint32_t nsms, contexts;
    struct sm_side *sm;
    struct place *place; /* [nsms * contexts] */
    uint32_t *served;
    uint32_t nkernels;
    struct kernel kernel[DISPATCH_MAX_KERNELS];
    struct err err;
};

/* --- the cycle -------------------------------------------------------------------------------- */

static uint32_t take_ended(struct dispatch *d, hd_cycle now, uint32_t sm)
{
    struct sm_side *s = &d->sm[sm];
    uint32_t n = 0;
    for (; port_has(&s->done, now); n++) {
        uint32_t context = (uint32_t)port_pop(&s->done, now);
        struct place *p = &d->place[sm * d->contexts + context];
        struct kernel *k = &d->kernel[p->kernel];
        s->free |= 1ull << context;
        k->room[sm]++;
        k->ended++;
        k->end = now;
        if (d->opt.policy->ended)
            d->opt.policy->ended(k->state, &k->view, sm, p->start.streams.cta);
        if (d->opt.cta_done)
            d->opt.cta_done(d->opt.context, sm, context, stream_store_kernel(k->k.store)->name,
                            p->start.streams.cta, p->begin, now);
    }
    return n;
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
    HD_ASSERT(cta_can_take(&k->view, pick.sm) && s->free && pick.cta < k->view.nctas,
              "CTA scheduler %s: CTA %u cannot go to SM %u", d->opt.policy->name, pick.cta,
              pick.sm);
    uint32_t context = (uint32_t)__builtin_ctzll(s->free);
    struct place *p = &d->place[pick.sm * d->contexts + context];
    struct stream_cursor *c = cursor_for(d, k, pick.cta);
    if (!c || !resident_load(&p->start.streams, c, pick.cta, &d->err))
        return false;
    p->start.program = k->k.program;
    p->start.context = context;
    p->start.kernel = k->k.number;
    p->kernel = (uint32_t)(k - d->kernel);
    p->begin = now;
    s->free &= s->free - 1;
    k->room[pick.sm]--;
    k->started++;
    d->served[d->opt.clusters->of[pick.sm]]++;
    port_push(&s->start, now, (uintptr_t)&p->start);
    return true;
}

static uint64_t live(const struct component *c)
{
    const struct dispatch *d = (const struct dispatch *)c;
    uint64_t n = 0;
    for (uint32_t i = 0; i < d->nkernels && !d->err.status; i++)
        n += d->kernel[i].view.nctas - d->kernel[i].ended;
    return n;
}

static hd_cycle tick(struct component *c, hd_cycle now)
{
    struct dispatch *d = (struct dispatch *)c;
    hd_cycle next = HD_NEVER;
    uint32_t ended = 0;
    for (uint32_t i = 0; i < d->nsms; i++)
        ended += take_ended(d, now, i);
    if (ended && live(c) == 0 && d->opt.all_done)
        d->opt.all_done(d->opt.all_done_context);
    if (d->err.status)
        return HD_NEVER;
    memset(d->served, 0, d->opt.clusters->nclusters * sizeof *d->served);
    for (uint32_t i = 0; i < d->nkernels; i++) {
        struct kernel *k = &d->kernel[i];
        struct cta_pick pick;
        if (now < k->k.begin) {
            next = k->k.begin < next ? k->k.begin : next;
            continue;
        }
        while (k->started < k->view.nctas && d->opt.policy->next(k->state, &k->view, &pick)) {
            if (!start(d, now, k, pick))
                return HD_NEVER;
            next = now + 1; /* the rate may have held somebody back */
        }
    }
    return next;
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
    return d;
}

void dispatch_free(struct dispatch *d)
{
    dispatch_reset(d);
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
    port_init(&s->start, a, d->contexts + 1, 1, (struct port_end){&d->c, sm},
              (struct port_end){c, slot});
    port_init(&s->done, a, d->contexts + 1, 1, (struct port_end){c, slot},
              (struct port_end){&d->c, sm});
    *start_port = &s->start;
    *done = &s->done;
}

bool dispatch_begin(struct dispatch *d, const struct dispatch_kernel *k, struct occupancy *o,
                    struct err *e)
{
    const struct stream_kernel *sk = stream_store_kernel(k->store);
    HD_ASSERT(d->nkernels < DISPATCH_MAX_KERNELS, "more than %d kernels at once",
              DISPATCH_MAX_KERNELS);
    if (!occupancy_of(&d->opt.limits, sk, o, e))
        return false;
    if (o->ctas > d->contexts)
        o->ctas = d->contexts;
    struct kernel *n = &d->kernel[d->nkernels];
    *n = (struct kernel){.k = *k, .arena = arena_new()};
    n->room = ARENA_ARRAY(n->arena, uint8_t, d->nsms);
    for (uint32_t i = 0; i < k->sms->n; i++)
        n->room[k->sms->sm[i]] = (uint8_t)o->ctas;
    n->view = (struct cta_view){.clusters = d->opt.clusters,
                                .sms = k->sms,
                                .contexts = o->ctas,
                                .grid = {sk->grid[0], sk->grid[1], sk->grid[2]},
                                .nctas = (uint32_t)stream_kernel_ctas(sk),
                                .room = n->room,
                                .served = d->served,
                                .rate = d->opt.rate};
    n->state = d->opt.policy->begin(n->arena, &n->view, d->opt.cfg);
    d->nkernels++;
    component_wake(&d->c, k->begin);
    return true;
}

bool dispatch_is_done(const struct dispatch *d, uint32_t i, hd_cycle *at)
{
    const struct kernel *k = &d->kernel[i];
    *at = k->end;
    return k->ended == k->view.nctas;
}

uint64_t dispatch_ctas_done(const struct dispatch *d, uint32_t i)
{
    return d->kernel[i].ended;
}

void dispatch_reset(struct dispatch *d)
{
    for (uint32_t i = 0; i < d->nkernels; i++) {
        for (int c = 0; c < CURSORS; c++)
            stream_cursor_free(d->kernel[i].cursor[c]);
        arena_free(d->kernel[i].arena);
    }
    d->nkernels = 0;
}

bool dispatch_failed(const struct dispatch *d, struct err *e)
{
    if (d->err.status)
        *e = d->err;
    return d->err.status != 0;
}
