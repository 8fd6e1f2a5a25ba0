/* ring.c - an optical ring with one channel per reader and many writers, by token slots.
 *
 * Vantrease et al., Light Speed Arbitration and Flow Control for Nanophotonic Interconnects (MICRO
 * 2009), section "token slot", which the intra-clustering paper takes (section II.B).  A channel is
 * divided into slots that circulate.  When a slot passes its reader, its data are read, and the
 * reader puts a token into it for every message class of which it has a free place: a token is the
 * right to send one packet in this slot and the place that the packet will have.  The first writer on
 * the way that has a packet of the class for this reader takes it: whoever comes first behind the
 * reader has priority, always, and can starve those behind it.  Tokens that nobody took come back.
 *
 * A slot carries up to `slot_flits` flits.  A packet that is longer, or (cut-through) of which not all
 * flits have come, goes on in further slots without data, for which it needs no token: flits find
 * their place at the reader by packet, so that slots of several writers may mix.  With `stores` a packet
 * asks for a token when all of it is at the station, and leaves the reader when all of it is there.
 *
 * Fair (ours): a writer that was served does not take a token while one waits that was not; who waits
 * is known everywhere at once.
 *
 * Not modelled: lost tokens, conversion between wires and light beyond the latency of the ports of
 * stations, the time in which rings are tuned. */
#include "noc/ring.h"

#include "base/rng.h"

/* ---- slots pass their readers ---- */

void ring_emit(const struct noc *n, struct ring_frame *f, struct ring_channel *c)
{
    f->has_data = false;
    for (uint32_t cls = 0; cls < n->classes; cls++)
        if (!(f->tokens >> cls & 1) && c->cls[cls].free) {
            c->cls[cls].free--;
            f->tokens |= (uint8_t)(1u << cls);
        }
}

/* After one time round nothing changes any more while the ring is idle. */
static void emit_all(struct noc *n)
{
    struct ring *r = n->ring;
    uint32_t slot = r->g->slot_cycles;
    hd_cycle end = r->next_emit + r->period;
    end = end < n->now + 1 ? end : n->now + 1;
    for (hd_cycle t = r->next_emit; t < end; t++)
        for (uint32_t i = 0; t % slot == 0 && i < r->g->nstations; i++)
            ring_emit(n, &r->channel[i].frame[t / slot % r->nframes], &r->channel[i]);
    r->next_emit = n->now + 1;
}

/* ---- readers ---- */

static void take_coming(struct noc *n)
{
    struct ring *r = n->ring;
    uint32_t per_reader = n->classes * r->g->read_places;
    struct due d = wheel_take(&r->coming, n->now);
    for (; d.at < d.end; d.at++) {
        uint32_t id = (uint32_t)*d.at;
        struct ring_slot *s = &r->slot[id];
        HD_ASSERT(s->came < s->flits, "%s: a read place overflows", n->c.path);
        if (s->came++ > 0)
            continue;
        struct ring_class *k =
            &r->channel[id / per_reader].cls[id % per_reader / r->g->read_places];
        s->first = n->now;
        s->next = NO_OWNER;
        if (k->head == NO_OWNER)
            k->head = id;
        else
            r->slot[k->tail].next = id;
        k->tail = id;
    }
}

static bool is_measured(const struct noc *n, const struct packet *p)
{
    return p->born - n->measure_from < n->measure_to - n->measure_from;
}

/* The next packet of a class starts for its router, if a VC there has room for its head. */
static bool begin_reading(struct noc *n, const struct injector *inj, struct ring_class *k)
{
    struct ring *r = n->ring;
    if (k->head == NO_OWNER)
        return false;
    struct ring_slot *s = &r->slot[k->head];
    if (r->g->stores && s->came < s->flits)
        return false;
    struct packet *p = &n->pool->at[s->packet];
    n->graph->leave(n->graph->ctx, p);
    uint32_t vclass = p->msgclass * n->subclasses + p->vclass;
    uint32_t vcs = n->oport[inj->oport].free & n->class_vcs[vclass];
    if (!vcs)
        return false;
    k->sending = k->head;
    k->head = s->next;
    k->vc = k->last_vc = (uint8_t)next_bit32(vcs, k->last_vc + 1u);
    if (is_measured(n, p)) {
        stat_mean_add(&r->stats.flight, s->first - s->token);
        stat_mean_add(&r->stats.reader_wait, n->now - s->first);
    }
    return true;
}

