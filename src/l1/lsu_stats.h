/* lsu_stats.h - what a load/store unit counts.  Private to src/l1. */
#ifndef HEDDLE_L1_LSU_STATS_H
#define HEDDLE_L1_LSU_STATS_H

#include "sim/stats.h"

/* Of loads, apart for "l1.global", "l1.local", "const" and "tex":
 * accesses = hits + misses + merges + passes. */
#define LOAD_STATS(S, id)                                                                          \
    S(id, COUNTER, instructions, "instruction", "loads; each address set counts")                  \
    S(id, COUNTER, accesses, "access", "lines that loads looked up (constants: items)")            \
    S(id, COUNTER, hits, "access", "found in the cache")                                           \
    S(id, COUNTER, misses, "access", "that asked for a line, or for more sectors of one")          \
    S(id, COUNTER, merges, "access", "that wait for what was on its way already")                  \
    S(id, COUNTER, passes, "access", "that passed by the cache with a request of their own")       \
    S(id, COUNTER, words, "word", "4-byte words that accesses wanted")                             \
    S(id, COUNTER, sectors, "sector", "32-byte sectors asked for")                                 \
    S(id, MEAN, latency, "cycle", "from issue to use, by the space of the first address set")
STATS_STRUCT(load, LOAD_STATS)

/* Of each cache: "l1", "const", "tex". */
#define CACHE_STATS(S, id)                                                                         \
    S(id, COUNTER, fills, "answer", "that brought data for a line")                                \
    S(id, COUNTER, unkept, "answer", "of these, kept in no line")                                  \
    S(id, COUNTER, evictions, "line", "that made room for another")                                \
    S(id, COUNTER, mshr_cycles, "cycle", "summed over MSHRs in use")
STATS_STRUCT(cache, CACHE_STATS)

/* Of the unit, in "l1". */
#define LSU_STATS(S, id)                                                                           \
    S(id, COUNTER, stores, "instruction", "to global memory")                                      \
    S(id, COUNTER, store_accesses, "access", "lines that these wrote")                             \
    S(id, COUNTER, store_words, "word", "that these wrote")                                        \
    S(id, COUNTER, store_hits, "access", "of these, to words that the L1 held")                    \
    S(id, COUNTER, local_stores, "instruction", "to local memory")                                 \
    S(id, COUNTER, local_store_hits, "access", "to lines in the L1")                               \
    S(id, COUNTER, local_store_misses, "access", "that took a line")                               \
    S(id, COUNTER, write_backs, "line", "dirty local lines written back")                          \
    S(id, COUNTER, atomics, "instruction", "on global memory that return a value")                 \
    S(id, COUNTER, atomic_accesses, "access", "lines of these")                                    \
    S(id, COUNTER, reductions, "instruction", "on global memory that return nothing")              \
    S(id, COUNTER, reduction_accesses, "access", "lines of these")                                 \
    S(id, COUNTER, stall_mshr, "cycle", "the head waited for a free MSHR")                         \
    S(id, COUNTER, stall_merge, "cycle", "the head waited for room in its line's MSHR")            \
    S(id, COUNTER, stall_way, "cycle", "the head waited: all ways reserved")                       \
    S(id, COUNTER, stall_request, "cycle", "the head waited: too many requests under way")         \
    S(id, COUNTER, stall_port, "cycle", "the head waited for the cluster's queue")
STATS_STRUCT(lsu, LSU_STATS)

/* Of the unit, in "l1", where the policy of the L1 may refuse to keep a line. */
#define LSU_REFUSED_STATS(S, id)                                                                   \
    S(id, COUNTER, local_store_passes, "access", "to local memory, written through without a line")
STATS_STRUCT(lsu_refused, LSU_REFUSED_STATS)

/* Of the unit, in "l1", where global stores may take lines. */
#define LSU_WRITE_MISS_STATS(S, id) S(id, COUNTER, store_lines, "line", "that global stores took")
STATS_STRUCT(lsu_write_miss, LSU_WRITE_MISS_STATS)

/* Of the unit, in "l1", where sectors are counted. */
#define LSU_SECTOR_STATS(S, id)                                                                    \
    S(id, COUNTER, read_sectors, "sector", "32-byte sectors that global loads looked up")          \
    S(id, COUNTER, store_sectors, "sector", "... that global stores wrote")
STATS_STRUCT(lsu_sector, LSU_SECTOR_STATS)

/* Of requests of each kind, in "l1.read", "l1.write", "l1.atomic", "l1.reduce": those of constant
 * and texture caches and write-backs included. */
#define TRIP_STATS(S, id)                                                                          \
    S(id, COUNTER, sent, "request", "to the cluster")                                              \
    S(id, COUNTER, bytes, "byte", "of data that these carry or ask for")                           \
    S(id, COUNTER, answers, "request", "answered; the times are sums over these")                  \
    S(id, COUNTER, time_sm, "tick", "L1, miss queue, cluster")                                     \
    S(id, COUNTER, time_request, "tick", "request network")                                        \
    S(id, COUNTER, time_l2, "tick", "L2 slice")                                                    \
    S(id, COUNTER, time_dram, "tick", "waiting for memory")                                        \
    S(id, COUNTER, time_reply, "tick", "reply network")                                            \
    S(id, COUNTER, time_return, "tick", "cluster to L1")
STATS_STRUCT(trip, TRIP_STATS)

/* Of each program. */
#define LSU_PROGRAM_STATS(S, id)                                                                   \
    S(id, COUNTER, loads, "access", "lines that loads of this program looked up, all caches")      \
    S(id, COUNTER, load_hits, "access", "of these, found in the cache")                            \
    S(id, COUNTER, requests, "request", "to the cluster, of all kinds")                            \
    S(id, COUNTER, reads, "request", "reads answered")                                             \
    S(id, COUNTER, read_time, "tick", "from the L1 access to the answer, summed over these")
STATS_STRUCT(lsu_program, LSU_PROGRAM_STATS)

#define SHARED_STATS(S, id)                                                                        \
    S(id, COUNTER, loads, "instruction", "each address set counts")                                \
    S(id, COUNTER, stores, "instruction", "each address set counts")                               \
    S(id, COUNTER, atomics, "instruction", "each address set counts")                              \
    S(id, COUNTER, cycles, "cycle", "that accesses took")                                          \
    S(id, COUNTER, conflict_cycles, "cycle", "of these, due to bank conflicts")                    \
    S(id, MEAN, latency, "cycle", "from issue to use, by the space of the first address set")
STATS_STRUCT(shared, SHARED_STATS)

#endif
