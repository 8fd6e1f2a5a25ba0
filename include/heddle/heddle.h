/* heddle.h - the public interface of libheddle.
 *
 * A configuration is loaded and changed, a network is run under it, results are plain structs.
 * Nothing is global: several configurations and runs can be used at once, from any threads, as
 * long as each object is used by one thread at a time.  Functions that can fail return false and
 * fill a hd_error, if one is given (NULL: none is wanted); its status is the exit status the heddle
 * program would give. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HD_API __attribute__((visibility("default")))

enum hd_status {
    HD_DONE = 0,
    HD_FAILED = 1, /* a check failed */
    HD_BAD_INPUT = 2,
    HD_DEADLOCK = 3,
    HD_BUDGET = 4 /* out of cycles or memory */
};

struct hd_error {
    enum hd_status status;
    char text[1024]; /* one line: file:line, key, what was expected */
};

HD_API const char *hd_version(void);

/* All parameters of a run, at their defaults. */
struct hd_config;
HD_API struct hd_config *hd_config_new(void);
HD_API void hd_config_free(struct hd_config *c);
HD_API bool hd_config_load(struct hd_config *c, const char *yaml_file, struct hd_error *e);
HD_API bool hd_config_set(struct hd_config *c, const char *key_equals_value, struct hd_error *e);

/* One point of a latency-load curve; rates in flits per source and cycle, times in cycles. */
struct hd_point {
    double offered, accepted;
    double latency_mean, latency_p50, latency_p99, latency_ci95;
    double queueing; /* the part of the mean spent at the source */
    double hops;
    bool saturated;
    uint64_t cycles, packets;
    uint64_t digest; /* equal digests: the same packets arrived at the same times */
};

HD_API bool hd_noc_run(const struct hd_config *c, double rate, struct hd_point *p,
                       struct hd_error *e);

#ifdef __cplusplus
}
#endif

#include "heddle/device.h" /* memory, PTX modules and kernel launches */
#include "heddle/gpu.h"    /* machines that time them */

#endif
