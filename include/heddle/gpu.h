/* gpu.h - a machine that times kernels: SMs, caches, networks, memory, cycle by cycle.
 *
 *     struct hd_config *c = hd_config_machine("icc60", &e);
 *     struct hd_gpu *g = hd_gpu_new(c, NULL, &e);
 *     struct hd_device *d = hd_device_new(&(struct hd_device_options){.gpu = g}, &e);
 *     ... hd_launch(d, ...): executed, then timed, caches and all carried over ...
 *     hd_gpu_finish(g, &e);
 *     printf("%llu cycles\n", (unsigned long long)hd_gpu_cycles(g));
 *
 * The kernel's results do not depend on the machine. */
#ifndef HEDDLE_GPU_H
#define HEDDLE_GPU_H

#ifndef HEDDLE_HEDDLE_H
#include "heddle/heddle.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct hd_gpu;

struct hd_gpu_options {             /* all zero: the defaults */
    bool check;                     /* audit invariants while running; slower */
    bool no_skip;                   /* visit every component in every cycle; same results, slower */
    uint32_t threads;               /* of this one simulation; same results */
    uint64_t max_cycles, max_insns; /* HD_BUDGET when used up; 0: no limit */
};

/* The configuration must live as long as the machine. */
HD_API struct hd_gpu *hd_gpu_new(const struct hd_config *c, const struct hd_gpu_options *o,
                                 struct hd_error *e);
HD_API void hd_gpu_free(struct hd_gpu *g); /* after the devices that use it */
/* Times all kernels of a file of `heddle record`. */
HD_API bool hd_gpu_replay(struct hd_gpu *g, const char *trace_file, struct hd_error *e);

struct hd_program {
    size_t size;
    const char *workload; /* "HS@tiny": as -w of `heddle run` takes it */
    uint64_t seed;        /* of its inputs; `heddle run` has 1 */
    bool no_verify;       /* do not compare its outputs with what they should be */
    const char *kernels;  /* folder of PTX instead of what is built in; may be NULL */
    void (*print)(void *context, const char *text, size_t n); /* device printf; NULL: stdout */
    void *context; /* `print` is called in another thread than the caller's */
};
/* Executes a built-in workload and times its kernels, as `heddle run -m -w` does.  HD_FAILED when an
 * output is wrong. */
HD_API bool hd_gpu_run(struct hd_gpu *g, const struct hd_program *p, struct hd_error *e);
/* After the last kernel: what is under way settles, conservation is checked. */
HD_API bool hd_gpu_finish(struct hd_gpu *g, struct hd_error *e);

HD_API uint64_t
hd_gpu_cycles(const struct hd_gpu *g); /* of the SMs, up to the end of the last kernel */
/* A statistic by its name (`heddle list stats`), over all kernels so far; NaN: there is none. */
HD_API double hd_gpu_stat(const struct hd_gpu *g, const char *name);
HD_API uint64_t hd_gpu_digest(const struct hd_gpu *g); /* equal digests: all statistics are equal */
/* What `heddle run --json` says, of all kernels so far; NULL with *e set when a part of the machine
 * cannot be priced. */
HD_API const char *hd_gpu_json(struct hd_gpu *g, struct hd_error *e);

#ifdef __cplusplus
}
#endif

#endif
