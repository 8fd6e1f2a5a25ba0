/* sms.h - the SMs of a machine by cluster, and sets of them: those that a kernel may use.
 *
 * SMs are numbered cluster by cluster, so that those of a cluster are neighbours, and so are those
 * of a set that belong to one cluster. */
#ifndef HEDDLE_CTA_SMS_H
#define HEDDLE_CTA_SMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct sm_clusters {
    uint32_t nsms, nclusters;
    const uint16_t *of;    /* [SM]: its cluster */
    const uint32_t *first; /* [nclusters + 1]: cluster c has SMs first[c] .. first[c + 1] - 1 */
    /* Clusters that meet at the first router of the network, such as those of a local crossbar. */
    uint32_t ngroups;
    const uint16_t *group; /* [cluster] */
};

struct sm_set {
    uint32_t n;
    const uint32_t *sm; /* [n], ascending */
    const uint32_t
        *first;           /* [nclusters + 1]: of cluster c are sm[first[c]] .. sm[first[c+1] - 1] */
    const uint64_t *bits; /* [SM / 64] */
};

/* Deals the SMs out to the clusters as evenly as possible; the first clusters have one more when
 * it does not come out even, as the ports of concentrated networks do.  Each is a group by itself. */
struct sm_clusters sm_clusters_deal(struct arena *a, uint32_t nsms, uint32_t nclusters);

/* Groups by the number of their first router, whatever these are. */
void sm_clusters_group(struct arena *a, struct sm_clusters *c, const uint32_t *router);

/* SMs in any order; one that is named twice is there once. */
struct sm_set sm_set_of(struct arena *a, const struct sm_clusters *c, const uint32_t *sm,
                        uint32_t n);

/* The SMs of a set, [n]: the first of each group, then the second of each, and so on. */
const uint32_t *sm_set_spread(struct arena *a, const struct sm_clusters *c, const struct sm_set *s);

static inline bool sm_set_has(const struct sm_set *s, uint32_t sm)
{
    return s->bits[sm / 64] >> sm % 64 & 1;
}

#endif