static void send_to_router(struct noc *n, const struct injector *inj, struct ring_class *k)
{
    struct ring_slot *s = &n->ring->slot[k->sending];
    struct oport *op = &n->oport[inj->oport];
    struct ovc *ov = &n->ovc[inj->oport << n->vc_shift | k->vc];
    uint32_t flit = s->packet;
    if (--ov->credits == 0)
        op->free &= ~(1u << k->vc);
    if (++s->sent == s->flits) {
        flit |= FLIT_TAIL;
        s->packet = PACKET_NONE;
        k->sending = NO_OWNER;
        k->free++;
    }
    op->flits++;
    n->ring->flits--;
    wheel_add_checked(&n->arrivals, n->now + op->delay,
                      (uint64_t)(inj->dst + n->vc_bit[k->vc]) << 32 | flit);
}

/* One flit per cycle, classes in turn. */
static void read_channel(struct noc *n, uint32_t reader)
{
    struct ring *r = n->ring;
    struct ring_channel *c = &r->channel[reader];
    const struct injector *inj = r->station[reader].inj;
    for (uint32_t k = 1; k <= n->classes; k++) {
        uint32_t cls = (c->last_class + k) % n->classes;
        struct ring_class *q = &c->cls[cls];
        if (q->sending == NO_OWNER && !begin_reading(n, inj, q))
            continue;
        const struct ring_slot *s = &r->slot[q->sending];
        if (s->came == s->sent || !(n->oport[inj->oport].free >> q->vc & 1))
            continue;
        send_to_router(n, inj, q);
        c->last_class = cls;
        return;
    }
}

/* ---- stations ---- */

static uint32_t free_place(const struct noc *n, const struct ring_station *s, uint32_t cls)
{
    uint32_t first = cls * n->ring->g->send_places;
    for (uint32_t i = first; i < first + n->ring->g->send_places; i++)
        if (s->place[i].packet == PACKET_NONE)
            return i;
    return NO_OWNER;
}

static void ask(struct noc *n, struct ring_station *s, struct ring_place *p)
{
    uint32_t cls = n->pool->at[p->packet].msgclass;
    p->ready = n->now;
    s->asking[cls]++;
    n->ring->channel[p->reader].cls[cls].asks[s - n->ring->station]++;
}

static void settle_in(struct noc *n, struct ring_place *p, uint32_t packet)
{
    const struct packet *k = &n->pool->at[packet];
    HD_ASSERT(k->via > 0 && k->via <= n->ring->g->nstations,
              "%s: a packet to node %u leaves the ring at station %d", n->c.path, k->dst,
              k->via - 1);
    *p = (struct ring_place){.packet = packet,
                             .reader = k->via - 1u,
                             .slot = NO_OWNER,
                             .flits = k->flits,
                             .order = n->ring->order++};
}

/* One flit per cycle goes from the VC buffers to the places; a packet needs a place of its class. */
static void drain_station(struct noc *n, struct ring_station *s)
{
    const uint32_t vcs = (uint32_t)n->spec.vcs;
    for (uint32_t k = 0; k < vcs; k++) {
        uint32_t vc = s->turn + k < vcs ? s->turn + k : s->turn + k - vcs;
        struct ej_vc *v = &s->ej->vc[vc];
        if (v->count == 0)
            continue;
        uint32_t flit = v->ring[v->head], packet = flit & ~FLIT_TAIL;
        bool is_head = s->taking[vc] == NO_OWNER;
        if (is_head && (s->taking[vc] = free_place(n, s, n->pool->at[packet].msgclass)) == NO_OWNER)
            continue;
        struct ring_place *p = &s->place[s->taking[vc]];
        if (is_head) {
            settle_in(n, p, packet);
            s->held++;
        }
        p->came++;
        if (n->ring->g->stores ? p->came == p->flits : p->came == 1)
            ask(n, s, p);
        if (flit & FLIT_TAIL)
            s->taking[vc] = NO_OWNER;
        v->head = (uint16_t)((v->head + 1) & n->ring_mask);
        v->count--;
        s->turn = vc + 1 == vcs ? 0 : vc + 1;
        n->ring->flits++;
        wheel_add_checked(&n->credits, n->now + s->ej->credit_delay, s->ej->credit_ovc + vc);
        return;
    }
}

