/* several.h - programs that ran at once, against each of them alone: progress, system throughput
 * (STP) and average normalised turnaround time (ANTT).
 *
 * Eyerman and Eeckhout, "System-level performance metrics for multiprogram workloads" (IEEE Micro
 * 2008): the progress of a program is the time that it needs alone over the time that it needed
 * here, STP the sum of progresses, ANTT the mean of their inverses.  The usual reference is the
 * program alone on the whole machine; alone on the SMs that it had here tells what the others
 * disturbed from what the partition took. */
#ifndef HEDDLE_CLI_SEVERAL_H
#define HEDDLE_CLI_SEVERAL_H

#include "base/json.h"
#include "cli/timed.h"
#include "machine/results.h"

enum several_reference { ALONE_ON_ALL, ALONE_ON_SAME, REFERENCES };

struct several_program {
    const char *title;
    struct machine_program ran;
    uint64_t cycles; /* that it needed: to its end, or to its last instruction in the window */
    uint64_t alone[REFERENCES]; /* that it needs alone for the same; 0: not known */
    bool is_cached[REFERENCES];
};

struct several {
    uint32_t n;
    uint64_t window;
    const char *partition;
    struct several_program program[MAX_PROGRAMS];
};

/* What the programs did on the machine. */
void several_init(struct several *s, const struct timed_options *o, const struct machine *m);
/* Runs each program alone, or takes what is kept of such a run. */
bool several_run_alone(struct several *s, const struct timed_options *o, const struct config *cfg,
                       struct err *e);

double several_progress(const struct several_program *p, enum several_reference r); /* NaN */
double several_stp(const struct several *s, enum several_reference r);
double several_antt(const struct several *s, enum several_reference r);

void several_json(const struct several *s, struct json *j); /* members of the object that is open */
void several_csv(const struct several *s, FILE *out);
void several_print(const struct several *s, const struct results_view *v, struct arena *a,
                   FILE *out);

#endif
