/* aside.c - packets under the hands of a router extension: held, taken out of their VCs, released.
 *
 * Within a cycle: the extension's tick, then a flit from every VC whose packet is being taken, then
 * side VCs are filled with what was released, then packets whose hold is over ask for their
 * routes.  All of it in the order of numbers, so that nothing depends on how it was found. */
#include "noc/aside.h"

#include "noc/router_slow.h"

STATS_ROWS(aside, ASIDE_STATS)

/* ---- setting up ---- */

void aside_begin(struct noc *n, struct arena *a, const struct noc_options *opt)
{
    const struct router_extension *ext = router_extension_find(opt->router->extension);
    if (!ext || !opt->cfg || opt->graph->ideal_latency || opt->graph->tokens)
        return;
    const struct extension_site site = {
        .net = n, .path = opt->path, .graph = opt->graph, .pool = opt->pool};
    void *state = ext->begin(opt->cfg, &site, a);
    if (!state)
        return;
    n->aside = ARENA_NEW(a, struct aside);
    *n->aside = (struct aside){.ext = ext, .state = state, .sense = opt->sense, .due = HD_NEVER};
    n->side_ports = ext->takes ? router_extension_sides(ext, opt->cfg) : 0;
}

uint32_t router_extension_sides(const struct router_extension *x, const struct config *cfg)
{
    uint32_t n = x->sides ? x->sides(cfg) : 1;
    return n ? n : SIDE_PER_INPUT;
}

void aside_build(struct noc *n, struct arena *a)
{
    struct aside *s = n->aside;
    uint32_t words = n->nivcs / 64 + 1;
    s->first_side = ARENA_ARRAY(a, uint32_t, n->nrouters + 1);
    for (uint32_t i = 0; i < n->nrouters; i++)
        s->first_side[i + 1] = s->first_side[i] + n->router[i].nsides;
    uint32_t nsides = s->first_side[n->nrouters], nqueues = nsides * n->vclasses;
    s->packet = ARENA_ARRAY(a, struct aside_packet, n->pool->capacity);
    for (uint32_t i = 0; i < n->pool->capacity; i++)
        s->packet[i].riders = s->packet[i].next = PACKET_NONE;
    s->midway = ARENA_ARRAY(a, uint64_t, words);
    s->held = ARENA_ARRAY(a, struct held_vc, n->nivcs + 1);
    s->coming = ARENA_ARRAY(a, uint64_t, words);
    s->leaving = ARENA_ARRAY(a, uint64_t, n->active_words);
    s->sender = ARENA_ARRAY(a, struct sender, (uint64_t)(nsides + 1) << n->vc_shift);
    for (uint32_t i = 0; i < nsides << n->vc_shift; i++)
        s->sender[i].packet = PACKET_NONE;
    s->queue = ARENA_ARRAY(a, struct leavers, nqueues + 1);
    for (uint32_t q = 0; q < nqueues; q++)
        s->queue[q] = (struct leavers){PACKET_NONE, PACKET_NONE};
    if (!s->ext->grant)
        return;
    s->kept = ARENA_ARRAY(a, struct kept, n->nouts + 1);
    for (uint32_t o = 0; o < n->nouts; o++)
        s->kept[o].ivc = NO_OWNER;
    n->slow->kept = s->kept;
}

void aside_add_stats(const struct noc *n, struct arena *a, struct stats *tree)
{
    const struct aside *s = n->aside;
    const char *path = arena_printf(a, "%s.extension", n->c.path);
    stats_add(tree, path, aside_stat_rows, sizeof aside_stat_rows / sizeof aside_stat_rows[0],
              &s->stats);
    if (s->ext->add_stats)
        s->ext->add_stats(s->state, path, tree);
}

/* ---- holding a packet in its VC ---- */

static bool goes_before(struct held_vc a, struct held_vc b)
{
    return a.step != b.step ? a.step < b.step : a.ivc < b.ivc;
}

static void hold(struct aside *s, struct held_vc h)
{
    uint32_t i = s->nheld++;
    for (; i > 0 && goes_before(h, s->held[(i - 1) / 2]); i = (i - 1) / 2)
        s->held[i] = s->held[(i - 1) / 2];
    s->held[i] = h;
}

