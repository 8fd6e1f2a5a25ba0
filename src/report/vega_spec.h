/* vega_spec.h - a figure as a Vega-Lite specification with its data in it. */
#ifndef HEDDLE_REPORT_VEGA_SPEC_H
#define HEDDLE_REPORT_VEGA_SPEC_H

#include "report/study_page_chart.h"

/* JSON; nothing for a figure without a chart. */
void vega_spec_write(const struct study_page_chart *c, FILE *out);

#endif
