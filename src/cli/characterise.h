/* characterise.h - curves that tell what a machine is: latency and bandwidth over footprint,
 * occupancy and access pattern, beside what a chip measured. */
#ifndef HEDDLE_CLI_CHARACTERISE_H
#define HEDDLE_CLI_CHARACTERISE_H

#include "base/arena.h"
#include "base/err.h"
#include "sim/config.h"
#include "study/verdict.h"

/* --- what a chip measured (characterise_chip.c) ------------------------------------------------- */
struct chip_curve { /* in the order of its file; NULL: there is no such file */
    uint32_t n;
    double *x, *y;
};
struct chip_stream {
    uint32_t block, ctas; /* of a CTA; on an SM */
    double *gbs;          /* by kernel of STREAM */
};
struct chip {
    const char *name;
    struct chip_curve latency, cache; /* bytes -> cycles, GB/s */
    uint32_t nstreams;
    struct chip_stream *streams;
};
/* From reference/hw; false with *e set when it has nothing of this chip, or something wrong. */
bool chip_read(struct arena *a, const char *name, struct chip *c, struct err *e);

/* --- points to be measured (characterise_plan.c) ------------------------------------------------ */
struct characterise_point {
    const char *row;  /* of the study: "latency_16K" */
    double x;         /* bytes, threads on an SM, ... */
    const char *args; /* of the workload: "footprint: 16K, steps: 2048" */
    double chip;      /* NaN: not known */
};

struct characterise_curve {
    const char *name, *title;
    const char *part; /* that --only names: "stream" of "stream_read" */
    const char *x, *unit;
    const char *workload;
    const char *expr; /* of a row of kind last */
    double tolerance; /* of the chip's value, for a verdict */
    bool is_line;     /* a chart of lines, else of bars */
    uint32_t n;
    struct characterise_point *points;
};

struct characterise_options {
    const char *machine, *chip, *only; /* the last two may be NULL */
    bool quick;
};

struct characterise {
    const char *machine, *path; /* its name, and file */
    const char *const *sets;    /* "key=value", after it */
    uint32_t nsets;
    struct chip chip; /* without a name: none */
    bool quick;
    uint32_t ncurves;
    struct characterise_curve *curves;
    struct arena *arena;
};

bool characterise_plan(struct arena *a, const struct config *cfg,
                       const struct characterise_options *o, struct characterise *c, struct err *e);

/* --- the study that measures them (characterise_study.c) ---------------------------------------- */
bool characterise_write_study(const struct characterise *c, const char *path, struct err *e);

/* --- levels of a curve (characterise_levels.c) -------------------------------------------------- */
struct level {    /* a part of a curve in ascending x that is flat */
    double value; /* median */
    double from, to;
    double until; /* where the way to the next level is half done, in x; NaN: there is none */
};
/* At most `most`; returns how many. */
uint32_t levels_of(const double *x, const double *y, uint32_t n, struct level *levels,
                   uint32_t most);

/* --- results (characterise_out.c) --------------------------------------------------------------- */
struct characterise_values {
    const struct characterise *plan;
    double **values; /* [curve][point]; NaN: the run failed */
};
struct characterise_values characterise_values_of(const struct characterise *c,
                                                  const struct study_result *r);
void characterise_print(const struct characterise_values *v, FILE *out);
bool characterise_write_csv(const struct characterise_values *v, const char *path, struct err *e);
bool characterise_write_json(const struct characterise_values *v, const char *path, struct err *e);

#endif
