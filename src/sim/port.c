/* port.c - the cold half of ports. */
#include "sim/port.h"

void port_init(struct port *p, struct arena *a, uint32_t depth, uint32_t latency,
               struct port_end writer, struct port_end reader)
{
    HD_ASSERT(depth > 0 && latency > 0, "a port needs depth and latency of at least 1");
    HD_ASSERT(depth <= INT32_MAX, "a port of depth %u", depth);
    uint32_t slots = 1;
    while (slots < depth)
        slots *= 2;
    *p = (struct port){.ring = ARENA_ARRAY(a, struct port_entry, slots),
                       .mask = slots - 1,
                       .depth_waits = 2 * depth,
                       .latency = latency,
                       .popped_at = HD_NEVER,
                       .writer = writer.c,
                       .reader = reader.c,
                       .writer_slot = writer.slot,
                       .reader_slot = reader.slot};
}

/* The freed slot counts from the writer's first edge strictly after this tick. */
void port_wake_writer(struct port *p, uint64_t tick)
{
    hd_cycle at = tick / p->writer->period + 1;
    __atomic_fetch_and(&p->depth_waits, ~1u, __ATOMIC_RELAXED);
    if (p->writer->ops->woken)
        p->writer->ops->woken(p->writer, p->writer_slot, at);
    component_wake(p->writer, at);
}

/* A writer that tells that it waits looks for a pop of this very instant afterwards; a reader that pops in another
 * thread looks for a waiting writer afterwards: one of them sees the other. */
void port_subscribe(struct port *p, hd_cycle now)
{
    const uint64_t tick = now * p->writer->period;
    __atomic_fetch_or(&p->depth_waits, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&p->popped_at, __ATOMIC_SEQ_CST) == tick)
        port_wake_writer(p, tick);
}