uint32_t ring_queue(const void *net, uint32_t station, uint32_t cls)
{
    const struct noc *n = net;
    const struct ring_station *s = &n->ring->station[station];
    uint32_t queue = s->asking[cls];
    for (uint32_t vc = 0; vc < (uint32_t)n->spec.vcs; vc++) {
        const struct ej_vc *v = &s->ej->vc[vc];
        queue += v->count > 0 && s->taking[vc] == NO_OWNER &&
                 n->pool->at[v->ring[v->head] & ~FLIT_TAIL].msgclass == cls;
    }
    return queue;
}

bool ring_is_crowded(const void *net, uint32_t station, uint32_t cls)
{
    return ((const struct noc *)net)->ring->station[station].crowded[cls];
}

/* Hysteresis, for routes that avoid a crowded station. */
static void judge_station(struct noc *n, uint32_t station)
{
    const struct graph_ring *g = n->ring->g;
    struct ring_station *s = &n->ring->station[station];
    for (uint32_t cls = 0; cls < n->classes; cls++) {
        uint32_t queue = ring_queue(n, station, cls);
        s->crowded[cls] = s->crowded[cls] ? queue > g->queue_low : queue >= g->queue_high;
    }
}

/* ---- writing ---- */

/* Flits of a packet go into the slot that it has, as they come and as the channel is wide. */
static void write_open(struct noc *n, uint32_t writer, struct ring_place *p)
{
    struct ring *r = n->ring;
    struct ring_channel *c = &r->channel[p->reader];
    uint32_t light = r->g->round_trip - c->past[writer];
    p->bits = p->came > p->sent ? p->bits + r->g->bits : 0;
    while (p->bits >= r->g->flit_bits && p->came > p->sent && p->in_frame < r->g->slot_flits) {
        p->bits -= r->g->flit_bits;
        p->sent++;
        p->in_frame++;
        c->flits++;
        r->slot[p->slot].wrote++;
        wheel_add(&r->coming, n->now, 1 + light, p->slot);
    }
    if (p->came == p->sent)
        p->bits = 0; /* what was not used of the cycle is lost */
    if (p->sent == p->flits) {
        p->packet = PACKET_NONE;
        r->station[writer].held--;
    }
    if (p->in_frame == r->g->slot_flits)
        p->open = 0;
}

static uint32_t take_slot(struct noc *n, uint32_t reader, uint32_t cls)
{
    const struct ring *r = n->ring;
    uint32_t first = (reader * n->classes + cls) * r->g->read_places;
    for (uint32_t i = first; i < first + r->g->read_places; i++)
        if (r->slot[i].packet == PACKET_NONE)
            return i;
    HD_ASSERT(false, "%s: a token without a place at its reader", n->c.path);
    return 0;
}

static void take_token(struct noc *n, uint32_t writer, struct ring_place *p, struct ring_frame *f)
{
    struct ring *r = n->ring;
    const struct packet *k = &n->pool->at[p->packet];
    struct ring_class *c = &r->channel[p->reader].cls[k->msgclass];
    f->tokens &= (uint8_t) ~(1u << k->msgclass);
    p->slot = take_slot(n, p->reader, k->msgclass);
    r->slot[p->slot] = (struct ring_slot){
        .packet = p->packet, .writer = writer, .flits = p->flits, .token = n->now};
    c->asks[writer]--;
    c->served[writer] = true;
    r->station[writer].asking[k->msgclass]--;
    r->stats.packets++;
    if (is_measured(n, k))
        stat_mean_add(&r->stats.token_wait, n->now - p->ready);
}