static struct held_vc take_next(struct aside *s)
{
    struct held_vc first = s->held[0], last = s->held[--s->nheld];
    uint32_t i = 0;
    for (uint32_t c = 1; c < s->nheld; c = 2 * i + 1) {
        if (c + 1 < s->nheld && goes_before(s->held[c + 1], s->held[c]))
            c++;
        if (!goes_before(s->held[c], last))
            break;
        s->held[i] = s->held[c];
        i = c;
    }
    s->held[i] = last;
    return first;
}

void aside_step(struct noc *n)
{
    struct aside *s = n->aside;
    while (s->nheld && s->held[0].step <= n->step) {
        uint32_t i = take_next(s).ivc;
        wheel_add(&n->routed, n->step, n->ivc[i].router->route_steps, i);
    }
}

/* ---- packets come ---- */

static bool is_side(const struct ivc *iv)
{
    return iv->credit_ovc == NO_OWNER;
}

/* The first cycle that has `step` in it or comes after it. */
static hd_cycle cycle_of(const struct noc *n, uint64_t step)
{
    hd_cycle c = step * 1024 / n->speed;
    return (c + 1) * n->speed >> 10 <= step ? c + 1 : c;
}

void aside_came(struct noc *n, const struct ivc *iv, uint32_t flit)
{
    struct aside *s = n->aside;
    uint32_t i = ivc_number(n, iv);
    if (!test_bit(s->midway, i))
        s->packet[flit & ~FLIT_TAIL].came = n->now;
    if (flit & FLIT_TAIL)
        clear_bit(s->midway, i);
    else
        set_bit(s->midway, i);
}

static struct extension_at place_of(const struct noc *n, const struct ivc *iv, uint32_t packet,
                                    hd_cycle now)
{
    return (struct extension_at){.packet = packet,
                                 .router = iv->router->id,
                                 .in = iv->port - iv->router->first_in,
                                 .now = now,
                                 .came = n->aside->packet[packet].came};
}

static void begin_taking(struct noc *n, struct ivc *iv, uint32_t packet)
{
    struct aside *s = n->aside;
    struct aside_packet *p = &s->packet[packet];
    HD_ASSERT(n->side_ports, "%s: extension %s takes a packet but does not say that it does",
              n->c.path, s->ext->name);
    p->router = iv->router->id;
    p->in = iv->port - iv->router->first_in;
    p->place = ASIDE_COMING;
    p->moved = 0;
    iv->state = VC_TAKEN;
    set_bit(s->coming, ivc_number(n, iv));
    s->stats.taken++;
}

bool aside_stops(struct noc *n, struct ivc *iv, uint64_t step)
{
    struct aside *s = n->aside;
    uint32_t packet = iv->ring[iv->head] & ~FLIT_TAIL;
    if (is_side(iv)) { /* it has been here before */
        n->pool->at[packet].hops--;
        iv->port = iv->router->first_in + s->packet[packet].in;
        return false;
    }
    if (!s->ext->arrive)
        return false;
    const struct extension_at at = place_of(n, iv, packet, cycle_of(n, step));
    struct extension_verdict v = s->ext->arrive(s->state, &at);
    if (v.fate == EXTENSION_TAKE)
        begin_taking(n, iv, packet);
    if (v.fate != EXTENSION_HOLD || v.until * n->speed >> 10 <= step)
        return v.fate == EXTENSION_TAKE;
    hold(s, (struct held_vc){v.until * n->speed >> 10, ivc_number(n, iv)});
    s->stats.held++;
    return true;
}

/* ---- packets are taken ---- */

static void take_flit(struct noc *n, struct ivc *iv)
{
    struct aside *s = n->aside;
    uint32_t flit = iv->ring[iv->head], packet = flit & ~FLIT_TAIL;
    iv->head = (uint16_t)((iv->head + 1) & n->ring_mask);
    iv->count--;
    s->flits++;
    s->packet[packet].moved++;
    wheel_add(&n->credits, n->now, iv->credit_delay, iv->credit_ovc);
    if (!(flit & FLIT_TAIL))
        return;
    clear_bit(s->coming, ivc_number(n, iv));
    iv->state = VC_IDLE;
    s->packet[packet].place = ASIDE_HELD;
    const struct extension_at at = place_of(n, iv, packet, n->now);
    s->ext->taken(s->state, &at);
    if (iv->count)
        router_slow_begin(n, iv, n->step + 1);
}

