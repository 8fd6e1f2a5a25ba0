/* study_page_chart.h - a figure as it is drawn: labels, values, scales, space; shared by the
 * Vega-Lite specification, the static picture and the tables, so that they show the same. */
#ifndef HEDDLE_REPORT_STUDY_PAGE_CHART_H
#define HEDDLE_REPORT_STUDY_PAGE_CHART_H

#include "report/study_page_scatter.h"
#include "report/study_page_sweep.h"
#include "study/verdict.h"

struct study_page_axis { /* of values as they are drawn */
    double low, high, step;
    int digits; /* decimals of its labels */
};

struct study_page_chart {
    const struct study_result *result;
    const struct study_figure *figure;
    const struct verdict_figure *judged;
    enum study_chart kind;         /* a figure with parts is a stack */
    uint32_t rows, columns, parts; /* parts is 1 unless it is a stack */
    const char **row, **column, **part;
    int32_t mean;        /* the row that is the mean, or -1 */
    const char **beside; /* means beside it, whose rows come last: in tables, but not drawn */
    double shift;        /* drawn value = value - shift: changes start at 0 */
    const char *unit;

    const struct study_page_scatter *scatter; /* what a scatter has instead of the rest; or NULL */
    struct study_page_axis axis;
    bool x_is_variant; /* columns stand along the x axis, rows are the series; or the other way */
    const struct study_page_sweep *sweep; /* columns stand by its axes; or NULL */
    uint32_t nslots;                      /* along the x axis */
    const char **slot;
    uint32_t nbars; /* at each of them; their names are short */
    const char **bar;
    uint32_t nseries; /* told apart by colour: bars, lines, parts of a stack */
    const char **series;
    int32_t mean_series;            /* the one that is the mean, or -1 */
    uint32_t legend_first, nlegend; /* the series that the legend lists */
    uint32_t legend_columns, legend_rows;
    int legend_entry; /* pixels */
    /* Pixels; the picture with everything in it is width x height. */
    int width, height, slot_space, bar_space, left;
    double fill;     /* part of a slot that its bars take */
    bool slanted;    /* labels of slots */
    bool bars_named; /* the bars of a stack carry their variant's name */
    bool many_lines; /* too many to tell apart by colour */
};

void study_page_chart_of(struct arena *a, const struct study_result *r, uint32_t figure,
                         struct study_page_chart *c);

/* NaN: no data.  Of a stack, the sum of its parts. */
double study_page_chart_value(const struct study_page_chart *c, uint32_t row, uint32_t column);
double study_page_chart_part(const struct study_page_chart *c, uint32_t row, uint32_t column,
                             uint32_t part);
/* Where along the x axis a value stands, and which of the bars or lines there is its own. */
uint32_t study_page_chart_slot(const struct study_page_chart *c, uint32_t row, uint32_t column);
uint32_t study_page_chart_bar(const struct study_page_chart *c, uint32_t row, uint32_t column);
/* The other way round; false: a combination that the sweep left out. */
bool study_page_chart_cell(const struct study_page_chart *c, uint32_t slot, uint32_t bar,
                           uint32_t *row, uint32_t *column);
/* Where a value of the paper belongs; false: not in this figure. */
bool study_page_chart_place(const struct study_page_chart *c, const struct study_paper *p,
                            uint32_t *row, uint32_t *column);
/* The same for those that can be drawn: a part of a stack has no height of its own. */
bool study_page_chart_mark(const struct study_page_chart *c, const struct study_paper *p,
                           uint32_t *row, uint32_t *column);
/* A line that runs along workloads does not go on to their mean; means beside it are in no chart. */
bool study_page_chart_is_drawn(const struct study_page_chart *c, uint32_t row);
bool study_page_chart_has_marks(const struct study_page_chart *c);
uint32_t study_page_chart_colour(const struct study_page_chart *c, uint32_t series);

/* At most about `n` steps of 1, 2 or 5 times a power of ten that begin and end outside. */
struct study_page_axis study_page_axis_over(double low, double high, int n);

/* As people read it ("1.063", "12.5%", "+6.3%"); a dash where there is no data. */
#define STUDY_PAGE_TEXT_N 48
const char *study_page_chart_text(char buf[STUDY_PAGE_TEXT_N], const struct study_figure *f,
                                  double v);
/* What separates measured from paper: percentage points, or per cent of a plain number. */
const char *study_page_chart_gap(char buf[STUDY_PAGE_TEXT_N], const struct study_figure *f,
                                 double measured, double paper);
/* Numbers of the axis are followed by "%". */
bool study_page_chart_has_percent(const struct study_page_chart *c);
/* The axis counts in thousands, millions and so on. */
bool study_page_chart_is_large(const struct study_page_chart *c);
/* "1.5M" */
const char *study_page_chart_scaled(char buf[STUDY_PAGE_TEXT_N], double v);
/* A label of the axis. */
const char *study_page_chart_tick(char buf[STUDY_PAGE_TEXT_N], const struct study_page_chart *c,
                                  double drawn);

#endif
