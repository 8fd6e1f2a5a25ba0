/* study_page_scatter_svg.h - a scatter as a picture that needs nothing but itself. */
#ifndef HEDDLE_REPORT_STUDY_PAGE_SCATTER_SVG_H
#define HEDDLE_REPORT_STUDY_PAGE_SCATTER_SVG_H

#include "report/study_page_chart.h"

void study_page_scatter_svg(const struct study_page_chart *c, FILE *out);

#endif
