/* study_page_sweep.h - columns of a figure that a sweep made, placed by the axes of the sweep: one of
 * them runs along the x axis, the combinations of the others are the series. */
#ifndef HEDDLE_REPORT_STUDY_PAGE_SWEEP_H
#define HEDDLE_REPORT_STUDY_PAGE_SWEEP_H

#include "study/study.h"

struct study_page_sweep {
    const char *axis; /* along x: "l1.size" */
    uint32_t nslots, nseries;
    const char **slot, **series;   /* labels */
    uint32_t *slot_of, *series_of; /* [columns of the figure] */
};

/* NULL: its columns are not all of one sweep, or differ in fewer than two axes.  The axis along x is
 * the first of numbers, or else the first. */
const struct study_page_sweep *study_page_sweep_of(struct arena *a, const struct study *s,
                                                   const struct study_figure *f);

#endif
