/* vega_scatter.h - what only a scatter has of a Vega-Lite specification: texts for the places of
 * web/charts/scatter.json.  The context is a struct study_page_chart. */
#ifndef HEDDLE_REPORT_VEGA_SCATTER_H
#define HEDDLE_REPORT_VEGA_SCATTER_H

#include <stdio.h>

void vega_scatter_points(FILE *out, const void *context);
void vega_scatter_diagonal(FILE *out, const void *context);
void vega_scatter_domain(FILE *out, const void *context);
void vega_scatter_ticks(FILE *out, const void *context);
void vega_scatter_paper_title(FILE *out, const void *context);
void vega_scatter_measured_title(FILE *out, const void *context);

#endif
