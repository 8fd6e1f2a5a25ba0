/* inputs.h - what a study can ask to be run: the workloads and sizes that there are, and what of
 * them and of this program a result depends on. */
#ifndef HEDDLE_STUDY_INPUTS_H
#define HEDDLE_STUDY_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* As the registry spells it; NULL: there is none. */
const char *inputs_workload(const char *name);
const char *inputs_size(const char *name);
bool inputs_has(const char *workload, const char *size); /* not every workload has every size */
bool inputs_has_kernel(const char *workload, const char *size, const char *kernel);
/* All of them, for messages. */
const char *const *inputs_workloads(struct arena *a, uint32_t *n);
const char *const *inputs_sizes(struct arena *a, uint32_t *n);

struct inputs_stream {
    uint64_t sources; /* hash of executor, stream format and the workload's driver */
    const char *ptx;
    size_t length;
    const char *workload, *size;
    const char *args; /* of the workload, as workload_args has them; "": none */
    uint64_t seed;
};
uint64_t inputs_hash(const struct inputs_stream *x);
/* What the stream of a workload follows from: PTX, driver, size, arguments and seed, executor and
 * format. */
uint64_t inputs_stream_hash(const char *workload, const char *size, const char *args,
                            uint64_t seed);
/* A workload's arguments in the form that keys and titles have; NULL with *e set. */
const char *inputs_args(struct arena *a, const char *workload, const char *size, const char *text,
                        struct err *e);
/* Those that it has, for messages. */
const char *const *inputs_arg_names(struct arena *a, const char *workload, uint32_t *n);
bool inputs_is_arg(const char *name); /* of any workload */
/* The value of one of them, in the order of the names. */
double inputs_arg(const char *workload, const char *size, const char *args, uint32_t index);
/* Seconds that a run of this size may take, for want of better knowledge. */
double inputs_cost(const char *size);

const char *inputs_version(void);
#endif
