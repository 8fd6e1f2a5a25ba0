/* shared.h - channels with several writers; the files of the router engine only.
 *
 * The output VCs of a bus, with their owners and credits, are those of its first writer: all others
 * use its row.  Which VCs are free is kept with every writer, so that allocators find it where they
 * always do. */
#ifndef HEDDLE_NOC_SHARED_H
#define HEDDLE_NOC_SHARED_H

#include "noc/net_priv.h"

struct bus {
    struct graph_arbiter arbiter;
    uint32_t first_writer, nwriters; /* into shared.writer */
    uint32_t holder;                 /* writer that has the right, or NO_OWNER */
    hd_cycle from;                   /* when it may send */
    bool is_new;                     /* it has sent nothing since */
    bool is_kept;                    /* it is in the middle of a packet */
    uint32_t sender;                 /* output port that may use the switch in this step */
    uint32_t *turn;                  /* by VC class: writer that is next to get VCs ... */
    uint32_t *chosen;                /* ... and output port that may get them in this step */
    hd_cycle *arrival;               /* cycles in which a flit arrives, by that modulo nslots */
};

struct shared {
    struct bus *bus;
    uint32_t nbuses;
    uint32_t nslots;  /* of bus.arrival; a power of two */
    uint32_t *writer; /* output ports, bus by bus */
    uint32_t *bus_of; /* by output port; NO_OWNER: none */
    uint32_t *row_of; /* by output port: whose output VCs it uses */
};

void shared_build(struct noc *n, struct arena *a);
/* Decides, for one step, who may use the buses. */
void shared_arbitrate(struct noc *n);
/* An input VC of output port `port` was granted the switch. */
void shared_granted(struct noc *n, uint32_t port, const struct ivc *iv);
/* The writer `iv` took a VC, or gave it back: all others see it. */
void shared_sync(struct noc *n, const struct ivc *iv, bool is_free);

/* Whose row of output VCs an output port uses. */
static inline uint32_t shared_row(const struct noc *n, uint32_t port)
{
    return n->shared && port < n->nouts ? n->shared->row_of[port] : port;
}

static inline bool shared_may_send(const struct noc *n, uint32_t port)
{
    const struct shared *s = n->shared;
    return !s || s->bus_of[port] == NO_OWNER || s->bus[s->bus_of[port]].sender == port;
}

static inline bool shared_may_get_vc(const struct noc *n, uint32_t port, uint32_t cls)
{
    const struct shared *s = n->shared;
    return !s || s->bus_of[port] == NO_OWNER || s->bus[s->bus_of[port]].chosen[cls] == port;
}

#endif
