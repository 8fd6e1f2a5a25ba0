/* pool_stream.h - the folder of recorded workloads that a pool replays. */
#ifndef HEDDLE_STUDY_POOL_STREAM_H
#define HEDDLE_STUDY_POOL_STREAM_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* Warp instructions of a file that is there and whole; 0: it has to be recorded. */
uint64_t pool_stream_insns(const char *path);
/* Makes the folder, and removes what recorders left that were killed long ago. */
bool pool_stream_folder(const char *path, struct err *e);
/* Where this process writes it, whoever else does, and how it then becomes the recording. */
const char *pool_stream_part(struct arena *a, const char *path);
bool pool_stream_publish(const char *part, const char *path, struct err *e);
/* Removes what the recorder with this process id left unfinished. */
void pool_stream_discard(const char *path, long pid);

#endif
