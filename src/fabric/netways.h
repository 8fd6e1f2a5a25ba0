/* netways.h - what a flit takes on its way through a network, on the average of all ways. */
#ifndef HEDDLE_FABRIC_NETWAYS_H
#define HEDDLE_FABRIC_NETWAYS_H

#include "fabric/netcost.h"

/* J by part of a flit that begins a packet, every pair of source and sink as often as any other;
 * contention and clocks have no part in it.  NaN where there are too many pairs to look at. */
void netways(const struct netcost *c, const struct graph *g, struct arena *a,
             double joules[NETCOST_PARTS]);

#endif
