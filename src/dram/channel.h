/* channel.h - one DRAM channel: command bus, data bus, banks, refresh, and the queue before it.
 *
 *     every cycle in which something is due:   channel_tick(ch, now)
 *                                              channel_add(ch, now, ...) as room allows
 *                                              now = channel_next(ch, now)
 *
 * A transfer added at `now` competes from the next cycle on.  What the channel will do next is
 * planned as soon as it can be known: the legal cycle of a command depends on past commands only.
 * Between `now` and channel_next() nothing happens unless something is added. */
#ifndef HEDDLE_DRAM_CHANNEL_H
#define HEDDLE_DRAM_CHANNEL_H

#include "dram/queue.h"
#include "dram/timing.h"
#include "mem/program.h"
#include "sim/stats.h"

#define DRAM_STATS(S, id)                                                                          \
    S(id, COUNTER, reads, "transfer", "reads answered")                                            \
    S(id, COUNTER, writes, "transfer", "writes done")                                              \
    S(id, COUNTER, read_bursts, "burst", "read commands")                                          \
    S(id, COUNTER, write_bursts, "burst", "write commands")                                        \
    S(id, COUNTER, read_bytes, "byte", "on the data bus, whole bursts")                            \
    S(id, COUNTER, write_bytes, "byte", "on the data bus, whole bursts")                           \
    S(id, COUNTER, row_hits, "transfer", "that found their row open")                              \
    S(id, COUNTER, row_misses, "transfer", "that found their bank closed")                         \
    S(id, COUNTER, row_conflicts, "transfer", "for which another row had to be closed")            \
    S(id, COUNTER, activates, "command", "rows opened")                                            \
    S(id, COUNTER, precharges, "bank", "rows closed, those before a refresh included")             \
    S(id, COUNTER, refreshes, "command", "of all banks")                                           \
    S(id, COUNTER, turnarounds, "", "changes of the data bus between reading and writing")         \
    S(id, COUNTER, bus_busy, "cycle", "of the data bus with data, as reserved by commands")        \
    S(id, COUNTER, pending, "cycle", "with transfers in the queue")                                \
    S(id, COUNTER, row_open, "cycle", "with an open row in at least one bank")                     \
    S(id, COUNTER, queued, "transfer x cycle", "occupancy of the queue, summed over time")         \
    S(id, COUNTER, bank_busy, "bank x cycle",                                                      \
      "banks with a queued transfer, or with the data of one still on its way")                    \
    S(id, COUNTER, bank_idle, "bank x cycle", "all others")                                        \
    S(id, COUNTER, cycles, "cycle", "of the command clock")                                        \
    S(id, MEAN, read_latency, "cycle", "from the slice's port to the last beat")
STATS_STRUCT(dram, DRAM_STATS)

/* Of each program. */
#define DRAM_PROGRAM_STATS(S, id)                                                                  \
    S(id, COUNTER, read_bytes, "byte", "of this program on the data bus, whole bursts")            \
    S(id, COUNTER, write_bytes, "byte", "of this program on the data bus, whole bursts")
STATS_STRUCT(dram_program, DRAM_PROGRAM_STATS)

enum channel_command {
    COMMAND_READ,
    COMMAND_WRITE,
    COMMAND_ACTIVATE,
    COMMAND_PRECHARGE,
    COMMAND_PRECHARGE_ALL,
    COMMAND_REFRESH,
    CHANNEL_COMMANDS,
};

struct channel_event { /* a command as it went over the bus */
    hd_cycle at;
    enum channel_command command;
    uint32_t bank, row; /* bank: not for PRECHARGE_ALL, REFRESH; row: ACTIVATE, READ, WRITE */
};

/* Sees every command; fn may be NULL.  A scheduler that wants to be told of them is there first: who
 * takes its place tells it. */
struct channel_watcher {
    void (*fn)(void *ctx, const struct channel_event *ev);
    void *ctx;
};

struct channel_done {
    hd_cycle at; /* end of the last beat */
    hd_cycle accepted;
    uint64_t item;
    bool is_write;
};

struct channel_plan { /* the next command */
    hd_cycle at;      /* HD_NEVER: none */
    uint32_t what;    /* class * banks + bank; or the step of a refresh, beyond them */
};

struct channel {
    struct dram_timing t;
    /* No command of a class before any[class], nor in its bank before ready[class * banks + bank].
     * Reads and writes have the same times in ready[]. */
    hd_cycle any[QUEUE_CLASSES];
    hd_cycle *ready;
    struct channel_plan plan[2]; /* of all commands; or of rows, and of columns */
    uint64_t plan_mask[2][QUEUE_WORDS];
    uint32_t nopen; /* banks */
    bool is_stale;  /* the plans are from before the last command */
    bool was_write, has_transferred;
    hd_cycle four[4]; /* when each of the last four activates leaves the window */
    uint32_t four_at;
    hd_cycle refresh_due; /* HD_NEVER: never */
    struct queue q;
    struct channel_done *done; /* ring, in order of time */
    uint32_t done_mask, done_head, done_tail;
    struct channel_watcher watcher;
    bool *was_closed_on_demand;        /* by bank */
    hd_cycle settled, open_since;      /* of row_open */
    hd_cycle *busy_since, *busy_until; /* by bank */
    uint64_t busy_closed;              /* bank_busy over intervals that are known to end */
    struct dram_stats stats;
    struct dram_program_stats *of; /* [MAX_PROGRAMS]; NULL: programs are not counted apart */
};

struct channel_options {
    struct dram_timing timing;
    const struct scheduler *scheduler;
    const struct config *cfg; /* for the scheduler */
    uint32_t queue;
    uint32_t bank_queue; /* each bank has a queue of its own, of this size; 0: they share `queue` */
};

void channel_init(struct channel *ch, struct arena *a, const struct channel_options *opt);

static inline bool channel_is_full(const struct channel *ch)
{
    return ch->q.count == ch->q.capacity;
}

static inline bool channel_has_room(const struct channel *ch, uint32_t bank)
{
    return queue_has_room(&ch->q, bank);
}

void channel_add(struct channel *ch, hd_cycle now, const struct queue_entry *e);
void channel_tick(struct channel *ch, hd_cycle now); /* issues what is planned for `now` */
hd_cycle channel_next(struct channel *ch, hd_cycle now);
void channel_settle(struct channel *ch, hd_cycle now);
bool channel_audit(const struct channel *ch, struct err *e);

/* Transfers whose commands are all issued, oldest first. */
static inline const struct channel_done *channel_first_done(const struct channel *ch)
{
    return ch->done_head == ch->done_tail ? NULL : &ch->done[ch->done_head & ch->done_mask];
}

static inline void channel_drop_done(struct channel *ch)
{
    ch->done_head++;
}

static inline uint32_t channel_held(const struct channel *ch)
{
    return ch->q.count + (ch->done_tail - ch->done_head);
}

#endif