static void take_flits(struct noc *n)
{
    struct aside *s = n->aside;
    for (uint32_t w = 0; w <= n->nivcs / 64; w++) {
        for (uint64_t m = s->coming[w]; m; m &= m - 1) {
            struct ivc *iv = &n->ivc[w << 6 | (uint32_t)__builtin_ctzll(m)];
            if (iv->count)
                take_flit(n, iv);
        }
    }
}

/* ---- packets leave ---- */

static uint32_t vclass_of(const struct noc *n, uint32_t packet)
{
    const struct packet *p = &n->pool->at[packet];
    return p->msgclass * n->subclasses + p->vclass;
}

void extension_release(struct noc *n, uint32_t packet, uint32_t side)
{
    struct aside *s = n->aside;
    struct aside_packet *p = &s->packet[packet];
    HD_ASSERT(p->place == ASIDE_HELD, "%s: a packet is released that is not aside", n->c.path);
    side = s->first_side[p->router] + side % n->router[p->router].nsides;
    struct leavers *q = &s->queue[side * n->vclasses + vclass_of(n, packet)];
    p->place = ASIDE_LEAVING;
    p->next = PACKET_NONE;
    if (q->head == PACKET_NONE)
        q->head = packet;
    else
        s->packet[q->tail].next = packet;
    q->tail = packet;
    set_bit(s->leaving, p->router);
}

/* Side ports of a router, from the first. */
static struct ivc *side_vc(const struct noc *n, const struct router *r, uint32_t port, uint32_t vc)
{
    return r->ivc + ((r->nin + port) * (uint32_t)n->spec.input_speedup << n->lane_shift) +
           n->vc_bit[vc];
}

static struct sender *sender_at(const struct noc *n, const struct router *r, uint32_t port,
                                uint32_t vc)
{
    return &n->aside->sender[(n->aside->first_side[r->id] + port) << n->vc_shift | vc];
}

static struct leavers *queue_at(const struct noc *n, const struct router *r, uint32_t port,
                                uint32_t cls)
{
    return &n->aside->queue[(n->aside->first_side[r->id] + port) * n->vclasses + cls];
}

/* Fills a side VC with flits of the packet that goes through it. */
static void fill(struct noc *n, struct ivc *iv, struct sender *out)
{
    struct aside *s = n->aside;
    uint32_t packet = out->packet;
    bool was_empty = iv->count == 0;
    for (; out->left > 0 && iv->count < n->spec.depth; out->left--, s->flits--)
        iv->ring[(iv->head + iv->count++) & n->ring_mask] =
            packet | (out->left == 1 ? FLIT_TAIL : 0);
    if (out->left == 0) {
        out->packet = PACKET_NONE;
        if (s->ext->left)
            s->ext->left(s->state, iv->router->id, packet);
    }
    if (iv->state == VC_IDLE)
        router_slow_begin(n, iv, n->step);
    else if (was_empty && iv->count && iv->state == VC_ACTIVE && iv->ov->credits)
        bid_switch(iv);
}

/* The first of the queue of a class goes to a side VC that nobody uses. */
static void seat(struct noc *n, const struct router *r, uint32_t port, uint32_t cls, uint32_t vc)
{
    struct aside *s = n->aside;
    struct leavers *q = queue_at(n, r, port, cls);
    uint32_t first = q->head;
    if (first == PACKET_NONE || !(n->class_vcs[cls] >> vc & 1) ||
        side_vc(n, r, port, vc)->state != VC_IDLE)
        return;
    *sender_at(n, r, port, vc) = (struct sender){first, extension_flits(n, first)};
    q->head = s->packet[first].next;
    s->packet[first].next = PACKET_NONE;
    s->packet[first].place = ASIDE_NOWHERE;
}

static bool has_leavers(const struct noc *n, const struct router *r, uint32_t port)
{
    for (uint32_t c = 0; c < n->vclasses; c++)
        if (queue_at(n, r, port, c)->head != PACKET_NONE)
            return true;
    for (uint32_t vc = 0; vc < (uint32_t)n->spec.vcs; vc++)
        if (sender_at(n, r, port, vc)->packet != PACKET_NONE)
            return true;
    return false;
}

