/* aside_audit.c - what must hold of packets under the hands of a router extension.
 *
 * Every packet that entered and has not left is in one place: its tail is at its source, on a
 * channel, in a buffer, aside, or in another packet that is.  The extension knows every packet that
 * it holds, and their flits are the flits aside. */
#include "noc/aside.h"
#include "noc/ring.h"
#include "sim/waitgraph.h"

struct aside_check {
    const struct noc *n;
    uint8_t *shown; /* by packet: how often the extension showed it */
    uint64_t packets, flits;
    uint32_t wrong; /* a packet that it should not have shown, or showed twice */
};

static void show(void *ctx, uint32_t packet)
{
    struct aside_check *c = ctx;
    bool known = packet < c->n->pool->capacity;
    if (!known || c->n->aside->packet[packet].place != ASIDE_HELD || c->shown[packet]++)
        c->wrong = packet;
}

static bool complain(const struct noc *n, struct err *e, const char *what, uint32_t packet)
{
    const struct packet *p = &n->pool->at[packet];
    return err_set(e, STATUS_FAILED, "%s cycle %llu: extension %s %s packet %u of node %u",
                   n->c.path, (unsigned long long)n->now, n->aside->ext->name, what, p->serial,
                   p->src);
}

/* Packets aside, their flits, and whether the extension knows them. */
static bool check_held(struct aside_check *c, struct err *e)
{
    const struct noc *n = c->n;
    if (n->aside->ext->each)
        n->aside->ext->each(n->aside->state, show, c);
    if (c->wrong != PACKET_NONE)
        return complain(n, e, "shows as its own", c->wrong);
    for (uint32_t i = 0; i < n->pool->capacity; i++) {
        const struct aside_packet *p = &n->aside->packet[i];
        if (p->place == ASIDE_HELD && !c->shown[i])
            return complain(n, e, "has lost", i);
        if (p->place == ASIDE_COMING)
            c->flits += p->moved;
        if (p->place != ASIDE_HELD && p->place != ASIDE_LEAVING)
            continue;
        c->packets += aside_count(n, i);
        c->flits += extension_flits(n, i);
    }
    for (uint32_t i = 0; i < n->aside->first_side[n->nrouters] << n->vc_shift; i++) {
        const struct sender *out = &n->aside->sender[i];
        if (out->packet == PACKET_NONE)
            continue;
        c->packets += aside_count(n, out->packet);
        c->flits += out->left;
    }
    return true;
}

static void count_tail(struct aside_check *c, uint32_t flit)
{
    if (flit & FLIT_TAIL)
        c->packets += aside_count(c->n, flit & ~FLIT_TAIL);
}

static void count_ring(struct aside_check *c, const uint32_t *ring, uint32_t head, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        count_tail(c, ring[(head + k) & c->n->ring_mask]);
}

static void count_wheel(struct aside_check *c, const struct wheel *w)
{
    for (uint32_t s = 0; s <= w->mask; s++)
        for (const uint64_t *at = w->item + (uint64_t)s * w->cap; at < w->end[s]; at++)
            count_tail(c, (uint32_t)*at);
}

/* Packets whose tails are in VCs, on channels, at sources and at destinations. */
static void count_tails(struct aside_check *c)
{
    const struct noc *n = c->n;
    for (uint32_t i = 0; i < n->nivcs; i++)
        count_ring(c, n->ivc[i].ring, n->ivc[i].head, n->ivc[i].count);
    count_wheel(c, &n->arrivals);
    count_wheel(c, &n->ejections);
    c->packets += n->ring ? ring_tails(n) : 0;
    for (uint32_t j = 0; j < n->ninj; j++)
        for (uint32_t k = 0; k < n->classes; k++)
            c->packets += n->inj[j].send[k].packet != PACKET_NONE;
    for (uint32_t j = 0; j < n->nej; j++)
        for (uint32_t v = 0; n->ej[j].cls && v < (uint32_t)n->spec.vcs; v++)
            count_ring(c, n->ej[j].vc[v].ring, n->ej[j].vc[v].head, n->ej[j].vc[v].count);
}

bool aside_audit(const struct noc *n, struct err *e)
{
    struct arena *a = arena_new();
    struct aside_check c = {
        .n = n, .shown = ARENA_ARRAY(a, uint8_t, n->pool->capacity), .wrong = PACKET_NONE};
    bool ok = check_held(&c, e);
    uint64_t inside = n->stats.packets_in - n->stats.packets_out;
    if (ok)
        count_tails(&c);
    if (ok && (c.packets != inside || c.flits != n->aside->flits))
        ok = err_set(e, STATUS_FAILED,
                     "%s cycle %llu: %llu packets inside, %llu found; %llu flits aside, %llu found",
                     n->c.path, (unsigned long long)n->now, (unsigned long long)inside,
                     (unsigned long long)c.packets, (unsigned long long)n->aside->flits,
                     (unsigned long long)c.flits);
    arena_free(a);
    return ok;
}

/* One vertex for all that is held: it moves when the extension will be called again. */
void aside_waits(const struct noc *n, struct waitgraph *g, uint64_t first_vertex)
{
    bool holds = false;
    for (uint32_t i = 0; i < n->pool->capacity; i++)
        holds |= n->aside->packet[i].place == ASIDE_HELD;
    if (holds)
        waitgraph_vertex(g, &n->c, first_vertex, n->aside->due != HD_NEVER,
                         "packets aside in routers");
}
