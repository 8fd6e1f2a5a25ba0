/* run_json.h - a timed run as a JSON document. */
#ifndef HEDDLE_REPORT_RUN_JSON_H
#define HEDDLE_REPORT_RUN_JSON_H

#include "machine/results.h"

struct run_document {
    const struct machine *machine;
    const struct results_scale *scale; /* its own, with energy models */
    const char *machine_name, *workload;
    double wall_s;
    bool is_partial;                              /* stopped by a budget */
    bool is_checked;                              /* outputs were compared and are right */
    bool has_details;                             /* of every instance */
    void (*also)(const void *of, struct json *j); /* members after the digest; may be NULL */
    const void *also_of;
};

/* A view of everything counted so far. */
struct results_view run_view(const struct machine *m, const struct results_scale *s,
                             struct arena *a);
/* Members of the object that is open. */
void run_json(const struct run_document *r, struct json *j);

#endif
