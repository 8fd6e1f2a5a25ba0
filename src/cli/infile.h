/* infile.h - whole input files, and names of files beside other files. */
#ifndef HEDDLE_CLI_INFILE_H
#define HEDDLE_CLI_INFILE_H

#include "base/arena.h"
#include "base/err.h"

/* The bytes of a file, or of a pipe to its end, and a NUL after them; NULL with *e set. */
char *infile_read(struct arena *a, const char *path, size_t *length, struct err *e);
/* `name` as seen from the folder of the file `beside`, unless it is absolute. */
const char *infile_beside(struct arena *a, const char *beside, const char *name);
bool infile_has_suffix(const char *path, const char *suffix);

#endif
