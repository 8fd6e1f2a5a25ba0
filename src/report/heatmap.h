/* heatmap.h - a picture of a network with its channels coloured by utilisation. */
#ifndef HEDDLE_REPORT_HEATMAP_H
#define HEDDLE_REPORT_HEATMAP_H

#include <stdio.h>

#include "base/err.h"
#include "noc/graph.h"

/* One panel per graph; two graphs are the request and the reply network.  out_util[i] holds the
 * utilisation (flits per cycle, 0..1) of each output port of graph i, in_util[i] that of each
 * input port, of which only those fed by nodes are looked at.
 *
 * Feed-forward graphs (crossbars, butterflies, Clos) are drawn in columns, sources on the left;
 * others (meshes) at the positions that the topology gives, both directions of a channel side by
 * side.  A graph with too many channels to see is drawn as cells, each as hot as the busiest
 * output of its routers. */
bool heatmap_write(const char *path, const struct graph *const *g, int ngraphs,
                   const double *const *out_util, const double *const *in_util, const char *title,
                   struct err *e);

/* The same as an element in the midst of a page. */
void heatmap_draw(FILE *page, const struct graph *const *g, int ngraphs,
                  const double *const *out_util, const double *const *in_util, const char *title);

#endif
