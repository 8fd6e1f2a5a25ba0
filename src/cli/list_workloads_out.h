/* list_workloads_out.h - the tables of heddle list workloads. */
#ifndef HEDDLE_CLI_LIST_WORKLOADS_OUT_H
#define HEDDLE_CLI_LIST_WORKLOADS_OUT_H

#include "cli/execute.h"
#include "workload.h"

struct listed {
    const struct workload *workload;
    uint32_t uses; /* of ptx/uses.h */
    /* Of workloads that were executed. */
    struct execution done;
    struct err failed;
};

struct listing {
    struct listed *all;
    uint32_t n;
    enum workload_size size;
    struct arena *arena;
};

/* What there is, by suite: a line each, from what is known without executing anything. */
void listing_print_all(const struct listing *l);
/* A row of figures for each workload. */
void listing_print_figures(const struct listing *l);
/* Meaning, input and a row for each kernel. */
void listing_print_details(const struct listing *l);

bool listing_write_json(const struct listing *l, const char *path, struct err *e);
bool listing_write_csv(const struct listing *l, const char *path, struct err *e); /* by kernel */

#endif
