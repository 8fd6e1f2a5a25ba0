/* rrip_model.h - re-reference interval prediction as the paper lists its steps
 * (Jaleel et al., ISCA 2010): on a miss, look for the first line with 2^M - 1 from the left; if
 * there is none, add one to all and look again. */
#ifndef HEDDLE_TESTS_RIG_RRIP_MODEL_H
#define HEDDLE_TESTS_RIG_RRIP_MODEL_H

#include "rig/policy_rig.h"

struct rrip_model {
    uint32_t ways, most; /* most: 2^M - 1 */
    uint32_t rrpv[POLICY_MODEL_SETS][POLICY_MODEL_WAYS];
};

static inline uint32_t rrip_model_victim(struct rrip_model *m, uint32_t set, const bool *may_leave)
{
    for (;;) {
        for (uint32_t w = 0; w < m->ways; w++)
            if (may_leave[w] && m->rrpv[set][w] == m->most)
                return w;
        for (uint32_t w = 0; w < m->ways; w++)
            m->rrpv[set][w] += m->rrpv[set][w] < m->most;
    }
}

#endif
