/* slice_priv.h - the inside of an L2 slice, for the files slice*.c and their tests.
 *
 *   slice.c         queues, ports, parameters
 *   slice_access.c  what an access does to tags and MSHRs
 *   slice_pass.c    an access that gets no line, or passes by the cache
 *   slice_direct.c  the same without a cache
 *   slice_fill.c    what comes from memory
 *   slice_watch.c   an access that an observer is told of
 *   slice_step.c    steps that these have in common: counting, replies, transfers
 *
 *   in -> input -> (bank, tags) -+-> hits --+-> out         sends -> to
 *                                +-> MSHR   |                 ^
 *                        from -> drains -> fills         fetches, write-backs
 *
 * All queues are rings that never overflow: who adds has looked for room. */
#ifndef HEDDLE_L2_SLICE_PRIV_H
#define HEDDLE_L2_SLICE_PRIV_H

#include "cache/follow.h"
#include "cache/mshr.h"
#include "l2/slice.h"
#include "mem/program.h"
#include "mem/versions.h"

struct item {
    hd_cycle ready;
    uint32_t id;  /* request; sends, drains: transfer (those of MSHRs have their numbers) */
    uint32_t aux; /* input: its set; replies: low bits of the cycle in which it was popped */
};

struct ring {
    struct item *at;
    uint32_t mask, head, tail; /* free-running */
};

static inline uint32_t ring_held(const struct ring *r)
{
    return r->tail - r->head;
}

static inline const struct item *ring_head(const struct ring *r)
{
    return &r->at[r->head & r->mask];
}

static inline void ring_add(struct ring *r, hd_cycle ready, uint32_t id, uint32_t aux)
{
    r->at[r->tail++ & r->mask] = (struct item){ready, id, aux};
}

/* Why the request at the tags cannot go on. */
enum stall {
    STALL_NONE,
    STALL_BANK,
    STALL_DATA,
    STALL_REPLY,
    STALL_MERGE,
    STALL_MSHR,
    STALL_WAYS,
    STALL_WRITEBACK,
    STALL_MISS_QUEUE,
    STALL_PASSING,
    STALLS,
};

enum outcome { OUTCOME_HIT, OUTCOME_MISS, OUTCOME_MERGE, OUTCOMES };

#define L2_STATS(S, id)                                                                            \
    S(id, COUNTER, requests, "request", "taken from the request network")                          \
    S(id, COUNTER, replies, "reply", "given to the reply network")                                 \
    S(id, COUNTER, accesses, "access", "of the tags: hits, misses and merges")                     \
    S(id, COUNTER, read_hits, "access", "reads that found all their words")                        \
    S(id, COUNTER, read_misses, "access", "reads that had their line, or the rest of it, fetched") \
    S(id, COUNTER, read_merges, "access", "reads of a line on its way")                            \
    S(id, COUNTER, write_hits, "access", "writes to a line that was there")                        \
    S(id, COUNTER, write_misses, "access", "writes that did not find their line")                  \
    S(id, COUNTER, write_merges, "access", "writes to a line on its way")                          \
    S(id, COUNTER, atomic_hits, "access", "atomics and reductions that found all their words")     \
    S(id, COUNTER, atomic_misses, "access", "atomics and reductions that had a line fetched")      \
    S(id, COUNTER, atomic_merges, "access", "atomics and reductions on a line on its way")         \
    S(id, COUNTER, global_hits, "access", "read hits in global memory")                            \
    S(id, COUNTER, global_misses, "access", "read misses in global memory")                        \
    S(id, COUNTER, global_merges, "access", "reads of global lines on their way")                  \
    S(id, COUNTER, local_hits, "access", "read hits in local memory")                              \
    S(id, COUNTER, local_misses, "access", "read misses in local memory")                          \
    S(id, COUNTER, local_merges, "access", "reads of local lines on their way")                    \
    S(id, COUNTER, const_hits, "access", "read hits of constants and parameters")                  \
    S(id, COUNTER, const_misses, "access", "read misses of constants and parameters")              \
    S(id, COUNTER, const_merges, "access", "reads of constant lines on their way")                 \
    S(id, COUNTER, tex_hits, "access", "read hits of textures")                                    \
    S(id, COUNTER, tex_misses, "access", "read misses of textures")                                \
    S(id, COUNTER, tex_merges, "access", "reads of texture lines on their way")                    \
    S(id, COUNTER, reductions, "access", "atomics without a result")                               \
    S(id, COUNTER, sectors_read, "sector", "by reads and atomics")                                 \
    S(id, COUNTER, sectors_written, "sector", "by writes and atomics")                             \
    S(id, COUNTER, bytes_read, "byte", "by reads and atomics")                                     \
    S(id, COUNTER, bytes_written, "byte", "by writes and atomics")                                 \
    S(id, COUNTER, fetches, "transfer", "reads of memory")                                         \
    S(id, COUNTER, fetched_sectors, "sector", "asked of memory")                                   \
    S(id, COUNTER, refetches, "transfer",                                                          \
      "reads for sectors that were not asked for when the line was first fetched")                 \
    S(id, COUNTER, fills, "transfer", "that came from memory")                                     \
    S(id, COUNTER, evictions, "line", "valid lines that gave way to another")                      \
    S(id, COUNTER, writebacks, "line", "dirty lines sent to memory")                               \
    S(id, COUNTER, writeback_sectors, "sector", "sent to memory")                                  \
    S(id, COUNTER, writebacks_done, "line", "whose write-back memory has confirmed")               \
    S(id, COUNTER, throughs, "transfer", "writes sent to memory at once")                          \
    S(id, COUNTER, through_sectors, "sector", "of these")                                          \
    S(id, COUNTER, throughs_done, "transfer", "of these, confirmed by memory")                     \
    S(id, COUNTER, stall_bank, "cycle", "the next request waits for its bank")                     \
    S(id, COUNTER, stall_data, "cycle", "the next request waits for the data port")                \
    S(id, COUNTER, stall_reply, "cycle", "the next request waits for a place for its reply")       \
    S(id, COUNTER, stall_merge, "cycle", "the next request waits: its MSHR holds no more")         \
    S(id, COUNTER, stall_mshr, "cycle", "the next request waits for an MSHR")                      \
    S(id, COUNTER, stall_ways, "cycle",                                                            \
      "the next request waits: all lines of its set are on "                                       \
      "their way")                                                                                 \
    S(id, COUNTER, stall_writeback, "cycle", "the next request waits for a write slot")            \
    S(id, COUNTER, stall_miss_queue, "cycle", "the next request waits for the miss queue")         \
    S(id, MEAN, mshr_occupancy, "entry", "MSHRs in use, over time")                                \
    S(id, MEAN, input_occupancy, "request", "in the pipeline and waiting at the tags, over time")  \
    S(id, MEAN, reply_occupancy, "reply", "on their way to the reply network, over time")          \
    S(id, MEAN, time, "cycle", "from the request network to the reply network")
