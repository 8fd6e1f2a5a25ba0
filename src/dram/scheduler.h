/* scheduler.h - the plug-point for MC schedulers: one file, one line in schedulers.def.
 *
 * A scheduler does not see time.  Whenever the head of one of the lists of a bank (queue.h), or
 * its open row, has changed, it is asked which heads may compete, and enters them by queue_offer():
 *
 *     CLASS_READ, CLASS_WRITE  a transfer that hits the open row: its next column command
 *     CLASS_OPEN               a transfer whose bank is closed
 *     CLASS_CLOSE              a transfer that needs another row than the open one
 *
 * A bank has at most one competitor per class.  The channel knows the earliest legal cycle of
 * each competitor's next command and sleeps until then; of several that are legal in the same
 * cycle the one with the smallest rank goes first (its arrival, for all that are here so far).
 *
 * What it may look at is in queue.h: per bank the transfers that hit the open row (reads and
 * writes apart) and those that do not, each list in order of arrival. */
#ifndef HEDDLE_DRAM_SCHEDULER_H
#define HEDDLE_DRAM_SCHEDULER_H

#include "dram/queue.h"

struct cfg_section;

struct scheduler {
    const char *name, *help;
    const struct cfg_section *section; /* parameters of its own; NULL: none */
    /* What its parameters make of it, chosen once, so that what is off costs nothing; may be NULL,
     * and may return NULL: itself. */
    const struct scheduler *(*variant)(const struct config *cfg);
    /* The state of one channel of so many banks, which is queue.state then; may be NULL. */
    void *(*begin)(struct arena *a, const struct config *cfg, uint32_t banks);
    /* Says for each class of `bank` who competes, or that nobody does.  Called after each arrival
     * that is first in its list, each change of the row, and each last command of a transfer. */
    void (*elect)(struct queue *q, uint32_t bank);
    /* Told of every command, after what it changed, and before the channel looks for the next one;
     * may be NULL. */
    void (*issued)(struct queue *q, uint32_t bank);
    /* Transfers of one bank that may be queued, out of `queue` for all of `banks`; NULL: all. */
    uint32_t (*share)(uint32_t queue, uint32_t banks);
};

extern const struct scheduler *const scheduler_all[];
extern const int scheduler_count;
const struct scheduler *scheduler_find(const char *name); /* NULL: there is none */
/* The variant of `s` that the parameters ask for. */
const struct scheduler *scheduler_variant(const struct scheduler *s, const struct config *cfg);
/* The sections of all schedulers; returns their number. */
int scheduler_sections(const struct cfg_section **all, int room);

#endif
