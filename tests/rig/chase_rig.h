/* chase_rig.h - pointer chases, and what the delays of a machine add up to for them.
 *
 * One thread, each load needs the one before.  A load is followed along its way, each time in the
 * cycles of the clock that it is in; a port to another clock shows what was written at the reader's
 * first edge after it (docs/model/micro.md).  Everything is in slice 0 and asked for by cluster 0.
 *
 *     uint64_t cold = chase_rig_run(&r, STREAM_GLOBAL, 10, 128);
 *     CHECK_EQ(cold, chase_rig_sum(&r, STREAM_GLOBAL, 10, ROW_CLOSED, ROW_OPEN)); */
#ifndef RIG_CHASE_RIG_H
#define RIG_CHASE_RIG_H

#include "rig/machine_rig.h"

/* Where a load that misses the L1 finds its line: in the L2, or in a row of DRAM that is open, in a
 * bank with none open, with another one open. */
enum chase_rig_place { IN_L2 = -1, ROW_OPEN, ROW_CLOSED, ROW_OTHER };

/* Loads word 0, then that `stride` bytes on, and so on.  SM cycles of the kernel. */
uint64_t chase_rig_run(struct machine_rig *r, enum stream_space space, uint32_t loads,
                       uint64_t stride);

/* What the last kernel took if it was a chase whose loads all miss the L1: SM cycles. */
uint64_t chase_rig_sum(const struct machine_rig *r, enum stream_space space, uint32_t loads,
                       enum chase_rig_place first, enum chase_rig_place rest);

#endif
