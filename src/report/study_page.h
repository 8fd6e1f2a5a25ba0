/* study_page.h - a study's result as one self-contained HTML page, and its figures as files.
 *
 * Verdict table first, then one section per figure: chart (Vega-Lite specification, renderer
 * inlined), the paper's values beside ours, the table behind it; then runs that failed, the exact
 * configuration, and the command that made it.  Needs no network. */
#ifndef HEDDLE_REPORT_STUDY_PAGE_H
#define HEDDLE_REPORT_STUDY_PAGE_H

#include <stdio.h>

#include "study/verdict.h"

bool study_page_write(const struct study_result *r, FILE *out, struct err *e);
/* The means that the paper gives beside those that were measured, of all figures of changes over a
 * baseline; whether there are enough of them for a picture. */
void study_page_overview_svg(const struct study_result *r, FILE *out);
bool study_page_has_overview(const struct study_result *r);
/* One figure as a static SVG (for papers), drawn without the browser. */
void study_page_svg(const struct study_result *r, uint32_t figure, FILE *out);

#endif
