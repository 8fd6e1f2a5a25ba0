/* aside_merge.c - packets that travel in others: merged, split, and unwrapped where they arrive.
 *
 * A packet that is merged into another keeps what was merged into itself; so packets in packets
 * are a tree, whose members are counted by `count`.  A rider makes the hops of its carrier.
 *
 * Flits have the number of the outermost packet, which must therefore be there until its last flit has
 * arrived.  Delivered all at once, it goes first and its riders follow.  Delivered flit by flit,
 * riders go before it, so it must be the last of those that were concatenated. */
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
    return (struct packet_meaning){.line = packet, .is_read = true, .sm = n->pool->at[packet].src};
}

/* Whether a destination can take so many packets in so many flits. */
static bool can_arrive(const struct noc *n, uint32_t packet, uint32_t count, uint32_t flits)
{
    const struct packet *p = &n->pool->at[packet];
    const struct ejector *ej = &n->ej[n->ej_of_node[p->dst]];
    uint32_t at_once = n->aside->ext->streams ? (count + flits - 1) / flits : count;
    return at_once <= (ej->cls ? port_depth(&ej->cls[p->msgclass].port) : UINT16_MAX);
}

static void add_rider(struct aside *s, struct aside_packet *a, uint32_t from, bool is_first)
{
    s->packet[from].next = is_first ? a->riders : PACKET_NONE;
    if (a->riders == PACKET_NONE) {
        a->riders = a->last = from;
    } else if (is_first) {
        a->riders = from;
    } else {
        s->packet[a->last].next = from;
        a->last = from;
    }
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
    if (!can_arrive(n, into, count, flits))
        return false;
    b->place = ASIDE_RIDING;
    b->saved = both - flits;
    b->joined = n->pool->at[into].hops;
    add_rider(s, a, from, s->ext->streams);
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

/* ---- at the destination ---- */

static void append(struct aside *s, struct leavers *list, uint32_t packet)
{
    s->packet[packet].next = PACKET_NONE;
    if (list->head == PACKET_NONE)
        list->head = packet;
    else
        s->packet[list->tail].next = packet;
    list->tail = packet;
}

/* Lists all packets in this one in the order in which they go out, with the hops that they have
 * made. */
static void list_all(struct noc *n, uint32_t packet, struct leavers *list)
{
    struct aside *s = n->aside;
    if (!s->ext->streams)
        append(s, list, packet);
    for (uint32_t r = s->packet[packet].riders, next; r != PACKET_NONE; r = next) {
        next = s->packet[r].next;
        add_hops(n, r, packet);
        s->stats.split++;
        list_all(n, r, list);
    }
    if (s->ext->streams)
        append(s, list, packet);
}

static void open_up(struct noc *n, uint32_t packet)
{
    struct aside *s = n->aside;
    struct aside_packet *a = &s->packet[packet];
    struct leavers list = {PACKET_NONE, PACKET_NONE};
    HD_ASSERT(a->place == ASIDE_NOWHERE, "%s: a packet arrives that is aside", n->c.path);
    a->parts = aside_count(n, packet);
    if (s->ext->arrived)
        s->ext->arrived(s->state, packet);
    list_all(n, packet, &list);
    a->riders = list.head;
}

/* Of k packets in L flits, k f / L have come with the first f. */
static uint32_t due_with(const struct noc *n, uint32_t packet, uint32_t out, uint32_t parts)
{
    uint64_t flits = extension_flits(n, packet);
    return (uint32_t)((uint64_t)parts * (out + 1) / flits - (uint64_t)parts * out / flits);
}

uint32_t aside_next_due(const struct noc *n, uint32_t packet)
{
    const struct aside_packet *a = &n->aside->packet[packet];
    return due_with(n, packet, a->out, a->parts ? a->parts : aside_count(n, packet));
}

uint32_t aside_flit_out(struct noc *n, uint32_t packet, bool is_tail)
{
    struct aside_packet *a = &n->aside->packet[packet];
    if (!n->aside->ext->streams) {
        if (is_tail)
            open_up(n, packet);
        return is_tail ? a->parts : 0;
    }
    if (a->parts == 0)
        open_up(n, packet);
    HD_ASSERT(is_tail == (a->out + 1 == extension_flits(n, packet)),
              "%s: flit %u of %u is the last of a packet", n->c.path, a->out + 1,
              extension_flits(n, packet));
    return due_with(n, packet, a->out++, a->parts);
}

uint32_t aside_unwrap(struct noc *n, uint32_t packet)
{
    const struct aside_packet fresh = {.riders = PACKET_NONE, .next = PACKET_NONE};
    struct aside *s = n->aside;
    struct aside_packet *a = &s->packet[packet];
    uint32_t id = a->riders;
    a->riders = s->packet[id].next;
    a->count = aside_count(n, packet) - 1;
    if (id != packet)
        s->packet[id] = fresh;
    if (a->riders == PACKET_NONE)
        *a = fresh;
    return id;
}
