/* l2_clock.h - when an L2 slice does what, cycle by cycle and as plainly as possible.
 *
 * Goes through a run of the rig once more: requests come when they came, the network takes replies
 * and memory takes and returns transfers when they did.  The outcome is when every request is answered and which transfers
 * leave when.  For one clock. */
#ifndef HEDDLE_TESTS_RIG_L2_CLOCK_H
#define HEDDLE_TESTS_RIG_L2_CLOCK_H

#include "rig/cache_model.h"
#include "rig/l2_rig.h"

/* NULL, or how the slice of the rig, which has finished, did not do what it should have. */
const char *l2_clock_judge(const struct l2_rig *r);

#endif
