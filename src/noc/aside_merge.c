/* aside_merge.c - packets that travel in others: merged, split, and unwrapped where they arrive.
 *
 * A packet that is merged into another keeps what was merged into itself; so packets in packets
 * are a tree, whose members are counted by `count`.  A rider makes the hops of its carrier. */
#include "noc/aside.h"

uint32_t extension_flits(const struct noc *n, uint32_t packet)
{
    uint32_t flits = n->aside->packet[packet].flits;
    return flits ? flits : n->pool->at[packet].flits;
}

uint32_t extension_count(const struct noc *n, uint32_t packet)
{
    return aside_count(n, packet);
}

struct packet_meaning extension_meaning(const struct noc *n, uint32_t packet)
{
    const struct packet_sense *s = &n->aside->sense;
    if (s->of)
        return s->of(s->ctx, packet);
    return (struct packet_meaning){.line = packet, .is_read = true};
}

/* The most packets that a destination can take at once. */
static uint32_t most_at(const struct noc *n, uint32_t packet)
{
    const struct packet *p = &n->pool->at[packet];
    const struct ejector *ej = &n->ej[n->ej_of_node[p->dst]];
    return ej->cls ? ej->cls[p->msgclass].port.depth : UINT16_MAX;
}

bool extension_merge(struct noc *n, uint32_t into, uint32_t from, uint32_t flits)
{
    struct aside *s = n->aside;
    struct aside_packet *a = &s->packet[into], *b = &s->packet[from];
    uint32_t both = extension_flits(n, into) + extension_flits(n, from);
    uint32_t count = aside_count(n, into) + aside_count(n, from);
    HD_ASSERT(a->place == ASIDE_HELD && b->place == ASIDE_HELD && a->router == b->router &&
                  into != from,
              "%s: packets are merged that are not aside at one router", n->c.path);
    HD_ASSERT(n->pool->at[into].msgclass == n->pool->at[from].msgclass && flits > 0 &&
                  flits <= both,
              "%s: packets are merged into %u flits", n->c.path, flits);
    if (count > most_at(n, into))
        return false;
    b->place = ASIDE_RIDING;
    b->saved = both - flits;
    b->joined = n->pool->at[into].hops;
    b->next = PACKET_NONE;
    if (a->riders == PACKET_NONE)
        a->riders = from;
    else
        s->packet[a->last].next = from;
    a->last = from;
    a->flits = flits;
    a->count = count;
    s->flits -= both - flits;
    s->stats.merged++;
    s->stats.merged_flits += both - flits;
    return true;
}

/* Unlinks the packet that was merged into p last. */
static uint32_t unlink_last(struct aside *s, struct aside_packet *p)
{
    uint32_t gone = p->last, before = p->riders;
    if (before == gone) {
        p->riders = PACKET_NONE;
        return gone;
    }
    while (s->packet[before].next != gone)
        before = s->packet[before].next;
    s->packet[before].next = PACKET_NONE;
    p->last = before;
    return gone;
}

static void add_hops(const struct noc *n, uint32_t rider, uint32_t carrier)
{
    struct packet *p = &n->pool->at[rider];
    p->hops = (uint16_t)(p->hops + n->pool->at[carrier].hops - n->aside->packet[rider].joined);
}

uint32_t extension_split(struct noc *n, uint32_t packet)
{
    struct aside *s = n->aside;
    struct aside_packet *a = &s->packet[packet];
    HD_ASSERT(a->place == ASIDE_HELD, "%s: a packet is split that is not aside", n->c.path);
    if (a->riders == PACKET_NONE)
        return PACKET_NONE;
    uint32_t gone = unlink_last(s, a);
    struct aside_packet *b = &s->packet[gone];
    a->flits = extension_flits(n, packet) + b->saved - extension_flits(n, gone);
    a->count = aside_count(n, packet) - aside_count(n, gone);
    b->place = ASIDE_HELD;
    b->router = a->router;
    b->in = a->in;
    b->came = a->came;
    add_hops(n, gone, packet);
    s->flits += b->saved;
    s->stats.split++;
    s->stats.split_flits += b->saved;
    return gone;
}

uint32_t aside_unwrap(struct noc *n, uint32_t packet)
{
    struct aside *s = n->aside;
    struct aside_packet *a = &s->packet[packet];
    uint32_t next = a->next;
    HD_ASSERT(a->place == ASIDE_NOWHERE || a->place == ASIDE_RIDING,
              "%s: a packet arrives that is aside", n->c.path);
    if (a->riders != PACKET_NONE) {
        for (uint32_t r = a->riders; r != PACKET_NONE; r = s->packet[r].next) {
            add_hops(n, r, packet);
            s->stats.split++;
        }
        s->packet[a->last].next = next;
        next = a->riders;
    }
    *a = (struct aside_packet){.riders = PACKET_NONE, .next = PACKET_NONE};
    return next;
}
