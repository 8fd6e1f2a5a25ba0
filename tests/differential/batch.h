/* batch.h - a file of generated functions, executed on the host and on devices, and compared. */
#ifndef HEDDLE_TESTS_DIFFERENTIAL_BATCH_H
#define HEDDLE_TESTS_DIFFERENTIAL_BATCH_H

#include <stdbool.h>
#include <stdint.h>

struct batch_options {
    uint64_t seed;
    uint32_t first, count;     /* functions */
    const char *const *levels; /* of optimisation on the device, "-O2"; up to a NULL */
    bool checked;              /* undefined behaviour on the host traps */
    bool calls;                /* operations are called, not inlined */
    bool disturbed;            /* the device gets other inputs: results have to differ */
};

/* The number of functions with a wrong result, or that could not be executed.  Each is told on
 * stderr with seed, function, thread, expected and got, and its source is left in the working
 * directory, unless `disturbed`. */
uint32_t batch_run(const struct batch_options *o);

#endif
