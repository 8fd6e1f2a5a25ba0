/* solo_store.h - runs of programs alone, kept in a database as studies have.
 *
 * Nothing depends on it: where it cannot be read or written, programs are run again. */
#ifndef HEDDLE_STUDY_SOLO_STORE_H
#define HEDDLE_STUDY_SOLO_STORE_H

#include "machine/several.h"

/* The database at `path`, which must outlive what is returned; NULL: nothing is kept.  It is open
 * only while something is looked up or put, so that others can use it. */
struct several_memory solo_store_at(const char *path);

#endif
