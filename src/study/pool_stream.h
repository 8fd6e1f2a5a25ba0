/* pool_stream.h - the folder of recorded workloads that a pool replays. */
#ifndef HEDDLE_STUDY_POOL_STREAM_H
#define HEDDLE_STUDY_POOL_STREAM_H

#include <stdint.h>

#include "base/err.h"

/* Warp instructions of a file that is there and whole; 0: it has to be recorded. */
uint64_t pool_stream_insns(const char *path);
/* Makes the folder, and removes what recorders left that were killed long ago. */
bool pool_stream_folder(const char *path, struct err *e);
/* Removes what the recorder with this process id left unfinished. */
void pool_stream_discard(const char *path, long pid);

#endif
