/* study_page_scatter.h - measured values over those of the paper, on one logarithmic scale along both
 * axes: what is on the diagonal is the same. */
#ifndef HEDDLE_REPORT_STUDY_PAGE_SCATTER_H
#define HEDDLE_REPORT_STUDY_PAGE_SCATTER_H

#include "study/verdict.h"

struct study_page_point {
    uint32_t row, column;
    double paper, measured; /* above 0: others have no place */
};

struct study_page_scatter {
    uint32_t n;
    struct study_page_point *points;
    double low, high; /* of both axes: 1, 2 or 5 times a power of ten */
    double *ticks;
    uint32_t nticks;
};

const struct study_page_scatter *study_page_scatter_of(struct arena *a,
                                                       const struct verdict_figure *v);
/* Where along an axis, from 0 to 1. */
double study_page_scatter_at(const struct study_page_scatter *s, double v);

#endif
