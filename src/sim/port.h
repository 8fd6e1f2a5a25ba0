/* port.h - a bounded FIFO between two components: one writer, one reader, at least one cycle.
 *
 * What is pushed becomes visible at the reader's first clock edge strictly after the push, plus
 * latency - 1 of the reader's cycles.  A slot freed by a pop is free for the writer at its first
 * edge strictly after the pop.  So the order in which two components tick within one instant
 * cannot matter.  Full rate needs depth >= latency + 1 (the freed slot is seen one edge late).
 *
 * Pushing wakes the reader at the time of visibility; popping wakes the writer if it had found
 * the port full. */
#ifndef HEDDLE_SIM_PORT_H
#define HEDDLE_SIM_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sim/component.h"

struct port_entry {
    hd_cycle ready; /* in the reader's cycles */
    uint64_t item;
};

struct port { /* a line of the host's cache */
    _Alignas(64) struct port_entry *ring;
    uint32_t mask, depth;
    uint32_t head, tail; /* free-running */
    uint32_t latency;
    uint32_t popped : 31; /* slots freed at tick popped_at, not yet free for the writer */
    bool writer_waits : 1;
    uint64_t popped_at;
    struct component *writer, *reader;
    uint32_t writer_slot, reader_slot; /* how each side knows this port */
};
_Static_assert(sizeof(struct port) == 64, "a port is more than a line");

struct port_end {
    struct component *c;
    uint32_t slot;
};

void port_init(struct port *p, struct arena *a, uint32_t depth, uint32_t latency,
               struct port_end writer, struct port_end reader);

static inline uint32_t port_held(const struct port *p)
{
    return p->tail - p->head;
}

/* Free slots as the writer sees them at its cycle `now`. */
static inline uint32_t port_room(const struct port *p, hd_cycle now)
{
    uint32_t used = p->tail - p->head;
    if (p->popped_at == now * p->writer->period)
        used += p->popped;
    return p->depth - used;
}

void port_wake_writer(struct port *p, uint64_t tick);

/* Whether `slots` are free now.  A false answer subscribes the writer to the next pop. */
static inline bool port_has_room(struct port *p, hd_cycle now, uint32_t slots)
{
    if (port_room(p, now) >= slots)
        return true;
    p->writer_waits = true;
    if (p->popped > 0 && p->popped_at == now * p->writer->period)
        port_wake_writer(p, p->popped_at);
    return false;
}

/* Whether a push is allowed now. */
static inline bool port_can_push(struct port *p, hd_cycle now)
{
    return port_has_room(p, now, 1);
}

/* Pushes if there is room; a false answer subscribes the writer to the next pop. */
static inline bool port_try_push(struct port *p, hd_cycle now, uint64_t item)
{
    if (!port_can_push(p, now))
        return false;
    const uint64_t from = p->writer->period, to = p->reader->period;
    hd_cycle ready = (from == to ? now : now * from / to) + p->latency;
    p->ring[p->tail++ & p->mask] = (struct port_entry){ready, item};
    if (p->reader->ops->woken)
        p->reader->ops->woken(p->reader, p->reader_slot, ready);
    component_wake(p->reader, ready);
    return true;
}

/* For writers that know there is room. */
static inline void port_push(struct port *p, hd_cycle now, uint64_t item)
{
    const bool pushed = port_try_push(p, now, item);
    HD_ASSERT(pushed, "%s: push into a full port of %s", p->writer->path, p->reader->path);
}

static inline bool port_has(const struct port *p, hd_cycle now)
{
    return p->head != p->tail && p->ring[p->head & p->mask].ready <= now;
}

static inline uint64_t port_peek(const struct port *p)
{
    return p->ring[p->head & p->mask].item;
}

/* When the head becomes visible, or HD_NEVER. */
static inline hd_cycle port_ready(const struct port *p)
{
    return p->head != p->tail ? p->ring[p->head & p->mask].ready : HD_NEVER;
}

static inline uint64_t port_pop(struct port *p, hd_cycle now)
{
    HD_ASSERT(p->head != p->tail && p->ring[p->head & p->mask].ready <= now,
              "%s: pop from a port that shows nothing", p->reader->path);
    uint64_t tick = now * p->reader->period;
    if (p->popped_at != tick) {
        p->popped_at = tick;
        p->popped = 0;
    }
    p->popped++;
    uint64_t item = p->ring[p->head++ & p->mask].item;
    if (p->writer_waits)
        port_wake_writer(p, tick);
    return item;
}

#endif