/* Whether a writer that was served has to wait for those that were not. */
static bool is_held_back(const struct noc *n, struct ring_class *c, uint32_t writer)
{
    uint32_t nstations = n->ring->g->nstations;
    if (!n->ring->g->is_fair || !c->served[writer])
        return false;
    for (uint32_t w = 0; w < nstations; w++)
        if (c->asks[w] && !c->served[w])
            return true;
    for (uint32_t w = 0; w < nstations; w++)
        c->served[w] = false; /* a new round */
    return false;
}

static bool may_start(const struct noc *n, uint32_t writer, const struct ring_place *p,
                      const struct ring_frame *f)
{
    uint32_t cls = n->pool->at[p->packet].msgclass;
    if (p->came < (n->ring->g->stores ? p->flits : 1) || !(f->tokens >> cls & 1))
        return false;
    return !is_held_back(n, &n->ring->channel[p->reader].cls[cls], writer);
}

/* Who uses a slot that passes `writer`: a packet that has begun before one that has not, else the
 * one that came first. */
static struct ring_place *choose(const struct noc *n, uint32_t writer, uint32_t reader,
                                 const struct ring_frame *f)
{
    const struct ring_station *s = &n->ring->station[writer];
    struct ring_place *best = NULL;
    for (uint32_t i = 0; i < n->classes * n->ring->g->send_places; i++) {
        struct ring_place *p = &s->place[i];
        if (p->packet == PACKET_NONE || p->reader != reader || p->open > n->now)
            continue;
        bool goes_on = p->slot != NO_OWNER;
        if (goes_on ? p->came == p->sent : !may_start(n, writer, p, f))
            continue;
        bool first = !best || (goes_on && best->slot == NO_OWNER);
        if (first || (goes_on == (best->slot != NO_OWNER) && p->order < best->order))
            best = p;
    }
    return best;
}

/* A slot of channel `reader` passes a writer that has something for it. */
static void pass_writer(struct noc *n, uint32_t reader, uint32_t writer)
{
    struct ring *r = n->ring;
    struct ring_channel *c = &r->channel[reader];
    uint32_t slot = r->g->slot_cycles;
    hd_cycle at_reader = n->now + r->period - c->past[writer]; /* and a time round */
    if (at_reader % slot)
        return;
    struct ring_frame *f = &c->frame[at_reader / slot % r->nframes];
    struct ring_place *p = f->has_data ? NULL : choose(n, writer, reader, f);
    if (!p)
        return;
    if (p->slot == NO_OWNER)
        take_token(n, writer, p, f);
    f->has_data = true;
    c->used++;
    p->open = n->now + slot;
    p->in_frame = 0;
    p->bits = 0;
}

static void write_all(struct noc *n)
{
    struct ring *r = n->ring;
    for (uint32_t i = 0; i < r->g->nstations; i++)
        for (uint32_t k = 0; k + 1 < r->g->nstations; k++)
            if (r->station[r->channel[i].order[k]].held)
                pass_writer(n, i, r->channel[i].order[k]);
    for (uint32_t w = 0; w < r->g->nstations; w++)
        for (uint32_t i = 0; r->station[w].held && i < n->classes * r->g->send_places; i++) {
            struct ring_place *p = &r->station[w].place[i];
            if (p->packet != PACKET_NONE && p->open > n->now)
                write_open(n, w, p);
        }
}

bool ring_is_idle(const struct noc *n)
{
    const struct ring *r = n->ring;
    for (uint32_t i = 0; i < r->g->nstations; i++)
        for (uint32_t v = 0; v < (uint32_t)n->spec.vcs; v++)
            if (r->station[i].ej->vc[v].count)
                return false;
    return r->flits == 0;
}

void ring_tick(struct noc *n)
{
    struct ring *r = n->ring;
    emit_all(n);
    take_coming(n);
    for (uint32_t i = 0; i < r->g->nstations; i++)
        read_channel(n, i);
    for (uint32_t i = 0; i < r->g->nstations; i++)
        drain_station(n, &r->station[i]);
    write_all(n);
    for (uint32_t i = 0; i < r->g->nstations; i++)
        judge_station(n, i);
}
