/* clusters.c - intra-clustering paper, section II.C.1: "According to its Manhattan distance from MCs,
 * each shader core has at least one nearest MC ... the core randomly chooses one of those."
 *
 * The draw is a function of seed and node alone.  A host that is pinned need not be nearest. */
#include "noc/clusters.h"

#include "base/rng.h"

uint32_t clusters_distance(uint32_t width, uint32_t a, uint32_t b)
{
    uint32_t ax = a % width, bx = b % width, ay = a / width, by = b / width;
    return (ax > bx ? ax - bx : bx - ax) + (ay > by ? ay - by : by - ay);
}

static uint32_t nearest(const struct topology_nodes *n, const struct clusters_ask *ask,
                        uint32_t node)
{
    uint32_t least = UINT32_MAX, ties = 0, host = GRAPH_NONE;
    for (uint32_t i = 0; i < n->nmems; i++) {
        uint32_t d = clusters_distance(ask->width, node, n->mems[i]);
        ties = d < least ? 1 : ties + (d == least);
        least = d < least ? d : least;
    }
    uint64_t pick = rng_at(rng_key(ask->seed, 0x746965), node) % ties;
    for (uint32_t i = 0; i < n->nmems; i++)
        if (clusters_distance(ask->width, node, n->mems[i]) == least && pick-- == 0)
            host = n->mems[i];
    return host;
}

const uint32_t *clusters_of(const struct topology_nodes *n, const struct clusters_ask *ask,
                            struct arena *a)
{
    uint32_t *host = ARENA_ARRAY(a, uint32_t, n->total);
    for (uint32_t node = 0; node < n->total; node++)
        host[node] = ask->pinned[node] != GRAPH_NONE ? ask->pinned[node] : nearest(n, ask, node);
    return host;
}
