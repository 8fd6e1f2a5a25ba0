/* explore_files.h - the files of an exploration's folder. */
#ifndef HEDDLE_CLI_EXPLORE_FILES_H
#define HEDDLE_CLI_EXPLORE_FILES_H

#include "explore/explore_out.h"

struct explore_files {
    const char *dir;        /* report.html, points.csv, results.json */
    const char *csv, *json; /* copies elsewhere, or NULL; "-": standard output */
};

/* Of one machine or several; all of one file. */
bool explore_files_write(const struct explore_files *o, const struct explore_result *all,
                         uint32_t n, struct arena *a, struct err *e);
/* The tables, and where the rest is; nothing when a document goes there. */
void explore_files_print(const struct explore_files *o, const struct explore_result *all,
                         uint32_t n, struct arena *a);

#endif
