/* packet.h - the one message type, and its pool.
 *
 * A packet has one owner at a time: whoever popped it.  Handles are indices into the pool; no
 * result may depend on their values (draws are keyed by source and serial number instead).
 * Packets come from a pool of fixed capacity, so that a run allocates nothing. */
#ifndef HEDDLE_SIM_PACKET_H
#define HEDDLE_SIM_PACKET_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

#define PACKET_NONE UINT32_MAX

struct packet {
    uint64_t born;     /* cycle at which its source wanted to send it */
    uint64_t entered;  /* cycle at which its head left the source */
    uint32_t src, dst; /* nodes */
    uint32_t serial;   /* per source */
    uint16_t flits;
    uint8_t kind;     /* of the endpoints: request, reply, ... */
    uint8_t msgclass; /* virtual network */
    uint8_t vclass;   /* VC class within the network it is in */
    uint8_t warps;    /* of its source that could do something else when it asked */
    uint16_t hops;    /* routers entered so far */
    uint16_t via;     /* intermediate stop chosen by the routing function */
    uint32_t next;    /* link in the owner's list */
    uint64_t tag[2];  /* the endpoints' own */
};

struct packet_pool {
    struct packet *at;
    uint32_t capacity, high, live;
    uint32_t free; /* list through `next` */
};

static inline void packet_pool_init(struct packet_pool *p, struct arena *a, uint32_t capacity)
{
    *p = (struct packet_pool){ARENA_ARRAY(a, struct packet, capacity), capacity, 0, 0, PACKET_NONE};
}

static inline uint32_t packet_alloc(struct packet_pool *p)
{
    uint32_t id = p->free;
    if (id != PACKET_NONE) {
        p->free = p->at[id].next;
    } else {
        HD_ASSERT(p->high < p->capacity, "packet pool of %u is empty", p->capacity);
        id = p->high++;
    }
    p->live++;
    return id;
}

static inline void packet_free(struct packet_pool *p, uint32_t id)
{
    p->at[id].next = p->free;
    p->free = id;
    p->live--;
}

#endif
