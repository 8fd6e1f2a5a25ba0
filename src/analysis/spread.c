/* spread.c - see spread.h.
 *
 * The test is that of Kolmogorov and Smirnov with mean and sigma taken from the sample (H. W. Lilliefors,
 * JASA 62, 1967), its 5 % point by M. A. Stephens, "EDF Statistics for Goodness of Fit and Some
 * Comparisons", JASA 69, 1974, case 3. */
#include "analysis/spread.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/lines.h"

enum { FEWEST = 8 };

static int compare_times(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static double gaussian(double x) /* of standard deviations: the part below */
{
    return 0.5 * erfc(-x / sqrt(2));
}

static double largest_distance(const uint64_t *time, const struct spread *s)
{
    double most = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        double f = gaussian(((double)time[i] - s->mean) / s->sigma);
        most = fmax(most, fmax(f - (double)i / s->n, (double)(i + 1) / s->n - f));
    }
    return most;
}

static bool is_refuted(double distance, uint32_t n)
{
    double root = sqrt(n);
    return distance * (root - 0.01 + 0.85 / root) > 0.895;
}

struct spread spread_of(uint64_t *time, uint32_t n)
{
    struct spread s = {.n = n};
    double sum = 0, squares = 0;
    if (n == 0)
        return s;
    qsort(time, n, sizeof *time, compare_times);
    for (uint32_t i = 0; i < n; i++)
        sum += (double)time[i];
    s.least = time[0];
    s.most = time[n - 1];
    s.mean = sum / n;
    for (uint32_t i = 0; i < n; i++)
        squares += ((double)time[i] - s.mean) * ((double)time[i] - s.mean);
    s.sigma = n > 1 ? sqrt(squares / (n - 1)) : 0;
    s.is_fitted = n >= FEWEST && s.least < s.most;
    if (s.is_fitted) {
        s.misfit = largest_distance(time, &s);
        s.is_gaussian = !is_refuted(s.misfit, n);
    }
    return s;
}

/* ---- rows ---- */

struct row {
    double sum;
    uint32_t n;
};

static double mean_of(const struct lines *rows, uint32_t i)
{
    const struct row *r = lines_at(rows, i);
    return r->sum / r->n;
}

static double deviation(const struct lines *rows)
{
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < rows->n; i++)
        sum += mean_of(rows, i);
    for (uint32_t i = 0; i < rows->n; i++)
        squares += pow(mean_of(rows, i) - sum / rows->n, 2);
    return rows->n > 1 ? sqrt(squares / (rows->n - 1)) : NAN;
}

double spread_of_rows(const uint64_t *cta, const uint64_t *time, uint32_t n, uint32_t width)
{
    struct lines rows = {.bytes = sizeof(struct row)};
    for (uint32_t i = 0; i < n; i++) {
        struct row *r = lines_at(&rows, lines_add(&rows, cta[i] / width));
        r->sum += (double)time[i];
        r->n++;
    }
    double sigma = deviation(&rows);
    lines_clear(&rows);
    return sigma;
}
