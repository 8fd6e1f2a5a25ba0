/* partition_topology_aware.c - topology-aware scheduling of several kernels (CD-Xbar paper, section
 * 3.5, Fig. 7b): the first SM of each local crossbar belongs to the first program, the second to the
 * second, and so on, so that each program's traffic is spread over all crossbars.  When one has no
 * more CTAs to start, the others may use its SMs.
 *
 * Where the SMs of a crossbar are not a multiple of the programs, those that are left over are dealt
 * out in turn over all crossbars, so that shares differ by one SM at most; the paper has two programs
 * and ten SMs. */
#include "cta/partition.h"

struct ranks {
    uint32_t *rank; /* [i-th SM of the set]: SMs of its crossbar before it */
    uint32_t *size; /* [group]: its SMs of the set */
};

static void *begin(struct arena *a, const struct partition_view *v, const struct config *cfg)
{
    (void)cfg;
    struct ranks *r = ARENA_NEW(a, struct ranks);
    r->rank = ARENA_ARRAY(a, uint32_t, v->sms->n);
    r->size = ARENA_ARRAY(a, uint32_t, v->clusters->ngroups);
    for (uint32_t i = 0; i < v->sms->n; i++)
        r->rank[i] = r->size[v->clusters->group[v->clusters->of[v->sms->sm[i]]]]++;
    return r;
}

static void deal(void *state, const struct partition_view *v, uint8_t *owner)
{
    const struct ranks *r = state;
    uint32_t left_over = 0;
    for (uint32_t i = 0; i < v->sms->n; i++) {
        uint32_t size = r->size[v->clusters->group[v->clusters->of[v->sms->sm[i]]]];
        bool is_left_over = r->rank[i] >= size - size % v->nprograms;
        owner[v->sms->sm[i]] = (uint8_t)((is_left_over ? left_over++ : r->rank[i]) % v->nprograms);
    }
}

const struct partition partition_topology_aware = {
    .name = "topology_aware",
    .help = "SMs of a local crossbar in turn; one whose owner has no CTA waiting takes guests",
    .begin = begin,
    .deal = deal,
    .admits = partition_admits_all,
};
