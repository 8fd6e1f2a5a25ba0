/* port.h - a bounded FIFO between two components: one writer, one reader, at least one cycle.
 *
 * What is pushed becomes visible at the reader's first clock edge strictly after the push, plus
 * latency - 1 of the reader's cycles.  A slot freed by a pop is free for the writer at its first
 * edge strictly after the pop.  So the order in which two components tick within one instant
 * cannot matter.  Full rate needs depth >= latency + 1 (the freed slot is seen one edge late).
 *
 * Pushing wakes the reader at the time of visibility; popping wakes the writer if it had found
 * the port full.
 *
 * Writer and reader may tick in two threads at the same instant: neither sees what the other does in
 * it, but that a reader may learn early when something will be visible, and is woken for it anyhow. */
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
    uint32_t mask;
    uint32_t depth_waits; /* twice its depth; odd while the writer waits for a pop */
    uint32_t head, tail;  /* free-running */
    uint32_t latency;
    uint32_t head_before; /* what `head` was before the pops of tick popped_at */
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

/* What was pushed: what it shows of the ring was written before. */
static inline uint32_t port_tail(const struct port *p)
{
    return __atomic_load_n(&p->tail, __ATOMIC_ACQUIRE);
}

static inline struct port_entry *port_entry_at(const struct port *p, uint32_t i)
{
    return &p->ring[i & p->mask];
}

static inline uint32_t port_depth(const struct port *p)
{
    return __atomic_load_n(&p->depth_waits, __ATOMIC_RELAXED) >> 1;
}

static inline uint32_t port_held(const struct port *p)
{
    return port_tail(p) - __atomic_load_n(&p->head, __ATOMIC_RELAXED);
}

/* Free slots as the writer sees them at its cycle `now`.  A pop writes head_before, popped_at and head in this order,
 * so that whoever sees the last of them sees the others. */
static inline uint32_t port_room(const struct port *p, hd_cycle now)
{
    uint32_t head = __atomic_load_n(&p->head, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&p->popped_at, __ATOMIC_ACQUIRE) == now * p->writer->period)
        head = __atomic_load_n(&p->head_before, __ATOMIC_RELAXED);
    return port_depth(p) - (p->tail - head);
}

/* Whether the writer has found it full, and nothing was popped since. */
static inline bool port_is_awaited(const struct port *p)
{
    return __atomic_load_n(&p->depth_waits, __ATOMIC_RELAXED) & 1;
}

void port_wake_writer(struct port *p, uint64_t tick);
void port_subscribe(struct port *p, hd_cycle now);

/* Whether `slots` are free now.  A false answer subscribes the writer to the next pop. */
static inline bool port_has_room(struct port *p, hd_cycle now, uint32_t slots)
{
    if (port_room(p, now) >= slots)
        return true;
    port_subscribe(p, now);
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
    *port_entry_at(p, p->tail) = (struct port_entry){ready, item};
    __atomic_store_n(&p->tail, p->tail + 1, __ATOMIC_RELEASE);
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
    return p->head != port_tail(p) && port_entry_at(p, p->head)->ready <= now;
}

static inline uint64_t port_peek(const struct port *p)
{
    return port_entry_at(p, p->head)->item;
}

/* When the head becomes visible, or HD_NEVER. */
static inline hd_cycle port_ready(const struct port *p)
{
    return p->head != port_tail(p) ? port_entry_at(p, p->head)->ready : HD_NEVER;
}

static inline uint64_t port_pop(struct port *p, hd_cycle now)
{
    HD_ASSERT(port_has(p, now), "%s: pop from a port that shows nothing", p->reader->path);
    uint64_t tick = now * p->reader->period, item = port_peek(p);
    if (p->popped_at != tick) {
        __atomic_store_n(&p->head_before, p->head, __ATOMIC_RELAXED);
        __atomic_store_n(&p->popped_at, tick, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&p->head, p->head + 1, __ATOMIC_RELEASE);
    if (__builtin_expect(p->reader->is_shared, 0)) /* see port_subscribe */
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (port_is_awaited(p))
        port_wake_writer(p, tick);
    return item;
}

#endif
