/* request.c - the pool of requests and packets. */
#include "mem/request.h"

void request_pool_init(struct request_pool *p, struct arena *a, uint32_t capacity)
{
    p->at = ARENA_ARRAY(a, struct request, capacity);
    packet_pool_init(&p->packets, a, capacity);
}

struct request_pool request_pool_part(const struct request_pool *whole, uint32_t first, uint32_t n)
{
    HD_ASSERT(first + n <= whole->packets.capacity, "a share of %u at %u in a pool of %u", n, first,
              whole->packets.capacity);
    struct request_pool part = *whole;
    part.packets.high = first;
    part.packets.capacity = first + n;
    part.packets.free = PACKET_NONE;
    part.packets.live = 0;
    return part;
}
