/* dram_rig.h - one DRAM channel under traces, and a slow judge of its commands.
 *
 * The judge knows nothing of the channel but the parameters: it keeps every command and looks at
 * all pairs that are near enough to matter. */
#ifndef HEDDLE_TESTS_RIG_DRAM_RIG_H
#define HEDDLE_TESTS_RIG_DRAM_RIG_H

#include "dram/channel.h"
#include "dram/stage.h"

struct dram_request {
    hd_cycle at; /* not offered before */
    uint32_t bank, row;
    uint64_t line;
    uint8_t bursts;
    bool is_write;
};

struct dram_trace {
    uint32_t n;
    struct dram_request *at;
};

struct dram_log {
    uint32_t n, capacity;
    struct channel_event *at;
    struct channel_watcher next; /* who looked before */
};

enum { DRAM_RUN_SETS = 4 };

struct dram_run {
    const struct dram_spec *spec;
    const char *scheduler;
    const char *set[DRAM_RUN_SETS]; /* of the scheduler's parameters; up to the first NULL */
    uint32_t queue, bank_queue;
    struct stage_options
        stage;            /* room 0: none; then one transfer at a time waits before the queue */
    bool ticks_always;    /* every cycle, not only when something is due */
    struct dram_log *log; /* may be NULL */
    uint32_t limit;       /* requests; 0: all */
};

struct dram_outcome {
    hd_cycle cycles; /* end of the last beat */
    uint32_t served; /* requests; all but writes that a stage keeps for ever */
    double read_latency, write_latency;
    hd_cycle *done; /* by request */
    struct dram_stats stats;
    uint64_t visits; /* cycles in which the channel was looked at */
};

/* "gddr5", "gddr5_faw", "gddr5_bg", "gddr3": what the reference numbers are of. */
struct dram_spec dram_rig_spec(struct arena *a, const char *name);
struct config *dram_rig_config(struct arena *a);
struct dram_trace dram_rig_trace(struct arena *a, const char *name); /* tests/data/dram */
/* Random traffic in bursts with pauses: few rows and lines per bank, so that both recur. */
struct dram_trace dram_rig_random(struct arena *a, uint64_t seed, uint32_t n,
                                  const struct dram_spec *s);
struct dram_outcome dram_rig_play(struct arena *a, const struct dram_trace *t,
                                  const struct dram_run *run);

struct dram_log *dram_rig_log(struct arena *a, uint32_t capacity);
/* NULL when all is legal; else what is not. */
const char *dram_rig_judge(struct arena *a, const struct dram_log *log, const struct dram_spec *s);
/* Whether the last command of the log comes late enough after all others; rows are not looked at. */
bool dram_rig_is_late_enough(const struct dram_log *log, const struct dram_spec *s);

#endif
