/* spread.h - how the execution times of a kernel's CTAs are spread, and whether a Gaussian fits them.
 * Private to src/analysis. */
#ifndef HEDDLE_ANALYSIS_SPREAD_H
#define HEDDLE_ANALYSIS_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

struct spread {
    uint32_t n;
    uint64_t least, most;
    double mean, sigma;
    /* The largest distance between the distribution of the times and that of the Gaussian of the same
     * mean and sigma; 0 where it is not fitted (below). */
    double misfit;
    bool is_fitted, is_gaussian; /* is_gaussian: not refuted at 5 % */
};

/* Sorts the times.  A Gaussian is fitted where there are at least eight that are not all the same. */
struct spread spread_of(uint64_t *time, uint32_t n);
/* The standard deviation of the mean times of rows, `width` CTAs each by their ids; NAN where there are
 * fewer than two rows.  The paper's groups qx are rows. */
double spread_of_rows(const uint64_t *cta, const uint64_t *time, uint32_t n, uint32_t width);

#endif
