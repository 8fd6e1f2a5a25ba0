/* deal.h - work dealt out to tasks so that they take about equally long. */
#ifndef HEDDLE_STUDY_DEAL_H
#define HEDDLE_STUDY_DEAL_H

#include <stdint.h>

#include "base/arena.h"

/* The longest first, each to the task that has least so far (of equals the first) and fewer than
 * `most`; tasks * most >= n.  So no task takes longer than the average and one piece.  Writes the
 * task of each piece; the same weights are always dealt the same way. */
void deal(struct arena *a, const double *weights, uint32_t n, uint32_t tasks, uint32_t most,
          uint32_t *task_of);

#endif
