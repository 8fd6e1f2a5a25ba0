/* versions.h - runs that a study needs and the store has, but of another model than this one. */
#ifndef HEDDLE_STUDY_VERSIONS_H
#define HEDDLE_STUDY_VERSIONS_H

#include "study/job.h"
#include "study/store.h"

struct versions_row {
    const char *version; /* of the program that did them */
    uint32_t runs;       /* that are missing here and there */
};

struct versions {
    uint32_t missing; /* jobs without a result of this model */
    uint32_t found;   /* of which so many have one of another */
    uint32_t nrows;
    struct versions_row *rows; /* most runs first; a job counts for the first that has it */
    uint64_t *keys;            /* [job]: of that run; 0: none */
};

bool versions_find(struct arena *a, const struct study *s, const struct study_plan *p,
                   struct store *store, struct versions *v, struct err *e);
/* "60 of 0.1.0+g12, 24 of 0.1.0" */
const char *versions_text(struct arena *a, const struct versions *v);
/* Their results instead of those that are missing. */
void versions_use(const struct versions *v, struct study_plan *p);

#endif
