/* cost_options.h - options of heddle cost, and what the files that do its work share. */
#ifndef HEDDLE_CLI_COST_OPTIONS_H
#define HEDDLE_CLI_COST_OPTIONS_H

#include "report/cost_json.h"

/* What is to be priced; one of these. */
enum cost_subject {
    COST_MACHINE,
    COST_NETWORK,
    COST_ROUTER,
    COST_LINK,
    COST_OPTICAL,
    COST_ARRAY,
    COST_VALIDATE,
    COST_SUBJECTS
};

enum { COST_MAX_SETS = 256 };

struct cost_options {
    const char *subject[COST_SUBJECTS]; /* what was given, or NULL */
    const char *json, *csv, *reference;
    bool wants_help;
    int nsets;
    const char *set[COST_MAX_SETS];
    bool is_strict;
    struct config **applied; /* set to what the --set options went to */
};

/* All --set options. */
bool cost_apply_sets(const struct cost_options *o, struct config *c, struct err *e);
/* To be asked before anything is written: those that have no effect are told, or refused. */
bool cost_tell_effect(const struct cost_options *o, struct err *e);
/* Whether standard output is taken by a document. */
bool cost_is_quiet(const struct cost_options *o);

/* Each prints, and writes the documents that are asked for. */
bool cost_machine(const struct cost_options *o, struct arena *a, struct err *e);
bool cost_network(const struct cost_options *o, struct arena *a, struct err *e);
bool cost_router(const struct cost_options *o, struct arena *a, struct err *e);
bool cost_link(const struct cost_options *o, struct arena *a, struct err *e);
bool cost_optical(const struct cost_options *o, struct arena *a, struct err *e);
bool cost_array(const struct cost_options *o, struct arena *a, struct err *e);

/* The word up to the next separator, or NULL; *rest is what follows, NULL after the last. */
char *cost_next_word(char **rest, char separator);

/* "#####" for the share of `v` in `all`, at most `width` of them. */
const char *cost_bar(struct arena *a, double v, double all, int width);

#endif
