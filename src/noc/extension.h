/* extension.h - the plug-point for router extensions: one file, one line in extensions.def.
 *
 * An extension is asked about every packet that comes to the front of an input VC of a router,
 * before the packet asks for a route, and says what becomes of it:
 *
 *   pass   it goes on
 *   hold   it stays in its VC until a given cycle, and what is behind it waits as well
 *   take   it goes aside, into a buffer of the extension: flit by flit as they come, one per cycle,
 *          each giving its credit back; when the last one is there, `taken` is called
 *
 * A packet aside belongs to the extension, which may merge it with another one aside at the same
 * router, split it again, and release it: it then goes on at that router, through a switch input
 * of its own, as a packet that has just come.  Packets that are still merged when they reach their
 * destination are split there: whatever was injected is delivered, once, to its own node, all at once
 * when the last flit has come, or (`streams`) piece by piece with the flits, in the order in which
 * they were merged.
 *
 * Inputs must never wait for an extension: it takes a packet only when it has room for all of it,
 * and releases every packet in the end.  Then whatever is free of deadlock without it is so with
 * it, since a released packet waits for nothing that a packet in a VC would not wait for. */
#ifndef HEDDLE_NOC_EXTENSION_H
#define HEDDLE_NOC_EXTENSION_H

#include "noc/graph.h"
#include "sim/component.h"
#include "sim/config.h"
#include "sim/packet.h"
#include "sim/stats.h"

struct noc;

/* What the endpoints know of a packet and a network does not. */
struct packet_meaning {
    uint64_t line;  /* what it reads or writes */
    uint64_t row;   /* equal for packets that are best served together: of one row of one bank */
    bool is_read;   /* and writes nothing */
    uint32_t sm;    /* that asks, over all nodes */
    uint32_t warps; /* that could issue there when it asked; 0 also where nobody counts them */
};

struct packet_sense {
    struct packet_meaning (*of)(const void *ctx, uint32_t packet);
    const void *ctx;
};

/* A packet at a router. */
struct extension_at {
    uint32_t packet;
    uint32_t router, in; /* input port, within the router */
    hd_cycle now;        /* when it comes to the front of its VC, or was taken whole */
    hd_cycle came;       /* when its head came to this router */
};

enum extension_fate { EXTENSION_PASS, EXTENSION_HOLD, EXTENSION_TAKE };

struct extension_verdict {
    enum extension_fate fate;
    hd_cycle until; /* of a hold */
};

/* Whether a packet that has sent its head through the switch keeps its output until its tail. */
enum extension_grant {
    GRANT_FREE,  /* no */
    GRANT_READY, /* as long as it has a flit and a credit; others go in its gaps */
    GRANT_END,   /* in any case */
};

/* The network that an extension is in. */
struct extension_site {
    struct noc *net; /* for the functions below */
    const char *path;
    const struct graph *graph;
    const struct packet_pool *pool;
};

struct router_extension {
    const char *name;
    const char *help;
    const struct cfg_section *section; /* NULL: it has no parameters */
    bool takes;                        /* it may take packets: every router gets side ports */
    /* How many, each a switch input; 0: as many as a router has inputs.  NULL: one. */
    uint32_t (*sides)(const struct config *cfg);
    bool streams;      /* what it merges is delivered with its flits */
    bool counts_warps; /* it wants to know packet_meaning.warps */
    /* Refuses what cannot work by blaming a parameter; NULL: anything works. */
    bool (*check)(const struct config *cfg, const struct graph *g, uint32_t vclasses,
                  struct err *e);
    /* Packets that can be alive beyond those for which the buffers of the network are made, which
     * hold `packets`; NULL: none. */
    uint64_t (*packets)(const struct config *cfg, const struct graph *g, uint64_t packets);
    /* State for one network, or NULL: this network goes without the extension. */
    void *(*begin)(const struct config *cfg, const struct extension_site *site, struct arena *a);
    /* NULL: every packet passes. */
    struct extension_verdict (*arrive)(void *state, const struct extension_at *at);
    void (*taken)(void *state, const struct extension_at *at);
    /* The last flit of a released packet has left the buffer at `router`; NULL: no matter. */
    void (*left)(void *state, uint32_t router, uint32_t packet);
    /* ... and has gone through the switch, together with `grant`; NULL: no matter. */
    void (*departed)(void *state, uint32_t router, uint32_t packet);
    /* A packet has reached its destination, with all that was merged into it; NULL: no matter. */
    void (*arrived)(void *state, uint32_t packet);
    /* Called in the cycles asked for by extension_wake and in no other; NULL: never. */
    void (*tick)(void *state, hd_cycle now);
    enum extension_grant (*grant)(void *state, uint32_t packet); /* NULL: GRANT_FREE */
    /* Its own statistics, below `path`; NULL: none. */
    void (*add_stats)(const void *state, const char *path, struct stats *tree);
    /* --check: shows every packet that it has aside, merged ones inside others not apart. */
    void (*each)(const void *state, void (*show)(void *ctx, uint32_t packet), void *ctx);
};

extern const struct router_extension *const router_extension_all[];
extern const int router_extension_count;

/* By name; NULL: none ("none" is not an extension), and router_extension_check says why. */
const struct router_extension *router_extension_find(const char *name);
/* Blames router.extension when there is none of that name, or what the extension itself refuses. */
bool router_extension_check(const struct config *cfg, const struct graph *g, uint32_t vclasses,
                            struct err *e);

/* ---- what an extension may ask for and do ---- */

/* Calls `tick` at cycle `at`, or in the next one if that is over. */
void extension_wake(struct noc *n, hd_cycle at);
/* The flits that a packet has on its way, and the packets that it stands for. */
uint32_t extension_flits(const struct noc *n, uint32_t packet);
uint32_t extension_count(const struct noc *n, uint32_t packet);
struct packet_meaning extension_meaning(const struct noc *n, uint32_t packet);

/* Both are aside at one router: `from`, with whatever was merged into it, now travels in `into`,
 * which has `flits` flits, at most as many as both together.  With `streams`, `from` is delivered
 * before `into`.  False, and nothing is changed, when the destination of `into` could never take so
 * many packets at once. */
bool extension_merge(struct noc *n, uint32_t into, uint32_t from, uint32_t flits);
/* Takes the packet out again that was merged into `packet` last: both are aside, and as they were
 * before.  PACKET_NONE: there is none. */
uint32_t extension_split(struct noc *n, uint32_t packet);
/* The packet goes on from the router where it was taken, through side port `side` modulo their number:
 * what goes through one, in one VC, stays in order. */
void extension_release(struct noc *n, uint32_t packet, uint32_t side);

#endif
