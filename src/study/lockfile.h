/* lockfile.h - a file that says that somebody is at work, and who.
 *
 * It is made exclusively, which network file systems do right where they do locks wrong.  A holder
 * that died on this computer is noticed at once, one on another when it has not touched the file
 * for ten minutes. */
#ifndef HEDDLE_STUDY_LOCKFILE_H
#define HEDDLE_STUDY_LOCKFILE_H

#include "base/err.h"

/* Waits so long for a holder that lives, or may; `doing` is what holders do: "gathers". */
bool lockfile_take(const char *path, const char *doing, unsigned wait_s, struct err *e);
void lockfile_touch(const char *path); /* by the holder, now and then */
void lockfile_release(const char *path);

#endif
