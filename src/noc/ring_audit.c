/* ring_audit.c - what must always hold in a ring, and who waits for whom in it.
 *
 * For every reader and message class, free places + tokens under way + packets in places = places;
 * flits in send places, on the ring and in read places are as many as came in and did not leave. */
#include <stdio.h>

#include "noc/ring.h"
#include "sim/waitgraph.h"

static uint32_t tokens_of(const struct ring *r, const struct ring_channel *c, uint32_t cls)
{
    uint32_t tokens = 0;
    for (uint32_t f = 0; f < r->nframes; f++)
        tokens += c->frame[f].tokens >> cls & 1;
    return tokens;
}

static bool audit_reader(const struct noc *n, uint32_t reader, uint32_t cls, struct err *e)
{
    const struct ring *r = n->ring;
    const struct ring_channel *c = &r->channel[reader];
    uint32_t taken = 0, places = r->g->read_places, tokens = tokens_of(r, c, cls);
    for (uint32_t i = 0; i < places; i++)
        taken += r->slot[(reader * n->classes + cls) * places + i].packet != PACKET_NONE;
    if (c->cls[cls].free + tokens + taken == places)
        return true;
    return err_set(e, STATUS_FAILED,
                   "%s cycle %llu: reader %u of the ring, class %u: %u places free, %u tokens and "
                   "%u packets are not %u",
                   n->c.path, (unsigned long long)n->now, reader, cls, c->cls[cls].free, tokens,
                   taken, places);
}

bool ring_audit(const struct noc *n, struct err *e)
{
    const struct ring *r = n->ring;
    uint64_t flits = 0;
    for (uint32_t i = 0; i < r->g->nstations; i++) {
        for (uint32_t k = 0; k < n->classes * r->g->send_places; k++) {
            const struct ring_place *p = &r->station[i].place[k];
            flits += p->packet != PACKET_NONE ? (uint64_t)p->came - p->sent : 0;
        }
        for (uint32_t cls = 0; cls < n->classes; cls++)
            if (!audit_reader(n, i, cls, e))
                return false;
    }
    for (uint32_t i = 0; i < r->nslots; i++)
        flits += r->slot[i].packet != PACKET_NONE ? (uint64_t)r->slot[i].came - r->slot[i].sent : 0;
    for (uint32_t s = 0; s <= r->coming.mask; s++)
        flits += (uint64_t)(r->coming.end[s] - (r->coming.item + (uint64_t)s * r->coming.cap));
    if (flits != r->flits)
        return err_set(e, STATUS_FAILED, "%s cycle %llu: %llu flits in the ring, not %llu",
                       n->c.path, (unsigned long long)n->now, (unsigned long long)flits,
                       (unsigned long long)r->flits);
    return true;
}

uint64_t ring_tails(const struct noc *n)
{
    const struct ring *r = n->ring;
    uint64_t tails = 0;
    for (uint32_t i = 0; i < r->g->nstations; i++)
        for (uint32_t k = 0; k < n->classes * r->g->send_places; k++) {
            const struct ring_place *p = &r->station[i].place[k];
            tails += p->packet != PACKET_NONE && p->came == p->flits;
        }
    for (uint32_t i = 0; i < r->nslots; i++)
        tails += r->slot[i].packet != PACKET_NONE && r->slot[i].wrote == r->slot[i].flits;
    return tails;
}

/* ---- the wait-for graph: a vertex per station and class for its places, and one per reader and
 * class for the places there ---- */

struct vertices {
    struct waitgraph *g;
    uint64_t first, ej_first;
};

static uint64_t sends(const struct noc *n, const struct vertices *v, uint32_t station, uint32_t cls)
{
    return v->first + (uint64_t)station * n->classes + cls;
}

uint64_t ring_reads_vertex(const struct noc *n, uint64_t first, uint32_t station, uint32_t cls)
{
    return first + (uint64_t)(n->ring->g->nstations + station) * n->classes + cls;
}

static uint64_t reads(const struct noc *n, const struct vertices *v, uint32_t station, uint32_t cls)
{
    return ring_reads_vertex(n, v->first, station, cls);
}

