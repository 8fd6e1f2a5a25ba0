/* cli.h - what the commands share: options, output files. */
#ifndef HEDDLE_CLI_CLI_H
#define HEDDLE_CLI_CLI_H

#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "data.h"
#include "sim/config.h"

/* Each command parses its own arguments (argv[0] is its name) and returns the exit status;
 * errors are in *e and printed by main. */
struct command {
    const char *name;
    const char *help;
    enum status (*run)(int argc, char **argv, struct err *e);
};

extern const struct command *const command_all[];
extern const int command_count;
extern const struct command command_characterise;
extern const struct command command_study, command_explore, command_report, command_complete;
extern const struct command command_noc, command_run, command_record, command_cost, command_list;

/* An output file that appears whole or not at all.  "-" is standard output. */
struct outfile {
    FILE *f;
    bool is_special; /* no regular file: written in place */
    char path[4096], temp[4096 + 16];
};
bool outfile_open(struct outfile *o, const char *path, struct err *e);
bool outfile_commit(struct outfile *o, struct err *e);
/* A table with its origin (origin.h) above it. */
bool outfile_open_csv(struct outfile *o, const char *path, struct err *e);
void outfile_csv_text(FILE *out, const char *text); /* in quotes where it needs them */
/* A JSON document: one object that is open, with its "schema" and origin; the caller adds members. */
bool outfile_open_json(struct outfile *o, struct json *j, const char *path, struct err *e);
bool outfile_commit_json(struct outfile *o, struct json *j, struct err *e);
void outfile_discard(struct outfile *o);
/* Whether `path` could be written, before a long run finds out that it could not. */
bool outfile_probe(const char *path, struct err *e);

/* "0.1" or "0.05:0.4:0.05" (both ends included). */
bool parse_rates(struct arena *a, const char *text, double **rates, int *n, struct err *e);

#endif
