/* study_priv.h - what the readers of a study file share (study*.c). */
#ifndef HEDDLE_STUDY_STUDY_PRIV_H
#define HEDDLE_STUDY_STUDY_PRIV_H

#include "base/tree.h"
#include "study/expr.h"
#include "study/study.h"

enum { STUDY_MOST = 200 }; /* variants, metrics, figures */

/* Names are written in expressions, in --only and in the names of runs. */
#define STUDY_NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+."

struct study_reader {
    struct arena *arena;
    const struct tree *top;
    struct study *study;    /* as far as it is read */
    const char *quick_keys; /* that `quick:` may have besides a study's; NULL: none */
    struct err *e;
};

/* Names that something may be chosen from. */
struct study_names {
    const char *what; /* "variant", for messages */
    const char *const *names;
    uint32_t n;
};

/* The scalar under a key; an absent one leaves *text as it is. */
bool study_text(const struct study_reader *r, const struct tree *map, const char *key,
                const char **text);
bool study_number(const struct study_reader *r, const struct tree *map, const char *key, double *v);
/* The word under a key as its place in `words`; an absent one leaves *choice as it is. */
bool study_choice(const struct study_reader *r, const struct tree *map, const char *key,
                  const struct study_names *words, int *choice);
/* What a scalar names; false and blamed on `t` when nothing has that name. */
bool study_index(const struct study_reader *r, const struct tree *t, const struct study_names *from,
                 uint32_t *index);
/* The same of a list of names, each once; nothing or an empty list is all of them, in order. */
bool study_indices(const struct study_reader *r, const struct tree *t,
                   const struct study_names *from, const uint32_t **indices, uint32_t *n);
bool study_refuse_name(const struct study_reader *r, const struct tree *t,
                       const struct study_names *from); /* always false */
/* Names are written in expressions, in --only and in the names of runs. */
bool study_check_name(const struct study_reader *r, const struct tree *t, const char *name);
bool study_expect(const struct study_reader *r, const struct tree *t, enum tree_kind kind);
/* The expression in a scalar; NULL with the error blamed on it. */
const struct expr *study_expr(const struct study_reader *r, const struct tree *t);

/* Settings under `set`, which may be NULL, after those of `from`, which may be NULL, too; they are
 * v's then. */
bool study_sets_read(const struct study_reader *r, const struct tree *set,
                     const struct study_variant *from, struct study_variant *v);
/* "mesh.mem=3,12" of {mesh.mem: [3, 12]}; NULL with the error blamed on it. */
const char *study_assignment(const struct study_reader *r, const struct tree *t);
/* A path is one as seen from the study's folder, a name is left as it is. */
const char *study_machine_name(const struct study_reader *r, const char *name);

struct study_names study_variant_names(const struct study_reader *r);
struct study_names study_workload_names(const struct study_reader *r);
struct study_names study_metric_names(const struct study_reader *r);
struct study_names study_figure_names(const struct study_reader *r);
/* verdict_errors.c: names that stand in value() for how far a figure is from the paper. */
bool study_is_error(const char *name);

/* study.c: the file, whose keys are those of every study (title, rows, metrics) and `keys`; and, when
 * all else is read, what `quick:` and --only leave of it. */
bool study_open(struct study_reader *r, const char *path, const char *keys);
bool study_metrics_read(struct study_reader *r);
bool study_close(struct study_reader *r, const struct study_options *o);

enum { STUDY_MOST_ROWS = 2000 };
bool study_rows_read(struct study_reader *r);
/* Of a row: that of its programs, "" where they have several, or none. */
void study_row_size(struct study_workload *w);

/* study_groups.c: rows by their names, by those of the lines that made them, and by groups. */
struct study_row_set { /* each once, in the order in which they were named */
    uint32_t *rows;    /* with room for all that there are */
    uint32_t n;
};
struct study_row_set study_row_set(const struct study_reader *r);
/* All that rows go by, for messages. */
struct study_names study_row_names(const struct study_reader *r);
bool study_is_row(const struct study_reader *r, const char *name);
/* Whether it is the name of a line or of a group. */
bool study_stands_for_rows(const struct study_reader *r, const char *name);
/* Adds what a scalar names; false and blamed on it when that is nothing. */
bool study_rows_of(const struct study_reader *r, const struct tree *t, struct study_row_set *set);
/* What a list names, a row by its own name once; nothing or an empty list is all of them. */
bool study_rows_listed(const struct study_reader *r, const struct tree *t, const uint32_t **rows,
                       uint32_t *n);
