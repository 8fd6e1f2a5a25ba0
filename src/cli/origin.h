/* origin.h - where a document comes from: version, command line, model.  Every JSON and every CSV
 * says so: members "version", "command" and "model", or lines that begin with '#' before the head. */
#ifndef HEDDLE_CLI_ORIGIN_H
#define HEDDLE_CLI_ORIGIN_H

#include <stdio.h>

#include "base/arena.h"
#include "base/json.h"

/* The command of this process as it can be given to a shell again: "heddle run -m icc60". */
const char *origin_command(struct arena *a);
/* A word as a shell takes it: in quotes where it needs them. */
const char *origin_quoted(struct arena *a, const char *word);
/* Hash of the model's sources, 16 digits: equal where programs give equal results. */
const char *origin_model(struct arena *a);

/* Now, "2026-11-17 13:45 UTC"; that of SOURCE_DATE_EPOCH where documents are to be the same again. */
const char *origin_date(struct arena *a);
/* The machine that this runs on: its name, processor and how many there are. */
const char *origin_host(struct arena *a);

void origin_json(struct json *j);
void origin_csv(FILE *out);

#endif