STATS_STRUCT(l2, L2_STATS)

/* Of each program. */
#define L2_PROGRAM_STATS(S, id)                                                                    \
    S(id, COUNTER, accesses, "request", "of this program")                                         \
    S(id, COUNTER, hits, "request", "of these, hits")
STATS_STRUCT(l2_program, L2_PROGRAM_STATS)
/* Joins "l2" where a write may take no line (write_through, no write_fetch). */
#define L2_PAST_STATS(S, id)                                                                       \
    S(id, COUNTER, past_sectors, "sector", "of sectors_written: to memory only, without a line")
STATS_STRUCT(l2_past, L2_PAST_STATS)

/* Joins "l2" where the policy of the cache may refuse to keep a line. */
#define L2_REFUSED_STATS(S, id)                                                                    \
    S(id, COUNTER, read_passes, "access", "read misses that took no line and no MSHR")             \
    S(id, COUNTER, write_passes, "access", "write misses sent to memory without a line")           \
    S(id, COUNTER, unkept, "line", "fetched for those who waited, and kept nowhere")               \
    S(id, COUNTER, stall_passing, "cycle", "the next request waits to pass by")
STATS_STRUCT(l2_refused, L2_REFUSED_STATS)

/* A level over time: adding `now` when one leaves and subtracting it when one comes makes the
 * integral without visiting the cycles between. */
struct level {
    uint64_t sum, max;
};

static inline void level_up(struct level *l, hd_cycle now, uint64_t level)
{
    l->sum -= now;
    l->max = level > l->max ? level : l->max;
}

static inline void level_down(struct level *l, hd_cycle now)
{
    l->sum += now;
}

struct fetch {          /* what the slice has to remember about an MSHR */
    uint64_t filled_at; /* tick */
    uint32_t way;      /* its line in the tags, TAGS_NONE: it gets none; without a cache, an atomic:
                          the slot of its write */
    uint32_t answered; /* waiters that have got a place */
    uint8_t under_way; /* fetches: a bit for the first, and for those of further sectors */
    bool is_draining;  /* something has come, and waiters are being answered */
};

/* Each is for another sector, beside the first. */
enum { FURTHER_FETCHES = 3 };

/* A line on its way that is kept nowhere: what comes, until all who wait have got it.  Words that
 * they write go to memory then, from a slot that is taken before the first of them waits. */
struct unkept {
    struct tags_line line;
    uint32_t slot; /* SLICE_NOBODY: nobody writes */
};

