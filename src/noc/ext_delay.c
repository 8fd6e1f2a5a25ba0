/* ext_delay.c - every packet takes some cycles more in every router.
 *
 * As a line, a packet goes on `cycles` after its head came, and packets that come one behind the
 * other are delayed side by side.  As a stage, the time counts from when a packet is in front of its
 * VC, and the next one has to wait until it is there: a VC then passes a packet in no less than
 * `cycles`.  In the request network, or for reads only, it is the control of the packet coalescing
 * paper, FIFO+extra5cycle (section 3.2), which says neither whether replies and writes are delayed nor
 * whether as a line or as a stage. */
#include <string.h>

#include "noc/extension.h"

#define DELAY_ROWS(F, id)                                                                          \
    F(id, INT, cycles, "5", 0, 1e6, "cycle", "added in every router")                              \
    F(id, CHOICE, as, "line", 0, 0, "line|stage",                                                  \
      "counted from a packet's arrival, or from when it is in front of its VC")                    \
    F(id, CHOICE, packets, "all", 0, 0, "all|requests|reads",                                      \
      "that are delayed; reads: of requests, those that write nothing")
CFG_STRUCT(delay, DELAY_ROWS)
CFG_SECTION(delay, DELAY_ROWS, "router extension delay: more cycles in every router")

struct delay {
    hd_cycle cycles;
    bool is_stage, only_requests, only_reads;
    const struct noc *net;
    const struct packet_pool *pool;
};

static void *begin(const struct config *cfg, const struct extension_site *site, struct arena *a)
{
    const struct delay_spec *s = config_get(cfg, &delay_section);
    struct delay *d = ARENA_NEW(a, struct delay);
    *d = (struct delay){.cycles = (hd_cycle)s->cycles,
                        .is_stage = strcmp(s->as, "stage") == 0,
                        .only_requests = strcmp(s->packets, "all") != 0,
                        .only_reads = strcmp(s->packets, "reads") == 0,
                        .net = site->net,
                        .pool = site->pool};
    return d->only_requests && strcmp(site->path, "noc.reply") == 0 ? NULL : d;
}

static struct extension_verdict arrive(void *state, const struct extension_at *at)
{
    const struct delay *d = state;
    if ((d->only_requests && d->pool->at[at->packet].msgclass != 0) ||
        (d->only_reads && !extension_meaning(d->net, at->packet).is_read))
        return (struct extension_verdict){.fate = EXTENSION_PASS};
    return (struct extension_verdict){EXTENSION_HOLD,
                                      (d->is_stage ? at->now : at->came) + d->cycles};
}

const struct router_extension router_extension_delay = {
    .name = "delay",
    .help = "a packet takes some cycles more in every router",
    .section = &delay_section,
    .begin = begin,
    .arrive = arrive,
};
