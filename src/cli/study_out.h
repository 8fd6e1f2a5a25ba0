/* study_out.h - the files of a study's folder, shared by heddle study and heddle report. */
#ifndef HEDDLE_CLI_STUDY_OUT_H
#define HEDDLE_CLI_STUDY_OUT_H

#include "study/pool.h"
#include "study/verdict.h"

struct study_out {
    const char *dir;        /* report.html, results.csv, results.json, verdicts.md, figures/ */
    const char *csv, *json; /* copies elsewhere, or NULL; "-": standard output */
};

/* The folder and those above it; one line where that cannot be. */
bool study_out_folder(const char *dir, struct err *e);
/* Whether everything could be written, before hours of running. */
bool study_out_probe(const struct study_out *o, struct arena *a, struct err *e);
bool study_out_write(const struct study_out *o, const struct study_result *r, struct arena *a,
                     struct err *e);
/* Whether a document goes to standard output, and nothing else may. */
bool study_out_takes_stdout(const struct study_out *o);
/* The table of verdicts, and where the rest is; nothing when a document goes there. */
void study_out_print(const struct study_out *o, const struct study_result *r, struct arena *a);

/* What of a study is in a database: how it was asked for, so that heddle report can ask again.  A
 * database that several studies share has this for each of their folders. */
struct study_note {
    const char *study; /* name or path */
    struct study_options options;
    const char *command;
    const char *ran, *host; /* when and where the last runs were done; NULL: not known */
};
bool study_out_put_note(struct store *s, const char *dir, bool is_shared,
                        const struct study_note *n, struct err *e);
bool study_out_get_note(struct store *s, struct arena *a, const char *dir, struct study_note *n);
/* How a page in the folder links to a study's page of reasons; NULL where there is no such file. */
const char *study_out_reasons(struct arena *a, const char *dir, const struct study *s);
/* What a report says of itself: the note's, the date, where the page of reasons is. */
void study_out_origin(struct arena *a, const char *dir, const struct study_note *n,
                      struct study_result *r);

#endif
