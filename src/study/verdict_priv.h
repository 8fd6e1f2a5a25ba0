/* verdict_priv.h - shared by verdict.c (which judges) and those that write what came of it. */
#ifndef HEDDLE_STUDY_VERDICT_PRIV_H
#define HEDDLE_STUDY_VERDICT_PRIV_H

#include "study/verdict.h"

/* Where statistics of runs come from; NaN: there is no such run or no such value. */
struct verdict_source {
    double (*stat)(const void *context, uint32_t variant, uint32_t workload, const char *name);
    const void *context;
};
void verdict_judge(struct arena *a, const struct study *s, const struct verdict_source *from,
                   struct study_result *r);

/* A value of a figure; part < 0: the whole of a stack. */
double verdict_value(const struct verdict_figure *v, uint32_t row, uint32_t column, int32_t part);

/* verdict_errors.c: by the names that stand in value(); NaN where rows lack data. */
double verdict_error_named(struct arena *a, const struct verdict_figure *v, uint32_t column,
                           const char *name);

/* verdict_means.c: how many rows a figure has, with its means; fills those in when the others are
 * there; what a claim comes to then. */
uint32_t verdict_rows(const struct study_figure *f);
void verdict_fill_means(struct arena *a, struct study_result *r);
double verdict_claim_value(struct arena *a, const struct study_result *r,
                           const struct study_claim *c);

/* As people read it: "+6.0 %", "0.981", "-" for NaN. */
#define VERDICT_TEXT_N 48
const char *verdict_text(char buf[VERDICT_TEXT_N], const struct study_figure *f, double v);
/* What the paper says: a value, or "> 4" of a bound; "" of a claim. */
const char *verdict_paper_text(char buf[VERDICT_TEXT_N], const struct verdict_row *row);
/* What was found, of a value or of a claim. */
const char *verdict_measured_text(char buf[VERDICT_TEXT_N], const struct verdict_row *row);
/* "3 reproduced, 1 direction only, 0 not reproduced, 2 no data" of what the paper says, "3 of 4
 * claims hold" of the study's own; both where there are both. */
void verdict_write_counts(const struct study_result *r, FILE *out);

#endif