/* Adds what a word of --only means, in capitals or not; that may be nothing. */
bool study_rows_called(const struct study_reader *r, const char *word, struct study_row_set *set);
bool study_groups_check(const struct study_reader *r);

/* study_members.c */
struct study_member {
    const char *name; /* in names of rows */
    struct study_program program;
};
struct study_members {
    struct study_member *all;
    uint32_t n;
    bool is_list; /* a list, a line or a group, though it may have but one */
};
bool study_size_read(const struct study_reader *r, const struct tree *t, const char **size);
bool study_workload_read(const struct study_reader *r, const struct tree *name,
                         struct study_program *p);
/* Of a map that has ptx and launch, or trace. */
bool study_has_files(const struct tree *t);
bool study_files_read(const struct study_reader *r, const struct tree *t, struct study_program *p);
/* At this size, those that have none of their own. */
bool study_members_read(const struct study_reader *r, const struct tree *t, const char *size,
                        struct study_members *m);

/* study_args.c: arguments of workloads.  Whether a key of `cross` is one: parameters have a dot. */
bool study_is_arg(const char *key);
/* "footprint=48K,steps=9" of `args: {...}`, with a place for more behind it; "": none. */
bool study_args_text(const struct study_reader *r, const struct tree *args, const char **text);
/* Gives them to all programs of a row, which is copied for it; `t` is where they stand. */
bool study_args_give(const struct study_reader *r, const struct tree *t, const char *text,
                     struct study_workload *w);

/* study_combine.c */
struct study_combination {
    const char *name;                     /* "KMEANS_TPACF" */
    const struct study_program *programs; /* one of each list */
};
bool study_combine(const struct study_reader *r, const struct tree *t,
                   const struct study_members *lists, uint32_t nlists,
                   const struct study_combination **all, uint32_t *n);
/* Takes `wanted` of n rows, of which there are at least as many: cuts them into so many runs, as equal
 * as can be, and takes of each the row whose programs are in the fewest of those taken before, of
 * equals the first. */
void study_sample(const struct study *s, const uint32_t *rows, uint32_t n, uint32_t wanted,
                  uint32_t *taken);

/* Cycles, from 1; 0 where `t` is NULL. */
bool study_window_read(const struct study_reader *r, const struct tree *t, uint64_t *window);
/* The settings of a row (study.c). */
bool study_row_sets(const struct study_reader *r, const struct tree *set, struct study_workload *w);

/* Adds the variants of `cross:`, if there is one. */
bool study_cross_read(struct study_reader *r);
bool study_figures_read(struct study_reader *r);
/* Geometric of ratios to the baseline. */
enum study_mean study_default_mean(const struct study_figure *f);
const struct study_figure *study_figure_named(const struct study *s, const char *name);
/* Whether value(...) is one of a figure of this study; in `where` of a mean it may be of the row at
 * hand. */
bool study_ref_check(const struct study_reader *r, const struct tree *t, const struct expr_ref *ref,
                     bool in_where);

/* study_beside.c */
#define STUDY_THIS_ROW "row"
bool study_besides_read(const struct study_reader *r, const struct tree *list,
                        struct study_figure *f);
/* When all figures are known: what their `where` asks for; then, that none depends on itself. */
bool study_besides_check(const struct study_reader *r, const struct tree *list,
                         const struct study_figure *f);
bool study_besides_end(const struct study_reader *r, const struct tree *list,
                       const struct study_figure *f);
/* What a figure or `quick:` takes: its `variants` and those that `where` chooses; neither: all. */
bool study_where_columns(const struct study_reader *r, const struct tree *t,
                         const uint32_t **columns, uint32_t *ncolumns);
/* `baseline: {AXIS: VALUE}` of a figure with columns. */
bool study_where_baseline(const struct study_reader *r, const struct tree *map,
                          struct study_figure *f);
/* Rows of the study's own size get this one, which is checked; `t` is where it stands. */
bool study_resize(const struct study_reader *r, const struct tree *t, bool is_wanted);
/* Applies `quick:` and --only. */
bool study_select(struct study_reader *r, const struct study_options *o);

/* The metric of this name, or NULL. */
const struct study_metric *study_metric(const struct study *s, const char *name);
/* The unit of an expression's values; NULL: not known. */
const char *study_unit(const struct study *s, const struct expr *x);
/* How numbers of a unit are read where the file does not say. */
enum study_format study_unit_format(const char *unit);
/* Place of `index` in a list, or -1. */
int32_t study_place(const uint32_t *list, uint32_t n, uint32_t index);

#endif