/* Who waits for a transfer: a request with the low bits of the cycle in which it was popped.  A
 * write that was sent through has a place in its line's MSHR, but nobody waits there. */
#define SLICE_NOBODY UINT32_MAX
static inline uint64_t waiter_of(uint32_t popped, uint32_t id)
{
    return (uint64_t)popped << 32 | id;
}

/* One turn of the request at the tags. */
struct access {
    struct request *r;
    uint32_t id, set;
    uint32_t popped; /* low bits of the cycle */
    hd_cycle now;
};

enum { LINE_PORT_ROWS = LINE_WORDS + 1 };

struct slice {
    struct component c;
    struct port *in, *out, *to, *from;
    struct request_pool *pool;
    struct ring input, hits, fills, sends, drains;
    hd_cycle stall_since;
    uint32_t stall;               /* enum stall, of the head of `input` */
    uint32_t places, most_places; /* replies that are held */
    bool retry;                   /* something was freed that the stalled request may wait for */
    bool write_fetch, write_through, sectored, sector_fetches, gated;
    bool is_direct; /* no cache: requests and transfers are one to one */
    uint8_t reply_class;
    enum stall (*look_up)(struct slice *s, const struct access *x); /* with a cache, or without;
                                                                       observed, or not */
    enum stall (*look_up_unmet)(struct slice *s, const struct access *x); /* ... what that was, for
                                                                             slice_look_up_met */
    hd_cycle data_free, fill_free;       /* the ports of the data array */
    uint8_t port_cycles[LINE_PORT_ROWS]; /* [words]: for which a port is held; 0: not at all */
    uint32_t dirty_lines;                /* that a set may have; 0: all of them */
    uint32_t input_queue;
    uint32_t miss_room; /* two queues to memory: places of the first; 0: only the port */
    uint32_t natomics;  /* without a cache: that hold their lines */
    uint32_t nacks;     /* of drains: confirmed writes */
    uint32_t latency, hit_latency, fill_latency, bank_cycles, atomic_cycles;
    uint32_t banks, most_input, flit_bytes, serial;
    hd_cycle *bank_free;      /* [banks] */
    uint64_t bank_reciprocal; /* 2^64 / banks, rounded up; 0 stands for 2^64 */
    struct tags tags;
    struct mshr mshr;
    uint16_t *mshr_of;   /* [line of the tags]: of one that is RESERVED */
    struct fetch *fetch; /* [mshrs] */
    struct transfer *transfers;
    uint32_t nwritebacks, nfree;
    uint32_t *free_writebacks; /* a stack of transfer numbers */
    uint64_t *writer;          /* [nwritebacks]: who waits for the write */
    uint64_t unconfirmed;      /* requests that wait in `writer` */
    struct unkept *unkept;     /* [mshrs], of those without a line; NULL: the policy keeps all */
    uint32_t nunkept, nheld;   /* MSHRs without a line; their slots */
    uint32_t npassing, most_passing;
    uint32_t *free_passing;    /* a stack of transfer numbers: most_passing - npassing are free */
    uint64_t *passer;          /* [most_passing]: who waits for the read */
    struct versions *versions; /* NULL: not kept */
    struct level mshr_level, input_level, reply_level;
    struct slice_options opt;
    struct l2_stats stats;
    struct l2_program_stats *of; /* [MAX_PROGRAMS]; NULL: programs are not counted apart */
    struct l2_past_stats past;
    struct l2_refused_stats refused;
};

/* The line that an MSHR is for, in the tags or kept nowhere. */
static inline struct tags_line *slice_line(const struct slice *s, uint32_t entry)
{
    uint32_t i = s->fetch[entry].way;
    return i != TAGS_NONE ? &s->tags.line[i] : &s->unkept[entry].line;
}

/* Transfers are those of MSHRs, write slots, reads that pass by, and the further fetches of MSHRs, in
 * this order. */
static inline uint32_t slice_first_passing(const struct slice *s)
{
    return s->mshr.entries + s->nwritebacks;
}

static inline uint32_t slice_first_further(const struct slice *s)
{
    return slice_first_passing(s) + s->most_passing;
}

static inline bool slice_is_fetch(const struct slice *s, uint32_t transfer)
{
    return transfer < s->mshr.entries || transfer >= slice_first_further(s);
}

/* A set lives in one bank: set modulo banks, as the fraction of set / banks times banks (Lemire et
 * al., "Faster remainder by direct computation", 2019). */
static inline uint32_t slice_bank(const struct slice *s, uint32_t set)
{
    return (uint32_t)((unsigned __int128)(s->bank_reciprocal * set) * s->banks >> 64);
}

/* Has the host fetch what the access of this request will read, once per request: when it is this
 * far from the tags, or when it comes. */
