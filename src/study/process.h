/* process.h - one child process and the last words it said.
 *
 * A child is a fork of this program; what it prints to standard output and error goes to us, of
 * which the end is kept.  It dies with its parent. */
#ifndef HEDDLE_STUDY_PROCESS_H
#define HEDDLE_STUDY_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/err.h"

struct process {
    pid_t pid; /* 0: none */
    int words; /* readable when it has said something, or ended */
    char said[1024];
    size_t n;
};

/* What the child does: false with *e set when it failed, and that is its last word and status. */
struct process_body {
    bool (*run)(void *context, struct err *e);
    void *context;
    void (*leave)(int status); /* _exit */
};

bool process_start(struct process *p, const struct process_body *b, struct err *e);
/* Takes what can be read without waiting more than for a readable `words`; false: it has ended. */
bool process_listen(struct process *p);
/* Of one that has ended: NULL, or why it failed ("killed by signal 9 (Killed)"). */
const char *process_reap(struct process *p, struct arena *a);
/* Ends it and waits for that. */
void process_kill(struct process *p);

#endif
