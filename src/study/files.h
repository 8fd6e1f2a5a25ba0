/* files.h - contents of files that runs follow from, as hashes. */
#ifndef HEDDLE_STUDY_FILES_H
#define HEDDLE_STUDY_FILES_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* Adds what is in a file to *hash. */
bool files_hash(const char *path, uint64_t *hash, struct err *e);
/* ... and in a launch file, and in all files that it reads (docs/own-kernel.md). */
bool files_hash_launch(const char *path, uint64_t *hash, struct err *e);

/* `name` as seen from the folder of the file `beside`, unless it is absolute. */
const char *files_beside(struct arena *a, const char *beside, const char *name);

#endif
