/* kind_tree.h - a tree of statistics as the values that are kept of a run. */
#ifndef HEDDLE_STUDY_KIND_TREE_H
#define HEDDLE_STUDY_KIND_TREE_H

#include "fabric/fabric.h"
#include "sim/stats_snapshot.h"
#include "study/kind.h"

/* Room for `most` values. */
struct kind_values kind_values_new(struct arena *a, size_t most);
void kind_values_add(struct kind_values *v, const char *name, double value);

/* Of how many values kind_tree_add adds no more. */
size_t kind_tree_room(const struct stats_snapshot *s, struct arena *a);
/* All of it by name; where samples were counted, their sum can be asked for, too. */
void kind_tree_add(struct kind_values *v, const struct stats_snapshot *s, struct arena *a);
/* The names of a tree behind the first n of `all`; returns how many there are then. */
uint32_t kind_tree_names(const struct stats *t, const char **all, uint32_t n, uint32_t most,
                         struct arena *a);

/* "link.0.out.3": flits per cycle on output port 3 of the first network; of ideal ones nothing. */
struct kind_links {
    const struct fabric *fabric;
    double (*out)(const void *context, int net, uint32_t port);
    double (*in)(const void *context, int net, uint32_t port);
    const void *context;
};
size_t kind_links_room(const struct fabric *g);
void kind_links_add(struct kind_values *v, const struct kind_links *l, struct arena *a);

#endif
