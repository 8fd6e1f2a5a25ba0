/* registers_out.h - the line of reports that says how many registers kernels have, and who says so. */
#ifndef HEDDLE_CLI_REGISTERS_OUT_H
#define HEDDLE_CLI_REGISTERS_OUT_H

#include <stdint.h>
#include <stdio.h>

struct registers_out {
    const char *kernel;
    uint32_t registers; /* per thread */
    const char *from;   /* "ptxas", "liveness", "given", "set"; NULL: the kernel never began */
};

/* Equal rows once, those with the same source together:
 * "registers per thread: a 22, b 24 (ptxas); c 40 (set)". */
void registers_out_print(const struct registers_out *rows, uint32_t n, FILE *out);

#endif
