/* timeline.h - a run as a timeline that Perfetto and chrome://tracing open (Trace Event Format).
 *
 *   process "GPU"   kernels 1    one slice for each launch
 *                   counters     IPC, bandwidth, latency parts, ... per sampling period
 *   process "SMs"   SM 0 #0      slices of the CTAs that ran in this CTA slot of this SM
 *                   SM 0 #1      ...
 *
 * Events are written as they come, in any order of time; nothing is kept but which tracks have
 * a name.  Times are given in cycles of one clock and written in microseconds of simulated
 * time, cut to whole nanoseconds so that slices that touch in cycles touch in the file too. */
#ifndef HEDDLE_REPORT_TIMELINE_H
#define HEDDLE_REPORT_TIMELINE_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/json.h"

struct timeline;

struct timeline_kernel {
    const char *name;
    uint32_t track; /* kernels that run at the same time are on tracks of their own: 0, 1, ... */
    uint32_t grid[3], block[3];
    uint64_t begin, end;
};

struct timeline_cta {
    const char *kernel;
    uint32_t sm, slot, cta; /* cta: linear id in its grid */
    uint64_t begin, end;
};

/* One value of a counter track; several with one name are shown stacked. */
struct timeline_value {
    const char *name;
    double value; /* NaN is shown as 0: a track keeps its value until the next one */
};

/* `out` is the caller's, who makes it appear whole or not at all; the clock is in Hz.  SMs and
 * slots are less than those given here. */
struct timeline *timeline_new(struct arena *a, FILE *out, double clock, uint32_t sms,
                              uint32_t slots);
void timeline_add_kernel(struct timeline *t, const struct timeline_kernel *k);
void timeline_add_cta(struct timeline *t, const struct timeline_cta *c);
/* From cycle `from` until the next of the same track. */
void timeline_add_counter(struct timeline *t, uint64_t from, const char *track,
                          const struct timeline_value *values, int n);
/* The document is complete; `origin`, unless NULL, adds members that say where it comes from. */
void timeline_end(struct timeline *t, void (*origin)(struct json *j));

#endif
