/* study_page_priv.h - the parts of the page, between its files. */
#ifndef HEDDLE_REPORT_STUDY_PAGE_PRIV_H
#define HEDDLE_REPORT_STUDY_PAGE_PRIV_H

#include "report/study_page_chart.h"

/* Text with what HTML would take for markup escaped; NULL is nothing. */
void study_page_escape(FILE *out, const char *text);
/* The same between two pieces of markup. */
void study_page_cell(FILE *out, const char *open, const char *text, const char *close);
/* What follows '#' in a link to a figure, safe in an attribute. */
void study_page_anchor(FILE *out, const struct study_result *r, const struct study_figure *f);

void study_page_facts(FILE *out, const struct study_result *r, struct arena *a);
void study_page_notices(FILE *out, const struct study_result *r, struct arena *a);
void study_page_counts(FILE *out, const struct study_result *r);
void study_page_overview(FILE *out, const struct study_result *r);
void study_page_verdicts(FILE *out, const struct study_result *r, struct arena *a);
/* A figure's values, for those who cannot or will not look at the chart. */
void study_page_values(FILE *out, const struct study_page_chart *c);
void study_page_failures(FILE *out, const struct study_result *r);
void study_page_variants(FILE *out, const struct study_result *r);
void study_page_workloads(FILE *out, const struct study_result *r);

#endif
