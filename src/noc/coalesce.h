/* coalesce.h - parameters of the packet-coalescing router, and its Detector.
 *
 * The Detector says how long a read waits in a router for others of its DRAM row (packet coalescing
 * paper, sections 2.1 and 2.2): a registry of strategies, in detector.c. */
#ifndef HEDDLE_NOC_COALESCE_H
#define HEDDLE_NOC_COALESCE_H

#include "noc/extension.h"
#include "noc/slack.h"

#define COALESCE_ROWS(F, id)                                                                       \
    F(id, INT, delay, "5", 0, 1e5, "cycle", "fixed delay per hop: the wait of a read, per router") \
    F(id, CHOICE, strategy, "slack", 0, 0, "fixed|slack|last|warps",                               \
      "where reads wait: as long everywhere, longer nearer to the memory (Eq. 1), in the last "    \
      "router alone, by Eq. 1 and the available warps of the SM")                                  \
    F(id, INT, warps, "8", 1, 64, "warp", "strategy warps: available for the whole delay")         \
    F(id, INT, entries, "16", 1, 4096, "entry", "of the Merged Table of a router")                 \
    F(id, INT, buffer, "64", 1, 65536, "flit", "of the packets in it, and of those that leave it") \
    F(id, INT, ports, "0", 0, 64, "port", "of the switch for what leaves it; 0: one per input")    \
    F(id, CHOICE, table_full, "pass", 0, 0, "pass|evict",                                          \
      "no entry is left: a read goes on, or the entry that is due first makes room")               \
    F(id, INT, most, "16", 1, 256, "request", "in a big packet; 1: reads wait and never merge")    \
    F(id, CHOICE, packet_full, "release", 0, 0, "release|wait",                                    \
      "a big packet has as many: it goes at once, or when its time is over")                       \
    F(id, CHOICE, size, "flits", 0, 0, "flits|header",                                             \
      "of a big packet: the flits of all requests, or a header and a payload for each")            \
    F(id, INT, per_flit, "4", 1, 64, "", "size header: headers and payloads that fit into a flit") \
    F(id, BOOL, hold_grant, "true", 0, 0, "", "a big packet keeps the switch while it can send")
CFG_STRUCT(coalesce, COALESCE_ROWS)
extern const struct cfg_section coalesce_section;

struct detector {
    const char *name;
    const char *help;
    /* Cycles that a read may wait on its whole way, over `hops` routers. */
    uint32_t (*budget)(const struct coalesce_spec *s, uint32_t hops, uint32_t warps);
    /* ... and in the router that it is at. */
    uint32_t (*hold)(const struct coalesce_spec *s, const struct slack *left);
};

const struct detector *detector_find(const char *name);

/* Whether routers of the network `path` have tables. */
bool coalesce_is_on(const struct config *cfg, const char *path);
/* ... and then switch inputs besides their `nin`. */
uint32_t coalesce_sides(const struct config *cfg, uint32_t nin);

#endif
