/* clock.c - the least common tick of a set of clocks. */
#include "sim/clock.h"

#include <math.h>

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

bool clock_plan(struct clock_plan *p, const double *hz, int n, struct err *e)
{
    const uint64_t limit = UINT64_MAX / (24ull * 3600 * 1000);
    uint64_t khz[8];
    HD_ASSERT(n >= 1 && n <= 8, "%d clock domains", n);
    p->ticks_per_ms = 1;
    for (int i = 0; i < n; i++) {
        if (!(hz[i] >= 1e3 && hz[i] <= 1e12))
            return err_set(e, STATUS_BAD_INPUT, "a clock of %g Hz is outside 1kHz..1000GHz", hz[i]);
        khz[i] = (uint64_t)llround(hz[i] / 1e3);
        uint64_t step = khz[i] / gcd(p->ticks_per_ms, khz[i]);
        if (p->ticks_per_ms > limit / step)
            return err_set(e, STATUS_BAD_INPUT,
                           "the clocks have no common tick of a useful length (%g Hz)", hz[i]);
        p->ticks_per_ms *= step;
    }
    for (int i = 0; i < n; i++)
        p->period[i] = p->ticks_per_ms / khz[i];
    return true;
}
