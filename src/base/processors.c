/* processors.c - see processors.h.  Linux tells how many threads are running, our own included, which do not
 * count: one that executes the next kernel is soon done.  Where nobody tells, others are taken to be busy.  One
 * that runs for a moment (a shell that has just started us) is no reason to leave a processor idle: the
 * least of a few looks counts. */
#define _GNU_SOURCE
#include "base/processors.h"

#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
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

/* "12 (a name) R ..." */
static bool is_running(const char *thread)
{
    char path[64], line[128];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", thread);
    FILE *f = fopen(path, "r");
    if (!f)
        return false; /* it has ended */
    const bool is_read = fgets(line, sizeof line, f) != NULL;
    fclose(f);
    const char *name_end = is_read ? strrchr(line, ')') : NULL;
    return name_end && strncmp(name_end, ") R", 3) == 0;
}

uint32_t processors_own_threads(void)
{
    uint32_t n = 0;
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *t; d && (t = readdir(d));)
        n += t->d_name[0] != '.' && is_running(t->d_name);
    if (d)
        closedir(d);
    return n ? n : 1;
}

static uint32_t others_running(void)
{
    const uint32_t all = threads_running(), own = processors_own_threads();
    return all == UINT32_MAX ? all : all > own ? all - own : 0;
}

uint32_t processors_idle(void)
{
    const struct timespec between = {.tv_nsec = BETWEEN_NS};
    const uint32_t all = processors_allowed();
    uint32_t others = others_running();
    for (int i = 1; i < LOOKS && others > 0 && all > 1; i++) {
        nanosleep(&between, NULL);
        uint32_t now = others_running();
        others = now < others ? now : others;
    }
    return others < all ? all - others : 1;
}
