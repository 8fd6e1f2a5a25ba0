/* slice.h - one slice of the L2 cache, between the request network, the reply network and a
 * memory controller.
 *
 *   request port -> pipeline of `latency` cycles -> bank -> tags -+- hit -> replies -> reply port
 *                                                                 +- miss -> MSHR -> to memory
 *                                              from memory -> fill, replies to all that waited
 *
 * Write-back, allocate on miss with the line reserved, any cache policy.  Atomics are performed
 * here.  Or no cache at all: requests and transfers one to one.
 *
 * Times, in cycles of the slice, when nothing has to wait: a request popped at t reaches the tags
 * at t + latency; the reply of a hit is pushed at t + latency + hit_latency; the fetch of a miss is
 * pushed at t + latency; a fill popped at f answers its i-th waiter (from 0) by a reply pushed at
 * f + i + fill_latency. */
#ifndef HEDDLE_L2_SLICE_H
#define HEDDLE_L2_SLICE_H

#include "analysis/meetings.h"
#include "analysis/sharing.h"
#include "mem/addrmap.h"
#include "mem/request.h"
#include "mem/transfer.h"
#include "sim/component.h"
#include "sim/config.h"
#include "sim/port.h"
#include "sim/stats.h"

#define L2_ROWS(F, id)                                                                             \
    F(id, BOOL, enabled, "true", 0, 0, "",                                                         \
      "false: no cache, every request is a transfer of its own to or from memory")                 \
    F(id, BOOL, perfect, "false", 0, 0, "",                                                        \
      "true: any number of requests per cycle, each answered after latency + hit_latency")         \
    F(id, REAL, clock, "1.4GHz", 1e6, 1e11, "Hz", "clock of the L2")                               \
    F(id, INT, slices_per_channel, "1", 1, 16, "slice", "slices of each memory controller")        \
    F(id, INT, size, "512K", 128, 1e9, "byte", "of one slice")                                     \
    F(id, INT, ways, "8", 1, 1024, "line", "associativity; size must be a multiple of ways lines") \
    F(id, BOOL, hashed, "false", 0, 0, "", "sets are chosen by a hash of the address")             \
    F(id, STR, replacement, "lru", 0, 0, "", "cache policy (heddle list policies)")                \
    F(id, INT, passing, "32", 1, 4096, "read", "under way that the policy let pass by the cache")  \
    F(id, INT, banks, "1", 1, 64, "bank", "banks of a slice, interleaved by line")                 \
    F(id, INT, bank_cycles, "1", 1, 64, "cycle", "for which an access occupies its bank")          \
    F(id, INT, latency, "120", 1, 10000, "cycle", "pipeline before the tags")                      \
    F(id, CHOICE, latency_clock, "l2", 0, 0, "l2|sm",                                              \
      "whose cycles these are; sm: a faster L2 does not make them shorter")                        \
    F(id, INT, hit_latency, "1", 1, 10000, "cycle", "from the tags to the reply queue")            \
    F(id, INT, fill_latency, "1", 1, 10000, "cycle", "from the fill to the reply queue")           \
    F(id, INT, atomic_cycles, "1", 1, 1000, "cycle", "more for which an atomic occupies its bank") \
    F(id, INT, mshrs, "32", 1, 4096, "entry", "lines on their way from memory")                    \
    F(id, INT, merges, "4", 1, 1024, "request", "that one MSHR holds")                             \
    F(id, INT, miss_queue, "4", 1, 4096, "transfer", "to the memory controller")                   \
    F(id, INT, memory_queue, "0", 0, 4096, "transfer",                                             \
      "behind the miss queue, before the memory controller; 0: no second queue")                   \
    F(id, INT, fill_queue, "0", 0, 4096, "transfer",                                               \
      "from the memory controller, waiting for the slice; 0: no limit")                            \
    F(id, INT, input_queue, "8", 1, 4096, "request", "waiting for the tags when a miss stalls")    \
    F(id, BOOL, gated, "false", 0, 0, "",                                                          \
      "full queues stop the slice as in GPGPU-Sim 3: the network is not read while input_queue "   \
      "requests wait, hits wait for the queues of replies and to memory")                          \
    F(id, INT, reply_queue, "8", 1, 4096, "reply", "waiting for the reply network")                \
    F(id, INT, writebacks, "64", 1, 4096, "line", "dirty lines on their way to memory")            \
    F(id, INT, dirty_lines, "0", 0, 1024, "line",                                                  \
      "of a set, beyond which the one that was used longest ago is written back and kept; 0: all") \
    F(id, BOOL, write_fetch, "true", 0, 0, "",                                                     \
      "a write miss fetches the line and is acknowledged when it has come; else its words are "    \
      "kept and the rest is fetched when it is read")                                              \
    F(id, BOOL, write_through, "false", 0, 0, "",                                                  \
      "a write miss goes to memory at once; the line that write_fetch brings stays clean")         \
    F(id, INT, port_bytes, "0", 0, 4096, "byte",                                                   \
      "that hits move per cycle, and fills as many through a port of their own; 0: a line")        \
    F(id, BOOL, sectored, "false", 0, 0, "", "fetch only the 32-byte sectors that are asked for")  \
    F(id, BOOL, sector_fetches, "false", 0, 0, "",                                                 \
      "further sectors of a line on its way are fetched at once; else when it has come")
