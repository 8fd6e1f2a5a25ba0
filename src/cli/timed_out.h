/* timed_out.h - a timed run as JSON and CSV, and its counters on the time line. */
#ifndef HEDDLE_CLI_TIMED_OUT_H
#define HEDDLE_CLI_TIMED_OUT_H

#include "machine/results.h"
#include "report/timeline.h"

struct several;

struct timed_result {
    const struct machine *machine;
    const struct results_scale *scale; /* its own, with energy models */
    const char *machine_name, *workload;
    struct several *several; /* NULL: one program */
    double wall_s;
    bool is_checked;  /* outputs were compared and are right */
    bool is_partial;  /* stopped by a budget */
    bool has_details; /* of every instance */
};

bool timed_out_json(const struct timed_result *r, const char *path, struct err *e);
bool timed_out_csv(const struct timed_result *r, const char *path, struct err *e); /* name,value */
void timed_out_print(const struct timed_result *r, struct arena *a, FILE *out);
/* What happened in [from, to), as counter tracks. */
void timed_out_counters(struct timeline *t, const struct results_scale *s,
                        const struct stats_snapshot *d, uint64_t from, uint64_t to);

#endif
