/* study.h - a study as its file says it: machines x workloads x variants, figures over them, what
 * the paper says.
 *
 *     title: Intra-cluster coalescing (TC 2019)
 *     doc: one line
 *     machine: icc60                       # default of all variants; a name or a path
 *     seed: 1
 *     reasons: ../docs/icc-study.md        # page that says why; seen from the study's folder, or https:
 *     workloads: [HS, BT, BP]              # rows; each may be a map {name: HS, size: small}, with
 *                                          # set: of its own, {name: any, kind: cost}, or
 *                                          # anything else that study_rows.c reads
 *     groups: {bound: [HS, BT], all: [bound, BP]}   # names for lists of rows
 *     size: study                          # of those without their own
 *     quick: {size: small, workloads: [...], figures: [...], sample: {pairs: 8}}   # by --quick
 *     variants:
 *       rr: {set: {gpu.cta_scheduler: rr}}
 *       icc: {base: rr, doc: "with ICC", set: {icc.enabled: true}}
 *       six: {base: icc, machine: other60, set: {gpu.clusters: 6}}
 *     cross: {l1.size: [16K, 32K], gpu.cta_scheduler: [rr, distributed]}   # 16K_rr, ...
 *     metrics:                             # names for expressions
 *       speedup: {doc: "IPC over the baseline", expr: "ipc / base.ipc", unit: "x"}
 *     figures:
 *       fig7:
 *         title: Performance of CTA schedulers
 *         metric: speedup                  # or expr: "..."
 *         baseline: rr                     # variant that base.NAME refers to; may be absent
 *         variants: [global_rr, greedy]    # columns; [] or absent: all
 *         workloads: [HS, BT]              # rows; absent: all
 *         mean: geometric                  # or arithmetic, or none: the row over all workloads
 *         beside:                          # more of them, which study_beside.c reads
 *           - arithmetic
 *           - {name: slow, where: "value(fig6, rr, row) < 0.9"}
 *           - {name: bound, of: [HS, BT]}
 *         rows: all                        # or none: means alone, in tables of the terminal
 *         table: all                       # or none: verdicts alone there
 *         chart: bars                      # bars | lines | stack | none
 *         full: icc                        # a small form of what this study has, which decides
 *         format: percent_change           # how people read it: number | percent | percent_change
 *         parts: [...]                     # of a stack: metric names
 *         paper:                           # values with their source
 *           - {variant: distributed, workload: mean, value: 1.06, source: "Fig. 7"}
 *           - {variant: distributed, workload: SRAD, value: 0.89, source: "section 4.2"}
 *           - {variant: greedy, workload: HS, value: 2, bound: above, source: "section 4.3"}
 *         tolerance: {reproduced: 0.05, absolute: 0, neutral: 1}   # may also stand at the top
 *         claims:                          # statements that are not one number
 *           - {text: "distributed has the highest locality", expr: "...", source: "Fig. 8"}
 *
 * Expressions: numbers, names of statistics (l1.hits), derived ones (ipc) and metrics, base.NAME of
 * the same workload's baseline run, + - * / ( ) min max abs sqrt, comparisons < <= > >= == != and
 * && || ! (1 or 0).  In claims, value(FIGURE, VARIANT, WORKLOAD) with WORKLOAD or `mean` is a value
 * of a figure of this study; a fourth argument names a part of a stack.  WORKLOAD may be the name of
 * one of the figure's means, too.  docs/model/study.md has all keys and defaults. */
#ifndef HEDDLE_STUDY_STUDY_H
#define HEDDLE_STUDY_STUDY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "study/study_program.h"

struct expr;       /* expr.h */
struct study_kind; /* kind.h */

struct study_coordinate { /* of a variant that `cross:` made: "l1.size", "16K" */
    const char *axis, *value;
};

struct study_variant {
    const char *name, *doc;
    const char *base;    /* the variant whose settings it starts from, or NULL */
    const char *machine; /* resolved: its own, its base's, or the study's */
    uint32_t nsets;
    const char **sets;     /* "key=value", the base's first */
    const int *set_lines;  /* where each stands */
    int32_t over;          /* the variant that base.NAME means for it; -1: the figure's baseline */
    uint32_t ncoordinates; /* 0: written by hand */
    const struct study_coordinate *coordinates;
    int line;
};

struct study_workload { /* a row: what is done with every variant */
    const char *name;   /* "HS" */
    const char *maker;  /* of those that one line made, its name, which stands for all; else NULL */
    const char *size;   /* "study"; "" where programs have none, or several */
    const struct study_kind *kind;
    uint32_t nprograms; /* one of kind kernel, several of kind programs, none of others */
    const struct study_program *programs;
    uint64_t window;    /* cycles in which programs restart; 0: each runs once */
    const char *kernel; /* names are of this one of the program's; NULL: of all of it */
    uint32_t nsets;
    const char **sets; /* "key=value", after the variant's */
    const int *set_lines;
    int line;
};

