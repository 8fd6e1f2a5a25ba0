/* characterise_levels.c - where a curve is flat, and where it goes from one level to the next.
 *
 * A level is a longest run of points within 3 % of its first one's neighbourhood; runs of fewer points
 * than MIN_POINTS are on the way from one to the next. */
#include <math.h>
#include <stdlib.h>

#include "cli/characterise.h"

enum { MIN_POINTS = 2 };
static const double FLAT = 0.03;

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double median(const double *y, uint32_t n)
{
    struct arena *a = arena_new();
    double *sorted = ARENA_ARRAY(a, double, n);
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = y[i];
    qsort(sorted, n, sizeof *sorted, by_value);
    double m = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    arena_free(a);
    return m;
}

/* How many points from here on differ by no more than FLAT. */
static uint32_t run_from(const double *y, uint32_t n)
{
    double low = y[0], high = y[0];
    uint32_t length = 0;
    while (length < n && isfinite(y[length])) {
        low = y[length] < low ? y[length] : low;
        high = y[length] > high ? y[length] : high;
        if (high > low * (1 + FLAT))
            break;
        length++;
    }
    return length;
}

/* Where the curve first passes the middle between two levels, on a logarithmic axis. */
static double passes(const double *x, const double *y, uint32_t n, const struct level *from,
                     const struct level *to)
{
    double middle = (from->value + to->value) / 2;
    for (uint32_t i = 0; i + 1 < n; i++) {
        bool is_between = x[i] >= from->to && x[i] < to->from;
        if (is_between && (y[i] < middle) != (y[i + 1] < middle)) {
            double part = (middle - y[i]) / (y[i + 1] - y[i]);
            return x[i] * pow(x[i + 1] / x[i], part);
        }
    }
    return (double)NAN;
}

static bool is_same(const struct level *a, double value)
{
    return fabs(value / a->value - 1) <= FLAT;
}

uint32_t levels_of(const double *x, const double *y, uint32_t n, struct level *levels,
                   uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n;) {
        uint32_t length = run_from(y + i, n - i);
        if (length >= MIN_POINTS) {
            struct level l = {median(y + i, length), x[i], x[i + length - 1], (double)NAN};
            if (count > 0 && is_same(&levels[count - 1], l.value))
                levels[count - 1].to = l.to;
            else if (count < most)
                levels[count++] = l;
        }
        i += length ? length : 1;
    }
    for (uint32_t i = 0; i + 1 < count; i++)
        levels[i].until = passes(x, y, n, &levels[i], &levels[i + 1]);
    return count;
}
