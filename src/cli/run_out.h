/* run_out.h - what heddle run and heddle list workloads say about executed kernels. */
#ifndef HEDDLE_CLI_RUN_OUT_H
#define HEDDLE_CLI_RUN_OUT_H

#include "base/json.h"
#include "cli/execute.h"

void run_out_print(const struct execute *x, const struct execution *r, struct arena *a, FILE *out);
bool run_out_json(const struct execute *x, const struct execution *r, const char *path,
                  struct err *e);

/* "3.20 : 1": warp loads to warp stores of global memory. */
const char *run_out_mix(struct arena *a, const struct tally_kernel *k);
void run_out_kernel_json(const struct tally_kernel *k, struct json *j); /* an object */

#endif
