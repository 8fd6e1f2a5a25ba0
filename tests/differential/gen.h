/* gen.h - writes random functions in the language of both/both.h.
 *
 * Function `index` of `seed` is the same text whatever is written with it in one file. */
#ifndef HEDDLE_TESTS_DIFFERENTIAL_GEN_H
#define HEDDLE_TESTS_DIFFERENTIAL_GEN_H

#include <stdint.h>
#include <stdio.h>

struct gen_shape {
    uint32_t grid, block[3];
};

/* How function `index` is to be launched. */
struct gen_shape gen_shape(uint64_t seed, uint32_t index);

void gen_head(FILE *out); /* of a file */
/* Kernel case<index> and the random functions it calls; says how many these are. */
uint32_t gen_case(FILE *out, uint64_t seed, uint32_t index);

#endif
