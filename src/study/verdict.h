/* verdict.h - a study with its results: values of all figures, what they say about the paper. */
#ifndef HEDDLE_STUDY_VERDICT_H
#define HEDDLE_STUDY_VERDICT_H

#include <stdio.h>

#include "fabric/fabric.h"
#include "study/job.h"
#include "study/store.h"

/* The first three are of what a paper says, the last two of a study's own claims. */
enum verdict {
    VERDICT_REPRODUCED,
    VERDICT_DIRECTION,
    VERDICT_NOT,
    VERDICT_NO_DATA,
    VERDICT_HOLDS,
    VERDICT_FAILS,
    VERDICTS
};
extern const char *const verdict_name[VERDICTS]; /* "reproduced", "direction only", ... */
/* The same for people: a quick run reproduces nothing, and what it says has other words. */
const char *verdict_word(const struct study *s, enum verdict v);

/* By the figure's tolerance (study.h) and nothing else of it; NaN: no data. */
enum verdict verdict_of(const struct study_figure *f, double paper, double measured);

struct study_result;

struct verdict_row { /* one value of the paper, or one claim, of the paper or the study's own */
    const struct study_figure *figure;
    const struct study_paper *paper; /* one of these two */
    const struct study_claim *claim;
    const char *what; /* "distributed, SRAD", or the claim's text */
    double paper_value, measured;
    enum verdict verdict;
};

struct verdict_mean {  /* one beside a figure's own */
    uint32_t n;        /* rows that it is over, with data or not */
    uint32_t *counted; /* [column]: those that have data */
};

struct verdict_figure {
    const struct study_figure *figure;
    /* [row * nvariants + column], rows the figure's workloads, then one for the mean (if any), then
     * those beside it; NaN: no data.  Of a stack: [(row * nvariants + column) * nparts + part]. */
    double *value;
    uint32_t rows;     /* with the means */
    uint32_t *counted; /* [column]: workloads that have data, over which the mean is */
    struct verdict_mean *besides;
};

/* The mean beside the figure's own that a row is; NULL: it is a workload, or the mean. */
const struct study_beside *verdict_beside(const struct study_figure *f, uint32_t row);
/* "HS", "mean", or the name of another mean. */
const char *verdict_row_name(const struct study *s, const struct study_figure *f, uint32_t row);
/* The row that a value of the paper is about, and what it is called. */
uint32_t verdict_paper_row(const struct study_figure *f, const struct study_paper *p);
const char *verdict_paper_name(const struct study *s, const struct study_paper *p);
/* Of a row that is a mean: "mean", "slow of 9", "mean of 2 to 3" where columns differ. */
const char *verdict_mean_text(struct arena *a, const struct verdict_figure *v, uint32_t row);
/* The same in one column, always with numbers: "mean of 3", "mean of 2 of 3" without all data. */
const char *verdict_extent_text(struct arena *a, const struct verdict_figure *v, uint32_t row,
                                uint32_t column);

/* A value of the paper and what was measured (NaN: nothing), of a row. */
struct verdict_pair {
    uint32_t row;
    double paper, measured;
};
/* Those of a column, into an array that has room for as many as the figure has values of the paper;
 * returns how many. */
uint32_t verdict_pairs(const struct verdict_figure *v, uint32_t column, struct verdict_pair *pairs);

/* How far they are apart; fractions of the paper's, NaN where there is nothing to tell. */
struct verdict_errors {
    double mean, median, worst, correlation;
    uint32_t worst_row;
    uint32_t counted, all; /* rows with data, of so many */
};
struct verdict_errors verdict_errors_of(struct arena *a, const struct verdict_figure *v,
                                        uint32_t column);
/* The same in a line, with the column's name; NULL: there is nothing to tell. */
const char *verdict_errors_text(struct arena *a, const struct study_result *r,
                                const struct verdict_figure *v, uint32_t column);

/* The run with the busiest network, that of most flits per cycle and link; all links of that run, by
 * network and port. */
struct verdict_heat {
    const struct study_job *job; /* NULL: none */
    int busiest;                 /* of its networks */
    struct fabric graphs;
    double *out[2], *in[2];
};

/* Where the numbers come from; NULL: nobody has noted it. */
struct verdict_origin {
    uint32_t runs, done;    /* that the study needs, and those that are there */
    double wall_s;          /* of the latter, as if one after the other */
    const char *made;       /* when these documents were: "2026-11-17 13:45 UTC" */
    const char *version;    /* of the program that did that */
    const char *ran, *host; /* when and on what the last runs were done */
    const char *others;     /* runs of other versions: "99 of 0.1.0" */
    const char *reasons;    /* address of the study's page of reasons */
};

struct study_result {
    const struct study *study;
    const struct study_plan *plan;  /* its runs with their configurations; NULL: not known */
    struct verdict_figure *figures; /* [nfigures] */
    struct verdict_row *rows;
    uint32_t nrows;
    uint32_t count[VERDICTS];
    uint32_t own;                  /* of the rows: claims of the study itself */
    const char *version, *command; /* the program's, and what made this */
    struct verdict_origin origin;
    struct verdict_heat heat;
    uint32_t nfailures;
    const struct pool_failure *failures;
};

/* Fills in everything but `command`, the failures and the texts of `origin`, which are the
 * caller's. */
bool study_judge(struct arena *a, const struct study *s, const struct study_plan *p,
                 struct store *store, struct study_result *r, struct err *e);

/* Text for the terminal, CSV (all figures' values and the verdicts), JSON, Markdown. */
void study_print(const struct study_result *r, struct arena *a, FILE *out);
void study_csv(const struct study_result *r, FILE *out);
void study_json(const struct study_result *r, FILE *out);
void study_markdown(const struct study_result *r, struct arena *a, FILE *out);

#endif