struct study_metric {
    const char *name, *doc, *unit;
    const char *label; /* in legends and tables of stacks; its name, unless the file says */
    const struct expr *expr;
    int line;
};

/* Whether the paper gives a value, or says that it is more, or less, than that. */
enum study_bound { BOUND_NONE, BOUND_ABOVE, BOUND_BELOW };

struct study_paper {
    uint32_t variant;   /* index in the study */
    int32_t workload;   /* index in the study; -1: a mean, */
    const char *beside; /* that of `beside` with this name, or NULL: the figure's own */
    int32_t part;       /* of a stack; -1: the whole, which is the sum of its parts */
    double value;
    enum study_bound bound;
    const char *source, *note;
    int line;
};

struct study_claim {
    const char *text;
    const char *source; /* where the paper has it; "": the study's own */
    const struct expr *expr;
    int line;
};

static inline bool study_claim_is_own(const struct study_claim *c)
{
    return !*c->source;
}

enum study_mean { MEAN_NONE, MEAN_GEOMETRIC, MEAN_ARITHMETIC };

struct study_beside { /* a mean beside the figure's own, over some of its rows */
    const char *name, *doc;
    enum study_mean mean;
    uint32_t n; /* rows that it may be over, as indices in the study ... */
    const uint32_t *rows;
    const struct expr *where; /* ... of which it takes those for which this is true; NULL: all */
    int line;
};

enum study_chart { CHART_BARS, CHART_LINES, CHART_STACK, CHART_SCATTER, CHART_NONE };
enum study_format { FORMAT_NUMBER, FORMAT_PERCENT, FORMAT_PERCENT_CHANGE };

/* A quarter of the effect the paper saw, unless the study says what it takes for the same. */
#define STUDY_TOLERANCE 0.25

struct study_figure {
    const char *name, *title, *doc, *unit;
    const char *model;       /* that its values come from, where there are several; else "" */
    const struct expr *expr; /* of one run; NULL for a stack */
    int expr_line;
    int32_t baseline;     /* variant, or -1; see study_baseline */
    const int32_t *bases; /* by variant of the study: each its own; NULL: `baseline` */
    uint32_t nvariants, nworkloads, nparts, npapers, nclaims, nbesides;
    const uint32_t *variants, *workloads; /* indices in the study */
    const struct study_metric *const *parts;
    const struct study_paper *papers;
    const struct study_claim *claims;
    enum study_mean mean;
    const struct study_beside *besides;
    const char *full; /* the study that this is a small form of; "": none */
    bool hides_rows;  /* in tables of the terminal, which then have the means alone */
    bool hides_table; /* there; its verdicts stay */
    enum study_chart chart;
    enum study_format format;
    /* |measured - paper| <= reproduced * |paper - neutral| + absolute: reproduced; else the same
     * side of neutral (1 for ratios to a baseline, else 0): direction only. */
    double reproduced, absolute, neutral;
    int line;
};

struct study {
    const char *name; /* of the file, without .yaml */
    const char *path, *title, *doc;
    const char *against; /* whose values figures are compared with: "chip"; NULL: a paper's */
    const char *reasons; /* page that explains the verdicts, as the file names it; "": none */
    /* `quick:` was asked for, and the file has it; or figures are small forms of other studies */
    bool is_quick;
    const char *part; /* what was asked for: "9 of 14 figures"; "": all of it */
    uint64_t seed;
    bool same_sms; /* an expression asks for programs alone on the SMs that they had */
    uint32_t nvariants, nworkloads, nmetrics, nfigures;
    const struct study_variant *variants;
    const struct study_workload *workloads;
    const struct study_metric *metrics;
    const struct study_figure *figures;
};

struct study_options {
    bool quick;
    const char *only; /* comma-separated names of figures, workloads or variants; NULL: all */
};

/* Bad input: file:line, key, what was expected, a near name where there is one. */
struct study *study_read(struct arena *a, const char *path, const struct study_options *o,
                         struct err *e);

/* "HS@study", or the name alone where there is no size. */
const char *study_row_text(struct arena *a, const struct study_workload *w);

static inline const char *study_against(const struct study *s)
{
    return s->against ? s->against : "paper";
}

static inline bool study_is_small_form(const struct study_figure *f)
{
    return f->full && *f->full;
}

/* The mean beside a figure's own that has this name, or NULL. */
const struct study_beside *study_beside_find(const struct study_figure *f, const char *name);

/* The variant that base.NAME means in a column of a figure; -1: none. */
static inline int32_t study_baseline(const struct study *s, const struct study_figure *f,
                                     uint32_t variant)
{
    int32_t over = s->variants[variant].over;
    if (f->bases)
        return f->bases[variant];
    return f->baseline >= 0 && over >= 0 ? over : f->baseline;
}

/* That of all columns: a name, "" if there is none, "each its own". */
const char *study_baseline_text(const struct study *s, const struct study_figure *f);

#endif