enum { SLICE_AHEAD = 3 };
static inline void slice_prefetch(const struct slice *s, const struct item *in)
{
    tags_prefetch(&s->tags, in->aux);
    __builtin_prefetch(&s->pool->at[in->id], 1);
}

/* slice_access.c: one access of the head of `input`, if it can. */
void slice_access(struct slice *s, hd_cycle now);
enum stall slice_look_up(struct slice *s, const struct access *x);
/* The time for which the head of `input` has been stalled is counted up to `now`. */
void slice_settle_stall(struct slice *s, hd_cycle now);
/* A write goes to memory; nothing of it stays here. */
enum stall slice_pass_write(struct slice *s, const struct access *x);
/* Line i of the tags, or TAGS_NONE, is fetched for the access; returns its MSHR. */
uint32_t slice_start_fetch(struct slice *s, const struct access *x, uint32_t i);
/* The access waits for the line that the MSHR fetches, or sends its words through besides. */
enum stall slice_merge(struct slice *s, const struct access *x, uint32_t entry);

/* slice_pass.c: an access to a line that is not in the tags, under a policy.  False: it takes a
 * line like any other; true: *why says what became of it. */
bool slice_refuses(struct slice *s, const struct access *x, enum stall *why);
/* All who waited in an MSHR without a line have been answered. */
void slice_let_go(struct slice *s, uint32_t entry);
/* The read of this transfer has come; it is answered. */
void slice_passed(struct slice *s, uint32_t transfer, hd_cycle now);
void slice_answer_passed(struct slice *s, uint32_t transfer, hd_cycle now);

/* slice_direct.c: an access, and what came for it, without a cache. */
enum stall slice_direct(struct slice *s, const struct access *x);
void slice_direct_answer(struct slice *s, uint32_t entry, hd_cycle now);

/* slice_watch.c: the same as slice_look_up, and as any of them, with an observer. */
enum stall slice_look_up_watched(struct slice *s, const struct access *x);
enum stall slice_look_up_met(struct slice *s, const struct access *x);

/* slice_fill.c: takes a transfer from memory; answers one that waited. */
void slice_fill(struct slice *s, hd_cycle now);
void slice_drain(struct slice *s, hd_cycle now);

/* slice_step.c */
/* Words that must be there before the request can be performed. */
uint32_t slice_needs(const struct slice *s, const struct request *r);
void slice_count(struct slice *s, const struct request *r, enum outcome o);
void slice_perform(struct slice *s, struct tags_line *l, struct request *r);
/* A request may have made the line, which is in the tags, dirty: perhaps another one of its set is written
 * back. */
void slice_clean(struct slice *s, const struct tags_line *l, hd_cycle now);
/* There is a place. */
void slice_add_reply(struct slice *s, struct ring *to, hd_cycle now, const struct item *reply);
/* Whether n transfers can be sent now. */
bool slice_can_send(struct slice *s, hd_cycle now, uint32_t n);
void slice_send_fetch(struct slice *s, uint32_t entry, uint8_t sectors);
/* The dirty words of the line at `address`, from `slot`: named now, sent later. */
void slice_write_back(struct slice *s, uint32_t slot, uint64_t address, const struct tags_line *l);
void slice_send_write_back(struct slice *s, uint32_t slot);
/* A write slot, of which one must be free. */
uint32_t slice_take_slot(struct slice *s);
void slice_free_slot(struct slice *s, uint32_t slot);
/* The words of the request to memory, from `slot`; `waits`: it is answered when they are there. */
void slice_send_through(struct slice *s, const struct request *r, uint32_t slot, uint64_t waits);
/* The access waits in an MSHR, or in the slot of its write, from now on. */
void slice_wait_in(struct slice *s, const struct access *x, uint32_t entry);

static inline uint32_t slice_count_sectors(uint8_t sectors)
{
    return (uint32_t)(0x4332322132212110u >> (4 * (sectors & 15)) & 15);
}

/* The next transfer from memory is a fill, and the port for fills is held. */
static inline bool slice_waits_to_fill(const struct slice *s, hd_cycle now)
{
    return s->fill_free > now && port_held(s->from) > 0 &&
           slice_is_fetch(s, (uint32_t)port_peek(s->from));
}

/* Holds a port of the data array for so many words. */
static inline void slice_hold(const struct slice *s, hd_cycle *port, hd_cycle now, uint32_t words)
{
    *port = now + s->port_cycles[words];
}

/* slice_audit.c */
bool slice_audit(const struct component *c, struct err *e);
void slice_waits(const struct component *c, struct waitgraph *g);

/* slice.c: the reply that is next leaves, if it is ready and there is room. */
bool slice_send_reply(struct slice *s, hd_cycle now);
/* slice_perfect.c */
hd_cycle slice_perfect_tick(struct component *c, hd_cycle now);

#endif
