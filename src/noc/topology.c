/* topology.c - the table of topologies, expanded from topologies.def. */
#include "noc/topology.h"

#include "base/str.h"

#define TOPOLOGY(id) extern const struct topology topology_##id;
#include "noc/topologies.def"
#undef TOPOLOGY

const struct topology *const topology_all[] = {
#define TOPOLOGY(id) &topology_##id,
#include "noc/topologies.def"
#undef TOPOLOGY
};

const int topology_count = (int)(sizeof topology_all / sizeof topology_all[0]);

const struct topology *topology_find(const char *name)
{
    for (int i = 0; i < topology_count; i++)
        if (str_is_word(name, topology_all[i]->name) || str_is_word(name, topology_all[i]->alias))
            return topology_all[i];
    return NULL;
}
