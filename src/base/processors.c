/* processors.c - see processors.h.  Linux tells how many threads are running, this one included; where nobody
 * tells, others are taken to be busy.  One that runs for a moment (a shell that has just started us) is no
 * reason to leave a processor idle: the least of a few looks counts. */
#define _GNU_SOURCE
#include "base/processors.h"

#include <sched.h>
#include <stdio.h>
#include <time.h>

enum { LOOKS = 5, BETWEEN_NS = 500000 };

uint32_t processors_allowed(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1; /* a host with more processors than the set has bits for */
    int n = CPU_COUNT(&set);
    return n > 0 ? (uint32_t)n : 1;
}

static uint32_t threads_running(void)
{
    uint32_t running = UINT32_MAX;
    FILE *f = fopen("/proc/loadavg", "r");
    if (!f)
        return running;
    if (fscanf(f, "%*s %*s %*s %u/", &running) != 1)
        running = UINT32_MAX;
    fclose(f);
    return running;
}

uint32_t processors_idle(void)
{
    const struct timespec between = {.tv_nsec = BETWEEN_NS};
    const uint32_t all = processors_allowed();
    uint32_t least = threads_running();
    for (int i = 1; i < LOOKS && least > 1 && all > 1; i++) {
        nanosleep(&between, NULL);
        uint32_t running = threads_running();
        least = running < least ? running : least;
    }
    const uint32_t others = least > 0 ? least - 1 : 0;
    return others < all ? all - others : 1;
}
