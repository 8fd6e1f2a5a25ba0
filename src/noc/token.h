/* token.h - networks without buffers between the ends: packets move by token (graph.tokens).
 *
 * Nodes that share a token take turns; whoever has it books the way of one packet: every channel
 * on it, for every flit, and room for all of them in the buffer at the end.  So a flit that was sent
 * is never in the way of another and never waits before it has arrived.  See docs/model/rivals.md. */
#ifndef HEDDLE_NOC_TOKEN_H
#define HEDDLE_NOC_TOKEN_H

#include "noc/net_priv.h"

void token_build(struct noc *n, struct arena *a);
void token_tick(struct noc *n);
bool token_is_idle(const struct noc *n); /* nothing to book, nothing on its way or in a buffer */
bool token_audit(const struct noc *n, struct err *e);
void token_waits(const struct noc *n, struct waitgraph *g);

/* Cycles from the departure of a flit to its arrival at its node. */
uint64_t token_way(const struct graph *g, uint32_t src, uint32_t dst);

#endif
