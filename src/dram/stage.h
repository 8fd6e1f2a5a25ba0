/* stage.h - transfers that wait before the queue of a channel, reads and writes apart (mc.staging).
 *
 *     arrivals ─→ reads  ─┐   one per cycle, the first for whose bank there is room
 *             └→ writes ─┴──→ queue of the channel
 *
 * Reads go first; writes go in batches: all that wait when a batch begins.  One begins when they fill
 * their half, when more than `above` wait and the queue is empty, when one has waited for `after`
 * cycles, or when a read wants what a write brings.  Transfers of one line keep their order when one
 * of them is a write: a read waits for older writes, and a batch ends at a write that an older read
 * is before.
 *
 * The structure, the two thresholds and the end of a batch are DRAMsim3's (its transaction queue, with
 * `above` 8 and no `after`: there writes are acknowledged before they are done, and a few may stay for
 * ever).  Not modelled: answering reads from waiting writes, merging of writes. */
#ifndef HEDDLE_DRAM_STAGE_H
#define HEDDLE_DRAM_STAGE_H

#include "dram/channel.h"

struct stage_list { /* in order of arrival */
    uint32_t n;
    uint32_t nbehind; /* that have to wait for one of the other list */
    uint16_t *bank;   /* of each, apart: all that most steps look at */
    struct queue_entry
        *at; /* rank: number of its arrival here; after: that of whom it waits for, or 0 */
    hd_cycle *since;
};

struct stage {
    struct stage_list of[2]; /* reads, writes */
    uint32_t room, above;    /* room: of each */
    hd_cycle after;
    uint32_t left; /* writes of the batch; 0: there is none */
    uint64_t arrivals;
};

struct stage_options {
    uint32_t room, above;
    hd_cycle after; /* HD_NEVER: never */
};

void stage_init(struct stage *s, struct arena *a, const struct stage_options *opt);

static inline bool stage_has_room(const struct stage *s, bool is_write)
{
    return s->of[is_write].n < s->room;
}
static inline uint32_t stage_held(const struct stage *s)
{
    return s->of[0].n + s->of[1].n;
}

void stage_add(struct stage *s, hd_cycle now, const struct queue_entry *from); /* needs room */
/* Once per cycle in which the channel was ticked, after it: moves at most one. */
void stage_step(struct stage *s, struct channel *ch, hd_cycle now);
/* The next cycle in which a step could do something if no command is issued and nothing comes
 * before. */
hd_cycle stage_next(const struct stage *s, const struct channel *ch, hd_cycle now);

#endif
