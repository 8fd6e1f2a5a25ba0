/* kind_timed.h - what kinds that time programs on a machine share: trials, and what is kept. */
#ifndef HEDDLE_STUDY_KIND_TIMED_H
#define HEDDLE_STUDY_KIND_TIMED_H

#include "machine/machine.h"
#include "study/kind.h"

struct results_view; /* machine/results.h */

struct kind_timed { /* a trial */
    struct machine *machine;
    const struct stats_snapshot *snapshot;
};

/* A machine for the programs of this run; NULL with *e set. */
struct machine *kind_timed_machine(const struct kind_run *r, struct err *e);
/* All kernels of a recorded file, to the end of the last. */
bool kind_timed_replay(struct machine *m, const char *path, struct err *e);
bool kind_timed_try(const struct kind_run *r, struct kind_timed *t, struct err *e);
bool kind_timed_knows(const struct kind_timed *t, const char *name);
uint32_t kind_timed_names(const struct kind_timed *t, const char **all, uint32_t most,
                          struct arena *a);

/* Derived statistics, then all of the tree, by name, with `before` in front of it. */
void kind_timed_add(struct kind_values *v, const struct results_view *view, const char *before,
                    struct arena *a);
/* Derived statistics, then all of the tree, by name; then how busy links were.  There is room for
 * `more`. */
struct kind_values kind_timed_values(const struct machine *m, size_t more, struct arena *a);

#endif
