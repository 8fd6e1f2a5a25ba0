/* study_page_label.h - what variants and workloads are called in charts and tables. */
#ifndef HEDDLE_REPORT_STUDY_PAGE_LABEL_H
#define HEDDLE_REPORT_STUDY_PAGE_LABEL_H

#include "study/study.h"

enum { LABEL_MOST = 36, LABEL_SLOT = 26, LABEL_BAR = 18 }; /* letters: legend, axis, under a bar */

/* The text, or its beginning and an ellipsis: at most so many letters. */
const char *label_cut(struct arena *a, const char *text, size_t most);
/* A value of a sweep, with its parameter where it would not say alone what it is: "mshrs 16". */
const char *label_coordinate(struct arena *a, const struct study_coordinate *c);
/* A variant by its `doc`, or by its name where it has none; one of a sweep over several axes by its
 * values: "16K, rr". */
const char *label_variant(struct arena *a, const struct study_variant *v);
/* The same of a figure's column: names where docs do not tell its columns apart. */
const char *label_column(struct arena *a, const struct study *s, const struct study_figure *f,
                         uint32_t column);
/* A workload by its name, with its size where another has the same. */
const char *label_workload(struct arena *a, const struct study *s, uint32_t workload);
/* A part of a stack by its label, or by its `doc`, or by its name. */
const char *label_metric(struct arena *a, const struct study_metric *m);
/* Where the paper has a value, without the model that judges it here (which is the figure's). */
const char *label_source(struct arena *a, const struct study_figure *f, const char *source);
/* A text as a sentence: with a capital, and a full stop at its end.  "" stays. */
const char *label_sentence(struct arena *a, const char *text);
/* Whether names differ in one number only: sms20, sms80, ... */
bool label_are_numbered(const char *const *names, uint32_t n);

#endif