/* A place moves if it has flits to send and a token, or if tokens are about. */
static bool place_moves(const struct noc *n, const struct vertices *v, uint32_t station,
                        const struct ring_place *p)
{
    const struct ring *r = n->ring;
    uint32_t cls = n->pool->at[p->packet].msgclass;
    const struct ring_channel *c = &r->channel[p->reader];
    if (p->slot == NO_OWNER && p->came >= (r->g->stores ? p->flits : 1)) {
        if (c->cls[cls].free || tokens_of(r, c, cls))
            return true;
        waitgraph_edge(v->g, &n->c, sends(n, v, station, cls), &n->c, reads(n, v, p->reader, cls));
        return false;
    }
    if (p->came > p->sent && p->slot != NO_OWNER)
        return true;
    /* It waits for the rest of its packet: from a VC buffer, or from the router's VC behind it. */
    const struct ring_station *s = &r->station[station];
    for (uint32_t vc = 0; vc < (uint32_t)n->spec.vcs; vc++) {
        if (s->taking[vc] == NO_OWNER || &s->place[s->taking[vc]] != p)
            continue;
        uint32_t owner = n->ovc[s->ej->credit_ovc + vc].owner;
        if (s->ej->vc[vc].count || owner == NO_OWNER)
            return true;
        waitgraph_edge(v->g, &n->c, sends(n, v, station, cls), &n->c, owner);
    }
    return false;
}

static void add_sender(const struct noc *n, const struct vertices *v, uint32_t station,
                       uint32_t cls)
{
    uint32_t places = n->ring->g->send_places;
    bool moves = false, is_used = false;
    char label[64];
    for (uint32_t i = cls * places; i < (cls + 1) * places; i++) {
        const struct ring_place *p = &n->ring->station[station].place[i];
        if (p->packet == PACKET_NONE)
            continue;
        is_used = true;
        moves |= place_moves(n, v, station, p);
    }
    snprintf(label, sizeof label, "station %u sends class %u", station, cls);
    if (is_used)
        waitgraph_vertex(v->g, &n->c, sends(n, v, station, cls), moves, label);
}

/* The packet in front waits for its rest, or for room in the router. */
static void add_reader(const struct noc *n, const struct vertices *v, uint32_t station,
                       uint32_t cls)
{
    const struct ring *r = n->ring;
    const struct ring_class *k = &r->channel[station].cls[cls];
    const struct injector *inj = r->station[station].inj;
    uint64_t at = reads(n, v, station, cls);
    uint32_t id = k->sending != NO_OWNER ? k->sending : k->head;
    bool moves = false;
    char label[64];
    snprintf(label, sizeof label, "station %u reads class %u", station, cls);
    if (id == NO_OWNER) {
        waitgraph_vertex(v->g, &n->c, at, true, label); /* what has a place is on its way */
        return;
    }
    const struct ring_slot *s = &r->slot[id];
    bool waits = s->came == s->sent || (r->g->stores && s->came < s->flits);
    bool is_coming = s->wrote > s->came;
    moves = waits && is_coming;
    if (waits && !is_coming)
        waitgraph_edge(v->g, &n->c, at, &n->c, sends(n, v, s->writer, cls));
    for (uint32_t vc = 0; !waits && vc < (uint32_t)n->spec.vcs; vc++) {
        uint32_t down = inj->dst + n->vc_bit[vc];
        if (k->sending != NO_OWNER && vc != k->vc)
            continue;
        if (n->ivc[down].count < n->spec.depth)
            moves = true;
        else
            waitgraph_edge(v->g, &n->c, at, &n->c, down);
    }
    waitgraph_vertex(v->g, &n->c, at, moves, label);
}

/* VC buffers of a station wait for a place. */
static void add_buffers(const struct noc *n, const struct vertices *v, uint32_t station)
{
    const struct ring_station *s = &n->ring->station[station];
    char label[64];
    for (uint32_t vc = 0; vc < (uint32_t)n->spec.vcs; vc++) {
        const struct ej_vc *q = &s->ej->vc[vc];
        if (q->count == 0)
            continue;
        uint32_t cls = n->pool->at[q->ring[q->head] & ~FLIT_TAIL].msgclass;
        uint64_t at = v->ej_first + (s->ej_number << n->vc_shift | vc);
        bool moves = s->taking[vc] != NO_OWNER;
        for (uint32_t i = 0; i < n->ring->g->send_places; i++)
            moves |= s->place[cls * n->ring->g->send_places + i].packet == PACKET_NONE;
        snprintf(label, sizeof label, "station %u vc %u", station, vc);
        waitgraph_vertex(v->g, &n->c, at, moves, label);
        waitgraph_edge(v->g, &n->c, at, &n->c, sends(n, v, station, cls));
    }
}

void ring_waits(const struct noc *n, struct waitgraph *g, uint64_t first, uint64_t ej_first)
{
    const struct vertices v = {g, first, ej_first};
    for (uint32_t i = 0; i < n->ring->g->nstations; i++) {
        add_buffers(n, &v, i);
        for (uint32_t cls = 0; cls < n->classes; cls++) {
            add_sender(n, &v, i, cls);
            add_reader(n, &v, i, cls);
        }
    }
}
