/* slice_perfect.c - memory that answers everything in a fixed time, however much is asked of it: the
 * bound that a study of networks or schedulers measures against.
 *
 * All requests that have come are taken in the same cycle, and each is answered l2.latency +
 * l2.hit_latency cycles later, as a hit.  What remains between two requesters is the network: behind
 * an ideal one, whose ports hold what comes and goes in a cycle (l2.input_queue, noc.port_depth),
 * nobody can disturb anybody. */
#include "l2/slice_priv.h"

static void take_requests(struct slice *s, hd_cycle now)
{
    while (port_has(s->in, now)) {
        uint32_t id = (uint32_t)port_pop(s->in, now);
        struct request *r = &s->pool->at[id];
        struct item reply = {now + s->latency + s->hit_latency, id, (uint32_t)now};
        request_mark(r, PART_REQUEST, now * s->c.period);
        if (s->versions)
            r->version = r->kind == REQUEST_READ ? versions_get(s->versions, r->line)
                                                 : versions_bump(s->versions, r->line);
        s->stats.requests++;
        slice_count(s, r, OUTCOME_HIT);
        slice_add_reply(s, &s->hits, now, &reply);
    }
}

hd_cycle slice_perfect_tick(struct component *c, hd_cycle now)
{
    struct slice *s = (struct slice *)c;
    while (slice_send_reply(s, now))
        ;
    take_requests(s, now);
    hd_cycle come = port_ready(s->in), next = HD_NEVER;
    if (ring_held(&s->hits) > 0)
        next = ring_head(&s->hits)->ready;
    if (next <= now) /* else the port wakes the slice */
        next = port_is_awaited(s->out) ? HD_NEVER : now + 1;
    return come < next ? come : next;
}
