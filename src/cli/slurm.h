/* slurm.h - Slurm's own commands, as a study asks them. */
#ifndef HEDDLE_CLI_SLURM_H
#define HEDDLE_CLI_SLURM_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* Whether there is a Slurm here: one line, and what to do instead. */
bool slurm_is_here(struct err *e);
/* "30", "2:00:00", "1-12": minutes, or what else sbatch takes for a time. */
bool slurm_is_time(const char *text);
/* Letters, digits and "_.-,": what partitions are called. */
bool slurm_is_name(const char *text);

/* The job id that sbatch answers with; `args` begins with "sbatch" and ends with NULL. */
bool slurm_submit(struct arena *a, const char *const *args, uint64_t *id, struct err *e);
/* Tasks that one array can have. */
uint32_t slurm_array_tasks(struct arena *a);

struct slurm_queue { /* tasks of the jobs of some names (comma-separated) */
    uint32_t running, pending, other;
};
bool slurm_queue(struct arena *a, const char *names, struct slurm_queue *q, struct err *e);
/* Cancels the jobs of this name. */
bool slurm_cancel(struct arena *a, const char *name, struct err *e);

#endif
