/* port.c - the cold half of ports. */
#include "sim/port.h"

void port_init(struct port *p, struct arena *a, uint32_t depth, uint32_t latency,
               struct port_end writer, struct port_end reader)
{
    HD_ASSERT(depth > 0 && latency > 0, "a port needs depth and latency of at least 1");
    uint32_t slots = 1;
    while (slots < depth)
        slots *= 2;
    *p = (struct port){.ring = ARENA_ARRAY(a, struct port_entry, slots),
                       .mask = slots - 1,
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
    p->writer_waits = false;
    if (p->writer->ops->woken)
        p->writer->ops->woken(p->writer, p->writer_slot, at);
    component_wake(p->writer, at);
}
