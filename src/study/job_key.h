/* job_key.h - what tells one run from another: hashes of all that a result depends on.
 *
 * Runs share configurations and programs, whose hashes are made once each: a study of a hundred
 * thousand runs would otherwise spend minutes on them. */
#ifndef HEDDLE_STUDY_JOB_KEY_H
#define HEDDLE_STUDY_JOB_KEY_H

#include "sim/config.h"
#include "study/study.h"

struct job_keys;

/* Configurations are told apart by numbers below `nconfigs`. */
struct job_keys *job_keys_new(struct arena *a, const struct study *s, size_t nconfigs);
/* Of a run of this kind, which is the row's or the one that prices it. */
uint64_t job_key(struct job_keys *k, const struct config *c, size_t number, uint32_t workload,
                 const struct study_kind *kind);
/* Of the question alone, whatever model answers it. */
uint64_t job_key_asked(struct job_keys *k, const struct config *c, size_t number, uint32_t workload,
                       const struct study_kind *kind);

#endif