/* Whether anybody stays behind. */
static bool leave_by(struct noc *n, const struct router *r, uint32_t port)
{
    if (!has_leavers(n, r, port))
        return false;
    for (uint32_t vc = 0; vc < (uint32_t)n->spec.vcs; vc++) {
        struct sender *out = sender_at(n, r, port, vc);
        for (uint32_t c = 0; out->packet == PACKET_NONE && c < n->vclasses; c++)
            seat(n, r, port, c, vc);
        if (out->packet != PACKET_NONE)
            fill(n, side_vc(n, r, port, vc), out);
    }
    return has_leavers(n, r, port);
}

static void leave(struct noc *n, const struct router *r)
{
    bool stays = false;
    for (uint32_t port = 0; port < r->nsides; port++)
        stays |= leave_by(n, r, port);
    if (!stays)
        clear_bit(n->aside->leaving, r->id);
}

static bool can_leave_by(const struct noc *n, const struct router *r, uint32_t port)
{
    for (uint32_t vc = 0; vc < (uint32_t)n->spec.vcs; vc++) {
        const struct ivc *iv = side_vc(n, r, port, vc);
        bool sends = sender_at(n, r, port, vc)->packet != PACKET_NONE;
        if (sends ? iv->count < n->spec.depth : iv->state == VC_IDLE)
            return true;
    }
    return false;
}

/* Whether a router could fill something in the next cycle. */
static bool can_leave(const struct noc *n, const struct router *r)
{
    for (uint32_t port = 0; port < r->nsides; port++)
        if (has_leavers(n, r, port) && can_leave_by(n, r, port))
            return true;
    return false;
}

/* ---- the cycle ---- */

void aside_cycle(struct noc *n)
{
    struct aside *s = n->aside;
    if (s->due <= n->now) {
        s->due = HD_NEVER;
        s->ext->tick(s->state, n->now);
    }
    take_flits(n);
    for (uint32_t w = 0; w < n->active_words; w++)
        for (uint64_t m = s->leaving[w]; m; m &= m - 1)
            leave(n, &n->router[w << 6 | (uint32_t)__builtin_ctzll(m)]);
}

hd_cycle aside_next(const struct noc *n)
{
    const struct aside *s = n->aside;
    hd_cycle next = s->due > n->now ? s->due : n->now + 1;
    if (s->nheld && cycle_of(n, s->held[0].step) < next)
        next = cycle_of(n, s->held[0].step);
    for (uint32_t w = 0; w <= n->nivcs / 64; w++)
        for (uint64_t m = s->coming[w]; m; m &= m - 1)
            if (n->ivc[w << 6 | (uint32_t)__builtin_ctzll(m)].count)
                return n->now + 1;
    for (uint32_t w = 0; w < n->active_words; w++)
        for (uint64_t m = s->leaving[w]; m; m &= m - 1)
            if (can_leave(n, &n->router[w << 6 | (uint32_t)__builtin_ctzll(m)]))
                return n->now + 1;
    return next;
}

void extension_wake(struct noc *n, hd_cycle at)
{
    struct aside *s = n->aside;
    hd_cycle soon = at > n->now ? at : n->now + 1;
    HD_ASSERT(s->ext->tick, "%s: extension %s has no tick", n->c.path, s->ext->name);
    s->due = soon < s->due ? soon : s->due;
}

/* ---- grants that are kept ---- */

static struct kept *kept_at(const struct noc *n, const struct ivc *iv)
{
    return &n->aside->kept[iv->op - n->oport];
}

bool aside_is_kept(const struct noc *n, const struct ivc *iv)
{
    const struct kept *k = kept_at(n, iv);
    return k->ivc != NO_OWNER && k->how == GRANT_END && k->ivc != ivc_number(n, iv);
}

void aside_sent(struct noc *n, const struct ivc *iv, uint32_t packet)
{
    struct aside *s = n->aside;
    struct kept *k = kept_at(n, iv);
    uint32_t i = ivc_number(n, iv);
    bool is_over = iv->state == VC_IDLE;
    if (is_over && is_side(iv) && s->ext->departed)
        s->ext->departed(s->state, iv->router->id, packet);
    if (k->ivc == i) {
        k->ivc = is_over ? NO_OWNER : i;
        return;
    }
    if (is_over || (k->how = s->ext->grant(s->state, packet)) == GRANT_FREE)
        return;
    k->ivc = i;
    s->stats.kept_grants++;
}