CFG_STRUCT(l2, L2_ROWS)
extern const struct cfg_section l2_section;

struct slice;

struct slice_options {
    const char *path; /* "l2[3]" */
    const struct l2_spec *spec;
    const struct config *cfg;   /* parameters of the cache policy */
    struct request_pool *pool;  /* requests and packets by number; the slice allocates none */
    const struct addrmap *map;  /* which addresses come here: taken out of the choice of a set.
                                  NULL: all of them */
    uint64_t period, sm_period; /* ticks, of its own cycle and of the SMs' */
    uint32_t sms;               /* of the machine */
    uint32_t flit_bytes;
    uint8_t reply_class;   /* message class of replies (0 unless one network carries both) */
    uint64_t reply_vertex; /* of its injection into the reply network, in the wait-for graph */
    bool check;            /* keep versions */
    struct sharing_slice *sharing;             /* NULL: nobody looks on */
    struct meetings *meetings;                 /* the same */
    uint32_t in_slot, reply_slot, memory_slot; /* by which its ports know it */
};

/* Sizes that make no sense (size no multiple of ways * 128, ...); the periods are those of
 * slice_options. */
bool slice_check(const struct config *cfg, uint64_t sm_period, uint64_t period, struct err *e);
struct slice *slice_new(struct arena *a, const struct slice_options *opt);
void slice_free(struct slice *s); /* what is not in the arena: versions */
struct component *slice_component(struct slice *s);
/* A kernel of the program begins; the slice, which keeps its lines, is settled. */
void slice_launch(struct slice *s, uint32_t program);
/* All lines that are there are forgotten; `written` is told of those that memory does not have, and
 * of how new they are.  Lines on their way stay. */
void slice_flush(struct slice *s, void (*written)(void *memory, uint64_t line, uint32_t version),
                 void *memory);
/* Before the first cycle: where requests come from, where replies go (reader of `in`, writer of
 * `out`). */
void slice_connect_network(struct slice *s, struct port *in, struct port *out);
/* Indices into slice_transfers() go out by `to` and come back by `from`. */
void slice_connect_memory(struct slice *s, struct port *to, struct port *from);
struct transfer *slice_transfers(struct slice *s);
uint32_t slice_ntransfers(const struct slice *s);
/* How many of them the port to memory holds. */
uint32_t slice_memory_depth(const struct l2_spec *l2);
/* Summed over all slices as "l2"; sums over time are right once settled. */
void slice_add_stats(const struct slice *s, struct stats *tree);
void slice_count_programs(struct slice *s, struct arena *a); /* apart, from now on */
void slice_add_program_stats(const struct slice *s, struct stats *tree, uint32_t program,
                             const char *path); /* of one of several programs */

#endif
