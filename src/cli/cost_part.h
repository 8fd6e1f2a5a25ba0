/* cost_part.h - what is printed and written of a single part: a name and its figures. */
#ifndef HEDDLE_CLI_COST_PART_H
#define HEDDLE_CLI_COST_PART_H

#include "cli/cost_options.h"

/* A figure of a part: what people read and what programs do. */
struct cost_figure {
    const char *key, *text, *unit;
    double value; /* in `unit`; infinite: there is none, and `unit` says why */
};

struct cost_part {
    const char *what, *name; /* "router", "10x3" */
    const char *made_of;     /* the rest of what it is */
    int n;
    const struct cost_figure *figure;
};

/* Prints the part, and writes the document that is asked for. */
bool cost_part_show(const struct cost_options *o, const struct cost_part *p, struct err *e);

/* Parameters after all --set options; NULL with *e set when one is wrong. */
const struct config *cost_part_config(const struct cost_options *o, struct arena *a, struct err *e);
uint32_t cost_part_node(const struct config *c); /* nm */

/* "12.3mm", "500um", "3.3" (mm): m, from a micrometre to a metre. */
bool cost_part_length(const char *text, double *length);
#define COST_LENGTHS "a length from 1um to 1000mm"

/* The wire of `length` that the parameters ask for: power.link_cycles cycles of noc.clock, or one. */
struct power_link_spec cost_part_link(const struct config *c, double length);

#endif
