/* noc_out.h - what heddle noc prints and writes. */
#ifndef HEDDLE_CLI_NOC_OUT_H
#define HEDDLE_CLI_NOC_OUT_H

#include <stdio.h>

#include "report/noc_json.h"

void noc_print(const struct noc_results *r, FILE *out);
/* The searches of several networks side by side. */
void noc_print_searches(const struct noc_results *r, int n, struct arena *a, FILE *out);
/* Of one network its own document; of several {"networks": [...]}, and a first column "name". */
bool noc_write_json(const struct noc_results *r, int n, const char *path, struct err *e);
bool noc_write_csv(const struct noc_results *r, int n, const char *path, struct err *e);
bool noc_write_heatmap(const struct noc_results *r, const char *path, struct err *e);
/* Latency over offered load of several networks: round trips where the traffic has any. */
bool noc_write_curves(const struct noc_results *r, int n, const char *path, struct err *e);

#endif
