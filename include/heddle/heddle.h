/* heddle.h - the public interface of libheddle.
 *
 * A configuration is loaded and changed, a network is run under it, results are plain structs.
 * Nothing is global: several configurations and runs can be used at once, from any threads, as
 * long as each object is used by one thread at a time.  Functions that can fail return false and
 * fill a hd_error, if one is given (NULL: none is wanted); its status is the exit status the heddle
 * program would give.
 *
 * Objects are opaque.  A struct that a caller fills and whose first member is `size` is given with
 * it (`.size = sizeof o`): a library that knows more members takes those as zero, one that knows
 * fewer refuses what it does not know.  Structs that the library hands to a callback may grow at
 * their end, and are the library's: what is to be kept is copied.  Documents (JSON) belong to the
 * object that was asked for them, until it is asked for another one or freed. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stdbool.h>
#include <stddef.h>
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
    HD_BUDGET = 4, /* out of cycles or memory */
    HD_STOPPED = 5 /* somebody asked for it (struct hd_watch); no exit status of the program */
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
/* Those of a machine or of a network: a YAML file, or a name as -m of `heddle run` and `heddle noc`
 * takes it.  Parameters of the other kind are refused.  NULL with *e set. */
HD_API struct hd_config *hd_config_machine(const char *name, struct hd_error *e);
HD_API struct hd_config *hd_config_network(const char *name, struct hd_error *e);
HD_API bool hd_config_load(struct hd_config *c, const char *yaml_file, struct hd_error *e);
HD_API bool hd_config_set(struct hd_config *c, const char *key_equals_value, struct hd_error *e);
/* Which of what was set has no effect, and why, in one line; "": all of it may have.  To be asked
 * after a run, or when a machine has been made of the configuration. */
HD_API const char *hd_config_idle(struct hd_config *c);

/* --- what others may ask of a run that goes on ------------------------------------------------ */
struct hd_progress {
    uint64_t cycles, warp_insns, thread_insns;
    uint64_t ctas_done, ctas; /* of all kernels so far */
};

struct hd_watch {
    size_t size;
    /* NULL, or a number that any thread or signal handler may make other than 0: then the run ends
     * soon, with HD_STOPPED, and its machine times nothing more. */
    const int *stop;
    /* Of machines only: now and then, in the thread that asked for the run; may be NULL. */
    void (*progress)(void *context, const struct hd_progress *p);
    void *context;
};
/* Of networks that are run, and machines that are made, with this configuration from now on; NULL:
 * of none.  The struct is copied; what it points to must live on. */
HD_API bool hd_config_watch(struct hd_config *c, const struct hd_watch *w, struct hd_error *e);

/* --- networks --------------------------------------------------------------------------------- */

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

struct hd_noc_options {
    size_t size;
    const double *rates; /* loads to measure; NULL: the one of traffic.rate */
    size_t nrates;
    bool saturation;     /* instead: search the highest accepted load and the knee */
    bool check, no_skip; /* as in hd_gpu_options */
    uint32_t threads;    /* points at once; 0: one */
};
/* What `heddle noc --json` says; NULL with *e set.  `o` may be NULL. */
HD_API const char *hd_noc_json(struct hd_config *c, const struct hd_noc_options *o,
                               struct hd_error *e);

/* --- prices ----------------------------------------------------------------------------------- */
/* What `heddle cost --json` says of a machine (hd_config_machine) or a network. */
HD_API const char *hd_cost_json(struct hd_config *c, struct hd_error *e);
/* The same as names, units and values: "cost.area", "mm2", 83.2 (docs/model/cost.md). */
HD_API bool hd_cost(const struct hd_config *c,
                    void (*each)(void *context, const char *name, const char *unit, double value),
                    void *context, struct hd_error *e);

#ifdef __cplusplus
}
#endif

#include "heddle/catalogue.h" /* what there is to choose from */
#include "heddle/device.h"    /* memory, PTX modules and kernel launches */
#include "heddle/gpu.h"       /* machines that time them */

#endif
