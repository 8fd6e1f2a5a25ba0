/* port.c - the cold half of ports. */
#include "sim/port.h"

void port_init(struct port *p, struct arena *a, uint32_t depth, uint32_t latency,
               struct port_end writer, struct port_end reader)
{
    HD_ASSERT(depth > 0 && latency > 0, "a port needs depth and latency of at least 1");
    uint8_t shift = 0;
    while (1u << shift < depth)
        shift++;
    *p = (struct port){.ring = ARENA_ARRAY(a, struct port_entry, 1u << shift),
                       .shift = shift,
                       .depth = depth,
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
    __atomic_store_n(&p->writer_waits, false, __ATOMIC_RELAXED);
    if (p->writer->ops->woken)
        p->writer->ops->woken(p->writer, p->writer_slot, at);
    component_wake(p->writer, at);
}

/* A writer that tells that it waits looks for a pop of this very instant afterwards; a reader that pops in another
 * thread looks for a waiting writer afterwards: one of them sees the other. */
void port_subscribe(struct port *p, hd_cycle now)
{
    const uint64_t tick = now * p->writer->period;
    __atomic_store_n(&p->writer_waits, true, __ATOMIC_RELAXED);
    if (p->writer->is_shared)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (port_popped_at(p, tick))
        port_wake_writer(p, tick);
}
