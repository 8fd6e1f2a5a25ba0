/* sharers.h - blocks by the number of SMs that touched them.  Private to src/analysis. */
#ifndef HEDDLE_ANALYSIS_SHARERS_H
#define HEDDLE_ANALYSIS_SHARERS_H

#include "sim/stats.h"

#define SHARERS_STATS(S, id)                                                                       \
    S(id, COUNTER, sharers, "SM", "that touched a block, summed over blocks")                      \
    S(id, COUNTER, sharers_1, "block", "that at least 1 SM touched")                               \
    S(id, COUNTER, sharers_2, "block", "that at least 2 SMs touched: shared by SMs")               \
    S(id, COUNTER, sharers_3, "block", "... 3")                                                    \
    S(id, COUNTER, sharers_4, "block", "... 4")                                                    \
    S(id, COUNTER, sharers_5, "block", "... 5")                                                    \
    S(id, COUNTER, sharers_6, "block", "... 6")                                                    \
    S(id, COUNTER, sharers_7, "block", "... 7")                                                    \
    S(id, COUNTER, sharers_8, "block", "... 8")                                                    \
    S(id, COUNTER, sharers_9, "block", "... 9")                                                    \
    S(id, COUNTER, sharers_10, "block", "... 10")                                                  \
    S(id, COUNTER, sharers_11, "block", "... 11")                                                  \
    S(id, COUNTER, sharers_12, "block", "... 12")                                                  \
    S(id, COUNTER, sharers_13, "block", "... 13")                                                  \
    S(id, COUNTER, sharers_14, "block", "... 14")                                                  \
    S(id, COUNTER, sharers_15, "block", "... 15")                                                  \
    S(id, COUNTER, sharers_16, "block", "... 16")                                                  \
    S(id, COUNTER, sharers_32, "block", "... 32")                                                  \
    S(id, COUNTER, sharers_64, "block", "... 64")
STATS_STRUCT(sharers, SHARERS_STATS)

/* So many blocks that have had n - 1 sharers have one more. */
void sharers_add(struct sharers_stats *s, uint32_t n, uint64_t blocks);
/* `instance` as in stats_join; only rows that a machine of so many SMs can reach. */
void sharers_add_stats(const struct sharers_stats *s, const char *path, const char *instance,
                       uint32_t sms, struct stats *tree);

#endif
